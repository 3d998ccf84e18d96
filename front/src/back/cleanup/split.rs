//! Gives each independent value of a temporary or predicate its own number.
//!
//! Where an instruction writes a value and none of its older components is read later, a new value
//! begins. Values that reach the same block under one old name become one again.

use super::super::Language;
use super::super::code::{Code, Exit};
use super::super::liveness::{Liveness, Needed};
use super::super::step::{Place, Step};

pub(super) fn split<L: Language>(code: &mut Code<L>) {
    let liveness = Liveness::new(code);
    let begins = beginnings(code, &liveness);
    let mut names = Names::new(code, &liveness);
    let mut begins = begins.into_iter();
    let count = code.blocks.len();
    for index in 0..count {
        names.enter(index, &liveness);
        let block = &mut code.blocks[index];
        for step in &mut block.steps {
            names.rename(step, begins.next().unwrap_or(false));
        }
        if let Exit::Jump {
            condition: Some(condition),
            ..
        } = &mut block.exit
        {
            condition.predicate = names.of[condition.predicate];
        }
        for next in code.successors(index).filter(|next| *next < count) {
            names.leave_to(next, &liveness);
        }
    }
    code.values = names.count;
    if count > 1 {
        names.unite(code);
    }
}

/// Whether each instruction begins a value.
fn beginnings<L: Language>(code: &Code<L>, liveness: &Liveness<L>) -> Vec<bool> {
    let mut needed = Needed::nothing(code);
    let mut all = Vec::with_capacity(code.steps().count());
    for (index, block) in code.blocks.iter().enumerate() {
        liveness.at_end(index, &mut needed);
        needed.exit(block);
        let first = all.len();
        for step in block.steps.iter().rev() {
            let mut begins = false;
            if let Some((value, mask)) = step.written_value() {
                needed.write_value(step, value, mask);
                begins =
                    needed.values[value].is_empty() && code.shared.binary_search(&value).is_err();
            }
            all.push(begins);
            needed.read_values(step, step.mask());
        }
        all[first..].reverse();
    }
    all
}

/// New numbers of values.
struct Names {
    /// The number of each old value at the current place.
    of: Vec<usize>,
    /// The number of numbers given out.
    count: usize,
    /// Numbers of the global values at the beginning of block 1, then of block 2, and so on.
    first_at_borders: usize,
    /// A smaller number of the same value for each number, or the number itself.
    same: Vec<usize>,
}

impl Names {
    fn new<L: Language>(code: &Code<L>, liveness: &Liveness<L>) -> Names {
        let borders = (code.blocks.len() - 1) * liveness.global.len();
        Names {
            of: (0..code.values).collect(),
            count: code.values + borders,
            first_at_borders: code.values,
            same: Vec::new(),
        }
    }

    /// The number of global value `place` at the beginning of a block that is not the first.
    fn at_border<L: Language>(&self, block: usize, place: usize, liveness: &Liveness<L>) -> usize {
        self.first_at_borders + (block - 1) * liveness.global.len() + place
    }

    fn enter<L: Language>(&mut self, block: usize, liveness: &Liveness<L>) {
        if block > 0 {
            for (place, value) in liveness.global.iter().enumerate() {
                self.of[*value] = self.at_border(block, place, liveness);
            }
        }
    }

    fn rename<L: Language>(&mut self, step: &mut Step<L>, begins: bool) {
        step.values_mut().for_each(|value| *value = self.of[*value]);
        if let Some((Place::Temp(value) | Place::Predicate(value), _)) = &mut step.result {
            if begins {
                self.of[*value] = self.count;
                self.count += 1;
            }
            *value = self.of[*value];
        }
    }

    /// Notes that the current values are those that are live at the beginning of block `next`.
    fn leave_to<L: Language>(&mut self, next: usize, liveness: &Liveness<L>) {
        let live = liveness.live_at_start(next).map(|(value, _)| value);
        let live: Vec<usize> = live.collect();
        let mut live = live.into_iter().peekable();
        for (place, value) in liveness.global.iter().enumerate() {
            if live.next_if_eq(value).is_none() {
                continue;
            }
            let there = match next {
                0 => *value,
                _ => self.at_border(next, place, liveness),
            };
            self.join(self.of[*value], there);
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let most = self.count.max(a + 1).max(b + 1);
        self.same.extend(self.same.len()..most);
        let (a, b) = (self.root(a), self.root(b));
        self.same[a.max(b)] = a.min(b);
    }

    fn root(&mut self, mut number: usize) -> usize {
        while let Some(&smaller) = self.same.get(number)
            && smaller != number
        {
            self.same[number] = self.same[smaller];
            number = smaller;
        }
        number
    }

    /// Gives joined numbers one number, and leaves out those that nobody uses.
    fn unite<L: Language>(&mut self, code: &mut Code<L>) {
        let mut used = vec![false; self.count];
        code.for_each_value(|value| {
            *value = self.root(*value);
            used[*value] = true;
        });
        let mut next = 0;
        let numbers = used.iter().map(|used| {
            next += usize::from(*used);
            next - usize::from(*used)
        });
        let numbers: Vec<usize> = numbers.collect();
        code.for_each_value(|value| *value = numbers[*value]);
        code.values = next;
    }
}
