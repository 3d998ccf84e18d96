use attila_isa::{Component, Opcode, Slots};
use expect_test::expect;

use super::super::{ADDRESSES, Code, Condition, MAX_NESTED, Operand, Place, Register};
use super::{OUT, Plain, check, finished, input};

#[test]
fn short_branches_are_guarded_and_long_ones_jumped_over() {
    let branches = |count| {
        move |code: &mut Code<Plain>| {
            let above = code.is_above(input(0), 0.5);
            code.begin_if(above, 0..1);
            code.work(0, count);
            code.begin_else(1..2)?;
            code.work(0, 1);
            code.end_if(2..3)?;
            code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
            Ok(())
        }
    };
    check(
        branches(2),
        &expect![[r#"
        setpgt p0, i0.w, 0.5
        (p0) add r0.x, r0.x, i2.x
        (p0) add r0.x, r0.x, i2.x
        (!p0) add r0.x, r0.x, i2.x
        mov o1.x, r0.x <- end
    "#]],
    );
    check(
        branches(9),
        &expect![[r#"
        setpgt p0, i0.w, 0.5
        jmp !p0, 11
        add r1.x, r0.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        add r1.x, r1.x, i2.x
        jmp true, 2
        add r1.x, r0.x, i2.x
        mov o1.x, r1.x <- end
    "#]],
    );
}

#[test]
fn lanes_leave_loops_and_procedures_by_jumps() {
    check(
        |code| {
            code.begin_call("main", 0..1)?;
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(0)]);
            code.begin_loop(0..1);
            let done = code.is_above(Operand::temp(0).only(Component::X), 10.0);
            code.break_loop(Some(done), 0..1)?;
            code.work(0, 1);
            let far = code.is_above(Operand::temp(0).only(Component::X), 5.0);
            code.continue_loop(Some(far), 0..1)?;
            code.work(0, 1);
            let lost = code.is_above(input(3), 0.0);
            code.return_call(Some(lost), 0..1)?;
            code.end_loop(0..1)?;
            code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
            code.end_call(0..1)
        },
        &expect![[r#"
            mov r0.x, i0.x
            setpgt p0, r0.x, 10
            jmp p0, 8
            add r0.x, r0.x, i2.x
            setpgt p0, r0.x, 5
            jmp p0, 4
            add r0.x, r0.x, i2.x
            setpgt p0, i3.w, 0
            jmp p0, 3
            jmp true, -8
            mov o1.x, r0.x
            end
        "#]],
    );
}

#[test]
fn guarded_instructions_leave_what_was_there() {
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(1)]);
            code.begin_if(above, 0..1);
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(2)]);
            code.end_if(0..1)?;
            code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
            Ok(())
        },
        &expect![[r#"
            setpgt p0, i0.w, 0.5
            mov r0.x, i1.x
            (p0) mov r0.x, i2.x
            mov o1.x, r0.x <- end
        "#]],
    );
}

#[test]
fn statements_have_to_be_nested() {
    check(
        |code| code.end_if(3..4),
        &expect![[r#"
        3..4: this belongs to a condition, and no condition is open here
    "#]],
    );
    check(
        |code| {
            code.begin_loop(0..1);
            code.end_call(3..4)
        },
        &expect![[r#"
            3..4: this belongs to a procedure, and no procedure is open here
        "#]],
    );
    check(
        |code| {
            code.begin_loop(0..1);
            code.begin_call("inner", 1..2)?;
            code.break_loop(None, 3..4)
        },
        &expect![[r#"
            3..4: this belongs to a loop, and no loop is open here
        "#]],
    );
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.begin_if(above, 2..3);
            code.begin_else(3..4)?;
            code.begin_else(4..5)
        },
        &expect![[r#"
            4..5: the condition has another branch already
        "#]],
    );
    check(
        |code| {
            code.begin_loop(2..3);
            Ok(())
        },
        &expect![[r#"
            2..3: the loop has no end
        "#]],
    );
}

#[test]
fn statements_and_calls_are_nested_a_thousand_deep_and_no_deeper() {
    let nested = |depth: usize| {
        let mut code = Code::<Plain>::new(1, 0);
        let above = code.is_above(input(1), 0.0);
        for nth in 0..depth {
            match nth % 3 {
                0 => code.begin_if(above, nth..nth + 1),
                1 => code.begin_loop(nth..nth + 1),
                _ => code
                    .begin_call(&nth.to_string(), nth..nth + 1)
                    .expect("it does not call itself"),
            }
            code.work(0, 1);
        }
        for nth in (0..depth).rev() {
            let ended = match nth % 3 {
                0 => code.end_if(0..1),
                1 => code
                    .break_loop(None, 0..1)
                    .and_then(|()| code.end_loop(0..1)),
                _ => code.end_call(0..1),
            };
            ended.expect("it is open");
        }
        code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
        finished(code)
    };
    assert!(nested(MAX_NESTED).is_ok());
    let remark = nested(MAX_NESTED + 1).expect_err("it is too deep");
    assert_eq!(remark.span, MAX_NESTED..MAX_NESTED + 1);
    assert_eq!(
        remark.message,
        "statements and calls are nested more than 1000 deep"
    );
}

#[test]
fn procedures_do_not_call_themselves_and_do_not_grow_without_end() {
    check(
        |code| {
            code.begin_call("main", 0..1)?;
            code.begin_call("a", 1..2)?;
            code.begin_call("b", 2..3)?;
            code.begin_call("a", 3..4)
        },
        &expect![[r#"
            3..4: `a` calls itself: `a` calls `b` calls `a`
        "#]],
    );
    check(
        |code| {
            (0..70_000).try_for_each(|_| {
                code.begin_call("empty", 1..2)?;
                code.end_call(1..2)
            })
        },
        &expect![[r#"
            1..2: the program with its calls is longer than 65536 instructions
        "#]],
    );
}

#[test]
fn an_address_is_loaded_once_until_its_index_changes_or_the_block_ends() {
    check(
        |code| {
            let index = Operand::temp(0).only(Component::X);
            let read = |code: &mut Code<Plain>, component| {
                let address = code.address(index, 0..1);
                let element = Operand::new(Register::Element {
                    base: 3,
                    offset: 0,
                    address,
                });
                code.add(Opcode::Mov, OUT, component, &[element]);
            };
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(0)]);
            read(code, Slots::X);
            code.add(Opcode::Mov, Place::Temp(0), Slots::Y, &[input(0)]);
            read(code, Slots::Y);
            code.work(0, 1);
            read(code, Slots::Z);
            let above = code.is_above(Operand::temp(0).only(Component::Y), 0.5);
            code.begin_if(above, 0..1);
            read(code, Slots::W);
            code.end_if(0..1)?;
            read(code, Slots::W);
            Ok(())
        },
        &expect![[r#"
            arl a0.x, i0.x
            mov o1.x, c3[a0.x].x
            mov o1.y, c3[a0.x].y
            add r0.x, i0.x, i2.x
            arl a0.y, r0.x
            mov o1.z, c3[a0.y].z
            arl a0.w, r0.x
            mov o1.w, c3[a0.w].w <- end
        "#]],
    );
}

#[test]
fn an_address_that_is_asked_for_again_outlasts_the_others() {
    let mut code = Code::<Plain>::new(1, 0);
    let index = |number: usize| input(number as u8).only(Component::X);
    let first = code.address(index(0), 0..1);
    for number in 1..ADDRESSES {
        assert_ne!(code.address(index(number), 0..1), first);
    }
    // An instruction with two elements asks for two addresses before it reads them.
    assert_eq!(code.address(index(0), 0..1), first);
    for number in ADDRESSES..2 * ADDRESSES - 1 {
        assert_ne!(code.address(index(number), 0..1), first);
    }
    assert_eq!(code.address(index(100), 0..1), first);
}

#[test]
fn too_many_predicates_or_addresses_are_refused() {
    check(
        |code| {
            let all: Vec<Condition> = (0..33).map(|_| code.is_above(input(0), 0.5)).collect();
            for condition in all {
                code.begin_if(condition, 0..1);
                code.add(Opcode::Add, OUT, Slots::X, &[input(1), input(2)]);
                code.end_if(0..1)?;
            }
            Ok(())
        },
        &expect![[r#"
            0..1: this needs more than 32 predicates at once
        "#]],
    );
    check(
        |code| {
            let element = Operand::new(Register::Element {
                base: 0,
                offset: 0,
                address: 8,
            });
            code.add(Opcode::Mov, OUT, Slots::X, &[element]);
            Ok(())
        },
        &expect![[r#"
            0..1: there are 8 addresses
        "#]],
    );
}
