use expect_test::{Expect, expect};

use super::super::{Profile, Translation, compile};

fn translated(text: &str) -> Translation {
    let translation = compile(text, &Profile::default());
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = translation.program.clone();
    program.validate().expect("translations are valid");
    translation
}

/// The instructions of a fragment program, and its constants.
fn fragment(body: &str, expected: &Expect) {
    check(&translated(&format!("!!ARBfp1.0\n{body}\nEND")), expected);
}

fn vertex(body: &str, expected: &Expect) {
    check(&translated(&format!("!!ARBvp1.0\n{body}\nEND")), expected);
}

fn check(translation: &Translation, expected: &Expect) {
    let constants = translation.constants(|_| [f32::NAN; 4]);
    let constants = constants.filter(|(_, value)| !value[0].is_nan());
    let constants = constants.map(|(index, value)| format!("c{index} = {value:?}\n"));
    let constants: String = constants.collect();
    expected.assert_eq(&format!("{constants}{}", translation.program.listing()));
}

#[test]
fn an_empty_program_ends() {
    fragment(
        "",
        &expect![[r#"
        end
    "#]],
    );
}

#[test]
fn results_are_written_directly() {
    fragment(
        "TEMP t;\nMUL t, fragment.color, 2;\nMOV_SAT result.color, t;",
        &expect![[r#"
            mul_sat o1, i1, 2 <- end
        "#]],
    );
}

#[test]
fn steps_on_the_way_do_not_disturb_the_sources() {
    fragment(
        "TEMP t, u;\nMOV t, fragment.color;\nMOV u, fragment.texcoord[0];\nPOW t.y, t.y, u.x;\nXPD t.xyz, t, u;\nSCS t.xy, t.x;\nSWZ t, t, -y, x, 1, 0;\nMOV result.color, t;",
        &expect![[r#"
            c0 = [0.0, 1.0, 0.0, 0.0]
            mov r0.yz, i1
            lg2 r0.x, r0.y
            mul r0.x, r0.x, i6.x
            ex2 r0.y, r0.x
            mul r0.x, r0.z, i6.y
            mad r0.x, r0.y, i6.z, -r0.x
            cos r1.x, r0.x
            sin r1.y, r0.x
            mov o1.y, r1.x
            mov o1.x, -r1.y
            mov o1.zw, c0.yyyx <- end
        "#]],
    );
}

#[test]
fn a_fog_coordinate_is_one_number() {
    fragment(
        "TEMP t;\nMUL t, fragment.fogcoord, 2;\nDP3 t.x, t, fragment.fogcoord;\nMOV result.color, t;",
        &expect![[r#"
            c0 = [0.0, 1.0, 0.0, 0.0]
            mov r0.x, i5.x
            mov r0.yzw, c0.xxxy
            mul r1, r0, 2
            dp3 r1.x, r1, r0
            mov o1, r1 <- end
        "#]],
    );
    fragment(
        "MOV result.color, fragment.fogcoord.x;",
        &expect![[r#"
            mov o1, i5.x <- end
        "#]],
    );
}

#[test]
fn textures_get_no_coordinates_that_nobody_has_written() {
    fragment(
        "TEMP t;\nMOV t.xy, fragment.position.yxzw;\nADD t.xy, t, 0.5;\nTEX t, t, texture[2], 2D;\nMOV result.color, t;",
        &expect![[r#"
            add r0.xy, i0.yxxx, 0.5
            tex o1, r0.xyyy, t2 <- end
        "#]],
    );
}

#[test]
fn positions_may_be_invariant() {
    vertex(
        "OPTION ARB_position_invariant;\nMOV result.color, vertex.color;",
        &expect![[r#"
            mov o1, i3
            dp4 o0.x, c0, i0
            dp4 o0.y, c1, i0
            dp4 o0.z, c2, i0
            dp4 o0.w, c3, i0 <- end
        "#]],
    );
}

#[test]
fn arrays_with_addresses_come_first_and_alone() {
    vertex(
        "PARAM one = {1, 2, 3, 4};\nPARAM bones[] = { program.env[0..5], {7, 8, 9, 1} };\nADDRESS A;\nTEMP t;
ARL A.x, vertex.attrib[1].x;\nMUL t, bones[A.x + 1], one;\nMAD t, bones[A.x + 3], bones[A.x+3].yyyy, t;\nADD t, t, bones[A.x - 2];
ADD result.position, t, bones[6].w;\nMAD result.color, one, bones[0], 0.25;",
        &expect![[r#"
            c6 = [7.0, 8.0, 9.0, 1.0]
            c7 = [1.0, 2.0, 3.0, 4.0]
            c8 = [0.25, 0.0, 0.0, 0.0]
            arl a0.x, i1.x
            mov r0, c0[a0.x + 1]
            mul r0, r0, c7
            mad r0, c0[a0.x + 3], c0[a0.x + 3].y, r0
            add r0, r0, c0[a0.x - 2]
            add o0, r0, 1
            mad o1, c7, c0, c8.x <- end
        "#]],
    );
}

#[test]
fn a_depth_is_exported_at_the_end() {
    fragment(
        "MOV result.depth, fragment.position;\nMOV result.color, 1;",
        &expect![[r#"
            c0 = [1.0, 0.0, 0.0, 0.0]
            mov_sat r0.z, i0.z
            mov o1, c0.x
            zxp r0.z <- end
        "#]],
    );
}

#[test]
fn fog_is_mixed_in_at_the_end() {
    fragment(
        "OPTION ARB_fog_exp2;\nMUL result.color, fragment.color, 2;\nKIL fragment.color;",
        &expect![[r#"
            mul_sat r0, i1, 2
            kil i1
            mul r1.x, c0.x, i5.x
            mul r1.x, r1.x, 1.2011224
            mul r1.x, r1.x, r1.x
            ex2_sat r1.x, -r1.x
            mov o1.w, r0.w
            add r2.x, -r1.x, 1
            mul r2.xyz, r2.x, c1
            mad o1.xyz, r1.x, r0, r2 <- end
        "#]],
    );
    fragment(
        "OPTION ARB_fog_linear;\nMOV result.color, fragment.color;",
        &expect![[r#"
            mov_sat r0, i1
            add r1.x, c0.z, -i5.x
            mul_sat r1.x, r1.x, c0.w
            mov o1.w, r0.w
            add r2.x, -r1.x, 1
            mul r2.xyz, r2.x, c1
            mad o1.xyz, r1.x, r0, r2 <- end
        "#]],
    );
}

#[test]
fn fog_is_mixed_into_the_first_of_several_colours() {
    fragment(
        "OPTION ARB_fog_linear;\nOPTION ATI_draw_buffers;
MOV result.color[0], fragment.color;\nMOV result.color[1], fragment.color;\nMOV result.color[7].y, 2;",
        &expect![[r#"
            c2 = [2.0, 0.0, 0.0, 0.0]
            mov_sat r0, i1
            mov o2, i1
            mov o8.y, c2.x
            add r1.x, c0.z, -i5.x
            mul_sat r1.x, r1.x, c0.w
            mov o1.w, r0.w
            add r2.x, -r1.x, 1
            mul r2.xyz, r2.x, c1
            mad o1.xyz, r1.x, r0, r2 <- end
        "#]],
    );
}

#[test]
fn windows_are_counted_as_options_say() {
    fragment(
        "OPTION ARB_fragment_coord_origin_upper_left;\nOPTION ARB_fragment_coord_pixel_center_integer;
MUL result.color, fragment.position, 0.01;",
        &expect![[r#"
            mov r0.xzw, i0
            add r0.y, c0.y, -i0.y
            add r0.xy, r0, -0.5
            mul o1, r0, 0.01 <- end
        "#]],
    );
}
