//! Lanes of a quad that address registers, levels and textures of their own, against formulas.

use std::sync::Arc;

use attila_shader::front::tgsi::{self, Options};
use attila_shader::machine::{Bindings, ExtendedQuadIo, to_lanes};
use attila_shader::texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Textures,
};
use attila_shader::{Engine, TextureUnit};

use super::Words;

const WIDTH: u32 = 16;
const HEIGHT: u32 = 4;
const LEVELS: u32 = 5;
const UNITS: u32 = 4;

/// A side of a level.
fn side(side: u32, level: u32) -> u32 {
    (side >> level).max(1)
}

/// The texel of a unit: its column, its row, its level, and 10 times the unit.
fn texel(x: u32, y: u32, level: u32, unit: u32) -> [f32; 4] {
    [x, y, level, 10 * unit].map(|number| number as f32)
}

/// Images of such texels. That of unit 3 is wider by a texel.
fn textures() -> Textures {
    let mut textures = Textures::new();
    for unit in 0..UNITS {
        let width = WIDTH + unit / 3;
        let level = |level: u32| -> Vec<u8> {
            let (rows, columns) = (0..side(HEIGHT, level), side(width, level));
            let texels = rows.flat_map(|y| (0..columns).map(move |x| texel(x, y, level, unit)));
            texels.flatten().flat_map(f32::to_le_bytes).collect()
        };
        let levels: Vec<Vec<u8>> = (0..LEVELS).map(level).collect();
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        let size = Size::d2(width, HEIGHT);
        let image = Image::from_levels(Dimension::D2, Format::Rgba32F, size, &levels);
        let sampler = Sampler {
            mag: Filter::Nearest,
            min: Filter::Nearest,
            mip: MipMode::Nearest,
            ..Sampler::RESET
        };
        let image = Arc::new(image.expect("the levels have their sizes"));
        let texture = Texture::new(image, sampler).expect("the sampler fits");
        textures
            .bind(unit as usize, texture)
            .expect("there are more units");
    }
    textures
}

/// The outputs COLOR\[0] to COLOR\[3] of each engine, by lane, of inputs by lane.
fn colours(body: &str, inputs: &[[Words; 4]]) -> Vec<[[Words; 4]; 4]> {
    let count = inputs.len();
    let text = format!(
        "FRAG\nDCL IN[0..{}], GENERIC[0], PERSPECTIVE\nDCL OUT[0..3], COLOR[0]\nDCL ADDR[0]\n\
         {body}END\n",
        count - 1
    );
    let translation = tgsi::compile(&text, &Options::default());
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = translation.program.clone().validate().expect("it is valid");
    let textures = textures();
    let bindings = Bindings::new().with_textures(&textures as &dyn TextureUnit);
    let mut bindings = bindings;
    for (register, value) in translation.constants(super::constant) {
        bindings.set_constant(register, value);
    }
    let run = |engine: Engine| {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = [ExtendedQuadIo::default()];
        for &(input, register) in &translation.inputs {
            let lanes = inputs[super::generic(input)].map(|words| words.map(f32::from_bits));
            quads[0].set_input(register.into(), lanes);
        }
        shader.run_extended(&bindings, &mut quads).expect("it runs");
        [1, 2, 3, 4].map(|register| to_lanes(&quads[0].outputs[register]))
    };
    Engine::all().into_iter().map(run).collect()
}

/// Checks COLOR\[0] in each lane on every engine.
fn check(body: &str, inputs: &[[Words; 4]], expected: [Words; 4]) {
    for colours in colours(body, inputs) {
        assert_eq!(colours[0], expected, "{:x?} of\n{body}", colours[0]);
    }
}

fn bits(numbers: [f32; 4]) -> Words {
    numbers.map(f32::to_bits)
}

/// Vectors with a word of each lane in all components.
fn each(words: [u32; 4]) -> [Words; 4] {
    words.map(|word| [word; 4])
}

const ORDERS: [[u32; 4]; 4] = [[0, 1, 2, 3], [2, 0, 3, 1], [1, 1, 3, 3], [3, 2, 2, 0]];

#[test]
fn fetches_have_a_level_in_each_lane() {
    for levels in ORDERS {
        let places =
            levels.map(|level| [side(WIDTH, level) - 1, side(HEIGHT, level) - 1, 0, level]);
        let expected = places.map(|[x, y, _, level]| bits(texel(x, y, level, 0)));
        check(
            "DCL SAMP[0]\nTXF OUT[0], IN[0], SAMP[0], 2D\n",
            &[places],
            expected,
        );
        let body = "DCL SVIEW[0], 2D, FLOAT\nSAMPLE_I OUT[0], IN[0], SVIEW[0]\n";
        check(body, &[places], expected);
    }
    // No such level, and no such texel.
    let places = [
        [1, 0, 0, 1],
        [0, 0, 0, LEVELS],
        [0, 0, 0, u32::MAX],
        [8, 0, 0, 1],
    ];
    let expected = [bits(texel(1, 0, 1, 0)), [0; 4], [0; 4], [0; 4]];
    check(
        "DCL SAMP[0]\nTXF OUT[0], IN[0], SAMP[0], 2D\n",
        &[places],
        expected,
    );
}

#[test]
fn fetches_of_levels_happen_where_lanes_go_their_own_ways() {
    let levels = [0, 1, 2, 3];
    let places = levels.map(|level| [0, 0, 0, level]);
    let body = "DCL SAMP[0]\nDCL TEMP[0]\nIMM[0] UINT32 { 1, 0, 0, 0 }\n\
                AND TEMP[0].x, IN[0].wwww, IMM[0].xxxx\nUIF TEMP[0].xxxx\n\
                TXF OUT[0], IN[0], SAMP[0], 2D\nELSE\nMOV OUT[0], IN[0]\nENDIF\n";
    let expected = levels.map(|level| match level % 2 {
        1 => bits(texel(0, 0, level, 0)),
        _ => [0, 0, 0, level],
    });
    check(body, &[places], expected);
}

#[test]
fn sizes_are_those_of_a_level_in_each_lane() {
    for levels in ORDERS {
        let expected = levels.map(|level| [side(WIDTH, level), side(HEIGHT, level), 0, LEVELS]);
        let body = "DCL SAMP[0]\nTXQ OUT[0], IN[0].xxxx, SAMP[0], 2D\n";
        check(body, &[each(levels)], expected);
        let body = "DCL SVIEW[0], 2D, FLOAT\nSVIEWINFO OUT[0], IN[0].xxxx, SVIEW[0]\n";
        check(body, &[each(levels)], expected);
    }
    let levels = [LEVELS, 4, u32::MAX, 1];
    let expected = [[0; 4], [1, 1, 0, LEVELS], [0; 4], [8, 2, 0, LEVELS]];
    let body = "DCL SAMP[0]\nTXQ OUT[0], IN[0].xxxx, SAMP[0], 2D\n";
    check(body, &[each(levels)], expected);
}

#[test]
fn each_lane_looks_at_its_own_unit() {
    for units in ORDERS {
        let declared = "DCL SAMP[0..3]\nUARL ADDR[0].x, IN[0].xxxx\n";
        let sizes = units.map(|unit| [WIDTH + unit / 3, HEIGHT, 0, LEVELS]);
        let body = format!("{declared}TXQ OUT[0], IN[1].xxxx, SAMP[ADDR[0].x], 2D\n");
        check(&body, &[each(units), each([0; 4])], sizes);
        let places = units.map(|unit| [unit, 1, 0, 1]);
        let texels = units.map(|unit| bits(texel(unit, 1, 1, unit)));
        let body = format!("{declared}TXF OUT[0], IN[1], SAMP[ADDR[0].x], 2D\n");
        check(&body, &[each(units), places], texels);
        // In the middle of a texel of the first column and row, of level 0.
        let corner = bits([0.5 / 17.0, 0.5 / 4.0, 0.0, 0.0]);
        let corners = units.map(|unit| bits(texel(0, 0, 0, unit)));
        for line in [
            "TEX OUT[0], IN[1], SAMP[ADDR[0].x], 2D\n",
            "TXL OUT[0], IN[1], SAMP[ADDR[0].x], 2D\n",
            "TXB OUT[0], IN[1], SAMP[ADDR[0].x+0], 2D\n",
        ] {
            check(
                &format!("{declared}{line}"),
                &[each(units), [corner; 4]],
                corners,
            );
        }
    }
}

/// A store to an element of an array, and all elements as COLOR\[0].
const STORE: &str = "DCL TEMP[0..3], ARRAY(1)\nDCL TEMP[4]\n\
                     MOV TEMP[0], CONST[0]\nMOV TEMP[1], CONST[1]\nMOV TEMP[2], CONST[2]\n\
                     MOV TEMP[3], CONST[3]\nUARL ADDR[0].x, IN[0].xxxx\n";
const SHOW: &str = "MOV OUT[0].x, TEMP[0].xxxx\nMOV OUT[0].y, TEMP[1].xxxx\n\
                    MOV OUT[0].z, TEMP[2].xxxx\nMOV OUT[0].w, TEMP[3].xxxx\n";

/// The elements of a lane: n in element n, but for `value` in `element`.
fn elements(element: u32, value: u32) -> Words {
    let mut words = bits([0.0, 1.0, 2.0, 3.0]);
    if let Some(word) = words.get_mut(element as usize) {
        *word = value;
    }
    words
}

#[test]
fn each_lane_writes_its_own_element() {
    for places in ORDERS {
        let values = [10, 20, 30, 40];
        let stored: [Words; 4] = std::array::from_fn(|n| elements(places[n], values[n]));
        let inputs = [each(places), each(values)];
        let body = format!("DCL CONST[0..3]\n{STORE}MOV TEMP[ADDR[0].x](1), IN[1]\n{SHOW}");
        check(&body, &inputs, stored);
        // Other components stay.
        let body = format!("DCL CONST[0..3]\n{STORE}MOV TEMP[ADDR[0].x](1).yz, IN[1]\n{SHOW}");
        check(&body, &inputs, [elements(9, 0); 4]);
        // Lanes with an odd value do nothing.
        let odd = [11, 20, 31, 40];
        let body = format!(
            "DCL CONST[0..3]\nIMM[0] UINT32 {{ 1, 0, 0, 0 }}\n{STORE}AND TEMP[4], IN[1], IMM[0].xxxx\n\
             UIF TEMP[4].xxxx\nELSE\nMOV TEMP[ADDR[0].x](1), IN[1]\nENDIF\n{SHOW}"
        );
        let stored = std::array::from_fn(|n| match odd[n] % 2 {
            0 => elements(places[n], odd[n]),
            _ => elements(9, 0),
        });
        check(&body, &[each(places), each(odd)], stored);
    }
    // Elements that do not exist are not written, the nearest ones neither.
    let places = [4, u32::MAX, 1, 0x8000_0000];
    let body = format!("DCL CONST[0..3]\n{STORE}MOV TEMP[ADDR[0].x](1), IN[1]\n{SHOW}");
    let stored = std::array::from_fn(|n| match n {
        2 => elements(1, 9),
        _ => elements(9, 0),
    });
    check(&body, &[each(places), each([9; 4])], stored);
}

#[test]
fn each_lane_writes_its_own_output() {
    for places in ORDERS {
        let values = [10, 20, 30, 40];
        let body = "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\n\
                    MOV OUT[2], IN[0]\nMOV OUT[3], IN[0]\nMOV OUT[ADDR[0].x], IN[1]\n";
        for colours in colours(body, &[each(places), each(values)]) {
            for (output, lanes) in colours.iter().enumerate() {
                let expected = std::array::from_fn(|lane| match places[lane] as usize == output {
                    true => [values[lane]; 4],
                    false => [places[lane]; 4],
                });
                assert_eq!(*lanes, expected, "output {output} of {places:?}");
            }
        }
    }
}
