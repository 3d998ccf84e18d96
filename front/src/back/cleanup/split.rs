//! Gives each independent value of a temporary or predicate its own number.
//!
//! Where an instruction writes a value and none of its older components is read later, a new value
//! begins. Values that reach the same block under one old name become one again.

use attila_isa::Remark;

use super::super::Language;
use super::super::code::{Code, Exit};
use super::super::liveness::{Liveness, Needed};
use super::super::step::{Place, Step};

/// # Errors
///
/// More values are needed at once than there are registers.
pub(super) fn split<L: Language>(code: &mut Code<L>) -> Result<(), Remark> {
    let liveness = Liveness::new(code)?;
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
        let next = code.successors(index).into_iter();
        for next in next.filter(|next| *next < count) {
            names.leave_to(next, &liveness);
        }
    }
    code.values = names.count;
    if count > 1 {
        names.unite(code);
    }
    Ok(())
}

/// Whether each instruction begins a value.
fn beginnings<L: Language>(code: &Code<L>, liveness: &Liveness<L>) -> Vec<bool> {
    let mut needed = Needed::nothing(code);
    let mut all = Vec::with_capacity(code.steps().count());
    for (index, block) in code.blocks.iter().enumerate() {
        liveness.at_end(code, index, &mut needed);
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
    /// The first of the numbers of values that are live at the beginning of each block. At that of the first block, values
    /// keep their own.
    at_borders: Vec<usize>,
    /// A smaller number of the same value for each number, or the number itself.
    same: Vec<usize>,
}

impl Names {
    fn new<L: Language>(code: &Code<L>, liveness: &Liveness<L>) -> Names {
        let mut count = code.values;
        let borders = (0..code.blocks.len()).map(|block| {
            let first = count;
            count += liveness.live_at_start(block).count();
            first
        });
        Names {
            of: (0..code.values).collect(),
            at_borders: borders.collect(),
            count,
            same: Vec::new(),
        }
    }

    /// The values that are live at the beginning of a block, and their numbers there.
    fn at_border<L: Language>(
        &self,
        block: usize,
        liveness: &Liveness<L>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let numbers = self.at_borders[block]..;
        let live = liveness.live_at_start(block).zip(numbers);
        live.map(move |((value, _), number)| (value, if block == 0 { value } else { number }))
    }

    fn enter<L: Language>(&mut self, block: usize, liveness: &Liveness<L>) {
        let live: Vec<(usize, usize)> = self.at_border(block, liveness).collect();
        for (value, number) in live {
            self.of[value] = number;
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
        let live: Vec<(usize, usize)> = self.at_border(next, liveness).collect();
        for (value, there) in live {
            self.join(self.of[value], there);
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
