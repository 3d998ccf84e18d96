//! Inputs and outputs, and the instructions before and after those of the text.

use std::collections::BTreeMap;

use attila_isa::{Component, Opcode, Remark, Slots, Stage};

use super::super::dialect::Unwritten;
use super::super::language::{Input, Output, Param};
use super::super::program::{Index, Semantic, TgsiProgram, Varying};
use super::super::words::{File, Origin, PixelCenter, SemanticName};
use super::samples::{Spot, is_elsewhere};
use super::{Code, Current, Lowering, Operand, Place, Register, Target, TgsiOpcode, number, word};

const XY: Slots = Slots::X.union(Slots::Y);
const YZW: Slots = Slots::Y.union(Slots::Z).union(Slots::W);

/// The input that a declaration stands for.
pub(super) fn input_of(varying: &Varying) -> Input {
    match varying.semantic {
        Some(semantic) => Input::Semantic(semantic),
        None => Input::Attribute(varying.register),
    }
}

/// A register of the text that comes in.
#[derive(Clone, Debug)]
enum Source {
    /// An input as it is.
    Whole(Input),
    /// A temporary that the first instructions fill.
    Temp(usize),
}

/// A register of the text that goes out.
#[derive(Clone, Debug)]
struct Sink {
    /// The outputs that its components are.
    parts: Vec<(Slots, Output)>,
    /// The temporary that stands for it until the end.
    shadow: Option<usize>,
}

/// The registers that connect a program with others.
pub(super) struct Interface {
    inputs: BTreeMap<u32, Source>,
    system_values: BTreeMap<u32, Source>,
    outputs: BTreeMap<u32, Sink>,
    /// The temporary of the depth.
    depth: Option<usize>,
    /// The temporary of the samples that are kept.
    samples: Option<usize>,
}

/// Whether a register of a file is in an array.
fn is_in_array(program: &TgsiProgram, file: File, number: u32) -> bool {
    let mut arrays = program.arrays.iter().filter(|array| array.file == file);
    arrays.any(|array| array.range.contains(&number))
}

/// Whether an output is read, or in an array.
fn reads_output(program: &TgsiProgram, number: u32) -> bool {
    if is_in_array(program, File::Output, number) {
        return true;
    }
    let mut sources = program.instructions.iter().flat_map(|it| &it.sources);
    sources.any(|source| {
        source.register.file == File::Output && source.register.index.fixed() == Some(number)
    })
}

/// Whether an instruction may write an output.
fn writes_output(program: &TgsiProgram, number: u32) -> bool {
    let mut destinations = program.instructions.iter().flat_map(|it| &it.destinations);
    is_in_array(program, File::Output, number)
        || destinations
            .any(|it| it.register.file == File::Output && it.register.index.fixed() == Some(number))
}

impl Interface {
    pub(super) fn new(program: &TgsiProgram, stage: Stage, code: &mut Code) -> Interface {
        let mut interface = Interface {
            inputs: BTreeMap::new(),
            system_values: BTreeMap::new(),
            outputs: BTreeMap::new(),
            depth: None,
            samples: None,
        };
        let read_inputs = program.named(File::Input).numbers;
        for varying in program.inputs.iter().filter(|it| {
            let number = it.register;
            !it.per_vertex
                && (read_inputs.contains(&number) || is_in_array(program, File::Input, number))
        }) {
            let is_split = parts(&program.inputs, varying.register).count() > 1;
            let computed = stage == Stage::Fragment
                && (is_computed(program, varying.semantic) || is_elsewhere(varying));
            let source = match is_split || computed {
                true => Source::Temp(code.temp()),
                false => Source::Whole(input_of(varying)),
            };
            interface.inputs.entry(varying.register).or_insert(source);
        }
        let read_values = program.named(File::SystemValue).numbers;
        for value in program
            .system_values
            .iter()
            .filter(|it| read_values.contains(&it.register))
        {
            let computed = stage == Stage::Fragment && is_computed(program, Some(value.semantic));
            let source = match computed {
                true => Source::Temp(code.temp()),
                false => Source::Whole(Input::Semantic(value.semantic)),
            };
            interface.system_values.insert(value.register, source);
        }
        for varying in &program.outputs {
            interface.add_output(program, varying, stage, code);
        }
        interface
    }

    fn add_output(
        &mut self,
        program: &TgsiProgram,
        varying: &Varying,
        stage: Stage,
        code: &mut Code,
    ) {
        let Some(semantic) = varying.semantic else {
            return;
        };
        let is = |name| stage == Stage::Fragment && semantic.name == name;
        let (is_depth, is_mask) = (is(SemanticName::Position), is(SemanticName::SampleMask));
        let is_split = parts(&program.outputs, varying.register).count() > 1;
        let needs_shadow =
            is_depth || is_mask || is_split || reads_output(program, varying.register);
        let sink = self
            .outputs
            .entry(varying.register)
            .or_insert_with(|| Sink {
                parts: Vec::new(),
                shadow: needs_shadow.then(|| code.temp()),
            });
        if is_depth {
            self.depth = sink.shadow;
        } else if !is_mask {
            sink.parts.push((varying.mask, semantic));
        } else if writes_output(program, varying.register) {
            self.samples = sink.shadow;
        }
    }

    /// The register that is read for an input or a system value; `None` if there is none.
    pub(super) fn input(&self, file: File, register: u32) -> Option<Register> {
        let list = match file == File::SystemValue {
            true => &self.system_values,
            false => &self.inputs,
        };
        Some(match list.get(&register)? {
            Source::Whole(input) => Register::Input(*input),
            Source::Temp(temp) => Register::Temp(*temp),
        })
    }

    /// The temporary that stands for an output.
    pub(super) fn shadow(&self, register: u32) -> Option<usize> {
        self.outputs.get(&register)?.shadow
    }

    /// The place that a write of an output goes to; `None` if there is none.
    pub(super) fn output(&self, register: u32) -> Option<Place> {
        let sink = self.outputs.get(&register)?;
        match (sink.shadow, sink.parts.as_slice()) {
            (Some(temp), _) => Some(Place::Temp(temp)),
            (None, [(_, output)]) => Some(Place::Output(*output)),
            (None, _) => None,
        }
    }
}

/// The declarations of a register.
fn parts(list: &[Varying], register: u32) -> impl Iterator<Item = &Varying> {
    list.iter().filter(move |it| it.register == register)
}

/// Whether a fragment's input differs from what is in its register.
fn is_computed(program: &TgsiProgram, semantic: Option<Semantic>) -> bool {
    let properties = &program.properties;
    match semantic.map(|semantic| semantic.name) {
        Some(SemanticName::Position) => {
            properties.origin != Origin::UpperLeft
                || properties.pixel_center != PixelCenter::HalfInteger
        }
        Some(name) => matches!(
            name,
            SemanticName::Face
                | SemanticName::Fog
                | SemanticName::SampleId
                | SemanticName::SamplePosition
                | SemanticName::SampleMask
                | SemanticName::HelperInvocation
        ),
        None => false,
    }
}

impl Lowering<'_> {
    /// Adds the instructions that come first: those that fill inputs, and arrays with them.
    pub(super) fn before(&mut self) -> Result<(), Remark> {
        self.current = Current::default();
        let program = self.program;
        let mut instructions = program.instructions.iter();
        if instructions.any(|it| it.opcode == TgsiOpcode::ReadHelper) {
            let (temp, helper) = (self.code.temp(), self.is_helper());
            self.write(temp, Slots::X, Opcode::Mov, [helper]);
            self.helper = Some(temp);
        }
        for varying in &program.inputs {
            if let Some(&Source::Temp(temp)) = self.interface.inputs.get(&varying.register) {
                let at = self.spot(varying);
                self.fill(temp, (varying.mask, input_of(varying)), at, false);
            }
        }
        for value in &program.system_values {
            if let Some(&Source::Temp(temp)) = self.interface.system_values.get(&value.register) {
                let input = Input::Semantic(value.semantic);
                self.fill(temp, (Slots::all(), input), Spot::Centre, true);
            }
        }
        for (array, number) in self.members(File::Input) {
            let index = Index {
                base: number as i32,
                address: None,
            };
            if let Some(register) = self.interface.input(File::Input, number)
                && let Some((array, index)) = self.vector(array, index)?
            {
                let target = Target::Vector(array, index);
                self.put(Operand::new(register), target, Slots::all(), None);
            }
        }
        match (self.rules.unwritten, self.stage) {
            (Unwritten::Point, Stage::Vertex | Stage::Geometry) => self.default_outputs(),
            (Unwritten::Point, Stage::Fragment | Stage::Compute) | (Unwritten::Zero, _) => Ok(()),
        }
    }

    /// Gives colours and the position of a vertex the components that no instruction may write.
    fn default_outputs(&mut self) -> Result<(), Remark> {
        let point = Operand::constant([0.0, 0.0, 0.0, 1.0]);
        let position = Semantic {
            name: SemanticName::Position,
            index: 0,
        };
        let members = self.members(File::Output);
        let mut outside = vec![(position, Slots::all())];
        let program = self.program;
        for varying in &program.outputs {
            let Some(semantic) = varying.semantic else {
                continue;
            };
            let mask = if semantic.name == SemanticName::Position {
                Slots::all()
            } else if matches!(semantic.name, SemanticName::Color | SemanticName::BackColor) {
                Slots::W
            } else {
                continue;
            };
            outside.retain(|(known, _)| *known != semantic);
            outside.push((semantic, mask - varying.mask));
            let number = varying.register;
            let index = Index {
                base: number as i32,
                address: None,
            };
            let member = members.iter().find(|member| member.1 == number);
            let target = match member {
                Some((array, _)) => self
                    .vector(*array, index)?
                    .map(|(array, index)| Target::Vector(array, index)),
                None => self.interface.output(number).map(Target::Place),
            };
            // Reads see all components of a register that has no other semantic.
            let own = match parts(&program.outputs, number).count() {
                1 => mask,
                _ => mask & varying.mask,
            };
            if let Some(target) = target {
                self.write_where(point, target, own, None);
            }
        }
        for (semantic, mask) in outside {
            let target = Target::Place(Place::Output(semantic));
            self.write_where(point, target, mask, None);
        }
        Ok(())
    }

    /// The registers of a file that are in arrays, with the arrays' numbers.
    fn members(&self, file: File) -> Vec<(usize, u32)> {
        let arrays = self.program.arrays.iter().enumerate();
        let arrays = arrays.filter(|(_, array)| array.file == file);
        let members = arrays.flat_map(|(at, array)| array.range.clone().map(move |it| (at, it)));
        members.collect()
    }

    /// Writes components of an input to a temporary, as the text sees them at a place of the pixel.
    pub(super) fn fill(
        &mut self,
        temp: usize,
        (mask, input): (Slots, Input),
        at: Spot,
        is_system: bool,
    ) {
        let operand = Operand::new(Register::Input(input));
        let name = match input {
            Input::Semantic(semantic) if self.stage == Stage::Fragment => Some(semantic.name),
            Input::Semantic(_) | Input::Attribute(_) => None,
        };
        if name == Some(SemanticName::Face) {
            self.face(temp, operand, is_system);
            return;
        }
        if name.is_some_and(|name| self.fill_from_samples(temp, name)) {
            return;
        }
        let operand = self.evaluated(operand, mask, at);
        self.write(temp, mask, Opcode::Mov, [operand]);
        if name == Some(SemanticName::Position) {
            self.position(temp, operand);
        } else if name == Some(SemanticName::Fog) {
            // Only one number passes between the programs.
            let rest = Operand::constant([0.0, 0.0, 0.0, 1.0]);
            self.write(temp, YZW, Opcode::Mov, [rest]);
        }
    }

    /// The position as the properties count it.
    fn position(&mut self, temp: usize, position: Operand) {
        let properties = &self.program.properties;
        let (origin, center) = (properties.origin, properties.pixel_center);
        if origin == Origin::LowerLeft {
            let window = Operand::new(Register::Param(Param::Window));
            let operands = [window, position.negated()];
            self.write(temp, Slots::Y, Opcode::Add, operands);
        }
        if center == PixelCenter::Integer {
            let operands = [Operand::temp(temp), number(-0.5)];
            self.write(temp, XY, Opcode::Add, operands);
        }
    }

    /// The face: 1 or -1 as an input, all bits or none as a system value. Its sign is in w.
    fn face(&mut self, temp: usize, register: Operand, is_system: bool) {
        let sign = register.only(Component::W);
        if is_system {
            let operands = [number(0.0), sign];
            self.write(temp, Slots::X, Opcode::Fslt, operands);
            self.write(temp, YZW, Opcode::Mov, [word(0)]);
            return;
        }
        let operands = [sign.negated(), number(1.0), number(-1.0)];
        self.write(temp, Slots::X, Opcode::Cmp, operands);
        let rest = Operand::constant([0.0, 0.0, 0.0, 1.0]);
        self.write(temp, YZW, Opcode::Mov, [rest]);
    }

    /// Adds the instructions that come last: outputs that temporaries have stood for, and the depth. They
    /// stand at byte `end` of the text.
    pub(super) fn after(&mut self, end: usize) -> Result<(), Remark> {
        self.current = Current {
            span: end..end,
            ..Current::default()
        };
        // Geometry programs have emitted all that they make.
        if self.stage != Stage::Geometry {
            self.copy_outputs()?;
        }
        if let Some(depth) = self.interface.depth {
            let depth = Operand::temp(depth).only(Component::Z);
            self.add(Opcode::Zxp, None, &[depth]);
        }
        if let Some(mask) = self.interface.samples {
            self.keep_samples(Operand::temp(mask));
        }
        Ok(())
    }

    /// Writes the outputs that temporaries have stood for.
    pub(super) fn copy_outputs(&mut self) -> Result<(), Remark> {
        for (array, number) in self.members(File::Output) {
            let index = Index {
                base: number as i32,
                address: None,
            };
            if let Some(shadow) = self.interface.shadow(number) {
                let loaded = Operand::temp(self.loaded_vector(array, index)?);
                self.write(shadow, Slots::all(), Opcode::Mov, [loaded]);
            }
        }
        let sinks: Vec<Sink> = self.interface.outputs.values().cloned().collect();
        for Sink { parts, shadow } in sinks {
            let Some(temp) = shadow else { continue };
            for (mask, output) in parts {
                let result = Some((Place::Output(output), mask));
                self.add(Opcode::Mov, result, &[Operand::temp(temp)]);
            }
        }
        Ok(())
    }
}
