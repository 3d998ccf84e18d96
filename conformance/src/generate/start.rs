//! The state that a program runs on: constants, quads, limits.

use std::collections::{BTreeMap, BTreeSet};

use attila_shader::isa::{
    Bank, BoolSrc, Inst, OperandValue, PREDICATES, Pred, Profile, TextureShape, ValidProgram,
};
use attila_shader::machine::{
    CONSTANTS, Fixed, LaneMask, MAX_FIXED_BITS, QuadReg, QuadState, from_floats, from_lanes,
};

use super::{Mode, Options, samples};
use crate::case::Case;
use crate::dice::Dice;
use crate::oracle::Fill;
use crate::{textures, values};

/// Backward jumps that no well-behaved loop of ours needs.
const BUDGET: u32 = 1000;

/// Makes the case that runs `program`.
pub(super) fn case(
    dice: &mut Dice<'_>,
    options: &Options,
    mode: Mode,
    (program, images): (ValidProgram, &[TextureShape]),
) -> Case {
    let named = Named::new(&program);
    let constants = constants(dice, options, &program);
    let buffers = buffers(dice, &program);
    let words = contents(options, !images.is_empty());
    let storage = storage(dice, &program);
    let many = dice.percent(options.many_quads);
    let quads = match mode {
        Mode::Single => options.single_quads,
        Mode::Program => options.quads,
    };
    let most = quads.max(1) * if many { 5 } else { 1 };
    let count = 1 + dice.below(most);
    let mut quads: Vec<QuadState> = (0..count)
        .map(|_| quad(dice, (options, &words), mode, &named))
        .collect();
    if program.usage().samples {
        for quad in &mut quads {
            quad.io.samples = samples::samples(dice);
        }
    }
    let textures = images.iter();
    let textures = textures
        .map(|&shape| textures::of_kind(dice, shape))
        .collect();
    let small = dice.percent(options.small_budget);
    let loop_budget = if small { dice.below(6) as u32 } else { BUDGET };
    let fixed_bits = if dice.percent(60) {
        attila_shader::machine::DEFAULT_FIXED_BITS
    } else {
        dice.below(MAX_FIXED_BITS as usize + 1) as u32
    };
    Case {
        constants,
        buffers,
        storage,
        quads,
        loop_budget,
        fixed_bits,
        textures,
        ..Case::new(program)
    }
}

impl Case {
    /// Gives the registers of `quads` other values, but for those that the program does not name.
    pub(crate) fn refill(&self, named: &Named, dice: &mut Dice<'_>, quads: &mut [QuadState]) {
        let options = match self.program.program().profile() {
            Profile::Base => &Options::DEFAULT,
            Profile::Extended => &Options::EXTENDED,
        };
        let words = contents(options, !self.textures.is_empty());
        for quad in quads {
            for (bank, index) in named.registers() {
                let contents = match bank {
                    Bank::Address => ADDRESSES,
                    Bank::Input | Bank::Output | Bank::Temp | Bank::Constant => &words[..],
                };
                if bank == Bank::Input || self.rounds.fill == Fill::Registers {
                    *Named::register_mut(quad, bank, index) = register(dice, options, contents);
                }
            }
            if self.rounds.fill == Fill::Registers {
                named.set_predicates(dice, quad);
                clear_hidden(quad);
                if dice.percent(20) {
                    hidden(dice, quad);
                }
            }
            if self.program.usage().samples {
                quad.io.samples = samples::samples(dice);
            }
        }
    }
}

/// The registers that a program names.
#[derive(Default)]
pub(crate) struct Named {
    registers: Vec<(Bank, usize)>,
    predicates: Vec<usize>,
}

impl Named {
    pub(crate) fn new(program: &ValidProgram) -> Named {
        let mut named = Named::default();
        for inst in program.program().insts() {
            named.instruction(inst);
        }
        named.registers.retain(|(bank, _)| *bank != Bank::Constant);
        named.registers.sort_unstable();
        named.registers.dedup();
        named
    }

    /// Bank and number of each.
    pub(crate) fn registers(&self) -> impl Iterator<Item = (Bank, usize)> {
        self.registers.iter().copied()
    }

    /// A register of a quad.
    pub(crate) fn register(quad: &QuadState, bank: Bank, index: usize) -> &QuadReg {
        match bank {
            Bank::Input => &quad.io.inputs[index],
            Bank::Output => &quad.io.outputs[index],
            Bank::Temp => &quad.regs.temps[index],
            Bank::Address => &quad.regs.addresses[index],
            Bank::Constant => unreachable!("quads have no constants"),
        }
    }

    fn register_mut(quad: &mut QuadState, bank: Bank, index: usize) -> &mut QuadReg {
        match bank {
            Bank::Input => &mut quad.io.inputs[index],
            Bank::Output => &mut quad.io.outputs[index],
            Bank::Temp => &mut quad.regs.temps[index],
            Bank::Address => &mut quad.regs.addresses[index],
            Bank::Constant => unreachable!("quads have no constants"),
        }
    }

    /// Copies the registers, and what has no name.
    pub(crate) fn copy(&self, from: &QuadState, to: &mut QuadState) {
        for (bank, index) in self.registers() {
            *Named::register_mut(to, bank, index) = *Named::register(from, bank, index);
        }
        to.regs.predicates = from.regs.predicates;
        to.regs.accumulator = from.regs.accumulator;
        to.regs.sample = from.regs.sample;
        to.io.kill = from.io.kill;
        to.io.depth = from.io.depth;
        to.io.samples = from.io.samples.clone();
    }

    fn set_predicates(&self, dice: &mut Dice<'_>, quad: &mut QuadState) {
        for &index in &self.predicates {
            quad.regs.set_predicate(index, predicate(dice));
        }
    }

    fn instruction(&mut self, inst: &Inst) {
        let written = inst.dst.reg.map(|dst| (dst.reg.bank(), dst.reg.index()));
        self.registers.extend(written);
        self.predicates.extend(inst.dst.pred.map(Pred::index));
        self.predicates
            .extend(inst.guard.map(|guard| guard.pred.index()));
        self.registers
            .extend(inst.relative.map(|r| (r.reg.bank(), r.reg.index())));
        for operand in &inst.operands {
            match operand.value() {
                Some(OperandValue::Reg(src)) => {
                    self.registers.push((src.reg.bank(), src.reg.index()));
                }
                Some(OperandValue::Bool(BoolSrc::Pred { pred, .. })) => {
                    self.predicates.push(pred.index());
                }
                Some(
                    OperandValue::Bool(BoolSrc::Literal(_) | BoolSrc::Constant { .. })
                    | OperandValue::Imm(_),
                )
                | None => {}
            }
        }
    }

    fn has(&self, bank: Bank, index: usize) -> bool {
        self.registers.contains(&(bank, index))
    }
}

/// The words that registers and constants start with: the extended profile has more integer instructions.
fn word(options: &Options) -> fn(&mut Dice<'_>) -> u32 {
    match options.profile {
        Profile::Base => values::word,
        Profile::Extended => values::any_word,
    }
}

fn constants(
    dice: &mut Dice<'_>,
    options: &Options,
    program: &ValidProgram,
) -> BTreeMap<usize, [u32; 4]> {
    let usage = program.usage();
    let word = word(options);
    let vector = |dice: &mut Dice<'_>| std::array::from_fn(|_| word(dice));
    if usage.relative_constants {
        return (0..CONSTANTS).map(|c| (c, vector(dice))).collect();
    }
    usage.constants.iter().map(|&c| (c, vector(dice))).collect()
}

/// The buffers that the program reads, some of them unbound.
fn buffers(dice: &mut Dice<'_>, program: &ValidProgram) -> BTreeMap<usize, Vec<[u32; 4]>> {
    let insts = program.program().insts().iter();
    let named: BTreeSet<u8> = insts.filter_map(Inst::buffer).collect();
    let vector = |dice: &mut Dice<'_>| std::array::from_fn(|_| values::word(dice));
    let mut buffers = BTreeMap::new();
    for buffer in named {
        let vectors = dice.pick(&[0, 1, 5, 12]);
        let vectors: Vec<[u32; 4]> = (0..vectors).map(|_| vector(dice)).collect();
        if !vectors.is_empty() {
            buffers.insert(usize::from(buffer), vectors);
        }
    }
    buffers
}

/// The storage buffers that the program names, some of them unbound.
fn storage(dice: &mut Dice<'_>, program: &ValidProgram) -> BTreeMap<usize, Vec<u32>> {
    let insts = program.program().insts().iter();
    let named: BTreeSet<u8> = insts.filter_map(Inst::storage).collect();
    let words = |dice: &mut Dice<'_>| {
        let count = dice.pick(&[0, 1, 3, 8, 60]);
        (0..count).map(|_| values::any_word(dice)).collect()
    };
    named
        .into_iter()
        .map(|buffer| (usize::from(buffer), words(dice)))
        .filter(|(_, words): &(usize, Vec<u32>)| !words.is_empty())
        .collect()
}

fn quad(
    dice: &mut Dice<'_>,
    (options, contents): (&Options, &[(u8, Content)]),
    mode: Mode,
    named: &Named,
) -> QuadState {
    let mut quad = QuadState::default();
    for (bank, regs) in [
        (Bank::Input, &mut quad.io.inputs[..]),
        (Bank::Output, &mut quad.io.outputs[..]),
        (Bank::Temp, &mut quad.regs.temps[..]),
        (Bank::Address, &mut quad.regs.addresses[..]),
    ] {
        let regs = &mut regs[..bank.size(options.profile).into()];
        let contents = match bank == Bank::Address {
            true => ADDRESSES,
            false => contents,
        };
        for (index, reg) in regs.iter_mut().enumerate() {
            if named.has(bank, index) || dice.percent(options.unnamed) {
                *reg = register(dice, options, contents);
            }
        }
    }
    for index in 0..PREDICATES as usize {
        if named.predicates.contains(&index) || dice.percent(options.unnamed) {
            quad.regs.set_predicate(index, predicate(dice));
        }
    }
    if mode == Mode::Single || dice.percent(20) {
        hidden(dice, &mut quad);
    }
    quad
}

fn predicate(dice: &mut Dice<'_>) -> LaneMask {
    let any = dice.below(16) as u8;
    LaneMask::from_bits_truncate(dice.pick(&[0, 15, any, any]))
}

/// Nothing in the state without a name.
fn clear_hidden(quad: &mut QuadState) {
    quad.regs.accumulator = Default::default();
    quad.regs.sample = Default::default();
    quad.io.kill = Default::default();
    quad.io.depth = Default::default();
}

/// The state without a name: accumulator, current sample, kill mask and depths so far.
fn hidden(dice: &mut Dice<'_>, quad: &mut QuadState) {
    for lane in quad.regs.accumulator.iter_mut().flatten() {
        let magnitude = u64::from(dice.word()) << 32 | u64::from(dice.word());
        *lane = Fixed {
            magnitude: magnitude >> dice.below(64),
            negative: u64::from(dice.percent(50)),
        };
    }
    for lane in &mut quad.regs.sample {
        // 16 and 17 do not exist any more; far beyond, numbers may wrap around.
        *lane = if dice.percent(90) {
            dice.below(18) as u32
        } else {
            values::integer(dice)
        };
    }
    for lane in &mut quad.io.kill {
        *lane = if dice.percent(25) {
            dice.word() & attila_shader::machine::KILL_ALL
        } else {
            0
        };
    }
    for word in quad.io.depth.iter_mut().flatten() {
        *word = values::word(dice);
    }
}

/// The content of a register at the start.
#[derive(Clone, Copy)]
enum Content {
    /// Such words, which have nothing to do with each other.
    Words(fn(&mut Dice<'_>) -> u32),
    /// Two doubles, the low word of each first.
    Doubles,
    /// Lanes around a point in an image, or near it.
    Coordinates,
    /// Columns, rows, layers and levels of an image, or numbers near them.
    Texels,
}

/// The contents of addresses.
const ADDRESSES: &[(u8, Content)] = &[(1, Content::Words(address))];

/// The contents of registers other than addresses, and how often each comes up. With a single one, that
/// is not left to chance.
fn contents(options: &Options, images: bool) -> Vec<(u8, Content)> {
    let words = Content::Words(word(options));
    match (options.profile, images) {
        (Profile::Base, false) => vec![(1, words)],
        (Profile::Extended, false) => vec![(11, words), (1, Content::Doubles)],
        (Profile::Base, true) => vec![(1, Content::Coordinates)],
        (Profile::Extended, true) => {
            vec![(4, words), (3, Content::Coordinates), (3, Content::Texels)]
        }
    }
}

fn register(dice: &mut Dice<'_>, options: &Options, contents: &[(u8, Content)]) -> QuadReg {
    let content = match contents {
        [(_, only)] => *only,
        several => dice.weighted(several),
    };
    let word = match content {
        Content::Words(word) => word,
        Content::Texels => |dice: &mut Dice<'_>| dice.between(-2, 9).cast_unsigned(),
        Content::Coordinates => return from_floats(textures::coordinates(dice)),
        Content::Doubles => return doubles(dice, options),
    };
    let same = dice.percent(options.same_lanes);
    std::array::from_fn(|_| {
        let first = word(dice);
        std::array::from_fn(|_| if same { first } else { word(dice) })
    })
}

/// Two doubles in each lane.
fn doubles(dice: &mut Dice<'_>, options: &Options) -> QuadReg {
    let same = dice.percent(options.same_lanes);
    let first: [[u32; 2]; 2] = std::array::from_fn(|_| values::double(dice));
    from_lanes(std::array::from_fn(|_| {
        let [[x, y], [z, w]] = match same {
            true => first,
            false => std::array::from_fn(|_| values::double(dice)),
        };
        [x, y, z, w]
    }))
}

/// An address: mostly one that leads to constants.
fn address(dice: &mut Dice<'_>) -> u32 {
    match dice.below(10) {
        0..=5 => dice.between(0, 12).cast_unsigned(),
        6..=8 => dice.between(-20, 530).cast_unsigned(),
        _ => values::integer(dice),
    }
}
