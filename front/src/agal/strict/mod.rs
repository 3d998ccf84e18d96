//! The limits of Flash, which no other machine needs.

mod branches;
mod outputs;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_isa::{Component, Severity, Slots, Stage, Swizzle};

use super::check::{number_of, other_options};
use super::finding::{Finding, Findings, number};
use super::opcode::Form;
use super::program::{AgalProgram, File, Location, Register, Source, Token, Version};
use super::sampler::Sampler;

/// The limits of a version.
struct Limits {
    tokens: usize,
    attributes: u16,
    vertex_constants: u16,
    fragment_constants: u16,
    temporaries: u16,
    varyings: u16,
    samplers: u16,
    colours: u16,
    nesting: usize,
}

/// Numbers of the profiles of Context3D.
const fn limits(version: Version) -> Limits {
    let standard = Limits {
        tokens: 1024,
        attributes: 8,
        vertex_constants: 250,
        fragment_constants: 64,
        temporaries: 26,
        varyings: 10,
        samplers: 16,
        colours: 4,
        nesting: 4,
    };
    match version {
        Version::V1 => Limits {
            tokens: 200,
            vertex_constants: 128,
            fragment_constants: 28,
            temporaries: 8,
            varyings: 8,
            samplers: 8,
            colours: 1,
            nesting: 0,
            ..standard
        },
        Version::V2 => standard,
        Version::V3 => Limits {
            tokens: 2048,
            attributes: 16,
            fragment_constants: 200,
            ..standard
        },
    }
}

/// The constants of a stage. Computed ones beyond are 0.
pub(super) const fn constants(version: Version, stage: Stage) -> u16 {
    let limits = limits(version);
    match stage {
        Stage::Vertex => limits.vertex_constants,
        Stage::Fragment | Stage::Geometry | Stage::Compute => limits.fragment_constants,
    }
}

/// Finds what Flash would refuse, although it could be run: with the severity that this has.
pub(super) fn check(program: &AgalProgram, severity: Severity, findings: &mut impl Findings) {
    // In a broken chain of branches, nothing is known to be in one, and a mistake may be what writes an output.
    let is_complete = !findings.has_errors();
    let limits = limits(program.version);
    let (nesting, count) = (limits.nesting, program.tokens.len());
    if let Some(first) = program.tokens.get(limits.tokens) {
        let message = format!("there are {count} tokens; the limit is {}", limits.tokens);
        let finding = Finding::new(&first.span, message);
        findings.add(severity, finding.number(number::TOO_MANY_TOKENS));
    }
    let mut checker = Checker {
        stage: program.stage,
        limits,
        severity,
        refused: BTreeSet::new(),
        written: BTreeMap::new(),
        samplers: BTreeMap::new(),
        findings,
    };
    program.tokens.iter().for_each(|token| checker.token(token));
    if is_complete {
        branches::check(program, nesting, severity, findings);
        outputs::check(program, severity, findings);
    }
}

struct Checker<'a, F> {
    stage: Stage,
    limits: Limits,
    severity: Severity,
    /// Registers that have been refused: once is enough.
    refused: BTreeSet<Register>,
    /// Components of temporaries that are written somewhere before.
    written: BTreeMap<u16, Slots>,
    /// The sampler of each unit at its first use.
    samplers: BTreeMap<u16, Sampler>,
    findings: &'a mut F,
}

impl<F: Findings> Checker<'_, F> {
    fn add(&mut self, span: &Range<usize>, message: impl Into<String>, number: u16) {
        self.add_known(span, message, Some(number));
    }

    fn add_known(&mut self, span: &Range<usize>, message: impl Into<String>, number: Option<u16>) {
        let finding = Finding::new(span, message).known(number);
        self.findings.add(self.severity, finding);
    }

    fn token(&mut self, token: &Token) {
        let slots = token.slots();
        for (index, source) in token.sources.iter().enumerate() {
            match source.location {
                Location::Direct(first) => {
                    let rows = token.opcode.info().form.rows(index);
                    for row in 0..rows {
                        let number = first.number.saturating_add(row);
                        self.source(Register { number, ..first }, source, slots);
                    }
                }
                Location::Indirect {
                    index, component, ..
                } => {
                    self.number(index, &source.span);
                    self.read(index, Slots::only(component), &source.span);
                }
            }
        }
        self.pair(token);
        if let Some((sampler, span)) = &token.sampler {
            self.sampler(*sampler, span);
        }
        if let Some(it) = &token.destination {
            self.number(it.register, &it.span);
            if it.register.file == File::Temporary {
                *self
                    .written
                    .entry(it.register.number)
                    .or_insert(Slots::empty()) |= it.mask;
            }
        }
    }

    /// The rules for two sources.
    fn pair(&mut self, token: &Token) {
        let [first, second] = token.sources.as_slice() else {
            return;
        };
        let opcode = token.opcode;
        let form = opcode.info().form;
        let is_indirect = |source: &Source| matches!(source.location, Location::Indirect { .. });
        if is_indirect(first) && is_indirect(second) {
            let message = format!("both sources of `{opcode}` are computed registers");
            self.add(&token.span, message, number::BOTH_INDIRECT);
        }
        let is_constant = |source: &Source| match source.location {
            Location::Direct(register) => register.file == File::Constant,
            Location::Indirect { .. } => false,
        };
        // Matrices and conditions may be constant as a whole.
        if matches!(form, Form::Vectors(_)) && is_constant(first) && is_constant(second) {
            let message = format!("both sources of `{opcode}` are constants");
            self.add(&token.span, message, number::BOTH_CONSTANT);
        }
        if matches!(form, Form::Matrix(_)) && second.swizzle != Swizzle::IDENTITY {
            let message = format!("the rows of `{opcode}` cannot have a swizzle");
            self.add(&second.span, message, number::MATRIX_SWIZZLE);
        }
        let is_plain = |index: usize| form == Form::Compare || form.rows(1) > 1 && index == 0;
        let mut sources = token.sources.iter().enumerate();
        if let Some((_, source)) = sources.find(|(index, it)| is_plain(*index) && is_indirect(it)) {
            let message = format!("this source of `{opcode}` cannot be a computed register");
            self.add(&source.span, message, number::INDIRECT_OPERAND);
        }
    }

    /// A use of a unit. Flash has one state for each, even if that comes from outside.
    fn sampler(&mut self, sampler: Sampler, span: &Range<usize>) {
        self.number(Register::new(File::Sampler, sampler.unit), span);
        let first = *self.samplers.entry(sampler.unit).or_insert(sampler);
        // Others are mistakes everywhere.
        let are_free = first.ignores_state() && sampler.ignores_state();
        if first != sampler && are_free && first.has_image_of(sampler) {
            let finding = other_options(sampler, first, span);
            self.findings.add(self.severity, finding);
        }
        if sampler.is_cube() && sampler.wrap != 0 {
            self.add(span, "a cube has to be clamped", number::CUBE_WRAP);
        }
        if sampler.is_cube() && sampler.mip == 0 {
            self.add(span, "a cube needs a mip filter", number::CUBE_LEVELS);
        }
    }

    fn source(&mut self, register: Register, source: &Source, slots: Slots) {
        self.number(register, &source.span);
        if register.file == File::Varying && self.stage == Stage::Vertex {
            let message = "a vertex program cannot read what it hands on";
            self.add(&source.span, message, number::VARYING_READ);
        }
        self.read(register, source.swizzle.sources(slots), &source.span);
    }

    /// Checks that components of temporaries are written before.
    fn read(&mut self, register: Register, components: Slots, span: &Range<usize>) {
        if register.file != File::Temporary {
            return;
        }
        let written = self.written.get(&register.number).copied();
        let missing = components - written.unwrap_or(Slots::empty());
        if missing.is_empty() {
            return;
        }
        let number = match written {
            None => number::TEMPORARY_NOT_WRITTEN,
            Some(_) => number::COMPONENT_NOT_WRITTEN,
        };
        let letters: String = missing.components().map(Component::letter).collect();
        let name = register.name(self.stage);
        let message = format!("`{name}.{letters}` is read before it is written");
        self.add(span, message, number);
        // Once is enough.
        *self
            .written
            .entry(register.number)
            .or_insert(Slots::empty()) |= missing;
    }

    /// Checks the number of a register.
    fn number(&mut self, register: Register, span: &Range<usize>) {
        let limits = &self.limits;
        let count = match register.file {
            File::Attribute => limits.attributes,
            File::Constant if self.stage == Stage::Vertex => limits.vertex_constants,
            File::Constant => limits.fragment_constants,
            File::Temporary => limits.temporaries,
            File::Varying => limits.varyings,
            File::Sampler => limits.samplers,
            File::Output if self.stage == Stage::Fragment => limits.colours,
            File::Output | File::Depth | File::Instance => 1,
        };
        if register.number >= count && self.refused.insert(register) {
            let name = register.name(self.stage);
            let message = format!("there is no `{name}`: the limit is {count}");
            self.add_known(span, message, number_of(register.file));
        }
    }
}
