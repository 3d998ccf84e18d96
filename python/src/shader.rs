//! Shaders: maps over arrays, and draws into them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use attila_scene::setting::bind;
use attila_scene::source::Loaded;
use attila_shader::draw::DepthState;
use attila_shader::machine::pipeline::Blend;
use attila_shader::texture::{Sampler, Texture, Textures};
use attila_shader::{Bindings, Column, Draw};
use numpy::ndarray::CowArray;
use numpy::prelude::*;
use numpy::{Ix2, PyArray2, PyReadonlyArray2, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays;
use crate::errors::{draw_error, map_error, value_error};
use crate::program::Program;
use crate::recipe::Pickled;
use crate::signals::Watch;
use crate::values::{Bank, Key, linear, vector};

/// A program that is ready to run. Shaders do not change: any number of threads may use one.
#[pyclass(frozen, module = "attila")]
pub(crate) struct Shader {
    shader: attila_shader::Shader,
    loaded: Arc<Loaded>,
    /// What it was prepared of.
    #[pyo3(get)]
    program: Py<Program>,
    /// The engine that was asked for.
    asked: String,
}

/// Objects of Python by registers.
type Registers<'py> = HashMap<Key, Bound<'py, PyAny>>;

/// The numbers of an input of a map.
enum Input<'py> {
    Array(PyReadonlyArray2<'py, f32>),
    Value([f32; 4]),
}

impl<'py> Input<'py> {
    fn new(register: usize, object: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        let name = format!("input {register}");
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            return vector(&name, object).map(Input::Value);
        };
        if array.shape() == [4] {
            return vector(&name, object).map(Input::Value);
        }
        match arrays::aligned(array)?.cast::<PyArray2<f32>>() {
            Ok(array) if (1..=4).contains(&array.shape()[1]) => {
                Ok(Input::Array(array.try_readonly()?))
            }
            Ok(_) | Err(_) => Err(PyValueError::new_err(format!(
                "{name} is an array of shape {:?} and dtype {}; expected shape (n, 4), or fewer components, and dtype \
                 float32, or four numbers",
                array.shape(),
                array.dtype()
            ))),
        }
    }
}

/// Binds the constants of a program and those that callers set.
fn bindings<'a>(
    loaded: &'a Loaded,
    textures: &'a Textures,
    constants: &Registers<'_>,
) -> PyResult<Bindings<'a>> {
    let mut bindings = bind(&loaded.directives, Bindings::new()).with_textures(textures);
    for (key, value) in constants {
        let number = key.number(&loaded.names, Bank::Constant)?;
        bindings.set_constant(number, vector(&format!("constant {number}"), value)?);
    }
    Ok(bindings)
}

fn textures(given: &HashMap<usize, Bound<'_, PyAny>>) -> PyResult<Textures> {
    let mut textures = Textures::new();
    for (unit, object) in given {
        let image = arrays::texels(&format!("texture {unit}"), object)?;
        let sampler = Sampler::of(image.dimension());
        let texture = Texture::new(image, sampler).map_err(value_error)?;
        textures.bind(*unit, texture).map_err(value_error)?;
    }
    Ok(textures)
}

impl Shader {
    pub(crate) fn new(
        shader: attila_shader::Shader,
        loaded: Arc<Loaded>,
        program: Py<Program>,
        asked: String,
    ) -> Shader {
        Shader {
            shader,
            loaded,
            program,
            asked,
        }
    }
}

#[pymethods]
impl Shader {
    /// The name of the engine that it runs on.
    #[getter]
    fn engine(&self) -> &'static str {
        self.shader.engine()
    }

    /// As its program, which is compiled anew.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Pickled<'py, (Bound<'py, PyTuple>, &str)> {
        let shader = py.import("attila._cache")?.getattr("shader")?;
        let (_, (recipe,)) = self.program.get().__reduce__(py)?;
        Ok((shader, (recipe, &self.asked)))
    }

    /// Runs the program for each row of arrays.
    ///
    /// `inputs` and `constants` are by number or by name. An input is an array of shape (n, 4) or of fewer components, where
    /// the others are 0, 0 and 1, or a value for all: four numbers or one. `outputs` are numbers; by default all that the
    /// program writes. Rows that are killed are 0. `threads=0` is as many as there are processors.
    #[pyo3(signature = (inputs, *, constants=None, textures=None, outputs=None, threads=1, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn map<'py>(
        &self,
        py: Python<'py>,
        inputs: Registers<'py>,
        constants: Option<Registers<'py>>,
        textures: Option<HashMap<usize, Bound<'py, PyAny>>>,
        outputs: Option<Vec<usize>>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<BTreeMap<usize, Bound<'py, PyArray2<f32>>>> {
        let textures = self::textures(&textures.unwrap_or_default())?;
        let bindings = bindings(&self.loaded, &textures, &constants.unwrap_or_default())?;
        let mut given = BTreeMap::new();
        for (key, object) in &inputs {
            let number = key.number(&self.loaded.names, Bank::Input)?;
            given.insert(number, Input::new(number, object)?);
        }
        let mut columns: Vec<(usize, CowArray<'_, f32, Ix2>)> = Vec::new();
        let mut map = self.shader.map(&bindings).threads(threads);
        for (&number, input) in &given {
            match input {
                Input::Array(array) => columns.push((number, array.as_array().into())),
                Input::Value(value) => map = map.input(number, *value),
            }
        }
        // Copies those whose rows are not next to each other.
        for (_, column) in &mut columns {
            if !column.is_standard_layout() {
                *column = CowArray::from(column.as_standard_layout().into_owned());
            }
        }
        let count = columns.first().map(|(_, column)| column.nrows());
        let count = count.ok_or_else(|| {
            PyValueError::new_err("no input is an array; expected at least one of shape (n, 4)")
        })?;
        for (number, column) in &columns {
            let components = column.ncols();
            let numbers = column.as_slice().unwrap_or_default();
            map = map.input(*number, Column::strided(numbers, components, components));
        }
        let outputs = outputs.unwrap_or_else(|| {
            let usage = self.loaded.program.usage();
            let all = 0..usage.outputs.len();
            all.filter(|register| usage.writes_output(*register))
                .collect()
        });
        let mut results = BTreeMap::new();
        for number in outputs {
            results.insert(number, PyArray2::<f32>::zeros(py, [count, 4], false));
        }
        let mut lent: Vec<_> = results
            .iter()
            .map(|(number, array)| (*number, array.readwrite()))
            .collect();
        for (number, array) in &mut lent {
            let (vectors, _) = array.as_slice_mut()?.as_chunks_mut::<4>();
            map = map.output(*number, vectors);
        }
        let watch = Watch::new(progress, threads);
        let tell = |done: usize, all: usize| watch.tell(done as u64, all as u64);
        let map = map.progress(&tell);
        let ran = watch.run(py, || map.run());
        ran.map_err(|error| map_error(&error, &watch))?;
        drop(lent);
        Ok(results)
    }

    /// Draws into an array, in place: output 1 becomes the colour, and killed fragments leave what was there.
    ///
    /// `image` has shape (height, width, 4) and dtype uint8, float16 or float32, or shape (height, width) and dtype float32;
    /// its rows may be apart. `varyings` are texts such as "u, v, 0, 1", or values. `region` is the part that is drawn of
    /// the picture, (left, top, right, bottom). With `size`, the width and height of the whole picture, the array holds the
    /// region alone; it has the pixels that the whole picture would have there. `textures` are arrays of shape
    /// (height, width, 4). `depth` is an array of shape (height, width) and dtype float32: nearer fragments are kept, and
    /// their depths stored. `blend` mixes by the alpha of the program. `progress` is called with the number of pixels that
    /// are done and of all; if it returns False, the draw ends with `Stopped`. The lock of the interpreter is released:
    /// other threads may draw to other pixels meanwhile.
    #[pyo3(signature = (image, *, varyings=None, constants=None, textures=None, region=None, size=None, threads=1,
        blend=false, depth=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        varyings: Option<Registers<'py>>,
        constants: Option<Registers<'py>>,
        textures: Option<HashMap<usize, Bound<'py, PyAny>>>,
        region: Option<[i32; 4]>,
        size: Option<[u32; 2]>,
        threads: usize,
        blend: bool,
        depth: Option<Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let textures = self::textures(&textures.unwrap_or_default())?;
        let bindings = bindings(&self.loaded, &textures, &constants.unwrap_or_default())?;
        let mut pixels = arrays::colour(image)?;
        let mut depths = depth.as_ref().map(arrays::depth).transpose()?;
        let tile = Tile::new(pixels.size(), region, size)?;
        let [width, height] = tile.picture.map(|side| side as usize);
        let mut draw = Draw::new(&self.shader).bindings(&bindings).threads(threads);
        for (key, object) in varyings.iter().flatten() {
            let number = key.number(&self.loaded.names, Bank::Input)?;
            let varying = linear(&format!("varying {number}"), object)?;
            draw = draw.varying(number, varying.over(width, height));
        }
        draw = draw.target(0, pixels.buffer());
        if let Some(depths) = &mut depths {
            draw = draw.depth(depths.buffer(), DepthState::default());
        }
        if blend {
            draw = draw.blend(0, Blend::OVER);
        }
        if let Some(origin) = tile.origin {
            draw = draw.origin(origin, tile.picture);
        }
        let watch = Watch::new(progress, threads);
        let tell = |done: u64, all: u64| watch.tell(done, all);
        let draw = draw.progress(&tell);
        let [left, top, right, bottom] = tile.region;
        let drawn = watch.run(py, || draw.rect(left..right, top..bottom));
        drawn.map_err(|error| draw_error(&error, &watch))
    }

    fn __repr__(&self) -> String {
        format!("<Shader of {:?} on {}>", self.loaded.name, self.engine())
    }
}

/// What is drawn of a picture, and which part of it an array holds.
struct Tile {
    region: [i32; 4],
    picture: [u32; 2],
    /// Where the array begins, if it does not hold the whole picture.
    origin: Option<[i32; 2]>,
}

impl Tile {
    fn new(image: [u32; 2], region: Option<[i32; 4]>, size: Option<[u32; 2]>) -> PyResult<Tile> {
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
