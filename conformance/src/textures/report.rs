//! A difference in words and tables.

use std::fmt::{self, Write};

use attila_shader::machine::{Lanes, QuadIo};

use super::TextureFailure;
use super::case::unify_nan;
use crate::report::both_ways;

/// The whole story: the program, its textures, the coordinates, and what each engine made of them,
/// with a `*` at every word that is not the same.
pub fn report(failure: &TextureFailure) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, failure);
    text
}

fn write_report(out: &mut String, failure: &TextureFailure) -> fmt::Result {
    let (case, difference) = (&failure.case, &failure.difference);
    let [first, second] = difference.engines;
    let quad = difference.quad;
    writeln!(out, "{first} and {second} differ in quad {quad}.")?;
    writeln!(
        out,
        "\nprogram ({}), c0 = 0.25 and c1 = 3 throughout:",
        case.stage
    )?;
    for line in case.text.lines() {
        writeln!(out, "  {line}")?;
    }
    for (unit, (image, sampler)) in case.textures.iter().enumerate() {
        if !case.text.contains(&format!("t{unit}")) {
            continue;
        }
        let (dimension, format, size) = (image.dimension, image.format, image.size);
        let levels = image.levels.len();
        writeln!(
            out,
            "\nt{unit}: {dimension:?} {format} {size}, levels: {levels}, {sampler:#?}"
        )?;
    }
    writeln!(out, "\ninputs:")?;
    for (index, lanes) in case.inputs[quad].iter().enumerate() {
        write_input(out, index, lanes)?;
    }
    writeln!(out, "\noutputs:")?;
    match &difference.results {
        [Ok(a), Ok(b)] => write_outputs(out, [first, second], [a, b]),
        results => {
            for (name, result) in difference.engines.iter().zip(results) {
                let said = result.as_ref().err().map_or("no error", String::as_str);
                writeln!(out, "  {name}: {said}")?;
            }
            Ok(())
        }
    }
}

fn write_input(out: &mut String, index: usize, lanes: &Lanes<[f32; 4]>) -> fmt::Result {
    for (lane, value) in lanes.iter().enumerate() {
        let words = value.map(|component| both_ways(component.to_bits()));
        writeln!(out, "    i{index} lane {lane}: {}", words.join(", "))?;
    }
    Ok(())
}

fn write_outputs(out: &mut String, names: [&str; 2], quads: [&QuadIo; 2]) -> fmt::Result {
    writeln!(out, "    {:<14} {:<28} {}", "word", names[0], names[1])?;
    let [a, b] = quads.map(|quad| quad.outputs);
    for (index, (a, b)) in a.iter().zip(&b).enumerate() {
        for (lane, component) in (0..4).flat_map(|lane| (0..4).map(move |at| (lane, at))) {
            let words = [a[component][lane], b[component][lane]];
            if words == [0, 0] {
                continue;
            }
            let differs = unify_nan(words[0]) != unify_nan(words[1]);
            let mark = if differs { '*' } else { ' ' };
            let name = format!("o{index}.{} lane {lane}", ["x", "y", "z", "w"][component]);
            let [a, b] = words.map(both_ways);
            writeln!(out, "  {mark} {name:<14} {a:<28} {b}")?;
        }
    }
    Ok(())
}
