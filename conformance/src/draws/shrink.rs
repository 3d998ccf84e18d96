//! Makes a differing draw plain.

use std::ops::Range;

use attila_shader::isa::{INPUTS, Inputs, Slots};
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, Compare, DepthFormat, InputKind,
    Plane,
};
use attila_shader::machine::{DEFAULT_LOOP_BUDGET, LaneMask, QuadState};

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::fill::Fill;
use super::run::DrawDifference;
use crate::case::Case;
use crate::shrink as programs;

/// The most rounds. Usually a handful is enough; an engine that does not give the same answer twice
/// could ask for as many as there are things to change.
const ROUNDS: usize = 12;

/// A case, and what differs in it.
type Found = (DrawCase, DrawDifference);

type Differs<'a> = &'a dyn Fn(&DrawCase) -> Option<DrawDifference>;

/// Takes every plainer variant for which `differs` finds a difference, until there is none.
pub(super) fn shrink(mut best: Found, differs: Differs<'_>) -> Found {
    let frame = best.1.frame;
    for kept in [frame..frame + 1, 0..frame + 1] {
        let mut alone = best.0.clone();
        alone.frames = alone.frames.get(kept).unwrap_or_default().to_vec();
        if take(&mut best, alone, differs) {
            break;
        }
    }
    for _ in 0..ROUNDS {
        let mut taken = simplify(&mut best, differs);
        taken |= shorten(&mut best, differs);
        taken |= program(&mut best, differs);
        if !taken {
            break;
        }
    }
    best
}

/// Keeps `plainer` if it is another case and differs.
fn take(best: &mut Found, plainer: DrawCase, differs: Differs<'_>) -> bool {
    // Texts, as a NaN is not the same as itself. Images are not part of them.
    let same = plainer.to_text("") == best.0.to_text("")
        && plainer.textures.len() == best.0.textures.len();
    if same || plainer.frames.is_empty() || !plainer.is_specified() {
        return false;
    }
    let difference = differs(&plainer);
    difference.is_some_and(|difference| {
        *best = (plainer, difference);
        true
    })
}

/// Tries each variant of the case as it is by then. True if one was taken.
fn simplify(best: &mut Found, differs: Differs<'_>) -> bool {
    let mut taken = false;
    for change in changes() {
        let mut plainer = best.0.clone();
        change(&mut plainer);
        taken |= take(best, plainer, differs);
    }
    taken
}

/// Makes lists and sides shorter, as long as that goes.
fn shorten(best: &mut Found, differs: Differs<'_>) -> bool {
    let mut taken = false;
    for change in SHORTER {
        loop {
            let mut plainer = best.0.clone();
            change(&mut plainer);
            if !take(best, plainer, differs) {
                break;
            }
            taken = true;
        }
    }
    for frame in 0..best.0.frames.len() {
        taken |= fewer_quads(best, frame, differs);
    }
    taken
}

/// Leaves out as many quads or triangles of a list as it can, many at once where possible.
fn fewer_quads(best: &mut Found, frame: usize, differs: Differs<'_>) -> bool {
    let count = |case: &DrawCase| match &case.frames[frame].shape {
        ShapeCase::Rect(_) => 0,
        ShapeCase::Quads(quads) => quads.len(),
        ShapeCase::Triangles(_, triangles) => triangles.len(),
    };
    let mut taken = false;
    let mut size = count(&best.0);
    while size > 0 {
        let mut start = 0;
        while start < count(&best.0) {
            let mut plainer = best.0.clone();
            let end = (start + size).min(count(&best.0));
            without_quads(&mut plainer.frames[frame], start..end);
            if take(best, plainer, differs) {
                taken = true;
            } else {
                start += size;
            }
        }
        size /= 2;
    }
    taken
}

fn without_quads(frame: &mut FrameCase, range: Range<usize>) {
    match &mut frame.shape {
        ShapeCase::Rect(_) => {}
        ShapeCase::Triangles(_, triangles) => drop(triangles.drain(range)),
        ShapeCase::Quads(quads) => {
            quads.drain(range.clone());
            for array in frame.arrays.values_mut() {
                array.drain(range.clone());
            }
        }
    }
}

/// Leaves out the vertices that no triangle has.
fn without_spare_vertices(frame: &mut FrameCase) {
    let ShapeCase::Triangles(positions, triangles) = &mut frame.shape else {
        return;
    };
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let kept = |all: &[[f32; 4]]| used.iter().map(|&vertex| all[vertex as usize]).collect();
    *positions = kept(positions);
    for attribute in frame.attributes.values_mut() {
        *attribute = kept(attribute);
    }
    for vertex in triangles.iter_mut().flatten() {
        *vertex = used.partition_point(|other| other < vertex) as u32;
    }
}

/// Makes the program and its constants smaller, as if it were a case of its own.
fn program(best: &mut Found, differs: Differs<'_>) -> bool {
    let around = best.0.clone();
    let alone = Case {
        program: around.program.clone(),
        constants: around.constants.clone(),
        quads: vec![QuadState::default()],
        loop_budget: around.loop_budget,
        fixed_bits: around.fixed_bits,
    };
    let with = |case: &Case| {
        let draw = DrawCase {
            constants: case.constants.clone(),
            fixed_bits: case.fixed_bits,
            ..around.clone()
        };
        draw.with_insts(case.insts().to_vec())
    };
    let differs_around = |case: &Case| with(case).is_some_and(|draw| differs(&draw).is_some());
    let smaller = programs::shrink(&alone, &differs_around);
    with(&smaller).is_some_and(|plainer| take(best, plainer, differs))
}

type Change = Box<dyn Fn(&mut DrawCase)>;

/// Everything that makes a case plainer, the most first.
fn changes() -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for change in STATE {
        changes.push(Box::new(change));
    }
    for index in 0..8 {
        changes.push(Box::new(move |case| case.targets[index] = None));
        for change in TARGET {
            changes.push(Box::new(move |case| {
                if let Some(target) = &mut case.targets[index] {
                    change(target);
                }
            }));
        }
    }
    changes.extend((0..INPUTS).flat_map(plainer_input));
    changes
}

/// What makes an input plainer.
fn plainer_input(register: usize) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for kind in [InputKind::Unused, InputKind::Flat, InputKind::Linear] {
        changes.push(Box::new(move |case| plain_kinds(case, register, kind)));
    }
    changes.push(Box::new(move |case| {
        case.vertices[register] = false;
        let frames = case.frames.iter_mut();
        frames.for_each(|frame| drop(frame.attributes.remove(&register)));
    }));
    changes.push(Box::new(move |case| {
        for frame in &mut case.frames {
            frame.planes[register] = Default::default();
            let attribute = frame.attributes.get_mut(&register);
            attribute.into_iter().for_each(|it| it.fill([0.0; 4]));
        }
    }));
    for component in 0..4 {
        for change in PLANE {
            changes.push(Box::new(move |case| {
                let frames = case.frames.iter_mut();
                frames.for_each(|frame| change(&mut frame.planes[register][component]));
            }));
        }
    }
    changes
}

/// Makes the kinds of an input plainer; never a kind that is as plain already.
fn plain_kinds(case: &mut DrawCase, register: usize, plain: InputKind) {
    let rank = |kind: InputKind| KINDS.iter().position(|it| *it == kind);
    for kind in &mut case.kinds[register] {
        if rank(*kind) > rank(plain) {
            *kind = plain;
        }
    }
    if !case.kinds[register].contains(&InputKind::Array) {
        let frames = case.frames.iter_mut();
        frames.for_each(|frame| drop(frame.arrays.remove(&register)));
    }
}

/// The kinds, the plainest first.
const KINDS: [InputKind; 6] = [
    InputKind::Unused,
    InputKind::Flat,
    InputKind::Position,
    InputKind::Linear,
    InputKind::Array,
    InputKind::Perspective,
];

const STATE: [fn(&mut DrawCase); 16] = [
    |case| {
        case.vertices = Inputs::default();
        let size = case.size;
        for frame in &mut case.frames {
            frame.attributes.clear();
            frame.shape = ShapeCase::Rect(size.map(|side| 0..side.into()));
        }
    },
    |case| case.textures.clear(),
    |case| {
        if case.program.cfg().blocks().len() == 1 {
            case.loop_budget = DEFAULT_LOOP_BUDGET;
        }
    },
    |case| case.frames.iter_mut().for_each(without_spare_vertices),
    |case| case.threads = 1,
    |case| case.scissor = None,
    |case| case.alpha_test = Compare::Always,
    |case| case.depth = None,
    |case| case.anchor = [0.0; 2],
    |case| {
        if let Some(depth) = &mut case.depth {
            depth.fill = Fill::default();
        }
    },
    |case| {
        if let Some(depth) = &mut case.depth {
            depth.state.format = DepthFormat::D32F;
        }
    },
    |case| {
        if let Some(depth) = &mut case.depth {
            depth.state.compare = Compare::Always;
        }
    },
    |case| {
        case.frames
            .iter_mut()
            .for_each(|frame| frame.alpha_reference = 0.0)
    },
    |case| {
        case.frames
            .iter_mut()
            .for_each(|frame| frame.blend_constant = [0.0; 4])
    },
    |case| {
        for frame in &mut case.frames {
            if let ShapeCase::Quads(quads) = &mut frame.shape {
                quads
                    .iter_mut()
                    .for_each(|quad| quad.coverage = LaneMask::all());
            }
        }
    },
    |case| {
        for frame in &mut case.frames {
            let words = frame.arrays.values_mut().flatten().flatten().flatten();
            words.for_each(|word| *word = 0);
        }
    },
];

const PLAIN_EQUATION: BlendEquation = BlendEquation {
    op: BlendOp::Add,
    src: BlendFactor::One,
    dst: BlendFactor::Zero,
};

const TARGET: [fn(&mut super::TargetCase); 8] = [
    |target| target.fill = Fill::default(),
    |target| target.fill.gap = 0,
    |target| target.target.mask = Slots::all(),
    |target| target.target.format = ColourFormat::Rgba8,
    |target| target.target.blend = None,
    |target| target.target.blend = target.target.blend.map(|_| Blend::all(PLAIN_EQUATION)),
    |target| {
        if let Some(blend) = &mut target.target.blend {
            blend.alpha = PLAIN_EQUATION;
        }
    },
    |target| {
        if let Some(blend) = &mut target.target.blend {
            blend.colour = PLAIN_EQUATION;
        }
    },
];

const PLANE: [fn(&mut Plane); 5] = [
    |plane| *plane = Plane::default(),
    |plane| (plane.dx, plane.dy) = (0.0, 0.0),
    |plane| plane.at = 0.0,
    |plane| plane.dx = 0.0,
    |plane| plane.dy = 0.0,
];

/// What can be made shorter again and again.
const SHORTER: [fn(&mut DrawCase); 8] = [
    |case| {
        case.frames.remove(0);
    },
    |case| case.size[0] = case.size[0].div_ceil(2),
    |case| case.size[1] = case.size[1].div_ceil(2),
    |case| case.size[0] = (case.size[0] - 1).max(1),
    |case| case.size[1] = (case.size[1] - 1).max(1),
    |case| {
        rects(case, |area, size| {
            for (range, side) in area.iter_mut().zip(size) {
                *range = range.start.max(0)..range.end.min(side.into());
            }
        })
    },
    |case| rects(case, |area, _| area.iter_mut().for_each(halve)),
    |case| {
        rects(case, |area, _| {
            let [columns, rows] = area;
            if columns.end > columns.start + 1 {
                columns.end -= 1;
            } else if rows.end > rows.start + 1 {
                rows.end -= 1;
            }
        })
    },
];

fn rects(case: &mut DrawCase, change: fn(&mut [Range<i64>; 2], [u32; 2])) {
    let size = case.size;
    for frame in &mut case.frames {
        if let ShapeCase::Rect(area) = &mut frame.shape {
            change(area, size);
        }
    }
}

fn halve(range: &mut Range<i64>) {
    let length = range.end - range.start;
    if length > 1 {
        range.end = range.start + length / 2;
    }
}
