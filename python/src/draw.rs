//! Draws into arrays.
//!
//! ```text
//! keywords ─► Settled ─► Item: a draw that is prepared ─► frame: targets, bindings, tile, shape
//! ```

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attila_scene::setting::bind;
use attila_scene::source::Loaded;
use attila_shader::draw::Interpolation;
use attila_shader::isa::INPUTS;
use attila_shader::machine::pipeline::Blend;
use attila_shader::{Bindings, Draw, PreparedDraw as LibraryDraw, TextureUnit, Varying};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::asked::{Asked, Raised};
use crate::errors::{draw_error, value_error};
use crate::shader::{Shader, constants, set_constants};
use crate::shapes::{self, Brought, PixelInputs};
use crate::signals::{Watch, listener};
use crate::state::{self, State};
use crate::storage::Storage;
use crate::targets::{Formats, Objects, Targets};
use crate::textures::Units;
use crate::values::{Bank, Given, varying};

/// A rectangle as callers give it: left, top, right, bottom.
pub(crate) type Rectangle = [i32; 4];

/// The keywords that say how something is drawn.
pub(crate) struct Keywords<'py> {
    pub(crate) varyings: Option<Bound<'py, PyDict>>,
    pub(crate) constants: Option<Bound<'py, PyDict>>,
    pub(crate) textures: Option<Bound<'py, PyDict>>,
    pub(crate) storage: Option<Bound<'py, PyDict>>,
    pub(crate) format: Option<Bound<'py, PyAny>>,
    pub(crate) blend: Option<Bound<'py, PyAny>>,
    pub(crate) scissor: Option<Rectangle>,
    pub(crate) samples: usize,
    pub(crate) threads: usize,
    pub(crate) state: Option<Py<State>>,
}

/// What is drawn where, besides the keywords.
pub(crate) struct Place<'a, 'py> {
    pub(crate) image: &'a Bound<'py, PyAny>,
    pub(crate) depth: Option<Bound<'py, PyAny>>,
    pub(crate) region: Option<Rectangle>,
    pub(crate) size: Option<[u32; 2]>,
    pub(crate) shape: Option<Bound<'py, PyAny>>,
    pub(crate) progress: Option<Bound<'py, PyAny>>,
}

/// All of a draw but its arrays.
struct Settled {
    shader: attila_shader::Shader,
    loaded: Arc<Loaded>,
    varyings: Vec<(usize, Given)>,
    constants: Vec<(usize, [u32; 4])>,
    units: Units,
    storage: Storage,
    blends: Vec<(usize, Blend)>,
    scissor: Option<Rectangle>,
    threads: usize,
    state: Option<Py<State>>,
    named: Formats,
    formats: Formats,
}

/// A draw that is prepared, and the size of the picture that its planes are for.
struct Item {
    draw: LibraryDraw,
    planes: Option<[u32; 2]>,
}

/// The inputs of a dict.
fn varyings(given: Option<&Bound<'_, PyDict>>, loaded: &Loaded) -> PyResult<Vec<(usize, Given)>> {
    let given = Bank::Input.numbered(given, &loaded.names)?.into_iter();
    given
        .map(|(number, it)| Ok((number, varying(&format!("varying {number}"), &it)?)))
        .collect()
}

impl Settled {
    fn new(
        py: Python<'_>,
        shader: &Shader,
        objects: &Objects<'_>,
        given: &Keywords<'_>,
    ) -> PyResult<Settled> {
        let (loaded, names) = (&shader.loaded, &shader.loaded.names);
        let samples = state::samples("samples", given.samples)?;
        let mut named = Formats::named(&objects.colours, given.format.as_ref(), samples)?;
        let formats = objects.formats(&mut named)?;
        let units = Units::new(given.textures.as_ref())?;
        Ok(Settled {
            shader: shader.shader.clone(),
            varyings: varyings(given.varyings.as_ref(), loaded)?,
            constants: constants(given.constants.as_ref(), names)?,
            threads: units.threads(given.threads),
            units,
            storage: Storage::new(given.storage.as_ref())?,
            blends: state::blends(given.blend.as_ref(), &formats.indices())?,
            scissor: given.scissor,
            state: given.state.as_ref().map(|state| state.clone_ref(py)),
            named,
            formats,
            loaded: loaded.clone(),
        })
    }

    /// Whether an input is an array over pixels.
    fn has_pixels(&self) -> bool {
        let mut varyings = self.varyings.iter();
        varyings.any(|(_, given)| matches!(given, Given::Pixels))
    }

    /// Prepares it for pictures, at first of some size, and for the vertices of a shape.
    fn prepare(
        &self,
        py: Python<'_>,
        size: [u32; 2],
        shape: Option<&Brought<'_>>,
    ) -> PyResult<Item> {
        let mut draw = Draw::new(&self.shader).threads(self.threads);
        let state = self.state.as_ref().map(Py::get);
        let depth = state.map(State::depth).unwrap_or_default();
        if let Some(state) = state {
            draw = state.describe(py, draw, &self.formats.indices())?;
        }
        for (index, blend) in &self.blends {
            draw = draw.blend(*index, *blend);
        }
        if let Some([left, top, right, bottom]) = self.scissor {
            draw = draw.scissor(left..right, top..bottom);
        }
        if let Some(shape) = shape {
            for register in (1..INPUTS).filter(|register| (shape.gives)(*register)) {
                draw = draw.varying(register, Varying::vertices(Interpolation::Perspective));
            }
            for (register, _) in shape.arrays {
                draw = draw.varying(*register, Varying::quads(&[]));
            }
        }
        for (register, given) in &self.varyings {
            draw = draw.varying(*register, given.over(size));
        }
        let draw = self.formats.describe(draw, depth);
        Ok(Item {
            draw: draw.prepare().map_err(value_error)?,
            planes: Some(size),
        })
    }

    fn bindings<'a>(
        &'a self,
        units: &'a dyn TextureUnit,
        constants: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bindings<'a>> {
        let bindings = bind(&self.loaded.directives, Bindings::new()).with_textures(units);
        let mut bindings = self.storage.bind(bindings);
        if let Some(budget) = self
            .state
            .as_ref()
            .and_then(|state| state.get().loop_budget())
        {
            bindings = bindings.with_loop_budget(budget);
        }
        for (number, words) in &self.constants {
            bindings.set_constant_bits(*number, *words);
        }
        set_constants(&mut bindings, constants, &self.loaded.names)?;
        Ok(bindings)
    }

    /// Draws a frame.
    fn draw(&self, py: Python<'_>, item: &mut Item, frame: FrameOf<'_, '_, '_>) -> PyResult<()> {
        let FrameOf {
            targets,
            tile,
            varyings,
            constants,
            shape,
            raised,
            progress,
        } = frame;
        let asked = Asked {
            units: &self.units,
            raised,
        };
        let bindings = self.bindings(asked.unit(), constants)?;
        let watch = Watch::new(progress, self.threads);
        let tell = |done: u64, all: u64| watch.tell(done, all);
        let mut frame = targets.set_on(item.draw.frame(&bindings));
        if shape.is_some() || tile.is_larger_than_a_step() || watch.has_listener() {
            frame = frame.progress(&tell);
        }
        // A frame's planes stay for those that follow.
        if item.planes != Some(tile.picture) {
            for (register, given) in &self.varyings {
                frame = frame.varying(*register, given.over(tile.picture));
            }
        }
        for (register, given) in varyings {
            frame = frame.varying(*register, given.over(tile.picture));
        }
        item.planes = varyings.is_empty().then_some(tile.picture);
        if let Some(origin) = tile.origin {
            frame = frame.origin(origin, tile.picture);
        }
        let [left, top, right, bottom] = tile.region;
        let drawn = match shape {
            None => watch.run(py, || raised.catch(|| frame.rect(left..right, top..bottom))),
            Some(shape) => {
                for (register, array) in shape.arrays {
                    frame = frame.varying(*register, Varying::quads(array));
                }
                watch.run(py, || raised.catch(|| (shape.draw)(&mut frame)))
            }
        };
        drawn?.map_err(|error| draw_error(&error, &watch))
    }
}

/// What changes from frame to frame.
struct FrameOf<'a, 't, 'py> {
    targets: &'a mut Targets<'t>,
    tile: &'a Tile,
    varyings: &'a [(usize, Given)],
    constants: Option<&'a Bound<'py, PyDict>>,
    shape: Option<Brought<'a>>,
    raised: &'a Raised,
    progress: Option<Py<PyAny>>,
}

/// Draws once.
pub(crate) fn draw<'py>(
    py: Python<'py>,
    shader: &Shader,
    place: Place<'_, 'py>,
    keywords: &Keywords<'py>,
) -> PyResult<()> {
    let objects = Objects::new(place.image, place.depth)?;
    let mut settled = Settled::new(py, shader, &objects, keywords)?;
    if shapes::has_callables(place.shape.as_ref()) {
        settled.threads = 1;
    }
    let mut targets = objects.lend(&settled.named)?;
    let tile = Tile::new(targets.size(), place.region, place.size)?;
    if place.shape.is_some() && place.region.is_some() && place.size.is_none() {
        settled.scissor = Some(intersection(settled.scissor, tile.region));
    }
    let progress = listener(py, place.progress)?;
    let raised = Raised::default();
    let pixels = settled.pixels(&keywords.varyings, &targets, &tile)?;
    let run = |shape: Option<Brought<'_>>| {
        let mut item = settled.prepare(py, tile.picture, shape.as_ref())?;
        let frame = FrameOf {
            targets: &mut targets,
            tile: &tile,
            varyings: &[],
            constants: None,
            shape,
            raised: &raised,
            progress,
        };
        settled.draw(py, &mut item, frame)
    };
    match (&place.shape, pixels) {
        (None, None) => run(None),
        (Some(shape), None) => shapes::with(shape, &raised, |shape| run(Some(shape))),
        (None, Some(pixels)) => pixels.with(|shape| run(Some(shape))),
        (Some(_), Some(_)) => Err(shapes::both()),
    }
}

impl Settled {
    /// The inputs that are arrays over pixels, as quads have them.
    fn pixels(
        &self,
        given: &Option<Bound<'_, PyDict>>,
        targets: &Targets<'_>,
        tile: &Tile,
    ) -> PyResult<Option<PixelInputs>> {
        if !self.has_pixels() {
            return Ok(None);
        }
        let mut given = Bank::Input.numbered(given.as_ref(), &self.loaded.names)?;
        let is_pixels = |number: usize| {
            let mut varyings = self.varyings.iter();
            varyings.any(|(it, given)| *it == number && matches!(given, Given::Pixels))
        };
        given.retain(|(number, _)| is_pixels(*number));
        let origin = tile.origin.unwrap_or_default();
        PixelInputs::new(&given, targets.size(), origin, tile.region).map(Some)
    }
}

/// A draw whose inputs, formats and state are settled, for the same draw again and again: `shader.prepare(...)` makes it.
/// Any number of threads may use one.
#[pyclass(frozen, module = "attila")]
pub(crate) struct PreparedDraw {
    settled: Settled,
    first: LibraryDraw,
    /// Those that no thread uses, with their memory.
    free: Mutex<Vec<Item>>,
}

impl PreparedDraw {
    pub(crate) fn new(
        py: Python<'_>,
        shader: &Shader,
        objects: &Objects<'_>,
        keywords: &Keywords<'_>,
    ) -> PyResult<PreparedDraw> {
        let settled = Settled::new(py, shader, objects, keywords)?;
        if settled.has_pixels() {
            return Err(PyValueError::new_err(
                "a varying is an array over pixels, which only `Shader.draw` takes",
            ));
        }
        let item = settled.prepare(py, [1, 1], None)?;
        Ok(PreparedDraw {
            settled,
            first: item.draw.clone(),
            free: Mutex::new(vec![item]),
        })
    }

    fn free(&self) -> MutexGuard<'_, Vec<Item>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PreparedDraw {
    /// Draws into arrays of the formats that it was prepared for. `varyings` and `constants` go over those that it was
    /// prepared with, for this time; varyings have to be of the same kind.
    #[pyo3(signature = (image, *, depth=None, varyings=None, constants=None, region=None, size=None, shape=None,
        progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        depth: Option<Bound<'py, PyAny>>,
        varyings: Option<Bound<'py, PyDict>>,
        constants: Option<Bound<'py, PyDict>>,
        region: Option<Rectangle>,
        size: Option<[u32; 2]>,
        shape: Option<Bound<'py, PyAny>>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let objects = Objects::new(image, depth)?;
        let mut targets = objects.lend(&self.settled.named)?;
        let tile = Tile::new(targets.size(), region, size)?;
        if shape.is_some() && region.is_some() && size.is_none() {
            let message = "a region of a prepared draw with a shape has to be a tile: give `size`";
            return Err(PyValueError::new_err(message));
        }
        if self.settled.threads != 1 && shapes::has_callables(shape.as_ref()) {
            let message = "the mesh has a callable for a texture; prepare the draw with threads=1";
            return Err(PyValueError::new_err(message));
        }
        let varyings = self::varyings(varyings.as_ref(), &self.settled.loaded)?;
        let raised = Raised::default();
        let item = self.free().pop();
        let mut item = item.unwrap_or_else(|| Item {
            draw: self.first.clone(),
            planes: None,
        });
        let progress = listener(py, progress)?;
        let run = |shape: Option<Brought<'_>>| {
            let frame = FrameOf {
                targets: &mut targets,
                tile: &tile,
                varyings: &varyings,
                constants: constants.as_ref(),
                shape,
                raised: &raised,
                progress,
            };
            self.settled.draw(py, &mut item, frame)
        };
        let drawn = match &shape {
            None => run(None),
            Some(shape) => shapes::with(shape, &raised, |shape| run(Some(shape))),
        };
        self.free().push(item);
        drawn
    }

    fn __repr__(&self) -> String {
        let (name, engine) = (&self.settled.loaded.name, self.settled.shader.engine());
        format!("<PreparedDraw of {name:?} on {engine}>")
    }
}

/// What is drawn of a picture, and which part of it an array holds.
pub(crate) struct Tile {
    region: Rectangle,
    picture: [u32; 2],
    /// Where the array begins, if it does not hold the whole picture.
    origin: Option<[i32; 2]>,
}

impl Tile {
    /// Whether a draw of it may be stopped: its first pixels are drawn at once.
    fn is_larger_than_a_step(&self) -> bool {
        let [left, top, right, bottom] = self.region.map(i64::from);
        (right - left) * (bottom - top) > 256
    }

    fn new(image: [u32; 2], region: Option<Rectangle>, size: Option<[u32; 2]>) -> PyResult<Tile> {
        let picture = size.unwrap_or(image);
        let side = |pixels: u32| i32::try_from(pixels).map_err(value_error);
        let whole = [0, 0, side(picture[0])?, side(picture[1])?];
        let region @ [left, top, right, bottom] = region.unwrap_or(whole);
        if left < 0
            || top < 0
            || left > right
            || top > bottom
            || right > whole[2]
            || bottom > whole[3]
        {
            return Err(PyValueError::new_err(format!(
                "region is {region:?}; expected left, top, right and bottom within a picture of {} times {} pixels",
                picture[0], picture[1]
            )));
        }
        if size.is_none() {
            return Ok(Tile {
                region,
                picture,
                origin: None,
            });
        }
        let extent = [right - left, bottom - top];
        if [side(image[0])?, side(image[1])?] != extent {
            return Err(PyValueError::new_err(format!(
                "image has {} times {} pixels; expected those of the region, {} times {}",
                image[0], image[1], extent[0], extent[1]
            )));
        }
        Ok(Tile {
            region,
            picture,
            origin: Some([left, top]),
        })
    }
}

fn intersection(scissor: Option<Rectangle>, region: Rectangle) -> Rectangle {
    let Some(scissor) = scissor else {
        return region;
    };
    let [left, top] = [0, 1].map(|side| scissor[side].max(region[side]));
    let [right, bottom] = [2, 3].map(|side| scissor[side].min(region[side]));
    [left, top, right.max(left), bottom.max(top)]
}
