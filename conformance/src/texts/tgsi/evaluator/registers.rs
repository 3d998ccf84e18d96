//! Reads and writes of registers, lane by lane.

use attila_shader::front::tgsi::{
    File, Index, Input, Interpolation, Location, Origin, PixelCenter, Processor, Register,
    Semantic, SemanticName, Source, Type, Varying,
};
use attila_shader::isa::{Component, Modifiers};

use super::super::samples::Offset;
use super::{Machine, Mask, Quad, doubles};

impl Machine<'_> {
    /// A source in the lanes of `mask`; 0 in the others.
    pub(super) fn source(&mut self, source: &Source, kind: Type, mask: Mask) -> Quad {
        std::array::from_fn(|lane| {
            if !mask[lane] {
                return [0; 4];
            }
            let vector = self.vector(&source.register, lane);
            Component::ALL.map(|slot| {
                let word = vector[source.swizzle.source(slot).index()];
                match kind == Type::Double {
                    true => doubles::signed(word, slot.index(), source.modifiers),
                    false => signed(word, kind, source.modifiers),
                }
            })
        })
    }

    /// A register in a lane.
    fn vector(&mut self, register: &Register, lane: usize) -> [u32; 4] {
        let dimension = register
            .dimension
            .map_or(0, |index| self.number(index, lane));
        let number = self.number(register.index, lane);
        let found = match register.file {
            File::Constant => self.constant(dimension, number),
            File::Immediate => self.immediate(number),
            File::ImmediateArray => {
                let mut vectors = self.program.immediate_arrays.iter();
                let vector = vectors.find(|(register, _)| i64::from(*register) == number);
                vector.map(|(_, bits)| *bits)
            }
            File::Input => match self.is_inside(register, number) {
                true => Some(self.input_at(number as u32, lane, None)),
                false => Some([0; 4]),
            },
            File::SystemValue => Some(self.system_value(number, lane)),
            File::Temporary
            | File::TemporaryArray
            | File::Output
            | File::Address
            | File::Predicate => {
                let key = self.key(register, dimension, number);
                let quad = key.and_then(|key| self.registers.get(&key));
                Some(quad.map_or([0; 4], |quad| quad[lane]))
            }
            File::Null
            | File::Sampler
            | File::Resource
            | File::SamplerView
            | File::Image
            | File::Buffer
            | File::Memory
            | File::ConstantBuffer
            | File::HardwareAtomic
            | File::HalfTemporary
            | File::Loop => None,
        };
        found.unwrap_or_else(|| {
            self.undefined[lane] = true;
            [0; 4]
        })
    }

    /// An index in a lane.
    pub(super) fn number(&mut self, index: Index, lane: usize) -> i64 {
        let Some(address) = index.address else {
            return index.base.into();
        };
        let fixed = |base| Index {
            base,
            address: None,
        };
        let constant = (address.file == File::Constant).then_some(fixed(0));
        let register = Register {
            file: address.file,
            dimension: constant,
            index: fixed(address.register as i32),
            array: None,
        };
        let word = self.vector(&register, lane)[address.component.index()];
        // Addresses are integers of 32 bits.
        word.cast_signed().wrapping_add(index.base).into()
    }

    /// Whether a number is one of the registers that an index may choose.
    fn is_inside(&self, register: &Register, number: i64) -> bool {
        let array = register
            .array
            .and_then(|array| self.program.arrays.get(array));
        let range = array.map(|array| i64::from(array.range.start)..i64::from(array.range.end));
        range.is_none_or(|range| range.contains(&number))
    }

    fn key(&self, register: &Register, dimension: i64, number: i64) -> Option<(File, u32, u32)> {
        let is_inside = self.is_inside(register, number);
        is_inside.then_some((register.file, dimension as u32, number as u32))
    }

    /// The register that a result goes to; `None` if it is dropped.
    pub(super) fn written(&mut self, register: &Register, lane: usize) -> Option<(File, u32, u32)> {
        if register.file == File::Null {
            return None;
        }
        let dimension = register
            .dimension
            .map_or(0, |index| self.number(index, lane));
        let number = self.number(register.index, lane);
        self.key(register, dimension, number)
    }

    /// `None` past the end: the dialects do not agree on what is there.
    fn constant(&self, buffer: i64, register: i64) -> Option<[u32; 4]> {
        let mut buffers = self.program.constants.iter();
        let found = buffers.find(|it| i64::from(it.buffer) == buffer)?;
        let is_inside = (0..i64::from(found.size)).contains(&register);
        is_inside.then(|| self.world.constant(buffer as u32, register as u32))
    }

    fn immediate(&self, number: i64) -> Option<[u32; 4]> {
        let number = usize::try_from(number).ok()?;
        self.program.immediates.get(number).map(|it| it.bits)
    }

    fn system_value(&self, number: i64, lane: usize) -> [u32; 4] {
        let mut values = self.program.system_values.iter();
        let value = values.find(|value| i64::from(value.register) == number);
        let Some(semantic) = value.map(|value| value.semantic) else {
            return [0; 4];
        };
        let is_fragment = self.program.processor == Processor::Fragment;
        if let Some(vector) = self.of_samples(semantic, lane).filter(|_| is_fragment) {
            return vector;
        }
        let raw = self.world.input(Input::Semantic(semantic), lane);
        match semantic.name == SemanticName::Face && is_fragment {
            // All bits of a front face.
            true => [
                if f32::from_bits(raw[3]) > 0.0 {
                    u32::MAX
                } else {
                    0
                },
                0,
                0,
                0,
            ],
            false => self.fragment_input(semantic, raw),
        }
    }

    /// A value that describes the samples of the pixel; `None` if the semantic is not one.
    fn of_samples(&self, semantic: Semantic, lane: usize) -> Option<[u32; 4]> {
        let samples = self.world.samples();
        let first = if semantic.name == SemanticName::SampleId {
            self.world.own_sample()
        } else if semantic.name == SemanticName::SampleMask {
            samples.coverage[lane]
        } else if semantic.name == SemanticName::HelperInvocation {
            if samples.coverage[lane] == 0 {
                u32::MAX
            } else {
                0
            }
        } else if semantic.name == SemanticName::SamplePosition {
            let place = self.world.place(self.world.own_sample());
            let [x, y] = place.map(|at| (f32::from(at) / 16.0 + 0.5).to_bits());
            return Some([x, y, 0, 0]);
        } else {
            return None;
        };
        Some([first, 0, 0, 0])
    }

    /// The place of the pixel at which a declaration has its input.
    fn place(&self, varying: &Varying, lane: usize) -> Offset {
        match (varying.location, varying.interpolation) {
            (Location::Center, _) | (_, Some(Interpolation::Constant)) => [0; 2],
            (Location::Centroid, _) => self.world.centroid(lane),
            (Location::Sample, _) => self.world.place(self.world.own_sample()),
        }
    }

    /// The components of an input, each of which may have a semantic of its own, at a place of the pixel or where
    /// declarations have it.
    pub(super) fn input_at(&self, number: u32, lane: usize, at: Option<Offset>) -> [u32; 4] {
        let is_fragment = self.program.processor == Processor::Fragment;
        let parts = self
            .program
            .inputs
            .iter()
            .filter(|it| it.register == number);
        let parts: Vec<&Varying> = parts.collect();
        let mut vector = [0; 4];
        for part in &parts {
            let value = match part.semantic {
                Some(semantic) => {
                    let at = match at {
                        Some(at) => at,
                        None if is_fragment => self.place(part, lane),
                        None => [0; 2],
                    };
                    let raw = self.world.input_at(Input::Semantic(semantic), lane, at);
                    let described = self.of_samples(semantic, lane).filter(|_| is_fragment);
                    described.unwrap_or_else(|| self.fragment_input(semantic, raw))
                }
                None => self.world.input(Input::Attribute(number), lane),
            };
            for n in 0..4 {
                let is_part = part.mask.components().any(|c| c.index() == n);
                if parts.len() == 1 || is_part {
                    vector[n] = value[n];
                }
            }
        }
        vector
    }

    /// An input of a fragment as the text sees it, of what its register has.
    fn fragment_input(&self, semantic: Semantic, raw: [u32; 4]) -> [u32; 4] {
        if self.program.processor != Processor::Fragment {
            return raw;
        }
        let one = 1f32.to_bits();
        if semantic.name == SemanticName::Face {
            let is_front = f32::from_bits(raw[3]) > 0.0;
            return [if is_front { one } else { (-1f32).to_bits() }, 0, 0, one];
        }
        if semantic.name == SemanticName::Fog {
            return [raw[0], 0, 0, one];
        }
        if semantic.name == SemanticName::Position {
            return self.position(raw);
        }
        raw
    }

    fn position(&self, raw: [u32; 4]) -> [u32; 4] {
        let properties = &self.program.properties;
        let [mut x, mut y, z, w] = raw.map(f32::from_bits);
        let is_same = (properties.origin, properties.pixel_center)
            == (Origin::UpperLeft, PixelCenter::HalfInteger);
        if is_same {
            return raw;
        }
        if properties.origin == Origin::LowerLeft {
            y = self.world.window()[1] - y;
        }
        if properties.pixel_center == PixelCenter::Integer {
            (x, y) = (x - 0.5, y - 0.5);
        }
        [x, y, z, w].map(f32::to_bits)
    }
}

/// A word with its absolute value and its sign, as its type has them.
pub(super) fn signed(word: u32, kind: Type, modifiers: Modifiers) -> u32 {
    const SIGN: u32 = 1 << 31;
    let is_integer = matches!(kind, Type::Int | Type::Uint);
    let absolute = match (modifiers.absolute, is_integer) {
        (false, _) => word,
        (true, true) => word.cast_signed().unsigned_abs(),
        (true, false) => word & !SIGN,
    };
    match (modifiers.negate, is_integer) {
        (false, _) => absolute,
        (true, true) => absolute.wrapping_neg(),
        (true, false) => absolute ^ SIGN,
    }
}
