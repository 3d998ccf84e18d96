//! [`Frame`]: what changes from one time to the next that a prepared draw is drawn.

use std::ops::Range;

use attila_isa::TEXTURE_UNITS;
use attila_machine::pipeline::{
    InputKind, Pipeline, Plane, SpanShader, Surfaces, TARGETS, TargetName,
};
use attila_machine::{Bindings, QuadReg};

use super::anchor;
use super::bands::{self, Shape};
use super::buffer::{ColourBuffer, DepthBuffer};
use super::error::{DrawError, Unsupported};
use super::listed::Quad;
use super::prepared::{PreparedDraw, Shaders};
use super::rectangle::{Filled, Rectangle};
use super::sink::{Job, Primitives};
use super::{Varying, wide};

/// What is drawn to.
#[derive(Default, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) colours: [Option<ColourBuffer<'a>>; TARGETS],
    pub(crate) depth: Option<DepthBuffer<'a>>,
}

impl Targets<'_> {
    /// That there is one, that all are complete, and equally large.
    pub(crate) fn check(&self) -> Result<(), DrawError> {
        let mut first = None;
        let colours = self.colours.iter().enumerate().filter_map(|(index, it)| {
            let buffer = it.as_ref()?;
            let name = TargetName::Colour(index);
            Some((name, buffer.size(), buffer.check(name)))
        });
        let depth = self.depth.iter().map(|buffer| {
            let name = TargetName::Depth;
            (name, buffer.size(), buffer.check(name))
        });
        for (target, size, checked) in colours.chain(depth) {
            checked?;
            let (other, other_size) = *first.get_or_insert((target, size));
            if size != other_size {
                return Err(DrawError::Sizes {
                    target,
                    size,
                    other,
                    other_size,
                });
            }
        }
        first.map(|_| ()).ok_or(DrawError::NoTarget)
    }

    /// Columns and rows; all targets have the same.
    pub(super) fn size(&self) -> [u32; 2] {
        let mut colours = self.colours.iter().flatten().map(ColourBuffer::size);
        let depth = self.depth.as_ref().map(DepthBuffer::size);
        colours.next().or(depth).unwrap_or_default()
    }

    /// Bytes of a pixel of each target.
    fn pixel_bytes(&self) -> [usize; TARGETS + 1] {
        std::array::from_fn(|index| match self.colours.get(index) {
            Some(colour) => colour.as_ref().map_or(0, |it| it.format().size()),
            None => self.depth.as_ref().map_or(0, |it| it.format().size()),
        })
    }

    fn surfaces(&mut self) -> Surfaces<'_> {
        Surfaces {
            colours: self
                .colours
                .each_mut()
                .map(|colour| colour.as_mut().map(|buffer| buffer.reborrow().surface())),
            depth: self.depth.as_mut().map(|it| it.reborrow().surface()),
        }
    }
}

/// A prepared draw, about to be drawn: what it is bound to and stores to this time.
///
/// Several shapes can be drawn one after another.
#[derive(Debug)]
pub struct Frame<'p, 's, 'a> {
    pub(super) prepared: &'p mut PreparedDraw<'s>,
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) targets: Targets<'a>,
    pub(super) arrays: [&'a [QuadReg]; 16],
    /// What was wrong with a call.
    fault: Option<DrawError>,
}

impl<'p, 's, 'a> Frame<'p, 's, 'a> {
    pub(super) fn new(prepared: &'p mut PreparedDraw<'s>, bindings: &'a Bindings<'a>) -> Self {
        Frame {
            prepared,
            bindings,
            targets: Targets::default(),
            arrays: [&[]; 16],
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
        if same_kinds && varying.from_vertices == self.prepared.from_vertices[register] {
            self.prepared.values[register] = varying.planes;
            self.arrays[register] = varying.array;
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
    /// Something is wrong with the frame, and nothing was drawn; or [`DrawError::Span`].
    pub fn rect<T: Into<i64>>(
        &mut self,
        columns: Range<T>,
        rows: Range<T>,
    ) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_vertices()?;
        self.check_no_arrays()?;
        let size = self.targets.size();
        let area = self.area().intersection(wide(columns), wide(rows));
        let rows = area.rows.clone();
        if area.is_empty() {
            return Ok(());
        }
        let shape = Filled::new(area, size);
        self.prepared
            .compile(self.bindings, shape.has_whole(), shape.has_masked())?;
        let (planes, anchor) = self.planes();
        let anchors = [anchor];
        let primitives = Primitives {
            anchors: &anchors,
            planes: &planes,
            ..Primitives::default()
        };
        let result = self.shade(&shape, rows, primitives);
        self.prepared.planes = planes;
        result
    }

    /// Draws a list of quads in its order. What is outside the targets is left out.
    ///
    /// # Errors
    ///
    /// As [`Frame::rect`].
    pub fn quads(&mut self, quads: &[Quad]) -> Result<(), DrawError> {
        self.check()?;
        self.check_no_vertices()?;
        for register in self.array_inputs() {
            let registers = self.arrays[register].len();
            if registers < quads.len() {
                return Err(DrawError::ArrayTooShort {
                    register,
                    registers,
                    quads: quads.len(),
                });
            }
        }
        let area = self.area();
        let mut listed = std::mem::take(&mut self.prepared.listed);
        let result = self.listed(quads, &area, &mut listed);
        self.prepared.listed = listed;
        result
    }

    fn listed(
        &mut self,
        quads: &[Quad],
        area: &Rectangle,
        listed: &mut super::listed::Listed,
    ) -> Result<(), DrawError> {
        listed.sort(quads, area)?;
        self.prepared.compile(self.bindings, false, true)?;
        let (planes, anchor) = self.planes();
        let anchors = [anchor];
        let primitives = Primitives {
            anchors: &anchors,
            planes: &planes,
            arrays: self.arrays,
            listed: listed.coverage(),
        };
        let result = self.shade(&listed.shape(quads), area.rows.clone(), primitives);
        self.prepared.planes = planes;
        result
    }

    /// Shades what `shape` covers in `rows`, which must be within the targets. The shaders that it
    /// needs [have been compiled](PreparedDraw::compile), and the frame has been
    /// [checked](Frame::check).
    pub(super) fn shade(
        &mut self,
        shape: &dyn Shape,
        rows: Range<u32>,
        primitives: Primitives<'_>,
    ) -> Result<(), DrawError> {
        self.shade_with(|shaders| &shaders.masked, shape, rows, primitives)
    }

    /// The same for triangles.
    pub(super) fn shade_triangles(
        &mut self,
        shape: &dyn Shape,
        rows: Range<u32>,
        primitives: Primitives<'_>,
    ) -> Result<(), DrawError> {
        self.shade_with(|shaders| &shaders.triangles, shape, rows, primitives)
    }

    fn shade_with(
        &mut self,
        masked: for<'b> fn(&'b Shaders<'s>) -> &'b Option<Box<dyn SpanShader + 's>>,
        shape: &dyn Shape,
        rows: Range<u32>,
        primitives: Primitives<'_>,
    ) -> Result<(), DrawError> {
        let prepared = &mut *self.prepared;
        let job = Job {
            whole: prepared.shaders.whole.as_deref(),
            masked: masked(&prepared.shaders).as_deref(),
            bindings: self.bindings,
            size: self.targets.size(),
            pixel_bytes: self.targets.pixel_bytes(),
            primitives,
            alpha_reference: prepared.alpha_reference,
            blend_constant: prepared.blend_constant,
        };
        let surfaces = self.targets.surfaces();
        bands::shade(&job, shape, rows, surfaces, &mut prepared.scratch)?;
        Ok(())
    }

    /// Where anything may be drawn: the targets, within the scissor.
    pub(super) fn area(&self) -> Rectangle {
        let all = Rectangle::all(self.targets.size());
        match &self.prepared.scissor {
            Some((columns, rows)) => all.intersection(columns.clone(), rows.clone()),
            None => all,
        }
    }

    /// That the frame has what the draw was prepared for.
    pub(super) fn check(&mut self) -> Result<(), DrawError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let pipeline = &self.prepared.pipeline;
        let colours = pipeline.targets.iter().zip(&self.targets.colours);
        for (index, (target, buffer)) in colours.enumerate() {
            let formats = (
                target.map(|it| it.format),
                buffer.as_ref().map(|it| it.format()),
            );
            check_format(TargetName::Colour(index), formats)?;
        }
        let formats = (
            pipeline.depth.map(|it| it.format),
            self.targets.depth.as_ref().map(|it| it.format()),
        );
        check_format(TargetName::Depth, formats)?;
        self.targets.check()?;
        self.check_textures()
    }

    fn check_textures(&self) -> Result<(), DrawError> {
        let used = self.prepared.shader().program().usage().textures;
        let textures = self.bindings.textures();
        let is_bound = |unit| textures.is_some_and(|textures| textures.has_unit(unit));
        let mut units = (0..TEXTURE_UNITS).filter(|unit| used >> unit & 1 != 0);
        match units.find(|unit| !is_bound(*unit)) {
            Some(unit) => Err(DrawError::UnboundTexture(unit)),
            None => Ok(()),
        }
    }

    /// That no input comes from arrays.
    pub(super) fn check_no_arrays(&self) -> Result<(), Unsupported> {
        let first = self.array_inputs().next();
        first.map_or(Ok(()), |it| Err(Unsupported::ArrayWithoutQuads(it)))
    }

    /// That no input comes from vertices.
    fn check_no_vertices(&self) -> Result<(), Unsupported> {
        let first = (0..16).find(|register| self.prepared.uses_vertices(*register));
        first.map_or(Ok(()), |it| Err(Unsupported::AttributeWithoutVertices(it)))
    }

    /// The inputs that come from arrays.
    fn array_inputs(&self) -> impl Iterator<Item = usize> + '_ {
        let inputs = self.prepared.pipeline.inputs.iter().enumerate();
        inputs.filter_map(|(register, kinds)| kinds.contains(&InputKind::Array).then_some(register))
    }

    /// The planes of the one primitive of rectangles and lists, in the prepared draw's memory, and
    /// the point that they start from.
    fn planes(&mut self) -> (Vec<Plane>, [f32; 2]) {
        let prepared = &mut *self.prepared;
        let mut planes = std::mem::take(&mut prepared.planes);
        planes.clear();
        let far = prepared.anchor;
        let near = anchor::near(far);
        let Pipeline { inputs, .. } = &prepared.pipeline;
        let used = prepared.pipeline.planes();
        planes.extend(used.map(|(register, component)| {
            let plane = prepared.values[register][component.index()];
            // A flat input is what it is at the anchor.
            let is_flat = inputs[register][component.index()] == InputKind::Flat;
            if near == far || is_flat {
                plane
            } else {
                anchor::moved(plane, far, near)
            }
        }));
        (planes, near)
    }

    /// Remembers what was wrong first.
    fn fail(&mut self, error: DrawError) {
        self.fault.get_or_insert(error);
    }
}

/// That a target is there if it has to be, in its format.
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
