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
fn adding_plus_zero_stays_and_adding_minus_zero_goes() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let (plus, minus) = (b.f32(0.0), b.f32(-0.0));
    assert_ne!(b.add(x, plus), x);
    assert_eq!(b.add(minus, x), x);
    assert_eq!(b.sub(x, plus), x);
    assert_ne!(b.sub(x, minus), x);
}

#[test]
fn sums_with_negations_are_differences() {
    let mut b = Builder::new();
    let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
    let (minus_x, minus_y) = (b.neg(x), b.neg(y));
    let (difference, sum) = (b.sub(x, y), b.add(x, y));
    assert_eq!(b.add(x, minus_y), difference);
    assert_eq!(b.add(minus_y, x), difference);
    assert_eq!(b.sub(x, minus_y), sum);
    assert_eq!(b.add(minus_x, minus_y), b.sub(minus_x, y));
}

#[test]
fn sums_with_products_of_negations_are_differences() {
    let mut b = Builder::new();
    let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
    let minus_x = b.neg(x);
    let (product, opposite) = (b.mul(x, y), b.mul(minus_x, y));
    let difference = b.sub(y, product);
    assert_eq!(b.add(y, opposite), difference);
    assert_eq!(b.add(opposite, y), difference);
    assert_eq!(b.sub(y, opposite), b.add(y, product));
}

#[test]
fn differences_are_compared_with_zero_by_their_terms() {
    let mut b = Builder::new();
    let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
    let (zero, minus_zero, three) = (b.f32(0.0), b.f32(-0.0), b.f32(3.0));
    let (difference, sum) = (b.sub(x, y), b.add(x, three));
    let [less, greater] = [[x, y], [y, x]].map(|[x, y]| b.binary(Binary::Flt, x, y));
    assert_eq!(b.binary(Binary::Flt, difference, zero), less);
    assert_eq!(b.binary(Binary::Flt, minus_zero, difference), greater);
    let minus_three = b.f32(-3.0);
    let below = b.binary(Binary::Flt, x, minus_three);
    assert_eq!(b.binary(Binary::Flt, sum, zero), below);
    // The difference of two infinities is no number, but they are no less than each other.
    let mut is_kept = |op, x, y| {
        let mask = b.binary(op, x, y);
        b.function.node(mask).operands[..] == [x, y]
    };
    assert!(is_kept(Binary::Fle, difference, zero));
    assert!(is_kept(Binary::Flt, difference, three));
}

#[test]
fn a_mask_as_a_number_is_zero_where_it_is_not_set() {
    let mut b = Builder::new();
    let (x, zero) = (input(&mut b), b.i32(0));
    let float_zero = b.f32(0.0);
    let mask = b.lt(x, float_zero);
    let word = b.unary(Unary::FromBits, mask);
    let bits = b.unary(Unary::ToBits, word);
    let is_zero = b.ieq(bits, zero);
    assert_eq!(is_zero, b.invert(mask));
    let one = b.i32(0x3f80_0000);
    let masked = b.binary(Binary::And, bits, one);
    let (float_one, chosen) = (b.f32(1.0), b.unary(Unary::FromBits, masked));
    assert_eq!(chosen, b.choose(mask, float_one, float_zero));
    let number = b.unary(Unary::ToBits, x);
    let other = b.ieq(number, zero);
    assert_eq!(b.function.node(other).op, Op::Binary(Binary::Ieq));
}

#[test]
fn multiplying_by_zero_stays_for_the_sake_of_infinities() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let product = b.mul(x, zero);
    assert_eq!(b.constant(product), None);
    assert_eq!(b.mul(one, x), x);
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
fn choices_by_the_same_mask_collapse() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let zero = b.f32(0.0);
    let m = b.lt(x, zero);
    let inner = b.choose(m, x, zero);
    let one = b.f32(1.0);
    let direct = b.choose(m, x, one);
    assert_eq!(b.choose(m, inner, one), direct);
    let inverse = b.invert(m);
    assert_eq!(b.choose(inverse, one, x), direct);
}

#[test]
fn a_mask_in_a_register_is_tested_as_a_mask() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let zero = b.f32(0.0);
    let mask = b.lt(x, zero);
    let register = b.as_f32(mask);
    let bits = b.as_i32(register);
    let [none, all, one] = [0, -1, 1].map(|bits| b.i32(bits));
    assert_eq!(b.ieq(bits, all), mask);
    assert_eq!(b.ieq(bits, none), b.invert(mask));
    let other = b.ieq(bits, one);
    assert_eq!(b.function.node(other).op, Op::Binary(Binary::Ieq));
}

#[test]
fn what_is_computed_of_a_choice_between_constants_is_one() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let zero = b.f32(0.0);
    let mask = b.lt(x, zero);
    let [none, five, twelve, four, eight, nine] = [0, 5, 12, 4, 8, 9].map(|bits| b.i32(bits));
    let choice = b.choose(mask, five, twelve);
    let masked = b.iand(choice, five);
    assert_eq!(masked, b.choose(mask, five, four));
    let difference = b.isub(choice, four);
    assert_eq!(b.ieq(difference, eight), b.invert(mask));
    assert_eq!(b.ieq(choice, five), mask);
    let never = b.ieq(choice, nine);
    assert_eq!(b.constant(never), Some(FALSE));
    let or_none = b.choose(mask, five, none);
    let flag = b.lt(zero, x);
    let [other, not_zero] = [(five, none), (five, four)].map(|(a, c)| b.choose(flag, a, c));
    let either = b.either(mask, flag);
    assert_eq!(b.ior(or_none, other), b.choose(either, five, none));
    let mixed = b.ior(or_none, not_zero);
    assert_eq!(b.function.node(mixed).op, Op::Binary(Binary::Or));
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
fn flushes_of_what_is_normal_go() {
    let mut b = Builder::new();
    let (x, y) = (input(&mut b), b.load(Slot::Depth { sample: 0 }));
    let squares = [x, y].map(|value| b.mul(value, value));
    let flushed = [x, y, squares[0], squares[1]].map(|value| b.unary(Unary::Flush, value));
    let [x, y, x_squared, y_squared] = flushed;
    let flushes = |b: &mut Builder, value| b.unary(Unary::Flush, value) != value;
    let [opposite, magnitude] = [Unary::Fneg, Unary::Fabs].map(|op| b.unary(op, x));
    let opposite_square = b.neg(y_squared);
    let three = b.add(x_squared, y_squared);
    let mut sum = |x, y| {
        let sum = b.add(x, y);
        flushes(&mut b, sum)
    };
    assert!(!sum(x, x));
    assert!(!sum(opposite, opposite));
    assert!(!sum(x_squared, y_squared));
    assert!(!sum(magnitude, y_squared));
    assert!(!sum(three, x_squared));
    assert!(sum(x, y));
    assert!(sum(x_squared, y));
    assert!(sum(x_squared, squares[1]));
    assert!(sum(squares[0], squares[0]));
    assert!(sum(x_squared, opposite_square));
    assert!(flushes(&mut b, squares[0]));
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

#[test]
fn a_choice_between_values_of_the_run_is_flushed_once() {
    let mut b = Builder::new();
    let (x, zero) = (input(&mut b), b.f32(0.0));
    let [c, d] = [0, 1].map(|component| {
        let constant = Constant {
            index: 3,
            component,
        };
        b.push_as(Op::Uniform(constant), [], Type::F32)
    });
    let mask = b.lt(x, zero);
    let (one_quad, run) = (b.choose(mask, c, x), b.choose(mask, c, d));
    let flushed = [c, d].map(|value| b.unary(Unary::Flush, value));
    let expected = b.choose(mask, flushed[0], flushed[1]);
    assert_eq!(b.unary(Unary::Flush, run), expected);
    let kept = b.unary(Unary::Flush, one_quad);
    assert_eq!(b.function.node(kept).op, Op::Unary(Unary::Flush));
}

#[test]
fn what_is_doubled_again_and_again_is_multiplied_once() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let (two, half, three, eight) = (b.f32(2.0), b.f32(0.5), b.f32(3.0), b.f32(8.0));
    let twice = b.add(x, x);
    let four_times = b.add(twice, twice);
    let eight_times = b.mul(x, eight);
    assert_eq!(b.add(four_times, four_times), eight_times);
    assert_eq!(b.mul(four_times, two), eight_times);
    // Halves may round, and so may what is not a power of two.
    for factor in [half, three] {
        let scaled = b.mul(x, factor);
        let doubled = b.add(scaled, scaled);
        assert_eq!(b.function.node(doubled).op, Op::Binary(Binary::Fadd));
        let scaled = b.mul(twice, factor);
        assert_eq!(b.function.node(scaled).operands[0], twice);
    }
}

#[test]
fn halves_that_are_doubled_and_halved_are_halves() {
    let mut b = Builder::new();
    let x = input(&mut b);
    let (half, eighth, more) = (b.f32(0.5), b.f32(0.125), b.f32(0.75));
    let [halved, less, most] = [half, eighth, more].map(|factor| b.mul(x, factor));
    for number in [halved, less] {
        let doubled = b.add(number, number);
        assert_eq!(b.mul(doubled, half), number);
        let quarter = b.f32(0.25);
        assert_eq!(b.mul(doubled, eighth), b.mul(number, quarter));
    }
    // Doubled, it may be infinite.
    let doubled = b.add(most, most);
    let scaled = b.mul(doubled, half);
    assert_eq!(b.function.node(scaled).operands[0], doubled);
    // A product with what is no power of two rounds, and twice the greatest power is no number.
    let doubled = b.add(halved, halved);
    for factor in [0.75, f32::exp2(127.0)] {
        let factor = b.f32(factor);
        let scaled = b.mul(doubled, factor);
        assert_eq!(b.function.node(scaled).operands[0], doubled);
    }
}

#[test]
fn choices_between_uniform_values_are_scaled_once_per_run() {
    let mut b = Builder::new();
    let (x, zero, quarter) = (input(&mut b), b.f32(0.0), b.f32(0.25));
    let mask = b.lt(x, zero);
    let [c, d] = [0, 1].map(|index| {
        let constant = Constant {
            index,
            component: 0,
        };
        b.push_as(Op::Uniform(constant), [], Type::F32)
    });
    let chosen = b.select(mask, c, d);
    let [twice_c, twice_d] = [c, d].map(|of| b.add(of, of));
    assert_eq!(b.add(chosen, chosen), b.select(mask, twice_c, twice_d));
    let [part_c, part_d] = [c, d].map(|of| b.mul(of, quarter));
    assert_eq!(b.mul(chosen, quarter), b.select(mask, part_c, part_d));
    let chosen = b.select(mask, x, d);
    let doubled = b.add(chosen, chosen);
    assert_eq!(b.function.node(doubled).op, Op::Binary(Binary::Fadd));
}
