//! [`Triangles`]: many triangles, set up and sorted.

use super::{Area, Bins, Footprint, PlaneLayout, Primitives};

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
        set_up: impl Fn(&PlaneLayout, &[[u32; 3]], &mut Primitives) + Sync,
    ) {
        self.primitives.clear();
        let layout = &self.layout;
        let set_up = |first: usize, indices: &[[u32; 3]], primitives: &mut Primitives| {
            primitives.number = first as u32;
            set_up(layout, indices, primitives);
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
        self.bins.sort(&self.primitives.footprints, area, height);
    }

    /// The footprints that reach into a band, in the order of the triangles.
    pub(crate) fn band(&self, band: usize) -> impl Iterator<Item = &Footprint> {
        let footprints = &self.primitives.footprints;
        let band = self.bins.band(band).iter();
        band.map(|&index| &footprints[index as usize])
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use attila_isa::PRIMITIVE_ID;
    use attila_machine::pipeline::{InputKind, Pipeline};

    use super::super::{Vertex, tests::rules};
    use super::*;

    /// A vertex at a place.
    struct At([f32; 2]);

    impl Vertex for At {
        fn position(&self) -> [f32; 4] {
            let [x, y] = self.0;
            [x, y, 0.25, 1.0]
        }

        fn attribute(&self, _: usize) -> [f32; 4] {
            [0.0; 4]
        }
    }

    #[test]
    fn several_threads_set_up_what_one_does_in_the_same_order() {
        let mut pipeline = Pipeline::default();
        pipeline.inputs[0][2] = InputKind::Linear;
        pipeline.inputs[PRIMITIVE_ID][0] = InputKind::Flat;
        let rules = rules(64, 64);
        let indices: Vec<[u32; 3]> = (0..2 * PART as u32 + 3).map(|n| [n; 3]).collect();
        let set_up = |threads: usize| {
            let mut triangles = Triangles::default();
            triangles.layout.set(&pipeline, [0.0; 2], true, |_, _| None);
            // Earlier content does not matter.
            for indices in [&indices[..7], &indices] {
                let corners = |[n, ..]: [u32; 3]| {
                    let (x, y) = ((n % 61) as f32, (n % 53) as f32);
                    // Every third is so thin that each pair of rows has planes of its own, and every fifth
                    // covers nothing.
                    let width = if n % 3 == 0 { 0.01 } else { 3.0 };
                    let width = if n % 5 == 0 { 0.0 } else { width };
                    [At([x, y]), At([x + width, y]), At([x + 4.0, y + 9.0])]
                };
                triangles.set_up(indices, threads, |layout, indices, primitives| {
                    let single = |triangle, primitives: &mut Primitives| {
                        primitives.push(&rules, layout, corners(triangle).each_ref());
                    };
                    let all = (corners, |_: &[At; 3]| true);
                    primitives.push_all(&rules, layout, indices, all, single);
                });
            }
            triangles.primitives
        };
        let one = set_up(1);
        let several = set_up(3);
        assert!(one.footprints.len() > PART && one.anchors.len() > one.footprints.len());
        assert_eq!(one.footprints, several.footprints);
        assert_eq!(one.anchors, several.anchors);
        assert_eq!(one.planes, several.planes);
        let numbers = one.planes.chunks(2).map(|planes| planes[1].at.to_bits());
        assert_eq!(numbers.max(), Some(2 * PART as u32 + 2));
    }
}
