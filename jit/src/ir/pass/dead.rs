//! Removes what no effect and no branch depends on, block parameters included.

use rustc_hash::FxHashMap;

use super::params::retain;
use crate::ir::{Function, Node, Op, Terminator, Value};

/// Keeps effects, branch conditions, and what they are computed from, through variables too.
pub(crate) fn remove(function: &mut Function) {
    let live = live(function);
    let is_live = |value: &Value| live[value.0 as usize];
    function.uniform.retain(is_live);
    function.row.retain(is_live);
    let keep: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| block.params.iter().map(is_live).collect())
        .collect();
    for (block, keep_params) in function.blocks.iter_mut().zip(&keep) {
        block.body.retain(is_live);
        retain(&mut block.params, keep_params);
        for target in block.end.targets_mut() {
            retain(&mut target.args, &keep[target.block.0 as usize]);
        }
    }
}

fn live(function: &Function) -> Vec<bool> {
    let mut live = vec![false; function.nodes.len()];
    let mut work: Vec<Value> = Vec::new();
    for block in &function.blocks {
        work.extend(
            block
                .body
                .iter()
                .filter(|&&value| function.node(value).op.has_effect()),
        );
        if let Terminator::Any { mask, .. } = block.end {
            work.push(mask);
        }
    }
    // The arguments that a live parameter keeps alive.
    let mut arguments: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for target in function.blocks.iter().flat_map(|block| block.end.targets()) {
        for (&param, &arg) in function.block(target.block).params.iter().zip(&target.args) {
            arguments.entry(param).or_default().push(arg);
        }
    }
    let mut kept = kept(function);
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value.0 as usize], true) {
            continue;
        }
        let Node { op, operands, .. } = function.node(value);
        work.extend_from_slice(operands);
        if matches!(op, Op::Param) {
            work.extend(arguments.remove(&value).into_iter().flatten());
        }
        if let Some(variable) = op.recalls() {
            work.append(&mut kept[usize::from(variable.0)]);
        }
    }
    live
}

/// The nodes that keep each variable.
fn kept(function: &Function) -> Vec<Vec<Value>> {
    let mut kept = vec![Vec::new(); function.variables()];
    for &value in function.blocks.iter().flat_map(|block| &block.body) {
        if let Some(variable) = function.node(value).op.keeps() {
            kept[usize::from(variable.0)].push(value);
        }
    }
    kept
}
