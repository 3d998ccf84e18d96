//! Geometry programs: the vertices that they make, on every engine and in draws.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use attila_shader::draw::{ColourImage, Draw, Interpolation, Mesh, Varying, Watch};
use attila_shader::geometry::{Emitted, Geometry, GeometryError, GeometryInput};
use attila_shader::isa::Stage;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::machine::{LaneMask, QuadReg, VertexAttribute, VertexFormat, VertexSink};
use attila_shader::{Bindings, DrawError, Engine, Program, QuadIo, Shader, VertexBuffers};

fn shader(engine: &Engine, text: &str) -> Shader {
    let program = Program::assemble(text).expect("it assembles");
    let program = program.validate().expect("it is valid");
    engine.prepare(&program).expect("it compiles")
}

/// f32 words, one after the other.
fn bytes(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Runs a program for points with one number each, on every engine, which all give the same.
fn emitted(
    text: &str,
    points: &[f32],
    with: impl Fn(Geometry<'_>) -> Geometry<'_>,
) -> Result<Emitted, GeometryError> {
    let values = bytes(points);
    let attribute = VertexAttribute::packed(&values, VertexFormat::Float32, 1);
    let vertices = VertexBuffers::new().with(3, attribute);
    let indices: Vec<u32> = (0..points.len() as u32).collect();
    let run = |engine: Engine| {
        let shader = shader(&engine, text);
        with(Geometry::new(&shader, GeometryInput::Points(&indices))).run(&vertices)
    };
    let mut results = Engine::all().into_iter().map(run);
    let first = results.next().expect("there is an engine");
    for other in results {
        assert_eq!(other, first);
    }
    first
}

/// Output o1.x of all vertices of a stream, strip by strip.
fn strips(emitted: &Emitted, stream: usize) -> Vec<Vec<f32>> {
    let stream = emitted.stream(stream);
    let x = |vertex: usize| f32::from_bits(stream.output(vertex, 1)[0]);
    let strips = stream
        .strips()
        .map(|strip| strip.vertices.clone().map(x).collect());
    strips.collect()
}

/// Emits as many vertices as the point says, with 10 times the point and a count in o1.x.
const COUNTS: &str = "
    .extended geometry
    lda r0, c0.x, t3
    mul r2.x, r0.x, 10.0
    again:
    setplt p0, r1.x, r0.x
    jmp !p0, over
    add o1.x, r2.x, r1.x
    emit s0
    add r1.x, r1.x, 1.0
    jmp true, again
    over: end";

#[test]
fn vertices_come_in_the_order_of_primitives_however_many_each_has() {
    let points = [2.0, 0.0, 3.0, 1.0, 0.0, 2.0];
    let emitted = emitted(COUNTS, &points, |it| it).expect("it runs");
    let expected: [&[f32]; 4] = [&[20.0, 21.0], &[30.0, 31.0, 32.0], &[10.0], &[20.0, 21.0]];
    assert_eq!(strips(&emitted, 0), expected);
    let primitives: Vec<u32> = emitted.stream(0).strips().map(|it| it.primitive).collect();
    assert_eq!(primitives, [0, 2, 3, 5]);
}

#[test]
fn vertices_beyond_the_limit_are_dropped() {
    let emitted = emitted(COUNTS, &[5.0, 1.0], |it| it.max_vertices(2)).expect("it runs");
    assert_eq!(strips(&emitted, 0), [&[50.0, 51.0][..], &[10.0]]);
}

#[test]
fn strips_end_lane_by_lane_and_empty_ones_are_none() {
    let text = "
        .extended geometry
        endprim s0
        lda r0, c0.x, t3
        mov o1, r0
        emit s0
        setpgt p0, r0.x, 1.5
        (p0) endprim s0
        add o1.x, r0.x, 0.5
        emit s0
        endprim s0
        endprim s0";
    let emitted = emitted(text, &[1.0, 2.0], |it| it).expect("it runs");
    assert_eq!(strips(&emitted, 0), [&[1.0, 1.5][..], &[2.0], &[2.5]]);
}

#[test]
fn streams_and_invocations_are_kept_apart() {
    let text = "
        .extended geometry
        i2f r1.x, i1.x
        lda r0, c0.x, t3
        mad o1.x, r0.x, c1.x, r1.x
        emit s2
        i2f o1.x, i0.x
        emit s0";
    let constants = Bindings::new().with_constant(1, [100.0; 4]);
    let values = bytes(&[4.0, 5.0]);
    let attribute = VertexAttribute::packed(&values, VertexFormat::Float32, 1);
    let vertices = VertexBuffers::new().with(3, attribute);
    for engine in Engine::all() {
        let shader = shader(&engine, text);
        let geometry = Geometry::new(&shader, GeometryInput::Points(&[0, 1])).invocations(3);
        let emitted = geometry
            .bindings(&constants)
            .run(&vertices)
            .expect("it runs");
        let second = [[400.0], [401.0], [402.0], [500.0], [501.0], [502.0]];
        assert_eq!(strips(&emitted, 2), second);
        assert_eq!(
            strips(&emitted, 0),
            [[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]]
        );
        let invocations = emitted.stream(2).strips().map(|it| it.invocation);
        assert!(invocations.eq([0, 1, 2, 0, 1, 2]));
        assert_eq!(emitted.stream(1).vertices(), 0);
    }
}

#[test]
fn each_lane_fetches_the_vertex_that_it_names() {
    let text = "
        .extended geometry
        lda r0, i0.x, t3
        mov o1, r0
        emit s0";
    let values = bytes(&[7.0, 8.0, 9.0, 10.0]);
    let attribute = VertexAttribute::packed(&values, VertexFormat::Float32, 1);
    let vertices = VertexBuffers::new().with(3, attribute);
    let lines = [[3, 2], [1, 0], [0, 1]];
    for engine in Engine::all() {
        let shader = shader(&engine, text);
        let emitted = Geometry::new(&shader, GeometryInput::Lines(&lines)).run(&vertices);
        // Primitive 2 has no vertex 2.
        let emitted = emitted.expect("it runs");
        assert_eq!(strips(&emitted, 0), [[10.0], [7.0], [0.0]]);
        assert_eq!(
            emitted.stream(0).output(2, 1).map(f32::from_bits),
            [0.0, 0.0, 0.0, 1.0]
        );
    }
}

#[test]
fn strips_become_lines_and_triangles_that_turn_the_same_way() {
    let emitted = emitted(COUNTS, &[4.0, 3.0], |it| it).expect("it runs");
    let stream = emitted.stream(0);
    assert!(stream.triangles().eq([[0, 1, 2], [2, 1, 3], [4, 5, 6]]));
    assert!(stream.lines().eq([[0, 1], [1, 2], [2, 3], [4, 5], [5, 6]]));
}

#[test]
fn wrong_programs_and_limits_are_refused() {
    let vertices = VertexBuffers::new();
    let engine = Engine::interp();
    let fragments = shader(&engine, "mov o1, i0");
    let good = shader(&engine, COUNTS);
    let points = GeometryInput::Points(&[]);
    for (geometry, expected) in [
        (
            Geometry::new(&fragments, points),
            GeometryError::Stage(Stage::Fragment),
        ),
        (
            Geometry::new(&good, points).max_vertices(1025),
            GeometryError::Vertices(1025),
        ),
        (
            Geometry::new(&good, points).invocations(0),
            GeometryError::Invocations(0),
        ),
        (
            Geometry::new(&good, points).invocations(33),
            GeometryError::Invocations(33),
        ),
    ] {
        assert_eq!(geometry.run(&vertices), Err(expected));
    }
    let endless = "
        .extended geometry
        lda r0, c0.x, t3
        setpgt p0, r0.x, 2.0
        again: jmp p0, again
        end";
    let error = emitted(endless, &[1.0, 1.0, 1.0, 1.0, 2.0, 3.0], |it| it);
    let Err(GeometryError::LoopBudget { primitive: 4, .. }) = error else {
        panic!("{error:?}")
    };
}

/// A vertex program that hands its attribute over, and a geometry program that makes a square around
/// each point.
const VERTEX: &str = "mov o0, i0\nmov o6, i1";
const SQUARES: &str = "
    .extended geometry
    lda r0, c0.x, t0
    lda r1, c0.x, t6
    mov o0, r0
    mov o6, r1
    add o0.xy, r0, -c1
    emit s0
    add o0.x, r0.x, c1.x
    emit s0
    add o0.x, r0.x, -c1.x
    add o0.y, r0.y, c1.y
    emit s0
    add o0.x, r0.x, c1.x
    emit s0
    endprim s0";

#[test]
fn meshes_draw_the_strips_of_a_geometry_program() {
    let positions = bytes(&[-0.5, -0.5, 0.0, 1.0, 0.5, 0.5, 0.0, 1.0]);
    let colours = bytes(&[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let buffers = VertexBuffers::new()
        .with(
            0,
            VertexAttribute::packed(&positions, VertexFormat::Float32, 4),
        )
        .with(
            1,
            VertexAttribute::packed(&colours, VertexFormat::Float32, 4),
        );
    let constants = Bindings::new().with_constant(1, [0.25, 0.25, 0.0, 0.0]);
    for engine in Engine::all() {
        let vertex = shader(&engine, &format!("; vertices\n{VERTEX}"));
        let program = vertex.program().program().clone().with_stage(Stage::Vertex);
        let vertex = engine.prepare(&program.validate().expect("it is valid"));
        let vertex = vertex.expect("it compiles");
        let squares = shader(&engine, SQUARES);
        let fragment = shader(&engine, "mov o1, i6");
        let geometry = Geometry::new(&squares, GeometryInput::Points(&[1, 0]));
        let mesh = Mesh::new(&vertex, &buffers, &[]).geometry(geometry.bindings(&constants));
        let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
        let draw = || Draw::new(&fragment).varying(6, Varying::vertices(Interpolation::Flat));
        draw().target(0, &mut image).mesh(&mesh).expect("it draws");
        let row = |y: u32| -> Vec<u8> {
            let pixel = |x| image.pixel::<[u8; 4]>(x, y).expect("it is there");
            let letter = |[red, green, ..]: [u8; 4]| match (red, green) {
                (255, 0) => b'r',
                (0, 255) => b'g',
                _ => b'.',
            };
            (0..8).map(pixel).map(letter).collect()
        };
        let rows: Vec<String> = (0..8)
            .map(|y| String::from_utf8(row(y)).expect("letters"))
            .collect();
        let expected = [
            "........", ".....gg.", ".....gg.", "........", "........", ".rr.....", ".rr.....",
            "........",
        ];
        assert_eq!(rows, expected, "{}", engine.name());
        // Each point's square is a strip of two triangles, in the order of the points.
        for (x, y, points) in [(1, 5, &[1][..]), (2, 6, &[1]), (6, 1, &[0]), (0, 0, &[])] {
            let watch = Watch::new([x, y]);
            let mut unchanged = ColourImage::new(ColourFormat::Rgba8, 8, 8);
            let watched = draw().target(0, &mut unchanged).watch(&watch);
            watched.mesh(&mesh).expect("it draws");
            let history = watch.history();
            let primitives = history.fragments.iter().map(|it| it.primitive / 2);
            assert_eq!(primitives.collect::<Vec<_>>(), points);
            let drawn = image.pixel::<[u8; 4]>(x, y).expect("it is there");
            assert_eq!(history.after[0].bytes, drawn);
        }
    }
}

#[test]
fn meshes_say_which_of_their_programs_is_wrong() {
    let engine = Engine::interp();
    let vertex = shader(&engine, VERTEX);
    let program = vertex.program().program().clone().with_stage(Stage::Vertex);
    let vertex = engine.prepare(&program.validate().expect("it is valid"));
    let vertex = vertex.expect("it compiles");
    let fragment = shader(&engine, "mov o6, i6");
    let geometry = Geometry::new(&fragment, GeometryInput::Points(&[]));
    let buffers = VertexBuffers::new();
    let mesh = Mesh::new(&vertex, &buffers, &[]).geometry(geometry);
    let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 8);
    let draw = Draw::new(&fragment).varying(6, Varying::vertices(Interpolation::Flat));
    let error = draw
        .target(0, &mut image)
        .mesh(&mesh)
        .expect_err("it is wrong");
    let DrawError::Vertices(error) = error else {
        panic!("{error:?}")
    };
    assert_eq!(
        error.to_string(),
        "the geometry program is a fragment program"
    );
}

/// Panics when it is given a vertex.
struct Fails;

impl VertexSink for Fails {
    fn output(&self, _: u8, _: &QuadReg) {}

    fn emit(&self, stream: u8, _: LaneMask) {
        // Without the message that `panic!` prints.
        resume_unwind(Box::new(stream));
    }

    fn end_primitive(&self, _: u8, _: LaneMask) {}
}

#[test]
fn a_panic_in_a_sink_comes_out_of_the_run() {
    for engine in Engine::all() {
        let shader = shader(&engine, ".extended geometry\nemit s2\nemit s1");
        let run = || {
            let bindings = Bindings::new().with_vertices(&Fails);
            shader.run(&bindings, &mut [QuadIo::default()])
        };
        let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
        assert_eq!(panic.downcast_ref(), Some(&2u8), "{}", engine.name());
    }
}
