//! Formatting and renaming of all texts that there are.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use attila_language::{Dialect, Document, RenameError, SymbolKind, apply};
use expect_test::{Expect, expect};
use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::{texts, words};

/// Formats texts. How many programs are in them.
fn check(texts: impl IntoIterator<Item = (String, String)>) -> usize {
    let mut programs = 0;
    for (name, text) in texts {
        let document = Document::new(&name, text);
        let formatted = Document::new(&name, apply(document.text(), &document.format()));
        assert_eq!(
            words(&formatted),
            words(&document),
            "{name}:\n{}",
            formatted.text()
        );
        assert_eq!(formatted.format(), [], "{name}");
        programs += words(&document).iter().flatten().count();
    }
    programs
}

#[test]
fn formatting_twice_is_formatting_once_and_changes_no_program() {
    let programs = check(texts("tests"));
    assert!(programs > 100, "{programs}");
    assert!(check(texts("examples")) > 2);
}

/// The texts in a file of JSON lines: the members `text`, which are strings or arrays of lines.
fn lines(file: &str, suffix: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    let texts = lines.enumerate().filter_map(|(number, line)| {
        let line = line.expect("it is readable");
        let line: Value = serde_json::from_str(&line).expect("lines are JSON");
        let text = match line["text"].as_array() {
            Some(lines) => {
                let lines = lines.iter().filter_map(Value::as_str);
                lines.collect::<Vec<_>>().join("\n")
            }
            None => line["text"].as_str()?.to_owned(),
        };
        Some((format!("{}:{}{suffix}", path.display(), number + 1), text))
    });
    texts.collect()
}

#[test]
#[ignore = "needs ../shared"]
fn formatting_changes_no_program_of_the_collections() {
    for (folder, least) in [("arb", 40), ("piglit", 90), ("tgsi", 1400), ("attila", 1)] {
        let programs = check(texts(&format!("../shared/corpora/{folder}")));
        assert!(programs >= least, "{folder}: {programs}");
    }
    check(texts("../shared/corpora/agal"));
    let mut programs = check(texts("../shared/agal"));
    for group in ["indirect", "ops", "programs", "real", "tex"] {
        let file = format!("../shared/agal/vectors/{group}.jsonl.gz");
        programs += check(lines(&file, ".agal"));
    }
    assert!(programs >= 1000, "{programs}");
    let programs = check(lines("../shared/ctm/texts.jsonl.gz", ".ctm"));
    assert!(programs >= 200, "{programs}");
}

#[test]
fn every_label_and_every_declared_name_can_be_renamed() {
    let mut renamed = 0;
    for (name, text) in texts("tests") {
        let document = Document::new(&name, text);
        for symbol in document.symbols() {
            let part = &document.parts()[symbol.part];
            let is_named = part.dialect == Dialect::Arb || symbol.kind == SymbolKind::Label;
            let edits = match document.rename(symbol.span.start, "other_name") {
                Err(RenameError::Interface(_)) if part.dialect != Dialect::Arb => continue,
                // A temporary has no such name.
                Err(RenameError::NotName(_)) if !is_named => continue,
                edits => edits.unwrap_or_else(|error| panic!("{name}: {}: {error}", symbol.name)),
            };
            let changed = Document::new(&name, apply(document.text(), &edits));
            assert_eq!(words(&changed), words(&document), "{name}: {}", symbol.name);
            renamed += 1;
        }
    }
    assert!(renamed > 100, "{renamed}");
}

fn formatted(text: &str, expected: &Expect) {
    let document = Document::new("", text.to_owned());
    expected.assert_eq(&apply(text, &document.format()));
}

#[test]
fn assembly_looks_as_the_disassembler_prints_it() {
    formatted(
        "\
  # a title
.EXTENDED   fragment\tscratch 4
 ;! const c3 = 1   2
Loop:  MAD_SAT r0 . xyz,-| r1.zyxw |,c3[ a0.x+5 ] , r2.w<-wait   ; multiply
  (! p0)mov O1,i0 // copy
Next: Again:jmp   ! p0 ,Loop
tg4 .y r0,i0,t0.2d
    ; the end
mvo  r0 ,r1
end
",
        &expect![[r#"
            # a title
            . extended fragment scratch 4
            ;! const c3 = 1   2
            Loop:
            mad_sat r0.xyz, -|r1.zyxw|, c3[a0.x + 5], r2.w <- wait ; multiply
            (!p0) mov o1, i0                                       // copy
            Next:
            Again:
            jmp !p0, Loop
            tg4.y r0, i0, t0 .2d
            ; the end
            mvo  r0 ,r1
            end
        "#]],
    );
}

#[test]
fn other_languages_keep_their_words_and_indent_their_blocks() {
    formatted(
        "!!ARBfp1.0\n  TEMP a ,b;\n\tMUL  a,fragment.color , b ;  # dim\n  MOV result.color,a;\nEND",
        &expect![[r#"
            !!ARBfp1.0
            TEMP a, b;
            MUL a, fragment.color, b; # dim
            MOV result.color, a;
            END"#]],
    );
    formatted(
        "FRAG\n  DCL IN[0],COLOR,  LINEAR\nDCL OUT[0], COLOR\n0: IF IN[0].xxxx :3\n1:   MOV OUT[0],IN[0]\n2: ELSE :4\n3: ENDIF\n4:END\n",
        &expect![[r#"
            FRAG
            DCL IN[0], COLOR, LINEAR
            DCL OUT[0], COLOR
              0: IF IN[0].xxxx :3
              1:   MOV OUT[0], IN[0]
              2: ELSE :4
              3: ENDIF
              4: END
        "#]],
    );
    formatted(
        "mov ft0,  v0\nifg ft0.x,fc0.y // bright\nmul ft0,ft0 , fc0\neif\ntex ft1,v1 ,fs0<2d, linear>\nmov oc ,ft0",
        &expect![[r#"
            mov ft0,  v0
            ifg ft0.x, fc0.y // bright
              mul ft0, ft0, fc0
            eif
            tex ft1, v1, fs0<2d, linear>
            mov oc, ft0"#]],
    );
}
