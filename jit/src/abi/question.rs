//! How generated code asks texture units that it names with a target: operands are put down one by
//! one, then the question is asked.

use std::fmt;

use attila_isa::{Component, Stage, TextureAccess, TextureShape, TextureTarget};
use attila_machine::{
    Gradients, LANES, LaneMask, Lanes, LevelOfDetail, Lookup, QuadReg, TextureQuery,
};

/// The operands of a question, each in its place.
pub(crate) type Arguments = [Lanes<u32>; Argument::COUNT];

/// The place of an operand.
pub(crate) struct Argument;

impl Argument {
    /// Coordinates, four.
    pub(crate) const COORDS: u8 = 0;
    /// Bias, level of detail or reference.
    pub(crate) const PARAM: u8 = 4;
    /// Derivatives along x, three.
    pub(crate) const DX: u8 = 5;
    /// Derivatives along y, three.
    pub(crate) const DY: u8 = 8;
    /// Offsets in texels, three.
    pub(crate) const OFFSET: u8 = 11;
    /// The number that is added to the unit.
    pub(crate) const UNIT: u8 = 14;
    /// The number of places.
    pub(crate) const COUNT: usize = 15;
}

/// The kind of a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum QuestionKind {
    /// A sample with the level of detail of the derivatives.
    Implicit,
    /// A sample at level of detail 0.
    LevelZero,
    /// A sample with a bias.
    Bias,
    /// A sample with a level of detail.
    Level,
    /// A sample with derivatives.
    Gradients,
    /// A texel.
    Fetch,
    /// The size of a level.
    Size,
    /// Four texels.
    Gather,
    /// The level of detail.
    LevelOfDetail,
    /// The number of samples.
    Samples,
}

impl QuestionKind {
    /// All kinds with their names, in their order.
    const ALL: [(QuestionKind, &'static str); 10] = [
        (QuestionKind::Implicit, "xtex"),
        (QuestionKind::LevelZero, "xtex_lz"),
        (QuestionKind::Bias, "xtxb"),
        (QuestionKind::Level, "xtxl"),
        (QuestionKind::Gradients, "xtxd"),
        (QuestionKind::Fetch, "txf"),
        (QuestionKind::Size, "txq"),
        (QuestionKind::Gather, "tg4"),
        (QuestionKind::LevelOfDetail, "lodq"),
        (QuestionKind::Samples, "txqs"),
    ];
}

/// A question: everything about it that is fixed when code is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Question {
    pub(crate) kind: QuestionKind,
    pub(crate) texture: TextureAccess,
    /// Whether [`Argument::PARAM`] is a reference.
    pub(crate) reference: bool,
    /// Whether there is an offset.
    pub(crate) offset: bool,
    /// Whether each lane adds a number to the unit.
    pub(crate) relative: bool,
    pub(crate) stage: Stage,
}

impl Question {
    /// The question as a number, from which [`Question::from_site`] makes it again.
    pub(crate) fn site(&self) -> u64 {
        let target = match self.texture.target {
            TextureTarget::Bound => 0,
            TextureTarget::Named { shape, shadow } => shape.code() | u8::from(shadow) << 4,
        };
        u64::from(self.texture.unit)
            | (self.kind as u64) << 8
            | u64::from(target) << 12
            | (self.texture.gather as u64) << 17
            | u64::from(self.reference) << 19
            | u64::from(self.offset) << 20
            | u64::from(self.relative) << 21
            | u64::from(self.stage.code()) << 22
    }

    /// The question of a number that [`Question::site`] made.
    pub(crate) fn from_site(site: u64) -> Question {
        let bit = |at: u32| site >> at & 1 != 0;
        let (kind, _) = QuestionKind::ALL[(site >> 8) as usize % 16 % QuestionKind::ALL.len()];
        let shape = TextureShape::from_code((site >> 12) as u8 & 0xf);
        let target = TextureTarget::Named {
            shape: shape.unwrap_or(TextureShape::D2),
            shadow: bit(16),
        };
        Question {
            kind,
            texture: TextureAccess {
                unit: site as u8,
                target,
                gather: Component::from_bits((site >> 17) as u8),
                level_zero: kind == QuestionKind::LevelZero,
            },
            reference: bit(19),
            offset: bit(20),
            relative: bit(21),
            stage: Stage::from_code((site >> 22) as u8).unwrap_or_default(),
        }
    }

    /// The answer, of which lanes take part that have the same unit. `answer` is asked for units that
    /// may not exist.
    pub(crate) fn ask(
        &self,
        arguments: &Arguments,
        active: LaneMask,
        answer: impl Fn(&TextureQuery) -> QuadReg,
    ) -> QuadReg {
        let lookup = self.lookup(arguments);
        let of_unit = |unit: i64, active: LaneMask| {
            let Ok(unit) = u8::try_from(unit) else {
                return QuadReg::default();
            };
            answer(&TextureQuery {
                unit,
                target: self.texture.target,
                lookup,
                stage: self.stage,
                active,
            })
        };
        let unit = i64::from(self.texture.unit);
        if !self.relative {
            return of_unit(unit, active);
        }
        let added = arguments[usize::from(Argument::UNIT)];
        let mut result = QuadReg::default();
        let mut done = LaneMask::empty();
        for lane in (0..LANES).filter(|&lane| active.has(lane)) {
            if done.has(lane) {
                continue;
            }
            let same = LaneMask::from_lanes(added.map(|other| other == added[lane])) & active;
            let words = of_unit(unit + i64::from(added[lane].cast_signed()), same);
            for (result, words) in result.iter_mut().zip(words) {
                for other in (0..LANES).filter(|&other| same.has(other)) {
                    result[other] = words[other];
                }
            }
            done |= same;
        }
        result
    }

    fn lookup(&self, arguments: &Arguments) -> Lookup {
        let words = |place: u8| arguments[usize::from(place)];
        let float = |place: u8| words(place).map(f32::from_bits);
        let floats = |first: u8| [0, 1, 2].map(|axis| float(first + axis));
        let coords = [0, 1, 2, 3].map(|axis| float(Argument::COORDS + axis));
        let reference = self.reference.then(|| float(Argument::PARAM));
        let int = |place: u8| words(place).map(u32::cast_signed);
        let offset = self
            .offset
            .then(|| [0, 1, 2].map(|axis| int(Argument::OFFSET + axis)));
        let sample = |level| Lookup::Sample {
            coords,
            projected: false,
            level,
            reference,
            offset,
        };
        match self.kind {
            QuestionKind::Implicit => sample(LevelOfDetail::Implicit),
            QuestionKind::LevelZero => sample(LevelOfDetail::Explicit([0.0; LANES])),
            QuestionKind::Bias => sample(LevelOfDetail::Bias(float(Argument::PARAM))),
            QuestionKind::Level => sample(LevelOfDetail::Explicit(float(Argument::PARAM))),
            QuestionKind::Gradients => sample(LevelOfDetail::Gradients(Gradients {
                dx: floats(Argument::DX),
                dy: floats(Argument::DY),
            })),
            QuestionKind::Fetch => Lookup::Fetch {
                at: [0, 1, 2, 3].map(|axis| int(Argument::COORDS + axis)),
                offset,
            },
            QuestionKind::Size => Lookup::Size {
                level: int(Argument::COORDS),
            },
            QuestionKind::Gather => Lookup::Gather {
                coords,
                component: self.texture.gather,
                reference,
                offset,
            },
            QuestionKind::LevelOfDetail => Lookup::LevelOfDetail { coords },
            QuestionKind::Samples => Lookup::Samples,
        }
    }
}

/// As `xtxb:t3[]:2d_array:offset:vertex`.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = QuestionKind::ALL[self.kind as usize];
        let texture = &self.texture;
        let relative = if self.relative { "[]" } else { "" };
        write!(f, "{name}:t{}{relative}:{}", texture.unit, texture.target)?;
        if self.kind == QuestionKind::Gather {
            write!(f, ":{}", texture.gather.letter())?;
        }
        f.write_str(if self.reference { ":reference" } else { "" })?;
        f.write_str(if self.offset { ":offset" } else { "" })?;
        write!(f, ":{}", self.stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_survive_as_numbers() {
        for (number, (kind, _)) in (0..).zip(QuestionKind::ALL) {
            assert_eq!(kind as u64, number);
            let gather = kind == QuestionKind::Gather;
            for flags in 0..16 {
                let question = Question {
                    kind,
                    texture: TextureAccess {
                        gather: if gather { Component::Z } else { Component::X },
                        level_zero: kind == QuestionKind::LevelZero,
                        ..TextureAccess::new(
                            31,
                            TextureTarget::Named {
                                shape: TextureShape::ALL[flags % 11],
                                shadow: flags & 8 != 0,
                            },
                        )
                    },
                    reference: flags & 1 != 0,
                    offset: flags & 2 != 0,
                    relative: flags & 4 != 0,
                    stage: if flags & 8 != 0 {
                        Stage::Vertex
                    } else {
                        Stage::Fragment
                    },
                };
                assert_eq!(Question::from_site(question.site()), question);
            }
        }
    }
}
