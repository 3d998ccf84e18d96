//! The commands of scripts.

use attila_shader::front::tgsi::Processor;

/// A command, and where it is.
pub type Line = crate::script::Line<Command>;

/// The content of a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TargetFormat {
    /// Floats.
    Rgba32F,
    /// Unsigned integers.
    Rgba32Uint,
    /// Signed integers.
    Rgba32Sint,
}

impl TargetFormat {
    /// The formats, by their words.
    pub(super) const WORDS: [(&str, TargetFormat); 3] = [
        ("rgba32f", TargetFormat::Rgba32F),
        ("rgba32ui", TargetFormat::Rgba32Uint),
        ("rgba32i", TargetFormat::Rgba32Sint),
    ];

    /// The words that are kept of those that a program writes: every NaN is the same one, as its sign and
    /// payload are unspecified.
    pub(super) fn stored(self, words: [u32; 4]) -> [u32; 4] {
        words.map(
            |word| match !self.is_integer() && f32::from_bits(word).is_nan() {
                true => 0x7fc0_0000,
                false => word,
            },
        )
    }

    /// Whether its words are integers.
    pub fn is_integer(self) -> bool {
        match self {
            TargetFormat::Rgba32F => false,
            TargetFormat::Rgba32Uint | TargetFormat::Rgba32Sint => true,
        }
    }
}

/// The shapes that are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// Three vertices each.
    Triangles,
    /// Each vertex from the third on, with the two before it.
    TriangleStrip,
    /// Each vertex from the third on, with the one before it and the first.
    TriangleFan,
    /// Four vertices each, in their order around.
    Quads,
    /// A square around each vertex, PSIZE pixels wide, or one pixel.
    Points,
    /// Two vertices each.
    Lines,
}

impl Primitive {
    /// The primitives, by their words.
    pub(super) const WORDS: [(&str, Primitive); 6] = [
        ("TRIANGLES", Primitive::Triangles),
        ("TRIANGLE_STRIP", Primitive::TriangleStrip),
        ("TRIANGLE_FAN", Primitive::TriangleFan),
        ("QUADS", Primitive::Quads),
        ("POINTS", Primitive::Points),
        ("LINES", Primitive::Lines),
    ];
}

/// A register of constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Constants {
    /// The kind of program that reads it.
    pub program: Processor,
    /// The buffer.
    pub buffer: u32,
    /// The register.
    pub register: u32,
}

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `target`: new targets, whose words are 0.
    Target {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Their content.
        format: TargetFormat,
        /// The number of targets.
        count: u32,
    },
    /// `tolerance`: how far values may be off, in parts of themselves, or of 1 if they are smaller.
    Tolerance(f32),
    /// `clear`: all words of all targets.
    Clear([u32; 4]),
    /// `const`: the words of a register.
    Constant(Constants, [u32; 4]),
    /// `draw`.
    Draw {
        /// The shapes.
        primitive: Primitive,
        /// The first vertex.
        first: u32,
        /// The number of vertices.
        count: u32,
        /// How often they are drawn.
        instances: u32,
    },
    /// `probe`: a pixel and its words.
    Probe {
        /// The target.
        target: u32,
        /// Column and row.
        place: [u32; 2],
        /// The words that are expected.
        words: [u32; 4],
    },
    /// `dispatch`: groups of threads of a compute program.
    Dispatch([u32; 3]),
    /// `expect`: words of a buffer.
    Expect {
        /// The buffer.
        buffer: u32,
        /// The words from its beginning on.
        words: Vec<u32>,
        /// Whether they are written as numbers, which may be off.
        is_float: bool,
    },
}
