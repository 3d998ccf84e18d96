//! Validation: everything about a program that can be checked before it runs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use crate::bank::{Bank, Pred};
use crate::cfg::{BlockId, Cfg, jump_distance};
use crate::finding::{Finding, FindingKind, Severity};
use crate::inst::Inst;
use crate::opcode::{OpFlags, Opcode};
use crate::operand::{BoolSrc, Operand, Slots};
use crate::program::{Program, Stage};
use crate::registers::PREDICATES;
use crate::usage::Usage;

/// Why a program is not valid: all findings, warnings among them, at least one an error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n"))]
#[non_exhaustive]
pub struct ValidateError {
    /// The findings in the order of the instructions.
    pub findings: Vec<Finding>,
}

/// A checked program: the only thing that an engine takes. Running it can fail in no other way
/// than `RunError` of `attila-machine` says. Clones share their contents.
#[derive(Clone, Debug)]
pub struct ValidProgram(Arc<Checked>);

#[derive(Debug)]
struct Checked {
    program: Program,
    cfg: Cfg,
    usage: Usage,
    warnings: Vec<Finding>,
}

impl PartialEq for ValidProgram {
    fn eq(&self, other: &ValidProgram) -> bool {
        self.program() == other.program()
    }
}

impl Eq for ValidProgram {}

impl Hash for ValidProgram {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.program().hash(state);
    }
}

impl ValidProgram {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Its basic blocks.
    pub fn cfg(&self) -> &Cfg {
        &self.0.cfg
    }

    /// Whether lanes look at their neighbours, for derivatives that are explicit or implied.
    pub fn has_neighbours(&self) -> bool {
        self.usage().derivatives && self.program().stage().has_neighbours()
    }

    /// The parts of the machine that it touches.
    pub fn usage(&self) -> &Usage {
        &self.0.usage
    }

    /// The findings that do not keep it from running.
    pub fn warnings(&self) -> &[Finding] {
        &self.0.warnings
    }
}

impl Program {
    /// Checks the program as a whole.
    ///
    /// # Errors
    ///
    /// All findings, if any of them is an error.
    pub fn validate(self) -> Result<ValidProgram, ValidateError> {
        let mut findings = Findings {
            program: &self,
            list: Vec::new(),
        };
        let usage = Usage::new(&self);
        findings.check_instructions();
        findings.check_usage(&usage);
        // The graph needs instructions, and jumps that stay among them.
        let cfg = findings.may_build_graph().then(|| Cfg::new(&self));
        if let Some(cfg) = &cfg {
            findings.check_flow(cfg);
        }
        let mut list = findings.list;
        list.sort_by_key(|finding| finding.index);
        match cfg {
            Some(cfg) if list.iter().all(|f| f.severity() == Severity::Warning) => {
                let checked = Checked {
                    program: self,
                    cfg,
                    usage,
                    warnings: list,
                };
                Ok(ValidProgram(Arc::new(checked)))
            }
            _ => Err(ValidateError { findings: list }),
        }
    }
}

struct Findings<'a> {
    program: &'a Program,
    list: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, index: Option<usize>, kind: FindingKind) {
        let span = index.and_then(|index| self.program.span(index));
        let help = self.help(index, &kind);
        self.list.push(Finding {
            kind,
            index,
            span,
            help,
        });
    }

    /// The advice for programs that have a text.
    fn help(&self, index: Option<usize>, kind: &FindingKind) -> Option<&'static str> {
        let insts = self.program.insts();
        let jump = index.is_some_and(|index| insts[index].op == Opcode::Jmp);
        self.program.span(0)?;
        match kind {
            FindingKind::NoEnd => Some("write `end` on a line that control reaches"),
            FindingKind::ScratchArray { .. } => {
                Some("write more in the line `.extended scratch N`")
            }
            FindingKind::RunsPastEnd if jump => Some("write `end` on a line after it"),
            FindingKind::RunsPastEnd => Some("write `<- end` after it"),
            FindingKind::NotGeometry { .. } => Some("begin with `.extended geometry`"),
            FindingKind::NotFragment { .. } => Some("read the input as it stands"),
            FindingKind::Empty
            | FindingKind::TooLong { .. }
            | FindingKind::Scratch { .. }
            | FindingKind::JumpTarget { .. }
            | FindingKind::NoNeighbours { .. }
            | FindingKind::Unreachable { .. }
            | FindingKind::NeverWritten { .. }
            | FindingKind::PredicateNeverWritten { .. }
            | FindingKind::PartlyWritten { .. }
            | FindingKind::AllRelative
            | FindingKind::FreeOffsets
            | FindingKind::NoEffect => None,
        }
    }

    fn may_build_graph(&self) -> bool {
        !self.list.iter().any(|finding| {
            matches!(
                finding.kind,
                FindingKind::Empty | FindingKind::TooLong { .. } | FindingKind::JumpTarget { .. }
            )
        })
    }

    fn check_instructions(&mut self) {
        let program = self.program;
        let length = program.insts().len();
        if length == 0 {
            self.add(None, FindingKind::Empty);
        }
        let limit = program.profile().instructions();
        if length > limit {
            self.add(None, FindingKind::TooLong { length, limit });
        }
        let (vectors, limit) = (program.scratch(), program.profile().scratch());
        if vectors > limit {
            self.add(None, FindingKind::Scratch { vectors, limit });
        }
        let stage = program.stage();
        for (index, inst) in program.insts().iter().enumerate() {
            if let Some(target) = jump_distance(program, index)
                && !(0..length as i64).contains(&target)
            {
                self.add(
                    Some(index),
                    FindingKind::JumpTarget {
                        target,
                        last: length - 1,
                    },
                );
            }
            if let Some(array) = inst.scratch()
                && array.end() > vectors
            {
                self.add(Some(index), FindingKind::ScratchArray { array, vectors });
            }
            if inst.op.is_derivative() && !stage.has_neighbours() {
                let op = inst.op;
                self.add(Some(index), FindingKind::NoNeighbours { op, stage });
            }
            if inst.op.has(OpFlags::EMIT) && stage != Stage::Geometry {
                let op = inst.op;
                self.add(Some(index), FindingKind::NotGeometry { op, stage });
            }
            if inst.op.has(OpFlags::EVALUATE) && stage != Stage::Fragment {
                let op = inst.op;
                self.add(Some(index), FindingKind::NotFragment { op, stage });
            }
            let constants = inst
                .operands
                .iter()
                .filter(|operand| operand.is_constant())
                .count();
            // A text says of every constant that it is relative: no surprise there.
            let decoded = program.span(index).is_none();
            if inst.constant_address().is_some() && constants > 1 && decoded {
                self.add(Some(index), FindingKind::AllRelative);
            }
        }
    }

    fn check_usage(&mut self, usage: &Usage) {
        let mut insts = self.program.insts().iter();
        if let Some(first) = insts.position(|inst| inst.op == Opcode::PixldOffset) {
            self.add(Some(first), FindingKind::FreeOffsets);
        }
        let temps = usage
            .temps_read
            .iter()
            .zip(&usage.temps_written)
            .enumerate();
        for (index, (&read, &written)) in temps {
            let components = read - written;
            if components.is_empty() {
                continue;
            }
            let reader = self.program.insts().iter().position(|inst| {
                inst.sources().any(|(src, slots)| {
                    src.reg.bank() == Bank::Temp
                        && src.reg.index() == index
                        && src.swizzle.sources(slots).intersects(components)
                })
            });
            self.add(reader, FindingKind::NeverWritten { index, components });
        }
        self.check_predicates();
        self.check_outputs(usage);
        if !usage.leaves_trace() && !self.program.insts().is_empty() {
            self.add(None, FindingKind::NoEffect);
        }
    }

    /// Finds predicates that are read and not written. A jump on one is a way to write a jump that is always
    /// or never taken.
    fn check_predicates(&mut self) {
        let insts = self.program.insts();
        for index in 0..usize::from(PREDICATES) {
            let is_it = |pred: Pred| pred.index() == index;
            let writes = |inst: &Inst| inst.dst.pred.is_some_and(is_it);
            let reads = |inst: &Inst| {
                let truths = inst.operands.iter().any(|operand| {
                    matches!(operand, Operand::Bool(BoolSrc::Pred { pred, .. }) if is_it(*pred))
                });
                truths && inst.op != Opcode::Jmp
                    || inst.guard.is_some_and(|guard| is_it(guard.pred))
            };
            if let Some(reader) = insts.iter().position(reads)
                && !insts.iter().any(writes)
            {
                self.add(Some(reader), FindingKind::PredicateNeverWritten { index });
            }
        }
    }

    /// Finds outputs of which only some components are written, where all count: positions, and the first
    /// colour of fragments. Other targets often have fewer components.
    fn check_outputs(&mut self, usage: &Usage) {
        let stage = self.program.stage();
        for (index, &written) in usage.outputs.iter().enumerate() {
            let counts = match stage {
                Stage::Fragment => index == 1,
                Stage::Vertex | Stage::Geometry => index == 0,
                Stage::Compute => false,
            };
            let components = Slots::all() - written;
            if !counts || written.is_empty() || components.is_empty() {
                continue;
            }
            let writes = |inst: &Inst| {
                inst.dst
                    .reg
                    .is_some_and(|dst| dst.reg.bank() == Bank::Output && dst.reg.index() == index)
            };
            let writer = self.program.insts().iter().position(writes);
            self.add(writer, FindingKind::PartlyWritten { index, components });
        }
    }

    fn check_flow(&mut self, cfg: &Cfg) {
        let insts = self.program.insts();
        let blocks = cfg.blocks();
        let is_reachable = |index: usize| cfg.is_reachable(BlockId(index));
        let ends = |index: usize| insts[blocks[index].insts.end - 1].end;
        if !(0..blocks.len()).any(|index| is_reachable(index) && ends(index)) {
            self.add(None, FindingKind::NoEnd);
        }
        let last = insts.len() - 1;
        if is_reachable(blocks.len() - 1) && !insts[last].never_falls_through() {
            self.add(Some(last), FindingKind::RunsPastEnd);
        }
        let mut index = 0;
        while index < blocks.len() {
            let start = index;
            while index < blocks.len() && !is_reachable(index) {
                index += 1;
            }
            if index > start {
                let (first, last) = (blocks[start].insts.start, blocks[index - 1].insts.end - 1);
                self.add(Some(first), FindingKind::Unreachable { first, last });
            }
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests;
