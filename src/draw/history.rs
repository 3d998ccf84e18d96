//! [`Watch`]: looks at one pixel while something is drawn, and tells its [`History`].

use std::sync::{Mutex, PoisonError};

use attila_isa::Slots;
use attila_machine::pipeline::{Pipeline, SpanError, Surface, Surfaces, TARGETS, TargetName};
use attila_machine::{ExtendedQuadIo, InputSource, LANES, Lanes, QuadReg, QuadState, RegFile};

use super::portable::{self, Interpolation};
use super::rectangle::Rectangle;
use crate::threads::lock;

/// Looks at a pixel: what [`Draw::watch`](super::Draw::watch) and [`Frame::watch`](super::Frame::watch) take.
///
/// ```
/// use attila_shader::draw::{ColourImage, Draw, Fate, Varying, Watch};
/// use attila_shader::{ColourFormat, Engine, Program};
///
/// let program = Program::assemble("mul o1, i6, 0.5")?.validate()?;
/// let shader = Engine::auto().prepare(&program)?;
/// let mut image = ColourImage::new(ColourFormat::Rgba8, 64, 64);
/// let watch = Watch::new([10, 20]);
/// let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4])).target(0, &mut image);
/// draw.watch(&watch).rect(0..64, 0..64)?;
/// let history = watch.history();
/// let [fragment] = &history.fragments[..] else { panic!("a rectangle covers a pixel once") };
/// assert_eq!(fragment.start.io.inputs[6][0], [1.0f32.to_bits(); 4]);
/// assert_eq!(fragment.fates, [Fate::Kept]);
/// assert_eq!(history.after[0].bytes, [127; 4]);
/// assert_eq!(image.pixel::<[u8; 4]>(10, 20), Some([0; 4])); // nothing was drawn
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    pixel: [u32; 2],
    pub(super) seen: Mutex<Seen>,
}

/// What has become of a pixel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct History {
    /// Column and row.
    pub pixel: [u32; 2],
    /// The fragments that cover the pixel, in the order in which they are drawn. A program that runs
    /// [for each sample](super::Draw::sample_shading) makes one for each covered sample.
    pub fragments: Vec<Fragment>,
    /// The samples of all targets before the first of them, target by target, the depth target last.
    pub before: Vec<Stored>,
    /// The same after the last.
    pub after: Vec<Stored>,
    /// The reason why the pixel's quad was not finished: its last fragment runs into it. Nothing is drawn to the pixel
    /// after it.
    pub error: Option<SpanError>,
}

/// A sample of a target.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Stored {
    /// The target.
    pub target: TargetName,
    /// The sample of the pixel.
    pub sample: usize,
    /// Its bytes, as the format has them.
    pub bytes: Vec<u8>,
    /// What they mean: a colour, or a depth in the first component.
    pub value: [f32; 4],
}

/// A primitive on a pixel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fragment {
    /// The index of the triangle or quad in its list, 0 of a rectangle. A triangle that is cut may cover a pixel more
    /// than once.
    pub primitive: u32,
    /// The lane of the quad that is the pixel.
    pub lane: usize,
    /// The sample that the program runs for, if it runs for each.
    pub own: Option<usize>,
    /// The state in which the quad starts, bit for bit what engines start with. The others of its lanes may be helpers:
    /// [`Fragment::coverage`].
    pub start: Box<QuadState>,
    /// Covered samples of each lane, bit n = sample n; of a program that runs for one, that alone. A lane without one
    /// is a helper.
    pub coverage: Lanes<u32>,
    /// The quad after the program; `None` if the program did not run or was not finished.
    pub end: Option<Box<ExtendedQuadIo>>,
    /// What became of each of the pixel's samples.
    pub fates: Vec<Fate>,
    /// The depth tests of its samples.
    pub depths: Vec<DepthStep>,
    /// The colours that its samples stored, sample by sample.
    pub colours: Vec<ColourStep>,
    interpolation: Interpolation,
}

/// What becomes of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// The primitive does not cover it, or it may not be drawn to.
    Uncovered,
    /// The depth test before the program failed. The program has run if another fragment of the quad needed it.
    EarlyDepth,
    /// The program used up its loop budget.
    Unfinished,
    /// The program killed it.
    Killed,
    /// The alpha test failed.
    AlphaTest,
    /// Alpha chose other samples.
    AlphaToCoverage,
    /// The depth test after the program failed.
    Depth,
    /// It was stored, as far as write masks let it.
    Kept,
}

/// A depth test of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct DepthStep {
    /// The sample.
    pub sample: usize,
    /// The fragment's depth, in [0, 1].
    pub depth: f32,
    /// The stored depth.
    pub there: f32,
    /// Whether the two compare as the test wants it.
    pub passed: bool,
}

/// A colour on its way to a sample of a target.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ColourStep {
    /// The colour target that is stored to.
    pub target: usize,
    /// The sample.
    pub sample: usize,
    /// The program's output.
    pub output: [f32; 4],
    /// The colour that was there.
    pub there: [f32; 4],
    /// What blending made of the two, if it does.
    pub blended: Option<[f32; 4]>,
    /// The components that are stored.
    pub mask: Slots,
    /// The colour that is there now.
    pub stored: [f32; 4],
}

impl Watch {
    /// Looks at the pixel in this column and row: of the picture, if targets are [a tile](super::Draw::origin) of one.
    pub fn new(pixel: [u32; 2]) -> Watch {
        let lane = (pixel[0] & 1 | (pixel[1] & 1) << 1) as usize;
        Watch {
            pixel,
            seen: Mutex::new(Seen {
                pixels: Pixels::default(),
                before: None,
                look: Look {
                    lane,
                    ..Look::default()
                },
                error: None,
            }),
        }
    }

    /// Everything that has been seen so far. Shapes that are drawn one after another are as if they were drawn to the
    /// same targets.
    pub fn history(&self) -> History {
        let seen = lock(&self.seen);
        let after = || seen.pixels.stored(seen.look.lane);
        History {
            pixel: self.pixel,
            fragments: seen.look.fragments.clone(),
            before: seen.before.clone().unwrap_or_else(after),
            after: after(),
            error: seen.error.clone(),
        }
    }

    /// The pixel.
    pub(super) fn pixel(&self) -> [u32; 2] {
        self.pixel
    }

    /// The upper left pixel of its quad.
    pub(super) fn quad(&self) -> [u32; 2] {
        self.pixel.map(|at| at & !1)
    }

    /// Copies the pixels of the quad that targets have within `bounds`, at the first time.
    pub(super) fn copy(&self, pipeline: &Pipeline, surfaces: &Surfaces<'_>, bounds: &Rectangle) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.before.is_none() || !seen.pixels.fit(pipeline) {
            seen.pixels = Pixels::copied(self.quad(), pipeline, surfaces, bounds);
            seen.before = Some(seen.pixels.stored(seen.look.lane));
        }
    }
}

impl Fragment {
    /// The sample of a pixel that stands for it in messages: the first that the primitive covers.
    pub fn fate(&self) -> Fate {
        let covered = self.fates.iter().find(|fate| **fate != Fate::Uncovered);
        covered.copied().unwrap_or(Fate::Uncovered)
    }
}

/// Inputs at other places of the quad's pixels, as programs see them in the draw: for
/// [`Bindings::with_inputs`](attila_machine::Bindings::with_inputs).
impl InputSource for Fragment {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        self.interpolation.evaluate(quad, register, offset)
    }
}

/// How the primitives of a shape are numbered.
#[derive(Clone, Copy)]
pub(super) enum Numbers {
    /// There is one.
    One,
    /// By their places in coverage.
    Listed,
    /// By their last plane.
    Triangles,
}

/// What a watch has seen.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) pixels: Pixels,
    before: Option<Vec<Stored>>,
    pub(super) look: Look,
    pub(super) error: Option<SpanError>,
}

/// Takes down what becomes of a lane of a quad.
#[derive(Default, Debug)]
pub(super) struct Look {
    pub(super) lane: usize,
    pub(super) primitive: u32,
    pub(super) interpolation: Option<Interpolation>,
    /// Samples of a pixel.
    pub(super) samples: usize,
    /// The samples that are left.
    alive: u32,
    fragments: Vec<Fragment>,
}

impl Look {
    /// A quad is about to be run.
    pub(super) fn begin(
        &mut self,
        before: ExtendedQuadIo,
        coverage: Lanes<u32>,
        own: Option<usize>,
    ) {
        // Everything else starts at 0.
        let io = ExtendedQuadIo {
            inputs: before.inputs,
            samples: before.samples,
            ..ExtendedQuadIo::default()
        };
        let Some(interpolation) = self.interpolation.clone() else {
            return;
        };
        self.alive = coverage[self.lane];
        let covered = |sample: usize| match self.alive >> sample & 1 {
            0 => Fate::Uncovered,
            _ => Fate::Unfinished,
        };
        self.fragments.push(Fragment {
            primitive: self.primitive,
            lane: self.lane,
            own,
            start: Box::new(QuadState {
                io,
                regs: RegFile::default(),
            }),
            coverage,
            end: None,
            fates: (0..self.samples).map(covered).collect(),
            depths: Vec::new(),
            colours: Vec::new(),
            interpolation,
        });
    }

    fn last(&mut self) -> Option<&mut Fragment> {
        self.fragments.last_mut()
    }

    /// These samples of lanes are left after a step.
    pub(super) fn note(&mut self, fate: Fate, alive: Lanes<u32>) {
        let left = alive[self.lane];
        let lost = self.alive & !left;
        self.alive = left;
        self.set(lost, fate);
    }

    /// Samples that are left are stored.
    pub(super) fn keep(&mut self) {
        self.set(self.alive, Fate::Kept);
    }

    fn set(&mut self, samples: u32, fate: Fate) {
        let fates = self.last().map(|it| &mut it.fates[..]).unwrap_or_default();
        for (sample, place) in fates.iter_mut().enumerate() {
            if samples >> sample & 1 != 0 {
                *place = fate;
            }
        }
    }

    /// The program has run.
    pub(super) fn end(&mut self, io: ExtendedQuadIo) {
        if let Some(fragment) = self.last() {
            fragment.end = Some(Box::new(io));
        }
    }

    pub(super) fn depth(&mut self, step: DepthStep) {
        if let Some(fragment) = self.last() {
            fragment.depths.push(step);
        }
    }

    pub(super) fn colour(&mut self, lane: usize, step: ColourStep) {
        if let Some(fragment) = self.last().filter(|it| it.lane == lane) {
            fragment.colours.push(step);
        }
    }

    /// The quad is done: forgets fragments that are beside the pixel.
    pub(super) fn finish(&mut self) {
        let lane = self.lane;
        self.fragments.retain(|it| it.coverage[lane] != 0);
    }
}

/// The pixels of a quad in all targets.
#[derive(Default, Debug)]
pub(super) struct Pixels {
    quad: [u32; 2],
    pipeline: Pipeline,
    /// For each target, the depth target last, a plane of 2x2 pixels for each sample.
    planes: [Vec<Vec<u8>>; TARGETS + 1],
}

/// Bytes of a pixel of a target; `None` if there is no such target.
fn pixel_bytes(pipeline: &Pipeline, target: usize) -> Option<usize> {
    match pipeline.targets.get(target) {
        Some(colour) => colour.map(|it| it.format.size()),
        None => pipeline.depth.map(|it| it.format.size()),
    }
}

impl Pixels {
    /// A copy of those within `bounds`; others are 0.
    fn copied(
        quad: [u32; 2],
        pipeline: &Pipeline,
        surfaces: &Surfaces<'_>,
        bounds: &Rectangle,
    ) -> Pixels {
        let all = surfaces.colours.iter().chain([&surfaces.depth]);
        let mut planes: [Vec<Vec<u8>>; TARGETS + 1] = Default::default();
        for (target, (copies, surface)) in planes.iter_mut().zip(all).enumerate() {
            if let (Some(size), Some(surface)) = (pixel_bytes(pipeline, target), surface) {
                let plane = |plane: &&mut [u8]| copied(quad, size, (plane, surface), bounds);
                *copies = surface.planes.iter().map(plane).collect();
            }
        }
        Pixels {
            quad,
            pipeline: pipeline.clone(),
            planes,
        }
    }

    /// Whether they are those of a pipeline with the same formats.
    fn fit(&self, pipeline: &Pipeline) -> bool {
        let formats = |it: &Pipeline| {
            let colours = it.targets.map(|target| target.map(|it| it.format));
            (colours, it.depth.map(|it| it.format), it.stored())
        };
        formats(&self.pipeline) == formats(pipeline)
    }

    /// As an engine sees them.
    pub(super) fn surfaces(&mut self) -> Surfaces<'_> {
        let (quad, pipeline) = (self.quad, &self.pipeline);
        let mut planes = self.planes.iter_mut().enumerate();
        let mut next = || {
            let (target, planes) = planes.next()?;
            let planes = planes.iter_mut().map(Vec::as_mut_slice);
            Some(Surface {
                planes: planes.collect(),
                pitch: 2 * pixel_bytes(pipeline, target)?,
                origin: quad,
            })
        };
        Surfaces {
            colours: std::array::from_fn(|_| next()),
            depth: next(),
        }
    }

    /// The samples of a lane.
    fn stored(&self, lane: usize) -> Vec<Stored> {
        let targets = self.planes.iter().enumerate();
        let samples = targets.flat_map(|(target, planes)| {
            let planes = planes.iter().enumerate();
            planes.filter_map(move |(sample, plane)| {
                let size = pixel_bytes(&self.pipeline, target)?;
                let bytes = &plane[lane * size..][..size];
                Some(self.decoded(target, sample, bytes))
            })
        });
        samples.collect()
    }

    fn decoded(&self, target: usize, sample: usize, bytes: &[u8]) -> Stored {
        let word = portable::words(bytes)[0];
        let depth = self.pipeline.depth.map(|it| it.format);
        let depth = depth.map_or(0.0, |format| portable::stored_depth(format, word));
        let colour = self.pipeline.targets.get(target).copied().flatten();
        Stored {
            target: match target {
                TARGETS => TargetName::Depth,
                index => TargetName::Colour(index),
            },
            sample,
            bytes: bytes.to_vec(),
            value: colour.map_or([depth, 0.0, 0.0, 0.0], |it| {
                portable::load(it.format, bytes)
            }),
        }
    }
}

/// The pixels of a quad in a plane of a surface, those within `bounds`.
fn copied(
    [x, y]: [u32; 2],
    size: usize,
    (plane, surface): (&[u8], &Surface<'_>),
    bounds: &Rectangle,
) -> Vec<u8> {
    let mut copy = vec![0; LANES * size];
    for (lane, pixel) in copy.chunks_exact_mut(size).enumerate() {
        let (column, row) = (x + (lane as u32 & 1), y + (lane as u32 >> 1));
        if bounds.columns.contains(&column) && bounds.rows.contains(&row) {
            let [left, top] = surface.origin;
            let from = (row - top) as usize * surface.pitch + (column - left) as usize * size;
            pixel.copy_from_slice(&plane[from..][..size]);
        }
    }
    copy
}
