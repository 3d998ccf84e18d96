//! Directives: comments in an assembly text that say what its program runs on, and with what
//! result.
//!
//! ```text
//! ;! stage vertex                    fragment unless said otherwise
//! ;! quads 2                         else as many as are named
//! ;! loop-budget 100                 backward jumps that a lane may take
//! ;! fixed-bits 8                    fraction bits of fixed-point inputs
//! ;! order any                       quads may ask textures and attributes in any order
//! ;! const c3 = 1 2 -inf 0x7fc00000  four components
//! ;! buffer b2 = 1 2 3 4 -1 0 5i 1e9  vectors of a constant buffer; another line adds more
//! ;! storage u1 = 1 2i 0x80000000    words of a storage buffer; another line adds more
//! ;! input i0 = 1 2 3 4              all lanes of all quads
//! ;! input i0[2] = 0.5               lane 2; one number stands for all four components
//! ;! input q1 i0[2] = -0 0 5i 1e-3   only in quad 1
//! ;! temp r1 = 1                     registers before the run, where they are visible:
//! ;! address a0 = 3 -1 0 0           whole numbers
//! ;! output o1 = 0 0 0 1
//! ;! pred p3 = 0101                  a digit per lane, lane 0 first
//! ;! sample = 0 1 2 3                the current sample, a number per lane
//! ;! depth s2 = 0 0.5 1 1            the exported depth of a sample, a number per lane
//! ;! kill = 1000                     killed fragments, a digit per lane;
//! ;! kill = 0xffff 0 0x0002 0        or a mask of samples per lane
//! ;! accumulator x = 0x100 -0x1 0 0  sign and magnitude, a number per lane
//! ;! samples = 4                     samples of a pixel, at the standard positions
//! ;! position s2 = -6 2              or at others: offsets from the centre in 1/16 pixel
//! ;! coverage = 0xf 0x3 0 1          covered samples, a set per lane
//! ;! own-sample = 2                  the sample that the program runs for; or none
//! ;! expect o0 = 2 nan 0 inf         after the run: as above, without the first word
//! ;! expect q1 p3[2] = 1
//! ;! expect kill = 1000
//! ```
//!
//! A line is a directive if its first characters other than blanks are `;!`. Words are separated
//! by blanks; upper and lower case are the same. What follows another `;` is a comment. Later lines
//! override earlier ones.
//!
//! A number is
//! * a float: `1`, `-0.5`, `1e-3`, `inf`, `-inf`, `nan`;
//! * an integer of 32 bits: `5i`, `-1i`;
//! * raw bits: `0x` and up to 8 hexadecimal digits.
//!
//! In lines about addresses, samples and the loop budget a number without a suffix is an integer.
//! An expected NaN stands for any NaN.

mod parse;
mod print;
mod quads;
mod samples;
mod setting;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::isa::{Fix, Stage};
use attila_shader::machine::{LaneMask, Lanes, StateName};
use thiserror::Error;

pub use parse::MAX_QUADS;
pub use print::{buffer_line, constant_line, start_lines, storage_line};
pub use words::{float_bits, show};

/// The content of a text's directives.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Directives {
    /// The stage of the program, if a directive names it.
    pub stage: Option<Stage>,
    /// Backward jumps that a lane may take, if it is said.
    pub loop_budget: Option<u32>,
    /// Fraction bits of fixed-point inputs, if it is said.
    pub fixed_bits: Option<u32>,
    /// In which order quads ask textures and attributes that are a formula.
    pub order: Order,
    /// How many quads there are: at least 1, and all that are named.
    pub quads: usize,
    /// Constants as raw words.
    pub constants: BTreeMap<usize, [u32; 4]>,
    /// Vectors of constant buffers, as raw words.
    pub buffers: BTreeMap<usize, Vec<[u32; 4]>>,
    /// Words of storage buffers before the run.
    pub storage: BTreeMap<usize, Vec<u32>>,
    /// The settings before the run, in the order of the lines.
    pub starts: Vec<Setting>,
    /// The expectations after the run, in the order of the lines.
    pub expectations: Vec<Setting>,
    /// Directives of the caller's own.
    pub extensions: Vec<Extension>,
}

/// In which order quads of a run ask texture units and attributes that are a formula.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// The order of quads, as what users make may expect: code has vectors of 128 bits then.
    #[default]
    Kept,
    /// Any, and copies of quads may ask, too.
    Any,
}

/// A line about some words of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The quad; `None`: all.
    pub quad: Option<usize>,
    /// The lanes.
    pub lanes: LaneMask,
    /// The register, or what stands beside registers.
    pub name: StateName,
    /// The values of its words. Only those of the lanes meant count.
    pub words: Vec<Lanes<u32>>,
    /// The line, from 1.
    pub line: usize,
}

/// A directive that the caller of [`parse`] asked for by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Extension {
    /// The first word, in lower case.
    pub name: String,
    /// The rest of the line without blanks at its ends.
    pub rest: String,
    /// Where the rest stands, as bytes of the text.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
}

/// A directive that is not right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {message}{}", .help.as_ref().map(|h| format!("; {h}")).unwrap_or_default())]
#[non_exhaustive]
pub struct DirectiveError {
    /// The mistake.
    pub message: String,
    /// The word that may be meant.
    pub help: Option<String>,
    /// The change that puts it in.
    pub fix: Option<Fix>,
    /// The words at fault, as bytes of the text.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// Reads the directives of an assembly text. First words in `extensions` are the caller's own.
///
/// # Errors
///
/// The lines that are not right, in order: at most 100, then a count.
pub fn parse(text: &str, extensions: &[&str]) -> Result<Directives, Vec<DirectiveError>> {
    let (directives, errors) = read(text, extensions);
    if errors.is_empty() {
        Ok(directives)
    } else {
        Err(errors)
    }
}

/// Reads the directives as [`parse`] does, and goes on where a line is not right: gives what the
/// other lines say, and every line that is not right, in order.
pub fn read(text: &str, extensions: &[&str]) -> (Directives, Vec<DirectiveError>) {
    parse::read(text, extensions)
}

#[cfg(test)]
mod tests {
    use attila_shader::machine::{Fixed, QuadState};
    use expect_test::{Expect, expect};

    use super::*;

    fn read(text: &str) -> Directives {
        let list = |errors: Vec<DirectiveError>| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            lines.join("\n")
        };
        parse(text, &["varying"]).unwrap_or_else(|errors| panic!("{}", list(errors)))
    }

    fn refuse(text: &str, expected: &Expect) {
        let errors = parse(text, &["varying"]).expect_err("the text is wrong");
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        expected.assert_eq(&lines.join("\n"));
        for error in errors {
            assert!(text.is_char_boundary(error.span.start), "{error}");
            assert!(text.is_char_boundary(error.span.end), "{error}");
        }
    }

    #[test]
    fn every_kind_of_line_says_what_it_says() {
        let text = ";! stage Vertex\n;! LOOP-BUDGET 9\n ;!fixed-bits 4\n;! const c3=1 2 -inf 0x7fc00000\n\
            ;! input i0 = 1 2 3 4\n;! input q1 i0[2] = 5i\n;! address a1 = -3\n;! pred p3 = 0101\n\
            ;! pred p3[0] = 1\n;! sample = 0 1 2 3\n;! depth s2[1] = 0.5\n;! kill = 1000\n\
            ;! kill[1] = 0x0002\n;! accumulator x = 0x100 -1 0 0\nmov o0, i0 ; not one: ;! nonsense\n";
        let directives = read(text);
        assert_eq!(directives.stage, Some(Stage::Vertex));
        assert_eq!(
            (directives.loop_budget, directives.fixed_bits),
            (Some(9), Some(4))
        );
        let constant = [0x3f80_0000, 0x4000_0000, 0xff80_0000, 0x7fc0_0000];
        assert_eq!(directives.constants[&3], constant);
        let quads = directives.start();
        assert_eq!(quads.len(), 2);
        assert_eq!(quads[0].io.inputs[0][0], [0x3f80_0000; 4]);
        assert_eq!(
            quads[1].io.inputs[0][3],
            [0x4080_0000, 0x4080_0000, 5, 0x4080_0000]
        );
        assert_eq!(quads[0].regs.addresses[1][2], [(-3i32).cast_unsigned(); 4]);
        assert_eq!(quads[0].regs.predicate(3).bits(), 0b1011);
        assert_eq!(quads[0].regs.sample, [0, 1, 2, 3]);
        assert_eq!(quads[0].io.depth[2], [0, 0x3f00_0000, 0, 0]);
        assert_eq!(quads[0].io.kill, [0xffff, 2, 0, 0]);
        let fixed = |magnitude, negative| Fixed {
            magnitude,
            negative,
        };
        assert_eq!(
            quads[1].regs.accumulator[0][..2],
            [fixed(0x100, 0), fixed(1, 1)]
        );
    }

    #[test]
    fn lines_about_the_start_are_printed_as_they_are_read() {
        let mut quads = vec![QuadState::default(); 3];
        quads[0].io.inputs[1] = [[1, 0x3f80_0000, 0, 0]; 4];
        quads[1].regs.set_predicate(4, LaneMask::LANE2);
        quads[1].io.kill = [0, 0xffff, 0, 7];
        quads[1].io.depth[3] = [0x7fc0_0000; 4];
        quads[1].regs.sample = [4, 3, 2, 1];
        quads[1].regs.accumulator[3][1].negative = 1;
        let lines = start_lines(&quads);
        assert_eq!(read(&lines.join("\n")).start(), quads, "{lines:#?}");
    }

    #[test]
    fn lines_that_are_not_right_are_named_with_their_place() {
        refuse(
            "mov o0, i0\n  ;! imput i0 = 1\n;! input i64 = 1\n;! input r1 = 1\n;! const c3 1 2\n\
             ;! temp r0 = 1 2\n;! temp r0 = 1 2 3 4 5\n;! temp r0[4] = 1\n;! address a0 = 1.5\n",
            &expect![[r#"
                2:6: there is no directive `imput`; did you mean `input`?
                3:10: `i64` is not i0 to i63
                4:10: `r1` is not i0 to i63
                5:13: expected `=`, found `1`
                6:17: a number is missing
                7:22: `5` is one word too many
                8:9: `[4]` is not a lane [0] to [3]
                9:17: `1.5` is not an integer"#]],
        );
        refuse(
            ";!\n;! stage pixel\n;! pred p3 = 012\n;! kill = 0x10000 0 0 0\n;! expect i0 = 1\n\
             ;! quads 5000\n;! quads 0\n;! fixed-bits 17\n;! const c1[2] = 0\n;! accumulator q = 0 0 0 0\n\
             ;! é\n;! sample = 1 2\n;! depth s16 = 0 0 0 0\n;! q1 i0 = 2\n;! input q1 = 2\n",
            &expect![[r#"
                1:3: a directive is missing
                2:10: `pixel` is none of `vertex`, `fragment`, `geometry`, `compute`
                3:14: `012` is not four digits 0 or 1, lane 0 first
                4:11: `0x10000` has more than 16 samples
                5:11: `i0` is not a result of a run; expected o0 to o63, r0 to r255, a0 to a3, p0 to p31, kill, depth, sample or accumulator
                6:10: `5000` is not a number of quads up to 4096
                7:10: `0` is not a number of quads from 1 on
                8:15: `17` is not a number of bits up to 16
                9:10: constants are the same in all lanes
                10:16: `q` is not a component x, y, z or w
                11:4: there is no directive `é`
                12:16: a number is missing
                13:10: `s16` is not s0 to s15
                14:4: there is no directive `q1`
                15:13: `=` is not i0 to i63"#]],
        );
    }

    #[test]
    fn lines_that_are_right_count_beside_others_that_are_not() {
        let text = ";! const c0 = 1\n;! const c1 = x\n;! varying 6 = x\n;! stage vertex\n;! q";
        let (directives, errors) = super::read(text, &["varying"]);
        assert_eq!(directives.stage, Some(Stage::Vertex));
        assert_eq!(directives.constants.keys().collect::<Vec<_>>(), [&0]);
        assert_eq!(directives.extensions.len(), 1);
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [2, 5]);
        assert_eq!(parse(text, &["varying"]), Err(errors));
    }

    #[test]
    fn lines_that_are_not_right_are_counted_beyond_a_hundred() {
        let text = ";! x\n".repeat(300);
        let errors = parse(&text, &[]).expect_err("the text is wrong");
        assert_eq!(errors.len(), 101);
        assert_eq!(errors[99].line, 100);
        assert_eq!(
            errors[100].to_string(),
            "301:1: 200 more errors are not shown"
        );
        assert_eq!(errors[100].span, text.len()..text.len());
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let good = ";! expect q1 p3[2] = 1\n;! kill = 0xffff 0 2 0\n;! depth s1 = 1e9 nan 5i é\n;!";
        let mut state = 1u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x9e37_79b1).wrapping_add(0x7f4a_7c15);
            (state >> 8) as usize % below
        };
        for _ in 0..20_000 {
            let mut text: Vec<char> = good.chars().collect();
            for _ in 0..4 {
                let at = random(text.len());
                match random(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, ['=', '[', 'q', '9', ' ', '\n', 'ß'][random(7)]),
                    _ => text[at] = text[random(text.len())],
                }
            }
            let text: String = text.into_iter().collect();
            for error in parse(&text, &[]).err().into_iter().flatten() {
                assert!(text.get(error.span.clone()).is_some(), "{text:?} {error}");
            }
        }
    }

    #[test]
    fn the_callers_own_directives_are_handed_over() {
        let text = ";! varying 6 =  x y \nend";
        let extension = &read(text).extensions[0];
        assert_eq!(
            (extension.name.as_str(), extension.rest.as_str()),
            ("varying", "6 =  x y")
        );
        assert_eq!(&text[extension.span.clone()], "6 =  x y");
    }
}
