//! Passes that make a differing draw plainer. Its state goes line by line and word by word, as that of all cases.

use std::ops::Range;

use attila_shader::isa::{INPUTS, Inputs};
use attila_shader::machine::pipeline::InputKind;

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::set_up::SetUpCase;
use crate::case::Case;
use crate::shrink::program_passes;
use crate::subject::Pass;

/// All passes.
pub(super) fn passes() -> Vec<Pass<DrawCase>> {
    let mut passes = vec![
        Pass::parts(|case: &DrawCase| case.frames.len(), without_frames),
        Pass::parts(
            |case: &DrawCase| (0..case.frames.len()).map(|n| pieces(case, n)).sum(),
            without_pieces,
        ),
        Pass::plainer(|case, part| {
            (part == 0).then(|| vec![with_rects(case), without_spare(case)])
        }),
        Pass::plainer(|case: &DrawCase, part| (part < INPUTS).then(|| plainer_input(case, part))),
    ];
    let program = program_passes().into_iter();
    passes.extend(program.map(|pass| pass.within(|case: &DrawCase| &case.shaded, with_program)));
    passes
}

/// The draw with another program and other constants. Quads are not its own.
fn with_program(case: &DrawCase, shaded: Case) -> DrawCase {
    DrawCase {
        shaded: Case {
            quads: case.shaded.quads.clone(),
            ..shaded
        },
        ..case.clone()
    }
}

fn without_frames(case: &DrawCase, range: Range<usize>) -> Option<DrawCase> {
    let mut case = case.clone();
    case.frames.drain(range);
    Some(case)
}

/// Quads or triangles of a frame.
fn pieces(case: &DrawCase, frame: usize) -> usize {
    match &case.frames[frame].shape {
        ShapeCase::Rect(_) => 0,
        ShapeCase::Quads(quads) => quads.len(),
        ShapeCase::Triangles(_, triangles) => triangles.len(),
    }
}

/// Leaves out quads or triangles, counted over all frames.
fn without_pieces(case: &DrawCase, range: Range<usize>) -> Option<DrawCase> {
    let mut shorter = case.clone();
    let mut first = 0;
    for (n, frame) in shorter.frames.iter_mut().enumerate() {
        let count = pieces(case, n);
        let own = |at: usize| at.clamp(first, first + count) - first;
        without_quads(frame, own(range.start)..own(range.end));
        first += count;
    }
    Some(shorter)
}

fn without_quads(frame: &mut FrameCase, range: Range<usize>) {
    match &mut frame.shape {
        ShapeCase::Rect(_) => {}
        ShapeCase::Triangles(_, triangles) => drop(triangles.drain(range)),
        ShapeCase::Quads(quads) => {
            quads.drain(range.clone());
            for array in frame.arrays.values_mut() {
                let end = range.end.min(array.len());
                array.drain(range.start.min(end)..end);
            }
        }
    }
}

/// Draws rectangles instead of triangles.
fn with_rects(case: &DrawCase) -> DrawCase {
    let mut case = case.clone();
    case.vertices = Inputs::default();
    case.set_up = SetUpCase::default();
    let size = case.size;
    for frame in &mut case.frames {
        frame.attributes.clear();
        frame.shape = ShapeCase::Rect(size.map(|side| 0..side.into()));
    }
    case
}

fn without_spare(case: &DrawCase) -> DrawCase {
    let mut case = case.clone();
    case.frames.iter_mut().for_each(without_spare_vertices);
    case
}

/// Leaves out the vertices that no triangle has.
fn without_spare_vertices(frame: &mut FrameCase) {
    let ShapeCase::Triangles(positions, triangles) = &mut frame.shape else {
        return;
    };
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let kept = |all: &[[f32; 4]]| {
        let found = used.iter().map(|&vertex| all.get(vertex as usize));
        found
            .map(|vertex| vertex.copied().unwrap_or_default())
            .collect()
    };
    *positions = kept(positions);
    for attribute in frame.attributes.values_mut() {
        *attribute = kept(attribute);
    }
    for vertex in triangles.iter_mut().flatten() {
        *vertex = used.partition_point(|other| other < vertex) as u32;
    }
}

/// Makes an input the same everywhere, or interpolates it without perspective, in all components at once; and no longer
/// from vertices.
fn plainer_input(case: &DrawCase, register: usize) -> Vec<DrawCase> {
    let rank = |kind: InputKind| RANKS.iter().position(|it| *it == kind);
    let with = |plain: InputKind| {
        let mut case = case.clone();
        for kind in &mut case.kinds[register] {
            if rank(*kind) > rank(plain) {
                *kind = plain;
            }
        }
        for frame in &mut case.frames {
            if !case.kinds[register].contains(&InputKind::Array) {
                frame.arrays.remove(&register);
            }
        }
        case
    };
    let mut own = case.clone();
    own.vertices[register] = false;
    own.set_up = own.set_up.without(register);
    for frame in &mut own.frames {
        frame.attributes.remove(&register);
    }
    let plain = [InputKind::Unused, InputKind::Flat, InputKind::Linear].map(with);
    plain.into_iter().chain([own]).collect()
}

/// The kinds, the plainest first.
const RANKS: [InputKind; 6] = [
    InputKind::Unused,
    InputKind::Flat,
    InputKind::Position,
    InputKind::Linear,
    InputKind::Array,
    InputKind::Perspective,
];
