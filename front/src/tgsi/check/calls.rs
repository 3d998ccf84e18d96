//! Looks up the targets of calls and jumps.

use std::collections::BTreeMap;

use attila_isa::{Remark, code};

use super::super::program::Flow;
use super::super::table::TgsiOpcode;
use super::flow::Branch;
use super::{Checker, MAX_INSTRUCTIONS};

/// The most subroutines that may wait for each other.
const DEEPEST: usize = 64;

/// The calls of a subroutine, or of the main program.
#[derive(Clone, Default, Debug)]
struct Calls {
    /// How often it calls each.
    counts: BTreeMap<usize, usize>,
}

/// The state of the search from a subroutine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Visit {
    New,
    Open,
    Done,
}

impl Checker<'_> {
    pub(super) fn resolve_calls(&mut self) {
        let mut calls = vec![Calls::default(); self.program.routines.len() + 1];
        for branch in std::mem::take(&mut self.structure.branches) {
            if let Err(remark) = self.branch(&branch, &mut calls) {
                self.diagnostics.error(remark);
            }
        }
        if self.structure.is_broken || self.program.routines.is_empty() {
            return;
        }
        for (routine, calls) in self.program.routines.iter_mut().zip(&calls) {
            routine.calls = calls.counts.keys().copied().collect();
        }
        let Some(order) = self.order() else { return };
        self.measure(&order, &calls);
        self.structure.order = order;
    }

    /// The subroutine that an instruction is in.
    fn routine_of(&self, at: usize) -> Option<usize> {
        let routines = &self.program.routines;
        let after = routines.partition_point(|routine| routine.instructions.start <= at);
        let routine = after.checked_sub(1)?;
        let is_inside = routines[routine].instructions.contains(&at);
        is_inside.then_some(routine)
    }

    /// Connects a call or a jump with its target.
    fn branch(&mut self, branch: &Branch, calls: &mut [Calls]) -> Result<(), Remark> {
        let from = branch.from;
        let opcode = self.program.instructions[from].opcode;
        let Some((target, span)) = &branch.target else {
            // A faulty instruction has been reported.
            if self.structure.is_broken {
                return Ok(());
            }
            let what = match branch.is_call {
                true => "of a BGNSUB",
                false => "of an instruction",
            };
            let remark = Remark::new(
                branch.span.clone(),
                format!("{opcode} needs the number {what}"),
            );
            return Err(remark.help(format!("as in `{opcode} :10`")));
        };
        let target = *target as usize;
        let count = self.program.instructions.len();
        let caller = self.routine_of(from);
        if branch.is_call {
            let is_routine =
                |it: &super::super::program::Instruction| it.opcode == TgsiOpcode::Bgnsub;
            let begins = self
                .program
                .instructions
                .get(target)
                .is_some_and(is_routine);
            if !begins {
                let message = format!("instruction {target} is not a BGNSUB");
                return Err(self.with_routines(Remark::new(span.clone(), message)));
            }
            if let Some(routine) = self.routine_of(target) {
                self.program.instructions[from].flow = Flow::Call { routine };
                let place = caller.unwrap_or(calls.len() - 1);
                *calls[place].counts.entry(routine).or_default() += 1;
            }
            return Ok(());
        }
        if target >= count {
            let message = format!(
                "there is no instruction {target}; the last is {}",
                count - 1
            );
            return Err(Remark::new(span.clone(), message));
        }
        if self.routine_of(target) != caller && !self.structure.is_broken {
            let message = format!("instruction {target} is in another subroutine");
            return Err(Remark::new(span.clone(), message).code(&code::text::FLOW));
        }
        self.program.instructions[from].flow = Flow::Jump { target };
        Ok(())
    }

    /// A remark with the places of a few subroutines as its help.
    fn with_routines(&self, remark: Remark) -> Remark {
        let routines = self.program.routines.iter().take(4);
        let starts: Vec<String> = routines
            .map(|routine| routine.instructions.start.to_string())
            .collect();
        match starts.is_empty() {
            true => remark.help("there is not a BGNSUB"),
            false => remark.help(format!("a BGNSUB is at {}", starts.join(", "))),
        }
    }

    /// The subroutines, each after those that it calls; `None` if some call themselves.
    fn order(&mut self) -> Option<Vec<usize>> {
        let count = self.program.routines.len();
        let mut visits = vec![Visit::New; count];
        let mut order = Vec::with_capacity(count);
        let mut recursive = false;
        for first in 0..count {
            // Each with the number of its calls that have been followed.
            let mut path = vec![(first, 0)];
            if visits[first] != Visit::New {
                continue;
            }
            visits[first] = Visit::Open;
            while let Some((routine, next)) = path.last_mut() {
                let routine = *routine;
                let callee = self.program.routines[routine].calls.get(*next).copied();
                *next += 1;
                match callee.map(|callee| (callee, visits[callee])) {
                    None => {
                        visits[routine] = Visit::Done;
                        order.push(routine);
                        path.pop();
                    }
                    Some((callee, Visit::New)) => {
                        visits[callee] = Visit::Open;
                        path.push((callee, 0));
                    }
                    Some((callee, Visit::Open)) => {
                        recursive = true;
                        if self.diagnostics.has_room() {
                            self.report_cycle(&path, callee);
                        }
                    }
                    Some((_, Visit::Done)) => {}
                }
            }
        }
        (!recursive).then_some(order)
    }

    fn report_cycle(&mut self, path: &[(usize, usize)], callee: usize) {
        const MOST: usize = 8;
        let start = |routine: usize| self.program.routines[routine].instructions.start;
        let begin = path.iter().position(|(routine, _)| *routine == callee);
        let cycle = &path[begin.unwrap_or(0)..];
        let mut names: Vec<String> = cycle
            .iter()
            .take(MOST)
            .map(|(routine, _)| start(*routine).to_string())
            .collect();
        if cycle.len() > MOST {
            names.push("others".to_owned());
        }
        names.push(start(callee).to_string());
        let message = format!(
            "the subroutine at {} calls itself: {}",
            start(callee),
            names.join(" calls ")
        );
        let span = self.program.instructions[start(callee)].span.clone();
        self.diagnostics
            .error(Remark::new(span, message).code(&code::text::FLOW));
    }

    /// Counts the instructions of subroutines with those that they call, and checks the limits.
    fn measure(&mut self, order: &[usize], calls: &[Calls]) {
        let mut depths = vec![1; self.program.routines.len()];
        let length = |checker: &Checker<'_>, own: usize, calls: &Calls| {
            calls.counts.iter().fold(own, |length, (callee, count)| {
                let callee = checker.program.routines[*callee].length;
                length.saturating_add(callee.saturating_mul(*count))
            })
        };
        for &routine in order {
            let own = self.program.routines[routine].instructions.len();
            self.program.routines[routine].length = length(self, own, &calls[routine]);
            let callees = calls[routine].counts.keys();
            let deepest = callees.map(|callee| depths[*callee]).max();
            depths[routine] = 1 + deepest.unwrap_or(0);
        }
        let Some(main) = calls.last() else { return };
        let own = self.program.main.iter().map(|piece| piece.len()).sum();
        let total = length(self, own, main);
        let is_call =
            |it: &&super::super::program::Instruction| matches!(it.flow, Flow::Call { .. });
        let first = self.program.instructions.iter().find(is_call);
        let span = first.map_or(0..0, |call| call.span.clone());
        if total > MAX_INSTRUCTIONS {
            let message = format!(
                "with its subroutines in place of calls the program has more than {MAX_INSTRUCTIONS} instructions"
            );
            self.diagnostics
                .error(Remark::new(span, message).code(&code::text::LIMIT));
        } else if main.counts.keys().any(|callee| depths[*callee] > DEEPEST) {
            let message = format!("calls are nested more than {DEEPEST} deep");
            self.diagnostics
                .error(Remark::new(span, message).code(&code::text::LIMIT));
        }
    }
}
