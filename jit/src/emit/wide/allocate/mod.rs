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

use std::rc::Rc;

use iced_x86::{Instruction, Register};
use rustc_hash::FxHashMap;

use super::forms::Width;
use super::instructions as make;
use super::mir::{Arg, Class, End, Holds, Home, Inst, Label, Mem, Region, Under, Vreg, Vregs};
use crate::bits::ones;
use crate::ir::Origin;
use slots::Slots;
use uses::{NEVER, Next, Operand, Uses};

/// An allocated instruction, or a place.
#[derive(Clone, Debug)]
pub(super) enum Out {
    /// An instruction.
    Inst(Instruction),
    /// A jump, whose target is filled in.
    Jump(iced_x86::Code, Label),
    /// A place to jump to.
    Label(Label),
    /// From here on code is there for another instruction of the program.
    Origin(Origin),
    /// A jump to code out of the way, which jumps back to the end of the other.
    Split(Rc<Ways>),
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
    /// The instruction that uses that value next.
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

/// Tables over the values of a region. All regions of a function use the same, one after the other.
#[derive(Default)]
pub(super) struct Tables {
    uses: Uses,
    next: Next,
    /// The register of each value.
    location: Vec<u8>,
    /// Where each value is computed.
    defined: Vec<Definition>,
}

/// A region on its way to registers.
struct Allocator<'a> {
    width: Width,
    region: &'a Region,
    vregs: &'a Vregs,
    uses: &'a Uses,
    next: &'a mut Next,
    /// The register of each value.
    location: &'a mut [u8],
    files: [File; 2],
    slots: &'a mut Slots,
    /// Where each value is computed.
    defined: &'a mut [Definition],
    stores: Vec<Store>,
    entries: Vec<Option<State>>,
    exits: Vec<State>,
    block: usize,
    now: u32,
    out: Vec<Out>,
}

/// A region with registers.
pub(super) struct Allocated {
    /// The instructions of each block, without its end and its stores.
    blocks: Vec<Vec<Out>>,
    /// Stores of values that leave their registers, in their order.
    stores: Vec<Store>,
    /// The instructions of each edge, by the block that it leaves and the number of the edge.
    pub(super) edges: FxHashMap<(usize, usize), Vec<Out>>,
    /// The mask that each block's end tests.
    pub(super) masks: Vec<Option<Register>>,
}

impl Allocated {
    /// The instructions of a block, without its end.
    pub(super) fn block(&self, index: usize) -> impl Iterator<Item = &Out> {
        let first = self.stores.partition_point(|store| store.block < index);
        let stores = self.stores[first..].iter();
        let stores = stores.take_while(move |store| store.block == index);
        let mut left = self.blocks[index].as_slice();
        let mut done = 0;
        let parts = stores.map(Some).chain([None]).map(move |store| {
            let count = store.map_or(left.len(), |store| store.place - done);
            let (part, rest) = left.split_at(count);
            (left, done) = (rest, done + count);
            part.iter().chain(store.map(|store| &store.store))
        });
        parts.flatten()
    }
}

/// A store of a value, after the instruction that computes it.
struct Store {
    block: usize,
    /// How many instructions of the block come first.
    place: usize,
    store: Out,
}

/// Gives a region registers.
pub(super) fn allocate(
    width: Width,
    region: &Region,
    vregs: &Vregs,
    slots: &mut Slots,
    tables: &mut Tables,
) -> Allocated {
    let several = region.blocks.len() > 1;
    let Tables {
        uses,
        next,
        location,
        defined,
    } = tables;
    uses.begin(region, vregs, next);
    location.clear();
    location.resize(vregs.len(), NOWHERE);
    defined.clear();
    defined.resize(vregs.len(), Definition::default());
    slots.begin_region(vregs.len());
    let mut allocator = Allocator {
        width,
        region,
        vregs,
        uses,
        next,
        location,
        files: [
            // The last one is for moves on edges.
            File::new(0, width.vectors() - u8::from(several)),
            File::new(1, if width.has_masks() { 6 } else { 0 }),
        ],
        slots,
        defined,
        stores: Vec::new(),
        entries: vec![None; region.blocks.len()],
        exits: vec![State::new(); region.blocks.len()],
        block: 0,
        now: 0,
        out: Vec::new(),
    };
    let mut blocks = Vec::new();
    let mut masks = Vec::new();
    for index in 0..region.blocks.len() {
        let (out, mask) = allocator.block(index);
        blocks.push(out);
        masks.push(mask);
    }
    let edges = allocator.edges();
    let mut stores = allocator.stores;
    stores.sort_by_cached_key(|store| (store.block, store.place));
    Allocated {
        blocks,
        stores,
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
        self.out
            .reserve(data.insts.len() * 5 / 4 + data.origins.len());
        let mut origins = data.origins.iter().peekable();
        for (place, inst) in data.insts.iter().enumerate() {
            while let Some((_, origin)) = origins.next_if(|(from, _)| *from <= place) {
                self.out.push(Out::Origin(*origin));
            }
            self.inst(inst);
            self.now += 1;
        }
        self.out
            .extend(origins.map(|(_, origin)| Out::Origin(*origin)));
        let mask = match &data.end {
            End::Any { mask, .. } => {
                let class = self.vregs.class(*mask);
                let number = self.in_register(*mask, class);
                Some(self.register(class, number))
            }
            End::Jump(_) | End::Leave(_) => None,
        };
        self.files.iter_mut().for_each(|file| file.pinned = 0);
        let exit = self.resident();
        for &(vreg, _) in &exit {
            self.vacate(vreg, self.vregs.class(vreg));
        }
        self.exits[index] = exit;
        (std::mem::take(&mut self.out), mask)
    }

    /// The values in registers.
    fn resident(&self) -> State {
        self.files.iter().flat_map(File::held).collect()
    }

    fn inst(&mut self, inst: &Inst) {
        let operands = self.uses.operands(self.now);
        self.next.pass(operands);
        match inst {
            Inst::Raw(raw) => self.out.push(Out::Inst(*raw)),
            Inst::Jump { code, to } => self.out.push(Out::Jump(*code, *to)),
            Inst::Label(label) => self.out.push(Out::Label(*label)),
            Inst::Op { code, args, under } => {
                self.operands(operands);
                let places = Places {
                    width: self.width,
                    vregs: self.vregs,
                    location: self.location,
                    slots: self.slots,
                };
                places.put(&mut self.out, *code, args, *under);
                self.finish(operands);
            }
            Inst::Fma(fma) => {
                self.fma(fma, operands);
                self.finish(operands);
            }
            Inst::Split(split) => {
                self.operands(operands);
                let [hot, cold] = [&split.hot, &split.cold].map(|way| self.way(way));
                let code = split.code;
                self.out.push(Out::Split(Rc::new(Ways { code, hot, cold })));
                self.finish(operands);
            }
        }
    }

    /// The instructions of one way, whose registers are known.
    fn way(&self, insts: &[Inst]) -> Vec<Out> {
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            match inst {
                Inst::Raw(raw) => out.push(Out::Inst(*raw)),
                Inst::Jump { code, to } => out.push(Out::Jump(*code, *to)),
                Inst::Label(label) => out.push(Out::Label(*label)),
                Inst::Op { code, args, under } => {
                    self.places().put(&mut out, *code, args, *under);
                }
                Inst::Fma(_) | Inst::Split(_) => unreachable!("ways have plain instructions"),
            }
        }
        out
    }

    /// After an instruction: notes where results are made, drops what nobody wants any more.
    fn finish(&mut self, operands: &[Operand]) {
        for operand in operands {
            if !operand.role.reads() {
                self.note_definition(operand.vreg);
            }
            if operand.is_last() {
                self.vacate(operand.vreg, operand.class);
                if operand.role.reads() {
                    self.slots.release(operand.vreg, self.now);
                }
            }
        }
        for file in &mut self.files {
            file.pinned = 0;
        }
    }

    fn note_definition(&mut self, vreg: Vreg) {
        self.defined[vreg.index()] = Definition {
            block: self.block as u32,
            place: self.out.len() as u32,
            number: self.now,
            register: self.location[vreg.index()],
        };
    }

    fn file(&self, class: Class) -> &File {
        &self.files[class as usize]
    }

    fn register(&self, class: Class, number: u8) -> Register {
        make::register(self.width, class, number)
    }

    fn occupy(&mut self, vreg: Vreg, class: Class, number: u8) {
        let file = &mut self.files[class as usize];
        file.held |= 1 << number;
        file.values[usize::from(number)] = vreg;
        file.next[usize::from(number)] = self.next.of(vreg);
        self.location[vreg.index()] = number;
    }

    /// A value has no register any more. Its own may be that of a result already.
    fn vacate(&mut self, vreg: Vreg, class: Class) {
        let number = std::mem::replace(&mut self.location[vreg.index()], NOWHERE);
        if number == NOWHERE {
            return;
        }
        let file = &mut self.files[class as usize];
        if file.values[usize::from(number)] == vreg {
            file.held &= !(1 << number);
        }
    }

    fn pin(&mut self, class: Class, number: u8) {
        self.files[class as usize].pinned |= 1 << number;
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
        self.stores.push(Store {
            block: made.block as usize,
            place: made.place as usize,
            store: Out::Inst(store),
        });
    }

    /// Where values are.
    fn places(&self) -> Places<'_> {
        Places {
            width: self.width,
            vregs: self.vregs,
            location: self.location,
            slots: self.slots,
        }
    }
}

/// Where values are while an instruction gets its registers.
struct Places<'a> {
    width: Width,
    vregs: &'a Vregs,
    location: &'a [u8],
    slots: &'a Slots,
}

impl Places<'_> {
    /// Where an operand of the instruction at hand is.
    fn of(&self, vreg: Vreg) -> Place {
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

    /// Puts an instruction whose operands have their places behind the others.
    fn put(&self, out: &mut Vec<Out>, code: iced_x86::Code, args: &[Arg], under: Under) {
        out.push(Out::Inst(Instruction::default()));
        if let Some(Out::Inst(empty)) = out.last_mut() {
            let place = |vreg| self.of(vreg);
            make::op(empty, self.width, code, args, under, self.vregs, place);
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
        Holds::Vector | Holds::Bits => home.mem(),
    }
}
