//! Copies a function through the builder: folds and numbers values again, now that parameters
//! have become values, joins blocks that always follow each other, and puts every block after
//! those that it is dominated by.

use crate::ir::{Block, Builder, Edge, Function, Origin, Terminator, Type, Value};

/// Replaces the function by a copy without detours, until no detour is left: a branch that turned
/// out to go one way only may have separated two blocks. A single block was folded while it was made, and has none
/// unless it `may_have_changed`.
pub(super) fn rebuild(function: &mut Function, may_have_changed: bool) {
    let mut may_have_detours = may_have_changed || function.blocks.len() > 1;
    while may_have_detours && copy(function) {
        super::params::unify(function);
        may_have_detours = function.blocks.len() > 1;
    }
}

/// Whether a branch became a jump.
fn copy(function: &mut Function) -> bool {
    let order = reverse_postorder(function);
    let joined = joined(function, &order);
    let mut copy = Copy {
        from: function,
        b: Builder::in_format(function.format, function.nodes.len()),
        values: vec![None; function.nodes.len()],
        blocks: vec![None; function.blocks.len()],
        decided: false,
    };
    copy.blocks[0] = Some(Function::ENTRY);
    for &value in function.uniform.iter().chain(&function.row) {
        copy.node(value);
    }
    let kept: Vec<usize> = order.into_iter().filter(|&index| !joined[index]).collect();
    for &index in &kept[1..] {
        let params = &function.blocks[index].params;
        let types: Vec<Type> = params
            .iter()
            .map(|&param| function.node(param).ty)
            .collect();
        copy.blocks[index] = Some(copy.b.declare(&types));
    }
    for index in kept {
        copy.block(index, &joined);
    }
    let decided = copy.decided;
    copy.b.set_origin(Origin::default());
    *function = copy.b.finish();
    decided
}

/// The blocks that can be reached, each after those that it is dominated by.
fn reverse_postorder(function: &Function) -> Vec<usize> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, false)];
    while let Some((index, done)) = stack.pop() {
        if done {
            order.push(index);
        } else if !std::mem::replace(&mut seen[index], true) {
            stack.push((index, true));
            let targets = function.blocks[index].end.targets();
            stack.extend(targets.map(|target| (target.block.0 as usize, false)));
        }
    }
    order.reverse();
    order
}

/// The blocks that become a part of the one block that jumps to them. A block that keeps variables
/// ends where it does: what follows recalls what it has kept.
fn joined(function: &Function, order: &[usize]) -> Vec<bool> {
    let mut edges = vec![0; function.blocks.len()];
    let mut jumps = vec![0; function.blocks.len()];
    for &index in order {
        let end = &function.blocks[index].end;
        let mut body = function.blocks[index].body.iter();
        let goes_on = matches!(end, Terminator::Jump(_))
            && !body.any(|&value| function.node(value).op.keeps().is_some());
        for target in end.targets() {
            edges[target.block.0 as usize] += 1;
            jumps[target.block.0 as usize] += usize::from(goes_on);
        }
    }
    edges
        .iter()
        .zip(&jumps)
        .map(|(&edges, &jumps)| edges == 1 && jumps == 1)
        .collect()
}

struct Copy<'a> {
    from: &'a Function,
    b: Builder,
    values: Vec<Option<Value>>,
    blocks: Vec<Option<Block>>,
    /// Whether a branch was found to go one way only.
    decided: bool,
}

impl Copy<'_> {
    fn value(&self, value: Value) -> Value {
        self.values[value.0 as usize].expect("operands are copied before their users")
    }

    fn node(&mut self, value: Value) {
        let node = *self.from.node(value);
        let operands = node.operands.map(|operand| self.value(operand));
        self.b.set_origin(node.origin);
        let copy = self.b.push_as(node.op, operands, node.ty);
        self.values[value.0 as usize] = Some(copy);
    }

    fn block(&mut self, mut index: usize, joined: &[bool]) {
        let from = self.from;
        let block = self.blocks[index].expect("was declared");
        if block != Function::ENTRY {
            self.b.open(block);
        }
        for (&param, new) in from.blocks[index]
            .params
            .iter()
            .zip(self.b.params(block).to_vec())
        {
            self.values[param.0 as usize] = Some(new);
        }
        loop {
            for &value in &from.blocks[index].body {
                self.node(value);
            }
            let end = &from.blocks[index].end;
            if let Terminator::Jump(Edge { block, args }) = end
                && joined[block.0 as usize]
            {
                index = block.0 as usize;
                for (param, &arg) in from.blocks[index].params.iter().zip(args) {
                    self.values[param.0 as usize] = Some(self.value(arg));
                }
                continue;
            }
            let end = self.end(end);
            self.b.close(end);
            return;
        }
    }

    fn end(&mut self, end: &Terminator) -> Terminator {
        match end {
            Terminator::Jump(target) => Terminator::Jump(self.target(target)),
            Terminator::Any { mask, then, other } => {
                let mask = self.value(*mask);
                let (then, other) = (self.target(then), self.target(other));
                let Some(bits) = self.b.constant(mask) else {
                    return Terminator::Any { mask, then, other };
                };
                self.decided = true;
                Terminator::Jump(if bits == 0 { other } else { then })
            }
            Terminator::Done => Terminator::Done,
            Terminator::Fail { pc } => Terminator::Fail { pc: *pc },
        }
    }

    fn target(&self, target: &Edge) -> Edge {
        let block = self.blocks[target.block.0 as usize].expect("was declared");
        Edge {
            block,
            args: target.args.iter().map(|&arg| self.value(arg)).collect(),
        }
    }
}
