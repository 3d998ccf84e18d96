//! [`ShadedVertices`]: the vertices of a mesh after their program.

use attila_isa::Inputs;
use attila_machine::{AttributeSource, Bindings, LaneMask, Lanes};

use super::Mesh;
use super::clip;
use super::places::Places;
use super::shading::{Shaded, Stage};
use super::viewport::{CUT, NOWHERE, Transform};
use crate::draw::prepared::Taken;
use crate::draw::raster::{Corners, PlaneLayout, Primitives, Rules, TO_BACK, Vertex};
use crate::draw::vertices::{Ends, VertexError};
use crate::geometry::Stream;

/// The output that ATTILA's fixed stages clamp (machine.md 2.4).
const CLAMPED: usize = 1;

/// The vertices of a mesh, each shaded once.
#[derive(Default)]
pub(crate) struct ShadedVertices {
    places: Places,
    shaded: Shaded,
    /// The triangles that a geometry program has made.
    emitted: Vec<[u32; 3]>,
    /// Whether no vertex is outside of anything.
    none_outside: bool,
}

impl ShadedVertices {
    /// Shades the vertices of `mesh`, which has been checked, and has indices with these ends, on several threads if `threads` says
    /// so. `taken` are the outputs that become attributes.
    pub(crate) fn shade(
        &mut self,
        (mesh, ends): (&Mesh<'_>, Ends),
        taken: &Taken,
        transform: &Transform,
        threads: bool,
    ) -> Result<(), VertexError> {
        let clamped = match mesh.clamp_colour {
            true => [
                Some(CLAMPED),
                taken.with_backs[CLAMPED].then_some(CLAMPED + TO_BACK),
            ],
            false => [None; 2],
        };
        let own;
        let bindings = match mesh.bindings {
            Some(bindings) if !mesh.fetches() || bindings.attributes().is_some() => bindings,
            others => {
                own = others
                    .cloned()
                    .unwrap_or_default()
                    .with_attributes(mesh.buffers);
                &own
            }
        };
        let stage = Stage {
            mesh,
            ends,
            bindings,
            transform,
            clamped,
        };
        self.pass(&stage, taken, threads)?;
        let outside = self.shaded.outside.iter();
        self.none_outside = outside.fold(0, |all, outside| all | outside) == 0;
        Ok(())
    }

    /// Has them go through the programs.
    fn pass(&mut self, stage: &Stage<'_>, taken: &Taken, threads: bool) -> Result<(), VertexError> {
        let Some(geometry) = &stage.mesh.geometry else {
            return self.run(stage, &taken.registers, threads);
        };
        let fetched = geometry.fetched();
        let fetched = Inputs::from_fn(|register| fetched >> register & 1 != 0);
        self.run(stage, &fetched, threads)?;
        let emitted = geometry.run(&*self)?;
        self.replace(emitted.stream(0), &taken.registers, stage);
        Ok(())
    }

    /// Shades the vertices that the mesh names.
    fn run(
        &mut self,
        stage: &Stage<'_>,
        wanted: &Inputs<bool>,
        threads: bool,
    ) -> Result<(), VertexError> {
        let Self { places, shaded, .. } = self;
        let indices = stage.mesh.indices();
        if nobody_minds(stage.mesh, stage.bindings) && places.span(&stage.ends, indices.len()) {
            shaded.make_room(places.order().len(), |register| wanted[register]);
            // One that no triangle has may be the one that goes on for too long.
            if stage.run(&places.order(), shaded, threads).is_ok() {
                return Ok(());
            }
        }
        places.collect(indices);
        shaded.make_room(places.order().len(), |register| wanted[register]);
        stage.run(&places.order(), shaded, threads)
    }

    /// Takes the vertices of a geometry program instead.
    fn replace(&mut self, stream: &Stream, wanted: &Inputs<bool>, stage: &Stage<'_>) {
        let Self {
            places,
            shaded,
            emitted,
            none_outside: _,
        } = self;
        emitted.clear();
        emitted.extend(stream.triangles());
        places.collect(emitted.as_flattened());
        let order = places.order();
        shaded.make_room(order.len(), |register| wanted[register]);
        shaded.set(stage.transform, stage.clamped, |place, register| {
            let value = stream.output(order.index(place) as usize, register);
            value.map(f32::from_bits)
        });
    }

    /// The triangles between the vertices.
    pub(crate) fn triangles<'t>(&'t self, mesh: &Mesh<'t>) -> &'t [[u32; 3]] {
        match mesh.geometry {
            Some(_) => &self.emitted,
            None => mesh.triangles,
        }
    }

    /// Sets up triangles between them, as far as they are in the view volume.
    pub(crate) fn push_all(
        &self,
        triangles: &[[u32; 3]],
        transform: &Transform,
        (rules, layout): (&Rules, &PlaneLayout),
        primitives: &mut Primitives,
    ) {
        let cut = Cut {
            places: &self.places,
            none_outside: self.none_outside,
            shaded: &self.shaded,
            transform,
            rules,
            layout,
        };
        primitives.push_all(rules, layout, triangles, &cut);
    }
}

/// Vertices on their way to the rasteriser, which cuts triangles where they leave the view volume.
struct Cut<'a> {
    places: &'a Places,
    /// Whether no vertex is outside of anything.
    none_outside: bool,
    shaded: &'a Shaded,
    transform: &'a Transform,
    rules: &'a Rules,
    layout: &'a PlaneLayout,
}

impl Corners for Cut<'_> {
    type Vertex<'v>
        = Corner<'v>
    where
        Self: 'v;

    #[inline(always)]
    fn place(&self, index: u32) -> u32 {
        self.places.of(index) as u32
    }

    #[inline(always)]
    fn vertex(&self, place: u32) -> Corner<'_> {
        Corner {
            all: self.shaded,
            place: place as usize,
        }
    }

    #[inline(always)]
    fn windows(&self) -> &[[f32; 4]] {
        &self.shaded.windows
    }

    #[inline(always)]
    fn attribute(&self, register: usize) -> Option<&[[f32; 4]]> {
        self.shaded.outputs(register)
    }

    #[inline(always)]
    fn is_whole(&self, [a, b, c]: [u32; 3]) -> bool {
        let outside = |place: u32| self.shaded.outside[place as usize];
        self.none_outside || outside(a) | outside(b) | outside(c) == 0
    }

    /// Sets up a triangle, or what is left of it in the view volume.
    fn push(&self, triangle: [u32; 3], primitives: &mut Primitives) {
        let (rules, layout) = (self.rules, self.layout);
        let places = triangle.map(|index| self.places.of(index));
        let outside = places.map(|place| self.shaded.outside[place]);
        let [a, b, c] = outside;
        if a & b & c != 0 || outside.contains(&NOWHERE) {
            return;
        }
        let vertices = places.map(|place| self.vertex(place as u32));
        let cut = (a | b | c) & CUT;
        // Distances cut in clip space, too: there, an edge is cut in one place for all its triangles.
        let is_whole = cut == 0 && !rules.distances.divide(vertices.each_ref());
        if is_whole {
            primitives.push(rules, layout, vertices.each_ref());
            return;
        }
        let positions = places.map(|place| self.shaded.output(place, 0).map(f64::from));
        let polygon = clip::cut(positions, cut, self.transform);
        let window = |position| self.transform.window(position);
        primitives.push_cut(rules, layout, vertices.each_ref(), (polygon, window));
    }
}

/// Whether vertices may be shaded that no triangle has: nobody is asked anything for them who minds.
fn nobody_minds(mesh: &Mesh<'_>, bindings: &Bindings<'_>) -> bool {
    let usage = mesh.shader.program().usage();
    let samples = usage.textures != 0 || usage.relative_textures;
    let textures = || bindings.textures().is_none_or(|it| it.in_any_order());
    let attributes = || bindings.attributes().is_none_or(|it| it.in_any_order());
    (!samples || textures()) && (!mesh.fetches() || attributes())
}

/// The outputs of vertices, as a geometry program fetches them.
impl AttributeSource for ShadedVertices {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let register = usize::from(attribute);
        let known = self.shaded.has(register);
        let lane = |lane: usize| match known && wanted.has(lane) {
            true => self.shaded.output(self.places.of(index[lane]), register),
            false => [0.0; 4],
        };
        let lanes: Lanes<[f32; 4]> = std::array::from_fn(lane);
        std::array::from_fn(|component| lanes.map(|value| value[component]))
    }
}

/// A vertex of the mesh. Its place has no meaning if triangles there have to be cut.
struct Corner<'a> {
    all: &'a Shaded,
    place: usize,
}

impl Vertex for Corner<'_> {
    #[inline(always)]
    fn position(&self) -> [f32; 4] {
        self.all.windows[self.place]
    }

    #[inline(always)]
    fn attribute(&self, register: usize) -> [f32; 4] {
        self.all.output(self.place, register)
    }
}
