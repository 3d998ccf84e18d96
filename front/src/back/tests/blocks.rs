use attila_isa::{Component, Opcode, Remark, Slots};
use expect_test::expect;

use super::super::{Code, Operand, Place};
use super::{OUT, Plain, check, input, number};

#[test]
fn components_that_no_way_needs_are_not_computed() {
    check(
        |code| {
            let all = Slots::all();
            // x is needed in the loop, y after it, z never, and w only for computing w.
            code.add(Opcode::Mov, Place::Temp(0), all, &[input(0)]);
            code.begin_loop(0..1);
            let done = code.is_above(Operand::temp(0).only(Component::X), 1.0);
            code.break_loop(Some(done), 0..1)?;
            let w = [Operand::temp(0), number(1.0)];
            code.add(Opcode::Add, Place::Temp(0), Slots::X | Slots::W, &w);
            // The last write is the one after the loop.
            code.add(Opcode::Mov, OUT, Slots::X, &[input(1)]);
            code.end_loop(0..1)?;
            let y = Operand::temp(0).only(Component::Y);
            code.add(Opcode::Mov, OUT, Slots::X, &[y]);
            Ok(())
        },
        &expect![[r#"
            mov r0.xy, i0
            setpgt p0, r0.x, 1
            jmp p0, 3
            add r0.x, r0.x, 1
            jmp true, -3
            mov o1.x, r0.y <- end
        "#]],
    );
}

/// Two values of temporary 0, each of which is changed in a branch, beside one of temporary 1 that
/// is needed to the end.
fn two_values_of_one_name(code: &mut Code<Plain>) -> Result<(), Remark> {
    let (first, second) = (Place::Temp(0), Place::Temp(1));
    code.add(Opcode::Frc, first, Slots::X, &[input(0)]);
    code.add(Opcode::Frc, second, Slots::X, &[input(1)]);
    let above = code.is_above(input(0), 0.5);
    code.begin_if(above, 0..1);
    code.work(0, 9);
    code.end_if(0..1)?;
    // The second value of the first name may lie where the second name is not needed.
    code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
    code.add(Opcode::Flr, first, Slots::X, &[input(2)]);
    let above = code.is_above(input(1), 0.5);
    code.begin_if(above, 0..1);
    code.work(0, 9);
    code.end_if(0..1)?;
    let x = |temp| [Operand::temp(temp).only(Component::X)];
    code.add(Opcode::Mov, OUT, Slots::Y, &x(0));
    code.add(Opcode::Mov, OUT, Slots::Z, &x(1));
    Ok(())
}

#[test]
fn values_of_one_name_get_registers_of_their_own_across_blocks() {
    check(
        two_values_of_one_name,
        &expect![[r#"
            frc r0.x, i0.x
            frc r1.x, i1.x
            setpgt p0, i0.w, 0.5
            jmp !p0, 10
            add r2.x, r0.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r0.x, r2.x, i2.x
            mov o1.x, r0.x
            flr r0.x, i2.x
            setpgt p0, i1.w, 0.5
            jmp !p0, 10
            add r2.x, r0.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r0.x, r2.x, i2.x
            mov o1.y, r0.x
            mov o1.z, r1.x <- end
        "#]],
    );
}

#[test]
fn lanes_elsewhere_keep_what_their_neighbours_look_at() {
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.begin_if(above, 0..1);
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(1)]);
            code.add(Opcode::Ddx, Place::Temp(1), Slots::X, &[Operand::temp(0)]);
            code.work(1, 9);
            code.begin_else(0..1)?;
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(2)]);
            code.add(Opcode::Ddx, Place::Temp(1), Slots::X, &[Operand::temp(0)]);
            code.end_if(0..1)?;
            // All lanes are here, and look at a copy.
            code.add(Opcode::Mov, Place::Temp(2), Slots::X, &[input(3)]);
            code.add(Opcode::Ddx, OUT, Slots::X, &[Operand::temp(2)]);
            code.add(
                Opcode::Mov,
                OUT,
                Slots::Y,
                &[Operand::temp(1).only(Component::X)],
            );
            Ok(())
        },
        &expect![[r#"
            setpgt p0, i0.w, 0.5
            jmp !p0, 13
            mov r0.x, i1.x
            ddx r1.x, r0.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            add r1.x, r1.x, i2.x
            jmp true, 3
            mov r0.x, i2.x
            ddx r1.x, r0.x
            ddx o1.x, i3.x
            mov o1.y, r1.x <- end
        "#]],
    );
}

#[test]
fn lanes_look_at_copies_of_lanes_elsewhere_not_at_what_those_would_copy() {
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.begin_if(above, 0..1);
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(1)]);
            code.begin_loop(0..1);
            code.add(Opcode::Ddx, OUT, Slots::X, &[Operand::temp(0)]);
            code.break_loop(Some(above), 0..1)?;
            code.end_loop(0..1)?;
            code.end_if(0..1)
        },
        &expect![[r#"
            setpgt p0, i0.w, 0.5
            jmp !p0, 5
            mov r0.x, i1.x
            ddx o1.x, r0.x
            jmp p0, 2
            jmp true, -2
            end
        "#]],
    );
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.begin_if(above, 0..1);
            code.add(Opcode::Mov, Place::Temp(0), Slots::X, &[input(1)]);
            code.add(Opcode::Ddx, Place::Temp(1), Slots::X, &[Operand::temp(0)]);
            code.work(1, 9);
            code.end_if(0..1)?;
            code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(1)]);
            Ok(())
        },
        &expect![[r#"
            setpgt p0, i0.w, 0.5
            jmp !p0, 12
            mov r0.x, i1.x
            ddx r2.x, r0.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r2.x, r2.x, i2.x
            add r1.x, r2.x, i2.x
            mov o1.x, r1.x <- end
        "#]],
    );
}

#[test]
fn a_value_keeps_its_register_up_to_the_jump_back_to_where_it_is_read() {
    check(
        |code| {
            code.add(Opcode::Frc, Place::Temp(0), Slots::X, &[input(0)]);
            let head = code.label();
            code.place(head);
            let operands = [Operand::temp(0), input(1)];
            code.add(Opcode::Add, Place::Temp(1), Slots::X, &operands);
            code.add(Opcode::Flr, Place::Temp(2), Slots::X, &[input(2)]);
            let operands = [Operand::temp(1), Operand::temp(2)];
            code.add(Opcode::Mul, OUT, Slots::X, &operands);
            let again = code.is_above(input(3), 0.5);
            code.jump(Some(again), head, 0..1);
            Ok(())
        },
        &expect![[r#"
            frc r0.x, i0.x
            add r1.x, r0.x, i1.x
            flr r2.x, i2.x
            mul o1.x, r1.x, r2.x
            setpgt p0, i3.w, 0.5
            jmp p0, -4
            end
        "#]],
    );
}

#[test]
fn a_value_that_only_a_guard_writes_is_0_elsewhere_and_stays_where_it_is() {
    check(
        |code| {
            let above = code.is_above(input(0), 0.5);
            code.add(Opcode::Frc, Place::Temp(1), Slots::X, &[input(1)]);
            code.add(
                Opcode::Mov,
                OUT,
                Slots::Y,
                &[Operand::temp(1).only(Component::X)],
            );
            code.begin_if(above, 0..1);
            code.add(Opcode::Flr, Place::Temp(0), Slots::X, &[input(2)]);
            code.end_if(0..1)?;
            code.add(Opcode::Mov, OUT, Slots::X, &[Operand::temp(0)]);
            Ok(())
        },
        &expect![[r#"
            setpgt p0, i0.w, 0.5
            frc r1.x, i1.x
            mov o1.y, r1.x
            (p0) flr r0.x, i2.x
            mov o1.x, r0.x <- end
        "#]],
    );
}

#[test]
fn code_that_no_lane_reaches_and_jumps_to_the_next_instruction_are_left_out() {
    check(
        |code| {
            let end = code.label();
            let above = code.is_above(input(0), 0.5);
            code.jump(Some(above), end, 0..1);
            code.work(0, 1);
            code.place(end);
            let end = code.label();
            code.add(Opcode::Mov, OUT, Slots::X, &[input(0)]);
            code.jump(None, end, 0..1);
            code.add(Opcode::Mov, OUT, Slots::Y, &[input(1)]);
            code.place(end);
            Ok(())
        },
        &expect![[r#"
            mov o1.x, i0.x <- end
        "#]],
    );
}
