//! Everything compiles for every kind of machine, whichever one the tests run on.

use attila_isa::{
    Bank, BoolSrc, Component, Dst, Inst, OpFlags, Opcode, Operand, OperandKind, Pred, Program, Reg,
    ResultKind, ScratchArray, Slots, Src, Stage, TextureAccess, TextureShape, TextureTarget,
};
use attila_machine::ErrorChain;
use attila_machine::arith::SlowPath;

use crate::abi::{SampleKind, Slot};
use crate::emit::tests::Maker;
use crate::ir::{Binary, Op, Operands, Shift, Type, Unary, Value};
use crate::{Cpu, EmitStage, Jit, JitOptions, Listing, guard};
use crate::{abi::RecordLayout, emit::Source};

pub(super) const TARGETS: [(&str, Cpu); 4] = [
    ("x86_64-unknown-linux-gnu", Cpu::Baseline),
    ("x86_64-unknown-linux-gnu", Cpu::Full),
    ("aarch64-unknown-linux-gnu", Cpu::Baseline),
    ("riscv64gc-unknown-linux-gnu", Cpu::Baseline),
];

pub(super) fn jit(target: &str, cpu: Cpu) -> Jit {
    let options = JitOptions {
        target: Some(target.to_owned()),
        cpu,
        verify: true,
        ..JitOptions::default()
    };
    Jit::with_options(&options).expect("the target is supported")
}

/// An operation with its operands and its type.
type Case = (Op, Operands, Type);

/// Operations without an effect on operands of every type.
fn operations(maker: &mut Maker) -> Vec<Case> {
    let [a, b, c] = [0, 1, 2].map(|reg| maker.input(reg, Type::F32));
    let [i, j] = [3, 4].map(|reg| maker.input(reg, Type::I32));
    let [m, n] = [5, 6].map(|reg| maker.input(reg, Type::Mask));
    let mut ops = Vec::<Case>::new();
    let mut add = |op: Op, operands: &[Value]| {
        let ty = maker.function.result_type(&op, operands);
        ops.push((op, operands.into(), ty.unwrap_or(Type::F32)));
    };
    {
        use Unary::{Fabs, Floor, Fneg, FromBits, Iabs, Nearest, Not, Sqrt, ToBits, ToF32, Trunc};
        for op in [Fneg, Fabs, Sqrt, Floor, Nearest, Trunc, ToBits] {
            add(Op::Unary(op), &[a]);
        }
        for op in [ToF32, FromBits, Iabs] {
            add(Op::Unary(op), &[i]);
        }
        add(Op::Unary(Not), &[m]);
    }
    {
        use Binary::{
            And, Fadd, Fdiv, Feq, Fle, Flt, Fmax, Fmin, Fmul, Fsub, Iadd, Ieq, Ilt, Imax, Imin,
            Imul, Isub, Or, Umin, Xor,
        };
        for op in [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax, Flt, Fle, Feq] {
            add(Op::Binary(op), &[a, b]);
        }
        for op in [Iadd, Isub, Imul, Imin, Imax, Umin, And, Or, Xor, Ilt, Ieq] {
            add(Op::Binary(op), &[i, j]);
        }
        for op in [And, Or, Xor] {
            add(Op::Binary(op), &[m, n]);
        }
    }
    for op in [Shift::Left, Shift::RightUnsigned, Shift::RightSigned] {
        add(Op::Shift(op, 5), &[i]);
    }
    for (a, b) in [(a, b), (i, j), (m, n)] {
        add(Op::Select, &[m, a, b]);
        add(Op::Shuffle([0, 0, 2, 2]), &[a]);
        add(Op::Shuffle([2, 3, 2, 3]), &[a]);
    }
    add(Op::Fma, &[a, b, c]);
    for path in [SlowPath::Sin, SlowPath::Cos] {
        add(Op::SlowPath(path), &[m, a, b]);
    }
    add(Op::LoopBudget, &[]);
    add(Op::Position, &[i]);
    for ty in [Type::F32, Type::I32] {
        ops.push((Op::Indexed(Component::W), [i].into(), ty));
    }
    ops
}

/// Operations with an effect, each in a separate function.
fn effects() -> Vec<Maker> {
    let new = || {
        let mut maker = Maker::new();
        let values = [0, 1, 2].map(|reg| maker.input(reg, Type::F32));
        let index = maker.input(3, Type::I32);
        let mask = maker.input(4, Type::Mask);
        (maker, values, index, mask)
    };
    let with_parts = |mut maker: Maker, op: Op, operands: &[Value]| {
        let whole = maker.push(op, operands);
        let part = maker.push(Op::Extract(2), [whole]);
        maker.output(0, part);
        maker
    };
    let mut makers = Vec::new();
    let (maker, [s, t, r], _, active) = new();
    let op = Op::Sample(SampleKind::Tex, 3, Stage::Fragment);
    makers.push(with_parts(maker, op, &[s, t, r, s, active]));
    let (maker, _, index, wanted) = new();
    makers.push(with_parts(maker, Op::Attribute(3), &[index, wanted]));
    let (maker, [x, y, z], offset, _) = new();
    makers.push(with_parts(maker, Op::Evaluate(3), &[offset, x, y, z, x]));
    let (mut maker, [a, b, c], _, mask) = new();
    let component = Component::W;
    maker.push(Op::FixedMul(component), [a, b, mask]);
    maker.push(Op::FixedMulAdd(component), [a, b, c, mask]);
    let result = maker.push(Op::FixedResult(component), [a, b]);
    maker.output(0, result);
    makers.push(maker);
    makers
}

fn compile(
    jit: &Jit,
    maker: &Maker,
    layout: RecordLayout,
    quads: usize,
) -> Result<Listing, String> {
    let source = Source {
        function: &maker.function,
        layout,
        quads,
    };
    let asm = guard(|| jit.emitter().text(&source, EmitStage::Asm));
    asm.map_err(|error| format!("{error:?}"))
}

#[test]
fn every_operation_compiles_for_every_target() {
    for (target, cpu) in TARGETS {
        let jit = jit(target, cpu);
        let mut problems = Vec::new();
        let count = operations(&mut Maker::new()).len();
        for index in 0..count {
            let mut maker = Maker::new();
            let (op, operands, ty) = operations(&mut maker)[index];
            let result = maker.push_as(op, operands, ty);
            maker.output(0, result);
            for quads in [1, 2] {
                if let Err(error) = compile(&jit, &maker, RecordLayout::Io, quads) {
                    problems.push(format!("{op:?} {ty:?}: {error}"));
                }
            }
        }
        for maker in effects() {
            for layout in [RecordLayout::Io, RecordLayout::State] {
                if let Err(error) = compile(&jit, &maker, layout, 1) {
                    problems.push(error);
                }
            }
        }
        assert!(problems.is_empty(), "{target} {cpu:?}: {problems:#?}");
    }
}

/// The scratch memory of examples.
const ARRAY: ScratchArray = ScratchArray { base: 1, size: 12 };

/// An instruction with this opcode, whose result is r0, a0 or p0.
fn example(op: Opcode) -> Inst {
    let reg = |bank| Reg::new(bank, 0).expect("every bank has a register 0");
    let mut inst = Inst::new(op);
    let narrow = op.narrows().then_some(Slots::X | Slots::W);
    let dst = |bank| Dst::reg(reg(bank), narrow.unwrap_or(Slots::all()));
    inst.dst = match op.info().results.register {
        None => Dst::NONE,
        Some(ResultKind::Float | ResultKind::Double | ResultKind::Accumulator) => dst(Bank::Temp),
        Some(ResultKind::Int) => dst(Bank::Address),
    };
    let results = op.info().results;
    if results.scratch {
        inst.dst = Dst::scratch(ARRAY, Slots::all());
    }
    if results.storage {
        inst.dst = Dst::storage(Slots::X | Slots::Z);
    }
    inst.dst.pred = Pred::new(0).filter(|_| results.predicate || results.also_predicate);
    let banks = [Bank::Input, Bank::Constant, Bank::Input];
    for ((operand, kind), bank) in inst.operands.iter_mut().zip(op.operands()).zip(banks) {
        *operand = match kind {
            OperandKind::Float(_)
            | OperandKind::OptionalFloat(_)
            | OperandKind::Int(_)
            | OperandKind::Double(_)
            | OperandKind::Texels
            | OperandKind::Raw(_) => Operand::Reg(Src::new(reg(bank))),
            OperandKind::Gradients => Operand::Reg(Src::new(reg(Bank::Temp))),
            OperandKind::Bool => Operand::Bool(BoolSrc::Constant {
                reg: reg(Bank::Constant),
                component: Component::X,
                negate: false,
            }),
            OperandKind::Unit => Operand::Unit {
                unit: 2,
                target: TextureTarget::Bound,
            },
            OperandKind::Attribute => Operand::Attribute(2),
            OperandKind::Stream => Operand::Stream(2),
            OperandKind::Sample => Operand::Sample(2),
            OperandKind::Scratch => Operand::Scratch(ARRAY),
            OperandKind::Buffer => Operand::Buffer(2),
            OperandKind::Storage => Operand::Storage(2),
            OperandKind::Offset => Operand::Offset(1),
            OperandKind::Input => Operand::Reg(Src::new(reg(Bank::Input))),
            OperandKind::Index => Operand::Reg(Src::new(reg(Bank::Temp))),
            OperandKind::Number => Operand::Number(2),
            OperandKind::Ignored | OperandKind::Absent => Operand::None,
        };
    }
    let shape = if op == Opcode::Txqs {
        TextureShape::D2Ms
    } else {
        TextureShape::D2Array
    };
    let shadow = false;
    let target = TextureTarget::Named { shape, shadow };
    inst.texture = op.names_target().then(|| TextureAccess::new(2, target));
    inst
}

#[test]
fn every_opcode_compiles_for_every_target() {
    // The effect of the instruction shows in an output: all of it is live.
    let rest = Program::assemble("(p0) mov o0, r0\nmov o1, a0\nend").expect("it assembles");
    for &op in Opcode::ALL {
        let insts = [&[example(op)], rest.insts()].concat();
        let profile = op.info().profile;
        let program = Program::in_profile(profile, insts);
        let program = program.unwrap_or_else(|error| panic!("{op}: {error:?}"));
        let program = match op.has(OpFlags::EMIT) {
            true => program.with_stage(Stage::Geometry),
            false => program,
        };
        let scratch = ARRAY.end().min(profile.scratch());
        let program = program
            .with_scratch(scratch)
            .validate()
            .expect("the program is valid");
        for (target, cpu) in TARGETS {
            let asm = jit(target, cpu).emit_text(&program, EmitStage::Asm);
            assert!(asm.is_ok(), "{op}, {target} {cpu:?}: {:?}", asm.err());
        }
    }
}

#[test]
fn a_target_that_nobody_knows_is_an_error() {
    for (target, message) in [
        ("abacus", "cannot generate code for abacus: "),
        (
            "i686-unknown-linux-gnu",
            "cannot generate code for i686-unknown-linux-gnu: ",
        ),
    ] {
        let options = JitOptions {
            target: Some(target.to_owned()),
            ..JitOptions::default()
        };
        let error = Jit::with_options(&options).expect_err("there is no such target");
        let error = ErrorChain(&error).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn an_operation_on_the_wrong_type_is_an_error_and_no_panic() {
    let mut maker = Maker::new();
    let a = maker.input(0, Type::I32);
    let wrong = maker.push(Op::Unary(Unary::Sqrt), [a]);
    maker.output(0, wrong);
    let undefined = Value(maker.function.nodes.len() as u32);
    let jit = jit(TARGETS[0].0, TARGETS[0].1);
    let error = compile(&jit, &maker, RecordLayout::Io, 1).expect_err("it is wrong");
    assert!(error.contains("Verifier"), "{error}");
    let slot = Slot::Kill;
    maker.push(Op::Store(slot), [undefined]);
    let error = compile(&jit, &maker, RecordLayout::Io, 1).expect_err("it is wrong");
    assert!(error.contains("Panic"), "{error}");
}
