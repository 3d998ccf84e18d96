//! [`Vertices`]: triangles' corners that are already where they belong in the window.

use std::ops::RangeInclusive;

use attila_isa::{INPUTS, Inputs, Stage};
use attila_machine::RunError;
use thiserror::Error;

use super::raster::{Corners, PlaneLayout, Primitives, Rules, Vertex};
use crate::geometry::GeometryError;
use crate::processor::vectorised;

/// Vertices that are already where they belong in the window.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    positions: &'a [[f32; 4]],
    attributes: Inputs<Option<&'a [[f32; 4]]>>,
    /// The first register of an attribute that is not the register of an input.
    beyond: Option<usize>,
}

impl<'a> Vertices<'a> {
    /// Vertices at these positions: x and y in pixels from the upper left corner of the targets,
    /// z from 0 to 1, and 1/w.
    ///
    /// 1/w is 1 for everything that is flat on the screen; else the reciprocal of the distance from
    /// the eye, in any unit.
    pub const fn new(positions: &'a [[f32; 4]]) -> Vertices<'a> {
        Vertices {
            positions,
            attributes: Inputs::all(None),
            beyond: None,
        }
    }

    /// With the attribute that becomes input `register`, one for each vertex.
    #[must_use]
    pub const fn with(mut self, register: usize, attribute: &'a [[f32; 4]]) -> Self {
        if !self.attributes.set(register, Some(attribute)) && self.beyond.is_none() {
            self.beyond = Some(register);
        }
        self
    }

    /// Whether input `register` comes from these vertices.
    pub(crate) fn gives(&self, register: usize) -> bool {
        self.attributes[register].is_some()
    }

    /// Checks that every attribute becomes an input, that there is as much of each as there are
    /// vertices, and that there are as many vertices as triangles need.
    pub(super) fn check(&self, triangles: &[[u32; 3]]) -> Result<(), VertexError> {
        if let Some(register) = self.beyond {
            return Err(VertexError::AttributeIndex(register));
        }
        let vertices = self.positions.len();
        for (register, attribute) in self.attributes.iter().enumerate() {
            let values = attribute.map_or(vertices, <[_]>::len);
            if values < vertices {
                return Err(VertexError::AttributeTooShort {
                    register,
                    values,
                    vertices,
                });
            }
        }
        Indices::new(triangles.as_flattened(), 3).check(vertices)
    }
}

/// The indices of primitives.
pub(super) struct Indices<'a> {
    indices: &'a [u32],
    corners: usize,
    /// They hardly ever fail; to find their ends takes less than to look for the one that does.
    pub(super) ends: Ends,
}

/// The least and the greatest index, if there is any.
pub(super) type Ends = Option<RangeInclusive<u32>>;

impl Indices<'_> {
    /// Those of primitives with `corners` vertices each.
    pub(super) fn new(indices: &[u32], corners: usize) -> Indices<'_> {
        Indices {
            indices,
            corners,
            ends: vectorised(|| {
                let ends =
                    |(least, most): (u32, u32), &index: &u32| (least.min(index), most.max(index));
                let (least, most) = indices.iter().fold((u32::MAX, 0), ends);
                (!indices.is_empty()).then_some(least..=most)
            }),
        }
    }

    /// Checks that every vertex is there, of so many.
    pub(super) fn check(&self, vertices: usize) -> Result<(), VertexError> {
        let fails = |index: &u32| *index as usize >= vertices;
        if !self.ends.as_ref().is_some_and(|ends| fails(ends.end())) {
            return Ok(());
        }
        let place = self.indices.iter().position(fails).unwrap_or_default();
        Err(VertexError::Index {
            primitive: place / self.corners,
            index: self.indices[place],
            vertices,
        })
    }
}

/// The possible mistakes in vertices.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VertexError {
    /// A primitive with a vertex that is not there.
    #[error("primitive {primitive} uses vertex {index}; the mesh has {vertices}")]
    Index {
        /// Index of the triangle, or of the primitive of a geometry program.
        primitive: usize,
        /// Index of the vertex.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// The program of the mesh writes storage buffers. A mesh shades its vertices in no certain order,
    /// some of them twice.
    #[error("the program writes storage buffers, which only runs do")]
    StorageWrites,
    /// There are fewer inputs for attributes.
    #[error("attribute i{0} does not exist; the last is i{last}", last = INPUTS - 1)]
    AttributeIndex(usize),
    /// An attribute that not all vertices have.
    #[error("attribute i{register} has {values} values for {vertices} vertices")]
    AttributeTooShort {
        /// The input that it becomes.
        register: usize,
        /// Values of the attribute.
        values: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// An input that has to come from the vertices, and does not.
    #[error("input i{0} is a vertex attribute that the vertices do not have")]
    MissingAttribute(usize),
    /// The program of a mesh is not for vertices.
    #[error("the vertex program is a {0} program")]
    Stage(Stage),
    /// The vertex program does not write `o0`.
    #[error("the vertex program does not write the position, o0")]
    NoPosition,
    /// The vertex program reads an attribute that has no buffer.
    #[error("the vertex program reads i{0}, which has no buffer")]
    NoBuffer(usize),
    /// A vertex took more backward jumps than it may.
    #[error(
        "the jump at instruction {pc} took more than {budget} backward jumps \
         in one of the vertices {}, {}, {}, {}",
        vertices[0], vertices[1], vertices[2], vertices[3]
    )]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// The budget.
        budget: u32,
        /// The indices of the vertices that are shaded together.
        vertices: [u32; 4],
    },
    /// The geometry program stopped, or is none.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The vertex program stopped for a reason that has nothing to do with a vertex.
    #[error("the vertex program stopped")]
    Run(#[source] RunError),
}

/// Vertices on their way to the rasteriser.
pub(super) struct Placed<'p, 'a> {
    pub(super) vertices: &'p Vertices<'a>,
    pub(super) rules: &'p Rules,
    pub(super) layout: &'p PlaneLayout,
}

impl Corners for Placed<'_, '_> {
    type Vertex<'v>
        = Indexed<'v>
    where
        Self: 'v;

    #[inline(always)]
    fn place(&self, index: u32) -> u32 {
        index
    }

    #[inline(always)]
    fn vertex(&self, place: u32) -> Indexed<'_> {
        Indexed {
            vertices: self.vertices,
            index: place as usize,
        }
    }

    #[inline(always)]
    fn windows(&self) -> &[[f32; 4]] {
        self.vertices.positions
    }

    #[inline(always)]
    fn attribute(&self, register: usize) -> Option<&[[f32; 4]]> {
        self.vertices.attributes[register]
    }

    #[inline(always)]
    fn is_whole(&self, _places: [u32; 3]) -> bool {
        true
    }

    fn push(&self, triangle: [u32; 3], primitives: &mut Primitives) {
        let corners = triangle.map(|index| self.vertex(index));
        primitives.push(self.rules, self.layout, corners.each_ref());
    }
}

/// A vertex, by its index.
pub(super) struct Indexed<'v> {
    vertices: &'v Vertices<'v>,
    index: usize,
}

impl Vertex for Indexed<'_> {
    fn position(&self) -> [f32; 4] {
        self.vertices.positions[self.index]
    }

    fn attribute(&self, register: usize) -> [f32; 4] {
        match self.vertices.attributes[register] {
            Some(attribute) => attribute[self.index],
            None => [0.0; 4],
        }
    }
}
