//! Counts what a program uses, and checks it against the limits.

use std::ops::Range;

use attila_isa::{Remark, code};

use super::super::opcode::Form;
use super::super::profile::{Limits, Resources};
use super::super::program::{ArbProgram, Instruction, ResultRegister, SourceRegister};
use super::Checker;
use crate::arb::ArbStage;

impl Checker<'_, '_> {
    /// Fills in what the program knows about itself as a whole.
    pub(super) fn check_limits(&mut self, end: usize) {
        self.program.temporaries = self.temporaries.len();
        self.program.addresses = self.addresses.len();
        self.program.resources = self.resources();
        let limits = self.limits();
        let used = self.program.resources;
        let instruction = |nth: usize, counts: fn(&Instruction) -> bool| {
            let counted = self.program.instructions.iter().filter(|i| counts(i));
            counted.map(|i| i.span.clone()).nth(nth)
        };
        let declared = |list: &[Range<usize>], nth| list.get(nth).cloned();
        let rows = [
            (
                "instructions",
                used.instructions,
                limits.instructions,
                instruction(limits.instructions, |_| true),
            ),
            (
                "temporaries",
                used.temporaries,
                limits.temporaries,
                declared(&self.temporaries, limits.temporaries),
            ),
            (
                "address registers",
                used.addresses,
                limits.addresses,
                declared(&self.addresses, limits.addresses),
            ),
            ("parameters", used.parameters, limits.parameters, None),
            ("attributes", used.attributes, limits.attributes, None),
        ];
        let fragment_rows = [
            (
                "arithmetic instructions",
                used.arithmetic,
                limits.arithmetic,
                instruction(limits.arithmetic, |i| !is_texture(i)),
            ),
            (
                "texture instructions",
                used.texture,
                limits.texture,
                instruction(limits.texture, is_texture),
            ),
            (
                "texture indirections",
                used.indirections,
                limits.indirections,
                None,
            ),
        ];
        let is_fragment = self.program.stage == ArbStage::Fragment;
        let only_fragment = fragment_rows.into_iter().filter(|_| is_fragment);
        for (what, used, limit, span) in rows.into_iter().chain(only_fragment) {
            self.check_limit(what, [used, limit], span.unwrap_or(end..end));
        }
    }

    fn check_limit(&mut self, what: &str, [used, limit]: [usize; 2], span: Range<usize>) {
        if used > limit {
            let message = format!("the program has {used} {what}, more than {limit}");
            self.diagnostics
                .error(Remark::new(span, message).code(&code::text::LIMIT));
        }
    }

    /// The limits, minus the resources that options will append.
    fn limits(&self) -> Limits {
        let mut limits = *self.profile.limits(self.program.stage);
        if self.program.options.position_invariant {
            limits = limits.without_position();
        }
        if let Some(fog) = self.program.options.fog {
            limits = limits.without_fog(fog);
        }
        limits
    }

    fn resources(&self) -> Resources {
        let program = &self.program;
        let texture = program
            .instructions
            .iter()
            .filter(|i| is_texture(i))
            .count();
        let in_arrays: usize = program
            .arrays
            .iter()
            .filter(|array| array.relative)
            .map(|array| array.params.len())
            .sum();
        Resources {
            instructions: program.instructions.len(),
            arithmetic: program.instructions.len() - texture,
            texture,
            indirections: match program.stage {
                ArbStage::Vertex => 0,
                ArbStage::Fragment => indirections(program),
            },
            temporaries: program.temporaries,
            parameters: in_arrays + self.params.difference(&self.relative).count(),
            addresses: program.addresses,
            attributes: self.inputs.len(),
        }
    }
}

fn is_texture(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.info().form, Form::Sample | Form::Kill)
}

/// How often coordinates or results make texture instructions wait for earlier instructions, plus
/// one.
fn indirections(program: &ArbProgram) -> usize {
    let mut count = 1;
    // How many there were when each temporary was last read, and written.
    let (mut read, mut written) = (vec![0; program.temporaries], vec![0; program.temporaries]);
    for instruction in &program.instructions {
        let result = match instruction.result.map(|result| result.register) {
            Some(ResultRegister::Temporary(number)) => Some(number),
            Some(ResultRegister::Output(_) | ResultRegister::Address(_)) | None => None,
        };
        let sources = instruction.sources.iter();
        let sources = sources.filter_map(|source| match source.register {
            SourceRegister::Temporary(number) => Some(number),
            SourceRegister::Input(_)
            | SourceRegister::Param(_)
            | SourceRegister::Relative { .. } => None,
        });
        let waits = sources.clone().any(|source| written[source] == count)
            || result.is_some_and(|result| read[result] == count || written[result] == count);
        if is_texture(instruction) && waits {
            count += 1;
        }
        sources.for_each(|source| read[source] = count);
        if let Some(result) = result {
            written[result] = count;
        }
    }
    count
}
