//! Linear filters: four texels of each lane, mixed.
//!
//! The form follows the storage. Texels of four words are mixed pixel by pixel: 16 bytes of memory are a
//! pixel, and one vector has a lane of each quad. Texels of four bytes are gathered and mixed component
//! by component: then no pixel has to be transposed, and no weight spread.

use attila_texture::Storage;
use iced_x86::{Code, Register};
use rustc_hash::FxHashSet;

use super::draw::TEXTURES;
use super::forms::{Form, Width};
use super::mir::{Arg, Fma, Inst, Mem, Under, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::Descriptor;
use crate::ir::{Function, Op, Rate, Value};

/// Operands of a blend before the pixels that it is added to.
const TEXELS_AND_WEIGHTS: usize = 6;

/// The first texels of the rows above and below.
const UPPER: Register = Register::RCX;
const LOWER: Register = Register::RDI;

impl Emission<'_> {
    /// Mixes four texels of each lane, and defines the parts of `whole`.
    pub(super) fn blend(
        &mut self,
        whole: Value,
        (texture, storage, alike): (u8, Storage, bool),
        operands: &[Value],
        copy: usize,
    ) {
        let (&[first, pitch, a, b, c, d], onto) = operands.split_first_chunk().expect("it has six");
        let onto: Vec<Vreg> = onto.iter().map(|&pixel| self.value(pixel, copy)).collect();
        let index = self.value(first, copy);
        let index = self.within(index, Descriptor::last_blend_of(texture));
        let weights = [a, b, c, d].map(|weight| self.value(weight, copy));
        let texels = Mem::at(TEXTURES, Descriptor::texels_of(texture) as i32);
        let below = self.row_below(index, (pitch, alike), copy);
        self.insts.push(scalar::load(UPPER, texels));
        match below {
            // The pitch is in the other register.
            None => {
                let shift = (4 * storage.words()).trailing_zeros() as u8;
                self.insts.push(scalar::shift_left(LOWER, shift));
                self.insts.push(scalar::add(LOWER, UPPER));
            }
            Some(_) => self.insts.push(scalar::mov(LOWER, UPPER)),
        }
        let rows = [index, below.unwrap_or(index)];
        let pixels = match storage {
            Storage::Rgba8 | Storage::Red32F => {
                let onto = match *onto {
                    [a, b, c, d] => Some(self.components_of([a, b, c, d])),
                    _ => None,
                };
                let texels = [
                    self.gather_pairs(UPPER, rows[0]),
                    self.gather_pairs(LOWER, rows[1]),
                ];
                let texels = texels.concat();
                let components = match (storage, onto) {
                    // All channels alike.
                    (Storage::Red32F, None) => {
                        let red = [0, 1, 2, 3].map(|n| texels[n]);
                        [self.sum(red, weights, None); 4]
                    }
                    (_, onto) => [0, 1, 2, 3].map(|component| {
                        let onto = onto.map(|onto| onto[component]);
                        let numbers = [0, 1, 2, 3].map(|n| match storage {
                            Storage::Rgba8 => self.byte(texels[n], 8 * component as u8),
                            Storage::Red32F | Storage::Rgba32F => texels[n],
                        });
                        self.sum(numbers, weights, onto)
                    }),
                };
                self.as_pixels(whole, components)
            }
            Storage::Rgba32F => self.mixed_pixels(whole, rows, weights, &onto),
        };
        self.define_parts(whole, copy, &pixels);
    }

    /// Pixels of components. If all that is done with them is to take their components again, they are the
    /// components themselves.
    fn as_pixels(&mut self, whole: Value, components: [Vreg; 4]) -> [Vreg; 4] {
        if !self.by_component.contains(&whole) {
            return self.transposed(components);
        }
        for component in components {
            self.are_components.insert(component);
        }
        components
    }

    /// The components of pixels.
    pub(super) fn components_of(&mut self, pixels: [Vreg; 4]) -> [Vreg; 4] {
        if self.are_components.contains(&pixels[0]) {
            return pixels;
        }
        self.transposed(pixels)
    }

    /// The texels below, by their numbers; or `None`, and their distance is in the register.
    fn row_below(
        &mut self,
        index: Vreg,
        (pitch, alike): (Value, bool),
        copy: usize,
    ) -> Option<Vreg> {
        let is_uniform = self.function.node(pitch).rate == Rate::Uniform;
        let pitch = self.value(pitch, copy);
        if is_uniform {
            self.form(
                Form::FirstWord,
                &[Arg::Fixed(Register::EDI), Arg::Use(pitch)],
            );
            return None;
        }
        let pitch = if alike {
            self.unary_imm(Form::Permilps, pitch, 0)
        } else {
            pitch
        };
        Some(self.binary_form(Form::Paddd, index, pitch))
    }

    /// A texel times its weight plus a sum.
    fn add_texel(&mut self, texel: Vreg, weight: Vreg, sum: Vreg) -> Vreg {
        let result = self.vector();
        self.insts.push(Inst::Fma(Fma {
            result,
            of: [texel, weight, sum],
            negates_product: false,
            negates_sum: false,
            double: false,
        }));
        result
    }

    /// Four texels times their weights, and what was there before.
    fn sum(&mut self, texels: [Vreg; 4], weights: [Vreg; 4], onto: Option<Vreg>) -> Vreg {
        let first = match onto {
            Some(onto) => self.add_texel(texels[0], weights[0], onto),
            None => self.binary_form(Form::Mulps, texels[0], weights[0]),
        };
        (1..4).fold(first, |sum, n| self.add_texel(texels[n], weights[n], sum))
    }

    /// A pixel for each lane of a quad, of texels of four words.
    fn mixed_pixels(
        &mut self,
        whole: Value,
        rows: [Vreg; 2],
        weights: [Vreg; 4],
        onto: &[Vreg],
    ) -> [Vreg; 4] {
        let upper = self.texel_offsets(rows[0]);
        let lower = if rows[0] == rows[1] {
            upper
        } else {
            self.texel_offsets(rows[1])
        };
        [0u8, 1, 2, 3].map(|lane| {
            if !self.wants(whole, lane) {
                return rows[0];
            }
            let of_lane = weights.map(|weight| self.unary_imm(Form::Permilps, weight, lane * 0x55));
            let lane = usize::from(lane);
            let [t0, t1] = self.texels_of_lane((UPPER, upper), lane);
            let [t2, t3] = self.texels_of_lane((LOWER, lower), lane);
            self.sum([t0, t1, t2, t3], of_lane, onto.get(lane).copied())
        })
    }

    /// The texels that a lane of each quad names, and those to their right: two lie next to each other, and
    /// are loaded as one. Half the loads, for two shuffles: 7.2 ns instead of 10.3 for all lanes of a
    /// blend at 512 bits (AMD EPYC, family 26).
    fn texels_of_lane(&mut self, (base, places): (Register, i32), lane: usize) -> [Vreg; 2] {
        let of_vector = self.width.quads() / 2;
        let halves = [0, 1].map(|half| {
            let quads = (half * of_vector)..((half + 1) * of_vector);
            let pairs = quads.map(|quad| places + 4 * (4 * quad + lane) as i32);
            self.pairs_of_texels(base, &pairs.collect::<Vec<_>>())
        });
        self.pixels_apart(halves[0], halves[1])
    }

    /// Two texels each, so many bytes from a register as the frame says at these places.
    fn pairs_of_texels(&mut self, base: Register, places: &[i32]) -> Vreg {
        let mut all = None;
        for (number, &place) in (0u8..).zip(places) {
            let at = Self::at_frame(place);
            self.insts.push(scalar::load32(Register::EAX, at));
            let from = Arg::Mem(Mem::at(base, 0).plus(Register::RAX, 1));
            let result = self.vector();
            match (self.width, all) {
                (Width::V256, _) => self.form(Form::Movups, &[Arg::Def(result), from]),
                (Width::V512, None) => {
                    let code = Code::EVEX_Vmovups_ymm_k1z_ymmm256;
                    self.push(code, &[Arg::Def(result), from]);
                }
                (Width::V512, Some(before)) => {
                    let code = Code::EVEX_Vinsertf64x4_zmm_k1z_zmm_ymmm256_imm8;
                    let args = [Arg::Def(result), Arg::Use(before), from, Arg::Imm(number)];
                    self.push(code, &args);
                }
            }
            all = Some(result);
        }
        all.expect("there are places")
    }

    /// The words that lanes name, and those that follow.
    fn gather_pairs(&mut self, base: Register, lanes: Vreg) -> [Vreg; 2] {
        if self.width == Width::V256 {
            return [0, 4].map(|offset| self.gather_words(base, lanes, 4, offset));
        }
        let upper = self.vector();
        let code = Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
        self.push(code, &[Arg::Def(upper), Arg::Use(lanes), Arg::Imm(1)]);
        let [low, high] = [lanes, upper].map(|lanes| self.gather_doubles(base, lanes));
        [0, 1].map(|n| {
            let order = (0..16).map(|lane| 2 * lane + n);
            let order = self.pattern(&order.collect::<Vec<_>>());
            let result = self.vector();
            let args = [Arg::Tied(result, order), Arg::Use(low), Arg::Use(high)];
            self.push(Code::EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32, &args);
            result
        })
    }

    /// 64 bits for each of the first eight lanes, which name words.
    fn gather_doubles(&mut self, base: Register, lanes: Vreg) -> Vreg {
        let (zero, all) = (self.literal(0), self.mask_literal(u32::MAX));
        let (result, used_up) = (self.vector(), self.mask());
        let args = [Arg::Tied(result, zero), Arg::Lanes(base, lanes, 4, 0)];
        let code = Code::EVEX_Vpgatherdq_zmm_k1_vm32y;
        self.push_under(code, &args, Under::Consumed(used_up, all));
        result
    }

    /// A byte of each word, as a number.
    fn byte(&mut self, words: Vreg, place: u8) -> Vreg {
        let byte = match place {
            0 => {
                let low = self.literal(0xff);
                self.binary_form(Form::And, words, low)
            }
            24 => self.shift_form(Form::Psrld, words, 24),
            // A shift and a mask in one.
            _ => {
                let from = u32::from(place) / 8;
                let order = [0, 4, 8, 12].map(|first| 0x8080_8000 | (first + from));
                let order = self.pattern(&order);
                self.binary_whole(Form::Pshufb, words, order)
            }
        };
        self.unary_form(Form::Cvtdq2ps, byte)
    }
}

/// Whether an operation mixes texels of one word.
fn of_words(op: &Op) -> bool {
    matches!(
        op,
        Op::Blend(_, Storage::Rgba8 | Storage::Red32F, _)
            | Op::BlendOnto(_, Storage::Rgba8 | Storage::Red32F, _)
    )
}

/// Blends of texels of one word of whose pixels nothing but the components is wanted.
pub(super) fn by_component(function: &Function) -> FxHashSet<Value> {
    let blends_bytes = |value: &Value| function.node(*value).op.blends_bytes();
    let part = |value: Value| match (function.node(value).op, &*function.node(value).operands) {
        (Op::Extract(part), &[whole]) if blends_bytes(&whole) => Some((whole, part)),
        (_, _) => None,
    };
    let bodies = function.blocks.iter().map(|block| &block.body);
    let lists = bodies.chain([&function.uniform, &function.row]);
    let nodes: Vec<Value> = lists.flatten().copied().collect();
    let mut found: FxHashSet<Value> = nodes.iter().copied().filter(blends_bytes).collect();
    if found.is_empty() {
        return found;
    }
    for &value in &nodes {
        let node = function.node(value);
        // Where the operands that are pixels begin, of operations that take components as well.
        let pixels = if node.op == Op::Transpose {
            0
        } else if of_words(&node.op) {
            TEXELS_AND_WEIGHTS
        } else {
            node.operands.len()
        };
        let (others, pixels) = node.operands.split_at(pixels);
        for (whole, _) in others.iter().filter_map(|&it| part(it)) {
            found.remove(&whole);
        }
        let parts: Vec<_> = pixels.iter().map(|&it| part(it)).collect();
        let in_order = |whole| (0u8..4).map(|n| Some((whole, n))).eq(parts.iter().copied());
        for (whole, _) in parts.iter().flatten() {
            if !in_order(*whole) {
                found.remove(whole);
            }
        }
    }
    let ends = function.blocks.iter().flat_map(|block| block.end.values());
    for (whole, _) in ends.filter_map(part) {
        found.remove(&whole);
    }
    found
}
