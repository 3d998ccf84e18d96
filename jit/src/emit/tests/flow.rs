//! Blocks, parameters, loops, failure, and the loop over quads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use attila_machine::{Bindings, QuadIo, QuadState, RunError};

use super::{Machine, Maker, compile, compile_as, machines, machines_for, results, run};
use crate::EmitterKind;
use crate::abi::{RecordLayout, Slot};
use crate::ir::{Binary, Block, Edge, Op, Terminator, Type, Value, Variable};
use crate::target::Cpu;

fn to(block: Block, args: &[Value]) -> Edge {
    Edge {
        block,
        args: args.to_vec(),
    }
}

/// `output = 3 ^ input`, by as many turns, counting down a budget of backward jumps. The jump
/// that may fail is number 5.
fn power() -> Maker {
    let mut maker = Maker::new();
    let one = maker.bits(1, Type::I32);
    let three = maker.bits(3, Type::I32);
    let zero = maker.bits(0, Type::I32);
    let budget = maker.uniform(Op::LoopBudget, Type::I32);
    let entry = Block(0);
    let count = maker.input(0, Type::I32);

    let head = maker.block(&[Type::I32; 3]);
    let [left, power, fuel] = [0, 1, 2].map(|n| maker.param(head, n));
    let more = maker.push(Op::Binary(Binary::Ilt), [zero, left]);

    let body = maker.block(&[]);
    let tripled = maker.push(Op::Binary(Binary::Imul), [power, three]);
    let power_then = maker.push(Op::Select, [more, tripled, power]);
    let left_then = maker.push(Op::Binary(Binary::Isub), [left, one]);
    let fuel_then = maker.push(Op::Binary(Binary::Isub), [fuel, one]);
    let empty = maker.push(Op::Binary(Binary::Ieq), [fuel, zero]);
    let spent = maker.push(Op::Binary(Binary::And), [empty, more]);

    let fail = maker.block(&[]);
    let done = maker.block(&[]);
    maker.output(0, power);

    maker.end(entry, Terminator::Jump(to(head, &[count, one, budget])));
    let (then, other) = (to(body, &[]), to(done, &[]));
    let mask = more;
    maker.end(head, Terminator::Any { mask, then, other });
    let args = [left_then, power_then, fuel_then];
    let (mask, then, other) = (spent, to(fail, &[]), to(head, &args));
    maker.end(body, Terminator::Any { mask, then, other });
    maker.end(fail, Terminator::Fail { pc: 5 });
    maker
}

#[test]
fn loops_run_until_no_lane_wants_more() {
    for machine in machines(&power().function) {
        let code = compile(&power().function, machine, 1);
        let rows: Vec<_> = (0..19).map(|count| [count]).collect();
        let expected = (0..19).map(|count| 3u32.pow(count)).collect();
        assert_eq!(results(&*code, &Bindings::new(), &rows), Ok(expected));
    }
}

#[test]
fn a_spent_budget_names_the_jump_and_the_quad() {
    for machine in machines(&power().function) {
        let code = compile(&power().function, machine, 1);
        let bindings = Bindings::new().with_loop_budget(10);
        let rows: Vec<_> = [10, 9, 0, 3, 10, 10, 10, 10, 1, 11, 0, 0, 99, 0, 0, 0]
            .map(|count| [count])
            .to_vec();
        assert_eq!(
            results(&*code, &bindings, &rows),
            Err(RunError::LoopBudget {
                pc: 5,
                quad: 2,
                budget: 10
            })
        );
        assert!(results(&*code, &bindings, &rows[..8]).is_ok());
    }
}

#[test]
fn a_budget_may_need_all_32_bits() {
    for machine in machines(&power().function) {
        let code = compile(&power().function, machine, 1);
        let bindings = Bindings::new().with_loop_budget(u32::MAX);
        assert_eq!(results(&*code, &bindings, &[[2]]), Ok(vec![9]));
    }
}

/// `x + 2 * y` for x = input and y = 3 * input, after two turns in which these change places.
#[test]
fn blocks_leave_values_to_each_other_in_variables() {
    let [x, y, turns] = [0, 1, 2].map(Variable);
    let mut maker = Maker::new();
    let [one, three, zero] = [1, 3, 0].map(|bits| maker.bits(bits, Type::I32));
    let input = maker.input(0, Type::I32);
    let tripled = maker.push(Op::Binary(Binary::Imul), [input, three]);
    for (variable, value) in [(x, input), (y, tripled), (turns, zero)] {
        maker.push(Op::Keep(variable), [value]);
    }

    let body = maker.block(&[]);
    let [was_x, was_y, turn] = [x, y, turns].map(|it| maker.push_as(Op::Recall(it), [], Type::I32));
    let next = maker.push(Op::Binary(Binary::Iadd), [turn, one]);
    for (variable, value) in [(y, was_x), (x, was_y), (turns, next)] {
        maker.push(Op::Keep(variable), [value]);
    }
    let again = maker.push(Op::Binary(Binary::Ilt), [turn, one]);

    let done = maker.block(&[]);
    let [x, y] = [x, y].map(|it| maker.push_as(Op::Recall(it), [], Type::I32));
    let doubled = maker.push(Op::Binary(Binary::Iadd), [y, y]);
    let sum = maker.push(Op::Binary(Binary::Iadd), [x, doubled]);
    maker.output(0, sum);

    maker.end(Block(0), Terminator::Jump(to(body, &[])));
    let (mask, then, other) = (again, to(body, &[]), to(done, &[]));
    maker.end(body, Terminator::Any { mask, then, other });
    for machine in machines(&maker.function) {
        let code = compile(&maker.function, machine, 1);
        let rows: Vec<_> = (0..9).map(|input| [input]).collect();
        let expected = (0..9).map(|input| 7 * input).collect();
        assert_eq!(results(&*code, &Bindings::new(), &rows), Ok(expected));
    }
}

#[test]
fn any_number_of_quads_can_be_run() {
    let mut maker = Maker::new();
    let a = maker.input(0, Type::I32);
    let sum = maker.push(Op::Binary(Binary::Iadd), [a, a]);
    maker.output(0, sum);
    for (machine, quads) in machines_for(&maker.function, [1, 2, 3, 4]) {
        let code = compile(&maker.function, machine, quads);
        for count in 0..18 {
            let rows: Vec<_> = (0..count * 4).map(|a| [a]).collect();
            let expected = (0..count * 4).map(|a| 2 * a).collect();
            assert_eq!(results(&*code, &Bindings::new(), &rows), Ok(expected));
        }
    }
}

#[test]
fn a_run_touches_only_what_it_stores() {
    let mut maker = Maker::new();
    let one = maker.bits(1, Type::I32);
    let slot = Slot::Depth { sample: 15 };
    maker.push(Op::Store(slot), [one]);
    maker.push(Op::Store(Slot::Kill), [one]);
    let mut quad = QuadIo::default();
    for words in quad.inputs.iter_mut().chain(&mut quad.outputs) {
        *words = [[7; 4]; 4];
    }
    quad.depth = [[8; 4]; 16];
    let mut expected = quad.clone();
    expected.depth[15] = [1; 4];
    expected.kill = [1; 4];
    let quads = [quad.clone(), quad.clone(), quad];
    for machine in machines(&maker.function) {
        let mut quads = quads.clone();
        let code = compile(&maker.function, machine, 2);
        assert_eq!(run(&*code, &Bindings::new(), &mut quads), Ok(()));
        assert!(quads.iter().all(|quad| *quad == expected));
    }
}

#[test]
fn stateful_runs_read_and_write_all_registers() {
    let (reg, component) = (31, 3);
    let slots = [
        (Slot::Temp { reg, component }, Type::F32),
        (Slot::Address { reg: 1, component }, Type::I32),
        (Slot::Predicate { reg }, Type::Mask),
        (Slot::Sample, Type::I32),
        (Slot::Kill, Type::I32),
    ];
    let mut maker = Maker::new();
    for (place, (slot, ty)) in slots.into_iter().enumerate() {
        let old = maker.push_as(Op::Load(slot), [], ty);
        let to = Slot::Output {
            reg: place as u8,
            component: 1,
        };
        maker.push(Op::Store(to), [old]);
        let new = maker.bits(
            if ty == Type::Mask {
                u32::MAX
            } else {
                100 + place as u32
            },
            ty,
        );
        maker.push(Op::Store(slot), [new]);
    }
    for machine in machines(&maker.function) {
        let code = compile_as(&maker.function, machine, (RecordLayout::State, 1));
        let mut quads = [(); 5].map(|()| QuadState::default());
        for (n, quad) in quads.iter_mut().enumerate() {
            let base = 10 * n as u32;
            quad.regs.temps[31][3] = [base; 4];
            quad.regs.addresses[1][3] = [base + 1; 4];
            quad.regs.predicates[31] = [0, u32::MAX, 0u32.wrapping_sub(n as u32 % 2), 0];
            quad.regs.sample = [base + 3; 4];
            quad.io.kill = [base + 4; 4];
        }
        assert_eq!(run(&*code, &Bindings::new(), &mut quads), Ok(()));
        for (n, quad) in quads.iter().enumerate() {
            for place in [0, 1, 3, 4] {
                let old = 10 * n as u32 + place;
                assert_eq!(quad.io.outputs[place as usize][1], [old; 4]);
            }
            let old = [0, u32::MAX, 0u32.wrapping_sub(n as u32 % 2), 0];
            assert_eq!(quad.io.outputs[2][1], old);
            assert_eq!(quad.regs.temps[31][3], [100; 4]);
            assert_eq!(quad.regs.addresses[1][3], [101; 4]);
            assert_eq!(quad.regs.predicates[31], [u32::MAX; 4]);
            assert_eq!(quad.regs.sample, [103; 4]);
            assert_eq!(quad.io.kill, [104; 4]);
        }
    }
}

#[test]
fn code_refuses_the_records_of_another_layout() {
    for machine in machines(&Maker::new().function) {
        let code = compile(&Maker::new().function, machine, 1);
        let wrong = || run(&*code, &Bindings::new(), &mut [QuadState::default()]);
        let panic = catch_unwind(AssertUnwindSafe(wrong)).expect_err("these are other records");
        let message = panic.downcast_ref::<String>().expect("it has a message");
        assert!(
            message.contains("the code is for other records"),
            "{message}"
        );
    }
}

#[test]
fn the_evaluator_does_not_go_round_for_ever() {
    let mut maker = Maker::new();
    let body = maker.block(&[]);
    maker.end(Block(0), Terminator::Jump(to(body, &[])));
    maker.end(body, Terminator::Jump(to(body, &[])));
    let evaluator = Machine::Of(EmitterKind::Evaluator, Cpu::Host);
    let code = compile(&maker.function, evaluator, 1);
    let budget = 3;
    let bindings = Bindings::new().with_loop_budget(budget);
    let (pc, quad) = (0, 0);
    assert_eq!(
        run(&*code, &bindings, &mut [QuadIo::default()]),
        Err(RunError::LoopBudget { pc, quad, budget })
    );
}
