//! Which values of a block are in registers, and which wait in memory.
//!
//! Code with several quads side by side has more values than there are registers, and so has long
//! code. Within a block it is known when each is used next, and the best choice is known too: the
//! value that is not used for longest makes room (L. A. Belady, "A study of replacement algorithms for
//! a virtual-storage computer", 1966). Code that is given to Cranelift in this form leaves its
//! register allocator, which is for code of any shape, little to move: it takes less time and finds
//! better places.
//!
//! Values that several blocks use are left to it altogether. In long code these are few: blocks leave
//! the others in variables.

use cranelift_codegen::ir::{self as clif, InstBuilder};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::memory::vector_type;
use super::shader::Emission;
use crate::ir::{Function, Terminator, Value};
use crate::runtime::Vector;

/// Registers that no value keeps: for what instructions need in between.
const SPARE: usize = 2;

/// A value of one of the iteration's quads.
type OfQuad = (Value, usize);

/// A node's place in the block, and the quad that it is computed for, from 1; 0 before the first.
type Moment = (usize, usize);

/// The values of a block, while it is emitted.
pub(super) struct Registers {
    /// How many values fit.
    room: usize,
    /// The same while the node at hand has what it loads from tables in others.
    free: usize,
    now: Moment,
    /// Where in its block each value is used; the block's end is behind its last node.
    uses: Vec<Vec<usize>>,
    /// The values that are decided about: those that nothing but their own block uses.
    decided: Vec<bool>,
    /// The values in registers. Some may not be needed any more.
    resident: Vec<OfQuad>,
    /// Where values are that have been in memory.
    slots: FxHashMap<OfQuad, clif::StackSlot>,
    /// Slots of values that are not needed any more.
    empty: Vec<clif::StackSlot>,
}

impl Registers {
    /// For a function and a machine with so many vector registers. Uses of `absorbed` negations are
    /// uses of what is negated. The values of the run and those of a span are computed in blocks of
    /// their own; what quads use of them is in the table, that is, in `places`.
    pub(super) fn new(
        function: &Function,
        absorbed: &FxHashMap<Value, Value>,
        places: &FxHashMap<Value, usize>,
        registers: usize,
    ) -> Registers {
        let prologues = [&function.uniform, &function.row].map(|nodes| (nodes, None));
        let blocks = function.blocks.iter();
        let blocks = blocks.map(|block| (&block.body, Some(&block.end)));
        let lists: Vec<_> = prologues.into_iter().chain(blocks).collect();
        let mut home = vec![usize::MAX; function.nodes.len()];
        for (index, (nodes, _)) in lists.iter().enumerate() {
            nodes
                .iter()
                .for_each(|value| home[value.0 as usize] = index);
        }
        let mut uses = vec![Vec::new(); function.nodes.len()];
        let mut decided: Vec<bool> = home.iter().map(|&list| list != usize::MAX).collect();
        for (index, (nodes, end)) in lists.into_iter().enumerate() {
            let mut note = |used: Value, place: usize| {
                let used = absorbed.get(&used).copied().unwrap_or(used);
                uses[used.0 as usize].push(place);
                decided[used.0 as usize] &= home[used.0 as usize] == index;
            };
            let computed = nodes.iter().enumerate();
            for (place, value) in computed.filter(|(_, value)| !absorbed.contains_key(value)) {
                let operands = function.node(*value).operands;
                operands.iter().for_each(|&operand| note(operand, place));
            }
            let end = end.into_iter().flat_map(Terminator::values);
            end.for_each(|used| note(used, nodes.len()));
        }
        for value in places.keys() {
            decided[value.0 as usize] = false;
        }
        Registers {
            room: registers - SPARE,
            free: registers - SPARE,
            now: (0, 0),
            uses,
            decided,
            resident: Vec::new(),
            slots: FxHashMap::default(),
            empty: Vec::new(),
        }
    }

    /// When a value is used after the moment.
    fn next_use(&self, (value, copy): OfQuad) -> Option<Moment> {
        let uses = &self.uses[value.0 as usize];
        let past = uses.partition_point(|&place| (place, copy + 1) <= self.now);
        uses.get(past).map(|&place| (place, copy + 1))
    }

    /// Takes values away until there is room for `more`, and returns those that are still needed.
    fn leave(&mut self, more: usize) -> Vec<OfQuad> {
        if self.resident.len() + more <= self.free {
            return Vec::new();
        }
        let resident = std::mem::take(&mut self.resident);
        let mut needed: SmallVec<[(Moment, OfQuad); 32]> = SmallVec::new();
        for value in resident {
            match self.next_use(value) {
                Some(next) => needed.push((next, value)),
                None => self.empty.extend(self.slots.remove(&value)),
            }
        }
        let mut leaving = Vec::new();
        while needed.len() + more > self.free
            && let Some(last) = (0..needed.len()).max_by_key(|&place| needed[place].0)
        {
            leaving.push(needed.swap_remove(last).1);
        }
        self.resident = needed.into_iter().map(|(_, value)| value).collect();
        leaving
    }
}

impl Emission<'_, '_> {
    /// From here on it is decided here which values are in registers.
    pub(super) fn choose_registers(&mut self) {
        let registers = self.native.vectors.registers;
        let registers = Registers::new(self.function, &self.absorbed, &self.places, registers);
        self.registers = Some(registers);
    }

    /// From here on another block is emitted.
    pub(super) fn begin_block(&mut self) {
        if let Some(registers) = &mut self.registers {
            registers.resident.clear();
            let slots = registers.slots.drain().map(|(_, slot)| slot);
            registers.empty.extend(slots);
        }
    }

    /// From here on the block's end is emitted, behind as many nodes.
    pub(super) fn begin_end(&mut self, nodes: usize) {
        if let Some(registers) = &mut self.registers {
            registers.free = registers.room;
            registers.now = (nodes, 0);
        }
    }

    /// From here on `value`, which is node number `place` of the block, is computed.
    pub(super) fn begin_node(&mut self, place: usize, value: Value) {
        let function = self.function;
        let Some(registers) = &mut self.registers else {
            return;
        };
        let mut loaded = Vec::new();
        for &operand in &*function.node(value).operands {
            if !registers.decided[operand.0 as usize] && !loaded.contains(&operand) {
                loaded.push(operand);
            }
        }
        registers.free = registers.room.saturating_sub(loaded.len());
        registers.now = (place, 0);
        self.make_room(0);
    }

    /// From here on it is computed for this quad of the iteration.
    pub(super) fn begin_quad(&mut self, copy: usize) {
        if let Some(registers) = &mut self.registers {
            registers.now.1 = copy + 1;
        }
    }

    /// Takes note of a value in a register.
    pub(super) fn reside(&mut self, value: Value, copy: usize) {
        let decided = |registers: &Registers| registers.decided[value.0 as usize];
        if !self.registers.as_ref().is_some_and(decided) {
            return;
        }
        self.make_room(1);
        if let Some(registers) = &mut self.registers {
            registers.resident.push((value, copy));
        }
    }

    /// Reads a value that is in memory.
    pub(super) fn restore(&mut self, value: Value, copy: usize) -> Option<clif::Value> {
        let registers = self.registers.as_mut()?;
        let slot = *registers.slots.get(&(value, copy))?;
        let is_last = registers.next_use((value, copy)).is_none();
        if is_last {
            registers.slots.remove(&(value, copy));
            registers.empty.push(slot);
        }
        let ty = vector_type(self.function.node(value).ty);
        let pointer = self.pointer;
        let loaded = self.ins().stack_load(pointer, ty, slot, 0);
        *self.computed(value, copy) = Some(loaded);
        if !is_last {
            self.reside(value, copy);
        }
        Some(loaded)
    }

    /// Writes values to memory until there is room for `more`. Those that have been there before
    /// still are.
    fn make_room(&mut self, more: usize) {
        let Some(mut registers) = self.registers.take() else {
            return;
        };
        for (value, copy) in registers.leave(more) {
            let computed = self.computed(value, copy).take();
            if registers.slots.contains_key(&(value, copy)) {
                continue;
            }
            let computed = computed.expect("it was in a register");
            let new = || self.stack_slot(Vector::SIZE);
            let slot = registers.empty.pop().unwrap_or_else(new);
            registers.slots.insert((value, copy), slot);
            let pointer = self.pointer;
            self.ins().stack_store(pointer, computed, slot, 0);
        }
        self.registers = Some(registers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::Maker;
    use crate::ir::{Binary, Op, Type};

    /// `count` inputs, then the sum of all, the last first.
    fn sum(count: u8) -> Function {
        let mut maker = Maker::new();
        let inputs: Vec<_> = (0..count).map(|reg| maker.input(reg, Type::F32)).collect();
        let sums = inputs.into_iter().rev();
        sums.reduce(|sum, next| maker.push(Op::Binary(Binary::Fadd), [sum, next]));
        maker.function
    }

    fn registers(count: u8) -> Registers {
        Registers::new(
            &sum(count),
            &FxHashMap::default(),
            &FxHashMap::default(),
            SPARE + 3,
        )
    }

    fn of_quad(value: u32) -> OfQuad {
        (Value(value), 0)
    }

    #[test]
    fn the_value_that_is_used_last_makes_room() {
        let mut registers = registers(4);
        registers.resident = vec![of_quad(1), of_quad(0), of_quad(2)];
        assert_eq!(registers.leave(0), []);
        assert_eq!(registers.leave(1), [of_quad(0)]);
        assert_eq!(registers.leave(2), [of_quad(1)]);
    }

    #[test]
    fn what_is_not_used_any_more_makes_room_first() {
        let mut registers = registers(4);
        registers.resident = vec![of_quad(3), of_quad(0), of_quad(1)];
        // The sums are nodes 4 to 6; the first takes inputs 3 and 2.
        registers.now = (4, 1);
        assert_eq!(registers.leave(1), []);
        assert_eq!(registers.resident, [of_quad(0), of_quad(1)]);
    }

    #[test]
    fn the_same_node_is_later_for_later_quads() {
        let mut registers = registers(2);
        registers.now = (2, 1);
        assert_eq!(registers.next_use((Value(0), 0)), None);
        assert_eq!(registers.next_use((Value(0), 1)), Some((2, 2)));
    }
}
