//! Reading textures: their numbers and their texels.

use attila_isa::Component;
use attila_texture::Storage;
use cranelift_codegen::ir::types::{F32, F32X4, F64X2, I8X16, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData};

use super::memory::{table_flags, vector_type};
use super::shader::Emission;
use crate::abi::{Descriptor, LEVELS, LevelField, LevelPart, LevelRecord, TextureField};
use crate::ir::Value;

/// The bits of an index that name a level.
const LOW_BITS: u32 = (LEVELS - 1) as u32;

impl Emission<'_, '_> {
    /// A number of a texture, in all lanes.
    pub(super) fn texture_field(&mut self, texture: u8, field: TextureField) -> clif::Value {
        let (base, ty) = (self.bases.textures, vector_type(field.ty()));
        let offset = field.offset_of(texture) as i32;
        let word = self.ins().load(ty.lane_type(), table_flags(), base, offset);
        self.ins().splat(ty, word)
    }

    /// A number of the level that lane 0 names, in all lanes. The low bits of an index always name one of
    /// the descriptor's levels: for any number in a lane, nothing else is read.
    pub(super) fn level_field(
        &mut self,
        (texture, field): (u8, LevelField),
        [level]: [Value; 1],
        quad: usize,
    ) -> clif::Value {
        let (base, pointer, ty) = (self.bases.textures, self.pointer, vector_type(field.ty()));
        let level = self.first_lane(level, quad);
        let level = self.ins().band_imm_u(level, i64::from(LOW_BITS));
        let level = self.ins().uextend(pointer, level);
        let within = self.ins().ishl_imm_u(level, i64::from(LevelRecord::SHIFT));
        let address = self.ins().iadd(base, within);
        let (word, offset) = (ty.lane_type(), field.offset_of(texture) as i32);
        let word = self.ins().load(word, table_flags(), address, offset);
        self.ins().splat(ty, word)
    }

    /// Reads numbers of the level that each lane names, as above, and defines the parts of `whole`. Their
    /// vectors are transposed: loads of single numbers would be four for each.
    pub(super) fn level_part(
        &mut self,
        whole: Value,
        (texture, part): (u8, LevelPart),
        [level]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let fields = part.fields();
        let offset = fields[0].offset_of(texture) as i32;
        let level = self.value(level, quad);
        let low = self.literal(LOW_BITS, I32X4);
        let level = self.ins().band(level, low);
        let within = self.ins().ishl_imm_u(level, i64::from(LevelRecord::SHIFT));
        let base = self.bases.textures;
        let rows = self.offsets(within).map(|within| {
            let address = self.ins().iadd(base, within);
            self.ins().load(I32X4, table_flags(), address, offset)
        });
        let columns = self.transpose(rows);
        self.define_parts(whole, quad, &columns[..fields.len()]);
        None
    }

    /// Reads the texel that each lane names, never one past the end, and defines the parts of
    /// `whole`.
    pub(super) fn texel(
        &mut self,
        whole: Value,
        (texture, storage): (u8, Storage),
        [index]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let index = self.value(index, quad);
        let last = Descriptor::last_texel_of(texture);
        let within = self.within_texels(index, last, storage);
        let texels = self.texels(texture);
        let addresses = self
            .offsets(within)
            .map(|within| self.ins().iadd(texels, within));
        match storage {
            Storage::Rgba8 | Storage::Red32F => {
                let words = self.gathered(addresses, 0);
                self.define_parts(whole, quad, &[words]);
            }
            Storage::Rgba32F => {
                let texels =
                    addresses.map(|address| self.ins().load(F32X4, table_flags(), address, 0));
                self.define_parts(whole, quad, &texels);
            }
        }
        None
    }

    /// Reads a word of each of four texels of each lane, and defines the parts of `whole`.
    pub(super) fn four_texels(
        &mut self,
        whole: Value,
        (texture, storage, word, alike): (u8, Storage, Component, bool),
        [first, pitch]: [Value; 2],
        quad: usize,
    ) -> Option<clif::Value> {
        let lanes = self.rows((texture, storage, alike), [first, pitch], quad);
        let [left, right] =
            [0, storage.words()].map(|words| ((words + word.index()) * size_of::<u32>()) as i32);
        let places = [(0, left), (0, right), (1, left), (1, right)];
        let words = places.map(|(row, offset)| {
            let addresses = lanes.map(|rows| rows[row]);
            self.gathered(addresses, offset)
        });
        self.define_parts(whole, quad, &words);
        None
    }

    /// Mixes four texels of each lane, onto the pixels that follow the weights if there are any, and
    /// defines the parts of `whole`.
    pub(super) fn blend(
        &mut self,
        whole: Value,
        (texture, storage, alike): (u8, Storage, bool),
        operands: &[Value],
        quad: usize,
    ) -> Option<clif::Value> {
        let &[first, pitch, a, b, c, d, ref onto @ ..] = operands else {
            unreachable!("a blend has six operands at least");
        };
        let weights = [a, b, c, d].map(|weight| self.value_as(weight, I8X16, quad));
        let rows = self.rows((texture, storage, alike), [first, pitch], quad);
        let pixels = [0u8, 1, 2, 3].map(|lane| {
            let weights = weights.map(|weight| self.lane(weight, lane));
            let lane = usize::from(lane);
            let onto = onto.get(lane).map(|&pixel| self.value(pixel, quad));
            self.mixed(rows[lane], storage, weights, onto)
        });
        self.define_parts(whole, quad, &pixels);
        None
    }

    /// The addresses of each lane's first texel, and of the one below it.
    fn rows(
        &mut self,
        (texture, storage, alike): (u8, Storage, bool),
        [first, pitch]: [Value; 2],
        quad: usize,
    ) -> [[clif::Value; 2]; 4] {
        let last = Descriptor::last_blend_of(texture);
        let first = self.value(first, quad);
        let within = self.within_texels(first, last, storage);
        let pitches = self.pitches((pitch, alike), storage, quad);
        let base = self.texels(texture);
        let [[a, b], [c, d]] = [0u8, 2].map(|half| {
            let within = self.offset_pair(within, half);
            let lower = pitches.lower(self, base, half);
            [0, 1].map(|lane| [base, lower[lane]].map(|row| self.ins().iadd(row, within[lane])))
        });
        [a, b, c, d]
    }

    /// The bytes from a row to the next.
    fn pitches(&mut self, (pitch, alike): (Value, bool), storage: Storage, quad: usize) -> Pitches {
        if !alike {
            let pitch = self.value(pitch, quad);
            return Pitches::Each(self.bytes_of(pitch, storage));
        }
        let pitch = self.first_lane(pitch, quad);
        let pitch = self.ins().uextend(I64, pitch);
        Pitches::Alike(self.bytes_of(pitch, storage))
    }

    /// One lane of a blend, of two rows at these addresses.
    fn mixed(
        &mut self,
        rows: [clif::Value; 2],
        storage: Storage,
        weights: [clif::Value; 4],
        onto: Option<clif::Value>,
    ) -> clif::Value {
        let [[t0, t1], [t2, t3]] = rows.map(|row| self.two_texels(row, storage));
        let [a, b, c, d] = weights;
        let mut sum = match onto {
            Some(pixel) => self.fused([t0, a, pixel]),
            None => self.ins().fmul(t0, a),
        };
        for (texel, weight) in [(t1, b), (t2, c), (t3, d)] {
            sum = self.fused([texel, weight, sum]);
        }
        sum
    }

    /// The channels of the texel at an address and of the one to its right, red, green, blue, alpha.
    fn two_texels(&mut self, address: clif::Value, storage: Storage) -> [clif::Value; 2] {
        match storage {
            Storage::Rgba8 => {
                let halves = self.ins().uload8x8(table_flags(), address, 0);
                let bytes = [
                    self.ins().uwiden_low(halves),
                    self.ins().uwiden_high(halves),
                ];
                bytes.map(|bytes| self.ins().fcvt_from_sint(F32X4, bytes))
            }
            Storage::Rgba32F => {
                [0, 16].map(|offset| self.ins().load(F32X4, table_flags(), address, offset))
            }
            Storage::Red32F => [0, 4].map(|offset| {
                let red = self.ins().load(F32, table_flags(), address, offset);
                self.ins().splat(F32X4, red)
            }),
        }
    }

    /// Where the first texel of a texture is.
    fn texels(&mut self, texture: u8) -> clif::Value {
        let offset = Descriptor::texels_of(texture) as i32;
        let (pointer, base) = (self.pointer, self.bases.textures);
        self.load_once(base, table_flags(), pointer, offset)
    }

    /// Bytes from the first texel to the one that each lane names, never one past that whose index
    /// is `last` bytes from the first descriptor. All texels take less than 2^32 bytes.
    fn within_texels(&mut self, index: clif::Value, last: usize, storage: Storage) -> clif::Value {
        let base = self.bases.textures;
        let last = self.load_once(base, table_flags(), I32X4, last as i32);
        let index = self.ins().umin(index, last);
        self.bytes_of(index, storage)
    }

    /// How many bytes so many texels take.
    fn bytes_of(&mut self, texels: clif::Value, storage: Storage) -> clif::Value {
        let bytes = storage.words() * size_of::<u32>();
        self.ins()
            .ishl_imm_u(texels, i64::from(bytes.trailing_zeros()))
    }

    /// The words at `base` plus each lane's bytes plus `offset`.
    pub(super) fn gather(
        &mut self,
        base: clif::Value,
        within: clif::Value,
        offset: i32,
    ) -> clif::Value {
        let addresses = self
            .offsets(within)
            .map(|within| self.ins().iadd(base, within));
        self.gathered(addresses, offset)
    }

    /// The lanes as numbers without a sign, as large as an address.
    pub(super) fn offsets(&mut self, lanes: clif::Value) -> [clif::Value; 4] {
        let [[first, second], [third, fourth]] = [0, 2].map(|lane| self.offset_pair(lanes, lane));
        [first, second, third, fourth]
    }

    /// The lanes `first`, which is 0 or 2, and the one after it, as numbers without a sign. As f64
    /// the lower half moves in one instruction.
    fn offset_pair(&mut self, lanes: clif::Value, first: u8) -> [clif::Value; 2] {
        let pair = if first == 0 {
            let floats = self.cast(lanes, F64X2);
            let low = self.ins().extractlane(floats, 0);
            self.ins().bitcast(I64, MemFlagsData::new(), low)
        } else {
            let integers = self.cast(lanes, I64X2);
            self.ins().extractlane(integers, 1)
        };
        let lower = self.ins().ireduce(I32, pair);
        let lower = self.ins().uextend(I64, lower);
        [lower, self.ins().ushr_imm_u(pair, 32)]
    }

    /// The words at these addresses plus `offset`. As f32 they go to vectors without a detour.
    fn gathered(&mut self, addresses: [clif::Value; 4], offset: i32) -> clif::Value {
        self.gathered_with(table_flags(), addresses, offset)
    }

    /// The same of memory of any kind.
    pub(super) fn gathered_with(
        &mut self,
        flags: MemFlagsData,
        addresses: [clif::Value; 4],
        offset: i32,
    ) -> clif::Value {
        let words = addresses.map(|address| self.ins().load(F32, flags, address, offset));
        let first = self.ins().splat(F32X4, words[0]);
        let all = (1u8..4).fold(first, |vector, lane| {
            let word = words[usize::from(lane)];
            self.ins().insertlane(vector, word, lane)
        });
        self.cast(all, I32X4)
    }
}

/// Bytes from a row to the next.
#[derive(Clone, Copy)]
enum Pitches {
    /// For all lanes.
    Alike(clif::Value),
    /// For each lane.
    Each(clif::Value),
}

impl Pitches {
    /// `base` a row further down, for the lanes `first`, which is 0 or 2, and the one after it.
    fn lower(
        self,
        emission: &mut Emission<'_, '_>,
        base: clif::Value,
        first: u8,
    ) -> [clif::Value; 2] {
        match self {
            Pitches::Alike(pitch) => [emission.ins().iadd(base, pitch); 2],
            Pitches::Each(pitches) => {
                let pitches = emission.offset_pair(pitches, first);
                pitches.map(|pitch| emission.ins().iadd(base, pitch))
            }
        }
    }
}
