//! A target with several samples for each pixel, and how it is read.

use std::ffi::{CStr, c_char};
use std::ptr;

use super::{
    COLOR_ATTACHMENT0, FRAMEBUFFER, FRAMEBUFFER_COMPLETE, Gl, NoPeer, QUADS, RGBA8, TARGETS,
    TEXTURE0, TRIANGLES, Vertex,
};

const COMPILE: u32 = 0x1300;
const FRAGMENT_SHADER: u32 = 0x8B30;
const VERTEX_SHADER: u32 = 0x8B31;
const LINK_STATUS: u32 = 0x8B82;
const SAMPLE_POSITION: u32 = 0x8E50;
const TEXTURE_2D_MULTISAMPLE: u32 = 0x9100;

/// Covers the target.
const READER_VERTEX: &CStr = c"#version 150 compatibility
void main() { gl_Position = gl_Vertex; }";

/// Copies one sample of each pixel.
const READER_FRAGMENT: &CStr = c"#version 150 compatibility
uniform sampler2DMS target;
uniform int number;
void main() { gl_FragColor = texelFetch(target, ivec2(gl_FragCoord.xy), number); }";

/// A target with several samples at fixed places.
pub(crate) struct Samples {
    count: u32,
    framebuffer: u32,
    texture: u32,
    /// The program that reads one, and its variable with the number of the sample.
    reader: u32,
    number: i32,
}

/// Triangles that the driver keeps.
#[derive(Clone, Copy)]
pub(crate) struct List(u32);

impl Gl {
    /// Makes a cleared target with `count` samples for each of `width` times `height` pixels, into which all
    /// is drawn from now on.
    pub(crate) fn samples(&self, count: u32, [width, height]: [u32; 2]) -> Result<Samples, NoPeer> {
        let call = &self.call;
        let (mut texture, mut framebuffer) = (0, 0);
        // SAFETY: a context is current, and there is room for the names.
        let status = unsafe {
            (call.active_texture)(TARGETS);
            (call.gen_textures)(1, &mut texture);
            (call.bind_texture)(TEXTURE_2D_MULTISAMPLE, texture);
            let format = RGBA8.cast_unsigned();
            let (samples, width, height) = (count as i32, width as i32, height as i32);
            let image = call.tex_image_multisample;
            image(TEXTURE_2D_MULTISAMPLE, samples, format, width, height, 1);
            (call.gen_framebuffers)(1, &mut framebuffer);
            (call.bind_framebuffer)(FRAMEBUFFER, framebuffer);
            let (attachment, kind) = (COLOR_ATTACHMENT0, TEXTURE_2D_MULTISAMPLE);
            (call.framebuffer_texture)(FRAMEBUFFER, attachment, kind, texture, 0);
            (call.check_framebuffer)(FRAMEBUFFER)
        };
        if status != FRAMEBUFFER_COMPLETE {
            return Err(NoPeer::Samples(count));
        }
        self.clear();
        let reader = self.reader()?;
        // SAFETY: a context is current, and the name ends with a 0.
        let number = unsafe { (call.uniform_location)(reader, c"number".as_ptr()) };
        self.check().map_err(NoPeer::Gl)?;
        Ok(Samples {
            count,
            framebuffer,
            texture,
            reader,
            number,
        })
    }

    /// The program that reads a sample.
    fn reader(&self) -> Result<u32, NoPeer> {
        let call = &self.call;
        let mut linked = 0;
        // SAFETY: a context is current; texts and names end with a 0, and so have no lengths; there is room
        // for the status.
        let reader = unsafe {
            let reader = (call.create_program)();
            for (stage, text) in [
                (VERTEX_SHADER, READER_VERTEX),
                (FRAGMENT_SHADER, READER_FRAGMENT),
            ] {
                let shader = (call.create_shader)(stage);
                let text: *const c_char = text.as_ptr();
                (call.shader_source)(shader, 1, &text, ptr::null());
                (call.compile_shader)(shader);
                (call.attach_shader)(reader, shader);
            }
            (call.link_program)(reader);
            (call.get_program)(reader, LINK_STATUS, &mut linked);
            reader
        };
        if linked == 0 {
            return Err(NoPeer::Reader);
        }
        // SAFETY: a context is current, and the name ends with a 0.
        unsafe {
            (call.use_program)(reader);
            let target = (call.uniform_location)(reader, c"target".as_ptr());
            (call.uniform_integer)(target, (TARGETS - TEXTURE0) as i32);
            (call.use_program)(0);
        }
        Ok(reader)
    }

    /// The positions of samples in their pixel, 0 to 1 from its first column and row.
    pub(crate) fn positions(&self, samples: &Samples) -> Vec<[f32; 2]> {
        let position = |sample: u32| {
            let mut position = [0.0; 2];
            // SAFETY: a context is current, and there is room for the two numbers.
            unsafe { (self.call.get_multisample)(SAMPLE_POSITION, sample, position.as_mut_ptr()) };
            position
        };
        (0..samples.count).map(position).collect()
    }

    /// All samples of a target, one plane of pixels after another. It needs [the first
    /// target](Gl::new), which has to be as large.
    pub(crate) fn planes(&self, samples: &Samples, [width, height]: [u32; 2]) -> Vec<u8> {
        let call = &self.call;
        let places = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = places.map(|[x, y]| Vertex {
            position: [x, y, 0.0, 1.0],
            colour: [0.0; 4],
            coordinates: [[0.0; 4]; 3],
        });
        let mut planes = Vec::new();
        // SAFETY: a context is current.
        unsafe {
            (call.bind_framebuffer)(FRAMEBUFFER, self.framebuffer);
            (call.active_texture)(TARGETS);
            (call.bind_texture)(TEXTURE_2D_MULTISAMPLE, samples.texture);
            (call.use_program)(samples.reader);
        }
        for sample in 0..samples.count {
            // SAFETY: a context is current, and the program is in use.
            unsafe { (call.uniform_integer)(samples.number, sample as i32) };
            self.vertices(QUADS, &corners);
            planes.extend(self.pixels(width, height));
        }
        // SAFETY: a context is current.
        unsafe {
            (call.use_program)(0);
            (call.bind_framebuffer)(FRAMEBUFFER, samples.framebuffer);
        }
        planes
    }

    /// Has the driver keep triangles, three vertices each.
    pub(crate) fn list(&self, vertices: &[Vertex]) -> List {
        // SAFETY: a context is current.
        let list = unsafe {
            let list = (self.call.gen_lists)(1);
            (self.call.new_list)(list, COMPILE);
            list
        };
        self.vertices(TRIANGLES, vertices);
        // SAFETY: a context is current.
        unsafe { (self.call.end_list)() };
        List(list)
    }

    /// Draws the triangles of a list.
    pub(crate) fn draw_list(&self, List(list): List) {
        // SAFETY: a context is current.
        unsafe { (self.call.call_list)(list) };
    }
}
