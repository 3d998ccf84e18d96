//! Values that are computed right before the blend that uses them, copy by copy.
//!
//! Copies take turns with every operation, so that none waits for its own results. A blend is long enough on its own, and
//! what it weighs texels with would wait for those of all other copies: four vectors of weights for each, eight with three
//! axes, where there are sixteen registers. So weights are computed where their blend is.
//!
//! Together with [`look_ahead`](super::values::Emission::look_ahead), and not without it, linear filters take 0.87 to
//! 0.93 of their time for it, with two axes and with three, 256 and 512 bits (AMD EPYC, family 26, model 2).

use rustc_hash::FxHashMap;

use crate::ir::{Binary, Function, Op, Value};

/// The nodes that are computed with a blend.
#[derive(Default)]
pub(super) struct Clusters {
    /// The blend of each.
    blends: FxHashMap<Value, Value>,
    /// Those that wait for a blend, in their order.
    waiting: FxHashMap<Value, Vec<Value>>,
}

/// Where the results of a node are used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Users {
    /// By nodes that are computed with this blend alone.
    With(Value),
    /// Elsewhere.
    Others,
}

impl Clusters {
    /// The clusters of a function's only block. With a single copy every node has its own turn.
    pub(super) fn of(function: &Function, body: &[Value], copies: usize) -> Clusters {
        let mut clusters = Clusters::default();
        if copies == 1 {
            return clusters;
        }
        let mut users = FxHashMap::default();
        for &value in body.iter().rev() {
            let node = function.node(value);
            let is_blend = matches!(node.op, Op::Blend(..) | Op::BlendOnto(..));
            // A blend that another is added to is computed with that.
            let joins = is_blend || matches!(node.op, Op::Extract(_)) || is_weight(function, value);
            let uses = match users.get(&value) {
                Some(&Users::With(blend)) if joins => {
                    clusters.blends.insert(value, blend);
                    Users::With(blend)
                }
                Some(Users::With(_) | Users::Others) | None if is_blend => Users::With(value),
                Some(Users::With(_) | Users::Others) | None => Users::Others,
            };
            for &operand in &*node.operands {
                let known = users.entry(operand).or_insert(uses);
                if *known != uses {
                    *known = Users::Others;
                }
            }
        }
        clusters
    }

    /// The nodes that come before `value` in its turn; `None` if its own is that of a blend.
    pub(super) fn turn(&mut self, value: Value) -> Option<Vec<Value>> {
        if let Some(&blend) = self.blends.get(&value) {
            self.waiting.entry(blend).or_default().push(value);
            return None;
        }
        Some(self.waiting.remove(&value).unwrap_or_default())
    }
}

/// Whether a node makes a weight of one value, or of weights.
fn is_weight(function: &Function, value: Value) -> bool {
    let node = function.node(value);
    let is_const = |it: &Value| matches!(function.node(*it).op, Op::Const(_));
    node.op == Op::Binary(Binary::Fmul)
        || node.op == Op::Binary(Binary::Fsub) && node.operands.iter().any(is_const)
}
