//! Every printed program assembles to itself. Every text is a program or refused, in time that grows with
//! its length.

use std::fmt::Write;

use attila_isa::{
    Bank, BoolSrc, Component, Dst, Guard, Imm, Inst, MAX_STATEMENTS, Modifiers, OpFlags, Opcode,
    Operand, OperandKind, Pred, Profile, Program, Reg, RelAddr, ResultPath, ScratchArray, Severity,
    Slots, Src, Swizzle, TextureTarget, Word, assemble,
};

/// A splitmix64 generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn reg(&mut self, bank: Bank) -> Reg {
        Reg::new(bank, self.below(bank.size(Profile::Base).into()) as u16).expect("within the bank")
    }

    fn pred(&mut self) -> Pred {
        Pred::new(self.below(32) as u8).expect("within the bank")
    }

    fn modifiers(&mut self) -> Modifiers {
        Modifiers {
            negate: self.flag(),
            absolute: self.flag(),
        }
    }

    fn source(&mut self) -> Operand {
        let bank = self.pick(&[Bank::Input, Bank::Constant, Bank::Temp, Bank::Address]);
        Operand::Reg(Src {
            reg: self.reg(bank),
            swizzle: Swizzle::from_bits(self.bits() as u8),
            modifiers: self.modifiers(),
        })
    }

    /// A source without modifiers.
    fn plain_source(&mut self, banks: &[Bank]) -> Operand {
        let bank = self.pick(banks);
        let swizzle = Swizzle::from_bits(self.bits() as u8);
        Operand::Reg(Src {
            swizzle,
            ..Src::new(self.reg(bank))
        })
    }

    fn immediate(&mut self) -> Operand {
        let bits = match self.below(3) {
            0 => self.bits() as u32,
            1 => (self.below(2000) as f32 / 8.0).to_bits(),
            _ => self.below(2000) as u32,
        };
        let modifiers = self.modifiers();
        Operand::Imm(Imm { bits, modifiers })
    }

    fn truth_value(&mut self) -> BoolSrc {
        let negate = self.flag();
        match self.below(3) {
            0 => BoolSrc::Literal(negate),
            1 => BoolSrc::Pred {
                pred: self.pred(),
                negate,
            },
            _ => BoolSrc::Constant {
                reg: self.reg(Bank::Constant),
                component: self.pick(&Component::ALL),
                negate,
            },
        }
    }

    fn operand(&mut self, op: Opcode, index: usize, kind: OperandKind) -> Operand {
        match kind {
            OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Raw(_) => {
                let immediate = index == 1 && op.has(OpFlags::IMM) && self.flag();
                if immediate {
                    self.immediate()
                } else {
                    self.source()
                }
            }
            OperandKind::Double(_) => self.double(),
            OperandKind::Bool => Operand::Bool(self.truth_value()),
            OperandKind::Unit => Operand::Unit {
                unit: self.below(16) as u8,
                target: TextureTarget::Bound,
            },
            OperandKind::Attribute => Operand::Attribute(self.below(16) as u8),
            OperandKind::Stream => Operand::Stream(self.bits() as u8 % 4),
            OperandKind::Sample => Operand::Sample(self.bits() as u8),
            OperandKind::Scratch => Operand::Scratch(self.array()),
            OperandKind::Buffer => Operand::Buffer(self.below(32) as u8),
            OperandKind::Storage => Operand::Storage(self.below(32) as u8),
            OperandKind::Offset => Operand::Offset(self.bits() as i32),
            OperandKind::Ignored if self.flag() => Operand::None,
            OperandKind::Ignored => self.source(),
            OperandKind::Input => self.plain_source(&[Bank::Input]),
            OperandKind::Index if self.flag() => Operand::None,
            OperandKind::Index => {
                self.plain_source(&[Bank::Input, Bank::Constant, Bank::Temp, Bank::Address])
            }
            OperandKind::Number => Operand::Number(self.bits() as u8),
            OperandKind::OptionalFloat(_)
            | OperandKind::Texels
            | OperandKind::Gradients
            | OperandKind::Absent => unreachable!("opcodes that name a target are left out"),
        }
    }

    /// A source whose swizzle keeps pairs of components.
    fn double(&mut self) -> Operand {
        let Operand::Reg(src) = self.source() else {
            unreachable!("a source is a register")
        };
        let swizzle = self.pick(&[0x11, 0xbb, 0x1b, 0xb1].map(Swizzle::from_bits));
        Operand::Reg(Src { swizzle, ..src })
    }

    /// A write mask that the opcode takes.
    fn mask(&mut self, op: Opcode) -> Slots {
        loop {
            let mask = Slots::from_bits_truncate(self.bits() as u8);
            let pairs = !mask.is_empty() && mask.is_of_pairs();
            let wide = op.narrows() && mask.components().count() > 2;
            if !wide && (pairs || !op.info().results.is_double()) {
                return mask;
            }
        }
    }

    fn array(&mut self) -> ScratchArray {
        ScratchArray {
            base: self.bits() as u16,
            size: self.bits() as u16 & ScratchArray::MOST,
        }
    }

    fn opcode(&mut self, profile: Profile) -> Opcode {
        // Opcodes that name a target need a texture as well.
        let opcodes = profile.opcodes().filter(|op| !op.names_target());
        let opcodes: Vec<Opcode> = opcodes.collect();
        self.pick(&opcodes)
    }

    /// Any instruction of the base profile that fits its opcode.
    fn inst(&mut self) -> Inst {
        self.inst_of(Profile::Base)
    }

    /// Any instruction that fits its opcode.
    fn inst_of(&mut self, profile: Profile) -> Inst {
        let op = self.opcode(profile);
        let mut inst = Inst::new(op);
        inst.guard = self.flag().then(|| Guard {
            pred: self.pred(),
            negate: self.flag(),
        });
        let results = op.info().results;
        let saturate = self.flag() && !(results.scratch || results.storage || op.is_sample_query());
        inst.path = ResultPath::saturate_if(saturate);
        inst.end |= self.below(8) == 0;
        inst.wait = self.flag();
        if op.info().results.register.is_some() {
            let bank = self.pick(&[Bank::Output, Bank::Temp, Bank::Address]);
            let reg = self.reg(bank);
            inst.dst = Dst::reg(reg, self.mask(op));
        }
        if op.info().results.scratch {
            let mask = Slots::from_bits_truncate(self.bits() as u8);
            inst.dst = Dst::scratch(self.array(), mask);
        }
        if op.info().results.storage {
            inst.dst = Dst::storage(self.mask(op));
        }
        let has_predicate = results.predicate || results.also_predicate && self.flag();
        inst.dst.pred = has_predicate.then(|| self.pred());
        for (index, kind) in op.operands().iter().enumerate() {
            inst.operands[index] = self.operand(op, index, *kind);
        }
        let may_be_relative = inst.scratch().is_none() && !op.is_sample_query();
        if inst.has_constant() && may_be_relative && self.flag() {
            inst.relative = Some(RelAddr {
                reg: self.reg(Bank::Address),
                component: self.pick(&Component::ALL),
                offset: self.below(512) as i16 - 256,
            });
        }
        inst
    }
}

/// Panics unless the printed program assembles to the same bytes, with and without labels.
fn check_round_trip(program: &Program) {
    let bytes = program.encode();
    for text in [
        program.to_string(),
        program.listing().with_labels().to_string(),
    ] {
        let again = Program::assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again.encode() == bytes, "printed\n{text}read as\n{again}");
    }
}

#[test]
fn what_a_million_random_words_decode_to_prints_and_assembles_to_the_same_words() {
    let mut random = Random(1);
    let mut insts = Vec::new();
    let mut decoded = 0;
    for round in 0..1_000_000 {
        let mut lo = random.bits();
        if round % 2 == 0 {
            // Half of them with a valid opcode, or most would fail at the first byte.
            lo = lo & !0xff | u64::from(random.opcode(Profile::Base).code());
        }
        insts.extend(Word::from_halves(lo, random.bits()).decode(Profile::Base));
        if insts.len() == 100 {
            decoded += insts.len();
            let program =
                Program::new(std::mem::take(&mut insts)).expect("decoded instructions fit");
            check_round_trip(&program);
        }
    }
    assert!(decoded > 10_000, "only {decoded} words decoded");
}

#[test]
fn random_instructions_print_and_assemble_to_the_same_words() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let length = random.below(8);
        let insts = (0..length).map(|_| random.inst()).collect();
        check_round_trip(&Program::new(insts).expect("the generator makes fitting instructions"));
    }
}

#[test]
fn random_instructions_of_the_extended_profile_do_so_too() {
    let mut random = Random(4);
    for _ in 0..20_000 {
        let length = random.below(8);
        let insts = (0..length).map(|_| random.inst_of(Profile::Extended));
        let program = Program::in_profile(Profile::Extended, insts.collect());
        check_round_trip(&program.expect("the generator makes fitting instructions"));
    }
}

#[test]
fn jumps_of_short_programs_survive_as_labels() {
    let mut random = Random(3);
    for _ in 0..2_000 {
        let length = 1 + random.below(12);
        let mut insts: Vec<Inst> = (0..length).map(|_| random.inst()).collect();
        for (pc, inst) in insts.iter_mut().enumerate() {
            if inst.op == Opcode::Jmp {
                inst.operands[1] = Operand::Offset(random.below(length + 2) as i32 - pc as i32 - 1);
            }
        }
        check_round_trip(&Program::new(insts).expect("the generator makes fitting instructions"));
    }
}

/// A text that uses every part of the grammar.
const SEED: &str = "\u{feff}; every part of the grammar
start: loop:
  (!p3) mad_sat r1.xyw, -|r2.wzyx|, c260[a0.x + 5].x, c1[a0.x + 5] <- wait
  MUL R0.rgb, r1.gggg, -0.5 # a comment
  addi r0, r1, -|7| // another
  add r0.none, i0, 0x7fc00001
  setpgt !p1, r0.x, 1e-3
  andp p0, true, !c3[a1.w - 256].w
  jmp !p1, loop
  jmp p0, -3\r
\ttex r0, i6, t0
  lda r2, i0.x, v1
  kls r1.x, s2
  zxs r1
  fxmad r0, r1, 2.5, r3
  arl a0.x, c[a0.x].x ; é
  chs
  (p31) end <- end
";

/// Characters and snippets that matter to the lexer and parser, and some outside of the grammar.
const SNIPPETS: &[&str] = &[
    "\n",
    "\r",
    "\t",
    " ",
    "|",
    "-",
    "--",
    "!",
    "(",
    ")",
    "[",
    "]",
    ".",
    ",",
    ":",
    "<-",
    "<",
    "+",
    "#",
    ";",
    "//",
    "0x",
    "1e",
    "1e99",
    "99999999999999999999",
    "c[a0.x-300]",
    "r32",
    "p",
    "_sat",
    "end",
    "é",
    "\u{0}",
    "\u{feff}",
    "𝕏",
    "\u{202e}",
    "loop",
    "true",
    "none",
    "q",
    "-0",
    ".5.",
    "jmp",
];

fn boundary(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Inserts, replaces, removes or repeats a few characters.
fn mutate(random: &mut Random, text: &mut String) {
    let at = boundary(random, text);
    let span = |text: &str, count| {
        at + text[at..]
            .chars()
            .take(count)
            .map(char::len_utf8)
            .sum::<usize>()
    };
    match random.below(4) {
        0 => text.insert_str(at, random.pick(SNIPPETS)),
        1 => text.replace_range(at..span(text, 1), random.pick(SNIPPETS)),
        2 => text.replace_range(at..span(text, 1 + random.below(8)), ""),
        _ => {
            let copy = text[at..span(text, 40)].to_owned();
            text.insert_str(boundary(random, text), &copy);
        }
    }
}

#[test]
fn mutated_texts_give_a_program_or_errors_within_the_text() {
    let mut random = Random(4);
    let (mut programs, mut rejected) = (0, 0);
    for _ in 0..100_000 {
        let mut text = SEED.to_owned();
        for _ in 0..1 + random.below(6) {
            mutate(&mut random, &mut text);
        }
        let assembly = assemble(&text);
        let errors = assembly
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        assert_eq!(assembly.program.is_none(), errors.count() > 0, "{text}");
        for diagnostic in &assembly.diagnostics {
            assert!(
                text.get(diagnostic.span.clone()).is_some(),
                "{diagnostic}\n{text}"
            );
        }
        match assembly.program {
            Some(program) => {
                programs += 1;
                let printed = Program::assemble(&program.to_string()).expect("what is printed");
                assert_eq!(printed, program, "{text}");
            }
            None => rejected += 1,
        }
    }
    assert!(
        programs > 1_000 && rejected > 1_000,
        "{programs} programs, {rejected} rejected"
    );
}

#[test]
fn the_effort_grows_with_the_length_of_the_text_only() {
    const SIZE: usize = 1 << 20;
    let mut texts: Vec<String> = [
        "|",
        "a:",
        "c[",
        "x",
        "x ",
        "\n",
        "mvo\n",
        "é",
        "9",
        ".",
        "jmp p0, q\n",
        "<-",
        "-",
        "r0.",
        "mov r0, r0\n",
        "rcp r0, r0\n",
        "a:\n",
        "mov_sat",
        "\u{feff}",
    ]
    .iter()
    .map(|part| part.repeat(SIZE / part.len()))
    .collect();
    // Thousands of labels, and as many that are misspelled.
    let mut labels = String::new();
    for index in 0..20_000 {
        writeln!(labels, "label{index}: jmp true, lable{index}").expect("strings take everything");
    }
    texts.push(labels);
    for text in texts {
        let assembly = assemble(&text);
        assert!(assembly.diagnostics.len() <= 202, "{}", &text[..10]);
    }
}

#[test]
fn a_text_has_a_limit_of_instructions() {
    let full = "mov o1, i1\n; a comment\n".repeat(MAX_STATEMENTS);
    let program = Program::assemble(&full).expect("it is full");
    assert_eq!(program.insts().len(), MAX_STATEMENTS);
    // Labels beyond it are not read, and so not missed.
    let error = Program::assemble(&format!("jmp p0, far\n{full} junk\nfar: end"));
    assert_eq!(
        error.unwrap_err().to_string(),
        "131072:1: error: a text has at most 65536 instructions"
    );
}
