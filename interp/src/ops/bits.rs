//! Operations on the bits of integers.

use attila_isa::BitsOp;

use crate::machine::Machine;
use crate::ops::Action;
use crate::ops::integer::{componentwise1, componentwise2, componentwise3};
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: BitsOp) -> Action {
    match op {
        BitsOp::And => and,
        BitsOp::Or => or,
        BitsOp::Xor => xor,
        BitsOp::Not => not,
        BitsOp::Shl => shl,
        BitsOp::Ishr => ishr,
        BitsOp::Ushr => ushr,
        BitsOp::Ibfe => ibfe,
        BitsOp::Ubfe => ubfe,
        BitsOp::Bfm => bfm,
        BitsOp::Bsel => bsel,
        BitsOp::Popc => popc,
        BitsOp::Brev => brev,
        BitsOp::Lsb => lsb,
        BitsOp::Imsb => imsb,
        BitsOp::Umsb => umsb,
    }
}

fn and(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a & b);
}

fn or(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a | b);
}

fn xor(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| a ^ b);
}

fn not(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| !a);
}

/// Counts of shifts are modulo 32.
fn shl(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_shl);
}

fn ishr(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |a, b| {
        a.cast_signed().wrapping_shr(b).cast_unsigned()
    });
}

fn ushr(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, u32::wrapping_shr);
}

/// How far to the left, and then to the right, a field is shifted. `None` if it has no bits.
///
/// A field that ends beyond bit 31 ends there. A width of 32 is the whole word if the field begins at
/// bit 0, and else no bit.
fn field(offset: u32, width: u32) -> Option<(u32, u32)> {
    let offset = offset & 31;
    match width {
        32 if offset == 0 => Some((0, 0)),
        width if width & 31 == 0 => None,
        width if offset + (width & 31) >= 32 => Some((0, offset)),
        width => Some((32 - offset - (width & 31), 32 - (width & 31))),
    }
}

fn ibfe(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, offset, width| {
        let field = field(offset, width);
        field.map_or(0, |(left, right)| {
            ((a << left).cast_signed() >> right).cast_unsigned()
        })
    });
}

fn ubfe(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, offset, width| {
        field(offset, width).map_or(0, |(left, right)| a << left >> right)
    });
}

/// A width of 32 gives all bits, wherever the mask begins.
fn bfm(machine: &mut Machine<'_>, step: &Step) {
    componentwise2(machine, step, |width, offset| match width {
        32 => u32::MAX,
        width => ((1 << (width & 31)) - 1) << (offset & 31),
    });
}

fn bsel(machine: &mut Machine<'_>, step: &Step) {
    componentwise3(machine, step, |a, b, c| a & b | !a & c);
}

fn popc(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, u32::count_ones);
}

fn brev(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, u32::reverse_bits);
}

/// The number of the highest bit that is set; -1 for none.
fn highest(a: u32) -> u32 {
    31u32.wrapping_sub(a.leading_zeros())
}

fn lsb(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| match a {
        0 => u32::MAX,
        a => a.trailing_zeros(),
    });
}

/// A negative number's highest bit that is 0.
fn imsb(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, |a| match a.cast_signed() {
        0.. => highest(a),
        _ => highest(!a),
    });
}

fn umsb(machine: &mut Machine<'_>, step: &Step) {
    componentwise1(machine, step, highest);
}
