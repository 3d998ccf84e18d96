//! [`CodeInfo`]: what became of a program.

use std::fmt;

use attila_isa::{Inst, ValidProgram};
use attila_machine::pipeline::Pipeline;
use attila_machine::{Bindings, PrepareError};

use crate::compiled::inlined_asks;
use crate::constants::Terms;
use crate::lower::Domain;
use crate::sampling::bound;
use crate::specialisation::Specialisation;
use crate::{Jit, Vectors, guard, prepare_error};

/// Figures about the code of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CodeInfo {
    /// Bytes of machine code, constants included.
    pub bytes: usize,
    /// Bytes of memory that the code takes while it is kept: whole pages. On x86-64 they are those of mappings of 2 MiB, which
    /// all shaders of the process share, and the last of which may be mostly empty.
    pub memory: usize,
    /// Bytes that all code of a shader may take, as
    /// [`JitOptions::code_memory`](crate::JitOptions::code_memory) says.
    pub code_memory: usize,
    /// Lanes that one instruction computes.
    pub lanes: usize,
    /// The vectors that it uses.
    pub vectors: Vectors,
    /// Why they are not wider, if there are wider ones.
    pub narrower: Option<Narrower>,
    /// Quads computed side by side.
    pub quads: usize,
    /// Texture instructions that the code does inline.
    pub inlined: usize,
    /// Texture instructions for which the code calls the texture unit.
    pub called: usize,
}

/// Why code does not use wider vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Narrower {
    /// [`JitOptions::vectors`](crate::JitOptions::vectors) says so.
    Wanted,
    /// The machine that the code is for has no wider ones, or the code may not use them.
    Machine,
    /// The program does something that only code with vectors of 128 bits does: calls of what users make, unless it
    /// answers [in any order](attila_machine::TextureUnit::in_any_order), or accesses to storage buffers, quad after quad;
    /// or loops, with the fixed-point accumulator.
    Program,
}

impl fmt::Display for Narrower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Narrower::Wanted => "no more are wanted",
            Narrower::Machine => "the machine has no wider ones",
            Narrower::Program => "the program calls or stores in the order of quads",
        })
    }
}

impl Jit {
    /// Figures of the program's code within the pipeline of a draw, with textures like those that
    /// it is bound to. Compiles it anew.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn code_info(
        &self,
        program: &ValidProgram,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<CodeInfo, PrepareError> {
        let samplings = bound(bindings, inlined_asks(program), self.decodings());
        let terms = Terms::of(program);
        let known = Specialisation::of(program, bindings, &samplings, &terms);
        let insts = program.program().insts().iter();
        let lookups = insts.filter(|inst| inst.texture_unit().is_some());
        let is_inlined = |inst: &&Inst| samplings.iter().any(|how| how.answers(inst));
        let (inlined, called): (Vec<&Inst>, Vec<&Inst>) = lookups.partition(is_inlined);
        let info = guard(|| {
            let domain = Domain::Draw(pipeline);
            let lowered = self.lower(program, domain, known)?;
            let size = lowered.emitter.size(&lowered.source(domain))?;
            let lanes = lowered.emitter.vectors().lanes;
            let vectors = match 32 * lanes {
                512 => Vectors::V512,
                256 => Vectors::V256,
                _ => Vectors::V128,
            };
            Ok(CodeInfo {
                bytes: size.bytes,
                memory: size.memory,
                code_memory: self.code_memory,
                lanes,
                vectors,
                narrower: self.narrower(vectors),
                quads: lowered.quads,
                inlined: inlined.len(),
                called: called.len(),
            })
        });
        info.map_err(prepare_error)
    }

    /// Why code uses these vectors, and no wider ones.
    fn narrower(&self, used: Vectors) -> Option<Narrower> {
        match (used, self.vectors) {
            (Vectors::V512, _) => None,
            (Vectors::V128, Vectors::V128) | (Vectors::V256, Vectors::V256) => {
                Some(Narrower::Wanted)
            }
            (Vectors::V128, _) if self.wide.is_some() => Some(Narrower::Program),
            _ => Some(Narrower::Machine),
        }
    }
}
