//! Quads with everything around them, the same for the interpreter and every emitter.

use std::sync::atomic::{AtomicU32, Ordering};

use attila_interp::Interp;
use attila_isa::ValidProgram;
use attila_machine::{
    AttributeSource, Backend, Bindings, InputSource, LaneMask, Lanes, Lookup, QuadReg, QuadState,
    RunError, TextureQuery, TextureUnit, VertexSink, from_floats,
};
use attila_texture::{Image, Sampler, Texture, Textures};

use super::super::Type;
use super::super::immediate::{Read, text};
use super::Outcome;
use crate::abi::Slot;
use crate::compiled::Record;
use crate::emit::eval::slot;
use crate::emit::{Code, Run};
use crate::sampling::{Asks, Decodings, Inlined};

/// Textures that code may name.
const TEXTURES: usize = 2;

/// A quad whose registers are filled with numbers.
#[derive(Clone)]
pub(super) struct World {
    state: QuadState,
}

/// A word as a text: a number if it is one of a type that is written so.
pub(super) fn word(bits: u32, ty: Type) -> String {
    text(&bits, ty)
}

/// `slot = words` as the start of a register.
pub(super) fn start(slot: &str, words: &str) -> Option<(Slot, [u32; 4])> {
    let slot = Slot::read(slot, Type::None)?;
    let words = words.split_whitespace();
    let words: Option<Vec<u32>> = words.map(|word| u32::read(word, slot.ty())).collect();
    Some((slot, words?.try_into().ok()?))
}

/// A float for place `n` of quad `quad`: positive and negative, whole and not, small and large.
pub(super) fn number(quad: usize, n: usize) -> u32 {
    let mixed = (quad * 1009 + n * 37 + 11) as u32;
    let mixed = mixed.wrapping_mul(0x9e37_79b9);
    match mixed >> 29 {
        0 => (mixed % 7) as f32,
        1 => -((mixed % 5) as f32) / 4.0,
        2 => (mixed % 1000) as f32 * 1e5,
        3 => (mixed % 1000) as f32 / 999.0,
        4 => -(mixed as f32),
        5 => f32::MIN_POSITIVE / (mixed % 9 + 1) as f32,
        6 => 1.0 + (mixed % 100) as f32 / 128.0,
        _ => -0.5 - (mixed % 3) as f32,
    }
    .to_bits()
}

impl World {
    pub(super) fn new(quad: usize) -> World {
        let mut world = World {
            state: QuadState::default(),
        };
        let positions = world.state.io.samples.positions.iter_mut();
        for (n, position) in positions.enumerate() {
            *position = (n * 0x0003_0005 + quad) as u32;
        }
        for (n, slot) in Slot::all().into_iter().enumerate() {
            let words = [0, 1, 2, 3].map(|lane| match slot.ty() {
                Type::Mask => 0u32.wrapping_sub(((n + lane + quad) % 2) as u32),
                Type::I32 => ((n * 5 + lane * 3 + quad) % 11) as u32,
                Type::F32
                | Type::None
                | Type::F64
                | Type::Halves
                | Type::Pixel
                | Type::PixelI32
                | Type::PixelHalves
                | Type::Several => number(quad, 4 * n + lane),
            });
            world.put(slot, words);
        }
        world
    }

    pub(super) fn put(&mut self, slot: Slot, words: [u32; 4]) {
        *self.slot(slot) = words;
    }

    fn slot(&mut self, name: Slot) -> &mut Lanes<u32> {
        let QuadState { io, regs } = &mut self.state;
        slot(io, Some(regs), name).expect("the record has all slots")
    }

    fn load(&self, slot: Slot) -> Lanes<u32> {
        *self.clone().slot(slot)
    }

    /// The slots that are not as they were, with what `after` has in them.
    pub(super) fn changes(&self, after: &World) -> Vec<(Slot, [u32; 4])> {
        let slots = Slot::all().into_iter();
        slots
            .filter(|&slot| self.load(slot) != after.load(slot))
            .map(|slot| (slot, after.load(slot)))
            .collect()
    }

    /// The first slot that differs. The payload of a NaN does not count.
    pub(super) fn difference(&self, other: &World) -> Option<String> {
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        let same = |slot: Slot| {
            let lanes = self.load(slot).into_iter().zip(other.load(slot));
            let float = slot.ty() == Type::F32;
            lanes
                .into_iter()
                .all(|(a, b)| a == b || float && is_nan(a) && is_nan(b))
        };
        if self.state.regs.accumulator != other.state.regs.accumulator {
            return Some("the accumulator differs".to_owned());
        }
        let slot = Slot::all().into_iter().find(|&slot| !same(slot))?;
        let texts = [self.load(slot), other.load(slot)]
            .map(|words| words.map(|bits| word(bits, slot.ty())).join(" "));
        Some(format!("{slot} is {}, not {}", texts[1], texts[0]))
    }

    /// Runs a program on the interpreter for all quads.
    pub(super) fn interpret(worlds: Vec<World>, program: &ValidProgram) -> Outcome {
        let mut states: Vec<QuadState> = worlds.into_iter().map(|world| world.state).collect();
        let shader = Interp.prepare_stateful(program).expect("it is interpreted");
        World::outcome(
            shader.run(&bindings(&Units::default()), &mut states),
            states,
        )
    }

    /// Runs the code for all quads.
    pub(super) fn run(worlds: Vec<World>, code: &dyn Code) -> Outcome {
        let mut states: Vec<QuadState> = worlds.into_iter().map(|world| world.state).collect();
        let textures = textures();
        let units = Units::default();
        let run = Run {
            bindings: &bindings(&units),
            textures: &inlined(&textures),
        };
        let done = code.run(&run, QuadState::records(&mut states));
        World::outcome(done, states)
    }

    fn outcome(done: Result<(), RunError>, states: Vec<QuadState>) -> Outcome {
        match done {
            Ok(()) => Outcome::Records(states.into_iter().map(|state| World { state }).collect()),
            Err(RunError::LoopBudget { .. }) => Outcome::SpentBudget,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Answers with numbers that come from the question. Attributes depend on the vertices emitted before,
/// too, so that these show.
#[derive(Default)]
struct Units {
    emitted: AtomicU32,
}

impl Units {
    fn note(&self, words: &[u32]) {
        let before = self.emitted.load(Ordering::Relaxed);
        let mix = |hash: u32, word: &u32| hash.rotate_left(5).wrapping_mul(0x9e37_79b1) ^ word;
        let after = words.iter().fold(before, mix);
        self.emitted.store(after, Ordering::Relaxed);
    }
}

impl VertexSink for Units {
    fn output(&self, register: u8, value: &QuadReg) {
        self.note(&[1, register.into()]);
        self.note(value.as_flattened());
    }

    fn emit(&self, stream: u8, lanes: LaneMask) {
        self.note(&[2, stream.into(), lanes.bits().into()]);
    }

    fn end_primitive(&self, stream: u8, lanes: LaneMask) {
        self.note(&[3, stream.into(), lanes.bits().into()]);
    }
}

impl TextureUnit for Units {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let Lookup::Sample { coords, level, .. } = query.lookup else {
            panic!("lane IR only samples")
        };
        let [s, t, r, _] = coords;
        let operands = [s, t, r, level.given().unwrap_or_default()];
        let unit = f32::from(query.unit);
        from_floats(operands.map(|lanes| lanes.map(|x| 2.0 * x + unit)))
    }
}

impl AttributeSource for Units {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let wanted = wanted.to_lanes();
        std::array::from_fn(|component| {
            std::array::from_fn(|lane| {
                let emitted = self.emitted.load(Ordering::Relaxed) % 1009;
                let number = index[lane] % 97 + 100 * u32::from(attribute) + component as u32;
                let number = number + emitted;
                if wanted[lane] { number as f32 } else { 0.0 }
            })
        })
    }
}

/// Depends on the vertices emitted before, too.
impl InputSource for Units {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        self.note(&[4, register.into(), quad as u32]);
        let emitted = self.emitted.load(Ordering::Relaxed) % 1009;
        std::array::from_fn(|component| {
            offset.map(|[x, y]| {
                let place = f32::from(x) + 100.0 * f32::from(y);
                (place + (component + quad + emitted as usize) as f32).to_bits()
            })
        })
    }
}

fn bindings(units: &Units) -> Bindings<'_> {
    let mut bindings = Bindings::new()
        .with_textures(units)
        .with_attributes(units)
        .with_inputs(units)
        .with_vertices(units)
        .with_loop_budget(100);
    for index in 0..attila_machine::CONSTANTS {
        let words = [0, 1, 2, 3].map(|component| number(99, 4 * index + component));
        bindings.set_constant_bits(index, words);
    }
    bindings
}

/// The words of textures, where words of decoded texels may lie.
#[repr(align(16))]
struct Words([u32; 512]);

/// The words of all textures: more than they have texels, so that reading past the end shows.
static WORDS: Words = Words({
    let mut words = [0; 512];
    let mut n = 0;
    while n < words.len() {
        // Numbers between 1 and 2 as floats, and all kinds of bytes.
        words[n] = 0x3f80_0000 | (n as u32).wrapping_mul(0x0002_4681) & 0x007f_ffff;
        n += 1;
    }
    words
});

/// A texture of two by three texels.
pub(super) fn textures() -> Textures {
    let image = Image::from_rgba8(2, 3, &[0; 24]).expect("the bytes fit");
    let sampler = Sampler {
        lod_bias: 2.5,
        ..Sampler::RESET
    };
    let texture = Texture::new(image, sampler).expect("the sampler fits");
    let mut textures = Textures::new();
    textures.bind(0, texture).expect("there is unit 0");
    textures
}

/// The texture as often as code may name it, with [`WORDS`] for its texels.
pub(super) fn inlined(textures: &Textures) -> Inlined<'_> {
    let bindings = Bindings::new().with_textures(textures);
    let asks = Asks {
        units: 1,
        fetches: 0,
    };
    let mut inlined = Inlined::default();
    inlined.bind(&bindings, asks, Decodings::FLOATS);
    let mut inlined = inlined.repeat(TEXTURES);
    (0..TEXTURES).for_each(|texture| inlined.read(texture, &WORDS.0));
    inlined
}
