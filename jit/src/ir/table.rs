//! The operations, one row each. Printing, reading, verification, operands and the builder derive
//! from the rows; the evaluator and each emitter have an arm per row.
//!
//! ```text
//! Operation(immediates) = "name" [operands] -> results, effect, latency, flags;
//! ```

use attila_isa::{Component, ScratchArray, Stage};
use attila_machine::Lanes;
use attila_machine::arith::SlowPath;
use attila_texture::Storage;

use super::Type;
use super::Variable;
use super::double::DoubleOp;
use super::immediate::Immediate;
use super::row::{Effect, Flag, Row, operands, operations, results};
use super::types::{Kind, Results};
use crate::abi::{
    Column, Constant, DrawField, FragmentField, LevelField, LevelPart, Pixels, Question,
    SampleKind, Slot, SpanField, StorageAccess, TextureField,
};

const F32: Kind = Kind::Is(Type::F32);
const I32: Kind = Kind::Is(Type::I32);
const MASK: Kind = Kind::Is(Type::Mask);
const HALVES: Kind = Kind::Is(Type::Halves);
const PIXEL: Kind = Kind::Is(Type::Pixel);
const PIXEL_I32: Kind = Kind::Is(Type::PixelI32);
const PIXEL_HALVES: Kind = Kind::Is(Type::PixelHalves);
const SEVERAL: Kind = Kind::Is(Type::Several);
use Kind::{Bits, Pixels as AnyPixel, Same, Word};

/// The operand of a store.
fn of_slot(slot: Slot) -> &'static [Kind] {
    match slot.ty() {
        Type::I32 => &[I32],
        Type::Mask => &[MASK],
        Type::F32
        | Type::None
        | Type::F64
        | Type::Halves
        | Type::Pixel
        | Type::PixelI32
        | Type::PixelHalves
        | Type::Several => &[F32],
    }
}

/// The first few of four.
fn first<T>(four: &'static [T; 4], count: usize) -> &'static [T] {
    four.get(..count).unwrap_or_default()
}

/// The results of reading texels: a word or number for each lane, or the colour of each lane.
fn texels(storage: Storage) -> Results {
    Results::Several(match storage {
        Storage::Rgba8 => &[Type::I32],
        Storage::Rgba32F => &[Type::Pixel; 4],
        Storage::Red32F => &[Type::F32],
    })
}

/// The results of reading a word of each of four texels.
fn four_texels(storage: Storage) -> Results {
    Results::Several(match storage {
        Storage::Rgba8 => &[Type::I32; 4],
        Storage::Rgba32F | Storage::Red32F => &[Type::F32; 4],
    })
}

operations! {
    /// Operations with one operand.
    Unary {
        /// Flips the sign bit.
        Fneg = "fneg" [F32] -> F32, 1, Channels;
        /// Clears the sign bit.
        Fabs = "fabs" [F32] -> F32, 1, Channels;
        /// √a.
        Sqrt = "sqrt" [F32] -> F32, 15;
        /// The largest integer not above.
        Floor = "floor" [F32] -> F32, 4;
        /// The nearest integer, ties to even.
        Nearest = "nearest" [F32] -> F32, 4;
        /// The smallest integer not below.
        Ceil = "ceil" [F32] -> F32, 4;
        /// The integer part, with the sign of the operand.
        TowardZero = "toward_zero" [F32] -> F32, 4;
        /// A zero of its sign for a denormal.
        Flush = "flush" [F32] -> F32, 4;
        /// +0 for a denormal, and for a zero of either sign.
        FlushToPlus = "flush_to_plus" [F32] -> F32, 2;
        /// The bits 7fffffff for a NaN.
        OneNan = "one_nan" [F32] -> F32, 2;
        /// Truncation; NaN and out of range give i32::MIN.
        Trunc = "trunc" [F32] -> I32, 4, Channels;
        /// The number, rounded to nearest even.
        ToF32 = "tof32" [I32] -> F32, 4;
        /// The same bits.
        ToBits = "tobits" [Word] -> I32, 0;
        /// The same bits.
        FromBits = "frombits" [Bits] -> F32, 0;
        /// The nearest binary16, ties to even, in the lower half; 7e00 for a NaN.
        ToHalf = "to_half" [F32] -> I32, 8;
        /// The number that is the binary16 in the lower half.
        FromHalf = "from_half" [I32] -> F32, 8;
        /// Wrapping absolute value.
        Iabs = "iabs" [I32] -> I32, 1;
        /// The opposite.
        Not = "not" [MASK] -> Mask, 1;
    }
    /// Operations with two operands.
    Binary {
        /// a + b.
        Fadd = "fadd" [F32, F32] -> F32, 4, Channels, Commutes;
        /// a - b.
        Fsub = "fsub" [F32, F32] -> F32, 4, Channels;
        /// a * b.
        Fmul = "fmul" [F32, F32] -> F32, 4, Channels, Commutes;
        /// a / b.
        Fdiv = "fdiv" [F32, F32] -> F32, 11;
        /// `(a < b) ? a : b`.
        Fmin = "fmin" [F32, F32] -> F32, 1, Channels;
        /// `(a > b) ? a : b`.
        Fmax = "fmax" [F32, F32] -> F32, 1, Channels;
        /// a < b, false with NaN.
        Flt = "flt" [F32, F32] -> Mask, 1;
        /// a <= b, false with NaN.
        Fle = "fle" [F32, F32] -> Mask, 1;
        /// a == b, false with NaN.
        Feq = "feq" [F32, F32] -> Mask, 1, Commutes;
        /// Wrapping a + b.
        Iadd = "iadd" [I32, I32] -> I32, 1, Commutes;
        /// Wrapping a - b.
        Isub = "isub" [I32, I32] -> I32, 1;
        /// The low 32 bits of a * b.
        Imul = "imul" [I32, I32] -> I32, 4, Commutes;
        /// The high 32 bits of a * b, unsigned.
        UmulHigh = "umul_high" [I32, I32] -> I32, 8, Commutes;
        /// a / b towards 0; 0 for b = 0, and i32::MIN / -1 is i32::MIN.
        Idiv = "idiv" [I32, I32] -> I32, 30;
        /// a / b, unsigned; all bits for b = 0.
        Udiv = "udiv" [I32, I32] -> I32, 30;
        /// a - a / b * b; all bits for b = 0.
        Irem = "irem" [I32, I32] -> I32, 30;
        /// The same, unsigned.
        Urem = "urem" [I32, I32] -> I32, 30;
        /// The lesser, as signed numbers.
        Imin = "imin" [I32, I32] -> I32, 1, Commutes;
        /// The greater, as signed numbers.
        Imax = "imax" [I32, I32] -> I32, 1, Commutes;
        /// The lesser, as unsigned numbers.
        Umin = "umin" [I32, I32] -> I32, 1, Commutes;
        /// The greater, as unsigned numbers.
        Umax = "umax" [I32, I32] -> I32, 1, Commutes;
        /// a shifted to the left by b modulo 32 bits.
        LeftBy = "shl_by" [I32, I32] -> I32, 6;
        /// a shifted to the right by b modulo 32 bits, zeros coming in.
        RightUnsignedBy = "shr_u_by" [I32, I32] -> I32, 6;
        /// a shifted to the right by b modulo 32 bits, the sign coming in.
        RightSignedBy = "shr_s_by" [I32, I32] -> I32, 6;
        /// Bitwise and.
        And = "and" [Bits, Same] -> Same, 1, Commutes;
        /// Bitwise or.
        Or = "or" [Bits, Same] -> Same, 1, Commutes;
        /// Bitwise exclusive or.
        Xor = "xor" [Bits, Same] -> Same, 1, Commutes;
        /// Signed a < b.
        Ilt = "ilt" [I32, I32] -> Mask, 1;
        /// Unsigned a < b.
        Ult = "ult" [I32, I32] -> Mask, 2;
        /// a == b.
        Ieq = "ieq" [I32, I32] -> Mask, 1, Commutes;
    }
    /// Shifts by a constant.
    Shift {
        /// To the left.
        Left = "shl" [I32] -> I32, 1;
        /// To the right, zeros coming in.
        RightUnsigned = "shr_u" [I32] -> I32, 1;
        /// To the right, the sign coming in.
        RightSigned = "shr_s" [I32] -> I32, 1;
    }
    /// The operation of a node.
    Op {
        /// The same bits in all lanes.
        Const(bits: u32) = "const" [] -> Given, Pure, 0;
        /// A block parameter.
        Param = "param" [] -> Given, ReadsQuad, 0;
        /// Component of a constant register, the same in all lanes.
        Uniform(constant: Constant) = "uniform" [] -> Given, Pure, 0;
        /// Component of the constant register that each lane's i32 names; 0 outside 0..512.
        Indexed(component: Component) = "indexed" [I32] -> Given, Pure, 8;
        /// Component of the constant buffer's vector that each lane's i32 names; 0 where there is none.
        Buffer(buffer: u8, component: Component) = "buffer" [I32] -> F32, Pure, 12;
        /// Component of the scratch vector that each lane's i32 names; 0 outside of the array. Scratch
        /// memory is 0 when a quad begins.
        LoadScratch(array: ScratchArray, component: Component) = "load_scratch"
            [I32] -> F32, Own, 12;
        /// Operands: index, value, mask. Writes a component of the scratch vector that each lane
        /// names, in the lanes of the mask; nothing outside of the array. Ordered with the one above.
        StoreScratch(array: ScratchArray, component: Component) = "store_scratch"
            [I32, F32, MASK] -> Nothing, Own, 12;
        /// Operands: address, mask, four values. An access to a storage buffer, in the lanes of the mask
        /// in their order; the results of the others are 0.
        Storage(access: StorageAccess) = "storage"
            [I32, MASK, I32, I32, I32, I32] -> [I32; 4], Tells, 50;
        /// A vector of the quad's record.
        Load(slot: Slot) = "load" [] -> Given, ReadsQuad, 5;
        /// The packed position of the sample that each lane's i32 names modulo 16.
        Position = "position" [I32] -> I32, ReadsQuad, 12;
        /// Writes a vector of the quad's record.
        Store(slot: Slot) = "store" (of_slot(slot)) -> Nothing, Writes, 0;
        /// The value that a variable held when the block began. The block changes it only at its
        /// end.
        Recall(variable: Variable) = "recall" [] -> Given, ReadsQuad, 5;
        /// Gives a variable its value from the end of the block on. A block keeps each at most
        /// once.
        Keep(variable: Variable) = "keep" [Word] -> Nothing, Keeps, 0;
        /// A number of the draw.
        Draw(field: DrawField) = "draw" [] -> (Results::One(field.ty())), Pure, 0;
        /// A number of the span.
        Span(field: SpanField) = "span" [] -> F32, ReadsSpan, 0;
        /// A vector of a quad that is drawn.
        Fragment(field: FragmentField) = "fragment"
            [] -> (Results::One(field.ty())), ReadsQuad, 1;
        /// The words of the quad's pixels, as they are before anything is stored.
        LoadPixels(pixels: Pixels) = "load_pixels"
            [] -> (Results::Several(first(&[Type::I32; 4], pixels.words()))), ReadsQuad, 5;
        /// Writes the quad's pixels, an operand for each of their words.
        StorePixels(pixels: Pixels) = "store_pixels"
            (first(&[I32; 4], pixels.words())) -> Nothing, Writes, 0;
        /// Words of the quad's elements, as they are before anything is stored.
        LoadColumn(column: Column) = "load_column"
            [] -> (Results::Several(first(&[Type::F32; 4], column.words.into()))), ReadsQuad, 5;
        /// Writes words of the quad's elements.
        StoreColumn(column: Column) = "store_column"
            (first(&[F32; 4], column.words.into())) -> Nothing, Writes, 0;
        /// Two numbers for each lane, each limited to 16 bits with a sign.
        Narrow = "narrow" [I32, I32] -> Halves, Pure, 1;
        /// The same of two pixels.
        NarrowPixels = "narrow_pixels" [PIXEL_I32, PIXEL_I32] -> PixelHalves, Pure, 1;
        /// The four bytes of a word, each limited to 0..=255. Bytes 0 and 2 come from the first
        /// operand, 1 and 3 from the second. Separate from `Narrow` so that each pair can be
        /// narrowed, and its inputs freed, early.
        Pack = "pack" [HALVES, HALVES] -> I32, Pure, 3;
        /// The same of pixels instead of components. The first operand has those of lanes 0 and 1,
        /// the second those of 2 and 3.
        PackPixels = "pack_pixels" [PIXEL_HALVES, PIXEL_HALVES] -> I32, Pure, 1;
        /// a * b + c, rounded once.
        Fma = "fma" [F32, F32, F32] -> F32, Pure, 4, Channels;
        /// An operation on f64.
        Double(op: DoubleOp) = "double" (op.operands()) -> (op.results()), Pure, 4;
        /// Per lane `mask ? a : b`.
        Select = "select" [MASK, Word, Same] -> Same, Pure, 1, Channels;
        /// Lane n of the result is lane `lanes[n]` of the operand.
        Shuffle(lanes: Lanes<u8>) = "shuffle" [Word] -> Same, Pure, 1;
        /// Operands: mask, x, fast result. Per lane `mask ? path(x) : fast`.
        SlowPath(path: SlowPath) = "slow" [MASK, F32, F32] -> F32, Pure, 8;
        /// A number of a texture that the code samples inline.
        TextureField(texture: u8, field: TextureField) = "texture"
            [] -> (Results::One(field.ty())), Pure, 0;
        /// A number of the level that the i32 of lane 0 names for all lanes, or of some level if the
        /// texture has no such level.
        LevelField(texture: u8, field: LevelField) = "level"
            [I32] -> (Results::One(field.ty())), Pure, 12;
        /// Numbers of the level that each lane's i32 names, or of some level if the texture has no such
        /// level.
        LevelPart(texture: u8, part: LevelPart) = "level_part"
            [I32] -> (Results::Several(part.types())), Pure, 16;
        /// The texel that each lane's i32 names; past the end, the last one. A texel of one word
        /// gives the words of all lanes, as f32 if it is red; one of four words gives a pixel for each
        /// lane.
        Texel(texture: u8, storage: Storage) = "texel" [I32] -> (texels(storage)), Pure, 12;
        /// Operands: first texel, pitch. A word of each of four texels, x if they have just one: of that which each
        /// lane names (if not all four are there, some texel is taken), of the one to its right, and of those
        /// below them, `pitch` texels further on. With `alike`, lane 0 has the pitch of all. As one operation,
        /// lanes' numbers are limited once, and those of texels of one word are taken from vectors once.
        Gather(texture: u8, storage: Storage, word: Component, alike: bool) = "gather"
            [I32, I32] -> (four_texels(storage)), Pure, 16;
        /// Operands: first texel, pitch, weights a, b, c and d. For each lane, a pixel that mixes four
        /// texels: `t0*a`, to which `t1*b`, `t2*c` and `t3*d` are added in this order, each sum rounded once,
        /// as by `fma`. A byte counts as an integer, and red as all channels. The lane names t0 (if not all four are there, some
        /// texel is taken); t1 is to its right, and t2 and t3 are below them, `pitch` texels further
        /// on. With `alike`, lane 0 has the pitch of all. As one operation, a pixel's channels are
        /// computed side by side, and no texel has to be kept.
        Blend(texture: u8, storage: Storage, alike: bool) = "blend"
            [I32, I32, F32, F32, F32, F32] -> [Pixel; 4], Pure, 36;
        /// Operands: those of a blend, then a pixel for each lane, to which all four texels are added in
        /// the same way: `fma(t0, a, pixel)` and so on.
        BlendOnto(texture: u8, storage: Storage, alike: bool) = "blend_onto"
            [I32, I32, F32, F32, F32, F32, PIXEL, PIXEL, PIXEL, PIXEL] -> [Pixel; 4], Pure, 36;
        /// The components of four pixels: lane n of result c is channel c of operand n.
        Transpose = "transpose" [AnyPixel, Same, Same, Same] -> Components, Pure, 4;
        /// Operands: s, t, r, one more by the kind, active lanes. Asks the texture unit.
        Sample(kind: SampleKind, unit: u8, stage: Stage) = "sample"
            [F32, F32, F32, F32, MASK] -> [F32; 4], Asks, 50;
        /// Puts down an operand of the next question, at its place.
        Argument(place: u8) = "argument" [Word] -> Nothing, Own, 0;
        /// Operand: active lanes. Asks a texture unit that is named with its target. The results are
        /// words.
        Ask(question: Question) = "ask" [MASK] -> [F32; 4], Asks, 50;
        /// Operands: index, wanted lanes. Fetches a vertex attribute.
        Attribute(attribute: u8) = "attribute" [I32, MASK] -> [F32; 4], Asks, 50;
        /// Operands: packed offset, x, y, z, w. An input at the offset from the pixels' centres: as users
        /// evaluate it, or as it stands.
        Evaluate(register: u8) = "evaluate" [I32, F32, F32, F32, F32] -> [F32; 4], Tells, 50;
        /// Operands: x, y, z, w. Hands over an output register of the next vertex.
        Output(register: u8) = "output" [F32, F32, F32, F32] -> Nothing, Tells, 0;
        /// Operand: lanes. Emits a vertex with the outputs that have been handed over.
        EmitVertex(stream: u8) = "emit_vertex" [MASK] -> Nothing, Tells, 50;
        /// Operand: lanes. Ends the primitive of a stream.
        EndPrimitive(stream: u8) = "end_primitive" [MASK] -> Nothing, Tells, 50;
        /// One of the operand's several results.
        Extract(part: u8) = "extract" [SEVERAL] -> Part, Pure, 0;
        /// `accumulator[component] = a * b`, fixed point, in the lanes of the mask.
        FixedMul(component: Component) = "fixed_mul" [F32, F32, MASK] -> Nothing, Own, 50;
        /// `accumulator[component] = a * b + c`, fixed point, in the lanes of the mask.
        FixedMulAdd(component: Component) = "fixed_mul_add"
            [F32, F32, F32, MASK] -> Nothing, Own, 50;
        /// `a * b + accumulator[component]`, ordered with the two above.
        FixedResult(component: Component) = "fixed_result" [F32, F32] -> F32, Own, 50;
        /// Backward jumps that a lane may take.
        LoopBudget = "loop_budget" [] -> I32, Pure, 0;
    }
}

impl Op {
    /// Whether the node has to be executed, and in order, whether or not its value is used.
    pub(crate) fn has_effect(&self) -> bool {
        let effect = self.row().effect;
        effect == Effect::Writes || effect.is_ordered()
    }

    /// Whether the node is a linear filter.
    pub(crate) fn is_blend(&self) -> bool {
        matches!(self, Op::Blend(..) | Op::BlendOnto(..))
    }

    /// Whether the node is a linear filter of bytes.
    pub(crate) fn blends_bytes(&self) -> bool {
        matches!(
            self,
            Op::Blend(_, Storage::Rgba8, _) | Op::BlendOnto(_, Storage::Rgba8, _)
        )
    }

    /// The array of scratch memory that the node reads or writes.
    pub(crate) fn scratch(&self) -> Option<ScratchArray> {
        let (Op::LoadScratch(array, _) | Op::StoreScratch(array, _)) = self else {
            return None;
        };
        Some(*array)
    }

    /// Whether the node reads or writes the fixed-point accumulator.
    pub(crate) fn accumulates(&self) -> bool {
        matches!(
            self,
            Op::FixedMul(_) | Op::FixedMulAdd(_) | Op::FixedResult(_)
        )
    }

    /// Whether the node asks which pixels or samples are covered.
    pub(crate) fn asks_for_coverage(&self) -> bool {
        matches!(
            self,
            Op::Fragment(FragmentField::Coverage | FragmentField::Samples)
        )
    }

    /// The variable that the node reads.
    pub(crate) fn recalls(&self) -> Option<Variable> {
        let Op::Recall(variable) = self else {
            return None;
        };
        Some(*variable)
    }

    /// The variable that the node gives a value.
    pub(crate) fn keeps(&self) -> Option<Variable> {
        let Op::Keep(variable) = self else {
            return None;
        };
        Some(*variable)
    }
}

impl Binary {
    /// Whether the operands may change places.
    pub(crate) fn commutes(self) -> bool {
        Op::Binary(self).row().commutes
    }
}
