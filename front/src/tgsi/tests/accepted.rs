//! Programs, as the lowering finds them.

use attila_isa::{Component, Slots, Swizzle};

use super::super::{
    Dialect, File, Flow, Interpolation, Options, Origin, Primitive, Processor, Saturation,
    SemanticName, Target, TgsiOpcode, parse,
};
use super::{accept, fragment};

#[test]
fn operands_have_masks_swizzles_and_signs() {
    let program = fragment("MAD_SAT OUT[0].xz, -|IN[0].wzyx|, CONST[3], -IMM[0].yyyy");
    let mad = &program.instructions[0];
    assert_eq!(
        (mad.opcode, mad.saturation),
        (TgsiOpcode::Mad, Saturation::Unsigned)
    );
    assert_eq!(mad.destinations[0].mask, Slots::X | Slots::Z);
    assert_eq!(mad.destinations[0].register.file, File::Output);
    let [a, b, c] = mad.sources.as_slice() else {
        panic!("MAD has three sources");
    };
    assert!(a.modifiers.negate && a.modifiers.absolute);
    use Component::{W, X, Y, Z};
    assert_eq!(a.swizzle, Swizzle::new([W, Z, Y, X]));
    assert_eq!(b.register.dimension.and_then(|it| it.fixed()), Some(0));
    assert_eq!(b.register.index.fixed(), Some(3));
    assert_eq!(
        (c.swizzle, c.modifiers.negate),
        (Swizzle::broadcast(Y), true)
    );
    assert_eq!(program.instructions[1].flow, Flow::End);
}

#[test]
fn constants_are_listed_by_buffer() {
    let program = accept(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0..9]\nDCL CONST[3][2..4]\nDCL ADDR[0]
MAD OUT[0], CONST[1], CONST[0][7], CONST[3][ADDR[0].y + 2]\nEND",
    );
    let [first, third] = program.constants.as_slice() else {
        panic!("there are two buffers");
    };
    assert_eq!((first.buffer, first.size, first.relative), (0, 10, false));
    assert!(first.used.iter().eq(&[1, 7]));
    assert_eq!((third.buffer, third.size, third.relative), (3, 5, true));
    let relative = program.instructions[0].sources[2].register;
    assert_eq!((relative.index.base, relative.array), (2, None));
    let address = relative.index.address.expect("it is relative");
    assert_eq!(
        (address.file, address.component),
        (File::Address, Component::Y)
    );
}

#[test]
fn blanks_may_stand_around_the_sign_of_an_index() {
    for index in ["ADDR[0].x+3", "ADDR[0].x + 3", "ADDR[0] +3", "ADDR[0].x- 3"] {
        let program = fragment(&format!("MOV OUT[0], CONST[{index}]"));
        let base = program.instructions[0].sources[0].register.index.base;
        assert_eq!(base.abs(), 3, "{index}");
    }
}

#[test]
fn arrays_are_those_registers_that_are_addressed_relatively() {
    let program = accept(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL TEMP[2..5], ARRAY(1), LOCAL\nDCL TEMP[6..9], ARRAY(2), LOCAL\nDCL ADDR[0]
IMM UINT32 {1, 2, 3, 4}
UARL ADDR[0].x, IMM[0]
MOV TEMP[ADDR[0].x+2](1), IMM[0]
MOV OUT[0], TEMP[ADDR[0].x+3](1)
ADD OUT[0], TEMP[ADDR[0].x+6](2), IMM[ADDR[0].x]
END",
    );
    let arrays: Vec<_> = program
        .arrays
        .iter()
        .map(|array| (array.file, array.range.clone(), array.written))
        .collect();
    let expected = [
        (File::Temporary, 2..6, true),
        (File::Temporary, 6..10, false),
        (File::Immediate, 0..1, false),
    ];
    assert_eq!(arrays, expected);
    assert_eq!(program.instructions[2].sources[0].register.array, Some(0));
    assert_eq!(program.instructions[3].sources[1].register.array, Some(2));
    let plain = fragment("MOV OUT[0], TEMP[1]").instructions[0].sources[0].register;
    assert!(program.array_of(&plain).is_none());
    let inside = fragment("MOV OUT[0], TEMP[3]").instructions[0].sources[0].register;
    assert_eq!(program.array_of(&inside), Some(&program.arrays[0]));
}

#[test]
fn an_array_without_a_number_is_the_whole_file() {
    let program = accept(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL TEMP[2..5], ARRAY(1)\nDCL ADDR[0]
MOV TEMP[ADDR[0].x+2](1), TEMP[0]
MOV OUT[0], TEMP[ADDR[0].x+3]
END",
    );
    let [array] = program.arrays.as_slice() else {
        panic!("there is one array");
    };
    assert_eq!((array.range.clone(), array.written), (0..6, true));
    let registers = [
        program.instructions[0].destinations[0].register,
        program.instructions[1].sources[0].register,
    ];
    assert_eq!(registers.map(|register| register.array), [Some(0); 2]);
}

#[test]
fn arrays_of_t7_have_their_vectors_in_the_text() {
    let program = accept(
        "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nDCL ADDR[0]\nDCL TEMPX[1][0..3]
DCL IMMX[0..1] {{ 1, 2, 3, 4 },\n{ 0x3f800000, .5, -1, 1e1 }}
MOV TEMPX[1][ADDR[0].x], IMMX[1]
MAD OUT[0], IN[0], IMMX[0], TEMPX[1][2]\nEND",
    );
    assert_eq!(program.dialect, Dialect::T7);
    let bits = [1.0f32, 0.5, -1.0, 10.0].map(f32::to_bits);
    assert_eq!(program.immediate_arrays[1], (1, bits));
    let array = &program.arrays[0];
    assert_eq!(
        (array.file, array.dimension, array.range.clone()),
        (File::TemporaryArray, 1, 0..4)
    );
}

#[test]
fn immediates_are_words() {
    let program = accept(
        "FRAG\nDCL OUT[0], COLOR
IMM FLT32 { 1., .5, -2.5e1, inf }
IMM[1] UINT32 { 0, 4294967295, 0x10, 7 }
IMM INT32 { -1, -2147483648, 5, 6 }
IMM[3] FLT64 { 1.0, -0.5 }
IMM[4] UINT64 { 0x123456789, 1 }
IMM[5] INT64 { -1, 2 }
MOV OUT[0], IMM[5]\nEND",
    );
    let bits: Vec<_> = program.immediates.iter().map(|it| it.bits).collect();
    assert_eq!(bits[0], [1.0, 0.5, -25.0, f32::INFINITY].map(f32::to_bits));
    assert_eq!(bits[1], [0, u32::MAX, 16, 7]);
    assert_eq!(bits[2], [u32::MAX, 1 << 31, 5, 6]);
    assert_eq!(bits[3], [0, 0x3ff0_0000, 0, 0xbfe0_0000]);
    assert_eq!(bits[4], [0x2345_6789, 1, 1, 0]);
    assert_eq!(bits[5], [u32::MAX, u32::MAX, 2, 0]);
    assert_eq!(program.dialect, Dialect::T23);
}

#[test]
fn hexadecimal_floats_are_bits() {
    let program = fragment("MOV OUT[0], IMM[0]");
    assert_eq!(program.immediates[0].bits[1], 0x3f80_0000);
    let program = accept(
        "FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {0x3f800000, 0x7fc00001, -0x1, nan}\nMOV OUT[0], IMM[0]\nEND",
    );
    let bits = program.immediates[0].bits;
    assert_eq!(bits[..3], [0x3f80_0000, 0x7fc0_0001, 0x8000_0001]);
    assert!(f32::from_bits(bits[3]).is_nan());
}

#[test]
fn varyings_have_semantics_and_ways_to_interpolate() {
    let program = accept(
        "FRAG
DCL IN[0..1], GENERIC[4], PERSPECTIVE
DCL IN[2], COLOR, COLOR, CENTROID
DCL IN[3].xy, TEXCOORD[1], LINEAR
DCL IN[3].zw, GENERIC[9], CONSTANT
DCL OUT[0], COLOR[1], INVARIANT
DCL SV[0], FACE
MOV OUT[0], IN[2]\nEND",
    );
    let inputs: Vec<_> = program
        .inputs
        .iter()
        .map(|input| {
            let semantic = input.semantic.expect("it has a semantic");
            (
                input.register,
                semantic.name,
                semantic.index,
                input.interpolation,
            )
        })
        .collect();
    let expected = [
        (
            0,
            SemanticName::Generic,
            4,
            Some(Interpolation::Perspective),
        ),
        (
            1,
            SemanticName::Generic,
            5,
            Some(Interpolation::Perspective),
        ),
        (2, SemanticName::Color, 0, Some(Interpolation::Color)),
        (
            3,
            SemanticName::TextureCoordinate,
            1,
            Some(Interpolation::Linear),
        ),
        (3, SemanticName::Generic, 9, Some(Interpolation::Constant)),
    ];
    assert_eq!(inputs, expected);
    assert_eq!(program.inputs[3].mask, Slots::X | Slots::Y);
    assert!(program.outputs[0].invariant);
    assert_eq!(program.system_values[0].semantic.name, SemanticName::Face);
}

#[test]
fn geometry_programs_read_the_vertices_of_a_primitive() {
    let program = accept(
        "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
PROPERTY GS_INVOCATIONS 2
DCL IN[][0], POSITION
DCL IN[1], PRIM_ID
DCL OUT[0], POSITION, STREAM(0, 0, 1, 1)
DCL ADDR[0]
IMM UINT32 {0, 0, 0, 0}
MOV OUT[0], IN[2][0]
MOV OUT[0], IN[ADDR[0].x][0]
MOV OUT[0], IN[1]
EMIT IMM[0].xxxx
EMIT
ENDPRIM
END",
    );
    assert_eq!(program.processor, Processor::Geometry);
    let properties = &program.properties;
    assert_eq!(properties.input_primitive, Some(Primitive::Triangles));
    assert_eq!((properties.max_vertices, properties.invocations), (3, 2));
    let vertex = |at: usize| program.instructions[at].sources[0].register.dimension;
    assert_eq!(vertex(0).and_then(|it| it.fixed()), Some(2));
    assert!(vertex(1).is_some_and(|it| it.address.is_some()));
    assert_eq!(vertex(2), None);
    let counts = [3, 4, 5].map(|at| program.instructions[at].sources.len());
    assert_eq!(counts, [1, 0, 0]);
    assert_eq!(program.outputs[0].streams, [0, 0, 1, 1]);
}

#[test]
fn textures_have_targets_units_and_offsets() {
    let program = accept(
        "FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0..1]
DCL SVIEW[0], SHADOW2D, FLOAT
DCL SVIEW[1], CUBE, UINT, UINT, UINT, UINT
DCL ADDR[0]
IMM INT32 {1, -1, 0, 0}
TEX OUT[0], IN[0], SAMP[0], SHADOW2D, IMM[0].xyz
TXD OUT[0], IN[0], IN[0], IN[0], SAMP[ADDR[0].x+1], CUBE
TG4 OUT[0], IN[0], IMM[0].zzzz, SAMP[0], SHADOW2D, IMM[0].xyz, IMM[0].yyz, IMM[0].zzz, IMM[0].xxx
SAMPLE OUT[0], IN[0], SVIEW[1], SAMP[0]
SAMPLE_I OUT[0], IN[0], SVIEW[0]
TXQ OUT[0], IN[0].xxxx, SAMP[0], UNKNOWN
END",
    );
    let texture = |at: usize| {
        program.instructions[at]
            .texture
            .clone()
            .expect("it has one")
    };
    assert_eq!(
        (texture(0).target, texture(0).offsets.len()),
        (Target::ShadowTwoD, 1)
    );
    let sampler = texture(1).sampler.expect("it has one");
    assert_eq!((sampler.base, sampler.address.is_some()), (1, true));
    assert_eq!(program.instructions[1].sources.len(), 3);
    assert_eq!(texture(2).offsets.len(), 4);
    assert_eq!(texture(3).target, Target::Cube);
    assert_eq!(
        (texture(4).sampler, texture(4).target),
        (None, Target::ShadowTwoD)
    );
    assert_eq!(texture(5).target, Target::ShadowTwoD);
}

#[test]
fn compute_programs_have_buffers() {
    let program = accept(
        "COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
DCL SV[0], THREAD_ID
DCL BUFFER[0..1]
DCL BUFFER[3], ATOMIC
DCL TEMP[0]
LOAD TEMP[0], BUFFER[1], SV[0].xxxx, COHERENT
STORE BUFFER[0].xy, SV[0].xxxx, TEMP[0]
ATOMCAS TEMP[0].x, BUFFER[3], SV[0].xxxx, TEMP[0].xxxx, TEMP[0].yyyy
RESQ TEMP[0].x, BUFFER[1]
END",
    );
    assert_eq!(program.properties.block, [16, 1, 1]);
    assert!(program.buffers.iter().eq(&[0, 1, 3]));
    let buffers: Vec<_> = program.instructions.iter().map(|it| it.buffer).collect();
    assert_eq!(buffers, [Some(1), Some(0), Some(3), Some(1), None]);
    let counts: Vec<_> = program
        .instructions
        .iter()
        .map(|it| it.sources.len())
        .collect();
    assert_eq!(counts, [1, 2, 3, 0, 0]);
    assert_eq!(
        program.instructions[1].destinations[0].mask,
        Slots::X | Slots::Y
    );
}

#[test]
fn predicates_guard_components() {
    let program = accept(
        "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nDCL PRED[0]
SGT PRED[0], IN[0], IN[0].yyyy
(!PRED[0].xxxx) MOV OUT[0], IN[0]
1: (PRED[0]) MOV_SATNV OUT[0], IN[0]
END",
    );
    assert_eq!(program.dialect, Dialect::T7);
    let guard = program.instructions[1].guard.expect("it has one");
    assert_eq!(
        (guard.negate, guard.swizzle),
        (true, Swizzle::broadcast(Component::X))
    );
    let other = &program.instructions[2];
    assert_eq!(other.saturation, Saturation::Signed);
    assert_eq!(other.guard.map(|guard| guard.negate), Some(false));
}

#[test]
fn doubles_take_two_components() {
    let program = accept(
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nDCL CONST[0..1]\nIMM UINT32 {0, 1072693248, 0, 0}
F2D TEMP[0], CONST[0].xyyy
DMUL TEMP[0].xy, TEMP[0].zwxy, IMM[0].xyxy
DADD TEMP[0].zw, TEMP[0].xyzw, IMM[0].xxyx
DFRACEXP TEMP[1].xy, TEMP[2].x, TEMP[0].zwzw
DLDEXP TEMP[1].xy, TEMP[1].xyxy, TEMP[2].xxxx
DSLT TEMP[2].x, TEMP[0].xyxy, TEMP[0].zwzw
D2F OUT[0].w, TEMP[0].zwzw
END",
    );
    assert_eq!(program.instructions[3].destinations.len(), 2);
    assert_eq!(program.dialect, Dialect::T23);
}

#[test]
fn properties_are_kept() {
    let program = accept(
        "FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
PROPERTY FS_COORD_PIXEL_CENTER INTEGER
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
PROPERTY LEGACY_MATH_RULES 1
PROPERTY FS_DEPTH_LAYOUT 2
PROPERTY NEXT_SHADER GEOM
END",
    );
    let properties = &program.properties;
    assert_eq!(properties.origin, Origin::LowerLeft);
    assert!(properties.color_to_all && properties.zero_wins);
    assert_eq!(properties.next, Some(Processor::Geometry));
    let other = ("FS_DEPTH_LAYOUT".to_owned(), "2".to_owned());
    assert_eq!(properties.others, [other]);
}

#[test]
fn flr_writes_addresses() {
    let program = fragment("FLR ADDR[0].x, IN[0]\nMOV OUT[0], CONST[ADDR[0].x]");
    assert_eq!(
        program.instructions[0].destinations[0].register.file,
        File::Address
    );
}

#[test]
fn results_may_be_dropped() {
    let program = fragment("MOV NULL, IN[0]\nMOV NULL[0].x, IN[0]");
    for at in [0, 1] {
        let register = program.instructions[at].destinations[0].register;
        assert_eq!(register.file, File::Null);
    }
}

#[test]
fn dialects_have_marks() {
    let dialect = |declarations: &str, body: &str| {
        let text = format!("FRAG\n{declarations}\nDCL OUT[0], COLOR\nDCL TEMP[0]\n{body}\nEND");
        let program = parse(&text, &Options::default()).expect("it is a program");
        program.dialect
    };
    let (t7, t10, t23) = (Dialect::T7, Dialect::T10, Dialect::T23);
    let cases = [
        (t7, "", "KIL TEMP[0]"),
        (t7, "", "KILP"),
        (t7, "", "ADD_SATNV OUT[0], TEMP[0], TEMP[0]"),
        (t7, "DCL PRED[0]", ""),
        (t7, "", "KILP\nSUB OUT[0], TEMP[0], TEMP[0]"),
        (t10, "", "SUB OUT[0], TEMP[0], TEMP[0]"),
        (t10, "", "KILL\nSUB OUT[0], TEMP[0], TEMP[0]"),
        (t10, "", "UIF TEMP[0]\nENDIF\nABS OUT[0], TEMP[0]"),
        (t10, "", "SHR OUT[0], TEMP[0], TEMP[0]"),
        (t23, "", "KILL"),
        (t23, "", "MOV OUT[0], TEMP[0]"),
        (
            t23,
            "",
            "FMA OUT[0], TEMP[0], TEMP[0], TEMP[0]\nABS OUT[0], TEMP[0]",
        ),
        (
            t23,
            "",
            "MUL_PRECISE OUT[0], TEMP[0], TEMP[0]\nABS OUT[0], TEMP[0]",
        ),
        (t23, "DCL BUFFER[0]", "ABS OUT[0], TEMP[0]"),
        (t23, "IMM FLT64 {1, 2}", "ABS OUT[0], TEMP[0]"),
    ];
    for (expected, declarations, body) in cases {
        assert_eq!(
            dialect(declarations, body),
            expected,
            "{declarations} {body}"
        );
    }
}

#[test]
fn the_number_of_the_primitive_has_one_index_though_its_declaration_has_brackets_for_vertices() {
    let text = "GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL IN[][2], PRIM_ID
DCL OUT[0], POSITION
MOV OUT[0], IN[2]
EMIT IMM[0].xxxx
END";
    let text = text.replace("DCL OUT", "IMM[0] UINT32 { 0, 0, 0, 0 }\nDCL OUT");
    let program = accept(&text);
    let vertices: Vec<bool> = program.inputs.iter().map(|it| it.per_vertex).collect();
    assert_eq!(vertices, [true, false]);
}
