//! The operands that opcodes take: their types, and the components that they read.

use attila_isa::Slots;

use super::Type::{Double, Float, Int, Uint, Untyped};

/// The meaning of the bits of a value. It decides how a sign modifier works, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A float. Its sign is a bit.
    Float,
    /// A signed integer. Signs wrap.
    Int,
    /// An unsigned integer. Signs wrap.
    Uint,
    /// A double, in two components: x and y, or z and w. Its sign is a bit of the second one.
    Double,
    /// Bits, which are copied. Modifiers take them for a float.
    Untyped,
}

/// The slots of a source that matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reads {
    /// The written ones, and of a double both halves.
    Written,
    /// These, for any mask.
    Slots(Slots),
    /// x where x or y is written, and y where z or w is: conversions to doubles.
    Halves,
    /// x where x or y is written, and z where z or w is: exponents of doubles.
    Firsts,
    /// x and y for the first written component, z and w for the second: conversions of doubles.
    Pairs,
    /// The coordinates of the texture's target, its reference for comparisons, and these.
    Coordinates(Slots),
}

/// A source of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A value.
    Value(Type, Reads),
    /// A sampler: `SAMP[n]`.
    Sampler,
    /// A view of a texture: `SVIEW[n]`.
    View,
    /// A buffer: `BUFFER[n]`.
    Buffer,
}

/// The operands of an opcode, in their order in the text: results, then sources.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// The types of its results.
    pub results: &'static [Type],
    /// Its sources.
    pub sources: &'static [Operand],
    /// How many of its sources texts may leave out.
    pub optional: usize,
}

const fn form(results: &'static [Type], sources: &'static [Operand]) -> Form {
    Form {
        results,
        sources,
        optional: 0,
    }
}

const NONE: Slots = Slots::empty();
const XY: Slots = Slots::X.union(Slots::Y);
const YZ: Slots = Slots::Y.union(Slots::Z);
const YW: Slots = Slots::Y.union(Slots::W);
const XYZ: Slots = XY.union(Slots::Z);
const XYW: Slots = XY.union(Slots::W);

const fn written(kind: Type) -> Operand {
    Operand::Value(kind, Reads::Written)
}

const fn slots(kind: Type, slots: Slots) -> Operand {
    Operand::Value(kind, Reads::Slots(slots))
}

const fn x(kind: Type) -> Operand {
    slots(kind, Slots::X)
}

const fn all(kind: Type) -> Operand {
    slots(kind, Slots::all())
}

/// Coordinates, and `others`.
const fn coordinates(kind: Type, others: Slots) -> Operand {
    Operand::Value(kind, Reads::Coordinates(others))
}

macro_rules! forms {
    ($($name:ident = $results:expr, $sources:expr;)*) => {
        $(pub(super) const $name: Form = form(&$results, &$sources);)*
    };
}

use Operand::{Buffer, Sampler, View};

forms! {
    NOTHING = [], [];
    FLOAT1 = [Float], [written(Float)];
    FLOAT2 = [Float], [written(Float), written(Float)];
    FLOAT3 = [Float], [written(Float), written(Float), written(Float)];
    SCALAR1 = [Float], [x(Float)];
    SCALAR2 = [Float], [x(Float), x(Float)];
    DOT2 = [Float], [slots(Float, XY), slots(Float, XY)];
    DOT2_ADD = [Float], [slots(Float, XY), slots(Float, XY), x(Float)];
    DOT3 = [Float], [slots(Float, XYZ), slots(Float, XYZ)];
    DOT4 = [Float], [all(Float), all(Float)];
    DOT_HOMOGENEOUS = [Float], [slots(Float, XYZ), all(Float)];
    DISTANCE = [Float], [slots(Float, YZ), slots(Float, YW)];
    LIGHT = [Float], [slots(Float, XYW)];
    NORMAL3 = [Float], [slots(Float, XYZ)];
    NORMAL4 = [Float], [all(Float)];
    TRANSFORM = [Float], [slots(Float, XY), slots(Float, XY), all(Float)];
    COPY = [Untyped], [written(Untyped)];
    SELECT = [Untyped], [written(Uint), written(Untyped), written(Untyped)];
    COMPARE = [Uint], [written(Float), written(Float)];
    LOAD_EXPONENT = [Float], [written(Float), written(Int)];
    PACK2 = [Uint], [slots(Float, XY)];
    PACK4 = [Uint], [all(Float)];
    UNPACK = [Float], [x(Uint)];
    FLOAT_TO_INT = [Int], [written(Float)];
    FLOAT_TO_UINT = [Uint], [written(Float)];
    INT_TO_FLOAT = [Float], [written(Int)];
    UINT_TO_FLOAT = [Float], [written(Uint)];
    INT1 = [Int], [written(Int)];
    INT2 = [Int], [written(Int), written(Int)];
    INT3 = [Int], [written(Int), written(Int), written(Int)];
    INT_COMPARE = [Uint], [written(Int), written(Int)];
    UINT1 = [Uint], [written(Uint)];
    UINT2 = [Uint], [written(Uint), written(Uint)];
    UINT3 = [Uint], [written(Uint), written(Uint), written(Uint)];
    INSERT = [Uint], [written(Uint), written(Uint), written(Uint), written(Uint)];
    LOAD_UNSIGNED = [Int], [written(Uint)];
    DOUBLE1 = [Double], [written(Double)];
    DOUBLE2 = [Double], [written(Double), written(Double)];
    DOUBLE3 = [Double], [written(Double), written(Double), written(Double)];
    DOUBLE_COMPARE = [Uint], [Operand::Value(Double, Reads::Pairs), Operand::Value(Double, Reads::Pairs)];
    DOUBLE_EXPONENT = [Double], [written(Double), Operand::Value(Int, Reads::Firsts)];
    DOUBLE_SPLIT = [Double, Int], [written(Double)];
    FLOAT_TO_DOUBLE = [Double], [Operand::Value(Float, Reads::Halves)];
    INT_TO_DOUBLE = [Double], [Operand::Value(Int, Reads::Halves)];
    UINT_TO_DOUBLE = [Double], [Operand::Value(Uint, Reads::Halves)];
    DOUBLE_TO_FLOAT = [Float], [Operand::Value(Double, Reads::Pairs)];
    DOUBLE_TO_INT = [Int], [Operand::Value(Double, Reads::Pairs)];
    DOUBLE_TO_UINT = [Uint], [Operand::Value(Double, Reads::Pairs)];
    TEXTURE = [Untyped], [coordinates(Float, NONE), Sampler];
    TEXTURE_W = [Untyped], [coordinates(Float, Slots::W), Sampler];
    TEXTURE_X = [Untyped], [coordinates(Float, NONE), x(Float), Sampler];
    TEXTURE_GRADIENTS = [Untyped], [coordinates(Float, NONE), coordinates(Float, NONE), coordinates(Float, NONE), Sampler];
    FETCH = [Untyped], [coordinates(Int, Slots::W), Sampler];
    FETCH_FIRST = [Untyped], [coordinates(Int, NONE), Sampler];
    GATHER = [Untyped], [coordinates(Float, NONE), x(Uint), Sampler];
    SIZE = [Int], [x(Int), Sampler];
    SIZE_FIRST = [Int], [Sampler];
    LEVEL = [Float], [coordinates(Float, NONE), Sampler];
    SAMPLE = [Untyped], [coordinates(Float, NONE), View, Sampler];
    SAMPLE_FETCH = [Untyped], [coordinates(Int, Slots::W), View];
    SAMPLE_FETCH_MULTI = [Untyped], [coordinates(Int, NONE), View, x(Int)];
    SAMPLE_X = [Untyped], [coordinates(Float, NONE), View, Sampler, x(Float)];
    SAMPLE_GRADIENTS = [Untyped], [coordinates(Float, NONE), View, Sampler, coordinates(Float, NONE), coordinates(Float, NONE)];
    SAMPLE_SIZE = [Int], [x(Int), View];
    SAMPLE_POSITION = [Float], [View, x(Int)];
    CONDITION = [], [x(Float)];
    CONDITION_BITS = [], [x(Uint)];
    KILLING = [], [all(Float)];
    PUSH = [], [all(Int)];
    POP = [Int], [];
    OFFSET = [Float], [written(Float), slots(Float, XY)];
    SAMPLE_NUMBER = [Float], [written(Float), x(Int)];
    READ_BUFFER = [Uint], [Buffer, x(Uint)];
    WRITE_BUFFER = [Untyped], [x(Uint), written(Untyped)];
    ATOMIC = [Uint], [Buffer, x(Uint), x(Uint)];
    ATOMIC_EXCHANGE = [Uint], [Buffer, x(Uint), x(Uint), x(Uint)];
    BUFFER_SIZE = [Uint], [Buffer];
    UNTYPED0 = [Untyped], [];
    UNTYPED1 = [Untyped], [written(Untyped)];
    UNTYPED2 = [Untyped], [written(Untyped), written(Untyped)];
}

/// EMIT and ENDPRIM: Mesa 7 has no streams.
pub(super) const STREAM: Form = Form {
    results: &[],
    sources: &[x(Uint)],
    optional: 1,
};
