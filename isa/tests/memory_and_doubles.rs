//! Faults in instructions that name scratch memory, buffers or f64.

use attila_isa::{
    Bank, Component, Dst, FindingKind, Inst, Opcode, Operand, Profile, Program, Reg, RelAddr,
    ScratchArray, Slots, Src, Swizzle, Word, assemble,
};

/// The remarks about a text of the extended profile, whose header is the first line.
fn remarks(lines: &str) -> Vec<String> {
    let assembly = assemble(&format!(".extended scratch 24\n{lines}"));
    let remarks = assembly.diagnostics.iter().map(ToString::to_string);
    remarks.collect()
}

fn temp(index: u16) -> Reg {
    Reg::new(Bank::Temp, index).expect("it exists")
}

#[test]
fn arrays_and_buffers_that_cannot_be_named_are_errors() {
    let cases = [
        (
            "ldt r0, r1",
            "2:9: error: expected an array of scratch memory, found `r1` (as in `s16[8]`: 8 vectors, the \
             first of which is 16)",
        ),
        (
            "stt s70000[1], r0.x, r1",
            "2:5: error: `s70000` does not exist",
        ),
        (
            "ldt r0, s0[16384][r1.x]",
            "2:12: error: 16384 scratch vectors; the limit is 16383",
        ),
        (
            "ldt r0, s0[4]",
            "2:14: error: expected `[`, found the end of the line",
        ),
        (
            "ldc r0, r1.x, b32",
            "2:15: error: buffer `32` does not exist; the last is 31",
        ),
        (
            "stb r0, r1.x, r2",
            "2:5: error: expected a storage buffer, found `r0` (as in `u0`)",
        ),
        (
            "atomadd r0, r1.x, u32, r2.x",
            "2:19: error: storage buffer `32` does not exist; the last is 31",
        ),
        (
            "stb_sat u0, r1.x, r2",
            "2:1: error: `stb` has no result to saturate",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(remarks(line), [message], "{line}");
    }
}

#[test]
fn an_array_has_to_be_within_the_scratch_memory() {
    let program = |line: &str| {
        let text = format!(".extended scratch 24\n{line}\nend");
        let program = Program::assemble(&text).expect("it assembles");
        program.validate().map(|_| ())
    };
    assert!(program("ldt r0, s16[8][r1.x]").is_ok());
    assert!(program("stt s0[24], r1.x, r2").is_ok());
    let invalid = program("stt s17[8], r1.x, r2").expect_err("the last vector is 24");
    let array = ScratchArray { base: 17, size: 8 };
    let vectors = 24;
    let mut found = invalid.findings.iter().map(|finding| &finding.kind);
    assert!(found.any(|kind| *kind == FindingKind::ScratchArray { array, vectors }));
}

#[test]
fn storage_buffers_stand_where_they_are_written_or_read() {
    let lines = "\
.extended
stb u3.xz, r1.x, c2
ldb r0, -r1.x, u31
(p1) atomcas r0.none, r1.x, u0, r2
bufsize a0.x, u4 <- end
";
    let program = Program::assemble(lines).expect("it assembles");
    assert_eq!(program.listing().to_string(), lines);
    for inst in program.insts() {
        let word = inst.encode().expect("it fits");
        assert_eq!(word.decode(Profile::Extended), Ok(*inst));
    }
    assert!(
        program
            .validate()
            .expect("it is valid")
            .usage()
            .writes_storage
    );
}

#[test]
fn constants_beside_an_array_are_absolute() {
    let message = remarks("ldt r0, s16[8][c1[a0.x].y]");
    assert_eq!(message.len(), 1);
    let mut inst = Inst::new(Opcode::Stt);
    inst.dst = Dst::scratch(ScratchArray { base: 0, size: 1 }, Slots::all());
    let constant = Reg::new(Bank::Constant, 0).expect("it exists");
    inst.operands[..2].fill(Operand::Reg(Src::new(constant)));
    assert_eq!(inst.check(Profile::Extended), Ok(()));
    inst.relative = Some(RelAddr {
        reg: Reg::new(Bank::Address, 0).expect("it exists"),
        component: Component::X,
        offset: 0,
    });
    assert!(inst.check(Profile::Extended).is_err());
}

#[test]
fn pairs_of_components_stay_together() {
    let cases = [
        (
            "dadd r0.xz, r1, r2",
            "2:8: error: `dadd` writes f64, which are pairs of components (write `.xy`, `.zw` or `.xyzw`)",
        ),
        (
            "dadd r0.none, r1, r2",
            "2:8: error: `dadd` writes f64, which are pairs of components (write `.xy`, `.zw` or `.xyzw`)",
        ),
        (
            "dmul r0, r1, -r2.xyzz",
            "2:14: error: `dmul` reads f64, which are pairs of components (the swizzles are `.xyzw`, `.zwxy`, \
             `.xyxy` and `.zwzw`)",
        ),
        (
            "d2f r0, r1",
            "2:7: error: `d2f` writes one component for each of two f64 (name two components, as in `.xy`)",
        ),
        (
            "dadd r0, r1, 1.0",
            "2:14: error: `dadd` takes no immediate (put the value into a constant)",
        ),
        (
            "dadd_satn r0, r1, r2",
            "2:1: error: `_satn` does not apply to `dadd`",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(remarks(line), [message], "{line}");
    }
}

#[test]
fn words_that_separate_pairs_are_refused() {
    let mut inst = Inst::new(Opcode::Dadd);
    inst.dst = Dst::reg(temp(0), Slots::X | Slots::Y);
    inst.operands[..2].fill(Operand::Reg(Src::new(temp(1))));
    let good = inst.encode().expect("it fits");
    let decode = |word: Word| word.decode(Profile::Extended).map_err(|e| e.to_string());
    assert_eq!(decode(good), Ok(inst));

    inst.dst = Dst::reg(temp(0), Slots::Y | Slots::Z);
    assert!(inst.encode().is_err());
    // The mask is in bits 32 to 35, the first swizzle in bits 72 to 79.
    let (lo, hi) = good.halves();
    for bits in 0..=0xffu64 {
        let keeps = [0x11, 0xbb, 0x1b, 0xb1].contains(&bits);
        let word = Word::from_halves(lo, hi & !0xff00 | bits << 8);
        assert_eq!(decode(word).is_ok(), keeps, "swizzle {bits:02x}");
        assert_eq!(Swizzle::from_bits(bits as u8).keeps_pairs(), keeps);
    }
}
