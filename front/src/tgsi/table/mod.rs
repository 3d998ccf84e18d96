//! The opcode table: one row per opcode. The parser and the checker derive from it.
//!
//! A row reads
//!
//! ```text
//! Name "MNEMONIC" DIALECTS FORM Role "The computation, in one sentence.";
//! ```
//!
//! Dialects are those that have the opcode by this name; texts may use every opcode in every dialect.
//! Forms, in `form.rs`, are the types of results and sources, and the components that are read.

mod form;
mod rows;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

pub use form::{Form, Operand, Reads, Type};
pub use rows::{OPCODES, TgsiOpcode};

use super::dialect::{Dialect, DoubleTests};

/// The effect of an opcode, as far as it has one beyond its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// None.
    Plain,
    /// Compares fragments of a quad.
    Derivative,
    /// Looks a texture up at a level that derivatives of the coordinates choose.
    Sample,
    /// Looks a texture up at a level that it names, or asks for its size.
    Lookup,
    /// Interpolates an input anew.
    Interpolate,
    /// Drops fragments.
    Kill,
    /// Decides which instruction is next.
    Flow,
    /// Moves addresses to the stack or back.
    Stack,
    /// Reads or writes a buffer.
    Memory,
    /// Emits a vertex or ends a primitive.
    Emit,
    /// Needs something that ATTILA's extended profile does not have.
    Refused(Feature),
}

/// A part of the language that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// Threads that wait for each other.
    Barriers,
    /// Orders of memory accesses between threads.
    Fences,
    /// Memory that the threads of a block share.
    SharedMemory,
    /// Images that are written.
    Images,
    /// The resources of T10.
    Resources,
    /// Integers of 64 bits.
    Int64,
    /// Values that threads exchange.
    Subgroups,
    /// Textures and images by their addresses.
    Handles,
    /// The time.
    Clocks,
    /// The colour of the target.
    FramebufferFetch,
    /// Atomic counters of hardware.
    Counters,
    /// Atomic operations of floats, and those that wrap.
    OtherAtomics,
    /// Constant buffers that are read with LOAD.
    ConstantBuffers,
    /// The positions of an image's samples.
    SamplePositions,
    /// Programs that tessellate.
    Tessellation,
    /// Programs that make meshes.
    Meshes,
    /// Floats of 16 bits, in registers or in the text.
    Halves,
    /// Loops that count their turns in registers of LOOP.
    LoopCounters,
    /// Products of a vector and the rows of a matrix.
    Matrices,
    /// The number of dimensions of a grid.
    GridDimensions,
    /// Words that drivers of one maker pass on.
    UserData,
    /// A bit for each viewport.
    ViewportMasks,
    /// Another name for HELPER_INVOCATION.
    Helpers,
}

impl Feature {
    /// The reason why something is refused, as the end of a sentence.
    pub const fn reason(self) -> &'static str {
        match self {
            Feature::Barriers => "threads of a block do not run side by side",
            Feature::Fences => "threads of a block do not run side by side",
            Feature::SharedMemory => "threads of a block have no memory in common",
            Feature::Images => "there are no images to write",
            Feature::Resources => "only buffers are, as `BUFFER[0]`",
            Feature::Int64 => "there are no 64-bit integers",
            Feature::Subgroups => "threads exchange no values",
            Feature::Handles => "textures and images have no handles",
            Feature::Clocks => "programs have no clock",
            Feature::FramebufferFetch => "programs cannot read the target",
            Feature::Counters => "there are no counters in hardware",
            Feature::OtherAtomics => "there is no such atomic operation",
            Feature::ConstantBuffers => "constants are read as `CONST[buffer][register]`",
            Feature::SamplePositions => "programs do not know where samples of images are",
            Feature::Tessellation => "there are no tessellation stages",
            Feature::Meshes => "there are no mesh stages",
            Feature::Halves => "registers and numbers have 32 bits",
            Feature::LoopCounters => "loops begin with BGNLOOP and count in registers of TEMP",
            Feature::Matrices => "products of matrices are written with DP3 and DP4",
            Feature::GridDimensions => "a grid does not tell how many dimensions it has",
            Feature::UserData => "drivers pass on no words of their own",
            Feature::ViewportMasks => "there is one viewport",
            Feature::Helpers => "HELPER_INVOCATION says which fragments are helpers",
        }
    }

    /// The message on a word of the text that needs it.
    pub(super) fn refusal(self, word: &str) -> String {
        format!("`{word}` is not supported: {}", self.reason())
    }
}

/// The facts about an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TgsiOpcodeInfo {
    /// The opcode.
    pub opcode: TgsiOpcode,
    /// Its name, in upper case.
    pub name: &'static str,
    /// The dialects that have it by this name.
    pub dialects: &'static [Dialect],
    /// Its operands.
    pub form: Form,
    /// Its effect.
    pub role: Role,
    /// The computation.
    pub doc: &'static str,
}

impl TgsiOpcodeInfo {
    /// Whether a texture target follows the sources: all lookups by a sampler have one, unless they name
    /// a view, which has a target of its own.
    pub fn has_target(&self) -> bool {
        let sources = self.form.sources;
        sources.contains(&Operand::Sampler) && !sources.contains(&Operand::View)
    }
}

const ALL: &[Dialect] = &Dialect::ALL;
const T7: &[Dialect] = &[Dialect::T7];
const EARLY: &[Dialect] = &[Dialect::T7, Dialect::T10];
const T10: &[Dialect] = &[Dialect::T10];
const LATER: &[Dialect] = &[Dialect::T10, Dialect::T23];
const T23: &[Dialect] = &[Dialect::T23];

/// Other names of opcodes, and the dialects that have them.
pub const ALIASES: &[(&str, TgsiOpcode, &[Dialect])] = &[
    ("KIL", TgsiOpcode::KillIf, T7),
    ("KILP", TgsiOpcode::Kill, T7),
    ("SHR", TgsiOpcode::Ishr, EARLY),
    ("DFREXP", TgsiOpcode::Dfracexp, T23),
    ("FLOOR", TgsiOpcode::Flr, T7),
];

/// A name of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpcodeName {
    /// The opcode.
    pub opcode: TgsiOpcode,
    /// The dialects that have it by this name.
    pub dialects: &'static [Dialect],
}

static NAMES: LazyLock<HashMap<&'static str, OpcodeName>> = LazyLock::new(|| {
    let rows = OPCODES
        .iter()
        .map(|row| (row.name, row.opcode, row.dialects));
    let all = rows.chain(ALIASES.iter().copied());
    all.map(|(name, opcode, dialects)| (name, OpcodeName { opcode, dialects }))
        .collect()
});

impl TgsiOpcode {
    /// Its row of [`OPCODES`].
    pub const fn info(self) -> &'static TgsiOpcodeInfo {
        &OPCODES[self as usize]
    }

    /// Its operands in a dialect. Comparisons of doubles have doubles as their results in T7.
    pub const fn form(self, dialect: Dialect) -> &'static Form {
        let is_comparison = matches!(
            self,
            TgsiOpcode::Dseq | TgsiOpcode::Dsne | TgsiOpcode::Dslt | TgsiOpcode::Dsge
        );
        match (is_comparison, dialect.rules().double_tests) {
            (true, DoubleTests::Numbers) => &form::DOUBLE2,
            (true, DoubleTests::Masks) | (false, _) => &self.info().form,
        }
    }

    /// Finds an opcode by one of its names, in letters of either case, without suffixes.
    pub fn find(name: &str) -> Option<OpcodeName> {
        // Most texts are in upper case.
        let found = NAMES.get(name).copied();
        found.or_else(|| NAMES.get(name.to_ascii_uppercase().as_str()).copied())
    }

    /// The names of all opcodes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let rows = OPCODES.iter().map(|row| row.name);
        rows.chain(ALIASES.iter().map(|alias| alias.0))
    }
}

/// As texts write it.
impl fmt::Display for TgsiOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_where_its_opcode_looks_for_it() {
        for (index, row) in OPCODES.iter().enumerate() {
            assert_eq!(row.opcode as usize, index);
            assert_eq!(row.opcode.info(), row);
        }
    }

    #[test]
    fn no_two_opcodes_have_the_same_name() {
        assert_eq!(NAMES.len(), OPCODES.len() + ALIASES.len());
        for name in TgsiOpcode::names() {
            assert_eq!(name, name.to_ascii_uppercase());
            assert!(TgsiOpcode::find(&name.to_ascii_lowercase()).is_some());
        }
    }

    #[test]
    fn renamed_opcodes_are_found_by_both_names() {
        let opcode = |name| TgsiOpcode::find(name).map(|found| found.opcode);
        assert_eq!(opcode("KIL"), opcode("KILL_IF"));
        assert_eq!(opcode("KILP"), opcode("KILL"));
        assert_eq!(opcode("SHR"), opcode("ISHR"));
        assert_eq!(opcode("MOV_SAT"), None);
    }

    #[test]
    fn every_dialect_has_the_opcodes_that_it_should() {
        let count = |dialect| {
            let rows = OPCODES.iter().filter(|row| row.dialects.contains(&dialect));
            let aliases = ALIASES.iter().filter(|row| row.2.contains(&dialect));
            rows.count() + aliases.count()
        };
        assert_eq!(Dialect::ALL.map(count), [151, 184, 246]);
    }

    #[test]
    fn targets_follow_samplers_but_not_views() {
        let has_target =
            |name: &str| TgsiOpcode::find(name).map(|it| it.opcode.info().has_target());
        assert_eq!(has_target("TXD"), Some(true));
        assert_eq!(has_target("SAMPLE"), Some(false));
        assert_eq!(has_target("MOV"), Some(false));
    }

    #[test]
    fn flow_kills_and_emissions_have_no_results() {
        for row in OPCODES {
            let bare = matches!(row.role, Role::Flow | Role::Kill | Role::Emit);
            assert!(!bare || row.form.results.is_empty(), "{}", row.name);
        }
    }
}
