//! From virtual to real registers, in one walk over the blocks.
//!
//! Within a block the value that is not used for longest makes room (L. A. Belady, "A study of
//! replacement algorithms for a virtual-storage computer", 1966); values that are in memory anyway make
//! room a little sooner. Where a block begins, the values that are used next are in registers, and the
//! edges into it see to that (M. Braun, S. Hack, "Register spilling and live-range splitting for
//! SSA-form programs", 2009). A value that ever leaves its register is stored where it is
//! computed, once: every place that reads it from memory comes after that.

use iced_x86::{Instruction, Register};
use rustc_hash::FxHashMap;

use super::forms::Width;
use super::instructions as make;
use super::mir::{Arg, Block, Class, End, Fma, Holds, Home, Inst, Label, Mem, Region, Role};
use super::mir::{Under, Vreg, Vregs};
use super::slots::Slots;
use super::uses::{NEVER, OUTSIDE, Uses};

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
    Split {
        /// The jump.
        code: iced_x86::Code,
        /// The usual way.
        hot: Vec<Out>,
        /// The other.
        cold: Vec<Out>,
    },
}

/// A virtual register that is in no register.
const NOWHERE: u8 = u8::MAX;

/// What a value in memory counts as further away: it has to be loaded, but not to be stored.
const IN_MEMORY: u32 = 4;

/// A value in memory moves to a register if it is used again this soon, and there is room.
const SOON: u32 = 12;

/// The registers of one class.
#[derive(Clone)]
pub(super) struct File {
    /// The number of the first that is given out.
    first: u8,
    /// What is in each.
    holds: Vec<Option<Vreg>>,
    /// The ones that the instruction at hand needs.
    pinned: u32,
}

impl File {
    fn new(first: u8, count: u8) -> File {
        File {
            first,
            holds: vec![None; usize::from(count)],
            pinned: 0,
        }
    }

    fn free(&self) -> usize {
        self.holds.iter().filter(|it| it.is_none()).count()
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
pub(super) type State = Vec<(Vreg, u8)>;

/// A region on its way to registers.
pub(super) struct Allocator<'a> {
    pub(super) width: Width,
    pub(super) region: &'a Region,
    pub(super) vregs: &'a Vregs,
    pub(super) uses: Uses,
    /// The register of each value.
    location: Vec<u8>,
    files: [File; 2],
    pub(super) slots: &'a mut Slots,
    /// Where each value is computed.
    defined: Vec<Definition>,
    /// Stores of values that leave their registers, to be inserted after they are computed.
    stores: Vec<(u32, u32, Instruction)>,
    pub(super) entries: Vec<Option<State>>,
    pub(super) exits: Vec<State>,
    block: usize,
    now: u32,
    out: Vec<Out>,
    /// Values that do not leave their block and whose slots are free when they die.
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
        self.exits[index] = self.resident();
        for (vreg, _) in self.exits[index].clone() {
            self.vacate(vreg);
        }
        (std::mem::take(&mut self.out), mask)
    }

    /// The values in registers.
    fn resident(&self) -> State {
        let files = self.files.iter();
        let held = files.flat_map(|file| {
            let numbers = file.first..;
            let held = numbers.zip(&file.holds);
            held.filter_map(|(number, held)| Some(((*held)?, number)))
        });
        held.collect()
    }

    /// Settles where values are when a block begins.
    fn enter(&mut self, data: &Block) {
        let entry = self.entry(data);
        for &(vreg, number) in &entry {
            self.occupy(vreg, number);
            if data.params.contains(&vreg) {
                self.defined[vreg.index()] = Definition {
                    block: self.block as u32,
                    place: 0,
                    number: self.now,
                    register: number,
                };
            }
        }
        self.entries[self.block] = Some(entry);
    }

    fn entry(&mut self, data: &Block) -> State {
        let index = self.block;
        let before: Vec<usize> = self.predecessors(index).collect();
        let is_loop = before.iter().any(|&from| from >= index);
        let done: Vec<usize> = before.into_iter().filter(|&from| from < index).collect();
        let start = self.uses.starts[index];
        let mut wanted: Vec<(u32, Vreg)> = Vec::new();
        for &param in &data.params {
            // Counted from before the first instruction.
            let distance = match self.uses.distance(param, start.wrapping_sub(1), index) {
                _ if start == 0 => 1,
                distance => distance,
            };
            if distance != NEVER {
                wanted.push((distance, param));
            }
        }
        for (&vreg, &distance) in &self.uses.live_in[index] {
            let held = |from: &usize| self.exits[*from].iter().any(|(it, _)| *it == vreg);
            if if is_loop { distance < OUTSIDE } else { done.iter().any(held) } {
                wanted.push((distance, vreg));
            }
        }
        wanted.sort_unstable_by_key(|&(distance, vreg)| (distance, vreg));
        let mut entry = State::new();
        for class in [Class::Vector, Class::Mask] {
            self.choose_entry(data, &wanted, &done, class, &mut entry);
        }
        for vreg in self.uses.live_in[index].clone().into_keys() {
            if !entry.iter().any(|(it, _)| *it == vreg) {
                self.to_memory(vreg);
            }
        }
        for &param in &data.params {
            if !entry.iter().any(|(it, _)| *it == param) {
                self.slots.give_for_good(param, self.vregs.class(param), self.width);
            }
        }
        entry
    }

    /// The registers of one class in which values are when a block begins: where they are at the end of
    /// a block before it, if that is possible.
    fn choose_entry(
        &self,
        data: &Block,
        wanted: &[(u32, Vreg)],
        done: &[usize],
        class: Class,
        entry: &mut State,
    ) {
        let file = self.file(class);
        let count = file.holds.len();
        let mut taken = vec![false; count];
        let of_class = wanted.iter().filter(|(_, vreg)| self.vregs.class(*vreg) == class);
        let chosen: Vec<Vreg> = of_class.take(count).map(|(_, vreg)| *vreg).collect();
        let mut left = Vec::new();
        for vreg in chosen {
            let place = done.iter().find_map(|&from| {
                let source = self.source(data, from, vreg);
                let at = self.exits[from].iter().find(|(it, _)| Some(*it) == source);
                at.map(|(_, number)| *number)
            });
            match place {
                Some(number) if !taken[usize::from(number - file.first)] => {
                    taken[usize::from(number - file.first)] = true;
                    entry.push((vreg, number));
                }
                _ => left.push(vreg),
            }
        }
        for vreg in left {
            let free = taken.iter().position(|taken| !taken);
            let free = free.expect("no more are chosen than there are");
            taken[free] = true;
            entry.push((vreg, file.first + free as u8));
        }
    }

    /// The value that the current block knows as `vreg`, at the end of a block before it.
    fn source(&self, data: &Block, from: usize, vreg: Vreg) -> Option<Vreg> {
        let Some(place) = data.params.iter().position(|&param| param == vreg) else {
            return Some(vreg);
        };
        let mut edges = self.region.blocks[from].end.edges();
        let edge = edges.find(|edge| edge.block == self.block)?;
        Some(edge.args[place])
    }

    fn predecessors(&self, block: usize) -> impl Iterator<Item = usize> {
        let blocks = self.region.blocks.iter().enumerate();
        blocks.filter_map(move |(from, data)| {
            let mut edges = data.end.edges();
            edges.any(|edge| edge.block == block).then_some(from)
        })
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Raw(raw) => self.out.push(Out::Inst(*raw)),
            Inst::Jump { code, to } => self.out.push(Out::Jump(*code, *to)),
            Inst::Label(label) => self.out.push(Out::Label(*label)),
            Inst::Op { code, args, under } => {
                let found = self.operands(args, *under);
                let made = make::op(self.width, *code, args, *under, &found, self.vregs);
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
                let found = self.operands(pins, Under::All);
                let [hot, cold] = [hot, cold].map(|way| self.way(way, &found));
                let code = *code;
                self.out.push(Out::Split { code, hot, cold });
                self.finish(inst);
            }
        }
    }

    /// The instructions of one way, whose registers are known.
    fn way(&self, insts: &[Inst], found: &Found) -> Vec<Out> {
        let insts = insts.iter().map(|inst| match inst {
            Inst::Raw(raw) => Out::Inst(*raw),
            Inst::Jump { code, to } => Out::Jump(*code, *to),
            Inst::Label(label) => Out::Label(*label),
            Inst::Op { code, args, under } => Out::Inst(make::op(
                self.width, *code, args, *under, found, self.vregs,
            )),
            Inst::Fma(_) | Inst::Split { .. } => unreachable!("ways have plain instructions"),
        });
        insts.collect()
    }

    /// Finds places for all operands.
    fn operands(&mut self, args: &[Arg], under: Under) -> Found {
        let mut found = Found::default();
        let mut stay = |vreg: Vreg, role: Role| {
            let number = self.location[vreg.index()];
            if role == Role::Reads && number != NOWHERE {
                self.pin(vreg, number);
            }
        };
        args.iter().for_each(|arg| arg.vregs(&mut stay));
        under.vregs(&mut stay);
        let pin = |this: &mut Self, vreg| {
            let number = this.in_register(vreg);
            this.pin(vreg, number);
            number
        };
        for arg in args {
            match *arg {
                Arg::Use(vreg) | Arg::Lanes(_, vreg, ..) | Arg::Tied(_, vreg) => {
                    let number = pin(self, vreg);
                    found.put(vreg, Place::Register(number));
                }
                Arg::Def(_)
                | Arg::DefEarly(_)
                | Arg::UseMem(_)
                | Arg::UseWhole(_)
                | Arg::Fixed(_)
                | Arg::Mem(_)
                | Arg::Imm(_) => {}
            }
        }
        match under {
            Under::Mask(vreg) | Under::Zeroing(vreg) | Under::Consumed(_, vreg) => {
                let number = pin(self, vreg);
                found.put(vreg, Place::Register(number));
            }
            Under::All | Under::Fixed(_) => {}
        }
        for arg in args {
            if let Arg::UseMem(vreg) | Arg::UseWhole(vreg) = *arg {
                let place = self.anywhere(vreg, matches!(arg, Arg::UseMem(_)));
                found.put(vreg, place);
            }
        }
        self.results(args, under, &mut found);
        found
    }

    /// Finds registers for results.
    fn results(&mut self, args: &[Arg], under: Under, found: &mut Found) {
        let tied = args.iter().filter_map(|arg| match *arg {
            Arg::Tied(new, old) => Some((new, old)),
            _ => None,
        });
        let consumed = match under {
            Under::Consumed(new, old) => Some((new, old)),
            Under::All | Under::Mask(_) | Under::Zeroing(_) | Under::Fixed(_) => None,
        };
        for (new, old) in tied.chain(consumed) {
            let number = self.tie(new, old);
            found.replace(old, new, number);
        }
        for arg in args {
            if let Arg::DefEarly(vreg) = *arg {
                let number = self.room(vreg);
                found.put(vreg, Place::Register(number));
            }
        }
        self.release(found);
        for arg in args {
            if let Arg::Def(vreg) = *arg {
                let number = self.room(vreg);
                found.put(vreg, Place::Register(number));
            }
        }
    }

    /// The register of a result that is made of an operand in place.
    fn tie(&mut self, new: Vreg, old: Vreg) -> u8 {
        let number = self.location[old.index()];
        if self.distance(old) == NEVER {
            self.vacate(old);
            self.occupy(new, number);
            self.pin(new, number);
            return number;
        }
        let class = self.vregs.class(new);
        let into = self.room(new);
        let moved = make::copy(self.width, class, into, number);
        self.out.push(Out::Inst(moved));
        into
    }

    /// Operands that are not used again leave their registers.
    fn release(&mut self, found: &Found) {
        for &(vreg, place) in &found.places {
            if matches!(place, Place::Register(number) if self.location[vreg.index()] == number)
                && self.distance(vreg) == NEVER
                && !found.results.contains(&vreg)
            {
                self.die(vreg);
            }
        }
    }

    fn die(&mut self, vreg: Vreg) {
        self.vacate(vreg);
        self.dying.push(vreg);
    }

    /// After an instruction: notes where results are made, drops those that nobody wants.
    fn finish(&mut self, inst: &Inst) {
        let place = self.out.len() as u32;
        let mut made: Vec<Vreg> = Vec::new();
        inst.vregs(|vreg, role| match role {
            Role::Writes => made.push(vreg),
            Role::Reads => {}
        });
        for vreg in made {
            self.defined[vreg.index()] = Definition {
                block: self.block as u32,
                place,
                number: self.now,
                register: self.location[vreg.index()],
            };
            if self.distance(vreg) == NEVER {
                self.vacate(vreg);
            }
        }
        for file in &mut self.files {
            file.pinned = 0;
        }
        for vreg in std::mem::take(&mut self.dying) {
            self.slots.release(vreg, self.now);
        }
        // Values whose last use was from memory.
        inst.vregs(|vreg, role| {
            if role == Role::Reads && self.location[vreg.index()] == NOWHERE {
                self.uses_up(vreg);
            }
        });
    }

    fn uses_up(&mut self, vreg: Vreg) {
        if self.distance(vreg) == NEVER {
            self.slots.release(vreg, self.now);
        }
    }

    fn distance(&mut self, vreg: Vreg) -> u32 {
        self.uses.distance(vreg, self.now, self.block)
    }

    fn file(&self, class: Class) -> &File {
        &self.files[class as usize]
    }

    fn register(&self, class: Class, number: u8) -> Register {
        make::register(self.width, class, number)
    }

    fn occupy(&mut self, vreg: Vreg, number: u8) {
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        file.holds[usize::from(number - file.first)] = Some(vreg);
        self.location[vreg.index()] = number;
    }

    fn vacate(&mut self, vreg: Vreg) {
        let number = self.location[vreg.index()];
        if number == NOWHERE {
            return;
        }
        let file = &mut self.files[self.vregs.class(vreg) as usize];
        let place = usize::from(number - file.first);
        if file.holds[place] == Some(vreg) {
            file.holds[place] = None;
        }
        self.location[vreg.index()] = NOWHERE;
    }

    fn pin(&mut self, vreg: Vreg, number: u8) {
        self.files[self.vregs.class(vreg) as usize].pinned |= 1 << number;
    }

    /// A register for a value, another leaving if it has to.
    fn room(&mut self, vreg: Vreg) -> u8 {
        let class = self.vregs.class(vreg);
        let file = self.file(class);
        let free = (file.first..).zip(&file.holds).find(|(number, held)| {
            held.is_none() && file.pinned & (1 << number) == 0
        });
        let number = match free {
            Some((number, _)) => number,
            None => self.evict(class),
        };
        self.occupy(vreg, number);
        self.pin(vreg, number);
        number
    }

    /// Takes the register of the value that is used last. Operands of the instruction are pinned.
    fn evict(&mut self, class: Class) -> u8 {
        let file = self.file(class);
        let held: Vec<(u8, Vreg)> = (file.first..)
            .zip(&file.holds)
            .filter(|(number, _)| file.pinned & (1 << number) == 0)
            .filter_map(|(number, held)| Some((number, (*held)?)))
            .collect();
        let farthest = held.into_iter().max_by_key(|&(number, vreg)| {
            let distance = self.distance(vreg);
            let is_in_memory = self.vregs.home(vreg).is_some() || self.slots.has(vreg);
            let more = if is_in_memory { IN_MEMORY } else { 0 };
            (distance.saturating_add(more), number)
        });
        let (number, vreg) = farthest.expect("an instruction does not need all registers");
        self.vacate(vreg);
        self.to_memory(vreg);
        number
    }

    /// Sees to it that a value is in memory from where it is computed on.
    pub(super) fn to_memory(&mut self, vreg: Vreg) {
        if self.vregs.home(vreg).is_some() || self.slots.has(vreg) {
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

    /// The register of a value, which is loaded if it is in memory.
    fn in_register(&mut self, vreg: Vreg) -> u8 {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            return number;
        }
        let home = self.home(vreg);
        let number = self.room(vreg);
        let class = self.vregs.class(vreg);
        let load = make::load(self.width, class, number, home);
        self.out.push(Out::Inst(load));
        number
    }

    /// Where a value that is in no register is in memory.
    pub(super) fn home(&self, vreg: Vreg) -> Home {
        let home = self.vregs.home(vreg).or_else(|| self.slots.get(vreg));
        home.unwrap_or_else(|| panic!("v{} is nowhere", vreg.0))
    }

    /// The place of an operand that may be in memory.
    fn anywhere(&mut self, vreg: Vreg, of_a_word: bool) -> Place {
        let number = self.location[vreg.index()];
        if number != NOWHERE {
            self.pin(vreg, number);
            return Place::Register(number);
        }
        let home = self.home(vreg);
        let again = self.distance(vreg) <= SOON;
        let is_free = self.file(Class::Vector).free() > 2;
        if home.holds == Holds::Word && !of_a_word || again && is_free {
            let number = self.in_register(vreg);
            self.pin(vreg, number);
            return Place::Register(number);
        }
        Place::Memory(home)
    }

    /// A product and a sum: in the register of an operand that is not used again, at most one operand
    /// in memory.
    fn fma(&mut self, fma: &Fma) {
        let [a, b, c] = fma.of;
        for of in fma.of {
            let number = self.location[of.index()];
            if number != NOWHERE {
                self.pin(of, number);
            }
        }
        let mut memory = None;
        for of in [c, b, a] {
            if self.location[of.index()] == NOWHERE {
                let again = self.distance(of) <= SOON && self.file(Class::Vector).free() > 2;
                let once = fma.of.iter().filter(|it| **it == of).count() == 1;
                if memory.is_none() && once && !again {
                    memory = Some(of);
                } else if memory != Some(of) {
                    let number = self.in_register(of);
                    self.pin(of, number);
                }
            }
        }
        let dies = [c, a, b].into_iter().find(|&of| {
            Some(of) != memory && self.distance(of) == NEVER && self.location[of.index()] != NOWHERE
        });
        let mut places = fma.of.map(|of| {
            if Some(of) == memory {
                Place::Memory(self.home(of))
            } else {
                Place::Register(self.location[of.index()])
            }
        });
        let (tied, into) = match dies {
            Some(of) => {
                let tied = fma.of.iter().position(|&it| it == of).expect("it is one");
                let into = self.location[of.index()];
                self.vacate(of);
                self.occupy(fma.result, into);
                self.pin(fma.result, into);
                self.dying.push(of);
                (tied, into)
            }
            None => self.fma_fresh(fma, memory, &mut places),
        };
        for of in fma.of {
            if self.location[of.index()] != NOWHERE && self.distance(of) == NEVER {
                self.die(of);
            }
        }
        let made = make::fma(self.width, fma, tied, into, places);
        self.out.push(Out::Inst(made));
    }

    /// The same if all operands are used again: into a copy of one, or into what is loaded.
    fn fma_fresh(
        &mut self,
        fma: &Fma,
        memory: Option<Vreg>,
        places: &mut [Place; 3],
    ) -> (usize, u8) {
        let into = self.room(fma.result);
        let tied = fma.of.iter().position(|&of| Some(of) == memory).unwrap_or(2);
        let first = match places[tied] {
            Place::Memory(home) => make::load(self.width, Class::Vector, into, home),
            Place::Register(number) => make::copy(self.width, Class::Vector, into, number),
        };
        self.out.push(Out::Inst(first));
        for (place, of) in places.iter_mut().zip(fma.of) {
            if Some(of) == memory {
                *place = Place::Register(into);
            }
        }
        places[tied] = Place::Register(into);
        (tied, into)
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

/// Where the operands of an instruction are.
#[derive(Default)]
pub(super) struct Found {
    places: Vec<(Vreg, Place)>,
    results: Vec<Vreg>,
}

impl Found {
    fn put(&mut self, vreg: Vreg, place: Place) {
        self.places.push((vreg, place));
    }

    /// A result takes an operand's register.
    fn replace(&mut self, _old: Vreg, new: Vreg, number: u8) {
        self.results.push(new);
        self.put(new, Place::Register(number));
    }

    /// Where a virtual register is.
    pub(super) fn get(&self, vreg: Vreg) -> Place {
        let found = self.places.iter().find(|(it, _)| *it == vreg);
        found.expect("every operand has a place").1
    }
}

/// Memory of a [`Home`].
pub(super) fn memory(home: Home) -> Mem {
    match home.holds {
        Holds::Word => Mem::word(home.base, home.displacement),
        Holds::Vector | Holds::Bits => Mem::at(home.base, home.displacement),
    }
}
