//! Triangles in clip space: where they come to, and the mesh that they are drawn as.

use std::collections::BTreeMap;

use attila_shader::draw::{ClipDepth, Cull, FrontFace, Mesh, Viewport};
use attila_shader::isa::{BASE_OUTPUTS, Program, Stage};
use attila_shader::machine::{ErrorChain, VertexAttribute, VertexBuffers, VertexFormat};
use attila_shader::{Engine, Shader};

use super::case::{FrameCase, ShapeCase};
use crate::dice::Dice;

/// From clip space to the window.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ViewCase {
    /// Left column, upper row, columns and rows of the viewport.
    pub rectangle: [f32; 4],
    /// Depths of the near and of the far plane.
    pub depth: [f32; 2],
    /// Whether y grows down the rows.
    pub y_down: bool,
    /// Which z are in the view volume.
    pub clip_depth: ClipDepth,
}

/// Which triangles are left out, and which side is the front.
pub(super) fn faces(dice: &mut Dice<'_>) -> (Cull, FrontFace) {
    let hidden = dice.weighted(&[(6, Cull::None), (1, Cull::Front), (1, Cull::Back)]);
    let front = dice.pick(&[FrontFace::CounterClockwise, FrontFace::Clockwise]);
    (hidden, front)
}

/// Puts the vertices of a frame into clip space, some of them outside of the view volume, behind the eye
/// or at its edges.
pub(super) fn view(dice: &mut Dice<'_>, frame: &mut FrameCase, size: [u32; 2]) {
    let ShapeCase::Triangles(positions, _) = &mut frame.shape else {
        return;
    };
    let [width, height] = size.map(|side| side as f32);
    let rectangle = match dice.below(4) {
        0 => [
            dice.between(-3, 5) as f32,
            dice.within(-4.0, 4.0),
            width * dice.within(0.25, 1.5),
            dice.between(1, 2 * size[1] as i32) as f32,
        ],
        _ => [0.0, 0.0, width, height],
    };
    frame.view = Some(ViewCase {
        rectangle,
        depth: dice.pick(&[[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.25, 0.5]]),
        y_down: dice.percent(30),
        clip_depth: dice.pick(&[ClipDepth::MinusOneToOne, ClipDepth::ZeroToOne]),
    });
    let near = dice.percent(60);
    for position in positions {
        *position = if near { in_front(dice) } else { anywhere(dice) };
    }
}

/// A position that is mostly in the view volume.
fn in_front(dice: &mut Dice<'_>) -> [f32; 4] {
    let w = dice.pick(&[1.0, 1.0, 2.0, 0.3, 5.5]);
    let mut at = || match dice.below(6) {
        0 => dice.pick(&[-1.0, 1.0, 0.0]),
        _ => dice.within(-1.3, 1.3),
    };
    let [x, y, z] = [at(), at(), at()].map(|at| at * w);
    [x, y, 0.7 * z, w]
}

/// A position on either side of any plane.
fn anywhere(dice: &mut Dice<'_>) -> [f32; 4] {
    let scale = dice.pick(&[1.0, 1.0, 3.0, 40.0, 1000.0]);
    let w = match dice.below(5) {
        0 => dice.within(-2.0, 0.0),
        1 => dice.pick(&[0.0, 1e-3, 1.0]),
        _ => dice.within(0.1, 3.0),
    };
    let mut at = |scale: f32| dice.within(-scale, scale);
    [at(scale), at(scale), at(2.0), w]
}

impl FrameCase {
    /// The mesh of a frame in clip space, and what it is drawn with.
    pub(super) fn meshed(&self) -> Result<Option<Meshed>, String> {
        let (Some(view), ShapeCase::Triangles(positions, _)) = (self.view, &self.shape) else {
            return Ok(None);
        };
        let bytes = |values: &[[f32; 4]]| {
            let words = values.as_flattened().iter();
            words.flat_map(|word| word.to_le_bytes()).collect()
        };
        let mut attributes: BTreeMap<usize, Vec<u8>> = self
            .attributes
            .iter()
            .map(|(register, values)| (*register, bytes(values)))
            .collect();
        attributes.insert(0, bytes(positions));
        Ok(Some(Meshed {
            shader: passing_on(attributes.keys().copied())?,
            attributes,
            view,
        }))
    }
}

/// A program that outputs these of its inputs.
fn passing_on(numbers: impl Iterator<Item = usize>) -> Result<Shader, String> {
    let numbers: Vec<usize> = numbers.collect();
    let is_wide = numbers.iter().any(|&number| number >= BASE_OUTPUTS);
    let mut text = String::from(if is_wide { ".extended\n" } else { "" });
    for number in numbers {
        text += &format!("mov o{number}, i{number}\n");
    }
    let program = Program::assemble(&text).map_err(|error| error.to_string())?;
    let program = program
        .with_stage(Stage::Vertex)
        .validate()
        .map_err(|error| error.to_string())?;
    let shader = Engine::interp().prepare(&program);
    shader.map_err(|error| ErrorChain(&error).to_string())
}

/// A mesh to be drawn.
pub(super) struct Meshed {
    shader: Shader,
    attributes: BTreeMap<usize, Vec<u8>>,
    view: ViewCase,
}

impl Meshed {
    /// The vertices.
    pub(super) fn buffers(&self) -> VertexBuffers<'_> {
        let attributes = self.attributes.iter();
        attributes.fold(VertexBuffers::new(), |buffers, (register, bytes)| {
            buffers.with(
                *register,
                VertexAttribute::packed(bytes, VertexFormat::Float32, 4),
            )
        })
    }

    /// The triangles between them.
    pub(super) fn mesh<'a>(
        &'a self,
        buffers: &'a VertexBuffers<'a>,
        triangles: &'a [[u32; 3]],
    ) -> Mesh<'a> {
        let [x, y, width, height] = self.view.rectangle;
        let viewport = Viewport {
            depth: self.view.depth,
            y_down: self.view.y_down,
            ..Viewport::new(x, y, width, height)
        };
        Mesh::new(&self.shader, buffers, triangles)
            .viewport(viewport)
            .clip_depth(self.view.clip_depth)
            .clamp_colour(false)
    }
}
