//! Shapes that draws draw in place of a rectangle: triangles, meshes, lists of quads.

use std::borrow::Cow;

use attila_scene::Names;
use attila_shader::draw::{ClipDepth, Frame, Mesh as LibraryMesh, SampleQuad, Vertices, Viewport};
use attila_shader::geometry::{Geometry as LibraryGeometry, GeometryInput};
use attila_shader::machine::{DEFAULT_ATTRIBUTE, QuadReg};
use attila_shader::{DrawError, VertexAttribute, VertexBuffers, VertexFormat};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Element, Read, Rows, View};
use crate::asked::{Asked, Raised};
use crate::shader::Shader;
use crate::textures::Units;
use crate::values::{Bank, Words, word};

/// Draws a shape on a frame.
pub(crate) type Drawer<'a> = dyn Fn(&mut Frame<'_>) -> Result<(), DrawError> + Sync + 'a;

/// What a draw has to know of a shape.
pub(crate) struct Brought<'a> {
    /// Whether its vertices have input `n`.
    pub(crate) gives: &'a dyn Fn(usize) -> bool,
    pub(crate) arrays: &'a [(usize, &'a [QuadReg])],
    pub(crate) draw: &'a Drawer<'a>,
}

/// Triangles whose vertices are already where they belong in the window.
///
/// `positions` is an array of shape (n, 4) and dtype float32: column and row in pixels, depth from 0 to 1, and 1/w. Those
/// that are missing are 0 and 1. `attributes` are arrays of n rows by the inputs that they become. `indices` are of uint16
/// or uint32, three for each triangle; without them the vertices are those of the triangles in their order.
///
/// >>> shader = attila.assemble("mov o1, i1").prepare()
/// >>> corners = np.array([[0, 0], [8, 0], [0, 8]], np.float32)
/// >>> colours = np.ones((3, 4), np.float32)
/// >>> image = np.zeros((8, 8, 4), np.uint8)
/// >>> shader.draw(image, shape=attila.Triangles(corners, attributes={1: colours}))
/// >>> int((image[..., 0] == 255).sum())
/// 28
#[pyclass(frozen, module = "attila")]
pub(crate) struct Triangles {
    positions: Py<PyAny>,
    indices: Option<Py<PyAny>>,
    attributes: Option<Py<PyDict>>,
}

#[pymethods]
impl Triangles {
    #[new]
    #[pyo3(signature = (positions, indices=None, *, attributes=None))]
    fn new(
        positions: Py<PyAny>,
        indices: Option<Py<PyAny>>,
        attributes: Option<Py<PyDict>>,
    ) -> Triangles {
        Triangles {
            positions,
            indices,
            attributes,
        }
    }
}

/// Triangles whose vertices go through a program of their own. Its output o0 is the position in clip space, and its outputs
/// o1 to o15 become the inputs of the fragment program.
///
/// `attributes` are arrays of shape (n, 1) to (n, 4) by the inputs of the vertex program. Integers of 8 and 16 bits are
/// fractions of the greatest number. `indices` are of uint16 or uint32, three for each triangle; without them the vertices
/// are those of the triangles in their order. `viewport` is (column, row, width, height), by default the whole picture.
/// `zero_to_one` has depths in clip space from 0 to w. `clamp_colour` clamps the first colour to [0, 1].
///
/// >>> vertices = attila.load("mov o0, i0\nmov o1, i1", stage="vertex").prepare()
/// >>> corners = np.array([[-1, -1], [3, -1], [-1, 3]], np.float32)
/// >>> colours = np.array([[255, 0, 0]] * 3, np.uint8)
/// >>> image = np.zeros((8, 8, 4), np.uint8)
/// >>> mesh = attila.Mesh(vertices, {0: corners, 1: colours}, np.array([0, 1, 2], np.uint16))
/// >>> attila.assemble("mov o1, i1").prepare().draw(image, shape=mesh)
/// >>> image[7, 7].tolist()
/// [255, 0, 0, 255]
#[pyclass(frozen, module = "attila")]
pub(crate) struct Mesh {
    shader: Py<Shader>,
    attributes: Py<PyDict>,
    indices: Option<Py<PyAny>>,
    constants: Option<Py<PyDict>>,
    textures: Option<Py<PyDict>>,
    instance: u32,
    viewport: Option<[f32; 4]>,
    depth_range: (f32, f32),
    y_down: bool,
    zero_to_one: bool,
    clamp_colour: bool,
    geometry: Option<Py<Geometry>>,
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (shader, attributes, indices=None, *, constants=None, textures=None, instance=0, viewport=None,
        depth_range=(0.0, 1.0), y_down=false, zero_to_one=false, clamp_colour=true, geometry=None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        shader: Py<Shader>,
        attributes: Py<PyDict>,
        indices: Option<Py<PyAny>>,
        constants: Option<Py<PyDict>>,
        textures: Option<Py<PyDict>>,
        instance: u32,
        viewport: Option<[f32; 4]>,
        depth_range: (f32, f32),
        y_down: bool,
        zero_to_one: bool,
        clamp_colour: bool,
        geometry: Option<Py<Geometry>>,
    ) -> Mesh {
        Mesh {
            shader,
            attributes,
            indices,
            constants,
            textures,
            instance,
            viewport,
            depth_range,
            y_down,
            zero_to_one,
            clamp_colour,
            geometry,
        }
    }
}

/// A geometry program, which makes strips of triangles of the primitives of a `Mesh`.
///
/// The indices of the mesh are those of its `primitives`: "points", "lines" or "triangles". The program runs `invocations`
/// times for each, and each run emits up to `max_vertices` vertices.
///
/// >>> vertices = attila.load("mov o0, i0\n", stage="vertex").prepare()
/// >>> sides = "".join(f"add o0.xy, r0, c{n}\nemit s0\n" for n in range(3))
/// >>> text = f".extended geometry\nlda r0, i0.y, t0\nmov o0, r0\n{sides}"
/// >>> corners = {0: (0, 0, 0, 0), 1: (1, 0, 0, 0), 2: (0, 1, 0, 0)}
/// >>> geometry = attila.Geometry(attila.assemble(text).prepare(), "points", constants=corners)
/// >>> image = np.zeros((8, 8, 4), np.uint8)
/// >>> mesh = attila.Mesh(vertices, {0: np.array([[-1, -1], [0, 0]], np.float32)}, geometry=geometry)
/// >>> attila.assemble("mov o1, c0").prepare().draw(image, constants={0: 1}, shape=mesh)
/// >>> int((image[..., 0] == 255).sum())
/// 12
#[pyclass(frozen, module = "attila")]
pub(crate) struct Geometry {
    shader: Py<Shader>,
    corners: usize,
    constants: Option<Py<PyDict>>,
    textures: Option<Py<PyDict>>,
    max_vertices: usize,
    invocations: u32,
}

const PRIMITIVES: &Words<usize> = &[("points", 1), ("lines", 2), ("triangles", 3)];

#[pymethods]
impl Geometry {
    #[new]
    #[pyo3(signature = (shader, primitives="triangles", *, constants=None, textures=None, max_vertices=1024,
        invocations=1))]
    fn new(
        shader: Py<Shader>,
        primitives: &str,
        constants: Option<Py<PyDict>>,
        textures: Option<Py<PyDict>>,
        max_vertices: usize,
        invocations: u32,
    ) -> PyResult<Geometry> {
        Ok(Geometry {
            shader,
            corners: word("primitives", primitives, PRIMITIVES)?,
            constants,
            textures,
            max_vertices,
            invocations,
        })
    }
}

impl Geometry {
    /// The program for primitives with these vertices.
    fn of<'a>(&'a self, indices: &'a [u32]) -> LibraryGeometry<'a> {
        let input = match self.corners {
            1 => GeometryInput::Points(indices),
            2 => GeometryInput::Lines(indices.as_chunks().0),
            _ => GeometryInput::Triangles(indices.as_chunks().0),
        };
        LibraryGeometry::new(&self.shader.get().shader, input)
            .max_vertices(self.max_vertices)
            .invocations(self.invocations)
    }
}

/// Quads in their order, for a rasteriser of one's own.
///
/// `places` is an array of shape (n, 2) and dtype uint32: the even column and the even row of the upper left pixel of each.
/// `coverage` has shape (n, 4) and dtype uint16, for the upper left, upper right, lower left and lower right pixel: the
/// covered samples, bit n = sample n; by default all. `inputs` are arrays of shape (n, 4, 4) and dtype float32 by inputs:
/// quads, components, pixels.
///
/// >>> shader = attila.assemble("mov o1, i1").prepare()
/// >>> image = np.zeros((4, 4, 4), np.uint8)
/// >>> quads = attila.Quads(np.array([[2, 0]], np.uint32), inputs={1: np.ones((1, 4, 4), np.float32)})
/// >>> shader.draw(image, shape=quads)
/// >>> image[..., 0].tolist()
/// [[0, 0, 255, 255], [0, 0, 255, 255], [0, 0, 0, 0], [0, 0, 0, 0]]
#[pyclass(frozen, module = "attila")]
pub(crate) struct Quads {
    places: Py<PyAny>,
    coverage: Option<Py<PyAny>>,
    inputs: Option<Py<PyDict>>,
}

#[pymethods]
impl Quads {
    #[new]
    #[pyo3(signature = (places, coverage=None, *, inputs=None))]
    fn new(places: Py<PyAny>, coverage: Option<Py<PyAny>>, inputs: Option<Py<PyDict>>) -> Quads {
        Quads {
            places,
            coverage,
            inputs,
        }
    }
}

/// Lends an array without gaps of some elements, whose shape `is_right` says.
fn packed<'a>(
    (name, object): (&str, &'a Bound<'_, PyAny>),
    element: Element,
    is_right: impl Fn(&[usize]) -> bool,
    expected: &str,
) -> PyResult<Read<'a>> {
    let view = View::new(name, object, expected)?;
    if view.element != element || !is_right(view.shape()) {
        return Err(view.unexpected(expected));
    }
    if !view.is_packed_from(0) || !view.is_aligned() {
        return Err(view.refused(", which has gaps or is misaligned", "one without gaps"));
    }
    let bytes = view.shape().iter().product::<usize>() * view.item;
    view.read(Rows {
        row: bytes,
        pitch: bytes,
        rows: 1,
    })
}

/// Indices, or the numbers of as many vertices as there are.
enum Indices<'a> {
    Short(Read<'a>),
    Long(Read<'a>),
    Count(u32),
}

impl<'a> Indices<'a> {
    /// Indices of primitives with so many corners.
    fn new(
        object: Option<&'a Bound<'_, PyAny>>,
        vertices: usize,
        corners: usize,
    ) -> PyResult<Indices<'a>> {
        let Some(object) = object else {
            return Ok(Indices::Count((vertices / corners * corners) as u32));
        };
        let expected = format!(
            "an array of shape ({corners} * n,) or (n, {corners}) and dtype uint16 or uint32"
        );
        let element = View::new("indices", object, &expected)?.element;
        let is_short = element == Element::U16;
        let element = if is_short { Element::U16 } else { Element::U32 };
        let is_right = |shape: &[usize]| match *shape {
            [count] => count.is_multiple_of(corners),
            [_, count] => count == corners,
            _ => false,
        };
        let lent = packed(("indices", object), element, is_right, &expected)?;
        Ok(match is_short {
            true => Indices::Short(lent),
            false => Indices::Long(lent),
        })
    }

    fn numbers(&self) -> Cow<'_, [u32]> {
        match self {
            Indices::Short(lent) => lent
                .numbers::<u16>()
                .iter()
                .map(|it| (*it).into())
                .collect(),
            Indices::Long(lent) => Cow::Borrowed(lent.numbers()),
            Indices::Count(count) => (0..*count).collect(),
        }
    }
}

/// Rows of float32 with 1 to 4 components as vectors, those of the array if it has four.
fn vectors<'a>(name: &str, object: &'a Bound<'_, PyAny>) -> PyResult<LentVectors<'a>> {
    let expected = "an array of shape (n, 4) and dtype float32, or of fewer components";
    let is_right = |shape: &[usize]| matches!(shape, [_, 1..=4]);
    let components = View::new(name, object, expected)?.shape().get(1).copied();
    let lent = packed((name, object), Element::F32, is_right, expected)?;
    let padded = components.filter(|count| *count < 4).map(|count| {
        let rows = lent.numbers::<f32>().chunks_exact(count);
        let padded = rows.map(|row| {
            let mut vector = DEFAULT_ATTRIBUTE;
            vector[..count].copy_from_slice(row);
            vector
        });
        padded.collect()
    });
    Ok(LentVectors { lent, padded })
}

struct LentVectors<'a> {
    lent: Read<'a>,
    padded: Option<Vec<[f32; 4]>>,
}

impl LentVectors<'_> {
    fn get(&self) -> &[[f32; 4]] {
        match &self.padded {
            Some(padded) => padded,
            None => self.lent.numbers(),
        }
    }
}

/// Objects of a dict by their numbers.
type Numbered<'py> = Vec<(usize, Bound<'py, PyAny>)>;

fn numbered<'py>(
    py: Python<'py>,
    dict: Option<&Py<PyDict>>,
    names: &Names,
) -> PyResult<Numbered<'py>> {
    Bank::Input.numbered(dict.map(|dict| dict.bind(py)), names)
}

impl Triangles {
    fn with<R>(&self, py: Python<'_>, run: impl FnOnce(Brought<'_>) -> PyResult<R>) -> PyResult<R> {
        let positions = vectors("positions", self.positions.bind(py))?;
        let indices = self.indices.as_ref().map(|it| it.bind(py));
        let indices = Indices::new(indices, positions.get().len(), 3)?;
        let given = numbered(py, self.attributes.as_ref(), &Names::default())?;
        let names: Vec<String> = given
            .iter()
            .map(|(n, _)| format!("attribute {n}"))
            .collect();
        let lent = given.iter().zip(&names);
        let lent = lent.map(|((number, it), name)| Ok((*number, vectors(name, it)?)));
        let lent = lent.collect::<PyResult<Vec<_>>>()?;
        let mut vertices = Vertices::new(positions.get());
        for (number, attribute) in &lent {
            vertices = vertices.with(*number, attribute.get());
        }
        let indices = indices.numbers();
        let (triangles, _) = indices.as_chunks();
        run(Brought {
            gives: &|register| lent.iter().any(|(number, _)| *number == register),
            arrays: &[],
            draw: &|frame| frame.triangles(&vertices, triangles),
        })
    }
}

/// How integers and floats of attributes are read.
fn vertex_format(element: Element) -> Option<VertexFormat> {
    match element {
        Element::F32 => Some(VertexFormat::Float32),
        Element::F16 => Some(VertexFormat::Float16),
        Element::U8 => Some(VertexFormat::Unorm8),
        Element::U16 => Some(VertexFormat::Unorm16),
        Element::I8 => Some(VertexFormat::Snorm8),
        Element::I16 => Some(VertexFormat::Snorm16),
        Element::U32 => Some(VertexFormat::Uint32),
        Element::I32 => Some(VertexFormat::Sint32),
        Element::Bool | Element::Other => None,
    }
}

/// An attribute of vertices in the memory of an array.
struct Attribute<'a> {
    lent: Read<'a>,
    format: VertexFormat,
    components: usize,
    stride: usize,
    rows: usize,
}

impl<'a> Attribute<'a> {
    fn new(name: &str, object: &'a Bound<'_, PyAny>) -> PyResult<Attribute<'a>> {
        let expected = "an array of shape (n, 1) to (n, 4) of floats of 16 or 32 bits or integers of 8, 16 or 32 bits";
        let view = View::new(name, object, expected)?;
        let (&[rows, components @ 1..=4], Some(format)) =
            (view.shape(), vertex_format(view.element))
        else {
            return Err(view.unexpected(expected));
        };
        let row = components * view.item;
        let stride = view.stride(0, row).filter(|stride| *stride >= row);
        let Some(stride) = stride.filter(|_| view.is_packed_from(1)) else {
            let strides = view.strides();
            return Err(view.refused(
                &format!(" with strides of {strides:?} bytes"),
                "rows that follow each other without overlap",
            ));
        };
        let lent = view.read(Rows {
            row,
            pitch: stride,
            rows,
        })?;
        Ok(Attribute {
            lent,
            format,
            components,
            stride,
            rows,
        })
    }

    fn get(&self) -> VertexAttribute<'_> {
        VertexAttribute {
            stride: self.stride,
            ..VertexAttribute::packed(self.lent.bytes(), self.format, self.components)
        }
    }
}

impl Mesh {
    fn viewport(&self) -> Option<Viewport> {
        let [x, y, width, height] = self.viewport?;
        Some(Viewport {
            depth: self.depth_range.into(),
            y_down: self.y_down,
            ..Viewport::new(x, y, width, height)
        })
    }

    fn with<R>(
        &self,
        py: Python<'_>,
        raised: &Raised,
        run: impl FnOnce(Brought<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        let shader = self.shader.get();
        let names = &shader.loaded.names;
        let given = numbered(py, Some(&self.attributes), names)?;
        let names_of: Vec<String> = given
            .iter()
            .map(|(n, _)| format!("attribute {n}"))
            .collect();
        let lent = given.iter().zip(&names_of);
        let lent = lent.map(|((number, it), name)| Ok((*number, Attribute::new(name, it)?)));
        let lent = lent.collect::<PyResult<Vec<_>>>()?;
        let mut buffers = VertexBuffers::new();
        for (number, attribute) in &lent {
            buffers = buffers.with(*number, attribute.get());
        }
        let vertices = lent.iter().map(|(_, attribute)| attribute.rows).min();
        let indices = self.indices.as_ref().map(|it| it.bind(py));
        let geometry = self.geometry.as_ref().map(Py::get);
        let corners = geometry.map_or(3, |it| it.corners);
        let indices = Indices::new(indices, vertices.unwrap_or(0), corners)?;
        let indices = indices.numbers();
        let units = Units::new(self.textures.as_ref().map(|it| it.bind(py)))?;
        let textures = geometry.and_then(|it| it.textures.as_ref());
        let geometry_units = Units::new(textures.map(|it| it.bind(py)))?;
        let asked = Asked {
            units: &units,
            raised,
        };
        let constants = self.constants.as_ref().map(|it| it.bind(py));
        let bindings = shader.bindings(&asked, constants)?;
        let triangles = match geometry {
            None => indices.as_chunks().0,
            Some(_) => &[],
        };
        let mut mesh = LibraryMesh::new(&shader.shader, &buffers, triangles)
            .bindings(&bindings)
            .instance(self.instance)
            .clamp_colour(self.clamp_colour);
        if let Some(viewport) = self.viewport() {
            mesh = mesh.viewport(viewport);
        }
        if self.zero_to_one {
            mesh = mesh.clip_depth(ClipDepth::ZeroToOne);
        }
        let last = geometry.map_or(shader, |it| it.shader.get());
        let geometry_asked = Asked {
            units: &geometry_units,
            raised,
        };
        let constants = geometry.and_then(|it| it.constants.as_ref());
        let constants = constants.map(|it| it.bind(py));
        let geometry_bindings = last.bindings(&geometry_asked, constants)?;
        if let Some(geometry) = geometry {
            mesh = mesh.geometry(geometry.of(&indices).bindings(&geometry_bindings));
        }
        let usage = last.shader.program().usage();
        run(Brought {
            gives: &|register| usage.writes_output(register),
            arrays: &[],
            draw: &|frame| frame.mesh(&mesh),
        })
    }
}

impl Quads {
    fn with<R>(&self, py: Python<'_>, run: impl FnOnce(Brought<'_>) -> PyResult<R>) -> PyResult<R> {
        let places = packed(
            ("places", self.places.bind(py)),
            Element::U32,
            |shape| matches!(shape, [_, 2]),
            "an array of shape (n, 2) and dtype uint32",
        )?;
        let places: &[[u32; 2]] = places.numbers();
        let coverage = self.coverage.as_ref().map(|it| it.bind(py));
        let coverage = coverage.map(|object| {
            packed(
                ("coverage", object),
                Element::U16,
                |shape| *shape == [places.len(), 4],
                "an array of shape (n, 4) and dtype uint16",
            )
        });
        let coverage = coverage.transpose()?;
        let coverage: Option<&[[u16; 4]]> = coverage.as_ref().map(|lent| lent.numbers());
        let quads = places.iter().enumerate().map(|(at, &[x, y])| SampleQuad {
            x,
            y,
            coverage: coverage.map_or([u16::MAX; 4], |coverage| coverage[at]),
        });
        let quads: Vec<SampleQuad> = quads.collect();
        let given = numbered(py, self.inputs.as_ref(), &Names::default())?;
        let names: Vec<String> = given.iter().map(|(n, _)| format!("input {n}")).collect();
        let expected = "an array of shape (n, 4, 4) and dtype float32";
        let lent = given.iter().zip(&names).map(|((number, it), name)| {
            let is_right = |shape: &[usize]| *shape == [places.len(), 4, 4];
            let lent = packed((name, it), Element::F32, is_right, expected)?;
            Ok((*number, lent))
        });
        let lent = lent.collect::<PyResult<Vec<_>>>()?;
        let arrays = lent.iter().map(|(number, lent)| (*number, lent.numbers()));
        let arrays: Vec<(usize, &[QuadReg])> = arrays.collect();
        run(Brought {
            gives: &|_| false,
            arrays: &arrays,
            draw: &|frame| frame.sample_quads(&quads),
        })
    }
}

/// Whether a texture of a shape is a callable, which only the calling thread calls.
pub(crate) fn has_callables(shape: Option<&Bound<'_, PyAny>>) -> bool {
    let Some(Ok(mesh)) = shape.map(|shape| shape.cast::<Mesh>()) else {
        return false;
    };
    let geometry = mesh.get().geometry.as_ref().map(Py::get);
    let geometry = geometry.and_then(|it| it.textures.as_ref());
    let textures = mesh.get().textures.iter().chain(geometry);
    let mut textures = textures.flat_map(|it| it.bind(mesh.py()));
    textures.any(|(_, texture)| texture.is_callable())
}

/// Hands what a shape brings to `run`.
pub(crate) fn with<R>(
    shape: &Bound<'_, PyAny>,
    raised: &Raised,
    run: impl FnOnce(Brought<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let py = shape.py();
    if let Ok(triangles) = shape.cast::<Triangles>() {
        return triangles.get().with(py, run);
    }
    if let Ok(mesh) = shape.cast::<Mesh>() {
        return mesh.get().with(py, raised, run);
    }
    match shape.cast::<Quads>() {
        Ok(quads) => quads.get().with(py, run),
        Err(_) => {
            let kind = shape.get_type().to_string();
            Err(PyTypeError::new_err(format!(
                "shape is {kind}; expected Triangles, Mesh or Quads"
            )))
        }
    }
}

/// Inputs with a value for each pixel, as the quads of a region have them.
pub(crate) struct PixelInputs {
    quads: Vec<SampleQuad>,
    inputs: Vec<(usize, Vec<QuadReg>)>,
}

impl PixelInputs {
    /// Those of arrays of shape (height, width, n), whose first pixel is the picture's at `origin`.
    pub(crate) fn new(
        given: &[(usize, Bound<'_, PyAny>)],
        size: [u32; 2],
        origin: [i32; 2],
        [left, top, right, bottom]: [i32; 4],
    ) -> PyResult<PixelInputs> {
        let lanes = |x: i32, y: i32| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        let starts = |from: i32, to: i32| (from & !1..to).step_by(2);
        let places = starts(top, bottom).flat_map(|y| starts(left, right).map(move |x| (x, y)));
        let places: Vec<(i32, i32)> = places.collect();
        let quads = places.iter().map(|&(x, y)| SampleQuad {
            x: x as u32,
            y: y as u32,
            coverage: lanes(x, y).map(|(x, y)| {
                let inside = (left..right).contains(&x) && (top..bottom).contains(&y);
                if inside { u16::MAX } else { 0 }
            }),
        });
        let quads = quads.collect();
        let mut inputs = Vec::new();
        for (register, object) in given {
            let name = format!("varying {register}");
            let pixels = PixelValues::new(&name, object, size)?;
            let quad = |&(x, y): &(i32, i32)| {
                let pixels = lanes(x, y).map(|(x, y)| pixels.at(x - origin[0], y - origin[1]));
                std::array::from_fn(|component| pixels.map(|pixel| pixel[component]))
            };
            inputs.push((*register, places.iter().map(quad).collect()));
        }
        Ok(PixelInputs { quads, inputs })
    }

    pub(crate) fn with<R>(&self, run: impl FnOnce(Brought<'_>) -> R) -> R {
        let arrays = self.inputs.iter();
        let arrays: Vec<(usize, &[QuadReg])> = arrays
            .map(|(register, it)| (*register, it.as_slice()))
            .collect();
        run(Brought {
            gives: &|_| false,
            arrays: &arrays,
            draw: &|frame| frame.sample_quads(&self.quads),
        })
    }
}

/// The words of an array of pixels.
struct PixelValues<'a> {
    lent: Read<'a>,
    size: [u32; 2],
    components: usize,
    /// In bytes.
    pitch: usize,
}

impl<'a> PixelValues<'a> {
    fn new(
        name: &str,
        object: &'a Bound<'_, PyAny>,
        size @ [width, height]: [u32; 2],
    ) -> PyResult<PixelValues<'a>> {
        let expected = format!(
            "shape ({height}, {width}, 4), or fewer components, and dtype float32, int32 or uint32, \
             with the components of pixels next to each other"
        );
        let view = View::new(name, object, &expected)?;
        let &[rows, columns, components @ 1..=4] = view.shape() else {
            return Err(view.unexpected(&expected));
        };
        let row = columns * components * view.item;
        let pitch = view.stride(0, row).filter(|pitch| *pitch >= row);
        match pitch.filter(|_| view.element.is_word() && view.is_packed_from(1)) {
            Some(pitch) if [columns, rows] == size.map(|side| side as usize) => {
                let lent = view.read(Rows { row, pitch, rows })?;
                Ok(PixelValues {
                    lent,
                    size,
                    components,
                    pitch,
                })
            }
            Some(_) | None => Err(view.unexpected(&expected)),
        }
    }

    /// The words of a pixel, or of the nearest one.
    fn at(&self, x: i32, y: i32) -> [u32; 4] {
        let clamp = |at: i32, side: u32| (at.max(0) as usize).min(side as usize - 1);
        let (x, y) = (clamp(x, self.size[0]), clamp(y, self.size[1]));
        let start = y * self.pitch + x * self.components * 4;
        let mut words = DEFAULT_ATTRIBUTE.map(f32::to_bits);
        for (component, word) in words.iter_mut().enumerate().take(self.components) {
            let at = start + component * 4;
            *word = bytemuck::pod_read_unaligned(&self.lent.bytes()[at..at + 4]);
        }
        words
    }
}

/// An error where a list of quads and arrays over pixels meet.
pub(crate) fn both() -> PyErr {
    PyValueError::new_err(
        "a varying is an array over pixels, which a draw with `shape` cannot have",
    )
}
