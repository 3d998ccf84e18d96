//! [`Session`]: a quad that runs one instruction at a time.

use std::fmt;
use std::sync::Arc;

use attila_isa::ValidProgram;
use attila_machine::{Bindings, LaneMask, QuadReg, QuadState, RunError, Running};

use crate::flow::Flow;
use crate::machine::Machine;
use crate::prepare::Prepared;

/// A quad in the middle of its program, which may stop between any two instructions.
///
/// ```
/// use attila_interp::Session;
/// use attila_isa::Program;
/// use attila_machine::{Bindings, QuadState};
///
/// let program = Program::assemble("add r0, i0, 2.0 \n mul o1, r0, r0")?.validate()?;
/// let bindings = Bindings::new();
/// let mut session = Session::begin(&program, &bindings, &QuadState::default())?;
/// while session.step()? {
///     println!("before instruction {:?}", session.pc());
/// }
/// assert_eq!(session.state().io.output(1)[0][0], 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<'a> {
    program: Arc<Prepared>,
    machine: Machine<'a>,
    flow: Flow,
    /// Its number, for errors.
    quad: usize,
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("pc", &self.pc())
            .field("active", &self.active())
            .finish_non_exhaustive()
    }
}

impl<'a> Session<'a> {
    /// A quad in the state `start`, before the program's first instruction.
    ///
    /// # Errors
    ///
    /// A texture unit is not bound, or the bindings [have a fault](Bindings::check).
    pub fn begin(
        program: &ValidProgram,
        bindings: &'a Bindings<'a>,
        start: &QuadState,
    ) -> Result<Session<'a>, RunError> {
        Session::of_quad(0, Arc::new(Prepared::new(program)), bindings, start)
    }

    pub(crate) fn of_quad(
        quad: usize,
        program: Arc<Prepared>,
        bindings: &'a Bindings<'a>,
        start: &QuadState,
    ) -> Result<Session<'a>, RunError> {
        bindings.check_units(program.program.usage())?;
        bindings.check()?;
        let mut machine = program.machine(bindings);
        machine.load(start);
        machine.quad = quad;
        let flow = Flow::begin(&program, &mut machine);
        Ok(Session {
            program,
            machine,
            flow,
            quad,
        })
    }

    /// The quad with scratch memory that is not 0: as many vectors as the program has, `[component][lane]`.
    #[must_use]
    pub fn with_scratch(mut self, vectors: &[QuadReg]) -> Session<'a> {
        for (own, vector) in self.machine.scratch.iter_mut().zip(vectors) {
            *own = *vector;
        }
        self
    }

    /// The scratch memory as it stands.
    pub fn scratch(&self) -> &[QuadReg] {
        &self.machine.scratch
    }

    /// Index of the next instruction. `None` when all lanes have ended.
    pub fn pc(&self) -> Option<usize> {
        self.flow.pc()
    }

    /// The lanes that execute the next instruction, regardless of its guard.
    pub fn active(&self) -> LaneMask {
        match self.pc() {
            Some(_) => self.machine.active_lanes(),
            None => LaneMask::empty(),
        }
    }

    /// Executes the next instruction, if there is one. Returns whether there is one more.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget: the quad has ended, in the state in which it is. Or [too many
    /// runs](Running) are inside each other: nothing was executed.
    pub fn step(&mut self) -> Result<bool, RunError> {
        if self.pc().is_none() {
            return Ok(false);
        }
        let _running = Running::begin(self.machine.bindings)?;
        self.flow.step(&self.program, &mut self.machine, self.quad)
    }

    /// The registers as they stand.
    pub fn state(&self) -> QuadState {
        let mut state = QuadState::default();
        self.save(&mut state);
        state
    }

    /// Writes the registers to `state`, as [`Session::state`] returns them.
    pub fn save(&self, state: &mut QuadState) {
        self.machine.save(state);
    }
}

#[cfg(test)]
mod tests {
    use attila_isa::Program;

    use super::*;

    fn valid(text: &str) -> ValidProgram {
        let program = Program::assemble(text).expect("it assembles");
        program.validate().expect("it is valid")
    }

    #[test]
    fn steps_follow_the_lanes_through_the_program() {
        let program = valid("jmp p0, 2 \n add r0, r0, 1.0 \n mul r0, r0, 2.0");
        let mut start = QuadState::default();
        start.regs.set_predicate(0, LaneMask::LANE1);
        let bindings = Bindings::new();
        let mut session = Session::begin(&program, &bindings, &start).unwrap();
        let mut seen = Vec::new();
        loop {
            seen.push((session.pc(), session.active().bits()));
            if !session.step().unwrap() {
                break;
            }
        }
        assert_eq!(
            seen,
            [(Some(0), 0b1111), (Some(1), 0b1101), (Some(2), 0b1111)]
        );
        assert_eq!((session.pc(), session.active()), (None, LaneMask::empty()));
        assert_eq!(session.step(), Ok(false));
    }

    #[test]
    fn a_used_up_budget_ends_the_quad() {
        let program = valid("add r0, r0, 1.0 \n jmp p0, -1 \n nop");
        let bindings = Bindings::new().with_loop_budget(2);
        let mut start = QuadState::default();
        start.regs.set_predicate(0, LaneMask::all());
        let mut session = Session::begin(&program, &bindings, &start).unwrap();
        let error = (0..100).find_map(|_| session.step().err());
        let (pc, quad, budget) = (1, 0, 2);
        assert_eq!(error, Some(RunError::LoopBudget { pc, quad, budget }));
        assert_eq!(session.pc(), None);
        assert_eq!(
            session.state().regs.temps[0][0].map(f32::from_bits),
            [3.0; 4]
        );
    }
}
