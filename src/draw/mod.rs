//! Drawing: a fragment program over rectangles, lists of quads and triangles, into colour and depth
//! targets. [drawing.md](crate::docs::drawing) specifies it.
//!
//! [`Draw`] is told everything and draws once. [`Draw::prepare`] makes a [`PreparedDraw`] of it, for
//! the same draw in frame after frame: it allocates nothing.
//!
//! ```
//! use attila_shader::draw::{ColourImage, Draw, Plane, Varying};
//! use attila_shader::{Engine, Program};
//! use attila_shader::machine::pipeline::ColourFormat;
//!
//! let program = Program::assemble("mov_sat o1, i6")?.validate()?;
//! let shader = Engine::auto().prepare(&program)?;
//! let mut image = ColourImage::new(ColourFormat::Rgba8, 256, 256);
//! let across = |at, dx, dy| Plane { at, dx, dy };
//! let colour = Varying::linear([
//!     across(0.0, 1.0 / 256.0, 0.0), // red grows to the right
//!     across(0.0, 0.0, 1.0 / 256.0), // green downwards
//!     across(0.5, 0.0, 0.0),
//!     across(1.0, 0.0, 0.0),
//! ]);
//! Draw::new(&shader).varying(6, colour).target(0, &mut image).rect(0..256, 0..256)?;
//! assert_eq!(image.pixel::<[u8; 4]>(255, 0), Some([254, 0, 127, 255]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How it works, from what is drawn to pixels:
//!
//! ```text
//! Draw ─► PreparedDraw ─► Frame ─► Shape ─► bands: Sink ─► SpanShader ─► pixels
//!         Pipeline,       targets  what is  spans of       an engine's own,
//!         inputs                   covered  a few rows     or `portable`
//! ```

mod anchor;
mod bands;
mod buffer;
mod coverage;
mod error;
mod frame;
mod history;
mod image;
mod listed;
mod mesh;
mod portable;
mod prepared;
mod progress;
mod quads;
mod raster;
mod rectangle;
mod resolve;
mod samples;
mod sink;
mod targets;
mod triangles;
mod varying;
mod vertices;

use std::ops::{ControlFlow, Range};

use attila_isa::{INPUTS, Inputs, Slots};
use attila_machine::pipeline::{Blend, Compare, TARGETS};
#[cfg(doc)]
use attila_machine::pipeline::{ColourFormat, DepthFormat};
use attila_machine::{Bindings, SampleCount};

use crate::Shader;

pub use anchor::MAX_ANCHOR;
pub use attila_machine::pipeline::{Location, Plane, TargetName};
pub use buffer::{Buffer, ColourBuffer, DepthBuffer, MAX_SIZE, PixelFormat};
pub use error::{DrawError, Unsupported};
use frame::Arrays;
pub use frame::Frame;
pub use history::{ColourStep, DepthStep, Fate, Fragment, History, Stored, Watch};
pub use image::{ColourImage, DepthImage, SamplePlane, TargetImage};
pub use listed::{Quad, QuadCoverage, SampleQuad};
pub use mesh::{ClipDepth, Mesh, Viewport};
pub use prepared::PreparedDraw;
use progress::Heard;
pub(crate) use quads::QuadBuffer;
use raster::Distances;
pub use raster::{Cull, FrontFace};
pub use resolve::{Resolve, ResolveError};
use samples::SampleState;
pub use targets::MAX_PICTURE;
use targets::{Targets, Tile};
pub use varying::{Interpolation, Varying};
pub use vertices::{VertexError, Vertices};

/// The depth test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DepthState {
    /// A fragment is kept if its depth, on the left, compares like this with the stored one.
    pub compare: Compare,
    /// Whether the depths of fragments that are kept are stored.
    pub write: bool,
}

/// What is nearer hides what is farther: [`Compare::Less`], and depths are stored.
impl Default for DepthState {
    fn default() -> DepthState {
        DepthState {
            compare: Compare::Less,
            write: true,
        }
    }
}

/// The rest of a draw's state besides inputs and targets.
#[derive(Clone, Debug)]
struct State {
    /// Write mask and blending of each colour target, `None` if nobody has set them.
    masks: [Option<Slots>; TARGETS],
    blends: [Option<Blend>; TARGETS],
    depth: Option<DepthState>,
    alpha_test: Compare,
    alpha_reference: f32,
    blend_constant: [f32; 4],
    anchor: [f32; 2],
    scissor: Option<(Range<i64>, Range<i64>)>,
    cull: Cull,
    front: FrontFace,
    two_sided: bool,
    distances: Distances,
    threads: usize,
    samples: SampleState,
}

/// Builder for one draw call: a shader with its inputs, targets and fixed-function state.
///
/// Everything is checked before a pixel is touched. A panic in one of your texture units or attribute sources
/// stops the draw and propagates to the caller, on any number of threads.
#[derive(Debug)]
pub struct Draw<'a> {
    shader: Shader,
    bindings: Option<&'a Bindings<'a>>,
    /// In memory of their own: a draw is handed from one call of the builder to the next.
    varyings: Box<Inputs<Option<Varying<'a>>>>,
    targets: Targets<'a>,
    tile: Option<Tile>,
    heard: Option<Heard<'a>>,
    watch: Option<&'a Watch>,
    state: State,
    /// The mistake in an earlier call of the builder.
    fault: Option<DrawError>,
}

impl<'a> Draw<'a> {
    /// A draw with `shader`, on one thread, that has no targets yet.
    pub fn new(shader: &Shader) -> Draw<'a> {
        Draw {
            shader: shader.clone(),
            bindings: None,
            varyings: Box::default(),
            targets: Targets::default(),
            tile: None,
            heard: None,
            watch: None,
            state: State {
                masks: [None; TARGETS],
                blends: [None; TARGETS],
                depth: None,
                alpha_test: Compare::Always,
                alpha_reference: 0.0,
                blend_constant: [0.0; 4],
                anchor: [0.0; 2],
                scissor: None,
                cull: Cull::None,
                front: FrontFace::CounterClockwise,
                two_sided: false,
                distances: Distances::default(),
                threads: 1,
                samples: SampleState::default(),
            },
            fault: None,
        }
    }

    /// Constants, textures and the loop budget. Without, constants are 0.
    #[must_use]
    pub fn bindings(mut self, bindings: &'a Bindings<'a>) -> Self {
        self.bindings = Some(bindings);
        self
    }

    /// Sets input `register`. By default `i0` is [the position](Varying::position) and `i15.w` the face: 1, positive
    /// for the front.
    #[must_use]
    pub fn varying(mut self, register: usize, varying: Varying<'a>) -> Self {
        match self.varyings.get_mut(register) {
            Some(place) => *place = Some(varying),
            None => self.fail(DrawError::InputIndex(register)),
        }
        self
    }

    /// Sets the point that planes start from, up to [`MAX_ANCHOR`] away. Default: the upper left corner of the
    /// targets, or of [the picture that they are a tile of](Draw::origin).
    ///
    /// It becomes the nearest multiple of 1/256 within 2^15, and one of 1/128 to 1/2 beyond.
    /// Values are [those of the plane](attila_machine::pipeline::InputKind) within 2^23 - 2^15; beyond, where
    /// f32 has no numbers for the centres of pixels, the plane is moved to there first, and rounded. In pictures that are
    /// larger than a target it is moved wherever distances would need more than 24 bits.
    #[must_use]
    pub fn anchor(mut self, anchor: [f32; 2]) -> Self {
        match anchor::snapped(anchor) {
            Ok(anchor) => self.state.anchor = anchor,
            Err(error) => self.fail(error),
        }
        self
    }

    /// Makes the targets a tile of a larger picture, see [`Frame::origin`].
    #[must_use]
    pub fn origin(mut self, origin: [i32; 2], picture: [u32; 2]) -> Self {
        self.tile = Some(Tile { origin, picture });
        self
    }

    /// Stores output `o1 + index` to `buffer`.
    #[must_use]
    pub fn target(mut self, index: usize, buffer: impl Into<ColourBuffer<'a>>) -> Self {
        match self.targets.colours.get_mut(index) {
            Some(place) => *place = Some(buffer.into()),
            None => self.fail(DrawError::TargetIndex(index)),
        }
        self
    }

    /// Tests depths against those in `buffer`, and stores them there, as `state` says.
    #[must_use]
    pub fn depth(mut self, buffer: impl Into<DepthBuffer<'a>>, state: DepthState) -> Self {
        self.targets.depth = Some(buffer.into());
        self.state.depth = Some(state);
        self
    }

    /// Mixes the colours of target `index` with what is there.
    #[must_use]
    pub fn blend(mut self, index: usize, blend: Blend) -> Self {
        match self.state.blends.get_mut(index) {
            Some(place) => *place = Some(blend),
            None => self.fail(DrawError::TargetIndex(index)),
        }
        self
    }

    /// The constant colour of blending.
    #[must_use]
    pub fn blend_constant(mut self, colour: [f32; 4]) -> Self {
        self.state.blend_constant = colour;
        self
    }

    /// Stores only these components of target `index`: x is red.
    #[must_use]
    pub fn write_mask(mut self, index: usize, components: Slots) -> Self {
        match self.state.masks.get_mut(index) {
            Some(place) => *place = Some(components),
            None => self.fail(DrawError::TargetIndex(index)),
        }
        self
    }

    /// Keeps fragments whose `o1.w`, on the left, compares like this with `reference`.
    #[must_use]
    pub fn alpha_test(mut self, compare: Compare, reference: f32) -> Self {
        self.state.alpha_test = compare;
        self.state.alpha_reference = reference;
        self
    }

    /// Draws only within this rectangle.
    #[must_use]
    pub fn scissor<T: Into<i64>>(mut self, columns: Range<T>, rows: Range<T>) -> Self {
        self.state.scissor = Some((signed(columns), signed(rows)));
        self
    }

    /// Leaves out triangles that show their front or their back.
    #[must_use]
    pub fn cull(mut self, cull: Cull, front: FrontFace) -> Self {
        self.state.cull = cull;
        self.state.front = front;
        self
    }

    /// Gives triangles that show their back the colours of the back: `i1` and `i2` come from attributes 3 and 4 of
    /// the vertices, each if they have it. The sides are those of [`Draw::cull`]. With a mesh that [clamps
    /// colours](Mesh::clamp_colour), `o3` is clamped as `o1` is.
    #[must_use]
    pub fn two_sided(mut self, two_sided: bool) -> Self {
        self.state.two_sided = two_sided;
        self
    }

    /// Draws triangles only where components of attribute `register` of their vertices are not below 0, linearly in
    /// space between the vertices. Triangles are cut along the line where one is 0. A NaN is below 0. There are at
    /// most eight such components.
    #[must_use]
    pub fn clip_distances(mut self, register: usize, components: Slots) -> Self {
        if !self.state.distances.clip.add(register, components) {
            self.fail(DrawError::Distances);
        }
        self.distance_register(register)
    }

    /// Leaves out triangles for which a component of attribute `register` is below 0, or NaN, at all three vertices.
    /// There are at most eight such components.
    #[must_use]
    pub fn cull_distances(mut self, register: usize, components: Slots) -> Self {
        if !self.state.distances.cull.add(register, components) {
            self.fail(DrawError::Distances);
        }
        self.distance_register(register)
    }

    fn distance_register(mut self, register: usize) -> Self {
        if register >= INPUTS {
            self.fail(DrawError::InputIndex(register));
        }
        self
    }

    /// Places the samples of pixels, as many as targets have: in sixteenths of a pixel from the centre, x to
    /// the right and y down the rows, -8 to 7. Default: the [standard
    /// positions](attila_machine::SamplePositions::standard).
    #[must_use]
    pub fn sample_positions(mut self, positions: &[[i8; 2]]) -> Self {
        self.state.samples.set_positions(positions);
        self
    }

    /// Runs the program for each sample, with inputs at its position, and not once for the pixel.
    #[must_use]
    pub fn sample_shading(mut self, shades: bool) -> Self {
        self.state.samples.shading = shades;
        self
    }

    /// Draws only to these samples, bit n = sample n. The program sees no others covered.
    #[must_use]
    pub fn sample_mask(mut self, mask: u32) -> Self {
        self.state.samples.mask = mask;
        self
    }

    /// Has `o1.w` choose samples besides: of N the first floor(a·N + 0.5), where a is limited to [0, 1] and
    /// a NaN is 1.
    #[must_use]
    pub fn alpha_to_coverage(mut self, chooses: bool) -> Self {
        self.state.samples.alpha_to_coverage = chooses;
        self
    }

    /// Covers pixels of targets with one sample by `samples` samples: a pixel is kept if any of them is.
    /// There can be no depth target, and the program cannot run for each sample.
    #[must_use]
    pub fn raster_samples(mut self, samples: SampleCount) -> Self {
        self.state.samples.raster = Some(samples);
        self
    }

    /// Draws on up to this many threads; 0 is as many as there are processors. There are never more than
    /// these, or than one for every 64 rows. The result is always the same. Without the crate's feature
    /// `threads` it is always one, and so it is for a draw within a run, such as in the answer of a texture unit.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.state.threads = threads;
        self
    }

    /// Tells how many of all pixels are done, again and again while something is drawn: at most about 20 ms
    /// apart, if no quad takes that long, and at last for all of them. The first number never goes back. What is drawn
    /// over counts once, and vertices do not count.
    ///
    /// A break stops the draw with [`DrawError::Stopped`]. Calls come from the threads that draw, one at a time.
    #[must_use]
    pub fn progress(mut self, listener: &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync)) -> Self {
        self.heard = Some(Heard(listener));
        self
    }

    /// Looks at a pixel instead of drawing: targets stay as they are. The interpreter runs the program, for the pixel's
    /// quad alone, so an error of another quad is not found.
    #[must_use]
    pub fn watch(mut self, watch: &'a Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Draws a rectangle of pixels, as far as it is within the targets.
    ///
    /// # Errors
    ///
    /// Something is wrong with the draw, and nothing was drawn; or [`DrawError::Span`] or [`DrawError::Stopped`].
    pub fn rect<T: Into<i64>>(self, columns: Range<T>, rows: Range<T>) -> Result<(), DrawError> {
        self.once(|frame| frame.rect(columns, rows))
    }

    /// Draws a list of quads in its order, for a renderer with its own rasteriser. Pixels outside
    /// the targets are left out.
    ///
    /// # Errors
    ///
    /// As [`Draw::rect`].
    pub fn quads(self, quads: &[Quad]) -> Result<(), DrawError> {
        self.once(|frame| frame.quads(quads))
    }

    /// The same with the covered samples of each fragment. A fragment of pixels with one sample is
    /// covered if sample 0 is.
    ///
    /// # Errors
    ///
    /// As [`Draw::rect`].
    pub fn sample_quads(self, quads: &[SampleQuad]) -> Result<(), DrawError> {
        self.once(|frame| frame.sample_quads(quads))
    }

    /// Draws triangles, each given by the indices of its vertices, one after another. Inputs that
    /// the vertices have attributes for come from there, with perspective, unless
    /// [`Draw::varying`] says [how else](Varying::vertices). `i0.z`, `i0.w` and `i15.w` always do:
    /// depth, 1/w, and the triangle's area in pixels, positive if it shows its front. By default `i55.x` is
    /// the number of the triangle, as raw bits.
    ///
    /// # Errors
    ///
    /// As [`Draw::rect`].
    pub fn triangles(
        mut self,
        vertices: &Vertices<'_>,
        triangles: &[[u32; 3]],
    ) -> Result<(), DrawError> {
        self.default_to_vertices(|register| vertices.gives(register));
        self.once(|frame| frame.triangles(vertices, triangles))
    }

    /// Draws a mesh: its vertices go through their own program first. Inputs are taken from the
    /// outputs of that as they are from [the attributes of triangles](Draw::triangles).
    ///
    /// # Errors
    ///
    /// As [`Draw::rect`]. Errors in the vertices, or from shading them, come before anything is
    /// drawn.
    pub fn mesh(mut self, mesh: &Mesh<'_>) -> Result<(), DrawError> {
        self.default_to_vertices(|register| mesh.gives(register));
        self.once(|frame| frame.mesh(mesh))
    }

    /// Takes inputs that nobody has set from vertices that give them.
    fn default_to_vertices(&mut self, gives: impl Fn(usize) -> bool) {
        for (register, varying) in self.varyings.iter_mut().enumerate().skip(1) {
            if gives(register) {
                varying.get_or_insert(Varying::vertices(Interpolation::Perspective));
            }
        }
    }

    /// Prepares the draw to be repeated every frame.
    ///
    /// The returned draw keeps only the formats of targets and the kinds of varyings: a [`ColourFormat`] or a
    /// [`DepthFormat`] may stand for a target. Plane values are kept as defaults and may be replaced per frame; arrays,
    /// targets, bindings and [`Draw::progress`] must be supplied for every frame.
    ///
    /// # Errors
    ///
    /// Something is wrong with the draw.
    pub fn prepare(self) -> Result<PreparedDraw, DrawError> {
        self.prepared().map(|(prepared, _)| prepared)
    }

    /// Prepares, and draws one frame.
    fn once(
        self,
        draw: impl FnOnce(&mut Frame<'_>) -> Result<(), DrawError>,
    ) -> Result<(), DrawError> {
        let unbound = Bindings::new();
        let bindings = self.bindings.unwrap_or(&unbound);
        let mut arrays = Arrays::default();
        for (register, varying) in self.varyings.iter().enumerate() {
            if let Some(varying) = varying.filter(|it| !it.array.is_empty()) {
                arrays.set(register, varying.array);
            }
        }
        let (tile, heard, watch) = (self.tile, self.heard, self.watch);
        let (mut prepared, targets) = self.prepared()?;
        let mut frame = prepared.frame(bindings);
        frame.targets = targets;
        frame.arrays = arrays;
        frame.tile = tile;
        frame.heard = heard;
        frame.watch = watch;
        draw(&mut frame)
    }

    fn prepared(self) -> Result<(PreparedDraw, Targets<'a>), DrawError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let prepared = PreparedDraw::new(self.shader, self.varyings, &self.targets, self.state)?;
        Ok((prepared, self.targets))
    }

    /// Remembers what was wrong first.
    fn fail(&mut self, error: DrawError) {
        self.fault.get_or_insert(error);
    }
}

/// A range of signed 64-bit numbers.
fn signed<T: Into<i64>>(range: Range<T>) -> Range<i64> {
    range.start.into()..range.end.into()
}
