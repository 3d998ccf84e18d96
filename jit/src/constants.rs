//! The sizes of bound constants, by which code on the CTM path of results is specialised.
//!
//! Where a program flushes denormals, most flushes make no difference once it is known that no constant is tiny
//! ([`crate::ir::pass`]). Code is made for classes of sizes, so that constants that change from draw to draw have
//! few different ones.

use attila_isa::{Bank, Inst, Opcode, Operand, ValidProgram};
use attila_machine::Bindings;

use crate::abi::Constant;
use crate::size::{WHOLE, grain, least, most};

/// The components of constants that instructions with flushed results read, ascending.
#[derive(Clone, Default, Debug)]
pub(crate) struct Terms {
    all: Vec<Constant>,
    /// Terms of sums.
    addends: Vec<Constant>,
}

/// Bounds on the sizes of [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    /// All are multiples of 2 to this power, or no numbers.
    grain: i32,
    /// Addends are at least 2 to this power, or NaN.
    least: i32,
    /// All are below 2 to this power, unless it is [`WHOLE`].
    most: i32,
}

impl Sizes {
    /// The bounds of all numbers.
    pub(crate) const ANY: Sizes = Sizes {
        grain: grain(1),
        least: least(0),
        most: WHOLE,
    };

    /// Steps between classes of grains, the finest class, and the same of addends. Decimal fractions such as 0.1
    /// are multiples of 2^-27.
    const GRAINS: (i32, i32) = (12, -48);
    const LEASTS: (i32, i32) = (4, -12);

    /// The bound above, of a single class: few constants are greater.
    const MOST: i32 = 16;

    /// The bounds of the class.
    fn class(self) -> Sizes {
        let Sizes { grain, least, most } = Sizes::ANY;
        Sizes {
            grain: class(self.grain, Sizes::GRAINS, grain),
            least: class(self.least, Sizes::LEASTS, least),
            most: if self.most <= Sizes::MOST {
                Sizes::MOST
            } else {
                most
            },
        }
    }
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes::ANY
    }
}

/// The class of a size: a multiple of the step that is no greater, and none but `any` beyond the last.
fn class(size: i32, (step, last): (i32, i32), any: i32) -> i32 {
    let class = size.min(0).div_euclid(step) * step;
    if class < last { any } else { class }
}

impl Terms {
    /// The terms of a program.
    pub(crate) fn of(program: &ValidProgram) -> Terms {
        let mut terms = Terms::default();
        for inst in program.program().insts() {
            if inst.path.flushes() {
                terms.read(inst);
            }
        }
        for constants in [&mut terms.all, &mut terms.addends] {
            constants.sort_unstable();
            constants.dedup();
        }
        terms
    }

    fn read(&mut self, inst: &Inst) {
        if inst.constant_address().is_some() {
            return;
        }
        let kinds = inst.op.operands().iter().zip(&inst.operands);
        for (number, (kind, operand)) in kinds.enumerate() {
            let (Some(slots), Operand::Reg(src)) = (kind.reads(inst.written()), operand) else {
                continue;
            };
            if src.reg.bank() != Bank::Constant {
                continue;
            }
            let components = src.swizzle.sources(slots).components();
            let constants = components.map(|component| Constant {
                index: src.reg.index() as u16,
                component: component as u8,
            });
            let is_added = inst.op == Opcode::Add || inst.op == Opcode::Mad && number == 2;
            for constant in constants {
                self.all.push(constant);
                self.addends.extend(is_added.then_some(constant));
            }
        }
    }

    /// Facts about the constants that are bound.
    pub(crate) fn bound(&self, bindings: &Bindings<'_>) -> KnownConstants<'_> {
        self.known(self.sizes(bindings))
    }

    /// Facts about constants of these sizes.
    pub(crate) fn known(&self, sizes: Sizes) -> KnownConstants<'_> {
        KnownConstants {
            terms: Some(self),
            sizes,
        }
    }

    /// Terms that are these constants.
    #[cfg(test)]
    pub(crate) fn new(all: &[Constant], addends: &[Constant]) -> Terms {
        Terms {
            all: all.to_vec(),
            addends: addends.to_vec(),
        }
    }

    /// The class of the constants that are bound.
    pub(crate) fn sizes(&self, bindings: &Bindings<'_>) -> Sizes {
        let registers = bindings.constants();
        self.sizes_of(|constant| {
            registers[usize::from(constant.index)][usize::from(constant.component)]
        })
    }

    /// The class of constants with these words.
    pub(crate) fn sizes_of(&self, word: impl Fn(Constant) -> u32) -> Sizes {
        self.bounds_of(word).class()
    }

    /// The bounds that hold for constants with these words.
    pub(crate) fn bounds_of(&self, word: impl Fn(Constant) -> u32) -> Sizes {
        let grains = self.all.iter().map(|&constant| grain(word(constant)));
        let leasts = self.addends.iter().map(|&constant| least(word(constant)));
        let mosts = self.all.iter().map(|&constant| most(word(constant)));
        Sizes {
            grain: grains.min().unwrap_or(Sizes::ANY.grain),
            least: leasts.min().unwrap_or(Sizes::ANY.least),
            most: mosts.max().unwrap_or(Sizes::ANY.most),
        }
    }
}

/// Constants of which the sizes are known.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct KnownConstants<'a> {
    /// The constants; `None` if nothing is known of any.
    terms: Option<&'a Terms>,
    /// Their sizes.
    sizes: Sizes,
}

impl KnownConstants<'_> {
    /// The bounds on the constants.
    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The exponent of a power of two that a constant is a multiple of, if it is a number.
    pub(crate) fn grain(&self, constant: Constant) -> i32 {
        self.sizes_if(constant, |terms| &terms.all).grain
    }

    /// The exponent of a power of two that its magnitude is no less than, if it is a number.
    pub(crate) fn least(&self, constant: Constant) -> i32 {
        self.sizes_if(constant, |terms| &terms.addends).least
    }

    /// The exponent of a power of two that its magnitude is below, if that is known.
    pub(crate) fn most(&self, constant: Constant) -> i32 {
        self.sizes_if(constant, |terms| &terms.all).most
    }

    /// The sizes of a constant that is among some of the terms.
    fn sizes_if(&self, constant: Constant, some: fn(&Terms) -> &Vec<Constant>) -> Sizes {
        let is_known = |terms| some(terms).binary_search(&constant).is_ok();
        match self.terms {
            Some(terms) if is_known(terms) => self.sizes,
            Some(_) | None => Sizes::ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use attila_isa::Program;

    use super::*;

    fn constant(index: u16, component: u8) -> Constant {
        Constant { index, component }
    }

    #[test]
    fn terms_are_what_flushed_instructions_read() {
        let text = "\
.extended fragment
mad_canon r0.xy, c0, c1.zwxy, -c2.yyyy
add_d2_sat r0.w, i0, |c3|
mul r1, r0, c4
max_raw r2, c5, c5
mad_x2 r1.x, c6[a0.x], r1, c6[a0.x]
dp3_canon o1, r0, c7.xxyz <- end
";
        let program = Program::assemble(text).expect("it is assembly");
        let terms = Terms::of(&program.validate().expect("it is valid"));
        let all = [
            (0, 0),
            (0, 1),
            (1, 2),
            (1, 3),
            (2, 1),
            (3, 3),
            (7, 0),
            (7, 1),
        ];
        assert_eq!(
            terms.all,
            all.map(|(index, component)| constant(index, component))
        );
        assert_eq!(terms.addends, [constant(2, 1), constant(3, 3)]);
    }

    #[test]
    fn constants_have_the_sizes_of_their_class() {
        let one = [constant(0, 0)];
        let terms = Terms::new(&one, &one);
        let of = |word| terms.sizes_of(|_| word);
        let step = 99_991;
        for word in (0..=u32::MAX / step).map(|n| n * step) {
            let sizes = of(word);
            assert!(
                sizes.grain <= grain(word)
                    && sizes.least <= least(word)
                    && sizes.most >= most(word),
                "{word:x}"
            );
        }
        for exponent in -60..40 {
            let word = 2f32.powi(exponent).to_bits();
            assert!(
                of(word).grain <= exponent && of(word).least <= exponent,
                "2^{exponent}"
            );
        }
        let number = |value: f32| {
            let Sizes { grain, least, .. } = of(value.to_bits());
            (grain, least)
        };
        assert_eq!(number(3.0), (0, 0));
        assert_eq!(number(-0.75), (-12, -4));
        assert_eq!(number(0.1), (-36, -4));
        assert_eq!(number(0.0), (0, Sizes::ANY.least));
        let below = [65535.0f32, 65536.0, f32::INFINITY].map(|value| of(value.to_bits()).most);
        assert_eq!(below, [16, WHOLE, WHOLE]);
        let tiny = of(1e-8f32.to_bits());
        assert_eq!(
            (tiny.grain, tiny.least),
            (Sizes::ANY.grain, Sizes::ANY.least)
        );
    }

    #[test]
    fn nothing_is_known_of_other_constants() {
        let terms = Terms::new(&[constant(0, 0), constant(0, 1)], &[constant(0, 1)]);
        let known = terms.known(terms.sizes_of(|_| 1f32.to_bits()));
        let of = |component| {
            let constant = constant(0, component);
            (
                known.grain(constant),
                known.least(constant),
                known.most(constant),
            )
        };
        let Sizes { grain, least, most } = Sizes::ANY;
        assert_eq!(
            [of(0), of(1), of(2)],
            [(0, least, 16), (0, 0, 16), (grain, least, most)]
        );
    }
}
