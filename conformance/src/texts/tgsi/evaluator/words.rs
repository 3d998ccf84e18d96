//! Operations on words: integers, bits, conversions, and numbers that are packed into words.

use attila_shader::front::tgsi::TgsiOpcode as T;

use super::rules::Rule::{self, Bits, Words};

const ALL: u32 = u32::MAX;

/// Operations on integers and bits, component by component.
pub(super) const INTEGERS: &[(T, Rule)] = &[
    (T::Mov, Words(|[a, ..]| a)),
    (T::Ucmp, Words(|[a, b, c, _]| if a != 0 { b } else { c })),
    (T::And, Words(|[a, b, ..]| a & b)),
    (T::Or, Words(|[a, b, ..]| a | b)),
    (T::Xor, Words(|[a, b, ..]| a ^ b)),
    (T::Not, Words(|[a, ..]| !a)),
    (T::Shl, Words(|[a, b, ..]| a << (b % 32))),
    (T::Ishr, Words(|[a, b, ..]| word(signed(a) >> (b % 32)))),
    (T::Ushr, Words(|[a, b, ..]| a >> (b % 32))),
    (T::Uadd, Words(|[a, b, ..]| a.wrapping_add(b))),
    (T::Umul, Words(|[a, b, ..]| a.wrapping_mul(b))),
    (
        T::Umad,
        Words(|[a, b, c, _]| a.wrapping_mul(b).wrapping_add(c)),
    ),
    (
        T::ImulHi,
        Words(|[a, b, ..]| ((i64::from(signed(a)) * i64::from(signed(b))) >> 32) as u32),
    ),
    (
        T::UmulHi,
        Words(|[a, b, ..]| ((u64::from(a) * u64::from(b)) >> 32) as u32),
    ),
    (T::Ineg, Words(|[a, ..]| a.wrapping_neg())),
    (T::Iabs, Words(|[a, ..]| signed(a).unsigned_abs())),
    (T::Issg, Words(|[a, ..]| word(signed(a).signum()))),
    (T::Imin, Words(|[a, b, ..]| word(signed(a).min(signed(b))))),
    (T::Imax, Words(|[a, b, ..]| word(signed(a).max(signed(b))))),
    (T::Umin, Words(|[a, b, ..]| a.min(b))),
    (T::Umax, Words(|[a, b, ..]| a.max(b))),
    (
        T::Idiv,
        Words(|[a, b, ..]| {
            if b == 0 {
                0
            } else {
                word(signed(a).wrapping_div(signed(b)))
            }
        }),
    ),
    (T::Udiv, Words(|[a, b, ..]| a.checked_div(b).unwrap_or(ALL))),
    (
        T::Mod,
        Words(|[a, b, ..]| {
            if b == 0 {
                ALL
            } else {
                word(signed(a).wrapping_rem(signed(b)))
            }
        }),
    ),
    (T::Umod, Words(|[a, b, ..]| a.checked_rem(b).unwrap_or(ALL))),
    (
        T::Sad,
        Words(|[a, b, c, _]| signed(a.wrapping_sub(b)).unsigned_abs().wrapping_add(c)),
    ),
    (T::Islt, Words(|[a, b, ..]| mask(signed(a) < signed(b)))),
    (T::Isge, Words(|[a, b, ..]| mask(signed(a) >= signed(b)))),
    (T::Uslt, Words(|[a, b, ..]| mask(a < b))),
    (T::Usge, Words(|[a, b, ..]| mask(a >= b))),
    (T::Useq, Words(|[a, b, ..]| mask(a == b))),
    (T::Usne, Words(|[a, b, ..]| mask(a != b))),
    (T::Ibfe, Words(signed_field)),
    (T::Ubfe, Words(unsigned_field)),
    (T::Bfi, Words(insert)),
    (T::Brev, Words(|[a, ..]| a.reverse_bits())),
    (T::Popc, Words(|[a, ..]| a.count_ones())),
    (
        T::Lsb,
        Words(|[a, ..]| if a == 0 { ALL } else { a.trailing_zeros() }),
    ),
    (
        T::Imsb,
        Words(|[a, ..]| highest(if signed(a) < 0 { !a } else { a })),
    ),
    (T::Umsb, Words(|[a, ..]| highest(a))),
];

/// Comparisons of floats with words as results, and conversions.
pub(super) const CONVERSIONS: &[(T, Rule)] = &[
    (T::Fseq, Words(|[a, b, ..]| mask(float(a) == float(b)))),
    (T::Fsne, Words(|[a, b, ..]| mask(float(a) != float(b)))),
    (T::Fslt, Words(|[a, b, ..]| mask(float(a) < float(b)))),
    (T::Fsge, Words(|[a, b, ..]| mask(float(a) >= float(b)))),
    (
        T::Ldexp,
        Words(|[a, b, ..]| scaled(float(a), signed(b)).to_bits()),
    ),
    (T::F2i, Words(|[a, ..]| whole(float(a)))),
    // The conversion saturates, and NaN is 0.
    (T::F2u, Words(|[a, ..]| float(a) as u32)),
    (T::I2f, Words(|[a, ..]| (signed(a) as f32).to_bits())),
    (T::U2f, Words(|[a, ..]| (a as f32).to_bits())),
    (T::Arl, Words(|[a, ..]| whole(float(a).floor()))),
    (T::Arr, Words(|[a, ..]| whole((float(a) + 0.5).floor()))),
    (T::Uarl, Words(|[a, ..]| a)),
    (
        T::Ara,
        Bits(|[a, ..]| {
            let sums = [a[0].wrapping_add(a[2]), a[1].wrapping_add(a[3])];
            [sums[0], sums[1], sums[0], sums[1]]
        }),
    ),
    (T::Pk2h, Bits(|[a, ..]| [half(a[0]) | half(a[1]) << 16; 4])),
    (
        T::Pk2us,
        Bits(|[a, ..]| [fraction(a[0], 65535.0) | fraction(a[1], 65535.0) << 16; 4]),
    ),
    (
        T::Pk4b,
        Bits(|[a, ..]| [u32::from_le_bytes(a.map(biased)); 4]),
    ),
    (
        T::Pk4ub,
        Bits(|[a, ..]| [u32::from_le_bytes(a.map(|a| fraction(a, 255.0) as u8)); 4]),
    ),
    (T::Up2h, Bits(|[a, ..]| halves(a[0]).map(from_half))),
    (
        T::Up2us,
        Bits(|[a, ..]| halves(a[0]).map(|it| (it as f32 / 65535.0).to_bits())),
    ),
    (
        T::Up4b,
        Bits(|[a, ..]| {
            a[0].to_le_bytes()
                .map(|it| ((f32::from(it) - 128.0) / 127.0).to_bits())
        }),
    ),
    (
        T::Up4ub,
        Bits(|[a, ..]| {
            a[0].to_le_bytes()
                .map(|it| (f32::from(it) / 255.0).to_bits())
        }),
    ),
];

fn signed(a: u32) -> i32 {
    a.cast_signed()
}

fn word(a: i32) -> u32 {
    a.cast_unsigned()
}

fn float(a: u32) -> f32 {
    f32::from_bits(a)
}

fn mask(holds: bool) -> u32 {
    if holds { ALL } else { 0 }
}

fn highest(a: u32) -> u32 {
    a.checked_ilog2().unwrap_or(ALL)
}

/// The whole part; a number that does not fit, and NaN, is the integer with only the highest bit.
fn whole(a: f32) -> u32 {
    match (-2_147_483_648.0..2_147_483_648.0).contains(&a) {
        true => word(a as i32),
        false => 1 << 31,
    }
}

/// A number times a power of two, rounded once: doubles hold all such products of floats.
fn scaled(a: f32, exponent: i32) -> f32 {
    (f64::from(a) * f64::from(exponent.clamp(-278, 278)).exp2()) as f32
}

fn unsigned_field([a, offset, width, _]: [u32; 4]) -> u32 {
    if width == 32 && offset % 32 == 0 {
        return a;
    }
    let rest = a >> (offset % 32);
    rest & ((1 << (width % 32)) - 1)
}

fn signed_field([a, offset, width, _]: [u32; 4]) -> u32 {
    if width == 32 && offset % 32 == 0 {
        return a;
    }
    let (offset, width) = (offset % 32, width % 32);
    if width == 0 {
        return 0;
    }
    let rest = signed(a) >> offset;
    match offset + width < 32 {
        true => word(rest << (32 - width) >> (32 - width)),
        false => word(rest),
    }
}

fn insert([base, field, offset, width]: [u32; 4]) -> u32 {
    if width == 32 {
        return field;
    }
    let mask = ((1 << (width % 32)) - 1) << (offset % 32);
    (field << (offset % 32)) & mask | base & !mask
}

/// A number between 0 and 1 as a whole number of parts. NaN is 0. The product is exact.
fn fraction(a: u32, parts: f64) -> u32 {
    let scaled = f64::from(float(a)) * parts;
    let limited = if scaled > parts { parts } else { scaled };
    limited.round_ties_even() as u32
}

/// A number between -128/127 and 1 in 127ths, plus 128. NaN counts as 0.
fn biased(a: u32) -> u8 {
    let scaled = f64::from(float(a)) * 127.0;
    let scaled = if scaled.is_nan() { 0.0 } else { scaled };
    (scaled.clamp(-128.0, 127.0).round_ties_even() as i32 + 128) as u8
}

/// The nearest half float, the even one between two.
fn half(bits: u32) -> u32 {
    let (sign, a) = (bits >> 16 & 0x8000, float(bits).abs());
    if a.is_nan() {
        return 0x7e00;
    }
    // From here on, infinity is nearer than the greatest half float.
    if a >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = ((bits >> 23 & 0xff) as i32 - 127).max(-14);
    let units = f64::from(a) / f64::from(exponent - 10).exp2();
    sign | ((((exponent + 14) as u32) << 10) + units.round_ties_even() as u32)
}

fn halves(a: u32) -> [u32; 4] {
    let (low, high) = (a & 0xffff, a >> 16);
    [low, high, low, high]
}

fn from_half(a: u32) -> u32 {
    let (exponent, fraction) = (a >> 10 & 31, (a & 1023) as f32);
    let magnitude = match exponent {
        0 => fraction * (-24f32).exp2(),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * (exponent as f32 - 25.0).exp2(),
    };
    magnitude.to_bits() | (a >> 15) << 31
}
