//! Operands and results: what is read, what is written, what is 0.

use crate::common::check;

#[test]
fn an_instruction_reads_everything_before_it_writes() {
    check(
        "
        ;! temp r0 = 1 2 3 4
        mov r0, r0.wzyx
        ;! expect r0 = 4 3 2 1",
    );
    check(
        "
        ;! temp r0 = 1 2 3 4
        add r0.xy, r0.yxzw, r0.w
        ;! expect r0 = 6 5 3 4",
    );
}

#[test]
fn the_write_mask_and_the_guard_select_what_is_written() {
    check(
        "
        ;! const c0 = 5
        ;! temp r0 = 1 2 3 4
        ;! pred p0 = 1001
        (p0) mov r0.xw, c0
        ;! expect r0[0] = 5 2 3 5
        ;! expect r0[1] = 1 2 3 4
        ;! expect r0[3] = 5 2 3 5",
    );
}

#[test]
fn moves_and_selections_keep_every_bit() {
    check(
        "
        ;! const c0 = 0x7f800001 0xffc12345 0x80000001 0x00000003
        ;! const c1 = -1
        ;! const c2 = inf
        mov a0, c0
        ;! expect a0 = 2139095041 -4119739 -2147483647 3
        cmp r0, c1, c0, c1
        mov a1, r0
        ;! expect a1 = 2139095041 -4119739 -2147483647 3
        min r1.xy, c2, c0
        addi o0, r1, 0
        ;! expect o0 = 2139095041i -4119739i 0 0",
    );
}

#[test]
fn address_registers_are_read_as_bits() {
    check(
        "
        ;! address a0 = 1 -2 3 4
        mov r0, a0
        ;! expect r0 = 1i -2i 3i 4i
        addi o0, a0, a0
        ;! expect o0 = 2i -4i 6i 8i",
    );
}

#[test]
fn every_constant_of_an_instruction_is_relative() {
    check(
        "
        ;! const c7 = 1 2 3 4
        ;! const c8 = 10 20 30 40
        ;! const c9 = 100 200 300 400
        ;! const c10 = 1000 2000 3000 4000
        ;! address a1[0] = 0 3 0 0
        ;! address a1[1] = 0 4 0 0
        ;! address a1[2] = 0 5 0 0
        ;! address a1[3] = 0 6 0 0
        mov o0, -c2[a1.y + 2].wzyx
        ;! expect o0[0] = -4 -3 -2 -1
        ;! expect o0[1] = -40 -30 -20 -10
        ;! expect o0[2] = -400 -300 -200 -100
        ;! expect o0[3] = -4000 -3000 -2000 -1000
        mad o1, c4[a1.y], c4[a1.y], c3[a1.y]
        ;! expect o1[0] = 1 4 9 16
        ;! expect o1[1] = 101 402 903 1604",
    );
}

#[test]
fn constants_outside_the_bank_are_0() {
    check(
        "
        ;! const c0 = 7
        ;! const c511 = 8
        ;! address a0[0] = 511 0 0 0
        ;! address a0[1] = 512 0 0 0
        ;! address a0[2] = -1 0 0 0
        ;! address a0[3] = 2147483647 0 0 0
        add o0, c0[a0.x], 1.0
        ;! expect o0[0] = 9
        ;! expect o0[1] = 1
        ;! expect o0[2] = 1
        ;! expect o0[3] = 1
        mov o1, c511[a0.x - 255]
        mov o2, c511[a0.x + 255]
        mov o3, c0[a0.x + 1]
        ;! expect o2 = 0
        ;! expect o3[2] = 7",
    );
    check(
        "
        ;! const c0 = 7
        ;! address a0 = -2147483648 0 0 0
        mov o0, c0[a0.x - 256]
        mov o1, c511[a0.x + 255]
        mov o2, c0[a0.y]
        ;! expect o0 = 0
        ;! expect o1 = 0
        ;! expect o2 = 7",
    );
}

#[test]
fn relative_truth_values_use_the_component_of_the_address() {
    check(
        "
        ;! const c5 = 0 1 0 0
        ;! address a0[1] = 0 0 5 0
        ;! address a0[2] = 5 5 4 5
        andp p0, c0[a0.z].y, true
        ;! expect p0 = 0100
        jmp c0[a0.z].y, 2
        add o0, r0, 1.0
        end
        ;! expect o0[0] = 1
        ;! expect o0[1] = 0",
    );
}

#[test]
fn immediates_are_modified_and_stand_in_all_slots() {
    check(
        "
        ;! temp r1 = 1 2 3 4
        mul r0, r1, -0.5
        ;! expect r0 = -0.5 -1 -1.5 -2
        addi r2, r2, -7
        ;! expect r2 = -7i -7i -7i -7i
        setplt p0, r1.x, 1.5
        ;! expect p0 = 1111",
    );
}

#[test]
fn saturate_and_guard_apply_to_predicates() {
    check(
        "
        ;! temp r0[1] = 1
        ;! pred p2 = 1111
        ;! pred p3 = 0011
        setpgt !p0, r0.x, 0.5
        ;! expect p0 = 1011
        (p3) setpgt p2, r0.x, 0.5
        ;! expect p2 = 1100",
    );
}
