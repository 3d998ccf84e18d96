//! Reading immediates.

use attila_isa::Slots;

use super::*;
use crate::abi::StorageKind;

/// An immediate that can be read: the one that writes the same word.
pub(in crate::ir) trait Read: Immediate + Copy {
    /// All there are, unless they are read otherwise.
    fn all() -> Vec<Self>;

    /// The immediate of a node of type `ty` that writes `word`.
    fn read(word: &str, ty: Type) -> Option<Self> {
        let mut all = Self::all().into_iter();
        all.find(|immediate| text(immediate, ty) == word)
    }
}

/// An immediate's word in a node of type `ty`.
pub(in crate::ir) fn text(immediate: &impl Immediate, ty: Type) -> String {
    Written(immediate, ty).to_string()
}

/// An immediate in a node of this type, to be displayed.
struct Written<'a, I>(&'a I, Type);

impl<I: Immediate> fmt::Display for Written<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

/// The words of a node that has this type.
pub(in crate::ir) struct Words<'a> {
    pub(in crate::ir) words: std::vec::IntoIter<&'a str>,
    pub(in crate::ir) ty: Type,
}

impl Words<'_> {
    /// The next word as an immediate.
    pub(in crate::ir) fn next<I: Read>(&mut self) -> Result<I, String> {
        let word = self.words.next().ok_or("an immediate is missing")?;
        I::read(word, self.ty).ok_or_else(|| format!("`{word}` is not what belongs here"))
    }
}

impl Read for u32 {
    fn all() -> Vec<u32> {
        Vec::new()
    }

    fn read(word: &str, ty: Type) -> Option<u32> {
        if let Some(digits) = word.strip_prefix("0x") {
            return u32::from_str_radix(digits, 16).ok();
        }
        match (ty, word) {
            (Type::Mask, "false") => Some(0),
            (Type::Mask, "true") => Some(u32::MAX),
            (Type::I32, _) => word.parse().ok().map(i32::cast_unsigned),
            (Type::F32, _) => word.parse().ok().map(f32::to_bits),
            (
                Type::Mask
                | Type::None
                | Type::F64
                | Type::Halves
                | Type::Pixel
                | Type::PixelI32
                | Type::PixelHalves
                | Type::Several,
                _,
            ) => None,
        }
    }
}

impl Read for Variable {
    fn all() -> Vec<Variable> {
        (0..=u16::MAX).map(Variable).collect()
    }

    fn read(word: &str, _: Type) -> Option<Variable> {
        let number = word.strip_prefix('x')?;
        number.parse().ok().map(Variable)
    }
}

impl Read for ScratchArray {
    fn all() -> Vec<ScratchArray> {
        let of_base = |base| (0..16).map(move |size| ScratchArray { base, size });
        (0..16).flat_map(of_base).collect()
    }
}

impl Read for DoubleOp {
    fn all() -> Vec<DoubleOp> {
        DoubleOp::all()
    }
}

impl Read for u8 {
    fn all() -> Vec<u8> {
        (0..=u8::MAX).collect()
    }
}

impl Read for bool {
    fn all() -> Vec<bool> {
        vec![false, true]
    }
}

impl Read for Lanes<u8> {
    fn all() -> Vec<Lanes<u8>> {
        (0..=u8::MAX)
            .map(|n| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3])
            .collect()
    }
}

/// A component of each of so many registers.
fn components<T>(registers: u16, f: impl Fn(u16, u8) -> T) -> Vec<T> {
    let registers = (0..registers).flat_map(|reg| (0..4).map(move |component| (reg, component)));
    registers
        .map(|(reg, component)| f(reg, component))
        .collect()
}

impl Read for Constant {
    fn all() -> Vec<Constant> {
        components(attila_machine::CONSTANTS as u16, |index, component| {
            Constant { index, component }
        })
    }
}

impl Read for Slot {
    fn all() -> Vec<Slot> {
        let mut slots = vec![Slot::Sample, Slot::Kill];
        slots.extend((0..32).map(|reg| Slot::Predicate { reg }));
        slots.extend((0..16).map(|sample| Slot::Depth { sample }));
        slots.extend(components(32, |reg, component| Slot::Temp {
            reg: reg as u8,
            component,
        }));
        slots.extend(components(16, |reg, component| Slot::Input {
            reg: reg as u8,
            component,
        }));
        slots.extend(components(16, |reg, component| Slot::Output {
            reg: reg as u8,
            component,
        }));
        slots.extend(components(2, |reg, component| Slot::Address {
            reg: reg as u8,
            component,
        }));
        slots.extend([Slot::SampleCount, Slot::Coverage, Slot::OwnSample]);
        slots
    }
}

impl Read for DrawField {
    fn all() -> Vec<DrawField> {
        let mut fields = vec![
            DrawField::AlphaReference,
            DrawField::OwnIndex,
            DrawField::OwnBit,
        ];
        fields.extend((0..4).map(DrawField::BlendConstant));
        for axis in 0..2 {
            fields.push(DrawField::Own { axis });
            fields.extend((0..16).map(|sample| DrawField::Sample { sample, axis }));
        }
        fields
    }
}

impl Read for SpanField {
    fn all() -> Vec<SpanField> {
        let numbers = |plane| {
            use crate::abi::PlaneField::{At, Dx, Dy};
            [At, Dx, Dy].map(|number| SpanField::Plane(plane, number))
        };
        let planes = (0..64).flat_map(numbers);
        let anchors = (0..2).map(SpanField::Anchor);
        planes.chain(anchors).chain([SpanField::Y]).collect()
    }
}

impl Read for FragmentField {
    fn all() -> Vec<FragmentField> {
        let mut fields = vec![
            FragmentField::X,
            FragmentField::Coverage,
            FragmentField::Samples,
        ];
        fields.extend(components(16, |reg, component| FragmentField::Input {
            reg: reg as u8,
            component,
        }));
        fields
    }
}

impl Read for Pixels {
    fn all() -> Vec<Pixels> {
        let mut pixels = Vec::new();
        for surface in 0..crate::abi::SURFACES as u8 {
            for sample in 0..16 {
                pixels.extend([1, 4, 8, 16].map(|bytes| Pixels {
                    surface,
                    sample,
                    bytes,
                }));
            }
        }
        pixels
    }
}

impl Read for Column {
    /// Columns of eight places.
    fn all() -> Vec<Column> {
        let column = |place| {
            let words = (1..5u8).flat_map(|words| (0..9).map(move |stride| (words, stride)));
            words.map(move |(words, stride)| Column {
                place,
                words,
                stride,
            })
        };
        (0..8).flat_map(column).collect()
    }
}

impl Read for TextureField {
    fn all() -> Vec<TextureField> {
        let mut fields = vec![
            TextureField::BaseLevel,
            TextureField::LastLevel,
            TextureField::Layers,
            TextureField::LodBias,
            TextureField::LodMin,
            TextureField::LodMax,
            TextureField::MaxAnisotropy,
        ];
        fields.extend((0..3).map(|axis| TextureField::ToTexels { axis }));
        for component in 0..4 {
            fields.extend([
                TextureField::Border { component },
                TextureField::Denominator { component },
                TextureField::Unit { component },
            ]);
        }
        fields
    }
}

impl Read for LevelField {
    fn all() -> Vec<LevelField> {
        let axes = (0..3).flat_map(|axis| {
            [
                LevelField::Size { axis },
                LevelField::ToLevel { axis },
                LevelField::Half { axis },
            ]
        });
        let others = [LevelField::Offset, LevelField::Slice];
        axes.chain(others).collect()
    }
}

impl Read for StorageAccess {
    /// Accesses to four buffers.
    fn all() -> Vec<StorageAccess> {
        let kinds = StorageKind::ALL.iter().map(|(kind, _)| *kind);
        let buffers = |kind| (0..4).map(move |buffer| (kind, buffer));
        let access = |(kind, buffer)| {
            (0..16).map(move |bits| StorageAccess {
                kind,
                buffer,
                written: Slots::from_bits_truncate(bits),
            })
        };
        kinds.flat_map(buffers).flat_map(access).collect()
    }
}

impl Read for Question {
    /// Queries of four units.
    fn all() -> Vec<Question> {
        let units = 0..4;
        units
            .flat_map(|unit| (0..1 << 15).map(move |bits| Question::from_site(bits << 8 | unit)))
            .collect()
    }
}
