//! Checks declarations: registers, views of textures, immediates.

use std::ops::Range;

use attila_isa::{Remark, Slots, code};

use super::super::parser::{quote, suggest};
use super::super::program;
use super::super::syntax::{Attribute, Declaration, Extent, Immediate};
use super::super::table::Feature;
use super::super::words::{File, ReturnType, Target};
use super::declared::Entry;
use super::operand::mask;
use super::{Checked, Checker, wrong};

/// The number of registers that a file may have, and their name in messages.
pub(super) fn limit(file: File) -> (u32, &'static str) {
    match file {
        File::Temporary => (4096, "temporaries"),
        File::TemporaryArray => (4096, "temporaries of an array"),
        File::ImmediateArray => (4096, "vectors of an array"),
        File::Sampler | File::SamplerView => (32, "texture units"),
        File::Input => (64, "inputs"),
        File::Output => (64, "outputs"),
        File::SystemValue => (64, "system values"),
        File::Address => (64, "address registers"),
        File::Predicate => (64, "predicates"),
        File::Buffer => (32, "buffers"),
        File::Constant => (65_536, "constants"),
        File::Immediate => (65_536, "immediates"),
        File::Null
        | File::Resource
        | File::Image
        | File::Memory
        | File::ConstantBuffer
        | File::HardwareAtomic
        | File::HalfTemporary
        | File::Loop => (1, "registers"),
    }
}

/// The number of constant buffers, and of arrays of TEMPX.
pub(super) const DIMENSIONS: u32 = 32;

/// The reason why registers of a file are refused.
pub(super) fn refused_file(file: File) -> Option<Feature> {
    match file {
        File::Resource => Some(Feature::Resources),
        File::Image => Some(Feature::Images),
        File::Memory => Some(Feature::SharedMemory),
        File::ConstantBuffer => Some(Feature::ConstantBuffers),
        File::HardwareAtomic => Some(Feature::Counters),
        File::HalfTemporary => Some(Feature::Halves),
        File::Loop => Some(Feature::LoopCounters),
        File::Null
        | File::Constant
        | File::Input
        | File::Output
        | File::Temporary
        | File::Sampler
        | File::Address
        | File::Immediate
        | File::Predicate
        | File::SystemValue
        | File::SamplerView
        | File::ImmediateArray
        | File::TemporaryArray
        | File::Buffer => None,
    }
}

/// The reason why a word after a register of any file is refused.
fn refused_attribute(word: &str) -> Option<Feature> {
    word.eq_ignore_ascii_case("FP16").then_some(Feature::Halves)
}

impl Checker<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let file = declaration.file;
        if let Some(feature) = refused_file(file) {
            self.refuse(feature, declaration.word, declaration.span.clone());
            return Err(None);
        }
        for attribute in &declaration.attributes {
            let word = attribute.word.text;
            if let Some(feature) = refused_attribute(word) {
                self.refuse(feature, word, attribute.span.clone());
                return Err(None);
            }
        }
        if let (Some(word), false) = (&declaration.mask, has_mask(file)) {
            let message = format!("registers of {file} have no components to choose");
            return wrong(word.span(), message);
        }
        if !declaration.values.is_empty() && file != File::ImmediateArray {
            let message = format!("registers of {file} have no values");
            return wrong(declaration.span.clone(), message);
        }
        match file {
            File::Null => wrong(declaration.span.clone(), "`NULL` is not declared"),
            File::Immediate => {
                let remark = Remark::new(declaration.span.clone(), "immediates are not declared")
                    .code(&code::text::NAME);
                Err(Some(remark.help("write `IMM FLT32 { 1, 2, 3, 4 }`")))
            }
            File::Input | File::Output => self.varying(declaration),
            File::SystemValue => self.system_value(declaration),
            File::SamplerView => self.view(declaration),
            File::Constant | File::TemporaryArray => {
                self.no_attributes(declaration)?;
                self.two_dimensions(declaration)
            }
            File::ImmediateArray => self.immediate_array(declaration),
            File::Temporary => self.temporaries(declaration),
            File::Buffer => self.buffer(declaration),
            File::Sampler | File::Address | File::Predicate => {
                self.no_attributes(declaration)?;
                let range = self.one_dimension(declaration)?;
                if file == File::Sampler {
                    self.program.samplers.extend(range);
                }
                Ok(())
            }
            File::Resource
            | File::Image
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => Err(None),
        }
    }

    /// The numbers between brackets, within the limit of their file.
    pub(super) fn numbers(
        &self,
        file: File,
        (extent, span): &(Extent, Range<usize>),
    ) -> Checked<(u32, u32)> {
        let Extent::Range(first, last) = *extent else {
            let message = format!("{file} needs the numbers of registers");
            return wrong(span.clone(), message);
        };
        let (limit, what) = limit(file);
        if last < limit {
            return Ok((first, last));
        }
        let message = format!("`{file}[{last}]` is beyond the limit of {limit} {what}");
        wrong(span.clone(), message)
    }

    /// Declares the registers of a file with one index.
    fn one_dimension(
        &mut self,
        declaration: &Declaration<'_>,
    ) -> Checked<std::ops::RangeInclusive<u32>> {
        let file = declaration.file;
        if let Some((_, span)) = &declaration.second {
            return wrong(span.clone(), format!("registers of {file} have one index"));
        }
        let (first, last) = self.numbers(file, &declaration.first)?;
        self.add(declaration, 0, first, last)?;
        Ok(first..=last)
    }

    /// Declares registers of CONST or TEMPX, whose first index is a dimension if there are two.
    fn two_dimensions(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let file = declaration.file;
        let (dimension, extent) = match &declaration.second {
            None => (0, &declaration.first),
            Some(second) => match declaration.first {
                (Extent::Range(first, last), _) if first == last && last < DIMENSIONS => {
                    (first, second)
                }
                (_, ref span) => {
                    let message =
                        format!("the first index of {file} is one number below {DIMENSIONS}");
                    return wrong(span.clone(), message);
                }
            },
        };
        let (first, last) = self.numbers(file, extent)?;
        self.add(declaration, dimension, first, last)
    }

    fn add(
        &mut self,
        declaration: &Declaration<'_>,
        dimension: u32,
        first: u32,
        last: u32,
    ) -> Checked<()> {
        let file = declaration.file;
        let entry = Entry {
            last,
            per_vertex: false,
            mask: declared_mask(declaration)?,
        };
        if self.declared.of_mut(file).add(dimension, first, entry) {
            return Ok(());
        }
        let prefix = match declaration.second.is_some() {
            true => format!("{file}[{dimension}]"),
            false => file.word().to_owned(),
        };
        let range = match first == last {
            true => format!("`{prefix}[{first}]`"),
            false => format!("a register of `{prefix}[{first}..{last}]`"),
        };
        let message = format!("{range} is declared twice");
        wrong(declaration.span.clone(), message)
    }

    fn no_attributes(&self, declaration: &Declaration<'_>) -> Checked<()> {
        match declaration.attributes.first() {
            None => Ok(()),
            Some(attribute) => {
                let (word, file) = (quote(attribute.word.text), declaration.file);
                let message = format!("{word} does not belong to registers of {file}");
                wrong(attribute.span.clone(), message)
            }
        }
    }

    fn temporaries(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let mut array = None;
        for attribute in &declaration.attributes {
            let is = |word: &str| attribute.word.text.eq_ignore_ascii_case(word);
            if is("ARRAY") {
                array = Some(array_number(attribute)?);
            } else if !is("LOCAL") {
                let word = quote(attribute.word.text);
                let message = format!("{word} does not belong to registers of TEMP");
                let remark = Remark::new(attribute.span.clone(), message);
                let names = ["ARRAY", "LOCAL"];
                return Err(Some(suggest(remark, attribute.word.text, names)));
            }
        }
        let range = self.one_dimension(declaration)?;
        let Some(number) = array else { return Ok(()) };
        self.add_array(declaration, number, *range.start()..range.end() + 1)
    }

    /// Gives an array of TEMP, IN or OUT its number.
    pub(super) fn add_array(
        &mut self,
        declaration: &Declaration<'_>,
        number: u32,
        range: Range<u32>,
    ) -> Checked<()> {
        let file = declaration.file;
        let arrays = &mut self.declared.of_mut(file).arrays;
        if arrays.insert(number, range).is_none() {
            return Ok(());
        }
        let message = format!("array {number} of {file} is declared twice");
        wrong(declaration.span.clone(), message)
    }

    fn buffer(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        for attribute in &declaration.attributes {
            if !attribute.word.text.eq_ignore_ascii_case("ATOMIC") {
                return self.no_attributes(declaration);
            }
        }
        let range = self.one_dimension(declaration)?;
        self.program.buffers.extend(range);
        Ok(())
    }

    fn immediate_array(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        self.no_attributes(declaration)?;
        let range = self.one_dimension(declaration)?;
        let (count, given) = (range.clone().count(), declaration.values.len());
        if count != given {
            let message = format!("{count} vectors are declared, and {given} given");
            return wrong(declaration.span.clone(), message);
        }
        let vectors = range.zip(declaration.values.iter().copied());
        self.program.immediate_arrays.extend(vectors);
        Ok(())
    }

    fn view(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let Some((target, types)) = declaration.attributes.split_first() else {
            let remark = Remark::new(declaration.span.clone(), "the view has no target")
                .code(&code::text::TEXTURE);
            return Err(Some(remark.help("as in `DCL SVIEW[0], 2D, FLOAT`")));
        };
        let Some(shape) = Target::find(target.word.text) else {
            return Err(Some(no_target(target)));
        };
        let mut kinds = Vec::with_capacity(4);
        for attribute in types {
            let Some(kind) = ReturnType::find(attribute.word.text) else {
                let word = quote(attribute.word.text);
                let remark = Remark::new(
                    attribute.span.clone(),
                    format!("{word} is not a type of texels"),
                );
                let names = ReturnType::ALL.iter().map(|it| it.word());
                return Err(Some(suggest(remark, attribute.word.text, names)));
            };
            kinds.push(kind);
        }
        let types = match *kinds.as_slice() {
            [one] => [one; 4],
            [x, y, z, w] => [x, y, z, w],
            _ => {
                let message = format!("a view has 1 or 4 types, not {}", kinds.len());
                return wrong(declaration.span.clone(), message);
            }
        };
        let range = self.one_dimension(declaration)?;
        let view = |number| program::View {
            number,
            target: shape,
            types,
        };
        self.program.views.extend(range.map(view));
        Ok(())
    }

    /// Adds an immediate, and checks its number.
    pub(super) fn immediate(&mut self, immediate: &Immediate) {
        let count = self.program.immediates.len();
        if let Some((number, span)) = &immediate.number
            && *number as usize != count
            && !self.broken_immediates
        {
            let message = format!("this is immediate {count}, not {number}");
            let remark = Remark::new(span.clone(), message);
            let help = "immediates are counted from 0 in the order of the text";
            self.diagnostics.error(remark.help(help));
            // The others are counted from here on.
            self.broken_immediates = true;
        }
        if count == limit(File::Immediate).0 as usize {
            let message = format!("a program has at most {count} immediates");
            self.diagnostics
                .error(Remark::new(immediate.span.clone(), message).code(&code::text::LIMIT));
        }
        for (first, form) in self.float_forms.iter_mut().zip(&immediate.forms) {
            if first.is_none() {
                first.clone_from(form);
            }
        }
        self.program.immediates.push(program::Immediate {
            kind: immediate.kind,
            bits: immediate.bits,
        });
    }
}

/// Whether declarations of a file may name components.
fn has_mask(file: File) -> bool {
    match file {
        File::Input
        | File::Output
        | File::SystemValue
        | File::Temporary
        | File::Constant
        | File::Address
        | File::Predicate
        | File::ImmediateArray
        | File::TemporaryArray => true,
        File::Null
        | File::Immediate
        | File::Sampler
        | File::SamplerView
        | File::Resource
        | File::Image
        | File::Buffer
        | File::Memory
        | File::ConstantBuffer
        | File::HardwareAtomic
        | File::HalfTemporary
        | File::Loop => false,
    }
}

/// The components that a declaration names, or all.
pub(super) fn declared_mask(declaration: &Declaration<'_>) -> Checked<Slots> {
    declaration.mask.as_ref().map_or(Ok(Slots::all()), mask)
}

/// The number of `ARRAY(n)`.
pub(super) fn array_number(attribute: &Attribute<'_>) -> Checked<u32> {
    match attribute.arguments.as_slice() {
        [(number, _)] => Ok(*number),
        _ => {
            let remark = Remark::new(attribute.span.clone(), "an array has one number");
            Err(Some(remark.help("as in `ARRAY(1)`")))
        }
    }
}

/// A word that is not a texture target.
fn no_target(attribute: &Attribute<'_>) -> Remark {
    let word = quote(attribute.word.text);
    let remark = Remark::new(
        attribute.span.clone(),
        format!("{word} is not a texture target"),
    )
    .code(&code::text::TEXTURE);
    let names = Target::ALL.iter().map(|it| it.word());
    suggest(remark, attribute.word.text, names)
}
