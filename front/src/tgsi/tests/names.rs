//! Every word that other programs' printers and readers of TGSI have had is taken, or refused by its name where it
//! stands. The list is theirs, not made of the tables of this crate.

use super::super::{Options, compile};

/// A line for each kind of words: the kind, a colon, and the words.
const NAMES: &str = include_str!("names.txt");

/// The words of a kind.
fn words(kind: &str) -> Vec<&'static str> {
    let lines = NAMES.lines().filter_map(|line| line.split_once(": "));
    let mut found = lines.filter(|line| line.0 == kind);
    let (_, words) = found.next().expect("the list has this kind");
    words.split_whitespace().collect()
}

/// Whether a text with `name` for `@` is taken and the name is known, or refused by a message that has the name and
/// stands in its line.
fn answers(pattern: &str, name: &str) -> bool {
    let before = pattern.split('@').next();
    let line = 1 + before.map_or(0, |text| text.matches('\n').count());
    match compile(&pattern.replace('@', name), &Options::default()) {
        Ok(translation) => {
            let mut warnings = translation.details.warnings.iter();
            !warnings.any(|warning| warning.message.starts_with("unknown "))
        }
        Err(error) => error.diagnostics.iter().any(|it| {
            let reasons = ["is not supported: ", "is not one of ", " program has no "];
            let is_refusal = reasons.iter().any(|reason| it.message.contains(reason));
            let mut names = [format!("`{name}`"), format!("`{name}[")].into_iter();
            is_refusal && it.line == line && names.any(|name| it.message.contains(&name))
        }),
    }
}

/// The words of a kind that none of several texts answers.
fn unanswered(kind: &str, patterns: &[&str]) -> Vec<&'static str> {
    let mut words = words(kind);
    words.retain(|word| !patterns.iter().any(|pattern| answers(pattern, word)));
    words
}

fn check(kind: &str, patterns: &[&str]) {
    assert_eq!(unanswered(kind, patterns), [""; 0], "{kind}");
}

/// The beginning of a program of a kind: line 1.
fn head(processor: &str) -> String {
    let properties = match processor {
        "GEOM" => {
            " PROPERTY GS_INPUT_PRIMITIVE TRIANGLES PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP \
             PROPERTY GS_MAX_OUTPUT_VERTICES 3"
        }
        _ => "",
    };
    format!("{processor}{properties} DCL TEMP[0] IMM[0] UINT32 {{ 0, 1, 2, 3 }}\n")
}

#[test]
fn each_kind_of_program_is_answered() {
    let geometry = head("GEOM").replacen("GEOM", "@", 1);
    check("processor", &["@\nEND", &format!("{geometry}END")]);
}

#[test]
fn each_file_is_answered() {
    let patterns = [
        "FRAG\nDCL @[0]\nEND",
        "FRAG\nDCL @[0], GENERIC[0]\nEND",
        "FRAG\nDCL @[0], FACE\nEND",
        "FRAG\nDCL @[0], 2D, FLOAT\nEND",
        "FRAG\nDCL @[0] {{ 1, 2, 3, 4 }}\nEND",
        "FRAG\n@[0] FLT32 { 1, 2, 3, 4 }\nEND",
        "FRAG\nDCL TEMP[0]\nMOV @, TEMP[0]\nEND",
    ];
    check("file", &patterns);
}

#[test]
fn each_semantic_is_answered_in_every_kind_of_program_and_on_both_sides() {
    for processor in ["VERT", "GEOM", "FRAG", "COMP"] {
        let head = head(processor);
        let values = [format!("{head}DCL SV[0], @\nMOV TEMP[0], SV[0]\nEND")];
        let inputs = [
            format!("{head}DCL IN[0], @\nMOV TEMP[0], IN[0]\nEND"),
            format!("{head}DCL IN[][0], @\nMOV TEMP[0], IN[1][0]\nEND"),
            format!("{head}DCL IN[][0], @\nMOV TEMP[0], IN[0]\nEND"),
        ];
        let outputs = [format!("{head}DCL OUT[0], @\nMOV OUT[0], IMM[0]\nEND")];
        for texts in [&values[..], &inputs, &outputs] {
            let patterns: Vec<&str> = texts.iter().map(String::as_str).collect();
            assert_eq!(unanswered("semantic", &patterns), [""; 0], "{}", texts[0]);
        }
    }
}

#[test]
fn each_attribute_is_answered() {
    let input = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, @\nEND";
    check("interpolate", &["FRAG\nDCL IN[0], GENERIC[0], @\nEND"]);
    check("location", &[input]);
    check(
        "flag",
        &[
            input,
            "FRAG\nDCL TEMP[0], @\nEND",
            "FRAG\nDCL TEMP[0], @(1)\nEND",
        ],
    );
    check("return", &["FRAG\nDCL SVIEW[0], 2D, @\nEND"]);
}

#[test]
fn each_property_and_its_values_are_answered() {
    let values = ["1", "UPPER_LEFT", "INTEGER", "POINTS", "FRAG"];
    let others = "PROPERTY GS_INPUT_PRIMITIVE POINTS PROPERTY GS_OUTPUT_PRIMITIVE POINTS PROPERTY GS_MAX_OUTPUT_VERTICES 1";
    let texts = values.map(|value| format!("GEOM {others}\nPROPERTY @ {value}\nEND"));
    check("property", &texts.each_ref().map(String::as_str));
    for name in ["GS_INPUT_PRIMITIVE", "GS_OUTPUT_PRIMITIVE"] {
        let text = format!("GEOM {others}\nPROPERTY {name} @\nEND");
        check("primitive", &[&text]);
    }
    check("origin", &["FRAG\nPROPERTY FS_COORD_ORIGIN @\nEND"]);
    check("centre", &["FRAG\nPROPERTY FS_COORD_PIXEL_CENTER @\nEND"]);
}

#[test]
fn each_type_of_immediates_is_answered() {
    check(
        "immediate",
        &[
            "FRAG\nIMM[0] @ { 1, 2, 3, 4 }\nEND",
            "FRAG\nIMM[0] @ { 1, 2 }\nEND",
        ],
    );
}

#[test]
fn each_texture_target_is_answered() {
    let view = "FRAG\nDCL SVIEW[0], @, FLOAT\nEND";
    check("texture", &[view]);
    let head = "FRAG DCL TEMP[0] DCL SAMP[0..1] DCL SVIEW[0], 2D, FLOAT\n";
    let texts = [
        format!("{head}TXQ TEMP[0], TEMP[0], SAMP[0], @\nEND"),
        format!("{head}TXQ TEMP[0], TEMP[0], SAMP[1], @\nEND"),
        format!("{head}TXQS TEMP[0], SAMP[1], @\nEND"),
    ];
    check("texture", &texts.each_ref().map(String::as_str));
}

#[test]
fn each_word_about_memory_is_answered() {
    let buffer = "COMP DCL BUFFER[0] DCL TEMP[0]\nLOAD TEMP[0].x, BUFFER[0], TEMP[0].xxxx, @\nEND";
    let shared = ["SHARED", "GLOBAL", "PRIVATE", "INPUT"];
    assert_eq!(unanswered("memory", &[buffer]), shared);
    // They stand after a file that is refused.
    for word in shared {
        assert!(
            answers(&format!("COMP\nDCL @[0], {word}\nEND"), "MEMORY"),
            "{word}"
        );
    }
}

/// The operands that an opcode may have, and the instructions around it.
const PLACES: &[&str] = &[
    "@",
    "@ TEMP[0]",
    "@ TEMP[0], TEMP[1]",
    "@ TEMP[0], TEMP[1], TEMP[2]",
    "@ TEMP[0], TEMP[1], TEMP[2], TEMP[3]",
    "@ TEMP[0], TEMP[1], TEMP[2], TEMP[3], TEMP[0]",
    "@ TEMP[0], TEMP[1].xy, TEMP[2]",
    "@ TEMP[0], IN[0]",
    "@ TEMP[0], IN[0], TEMP[1]",
    "@ TEMP[0], SAMP[1], 2D",
    "@ TEMP[0], SAMP[1], 2D_MSAA",
    "@ TEMP[0], TEMP[1], SAMP[1], 2D",
    "@ TEMP[0], TEMP[1], TEMP[2], SAMP[1], 2D",
    "@ TEMP[0], TEMP[1], IMM[0].xxxx, SAMP[1], 2D",
    "@ TEMP[0], TEMP[1], TEMP[2], SAMP[1], CUBEARRAY",
    "@ TEMP[0], TEMP[1], TEMP[2], SAMP[1], SHADOWCUBEARRAY",
    "@ TEMP[0], TEMP[1], TEMP[2], TEMP[3], SAMP[1], 2D",
    "@ TEMP[0], TEMP[1], SVIEW[0]",
    "@ TEMP[0], TEMP[1], SVIEW[2], TEMP[2]",
    "@ TEMP[0], TEMP[1], SVIEW[0], SAMP[0]",
    "@ TEMP[0], TEMP[1], SVIEW[0], SAMP[0], TEMP[2]",
    "@ TEMP[0], TEMP[1], SVIEW[0], SAMP[0], TEMP[2], TEMP[3]",
    "@ TEMP[0].x, BUFFER[0]",
    "@ TEMP[0].x, BUFFER[0], TEMP[1]",
    "@ TEMP[0].x, BUFFER[0], TEMP[1], TEMP[2]",
    "@ TEMP[0].x, BUFFER[0], TEMP[1], TEMP[2], TEMP[3]",
    "@ BUFFER[0].x, TEMP[0], TEMP[1]",
    "@ ADDR[0], TEMP[0]",
    "@ ADDR[0]\nPOPA ADDR[0]",
    "PUSHA ADDR[0]\n@ ADDR[0]",
    "@ TEMP[0]\nENDIF",
    "IF TEMP[0]\n@",
    "IF TEMP[0]\n@\nENDIF",
    "@\nBRK\nENDLOOP",
    "BGNLOOP\nBRK\n@",
    "BGNLOOP\n@\nENDLOOP",
    "BGNLOOP\n@ TEMP[0]\nENDLOOP",
    "BGNLOOP\nBRK\n@\nENDLOOP",
    "@ TEMP[0]\nENDSWITCH",
    "SWITCH TEMP[0]\n@",
    "SWITCH TEMP[0]\n@\nENDSWITCH",
    "SWITCH TEMP[0]\n@ TEMP[1]\nENDSWITCH",
    "@ :1",
    "@ :2\nEND\nBGNSUB\nENDSUB",
    "@ TEMP[0] :2\nEND\nBGNSUB\nENDSUB",
    "END\n@\nENDSUB",
    "END\nBGNSUB\n@",
];

#[test]
fn each_opcode_is_answered() {
    let declarations = "DCL IN[0], GENERIC[0] DCL TEMP[1..3] DCL ADDR[0] DCL SAMP[0..1] DCL SVIEW[0], 2D, FLOAT \
                        DCL SVIEW[2], 2D_MSAA, FLOAT DCL BUFFER[0]\n";
    let fragment = PLACES
        .iter()
        .map(|place| format!("{}{declarations}{place}\nEND", head("FRAG")));
    let geometry = format!("{}@\nEND", head("GEOM"));
    let texts: Vec<String> = fragment.chain([geometry]).collect();
    let patterns: Vec<&str> = texts.iter().map(String::as_str).collect();
    check("opcode", &patterns);
    check("old opcode", &patterns);
}
