//! Random instructions on doubles, which are pairs of components.

use attila_shader::front::tgsi::{Dialect, Operand, Reads, TgsiOpcodeInfo, Type};

use super::Generator;
use super::operands::Kind;
use super::statements::kind_of;

/// Whether a row has doubles among its results or sources.
pub(super) fn has_doubles(row: &TgsiOpcodeInfo) -> bool {
    let is_double = |source: &Operand| matches!(source, Operand::Value(Type::Double, _));
    row.form.results.contains(&Type::Double) || row.form.sources.iter().any(is_double)
}

impl Generator<'_, '_> {
    /// The operands of an instruction that reads or writes doubles.
    pub(super) fn double_operands(&mut self, row: &TgsiOpcodeInfo) -> Vec<String> {
        let mut parts = Vec::new();
        let mut pairs = 2;
        let form = row.opcode.form(self.dialect);
        for (place, result) in form.results.iter().enumerate() {
            let (mask, written) = match (result, place) {
                (Type::Double, _) => {
                    self.dice
                        .pick(&[("", 2), (".xyzw", 2), (".xy", 1), (".zw", 1)])
                }
                // An exponent for each mantissa, or in T7 for each pair.
                (_, 1) if self.dialect == Dialect::T7 => {
                    (self.dice.pick(&["", ".x", ".xz", ".yzw"]), 2)
                }
                (_, 1) => match pairs {
                    1 => (self.dice.pick(&[".x", ".y", ".z", ".w"]), 1),
                    _ => (self.dice.pick(&[".x", ".w", ".xy", ".yz", ".xw"]), 1),
                },
                (_, _) => (
                    self.dice.pick(&["", ".x", ".y", ".w", ".xy", ".yw", ".zw"]),
                    2,
                ),
            };
            pairs = pairs.min(written);
            let register = self.target(kind_of(*result, Kind::Words));
            // A register without components takes no mask.
            parts.push(match register == "NULL" {
                true => register,
                false => format!("{register}{mask}"),
            });
        }
        for source in form.sources {
            let Operand::Value(kind, reads) = *source else {
                continue;
            };
            let is_whole = matches!(reads, Reads::Written | Reads::Pairs);
            parts.push(match kind == Type::Double && is_whole {
                true => self.double(),
                false => self.source(kind_of(kind, Kind::Words)),
            });
        }
        parts
    }

    /// A source of doubles: both halves of each are those of one, but for words of the text.
    fn double(&mut self) -> String {
        let register = self.read(Kind::Doubles);
        let is_text = register.starts_with("IMM");
        let swizzle = match is_text && self.dice.percent(50) {
            true => format!(".{}", self.swizzle()),
            false => self
                .dice
                .pick(&["", "", ".xyxy", ".zwzw", ".zwxy"])
                .to_owned(),
        };
        self.signed(&format!("{register}{swizzle}"))
    }
}
