//! A difference between draws in words.

use std::fmt::{self, Write};

use super::DrawFailure;
use super::run::{DrawDifference, DrawWhat};

/// The whole story: the difference, and the case as a text.
pub fn report(failure: &DrawFailure) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, failure);
    text
}

fn write_report(out: &mut String, failure: &DrawFailure) -> fmt::Result {
    let DrawFailure {
        case, difference, ..
    } = failure;
    let summary = summary(difference);
    writeln!(out, "{summary}\n")?;
    if let DrawWhat::End(ends) = &difference.what {
        for (drawn, end) in difference.drawn.iter().zip(ends) {
            let said = end.as_ref().err().map_or("no error", String::as_str);
            writeln!(out, "  {drawn}: {said}")?;
        }
    }
    if let DrawWhat::Pixel { before, bytes, .. } = &difference.what {
        writeln!(out, "  at first: {}", hexadecimal(before))?;
        for (drawn, bytes) in difference.drawn.iter().zip(bytes) {
            writeln!(out, "  {drawn}: {}", hexadecimal(bytes))?;
        }
    }
    for (unit, (image, sampler)) in case.textures.iter().enumerate() {
        let (dimension, format, size) = (image.dimension, image.format, image.size);
        let levels = image.levels.len();
        writeln!(
            out,
            "\nt{unit}: {dimension:?} {format} {size}, levels: {levels}, {sampler:#?}"
        )?;
    }
    writeln!(out, "\nas a file:\n\n{}", case.to_text(&summary))
}

/// What differs, in a line.
pub fn summary(difference: &DrawDifference) -> String {
    let DrawDifference {
        drawn: [a, b],
        frame,
        what,
    } = difference;
    match what {
        DrawWhat::End(_) => format!("{a} and {b} end frame {frame} in different ways"),
        DrawWhat::Pixel {
            target,
            place: [x, y],
            ..
        } => format!("{a} and {b} differ after frame {frame}: {target} at ({x}, {y})"),
        DrawWhat::Touched {
            target,
            place: [x, y],
        } => format!("{a} touches what frame {frame} does not cover: {target} at ({x}, {y})"),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x} ")).collect()
}
