//! The number of transpositions that are left. `ir/tests/` has functions before and after the pass.

use attila_machine::arith::Arith;
use attila_texture::Storage;

use super::super::dead;
use super::*;
use crate::abi::{Constant, Pixels, Slot};
use crate::ir::{Builder, Type};

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

fn sunk(b: Builder, vectors: &VectorTarget) -> Function {
    let mut function = b.finish();
    if sink(&mut function, vectors) {
        dead::remove(&mut function);
    }
    function.verify();
    function
}

/// The number of transpositions that the pass leaves in the function of `make`.
fn left<const N: usize>(make: impl FnOnce(&mut Builder) -> [Value; N]) -> usize {
    left_for(&VectorTarget::AVX2, make)
}

fn left_for<const N: usize>(
    vectors: &VectorTarget,
    make: impl FnOnce(&mut Builder) -> [Value; N],
) -> usize {
    let mut b = Builder::new();
    let results = make(&mut b);
    output(&mut b, &results);
    b.close(crate::ir::Terminator::Done);
    let function = sunk(b, vectors);
    let body = function.blocks[0].body.iter();
    let ops = body.map(|&value| function.node(value).op);
    ops.filter(|op| *op == Op::Transpose).count()
}

fn each<const N: usize>(f: impl FnMut(usize) -> Value) -> [Value; N] {
    std::array::from_fn(f)
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
fn what_all_lanes_share_is_a_factor_of_pixels() {
    let mixed = |b: &mut Builder, factor: Value| {
        let (s, t) = (sample(b, 0), sample(b, 4));
        let products = s.map(|s| b.mul(s, factor));
        each::<4>(|c| b.add(products[c], t[c]))
    };
    let shared = |b: &mut Builder| {
        let depth = b.load(Slot::Depth { sample: 0 });
        let factor = b.shuffle(depth, [2; 4]);
        mixed(b, factor)
    };
    assert_eq!(left(shared), 1);
    let by_lane = |b: &mut Builder| {
        let factor = b.load(Slot::Depth { sample: 0 });
        mixed(b, factor)
    };
    assert_eq!(left(by_lane), 2);
}

/// Components of a linear filter's samples.
fn blend(b: &mut Builder, storage: Storage, input: u8) -> [Value; 4] {
    let index = b.load(Slot::Address {
        reg: 0,
        component: 0,
    });
    let weight = |component| Slot::Input {
        reg: input,
        component,
    };
    let [x, y, z, w] = [0, 1, 2, 3].map(|component| b.load(weight(component)));
    let whole = b.push(Op::Blend(0, storage, false), [index, index, x, y, z, w]);
    let pixels = [0, 1, 2, 3].map(|lane| b.extract(whole, lane));
    let components = b.push(Op::Transpose, pixels);
    [0, 1, 2, 3].map(|component| b.extract(components, component))
}

#[test]
fn filtered_bytes_that_are_components_stay_so() {
    let components = VectorTarget {
        blends_components: true,
        ..VectorTarget::AVX2
    };
    let sums = |storage| {
        move |b: &mut Builder| {
            let (s, t) = (blend(b, storage, 0), blend(b, storage, 1));
            each::<4>(|c| b.add(s[c], t[c]))
        }
    };
    for (vectors, storage, expected) in [
        (&components, Storage::Rgba8, 2),
        (&components, Storage::Rgba32F, 1),
        (&VectorTarget::AVX2, Storage::Rgba8, 1),
    ] {
        assert_eq!(left_for(vectors, sums(storage)), expected);
    }
    // One of bytes among others is transposed for their sake.
    let among_others = |b: &mut Builder| {
        let samples = [0, 1, 2].map(|input| blend(b, Storage::Rgba32F, input));
        let bytes = blend(b, Storage::Rgba8, 3);
        let sums: [Value; 4] = each(|c| b.add(samples[0][c], samples[1][c]));
        let sums: [Value; 4] = each(|c| b.add(sums[c], samples[2][c]));
        each::<4>(|c| b.add(sums[c], bytes[c]))
    };
    assert_eq!(left_for(&components, among_others), 1);
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
        sample: 0,
        bytes: 4,
    };
    b.push(Op::StorePixels(pixels), [word]);
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
