//! [`Shape`]: how much of a text looks like a program with mistakes.

use attila_shader::isa::text::is_blank;
use attila_shader::isa::{IDIOMS, Opcode};

/// The beginning of the first line of extended programs.
const HEADER: &str = ".extended";
/// The beginning of the names of queries for samples, in both spellings.
const QUERY: &str = "pixld";

/// Lines that are looked at.
const LIMIT: usize = 1000;

/// How many statements a text has, and how many of them begin as statements do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Lines of assembly: all, not only those that are looked at.
    pub statements: usize,
    /// How many were looked at.
    pub seen: usize,
    /// How many of those look right at first sight.
    pub plausible: usize,
}

impl Shape {
    /// The shape of a text that may be assembly.
    pub(crate) fn of_assembly(text: &str) -> Shape {
        let lines = text.lines().map(statement);
        Shape::of(lines.filter(|line| !line.is_empty()))
    }

    fn of<'a>(statements: impl Iterator<Item = &'a str>) -> Shape {
        let mut shape = Shape {
            statements: 0,
            seen: 0,
            plausible: 0,
        };
        for statement in statements {
            shape.statements += 1;
            if shape.seen < LIMIT {
                shape.seen += 1;
                shape.plausible += usize::from(is_plausible(statement));
            }
        }
        shape
    }

    /// Whether most statements look wrong at first sight, or there are only comments and labels.
    pub(crate) fn is_foreign(&self) -> bool {
        self.seen == 0 || 2 * self.plausible < self.seen
    }
}

/// A line without its comment, its labels and its guard.
fn statement(line: &str) -> &str {
    let comment = ["#", ";", "//"]
        .into_iter()
        .filter_map(|mark| line.find(mark));
    let end = comment.min().unwrap_or(line.len());
    let mut rest = line[..end].trim_matches(is_blank);
    while let Some((label, after)) = rest.split_once(':')
        && !label.is_empty()
        && label.trim_end().bytes().all(is_of_word)
    {
        rest = after.trim_start();
    }
    let guard = rest.strip_prefix('(');
    let after = guard.and_then(|guard| guard.split_once(')'));
    // The long spelling of queries has another one.
    let long = rest.strip_prefix('@');
    let after = after.or_else(|| long.and_then(|guard| guard.split_once(char::is_whitespace)));
    after.map_or(rest, |(_, after)| after.trim_start())
}

/// Whether an instruction, ours or another language's, stands before registers that exist.
fn is_plausible(statement: &str) -> bool {
    let end = statement.bytes().position(|byte| !is_of_word(byte));
    let (word, operands) = statement.split_at(end.unwrap_or(statement.len()));
    let lower = word.to_ascii_lowercase();
    let name = lower.strip_suffix("_sat").unwrap_or(&lower);
    if statement.to_ascii_lowercase().starts_with(HEADER) {
        return true;
    }
    let known = Opcode::from_mnemonic(name).is_some() || name.starts_with(QUERY);
    if operands.trim().is_empty() {
        return known;
    }
    let names = operands.split(|c: char| !c.is_ascii() || !is_of_word(c as u8));
    let is_idiom = || IDIOMS.iter().any(|idiom| idiom.names.contains(&name));
    names.into_iter().any(is_register) && (known || is_idiom())
}

/// Whether a word is a register, a unit or a truth value.
fn is_register(word: &str) -> bool {
    let digits = word.strip_prefix(|letter: char| "acioprst".contains(letter.to_ascii_lowercase()));
    let numbered = digits.is_some_and(|digits| {
        !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    numbered || matches!(word, "true" | "false")
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plausible(text: &str) -> (usize, usize) {
        let shape = Shape::of_assembly(text);
        (shape.plausible, shape.statements)
    }

    #[test]
    fn programs_with_mistakes_look_like_programs() {
        let text =
            "; a loop\nagain: (!p0) mov r0 r1\nsub_sat o1, r0, r1\nend\n\nlabel:\njmp true, x\n";
        assert_eq!(plausible(text), (4, 4));
    }

    #[test]
    fn headers_and_queries_in_both_spellings_do() {
        let text =
            ".extended fragment\nPIXLD.MASK R0;\n@!P0 pixld.covered r1, [#7];\npixld_foo r0.x";
        assert_eq!(plausible(text), (4, 4));
    }

    #[test]
    fn other_texts_do_not() {
        let prose = "Dear all,\nif you add this to the mix\nend of story\nkey: value\n\nthanks";
        assert_eq!(plausible(prose), (0, 5));
        let machine = "push rbp\nmov rbp, rsp\nmov eax, [rbp - 8]\nadd eax, 1\nret";
        assert_eq!(plausible(machine), (0, 5));
        assert!(Shape::of_assembly(machine).is_foreign());
    }

    #[test]
    fn only_so_many_lines_are_looked_at() {
        let shape = Shape::of_assembly(&"mov r0, r1\n".repeat(LIMIT + 5));
        assert_eq!((shape.seen, shape.plausible), (LIMIT, LIMIT));
    }
}
