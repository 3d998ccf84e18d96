//! Languages that compile to ATTILA shader programs: [`agal`], [`arb`], [`ctm`], [`tgsi`], and [`back`], the half
//! that languages share.
#![forbid(unsafe_code)]
//!
//! [`LANGUAGES`] has a row for each. Code that takes programs in any language goes by the rows:
//! [`compile`] and [`list`] find the language that a text is in.

pub mod agal;
pub mod arb;
pub mod back;
pub mod ctm;
pub mod foreign;
mod frame;
mod listing;
pub mod tgsi;

use std::collections::BTreeMap;

use attila_isa::{Diagnostic, Diagnostics, Program, Remark};
use thiserror::Error;

pub use frame::Frame;
pub use listing::{Constant, Declared, Input, Listing, Texture};

/// A language.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LanguageInfo {
    /// Its name, as in `ARB`.
    pub name: &'static str,
    /// A program in it, with the article, as in `an ARB program`.
    pub noun: &'static str,
    /// The words that its texts begin with.
    pub beginnings: &'static [&'static str],
    /// Recognises a text by its beginning.
    pub recognise: fn(&str) -> bool,
    /// The suffix of files whose texts are in it, whatever they begin with.
    pub suffix: Option<&'static str>,
    /// How its programs stand among other lines, if their words say where they begin and end.
    pub frame: Option<Frame>,
    /// Compiles a text with the default limits.
    pub compile: fn(&str) -> Result<Program, SourceError>,
    /// Compiles a text, and says what its registers hold where parameters have these values.
    pub list: fn(&str, &ParameterValues) -> Result<Listing, SourceError>,
}

/// All languages.
pub const LANGUAGES: &[LanguageInfo] =
    &[arb::LANGUAGE, tgsi::LANGUAGE, agal::LANGUAGE, ctm::LANGUAGE];

/// Values of parameters that texts leave open, and how they are read.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ParameterValues {
    /// Parameters of this program, by number.
    pub local: BTreeMap<u32, [f32; 4]>,
    /// Parameters that programs share, by number.
    pub env: BTreeMap<u32, [f32; 4]>,
    /// Width and height of the window, in pixels.
    pub window: [u32; 2],
    /// `state.matrix.modelview` of ARB programs.
    pub model_view: arb::state::Matrix4,
    /// `state.matrix.projection` of ARB programs.
    pub projection: arb::state::Matrix4,
    /// The dialect of TGSI texts; `None`: their words decide.
    pub dialect: Option<tgsi::Dialect>,
    /// How AGAL texts are read.
    pub agal: agal::Options,
}

/// Why a text is not a program: all mistakes that were found, at least one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .diagnostics.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
#[non_exhaustive]
pub struct SourceError {
    /// The mistakes in the order of the text: at most 100, then a count.
    pub diagnostics: Vec<Diagnostic>,
}

impl SourceError {
    /// The place of the first mistake, in bytes of the text, as `GL_PROGRAM_ERROR_POSITION_ARB` would
    /// say; the text's length where the end is missing or the program as a whole is too large.
    pub fn position(&self) -> usize {
        let first = self.diagnostics.first();
        first.map_or(0, |diagnostic| diagnostic.span.start)
    }
}

/// The language of a text: its beginning tells.
pub fn language_of(text: &str) -> Option<&'static LanguageInfo> {
    let is_in = |language: &&LanguageInfo| (language.recognise)(text);
    LANGUAGES.iter().find(is_in)
}

/// The language of files with a suffix, if that alone tells.
pub fn language_of_suffix(suffix: &str) -> Option<&'static LanguageInfo> {
    let is_in = |language: &&LanguageInfo| language.suffix == Some(suffix);
    LANGUAGES.iter().find(is_in)
}

/// Compiles a text in any language.
///
/// # Errors
///
/// All that is wrong with the text, with positions; no language begins like it; or ATTILA has fewer
/// registers than it needs.
pub fn compile(text: &str) -> Result<Program, SourceError> {
    let language = language_of(text).ok_or_else(|| unknown(text))?;
    (language.compile)(text)
}

/// Compiles a text in any language, and says what its registers hold.
///
/// # Errors
///
/// As [`compile`].
pub fn list(text: &str, values: &ParameterValues) -> Result<Listing, SourceError> {
    let language = language_of(text).ok_or_else(|| unknown(text))?;
    (language.list)(text, values)
}

/// The mistake of a text that begins like no program.
fn unknown(text: &str) -> SourceError {
    let first_line = 0..text.lines().next().unwrap_or("").len();
    let remark = if let Some(header) = foreign::header(text) {
        let remark = Remark::new(header.span, header.message);
        remark.help(header.help.map_or_else(beginnings, str::to_owned))
    } else if let Some(kind) = foreign::kind_of_text(text) {
        let message = format!("this is {kind}, not a program");
        Remark::new(first_line, message).help(beginnings())
    } else {
        let help = "nothing may stand before `!!`, not even a blank";
        Remark::new(first_line, beginnings()).help(help)
    };
    let mut diagnostics = Diagnostics::default();
    diagnostics.error(remark);
    SourceError {
        diagnostics: diagnostics.finish(text),
    }
}

/// The words that programs begin with.
fn beginnings() -> String {
    let words = LANGUAGES.iter().flat_map(|language| language.beginnings);
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    let others = LANGUAGES.iter().filter(|it| it.beginnings.is_empty());
    let others: Vec<&str> = others.map(|language| language.name).collect();
    let (words, others) = (words.join(" or "), others.join(" or "));
    format!("a program begins with {words}, or with an instruction of {others}")
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use attila_isa::TextureShape;

    use super::*;

    #[test]
    fn every_language_recognises_what_its_texts_begin_with() {
        for language in LANGUAGES {
            for beginning in language.beginnings {
                let found = language_of(beginning).map(|language| language.name);
                assert_eq!(found, Some(language.name), "{beginning}");
            }
        }
    }

    #[test]
    fn kinds_of_tgsi_programs_that_are_not_supported_are_refused_by_name() {
        let error = compile("TESS_CTRL\nEND").expect_err("there is no such stage");
        assert_eq!(
            error.to_string(),
            "1:1: error: `TESS_CTRL` is not supported: there are no tessellation stages"
        );
    }

    #[test]
    fn texts_in_no_language_are_refused_with_the_beginnings_that_there_are() {
        let error = compile("mov o1, i1\nend").expect_err("it is assembly");
        assert_eq!(error.position(), 0);
        assert_eq!(
            error.to_string(),
            "1:1: error: a program begins with `!!ARBvp1.0` or `!!ARBfp1.0` or `VERT` or `FRAG` or `GEOM` or `COMP` or `rgb` or `alpha`, or with an instruction of AGAL (nothing may stand before `!!`, not even a blank)"
        );
    }

    #[test]
    fn texts_in_other_languages_are_refused_by_name() {
        for (text, message) in [
            (
                "#version 110\nvoid main() {}\n",
                "1:1: error: this is GLSL, not a program",
            ),
            (
                "// a\nps_2_0\nmov oC0, v0\n",
                "2:1: error: this is Direct3D assembly (`ps_2_0`), which is not supported",
            ),
            (
                "\n!!ARBfp1.0\nEND",
                "2:1: error: `!!ARBfp1.0` is not at the start of the text",
            ),
        ] {
            let error = list(text, &ParameterValues::default()).expect_err("it is no program");
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }

    #[test]
    fn frames_end_where_programs_do() {
        for (text, program) in [
            ("!!ARBfp1.0 # END\nEND\nmore END", "!!ARBfp1.0 # END\nEND"),
            ("!!ARBvp1.0\nTEMP a;\n", "!!ARBvp1.0\nTEMP a;\n"),
            (
                "FRAG\n  0: IF\n 1: ENDIF\n  2: END\n\nGLSL:\n",
                "FRAG\n  0: IF\n 1: ENDIF\n  2: END",
            ),
            (
                "VERT\nDCL IN[0]\n0: CAL :2\n1: END\n2: BGNSUB\n3: RET\n4: ENDSUB\nlog: 1",
                "VERT\nDCL IN[0]\n0: CAL :2\n1: END\n2: BGNSUB\n3: RET\n4: ENDSUB",
            ),
        ] {
            let language = language_of(text).and_then(|language| language.frame);
            let frame = language.expect("the language has frames");
            assert!((frame.begins)(text), "{text}");
            assert_eq!(&text[..(frame.length)(text)], program);
        }
    }

    #[test]
    fn lines_that_begin_with_the_word_of_a_program_are_none() {
        let frames = LANGUAGES.iter().filter_map(|language| language.frame);
        for text in [
            "FRAG is short",
            "FRAG\nis short\n",
            "frag\nDCL",
            "COMP",
            "!!ARBfp2.0",
        ] {
            assert!(frames.clone().all(|frame| !(frame.begins)(text)), "{text}");
        }
    }

    #[test]
    fn listings_name_what_registers_hold() {
        let values = ParameterValues {
            local: [(2, [1.0, 2.0, 3.0, 4.0])].into(),
            window: [1, 1],
            ..ParameterValues::default()
        };
        let text = "!!ARBfp1.0\nTEMP t;\nTEX t, fragment.texcoord[0], texture[3], CUBE;\nMAD result.color, t, program.local[2], {5, 6, 7, 8};\nEND";
        let listing = list(text, &values).expect("it is a program");
        let input = Input::new(6, "fragment.texcoord[0]".to_owned());
        assert_eq!(listing.inputs, [input]);
        assert_eq!(listing.outputs, [(1, "result.color".to_owned())]);
        let names: Vec<_> = listing.constants.iter().map(|it| it.name.clone()).collect();
        assert_eq!(names, [Some("program.local[2]".to_owned()), None]);
        assert_eq!(listing.constants[0].value, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(listing.textures[0].unit, 3);
        assert_eq!(listing.textures[0].shape, TextureShape::Cube);
        assert_eq!(listing.program, compile(text).expect("it is a program"));
    }
}
