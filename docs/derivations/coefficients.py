#!/usr/bin/env python3
"""Prints the coefficients of the approximations in isa/src/approx/.

    pip install mpmath numpy
    python3 docs/derivations/coefficients.py

Each polynomial is the best one in the minimax sense for the *relative*
error of the function it stands for. Coefficients are then rounded to f32 one after the other, the
weightiest first, and the rest is fitted again around the rounded ones, so that only the last
coefficient's rounding is not made up for. "error" is the bound that this leaves in exact
arithmetic, in units of 2^-24 (half an ulp of a value just above 1, one ulp just below 1); what
evaluation in f32 adds is measured by the sweep (isa/src/sweep.rs).
"""

import struct

import numpy
from mpmath import mp, mpf, cos, frexp, ldexp, linspace, log, nint, pi, sin, sqrt

mp.dps = 90
LN2 = log(2)


def f32(x, bits=24):
    """x rounded to `bits` significant bits, ties to even (no denormals among our coefficients)."""
    mantissa, exponent = frexp(x)
    return ldexp(nint(ldexp(mantissa, bits)), exponent - bits)


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


def fit(name, target, weight, degree, lo, hi, fixed=()):
    """Fits, rounds and prints a polynomial of the given degree; `fixed` are coefficients given."""
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / 600) for i in range(601)]
    c = list(fixed)
    # A first unrounded fit; after it the residual is small enough for f64.
    start = c + minimax(lambda x: target(x) - sum(a * x**p for p, a in enumerate(c)), weight, range(len(c), degree + 1), grid)
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
    print(f"{name}: degree {len(c) - 1} on [{float(lo):.5f}, {float(hi):.5f}], error {float(worst * 2**24):.4f}")
    for a in c:
        print("   ", constant(a))


def constant(a):
    bits = struct.unpack("<I", struct.pack("<f", float(a)))[0]
    return f"{float(a)!r} = 0x{bits:08x}"


def split(name, value, parts, bits=(24, 24, 24)):
    print(f"{name}, in {parts} parts:")
    for part in range(parts):
        head = f32(value, bits[part])
        value -= head
        print("   ", constant(head))


def ex2_factor(x):
    """(2^x - 1) / x"""
    return (mpf(2) ** x - 1) / x if x else LN2


def log2_factor(r):
    """log2(1 + r) / r"""
    return log(1 + r) / LN2 / r if r else 1 / LN2


def sin_factor(z):
    """(sin(r) / r - 1) / r^2 with z = r^2"""
    return (sin(sqrt(z)) / sqrt(z) - 1) / z if z else mpf(-1) / 6


def atanh_factor(z):
    """log2((1 + s) / (1 - s)) / s = 2/ln 2 * (1 + z/3 + z^2/5 + z^3/7 + ...) with z = s^2, from z^2 on."""
    return 2 / LN2 * sum(z**i / (2 * i + 5) for i in range(40))


def main():
    half, one = mpf(1) / 2, mpf(1)
    fit("exp.rs, NARROW: (2^f - 1) / f", ex2_factor, lambda f: f / mpf(2) ** f, 5, -half, half)
    fit("exp.rs, WIDE: (2^f - 1) / f", ex2_factor, lambda f: f / mpf(2) ** f, 6, -one, one)
    fit("log.rs, LOG2: log2(1 + r) / r", log2_factor, lambda r: 1 / log2_factor(r), 8, sqrt(half) - 1, sqrt(2) - 1)

    # Rounding of x/pi near the limit of the fast path carries r a little beyond pi/2.
    beyond = pi / 2 + mpf("0.005")
    fit("trig.rs, SIN: (sin(r) / r - 1) / r^2, in r^2", sin_factor, lambda z: z * sqrt(z) / sin(sqrt(z)) if z else mpf(0), 3, mpf(0), beyond**2)
    split("trig.rs, pi", pi, 3)
    split("trig.rs, 1/pi", 1 / pi, 1)
    digits = int(2 / pi * 2**224)
    print("large.rs, 2/pi:", ", ".join(f"0x{digits >> 32 * i & 0xFFFFFFFF:08x}" for i in range(6, -1, -1)))

    s = sqrt(2) - 1
    zmax = (s / (s + 2)) ** 2
    split("pow.rs, 2/ln 2", 2 / LN2, 2)
    split("pow.rs, 2/(3 ln 2)", 2 / LN2 / 3, 2)
    fit("pow.rs, TAIL: from s^4 on, in s^2", atanh_factor, lambda z: z * z * LN2 / 2, 2, mpf(0), zmax)


if __name__ == "__main__":
    main()
