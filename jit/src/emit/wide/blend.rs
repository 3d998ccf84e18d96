//! Linear filters: four texels of each lane, mixed.
//!
//! The form follows the storage. Texels of four words are mixed pixel by pixel: 16 bytes of memory are a
//! pixel, and one vector has a lane of each quad. Texels of four bytes are gathered and mixed component
//! by component: then no pixel has to be transposed, and no weight spread.

use attila_isa::Component;
use attila_texture::Storage;
use iced_x86::{Code, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use super::draw::TEXTURES;
use super::forms::{Form, Width};
use super::gather::{Numbers, Words};
use super::mir::{Arg, Fma, Inst, Mem, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::Descriptor;
use crate::ir::{Function, Half, Op, Rate, Value};

/// Operands of a blend before the pixels that it is added to.
const TEXELS_AND_WEIGHTS: usize = 6;

/// The first texels of the rows above and below.
const UPPER: Register = Register::RCX;
const LOWER: Register = Register::RDI;

/// Blends of a function.
pub(super) struct Blends {
    /// Those of which only components are wanted.
    by_component: FxHashSet<Value>,
    /// Registers of such blends.
    are_components: FxHashSet<Vreg>,
    /// The rows of blends whose turn has not come.
    ahead: FxHashMap<(Value, usize), Rows>,
}

impl Blends {
    pub(super) fn new(function: &Function) -> Blends {
        Blends {
            by_component: by_component(function),
            are_components: FxHashSet::default(),
            ahead: FxHashMap::default(),
        }
    }
}

/// How many bytes the texels of a blend are from the first, in both rows.
struct Rows {
    upper: Numbers,
    /// The same as above if there are none: then the row's base is another.
    lower: Option<Numbers>,
}

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
        let weights = [a, b, c, d].map(|weight| self.value(weight, copy));
        let pixels = match storage {
            Storage::Rgba8 | Storage::Red32F => {
                let texels = self.words_of_four((texture, storage, alike), [first, pitch], copy);
                let onto = match *onto {
                    [a, b, c, d] => Some(self.components_of([a, b, c, d])),
                    _ => None,
                };
                let components = match (storage, onto) {
                    // All channels alike.
                    (Storage::Red32F, None) => [self.sum(texels, weights, None); 4],
                    (_, onto) => [0, 1, 2, 3].map(|component| {
                        let onto = onto.map(|onto| onto[component]);
                        let numbers = texels.map(|texel| match storage {
                            Storage::Rgba8 => self.byte(texel, 8 * component as u8),
                            Storage::Red32F | Storage::Rgba32F => texel,
                        });
                        self.sum(numbers, weights, onto)
                    }),
                };
                self.as_pixels(whole, components)
            }
            Storage::Rgba32F => {
                let ahead = self.blends.ahead.remove(&(whole, copy));
                let rows = ahead.unwrap_or_else(|| {
                    let rows = self.rows(texture, [first, pitch], alike, copy);
                    self.texel_offsets_of(rows, Self::numbers)
                });
                self.texel_rows((texture, storage), pitch, copy);
                self.mixed_pixels(whole, &rows, weights, &onto)
            }
        };
        self.define_parts(whole, copy, &pixels);
    }

    /// Reads a word of each of four texels of each lane, and defines the parts of `whole`.
    pub(super) fn four_texels(
        &mut self,
        whole: Value,
        (texture, storage, word, alike): (u8, Storage, Component, bool),
        [first, pitch]: [Value; 2],
        copy: usize,
    ) {
        let words = match storage {
            Storage::Rgba8 | Storage::Red32F => {
                self.words_of_four((texture, storage, alike), [first, pitch], copy)
            }
            Storage::Rgba32F => {
                let (upper, lower) = self.rows(texture, [first, pitch], alike, copy);
                self.texel_rows((texture, storage), pitch, copy);
                let [upper, lower] =
                    [upper, lower.unwrap_or(upper)].map(|index| self.texel_bytes(index));
                let offset = (word.index() * size_of::<u32>()) as i32;
                let next = (storage.words() * size_of::<u32>()) as i32;
                [
                    (UPPER, upper, offset),
                    (UPPER, upper, offset + next),
                    (LOWER, lower, offset),
                    (LOWER, lower, offset + next),
                ]
                .map(|(base, bytes, offset)| {
                    self.gather_words(Words::by_bytes(base, offset), bytes)
                })
            }
        };
        self.define_parts(whole, copy, &words);
    }

    /// Four texels of one word of each lane.
    fn words_of_four(
        &mut self,
        (texture, storage, alike): (u8, Storage, bool),
        [first, pitch]: [Value; 2],
        copy: usize,
    ) -> [Vreg; 4] {
        let (upper, lower) = self.rows(texture, [first, pitch], alike, copy);
        self.texel_rows((texture, storage), pitch, copy);
        let rows = [upper, lower.unwrap_or(upper)];
        let [[a, b], [c, d]] = self.gather_rows([UPPER, LOWER], rows);
        [a, b, c, d]
    }

    /// Pixels of components. If all that is done with them is to take their components again, they are the
    /// components themselves.
    fn as_pixels(&mut self, whole: Value, components: [Vreg; 4]) -> [Vreg; 4] {
        if !self.blends.by_component.contains(&whole) {
            return self.transposed(components);
        }
        for component in components {
            self.blends.are_components.insert(component);
        }
        components
    }

    /// The components of pixels.
    pub(super) fn components_of(&mut self, pixels: [Vreg; 4]) -> [Vreg; 4] {
        if self.blends.are_components.contains(&pixels[0]) {
            return pixels;
        }
        self.transposed(pixels)
    }

    /// Computes where a blend's texels of four words are, and writes it to the frame, for a copy that has another blend
    /// before it: general registers read what has long been written.
    pub(super) fn look_ahead(&mut self, value: Value, copy: usize) {
        let node = self.function.node(value);
        let (Op::Blend(texture, Storage::Rgba32F, alike)
        | Op::BlendOnto(texture, Storage::Rgba32F, alike)) = node.op
        else {
            return;
        };
        let [first, pitch] = [node.operands[0], node.operands[1]];
        self.set_origin(node.origin);
        let rows = self.rows(texture, [first, pitch], alike, copy);
        let in_frame = |emission: &mut Self, bytes| Numbers::Frame(emission.in_frame(bytes));
        let rows = self.texel_offsets_of(rows, in_frame);
        self.blends.ahead.insert((value, copy), rows);
    }

    /// The numbers of the first texels above, and of those below unless they are as far from all of them.
    fn rows(
        &mut self,
        texture: u8,
        [first, pitch]: [Value; 2],
        alike: bool,
        copy: usize,
    ) -> (Vreg, Option<Vreg>) {
        let first = self.value(first, copy);
        let upper = self.within(first, Descriptor::last_blend_of(texture));
        if self.function.node(pitch).rate == Rate::Uniform {
            return (upper, None);
        }
        let pitch = self.value(pitch, copy);
        let pitch = if alike {
            self.unary_imm(Form::Permilps, pitch, 0)
        } else {
            pitch
        };
        (upper, Some(self.binary_form(Form::Paddd, upper, pitch)))
    }

    /// How many bytes texels of four words in both rows are from the first, `numbers` telling where that is read.
    fn texel_offsets_of(
        &mut self,
        (upper, lower): (Vreg, Option<Vreg>),
        numbers: impl Fn(&mut Self, Vreg) -> Numbers,
    ) -> Rows {
        let mut offsets = |index| {
            let bytes = self.texel_bytes(index);
            numbers(self, bytes)
        };
        Rows {
            upper: offsets(upper),
            lower: lower.map(offsets),
        }
    }

    /// Has the registers for both rows name the texels that numbers are counted from.
    fn texel_rows(&mut self, (texture, storage): (u8, Storage), pitch: Value, copy: usize) {
        let texels = Mem::at(TEXTURES, Descriptor::texels_of(texture) as i32);
        if self.function.node(pitch).rate != Rate::Uniform {
            self.insts.push(scalar::load(UPPER, texels));
            self.insts.push(scalar::mov(LOWER, UPPER));
            return;
        }
        let pitch = self.value(pitch, copy);
        let words = [Arg::Fixed(Register::EDI), Arg::Use(pitch)];
        self.form(Form::FirstWord, &words);
        let shift = (4 * storage.words()).trailing_zeros() as u8;
        self.insts.extend([
            scalar::load(UPPER, texels),
            scalar::shift_left(LOWER, shift),
            scalar::add(LOWER, UPPER),
        ]);
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

    /// A texel times its weight plus a sum, if there is one yet.
    fn add_product(&mut self, texel: Vreg, weight: Vreg, sum: Option<Vreg>) -> Vreg {
        match sum {
            Some(sum) => self.add_texel(texel, weight, sum),
            None => self.binary_form(Form::Mulps, texel, weight),
        }
    }

    /// Four texels times their weights, and what was there before.
    fn sum(&mut self, texels: [Vreg; 4], weights: [Vreg; 4], onto: Option<Vreg>) -> Vreg {
        let first = self.add_product(texels[0], weights[0], onto);
        (1..4).fold(first, |sum, n| self.add_texel(texels[n], weights[n], sum))
    }

    /// A pixel for each lane of a quad, of texels of four words.
    fn mixed_pixels(
        &mut self,
        whole: Value,
        rows: &Rows,
        weights: [Vreg; 4],
        onto: &[Vreg],
    ) -> [Vreg; 4] {
        let mut pixels = [weights[0]; 4];
        for half in Half::ALL {
            let lanes = half.lanes();
            if !lanes.iter().any(|&lane| self.wants(whole, lane)) {
                continue;
            }
            let [above, below] = match &rows.lower {
                None => self.texels_of_lanes([UPPER, LOWER], &rows.upper, half),
                Some(lower) => {
                    let [above] = self.texels_of_lanes([UPPER], &rows.upper, half);
                    let [below] = self.texels_of_lanes([LOWER], lower, half);
                    [above, below]
                }
            };
            let sides = |row: [[Vreg; 2]; 2]| [0, 1].map(|side| row.map(|lane| lane[side]));
            let corners = [above, below].into_iter().flat_map(sides);
            let mut sums = lanes.map(|lane| onto.get(usize::from(lane)).copied());
            // Weight by weight, so that one that is in memory is read once for both lanes.
            for (&weight, texels) in weights.iter().zip(corners) {
                for ((sum, texel), lane) in sums.iter_mut().zip(texels).zip(lanes) {
                    let weight = self.unary_imm(Form::Permilps, weight, lane * 0x55);
                    *sum = Some(self.add_product(texel, weight, *sum));
                }
            }
            for (lane, sum) in lanes.into_iter().zip(sums) {
                pixels[usize::from(lane)] = sum.expect("there are four texels");
            }
        }
        pixels
    }

    /// The texels that two lanes of each quad name, and those to their right: two lie next to each other, and
    /// are loaded as one. Half the loads, for two shuffles: 7.2 ns instead of 10.3 for all lanes of a
    /// blend at 512 bits (AMD EPYC, family 26). With 256 bits, shuffles that load the second pair have 0.97 to 1.0 of the
    /// speed, and blends that load it in place of every second shuffle 0.93 to 0.95 (family 25, model 1).
    fn texels_of_lanes<const N: usize>(
        &mut self,
        bases: [Register; N],
        offsets: &Numbers,
        half: Half,
    ) -> [[[Vreg; 2]; 2]; N] {
        let quads = self.width.quads();
        let mut loaded = bases.map(|_| [[None; 2]; 2]);
        for quad in 0..quads {
            let numbers = self.two_numbers(offsets, quad, half);
            for (lanes, base) in loaded.iter_mut().zip(bases) {
                for (of_lane, number) in lanes.iter_mut().zip(numbers) {
                    let place = Words::by_bytes(base, 0).at(number);
                    let register = &mut of_lane[2 * quad / quads];
                    *register = Some(self.pair_of_texels(*register, place));
                }
            }
        }
        loaded.map(|lanes| {
            lanes.map(|registers| {
                let [a, b] = registers.map(|register| register.expect("there are quads for both"));
                self.pixels_apart(a, b)
            })
        })
    }

    /// Two texels, behind two that are there.
    fn pair_of_texels(&mut self, before: Option<Vreg>, at: Mem) -> Vreg {
        let (result, from) = (self.vector(), Arg::Mem(at));
        match (before, self.width) {
            (Some(before), _) => {
                let code = Code::EVEX_Vinsertf64x4_zmm_k1z_zmm_ymmm256_imm8;
                let args = [Arg::Def(result), Arg::Use(before), from, Arg::Imm(1)];
                self.push(code, &args);
            }
            (None, Width::V256) => self.form(Form::Movups, &[Arg::Def(result), from]),
            (None, Width::V512) => {
                let code = Code::EVEX_Vmovups_ymm_k1z_ymmm256;
                self.push(code, &[Arg::Def(result), from]);
            }
        }
        result
    }

    /// A byte of each word, as a number.
    fn byte(&mut self, words: Vreg, place: u8) -> Vreg {
        let byte = match place {
            0 => {
                let low = self.literal(0xff);
                self.binary_form(Form::And, words, low)
            }
            24 => self.unary_imm(Form::Psrld, words, 24),
            // A shift and a mask in one.
            _ => {
                let from = u32::from(place) / 8;
                let order = [0, 4, 8, 12].map(|first| 0x8080_8000 | (first + from));
                let order = self.pattern(&order);
                self.binary_form(Form::Pshufb, words, order)
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
fn by_component(function: &Function) -> FxHashSet<Value> {
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
