//! A difference in words.

use std::fmt::{self, Write};

use super::DrawFailure;
use super::case::{DrawCase, DrawShape};

/// The whole story: the program, all that is around it, and the first pixel that differs.
pub fn report(failure: &DrawFailure) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, failure);
    text
}

fn write_report(out: &mut String, failure: &DrawFailure) -> fmt::Result {
    let (case, difference) = (&failure.case, &failure.difference);
    let [first, second] = difference.engines;
    match &difference.pixel {
        Some((target, [x, y], [a, b])) => {
            writeln!(
                out,
                "{first} and {second} differ at ({x}, {y}) of {target}:"
            )?;
            writeln!(out, "  {first}: {a:02x?}\n  {second}: {b:02x?}")?;
        }
        None => writeln!(out, "{first} and {second} end differently:")?,
    }
    for (name, end) in difference.engines.iter().zip(&difference.ends) {
        writeln!(out, "  {name}: {end}")?;
    }
    writeln!(out, "\n{}", case.program.to_text("the program"))?;
    write_state(out, case)
}

fn write_state(out: &mut String, case: &DrawCase) -> fmt::Result {
    let [width, height] = case.size;
    writeln!(out, "targets of {width}x{height} pixels")?;
    for (index, target) in case.targets.iter().enumerate() {
        let Some(target) = target else { continue };
        let (format, mask, blend) = (target.format, target.mask, target.blend);
        writeln!(out, "  {index}: {format:?} {mask:?}, {blend:?}")?;
    }
    if let Some((state, _)) = &case.depth {
        writeln!(out, "  {state:?}")?;
    }
    writeln!(out, "alpha test: {:?}", case.alpha_test)?;
    writeln!(out, "blend constant: {:?}", case.blend_constant)?;
    writeln!(out, "scissor: {:?}", case.scissor)?;
    if let Some(pair) = &case.textures {
        for (parity, (image, sampler)) in ["even", "odd"].iter().zip(pair) {
            let (dimension, format, size) = (image.dimension, image.format, image.size);
            writeln!(
                out,
                "{parity} units: {dimension:?} {format} {size}, {sampler:?}"
            )?;
        }
    }
    writeln!(out, "anchor: {:?}", case.anchor)?;
    for (register, input) in case.inputs.iter().enumerate() {
        let Some(input) = input else { continue };
        write!(out, "i{register}: {:?} {:?}", input.kinds, input.planes)?;
        match (&input.registers[..], &input.attribute) {
            ([], None) => writeln!(out)?,
            ([], Some(attribute)) => writeln!(out, ", {attribute:?}")?,
            (registers, _) => writeln!(out, ", {registers:08x?}")?,
        }
    }
    match &case.shape {
        DrawShape::Rectangle(columns, rows) => writeln!(out, "rectangle {columns:?} {rows:?}"),
        DrawShape::Quads(quads) => writeln!(out, "{quads:?}"),
        DrawShape::Triangles(positions, triangles) => {
            writeln!(out, "triangles {triangles:?} of {positions:?}")
        }
    }
}
