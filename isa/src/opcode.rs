//! [`Opcode`] and what the table says about each.

use std::fmt;

use crate::operand::Slots;
pub use crate::path::{CtmModifier, ResultPath};
use crate::profile::Profile;
use crate::reads::Reads;

/// The kind of operand that may stand at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandKind {
    /// A register read as f32.
    Float(Reads),
    /// A register read as i32; its modifiers are integer ones.
    Int(Reads),
    /// A register read as pairs of components, each an f64 with its low word first; its modifiers are
    /// those of floats, and its swizzle keeps pairs: [`Swizzle::keeps_pairs`](crate::Swizzle::keeps_pairs).
    Double(Reads),
    /// A register whose bits are taken as they are after float modifiers (LDA's index).
    Raw(Reads),
    /// A register read as f32 that may be absent.
    OptionalFloat(Reads),
    /// Offsets in texels: slots x, y, z of a register read as i32, which may be absent.
    Texels,
    /// Derivatives along x in slots x, y, z of a temporary, and along y in those of the next one.
    Gradients,
    /// A literal truth value, a predicate register or a constant's component.
    Bool,
    /// A texture unit, 0..16.
    Unit,
    /// A vertex attribute, 0..16.
    Attribute,
    /// A stream of emitted vertices, 0..4.
    Stream,
    /// A sample number.
    Sample,
    /// An array of scratch memory, of which the operand before it is the index.
    Scratch,
    /// A constant buffer, 0..32.
    Buffer,
    /// A storage buffer, 0..32.
    Storage,
    /// An input register, of which another value than the one that it holds is asked for.
    Input,
    /// The number of a sample: slot w of a register read as i32 that may be absent.
    Index,
    /// A number of eight bits that is added to the index before it, with a sign if there is a register.
    Number,
    /// A jump distance in instructions, relative to the jump.
    Offset,
    /// A register that the word holds and nobody reads (FXMAD's third operand).
    Ignored,
    /// Nothing, before an operand that has to be the third.
    Absent,
}

impl OperandKind {
    /// How the value of a register is read, and which slots; `None` if the operand is not a register whose value is
    /// read.
    #[inline]
    pub const fn value(self) -> Option<(ValueKind, Reads)> {
        match self {
            OperandKind::Float(reads) | OperandKind::OptionalFloat(reads) => {
                Some((ValueKind::Float, reads))
            }
            OperandKind::Gradients => Some((ValueKind::Float, Reads::XYZ)),
            OperandKind::Int(reads) => Some((ValueKind::Int, reads)),
            OperandKind::Texels => Some((ValueKind::Int, Reads::XYZ)),
            OperandKind::Index => Some((ValueKind::Int, Reads::W)),
            OperandKind::Double(reads) => Some((ValueKind::Double, reads)),
            OperandKind::Raw(reads) => Some((ValueKind::Bits, reads)),
            OperandKind::Input => Some((ValueKind::Bits, Reads::Written)),
            OperandKind::Bool
            | OperandKind::Unit
            | OperandKind::Attribute
            | OperandKind::Stream
            | OperandKind::Sample
            | OperandKind::Scratch
            | OperandKind::Buffer
            | OperandKind::Storage
            | OperandKind::Number
            | OperandKind::Offset
            | OperandKind::Ignored
            | OperandKind::Absent => None,
        }
    }

    /// The slots that are read of a register, by an instruction with the write mask `written`;
    /// `None` if the operand is not a register whose value is read.
    #[inline]
    pub fn reads(self, written: Slots) -> Option<Slots> {
        self.value().map(|(_, reads)| reads.slots(written))
    }

    /// Whether nothing may stand at the place.
    pub(crate) fn may_be_absent(self) -> bool {
        match self {
            OperandKind::Ignored
            | OperandKind::Absent
            | OperandKind::OptionalFloat(_)
            | OperandKind::Texels
            | OperandKind::Index => true,
            OperandKind::Float(_)
            | OperandKind::Int(_)
            | OperandKind::Double(_)
            | OperandKind::Raw(_)
            | OperandKind::Gradients
            | OperandKind::Bool
            | OperandKind::Unit
            | OperandKind::Attribute
            | OperandKind::Stream
            | OperandKind::Sample
            | OperandKind::Scratch
            | OperandKind::Buffer
            | OperandKind::Storage
            | OperandKind::Input
            | OperandKind::Number
            | OperandKind::Offset => false,
        }
    }

    /// Whether the operand is computed with as an f32.
    pub const fn is_float(self) -> bool {
        matches!(self.value(), Some((ValueKind::Float, _)))
    }
}

/// How the value of a register is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// As f32.
    Float,
    /// As i32; its modifiers are integer ones.
    Int,
    /// As pairs of words, each an f64; its modifiers are those of floats.
    Double,
    /// As the bits that it has after float modifiers.
    Bits,
}

/// How an instruction's value goes to its result register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultKind {
    /// As f32; the result path applies.
    Float,
    /// As i32; the result path has no effect.
    Int,
    /// As pairs of words, each an f64 or a mask for one; the result path has no effect. The write mask
    /// is xy, zw or xyzw.
    Double,
    /// To the fixed-point accumulator; the register only supplies the write mask.
    Accumulator,
}

/// The results that an instruction has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Results {
    /// Whether it has a result register, and what goes there.
    pub register: Option<ResultKind>,
    /// Whether it has a predicate as its result.
    pub predicate: bool,
    /// Whether a predicate may be written besides the register.
    pub also_predicate: bool,
    /// Whether it has components of a scratch vector as its result.
    pub scratch: bool,
    /// Whether it has words of a storage buffer as its result, the one that is operand 2.
    pub storage: bool,
}

impl Results {
    /// Nothing that a result register or a predicate would name.
    pub const NOTHING: Results = Results {
        register: None,
        predicate: false,
        also_predicate: false,
        scratch: false,
        storage: false,
    };
    /// A predicate.
    pub const PREDICATE: Results = Results {
        predicate: true,
        ..Results::NOTHING
    };
    /// Components of a scratch vector.
    pub const SCRATCH: Results = Results {
        scratch: true,
        ..Results::NOTHING
    };
    /// Words of a storage buffer.
    pub const STORAGE: Results = Results {
        storage: true,
        ..Results::NOTHING
    };
    /// A register, as f32.
    pub const FLOAT: Results = Results::register(ResultKind::Float);
    /// A register, as i32.
    pub const INT: Results = Results::register(ResultKind::Int);
    /// A register, as i32, and a predicate if one is named.
    pub const INT_AND_PREDICATE: Results = Results {
        also_predicate: true,
        ..Results::INT
    };
    /// A register, as pairs of words.
    pub const DOUBLE: Results = Results::register(ResultKind::Double);
    /// The accumulator.
    pub const ACCUMULATOR: Results = Results::register(ResultKind::Accumulator);

    const fn register(kind: ResultKind) -> Results {
        Results {
            register: Some(kind),
            ..Results::NOTHING
        }
    }

    /// Whether it is a float in a register.
    pub const fn is_float(self) -> bool {
        matches!(self.register, Some(ResultKind::Float))
    }

    /// Whether it is pairs of words in a register.
    pub const fn is_double(self) -> bool {
        matches!(self.register, Some(ResultKind::Double))
    }

    /// Whether it is the accumulator.
    pub const fn is_accumulator(self) -> bool {
        matches!(self.register, Some(ResultKind::Accumulator))
    }
}

bitflags::bitflags! {
    /// Properties that matter to more than one consumer of the table.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct OpFlags: u16 {
        /// None of the below.
        const NONE = 0;
        /// The second operand may be an immediate.
        const IMM = 1;
        /// The result is an approximation, at most 2 ulp off.
        const APPROX = 2;
        /// Asks the texture unit.
        const TEXTURE = 4;
        /// Reads the registers of all four lanes: derivatives, explicit or implied.
        const QUAD = 8;
        /// May kill the fragment or a sample of it.
        const KILL = 16;
        /// Exports depth.
        const DEPTH = 32;
        /// Its products may count as +0 wherever a factor is 0 (`_z` of the extended profile).
        const PRODUCT = 64;
        /// Emits a vertex, or ends a primitive of emitted vertices: geometry programs only.
        const EMIT = 128;
        /// The result is one of the operands, so that its bits may stay as they are (`_raw` of the extended profile).
        const CHOICE = 256;
        /// Asks for the samples of the pixel.
        const SAMPLES = 512;
        /// Asks for an input at another place than the pixel's centre: fragment programs only.
        const EVALUATE = 1024;
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OpInfo {
    /// Bits 0-7 of the instruction word.
    pub code: u8,
    /// The smallest profile that has the opcode.
    pub profile: Profile,
    /// Canonical spelling in assembly.
    pub mnemonic: &'static str,
    /// The computation, in one sentence of Markdown.
    pub doc: &'static str,
    /// Operands in order.
    pub operands: &'static [OperandKind],
    /// The results that it writes.
    pub results: Results,
    /// Further properties.
    pub flags: OpFlags,
}

macro_rules! define_opcode {
    ($($(#[doc = $about:literal])+ $section:ident: $Section:ident {
        $(#[doc = $doc:literal] $name:ident = $code:literal, $profile:ident, $mnemonic:literal,
           [$($operand:expr),*], $results:ident, $flags:expr;)*
    })*) => {
        /// An operation of the instruction set.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Opcode {
            $($(#[doc = $doc] $name = $code,)*)*
        }

        $($(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $Section {
            $(#[doc = $doc] $name,)*
        })*

        /// An operation as one of its section of the table. Engines match on the section first,
        /// then on its operations.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Section {
            $($(#[doc = $about])+ $section($Section),)*
        }

        impl Opcode {
            /// Every opcode, in the order of the codes.
            pub const ALL: &'static [Opcode] = &by_code([$($(Opcode::$name,)*)*]);

            /// The section of the table that has the opcode, and its place there.
            #[inline]
            pub const fn section(self) -> Section {
                match self {
                    $($(Opcode::$name => Section::$section($Section::$name),)*)*
                }
            }

            /// The opcode's row of the table.
            #[inline]
            pub const fn info(self) -> &'static OpInfo {
                use OpFlags as Flags;
                use OperandKind::*;
                use Reads::*;
                const NONE: Flags = Flags::NONE;
                const IMM: Flags = Flags::IMM;
                const APPROX: Flags = Flags::APPROX;
                const TEXTURE: Flags = Flags::TEXTURE;
                const QUAD: Flags = Flags::QUAD;
                const KILL: Flags = Flags::KILL;
                const DEPTH: Flags = Flags::DEPTH;
                const PRODUCT: Flags = Flags::PRODUCT;
                const EMIT: Flags = Flags::EMIT;
                const CHOICE: Flags = Flags::CHOICE;
                const SAMPLES: Flags = Flags::SAMPLES;
                const EVALUATE: Flags = Flags::EVALUATE;
                match self {
                    $($(Opcode::$name => {
                        const ROW: OpInfo = OpInfo {
                            code: $code,
                            profile: Profile::$profile,
                            mnemonic: $mnemonic,
                            doc: $doc.trim_ascii(),
                            operands: &[$($operand),*],
                            results: Results::$results,
                            flags: $flags,
                        };
                        &ROW
                    })*)*
                }
            }

            /// The opcode with this code; `None` for reserved codes.
            pub const fn from_code(code: u8) -> Option<Opcode> {
                match code {
                    $($($code => Some(Opcode::$name),)*)*
                    _ => None,
                }
            }
        }
    };
}
crate::for_each_opcode!(define_opcode);

/// The opcodes in the order of their codes.
const fn by_code<const COUNT: usize>(mut ops: [Opcode; COUNT]) -> [Opcode; COUNT] {
    let mut end = 1;
    while end < COUNT {
        let mut at = end;
        while at > 0 && ops[at - 1] as u8 > ops[at] as u8 {
            ops.swap(at - 1, at);
            at -= 1;
        }
        end += 1;
    }
    ops
}

/// Spellings of ATTILA's documentation that the assembler also takes.
pub const MNEMONIC_ALIASES: &[(&str, Opcode)] = &[
    ("jump", Opcode::Jmp),
    ("setpeqi", Opcode::Stpeqi),
    ("setpgti", Opcode::Stpgti),
    ("setplti", Opcode::Stplti),
];

impl Opcode {
    /// Bits 0-7 of the instruction word.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Canonical spelling in assembly.
    pub const fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }

    /// The opcode spelled `mnemonic`, in any case, aliases included.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Opcode> {
        let known = Opcode::ALL.iter().map(|op| (op.mnemonic(), *op));
        known
            .chain(MNEMONIC_ALIASES.iter().copied())
            .find(|(name, _)| name.eq_ignore_ascii_case(mnemonic))
            .map(|(_, op)| op)
    }

    /// Operands in order.
    #[inline]
    pub const fn operands(self) -> &'static [OperandKind] {
        self.info().operands
    }

    /// Whether the opcode has the given property.
    pub const fn has(self, flag: OpFlags) -> bool {
        self.info().flags.contains(flag)
    }

    /// Whether it names a texture unit with a target, rather than a unit as an operand.
    pub const fn names_target(self) -> bool {
        let row = self.info();
        row.flags.contains(OpFlags::TEXTURE) && matches!(row.profile, Profile::Extended)
    }

    /// Whether it writes memory: scratch vectors or storage buffers.
    pub const fn writes_memory(self) -> bool {
        let results = self.info().results;
        let atomic = match self.section() {
            Section::Storage(StorageOp::Ldb | StorageOp::Stb | StorageOp::Bufsize) => false,
            Section::Storage(_) => true,
            Section::Vector(_)
            | Section::Scalar(_)
            | Section::Integer(_)
            | Section::Mask(_)
            | Section::Bits(_)
            | Section::Convert(_)
            | Section::Predicate(_)
            | Section::Texture(_)
            | Section::Memory(_)
            | Section::Double(_)
            | Section::Samples(_)
            | Section::Export(_)
            | Section::Geometry(_)
            | Section::Flow(_)
            | Section::Fixed(_) => false,
        };
        atomic || results.scratch || results.storage
    }

    /// Whether it is a query for the samples of the pixel, with an integer as its result.
    pub const fn is_sample_query(self) -> bool {
        self.has(OpFlags::SAMPLES) && !self.has(OpFlags::EVALUATE)
    }

    /// Whether it makes words from f64: then at most two components are written, one for each pair.
    pub const fn narrows(self) -> bool {
        let first = match self.operands() {
            [first, ..] => *first,
            [] => return false,
        };
        matches!(first, OperandKind::Double(Reads::Pairs))
    }

    /// The smallest part of the write mask `written` that leaves the components `needed` of the result as
    /// they are.
    pub fn least_mask(self, written: Slots, needed: Slots) -> Slots {
        if needed.is_empty() {
            return needed;
        }
        if self.narrows() {
            return written;
        }
        if !self.info().results.is_double() {
            return needed;
        }
        let pairs = [Slots::X | Slots::Y, Slots::Z | Slots::W];
        let whole = pairs.into_iter().filter(|pair| needed.intersects(*pair));
        whole.collect()
    }

    /// Whether it computes with its neighbours' registers and nothing else, which only fragments
    /// have.
    pub const fn is_derivative(self) -> bool {
        self.has(OpFlags::QUAD) && !self.has(OpFlags::TEXTURE)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.mnemonic())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mnemonic_and_alias_is_found_in_any_case() {
        for &op in Opcode::ALL {
            assert_eq!(
                Opcode::from_mnemonic(&op.mnemonic().to_uppercase()),
                Some(op)
            );
        }
        assert_eq!(Opcode::from_mnemonic("Jump"), Some(Opcode::Jmp));
        assert_eq!(Opcode::from_mnemonic("mvo"), None);
    }
}
