//! [`Bins`]: which footprints each band of rows has to look at.

use super::{Area, Footprint};

/// The footprints that reach into each band, in their order.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bins {
    /// For each band where its footprints begin, and where those of the last one end.
    starts: Vec<usize>,
    footprints: Vec<u32>,
}

impl Bins {
    /// Sorts footprints into bands of `height` rows each, by their rows in `area`.
    ///
    /// # Panics
    ///
    /// If `height` is 0.
    pub(crate) fn sort(&mut self, footprints: &[Footprint], area: &Area, height: u32) {
        let band = |row: i32| (row.cast_unsigned() / height) as usize;
        let bands = |footprint: &Footprint| {
            let rows = footprint.rows(area);
            band(rows.start)..band(rows.end - 1) + 1
        };
        let end = area.rows.end.cast_unsigned();
        self.starts.clear();
        self.starts.resize(end.div_ceil(height) as usize + 2, 0);
        // Counted two places further on, the sums are where each band begins one place further on,
        // and where it ends once its footprints are filled in.
        for band in footprints.iter().flat_map(bands) {
            self.starts[band + 2] += 1;
        }
        for index in 2..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        self.footprints.clear();
        self.footprints
            .resize(self.starts[self.starts.len() - 1], 0);
        for (index, footprint) in footprints.iter().enumerate() {
            for band in bands(footprint) {
                let place = &mut self.starts[band + 1];
                self.footprints[*place] = index as u32;
                *place += 1;
            }
        }
    }

    /// The footprints that reach into a band.
    pub(crate) fn band(&self, band: usize) -> &[u32] {
        &self.footprints[self.starts[band]..self.starts[band + 1]]
    }
}
