//! The computation of each opcode that the evaluator has.

use attila_shader::front::tgsi::{Dialect, TgsiOpcode, TgsiProgram};

use super::{floats, words};

/// The facts about a text that its operations depend on.
pub(super) struct Rules {
    pub(super) dialect: Dialect,
    /// Whether a product with a factor 0 is 0.
    pub(super) zero_wins: bool,
}

impl Rules {
    pub(super) fn of(program: &TgsiProgram) -> Rules {
        Rules {
            dialect: program.dialect,
            zero_wins: program.properties.zero_wins,
        }
    }
}

/// The computation of an opcode.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// A float of one component of up to three sources.
    Each(fn(&Rules, [f32; 3]) -> f32),
    /// A vector of up to three sources.
    Vector(fn(&Rules, [[f32; 4]; 3]) -> [f32; 4]),
    /// A word of one component of up to four sources.
    Words(fn([u32; 4]) -> u32),
    /// The words of up to four sources.
    Bits(fn([[u32; 4]; 4]) -> [u32; 4]),
}

const TABLES: [&[(TgsiOpcode, Rule)]; 4] = [
    floats::EACH,
    floats::VECTORS,
    words::INTEGERS,
    words::CONVERSIONS,
];

impl Rule {
    /// The computation of an opcode; `None` if the evaluator has none, or it is no matter of one lane.
    pub(super) fn of(opcode: TgsiOpcode) -> Option<Rule> {
        let mut rows = TABLES.into_iter().flatten();
        rows.find(|row| row.0 == opcode).map(|row| row.1)
    }

    /// The result for one lane.
    pub(super) fn apply(self, rules: &Rules, sources: [[u32; 4]; 4]) -> [u32; 4] {
        let [a, b, c, _] = sources.map(|source| source.map(f32::from_bits));
        match self {
            Rule::Each(each) => std::array::from_fn(|n| each(rules, [a[n], b[n], c[n]]).to_bits()),
            Rule::Vector(vector) => vector(rules, [a, b, c]).map(f32::to_bits),
            Rule::Words(word) => std::array::from_fn(|n| word(sources.map(|source| source[n]))),
            Rule::Bits(bits) => bits(sources),
        }
    }
}
