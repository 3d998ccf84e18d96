//! Instructions on general registers.

use iced_x86::{Code, Instruction, Register};

use super::instructions::begin;
use super::mir::{Inst, Label, Mem};

/// `into = from`, 64 bits.
pub(super) fn mov(into: Register, from: Register) -> Inst {
    raw2(Code::Mov_r64_rm64, into, from)
}

/// Reads 64 bits.
pub(super) fn load(into: Register, from: Mem) -> Inst {
    of_memory(Code::Mov_r64_rm64, into, from)
}

/// Reads 32 bits, zeros above.
pub(super) fn load32(into: Register, from: Mem) -> Inst {
    of_memory(Code::Mov_r32_rm32, into, from)
}

/// Reads 16 bits, zeros above.
pub(super) fn load16(into: Register, from: Mem) -> Inst {
    of_memory(Code::Movzx_r32_rm16, into, from)
}

/// Reads 8 bits, zeros above.
pub(super) fn load8(into: Register, from: Mem) -> Inst {
    of_memory(Code::Movzx_r32_rm8, into, from)
}

/// Writes 64 bits.
pub(super) fn store(into: Mem, from: Register) -> Inst {
    Inst::Raw(begin(Code::Mov_rm64_r64).memory(into).register(from).end())
}

/// Writes 32 bits.
pub(super) fn store32(into: Mem, from: Register) -> Inst {
    Inst::Raw(begin(Code::Mov_rm32_r32).memory(into).register(from).end())
}

/// Writes 16 bits.
pub(super) fn store16(into: Mem, from: Register) -> Inst {
    Inst::Raw(begin(Code::Mov_rm16_r16).memory(into).register(from).end())
}

/// An address.
pub(super) fn lea(into: Register, of: Mem) -> Inst {
    of_memory(Code::Lea_r64_m, into, of)
}

/// A constant, zeros above.
pub(super) fn constant(into: Register, value: u32) -> Inst {
    Inst::Raw(
        begin(Code::Mov_r32_imm32)
            .register(into)
            .immediate32(value)
            .end(),
    )
}

/// A constant of 64 bits.
pub(super) fn constant64(into: Register, value: u64) -> Inst {
    Inst::Raw(
        begin(Code::Mov_r64_imm64)
            .register(into)
            .immediate64(value)
            .end(),
    )
}

/// `into += from`.
pub(super) fn add(into: Register, from: Register) -> Inst {
    raw2(Code::Add_r64_rm64, into, from)
}

/// `into -= from`.
pub(super) fn sub(into: Register, from: Register) -> Inst {
    raw2(Code::Sub_r64_rm64, into, from)
}

/// `into += memory`.
pub(super) fn add_memory(into: Register, from: Mem) -> Inst {
    of_memory(Code::Add_r64_rm64, into, from)
}

/// `into -= memory`, 32 bits.
pub(super) fn sub_memory32(into: Register, from: Mem) -> Inst {
    of_memory(Code::Sub_r32_rm32, into, from)
}

/// `into += value`.
pub(super) fn add_constant(into: Register, value: i32) -> Inst {
    constant_op(Code::Add_rm64_imm32, into, value)
}

/// `into -= value`.
pub(super) fn sub_constant(into: Register, value: i32) -> Inst {
    constant_op(Code::Sub_rm64_imm32, into, value)
}

/// Flags of `a - value`.
pub(super) fn compare_constant(a: Register, value: i32) -> Inst {
    constant_op(Code::Cmp_rm64_imm32, a, value)
}

/// Flags of `a - b`.
pub(super) fn compare(a: Register, b: Register) -> Inst {
    raw2(Code::Cmp_r64_rm64, a, b)
}

/// Flags of `a - memory`.
pub(super) fn compare_memory(a: Register, b: Mem) -> Inst {
    of_memory(Code::Cmp_r64_rm64, a, b)
}

/// Keeps the bits of a constant.
pub(super) fn and_constant(into: Register, value: i32) -> Inst {
    constant_op(Code::And_rm64_imm32, into, value)
}

/// `into |= from`.
pub(super) fn or(into: Register, from: Register) -> Inst {
    raw2(Code::Or_r64_rm64, into, from)
}

/// `into <<= bits`.
pub(super) fn shift_left(into: Register, bits: u8) -> Inst {
    shift(Code::Shl_rm64_imm8, into, bits)
}

/// `into >>= bits`, zeros coming in.
pub(super) fn shift_right(into: Register, bits: u8) -> Inst {
    shift(Code::Shr_rm64_imm8, into, bits)
}

/// `into = from * value`.
pub(super) fn times(into: Register, from: Register, value: i32) -> Inst {
    let mut form = begin(Code::Imul_r64_rm64_imm32);
    Inst::Raw(
        form.register(into)
            .register(from)
            .immediate32to64(value)
            .end(),
    )
}

/// `into *= from`.
pub(super) fn multiply(into: Register, from: Register) -> Inst {
    raw2(Code::Imul_r64_rm64, into, from)
}

/// `into = 0`. Changes the flags.
pub(super) fn zero(into: Register) -> Inst {
    raw2(Code::Xor_r32_rm32, into, into)
}

/// `into = from` if the last comparison of unsigned numbers said "below".
pub(super) fn if_below(into: Register, from: Register) -> Inst {
    raw2(Code::Cmovb_r64_rm64, into, from)
}

/// `into = from` if it said "above".
pub(super) fn if_above(into: Register, from: Register) -> Inst {
    raw2(Code::Cmova_r64_rm64, into, from)
}

/// `into`: the bits of `from` below bit number `count`.
pub(super) fn low_bits(into: Register, from: Register, count: Register) -> Inst {
    let mut form = begin(Code::VEX_Bzhi_r64_rm64_r64);
    Inst::Raw(form.register(into).register(from).register(count).end())
}

/// A jump.
pub(super) fn jump(code: Code, to: Label) -> Inst {
    Inst::Jump { code, to }
}

/// An instruction on two registers.
pub(super) fn raw2(code: Code, into: Register, from: Register) -> Inst {
    Inst::Raw(begin(code).register(into).register(from).end())
}

/// An instruction on a register and memory.
pub(super) fn of_memory(code: Code, into: Register, from: Mem) -> Inst {
    Inst::Raw(begin(code).register(into).memory(from).end())
}

/// An instruction on one register.
pub(super) fn on(code: Code, of: Register) -> Inst {
    Inst::Raw(begin(code).register(of).end())
}

/// An instruction without operands.
pub(super) fn plain(code: Code) -> Instruction {
    begin(code).end()
}

fn constant_op(code: Code, into: Register, value: i32) -> Inst {
    Inst::Raw(begin(code).register(into).immediate32to64(value).end())
}

fn shift(code: Code, into: Register, bits: u8) -> Inst {
    Inst::Raw(begin(code).register(into).immediate(bits).end())
}
