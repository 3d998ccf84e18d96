//! Mistakes in declarations, immediates and properties.

use expect_test::expect;

use super::rejects;

#[test]
fn declarations_name_files_and_registers() {
    rejects(
        "FRAG
DCL TMEP[0]
DCL TEMP
DCL TEMP[]
DCL TEMP[3..1]
DCL TEMP[0][1]
DCL TEMP[4096]
DCL SAMP[32]
DCL CONST[32][0]
DCL IMM[0]
DCL NULL[0]
DCL
END",
        expect![[r#"
            2:5: error: there is no register file `TMEP` (did you mean `TEMP`?)
            4:1: error: expected `[`, found `DCL`
            4:9: error: TEMP needs the numbers of registers
            5:9: error: the range 3..1 is empty
            6:12: error: registers of TEMP have one index
            7:9: error: `TEMP[4096]` is beyond the limit of 4096 temporaries
            8:9: error: `SAMP[32]` is beyond the limit of 32 texture units
            9:10: error: the first index of CONST is one number below 32
            10:1: error: immediates are not declared (write `IMM FLT32 { 1, 2, 3, 4 }`)
            11:1: error: `NULL` is not declared
            13:1: error: expected a register, found `END`"#]],
    );
}

#[test]
fn registers_are_declared_once() {
    rejects(
        "FRAG
DCL OUT[0], COLOR
DCL OUT[0], COLOR[1]
DCL OUT[1], COLOR
DCL OUT[1].xy, COLOR
DCL TEMP[0..3]
DCL TEMP[2..5]
DCL CONST[1][0..3]
DCL CONST[1][3]
DCL CONST[2][3]
DCL SV[0], FACE
DCL SV[0], FACE
DCL TEMP[6], ARRAY(1)
DCL TEMP[7], ARRAY(1)
END",
        expect![[r#"
            3:1: error: `OUT[0]` is declared twice
            7:1: error: a register of `TEMP[2..5]` is declared twice
            9:1: error: `CONST[1][3]` is declared twice
            12:1: error: `SV[0]` is declared twice
            14:1: error: array 1 of TEMP is declared twice"#]],
    );
}

#[test]
fn words_after_registers_have_to_fit() {
    rejects(
        "FRAG
DCL IN[0], GENERIK[0], LINEAR
DCL IN[1], GENERIC[0], LINAER
DCL IN[2], LINEAR
DCL IN[3], GENERIC, LINEAR[2]
DCL OUT[0], COLOR, STREAM(0, 1)
DCL OUT[1], COLOR[1], ARRAY
DCL TEMP[0], LOCL
DCL CONST[0], LINEAR
DCL SAMP[0].x
DCL SVIEW[0], FLOAT
DCL SVIEW[1], 2D, FLOT
DCL SVIEW[2], 2D
DCL SVIEW[3], 2D, FLOAT, FLOAT
DCL SVIEW[4]
DCL SV[0]
DCL IN[4].yx, GENERIC[3]
DCL IN[4].q, GENERIC[3]
DCL IN[4]., GENERIC[3]
DCL IN[5][0], GENERIC[4]
END",
        expect![[r#"
            2:12: error: unknown attribute `GENERIK` (did you mean `GENERIC`?)
            3:24: error: unknown attribute `LINAER` (did you mean `LINEAR`?)
            4:1: error: `IN[2]` has no semantic (add one, as in `, GENERIC[0]`)
            5:28: error: `LINEAR` takes no number
            6:20: error: there are four streams, from 0 to 3 (as in `STREAM(0, 0, 1, 1)`)
            7:23: error: an array has one number (as in `ARRAY(1)`)
            8:14: error: `LOCL` does not belong to registers of TEMP (did you mean `LOCAL`?)
            9:15: error: `LINEAR` does not belong to registers of CONST
            10:13: error: registers of SAMP have no components to choose
            11:15: error: `FLOAT` is not a texture target
            12:19: error: `FLOT` is not a type of texels (did you mean `FLOAT`?)
            13:1: error: a view has 1 or 4 types, not 0
            14:1: error: a view has 1 or 4 types, not 2
            15:1: error: the view has no target (as in `DCL SVIEW[0], 2D, FLOAT`)
            16:1: error: `SV[0]` has no semantic (add one, as in `, INSTANCEID`)
            17:11: error: `yx` is not a write mask: its components are out of order (write `.xy`)
            18:11: error: `q` is not a write mask (there may be up to four of `xyzw`)
            19:10: error: no components stand after the point (there may be up to four of `xyzw`)
            20:10: error: registers of IN have one index in a fragment program"#]],
    );
}

#[test]
fn immediates_are_counted_and_whole() {
    rejects(
        "FRAG
IMM[0] FLT32 { 1, 2, 3 }
IMM[1] FLT23 { 1, 2, 3, 4 }
IMM[2] UINT32 { -1, 0, 0, 0 }
IMM[3] UINT32 { 4294967296, 0, 0, 0 }
IMM[4] INT32 { 1.5, 0, 0, 0 }
IMM[5] FLT64 { 1, 2, 3, 4 }
IMM[6] FLT32 { 0x100000000, 0, 0, 0 }
IMM[7] FLT32 { 1, x, 3, 4 }
IMM[8] FLT32 { 1, 2, 3, 4
END",
        expect![[r#"
            2:14: error: FLT32 has 4 numbers, not 3
            3:8: error: `FLT23` is not a type of immediates (did you mean `FLT32`?)
            4:17: error: `-1` is not an unsigned integer of 32 bits
            5:17: error: `4294967296` is not an unsigned integer of 32 bits
            6:16: error: `1.5` is not a signed integer of 32 bits
            7:14: error: FLT64 has 2 numbers, not 4
            8:16: error: `0x100000000` is not the bits of a float
            9:19: error: expected a number, found `x`
            11:1: error: expected `}`, found `END`"#]],
    );
    rejects(
        "FRAG
IMM[0] FLT32 { 1, 2, 3, 4 }
IMM[2] FLT32 { 1, 2, 3, 4 }
IMM[3] FLT32 { 1, 2, 3, 4 }
END",
        expect![
            "3:5: error: this is immediate 1, not 2 (immediates are counted from 0 in the order of the text)"
        ],
    );
}

#[test]
fn arrays_of_immediates_have_as_many_vectors_as_registers() {
    rejects(
        "FRAG
DCL IMMX[0..1] {{ 1, 2, 3, 4 }}
DCL TEMP[0] {{ 1, 2, 3, 4 }}
DCL IMMX[2] { 1, 2, 3, 4 }
END",
        expect![[r#"
            2:1: error: 2 vectors are declared, and 1 given
            3:1: error: registers of TEMP have no values
            4:15: error: expected `{`, found `1`"#]],
    );
}

#[test]
fn properties_have_values_of_their_kind() {
    rejects(
        "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIPS
PROPERTY GS_MAX_OUTPUT_VERTICES 1025
PROPERTY FS_COORD_ORIGIN 1
PROPERTY CS_FIXED_BLOCK_WIDTH 0
PROPERTY NEXT_SHADER
PROPERTY 7
END",
        expect![[r#"
            2:29: error: `TRIANGLE_STRIP` is not one of `POINTS`, `LINES`, `TRIANGLES`, `LINES_ADJACENCY`, `TRIANGLES_ADJACENCY` (did you mean `TRIANGLES`?)
            3:30: error: `TRIANGLE_STRIPS` is not one of `POINTS`, `LINE_STRIP`, `TRIANGLE_STRIP` (did you mean `TRIANGLE_STRIP`?)
            4:33: error: the value is a number from 1 to 1024
            5:26: error: `1` is not one of `UPPER_LEFT`, `LOWER_LEFT`
            6:31: error: the value is a number from 1 to 1024
            7:10: error: the property has no value
            8:10: error: expected the name of a property, found `7`"#]],
    );
    rejects(
        "GEOM\nDCL OUT[0], POSITION\nEND",
        expect![[r#"
        3:4: error: a geometry program needs `PROPERTY GS_INPUT_PRIMITIVE`
        3:4: error: a geometry program needs `PROPERTY GS_OUTPUT_PRIMITIVE`
        3:4: error: a geometry program needs `PROPERTY GS_MAX_OUTPUT_VERTICES`"#]],
    );
    rejects(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 64\nEND",
        expect!["4:4: error: a block has more than 1024 threads"],
    );
}

#[test]
fn cylinders_have_components_in_their_order() {
    rejects(
        "FRAG
DCL IN[0], GENERIC[0], CYLWRAP_ZX
DCL IN[1], GENERIC[1], CYLWRAP_
DCL IN[2], GENERIC[2], CYLWRAP_XX
DCL IN[3], GENERIC[3], CYLWRAP
END",
        expect![[r#"
            2:24: error: unknown attribute `CYLWRAP_ZX` (did you mean `CYLWRAP_X`?)
            3:24: error: unknown attribute `CYLWRAP_` (did you mean `CYLWRAP_X`?)
            4:24: error: unknown attribute `CYLWRAP_XX` (did you mean `CYLWRAP_X`?)
            5:24: error: unknown attribute `CYLWRAP` (did you mean `CYLWRAP_X`?)"#]],
    );
}
