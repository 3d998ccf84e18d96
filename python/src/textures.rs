//! Textures: images in arrays and files, with a sampler.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attila_scene::textures::{TextureOptions, Units as SceneUnits};
use attila_scene::{Error, Host, Message, Names};
use attila_shader::isa::TextureShape as Kind;
use attila_shader::machine::ErrorChain;
use attila_shader::texture::{
    CUBE_FACES, Coordinates, Dimension, Filter, Format, Image, MipMode, Sampler, Size, Srgb,
    Texture as LibraryTexture, Textures, Wrap,
};
use numpy::PyUntypedArray;
use numpy::prelude::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::arrays::{Element, Rows, View};
use crate::errors::value_error;
use crate::program::contents;
use crate::state;
use crate::values::{Bank, Words, word};

const FILTERS: &Words<Filter> = &[("linear", Filter::Linear), ("nearest", Filter::Nearest)];

const MIPS: &Words<MipMode> = &[
    ("none", MipMode::None),
    ("nearest", MipMode::Nearest),
    ("linear", MipMode::Linear),
];

const WRAPS: &Words<Wrap> = &[
    ("repeat", Wrap::Repeat),
    ("clamp", Wrap::Clamp),
    ("edge", Wrap::ClampToEdge),
    ("border", Wrap::ClampToBorder),
    ("mirror", Wrap::MirroredRepeat),
];

const CURVES: &Words<Srgb> = &[
    ("linear", Srgb::Linear),
    ("standard", Srgb::Standard),
    ("power", Srgb::Power),
];

/// The kinds of images, and their names in Python.
const KINDS: &Words<Kind> = &[
    ("2d", Kind::D2),
    ("1d", Kind::D1),
    ("3d", Kind::D3),
    ("cube", Kind::Cube),
    ("rect", Kind::Rect),
    ("buffer", Kind::Buffer),
    ("1d-array", Kind::D1Array),
    ("2d-array", Kind::D2Array),
    ("cube-array", Kind::CubeArray),
    ("2d-ms", Kind::D2Ms),
    ("2d-ms-array", Kind::D2MsArray),
];

/// The axes of an array before those of a texel.
fn axes(kind: Kind) -> &'static str {
    match kind {
        Kind::D1 | Kind::Buffer => "width",
        Kind::D2 | Kind::Rect => "height, width",
        Kind::D3 => "depth, height, width",
        Kind::Cube => "6, height, width",
        Kind::D1Array => "layers, width",
        Kind::D2Array => "layers, height, width",
        Kind::CubeArray => "cubes, 6, height, width",
        Kind::D2Ms => "samples, height, width",
        Kind::D2MsArray => "layers, samples, height, width",
    }
}

/// The image of an array of texels, or blocks, of such a shape.
fn image_of(kind: Kind, shape: &[u32]) -> Option<(Dimension, Size)> {
    let faces = CUBE_FACES as u32;
    Some(match (kind, shape) {
        (Kind::D1, &[w]) => (Dimension::D1, Size::d2(w, 1)),
        (Kind::Buffer, &[w]) => (Dimension::Buffer, Size::d2(w, 1)),
        (Kind::D2, &[h, w]) => (Dimension::D2, Size::d2(w, h)),
        (Kind::Rect, &[h, w]) => (Dimension::Rect, Size::d2(w, h)),
        (Kind::D1Array, &[layers, w]) => (Dimension::D1Array { layers }, Size::d2(w, 1)),
        (Kind::D3, &[depth, height, width]) => (
            Dimension::D3,
            Size {
                width,
                height,
                depth,
            },
        ),
        (Kind::Cube, &[six, h, w]) if six == faces => (Dimension::Cube, Size::d2(w, h)),
        (Kind::D2Array, &[layers, h, w]) => (Dimension::D2Array { layers }, Size::d2(w, h)),
        (Kind::D2Ms, &[samples, h, w]) => (Dimension::D2Ms { samples }, Size::d2(w, h)),
        (Kind::CubeArray, &[cubes, six, h, w]) if six == faces => {
            (Dimension::CubeArray { cubes }, Size::d2(w, h))
        }
        (Kind::D2MsArray, &[layers, samples, h, w]) => {
            (Dimension::D2MsArray { samples, layers }, Size::d2(w, h))
        }
        (
            Kind::D1
            | Kind::D2
            | Kind::D3
            | Kind::Cube
            | Kind::Rect
            | Kind::Buffer
            | Kind::D1Array
            | Kind::D2Array
            | Kind::CubeArray
            | Kind::D2Ms
            | Kind::D2MsArray,
            _,
        ) => return None,
    })
}

/// The format of texels of so many elements, and the element that makes three of them four, by its bytes.
fn format(element: Element, channels: usize) -> Option<(Format, &'static [u8])> {
    let of = |formats: [Format; 3], fourth| {
        let [one, two, four] = formats;
        match channels {
            1 => Some((one, &[][..])),
            2 => Some((two, &[][..])),
            3 => Some((four, fourth)),
            4 => Some((four, &[][..])),
            _ => None,
        }
    };
    use Format as F;
    match element {
        Element::U8 => of([F::R8, F::Rg8, F::Rgba8], &[0xff]),
        Element::U16 => of([F::R16, F::Rg16, F::Rgba16], &[0xff; 2]),
        Element::F16 => of([F::R16F, F::Rg16F, F::Rgba16F], &[0x00, 0x3c]),
        Element::F32 => of([F::R32F, F::Rg32F, F::Rgba32F], &[0x00, 0x00, 0x80, 0x3f]),
        Element::I8 => of([F::R8Sint, F::Rg8Sint, F::Rgba8Sint], &[1]),
        Element::I16 => of([F::R16Sint, F::Rg16Sint, F::Rgba16Sint], &[1, 0]),
        Element::I32 => of([F::R32Sint, F::Rg32Sint, F::Rgba32Sint], &[1, 0, 0, 0]),
        Element::U32 => of([F::R32Uint, F::Rg32Uint, F::Rgba32Uint], &[1, 0, 0, 0]),
        Element::Bool | Element::Other => None,
    }
}

const ELEMENTS: &str =
    "uint8, uint16, float16, float32, or of integers: int8, int16, int32 or uint32";

/// A level of an image.
struct Level {
    dimension: Dimension,
    size: Size,
    format: Format,
    bytes: Vec<u8>,
}

impl Level {
    /// The level that an array holds.
    fn new(
        name: &str,
        object: &Bound<'_, PyAny>,
        kind: Kind,
        named: Option<Format>,
    ) -> PyResult<Level> {
        let object = array(object)?;
        let view = View::new(name, &object, "an array")?;
        let (format, fourth) = texel_format(&view, kind, named)?;
        // The texels of a block are four along each of the last axes.
        let side = if format.is_compressed() { 4 } else { 1 };
        let count = axes(kind).split(',').count();
        let sides = view.shape().iter().take(count).enumerate();
        let sides = sides.map(|(axis, texels)| {
            let side = if axis + 2 < count { 1 } else { side };
            u32::try_from(*texels).ok()?.checked_mul(side)
        });
        let sides: Option<Vec<u32>> = sides.collect();
        let image = sides.and_then(|sides| image_of(kind, &sides));
        let (dimension, size) = image.ok_or_else(|| {
            let axes = axes(kind);
            view.unexpected(&format!("shape ({axes}) or ({axes}, n)"))
        })?;
        Ok(Level {
            dimension,
            size,
            format,
            bytes: bytes(&view, fourth)?,
        })
    }
}

/// The format of an array's texels, and the element that makes three of them four.
fn texel_format(
    view: &View<'_, '_, '_>,
    kind: Kind,
    named: Option<Format>,
) -> PyResult<(Format, &'static [u8])> {
    let (axes, shape) = (axes(kind), view.shape());
    let channels = match shape.len().checked_sub(axes.split(',').count()) {
        Some(0) => Some(1),
        Some(1) => shape.last().copied(),
        Some(_) | None => None,
    };
    let Some(named) = named else {
        let found = channels.and_then(|channels| format(view.element, channels));
        return found.ok_or_else(|| {
            view.unexpected(&format!(
                "shape ({axes}) or ({axes}, n) for n of 1 to 4, and dtype {ELEMENTS}"
            ))
        });
    };
    let (bytes, given) = (texel_bytes(named), channels.map(|it| it * view.item));
    match given == Some(bytes) {
        true => Ok((named, &[])),
        false => {
            let of = if named.is_compressed() {
                "block"
            } else {
                "texel"
            };
            Err(view.unexpected(&format!(
                "shape ({axes}) or ({axes}, n) with {bytes} bytes for each {of}"
            )))
        }
    }
}

/// Bytes of a texel, or of a block.
fn texel_bytes(format: Format) -> usize {
    format.slice_bytes(1, 1)
}

/// The bytes of an array without gaps, with an element after each three if there is one.
fn bytes(view: &View<'_, '_, '_>, fourth: &[u8]) -> PyResult<Vec<u8>> {
    let elements: usize = view.shape().iter().product();
    let row = elements * view.item;
    let lent = view.read(Rows {
        row,
        pitch: row,
        rows: 1,
    })?;
    if fourth.is_empty() {
        return Ok(lent.bytes().to_vec());
    }
    let mut bytes = Vec::with_capacity(row / 3 * 4);
    for texel in lent.bytes().chunks(3 * view.item) {
        bytes.extend_from_slice(texel);
        bytes.extend_from_slice(fourth);
    }
    Ok(bytes)
}

/// The array, without gaps, of an object with the protocol of DLPack, of buffers, or of arrays.
fn array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    let array = match object.cast::<PyUntypedArray>() {
        Ok(_) => object.clone(),
        Err(_) if object.hasattr("__dlpack__")? => numpy.call_method1("from_dlpack", (object,))?,
        Err(_) => numpy.call_method1("asarray", (object,))?,
    };
    match array.cast::<PyUntypedArray>() {
        Ok(it) if it.is_c_contiguous() => Ok(array),
        // That of NumPy makes of no axis one.
        Ok(_) | Err(_) => numpy.call_method1("ascontiguousarray", (array,)),
    }
}

/// How callers describe a sampler.
struct Sampling<'a, 'py> {
    filter: Option<Bound<'py, PyAny>>,
    wrap: Option<Bound<'py, PyAny>>,
    srgb: Option<Bound<'py, PyAny>>,
    aniso: u32,
    border: Option<[f32; 4]>,
    bias: f32,
    lod: Option<(f32, f32)>,
    compare: Option<&'a str>,
    texels: bool,
}

impl Sampling<'_, '_> {
    /// The sampler for an image.
    fn sampler(&self, image: &Image, srgb: Srgb) -> PyResult<Sampler> {
        let default = Sampler::of(image.dimension());
        let (mag, min, mip) = self.filters(image.levels().len() > 1)?;
        let (lod_min, lod_max) = self.lod.unwrap_or((default.lod_min, default.lod_max));
        Ok(Sampler {
            mag,
            min,
            mip,
            wrap: self.wraps(default.wrap)?,
            lod_min,
            lod_max,
            lod_bias: self.bias,
            max_anisotropy: self.aniso,
            border: self.border.unwrap_or_default(),
            compare: self
                .compare
                .map(|text| state::compare("compare", text))
                .transpose()?,
            coordinates: match self.texels {
                true => Coordinates::Texels,
                false => Coordinates::Normalised,
            },
            srgb: self.curve(srgb)?,
            ..default
        })
    }

    fn filters(&self, has_levels: bool) -> PyResult<(Filter, Filter, MipMode)> {
        let filter = match &self.filter {
            None => Filter::Linear,
            Some(given) => {
                if let Ok((mag, min, mip)) = given.extract::<(String, String, String)>() {
                    let mip = word("the third of filter", &mip, MIPS)?;
                    let filter = |text: &str| word("filter", text, FILTERS);
                    return Ok((filter(&mag)?, filter(&min)?, mip));
                }
                word("filter", &given.extract::<String>()?, FILTERS)?
            }
        };
        let mip = match (has_levels, filter) {
            (false, _) => MipMode::None,
            (true, Filter::Nearest) => MipMode::Nearest,
            (true, Filter::Linear) => MipMode::Linear,
        };
        Ok((filter, filter, mip))
    }

    fn wraps(&self, mut wraps: [Wrap; 3]) -> PyResult<[Wrap; 3]> {
        let Some(given) = &self.wrap else {
            return Ok(wraps);
        };
        if let Ok(all) = given.extract::<String>() {
            return Ok([word("wrap", &all, WRAPS)?; 3]);
        }
        for (wrap, given) in wraps.iter_mut().zip(given.extract::<Vec<String>>()?) {
            *wrap = word("wrap", &given, WRAPS)?;
        }
        Ok(wraps)
    }

    fn curve(&self, default: Srgb) -> PyResult<Srgb> {
        let Some(given) = &self.srgb else {
            return Ok(default);
        };
        match given.cast::<PyBool>() {
            Ok(standard) if standard.is_true() => Ok(Srgb::Standard),
            Ok(_) => Ok(Srgb::Linear),
            Err(_) => word("srgb", &given.extract::<String>()?, CURVES),
        }
    }
}

/// An image with a sampler. Textures do not change: any number of shaders and threads may use one.
///
/// >>> texels = np.arange(4, dtype=np.float32).reshape(1, 1, 4)
/// >>> texture = attila.Texture.from_array(texels, wrap="edge")
/// >>> texture
/// <Texture 2d, 1 times 1 texels of rgba32f>
/// >>> shader = attila.assemble("tex o1, i6, t0").prepare()
/// >>> shader.map({6: np.zeros((1, 2), np.float32)}, textures={0: texture})[1].tolist()
/// [[0.0, 1.0, 2.0, 3.0]]
#[pyclass(frozen, module = "attila")]
pub(crate) struct Texture {
    texture: Mutex<Option<Arc<LibraryTexture>>>,
}

impl Texture {
    fn new(image: impl Into<Arc<Image>>, sampler: Sampler) -> PyResult<Texture> {
        let texture = LibraryTexture::new(image, sampler).map_err(value_error)?;
        Ok(Texture {
            texture: Mutex::new(Some(Arc::new(texture))),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<LibraryTexture>>> {
        self.texture.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self) -> PyResult<Arc<LibraryTexture>> {
        let freed = || PyValueError::new_err("the texture has been freed");
        self.lock().clone().ok_or_else(freed)
    }

    fn image(&self) -> PyResult<Arc<Image>> {
        Ok(self.get()?.image().clone())
    }
}

/// The image of an array, with further levels: those of a list, or all that can be made.
fn image(
    array: &Bound<'_, PyAny>,
    levels: &Bound<'_, PyAny>,
    kind: Kind,
    format: Option<Format>,
) -> PyResult<Image> {
    let base = Level::new("array", array, kind, format)?;
    let (dimension, size, base_format) = (base.dimension, base.size, base.format);
    if let Ok(makes) = levels.cast::<PyBool>() {
        let image = Image::from_texels(dimension, base_format, size, base.bytes);
        let image = image.map_err(value_error)?;
        return match makes.is_true() {
            true => image.with_mipmaps().map_err(value_error),
            false => Ok(image),
        };
    }
    let mut all = vec![base.bytes];
    for given in levels.try_iter()? {
        let number = all.len();
        let level = Level::new(&format!("level {number}"), &given?, kind, format)?;
        let wanted = (dimension, base_format, size.level(number));
        if (level.dimension, level.format, level.size) != wanted {
            let [w, h, d] = wanted.2.axes();
            let name = base_format.name();
            return Err(PyValueError::new_err(format!(
                "level {number} has another size or format than it should have: {w}x{h}x{d} texels of {name}"
            )));
        }
        all.push(level.bytes);
    }
    let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
    Image::from_levels(dimension, base_format, size, &all).map_err(value_error)
}

fn format_named(name: &str) -> PyResult<Format> {
    let found = Format::ALL.iter().find(|format| format.name() == name);
    found
        .copied()
        .ok_or_else(|| PyValueError::new_err(format!("there is no format {name:?} of textures")))
}

/// Opens one file, whatever it is asked for: bytes that Python has read.
struct InMemory<'a>(&'a [u8]);

impl Host for InMemory<'_> {
    fn open(&self, _path: &Path) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(io::Cursor::new(self.0.to_vec())))
    }

    fn report(&self, _file: &str, _text: &str, _messages: Vec<Message>) {}
}

/// The texture of a file, of which only the image counts, and whether that is sRGB.
fn file(name: &str, bytes: &[u8], how: &str) -> PyResult<Arc<LibraryTexture>> {
    let setting = how.parse().map_err(value_error)?;
    let mut units = SceneUnits::default();
    units.set(&TextureOptions {
        settings: vec![setting],
        ..TextureOptions::default()
    });
    let loaded = units.load(1, &InMemory(bytes)).map_err(|faults| {
        let errors = faults.iter().map(|fault| {
            if let Error::Texture { source, .. } = &fault.error {
                return ErrorChain(source).to_string();
            }
            fault.error.to_string()
        });
        value_error(format!("{name}: {}", errors.collect::<Vec<_>>().join("; ")))
    })?;
    let texture = loaded.get(0).cloned();
    texture.ok_or_else(|| value_error(format!("{name} is not an image")))
}

#[pymethods]
impl Texture {
    /// Makes a texture of an array, which is copied: of NumPy, or of whatever has the protocol of DLPack or of buffers.
    ///
    /// `kind` says what the axes are before the last, that of 1 to 4 channels, which may be missing: "2d" (height, width),
    /// "1d", "3d" (depth, height, width), "cube" (6, height, width), "rect", "buffer", "1d-array", "2d-array" (layers,
    /// height, width), "cube-array", "2d-ms" (samples, height, width) or "2d-ms-array". uint8 and uint16 are fractions of
    /// the greatest number, other integers are integers. `format` names any of the formats that the page textures.md lists.
    ///
    /// `levels=True` makes smaller levels, and a list of arrays has them. `filter` is "linear" or "nearest", between levels,
    /// too, or says both and how levels are mixed, as in ("linear", "nearest", "none"). `wrap` is "repeat", "clamp", "edge",
    /// "border" or "mirror", for all axes or for each. `srgb=True` decodes red, green and blue. `aniso` is 1 to 16.
    #[staticmethod]
    #[pyo3(signature = (array, *, levels=None, filter=None, wrap=None, srgb=None, aniso=1, kind="2d", format=None,
        border=None, bias=0.0, lod=None, compare=None, texels=false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn from_array(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        levels: Option<Bound<'_, PyAny>>,
        filter: Option<Bound<'_, PyAny>>,
        wrap: Option<Bound<'_, PyAny>>,
        srgb: Option<Bound<'_, PyAny>>,
        aniso: u32,
        kind: &str,
        format: Option<&str>,
        border: Option<[f32; 4]>,
        bias: f32,
        lod: Option<(f32, f32)>,
        compare: Option<&str>,
        texels: bool,
    ) -> PyResult<Texture> {
        let kind = word("kind", kind, KINDS)?;
        let levels = levels.unwrap_or_else(|| PyBool::new(py, false).to_owned().into_any());
        let image = image(array, &levels, kind, format.map(format_named).transpose()?)?;
        let sampling = Sampling {
            filter,
            wrap,
            srgb,
            aniso,
            border,
            bias,
            lod,
            compare,
            texels,
        };
        let sampler = sampling.sampler(&image, Srgb::Linear)?;
        Texture::new(image, sampler)
    }

    /// Makes a texture of a PNG, JPEG, BMP, TGA or DDS file.
    ///
    /// `kind` is what a picture is cut into: "1d" is its only row, "3d" are `slices` below each other, and "cube" six faces
    /// in a row, a column or a cross. By default it is what the file is. The rest is as in `from_array`, but that `srgb` is
    /// what the file says.
    #[staticmethod]
    #[pyo3(signature = (path, *, levels=None, filter=None, wrap=None, srgb=None, aniso=1, kind=None, slices=None,
        border=None, bias=0.0, lod=None, compare=None, texels=false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        levels: Option<bool>,
        filter: Option<Bound<'_, PyAny>>,
        wrap: Option<Bound<'_, PyAny>>,
        srgb: Option<Bound<'_, PyAny>>,
        aniso: u32,
        kind: Option<&str>,
        slices: Option<u32>,
        border: Option<[f32; 4]>,
        bias: f32,
        lod: Option<(f32, f32)>,
        compare: Option<&str>,
        texels: bool,
    ) -> PyResult<Texture> {
        let kinds = [("2d", ""), ("1d", "1d:"), ("3d", "3d:"), ("cube", "cube:")];
        let prefix = kind.map_or(Ok(""), |kind| word("kind", kind, &kinds))?;
        let slices = slices.map_or_else(String::new, |slices| format!("*{slices}"));
        let how = format!("t0 = {prefix}./file{slices}");
        let bytes = contents(py, &path)?;
        let (name, bytes) = (path.display().to_string(), bytes.as_bytes());
        let loaded = py.detach(|| file(&name, bytes, &how))?;
        let makes = levels == Some(true) && loaded.image().levels().len() == 1;
        let image = match makes {
            true => Arc::new(
                Image::clone(loaded.image())
                    .with_mipmaps()
                    .map_err(value_error)?,
            ),
            false => loaded.image().clone(),
        };
        let sampling = Sampling {
            filter,
            wrap,
            srgb,
            aniso,
            border,
            bias,
            lod,
            compare,
            texels,
        };
        let sampler = sampling.sampler(&image, loaded.sampler().srgb)?;
        Texture::new(image, sampler)
    }

    /// Gives the memory back, if no call uses it. After that it is an error to use the texture.
    fn free(&self) {
        self.lock().take();
    }

    /// The kind of image, such as "2d".
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        let kind = self.image()?.dimension().kind();
        let found = KINDS.iter().find(|(_, it)| *it == kind);
        Ok(found.map_or("", |(name, _)| name))
    }

    /// Texels of the largest level: width, height and depth.
    #[getter]
    fn size(&self) -> PyResult<(u32, u32, u32)> {
        let [width, height, depth] = self.image()?.size().axes();
        Ok((width, height, depth))
    }

    /// The name of the format in which texels are kept.
    #[getter]
    fn format(&self) -> PyResult<&'static str> {
        Ok(self.image()?.format().name())
    }

    /// The number of levels.
    #[getter]
    fn levels(&self) -> PyResult<usize> {
        Ok(self.image()?.levels().len())
    }

    fn __repr__(&self) -> PyResult<String> {
        if self.lock().is_none() {
            return Ok("<Texture, freed>".to_owned());
        }
        let (width, height, depth) = self.size()?;
        let depth = match depth {
            1 => String::new(),
            _ => format!(" times {depth}"),
        };
        let (kind, format) = (self.kind()?, self.format()?);
        Ok(format!(
            "<Texture {kind}, {width} times {height}{depth} texels of {format}>"
        ))
    }
}

/// The texture units of a call.
#[derive(Default)]
pub(crate) struct Units {
    pub(crate) textures: Textures,
    /// Callables by their units.
    pub(crate) callables: Vec<(u8, Py<PyAny>)>,
}

impl Units {
    /// Textures, arrays or callables by their units.
    pub(crate) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Units> {
        let mut units = Units::default();
        for (unit, object) in Bank::Texture.numbered(given, &Names::default())? {
            let texture = match object.cast::<Texture>() {
                Ok(texture) => texture.get().get()?,
                Err(_) if object.is_callable() => {
                    units.callables.push((unit as u8, object.unbind()));
                    continue;
                }
                Err(_) => of_object(unit, &object)?,
            };
            units.textures.bind(unit, texture).map_err(value_error)?;
        }
        Ok(units)
    }

    /// The threads that may run, of as many as are wanted: callables are called on the calling one.
    pub(crate) fn threads(&self, wanted: usize) -> usize {
        match self.callables[..] {
            [] => wanted,
            [..] => 1,
        }
    }
}

/// The texture of an array, with the default sampler.
fn of_object(unit: usize, object: &Bound<'_, PyAny>) -> PyResult<Arc<LibraryTexture>> {
    let is_array = object.is_instance_of::<PyUntypedArray>() || object.hasattr("__dlpack__")?;
    if !is_array {
        let kind = object.get_type().to_string();
        return Err(PyTypeError::new_err(format!(
            "texture {unit} is {kind}; expected a Texture, an array or a callable"
        )));
    }
    let level = Level::new(&format!("texture {unit}"), object, Kind::D2, None)?;
    let image = Image::from_texels(level.dimension, level.format, level.size, level.bytes);
    let image = image.map_err(value_error)?;
    let sampler = Sampler::of(image.dimension());
    let texture = LibraryTexture::new(image, sampler).map_err(value_error)?;
    Ok(Arc::new(texture))
}
