//! From virtual to real registers, in one walk over the blocks.
//!
//! Within a block the value that is not used for longest makes room (L. A. Belady, "A study of
//! replacement algorithms for a virtual-storage computer", 1966); values that are in memory anyway make
//! room a little sooner. Where a block begins, the values that are used next are in registers, and the
//! edges into it see to that (M. Braun, S. Hack, "Register spilling and live-range splitting for
//! SSA-form programs", 2009). A value that ever leaves its register is stored where it is
//! computed, once: every place that reads it from memory comes after that.

mod edges;
mod entry;
mod fma;
mod operands;
pub(super) mod slots;
#[cfg(test)]
mod tests;
mod uses;

use iced_x86::{Instruction, Register};
use rustc_hash::FxHashMap;

use super::forms::Width;
use super::instructions as make;
use super::mir::{
    Arg, Class, End, Holds, Home, Inst, Label, Mem, Region, Role, Under, Vreg, Vregs,
};
use crate::bits::ones;
use slots::Slots;
use uses::{NEVER, Uses};

/// An allocated instruction, or a place.
#[derive(Clone, Debug)]
pub(super) enum Out {
    /// An instruction.
    Inst(Instruction),
    /// A jump, whose target is filled in.
    Jump(iced_x86::Code, Label),
    /// A place to jump to.
    Label(Label),
    /// A jump to code out of the way, which jumps back to the end of the other.
    Split(Box<Ways>),
}

/// Two ways of doing the same.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// The jump to the second.
    pub(super) code: iced_x86::Code,
    /// The usual way.
    pub(super) hot: Vec<Out>,
    /// The other.
    pub(super) cold: Vec<Out>,
}

/// A virtual register that is in no register.
const NOWHERE: u8 = u8::MAX;

/// Distance that a value in memory gains: it has to be loaded, but not to be stored.
const IN_MEMORY: u32 = 4;

/// A value in memory moves to a register if it is used again this soon, and there is room.
const SOON: u32 = 12;

/// The registers of one class. Bit n of a set is register n.
struct File {
    /// Registers that are given out.
    all: u32,
    /// Registers that hold a value.
    held: u32,
    /// Registers that the instruction at hand needs.
    pinned: u32,
    /// The value of each that holds one.
    values: [Vreg; 32],
    /// The instruction that uses each of these next.
    next: [u32; 32],
}

impl File {
    /// So many registers from a number on.
    fn new(first: u8, count: u8) -> File {
        let all = u64::MAX.unbounded_shr(64 - u32::from(count)) << first;
        File {
            all: all as u32,
            held: 0,
            pinned: 0,
            values: [Vreg(0); 32],
            next: [NEVER; 32],
        }
    }

    /// Registers that hold none.
    fn free(&self) -> u32 {
        self.all & !self.held
    }

    /// Values in registers, each with its register.
    fn held(&self) -> impl Iterator<Item = (Vreg, u8)> {
        let numbers = ones(self.held.into());
        numbers.map(|number| (self.values[number as usize], number as u8))
    }
}

/// Where a value is computed.
#[derive(Clone, Copy, Default)]
struct Definition {
    block: u32,
    /// How many instructions of the block's output come first.
    place: u32,
    /// The number of the instruction.
    number: u32,
    /// The register.
    register: u8,
}

/// Which registers hold which values at the beginning or the end of a block.
type State = Vec<(Vreg, u8)>;

/// A region on its way to registers.
struct Allocator<'a> {
    width: Width,
    region: &'a Region,
    vregs: &'a Vregs,
    uses: Uses,
    /// The register of each value.
    location: Vec<u8>,
    files: [File; 2],
    slots: &'a mut Slots,
    /// Where each value is computed.
    defined: Vec<Definition>,
    /// Stores of values that leave their registers, to be inserted after they are computed.
    stores: Vec<(u32, u32, Instruction)>,
    entries: Vec<Option<State>>,
    exits: Vec<State>,
    block: usize,
    now: u32,
    out: Vec<Out>,
    /// Values that the instruction at hand is the last to use: results may have their registers.
    dying: Vec<Vreg>,
}

/// A region with registers.
pub(super) struct Allocated {
    /// The instructions of each block, without its end.
    pub(super) blocks: Vec<Vec<Out>>,
    /// The instructions of each edge, by the block that it leaves and the number of the edge.
    pub(super) edges: FxHashMap<(usize, usize), Vec<Out>>,
    /// The mask that each block's end tests.
    pub(super) masks: Vec<Option<Register>>,
}

/// Gives a region registers.
pub(super) fn allocate(
    width: Width,
    region: &Region,
    vregs: &Vregs,
    slots: &mut Slots,
) -> Allocated {
    let several = region.blocks.len() > 1;
    let uses = Uses::new(region, vregs);
    slots.begin_region(vregs.len());
    let mut allocator = Allocator {
        width,
        region,
        vregs,
        uses,
        location: vec![NOWHERE; vregs.len()],
        files: [
            // The last one is for moves on edges.
            File::new(0, width.vectors() - u8::from(several)),
            File::new(1, if width.has_masks() { 6 } else { 0 }),
        ],
        slots,
        defined: vec![Definition::default(); vregs.len()],
        stores: Vec::new(),
        entries: vec![None; region.blocks.len()],
        exits: vec![State::new(); region.blocks.len()],
        block: 0,
        now: 0,
        out: Vec::new(),
        dying: Vec::new(),
    };
    let mut blocks = Vec::new();
    let mut masks = Vec::new();
    for index in 0..region.blocks.len() {
        let (out, mask) = allocator.block(index);
        blocks.push(out);
        masks.push(mask);
    }
    let edges = allocator.edges();
    allocator.insert_stores(&mut blocks);
    Allocated {
        blocks,
        edges,
        masks,
    }
}

impl Allocator<'_> {
    fn block(&mut self, index: usize) -> (Vec<Out>, Option<Register>) {
        let region = self.region;
        let data = &region.blocks[index];
        self.block = index;
        self.now = self.uses.starts[index];
        self.enter(data);
        // Loads come between some of them.
        self.out.reserve(data.insts.len() * 5 / 4);
        for inst in &data.insts {
            self.inst(inst);
            self.now += 1;
        }
        let mask = match &data.end {
            End::Any { mask, .. } => {
                let number = self.in_register(*mask);
                Some(self.register(self.vregs.class(*mask), number))
            }
            End::Jump(_) | End::Leave(_) => None,
        };
        self.files.iter_mut().for_each(|file| file.pinned = 0);
        let exit = self.resident();
        exit.iter().for_each(|&(vreg, _)| self.vacate(vreg));
        self.exits[index] = exit;
        (std::mem::take(&mut self.out), mask)
    }

    /// The values in registers.
    fn resident(&self) -> State {
        self.files.iter().flat_map(File::held).collect()
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Raw(raw) => self.out.push(Out::Inst(*raw)),
            Inst::Jump { code, to } => self.out.push(Out::Jump(*code, *to)),
            Inst::Label(label) => self.out.push(Out::Label(*label)),
            Inst::Op { code, args, under } => {
                self.operands(args, *under);
                let made = self.made(*code, args, *under);
                self.out.push(Out::Inst(made));
                self.finish(inst);
            }
            Inst::Fma(fma) => {
                self.fma(fma);
                self.finish(inst);
            }
            Inst::Split {
                code,
                pins,
                hot,
                cold,
            } => {
                self.operands(pins, Under::All);
                let [hot, cold] = [hot, cold].map(|way| self.way(way));
                let code = *code;
                self.out
                    .push(Out::Split(Box::new(Ways { code, hot, cold })));
                self.finish(inst);
            }
        }
    }

    /// The instructions of one way, whose registers are known.
    fn way(&self, insts: &[Inst]) -> Vec<Out> {
        let insts = insts.iter().map(|inst| match inst {
            Inst::Raw(raw) => Out::Inst(*raw),
            Inst::Jump { code, to } => Out::Jump(*code, *to),
            Inst::Label(label) => Out::Label(*label),
            Inst::Op { code, args, under } => Out::Inst(self.made(*code, args, *under)),
            Inst::Fma(_) | Inst::Split { .. } => unreachable!("ways have plain instructions"),
        });
        insts.collect()
    }

    /// An instruction whose operands have their places.
    fn made(&self, code: iced_x86::Code, args: &[Arg], under: Under) -> Instruction {
        let place = |vreg| self.place(vreg);
        make::op(self.width, code, args, under, self.vregs, place)
    }

    /// After an instruction: notes where results are made, drops what nobody wants any more.
    fn finish(&mut self, inst: &Inst) {
        let place = self.out.len() as u32;
        while let Some(vreg) = self.dying.pop() {
            self.vacate(vreg);
        }
        inst.vregs(|vreg, role| match role {
            Role::Writes => {
                let register = self.location[vreg.index()];
                self.defined[vreg.index()] = Definition {
                    block: self.block as u32,
                    place,
                    number: self.now,
                    register,
                };
                let file = self.file(self.vregs.class(vreg));
                if file.next[usize::from(register)] == NEVER {
                    self.vacate(vreg);
                }
            }
            // The slot of a value that was used for the last time is free.
            Role::Reads => {
                if self.location[vreg.index()] == NOWHERE && self.next(vreg) == NEVER {
                    self.slots.release(vreg, self.now);
                }
            }
        });
        for file in &mut self.files {
            file.pinned = 0;
        }
    }

    /// The instruction that uses a value next, after the one at hand.
    fn next(&mut self, vreg: Vreg) -> u32 {
        self.uses.next(vreg, self.now, self.block)
    }

    fn file(&self, class: Class) -> &File {
        &self.files[class as usize]
    }

    fn register(&self, class: Class, number: u8) -> Register {
        make::register(self.width, class, number)
    }

    fn occupy(&mut self, vreg: Vreg, number: u8) {
        let next = self.next(vreg);
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        file.held |= 1 << number;
        file.values[usize::from(number)] = vreg;
        file.next[usize::from(number)] = next;
        self.location[vreg.index()] = number;
    }

    fn vacate(&mut self, vreg: Vreg) {
        let number = self.location[vreg.index()];
        if number == NOWHERE {
            return;
        }
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        if file.values[usize::from(number)] == vreg {
            file.held &= !(1 << number);
        }
        self.location[vreg.index()] = NOWHERE;
    }

    fn pin(&mut self, vreg: Vreg, number: u8) {
        self.files[self.vregs.class(vreg) as usize].pinned |= 1 << number;
    }

    /// Whether a value is in memory, whether it has a register or not.
    fn is_in_memory(&self, vreg: Vreg) -> bool {
        self.vregs.home(vreg).is_some() || self.slots.has(vreg)
    }

    /// Sees to it that a value is in memory from where it is computed on.
    fn keep_in_memory(&mut self, vreg: Vreg) {
        if self.is_in_memory(vreg) {
            return;
        }
        let made = self.defined[vreg.index()];
        let class = self.vregs.class(vreg);
        let local = made.block as usize == self.block && !self.uses.leaves(vreg, self.block);
        let home = if local {
            self.slots.give(vreg, class, self.width, made.number)
        } else {
            self.slots.give_for_good(vreg, class, self.width)
        };
        let store = make::store(self.width, class, home, made.register);
        self.stores.push((made.block, made.place, store));
    }

    /// Where an operand of the instruction at hand is.
    fn place(&self, vreg: Vreg) -> Place {
        match self.location[vreg.index()] {
            NOWHERE => Place::Memory(self.home(vreg)),
            number => Place::Register(number),
        }
    }

    /// Where a value that is in no register is in memory.
    fn home(&self, vreg: Vreg) -> Home {
        let home = self.vregs.home(vreg).or_else(|| self.slots.get(vreg));
        home.unwrap_or_else(|| panic!("v{} is nowhere", vreg.0))
    }

    /// Puts the stores of values after the instructions that compute them.
    fn insert_stores(&mut self, blocks: &mut [Vec<Out>]) {
        let mut stores = std::mem::take(&mut self.stores);
        stores.sort_by_key(|&(block, place, _)| (block, place));
        let mut stores = stores.into_iter().peekable();
        for (index, block) in blocks.iter_mut().enumerate() {
            if stores.peek().is_none_or(|(of, ..)| *of as usize != index) {
                continue;
            }
            let old = std::mem::take(block);
            let mut put = |block: &mut Vec<Out>, upto: usize| {
                while let Some((.., store)) = stores
                    .next_if(|(of, place, _)| *of as usize == index && *place as usize <= upto)
                {
                    block.push(Out::Inst(store));
                }
            };
            for (place, inst) in old.into_iter().enumerate() {
                put(block, place);
                block.push(inst);
            }
            put(block, usize::MAX);
        }
    }
}

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    /// In a register.
    Register(u8),
    /// In memory.
    Memory(Home),
}

/// Memory of a [`Home`].
pub(super) fn memory(home: Home) -> Mem {
    match home.holds {
        Holds::Word => Mem::word(home.base, home.displacement),
        Holds::Vector | Holds::Bits => Mem::at(home.base, home.displacement),
    }
}
