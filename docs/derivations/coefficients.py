#!/usr/bin/env python3
"""Prints the coefficients of the approximations in machine/src/approx/.

    pip install mpmath numpy
    python3 docs/derivations/coefficients.py

Each polynomial is the best one in the minimax sense for the *relative* error of the function it
stands for. Coefficients are then rounded to f32 one after the other, the weightiest first, and the
rest is fitted again around the rounded ones, to make up for it. "error" is the bound that this
leaves in exact arithmetic, in units of 2^-24 (half an ulp of a value just above 1, one ulp just
below 1); what evaluation in f32 adds is measured by the sweep (machine/src/sweep.rs).
"""

import struct

import numpy
from mpmath import mp, mpf, cos, floor, frexp, ldexp, linspace, log, nint, pi, sin, sqrt

mp.dps = 90
LN2 = log(2)


def f32(x, rounding=nint):
    """x rounded to 24 significant bits (there are no denormals among our coefficients)."""
    mantissa, exponent = frexp(x)
    return ldexp(rounding(ldexp(mantissa, 24)), exponent - 24)


def minimax(target, weight, powers, grid):
    """Coefficients c for which max |weight(x) * (target(x) - sum c[i] x^powers[i])| is least.

    Lawson's iteration: least squares, again and again, with more weight where the error is large.
    Slower than Remez exchange, but content with any set of powers and with fixed coefficients.
    """
    scale = [float(weight(x)) for x in grid]
    basis = numpy.array([[s * float(x) ** p for p in powers] for x, s in zip(grid, scale)])
    wanted = numpy.array([float(target(x)) * s for x, s in zip(grid, scale)])
    columns = abs(basis).max(axis=0)
    lawson = numpy.ones(len(grid)) / len(grid)
    best = (numpy.inf, None)
    for _ in range(400):
        root = numpy.sqrt(lawson)
        c = numpy.linalg.lstsq(basis / columns * root[:, None], wanted * root, rcond=None)[0] / columns
        error = abs(basis @ c - wanted)
        if error.max() < best[0]:
            best = (error.max(), c)
        lawson *= error
        lawson /= lawson.sum()
    return [mpf(x) for x in best[1]]


def fit(name, target, weight, degree, lo, hi):
    """Fits, rounds and prints a polynomial of the given degree."""
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / 600) for i in range(601)]
    c = []
    # A first unrounded fit; after it the residual is small enough for f64.
    start = minimax(target, weight, range(degree + 1), grid)
    while len(c) <= degree:
        guess = c + start[len(c) :]
        rest = [target(x) - sum(a * x**p for p, a in enumerate(guess)) for x in grid]
        change = minimax(dict(zip(grid, rest)).get, weight, range(len(c), degree + 1), grid)
        start = c + [a + d for a, d in zip(guess[len(c) :], change)]
        c.append(f32(start[len(c)]))
    show(name, target, weight, c, lo, hi)
    return c


def show(name, target, weight, c, lo, hi):
    polynomial = lambda x: sum(a * x**p for p, a in enumerate(c))
    worst = max(abs(weight(x) * (target(x) - polynomial(x))) for x in linspace(lo, hi, 4003))
    error = f"error {float(worst * 2**24):.4f}"
    show_constants(f"{name}: degree {len(c) - 1} on [{float(lo):.5f}, {float(hi):.5f}], {error}", c)


def show_constants(name, constants):
    print(name)
    for value in constants:
        bits = struct.unpack("<I", struct.pack("<f", float(value)))[0]
        print(f"    {float(value)!r} = 0x{bits:08x}")


def split(value, count, rounding=nint):
    """`value` as a sum of `count` f32."""
    parts = []
    for _ in range(count):
        parts.append(f32(value, rounding))
        value -= parts[-1]
    return parts


def ex2_factor(x):
    """(2^x - 1) / x"""
    return (mpf(2) ** x - 1) / x if x else LN2


def log2_factor(r):
    """log2(1 + r) / r"""
    return log(1 + r) / LN2 / r if r else 1 / LN2


def sin_factor(z):
    """sin(r) / r - 1 with z = r^2"""
    return sin(sqrt(z)) / sqrt(z) - 1 if z > mpf("1e-40") else -z / 6


def turns_rest(z):
    """(sin(2 pi w) / w - 4) / z with z = w^2 - 1/16"""
    w = sqrt(z + mpf(1) / 16)
    if not w:
        return (2 * pi - 4) / z
    # The limit at w = 1/4, where the slope of the sine is 0.
    return (sin(2 * pi * w) / w - 4) / z if z else mpf(-32)


def turns_weight(z):
    """z w / sin(2 pi w) with z = w^2 - 1/16"""
    w = sqrt(z + mpf(1) / 16)
    return z * w / sin(2 * pi * w) if w else z / (2 * pi)


def atanh_tail(z):
    """What follows 2/ln 2 * (1 + z/3) in log2((1 + s) / (1 - s)) / s, over z^2, with z = s^2."""
    return 2 / LN2 * sum(z**i / (2 * i + 5) for i in range(40))


def main():
    one, half = mpf(1), mpf(1) / 2
    fit("exp.rs, FACTOR: (2^f - 1) / f", ex2_factor, lambda f: f / mpf(2) ** f, 6, -one, one)

    # Results just below 1/2, at the right end, leave the least room for errors: more weight there.
    heavier = lambda r: (1 + 2 * max(r, 0)) / log2_factor(r)
    fit("log.rs, LOG2: log2(1 + r) / r", log2_factor, heavier, 8, sqrt(half) - 1, sqrt(2) - 1)

    # Rounding of x/pi near the limit of the fast path carries r a little beyond pi/2. The centre was
    # found by trying all n/4096 whose first coefficient is an f32 to within 0.01 * 2^-24, and taking
    # the one with the smallest error in f32 that also gives sin -0 = -0 and cos 0 = 1.
    beyond = pi / 2 + mpf("0.005")
    centre = mpf(3089) / 4096
    show_constants("trig.rs, CENTRE", [centre])
    fit(
        "trig.rs, SIN: sin(r) / r - 1, in r^2 - CENTRE",
        lambda z: sin_factor(z + centre),
        lambda z: 1 / (1 + sin_factor(z + centre)),
        4,
        -centre,
        beyond**2 - centre,
    )
    show_constants("trig.rs, PI", split(pi, 3, floor))
    digits = int(2 / pi * 2**224)
    print("large.rs, TWO_OVER_PI:", ", ".join(f"0x{digits >> 32 * i & 0xFFFFFFFF:08x}" for i in range(6, -1, -1)))

    fit("turns.rs, Q: (sin(2 pi w) / w - 4) / z, in z = w^2 - 1/16", turns_rest, turns_weight, 3, -one / 16, mpf(0))

    s = (sqrt(2) - 1) / (sqrt(2) + 1)
    show_constants("pow.rs, FIRST: 2/ln 2", split(2 / LN2, 2))
    show_constants("pow.rs, SECOND: 2/(3 ln 2)", split(2 / LN2 / 3, 2))
    fit("pow.rs, TAIL: from s^5 on, in s^2", atanh_tail, lambda z: z * z * LN2 / 2, 2, mpf(0), s**2)


if __name__ == "__main__":
    main()
