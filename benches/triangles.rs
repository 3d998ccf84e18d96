//! Triangles per second where they are small, pixels per second where one is large, and a mesh.

use std::hint::black_box;

use attila_shader::draw::{
    ColourImage, DepthImage, DepthState, Draw, Interpolation, Mesh, PreparedDraw, Varying, Vertices,
};
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{VertexAttribute, VertexFormat};
use attila_shader::{Bindings, Engine, Program, Shader, Stage, VertexBuffers};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Pixels along each side of the target.
const SIDE: u32 = 1024;

fn shader(text: &str, stage: Stage) -> Shader {
    let program = Program::assemble(text).expect("the text is right");
    let program = program.with_stage(stage).validate();
    let engine = Engine::jit().expect("there is a code generator");
    let shader = engine.prepare(&program.expect("the program is valid"));
    shader.expect("the program compiles")
}

/// The fourth component of points at the right, at the left 1: that of triangles in perspective.
const IN_PERSPECTIVE: f32 = 1.25;

/// Points of a grid over all of the target, `cells` in each direction, and the triangles between
/// them. The fourth component of points at the right is `right`, at the left 1.
fn grid(cells: u32, right: f32) -> (Vec<[f32; 4]>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for row in 0..=cells {
        for column in 0..=cells {
            let [x, y] = [column, row].map(|place| (place * SIDE) as f32 / cells as f32);
            let across = column as f32 / cells as f32;
            points.push([x, y, 0.5, 1.0 + across * (right - 1.0)]);
            if row < cells && column < cells {
                let [a, b] = [0, 1].map(|next| row * (cells + 1) + column + next);
                let [c, d] = [a, b].map(|below| below + cells + 1);
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    (points, triangles)
}

/// A draw with one perspective input, a colour.
fn prepared(shader: &Shader, image: &mut ColourImage, threads: usize) -> PreparedDraw {
    let draw = Draw::new(shader)
        .varying(6, Varying::vertices(Interpolation::Perspective))
        .target(0, image)
        .threads(threads);
    draw.prepare().expect("the draw is right")
}

fn triangles(c: &mut Criterion) {
    let shader = shader("mov o1, i6", Stage::Fragment);
    let bindings = Bindings::new();
    let mut image = ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE);
    for (cells, threads) in [(1, 1), (16, 1), (128, 1), (256, 1), (512, 1), (512, 2)] {
        for (how, right) in [("", IN_PERSPECTIVE), (" without perspective", 1.0)] {
            let (points, triangles) = grid(cells, right);
            let vertices = Vertices::new(&points).with(6, &points);
            let mut prepared = prepared(&shader, &mut image, threads);
            let count = triangles.len();
            let mut group = c.benchmark_group(format!("{count} triangles{how}, {threads} threads"));
            group.throughput(Throughput::Elements(match cells {
                1 => u64::from(SIDE * SIDE),
                _ => count as u64,
            }));
            let what = if cells == 1 { "pixels" } else { "triangles" };
            group.bench_function(what, |b| {
                b.iter(|| {
                    let mut frame = prepared.frame(&bindings).target(0, &mut image);
                    frame
                        .triangles(black_box(&vertices), &triangles)
                        .expect("it is drawn");
                });
            });
            group.finish();
        }
    }
    let mut group = c.benchmark_group("the same as a rectangle");
    let mut rectangle = Draw::new(&shader)
        .varying(6, Varying::flat([0.5; 4]))
        .target(0, &mut image)
        .prepare()
        .expect("the draw is right");
    group.throughput(Throughput::Elements(u64::from(SIDE * SIDE)));
    group.bench_function("pixels", |b| {
        b.iter(|| {
            let mut frame = rectangle.frame(&bindings).target(0, &mut image);
            frame.rect(0..SIDE, 0..SIDE).expect("it is drawn");
        });
    });
    group.finish();
}

fn mesh(c: &mut Criterion) {
    let vertex = shader("mul o0, i0, c0 \n mov o6, i0", Stage::Vertex);
    let fragment = shader("mov o1, i6", Stage::Fragment);
    let scale = Bindings::new().with_constant(0, [0.001, 0.001, 1.0, 1.0]);
    let bindings = Bindings::new();
    let (points, triangles) = grid(256, IN_PERSPECTIVE);
    let floats = points.as_flattened().iter();
    let bytes: Vec<u8> = floats.flat_map(|float| float.to_le_bytes()).collect();
    let positions = VertexAttribute::packed(&bytes, VertexFormat::Float32, 4);
    let buffers = VertexBuffers::new().with(0, positions);
    let mut image = ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE);
    let mut depth = DepthImage::new(DepthFormat::D32F, SIDE, SIDE);
    let mut group = c.benchmark_group("mesh");
    group.throughput(Throughput::Elements(triangles.len() as u64));
    for threads in [1, 2] {
        let mut prepared = Draw::new(&fragment)
            .varying(6, Varying::vertices(Interpolation::Perspective))
            .target(0, &mut image)
            .depth(
                &mut depth,
                DepthState {
                    compare: Compare::LessEqual,
                    write: true,
                },
            )
            .threads(threads)
            .prepare()
            .expect("the draw is right");
        group.bench_function(format!("triangles, {threads} threads"), |b| {
            b.iter(|| {
                let mesh = Mesh::new(&vertex, &buffers, black_box(&triangles)).bindings(&scale);
                let frame = prepared.frame(&bindings).target(0, &mut image);
                frame.depth(&mut depth).mesh(&mesh).expect("it is drawn");
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = triangles, mesh
}
criterion_main!(benches);
