//! The instructions that x86-64 with AVX takes for each operation: a new Cranelift must not lose
//! the forms that emission counts on.

use crate::EmitStage;
use crate::abi::{Constant, RecordLayout, Slot};
use crate::emit::cranelift::Cranelift;
use crate::emit::tests::{Maker, target};
use crate::emit::{Emitter, Source};
use crate::ir::{Binary, Op, Origin, Shift, Type, Unary, Value};
use crate::target::Cpu;

/// The mnemonics of the code for `make`, up to the store of its result. Moves from memory, which
/// come in kinds that differ in nothing but a hint, are `load`.
fn mnemonics(make: impl Fn(&mut Maker) -> Value) -> String {
    let mut maker = Maker::new();
    maker.function.origin = Origin::instruction(0);
    let result = make(&mut maker);
    maker.output(0, result);
    let target = target(Cpu::Full);
    let emitter = Cranelift { target: &target };
    let source = Source {
        function: &maker.function,
        layout: RecordLayout::Io,
        quads: 1,
    };
    let asm = emitter.text(&source, EmitStage::Asm).expect("it compiles");
    let offset = RecordLayout::Io.offset(Slot::Output {
        reg: 0,
        component: 0,
    });
    let store = format!("[rsi+{:X}h]", offset.expect("the slot is there"));
    assert!(asm.text.contains(&store), "nothing stores in\n{asm}");
    let lines = asm.text.lines().zip(&asm.instructions);
    let lines: Vec<_> = lines
        .take_while(|(line, _)| !line.contains(&store))
        .collect();
    // Values of the run come before the loop over quads, which is no node's.
    let nodes = lines
        .rsplit(|(_, instruction)| instruction.is_none())
        .next();
    let nodes = nodes.unwrap_or_default().iter();
    let words = nodes.filter_map(|(line, _)| match line.split_whitespace().nth(1) {
        Some("vmovups" | "vmovdqu") => Some("load"),
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn literal(maker: &mut Maker, ty: Type) -> Value {
    maker.bits(0x3f80_0000, ty)
}

#[test]
fn unary_operations_are_one_instruction_and_take_literals_from_memory() {
    let cases = [
        (Unary::Fneg, Type::F32, "load vxorps"),
        (Unary::Fabs, Type::F32, "load vandps"),
        (Unary::Sqrt, Type::F32, "vsqrtps"),
        (Unary::Floor, Type::F32, "vroundps"),
        (Unary::Nearest, Type::F32, "vroundps"),
        (Unary::Trunc, Type::F32, "vcvttps2dq"),
        (Unary::ToF32, Type::I32, "vcvtdq2ps"),
        (Unary::ToBits, Type::F32, "load"),
        (Unary::Iabs, Type::I32, "vpabsd"),
        (Unary::Not, Type::Mask, "load vpxor"),
    ];
    for (op, ty, expected) in cases {
        let actual = mnemonics(|maker| {
            let a = maker.input(0, ty);
            maker.push(Op::Unary(op), [a])
        });
        assert_eq!(actual, expected, "{op:?}");
    }
}

#[test]
fn binary_operations_are_one_instruction_and_take_literals_from_memory() {
    let cases = [
        (Binary::Fadd, Type::F32, "load vaddps"),
        (Binary::Fsub, Type::F32, "load vsubps"),
        (Binary::Fmul, Type::F32, "load vmulps"),
        (Binary::Fdiv, Type::F32, "load vdivps"),
        // Both operands appear twice in the pattern, which keeps them out of memory.
        (Binary::Fmin, Type::F32, "load load vminps"),
        (Binary::Fmax, Type::F32, "load load vmaxps"),
        (Binary::Flt, Type::F32, "load vcmpltps"),
        (Binary::Fle, Type::F32, "load vcmpleps"),
        (Binary::Feq, Type::F32, "load vcmpeqps"),
        (Binary::Iadd, Type::I32, "load vpaddd"),
        (Binary::Isub, Type::I32, "load vpsubd"),
        (Binary::Imul, Type::I32, "load vpmulld"),
        (Binary::Imin, Type::I32, "load vpminsd"),
        (Binary::Imax, Type::I32, "load load vpmaxsd"),
        (Binary::Umin, Type::I32, "load vpminud"),
        (Binary::And, Type::I32, "load vpand"),
        (Binary::Or, Type::I32, "load vpor"),
        (Binary::Xor, Type::I32, "load vpxor"),
        // There is no "less than": the operands change places.
        (Binary::Ilt, Type::I32, "load load vpcmpgtd"),
        (Binary::Ieq, Type::I32, "load vpcmpeqd"),
    ];
    for (op, ty, expected) in cases {
        let actual = mnemonics(|maker| {
            let (a, b) = (maker.input(0, ty), literal(maker, ty));
            maker.push(Op::Binary(op), [a, b])
        });
        assert_eq!(actual, expected, "{op:?}");
        // Where the order does not matter, it makes no difference.
        if op.commutes() {
            let actual = mnemonics(|maker| {
                let (a, b) = (maker.input(0, ty), literal(maker, ty));
                maker.push(Op::Binary(op), [b, a])
            });
            assert_eq!(actual, expected, "{op:?}, operands the other way round");
        }
    }
}

#[test]
fn values_of_the_run_come_from_memory_too() {
    let actual = mnemonics(|maker| {
        let (index, component) = (3, 1);
        let a = maker.input(0, Type::F32);
        let constant = Constant { index, component };
        let b = maker.uniform(Op::Uniform(constant), Type::F32);
        maker.push(Op::Binary(Binary::Fadd), [b, a])
    });
    assert_eq!(actual, "load vaddps");
}

#[test]
fn shifts_and_shuffles_are_one_instruction() {
    for (op, expected) in [
        (Shift::Left, "load vpslld"),
        (Shift::RightUnsigned, "load vpsrld"),
        (Shift::RightSigned, "load vpsrad"),
    ] {
        let actual = mnemonics(|maker| {
            let a = maker.input(0, Type::I32);
            maker.push(Op::Shift(op, 23), [a])
        });
        assert_eq!(actual, expected, "{op:?}");
    }
    let actual = mnemonics(|maker| {
        let a = maker.input(0, Type::F32);
        maker.push(Op::Shuffle([1, 1, 3, 3]), [a])
    });
    assert_eq!(actual, "load vpshufd");
}

#[test]
fn products_with_sums_absorb_negations() {
    let fma = |negate: bool| {
        mnemonics(|maker| {
            let [a, b] = [0, 1].map(|reg| maker.input(reg, Type::F32));
            let c = literal(maker, Type::F32);
            let a = match negate {
                true => maker.push(Op::Unary(Unary::Fneg), [a]),
                false => a,
            };
            maker.push(Op::Fma, [a, b, c])
        })
    };
    assert_eq!(fma(false), "load load vfmadd213ps");
    assert_eq!(fma(true), "load load vfnmadd213ps");
}

#[test]
fn a_select_is_one_blend_whatever_its_mask_and_takes_a_literal_from_memory() {
    let actual = mnemonics(|maker| {
        let (mask, b) = (maker.input(0, Type::Mask), maker.input(1, Type::F32));
        let a = literal(maker, Type::F32);
        maker.push(Op::Select, [mask, a, b])
    });
    assert_eq!(actual, "load load vblendvps");
}
