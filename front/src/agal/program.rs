//! AGAL programs: tokens with registers of the language.

use std::fmt;
use std::ops::Range;

use attila_isa::{Component, Slots, Stage, Swizzle};
use smallvec::SmallVec;

use super::opcode::{AgalOpcode, Reads};
use super::sampler::Sampler;

/// A version of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// The baseline and constrained profiles.
    V1,
    /// The standard profile: branches, derivatives, several colours.
    V2,
    /// The standard extended profile: numbers of instances.
    V3,
}

impl Version {
    /// All versions, the first one first.
    pub const ALL: [Version; 3] = [Version::V1, Version::V2, Version::V3];

    /// Its number.
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The version with a number.
    pub fn of(number: u32) -> Option<Version> {
        let mut versions = Version::ALL.into_iter();
        versions.find(|version| version.number() == number)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A register file. Its code in byte programs is its number here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum File {
    /// Attributes of vertices.
    Attribute,
    /// Constants.
    Constant,
    /// Temporaries.
    Temporary,
    /// The position of vertices, or the colours of fragments.
    Output,
    /// What vertex programs hand to fragment programs.
    Varying,
    /// Samplers.
    Sampler,
    /// The depth of fragments.
    Depth,
    /// The number of the instance.
    Instance,
}

impl File {
    /// All files, in the order of their codes.
    pub const ALL: [File; 8] = [
        File::Attribute,
        File::Constant,
        File::Temporary,
        File::Output,
        File::Varying,
        File::Sampler,
        File::Depth,
        File::Instance,
    ];

    /// Its code in byte programs.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The file with a code.
    pub fn of_code(code: u8) -> Option<File> {
        File::ALL.get(usize::from(code)).copied()
    }

    /// Its registers in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            File::Attribute => "an attribute",
            File::Constant => "a constant",
            File::Temporary => "a temporary",
            File::Output => "an output",
            File::Varying => "a varying",
            File::Sampler => "a sampler",
            File::Depth => "the depth",
            File::Instance => "the number of the instance",
        }
    }
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register {
    /// Its file.
    pub file: File,
    /// Its number in it.
    pub number: u16,
}

impl Register {
    /// The register of a file with a number.
    pub const fn new(file: File, number: u16) -> Register {
        Register { file, number }
    }

    /// Its name in texts of a stage, as the mini-assembler has it.
    pub fn name(self, stage: Stage) -> String {
        let number = self.number;
        let is_vertex = stage == Stage::Vertex;
        match self.file {
            File::Attribute => format!("va{number}"),
            File::Constant if is_vertex => format!("vc{number}"),
            File::Constant => format!("fc{number}"),
            File::Temporary if is_vertex => format!("vt{number}"),
            File::Temporary => format!("ft{number}"),
            File::Output if is_vertex && number == 0 => "op".to_owned(),
            File::Output if is_vertex => format!("op{number}"),
            File::Output if number == 0 => "oc".to_owned(),
            File::Output => format!("oc{number}"),
            File::Varying => format!("v{number}"),
            File::Sampler if is_vertex => format!("vs{number}"),
            File::Sampler => format!("fs{number}"),
            File::Depth if number == 0 => "od".to_owned(),
            File::Depth => format!("od{number}"),
            File::Instance => format!("iid{number}"),
        }
    }
}

/// A register that is written, and the components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The register.
    pub register: Register,
    /// The components; none are allowed.
    pub mask: Slots,
    /// Its place.
    pub span: Range<usize>,
}

/// A register that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// A register by its number.
    Direct(Register),
    /// A register that is computed: the floor of a component, plus a distance.
    Indirect {
        /// The file of the register.
        file: File,
        /// The register that holds the index.
        index: Register,
        /// The component of it.
        component: Component,
        /// The distance.
        offset: u8,
    },
}

/// A vector that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The register.
    pub location: Location,
    /// The component that each slot takes.
    pub swizzle: Swizzle,
    /// Its place.
    pub span: Range<usize>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its opcode.
    pub opcode: AgalOpcode,
    /// The place of its result, if it has one.
    pub destination: Option<Destination>,
    /// The vectors that it reads.
    pub sources: SmallVec<[Source; 2]>,
    /// The sampler of a texture instruction.
    pub sampler: Option<(Sampler, Range<usize>)>,
    /// Its place.
    pub span: Range<usize>,
}

impl Token {
    /// The slots of its sources that matter.
    pub fn slots(&self) -> Slots {
        match self.opcode.info().reads {
            Reads::Written => self
                .destination
                .as_ref()
                .map_or(Slots::empty(), |it| it.mask),
            Reads::Slots(slots) => slots,
            Reads::Coordinates => match &self.sampler {
                Some((sampler, _)) => sampler.coordinates(),
                None => Slots::empty(),
            },
        }
    }
}

/// A program. Places are bytes of the program or of the text that it has been read from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgalProgram {
    /// [`Stage::Vertex`] or [`Stage::Fragment`].
    pub stage: Stage,
    /// Its version.
    pub version: Version,
    /// Whether bytes of the version stand in the wrong order, as some compilers wrote them.
    pub has_swapped_version: bool,
    /// Its instructions.
    pub tokens: Vec<Token>,
    /// The length of what it has been read from, in bytes.
    pub end: usize,
}
