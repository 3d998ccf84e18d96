//! Floats whose sign bit is known to be clear.

use crate::ir::{Binary, Function, Node, Op, Unary, Value};

/// Whether the sign bit of each value is clear, unless it is NaN: squares, their sums and roots, as in lengths of
/// vectors.
pub(super) fn unsigned(function: &Function) -> Vec<bool> {
    let mut unsigned = Vec::with_capacity(function.nodes.len());
    for node in &function.nodes {
        // Operands come before their users.
        let is = is_unsigned(node, |value| unsigned[value.0 as usize]);
        unsigned.push(is);
    }
    unsigned
}

fn is_unsigned(node: &Node, of: impl Fn(Value) -> bool) -> bool {
    use Binary::{Fadd, Fdiv, Fmax, Fmin, Fmul};
    use Unary::{Fabs, Flush, FlushToPlus, OneNan, Sqrt};
    let is_product = |a, b| a == b || of(a) && of(b);
    match (node.op, &*node.operands) {
        (Op::Const(bits), _) => bits >> 31 == 0,
        (Op::Unary(Fabs), _) => true,
        (Op::Unary(Flush | FlushToPlus | OneNan | Sqrt), &[a]) => of(a),
        (Op::Binary(Fmul), &[a, b]) => is_product(a, b),
        (Op::Binary(Fadd | Fdiv | Fmax | Fmin), &[a, b]) => of(a) && of(b),
        (Op::Fma, &[a, b, c]) => is_product(a, b) && of(c),
        (Op::Select, &[_, a, b]) => of(a) && of(b),
        (Op::Shuffle(_), &[a]) => of(a),
        (_, _) => false,
    }
}
