//! Draws as texts: from lines to cases.

use std::fmt::Debug;
use std::ops::Range;

use attila_shader::isa::text::Cursor;
use attila_shader::isa::{Inputs, Program, Slots};
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, ColourTarget, Compare, DepthFormat,
    DepthTarget, InputKind, Plane,
};
use attila_shader::machine::{DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET, LaneMask, QuadReg};

use super::case::{DepthCase, DrawCase, FrameCase, ShapeCase, TargetCase};
use super::fill::Fill;
use super::text::{KINDS, LETTERS, name};
use crate::CaseError;
use crate::directives;
use attila_shader::draw::{MAX_SIZE, Quad};

/// The first words of our own directives.
const WORDS: [&str; 2] = ["draw", "frame"];

impl DrawCase {
    /// Reads an assembly text with directives.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn from_text(text: &str) -> Result<DrawCase, String> {
        let error = |error: CaseError| error.to_string();
        let directives = directives::parse(text, &WORDS);
        let directives = directives.map_err(|errors| error(CaseError::Directives(errors)))?;
        let program = Program::assemble(text).map_err(|it| error(CaseError::Assembly(it)))?;
        let mut case = DrawCase {
            program: program
                .validate()
                .map_err(|it| error(CaseError::Program(it)))?,
            constants: directives.constants,
            loop_budget: directives.loop_budget.unwrap_or(DEFAULT_LOOP_BUDGET),
            fixed_bits: directives.fixed_bits.unwrap_or(DEFAULT_FIXED_BITS),
            textures: Vec::new(),
            kinds: Default::default(),
            vertices: Inputs::default(),
            anchor: [0.0; 2],
            size: [1; 2],
            targets: Default::default(),
            depth: None,
            alpha_test: Compare::Always,
            scissor: None,
            frames: Vec::new(),
            threads: 1,
        };
        for extension in &directives.extensions {
            let mut line = Line(Cursor::new(&extension.rest, extension.span.start));
            let read = match extension.name.as_str() {
                "draw" => line.draw(&mut case),
                _ => line.frame(&mut case.frames),
            };
            let read = read.and_then(|()| line.end());
            read.map_err(|message| format!("line {}: {message}", extension.line))?;
        }
        Ok(case)
    }
}

/// Whether a text is about a draw.
pub(crate) fn is_draw(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.trim_start().starts_with(";! draw "))
}

/// The words of a directive that have not been read yet.
struct Line<'t>(Cursor<'t>);

type Read<T> = Result<T, String>;

impl<'t> Line<'t> {
    fn word(&mut self) -> Read<&'t str> {
        match self.0.word("").text {
            "" => Err("a word is missing".to_owned()),
            word => Ok(word),
        }
    }

    fn end(&mut self) -> Read<()> {
        match self.0.word("").text {
            "" => Ok(()),
            word => Err(format!("`{word}` is one word too many")),
        }
    }

    /// A whole number from 0 to `most`.
    fn count(&mut self, most: u32) -> Read<u32> {
        let word = self.word()?;
        let number = word.parse().ok().filter(|number| *number <= most);
        number.ok_or_else(|| format!("`{word}` is not a number from 0 to {most}"))
    }

    fn bits(&mut self) -> Read<u32> {
        directives::float_bits(self.word()?)
    }

    fn floats<const N: usize>(&mut self) -> Read<[f32; N]> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = f32::from_bits(self.bits()?);
        }
        Ok(floats)
    }

    /// One of `all` by its name.
    fn named<T: Copy + Debug>(&mut self, all: &[T]) -> Read<T> {
        let word = self.word()?.to_ascii_lowercase();
        let found = all.iter().find(|value| name(value) == word);
        found.copied().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(name).collect();
            format!("`{word}` is not one of {}", names.join(", "))
        })
    }

    fn register(&mut self) -> Read<usize> {
        let word = self.word()?;
        let number = word
            .strip_prefix('i')
            .and_then(|digits| digits.parse().ok());
        let number = number.filter(|number| *number < 16);
        number.ok_or_else(|| format!("`{word}` is not an input, i0 to i15"))
    }

    fn components(&mut self) -> Read<Slots> {
        let word = self.word()?;
        if word == "-" {
            return Ok(Slots::empty());
        }
        let one = |letter: char| {
            let number = LETTERS.iter().position(|it| it.starts_with(letter));
            number.map(|number| Slots::from_bits_truncate(1 << number))
        };
        let slots: Option<Slots> = word.chars().map(one).collect();
        slots.ok_or_else(|| format!("`{word}` is not a set of components"))
    }

    fn area(&mut self) -> Read<[Range<i64>; 2]> {
        let mut numbers = [0; 4];
        for number in &mut numbers {
            let word = self.word()?;
            *number = word
                .parse()
                .map_err(|_| format!("`{word}` is not an integer"))?;
        }
        let [left, right, top, bottom] = numbers;
        Ok([left..right, top..bottom])
    }

    fn fill(&mut self) -> Read<Fill> {
        Ok(Fill {
            gap: self.count(1024)? as usize,
            seed: self.count(u32::MAX)?,
        })
    }

    fn equation(&mut self) -> Read<BlendEquation> {
        Ok(BlendEquation {
            op: self.named(&BlendOp::ALL)?,
            src: self.named(&BlendFactor::ALL)?,
            dst: self.named(&BlendFactor::ALL)?,
        })
    }

    /// The rest of a line that begins with `draw`.
    fn draw(&mut self, case: &mut DrawCase) -> Read<()> {
        match self.word()? {
            "size" => case.size = [self.count(MAX_SIZE)?, self.count(MAX_SIZE)?],
            "threads" => case.threads = self.count(64)? as usize,
            "anchor" => case.anchor = self.floats()?,
            "scissor" => case.scissor = Some(self.area()?),
            "alpha" => case.alpha_test = self.named(&Compare::ALL)?,
            "depth" => case.depth = Some(self.depth()?),
            "target" => {
                let index = self.count(7)? as usize;
                case.targets[index] = Some(self.target()?);
            }
            "blend" => {
                let index = self.count(7)? as usize;
                let target = case.targets[index].as_mut();
                let target = target.ok_or("the target has to come before its blending")?;
                target.target.blend = Some(Blend {
                    colour: self.equation()?,
                    alpha: self.equation()?,
                });
            }
            "vertices" => case.vertices[self.register()?] = true,
            "input" => {
                let register = self.register()?;
                for kind in &mut case.kinds[register] {
                    *kind = self.named::<InputKind>(&KINDS)?;
                }
            }
            word => return Err(format!("`{word}` is not part of a draw")),
        }
        Ok(())
    }

    fn target(&mut self) -> Read<TargetCase> {
        let target = ColourTarget {
            format: self.named(&ColourFormat::ALL)?,
            mask: self.components()?,
            blend: None,
        };
        let fill = self.fill()?;
        Ok(TargetCase { target, fill })
    }

    fn depth(&mut self) -> Read<DepthCase> {
        let state = DepthTarget {
            format: self.named(&[DepthFormat::D32F, DepthFormat::D24])?,
            compare: self.named(&Compare::ALL)?,
            write: self.named(&[false, true])?,
        };
        let fill = self.fill()?;
        Ok(DepthCase { state, fill })
    }

    /// The rest of a line that begins with `frame`.
    fn frame(&mut self, frames: &mut Vec<FrameCase>) -> Read<()> {
        let word = self.word()?.to_owned();
        let begun = match word.as_str() {
            "rect" => Some(ShapeCase::Rect(self.area()?)),
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
        if self.shape(&word, &mut frame.shape)? {
            return Ok(());
        }
        self.values(&word, frame)
    }

    /// What a line adds to a shape. False if it is about something else.
    fn shape(&mut self, word: &str, shape: &mut ShapeCase) -> Read<bool> {
        match (word, shape) {
            ("quad", ShapeCase::Quads(quads)) => quads.push(Quad {
                x: self.count(u32::MAX)?,
                y: self.count(u32::MAX)?,
                coverage: LaneMask::from_bits_truncate(self.count(15)? as u8),
            }),
            ("vertex", ShapeCase::Triangles(positions, _)) => positions.push(self.floats()?),
            ("triangle", ShapeCase::Triangles(_, triangles)) => {
                let [a, b, c] = [
                    self.count(u32::MAX),
                    self.count(u32::MAX),
                    self.count(u32::MAX),
                ];
                triangles.push([a?, b?, c?]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What a line says about the values that a frame is drawn with.
    fn values(&mut self, word: &str, frame: &mut FrameCase) -> Read<()> {
        match word {
            "attribute" => {
                let register = self.register()?;
                let vertex = self.floats()?;
                frame.attributes.entry(register).or_default().push(vertex);
            }
            "reference" => [frame.alpha_reference] = self.floats()?,
            "constant" => frame.blend_constant = self.floats()?,
            "plane" => {
                let register = self.register()?;
                let word = self.word()?;
                let component = LETTERS.iter().position(|letter| *letter == word);
                let component = component.ok_or("a plane has a component, x, y, z or w")?;
                let [at, dx, dy] = self.floats()?;
                frame.planes[register][component] = Plane { at, dx, dy };
            }
            "array" => {
                let register = self.register()?;
                let mut quad = QuadReg::default();
                for word in quad.iter_mut().flatten() {
                    *word = self.bits()?;
                }
                frame.arrays.entry(register).or_default().push(quad);
            }
            word => return Err(format!("`{word}` is not part of this frame")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::case;
    use super::*;

    #[test]
    fn texts_of_cases_read_back_as_they_were() {
        for index in 0..100 {
            let case = DrawCase {
                textures: Vec::new(),
                ..case(11, index)
            };
            let text = case.to_text("a case");
            let again =
                DrawCase::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(is_draw(&text));
            assert_eq!(again.to_text("a case"), text);
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
                "draw input i16 flat flat flat flat",
                "`i16` is not an input",
            ),
            ("draw thing", "`thing` is not part of a draw"),
            ("frame quad 0 0 15", "a frame has to begin with"),
            ("draw anchor 0 0 0", "`0` is one word too many"),
        ] {
            let error = DrawCase::from_text(&format!("; a draw\n;! {line}\nend"));
            let error = error.expect_err("the line is wrong");
            assert!(error.starts_with(&format!("line 2: {message}")), "{error}");
        }
        let error = DrawCase::from_text(";! frame rect 0 1 0 1\n;! frame quad 0 0 15\nend");
        let error = error.expect_err("a rectangle has no quads");
        assert_eq!(error, "line 2: `quad` is not part of this frame");
    }
}
