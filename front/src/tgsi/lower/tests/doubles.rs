//! Doubles.

use expect_test::expect;

use super::super::super::Dialect;
use super::fragment;

#[test]
fn pairs_are_taken_as_they_are_and_words_of_the_text_put_together() {
    fragment(
        Dialect::T23,
        "DADD TEMP[0], CONST[0].zwxy, -CONST[1]\nDMAD TEMP[1].zw, TEMP[0].xyxy, IMM[1].xyyz, CONST[1]\nDLDEXP OUT[0].zw, TEMP[1], IMM[1].xxyy",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            c2 = [0.0, 1e-45, 1e-45, 3e-45]
            .extended fragment
            dadd r0.xy, c0.zwzw, -c1.xyxy
            dmad r0.zw, r0.xyxy, c2.zwzw, c1.zwzw
            dldexp o1.zw, r0.zwzw, c2.y <- end
        "#]],
    );
}

#[test]
fn signs_are_in_the_high_words() {
    fragment(
        Dialect::T23,
        "DNEG TEMP[0].xy, |CONST[0].zwzw|\nDABS TEMP[1], -CONST[1]\nDMUL OUT[0].xy, TEMP[0], TEMP[1].zwzw",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            .extended fragment
            mov r0.x, c0.z
            mov r0.y, -|c0.w|
            mov r0.z, c1.z
            mov r0.w, |c1.w|
            dmul o1.xy, r0.xyxy, r0.zwzw <- end
        "#]],
    );
}

#[test]
fn comparisons_and_conversions_give_one_component_for_each_pair() {
    fragment(
        Dialect::T23,
        "DSLT TEMP[0].yw, CONST[0], CONST[1].xyxy\nDSEQ TEMP[0].x, CONST[0].zwzw, CONST[1]\nD2I TEMP[0].z, CONST[1]\nMOV OUT[0], TEMP[0]",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            .extended fragment
            dslt r0, c0, c1.xyxy
            mov o1.y, r0.x
            mov o1.w, r0.z
            dseq r0.xy, c0.zwzw, c1.xyxy
            mov o1.x, r0.x
            d2i o1.z, c1.xyxy <- end
        "#]],
    );
}

#[test]
fn mantissas_and_exponents_are_two_results() {
    fragment(
        Dialect::T23,
        "DFRACEXP TEMP[0].zw, TEMP[1].x, CONST[0]\nDFRACEXP TEMP[2].xy, TEMP[1].y, CONST[1]\nI2D TEMP[2].zw, TEMP[1].xyyy\nDADD TEMP[0].xy, TEMP[0].zwzw, TEMP[2]\nDADD OUT[0].xy, TEMP[0], TEMP[2].zwzw\nF2D OUT[0].zw, IN[0].xxxx",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            .extended fragment
            dfrexpm r0.zw, c0.zwzw
            dfrexpe r0.y, c1.xyxy
            dfrexpm r1.xy, c1.xyxy
            i2d r1.zw, r0.y
            dadd r0.xy, r0.zwzw, r1.xyxy
            dadd o1.xy, r0.xyxy, r1.zwzw
            f2d o1.zw, i10.x <- end
        "#]],
    );
}
