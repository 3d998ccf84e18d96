//! What sinks, and what does not.

use attila_isa::arith::Arith;
use expect_test::{Expect, expect};

use super::super::dead;
use super::*;
use crate::abi::{Pixels, Slot};
use crate::ir::Builder;

/// Components of pixels that are the `x` of four inputs.
fn sample(b: &mut Builder, input: u8) -> [Value; 4] {
    let pixels = [0, 1, 2, 3].map(|n| {
        b.load(Slot::Input {
            reg: input + n,
            component: 0,
        })
    });
    let whole = b.push(Op::Transpose(pixels), Type::Vec4);
    [0, 1, 2, 3].map(|component| b.push(Op::Part(whole, component), Type::F32))
}

fn weight(b: &mut Builder, component: u8) -> Value {
    let index = 7;
    b.push(Op::Uniform { index, component }, Type::F32)
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
    ops.filter(|op| matches!(op, Op::Transpose(_))).count()
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
          v18: f32 = c7.x
          v19: f32 = c7.y
        block0:
          v0: f32 = load i0.x
          v1: f32 = load i1.x
          v2: f32 = load i2.x
          v3: f32 = load i3.x
          v9: f32 = load i4.x
          v10: f32 = load i5.x
          v11: f32 = load i6.x
          v12: f32 = load i7.x
          v32: f32 = fmul v0, v18
          v33: f32 = fmul v1, v18
          v34: f32 = fmul v2, v18
          v35: f32 = fmul v3, v18
          v36: f32 = fma v9, v19, v32
          v37: f32 = fma v10, v19, v33
          v38: f32 = fma v11, v19, v34
          v39: f32 = fma v12, v19, v35
          v40: vec4 = transpose v36, v37, v38, v39
          v24: f32 = v40.x
          v25: f32 = v40.y
          v26: f32 = v40.z
          v27: f32 = v40.w
          store o0.x, v24
          store o0.y, v25
          store o0.z, v26
          store o0.w, v27
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
          v18: f32 = 1.0
        block0:
          v0: f32 = load i0.x
          v1: f32 = load i1.x
          v2: f32 = load i2.x
          v3: f32 = load i3.x
          v9: f32 = load i4.x
          v10: f32 = load i5.x
          v11: f32 = load i6.x
          v12: f32 = load i7.x
          v31: f32 = fsub v0, v9
          v32: f32 = fsub v1, v10
          v33: f32 = fsub v2, v11
          v34: f32 = fsub v3, v12
          v35: vec4 = transpose v31, v32, v33, v34
          v19: f32 = v35.x
          v20: f32 = v35.y
          v21: f32 = v35.z
          v22: f32 = v35.w
          v23: f32 = fmin v19, v18
          v24: f32 = fmin v20, v18
          v25: f32 = fmin v21, v18
          v26: f32 = fmin v22, v18
          store o0.x, v23
          store o0.y, v24
          store o0.z, v25
          store o0.w, v26
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
          v0: f32 = load i0.x
          v1: f32 = load i1.x
          v2: f32 = load i2.x
          v3: f32 = load i3.x
          v9: f32 = load i4.x
          v10: f32 = load i5.x
          v11: f32 = load i6.x
          v12: f32 = load i7.x
          v27: f32 = fadd v0, v9
          v28: f32 = fadd v1, v10
          v29: f32 = fadd v2, v11
          v30: f32 = fadd v3, v12
          v31: vec4 = transpose v27, v28, v29, v30
          v18: f32 = v31.x
          v19: f32 = v31.y
          v20: f32 = v31.z
          v21: f32 = v31.w
          jump block1(v18)
        block1(v22: f32):
          store o0.x, v22
          store o0.y, v19
          store o0.z, v20
          store o0.w, v21
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
    let [even, odd] = [(x, z), (y, w)]
        .map(|(low, high)| b.push(Op::Narrow(bytes[low], bytes[high]), Type::Halves));
    let word = b.push(Op::Pack(even, odd), Type::I32);
    let pixels = Pixels {
        surface: 0,
        words: 1,
    };
    b.push(Op::StorePixels(pixels, [word; 4]), Type::None);
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
          v9: f32 = 255.0
        block0:
          v0: f32 = load i0.x
          v1: f32 = load i1.x
          v2: f32 = load i2.x
          v3: f32 = load i3.x
          v22: f32 = fmul v0, v9
          v23: f32 = fmul v1, v9
          v24: f32 = fmul v2, v9
          v25: f32 = fmul v3, v9
          v26: i32 = trunc v22
          v27: i32 = trunc v23
          v28: i32 = trunc v24
          v29: i32 = trunc v25
          v30: halves = narrow v26, v27
          v31: halves = narrow v28, v29
          v20: i32 = pack pixels v30, v31
          store target0:1, v20
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
