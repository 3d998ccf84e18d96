//! Words that find errors: the values around which arithmetic changes its ways, far more often
//! than chance would bring them.

use super::dice::Dice;

/// Words that are worth trying again and again, as floats.
const FLOATS: [u32; 22] = [
    0x0000_0000, // 0
    0x8000_0000, // -0
    0x3f80_0000, // 1
    0xbf80_0000, // -1
    0x7f80_0000, // inf
    0xff80_0000, // -inf
    0x7fc0_0000, // NaN
    0xffc0_0001, // a NaN with a sign and a payload
    0x7f80_0001, // a signalling NaN
    0x0000_0001, // the smallest denormal
    0x807f_ffff, // the largest denormal, negative
    0x0080_0000, // the smallest normal number
    0x7f7f_ffff, // the largest number
    0xff7f_ffff, // the smallest number
    0x3f00_0000, // 0.5
    0xbf00_0000, // -0.5
    0x3f7f_ffff, // just below 1
    0x3f80_0001, // just above 1
    0x4b80_0000, // 2^24, from where on floats are even numbers
    0x4f00_0000, // 2^31, just beyond i32
    0xcf00_0000, // -2^31, just within i32
    0x42fe_0000, // 127
];

/// Words that are worth trying again and again, as integers.
const INTEGERS: [u32; 10] = [
    0,
    1,
    u32::MAX,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x0000_ffff,
    0x0001_0000,
    0x0100_0001,
    511,
];

/// A biased f32, as bits.
pub fn float(dice: &mut Dice<'_>) -> u32 {
    let sign = dice.word() & 0x8000_0000;
    match dice.below(20) {
        0..=5 => dice.pick(&FLOATS),
        6..=8 => (dice.between(-8, 8) as f32).to_bits(),
        9 => (dice.between(-17, 17) as f32 * 0.5).to_bits(),
        // A power of two, denormals and infinity among them.
        10..=11 => sign | power_of_two(dice.between(-149, 128)),
        12 => sign | (dice.word() & 0x007f_ffff),
        // Numbers as shaders have them.
        13..=18 => (dice.unit() * dice.pick(&[1.0, 2.0, 10.0, 1000.0])).to_bits() | sign,
        _ => dice.word(),
    }
}

/// A biased i32, as bits.
pub fn integer(dice: &mut Dice<'_>) -> u32 {
    match dice.below(10) {
        0..=2 => dice.pick(&INTEGERS),
        3..=6 => dice.between(-10, 10).cast_unsigned(),
        7 => dice.between(-600, 600).cast_unsigned(),
        8 => 1u32 << dice.below(32),
        _ => dice.word(),
    }
}

/// A biased word that may be meant as either.
pub fn word(dice: &mut Dice<'_>) -> u32 {
    if dice.percent(80) {
        float(dice)
    } else {
        integer(dice)
    }
}

/// Words that are worth trying again and again with the integer instructions of the extended profile.
const MORE_INTEGERS: [u32; 16] = [
    0,
    1,
    2,
    31, // counts of shifts, and beyond
    32,
    33,
    63,
    255,
    256,
    u32::MAX,
    u32::MAX - 1,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x7c01_fc00, // a NaN and -infinity in 16 bits
    0x0001_8000, // a denormal and -0 in 16 bits
];

/// Doubles that are worth trying again and again.
const DOUBLES: [u64; 20] = [
    0x0000_0000_0000_0000, // 0
    0x8000_0000_0000_0000, // -0
    0x3ff0_0000_0000_0000, // 1
    0xbff0_0000_0000_0000, // -1
    0x7ff0_0000_0000_0000, // inf
    0xfff0_0000_0000_0000, // -inf
    0x7ff8_0000_0000_0000, // NaN
    0xfff8_0000_0000_0001, // a NaN with a sign and a payload
    0x7ff0_0000_0000_0001, // a signalling NaN whose high word is that of infinity
    0x0000_0000_0000_0001, // the smallest denormal
    0x800f_ffff_ffff_ffff, // the largest denormal, negative
    0x0010_0000_0000_0000, // the smallest normal number
    0x7fef_ffff_ffff_ffff, // the largest number
    0x3fef_ffff_ffff_ffff, // just below 1
    0x3ff0_0000_0000_0001, // just above 1
    0x41df_ffff_ffe0_0000, // 2^31 - 0.5
    0xc1e0_0000_0010_0000, // -2^31 - 0.5
    0x41ef_ffff_fff0_0000, // 2^32 - 0.5
    0x47ef_ffff_f000_0000, // halfway between the largest f32 and infinity
    0x3690_0000_0000_0000, // halfway between 0 and the smallest f32
];

/// A biased f64, as its low and its high word.
pub fn double(dice: &mut Dice<'_>) -> [u32; 2] {
    let [low, high] = [dice.word(), dice.word()];
    let any = u64::from(high) << 32 | u64::from(low);
    let sign = any & 1 << 63;
    let bits = match dice.below(10) {
        0..=2 => dice.pick(&DOUBLES),
        3 => f64::from(dice.between(-17, 17)).to_bits() | sign,
        4 => (f64::from(dice.between(-17, 17)) * 0.5).to_bits() | sign,
        5 => f64::from(f32::from_bits(float(dice))).to_bits(),
        // Every magnitude, from 2^-1074 on.
        6 => sign | (any >> 12 >> dice.below(52)),
        7 => sign | (any >> 12) | (dice.between(1, 2046) as u64) << 52,
        8 => (f64::from(dice.word().cast_signed()) * 0.25).to_bits(),
        _ => sign | (any >> 12) | (dice.between(1013, 1033) as u64) << 52,
    };
    [bits as u32, (bits >> 32) as u32]
}

/// A biased f32 for the instructions of the extended profile, as bits: more of those that lie halfway
/// between two results.
pub fn any_float(dice: &mut Dice<'_>) -> u32 {
    match dice.below(16) {
        0..=1 => near_tie(dice),
        // Between two fractions that are packed.
        2 => {
            let steps = dice.between(-300, 300) as f32 + 0.5;
            (steps / dice.pick(&[255.0, 127.0, 65_535.0])).to_bits()
        }
        // Between two integers, the largest among them.
        3 => {
            let [half, sign] = [0.5, 1.0].map(|one| one * dice.pick(&[1.0, -1.0]));
            ((1u32 << dice.below(24)) as f32 * sign + half).to_bits()
        }
        _ => float(dice),
    }
}

/// A float that lies halfway between two numbers of fewer bits, or right beside: often of those that a
/// binary16 has.
fn near_tie(dice: &mut Dice<'_>) -> u32 {
    let any = 1 + dice.below(22) as u32;
    let dropped = dice.pick(&[13, any]);
    let exponent = dice.between(-30, 17) + 127;
    let half = 1u32 << (dropped - 1);
    let beside = dice.pick(&[half, half, half - 1, half + 1]);
    let kept = dice.word() & 0x807f_ffff & !(half * 2 - 1);
    kept | exponent.cast_unsigned() << 23 | (beside & (half * 2 - 1))
}

/// A biased i32 for the instructions of the extended profile, as bits.
pub fn any_integer(dice: &mut Dice<'_>) -> u32 {
    match dice.below(20) {
        0..=5 => dice.pick(&MORE_INTEGERS),
        6..=9 => dice.below(40) as u32,
        // Integers between two floats.
        10 => {
            let half = 1u32 << dice.below(8);
            (dice.word() | 1 << 31) & !(half * 2 - 1) | half
        }
        // Exponents by which floats become denormal, and what is left of them.
        11..=12 => dice.between(-152, -120).cast_unsigned(),
        _ => integer(dice),
    }
}

/// High words of f64 that are worth trying again and again.
const HIGH_WORDS: [u32; 16] = [
    0x7ff0_0000, // infinity, or a NaN if the low word is not 0
    0xfff0_0000,
    0x7ff8_0000, // NaN
    0x3ff0_0000, // 1
    0xbfe0_0000, // -0.5
    0x0010_0000, // the smallest normal number
    0x000f_ffff, // a denormal
    0x7fef_ffff, // the largest numbers
    0x41df_ffff, // just below 2^31
    0x41e0_0000, // 2^31
    0xc1e0_0000, // -2^31
    0x41ef_ffff, // just below 2^32
    0x41f0_0000, // 2^32
    0x4330_0000, // 2^52, from where on f64 are integers
    0x47ef_ffff, // around the largest f32
    0x36a0_0000, // the smallest f32
];

/// A biased word, meant as a float, an integer, or the high word of an f64.
pub fn any_word(dice: &mut Dice<'_>) -> u32 {
    match dice.below(20) {
        0..=8 => any_float(dice),
        9..=16 => any_integer(dice),
        17..=18 => dice.pick(&HIGH_WORDS),
        _ => dice.pick(&HIGH_WORDS) ^ dice.word() & 0x801f_ffff,
    }
}

/// A denormal, mostly one of the ends.
pub fn denormal(dice: &mut Dice<'_>) -> u32 {
    let any = 1 + dice.below(0x007f_ffff) as u32;
    let magnitude = dice.pick(&[1, 0x007f_ffff, 0x0040_0000, any, any]);
    dice.word() & 0x8000_0000 | magnitude
}

/// The bits of `2^exponent`, for exponents from -149 to 128, where it is infinity.
fn power_of_two(exponent: i32) -> u32 {
    if exponent < -126 {
        1 << (exponent + 149)
    } else {
        ((exponent + 127) as u32) << 23
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::case_rng;

    #[test]
    fn powers_of_two_are_exact_down_to_the_smallest_denormal() {
        assert_eq!(f32::from_bits(power_of_two(-149)), f32::from_bits(1));
        assert_eq!(f32::from_bits(power_of_two(-126)), f32::MIN_POSITIVE);
        assert_eq!(f32::from_bits(power_of_two(3)), 8.0);
        assert_eq!(f32::from_bits(power_of_two(128)), f32::INFINITY);
    }

    #[test]
    fn every_class_of_number_comes_up_often() {
        let mut rng = case_rng(5, 5);
        let mut dice = Dice::new(&mut rng);
        let drawn: Vec<f32> = (0..5000).map(|_| f32::from_bits(word(&mut dice))).collect();
        let share = |of: &dyn Fn(&f32) -> bool| drawn.iter().filter(|f| of(f)).count();
        assert!(share(&|f| f.is_nan()) > 100);
        assert!(share(&|f| f.is_infinite()) > 50);
        assert!(share(&|f| f.is_subnormal()) > 100);
        assert!(share(&|f| f.to_bits() == 0x8000_0000) > 30);
        assert!(share(&|f| (0.0..=1000.0).contains(&f.abs())) > 2500);
    }

    #[test]
    fn every_class_of_double_comes_up_often() {
        let mut rng = case_rng(6, 6);
        let mut dice = Dice::new(&mut rng);
        let drawn: Vec<f64> = (0..5000)
            .map(|_| double(&mut dice))
            .map(|[low, high]| f64::from_bits(u64::from(high) << 32 | u64::from(low)))
            .collect();
        let share = |of: &dyn Fn(&f64) -> bool| drawn.iter().filter(|f| of(f)).count();
        assert!(share(&|f| f.is_nan()) > 100);
        assert!(share(&|f| f.is_infinite()) > 100);
        assert!(share(&|f| f.is_subnormal()) > 300);
        assert!(share(&|f| f.is_subnormal() && f.to_bits() << 1 < 1 << 20) > 50);
        assert!(share(&|f| f.to_bits() == 1 << 63) > 30);
        assert!(share(&|f| (1e-3..=1e6).contains(&f.abs())) > 1000);
        assert!(share(&|f| f.abs() > 1e39 && f.is_finite()) > 100);
    }

    #[test]
    fn numbers_between_two_results_come_up_often() {
        let mut rng = case_rng(7, 7);
        let mut dice = Dice::new(&mut rng);
        let floats: Vec<f32> = (0..5000)
            .map(|_| f32::from_bits(any_float(&mut dice)))
            .collect();
        let share = |of: &dyn Fn(&f32) -> bool| floats.iter().filter(|f| of(f)).count();
        // Between two numbers of 16 bits that are not denormal, two bytes, and two integers.
        assert!(share(&|f| f.to_bits() & 0x1fff == 0x1000) > 120);
        assert!(share(&|f| [0xfff, 0x1001].contains(&(f.to_bits() & 0x1fff))) > 80);
        assert!(share(&|f| (f * 255.0).fract().abs() == 0.5) > 30);
        assert!(share(&|f| f.fract().abs() == 0.5 && f.abs() > 100.0) > 50);
        let integers = (0..5000).map(|_| any_integer(&mut dice));
        let between = |&word: &u32| word > 1 << 31 && (1..=128).contains(&(word & 0xff));
        let between = integers.filter(|word| between(word) && (word & 0xff).is_power_of_two());
        assert!(between.count() > 100);
    }
}
