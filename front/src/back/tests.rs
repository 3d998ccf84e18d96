use expect_test::{Expect, expect};

use attila_isa::{Bank, Component, Opcode, Reg, Remark, Slots, Stage};

use super::{Code, Condition, Frame, Language, Layout, Operand, Place, Register, Step, finish};

/// Registers by their numbers; parameters are constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plain {}

impl Language for Plain {
    type Input = u8;
    type Output = u8;
    type Param = [u32; 4];
    type Texture = u8;
    type Details = ();

    fn input(input: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Input, input.into())
    }

    fn output(output: u8, _stage: Stage) -> Option<Reg> {
        Reg::new(Bank::Output, output.into())
    }

    fn constant(bits: [u32; 4]) -> [u32; 4] {
        bits
    }

    fn bits(param: [u32; 4]) -> Option<[u32; 4]> {
        Some(param)
    }

    fn unit(texture: u8) -> u8 {
        texture
    }

    fn coordinates(_texture: u8) -> Slots {
        Slots::all()
    }
}

fn input(number: u8) -> Operand<Plain> {
    Operand::new(Register::Input(number))
}

fn number(value: f32) -> Operand<Plain> {
    Operand::constant([value; 4])
}

const OUT: Place<Plain> = Place::Output(1);

impl Code<Plain> {
    fn add(&mut self, op: Opcode, place: Place<Plain>, mask: Slots, operands: &[Operand<Plain>]) {
        self.push(Step::new(op, Some((place, mask)), operands, 0..1));
    }

    /// Adds `count` instructions, each of which needs the one before, to temporary `temp`.
    fn work(&mut self, temp: usize, count: usize) {
        for _ in 0..count {
            let operands = [Operand::temp(temp), input(2)];
            self.add(Opcode::Add, Place::Temp(temp), Slots::X, &operands);
        }
    }

    fn is_above(&mut self, a: Operand<Plain>, b: f32) -> Condition {
        self.compare(Opcode::Setpgt, [a, number(b)], 0..1)
    }
}

fn finished(code: Code<Plain>) -> Result<String, Remark> {
    let frame = Frame {
        stage: Stage::Fragment,
        layout: Layout::default(),
        textures: Vec::new(),
        details: (),
        end: 10,
    };
    let translation = finish(code, frame)?;
    let listing = translation.program.listing().to_string();
    translation.program.validate().expect("it is valid");
    Ok(listing)
}

/// The program that `make` adds to an empty one with four temporaries.
fn check(make: impl FnOnce(&mut Code<Plain>) -> Result<(), Remark>, expected: &Expect) {
    let mut code = Code::new(4, 0);
    let listing = make(&mut code).and_then(|()| finished(code));
    expected.assert_eq(&match listing {
        Ok(listing) => listing,
        Err(remark) => format!("{:?}: {}\n", remark.span, remark.message),
    });
}

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
fn components_that_no_way_needs_are_not_computed() {
    check(
        |code| {
            let all = Slots::all();
            // x is needed in the loop, y after it, z in vain, and w only by itself.
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

#[test]
fn values_of_one_name_get_registers_of_their_own_across_blocks() {
    check(
        |code| {
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
            code.add(
                Opcode::Mov,
                OUT,
                Slots::Y,
                &[Operand::temp(0).only(Component::X)],
            );
            code.add(
                Opcode::Mov,
                OUT,
                Slots::Z,
                &[Operand::temp(1).only(Component::X)],
            );
            Ok(())
        },
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
            0..1: more than 32 predicates are needed at once here
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
