//! Statements that choose, repeat and call, as jumps of single lanes.
//!
//! ```text
//!   begin_if(c)      begin_loop()                begin_call(name)
//!     (!c) jmp a     a:                            ...
//!     ...              (c) jmp c  break_loop(c)    (c) jmp a   return_call(c)
//!   begin_else()       (d) jmp b  continue_loop(d) ...
//!     jmp b          end_loop()                  end_call()
//!   a:               b:                          a:
//!     ...              jmp a
//!   end_if()         c:
//!   b:
//! ```
//!
//! Lanes that part meet again at the first place that all of them come to, as the lowest instruction
//! runs next. Calls are inlined: a front end lowers the body of a procedure between
//! [`Code::begin_call`] and [`Code::end_call`], as often as it is called. A main program between
//! them can return, too.

use std::ops::Range;

use attila_isa::{Opcode, Remark, Slots, code};

use super::Language;
use super::code::{Code, Label};
use super::guards::Branches;
use super::step::{Condition, Operand, Place, Step};

/// The longest program before dead code is removed, in instructions: calls that are inlined make it
/// longer than its text.
pub const MAX_INLINED: usize = 65_536;

/// The longest program with all that nobody needs, in instructions. It bounds the memory for a program that turns out to be
/// too long.
pub const MAX_ADDED: usize = 4 * MAX_INLINED;

/// The deepest nesting of statements and calls. Time and memory of later steps grow with the depth times the length.
pub const MAX_NESTED: usize = 1000;

/// A remark on a statement or call that is nested deeper.
pub fn too_deep(span: Range<usize>) -> Remark {
    let message = format!("statements and calls are nested more than {MAX_NESTED} deep");
    Remark::new(span, message).code(&code::text::LIMIT)
}

/// A statement that is not complete yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Open {
    kind: Kind,
    /// Its beginning in the text.
    span: Range<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    If {
        /// The label before the other branch, until that begins.
        other: Option<Label>,
        end: Label,
        branches: Branches,
    },
    Loop {
        head: Label,
        /// The label before the jump back.
        again: Label,
        end: Label,
    },
    Call {
        name: String,
        end: Label,
    },
}

impl Open {
    /// A remark on a statement that is still open at the end of the program.
    pub(super) fn remark(&self) -> Remark {
        let what = match self.kind {
            Kind::If { .. } => "condition",
            Kind::Loop { .. } => "loop",
            Kind::Call { .. } => "procedure",
        };
        Remark::new(self.span.clone(), format!("the {what} has no end")).code(&code::text::FLOW)
    }
}

impl<L: Language> Code<L> {
    /// Adds a comparison, SETPEQ and its relatives. Slot w of the operands is compared.
    pub fn compare(
        &mut self,
        op: Opcode,
        [a, b]: [Operand<L>; 2],
        span: Range<usize>,
    ) -> Condition {
        let predicate = self.predicate();
        let result = Some((Place::Predicate(predicate), Slots::X));
        self.push(Step::new(op, result, &[a, b], span));
        Condition {
            predicate,
            negate: false,
        }
    }

    /// Begins instructions for the lanes for which `condition` holds.
    pub fn begin_if(&mut self, condition: Condition, span: Range<usize>) {
        let (other, end) = (self.label(), self.label());
        let branches = self.branches(condition);
        self.jump(Some(condition.negated()), other, span.clone());
        let kind = Kind::If {
            other: Some(other),
            end,
            branches,
        };
        self.begin(kind, span);
    }

    /// Begins instructions for the other lanes.
    ///
    /// # Errors
    ///
    /// No condition is open, or its other branch has begun already.
    pub fn begin_else(&mut self, span: Range<usize>) -> Result<(), Remark> {
        let end = match self.open.last().map(|open| &open.kind) {
            Some(Kind::If {
                other: Some(_),
                end,
                ..
            }) => *end,
            Some(Kind::If { other: None, .. }) => {
                let message = "the condition has another branch already";
                return Err(Remark::new(span, message).code(&code::text::TWICE));
            }
            Some(Kind::Loop { .. } | Kind::Call { .. }) | None => {
                return Err(misplaced(span, "condition"));
            }
        };
        self.jump(None, end, span);
        if let Some(Open {
            kind: Kind::If { other, .. },
            ..
        }) = self.open.last_mut()
            && let Some(other) = other.take()
        {
            self.place(other);
        }
        Ok(())
    }

    /// Ends the innermost condition.
    ///
    /// # Errors
    ///
    /// The innermost open statement is not a condition.
    pub fn end_if(&mut self, span: Range<usize>) -> Result<(), Remark> {
        match self.open.pop() {
            Some(Open {
                kind:
                    Kind::If {
                        other,
                        end,
                        branches,
                    },
                ..
            }) => {
                if self.guard(&branches, other.is_none()) {
                    return Ok(());
                }
                other.into_iter().chain([end]).for_each(|at| self.meet(at));
                Ok(())
            }
            open => self.refuse(open, misplaced(span, "condition")),
        }
    }

    /// Begins a loop, which lanes leave by [`Code::break_loop`] or [`Code::return_call`] only.
    pub fn begin_loop(&mut self, span: Range<usize>) {
        let (head, again, end) = (self.label(), self.label(), self.label());
        self.place(head);
        self.begin(Kind::Loop { head, again, end }, span);
    }

    /// Leaves the innermost loop, if `condition` holds.
    ///
    /// # Errors
    ///
    /// No loop is open in this procedure.
    pub fn break_loop(
        &mut self,
        condition: Option<Condition>,
        span: Range<usize>,
    ) -> Result<(), Remark> {
        let (_, end) = self.innermost_loop(&span)?;
        self.jump(condition, end, span);
        Ok(())
    }

    /// Begins the innermost loop anew, if `condition` holds.
    ///
    /// # Errors
    ///
    /// No loop is open in this procedure.
    pub fn continue_loop(
        &mut self,
        condition: Option<Condition>,
        span: Range<usize>,
    ) -> Result<(), Remark> {
        let (again, _) = self.innermost_loop(&span)?;
        self.jump(condition, again, span);
        Ok(())
    }

    /// Ends the innermost loop.
    ///
    /// # Errors
    ///
    /// The innermost open statement is not a loop.
    pub fn end_loop(&mut self, span: Range<usize>) -> Result<(), Remark> {
        match self.open.pop() {
            Some(Open {
                kind: Kind::Loop { head, again, end },
                ..
            }) => {
                self.meet(again);
                self.jump(None, head, span);
                self.meet(end);
                Ok(())
            }
            open => self.refuse(open, misplaced(span, "loop")),
        }
    }

    /// Begins the body of a procedure, where it is called.
    ///
    /// # Errors
    ///
    /// The procedure is being called already, so that its calls would never end; or the program would
    /// have more than [`MAX_INLINED`] instructions.
    pub fn begin_call(&mut self, name: &str, span: Range<usize>) -> Result<(), Remark> {
        let callers = self.callers();
        if let Some(first) = callers.iter().position(|caller| *caller == name) {
            let cycle: Vec<String> = callers[first..]
                .iter()
                .map(|it| format!("`{it}`"))
                .collect();
            let message = format!(
                "`{name}` calls itself: {} calls `{name}`",
                cycle.join(" calls ")
            );
            return Err(Remark::new(span, message));
        }
        self.added += 1;
        if self.added > MAX_INLINED {
            let message =
                format!("the program with its calls is longer than {MAX_INLINED} instructions");
            return Err(Remark::new(span, message).code(&code::text::LIMIT));
        }
        let (name, end) = (name.to_owned(), self.label());
        self.begin(Kind::Call { name, end }, span);
        Ok(())
    }

    /// Goes to the end of the procedure, if `condition` holds.
    ///
    /// # Errors
    ///
    /// No procedure is open.
    pub fn return_call(
        &mut self,
        condition: Option<Condition>,
        span: Range<usize>,
    ) -> Result<(), Remark> {
        let mut open = self.open.iter().rev();
        let end = open.find_map(|open| match open.kind {
            Kind::Call { end, .. } => Some(end),
            Kind::If { .. } | Kind::Loop { .. } => None,
        });
        let end = end.ok_or_else(|| misplaced(span.clone(), "procedure"))?;
        self.jump(condition, end, span);
        Ok(())
    }

    /// Ends the body of a procedure.
    ///
    /// # Errors
    ///
    /// The innermost open statement is not a procedure.
    pub fn end_call(&mut self, span: Range<usize>) -> Result<(), Remark> {
        match self.open.pop() {
            Some(Open {
                kind: Kind::Call { end, .. },
                ..
            }) => {
                self.meet(end);
                Ok(())
            }
            open => self.refuse(open, misplaced(span, "procedure")),
        }
    }

    fn begin(&mut self, kind: Kind, span: Range<usize>) {
        if self.open.len() == MAX_NESTED {
            self.refusal.get_or_insert_with(|| too_deep(span.clone()));
        }
        self.open.push(Open { kind, span });
    }

    /// Puts back a statement that something else was to end.
    fn refuse(&mut self, open: Option<Open>, remark: Remark) -> Result<(), Remark> {
        self.open.extend(open);
        Err(remark)
    }

    /// The procedures that are open, the outermost first.
    fn callers(&self) -> Vec<&str> {
        let open = self.open.iter();
        let names = open.filter_map(|open| match &open.kind {
            Kind::Call { name, .. } => Some(name.as_str()),
            Kind::If { .. } | Kind::Loop { .. } => None,
        });
        names.collect()
    }

    /// The labels before the jump back and after the end of the innermost loop of this procedure.
    fn innermost_loop(&self, span: &Range<usize>) -> Result<(Label, Label), Remark> {
        for open in self.open.iter().rev() {
            match open.kind {
                Kind::Loop { again, end, .. } => return Ok((again, end)),
                Kind::If { .. } => {}
                Kind::Call { .. } => break,
            }
        }
        Err(misplaced(span.clone(), "loop"))
    }
}

/// A remark on a statement that belongs to another one.
fn misplaced(span: Range<usize>, to: &str) -> Remark {
    Remark::new(
        span,
        format!("this belongs to a {to}, and no {to} is open here"),
    )
    .code(&code::text::FLOW)
}
