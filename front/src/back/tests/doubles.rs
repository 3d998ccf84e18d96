//! Pairs of components, which f64 are made of, stay together.

use attila_isa::{Component, Modifiers, Opcode, Profile, Slots, Swizzle};
use expect_test::{Expect, expect};

use super::{Code, OUT, Operand, Place, Plain, Register, finished_in, input};

use Component::{W, X, Y, Z};

fn check(code: Code<Plain>, expected: &Expect) {
    let listing = finished_in(Profile::Extended, code);
    expected.assert_eq(&listing.expect("the program is accepted"));
}

fn swizzled(operand: Operand<Plain>, slots: [Component; 4]) -> Operand<Plain> {
    let swizzle = Swizzle::new(slots);
    Operand { swizzle, ..operand }
}

fn words(bits: [u32; 4]) -> Operand<Plain> {
    Operand::new(Register::Param(bits))
}

#[test]
fn a_pair_is_computed_if_one_of_its_words_is_needed() {
    let mut code = Code::new(1, 0);
    let sum = [input(0), input(1)];
    code.add(Opcode::Dadd, Place::Temp(0), Slots::all(), &sum);
    let high = [swizzled(Operand::temp(0), [W; 4])];
    code.add(Opcode::Mov, OUT, Slots::X, &high);
    check(
        code,
        &expect![[r#"
        .extended fragment
        dadd r0.zw, i0.zwzw, i1.zwzw
        mov o1.x, r0.w <- end
    "#]],
    );
}

#[test]
fn words_made_from_f64_keep_their_places() {
    let mut code = Code::new(1, 0);
    code.add(
        Opcode::D2i,
        Place::Temp(0),
        Slots::X | Slots::Y,
        &[input(0)],
    );
    let second = [swizzled(Operand::temp(0), [Y; 4])];
    code.add(Opcode::Mov, OUT, Slots::X, &second);
    check(
        code,
        &expect![[r#"
        .extended fragment
        d2i r0.xy, i0
        mov o1.x, r0.y <- end
    "#]],
    );
}

#[test]
fn copies_are_read_through_if_pairs_stay_together() {
    let mut code = Code::new(3, 0);
    let moved = [swizzled(input(0), [Z, W, X, Y])];
    code.add(Opcode::Mov, Place::Temp(0), Slots::all(), &moved);
    let torn = [swizzled(input(0), [X, Z, Y, W])];
    code.add(Opcode::Mov, Place::Temp(1), Slots::all(), &torn);
    let modifiers = Modifiers {
        negate: true,
        ..Modifiers::default()
    };
    let negated = [Operand {
        modifiers,
        ..input(0)
    }];
    code.add(Opcode::Mov, Place::Temp(2), Slots::all(), &negated);
    let operands = [0, 1, 2].map(Operand::temp);
    code.add(Opcode::Dfma, OUT, Slots::all(), &operands);
    check(
        code,
        &expect![[r#"
        .extended fragment
        mov r0, i0.xzyw
        mov r1, -i0
        dfma o1, i0.zwxy, r0, r1 <- end
    "#]],
    );
}

#[test]
fn constants_keep_the_order_of_their_words() {
    let mut code = Code::new(1, 0);
    let [one, two] = [0x3ff0_0000, 0x4000_0000].map(|high| words([0, high, 0, high]));
    let torn = words([0x3ff0_0000, 0, 0, 0x4000_0000]);
    code.add(
        Opcode::Dadd,
        Place::Temp(0),
        Slots::Z | Slots::W,
        &[input(0), one],
    );
    let product = [Operand::temp(0), swizzled(two, [Z, W, Z, W])];
    code.add(Opcode::Dmul, Place::Temp(0), Slots::Z | Slots::W, &product);
    code.add(
        Opcode::Dmul,
        OUT,
        Slots::Z | Slots::W,
        &[Operand::temp(0), torn],
    );
    check(
        code,
        &expect![[r#"
        .extended fragment
        dadd r0.zw, i0.zwzw, c0.zwzw
        dmul r0.zw, r0.zwzw, c1.zwzw
        dmul o1.zw, r0.zwzw, c2.zwzw <- end
    "#]],
    );
}
