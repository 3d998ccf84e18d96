//! Instructions that name a target, on images that the JIT reads inline: it calls no texture unit, and
//! answers as the units do, bit for bit.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_shader::isa::{Stage, TextureShape};
use attila_shader::machine::{QuadReg, TextureQuery};
use attila_shader::texture::{
    Compare, Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, MipMode, Sampler,
    Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Engine, Program, QuadIo, TextureUnit};

/// Quads of a run.
const QUADS: usize = 200;

/// The words of lookups with every operand that the rows have; `KIND` stands for the target.
const LOOKUPS: &str = "\
    mov r0, i1\nmov r1, i2\n\
    xtex o0, i0, t0.KIND\n\
    xtex_lz o1, i0, t0.KIND\n\
    xtxb o2, i0, i1.x, t0.KIND\n\
    xtxl o3, i0, i1.y, t0.KIND\n\
    xtxd o4, i0, r0, t0.KIND\n\
    xtex_o r2, i0, i3, t0.KIND\nxtxd_o o5, i0, r0, c0, t0.KIND\n\
    txf o6, i3, t0.KIND\n\
    txf_o r3, i3, c0, t0.KIND\nxtxl_o o7, i0, i1.z, c0, t0.KIND\n\
    txq o8, i3.w, t0.KIND\nmov o9, r2\nmov o10, r3\n\
    tg4.z o11, i0, t0.KIND\ntg4_o.w o12, i0, c0, t0.KIND\n\
    lodq o13, i0, t0.KIND\n";

/// Textures, and how often they are asked.
struct Asked {
    textures: Textures,
    count: AtomicUsize,
}

impl TextureUnit for Asked {
    fn has_unit(&self, unit: u8) -> bool {
        self.textures.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.textures.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.textures.answer(query)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.textures.as_any()
    }

    fn in_any_order(&self) -> bool {
        self.textures.in_any_order()
    }
}

/// Numbers without a pattern.
fn noise(n: usize) -> u32 {
    let mixed = (n as u32).wrapping_mul(0x9e37_79b9);
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b)
}

/// Coordinates and layers on small images and around them, and now and then a wild one.
fn coordinate(n: usize) -> f32 {
    const WILD: [f32; 8] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e30,
        -3e9,
        -0.0,
        0.5,
        1.5,
    ];
    match noise(n) >> 16 {
        wild if wild.is_multiple_of(11) => WILD[(wild / 11) as usize % WILD.len()],
        number => (number % 997) as f32 / 166.0 - 1.0,
    }
}

/// Places on small images and around them, and now and then a wild one.
fn place(n: usize) -> i32 {
    match noise(n) >> 16 {
        wild if wild.is_multiple_of(13) => [i32::MIN, i32::MAX, -1, 1 << 16][wild as usize % 4],
        number => (number % 9) as i32 - 1,
    }
}

/// Quads with coordinates in i0, derivatives in i1 and i2, and integers in i3.
fn quads() -> Vec<QuadIo> {
    let quad = |quad: usize| {
        let mut io = QuadIo::default();
        for input in 0..3 {
            let at = |lane: usize| [0, 1, 2, 3].map(|c| 64 * quad + 16 * input + 4 * lane + c);
            io.set_input(input, [0, 1, 2, 3].map(|lane| at(lane).map(coordinate)));
        }
        let at = |lane: usize| [0, 1, 2, 3].map(|c| 64 * quad + 48 + 4 * lane + c);
        let words = |n: usize| f32::from_bits(place(n).cast_unsigned());
        io.set_input(3, [0, 1, 2, 3].map(|lane| at(lane).map(words)));
        io
    };
    (0..QUADS).map(quad).collect()
}

/// Images of noise of every kind that the JIT reads inline.
fn images() -> Vec<Image> {
    [
        (Dimension::D2, Size::d2(7, 5), Format::Rgba8),
        (Dimension::D2, Size::d2(6, 5), Format::Depth24),
        (
            Dimension::D2Array { layers: 2 },
            Size::d2(3, 5),
            Format::Depth32F,
        ),
        (Dimension::Cube, Size::cube(3), Format::Depth24),
        (Dimension::D1, Size::d1(9), Format::Rgba8),
        (Dimension::D1Array { layers: 3 }, Size::d1(6), Format::Bgra8),
        (Dimension::D3, Size::d3(5, 4, 6), Format::Rgb888),
        (Dimension::D3, Size::d3(3, 7, 2), Format::Rgb101010),
        (Dimension::Rect, Size::d2(7, 5), Format::Rgba8),
        (Dimension::Cube, Size::cube(4), Format::Rgba8),
        (
            Dimension::D2Array { layers: 4 },
            Size::d2(5, 6),
            Format::Rgba8,
        ),
        (
            Dimension::CubeArray { cubes: 3 },
            Size::cube(3),
            Format::Rgba8,
        ),
        (
            Dimension::D2Array { layers: 3 },
            Size::d2(4, 4),
            Format::Rgba8Sint,
        ),
        (Dimension::D2, Size::d2(4, 3), Format::R32Uint),
    ]
    .map(|(dimension, size, format)| {
        let [width, height, _] = size.axes();
        let count = width * height * dimension.slices(size) as u32;
        // All of these formats have four bytes.
        let bytes: Vec<u8> = (0..4 * count as usize)
            .map(|n| (noise(n) >> 24) as u8)
            .collect();
        let image = Image::from_levels(dimension, format, size, &[&bytes]);
        let image = image.and_then(Image::with_mipmaps);
        image.expect("the size fits")
    })
    .into()
}

/// Samplers of every filter. Rectangles do not repeat.
fn samplers(dimension: Dimension) -> [Sampler; 6] {
    let repeats = match dimension == Dimension::Rect {
        true => Wrap::ClampToBorder,
        false => Wrap::Repeat,
    };
    [
        Sampler {
            wrap: [repeats, Wrap::ClampToEdge, Wrap::Clamp],
            ..Sampler::RESET
        },
        Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: MipMode::Linear,
            wrap: [repeats; 3],
            cube_faces: CubeFaces::PerQuad,
            ..Sampler::RESET
        },
        Sampler {
            min: Filter::Linear,
            mip: MipMode::Nearest,
            base_level: usize::from(dimension != Dimension::Rect),
            wrap: [Wrap::ClampToBorder, Wrap::Clamp, Wrap::Clamp],
            border: [0.25, -1.0, 3e9, 7.5],
            ..Sampler::RESET
        },
        Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: MipMode::Nearest,
            wrap: [repeats; 3],
            coordinates: Coordinates::Texels,
            ..Sampler::RESET
        },
        Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: MipMode::Linear,
            max_anisotropy: 5,
            wrap: [repeats; 3],
            ..Sampler::RESET
        },
        Sampler {
            min: Filter::Linear,
            max_anisotropy: 16,
            wrap: [Wrap::ClampToEdge; 3],
            ..Sampler::RESET
        },
    ]
}

/// The results of a program, and how often it asked the units.
fn run(engine: &Engine, (text, stage): (&str, Stage), texture: Texture) -> (Vec<QuadIo>, usize) {
    let program = Program::assemble(text).unwrap_or_else(|error| panic!("{text}{error}"));
    let program = program
        .with_stage(stage)
        .validate()
        .expect("the program is valid");
    let shader = engine.prepare(&program).expect("it is compiled");
    let mut textures = Textures::new();
    textures.bind(0, texture).expect("there is unit 0");
    let asked = Asked {
        textures,
        count: AtomicUsize::new(0),
    };
    let mut bindings = Bindings::new().with_textures(&asked);
    bindings.set_constant_bits(0, [2, u32::MAX, 1, 0]);
    let mut quads = quads();
    shader.run(&bindings, &mut quads).expect("it runs");
    (quads, asked.count.into_inner())
}

/// The first output that differs. NaN is NaN.
fn difference(expected: &[QuadIo], got: &[QuadIo]) -> Option<String> {
    let is_nan = |word: u32| f32::from_bits(word).is_nan();
    for (n, (expected, got)) in expected.iter().zip(got).enumerate() {
        for (output, (a, b)) in expected.outputs.iter().zip(&got.outputs).enumerate() {
            let lanes = a.as_flattened().iter().zip(b.as_flattened());
            let mut words = lanes.filter(|&(&a, &b)| a != b && !(is_nan(a) && is_nan(b)));
            if let Some((a, b)) = words.next() {
                return Some(format!("quad {n}, o{output}: {b:08x} instead of {a:08x}"));
            }
        }
    }
    None
}

#[test]
fn lookups_of_images_of_every_kind_are_answered_inline() {
    let (interp, ir) = (
        Engine::interp(),
        Engine::ir().expect("this machine is known"),
    );
    let jit = Engine::jit().expect("this machine is known");
    for image in images().into_iter().map(Arc::new) {
        let dimension = image.dimension();
        let kind = dimension.kind();
        for stage in [Stage::Fragment, Stage::Vertex] {
            let text = LOOKUPS.replace("KIND", kind.name());
            let text = format!(".extended\n{text}end\n");
            for sampler in samplers(dimension) {
                let texture = || Texture::new(image.clone(), sampler).expect("the sampler fits");
                let (expected, asked) = run(&interp, (&text, stage), texture());
                assert_eq!(asked, 14 * QUADS);
                for engine in [&ir, &jit] {
                    let (got, asked) = run(engine, (&text, stage), texture());
                    let name = engine.name();
                    assert_eq!(
                        difference(&expected, &got),
                        None,
                        "{name} {kind} {sampler:?}"
                    );
                    assert_eq!(asked, 0, "{name} {kind}");
                }
            }
        }
    }
}

/// The same of texels that are compared with components of the coordinates and with an operand, and of
/// texels that are not.
const COMPARISONS: &str = "\
    mov r0, i1\nmov r1, i2\n\
    xtex o0, i0, t0.shadow_KIND\nxtex o1, i0, i1.x, t0.shadow_KIND\n\
    xtex_lz o2, i0, i1.y, t0.shadow_KIND\nxtxl o3, i0, i1.y, t0.shadow_KIND\n\
    xtxb o4, i0, i1.z, t0.shadow_KIND\nxtxd o5, i0, r0, t0.shadow_KIND\n\
    xtex o6, i0, t0.KIND\ntxf o7, i3, t0.KIND\n\
    tg4 o8, i0, t0.shadow_KIND\ntg4 o9, i0, i1.x, t0.shadow_KIND\n\
    tg4.y o10, i0, t0.KIND\n";

#[test]
fn comparisons_are_made_inline() {
    let (interp, jit) = (
        Engine::interp(),
        Engine::jit().expect("this machine is known"),
    );
    let ir = Engine::ir().expect("this machine is known");
    // Images with three axes have no targets that compare.
    let comparable = images()
        .into_iter()
        .filter(|image| !image.format().is_integer() && image.dimension() != Dimension::D3);
    let compares = Compare::ALL.into_iter().map(Some).chain([None]);
    let mut compares = compares.cycle();
    for image in comparable.map(Arc::new) {
        let dimension = image.dimension();
        let kind = dimension.kind();
        let text = COMPARISONS.replace("KIND", kind.name());
        let text = format!(".extended\n{text}end\n");
        for sampler in samplers(dimension) {
            for depth_mode in [
                DepthMode::Components,
                DepthMode::Luminance,
                DepthMode::Intensity,
                DepthMode::Alpha,
            ] {
                let sampler = Sampler {
                    compare: compares.next().flatten(),
                    depth_mode,
                    ..sampler
                };
                let texture = || Texture::new(image.clone(), sampler).expect("the sampler fits");
                let (expected, _) = run(&interp, (&text, Stage::Fragment), texture());
                for engine in [&ir, &jit] {
                    let (got, asked) = run(engine, (&text, Stage::Fragment), texture());
                    let differs = difference(&expected, &got);
                    assert_eq!(differs, None, "{} {kind} {sampler:?}", engine.name());
                    assert_eq!(asked, 0, "{kind}");
                }
            }
        }
    }
}

#[test]
fn images_that_nothing_else_is_asked_about_have_sizes_and_levels_inline() {
    let interp = Engine::interp();
    let jit = Engine::jit().expect("this machine is known");
    let image = Arc::new(images().remove(0));
    for lookup in ["txq o0, i3.w, t0.2d", "lodq o0, i0, t0.2d"] {
        let text = format!(".extended\n{lookup}\nend");
        let sampler = samplers(image.dimension())[1];
        let texture = || Texture::new(image.clone(), sampler).expect("the sampler fits");
        let (expected, _) = run(&interp, (&text, Stage::Fragment), texture());
        let (got, asked) = run(&jit, (&text, Stage::Fragment), texture());
        assert_eq!(difference(&expected, &got), None, "{lookup}");
        assert_eq!(asked, 0, "{lookup}");
    }
}

#[test]
fn computed_units_are_asked_for() {
    let jit = Engine::jit().expect("this machine is known");
    let text = ".extended\nxtex o0, i0, t0.2d\n\
                arl a0.x, c1.x\nxtex o1, i0, t0[a0.x].2d\nend";
    let image = Arc::new(images().remove(0));
    let texture = || Texture::new(image.clone(), Sampler::RESET).expect("the sampler fits");
    let (expected, _) = run(&Engine::interp(), (text, Stage::Fragment), texture());
    let (got, asked) = run(&jit, (text, Stage::Fragment), texture());
    assert_eq!(difference(&expected, &got), None);
    assert_eq!(asked, QUADS);
}
