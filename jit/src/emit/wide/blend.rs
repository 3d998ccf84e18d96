//! Linear filters: four texels of each lane, mixed.
//!
//! The form follows the storage. Texels of four words are mixed pixel by pixel: 16 bytes of memory are a
//! pixel, and one vector has a lane of each quad. Texels of four bytes are gathered and mixed component
//! by component: then no pixel has to be transposed, and no weight spread.

use attila_texture::Storage;
use iced_x86::Register;

use super::draw::TEXTURES;
use super::forms::{Form, Width};
use super::mir::{Arg, Fma, Inst, Mem, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::Descriptor;
use crate::ir::{Rate, Value};

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
            Storage::Rgba8 => self.mixed_bytes(rows, weights, &onto),
            Storage::Rgba32F => self.mixed_pixels(whole, rows, weights, &onto),
        };
        self.define_parts(whole, copy, &pixels);
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
            let code = match self.width {
                Width::V256 => iced_x86::Code::VEX_Vmovd_rm32_xmm,
                Width::V512 => iced_x86::Code::EVEX_Vmovd_rm32_xmm,
            };
            self.push(code, &[Arg::Fixed(Register::EDI), Arg::Use(pitch)]);
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
            let [t0, t1] = self.pixels_beside_each_other((UPPER, upper), lane);
            let [t2, t3] = self.pixels_beside_each_other((LOWER, lower), lane);
            self.sum([t0, t1, t2, t3], of_lane, onto.get(lane).copied())
        })
    }

    /// The texels that a lane of each quad names, and those to their right.
    fn pixels_beside_each_other(
        &mut self,
        (base, places): (Register, i32),
        lane: usize,
    ) -> [Vreg; 2] {
        let mut pixels = [None; 2];
        for quad in 0..self.width.quads() {
            let at = places + 4 * (4 * quad + lane) as i32;
            let at = Self::at_frame(at);
            self.insts.push(scalar::load32(Register::EAX, at));
            for (n, pixel) in pixels.iter_mut().enumerate() {
                let from = Mem::at(base, 16 * n as i32).plus(Register::RAX, 1);
                *pixel = Some(self.insert_quad(*pixel, from, quad));
            }
        }
        pixels.map(|pixel| pixel.expect("a vector has quads"))
    }

    /// The four components of every lane, of texels of four bytes.
    fn mixed_bytes(&mut self, rows: [Vreg; 2], weights: [Vreg; 4], onto: &[Vreg]) -> [Vreg; 4] {
        let onto = match *onto {
            [a, b, c, d] => self.transposed([a, b, c, d]).map(Some),
            _ => [None; 4],
        };
        let upper = [0, 4].map(|offset| self.gather_words(UPPER, rows[0], 4, offset));
        let lower = [0, 4].map(|offset| self.gather_words(LOWER, rows[1], 4, offset));
        let texels = [upper, lower].concat();
        let components = [0, 1, 2, 3].map(|component: usize| {
            let numbers = [0, 1, 2, 3].map(|n| self.byte(texels[n], 8 * component as u8));
            self.sum(numbers, weights, onto[component])
        });
        // As pixels, which is what lane IR has; transposed back they are the components again.
        self.transposed(components)
    }

    /// A byte of each word, as a number.
    fn byte(&mut self, words: Vreg, place: u8) -> Vreg {
        let shifted = match place {
            0 => words,
            _ => self.shift_form(Form::Psrld, words, place),
        };
        let byte = match place {
            24 => shifted,
            _ => {
                let low = self.literal(0xff);
                self.binary_form(Form::And, shifted, low)
            }
        };
        self.unary_form(Form::Cvtdq2ps, byte)
    }
}
