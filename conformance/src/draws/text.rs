//! Draws as texts.
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
//! ;! draw samples 4                         per pixel; the others are lines of `samples.rs`
//! ;! draw location i3 centroid
//! ;! draw twosided true                    i1 and i2 of backs are attributes 3 and 4
//! ;! draw clip i3 xy                        components that triangles are cut by
//! ;! draw cull i3 w                         components that they are left out by
//! ;! draw wrap i3 x                         components that go round a cylinder
//! ;! draw hidden back                       triangles that are left out
//! ;! draw front clockwise                   the order of vertices of fronts
//! ;! frame rect 0 5 1 4                     begins a frame, as do the next two
//! ;! frame quads
//! ;! frame triangles
//! ;! frame quad 2 4 15                      column, row, covered lanes
//! ;! frame samples 2 4 1 0 9 65535          the same with the covered samples of each lane
//! ;! frame vertex 0.5 2 0 1                 column, row, depth, 1/w
//! ;! frame triangle 0 1 2                   numbers of vertices
//! ;! frame view 0 0 7 5 0 1 false minusonetoone
//!                                           vertices are in clip space: viewport, depths, y down
//! ;! frame attribute i3 0 0 0 1             of the next vertex
//! ;! frame reference 0.5                    of the alpha test
//! ;! frame constant 0 0 0 1                 of blending
//! ;! frame plane i1 x 0.5 0.25 0            at the anchor, per column, per row
//! ;! frame array i2 1 2 3 4 ...             the next quad's register: x of all lanes, y and so on
//! mov o1, i1
//! ```
//!
//! Defaults are as plain as possible. [`images`](attila_scene::images) has the lines for textures.

use std::fmt::Write;

use attila_scene::line::{Field, Line, Read, Words, read_field, write_fields};
use attila_scene::{fields, joined};
use attila_shader::draw::{Location, MAX_SIZE};
use attila_shader::machine::pipeline::{InputKind, Plane};

use super::case::{DepthCase, DrawCase, FrameCase, ShapeCase, TargetCase};
use super::fill::Fill;
use super::view::ViewCase;
use super::{samples, set_up};
use crate::case::{Case, CaseError, notes};

/// The first words of our own directives.
const WORDS: [&str; 2] = ["draw", "frame"];

/// The letters of components.
const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

joined! {
    Fill { gap, seed }
    DepthCase { state, fill }
    TargetCase { target, fill }
    ViewCase { rectangle, depth, y_down, clip_depth }
}

const STATE: &[Field<DrawCase>] = fields! {
    threads: threads,
    tile: tile,
    anchor: anchor,
    scissor: scissor,
    alpha: alpha_test,
    depth: depth,
    hidden: hidden,
    front: front,
};

const VALUES: &[Field<FrameCase>] = fields! {
    reference: alpha_reference,
    constant: blend_constant,
    view: view,
};

/// The case as an assembly text with directives. The first lines are comments with `note`.
pub(super) fn write(case: &DrawCase, note: &str) -> String {
    let mut out = notes(note) + &case.shaded.settings();
    let plain = DrawCase::plain(case.shaded.clone());
    let mut line = |words: String| out += &format!(";! {words}\n");
    line(format!("draw size {}", case.size.words()));
    write_fields(&mut out, "draw", [case, &plain], STATE);
    let both = [&case.samples, &plain.samples];
    write_fields(&mut out, "draw", both, samples::STATE);
    let both = [&case.set_up, &plain.set_up];
    write_fields(&mut out, "draw", both, set_up::STATE);
    let mut line = |words: String| out += &format!(";! {words}\n");
    for (index, target) in case.targets.iter().enumerate() {
        let Some(target) = target else { continue };
        line(format!("draw target {index} {}", target.words()));
        if let Some(blend) = target.target.blend {
            line(format!("draw blend {index} {}", blend.words()));
        }
    }
    for (register, kinds) in case.kinds.iter().enumerate() {
        if *kinds != [InputKind::Unused; 4] {
            line(format!("draw input i{register} {}", kinds.words()));
        }
        if case.vertices[register] {
            line(format!("draw vertices i{register}"));
        }
        let location = case.samples.locations[register];
        if location != Location::Centre {
            line(format!("draw location i{register} {}", location.words()));
        }
        case.set_up.lines(register).for_each(&mut line);
    }
    for frame in &case.frames {
        write_frame(&mut out, frame);
    }
    let _ = write!(out, "{}", case.shaded.program.program());
    out
}

fn write_frame(out: &mut String, frame: &FrameCase) {
    let mut line = |words: String| *out += &format!(";! frame {words}\n");
    match &frame.shape {
        ShapeCase::Rect(area) => line(format!("rect {}", area.words())),
        ShapeCase::Triangles(positions, triangles) => {
            line("triangles".to_owned());
            positions
                .iter()
                .for_each(|it| line(format!("vertex {}", it.words())));
            triangles
                .iter()
                .for_each(|it| line(format!("triangle {}", it.words())));
        }
        ShapeCase::Quads(quads) => {
            line("quads".to_owned());
            quads.iter().map(samples::quad_words).for_each(&mut line);
        }
    }
    for (register, vertices) in &frame.attributes {
        vertices
            .iter()
            .for_each(|it| line(format!("attribute i{register} {}", it.words())));
    }
    let plain = FrameCase::plain(frame.shape.clone());
    write_fields(out, "frame", [frame, &plain], VALUES);
    let mut line = |words: String| *out += &format!(";! frame {words}\n");
    for (register, planes) in frame.planes.iter().enumerate() {
        for (plane, letter) in planes.iter().zip(LETTERS) {
            if plane.words() != Plane::default().words() {
                line(format!("plane i{register} {letter} {}", plane.words()));
            }
        }
    }
    for (register, quads) in &frame.arrays {
        for quad in quads {
            let words = quad.map(|lanes| lanes.map(f32::from_bits));
            line(format!("array i{register} {}", words.words()));
        }
    }
}

impl DrawCase {
    /// Reads an assembly text with directives.
    ///
    /// # Errors
    ///
    /// The mistakes in the text.
    pub fn from_text(text: &str) -> Result<DrawCase, CaseError> {
        let (shaded, directives) = Case::read_with(text, &WORDS)?;
        let mut case = DrawCase::plain(shaded);
        for line in &directives.extensions {
            match line.name.as_str() {
                "draw" => Line::read(line, |words| read_draw(words, &mut case))?,
                "frame" => Line::read(line, |words| read_frame(words, &mut case.frames))?,
                _ => {}
            }
        }
        Ok(case)
    }
}

/// The rest of a line that begins with `draw`.
fn read_draw(line: &mut Line<'_>, case: &mut DrawCase) -> Read<()> {
    match line.word()? {
        "size" => case.size = [line.count(MAX_SIZE)?, line.count(MAX_SIZE)?],
        "target" => {
            let index = line.count(7)? as usize;
            case.targets[index] = Some(Words::read(line)?);
        }
        "blend" => {
            let target = case.targets[line.count(7)? as usize].as_mut();
            let target = target.ok_or("the target has to come before its blending")?;
            target.target.blend = Some(Words::read(line)?);
        }
        "vertices" => case.vertices[line.input()?] = true,
        "location" => {
            let register = line.input()?;
            case.samples.locations[register] = Words::read(line)?;
        }
        "input" => {
            let register = line.input()?;
            case.kinds[register] = Words::read(line)?;
        }
        word => {
            let is_part = read_field(case, word, line, STATE)?
                || read_field(&mut case.samples, word, line, samples::STATE)?
                || read_field(&mut case.set_up, word, line, set_up::STATE)?
                || case.set_up.read(word, line)?;
            if !is_part {
                return Err(format!("`{word}` is not part of a draw"));
            }
        }
    }
    Ok(())
}

/// The rest of a line that begins with `frame`.
fn read_frame(line: &mut Line<'_>, frames: &mut Vec<FrameCase>) -> Read<()> {
    let word = line.word()?;
    let begun = match word {
        "rect" => Some(ShapeCase::Rect(Words::read(line)?)),
        "quads" => Some(ShapeCase::Quads(Vec::new())),
        "triangles" => Some(ShapeCase::Triangles(Vec::new(), Vec::new())),
        _ => None,
    };
    if let Some(shape) = begun {
        frames.push(FrameCase::plain(shape));
        return Ok(());
    }
    let frame = frames.last_mut();
    let frame = frame.ok_or("a frame has to begin with `rect`, `quads` or `triangles`")?;
    match (word, &mut frame.shape) {
        ("quad", ShapeCase::Quads(quads)) => quads.push(samples::read_quad(line, false)?),
        ("samples", ShapeCase::Quads(quads)) => quads.push(samples::read_quad(line, true)?),
        ("vertex", ShapeCase::Triangles(positions, _)) => positions.push(Words::read(line)?),
        ("triangle", ShapeCase::Triangles(_, all)) => all.push(Words::read(line)?),
        ("attribute", _) => {
            let attribute = frame.attributes.entry(line.input()?).or_default();
            attribute.push(Words::read(line)?);
        }
        ("plane", _) => {
            let register = line.input()?;
            let word = line.word()?;
            let component = LETTERS.iter().position(|letter| *letter == word);
            let component = component.ok_or("a plane has a component, x, y, z or w")?;
            frame.planes[register][component] = Words::read(line)?;
        }
        ("array", _) => {
            let array = frame.arrays.entry(line.input()?).or_default();
            let quad: [[f32; 4]; 4] = Words::read(line)?;
            array.push(quad.map(|lanes| lanes.map(f32::to_bits)));
        }
        (word, _) => {
            if !read_field(frame, word, line, VALUES)? {
                return Err(format!("`{word}` is not part of this frame"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Subject, case};

    #[test]
    fn texts_of_cases_read_back_as_they_were() {
        for index in 0..100 {
            let case: DrawCase = case(11, index, &());
            let text = case.to_text("a case");
            let again = DrawCase::read(&text).expect("it is a draw");
            let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.to_text("a case"), text);
            assert_eq!(again.shaded.textures, case.shaded.textures);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (line, message) in [
            ("draw size 3", "a word is missing"),
            ("draw size 3 x", "`x` is not a number from 0 to 32768"),
            (
                "draw alpha lesser",
                "`lesser` is not one of never, less, equal",
            ),
            (
                "draw blend 1 add one one add one one",
                "the target has to come before",
            ),
            (
                "draw target 0 rgba8 xq 0 0",
                "`xq` is not a set of components",
            ),
            (
                "draw input i64 flat flat flat flat",
                "`i64` is not an input",
            ),
            ("draw thing", "`thing` is not part of a draw"),
            ("frame quad 0 0 15", "a frame has to begin with"),
            ("draw anchor 0 0 0", "`0` is one word too many"),
            (
                "draw samples 5",
                "a pixel has 1, 2, 4, 8 or 16 samples, not 5",
            ),
            (
                "draw positions 1,2 3",
                "`3` is not a position, such as `-2,6`",
            ),
            (
                "draw planes 1025",
                "`1025` is not `separate` or up to 1024 bytes",
            ),
        ] {
            let error = DrawCase::from_text(&format!("; a draw\n;! {line}\nend"));
            let error = error.expect_err("the line is wrong").to_string();
            assert!(error.starts_with(&format!("line 2: {message}")), "{error}");
        }
        let error = DrawCase::from_text(";! frame rect 0 1 0 1\n;! frame quad 0 0 15\nend");
        let error = error.expect_err("a rectangle has no quads").to_string();
        assert_eq!(error, "line 2: `quad` is not part of this frame");
    }
}
