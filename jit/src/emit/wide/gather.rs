//! Reads of what lanes name: words, and words with those that follow.
//!
//! ```text
//! gathers       one instruction for 4 to 16 lanes
//! loads         numbers of a quad's lanes    rax: n0 n1, then n2 n3     from vectors to general registers
//!               words                        w0 w1 - -   w2 w3 - -      a load and a load into a part of it
//!               a quad                       w0 w1 w2 w3
//! ```
//!
//! Which of them is faster depends on the processor: `Processor::slow_gathers`.

use iced_x86::{Code, Register};
use smallvec::SmallVec;

use super::forms::{Form, Width};
use super::mir::{Arg, Mem, Under, Vreg};
use super::scalar;
use super::select::{EVEN, ODD};
use super::values::Emission;
use crate::ir::Half;

/// Words in memory, by the numbers of lanes.
#[derive(Clone, Copy)]
pub(super) struct Words {
    base: Register,
    /// Bytes from a number's place to the next.
    scale: u8,
    /// Bytes from the base to the place of 0.
    offset: i32,
}

impl Words {
    /// By how many bytes they are from the first.
    pub(super) fn by_bytes(base: Register, offset: i32) -> Words {
        Words {
            base,
            scale: 1,
            offset,
        }
    }

    /// By how many words they are from the first.
    pub(super) fn by_words(base: Register, offset: i32) -> Words {
        Words {
            base,
            scale: 4,
            offset,
        }
    }

    /// The place of a number.
    pub(super) fn at(self, number: Register) -> Mem {
        Mem::at(self.base, self.offset).plus(number, self.scale)
    }
}

/// The numbers of lanes, where they can be read one by one.
pub(super) enum Numbers {
    /// One behind the other at this place of the frame.
    Frame(i32),
    /// A register for each quad, with its numbers in the lower 128 bits.
    Quads(SmallVec<[Vreg; 4]>),
}

impl Emission<'_> {
    /// The words that lanes name.
    pub(super) fn gather_words(&mut self, words: Words, lanes: Vreg) -> Vreg {
        if !self.processor.slow_gathers {
            let all = self.mask_literal(u32::MAX);
            return self.gather_under(all, words, lanes);
        }
        let numbers = self.numbers(lanes);
        let quads = (0..self.width.quads()).map(|quad| {
            let halves = Half::ALL.map(|half| {
                let two = self.two_numbers(&numbers, quad, half);
                let [first, second] = two.map(|number| words.at(number));
                let word = self.vector_of(Form::LoadWord.code(self.width), [Arg::Mem(first)]);
                let args = [Arg::Use(word), Arg::Mem(second), Arg::Imm(1)];
                self.vector_of(Form::InsertWord.code(self.width), args)
            });
            self.binary_form(Form::Unpcklpd, halves[0], halves[1])
        });
        let quads: SmallVec<[Vreg; 4]> = quads.collect();
        self.quads_together(&quads)
    }

    /// The same in the lanes of a mask; 0 in others, which name words, too.
    pub(super) fn gather_or_zero(&mut self, mask: Vreg, words: Words, lanes: Vreg) -> Vreg {
        if !self.processor.slow_gathers {
            return self.gather_under(mask, words, lanes);
        }
        let found = self.gather_words(words, lanes);
        let zero = self.literal(0);
        self.choose(mask, found, zero)
    }

    /// The same; others may name anything.
    pub(super) fn gather_under(&mut self, mask: Vreg, words: Words, lanes: Vreg) -> Vreg {
        let zero = self.literal(0);
        // The three registers of a gather have to differ.
        let lanes = self.unlike_literals(lanes);
        let mask = if mask == zero {
            self.unlike_literals(mask)
        } else {
            mask
        };
        let (result, used_up) = (self.vector(), self.mask());
        let args = [
            Arg::Tied(result, zero),
            Arg::Lanes(words.base, lanes, words.scale, words.offset),
        ];
        let code = Form::Pgatherdd.code(self.width);
        self.push_under(code, &args, Under::Consumed(used_up, mask));
        result
    }

    /// The same value in a register of its own, if it is one that literals have.
    fn unlike_literals(&mut self, vector: Vreg) -> Vreg {
        if self.vregs.home(vector).is_none() {
            return vector;
        }
        self.vector_of(Form::Movaps.code(self.width), [Arg::Use(vector)])
    }

    /// The words that lanes name in two rows, each with the one that follows.
    pub(super) fn gather_rows(&mut self, bases: [Register; 2], rows: [Vreg; 2]) -> [[Vreg; 2]; 2] {
        if !self.processor.slow_gathers {
            return [0, 1].map(|row| self.gather_pairs(bases[row], rows[row]));
        }
        if rows[0] == rows[1] {
            return self.load_pairs(bases, rows[0]);
        }
        [0, 1].map(|row| {
            let [pairs] = self.load_pairs([bases[row]], rows[row]);
            pairs
        })
    }

    fn gather_pairs(&mut self, base: Register, lanes: Vreg) -> [Vreg; 2] {
        if self.width == Width::V256 {
            return [0, 4].map(|offset| self.gather_words(Words::by_words(base, offset), lanes));
        }
        let args = [Arg::Use(lanes), Arg::Imm(1)];
        let upper = self.vector_of(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, args);
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

    /// Pairs of words by loads, at the same numbers from each base.
    fn load_pairs<const N: usize>(&mut self, bases: [Register; N], lanes: Vreg) -> [[Vreg; 2]; N] {
        let numbers = self.numbers(lanes);
        let [first, second] = Half::ALL.map(|half| {
            let mut quads: [SmallVec<[Vreg; 4]>; N] = bases.map(|_| SmallVec::new());
            for quad in 0..self.width.quads() {
                let two = self.two_numbers(&numbers, quad, half);
                for (quads, base) in quads.iter_mut().zip(bases) {
                    let places = two.map(|number| Words::by_words(base, 0).at(number));
                    quads.push(self.two_pairs(places));
                }
            }
            quads.map(|quads| self.quads_together(&quads))
        });
        let mut halves = first.into_iter().zip(second);
        bases.map(|_| {
            let (first, second) = halves.next().expect("there is one for each base");
            [EVEN, ODD].map(|words| self.binary_imm(Form::Shufps, [first, second], words))
        })
    }

    /// Two words at each of two places.
    fn two_pairs(&mut self, [first, second]: [Mem; 2]) -> Vreg {
        let pair = self.vector_of(Form::LoadPair.code(self.width), [Arg::Mem(first)]);
        let args = [Arg::Use(pair), Arg::Mem(second)];
        self.vector_of(Form::InsertPair.code(self.width), args)
    }

    /// The numbers of lanes, to be read one by one.
    pub(super) fn numbers(&mut self, lanes: Vreg) -> Numbers {
        if !self.processor.slow_gathers {
            return Numbers::Frame(self.in_frame(lanes));
        }
        Numbers::Quads(self.quads_of(lanes))
    }

    /// A register for each quad of a vector, with its words in the lower 128 bits.
    pub(super) fn quads_of(&mut self, vector: Vreg) -> SmallVec<[Vreg; 4]> {
        let quads = 0..self.width.quads() as u8;
        let quad = |number| {
            if number == 0 {
                return vector;
            }
            let args = [Arg::Use(vector), Arg::Imm(number)];
            self.vector_of(Form::ExtractQuad.code(self.width), args)
        };
        quads.map(quad).collect()
    }

    /// Puts the numbers of two lanes of a quad into registers.
    pub(super) fn two_numbers(
        &mut self,
        numbers: &Numbers,
        quad: usize,
        half: Half,
    ) -> [Register; 2] {
        match numbers {
            Numbers::Frame(place) => {
                let [first, _] = half.lanes();
                let both = place + 16 * quad as i32 + 4 * i32::from(first);
                self.insts
                    .push(scalar::load(Register::RAX, Self::at_frame(both)));
            }
            Numbers::Quads(quads) => {
                let (both, quad) = (Arg::Fixed(Register::RAX), Arg::Use(quads[quad]));
                match half {
                    Half::First => self.form(Form::FirstPair, &[both, quad]),
                    Half::Second => self.form(Form::SecondPair, &[both, quad, Arg::Imm(1)]),
                }
            }
        }
        self.insts.extend([
            scalar::raw2(Code::Mov_r32_rm32, Register::EDX, Register::EAX),
            scalar::shift_right(Register::RAX, 32),
        ]);
        [Register::RDX, Register::RAX]
    }

    /// Puts the number of the first lane of a quad into a register.
    pub(super) fn first_number(&mut self, numbers: &Numbers, quad: usize) -> Register {
        match numbers {
            Numbers::Frame(place) => {
                let first = Self::at_frame(place + 16 * quad as i32);
                self.insts.push(scalar::load32(Register::EAX, first));
            }
            Numbers::Quads(quads) => {
                let args = [Arg::Fixed(Register::EAX), Arg::Use(quads[quad])];
                self.form(Form::FirstWord, &args);
            }
        }
        Register::RAX
    }

    /// Quads that are in registers in one.
    fn quads_together(&mut self, quads: &[Vreg]) -> Vreg {
        let (&first, others) = quads.split_first().expect("a vector has quads");
        (1..).zip(others).fold(first, |before, (number, &quad)| {
            self.insert_quad(Some(before), Arg::Use(quad), number)
        })
    }
}
