//! Shading vertices.

use attila_shader::front::tgsi::{Input, Semantic, SemanticName, Translation};
use attila_shader::isa::{OUTPUTS, Outputs};
use attila_shader::machine::{LANES, to_lanes};
use attila_shader::{Bindings, RunError, WideQuadIo};

use super::data::Vertices;
use super::run::Program;

/// A shaded vertex.
#[derive(Clone)]
pub(super) struct Vertex {
    /// The words of the program's outputs; (0, 0, 0, 1) in those that it does not write.
    pub(super) outputs: Box<Outputs<[u32; 4]>>,
    /// The width of a point, if the program writes it.
    pub(super) point_size: Option<f32>,
}

impl Vertex {
    /// A vertex with the outputs of a program.
    pub(super) fn new(outputs: Box<Outputs<[u32; 4]>>, translation: &Translation) -> Vertex {
        let point = Semantic {
            name: SemanticName::PointSize,
            index: 0,
        };
        let mut written = translation.outputs.iter();
        let size = written.find(|(output, _)| *output == point);
        let size = size.map(|(_, register)| outputs[usize::from(*register)][0]);
        Vertex {
            point_size: size.map(f32::from_bits),
            outputs,
        }
    }

    /// Its place in clip space.
    pub(super) fn position(&self) -> [f32; 4] {
        self.outputs[0].map(f32::from_bits)
    }

    /// Puts it elsewhere.
    pub(super) fn move_to(&mut self, position: [f32; 4]) {
        self.outputs[0] = position.map(f32::to_bits);
    }
}

/// Vertices of an instance.
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) instance: u32,
}

/// Shades vertices.
pub(super) fn shade(
    program: &Program,
    bindings: &Bindings<'_>,
    data: &Vertices,
    run: &Run,
) -> Result<Vec<Vertex>, RunError> {
    let numbers: Vec<u32> = (run.first..run.first + run.count).collect();
    let quads = numbers.chunks(LANES).map(|chunk| {
        let mut quad = WideQuadIo::default();
        for &(input, register) in &program.translation.inputs {
            // Lanes beyond the last vertex do what it does.
            let lanes = std::array::from_fn(|lane| {
                let vertex = chunk[lane.min(chunk.len() - 1)];
                word(input, data, vertex, run.instance).map(f32::from_bits)
            });
            quad.set_input(register.into(), lanes);
        }
        quad
    });
    let mut quads: Vec<WideQuadIo> = quads.collect();
    program.shader.run_wide(bindings, &mut quads)?;
    let written = &program.translation.outputs;
    let vertices = (0..numbers.len()).map(|index| {
        let quad = &quads[index / LANES];
        let mut outputs = Box::new(Outputs::from_fn(|_| [0, 0, 0, 1.0f32.to_bits()]));
        for &(_, register) in written {
            let register = usize::from(register).min(OUTPUTS - 1);
            outputs[register] = to_lanes(&quad.outputs[register])[index % LANES];
        }
        Vertex::new(outputs, &program.translation)
    });
    Ok(vertices.collect())
}

/// The words of an input.
fn word(input: Input, data: &Vertices, vertex: u32, instance: u32) -> [u32; 4] {
    let semantic = match input {
        Input::Attribute(register) => return data.get(vertex, register),
        Input::Semantic(semantic) => semantic.name,
    };
    // There are no base vertices and instances.
    if semantic == SemanticName::VertexId || semantic == SemanticName::VertexIdNoBase {
        [vertex, 0, 0, 0]
    } else if semantic == SemanticName::InstanceId {
        [instance, 0, 0, 0]
    } else {
        [0; 4]
    }
}
