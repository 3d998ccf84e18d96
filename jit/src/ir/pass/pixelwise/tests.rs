//! What sinks, and what does not.

use attila_isa::arith::Arith;
use expect_test::{Expect, expect};

use super::super::dead;
use super::*;
use crate::abi::{Constant, Pixels, Slot};
use crate::ir::{Binary, Builder, Type};

/// Components of pixels that are the `x` of four inputs.
fn sample(b: &mut Builder, input: u8) -> [Value; 4] {
    let pixels = [0, 1, 2, 3].map(|n| {
        let (reg, component) = (input + n, 0);
        b.push_as(Op::Load(Slot::Input { reg, component }), [], Type::Pixel)
    });
    let whole = b.push(Op::Transpose, pixels);
    [0, 1, 2, 3].map(|component| b.extract(whole, component))
}

fn weight(b: &mut Builder, component: u8) -> Value {
    let index = 7;
    b.push_as(Op::Uniform(Constant { index, component }), [], Type::F32)
}

fn output(b: &mut Builder, components: &[Value]) {
    for (component, &value) in (0..).zip(components) {
        b.store(Slot::Output { reg: 0, component }, value);
    }
}

fn sunk(b: Builder) -> Function {
    let mut function = b.finish();
    if sink(&mut function) {
        dead::remove(&mut function);
    }
    function.verify();
    function
}

fn check(mut b: Builder, expected: Expect) {
    b.close(crate::ir::Terminator::Done);
    expected.assert_eq(&sunk(b).to_string());
}

/// How many transpositions are left of what `make` makes.
fn left<const N: usize>(make: impl FnOnce(&mut Builder) -> [Value; N]) -> usize {
    let mut b = Builder::new();
    let results = make(&mut b);
    output(&mut b, &results);
    b.close(crate::ir::Terminator::Done);
    let function = sunk(b);
    let body = function.blocks[0].body.iter();
    let ops = body.map(|&value| function.node(value).op);
    ops.filter(|op| *op == Op::Transpose).count()
}

fn each<const N: usize>(f: impl FnMut(usize) -> Value) -> [Value; N] {
    std::array::from_fn(f)
}

#[test]
fn a_weighted_sum_is_transposed_once() {
    let mut b = Builder::new();
    let (s, t) = (sample(&mut b, 0), sample(&mut b, 4));
    let (first, second) = (weight(&mut b, 0), weight(&mut b, 1));
    let products = s.map(|s| b.mul(s, first));
    let sums: [Value; 4] = each(|c| b.fma(t[c], second, products[c]));
    output(&mut b, &sums);
    check(
        b,
        expect![[r#"
            uniform:
              v0: f32 = uniform c7.x
              v1: f32 = uniform c7.y
            block0:
              v2: pixel = load i0.x
              v3: pixel = load i1.x
              v4: pixel = load i2.x
              v5: pixel = load i3.x
              v6: pixel = load i4.x
              v7: pixel = load i5.x
              v8: pixel = load i6.x
              v9: pixel = load i7.x
              v10: pixel = fmul v2, v0
              v11: pixel = fmul v3, v0
              v12: pixel = fmul v4, v0
              v13: pixel = fmul v5, v0
              v14: pixel = fma v6, v1, v10
              v15: pixel = fma v7, v1, v11
              v16: pixel = fma v8, v1, v12
              v17: pixel = fma v9, v1, v13
              v18 = transpose v14, v15, v16, v17
              v19: f32 = extract 0, v18
              v20: f32 = extract 1, v18
              v21: f32 = extract 2, v18
              v22: f32 = extract 3, v18
              store o0.x, v19
              store o0.y, v20
              store o0.z, v21
              store o0.w, v22
              done
        "#]],
    );
}

#[test]
fn what_is_done_with_one_group_only_is_done_behind_the_last_transposition() {
    let mut b = Builder::new();
    let (s, t) = (sample(&mut b, 0), sample(&mut b, 4));
    let one = b.f32(1.0);
    let sums: [Value; 4] = each(|c| b.sub(s[c], t[c]));
    let limited = sums.map(|sum| b.binary(Binary::Fmin, sum, one));
    output(&mut b, &limited);
    check(
        b,
        expect![[r#"
            uniform:
              v0: f32 = const 1.0
            block0:
              v1: pixel = load i0.x
              v2: pixel = load i1.x
              v3: pixel = load i2.x
              v4: pixel = load i3.x
              v5: pixel = load i4.x
              v6: pixel = load i5.x
              v7: pixel = load i6.x
              v8: pixel = load i7.x
              v9: pixel = fsub v1, v5
              v10: pixel = fsub v2, v6
              v11: pixel = fsub v3, v7
              v12: pixel = fsub v4, v8
              v13 = transpose v9, v10, v11, v12
              v14: f32 = extract 0, v13
              v15: f32 = extract 1, v13
              v16: f32 = extract 2, v13
              v17: f32 = extract 3, v13
              v18: f32 = fmin v14, v0
              v19: f32 = fmin v15, v0
              v20: f32 = fmin v16, v0
              v21: f32 = fmin v17, v0
              store o0.x, v18
              store o0.y, v19
              store o0.z, v20
              store o0.w, v21
              done
        "#]],
    );
}

#[test]
fn three_components_are_worth_it_and_two_are_not() {
    fn sums<const N: usize>(b: &mut Builder) -> [Value; N] {
        let (s, t) = (sample(b, 0), sample(b, 4));
        each(|c| b.add(s[c], t[c]))
    }
    assert_eq!(left(sums::<3>), 1);
    assert_eq!(left(sums::<2>), 2);
}

#[test]
fn a_sum_that_is_used_twice_is_not_transposed_in_between() {
    let sharpened = |b: &mut Builder| {
        let (s, t, u) = (sample(b, 0), sample(b, 4), sample(b, 8));
        let around: [Value; 4] = each(|c| b.add(s[c], t[c]));
        let edges: [Value; 4] = each(|c| b.sub(u[c], around[c]));
        each::<4>(|c| b.add(edges[c], around[c]))
    };
    assert_eq!(left(sharpened), 1);
}

#[test]
fn sums_and_differences_that_are_all_wanted_are_computed_by_components() {
    let all = |b: &mut Builder| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        let sums: [Value; 4] = each(|c| b.add(s[c], t[c]));
        let differences: [Value; 4] = each(|c| b.sub(s[c], t[c]));
        let products: [Value; 4] = each(|c| b.mul(s[c], t[c]));
        output(b, &sums);
        output(b, &differences);
        products
    };
    assert_eq!(left(all), 2);
}

#[test]
fn components_that_are_treated_differently_stay_apart() {
    let swapped = |b: &mut Builder| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        each::<4>(|c| b.add(s[c], t[(c + 1) % 4]))
    };
    assert_eq!(left(swapped), 2);
    let weighted = |b: &mut Builder| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        let products: [Value; 4] = each(|c| {
            let factor = weight(b, c as u8);
            b.mul(s[c], factor)
        });
        each::<4>(|c| b.add(products[c], t[c]))
    };
    assert_eq!(left(weighted), 2);
    let by_lane = |b: &mut Builder| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        let factor = b.load(Slot::Depth { sample: 0 });
        let products = s.map(|s| b.mul(s, factor));
        each::<4>(|c| b.add(products[c], t[c]))
    };
    assert_eq!(left(by_lane), 2);
}

#[test]
fn a_sample_that_is_wanted_itself_is_no_gain() {
    let kept = |b: &mut Builder| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        output(b, &t[3..]);
        each::<4>(|c| b.add(s[c], t[c]))
    };
    assert_eq!(left(kept), 2);
}

#[test]
fn blocks_pass_each_other_components() {
    let mut b = Builder::new();
    let (s, t) = (sample(&mut b, 0), sample(&mut b, 4));
    let sums: [Value; 4] = each(|c| b.add(s[c], t[c]));
    let next = b.declare(&[Type::F32]);
    b.jump(next, vec![sums[0]]);
    b.open(next);
    let first = b.params(next)[0];
    output(&mut b, &[first, sums[1], sums[2], sums[3]]);
    check(
        b,
        expect![[r#"
            block0:
              v0: pixel = load i0.x
              v1: pixel = load i1.x
              v2: pixel = load i2.x
              v3: pixel = load i3.x
              v4: pixel = load i4.x
              v5: pixel = load i5.x
              v6: pixel = load i6.x
              v7: pixel = load i7.x
              v8: pixel = fadd v0, v4
              v9: pixel = fadd v1, v5
              v10: pixel = fadd v2, v6
              v11: pixel = fadd v3, v7
              v12 = transpose v8, v9, v10, v11
              v13: f32 = extract 0, v12
              v14: f32 = extract 1, v12
              v15: f32 = extract 2, v12
              v16: f32 = extract 3, v12
              jump block1(v13)
            block1(v17: f32):
              store o0.x, v17
              store o0.y, v14
              store o0.z, v15
              store o0.w, v16
              done
        "#]],
    );
}

/// The bytes of a colour, its components packed in this order.
fn store_bytes(b: &mut Builder, colour: [Value; 4], [x, y, z, w]: [usize; 4]) {
    let scale = b.f32(255.0);
    let bytes = colour.map(|value| {
        let scaled = b.mul(value, scale);
        b.trunc_to_i32(scaled)
    });
    let [even, odd] =
        [(x, z), (y, w)].map(|(low, high)| b.push(Op::Narrow, [bytes[low], bytes[high]]));
    let word = b.push(Op::Pack, [even, odd]);
    let pixels = Pixels {
        surface: 0,
        words: 1,
    };
    b.push(Op::StorePixels(pixels), [word]);
}

#[test]
fn a_sample_that_becomes_bytes_is_never_transposed() {
    let mut b = Builder::new();
    let colour = sample(&mut b, 0);
    store_bytes(&mut b, colour, [0, 1, 2, 3]);
    check(
        b,
        expect![[r#"
            uniform:
              v0: f32 = const 255.0
            block0:
              v1: pixel = load i0.x
              v2: pixel = load i1.x
              v3: pixel = load i2.x
              v4: pixel = load i3.x
              v5: pixel = fmul v1, v0
              v6: pixel = fmul v2, v0
              v7: pixel = fmul v3, v0
              v8: pixel = fmul v4, v0
              v9: pixel_i32 = trunc v5
              v10: pixel_i32 = trunc v6
              v11: pixel_i32 = trunc v7
              v12: pixel_i32 = trunc v8
              v13: pixel_halves = narrow_pixels v9, v10
              v14: pixel_halves = narrow_pixels v11, v12
              v15: i32 = pack_pixels v13, v14
              store_pixels target0:1, v15
              done
        "#]],
    );
}

#[test]
fn bytes_are_packed_by_pixels_only_if_all_are_of_one_sample_in_its_order() {
    let other_order = |b: &mut Builder| {
        let colour = sample(b, 0);
        store_bytes(b, colour, [2, 1, 0, 3]);
        []
    };
    assert_eq!(left(other_order), 1);
    let opaque = |b: &mut Builder| {
        let [x, y, z, _] = sample(b, 0);
        let one = b.f32(1.0);
        store_bytes(b, [x, y, z, one], [0, 1, 2, 3]);
        []
    };
    assert_eq!(left(opaque), 1);
    let also_alpha = |b: &mut Builder| {
        let colour = sample(b, 0);
        store_bytes(b, colour, [0, 1, 2, 3]);
        [colour[3]]
    };
    assert_eq!(left(also_alpha), 1);
}
