//! The fixed-point accumulator (machine.md 4.9).

use crate::common::check;

#[test]
fn the_executed_vectors_come_out() {
    check(
        "
        ;! const c0 = 1.5 -2.25 0.00390625 300.7
        ;! const c1 = 2 3.5 0.00390625 300.7
        ;! const c2 = 0.3 100000 70000.5 2e7
        ;! const c3 = -0.001 -1.7 32767.5 -40000
        ;! const c4 = 1
        fxmad o0, c0, c1
        ;! expect o0 = 3 -7.875 0x37800000 0x47b09a03
        fxmad o1, c2, c4
        ;! expect o1 = 0.296875 34464 4464.5 32767
        fxmad o2, c3, c4
        ;! expect o2 = -0 -1.69921875 32767.5 -40000",
    );
}

#[test]
fn the_accumulator_is_added_and_stays() {
    check(
        "
        ;! const c0 = 3
        ;! const c1 = -0.5
        ;! const c2 = 10 20 -1 0
        fxmul r0, c0, c1
        fxmad o0, c0, c0
        ;! expect o0 = 7.5
        fxmad o1, c0, 1.0, r7
        ;! expect o1 = 1.5
        fxmad2 r0, c0, c1, c2
        fxmad o2, c0, 0.0
        ;! expect o2 = 8.5 18.5 -2.5 -1.5
        ;! expect r0 = 0
        ;! expect accumulator x = 0x88000 0x88000 0x88000 0x88000
        ;! expect accumulator w = -0x18000 -0x18000 -0x18000 -0x18000",
    );
}

#[test]
fn mask_and_guard_hold_the_accumulator_back_and_saturate_does_not() {
    check(
        "
        ;! const c0 = 4
        ;! pred p0 = 0011
        (p0) fxmul_sat r0.xz, c0, c0
        fxmad o0, c0, 0.0
        ;! expect o0[0] = 0
        ;! expect o0[3] = 16 0 16 0
        fxmad_sat o1, c0, 1.0
        ;! expect o1 = 1",
    );
}

#[test]
fn infinities_fill_the_product_and_nan_is_0() {
    check(
        "
        ;! const c0 = inf -inf nan inf
        ;! const c1 = 1 1 -inf 0
        fxmul r0, c0, c1
        ;! expect accumulator x = 0xffffffffffff 0xffffffffffff 0xffffffffffff 0xffffffffffff
        ;! expect accumulator y = -0xffffffffffff -0xffffffffffff -0xffffffffffff -0xffffffffffff
        ;! expect accumulator z = 0 0 0 0
        ;! expect accumulator w = 0 0 0 0",
    );
}

#[test]
fn the_number_of_fraction_bits_is_the_bindings_choice() {
    check(
        "
        ;! fixed-bits 0
        ;! const c0 = 2.75 -2.75 65537.5 1
        fxmad o0, c0, c0
        ;! expect o0 = 4 4 1 1",
    );
    check(
        "
        ;! fixed-bits 16
        ;! const c0 = 0.0000152587890625 -3.5 65535.9999 0
        fxmul r0, c0, c0
        ;! expect accumulator x = 1 1 1 1
        ;! expect accumulator y = 0xc40000000 0xc40000000 0xc40000000 0xc40000000",
    );
}
