//! Which values of a block are in registers, and which wait in memory: the decisions. The emitter that
//! asks for them stores, loads, and owns the frame.
//!
//! Code with several quads side by side has more values than there are registers, and so has long
//! code. Within a block it is known when each is used next, and the best choice is known too: the
//! value that is not used for longest makes room (L. A. Belady, "A study of replacement algorithms for
//! a virtual-storage computer", 1966). A code generator with a general register allocator has
//! little left to move in this form: it takes less time and finds better places.
//!
//! Values that several blocks use are not decided about. In long code these are few: blocks leave the
//! others in variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::plan::Plan;
use crate::ir::{Function, Terminator, Value};

/// Registers that no value keeps: for what instructions need in between.
const SPARE: usize = 2;

/// A value of one of the iteration's quads.
type OfQuad = (Value, usize);

/// A node's place in the block, and the quad that it is computed for, from 1; 0 before the first.
type Moment = (usize, usize);

/// A place in the frame for a value that is not in a register, by its number. Numbers are given out
/// from 0 on, and again when a place is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SpillSlot(pub(crate) usize);

/// A value that gives up its register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaving {
    /// The value.
    pub(crate) value: Value,
    /// The quad of the iteration.
    pub(crate) quad: usize,
    /// The place to store it to. `None`: it is in memory already.
    pub(crate) store: Option<SpillSlot>,
}

/// A value to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reload {
    /// Its place.
    pub(crate) slot: SpillSlot,
    /// Whether it is used again: then it [takes a register](Registers::reside).
    pub(crate) stays: bool,
}

/// The values of a block, while it is emitted.
pub(crate) struct Registers {
    /// How many values fit.
    room: usize,
    /// Registers left while the current node holds its table operands.
    free: usize,
    now: Moment,
    /// Where in its block each value is used; the block's end counts as one more node.
    uses: Vec<Vec<usize>>,
    /// The values that are decided about: those that nothing but their own block uses.
    decided: Vec<bool>,
    /// The values in registers. Some may not be needed any more.
    resident: Vec<OfQuad>,
    /// Where values are that have been in memory.
    slots: FxHashMap<OfQuad, SpillSlot>,
    /// Slots of values that are not needed any more.
    empty: Vec<SpillSlot>,
    /// How many slots there are.
    slot_count: usize,
}

impl Registers {
    /// For a function and a machine with so many vector registers. Uses of absorbed negations are
    /// uses of what is negated. The values of the run and those of a span are computed in blocks of
    /// their own; what quads use of them is in the table.
    pub(crate) fn new(function: &Function, plan: &Plan, registers: usize) -> Registers {
        let absorbed = &plan.absorbed;
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
        for value in plan.places.keys() {
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
            slot_count: 0,
        }
    }

    /// From here on another block is emitted.
    pub(crate) fn begin_block(&mut self) {
        self.resident.clear();
        let slots = self.slots.drain().map(|(_, slot)| slot);
        self.empty.extend(slots);
    }

    /// Begins the block's end, after `nodes` nodes.
    pub(crate) fn begin_end(&mut self, nodes: usize) {
        self.free = self.room;
        self.now = (nodes, 0);
    }

    /// From here on `value`, which is node number `place` of the block, is computed. Returns the values
    /// that leave.
    pub(crate) fn begin_node(
        &mut self,
        function: &Function,
        place: usize,
        value: Value,
    ) -> Vec<Leaving> {
        let mut loaded = Vec::new();
        for &operand in &*function.node(value).operands {
            if !self.decided[operand.0 as usize] && !loaded.contains(&operand) {
                loaded.push(operand);
            }
        }
        self.free = self.room.saturating_sub(loaded.len());
        self.now = (place, 0);
        self.make_room(0)
    }

    /// From here on it is computed for this quad of the iteration.
    pub(crate) fn begin_quad(&mut self, quad: usize) {
        self.now.1 = quad + 1;
    }

    /// Takes note of a value in a register. Returns the values that leave for it.
    pub(crate) fn reside(&mut self, value: Value, quad: usize) -> Vec<Leaving> {
        if !self.decided[value.0 as usize] {
            return Vec::new();
        }
        let leaving = self.make_room(1);
        self.resident.push((value, quad));
        leaving
    }

    /// The place of a value that is about to be used and is in no register.
    pub(crate) fn reload(&mut self, value: Value, quad: usize) -> Option<Reload> {
        let slot = *self.slots.get(&(value, quad))?;
        let stays = self.next_use((value, quad)).is_some();
        if !stays {
            self.slots.remove(&(value, quad));
            self.empty.push(slot);
        }
        Some(Reload { slot, stays })
    }

    /// Takes values away until there is room for `more`. Values that have been in memory before are
    /// still there.
    fn make_room(&mut self, more: usize) -> Vec<Leaving> {
        let leaving = self.leave(more).into_iter();
        let with_slot = leaving.map(|(value, quad)| {
            let store = match self.slots.get(&(value, quad)) {
                Some(_) => None,
                None => Some(self.new_slot((value, quad))),
            };
            Leaving { value, quad, store }
        });
        with_slot.collect()
    }

    fn new_slot(&mut self, value: OfQuad) -> SpillSlot {
        let slot = self.empty.pop().unwrap_or_else(|| {
            self.slot_count += 1;
            SpillSlot(self.slot_count - 1)
        });
        self.slots.insert(value, slot);
        slot
    }

    /// When a value is used after the moment.
    fn next_use(&self, (value, quad): OfQuad) -> Option<Moment> {
        let uses = &self.uses[value.0 as usize];
        let past = uses.partition_point(|&place| (place, quad + 1) <= self.now);
        uses.get(past).map(|&place| (place, quad + 1))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::Maker;
    use crate::ir::{Binary, Op, Type};
    use crate::target::VectorTarget;

    /// `count` inputs, then the sum of all, the last first.
    fn sum(count: u8) -> Function {
        let mut maker = Maker::new();
        let inputs: Vec<_> = (0..count).map(|reg| maker.input(reg, Type::F32)).collect();
        let sums = inputs.into_iter().rev();
        sums.reduce(|sum, next| maker.push(Op::Binary(Binary::Fadd), [sum, next]));
        maker.function
    }

    fn registers(count: u8) -> Registers {
        let function = sum(count);
        let plan = Plan::new(&function, &VectorTarget::AVX2);
        Registers::new(&function, &plan, SPARE + 3)
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

    /// A straight-line function of `nodes` loads and sums of arbitrary earlier values.
    fn arbitrary(seed: u32, nodes: usize) -> Function {
        let mut state = seed;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % limit
        };
        let mut maker = Maker::new();
        let mut values = vec![maker.input(0, Type::F32)];
        for n in 1..nodes {
            let [a, b] = [below(values.len()), below(values.len())].map(|n| values[n]);
            values.push(match below(4) {
                0 => maker.input(n as u8 % 16, Type::F32),
                _ => maker.push(Op::Binary(Binary::Fadd), [a, b]),
            });
        }
        maker.output(0, values[nodes - 1]);
        maker.function
    }

    /// An emitter that does as it is told, with names of values in place of vectors.
    struct Obedient {
        registers: Registers,
        computed: Vec<OfQuad>,
        frame: Vec<OfQuad>,
        stores: usize,
    }

    impl Obedient {
        fn store(&mut self, leaving: Vec<Leaving>) {
            for Leaving { value, quad, store } in leaving {
                let place = self.computed.iter().position(|&it| it == (value, quad));
                self.computed
                    .swap_remove(place.expect("it is in a register"));
                let Some(SpillSlot(slot)) = store else {
                    assert!(self.frame.contains(&(value, quad)), "it is in memory");
                    continue;
                };
                if slot == self.frame.len() {
                    self.frame.push((value, quad));
                }
                self.frame[slot] = (value, quad);
                self.stores += 1;
            }
        }

        fn reside(&mut self, value: Value, quad: usize) {
            self.computed.push((value, quad));
            let leaving = self.registers.reside(value, quad);
            self.store(leaving);
            let Registers { resident, room, .. } = &self.registers;
            assert!(resident.len() <= *room, "{} registers", resident.len());
        }

        fn read(&mut self, value: Value, quad: usize) {
            if self.computed.contains(&(value, quad)) {
                return;
            }
            let reload = self.registers.reload(value, quad);
            let Reload { slot, stays } = reload.expect("it is somewhere");
            assert_eq!(self.frame[slot.0], (value, quad));
            if stays {
                self.reside(value, quad);
            } else {
                self.computed.push((value, quad));
            }
        }

        fn emit(&mut self, function: &Function, quads: usize) {
            for (place, &value) in function.blocks[0].body.iter().enumerate() {
                let leaving = self.registers.begin_node(function, place, value);
                self.store(leaving);
                for quad in 0..quads {
                    self.registers.begin_quad(quad);
                    let operands = function.node(value).operands;
                    operands
                        .iter()
                        .for_each(|&operand| self.read(operand, quad));
                    if function.node(value).ty != Type::None {
                        self.reside(value, quad);
                    }
                }
            }
        }
    }

    #[test]
    fn every_operand_is_in_a_register_or_in_the_slot_that_is_named() {
        let mut stores = 0;
        for seed in 0..60 {
            let function = arbitrary(seed, 20 + 3 * seed as usize);
            let plan = Plan::new(&function, &VectorTarget::AVX2);
            for (registers, quads) in [(6, 1), (16, 1), (16, 3)] {
                let mut emitter = Obedient {
                    registers: Registers::new(&function, &plan, registers),
                    computed: Vec::new(),
                    frame: Vec::new(),
                    stores: 0,
                };
                emitter.emit(&function, quads);
                stores += emitter.stores;
            }
        }
        assert!(stores > 1000, "{stores} values left their registers");
    }
}
