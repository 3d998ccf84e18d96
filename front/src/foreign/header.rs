//! Texts whose first line names a language, as those of OpenGL's and Direct3D's assembly do.

use std::ops::Range;

use attila_isa::text::is_blank;

use crate::arb;

/// The marks that comments begin with, in one language or another.
const COMMENTS: [&str; 3] = ["#", ";", "//"];

/// A first line for which the text is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Header {
    /// Its first word, in bytes of the text.
    pub span: Range<usize>,
    /// The language that it names, or that it stands in the wrong place.
    pub message: String,
    /// How the text may be put right.
    pub help: Option<&'static str>,
}

const ARB: &str = "ARB programs are supported; they begin with `!!ARBvp1.0` or `!!ARBfp1.0`";

/// The families of languages whose headers begin with `!!`.
const FAMILIES: &[(&str, &str)] = &[
    ("!!ARBfp", "an ARB fragment program of another version"),
    ("!!ARBvp", "an ARB vertex program of another version"),
    ("!!ARBgp", "an ARB geometry program"),
    ("!!NV", "a program of NV_gpu_program4"),
    ("!!VP", "a program of NV_vertex_program"),
    ("!!VSP", "a program of NV_vertex_program"),
    ("!!FP", "a program of NV_fragment_program"),
    ("!!FCP", "a program of NV_fragment_program"),
    ("!!RC", "a program for register combiners"),
    ("!!TS", "a program for texture shaders"),
    ("!!ATIfs", "a program of ATI_fragment_shader"),
    ("!!", "a program of another language"),
];

/// The header of a language that is not read, or that stands in the wrong place.
pub fn header(text: &str) -> Option<Header> {
    let (start, line) = first_line(text)?;
    let word = line.split_whitespace().next()?;
    let span = start..start + word.len();
    let found = |message, help| {
        Some(Header {
            span: span.clone(),
            message,
            help,
        })
    };
    if arb::stage_of(word).is_some() {
        let message = format!("`{}` is not at the start of the text", short(word));
        let help = "nothing may stand before it, not even a blank line";
        return found(message, Some(help));
    }
    if let Some((_, what)) = FAMILIES.iter().find(|(mark, _)| has_prefix(word, mark)) {
        let message = format!("this is {what} (`{}`), which is not supported", short(word));
        return found(message, Some(ARB));
    }
    if is_direct3d(word) {
        let message = format!("this is Direct3D assembly (`{word}`), which is not supported");
        return found(message, None);
    }
    None
}

/// The first line with something in it besides comments, without its blanks, and where it stands.
fn first_line(text: &str) -> Option<(usize, &str)> {
    let mut end = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let start = end;
        end += line.len();
        let rest = line.trim_start_matches(is_blank);
        (start + (line.len() - rest.len()), rest.trim_end())
    });
    let is_comment = |line: &str| COMMENTS.iter().any(|mark| line.starts_with(mark));
    lines
        .into_iter()
        .find(|(_, line)| !line.is_empty() && !is_comment(line))
}

fn has_prefix(word: &str, prefix: &str) -> bool {
    let start = word.get(..prefix.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Words like `ps_2_0`, `vs.1.1`, `ps_2_x` and `vs_3_sw`.
fn is_direct3d(word: &str) -> bool {
    let mut parts = word.split(['_', '.']);
    let stage = parts.next().is_some_and(|stage| {
        let stages = ["ps", "vs", "gs", "hs", "ds", "cs"];
        stages.iter().any(|known| stage.eq_ignore_ascii_case(known))
    });
    let digit = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    let major = parts.next().is_some_and(digit);
    let minor = parts
        .next()
        .is_some_and(|part| digit(part) || matches!(part, "x" | "sw"));
    stage && major && minor && parts.next().is_none()
}

/// A word, cut off where it is too long for a message.
fn short(word: &str) -> &str {
    let end = word.char_indices().nth(24).map_or(word.len(), |(at, _)| at);
    &word[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, String)> {
        header(text).map(|found| (&text[found.span], found.message))
    }

    #[test]
    fn headers_of_other_languages_are_named() {
        for (text, header, language) in [
            ("!!FP1.0\nMOV", "!!FP1.0", "NV_fragment_program"),
            ("# a\n !!VP1.1 # b", "!!VP1.1", "NV_vertex_program"),
            ("!!ARBfp2.0\n", "!!ARBfp2.0", "ARB fragment program"),
            ("!!arbVP1.0", "!!arbVP1.0", "ARB vertex program"),
            ("; a\n// b\nPS_2_0\ndcl", "PS_2_0", "Direct3D"),
            ("vs.1.1", "vs.1.1", "Direct3D"),
        ] {
            let (seen, message) = found(text).unwrap_or_else(|| panic!("{text} is not known"));
            assert_eq!(seen, header);
            assert!(message.contains(language), "{message}");
        }
    }

    #[test]
    fn headers_in_the_wrong_place_are_named() {
        for text in [
            "\n!!ARBfp1.0\nEND",
            "\u{feff}\u{feff}!!ARBfp1.0",
            "# a\n  !!ARBfp1.0;",
        ] {
            let (_, message) = found(text).expect("it has a header");
            assert!(message.contains("is not at the start"), "{message}");
        }
    }

    #[test]
    fn other_texts_have_no_header() {
        for text in [
            "",
            "# !!FP1.0",
            "ps_2",
            "ps_2_0_1",
            "ps: nop",
            "mov o1, i1\n!!FP1.0",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
