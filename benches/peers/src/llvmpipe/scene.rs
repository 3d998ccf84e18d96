//! Scenes that llvmpipe draws.

use attila_shader::machine::SampleCount;

use super::Llvmpipe;
use crate::contract;
use crate::gl::{Buffers, NoPeer, Pixels, Program, Samples, Stage, Target};
use crate::scenes::{self, Colour, Geometry, Scene};

/// A scene that is ready, until it is dropped.
pub(crate) struct Staged<'a> {
    peer: &'a Llvmpipe,
    scene: &'a Scene,
    geometry: &'a Geometry,
    programs: [Program; 2],
    surface: Surface,
    buffers: Buffers,
}

/// The target of a scene.
enum Surface {
    Single(Target),
    Multiple(Samples),
}

impl Llvmpipe {
    /// Makes a scene ready, and its target empty. There may be no other.
    pub(crate) fn stage<'a>(
        &'a self,
        scene: &'a Scene,
        geometry: &'a Geometry,
    ) -> Result<Staged<'a>, NoPeer> {
        let gl = &self.gl;
        let program = |stage, text| gl.program(stage, text).map_err(NoPeer::Program);
        let programs = [
            program(Stage::Fragment, scene.program)?,
            program(Stage::Vertex, scenes::VERTEX_PROGRAM)?,
        ];
        gl.parameters(&contract::ENV, &contract::LOCAL);
        gl.local(Stage::Vertex, &scenes::to_clip(self.size));
        let surface = self.surface(scene)?;
        let [width, height] = self.size;
        gl.viewport(width, height);
        gl.clear();
        gl.test_and_blend(scene.depth, scene.blends);
        Ok(Staged {
            peer: self,
            scene,
            geometry,
            programs,
            surface,
            buffers: gl.buffers(&geometry.attributes, &geometry.triangles),
        })
    }

    fn surface(&self, scene: &Scene) -> Result<Surface, NoPeer> {
        if scene.samples != SampleCount::One {
            let samples = self.gl.samples(scene.samples.count() as u32, self.size)?;
            return Ok(Surface::Multiple(samples));
        }
        let colour = match scene.colour {
            Colour::Rgba8 => Some(Pixels::Rgba8),
            Colour::Rgba16F => Some(Pixels::Rgba16F),
            Colour::Absent => None,
        };
        let depth = scene.depth.then_some(Pixels::Depth32F);
        let formats: Vec<Pixels> = colour.into_iter().chain(depth).collect();
        Ok(Surface::Single(self.gl.target(&formats, self.size)?))
    }
}

impl Staged<'_> {
    /// Draws a frame and waits for it.
    pub(crate) fn frame(&self) {
        let gl = &self.peer.gl;
        if self.scene.depth {
            gl.clear_depths();
        }
        if self.geometry.rectangles.is_empty() {
            gl.triangles(&self.buffers, 0..self.geometry.triangles.len());
        }
        for rectangle in 0..self.geometry.rectangles.len() {
            if let Some(tint) = self.scene.shape.tint(rectangle) {
                gl.local(Stage::Fragment, &[tint]);
            }
            gl.triangles(&self.buffers, 2 * rectangle..2 * rectangle + 2);
        }
        gl.finish();
    }

    /// The colours in steps of 255; of several samples, one plane of pixels after another.
    pub(crate) fn colours(&self) -> Vec<u8> {
        let (gl, [width, height]) = (&self.peer.gl, self.peer.size);
        match &self.surface {
            Surface::Single(_) => gl.pixels(width, height),
            Surface::Multiple(samples) => gl.planes(samples, self.peer.size),
        }
    }

    pub(crate) fn depths(&self) -> Vec<f32> {
        self.peer.gl.depths(self.peer.size)
    }

    /// The error of an earlier call, if there is one.
    pub(crate) fn check(&self) -> Result<(), NoPeer> {
        self.peer.gl.check().map_err(NoPeer::Gl)
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        let gl = &self.peer.gl;
        for program in self.programs {
            gl.delete(program);
        }
        gl.delete_buffers(&mut self.buffers);
        match &self.surface {
            Surface::Single(target) => gl.delete_target(target),
            Surface::Multiple(_) => {}
        }
    }
}
