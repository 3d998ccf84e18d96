use expect_test::expect;

use super::super::sizes::tests::{Spare, exact, exponents, known, node, operations};
use super::*;
use crate::abi::{Constant, Slot};
use crate::constants::Terms;
use crate::ir::tests::plain::{Plain, SIX_BITS, is_same};
use crate::ir::{Builder, Terminator};

/// How many flushes are left of a function that stores what `make` makes of an input, with one constant.
fn left(constant: f32, make: impl FnOnce(&mut Builder, Value, Value) -> Value) -> usize {
    let place = Constant {
        index: 0,
        component: 0,
    };
    let (reg, component) = (0, 0);
    let mut b = Builder::new();
    let number = b.load(Slot::Input { reg, component });
    let uniform = b.push_as(Op::Uniform(place), [], Type::F32);
    let result = make(&mut b, number, uniform);
    b.store(Slot::Output { reg, component }, result);
    b.close(Terminator::Done);
    let mut function = b.finish();
    let terms = Terms::new(&[place], &[]);
    let known = Specialisation {
        constants: terms.known(terms.sizes_of(|_| constant.to_bits())),
        ..Specialisation::default()
    };
    remove(&mut function, known);
    super::super::dead::remove(&mut function);
    function.to_string().matches("= flush").count()
}

#[test]
fn a_flushed_constant_is_known_to_be_as_small_as_the_constant() {
    let flushes = |constant: f32| {
        left(constant, |b, number, uniform| {
            let [number, factor] = [number, uniform].map(|it| b.unary(Unary::Flush, it));
            let product = b.binary(Binary::Fmul, number, factor);
            let one = b.bits(1f32.to_bits(), Type::F32);
            b.binary(Binary::Fadd, product, one)
        })
    };
    assert_eq!(flushes(65535.0), 0);
    assert_eq!(flushes(65536.0), 1);
}

/// The whole multiple of a power of two that is below a number, flushed.
fn flushed_multiple(b: &mut Builder, number: Value, exponent: i32) -> Value {
    let unit = b.bits(f32::exp2(exponent as f32).to_bits(), Type::F32);
    let whole = b.unary(Unary::Floor, number);
    let multiple = b.binary(Binary::Fmul, whole, unit);
    b.unary(Unary::Flush, multiple)
}

#[test]
fn flushes_go_where_the_last_bit_is_normal_and_where_a_sum_absorbs_denormals() {
    let multiples = |exponent| left(1.0, |b, number, _| flushed_multiple(b, number, exponent));
    assert_eq!([-126, -127].map(multiples), [0, 1]);
    let sums = |exponent: i32| {
        left(1.0, |b, number, _| {
            let addend = b.bits(f32::exp2(exponent as f32).to_bits(), Type::F32);
            let flushed = b.unary(Unary::Flush, number);
            b.binary(Binary::Fadd, flushed, addend)
        })
    };
    assert_eq!([-101, -102].map(sums), [0, 1]);
}

#[test]
fn comparisons_with_zero_look_at_numbers_with_denormals_before_they_are_flushed() {
    let comparisons = left(1.0, |b, number, uniform| {
        let flushed = flushed_multiple(b, number, -127);
        let zero = b.bits(0, Type::F32);
        let mask = b.binary(Binary::Flt, flushed, zero);
        b.choose(mask, number, uniform)
    });
    assert_eq!(comparisons, 0);
}

/// Whether a number is below 2 to a power.
fn is_below(word: u32, limit: i32) -> bool {
    let value = f64::from(f32::from_bits(word));
    value.abs() < 2f64.powi(limit)
}

/// The greatest exponent of a power of two such that nobody tells the results for numbers below it, by their operands, if
/// nobody tells results below the limit `own`.
fn greatest(format: FloatFormat, results: &[(u32, u32)], own: i32) -> i32 {
    let (_, of_zero) = results[0];
    let are_tiny = |result: u32| own > NONE && is_below(result, own) && is_below(of_zero, own);
    let told = results
        .iter()
        .filter(|&&(_, it)| !is_same(of_zero, it) && !are_tiny(it));
    let told: Vec<u32> = told.map(|&(operand, _)| operand).collect();
    let mut limits = exponents(format).rev();
    let limit = limits.find(|&limit| !told.iter().any(|&operand| is_below(operand, limit)));
    limit.unwrap_or(NONE)
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Binary(Binary::Flt | Binary::Fle | Binary::Feq))
}

/// The operations of sizes, and those with other results than floats.
fn all_operations() -> Vec<(String, Node)> {
    use Binary::{Feq, Fle, Flt};
    let comparisons =
        [Flt, Fle, Feq].map(|op| (format!("{op:?} x y"), node(Op::Binary(op), &[0, 1])));
    let truncation = ("trunc x".to_owned(), node(Op::Unary(Unary::Trunc), &[0]));
    let fused = [[0, 1, 1], [1, 1, 0]].map(|of| ("fma".to_owned(), node(Op::Fma, &of)));
    let floats = operations().into_iter().chain(fused);
    floats.chain(comparisons).chain([truncation]).collect()
}

/// The words of a node's results for each value of the operand at a place and another operand, of a choice for either.
fn results(plain: &Plain, node: &Node, place: usize, other: u32) -> [Vec<(u32, u32)>; 2] {
    let own = node.operands[place].0 as usize;
    [0, 1].map(|mask| {
        let result = |word: u32| {
            let mut values = [other, other, mask];
            values[own] = word;
            let of = node.operands.iter().map(|value| values[value.0 as usize]);
            (word, plain.result(node.op, &of.collect::<Vec<u32>>()))
        };
        plain.floats().into_iter().map(result).collect()
    })
}

#[test]
fn limits_hold_and_greater_ones_would_not() {
    let mut spare = Spare::default();
    for format in SIX_BITS {
        let plain = Plain::new(format);
        let floats: Vec<Size> = plain.floats().into_iter().map(exact).collect();
        for (name, node) in all_operations() {
            let is_float = node.op != Op::Unary(Unary::Trunc) && !is_comparison(node.op);
            let others = known(format, node.operands.contains(&Value(1)));
            for place in (0..node.operands.len()).filter(|&place| node.operands[place].0 < 2) {
                let results = plain
                    .floats()
                    .into_iter()
                    .map(|other| results(&plain, &node, place, other));
                let results: Vec<_> = results.collect();
                for own in [NONE].into_iter().chain(format.least()..format.above) {
                    let own_float = if is_float { own } else { NONE };
                    let limits = results
                        .iter()
                        .map(|of| of.each_ref().map(|of| greatest(format, of, own_float)));
                    let limits: Vec<i32> = limits.map(|[a, b]| a.min(b)).collect();
                    for &(fact, size) in &others {
                        let within = floats.iter().zip(&limits);
                        let within = within.filter(|(float, _)| size.contains(**float));
                        let Some(truth) = within.map(|(_, &limit)| limit).min() else {
                            continue;
                        };
                        let claim = limit_of(format, &node, place, own, &[size; 3]);
                        let in_format = claim.clamp(format.least(), format.above);
                        assert!(
                            claim <= NONE || in_format <= truth,
                            "{name}, {place}, {own}, {size:?}: {claim}"
                        );
                        let Some(fact) =
                            fact.filter(|_| format.least() < claim && claim < format.above)
                        else {
                            continue;
                        };
                        let own = if own == NONE { "seen" } else { "with a limit" };
                        spare.note(
                            format!("operand {place} of {name} by {fact}, {own}"),
                            truth - claim,
                        );
                    }
                }
            }
        }
    }
    // The limit of a sum might be own - absorbs, and that of what is rounded towards zero 0. Nobody tells x in x - x.
    expect![[r#"
        operand 0 of fadd x y by grain, with a limit: 0, 117
        operand 0 of fadd x y by least, seen: 0, 7
        operand 0 of fadd x y by least, with a limit: 0, 185
        operand 0 of fadd x y by most, with a limit: 1, 539
        operand 0 of fadd x y by nothing, with a limit: 1, 12
        operand 0 of flush x by nothing, with a limit: 0, 1
        operand 0 of fmul x x by nothing, with a limit: 0, 1
        operand 0 of fmul x y by most, with a limit: 0, 572
        operand 0 of fsub x x by nothing, with a limit: 2, 131
        operand 0 of fsub x y by grain, with a limit: 0, 117
        operand 0 of fsub x y by least, seen: 0, 7
        operand 0 of fsub x y by least, with a limit: 0, 185
        operand 0 of fsub x y by most, with a limit: 1, 539
        operand 0 of fsub x y by nothing, with a limit: 1, 12
        operand 0 of nearest x by nothing, with a limit: 0, 59
        operand 0 of toward_zero x by nothing, with a limit: 1, 73
        operand 0 of trunc x by nothing, seen: 1, 2
        operand 0 of trunc x by nothing, with a limit: 1, 23
        operand 1 of fadd x y by grain, with a limit: 0, 117
        operand 1 of fadd x y by least, seen: 0, 7
        operand 1 of fadd x y by least, with a limit: 0, 185
        operand 1 of fadd x y by most, with a limit: 1, 539
        operand 1 of fadd x y by nothing, with a limit: 1, 12
        operand 1 of fmul x x by nothing, with a limit: 0, 1
        operand 1 of fmul x y by most, with a limit: 0, 572
        operand 1 of fsub x x by nothing, with a limit: 2, 131
        operand 1 of fsub x y by grain, with a limit: 0, 117
        operand 1 of fsub x y by least, seen: 0, 7
        operand 1 of fsub x y by least, with a limit: 0, 185
        operand 1 of fsub x y by most, with a limit: 1, 539
        operand 1 of fsub x y by nothing, with a limit: 1, 12
    "#]]
    .assert_eq(&spare.listed());
}
