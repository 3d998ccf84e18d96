//! Targets of several formats, with depths and blending, and triangles in buffers.

use std::ffi::c_void;
use std::mem;
use std::ops::Range;
use std::ptr;

use super::{COLOR_ATTACHMENT0, FRAMEBUFFER, FRAMEBUFFER_COMPLETE, Gl, NEAREST, NoPeer, RGBA};
use super::{RGBA8, TARGETS, TEXTURE_2D, TEXTURE_MIN_FILTER, TRIANGLES, UNSIGNED_BYTE};

const NONE: u32 = 0;
const DEPTH_BUFFER_BIT: u32 = 0x100;
const LESS: u32 = 0x201;
const SRC_ALPHA: u32 = 0x302;
const ONE_MINUS_SRC_ALPHA: u32 = 0x303;
const DEPTH_TEST: u32 = 0x0B71;
const BLEND: u32 = 0x0BE2;
const UNSIGNED_INT: u32 = 0x1405;
const FLOAT: u32 = 0x1406;
const DEPTH_COMPONENT: u32 = 0x1902;
const RGBA16F: i32 = 0x881A;
const ARRAY_BUFFER: u32 = 0x8892;
const ELEMENT_ARRAY_BUFFER: u32 = 0x8893;
const STATIC_DRAW: u32 = 0x88E4;
const DEPTH_COMPONENT32F: i32 = 0x8CAC;
const DEPTH_ATTACHMENT: u32 = 0x8D00;

/// The numbers of a vertex's place, its colour and its texture coordinates.
pub(crate) const ATTRIBUTES: [u32; 3] = [0, 3, 8];

/// A format of targets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pixels {
    Rgba8,
    Rgba16F,
    Depth32F,
}

/// A target with one sample for each pixel.
pub(crate) struct Target {
    pub(super) framebuffer: u32,
    textures: Vec<u32>,
}

/// Vertices and triangles that the driver keeps.
pub(crate) struct Buffers {
    /// Names of the attributes' buffers, and of the indices'.
    names: Vec<u32>,
    triangles: usize,
}

impl Gl {
    /// Makes a target, into which all is drawn from now on.
    pub(crate) fn target(
        &self,
        formats: &[Pixels],
        [width, height]: [u32; 2],
    ) -> Result<Target, NoPeer> {
        let call = &self.call;
        let mut framebuffer = 0;
        // SAFETY: a context is current, and there is room for the name.
        unsafe {
            (call.gen_framebuffers)(1, &mut framebuffer);
            (call.bind_framebuffer)(FRAMEBUFFER, framebuffer);
            (call.active_texture)(TARGETS);
        }
        let attached = formats
            .iter()
            .map(|format| self.attach(*format, width, height));
        let textures = attached.collect();
        // SAFETY: a context is current.
        let status = unsafe {
            if formats == [Pixels::Depth32F] {
                (call.draw_buffer)(NONE);
            }
            (call.bind_texture)(TEXTURE_2D, 0);
            (call.check_framebuffer)(FRAMEBUFFER)
        };
        if status != FRAMEBUFFER_COMPLETE {
            return Err(NoPeer::Egl("glCheckFramebufferStatus"));
        }
        Ok(Target {
            framebuffer,
            textures,
        })
    }

    /// Makes a texture, and attaches it to the framebuffer.
    fn attach(&self, format: Pixels, width: u32, height: u32) -> u32 {
        let (attachment, inner, components, kind) = match format {
            Pixels::Rgba8 => (COLOR_ATTACHMENT0, RGBA8, RGBA, UNSIGNED_BYTE),
            Pixels::Rgba16F => (COLOR_ATTACHMENT0, RGBA16F, RGBA, FLOAT),
            Pixels::Depth32F => (DEPTH_ATTACHMENT, DEPTH_COMPONENT32F, DEPTH_COMPONENT, FLOAT),
        };
        let (width, height) = (width as i32, height as i32);
        let (call, nothing) = (&self.call, ptr::null());
        let mut texture = 0;
        // SAFETY: a context is current; there is room for the name; no pixels are handed over.
        unsafe {
            (call.gen_textures)(1, &mut texture);
            (call.bind_texture)(TEXTURE_2D, texture);
            let image = call.tex_image;
            image(
                TEXTURE_2D, 0, inner, width, height, 0, components, kind, nothing,
            );
            (call.tex_parameter)(TEXTURE_2D, TEXTURE_MIN_FILTER, NEAREST);
            (call.framebuffer_texture)(FRAMEBUFFER, attachment, TEXTURE_2D, texture, 0);
        }
        texture
    }

    /// Frees a target.
    pub(crate) fn delete_target(&self, target: &Target) {
        let (call, textures) = (&self.call, &target.textures);
        // SAFETY: a context is current, and there are as many names as are said.
        unsafe {
            (call.delete_framebuffers)(1, &target.framebuffer);
            (call.delete_textures)(textures.len() as i32, textures.as_ptr());
        }
    }

    /// Sets whether smaller depths win, and whether colours are mixed by their alpha.
    pub(crate) fn test_and_blend(&self, tests: bool, blends: bool) {
        let call = &self.call;
        // SAFETY: a context is current.
        unsafe {
            (call.depth_function)(LESS);
            (call.blend_function)(SRC_ALPHA, ONE_MINUS_SRC_ALPHA);
            for (state, on) in [(DEPTH_TEST, tests), (BLEND, blends)] {
                (if on { call.enable } else { call.disable })(state);
            }
        }
    }

    /// Sets all depths to 1.
    pub(crate) fn clear_depths(&self) {
        // SAFETY: a context is current.
        unsafe { (self.call.clear)(DEPTH_BUFFER_BIT) };
    }

    /// Keeps [attributes](ATTRIBUTES) of vertices, four floats each, and triangles. They are drawn from now on.
    pub(crate) fn buffers(&self, attributes: &[Vec<u8>; 3], triangles: &[[u32; 3]]) -> Buffers {
        let (call, mut names) = (&self.call, Vec::new());
        let last = triangles.as_flattened().iter().max();
        for (number, floats) in ATTRIBUTES.into_iter().zip(attributes) {
            let vertices = floats.len() / size_of::<[f32; 4]>();
            assert!(last.is_none_or(|last| (*last as usize) < vertices));
            names.push(self.buffer(ARRAY_BUFFER, floats));
            // SAFETY: a context is current, and null is the beginning of the buffer that is bound.
            unsafe {
                (call.attribute_pointer)(number, 4, FLOAT, 0, 0, ptr::null());
                (call.enable_attribute)(number);
            }
        }
        let drawn = self.buffer(ELEMENT_ARRAY_BUFFER, triangles.as_flattened());
        self.drawn.set(drawn);
        names.push(drawn);
        Buffers {
            names,
            triangles: triangles.len(),
        }
    }

    fn buffer<T: Copy>(&self, target: u32, content: &[T]) -> u32 {
        let call = &self.call;
        let mut buffer = 0;
        // SAFETY: a context is current; there is room for the name; as much is there as is read.
        unsafe {
            (call.gen_buffers)(1, &mut buffer);
            (call.bind_buffer)(target, buffer);
            let (bytes, from) = (size_of_val(content), content.as_ptr().cast());
            (call.buffer_data)(target, bytes.cast_signed(), from, STATIC_DRAW);
        }
        buffer
    }

    /// Draws some of the triangles that were kept last.
    pub(crate) fn triangles(&self, buffers: &Buffers, Range { start, end }: Range<usize>) {
        assert_eq!(buffers.names.last(), Some(&self.drawn.get()), "kept last");
        assert!(start <= end && end <= buffers.triangles, "they are kept");
        let from = ptr::without_provenance::<c_void>(size_of::<[u32; 3]>() * start);
        let count = 3 * (end - start) as i32;
        // SAFETY: a context is current; the buffers are bound and have these triangles, and their vertices.
        unsafe { (self.call.draw_elements)(TRIANGLES, count, UNSIGNED_INT, from) };
    }

    /// Frees vertices and triangles.
    pub(crate) fn delete_buffers(&self, buffers: &mut Buffers) {
        let names = mem::take(&mut buffers.names);
        // SAFETY: a context is current, and there are as many names as are said.
        unsafe { (self.call.delete_buffers)(names.len() as i32, names.as_ptr()) };
    }

    /// The target's depths, rows from the bottom.
    pub(crate) fn depths(&self, [width, height]: [u32; 2]) -> Vec<f32> {
        let mut depths = vec![0.0; width as usize * height as usize];
        let (to, width, height) = (depths.as_mut_ptr(), width as i32, height as i32);
        // SAFETY: a context is current, and rows of 4-byte depths have no gaps.
        unsafe {
            (self.call.read_pixels)(0, 0, width, height, DEPTH_COMPONENT, FLOAT, to.cast());
        }
        depths
    }
}
