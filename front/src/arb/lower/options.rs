//! Instructions that options add before and after those of a text.

use attila_isa::{Component, Opcode, Remark, ResultPath, Slots};

use super::super::binding::{Input, Matrix, Output, Param, State, Transform};
use super::super::options::Fog;
use super::{Current, Lowering, Operand, Place, Register, Step, reads};
use crate::arb::ArbStage;

const XY: Slots = Slots::X.union(Slots::Y);
const XYZ: Slots = XY.union(Slots::Z);

impl Lowering<'_> {
    /// Adds the instructions that come first.
    pub(super) fn before(&mut self) {
        let options = self.program.options;
        if options.origin_upper_left || options.pixel_center_integer {
            self.window_position();
        }
        if self.program.stage == ArbStage::Fragment {
            self.fog_coordinate();
        }
        if options.fog.is_some() {
            self.hidden.colour = Some(self.code.temp());
        }
    }

    /// The position as the options count it. ATTILA's counts rows from below, and centres are at
    /// halves.
    fn window_position(&mut self) {
        if !reads(self.program, Input::Position) {
            return;
        }
        // Nothing in the text stands for it.
        self.current.span = 0..0;
        let options = self.program.options;
        let temp = self.code.temp();
        let position = Operand::new(Register::Input(Input::Position));
        self.write(temp, Slots::all(), Opcode::Mov, [position]);
        if options.origin_upper_left {
            let window = Operand::new(Register::Param(Param::Window));
            let operands = [window, position.negated()];
            self.write(temp, Slots::Y, Opcode::Add, operands);
        }
        if options.pixel_center_integer {
            let half = Operand::constant([-0.5; 4]);
            let operands = [Operand::new(Register::Temp(temp)), half];
            self.write(temp, XY, Opcode::Add, operands);
        }
        self.hidden.position = Some(temp);
    }

    /// The fog coordinate as fragments see it: x, 0, 0, 1, regardless of what the vertex program
    /// has left in the register.
    fn fog_coordinate(&mut self) {
        if !reads(self.program, Input::FogCoord) {
            return;
        }
        self.current.span = 0..0;
        let temp = self.code.temp();
        let coordinate = Operand::new(Register::Input(Input::FogCoord));
        self.write(temp, Slots::X, Opcode::Mov, [coordinate]);
        let rest = Operand::constant([0.0, 0.0, 0.0, 1.0]);
        self.write(temp, Slots::all() - Slots::X, Opcode::Mov, [rest]);
        self.hidden.fog_coord = Some(temp);
    }

    /// Adds the instructions that come last. They stand at byte `end` of the text.
    pub(super) fn after(&mut self, end: usize) -> Result<(), Remark> {
        self.current = Current {
            span: end..end,
            ..Current::default()
        };
        if self.program.options.position_invariant {
            self.position()?;
        }
        if let (Some(fog), Some(colour)) = (self.program.options.fog, self.hidden.colour) {
            self.fog(fog, Operand::new(Register::Temp(colour)));
        }
        if let Some(depth) = self.hidden.depth {
            self.export_depth(depth);
        }
        Ok(())
    }

    /// Position as if there were no program: the rows of the matrix by the position.
    fn position(&mut self) -> Result<(), Remark> {
        let position = Operand::new(Register::Input(self.checked_input(Input::Position)?));
        for component in Component::ALL {
            let row = component.index() as u8;
            let row = State::MatrixRow(Matrix::ModelViewProjection, Transform::None, row);
            let row = Operand::new(Register::Param(Param::State(row)));
            self.current.result = Some((Place::Output(Output::Position), Slots::only(component)));
            self.finish(Opcode::Dp4, [row, position]);
        }
        Ok(())
    }

    /// Mixes the fog's colour in. Every write to `colour` has clamped it.
    fn fog(&mut self, fog: Fog, colour: Operand) {
        let state = |state| Operand::new(Register::Param(Param::State(state)));
        let (params, fog_colour) = (state(State::FogParams), state(State::FogColor));
        let z = Operand::new(Register::Input(Input::FogCoord)).only(Component::X);
        let density = params.only(Component::X);
        let factor = match fog {
            Fog::Linear => {
                let end = params.only(Component::Z);
                let depth = self.scalar(Opcode::Add, [end, z.negated()]);
                self.clamped(Opcode::Mul, [depth, params.only(Component::W)])
            }
            Fog::Exp => {
                let scale = Operand::constant([std::f32::consts::LOG2_E; 4]);
                let depth = self.scalar(Opcode::Mul, [density, z]);
                let depth = self.scalar(Opcode::Mul, [depth, scale]);
                self.clamped(Opcode::Ex2, [depth.negated()])
            }
            Fog::Exp2 => {
                let scale = Operand::constant([std::f32::consts::LOG2_E.sqrt(); 4]);
                let depth = self.scalar(Opcode::Mul, [density, z]);
                let depth = self.scalar(Opcode::Mul, [depth, scale]);
                let square = self.scalar(Opcode::Mul, [depth, depth]);
                self.clamped(Opcode::Ex2, [square.negated()])
            }
        };
        let output = Place::Output(Output::Color(0));
        self.current.result = Some((output, Slots::W));
        self.finish(Opcode::Mov, [colour]);
        self.current.result = Some((output, XYZ));
        self.mix(factor, colour, fog_colour);
    }

    /// As [`Lowering::scalar`], clamped.
    fn clamped<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) -> Operand {
        let value = self.scalar(op, operands);
        if let Some(step) = self.code.last_mut() {
            step.path = ResultPath::Saturate;
        }
        value
    }

    /// Exports the depth, if its z has been written.
    fn export_depth(&mut self, depth: usize) {
        let written = |step: &Step| {
            let z = |mask: Slots| mask.has(Component::Z);
            matches!(step.result, Some((Place::Temp(temp), mask)) if temp == depth && z(mask))
        };
        if self.code.steps().any(written) {
            self.current.result = None;
            let depth = Operand::new(Register::Temp(depth));
            self.finish(Opcode::Zxp, [depth.only(Component::Z)]);
        }
    }
}
