//! Checks that a function is well formed. Run in debug builds after the passes, by tests after each.

use std::ops::Range;

use super::print::Names;
use super::{Block, Edge, Function, Op, Rate, Terminator, Type, Value, Variable};

impl Function {
    /// Panics with the function's text if it breaks a rule of lane IR.
    pub(crate) fn verify(&self) {
        if let Err(problem) = self.check() {
            panic!("{problem} in\n{self}");
        }
    }

    /// The first rule of lane IR that the function breaks.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut defined = Defined::new(self.nodes.len());
        for &value in &self.uniform {
            if self.node(value).rate != Rate::Uniform {
                return Err(format!("{} is not uniform", self.name(value)));
            }
            self.check_node(value, &defined)?;
            defined.add(value);
        }
        for &value in &self.row {
            if self.node(value).rate != Rate::Row {
                return Err(format!("{} is not the same along rows", self.name(value)));
            }
            self.check_node(value, &defined)?;
            defined.add(value);
        }
        defined.tree = Tree::new(&self.dominators())?;
        for (index, block) in self.blocks.iter().enumerate() {
            defined.block = Some(index);
            block.params.iter().for_each(|&param| defined.add(param));
            for &value in &block.body {
                self.check_node(value, &defined)?;
                defined.add(value);
            }
            self.check_end(&block.end, &defined)?;
        }
        self.check_variables(&defined.tree)
    }

    /// The immediate dominator of every block but the entry and those nothing leads to.
    ///
    /// Blocks stand after their dominators, so one ascending pass finds the nearest common
    /// dominator of the forward edges; a loop's back edge comes from a block that its head
    /// dominates and cannot change it.
    fn dominators(&self) -> Vec<Option<usize>> {
        let mut dominators: Vec<Option<usize>> = vec![None; self.blocks.len()];
        let mut reached = vec![false; self.blocks.len()];
        reached[0] = true;
        for index in 0..self.blocks.len() {
            for target in self.blocks[index].end.targets() {
                let to = target.block.0 as usize;
                if to <= index || to >= self.blocks.len() || !reached[index] {
                    continue;
                }
                let mut common = index;
                if let Some(mut other) = dominators[to] {
                    while common != other {
                        if common > other {
                            common = dominators[common].unwrap_or(0);
                        } else {
                            other = dominators[other].unwrap_or(0);
                        }
                    }
                }
                dominators[to] = Some(common);
                reached[to] = true;
            }
        }
        dominators
    }

    /// The value's name in the function's text; that of its operation if it is no result.
    fn name(&self, value: Value) -> String {
        let node = self.nodes.get(value.0 as usize);
        match node.filter(|node| node.ty == Type::None) {
            Some(node) => format!("`{}`", node.op.row().name),
            None => Names::of(self).name(value),
        }
    }

    /// A variable has one type, and the first block that keeps it dominates all others that keep or
    /// recall it, so that something is there. A block keeps each at most once, and recalls it before.
    fn check_variables(&self, tree: &Tree) -> Result<(), String> {
        let mut known: Vec<Option<Kept>> = vec![None; self.variables()];
        for (index, block) in self.blocks.iter().enumerate() {
            for &value in &block.body {
                let node = self.node(value);
                if let (Some(variable), &[value]) = (node.op.keeps(), &*node.operands) {
                    let kept = known[usize::from(variable.0)].get_or_insert(Kept {
                        ty: self.node(value).ty,
                        first: index,
                        last: None,
                    });
                    kept.check(variable, self.node(value).ty, index, tree)?;
                    kept.last = Some(index);
                }
                if let Some(variable) = node.op.recalls() {
                    let kept = known.get(usize::from(variable.0)).copied().flatten();
                    let kept = kept.ok_or_else(|| nothing(variable, index))?;
                    kept.check(variable, node.ty, index, tree)?;
                }
            }
        }
        Ok(())
    }

    fn check_node(&self, value: Value, defined: &Defined) -> Result<(), String> {
        let node = self.node(value);
        for &operand in &*node.operands {
            if !defined.has(operand) {
                let (value, operand) = (self.name(value), self.name(operand));
                return Err(format!("{value} uses {operand} before it is computed"));
            }
        }
        self.check_types(value)
            .map_err(|problem| format!("{}: {problem}", self.name(value)))
    }

    /// Checks a node whose operands are there.
    pub(super) fn check_types(&self, value: Value) -> Result<(), String> {
        let node = self.node(value);
        let name = node.op.row().name;
        if let Op::Shift(_, bits) = node.op
            && bits >= 32
        {
            return Err(format!("`{name}` takes up to 31 bits, not {bits}"));
        }
        if let Op::LoadPixels(pixels) | Op::StorePixels(pixels) = node.op
            && !matches!(pixels.bytes, 1 | 4 | 8 | 16)
        {
            return Err(format!(
                "a pixel has 1, 4, 8 or 16 bytes, not {}",
                pixels.bytes
            ));
        }
        if let Op::Gather(_, storage, word, _) = node.op
            && word.index() >= storage.words()
        {
            return Err(format!("no texel of {storage:?} has a word {word:?}"));
        }
        if node.op.scratch().is_some_and(|array| array.size == 0) {
            return Err(format!("`{name}` needs an array that has vectors"));
        }
        if !self.takes(&node.op, &node.operands) {
            let types = node.operands.iter().map(|&v| self.node(v).ty.to_string());
            let types = types.collect::<Vec<_>>().join(", ");
            return Err(format!("`{name}` does not take ({types})"));
        }
        let is_right = match self.result_type(&node.op, &node.operands) {
            Some(ty) => node.ty == ty,
            None if matches!(node.op, Op::Extract(_)) => false,
            None => !matches!(node.ty, Type::None | Type::Several),
        };
        if !is_right {
            return Err(format!("`{name}` does not give {}", node.ty));
        }
        if node.rate < self.rate(&node.op, &node.operands) {
            return Err(format!("`{name}` changes from quad to quad, or along rows"));
        }
        if node.alike && !self.is_alike(&node.op, &node.operands, node.ty, node.rate) {
            return Err(format!("`{name}` may differ from lane to lane"));
        }
        Ok(())
    }

    fn check_end(&self, end: &Terminator, defined: &Defined) -> Result<(), String> {
        if let Terminator::Any { mask, .. } = end
            && (self.node(*mask).ty != Type::Mask || !defined.has(*mask))
        {
            return Err(format!("a branch tests {}", self.name(*mask)));
        }
        end.targets()
            .try_for_each(|target| self.check_target(target, defined))
    }

    fn check_target(&self, target: &Edge, defined: &Defined) -> Result<(), String> {
        let Some(block) = self.blocks.get(target.block.0 as usize) else {
            return Err(format!("there is no {}", target.block));
        };
        if target.block == Block(0) || block.params.len() != target.args.len() {
            return Err(format!("wrong arguments for {}", target.block));
        }
        for (&param, &arg) in block.params.iter().zip(&target.args) {
            if self.node(param).ty != self.node(arg).ty || !defined.has(arg) {
                let (arg, param) = (self.name(arg), self.name(param));
                return Err(format!("{arg} cannot be {param} of {}", target.block));
            }
        }
        Ok(())
    }
}

/// A variable that has been kept.
#[derive(Clone, Copy)]
struct Kept {
    ty: Type,
    /// The first block that keeps it.
    first: usize,
    /// The last so far.
    last: Option<usize>,
}

impl Kept {
    /// Checks that the variable may be kept or recalled as `ty` in block number `block`.
    fn check(&self, variable: Variable, ty: Type, block: usize, tree: &Tree) -> Result<(), String> {
        if self.last == Some(block) {
            let block = Block(block as u32);
            return Err(format!("{block} has kept {variable} already"));
        }
        if !tree.has(self.first, block) {
            return Err(nothing(variable, block));
        }
        if self.ty != ty {
            return Err(format!("{variable} is {}, not {ty}", self.ty));
        }
        Ok(())
    }
}

/// The complaint about a variable that need not have been kept before a block.
fn nothing(variable: Variable, block: usize) -> String {
    let block = Block(block as u32);
    format!("{variable} may hold nothing in {block}")
}

/// The values that are computed so far, as the current block sees them.
struct Defined {
    /// Where each value is computed; `Some(None)` is before all blocks.
    home: Vec<Option<Option<usize>>>,
    tree: Tree,
    block: Option<usize>,
}

impl Defined {
    fn new(values: usize) -> Defined {
        Defined {
            home: vec![None; values],
            tree: Tree::default(),
            block: None,
        }
    }

    fn add(&mut self, value: Value) {
        self.home[value.0 as usize] = Some(self.block);
    }

    fn has(&self, value: Value) -> bool {
        match (self.home.get(value.0 as usize), self.block) {
            (None | Some(None), _) => false,
            (Some(Some(None)), _) => true,
            (Some(&Some(Some(home))), block) => {
                block.is_some_and(|block| self.tree.has(home, block))
            }
        }
    }
}

/// The blocks, each below its immediate dominator: the numbers of those that it dominates in a walk
/// through the tree.
#[derive(Default)]
struct Tree(Vec<Range<usize>>);

impl Tree {
    fn new(dominators: &[Option<usize>]) -> Result<Tree, String> {
        let mut below = vec![Vec::new(); dominators.len()];
        for (index, dominator) in dominators.iter().enumerate().skip(1) {
            match dominator {
                Some(dominator) => below[*dominator].push(index),
                None => {
                    let block = Block(index as u32);
                    return Err(format!("{block} stands before its dominator"));
                }
            }
        }
        let mut ranges = vec![0..0; dominators.len()];
        let mut walked = 0;
        let mut stack = vec![(0, false)];
        while let Some((index, done)) = stack.pop() {
            if done {
                ranges[index].end = walked;
            } else {
                ranges[index].start = walked;
                walked += 1;
                stack.push((index, true));
                stack.extend(below[index].iter().map(|&index| (index, false)));
            }
        }
        Ok(Tree(ranges))
    }

    /// Whether the first block dominates the second.
    fn has(&self, dominator: usize, block: usize) -> bool {
        self.0[dominator].contains(&self.0[block].start)
    }
}
