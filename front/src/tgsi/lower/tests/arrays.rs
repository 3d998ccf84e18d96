//! Registers that are addressed relatively, and buffers.

use expect_test::expect;

use super::super::super::Dialect;
use super::{fragment, refuses, translated, whole};

#[test]
fn arrays_of_temporaries_are_in_scratch_memory() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
DCL TEMP[1..4], ARRAY(1), LOCAL
DCL TEMP[5..6], ARRAY(2), LOCAL
DCL ADDR[0]
ARL ADDR[0].x, IN[0].xxxx
MOV TEMP[2], IN[0]
ADD_SAT TEMP[ADDR[0].x+1](1).xy, IN[0], TEMP[5]
MUL TEMP[0], TEMP[ADDR[0].x+2](1), IN[0]
MAD OUT[0], TEMP[4], TEMP[0], TEMP[6]
END";
    whole(
        text,
        &expect![[r#"
        c0 = [0.0, 0.0, 0.0, 0.0]
        .extended fragment scratch 4
        arl r2.x, i10.x
        stt s1[1], c0.x, i10
        add r0.xy, i10, r0
        max r0.xy, r0, 0
        min r0.xy, r0, 1
        stt s0[4].xy, r2.x, r0
        addi r0.x, r2.x, 1
        ldt r0, s0[4][r0.x]
        mul r0, r0, i10
        ldt r2, s3[1][c0.x]
        mad o1, r2, r0, r1 <- end
    "#]],
    );
}

#[test]
fn a_file_without_numbered_arrays_is_one() {
    fragment(
        Dialect::T10,
        "ARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x-1].yz, IN[1]\nMOV OUT[0], TEMP[3]",
        &expect![[r#"
            c0 = [0.0, 0.0, 0.0, 0.0]
            .extended fragment scratch 4
            arl r0.x, i10.x
            addi r0.x, r0.x, 0xffffffff
            stt s0[4].yz, r0.x, i1
            ldt o1, s3[1][c0.x] <- end
        "#]],
    );
}

#[test]
fn inputs_and_outputs_are_copied_at_the_ends() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1..3], ARRAY(1), GENERIC[1], PERSPECTIVE
DCL OUT[0..1], ARRAY(2), COLOR
DCL ADDR[0]
ARL ADDR[0].x, IN[0].xxxx
ADD OUT[ADDR[0].x](2), IN[ADDR[0].x+1](1), IN[2]
MOV OUT[1].x, IN[0]
END";
    whole(
        text,
        &expect![[r#"
        c0 = [0.0, 0.0, 0.0, 0.0]
        .extended fragment scratch 5
        stt s2[1], c0.x, i11
        stt s3[1], c0.x, i12
        stt s4[1], c0.x, i13
        arl r0.x, i10.x
        ldt r1, s2[3][r0.x]
        add r1, r1, i12
        stt s0[2], r0.x, r1
        stt s1[1].x, c0.x, i10.x
        ldt o1, s0[1][c0.x]
        ldt o2, s1[1][c0.x] <- end
    "#]],
    );
}

#[test]
fn guards_hold_for_vectors_of_arrays() {
    let text = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..3]
DCL PRED[0]
DCL ADDR[0]
ARL ADDR[0].x, IN[0].xxxx
SLT PRED[0].x, IN[0], IN[0].yyyy
(PRED[0].xxxx) MOV TEMP[ADDR[0].x], IN[0]
MOV OUT[0], TEMP[1]
END";
    whole(
        text,
        &expect![[r#"
        c0 = [0.0, 0.0, 0.0, 0.0]
        .extended fragment scratch 4
        arl r0.x, i10.x
        slt r1.x, i10.x, i10.y
        stpeqi p0, r1.x, 0
        (!p0) stt s0[4], r0.x, i10
        ldt o1, s1[1][c0.x] <- end
    "#]],
    );
}

const BUFFERS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
DCL ADDR[0]
";

#[test]
fn buffers_that_do_not_fit_are_loaded() {
    let text = format!(
        "{BUFFERS}DCL CONST[0][0..1]\nDCL CONST[2][0..600]\nARL ADDR[0].x, IN[0].xxxx\nADD TEMP[0], CONST[2][ADDR[0].x-3], CONST[2][599]\nADD OUT[0], TEMP[0], CONST[0][1]\nEND"
    );
    whole(
        &text,
        &expect![[r#"
        c0 = CONST[0][1]
        c1 = [8.4e-43, 0.0, 0.0, 0.0]
        .extended fragment
        arl r0.x, i10.x
        addi r0.x, r0.x, 0xfffffffd
        ldc r0, r0.x, b2
        ldc r1, c1.x, b2
        add r0, r0, r1
        add o1, r0, c0 <- end
    "#]],
    );
    let details = translated(&text, Dialect::T23).details;
    assert_eq!(details.loaded, [2].into());
    let text = format!(
        "{BUFFERS}DCL CONST[32][0..600]\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], CONST[32][ADDR[0].x]\nEND"
    );
    refuses(
        &text,
        &expect![[r#"
        6:10: error: the first index of CONST is one number below 32
        8:18: error: there are 32 constant buffers"#]],
    );
}

#[test]
fn a_buffer_that_an_address_chooses_is_one_of_all() {
    let text = format!(
        "{BUFFERS}DCL CONST[0][0..1]\nDCL CONST[3][0..1]\nARL ADDR[0].xy, IN[0]\nMOV OUT[0], CONST[ADDR[0].x+1][ADDR[0].y]\nEND"
    );
    whole(
        &text,
        &expect![[r#"
        c0 = CONST[0][0]
        c1 = CONST[0][1]
        c2 = CONST[3][0]
        c3 = CONST[3][1]
        .extended fragment
        arl r1.xy, i10
        addi r1.x, r1.x, 1
        ldc r2, r1.y, b0
        useq r3.x, r1.x, 0
        sel r0, r3.x, r2, r0
        ldc r2, r1.y, b3
        useq r1.x, r1.x, 3
        sel o1, r1.x, r2, r0 <- end
    "#]],
    );
}

#[test]
fn arrays_have_a_limit() {
    let text = format!(
        "{BUFFERS}DCL TEMP[1..4097], ARRAY(1), LOCAL\nARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[ADDR[0].x+1](1)\nEND"
    );
    refuses(
        &text,
        &expect!["6:9: error: `TEMP[4097]` is beyond the limit of 4096 temporaries"],
    );
}
