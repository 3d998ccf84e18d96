//! Draws by compiled code without the crate around it, against the results of a plain loop.

use attila_isa::{Inputs, Program, Slots, ValidProgram};
use attila_jit::{EmitterKind, Jit, JitOptions};
use attila_machine::arith::fma;
use attila_machine::pipeline::{
    Batch, ColourFormat, ColourTarget, InputKind, Pipeline, Plane, Span, SpanError, SpanShader,
    Surface, Surfaces,
};
use attila_machine::{Backend, Bindings, QuadReg, SamplePositions};

fn program(text: &str) -> ValidProgram {
    Program::assemble(text).unwrap().validate().unwrap()
}

fn jit(emitter: EmitterKind, quads: Option<usize>) -> Jit {
    let options = JitOptions {
        emitter,
        quads,
        ..JitOptions::default()
    };
    Jit::with_options(&options).unwrap()
}

const PLANES: [Plane; 4] = [
    Plane {
        at: 0.0,
        dx: 1.0 / 32.0,
        dy: 0.0,
    },
    Plane {
        at: 0.0,
        dx: 0.0,
        dy: 1.0 / 16.0,
    },
    Plane {
        at: 0.25,
        dx: 0.01,
        dy: 0.02,
    },
    Plane {
        at: 1.0,
        dx: 0.0,
        dy: 0.0,
    },
];

/// A target of 32x16 pixels of four bytes, of which `draw` shades `width` columns from column 2 on.
fn drawn(draw: &dyn SpanShader, width: u32) -> Vec<u8> {
    let mut bytes = vec![0; 4 * 32 * 16];
    let spans: Vec<Span> = (0..16)
        .step_by(2)
        .map(|y| Span {
            x: 2,
            y,
            quads: width / 2,
            primitive: 0,
            first: 0,
        })
        .collect();
    let batch = Batch {
        spans: &spans,
        coverage: &[],
        positions: SamplePositions::default(),
        anchors: &[[0.0; 2]],
        planes: &PLANES,
        arrays: &Inputs::default(),
        alpha_reference: 0.0,
        blend_constant: [0.0; 4],
    };
    let mut surfaces = Surfaces::default();
    surfaces.colours[0] = Some(Surface::new(&mut bytes, 4 * 32, [0, 0]));
    let bindings = Bindings::new();
    draw.shade(&bindings, &batch, &mut surfaces).unwrap();
    drop(surfaces);
    bytes
}

/// The values of [`PLANES`] at the centre of a pixel, as bytes.
fn plane_bytes(x: u32, y: u32) -> [u8; 4] {
    PLANES.map(|plane| {
        let row = fma(y as f32 + 0.5, plane.dy, plane.at);
        let value = fma(x as f32 + 0.5, plane.dx, row);
        (value.clamp(0.0, 1.0) * 255.0) as u8
    })
}

#[test]
fn linear_inputs_become_pixels() {
    let program = program("mov o1, i1");
    let mut pipeline = Pipeline::default();
    pipeline.inputs[1] = [InputKind::Linear; 4];
    pipeline.targets[0] = Some(ColourTarget {
        format: ColourFormat::Rgba8,
        mask: Slots::all(),
        blend: None,
    });
    let bindings = Bindings::new();
    let quads = [None, Some(1), Some(2), Some(4)].into_iter();
    for (quads, emitter) in quads.flat_map(|quads| EmitterKind::ALL.map(|emitter| (quads, emitter)))
    {
        let shader = jit(emitter, quads).prepare(&program).unwrap();
        let draw = shader.within(&pipeline, &bindings).unwrap().unwrap();
        for width in [2, 4, 6, 8, 10, 14, 22] {
            let bytes = drawn(&*draw, width);
            for (x, y) in (0..16).flat_map(|y| (0..32).map(move |x| (x, y))) {
                let inside = (2..2 + width).contains(&x);
                let expected = if inside { plane_bytes(x, y) } else { [0; 4] };
                let at = 4 * (y * 32 + x) as usize;
                let place = format!("({x}, {y}), {emitter:?}, {quads:?}, {width}");
                assert_eq!(bytes[at..at + 4], expected, "{place}");
            }
        }
    }
}

/// The result for one span without any pixels, of a program that loops from column 32 * `end` on.
fn shaded(span: Span, end: f32, change: impl FnOnce(&mut Pipeline)) -> Result<(), SpanError> {
    let text = "again: setpgt p0, i0.x, c0.x\njmp p0, again\nmov o1, i1";
    let shader = jit(EmitterKind::default(), None);
    let shader = shader.prepare(&program(text)).unwrap();
    let mut pipeline = Pipeline::default();
    pipeline.inputs[0][0] = InputKind::Linear;
    pipeline.inputs[1][0] = InputKind::Linear;
    change(&mut pipeline);
    let bindings = Bindings::new().with_constant(0, [end; 4]);
    let bindings = bindings.with_loop_budget(9);
    let draw = shader.within(&pipeline, &bindings).unwrap().unwrap();
    let batch = Batch {
        spans: &[span],
        coverage: &[],
        positions: SamplePositions::default(),
        anchors: &[[0.0; 2]],
        planes: &[PLANES[0]; 2],
        arrays: &Inputs::default(),
        alpha_reference: 0.0,
        blend_constant: [0.0; 4],
    };
    draw.shade(&bindings, &batch, &mut Surfaces::default())
}

/// A span that any pipeline without targets takes.
const GOOD: Span = Span {
    x: 0,
    y: 0,
    quads: 8,
    primitive: 0,
    first: 0,
};

/// The message about a span.
fn message(span: Span, change: fn(&mut Pipeline)) -> String {
    let error = shaded(span, f32::MAX, change).expect_err("the span is bad");
    error.to_string()
}

#[test]
fn spans_made_by_hand_have_limits() {
    let good = GOOD;
    assert_eq!(shaded(good, f32::MAX, |_| {}), Ok(()));
    for (span, expected) in [
        (
            Span {
                quads: 1 << 24,
                ..good
            },
            "span 0 has 16777216 quads; the limit is 16777215",
        ),
        (
            Span {
                quads: u32::MAX,
                ..good
            },
            "span 0 has 4294967295 quads; the limit is 16777215",
        ),
        (Span { quads: 0, ..good }, "span 0 has no quads"),
        (
            Span {
                primitive: 1,
                ..good
            },
            "span 0 belongs to primitive 1; there are 1 anchors",
        ),
        (
            Span {
                x: u32::MAX - 2,
                ..good
            },
            "span 0 goes beyond column or row 4294967294",
        ),
    ] {
        assert_eq!(message(span, |_| {}), expected);
    }
}

#[test]
fn batches_made_by_hand_need_what_their_pipeline_asks_for() {
    let good = GOOD;
    let target = |pipeline: &mut Pipeline| {
        pipeline.targets[0] = Some(ColourTarget {
            format: ColourFormat::R32F,
            mask: Slots::all(),
            blend: None,
        });
    };
    let missing = "colour target 0 has no surface";
    assert_eq!(message(good, target), missing);
    let missing = "1 primitives have 3 planes each; there are 2";
    assert_eq!(
        message(good, |pipeline| pipeline.inputs[9][0] = InputKind::Flat),
        missing
    );
    let missing = "span 0 needs 8 quads in the coverage; there are 0";
    assert_eq!(message(good, |pipeline| pipeline.coverage = true), missing);
    let missing = "span 0 needs 8 quads in the arrays; there are 0";
    assert_eq!(
        message(good, |pipeline| pipeline.inputs[1] = [InputKind::Array; 4]),
        missing
    );
}

#[test]
fn the_last_quads_of_the_longest_span_are_told_from_others() {
    let span = Span {
        x: 0,
        y: 6,
        quads: Span::MOST_QUADS,
        primitive: 0,
        first: 0,
    };
    let last = 2 * (Span::MOST_QUADS - 1);
    let error = shaded(span, (last - 100) as f32 / 32.0, |_| {});
    let Err(SpanError::LoopBudget { x, y: 6, .. }) = error else {
        panic!("{error:?}");
    };
    // So far away columns are rounded.
    assert!((last - 110..=last).contains(&x), "{x}");
}

/// The pixels of a draw whose colours come from an array: three spans one above the other, of so many
/// quads, with as many registers as they need and as many pixels as they cover.
fn copied(emitter: EmitterKind, quads: Option<usize>, lengths: [u32; 3]) -> Vec<u32> {
    let shader = jit(emitter, quads);
    let shader = shader.prepare(&program("mov o1, i2")).unwrap();
    let mut pipeline = Pipeline::default();
    pipeline.inputs[2] = [InputKind::Array; 4];
    pipeline.targets[0] = Some(ColourTarget {
        format: ColourFormat::R32F,
        mask: Slots::all(),
        blend: None,
    });
    let bindings = Bindings::new();
    let draw = shader.within(&pipeline, &bindings).unwrap().unwrap();
    let mut first = 0;
    let spans: Vec<Span> = [0, 2, 4]
        .into_iter()
        .zip(lengths)
        .map(|(y, quads)| {
            first += quads;
            Span {
                x: 10,
                y,
                quads,
                primitive: 0,
                first: first - quads,
            }
        })
        .collect();
    let register = |quad: u32| [[0, 1, 2, 3].map(|lane| 100 + 4 * quad + lane); 4];
    let registers: Vec<QuadReg> = (0..first).map(register).collect();
    let mut arrays = Inputs::all(&[][..]);
    arrays[2] = &registers;
    let batch = Batch {
        spans: &spans,
        coverage: &[],
        positions: SamplePositions::default(),
        anchors: &[[0.0; 2]],
        planes: &[],
        arrays: &arrays,
        alpha_reference: 0.0,
        blend_constant: [0.0; 4],
    };
    // The last span ends where its surface does.
    let pitch = 4 * 2 * lengths[0].max(lengths[1]).max(lengths[2]);
    let mut bytes = vec![0xff; (5 * pitch + 8 * lengths[2]) as usize];
    let mut surfaces = Surfaces::default();
    surfaces.colours[0] = Some(Surface::new(&mut bytes, pitch as usize, [10, 0]));
    draw.shade(&bindings, &batch, &mut surfaces).unwrap();
    drop(surfaces);
    let words = bytes.as_chunks().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}

#[test]
fn spans_may_be_shorter_than_what_is_shaded_at_a_time() {
    for lengths in [[1, 5, 2], [3, 3, 3], [4, 1, 1], [2, 4, 3], [1, 1, 1]] {
        let width = 2 * lengths.into_iter().max().unwrap();
        let mut expected = vec![u32::MAX; (5 * width + 2 * lengths[2]) as usize];
        let mut first = 0;
        for (y, quads) in [0, 2, 4].into_iter().zip(lengths) {
            for (quad, lane) in (0..quads).flat_map(|quad| (0..4).map(move |lane| (quad, lane))) {
                let (x, y) = (2 * quad + lane % 2, y + lane / 2);
                expected[(y * width + x) as usize] = 100 + 4 * (first + quad) + lane;
            }
            first += quads;
        }
        for quads in [None, Some(1), Some(2), Some(3), Some(4)] {
            for emitter in EmitterKind::ALL {
                let got = copied(emitter, quads, lengths);
                assert_eq!(got, expected, "{lengths:?}, {emitter:?}, {quads:?}");
            }
        }
    }
}
