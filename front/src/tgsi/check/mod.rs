//! Looks registers up and checks the rules that a program has to keep.
//!
//! Declarations are looked at first, wherever they stand, then instructions in their order, then
//! their connections: calls, jumps and the stack. Mistakes are reported, and the rest is still checked.

mod arrays;
mod calls;
mod declare;
mod declared;
mod doubles;
mod flow;
mod instruction;
mod labels;
mod operand;
mod ports;
mod property;
mod register;
mod stack;
mod texture;
mod varying;

use std::collections::BTreeSet;
use std::ops::Range;

use attila_isa::{Diagnostics, Remark, code};

use super::Options;
use super::dialect::Dialect;
use super::marks::Marks;
use super::program::{Properties, TgsiProgram};
use super::syntax::{Broken, Statement};
use super::table::Feature;
use super::words::{File, Processor, PropertyName};
use crate::back::MAX_INLINED;

use arrays::ArrayUses;
use declared::Declared;
use flow::Structure;

/// The most instructions of a text, and of a program with its calls in place.
pub const MAX_INSTRUCTIONS: usize = MAX_INLINED;

/// A rule that is broken: `None` where the reason has been reported already.
type Checked<T> = Result<T, Option<Remark>>;

fn wrong<T>(span: Range<usize>, message: impl Into<String>) -> Checked<T> {
    Err(Some(Remark::new(span, message)))
}

/// A register whose absence has been reported.
type Missing = (File, u32, u32);

struct Checker<'c> {
    relaxed: bool,
    diagnostics: &'c mut Diagnostics,
    declared: Declared,
    /// The vertices of a primitive that enters a geometry program.
    vertices: Option<u32>,
    /// The features that have been refused.
    refused: BTreeSet<Feature>,
    missing: BTreeSet<Missing>,
    /// The registers that are written beyond the components that they are declared with.
    narrowed: BTreeSet<(File, Option<u32>)>,
    /// The properties that the text names.
    named: BTreeSet<PropertyName>,
    /// Whether an immediate was faulty, so that the numbers of the others cannot be told.
    broken_immediates: bool,
    /// The first float written in hexadecimal digits, and the first that was not.
    float_forms: [Option<Range<usize>>; 2],
    uses: ArrayUses,
    structure: Structure,
    /// Whether a number before an instruction has been reported.
    misnumbered: bool,
    program: TgsiProgram,
}

/// Checks the statements of a program.
pub(super) fn check(
    processor: Processor,
    statements: &[Statement<'_>],
    options: &Options,
    end: usize,
    diagnostics: &mut Diagnostics,
) -> TgsiProgram {
    let (found, remark) = Marks::of(statements).dialect();
    if options.dialect.is_none() {
        remark
            .into_iter()
            .for_each(|remark| diagnostics.warn(remark));
    }
    let dialect = options.dialect.unwrap_or(found);
    let mut checker = Checker {
        relaxed: options.relaxed,
        diagnostics,
        declared: Declared::default(),
        vertices: None,
        refused: BTreeSet::new(),
        missing: BTreeSet::new(),
        narrowed: BTreeSet::new(),
        named: BTreeSet::new(),
        broken_immediates: false,
        float_forms: [None, None],
        uses: ArrayUses::default(),
        structure: Structure::default(),
        misnumbered: false,
        program: empty(processor, dialect),
    };
    checker.declarations(statements, end);
    checker.instructions(statements);
    checker.connections(end);
    checker.program
}

fn empty(processor: Processor, dialect: Dialect) -> TgsiProgram {
    TgsiProgram {
        processor,
        dialect,
        properties: Properties::default(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        system_values: Vec::new(),
        constants: Vec::new(),
        immediates: Vec::new(),
        immediate_arrays: Vec::new(),
        temporaries: 0,
        addresses: 0,
        predicates: 0,
        arrays: Vec::new(),
        samplers: BTreeSet::new(),
        views: Vec::new(),
        buffers: BTreeSet::new(),
        instructions: Vec::new(),
        main: Vec::new(),
        routines: Vec::new(),
        stack: 0,
        warnings: Vec::new(),
    }
}

impl Checker<'_> {
    fn report(&mut self, problem: Option<Remark>) {
        if let Some(remark) = problem {
            self.diagnostics.error(remark);
        }
    }

    /// Reports a mistake, if there is one.
    fn note<T>(&mut self, checked: Checked<T>) -> Option<T> {
        checked.map_err(|problem| self.report(problem)).ok()
    }

    fn warn(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.diagnostics.warn(Remark::new(span, message));
    }

    /// Refuses something that is not supported. Each kind is reported once.
    fn refuse(&mut self, feature: Feature, what: &str, span: Range<usize>) {
        if self.refused.insert(feature) {
            self.diagnostics
                .error(Remark::new(span, feature.refusal(what)).code(&code::text::ABSENT));
        }
    }

    fn declarations(&mut self, statements: &[Statement<'_>], end: usize) {
        // The number of vertices that inputs have is a property.
        for statement in statements {
            if let Statement::Property(property) = statement {
                self.property(property);
            }
        }
        for statement in statements {
            match statement {
                Statement::Declaration(declaration) => {
                    let file = declaration.file;
                    let checked = self.declaration(declaration);
                    if self.note(checked).is_none() {
                        self.declared.of_mut(file).broken = true;
                    }
                }
                Statement::Immediate(immediate) => self.immediate(immediate),
                Statement::Broken(Broken::Declaration(file), _) => match file {
                    Some(file) => self.declared.of_mut(*file).broken = true,
                    None => File::ALL.iter().for_each(|file| {
                        self.declared.of_mut(*file).broken = true;
                    }),
                },
                Statement::Broken(Broken::Immediate, _) => {
                    self.broken_immediates = true;
                    self.declared.of_mut(File::Immediate).broken = true;
                }
                Statement::Broken(Broken::Instruction(_) | Broken::Other, _)
                | Statement::Property(_)
                | Statement::Instruction(_) => {}
            }
        }
        self.list_constants();
        self.whole_program(end);
    }

    fn instructions(&mut self, statements: &[Statement<'_>]) {
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => {
                    if !self.has_room(&instruction.span) {
                        return;
                    }
                    self.instruction(instruction);
                }
                Statement::Broken(Broken::Instruction(opcode), span) => {
                    if !self.has_room(span) {
                        return;
                    }
                    self.broken_instruction(*opcode, span.clone());
                }
                Statement::Broken(
                    Broken::Declaration(_) | Broken::Immediate | Broken::Other,
                    _,
                )
                | Statement::Declaration(_)
                | Statement::Immediate(_)
                | Statement::Property(_) => {}
            }
        }
    }

    /// Whether another instruction may follow.
    fn has_room(&mut self, span: &Range<usize>) -> bool {
        let has_room = self.program.instructions.len() < MAX_INSTRUCTIONS;
        if !has_room {
            let message = format!("a program has at most {MAX_INSTRUCTIONS} instructions");
            self.diagnostics
                .error(Remark::new(span.clone(), message).code(&code::text::LIMIT));
            self.structure.is_cut = true;
        }
        has_room
    }

    fn connections(&mut self, end: usize) {
        self.finish_structure(end);
        self.check_labels();
        self.check_ports();
        self.resolve_calls();
        if !self.diagnostics.has_errors() {
            self.check_stack();
            self.finish_arrays();
        }
    }
}
