//! Whole functions, for widths that this machine need not have.

use std::collections::BTreeSet;

use iced_x86::{Code, Decoder, DecoderOptions, Encoder, Instruction, OpKind, Register};

use crate::abi::{LINE, RecordLayout};
use crate::emit::wide::draw::{QUAD, ROWS};
use crate::emit::wide::measured::AHEAD;
use crate::emit::wide::{Processor, Wide, Width};
use crate::emit::{Emitter, Made, Source};
use crate::ir::Function;
use crate::ir::tests::{functions, layout, sides};

/// Whether an instruction writes to memory under a mask, and faults on what the mask excludes: the
/// exceptions of extractions are of type E6NF (Intel SDM, volume 2, 2.8).
fn faults_beside_its_mask(instruction: &Instruction) -> bool {
    let is_extraction = format!("{:?}", instruction.code()).contains("Vextract");
    is_extraction && instruction.op0_kind() == OpKind::Memory && instruction.has_op_mask()
}

/// The code of a function up to the end of its instructions has nothing else in it, and is encoded in
/// the way in which everything is; jumps lead to instructions.
fn check(name: &str, emitter: &Wide, source: &Source<'_>) {
    let (Made { bytes, .. }, _) = emitter.made(source).expect("every instruction is encoded");
    let mut encoder = Encoder::new(64);
    let (mut starts, mut targets) = (Vec::new(), Vec::new());
    let mut is_ended = false;
    for instruction in &mut Decoder::new(64, &bytes, DecoderOptions::NONE) {
        let place = instruction.ip() as usize;
        let about = || format!("{name} of {emitter:?}, byte {place}: {instruction}");
        if instruction.code() == Code::Int3 {
            is_ended = true;
            break;
        }
        assert!(!instruction.is_invalid(), "{}", about());
        assert!(!faults_beside_its_mask(&instruction), "{}", about());
        let again = encoder.encode(&instruction, instruction.ip());
        again.unwrap_or_else(|error| panic!("{}: {error}", about()));
        let again = encoder.take_buffer();
        assert_eq!(again, bytes[place..place + again.len()], "{}", about());
        assert_eq!(again.len(), instruction.len(), "{}", about());
        starts.push(instruction.ip());
        if instruction.op_count() > 0 && instruction.op0_kind() == OpKind::NearBranch64 {
            targets.push(instruction.near_branch64());
        }
        if instruction.is_ip_rel_memory_operand() {
            let literals = instruction.ip_rel_memory_address();
            assert!(literals.is_multiple_of(64) && literals as usize <= bytes.len());
        }
    }
    assert!(is_ended, "{name}: the instructions have no end");
    let lost = targets.iter().find(|&target| !starts.contains(target));
    assert_eq!(lost, None, "{name} of {emitter:?}");
}

/// The instructions with such operands: prefetches, and others.
fn prefetches_and_accesses(
    emitter: &Wide,
    source: &Source<'_>,
    concerns: impl Fn(&Instruction) -> bool,
) -> [Vec<Instruction>; 2] {
    let (Made { bytes, .. }, _) = emitter.made(source).expect("every instruction is encoded");
    let decoder = Decoder::new(64, &bytes, DecoderOptions::NONE);
    let instructions = decoder.into_iter().take_while(|it| it.code() != Code::Int3);
    let (prefetches, accesses) = instructions
        .filter(concerns)
        .partition(|it| it.code() == Code::Prefetcht0_m8);
    [prefetches, accesses]
}

/// Checks that an earlier iteration prefetched each line of records that one reads or writes. The accumulators
/// of states, whose addresses calls get, are none of them.
fn check_prefetches(name: &str, emitter: &Wide, source: &Source<'_>) {
    let of_records = |it: &Instruction| {
        let is_access = it.code() != Code::Lea_r64_m;
        is_access && it.memory_base() == QUAD && it.memory_index() == Register::None
    };
    let [prefetches, accesses] = prefetches_and_accesses(emitter, source, of_records);
    let line = |it: &Instruction| it.memory_displacement64() as usize / LINE;
    let ahead = AHEAD * source.layout.size() / LINE;
    let touched: BTreeSet<usize> = accesses.iter().map(|it| line(it) + ahead).collect();
    let fetched: BTreeSet<usize> = prefetches.iter().map(line).collect();
    assert_eq!(touched, fetched, "{name}");
    assert_eq!(
        fetched.len(),
        prefetches.len(),
        "{name}: one is there twice"
    );
}

/// Checks that an iteration prefetched the pixels of the first surface that the next one reads or writes, of one word
/// each.
fn check_prefetched_pixels(name: &str, emitter: &Wide, source: &Source<'_>) {
    let of_pixels = |it: &Instruction| {
        ROWS.contains(&it.memory_base())
            && it.memory_index() == QUAD
            && it.memory_index_scale() == 8
    };
    let [prefetches, accesses] = prefetches_and_accesses(emitter, source, of_pixels);
    let iteration = 8 * source.quads as u64;
    for access in accesses {
        let next = access.memory_displacement64() + iteration;
        let is_fetched = |it: &Instruction| {
            let line = it.memory_displacement64();
            it.memory_base() == access.memory_base() && (line..line + LINE as u64).contains(&next)
        };
        assert!(prefetches.iter().any(is_fetched), "{name}: {access}");
    }
}

/// Checks a function at every width with several vectors side by side; whether the emitter takes it.
fn check_widths(name: &str, function: &Function, layout: RecordLayout) -> bool {
    let mut taken = true;
    let widths = [Width::V256, Width::V512].map(|width| Wide::new(width, Processor::default()));
    for emitter in widths.into_iter().flat_map(Wide::variants) {
        taken &= emitter.takes(function, true);
        let has_copies = function.is_straight_line() || function.guarded().is_some();
        let copies = if has_copies { 4 } else { 1 };
        for copies in (1..=copies).filter(|_| taken) {
            let quads = copies * emitter.vectors().quads();
            let source = Source {
                function,
                layout,
                quads,
            };
            check(name, &emitter, &source);
            if layout == RecordLayout::Draw {
                check_prefetched_pixels(name, &emitter, &source);
            } else {
                check_prefetches(name, &emitter, &source);
            }
        }
    }
    taken
}

#[test]
fn code_of_whole_functions_can_be_read_back() {
    let mut taken = 0;
    for (name, function) in functions() {
        taken += usize::from(check_widths(&name, &function, layout(&function)));
    }
    assert!(taken > 10, "only {taken} are taken");
}

#[test]
fn code_of_whole_programs_can_be_read_back() {
    let mut taken = 0;
    for width in [Width::V256, Width::V512] {
        for (name, function) in sides::lowered(&width.vectors_target()) {
            taken += usize::from(check_widths(name, &function, RecordLayout::State));
        }
    }
    assert!(taken > 10, "only {taken} are taken");
}
