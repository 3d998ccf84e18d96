//! The commands of scripts.

use std::ops::Range;

use attila_shader::draw::Cull;
use attila_shader::front::agal::Sampler;
use attila_shader::isa::{Slots, Stage};
use attila_shader::machine::pipeline::BlendFactor;

/// A constant register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constant {
    /// The stage that has it.
    pub stage: Stage,
    /// Its number.
    pub number: u16,
}

/// A command, and where it is.
pub type Line = crate::script::Line<Command>;

/// The effect of a line of the script.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Begins a picture of this width and height, whose pixels are 0.
    Size([u32; 2]),
    /// Fills the picture.
    Clear([f32; 4]),
    /// Uses the vertex and the fragment program of these names, and sets the state of the samplers that
    /// do not ignore it.
    Program([(Stage, String); 2]),
    /// Sets constants.
    Constant(Vec<(Constant, [f32; 4])>),
    /// Sets the state of a sampler. Only its unit, wrap mode and filters count.
    Sampler(Sampler),
    /// Sets the factors of the program's colour and the stored one.
    Blend([BlendFactor; 2]),
    /// Leaves out triangles.
    Cull(Cull),
    /// Draws only within these columns and rows; everywhere without them.
    Scissor(Option<[Range<u32>; 2]>),
    /// Stores these components.
    ColourMask(Slots),
    /// Draws triangles, by their numbers.
    Draw(Range<usize>),
    /// Looks at a pixel.
    Probe {
        /// Column and row.
        place: [u32; 2],
        /// Red, green and blue, from 0 to 255.
        expected: [u32; 3],
        /// The amount by which each may be off.
        tolerance: u32,
    },
}
