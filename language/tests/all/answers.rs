//! What is said about places of small texts.

use attila_language::{Cost, Costs, Document, NoCosts, Role};
use attila_shader::isa::Opcode;
use expect_test::{Expect, expect};

const ASSEMBLY: &str = "\
;! const c1 = 0.5 2 -1 0
mov r0, i0
again:
mad_sat r0.xyz, r0, c1, r0 ; brighter
setpgt p0, r0.x, 0.5
jmp !p0, again
mov o1, r0
";

const TGSI: &str = "\
FRAG
DCL IN[0], COLOR, LINEAR
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 { 1.0, 2.0, 0.5, 0.25 }
  0: POW TEMP[0], IN[0].xxxx, IMM[0].yyyy
  1: MUL OUT[0], TEMP[0], IMM[0]
  2: END
";

const ARB: &str = "\
!!ARBfp1.0
TEMP dim;
PARAM tint = program.local[0];
MUL dim, fragment.color, tint;
MOV result.color, dim;
END
";

/// The document, and the byte after the first `word`.
fn document(text: &str, word: &str) -> (Document, usize) {
    let at = text.find(word).unwrap_or_else(|| panic!("no {word}"));
    (Document::new("", text.to_owned()), at + word.len())
}

fn hover(text: &str, word: &str, expected: &Expect) {
    struct Known;
    impl Costs for Known {
        fn cost(&self, op: Opcode) -> Option<Cost> {
            let known = op == Opcode::Mad || op == Opcode::Mul;
            known.then(|| Cost {
                operations: 8,
                instructions: vec![(128, 8), (256, 8)],
            })
        }
    }
    let (document, at) = document(text, word);
    let hover = document.hover(at, &Known).map(|it| it.text);
    expected.assert_eq(&hover.unwrap_or_default());
}

#[test]
fn hovers_have_the_row_of_the_table_and_its_cost() {
    hover(
        ASSEMBLY,
        "mad_sa",
        &expect![[r#"
        ```
        mad[_sat] dst, a, b, c
        ```
        `a*b + c` per component, not fused.

        ```text
        code      13h
        a         float
        b         float
        c         float
        result    float
        notes     `_z` in the extended profile
        ```

        8 operations of lane IR; instructions: 8 at 128 bits, 8 at 256 bits"#]],
    );
    hover(
        TGSI,
        "MUL",
        &expect![[r#"
        ```
        MUL dst, a, b
        ```
        The product.

        * `mul o1, r0, c0.zwyx <- end`: 8 operations of lane IR; instructions: 8 at 128 bits, 8 at 256 bits"#]],
    );
    hover(
        ARB,
        "MO",
        &expect![[r#"
        ```
        MOV[_SAT] dst, a
        ```
        The source."#]],
    );
}

#[test]
fn hovers_say_what_names_are() {
    hover(
        ASSEMBLY,
        "r0, c",
        &expect![[r#"
        constant `c1 = 0.5, 2, -1, 0`
        ```
        ;! const c1 = 0.5 2 -1 0
        ```
        read once"#]],
    );
    hover(
        ASSEMBLY,
        "!p0, aga",
        &expect![[r#"
        label `again`
        ```
        again:
        ```
        jumped to once"#]],
    );
    hover(
        TGSI,
        "MUL OUT[0], TEMP[0], IMM",
        &expect![[r#"
        constant `IMM[0] = 1.0, 2.0, 0.5, 0.25`
        read 2 times"#]],
    );
    hover(
        ARB,
        "color, ti",
        &expect![[r#"
        constant `tint`
        ```
        PARAM tint = program.local[0];
        ```
        read once"#]],
    );
    assert_eq!(document(ASSEMBLY, "bright").0.hover(200, &NoCosts), None);
}

fn complete(text: &str, word: &str, expected: &Expect) {
    let (document, at) = document(text, word);
    let words = document.complete(at);
    let words = words.iter().map(|it| {
        let replaced = &document.text()[it.span.clone()];
        format!("{replaced:?} {}", it.text)
    });
    let mut words: Vec<String> = words.collect();
    words.truncate(12);
    expected.assert_eq(&words.join("\n"));
}

#[test]
fn completion_fits_the_place() {
    complete(ASSEMBLY, "jmp !p0, ag", &expect![[r#""again" again"#]]);
    complete(
        ASSEMBLY,
        "mad_sat ",
        &expect![[r#"
        "" r0
        "" p0
        "" o1"#]],
    );
    complete(
        ASSEMBLY,
        "mad_sat r0.x",
        &expect![[r#"
        "xyz" x
        "xyz" y
        "xyz" z
        "xyz" w
        "xyz" xy
        "xyz" xyz
        "xyz" xyzw
        "xyz" xxxx
        "xyz" wwww"#]],
    );
    complete(
        ARB,
        "MUL ",
        &expect![[r#"
            "" dim
            "" tint
            "" fragment
            "" program
            "" result
            "" state"#]],
    );
    complete(
        ARB,
        "fragment.",
        &expect![[r#"
        "" color
        "" fogcoord
        "" position
        "" texcoord"#]],
    );
    complete(
        ARB,
        "fragment.color, tint;\nM",
        &expect![[r#"
        "MOV" ABS
        "MOV" ADD
        "MOV" CMP
        "MOV" COS
        "MOV" DP3
        "MOV" DP4
        "MOV" DPH
        "MOV" DST
        "MOV" EX2
        "MOV" FLR
        "MOV" FRC
        "MOV" KIL"#]],
    );
}

#[test]
fn signatures_count_commas() {
    for (text, word, syntax, active) in [
        (
            ASSEMBLY,
            "mad_sat r0.xyz, r0, ",
            "mad[_sat] dst, a, b, c",
            "b",
        ),
        (ASSEMBLY, "mov ", "mov[_sat] dst, a", "dst"),
        (TGSI, "POW TEMP[0], IN", "POW dst, a, b", "a"),
        (ARB, "MUL dim, f", "MUL[_SAT] dst, a, b", "a"),
    ] {
        let (document, at) = document(text, word);
        let signature = document.signature(at).expect("there is an instruction");
        assert_eq!(signature.syntax, syntax);
        let operand = signature.operands[signature.active].clone();
        assert_eq!(&syntax[operand], active, "{word}");
    }
    let (document, at) = document(ASSEMBLY, "; brigh");
    assert_eq!(document.signature(at), None);
}

#[test]
fn names_have_places_with_their_roles() {
    let (document, at) = document(ASSEMBLY, "r0.xyz, r");
    let symbol = document.occurrence(at).expect("it is a register").symbol;
    let roles: Vec<Role> = document.places(symbol).map(|it| it.role).collect();
    let (write, read) = (Role::Write, Role::Read);
    assert_eq!(roles, [write, write, read, read, read, read]);
    let list = |text: &str| {
        let document = Document::new("", text.to_owned());
        let symbols = document.symbols().iter();
        let names = symbols.map(|it| format!("{} {:?}", it.name, it.kind));
        names.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        c1 Constant
        r0 Temporary
        i0 Input
        again Label
        p0 Register
        o1 Output"#]]
    .assert_eq(&list(ASSEMBLY));
    expect![[r#"
        IN[0] Input
        OUT[0] Output
        TEMP[0] Temporary
        IMM[0] Constant"#]]
    .assert_eq(&list(TGSI));
    expect![[r#"
        dim Temporary
        tint Constant"#]]
    .assert_eq(&list(ARB));
    expect![[r#"
        o1 Output
        i1 Input
        c255 Constant
        t0 Temporary"#]]
    .assert_eq(&list("rgb mad.x2 o1.rg = -abs(i1.0h1), c255, t0"));
    expect![[r#"
        ft0 Temporary
        v0 Input
        ft1 Temporary
        fs0 Register
        oc0 Output
        fc2 Constant"#]]
    .assert_eq(&list(
        "mov ft0, v0\ntex ft1, ft0.xy, fs0<2d,linear>\nmul oc, ft1, fc2.x",
    ));
}

#[test]
fn hints_say_what_constants_hold_and_what_lines_became() {
    let shown = |text: &str| {
        let document = Document::new("", text.to_owned());
        let hints = document.hints(0..text.len());
        let mut shown = text.to_owned();
        for hint in hints.iter().rev() {
            shown.insert_str(hint.at, &format!("{{{}}}", hint.text));
        }
        shown
    };
    expect![[r#"
        ;! const c1 = 0.5 2 -1 0
        mov r0, i0
        again:
        mad_sat r0.xyz, r0, c1{=0.5, 2, -1, 0}, r0 ; brighter
        setpgt p0, r0.x, 0.5
        jmp !p0, again
        mov o1, r0
    "#]]
    .assert_eq(&shown(ASSEMBLY));
    expect![[r#"
        FRAG
        DCL IN[0], COLOR, LINEAR
        DCL OUT[0], COLOR
        DCL TEMP[0]
        IMM[0] FLT32 { 1.0, 2.0, 0.5, 0.25 }
          0: POW TEMP[0], IN[0].xxxx, IMM[0]{=1.0, 2.0, 0.5, 0.25}.yyyy{→ pow r0, i1.x, c0.w}
          1: MUL OUT[0], TEMP[0], IMM[0]{=1.0, 2.0, 0.5, 0.25}{→ mul o1, r0, c0.zwyx <- end}
          2: END
    "#]]
    .assert_eq(&shown(TGSI));
    expect![[r#"
        !!ARBfp1.0
        TEMP dim;
        PARAM tint = program.local[0];
        MUL dim, fragment.color, tint;{→ mul o1, i1, c0 <- end}
        MOV result.color, dim;
        END
    "#]]
    .assert_eq(&shown(ARB));
}

#[test]
fn programs_of_a_text_have_names_of_their_own() {
    let text = format!("# a pair\n{ARB}\n{ARB}");
    let (document, at) = document(&text, "TEMP di");
    assert_eq!(document.parts().len(), 2);
    let edits = document.rename(at, "faint").expect("it is a free name");
    assert_eq!(edits.len(), 3);
    assert!(
        edits
            .iter()
            .all(|it| it.span.end <= document.parts()[0].span.end)
    );
    assert_eq!(document.folds().len(), 2);
    let error = document.rename(at, "tint").expect_err("there is one");
    assert_eq!(error.to_string(), "`tint` is in use");
    let error = document.rename(at, "result").expect_err("it is reserved");
    assert_eq!(
        error.to_string(),
        "the program would not be the same with `result`"
    );
}

#[test]
fn blocks_and_comments_fold() {
    let text = "FRAG\nDCL IN[0], COLOR, LINEAR\n# a\n# b\n  0: IF IN[0].xxxx :4\n  1: KILL\n  2: ELSE :4\n  3: KILL\n  4: ENDIF\n  5: END\n";
    let document = Document::new("", text.to_owned());
    let folds = document.folds().into_iter();
    let folds: Vec<&str> = folds.map(|it| &text[it]).collect();
    assert_eq!(
        folds,
        [
            "# a\n# b",
            "0: IF IN[0].xxxx :4\n  1: KILL",
            "2: ELSE :4\n  3: KILL"
        ]
    );
}

#[test]
fn fixes_are_places_of_the_whole_text() {
    let text = format!("{ARB}\n{}", ARB.replace("MOV result", "MVO result"));
    let document = Document::new("", text.clone());
    let fixes = document.problems().iter().filter_map(|it| it.fix.clone());
    let fixed = attila_language::apply(&text, &fixes.collect::<Vec<_>>());
    assert_eq!(fixed, format!("{ARB}\n{ARB}"));
}

#[test]
fn a_text_that_is_too_long_has_one_problem() {
    let document = Document::new("", "mov o1, i0\n".repeat(10_000_000));
    let problems = document.problems();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].message,
        "the text has 110000000 bytes; the limit is 4194304"
    );
    assert_eq!(document.format(), []);
}
