//! What an ATTILA shader program *is*: the opcode table, instructions and their 128-bit words,
//! assembly language, validation, the state of a quad, and the numeric primitives that both
//! engines share.
//!
//! Nothing here runs a program: see the crates `attila-interp` and `attila-jit`, or the facade
//! `attila-shader`.
#![forbid(unsafe_code)]

pub mod approx;
pub mod arith;
mod asm;
mod attributes;
mod bindings;
mod cfg;
mod engine;
mod finding;
mod idioms;
mod inst;
mod nesting;
mod opcode;
mod operand;
pub mod pipeline;
mod program;
mod quad;
pub mod reference;
mod state;
pub mod sweep;
mod table;
pub mod text;
mod usage;
mod validate;
mod word;

pub use asm::{
    AsmError, Assembly, Diagnostic, Diagnostics, Listing, MAX_STATEMENTS, Remark, assemble, nearest,
};
pub use attributes::{VertexAttribute, VertexBuffers, VertexFormat};
pub use bindings::{
    AttributeSource, Bindings, CONSTANTS, DEFAULT_ATTRIBUTE, DEFAULT_FIXED_BITS,
    DEFAULT_LOOP_BUDGET, MAX_FIXED_BITS, TextureOp, TextureRequest, TextureUnit,
};
pub use cfg::{Block, BlockId, Cfg};
pub use engine::{Backend, Executable, PrepareError, RunError, StatefulExecutable};
pub use finding::{Finding, FindingKind, Severity};
pub use idioms::{IDIOMS, Idiom, mnemonic_advice};
pub use inst::{Inst, InstError};
pub use nesting::{MAX_NESTED_RUNS, Running};
pub use opcode::{MNEMONIC_ALIASES, OpFlags, OpInfo, Opcode, OperandKind, Reads, ResultKind};
pub use operand::{
    ATTRIBUTES, Bank, BoolSrc, Component, Dst, Guard, Imm, Modifiers, Operand, PREDICATES, Pred,
    Reg, RelAddr, Slots, Src, Swizzle, TEXTURE_UNITS,
};
pub use program::{DecodeError, DecodeFault, Program, Stage};
pub use quad::{DDX_LANES, DDY_LANES, LANES, LaneMask, Lanes};
pub use state::{
    Fixed, KILL_ALL, QuadIo, QuadReg, QuadState, RegFile, SAMPLES, from_lanes, to_lanes,
};
pub use usage::Usage;
pub use validate::{MAX_INSTRUCTIONS, ValidProgram, ValidateError};
pub use word::{FIELDS, Field, Word, WordError};
