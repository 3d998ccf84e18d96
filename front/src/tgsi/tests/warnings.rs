//! Texts that are taken with remarks.

use attila_isa::Slots;
use expect_test::expect;

use super::{warns, warns_fragment};

#[test]
fn labels_that_lead_elsewhere_only_decorate() {
    warns_fragment(
        "0: IF TEMP[0] :7
1: ELSE :3
2: ENDIF
4: BGNLOOP :9
5: BRK
7: ENDLOOP :3
MOV OUT[0], IN[0]",
        expect![[r#"
            9:16: warning: the label is 7; the instruction leads to 1 (the structure decides; labels after this one are not looked at)
            12:1: warning: this is instruction 3, not 4 (labels count instructions from 0, by their order in the text)"#]],
    );
    warns_fragment(
        "IF TEMP[0] :1\nENDIF\nIF TEMP[0] :4\nENDIF\nIF TEMP[0] :0\nENDIF",
        expect![""],
    );
}

#[test]
fn only_inputs_of_fragments_are_interpolated() {
    let program = warns(
        "VERT\nDCL IN[0], LINEAR\nDCL OUT[0], POSITION, PERSPECTIVE, CENTROID\nDCL SV[0], VERTEXID, CONSTANT\nEND",
        expect![[r#"
            2:12: warning: only inputs of fragment programs are interpolated; this is ignored
            3:23: warning: only inputs of fragment programs are interpolated; this is ignored
            4:22: warning: only inputs of fragment programs are interpolated; this is ignored"#]],
    );
    assert_eq!(program.outputs[0].interpolation, None);
    warns(
        "FRAG\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], LINEAR, SAMPLE\nDCL OUT[0], COLOR, COLOR\nEND",
        expect![
            "4:20: warning: only inputs of fragment programs are interpolated; this is ignored"
        ],
    );
}

#[test]
fn writes_beyond_the_components_of_a_declaration_are_noted_once() {
    warns(
        "VERT\nDCL IN[0]\nDCL OUT[0].xy, POSITION\nDCL OUT[1].x, GENERIC[0]\nDCL OUT[1].yz, GENERIC[1]\nMOV OUT[0].x, IN[0]\nMOV OUT[0], IN[0]\nMOV OUT[0], IN[0]\nMOV OUT[1].xyz, IN[0]\nEND",
        expect!["7:5: warning: `OUT[0]` is declared with `.xy`; other components are not written"],
    );
}

#[test]
fn unknown_properties_are_kept() {
    let program = warns(
        "FRAG\nPROPERTY FS_COORD_ORIGINS LOWER_LEFT\nPROPERTY FOO 7\nEND",
        expect![[r#"
            2:10: warning: unknown property `FS_COORD_ORIGINS` (did you mean `FS_COORD_ORIGIN`?)
            3:10: warning: unknown property `FOO`"#]],
    );
    let others = [("FS_COORD_ORIGINS", "LOWER_LEFT"), ("FOO", "7")];
    let others = others.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(program.properties.others, others);
}

#[test]
fn floats_are_written_in_one_way() {
    warns(
        "FRAG\nIMM FLT32 {0x0, 0x0, 0x0, 0x3f800000}\nIMM UINT32 {1, 2, 3, 0x4}\nIMM FLT32 {1, 0x0, 2, 3}\nEND",
        expect![
            "4:12: warning: the text writes floats in hexadecimal digits, and others in decimal ones (hexadecimal digits are the bits of a float)"
        ],
    );
    warns(
        "FRAG\nIMM FLT32 {0, 0x0, 0, 0}\nEND",
        expect![
            "2:15: warning: the text writes floats in hexadecimal digits, and others in decimal ones (hexadecimal digits are the bits of a float)"
        ],
    );
    warns(
        "FRAG\nIMM FLT32 {0x0, 0x0, 0x0, 0x0}\nIMM UINT32 {1, 2, 3, 4}\nEND",
        expect![""],
    );
}

#[test]
fn divisions_by_0_in_the_text_are_noted() {
    warns_fragment(
        "DIV OUT[0], IN[0], IMM[0]
DIV OUT[0].y, IN[0], IMM[0]
DIV OUT[0].y, IN[0], -IMM[0].xxxx
MOD OUT[0], IN[0], IMM[0].xxxx
UDIV OUT[0].x, IN[0], IMM[0].wxyz",
        expect![[r#"
            9:1: warning: DIV divides by 0
            11:1: warning: DIV divides by 0
            12:1: warning: MOD divides by 0"#]],
    );
}

#[test]
fn derivatives_outside_of_fragments_are_0() {
    warns(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDDX OUT[0], IN[0]\nDDY_FINE OUT[0], IN[0]\nEND",
        expect![[r#"
            4:1: warning: DDX compares fragments; a vertex program gets 0
            5:1: warning: DDY_FINE compares fragments; a vertex program gets 0"#]],
    );
}

#[test]
fn dialects_that_contradict_each_other_are_the_newest() {
    warns_fragment(
        "UIF TEMP[0]\nKILP\nENDIF",
        expect![
            "10:1: warning: this is of dialect T7, but other words of the text are newer (the text is taken for T23; the dialect can be chosen)"
        ],
    );
}

#[test]
fn instructions_before_the_first_case_never_run() {
    warns_fragment(
        "SWITCH TEMP[0]\nMOV OUT[0], IN[0]\nCASE IMM[0]\nENDSWITCH\nSWITCH TEMP[0]\nDEFAULT\nENDSWITCH\nSWITCH TEMP[0]\nENDSWITCH",
        expect!["10:1: warning: no CASE leads to this instruction"],
    );
}

#[test]
fn vertex_inputs_have_no_semantic() {
    warns(
        "VERT\nDCL IN[0], POSITION\nDCL IN[1]\nEND",
        expect!["2:12: warning: vertex inputs have no semantic; it is ignored"],
    );
}

#[test]
fn outputs_without_an_effect_on_draws_are_named() {
    warns(
        "VERT
DCL OUT[0], POSITION
DCL OUT[1], LAYER
DCL OUT[2], VIEWPORT_INDEX
DCL OUT[3], EDGEFLAG
DCL OUT[4], PSIZE
DCL OUT[5], CLIPVERTEX
DCL OUT[6], CLIPDIST
DCL OUT[7], CULLDIST
DCL OUT[8], BCOLOR
END",
        expect![[r#"
            3:13: warning: LAYER has no effect: targets of draws have one layer
            4:13: warning: VIEWPORT_INDEX has no effect: draws have one viewport
            5:13: warning: EDGEFLAG has no effect: draws fill triangles
            6:13: warning: PSIZE has no effect: draws have no points
            7:13: warning: CLIPVERTEX has no effect: draws have no clip planes; CLIPDIST is a distance from one"#]],
    );
    warns(
        "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], STENCIL\nDCL OUT[2], SAMPLEMASK\nEND",
        expect!["3:13: warning: STENCIL has no effect: draws have no stencil test"],
    );
}

#[test]
fn only_inputs_of_fragments_go_round_a_cylinder() {
    let program = warns(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR, CYLWRAP_XZ\nDCL IN[1], COLOR, cylwrap_w\nDCL OUT[0], COLOR, CYLWRAP_Y\nEND",
        expect!["4:20: warning: only inputs of fragment programs go round a cylinder"],
    );
    let wraps = program.inputs.iter().map(|it| it.wraps);
    let expected = [Slots::X | Slots::Z, Slots::W];
    assert_eq!(wraps.collect::<Vec<_>>(), expected);
}
