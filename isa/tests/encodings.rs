//! Words and texts that the original simulator's own encoder and compiler produced: text to word, and
//! word to text.

use attila_isa::{Profile, Program, Word, assemble};

/// Assembles a text in which some instruction has an end flag, so that none is added.
fn words(text: &str) -> Vec<Word> {
    let program = Program::assemble(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let insts = program.insts().iter();
    insts
        .map(|inst| inst.encode().expect("fits its opcode"))
        .collect()
}

/// Words of the original's encoder: assembly, lower half, upper half.
const ENCODINGS: &[(&str, u64, u64)] = &[
    ("mov o1, i1", 0x0000_00f1_39c0_0016, 0x001b_001b_0001_1b01),
    (
        "mov_sat o1.xyz, -|r2.wzyx|",
        0x0000_00e9_39f6_0016,
        0x001b_001b_0001_e402,
    ),
    (
        "add r0, i1, c5",
        0x0000_00f3_3880_0001,
        0x001b_001b_0500_1b01,
    ),
    (
        "add r0.x, r1.x, 2.5",
        0x0000_0083_3986_0001,
        0x4020_0000_0000_0001,
    ),
    (
        "mul r0, r1, -0.5",
        0x0000_00f3_3b86_0017,
        0x3f00_0000_0000_1b01,
    ),
    (
        "addi r0, r1, -7",
        0x0000_00f3_3b86_0002,
        0x0000_0007_0000_1b01,
    ),
    (
        "mad r1.xyz, i0.xyzz, c1[a0.x + 5], -r2",
        0x0000_a1e3_5880_0013,
        0x001b_021b_0101_1a00,
    ),
    (
        "mov r0, c1[a1.w - 3]",
        0x003f_bbf3_39c4_0016,
        0x001b_001b_0000_1b01,
    ),
    (
        "mov r3.w, c300.y",
        0x0000_0013_39ca_0016,
        0x001b_001b_0003_552c,
    ),
    (
        "dp4 o0.x, c300, i0",
        0x0000_0081_380a_0009,
        0x001b_001b_0000_1b2c,
    ),
    (
        "rsq r1.x, |r0.w|",
        0x0000_0083_39e6_001b,
        0x001b_001b_0001_ff00,
    ),
    (
        "arl a0.x, r1.x",
        0x0000_0084_39c6_0003,
        0x001b_001b_0000_0001,
    ),
    (
        "(p0) mul r1, r0, r2",
        0x0000_00f3_38c6_0417,
        0x001b_001b_0201_1b00,
    ),
    (
        "(!p3) add_sat r1.yw, r0, r2.x",
        0x0000_005b_38c6_3c01,
        0x001b_0000_0201_1b00,
    ),
    (
        "mad_sat r3.xyw, -r1.wzyx, c260.x, |i4|",
        0x0000_00db_8156_0013,
        0x001b_0400_0403_e401,
    ),
    (
        "setpgt p1, r0.x, c0.y",
        0x0000_0082_3886_001d,
        0x001b_0055_0001_0000,
    ),
    (
        "stplti p2, r0.x, 3",
        0x0000_0082_3986_0024,
        0x0000_0003_0002_0000,
    ),
    (
        "andp !p0, p1, !p2",
        0x0000_00fa_3ac6_0004,
        0x0000_0000_0200_0001,
    ),
    (
        "andp p0, p1, !c3.w",
        0x0000_00f2_3a86_0004,
        0x0000_00ff_0300_0001,
    ),
    ("jmp p0, -3", 0x0000_00f7_39c6_0036, 0xffff_fffd_0000_0000),
    ("jmp true, 12", 0x0000_00f7_39f6_0036, 0x0000_000c_0000_0000),
    ("jmp !c4.z, 2", 0x0000_00f7_39d4_0036, 0x0000_0002_0000_aa04),
    (
        "tex r0, i6, t0",
        0x0000_00f3_3800_0026,
        0x001b_001b_0000_1b06,
    ),
    (
        "tex r0, i6, t0 <- wait",
        0x0000_00f3_3800_0226,
        0x001b_001b_0000_1b06,
    ),
    (
        "txp r0.xyz, i6, t3",
        0x0000_00e3_3800_0028,
        0x001b_001b_0300_1b06,
    ),
    (
        "txb r2, i7, t15",
        0x0000_00f3_3800_0027,
        0x001b_001b_0f02_1b07,
    ),
    (
        "txl r2, i7, t1",
        0x0000_00f3_3800_0025,
        0x001b_001b_0102_1b07,
    ),
    (
        "lda r0, i0.x, t2",
        0x0000_00f3_3800_0030,
        0x001b_001b_0200_0000,
    ),
    ("kil -r0.x", 0x0000_00f7_39d6_0029, 0x001b_001b_0000_0000),
    ("kls r1.x, s2", 0x0000_00f7_3846_002a, 0x001b_001b_0200_0001),
    ("zxp r0.x", 0x0000_00f7_39c6_002b, 0x001b_001b_0000_0000),
    ("zxs r1, s0", 0x0000_00f7_3846_002c, 0x001b_001b_0000_1b01),
    (
        "cmp r0, r1, r2, r3",
        0x0000_00f3_18c6_002d,
        0x001b_031b_0200_1b01,
    ),
    (
        "cmpkil r0.x, r1, r2, r3",
        0x0000_0083_18c6_002e,
        0x001b_031b_0200_1b01,
    ),
    (
        "fxmul r0, r1, r2",
        0x0000_00f3_38c6_0031,
        0x001b_001b_0200_1b01,
    ),
    (
        "ddy r0.xy, i6",
        0x0000_00c3_39c0_0035,
        0x001b_001b_0000_1b06,
    ),
    ("nop", 0, 0),
    ("chs", 0x2f, 0),
    ("end", 0x137, 0),
];

#[test]
fn the_assembler_encodes_as_the_original_encoder() {
    for &(text, lo, hi) in ENCODINGS {
        let word = words(&format!("{text}\nend"))[0];
        assert_eq!(word.halves(), (lo, hi), "{text}: {:x?}", word.halves());
    }
}

#[test]
fn the_printer_spells_the_encodings_as_the_reference() {
    for &(text, lo, hi) in ENCODINGS {
        let inst = Word::from_halves(lo, hi).decode(Profile::Base).expect(text);
        assert_eq!(inst.to_string(), text);
    }
}

#[test]
fn the_ignored_operand_of_fxmad_is_encoded_but_not_decoded() {
    let word = words("fxmad r0, r1, r2, r3\nend")[0];
    assert_eq!(
        word,
        Word::from_halves(0x0000_00f3_18c6_0032, 0x001b_031b_0200_1b01)
    );
    let inst = word.decode(Profile::Base).expect("decodes");
    assert_eq!(inst.to_string(), "fxmad r0, r1, r2");
    // The original decoder requires a third operand. Where the text has none, it is r0.
    let word = words("fxmad r0, r1, r2\nend")[0];
    assert_eq!(
        word,
        Word::from_halves(0x0000_00f3_18c6_0032, 0x001b_001b_0200_1b01)
    );
}

#[test]
fn no_end_and_no_sample_change_come_from_translators_with_fields_filled() {
    for (code, text) in [(0x00, "nop"), (0x2f, "chs"), (0x37, "end")] {
        let word = Word::from_halves(0x0000_00f7_39ce_0000 | code, 0x001b_001b_0000_1b00);
        assert_eq!(word.decode(Profile::Base).expect(text).to_string(), text);
    }
}

/// Real programs as the original's compiler encoded them, with leftovers in dead fields (machine.md
/// 1.9). Lower half, upper half, text.
const COMPILED: &[(&str, &str)] = &[
    (
        "billboard",
        "
0000008439c00003 001b001b00000001  arl a0.x, i1.x
000281f338040017 001b005501001b00  mul r0, c0[a0.x + 20], i1.y
000280f338060001 001b001b00001b00  add r0, r0, i0
0002808138860009 001b001b5b001b00  dp4 o0.x, r0, c91
0002804138860009 001b001b5c001b00  dp4 o0.y, r0, c92
0002802138860009 001b001b5d001b00  dp4 o0.z, r0, c93
0002801138860009 001b001b5e001b00  dp4 o0.w, r0, c94
000280f139c00016 001b001b00011b03  mov o1, i3
000301c139c40116 001b001b00061b00  mov o6.xy, c0[a0.x + 24] <- end",
    ),
    (
        "torus",
        "
0000008338800009 001b001b00001b00  dp4 r0.x, i0, c0
0000004338800009 001b001b01001b00  dp4 r0.y, i0, c1
0000002338800009 001b001b02001b00  dp4 r0.z, i0, c2
0000001338800009 001b001b03001b00  dp4 r0.w, i0, c3
0000008338860009 001b001b04011b00  dp4 r1.x, r0, c4
0000004338860009 001b001b05011b00  dp4 r1.y, r0, c5
0000002338860009 001b001b06011b00  dp4 r1.z, r0, c6
0000001338860009 001b001b07011b00  dp4 r1.w, r0, c7
0000008338040008 001b001b02021b00  dp3 r2.x, c0, i2
0000004338040008 001b001b02021b01  dp3 r2.y, c1, i2
0000002338040008 001b001b02021b02  dp3 r2.z, c2, i2
0000001338c40008 001b001b02021b08  dp3 r2.w, c8, r2
000000f338c00017 001b00ff02031b03  mul r3, i3, r2.w
000000f139c60016 001b00ff00011b03  mov o1, r3
000000f139c60116 001b00ff00001b01  mov o0, r1 <- end",
    ),
    (
        "spheremap",
        "
0000008138040009 001b001b00001b00  dp4 o0.x, c0, i0
0000004138040009 001b001b00001b01  dp4 o0.y, c1, i0
0000002138040009 001b001b00001b02  dp4 o0.z, c2, i0
0000001138040009 001b001b00001b03  dp4 o0.w, c3, i0
000000f139c00016 001b001b00061b08  mov o6, i8
000000f139c00016 001b001b00071b09  mov o7, i9
000000f139c00016 001b001b00011b03  mov o1, i3
000000f139c00116 001b001b00021b04  mov o2, i4 <- end",
    ),
    (
        "bunny, vertices",
        "
0000008138040009 001b001b00001b00  dp4 o0.x, c0, i0
0000004138040009 001b001b00001b01  dp4 o0.y, c1, i0
0000002138040009 001b001b00001b02  dp4 o0.z, c2, i0
0000001138040009 001b001b00001b03  dp4 o0.w, c3, i0
000000f139c00016 001b001b00061b08  mov o6, i8
000000f13a040001 001b001b00071b04  add o7, c4, -i0
000000f13a040101 001b001b00081b05  add o8, c5, -i0 <- end",
    ),
    (
        "bunny, fragments",
        "
000000f338000026 001b001b00001b06  tex r0, i6, t0
000000f350860013 001b031b02001b00  mad r0, r0, c2, -c3
0000001378c60008 001b001b00001b00  dp3 r0.w, r0, r0
0000001379c6001b 001b001b0000ff00  rsq r0.w, r0.w
000000f378c60017 001b00ff00001b00  mul r0, r0, r0.w
0000001378000008 001b001b07011b07  dp3 r1.w, i7, i7
0000001379c6001b 001b001b0001ff01  rsq r1.w, r1.w
000000f378c00017 001b00ff01011b07  mul r1, i7, r1.w
0000001378000008 001b001b08021b08  dp3 r2.w, i8, i8
0000001379c6001b 001b001b0002ff02  rsq r2.w, r2.w
000000f378c00017 001b00ff02021b08  mul r2, i8, r2.w
000000f378c60008 001b001b00031b02  dp3 r3, r2, r0
000000f378c60017 001b001b00031b03  mul r3, r3, r0
000000f358860013 001b021b02031b03  mad r3, r3, c2, -r2
000000fb78c60008 001b001b00041b01  dp3_sat r4, r1, r0
000000fb78c60008 001b001b01051b03  dp3_sat r5, r3, r1
000000f339c60010 001b001b00050005  lg2 r5, r5.x
000000f338860017 001b000000050005  mul r5, r5.x, c0.x
000000f339c6000c 001b001b00050005  ex2 r5, r5.x
000000f318860013 001b051b01061b04  mad r6, r4, c1, r5
000000f118840113 001b061b04011b01  mad o1, c1, c4, r6 <- end",
    ),
    (
        "normal",
        "
000000f338000026 001b001b00001b01  tex r0, i1, t0
000000f138060101 001b001b06011b00  add o1, r0, i6 <- end",
    ),
];

/// The three columns of a compiled program.
fn columns(program: &str) -> impl Iterator<Item = (Word, &str)> {
    program.trim().lines().map(|line| {
        let half = |text| u64::from_str_radix(text, 16).expect("hexadecimal");
        let word = Word::from_halves(half(&line[..16]), half(&line[17..33]));
        (word, &line[35..])
    })
}

/// Clears the leftovers that these programs have: the relative address without its mode bit,
/// the modifiers of an absent third operand, the swizzle of an absent second one.
fn without_leftovers(word: Word) -> Word {
    const REL_MODE: u64 = 1 << 40;
    const REL_ADDRESS: u64 = 0x1fff << 41;
    const OP3_ABSENT: u64 = 7 << 27;
    const OP3_MODIFIERS: u64 = 3 << 30;
    const OP2_ABSENT: u64 = 7 << 22;
    const OP2_SWIZZLE: u64 = 0xff << 32;
    let (mut lo, mut hi) = word.halves();
    if lo & REL_MODE == 0 {
        lo &= !REL_ADDRESS;
    }
    if lo & OP3_ABSENT == OP3_ABSENT {
        lo &= !OP3_MODIFIERS;
    }
    if lo & OP2_ABSENT == OP2_ABSENT {
        hi = hi & !OP2_SWIZZLE | 0x1b << 32;
    }
    Word::from_halves(lo, hi)
}

#[test]
fn compiled_programs_print_as_listed() {
    for (name, program) in COMPILED {
        for (word, text) in columns(program) {
            let inst = word
                .decode(Profile::Base)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(inst.to_string(), text, "{name}");
        }
    }
}

#[test]
fn compiled_programs_assemble_to_their_words_without_leftovers() {
    for (name, program) in COMPILED {
        let text: Vec<&str> = columns(program).map(|(_, text)| text).collect();
        let assembled = assemble(&text.join("\n"));
        assert_eq!(assembled.diagnostics, [], "{name}");
        let expected: Vec<Word> = columns(program)
            .map(|(word, _)| without_leftovers(word))
            .collect();
        assert_eq!(words(&text.join("\n")), expected, "{name}");
    }
}
