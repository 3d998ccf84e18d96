//! A draw with everything around it, the same for every emitter.

use attila_isa::{INPUTS, Inputs, Slots};
use attila_machine::pipeline::{
    Batch, ColourFormat, ColourTarget, Compare, DepthFormat, DepthTarget, InputKind, Multisampling,
    Pipeline, Plane, Span, Surface, Surfaces,
};
use attila_machine::{Bindings, Lanes, QuadReg, SampleCount, SamplePositions};

use super::QUADS;
use super::world::{inlined, number, textures};
use crate::abi::{DEPTH_SURFACE, DrawField, FragmentField, Pixels, SURFACES};
use crate::emit::{Code, Run};
use crate::ir::{Function, Op};

/// The span, which belongs to the second of two primitives and is not the first of its batch.
const SPAN: Span = Span {
    x: 6,
    y: 4,
    quads: QUADS as u32,
    primitive: 1,
    first: 2,
};
/// Column and row of the first pixel of all surfaces.
const ORIGIN: [u32; 2] = [4, 2];
/// Pixels of a row, and rows.
const SIZE: [usize; 2] = [2 * QUADS + 4, 6];
const ANCHORS: [[f32; 2]; 2] = [[0.0, 0.0], [1.5, 2.25]];
/// Planes of a primitive: four for each of the first inputs.
const PLANES: usize = 8;
/// The samples of a draw that has several.
const SAMPLES: SampleCount = SampleCount::Four;
const ALPHA_REFERENCE: f32 = 0.25;
const BLEND_CONSTANT: [f32; 4] = [0.5, 0.25, 0.125, 1.0];

/// The bytes of every surface.
pub(super) type Memory = Vec<Vec<u8>>;

/// A number between -4 and 4.
fn small(n: usize) -> f32 {
    (number(7, n) % 64) as f32 / 8.0 - 4.0
}

fn planes() -> Vec<Plane> {
    let numbers = (0..2 * PLANES).map(|n| [3 * n, 3 * n + 1, 3 * n + 2].map(small));
    numbers.map(|[at, dx, dy]| Plane { at, dx, dy }).collect()
}

fn coverage(pipeline: &Pipeline) -> Vec<u8> {
    let bytes = pipeline.coverage_bytes() as u8;
    (0..(SPAN.first as u8 + SPAN.quads as u8) * bytes)
        .map(|byte| (byte.wrapping_mul(5).wrapping_add(3)) & 15)
        .collect()
}

/// Whether a function has to do with samples.
fn is_multisampled(function: &Function) -> bool {
    let mut ops = function.nodes.iter().map(|node| node.op);
    let is_of_samples = |op| {
        let is_other_plane = matches!(
            op,
            Op::LoadPixels(Pixels { sample: 1.., .. })
                | Op::StorePixels(Pixels { sample: 1.., .. })
        );
        let is_number = matches!(
            op,
            Op::Fragment(FragmentField::Samples)
                | Op::Draw(
                    DrawField::Sample { .. }
                        | DrawField::Own { .. }
                        | DrawField::OwnIndex
                        | DrawField::OwnBit
                )
        );
        is_other_plane || is_number
    };
    ops.any(is_of_samples)
}

/// The quads of an input that comes from an array.
fn array(reg: usize) -> Vec<QuadReg> {
    let word = |place| small(place).to_bits();
    let quads = 0..(SPAN.first + SPAN.quads) as usize;
    let of_quad = |quad| {
        let first = 64 * quad + 16 * reg;
        [0, 4, 8, 12].map(|component| [0, 1, 2, 3].map(|lane| word(first + component + lane)))
    };
    quads.map(of_quad).collect()
}

/// The surfaces that a function reads or writes.
fn surfaces(function: &Function) -> Vec<Pixels> {
    let ops = function.nodes.iter().map(|node| node.op);
    let pixels = ops.filter_map(|op| {
        if let Op::LoadPixels(pixels) | Op::StorePixels(pixels) = op {
            return Some(pixels);
        }
        None
    });
    pixels.collect()
}

/// Whether a function is one of a draw.
pub(super) fn is_draw(function: &Function) -> bool {
    let mut ops = function.nodes.iter().map(|node| node.op);
    let is_drawn = |op| {
        matches!(
            op,
            Op::Draw(_) | Op::Span(_) | Op::Fragment(_) | Op::LoadPixels(_) | Op::StorePixels(_)
        )
    };
    ops.any(is_drawn)
}

/// All surfaces as they are before the draw.
fn memory(function: &Function) -> Memory {
    let mut memory = vec![Vec::new(); SURFACES];
    let samples = pipeline(function).stored().count();
    for pixels in surfaces(function) {
        let bytes = samples * SIZE[0] * SIZE[1] * pixels.size();
        let surface = &mut memory[usize::from(pixels.surface)];
        *surface = (0..bytes).map(|n| (n * 7 % 251) as u8).collect();
    }
    memory
}

/// The pipeline in which a function draws.
fn pipeline(function: &Function) -> Pipeline {
    let mut pipeline = Pipeline {
        coverage: true,
        ..Pipeline::default()
    };
    if is_multisampled(function) {
        pipeline.multisampling = Some(Multisampling {
            samples: SAMPLES,
            stored: SAMPLES,
            ..Multisampling::default()
        });
    }
    pipeline.inputs[..PLANES / 4].fill([InputKind::Linear; 4]);
    pipeline.inputs[PLANES / 4..].fill([InputKind::Array; 4]);
    for pixels in surfaces(function) {
        let format = match pixels.bytes {
            1 => ColourFormat::R8,
            4 => ColourFormat::Rgba8,
            8 => ColourFormat::Rgba16F,
            _ => ColourFormat::Rgba32F,
        };
        if pixels.surface == DEPTH_SURFACE {
            pipeline.depth = Some(DepthTarget {
                format: DepthFormat::D32F,
                compare: Compare::Always,
                write: true,
            });
        } else {
            pipeline.targets[usize::from(pixels.surface)] = Some(ColourTarget {
                format,
                mask: Slots::all(),
                blend: None,
            });
        }
    }
    pipeline
}

/// The surfaces after code has drawn, if it came to its end.
pub(super) fn drawn(function: &Function, code: &dyn Code) -> Option<Memory> {
    let pipeline = pipeline(function);
    let mut memory = memory(function);
    let (planes, coverage) = (planes(), coverage(&pipeline));
    let arrays: Vec<Vec<QuadReg>> = (0..INPUTS).map(array).collect();
    let batch = Batch {
        spans: &[SPAN],
        coverage: &coverage,
        positions: SamplePositions::standard(pipeline.samples()),
        anchors: &ANCHORS,
        planes: &planes,
        arrays: &Inputs::from_fn(|reg| arrays[reg].as_slice()),
        alpha_reference: ALPHA_REFERENCE,
        blend_constant: BLEND_CONSTANT,
    };
    let mut surfaces = Surfaces::default();
    for (n, bytes) in memory.iter_mut().enumerate() {
        let plane = bytes.len() / pipeline.stored().count();
        let surface = Surface {
            planes: bytes.chunks_mut(plane.max(1)).collect(),
            pitch: plane / SIZE[1],
            origin: ORIGIN,
        };
        match surfaces.colours.get_mut(n) {
            Some(colour) => *colour = Some(surface),
            None => surfaces.depth = Some(surface),
        }
    }
    let bindings = Bindings::new().with_loop_budget(100);
    let textures = textures();
    let run = Run {
        bindings: &bindings,
        textures: &inlined(&textures),
    };
    let done = code.draw(&run, &pipeline, &batch, &mut surfaces);
    drop(surfaces);
    done.is_ok().then_some(memory)
}

/// The words of the first quad's pixels, surface by surface.
pub(super) fn values(function: &Function, memory: &Memory) -> Vec<(Pixels, Lanes<u32>)> {
    let mut surfaces = surfaces(function);
    surfaces.sort_by_key(|pixels| (pixels.surface, pixels.sample));
    surfaces.dedup();
    let words = surfaces.into_iter().flat_map(|pixels| {
        let bytes = &memory[usize::from(pixels.surface)];
        let first = move |lane: usize| {
            let column = (SPAN.x - ORIGIN[0]) as usize + lane % 2;
            let row = (SPAN.y - ORIGIN[1]) as usize + lane / 2;
            let place = usize::from(pixels.sample) * SIZE[0] * SIZE[1] + row * SIZE[0] + column;
            place * pixels.size()
        };
        let word = move |lane, word| {
            let pixel = &bytes[first(lane)..][..pixels.size()];
            let word = pixel.chunks(4).nth(word).expect("the pixel has the word");
            word.iter()
                .rfold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        (0..pixels.words()).map(move |n| (pixels, [0, 1, 2, 3].map(|lane| word(lane, n))))
    });
    words.collect()
}
