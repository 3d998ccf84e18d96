//! Lane IR: what a shader computes for one quad, one value per 32-bit component in all lanes, or per f64 in two.
//!
//! ```text
//! uniform   values that are the same for the whole draw, computed once
//! row       values that are the same along a row of quads, computed once for each span
//! entry     ┐
//! block 1   │ values of one quad, in SSA form over blocks with parameters;
//! …         ┘ every path ends in `done` or `fail`
//! ```
//!
//! A [`Value`] is the result of its [`Node`]. Nodes without a result ([`Type::None`]) stand in a
//! block for their effect. Every operation is total: no operand makes it trap, and its result is
//! defined for all operands, so anything without an effect may be computed early, late or not at
//! all.
//!
//! `table.rs` has a row for each operation, `row.rs` says what a row is, and `eval.rs` defines each. `parse.rs` reads the texts
//! that `print.rs` writes.

mod build;
mod double;
mod eval;
mod fold;
mod immediate;
mod origin;
#[cfg(test)]
mod parse;
pub(crate) mod pass;
mod print;
mod row;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod verify;

use crate::abi::Slot;
use crate::float::FloatFormat;
pub(crate) use build::Builder;
pub(crate) use double::{Compare, Compute, DoubleOp, Half, Word};
pub(crate) use eval::{Environment, Evaluation, Quad, Spent, Vector, compute};
pub(crate) use origin::Origin;
#[cfg(test)]
pub(crate) use parse::parse;
pub(crate) use row::Effect;
pub(crate) use table::{Binary, Op, Shift, Unary};
pub(crate) use types::Type;

/// A node's result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Value(pub(crate) u32);

/// A block's number; [`Function::ENTRY`] is where a quad starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Block(pub(crate) u32);

/// A place of a quad that holds a vector from one block to the next.
///
/// Blocks that pass many values to each other as parameters take the code generator a time that
/// grows with their square. Values in variables take none of it, but some loads and stores when the
/// code runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Variable(pub(crate) u16);

/// How often a value changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rate {
    /// The same for the whole draw, and in all lanes. (A pixel has different channels, but is the same
    /// pixel for all lanes.)
    Uniform,
    /// The same for all quads of a span. Only in draws.
    Row,
    /// Its own for every quad.
    Quad,
}

/// The operands of a node.
#[derive(Clone, Copy)]
pub(crate) struct Operands {
    /// The first `count` are operands.
    values: [Value; Operands::MOST],
    count: u8,
}

impl Operands {
    /// The most operands of an operation.
    pub(crate) const MOST: usize = 10;

    const UNUSED: Value = Value(u32::MAX);

    /// The operands, as many as the operation has.
    ///
    /// # Panics
    ///
    /// If the operation has another number of operands.
    pub(crate) fn array<const N: usize>(&self) -> [Value; N] {
        let values = self.as_slice().try_into();
        values.unwrap_or_else(|_| panic!("{} operands instead of {N}", self.count))
    }

    /// All operands.
    pub(crate) fn as_slice(&self) -> &[Value] {
        &self.values[..usize::from(self.count)]
    }

    /// Every operand replaced.
    pub(crate) fn map(mut self, mut f: impl FnMut(Value) -> Value) -> Operands {
        for value in &mut self.values[..usize::from(self.count)] {
            *value = f(*value);
        }
        self
    }
}

impl From<&[Value]> for Operands {
    fn from(operands: &[Value]) -> Operands {
        let mut values = [Operands::UNUSED; Operands::MOST];
        values[..operands.len()].copy_from_slice(operands);
        Operands {
            values,
            count: operands.len() as u8,
        }
    }
}

impl<const N: usize> From<[Value; N]> for Operands {
    fn from(operands: [Value; N]) -> Operands {
        operands.as_slice().into()
    }
}

impl std::ops::Deref for Operands {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.as_slice()
    }
}

impl PartialEq for Operands {
    fn eq(&self, other: &Operands) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Operands {}

impl std::hash::Hash for Operands {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl std::fmt::Debug for Operands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// An operation on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) operands: Operands,
    pub(crate) ty: Type,
    pub(crate) rate: Rate,
    /// Whether all lanes of a quad are known to hold the same value. Never of a pixel, which has
    /// channels instead of lanes.
    pub(crate) alike: bool,
    pub(crate) origin: Origin,
}

impl Node {
    /// The operation and its operand, if it is a unary one.
    pub(crate) fn as_unary(&self) -> Option<(Unary, Value)> {
        match (self.op, &*self.operands) {
            (Op::Unary(op), &[a]) => Some((op, a)),
            (_, _) => None,
        }
    }

    /// A parameter of a block.
    pub(crate) fn param(ty: Type) -> Node {
        Node {
            op: Op::Param,
            operands: [].into(),
            ty,
            rate: Rate::Quad,
            alike: false,
            origin: Origin::default(),
        }
    }
}

/// A block to go to, with the values of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Edge {
    pub(crate) block: Block,
    pub(crate) args: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Terminator {
    /// On to another block.
    Jump(Edge),
    /// To `then` if any lane of the mask is set, else to `other`.
    Any {
        mask: Value,
        then: Edge,
        other: Edge,
    },
    /// The quad is done; its results are stored.
    Done,
    /// The run ends: a lane used up its loop budget at the jump `pc`.
    Fail { pc: u32 },
}

impl Terminator {
    /// The blocks that may follow.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Edge> {
        let (first, second) = match self {
            Terminator::Jump(target) => (Some(target), None),
            Terminator::Any { then, other, .. } => (Some(then), Some(other)),
            Terminator::Done | Terminator::Fail { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The values that the end of a block uses.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let mask = match self {
            Terminator::Any { mask, .. } => Some(*mask),
            Terminator::Jump(_) | Terminator::Done | Terminator::Fail { .. } => None,
        };
        mask.into_iter().chain(
            self.targets()
                .flat_map(|target| target.args.iter().copied()),
        )
    }

    /// The same, to be changed.
    pub(crate) fn targets_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (first, second) = match self {
            Terminator::Jump(target) => (Some(target), None),
            Terminator::Any { then, other, .. } => (Some(then), Some(other)),
            Terminator::Done | Terminator::Fail { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// Nodes in the order in which they are computed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BlockData {
    /// [`Op::Param`] nodes, one for each argument.
    pub(crate) params: Vec<Value>,
    /// All nodes of [`Rate::Quad`] that the block computes, operands before their users.
    pub(crate) body: Vec<Value>,
    pub(crate) end: Terminator,
}

/// A shader in lane IR.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    /// The format of all floats of lanes and pixels.
    pub(crate) format: FloatFormat,
    pub(crate) nodes: Vec<Node>,
    /// Nodes of [`Rate::Uniform`], operands before their users. They have no effects.
    pub(crate) uniform: Vec<Value>,
    /// Nodes of [`Rate::Row`], operands before their users. They have no effects.
    pub(crate) row: Vec<Value>,
    /// Blocks in program order. A branch to an earlier block is a loop.
    pub(crate) blocks: Vec<BlockData>,
    /// The origin of the nodes that are made now.
    pub(crate) origin: Origin,
}

impl Function {
    /// Bytes of memory that it takes.
    pub(crate) fn memory(&self) -> usize {
        let listed: usize = self.blocks.iter().map(|block| block.body.len()).sum();
        let values = self.uniform.len() + self.row.len() + listed;
        self.nodes.len() * size_of::<Node>() + values * size_of::<Value>()
    }

    /// A function without nodes and blocks.
    #[cfg(any(test, feature = "wasm", target_arch = "wasm32"))]
    pub(crate) fn empty() -> Function {
        Function {
            format: FloatFormat::BINARY32,
            nodes: Vec::new(),
            uniform: Vec::new(),
            row: Vec::new(),
            blocks: Vec::new(),
            origin: Origin::default(),
        }
    }

    /// Where a quad starts. It has no parameters.
    pub(crate) const ENTRY: Block = Block(0);

    /// A node with all that is known of its result.
    pub(crate) fn new_node(&self, op: Op, operands: Operands, ty: Type, rate: Rate) -> Node {
        Node {
            op,
            operands,
            ty,
            rate,
            alike: self.is_alike(&op, &operands, ty, rate),
            origin: self.origin,
        }
    }

    /// Appends a node, which its caller has to list.
    pub(crate) fn append(&mut self, op: Op, operands: Operands, ty: Type, rate: Rate) -> Value {
        let value = Value(self.nodes.len() as u32);
        let node = self.new_node(op, operands, ty, rate);
        self.nodes.push(node);
        value
    }

    /// The node that makes a value.
    pub(crate) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    /// The bits of a constant.
    pub(crate) fn constant(&self, value: Value) -> Option<u32> {
        let Op::Const(bits) = self.node(value).op else {
            return None;
        };
        Some(bits)
    }

    /// The contents of a block.
    pub(crate) fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.0 as usize]
    }

    /// How many variables there are: one more than the number of the last that a block keeps.
    pub(crate) fn variables(&self) -> usize {
        let kept = self.blocks.iter().flat_map(|block| &block.body);
        let kept = kept.filter_map(|&value| self.node(value).op.keeps());
        let kept = kept.map(|variable| usize::from(variable.0) + 1);
        kept.max().unwrap_or(0)
    }

    /// How many scratch vectors it reaches for each lane.
    pub(crate) fn scratch(&self) -> usize {
        let arrays = self.nodes.iter().filter_map(|node| node.op.scratch());
        arrays.map(|array| array.end() as usize).max().unwrap_or(0)
    }

    /// The slots of records that quads read and write, each as often as they do.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let body = self.blocks.iter().flat_map(|block| &block.body);
        body.filter_map(|&value| {
            if let Op::Load(slot) | Op::Store(slot) = self.node(value).op {
                Some(slot)
            } else {
                None
            }
        })
    }

    /// How many values blocks pass to each other.
    pub(crate) fn passed_values(&self) -> usize {
        let targets = self.blocks.iter().flat_map(|block| block.end.targets());
        targets.map(|target| target.args.len()).sum()
    }

    /// Whether quads may be computed together: there is one block, and nothing that calls out
    /// in order.
    pub(crate) fn is_straight_line(&self) -> bool {
        self.blocks.len() == 1 && self.is_unordered(&self.blocks[0])
    }

    fn is_unordered(&self, block: &BlockData) -> bool {
        let mut ops = block.body.iter().map(|&value| &self.node(value).op);
        ops.all(|op| !op.row().effect.is_ordered())
    }

    /// The block behind the test of a guarded function: straight-line code that is left out where a mask has no lane. Lanes
    /// that are not in the mask have nothing to do there, so that they may be there with others.
    pub(crate) fn guarded(&self) -> Option<Block> {
        let [entry, _, _] = &self.blocks[..] else {
            return None;
        };
        let Terminator::Any { then, other, .. } = &entry.end else {
            return None;
        };
        let data = |edge: &Edge| &self.blocks[edge.block.0 as usize];
        let (behind, out) = (data(then), data(other));
        let ends =
            |block: &BlockData| block.params.is_empty() && matches!(block.end, Terminator::Done);
        let is_guarded = ends(behind) && ends(out) && out.body.is_empty();
        let is_unordered = self.is_unordered(entry) && self.is_unordered(behind);
        (is_guarded && is_unordered).then_some(then.block)
    }

    /// Leaves out the test of a guarded function.
    pub(crate) fn unguard(&mut self, behind: Block) {
        let behind = std::mem::take(&mut self.blocks[behind.0 as usize].body);
        self.blocks.truncate(1);
        let entry = &mut self.blocks[0];
        entry.body.extend(behind);
        entry.end = Terminator::Done;
    }
}
