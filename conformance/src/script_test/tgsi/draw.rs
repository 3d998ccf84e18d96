//! Draws: the vertex program, perhaps a geometry program, and the fragment program.

use std::ops::Range;
use std::sync::Arc;

use attila_shader::draw::{
    ColourImage, Cull, Draw, DrawError, FrontFace, Mesh, PreparedDraw, Viewport,
};
use attila_shader::front::tgsi::{Input, Primitive as Emitted, Tgsi};
use attila_shader::geometry::Geometry;
use attila_shader::isa::Slots;
use attila_shader::{Bindings, Engine, Shader, TextureUnit};

use super::halves::halves;
use super::linkage::{check, check_outputs, varyings};
use super::points::squares;
use super::primitive::Primitive;
use super::state::Values;
use crate::script_test::attributes::Attribute;
use crate::script_test::error::Fault;
use crate::script_test::picture::{Half, Picture};
use crate::script_test::program::Program;

/// The words of what nothing writes: (0, 0, 0, 1).
pub(super) const DEFAULT: [u32; 4] = [0, 0, 0, 0x3f80_0000];

/// The shapes that a command draws.
pub(super) struct Drawn {
    pub(super) primitive: Primitive,
    pub(super) vertices: Range<u32>,
    pub(super) instances: u32,
}

/// The programs that are drawn with, and the vertices.
pub(super) struct Draws {
    pub(super) vertex: Program<Tgsi>,
    pub(super) geometry: Option<Program<Tgsi>>,
    pub(super) fragment: Program<Tgsi>,
    pub(super) vertices: Arc<Vec<Attribute>>,
    pub(super) engine: Engine,
}

impl Draws {
    /// Draws on the targets, moved by pixels.
    pub(super) fn draw(
        &self,
        drawn: &Drawn,
        values: &Values,
        moved: [f32; 2],
        targets: &mut [Picture],
    ) -> Result<(), Fault> {
        let before = self.geometry.as_ref().unwrap_or(&self.vertex);
        for program in [&self.vertex, before] {
            let bound = |unit| values.textures.kind(unit);
            program.translation.check_units(bound)?;
        }
        check(&self.fragment, before, &values.textures)?;
        let target = targets.first().ok_or("there is no target")?;
        let window = [target.width(), target.height()];
        check_outputs(before)?;
        check_outputs(&self.fragment)?;
        let squares = self.squares(drawn, window)?;
        let geometry = self.geometry.as_ref().or(squares.as_ref());
        let last = geometry.unwrap_or(&self.vertex);

        let constants = [&self.vertex, last, &self.fragment].map(|it| values.buffers(it));
        let bindings = |program, stage: usize| values.bindings(program, window, &constants[stage]);
        let (vertex, fragment) = (bindings(&self.vertex, 0), bindings(&self.fragment, 2));
        let between = bindings(last, 1);
        let attributes = self.attributes(drawn.vertices.end);
        let buffers = Attribute::buffers(&attributes);
        let triangles = drawn.primitive.triangles(&drawn.vertices);
        let numbers: Vec<u32> = drawn.vertices.clone().collect();
        let mut mesh = Mesh::new(&self.vertex.shader, &buffers, &triangles)
            .bindings(&vertex)
            .viewport(viewport(window, moved))
            .clamp_colour(false);
        if let Some(program) = geometry {
            let properties = &program.translation.details.properties;
            let input = drawn.primitive.input(&triangles, &numbers);
            let geometry = Geometry::new(&program.shader, input)
                .bindings(&between)
                .max_vertices(properties.max_vertices as usize)
                .invocations(properties.invocations);
            mesh = mesh.geometry(geometry);
        }
        self.paint(&mesh, (last, &fragment), drawn.instances, targets)
    }

    /// Draws the instances of a mesh. `last` is the program before the fragment program.
    fn paint(
        &self,
        mesh: &Mesh<'_>,
        (last, fragment): (&Program<Tgsi>, &Bindings<'_>),
        instances: u32,
        targets: &mut [Picture],
    ) -> Result<(), Fault> {
        let has_words = targets.first().is_some_and(Picture::has_words);
        for (shader, half) in self.shaders(has_words)?.iter().zip(0..) {
            let images = targets.iter_mut().map(|it| &mut it.images()[half]);
            // A colour that goes to all targets is that of the first target of as many draws.
            let to_all = self.fragment.translation.details.properties.color_to_all;
            let groups: Vec<Vec<&mut ColourImage>> = match to_all {
                true => images.map(|image| vec![image]).collect(),
                false => vec![images.collect()],
            };
            for mut images in groups {
                let mut prepared = self.prepare(shader, last, &mut images)?;
                let mut frame = prepared.frame(fragment);
                for (number, image) in images.into_iter().enumerate() {
                    frame = frame.target(number, image);
                }
                for instance in 0..instances {
                    frame.mesh(&mesh.instance(instance))?;
                }
            }
        }
        Ok(())
    }

    /// The geometry program that draws points need, if there is none. Lines, and points that are emitted, are not
    /// drawn.
    fn squares(&self, drawn: &Drawn, window: [u32; 2]) -> Result<Option<Program<Tgsi>>, Fault> {
        if let Some(program) = &self.geometry {
            let emitted = program.translation.details.properties.output_primitive;
            return match emitted {
                Some(Emitted::TriangleStrip) => Ok(None),
                Some(Emitted::Points) => Err("points of geometry programs are not drawn".into()),
                _ => Err("lines are not drawn".into()),
            };
        }
        match drawn.primitive {
            Primitive::Lines => Err("lines are not drawn".into()),
            Primitive::Points => {
                let translation = squares(&self.vertex.translation.outputs, window)?;
                let program = Program::new(translation, "geometry program of points", &self.engine);
                Ok(Some(program?))
            }
            Primitive::Triangles
            | Primitive::TriangleStrip
            | Primitive::TriangleFan
            | Primitive::Quads => Ok(None),
        }
    }

    /// The attributes of the first `count` vertices, also of those that the test does not have.
    fn attributes(&self, count: u32) -> Vec<Attribute> {
        let inputs = self.vertex.translation.inputs.iter();
        let registers = inputs.filter_map(|(input, _)| match input {
            Input::Attribute(register) => Some(*register),
            Input::Semantic(_) => None,
        });
        let attributes = registers.map(|register| {
            let given = self.vertices.iter().find(|it| it.register == register);
            let mut attribute = given
                .cloned()
                .unwrap_or_else(|| Attribute::words(register, &[]));
            let missing = (16 * count as usize).saturating_sub(attribute.bytes.len());
            let defaults = DEFAULT
                .map(u32::to_le_bytes)
                .as_flattened()
                .repeat(missing / 16);
            attribute.bytes.extend(defaults);
            attribute
        });
        attributes.collect()
    }

    /// The fragment program, or the two that write halves of its words.
    fn shaders(&self, has_words: bool) -> Result<Vec<Shader>, Fault> {
        let shader = &self.fragment.shader;
        if !has_words {
            return Ok(vec![shader.clone()]);
        }
        let halves = Half::BOTH.iter().map(|half| Ok(halves(shader, *half)?));
        halves.collect()
    }

    /// A draw with a fragment program to images like these. `last` is the program before it.
    fn prepare(
        &self,
        shader: &Shader,
        last: &Program<Tgsi>,
        images: &mut [&mut ColourImage],
    ) -> Result<PreparedDraw, DrawError> {
        let details = &last.translation.details;
        let mut draw = Draw::new(shader)
            // The first row is that of y = -1, so that what turns left there turns right on a screen.
            .cull(Cull::None, FrontFace::Clockwise)
            .two_sided(details.is_two_sided());
        for (register, components) in details.clip_distances() {
            draw = draw.clip_distances(register, components);
        }
        for (register, components) in details.cull_distances() {
            draw = draw.cull_distances(register, components);
        }
        for (register, varying) in varyings(&self.fragment, last) {
            draw = draw.varying(register, varying);
        }
        for (number, image) in images.iter_mut().enumerate() {
            draw = draw.target(number, &mut **image);
            if !self.fragment.usage().writes_output(1 + number) {
                draw = draw.write_mask(number, Slots::empty());
            }
        }
        draw.prepare()
    }
}

/// All of the targets, moved by pixels. (-1, -1) of clip space is the corner of their first row.
fn viewport([width, height]: [u32; 2], [x, y]: [f32; 2]) -> Viewport {
    Viewport {
        y_down: true,
        ..Viewport::new(x, y, width as f32, height as f32)
    }
}
