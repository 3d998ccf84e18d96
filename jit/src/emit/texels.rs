//! Reading textures: their numbers and their texels.

use std::mem::offset_of;

use attila_texture::Storage;
use cranelift_codegen::ir::types::{I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{self as clif, InstBuilder};

use super::memory::{table_flags, vector_type};
use super::shader::Emission;
use crate::ir::{Type, Value};
use crate::sampling::{Descriptor, LEVELS, LevelField, LevelRecord, TextureField};

impl Emission<'_, '_> {
    /// A number of a texture, in all lanes.
    pub(super) fn texture_field(
        &mut self,
        texture: u8,
        field: TextureField,
        ty: Type,
    ) -> clif::Value {
        let (base, ty) = (self.bases.textures, vector_type(ty));
        let offset = descriptor_offset(texture, field.offset());
        let word = self.ins().load(ty.lane_type(), table_flags(), base, offset);
        self.ins().splat(ty, word)
    }

    /// A number of the level that each lane names. The low bits of an index always name one of the
    /// descriptor's levels: whatever a lane holds, nothing else is read.
    pub(super) fn level_field(
        &mut self,
        (texture, field): (u8, LevelField),
        (level, alike): (Value, bool),
        ty: Type,
        copy: usize,
    ) -> clif::Value {
        let levels = offset_of!(Descriptor, levels);
        let offset = descriptor_offset(texture, levels + field.offset());
        let (base, pointer, ty) = (self.bases.textures, self.pointer, vector_type(ty));
        let level = self.value(level, copy);
        if alike {
            let level = self.ins().extractlane(level, 0);
            let level = self.ins().band_imm_u(level, (LEVELS - 1) as i64);
            let level = self.ins().uextend(pointer, level);
            let within = self.ins().ishl_imm_u(level, i64::from(LevelRecord::SHIFT));
            let address = self.ins().iadd(base, within);
            let word = self
                .ins()
                .load(ty.lane_type(), table_flags(), address, offset);
            return self.ins().splat(ty, word);
        }
        let low = self.literal((LEVELS - 1) as u32, I32X4);
        let level = self.ins().band(level, low);
        let within = self.ins().ishl_imm_u(level, i64::from(LevelRecord::SHIFT));
        let words = self.gather(base, within, offset);
        self.cast(words, ty)
    }

    /// Reads the texel that each lane names, never one behind the last, and defines the parts of
    /// `whole`.
    pub(super) fn texel(
        &mut self,
        whole: Value,
        (texture, storage): (u8, Storage),
        index: Value,
        copy: usize,
    ) {
        let pointer = self.pointer;
        let base = self.bases.textures;
        let index = self.value(index, copy);
        let offset = descriptor_offset(texture, offset_of!(Descriptor, last_texel));
        let last = self.ins().load(I32X4, table_flags(), base, offset);
        let index = self.ins().umin(index, last);
        let offset = descriptor_offset(texture, offset_of!(Descriptor, texels));
        let texels = self.ins().load(pointer, table_flags(), base, offset);
        let bytes = (storage.words() * size_of::<u32>()) as i64;
        let addresses = self.offsets(index).map(|index| {
            let within = self
                .ins()
                .ishl_imm_u(index, i64::from(bytes.trailing_zeros()));
            self.ins().iadd(texels, within)
        });
        match storage {
            Storage::Rgba8 => {
                let words = self.gathered(addresses, 0);
                self.define_parts(whole, copy, &[words]);
            }
            Storage::Rgba32F => {
                let texels =
                    addresses.map(|address| self.ins().load(I32X4, table_flags(), address, 0));
                let words = self.transpose(texels);
                self.define_parts(whole, copy, &words);
            }
        }
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
    fn offsets(&mut self, lanes: clif::Value) -> [clif::Value; 4] {
        let lanes = self.cast(lanes, I64X2);
        let [low, high] = [0, 1].map(|half| self.ins().extractlane(lanes, half));
        [low, high]
            .map(|pair| {
                let first = self.ins().ireduce(I32, pair);
                let first = self.ins().uextend(I64, first);
                [first, self.ins().ushr_imm_u(pair, 32)]
            })
            .as_flattened()
            .try_into()
            .expect("two halves of two lanes")
    }

    fn gathered(&mut self, addresses: [clif::Value; 4], offset: i32) -> clif::Value {
        let words = addresses.map(|address| self.ins().load(I32, table_flags(), address, offset));
        let first = self.ins().scalar_to_vector(I32X4, words[0]);
        (1u8..4).fold(first, |vector, lane| {
            let word = words[usize::from(lane)];
            self.ins().insertlane(vector, word, lane)
        })
    }
}

/// Bytes from the first descriptor to `within` that of a texture.
fn descriptor_offset(texture: u8, within: usize) -> i32 {
    (usize::from(texture) * size_of::<Descriptor>() + within) as i32
}
