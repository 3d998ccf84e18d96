//! [`Places`]: the vertices that triangles use, each once.

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use crate::draw::vertices::Ends;

/// The vertices of triangles: those of a range, or in the order of their first use.
#[derive(Default)]
pub(super) struct Places {
    /// All vertices between two that are used.
    range: Option<Range<u32>>,
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

/// The indices of vertices.
#[derive(Clone)]
pub(super) enum Order<'a> {
    /// One after the other, below 2^32 - 1.
    Range(Range<u32>),
    Listed(&'a [u32]),
}

impl Order<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Order::Range(range) => range.len(),
            Order::Listed(order) => order.len(),
        }
    }

    /// The index of the vertex at a place.
    pub(super) fn index(&self, place: usize) -> u32 {
        match self {
            Order::Range(range) => range.start + place as u32,
            Order::Listed(order) => order[place],
        }
    }
}

impl Places {
    /// Takes all vertices between the ends of so many indices, if there is an index for each; some may not be named. To find
    /// out which are would take as long as to shade them.
    pub(super) fn span(&mut self, ends: &Ends, count: usize) -> bool {
        let near = |ends: &RangeInclusive<u32>| {
            let (least, most) = (*ends.start(), *ends.end());
            (most - least < count as u32 && most < u32::MAX).then(|| least..most + 1)
        };
        self.range = ends.as_ref().and_then(near);
        self.range.is_some()
    }

    /// Finds the vertices that these indices name.
    pub(super) fn collect(&mut self, indices: &[u32]) {
        self.range = None;
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
    pub(super) fn order(&self) -> Order<'_> {
        match &self.range {
            Some(range) => Order::Range(range.clone()),
            None => Order::Listed(&self.order),
        }
    }

    /// The place of a vertex that the triangles use.
    #[inline(always)]
    pub(super) fn of(&self, index: u32) -> usize {
        match &self.range {
            Some(range) => (index - range.start) as usize,
            None => self.found(index),
        }
    }

    fn found(&self, index: u32) -> usize {
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
    use crate::draw::vertices::Indices;

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
                assert_eq!(places.order().len(), order.len());
                for (place, &index) in order.iter().enumerate() {
                    assert_eq!(places.order().index(place), index);
                    assert_eq!(places.of(index), place);
                }
                assert!(places.dense.len() <= SMALL);
            }
        }
    }
    #[test]
    fn vertices_are_a_range_if_an_index_is_there_for_each() {
        let most = u32::MAX;
        for (indices, range) in [
            (&[][..], None),
            (&[7, 9, 8], Some(7..10)),
            (&[5, 6, 5, 8], Some(5..9)),
            (&[5, 6, 5, 9], None),
            (&[0, most, 1], None),
            (&[most - 1, most - 2, most - 2], Some(most - 2..most)),
        ] {
            let mut places = Places::default();
            let ends = Indices::new(indices, 1).ends;
            let is_span = places.span(&ends, indices.len());
            assert_eq!(is_span, range.is_some(), "{indices:?}");
            for (place, index) in range.into_iter().flatten().enumerate() {
                assert_eq!(places.order().index(place), index);
                assert_eq!(places.of(index), place);
            }
        }
    }
}
