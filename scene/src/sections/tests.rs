use super::*;

const VERTEX: &str = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND";
const FRAGMENT: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND";

/// The texts of the programs, and what is said about the lines around them.
fn found(text: &str) -> (Vec<&str>, Vec<String>) {
    let sections = find(text);
    let said = skipped(text, &sections).into_iter().map(|it| it.message);
    let texts = sections.iter().map(|it| &text[it.span.clone()]);
    (texts.collect(), said.collect())
}

#[test]
fn files_of_games_hold_a_pair_of_programs() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("{VERTEX}\n\n{FRAGMENT}\n").replace('\n', end);
        let [vertex, fragment] = [VERTEX, FRAGMENT].map(|it| it.replace('\n', end));
        let (programs, said) = found(&text);
        assert_eq!(programs, [vertex, fragment]);
        assert!(said.is_empty(), "{said:?}");
        let stages = find(&text).into_iter().map(|it| it.stage);
        assert!(stages.eq([Some(Stage::Vertex), Some(Stage::Fragment)]));
    }
}

#[test]
fn lines_around_programs_are_named() {
    let text = format!(
        "# bump\n#===\n  {VERTEX}\n#version 110\nvoid main() {{}}\n{FRAGMENT} # END\n{STRAY}{STRAY}"
    );
    let (programs, said) = found(&text);
    assert_eq!(programs, [VERTEX, FRAGMENT]);
    assert_eq!(
        said,
        [
            "lines 1 to 2 before the program are skipped",
            "lines 6 to 7 after the program are skipped: GLSL",
            "lines 10 to 11 after the program are skipped",
        ]
    );
    assert_eq!(found(&format!("\u{feff}{VERTEX}")).1, [""; 0]);
    let (_, said) = found(&format!("\u{feff} {VERTEX}\n{STRAY}"));
    let blanks = "blanks before the program are skipped";
    let bytes = "bytes after the program that are not text are skipped";
    assert_eq!(said, [blanks, bytes]);
    let text = format!("{VERTEX}{STRAY}{FRAGMENT}{STRAY}");
    assert_eq!(found(&text).0, [VERTEX, FRAGMENT]);
    let (_, said) = found(&format!("{VERTEX}\n\n!!FP1.0\nMOVR R0, R1;\nEND\n"));
    let other = "this is a program of NV_fragment_program (`!!FP1.0`), which is not supported";
    assert_eq!(
        said,
        [format!(
            "lines 5 to 7 after the program are skipped: {other}"
        )]
    );
}

#[test]
fn logs_hold_many_programs() {
    let vertex = "VERT\nDCL IN[0]\n  0: CAL :2\n  1: END\n  2: BGNSUB\n  3: ENDSUB";
    let fragment = "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n  0: END";
    let text = format!("radeonsi: compiling\n{vertex}\n\nFRAG is next\n{fragment}\n{fragment}");
    let (programs, said) = found(&text);
    assert_eq!(programs, [vertex, fragment, fragment]);
    let expected = [
        "line 1 before the program is skipped",
        "line 9 after the program is skipped",
    ];
    assert_eq!(said, expected);
    // A comment before a program is part of it.
    let commented = format!("; by hand\n{fragment}\n");
    assert_eq!(found(&commented), (vec![commented.trim_end()], Vec::new()));
}

#[test]
fn a_program_without_its_end_ends_before_the_next_one() {
    let text = "!!ARBvp1.0\nTEMP a;\n!!ARBfp1.0\nEND";
    assert_eq!(found(text).0, ["!!ARBvp1.0\nTEMP a;\n", "!!ARBfp1.0\nEND"]);
}

#[test]
fn other_texts_hold_none() {
    for text in [
        "mov o1, i1\n",
        "\"!!ARBfp1.0\\n\"\n\"END\"\n",
        "# !!ARBfp1.0\n",
        "rgb add r0, r0\n",
        "",
    ] {
        assert!(find(text).is_empty(), "{text}");
    }
}

#[test]
fn programs_are_chosen_by_number_and_stage() {
    let text = format!("{VERTEX}\n{FRAGMENT}\n{FRAGMENT}\n");
    let sections = find(&text);
    let chosen = |number, stage| Choice { number, stage }.one(&text, &sections);
    let said = |number, stage| {
        chosen(number, stage)
            .expect_err("there is none")
            .to_string()
    };
    let (vertex, fragment) = (Some(Stage::Vertex), Some(Stage::Fragment));
    assert_eq!(chosen(None, vertex), Ok(0));
    assert_eq!(chosen(Some(3), None), Ok(2));
    assert_eq!(chosen(Some(2), fragment), Ok(1));
    assert_eq!(said(None, None), "a second program starts at line 4");
    assert_eq!(
        said(None, fragment),
        "a second fragment program starts at line 7"
    );
    assert_eq!(said(Some(4), None), "there is no program 4: the file has 3");
    let geometry = Some(Stage::Geometry);
    assert_eq!(
        said(None, geometry),
        "none of the 3 programs is a geometry program"
    );
    let pair = &sections[..2];
    let Err(ChoiceError::Several { help, .. }) = Choice::default().one(&text, pair) else {
        panic!("there are two");
    };
    assert_eq!(help, "choose program 2, or the one for the stage fragment");
    // A single one needs no choice; its language says what is wrong with another stage.
    assert_eq!(
        Choice {
            number: None,
            stage: fragment
        }
        .one(&text, &sections[..1]),
        Ok(0)
    );
}

#[test]
fn places_are_those_of_the_whole_text() {
    let text = format!("{VERTEX}\n  !!ARBfp1.0 MOV a, b;\nMOV result.color, 1;\nEND");
    let section = &find(&text)[1];
    let error = section.list(&text, &ParameterValues::default());
    let error = error.expect_err("`a` is not declared");
    let places = error.diagnostics.iter();
    let places = places.map(|it| (&text[it.span.clone()], it.line, it.column));
    assert_eq!(places.collect::<Vec<_>>(), [("a", 4, 18), ("b", 4, 21)]);
    let text = text.replace(" MOV a, b;", "");
    let section = &find(&text)[1];
    let listing = section.list(&text, &ParameterValues::default());
    let program = listing.expect("it is right").program;
    assert_eq!(
        &text[program.span(0).expect("it has a text")],
        "MOV result.color, 1"
    );
}
