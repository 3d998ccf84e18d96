//! Every operation without an effect, on all special values, against its definition.

use attila_isa::Component;
use attila_machine::arith::{self, trunc_to_i32};
use attila_machine::{Bindings, half};

use super::{Maker, compile, machines, machines_for, results};
use crate::abi::Constant;
use crate::ir::{Binary, Op, Shift, Type, Unary, Value};

/// Both infinities and zeros, NaN, denormals, halves, the edges of i32, and plain numbers.
const SPECIAL: [u32; 28] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3fc0_0000,
    0xbfc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x3f80_0001,
    0x42f6_e979,
    0x4aff_ffff,
    0x4b00_0001,
    0x4eff_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0xcf00_0001,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7fff_ffff,
    u32::MAX,
];

fn pairs() -> Vec<[u32; 2]> {
    let rows = SPECIAL.iter().flat_map(|&a| SPECIAL.map(|b| [a, b]));
    rows.collect()
}

/// Where the last operand of a tested operation comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Last {
    Input,
    Literal(u32),
    Uniform(u32),
}

/// Literals are compiled in, so that only some can be tried.
const LASTS: [Last; 5] = [
    Last::Input,
    Last::Literal(0xbfc0_0000),
    Last::Literal(0x7fc0_0000),
    Last::Uniform(0xbfc0_0000),
    Last::Uniform(0x7fc0_0000),
];

impl Last {
    fn operand(self, maker: &mut Maker, reg: usize, ty: Type) -> Value {
        match self {
            Last::Input => maker.input(reg as u8, ty),
            Last::Literal(bits) => maker.bits(bits, ty),
            Last::Uniform(_) => {
                let (index, component) = (77, 2);
                maker.uniform(Op::Uniform(Constant { index, component }), ty)
            }
        }
    }

    /// The operand's word where the input has `word`.
    fn word(self, word: u32) -> u32 {
        match self {
            Last::Input => word,
            Last::Literal(bits) | Last::Uniform(bits) => bits,
        }
    }
}

/// Checks that the node which `make` makes of `N` operands has the value `expected` on all CPUs, for one
/// and four quads per iteration, with the last operand from every source.
fn check<const N: usize>(
    name: &str,
    tys: [Type; N],
    rows: &[[u32; N]],
    make: impl Fn(&mut Maker, [Value; N]) -> Value,
    expected: impl Fn([u32; N]) -> u32,
) {
    for last in LASTS {
        let mut maker = Maker::new();
        let operands = std::array::from_fn(|n| match N - 1 - n {
            0 => last.operand(&mut maker, n, tys[n]),
            _ => maker.input(n as u8, tys[n]),
        });
        let result = make(&mut maker, operands);
        let float = maker.function.node(result).ty == Type::F32;
        maker.output(0, result);
        let mut bindings = Bindings::new();
        bindings.set_constant_bits(77, [1, 2, last.word(0), 3]);
        for (machine, quads) in machines_for(&maker.function, [1, 4]) {
            let code = compile(&maker.function, machine, quads);
            let results = results(&*code, &bindings, rows).expect("nothing loops");
            for (&(mut row), result) in rows.iter().zip(results) {
                row[N - 1] = last.word(row[N - 1]);
                let expected = expected(row);
                let nans = float && is_nan(result) && is_nan(expected);
                assert!(
                    result == expected || nans,
                    "{name} {row:x?}, {last:?}: {result:x}, not {expected:x} ({machine:?}, {quads})"
                );
            }
        }
    }
}

fn is_nan(bits: u32) -> bool {
    f32::from_bits(bits).is_nan()
}

fn truth(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

#[test]
fn unary_operations_do_what_they_say() {
    type Case = (Unary, Type, fn(u32) -> u32);
    let float: fn(fn(f32) -> f32) -> _ = |f| move |a| f(f32::from_bits(a)).to_bits();
    let rows = SPECIAL.map(|a| [a]);
    let check_float = |op: Unary, f: fn(f32) -> f32| {
        let f = float(f);
        let make = |maker: &mut Maker, [a]: [Value; 1]| maker.push(Op::Unary(op), [a]);
        check(&format!("{op:?}"), [Type::F32], &rows, make, |[a]| f(a));
    };
    check_float(Unary::Sqrt, f32::sqrt);
    check_float(Unary::Floor, f32::floor);
    check_float(Unary::Nearest, f32::round_ties_even);
    check_float(Unary::Ceil, f32::ceil);
    check_float(Unary::TowardZero, f32::trunc);
    let cases: [Case; 10] = [
        (Unary::Flush, Type::F32, |a| match a >> 23 & 255 {
            0 => a & 1 << 31,
            _ => a,
        }),
        (Unary::FlushToPlus, Type::F32, |a| match a >> 23 & 255 {
            0 => 0,
            _ => a,
        }),
        (Unary::OneNan, Type::F32, |a| match a << 1 {
            0xff00_0001.. => 0x7fff_ffff,
            _ => a,
        }),
        (Unary::Fneg, Type::F32, |a| a ^ 1 << 31),
        (Unary::Fabs, Type::F32, |a| a & !(1 << 31)),
        (Unary::Trunc, Type::F32, |a| {
            trunc_to_i32(f32::from_bits(a)).cast_unsigned()
        }),
        (Unary::ToF32, Type::I32, |a| {
            (a.cast_signed() as f32).to_bits()
        }),
        (Unary::ToBits, Type::F32, |a| a),
        (Unary::FromBits, Type::I32, |a| a),
        (Unary::Iabs, Type::I32, |a| {
            a.cast_signed().wrapping_abs().cast_unsigned()
        }),
    ];
    for (op, ty, expected) in cases {
        let make = |maker: &mut Maker, [a]: [Value; 1]| maker.push(Op::Unary(op), [a]);
        check(&format!("{op:?}"), [ty], &rows, make, |[a]| expected(a));
    }
    // Operations that only move or mask bits keep those of a quiet NaN.
    for (op, expected) in [
        (Unary::Fneg, 0xffc1_2345u32),
        (Unary::Fabs, 0x7fc1_2345),
        (Unary::Flush, 0x7fc1_2345),
        (Unary::FlushToPlus, 0x7fc1_2345),
    ] {
        let mut maker = Maker::new();
        let a = maker.input(0, Type::F32);
        let result = maker.push(Op::Unary(op), [a]);
        maker.output(0, result);
        for machine in machines(&maker.function) {
            let code = compile(&maker.function, machine, 1);
            let result = results(&*code, &Bindings::new(), &[[0x7fc1_2345]]);
            assert_eq!(result, Ok(vec![expected]), "{machine:?}");
        }
    }
}

#[test]
fn every_binary16_and_what_lies_between_two_is_converted() {
    let op = |op: Unary| move |maker: &mut Maker, [a]: [Value; 1]| maker.push(Op::Unary(op), [a]);
    let words: Vec<[u32; 1]> = (0..1 << 16).map(|half| [half ^ 0xa5a5_0000]).collect();
    let from = |[word]: [u32; 1]| half::to_f32(word as u16).to_bits();
    check("from_half", [Type::I32], &words, op(Unary::FromHalf), from);
    let numbers = words.windows(2).flat_map(|pair| {
        let [low, high] = [pair[0], pair[1]].map(|word| f64::from(f32::from_bits(from(word))));
        let middle = ((low + high) / 2.0) as f32;
        [low as f32, middle.next_down(), middle, middle.next_up()]
    });
    let numbers: Vec<[u32; 1]> = numbers.map(|number| [number.to_bits()]).collect();
    let to = |[bits]: [u32; 1]| half::from_f32(f32::from_bits(bits)).into();
    check("to_half", [Type::F32], &numbers, op(Unary::ToHalf), to);
    let rows = SPECIAL.map(|bits| [bits]);
    check("to_half", [Type::F32], &rows, op(Unary::ToHalf), to);
}

#[test]
fn masks_are_inverted() {
    let make = |maker: &mut Maker, [a, b]: [Value; 2]| {
        let less = maker.push(Op::Binary(Binary::Ilt), [a, b]);
        maker.push(Op::Unary(Unary::Not), [less])
    };
    check("not", [Type::I32; 2], &pairs(), make, |[a, b]| {
        truth(a.cast_signed() >= b.cast_signed())
    });
}

#[test]
fn float_arithmetic_and_comparisons_do_what_they_say() {
    type Case = (Binary, fn(f32, f32) -> u32);
    let cases: [Case; 9] = [
        (Binary::Fadd, |a, b| (a + b).to_bits()),
        (Binary::Fsub, |a, b| (a - b).to_bits()),
        (Binary::Fmul, |a, b| (a * b).to_bits()),
        (Binary::Fdiv, |a, b| (a / b).to_bits()),
        (Binary::Fmin, |a, b| if a < b { a } else { b }.to_bits()),
        (Binary::Fmax, |a, b| if a > b { a } else { b }.to_bits()),
        (Binary::Flt, |a, b| truth(a < b)),
        (Binary::Fle, |a, b| truth(a <= b)),
        (Binary::Feq, |a, b| truth(a == b)),
    ];
    for (op, expected) in cases {
        let make = |maker: &mut Maker, [a, b]: [Value; 2]| maker.push(Op::Binary(op), [a, b]);
        check(
            &format!("{op:?}"),
            [Type::F32; 2],
            &pairs(),
            make,
            |[a, b]| expected(f32::from_bits(a), f32::from_bits(b)),
        );
    }
}

/// The result of an operation on two integers.
type Expected<A> = fn(A, A) -> A;

/// Compares an operation on integers with a function for all pairs of special values.
fn check_integers<A: Copy>(
    cases: &[(Binary, Expected<A>)],
    from_bits: fn(u32) -> A,
    to_bits: fn(A) -> u32,
) {
    for &(op, expected) in cases {
        let make = |maker: &mut Maker, [a, b]: [Value; 2]| maker.push(Op::Binary(op), [a, b]);
        check(&format!("{op:?}"), [Type::I32; 2], &pairs(), make, |bits| {
            let [a, b] = bits.map(from_bits);
            to_bits(expected(a, b))
        });
    }
}

#[test]
fn signed_operations_do_what_they_say() {
    let cases: [(Binary, Expected<i32>); 10] = [
        (Binary::Iadd, i32::wrapping_add),
        (Binary::Isub, i32::wrapping_sub),
        (Binary::Imul, i32::wrapping_mul),
        (Binary::Imin, i32::min),
        (Binary::Imax, i32::max),
        (Binary::Idiv, |a, b| match b {
            0 => 0,
            b => a.wrapping_div(b),
        }),
        (Binary::Irem, |a, b| match b {
            0 => -1,
            b => a.wrapping_rem(b),
        }),
        (Binary::RightSignedBy, |a, b| a >> (b & 31)),
        (Binary::Ilt, |a, b| truth(a < b).cast_signed()),
        (Binary::Ieq, |a, b| truth(a == b).cast_signed()),
    ];
    check_integers(&cases, u32::cast_signed, i32::cast_unsigned);
}

#[test]
fn unsigned_operations_do_what_they_say() {
    let cases: [(Binary, Expected<u32>); 11] = [
        (Binary::Umin, u32::min),
        (Binary::Umax, u32::max),
        (Binary::UmulHigh, |a, b| {
            ((u64::from(a) * u64::from(b)) >> 32) as u32
        }),
        (Binary::Udiv, |a, b| a.checked_div(b).unwrap_or(u32::MAX)),
        (Binary::Urem, |a, b| a.checked_rem(b).unwrap_or(u32::MAX)),
        (Binary::LeftBy, |a, b| a << (b & 31)),
        (Binary::RightUnsignedBy, |a, b| a >> (b & 31)),
        (Binary::Ult, |a, b| truth(a < b)),
        (Binary::And, |a, b| a & b),
        (Binary::Or, |a, b| a | b),
        (Binary::Xor, |a, b| a ^ b),
    ];
    check_integers(&cases, |bits| bits, |bits| bits);
}

#[test]
fn shifts_do_what_they_say() {
    let rows = SPECIAL.map(|a| [a]);
    for bits in [0, 1, 23, 31] {
        type Case = (Shift, fn(u32, u32) -> u32);
        let cases: [Case; 3] = [
            (Shift::Left, |a, n| a << n),
            (Shift::RightUnsigned, |a, n| a >> n),
            (Shift::RightSigned, |a, n| {
                (a.cast_signed() >> n).cast_unsigned()
            }),
        ];
        for (op, expected) in cases {
            let make = |maker: &mut Maker, [a]: [Value; 1]| maker.push(Op::Shift(op, bits), [a]);
            check(
                &format!("{op:?} {bits}"),
                [Type::I32],
                &rows,
                make,
                |[a]| expected(a, bits.into()),
            );
        }
    }
}

#[test]
fn fma_rounds_once() {
    let rows: Vec<_> = SPECIAL
        .iter()
        .flat_map(|&a| SPECIAL.map(|b| [a, b, b.rotate_left(7) ^ a]))
        .chain([[0x3f80_0001, 0x3f80_0001, 0xbf80_0002]])
        .collect();
    let make = |maker: &mut Maker, [a, b, c]: [Value; 3]| maker.push(Op::Fma, [a, b, c]);
    let expected = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        arith::fma(a, b, c).to_bits()
    };
    check("fma", [Type::F32; 3], &rows, make, expected);

    let negated = |maker: &mut Maker, [a, b, c]: [Value; 3]| {
        let a = maker.push(Op::Unary(Unary::Fneg), [a]);
        let c = maker.push(Op::Unary(Unary::Fneg), [c]);
        maker.push(Op::Fma, [a, b, c])
    };
    let sign = 1 << 31;
    check("-fma", [Type::F32; 3], &rows, negated, |[a, b, c]| {
        expected([a ^ sign, b, c ^ sign])
    });
}

#[test]
fn selects_keep_all_bits() {
    let rows: Vec<_> = pairs()
        .into_iter()
        .map(|[a, b]| [a, b, a.wrapping_mul(b) | 1])
        .collect();
    for ty in [Type::F32, Type::I32] {
        let make = move |maker: &mut Maker, [a, b, c]: [Value; 3]| {
            let less = maker.push(Op::Binary(Binary::Ilt), [a, b]);
            let equal = maker.push(Op::Binary(Binary::Ieq), [a, b]);
            let mask = maker.push(Op::Binary(Binary::Or), [less, equal]);
            if ty == Type::I32 {
                return maker.push(Op::Select, [mask, b, c]);
            }
            let [b, c] = [b, c].map(|i| maker.push(Op::Unary(Unary::FromBits), [i]));
            let chosen = maker.push(Op::Select, [mask, b, c]);
            maker.push(Op::Unary(Unary::ToBits), [chosen])
        };
        check("select", [Type::I32; 3], &rows, make, |[a, b, c]| {
            if a.cast_signed() <= b.cast_signed() {
                b
            } else {
                c
            }
        });
    }
}

#[test]
fn lanes_are_shuffled() {
    for lanes in [[0, 0, 2, 2], [1, 1, 3, 3], [3, 2, 1, 0], [2, 2, 2, 2]] {
        for ty in [Type::F32, Type::I32] {
            let mut maker = Maker::new();
            let a = maker.input(0, ty);
            let shuffled = maker.push(Op::Shuffle(lanes), [a]);
            maker.output(0, shuffled);
            for machine in machines(&maker.function) {
                let code = compile(&maker.function, machine, 2);
                let rows: Vec<_> = (10..22).map(|a| [a]).collect();
                let results = results(&*code, &Bindings::new(), &rows).expect("nothing loops");
                let expected: Vec<_> = (0..3)
                    .flat_map(|quad| lanes.map(|lane| 10 + 4 * quad + u32::from(lane)))
                    .collect();
                assert_eq!(results, expected);
            }
        }
    }
}

#[test]
fn an_index_outside_the_constants_reads_0_and_no_memory() {
    let mut bindings = Bindings::new();
    for index in 0..512 {
        bindings.set_constant_bits(index as usize, [4, 5, 6, 7].map(|n| index * 16 + n));
    }
    let mut maker = Maker::new();
    let index = maker.input(0, Type::I32);
    let read = maker.push_as(Op::Indexed(Component::W), [index], Type::F32);
    maker.output(0, read);
    let far = [
        i32::MIN,
        i32::MIN + 511,
        -513,
        -512,
        -1,
        512,
        1023,
        i32::MAX,
    ];
    let near = [0, 1, 255, 256, 510, 511];
    for (machine, quads) in machines_for(&maker.function, [1, 4]) {
        let code = compile(&maker.function, machine, quads);
        let rows = far.map(|index| [index.cast_unsigned()]);
        assert_eq!(results(&*code, &bindings, &rows), Ok(vec![0; far.len()]));
        let rows = near.map(|index| [index]);
        let expected = near.map(|index| index * 16 + 7).to_vec();
        assert_eq!(results(&*code, &bindings, &rows), Ok(expected));
    }
}

#[test]
fn values_of_the_run_are_computed_from_the_bindings_of_each_run() {
    let mut maker = Maker::new();
    let mut constant = |index, component| {
        let op = Op::Uniform(Constant { index, component });
        maker.uniform(op, Type::F32)
    };
    let (a, b) = (constant(0, 1), constant(511, 3));
    let sum = maker.uniform_of(Op::Binary(Binary::Fadd), [a, b]);
    let half = maker.bits(0.5f32.to_bits(), Type::F32);
    let scaled = maker.uniform_of(Op::Binary(Binary::Fmul), [half, sum]);
    let x = maker.input(0, Type::F32);
    let result = maker.push(Op::Binary(Binary::Fmul), [scaled, x]);
    let result = maker.push(Op::Binary(Binary::Fsub), [result, a]);
    maker.output(0, result);
    for (machine, quads) in machines_for(&maker.function, [1, 2, 3, 4]) {
        let code = compile(&maker.function, machine, quads);
        for (a, b) in [(1.0f32, 2.0f32), (-4.0, 0.25)] {
            let bindings = Bindings::new()
                .with_constant(0, [9.0, a, 9.0, 9.0])
                .with_constant(511, [9.0, 9.0, 9.0, b]);
            let rows: Vec<_> = (0..9).map(|x| [(x as f32).to_bits()]).collect();
            let expected = (0..9).map(|x| (0.5 * (a + b) * x as f32 - a).to_bits());
            assert_eq!(results(&*code, &bindings, &rows), Ok(expected.collect()));
        }
    }
}
