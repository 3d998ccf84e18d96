//! The limits of Flash, which no other machine needs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_isa::{Component, Slots, Stage};

use super::finding::{Finding, Findings};
use super::opcode::Form;
use super::program::{AgalProgram, File, Location, Register, Source, Token, Version};

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

/// Finds what Flash would refuse, although it could be run.
pub(super) fn check(program: &AgalProgram, findings: &mut impl Findings) {
    let limits = limits(program.version);
    let count = program.tokens.len();
    if let Some(first) = program.tokens.get(limits.tokens) {
        let message = format!("there are {count} tokens; the limit is {}", limits.tokens);
        findings.error(Finding::new(&first.span, message));
    }
    let mut checker = Checker {
        stage: program.stage,
        limits,
        depth: 0,
        refused: BTreeSet::new(),
        written: BTreeMap::new(),
        findings,
    };
    program.tokens.iter().for_each(|token| checker.token(token));
}

struct Checker<'a, F> {
    stage: Stage,
    limits: Limits,
    depth: usize,
    /// Registers that have been refused: once is enough.
    refused: BTreeSet<Register>,
    /// Components of temporaries that are written somewhere before.
    written: BTreeMap<u16, Slots>,
    findings: &'a mut F,
}

impl<F: Findings> Checker<'_, F> {
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
        if let Some((sampler, span)) = &token.sampler {
            self.number(Register::new(File::Sampler, sampler.unit), span);
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
        self.branch(token);
    }

    fn branch(&mut self, token: &Token) {
        match token.opcode.info().form {
            Form::Compare => self.depth += 1,
            Form::EndIf => {
                self.depth = self.depth.saturating_sub(1);
                return;
            }
            Form::Vectors(_)
            | Form::Matrix(_)
            | Form::Sample
            | Form::Kill
            | Form::Else
            | Form::Refused(_) => return,
        }
        if self.depth == self.limits.nesting + 1 {
            let message = format!("branches are nested more than {} deep", self.limits.nesting);
            self.findings.error(Finding::new(&token.span, message));
        }
    }

    fn source(&mut self, register: Register, source: &Source, slots: Slots) {
        self.number(register, &source.span);
        if register.file == File::Varying && self.stage == Stage::Vertex {
            let message = "a vertex program cannot read what it hands on";
            self.findings.error(Finding::new(&source.span, message));
        }
        self.read(register, source.swizzle.sources(slots), &source.span);
    }

    /// Checks that components of temporaries are written before.
    fn read(&mut self, register: Register, components: Slots, span: &Range<usize>) {
        if register.file != File::Temporary {
            return;
        }
        let written = self
            .written
            .get(&register.number)
            .copied()
            .unwrap_or(Slots::empty());
        let missing = components - written;
        if missing.is_empty() {
            return;
        }
        let letters: String = missing.components().map(Component::letter).collect();
        let name = register.name(self.stage);
        let message = format!("`{name}.{letters}` is read before it is written");
        self.findings.error(Finding::new(span, message));
        // Once is enough.
        self.written.insert(register.number, written | missing);
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
            self.findings.error(Finding::new(span, message));
        }
    }
}
