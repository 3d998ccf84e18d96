//! Block parameters that are always given the same value are that value.
//!
//! Lowering passes every register that a program with jumps writes anywhere through every block;
//! most blocks do not touch most registers.

use crate::ir::{Function, Value};

/// Replaces parameters that have one value besides themselves, until there are none left.
pub(crate) fn unify(function: &mut Function) {
    let mut replacement: Vec<Value> = (0..function.nodes.len() as u32).map(Value).collect();
    let arguments = arguments(function);
    loop {
        let mut changed = false;
        for (param, args) in &arguments {
            let param = *param;
            if resolve(&replacement, param) != param {
                continue;
            }
            let mut others = args.iter().map(|&arg| resolve(&replacement, arg));
            let mut others = others.by_ref().filter(|&arg| arg != param);
            if let Some(first) = others.next()
                && others.all(|arg| arg == first)
            {
                replacement[param.0 as usize] = first;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    apply(function, &replacement);
}

fn resolve(replacement: &[Value], mut value: Value) -> Value {
    while replacement[value.0 as usize] != value {
        value = replacement[value.0 as usize];
    }
    value
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

fn apply(function: &mut Function, replacement: &[Value]) {
    for node in &mut function.nodes {
        node.op
            .operands_mut(|operand| *operand = resolve(replacement, *operand));
    }
    let keep: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| {
            block
                .params
                .iter()
                .map(|&p| resolve(replacement, p) == p)
                .collect()
        })
        .collect();
    for (block, keep) in function.blocks.iter_mut().zip(&keep) {
        retain(&mut block.params, keep);
    }
    for block in &mut function.blocks {
        if let crate::ir::Terminator::Any { mask, .. } = &mut block.end {
            *mask = resolve(replacement, *mask);
        }
        for target in block.end.targets_mut() {
            retain(&mut target.args, &keep[target.block.0 as usize]);
            for arg in &mut target.args {
                *arg = resolve(replacement, *arg);
            }
        }
    }
}

/// Keeps the elements whose flag is set.
pub(super) fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| *flags.next().expect("one flag per element"));
}
