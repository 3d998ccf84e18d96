//! Nothing outside of a texture and of its descriptor is read, for any coordinates of the lanes.

use attila_isa::Component;
use attila_machine::arith::fma;
use attila_texture::{Image, Sampler, Storage, Texture, Textures};

use super::*;
use crate::abi::{Descriptor, LEVELS, LevelField, LevelPart, TextureField};
use crate::sampling::{Asks, Decodings, Inlined};

/// Indices that lanes may come up with.
const WILD: [u32; 8] = [0, 1, 5, 6, 1 << 30, i32::MAX as u32, 1 << 31, u32::MAX];

const TEXTURE: u8 = 1;

/// Runs a function of input 0 for all of [`WILD`], with textures of which the first is not the one that
/// is to be used.
fn run(function: &Function, machine: Machine, quads: usize, words: Option<&[u32]>) -> Vec<u32> {
    let textures = textures();
    let mut inlined = describe(&textures);
    inlined.read(0, &[]);
    if let Some(words) = words {
        inlined.read(usize::from(TEXTURE), words);
    }
    let mut records = quads_of(&WILD.map(|word| [word]));
    let code = compile(function, machine, quads * machine.quads());
    let run = Run {
        bindings: &Bindings::new(),
        textures: &inlined,
    };
    assert_eq!(code.run(&run, QuadIo::records(&mut records)), Ok(()));
    let words = records.iter().flat_map(|quad| quad.outputs[0][0]);
    words.collect()
}

/// A texture of three rows of two texels.
fn textures() -> Textures {
    let bytes: Vec<u8> = (0..24).collect();
    let image = Image::from_rgba8(2, 3, &bytes).expect("the bytes fit");
    let sampler = Sampler {
        lod_bias: 2.5,
        ..Sampler::RESET
    };
    let texture = Texture::new(image, sampler).expect("the sampler fits");
    let mut textures = Textures::new();
    textures.bind(3, texture).expect("there is unit 3");
    textures
}

/// The same as it is described, twice.
fn describe(textures: &Textures) -> Inlined<'_> {
    let bindings = Bindings::new().with_textures(textures);
    let asks = Asks {
        units: 1 << 3,
        fetches: 0,
    };
    let mut inlined = Inlined::default();
    inlined.bind(&bindings, asks, Decodings::FLOATS);
    inlined.repeat(2)
}

fn descriptor() -> Descriptor {
    describe(&textures()).descriptors()[0].clone()
}

#[test]
fn texels_past_the_last_are_the_last() {
    // More words than the texture has: a read by mistake has another result than the one expected.
    let words: Vec<u32> = (0..400).map(|n| 1000 + n).collect();
    for (storage, word) in [
        (Storage::Rgba8, 0),
        (Storage::Rgba32F, 0),
        (Storage::Rgba32F, 3),
        (Storage::Red32F, 0),
    ] {
        let mut maker = Maker::new();
        let index = maker.input(0, Type::I32);
        let whole = maker.push(Op::Texel(TEXTURE, storage), [index]);
        let texel = match storage {
            Storage::Rgba8 | Storage::Red32F => maker.push(Op::Extract(word), [whole]),
            Storage::Rgba32F => component(&mut maker, whole, word),
        };
        maker.output(0, texel);
        let descriptor = descriptor();
        let last = descriptor.last_texel.0[0];
        let expected = WILD.map(|index| {
            let texel = index.min(last) as usize;
            1000 + (texel * storage.words()) as u32 + u32::from(word)
        });
        for machine in machines(&maker.function) {
            for quads in [1, 2] {
                let got = run(&maker.function, machine, quads, Some(&words));
                assert_eq!(got, expected, "{storage:?} {word} {machine:?}");
            }
        }
    }
}

#[test]
fn blends_behind_the_last_are_the_last() {
    // Whole numbers, so that their mix is one, too.
    let words: Vec<u32> = (0..400).map(|n| (n as f32).to_bits()).collect();
    let bytes: Vec<u32> = (0..400).map(|n| 0xff00_0000 | n).collect();
    for (storage, texels) in [
        (Storage::Rgba8, &bytes),
        (Storage::Rgba32F, &words),
        (Storage::Red32F, &words),
    ] {
        let descriptor = descriptor();
        let last = descriptor.last_blend.0[0];
        for alike in [false, true] {
            let function = blend(storage, alike);
            let red = |texel: u32| match storage {
                Storage::Rgba8 => f32::from(texel as u8),
                Storage::Rgba32F => 4.0 * texel as f32,
                Storage::Red32F => texel as f32,
            };
            let expected = WILD.map(|index| {
                let first = index.min(last);
                let [t0, t1, t2, t3] = [0, 1, PITCH, PITCH + 1].map(|next| red(first + next));
                let [a, b, c, d] = WEIGHTS;
                let mixed = fma(t3, d, fma(t2, c, fma(t1, b, t0 * a)));
                mixed.to_bits()
            });
            for machine in machines(&function) {
                for quads in [1, 2] {
                    let got = run(&function, machine, quads, Some(texels));
                    assert_eq!(got, expected, "{storage:?} {alike} {machine:?}");
                }
            }
        }
    }
}

#[test]
fn four_texels_behind_the_last_are_the_last() {
    let words: Vec<u32> = (0..400).map(|n| 1000 + n).collect();
    let last = descriptor().last_blend.0[0];
    for (storage, word) in [
        (Storage::Rgba8, Component::X),
        (Storage::Red32F, Component::X),
        (Storage::Rgba32F, Component::X),
        (Storage::Rgba32F, Component::W),
    ] {
        for alike in [false, true] {
            for (part, next) in (0..).zip([0, 1, PITCH, PITCH + 1]) {
                let mut maker = Maker::new();
                let first = maker.input(0, Type::I32);
                let pitch = maker.uniform(Op::Const(PITCH), Type::I32);
                let four = Op::Gather(TEXTURE, storage, word, alike);
                let four = maker.push(four, [first, pitch]);
                let found = maker.push(Op::Extract(part), [four]);
                maker.output(0, found);
                let expected = WILD.map(|index| {
                    let texel = (index.min(last) + next) as usize;
                    1000 + (texel * storage.words() + word.index()) as u32
                });
                for machine in machines(&maker.function) {
                    for quads in [1, 2] {
                        let got = run(&maker.function, machine, quads, Some(&words));
                        let case = format!("{storage:?} {word:?} {alike} {part}");
                        assert_eq!(got, expected, "{case} {machine:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn four_texels_have_the_pitch_of_each_lane() {
    let words: Vec<u32> = (0..400).map(|n| 1000 + n).collect();
    for storage in [Storage::Rgba8, Storage::Red32F] {
        for alike in [false, true] {
            let mut maker = Maker::new();
            let pitch = maker.input(0, Type::I32);
            let low = maker.uniform(Op::Const(15), Type::I32);
            let pitch = maker.push(Op::Binary(ir::Binary::And), [pitch, low]);
            let first = maker.uniform(Op::Const(3), Type::I32);
            let four = Op::Gather(TEXTURE, storage, Component::X, alike);
            let four = maker.push(four, [first, pitch]);
            let below = maker.push(Op::Extract(2), [four]);
            maker.output(0, below);
            let expected: Vec<u32> = WILD
                .chunks(4)
                .flat_map(|lanes| [0, 1, 2, 3].map(|n| lanes[if alike { 0 } else { n }]))
                .map(|pitch| 1003 + (pitch & 15))
                .collect();
            for machine in machines(&maker.function) {
                for quads in [1, 2] {
                    let got = run(&maker.function, machine, quads, Some(&words));
                    assert_eq!(got, expected, "{storage:?} {alike} {machine:?}");
                }
            }
        }
    }
}

/// Texels from a row of [`describe`]'s image to the next.
const PITCH: u32 = 6;
const WEIGHTS: [f32; 4] = [0.27, 0.63, 0.03, 0.07];

/// Red of the blend of the texels that input 0 names.
fn blend(storage: Storage, alike: bool) -> Function {
    let mut maker = Maker::new();
    let first = maker.input(0, Type::I32);
    let pitch = maker.uniform(Op::Const(PITCH), Type::I32);
    let [a, b, c, d] = WEIGHTS.map(|w| maker.uniform(Op::Const(w.to_bits()), Type::F32));
    let op = Op::Blend(TEXTURE, storage, alike);
    let whole = maker.push(op, [first, pitch, a, b, c, d]);
    let red = component(&mut maker, whole, 0);
    maker.output(0, red);
    maker.function
}

/// A component of the colours that are the parts of `pixels`.
fn component(maker: &mut Maker, pixels: Value, component: u8) -> Value {
    let rows = [0, 1, 2, 3].map(|pixel| maker.push(Op::Extract(pixel), [pixels]));
    let columns = maker.push(Op::Transpose, rows);
    maker.push(Op::Extract(component), [columns])
}

#[test]
fn levels_that_no_texture_has_are_within_the_descriptor() {
    for alike in [false, true] {
        let mut maker = Maker::new();
        let level = maker.input(0, Type::I32);
        let field = LevelField::Size { axis: 1 };
        let height = if alike {
            maker.push(Op::LevelField(TEXTURE, field), [level])
        } else {
            let (part, place) = LevelPart::with(field);
            let numbers = maker.push(Op::LevelPart(TEXTURE, part), [level]);
            maker.push(Op::Extract(place), [numbers])
        };
        let height = maker.push(Op::Unary(ir::Unary::FromBits), [height]);
        maker.output(0, height);
        let at = |level: u32| {
            if (level as usize).is_multiple_of(LEVELS) {
                3
            } else {
                0
            }
        };
        let expected: Vec<u32> = if alike {
            WILD.chunks(4).flat_map(|lanes| [at(lanes[0]); 4]).collect()
        } else {
            WILD.map(at).to_vec()
        };
        for machine in machines(&maker.function) {
            let got = run(&maker.function, machine, 1, None);
            assert_eq!(got, expected, "{machine:?}");
        }
    }
}

#[test]
fn numbers_of_a_texture_are_the_same_in_all_lanes() {
    let mut maker = Maker::new();
    let op = Op::TextureField(TEXTURE, TextureField::LodBias);
    let bias = maker.uniform(op, Type::F32);
    maker.output(0, bias);
    for machine in machines(&maker.function) {
        let got = run(&maker.function, machine, 2, None);
        assert_eq!(got, [2.5f32.to_bits(); 8], "{machine:?}");
    }
}
