//! [`Triangles`]: many triangles, set up and sorted.

use super::{Area, Bins, Outline, PlaneLayout, Primitives};

/// The memory of a prepared draw for triangles.
#[derive(Default)]
pub(crate) struct Triangles {
    pub(crate) layout: PlaneLayout,
    pub(crate) primitives: Primitives,
    /// The primitives that several threads set up, each a part.
    #[cfg(feature = "threads")]
    parts: Vec<Primitives>,
    bins: Bins,
}

/// The triangles that are worth a thread.
#[cfg(feature = "threads")]
const PART: usize = 4096;

impl Triangles {
    /// Sets up triangles, on several threads if there are many; their order stays.
    pub(crate) fn set_up(
        &mut self,
        indices: &[[u32; 3]],
        threads: usize,
        set_up: impl Fn(&PlaneLayout, [u32; 3], &mut Primitives) + Sync,
    ) {
        self.primitives.clear();
        let layout = &self.layout;
        let set_up = |first: usize, indices: &[[u32; 3]], primitives: &mut Primitives| {
            for (number, triangle) in (first as u32..).zip(indices) {
                primitives.number = number;
                set_up(layout, *triangle, primitives);
            }
        };
        #[cfg(feature = "threads")]
        if threads > 1 && indices.len() > PART {
            use rayon::prelude::*;
            let parts = indices.len().div_ceil(PART);
            self.parts
                .resize_with(parts.max(self.parts.len()), Primitives::default);
            let parts = &mut self.parts[..parts];
            parts
                .par_iter_mut()
                .zip(indices.par_chunks(PART))
                .enumerate()
                .for_each(|(place, (part, indices))| {
                    part.clear();
                    set_up(place * PART, indices, part);
                });
            for part in parts {
                self.primitives.append(part);
            }
            return;
        }
        #[cfg(not(feature = "threads"))]
        let _ = threads;
        set_up(0, indices, &mut self.primitives);
    }

    /// Sorts them into bands of `height` rows each.
    ///
    /// # Panics
    ///
    /// If `height` is 0.
    pub(crate) fn sort(&mut self, area: &Area, height: u32) {
        self.bins.sort(&self.primitives.outlines, area, height);
    }

    /// The outlines that reach into a band, in the order of the triangles.
    pub(crate) fn band(&self, band: usize) -> impl Iterator<Item = &Outline> {
        let outlines = &self.primitives.outlines;
        let band = self.bins.band(band).iter();
        band.map(|&index| &outlines[index as usize])
    }
}
