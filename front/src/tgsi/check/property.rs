//! Checks properties, and what a program has to have as a whole.

use std::ops::Range;

use attila_isa::{Remark, code};

use super::super::parser::{quote, suggest};
use super::super::syntax::{Property, PropertyValue};
use super::super::words::{Origin, PixelCenter, Primitive, Processor, PropertyName};
use super::{Checked, Checker, wrong};

/// The most vertices that a geometry program may emit.
const MOST_VERTICES: u32 = 1024;

/// The most clip or cull distances.
const MOST_DISTANCES: u32 = 8;

/// The most threads of a block in one dimension, and together.
const MOST_THREADS: u32 = 1024;

/// A property's value as the text has it.
fn value(property: &Property<'_>) -> String {
    match &property.value {
        PropertyValue::Number(number) => number.to_string(),
        PropertyValue::Word(word) => word.text.to_owned(),
    }
}

/// A property's value, which is one of a list of words.
fn word<T: Copy>(
    property: &Property<'_>,
    all: impl Iterator<Item = T> + Clone,
    name: fn(T) -> &'static str,
) -> Checked<T> {
    let text = &value(property);
    let is = |value: &T| name(*value).eq_ignore_ascii_case(text);
    all.clone().find(is).ok_or_else(|| {
        let names = all.map(name);
        let listed: Vec<String> = names.clone().map(|name| format!("`{name}`")).collect();
        let message = format!("{} is not one of {}", quote(text), listed.join(", "));
        let remark = Remark::new(property.value_span.clone(), message);
        Some(suggest(remark, text, names))
    })
}

/// A property's value, which is a number from a range.
fn number(property: &Property<'_>, range: std::ops::RangeInclusive<u32>) -> Checked<u32> {
    match property.value {
        PropertyValue::Number(number) if range.contains(&number) => Ok(number),
        PropertyValue::Number(_) | PropertyValue::Word(_) => {
            let (least, most) = (range.start(), range.end());
            let message = format!("the value is a number from {least} to {most}");
            wrong(property.value_span.clone(), message)
        }
    }
}

/// A kind of primitive, which is one of those that geometry programs take or emit.
fn primitive(property: &Property<'_>, allowed: fn(&Primitive) -> bool) -> Checked<Primitive> {
    let kinds = Primitive::ALL.iter().copied().filter(allowed);
    word(property, kinds, Primitive::word)
}

impl Checker<'_> {
    pub(super) fn property(&mut self, property: &Property<'_>) {
        let Some(name) = PropertyName::find(property.name.text) else {
            let message = format!("unknown property {}", quote(property.name.text));
            let remark = Remark::new(property.name.span(), message).code(&code::text::ABSENT);
            let names = PropertyName::ALL.iter().map(|name| name.word());
            let remark = suggest(remark, property.name.text, names);
            self.diagnostics.warn(remark);
            self.keep(property);
            return;
        };
        self.named.insert(name);
        let checked = self.known_property(name, property);
        self.note(checked);
    }

    fn keep(&mut self, property: &Property<'_>) {
        let name = property.name.text.to_ascii_uppercase();
        let others = &mut self.program.properties.others;
        others.push((name, value(property)));
    }

    fn known_property(&mut self, name: PropertyName, property: &Property<'_>) -> Checked<()> {
        let values = &mut self.program.properties;
        let flag = || number(property, 0..=u32::MAX).map(|number| number != 0);
        let threads = || number(property, 1..=MOST_THREADS);
        match name {
            PropertyName::GsInputPrimitive => {
                let allowed = |it: &Primitive| it.input_vertices().is_some();
                values.input_primitive = Some(primitive(property, allowed)?);
            }
            PropertyName::GsOutputPrimitive => {
                values.output_primitive = Some(primitive(property, |it| it.is_output())?);
            }
            PropertyName::GsMaxOutputVertices => {
                values.max_vertices = number(property, 1..=MOST_VERTICES)?;
            }
            PropertyName::GsInvocations => values.invocations = number(property, 1..=32)?,
            PropertyName::FsCoordOrigin => {
                values.origin = word(property, Origin::ALL.iter().copied(), Origin::word)?;
            }
            PropertyName::FsCoordPixelCenter => {
                values.pixel_center = word(
                    property,
                    PixelCenter::ALL.iter().copied(),
                    PixelCenter::word,
                )?;
            }
            PropertyName::FsColor0WritesAllCbufs => values.color_to_all = flag()?,
            PropertyName::NumClipdistEnabled => {
                values.clip_distances = Some(number(property, 0..=MOST_DISTANCES)?);
            }
            PropertyName::NumCulldistEnabled => {
                values.cull_distances = Some(number(property, 0..=MOST_DISTANCES)?);
            }
            PropertyName::VsWindowSpacePosition => values.window_space = flag()?,
            PropertyName::LegacyMathRules | PropertyName::MulZeroWins => {
                values.zero_wins = flag()?;
            }
            PropertyName::CsFixedBlockWidth => values.block[0] = threads()?,
            PropertyName::CsFixedBlockHeight => values.block[1] = threads()?,
            PropertyName::CsFixedBlockDepth => values.block[2] = threads()?,
            PropertyName::NextShader => {
                let kinds = Processor::ALL.iter().copied();
                values.next = Some(word(property, kinds, Processor::word)?);
            }
            PropertyName::FsDepthLayout
            | PropertyName::FsEarlyDepthStencil
            | PropertyName::FsPostDepthCoverage
            | PropertyName::FsBlendEquationAdvanced
            | PropertyName::VsProhibitUcps
            | PropertyName::LayerViewportRelative
            | PropertyName::SeparableProgram
            | PropertyName::TcsVerticesOut
            | PropertyName::TesPrimMode
            | PropertyName::TesSpacing
            | PropertyName::TesVertexOrderCw
            | PropertyName::TesPointMode
            | PropertyName::VsBlitSgprs
            | PropertyName::CsUserDataComponents => self.keep(property),
        }
        Ok(())
    }

    /// Checks rules about all declarations together. `end` is the end of the text.
    pub(super) fn whole_program(&mut self, end: usize) {
        let [bits, numbers] = self.float_forms.each_ref().map(Option::as_ref);
        if let (Some(bits), Some(numbers)) = (bits, numbers) {
            let later: Range<usize> = match bits.start > numbers.start {
                true => bits.clone(),
                false => numbers.clone(),
            };
            let message =
                "the text writes floats in hexadecimal digits, and others in decimal ones";
            let help = "hexadecimal digits are the bits of a float";
            let remark = Remark::new(later, message).help(help);
            self.diagnostics.warn(remark);
        }
        let properties = &self.program.properties;
        if properties.block.iter().product::<u32>() > MOST_THREADS {
            let message = format!("a block has more than {MOST_THREADS} threads");
            self.diagnostics
                .error(Remark::new(end..end, message).code(&code::text::LIMIT));
        }
        if self.program.processor != Processor::Geometry {
            return;
        }
        self.vertices = properties
            .input_primitive
            .and_then(Primitive::input_vertices);
        let needed = [
            PropertyName::GsInputPrimitive,
            PropertyName::GsOutputPrimitive,
            PropertyName::GsMaxOutputVertices,
        ];
        for name in needed.into_iter().filter(|name| !self.named.contains(name)) {
            let message = format!("a geometry program needs `PROPERTY {name}`");
            self.diagnostics.error(Remark::new(end..end, message));
        }
    }
}
