//! Types of values, and the types that an operation takes and gives.

use std::fmt;

use super::row::Row;
use super::{Effect, Function, Op, Rate, Value};

/// The contents of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    /// No value: the node has an effect only.
    None,
    /// A 32-bit floating point number for each lane.
    F32,
    /// A 32-bit integer, or raw bits, for each lane.
    I32,
    /// All bits set or none, for each lane.
    Mask,
    /// The f64 of two lanes: 0 and 1, or 2 and 3.
    F64,
    /// Two 16-bit integers for each lane.
    Halves,
    /// The four f32 channels of one pixel: red, green, blue, alpha.
    Pixel,
    /// The four i32 channels of one pixel.
    PixelI32,
    /// The four 16-bit channels of each of two pixels.
    PixelHalves,
    /// Several results, which [`Op::Extract`] takes one by one.
    Several,
}

impl Type {
    /// All types that a value may have.
    #[cfg(test)]
    pub(crate) const ALL: [Type; 8] = [
        Type::F32,
        Type::I32,
        Type::Mask,
        Type::F64,
        Type::Halves,
        Type::Pixel,
        Type::PixelI32,
        Type::PixelHalves,
    ];

    /// The type with channels of a pixel instead of lanes. `None` if there is no such type.
    fn pixel_type(self) -> Option<Type> {
        match self {
            Type::F32 | Type::Pixel => Some(Type::Pixel),
            Type::I32 | Type::PixelI32 => Some(Type::PixelI32),
            Type::Halves | Type::PixelHalves => Some(Type::PixelHalves),
            Type::None | Type::Mask | Type::F64 | Type::Several => None,
        }
    }

    /// Whether the value holds channels of pixels.
    fn is_pixel(self) -> bool {
        matches!(self, Type::Pixel | Type::PixelI32 | Type::PixelHalves)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::None => "none",
            Type::F32 => "f32",
            Type::I32 => "i32",
            Type::Mask => "mask",
            Type::F64 => "f64",
            Type::Halves => "halves",
            Type::Pixel => "pixel",
            Type::PixelI32 => "pixel_i32",
            Type::PixelHalves => "pixel_halves",
            Type::Several => "several",
        })
    }
}

/// The types that an operand may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// This one.
    Is(Type),
    /// f32, i32 or mask.
    Word,
    /// i32 or mask.
    Bits,
    /// pixel or pixel_i32.
    Pixels,
    /// The type of the operation's operand that is [`Kind::Word`], [`Kind::Bits`] or
    /// [`Kind::Pixels`].
    Same,
}

/// The types of an operation's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Results {
    /// No result.
    Nothing,
    /// One result of this type.
    One(Type),
    /// One result, of the same type as operands that are [`Kind::Same`].
    Same,
    /// One result, of a type that is chosen with the operation.
    Given,
    /// One of the operand's several results.
    Part,
    /// Several results, to be taken by [`Op::Extract`].
    Several(&'static [Type]),
    /// The same: four, with the operands' channels as lanes.
    Components,
}

impl Function {
    /// The types of a value's several results.
    pub(crate) fn parts(&self, value: Value) -> &'static [Type] {
        match self.node(value).op.row().results {
            Results::Several(types) => types,
            Results::Components => {
                let mut pixels = self.node(value).operands.iter();
                if pixels.any(|&pixel| self.node(pixel).ty == Type::PixelI32) {
                    &[Type::I32; 4]
                } else {
                    &[Type::F32; 4]
                }
            }
            Results::Nothing | Results::One(_) | Results::Same | Results::Given | Results::Part => {
                &[]
            }
        }
    }

    /// The type of what an operation gives. `None` if the operation leaves it open, or its operands
    /// are wrong.
    pub(crate) fn result_type(&self, op: &Op, operands: &[Value]) -> Option<Type> {
        let row = op.row();
        match row.results {
            Results::Nothing => Some(Type::None),
            Results::One(ty) if row.channels && self.takes_pixels(operands) => ty.pixel_type(),
            Results::One(ty) => Some(ty),
            Results::Same => self.open_type(&row, operands),
            Results::Given => None,
            Results::Part => {
                let &Op::Extract(part) = op else { return None };
                let parts = self.parts(*operands.first()?);
                parts.get(usize::from(part)).copied()
            }
            Results::Several(_) | Results::Components => Some(Type::Several),
        }
    }

    /// Whether the operands are ones that the operation takes.
    pub(crate) fn takes(&self, op: &Op, operands: &[Value]) -> bool {
        let row = op.row();
        if operands.len() != row.operands.len() {
            return false;
        }
        let open = self.open_type(&row, operands);
        let of_pixel = row.channels && self.takes_pixels(operands);
        let fits = |(kind, &operand): (&Kind, &Value)| {
            let node = self.node(operand);
            match *kind {
                // A value that all lanes share is the same for all channels.
                Kind::Is(ty) if of_pixel => {
                    ty.pixel_type() == Some(node.ty) || node.ty == ty && node.alike
                }
                Kind::Word | Kind::Same if of_pixel => open.is_some_and(|pixel| {
                    node.ty == pixel || node.ty.pixel_type() == Some(pixel) && node.alike
                }),
                Kind::Is(ty) => node.ty == ty,
                Kind::Word => matches!(node.ty, Type::F32 | Type::I32 | Type::Mask),
                Kind::Bits => matches!(node.ty, Type::I32 | Type::Mask),
                Kind::Pixels => matches!(node.ty, Type::Pixel | Type::PixelI32),
                Kind::Same => Some(node.ty) == open,
            }
        };
        row.operands.iter().zip(operands).all(fits)
    }

    /// How often the result of an operation changes at least.
    pub(crate) fn rate(&self, op: &Op, operands: &[Value]) -> Rate {
        let of_operands = operands.iter().map(|&value| self.node(value).rate);
        let of_operands = of_operands.max().unwrap_or(Rate::Uniform);
        match op.row().effect {
            Effect::Pure => of_operands,
            Effect::ReadsSpan => of_operands.max(Rate::Row),
            Effect::ReadsQuad
            | Effect::Writes
            | Effect::Keeps
            | Effect::Own
            | Effect::Asks
            | Effect::Tells => Rate::Quad,
        }
    }

    /// Whether all lanes of a quad hold the same value, as far as it follows from what computes it.
    pub(crate) fn is_alike(&self, op: &Op, operands: &[Value], ty: Type, rate: Rate) -> bool {
        if ty.is_pixel() {
            return false;
        }
        if let Op::Shuffle(lanes) = op
            && lanes.iter().all(|lane| *lane == lanes[0])
        {
            return true;
        }
        if rate == Rate::Uniform || matches!(op, Op::LevelField(..)) {
            return true;
        }
        // An f64 belongs to a pair of lanes, and its words to these.
        let is_by_lane = op.row().effect == Effect::Pure && !matches!(op, Op::Double(_));
        is_by_lane && operands.iter().all(|&operand| self.node(operand).alike)
    }

    fn takes_pixels(&self, operands: &[Value]) -> bool {
        let mut operands = operands.iter();
        operands.any(|&operand| self.node(operand).ty.is_pixel())
    }

    /// The type of the operand that leaves it open, and of the result: of pixels if any operand is one.
    fn open_type(&self, row: &Row, operands: &[Value]) -> Option<Type> {
        let mut kinds = row.operands.iter();
        let open = kinds.position(|kind| matches!(kind, Kind::Word | Kind::Bits | Kind::Pixels))?;
        let ty = self.node(*operands.get(open)?).ty;
        if row.channels && self.takes_pixels(operands) {
            ty.pixel_type()
        } else {
            Some(ty)
        }
    }
}
