//! How colours are mixed with those that are stored: OpenGL's equations.

/// The factor of a colour before it is mixed. "Source" is the program's colour, "destination" the
/// stored one. Multiplying by [`Zero`](BlendFactor::Zero) gives +0 and by [`One`](BlendFactor::One)
/// the colour, for every colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlendFactor {
    Zero,
    One,
    SrcColour,
    OneMinusSrcColour,
    DstColour,
    OneMinusDstColour,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColour,
    OneMinusConstantColour,
    ConstantAlpha,
    OneMinusConstantAlpha,
    /// `min(As, 1 - Ad)`, as MIN does it; 1 for alpha.
    SrcAlphaSaturate,
}

impl BlendFactor {
    /// All of them.
    pub const ALL: [BlendFactor; 15] = [
        BlendFactor::Zero,
        BlendFactor::One,
        BlendFactor::SrcColour,
        BlendFactor::OneMinusSrcColour,
        BlendFactor::DstColour,
        BlendFactor::OneMinusDstColour,
        BlendFactor::SrcAlpha,
        BlendFactor::OneMinusSrcAlpha,
        BlendFactor::DstAlpha,
        BlendFactor::OneMinusDstAlpha,
        BlendFactor::ConstantColour,
        BlendFactor::OneMinusConstantColour,
        BlendFactor::ConstantAlpha,
        BlendFactor::OneMinusConstantAlpha,
        BlendFactor::SrcAlphaSaturate,
    ];
}

/// How the two products are put together. Minimum and maximum take the colours themselves, without
/// factors, and compare as MIN and MAX do, the source first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlendOp {
    Add,
    /// Source minus destination.
    Subtract,
    /// Destination minus source.
    ReverseSubtract,
    Min,
    Max,
}

impl BlendOp {
    /// All of them.
    pub const ALL: [BlendOp; 5] = [
        BlendOp::Add,
        BlendOp::Subtract,
        BlendOp::ReverseSubtract,
        BlendOp::Min,
        BlendOp::Max,
    ];
}

/// `src * source op dst * destination`, each step rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlendEquation {
    /// The operation that combines the products.
    pub op: BlendOp,
    /// The factor of the program's colour.
    pub src: BlendFactor,
    /// The factor of the stored colour.
    pub dst: BlendFactor,
}

/// How a target's colours are mixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Blend {
    /// For red, green and blue.
    pub colour: BlendEquation,
    /// For alpha.
    pub alpha: BlendEquation,
}

impl Blend {
    /// The same equation for all components.
    pub const fn all(equation: BlendEquation) -> Blend {
        Blend {
            colour: equation,
            alpha: equation,
        }
    }

    /// Over what is there, by the program's alpha: `src * As + dst * (1 - As)`.
    pub const OVER: Blend = Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::SrcAlpha,
        dst: BlendFactor::OneMinusSrcAlpha,
    });

    /// Added to what is there.
    pub const ADD: Blend = Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::One,
        dst: BlendFactor::One,
    });
}
