//! The commands of a script.

use std::fmt;

use attila_shader::front::arb::ArbStage;
use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::DepthMode;

use attila_shader::front::arb::Target;

/// Which parameters of programs a command sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterBank {
    /// `program.env`.
    Env,
    /// `program.local`.
    Local,
}

/// A parameter of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Whose it is.
    pub stage: ArbStage,
    /// Which of the two kinds.
    pub bank: ParameterBank,
    /// Its number.
    pub index: u32,
}

/// A picture that a texture is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageKind {
    /// Four quarters: red and green at low t, blue and white at high t. Width and height.
    Quarters(u32, u32),
    /// 8 x 8 texels; the levels are red, green, blue and white.
    Levels,
    /// Depths that grow from 0 at the left to 1 at the right. Width and height.
    Depths(u32, u32),
}

/// Something that is set of a texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TexParameter {
    /// The texels that a comparison samples.
    DepthMode(DepthMode),
    /// How the third coordinate, on the left, is compared with texels.
    Compare(Compare),
}

/// A pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its column.
    pub x: u32,
    /// Its row, from below.
    pub y: u32,
}

/// As `(x, y)`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// An expectation of the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Probe {
    /// Every pixel has this colour, up to 3 of 255 steps.
    All([f32; 4]),
    /// A pixel has this red, green and blue, up to 0.01.
    Rgb(Place, [f32; 3]),
    /// A pixel has this colour, up to 0.01.
    Rgba(Place, [f32; 4]),
    /// A pixel has this depth, up to less than 0.01.
    Depth(Place, f32),
}

/// A command of a script.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Command {
    /// Sets the colour that [`Command::Clear`] clears to, and has it do so.
    ClearColor([f32; 4]),
    /// Sets the depth that [`Command::Clear`] clears to, and has it do so.
    ClearDepth(f32),
    /// Clears what clear values have been set for.
    Clear,
    /// Sets the colour of vertices.
    Color([f32; 4]),
    /// Sets the texture coordinates of a unit.
    TexCoord(u32, [f32; 4]),
    /// Makes the projection map left, right, bottom, top to the window. The model-view matrix is the
    /// identity, always.
    Ortho([f32; 4]),
    /// Sets a parameter.
    Parameter(Parameter, [f32; 4]),
    /// Turns the depth test on: less, with writes.
    DepthTest,
    /// Gives rectangles whose back is seen the colours of the back.
    TwoSided,
    /// Puts a texture to a unit.
    Texture(u32, Target, ImageKind),
    /// Changes the texture of a unit.
    TexParameter(u32, Target, TexParameter),
    /// Draws a rectangle: x, y, width, height; and s, t, width, height of unit 0's coordinates.
    Draw([f32; 4], Option<[f32; 4]>),
    /// Looks at the picture.
    Probe(Probe),
}
