//! A prepared draw allocates nothing. A binary of its own: its allocator counts for the whole
//! process, and no other test may run beside this one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use attila_shader::draw::{
    ColourImage, DepthImage, DepthState, Draw, Interpolation, Mesh, Plane, PreparedDraw, Quad,
    Varying, Vertices,
};
use attila_shader::machine::pipeline::{Blend, ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{LaneMask, QuadReg, VertexAttribute, VertexFormat};
use attila_shader::{Bindings, Engine, Program, Shader, Stage, VertexBuffers};

/// The system's allocator, with a count of allocations.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator, whose contract is the same.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations of `work`.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// A varying that grows from `at`.
fn across(at: f32) -> Varying<'static> {
    let plane = Plane {
        at,
        dx: 0.01,
        dy: 0.002,
    };
    Varying::linear([plane; 4])
}

/// Quads next to each other and below each other, with every coverage.
fn quads() -> Vec<Quad> {
    let quad = |index: u32| Quad {
        x: index % 30 * 2,
        y: index / 30 * 2,
        coverage: LaneMask::from_bits_truncate(index as u8),
    };
    (0..500).map(quad).collect()
}

/// Corners of small, large, thin and clipped triangles.
fn corners() -> Vec<[f32; 4]> {
    let numbers = (0..400_u16).map(f32::from);
    let corner = |n: f32| [n % 97.0 - 9.0, n * n % 89.0 - 20.0, n / 400.0, n % 13.0];
    numbers.map(corner).collect()
}

/// The values of a scene that do not change from frame to frame.
struct Scene {
    quads: Vec<Quad>,
    /// Values of an input in each quad.
    registers: Vec<QuadReg>,
    corners: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
}

impl Scene {
    fn new() -> Scene {
        let quads = quads();
        Scene {
            registers: vec![[[0x3f00_0000; 4]; 4]; quads.len()],
            quads,
            corners: corners(),
            triangles: (0..398).map(|n| [n, n + 1, n + 2]).collect(),
        }
    }

    /// The allocations of nine frames after the first one, of prepared draws of rectangles, listed
    /// quads, meshes and triangles.
    fn later_allocations(&self, shader: &Shader, vertex: &Shader) -> usize {
        let floats = self.corners.as_flattened().iter();
        let bytes: Vec<u8> = floats.flat_map(|float| float.to_le_bytes()).collect();
        let positions = VertexAttribute::packed(&bytes, VertexFormat::Float32, 4);
        let buffers = VertexBuffers::new().with(0, positions);
        // Odd, so that pixels at the edges are copied.
        let mut image = ColourImage::new(ColourFormat::Rgba8, 71, 53);
        let mut depths = DepthImage::new(DepthFormat::D24, 71, 53);
        depths.fill(u32::MAX);
        let mut bindings = Bindings::new();
        let [mut prepared, mut listed, mut meshed] = prepared(shader, &mut image, &mut depths);
        let mut frame = |number: usize| {
            bindings.set_constant(0, [number as f32; 4]);
            let frame = prepared.frame(&bindings).varying(6, across(number as f32));
            let mut frame = frame.target(0, &mut image).depth(&mut depths);
            frame.rect(1..70, 0..53).unwrap();
            frame.rect(0..71, 3..8).unwrap();
            let frame = listed.frame(&bindings).target(0, &mut image);
            let mut frame = frame.varying(3, Varying::quads(&self.registers));
            frame.quads(&self.quads).unwrap();
            let mut frame = meshed.frame(&bindings).target(0, &mut image);
            let mesh = Mesh::new(vertex, &buffers, &self.triangles).bindings(&bindings);
            frame.mesh(&mesh).unwrap();
            let vertices = Vertices::new(&self.corners);
            let vertices = vertices.with(3, &self.corners).with(6, &self.corners);
            frame.triangles(&vertices, &self.triangles).unwrap();
        };
        frame(0);
        allocations(|| (1..10).for_each(&mut frame))
    }
}

/// Prepared draws of a rectangle, of listed quads, and of triangles.
fn prepared(
    shader: &Shader,
    image: &mut ColourImage,
    depths: &mut DepthImage,
) -> [PreparedDraw; 3] {
    let depth = DepthState {
        compare: Compare::LessEqual,
        write: true,
    };
    let draw = Draw::new(shader)
        .varying(6, across(0.0))
        .target(0, &mut *image)
        .depth(depths, depth)
        .blend(0, Blend::OVER);
    let rectangle = draw.varying(3, across(0.5)).prepare().unwrap();
    let draw = Draw::new(shader)
        .varying(6, across(0.0))
        .target(0, &mut *image);
    let listed = draw.varying(3, Varying::quads(&[])).prepare().unwrap();
    let draw = Draw::new(shader)
        .varying(3, Varying::vertices(Interpolation::Flat))
        .varying(6, Varying::vertices(Interpolation::Perspective))
        .target(0, image);
    [rectangle, listed, draw.prepare().unwrap()]
}

#[test]
fn frames_of_a_prepared_draw_allocate_nothing() {
    let program = Program::assemble("mul r0, i6, c0\nkil r0.w\nadd o1, r0, i3");
    let program = program.unwrap().validate().unwrap();
    let vertex_program = Program::assemble("mov o0, i0\nmov o3, i0\nmul o6, i0, c0");
    let vertex_program = vertex_program.unwrap().with_stage(Stage::Vertex);
    let vertex_program = vertex_program.validate().unwrap();
    let scene = Scene::new();
    // Evaluating lane IR is for comparisons, not for frames.
    let engines = Engine::all().into_iter();
    for engine in engines.filter(|engine| engine.name() != "ir") {
        let shader = engine.prepare(&program).unwrap();
        let vertex = engine.prepare(&vertex_program).unwrap();
        let later = scene.later_allocations(&shader, &vertex);
        // The interpreter sets up its machine for every run.
        if engine.name() != "interp" {
            assert_eq!(later, 0, "on {}", engine.name());
        }
    }
}
