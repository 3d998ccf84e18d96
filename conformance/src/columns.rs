//! [`Columns`]: cells in aligned columns, as all tables have them.

/// The blanks between any two columns.
const GAP: &str = "  ";

/// The side of a column at which its cells are aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

/// The columns of a table: each is as wide as its widest cell, and no narrower than was said.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Columns(Vec<(Side, usize)>);

impl Columns {
    /// Adds a column of at least `least` characters, whose cells are aligned at their beginnings.
    #[must_use]
    pub fn left(mut self, least: usize) -> Columns {
        self.0.push((Side::Left, least));
        self
    }

    /// Adds a column of at least `least` characters, whose cells are aligned at their ends.
    #[must_use]
    pub fn right(mut self, least: usize) -> Columns {
        self.0.push((Side::Right, least));
        self
    }

    /// Makes the columns as wide as the cells of a row, which has no more cells than there are columns.
    pub fn fit(&mut self, cells: &[impl AsRef<str>]) {
        for ((_, width), cell) in self.0.iter_mut().zip(cells) {
            *width = (*width).max(cell.as_ref().chars().count());
        }
    }

    /// A row without its line end. Rows may have fewer cells than there are columns.
    pub fn line(&self, cells: &[impl AsRef<str>]) -> String {
        let cells = self.0.iter().zip(cells);
        let padded = cells.map(|(&(side, width), cell)| match side {
            Side::Left => format!("{:<width$}", cell.as_ref()),
            Side::Right => format!("{:>width$}", cell.as_ref()),
        });
        let line = padded.collect::<Vec<_>>().join(GAP);
        line.trim_end().to_owned()
    }

    /// All rows of a table, each with its line end.
    pub fn table(mut self, rows: &[Vec<String>]) -> String {
        for row in rows {
            self.fit(row);
        }
        rows.iter().map(|row| self.line(row) + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stay_apart_and_aligned_whatever_is_in_them() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let columns = || Columns::default().left(4).right(5).left(0);
        assert_eq!(columns().table(&[row(["a", "1", "b"])]), "a         1  b\n");
        let rows = [row(["a", "1234567", "é"]), row(["longer", "", "b"])];
        assert_eq!(
            columns().table(&rows),
            "a       1234567  é\nlonger           b\n"
        );
    }

    #[test]
    fn rows_may_end_early() {
        let columns = Columns::default().left(3).left(3);
        assert_eq!(columns.line(&["a"]), "a");
        assert_eq!(columns.line(&["a", ""]), "a");
        assert_eq!(columns.line(&["abcd", "e"]), "abcd  e");
    }
}
