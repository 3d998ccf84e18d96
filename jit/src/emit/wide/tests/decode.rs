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
    match of.op_kind(number) {
        OpKind::Register => Operand::Register(of.op_register(number)),
        OpKind::Memory => {
            let (base, index) = (of.memory_base(), of.memory_index());
            Operand::Memory {
                base,
                index,
                scale: match index {
                    Register::None => 1,
                    _ => of.memory_index_scale(),
                },
                // Addresses counted from the instruction are filled in at the end.
                displacement: match base {
                    Register::RIP => 0,
                    _ => of.memory_displacement64(),
                },
                broadcast: of.is_broadcast(),
            }
        }
        OpKind::NearBranch64 => Operand::Target(of.near_branch64()),
        _ => Operand::Constant(of.immediate(number)),
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
pub(in crate::wide) fn assert_means(bytes: &[u8], place: u64, meant: &Instruction) {
    let mut decoder = Decoder::with_ip(64, bytes, place, DecoderOptions::NONE);
    let decoded = decoder.decode();
    assert_eq!(decoded.len(), bytes.len(), "{meant}: {bytes:02x?}");
    assert_eq!(meaning(&decoded), meaning(meant), "{bytes:02x?}");
}
