//! Random cases.

use attila_scene::images::ImageBytes;
use attila_shader::isa::{Program, Stage, TextureShape};
use attila_shader::machine::{Lanes, QuadState};
use attila_shader::texture::{
    Compare, Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, LodOrigin,
    MAX_ANISOTROPY, MipMode, Sampler, Size, Srgb, Wrap,
};

use super::Scope;
use crate::case::Case;
use crate::dice::Dice;

/// Quads of a case.
const QUADS: usize = 16;

/// In a hundred: how many images are so large that engines may keep their texels as bytes.
const LARGE: u8 = 1;
/// Such an image's sides.
const LARGE_SIDES: [u32; 2] = [400, 331];
/// A layer's sides, of such an image with at least three.
const LARGE_LAYER_SIDES: [u32; 2] = [201, 170];
const SIDES: [u32; 9] = [1, 2, 3, 4, 5, 7, 8, 16, 33];
/// Sides of boxes, which would be large otherwise.
const DEEP_SIDES: [u32; 6] = [1, 2, 3, 5, 7, 8];
/// Layers of arrays.
const LAYERS: [u32; 4] = [1, 2, 3, 6];
/// Samples of texels.
const SAMPLES: [u32; 4] = [1, 2, 4, 8];
const WILD: [f32; 10] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    3e9,
    -1e-30,
    1e-45,
    0.0,
    -0.0,
];

/// Programs with each instruction, several textures, sums of samples, and lanes that go different
/// ways.
const PROGRAMS: [&str; 9] = [
    "tex o0, i0, t0\nend",
    "txl o0, i0, t0\nend",
    "txb o0, i0, t0\nend",
    "txp o0, i0, t0\nend",
    "tex r0, i0, t0\nmad r0, r0, c0, i1\ntex o0.xz, r0.yxzw, t1\nmov o1, r0\nend",
    "tex r0, i0, t0\ntex r1, i1, t0\nmul r0, r0, c0.x\nmad o0, r1, -c1.y, r0\nend",
    "tex r0, i0, t0\ntex r1, i1.yxzw, t0\ntex r2, i1, t1\nadd r1, r0, -r1\nmin o0, r1, r2\n\
     mad o1.xyz, r1, r2, c0.y\nadd o2, r2, r0.yxzw\nend",
    "setpgt p0, i0.x, 0\nmov r0, i1\n(p0) tex r0.xw, i0, t0\n(!p0) txl r0.yz, i1, t1\nmov o0, r0\n\
     end",
    "setpgt p0, i0.x, 0\nmov r0, i1\nmov r1, i0\njmp p0, 3\nmul r1, i0, c1\ntex r0, r1, t0\n\
     setpgt p1, i1.y, 0\njmp p1, 2\ntxb r0, i1, t1\nadd o0, r0, r1\nend",
];

/// The wrap modes that fit rectangles.
const WRAPS_OF_RECTANGLES: [Wrap; 3] = [Wrap::Clamp, Wrap::ClampToEdge, Wrap::ClampToBorder];

/// The formats of [`Scope::Inlinable`].
pub const INLINED_FORMATS: [Format; 10] = [
    Format::Depth24,
    Format::Rgba8,
    Format::Bgra8,
    Format::L8,
    Format::A8,
    Format::L8A8,
    Format::Rgba16F,
    Format::Rgba32F,
    Format::R32Uint,
    Format::Rgba8Sint,
];

/// Makes a case. The same words of the generator give the same case.
///
/// # Panics
///
/// If one of the programs is wrong: an error in this module.
pub(crate) fn case(dice: &mut Dice<'_>, scope: Scope) -> Case {
    let text = dice.pick(&PROGRAMS);
    let stage = dice.weighted(&[(4, Stage::Fragment), (1, Stage::Vertex)]);
    let program = Program::assemble(text).unwrap_or_else(|error| panic!("{error}"));
    let program = program.with_stage(stage).validate();
    let textures = (0..2).map(|_| texture(dice, scope)).collect();
    let quad = |_| {
        let mut quad = QuadState::default();
        for index in 0..2 {
            quad.io.set_input(index, coordinates(dice));
        }
        quad
    };
    Case {
        quads: (0..QUADS).map(quad).collect(),
        constants: [(0, 0.25_f32), (1, 3.0)]
            .map(|(index, value)| (index, [value.to_bits(); 4]))
            .into(),
        textures,
        ..Case::new(program.unwrap_or_else(|error| panic!("{error}")))
    }
}

/// An image and a sampler that fits it.
pub(crate) fn texture(dice: &mut Dice<'_>, scope: Scope) -> (ImageBytes, Sampler) {
    let image = image(dice, scope);
    let sampler = sampler(dice, &image);
    (image, sampler)
}

/// An image of a kind, and a sampler that fits it.
pub(crate) fn of_kind(dice: &mut Dice<'_>, shape: TextureShape) -> (ImageBytes, Sampler) {
    let image = image_of_kind(dice, shape);
    let mut sampler = sampler(dice, &image);
    if dice.percent(30) {
        sampler.compare = Some(compare(dice));
    }
    (image, sampler)
}

/// An image of a kind.
fn image_of_kind(dice: &mut Dice<'_>, shape: TextureShape) -> ImageBytes {
    let dimension = dimension(dice, shape);
    let format = format(dice);
    let image = image_of(dice, dimension, format);
    match image.shape().image_bytes() {
        Ok(_) => image,
        // Only some kinds have compressed texels.
        Err(_) => image_of(dice, dimension, format.stored()),
    }
}

/// An image of random bytes: floats of all kinds come up.
fn image(dice: &mut Dice<'_>, scope: Scope) -> ImageBytes {
    let (dimension, format) = kind(dice, scope);
    image_of(dice, dimension, format)
}

/// An image with the given kind and format.
fn image_of(dice: &mut Dice<'_>, dimension: Dimension, format: Format) -> ImageBytes {
    let size = match dimension {
        Dimension::D1 | Dimension::D1Array { .. } | Dimension::Buffer => {
            Size::d1(dice.pick(&SIDES))
        }
        Dimension::D2 | Dimension::Rect if dice.percent(LARGE) => {
            Size::d2(LARGE_SIDES[0], LARGE_SIDES[1])
        }
        Dimension::D2Array { .. } if dice.percent(LARGE) => {
            Size::d2(LARGE_LAYER_SIDES[0], LARGE_LAYER_SIDES[1])
        }
        Dimension::D2
        | Dimension::Rect
        | Dimension::D2Array { .. }
        | Dimension::D2Ms { .. }
        | Dimension::D2MsArray { .. } => Size::d2(dice.pick(&SIDES), dice.pick(&SIDES)),
        Dimension::D3 if dice.percent(LARGE) => Size::d3(61, 53, 47),
        Dimension::D3 => {
            let [width, height, depth] = [(); 3].map(|()| dice.pick(&DEEP_SIDES));
            Size::d3(width, height, depth)
        }
        Dimension::Cube | Dimension::CubeArray { .. } => Size::cube(dice.pick(&SIDES)),
    };
    let most = dimension.most_levels(size);
    let count = if dice.percent(25) { 1 } else { most };
    let level = |level: usize| {
        let bytes = ImageBytes::level_bytes(dimension, format, size.level(level));
        (0..bytes).map(|_| dice.word() as u8).collect()
    };
    ImageBytes {
        dimension,
        format,
        size,
        levels: (0..count).map(level).collect(),
    }
}

/// A kind of image with its numbers.
fn dimension(dice: &mut Dice<'_>, shape: TextureShape) -> Dimension {
    let mut layers = || dice.pick(&LAYERS);
    match shape {
        TextureShape::D1 => Dimension::D1,
        TextureShape::D2 => Dimension::D2,
        TextureShape::D3 => Dimension::D3,
        TextureShape::Cube => Dimension::Cube,
        TextureShape::Rect => Dimension::Rect,
        TextureShape::Buffer => Dimension::Buffer,
        TextureShape::D1Array => Dimension::D1Array { layers: layers() },
        TextureShape::D2Array => Dimension::D2Array { layers: layers() },
        TextureShape::CubeArray => Dimension::CubeArray { cubes: layers() },
        TextureShape::D2Ms => Dimension::D2Ms {
            samples: dice.pick(&SAMPLES),
        },
        TextureShape::D2MsArray => Dimension::D2MsArray {
            layers: layers(),
            samples: dice.pick(&SAMPLES),
        },
    }
}

/// The kinds of images of [`Scope::Inlinable`].
pub const INLINED_KINDS: [TextureShape; 8] = [
    TextureShape::D1,
    TextureShape::D1Array,
    TextureShape::D2,
    TextureShape::D3,
    TextureShape::Rect,
    TextureShape::Cube,
    TextureShape::D2Array,
    TextureShape::CubeArray,
];

/// Images with two axes and plain formats, for which engines have code of their own, come up more
/// often than the rest.
fn kind(dice: &mut Dice<'_>, scope: Scope) -> (Dimension, Format) {
    match scope {
        Scope::All => {
            let shape = dice.weighted(&[
                (1, TextureShape::D1),
                (4, TextureShape::D2),
                (1, TextureShape::D3),
                (2, TextureShape::Cube),
                (1, TextureShape::Rect),
                (1, TextureShape::D1Array),
                (2, TextureShape::D2Array),
                (1, TextureShape::CubeArray),
            ]);
            let format = format(dice);
            (dimension(dice, shape), format)
        }
        Scope::Inlinable => {
            let shape = dice.pick(&INLINED_KINDS);
            (dimension(dice, shape), dice.pick(&INLINED_FORMATS))
        }
    }
}

/// A format, often a plain one.
fn format(dice: &mut Dice<'_>) -> Format {
    if dice.percent(50) {
        dice.pick(&INLINED_FORMATS)
    } else {
        dice.pick(Format::ALL)
    }
}

/// A sampler for an image.
fn sampler(dice: &mut Dice<'_>, image: &ImageBytes) -> Sampler {
    let filters = [Filter::Nearest, Filter::Linear];
    let last_base = dice.below(image.levels.len());
    let wraps = match image.dimension {
        Dimension::Rect => &WRAPS_OF_RECTANGLES[..],
        Dimension::D1
        | Dimension::D2
        | Dimension::D3
        | Dimension::Cube
        | Dimension::Buffer
        | Dimension::D1Array { .. }
        | Dimension::D2Array { .. }
        | Dimension::CubeArray { .. }
        | Dimension::D2Ms { .. }
        | Dimension::D2MsArray { .. } => &Wrap::ALL,
    };
    let lod_min = dice.pick(&[0.0, 0.0, -2.0, 0.75, 1.5]);
    let anisotropies = [(9, 1), (1, 2), (1, 5), (1, MAX_ANISOTROPY)];
    Sampler {
        mag: dice.pick(&filters),
        min: dice.pick(&filters),
        mip: dice.pick(&[MipMode::None, MipMode::Nearest, MipMode::Linear]),
        wrap: [(); 3].map(|()| dice.pick(wraps)),
        lod_min,
        lod_max: lod_min + dice.pick(&[0.0, 0.5, 2.0, 14.0]),
        lod_bias: dice.pick(&[0.0, 0.0, 1.5, -0.5, 2000.0]),
        base_level: if dice.percent(50) { 0 } else { last_base },
        max_level: last_base + dice.pick(&[0, 1, 14]),
        max_anisotropy: dice.weighted(&anisotropies),
        border: [(); 4].map(|()| dice.within(-1.0, 2.0)),
        compare: dice.percent(15).then(|| compare(dice)),
        coordinates: dice.pick(&[Coordinates::Normalised, Coordinates::Texels]),
        srgb: dice.pick(&[Srgb::Linear, Srgb::Linear, Srgb::Power, Srgb::Standard]),
        lod_origin: dice.pick(&[LodOrigin::Level0, LodOrigin::Base]),
        cube_faces: dice.pick(&[CubeFaces::PerLane, CubeFaces::PerQuad]),
        depth_mode: dice.pick(&DepthMode::ALL),
    }
}

fn compare(dice: &mut Dice<'_>) -> Compare {
    dice.pick(&Compare::ALL)
}

/// Lanes around a random point, near each other or far apart, some of them gone wild.
pub(crate) fn coordinates(dice: &mut Dice<'_>) -> Lanes<[f32; 4]> {
    let reach = dice.pick(&[1.0, 1.0, 4.0, 40.0]);
    let step = dice.pick(&[0.001, 0.02, 0.3, 5.0]);
    let middle = [(); 4].map(|()| dice.within(-reach, reach));
    let mut lanes = [(); 4].map(|()| middle.map(|at| at + dice.within(-step, step)));
    for component in lanes.iter_mut().flatten() {
        if dice.below(40) == 0 {
            *component = dice.pick(&WILD);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::case::CaseOptions;
    use crate::subject::{self, Subject};

    fn cases(seed: u64, scope: Scope) -> impl Iterator<Item = Case> {
        (0..500).map(move |n| subject::case(seed, n, &CaseOptions::Textures(scope)))
    }

    #[test]
    fn every_generated_case_can_be_run() {
        for case in [Scope::All, Scope::Inlinable]
            .into_iter()
            .flat_map(|scope| cases(1, scope))
        {
            assert!(case.is_specified(), "{}", case.to_text(""));
        }
    }

    #[test]
    fn inlinable_cases_have_every_format_wrap_mode_and_filter() {
        let cases: Vec<Case> = cases(2, Scope::Inlinable).collect();
        let textures: Vec<_> = cases.iter().flat_map(|case| &case.textures).collect();
        let kinds: HashSet<_> = textures
            .iter()
            .map(|(image, _)| (image.dimension.kind(), image.format))
            .collect();
        let expected = INLINED_KINDS
            .into_iter()
            .flat_map(|kind| INLINED_FORMATS.map(|format| (kind, format)));
        assert_eq!(kinds, expected.collect());
        let wraps: HashSet<_> = textures
            .iter()
            .map(|(_, s)| [s.wrap[0], s.wrap[1]])
            .collect();
        assert_eq!(wraps.len(), 5 * 5);
        let filters: HashSet<_> = textures
            .iter()
            .map(|(_, s)| (s.mag, s.min, s.mip))
            .collect();
        assert_eq!(filters.len(), 2 * 2 * 3);
    }
}
