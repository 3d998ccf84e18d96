//! Shapes

use std::borrow::Cow;
use std::ffi::c_void;
use std::ptr::null;

use ::attila_shader::draw::{ClipDepth, Frame, Mesh, Quad, SampleQuad, Vertices, Viewport};
use ::attila_shader::isa::INPUTS;
use ::attila_shader::{VertexAttribute, VertexBuffers, VertexFormat};

use super::frame::{self, Brought};
use super::{attila_draw, attila_frame, attila_rect};
use crate::attila_bytes;
use crate::basics::one_of;
use crate::bindings::attila_bindings;
use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle;
use crate::memory::{Call, Plain, Regions, call};
use crate::shader::attila_shader;
use crate::status::*;

/// 2x2 pixels to be shaded.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_quad {
    /// Column of the left pixels, an even number.
    pub x: u32,
    /// Row of the upper pixels, an even number.
    pub y: u32,
    /// The covered samples of each pixel, bit n = sample n: upper left, upper right, lower left, lower right.
    pub coverage: [u16; 4],
}

/// An input with a register for each quad: 16 numbers, four pixels of x, four of y, four of z, four of w.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_array {
    pub size: usize,
    pub input: usize,
    pub numbers: *const f32,
    /// Number of registers.
    pub count: usize,
}

impl Default for attila_array {
    fn default() -> attila_array {
        attila_array {
            size: size_of::<attila_array>(),
            input: 0,
            numbers: null(),
            count: 0,
        }
    }
}

/// How a component of a vertex attribute is stored, little-endian.
pub type attila_vertex_format = u32;

pub const ATTILA_VERTEX_FLOAT32: attila_vertex_format = 0;
pub const ATTILA_VERTEX_FLOAT16: attila_vertex_format = 1;
/// Fractions of the greatest number.
pub const ATTILA_VERTEX_UNORM8: attila_vertex_format = 2;
pub const ATTILA_VERTEX_UNORM16: attila_vertex_format = 3;
pub const ATTILA_VERTEX_UNORM32: attila_vertex_format = 4;
pub const ATTILA_VERTEX_SNORM8: attila_vertex_format = 5;
pub const ATTILA_VERTEX_SNORM16: attila_vertex_format = 6;
pub const ATTILA_VERTEX_SNORM32: attila_vertex_format = 7;
/// As numbers.
pub const ATTILA_VERTEX_UINT8: attila_vertex_format = 8;
pub const ATTILA_VERTEX_UINT16: attila_vertex_format = 9;
pub const ATTILA_VERTEX_UINT32: attila_vertex_format = 10;
pub const ATTILA_VERTEX_SINT8: attila_vertex_format = 11;
pub const ATTILA_VERTEX_SINT16: attila_vertex_format = 12;
pub const ATTILA_VERTEX_SINT32: attila_vertex_format = 13;

/// An attribute of consecutive vertices in a buffer. Vertices that are not there as a whole have `value`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_attribute {
    pub size: usize,
    /// The number of the attribute, which is that of the vertex program's input.
    pub number: u32,
    pub format: attila_vertex_format,
    pub components: u32,
    /// 1: stored as blue, green, red, alpha.
    pub bgra: u32,
    pub buffer: attila_bytes,
    /// Bytes before the first vertex.
    pub offset: usize,
    /// Bytes from one vertex to the next; 0: the attribute is the same for all.
    pub stride: usize,
    /// The components that are not stored.
    pub value: [f32; 4],
}

impl Default for attila_attribute {
    fn default() -> attila_attribute {
        attila_attribute {
            size: size_of::<attila_attribute>(),
            number: 0,
            format: ATTILA_VERTEX_FLOAT32,
            components: 4,
            bgra: 0,
            buffer: attila_bytes::default(),
            offset: 0,
            stride: 0,
            value: [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// Triangles whose vertices are already where they belong in the window.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_triangles {
    pub size: usize,
    /// Four numbers for each vertex: column and row in pixels, depth from 0 to 1, and 1/w, which is 1 for what is flat on
    /// the screen.
    pub positions: *const f32,
    /// Number of vertices.
    pub count: usize,
    /// Arrays that have four numbers for each vertex.
    pub attributes: *const attila_array,
    pub attribute_count: usize,
    /// Three for each triangle; null: the vertices in their order.
    pub indices: *const c_void,
    pub index_count: usize,
    /// 16 or 32.
    pub index_bits: u32,
    pub reserved: u32,
}

impl Default for attila_triangles {
    fn default() -> attila_triangles {
        attila_triangles {
            size: size_of::<attila_triangles>(),
            positions: null(),
            count: 0,
            attributes: null(),
            attribute_count: 0,
            indices: null(),
            index_count: 0,
            index_bits: 32,
            reserved: 0,
        }
    }
}

/// Triangles whose vertices go through a program of their own. Its output o0 is the position in clip space, and its
/// outputs o1 to o15 become the fragment program's inputs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_mesh {
    pub size: usize,
    /// The vertex program.
    pub shader: *const attila_shader,
    /// Bindings of the vertex program; null: all constants are 0.
    pub bindings: *const attila_bindings,
    pub attributes: *const attila_attribute,
    pub attribute_count: usize,
    /// Three for each triangle; null: the vertices from 0 to `index_count` - 1 in their order.
    pub indices: *const c_void,
    pub index_count: usize,
    /// 16 or 32.
    pub index_bits: u32,
    /// The number of the instance.
    pub instance: u32,
    /// 1: depths in clip space are from 0 to w, as in Direct3D, and not from -w.
    pub zero_to_one: u32,
    /// 1: the first colour is clamped to [0, 1], as by ATTILA's fixed stages.
    pub clamp_colour: u32,
    /// 1: clip space maps to `viewport` and `depth_range`, and not to the whole picture.
    pub has_viewport: u32,
    /// 1: y of clip space grows down the rows of `viewport`.
    pub y_down: u32,
    /// Column, row, width and height.
    pub viewport: [f32; 4],
    pub depth_range: [f32; 2],
}

impl Default for attila_mesh {
    fn default() -> attila_mesh {
        attila_mesh {
            size: size_of::<attila_mesh>(),
            shader: null(),
            bindings: null(),
            attributes: null(),
            attribute_count: 0,
            indices: null(),
            index_count: 0,
            index_bits: 32,
            instance: 0,
            zero_to_one: 0,
            clamp_colour: 1,
            has_viewport: 0,
            y_down: 0,
            viewport: [0.0; 4],
            depth_range: [0.0, 1.0],
        }
    }
}

/// Arrays of vectors, by their inputs.
fn arrays<'a, T: Plain>(
    call: &'a Call,
    (given, count): (*const attila_array, usize),
    regions: &mut Regions,
) -> Outcome<Vec<(usize, &'a [T])>> {
    let mut arrays = Vec::new();
    for array in call.each("arrays", given, count)? {
        if array.input >= INPUTS {
            let message = format!("input i{} does not exist; the last is i63", array.input);
            return Err(Failure::range(message));
        }
        let numbers = array.numbers.cast::<T>();
        regions.reads("array.numbers", numbers, array.count);
        arrays.push((
            array.input,
            call.slice("array.numbers", numbers, array.count)?,
        ));
    }
    Ok(arrays)
}

/// The triangles that indices make: those of the caller, or a list of their own.
fn triangles<'a>(
    call: &'a Call,
    (data, count, bits): (*const c_void, usize, u32),
    regions: &mut Regions,
) -> Outcome<Cow<'a, [[u32; 3]]>> {
    if !count.is_multiple_of(3) {
        return Err(Failure::range(format!(
            "{count} indices are no whole number of triangles"
        )));
    }
    if data.is_null() {
        let count =
            u32::try_from(count).map_err(|_| Failure::range("there are too many indices"))?;
        return Ok((0..count / 3)
            .map(|n| [3 * n, 3 * n + 1, 3 * n + 2])
            .collect());
    }
    match bits {
        32 => {
            regions.reads("indices", data.cast::<u32>(), count);
            let triangles = call.slice("indices", data.cast::<[u32; 3]>(), count / 3)?;
            Ok(Cow::Borrowed(triangles))
        }
        16 => {
            regions.reads("indices", data.cast::<u16>(), count);
            let triangles = call.slice("indices", data.cast::<[u16; 3]>(), count / 3)?;
            Ok(triangles
                .iter()
                .map(|triangle| triangle.map(u32::from))
                .collect())
        }
        other => Err(Failure::range(format!(
            "indices of {other} bits; it has to be 16 or 32"
        ))),
    }
}

/// The inputs of arrays, bit n = input n.
fn inputs<T>(arrays: &[(usize, T)]) -> u64 {
    arrays.iter().fold(0, |all, (input, _)| all | 1 << input)
}

fn buffers<'a>(
    call: &'a Call,
    mesh: &attila_mesh,
    regions: &mut Regions,
) -> Outcome<VertexBuffers<'a>> {
    let mut buffers = VertexBuffers::new();
    for given in call.each("mesh.attributes", mesh.attributes, mesh.attribute_count)? {
        let bytes = call.bytes("attribute.buffer", given.buffer)?;
        regions.reads("attribute.buffer", bytes.as_ptr(), bytes.len());
        let attribute = VertexAttribute {
            bytes,
            offset: given.offset,
            stride: given.stride,
            format: one_of("`attribute.format`", given.format, &VERTEX_FORMATS)?,
            components: given.components as usize,
            default: given.value,
            bgra: given.bgra != 0,
        };
        buffers = buffers.with(given.number as usize, attribute);
    }
    Ok(buffers)
}

const VERTEX_FORMATS: [VertexFormat; 14] = [
    VertexFormat::Float32,
    VertexFormat::Float16,
    VertexFormat::Unorm8,
    VertexFormat::Unorm16,
    VertexFormat::Unorm32,
    VertexFormat::Snorm8,
    VertexFormat::Snorm16,
    VertexFormat::Snorm32,
    VertexFormat::Uint8,
    VertexFormat::Uint16,
    VertexFormat::Uint32,
    VertexFormat::Sint8,
    VertexFormat::Sint16,
    VertexFormat::Sint32,
];

/// The part of the window that a mesh is mapped to, in a picture of some size.
fn viewport(mesh: &attila_mesh) -> Option<Viewport> {
    let [x, y, width, height] = mesh.viewport;
    (mesh.has_viewport != 0).then_some(Viewport {
        depth: mesh.depth_range,
        y_down: mesh.y_down != 0,
        ..Viewport::new(x, y, width, height)
    })
}

/// Draws a rectangle of pixels, as far as it is within the images. Nothing may be null but `error`. Callable from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_rect(
    draw: *mut attila_draw,
    frame: *const attila_frame,
    area: attila_rect,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let attila_rect { x0, y0, x1, y1 } = area;
        let rect = |frame: &mut Frame<'_>| frame.rect(x0..x1, y0..y1);
        frame::draw(call, draw, frame, Brought::default(), rect)
    })
}

/// Draws quads in their order, for a renderer with its own rasteriser. `arrays` has what inputs of the kind
/// ATTILA_INPUT_ARRAY hold for each quad; it may be null if there are none, and `error` may be null. Callable from any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_quads(
    draw: *mut attila_draw,
    frame: *const attila_frame,
    quads: *const attila_quad,
    quad_count: usize,
    arrays: *const attila_array,
    array_count: usize,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let given = call.slice("quads", quads, quad_count)?;
        let quads = given
            .iter()
            .map(|&attila_quad { x, y, coverage }| Quad { x, y, coverage });
        let quads: Vec<SampleQuad> = quads.collect();
        let mut brought = Brought::default();
        brought.regions.reads("quads", given.as_ptr(), given.len());
        brought.arrays = self::arrays(call, (arrays, array_count), &mut brought.regions)?;
        frame::draw(call, draw, frame, brought, |frame| {
            frame.sample_quads(&quads)
        })
    })
}

/// Draws triangles. Inputs that the vertices have attributes for come from there, in perspective, unless they are set
/// otherwise. Nothing may be null but `error` and what the struct says. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_triangles(
    draw: *mut attila_draw,
    frame: *const attila_frame,
    triangles: *const attila_triangles,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let given = call.given("triangles", triangles)?;
        let mut brought = Brought::default();
        let regions = &mut brought.regions;
        let indices = match given.indices.is_null() {
            true => (given.indices, given.count, 0),
            false => (given.indices, given.index_count, given.index_bits),
        };
        let triangles = self::triangles(call, indices, regions)?;
        let attributes = (given.attributes, given.attribute_count);
        let attributes: Vec<(usize, &[[f32; 4]])> = arrays(call, attributes, regions)?;
        let positions = given.positions.cast::<[f32; 4]>();
        regions.reads("triangles.positions", positions, given.count);
        let mut vertices =
            Vertices::new(call.slice("triangles.positions", positions, given.count)?);
        for (input, values) in &attributes {
            vertices = vertices.with(*input, values);
        }
        brought.vertices = inputs(&attributes);
        frame::draw(call, draw, frame, brought, |frame| {
            frame.triangles(&vertices, &triangles)
        })
    })
}

/// Draws a mesh. Nothing may be null but `error` and what the struct says. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_draw_mesh(
    draw: *mut attila_draw,
    frame: *const attila_frame,
    mesh: *const attila_mesh,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let given = call.given("mesh", mesh)?;
        let shader = handle::read(given.shader)?;
        let bindings = match given.bindings.is_null() {
            true => None,
            false => Some(handle::read(given.bindings)?),
        };
        let mut brought = Brought::default();
        let buffers = buffers(call, &given, &mut brought.regions)?;
        let indices = (given.indices, given.index_count, given.index_bits);
        let triangles = triangles(call, indices, &mut brought.regions)?;
        let mut mesh = Mesh::new(&shader.shader, &buffers, &triangles)
            .instance(given.instance)
            .clamp_colour(given.clamp_colour != 0);
        if let Some(bindings) = &bindings {
            mesh = mesh.bindings(bindings.bindings());
        }
        if let Some(viewport) = viewport(&given) {
            mesh = mesh.viewport(viewport);
        }
        if given.zero_to_one != 0 {
            mesh = mesh.clip_depth(ClipDepth::ZeroToOne);
        }
        let usage = shader.shader.program().usage();
        let outputs = usage.outputs.iter().enumerate();
        let written = outputs
            .filter(|(_, slots)| !slots.is_empty())
            .map(|(output, _)| (output, ()));
        brought.vertices = inputs(&written.collect::<Vec<_>>());
        frame::draw(call, draw, frame, brought, |frame| frame.mesh(&mesh))
    })
}
