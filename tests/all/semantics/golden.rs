//! Vectors of the original simulator, executed there: those with exact results.

use crate::common::check;

/// The constants that all of them use.
const CONSTANTS: &str = "
;! const c0 = 0 -0 inf nan
;! const c1 = 1 2 -3 4
;! const c2 = nan nan 1 -inf
;! const c3 = -4 0.25 0x00000001 0x80000001
;! const c4 = 2.5 -2.5 1e10 -1e10
";

fn golden(program: &str) {
    check(&format!("{CONSTANTS}{program}"));
}

#[test]
fn max_and_min_give_the_second_operand_for_nan_and_equal_zeros() {
    golden(
        "
        max o0, c0, c1
        ;! expect o0 = 1 2 inf 4
        max o1, c1, c0
        ;! expect o1 = 1 2 inf nan
        min o2, c0, c1
        ;! expect o2 = 0 -0 -3 4
        min o3, c1, c0
        ;! expect o3 = 0 -0 -3 nan
        max o4, c2, c1
        ;! expect o4 = 1 2 1 4
        min o5, c1, c2
        ;! expect o5 = nan nan -3 -inf
        max o6, c0.xyxy, c0.yxyx
        ;! expect o6 = -0 0 -0 0
        min o7, c0.xyxy, c0.yxyx
        ;! expect o7 = -0 0 -0 0",
    );
}

#[test]
fn saturate_keeps_minus_0_and_turns_nan_into_1() {
    golden(
        "
        mov_sat o0, c0
        ;! expect o0 = 0 -0 1 1
        mov_sat o1, c2
        ;! expect o1 = 1 1 1 0
        mov_sat o2, c3
        ;! expect o2 = 0 0.25 0x00000001 0",
    );
}

#[test]
fn the_absolute_value_is_taken_before_the_sign() {
    golden(
        "
        mov o0, -|c0|
        ;! expect o0 = -0 -0 -inf nan
        mov o1, -c1.wzyx
        ;! expect o1 = -4 3 -2 -1
        mov o2, |c4|
        ;! expect o2 = 2.5 2.5 1e10 1e10",
    );
}

#[test]
fn reciprocals_are_ieee_divisions() {
    golden(
        "
        ;! const c5 = 3 4 5 6
        rcp o0.x, c0.x
        rcp o0.y, c0.y
        rcp o0.z, c0.z
        rcp o0.w, c3.z
        ;! expect o0 = inf -inf 0 inf
        rcp o1, c5
        ;! expect o1 = 0x3e2aaaab 0x3e2aaaab 0x3e2aaaab 0x3e2aaaab
        rcp o2, c5.xyzx
        ;! expect o2 = 0x3eaaaaab 0x3eaaaaab 0x3eaaaaab 0x3eaaaaab",
    );
}

#[test]
fn reciprocal_square_roots_round_twice_and_take_the_absolute_value() {
    golden(
        "
        ;! const c5 = 2 3 0.25 0
        rsq o0.x, c0.x
        rsq o0.y, c3.x
        rsq o0.z, c0.z
        rsq o0.w, c0.w
        ;! expect o0 = inf 0.5 0 nan
        rsq o1.x, c3.z
        rsq o1.y, c5.x
        rsq o1.z, c5.y
        rsq o1.w, c5.z
        ;! expect o1 = inf 0x3f3504f3 0x3f13cd3a 2
        rsq o2, c0.y
        ;! expect o2 = inf inf inf inf",
    );
}

#[test]
fn distances_and_dot_products_sum_from_left_to_right() {
    golden(
        "
        ;! const c5 = 8 1000 0.1 3
        ;! const c6 = 1e8 1 -1e8 1
        ;! const c7 = 1
        dst o0, c1, c4
        ;! expect o0 = 1 -5 -3 -1e10
        dp3 o1, c1, c1
        ;! expect o1 = 14 14 14 14
        dp4 o2, c1, c1
        ;! expect o2 = 30 30 30 30
        dph o3, c1, c5
        ;! expect o3 = 0x44fb5666 0x44fb5666 0x44fb5666 0x44fb5666
        dp4 o4, c6, c7
        ;! expect o4 = 1 1 1 1
        dp3 o5, c6, c7
        ;! expect o5 = 0 0 0 0",
    );
}

#[test]
fn mad_rounds_the_product_first() {
    golden(
        "
        ;! const c5 = 16777217 1.00000012 0 0
        ;! const c6 = 1 1.00000012 0 0
        ;! const c7 = -1 -1.00000024 0 0
        mad o0, c5, c6, c7
        ;! expect o0 = 16777215 0 0 0",
    );
}

#[test]
fn floors_and_fractions_are_exact() {
    golden(
        "
        frc o0, c4
        ;! expect o0 = 0.5 0.5 0 0
        frc o1, c3
        ;! expect o1 = 0 0.25 0x00000001 1
        frc o2, c0
        ;! expect o2 = 0 0 nan nan
        flr o3, c4
        ;! expect o3 = 2 -3 1e10 -1e10
        flr o4, c3
        ;! expect o4 = -4 0 0 -1
        flr o5, c0
        ;! expect o5 = 0 -0 inf nan",
    );
}

#[test]
fn comparisons_with_nan_are_false() {
    golden(
        "
        sge o0, c0, c2
        ;! expect o0 = 1 1 1 1
        slt o1, c0, c2
        ;! expect o1 = 0 0 0 0
        sge o2, c1, c4
        ;! expect o2 = 0 1 0 1
        slt o3, c1, c4
        ;! expect o3 = 1 0 1 0",
    );
}

#[test]
fn cmp_selects_the_third_operand_for_minus_0_and_nan() {
    golden(
        "
        cmp o0, c0, c1, c4
        ;! expect o0 = 2.5 -2.5 1e10 -1e10
        cmp o1, c3, c1, c4
        ;! expect o1 = 1 -2.5 1e10 4
        cmp o2, c2, c1, c4
        ;! expect o2 = 2.5 -2.5 1e10 4",
    );
}

#[test]
fn integers_wrap() {
    golden(
        "
        ;! const c5 = 2147483647i -2147483648i 16777217i -5i
        ;! const c6 = 1i -1i 0i 65536i
        ;! const c7 = 65536i 2147483647i -16777217i 7i
        addi o0, c5, c6
        ;! expect o0 = -2147483648i 2147483647i 16777217i 65531i
        muli o1, c5, c7
        ;! expect o1 = -65536i -2147483648i 0xfdffffff -35i
        addi o2, -c5, 0
        ;! expect o2 = -2147483647i -2147483648i -16777217i 5i
        addi o3, |c5|, 0
        ;! expect o3 = 2147483647i -2147483648i 16777217i 5i
        addi_sat o4, -|c5|, -7
        ;! expect o4 = 2147483642i 2147483641i -16777224i -12i",
    );
}

#[test]
fn arl_gives_the_smallest_integer_for_what_does_not_fit() {
    golden(
        "
        arl a0, c4
        ;! expect a0 = 2 -3 -2147483648 -2147483648
        arl a1, c0
        ;! expect a1 = 0 0 -2147483648 -2147483648
        arl r0.yw, c4
        ;! expect r0 = 0 -3i 0 -2147483648i",
    );
}

#[test]
fn predicates_compare_slot_w() {
    golden(
        "
        ;! const c5 = -1i 1i 0i 5i
        setpgt p0, c1.y, c1.x
        setpeq p1, c0.x, c0.y
        setpeq p2, c0.w, c0.w
        setplt p3, c0.w, c1.x
        setpgt p4, c0.w, c1.x
        setplt p5, c1.xyzz, c1
        setpeq !p6, c0.w, c0.w
        stplti p7, c5.x, c5.y
        stplti p8, c5.y, c5.y
        stpgti p9, c5.y, -7
        stpeqi p10, c5.xyzw, 5
        ;! expect p0 = 1111
        ;! expect p1 = 1111
        ;! expect p2 = 0000
        ;! expect p3 = 0000
        ;! expect p4 = 0000
        ;! expect p5 = 1111
        ;! expect p6 = 1111
        ;! expect p7 = 1111
        ;! expect p8 = 0000
        ;! expect p9 = 1111
        ;! expect p10 = 1111",
    );
}

#[test]
fn andp_takes_literals_predicates_and_raw_constants() {
    golden(
        "
        ;! const c5 = 1i -1i 0 -0
        ;! pred p1 = 1111
        ;! pred p2 = 0110
        andp p3, true, !p1
        andp !p4, true, false
        andp p5, c5.x, c5.y
        andp p6, c5.z, true
        andp p7, !c5.z, true
        andp p8, c5.w, p2
        ;! expect p3 = 0000
        ;! expect p4 = 1111
        ;! expect p5 = 1111
        ;! expect p6 = 0000
        ;! expect p7 = 1111
        ;! expect p8 = 0110",
    );
}

#[test]
fn derivatives_are_differences_along_rows_and_columns() {
    golden(
        "
        ;! input i0[0] = 0 0 1 -0
        ;! input i0[1] = 1 10 1 -1
        ;! input i0[2] = 4 20 1 -2
        ;! input i0[3] = 9 30 1 -3
        ddx o0, i0
        ;! expect o0[0] = 1 10 0 -1
        ;! expect o0[1] = 1 10 0 -1
        ;! expect o0[2] = 5 10 0 -1
        ;! expect o0[3] = 5 10 0 -1
        ddy o1, i0
        ;! expect o1[0] = 4 20 0 -2
        ;! expect o1[1] = 8 20 0 -2
        ;! expect o1[2] = 4 20 0 -2
        ;! expect o1[3] = 8 20 0 -2",
    );
}
