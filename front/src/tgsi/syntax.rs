//! Statements as they are written: registers are not looked up yet.

use std::ops::Range;

/// A word and where it is.
pub(super) use attila_isa::text::Word as Name;

use super::table::OpcodeName;
use super::words::{File, ImmediateType};

/// A number and where it is.
pub(super) type Number = (u32, Range<usize>);

/// The content of brackets.
#[derive(Clone, Debug)]
pub(super) struct Index<'a> {
    pub(super) kind: IndexKind<'a>,
    /// The brackets and their content.
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum IndexKind<'a> {
    /// `[4]`.
    Number(u32),
    /// `[ADDR[0].x + 1]`.
    Relative(Box<Relative<'a>>),
}

/// An index that is computed.
#[derive(Clone, Debug)]
pub(super) struct Relative<'a> {
    pub(super) file: File,
    pub(super) register: u32,
    pub(super) component: Option<Name<'a>>,
    pub(super) offset: i64,
    /// From the file to the component.
    pub(super) span: Range<usize>,
}

/// A register, with its components.
#[derive(Clone, Debug)]
pub(super) struct Register<'a> {
    pub(super) file: File,
    /// The file as the text spells it.
    pub(super) word: &'a str,
    pub(super) first: Index<'a>,
    /// The register, where the first index is a dimension.
    pub(super) second: Option<Index<'a>>,
    /// The array, by its number.
    pub(super) array: Option<Number>,
    /// The components after the point.
    pub(super) components: Option<Name<'a>>,
    /// From the file to the components.
    pub(super) span: Range<usize>,
}

/// A destination or a source.
#[derive(Clone, Debug)]
pub(super) struct Operand<'a> {
    pub(super) negate: bool,
    pub(super) absolute: bool,
    pub(super) register: Register<'a>,
    /// With the modifiers.
    pub(super) span: Range<usize>,
}

/// A part of the list after an opcode.
#[derive(Clone, Debug)]
pub(super) enum Item<'a> {
    Operand(Operand<'a>),
    /// A texture target, or a word about memory.
    Word(Name<'a>),
}

impl Item<'_> {
    pub(super) fn span(&self) -> Range<usize> {
        match self {
            Item::Operand(operand) => operand.span.clone(),
            Item::Word(word) => word.span(),
        }
    }
}

/// The clamp after an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clamp {
    /// `_SAT`.
    Unsigned,
    /// `_SATNV`.
    Signed,
}

/// `(!PRED[0].xyzw)`.
#[derive(Clone, Debug)]
pub(super) struct Guard<'a> {
    pub(super) negate: bool,
    pub(super) register: Register<'a>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Instruction<'a> {
    /// The number before the colon.
    pub(super) number: Option<Number>,
    pub(super) guard: Option<Box<Guard<'a>>>,
    pub(super) opcode: OpcodeName,
    pub(super) clamp: Option<Clamp>,
    pub(super) precise: bool,
    /// The opcode with its suffixes.
    pub(super) word: Name<'a>,
    pub(super) items: Vec<Item<'a>>,
    /// The number after the colon.
    pub(super) label: Option<Number>,
    /// From the opcode, or the guard, to the last operand.
    pub(super) span: Range<usize>,
}

/// The content of brackets in a declaration.
#[derive(Clone, Debug)]
pub(super) enum Extent {
    /// `[]`.
    Open,
    /// `[0..3]`, or `[0]`.
    Range(u32, u32),
}

/// A word after a comma of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'a> {
    pub(super) word: Name<'a>,
    /// The number between brackets.
    pub(super) index: Option<Number>,
    /// The numbers between parentheses.
    pub(super) arguments: Vec<Number>,
    pub(super) span: Range<usize>,
}

/// `DCL`.
#[derive(Clone, Debug)]
pub(super) struct Declaration<'a> {
    pub(super) file: File,
    /// The file as the text spells it.
    pub(super) word: &'a str,
    pub(super) first: (Extent, Range<usize>),
    pub(super) second: Option<(Extent, Range<usize>)>,
    pub(super) mask: Option<Name<'a>>,
    pub(super) attributes: Vec<Attribute<'a>>,
    /// The vectors of a T7 array.
    pub(super) values: Vec<[u32; 4]>,
    pub(super) span: Range<usize>,
}

/// `IMM`.
#[derive(Clone, Debug)]
pub(super) struct Immediate {
    pub(super) number: Option<Number>,
    pub(super) kind: ImmediateType,
    /// The words of the vector.
    pub(super) bits: [u32; 4],
    /// The first number that is written in hexadecimal digits, and the first that is not.
    pub(super) forms: [Option<Range<usize>>; 2],
    pub(super) span: Range<usize>,
}

/// A value of a property.
#[derive(Clone, Debug)]
pub(super) enum PropertyValue<'a> {
    Number(u32),
    Word(Name<'a>),
}

/// `PROPERTY`.
#[derive(Clone, Debug)]
pub(super) struct Property<'a> {
    pub(super) name: Name<'a>,
    pub(super) value: PropertyValue<'a>,
    pub(super) value_span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Statement<'a> {
    Declaration(Box<Declaration<'a>>),
    Immediate(Box<Immediate>),
    Property(Property<'a>),
    Instruction(Box<Instruction<'a>>),
    /// A statement with a mistake, which has been reported, and its place.
    Broken(Broken, Range<usize>),
}

/// The known facts about a statement with a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Broken {
    /// An instruction; its opcode, where it could be read.
    Instruction(Option<OpcodeName>),
    /// A declaration: registers of its file cannot be told from undeclared ones.
    Declaration(Option<File>),
    /// An immediate.
    Immediate,
    /// A property, or a statement that begins like none.
    Other,
}
