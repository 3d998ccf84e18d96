//! Lookups of each kind that the JIT makes inline, against the plain lookup of a 2D image: images with one
//! axis and with three, rectangles, cubes, arrays, offsets, gradients, comparisons, gathers, the level of
//! detail, anisotropic filters, and fetches of texels at integers.
//!
//! `cargo bench --bench lookups` draws a picture per program, on one thread, in turns, so that a disturbance
//! hits all of them. The best of many rounds counts. Fetches are compared with the nearest filter. The last
//! column is the same program with a texture unit that the JIT has to call.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use attila_shader::draw::{ColourBuffer, ColourImage, Draw, PreparedDraw, Varying};
use attila_shader::isa::TextureShape;
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::machine::{QuadReg, TextureQuery};
use attila_shader::texture::{
    Compare, Dimension, Filter, Format, Image, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Engine, Program, TextureUnit};

/// Pixels along each side of the picture.
const SIDE: u32 = 1024;
/// Texels along each side of an image.
const TEXELS: u32 = 256;
/// Layers of an array, which has as many texels as the other images.
const LAYERS: u32 = 4;
/// Rounds, in each of which every program draws once.
const ROUNDS: usize = 60;

/// A program with its image.
struct Lookup {
    name: &'static str,
    /// The instructions. i6 has s, t, a layer and 0, i7 the same with s and t in texels. i8 has s and t of
    /// which s is eight texels from a pixel to the next, and t one.
    text: &'static str,
    image: Kind,
    has_levels: bool,
    /// The comparison of texels.
    compare: Option<Compare>,
    max_anisotropy: u32,
}

/// A kind of image, and its size.
type Kind = (Dimension, Size);

const D2: Kind = (Dimension::D2, Size::d2(TEXELS, TEXELS));
const RECT: Kind = (Dimension::Rect, Size::d2(TEXELS, TEXELS));
const D2_ARRAY: Kind = (
    Dimension::D2Array { layers: LAYERS },
    Size::d2(TEXELS / 2, TEXELS / 2),
);
/// Almost as many texels as the others.
const CUBE: Kind = (Dimension::Cube, Size::cube(104));
const D3: Kind = (Dimension::D3, Size::d3(40, 40, 40));
const D1: Kind = (Dimension::D1, Size::d1(4096));
const D1_ARRAY: Kind = (Dimension::D1Array { layers: 16 }, Size::d1(4096));

impl Lookup {
    const fn new(name: &'static str, text: &'static str, image: Kind) -> Lookup {
        Lookup {
            name,
            text,
            image,
            has_levels: false,
            compare: None,
            max_anisotropy: 1,
        }
    }

    const fn compared(name: &'static str, text: &'static str, image: Kind) -> Lookup {
        Lookup {
            compare: Some(Compare::LessEqual),
            ..Lookup::new(name, text, image)
        }
    }

    const fn anisotropic(name: &'static str, text: &'static str) -> Lookup {
        Lookup {
            has_levels: true,
            max_anisotropy: 8,
            ..Lookup::new(name, text, D2)
        }
    }
}

/// The first is the plain lookup.
const SAMPLES: [Lookup; 19] = [
    Lookup::new("2d", "tex o1, i6, t0", D2),
    Lookup::new("2d, target", "xtex o1, i6, t0.2d", D2),
    Lookup::new("rect", "xtex o1, i7, t0.rect", RECT),
    Lookup::new("2d_array", "xtex o1, i6, t0.2d_array", D2_ARRAY),
    Lookup::new("offset", "xtex_o o1, i6, c1, t0.2d", D2),
    Lookup::new(
        "gradients",
        "mov r0, c2\nmov r1, c3\nxtxd o1, i6, r0, t0.2d",
        D2,
    ),
    Lookup::new("cube", "tex o1, i6, t0", CUBE),
    Lookup::new("3d", "tex o1, i6, t0", D3),
    Lookup::new("1d", "tex o1, i6, t0", D1),
    Lookup::new("1d_array", "xtex o1, i6, t0.1d_array", D1_ARRAY),
    Lookup::compared("compared", "tex o1, i6, t0", D2),
    Lookup::compared(
        "compared 2d_array",
        "xtex o1, i6, t0.shadow_2d_array",
        D2_ARRAY,
    ),
    Lookup::compared("compared cube", "tex o1, i6, t0", CUBE),
    Lookup::new("gather", "tg4.y o1, i6, t0.2d", D2),
    Lookup::compared("compared gather", "tg4 o1, i6, t0.shadow_2d", D2),
    Lookup::new("level of detail", "lodq o1, i6, t0.2d", D2),
    Lookup::anisotropic("anisotropy 8", "tex o1, i8, t0"),
    Lookup::anisotropic("anisotropy 8, round", "tex o1, i6, t0"),
    Lookup::anisotropic(
        "anisotropy 8, gradients",
        "mov r0, c5\nmov r1, c6\nxtxd o1, i6, r0, t0.2d",
    ),
];

const FETCHES: [Lookup; 6] = [
    Lookup::new("fetch", "f2i r0, i7\ntxf o1, r0, t0.2d", D2),
    Lookup::new("fetch rect", "f2i r0, i7\ntxf o1, r0, t0.rect", RECT),
    Lookup::new(
        "fetch 2d_array",
        "f2i r0, i7\ntxf o1, r0, t0.2d_array",
        D2_ARRAY,
    ),
    Lookup::new("fetch offset", "f2i r0, i7\ntxf_o o1, r0, c1, t0.2d", D2),
    Lookup {
        has_levels: true,
        ..Lookup::new(
            "fetch level 0 of many",
            "f2i r0, i7\nmov r0.w, c4\ntxf o1, r0, t0.2d",
            D2,
        )
    },
    Lookup {
        has_levels: true,
        ..Lookup::new("fetch level per lane", "f2i r0, i7\ntxf o1, r0, t0.2d", D2)
    },
];

/// The textures, wrapped in a type that the JIT does not recognise.
struct Opaque(Textures);

impl TextureUnit for Opaque {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.0.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        self.0.answer(query)
    }
}

/// Noise with as many texels for every kind.
fn textures(lookup: &Lookup, filter: Filter) -> Textures {
    let (dimension, size) = lookup.image;
    let format = match lookup.compare {
        Some(_) => Format::Depth24,
        None => Format::Rgba8,
    };
    let [width, height, _] = size.axes();
    let bytes = dimension.slices(size) * format.slice_bytes(width, height);
    let bytes: Vec<u8> = (0..bytes as u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let image = Image::from_levels(dimension, format, size, &[&bytes]);
    let image = match lookup.has_levels {
        true => image.and_then(Image::with_mipmaps),
        false => image,
    };
    let sampler = Sampler {
        mag: filter,
        min: filter,
        wrap: [Wrap::ClampToEdge; 3],
        compare: lookup.compare,
        max_anisotropy: lookup.max_anisotropy,
        ..Sampler::RESET
    };
    let texture = Texture::new(Arc::new(image.expect("the bytes fit")), sampler);
    let mut textures = Textures::new();
    let bound = textures.bind(0, texture.expect("the sampler fits"));
    bound.expect("there is unit 0");
    textures
}

/// The planes of an input with s and t from 0 to `texels`, a little askew, and the layers.
fn planes(texels: u32) -> [Plane; 4] {
    let (step, askew) = (
        texels as f32 / SIDE as f32,
        0.1 * texels as f32 / SIDE as f32,
    );
    let layers = LAYERS as f32 / SIDE as f32;
    [
        (0.9 * step, askew),
        (-askew, step),
        (0.0, layers),
        (0.0, 0.0),
    ]
    .map(|(dx, dy)| Plane { at: 0.0, dx, dy })
}

/// The planes of an input with steps of eight texels along x and of one along y.
fn stretched() -> [Plane; 4] {
    let texel = 1.0 / TEXELS as f32;
    [(8.0 * texel, 0.0), (0.0, texel), (0.0, 0.0), (0.0, 0.0)].map(|(dx, dy)| Plane {
        at: 0.0,
        dx,
        dy,
    })
}

/// A program that draws, with inline lookups or with calls.
struct Contender {
    name: String,
    draw: PreparedDraw,
    units: Box<dyn TextureUnit>,
    /// Whether the lines before it end here.
    opens: bool,
    /// Seconds of its fastest draw.
    best: f64,
}

impl Contender {
    fn new(lookup: &Lookup, name: String, units: Box<dyn TextureUnit>) -> Contender {
        let text = format!(".extended\n{}\nend", lookup.text);
        let program = Program::assemble(&text).expect("the text is right");
        let program = program.validate().expect("the program is valid");
        let engine = Engine::jit().expect("the JIT knows this machine");
        let shader = engine.prepare(&program).expect("it compiles");
        let mut image = ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE);
        let draw = Draw::new(&shader)
            .target(0, &mut image)
            .threads(1)
            .varying(6, Varying::linear(planes(1)))
            .varying(7, Varying::linear(planes(lookup.image.1.width)))
            .varying(8, Varying::linear(stretched()));
        Contender {
            name,
            draw: draw.prepare().expect("the draw is right"),
            units,
            opens: false,
            best: f64::INFINITY,
        }
    }

    /// Draws into the pixels.
    fn draw(&mut self, pixels: &mut [u8]) {
        let mut bindings = Bindings::new()
            .with_constant(2, [1.0 / 1024.0, 0.0, 0.0, 0.0])
            .with_constant(3, [0.0, 1.0 / 1024.0, 0.0, 0.0])
            .with_constant(5, [8.0 / TEXELS as f32, 0.0, 0.0, 0.0])
            .with_constant(6, [0.0, 1.0 / TEXELS as f32, 0.0, 0.0])
            .with_textures(&*self.units);
        bindings.set_constant_bits(1, [1, 2, 0, 0]);
        let target = ColourBuffer::new(ColourFormat::Rgba8, SIDE, SIDE, pixels);
        let mut frame = self.draw.frame(&bindings).target(0, target);
        frame.rect(0..SIDE, 0..SIDE).expect("the draw is right");
    }
}

/// A contender that samples inline and one that calls, with the same picture.
fn pair(lookup: &Lookup, filter: Filter) -> [Contender; 2] {
    let filtered = match filter {
        Filter::Nearest => "nearest",
        Filter::Linear => "bilinear",
    };
    let name = format!("{filtered} {}", lookup.name);
    let units = textures(lookup, filter);
    let mut contenders = [
        Contender::new(lookup, name.clone(), Box::new(units.clone())),
        Contender::new(lookup, name, Box::new(Opaque(units))),
    ];
    let pictures = contenders.each_mut().map(|contender| {
        let mut pixels = vec![0; 4 * (SIDE * SIDE) as usize];
        contender.draw(&mut pixels);
        pixels
    });
    assert!(pictures[0] == pictures[1], "{}: two pictures", lookup.name);
    contenders
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    let rounds = if only_try { 1 } else { ROUNDS };
    let nearest = SAMPLES.iter().chain(&FETCHES);
    let nearest = nearest.map(|lookup| pair(lookup, Filter::Nearest));
    let linear = SAMPLES.iter().map(|lookup| pair(lookup, Filter::Linear));
    let mut pairs: Vec<[Contender; 2]> = nearest.chain(linear).collect();
    pairs[0][0].opens = true;
    pairs[SAMPLES.len() + FETCHES.len()][0].opens = true;
    let mut pixels = vec![0; 4 * (SIDE * SIDE) as usize];
    for round in 0..rounds {
        for [inlined, called] in &mut pairs {
            // Calls take long.
            let both = [Some(inlined), (round % 30 == 0).then_some(called)];
            for contender in both.into_iter().flatten() {
                let start = Instant::now();
                contender.draw(&mut pixels);
                contender.best = contender.best.min(start.elapsed().as_secs_f64());
            }
        }
    }
    let mut out = io::stdout();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8, 1 thread\n{:<30}{:>10}{:>10}{:>10}",
        "", "inline", "/ 2d", "called"
    )?;
    let mut plain = f64::INFINITY;
    for [inlined, called] in &pairs {
        if inlined.opens {
            plain = inlined.best;
        }
        let speed = |seconds: f64| f64::from(SIDE * SIDE) / seconds / 1e6;
        writeln!(
            out,
            "{:<30}{:>10.1}{:>10.2}{:>10.1}",
            inlined.name,
            speed(inlined.best),
            plain / inlined.best,
            speed(called.best)
        )?;
    }
    Ok(())
}
