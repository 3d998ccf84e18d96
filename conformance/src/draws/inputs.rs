//! Random inputs.

use attila_shader::isa::{INPUTS, Inputs};
use std::collections::BTreeMap;

use attila_shader::machine::QuadReg;
use attila_shader::machine::pipeline::{InputKind, Plane};

use super::case::DrawCase;
use crate::dice::Dice;
use crate::values;

/// Where inputs come from: at random, as far as the results stay specified. Arrays come up in lists
/// of quads only.
pub(super) fn kinds(dice: &mut Dice<'_>, case: &DrawCase, lists: bool) -> Inputs<[InputKind; 4]> {
    let mut case = DrawCase {
        kinds: Inputs::all([InputKind::Flat; 4]),
        ..case.clone()
    };
    let arrays = if lists && dice.percent(60) { 3 } else { 0 };
    let perspective = dice.pick(&[0, 4]);
    for register in 0..case.input_registers() {
        let kind = kind(dice, arrays, perspective);
        for component in 0..4 {
            let read = case.shaded.program.usage().inputs[register];
            if !read.components().any(|c| c.index() == component) && register != 0 {
                continue;
            }
            // Mostly the same for all components, as renderers do it.
            let kind = if dice.percent(75) {
                kind
            } else {
                self::kind(dice, arrays, perspective)
            };
            let kind = match (register, component) {
                (0, 0 | 1) if dice.percent(60) => InputKind::Position,
                // Depth and perspective need planes.
                (0, 2 | 3) if kind != InputKind::Flat => InputKind::Linear,
                _ => kind,
            };
            let is_evaluated = !case.shaded.program.usage().evaluated[register].is_empty();
            // Arrays know nothing of other places.
            let kind = match kind == InputKind::Array && is_evaluated {
                true => InputKind::Linear,
                false => kind,
            };
            let before = std::mem::replace(&mut case.kinds[register][component], kind);
            if !case.has_specified_results() {
                case.kinds[register][component] = before;
            }
        }
    }
    case.kinds
}

fn kind(dice: &mut Dice<'_>, arrays: u8, perspective: u8) -> InputKind {
    dice.weighted(&[
        (2, InputKind::Flat),
        (5, InputKind::Linear),
        (perspective, InputKind::Perspective),
        (arrays, InputKind::Array),
    ])
}

/// Chooses inputs that are attributes of vertices, and how they are interpolated. False if triangles
/// cannot be drawn, as their depth would be read as an integer.
pub(super) fn vertices(dice: &mut Dice<'_>, case: &mut DrawCase) -> bool {
    let position = [
        InputKind::Position,
        InputKind::Position,
        InputKind::Linear,
        InputKind::Linear,
    ];
    let before = case.clone();
    case.kinds[0] = position;
    for register in 1..case.input_registers() {
        let kinds = case.kinds[register];
        case.vertices[register] = dice.percent(75);
        if case.vertices[register] {
            let kind = dice.pick(&[InputKind::Flat, InputKind::Linear, InputKind::Perspective]);
            case.kinds[register] = [kind; 4];
        }
        if !case.has_specified_results() {
            case.kinds[register] = kinds;
            case.vertices[register] = false;
        }
    }
    if case.has_specified_results() {
        return true;
    }
    *case = before;
    false
}

/// Attributes of so many vertices.
pub(super) fn attributes(
    dice: &mut Dice<'_>,
    vertices: &Inputs<bool>,
    count: usize,
) -> BTreeMap<usize, Vec<[f32; 4]>> {
    let given = (0..INPUTS).filter(|&register| vertices[register]);
    given
        .map(|register| {
            let wild = dice.percent(10);
            let scale = dice.weighted(&[(6, 1.0), (1, 20.0)]);
            let mut value = || match wild {
                true => f32::from_bits(values::float(dice)),
                false => scale * dice.within(-0.25, 1.25),
            };
            let attribute = (0..count).map(|_| [(); 4].map(|()| value())).collect();
            (register, attribute)
        })
        .collect()
}

/// Planes for inputs of these kinds.
pub(super) fn planes(
    dice: &mut Dice<'_>,
    kinds: &Inputs<[InputKind; 4]>,
    size: [u32; 2],
) -> Inputs<[Plane; 4]> {
    let mut planes = Inputs::all([Plane::default(); 4]);
    for (register, kinds) in kinds.iter().enumerate() {
        let wild = dice.percent(12);
        for (component, kind) in kinds.iter().enumerate() {
            if kind.has_plane() {
                let mut plane = match (register, component) {
                    (0, 3) if dice.percent(70) => one_over_w(dice, size),
                    _ => plane(dice, size),
                };
                if *kind == InputKind::Flat && dice.percent(20) {
                    plane.at = f32::from_bits(values::word(dice));
                }
                if wild {
                    spoil(dice, &mut plane);
                }
                planes[register][component] = plane;
            }
        }
    }
    planes
}

/// A plane that takes ordinary values within the targets, at times exact ones.
fn plane(dice: &mut Dice<'_>, [width, height]: [u32; 2]) -> Plane {
    if dice.percent(30) {
        return Plane {
            at: dice.between(-8, 24) as f32 / 16.0,
            dx: dice.between(-4, 4) as f32 / 32.0,
            dy: dice.between(-4, 4) as f32 / 32.0,
        };
    }
    let scale = dice.weighted(&[(6, 1.0), (1, 20.0), (1, 70_000.0)]);
    Plane {
        at: scale * dice.within(-0.5, 1.5),
        dx: scale * dice.within(-1.5, 1.5) / width as f32,
        dy: scale * dice.within(-1.5, 1.5) / height as f32,
    }
}

/// A plane that is mostly positive.
fn one_over_w(dice: &mut Dice<'_>, [width, height]: [u32; 2]) -> Plane {
    Plane {
        at: dice.within(0.4, 3.0),
        dx: dice.within(-0.3, 0.3) / width as f32,
        dy: dice.within(-0.3, 0.3) / height as f32,
    }
}

/// Makes one number of a plane, or none, anything.
fn spoil(dice: &mut Dice<'_>, plane: &mut Plane) {
    let number = f32::from_bits(values::float(dice));
    match dice.below(4) {
        0 => plane.at = number,
        1 => plane.dx = number,
        2 => plane.dy = number,
        _ => {}
    }
}

/// Registers for inputs that come from arrays, for so many quads.
pub(super) fn arrays(
    dice: &mut Dice<'_>,
    kinds: &Inputs<[InputKind; 4]>,
    count: usize,
) -> BTreeMap<usize, Vec<QuadReg>> {
    let with_arrays = (0..INPUTS).filter(|&register| kinds[register].contains(&InputKind::Array));
    with_arrays
        .map(|register| (register, (0..count).map(|_| self::register(dice)).collect()))
        .collect()
}

fn register(dice: &mut Dice<'_>) -> QuadReg {
    let wild = dice.percent(10);
    let mut register = QuadReg::default();
    for lane in register.iter_mut().flatten() {
        *lane = if wild {
            values::word(dice)
        } else {
            dice.within(-0.25, 1.25).to_bits()
        };
    }
    register
}
