//! Targets of draws: the memory of arrays as pixels.

use std::ops::Index;

use attila_shader::draw::{Buffer, DepthState, Frame, PixelFormat, Resolve};
use attila_shader::machine::pipeline::TARGETS;
use attila_shader::{ColourFormat, DepthFormat, Draw, SampleCount};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::arrays::{Element, Rows, View, Write};
use crate::errors::value_error;
use crate::values::{Words, word};

const FORMATS: &Words<ColourFormat> = &[
    ("rgba8", ColourFormat::Rgba8),
    ("bgra8", ColourFormat::Bgra8),
    ("rgba8-srgb", ColourFormat::Rgba8Srgb),
    ("rgba16f", ColourFormat::Rgba16F),
    ("rgba32f", ColourFormat::Rgba32F),
    ("r32f", ColourFormat::R32F),
    ("rgb10a2", ColourFormat::Rgb10A2),
    ("r8", ColourFormat::R8),
];

const COLOURS: &str = "an array of shape (height, width, 4) and dtype uint8, float16 or float32, \
    or of shape (height, width) and dtype float32, uint32 or uint8";

const DEPTHS: &str = "an array of shape (height, width) and dtype float32 or uint32";

/// The index of a target by its output: "o1", or 1, is that of index 0.
pub(crate) fn index(key: &Bound<'_, PyAny>) -> PyResult<usize> {
    let number = match key.extract::<String>() {
        Ok(name) => name
            .strip_prefix('o')
            .and_then(|digits| digits.parse().ok()),
        Err(_) => key.extract::<usize>().ok(),
    };
    let number = number.filter(|number| (1..=TARGETS).contains(number));
    number.map(|number| number - 1).ok_or_else(|| {
        PyKeyError::new_err(format!("{key} is not a target: \"o1\" to \"o{TARGETS}\""))
    })
}

const NAMES: [&str; TARGETS] = ["o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8"];

/// Objects for targets: one for the first, a list, or a dict by outputs.
fn by_index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
    if let Ok(dict) = object.cast::<PyDict>() {
        let items = dict.iter();
        return items.map(|(key, it)| Ok((index(&key)?, it))).collect();
    }
    if !object.is_instance_of::<PyList>() && !object.is_instance_of::<PyTuple>() {
        return Ok(vec![(0, object.clone())]);
    }
    let mut objects = Vec::new();
    for (index, object) in object.try_iter()?.enumerate() {
        let object = object?;
        if index >= TARGETS {
            let message = format!("image has more than {TARGETS} arrays");
            return Err(PyValueError::new_err(message));
        }
        if !object.is_none() {
            objects.push((index, object));
        }
    }
    Ok(objects)
}

/// What targets are, without their memory.
#[derive(Clone, Default)]
pub(crate) struct Formats {
    colours: [Option<ColourFormat>; TARGETS],
    pub(crate) depth: Option<DepthFormat>,
    pub(crate) samples: SampleCount,
}

impl Index<usize> for Formats {
    type Output = Option<ColourFormat>;

    fn index(&self, index: usize) -> &Option<ColourFormat> {
        &self.colours[index]
    }
}

impl Formats {
    /// Those that `format` names, for the targets that `image` has.
    pub(crate) fn named(
        image: &[(usize, Bound<'_, PyAny>)],
        format: Option<&Bound<'_, PyAny>>,
        samples: SampleCount,
    ) -> PyResult<Formats> {
        let mut formats = Formats {
            samples,
            ..Formats::default()
        };
        let Some(format) = format else {
            return Ok(formats);
        };
        let named =
            |object: &Bound<'_, PyAny>| word("format", &object.extract::<String>()?, FORMATS);
        if format.is_instance_of::<PyString>() {
            for (index, _) in image {
                formats.colours[*index] = Some(named(format)?);
            }
        } else {
            for (index, format) in by_index(format)? {
                formats.colours[index] = Some(named(&format)?);
            }
        }
        Ok(formats)
    }

    /// The targets that there are.
    pub(crate) fn indices(&self) -> Vec<usize> {
        let all = self.colours.iter().enumerate();
        let given = all.filter(|(_, format)| format.is_some());
        given.map(|(index, _)| index).collect()
    }

    /// Tells a draw which targets it will have.
    pub(crate) fn describe<'a>(&self, mut draw: Draw<'a>, depth: DepthState) -> Draw<'a> {
        for (index, format) in self.colours.iter().enumerate() {
            if let Some(format) = *format {
                draw = draw.target(index, Buffer::from(format).with_samples(self.samples));
            }
        }
        match self.depth {
            Some(format) => draw.depth(Buffer::from(format).with_samples(self.samples), depth),
            None => draw,
        }
    }
}

/// The pixels of an array.
struct Pixels<'a, F> {
    format: F,
    size: [u32; 2],
    samples: SampleCount,
    pitch: usize,
    sample_pitch: usize,
    memory: Write<'a>,
}

impl<F: PixelFormat> Pixels<'_, F> {
    fn buffer(&mut self) -> Buffer<'_, F> {
        let [width, height] = self.size;
        let buffer = Buffer::new(self.format, width, height, self.memory.bytes());
        let buffer = buffer.with_pitch(self.pitch);
        match self.samples {
            SampleCount::One => buffer,
            SampleCount::Two | SampleCount::Four | SampleCount::Eight | SampleCount::Sixteen => {
                let buffer = buffer.with_samples(self.samples);
                buffer.with_sample_pitch(self.sample_pitch)
            }
        }
    }
}

/// The axes of an array without that of the samples, which is the first if there are several.
fn axes<'a>(view: &View<'_, 'a, '_>, samples: SampleCount) -> Option<&'a [usize]> {
    match (samples, view.shape()) {
        (SampleCount::One, shape) => Some(shape),
        (_, [first, rest @ ..]) if *first == samples.count() => Some(rest),
        (_, _) => None,
    }
}

/// What was expected, with an axis for samples if there are several.
fn expected(text: &str, samples: SampleCount) -> String {
    match samples {
        SampleCount::One => text.to_owned(),
        SampleCount::Two | SampleCount::Four | SampleCount::Eight | SampleCount::Sixteen => {
            text.replace("(height", &format!("({}, height", samples.count()))
        }
    }
}

fn colour_format(
    view: &View<'_, '_, '_>,
    named: Option<ColourFormat>,
    samples: SampleCount,
) -> PyResult<ColourFormat> {
    let Some(format) = named else {
        let format = match (axes(view, samples), view.element) {
            (Some([_, _, 4]), Element::U8) => Some(ColourFormat::Rgba8),
            (Some([_, _, 4]), Element::F16) => Some(ColourFormat::Rgba16F),
            (Some([_, _, 4]), Element::F32) => Some(ColourFormat::Rgba32F),
            (Some([_, _]), Element::F32) => Some(ColourFormat::R32F),
            (Some([_, _]), Element::U32) => Some(ColourFormat::Rgb10A2),
            (Some([_, _]), Element::U8) => Some(ColourFormat::R8),
            (_, _) => None,
        };
        return format.ok_or_else(|| view.unexpected(&expected(COLOURS, samples)));
    };
    let bytes = match axes(view, samples) {
        Some([_, _]) => Some(view.item),
        Some([_, _, count]) => Some(view.item * count),
        Some(_) | None => None,
    };
    match bytes == Some(format.size()) && view.element != Element::Other {
        true => Ok(format),
        false => Err(view.unexpected(&expected(
            &format!(
                "an array of shape (height, width) or (height, width, n) with {} bytes for each pixel",
                format.size()
            ),
            samples,
        ))),
    }
}

fn depth_format(view: &View<'_, '_, '_>, samples: SampleCount) -> PyResult<DepthFormat> {
    match (axes(view, samples), view.element) {
        (Some([_, _]), Element::F32) => Ok(DepthFormat::D32F),
        (Some([_, _]), Element::U32) => Ok(DepthFormat::D24),
        (_, _) => Err(view.unexpected(&expected(DEPTHS, samples))),
    }
}

/// Lends the pixels of an array whose shape is right.
fn pixels<'a, F: PixelFormat>(
    view: &View<'_, 'a, '_>,
    format: F,
    samples: SampleCount,
) -> PyResult<Pixels<'a, F>> {
    let first = usize::from(samples != SampleCount::One);
    let (height, width) = (view.shape()[first], view.shape()[first + 1]);
    let row = width * format.bytes();
    let pitch = view.stride(first, row).filter(|pitch| *pitch >= row);
    let rows = Rows {
        row,
        pitch: pitch.unwrap_or(row),
        rows: height,
    };
    let plane = rows.span();
    let sample_pitch = match first {
        0 => Some(plane),
        _ => view.stride(0, plane).filter(|pitch| *pitch >= plane),
    };
    // The last axis is that of the pixel's elements, if it has one.
    let (Some(_), Some(sample_pitch), true) = (pitch, sample_pitch, view.is_packed_from(first + 1))
    else {
        let (bytes, strides) = (format.bytes(), view.strides());
        return Err(view.refused(
            &format!(" with strides of {strides:?} bytes"),
            &format!(
                "pixels of {bytes} bytes next to each other in rows that follow each other without overlap"
            ),
        ));
    };
    let memory = match first {
        0 => view.write(rows)?,
        _ => {
            let planes = Rows {
                row: plane,
                pitch: sample_pitch,
                rows: samples.count(),
            };
            view.write(planes.joined())?
        }
    };
    let side = |pixels: usize| u32::try_from(pixels).map_err(value_error);
    Ok(Pixels {
        format,
        size: [side(width)?, side(height)?],
        samples,
        pitch: rows.pitch,
        sample_pitch,
        memory,
    })
}

/// Makes one sample for each pixel of several, and gives the array that they are stored to.
///
/// `image` has an axis for 2, 4, 8 or 16 samples before the others, as draws with `samples` have it. `out` is an array of the
/// same dtype without that axis; by default a fresh one. `format` is as in `Shader.draw`, or "d32f" or "d24" for depths.
///
/// >>> image = np.zeros((4, 2, 2, 4), np.uint8)
/// >>> image[:2] = 200
/// >>> attila.resolve(image)[0, 0].tolist()
/// [100, 100, 100, 100]
#[pyfunction]
#[pyo3(signature = (image, out=None, *, format=None))]
pub(crate) fn resolve<'py>(
    image: &Bound<'py, PyAny>,
    out: Option<Bound<'py, PyAny>>,
    format: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = image.py();
    let colours = expected(COLOURS, SampleCount::Sixteen).replace("16,", "n,");
    let from = View::new("image", image, &colours)?;
    let samples = from
        .shape()
        .first()
        .and_then(|first| SampleCount::of(*first));
    let samples = samples.filter(|samples| *samples != SampleCount::One && from.shape().len() > 2);
    let samples = samples.ok_or_else(|| from.unexpected(&colours))?;
    let out = match out {
        Some(out) => out,
        None => py
            .import("numpy")?
            .call_method1("empty_like", (image.get_item(0)?,))?,
    };
    let to = View::new("out", &out, COLOURS)?;
    match format {
        Some("d32f" | "d24") => {
            let format = depth_format(&from, samples)?;
            depth_format(&to, SampleCount::One)?;
            resolve_views(py, (&from, &to), format, samples)?;
        }
        _ => {
            let named = format
                .map(|format| word("format", format, FORMATS))
                .transpose()?;
            let format = colour_format(&from, named, samples)?;
            colour_format(&to, Some(format), SampleCount::One)?;
            resolve_views(py, (&from, &to), format, samples)?;
        }
    }
    Ok(out)
}

fn resolve_views<F: Resolve + Send + Sync>(
    py: Python<'_>,
    (from, to): (&View<'_, '_, '_>, &View<'_, '_, '_>),
    format: F,
    samples: SampleCount,
) -> PyResult<()> {
    let mut from = pixels(from, format, samples)?;
    let mut to = pixels(to, format, SampleCount::One)?;
    let resolved = py.detach(|| from.buffer().resolve_to(to.buffer()));
    resolved.map_err(value_error)
}

/// The objects that are to become targets.
pub(crate) struct Objects<'py> {
    pub(crate) colours: Vec<(usize, Bound<'py, PyAny>)>,
    pub(crate) depth: Option<Bound<'py, PyAny>>,
}

impl<'py> Objects<'py> {
    pub(crate) fn new(
        image: &Bound<'py, PyAny>,
        depth: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Objects<'py>> {
        let colours = match image.is_none() {
            true => Vec::new(),
            false => by_index(image)?,
        };
        Ok(Objects { colours, depth })
    }

    fn name(&self, index: usize) -> &'static str {
        match self.colours[..] {
            [(0, _)] => "image",
            _ => NAMES[index],
        }
    }

    /// The formats of targets that are arrays, or names of formats, which become named ones.
    pub(crate) fn formats(&self, named: &mut Formats) -> PyResult<Formats> {
        let mut formats = named.clone();
        for (index, object) in &self.colours {
            if let Ok(name) = object.cast::<PyString>() {
                let format = word("image", &name.to_string_lossy(), FORMATS)?;
                named.colours[*index] = Some(format);
                formats.colours[*index] = Some(format);
                continue;
            }
            let wanted = expected(COLOURS, named.samples);
            let view = View::new(self.name(*index), object, &wanted)?;
            let format = colour_format(&view, named[*index], named.samples)?;
            formats.colours[*index] = Some(format);
        }
        formats.depth = match &self.depth {
            None => None,
            Some(object) if object.is_instance_of::<PyString>() => {
                let names = [("d32f", DepthFormat::D32F), ("d24", DepthFormat::D24)];
                Some(word("depth", &object.extract::<String>()?, &names)?)
            }
            Some(object) => {
                let view = View::new("depth", object, &expected(DEPTHS, named.samples))?;
                Some(depth_format(&view, named.samples)?)
            }
        };
        Ok(formats)
    }

    /// Lends the pixels of all of them.
    pub(crate) fn lend(&self, named: &Formats) -> PyResult<Targets<'_>> {
        let samples = named.samples;
        let mut targets = Targets::default();
        for (index, object) in &self.colours {
            let view = View::new(self.name(*index), object, COLOURS)?;
            let format = colour_format(&view, named[*index], samples)?;
            let pixels = pixels(&view, format, samples)?;
            targets.colours.push((*index, pixels));
        }
        if let Some(object) = &self.depth {
            let view = View::new("depth", object, DEPTHS)?;
            let format = depth_format(&view, samples)?;
            targets.depth = Some(pixels(&view, format, samples)?);
        }
        match targets.colours.is_empty() && targets.depth.is_none() {
            false => Ok(targets),
            true => Err(PyTypeError::new_err(
                "image is None, and there is no depth; expected an array to draw to",
            )),
        }
    }
}

/// Targets with their memory, until they are dropped.
#[derive(Default)]
pub(crate) struct Targets<'a> {
    colours: Vec<(usize, Pixels<'a, ColourFormat>)>,
    depth: Option<Pixels<'a, DepthFormat>>,
}

impl Targets<'_> {
    /// Pixels in a row, and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        let depth = self.depth.as_ref().map(|pixels| pixels.size);
        let first = self.colours.first().map(|(_, pixels)| pixels.size);
        first.or(depth).unwrap_or_default()
    }

    pub(crate) fn set_on<'a>(&'a mut self, mut frame: Frame<'a>) -> Frame<'a> {
        for (index, pixels) in &mut self.colours {
            frame = frame.target(*index, pixels.buffer());
        }
        match &mut self.depth {
            Some(pixels) => frame.depth(pixels.buffer()),
            None => frame,
        }
    }
}
