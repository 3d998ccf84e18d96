//! [`Frame`]: what may change between two frames of a prepared draw.

use std::ops::{ControlFlow, Range};

use attila_isa::{INPUTS, Inputs};
use attila_machine::pipeline::{InputKind, Pipeline, Plane, SpanShader, TargetName};
use attila_machine::{Bindings, PrepareError, QuadReg, RunError};

use super::anchor;
use super::bands::{self, BAND_ROWS, Failures, Shape};
use super::buffer::{ColourBuffer, DepthBuffer};
use super::coverage::CoverageFormat;
use super::error::{DrawError, Unsupported};
use super::history::{Numbers, Watch};
use super::listed::{Listed, Quad, QuadCoverage, SampleQuad};
use super::mesh::{Mesh, ShadedVertices};
use super::portable::Watched;
use super::prepared::{PreparedDraw, Purpose, Taken};
use super::progress::{Heard, Pass, Progress};
use super::raster::{Area, PlaneLayout, Primitives, Rules, Triangles};
use super::rectangle::{Filled, Rectangle};
use super::sink::{Job, SpanData};
use super::targets::{MAX_PICTURE, Targets, Tile};
use super::triangles::Sorted;
use super::vertices::{Ends, Placed, VertexError, Vertices};
use super::{Varying, signed};

/// A prepared draw, about to be drawn: what it is bound to and stores to this time.
///
/// Several shapes can be drawn one after another.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) prepared: &'a mut PreparedDraw,
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) targets: Targets<'a>,
    pub(super) arrays: Arrays<'a>,
    /// The place of the targets in a larger picture.
    pub(super) tile: Option<Tile>,
    pub(super) heard: Option<Heard<'a>>,
    pub(super) watch: Option<&'a Watch>,
    /// The mistake of an earlier call.
    fault: Option<DrawError>,
}

/// The arrays that inputs come from: the few that there are, as a frame moves with each call that sets something.
#[derive(Default, Debug)]
pub(super) struct Arrays<'a> {
    few: [Option<(usize, &'a [QuadReg])>; 4],
    others: Vec<(usize, &'a [QuadReg])>,
}

impl<'a> Arrays<'a> {
    pub(super) fn set(&mut self, register: usize, array: &'a [QuadReg]) {
        let is_place = |it: &&mut Option<_>| it.is_none_or(|(other, _)| other == register);
        match self.few.iter_mut().find(is_place) {
            Some(place) => *place = Some((register, array)),
            None => self.others.push((register, array)),
        }
    }

    /// The arrays of all inputs; of two for an input, the later one.
    fn all(&self) -> Inputs<&'a [QuadReg]> {
        let mut all = Inputs::all(&[][..]);
        for (register, array) in self.few.iter().flatten().chain(&self.others) {
            all[*register] = *array;
        }
        all
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(prepared: &'a mut PreparedDraw, bindings: &'a Bindings<'a>) -> Self {
        Frame {
            prepared,
            bindings,
            targets: Targets::default(),
            arrays: Arrays::default(),
            tile: None,
            heard: None,
            watch: None,
            fault: None,
        }
    }

    /// Stores output `o1 + index` to `buffer`, of the format that the draw was prepared for.
    #[must_use]
    pub fn target(mut self, index: usize, buffer: impl Into<ColourBuffer<'a>>) -> Self {
        match self.targets.colours.get_mut(index) {
            Some(place) => *place = Some(buffer.into()),
            None => self.fail(DrawError::TargetIndex(index)),
        }
        self
    }

    /// Tests and stores depths in `buffer`, of the format that the draw was prepared for.
    #[must_use]
    pub fn depth(mut self, buffer: impl Into<DepthBuffer<'a>>) -> Self {
        self.targets.depth = Some(buffer.into());
        self
    }

    /// Makes the targets a tile of a picture of `picture` pixels, at most [`MAX_PICTURE`] a side: their first pixel is
    /// the picture's at `origin`.
    /// Shapes, the scissor, the default viewport, planes and positions are those of the picture, and so are the places
    /// in errors. The pixels are those of the whole picture for every tiling, unless a program's loop budget runs out.
    #[must_use]
    pub fn origin(mut self, origin: [i32; 2], picture: [u32; 2]) -> Self {
        self.tile = Some(Tile { origin, picture });
        self
    }

    /// Tells how far this frame is, see [`Draw::progress`](super::Draw::progress).
    #[must_use]
    pub fn progress(mut self, listener: &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync)) -> Self {
        self.heard = Some(Heard(listener));
        self
    }

    /// Looks at a pixel instead of drawing, see [`Draw::watch`](super::Draw::watch).
    #[must_use]
    pub fn watch(mut self, watch: &'a Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Gives input `register` other values, of the same kinds. Planes stay for the frames that
    /// follow, arrays do not.
    #[must_use]
    pub fn varying(mut self, register: usize, varying: Varying<'a>) -> Self {
        let Some(kinds) = self.prepared.pipeline.inputs.get(register) else {
            self.fail(DrawError::InputIndex(register));
            return self;
        };
        let mut both = kinds.iter().zip(&varying.kinds);
        let same_kinds =
            both.all(|(settled, kind)| *settled == InputKind::Unused || settled == kind);
        let same_source = varying.from_vertices == self.prepared.from_vertices[register]
            && varying.wraps == self.prepared.wraps[register];
        if same_kinds && same_source {
            self.prepared.values[register] = varying.planes;
            if varying.kinds.contains(&InputKind::Array) {
                self.arrays.set(register, varying.array);
            }
        } else {
            self.fail(DrawError::KindChanged(register));
        }
        self
    }

    /// Changes the constant colour of blending.
    #[must_use]
    pub fn blend_constant(self, colour: [f32; 4]) -> Self {
        self.prepared.blend_constant = colour;
        self
    }

    /// Changes the samples that may be drawn to, bit n = sample n.
    #[must_use]
    pub fn sample_mask(self, mask: u32) -> Self {
        self.prepared.sample_mask = mask;
        self
    }

    /// Changes what the alpha test compares with.
    #[must_use]
    pub fn alpha_reference(self, reference: f32) -> Self {
        self.prepared.alpha_reference = reference;
        self
    }

    /// Draws a rectangle of pixels, as far as it is within the targets.
    ///
    /// # Errors
    ///
    /// Something is wrong with the frame, and nothing was drawn; or [`DrawError::Span`] or [`DrawError::Stopped`].
    pub fn rect<T: Into<i64>>(
        &mut self,
        columns: Range<T>,
        rows: Range<T>,
    ) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_vertices()?;
        self.check_no_arrays()?;
        let size = self.tile().picture;
        let area = self.drawn().intersection(signed(columns), signed(rows));
        if area.is_empty() {
            return Ok(());
        }
        let Some(format) = self.coverage() else {
            return Ok(());
        };
        let shape = Filled::new(area.clone(), size);
        let whole = shape.has_whole() && !format.leaves_out();
        let masked = shape.has_masked() || format.leaves_out();
        self.compile(Purpose::Rectangles, whole, masked)?;
        let (planes, anchor) = self.planes();
        let anchors = [anchor];
        let data = SpanData {
            anchors: &anchors,
            planes: &planes,
            ..SpanData::default()
        };
        let result = self.shade(Purpose::Rectangles, &shape, &area, data);
        self.prepared.planes = planes;
        result
    }

    /// Draws a list of quads in its order. Pixels outside the targets are left out.
    ///
    /// # Errors
    ///
    /// As [`Frame::rect`].
    pub fn quads(&mut self, quads: &[Quad]) -> Result<(), DrawError> {
        self.list_of_quads(quads)
    }

    /// The same with [the covered samples](super::Draw::sample_quads) of each fragment.
    ///
    /// # Errors
    ///
    /// As [`Frame::rect`].
    pub fn sample_quads(&mut self, quads: &[SampleQuad]) -> Result<(), DrawError> {
        self.list_of_quads(quads)
    }

    fn list_of_quads<C: QuadCoverage>(&mut self, quads: &[Quad<C>]) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_vertices()?;
        let arrays = self.arrays.all();
        for register in self.prepared.pipeline.arrays() {
            let registers = arrays[register].len();
            if registers < quads.len() {
                return Err(DrawError::ArrayTooShort {
                    register,
                    registers,
                    quads: quads.len(),
                });
            }
        }
        let area = self.drawn();
        let mut listed = std::mem::take(&mut self.prepared.listed);
        let result = self.listed(quads, &arrays, &area, &mut listed);
        self.prepared.listed = listed;
        result
    }

    /// Draws triangles, each given by the indices of its vertices, one after another.
    ///
    /// # Errors
    ///
    /// As [`Frame::rect`].
    pub fn triangles(
        &mut self,
        vertices: &Vertices<'_>,
        triangles: &[[u32; 3]],
    ) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_arrays()?;
        let taken = self.taken(|register| vertices.gives(register))?;
        vertices.check(triangles)?;
        self.set_up_and_shade(&taken, triangles, |rules, layout, triangles, primitives| {
            let placed = Placed {
                vertices,
                rules,
                layout,
            };
            primitives.push_all(rules, layout, triangles, &placed);
        })
    }

    /// Draws a mesh, one triangle after another.
    ///
    /// # Errors
    ///
    /// Something is wrong with the frame, or a vertex could not be finished, and nothing was drawn;
    /// or as [`Frame::rect`].
    pub fn mesh(&mut self, mesh: &Mesh<'_>) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_arrays()?;
        let taken = self.taken(|register| mesh.gives(register))?;
        let ends = mesh.check()?;
        let mut vertices = std::mem::take(&mut self.prepared.vertices);
        let result = self.shaded((mesh, ends), &taken, &mut vertices);
        self.prepared.vertices = vertices;
        result
    }

    fn listed<C: QuadCoverage>(
        &mut self,
        quads: &[Quad<C>],
        arrays: &Inputs<&[QuadReg]>,
        area: &Rectangle,
        listed: &mut Listed,
    ) -> Result<(), DrawError> {
        let Some(format) = self.coverage() else {
            return Ok(());
        };
        listed.sort(quads, area, format)?;
        self.compile(Purpose::Rectangles, false, true)?;
        let (planes, anchor) = self.planes();
        let anchors = [anchor];
        let data = SpanData {
            anchors: &anchors,
            planes: &planes,
            arrays,
            listed: listed.coverage(),
        };
        let shape = listed.shape(quads);
        let result = self.shade(Purpose::Rectangles, &shape, area, data);
        self.prepared.planes = planes;
        result
    }

    fn shaded(
        &mut self,
        (mesh, ends): (&Mesh<'_>, Ends),
        taken: &Taken,
        vertices: &mut ShadedVertices,
    ) -> Result<(), DrawError> {
        let transform = mesh.transform(self.tile().picture);
        let threads = self.prepared.workers() > 1;
        vertices.shade((mesh, ends), taken, &transform, threads)?;
        let triangles = vertices.triangles(mesh);
        self.set_up_and_shade(taken, triangles, |rules, layout, triangles, primitives| {
            vertices.push_all(triangles, &transform, (rules, layout), primitives);
        })
    }

    /// The attributes that are taken of vertices, which have to have them.
    fn taken(&self, gives: impl Fn(usize) -> bool) -> Result<Taken, VertexError> {
        let taken = self.prepared.taken(&gives);
        let missing = |register: &usize| taken.registers[*register] && !gives(*register);
        match (0..INPUTS).find(missing) {
            Some(register) => Err(VertexError::MissingAttribute(register)),
            None => Ok(taken),
        }
    }

    /// Shades triangles, which `set_up` pushes, some at a time.
    fn set_up_and_shade(
        &mut self,
        taken: &Taken,
        indices: &[[u32; 3]],
        set_up: impl Fn(&Rules, &PlaneLayout, &[[u32; 3]], &mut Primitives) + Sync,
    ) -> Result<(), DrawError> {
        let drawn = self.drawn();
        let rules = Rules {
            area: Area::of(&self.area()),
            drawn: Area::of(&drawn),
            cull: self.prepared.cull,
            front: self.prepared.front,
            positions: self
                .prepared
                .pipeline
                .multisampling
                .map(|_| self.prepared.positions),
            distances: self.prepared.distances,
        };
        let mut triangles = std::mem::take(&mut self.prepared.triangles);
        let mut layout = std::mem::take(&mut self.prepared.layout);
        let prepared = &*self.prepared;
        let given = |register: usize, component: usize| {
            let plane = prepared.values[register][component];
            (!prepared.from_vertices[register]).then_some(plane)
        };
        let pipeline = prepared.pipeline_for(Purpose::Triangles);
        layout.set(&pipeline, prepared.anchor, prepared.numbered, given);
        if self.watch.is_some() {
            layout.add_number();
        }
        layout.with_backs = taken.with_backs;
        layout.wraps = prepared.wraps;
        let threads = prepared.workers();
        let bands = (&rules.drawn, BAND_ROWS);
        let size = if threads > 1 { SHARED } else { OWN };
        let (of, failures) = (indices.len().div_ceil(size), Failures::default());
        let mut draw = |(index, indices): (usize, &[[u32; 3]])| {
            let first = index * size;
            triangles.set_up((first, indices), threads, bands, |indices, primitives| {
                set_up(&rules, &layout, indices, primitives);
            });
            let pass = Pass { index, of };
            self.shade_sorted(&triangles, &rules, (&drawn, pass), &failures)
        };
        let mut passes = indices.chunks(size).enumerate();
        let result = passes.try_for_each(&mut draw);
        self.prepared.triangles = triangles;
        self.prepared.layout = layout;
        result?;
        Ok(failures.into_result()?)
    }

    /// Shades triangles that have been set up and sorted.
    fn shade_sorted(
        &mut self,
        triangles: &Triangles,
        rules: &Rules,
        (drawn, pass): (&Rectangle, Pass),
        failures: &Failures,
    ) -> Result<(), DrawError> {
        let parts = triangles.parts();
        if pass.of == 1 && parts.iter().all(|part| part.bins.is_empty()) {
            return Ok(());
        }
        let masks_none = self.coverage().is_some_and(|format| !format.leaves_out());
        let has_whole = masks_none && parts.iter().any(|part| part.bins.has_large);
        let in_perspective = parts.iter().any(|part| part.in_perspective);
        let purpose = self.prepared.purpose_of_triangles(in_perspective);
        self.compile(purpose, has_whole, true)?;
        let shape = Sorted {
            triangles,
            area: &rules.drawn,
            positions: rules.positions.as_ref(),
            has_whole,
        };
        self.shade_pass(
            purpose,
            &shape,
            (drawn, pass),
            SpanData::default(),
            failures,
        )
    }

    /// Shades what `shape` covers in the rows of `area`, which must be within the targets. The shaders that it
    /// needs [have been compiled](PreparedDraw::compile), and the frame has been
    /// [checked](Frame::check).
    fn shade(
        &mut self,
        purpose: Purpose,
        shape: &dyn Shape,
        area: &Rectangle,
        data: SpanData<'_>,
    ) -> Result<(), DrawError> {
        let failures = Failures::default();
        self.shade_pass(purpose, shape, (area, Pass::ALL), data, &failures)?;
        Ok(failures.into_result()?)
    }

    /// The same in one of some passes. The errors of bands are kept.
    fn shade_pass(
        &mut self,
        purpose: Purpose,
        shape: &dyn Shape,
        (area, pass): (&Rectangle, Pass),
        data: SpanData<'_>,
        failures: &Failures,
    ) -> Result<(), DrawError> {
        let Some(coverage) = self.coverage() else {
            return Ok(());
        };
        let (tile, bounds) = (self.tile(), self.bounds());
        let progress = self
            .heard
            .map(|Heard(listener)| Progress::new(listener, area, pass));
        let watched = self.watched(purpose, !data.listed.is_empty())?;
        let prepared = &mut *self.prepared;
        let workers = prepared.workers();
        let shaders = prepared.shaders.of(purpose);
        let [whole, masked] = match &watched {
            Some(watched) => watched.each_ref().map(|it| Some(it as &dyn SpanShader)),
            None => [&shaders.whole, &shaders.masked].map(Option::as_deref),
        };
        let job = Job {
            whole,
            masked,
            bindings: self.bindings,
            bounds,
            stored: self.targets.samples().count(),
            pixel_bytes: self.targets.pixel_bytes(),
            data,
            alpha_reference: prepared.alpha_reference,
            blend_constant: prepared.blend_constant,
            coverage,
            positions: prepared.positions,
            progress: progress.as_ref(),
        };
        let surfaces = self.targets.surfaces(tile);
        let scratch = &mut prepared.scratch[..workers];
        bands::shade(&job, shape, area.rows.clone(), surfaces, scratch, failures);
        match progress {
            Some(progress) if failures.is_empty() => progress.finish(),
            Some(_) | None => Ok(()),
        }
    }

    /// Sees to it that there are shaders with and without coverage, if they are needed.
    fn compile(&mut self, purpose: Purpose, whole: bool, masked: bool) -> Result<(), PrepareError> {
        match self.watch {
            Some(_) => Ok(()),
            None => self.prepared.compile(self.bindings, purpose, whole, masked),
        }
    }

    /// The shaders, without and with coverage, of somebody who looks at a pixel.
    fn watched(
        &self,
        purpose: Purpose,
        is_list: bool,
    ) -> Result<Option<[Watched<'a>; 2]>, PrepareError> {
        let Some(watch) = self.watch else {
            return Ok(None);
        };
        let numbers = match purpose {
            Purpose::Rectangles if is_list => Numbers::Listed,
            Purpose::Rectangles => Numbers::One,
            Purpose::Triangles | Purpose::AffineTriangles => Numbers::Triangles,
        };
        let program = self.prepared.shader().program();
        let with = |coverage: bool| {
            let pipeline = Pipeline {
                coverage,
                ..self.prepared.pipeline_for(purpose)
            };
            Watched::new(program, &pipeline, watch, numbers)
        };
        Ok(Some([with(false)?, with(true)?]))
    }

    /// Checks that the targets have the pixel that somebody looks at, and shows it.
    fn show(&mut self) -> Result<(), DrawError> {
        let Some(watch) = self.watch else {
            return Ok(());
        };
        let [x, y] = watch.pixel();
        let (tile, bounds) = (self.tile(), self.bounds());
        if !bounds.columns.contains(&x) || !bounds.rows.contains(&y) {
            return Err(DrawError::WatchedPixel {
                pixel: [x, y],
                columns: bounds.columns,
                rows: bounds.rows,
            });
        }
        let surfaces = self.targets.surfaces(tile);
        watch.copy(&self.prepared.pipeline, &surfaces, &bounds);
        Ok(())
    }

    /// How batches say what is covered; `None` if the mask leaves no sample to draw to.
    fn coverage(&self) -> Option<CoverageFormat> {
        CoverageFormat::new(&self.prepared.pipeline, self.prepared.sample_mask)
    }

    /// The place of the targets in the picture, which they are the whole of if nothing else is said.
    fn tile(&self) -> Tile {
        self.tile.unwrap_or_else(|| Tile {
            origin: [0, 0],
            picture: self.targets.size(),
        })
    }

    /// The pixels of the picture that targets have.
    fn bounds(&self) -> Rectangle {
        self.tile().bounds(self.targets.size())
    }

    /// Where anything may be drawn: the pixels that targets have. Where a program can tell what is covered beside them,
    /// the others of their quads, too. Depths are not known there, so that a fragment may be shaded that is not in the
    /// whole picture, and take too long.
    fn drawn(&self) -> Rectangle {
        let bounds = self.bounds();
        if bounds.is_empty() {
            return bounds;
        }
        let Rectangle { columns, rows } = bounds;
        if !self.prepared.tells_coverage() {
            return self.area().intersection(signed(columns), signed(rows));
        }
        let quads = |range: Range<u32>| {
            let end = range.end.next_multiple_of(2);
            i64::from(range.start & !1)..i64::from(end)
        };
        self.area().intersection(quads(columns), quads(rows))
    }

    /// Where anything may be drawn: the picture, within the scissor.
    fn area(&self) -> Rectangle {
        let all = Rectangle::all(self.tile().picture);
        match &self.prepared.scissor {
            Some((columns, rows)) => all.intersection(columns.clone(), rows.clone()),
            None => all,
        }
    }

    /// Checks that the frame is one that the draw was prepared for.
    fn check(&mut self) -> Result<(), DrawError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let pipeline = &self.prepared.pipeline;
        let colours = pipeline.targets.iter().zip(&self.targets.colours);
        for (index, (target, buffer)) in colours.enumerate() {
            let formats = (
                target.map(|it| it.format),
                buffer.as_ref().and_then(ColourBuffer::stored),
            );
            check_format(TargetName::Colour(index), formats)?;
        }
        let stored = pipeline.stored();
        let formats = (
            pipeline.depth.map(|it| it.format),
            self.targets.depth.as_ref().and_then(DepthBuffer::stored),
        );
        check_format(TargetName::Depth, formats)?;
        self.targets.check()?;
        if let Some(Tile { picture, .. }) = self.tile
            && picture.iter().any(|side| *side > MAX_PICTURE)
        {
            return Err(DrawError::Picture { size: picture });
        }
        if self.targets.samples() != stored {
            return Err(DrawError::SamplesChanged(self.targets.first()));
        }
        self.bindings.check().map_err(DrawError::Bindings)?;
        self.check_textures()?;
        self.show()
    }

    fn check_textures(&self) -> Result<(), DrawError> {
        let usage = self.prepared.shader().program().usage();
        match self.bindings.check_units(usage) {
            Ok(()) => Ok(()),
            Err(RunError::UnboundTexture { unit }) => Err(DrawError::UnboundTexture(unit)),
            Err(error) => Err(DrawError::Bindings(error)),
        }
    }

    /// Checks that no input comes from arrays.
    fn check_no_arrays(&self) -> Result<(), Unsupported> {
        let first = self.prepared.pipeline.arrays().next();
        first.map_or(Ok(()), |it| Err(Unsupported::ArrayWithoutQuads(it)))
    }

    /// Checks that no input comes from vertices.
    fn check_no_vertices(&self) -> Result<(), Unsupported> {
        if let Some(register) = self.prepared.distances.registers().next() {
            return Err(Unsupported::DistanceWithoutVertices(register));
        }
        let mut used = self.prepared.pipeline.used();
        let first = used.find(|(register, _)| self.prepared.from_vertices[*register]);
        first.map_or(Ok(()), |(register, _)| {
            Err(Unsupported::AttributeWithoutVertices(register))
        })
    }

    /// The planes of the one primitive of rectangles and lists, in the prepared draw's memory, and
    /// the point that they start from.
    fn planes(&mut self) -> (Vec<Plane>, [f32; 2]) {
        let picture = self.tile().picture;
        let prepared = &mut *self.prepared;
        let mut planes = std::mem::take(&mut prepared.planes);
        planes.clear();
        let far = prepared.anchor;
        let near = anchor::near(far, picture);
        let Pipeline { inputs, .. } = &prepared.pipeline;
        let used = prepared.pipeline.planes();
        planes.extend(used.map(|(register, component)| {
            let plane = prepared.values[register][component.index()];
            // A flat input is what it is at the anchor.
            let is_flat = inputs[register][component.index()] == InputKind::Flat;
            if near == far || is_flat {
                plane
            } else {
                plane.moved(far, near)
            }
        }));
        (planes, near)
    }

    /// Remembers what was wrong first.
    fn fail(&mut self, error: DrawError) {
        self.fault.get_or_insert(error);
    }
}

/// Triangles that are set up before any is shaded: so many that what is kept of them, a hundred bytes or two each, stays
/// in the cache of a processor. With 2^18 a mesh of a million takes 8 % longer.
const OWN: usize = 1 << 14;

/// The same for several threads: so many that they are in several bands, as bands are what threads share.
const SHARED: usize = 1 << 18;

/// Checks that a target is there if it has to be, in its format.
fn check_format<F: PartialEq>(
    name: TargetName,
    (settled, given): (Option<F>, Option<F>),
) -> Result<(), DrawError> {
    match (settled, given) {
        (Some(_), None) => Err(DrawError::MissingTarget(name)),
        (None, Some(_)) => Err(DrawError::UnexpectedTarget(name)),
        (Some(settled), Some(given)) if settled != given => Err(DrawError::FormatChanged(name)),
        (Some(_), Some(_)) | (None, None) => Ok(()),
    }
}
