mod arrays;
mod doubles;
mod geometry;
mod textures;

use attila_isa::Slots;
use expect_test::{Expect, expect};

use super::super::{Dialect, Options, Translation, compile};

/// Declarations that most texts of these tests begin with.
const FRAGMENT: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], COLOR, LINEAR
DCL OUT[0], COLOR
DCL CONST[0..7]
DCL TEMP[0..3]
DCL ADDR[0]
DCL SAMP[0..3]
IMM FLT32 { 0.5, 1.0, 2.0, 3.0 }
IMM UINT32 { 0, 1, 2, 3 }
";

fn options(dialect: Dialect) -> Options {
    Options {
        dialect: Some(dialect),
        ..Options::default()
    }
}

fn translated(text: &str, dialect: Dialect) -> Translation {
    let translation = compile(text, &options(dialect));
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = translation.program.clone();
    program.validate().expect("translations are valid");
    translation
}

fn listed(translation: &Translation) -> String {
    let params = translation.params.iter();
    let params = params.map(|(register, param)| format!("c{register} = {param}\n"));
    let params: String = params.collect();
    format!("{params}{}", translation.program.listing())
}

/// Checks the instructions of a fragment program, after the usual declarations, and its constants.
fn fragment(dialect: Dialect, body: &str, expected: &Expect) {
    let translation = translated(&format!("{FRAGMENT}{body}\nEND"), dialect);
    expected.assert_eq(&listed(&translation));
}

fn whole(text: &str, expected: &Expect) {
    expected.assert_eq(&listed(&translated(text, Dialect::T23)));
}

fn refuses(text: &str, expected: &Expect) {
    let error = compile(text, &Options::default()).expect_err("it is not supported");
    expected.assert_eq(&error.to_string());
}

#[test]
fn an_instruction_is_one_instruction_where_there_is_one() {
    fragment(
        Dialect::T23,
        "MAD TEMP[0], IN[0].yxzw, CONST[2], -IN[1]\nRCP TEMP[1].xy, |TEMP[0].yyyy|\nMUL OUT[0], TEMP[0], TEMP[1].xyxy",
        &expect![[r#"
            c0 = CONST[0][2]
            mad r0, i10.yxzw, c0, -i1
            rcp r1.xy, |r0.y|
            mul o1, r0, r1.xyxy <- end
        "#]],
    );
}

#[test]
fn clamps_are_operations_of_their_own() {
    fragment(
        Dialect::T23,
        "ADD_SAT TEMP[0].xy, IN[0], CONST[0]\nADD_SAT OUT[0], TEMP[0].xyxy, IN[1]",
        &expect![[r#"
            c0 = CONST[0][0]
            add r0.xy, i10, c0
            max r0.xy, r0, 0
            min r0.xy, r0, 1
            add r0, r0.xyxy, i1
            max r0, r0, 0
            min o1, r0, 1 <- end
        "#]],
    );
    fragment(
        Dialect::T7,
        "MUL_SATNV OUT[0], IN[0], IN[1]",
        &expect![[r#"
        .extended fragment
        mul_satn o1, i10, i1 <- end
    "#]],
    );
}

#[test]
fn predicates_guard_each_component() {
    let text = FRAGMENT.replace("DCL ADDR[0]", "DCL PRED[0]");
    let text = format!("{text}SLT PRED[0], IN[0], IMM[0]\n(!PRED[0].xxyy) MOV OUT[0], IN[1]\nEND");
    expect![[r#"
        c0 = [0.5, 1.0, 0.0, 0.0]
        slt r0.xy, i10, c0
        stpeqi p0, r0.x, 0
        stpeqi p1, r0.y, 0
        (p0) mov o1.xy, i1
        (p1) mov o1.zw, i1 <- end
    "#]]
    .assert_eq(&listed(&translated(&text, Dialect::T7)));
}

#[test]
fn a_destination_may_be_a_source_of_several_instructions() {
    fragment(
        Dialect::T7,
        "MOV TEMP[0], IN[0]\nXPD TEMP[0], TEMP[0], IN[1]\nSCS TEMP[0].yzw, TEMP[0].wwww\nX2D TEMP[0], TEMP[0], IN[1], TEMP[0]\nMOV OUT[0], TEMP[0]",
        &expect![[r#"
            c0 = [0.0, 1.0, 0.0, 0.0]
            mul r0.x, i10.z, i1.y
            mad r0.x, i10.y, i1.z, -r0.x
            mov r0.w, c0.y
            sin r0.y, r0.w
            mov r0.zw, c0.xxxy
            mad r1, i1.x, r0.xzxz, r0.xyxy
            mad o1, i1.y, r0.ywyw, r1 <- end
        "#]],
    );
}

#[test]
fn relative_constants_are_in_registers_of_their_own() {
    fragment(
        Dialect::T23,
        "ARL ADDR[0].xy, IN[0]\nMUL TEMP[0], CONST[ADDR[0].x+300], CONST[ADDR[0].y-1]\nADD OUT[0], TEMP[0], CONST[ADDR[0].y-1].wzyx\nADD OUT[0].x, OUT[0].yyyy, CONST[1]",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            c2 = CONST[0][2]
            c3 = CONST[0][3]
            c4 = CONST[0][4]
            c5 = CONST[0][5]
            c6 = CONST[0][6]
            c7 = CONST[0][7]
            arl r0.xy, i10
            addi a0.x, r0.x, 300
            mov a0.y, r0.y
            mov r0.yzw, c0[a0.x]
            mov r1.yzw, c0[a0.y - 1]
            mul r0.yzw, r0, r1
            add r0.yzw, r0, c0[a0.y - 1].zzyx
            add r0.x, r0.y, c1.x
            mov o1, r0 <- end
        "#]],
    );
    fragment(
        Dialect::T23,
        "UARL ADDR[0].x, IMM[1].yyyy\nMUL OUT[0], IMM[ADDR[0].x], CONST[2]",
        &expect![[r#"
            c0 = [0.5, 1.0, 2.0, 3.0]
            c1 = [0.0, 1e-45, 3e-45, 4e-45]
            c2 = CONST[0][2]
            mov a0.x, c1.y
            mov r0, c0[a0.x]
            mul o1, r0, c2 <- end
        "#]],
    );
}

#[test]
fn conditions_test_bits_or_numbers_by_the_dialect() {
    let body = "MOV TEMP[0], IN[1]\nIF IN[0].yyyy :3\n  TEX TEMP[0], IN[0], SAMP[2], 2D\nELSE\n  KIL IN[0].xxxx\nENDIF\nMOV OUT[0], TEMP[0]";
    for (dialect, expected) in [
        (
            Dialect::T7,
            expect![[r#"
            mov r0, i1
            stpeqi p0, i10.y, 0
            (!p0) tex r0, i10, t2
            (p0) kil i10.x
            mov o1, r0 <- end
        "#]],
        ),
        (
            Dialect::T10,
            expect![[r#"
            mov r0, i1
            setpeq p0, i10.y, 0
            (!p0) tex r0, i10, t2
            (p0) kil i10.x
            mov o1, r0 <- end
        "#]],
        ),
    ] {
        fragment(dialect, body, &expected);
    }
}

#[test]
fn choices_test_all_values_first() {
    fragment(
        Dialect::T10,
        "ARL TEMP[1].x, IN[0].xxxx\nSWITCH TEMP[1].xxxx\nCASE IMM[1].yyyy\n MOV TEMP[0], IN[0]\nDEFAULT\n ADD TEMP[0], TEMP[0], IN[1]\n BRK\nCASE IMM[1].zzzz\n MUL TEMP[0], IN[1], IN[1]\nENDSWITCH\nMOV OUT[0], TEMP[0]",
        &expect![[r#"
            arl r1.x, i10.x
            stpeqi p0, r1.x, 1
            jmp p0, 4
            stpeqi p0, r1.x, 2
            jmp p0, 5
            jmp true, 2
            mov r0, i10
            add r0, r0, i1
            jmp true, 2
            mul r0, i1, i1
            mov o1, r0 <- end
        "#]],
    );
}

#[test]
fn subroutines_stand_in_place_of_calls() {
    fragment(
        Dialect::T7,
        "MOV TEMP[0], IN[0]\nCAL :6\nCALLNZ IN[1].xxxx :6\nMOV OUT[0], TEMP[0]\nRET\nEND\nBGNSUB\n IF TEMP[0].xxxx\n  RET\n ENDIF\n ADD TEMP[0], TEMP[0], IN[1]\n RET\nENDSUB",
        &expect![[r#"
            mov r0, i10
            stpeqi p0, r0.x, 0
            jmp !p0, 2
            add r0, r0, i1
            stpeqi p0, i1.x, 0
            jmp p0, 4
            stpeqi p0, r0.x, 0
            jmp !p0, 2
            add r0, r0, i1
            mov o1, r0 <- end
        "#]],
    );
}

#[test]
fn loops_are_left_and_repeated() {
    fragment(
        Dialect::T10,
        "BGNLOOP\n ADD TEMP[0], TEMP[0], IN[0]\n SGE TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\n BREAKC TEMP[1].xxxx\n IF TEMP[0].yyyy\n  CONT\n ENDIF\n MUL TEMP[0].zw, TEMP[0], IN[0]\nENDLOOP\nMOV OUT[0], TEMP[0]",
        &expect![[r#"
            .extended fragment
            add r0, r0, i10
            sgeo r1.x, r0.x, 3
            stpeqi p0, r1.x, 0
            jmp !p0, 5
            setpeq p0, r0.y, 0
            jmp !p0, 2
            mul r0.zw, r0, i10
            jmp true, -7
            mov o1, r0 <- end
        "#]],
    );
}

#[test]
fn jumps_lead_to_instructions() {
    fragment(
        Dialect::T7,
        "MOV OUT[0], IN[0]\nIF IN[1].xxxx\n BRA :4\nENDIF\nADD OUT[0].x, IN[1], IN[1]\n",
        &expect![[r#"
            mov o1.yzw, i10
            add o1.x, i1.x, i1.x <- end
        "#]],
    );
}

#[test]
fn inputs_and_outputs_of_fragments_are_as_properties_say() {
    whole(
        "FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
PROPERTY FS_COORD_PIXEL_CENTER INTEGER
DCL IN[0], POSITION, LINEAR
DCL IN[1].x, FACE, CONSTANT
DCL IN[2], FOG, PERSPECTIVE
DCL IN[3].xy, GENERIC[1], PERSPECTIVE
DCL IN[3].zw, GENERIC[7], PERSPECTIVE
DCL OUT[0], POSITION
DCL OUT[1], COLOR[1]
DCL OUT[2], STENCIL
MOV OUT[0].z, IN[0].yyyy
MUL OUT[1], IN[1].xxxx, IN[2]
ADD OUT[2].y, IN[3].xxxx, IN[3].zzzz
END",
        &expect![[r#"
            c0 = the window's size
            c1 = [0.0, 1.0, -1.0, 0.0]
            .extended fragment
            add r0.y, c0.y, -i0.y
            add r0.y, r0.y, -0.5
            cmp r0.x, -i15.w, c1.y, c1.z
            mov r1.x, i5.x
            mov r1.yzw, c1.xxxy
            mov r2.x, i11.x
            mov r2.z, i22.z
            mov r0.z, r0.y
            mul o2, r0.x, r1
            add o9.y, r2.x, r2.z
            zxp r0.z <- end
        "#]],
    );
}

#[test]
fn vertices_write_registers_by_semantics() {
    whole(
        "VERT
DCL IN[0..1]
DCL SV[0], INSTANCEID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[3]
DCL OUT[2], TEXCOORD[1]
DCL OUT[3].x, PSIZE
DCL OUT[4].x, GENERIC[4]
DCL OUT[4].w, GENERIC[5]
MOV OUT[0], IN[0]
MOV OUT[1], IN[1].yxzw
UADD OUT[2], SV[0].xxxx, SV[0].xxxx
MOV OUT[3].x, OUT[1].yyyy
MOV OUT[4].xw, IN[1]
END",
        &expect![[r#"
            .extended vertex
            mov o0, i0
            addi o7, i62.x, i62.x
            mov o15.x, i1.x
            mov o13, i1.yxzw
            mov o14.x, i1.x
            mov o20.w, i1.w <- end
        "#]],
    );
}

#[test]
fn zero_wins_where_the_text_says_so() {
    whole(
        "FRAG\nPROPERTY MUL_ZERO_WINS 1\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nDP3 OUT[0].xyz, IN[0], IN[0]\nADD OUT[0].w, IN[0], IN[0]\nEND",
        &expect![[r#"
            .extended fragment
            dp3_z o1.xyz, i1, i1
            add o1.w, i1.w, i1.w <- end
        "#]],
    );
}

#[test]
fn the_translation_lists_what_the_program_is_bound_to() {
    let text = "FRAG
DCL IN[0], GENERIC[9], PERSPECTIVE, CENTROID
DCL OUT[0], COLOR
DCL CONST[0..3]
DCL CONST[1][0..1]
DCL SAMP[3]
TEX OUT[0], IN[0], SAMP[3], SHADOW2D
MAD OUT[0].x, OUT[0], CONST[2], CONST[1][1]
END";
    let translation = translated(text, Dialect::T23);
    let details = &translation.details;
    let input = &details.inputs[0];
    assert_eq!(input.register, Some(24));
    assert_eq!(input.varying.location, super::super::Location::Centroid);
    assert_eq!(details.outputs[0].register, Some(1));
    let used = details
        .constants
        .iter()
        .map(|it| (it.buffer, it.used.clone()));
    assert_eq!(used.collect::<Vec<_>>(), [(0, [2].into()), (1, [1].into())]);
    let params = translation
        .params
        .iter()
        .map(|(_, param)| param.to_string());
    assert_eq!(params.collect::<Vec<_>>(), ["CONST[0][2]", "CONST[1][1]"]);
    assert_eq!(
        details.samplers[&3],
        [super::super::Target::ShadowTwoD].into()
    );
    assert_eq!(translation.textures[0].unit, 3);
}

#[test]
fn buffers_are_storage_buffers_and_threads_have_their_places() {
    let text = "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], BLOCK_ID
DCL SV[1], THREAD_ID
DCL BUFFER[0]
DCL BUFFER[3]
DCL TEMP[0..1]
IMM[0] UINT32 {4, 2, 0, 0}
SHL TEMP[0].x, SV[0].yyyy, IMM[0].xxxx
UADD TEMP[0].x, TEMP[0].xxxx, SV[1].zzzz
LOAD TEMP[1].xy, BUFFER[3], TEMP[0].xxxx
ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy
ATOMCAS TEMP[0].y, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz, TEMP[1].yyyy
RESQ TEMP[1].z, BUFFER[0]
STORE BUFFER[0].xz, IMM[0].xxxx, TEMP[1]
END";
    whole(
        text,
        &expect![[r#"
        c0 = [3e-45, 0.0, 6e-45, 0.0]
        .extended compute
        shl r0.x, i1.y, 4
        addi r0.x, r0.x, i0.z
        ldb r0.y, r0.x, u3
        atomadd r0.x, r0.x, u0, c0.x
        mov r1.x, c0.y
        mov r1.y, r0.y
        atomcas r0.y, c0.z, u0, r1
        bufsize r0.z, u0
        stb u0.xz, c0.z, r0 <- end
    "#]],
    );
}

#[test]
fn the_translation_has_the_outputs_that_draws_are_told_of() {
    let details = |rest: &str| {
        let text = format!("VERT\n{rest}\nDCL OUT[0], POSITION\nMOV OUT[0], IMM[0]\nEND");
        let text = text.replace("DCL OUT[0]", "IMM FLT32 {0, 0, 0, 1}\nDCL OUT[0]");
        translated(&text, Dialect::T23).details
    };
    let xy = Slots::X | Slots::Y;
    let all = details("DCL OUT[1..2], CLIPDIST\nDCL OUT[3].xy, CULLDIST\nDCL OUT[4], BCOLOR[1]");
    assert_eq!(
        all.clip_distances(),
        [(48, Slots::all()), (49, Slots::all())]
    );
    assert_eq!(all.cull_distances(), [(50, xy)]);
    assert!(all.is_two_sided());
    let some = details("PROPERTY NUM_CLIPDIST_ENABLED 5\nDCL OUT[1..2], CLIPDIST");
    assert_eq!(some.clip_distances(), [(48, Slots::all()), (49, Slots::X)]);
    assert!(some.cull_distances().is_empty() && !some.is_two_sided());
    let packed = details(
        "PROPERTY NUM_CLIPDIST_ENABLED 3\nPROPERTY NUM_CULLDIST_ENABLED 3\nDCL OUT[1..2], CLIPDIST",
    );
    assert_eq!(packed.clip_distances(), [(48, xy | Slots::Z)]);
    assert_eq!(packed.cull_distances(), [(48, Slots::W), (49, xy)]);
    let culls = details("PROPERTY NUM_CULLDIST_ENABLED 2\nDCL OUT[1], CLIPDIST");
    assert!(culls.clip_distances().is_empty());
    assert_eq!(culls.cull_distances(), [(48, xy)]);
}

#[test]
fn inputs_are_evaluated_where_the_text_has_them() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID
DCL IN[1], GENERIC[1], LINEAR, SAMPLE
DCL IN[2], GENERIC[2], CONSTANT, SAMPLE
DCL SV[0], SAMPLEMASK
DCL OUT[0], COLOR
DCL TEMP[0]
ADD TEMP[0], IN[0], IN[1]
ADD OUT[0], TEMP[0], IN[2]
U2F OUT[0].x, SV[0].xxxx
END";
    let program = translated(text, Dialect::T23).program.to_string();
    let count = |word: &str| program.matches(word).count();
    for (word, times) in [
        ("evalc", 1),
        ("evals", 1),
        ("pixld_index", 1),
        ("pixld_mask", 1),
        ("i12", 1),
    ] {
        assert_eq!(count(word), times, "{word} in\n{program}");
    }
}
