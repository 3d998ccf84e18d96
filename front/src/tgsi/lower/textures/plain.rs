//! Lookups that instructions of the base profile make.

use attila_isa::{Opcode, Remark, Slots, Stage};

use super::super::super::program::{Instruction, Texture};
use super::super::super::table::TgsiOpcode;
use super::super::super::words::Target;
use super::super::{Lowering, Operand, number};

impl Lowering<'_> {
    /// Whether an instruction of the base profile looks the texture up: what it compares with is in z.
    pub(super) fn is_plain(&self, instruction: &Instruction, texture: &Texture) -> bool {
        let has_shape = match texture.target {
            Target::OneD
            | Target::TwoD
            | Target::ThreeD
            | Target::Cube
            | Target::Rectangle
            | Target::ShadowOneD
            | Target::ShadowTwoD
            | Target::ShadowRectangle => true,
            Target::Unknown
            | Target::Buffer
            | Target::OneDArray
            | Target::TwoDArray
            | Target::ShadowOneDArray
            | Target::ShadowTwoDArray
            | Target::ShadowCube
            | Target::TwoDMultisample
            | Target::TwoDArrayMultisample
            | Target::CubeArray
            | Target::ShadowCubeArray => false,
        };
        let fixed = texture.sampler.and_then(|sampler| sampler.fixed());
        // Units from 16 on are those of the extended profile.
        let has_unit = fixed.is_some_and(|unit| unit < 16);
        let is_level =
            instruction.opcode == TgsiOpcode::Txl || instruction.opcode == TgsiOpcode::Tex;
        let has_level = self.stage == Stage::Fragment || is_level;
        has_shape && has_unit && has_level && texture.offsets.is_empty() && texture.view.is_none()
    }

    /// TEX, TXB, TXL and TXP. There are no levels by derivatives in a vertex program: TEX looks at
    /// level 0.
    pub(super) fn sample_plainly(
        &mut self,
        instruction: &Instruction,
        mut coordinates: Operand,
    ) -> Result<(), Remark> {
        let is = |other| instruction.opcode == other;
        let op = if is(TgsiOpcode::Txl) {
            Opcode::Txl
        } else if is(TgsiOpcode::Txb) {
            Opcode::Txb
        } else if is(TgsiOpcode::Txp) {
            Opcode::Txp
        } else if self.stage != Stage::Fragment {
            coordinates = self.at_level_0(coordinates);
            Opcode::Txl
        } else {
            Opcode::Tex
        };
        let texture = self.texture_of(instruction)?;
        let lookup = self.lookup(instruction, texture, texture.target)?;
        self.look_up(lookup, op, &[coordinates]);
        Ok(())
    }

    /// Coordinates with a level in w.
    fn at_level_0(&mut self, coordinates: Operand) -> Operand {
        let temp = self.code.temp();
        self.write(temp, Slots::all() - Slots::W, Opcode::Mov, [coordinates]);
        self.write(temp, Slots::W, Opcode::Mov, [number(0.0)]);
        Operand::temp(temp)
    }
}
