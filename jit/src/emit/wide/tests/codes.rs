//! Every form of an instruction that the emitter's files name: its text, and its bytes with registers and
//! memory of every kind.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "enums of iced-x86 have hundreds of variants"
)]

use std::collections::BTreeSet;
use std::path::Path;

use expect_test::expect_file;
use iced_x86::{
    Code, Encoder, Formatter, Instruction, IntelFormatter, OpCodeOperandKind, Register,
};

use super::decode::assert_means;
use crate::emit::wide::allocate::Place;
use crate::emit::wide::forms::{Form, Gives, Width};
use crate::emit::wide::instructions::{self as make, begin};
use crate::emit::wide::mir::{Arg, Fma, Holds, Home, Mem, Vreg};

/// Numbers of vector registers that are encoded in different ways. The last two are EVEX's.
const VECTORS: [u32; 6] = [0, 7, 8, 15, 16, 31];
const MASKS: [Register; 3] = [Register::K1, Register::K4, Register::K7];
const GENERAL: [u32; 6] = [0, 3, 5, 8, 12, 15];
const BYTES: [Register; 4] = [Register::AL, Register::DIL, Register::R8L, Register::R15L];
/// The first is encoded plainly, the others each in a way of its own.
const BASES: [Register; 6] = [
    Register::RDI,
    Register::RBP,
    Register::RSP,
    Register::R12,
    Register::R13,
    Register::R15,
];
/// None, of 8 bits, of 8 bits when they count elements or vectors, of 32 bits.
const DISPLACEMENTS: [i32; 14] = [
    0,
    1,
    4,
    -8,
    16,
    32,
    -64,
    127,
    128,
    508,
    8128,
    8192,
    -8256,
    1 << 20,
];

/// The names of the instructions in the emitter's files, tests excepted.
fn names(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                self::names(&path, names);
            }
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let mut before = "";
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            // Two colons are around an empty word.
            if word.is_empty() {
                continue;
            }
            if before == "Code" || word.starts_with("VEX_") || word.starts_with("EVEX_") {
                names.insert(word.to_owned());
            }
            before = word;
        }
    }
}

/// Every code that the emitter's files name.
fn codes() -> Vec<Code> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/emit/wide");
    let mut used = BTreeSet::new();
    names(&folder, &mut used);
    let codes: Vec<Code> = Code::values()
        .filter(|code| used.contains(&format!("{code:?}")))
        .collect();
    assert!(codes.len() > 150, "{} codes are named", codes.len());
    codes
}

/// What an operand may be.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Register(Register),
    /// With the lanes' numbers, where it is a gather's.
    Memory(Option<Register>),
    Constant(OpCodeOperandKind),
    Target,
}

fn kind(code: Code, number: u32, memory: bool) -> Kind {
    let kind = code.op_code().op_kind(number);
    let name = format!("{kind:?}");
    let first = |name: &str| match name.split('_').next() {
        Some("xmm") => Register::XMM0,
        Some("ymm") => Register::YMM0,
        Some("zmm") => Register::ZMM0,
        Some("k") => Register::K0,
        Some("r32") => Register::EAX,
        Some("r64") => Register::RAX,
        Some("r8") => Register::AL,
        Some("r16") => Register::AX,
        _ => panic!("{code:?} has an operand {name}"),
    };
    if let Some(vector) = name.strip_prefix("mem_vsib32") {
        return Kind::Memory(Some(first(&format!("{vector}mm_"))));
    }
    if name == "mem" || memory && name.ends_with("_or_mem") {
        return Kind::Memory(None);
    }
    if name.starts_with("imm") {
        return Kind::Constant(kind);
    }
    if name.starts_with("br64") {
        return Kind::Target;
    }
    Kind::Register(first(&name))
}

/// The register of a file, for operand `number` of the `variant`th instruction.
fn register(first: Register, code: Code, variant: usize, number: usize) -> Register {
    let is_extended = format!("{code:?}").starts_with("EVEX");
    let vectors = if is_extended {
        &VECTORS[..]
    } else {
        &VECTORS[..4]
    };
    let place = variant + number;
    if first == Register::K0 {
        return MASKS[place % MASKS.len()];
    }
    if first == Register::AL {
        return BYTES[place % BYTES.len()];
    }
    let is_vector = [Register::XMM0, Register::YMM0, Register::ZMM0].contains(&first);
    let numbers = if is_vector { vectors } else { &GENERAL };
    first + numbers[place % numbers.len()]
}

/// An instruction with registers by `variant`, and with this memory if it may have some.
fn instruction(code: Code, variant: usize, memory: Option<Mem>) -> Option<Instruction> {
    let mut form = begin(code);
    let mut has_memory = false;
    for number in 0..code.op_code().op_count() {
        let place = number as usize;
        match kind(code, number, memory.is_some()) {
            Kind::Register(first) => form.register(register(first, code, variant, place)),
            Kind::Memory(lanes) => {
                has_memory = true;
                let mut mem = memory.unwrap_or(Mem::at(BASES[variant % BASES.len()], 64));
                if let Some(lanes) = lanes {
                    mem = mem.plus(register(lanes, code, variant, place), 4);
                }
                form.memory(mem)
            }
            Kind::Constant(OpCodeOperandKind::imm8) => form.immediate(0x80 ^ variant as u8),
            Kind::Constant(OpCodeOperandKind::imm32) => form.immediate32(0x8000_0001),
            Kind::Constant(OpCodeOperandKind::imm32sex64) => form.immediate32to64(-0x0123_4567),
            Kind::Constant(OpCodeOperandKind::imm64) => form.immediate64(0x8123_4567_89ab_cdef),
            Kind::Constant(other) => panic!("{code:?} has an operand {other:?}"),
            Kind::Target => return None,
        };
    }
    (memory.is_none() || has_memory).then(|| form.end())
}

/// The instruction, and the same under masks.
fn under_masks(code: Code, instruction: Instruction) -> Vec<Instruction> {
    let info = code.op_code();
    let mut made = Vec::new();
    if !info.require_op_mask_register() {
        made.push(instruction);
    }
    if info.can_use_op_mask_register() {
        for mask in MASKS {
            let mut masked = instruction;
            masked.set_op_mask(mask);
            made.push(masked);
        }
    }
    let stores = instruction.op0_kind() == iced_x86::OpKind::Memory;
    if info.can_use_zeroing_masking() && !stores {
        let mut zeroing = instruction;
        zeroing.set_op_mask(Register::K2);
        zeroing.set_zeroing_masking(true);
        made.push(zeroing);
    }
    made
}

/// The kinds of memory that an instruction may have.
fn memories(code: Code) -> Vec<Mem> {
    let mut memories = Vec::new();
    let gathers = format!("{code:?}").contains("vm32");
    let indices = [(Register::None, 1), (Register::RCX, 1), (Register::R9, 8)];
    for (base, displacement) in BASES
        .into_iter()
        .flat_map(|base| DISPLACEMENTS.map(|displacement| (base, displacement)))
    {
        for (index, scale) in indices {
            if gathers && index != Register::None {
                continue;
            }
            let mem = Mem::at(base, displacement).plus(index, scale);
            memories.push(mem);
            if code.op_code().can_broadcast() {
                let broadcast = true;
                memories.push(Mem { broadcast, ..mem });
            }
        }
    }
    memories
}

fn encoded(instruction: &Instruction) -> Vec<u8> {
    let mut encoder = Encoder::new(64);
    let made = encoder.encode(instruction, 0);
    made.unwrap_or_else(|error| panic!("{instruction}: {error}"));
    encoder.take_buffer()
}

#[test]
fn every_form_decodes_to_itself() {
    for code in codes() {
        let registers = (0..VECTORS.len()).filter_map(|variant| instruction(code, variant, None));
        let memories = memories(code).into_iter().enumerate();
        let memories = memories.filter_map(|(variant, mem)| instruction(code, variant, Some(mem)));
        for plain in registers.chain(memories) {
            for instruction in under_masks(code, plain) {
                assert_means(&encoded(&instruction), 0, &instruction);
            }
        }
    }
}

/// An instruction as a text.
fn text(instruction: &Instruction) -> String {
    let mut text = String::new();
    IntelFormatter::new().format(instruction, &mut text);
    text
}

#[test]
fn every_form_is_the_instruction_that_it_is_known_for() {
    let mut all = String::new();
    for form in Form::ALL {
        let texts = [Width::V256, Width::V512].map(|width| {
            let made = instruction(form.code(width), 0, None);
            text(&made.expect("it is no jump"))
        });
        all.push_str(&format!("{form:?}: {}\n", texts.join(" | ")));
    }
    expect_file!["forms.txt"].assert_eq(&all);
}

/// Whether an operand may be in memory.
fn reads_memory(code: Code) -> bool {
    let info = code.op_code();
    let mut kinds = (1..info.op_count()).map(|number| format!("{:?}", info.op_kind(number)));
    kinds.any(|kind| kind.ends_with("_or_mem"))
}

#[test]
fn rows_say_what_instructions_can_do() {
    // They read words, and give numbers of 16 or 64 bits.
    let others = [Form::Packssdw, Form::Cvtps2pd, Form::Cvtdq2pd];
    for &form in Form::ALL {
        let [small, large] = [Width::V256, Width::V512].map(|width| form.code(width));
        let info = large.op_code();
        let of_words = format!("{large:?}").contains("b32");
        match form.last(Vreg(0)) {
            Arg::UseMem(_) => assert!(of_words && reads_memory(small), "{form:?}"),
            Arg::UseWhole(_) => assert!(reads_memory(small) && reads_memory(large), "{form:?}"),
            Arg::Use(_) => {}
            other => panic!("{form:?} has {other:?}"),
        }
        let writes_mask = format!("{:?}", info.op_kind(0)) == "k_reg" && form != Form::Test;
        assert_eq!(form.gives() == Gives::Mask, writes_mask, "{form:?}");
        let merges = info.can_use_zeroing_masking() && of_words && !others.contains(&form);
        match form.gives() {
            Gives::Words => assert!(info.can_use_zeroing_masking(), "{form:?}"),
            Gives::Mask | Gives::Other => assert!(!merges, "{form:?} could be a part of a choice"),
        }
    }
}

/// The text of a product and a sum of v1, v2 and v3: its operands' registers 1, 2 and 3, unless one is
/// in memory, and which of them has the result's register.
fn fma_text(fma: &Fma, tied: usize, in_memory: Option<usize>) -> String {
    let home = Home {
        base: Register::RBP,
        displacement: 64,
        holds: Holds::Vector,
    };
    let place = |operand: usize| match in_memory {
        Some(other) if other == operand => Place::Memory(home),
        _ => Place::Register(operand as u8 + 1),
    };
    let into = tied as u8 + 1;
    text(&make::fma(
        Width::V256,
        fma,
        tied,
        into,
        [0, 1, 2].map(place),
    ))
}

#[test]
fn products_and_sums_have_the_order_of_their_operands() {
    for bits in 0..8 {
        let [negates_product, negates_sum, double] = [1, 2, 4].map(|bit| bits & bit != 0);
        let fma = Fma {
            result: Vreg(0),
            of: [Vreg(1), Vreg(2), Vreg(3)],
            negates_product,
            negates_sum,
            double,
        };
        let sign = if negates_product { "n" } else { "" };
        let sum = if negates_sum { "sub" } else { "add" };
        let number = if double { "pd" } else { "ps" };
        // 132: first * third + second; 213: second * first + third; 231: second * third + first.
        for (tied, in_memory, order, operands) in [
            (0, None, 213, "ymm1,ymm2,ymm3"),
            (0, Some(1), 132, "ymm1,ymm3,[rbp+40h]"),
            (0, Some(2), 213, "ymm1,ymm2,[rbp+40h]"),
            (1, None, 213, "ymm2,ymm1,ymm3"),
            (1, Some(0), 132, "ymm2,ymm3,[rbp+40h]"),
            (1, Some(2), 213, "ymm2,ymm1,[rbp+40h]"),
            (2, None, 231, "ymm3,ymm1,ymm2"),
            (2, Some(0), 231, "ymm3,ymm2,[rbp+40h]"),
            (2, Some(1), 231, "ymm3,ymm1,[rbp+40h]"),
        ] {
            let expected = format!("vf{sign}m{sum}{order}{number} {operands}");
            assert_eq!(fma_text(&fma, tied, in_memory), expected);
        }
    }
}
