//! The messages.

use serde::Deserialize;

/// What a page asks: an object with one name, such as `{ "hover": { "at": [0, 3] } }`. Places in the text are a line from 0
/// and a UTF-16 unit in it.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Request {
    /// Takes the text that an editor shows, in place of the last.
    Open(Text),
    /// Takes what is drawn, in place of the last; that stays if there is a mistake.
    Load {
        /// The program of fragments.
        program: Text,
        /// What they are fragments of; a rectangle over all of the picture unless something is said.
        #[serde(default)]
        mesh: Option<MeshText>,
    },
    /// Keeps the bytes of a file that programs may name.
    File {
        /// Its name.
        name: String,
    },
    /// Draws rows of the picture: the answer's bytes are RGBA.
    Draw(Picture),
    /// Makes the code that [`Request::Draw`] needs.
    Compile(Picture),
    /// Explains what stands at a place.
    Hover {
        /// The place.
        at: [usize; 2],
    },
    /// Proposes words.
    Complete {
        /// The place.
        at: [usize; 2],
    },
    /// Says how the instruction at a place is written.
    Signature {
        /// The place.
        at: [usize; 2],
    },
    /// Lays the text out.
    Format,
    /// Tells all places of the name at a place.
    Occurrences {
        /// The place.
        at: [usize; 2],
    },
    /// Gives the name at a place another name everywhere.
    Rename {
        /// The place.
        at: [usize; 2],
        /// The new name.
        name: String,
    },
    /// Words beside the text.
    Hints,
    /// What the program becomes.
    List(Picture),
    /// Draws what an instruction writes, in place of the program's result.
    Value {
        /// Its number.
        instruction: usize,
        /// What it is drawn with.
        picture: Picture,
    },
    /// Records the quad of a pixel, and goes to its first step.
    Record {
        /// The pixel, by its column and row.
        pixel: [u32; 2],
        /// What it is a pixel of.
        picture: Picture,
    },
    /// Does what a command of `attila debug` says.
    Debug {
        /// The command.
        command: String,
    },
}

/// A program.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The name of its file, whose suffix may tell the language.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A mesh, and the program of its vertices.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct MeshText {
    /// The name of a shape or of a file.
    pub model: String,
    /// The program.
    pub vertex: Text,
}

/// What a picture is drawn with.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Picture {
    /// Columns and rows of all of it.
    pub size: [u32; 2],
    /// The first row, and the first that is not drawn.
    #[serde(default)]
    pub rows: Option<[u32; 2]>,
    /// Numbers of constants, with values in place of what the program says.
    #[serde(default)]
    pub constants: Vec<(usize, [f32; 4])>,
    /// The same of the program of vertices.
    #[serde(default)]
    pub vertex_constants: Vec<(usize, [f32; 4])>,
    /// Where a mesh is seen from: how far the camera goes to the right and up, in degrees, and away.
    #[serde(default = "from_before")]
    pub view: [f64; 3],
    /// Who draws.
    #[serde(default)]
    pub engine: EngineName,
}

/// All of a mesh, as `attila render` shows it.
pub(crate) fn from_before() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

/// An engine.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum EngineName {
    /// The JIT.
    #[default]
    Jit,
    /// The interpreter.
    Interp,
}
