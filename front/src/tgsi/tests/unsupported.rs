//! Valid texts that are not supported.

use expect_test::expect;

use super::rejects;

#[test]
fn tessellation_is_refused() {
    rejects(
        "TESS_CTRL\nDCL IN[][0], POSITION\nEND",
        expect!["1:1: error: `TESS_CTRL` is not supported: there are no tessellation stages"],
    );
    rejects(
        "# text\nTESS_EVAL\nEND",
        expect!["2:1: error: `TESS_EVAL` is not supported: there are no tessellation stages"],
    );
}

#[test]
fn inputs_and_outputs_that_no_stage_has_are_refused_where_they_are_declared() {
    rejects(
        "FRAG
DCL SV[0], SUBGROUP_SIZE
DCL IN[0], THREAD_ID
DCL IN[1], GENERIC[40], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], GENERIC[1]
DCL OUT[2], VIEWPORT_MASK
ADD OUT[0], SV[0], IN[0]
MOV OUT[1], IN[1]
END",
        expect![[r#"
            2:1: error: `SUBGROUP_SIZE` is not supported: threads exchange no values
            3:1: error: a fragment program has no input `THREAD_ID`
            4:1: error: a fragment program has no input `GENERIC[40]`
            6:1: error: a fragment program has no output `GENERIC[1]`"#]],
    );
}

#[test]
fn words_of_later_and_earlier_printers_are_refused_by_name() {
    rejects(
        "FRAG
DCL HWATOMIC[0][0..1]
DCL TEMP16[0]
IMM[0] FLT16 { 1, 2, 3, 4 }
END",
        expect![[r#"
            2:1: error: `HWATOMIC` is not supported: there are no counters in hardware
            3:1: error: `TEMP16` is not supported: registers and numbers have 32 bits
            4:8: error: `FLT16` is not supported: registers and numbers have 32 bits"#]],
    );
    rejects(
        "FRAG
DCL LOOP[0]
DCL TEMP[0]
BGNFOR LOOP[0]
M4X4 TEMP[0], TEMP[0], TEMP[0]
ENDFOR
END",
        expect![[r#"
            2:1: error: `LOOP` is not supported: loops begin with BGNLOOP and count in registers of TEMP
            5:1: error: `M4X4` is not supported: products of matrices are written with DP3 and DP4"#]],
    );
    rejects(
        "MESH\nEND",
        expect!["1:1: error: `MESH` is not supported: there are no mesh stages"],
    );
}

#[test]
fn unsupported_parts_are_refused_once_by_name() {
    rejects(
        "COMP
DCL MEMORY[0], SHARED
DCL IMAGE[0], 2D, PIPE_FORMAT_R32_FLOAT, WR
DCL RES[0], BUFFER, RAW, WR
DCL HW_ATOMIC[0]
DCL CONSTBUF[0]
DCL TEMP[0]
IMM[0] UINT64 { 1, 2 }
STORE MEMORY[0].x, TEMP[0], TEMP[0]
LOAD TEMP[0], IMAGE[0], TEMP[0], 2D, PIPE_FORMAT_R32_FLOAT
BARRIER
BARRIER
MEMBAR TEMP[0]
MFENCE TEMP[0]
U64ADD TEMP[0], IMM[0], IMM[0]
I64NEG TEMP[0], IMM[0]
ATOMFADD TEMP[0], TEMP[0], TEMP[0], TEMP[0]
VOTE_ANY TEMP[0], TEMP[0]
CLOCK TEMP[0]
END",
        expect![[r#"
            2:1: error: `MEMORY` is not supported: threads of a block have no memory in common
            3:1: error: `IMAGE` is not supported: there are no images to write
            4:1: error: `RES` is not supported: only buffers are, as `BUFFER[0]`
            5:1: error: `HW_ATOMIC` is not supported: there are no counters in hardware
            6:1: error: `CONSTBUF` is not supported: constants are read as `CONST[buffer][register]`
            11:1: error: `BARRIER` is not supported: threads of a block do not run side by side
            13:1: error: `MEMBAR` is not supported: threads of a block do not run side by side
            15:1: error: `U64ADD` is not supported: there are no 64-bit integers
            17:1: error: `ATOMFADD` is not supported: there is no such atomic operation
            18:1: error: `VOTE_ANY` is not supported: threads exchange no values
            19:1: error: `CLOCK` is not supported: programs have no clock"#]],
    );
}
