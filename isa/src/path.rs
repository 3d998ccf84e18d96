//! [`ResultPath`]: the way of a result to its register.

/// How a float result is changed on its way to the register. In base programs a path that is not
/// plain inverts a predicate, and has no effect on integers and the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ResultPath {
    /// Not at all.
    #[default]
    Plain,
    /// Clamped to [0, 1]; NaN gives 1.
    Saturate,
    /// Clamped to [-1, 1]; NaN gives +0, and -0 stays. Extended profile, float results only.
    SaturateSigned,
    /// As ATI's CTM has it. Extended profile, float results only.
    Ctm {
        /// What happens to the result.
        modifier: CtmModifier,
        /// Whether it is clamped to [0, 1] then; NaN and -0 stay. Nothing clamps a raw result.
        saturate: bool,
    },
}

/// What the CTM path does with a result before it clamps it: a NaN becomes 7fffffff, a denormal a zero of
/// its sign; the number is multiplied, and a denormal product is a zero again. Operands have no denormals, either.
/// Or nothing at all, but that comparisons take denormals for zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CtmModifier {
    /// Times 1.
    X1,
    /// Times 2.
    X2,
    /// Times 4.
    X4,
    /// Times 8.
    X8,
    /// Times 1/2.
    D2,
    /// Times 1/4.
    D4,
    /// Times 1/8.
    D8,
    /// The bits as they are: for operations that choose one of their operands.
    Raw,
}

impl CtmModifier {
    /// All modifiers, in the order of their codes.
    pub const ALL: [CtmModifier; 8] = [
        CtmModifier::X1,
        CtmModifier::X2,
        CtmModifier::X4,
        CtmModifier::X8,
        CtmModifier::D2,
        CtmModifier::D4,
        CtmModifier::D8,
        CtmModifier::Raw,
    ];

    /// The code in an instruction word.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The factor; `None` if the bits stay as they are.
    pub const fn factor(self) -> Option<f32> {
        match self {
            CtmModifier::X1 => Some(1.0),
            CtmModifier::X2 => Some(2.0),
            CtmModifier::X4 => Some(4.0),
            CtmModifier::X8 => Some(8.0),
            CtmModifier::D2 => Some(0.5),
            CtmModifier::D4 => Some(0.25),
            CtmModifier::D8 => Some(0.125),
            CtmModifier::Raw => None,
        }
    }

    /// The suffix of a mnemonic that names it.
    pub const fn suffix(self) -> &'static str {
        match self {
            CtmModifier::X1 => "_canon",
            CtmModifier::X2 => "_x2",
            CtmModifier::X4 => "_x4",
            CtmModifier::X8 => "_x8",
            CtmModifier::D2 => "_d2",
            CtmModifier::D4 => "_d4",
            CtmModifier::D8 => "_d8",
            CtmModifier::Raw => "_raw",
        }
    }
}

impl ResultPath {
    /// `Saturate` if the condition holds, otherwise `Plain`.
    pub const fn saturate_if(condition: bool) -> ResultPath {
        if condition {
            ResultPath::Saturate
        } else {
            ResultPath::Plain
        }
    }

    /// The path that does what this one does, and then what `next` does; `None` if no path does.
    pub const fn then(self, next: ResultPath) -> Option<ResultPath> {
        match (self, next) {
            (path, ResultPath::Plain) | (ResultPath::Plain, path) => Some(path),
            (ResultPath::Saturate, ResultPath::Saturate | ResultPath::SaturateSigned) => {
                Some(ResultPath::Saturate)
            }
            (ResultPath::SaturateSigned, ResultPath::SaturateSigned) => {
                Some(ResultPath::SaturateSigned)
            }
            // NaN gives 0, which `Saturate` alone does not.
            (ResultPath::SaturateSigned, ResultPath::Saturate) => None,
            (ResultPath::Ctm { .. }, _) | (_, ResultPath::Ctm { .. }) => None,
        }
    }

    /// The modifier of the CTM path.
    pub const fn modifier(self) -> Option<CtmModifier> {
        match self {
            ResultPath::Ctm { modifier, .. } => Some(modifier),
            ResultPath::Plain | ResultPath::Saturate | ResultPath::SaturateSigned => None,
        }
    }

    /// Whether denormals are zeros of their signs on it: those of operands that are floats, and the result.
    pub const fn flushes(self) -> bool {
        match self {
            ResultPath::Ctm { modifier, .. } => modifier.factor().is_some(),
            ResultPath::Plain | ResultPath::Saturate | ResultPath::SaturateSigned => false,
        }
    }

    /// The suffix of a mnemonic that says how the result is clamped.
    pub const fn suffix(self) -> &'static str {
        match self {
            ResultPath::Plain
            | ResultPath::Ctm {
                saturate: false, ..
            } => "",
            ResultPath::Saturate | ResultPath::Ctm { saturate: true, .. } => "_sat",
            ResultPath::SaturateSigned => "_satn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_follow_each_other() {
        use ResultPath::{Plain, Saturate, SaturateSigned};
        for path in [Plain, Saturate, SaturateSigned] {
            assert_eq!(path.then(Plain), Some(path));
            assert_eq!(Plain.then(path), Some(path));
            assert_eq!(path.then(path), Some(path));
        }
        assert_eq!(Saturate.then(SaturateSigned), Some(Saturate));
        assert_eq!(SaturateSigned.then(Saturate), None);
        let ctm = ResultPath::Ctm {
            modifier: CtmModifier::X2,
            saturate: true,
        };
        assert_eq!(ctm.then(Plain), Some(ctm));
        assert_eq!(Saturate.then(ctm), None);
    }
}
