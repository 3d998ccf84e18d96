//! Draws as texts: from cases to lines.
//!
//! ```text
//! ;! loop-budget 5                          constants and limits as in any other text
//! ;! draw size 7 5                          columns and rows of the targets
//! ;! draw threads 2
//! ;! draw anchor 0.5 0
//! ;! draw scissor 0 5 1 4                   columns, rows: first, and last plus one
//! ;! draw alpha less
//! ;! draw depth d24 less true 0 77          write; bytes between rows, what pixels follow from
//! ;! draw target 0 rgba8 xyzw 3 0           components; the same
//! ;! draw blend 0 add srcalpha one min zero zero
//! ;! draw input i1 linear linear flat flat
//! ;! draw vertices i3                       this input is an attribute of vertices
//! ;! frame rect 0 5 1 4                     begins a frame, as do the next two
//! ;! frame quads
//! ;! frame triangles
//! ;! frame quad 2 4 15                      column, row, coverage
//! ;! frame vertex 0.5 2 0 1                 column, row, depth, 1/w
//! ;! frame triangle 0 1 2                   numbers of vertices
//! ;! frame attribute i3 0 0 0 1             of the next vertex
//! ;! frame reference 0.5                    of the alpha test
//! ;! frame constant 0 0 0 1                 of blending
//! ;! frame plane i1 x 0.5 0.25 0            at the anchor, per column, per row
//! ;! frame array i2 1 2 3 4 ...             the next quad's register: x of all lanes, y and so on
//! mov o1, i1
//! ```
//!
//! What is not said is as plain as possible. Images are not part of it.

use std::fmt::{self, Debug, Write};
use std::ops::Range;

use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::{BlendEquation, Compare, InputKind, Plane};
use attila_shader::machine::{DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET};

use super::case::{DrawCase, FrameCase, ShapeCase};
use super::fill::Fill;
use crate::directives::{constant_line, show};

/// The words of [`InputKind`].
pub(super) const KINDS: [InputKind; 6] = [
    InputKind::Unused,
    InputKind::Position,
    InputKind::Flat,
    InputKind::Linear,
    InputKind::Perspective,
    InputKind::Array,
];

/// The letters of components.
pub(super) const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

impl DrawCase {
    /// The case as an assembly text with directives. The first lines are comments with `note`.
    pub fn to_text(&self, note: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, note);
        text
    }

    fn write(&self, out: &mut String, note: &str) -> fmt::Result {
        for line in note.lines() {
            writeln!(out, "; {line}")?;
        }
        if self.loop_budget != DEFAULT_LOOP_BUDGET {
            writeln!(out, ";! loop-budget {}", self.loop_budget)?;
        }
        if self.fixed_bits != DEFAULT_FIXED_BITS {
            writeln!(out, ";! fixed-bits {}", self.fixed_bits)?;
        }
        for (&index, &value) in self.constants.iter().filter(|(_, value)| **value != [0; 4]) {
            writeln!(out, "{}", constant_line(index, value))?;
        }
        self.state(out)?;
        for frame in &self.frames {
            write_shape(out, &frame.shape)?;
            write_values(out, frame)?;
        }
        write!(out, "{}", self.program.program())
    }

    fn state(&self, out: &mut String) -> fmt::Result {
        let [width, height] = self.size;
        writeln!(out, ";! draw size {width} {height}")?;
        if self.threads != 1 {
            writeln!(out, ";! draw threads {}", self.threads)?;
        }
        if self.anchor.map(f32::to_bits) != [0; 2] {
            writeln!(out, ";! draw anchor {}", floats(&self.anchor))?;
        }
        if let Some(area) = &self.scissor {
            writeln!(out, ";! draw scissor {}", ranges(area))?;
        }
        if self.alpha_test != Compare::Always {
            writeln!(out, ";! draw alpha {}", name(&self.alpha_test))?;
        }
        if let Some(depth) = self.depth {
            let (state, fill) = (depth.state, filled(depth.fill));
            let (format, compare) = (name(&state.format), name(&state.compare));
            writeln!(
                out,
                ";! draw depth {format} {compare} {} {fill}",
                state.write
            )?;
        }
        self.write_targets(out)?;
        for (register, kinds) in self.kinds.iter().enumerate() {
            if *kinds != [InputKind::Unused; 4] {
                let kinds = kinds.each_ref().map(name).join(" ");
                writeln!(out, ";! draw input i{register} {kinds}")?;
            }
            if self.vertices[register] {
                writeln!(out, ";! draw vertices i{register}")?;
            }
        }
        Ok(())
    }

    fn write_targets(&self, out: &mut String) -> fmt::Result {
        for (index, target) in self.targets.iter().enumerate() {
            let Some(target) = target else { continue };
            let (format, mask) = (name(&target.target.format), letters(target.target.mask));
            let fill = filled(target.fill);
            writeln!(out, ";! draw target {index} {format} {mask} {fill}")?;
            if let Some(blend) = target.target.blend {
                let [colour, alpha] = [blend.colour, blend.alpha].map(equation);
                writeln!(out, ";! draw blend {index} {colour} {alpha}")?;
            }
        }
        Ok(())
    }
}

fn write_shape(out: &mut String, shape: &ShapeCase) -> fmt::Result {
    match shape {
        ShapeCase::Rect(area) => writeln!(out, ";! frame rect {}", ranges(area))?,
        ShapeCase::Triangles(positions, triangles) => {
            writeln!(out, ";! frame triangles")?;
            for position in positions {
                writeln!(out, ";! frame vertex {}", floats(position))?;
            }
            for [a, b, c] in triangles {
                writeln!(out, ";! frame triangle {a} {b} {c}")?;
            }
        }
        ShapeCase::Quads(quads) => {
            writeln!(out, ";! frame quads")?;
            for quad in quads {
                let coverage = quad.coverage.bits();
                writeln!(out, ";! frame quad {} {} {coverage}", quad.x, quad.y)?;
            }
        }
    }
    Ok(())
}

fn write_values(out: &mut String, frame: &FrameCase) -> fmt::Result {
    for (register, attribute) in &frame.attributes {
        for vertex in attribute {
            writeln!(out, ";! frame attribute i{register} {}", floats(vertex))?;
        }
    }
    if frame.alpha_reference.to_bits() != 0 {
        writeln!(
            out,
            ";! frame reference {}",
            floats(&[frame.alpha_reference])
        )?;
    }
    if frame.blend_constant.map(f32::to_bits) != [0; 4] {
        writeln!(out, ";! frame constant {}", floats(&frame.blend_constant))?;
    }
    for (register, planes) in frame.planes.iter().enumerate() {
        for (plane, letter) in planes.iter().zip(LETTERS) {
            let Plane { at, dx, dy } = *plane;
            if [at, dx, dy].map(f32::to_bits) != [0; 3] {
                writeln!(
                    out,
                    ";! frame plane i{register} {letter} {}",
                    floats(&[at, dx, dy])
                )?;
            }
        }
    }
    for (register, array) in &frame.arrays {
        for quad in array {
            let words: Vec<String> = quad.iter().flatten().map(|word| show(*word)).collect();
            writeln!(out, ";! frame array i{register} {}", words.join(" "))?;
        }
    }
    Ok(())
}

/// A value's name in lower case.
pub(super) fn name(value: &impl Debug) -> String {
    format!("{value:?}").to_ascii_lowercase()
}

fn floats(values: &[f32]) -> String {
    let words: Vec<String> = values.iter().map(|value| show(value.to_bits())).collect();
    words.join(" ")
}

fn ranges([columns, rows]: &[Range<i64>; 2]) -> String {
    format!(
        "{} {} {} {}",
        columns.start, columns.end, rows.start, rows.end
    )
}

fn filled(fill: Fill) -> String {
    format!("{} {}", fill.gap, fill.seed)
}

fn equation(equation: BlendEquation) -> String {
    let (op, src, dst) = (name(&equation.op), name(&equation.src), name(&equation.dst));
    format!("{op} {src} {dst}")
}

/// The components of a mask, `-` if there are none.
fn letters(mask: Slots) -> String {
    let letters: String = mask
        .components()
        .map(|component| component.letter())
        .collect();
    if letters.is_empty() {
        "-".to_owned()
    } else {
        letters
    }
}
