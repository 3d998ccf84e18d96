//! Checks declarations of inputs, outputs and system values.

use std::ops::{Range, RangeInclusive};

use attila_isa::{Remark, Slots, Stage, code};

use super::super::language::Input;
use super::super::parser::{quote, suggest};
use super::super::program::{Semantic, SystemValue, Varying};
use super::super::registers;
use super::super::syntax::{Attribute, Declaration};
use super::super::words::{File, Interpolation, Location, Processor, SemanticName};
use super::declare::{array_number, declared_mask};
use super::declared::Entry;
use super::{Checked, Checker, wrong};

/// The attributes of a declaration.
struct Attributes {
    array: Option<u32>,
    semantic: Option<(Semantic, Range<usize>)>,
    interpolation: Option<Interpolation>,
    location: Location,
    /// The first word about one of the two.
    interpolated: Option<Range<usize>>,
    invariant: bool,
    streams: [u32; 4],
    wraps: Option<(Slots, Range<usize>)>,
}

fn attributes(declaration: &Declaration<'_>) -> Checked<Attributes> {
    let mut all = Attributes {
        array: None,
        semantic: None,
        interpolation: None,
        location: Location::Center,
        interpolated: None,
        invariant: false,
        streams: [0; 4],
        wraps: None,
    };
    for attribute in &declaration.attributes {
        let word = attribute.word.text;
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        // COLOR is a semantic first, then a way to interpolate.
        let name = SemanticName::find(word).filter(|_| all.semantic.is_none());
        if let Some(name) = name {
            let index = attribute.index.as_ref().map_or(0, |(index, _)| *index);
            all.semantic = Some((Semantic { name, index }, attribute.span.clone()));
            continue;
        }
        if is("ARRAY") {
            all.array = Some(array_number(attribute)?);
        } else if is("STREAM") {
            all.streams = streams(attribute)?;
        } else if is("INVARIANT") {
            all.invariant = true;
        } else if let Some(slots) = cylindrical(word) {
            all.wraps = Some((slots, attribute.span.clone()));
        } else if let Some(kind) = Interpolation::find(word) {
            all.interpolation = Some(kind);
            all.interpolated.get_or_insert(attribute.span.clone());
        } else if let Some(location) = Location::find(word) {
            all.location = location;
            all.interpolated.get_or_insert(attribute.span.clone());
        } else {
            return Err(Some(unknown(attribute)));
        }
        if let Some((_, span)) = &attribute.index {
            let message = format!("{} takes no number", quote(word));
            return wrong(span.clone(), message);
        }
    }
    Ok(all)
}

/// The components of a word such as `CYLWRAP_XY`.
fn cylindrical(word: &str) -> Option<Slots> {
    const START: &str = "CYLWRAP_";
    let start = word.get(..START.len())?;
    let letters = word.get(START.len()..)?;
    let is_one = start.eq_ignore_ascii_case(START) && !letters.is_empty();
    let mut rest = letters.chars().map(|it| it.to_ascii_lowercase()).peekable();
    let all = Slots::all().components();
    let named = all.filter(|component| rest.next_if_eq(&component.letter()).is_some());
    let slots: Slots = named.map(Slots::only).collect();
    (is_one && rest.next().is_none()).then_some(slots)
}

fn streams(attribute: &Attribute<'_>) -> Checked<[u32; 4]> {
    let numbers: Vec<u32> = attribute.arguments.iter().map(|it| it.0).collect();
    let streams = <[u32; 4]>::try_from(numbers).ok();
    let streams = streams.filter(|streams| streams.iter().all(|stream| *stream < 4));
    streams.ok_or_else(|| {
        let remark = Remark::new(
            attribute.span.clone(),
            "there are four streams, from 0 to 3",
        );
        Some(remark.help("as in `STREAM(0, 0, 1, 1)`"))
    })
}

fn unknown(attribute: &Attribute<'_>) -> Remark {
    let word = quote(attribute.word.text);
    let message = format!("unknown attribute {word}");
    let remark = Remark::new(attribute.span.clone(), message);
    let names = SemanticName::ALL.iter().map(|it| it.word());
    let names = names.chain(Interpolation::ALL.iter().map(|it| it.word()));
    let names = names.chain(Location::ALL.iter().map(|it| it.word()));
    let names = names.chain(["ARRAY", "INVARIANT", "STREAM", "CYLWRAP_X"]);
    suggest(remark, attribute.word.text, names)
}

/// Whether two declarations say the same about a register.
fn is_same(a: &Varying, b: &Varying) -> bool {
    a.semantic == b.semantic
        && a.interpolation == b.interpolation
        && a.location == b.location
        && a.wraps == b.wraps
        && a.per_vertex == b.per_vertex
}

impl Checker<'_> {
    /// Declares inputs or outputs.
    pub(super) fn varying(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let mut attributes = attributes(declaration)?;
        self.check_interpolation(declaration.file, &mut attributes);
        let (registers, has_vertices) = self.varying_registers(declaration)?;
        let file = declaration.file;
        let of_vertices = self.program.processor == Processor::Vertex && file == File::Input;
        match &attributes.semantic {
            Some((_, span)) if of_vertices => {
                self.warn(
                    span.clone(),
                    "vertex inputs have no semantic; it is ignored",
                );
                attributes.semantic = None;
            }
            None if !of_vertices => {
                let remark = Remark::new(
                    declaration.span.clone(),
                    format!("`{file}[{}]` has no semantic", registers.start()),
                )
                .code(&code::text::NAME);
                return Err(Some(remark.help("add one, as in `, GENERIC[0]`")));
            }
            Some(_) | None => {}
        }
        let mask = declared_mask(declaration)?;
        self.effects(file, &attributes);
        let first = *registers.start();
        let end = registers.end() + 1;
        let semantic = attributes.semantic.map(|(semantic, _)| semantic);
        // Mesa writes brackets for vertices before each input of a geometry program.
        let of_primitive = semantic.map(Input::Semantic).is_some_and(|input| {
            let register = registers::input(input, Stage::Geometry);
            register.is_some()
        });
        let per_vertex = has_vertices && !of_primitive;
        for register in registers {
            let varying = Varying {
                register,
                mask,
                semantic: semantic.map(|semantic| Semantic {
                    name: semantic.name,
                    index: semantic.index.saturating_add(register - first),
                }),
                interpolation: attributes.interpolation,
                location: attributes.location,
                invariant: attributes.invariant,
                streams: attributes.streams,
                wraps: attributes.wraps.as_ref().map_or(Slots::empty(), |it| it.0),
                per_vertex,
                span: declaration.span.clone(),
            };
            self.add_varying(file, varying)?;
        }
        match attributes.array {
            Some(number) => self.add_array(declaration, number, first..end),
            None => Ok(()),
        }
    }

    /// Drops words about interpolation where nothing is interpolated.
    fn check_interpolation(&mut self, file: File, attributes: &mut Attributes) {
        if self.program.processor == Processor::Fragment && file == File::Input {
            return;
        }
        if let Some(span) = attributes.interpolated.take() {
            let message = "only inputs of fragment programs are interpolated; this is ignored";
            self.warn(span, message);
            attributes.interpolation = None;
            attributes.location = Location::Center;
        }
    }

    /// Warns of what draws do not act on.
    fn effects(&mut self, file: File, attributes: &Attributes) {
        let is_fragment = self.program.processor == Processor::Fragment;
        if let Some((_, span)) = &attributes.wraps
            && !(is_fragment && file == File::Input)
        {
            self.warn(
                span.clone(),
                "only inputs of fragment programs go round a cylinder",
            );
        }
        if let Some((semantic, span)) = &attributes.semantic
            && file == File::Output
            && let Some(reason) = semantic.name.without_effect()
        {
            let name = semantic.name;
            self.warn(span.clone(), format!("{name} has no effect: {reason}"));
        }
    }

    /// The registers of a declaration, and whether there is one of each for every vertex.
    fn varying_registers(
        &self,
        declaration: &Declaration<'_>,
    ) -> Checked<(RangeInclusive<u32>, bool)> {
        let file = declaration.file;
        let is_geometry = self.program.processor == Processor::Geometry && file == File::Input;
        let (extent, per_vertex) = match &declaration.second {
            None => (&declaration.first, false),
            Some(second) if is_geometry => (second, true),
            Some((_, span)) => {
                let noun = self.program.processor.noun();
                let message = format!("registers of {file} have one index in a {noun} program");
                return wrong(span.clone(), message);
            }
        };
        let (first, last) = self.numbers(file, extent)?;
        Ok((first..=last, per_vertex))
    }

    fn add_varying(&mut self, file: File, mut varying: Varying) -> Checked<()> {
        let list = match file == File::Output {
            true => &mut self.program.outputs,
            false => &mut self.program.inputs,
        };
        let register = varying.register;
        let others = list.iter().filter(|other| other.register == register);
        let is_new = others.clone().next().is_none();
        for other in others {
            // Mesa repeats declarations of components that several variables share.
            if other.mask.intersects(varying.mask) && !is_same(other, &varying) {
                let message = format!("`{file}[{register}]` is declared twice");
                return wrong(varying.span, message);
            }
            varying.mask -= other.mask;
        }
        if varying.mask.is_empty() {
            return Ok(());
        }
        let (per_vertex, mask) = (varying.per_vertex, varying.mask);
        list.push(varying);
        list.sort_by_key(|varying| varying.register);
        let registers = self.declared.of_mut(file);
        if is_new {
            let entry = Entry {
                last: register,
                per_vertex,
                mask,
            };
            registers.add(0, register, entry);
        } else {
            registers.extend(register, mask);
        }
        Ok(())
    }

    /// Declares system values.
    pub(super) fn system_value(&mut self, declaration: &Declaration<'_>) -> Checked<()> {
        let mut attributes = attributes(declaration)?;
        self.check_interpolation(declaration.file, &mut attributes);
        if let Some((_, span)) = &declaration.second {
            return wrong(span.clone(), "registers of SV have one index");
        }
        let (first, last) = self.numbers(File::SystemValue, &declaration.first)?;
        let Some((semantic, _)) = attributes.semantic else {
            let message = format!("`SV[{first}]` has no semantic");
            let remark = Remark::new(declaration.span.clone(), message).code(&code::text::NAME);
            return Err(Some(remark.help("add one, as in `, INSTANCEID`")));
        };
        let mask = declared_mask(declaration)?;
        for register in first..=last {
            let entry = Entry {
                last: register,
                per_vertex: false,
                mask,
            };
            let registers = self.declared.of_mut(File::SystemValue);
            if !registers.add(0, register, entry) {
                let message = format!("`SV[{register}]` is declared twice");
                return wrong(declaration.span.clone(), message);
            }
            self.program.system_values.push(SystemValue {
                register,
                semantic,
                span: declaration.span.clone(),
            });
        }
        let values = &mut self.program.system_values;
        values.sort_by_key(|value| value.register);
        Ok(())
    }
}
