//! One random instruction, from its row of the opcode table.

use attila_shader::isa::{
    BUFFERS, Bank, BoolSrc, CONSTANTS, Component, CtmModifier, Dst, Guard, Imm, Inst, Modifiers,
    OpFlags, Opcode, Operand, OperandKind, PREDICATES, Pred, Profile, Reads, Reg, RelAddr,
    ResultKind, ResultPath, STORAGE_BUFFERS, STREAMS, ScratchArray, Slots, Src, Stage, Swizzle,
    TextureTarget,
};
use attila_shader::machine::SAMPLES;

use super::texture::Answers;
use super::{Options, Setting};
use crate::dice::Dice;
use crate::nan_payload::moves_bits;
use crate::values;

/// The meaning of an operand or a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Float,
    /// Nothing but integers and bits from outside: no NaN made by arithmetic.
    Integer,
}

/// The registers that a program uses: few of them, so that its instructions depend on each other.
pub(super) struct Registers {
    /// Temporaries that integer instructions may read: nothing else may write them.
    integers: Vec<u16>,
    /// The other temporaries.
    floats: Vec<u16>,
    predicates: Vec<u8>,
    /// Whether float results may go to integer registers, since nobody reads them afterwards.
    mixed: bool,
}

/// Temporaries and predicates from here on count loops.
pub(super) const RESERVED_TEMP: u16 = 28;
pub(super) const RESERVED_PREDICATE: u8 = 28;

impl Registers {
    /// All registers, for a single instruction.
    pub(super) fn all(profile: Profile) -> Registers {
        let temps = Bank::Temp.size(profile);
        Registers {
            integers: (0..temps).collect(),
            floats: (0..temps).collect(),
            predicates: (0..PREDICATES).collect(),
            mixed: true,
        }
    }

    /// A few registers, none of them reserved.
    pub(super) fn few(dice: &mut Dice<'_>) -> Registers {
        let mut temps: Vec<u16> = (0..RESERVED_TEMP).collect();
        let mut take = |dice: &mut Dice<'_>, most: usize| {
            let count = 1 + dice.below(most);
            (0..count)
                .map(|_| temps.swap_remove(dice.below(temps.len())))
                .collect()
        };
        let integers = take(dice, 3);
        let floats = take(dice, 8);
        let count = 1 + dice.below(5);
        Registers {
            integers,
            floats,
            predicates: (0..count)
                .map(|_| dice.below(usize::from(RESERVED_PREDICATE)) as u8)
                .collect(),
            mixed: false,
        }
    }
}

/// Makes instructions.
pub(super) struct Instructions<'a, 'd> {
    pub(super) dice: &'a mut Dice<'d>,
    pub(super) options: &'a Options,
    pub(super) answers: Answers,
    pub(super) setting: Setting,
    registers: Registers,
}

impl<'a, 'd> Instructions<'a, 'd> {
    pub(super) fn new(
        dice: &'a mut Dice<'d>,
        options: &'a Options,
        (setting, answers): (Setting, Answers),
        registers: Registers,
    ) -> Self {
        Instructions {
            dice,
            options,
            answers,
            setting,
            registers,
        }
    }

    /// An opcode that the stage allows and `wanted` likes.
    pub(super) fn opcode(&mut self, wanted: impl Fn(Opcode) -> bool) -> Opcode {
        let asks = self.options.textures;
        let asks = asks > 0 && self.dice.percent(asks);
        let opcodes = self.options.profile.opcodes();
        let opcodes = opcodes.filter(|&op| self.allows(op));
        let mut choices: Vec<Opcode> = opcodes.filter(|&op| wanted(op)).collect();
        let texture = |op: &Opcode| op.has(OpFlags::TEXTURE);
        if asks && choices.iter().any(texture) {
            choices.retain(texture);
        }
        self.dice.pick(&choices)
    }

    /// Whether programs of the stage and the scope have the opcode.
    fn allows(&self, op: Opcode) -> bool {
        let Setting { stage, scope } = self.setting;
        (stage.has_neighbours() || !op.is_derivative())
            && (stage == Stage::Geometry || !op.has(OpFlags::EMIT))
            && (stage == Stage::Fragment || !op.has(OpFlags::EVALUATE))
            && scope.allows(op)
    }

    /// A random instruction with this opcode. A jump's distance is 0.
    pub(super) fn instruction(&mut self, op: Opcode) -> Inst {
        let mut inst = Inst::new(op);
        let class = self.result(&mut inst);
        let class = operand_class(op, class);
        for (number, kind) in op.operands().iter().enumerate() {
            inst.operands[number] = self.operand(&inst, number, *kind, class);
        }
        let absolute = inst.scratch().is_some() || op.is_sample_query();
        let may_be_relative = inst.has_constant() && !absolute;
        if op.names_target() {
            self.texture(&mut inst);
        } else if may_be_relative && self.dice.percent(self.options.relative) {
            inst.relative = Some(self.relative());
        }
        if self.dice.percent(self.options.guard) {
            inst.guard = Some(self.guard());
        }
        inst.wait = self.dice.percent(self.options.wait);
        inst
    }

    /// A store to scratch memory, often with a guard, and a load, mostly of the same vector.
    pub(super) fn store_and_load(&mut self) -> Vec<Inst> {
        let mut store = self.instruction(Opcode::Stt);
        if store.guard.is_none() && self.dice.percent(50) {
            store.guard = Some(self.guard());
        }
        let mut load = self.instruction(Opcode::Ldt);
        load.dst = Dst::reg(self.output(), load.written());
        if self.dice.percent(80) {
            load.operands[0] = store.operands[0];
        }
        if let Some(array) = store.scratch().filter(|_| self.dice.percent(80)) {
            load.operands[1] = Operand::Scratch(array);
        }
        load.end = true;
        vec![store, load]
    }

    /// A jump that every lane takes to anywhere could make the program's end unreachable.
    pub(super) fn guard_if_certain(&mut self, jump: &mut Inst) {
        if jump.always_jumps() {
            jump.guard = Some(self.guard());
        }
    }

    fn guard(&mut self) -> Guard {
        Guard {
            pred: self.predicate(),
            negate: self.dice.percent(50),
        }
    }

    /// Chooses what is written, and what class the operands of an instruction that moves bits
    /// must have for that.
    fn result(&mut self, inst: &mut Inst) -> Class {
        let results = inst.op.info().results;
        let class = match results.register {
            Some(ResultKind::Int | ResultKind::Double) => Class::Integer,
            Some(ResultKind::Float) if moves_bits(inst.op) && self.dice.percent(50) => {
                Class::Integer
            }
            Some(ResultKind::Float | ResultKind::Accumulator) | None => Class::Float,
        };
        if results.register.is_some() {
            let reg = self.result_register(class);
            inst.dst = Dst::reg(reg, self.mask_of(inst.op));
        }
        if results.scratch {
            inst.dst = Dst::scratch(self.array(), self.mask());
        }
        if results.storage {
            inst.dst = Dst::storage(self.mask());
        }
        inst.dst.pred = results.predicate.then(|| self.predicate());
        if results.register.is_some() || results.predicate {
            inst.path = ResultPath::saturate_if(self.dice.percent(self.options.saturate));
        }
        match self.options.profile {
            Profile::Base => {}
            Profile::Extended => self.extended_modifiers(inst),
        }
        self.fit_query(inst);
        class
    }

    /// Chooses the modifiers that only the extended profile has.
    fn extended_modifiers(&mut self, inst: &mut Inst) {
        let is_float = inst.op.info().results.is_float();
        let saturate = inst.path == ResultPath::Saturate;
        if is_float && self.dice.percent(20) {
            let modifiers = match inst.op.has(OpFlags::CHOICE) {
                true => &CtmModifier::ALL[..],
                false => &CtmModifier::ALL[..7],
            };
            let modifier = self.dice.pick(modifiers);
            inst.path = ResultPath::Ctm { modifier, saturate };
        } else if is_float && saturate && self.dice.percent(50) {
            inst.path = ResultPath::SaturateSigned;
        }
        inst.zero_wins = inst.op.has(OpFlags::PRODUCT) && self.dice.percent(40);
    }

    /// An output.
    pub(super) fn output(&mut self) -> Reg {
        self.any_of(Bank::Output)
    }

    fn result_register(&mut self, class: Class) -> Reg {
        let integer = class == Class::Integer;
        let address = if integer || self.registers.mixed {
            20
        } else {
            0
        };
        let bank = self.dice.weighted(&[
            (60, Bank::Temp),
            (30, Bank::Output),
            (address, Bank::Address),
        ]);
        match bank {
            Bank::Temp if integer && self.dice.percent(70) => {
                reg(bank, self.dice.pick(&self.registers.integers))
            }
            Bank::Temp => reg(bank, self.dice.pick(&self.registers.floats)),
            Bank::Output | Bank::Address | Bank::Input | Bank::Constant => self.any_of(bank),
        }
    }

    fn mask(&mut self) -> Slots {
        if self.dice.percent(self.options.full_mask) {
            Slots::all()
        } else {
            Slots::from_bits_truncate(1 + self.dice.below(15) as u8)
        }
    }

    /// A write mask that the opcode takes.
    fn mask_of(&mut self, op: Opcode) -> Slots {
        let pairs = [Slots::X | Slots::Y, Slots::Z | Slots::W, Slots::all()];
        match (op.info().results.is_double(), op.narrows()) {
            (true, _) => self.dice.pick(&pairs),
            (false, true) => {
                let [first, second] = [self.component(), self.component()];
                Slots::only(first) | Slots::only(second)
            }
            (false, false) => self.mask(),
        }
    }

    fn operand(&mut self, inst: &Inst, number: usize, kind: OperandKind, class: Class) -> Operand {
        let immediate = number == 1 && inst.op.has(OpFlags::IMM);
        match kind {
            OperandKind::Float(_) if immediate && self.dice.percent(self.options.immediate) => self
                .immediate(match self.options.profile {
                    Profile::Base => values::float,
                    Profile::Extended => values::any_float,
                }),
            OperandKind::Int(_) if immediate && self.dice.percent(self.options.immediate) => self
                .immediate(match self.options.profile {
                    Profile::Base => values::integer,
                    Profile::Extended => values::any_integer,
                }),
            OperandKind::Float(_) => self.source(class),
            OperandKind::OptionalFloat(_) if self.dice.percent(30) => self.source(Class::Float),
            OperandKind::Texels if self.dice.percent(30) => self.source(Class::Integer),
            OperandKind::OptionalFloat(_) | OperandKind::Texels | OperandKind::Absent => {
                Operand::None
            }
            OperandKind::Gradients => self.gradients(),
            OperandKind::Input => self.input(),
            OperandKind::Index => self.sample_register(),
            OperandKind::Number => self.sample_number(),
            OperandKind::Int(_) if inst.op.has(OpFlags::EVALUATE) => self.index_or_integer(),
            OperandKind::Int(Reads::X) if self.dice.percent(60) => self.index(),
            OperandKind::Double(_) => self.double(),
            OperandKind::Int(_) | OperandKind::Raw(_) => self.source(Class::Integer),
            OperandKind::Ignored if self.dice.percent(50) => Operand::None,
            OperandKind::Ignored => self.source(Class::Float),
            OperandKind::Bool => Operand::Bool(self.boolean()),
            OperandKind::Unit => {
                let (unit, target) = self.unit(&[TextureTarget::Bound]);
                Operand::Unit { unit, target }
            }
            OperandKind::Attribute => {
                Operand::Attribute(self.small(self.options.profile.attributes()))
            }
            // Samples from 16 on do not exist and are legal.
            OperandKind::Stream => Operand::Stream(self.small(STREAMS)),
            OperandKind::Sample => Operand::Sample(self.small(SAMPLES as u8 + 4)),
            OperandKind::Scratch => Operand::Scratch(self.array()),
            OperandKind::Buffer => Operand::Buffer(self.small(BUFFERS)),
            OperandKind::Storage => Operand::Storage(self.small(STORAGE_BUFFERS)),
            OperandKind::Offset => Operand::Offset(0),
        }
    }

    /// A source whose swizzle keeps pairs of components.
    fn double(&mut self) -> Operand {
        let Operand::Reg(src) = self.source(Class::Integer) else {
            unreachable!("a source is a register")
        };
        let swizzle = self.dice.pick(&[0x1b, 0x1b, 0xb1, 0x11, 0xbb]);
        Operand::Reg(Src {
            swizzle: Swizzle::from_bits(swizzle),
            ..src
        })
    }

    /// An array of scratch memory: a few that overlap.
    fn array(&mut self) -> ScratchArray {
        ScratchArray {
            base: self.dice.below(4) as u16,
            size: self.dice.pick(&[0, 1, 3, 8, 12]),
        }
    }

    /// An index: most addresses are small numbers.
    fn index(&mut self) -> Operand {
        Operand::Reg(Src {
            swizzle: self.swizzle(),
            ..Src::new(self.any_of(Bank::Address))
        })
    }

    /// An integer, mostly a small number.
    pub(super) fn index_or_integer(&mut self) -> Operand {
        match self.dice.percent(60) {
            true => self.index(),
            false => self.source(Class::Integer),
        }
    }

    /// Two neighbouring temporaries.
    fn gradients(&mut self) -> Operand {
        let Operand::Reg(src) = self.source(Class::Float) else {
            unreachable!("a source is a register")
        };
        let index = self.dice.pick(&self.registers.floats);
        let last = Bank::Temp.size(self.options.profile) - 2;
        Operand::Reg(Src {
            reg: reg(Bank::Temp, index.min(last)),
            ..src
        })
    }

    /// The immediate in the form that instruction words have it: the sign is a modifier.
    fn immediate(&mut self, value: fn(&mut Dice<'_>) -> u32) -> Operand {
        Operand::Imm(Imm {
            bits: value(self.dice),
            modifiers: self.modifiers(),
        })
    }

    fn source(&mut self, class: Class) -> Operand {
        let bank = self.dice.weighted(&[
            (35, Bank::Temp),
            (30, Bank::Input),
            (30, Bank::Constant),
            (5, Bank::Address),
        ]);
        let reg = match (bank, class) {
            (Bank::Temp, Class::Integer) => reg(bank, self.dice.pick(&self.registers.integers)),
            (Bank::Temp, Class::Float) if self.dice.percent(80) => {
                reg(bank, self.dice.pick(&self.registers.floats))
            }
            (Bank::Temp, Class::Float) => reg(bank, self.dice.pick(&self.registers.integers)),
            (Bank::Constant, _) => self.constant(),
            (Bank::Input | Bank::Address | Bank::Output, _) => self.any_of(bank),
        };
        Operand::Reg(Src {
            reg,
            swizzle: self.swizzle(),
            modifiers: self.modifiers(),
        })
    }

    /// A condition for ANDP and JMP.
    pub(super) fn boolean(&mut self) -> BoolSrc {
        let negate = self.dice.percent(50);
        match self.dice.below(10) {
            0 => BoolSrc::Literal(negate),
            1..=2 => BoolSrc::Constant {
                reg: self.constant(),
                component: self.component(),
                negate,
            },
            _ => BoolSrc::Pred {
                pred: self.predicate(),
                negate,
            },
        }
    }

    pub(super) fn relative(&mut self) -> RelAddr {
        let far = self.dice.percent(10);
        let (low, high) = if far { (-256, 255) } else { (-8, 8) };
        RelAddr {
            reg: self.any_of(Bank::Address),
            component: self.component(),
            offset: self.dice.between(low, high) as i16,
        }
    }

    pub(super) fn swizzle(&mut self) -> Swizzle {
        if self.dice.percent(self.options.swizzle) {
            Swizzle::from_bits(self.dice.word() as u8)
        } else if self.dice.percent(50) {
            Swizzle::broadcast(self.component())
        } else {
            Swizzle::IDENTITY
        }
    }

    fn modifiers(&mut self) -> Modifiers {
        Modifiers {
            negate: self.dice.percent(self.options.modifier),
            absolute: self.dice.percent(self.options.modifier),
        }
    }

    pub(super) fn predicate(&mut self) -> Pred {
        let index = self.dice.pick(&self.registers.predicates);
        Pred::new(index).expect("the list holds predicate registers")
    }

    pub(super) fn component(&mut self) -> Component {
        self.dice.pick(&Component::ALL)
    }

    /// A constant; mostly one of the first few, at times one of the word's second bank.
    fn constant(&mut self) -> Reg {
        let far = self.dice.percent(15);
        let count = if far { CONSTANTS } else { 12 };
        reg(Bank::Constant, self.dice.below(count) as u16)
    }

    pub(super) fn any_of(&mut self, bank: Bank) -> Reg {
        let size = bank.size(self.options.profile);
        reg(bank, self.dice.below(usize::from(size)) as u16)
    }

    /// A number below `size`, mostly a small one.
    pub(super) fn small(&mut self, size: u8) -> u8 {
        let limit = if self.dice.percent(70) { 4 } else { size };
        self.dice.below(usize::from(limit)) as u8
    }
}

/// The class that float operands have if the result has `result`. In the base profile those of ARL have
/// the result's, too, which leaves the sequence of programs as it is.
fn operand_class(op: Opcode, result: Class) -> Class {
    match op.info().profile {
        Profile::Extended if !moves_bits(op) => Class::Float,
        Profile::Base | Profile::Extended => result,
    }
}

pub(super) fn reg(bank: Bank, index: u16) -> Reg {
    Reg::within(Profile::Extended, bank, index).expect("the generator stays within the bank")
}
