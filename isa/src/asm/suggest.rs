//! Finds what a misspelled name may have been meant to be.

/// Names longer than this are not compared: nobody misspells those, and the effort grows with
/// the square of their length.
const MAX_LENGTH: usize = 24;

/// The candidate nearest to `name`, if it is near enough to be a slip: one edit in three letters.
/// Case does not count. Among equally near candidates, the first that has the letters of `name`
/// wins, or else the first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    if name.len() > MAX_LENGTH {
        return None;
    }
    let most = name.len().div_ceil(3);
    let kinds = kinds(&name);
    let near = candidates.into_iter().filter_map(|candidate| {
        // An edit takes one letter away and adds another at most. A text of nothing but misspelled names asks for the
        // distance to few candidates.
        let differ = || (kinds ^ self::kinds(candidate)).count_ones() as usize;
        let plausible = candidate.len().abs_diff(name.len()) <= most
            && candidate.len() <= MAX_LENGTH
            && differ() <= 2 * most;
        let edits = plausible.then(|| distance(name.as_bytes(), candidate.as_bytes()))?;
        // Replacing every letter is no slip.
        (edits <= most && edits < candidate.len()).then_some((edits, candidate))
    });
    // Letters in the wrong order are a likelier slip than a wrong letter.
    let letters = sorted(&name);
    near.min_by_key(|(edits, candidate)| (*edits, sorted(candidate) != letters))
        .map(|(_, candidate)| candidate)
}

/// The letters that a name has, a bit for each in either case. Few other characters have one of their own.
fn kinds(name: &str) -> u32 {
    let bit = |kinds, letter: u8| kinds | 1 << (letter & 31);
    name.bytes().fold(0, bit)
}

/// The letters of a name in the order of the alphabet.
fn sorted(name: &str) -> Vec<u8> {
    let mut letters = name.to_ascii_lowercase().into_bytes();
    letters.sort_unstable();
    letters
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, of [`MAX_LENGTH`] at most; case
/// does not count in `b`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before = [0; MAX_LENGTH + 1];
    let mut last: [usize; MAX_LENGTH + 1] = std::array::from_fn(|j| j);
    for (i, &x) in a.iter().enumerate() {
        let mut row = [i + 1; MAX_LENGTH + 1];
        for (j, y) in b.iter().map(u8::to_ascii_lowercase).enumerate() {
            let replaced = last[j] + usize::from(x != y);
            let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && x == b[j - 1].to_ascii_lowercase() && a[i - 1] == y;
            if swapped {
                edits = edits.min(before[j - 1] + 1);
            }
            row[j + 1] = edits;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_candidate_that_is_near_enough_is_left_out_for_its_letters() {
        let names = [
            "mov", "setpgt", "texture", "MAD_SAT", "a1b2", "x_y", "dp3", "aabb",
        ];
        let others = [
            "mvo", "STPGT", "txture", "mad_sta", "a2b1", "xy", "dq4", "abab", "xyz",
        ];
        for (name, other) in names
            .iter()
            .flat_map(|name| others.map(|other| (*name, other)))
        {
            let edits = distance(other.to_ascii_lowercase().as_bytes(), name.as_bytes());
            assert!((kinds(name) ^ kinds(other)).count_ones() as usize <= 2 * edits);
        }
    }

    #[test]
    fn distances_count_edits_and_swaps() {
        assert_eq!(distance(b"", b"abc"), 3);
        assert_eq!(distance(b"mul", b"mul"), 0);
        assert_eq!(distance(b"mvo", b"mov"), 1);
        assert_eq!(distance(b"mull", b"mul"), 1);
        assert_eq!(distance(b"setpg", b"setpgt"), 1);
        assert_eq!(distance(b"abc", b"xyz"), 3);
    }

    #[test]
    fn swapped_letters_are_likelier_than_wrong_ones() {
        assert_eq!(nearest("TXE", ["txl", "Tex", "txb"]), Some("Tex"));
        assert_eq!(nearest("txo", ["txl", "tex", "txb"]), Some("txl"));
    }

    #[test]
    fn only_slips_are_put_right() {
        let names = ["mov", "mul", "setpgt", "mad"];
        assert_eq!(nearest("mvo", names), Some("mov"));
        assert_eq!(nearest("MUK", names), Some("mul"));
        assert_eq!(nearest("setgt", names), Some("setpgt"));
        assert_eq!(nearest("texture", names), None);
        assert_eq!(nearest(&"m".repeat(1 << 20), names), None);
    }
}
