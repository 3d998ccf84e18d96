//! Draws and runs of records whose memory ends where a page begins that must not be touched: targets,
//! coverage, arrays of inputs, spans, planes. They do the same with every width of vectors.

use attila_isa::{Inputs, Program, Slots, ValidProgram};
use attila_jit::{Jit, JitOptions, Vectors};
use attila_machine::pipeline::{
    Batch, Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, ColourTarget, Compare,
    DepthFormat, DepthTarget, InputKind, Multisampling, Pipeline, Plane, Span, Surface, Surfaces,
};
use attila_machine::{
    Backend, Bindings, Columns, LANES, Part, QuadIo, QuadReg, QuadState, SampleCount,
    SamplePositions,
};

use crate::SIDES;
use crate::arena::{Side, guarded};

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("the text is right");
    program.validate().expect("the program is valid")
}

fn jits() -> Vec<Jit> {
    let jit = |vectors| {
        let options = JitOptions {
            vectors,
            ..JitOptions::default()
        };
        Jit::with_options(&options).expect("this machine has the width")
    };
    Vectors::here().into_iter().map(jit).collect()
}

/// Straight code, with kills of single fragments, with a loop.
const PROGRAMS: [&str; 3] = [
    "mad o1, i1, i2, i2\nend",
    "add o1, i1, i2\nkil i2.x\nend",
    "mov r0, i2\nagain: add r0, r0, i1\nsetplt p0, r0.x, 3\njmp p0, again\nmov o1, r0\nend",
];

/// Over what is there already.
fn blend() -> Blend {
    Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::SrcAlpha,
        dst: BlendFactor::OneMinusSrcAlpha,
    })
}

/// What a target is for: stored as it is, in part, mixed.
fn targets(format: ColourFormat) -> [ColourTarget; 3] {
    let target = |mask, blend| ColourTarget {
        format,
        mask,
        blend,
    };
    [
        target(Slots::all(), None),
        target(Slots::X | Slots::W, None),
        target(Slots::all(), Some(blend())),
    ]
}

fn pipeline(target: ColourTarget, depth: Option<DepthFormat>, samples: SampleCount) -> Pipeline {
    let mut pipeline = Pipeline {
        coverage: true,
        ..Pipeline::default()
    };
    pipeline.inputs[0][2] = InputKind::Linear;
    pipeline.inputs[1] = [InputKind::Linear; 4];
    pipeline.inputs[2] = [InputKind::Array; 4];
    pipeline.targets[0] = Some(target);
    pipeline.depth = depth.map(|format| DepthTarget {
        format,
        compare: Compare::GreaterEqual,
        write: true,
    });
    if samples != SampleCount::One {
        pipeline.multisampling = Some(Multisampling {
            samples,
            stored: samples,
            ..Multisampling::default()
        });
    }
    pipeline
}

/// Two rows of pixels, the second of which ends with the span: `gap` more in the first one.
fn plane(side: Side, quads: u32, gap: usize, size: usize) -> (Vec<u8>, usize) {
    let row = 2 * quads as usize * size;
    let pitch = row + gap * size;
    let bytes = (0..pitch + row).map(|n| (n * 37 % 251) as u8);
    (guarded(side, || bytes.collect()), pitch)
}

/// A span, and everything that it asks for.
struct Scene {
    spans: Vec<Span>,
    coverage: Vec<u8>,
    anchors: Vec<[f32; 2]>,
    planes: Vec<Plane>,
    array: Vec<QuadReg>,
}

impl Scene {
    /// A span of so many quads, the first of them not the first of the batch.
    fn new(side: Side, quads: u32, pipeline: &Pipeline) -> Scene {
        let first = 3;
        let count = (first + quads) as usize;
        let bytes = count * pipeline.coverage_bytes();
        let number = |n: usize| (n * 29 % 17) as f32 / 8.0 - 0.5;
        let register = |quad: usize| {
            [0, 1, 2, 3].map(|component| {
                [0, 1, 2, 3].map(|lane| number(16 * quad + 4 * component + lane).to_bits())
            })
        };
        let plane = |n: usize| Plane {
            at: number(n),
            dx: number(n + 1) / 16.0,
            dy: number(n + 2) / 16.0,
        };
        guarded(side, || Scene {
            spans: vec![Span {
                x: 6,
                y: 4,
                quads,
                primitive: 0,
                first,
            }],
            coverage: (0..bytes).map(|n| (n * 11 % 16) as u8).collect(),
            anchors: vec![[1.5, 2.0]],
            planes: (0..pipeline.plane_count()).map(plane).collect(),
            array: (0..count).map(register).collect(),
        })
    }

    fn arrays(&self) -> Inputs<&[QuadReg]> {
        let mut arrays = Inputs::all(&[][..]);
        arrays[2] = &self.array[..];
        arrays
    }

    fn batch<'a>(&'a self, samples: SampleCount, arrays: &'a Inputs<&'a [QuadReg]>) -> Batch<'a> {
        Batch {
            spans: &self.spans,
            coverage: &self.coverage,
            positions: SamplePositions::standard(samples),
            anchors: &self.anchors,
            planes: &self.planes,
            arrays,
            alpha_reference: 0.0,
            blend_constant: [0.0; 4],
        }
    }
}

/// The planes of the colours and of the depths after a draw by an engine.
fn drawn(
    jit: &Jit,
    program: &ValidProgram,
    pipeline: &Pipeline,
    (side, quads, gap): (Side, u32, usize),
) -> Vec<Vec<u8>> {
    let samples = pipeline.samples();
    let scene = Scene::new(side, quads, pipeline);
    let format = pipeline.targets[0].map(|target| target.format);
    let sizes = [
        format.map(ColourFormat::size),
        pipeline.depth.map(|depth| depth.format.size()),
    ];
    let made = sizes.map(|size| {
        let made = (0..samples.count()).map(|_| plane(side, quads, gap, size.unwrap_or(0)));
        made.collect::<Vec<_>>()
    });
    let [mut colours, mut depths] = made;
    let mut surfaces = Surfaces::default();
    for (which, planes) in [&mut colours, &mut depths].into_iter().enumerate() {
        if sizes[which].is_none() {
            continue;
        }
        let surface = Surface {
            pitch: planes[0].1,
            planes: planes.iter_mut().map(|(bytes, _)| &mut **bytes).collect(),
            origin: [6, 4],
        };
        match which {
            0 => surfaces.colours[0] = Some(surface),
            _ => surfaces.depth = Some(surface),
        }
    }
    let bindings = Bindings::new().with_loop_budget(1000);
    let shader = jit.prepare(program).expect("the program compiles");
    let draw = shader.within(pipeline, &bindings);
    let draw = draw.expect("it compiles").expect("the JIT draws");
    let done = draw.shade(
        &bindings,
        &scene.batch(samples, &scene.arrays()),
        &mut surfaces,
    );
    done.expect("everything is there");
    drop(surfaces);
    let planes = colours.into_iter().chain(depths);
    planes.map(|(bytes, _)| bytes).collect()
}

/// Draws spans of many lengths at either side of their memory, on every engine.
fn check(text: &str, pipeline: &Pipeline) {
    let program = program(text);
    let jits = jits();
    for side in SIDES {
        for (quads, gap) in (1..=9).map(|quads| (quads, quads as usize % 3)) {
            let scene = (side, quads, gap);
            let expected = drawn(&jits[0], &program, pipeline, scene);
            for jit in &jits[1..] {
                let same = drawn(jit, &program, pipeline, scene) == expected;
                assert!(same, "{}, {scene:?}: {text}: {pipeline:?}", jit.name());
            }
        }
    }
}

#[test]
fn nothing_beside_the_pixels_of_a_span_is_touched() {
    for format in ColourFormat::ALL {
        for target in targets(format) {
            let depth = Some(DepthFormat::D24).filter(|_| target.blend.is_some());
            for text in PROGRAMS {
                check(text, &pipeline(target, depth, SampleCount::One));
            }
        }
    }
}

#[test]
fn nothing_beside_the_samples_of_a_span_is_touched() {
    for format in [
        ColourFormat::R8,
        ColourFormat::Rgba8,
        ColourFormat::Rgba16F,
        ColourFormat::Rgba32F,
    ] {
        for target in targets(format) {
            let depth = Some(DepthFormat::D32F);
            check(PROGRAMS[0], &pipeline(target, depth, SampleCount::Four));
        }
    }
}

#[test]
fn nothing_beside_the_columns_of_a_map_is_touched() {
    // Layouts of an input and an output: components and stride. Strides that are not as long as a vector end with it.
    let layouts = [(4, 4), (4, 7), (1, 1), (3, 3), (2, 5)];
    // As it might kill, what is there is read, too.
    let program = program("add o1, i1, i1\nkil c0.x\nend");
    for side in SIDES {
        for (jit, (components, stride)) in jits().iter().flat_map(|jit| layouts.map(|it| (jit, it)))
        {
            let made = jit.specialisations();
            let shader = jit.prepare(&program).expect("the program compiles");
            for elements in [64, 65, 70, 127, 128, 131] {
                let numbers = (elements - 1) * stride + components;
                let input = guarded(side, || vec![0.5; numbers]);
                let mut output = guarded(side, || vec![7.0; numbers]);
                let part = |values| Part {
                    register: 1,
                    component: 0,
                    components,
                    stride,
                    values,
                };
                let input = part(()).with(&input[..]);
                let mut columns = Columns {
                    elements,
                    inputs: [input].into_iter().collect(),
                    outputs: [part(()).with(&mut output[..])].into_iter().collect(),
                    of_quad: LANES,
                    ..Columns::default()
                };
                let done = shader.map(program.usage(), &Bindings::new(), &mut columns);
                drop(columns);
                done.expect("nothing is missing");
                let written = (0..numbers).map(|n| if n % stride < components { 1.0 } else { 7.0 });
                assert!(
                    written.eq(output.iter().copied()),
                    "{components} of {stride}, {elements}"
                );
            }
            assert_eq!(
                jit.specialisations(),
                made + 1,
                "code was made for the layout"
            );
        }
    }
}

#[test]
fn nothing_beside_the_records_of_a_run_is_touched() {
    let bindings = Bindings::new().with_loop_budget(1000);
    let value = |n: usize| [(n % 7) as f32 / 4.0 + 0.25; 4];
    for (side, text) in SIDES
        .into_iter()
        .flat_map(|side| PROGRAMS.map(|text| (side, text)))
    {
        let program = program(text);
        for (jit, count) in jits()
            .iter()
            .flat_map(|jit| (1..=17).map(move |n| (jit, n)))
        {
            let mut quads = guarded(side, || vec![QuadIo::default(); count]);
            let mut states = guarded(side, || vec![QuadState::default(); count]);
            for (n, (quad, state)) in quads.iter_mut().zip(&mut states).enumerate() {
                for (input, value) in [(1, value(n)), (2, value(n + 1))] {
                    quad.set_input(input, [value; 4]);
                    state.io.set_input(input, [value; 4]);
                }
            }
            let shader = jit.prepare(&program).expect("the program compiles");
            let done = shader.run(&bindings, &mut quads);
            done.expect("nothing is missing");
            let shader = jit.prepare_stateful(&program);
            let shader = shader.expect("the program compiles");
            let done = shader.run(&bindings, &mut states);
            done.expect("nothing is missing");
            let same = states.iter().zip(&quads).all(|(state, quad)| {
                (state.io.outputs[1], state.io.kill) == (quad.outputs[1], quad.kill)
            });
            assert!(same, "{}, {count} records: {text}", jit.name());
        }
    }
}
