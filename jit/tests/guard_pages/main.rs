//! For all coordinates of lanes, emitted code reads nothing outside of a texture: all textures here
//! lie directly after a page that must not be touched, or directly before one. `draws.rs` has the same
//! for everything else that code reads and writes.
//!
//! A failing test dies by a signal. Two checks keep a coordinate inside the texture: how it is
//! wrapped to an index, and the last texel, to which every index is limited when it is read. This
//! notices when both fail; the tests of the emitter notice the second, the comparison with the
//! reference sampler the first. The emitter's tests cover the texture's descriptor, too.
#![cfg(target_os = "linux")]

mod arena;
mod draws;

use std::hint::black_box;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use arena::{Guarding, Side, guarded, page};
use attila_isa::Program;
use attila_jit::{Cpu, Jit, JitOptions, Vectors};
use attila_machine::{Backend, Bindings, QuadIo};
use attila_texture::{
    Coordinates, CubeFaces, Decoding, Dimension, Filter, Format, Image, MipMode, Sampler, Size,
    Texture, Textures, Wrap,
};

#[global_allocator]
static ALLOCATOR: Guarding = Guarding;

const SIDES: [Side; 2] = [Side::Start, Side::End];

/// Every way to ask for a texel; the last component is the bias, the level or the divisor.
const PROGRAM: &str = "tex o0, i0, t0\ntxb o1, i0, t0\ntxl o2, i0, t0\ntxp o3, i0, t0\nend";

/// The same with integers, which are the bits of coordinates; `KIND` stands for the target.
const FETCHES: &str = ".extended\ntxf o0, i0, t0.KIND\ntxf_o o1, i0, i0.wzyx, t0.KIND\nend";

/// Coordinates far outside of a texture, and some inside it.
const WILD: [f32; 24] = [
    0.0,
    0.3,
    1.0,
    -0.5,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -1e-45,
    1.0 - f32::EPSILON / 2.0,
    1.0 + f32::EPSILON,
    -f32::EPSILON,
    2_147_483_648.0,
    -2_147_483_648.0,
    4_294_967_296.0,
    16_777_216.0,
    -8_388_607.5,
    2.5,
    16.999_998,
    -17.0,
];

/// Each pair of [`WILD`] as s and t, with others of them as the third and fourth coordinate.
fn quads() -> Vec<QuadIo> {
    let wild = |n: usize| WILD[n % WILD.len()];
    let lane = |n: usize| {
        [
            wild(n),
            wild(n / WILD.len()),
            wild(7 * n + 3),
            wild(5 * n + 1),
        ]
    };
    let lanes: Vec<[f32; 4]> = (0..WILD.len() * WILD.len()).map(lane).collect();
    let (lanes, _) = lanes.as_chunks::<4>();
    let quad = |lanes: &[[f32; 4]; 4]| {
        let mut quad = QuadIo::default();
        quad.set_input(0, *lanes);
        quad
    };
    lanes.iter().map(quad).collect()
}

/// Nearest and linear filters of every kind: within a level and between levels, selected lane by
/// lane.
fn filters() -> [Sampler; 2] {
    [
        (Filter::Linear, MipMode::Linear),
        (Filter::Nearest, MipMode::Nearest),
    ]
    .map(|(min, mip)| Sampler {
        mag: Filter::Nearest,
        min,
        mip,
        ..Sampler::RESET
    })
}

fn image(dimension: Dimension, format: Format, [width, height]: [u32; 2]) -> Image {
    let kind = dimension.kind();
    let size = match (kind.coordinates(), kind.has_faces()) {
        (_, true) => Size::cube(width),
        (1, false) => Size::d1(width),
        (2, false) => Size::d2(width, height),
        (_, false) => Size::d3(width, height, 3),
    };
    let slices = dimension.slices(size);
    let [width, height, _] = size.axes();
    let bytes = vec![0x3c; slices * format.slice_bytes(width, height)];
    let image = Image::from_levels(dimension, format, size, &[&bytes]);
    let image = image.and_then(Image::with_mipmaps);
    image.expect("the size fits")
}

/// A texture whose texels, in the form that code reads, have a guarding page at one side.
fn texture(side: Side, image: Image, sampler: Sampler) -> Texture {
    let texture = Texture::new(image, sampler).expect("the sampler fits");
    for decoding in [Decoding::Floats, Decoding::Bytes] {
        let decoded = guarded(side, || texture.decoded(decoding));
        let texels = decoded.expect("code samples it").words().as_ptr_range();
        let edge = match side {
            Side::Start => texels.start,
            Side::End => texels.end,
        };
        assert!(edge.addr().is_multiple_of(page()), "{side:?}");
    }
    texture
}

const SIZES: [[u32; 2]; 3] = [[5, 3], [16, 16], [1, 1]];

/// The same for texels of bytes, which stay bytes in large images.
fn sizes_of_bytes(dimension: Dimension) -> [[u32; 2]; 3] {
    let kind = dimension.kind();
    let large = match (kind.coordinates(), kind.has_faces()) {
        (_, true) => [160, 160],
        // No image is as long.
        (1, false) => [300, 1],
        (2, false) => [400, 331],
        (_, false) => [230, 200],
    };
    [[5, 3], large, [1, 1]]
}

/// Samples images of several sizes with all of [`quads`], with vectors of every width that the machine
/// has and on the plainest machine.
fn sample(dimension: Dimension, samplers: &[Sampler]) {
    let fetches = FETCHES.replace("KIND", dimension.kind().name());
    for text in [PROGRAM, &fetches] {
        sample_with(text, dimension, samplers);
    }
}

fn sample_with(text: &str, dimension: Dimension, samplers: &[Sampler]) {
    let program = Program::assemble(text).expect("the text is right");
    let program = program.validate().expect("the program is valid");
    let mut quads = quads();
    let widths = Vectors::here().into_iter();
    let widths = widths.map(|vectors| (Cpu::Host, vectors));
    for (cpu, vectors) in widths.chain([(Cpu::Baseline, Vectors::V128)]) {
        let options = JitOptions {
            cpu,
            vectors,
            ..JitOptions::default()
        };
        let jit = Jit::with_options(&options).expect("this machine is known");
        let shader = jit.prepare(&program).expect("the program compiles");
        for (format, sizes) in [
            (Format::Rgba8, sizes_of_bytes(dimension)),
            (Format::Rgba32F, SIZES),
        ] {
            for &sampler in samplers {
                for (size, side) in sizes
                    .into_iter()
                    .flat_map(|size| SIDES.map(|side| (size, side)))
                {
                    let mut textures = Textures::new();
                    let texture = texture(side, image(dimension, format, size), sampler);
                    textures.bind(0, texture).expect("there is unit 0");
                    let bindings = Bindings::new().with_textures(&textures);
                    assert_eq!(shader.run(&bindings, &mut quads), Ok(()));
                }
            }
        }
        // Otherwise the reference sampler would have been called.
        assert!(jit.specialisations() >= samplers.len());
    }
}

#[test]
fn no_coordinate_leads_out_of_a_2d_texture() {
    for coordinates in [Coordinates::Normalised, Coordinates::Texels] {
        let samplers = filters().map(|filter| {
            Wrap::ALL.map(|wrap| Sampler {
                wrap: [wrap; 3],
                coordinates,
                ..filter
            })
        });
        sample(Dimension::D2, samplers.as_flattened());
    }
}

#[test]
fn no_coordinate_leads_out_of_an_image_with_one_or_three_axes() {
    for coordinates in [Coordinates::Normalised, Coordinates::Texels] {
        let samplers = filters().map(|filter| {
            [Wrap::Repeat, Wrap::Clamp, Wrap::ClampToEdge].map(|wrap| Sampler {
                wrap: [wrap; 3],
                coordinates,
                ..filter
            })
        });
        for dimension in [
            Dimension::D1,
            Dimension::D1Array { layers: 3 },
            Dimension::D3,
        ] {
            sample(dimension, samplers.as_flattened());
        }
    }
}

#[test]
fn no_coordinate_leads_out_of_a_rectangle() {
    let samplers = filters().map(|filter| {
        [Wrap::Clamp, Wrap::ClampToEdge, Wrap::ClampToBorder].map(|wrap| Sampler {
            wrap: [wrap; 3],
            ..filter
        })
    });
    sample(Dimension::Rect, samplers.as_flattened());
}

#[test]
fn no_layer_leads_out_of_an_array() {
    let samplers = filters().map(|filter| {
        [Wrap::Repeat, Wrap::ClampToEdge].map(|wrap| Sampler {
            wrap: [wrap; 3],
            ..filter
        })
    });
    sample(Dimension::D2Array { layers: 2 }, samplers.as_flattened());
    sample(Dimension::CubeArray { cubes: 2 }, samplers.as_flattened());
}

#[test]
fn no_direction_leads_out_of_a_cube() {
    for cube_faces in [CubeFaces::PerLane, CubeFaces::PerQuad] {
        let samplers = filters().map(|filter| {
            [Wrap::Repeat, Wrap::ClampToEdge].map(|wrap| Sampler {
                wrap: [wrap; 3],
                cube_faces,
                ..filter
            })
        });
        sample(Dimension::Cube, samplers.as_flattened());
    }
}

/// Makes this program, started again, read outside of an allocation.
const READ_OUTSIDE: &str = "READ_OUTSIDE";

#[test]
fn reading_outside_is_deadly() {
    if let Ok(side) = std::env::var(READ_OUTSIDE) {
        let side = if side == "Start" {
            Side::Start
        } else {
            Side::End
        };
        let words = guarded(side, || vec![1u32; 5]);
        let outside = match side {
            Side::Start => words.as_ptr().wrapping_sub(1),
            Side::End => words.as_ptr().wrapping_add(words.len()),
        };
        // SAFETY: not given: the page is mapped without access, and the process ends here.
        black_box(unsafe { outside.read_volatile() });
        return;
    }
    let program = std::env::current_exe().expect("this program has a file");
    for side in SIDES {
        let status = Command::new(&program)
            .args(["--exact", "reading_outside_is_deadly"])
            .env(READ_OUTSIDE, format!("{side:?}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let status = status.expect("it can be started again");
        assert_eq!(status.signal(), Some(libc::SIGSEGV), "{side:?}: {status}");
    }
}
