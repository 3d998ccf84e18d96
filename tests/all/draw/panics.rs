//! Panics in what users bind: the draw stops, and the panic comes out of it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_shader::draw::{ColourImage, Draw, Frame, Mesh, Quad, Varying, Vertices};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::machine::{LaneMask, Lanes, Lookup, QuadReg, TextureQuery, from_floats};
use attila_shader::{
    AttributeSource, Bindings, Engine, Program, Stage, TextureUnit, VertexBuffers,
};

use super::common::{plane, shaders};

/// The payload of the panics here.
#[derive(PartialEq, Debug)]
struct Marker(usize);

/// Panics at every query, with their number.
#[derive(Default)]
struct Panics(AtomicUsize);

impl Panics {
    fn panic(&self) -> [Lanes<f32>; 4] {
        // Without the message that `panic!` prints.
        resume_unwind(Box::new(Marker(self.0.fetch_add(1, Ordering::Relaxed))))
    }
}

impl TextureUnit for Panics {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        from_floats(self.panic())
    }
}

impl AttributeSource for Panics {
    fn fetch(&self, _: u8, _: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        self.panic()
    }
}

/// Gives the coordinates back.
struct Echo;

impl TextureUnit for Echo {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let Lookup::Sample { coords, .. } = query.lookup else {
            panic!("the program only samples")
        };
        let [s, t, r, _] = coords;
        from_floats([s, t, r, [1.0; 4]])
    }
}

impl AttributeSource for Echo {
    fn fetch(&self, _: u8, index: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        let across = index.map(|index| (index % 40) as f32 / 20.0 - 1.0);
        let down = index.map(|index| (index / 40) as f32 / 5.0 - 1.0);
        [across, down, [0.0; 4], [1.0; 4]]
    }
}

const WIDTH: u32 = 90;
const HEIGHT: u32 = 260;

/// Whether `work` panics with a [`Marker`].
fn panics(work: impl FnOnce()) -> bool {
    let result = catch_unwind(AssertUnwindSafe(work));
    result.is_err_and(|payload| payload.downcast_ref::<Marker>().is_some())
}

#[test]
fn a_panic_in_a_texture_unit_stops_the_draw_and_comes_out_of_it() {
    let quads: Vec<Quad> = (0..5000_u32)
        .map(|index| Quad {
            x: index % 45 * 2,
            y: index / 45 * 2,
            coverage: LaneMask::all(),
        })
        .collect();
    let corners = [[0.0, 0.0], [180.0, 0.0], [0.0, 500.0]].map(|[x, y]| [x, y, 0.5, 1.0]);
    let draw = |frame: &mut Frame<'_>, way: u32| match way {
        0 => frame.rect(0..WIDTH, 0..HEIGHT).unwrap(),
        1 => frame.rect(1..WIDTH, 1..HEIGHT).unwrap(),
        2 => frame.quads(&quads).unwrap(),
        _ => frame
            .triangles(&Vertices::new(&corners), &[[0, 1, 2]])
            .unwrap(),
    };
    let echo = Bindings::new().with_textures(&Echo);
    for shader in shaders("tex r0, i6, t3\ntex o1, r0, t5") {
        for (way, threads) in (0..4).flat_map(|way| [1, 4].map(|threads| (way, threads))) {
            let mut image = ColourImage::new(ColourFormat::R32F, WIDTH, HEIGHT);
            let expected = |image: &mut ColourImage| {
                let planes = Varying::linear([plane(1.0, 1.0, 100.0); 4]);
                let draw = Draw::new(&shader).varying(6, planes).target(0, image);
                draw.threads(threads).prepare().unwrap()
            };
            let mut prepared = expected(&mut image);
            let textures = Panics::default();
            let bindings = Bindings::new().with_textures(&textures);
            let mut frame = prepared.frame(&bindings).target(0, &mut image);
            assert!(panics(|| draw(&mut frame, way)), "{shader:?}");
            let requests = textures.0.into_inner();
            assert!((1..=threads).contains(&requests), "{requests} requests");

            // Nothing is left of it.
            let mut frame = prepared.frame(&echo).target(0, &mut image);
            draw(&mut frame, way);
            let mut other = ColourImage::new(ColourFormat::R32F, WIDTH, HEIGHT);
            let mut fresh = expected(&mut other);
            draw(&mut fresh.frame(&echo).target(0, &mut other), way);
            let drawn = |image: &ColourImage| image.pixel::<f32>(20, 20).unwrap();
            assert_eq!(drawn(&image), 1.0 + 20.5 + 2050.0);
            assert_eq!(drawn(&other), drawn(&image));
        }
    }
}

#[test]
fn a_panic_in_an_attribute_source_comes_out_of_the_mesh() {
    let program = Program::assemble("lda o0, i0.x, t2").unwrap();
    let program = program.with_stage(Stage::Vertex).validate().unwrap();
    let triangles: Vec<[u32; 3]> = (0..360).map(|n| [n, n + 1, n + 40]).collect();
    let buffers = VertexBuffers::new();
    for (engine, fragment) in Engine::all().into_iter().zip(shaders("mov o1, i0")) {
        let vertex = engine.prepare(&program).unwrap();
        for threads in [1, 4] {
            let mut image = ColourImage::new(ColourFormat::R32F, WIDTH, HEIGHT);
            let draw = Draw::new(&fragment).target(0, &mut image).threads(threads);
            let mut prepared = draw.prepare().unwrap();
            let unbound = Bindings::new();
            let mesh = Mesh::new(&vertex, &buffers, &triangles);
            let source = Panics::default();
            let bindings = Bindings::new().with_attributes(&source);
            let mut frame = prepared.frame(&unbound).target(0, &mut image);
            assert!(panics(|| frame.mesh(&mesh.bindings(&bindings)).unwrap()));
            assert!(image.bytes().iter().all(|byte| *byte == 0));

            let bindings = Bindings::new().with_attributes(&Echo);
            let mut frame = prepared.frame(&unbound).target(0, &mut image);
            frame.mesh(&mesh.bindings(&bindings)).unwrap();
            assert_eq!(image.pixel::<f32>(50, 150).unwrap(), 50.5);
        }
    }
}
