//! Block parameters that are always given the same value are that value.
//!
//! Lowering passes every register that a program with jumps writes anywhere through every block;
//! most blocks do not touch most registers.

use crate::ir::{Function, Op, Terminator, Value};

/// Replaces parameters that have one value besides themselves, until no parameter has.
pub(crate) fn unify(function: &mut Function) {
    // The first block has no parameters.
    if function.blocks.len() == 1 {
        return;
    }
    let arguments = arguments(function);
    let mut replacement = Replacement::of(function.nodes.len());
    // The parameters that are given a value, to be looked at again when it is replaced.
    let mut given: Vec<Vec<usize>> = vec![Vec::new(); function.nodes.len()];
    for (index, (_, args)) in arguments.iter().enumerate() {
        args.iter()
            .for_each(|arg| given[arg.0 as usize].push(index));
    }
    let mut work: Vec<usize> = (0..arguments.len()).rev().collect();
    while let Some(index) = work.pop() {
        let (param, args) = &arguments[index];
        if let Some(value) = only_value(&mut replacement, *param, args) {
            replacement.0[param.0 as usize] = value;
            let again = std::mem::take(&mut given[param.0 as usize]);
            work.extend(&again);
            if matches!(function.node(value).op, Op::Param) {
                given[value.0 as usize].extend(again);
            }
        }
    }
    apply(function, &mut replacement);
}

/// The one value besides itself that a parameter is given, if it is not replaced yet.
fn only_value(replacement: &mut Replacement, param: Value, args: &[Value]) -> Option<Value> {
    if replacement.resolve(param) != param {
        return None;
    }
    let args = args.iter().map(|&arg| replacement.resolve(arg));
    let mut others = args.filter(|&arg| arg != param);
    let first = others.next()?;
    others.all(|arg| arg == first).then_some(first)
}

/// The replacement of each value; itself for most.
struct Replacement(Vec<Value>);

impl Replacement {
    fn of(values: usize) -> Replacement {
        Replacement((0..values as u32).map(Value).collect())
    }

    /// The value to use in the end. The way there is halved each time, so that long ways are not
    /// gone twice.
    fn resolve(&mut self, mut value: Value) -> Value {
        while self.0[value.0 as usize] != value {
            let next = self.0[value.0 as usize];
            self.0[value.0 as usize] = self.0[next.0 as usize];
            value = next;
        }
        value
    }
}

/// Every parameter with all the arguments that it is given.
fn arguments(function: &Function) -> Vec<(Value, Vec<Value>)> {
    let mut arguments: Vec<Vec<Vec<Value>>> = function
        .blocks
        .iter()
        .map(|block| vec![Vec::new(); block.params.len()])
        .collect();
    for block in &function.blocks {
        for target in block.end.targets() {
            let params = &mut arguments[target.block.0 as usize];
            for (list, &arg) in params.iter_mut().zip(&target.args) {
                list.push(arg);
            }
        }
    }
    let params = function
        .blocks
        .iter()
        .flat_map(|block| block.params.iter().copied());
    params.zip(arguments.into_iter().flatten()).collect()
}

fn apply(function: &mut Function, replacement: &mut Replacement) {
    for node in &mut function.nodes {
        node.operands = node.operands.map(|operand| replacement.resolve(operand));
    }
    let keep: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| {
            block
                .params
                .iter()
                .map(|&p| replacement.resolve(p) == p)
                .collect()
        })
        .collect();
    for (block, keep) in function.blocks.iter_mut().zip(&keep) {
        retain(&mut block.params, keep);
    }
    for block in &mut function.blocks {
        if let Terminator::Any { mask, .. } = &mut block.end {
            *mask = replacement.resolve(*mask);
        }
        for target in block.end.targets_mut() {
            retain(&mut target.args, &keep[target.block.0 as usize]);
            for arg in &mut target.args {
                *arg = replacement.resolve(*arg);
            }
        }
    }
}

/// Keeps the elements whose flag is set.
pub(super) fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| *flags.next().expect("one flag per element"));
}
