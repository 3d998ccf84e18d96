//! Validation: everything about a program that can be checked before it runs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use crate::bank::Bank;
use crate::cfg::{BlockId, Cfg, jump_distance};
use crate::finding::{Finding, FindingKind, Severity};
use crate::opcode::{OpFlags, Opcode};
use crate::program::{Program, Stage};
use crate::usage::Usage;

/// Why a program is not valid: all findings, warnings among them, at least one an error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n"))]
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
            FindingKind::Empty
            | FindingKind::TooLong { .. }
            | FindingKind::Scratch { .. }
            | FindingKind::JumpTarget { .. }
            | FindingKind::NoNeighbours { .. }
            | FindingKind::Unreachable { .. }
            | FindingKind::NeverWritten { .. }
            | FindingKind::AllRelative
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
        let writes = usage.outputs.iter().any(|written| !written.is_empty());
        if !writes && !usage.kills && !usage.exports_depth && !self.program.insts().is_empty() {
            self.add(None, FindingKind::NoEffect);
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
mod tests {
    use super::*;
    use crate::profile::Profile;
    use expect_test::{Expect, expect};

    fn program(text: &str) -> Program {
        Program::assemble(text).expect("assembles")
    }

    /// Checks the findings of validation on `program`; the errors keep it from being valid.
    fn check_program(program: Program, expected: Expect) {
        let (valid, findings) = match program.validate() {
            Ok(program) => (true, program.warnings().to_vec()),
            Err(error) => (false, error.findings),
        };
        let mut report = String::new();
        for finding in &findings {
            report += &format!("{:?}: {finding}\n", finding.severity());
        }
        expected.assert_eq(&report);
        let errors = findings.iter().any(|f| f.severity() == Severity::Error);
        assert_eq!(valid, !errors);
    }

    fn check(text: &str, expected: Expect) {
        check_program(program(text), expected);
    }

    #[test]
    fn a_sound_program_has_no_findings() {
        check("tex r0, i6, t0\nmov o1, r0", expect![[r#""#]]);
    }

    #[test]
    fn an_empty_program_is_refused() {
        check(
            "; nothing",
            expect![[r#"
            Error: the program is empty
        "#]],
        );
    }

    #[test]
    fn a_program_may_be_as_long_as_the_limit() {
        let text = "mov o1, i0\n".repeat(Profile::Base.instructions());
        check(&text, expect![[r#""#]]);
        check(
            &(text + "end"),
            expect![[r#"
            Error: the program has 8193 instructions; the limit is 8192
        "#]],
        );
    }

    #[test]
    fn jumps_stay_within_the_program() {
        check(
            "jmp p0, 3\njmp p0, -2\nmov o1, i0",
            expect![[r#"
            Error: instruction 0: the jump leads to instruction 3, outside the program's 0 to 2
            Error: instruction 1: the jump leads to instruction -1, outside the program's 0 to 2
        "#]],
        );
        check(
            "jmp p0, 2147483647\nmov o1, i0 <- end",
            expect![[r#"
            Error: instruction 0: the jump leads to instruction 2147483647, outside the program's 0 to 1
        "#]],
        );
    }

    #[test]
    fn a_jump_that_ends_may_lead_anywhere() {
        check("mov o1, i0\njmp p0, 1000 <- end", expect![[r#""#]]);
    }

    #[test]
    fn some_lane_has_to_be_able_to_end() {
        check(
            "mov o1, i0\njmp true, -1\nend",
            expect![[r#"
                Error: no end can be reached: the program needs an `end` or an end flag (write `end` on a line that control reaches)
                Warning: instruction 2: no lane can reach this instruction
            "#]],
        );
        check(
            "mov o1, i0 <- noend",
            expect![[r#"
                Error: no end can be reached: the program needs an `end` or an end flag (write `end` on a line that control reaches)
                Warning: instruction 0: control can run past the last instruction; the program ends there (write `<- end` after it)
            "#]],
        );
    }

    #[test]
    fn vertices_have_no_neighbours() {
        let text = "ddx r0, i0\nddy r0.x, i0\nmov o0, r0";
        check_program(
            program(text).with_stage(Stage::Vertex),
            expect![[r#"
            Error: instruction 0: `ddx` needs the neighbours of a fragment and cannot stand in a vertex program
            Error: instruction 1: `ddy` needs the neighbours of a fragment and cannot stand in a vertex program
        "#]],
        );
        check(text, expect![[r#""#]]);
    }

    #[test]
    fn control_may_run_past_the_last_instruction() {
        check(
            "jmp p0, 2\nend\nmov o1, i0",
            expect![[r#"
                Warning: instruction 2: control can run past the last instruction; the program ends there (write `<- end` after it)
            "#]],
        );
        check(
            "mov o1, i0\njmp p0, 2\nend\njmp p0, -3",
            expect![[r#"
            Warning: instruction 3: control can run past the last instruction; the program ends there (write `end` on a line after it)
        "#]],
        );
        let text = "mov o1, i0\njmp p0, 2\nend\njmp p0, -3";
        let decoded = Program::decode(&program(text).encode());
        check_program(
            decoded.expect("decodes"),
            expect![[r#"
            Warning: instruction 3: control can run past the last instruction; the program ends there
        "#]],
        );
        check(
            "jmp p0, 2\nend\njmp true, -1",
            expect![[r#"
            Warning: the program writes no output, kills nothing and exports no depth
        "#]],
        );
    }

    #[test]
    fn instructions_that_nothing_leads_to_are_named_in_runs() {
        check(
            "mov o1, i0\njmp true, 3\nnop\nnop\njmp true, 2\nnop\nend",
            expect![[r#"
                Warning: instruction 2: no lane can reach this instruction and those up to 3
                Warning: instruction 5: no lane can reach this instruction
            "#]],
        );
    }

    #[test]
    fn temporaries_that_nothing_writes_are_named_by_component() {
        check(
            "mov r1.x, i0\nadd o1.xy, r1, r2.wzyx",
            expect![[r#"
            Warning: instruction 1: r1.y is read but never written; it is 0
            Warning: instruction 1: r2.zw is read but never written; it is 0
        "#]],
        );
        check(
            "rcp o1, r3.y\nfxmul r4, i0, i1\nmov o2, r4",
            expect![[r#"
                Warning: instruction 0: r3.y is read but never written; it is 0
                Warning: instruction 2: r4.xyzw is read but never written; it is 0
            "#]],
        );
    }

    #[test]
    fn several_relative_constants_are_noticed_in_words_but_not_in_texts() {
        let text = "add o1, c0[a0.x], c4[a0.x]";
        check(text, expect![[r#""#]]);
        let decoded = |text| Program::decode(&program(text).encode()).expect("decodes");
        check_program(
            decoded(text),
            expect![[r#"
            Warning: instruction 0: the relative address applies to every constant of the instruction
        "#]],
        );
        check_program(decoded("add o1, c0[a0.x], i0"), expect![[r#""#]]);
    }

    #[test]
    fn a_program_that_leaves_no_trace_is_noticed() {
        check(
            "mov r0, i0",
            expect![[r#"
            Warning: the program writes no output, kills nothing and exports no depth
        "#]],
        );
        check("kil i0", expect![[r#""#]]);
        check("zxp i0", expect![[r#""#]]);
    }

    #[test]
    fn all_findings_come_at_once_in_the_order_of_the_instructions() {
        check(
            "rcp r0, r1.x\njmp p0, 9\njmp p1, -9\nadd r2, c0[a0.x], c1[a0.x]",
            expect![[r#"
                Warning: the program writes no output, kills nothing and exports no depth
                Warning: instruction 0: r1.x is read but never written; it is 0
                Error: instruction 1: the jump leads to instruction 10, outside the program's 0 to 3
                Error: instruction 2: the jump leads to instruction -7, outside the program's 0 to 3
            "#]],
        );
    }

    #[test]
    fn findings_know_where_their_instruction_stands_in_the_text() {
        let text = "nop\n  jmp p0, 5 ; too far\nmov o1, i0";
        let error = program(text)
            .validate()
            .expect_err("the jump leaves the program");
        let span = error.findings[0]
            .span
            .clone()
            .expect("the program was assembled");
        assert_eq!(&text[span], "jmp p0, 5");
    }
}
