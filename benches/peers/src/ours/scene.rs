//! Scenes that our engine draws.

use attila_shader::draw::{
    ColourImage, DepthImage, DepthState, Draw, DrawError, Frame, Interpolation, PreparedDraw,
    Varying, Viewport,
};
use attila_shader::front::arb::{self, Parameters, Profile};
use attila_shader::machine::half;
use attila_shader::machine::pipeline::Blend;
use attila_shader::{
    Bindings, ColourFormat, Compare, DepthFormat, Mesh, Shader, VertexAttribute, VertexBuffers,
    VertexFormat,
};

use super::{Failed, Loaded, Ours, varying};
use crate::gl::ATTRIBUTES;
use crate::scenes::{self, Colour, Geometry, Scene};

/// A scene that is ready.
pub(crate) struct Staged<'a> {
    draw: PreparedDraw,
    bindings: Bindings<'a>,
    /// The constant register of a rectangle's own constant.
    tint: usize,
    vertex: Shader,
    matrix: Bindings<'a>,
    buffers: VertexBuffers<'a>,
    scene: &'a Scene,
    geometry: &'a Geometry,
    size: [u32; 2],
    targets: Targets,
}

struct Targets {
    colour: Option<ColourImage>,
    depth: Option<DepthImage>,
}

impl Ours {
    /// Makes a scene ready, and its targets empty.
    pub(crate) fn stage<'a>(
        &'a self,
        loaded: &'a Loaded,
        scene: &'a Scene,
        geometry: &'a Geometry,
        size: [u32; 2],
    ) -> Result<Staged<'a>, Failed> {
        let mut targets = Targets::new(scene, size);
        let (vertex, matrix) = self.load_vertex(size)?;
        let attributes = ATTRIBUTES.into_iter().zip(&geometry.attributes);
        Ok(Staged {
            draw: self.draw(loaded, scene, geometry, size, &mut targets)?,
            bindings: self.bindings(loaded),
            tint: loaded
                .constants
                .first()
                .map_or(0, |(register, _)| *register),
            vertex,
            matrix,
            buffers: attributes.fold(VertexBuffers::new(), |buffers, (number, floats)| {
                let attribute = VertexAttribute::packed(floats, VertexFormat::Float32, 4);
                buffers.with(number as usize, attribute)
            }),
            scene,
            geometry,
            size,
            targets,
        })
    }

    fn draw(
        &self,
        loaded: &Loaded,
        scene: &Scene,
        geometry: &Geometry,
        size: [u32; 2],
        targets: &mut Targets,
    ) -> Result<PreparedDraw, DrawError> {
        let mut draw = Draw::new(&loaded.shader).threads(self.threads);
        for (register, slopes) in &loaded.inputs {
            let varying = match geometry.rectangles.is_empty() {
                true => Varying::vertices(Interpolation::Perspective),
                false => varying(slopes, size),
            };
            draw = draw.varying(*register, varying);
        }
        if let Some(colour) = &mut targets.colour {
            draw = draw.target(0, colour);
        }
        if scene.blends {
            draw = draw.blend(0, Blend::OVER);
        }
        if let Some(depth) = &mut targets.depth {
            let (compare, write) = (Compare::Less, true);
            draw = draw.depth(depth, DepthState { compare, write });
        }
        draw.prepare()
    }

    /// The vertex program, and its constants.
    fn load_vertex(&self, size: [u32; 2]) -> Result<(Shader, Bindings<'static>), Failed> {
        let translation = arb::compile(scenes::VERTEX_PROGRAM, &Profile::default())?;
        let parameters = Parameters {
            local: (0..).zip(scenes::to_clip(size)).collect(),
            ..Parameters::default()
        };
        let mut matrix = Bindings::new();
        for (register, value) in translation.constants(|param| parameters.value(param)) {
            matrix.set_constant(register, value);
        }
        let program = translation.program.validate()?;
        Ok((self.engine.prepare(&program)?, matrix))
    }
}

impl Targets {
    fn new(scene: &Scene, [width, height]: [u32; 2]) -> Targets {
        let format = match scene.colour {
            Colour::Rgba8 => Some(ColourFormat::Rgba8),
            Colour::Rgba16F => Some(ColourFormat::Rgba16F),
            Colour::Absent => None,
        };
        let image = |format| ColourImage::multisampled(format, width, height, scene.samples);
        let depth = || DepthImage::new(DepthFormat::D32F, width, height);
        Targets {
            colour: format.map(image),
            depth: scene.depth.then(depth),
        }
    }

    /// Has a frame draw into them.
    fn bound<'a>(&'a mut self, mut frame: Frame<'a>) -> Frame<'a> {
        if let Some(colour) = &mut self.colour {
            frame = frame.target(0, colour);
        }
        if let Some(depth) = &mut self.depth {
            frame = frame.depth(depth);
        }
        frame
    }
}

impl Staged<'_> {
    /// Draws a frame.
    pub(crate) fn frame(&mut self) -> Result<(), DrawError> {
        if let Some(depth) = &mut self.targets.depth {
            depth.fill(1.0_f32);
        }
        if self.geometry.rectangles.is_empty() {
            let [width, height] = self.size.map(|side| side as f32);
            // Rows are counted from the bottom.
            let viewport = Viewport {
                y_down: true,
                ..Viewport::new(0.0, 0.0, width, height)
            };
            let mesh = Mesh::new(&self.vertex, &self.buffers, &self.geometry.triangles);
            let mesh = mesh.bindings(&self.matrix).viewport(viewport);
            let frame = self.draw.frame(&self.bindings);
            self.targets.bound(frame).mesh(&mesh)?;
        }
        for (index, [columns, rows]) in self.geometry.rectangles.iter().enumerate() {
            if let Some(tint) = self.scene.shape.tint(index) {
                self.bindings.set_constant(self.tint, tint);
            }
            let frame = self.draw.frame(&self.bindings);
            let mut frame = self.targets.bound(frame);
            frame.rect(columns.clone(), rows.clone())?;
        }
        Ok(())
    }

    /// The colours in steps of 255; of several samples, one plane of pixels after another.
    pub(crate) fn colours(&self) -> Vec<u8> {
        let Some(image) = &self.targets.colour else {
            return Vec::new();
        };
        let planes = (0..image.samples().count()).map(|sample| image.sample(sample));
        let bytes: Vec<u8> = planes.flat_map(|plane| plane.bytes().to_vec()).collect();
        match self.scene.colour {
            Colour::Rgba16F => steps(&bytes),
            Colour::Rgba8 | Colour::Absent => bytes,
        }
    }

    pub(crate) fn depths(&self) -> Vec<f32> {
        let bytes = self.targets.depth.as_ref().map_or(&[][..], |it| it.bytes());
        let depths = bytes.as_chunks().0.iter();
        depths.map(|bytes| f32::from_ne_bytes(*bytes)).collect()
    }
}

/// Halves in steps of 255.
fn steps(halves: &[u8]) -> Vec<u8> {
    let halves = halves.as_chunks().0.iter();
    let values = halves.map(|bytes| half::to_f32(u16::from_ne_bytes(*bytes)));
    values.map(|value| (255.0 * value).round() as u8).collect()
}
