//! Reading tables: textures' numbers and texels, constants, constant buffers.

use attila_isa::{CONSTANTS, Component};
use attila_texture::Storage;
use iced_x86::Register;
use rustc_hash::FxHashMap;

use super::draw::TEXTURES;
use super::forms::Form;
use super::gather::Words;
use super::mir::{Arg, Mem, Vreg};
use super::scalar;
use super::values::{Emission, Section};
use crate::abi::{
    BufferRecord, Constant, ContextField, Descriptor, LEVELS, LevelField, LevelPart, LevelRecord,
    TextureField,
};
use crate::ir::{Half, Rate, Value};

/// The bits of an index that name a level.
const LOW_BITS: u32 = (LEVELS - 1) as u32;

/// What a block has read of levels' records: 16 bytes of them each, by the levels and where those are in a record.
#[derive(Default)]
pub(super) struct Levels(FxHashMap<(Vreg, i32), Vreg>);

impl Emission<'_> {
    /// A number of a texture, in all lanes.
    pub(super) fn texture_field(&mut self, texture: u8, field: TextureField) -> Vreg {
        self.broadcast(Mem::at(TEXTURES, field.offset_of(texture) as i32))
    }

    /// A number of the level that lane 0 of each quad names.
    pub(super) fn level_field(
        &mut self,
        (texture, field): (u8, LevelField),
        level: Value,
        copy: usize,
    ) -> Vreg {
        let offset = field.offset_of(texture) as i32;
        let is_uniform = self.function.node(level).rate == Rate::Uniform;
        let level = self.value(level, copy);
        if is_uniform {
            return self.field_of_level(level, offset);
        }
        self.field_of_quads(level, offset)
    }

    /// A word of the record of the level that lane 0 of each quad names. Four words of a record come as one,
    /// and the next time another of them is wanted they are there.
    fn field_of_quads(&mut self, level: Vreg, offset: i32) -> Vreg {
        let (first, word) = (offset & !15, (offset & 15) / 4);
        let known = self.levels.0.get(&(level, first)).copied();
        let rows = known.unwrap_or_else(|| self.records_of_quads(level, first));
        self.levels.0.insert((level, first), rows);
        self.unary_imm(Form::Permilps, rows, word as u8 * 0x55)
    }

    /// 16 bytes of the record of each quad's level.
    fn records_of_quads(&mut self, level: Vreg, offset: i32) -> Vreg {
        let index = self.level_index(level);
        let numbers = self.numbers(index);
        let records = Words::by_bytes(TEXTURES, offset);
        self.quads_from(|emission, quad| records.at(emission.first_number(&numbers, quad)))
    }

    /// A word of the record of the level that all lanes name.
    fn field_of_level(&mut self, level: Vreg, offset: i32) -> Vreg {
        self.form(
            Form::FirstWord,
            &[Arg::Fixed(Register::EAX), Arg::Use(level)],
        );
        self.insts.extend([
            scalar::and_constant(Register::RAX, LOW_BITS as i32),
            scalar::shift_left(Register::RAX, LevelRecord::SHIFT as u8),
        ]);
        self.broadcast(Mem::at(TEXTURES, offset).plus(Register::RAX, 1))
    }

    /// Bytes to the record of each lane's level. The low bits of a number always name one.
    fn level_index(&mut self, level: Vreg) -> Vreg {
        let low = self.literal(LOW_BITS);
        let level = self.binary_form(Form::And, level, low);
        self.unary_imm(Form::Pslld, level, LevelRecord::SHIFT as u8)
    }

    /// Four numbers of the level that each lane names.
    pub(super) fn level_part(
        &mut self,
        whole: Value,
        (texture, part): (u8, LevelPart),
        level: Value,
        copy: usize,
    ) {
        let level = self.value(level, copy);
        let index = self.level_index(level);
        let fields = (0u8..).zip(part.fields());
        let numbers = fields.map(|(number, field)| {
            if self.wants(whole, number) {
                let words = Words::by_bytes(TEXTURES, field.offset_of(texture) as i32);
                self.gather_words(words, index)
            } else {
                index
            }
        });
        let numbers: Vec<Vreg> = numbers.collect();
        self.define_parts(whole, copy, &numbers);
    }

    /// Component of a constant, in all lanes.
    pub(super) fn constant(&mut self, constant: Constant) -> Vreg {
        debug_assert_eq!(self.section, Section::Uniform);
        self.of_context(Register::RAX, ContextField::Constants);
        self.broadcast(Mem::at(Register::RAX, constant.offset() as i32))
    }

    /// Component of the constant that each lane names; 0 where it names none.
    pub(super) fn indexed(&mut self, index: Value, component: Component, copy: usize) -> Vreg {
        const { assert!(CONSTANTS.is_power_of_two()) };
        let index = self.value(index, copy);
        let low = self.literal(CONSTANTS as u32 - 1);
        let masked = self.binary_form(Form::And, index, low);
        let inside = self.equal(masked, index);
        let offsets = self.unary_imm(Form::Pslld, masked, Constant::SHIFT as u8);
        let first = Constant {
            index: 0,
            component: component as u8,
        };
        self.of_context(Register::RCX, ContextField::Constants);
        let words = Words::by_bytes(Register::RCX, first.offset() as i32);
        // Numbers outside name a constant as well, modulo their number.
        self.gather_or_zero(inside, words, offsets)
    }

    /// Component of the constant buffer's vector that each lane names; 0 where there is none.
    pub(super) fn buffer(
        &mut self,
        (buffer, component): (u8, Component),
        index: Value,
        copy: usize,
    ) -> Vreg {
        let index = self.value(index, copy);
        self.of_context(Register::RCX, ContextField::Buffers);
        let of_record = |offset: usize| Mem::at(Register::RCX, offset as i32);
        let vectors = of_record(BufferRecord::vectors_of(buffer));
        self.insts.push(scalar::load(Register::RAX, vectors));
        let last = self.broadcast(of_record(BufferRecord::last_of(buffer)));
        let limited = self.binary_form(Form::Pminud, index, last);
        let within = self.equal(limited, index);
        let shift = size_of::<[u32; 4]>().trailing_zeros() as u8;
        let offsets = self.unary_imm(Form::Pslld, limited, shift);
        let words = Words::by_bytes(Register::RAX, BufferRecord::component(component) as i32);
        self.gather_under(within, words, offsets)
    }

    /// Reads the texel that each lane names, never one past the end, and defines the parts of `whole`.
    pub(super) fn texel(
        &mut self,
        whole: Value,
        (texture, storage): (u8, Storage),
        index: Value,
        copy: usize,
    ) {
        let index = self.value(index, copy);
        let index = self.within(index, Descriptor::last_texel_of(texture));
        let texels = Mem::at(TEXTURES, Descriptor::texels_of(texture) as i32);
        self.insts.push(scalar::load(Register::RCX, texels));
        match storage {
            Storage::Rgba8 | Storage::Red32F => {
                let words = Words::by_words(Register::RCX, 0);
                let words = self.gather_words(words, index);
                self.define_parts(whole, copy, &[words]);
            }
            Storage::Rgba32F => {
                let pixels = self.texels_of_words(whole, index);
                self.define_parts(whole, copy, &pixels);
            }
        }
    }

    /// The texels of four words that lanes name, for each lane of a quad; anything where nobody wants one.
    fn texels_of_words(&mut self, whole: Value, index: Vreg) -> [Vreg; 4] {
        let bytes = self.texel_bytes(index);
        let offsets = self.numbers(bytes);
        let mut pixels = [None; 4];
        for quad in 0..self.width.quads() {
            for half in Half::ALL {
                let lanes = half.lanes();
                if !lanes.iter().any(|&lane| self.wants(whole, lane)) {
                    continue;
                }
                let texels = Words::by_bytes(Register::RCX, 0);
                let numbers = self.two_numbers(&offsets, quad, half);
                for (lane, number) in lanes.into_iter().zip(numbers) {
                    let pixel = &mut pixels[usize::from(lane)];
                    *pixel = Some(self.insert_quad(*pixel, Arg::Mem(texels.at(number)), quad));
                }
            }
        }
        pixels.map(|pixel| pixel.unwrap_or(index))
    }

    /// Numbers of texels, none past the one that the descriptor has at `last`.
    pub(super) fn within(&mut self, index: Vreg, last: usize) -> Vreg {
        let last = self.broadcast(Mem::at(TEXTURES, last as i32));
        self.binary_form(Form::Pminud, index, last)
    }

    /// How many bytes the texels of four words that lanes name are from the first.
    pub(super) fn texel_bytes(&mut self, index: Vreg) -> Vreg {
        self.unary_imm(Form::Pslld, index, 4)
    }

    /// Writes a vector to the frame, to be read word by word.
    pub(super) fn in_frame(&mut self, vector: Vreg) -> i32 {
        let size = self.width.bytes();
        let place = self.areas.take(size, size);
        let mem = Self::at_frame(place);
        self.form(Form::MovapsTo, &[Arg::Mem(mem), Arg::Use(vector)]);
        place
    }

    /// 16 bytes for each quad, so many bytes apart.
    pub(super) fn quads_apart(&mut self, base: Register, offset: i32, stride: i32) -> Vreg {
        self.quads_from(|_, quad| Mem::at(base, offset + quad as i32 * stride))
    }

    /// 16 bytes of memory for each quad.
    fn quads_from(&mut self, mut from: impl FnMut(&mut Self, usize) -> Mem) -> Vreg {
        let mut whole = None;
        for quad in 0..self.width.quads() {
            let from = Arg::Mem(from(self, quad));
            whole = Some(self.insert_quad(whole, from, quad));
        }
        whole.expect("a vector has quads")
    }

    /// 16 bytes for one quad, of memory or of another vector; the first is of memory, without others before.
    pub(super) fn insert_quad(&mut self, before: Option<Vreg>, from: Arg, quad: usize) -> Vreg {
        let Some(before) = before else {
            return self.vector_of(Form::LoadQuad.code(self.width), [from]);
        };
        let args = [Arg::Use(before), from, Arg::Imm(quad as u8)];
        self.vector_of(Form::InsertQuad.code(self.width), args)
    }
}
