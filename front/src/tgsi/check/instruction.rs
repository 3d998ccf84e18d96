//! Checks instructions: their operands, and where they may stand.

use std::ops::Range;

use attila_isa::{Component, Modifiers, Remark, Slots, code};
use smallvec::SmallVec;

use super::super::dialect::Exponents;
use super::super::parser::quote;
use super::super::program::{
    Destination, Flow, Guard, Index, Instruction, Register, Saturation, Source,
};
use super::super::syntax::{self, Clamp, Item, Name};
use super::super::table::{OpcodeName, Operand, Reads, Role, TgsiOpcode, TgsiOpcodeInfo, Type};
use super::super::words::{File, Processor, Target};
use super::operand::mask;
use super::register::Access;
use super::{Checked, Checker, doubles, wrong};

/// The items after an opcode by their meaning.
struct Layout<'s, 'a> {
    results: &'s [Item<'a>],
    sources: &'s [Item<'a>],
    target: Option<&'s Name<'a>>,
    /// Offsets, or words about memory.
    rest: &'s [Item<'a>],
}

/// An instruction whose operands are not known.
fn placeholder(opcode: TgsiOpcode, span: Range<usize>) -> Instruction {
    Instruction {
        opcode,
        saturation: Saturation::None,
        precise: false,
        guard: None,
        destinations: SmallVec::new(),
        sources: SmallVec::new(),
        texture: None,
        buffer: None,
        flow: Flow::Next,
        depth: 0,
        span,
    }
}

impl Checker<'_> {
    /// Checks an instruction and adds it.
    pub(super) fn instruction(&mut self, syntax: &syntax::Instruction<'_>) {
        let number = self.program.instructions.len();
        let opcode = syntax.opcode.opcode;
        self.check_number(syntax, number);
        let checked = self.operands(syntax);
        let checked = self.note(checked);
        let instruction = checked.unwrap_or_else(|| placeholder(opcode, syntax.span.clone()));
        self.program.instructions.push(instruction);
        if opcode.info().role == Role::Flow {
            self.flow(opcode, syntax.word.span(), syntax.label.as_ref());
        }
    }

    /// Adds an instruction that has been reported, so that later ones keep their numbers.
    pub(super) fn broken_instruction(&mut self, opcode: Option<OpcodeName>, span: Range<usize>) {
        let opcode = opcode.map_or(TgsiOpcode::Nop, |name| name.opcode);
        self.program
            .instructions
            .push(placeholder(opcode, span.clone()));
        if opcode.info().role == Role::Flow {
            self.structure.is_broken = true;
            self.flow(opcode, span, None);
        }
    }

    /// Checks all parts, so that mistakes in several operands are all reported.
    fn operands(&mut self, syntax: &syntax::Instruction<'_>) -> Checked<Instruction> {
        let opcode = syntax.opcode.opcode;
        let row = opcode.info();
        if let Role::Refused(feature) = row.role {
            self.refuse(feature, syntax.word.text, syntax.word.span());
            return Err(None);
        }
        let checked = self.stage(row, &syntax.word);
        self.note(checked);
        let checked = suffixes(row, syntax);
        self.note(checked);
        let layout = layout(row, syntax)?;
        let mut instruction = placeholder(opcode, syntax.span.clone());
        instruction.precise = syntax.precise;
        instruction.saturation = match syntax.clamp {
            None => Saturation::None,
            Some(Clamp::Unsigned) => Saturation::Unsigned,
            Some(Clamp::Signed) => Saturation::Signed,
        };
        if let Some(guard) = &syntax.guard {
            let checked = self.guard(guard, row);
            instruction.guard = self.note(checked);
        }
        let form = opcode.form(self.program.dialect);
        let kinds = form.results;
        for (item, kind) in layout.results.iter().zip(kinds) {
            let checked = self.destination(item, *kind, opcode);
            instruction.destinations.extend(self.note(checked));
        }
        if opcode == TgsiOpcode::Store {
            let checked = self.stored_buffer(&layout);
            instruction.buffer = self.note(checked).flatten();
        }
        // Without a result it is not known which components sources are read for.
        let is_whole = instruction.destinations.len() == layout.results.len();
        let written = match is_whole {
            true => self.read_for(&instruction.destinations),
            false => Slots::empty(),
        };
        self.sources(row, &layout, written, &mut instruction);
        if !is_whole {
            return Err(None);
        }
        self.check_divisor(&instruction);
        Ok(instruction)
    }

    /// The written components that sources are read for.
    fn read_for(&self, destinations: &[Destination]) -> Slots {
        match destinations {
            [] => Slots::all(),
            [mantissa, exponent, ..]
                if self.program.dialect.rules().exponents == Exponents::Pairs =>
            {
                mantissa.mask | exponent.mask
            }
            [first, ..] => first.mask,
        }
    }

    /// The sources, the texture and the buffer.
    fn sources(
        &mut self,
        row: &TgsiOpcodeInfo,
        layout: &Layout<'_, '_>,
        written: Slots,
        instruction: &mut Instruction,
    ) {
        let (mut sampler, mut view) = (None, None);
        let form = row.opcode.form(self.program.dialect);
        for (item, kind) in layout.sources.iter().zip(form.sources) {
            match *kind {
                Operand::Value(kind, reads) => {
                    let checked = self.source(item, kind, reads, written);
                    instruction.sources.extend(self.note(checked));
                }
                Operand::Sampler => {
                    let checked = self.resource(item, File::Sampler);
                    sampler = self.note(checked);
                }
                Operand::View => {
                    let checked = self.resource(item, File::SamplerView);
                    view = self.note(checked);
                }
                Operand::Buffer => {
                    let checked = self.buffer_number(item);
                    instruction.buffer = self.note(checked);
                }
            }
        }
        if row.role == Role::Interpolate {
            let first = instruction.sources.first();
            let is_input = first.is_none_or(|source| source.register.file == File::Input);
            if let (false, Some(item)) = (is_input, layout.sources.first()) {
                let message = format!("{} interpolates an input", row.name);
                self.report(Some(Remark::new(item.span(), message)));
            }
        }
        if sampler.is_some() || view.is_some() {
            let checked = self.texture(
                row.opcode,
                [sampler, view],
                layout.target,
                &instruction.span,
            );
            let texture = self.note(checked);
            instruction.texture = texture.map(|mut texture| {
                texture.offsets = self.offsets(row, texture.target, layout.rest);
                texture
            });
        }
    }

    /// Checks that an instruction may stand in a program of this kind.
    fn stage(&mut self, row: &TgsiOpcodeInfo, word: &Name<'_>) -> Checked<()> {
        let processor = self.program.processor;
        let (name, noun) = (row.name, processor.noun());
        let is_fragment = processor == Processor::Fragment;
        match row.role {
            Role::Derivative if !is_fragment => {
                let message = format!("{name} compares fragments; a {noun} program gets 0");
                self.warn(word.span(), message);
                Ok(())
            }
            Role::Kill if !is_fragment => {
                let message = format!("{name} drops fragments; a {noun} program has none");
                wrong(word.span(), message)
            }
            Role::Interpolate if !is_fragment => {
                let message = format!("{name} stands in fragment programs only");
                wrong(word.span(), message)
            }
            Role::Emit if processor != Processor::Geometry => {
                let message = format!("{name} stands in geometry programs only");
                wrong(word.span(), message)
            }
            Role::Plain
            | Role::Derivative
            | Role::Sample
            | Role::Lookup
            | Role::Interpolate
            | Role::Kill
            | Role::Flow
            | Role::Stack
            | Role::Memory
            | Role::Emit
            | Role::Refused(_) => Ok(()),
        }
    }

    fn guard(&mut self, guard: &syntax::Guard<'_>, row: &TgsiOpcodeInfo) -> Checked<Guard> {
        let register = &guard.register;
        if row.form.results.is_empty() || row.role == Role::Memory {
            let message = format!("{} has no result to guard", row.name);
            return wrong(register.span.clone(), message);
        }
        if register.file != File::Predicate {
            let message = format!("a guard is a register of PRED, not of {}", register.file);
            return wrong(register.span.clone(), message);
        }
        let place = self.register(register, Access::Read)?;
        let swizzle = self.swizzle(register.components.as_ref(), 4)?;
        match place.index.fixed() {
            Some(number) => Ok(Guard {
                register: number,
                swizzle,
                negate: guard.negate,
            }),
            None => Err(None),
        }
    }

    fn destination(
        &mut self,
        item: &Item<'_>,
        kind: Type,
        opcode: TgsiOpcode,
    ) -> Checked<Destination> {
        let operand = match item {
            Item::Word(word) if word.text.eq_ignore_ascii_case(File::Null.word()) => {
                return Ok(Destination {
                    register: nothing(),
                    mask: Slots::all(),
                    declared: Slots::all(),
                });
            }
            Item::Word(word) => return Err(Some(no_register(word))),
            Item::Operand(operand) => operand,
        };
        if operand.negate || operand.absolute {
            return wrong(operand.span.clone(), "a result has no sign");
        }
        let written = match &operand.register.components {
            Some(word) => mask(word)?,
            None => Slots::all(),
        };
        let is_dropped = operand.register.file == File::Null;
        let register = match is_dropped || opcode == TgsiOpcode::Store {
            true => nothing(),
            false => self.register(&operand.register, Access::Write)?,
        };
        let is_floor = opcode == TgsiOpcode::Flr;
        self.fits(register.file, kind, is_floor, &operand.span)?;
        if kind == Type::Double && register.file != File::Null {
            let word = operand.register.components.as_ref();
            let span = word.map_or(operand.span.clone(), Name::span);
            doubles::check_mask(written, span)?;
        }
        let declared = self.declared_components(&register);
        if !declared.contains(written) {
            self.warn_of_mask(&register, declared, operand.span.clone());
        }
        Ok(Destination {
            register,
            mask: written,
            declared,
        })
    }

    /// Warns once of each register that a text writes beyond its components.
    fn warn_of_mask(&mut self, register: &Register, declared: Slots, span: Range<usize>) {
        let number = register.index.fixed();
        if !self.narrowed.insert((register.file, number)) {
            return;
        }
        let letters: String = declared.components().map(Component::letter).collect();
        let what = match number {
            Some(number) => format!("`{}[{number}]` is", register.file),
            None => format!("these registers of {} are", register.file),
        };
        let message =
            format!("{what} declared with `.{letters}`; other components are not written");
        self.warn(span, message);
    }

    /// The buffer that STORE writes.
    fn stored_buffer(&mut self, layout: &Layout<'_, '_>) -> Checked<Option<u32>> {
        match layout.results.first() {
            Some(item) => self.buffer_number(item).map(Some),
            None => Ok(None),
        }
    }

    fn source(
        &mut self,
        item: &Item<'_>,
        kind: Type,
        reads: Reads,
        written: Slots,
    ) -> Checked<Source> {
        let operand = match item {
            Item::Word(word) => return Err(Some(no_register(word))),
            Item::Operand(operand) => operand,
        };
        let register = self.register(&operand.register, Access::Read)?;
        let word = operand.register.components.as_ref();
        let swizzle = self.swizzle(word, 4)?;
        if kind == Type::Double {
            let span = word.map_or(operand.span.clone(), Name::span);
            doubles::check_swizzle(&register, swizzle, reads, written, span)?;
        }
        Ok(Source {
            register,
            swizzle,
            modifiers: Modifiers {
                negate: operand.negate,
                absolute: operand.absolute,
            },
        })
    }

    /// The number of a sampler or a view.
    fn resource(&mut self, item: &Item<'_>, file: File) -> Checked<Index> {
        match item {
            Item::Word(word) => Err(Some(no_register(word))),
            Item::Operand(operand) => self.unit(file, operand),
        }
    }

    fn buffer_number(&mut self, item: &Item<'_>) -> Checked<u32> {
        let index = self.resource(item, File::Buffer)?;
        let message = "buffers have fixed numbers";
        index
            .fixed()
            .ok_or_else(|| Some(Remark::new(item.span(), message)))
    }

    /// Warns of a divisor that is 0 in the text.
    fn check_divisor(&mut self, instruction: &Instruction) {
        use TgsiOpcode::{Div, Idiv, Mod, Udiv, Umod};
        let is_float = instruction.opcode == Div;
        if ![Div, Idiv, Udiv, Mod, Umod].contains(&instruction.opcode) {
            return;
        }
        let (Some(result), Some(divisor)) =
            (instruction.destinations.first(), instruction.sources.get(1))
        else {
            return;
        };
        if divisor.register.file != File::Immediate {
            return;
        }
        let number = divisor.register.index.fixed();
        let immediate = number.and_then(|number| self.program.immediates.get(number as usize));
        let Some(bits) = immediate.map(|immediate| immediate.bits) else {
            return;
        };
        let is_zero = |slot| {
            let word = bits[divisor.swizzle.source(slot).index()];
            let word = if is_float { word & 0x7fff_ffff } else { word };
            word == 0
        };
        if result.mask.components().any(is_zero) {
            let span = instruction.span.clone();
            self.warn(span, format!("{} divides by 0", instruction.opcode));
        }
    }
}

/// The register of results that are dropped.
fn nothing() -> Register {
    Register {
        file: File::Null,
        dimension: None,
        index: Index {
            base: 0,
            address: None,
        },
        array: None,
    }
}

fn no_register(word: &Name<'_>) -> Remark {
    let remark = Remark::new(
        word.span(),
        format!("expected a register, found {}", quote(word.text)),
    )
    .code(&code::text::EXPECTED);
    match File::find(word.text) {
        Some(file) => remark.help(format!("as in `{file}[0]`")),
        None => remark,
    }
}

/// Checks the suffixes of the opcode, and the label.
fn suffixes(row: &TgsiOpcodeInfo, syntax: &syntax::Instruction<'_>) -> Checked<()> {
    if syntax.clamp.is_some() {
        let kind = row.form.results.first();
        let is_float = kind.is_some_and(|kind| matches!(kind, Type::Float | Type::Untyped));
        if !is_float || row.role == Role::Memory {
            let message = format!("{} has no float as its result to clamp", row.name);
            return wrong(syntax.word.span(), message);
        }
    }
    match &syntax.label {
        Some((_, span)) if row.role != Role::Flow => wrong(
            span.clone(),
            format!("{} leads to no instruction", row.name),
        ),
        Some(_) | None => Ok(()),
    }
}

/// The number of operands of an opcode, in words.
fn described(row: &TgsiOpcodeInfo) -> String {
    let results = match row.form.results.len() {
        0 => None,
        1 => Some("a result".to_owned()),
        count => Some(format!("{count} results")),
    };
    let sources = match row.form.sources.len() {
        0 => None,
        1 => Some("a source".to_owned()),
        count => Some(format!("{count} sources")),
    };
    let target = row.has_target().then(|| "a texture target".to_owned());
    let parts = [results, sources, target].into_iter().flatten();
    let mut parts: Vec<String> = parts.collect();
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

fn layout<'s, 'a>(
    row: &TgsiOpcodeInfo,
    syntax: &'s syntax::Instruction<'a>,
) -> Checked<Layout<'s, 'a>> {
    let items = syntax.items.as_slice();
    let form = &row.form;
    let most = form.results.len() + form.sources.len();
    let wanted = most + usize::from(row.has_target());
    let is_word = |item: &Item<'_>| matches!(item, Item::Word(_));
    let count_is_wrong = |span: Range<usize>| {
        let found = items.len();
        if wanted == 0 {
            return wrong(span, format!("{} takes no operands", row.name));
        }
        let message = format!("{} takes {wanted} operands, not {found}", row.name);
        Err(Some(
            Remark::new(span, message)
                .code(&code::text::OPERANDS)
                .help(described(row)),
        ))
    };
    if items.len() == most && wanted > most && !items.iter().any(is_word) {
        let message = format!("the texture target of {} is missing", row.name);
        let remark = Remark::new(syntax.span.clone(), message).code(&code::text::OPERANDS);
        return Err(Some(remark.help("as in `TEX OUT[0], IN[0], SAMP[0], 2D`")));
    }
    if items.len() < wanted - form.optional {
        return count_is_wrong(syntax.word.span());
    }
    let (results, rest) = items.split_at(form.results.len());
    let (sources, mut rest) = rest.split_at(form.sources.len().min(rest.len()));
    let has_view = form.sources.contains(&Operand::View);
    let mut target = None;
    if (row.has_target() || has_view)
        && let [Item::Word(word), others @ ..] = rest
    {
        (target, rest) = (Some(word), others);
    }
    if let (true, None, Some(item)) = (row.has_target(), target, rest.first()) {
        return wrong(item.span(), "expected a texture target, found a register");
    }
    let may_follow = |item: &Item<'_>| match item {
        Item::Operand(_) => row.has_target(),
        Item::Word(word) => row.role == Role::Memory && is_memory_word(word.text),
    };
    match rest.iter().find(|item| !may_follow(item)) {
        Some(item) => count_is_wrong(item.span()),
        None => Ok(Layout {
            results,
            sources,
            target,
            rest,
        }),
    }
}

/// Words about the memory of an instruction, none of which matters here.
fn is_memory_word(word: &str) -> bool {
    let words = ["COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY"];
    let is_known = words.iter().any(|it| it.eq_ignore_ascii_case(word));
    // Targets and formats of images.
    is_known || Target::find(word).is_some() || word.starts_with("PIPE_FORMAT_")
}
