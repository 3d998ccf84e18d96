//! [`Dialect`]: the languages that programs are written in, as far as their tokens differ.

use crate::answer::SymbolKind;

/// The language of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// ATTILA assembly.
    Assembly,
    /// OpenGL's ARB programs.
    Arb,
    /// Gallium's TGSI.
    Tgsi,
    /// Flash's AGAL.
    Agal,
    /// CTM programs.
    Ctm,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 5] = [
        Dialect::Assembly,
        Dialect::Arb,
        Dialect::Tgsi,
        Dialect::Agal,
        Dialect::Ctm,
    ];

    /// The name, as in `front::LANGUAGES`.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Assembly => "ATTILA",
            Dialect::Arb => "ARB",
            Dialect::Tgsi => "TGSI",
            Dialect::Agal => "AGAL",
            Dialect::Ctm => "CTM",
        }
    }

    /// The dialect of a language of `front::LANGUAGES`.
    pub(crate) fn of(language: &str) -> Dialect {
        let known = Dialect::ALL.into_iter().find(|it| it.name() == language);
        known.unwrap_or(Dialect::Assembly)
    }

    /// The words that comments begin with.
    pub const fn comments(self) -> &'static [&'static str] {
        match self {
            Dialect::Assembly | Dialect::Tgsi => &[";", "#", "//"],
            Dialect::Arb | Dialect::Ctm => &["#"],
            Dialect::Agal => &["//"],
        }
    }

    /// The characters that end lines, and comments with them.
    pub(crate) const fn breaks(self) -> &'static [char] {
        match self {
            Dialect::Assembly | Dialect::Ctm => &['\n'],
            Dialect::Arb | Dialect::Tgsi => &['\n', '\r'],
            Dialect::Agal => &['\n', '\r', '\u{b}', '\u{c}'],
        }
    }

    /// Whether a semicolon ends statements.
    pub(crate) const fn has_semicolons(self) -> bool {
        match self {
            Dialect::Arb | Dialect::Ctm => true,
            Dialect::Assembly | Dialect::Tgsi | Dialect::Agal => false,
        }
    }

    /// The letters that numbered registers begin with, and their kinds.
    pub(crate) const fn registers(self) -> &'static [(&'static str, SymbolKind)] {
        use SymbolKind::{Constant, Input, Output, Register, Temporary};
        match self {
            Dialect::Assembly => &[
                ("i", Input),
                ("o", Output),
                ("r", Temporary),
                ("c", Constant),
                ("a", Register),
                ("p", Register),
                ("t", Register),
                ("s", Register),
                ("b", Register),
                ("u", Register),
            ],
            Dialect::Ctm => &[
                ("i", Input),
                ("o", Output),
                ("t", Temporary),
                ("c", Constant),
            ],
            Dialect::Agal => &[
                ("va", Input),
                ("v", Input),
                ("vi", Input),
                ("fi", Input),
                ("i", Input),
                ("vc", Constant),
                ("fc", Constant),
                ("vt", Temporary),
                ("ft", Temporary),
                ("op", Output),
                ("vo", Output),
                ("oc", Output),
                ("fo", Output),
                ("od", Output),
                ("fd", Output),
                ("fs", Register),
                ("vs", Register),
            ],
            Dialect::Tgsi => &[
                ("IN", Input),
                ("OUT", Output),
                ("TEMP", Temporary),
                ("CONST", Constant),
                ("IMM", Constant),
                ("ADDR", Register),
                ("PRED", Register),
                ("SAMP", Register),
                ("SVIEW", Register),
                ("SV", Input),
                ("BUFFER", Register),
                ("IMAGE", Register),
                ("MEMORY", Register),
                ("TEMPARRAY", Register),
            ],
            Dialect::Arb => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::front;

    use super::*;

    #[test]
    fn every_language_is_a_dialect() {
        let dialects = Dialect::ALL.iter().skip(1).map(|it| it.name());
        assert!(dialects.eq(front::LANGUAGES.iter().map(|it| it.name)));
        for language in front::LANGUAGES {
            assert_eq!(Dialect::of(language.name).name(), language.name);
        }
    }
}
