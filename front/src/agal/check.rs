//! Rules that hold for texts and bytes alike.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_isa::{Slots, Stage};

use super::finding::{Finding, Findings, number};
use super::opcode::{AgalOpcode, Form};
use super::program::{AgalProgram, Destination, File, Location, Register, Source, Token, Version};
use super::registers;
use super::sampler::Sampler;

/// Finds all mistakes that no machine could run.
pub(super) fn check(program: &AgalProgram, findings: &mut impl Findings) {
    // Without some of the instructions, branches may seem to have no end.
    let is_complete = !findings.has_errors();
    let mut checker = Checker {
        stage: program.stage,
        version: program.version,
        samplers: BTreeMap::new(),
        is_complete,
        branches: Vec::new(),
        findings,
    };
    for token in &program.tokens {
        checker.token(token);
    }
    let open = std::mem::take(&mut checker.branches);
    for (_, begin) in open.into_iter().filter(|_| is_complete) {
        let message = format!("`{}` has no `eif`", begin.opcode);
        checker.refuse(Finding::new(&begin.span, message).number(number::OPEN_BRANCH));
    }
    if program.tokens.is_empty() && is_complete {
        let end = program.end..program.end;
        let finding = Finding::new(&end, "the program has no instructions");
        checker.refuse(finding.number(number::TOO_SHORT));
    }
}

struct Checker<'a, F> {
    stage: Stage,
    version: Version,
    /// The sampler of each unit at its first use.
    samplers: BTreeMap<u16, Sampler>,
    /// Whether all instructions could be read.
    is_complete: bool,
    /// The open branches: whether `els` has been there, and what began them.
    branches: Vec<(bool, &'a Token)>,
    findings: &'a mut F,
}

impl<'a, F: Findings> Checker<'a, F> {
    fn refuse(&mut self, finding: Finding) {
        self.findings.error(finding);
    }

    fn token(&mut self, token: &'a Token) {
        let info = token.opcode.info();
        if !info.stages.has(self.stage) {
            let message = format!("a {} program has no `{}`", self.stage, info.name);
            self.refuse(Finding::new(&token.span, message).number(number::FRAGMENT_ONLY));
        }
        if let Form::Refused(what) = info.form {
            self.derivatives(token);
            let message = format!("`{}` is not supported: there are no {what}", info.name);
            self.refuse(Finding::new(&token.span, message).number(number::NOT_IMPLEMENTED));
            return;
        }
        if info.version > self.version {
            let message = format!("version {} has no `{}`", self.version, info.name);
            let help = format!("version {} has it", info.version);
            let finding = Finding::new(&token.span, message).number(number::OPCODE_VERSION);
            self.refuse(finding.help(help));
        }
        if let Some(destination) = &token.destination {
            self.destination(destination, info.results, token.opcode);
        }
        for source in &token.sources {
            self.source(source);
            if info.form.reads_scalars() && source.swizzle.as_broadcast().is_none() {
                let message = format!("`{}` takes single components", info.name);
                let finding = Finding::new(&source.span, message);
                let finding = finding.number(number::NOT_SCALAR);
                self.refuse(finding.help("name one, such as `.x`"));
            }
        }
        if let Form::Matrix(rows) = info.form {
            self.rows(token, rows);
        }
        if let Some((sampler, span)) = &token.sampler {
            self.sampler(*sampler, span);
        }
        self.branch(token);
    }

    /// The rules for samplers of `ted`, which no version before the second has.
    fn derivatives(&mut self, token: &Token) {
        let Some((sampler, _)) = &token.sampler else {
            return;
        };
        let rules = [
            (
                sampler.bias != 0,
                "cannot have a bias",
                number::BIAS_WITH_DERIVATIVES,
            ),
            (
                sampler.mip == 0,
                "needs a mip filter",
                number::LEVELS_WITH_DERIVATIVES,
            ),
        ];
        let is_later = self.version > Version::V1;
        for (_, rule, number) in rules.into_iter().filter(|rule| is_later && rule.0) {
            let message = format!("the sampler of `{}` {rule}", token.opcode);
            self.refuse(Finding::new(&token.span, message).number(number));
        }
    }

    /// Follows branches.
    fn branch(&mut self, token: &'a Token) {
        let (message, number) = match (token.opcode.info().form, self.branches.last_mut()) {
            (Form::Compare, _) => return self.branches.push((false, token)),
            (Form::Else, Some((has_other @ false, _))) => {
                *has_other = true;
                return;
            }
            (Form::EndIf, Some(_)) => {
                self.branches.pop();
                return;
            }
            (Form::Else, Some((true, _))) => ("the branch has an `els` already", number::ELSE),
            (Form::Else, None) => ("there is no branch before this `els`", number::ELSE),
            (Form::EndIf, None) => ("there is no branch before this `eif`", number::NO_BRANCH),
            (
                Form::Vectors(_) | Form::Matrix(_) | Form::Sample | Form::Kill | Form::Refused(_),
                _,
            ) => return,
        };
        if self.is_complete {
            self.refuse(Finding::new(&token.span, message).number(number));
        }
    }

    fn destination(&mut self, it: &Destination, results: Slots, opcode: AgalOpcode) {
        if !results.contains(it.mask) {
            let message = format!("`{opcode}` has no result in w");
            let finding = Finding::new(&it.span, message).number(number::W_WRITTEN);
            self.refuse(finding.help("write to `.xyz` or fewer components"));
        }
        let name = it.register.name(self.stage);
        let finding = |message| Finding::new(&it.span, message);
        let not_written = || finding(format!("a {} program cannot write `{name}`", self.stage));
        let is_vertex = self.stage == Stage::Vertex;
        let refused = match it.register.file {
            File::Temporary => return,
            File::Depth => return self.depth(it.register, &it.span),
            File::Output if is_vertex && it.register.number > 0 => {
                not_written().number(number::OUTPUT_NUMBER)
            }
            File::Varying if !is_vertex => not_written().number(number::VARYING_WRITTEN),
            File::Output | File::Varying => match registers::has_output(it.register, self.stage) {
                true => return,
                false => {
                    let message = format!("there is no output register for `{name}`");
                    finding(message).known(number_of(it.register.file))
                }
            },
            File::Instance => not_written().known(self.instance_number()),
            File::Attribute => not_written().number(number::ATTRIBUTE_WRITTEN),
            File::Constant => not_written().number(number::CONSTANT_WRITTEN),
            File::Sampler => not_written().number(number::SAMPLER_WRITTEN),
        };
        self.refuse(refused);
    }

    /// The depth output, which only later versions have, once.
    fn depth(&mut self, register: Register, span: &Range<usize>) {
        if self.stage != Stage::Fragment {
            let finding = Finding::new(span, "a vertex program has no depth output");
            self.refuse(finding.number(number::DEPTH_IN_VERTEX));
        } else if register.number > 0 || self.version == Version::V1 {
            let message = format!(
                "version {} has no `{}`",
                self.version,
                register.name(self.stage)
            );
            self.refuse(Finding::new(span, message).number(number::DEPTH));
        }
    }

    fn source(&mut self, source: &Source) {
        let register = match source.location {
            Location::Direct(register) => register,
            Location::Indirect { file, index, .. } => return self.indirect(source, file, index),
        };
        let name = register.name(self.stage);
        let finding = |message: String| Finding::new(&source.span, message);
        let is_vertex = self.stage == Stage::Vertex;
        let refused = match register.file {
            File::Temporary => return,
            File::Attribute if !is_vertex => finding("a fragment program has no attributes".into())
                .number(number::ATTRIBUTE_READ),
            File::Constant | File::Attribute | File::Varying => {
                match registers::has_source(register, self.stage) {
                    true => return,
                    false => finding(format!("there is no register for `{name}`"))
                        .known(number_of(register.file)),
                }
            }
            File::Output => finding(format!("`{name}` cannot be read")).number(number::OUTPUT_READ),
            File::Sampler => {
                let message = format!("`{name}` stands only in texture instructions");
                self.refuse(finding(message).number(number::SAMPLER_READ));
                return self.sampler_stage(&source.span);
            }
            File::Depth if is_vertex => finding("a vertex program has no depth output".into())
                .number(number::DEPTH_IN_VERTEX),
            File::Depth if self.version == Version::V1 || register.number > 0 => {
                let message = format!("version {} has no `{name}`", self.version);
                finding(message).number(number::DEPTH)
            }
            File::Depth => finding(format!("`{name}` cannot be read")).number(number::OUTPUT_READ),
            File::Instance if is_vertex && self.version >= Version::V3 && register.number == 0 => {
                return;
            }
            File::Instance => finding(format!(
                "`iid` stands only in vertex programs of version {}",
                Version::V3
            ))
            .known(self.instance_number()),
        };
        self.refuse(refused);
    }

    /// Flash's number for `iid` where versions and stages do not have the file.
    fn instance_number(&self) -> Option<u16> {
        let has_file = self.stage == Stage::Vertex && self.version >= Version::V3;
        (!has_file).then_some(number::FILE)
    }

    /// Vertex programs have no samplers.
    fn sampler_stage(&mut self, span: &Range<usize>) {
        if self.stage == Stage::Vertex {
            let finding = Finding::new(span, "a vertex program has no samplers");
            self.refuse(finding.number(number::SAMPLER_IN_VERTEX));
        }
    }

    /// A computed register.
    fn indirect(&mut self, source: &Source, file: File, index: Register) {
        let finding = |message: &str| Finding::new(&source.span, message);
        if self.stage != Stage::Vertex {
            let message = "only vertex programs have computed registers";
            return self.refuse(finding(message).number(number::INDIRECT_FRAGMENT));
        }
        if file != File::Constant {
            let message = format!("{} cannot be computed: only constants can", file.noun());
            return self.refuse(finding(&message).number(number::INDIRECT_FILE));
        }
        match index.file {
            File::Attribute | File::Constant | File::Temporary => {
                let location = Location::Direct(index);
                let span = source.span.clone();
                self.source(&Source {
                    location,
                    span,
                    ..source.clone()
                });
            }
            File::Output | File::Varying | File::Sampler | File::Depth | File::Instance => {
                let message = format!("{} is no index", index.file.noun());
                self.refuse(finding(&message).number(number::INDEX_FILE));
            }
        }
    }

    /// The registers of a matrix after its first row.
    fn rows(&mut self, token: &Token, rows: u16) {
        let Some(source) = token.sources.get(1) else {
            return;
        };
        let Location::Direct(Register { file, number }) = source.location else {
            return;
        };
        let Some(last) = number.checked_add(rows - 1) else {
            let finding = Finding::new(&source.span, "the matrix has too few registers");
            return self.refuse(finding.known(number_of(file)));
        };
        // Mistakes of the first row are reported already.
        if registers::has_source(Register::new(file, number), self.stage) {
            let location = Location::Direct(Register::new(file, last));
            let last = Source {
                location,
                ..source.clone()
            };
            self.source(&last);
        }
    }

    /// The unit of a texture instruction. With `ignoresampler`, only the image of both has to be the same.
    fn sampler(&mut self, sampler: Sampler, span: &Range<usize>) {
        self.sampler_stage(span);
        if sampler.unit >= registers::UNITS {
            let message = format!("there is no sampler {}", sampler.unit);
            let help = format!("there are {}", registers::UNITS);
            let finding = Finding::new(span, message).number(number::SAMPLER_NUMBER);
            return self.refuse(finding.help(help));
        }
        let first = *self.samplers.entry(sampler.unit).or_insert(sampler);
        let are_free = first.ignores_state() && sampler.ignores_state();
        if first != sampler && !(are_free && first.has_image_of(sampler)) {
            self.refuse(other_options(sampler, first, span));
        }
    }
}

/// The mistake of a sampler that differs from its first use.
pub(super) fn other_options(sampler: Sampler, first: Sampler, span: &Range<usize>) -> Finding {
    let unit = sampler.unit;
    let message = format!("the options of sampler {unit} differ from earlier ones");
    let help = format!("those are <{first}>");
    let finding = Finding::new(span, message).number(number::SAMPLER_STATES);
    finding.help(help)
}

/// Flash's number for registers of a file beyond the last.
pub(super) const fn number_of(file: File) -> Option<u16> {
    match file {
        File::Attribute => Some(number::ATTRIBUTE_NUMBER),
        File::Constant => Some(number::CONSTANT_NUMBER),
        File::Temporary => Some(number::TEMPORARY_NUMBER),
        File::Output => Some(number::OUTPUT_NUMBER),
        File::Varying => Some(number::VARYING_NUMBER),
        File::Sampler => Some(number::SAMPLER_NUMBER),
        File::Depth => Some(number::DEPTH),
        File::Instance => None,
    }
}
