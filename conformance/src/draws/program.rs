//! Random programs for draws.
//!
//! Half of them are those of [`generate`](crate::generate): everything comes up, and
//! colours are mostly out of all bounds. The others are put together of a few pieces that give
//! ordinary colours, so that every bit of a pixel counts.

use attila_shader::isa::Program;
use attila_shader::machine::QuadState;
use attila_shader::machine::pipeline::TARGETS;

use super::queries;
use crate::case::Case;
use crate::dice::Dice;
use crate::generate::{Mode, Options, generate, order};
use crate::values;

/// Programs that are long enough for everything to come up, and short enough to be compiled soon.
const OPTIONS: Options = Options {
    mode: Some(Mode::Program),
    vertex: 0,
    length: 28,
    quads: 1,
    many_quads: 0,
    unnamed: 0,
    ..Options::DEFAULT
};

/// A program that writes some of the outputs of `targets`, or any.
pub(super) fn program(dice: &mut Dice<'_>, targets: &[usize]) -> Case {
    if dice.percent(40) {
        return Case {
            quads: vec![QuadState::default()],
            ..generate(dice, &OPTIONS)
        };
    }
    let text = match dice.percent(12) {
        true => queries::text(dice, targets),
        false => text(dice, targets),
    };
    let program = Program::assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = program.validate();
    Case {
        order: order(dice, OPTIONS.narrow),
        constants: (0..4).map(|index| (index, constant(dice))).collect(),
        loop_budget: dice.pick(&[2, 5, 9, 40]),
        ..Case::new(program.unwrap_or_else(|error| panic!("{error}\n{text}")))
    }
}

fn constant(dice: &mut Dice<'_>) -> [u32; 4] {
    std::array::from_fn(|_| match dice.below(6) {
        0 => values::float(dice),
        _ => (dice.between(-16, 32) as f32 / 16.0).to_bits(),
    })
}

/// Colours, and now and then a loop, a kill and a depth.
fn text(dice: &mut Dice<'_>, targets: &[usize]) -> String {
    let mut lines = Vec::new();
    let asks = dice.percent(25);
    if asks {
        lines.push(".extended fragment".to_owned());
        lines.extend(queries::lines(dice));
    }
    if dice.percent(8) {
        lines.push(format!("mov r7.x, i{}.{}", input(dice), component(dice)));
        lines.push("add r7.x, r7.x, -1".to_owned());
        lines.push("setpgt p7, r7.x, 0".to_owned());
        lines.push("jmp p7, -2".to_owned());
    }
    let kills = dice.percent(20);
    let kills_late = kills && dice.percent(50);
    let kill = format!("i{}{}", input(dice), dice.pick(&["", ".x", ".yyzz", ".w"]));
    let kill = match dice.below(3) {
        0 => format!("kls {kill}, s{}", dice.below(5)),
        _ => format!("kil {kill}"),
    };
    if kills && !kills_late {
        lines.push(kill.clone());
    }
    for target in targets.iter().filter(|target| **target < TARGETS) {
        lines.push(match asks && dice.percent(50) {
            true => format!("mov o{}, r{}", target + 1, 4 + 2 * dice.below(2)),
            false => colour(dice, *target),
        });
    }
    if kills_late {
        lines.push(kill);
    }
    let depth = format!("i{}.{}", input(dice), component(dice));
    match dice.below(10) {
        0..=1 => lines.push(format!("mov o0.z, {depth}")),
        4 => lines.push(format!("zxs i{}, s0", input(dice))),
        2 => lines.push(format!("zxp {depth}")),
        3 => lines.push(format!("mov o0, i{}", input(dice))),
        _ => {}
    }
    lines.push("end".to_owned());
    lines.join("\n")
}

/// An instruction that makes a colour.
fn colour(dice: &mut Dice<'_>, target: usize) -> String {
    let (a, b) = (input(dice), input(dice));
    let mask = dice.pick(&["", "", "", ".xw", ".yz", ".xyz", ".w"]);
    let swizzle = dice.pick(&["", "", ".wzyx", ".xxxw", ".y"]);
    let output = format!("o{}{mask}", target + 1);
    let constant = dice.below(4);
    match dice.below(9) {
        0..=3 => format!("mov {output}, i{a}{swizzle}"),
        4 => format!("mov_sat {output}, i{a}{swizzle}"),
        5 => format!("mad {output}, i{a}, c{constant}, i{b}{swizzle}"),
        6 => format!("mul {output}, i{a}{swizzle}, i{b}"),
        7 => format!("tex {output}, i{a}, t{}", dice.below(2)),
        _ => format!("add {output}, i{a}, -|i{b}|"),
    }
}

/// One of few inputs, among them the position.
pub(super) fn input(dice: &mut Dice<'_>) -> usize {
    dice.weighted(&[(1, 0), (4, 1), (4, 2), (3, 3), (3, 4), (1, 15)])
}

pub(super) fn component(dice: &mut Dice<'_>) -> char {
    dice.pick(&['x', 'y', 'z', 'w'])
}
