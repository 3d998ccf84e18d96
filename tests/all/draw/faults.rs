//! Bad draws are errors before anything is written.

use attila_shader::draw::{
    ColourBuffer, ColourImage, DepthBuffer, DepthImage, DepthState, Draw, DrawError, Quad, Varying,
};
use attila_shader::isa::Slots;
use attila_shader::machine::LaneMask;
use attila_shader::machine::pipeline::{Blend, ColourFormat, DepthFormat};
use attila_shader::texture::{Dimension, Format, Image, Sampler, Size, Texture, Textures};
use attila_shader::{Bindings, Program, Shader, Stage};

use super::common::{plane, shaders};

/// All bytes of the targets before the draw.
const BYTE: u8 = 0x5a;

/// Draws with `with` on top of a draw that would succeed, and gives the message; no target may have
/// changed.
fn message(
    shader: &Shader,
    with: impl for<'a> FnOnce(Draw<'a>, &'a mut [u8], &'a mut [u8]) -> Result<(), DrawError>,
) -> String {
    let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
    image.fill([BYTE; 4]);
    let mut others = [vec![BYTE; 1 << 12], vec![BYTE; 1 << 12]];
    let [first, second] = &mut others;
    let draw = Draw::new(shader)
        .varying(6, Varying::flat([1.0; 4]))
        .target(0, &mut image);
    let error = with(draw, first, second).expect_err("the draw is bad");
    let all = image.bytes().iter().chain(&others[0]).chain(&others[1]);
    assert!(all.into_iter().all(|byte| *byte == BYTE), "{error}");
    error.to_string()
}

fn copies() -> Vec<Shader> {
    shaders("mov o1, i6")
}

#[test]
fn targets_have_to_be_there_complete_and_of_the_same_size() {
    let rgba8 = ColourFormat::Rgba8;
    for shader in copies() {
        let target = |index, width, height, len: usize| {
            message(&shader, |draw, bytes, _| {
                let buffer = ColourBuffer::new(rgba8, width, height, &mut bytes[..len]);
                draw.target(index, buffer).rect(0..8, 0..8)
            })
        };
        assert_eq!(
            target(8, 8, 8, 256),
            "colour target 8 does not exist; the last is 7"
        );
        assert_eq!(
            target(2, 8, 9, 288),
            "colour target 2 has 8x9 pixels, but colour target 0 has 8x8"
        );
        assert_eq!(
            target(2, 8, 8, 255),
            "colour target 2 needs 256 bytes, but has 255"
        );
        assert_eq!(
            target(2, 32769, 1, 255),
            "colour target 2 has 32769x1 pixels; no side may be longer than 32768"
        );
        let pitched = |pitch| {
            message(&shader, |draw, bytes, _| {
                let buffer = ColourBuffer::new(rgba8, 8, 8, &mut bytes[..260]);
                draw.target(1, buffer.with_pitch(pitch)).rect(0..8, 0..8)
            })
        };
        assert_eq!(
            pitched(31),
            "rows of colour target 1 have 32 bytes, but a pitch of 31 bytes"
        );
        assert_eq!(pitched(33), "colour target 1 needs 263 bytes, but has 260");
        let far = format!("colour target 1 needs {} bytes, but has 260", usize::MAX);
        assert_eq!(pitched(usize::MAX), far);
        let depth = message(&shader, |draw, _, bytes| {
            let buffer = DepthBuffer::new(DepthFormat::D24, 4, 8, &mut bytes[..]);
            draw.depth(buffer, DepthState::default()).rect(0..8, 0..8)
        });
        assert_eq!(
            depth,
            "the depth target has 4x8 pixels, but colour target 0 has 8x8"
        );
        let nothing = Draw::new(&shader).varying(6, Varying::flat([0.0; 4]));
        let error = nothing.rect(0..8, 0..8).unwrap_err();
        assert_eq!(error.to_string(), "the draw has no target");
    }
}

#[test]
fn state_needs_its_target() {
    for shader in copies() {
        for index in [1, 9] {
            let expected = match index {
                1 => "colour target 1 is not given",
                _ => "colour target 9 does not exist; the last is 7",
            };
            let blend = message(&shader, |draw, _, _| {
                draw.blend(index, Blend::ADD).rect(0..8, 0..8)
            });
            assert_eq!(blend, expected);
            let mask = message(&shader, |draw, _, _| {
                draw.write_mask(index, Slots::X).rect(0..8, 0..8)
            });
            assert_eq!(mask, expected);
        }
    }
}

#[test]
fn inputs_that_are_read_have_to_be_given() {
    for (text, expected) in [
        (
            "mov o1, i5.xxzz",
            "the program reads i5.xz, which is not given",
        ),
        (
            "mov o1, i15",
            "the program reads i15.xyz, which is not given",
        ),
    ] {
        for shader in shaders(text) {
            let found = message(&shader, |draw, _, _| draw.rect(0..8, 0..8));
            assert_eq!(found, expected);
        }
    }
    for shader in copies() {
        let found = message(&shader, |draw, _, _| {
            let varying = Varying::flat([0.0; 4]);
            draw.varying(64, varying).rect(0..8, 0..8)
        });
        assert_eq!(found, "input i64 does not exist; the last is i63");
    }
}

#[test]
fn mixtures_that_no_engine_draws_are_refused() {
    let one = plane(1.0, 0.0, 0.0);
    let position = Varying::position(one, one);
    for shader in copies() {
        let listed = message(&shader, |draw, _, _| {
            draw.varying(6, Varying::quads(&[])).rect(0..8, 0..8)
        });
        assert_eq!(
            listed,
            "input i6 is an array over quads, but the draw has no list of quads"
        );
        let elsewhere = message(&shader, |draw, _, _| {
            draw.varying(6, position).rect(0..8, 0..8)
        });
        assert_eq!(elsewhere, "input i6 is set to the position; only i0 can be");
        let without_w = message(&shader, |draw, _, _| {
            let draw = draw.varying(0, Varying::quads(&[]));
            draw.varying(6, Varying::perspective([one; 4]))
                .rect(0..8, 0..8)
        });
        assert_eq!(
            without_w,
            "the draw has perspective inputs, but i0.w is not a linear or flat input"
        );
        let without_z = message(&shader, |draw, _, bytes| {
            let buffer = DepthBuffer::new(DepthFormat::D32F, 8, 8, &mut bytes[..]);
            let draw = draw.depth(buffer, DepthState::default());
            draw.varying(0, Varying::perspective([one; 4]))
                .rect(0..8, 0..8)
        });
        assert_eq!(
            without_z,
            "depth is tested, but i0.z is not a linear or flat input"
        );
    }
}

#[test]
fn vertex_programs_are_refused() {
    let program = Program::assemble("mov o1, i6").unwrap();
    let program = program.with_stage(Stage::Vertex).validate().unwrap();
    for engine in attila_shader::Engine::all() {
        let shader = engine.prepare(&program).unwrap();
        let found = message(&shader, |draw, _, _| draw.rect(0..8, 0..8));
        assert_eq!(found, "the program is a vertex program");
    }
}

#[test]
fn textures_have_to_be_bound() {
    for shader in shaders("tex o1, i6, t3") {
        let found = message(&shader, |draw, _, _| draw.rect(0..8, 0..8));
        assert_eq!(
            found,
            "the program samples texture unit 3, which is not bound"
        );
    }
}

#[test]
fn lists_have_to_fit() {
    let quad = |x, y| Quad {
        x,
        y,
        coverage: LaneMask::all(),
    };
    for shader in copies() {
        let odd = message(&shader, |draw, _, _| {
            draw.quads(&[quad(0, 0), quad(2, 2), quad(2, 3)])
        });
        assert_eq!(odd, "quad 2 is at (2, 3); both coordinates must be even");
        let short = message(&shader, |draw, _, _| {
            draw.varying(6, Varying::quads(&[[[0; 4]; 4]]))
                .quads(&[quad(0, 0), quad(2, 2)])
        });
        assert_eq!(short, "input i6 has 1 registers for 2 quads");
    }
}

#[test]
fn frames_have_to_be_what_was_prepared() {
    for shader in copies() {
        let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
        let mut floats = ColourImage::new(ColourFormat::R32F, 8, 8);
        let mut depths = DepthImage::new(DepthFormat::D24, 8, 8);
        let mut prepared = Draw::new(&shader)
            .varying(6, Varying::flat([1.0; 4]))
            .target(0, &mut image)
            .prepare()
            .unwrap();
        let bindings = Bindings::new();
        let error = prepared.frame(&bindings).rect(0..8, 0..8).unwrap_err();
        assert_eq!(error.to_string(), "colour target 0 is not given");
        let mut frame = prepared.frame(&bindings).target(0, &mut floats);
        let error = frame.rect(0..8, 0..8).unwrap_err();
        let expected = "the format of colour target 0 has changed since the draw was prepared";
        assert_eq!(error.to_string(), expected);
        let frame = prepared.frame(&bindings).target(0, &mut image);
        let error = frame.depth(&mut depths).rect(0..8, 0..8).unwrap_err();
        let expected = "the depth target was missing when the draw was prepared";
        assert_eq!(error.to_string(), expected);
        let frame = prepared.frame(&bindings).target(0, &mut image);
        let linear = Varying::linear([plane(0.0, 0.0, 0.0); 4]);
        let error = frame.varying(6, linear).rect(0..8, 0..8).unwrap_err();
        let expected = "the kind of input i6 has changed since the draw was prepared";
        assert_eq!(error.to_string(), expected);
        assert!(image.bytes().iter().all(|byte| *byte == 0));
    }
}

#[test]
fn empty_targets_and_rectangles_are_fine() {
    for shader in copies() {
        for (width, height) in [(0, 0), (0, 5), (5, 0)] {
            let mut image = ColourImage::new(ColourFormat::Rgba8, width, height);
            let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
            draw.target(0, &mut image).rect(-4..9, 0..9).unwrap();
        }
        let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
        let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
        let draw = draw.target(0, &mut image);
        draw.rect(i64::MIN..3, i64::MAX..i64::MAX).unwrap();
        let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
        draw.target(0, &mut image).quads(&[]).unwrap();
        assert!(image.bytes().iter().all(|byte| *byte == 0));
    }
}

#[test]
fn a_constant_that_does_not_exist_is_an_error_before_anything_is_drawn() {
    let bindings = Bindings::new().with_constant(600, [1.0; 4]);
    for shader in copies() {
        assert_eq!(
            message(&shader, |draw, _, _| draw
                .bindings(&bindings)
                .rect(0..8, 0..8)),
            "constant c600 does not exist; the last is c511"
        );
    }
}

#[test]
fn textures_that_are_not_bound_or_cannot_be_sampled_are_errors_before_anything_is_drawn() {
    let image = Image::from_texels(Dimension::Buffer, Format::R32F, Size::d1(1), vec![0; 4]);
    let texture = Texture::new(image.unwrap(), Sampler::RESET).unwrap();
    let mut textures = Textures::new();
    textures.bind(3, texture).unwrap();
    let bindings = Bindings::new().with_textures(&textures);
    for (program, want) in [
        (
            "tex o1, i6, t3",
            "texture unit 3 is bound to an image of the kind buffer, which cannot be sampled",
        ),
        (
            "tex o1, i6, t4",
            "the program samples texture unit 4, which is not bound",
        ),
    ] {
        for shader in shaders(program) {
            let draw = |draw: Draw<'_>| draw.bindings(&bindings).rect(0..8, 0..8);
            assert_eq!(message(&shader, |it, _, _| draw(it)), want);
        }
    }
}

#[test]
fn pixels_outside_an_image_or_of_another_size_are_none() {
    let image = ColourImage::new(ColourFormat::Rgba8, 4, 2);
    assert_eq!(image.pixel::<u32>(3, 1), Some(0));
    assert_eq!(image.pixel::<u32>(4, 1), None);
    assert_eq!(image.pixel::<u32>(0, 2), None);
    assert_eq!(image.pixel::<u32>(u32::MAX, u32::MAX), None);
    assert_eq!(image.pixel::<[f32; 4]>(0, 0), None);
}
