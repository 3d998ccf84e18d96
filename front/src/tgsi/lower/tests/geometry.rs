//! Geometry programs.

use expect_test::expect;

use super::{refuses, whole};

const TRIANGLES: &str = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 4
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[7]
DCL SV[0], INVOCATIONID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL TEMP[0]
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 2, 3}
";

#[test]
fn inputs_of_vertices_are_attributes() {
    let text = format!(
        "{TRIANGLES}UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[0], IN[ADDR[0].x+1][0]\nADD OUT[1].xy, IN[2][1], -IN[0][1].yxxx\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND"
    );
    whole(
        &text,
        &expect![[r#"
        c0 = [3e-45, 0.0, 0.0, 0.0]
        .extended geometry
        addi r0.x, i1.x, 1
        lda o0, r0.x, t0
        lda r0.xy, c0.x, t22
        lda r1.xy, c0.y, t22
        add o10.xy, r0, -r1.yxxx
        emit s0
        endprim s0 <- end
    "#]],
    );
}

#[test]
fn every_vertex_has_the_outputs_as_they_are_when_it_is_emitted() {
    // The first write of OUT[0] is needed, and the second does not come before EMIT. OUT[1] is read.
    let text = format!(
        "{TRIANGLES}MOV OUT[0], IN[0][0]\nMOV OUT[1], IMM[0].yyyy\nEMIT IMM[0].xxxx\nMOV TEMP[0], IN[1][0]\nADD OUT[1].x, OUT[1], OUT[1]\nMOV OUT[0], IMM[0].xxxx\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].wwww\nENDPRIM IMM[0].wwww\nEND"
    );
    whole(
        &text,
        &expect![[r#"
            c0 = [0.0, 1e-45, 0.0, 0.0]
            .extended geometry
            lda o0, c0.x, t0
            mov r0, c0.y
            mov o10, r0
            emit s0
            lda o0, c0.y, t0
            add r0.x, r0.x, r0.x
            mov o10, r0
            emit s3
            endprim s3 <- end
        "#]],
    );
}

#[test]
fn streams_are_immediates() {
    refuses(
        &format!("{TRIANGLES}EMIT SV[0].xxxx\nEND"),
        &expect!["13:1: error: the stream is an immediate from 0 to 3"],
    );
}
