//! [`Builder`]: makes functions, folding and numbering values on the way.
//!
//! A node that computes what an earlier one in the same block has computed is that earlier one.
//! Nodes whose operands are uniform go to the function's uniform part at once, which is all the
//! hoisting that a draw needs.

use std::hash::BuildHasher;

use attila_machine::Lanes;
use attila_machine::arith::{Arith, SlowPath};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::abi::Slot;
use crate::float::FloatFormat;

use super::fold::{facts, fold};
use super::{
    Binary, Block, BlockData, Edge, Function, Node, Op, Operands, Origin, Rate, Shift, Terminator,
    Type, Unary, Value, Variable,
};

/// Nodes that a function has room for from the start, besides those that its maker knows of. Tables that grow are copied,
/// which takes longer than all else that is done with a node where memory is in no cache.
const ROOM: usize = 128;

/// How many times the values of a block a table may have room for that is used for the next one.
const ROOMY: usize = 16;

/// Makes a [`Function`] block by block. The entry block is open from the start.
pub(crate) struct Builder {
    pub(super) function: Function,
    /// Where nodes go; `None` between two blocks.
    current: Option<Block>,
    /// Values of the current block.
    known: Known,
    uniform_known: Known,
    row_known: Known,
}

/// Values by what computes them, which is in their nodes: a builder changes none that it has made.
type Known = HashTable<Value>;

/// The hash of what computes a value.
fn hash(op: &Op, operands: &Operands, ty: Type) -> u64 {
    FxBuildHasher.hash_one((op, operands, ty))
}

impl Builder {
    /// A function that has just an entry block.
    #[cfg(test)]
    pub(crate) fn new() -> Builder {
        Builder::with_room(0)
    }

    /// The same with room for so many nodes of quads.
    pub(crate) fn with_room(nodes: usize) -> Builder {
        Builder::in_format(FloatFormat::BINARY32, nodes)
    }

    /// The same for floats of a format.
    pub(super) fn in_format(format: FloatFormat, nodes: usize) -> Builder {
        let function = Function {
            format,
            nodes: Vec::with_capacity(nodes + ROOM),
            uniform: Vec::with_capacity(ROOM / 2),
            row: Vec::with_capacity(ROOM / 2),
            blocks: Vec::new(),
            origin: Origin::default(),
        };
        let mut builder = Builder {
            function,
            current: None,
            known: Known::with_capacity(nodes),
            uniform_known: Known::with_capacity(ROOM / 4),
            row_known: Known::with_capacity(ROOM / 4),
        };
        let entry = builder.declare(&[]);
        builder.open(entry);
        builder
    }

    /// A new block with parameters of these types, to be opened later.
    pub(crate) fn declare(&mut self, params: &[Type]) -> Block {
        let block = Block(self.function.blocks.len() as u32);
        let param = |ty: &Type| {
            let value = Value(self.function.nodes.len() as u32);
            self.function.nodes.push(Node::param(*ty));
            value
        };
        let params = params.iter().map(param).collect();
        let end = Terminator::Done;
        self.function.blocks.push(BlockData {
            params,
            body: Vec::new(),
            end,
        });
        block
    }

    /// Begins to fill a block.
    pub(crate) fn open(&mut self, block: Block) {
        assert!(self.current.is_none(), "the block before has no end");
        self.current = Some(block);
        // To clear a table takes as long as it has room: one for a long program is not cleared for each short block.
        match self.known.capacity() > ROOMY * (self.known.len() + ROOM) {
            true => self.known = Known::with_capacity(ROOM),
            false => self.known.clear(),
        }
    }

    /// Begins to fill a block that quads come to only through the block just closed, or from itself after
    /// that: what was computed there is known here.
    pub(crate) fn open_successor(&mut self, block: Block) {
        assert!(self.current.is_none(), "the block before has no end");
        self.current = Some(block);
    }

    /// The parameters of a block.
    pub(crate) fn params(&self, block: Block) -> &[Value] {
        &self.function.block(block).params
    }

    /// Makes nodes for an instruction from now on.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        self.function.origin = origin;
    }

    /// Ends the current block.
    pub(crate) fn close(&mut self, end: Terminator) {
        let block = self.current.take().expect("a block is open");
        self.function.blocks[block.0 as usize].end = end;
    }

    /// Ends the current block with a jump.
    pub(crate) fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.close(Terminator::Jump(Edge { block, args }));
    }

    /// The function; every block has been closed.
    pub(crate) fn finish(self) -> Function {
        assert!(self.current.is_none(), "the last block has no end");
        self.function
    }

    /// All nodes so far.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.function.nodes
    }

    /// The type of a value.
    pub(crate) fn ty(&self, value: Value) -> Type {
        self.function.node(value).ty
    }

    /// Whether all lanes are known to hold the same value.
    pub(crate) fn is_alike(&self, value: Value) -> bool {
        self.function.node(value).alike
    }

    /// The bits of a constant.
    pub(crate) fn constant(&self, value: Value) -> Option<u32> {
        self.function.constant(value)
    }

    /// The variable that a value is read from.
    pub(crate) fn recalled(&self, value: Value) -> Option<Variable> {
        self.function.node(value).op.recalls()
    }

    /// A node, unless something simpler or something already computed has the same value. Its type
    /// is the one that the table says.
    ///
    /// # Panics
    ///
    /// If the table leaves the type open.
    pub(crate) fn push(&mut self, op: Op, operands: impl Into<Operands>) -> Value {
        let mut operands = operands.into();
        let ty = self.function.result_type(&op, &operands);
        let ty = ty.unwrap_or_else(|| panic!("the type of {op:?} is open"));
        self.folded_or_numbered(op, &mut operands, ty)
    }

    /// The same, with a type that the table leaves open.
    pub(crate) fn push_as(&mut self, op: Op, operands: impl Into<Operands>, ty: Type) -> Value {
        self.folded_or_numbered(op, &mut operands.into(), ty)
    }

    /// The same. Operands stay where they are until a node has them: to read a whole copy of what has just been written
    /// word by word takes a processor longer than to fold most operations.
    fn folded_or_numbered(&mut self, mut op: Op, operands: &mut Operands, ty: Type) -> Value {
        let known = fold(self, &mut op, operands, ty);
        known.unwrap_or_else(|| self.number(&op, operands, ty))
    }

    /// The node with this operation, made if it does not exist.
    fn number(&mut self, op: &Op, operands: &Operands, ty: Type) -> Value {
        let rate = self.function.rate(op, operands);
        let value = Value(self.function.nodes.len() as u32);
        let (known, body) = match rate {
            Rate::Uniform => (&mut self.uniform_known, &mut self.function.uniform),
            Rate::Row => (&mut self.row_known, &mut self.function.row),
            Rate::Quad => {
                let block = self.current.expect("a block is open");
                let block = &mut self.function.blocks[block.0 as usize];
                (&mut self.known, &mut block.body)
            }
        };
        if !op.has_effect() {
            let nodes = &self.function.nodes;
            let node = |value: &Value| &nodes[value.0 as usize];
            let is_same = |value: &Value| {
                let node = node(value);
                node.op == *op && node.operands == *operands && node.ty == ty
            };
            let rehash = |value: &Value| {
                let node = node(value);
                hash(&node.op, &node.operands, node.ty)
            };
            match known.entry(hash(op, operands, ty), is_same, rehash) {
                Entry::Occupied(known) => return *known.get(),
                Entry::Vacant(new) => new.insert(value),
            };
        }
        body.push(value);
        let node = self.function.new_node(*op, *operands, ty, rate);
        self.function.nodes.push(node);
        value
    }

    /// A constant of any type.
    pub(crate) fn bits(&mut self, bits: u32, ty: Type) -> Value {
        self.push_as(Op::Const(bits), [], ty)
    }

    /// A mask with all lanes set or none.
    pub(crate) fn mask(&mut self, set: bool) -> Value {
        self.bits(if set { u32::MAX } else { 0 }, Type::Mask)
    }

    /// A vector of the quad's memory.
    pub(crate) fn load(&mut self, slot: Slot) -> Value {
        self.push_as(Op::Load(slot), [], slot.ty())
    }

    /// Writes a vector of the quad's memory.
    pub(crate) fn store(&mut self, slot: Slot, value: Value) {
        self.push(Op::Store(slot), [value]);
    }

    /// One operand.
    pub(crate) fn unary(&mut self, op: Unary, a: Value) -> Value {
        self.push(Op::Unary(op), [a])
    }

    /// Two operands.
    pub(crate) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.push(Op::Binary(op), [a, b])
    }

    /// Per lane `mask ? a : b`.
    pub(crate) fn choose(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.push(Op::Select, [mask, a, b])
    }

    /// The opposite of a mask.
    pub(crate) fn invert(&mut self, mask: Value) -> Value {
        self.unary(Unary::Not, mask)
    }

    /// The same bits as f32, for every type of value.
    pub(crate) fn as_f32(&mut self, value: Value) -> Value {
        if self.ty(value) == Type::F32 {
            value
        } else {
            self.unary(Unary::FromBits, value)
        }
    }

    /// The same bits as i32, for every type of value.
    pub(crate) fn as_i32(&mut self, value: Value) -> Value {
        if self.ty(value) == Type::I32 {
            value
        } else {
            self.unary(Unary::ToBits, value)
        }
    }

    /// One of the several results of an operation.
    pub(crate) fn extract(&mut self, whole: Value, part: u8) -> Value {
        self.push(Op::Extract(part), [whole])
    }

    /// Lanes moved around.
    pub(crate) fn shuffle(&mut self, a: Value, lanes: Lanes<u8>) -> Value {
        self.push(Op::Shuffle(lanes), [a])
    }
}

/// The approximations record themselves.
impl Arith for Builder {
    type F = Value;
    type I = Value;
    type M = Value;

    fn f32(&mut self, value: f32) -> Value {
        self.bits(value.to_bits(), Type::F32)
    }
    fn i32(&mut self, value: i32) -> Value {
        self.bits(value.cast_unsigned(), Type::I32)
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Fadd, a, b)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Fsub, a, b)
    }
    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Fmul, a, b)
    }
    fn div(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Fdiv, a, b)
    }
    fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.push(Op::Fma, [a, b, c])
    }
    fn sqrt(&mut self, a: Value) -> Value {
        self.unary(Unary::Sqrt, a)
    }
    fn floor(&mut self, a: Value) -> Value {
        self.unary(Unary::Floor, a)
    }
    fn nearest(&mut self, a: Value) -> Value {
        self.unary(Unary::Nearest, a)
    }
    fn neg(&mut self, a: Value) -> Value {
        self.unary(Unary::Fneg, a)
    }
    fn abs(&mut self, a: Value) -> Value {
        self.unary(Unary::Fabs, a)
    }
    fn lt(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Flt, a, b)
    }
    fn le(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Fle, a, b)
    }
    fn eq(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Feq, a, b)
    }
    fn to_bits(&mut self, a: Value) -> Value {
        self.unary(Unary::ToBits, a)
    }
    fn from_bits(&mut self, a: Value) -> Value {
        self.unary(Unary::FromBits, a)
    }
    fn trunc_to_i32(&mut self, a: Value) -> Value {
        self.unary(Unary::Trunc, a)
    }
    fn to_f32(&mut self, a: Value) -> Value {
        self.unary(Unary::ToF32, a)
    }
    fn iadd(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Iadd, a, b)
    }
    fn isub(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Isub, a, b)
    }
    fn imul(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Imul, a, b)
    }
    fn iand(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::And, a, b)
    }
    fn ior(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Or, a, b)
    }
    fn ixor(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Xor, a, b)
    }
    fn shl(&mut self, a: Value, n: u32) -> Value {
        self.push(Op::Shift(Shift::Left, n as u8), [a])
    }
    fn shr_u(&mut self, a: Value, n: u32) -> Value {
        self.push(Op::Shift(Shift::RightUnsigned, n as u8), [a])
    }
    fn shr_s(&mut self, a: Value, n: u32) -> Value {
        self.push(Op::Shift(Shift::RightSigned, n as u8), [a])
    }
    fn ilt(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Ilt, a, b)
    }
    fn ieq(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Ieq, a, b)
    }
    fn both(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::And, a, b)
    }
    fn either(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Or, a, b)
    }
    fn not(&mut self, a: Value) -> Value {
        self.invert(a)
    }
    fn select(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.choose(mask, a, b)
    }
    fn iselect(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.choose(mask, a, b)
    }
    fn is_never_denormal(&self, a: Value) -> bool {
        facts::is_never_denormal(self, a)
    }
    fn slow_path(&mut self, path: SlowPath, mask: Value, x: Value, fast: Value) -> Value {
        self.push(Op::SlowPath(path), [mask, x, fast])
    }
}
