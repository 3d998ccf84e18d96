//! Reading textures: their numbers and their texels. No texel past the end is read, for any number in a lane.

use attila_isa::Component;
use attila_texture::Storage;

use super::function::{Emission, at};
use super::locals::Local;
use crate::abi::{Descriptor, LEVELS, LevelField, LevelPart, LevelRecord, TextureField};
use crate::ir::Value;

/// The bits of an index that name a level: they always name one of the descriptor's.
const LOW_BITS: u32 = (LEVELS - 1) as u32;

impl Emission<'_> {
    /// A number of a texture, in all lanes.
    pub(super) fn texture_field(&mut self, texture: u8, field: TextureField) {
        let base = self.bases.textures;
        self.splat_word(base, field.offset_of(texture));
    }

    /// A number of the level that lane 0 names, in all lanes.
    pub(super) fn level_field(&mut self, (texture, field): (u8, LevelField), [level]: [Value; 1]) {
        let base = self.bases.textures;
        self.push(base);
        self.get(level);
        self.ins()
            .i32x4_extract_lane(0)
            .i32_const(LOW_BITS as i32)
            .i32_and()
            .i32_const(LevelRecord::SHIFT as i32)
            .i32_shl()
            .i32_add()
            .v128_load32_splat(at(field.offset_of(texture)));
    }

    /// Reads numbers of the level that each lane names. Their vectors are transposed.
    pub(super) fn level_part(
        &mut self,
        whole: Value,
        (texture, part): (u8, LevelPart),
        [level]: [Value; 1],
    ) {
        let fields = part.fields();
        self.get(level);
        self.masked(LOW_BITS);
        self.ins().i32_const(LevelRecord::SHIFT as i32).i32x4_shl();
        let base = self.bases.textures;
        self.add_address(base);
        let addresses = self.vector();
        let rows = self.vectors_at(addresses, fields[0].offset_of(texture));
        let columns = self.transposed(rows);
        self.define_parts(whole, &columns[..fields.len()]);
    }

    /// The vectors at each lane's address plus `offset`.
    fn vectors_at(&mut self, addresses: Local, offset: usize) -> [Local; 4] {
        [0, 1, 2, 3].map(|lane| {
            self.lane_address(addresses, lane);
            self.ins().v128_load(at(offset));
            self.vector()
        })
    }

    /// Reads the texel that each lane names.
    pub(super) fn texel(
        &mut self,
        whole: Value,
        (texture, storage): (u8, Storage),
        [index]: [Value; 1],
    ) {
        let addresses = self.texels(texture, index, Descriptor::last_texel_of(texture), storage);
        match storage {
            Storage::Rgba8 | Storage::Red32F => {
                self.define_part(whole, 0, |it| it.gather_at(addresses, 0));
            }
            Storage::Rgba32F => {
                for lane in 0..4 {
                    self.define_part(whole, lane, |it| {
                        it.lane_address(addresses, lane);
                        it.ins().v128_load(at(0));
                    });
                }
            }
        }
    }

    /// The addresses of the texels that lanes name, none past that whose index is `last` bytes from the first descriptor.
    fn texels(&mut self, texture: u8, index: Value, last: usize, storage: Storage) -> Local {
        let base = self.bases.textures;
        self.get(index);
        self.push(base);
        self.ins().v128_load(at(last)).i32x4_min_u();
        self.bytes_of(storage);
        self.splat_word(base, Descriptor::texels_of(texture));
        self.ins().i32x4_add();
        self.vector()
    }

    /// How many bytes as many texels take as a vector on the stack says.
    fn bytes_of(&mut self, storage: Storage) {
        self.ins().i32_const(shift(storage)).i32x4_shl();
    }

    /// The addresses of each lane's first texel, and of the one below it.
    fn rows(
        &mut self,
        (texture, storage, alike): (u8, Storage, bool),
        [first, pitch]: [Value; 2],
    ) -> [Local; 2] {
        let upper = self.texels(texture, first, Descriptor::last_blend_of(texture), storage);
        self.push(upper);
        self.get(pitch);
        if alike {
            self.ins()
                .i32x4_extract_lane(0)
                .i32_const(shift(storage))
                .i32_shl()
                .i32x4_splat();
        } else {
            self.bytes_of(storage);
        }
        self.ins().i32x4_add();
        [upper, self.vector()]
    }

    /// Reads a word of each of four texels of each lane.
    pub(super) fn four_texels(
        &mut self,
        whole: Value,
        (texture, storage, word, alike): (u8, Storage, Component, bool),
        of: [Value; 2],
    ) {
        let [upper, lower] = self.rows((texture, storage, alike), of);
        let [left, right] =
            [0, storage.words()].map(|words| (words + word.index()) * size_of::<u32>());
        let places = [(upper, left), (upper, right), (lower, left), (lower, right)];
        for (part, (row, offset)) in (0..).zip(places) {
            self.define_part(whole, part, |it| it.gather_at(row, offset));
        }
    }

    /// Mixes four texels of each lane, onto the pixels that follow the weights if there are any.
    pub(super) fn blend(
        &mut self,
        whole: Value,
        (texture, storage, alike): (u8, Storage, bool),
        of: &[Value],
    ) {
        let &[first, pitch, a, b, c, d, ref onto @ ..] = of else {
            unreachable!("a blend has six operands at least");
        };
        let weights = [a, b, c, d].map(|weight| self.local(weight));
        let rows = self.rows((texture, storage, alike), [first, pitch]);
        for lane in 0..4 {
            let onto = onto.get(usize::from(lane)).map(|&pixel| self.local(pixel));
            self.define_part(whole, lane, |it| {
                it.mixed((rows, storage), weights, lane, onto);
            });
        }
    }

    /// One lane of a blend.
    fn mixed(
        &mut self,
        (rows, storage): ([Local; 2], Storage),
        weights: [Local; 4],
        lane: u8,
        onto: Option<Local>,
    ) {
        let [[t0, t1], [t2, t3]] = rows.map(|row| {
            self.lane_address(row, lane);
            let address = self.address();
            self.two_texels(address, storage)
        });
        let [a, b, c, d] = weights.map(|weight| {
            self.push(weight);
            self.push(weight);
            self.shuffle_words([lane; 4]);
            self.vector()
        });
        let terms = [[t0, a], [t1, b], [t2, c], [t3, d]];
        self.weighted(onto, terms, storage == Storage::Rgba8);
    }

    /// The channels of the texel at an address and of the one to its right, red, green, blue, alpha.
    fn two_texels(&mut self, address: Local, storage: Storage) -> [Local; 2] {
        match storage {
            Storage::Rgba8 => {
                self.push(address);
                self.ins().v128_load8x8_u(at(0));
                let halves = self.vector();
                self.push(halves);
                self.ins()
                    .i32x4_extend_low_i16x8_u()
                    .f32x4_convert_i32x4_s();
                let left = self.vector();
                self.push(halves);
                self.ins()
                    .i32x4_extend_high_i16x8_u()
                    .f32x4_convert_i32x4_s();
                [left, self.vector()]
            }
            Storage::Rgba32F => [0, 16].map(|offset| {
                self.push(address);
                self.ins().v128_load(at(offset));
                self.vector()
            }),
            Storage::Red32F => [0, 4].map(|offset| {
                self.splat_word(address, offset);
                self.vector()
            }),
        }
    }
}

/// Bytes of a texel, as a power of two.
fn shift(storage: Storage) -> i32 {
    (storage.words() * size_of::<u32>()).trailing_zeros() as i32
}
