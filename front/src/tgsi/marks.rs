//! Finds out the dialect of a text by what only some dialects have.

use std::ops::Range;

use attila_isa::Remark;

use super::dialect::Dialect;
use super::syntax::{Attribute, Clamp, Declaration, Instruction, Item, Statement};
use super::words::{File, ImmediateType, Location};

/// The first place of each mark.
#[derive(Clone, Default, Debug)]
pub(super) struct Marks {
    /// Marks of T7: KIL, KILP, `_SATNV`, and the files IMMX, TEMPX and PRED.
    t7: Option<Range<usize>>,
    /// Marks of T10 or T23, as UIF and SVIEW.
    later: Option<Range<usize>>,
    /// Marks of T23, as `_PRECISE`, FMA, BUFFER and doubles.
    t23: Option<Range<usize>>,
    /// Opcodes that T23 has lost.
    lost: Option<Range<usize>>,
}

/// The dialects that have a file.
fn dialects_of(file: File) -> &'static [Dialect] {
    match file {
        File::ImmediateArray | File::TemporaryArray | File::Predicate | File::Loop => {
            &[Dialect::T7]
        }
        File::SamplerView => &[Dialect::T10, Dialect::T23],
        File::Resource => &[Dialect::T10],
        File::Image
        | File::Buffer
        | File::Memory
        | File::ConstantBuffer
        | File::HardwareAtomic
        | File::HalfTemporary => &[Dialect::T23],
        File::Null
        | File::Constant
        | File::Input
        | File::Output
        | File::Temporary
        | File::Sampler
        | File::Address
        | File::Immediate
        | File::SystemValue => &Dialect::ALL,
    }
}

impl Marks {
    /// The marks of a text.
    pub(super) fn of(statements: &[Statement<'_>]) -> Marks {
        let mut marks = Marks::default();
        for statement in statements {
            match statement {
                Statement::Declaration(declaration) => marks.declaration(declaration),
                Statement::Immediate(immediate) => match immediate.kind {
                    ImmediateType::Double | ImmediateType::Uint64 | ImmediateType::Int64 => {
                        marks.note(&[Dialect::T23], &immediate.span);
                    }
                    ImmediateType::Float | ImmediateType::Uint | ImmediateType::Int => {}
                },
                Statement::Instruction(instruction) => marks.instruction(instruction),
                Statement::Property(_) | Statement::Broken(..) => {}
            }
        }
        marks
    }

    /// The dialect, and a remark where marks contradict each other.
    pub(super) fn dialect(&self) -> (Dialect, Option<Remark>) {
        let newer = self.later.as_ref().or(self.t23.as_ref());
        match (&self.t7, newer) {
            (Some(older), Some(_)) => {
                let message = "this is of dialect T7, but other words of the text are newer";
                let remark = Remark::new(older.clone(), message);
                let remark = remark.help("the text is taken for T23; the dialect can be chosen");
                (Dialect::T23, Some(remark))
            }
            (Some(_), None) => (Dialect::T7, None),
            (None, _) if self.t23.is_none() && self.lost.is_some() => (Dialect::T10, None),
            (None, _) => (Dialect::T23, None),
        }
    }

    /// Notes something that some dialects have.
    fn note(&mut self, dialects: &[Dialect], span: &Range<usize>) {
        let has = |dialect| dialects.contains(&dialect);
        let mark = match (has(Dialect::T7), has(Dialect::T10), has(Dialect::T23)) {
            (true, false, false) => &mut self.t7,
            (_, true, false) => &mut self.lost,
            (false, true, true) => &mut self.later,
            (false, false, true) => &mut self.t23,
            (true, _, true) | (false, false, false) => return,
        };
        mark.get_or_insert_with(|| span.clone());
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        self.note(dialects_of(declaration.file), &declaration.span);
        for Attribute { word, span, .. } in &declaration.attributes {
            let is = |name: &str| word.text.eq_ignore_ascii_case(name);
            if is("ARRAY") || is("LOCAL") {
                self.note(&[Dialect::T10, Dialect::T23], span);
            } else if is("INVARIANT") || is("STREAM") || Location::find(word.text).is_some() {
                self.note(&[Dialect::T23], span);
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction<'_>) {
        let span = instruction.word.span();
        self.note(instruction.opcode.dialects, &span);
        if instruction.clamp == Some(Clamp::Signed) || instruction.guard.is_some() {
            self.note(&[Dialect::T7], &span);
        }
        if instruction.precise {
            self.note(&[Dialect::T23], &span);
        }
        for item in &instruction.items {
            if let Item::Operand(operand) = item {
                self.note(dialects_of(operand.register.file), &operand.span);
            }
        }
    }
}
