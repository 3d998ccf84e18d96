//! Defines what an ATTILA shader program is: the opcode table, instructions and their 128-bit
//! words, assembly, validation, blocks and usage, and [`text`], one cursor for all readers.
//!
//! Nothing here runs a program: see the crates `attila-interp` and `attila-jit`, or the library
//! `attila-shader`.
//!
//! Comments cite the pages of the library's module `docs`: `machine.md 5.3` is section 5.3 of its page `machine`.
#![forbid(unsafe_code)]

mod access;
mod asm;
mod bank;
mod cfg;
pub mod code;
mod file;
mod finding;
mod idioms;
mod inst;
mod inst_error;
pub mod manual;
mod named;
mod opcode;
mod operand;
mod path;
mod profile;
mod program;
mod reads;
mod registers;
mod rules;
mod table;
mod target;
pub mod text;
mod usage;
mod validate;
mod word;

pub use access::TextureAccess;
pub use asm::{
    AsmError, Assembly, Diagnostic, Diagnostics, Fix, Listing, MAX_STATEMENTS, Remark, assemble,
    nearest, scheduling_hints,
};
pub use bank::{Bank, Pred, Reg};
pub use cfg::{Block, BlockId, Cfg};
pub use code::Code;
pub use file::{DecodeError, DecodeFault, HeaderFault};
pub use finding::{Finding, FindingKind, Severity};
pub use idioms::{IDIOMS, Idiom, mnemonic_advice};
pub use inst::Inst;
pub use inst_error::InstError;
pub use opcode::{
    BitsOp, ConvertOp, CtmModifier, DoubleOp, ExportOp, FixedOp, FlowOp, GeometryOp, IntegerOp,
    MNEMONIC_ALIASES, MaskOp, MemoryOp, OpFlags, OpInfo, Opcode, OperandKind, PredicateOp,
    ResultKind, ResultPath, Results, SamplesOp, ScalarOp, Section, StorageOp, TextureOp, ValueKind,
    VectorOp,
};
pub use operand::{
    BoolSrc, Component, Dst, DstReg, DstScratch, Guard, Imm, Modifiers, Operand, OperandValue,
    RelAddr, ScratchArray, Slots, Src, Swizzle,
};
pub use profile::Profile;
pub use program::{Program, Stage};
pub use reads::Reads;
pub use registers::{
    ADDRESSES, ATTRIBUTES, BASE_INPUTS, BASE_OUTPUTS, BUFFERS, CONSTANTS, FIRST_SYSTEM_VALUE,
    INPUTS, INSTANCE_ID, Inputs, OUTPUTS, Outputs, PREDICATES, PRIMITIVE_ID, STORAGE_BUFFERS,
    STREAMS, TEMPS, TEXTURE_UNITS, Temps, VERTEX_ID, VERTEX_ID_NO_BASE,
};
pub use target::{TextureShape, TextureTarget};
pub use usage::Usage;
pub use validate::{ValidProgram, ValidateError};
pub use word::{FIELDS, Field, Word, WordError};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
