//! [`Places`]: the vertices that triangles use, each once.

use std::collections::HashMap;

/// The vertices of triangles, in the order of their first use.
#[derive(Default)]
pub(super) struct Places {
    /// The index of each vertex.
    order: Vec<u32>,
    /// For each index its place in the order, or [`UNUSED`].
    dense: Vec<u32>,
    /// The same where indices are spread out: a list would take as much memory as the largest asks
    /// for.
    sparse: HashMap<u32, u32>,
}

const UNUSED: u32 = u32::MAX;

/// A list may have this many entries per index that is used, and [`SMALL`] in any case.
const ROOM: usize = 8;

/// A list as long as this costs next to nothing.
const SMALL: usize = 1 << 12;

impl Places {
    /// Finds the vertices that these indices name.
    pub(super) fn collect(&mut self, indices: &[u32]) {
        self.order.clear();
        self.dense.clear();
        self.sparse.clear();
        let Some(&most) = indices.iter().max() else {
            return;
        };
        let length = most as usize + 1;
        if length <= SMALL.max(indices.len().saturating_mul(ROOM)) {
            self.dense.resize(length, UNUSED);
        }
        for &index in indices {
            let next = self.order.len() as u32;
            let place = match self.dense.get_mut(index as usize) {
                Some(place) => place,
                None => self.sparse.entry(index).or_insert(UNUSED),
            };
            if *place == UNUSED {
                *place = next;
                self.order.push(index);
            }
        }
    }

    /// The index of each vertex.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a vertex that the triangles use.
    pub(super) fn of(&self, index: u32) -> usize {
        let place = match self.dense.get(index as usize) {
            Some(place) => place,
            None => &self.sparse[&index],
        };
        *place as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_in_the_order_of_their_first_use_however_far_apart_they_are() {
        let most = u32::MAX;
        for (triangles, order) in [
            (&[][..], &[][..]),
            (&[[3, 1, 3], [1, 0, 5]], &[3, 1, 0, 5]),
            (
                &[[most, 0, 7], [7, most - 1, most]],
                &[most, 0, 7, most - 1],
            ),
            (&[[1 << 20, 1, 1], [1, 1, 1 << 20]], &[1 << 20, 1]),
        ] {
            let mut places = Places::default();
            // Earlier content does not matter.
            for _ in 0..2 {
                places.collect(&[9, 8, most, 8, 1, 0]);
                places.collect(triangles.as_flattened());
                assert_eq!(places.order(), order);
                for (place, &index) in order.iter().enumerate() {
                    assert_eq!(places.of(index), place);
                }
                assert!(places.dense.len() <= SMALL);
            }
        }
    }
}
