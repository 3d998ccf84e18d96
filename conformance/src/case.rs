//! [`Case`]: a program and everything that it runs on.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use attila_scene::directives::{self, DirectiveError, Directives, Order};
use attila_scene::images::{self, ImageBytes};
use attila_scene::line::LineError;
use attila_shader::Engine;
use attila_shader::isa::{
    AsmError, Inputs, Inst, Program, Slots, Stage, TEXTURE_UNITS, ValidProgram, ValidateError,
};
use attila_shader::machine::{Bindings, DEFAULT_FIXED_BITS, DEFAULT_LOOP_BUDGET, QuadState};
use attila_shader::texture::{Sampler, Textures};
use thiserror::Error;

use crate::dice::Dice;
use crate::nan_payload::NanFlow;
use crate::oracle::{self, Fill, Forms, Rounds};
use crate::shrink::program_passes;
use crate::subject::{Fault, Pass, Subject, Tally};
use crate::{generate, textures};

/// A program and everything that it runs on. Attributes are not part of it: they always give the same answer to the same
/// question. So do textures where the case has no images.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The program, and with it the stage.
    pub program: ValidProgram,
    /// The constants that are not 0.
    pub constants: BTreeMap<usize, [u32; 4]>,
    /// The constant buffers that are bound.
    pub buffers: BTreeMap<usize, Vec<[u32; 4]>>,
    /// The words of the storage buffers that are bound, as they are before each run.
    pub storage: BTreeMap<usize, Vec<u32>>,
    /// The quads as they are before the run. Runs in which registers start at 0 use the inputs
    /// only, and the results as something that must be overwritten or left alone.
    pub quads: Vec<QuadState>,
    /// Backward jumps that a lane may take.
    pub loop_budget: u32,
    /// Fraction bits of fixed-point inputs.
    pub fixed_bits: u32,
    /// Images and samplers: unit n has texture n, and the next units have the same textures again.
    pub textures: Vec<(ImageBytes, Sampler)>,
    /// In which order quads ask textures and attributes that are a formula.
    pub order: Order,
    /// The forms in which it is run. Files have all.
    pub forms: Forms,
    /// Other quads that it is run on. Files have none.
    pub rounds: Rounds,
}

impl Case {
    /// A program that runs on one quad of zeros.
    pub fn new(program: ValidProgram) -> Case {
        Case {
            program,
            constants: BTreeMap::new(),
            buffers: BTreeMap::new(),
            storage: BTreeMap::new(),
            quads: vec![QuadState::default()],
            loop_budget: DEFAULT_LOOP_BUDGET,
            fixed_bits: DEFAULT_FIXED_BITS,
            textures: Vec::new(),
            order: Order::default(),
            forms: Forms::default(),
            rounds: Rounds::default(),
        }
    }

    /// The case with more rounds, in half of all forms. It follows from `seed` which.
    pub(crate) fn repeated(self, seed: u32, fill: Fill) -> Case {
        let forms = match seed & 1 {
            0 => Forms::Visible,
            _ => Forms::Shading,
        };
        let rounds = Rounds {
            count: ROUNDS,
            seed,
            fill,
        };
        Case {
            forms,
            rounds,
            ..self
        }
    }

    /// The constants, buffers and limits, without textures and attributes. Storage buffers are copies.
    pub fn bindings(&self) -> Bindings<'_> {
        let mut bindings = Bindings::new()
            .with_loop_budget(self.loop_budget)
            .with_fixed_bits(self.fixed_bits);
        for (&index, &value) in &self.constants {
            bindings.set_constant_bits(index, value);
        }
        for (&index, vectors) in &self.buffers {
            bindings = bindings.with_buffer(index, vectors);
        }
        for (&index, words) in &self.storage {
            let words = words.iter().copied().map(AtomicU32::new).collect();
            bindings = bindings.with_storage(index, words);
        }
        bindings
    }

    /// The textures at all units; `None` if there are none, or a sampler does not fit its image.
    pub(crate) fn bound(&self) -> Option<Textures> {
        let made = self.textures.iter();
        let made = made.map(|(image, sampler)| image.texture(*sampler).map(Arc::new));
        let made = made.collect::<Option<Vec<_>>>()?;
        let mut textures = Textures::new();
        for (unit, texture) in (0..usize::from(TEXTURE_UNITS)).zip(made.iter().cycle()) {
            textures.bind(unit, texture.clone()).ok()?;
        }
        (!made.is_empty()).then_some(textures)
    }

    /// Where results may be a NaN made by arithmetic, if it has made these components of inputs.
    pub(crate) fn nan_flow(&self, inputs: Inputs<Slots>) -> NanFlow {
        let program = self.program.program();
        NanFlow::from(program, inputs, !self.textures.is_empty())
    }

    /// Whether there are textures only if they can be bound.
    pub(crate) fn can_be_bound(&self) -> bool {
        self.textures.is_empty() || self.bound().is_some()
    }

    /// The case with other instructions; `None` if those are not a valid program.
    pub(crate) fn with_insts(&self, insts: Vec<Inst>) -> Option<Case> {
        let program = self.program.program().with_insts(insts).ok()?;
        Some(Case {
            program: program.validate().ok()?,
            ..self.clone()
        })
    }

    /// The stage of the program.
    pub fn stage(&self) -> Stage {
        self.program.program().stage()
    }

    /// The instructions.
    pub fn insts(&self) -> &[Inst] {
        self.program.program().insts()
    }
}

impl Case {
    /// The lines for limits, constants, buffers and images.
    pub(crate) fn settings(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if self.loop_budget != DEFAULT_LOOP_BUDGET {
            let _ = writeln!(text, ";! loop-budget {}", self.loop_budget);
        }
        if self.fixed_bits != DEFAULT_FIXED_BITS {
            let _ = writeln!(text, ";! fixed-bits {}", self.fixed_bits);
        }
        for (&index, &value) in self.constants.iter().filter(|(_, value)| **value != [0; 4]) {
            let _ = writeln!(text, "{}", directives::constant_line(index, value));
        }
        let buffers = self.buffers.iter();
        for (&index, vectors) in buffers.filter(|(_, vectors)| !vectors.is_empty()) {
            let _ = writeln!(text, "{}", directives::buffer_line(index, vectors));
        }
        if self.order == Order::Any {
            let _ = writeln!(text, ";! order any");
        }
        let storage = self.storage.iter();
        for (&index, words) in storage.filter(|(_, words)| !words.is_empty()) {
            let _ = writeln!(text, "{}", directives::storage_line(index, words));
        }
        for (unit, texture) in self.textures.iter().enumerate() {
            images::write(&mut text, unit, texture);
        }
        text
    }

    /// Reads an assembly text with directives. What the directives expect is in the second part.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text.
    pub fn from_text(text: &str) -> Result<(Case, Directives), CaseError> {
        Case::read_with(text, &[])
    }

    /// As [`Case::from_text`], with directives of other names, which are left to the caller.
    pub(crate) fn read_with(text: &str, names: &[&str]) -> Result<(Case, Directives), CaseError> {
        let known = [&images::DIRECTIVES, names].concat();
        let directives = directives::parse(text, &known).map_err(CaseError::Directives)?;
        let program = Program::assemble(text).map_err(CaseError::Assembly)?;
        let program = match directives.stage {
            Some(stage) => program.with_stage(stage),
            None => program,
        };
        let program = program.validate().map_err(CaseError::Program)?;
        let mut case = Case {
            constants: directives.constants.clone(),
            buffers: directives.buffers.clone(),
            storage: directives.storage.clone(),
            quads: directives.start(),
            loop_budget: directives.loop_budget.unwrap_or(DEFAULT_LOOP_BUDGET),
            fixed_bits: directives.fixed_bits.unwrap_or(DEFAULT_FIXED_BITS),
            order: directives.order,
            ..Case::new(program)
        };
        for line in &directives.extensions {
            if images::DIRECTIVES.contains(&line.name.as_str()) {
                images::read(line, &mut case.textures)?;
            }
        }
        Ok((case, directives))
    }
}

/// Rounds of a case beside its first: compiling a program takes as long as running it on a few quads more.
const ROUNDS: u32 = 3;

/// Lines of comments.
pub(crate) fn notes(note: &str) -> String {
    note.lines().map(|line| format!("; {line}\n")).collect()
}

/// The choice of cases.
#[derive(Clone, PartialEq, Debug)]
pub enum CaseOptions {
    /// Random programs, with textures that are a formula.
    Programs(generate::Options),
    /// Random images and samplers, with few programs.
    Textures(textures::Scope),
}

impl Subject for Case {
    type Options = CaseOptions;

    fn make(dice: &mut Dice<'_>, options: &CaseOptions) -> Case {
        let case = match options {
            CaseOptions::Programs(options) => generate::generate(dice, options),
            CaseOptions::Textures(scope) => textures::case(dice, *scope),
        };
        case.repeated(dice.word(), Fill::Registers)
    }

    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
        let agreement = oracle::compare(self, engines);
        for inst in self.insts() {
            tally.add_opcode(inst.op.info().mnemonic);
        }
        let did = agreement.as_ref().copied().unwrap_or_default();
        tally.add("programs", 1);
        tally.add("quads", did.quads);
        if self.textures.is_empty() {
            tally.add("texture and attribute requests", did.requests);
            tally.add("cases with kills", u64::from(did.killed > 0));
            tally.add(
                "cases with a loop budget used up",
                u64::from(did.loop_budget),
            );
        } else {
            tally.add("samples", did.samples);
            tally.add("samples inlined", did.samples.saturating_sub(did.called));
        }
        Ok(agreement.map(drop)?)
    }

    fn is_specified(&self) -> bool {
        let program = self.program.program();
        let dependent = self.nan_flow(Inputs::default()).first_dependent(program);
        dependent.is_none() && self.can_be_bound()
    }

    /// The quads of the round in which engines differ.
    fn at_fault(self, fault: &Fault) -> Case {
        let found = fault.divergence.as_ref();
        found.map_or(self, |divergence| divergence.case.clone())
    }

    fn passes() -> Vec<Pass<Case>> {
        program_passes()
    }

    /// The case as an assembly text with directives. The first line is a comment with `note`.
    fn to_text(&self, note: &str) -> String {
        let (note, settings) = (notes(note), self.settings());
        let mut text = format!("{note};! stage {}\n{settings}", self.stage());
        for line in directives::start_lines(&self.quads) {
            let _ = writeln!(text, "{line}");
        }
        let _ = write!(text, "{}", self.program.program());
        text
    }

    fn read(text: &str) -> Option<Result<Case, String>> {
        let read = Case::from_text(text).map_err(|error| error.to_string());
        Some(read.map(|(case, _)| case))
    }

    fn file_name(&self) -> String {
        "fuzz.attila".to_owned()
    }

    fn check_expectations(text: &str, engines: &[Engine]) -> Result<(), String> {
        let (case, directives) = Case::from_text(text).map_err(|error| error.to_string())?;
        for engine in engines
            .iter()
            .filter(|_| !directives.expectations.is_empty())
        {
            let name = engine.name();
            let quads = oracle::run(&case, engine).map_err(|error| format!("{name}: {error}"))?;
            let unmet = directives.unmet(&quads);
            if !unmet.is_empty() {
                return Err(format!("{name}:\n{}", unmet.join("\n")));
            }
        }
        Ok(())
    }
}

/// Why a text is not a case.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CaseError {
    /// Directives that are not right.
    #[error("{}", lines(.0))]
    Directives(Vec<DirectiveError>),
    /// The program does not assemble.
    #[error("{0}")]
    Assembly(AsmError),
    /// The program is not valid.
    #[error("{0}")]
    Program(ValidateError),
    /// A line about an image or a draw is not right.
    #[error(transparent)]
    Line(#[from] LineError),
}

fn lines(errors: &[DirectiveError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("\n")
}
