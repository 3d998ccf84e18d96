//! Where a text may have a NaN that arithmetic made, whose sign and payload are unspecified.
//!
//! The analysis takes a program as a bag of instructions, as [`NanFlow`](crate::nan_payload::NanFlow) takes its
//! translation. Registers of texts are not shared between values, as registers of translations are, so that it finds
//! fewer dependencies.

use std::collections::BTreeMap;

use attila_shader::front::tgsi::{
    File, Instruction, Operand, Origin, PixelCenter, Reads, Register, Role, Saturation,
    SemanticName, TgsiOpcode, TgsiProgram, Type,
};
use attila_shader::isa::{Component, Slots};

/// A register, or all registers of an array.
type Key = (File, u32, Option<u32>);

/// The components that may hold such a NaN.
pub(super) struct Nans<'a> {
    program: &'a TgsiProgram,
    made: BTreeMap<Key, Slots>,
}

impl<'a> Nans<'a> {
    pub(super) fn new(program: &'a TgsiProgram) -> Nans<'a> {
        let made = BTreeMap::new();
        let mut nans = Nans { program, made };
        nans.position();
        loop {
            let before = nans.made.clone();
            program.instructions.iter().for_each(|it| nans.step(it));
            if before == nans.made {
                return nans;
            }
        }
    }

    /// Positions that count from below, or from corners of pixels, are computed.
    fn position(&mut self) {
        let properties = &self.program.properties;
        let plain = (Origin::UpperLeft, PixelCenter::HalfInteger);
        if (properties.origin, properties.pixel_center) == plain {
            return;
        }
        for input in &self.program.inputs {
            if input
                .semantic
                .is_some_and(|it| it.name == SemanticName::Position)
            {
                let keys = [None, Some(input.register)].map(|number| (File::Input, 0, number));
                let arrays = self
                    .program
                    .arrays
                    .iter()
                    .filter(|it| it.file == File::Input);
                let arrays = arrays.map(|it| (File::Input, it.range.start, None));
                self.made.extend(
                    keys.into_iter()
                        .chain(arrays)
                        .map(|key| (key, Slots::all())),
                );
            }
        }
    }

    /// Whether a component of an output may hold one.
    pub(super) fn output(&self, number: u32, component: Component) -> bool {
        let arrays = self.program.arrays.iter();
        let mut arrays = arrays.filter(|it| it.file == File::Output && it.range.contains(&number));
        let array = arrays.next().map(|array| array.range.start);
        let key = match array {
            Some(start) => (File::Output, start, None),
            None => (File::Output, 0, Some(number)),
        };
        self.made.get(&key).is_some_and(|made| made.has(component))
    }

    /// Whether an instruction's result depends on the payload of one.
    pub(super) fn has_dependent(&self) -> bool {
        let mut outputs = self.program.outputs.iter();
        let is_mask = |name| name == SemanticName::SampleMask;
        let kills = outputs.any(|it| {
            it.semantic.is_some_and(|semantic| is_mask(semantic.name))
                && self.output(it.register, Component::X)
        });
        kills
            || self
                .program
                .instructions
                .iter()
                .any(|it| self.is_dependent(it))
    }

    fn key(&self, register: &Register) -> Key {
        // Nothing is written to inputs, which have a key each, and one for relative reads.
        let is_own = register.file == File::Input && register.index.address.is_none();
        if let Some(array) = self.program.array_of(register).filter(|_| !is_own) {
            let start = array.range.start + (array.dimension << 16);
            return (array.file, start, None);
        }
        let dimension = register.dimension.and_then(|index| index.fixed());
        (
            register.file,
            dimension.unwrap_or(0),
            register.index.fixed(),
        )
    }

    fn has(&self, register: &Register, component: Component) -> bool {
        let made = self.made.get(&self.key(register));
        made.is_some_and(|made| made.has(component))
    }

    fn is_dependent(&self, instruction: &Instruction) -> bool {
        let sources = instruction.sources.iter().map(|it| &it.register);
        let destinations = instruction.destinations.iter().map(|it| &it.register);
        let textures = instruction.texture.iter();
        let units = textures.clone().flat_map(|it| [it.sampler, it.view]);
        let mut offsets = textures.flat_map(|it| &it.offsets);
        let is_offset = offsets.any(|offset| {
            let mut components = Component::ALL.into_iter().take(3);
            components.any(|slot| self.has(&offset.register, offset.swizzle.source(slot)))
        });
        let indices = |it: &'_ Register| it.dimension.into_iter().chain([it.index]);
        let addresses = sources.chain(destinations).flat_map(indices);
        let mut addresses = addresses.chain(units.flatten());
        let is_addressed = addresses.any(|index| {
            index.address.is_some_and(|address| {
                let made = self.made.get(&(address.file, 0, Some(address.register)));
                made.is_some_and(|made| made.has(address.component))
            })
        });
        is_addressed || is_offset || self.reads_one(instruction)
    }

    /// Whether an integer is read that may be one. Tests whether a word has a bit give the same for each NaN.
    fn reads_one(&self, instruction: &Instruction) -> bool {
        use TgsiOpcode::{Breakc, Callnz, If, Ifc, Ucmp, Uif};
        if [If, Uif, Ifc, Ucmp, Breakc, Callnz].contains(&instruction.opcode) {
            return false;
        }
        let written = instruction
            .destinations
            .first()
            .map_or(Slots::all(), |it| it.mask);
        let kinds = instruction.opcode.info().form.sources.iter();
        let kinds = kinds.filter_map(|kind| match *kind {
            Operand::Value(kind, reads) => Some((kind, reads)),
            Operand::Sampler | Operand::View | Operand::Buffer => None,
        });
        let mut sources = instruction.sources.iter().zip(kinds);
        sources.any(|(source, (kind, reads))| {
            let slots = match reads {
                Reads::Written => written,
                Reads::Slots(slots) => slots,
                Reads::Halves | Reads::Firsts | Reads::Pairs | Reads::Coordinates(_) => {
                    Slots::all()
                }
            };
            let is_word = matches!(kind, Type::Int | Type::Uint | Type::Double);
            let mut components = slots.components().map(|slot| source.swizzle.source(slot));
            is_word && components.any(|component| self.has(&source.register, component))
        })
    }

    fn step(&mut self, instruction: &Instruction) {
        let info = instruction.opcode.info();
        // Words of the stack are integers.
        if instruction.saturation != Saturation::None || info.role == Role::Stack {
            return;
        }
        let Some(destination) = instruction.destinations.first() else {
            return;
        };
        // FLR writes a whole number there.
        if destination.register.file == File::Address {
            return;
        }
        let key = self.key(&destination.register);
        let looks_up = matches!(info.role, Role::Sample | Role::Lookup);
        let made = destination.mask.components().filter(|component| {
            let sources = &instruction.sources;
            let mut moved = sources
                .iter()
                .map(|it| (&it.register, it.swizzle.source(*component)));
            match info.form.results.first() {
                Some(Type::Float) => true,
                // Texels may be made of several.
                Some(Type::Untyped) if looks_up => true,
                Some(Type::Untyped) => {
                    moved.any(|(register, component)| self.has(register, component))
                }
                // There is one NaN of doubles.
                Some(Type::Int | Type::Uint | Type::Double) | None => false,
            }
        });
        let made: Slots = made.map(Slots::only).collect();
        *self.made.entry(key).or_insert(Slots::empty()) |= made;
    }
}
