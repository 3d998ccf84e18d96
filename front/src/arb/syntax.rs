//! Statements as they are written: names are not looked up yet.

use std::ops::Range;

/// A word and where it is.
pub(super) use attila_isa::text::Word as Name;
use smallvec::SmallVec;

use super::opcode::ArbOpcode;

/// The content of brackets.
#[derive(Clone, Debug)]
pub(super) struct Index<'a> {
    pub(super) kind: IndexKind<'a>,
    /// The place of the text between the brackets.
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum IndexKind<'a> {
    /// `4`.
    Single(u32),
    /// `0..3`.
    Range(u32, u32),
    /// `A0.x + 1`: a name, the components after it, and an offset.
    Relative {
        address: Name<'a>,
        component: Option<Name<'a>>,
        offset: i64,
    },
}

/// A word of a path, with its index.
#[derive(Clone, Debug)]
pub(super) struct Segment<'a> {
    pub(super) name: Name<'a>,
    /// Boxed, as most words have none.
    pub(super) index: Option<Box<Index<'a>>>,
}

/// Words with dots between them: a variable or a binding, and perhaps a swizzle or a write mask.
#[derive(Clone, Debug)]
pub(super) struct Path<'a> {
    /// The first word.
    pub(super) root: Segment<'a>,
    /// The words after it, mostly one at most.
    pub(super) rest: SmallVec<[Segment<'a>; 1]>,
    /// Where it ends.
    pub(super) end: usize,
}

impl<'a> Path<'a> {
    /// All its words.
    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment<'a>> {
        std::iter::once(&self.root).chain(&self.rest)
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.root.name.start..self.end
    }
}

/// A literal vector.
#[derive(Clone, Debug)]
pub(super) struct Literal<'a> {
    pub(super) value: [f32; 4],
    /// The swizzle after it.
    pub(super) suffix: Option<Segment<'a>>,
    pub(super) span: Range<usize>,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Path(Path<'a>),
    Literal(Literal<'a>),
}

impl Value<'_> {
    pub(super) fn span(&self) -> Range<usize> {
        match self {
            Value::Path(path) => path.span(),
            Value::Literal(literal) => literal.span.clone(),
        }
    }
}

/// A source of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Operand<'a> {
    pub(super) negate: bool,
    pub(super) value: Value<'a>,
    pub(super) span: Range<usize>,
}

/// One of the four selectors of SWZ.
#[derive(Clone, Debug)]
pub(super) struct Selector<'a> {
    pub(super) negate: bool,
    /// A number or a word.
    pub(super) what: Name<'a>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct InstructionSyntax<'a> {
    pub(super) opcode: ArbOpcode,
    pub(super) saturate: bool,
    pub(super) result: Option<Path<'a>>,
    pub(super) operands: SmallVec<[Operand<'a>; 3]>,
    /// Four, or none.
    pub(super) selectors: Vec<Selector<'a>>,
    /// The unit and the target of a texture instruction.
    pub(super) texture: Option<(Path<'a>, Name<'a>)>,
    /// From the opcode to the last operand.
    pub(super) span: Range<usize>,
}

impl<'a> InstructionSyntax<'a> {
    /// One without result and operands, in the place of one that nobody needs any more.
    pub(super) fn begin(
        spare: Option<Box<InstructionSyntax<'a>>>,
        opcode: ArbOpcode,
        saturate: bool,
        span: Range<usize>,
    ) -> Box<InstructionSyntax<'a>> {
        let Some(mut spare) = spare else {
            return Box::new(InstructionSyntax {
                opcode,
                saturate,
                result: None,
                operands: SmallVec::new(),
                selectors: Vec::new(),
                texture: None,
                span,
            });
        };
        (spare.opcode, spare.saturate, spare.span) = (opcode, saturate, span);
        (spare.result, spare.texture) = (None, None);
        spare.operands.clear();
        spare.selectors.clear();
        spare
    }
}

/// The value of a `PARAM`.
#[derive(Clone, Debug)]
pub(super) enum Initializer<'a> {
    One(Value<'a>),
    Array {
        size: Option<(u32, Range<usize>)>,
        items: Vec<Value<'a>>,
    },
}

/// A part of a text that ends with a semicolon.
#[derive(Clone, Debug)]
pub(super) enum Statement<'a> {
    Option(Name<'a>),
    Attrib(Name<'a>, Path<'a>),
    Param(Name<'a>, Initializer<'a>),
    Temp(Vec<Name<'a>>),
    Address(Vec<Name<'a>>),
    Output(Name<'a>, Path<'a>),
    Alias(Name<'a>, Name<'a>),
    Instruction(Box<InstructionSyntax<'a>>),
    /// The names of a declaration with a mistake in it, which has been reported.
    Broken(Vec<Name<'a>>),
}
