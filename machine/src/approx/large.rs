//! Sine and cosine of large arguments, where subtracting multiples of π in f32 no longer works.
//!
//! x = m · 2^e with an integer m of 24 bits. The first bits of 2/π make
//! multiples of 4 when multiplied by x and do not matter, and those beyond the next 96 are too small
//! to matter. So one product m · (96 bits) in 128-bit integers gives x · 2/π modulo 4: the quadrant
//! and 94 bits of fraction, of which the last 24 are uncertain. No f32 is nearer to a multiple of π/2
//! than some 2^-30, which leaves 40 good bits at least. The rest is ordinary f64 arithmetic, + - * /
//! only, hence the same on every host.

/// 32 zero bits, then the first 224 bits of 2/π after the point.
const TWO_OVER_PI: [u32; 8] = [
    0,
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];

/// Sine of any x with |x| >= 1, in radians; NaN for infinities and NaN.
pub fn sin_large(x: f32) -> f32 {
    let Some((quadrant, r)) = reduce(x.abs()) else {
        return f32::NAN;
    };
    let sine = sin_of_quadrant(quadrant, r);
    if x.is_sign_negative() { -sine } else { sine }
}

/// Cosine of any x with |x| >= 1, in radians; NaN for infinities and NaN.
pub fn cos_large(x: f32) -> f32 {
    match reduce(x.abs()) {
        Some((quadrant, r)) => sin_of_quadrant(quadrant + 1, r),
        None => f32::NAN,
    }
}

/// The multiple of π/2 next to x, modulo 4, and the distance from it; `None` if x is not finite.
fn reduce(x: f32) -> Option<(u32, f64)> {
    if !x.is_finite() {
        return None;
    }
    let bits = x.to_bits();
    let exponent = (bits >> 23).cast_signed() - 150;
    let mantissa = bits & 0x007f_ffff | 0x0080_0000;
    // Bit i of 2/π counts 2^(exponent - i) m: from i = exponent - 1 on it is less than 4 m.
    // It is at i - 1 after the point, and there are 32 zeros in front.
    let window = window(usize::try_from(exponent - 2 + 32).unwrap_or(0));
    let turns = (u128::from(mantissa) * window) & ((1 << 96) - 1);
    let quadrant = (turns + (1 << 93)) >> 94;
    let fraction = turns.cast_signed() - (quadrant << 94).cast_signed();
    // 2^-94, exactly.
    let unit = f64::from_bits((1023 - 94) << 52);
    let r = fraction as f64 * unit * std::f64::consts::FRAC_PI_2;
    Some((quadrant as u32, r))
}

/// The 96 bits of `TWO_OVER_PI` that start at bit `start`.
fn window(start: usize) -> u128 {
    let first = start / 32;
    let words = &TWO_OVER_PI[first..first + 4];
    let all = words
        .iter()
        .fold(0, |all, &word| all << 32 | u128::from(word));
    all << (start % 32) >> 32
}

/// sin(quadrant · π/2 + r), |r| up to π/4.
fn sin_of_quadrant(quadrant: u32, r: f64) -> f32 {
    let magnitude = if quadrant & 1 == 0 {
        r * series(r, 1)
    } else {
        series(r, 0)
    };
    (if quadrant & 2 == 0 {
        magnitude
    } else {
        -magnitude
    }) as f32
}

/// 1 - r²/((p+1)(p+2)) + r⁴/((p+1)(p+2)(p+3)(p+4)) - …: cos r for p = 0, (sin r)/r for p = 1.
///
/// Nine terms: on |r| <= π/4 the first that is left out is below 2^-58.
fn series(r: f64, p: u32) -> f64 {
    let square = r * r;
    (0..8).rev().fold(1.0, |sum, i| {
        let n = f64::from(2 * i + p + 1);
        1.0 - square * sum / (n * (n + 1.0))
    })
}
