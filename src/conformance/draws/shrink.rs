//! Makes a differing case plain.

use attila_isa::Slots;
use attila_isa::pipeline::{Compare, InputKind, Plane};

use super::case::{DrawCase, DrawDifference, DrawShape, DrawTarget};
use crate::conformance::shrink::shrink as shrink_program;

/// The most rounds. Usually a handful is enough; an engine that does not give the same answer twice
/// could ask for as many as there are things to change.
const ROUNDS: usize = 20;

/// A case, and what differs in it.
type Found = (DrawCase, DrawDifference);

/// Takes every plainer variant for which `differs` finds a difference, until there is none.
pub(super) fn shrink(
    mut best: Found,
    differs: &dyn Fn(&DrawCase) -> Option<DrawDifference>,
) -> Found {
    for _ in 0..ROUNDS {
        let before = best.0.clone();
        for change in changes() {
            take(&mut best, differs, &*change);
        }
        shape(&mut best, differs);
        program(&mut best, differs);
        if best.0 == before {
            break;
        }
    }
    best
}

/// Takes the change if the case still differs.
fn take(
    best: &mut Found,
    differs: &dyn Fn(&DrawCase) -> Option<DrawDifference>,
    change: &dyn Fn(&mut DrawCase),
) -> bool {
    let mut plainer = best.0.clone();
    change(&mut plainer);
    if plainer == best.0 {
        return false;
    }
    let Some(difference) = differs(&plainer) else {
        return false;
    };
    *best = (plainer, difference);
    true
}

/// Takes instructions and constants away.
fn program(best: &mut Found, differs: &dyn Fn(&DrawCase) -> Option<DrawDifference>) {
    let around = best.0.clone();
    let with = |program: &_| DrawCase {
        program: Clone::clone(program),
        ..around.clone()
    };
    let smaller = shrink_program(&best.0.program, &|program| {
        differs(&with(program)).is_some()
    });
    let smaller = with(&smaller);
    if let Some(difference) = differs(&smaller) {
        *best = (smaller, difference);
    }
}

/// Takes away quads or triangles, halves first.
fn shape(best: &mut Found, differs: &dyn Fn(&DrawCase) -> Option<DrawDifference>) {
    let mut step = match &best.0.shape {
        DrawShape::Rectangle(..) => 0,
        DrawShape::Quads(quads) => quads.len(),
        DrawShape::Triangles(_, triangles) => triangles.len(),
    };
    while step > 0 {
        let mut from = 0;
        while take(best, differs, &|case| remove(case, from, step)) || from < length(&best.0) {
            from += step;
        }
        step /= 2;
    }
}

fn length(case: &DrawCase) -> usize {
    match &case.shape {
        DrawShape::Rectangle(..) => 0,
        DrawShape::Quads(quads) => quads.len(),
        DrawShape::Triangles(_, triangles) => triangles.len(),
    }
}

/// Removes `count` quads or triangles from `from` on, with their inputs.
fn remove(case: &mut DrawCase, from: usize, count: usize) {
    let range = |length: usize| from.min(length)..(from + count).min(length);
    match &mut case.shape {
        DrawShape::Rectangle(..) => {}
        DrawShape::Quads(quads) => {
            quads.drain(range(quads.len()));
            for input in case.inputs.iter_mut().flatten() {
                input.registers.drain(range(input.registers.len()));
            }
        }
        DrawShape::Triangles(_, triangles) => {
            triangles.drain(range(triangles.len()));
        }
    }
}

type Change = Box<dyn Fn(&mut DrawCase)>;

/// Everything else that makes a case plainer, the most first.
fn changes() -> Vec<Change> {
    let mut changes: Vec<Change> = vec![
        Box::new(|case| case.scissor = None),
        Box::new(|case| case.textures = None),
        Box::new(|case| case.alpha_test = (Compare::Always, 0.0)),
        Box::new(|case| {
            if case.targets.iter().any(Option::is_some) {
                case.depth = None;
            }
        }),
        Box::new(|case| case.blend_constant = [0.0; 4]),
        Box::new(|case| case.anchor = [0.0; 2]),
    ];
    for edge in EDGES {
        changes.push(Box::new(edge));
    }
    for index in 0..8 {
        changes.push(Box::new(move |case| {
            if case.targets.iter().flatten().count() > 1 || case.depth.is_some() {
                case.targets[index] = None;
            }
        }));
        for change in TARGET_CHANGES {
            changes.push(Box::new(move |case| {
                if let Some(target) = &mut case.targets[index] {
                    change(target);
                }
            }));
        }
    }
    for register in 0..16 {
        changes.push(Box::new(move |case| case.inputs[register] = None));
        for component in 0..4 {
            changes.push(Box::new(move |case| flatten(case, register, component)));
        }
    }
    changes
}

/// Makes a component of an input 0 everywhere.
fn flatten(case: &mut DrawCase, register: usize, component: usize) {
    if let Some(input) = &mut case.inputs[register]
        && input.kinds[component] != InputKind::Position
    {
        input.kinds[component] = InputKind::Flat;
        input.planes[component] = Plane::default();
    }
}

const TARGET_CHANGES: [fn(&mut DrawTarget); 3] = [
    |target| target.blend = None,
    |target| target.mask = Slots::all(),
    |target| target.bytes.fill(0),
];

/// Makes rectangles smaller.
const EDGES: [fn(&mut DrawCase); 4] = [
    |case| rectangle(case, |range| range.end = (range.start + range.end) / 2, 0),
    |case| rectangle(case, |range| range.start = (range.start + range.end) / 2, 0),
    |case| rectangle(case, |range| range.end = (range.start + range.end) / 2, 1),
    |case| rectangle(case, |range| range.start = (range.start + range.end) / 2, 1),
];

fn rectangle(case: &mut DrawCase, change: fn(&mut std::ops::Range<i64>), axis: usize) {
    if let DrawShape::Rectangle(columns, rows) = &mut case.shape {
        change([columns, rows][axis]);
    }
}
