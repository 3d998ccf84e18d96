//! Lookups of textures.

use expect_test::expect;

use super::super::super::{Dialect, Target, TextureUse};
use super::{fragment, refuses, translated, whole};

#[test]
fn shapes_of_the_base_profile_need_no_extended_instruction() {
    fragment(
        Dialect::T23,
        "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXB TEMP[1], IN[0], SAMP[1], SHADOWRECT\nTXP TEMP[2], IN[0], SAMP[2], 3D\nADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0], TEMP[0], TEMP[2]",
        &expect![[r#"
            tex r0, i10, t0
            txb r1, i10, t1
            txp r2, i10, t2
            add r0, r0, r1
            add o1, r0, r2 <- end
        "#]],
    );
}

#[test]
fn other_lookups_name_their_target() {
    fragment(
        Dialect::T23,
        "TEX TEMP[0], IN[0], SAMP[0], 2D_ARRAY\nTXB_SAT TEMP[1], IN[0], SAMP[1], 1D_ARRAY\nTXL TEMP[2], IN[0].xyzx, SAMP[2], 2D, IMM[1].yzx\nADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0], TEMP[0], TEMP[2]",
        &expect![[r#"
            c0 = [0.0, 1e-45, 3e-45, 0.0]
            .extended fragment
            xtex r0, i10, t0.2d_array
            xtxb r1, i10, i10.w, t1.1d_array
            max r1, r1, 0
            min r1, r1, 1
            xtxl_o r2, i10.xyyx, i10.x, c0.yzxx, t2.2d
            add r0, r0, r1
            add o1, r0, r2 <- end
        "#]],
    );
    fragment(
        Dialect::T23,
        "TEX_LZ TEMP[0], IN[0], SAMP[0], SHADOWCUBE\nTEX2 TEMP[1], IN[0], CONST[0].yyyy, SAMP[1], SHADOWCUBEARRAY\nTXL2 TEMP[2], IN[0], CONST[1].xxxx, SAMP[2], CUBEARRAY\nADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0], TEMP[0], TEMP[2]",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            .extended fragment
            xtex_lz r0, i10, t0.shadow_cube
            xtex r1, i10, c0.y, t1.shadow_cube_array
            xtxl r2, i10, c1.x, t2.cube_array
            add r0, r0, r1
            add o1, r0, r2 <- end
        "#]],
    );
}

#[test]
fn derivatives_are_in_temporaries_that_follow_each_other() {
    fragment(
        Dialect::T23,
        "MOV TEMP[0], IN[0]\nMOV TEMP[2], IN[1]\nTXD TEMP[1], IN[0], TEMP[2], TEMP[0], SAMP[0], 2D\nTXD TEMP[3], TEMP[1], CONST[0], -IN[1], SAMP[0], 2D\nADD OUT[0], TEMP[1], TEMP[3]",
        &expect![[r#"
            c0 = CONST[0][0]
            .extended fragment
            mov r1.xyz, i10
            mov r0.xyz, i1
            xtxd r0, i10, r0, t0.2d
            mov r1.xyz, c0
            mov r2.xyz, -i1
            xtxd r1, r0, r1, t0.2d
            add o1, r0, r1 <- end
        "#]],
    );
}

#[test]
fn texels_are_fetched_gathered_and_counted() {
    fragment(
        Dialect::T23,
        "TXF TEMP[0], IMM[1], SAMP[0], 2D, IMM[1].yyy\nTXF_LZ TEMP[1], -IN[0], SAMP[1], 1D\nTXQ TEMP[2].xw, IMM[1].yyyy, SAMP[2], 2D\nTXQS TEMP[2].y, SAMP[3], 2D_MSAA\nADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0].xyw, TEMP[0], TEMP[2]",
        &expect![[r#"
            c0 = [0.0, 1e-45, 4e-45, 0.0]
            .extended fragment
            txf_o r0.xyw, c0.xyyz, c0.y, t0.2d
            addi r1.x, -i10.x, 0
            addi r1.w, c0.x, 0
            txf r1.xyw, r1.xxxw, t1.1d
            txq r2.xw, c0.y, t2.2d
            txqs r2.y, t3.2dms
            add r0.xyw, r0, r1
            add o1.xyw, r0, r2 <- end
        "#]],
    );
    fragment(
        Dialect::T23,
        "TG4 TEMP[0], IN[0], IMM[1].zzzz, SAMP[0], 2D, IMM[1].xyz\nTG4 TEMP[1].xz, IN[0], IMM[1].xxxx, SAMP[0], 2D, IMM[1].xxx, IMM[1].yyy, IMM[1].zzz, IMM[1].www\nLODQ TEMP[2].xy, IN[0], SAMP[0], 2D\nADD TEMP[0], TEMP[0], TEMP[1]\nADD OUT[0], TEMP[0], TEMP[2]",
        &expect![[r#"
            c0 = [0.0, 1e-45, 3e-45, 0.0]
            .extended fragment
            tg4_o.z r2, i10, c0, t0.2d
            tg4_o.x r3.w, i10, c0.x, t0.2d
            mov r0.x, r3.w
            tg4_o.x r3.w, i10, c0.z, t0.2d
            mov r0.z, r3.w
            lodq r1.xy, i10, t0.2d
            add r0, r2, r0
            add o1, r0, r1 <- end
        "#]],
    );
    refuses(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTG4 OUT[0], IN[0], IN[0], SAMP[0], 2D\nEND",
        &expect!["5:1: error: the gathered component is an immediate from 0 to 3"],
    );
}

#[test]
fn units_may_have_addresses() {
    fragment(
        Dialect::T10,
        "ARL ADDR[0].x, IN[0].xxxx\nTEX OUT[0], CONST[ADDR[0].x], SAMP[ADDR[0].x+1], 2D",
        &expect![[r#"
            c0 = CONST[0][0]
            c1 = CONST[0][1]
            c2 = CONST[0][2]
            c3 = CONST[0][3]
            c4 = CONST[0][4]
            c5 = CONST[0][5]
            c6 = CONST[0][6]
            c7 = CONST[0][7]
            .extended fragment
            arl a0.x, i10.x
            mov r0.xyw, c0[a0.x]
            xtex o1, r0.xyyw, t1[a0.x].2d <- end
        "#]],
    );
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[1..3]\nDCL ADDR[0]\nARL ADDR[0].x, IN[0].xxxx\nTEX OUT[0], IN[0], SAMP[ADDR[0].x-2], 2D\nEND";
    whole(
        text,
        &expect![[r#"
        .extended fragment
        arl r0.x, i10.x
        addi a0.x, r0.x, 0xfffffffe
        xtex o1, i10, t0[a0.x].2d <- end
    "#]],
    );
    let textures = translated(text, Dialect::T23).textures;
    let units: Vec<u32> = textures.iter().map(|texture| texture.unit).collect();
    assert_eq!(units, [1, 2, 3]);
}

const VIEWS: &str = "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0], 2D, FLOAT
DCL SVIEW[1], 2D_ARRAY, FLOAT
DCL TEMP[0..4]
";

#[test]
fn views_with_other_samplers_have_units_of_their_own() {
    let text = format!(
        "{VIEWS}SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0]\nSAMPLE_L TEMP[1], IN[0], SVIEW[0], SAMP[1], IN[0].wwww\nSAMPLE_C TEMP[2], IN[0], SVIEW[1], SAMP[1], IN[0].wwww\nSAMPLE_I TEMP[3], IN[0], SVIEW[1]\nADD TEMP[0], TEMP[0], TEMP[1]\nADD TEMP[2], TEMP[2], TEMP[3]\nADD OUT[0], TEMP[0], TEMP[2]\nEND"
    );
    whole(
        &text,
        &expect![[r#"
        .extended fragment
        xtex r0, i10, t0.2d
        xtxl r1, i10, i10.w, t31.2d
        xtex r2, i10, i10.w, t1.shadow_2d_array
        txf r3, i10, t1.2d_array
        add r0, r0, r1
        add r1, r2, r3
        add o1, r0, r1 <- end
    "#]],
    );
    let used = |unit, target, view, sampler| TextureUse {
        unit,
        target,
        view,
        sampler,
    };
    let expected = [
        used(0, Target::TwoD, 0, Some(0)),
        used(31, Target::TwoD, 0, Some(1)),
        used(1, Target::ShadowTwoDArray, 1, Some(1)),
        used(1, Target::TwoDArray, 1, None),
    ];
    assert_eq!(translated(&text, Dialect::T10).textures, expected);
}

#[test]
fn the_other_lookups_with_views_are_those_with_samplers() {
    let text = format!(
        "{VIEWS}SAMPLE_B TEMP[0], IN[0], SVIEW[0], SAMP[0], IN[0].xxxx\nSAMPLE_C_LZ TEMP[1].x, IN[0], SVIEW[0], SAMP[0], IN[0].xxxx\nSAMPLE_D TEMP[2], IN[0], SVIEW[0], SAMP[0], IN[0], IN[0].yyyy\nGATHER4 TEMP[3], IN[0], SVIEW[0], SAMP[0]\nSVIEWINFO TEMP[4], IN[0].yyyy, SVIEW[0]\nADD TEMP[0], TEMP[0], TEMP[1].xxxx\nADD TEMP[2], TEMP[2], TEMP[3]\nADD TEMP[0], TEMP[0], TEMP[4]\nADD OUT[0], TEMP[0], TEMP[2]\nEND"
    );
    whole(
        &text,
        &expect![[r#"
        .extended fragment
        xtxb r0, i10, i10.x, t0.2d
        xtex_lz r1.x, i10, i10.x, t0.shadow_2d
        mov r2.xyz, i10
        mov r3.xyz, i10.y
        xtxd r2, i10, r2, t0.2d
        tg4.x r3, i10, t0.2d
        txq r4, i10.y, t0.2d
        add r0, r0, r1.x
        add r1, r2, r3
        add r0, r0, r4
        add o1, r0, r1 <- end
    "#]],
    );
}

#[test]
fn vertices_look_at_level_0() {
    let text = "VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL SAMP[0]
DCL TEMP[0..2]
TEX TEMP[0], IN[0], SAMP[0], 2D_ARRAY
TXB TEMP[1], IN[0], SAMP[0], 2D
TXP TEMP[2], IN[0], SAMP[0], 2D
ADD TEMP[0], TEMP[0], TEMP[1]
ADD OUT[0], TEMP[0], TEMP[2]
END";
    whole(
        text,
        &expect![[r#"
        .extended vertex
        xtex_lz r1, i0, t0.2d_array
        xtxl r2, i0, i0.w, t0.2d
        div r0.xy, i0, i0.w
        xtex_lz r0, r0, t0.2d
        add r1, r1, r2
        add o0, r1, r0 <- end
    "#]],
    );
    refuses(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL SAMP[0]\nLODQ OUT[0], IN[0], SAMP[0], 2D\nEND",
        &expect!["5:1: error: LODQ needs derivatives, which only fragments have"],
    );
}
