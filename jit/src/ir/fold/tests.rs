mod identities;

use super::*;
use crate::abi::Slot;
use attila_isa::Component;
use attila_machine::arith::Arith;

fn input(b: &mut Builder) -> Value {
    b.load(Slot::Input {
        reg: 0,
        component: 0,
    })
}

#[test]
fn constant_comparisons_with_nan_are_false() {
    let mut b = Builder::new();
    let (nan, one) = (b.f32(f32::NAN), b.f32(1.0));
    let no = b.mask(false);
    assert_eq!(b.lt(nan, one), no);
    assert_eq!(b.le(nan, nan), no);
    assert_eq!(b.eq(nan, nan), no);
    let min = b.binary(Binary::Fmin, nan, one);
    assert_eq!(min, one);
}

#[test]
fn a_constant_index_beyond_the_bank_is_zero() {
    let mut b = Builder::new();
    let (inside, outside, negative) = (b.i32(511), b.i32(512), b.i32(-1));
    let indexed = |b: &mut Builder, index| {
        let value = b.push_as(Op::Indexed(Component::Y), [index], Type::F32);
        b.function.node(value).op
    };
    let constant = Constant {
        index: 511,
        component: 1,
    };
    assert_eq!(indexed(&mut b, inside), Op::Uniform(constant));
    assert_eq!(indexed(&mut b, outside), Op::Const(0));
    assert_eq!(indexed(&mut b, negative), Op::Const(0));
}

#[test]
fn f64_made_of_the_words_of_f64_are_these() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let double = |b: &mut Builder, op, of: &[Value]| b.push(Op::Double(op), of);
    let compute = |b: &mut Builder, op, a| double(b, DoubleOp::Compute(op), &[a]);
    let halves = Half::ALL.map(|half| {
        let promoted = double(&mut b, DoubleOp::OfF32(half), &[x]);
        compute(&mut b, Compute::Sqrt, promoted)
    });
    let settled = halves.map(|half| compute(&mut b, Compute::Settle, half));
    let [low, high] =
        [Word::Low, Word::High].map(|word| double(&mut b, DoubleOp::Word(word), &settled));
    let join = |b: &mut Builder, half, high| double(b, DoubleOp::Join(half), &[low, high]);
    assert_eq!(join(&mut b, Half::First, high), halves[0]);
    assert_eq!(join(&mut b, Half::Second, high), halves[1]);
    let (sign, magnitude) = (b.i32(i32::MIN), b.i32(i32::MAX));
    let absolute = b.iand(high, magnitude);
    let negated = b.ixor(absolute, sign);
    let joined = join(&mut b, Half::First, negated);
    let expected = compute(&mut b, Compute::Abs, halves[0]);
    assert_eq!(joined, compute(&mut b, Compute::Neg, expected));
    // The words of different f64.
    let joined = join(&mut b, Half::First, low);
    assert_eq!(
        b.function.node(joined).op,
        Op::Double(DoubleOp::Join(Half::First))
    );
}

#[test]
fn equal_operations_are_one_node_and_uniform_ones_leave_the_quad() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let constant = Constant {
        index: 3,
        component: 0,
    };
    let c = b.push_as(Op::Uniform(constant), [], Type::F32);
    let (two, sum) = (b.f32(2.0), b.add(x, c));
    assert_eq!(b.add(c, x), sum);
    let scaled = b.mul(c, two);
    assert!(b.function.uniform.contains(&scaled));
    assert!(!b.function.uniform.contains(&sum));
}

#[test]
fn roots_are_no_denormals_in_any_lane() {
    let mut b = Builder::new();
    let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
    let roots = [x, y].map(|value| b.sqrt(value));
    let [first, second] = [0, 1].map(|lane| b.shuffle(roots[0], [lane; 4]));
    let greater = b.binary(Binary::Fmax, first, second);
    for value in [roots[1], first, greater] {
        assert!(b.is_never_denormal(value));
    }
    let moved = b.shuffle(x, [1, 0, 3, 2]);
    let either = b.binary(Binary::Fmax, roots[0], y);
    let difference = b.sub(roots[0], roots[1]);
    for value in [x, moved, either, difference] {
        assert!(!b.is_never_denormal(value));
    }
}

#[test]
fn shuffles_of_what_all_lanes_share_go() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let first = b.shuffle(x, [0; 4]);
    let doubled = b.add(first, first);
    assert_eq!(b.shuffle(doubled, [3, 2, 1, 0]), doubled);
    let mixed = b.add(first, x);
    assert_ne!(b.shuffle(mixed, [3, 2, 1, 0]), mixed);
}
