//! [`Lines`]: places as editors count them.

/// A line and a distance from its beginning, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Position {
    /// The line. `\n`, `\r\n` and `\r` end lines.
    pub line: usize,
    /// The UTF-16 units before the place in its line.
    pub unit: usize,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of `text`.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        let starts = ends.map(|(at, _)| at + 1);
        Lines(std::iter::once(0).chain(starts).collect())
    }

    /// The position of byte `at` of `text`, of which these are the lines. Bytes within a character count as its first,
    /// those past the end as the end.
    pub fn position(&self, text: &str, at: usize) -> Position {
        let at = text.floor_char_boundary(at);
        let line = self.0.partition_point(|&start| start <= at) - 1;
        let units = text[self.0[line]..at].encode_utf16().count();
        Position { line, unit: units }
    }

    /// The byte of `text` at a position: the end of the line if that is shorter, and of the text if it has fewer lines.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.0.get(position.line) else {
            return text.len();
        };
        let next = self.0.get(position.line + 1).copied();
        let line = &text[start..next.unwrap_or(text.len())];
        let line = line.trim_end_matches(['\n', '\r']);
        let mut units = 0;
        let after = line.char_indices().find(|(_, character)| {
            units += character.len_utf16();
            units > position.unit
        });
        start + after.map_or(line.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_beyond_the_first_plane_are_two_units() {
        let text = "a\u{10000}b\r\nä\rx";
        let lines = Lines::new(text);
        for (at, line, unit) in [
            (0, 0, 0),
            (1, 0, 1),
            (5, 0, 3),
            (6, 0, 4),
            (8, 1, 0),
            (11, 2, 0),
            (12, 2, 1),
        ] {
            let position = Position { line, unit };
            assert_eq!(lines.position(text, at), position);
            assert_eq!(lines.offset(text, position), at);
        }
    }

    #[test]
    fn positions_outside_of_lines_are_at_their_ends() {
        let text = "ab\ncd";
        let lines = Lines::new(text);
        let offset = |line, unit| lines.offset(text, Position { line, unit });
        assert_eq!([offset(0, 9), offset(1, 9), offset(7, 0)], [2, 5, 5]);
        assert_eq!(lines.position(text, 99), Position { line: 1, unit: 2 });
    }
}
