//! Queries for samples, and inputs at other places than the centre: words, texts, and faults in both.

use attila_isa::{
    FindingKind, Opcode, Profile, Program, Severity, Slots, Stage, Word, WordError, assemble,
};

fn program(line: &str) -> Program {
    Program::assemble(&format!(".extended\n{line}")).expect(line)
}

/// The word of a line of the extended profile, without the end flag that the assembler adds.
fn word(line: &str) -> (u64, u64) {
    let mut inst = program(line).insts()[0];
    inst.end = false;
    inst.encode().expect(line).halves()
}

/// The remarks about a line of the extended profile, which is line 2.
fn remarks(line: &str) -> Vec<String> {
    let assembly = assemble(&format!(".extended\n{line}"));
    let remarks = assembly.diagnostics.iter().map(ToString::to_string);
    remarks.collect()
}

/// Lines as they are printed, with their canonical words.
const WORDS: [(&str, u64, u64); 12] = [
    (
        "pixld_count r21.x",
        0x0000_0083_39ce_0050,
        0x001b_001b_0015_1b00,
    ),
    (
        "pixld_mask r14.xw",
        0x0000_0093_39ce_0051,
        0x001b_001b_000e_1b00,
    ),
    (
        "pixld_covered r6.x, [r27.x - 14]",
        0x0000_0083_39c6_0052,
        0x001b_001b_f206_001b,
    ),
    (
        "(!p3) pixld_covered r4.x, p1, [r1.x]",
        0x0000_0083_19c6_3c52,
        0x001b_011b_0004_0001,
    ),
    (
        "pixld_covered r19.x, p31, [192]",
        0x0000_0083_19ce_0052,
        0x001b_1f1b_c013_1b00,
    ),
    (
        "pixld_offset o2.y, [i7.wzyx + 127]",
        0x0000_0041_39c0_0053,
        0x001b_001b_7f02_e407,
    ),
    (
        "pixld_offset a0.x, [c257.y - 128]",
        0x0000_0084_39ca_0053,
        0x001b_001b_8000_5501,
    ),
    (
        "pixld_centroid r5.x",
        0x0000_0083_39ce_0054,
        0x001b_001b_0005_1b00,
    ),
    (
        "pixld_index r26.x, p0",
        0x0000_0083_19ce_0055,
        0x001b_001b_001a_1b00,
    ),
    (
        "evalo_sat r0, i6.yzxw, r1.x",
        0x0000_00fb_38c0_0056,
        0x001b_0000_0100_6306,
    ),
    (
        "evalc r3.xy, i63",
        0x0000_00c3_39c0_0057,
        0x001b_001b_0003_1b3f,
    ),
    (
        "evals o1, i6, 3",
        0x0000_00f1_3980_0058,
        0x0000_0003_0001_1b06,
    ),
];

#[test]
fn words_are_those_of_their_texts_both_ways() {
    for (line, lo, hi) in WORDS {
        let halves = word(line);
        assert_eq!(
            halves,
            (lo, hi),
            "{line}: {:016x} {:016x}",
            halves.0,
            halves.1
        );
        let decoded = Word::from_halves(lo, hi).decode(Profile::Extended);
        assert_eq!(decoded.expect(line).to_string(), line);
    }
}

#[test]
fn sample_0_is_written_with_and_without_its_number() {
    assert_eq!(word("pixld_covered r0.x, [0]"), word("PIXLD_COVERED r0.x"));
    let lines = ["pixld_offset r0.x, [r1.x+0]", "pixld_offset r0.x, [r1.x]"];
    assert_eq!(word(lines[0]), word(lines[1]));
}

#[test]
fn faults_in_queries_are_pointed_out() {
    let cases = [
        (
            "pixld_covered r0.x, [256]",
            "2:22: error: the sample's number is not within 0 to 255",
        ),
        (
            "pixld_covered r0.x, [-1]",
            "2:22: error: expected a register or a number from 0 on, found `-` (usage: pixld_covered dst[, p][, \
             [N|a|a + N|a - N]])",
        ),
        (
            "pixld_offset r0.x, [r1.x + 128]",
            "2:21: error: the number added to a register is not within -128 to 127",
        ),
        (
            "pixld_offset r0.x, [|r1.x|]",
            "2:21: error: the register has neither modifiers nor a relative address here (copy the value to a \
             temporary first)",
        ),
        (
            "pixld_offset r0.x, [c1[a0.x].x]",
            "2:21: error: the register has neither modifiers nor a relative address here (copy the value to a \
             temporary first)",
        ),
        (
            "pixld_offset r0.x, p1",
            "2:20: error: `pixld_offset` writes no predicate (usage: pixld_offset dst[, [N|a|a + N|a - N]])",
        ),
        (
            "pixld_index r0.x, [1]",
            "2:19: error: `pixld_index` takes no number of a sample (usage: pixld_index dst[, p])",
        ),
        (
            "pixld_index r0.x, p32",
            "2:19: error: `p32` does not exist; the last is `p31`",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(remarks(line), [message], "{line}");
    }
}

#[test]
fn faults_in_names_and_inputs_are_pointed_out() {
    let cases = [
        (
            "pixld_mask_sat r0.x",
            "2:1: error: `_sat` does not apply to `pixld_mask`",
        ),
        (
            "pixld_count_x2 r0.x",
            "2:1: error: `_x2` does not apply to `pixld_count`",
        ),
        (
            "pixld_inner_coverage r0.x",
            "2:1: error: unknown instruction `pixld_inner_coverage` (queries for samples are `pixld_count`, `pixld_mask`, \
             `pixld_covered`, `pixld_offset`, `pixld_centroid`, `pixld_index`)",
        ),
        (
            "pixld_cuont r0.x",
            "2:1: error: unknown instruction `pixld_cuont` (did you mean `pixld_count`?)",
        ),
        (
            "evalo r0, -i6, r1.x",
            "2:11: error: `evalo` takes an input without modifiers (usage: evalo[_sat|_satn] dst, iN, b|imm)",
        ),
        (
            "evalc r0, r6",
            "2:11: error: `evalc` takes an input without modifiers (usage: evalc[_sat|_satn] dst, iN)",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(remarks(line), [message], "{line}");
    }
    let base = assemble("pixld_count r0.x").diagnostics[0].to_string();
    assert!(base.contains("extended profile"), "{base}");
}

#[test]
fn a_number_without_a_component_is_warned_of() {
    assert_eq!(
        remarks("pixld_covered r0.x, [r1]"),
        ["2:22: warning: `pixld_covered` reads one component, here w (write `r1.w` to say so)"]
    );
}

/// The word of a line with some bits changed.
fn changed(line: &str, bits: u128) -> Result<String, WordError> {
    let (lo, hi) = word(line);
    let word = Word(Word::from_halves(lo, hi).0 ^ bits);
    let inst = word.decode(Profile::Extended)?;
    Ok(inst.to_string())
}

#[test]
fn words_with_fields_that_queries_do_not_have_are_refused() {
    let covered = "pixld_covered r0.x, p1, [c3.x]";
    let cases = [
        ("reserved bit", covered, 1 << 60),
        ("_sat", covered, 1 << 35),
        ("_satn", covered, 1 << 58),
        ("ctm path", covered, 1 << 57),
        ("_z", covered, 1 << 59),
        ("relative address", covered, 1 << 40),
        ("negation", covered, 1 << 20),
        ("absolute value", covered, 1 << 21),
        ("an output as the number", covered, 3 << 17),
        ("a predicate's bank", covered, 1 << 27),
        ("a predicate that does not exist", covered, 1 << (104 + 5)),
        ("a negated input", "evalc r0, i1", 1 << 20),
        ("a temporary as an input", "evalc r0, i1", 3 << 17),
    ];
    for (what, line, bits) in cases {
        assert!(changed(line, bits).is_err(), "{what}");
    }
    // Fields that nothing looks at.
    assert_eq!(changed(covered, 7 << 22), Ok(covered.to_owned()));
    assert_eq!(
        changed("pixld_count r0.x", 0xff << 88),
        Ok("pixld_count r0.x".to_owned())
    );
}

#[test]
fn only_fragments_have_inputs_at_other_places() {
    let lines = "evalo r0, i6, 0 \n evalc r1, i6 \n evals r2, i6, 1 \n pixld_mask o1";
    for stage in Stage::ALL {
        let text = format!(".extended {stage}\n{lines}");
        let program = Program::assemble(&text).expect("it assembles");
        let findings = match program.validate() {
            Ok(_) => 0,
            Err(error) => error
                .findings
                .iter()
                .filter(|finding| matches!(finding.kind, FindingKind::NotFragment { .. }))
                .count(),
        };
        assert_eq!(findings, if stage == Stage::Fragment { 0 } else { 3 });
    }
}

#[test]
fn offsets_are_warned_of_once() {
    let valid = program("pixld_offset r0.x \n pixld_offset r0.y, [1] \n mov o1, r0").validate();
    let valid = valid.expect("a warning is no error");
    let kinds: Vec<_> = valid.warnings().iter().map(|it| &it.kind).collect();
    assert!(kinds.contains(&&FindingKind::FreeOffsets));
    assert_eq!(kinds.len(), 2, "r0.zw is never written, besides");
    assert_eq!(FindingKind::FreeOffsets.severity(), Severity::Warning);
}

#[test]
fn usage_knows_the_inputs_that_are_asked_for_elsewhere() {
    let valid = program("pixld_index r0.x, p3 \n evalc o1.xy, i6.wzyx <- end").validate();
    let usage = valid.expect("it is valid").usage().clone();
    assert!(usage.samples && usage.evaluates());
    assert_eq!(usage.evaluated[6], Slots::Z | Slots::W);
    assert_eq!(usage.inputs[6], Slots::Z | Slots::W);
    let plain = program("evalo o1, i7, 0 <- end").validate();
    let usage = plain.expect("it is valid").usage().clone();
    assert!(!usage.samples && usage.evaluates());
    assert!(Opcode::PixldMask.is_sample_query() && !Opcode::Evalc.is_sample_query());
}
