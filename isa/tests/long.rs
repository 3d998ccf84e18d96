//! The long spelling of queries for samples.

use attila_isa::{Opcode, Program, Severity, Word, assemble};

/// The canonical word of a line of the extended profile, without the end flag.
fn word(line: &str) -> Word {
    let text = format!(".extended\n{line}");
    let program = Program::assemble(&text).unwrap_or_else(|error| panic!("{error}\n{line}"));
    let mut inst = program.insts()[0];
    inst.end = false;
    inst.encode().expect("it fits")
}

/// The remarks about a line of the extended profile, which is line 2.
fn remarks(line: &str) -> Vec<String> {
    let assembly = assemble(&format!(".extended\n{line}"));
    let remarks = assembly.diagnostics.iter().map(ToString::to_string);
    remarks.collect()
}

/// Statements in both spellings.
const BOTH: [(&str, &str); 20] = [
    ("PIXLD.MSCOUNT R21;", "pixld_count r21.x"),
    ("@P6 PIXLD.COVMASK R0;", "(p6) pixld_mask r0.x"),
    ("@!P0 PIXLD.COVERED R31;", "(!p0) pixld_covered r31.x"),
    (
        "@P7 PIXLD.COVERED R4, P1, [R1];",
        "pixld_covered r4.x, p1, [r1.x]",
    ),
    (
        "PIXLD.COVERED R4, P7, [R1+#0];",
        "pixld_covered r4.x, [r1.x]",
    ),
    ("PIXLD.COVERED R1, [#0xff];", "pixld_covered r1.x, [255]"),
    (
        "PIXLD.OFFSET R2, [R3+#-0x80];",
        "pixld_offset r2.x, [r3.x - 128]",
    ),
    (
        "PIXLD.OFFSET R2, [ R3 + # 127 ] ;",
        "pixld_offset r2.x, [r3.x + 127]",
    ),
    ("PIXLD.CENTROID_OFFSET R5 &rd0 &wr5;", "pixld_centroid r5.x"),
    (
        "PIXLD.MY_INDEX R26, P0 &req_6 ?W3;",
        "pixld_index r26.x, p0",
    ),
    (
        "@!p2 pixld.covered r0, p3, [r1+#0X2] ?name;",
        "(!p2) pixld_covered r0.x, p3, [r1.x + 2]",
    ),
    ("  label: PIXLD.COVMASK R1; // the mask", "pixld_mask r1.x"),
    (
        "label: @P1 PIXLD.MSCOUNT R1;# the count",
        "(p1) pixld_count r1.x",
    ),
    ("@!P7 PIXLD.COVERED R0, P1, [#3];", "nop"),
    ("PIXLD.COVMASK R254;", "pixld_mask r254.x"),
    (
        "@PT PIXLD.OFFSET R32, [R254+#-1] &req={0,1} &rd=0x3 &wr=5 ?WAIT5_END_GROUP;",
        "pixld_offset r32.x, [r254.x - 1]",
    ),
    ("@!PT PIXLD.COVMASK R0;", "nop"),
    (
        "PIXLD.COVERED RZ, P2, [#1];",
        "pixld_covered r0.none, p2, [1]",
    ),
    (
        "pixld.covered r1, pt, [rz+#7] &REQ={ 0 };",
        "pixld_covered r1.x, [7]",
    ),
    ("PIXLD.OFFSET R1, [RZ+#-1];", "pixld_offset r1.x, [255]"),
];

#[test]
fn both_spellings_are_the_same_words() {
    for (long, short) in BOTH {
        assert_eq!(word(long), word(short), "{long}");
        assert_eq!(remarks(long), [""; 0], "{long}");
    }
}

#[test]
fn parts_that_a_query_does_not_have_are_left_out_with_a_warning() {
    let cases = [
        (
            "PIXLD R0;",
            "pixld_count r0.x",
            vec!["2:1: warning: `PIXLD` without a mode is `PIXLD.MSCOUNT` (name the mode)"],
        ),
        (
            "PIXLD.COVMASK R0, P1;",
            "pixld_mask r0.x",
            vec!["2:19: warning: `pixld_mask` has no predicate; it is left out"],
        ),
        (
            "PIXLD.MY_INDEX R0, P1, [R2+#1];",
            "pixld_index r0.x, p1",
            vec!["2:24: warning: `pixld_index` has no number of a sample; it is left out"],
        ),
        (
            "PIXLD.OFFSET R0, P2, [#1];",
            "pixld_offset r0.x, [1]",
            vec!["2:18: warning: `pixld_offset` has no predicate; it is left out"],
        ),
        (
            "PIXLD r0, p3, [#1];",
            "pixld_count r0.x",
            vec![
                "2:1: warning: `PIXLD` without a mode is `PIXLD.MSCOUNT` (name the mode)",
                "2:11: warning: `pixld_count` has no predicate; it is left out",
                "2:15: warning: `pixld_count` has no number of a sample; it is left out",
            ],
        ),
    ];
    for (long, short, warnings) in cases {
        assert_eq!(word(long), word(short), "{long}");
        assert_eq!(remarks(long), warnings, "{long}");
    }
}

#[test]
fn faults_are_pointed_out() {
    let cases = [
        (
            "PIXLD.COVMSAK R0;",
            "2:7: error: unknown mode `COVMSAK` (did you mean `COVMASK`?)",
        ),
        (
            "PIXLD.INNER R0;",
            "2:7: error: unknown mode `INNER` (modes are MSCOUNT, COVMASK, COVERED, OFFSET, CENTROID_OFFSET, MY_INDEX)",
        ),
        (
            "PIXLD.COVMASK R255;",
            "2:15: error: `R255` does not exist; the last is `R254`, and `RZ` is 0",
        ),
        (
            "PIXLD.COVERED R0, [R256];",
            "2:20: error: `R256` does not exist; the last is `R254`, and `RZ` is 0",
        ),
        (
            "PIXLD.COVERED R0, [RZ+#0x80];",
            "2:20: error: the number added to a register is not within -128 to 127",
        ),
        (
            "PIXLD.COVERED R0, P9;",
            "2:19: error: `P9` does not exist; the last is `P6`, and `P7` is none",
        ),
        (
            "@P8 PIXLD.COVERED R0;",
            "2:2: error: `P8` does not exist; the last is `P6`, and `P7` is none",
        ),
        (
            "PIXLD.COVERED R0, [#256];",
            "2:20: error: the sample's number is not within 0 to 255",
        ),
        (
            "PIXLD.COVERED R0, [#-1];",
            "2:20: error: the sample's number is not within 0 to 255",
        ),
        (
            "PIXLD.COVERED R0, [R1+#0x80];",
            "2:20: error: the number added to a register is not within -128 to 127",
        ),
        (
            "PIXLD.COVERED R0, [R1+#99999999999999999999];",
            "2:20: error: the number added to a register is not within -128 to 127",
        ),
        (
            "PIXLD.COVERED R0 &reqs;",
            "2:19: error: unknown hint `reqs` (hints are `&req_N`, `&req={N,...}`, `&rdN`, `&rd=N`, `&wrN`, `&wr=N` and `?name`)",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(remarks(line), [message], "{line}");
    }
}

#[test]
fn marks_and_words_that_do_not_belong_there_are_pointed_out() {
    const USAGE: &str =
        " (usage: [@[!]Pg] PIXLD[.MODE] Rd[, Pd][, [#n]|[Ra]|[Ra+#n]] {&hint|?hint};)";
    let usages = [
        (
            "@!P7 PIXLD.COVMASK R0",
            "2:22: error: expected `;`, found the end of the line",
        ),
        (
            "PIXLD.COVMASK",
            "2:14: error: expected a register, found the end of the line",
        ),
        (
            "PIXLD.COVMASK R0.x;",
            "2:17: error: expected `;`, found `.`",
        ),
        (
            "PIXLD.COVERED R0, R1;",
            "2:19: error: expected a predicate, found `R1`",
        ),
        (
            "PIXLD.COVERED R0, P1, P2;",
            "2:23: error: expected `[`, found `P2`",
        ),
        (
            "PIXLD.COVERED R0, [R1-#1];",
            "2:22: error: expected `]`, found `-`",
        ),
        (
            "PIXLD.COVERED R0, [R1+2];",
            "2:23: error: expected `#`, found `2`",
        ),
        (
            "PIXLD.COVERED R0, [#0x];",
            "2:21: error: expected a number, found `0x`",
        ),
        (
            "PIXLD.COVERED R0, [#1], P1;",
            "2:23: error: expected `;`, found `,`",
        ),
        (
            "PIXLD.COVMASK R0 &req={0,};",
            "2:26: error: expected a number, found `}`",
        ),
        (
            "PIXLD.COVMASK R0 &req={};",
            "2:24: error: expected a number, found `}`",
        ),
        (
            "PIXLD.COVMASK R0 &req={0;",
            "2:25: error: expected `}`, found `;`",
        ),
        (
            "PIXLD.COVMASK R0 &rd={0};",
            "2:22: error: expected a number, found `{`",
        ),
        (
            "PIXLD.COVMASK R0 &req;",
            "2:22: error: expected `=`, found `;`",
        ),
        (
            "PIXLD.COVMASK R0; nop",
            "2:19: error: expected the end of the line, found `nop`",
        ),
    ];
    for (line, message) in usages {
        assert_eq!(remarks(line), [format!("{message}{USAGE}")], "{line}");
    }
    assert_eq!(
        remarks("@P0 mov r0, r1"),
        ["2:1: error: expected an instruction, found `@`"]
    );
    let base = assemble("PIXLD.COVMASK R0;").diagnostics[0].to_string();
    assert_eq!(
        base,
        "1:1: error: `PIXLD` is an instruction of the extended profile (write `.extended` on the first line)"
    );
}

#[test]
fn listings_have_the_long_spelling_where_it_can_say_the_instruction() {
    let text = "\
.extended
(!p3) pixld_covered r4.x, p1, [r1.x - 14]
pixld_offset r4.x, [255]
pixld_covered r4.x, p7
pixld_mask r4.y
pixld_mask o4.x
pixld_mask r255.x
pixld_mask r254.x
pixld_mask r1.none
pixld_mask r0.none
pixld_index r0.x <- wait
pixld_offset r0.x, [r1]
mov o1, r0
pixld_count r0.x <- end
";
    let program = Program::assemble(text).expect("it assembles");
    let listing = program.listing().with_long_queries().to_string();
    expect_test::expect![[r#"
        .extended
        @!P3 PIXLD.COVERED R4, P1, [R1+#-0xe];
        PIXLD.OFFSET R4, [#0xff];
        pixld_covered r4.x, p7
        pixld_mask r4.y
        pixld_mask o4.x
        pixld_mask r255.x
        PIXLD.COVMASK R254;
        pixld_mask r1.none
        PIXLD.COVMASK RZ;
        pixld_index r0.x <- wait
        pixld_offset r0.x, [r1]
        mov o1, r0
        PIXLD.MSCOUNT R0;
    "#]]
    .assert_eq(&listing);
    let again = Program::assemble(&listing).expect("it assembles again");
    assert_eq!(again, program);
}

#[test]
fn listings_in_the_long_spelling_have_the_hints_of_the_text() {
    let text = "\
.extended
PIXLD.COVMASK R0&req={ 0 , 1 }  &Wr=0x2 ?W4 ;
@!PT PIXLD.MSCOUNT R1 &rd0; # hints of nothing
mov r1, r0
pixld_count r2.x <- end
@P0 PIXLD.MY_INDEX R3, P1 &req_6 &rd0;
";
    let program = Program::assemble(text).expect("it assembles");
    let listing = program.listing().with_long_queries().to_string();
    expect_test::expect![[r#"
        .extended
        PIXLD.COVMASK R0 &req={0,1} &Wr=0x2 ?W4;
        nop
        mov r1, r0
        pixld_count r2.x <- end
        @P0 PIXLD.MY_INDEX R3, P1 &req_6 &rd0;
    "#]]
    .assert_eq(&listing);
    let again = Program::assemble(&listing).expect("it assembles again");
    assert_eq!(again, program);
    assert_eq!(again.hints(4), program.hints(4));
    // Hints have no place in words.
    let decoded = Program::decode(&program.encode()).expect("it decodes");
    assert_eq!((&decoded, decoded.hints(0)), (&program, ""));
}

/// The words of a xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Pieces that mutations put in.
const PIECES: [&str; 29] = [
    "{",
    "}",
    "=",
    "&req={0,1}",
    "RZ",
    "@",
    "!",
    "P7",
    "P9",
    "PIXLD",
    ".",
    "COVERED",
    "R254",
    "R255",
    ",",
    "[",
    "]",
    "#",
    "+",
    "-",
    "0x",
    "256",
    "-129",
    "&req_6",
    "?W1",
    ";",
    "é",
    "99999999999999999999",
    " ",
];

/// Texts that are tried, unless `ATTILA_DAMAGED` has a number.
const DAMAGED: usize = 20_000;

fn damaged_texts() -> usize {
    match std::env::var("ATTILA_DAMAGED") {
        Ok(number) => number.parse().expect("ATTILA_DAMAGED is a number"),
        Err(_) => DAMAGED,
    }
}

#[test]
fn damaged_statements_give_a_program_or_errors_within_the_text() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut programs, mut refused) = (0, 0);
    for _ in 0..damaged_texts() {
        let (long, _) = BOTH[random.below(BOTH.len())];
        let mut chars: Vec<String> = long.chars().map(String::from).collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(chars.len() + 1);
            let piece = PIECES[random.below(PIECES.len())].to_owned();
            match random.below(3) {
                0 => chars.insert(at, piece),
                1 if at < chars.len() => chars[at] = piece,
                _ if at < chars.len() => drop(chars.remove(at)),
                _ => {}
            }
        }
        let text = format!(".extended\n{}", chars.concat());
        let assembly = assemble(&text);
        for diagnostic in &assembly.diagnostics {
            assert!(
                text.get(diagnostic.span.clone()).is_some(),
                "{diagnostic}\n{text}"
            );
        }
        let errors = assembly.diagnostics.iter();
        let is_refused = errors.clone().any(|it| it.severity == Severity::Error);
        match assembly.program {
            Some(program) => {
                assert!(!is_refused, "{text}");
                programs += 1;
                let listing = program.listing().with_long_queries().to_string();
                let again = Program::assemble(&listing).unwrap_or_else(|e| panic!("{e}\n{text}"));
                assert_eq!(again, program, "{text}");
            }
            None => {
                assert!(is_refused, "{text}");
                refused += 1;
            }
        }
    }
    assert!(
        programs * 50 > refused && refused * 50 > programs,
        "{programs} {refused}"
    );
}

#[test]
fn every_mode_is_a_query() {
    let queries = Opcode::ALL.iter().filter(|op| op.is_sample_query());
    let modes = [
        "MSCOUNT",
        "COVMASK",
        "COVERED",
        "OFFSET",
        "CENTROID_OFFSET",
        "MY_INDEX",
    ];
    for (op, mode) in queries.zip(modes) {
        assert_eq!(
            word(&format!("pixld.{mode} r0;")),
            word(&format!("{op} r0.x"))
        );
    }
}
