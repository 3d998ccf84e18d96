//! Mistakes in instructions and their operands.

use expect_test::expect;

use super::{rejects, rejects_fragment};

#[test]
fn opcodes_have_names_and_suffixes() {
    rejects_fragment(
        "MVO OUT[0], IN[0]
MOV_SATT OUT[0], IN[0]
MOV_SAT_SAT OUT[0], IN[0]
MOV_FOO OUT[0], IN[0]
KILL.x
MOV.xy OUT[0], IN[0]
KILL_SAT
F2I_SAT TEMP[0], IN[0]
12 MOV OUT[0], IN[0]
* 3
ADD :3
MOV OUT[0], IN[0] :3
Xyzzyxyzzy OUT[0]",
        expect![[r#"
            9:1: error: unknown opcode `MVO` (did you mean `MOV`?)
            10:1: error: unknown opcode `MOV_SATT` (did you mean `MOV_SAT`?)
            11:1: error: unknown opcode `MOV_SAT_SAT` (`_SAT` stands there twice)
            12:1: error: unknown opcode `MOV_FOO` (the suffixes are `_SAT`, `_SATNV` and `_PRECISE`)
            13:5: error: KILL has no result to mask
            14:4: error: a write mask stands after a register (as in `MOV OUT[0].xy`)
            15:1: error: KILL has no float as its result to clamp
            16:1: error: F2I has no float as its result to clamp
            17:4: error: expected `:`, found `MOV`
            19:1: error: ADD takes 3 operands, not 0 (a result and 2 sources)
            19:6: error: ADD leads to no instruction
            20:20: error: MOV leads to no instruction
            21:1: error: unknown opcode `Xyzzyxyzzy`"#]],
    );
}

#[test]
fn opcodes_have_as_many_operands_as_they_take() {
    rejects_fragment(
        "MOV OUT[0]
MOV
MAD OUT[0], IN[0], IN[0], IN[0], IN[0]
ADD OUT[0], 2D, IN[0]
MOV OUT, IN[0]
KILL IN[0]
TEX OUT[0], IN[0], SAMP[0]
TEX OUT[0], IN[0], 2D
TEX OUT[0], IN[0], SAMP[0], IN[0]
TEX OUT[0], IN[0], SAMP[0], 4D
MOV OUT[0], IN[0], IN[0].xyz
MOV OUT[0] IN[0]
MOV OUT[0], IN[0],
MOV OUT[0], |IN[0].xxxx",
        expect![[r#"
            9:1: error: MOV takes 2 operands, not 1 (a result and a source)
            10:1: error: MOV takes 2 operands, not 0 (a result and a source)
            11:34: error: MAD takes 4 operands, not 5 (a result and 3 sources)
            12:13: error: expected a register, found `2D`
            13:5: error: expected a register, found `OUT` (as in `OUT[0]`)
            14:6: error: KILL takes no operands
            15:1: error: the texture target of TEX is missing (as in `TEX OUT[0], IN[0], SAMP[0], 2D`)
            16:1: error: TEX takes 4 operands, not 3 (a result, 2 sources and a texture target)
            17:29: error: expected a texture target, found a register
            18:29: error: `4D` is not a texture target (did you mean `1D`?)
            19:20: error: MOV takes 2 operands, not 3 (a result and a source)
            20:12: error: expected `,`, or the next statement, found `IN`
            22:1: error: expected an operand, found `MOV`
            23:1: error: expected `|`, found `END`"#]],
    );
}

#[test]
fn registers_have_to_be_declared() {
    rejects_fragment(
        "MOV OUT[0], TEMP[4]
MOV OUT[0], TEMP[4]
MOV OUT[1], IN[1]
MOV OUT[0], CONST[8]
MOV OUT[0], CONST[1][0]
MOV OUT[0], CONST[32][0]
MOV OUT[0], CONST[ADDR[1].x]
MOV OUT[0], CONST[2][ADDR[0].x]
MOV OUT[0], IMM[1]
MOV OUT[0], TEMP[ADDR[0].x](3)
MOV OUT[0], SV[0]
MOV OUT[0], TEMP[4294967295]
MOV OUT[0], TEMP[4294967296]
MOV OUT[0], CONST[ADDR[0].x+99999999999]
TEX OUT[0], IN[0], SAMP[1], 2D",
        expect![[r#"
            9:13: error: `TEMP[4]` is not declared (the text declares TEMP[0..3])
            11:5: error: `OUT[1]` is not declared (the text declares OUT[0])
            11:13: error: `IN[1]` is not declared (the text declares IN[0])
            12:13: error: `CONST[8]` is not declared (the text declares CONST[0..7])
            13:13: error: `CONST[1][0]` is not declared (write `DCL CONST[1][0]`)
            14:18: error: there are 32 constant buffers
            15:19: error: `ADDR[1]` is not declared (the text declares ADDR[0])
            16:13: error: no register of `CONST[2]` is declared
            17:13: error: `IMM[1]` is not declared (the last one is `IMM[0]`)
            18:29: error: array 3 of TEMP is not declared
            19:13: error: `SV[0]` is not declared (write `DCL SV[0]`)
            20:17: error: the index is too large
            21:18: error: `4294967296` is too large
            22:29: error: `99999999999` is too large
            23:20: error: `SAMP[1]` is not declared (the text declares SAMP[0])"#]],
    );
}

#[test]
fn files_have_their_use() {
    rejects_fragment(
        "MOV IN[0], TEMP[0]
MOV CONST[0], TEMP[0]
MOV IMM[0], TEMP[0]
MOV SAMP[0], TEMP[0]
MOV OUT[0], SAMP[0]
MOV OUT[0], NULL[0]
TEX OUT[0], IN[0], TEMP[0], 2D
TEX OUT[0], IN[0], -SAMP[0], 2D
TEX OUT[0], IN[0], SAMP[0].x, 2D
MUL ADDR[0], IN[0], IN[0]
MOV -OUT[0], IN[0]
MOV OUT[0], ADDR[ADDR[0].x]
MOV OUT[0], TEMP[0][1]
MOV OUT[0], TEMP[OUT[0].x]
(TEMP[0]) MOV OUT[0], IN[0]
(PRED[0]) MOV OUT[0], IN[0]
(PRED[0]) KILL
INTERP_CENTROID OUT[0], TEMP[0]",
        expect![[r#"
            9:5: error: IN cannot be written
            10:5: error: CONST cannot be written
            11:5: error: IMM cannot be written
            12:5: error: SAMP cannot be written
            13:13: error: SAMP has no values to read here
            14:13: error: NULL has no values to read here
            15:20: error: expected a register of SAMP, found one of TEMP
            16:20: error: registers of SAMP have no sign
            17:28: error: registers of SAMP have no components
            18:5: error: an address register holds integers (write it with ARL, ARR or UARL)
            19:5: error: a result has no sign
            20:13: error: registers of ADDR have fixed numbers
            21:20: error: registers of TEMP have one index
            22:18: error: registers of OUT cannot be addresses
            23:2: error: a guard is a register of PRED, not of TEMP
            23:11: warning: this is of dialect T7, but other words of the text are newer (the text is taken for T23; the dialect can be chosen)
            24:2: error: `PRED[0]` is not declared (write `DCL PRED[0]`)
            25:2: error: KILL has no result to guard
            26:25: error: INTERP_CENTROID interpolates an input"#]],
    );
}

#[test]
fn components_are_those_of_a_vector() {
    rejects_fragment(
        "MOV OUT[0].wx, IN[0]
MOV OUT[0].xx, IN[0]
MOV OUT[0].xyzwx, IN[0]
MOV OUT[0].rgba, IN[0]
MOV OUT[0]., IN[0]
MOV OUT[0], IN[0].xyzq
MOV OUT[0], CONST[ADDR[0].xy]
MOV OUT[0], CONST[ADDR[0].q]",
        expect![[r#"
            9:12: error: `wx` is not a write mask: its components are out of order (write `.xw`)
            10:12: error: `xx` is not a write mask: its components are out of order (write `.x`)
            11:12: error: `xyzwx` is not a write mask (there may be up to four of `xyzw`)
            12:12: error: `rgba` is not a write mask (there may be up to four of `xyzw`)
            13:11: error: no components stand after the point (there may be up to four of `xyzw`)
            14:19: error: `xyzq` is not a swizzle (there may be up to four of `xyzw`)
            15:27: error: an address is one component
            16:27: error: `q` is not a component (there may be up to four of `xyzw`)"#]],
    );
}

#[test]
fn halves_of_doubles_stay_together() {
    rejects_fragment(
        "DADD TEMP[0].x, TEMP[0].xyxy, TEMP[0].zwzw
DADD TEMP[0].yz, TEMP[0].xyxy, TEMP[0].zwzw
DADD TEMP[0].xy, TEMP[0].xzxz, TEMP[0].yxyx
DADD TEMP[0].xy, TEMP[0].xyzz, TEMP[0].xyxy
DADD TEMP[0].zw, TEMP[0].xyzz, TEMP[0].xyxy
D2F OUT[0], TEMP[0].xxxx
DADD_SAT TEMP[0].xy, TEMP[0].xyxy, TEMP[0].xyxy",
        expect![[r#"
            9:14: error: `.x` is half a double: doubles are written to xy, zw or both
            10:14: error: `.yz` is half a double: doubles are written to xy, zw or both
            11:26: error: `xz` is not a double: those are xy and zw
            11:40: error: `yx` is not a double: those are xy and zw
            13:26: error: `zz` is not a double: those are xy and zw
            14:21: error: `xx` is not a double: those are xy and zw
            15:1: error: DADD has no float as its result to clamp"#]],
    );
}

#[test]
fn targets_fit_views_and_instructions() {
    rejects(
        "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..3]
DCL SVIEW[0], CUBE, FLOAT
DCL SVIEW[1], 2D, FLOAT
TEX OUT[0], IN[0], SAMP[0], 2D
TXF OUT[0], IN[0], SAMP[0], CUBE
TXB OUT[0], IN[0], SAMP[2], CUBEARRAY
TEX OUT[0], IN[0], SAMP[2], BUFFER
TEX OUT[0], IN[0], SAMP[2], UNKNOWN
TEX OUT[0], IN[0], SAMP[0], CUBE, IN[0].xyz
TEX OUT[0], IN[0], SAMP[1], 2D, IN[0].xyz, IN[0].xyz
TEX OUT[0], IN[0], SAMP[1], 2D, -IN[0].xyz
SAMPLE OUT[0], IN[0], SVIEW[2], SAMP[0]
SAMPLE OUT[0], IN[0], SAMP[0], SVIEW[1]
TXQS OUT[0], SAMP[1], 2D
END",
        expect![[r#"
            7:29: error: the target is 2D, but `SVIEW[0]` is CUBE
            8:29: error: TXF does not work with CUBE
            9:29: error: TXB does not work with CUBEARRAY
            10:29: error: TEX does not work with BUFFER
            11:29: error: the shape of the texture is not known (declare its view, as in `DCL SVIEW[0], 2D, FLOAT`)
            12:35: error: TEX has no offsets with CUBE
            13:44: error: TEX has one offset
            14:33: error: an offset has no sign
            15:23: error: `SVIEW[2]` is not declared (the text declares SVIEW[0] and SVIEW[1])
            16:23: error: expected a register of SVIEW, found one of SAMP
            16:32: error: expected a register of SAMP, found one of SVIEW
            17:23: error: TXQS does not work with 2D"#]],
    );
}

#[test]
fn instructions_stand_in_programs_of_their_kind() {
    rejects(
        "VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
EMIT
ENDPRIM
KILL_IF IN[0]
INTERP_CENTROID OUT[0], IN[0]
END",
        expect![[r#"
            5:1: error: EMIT stands in geometry programs only
            6:1: error: ENDPRIM stands in geometry programs only
            7:1: error: KILL_IF drops fragments; a vertex program has none
            8:1: error: INTERP_CENTROID stands in fragment programs only"#]],
    );
}

#[test]
fn inputs_of_geometry_programs_belong_to_vertices() {
    rejects(
        "GEOM
PROPERTY GS_INPUT_PRIMITIVE LINES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL IN[1], PRIM_ID
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
MOV OUT[0], IN[2][0]
MOV OUT[0], IN[0][1]
MOV OUT[0], IN[0][2]
MOV OUT[0][0], IN[0][0]
END",
        expect![[r#"
            8:13: error: `IN[0]` needs the number of a vertex (as in `IN[0][0]`)
            9:15: error: the primitive has no vertex 2; it has 2
            10:13: error: `IN[1]` is not an input of vertices (write it without the number of a vertex)
            11:13: error: `IN[2]` is not declared (the text declares IN[0] and IN[1])
            12:11: error: registers of OUT have one index"#]],
    );
}

#[test]
fn buffers_have_fixed_numbers() {
    rejects(
        "COMP
DCL BUFFER[0]
DCL ADDR[0]
DCL TEMP[0]
LOAD TEMP[0], BUFFER[ADDR[0].x], TEMP[0]
LOAD TEMP[0], BUFFER[1], TEMP[0]
LOAD TEMP[0], TEMP[0], TEMP[0]
STORE TEMP[0], TEMP[0], TEMP[0]
STORE BUFFER[0].yx, TEMP[0], TEMP[0]
LOAD TEMP[0], BUFFER[0], TEMP[0], FAST
MOV TEMP[0], BUFFER[0]
END",
        expect![[r#"
            5:15: error: buffers have fixed numbers
            6:15: error: `BUFFER[1]` is not declared (the text declares BUFFER[0])
            7:15: error: expected a register of BUFFER, found one of TEMP
            8:7: error: expected a register of BUFFER, found one of TEMP
            9:17: error: `yx` is not a write mask: its components are out of order (write `.xy`)
            10:35: error: LOAD takes 3 operands, not 4 (a result and 2 sources)
            11:14: error: BUFFER has no values to read here"#]],
    );
}
