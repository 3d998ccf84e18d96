//! Lookups of textures.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::{Opcode, Remark, Slots, Stage};

use super::super::language::TextureUse;
use super::super::program::{Instruction, TgsiProgram};
use super::super::table::TgsiOpcode;
use super::super::words::Target;
use super::missing::Missing;
use super::{Lowering, Operand, Step, number};

/// The samplers of a program, with the shapes in which they are sampled.
pub(super) fn samplers(program: &TgsiProgram) -> BTreeMap<u32, BTreeSet<Target>> {
    let unused = program
        .samplers
        .iter()
        .map(|number| (*number, BTreeSet::new()));
    let mut samplers: BTreeMap<u32, BTreeSet<Target>> = unused.collect();
    let textures = program
        .instructions
        .iter()
        .filter_map(|it| it.texture.as_ref());
    for texture in textures {
        let number = texture.sampler.and_then(|sampler| sampler.fixed());
        if let Some(number) = number {
            samplers.entry(number).or_default().insert(texture.target);
        }
    }
    samplers
}

/// Whether the base profile's instructions look up textures of this shape: what they compare with is in z.
fn is_plain(target: Target) -> bool {
    match target {
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
    }
}

impl Lowering<'_> {
    /// TEX, TXB, TXL and TXP of shapes that the base profile has. There are no levels by derivatives
    /// in a vertex program: TEX looks at level 0.
    pub(super) fn sample(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let (Some(texture), Some(source)) = (&instruction.texture, instruction.sources.first())
        else {
            return Err(self.remark(format!("{} has no texture", instruction.opcode)));
        };
        let unit = texture.sampler.and_then(|sampler| sampler.fixed());
        let unit = unit.filter(|_| texture.offsets.is_empty() && texture.view.is_none());
        let (Some(unit), true) = (unit, is_plain(texture.target)) else {
            let offsets = if texture.offsets.is_empty() {
                ""
            } else {
                " with offsets"
            };
            let what = format!("{} {}{offsets}", instruction.opcode, texture.target);
            return Err(self.missing(Missing::Textures, what));
        };
        let target = texture.target;
        let texture = TextureUse { unit, target };
        let mut coordinates = self.operand(source)?;
        let is_vertex = self.stage == Stage::Vertex;
        let opcode = instruction.opcode;
        let is = |other| opcode == other;
        let op = if is(TgsiOpcode::Txl) {
            Opcode::Txl
        } else if is(TgsiOpcode::Tex) && is_vertex {
            coordinates = self.at_level_0(coordinates);
            Opcode::Txl
        } else if is_vertex {
            let what = format!("{opcode} in a vertex program");
            return Err(self.missing(Missing::Textures, what));
        } else if is(TgsiOpcode::Tex) {
            Opcode::Tex
        } else if is(TgsiOpcode::Txb) {
            Opcode::Txb
        } else {
            Opcode::Txp
        };
        if !self.textures.contains(&texture) {
            self.textures.push(texture);
        }
        let span = self.current.span.clone();
        let mut step = Step::new(op, self.current.result, &[coordinates], span);
        step.texture = Some(texture);
        self.code.push(step);
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
