//! [`Tracer`]: who wants to see a program run, instruction by instruction.

use attila_isa::Inst;
use attila_machine::{LaneMask, QuadState};

/// A moment of a traced run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TracePoint<'a> {
    /// Index of the quad within the run.
    pub quad: usize,
    /// Index of the instruction.
    pub pc: usize,
    /// The instruction.
    pub inst: &'a Inst,
    /// The lanes that execute it, regardless of its guard.
    pub active: LaneMask,
    /// All registers of the quad.
    pub state: &'a QuadState,
}

/// Looks on while programs run.
pub trait Tracer {
    /// The lanes `at.active` are about to execute `at.inst`.
    fn before(&mut self, at: TracePoint<'_>);

    /// They have executed it.
    fn after(&mut self, at: TracePoint<'_>);
}

#[cfg(test)]
mod tests {
    use attila_isa::Program;
    use attila_machine::{Bindings, LaneMask, QuadState};

    use super::{TracePoint, Tracer};
    use crate::Interp;

    /// One line per call: what executes where, and r0.x of lane 0.
    #[derive(Default)]
    struct Log(Vec<String>);

    impl Log {
        fn add(&mut self, when: &str, at: TracePoint<'_>) {
            let r0 = f32::from_bits(at.state.regs.temps[0][0][0]);
            let (quad, pc, op, lanes) = (at.quad, at.pc, at.inst.op, at.active.bits());
            self.0
                .push(format!("{when} {quad}:{pc} {op} {lanes:04b} r0={r0}"));
        }
    }

    impl Tracer for Log {
        fn before(&mut self, at: TracePoint<'_>) {
            self.add("before", at);
        }

        fn after(&mut self, at: TracePoint<'_>) {
            self.add("after", at);
        }
    }

    #[test]
    fn a_tracer_sees_every_instruction_before_and_after_it() {
        let text = "jmp p0, 2 \n add r0, r0, 1.0 \n (p0) mul r0, r0, 2.0 <- end";
        let program = Program::assemble(text).expect("it assembles").validate();
        let program = program.expect("it is valid");
        let mut quads = [QuadState::default(), QuadState::default()];
        quads[1]
            .regs
            .set_predicate(0, LaneMask::LANE1 | LaneMask::LANE3);
        let mut log = Log::default();
        let result = Interp.run_traced(&program, &Bindings::new(), &mut quads, &mut log);
        assert_eq!(result, Ok(()));
        assert_eq!(
            log.0,
            [
                "before 0:0 jmp 1111 r0=0",
                "after 0:0 jmp 1111 r0=0",
                "before 0:1 add 1111 r0=0",
                "after 0:1 add 1111 r0=1",
                "before 0:2 mul 1111 r0=1",
                "after 0:2 mul 1111 r0=1",
                "before 1:0 jmp 1111 r0=0",
                "after 1:0 jmp 1111 r0=0",
                "before 1:1 add 0101 r0=0",
                "after 1:1 add 0101 r0=1",
                "before 1:2 mul 1111 r0=1",
                "after 1:2 mul 1111 r0=1",
            ]
        );
    }
}
