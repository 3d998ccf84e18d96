//! Texture instructions with real images: every engine samples what the texture unit does.

use std::sync::Arc;

use attila_shader::isa::{TextureShape, TextureTarget};
use attila_shader::machine::{LaneMask, Lanes, LevelOfDetail, Lookup, TextureQuery, to_floats};
use attila_shader::texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Program, QuadIo, RunError, Stage, TextureUnit};

use crate::common::engines;

/// Images of noise: a repeated trilinear one at unit 0, an anisotropic one at unit 1, a cube at unit 2, a
/// 3D image at unit 3, then arrays and a rectangle.
fn textures() -> Textures {
    let trilinear = Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: MipMode::Linear,
        wrap: [Wrap::Repeat; 3],
        ..Sampler::RESET
    };
    let anisotropic = Sampler {
        max_anisotropy: 4,
        wrap: [Wrap::MirroredRepeat; 3],
        ..trilinear
    };
    let clamped = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..trilinear
    };
    let images = [
        (Dimension::D2, Size::d2(16, 9), trilinear),
        (Dimension::D2, Size::d2(8, 8), anisotropic),
        (Dimension::Cube, Size::cube(5), trilinear),
        (Dimension::D3, Size::d3(4, 4, 3), trilinear),
        (Dimension::D1Array { layers: 3 }, Size::d1(9), trilinear),
        (
            Dimension::D2Array { layers: 3 },
            Size::d2(9, 7),
            anisotropic,
        ),
        (Dimension::CubeArray { cubes: 2 }, Size::cube(3), trilinear),
        (Dimension::Rect, Size::d2(5, 6), clamped),
    ];
    let mut textures = Textures::new();
    for (unit, (dimension, size, sampler)) in images.into_iter().enumerate() {
        let count = size.width * size.height * dimension.slices(size) as u32;
        let component = |index: u32| (index.wrapping_mul(0x9e37_79b1) >> 9) as f32 / 8_388_608.0;
        let texels: Vec<[f32; 4]> = (0..count)
            .map(|texel| std::array::from_fn(|c| component(4 * texel + c as u32)))
            .collect();
        let image = Image::from_rgba32f(dimension, size, &texels).and_then(Image::with_mipmaps);
        let image = Arc::new(image.expect("a small image"));
        let texture = Texture::new(image, sampler).expect("a consistent sampler");
        textures.bind(unit, texture).expect("a unit below 16");
    }
    textures
}

/// The only unit, with this texture.
fn only(image: Image, sampler: Sampler) -> Textures {
    let mut textures = Textures::new();
    let texture = Texture::new(Arc::new(image), sampler).expect("a consistent sampler");
    textures.bind(0, texture).expect("unit 0");
    textures
}

/// Coordinates of a quad: somewhere, a few texels apart, with a small w that is not 0.
fn coordinates(quad: u32) -> Lanes<[f32; 4]> {
    let q = quad as f32;
    let corner = [
        q * 0.37 - 9.0,
        4.0 - q * 0.61,
        q * 0.13 - 3.0,
        0.5 + q * 0.02,
    ];
    let step = 0.01 + 0.02 * (quad % 13) as f32;
    [0.0, 1.0, 2.0, 3.0].map(|lane| {
        let [s, t, r, q] = corner;
        let (x, y) = (lane % 2.0, if lane < 2.0 { 0.0 } else { 1.0 });
        [s + x * step, t + 0.7 * y * step, r - x * step, q]
    })
}

#[test]
fn engines_sample_what_the_texture_unit_does() {
    let textures = textures();
    let bindings = Bindings::new().with_textures(&textures);
    for unit in 0..8_u8 {
        for mnemonic in ["tex", "txb", "txl", "txp"] {
            let program = Program::assemble(&format!("{mnemonic} o0, i0, t{unit}\nend"))
                .expect("a texture instruction")
                .validate()
                .expect("a valid program");
            let mut quads = vec![QuadIo::default(); 50];
            for (index, quad) in (0..).zip(&mut quads) {
                quad.set_input(0, coordinates(index));
            }
            for engine in engines() {
                let shader = engine.prepare(&program).expect("the engine compiles it");
                let mut shaded = quads.clone();
                shader.run(&bindings, &mut shaded).expect("no loops");
                for (index, quad) in (0..).zip(&shaded) {
                    let want = textures.answer(&query(mnemonic, unit, coordinates(index)));
                    let want = to_floats(&want);
                    let want: Lanes<[f32; 4]> =
                        std::array::from_fn(|lane| want.map(|component| component[lane]));
                    assert_eq!(
                        quad.output(0),
                        want,
                        "{mnemonic} t{unit} on {}",
                        engine.name()
                    );
                }
            }
        }
    }
}

/// The query of an instruction for these registers.
fn query(mnemonic: &str, unit: u8, lanes: Lanes<[f32; 4]>) -> TextureQuery {
    let [s, t, r, q] = std::array::from_fn(|axis| lanes.map(|lane| lane[axis]));
    let projected = mnemonic == "txp";
    let divided = |axis: Lanes<f32>| std::array::from_fn(|lane| axis[lane] / q[lane]);
    let coords = if projected {
        [s, t, r].map(divided)
    } else {
        [s, t, r]
    };
    let level = match mnemonic {
        "txb" => LevelOfDetail::Bias(q),
        "txl" => LevelOfDetail::Explicit(q),
        _ => LevelOfDetail::Implicit,
    };
    TextureQuery {
        unit,
        target: TextureTarget::Bound,
        lookup: Lookup::sample(coords, projected, level),
        stage: Stage::Fragment,
        active: LaneMask::all(),
    }
}

#[test]
fn a_unit_without_a_texture_is_an_error_before_anything_is_shaded() {
    let textures = textures();
    let bindings = Bindings::new().with_textures(&textures);
    let program = Program::assemble("mov o0, i0\ntex o1, i0, t9\nend")
        .expect("a texture instruction")
        .validate()
        .expect("a valid program");
    for engine in engines() {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = vec![QuadIo::default(); 2];
        let result = shader.run(&bindings, &mut quads);
        assert_eq!(result, Err(RunError::UnboundTexture { unit: 9 }));
    }
}

#[test]
fn engines_pass_integers_on_as_they_are() {
    // Among them numbers that are signalling NaNs and denormals as floats.
    let words = [0x7f80_0001_u32, 0xffff_ffff, 1, 0x8000_0000];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let sampler = Sampler {
        mag: Filter::Linear,
        ..Sampler::RESET
    };
    let program = Program::assemble("tex o0, i0, t0\nend").expect("a texture instruction");
    let program = program.validate().expect("a valid program");
    for dimension in [Dimension::D2, Dimension::Cube] {
        let format = Format::Rgba32Uint;
        let bytes = bytes.repeat(dimension.slices(Size::d2(1, 1)));
        let image = Image::from_levels(dimension, format, Size::d2(1, 1), &[&bytes]);
        let textures = only(image.expect("one texel"), sampler);
        let bindings = Bindings::new().with_textures(&textures);
        for engine in engines() {
            let shader = engine.prepare(&program).expect("the engine compiles it");
            let mut quads = vec![QuadIo::default(); 2];
            shader.run(&bindings, &mut quads).expect("no loops");
            let name = engine.name();
            assert_eq!(quads[1].outputs[0], words.map(|word| [word; 4]), "{name}");
        }
    }
}

#[test]
fn images_that_cannot_be_sampled_are_an_error_before_anything_is_shaded() {
    let program = Program::assemble("mov o0, i0\ntex o1, i0, t0\nend").expect("a program");
    let program = program.validate().expect("a valid program");
    for (dimension, bound) in [
        (Dimension::Buffer, TextureShape::Buffer),
        (Dimension::D2Ms { samples: 2 }, TextureShape::D2Ms),
    ] {
        let texels = vec![[1.0; 4]; dimension.slices(Size::d1(1))];
        let image = Image::from_rgba32f(dimension, Size::d1(1), &texels).expect("a small image");
        let textures = only(image, Sampler::RESET);
        let bindings = Bindings::new().with_textures(&textures);
        let expected = RunError::TextureKind {
            unit: 0,
            bound,
            target: TextureTarget::Bound,
        };
        assert_eq!(
            expected.to_string(),
            format!(
                "texture unit 0 is bound to an image of the kind {bound}, which cannot be sampled"
            )
        );
        for engine in engines() {
            let shader = engine.prepare(&program).expect("the engine compiles it");
            let mut quads = vec![QuadIo::default(); 2];
            let untouched = quads.clone();
            let result = shader.run(&bindings, &mut quads);
            assert_eq!(result, Err(expected.clone()), "{}", engine.name());
            assert_eq!(quads, untouched);
        }
    }
}

#[test]
fn a_unit_of_another_kind_than_a_target_names_is_an_error() {
    let textures = textures();
    let bindings = Bindings::new().with_textures(&textures);
    let named = |shape| TextureTarget::Named {
        shape,
        shadow: true,
    };
    assert_eq!(bindings.check_unit(5, named(TextureShape::D2Array)), Ok(()));
    let error = bindings.check_unit(5, named(TextureShape::D2));
    assert_eq!(
        error.expect_err("it is an array").to_string(),
        "texture unit 5 is bound to an image of the kind 2d_array, which the program reads as shadow_2d"
    );
    let unbound = bindings.check_unit(9, named(TextureShape::D2));
    assert_eq!(unbound, Err(RunError::UnboundTexture { unit: 9 }));
}
