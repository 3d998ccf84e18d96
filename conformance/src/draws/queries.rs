//! Random programs for draws that ask for samples, and for inputs at other places than the pixels' centres.

use super::program::{component, input};
use crate::dice::Dice;
use attila_shader::machine::packed_offset;
use attila_shader::machine::pipeline::TARGETS;

/// Colours that depend on samples and places within pixels. Constants are offsets by accident: most lead far
/// away, immediates do not.
pub(super) fn text(dice: &mut Dice<'_>, targets: &[usize]) -> String {
    let mut lines = vec![".extended".to_owned()];
    // Neighbours see whether a helper is covered.
    lines.push("pixld_mask r0.x".to_owned());
    lines.push("pixld_centroid r0.y".to_owned());
    lines.push("u2f r1, r0.x".to_owned());
    lines.push("ddx r1.y, r1.x".to_owned());
    lines.push("ddy r1.z, r1.x".to_owned());
    for target in targets.iter().filter(|target| **target < TARGETS) {
        let output = format!("o{}", target + 1);
        let (mask, register) = (dice.pick(&["", "", ".xw", ".yz"]), input(dice));
        let place = offset(dice);
        lines.push(match dice.below(6) {
            0 => format!("mov {output}, r1"),
            1 => format!("evalc {output}{mask}, i{register}"),
            2 => format!("evals {output}{mask}, i{register}, {}", dice.below(3)),
            3 => format!("evalo_sat {output}, i{register}.wzyx, {place}"),
            4 => format!("evalo {output}{mask}, i{register}, c0.{}", component(dice)),
            _ => format!("evalo {output}{mask}, i{register}, {place}"),
        });
    }
    if dice.percent(20) {
        lines.push(format!(
            "evalo o0.z, i{}.{}, {}",
            input(dice),
            component(dice),
            offset(dice)
        ));
    }
    lines.push("end".to_owned());
    lines.join("\n")
}

/// An offset within a pixel, or a little beyond.
fn offset(dice: &mut Dice<'_>) -> String {
    let offset = [0; 2].map(|_: i32| dice.between(-20, 20) as i16);
    format!("{:#010x}", packed_offset(offset))
}

/// Queries for samples, and inputs at other places: `r4` is a number, `r6` an input.
pub(super) fn lines(dice: &mut Dice<'_>) -> Vec<String> {
    let number = dice.between(-3, 17);
    let sign = if number < 0 { '-' } else { '+' };
    let number = format!("[r5.x {sign} {}]", number.abs());
    let query = match dice.below(6) {
        0 => "pixld_count r5".to_owned(),
        1 => "pixld_mask r5".to_owned(),
        2 => format!("pixld_covered r5, p1, {number}"),
        3 => format!("pixld_offset r5, {number}"),
        4 => "pixld_centroid r5".to_owned(),
        _ => "pixld_index r5, p1".to_owned(),
    };
    let input = input(dice);
    let evaluation = match dice.below(3) {
        0 => format!("evalo r6, i{input}, r5.x"),
        1 => format!("evalc r6, i{input}"),
        _ => format!("evals r6, i{input}, r5.x"),
    };
    vec![query, evaluation, "u2f r4, r5".to_owned()]
}
