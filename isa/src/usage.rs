//! The parts of the machine that a program touches.

use crate::bank::{Bank, Reg};
use crate::inst::Inst;
use crate::opcode::{OpFlags, Opcode};
use crate::operand::{BoolSrc, DstReg, Operand, ScratchArray, Slots};
use crate::program::Program;
use crate::registers::{Inputs, Outputs, TEXTURE_UNITS, Temps};
use crate::target::TextureTarget;

/// The registers, units and facilities that a program names anywhere, reachable or not.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Usage {
    /// Components of the inputs that are read.
    pub inputs: Inputs<Slots>,
    /// Components of the outputs that are written.
    pub outputs: Outputs<Slots>,
    /// Components of the temporaries that are read.
    pub temps_read: Temps<Slots>,
    /// Components of the temporaries that are written.
    pub temps_written: Temps<Slots>,
    /// Constants that are named directly, ascending.
    pub constants: Vec<usize>,
    /// Whether constants are addressed relatively, so that any may be read.
    pub relative_constants: bool,
    /// Texture units, bit n = unit n.
    pub textures: u32,
    /// Texture units with the kinds of images that they are read as, ascending. A unit whose address
    /// is relative is not among them: any may be read.
    pub texture_targets: Vec<(u8, TextureTarget)>,
    /// Whether texture units are addressed relatively.
    pub relative_textures: bool,
    /// Scratch vectors that arrays reach: one more than the number of the last.
    pub scratch: u32,
    /// Whether storage buffers are written.
    pub writes_storage: bool,
    /// Whether vertices are emitted.
    pub emits: bool,
    /// Vertex attributes fetched, bit n = attribute n.
    pub attributes: u64,
    /// Whether fragments or samples may be killed.
    pub kills: bool,
    /// Whether depth is exported through ZXP or ZXS.
    pub exports_depth: bool,
    /// Whether it is exported through ZXS, for several samples.
    pub exports_samples: bool,
    /// Whether the fixed-point accumulator is used.
    pub accumulator: bool,
    /// Whether lanes look at each other: derivatives, explicit or implied.
    pub derivatives: bool,
    /// Whether the samples of the pixel are asked for.
    pub samples: bool,
    /// Components of the inputs that are asked for at other places than the pixel's centre. They are
    /// among those that are read, too.
    pub evaluated: Inputs<Slots>,
}

impl Usage {
    /// Whether an input is asked for at another place than the pixel's centre.
    pub fn evaluates(&self) -> bool {
        self.evaluated.iter().any(|slots| !slots.is_empty())
    }

    /// Whether anything outside the program's registers can tell that it ran.
    pub fn leaves_trace(&self) -> bool {
        let writes = self.outputs.iter().any(|written| !written.is_empty());
        writes || self.kills || self.exports_depth || self.writes_storage || self.emits
    }

    /// Whether the program writes any component of this output.
    pub fn writes_output(&self, register: usize) -> bool {
        !self.outputs[register].is_empty()
    }

    /// Whether the program may read a texture unit.
    pub fn reads_unit(&self, unit: usize) -> bool {
        self.relative_textures || self.textures.checked_shr(unit as u32).unwrap_or(0) & 1 != 0
    }

    /// The texture units, ascending.
    pub fn texture_units(&self) -> impl Iterator<Item = u8> + use<> {
        let textures = self.textures;
        (0..TEXTURE_UNITS).filter(move |unit| textures >> unit & 1 != 0)
    }

    /// Collects what `program` names.
    pub(crate) fn new(program: &Program) -> Usage {
        let mut usage = Usage::default();
        for inst in program.insts() {
            let flags = inst.op.info().flags;
            usage.kills |= flags.contains(OpFlags::KILL);
            usage.exports_depth |= flags.contains(OpFlags::DEPTH);
            usage.emits |= inst.op == Opcode::Emit;
            usage.exports_samples |= inst.op == Opcode::Zxs;
            usage.derivatives |= flags.contains(OpFlags::QUAD);
            usage.samples |= flags.contains(OpFlags::SAMPLES);
            if let (true, Operand::Reg(src)) = (flags.contains(OpFlags::EVALUATE), inst.operands[0])
            {
                usage.evaluated[src.reg.index()] |= src.swizzle.sources(inst.written());
            }
            let results = inst.op.info().results;
            usage.accumulator |= results.is_accumulator() || inst.op == Opcode::Fxmad;
            usage.writes_storage |= inst.op.writes_memory() && inst.storage().is_some();
            let reached = inst.scratch().map_or(0, ScratchArray::end);
            usage.scratch = usage.scratch.max(reached);
            for (src, slots) in inst.sources() {
                let relative = inst.constant_address().is_some();
                usage.read(src.reg, src.swizzle.sources(slots), relative);
            }
            for operand in &inst.operands {
                usage.operand(operand, inst.constant_address().is_some());
            }
            usage.texture(inst);
            if let Some(DstReg { reg, mask }) = inst.dst.reg {
                // The accumulator's result register is never written.
                if !results.is_accumulator() {
                    usage.write(reg, mask);
                }
            }
        }
        usage.constants.sort_unstable();
        usage.constants.dedup();
        usage.texture_targets.sort_unstable();
        usage.texture_targets.dedup();
        usage
    }

    fn read(&mut self, reg: Reg, components: Slots, relative: bool) {
        match reg.bank() {
            Bank::Input => self.inputs[reg.index()] |= components,
            Bank::Temp => self.temps_read[reg.index()] |= components,
            Bank::Constant if relative => self.relative_constants = true,
            Bank::Constant => self.constants.push(reg.index()),
            Bank::Address | Bank::Output => {}
        }
    }

    fn write(&mut self, reg: Reg, components: Slots) {
        match reg.bank() {
            Bank::Output => self.outputs[reg.index()] |= components,
            Bank::Temp => self.temps_written[reg.index()] |= components,
            Bank::Address | Bank::Input | Bank::Constant => {}
        }
    }

    /// Notes the texture that an extended instruction names.
    fn texture(&mut self, inst: &Inst) {
        match inst.texture {
            Some(_) if inst.relative.is_some() => self.relative_textures = true,
            Some(texture) => self.read_unit(texture.unit, texture.target),
            None => {}
        }
    }

    fn read_unit(&mut self, unit: u8, target: TextureTarget) {
        self.textures |= 1 << unit;
        self.texture_targets.push((unit, target));
    }

    /// Notes units, attributes and constants tested as truth values. Source registers need the kind
    /// of the operand, too.
    fn operand(&mut self, operand: &Operand, relative: bool) {
        if let Operand::Unit { unit, target } = operand {
            self.read_unit(*unit, *target);
        } else if let Operand::Attribute(attribute) = operand {
            self.attributes |= 1 << attribute;
        } else if let Operand::Bool(BoolSrc::Constant { reg, component, .. }) = operand {
            self.read(*reg, Slots::only(*component), relative);
        }
    }
}
