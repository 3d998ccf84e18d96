//! Shaders: programs that are ready to run on an engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_scene::Names;
use attila_scene::setting::bind;
use attila_scene::source::Loaded;
use attila_shader::Bindings;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::asked::{Asked, Raised};
use crate::draw::{self, Keywords, Place, PreparedDraw, Rectangle};
use crate::errors::map_error;
use crate::map::{self, Arrays};
use crate::program::Program;
use crate::recipe::Pickled;
use crate::signals::{Watch, listener};
use crate::state::State;
use crate::storage::{self, Storage};
use crate::targets::Objects;
use crate::textures::Units;
use crate::values::{Bank, words};

/// A program that is ready to run. Shaders do not change: any number of threads may use one.
///
/// Where something has a register, it is given by its number, by the machine's name, or by that of the program's text:
/// 6, "i6" or "fragment.texcoord[0]". Values are four numbers, or one for all components; arrays of int32 and uint32 hold
/// their bits.
///
/// `textures` are by their units: a `Texture`, an array of shape (height, width, n), or a callable. A callable gets an array
/// of shape (n, 4) with the coordinates of n pixels, as float32, or as int32 for fetches, and answers with an array of the
/// same shape, or one that NumPy broadcasts to it. It is called with the lock held, on the calling thread, on which all is
/// drawn then. An exception in it ends the call, and is raised by it.
///
/// `storage` has arrays of float32, int32 or uint32 by the numbers of storage buffers, or names such as "u1". They are
/// copied; `map` copies back what a program has written, and draws refuse programs that write.
///
/// `threads=0` is as many as there are processors. `progress=True` shows a bar where tqdm is installed. A callable gets the
/// finished and all pixels, or elements; if it returns False, the call ends with `Stopped`.
#[pyclass(frozen, module = "attila")]
pub(crate) struct Shader {
    pub(crate) shader: attila_shader::Shader,
    pub(crate) loaded: Arc<Loaded>,
    /// What it was prepared of.
    #[pyo3(get)]
    program: Py<Program>,
    /// The engine that was asked for.
    asked: String,
}

/// Constants by numbers and names.
pub(crate) fn constants(
    given: Option<&Bound<'_, PyDict>>,
    names: &Names,
) -> PyResult<Vec<(usize, [u32; 4])>> {
    let given = Bank::Constant.numbered(given, names)?.into_iter();
    given
        .map(|(number, it)| Ok((number, words(&format!("constant {number}"), &it)?)))
        .collect()
}

/// Sets them.
pub(crate) fn set_constants(
    bindings: &mut Bindings<'_>,
    given: Option<&Bound<'_, PyDict>>,
    names: &Names,
) -> PyResult<()> {
    for (number, value) in constants(given, names)? {
        bindings.set_constant_bits(number, value);
    }
    Ok(())
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

    /// Constants and textures, over those that the program's text has.
    pub(crate) fn bindings<'a>(
        &'a self,
        asked: &'a Asked<'_>,
        constants: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bindings<'a>> {
        let mut bindings =
            bind(&self.loaded.directives, Bindings::new()).with_textures(asked.unit());
        set_constants(&mut bindings, constants, &self.loaded.names)?;
        Ok(bindings)
    }

    /// The arrays of a map.
    fn arrays<'py>(
        &self,
        inputs: &Bound<'py, PyDict>,
        outputs: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyDict>>,
        killed: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Arrays<'py>> {
        let (names, usage) = (&self.loaded.names, self.loaded.program.usage());
        let written = 0..usage.outputs.len();
        let written = written.filter(|register| out.is_none() && usage.writes_output(*register));
        let outputs = map::chosen(names, outputs, written)?;
        Arrays::new(inputs.py(), names, inputs, &outputs, (out, killed))
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

    /// Runs the program for each row of arrays, and gives an array for each output, by its number.
    ///
    /// An input is an array of shape (n, 1) to (n, 4), whose components that are missing are 0, 0 and 1; a tuple of arrays
    /// of shape (n,), one for each component; or a value for all. They are of float32, or of int32 or uint32 as bits, and
    /// are used where they are if their layout allows it, which `explain` tells.
    ///
    /// `outputs` are by default all that the program writes, of shape (n, 4) and dtype float32. `out` has arrays, or tuples
    /// of arrays of shape (n,), that are written in place; then only `outputs` that are named have fresh ones. `killed` is
    /// an array of shape (n,) and dtype bool or uint8 that tells which rows were killed; their results stay as they are,
    /// which is 0 in fresh arrays. `quads=True` makes four rows a quad, with derivatives.
    ///
    /// >>> shader = attila.assemble("mad o1, i1, c0, i2").prepare()
    /// >>> rows = np.arange(8, dtype=np.float32).reshape(2, 4)
    /// >>> shader.map({1: rows, 2: 0.5}, constants={0: (1, 2, 3, 4)})[1].tolist()
    /// [[0.5, 2.5, 6.5, 12.5], [4.5, 10.5, 18.5, 28.5]]
    #[pyo3(signature = (inputs, *, constants=None, textures=None, storage=None, outputs=None, out=None, killed=None,
        quads=false, threads=1, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn map<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyDict>,
        constants: Option<Bound<'py, PyDict>>,
        textures: Option<Bound<'py, PyDict>>,
        storage: Option<Bound<'py, PyDict>>,
        outputs: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyDict>>,
        killed: Option<Bound<'py, PyAny>>,
        quads: bool,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<BTreeMap<usize, Bound<'py, PyAny>>> {
        let units = Units::new(textures.as_ref())?;
        let threads = units.threads(threads);
        let arrays = self.arrays(inputs, outputs.as_ref(), out.as_ref(), killed)?;
        let raised = Raised::default();
        let asked = Asked {
            units: &units,
            raised: &raised,
        };
        let buffers = Storage::new(storage.as_ref())?;
        let bindings = buffers.bind(self.bindings(&asked, constants.as_ref())?);
        let stored = Bank::Storage.numbered(storage.as_ref(), &self.loaded.names)?;
        let written = match self.loaded.program.usage().writes_storage {
            true => buffers.written(&stored)?,
            false => Vec::new(),
        };
        let watch = Watch::new(listener(py, progress)?, threads);
        let tell = |done: usize, all: usize| watch.tell(done as u64, all as u64);
        let mut lent = arrays.lend()?;
        let map = self.shader.map(&bindings).threads(threads).progress(&tell);
        let map = lent.set_on(if quads { map.quads() } else { map });
        let ran = watch.run(py, || raised.catch(|| map.run()));
        ran?.map_err(|error| map_error(&error, &watch))?;
        drop(lent);
        storage::store(written);
        Ok(arrays.results())
    }

    /// Tells how `map` would read and write each array: in place, or why not.
    ///
    /// >>> shader = attila.assemble("add o1, i1, i2").prepare()
    /// >>> rows = np.zeros((8, 4), np.float32)
    /// >>> shader.explain({1: rows, 2: rows[::-1]})
    /// {'i1': 'read in place, by rows', 'i2': 'copied: its rows run backwards or overlap', 'o1': 'a fresh array'}
    #[pyo3(signature = (inputs, *, outputs=None, out=None))]
    fn explain(
        &self,
        inputs: &Bound<'_, PyDict>,
        outputs: Option<Bound<'_, PyAny>>,
        out: Option<Bound<'_, PyDict>>,
    ) -> PyResult<BTreeMap<String, String>> {
        let arrays = self.arrays(inputs, outputs.as_ref(), out.as_ref(), None)?;
        Ok(arrays.explain())
    }

    /// Draws into arrays, in place: output 1 becomes the colour, and killed fragments leave what was there.
    ///
    /// `image` is an array, a list of them for the outputs from o1 on, or a dict such as `{"o1": colours, "o2": normals}`.
    /// Its shape and dtype tell the format: (height, width, 4) of uint8, float16 or float32, or (height, width) of float32,
    /// uint32 (R10G10B10A2) or uint8. `format` tells others: "bgra8", "rgba8-srgb", "rgba8", "rgba16f", "rgba32f", "r32f",
    /// "rgb10a2" or "r8", for all or in a list or dict. Rows may be apart. With `samples`, arrays have an axis for these
    /// before the others. `depth` has shape (height, width) and dtype float32, or uint32 for 24 bits: nearer fragments are
    /// kept, and their depths stored.
    ///
    /// A varying is a text such as "u, v, 0, 1"; four planes of (value at the first pixel, increase to the right, increase
    /// per row); an array of shape (height, width, n) with a value for each pixel of `image`; "perspective", "linear" or
    /// "flat" for an attribute of vertices; or a value.
    ///
    /// `shape` is drawn in place of a rectangle: `Triangles`, `Mesh` or `Quads`. `region` is the part that is drawn of the
    /// picture, (left, top, right, bottom). With `size`, the width and height of the whole picture, `image` holds the region
    /// alone; it has the pixels that the whole picture would have there.
    ///
    /// `blend` is True or "over", "add", an equation such as ("add", "src_alpha", "one"), a dict of two of them for "colour"
    /// and "alpha", or a dict of these by outputs. `scissor` is (left, top, right, bottom), and `state` has the rest. The
    /// lock of the interpreter is released: other threads may draw to other pixels meanwhile.
    ///
    /// >>> shader = attila.assemble("mov o1, i6").prepare()
    /// >>> image = np.zeros((2, 4, 4), np.uint8)
    /// >>> shader.draw(image, varyings={6: "u, v, 0, 1"})
    /// >>> image[1, 3].tolist()
    /// [223, 191, 0, 255]
    #[pyo3(signature = (image, *, depth=None, varyings=None, constants=None, textures=None, storage=None, region=None,
        size=None, shape=None, format=None, blend=None, scissor=None, samples=1, threads=1, state=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        depth: Option<Bound<'py, PyAny>>,
        varyings: Option<Bound<'py, PyDict>>,
        constants: Option<Bound<'py, PyDict>>,
        textures: Option<Bound<'py, PyDict>>,
        storage: Option<Bound<'py, PyDict>>,
        region: Option<Rectangle>,
        size: Option<[u32; 2]>,
        shape: Option<Bound<'py, PyAny>>,
        format: Option<Bound<'py, PyAny>>,
        blend: Option<Bound<'py, PyAny>>,
        scissor: Option<Rectangle>,
        samples: usize,
        threads: usize,
        state: Option<Py<State>>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let place = Place {
            image,
            depth,
            region,
            size,
            shape,
            progress,
        };
        let keywords = Keywords {
            varyings,
            constants,
            textures,
            storage,
            format,
            blend,
            scissor,
            samples,
            threads,
            state,
        };
        draw::draw(py, self, place, &keywords)
    }

    /// Prepares the same draw for frame after frame: `draw` of the result then only takes arrays, and values that change.
    ///
    /// `image` and `depth` are arrays, or names of formats: depths are "d32f" or "d24". The rest is as in `draw`. Inputs
    /// from vertices have to be given, as "perspective", "linear" or "flat".
    ///
    /// >>> shader = attila.assemble("mul o1, i6, c0").prepare()
    /// >>> prepared = shader.prepare("rgba8", varyings={6: 1}, constants={0: 1})
    /// >>> image = np.zeros((2, 2, 4), np.uint8)
    /// >>> prepared.draw(image, constants={0: (1, 0, 1, 1)})
    /// >>> image[0, 0].tolist()
    /// [255, 0, 255, 255]
    #[pyo3(signature = (image, *, depth=None, varyings=None, constants=None, textures=None, storage=None, format=None,
        blend=None, scissor=None, samples=1, threads=1, state=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn prepare<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        depth: Option<Bound<'py, PyAny>>,
        varyings: Option<Bound<'py, PyDict>>,
        constants: Option<Bound<'py, PyDict>>,
        textures: Option<Bound<'py, PyDict>>,
        storage: Option<Bound<'py, PyDict>>,
        format: Option<Bound<'py, PyAny>>,
        blend: Option<Bound<'py, PyAny>>,
        scissor: Option<Rectangle>,
        samples: usize,
        threads: usize,
        state: Option<Py<State>>,
    ) -> PyResult<PreparedDraw> {
        let objects = Objects::new(image, depth)?;
        let keywords = Keywords {
            varyings,
            constants,
            textures,
            storage,
            format,
            blend,
            scissor,
            samples,
            threads,
            state,
        };
        PreparedDraw::new(py, self, &objects, &keywords)
    }

    fn __repr__(&self) -> String {
        format!("<Shader of {:?} on {}>", self.loaded.name, self.engine())
    }
}
