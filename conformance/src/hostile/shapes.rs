//! Reads `shapes.txt`.

use super::template::Part;
use super::{Door, Shape};

/// The beginning of most TGSI programs, and the end.
const TGSI: &str =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\n";
const TGSI_END: &str = "MOV OUT[0], TEMP[0]\nEND\n";

/// All shapes.
pub fn shapes() -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for line in include_str!("shapes.txt").lines() {
        let (mark, rest) = line.split_at(line.len().min(2));
        match mark {
            "= " => shapes.push(Shape {
                name: rest.to_owned(),
                door: door(rest),
                parts: Vec::new(),
            }),
            _ => {
                if let Some(shape) = shapes.last_mut() {
                    add(&mut shape.parts, mark, rest);
                }
            }
        }
    }
    shapes
}

/// The form of the sources of a shape of this name.
fn door(name: &str) -> Door {
    match name.split(':').next() {
        Some("asm") => Door::Assembly,
        Some("binary") => Door::Binary,
        Some("agal bytes") => Door::AgalBytes,
        _ => Door::Text,
    }
}

fn add(parts: &mut Vec<Part>, mark: &str, rest: &str) {
    let text = match rest.strip_suffix('\\') {
        Some(text) => text.to_owned(),
        None => format!("{rest}\n"),
    };
    match (mark, parts.last_mut()) {
        ("* ", _) => parts.push(Part::Many(text)),
        ("+ ", Some(Part::Many(before))) => before.push_str(&text),
        ("< ", _) => {
            let lines = if rest == "tgsi" { TGSI } else { TGSI_END };
            parts.push(Part::Once(lines.to_owned()));
        }
        _ => parts.push(Part::Once(text)),
    }
}
