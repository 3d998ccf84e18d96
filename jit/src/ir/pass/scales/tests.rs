use expect_test::expect;

use super::super::sizes::sizes;
use super::super::sizes::tests::{exact, exponents};
use super::*;
use crate::abi::Slot;
use crate::ir::tests::plain::{Plain, SIX_BITS, is_same};
use crate::ir::{Builder, Terminator, Unary};
use crate::size::WHOLE;
use crate::specialisation::Specialisation;

/// Whether a whole number of 2^-100, multiplied by two factors, is multiplied by one.
fn is_one_product(factors: [f32; 2]) -> bool {
    let mut b = Builder::new();
    let input = b.load(Slot::Input {
        reg: 0,
        component: 0,
    });
    let whole = b.unary(Unary::Floor, input);
    let mut product = whole;
    for factor in [f32::exp2(-100.0), factors[0], factors[1]] {
        let factor = b.bits(factor.to_bits(), Type::F32);
        product = b.binary(Binary::Fmul, product, factor);
    }
    b.close(Terminator::Done);
    let mut function = b.finish();
    let sizes = sizes(&function, Specialisation::default());
    let of = |function: &Function| function.node(product).operands[0];
    let before = of(&function);
    fold(&mut function, &sizes);
    of(&function) != before
}

#[test]
fn products_are_one_where_neither_is_a_denormal() {
    // The last bit of the product is 2^-102.
    assert!(is_one_product([0.75, f32::exp2(-24.0)]));
    assert!(!is_one_product([0.75, f32::exp2(-25.0)]));
    assert!(is_one_product([0.75, 2.0]));
}

#[test]
fn products_stay_apart_where_the_first_may_be_too_great() {
    assert!(is_one_product([-1.0, 0.5]));
    assert!(!is_one_product([3.0, 0.5]));
    assert!(is_one_product([3.0, 2.0]));
}

#[test]
fn bounds_are_scaled_where_nothing_is_rounded_to_them() {
    let is_scaled = |bound: f32, factor: f32| {
        is_scaled_exactly(
            FloatFormat::BINARY32,
            Size::of_bits(bound.to_bits()),
            factor,
        )
    };
    assert!(is_scaled(4.0, 0.5));
    assert!(is_scaled(-4.0, 2.0));
    // Half of the greatest number below twice this is rounded to it.
    assert!(!is_scaled(f32::MIN_POSITIVE, 0.5));
    assert!(is_scaled(2.0 * f32::MIN_POSITIVE, 0.5));
    // Infinities are greater than the former, and not than the latter's double.
    assert!(is_scaled(f32::exp2(126.0), 0.5));
    assert!(!is_scaled(f32::exp2(127.0), 0.5));
    let odd = f32::from_bits(2 * f32::MIN_POSITIVE.to_bits() + 1);
    assert!(is_scaled(odd, 2.0));
    assert!(!is_scaled(odd, 4.0));
    assert!(!is_scaled(f32::NAN, 0.5));
}

/// How many rewrites are made, and how many would be right. None that is made is wrong.
#[derive(Default)]
struct Count {
    made: u32,
    right: u32,
}

impl Count {
    fn note(&mut self, is_made: bool, is_right: bool, what: impl std::fmt::Debug) {
        assert!(is_right || !is_made, "{what:?}");
        self.made += u32::from(is_made);
        self.right += u32::from(is_right);
    }
}

/// The floats of a format.
struct Floats {
    plain: Plain,
    words: Vec<u32>,
}

impl Floats {
    fn product(&self, x: u32, y: u32) -> u32 {
        self.plain.result(Op::Binary(Binary::Fmul), &[x, y])
    }

    fn powers(&self) -> impl Iterator<Item = f32> {
        let floats = self.words.iter().map(|&word| f32::from_bits(word));
        floats.filter(|value| *value > 0.0 && size::is_power_of_two(value.to_bits()))
    }

    /// The grains of floats, and the words of their multiples.
    fn grains(&self) -> impl Iterator<Item = (i32, Vec<u32>)> {
        let grains = exponents(self.plain.format).chain([WHOLE]);
        grains.map(|grain| {
            let words = self.words.iter().copied();
            let multiples = words.filter(|&word| exact(word).grain >= grain);
            (grain, multiples.collect())
        })
    }

    fn compared_with_zero(&self) -> Count {
        let mut count = Count::default();
        let order = |word: u32| f32::from_bits(word).partial_cmp(&0.0);
        for power in self.powers() {
            for (grain, multiples) in self.grains() {
                let scaled = |word: u32| self.product(word, power.to_bits());
                let mut words = multiples.into_iter();
                let is_right = words.all(|word| order(word) == order(scaled(word)));
                let size = Size::of_grain(self.plain.format, grain);
                let is_made = keeps_sign(self.plain.format, size, power);
                count.note(is_made, is_right, (power, grain));
            }
        }
        count
    }

    fn compared_with_bounds(&self) -> Count {
        let mut count = Count::default();
        let order = |x: u32, y: u32| f32::from_bits(x).partial_cmp(&f32::from_bits(y));
        for power in self.powers() {
            for &bound in &self.words {
                let scaled = |word: u32| self.product(word, power.to_bits());
                let other = self.product(bound, power.recip().to_bits());
                let mut words = self.words.iter();
                let is_right = words.all(|&word| order(scaled(word), bound) == order(word, other));
                let is_made = is_scaled_exactly(self.plain.format, Size::of_bits(bound), power);
                count.note(is_made, is_right, (power, f32::from_bits(bound)));
            }
        }
        count
    }

    fn products(&self) -> Count {
        let mut count = Count::default();
        let words = self.words.iter().copied();
        let factors = words.filter(|&word| f32::from_bits(word).is_finite());
        let factors: Vec<u32> = factors.collect();
        for power in self.powers() {
            for &factor in &factors {
                let both = self.product(factor, power.to_bits());
                let twice = |word| self.product(self.product(word, factor), power.to_bits());
                for (grain, multiples) in self.grains() {
                    let mut words = multiples.into_iter();
                    let is_right = words.all(|word| is_same(twice(word), self.product(word, both)));
                    let product = Size::of_grain(self.plain.format, grain + size::grain(factor));
                    let factor = f32::from_bits(factor);
                    let is_made = are_one_factor(self.plain.format, product, factor, power);
                    count.note(is_made, is_right, (power, factor, grain));
                }
            }
        }
        count
    }
}

#[test]
fn factors_are_left_out_where_that_is_right() {
    let counts = SIX_BITS.map(Plain::new).map(|plain| {
        let words = plain.floats();
        let floats = Floats { plain, words };
        let of = |count: Count| format!("{} of {}", count.made, count.right);
        let (zero, bounds) = (
            of(floats.compared_with_zero()),
            of(floats.compared_with_bounds()),
        );
        let products = of(floats.products());
        format!("compared with zero: {zero}, with bounds: {bounds}; products: {products}\n")
    });
    expect![[r#"
        compared with zero: 70 of 70, with bounds: 202 of 316; products: 1018 of 2232
        compared with zero: 227 of 227, with bounds: 572 of 682; products: 5490 of 7796
    "#]]
    .assert_eq(&counts.concat());
}
