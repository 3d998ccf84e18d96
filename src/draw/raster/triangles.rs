//! [`Vertices`], and drawing triangles between them.

use std::ops::Range;

use attila_machine::RunError;
use attila_machine::pipeline::SpanError;
use thiserror::Error;

use super::{Area, Bins, Layout, Primitives, Rules, Vertex};
use crate::draw::bands::{BAND_ROWS, Shape};
use crate::draw::rectangle::Rectangle;
use crate::draw::sink::{self, Coverage, Sink};
use crate::draw::{DrawError, Frame};

/// Vertices that are already where they belong in the window.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    positions: &'a [[f32; 4]],
    attributes: [Option<&'a [[f32; 4]]>; 16],
    /// The first register of an attribute that there is no input for.
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
            attributes: [None; 16],
            beyond: None,
        }
    }

    /// With the attribute that becomes input `register`, one for each vertex.
    #[must_use]
    pub const fn with(mut self, register: usize, attribute: &'a [[f32; 4]]) -> Self {
        if register < self.attributes.len() {
            self.attributes[register] = Some(attribute);
        } else if self.beyond.is_none() {
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
    fn check(&self, triangles: &[[u32; 3]]) -> Result<(), VertexError> {
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
        check_indices(triangles, vertices)
    }
}

/// That every vertex is there.
pub(crate) fn check_indices(triangles: &[[u32; 3]], vertices: usize) -> Result<(), VertexError> {
    let indices = triangles.as_flattened();
    // Indices hardly ever fail; their maximum takes less than looking for the one that does.
    match indices.iter().max() {
        Some(&most) if most as usize >= vertices => {}
        _ => return Ok(()),
    }
    let fails = |index: &u32| *index as usize >= vertices;
    let place = indices.iter().position(fails).unwrap_or_default();
    Err(VertexError::Index {
        triangle: place / 3,
        index: indices[place],
        vertices,
    })
}

/// What can be wrong with vertices.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VertexError {
    /// A triangle with a vertex that is not there.
    #[error("triangle {triangle} uses vertex {index}; the mesh has {vertices}")]
    Index {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// There are 16 inputs for attributes.
    #[error("attribute i{0} does not exist; the last is i15")]
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
    /// The program of a mesh is none for vertices.
    #[error("the vertex program is a fragment program")]
    FragmentProgram,
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
    /// The vertex program stopped for a reason that has nothing to do with a vertex.
    #[error("the vertex program stopped: {0}")]
    Run(#[source] RunError),
}

/// A vertex, by its index.
struct Indexed<'v, 'a> {
    vertices: &'v Vertices<'a>,
    index: usize,
}

impl Vertex for Indexed<'_, '_> {
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

/// The memory of a prepared draw for triangles.
#[derive(Default)]
pub(crate) struct Triangles {
    pub(crate) layout: Layout,
    pub(crate) primitives: Primitives,
    /// What several threads set up, each a part.
    #[cfg(feature = "threads")]
    parts: Vec<Primitives>,
    bins: Bins,
}

/// The triangles that are worth a thread.
#[cfg(feature = "threads")]
const PART: usize = 4096;

impl Triangles {
    /// Sets up triangles, on several threads if there are many; their order stays.
    fn set_up(
        &mut self,
        indices: &[[u32; 3]],
        threads: usize,
        set_up: impl Fn(&Layout, &[[u32; 3]], &mut Primitives) + Sync,
    ) {
        self.primitives.clear();
        #[cfg(feature = "threads")]
        if threads > 1 && indices.len() > PART {
            use rayon::prelude::*;
            let parts = indices.len().div_ceil(PART);
            self.parts
                .resize_with(parts.max(self.parts.len()), Primitives::default);
            let (layout, parts) = (&self.layout, &mut self.parts[..parts]);
            parts
                .par_iter_mut()
                .zip(indices.par_chunks(PART))
                .for_each(|(part, indices)| {
                    part.clear();
                    set_up(layout, indices, part);
                });
            for part in parts {
                self.primitives.append(part);
            }
            return;
        }
        #[cfg(not(feature = "threads"))]
        let _ = threads;
        set_up(&self.layout, indices, &mut self.primitives);
    }
}

/// Triangles that have been set up and sorted.
struct Sorted<'a> {
    triangles: &'a Triangles,
    area: &'a Area,
}

impl Shape for Sorted<'_> {
    fn cover(&self, rows: Range<u32>, sink: &mut Sink<'_, '_>) -> Result<(), SpanError> {
        let [start, end] = [rows.start, rows.end].map(u32::cast_signed);
        let area = Area {
            columns: self.area.columns.clone(),
            rows: start.max(self.area.rows.start)..end.min(self.area.rows.end),
        };
        let mut spans = sink.take_staging();
        let outlines = &self.triangles.primitives.outlines;
        for &index in self.triangles.bins.band((rows.start / BAND_ROWS) as usize) {
            spans.clear();
            outlines[index as usize].spans(&area, &mut spans);
            for span in &spans.spans {
                let masks = &spans.coverage[span.first as usize..][..span.quads as usize];
                sink.push(*span, Coverage::Masks(masks))?;
            }
        }
        sink.keep_staging(spans);
        Ok(())
    }
}

impl Area {
    /// The pixels of a rectangle.
    fn of(rectangle: &Rectangle) -> Area {
        let signed = |range: &Range<u32>| range.start.cast_signed()..range.end.cast_signed();
        Area {
            columns: signed(&rectangle.columns),
            rows: signed(&rectangle.rows),
        }
    }
}

impl Frame<'_, '_, '_> {
    /// Draws triangles, each given by the indices of its vertices, one after another.
    ///
    /// # Errors
    ///
    /// Something is wrong with the frame, and nothing was drawn; or [`DrawError::Span`].
    pub fn triangles(
        &mut self,
        vertices: &Vertices<'_>,
        triangles: &[[u32; 3]],
    ) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_arrays()?;
        self.check_attributes(|register| vertices.gives(register))?;
        vertices.check(triangles)?;
        self.set_up_and_shade(triangles, |rules, layout, triangles, primitives| {
            for triangle in triangles {
                let vertex = |index: u32| Indexed {
                    vertices,
                    index: index as usize,
                };
                let corners = triangle.map(vertex);
                primitives.push(rules, layout, corners.each_ref());
            }
        })
    }

    /// That the vertices give what is to come from them.
    pub(crate) fn check_attributes(
        &self,
        gives: impl Fn(usize) -> bool,
    ) -> Result<(), VertexError> {
        let used = |register: &usize| self.prepared.uses_vertices(*register);
        match (0..16).filter(used).find(|register| !gives(*register)) {
            Some(register) => Err(VertexError::MissingAttribute(register)),
            None => Ok(()),
        }
    }

    /// Shades triangles, which `set_up` pushes.
    pub(crate) fn set_up_and_shade(
        &mut self,
        indices: &[[u32; 3]],
        set_up: impl Fn(&Rules, &Layout, &[[u32; 3]], &mut Primitives) + Sync,
    ) -> Result<(), DrawError> {
        self.prepared.compile_for_triangles(self.bindings)?;
        let area = self.area();
        let rules = Rules {
            area: Area::of(&area),
            cull: self.prepared.cull,
            front: self.prepared.front,
        };
        let mut triangles = std::mem::take(&mut self.prepared.triangles);
        let prepared = &*self.prepared;
        let given = |register: usize, component: usize| {
            let plane = prepared.values[register][component];
            (!prepared.from_vertices[register]).then_some(plane)
        };
        let pipeline = prepared.triangle_pipeline();
        triangles.layout.set(&pipeline, prepared.anchor, given);
        let threads = prepared.scratch.len();
        triangles.set_up(indices, threads, |layout, indices, primitives| {
            set_up(&rules, layout, indices, primitives);
        });
        let outlines = &triangles.primitives.outlines;
        triangles.bins.sort(outlines, &rules.area, BAND_ROWS);
        let primitives = sink::Primitives {
            anchors: &triangles.primitives.anchors,
            planes: &triangles.primitives.planes,
            ..sink::Primitives::default()
        };
        let shape = Sorted {
            triangles: &triangles,
            area: &rules.area,
        };
        let result = self.shade_triangles(&shape, area.rows, primitives);
        self.prepared.triangles = triangles;
        result
    }
}
