//! Shortens a text with which something is wrong.

use std::mem::discriminant;

use super::check::{ArbCase, ArbFault};
use crate::fuzz::minimise;
use attila_shader::Engine;

/// Pieces that a text is cut into, the largest first.
const CUTS: [fn(&str) -> Vec<&str>; 4] = [
    |text| text.split_inclusive('\n').collect(),
    |text| text.split_inclusive(';').collect(),
    |text| {
        text.split_inclusive([' ', ',', '.', '{', '[', '\n'])
            .collect()
    },
    |text| {
        // A fault that needs a long text does not need each of its characters.
        match text.len() <= LONG {
            true => text.split_inclusive(|_| true).collect(),
            false => vec![text],
        }
    },
];

/// Bytes of a text that is not shortened by single characters.
const LONG: usize = 400;

/// Leaves out whatever the fault does not need. Where engines differ, their program is shrunk, too.
pub(super) fn shrink(case: ArbCase, fault: ArbFault, engines: &[Engine]) -> (ArbCase, ArbFault) {
    let mut best = (case, fault);
    // Any other text may be refused rightly.
    if !matches!(best.1, ArbFault::Refused(_)) {
        best.0.valid = false;
        while CUTS.into_iter().any(|cut| shorten(&mut best, cut, engines)) {}
    }
    if let ArbFault::Differ(found) = &mut best.1 {
        **found = minimise(found, engines);
    }
    best
}

/// Leaves out pieces, many at once where possible. True if the text got shorter.
fn shorten(best: &mut (ArbCase, ArbFault), cut: fn(&str) -> Vec<&str>, engines: &[Engine]) -> bool {
    let length = best.0.text.len();
    let mut size = cut(&best.0.text).len();
    while size > 0 {
        let mut start = 0;
        loop {
            let pieces = cut(&best.0.text);
            if start >= pieces.len() {
                break;
            }
            let end = (start + size).min(pieces.len());
            let shorter = ArbCase {
                text: [&pieces[..start], &pieces[end..]].concat().concat(),
                ..best.0.clone()
            };
            match shorter.check(engines) {
                Err(fault) if discriminant(&*fault) == discriminant(&best.1) => {
                    *best = (shorter, *fault);
                }
                Ok(()) | Err(_) => start += size,
            }
        }
        size /= 2;
    }
    best.0.text.len() < length
}
