//! [`Distances`]: attributes that say how far inside of planes of the user's vertices are.

use attila_isa::{Component, Slots};

use super::Vertex;
use super::polygon::Polygon;

/// The most distances by which triangles are cut, and by which they are left out.
pub(crate) const MAX_DISTANCES: usize = 8;

/// Components of attributes.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Places([Option<(usize, Component)>; MAX_DISTANCES]);

impl Places {
    /// Adds components of an attribute; false if there are too many.
    pub(crate) fn add(&mut self, register: usize, slots: Slots) -> bool {
        slots.components().all(|component| {
            let free = self.0.iter_mut().find(|place| place.is_none());
            free.map(|place| *place = Some((register, component)))
                .is_some()
        })
    }

    /// Attribute and component of each, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, Component)> + '_ {
        self.0.iter().map_while(|place| *place)
    }
}

/// The distances of vertices from planes. Outside is where one is below 0, or NaN.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Distances {
    /// Triangles are cut where one of these changes its sign.
    pub(crate) clip: Places,
    /// Triangles are left out if one of these is outside at all vertices.
    pub(crate) cull: Places,
}

/// The part of a triangle that its distances leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    All,
    Part,
    Nothing,
}

impl Distances {
    /// The attributes that they are in.
    pub(crate) fn registers(&self) -> impl Iterator<Item = usize> + '_ {
        let places = self.clip.iter().chain(self.cull.iter());
        places.map(|(register, _)| register)
    }

    /// Whether a triangle with these vertices is partly inside.
    pub(crate) fn divide(&self, vertices: [&impl Vertex; 3]) -> bool {
        self.extent(vertices) == Extent::Part
    }

    /// The part of a triangle with these vertices that is inside.
    pub(super) fn extent(&self, vertices: [&impl Vertex; 3]) -> Extent {
        let outside = |place| at(place, vertices).iter().filter(|it| **it < 0.0).count();
        if self.cull.iter().any(|place| outside(place) == 3) {
            return Extent::Nothing;
        }
        let clips = self.clip.iter().map(outside);
        clips.fold(Extent::All, |extent, outside| match (extent, outside) {
            (Extent::Nothing, _) | (_, 3) => Extent::Nothing,
            (Extent::All, 0) => Extent::All,
            (Extent::All | Extent::Part, _) => Extent::Part,
        })
    }

    /// The part of a polygon that is inside, where it is made of a triangle with these vertices.
    pub(super) fn cut(&self, polygon: Polygon, vertices: [&impl Vertex; 3]) -> Polygon {
        self.clip.iter().fold(polygon, |polygon, place| {
            let distances = at(place, vertices);
            if distances.iter().all(|distance| *distance >= 0.0) {
                return polygon;
            }
            polygon.cut_by(|corner| {
                let weighted = corner.weights.iter().zip(distances);
                weighted.map(|(weight, distance)| weight * distance).sum()
            })
        })
    }
}

/// A distance at the vertices: infinity is the largest number, and NaN the least.
fn at((register, component): (usize, Component), vertices: [&impl Vertex; 3]) -> [f64; 3] {
    vertices.map(|vertex| {
        let distance = vertex.attribute(register)[component.index()];
        f64::from(match distance.is_nan() {
            true => f32::MIN,
            false => distance.clamp(f32::MIN, f32::MAX),
        })
    })
}
