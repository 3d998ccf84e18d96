//! Inputs, outputs, kills and lookups.

use attila_shader::ExtendedQuadIo;
use attila_shader::front::tgsi::{self, Dialect, Options};

use super::translated;

/// Runs a text with values for input registers on every engine.
fn run(text: &str, inputs: &[(usize, [[f32; 4]; 4])]) -> Vec<ExtendedQuadIo> {
    let mut quad = ExtendedQuadIo::default();
    for (register, lanes) in inputs {
        quad.set_input(*register, *lanes);
    }
    super::run(&translated(text, Dialect::T23), &quad)
}

#[test]
fn positions_count_as_properties_say() {
    let text = "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND";
    let position = [2.5, 3.5, 0.25, 0.5];
    for quad in run(text, &[(0, [position; 4])]) {
        assert_eq!(quad.output(1), [[2.0, 476.0, 0.25, 0.5]; 4]);
    }
    let upper = text
        .replace("LOWER", "UPPER")
        .replace("R INTEGER", "R HALF_INTEGER");
    for quad in run(&upper, &[(0, [position; 4])]) {
        assert_eq!(quad.output(1), [position; 4]);
    }
}

#[test]
fn faces_are_signs_or_masks() {
    let faces = [1.0, -1.0, 0.5, -2.0].map(|w| [9.0, 9.0, 9.0, w]);
    let text = "FRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND";
    for quad in run(text, &[(15, faces)]) {
        let expected = [1.0, -1.0, 1.0, -1.0].map(|x| [x, 0.0, 0.0, 1.0]);
        assert_eq!(quad.output(1), expected);
    }
    let text = "FRAG\nDCL SV[0], FACE\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].xxxx\nEND";
    for quad in run(text, &[(15, faces)]) {
        let found = quad.output(1).map(|lane| lane[0].to_bits());
        assert_eq!(found, [u32::MAX, 0, u32::MAX, 0]);
    }
}

#[test]
fn vertex_outputs_are_where_fragments_read_them() {
    let vertex = "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[12]\nDCL OUT[2].xy, GENERIC[1]\nDCL OUT[2].zw, TEXCOORD[5]\nMOV OUT[0], IN[0]\nADD OUT[1], IN[1], IN[1]\nMOV OUT[2], IN[1]\nEND";
    let fragment = "FRAG\nDCL IN[0], GENERIC[12], PERSPECTIVE\nDCL IN[1].xy, GENERIC[1], PERSPECTIVE\nDCL IN[1].zw, TEXCOORD[5], PERSPECTIVE\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[1]\nEND";
    let inputs = [(0, [[1.0; 4]; 4]), (1, [[1.0, 2.0, 3.0, 4.0]; 4])];
    for quad in run(vertex, &inputs) {
        let passed: Vec<_> = (0..64)
            .map(|register| (register, quad.output(register)))
            .collect();
        for quad in run(fragment, &passed) {
            assert_eq!(quad.output(1), [[2.0, 8.0, 18.0, 32.0]; 4]);
        }
    }
}

#[test]
fn kills_are_of_lanes_that_come_to_them() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nIMM FLT32 { 1.0, 0.0, 0.0, 0.0 }\nMOV OUT[0], IN[0]\nIF IN[0].xxxx\n KILL_IF IN[0].yyyy\nELSE\n IF IN[0].yyyy\n  KILL\n ENDIF\nENDIF\nEND";
    let lanes = [[1.0, -1.0], [1.0, 1.0], [0.0, -1.0], [0.0, 0.0]];
    let lanes = lanes.map(|[x, y]| [x, y, 0.0, 0.0]);
    for quad in run(text, &[(10, lanes)]) {
        let killed: Vec<bool> = (0..4)
            .map(|lane| quad.killed().bits() >> lane & 1 != 0)
            .collect();
        assert_eq!(killed, [true, false, true, false]);
    }
}

#[test]
fn texts_of_two_languages_are_told_apart() {
    let text = "# a comment\nVERT\nDCL OUT[0], POSITION\nEND";
    let program = attila_shader::front::compile(text).expect("it is a program");
    let translation = tgsi::compile(text, &Options::default()).expect("it is a program");
    assert_eq!(program, translation.program);
}

#[test]
fn components_that_a_declaration_does_not_have_are_not_written() {
    let text = "FRAG
DCL IN[0..3], GENERIC[0], PERSPECTIVE
DCL OUT[0].xz, COLOR
DCL TEMP[0].yw
DCL TEMP[1]
%
END";
    let bodies = [
        ("MOV OUT[0], IN[0]", [1.0, 0.0, 3.0, 0.0]),
        ("MOV_SAT OUT[0].xy, IN[0]", [1.0, 0.0, 0.0, 0.0]),
        ("MOV OUT[0].yw, IN[0]", [0.0; 4]),
        (
            "MOV TEMP[0], IN[0]\nMOV OUT[0], TEMP[0].xyyy",
            [0.0, 0.0, 2.0, 0.0],
        ),
        (
            "MOV OUT[0], IN[0]\nMOV TEMP[1], OUT[0].yyyy\nADD OUT[0].x, TEMP[1], IN[0].wwww",
            [4.0, 0.0, 3.0, 0.0],
        ),
    ];
    for dialect in Dialect::ALL {
        for (body, expected) in bodies {
            let text = text.replace('%', body);
            let lanes = [[1.0, 2.0, 3.0, 4.0].map(f32::to_bits); 4];
            for found in super::words(&text, dialect, |_| lanes) {
                assert_eq!(found, [expected.map(f32::to_bits); 4], "{dialect} {body}");
            }
        }
    }
    // A half of a double is kept, and the double is computed as a whole.
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].y, COLOR\nIMM[0] FLT64 { 1, 2 }\nDADD OUT[1].xy, IMM[0].xyxy, IMM[0].zwzw\nEND";
    let translation = translated(text, Dialect::T23);
    for quad in super::run(&translation, &ExtendedQuadIo::default()) {
        let three = (3f64.to_bits() >> 32) as u32;
        assert_eq!(quad.output(1)[0].map(f32::to_bits), [0, three, 0, 0]);
    }
}
