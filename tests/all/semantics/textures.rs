//! Texture instructions with real images: every engine samples what the texture unit does.

use std::sync::Arc;

use attila_shader::machine::{LaneMask, Lanes, LevelOfDetail, Lookup, TextureQuery};
use attila_shader::texture::{
    Dimension, Filter, Image, MipMode, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Program, QuadIo, RunError, Stage, TextureUnit};

use crate::common::engines;

/// Images of noise: a repeated trilinear one at unit 0, an anisotropic one at unit 1, a cube at unit 2 and
/// a 3D image at unit 3.
fn textures() -> Textures {
    let trilinear = Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: MipMode::Linear,
        wrap: [Wrap::Repeat; 3],
        ..Sampler::default()
    };
    let anisotropic = Sampler {
        max_anisotropy: 4,
        wrap: [Wrap::MirroredRepeat; 3],
        ..trilinear
    };
    let mut textures = Textures::new();
    for (unit, dimension, size, sampler) in [
        (0, Dimension::D2, Size::d2(16, 9), trilinear),
        (1, Dimension::D2, Size::d2(8, 8), anisotropic),
        (2, Dimension::Cube, Size::cube(5), trilinear),
        (3, Dimension::D3, Size::d3(4, 4, 3), trilinear),
    ] {
        let slices = if dimension == Dimension::Cube {
            6
        } else {
            size.depth
        };
        let count = size.width * size.height * slices;
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
    for unit in 0..4_u8 {
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
                    let want = textures.sample(&query(mnemonic, unit, coordinates(index)));
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
    let coords = [s, t, r];
    TextureQuery {
        unit,
        lookup: Lookup::Sample {
            coords: if projected {
                coords.map(divided)
            } else {
                coords
            },
            projected,
            level: match mnemonic {
                "txb" => LevelOfDetail::Bias(q),
                "txl" => LevelOfDetail::Explicit(q),
                _ => LevelOfDetail::Implicit,
            },
        },
        stage: Stage::Fragment,
        active: LaneMask::all(),
    }
}

#[test]
fn a_unit_without_a_texture_is_an_error_before_anything_is_shaded() {
    let textures = textures();
    let bindings = Bindings::new().with_textures(&textures);
    let program = Program::assemble("mov o0, i0\ntex o1, i0, t7\nend")
        .expect("a texture instruction")
        .validate()
        .expect("a valid program");
    for engine in engines() {
        let shader = engine.prepare(&program).expect("the engine compiles it");
        let mut quads = vec![QuadIo::default(); 2];
        let result = shader.run(&bindings, &mut quads);
        assert_eq!(result, Err(RunError::UnboundTexture { unit: 7 }));
    }
}
