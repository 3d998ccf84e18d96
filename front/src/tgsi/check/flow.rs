//! Matches statements with their ends.

use std::ops::Range;

use attila_isa::{Remark, code};

use super::super::program::{Flow, Routine};
use super::super::syntax::Number;
use super::super::table::TgsiOpcode;
use super::Checker;
use super::labels::Label;
use crate::back::{MAX_NESTED, too_deep};

/// A statement that has no end yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    If,
    Loop,
    Switch,
    Routine,
}

impl Kind {
    /// The words for its beginning and its end.
    fn words(self) -> [&'static str; 2] {
        match self {
            Kind::If => ["IF", "ENDIF"],
            Kind::Loop => ["BGNLOOP", "ENDLOOP"],
            Kind::Switch => ["SWITCH", "ENDSWITCH"],
            Kind::Routine => ["BGNSUB", "ENDSUB"],
        }
    }
}

#[derive(Clone, Debug)]
struct Open {
    kind: Kind,
    start: usize,
    /// Its ELSE, or its DEFAULT.
    other: Option<usize>,
    cases: Vec<usize>,
    span: Range<usize>,
}

/// A jump or a call, whose label has not been looked up.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) from: usize,
    pub(super) target: Option<Number>,
    pub(super) span: Range<usize>,
    pub(super) is_call: bool,
}

/// The statements around the current instruction, and the jumps and labels before it.
#[derive(Default, Debug)]
pub(super) struct Structure {
    open: Vec<Open>,
    /// How many of each kind are open.
    counts: [usize; 4],
    /// The places in `open` of loops, and of loops and SWITCHes.
    loops: Vec<usize>,
    left: Vec<usize>,
    pub(super) branches: Vec<Branch>,
    pub(super) labels: Vec<Label>,
    /// The subroutines, each after those that it calls.
    pub(super) order: Vec<usize>,
    /// Whether statements and their ends do not match.
    pub(super) is_broken: bool,
    /// Whether statements are nested too deep.
    is_too_deep: bool,
    /// Whether instructions beyond the limit were left out.
    pub(super) is_cut: bool,
    /// The first instruction after the last subroutine.
    main: usize,
}

impl Checker<'_> {
    /// Connects the last instruction with others. `span` is its opcode.
    pub(super) fn flow(&mut self, opcode: TgsiOpcode, span: Range<usize>, label: Option<&Number>) {
        use TgsiOpcode as Op;
        let at = self.program.instructions.len() - 1;
        let is = |opcodes: &[TgsiOpcode]| opcodes.contains(&opcode);
        if is(&[Op::Cal, Op::Callnz, Op::Bra]) {
            self.structure.branches.push(Branch {
                from: at,
                target: label.cloned(),
                span,
                is_call: opcode != Op::Bra,
            });
            return;
        }
        if let Some((number, place)) = label
            && is(&[Op::If, Op::Uif, Op::Ifc, Op::Else, Op::Bgnloop, Op::Endloop])
        {
            let (number, span) = (*number, place.clone());
            self.structure.labels.push(Label { at, number, span });
        }
        if is(&[Op::If, Op::Uif, Op::Ifc]) {
            self.begin(Kind::If, span);
        } else if is(&[Op::Bgnloop]) {
            self.begin(Kind::Loop, span);
        } else if is(&[Op::Switch]) {
            self.begin(Kind::Switch, span);
        } else if is(&[Op::Bgnsub]) {
            self.begin_routine(span);
        } else if is(&[Op::Else]) {
            self.other(Kind::If, span);
        } else if is(&[Op::Default]) {
            self.other(Kind::Switch, span);
        } else if is(&[Op::Case]) {
            self.case(span);
        } else if is(&[Op::Endif]) {
            self.close(Kind::If, span);
        } else if is(&[Op::Endloop]) {
            self.close(Kind::Loop, span);
        } else if is(&[Op::Endswitch]) {
            self.close(Kind::Switch, span);
        } else if is(&[Op::Endsub]) {
            self.close(Kind::Routine, span);
        } else if is(&[Op::Brk, Op::Breakc, Op::Cont]) {
            self.leave(opcode, span);
        } else if is(&[Op::Ret]) {
            self.set(at, Flow::Return);
        } else if is(&[Op::End]) {
            self.set(at, Flow::End);
            self.end(span);
        }
    }

    fn set(&mut self, at: usize, flow: Flow) {
        self.program.instructions[at].flow = flow;
    }

    fn misplaced(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.structure.is_broken = true;
        self.diagnostics
            .error(Remark::new(span, message).code(&code::text::FLOW));
    }

    fn begin(&mut self, kind: Kind, span: Range<usize>) {
        let structure = &mut self.structure;
        let place = structure.open.len();
        if place == MAX_NESTED && !structure.is_too_deep {
            structure.is_too_deep = true;
            structure.is_broken = true;
            self.diagnostics.error(too_deep(span.clone()));
        }
        structure.counts[kind as usize] += 1;
        match kind {
            Kind::Loop => {
                structure.loops.push(place);
                structure.left.push(place);
            }
            Kind::Switch => structure.left.push(place),
            Kind::If | Kind::Routine => {}
        }
        structure.open.push(Open {
            kind,
            start: self.program.instructions.len() - 1,
            other: None,
            cases: Vec::new(),
            span,
        });
    }

    /// Takes the innermost statement.
    fn pop(&mut self) -> Option<Open> {
        let structure = &mut self.structure;
        let open = structure.open.pop()?;
        let place = structure.open.len();
        structure.counts[open.kind as usize] -= 1;
        structure.loops.pop_if(|last| *last == place);
        structure.left.pop_if(|last| *last == place);
        Some(open)
    }

    /// Reports statements without ends, up to the innermost one of a kind.
    fn unwind(&mut self, until: Option<Kind>) {
        while let Some(open) = self.structure.open.last() {
            if Some(open.kind) == until {
                return;
            }
            let [begin, end] = open.kind.words();
            let span = open.span.clone();
            self.misplaced(span, format!("{begin} has no {end}"));
            self.pop();
        }
    }

    fn begin_routine(&mut self, span: Range<usize>) {
        self.unwind(None);
        let at = self.program.instructions.len() - 1;
        let last = at
            .checked_sub(1)
            .map(|last| &self.program.instructions[last]);
        let ends = last.is_some_and(|last| {
            let flow = &last.flow;
            matches!(flow, Flow::End | Flow::Return | Flow::EndRoutine { .. })
        });
        let jumps = last.is_some_and(|last| last.opcode == TgsiOpcode::Bra);
        if !ends && !jumps {
            let message = "the program runs into the subroutine";
            let remark = Remark::new(span.clone(), message).code(&code::text::FLOW);
            let remark = remark.help("END or RET has to stand before it");
            self.structure.is_broken = true;
            self.diagnostics.error(remark);
        }
        let before = self.structure.main..at;
        self.program
            .main
            .extend((!before.is_empty()).then_some(before));
        self.begin(Kind::Routine, span);
        let routine = self.program.routines.len();
        self.set(at, Flow::BeginRoutine { routine });
        self.program.routines.push(Routine {
            instructions: at..at + 1,
            calls: Vec::new(),
            pushes: 0,
            length: 0,
        });
    }

    /// ELSE or DEFAULT.
    fn other(&mut self, kind: Kind, span: Range<usize>) {
        let at = self.program.instructions.len() - 1;
        let [begin, _] = kind.words();
        let word = if kind == Kind::If { "ELSE" } else { "DEFAULT" };
        match self.structure.open.last_mut() {
            Some(open) if open.kind == kind && open.other.is_none() => {
                open.other = Some(at);
                let start = open.start;
                self.set(
                    at,
                    match kind == Kind::If {
                        true => Flow::Else { start, end: at },
                        false => Flow::Case { start },
                    },
                );
            }
            Some(open) if open.kind == kind => {
                self.misplaced(span, format!("{begin} has another {word} already"));
            }
            Some(_) | None => self.misplaced(span, format!("{word} stands outside of {begin}")),
        }
    }

    fn case(&mut self, span: Range<usize>) {
        let at = self.program.instructions.len() - 1;
        match self.structure.open.last_mut() {
            Some(open) if open.kind == Kind::Switch => {
                open.cases.push(at);
                let start = open.start;
                self.set(at, Flow::Case { start });
            }
            Some(_) | None => self.misplaced(span, "CASE stands outside of SWITCH"),
        }
    }

    fn close(&mut self, kind: Kind, span: Range<usize>) {
        let [begin, end] = kind.words();
        if self.structure.counts[kind as usize] == 0 {
            self.misplaced(span, format!("{end} has no {begin}"));
            return;
        }
        self.unwind(Some(kind));
        let at = self.program.instructions.len() - 1;
        let Some(open) = self.pop() else { return };
        let start = open.start;
        match kind {
            Kind::If => {
                if let Some(other) = open.other {
                    self.set(other, Flow::Else { start, end: at });
                }
                let other = open.other;
                self.set(start, Flow::If { other, end: at });
                self.set(at, Flow::EndIf { start });
            }
            Kind::Loop => {
                self.set(start, Flow::Loop { end: at });
                self.set(at, Flow::EndLoop { start });
            }
            Kind::Switch => {
                self.check_switch(&open);
                let switch = Flow::Switch {
                    cases: open.cases,
                    default: open.other,
                    end: at,
                };
                self.set(start, switch);
                self.set(at, Flow::EndSwitch { start });
            }
            Kind::Routine => {
                let routine = self.program.routines.len() - 1;
                self.program.routines[routine].instructions.end = at + 1;
                self.set(at, Flow::EndRoutine { routine });
                self.structure.main = at + 1;
            }
        }
    }

    /// Warns of instructions before the first CASE.
    fn check_switch(&mut self, open: &Open) {
        let first = open
            .cases
            .first()
            .copied()
            .into_iter()
            .chain(open.other)
            .min();
        let next = open.start + 1;
        if first.unwrap_or(self.program.instructions.len() - 1) > next {
            let span = self.program.instructions[next].span.clone();
            self.warn(span, "no CASE leads to this instruction");
        }
    }

    /// BRK, BREAKC or CONT.
    fn leave(&mut self, opcode: TgsiOpcode, span: Range<usize>) {
        let at = self.program.instructions.len() - 1;
        let structure = &self.structure;
        let is_continue = opcode == TgsiOpcode::Cont;
        let place = match is_continue {
            true => structure.loops.last(),
            false => structure.left.last(),
        };
        match place.map(|place| structure.open[*place].start) {
            Some(start) if is_continue => self.set(at, Flow::Continue { start }),
            Some(start) => self.set(at, Flow::Break { start }),
            None => {
                let around = if is_continue {
                    "loops"
                } else {
                    "loops and SWITCH"
                };
                self.misplaced(span, format!("{opcode} stands outside of {around}"));
            }
        }
    }

    fn end(&mut self, span: Range<usize>) {
        if self.structure.counts[Kind::Routine as usize] > 0 {
            self.unwind(Some(Kind::Routine));
            self.misplaced(span, "the subroutine runs into END");
            self.pop();
            self.structure.main = self.program.instructions.len() - 1;
        } else {
            self.unwind(None);
        }
    }

    /// Checks that everything has an end. `end` is the end of the text.
    pub(super) fn finish_structure(&mut self, end: usize) {
        if self.structure.is_cut {
            self.structure.is_broken = true;
            return;
        }
        self.unwind(None);
        let count = self.program.instructions.len();
        let main = self.structure.main..count;
        if !main.is_empty() {
            self.program.main.push(main);
        }
        let has_end = |it: &super::super::program::Instruction| it.opcode == TgsiOpcode::End;
        if !self.program.instructions.iter().any(has_end) {
            self.misplaced(end..end, "the program has no END");
            return;
        }
        let last = self.program.instructions.last();
        let ends = last.is_none_or(|last| {
            let closes = [
                TgsiOpcode::End,
                TgsiOpcode::Endsub,
                TgsiOpcode::Ret,
                TgsiOpcode::Bra,
            ];
            closes.contains(&last.opcode)
        });
        if !ends {
            self.misplaced(
                end..end,
                "the program runs past its last instruction; END is missing",
            );
        }
    }
}
