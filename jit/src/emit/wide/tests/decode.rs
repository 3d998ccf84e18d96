//! The meaning of an instruction, whichever way it is encoded.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "enums of iced-x86 have hundreds of variants"
)]

use iced_x86::{Code, Decoder, DecoderOptions, Instruction, OpKind, Register};

/// Everything about an instruction that its bytes have to say.
#[derive(PartialEq, Debug)]
struct Meaning {
    code: Code,
    operands: Vec<Operand>,
    mask: Register,
    zeroing: bool,
}

#[derive(PartialEq, Debug)]
enum Operand {
    Register(Register),
    Memory {
        base: Register,
        index: Register,
        scale: u32,
        displacement: u64,
        broadcast: bool,
    },
    Constant(u64),
    Target(u64),
}

fn operand(of: &Instruction, number: u32) -> Operand {
    let kind = of.op_kind(number);
    if kind == OpKind::Register {
        return Operand::Register(of.op_register(number));
    }
    if kind == OpKind::NearBranch64 {
        return Operand::Target(of.near_branch64());
    }
    if kind != OpKind::Memory {
        return Operand::Constant(of.immediate(number));
    }
    let (base, index) = (of.memory_base(), of.memory_index());
    // Addresses counted from the instruction are filled in at the end.
    let is_open = base == Register::RIP;
    Operand::Memory {
        base,
        index,
        scale: if index == Register::None {
            1
        } else {
            of.memory_index_scale()
        },
        displacement: if is_open {
            0
        } else {
            of.memory_displacement64()
        },
        broadcast: of.is_broadcast(),
    }
}

fn meaning(of: &Instruction) -> Meaning {
    Meaning {
        code: of.code(),
        operands: (0..of.op_count())
            .map(|number| operand(of, number))
            .collect(),
        mask: of.op_mask(),
        zeroing: of.zeroing_masking(),
    }
}

/// Asserts that the bytes at `place` are the instruction that was meant, and nothing more. Every
/// instruction that is assembled in a test comes here.
pub(in crate::emit::wide) fn assert_means(bytes: &[u8], place: u64, meant: &Instruction) {
    let mut decoder = Decoder::with_ip(64, bytes, place, DecoderOptions::NONE);
    let decoded = decoder.decode();
    assert_eq!(decoded.len(), bytes.len(), "{meant}: {bytes:02x?}");
    assert_eq!(meaning(&decoded), meaning(meant), "{bytes:02x?}");
}
