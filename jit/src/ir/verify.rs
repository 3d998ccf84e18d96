//! Checks that a function is well formed. Run in debug builds after the passes, by tests after each.

use super::print::Names;
use super::{Block, Edge, Function, Op, Rate, Terminator, Type, Value};

impl Function {
    /// Panics with the function's text if it breaks a rule of lane IR.
    pub(crate) fn verify(&self) {
        if let Err(problem) = self.check() {
            panic!("{problem} in\n{self}");
        }
    }

    /// The first rule of lane IR that the function breaks.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut defined = vec![false; self.nodes.len()];
        for &value in &self.uniform {
            if self.node(value).rate != Rate::Uniform {
                return Err(format!("{} is not uniform", self.name(value)));
            }
            self.check_node(value, &defined)?;
            defined[value.0 as usize] = true;
        }
        for &value in &self.row {
            if self.node(value).rate != Rate::Row {
                return Err(format!("{} is not the same along rows", self.name(value)));
            }
            self.check_node(value, &defined)?;
            defined[value.0 as usize] = true;
        }
        let dominators = self.dominators();
        // What each block leaves defined, to be taken up by the blocks that it dominates.
        let mut leaves: Vec<Vec<bool>> = Vec::with_capacity(self.blocks.len());
        for (index, block) in self.blocks.iter().enumerate() {
            let mut defined = match dominators[index] {
                Some(dominator) => leaves[dominator].clone(),
                None if index == 0 => defined.clone(),
                None => {
                    return Err(format!(
                        "{} stands before its dominator",
                        Block(index as u32)
                    ));
                }
            };
            for &param in &block.params {
                defined[param.0 as usize] = true;
            }
            for &value in &block.body {
                self.check_node(value, &defined)?;
                defined[value.0 as usize] = true;
            }
            self.check_end(&block.end, &defined)?;
            leaves.push(defined);
        }
        Ok(())
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

    fn check_node(&self, value: Value, defined: &[bool]) -> Result<(), String> {
        let node = self.node(value);
        for &operand in &*node.operands {
            if defined.get(operand.0 as usize) != Some(&true) {
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
            && !matches!(pixels.words, 1 | 2 | 4)
        {
            return Err(format!("a pixel has 1, 2 or 4 words, not {}", pixels.words));
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
        Ok(())
    }

    fn check_end(&self, end: &Terminator, defined: &[bool]) -> Result<(), String> {
        if let Terminator::Any { mask, .. } = end
            && (self.node(*mask).ty != Type::Mask || !defined[mask.0 as usize])
        {
            return Err(format!("a branch tests {}", self.name(*mask)));
        }
        end.targets()
            .try_for_each(|target| self.check_target(target, defined))
    }

    fn check_target(&self, target: &Edge, defined: &[bool]) -> Result<(), String> {
        let Some(block) = self.blocks.get(target.block.0 as usize) else {
            return Err(format!("there is no {}", target.block));
        };
        if target.block == Block(0) || block.params.len() != target.args.len() {
            return Err(format!("wrong arguments for {}", target.block));
        }
        for (&param, &arg) in block.params.iter().zip(&target.args) {
            if self.node(param).ty != self.node(arg).ty || !defined[arg.0 as usize] {
                let (arg, param) = (self.name(arg), self.name(param));
                return Err(format!("{arg} cannot be {param} of {}", target.block));
            }
        }
        Ok(())
    }
}
