//! Files that are not programs: the message names their kind, in a few lines.

mod samples;

use attila_shader::Program;
use expect_test::{Expect, expect};

use crate::{Outcome, attila, attila_bytes};
use samples::{KINDS, MAGIC, TEXTS};

/// The limit of lines of a message about a file that is not a program.
const LINES: usize = 12;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

fn refused(bytes: &[u8]) -> Outcome {
    let outcome = attila_bytes("check -", bytes);
    let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
    assert_eq!(outcome.code, 1, "{}", shown());
    assert_eq!(outcome.stdout, "", "{}", shown());
    let lines = outcome.stderr.lines().count();
    assert!(
        lines <= LINES,
        "{lines} lines for {}\n{}",
        shown(),
        outcome.stderr
    );
    assert!(lines > 0, "{}", shown());
    outcome
}

fn check_says(text: &[u8], expected: Expect) {
    expected.assert_eq(&attila_bytes("check -", text).transcript());
}

#[test]
fn two_hundred_files_that_are_no_programs_take_twelve_lines_each() {
    let mut dice = Dice(7);
    let mut files: Vec<Vec<u8>> = Vec::new();
    for (magic, _) in MAGIC {
        for length in [1000, 1024 - magic.len()] {
            files.push([*magic, &dice.bytes(length)].concat());
        }
    }
    for length in [1, 15, 16, 17, 160, 400, 1600, 4000, 16_000, 65_536] {
        files.push([&[0x05], &*dice.bytes(length), &[0]].concat());
        files.push([&[0x05], &*dice.bytes(16 * length - 1)].concat());
    }
    for byte in [0x00, 0x05, 0x1a, 0x36, 0x40, 0x80, 0xff] {
        files.push(vec![byte; 64]);
        files.push(vec![byte; 1600]);
    }
    for text in KINDS.iter().map(|(text, _)| text).chain(TEXTS) {
        files.push(text.as_bytes().to_vec());
        files.push(damaged(&text.repeat(30), &mut dice));
    }
    for count in 1..=10 {
        files.push(prose(20 * count * count, &mut dice));
        files.push(" \n\t\r\n".repeat(count).into_bytes());
    }
    assert!(files.len() >= 200, "{}", files.len());
    for file in files {
        refused(&file);
    }
}

/// The text with some characters removed and doubled.
fn damaged(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &byte in text.as_bytes() {
        let count = if byte == b'\n' { 9 } else { dice.below(40) };
        bytes.extend(std::iter::repeat_n(byte, count.min(2)));
        if count > 1 {
            bytes.pop();
        }
    }
    bytes
}

/// Words with line ends between them, among them names of instructions and of registers.
fn prose(words: usize, dice: &mut Dice) -> Vec<u8> {
    const WORDS: &[&str] = &[
        "the",
        "of",
        "and",
        "if",
        "add",
        "to",
        "a",
        "in",
        "mov",
        "sub",
        "is",
        "end",
        "for",
        "r0",
        "max",
        "not",
        "colour,",
        "texture.",
        "shader",
        "(see",
        "above)",
        "vertex;",
        "\"quoted\"",
        "a:",
        "-",
    ];
    let mut text = String::from("Once");
    for _ in 0..words {
        text.push_str([" ", " ", " ", "\n"][dice.below(4)]);
        text.push_str(WORDS[dice.below(WORDS.len())]);
    }
    text.into_bytes()
}

#[test]
fn formats_are_named() {
    for (magic, kind) in MAGIC {
        for length in [16, 21] {
            let bytes = [*magic, &vec![5; 16 + length - magic.len() % 16]].concat();
            let said = refused(&bytes).stderr;
            let start = format!("error[F03]: <stdin> is {kind}, not a program\n");
            assert!(said.starts_with(&start), "{said}");
        }
    }
}

#[test]
fn kinds_of_text_are_named() {
    for (text, what) in KINDS {
        let said = refused(text.as_bytes()).stderr;
        let message = said.lines().next().expect("there is a message");
        assert!(message.contains(what), "{message}\n{what}");
        for command in ["run -", "asm --hex -", "dis -", "translate -"] {
            let again = attila(command, text);
            assert_eq!(again.code, 1, "{command}");
            assert_eq!(again.stderr, crate::without_codes(&said), "{command}");
        }
    }
}

#[test]
fn comments_may_look_like_another_language() {
    let text = "#version 2 of mine\n; void main( uniform\n// {\"json\"}\nmov o1, i1\n";
    assert_eq!(attila("check -", text).code, 0);
    // So do comments of a program with an error.
    let wrong = attila("check -", &(text.to_owned() + "mov o1, i16\n"));
    assert!(
        wrong.stderr.starts_with("error[T04]: `i16` does not exist"),
        "{}",
        wrong.stderr
    );
    let empty = attila("check -", "#version 330\n").stderr;
    assert!(empty.contains("is GLSL"), "{empty}");
}

#[test]
fn texts_in_other_languages_are_refused_at_their_first_words() {
    check_says(
        b"!!ARBfp2.0\nEND",
        expect![[r#"
            --- stderr
            error[F03]: this is an ARB fragment program of another version (`!!ARBfp2.0`), which is not supported
              ┌─ <stdin>:1:1
              │
            1 │ !!ARBfp2.0
              │ ^^^^^^^^^^
              │
              = help: ARB programs are supported; they begin with `!!ARBvp1.0` or `!!ARBfp1.0`

            --- exit code 1
        "#]],
    );
    check_says(
        b"ps_2_0\nmov oC0, v0",
        expect![[r#"
            --- stderr
            error[F03]: this is Direct3D assembly (`ps_2_0`), which is not supported
              ┌─ <stdin>:1:1
              │
            1 │ ps_2_0
              │ ^^^^^^
              │
              = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
}

#[test]
fn files_that_are_not_programs_are_refused_by_their_kind() {
    check_says(
        b"\x89PNG\r\n\x1a\n\0\0\0\r",
        expect![[r#"
            --- stderr
            error[F03]: <stdin> is a PNG image, not a program
             = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
    check_says(
        b"\xff\xfem\0o\0v\0",
        expect![[r#"
            --- stderr
            error[F03]: <stdin> is text in UTF-16; programs are UTF-8
             = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
    check_says(
        &[5; 18],
        expect![[r#"
            --- stderr
            error[F03]: <stdin> is not a program: its 18 bytes are neither text nor a whole number of 16-byte instructions
             = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
}

#[test]
fn texts_that_are_no_programs_show_their_first_error() {
    check_says(
        TEXTS[0].as_bytes(),
        expect![[r#"
            --- stderr
            error[F03]: <stdin> is not a program: 0 of its 4 lines look like instructions
              ┌─ <stdin>:1:1
              │
            1 │ Dear all,
              │ ^^^^
              │
              = unknown instruction `Dear`
              = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
}

#[test]
fn programs_with_mistakes_show_them_all() {
    let text = "mvo r0, i1\nsub r1, r0, i2\nmul r1, r1\nmov o1, r99\n";
    let said = attila("check -", text).stderr;
    assert_eq!(said.matches("error[").count(), 4, "{said}");
    let arb = "!!ARBfp1.0\nTEMP a;\nMVO a, 1;\nMOV a, b;\nMOV c, a;\nMOV result.color, a;\nEND";
    let said = attila("check -", arb).stderr;
    assert_eq!(said.matches("error[").count(), 3, "{said}");
}

#[test]
fn texts_that_are_not_utf8_say_where() {
    check_says(
        b"mov o1, i1, c0\nm\xf6v o1, i1",
        expect![[r#"
            --- stderr
            error[F02]: not UTF-8 at line 2, column 2
              ┌─ <stdin>:2:2
              │
            2 │ möv o1, i1
              │  ^
              │
              = help: save the file as UTF-8

            --- exit code 1
        "#]],
    );
    check_says(
        b";! texture t0 = m\xe4.png\ntex o1, i6, t0",
        expect![[r#"
            --- stderr
            error[F02]: not UTF-8 at line 1, column 18
              ┌─ <stdin>:1:18
              │
            1 │ ;! texture t0 = mä.png
              │                  ^
              │
              = help: save the file as UTF-8

            --- exit code 1
        "#]],
    );
}

#[test]
fn comments_that_are_not_utf8_are_a_warning() {
    check_says(
        b"mov o1, i1 ; gr\xfcn und \xf6de",
        expect![[r#"
            <stdin>: a valid fragment program
              instructions  1 (16 bytes)
              control flow  none
              inputs        i1
              outputs       o1
            --- stderr
            warning[F02]: the comment is not UTF-8 at line 1, column 16
              ┌─ <stdin>:1:16
              │
            1 │ mov o1, i1 ; grün und öde
              │                ^
              │
              = help: save the file as UTF-8

        "#]],
    );
}

#[test]
fn control_characters_in_texts_are_refused_with_their_place() {
    check_says(
        b"mov o1, i1 ; what is this?\nmov o2, i2\nmov\x1b o3, i3\n",
        expect![[r#"
            --- stderr
            error[F03]: <stdin> has the byte 0x1b at line 3, column 4, which texts do not have
             = help: programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries

            --- exit code 1
        "#]],
    );
}

#[test]
fn the_form_of_a_file_depends_on_its_bytes_alone() {
    let path = crate::scratch("text.bin");
    std::fs::write(&path, "mov o1, i1      ").expect("it can be written");
    let checked = attila(&format!("check {}", path.display()), "");
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    let forced = attila(&format!("check --binary {}", path.display()), "");
    assert!(
        forced.stderr.contains("opcode 0x6d is reserved"),
        "{}",
        forced.stderr
    );
}

#[test]
fn binaries_show_ten_findings_and_their_number() {
    let text = "mov o1, r0\njmp p0, 99\nddx r1, i1\n".to_owned() + &"jmp p1, 50\n".repeat(9);
    let program = Program::assemble(&text).expect("assembles");
    check_says(
        &program.encode(),
        expect![[r#"
            --- stderr
            error[V04]: <stdin>: 10 findings
             = error[V04]: instruction 1 at byte 0x10, `jmp p0, 99`: the jump leads to instruction 100, outside the program's 0 to 11
             = error[V04]: instruction 3 at byte 0x30, `jmp p1, 50`: the jump leads to instruction 53, outside the program's 0 to 11
             = error[V04]: instruction 4 at byte 0x40, `jmp p1, 50`: the jump leads to instruction 54, outside the program's 0 to 11
             = error[V04]: instruction 5 at byte 0x50, `jmp p1, 50`: the jump leads to instruction 55, outside the program's 0 to 11
             = error[V04]: instruction 6 at byte 0x60, `jmp p1, 50`: the jump leads to instruction 56, outside the program's 0 to 11
             = error[V04]: instruction 7 at byte 0x70, `jmp p1, 50`: the jump leads to instruction 57, outside the program's 0 to 11
             = error[V04]: instruction 8 at byte 0x80, `jmp p1, 50`: the jump leads to instruction 58, outside the program's 0 to 11
             = error[V04]: instruction 9 at byte 0x90, `jmp p1, 50`: the jump leads to instruction 59, outside the program's 0 to 11
             = error[V04]: instruction 10 at byte 0xa0, `jmp p1, 50`: the jump leads to instruction 60, outside the program's 0 to 11
             = warning[V12]: instruction 0 at byte 0x0, `mov o1, r0`: r0.xyzw is read but never written; it is 0

            --- exit code 1
        "#]],
    );
    let program = Program::assemble("mov o1, r0").expect("assembles");
    check_says(
        &program.encode(),
        expect![[r#"
            <stdin>: a valid fragment program
              instructions  1 (16 bytes)
              control flow  none
              outputs       o1
              temporaries   r0
            --- stderr
            warning[V12]: <stdin>: 1 finding
             = warning[V12]: instruction 0 at byte 0x0, `mov o1, r0 <- end`: r0.xyzw is read but never written; it is 0

        "#]],
    );
    check_says(
        &[5; 480],
        expect![[r#"
            --- stderr
            error[F04]: <stdin>: 30 faults, the first of which are
             = instruction 0 at byte 0x0: opcode 0x05 is reserved
             = instruction 1 at byte 0x10: opcode 0x05 is reserved
             = instruction 2 at byte 0x20: opcode 0x05 is reserved
             = instruction 3 at byte 0x30: opcode 0x05 is reserved
             = instruction 4 at byte 0x40: opcode 0x05 is reserved
             = instruction 5 at byte 0x50: opcode 0x05 is reserved
             = instruction 6 at byte 0x60: opcode 0x05 is reserved
             = instruction 7 at byte 0x70: opcode 0x05 is reserved
             = instruction 8 at byte 0x80: opcode 0x05 is reserved
             = instruction 9 at byte 0x90: opcode 0x05 is reserved

            --- exit code 1
        "#]],
    );
}

#[test]
fn programs_in_another_form_name_the_command_that_takes_it() {
    let words = "000000f139c00116 001b001b00011b01\n";
    let binary = b"\x16\x01\xc0\x39\xf1\0\0\0\x01\x1b\x01\0\x1b\0\x1b\0";
    let cases: [(&str, &[u8], &str); 8] = [
        (
            "dis",
            b"mov o1, i1\n",
            "assembly; `attila asm` assembles it",
        ),
        ("dis", b"mov o1 i1\n", "assembly; `attila asm` assembles it"),
        (
            "dis",
            b"!!ARBfp1.0\nEND",
            "an ARB program; `attila translate` shows it as assembly",
        ),
        (
            "asm --hex",
            binary,
            "a binary; `attila dis` shows it as assembly",
        ),
        (
            "asm --hex",
            words.as_bytes(),
            "words in hexadecimal; `attila dis` shows it as assembly",
        ),
        (
            "translate",
            binary,
            "a binary; `attila dis` shows it as assembly",
        ),
        (
            "translate",
            b"mov o1, i1\n",
            "assembly already; `attila asm` assembles it",
        ),
        (
            "dis",
            b"# two\n!!ARBvp1.0\nEND\n!!ARBfp1.0\nEND",
            "an ARB program; `attila translate` shows it as assembly",
        ),
    ];
    for (command, bytes, message) in cases {
        let outcome = attila_bytes(&format!("{command} -"), bytes);
        let refusal = format!("error: <stdin>: this is {message}\n");
        assert!(outcome.stderr.ends_with(&refusal), "{}", outcome.stderr);
        assert_eq!(outcome.code, 1);
    }
}
