//! `check`: programs that `render` would refuse.

use std::fs;

use expect_test::expect;

use crate::{attila, scratch, without_codes};

/// A mistake in an instruction, and one in each kind of directive.
const WRONG: &str = "\
;! varying i6 = 3*z
;! texture t0 = no.png
;! texture t1 = velvet
;! cnst c0 = 1
;! stage vertex
ddx r0, i6
mvo o1, i1
";

#[test]
fn a_byte_order_mark_before_a_text_of_any_language_is_skipped() {
    for text in [
        "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND",
        "mov oc, v0",
        "rgb mad o1 = i1, i1, i1 ; alpha mad o1 = i1, i1, i1",
        "mov o1, i1 <- end",
        ";! stage vertex\nmov o1, i1 <- end",
        "000000f139c00116 001b001b00011b01",
    ] {
        let [plain, marked] = [text.to_owned(), format!("\u{feff}{text}")]
            .map(|text| attila("check -", &text).transcript());
        assert!(plain.contains("a valid"), "{plain}");
        assert_eq!(marked, plain);
    }
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let program = scratch("everything.attila");
    fs::write(&program, WRONG).unwrap();
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    let outcome = attila(&format!("check {}", program.display()), "");
    expect![[r#"
        --- stderr
        error[T03]: unknown instruction `mvo`
          ┌─ everything.attila:7:1
          │
        7 │ mvo o1, i1
          │ ^^^
          │
          = help: did you mean `mov`?

        error[D01]: there is no directive `cnst`
          ┌─ everything.attila:4:4
          │
        4 │ ;! cnst c0 = 1
          │    ^^^^
          │
          = help: did you mean `const`?

        error[D02]: `3*z` is not a sum of numbers and multiples of u, v, s and t
          ┌─ everything.attila:1:12
          │
        1 │ ;! varying i6 = 3*z
          │            ^^^^^^^^

        error[D02]: there is no texture pattern `velvet`; there are bumps, checker, gradient, clouds, bricks, white; a file has a dot or a slash in its name
          ┌─ everything.attila:3:12
          │
        3 │ ;! texture t1 = velvet
          │            ^^^^^^^^^^^

        error[D02]: t0: no.png: No such file or directory (os error 2)
          ┌─ everything.attila:2:12
          │
        2 │ ;! texture t0 = no.png
          │            ^^^^^^^^^^^

        --- exit code 1
    "#]].assert_eq(&outcome.transcript().replace(&folder, ""));
}

#[test]
fn wrong_directives_do_not_hide_findings_of_validation() {
    let said = attila("check -", &WRONG.replace("mvo", "mov")).stderr;
    assert!(said.contains("`ddx` needs the neighbours"), "{said}");
}

#[test]
fn check_refuses_what_render_refuses() {
    let no_file = "error[D02]: t0: no.png: No such file or directory (os error 2)\n";
    let texts = [
        ";! varying i6 = 3*z\nmov o1, i6",
        ";! varying i64 = 0\nmov o1, i6",
        ";! varying i6\nmov o1, i6",
        ";! texture t0 = no.png\ntex o1, i6, t0",
        ";! texture t0 = velvet\ntex o1, i6, t0",
        ";! texture t0 = checker, aniso=17\ntex o1, i6, t0",
        ";! texture t0 = checker, lod=3:1\nmov o1, i6",
        ";! texture t0 = cube:a.png,b.png\nmov o1, i6",
        ";! texure t0 = checker\ntex o1, i6, t0",
        ";! const c600 = 1\nmov o1, i6",
    ];
    let picture = scratch("refused-by-check.png");
    for text in texts {
        let checked = attila("check -", text);
        let drawn = attila(&format!("render - -o {}", picture.display()), text);
        assert_eq!(checked.code, 1, "{text}: {}", checked.stderr);
        assert_eq!(
            without_codes(&checked.transcript()),
            drawn.transcript(),
            "{text}"
        );
        assert!(checked.stderr.contains("<stdin>:1:"), "{}", checked.stderr);
    }
    let checked = attila("check -", texts[3]);
    assert!(checked.stderr.starts_with(no_file), "{}", checked.stderr);
}

#[test]
fn units_that_an_option_has_to_fill_are_noted() {
    let text = ";! texture t2 = cube\n;! texture t3 = 3d\ntex r0, i6, t2\ntex o1, r0, t9\n";
    let outcome = attila("check -", text);
    expect![[r#"
        <stdin>: a valid fragment program
          instructions  2 (32 bytes)
          control flow  none
          inputs        i6.xyz
          outputs       o1
          temporaries   r0
          textures      t2 t9
          also          looks at neighbouring lanes
        --- stderr
        note[D03]: nothing is bound to t2; `run` and `render` need a cube for it: `--texture t2=cube:FILE`, where `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
          ┌─ <stdin>:1:12
          │
        1 │ ;! texture t2 = cube
          │            ^^^^^^^^^

        note[D03]: nothing is bound to t9; `run` and `render` need an image for it: `--texture t9=FILE`
    "#]]
    .assert_eq(&outcome.transcript());
    // Nothing has to be said about the unit that is not sampled.
    let outcome = attila("render - --texture t9=white", text);
    expect![[r#"
        --- stderr
        error: t2: the program samples a cube here; say which: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
          ┌─ <stdin>:1:12
          │
        1 │ ;! texture t2 = cube
          │            ^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn registers_that_a_program_forgets_are_pointed_out() {
    let text = "(p3) mov o1, i6\nmov o2.x, i6\nzxs i0, s2\n";
    expect![[r#"
        <stdin>: a valid fragment program
          instructions  3 (48 bytes)
          control flow  none
          inputs        i0 i6
          outputs       o1 o2.x
          also          exports depth
        --- stderr
        warning[T13]: `zxs` exports the depths of the current sample and the three after it: `s2` means nothing
          ┌─ <stdin>:3:9
          │
        3 │ zxs i0, s2
          │         ^^
          │
          = help: leave it out

        warning[V13]: p3 is read but never written; it is false
          ┌─ <stdin>:1:1
          │
        1 │ (p3) mov o1, i6
          │ ^^^^^^^^^^^^^^^

    "#]].assert_eq(&attila("check -", text).transcript());
    // Options may set them where the program runs.
    let ran = attila("run - --set p3=true", text).stderr;
    assert!(!ran.contains("never written"), "{ran}");
    let binary = attila("asm --hex -", "(p3) mov o1.x, i6").stdout;
    let said = attila("check -", &binary).stderr;
    assert!(
        said.contains("p3 is read but never written; it is false"),
        "{said}"
    );
    assert!(said.contains("o1.yzw is never written; it is 0"), "{said}");
}
