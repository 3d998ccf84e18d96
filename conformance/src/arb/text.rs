//! Texts with their cases, as files.
//!
//! ```text
//! ; what was wrong
//! ;! arb any 17         any text, or a valid one; what inputs and parameters follow from
//! !!ARBfp1.0
//! END
//! ```

use super::check::ArbCase;

/// What the line before the text begins with.
const DIRECTIVE: &str = ";! arb ";

impl ArbCase {
    /// The case as a file that [`check_text`](crate::check_text) takes. The first lines
    /// are comments with `note`.
    pub fn to_text(&self, note: &str) -> String {
        let notes: String = note.lines().map(|line| format!("; {line}\n")).collect();
        let kind = if self.valid { "valid" } else { "any" };
        format!("{notes}{DIRECTIVE}{kind} {}\n{}", self.values, self.text)
    }

    /// Reads such a file; `None` if it is none.
    pub fn from_text(file: &str) -> Option<ArbCase> {
        let mut rest = file;
        while let Some((_, after)) = rest.split_once('\n').filter(|_| rest.starts_with("; ")) {
            rest = after;
        }
        let (words, text) = rest.strip_prefix(DIRECTIVE)?.split_once('\n')?;
        let (kind, values) = words.split_once(' ')?;
        Some(ArbCase {
            text: text.to_owned(),
            valid: match kind {
                "valid" => true,
                "any" => false,
                _ => return None,
            },
            values: values.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::case;
    use super::*;

    #[test]
    fn files_read_back_as_the_cases_they_were() {
        for index in 0..200 {
            let case = case(4, index);
            let file = case.to_text("what was wrong\nin two lines");
            assert!(file.starts_with("; what was wrong\n; in two lines\n;! arb "));
            assert_eq!(ArbCase::from_text(&file), Some(case));
        }
        assert_eq!(
            ArbCase::from_text("; a comment\n;! stage vertex\nend"),
            None
        );
        assert_eq!(ArbCase::from_text("; a comment"), None);
    }
}
