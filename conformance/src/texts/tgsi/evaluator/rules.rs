//! The computation of each opcode that the evaluator has.

use attila_shader::front::tgsi::{Dialect, TgsiOpcode, TgsiProgram};
use attila_shader::isa::Slots;

use super::{doubles, floats, words};

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
    /// A double of one pair of up to three sources.
    Pairs(fn([f64; 3]) -> f64),
    /// The same, which keeps the bits of a NaN.
    Chosen(fn([f64; 2]) -> f64),
    /// A mask of the first pair of two sources in the first written component, and of the second in the second; in T7
    /// the doubles 1 or 0 in the pairs themselves.
    Tests(fn(f64, f64) -> bool),
    /// A word of the first pair in the first written component, and of the second in the second.
    Narrowed(fn(f64) -> u32),
    /// A double of x in xy, and of y in zw.
    Widened(fn(u32) -> f64),
}

const TABLES: [&[(TgsiOpcode, Rule)]; 5] = [
    floats::EACH,
    floats::VECTORS,
    words::INTEGERS,
    words::CONVERSIONS,
    doubles::ROWS,
];

impl Rule {
    /// The computation of an opcode; `None` if the evaluator has none, or it is no matter of one lane.
    pub(super) fn of(opcode: TgsiOpcode) -> Option<Rule> {
        let mut rows = TABLES.into_iter().flatten();
        rows.find(|row| row.0 == opcode).map(|row| row.1)
    }

    /// The result for one lane, of which the components `mask` are written.
    pub(super) fn apply(self, rules: &Rules, sources: [[u32; 4]; 4], mask: Slots) -> [u32; 4] {
        let [a, b, c, _] = sources.map(|source| source.map(f32::from_bits));
        let number = |source: usize, pair| doubles::number(sources[source], pair);
        match self {
            Rule::Each(each) => std::array::from_fn(|n| each(rules, [a[n], b[n], c[n]]).to_bits()),
            Rule::Vector(vector) => vector(rules, [a, b, c]).map(f32::to_bits),
            Rule::Words(word) => std::array::from_fn(|n| word(sources.map(|source| source[n]))),
            Rule::Bits(bits) => bits(sources),
            Rule::Pairs(op) => {
                doubles::joined([0, 1].map(|pair| op([0, 1, 2].map(|n| number(n, pair)))))
            }
            Rule::Chosen(op) => {
                let pair = |pair| op([0, 1].map(|n| number(n, pair))).to_bits();
                doubles::words([0, 1].map(pair))
            }
            Rule::Tests(op) => {
                let holds = |pair| op(number(0, pair), number(1, pair));
                match rules.dialect {
                    Dialect::T7 => {
                        doubles::joined([0, 1].map(|pair| f64::from(u8::from(holds(pair)))))
                    }
                    Dialect::T10 | Dialect::T23 => {
                        in_turn(mask, |pair| if holds(pair) { u32::MAX } else { 0 })
                    }
                }
            }
            Rule::Narrowed(op) => in_turn(mask, |pair| op(number(0, pair))),
            Rule::Widened(op) => doubles::joined([0, 1].map(|pair| op(sources[0][pair]))),
        }
    }
}

/// The word of the first pair in the first component of `mask`, and that of the second in the second.
pub(super) fn in_turn(mask: Slots, word: impl Fn(usize) -> u32) -> [u32; 4] {
    let mut words = [0; 4];
    for (pair, component) in mask.components().take(2).enumerate() {
        words[component.index()] = word(pair);
    }
    words
}
