//! TGSI programs as their document describes them: on a quad of four lanes, with a set of those that execute each
//! instruction.
//!
//! Nothing of it is shared with the translation but the checked program and the approximations that ATTILA's
//! instructions promise. The walk goes by the statements of the text, not by jumps.

mod doubles;
mod floats;
mod flow;
mod registers;
mod rules;
pub(super) mod textures;
mod words;

use std::collections::BTreeMap;

use attila_shader::front::tgsi::{
    Destination, Dialect, File, Instruction, Processor, Role, Saturation, Semantic, SemanticName,
    TgsiOpcode, TgsiProgram, Type,
};
use attila_shader::isa::{Component, Slots};
use attila_shader::machine::{KILL_ALL, QuadSamples};

use super::world::{Units, World};
use flow::Exits;
use rules::{Rule, Rules};

/// A register in each lane.
pub(super) type Quad = [[u32; 4]; 4];

/// The lanes that execute.
type Mask = [bool; 4];

/// Instructions that are executed before the evaluator gives up.
const STEPS: usize = 20_000;

/// The results of a run.
pub(super) struct Results {
    /// The outputs by their registers in the text.
    pub(super) outputs: BTreeMap<u32, Quad>,
    pub(super) killed: Mask,
    /// The lanes of whose results the text says nothing.
    pub(super) undefined: Mask,
}

impl Results {
    /// The samples of a lane that are killed: all, or those that SAMPLEMASK does not have, if the program writes it.
    pub(super) fn kills(&self, program: &TgsiProgram, samples: &QuadSamples, lane: usize) -> u32 {
        if self.killed[lane] {
            return KILL_ALL;
        }
        let mut masks = program.outputs.iter().filter(|output| {
            let is_mask = |it: Semantic| it.name == SemanticName::SampleMask;
            output.semantic.is_some_and(is_mask) && writes(program, output.register)
        });
        let is_fragment = program.processor == Processor::Fragment;
        let Some(mask) = masks.rfind(|_| is_fragment) else {
            return 0;
        };
        let [kept, ..] = self.outputs[&mask.register][lane];
        let is_left = (0..samples.count[lane]).any(|sample| kept >> sample & 1 != 0);
        match is_left {
            true => !kept & KILL_ALL,
            false => KILL_ALL,
        }
    }
}

/// Whether a program has an instruction that may write an output.
fn writes(program: &TgsiProgram, register: u32) -> bool {
    let mut destinations = program.instructions.iter().flat_map(|it| &it.destinations);
    destinations.any(|destination| {
        let written = &destination.register;
        let array = program.array_of(written);
        let is_in_array = array.is_some_and(|array| array.range.contains(&register));
        written.file == File::Output && (is_in_array || written.index.fixed() == Some(register))
    })
}

/// Whether the evaluator has an opcode that computes a result of its sources.
pub(super) fn computes(opcode: TgsiOpcode) -> bool {
    Rule::of(opcode).is_some()
}

/// Runs a program; `None` if it has something that the evaluator does not have, or runs too long.
pub(super) fn evaluate(program: &TgsiProgram, world: &World, units: &Units) -> Option<Results> {
    let is_known = matches!(program.processor, Processor::Vertex | Processor::Fragment);
    if !is_known || !program.instructions.iter().all(has) {
        return None;
    }
    let mut machine = Machine {
        program,
        world,
        units,
        rules: Rules::of(program),
        registers: defaults(program).collect(),
        stacks: Default::default(),
        exits: Exits::default(),
        killed: [false; 4],
        undefined: [false; 4],
        steps: 0,
    };
    machine.main()?;
    let unwritten: BTreeMap<_, Quad> = defaults(program).collect();
    let outputs = program.outputs.iter().map(|output| {
        let register = (File::Output, 0, output.register);
        let [value, unwritten] = [&machine.registers, &unwritten]
            .map(|registers| registers.get(&register).copied().unwrap_or_default());
        // Through addresses, components may have been written that only other registers have.
        let parts = program
            .outputs
            .iter()
            .filter(|it| it.register == output.register);
        let declared = parts.fold(Slots::empty(), |all, part| all | part.mask);
        let kept = std::array::from_fn(|lane| {
            Component::ALL.map(|component| {
                let quad = if declared.has(component) {
                    value
                } else {
                    unwritten
                };
                quad[lane][component.index()]
            })
        });
        (output.register, kept)
    });
    Some(Results {
        outputs: outputs.collect(),
        killed: machine.killed,
        undefined: machine.undefined,
    })
}

/// The registers that are not 0 before the first instruction: in T7, colours and positions of vertices are (0, 0, 0, 1)
/// where nothing writes them. Random texts have one semantic for each register.
fn defaults(program: &TgsiProgram) -> impl Iterator<Item = ((File, u32, u32), Quad)> {
    let has_them = program.dialect == Dialect::T7 && program.processor == Processor::Vertex;
    let outputs = program.outputs.iter().filter(move |output| {
        let name = output.semantic.map(|semantic| semantic.name);
        let names = [
            SemanticName::Position,
            SemanticName::Color,
            SemanticName::BackColor,
        ];
        has_them && name.is_some_and(|name| names.contains(&name))
    });
    outputs.map(|output| {
        let point = [0, 0, 0, 1f32.to_bits()];
        ((File::Output, 0, output.register), [point; 4])
    })
}

/// Whether the evaluator has an instruction.
fn has(instruction: &Instruction) -> bool {
    let opcode = instruction.opcode;
    match opcode.info().role {
        Role::Plain => {
            [TgsiOpcode::Nop, TgsiOpcode::ReadHelper].contains(&opcode) || computes(opcode)
        }
        Role::Derivative | Role::Kill | Role::Stack => true,
        Role::Flow => opcode != TgsiOpcode::Bra,
        Role::Interpolate | Role::Sample | Role::Lookup => true,
        Role::Memory | Role::Emit | Role::Refused(_) => false,
    }
}

struct Machine<'a> {
    program: &'a TgsiProgram,
    world: &'a World,
    units: &'a Units,
    rules: Rules,
    /// The registers that have been written, by file, array and number.
    registers: BTreeMap<(File, u32, u32), Quad>,
    /// The vectors that PUSHA has put away.
    stacks: [Vec<[u32; 4]>; 4],
    exits: Exits,
    killed: Mask,
    undefined: Mask,
    steps: usize,
}

impl Machine<'_> {
    /// Executes an instruction that is not flow, in the lanes of `mask`; `None` to give up.
    fn execute(&mut self, instruction: &Instruction, mask: Mask) -> Option<()> {
        let kinds = source_types(instruction.opcode);
        let sources = instruction.sources.iter().zip(kinds);
        let sources: Vec<Quad> = sources
            .map(|(source, kind)| self.source(source, kind, mask))
            .collect();
        let source = |n: usize| sources.get(n).copied().unwrap_or_default();
        let value: Quad = match instruction.opcode.info().role {
            Role::Kill => {
                self.kill(instruction, &source(0), mask);
                return Some(());
            }
            Role::Stack => match instruction.opcode == TgsiOpcode::Pusha {
                true => {
                    let lanes = (0..4).filter(|lane| mask[*lane]);
                    lanes.for_each(|lane| self.stacks[lane].push(source(0)[lane]));
                    return Some(());
                }
                false => std::array::from_fn(|lane| match mask[lane] {
                    true => self.stacks[lane].pop().unwrap_or_default(),
                    false => [0; 4],
                }),
            },
            Role::Derivative => self.derivative(instruction.opcode, &source(0), mask),
            Role::Interpolate => self.interpolated(instruction, source(1), mask)?,
            Role::Plain if instruction.opcode == TgsiOpcode::ReadHelper => {
                std::array::from_fn(|lane| [self.helps(lane); 4])
            }
            Role::Sample | Role::Lookup => self.look_up(instruction, &sources, mask)?,
            Role::Plain | Role::Flow | Role::Memory | Role::Emit | Role::Refused(_) => {
                let Some(rule) = self.rule(instruction) else {
                    return Some(());
                };
                let all = [0, 1, 2, 3].map(source);
                let written = instruction.destinations.first()?.mask;
                std::array::from_fn(|lane| rule.apply(&self.rules, all.map(|it| it[lane]), written))
            }
        };
        let destinations = &instruction.destinations;
        if let Some(destination) = destinations.first() {
            self.store(instruction, destination, value, mask);
        }
        if let [mantissa, exponent] = destinations.as_slice() {
            let value = match self.rules.dialect {
                Dialect::T7 => exponents_of_pairs(&source(0)),
                Dialect::T10 | Dialect::T23 => exponents(&source(0), mantissa.mask, exponent.mask),
            };
            self.store(instruction, exponent, value, mask);
        }
        Some(())
    }

    /// The computation; FLR to an address register is ARL.
    fn rule(&self, instruction: &Instruction) -> Option<Rule> {
        let destination = instruction.destinations.first()?;
        let is_address = destination.register.file == File::Address;
        match instruction.opcode == TgsiOpcode::Flr && is_address {
            true => Rule::of(TgsiOpcode::Arl),
            false => Rule::of(instruction.opcode),
        }
    }

    fn kill(&mut self, instruction: &Instruction, source: &Quad, mask: Mask) {
        let is_conditional = instruction.opcode == TgsiOpcode::KillIf;
        for lane in 0..4 {
            let is_below = source[lane].iter().any(|a| f32::from_bits(*a) < 0.0);
            self.killed[lane] |= mask[lane] && (is_below || !is_conditional);
        }
    }

    /// Differences of the fragments of a quad: lanes 0 and 1 are above 2 and 3.
    fn derivative(&mut self, opcode: TgsiOpcode, source: &Quad, mask: Mask) -> Quad {
        if self.program.processor != Processor::Fragment {
            return Quad::default();
        }
        self.needs_all(mask);
        let is_fine = self.rules.dialect == Dialect::T7
            || matches!(opcode, TgsiOpcode::DdxFine | TgsiOpcode::DdyFine);
        let is_x = matches!(opcode, TgsiOpcode::Ddx | TgsiOpcode::DdxFine);
        std::array::from_fn(|lane| {
            let (to, from) = match (is_x, is_fine) {
                (true, true) => (lane | 1, lane & 2),
                (true, false) => (3, 2),
                (false, true) => (lane | 2, lane & 1),
                (false, false) => (2, 0),
            };
            std::array::from_fn(|n| {
                let [to, from] = [to, from].map(|lane| f32::from_bits(source[lane][n]));
                (to - from).to_bits()
            })
        })
    }

    /// An input at another place of the pixel; `None` if an address chooses it.
    fn interpolated(
        &mut self,
        instruction: &Instruction,
        second: Quad,
        mask: Mask,
    ) -> Option<Quad> {
        let source = instruction.sources.first()?;
        let number = source.register.index.fixed()?;
        let kinds = source_types(instruction.opcode).next()?;
        let mut value = Quad::default();
        for lane in (0..4).filter(|lane| mask[*lane]) {
            let [x, y, ..] = second[lane];
            let offset = if instruction.opcode == TgsiOpcode::InterpCentroid {
                self.world.centroid(lane)
            } else if instruction.opcode == TgsiOpcode::InterpSample {
                self.world.place(x)
            } else {
                [x, y].map(|word| sixteenths(f32::from_bits(word)))
            };
            let vector = self.input_at(number, lane, Some(offset));
            value[lane] = Component::ALL.map(|slot| {
                let word = vector[source.swizzle.source(slot).index()];
                registers::signed(word, kinds, source.modifiers)
            });
        }
        Some(value)
    }

    /// All bits if a lane only helps its neighbours, as a killed one does.
    fn helps(&self, lane: usize) -> u32 {
        let is_helper = self.killed[lane] || self.world.samples().coverage[lane] == 0;
        if is_helper { u32::MAX } else { 0 }
    }

    /// Differences are defined where all lanes take part.
    fn needs_all(&mut self, mask: Mask) {
        if mask != [true; 4] || self.undefined != [false; 4] {
            self.undefined = [true; 4];
        }
    }

    /// Writes a result where it is not guarded.
    fn store(
        &mut self,
        instruction: &Instruction,
        destination: &Destination,
        value: Quad,
        mask: Mask,
    ) {
        let most = most_components(&self.rules, instruction.opcode);
        let guards = instruction.guard.map(|guard| {
            let register = (File::Predicate, 0, guard.register);
            let predicates = self.registers.get(&register).copied().unwrap_or_default();
            predicates.map(|lane| {
                destination
                    .mask
                    .components()
                    .map(|c| (lane[guard.swizzle.source(c).index()] != 0) != guard.negate)
                    .collect::<Vec<_>>()
            })
        });
        for lane in (0..4).filter(|lane| mask[*lane]) {
            let Some(register) = self.written(&destination.register, lane) else {
                continue;
            };
            let quad = self.registers.entry(register).or_default();
            for (place, component) in destination.mask.components().take(most).enumerate() {
                let holds = guards.as_ref().is_none_or(|guards| guards[lane][place]);
                if holds && destination.declared.has(component) {
                    let word = value[lane][component.index()];
                    quad[lane][component.index()] = saturated(word, instruction.saturation);
                }
            }
        }
    }
}

/// The nearest number of sixteenths, of which 16 bits count; NaN and what 32 bits do not hold have none set.
fn sixteenths(pixels: f32) -> i16 {
    let whole = (pixels * 16.0 + 0.5).floor();
    let is_whole = (-2_147_483_648.0..2_147_483_648.0).contains(&whole);
    if is_whole { whole as i32 as i16 } else { 0 }
}

/// The types of the values that an opcode takes.
fn source_types(opcode: TgsiOpcode) -> impl Iterator<Item = Type> {
    use attila_shader::front::tgsi::Operand;
    let sources = opcode.info().form.sources.iter();
    sources.filter_map(|source| match source {
        Operand::Value(kind, _) => Some(*kind),
        Operand::Sampler | Operand::View | Operand::Buffer => None,
    })
}

/// The number of components that an opcode writes at most: words of two doubles are two.
fn most_components(rules: &Rules, opcode: TgsiOpcode) -> usize {
    let rule = Rule::of(opcode);
    let is_mask = matches!(rule, Some(Rule::Tests(_))) && rules.dialect != Dialect::T7;
    match is_mask || matches!(rule, Some(Rule::Narrowed(_))) {
        true => 2,
        false => Component::ALL.len(),
    }
}

/// The exponent of a lane's double: 0 for xy, 1 for zw.
fn exponent(lane: [u32; 4], pair: usize) -> u32 {
    let (_, exponent) = doubles::split(doubles::number(lane, pair));
    exponent.cast_unsigned()
}

/// The exponents of both doubles, each in both components of its pair.
fn exponents_of_pairs(source: &Quad) -> Quad {
    source.map(|lane| [0, 0, 1, 1].map(|pair| exponent(lane, pair)))
}

/// The exponents of the doubles of which `mantissa` is written, in the components of `mask` in turn.
fn exponents(source: &Quad, mantissa: Slots, mask: Slots) -> Quad {
    let first = usize::from(!mantissa.has(Component::X));
    source.map(|lane| rules::in_turn(mask, |place| exponent(lane, (first + place).min(1))))
}

/// A clamped number. NaN gives 0.
fn saturated(word: u32, saturation: Saturation) -> u32 {
    let number = f32::from_bits(word);
    let limited = match saturation {
        Saturation::None => return word,
        Saturation::Unsigned if number > 0.0 => number.min(1.0),
        Saturation::Unsigned => 0.0,
        Saturation::Signed if number.is_nan() => 0.0,
        Saturation::Signed => number.clamp(-1.0, 1.0),
    };
    limited.to_bits()
}
