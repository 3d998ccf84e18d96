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
        }
    }

    /// The suffix of a mnemonic that names the path.
    pub const fn suffix(self) -> &'static str {
        match self {
            ResultPath::Plain => "",
            ResultPath::Saturate => "_sat",
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
    }
}
