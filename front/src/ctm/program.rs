//! A program that has been read.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use attila_isa::{Component, CtmModifier, Slots};

use super::opcode::CtmOpcode;

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct CtmProgram {
    /// `option mulz`: products with a factor of either zero are +0.
    pub zero_wins: bool,
    /// The constants that the text gives values, as bits.
    pub constants: BTreeMap<u16, [u32; 4]>,
    /// The lines with instructions, in order.
    pub lines: Vec<Line>,
    /// The length of the text in bytes.
    pub end: usize,
}

/// A line. Both halves read what registers held before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The half for r, g and b.
    pub rgb: Option<Half>,
    /// The half for a.
    pub alpha: Option<Half>,
}

impl Line {
    /// The halves that it has, `rgb` first.
    pub fn halves(&self) -> impl Iterator<Item = &Half> {
        self.rgb.iter().chain(&self.alpha)
    }
}

/// The kinds of halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// Computes r, g and b.
    Rgb,
    /// Computes a.
    Alpha,
}

impl Unit {
    /// Both.
    pub const ALL: [Unit; 2] = [Unit::Rgb, Unit::Alpha];

    /// The word that halves begin with.
    pub const fn word(self) -> &'static str {
        match self {
            Unit::Rgb => "rgb",
            Unit::Alpha => "alpha",
        }
    }

    /// The unit of the line's other half.
    pub const fn other(self) -> Unit {
        match self {
            Unit::Rgb => Unit::Alpha,
            Unit::Alpha => Unit::Rgb,
        }
    }

    /// The components that it computes.
    pub const fn mask(self) -> Slots {
        match self {
            Unit::Rgb => Slots::X.union(Slots::Y).union(Slots::Z),
            Unit::Alpha => Slots::W,
        }
    }
}

/// An operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Half {
    /// The kind of half.
    pub unit: Unit,
    /// The operation.
    pub opcode: CtmOpcode,
    /// What happens to the result.
    pub modifier: CtmModifier,
    /// Whether it is clamped to [0, 1] then.
    pub saturate: bool,
    /// The register of the result; `None` for `_` and `nop`.
    pub destination: Option<Destination>,
    /// The operands.
    pub sources: Vec<Source>,
    /// The place of the operation's name, in bytes of the text.
    pub name: Range<usize>,
    /// The place of the half, in bytes of the text.
    pub span: Range<usize>,
}

/// Where a result goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// A temporary or an output.
    pub register: Register,
    /// The components.
    pub mask: Slots,
    /// Its place, in bytes of the text.
    pub span: Range<usize>,
}

/// The kinds of registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum File {
    /// `t0` to `t27`.
    Temporary,
    /// `c0` to `c255`.
    Constant,
    /// `i0` to `i15`.
    Input,
    /// `o0` to `o15`.
    Output,
}

impl File {
    /// All kinds.
    pub const ALL: [File; 4] = [File::Temporary, File::Constant, File::Input, File::Output];

    /// The letter of names.
    pub const fn letter(self) -> char {
        match self {
            File::Temporary => 't',
            File::Constant => 'c',
            File::Input => 'i',
            File::Output => 'o',
        }
    }

    /// The number of registers.
    pub const fn size(self) -> u16 {
        match self {
            File::Temporary => 28,
            File::Constant => 256,
            File::Input | File::Output => 16,
        }
    }

    /// A register, with the article.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            File::Temporary => "a temporary",
            File::Constant => "a constant",
            File::Input => "an input",
            File::Output => "an output",
        }
    }
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register {
    /// Its kind.
    pub file: File,
    /// Its number.
    pub number: u16,
}

/// As `t3`.
impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file.letter(), self.number)
    }
}

/// An operand: a value, components of it, its absolute value, and that negated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Whether it is negated, last of all.
    pub negate: bool,
    /// Whether its sign is cleared.
    pub absolute: bool,
    /// The value.
    pub value: Value,
    /// The source of each component: all are the same in `alpha` halves.
    pub select: [Select; 3],
    /// Its place, in bytes of the text.
    pub span: Range<usize>,
}

/// The value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// `0`, `half` or `1`: the selectors say which.
    Literal,
    /// A register.
    Register(Register),
    /// A sum or a difference.
    Presubtract(Presubtract),
}

impl Value {
    /// The registers that it is made of.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        let (first, second) = match *self {
            Value::Literal => (None, None),
            Value::Register(register) => (Some(register), None),
            Value::Presubtract(it) => {
                let [first, second] = it.registers();
                (first, second)
            }
        };
        first.into_iter().chain(second)
    }
}

/// What is computed of registers before the operation, on the plain path; each step is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Presubtract {
    /// 1 - 2s.
    Bias(Register),
    /// 1 - s.
    Inv(Register),
    /// p + q.
    Add(Register, Register),
    /// p - q.
    Sub(Register, Register),
}

impl Presubtract {
    /// The words of texts, and the number of registers.
    pub const WORDS: [(&'static str, usize); 4] = [("bias", 1), ("inv", 1), ("add", 2), ("sub", 2)];

    /// The registers that it is made of.
    pub const fn registers(self) -> [Option<Register>; 2] {
        match self {
            Presubtract::Bias(register) | Presubtract::Inv(register) => [Some(register), None],
            Presubtract::Add(first, second) | Presubtract::Sub(first, second) => {
                [Some(first), Some(second)]
            }
        }
    }
}

/// A component of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// A component of the value.
    Component(Component),
    /// `0`.
    Zero,
    /// `h`.
    Half,
    /// `1`.
    One,
}

impl Select {
    /// All selectors, in the order of their codes in the hardware.
    pub const ALL: [Select; 7] = [
        Select::Component(Component::X),
        Select::Component(Component::Y),
        Select::Component(Component::Z),
        Select::Component(Component::W),
        Select::Zero,
        Select::Half,
        Select::One,
    ];

    /// r, g and b.
    pub const RGB: [Select; 3] = [
        Select::Component(Component::X),
        Select::Component(Component::Y),
        Select::Component(Component::Z),
    ];

    /// The letter in texts.
    pub const fn letter(self) -> char {
        match self {
            Select::Component(component) => ['r', 'g', 'b', 'a'][component.index()],
            Select::Zero => '0',
            Select::Half => 'h',
            Select::One => '1',
        }
    }

    /// The class of the component: rgb or alpha; `None` for numbers.
    pub const fn unit(self) -> Option<Unit> {
        match self {
            Select::Component(Component::W) => Some(Unit::Alpha),
            Select::Component(Component::X | Component::Y | Component::Z) => Some(Unit::Rgb),
            Select::Zero | Select::Half | Select::One => None,
        }
    }
}

impl Source {
    /// Whether a component of this class of the value is selected.
    pub fn selects(&self, unit: Unit) -> bool {
        self.select.iter().any(|it| it.unit() == Some(unit))
    }

    /// Whether it is a register with nothing but a sign: the components are in their own places.
    pub fn is_whole_register(&self, unit: Unit) -> bool {
        let own = match unit {
            Unit::Rgb => Select::RGB,
            Unit::Alpha => [Select::Component(Component::W); 3],
        };
        matches!(self.value, Value::Register(_)) && self.select == own
    }
}
