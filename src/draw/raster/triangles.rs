//! [`Triangles`]: many triangles, set up and sorted into bands.

use super::{Area, Primitives};

/// The memory of a prepared draw for triangles.
#[derive(Default)]
pub(crate) struct Triangles {
    parts: Vec<Primitives>,
    /// The parts that have triangles.
    used: usize,
}

/// The triangles that are worth a thread.
const PART: usize = 4096;

impl Triangles {
    /// Sets up triangles, which are numbered from `first` on, for bands of `height` rows each, a power of two. Several
    /// threads take parts of them.
    pub(crate) fn set_up(
        &mut self,
        (first, indices): (usize, &[[u32; 3]]),
        threads: usize,
        (area, height): (&Area, u32),
        set_up: impl Fn(&[[u32; 3]], &mut Primitives) + Sync,
    ) {
        let size = if threads > 1 { PART } else { indices.len() };
        let parts = indices.chunks(size.max(1));
        self.used = parts.len();
        if self.used > self.parts.len() {
            self.parts.resize_with(self.used, Primitives::default);
        }
        let set_up = |(place, (part, indices)): (usize, (&mut Primitives, &[[u32; 3]]))| {
            part.clear(area, height);
            part.number = (first + place * size) as u32;
            set_up(indices, part);
        };
        #[cfg(feature = "threads")]
        if self.used > 1 {
            use rayon::prelude::*;
            let parts = indices.par_chunks(size);
            let work = self.parts.par_iter_mut().zip(parts).enumerate();
            work.for_each(set_up);
            return;
        }
        self.parts
            .iter_mut()
            .zip(parts)
            .enumerate()
            .for_each(set_up);
    }

    /// The parts of the triangles in their order.
    pub(crate) fn parts(&self) -> &[Primitives] {
        &self.parts[..self.used]
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use attila_isa::PRIMITIVE_ID;
    use attila_machine::pipeline::{InputKind, Pipeline, Plane};

    use super::super::{PlaneLayout, Vertex, tests::rules};
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
            let mut layout = PlaneLayout::default();
            layout.set(&pipeline, [0.0; 2], true, |_, _| None);
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
                let bands = (&rules.drawn, 16);
                triangles.set_up((0, indices), threads, bands, |indices, primitives| {
                    for &triangle in indices {
                        primitives.push(&rules, &layout, corners(triangle).each_ref());
                        primitives.number += 1;
                    }
                });
            }
            triangles
        };
        let (one, several) = (set_up(1), set_up(3));
        assert_eq!((one.parts().len(), several.parts().len()), (1, 3));
        let anchors = |triangles: &Triangles| -> Vec<[f32; 2]> {
            let parts = triangles.parts().iter();
            parts.flat_map(|part| part.anchors.clone()).collect()
        };
        let planes = |triangles: &Triangles| -> Vec<Plane> {
            let parts = triangles.parts().iter();
            parts.flat_map(|part| part.planes.clone()).collect()
        };
        assert!(anchors(&one).len() > PART && anchors(&one) == anchors(&several));
        assert!(planes(&one) == planes(&several));
        let numbers = several
            .parts()
            .iter()
            .flat_map(|part| part.planes.chunks(2));
        let numbers = numbers.map(|planes| planes[1].at.to_bits());
        assert_eq!(numbers.max(), Some(2 * PART as u32 + 2));
    }
}
