//! Random operands.

use attila_shader::front::tgsi::{Dialect, Type};

use super::{ARRAY, CONSTANTS, Generator, VECTORS};

/// The values that a register holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Floats,
    Words,
    /// Two in a register.
    Doubles,
}

impl Generator<'_, '_> {
    /// Adds an immediate, and returns its number.
    pub(super) fn immediate(&mut self, kind: Type) -> usize {
        if kind == Type::Double {
            return self.doubles();
        }
        let numbers = [0; 4].map(|_| match kind {
            Type::Int => self.dice.between(-9, 40).to_string(),
            Type::Uint => crate::values::word(self.dice).to_string(),
            Type::Float | Type::Double | Type::Untyped => match self.dice.percent(50) {
                true => format!("0x{:08x}", crate::values::float(self.dice)),
                false => format!("{:.4}", self.dice.within(-4.0, 4.0)),
            },
        });
        let word = match kind {
            Type::Int => "INT32",
            Type::Uint => "UINT32",
            Type::Float | Type::Double | Type::Untyped => "FLT32",
        };
        self.immediates
            .push(format!("{word} {{ {} }}", numbers.join(", ")));
        self.immediates.len() - 1
    }

    /// Adds an immediate of two doubles.
    fn doubles(&mut self) -> usize {
        let numbers = [0; 2].map(|_| match self.dice.percent(60) {
            true => {
                let [low, high] = crate::values::double(self.dice);
                format!("0x{high:08x}{low:08x}")
            }
            false => format!("{:.4}", self.dice.within(-4.0, 4.0)),
        });
        self.immediates
            .push(format!("FLT64 {{ {} }}", numbers.join(", ")));
        self.immediates.len() - 1
    }

    /// A component of a register that holds an address: any number, or one between 0 and 3.
    pub(super) fn address(&mut self, is_small: bool) -> String {
        let letter = self.dice.pick(&["x", "y", "z", "w"]);
        if is_small {
            return format!("ADDR[1].{letter}");
        }
        let has_words = self.dialect != Dialect::T7 && self.dice.percent(20);
        match has_words {
            true => {
                let number = self.dice.below(self.words);
                format!("{}.{letter}", self.word(number))
            }
            false => format!("ADDR[{}].{letter}", self.dice.below(2)),
        }
    }

    /// A relative index: an address and an offset up to `most`.
    fn index(&mut self, is_small: bool, least: i32, most: i32) -> String {
        let address = self.address(is_small);
        match self.dice.between(least, most) {
            0 => address,
            offset => format!("{address}{offset:+}"),
        }
    }

    /// A register of an array in temporaries.
    fn element(&mut self, kind: Kind) -> String {
        let is_relative = self.relative && self.dice.percent(60);
        let place = self.dice.below(ARRAY);
        if self.dialect == Dialect::T7 {
            let (file, start) = match kind {
                Kind::Floats => ("TEMP", self.floats),
                Kind::Words | Kind::Doubles => ("TEMPX[1]", 0),
            };
            let index = match is_relative {
                true => self.index(false, start as i32 - 2, start as i32 + 3),
                false => (start + place).to_string(),
            };
            return format!("{file}[{index}]");
        }
        let array = if kind == Kind::Floats { 1 } else { 2 };
        let start = self.array_start(array);
        match is_relative {
            true => {
                let index = self.index(false, start as i32 - 2, start as i32 + 3);
                format!("TEMP[{index}]({array})")
            }
            false => format!("TEMP[{}]", start + place),
        }
    }

    fn temporary(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Floats => {
                let number = self.dice.below(self.floats);
                self.float(number)
            }
            Kind::Doubles if self.doubles > 0 => {
                let number = self.dice.below(self.doubles);
                self.double_register(number)
            }
            Kind::Words | Kind::Doubles => {
                let number = self.dice.below(self.words);
                self.word(number)
            }
        }
    }

    fn constant(&mut self) -> String {
        let buffer = match self.buffers > 1 && self.dice.percent(40) {
            true => "[1]",
            false => "",
        };
        let index = match self.relative && self.dice.percent(30) {
            true => self.index(true, 0, CONSTANTS as i32 - 4),
            false => self.dice.below(CONSTANTS).to_string(),
        };
        format!("CONST{buffer}[{index}]")
    }

    fn text_words(&mut self, kind: Kind) -> String {
        if self.dialect == Dialect::T7 && self.dice.percent(40) {
            return match self.relative && self.dice.percent(40) {
                true => format!("IMMX[{}]", self.address(true)),
                false => format!("IMMX[{}]", self.dice.below(VECTORS)),
            };
        }
        if self.relative && self.dice.percent(20) {
            return format!("IMM[{}]", self.index(true, 0, 1));
        }
        let number = match self.dice.percent(40) {
            true => self.immediate(match kind {
                Kind::Floats => Type::Float,
                // Other dialects have no immediates that are doubles.
                Kind::Doubles if self.dialect == Dialect::T23 => Type::Double,
                Kind::Words | Kind::Doubles => Type::Uint,
            }),
            false => self.dice.below(self.immediates.len()),
        };
        format!("IMM[{number}]")
    }

    /// An input. Positions of fragments are no words, as they may be computed.
    fn input_read(&mut self, kind: Kind) -> String {
        let any = kind == Kind::Floats || !self.is_fragment;
        if any && self.relative && self.dice.percent(25) {
            return format!("IN[{}]", self.index(false, -1, 3));
        }
        match any {
            true => format!("IN[{}]", self.dice.below(self.inputs)),
            false => self.word_input(),
        }
    }

    /// An input that is not the position.
    pub(super) fn word_input(&mut self) -> String {
        match self.dice.below(self.inputs) {
            1 => "IN[0]".to_owned(),
            number => format!("IN[{number}]"),
        }
    }

    /// A register that is read.
    pub(super) fn read(&mut self, kind: Kind) -> String {
        match self.dice.below(20) {
            0..=8 => self.temporary(kind),
            10 | 14 | 19 if kind == Kind::Words && self.system_values > 0 => {
                format!("SV[{}]", self.dice.below(self.system_values))
            }
            9..=11 => self.input_read(kind),
            12..=14 => self.constant(),
            15..=16 => self.text_words(kind),
            17..=18 => self.element(kind),
            // Words are floats, too; the other way round only where nothing has been computed.
            _ if kind == Kind::Floats && self.dice.percent(50) => self.temporary(Kind::Words),
            _ if kind == Kind::Floats => format!("OUT[{}]", self.dice.below(self.outputs)),
            _ if kind == Kind::Words && self.doubles > 0 => self.temporary(Kind::Doubles),
            _ => self.temporary(kind),
        }
    }

    /// A source of an opcode.
    pub(super) fn source(&mut self, kind: Kind) -> String {
        let register = self.read(kind);
        let swizzle = match self.dice.percent(50) {
            true => String::new(),
            false => format!(".{}", self.swizzle()),
        };
        self.signed(&format!("{register}{swizzle}"))
    }

    /// A source with its signs.
    pub(super) fn signed(&mut self, register: &str) -> String {
        let value = match self.dice.percent(10) {
            true => format!("|{register}|"),
            false => register.to_owned(),
        };
        match self.dice.percent(20) {
            true => format!("-{value}"),
            false => value,
        }
    }

    pub(super) fn swizzle(&mut self) -> String {
        let same = self.dice.percent(40);
        let first = self.dice.pick(&['x', 'y', 'z', 'w']);
        let letters = [first; 4].map(|it| match same {
            true => it,
            false => self.dice.pick(&['x', 'y', 'z', 'w']),
        });
        letters.iter().collect()
    }

    /// A component of a register, in all slots.
    pub(super) fn scalar(&mut self, kind: Kind) -> String {
        let register = self.read(kind);
        let letter = self.dice.pick(&["x", "y", "z", "w"]);
        format!("{register}.{}", letter.repeat(4))
    }

    pub(super) fn mask(&mut self) -> String {
        if self.dice.percent(50) {
            return String::new();
        }
        let letters: String = "xyzw".chars().filter(|_| self.dice.percent(50)).collect();
        match letters.is_empty() {
            true => String::new(),
            false => format!(".{letters}"),
        }
    }

    /// A register that is written, with its mask.
    pub(super) fn written(&mut self, kind: Kind) -> String {
        let mask = self.mask();
        let register = self.target(kind);
        match register == "NULL" {
            true => register,
            false => format!("{register}{mask}"),
        }
    }

    /// A register that is written.
    pub(super) fn target(&mut self, kind: Kind) -> String {
        match self.dice.below(40) {
            26..=30 => match self.relative && self.dice.percent(25) {
                true => format!("OUT[{}]", self.index(false, -1, 2)),
                false => format!("OUT[{}]", self.dice.below(self.outputs)),
            },
            31..=36 => self.element(kind),
            37 => "NULL".to_owned(),
            38 if self.dialect == Dialect::T7 => format!("PRED[{}]", self.dice.below(2)),
            // Temporaries of floats hold words, too.
            38..=39 => self.temporary(Kind::Floats),
            _ => self.temporary(kind),
        }
    }
}
