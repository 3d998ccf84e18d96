//! Finds constants that a text does not name.

use crate::bank::{Bank, Reg};
use crate::registers::CONSTANTS;

/// Gives constants to values: those that nothing in a text names, comments included, since
/// directives stand in those. The text is searched when the first one is asked for, once.
pub(super) struct SpareConstants<'a> {
    text: &'a str,
    /// Which constants are taken; empty before the search.
    taken: Vec<bool>,
    given: Vec<(String, Reg)>,
}

impl<'a> SpareConstants<'a> {
    pub(super) fn new(text: &'a str) -> SpareConstants<'a> {
        SpareConstants {
            text,
            taken: Vec::new(),
            given: Vec::new(),
        }
    }

    /// The constant for `value`, the same each time; `None` if all constants are taken.
    pub(super) fn register(&mut self, value: &str) -> Option<Reg> {
        let known = self.given.iter().find(|(given, _)| given == value);
        if let Some((_, reg)) = known {
            return Some(*reg);
        }
        if self.taken.is_empty() {
            self.taken = named(self.text);
        }
        let free = self.taken.iter().position(|taken| !taken)?;
        let reg = Reg::new(Bank::Constant, free.try_into().ok()?)?;
        self.taken[free] = true;
        self.given.push((value.to_owned(), reg));
        Some(reg)
    }
}

/// Whether `text` names each constant.
fn named(text: &str) -> Vec<bool> {
    let mut named = vec![false; CONSTANTS];
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for word in text.split(|c| !word(c)) {
        let digits = word.strip_prefix(['c', 'C']);
        let number: Option<usize> = digits.and_then(|digits| digits.parse().ok());
        if let Some(seen) = number.and_then(|number| named.get_mut(number)) {
            *seen = true;
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(text: &str, values: &[&str]) -> Vec<Option<String>> {
        let mut spare = SpareConstants::new(text);
        let name = |reg: Reg| reg.to_string();
        values
            .iter()
            .map(|value| spare.register(value).map(name))
            .collect()
    }

    #[test]
    fn values_have_constants_of_their_own_that_nothing_names() {
        let text = ";! const C1 = 0\nadd r0, c0, -c3[a0.x] ; c2, not rc4\nc99999999999999999999";
        let [c4, c5] = ["c4", "c5"].map(|name| Some(name.to_owned()));
        assert_eq!(registers(text, &["0.5", "7i", "0.5"]), [c4.clone(), c5, c4]);
    }

    #[test]
    fn constants_run_out() {
        let all: Vec<String> = (0..511).map(|number| format!("c{number}")).collect();
        let last = Some("c511".to_owned());
        assert_eq!(registers(&all.join(" "), &["1", "2"]), [last, None]);
    }
}
