//! Lane IR: what a shader computes for one quad, one value per 32-bit component in all lanes.
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

mod build;
mod fold;
pub(crate) mod pass;
mod print;
mod verify;

use attila_isa::arith::SlowPath;
use attila_isa::{Lanes, Stage, TextureOp};
use attila_texture::Storage;

pub(crate) use build::Builder;

use crate::abi::{DrawField, FragmentField, LevelField, Pixels, Slot, SpanField, TextureField};

/// A node's result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Value(pub(crate) u32);

/// A block's number; [`Function::ENTRY`] is where a quad starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Block(pub(crate) u32);

/// What the lanes of a value hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    /// No value: the node has an effect only.
    None,
    /// 32-bit floating point.
    F32,
    /// 32-bit integer or raw bits.
    I32,
    /// All bits set or none.
    Mask,
    /// The four components of a sample or attribute, taken apart by [`Op::Part`].
    Vec4,
    /// Two 16-bit integers for each lane, put together by [`Op::Pack`] and [`Op::PackPixels`].
    Halves,
}

/// How often a value changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rate {
    /// The same for the whole draw, in all lanes. (The pixels of [`Op::Blend`] and [`Op::Texel`] are
    /// each the same as the others instead; nothing but [`Op::Transpose`] takes them.)
    Uniform,
    /// The same for all quads of a span. Only in draws.
    Row,
    /// Its own for every quad.
    Quad,
}

/// Unary operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Unary {
    /// f32: flips the sign bit.
    Fneg,
    /// f32: clears the sign bit.
    Fabs,
    /// f32: √a.
    Sqrt,
    /// f32: the largest integer not above.
    Floor,
    /// f32: the nearest integer, ties to even.
    Nearest,
    /// f32 to i32: truncation; NaN and out of range give i32::MIN.
    Trunc,
    /// i32 to f32: nearest even.
    ToF32,
    /// f32 to i32, or mask to i32: the same bits.
    ToBits,
    /// i32 to f32: the same bits.
    FromBits,
    /// i32: wrapping absolute value.
    Iabs,
    /// Mask: the opposite.
    Not,
}

/// Binary operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Binary {
    /// f32: a + b.
    Fadd,
    /// f32: a - b.
    Fsub,
    /// f32: a * b.
    Fmul,
    /// f32: a / b.
    Fdiv,
    /// f32: `(a < b) ? a : b`.
    Fmin,
    /// f32: `(a > b) ? a : b`.
    Fmax,
    /// f32 to mask: a < b, false with NaN.
    Flt,
    /// f32 to mask: a <= b, false with NaN.
    Fle,
    /// f32 to mask: a == b, false with NaN.
    Feq,
    /// i32: wrapping a + b.
    Iadd,
    /// i32: wrapping a - b.
    Isub,
    /// i32: low 32 bits of a * b.
    Imul,
    /// i32: the lesser, as signed numbers.
    Imin,
    /// i32: the greater, as signed numbers.
    Imax,
    /// i32: the lesser, as numbers without a sign.
    Umin,
    /// i32 or mask: bitwise and.
    And,
    /// i32 or mask: bitwise or.
    Or,
    /// i32 or mask: bitwise exclusive or.
    Xor,
    /// i32 to mask: signed a < b.
    Ilt,
    /// i32 to mask: a == b.
    Ieq,
}

/// Shifts of i32 by a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shift {
    /// To the left.
    Left,
    /// To the right, zeros coming in.
    RightUnsigned,
    /// To the right, the sign coming in.
    RightSigned,
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    /// The same bits in all lanes.
    Const(u32),
    /// A block parameter.
    Param,
    /// Component of a constant register, the same in all lanes.
    Uniform { index: u16, component: u8 },
    /// Component of the constant register that each lane's i32 names; 0 outside 0..512.
    Indexed { index: Value, component: u8 },
    /// A vector of the quad's memory.
    Load(Slot),
    /// Effect: writes a vector of the quad's memory.
    Store(Slot, Value),
    /// A number of the draw.
    Draw(DrawField),
    /// A number of the span.
    Span(SpanField),
    /// A vector of a quad that is drawn.
    Fragment(FragmentField),
    /// [`Type::Vec4`]: the words of the quad's pixels, as they are before anything is stored.
    LoadPixels(Pixels),
    /// Effect: writes the quad's pixels, an i32 per word. Further words are not looked at.
    StorePixels(Pixels, [Value; 4]),
    /// [`Type::Halves`]: two i32, each limited to 16 bits with a sign.
    Narrow(Value, Value),
    /// i32: the bytes of a word, each limited to 0..=255. The first operand has the lowest and the
    /// third, the second operand the others. Apart from [`Op::Narrow`], so that values can be given up
    /// before all four are there.
    Pack(Value, Value),
    /// i32: the same of pixels instead of components. The first operand has those of the lanes 0 and
    /// 1, the second those of 2 and 3.
    PackPixels(Value, Value),
    /// One operand.
    Unary(Unary, Value),
    /// Two operands.
    Binary(Binary, Value, Value),
    /// A shift by a constant, 0..32.
    Shift(Shift, Value, u8),
    /// f32: a * b + c, rounded once.
    Fma(Value, Value, Value),
    /// Per lane `mask ? a : b`; of any type.
    Select(Value, Value, Value),
    /// Lane n of the result is lane `lanes[n]` of the operand.
    Shuffle(Value, Lanes<u8>),
    /// f32: per lane `mask ? path(x) : fast`.
    SlowPath {
        path: SlowPath,
        mask: Value,
        x: Value,
        fast: Value,
    },
    /// A number of a texture that the code samples by itself, the same in all lanes.
    TextureField { texture: u8, field: TextureField },
    /// A number of the level that each lane's i32 names: of one of the texture's, whatever it is.
    /// With `alike`, all lanes name the level of lane 0.
    LevelField {
        texture: u8,
        field: LevelField,
        level: Value,
        alike: bool,
    },
    /// [`Type::Vec4`]: the texel that each lane's i32 names. Where there is no such texel it is the
    /// last one. Of a texel that is one word, i32, the first part is that of each lane; of one with
    /// four, f32, part n is the colour of lane n: red, green, blue, alpha.
    Texel {
        texture: u8,
        storage: Storage,
        index: Value,
    },
    /// [`Type::Vec4`]: the colours of four texels mixed: with the weights a, b, c and d
    /// `t0*a*c + t1*b*c + t2*a*d + t3*b*d`, from left to right. The first is the one that each lane
    /// names, and if it does not have all others, some texel; the second is to its right; the others
    /// are below them, which is a level's `pitch` further on. With `alike`, lane 0 has the pitch of
    /// all. As one operation, a pixel's components are computed side by side, and none of the
    /// texels has to be kept. So part n, f32, is the colour of lane n: red, green, blue, alpha.
    Blend {
        texture: u8,
        storage: Storage,
        first: Value,
        pitch: Value,
        alike: bool,
        weights: [Value; 4],
    },
    /// [`Type::Vec4`]: rows to columns. Lane n of part c is lane c of operand n: of the colours of
    /// pixels it makes components, and the other way round.
    Transpose([Value; 4]),
    /// Effect and [`Type::Vec4`]: asks the texture unit. `active` is a mask.
    Texture {
        op: TextureOp,
        unit: u8,
        stage: Stage,
        coords: [Value; 3],
        param: Value,
        active: Value,
    },
    /// Effect and [`Type::Vec4`]: fetches a vertex attribute for the lanes of the mask `wanted`.
    Attribute {
        attribute: u8,
        index: Value,
        wanted: Value,
    },
    /// Component of a [`Type::Vec4`].
    Part(Value, u8),
    /// Effect: `accumulator[component] = a * b`, fixed point, in the lanes of the mask.
    FixedMul {
        component: u8,
        a: Value,
        b: Value,
        mask: Value,
    },
    /// Effect: `accumulator[component] = a * b + c`, fixed point, in the lanes of the mask.
    FixedMulAdd {
        component: u8,
        a: Value,
        b: Value,
        c: Value,
        mask: Value,
    },
    /// f32, and ordered with the two above: `a * b + accumulator[component]`.
    FixedResult { component: u8, a: Value, b: Value },
    /// Effect: writes the depth of each masked lane's i32 sample; nothing from 16 on.
    Export {
        sample: Value,
        depth: Value,
        mask: Value,
    },
    /// i32: backward jumps that a lane may take.
    LoopBudget,
}

impl Op {
    /// Whether the node has to be executed, and in order, whether or not its value is used.
    pub(crate) fn has_effect(&self) -> bool {
        match self {
            Op::Store(..)
            | Op::StorePixels(..)
            | Op::Texture { .. }
            | Op::Attribute { .. }
            | Op::FixedMul { .. }
            | Op::FixedMulAdd { .. }
            | Op::FixedResult { .. }
            | Op::Export { .. } => true,
            Op::Const(_)
            | Op::Param
            | Op::Uniform { .. }
            | Op::Indexed { .. }
            | Op::Load(_)
            | Op::Draw(_)
            | Op::Span(_)
            | Op::Fragment(_)
            | Op::LoadPixels(_)
            | Op::Narrow(..)
            | Op::Pack(..)
            | Op::PackPixels(..)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Shift(..)
            | Op::Fma(..)
            | Op::Select(..)
            | Op::Shuffle(..)
            | Op::SlowPath { .. }
            | Op::TextureField { .. }
            | Op::LevelField { .. }
            | Op::Texel { .. }
            | Op::Blend { .. }
            | Op::Transpose(_)
            | Op::Part(..)
            | Op::LoopBudget => false,
        }
    }

    /// Calls `f` with every operand, which it may replace.
    pub(crate) fn operands_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Op::Const(_)
            | Op::Param
            | Op::Uniform { .. }
            | Op::TextureField { .. }
            | Op::Load(_)
            | Op::Draw(_)
            | Op::Span(_)
            | Op::Fragment(_)
            | Op::LoadPixels(_)
            | Op::LoopBudget => {}
            Op::StorePixels(_, words) | Op::Transpose(words) => words.iter_mut().for_each(f),
            Op::Indexed { index, .. } | Op::Texel { index, .. } => f(index),
            Op::Blend {
                first,
                pitch,
                weights,
                ..
            } => {
                f(first);
                f(pitch);
                weights.iter_mut().for_each(f);
            }
            Op::LevelField { level, .. } => f(level),
            Op::Store(_, a) | Op::Unary(_, a) | Op::Shift(_, a, _) => f(a),
            Op::Shuffle(a, _) | Op::Part(a, _) => f(a),
            Op::Binary(_, a, b)
            | Op::Narrow(a, b)
            | Op::Pack(a, b)
            | Op::PackPixels(a, b)
            | Op::FixedResult { a, b, .. } => {
                f(a);
                f(b);
            }
            Op::Fma(a, b, c)
            | Op::Select(a, b, c)
            | Op::SlowPath {
                mask: a,
                x: b,
                fast: c,
                ..
            }
            | Op::FixedMul { a, b, mask: c, .. }
            | Op::Export {
                sample: a,
                depth: b,
                mask: c,
            } => {
                f(a);
                f(b);
                f(c);
            }
            Op::Texture {
                coords,
                param,
                active,
                ..
            } => {
                coords.iter_mut().for_each(&mut f);
                f(param);
                f(active);
            }
            Op::Attribute { index, wanted, .. } => {
                f(index);
                f(wanted);
            }
            Op::FixedMulAdd { a, b, c, mask, .. } => {
                f(a);
                f(b);
                f(c);
                f(mask);
            }
        }
    }

    /// Calls `f` with every operand.
    pub(crate) fn operands(&self, mut f: impl FnMut(Value)) {
        let mut copy = *self;
        copy.operands_mut(|value| f(*value));
    }
}

/// An operation with what is known about its result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) ty: Type,
    pub(crate) rate: Rate,
}

/// A block to go to, with the values of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Target {
    pub(crate) block: Block,
    pub(crate) args: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Terminator {
    /// On to another block.
    Jump(Target),
    /// To `then` if any lane of the mask is set, else to `other`.
    Any {
        mask: Value,
        then: Target,
        other: Target,
    },
    /// The quad is done; its results are stored.
    Done,
    /// The run ends: a lane used up its loop budget at the jump `pc`.
    Fail { pc: u32 },
}

impl Terminator {
    /// The blocks that may follow.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Target> {
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
    pub(crate) fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
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
    pub(crate) nodes: Vec<Node>,
    /// Nodes of [`Rate::Uniform`], operands before their users. They have no effects.
    pub(crate) uniform: Vec<Value>,
    /// Nodes of [`Rate::Row`], operands before their users. They have no effects.
    pub(crate) row: Vec<Value>,
    /// Blocks in program order. A branch to an earlier block is a loop.
    pub(crate) blocks: Vec<BlockData>,
}

impl Function {
    /// Where a quad starts. It has no parameters.
    pub(crate) const ENTRY: Block = Block(0);

    /// The node that makes a value.
    pub(crate) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    /// The contents of a block.
    pub(crate) fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.0 as usize]
    }

    /// How many values blocks pass to each other.
    pub(crate) fn passed_values(&self) -> usize {
        let targets = self.blocks.iter().flat_map(|block| block.end.targets());
        targets.map(|target| target.args.len()).sum()
    }

    /// Whether quads may be computed together: there is one block, and nothing that calls out
    /// in order.
    pub(crate) fn is_straight_line(&self) -> bool {
        self.blocks.len() == 1
            && self.blocks[0].body.iter().all(|&value| {
                let op = &self.node(value).op;
                !op.has_effect() || matches!(op, Op::Store(..) | Op::StorePixels(..))
            })
    }
}
