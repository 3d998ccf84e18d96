//! Geometry programs of tests.

use attila_shader::Bindings;
use attila_shader::front::tgsi::Primitive as TextPrimitive;
use attila_shader::geometry::{Geometry, GeometryError, GeometryInput};
use attila_shader::isa::Outputs;
use attila_shader::machine::{AttributeSource, LaneMask, Lanes};

use super::assembly::corners;
use super::command::Primitive;
use super::run::Program;
use super::vertices::Vertex;

/// The outputs of vertices as attributes.
struct Shaded<'a>(&'a [Vertex]);

impl AttributeSource for Shaded<'_> {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, _: LaneMask) -> [Lanes<f32>; 4] {
        let word = |lane: usize, component: usize| {
            let vertex = self.0.get(index[lane] as usize);
            let output = vertex.and_then(|it| it.outputs.get(usize::from(attribute)));
            output.map_or(0.0, |words| f32::from_bits(words[component]))
        };
        std::array::from_fn(|component| std::array::from_fn(|lane| word(lane, component)))
    }
}

/// The vertices that a geometry program makes of a draw's, with the primitive that they form.
pub(super) fn shade(
    program: &Program,
    bindings: &Bindings<'_>,
    primitive: Primitive,
    vertices: &[Vertex],
) -> Result<(Primitive, Vec<Vertex>), GeometryError> {
    let properties = &program.translation.details.properties;
    let count = vertices.len() as u32;
    let triangles = corners(primitive, vertices.len()).unwrap_or_default();
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|it| it.map(|n| n as u32)).collect();
    let lines: Vec<[u32; 2]> = (0..count / 2).map(|n| [2 * n, 2 * n + 1]).collect();
    let points: Vec<u32> = (0..count).collect();
    let input = match primitive {
        Primitive::Points => GeometryInput::Points(&points),
        Primitive::Lines => GeometryInput::Lines(&lines),
        Primitive::Triangles
        | Primitive::TriangleStrip
        | Primitive::TriangleFan
        | Primitive::Quads => GeometryInput::Triangles(&triangles),
    };
    let geometry = Geometry::new(&program.shader, input)
        .bindings(bindings)
        .max_vertices(properties.max_vertices as usize)
        .invocations(properties.invocations);
    let emitted = geometry.run(&Shaded(vertices))?;
    let stream = emitted.stream(0);
    let vertex = |number: usize| {
        let written = program.translation.outputs.iter();
        let mut outputs = Box::new(Outputs::from_fn(|_| [0, 0, 0, 1.0f32.to_bits()]));
        for (_, register) in written {
            let register = usize::from(*register);
            outputs[register] = stream.output(number, register);
        }
        Vertex::new(outputs, &program.translation)
    };
    Ok(
        if properties.output_primitive == Some(TextPrimitive::Points) {
            (
                Primitive::Points,
                (0..stream.vertices()).map(vertex).collect(),
            )
        } else if properties.output_primitive == Some(TextPrimitive::TriangleStrip) {
            let corners = stream.triangles().flatten();
            let vertices = corners.map(|number| vertex(number as usize));
            (Primitive::Triangles, vertices.collect())
        } else {
            (Primitive::Lines, Vec::new())
        },
    )
}
