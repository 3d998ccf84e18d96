//! Reading textures: their numbers and their texels.

use std::mem::offset_of;

use attila_texture::Storage;
use cranelift_codegen::ir::types::{F32, F32X4, F64X2, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData};

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

    /// The lanes as numbers without a sign, as large as an address. As f64 the lower half moves in
    /// one instruction.
    fn offsets(&mut self, lanes: clif::Value) -> [clif::Value; 4] {
        let (floats, integers) = (self.cast(lanes, F64X2), self.cast(lanes, I64X2));
        let low = self.ins().extractlane(floats, 0);
        let low = self.ins().bitcast(I64, MemFlagsData::new(), low);
        let high = self.ins().extractlane(integers, 1);
        let [[first, second], [third, fourth]] = [low, high].map(|pair| {
            let lower = self.ins().ireduce(I32, pair);
            let lower = self.ins().uextend(I64, lower);
            [lower, self.ins().ushr_imm_u(pair, 32)]
        });
        [first, second, third, fourth]
    }

    /// The words at these addresses plus `offset`. As f32 they go to vectors without a detour.
    fn gathered(&mut self, addresses: [clif::Value; 4], offset: i32) -> clif::Value {
        let words = addresses.map(|address| self.ins().load(F32, table_flags(), address, offset));
        let first = self.ins().splat(F32X4, words[0]);
        let all = (1u8..4).fold(first, |vector, lane| {
            let word = words[usize::from(lane)];
            self.ins().insertlane(vector, word, lane)
        });
        self.cast(all, I32X4)
    }
}

/// Bytes from the first descriptor to `within` that of a texture.
fn descriptor_offset(texture: u8, within: usize) -> i32 {
    (usize::from(texture) * size_of::<Descriptor>() + within) as i32
}
