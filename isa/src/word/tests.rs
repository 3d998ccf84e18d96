use super::{OPCODE, Word};
use crate::opcode::Opcode;
use crate::profile::Profile;

/// A splitmix64 step: enough randomness for words.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[test]
fn a_million_random_words_decode_or_are_refused_and_reencode_canonically() {
    let opcodes: Vec<Opcode> = Profile::Base.opcodes().collect();
    let mut state = 1;
    let mut decoded = 0;
    for round in 0..1_000_000u64 {
        let mut word = Word::from_halves(random(&mut state), random(&mut state));
        if round % 2 == 0 {
            // Half of them with a valid opcode, or most would fail at the first byte.
            word.set(OPCODE, opcodes[round as usize / 2 % opcodes.len()].code());
        }
        if let Ok(inst) = word.decode(Profile::Base) {
            decoded += 1;
            let canonical = inst
                .encode()
                .expect("a decoded instruction fits its opcode");
            assert_eq!(
                canonical.decode(Profile::Base),
                Ok(inst),
                "{word:x?} -> {canonical:x?}"
            );
        }
    }
    assert!(decoded > 10_000, "only {decoded} words decoded");
}

#[test]
fn dead_fields_of_compiled_programs_are_ignored() {
    // add r0, r0, i0 with a left-over relative offset (machine.md 1.9).
    let word = Word::from_halves(0x0002_80f3_3806_0001, 0x001b_001b_0000_1b00);
    let inst = word.decode(Profile::Base).expect("decodes");
    assert_eq!(inst.relative, None);
    let canonical = inst.encode().expect("encodes");
    assert_eq!(
        canonical,
        Word::from_halves(0x0000_00f3_3806_0001, 0x001b_001b_0000_1b00)
    );
}

#[test]
fn bad_words_say_what_is_wrong() {
    let cases: &[(u64, u64, &str)] = &[
        (0x05, 0, "opcode 0x05 is reserved"),
        (
            0x0000_00f1_39c2_0016,
            0,
            "operand 1 of `mov` has bank code 1, which is not a source bank",
        ),
        (
            0x0000_00f0_39c0_0016,
            0,
            "the result of `mov` has bank code 0, which is not a result bank",
        ),
        (
            0x0000_00f1_39cc_0016,
            0,
            "operand 1 of `mov` cannot be an immediate",
        ),
        (
            0x0000_00f1_39c0_0016,
            0x10,
            "input 16 does not exist; the last is 15",
        ),
        (
            0x0000_00f3_3800_0026,
            0x1b_1000_1b06,
            "texture unit 16 does not exist; the last is 15",
        ),
        (
            0x0000_06f1_39c4_0016 | 1 << 40,
            0,
            "address register 3 does not exist; the last is 1",
        ),
    ];
    for &(lo, hi, message) in cases {
        let error = Word::from_halves(lo, hi)
            .decode(Profile::Base)
            .expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}
