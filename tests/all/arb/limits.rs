//! Programs that are long, or that need more registers, constants or units than exist.

use attila_shader::front::arb::{self, Profile};
use expect_test::expect;

#[test]
fn long_programs_are_translated_or_refused_before_long() {
    let refused = |header: &str, line: &dyn Fn(usize) -> String, count: usize| {
        let lines: String = (0..count).map(line).collect();
        let text = format!("{header}\n{lines}END");
        arb::compile(&text, &Profile::default()).err().map(|error| {
            assert!(error.position() <= text.len());
            error.diagnostics[0].message.clone()
        })
    };
    let fragment = "!!ARBfp1.0\nTEMP a, b;";
    let long = refused(
        fragment,
        &|_| "ADD result.color, a, 1;\n".to_owned(),
        65_536,
    );
    assert_eq!(long, None, "all but the last are in vain");
    let long = refused(fragment, &|_| "ADD a, a, 1;\n".to_owned(), 65_536);
    assert_eq!(long, None, "all are in vain");
    let copies = |n| format!("MOV {}, {};\n", ["a", "b"][n % 2], ["b", "a"][n % 2]);
    let copies = |n| copies(n) + "KIL a;\n";
    assert_eq!(refused(fragment, &copies, 4_000), None);
    let kills = |_| "KIL fragment.color;\n".to_owned();
    expect!["this needs 8193 instructions; the limit is 8192"]
        .assert_eq(&refused(fragment, &kills, 8_193).unwrap_or_default());
    let constants = |n| format!("ADD a, a, {{{n}, 1{n}, 2{n}, 3{n}}};\n");
    let constants = |n| constants(n) + "KIL a;\n";
    expect!["the program needs more than 512 constant registers"]
        .assert_eq(&refused(fragment, &constants, 600).unwrap_or_default());
    let temporaries = |n: usize| match n {
        0 => (0..33)
            .map(|n| format!("TEMP t{n};\nMUL t{n}, fragment.color, {n};\n"))
            .collect(),
        1 => (0..33).map(|n| format!("KIL t{n};\n")).collect(),
        _ => String::new(),
    };
    expect!["this needs more than 32 temporaries at once"]
        .assert_eq(&refused(fragment, &temporaries, 2).unwrap_or_default());
}

#[test]
fn what_attila_has_not_is_refused_where_it_is_used() {
    let mut profile = Profile {
        generic_attributes: 40,
        texture_coordinates: 40,
        texture_units: 40,
        vertex_units: 8,
        ..Profile::default()
    };
    profile.vertex.addresses = 40;
    let refused = |text: &str| {
        let error = arb::compile(text, &profile).expect_err("there is not that much");
        error.to_string()
    };
    let fragment = |line: &str| refused(&format!("!!ARBfp1.0\n{line}\nEND"));
    let vertex = |line: &str| refused(&format!("!!ARBvp1.0\n{line}\nEND"));
    let addresses: Vec<String> = (0..9).map(|n| format!("A{n}")).collect();
    let addresses = addresses.join(", ");
    let messages = [
        fragment("TEX result.color, fragment.color, texture[16], 2D;"),
        fragment("MOV result.color, fragment.texcoord[9];"),
        vertex("MOV result.texcoord[9], vertex.color;"),
        vertex("MOV result.color, vertex.texcoord[8];"),
        vertex("MOV result.color, vertex.weight[4];"),
        vertex("MOV result.color, vertex.attrib[16];"),
        vertex("ADD result.color, vertex.matrixindex[0], vertex.attrib[6];"),
        vertex(&format!("ADDRESS {addresses};\nARL A8.x, vertex.color.x;")),
        vertex("PARAM p[] = { 1, 2 };\nADDRESS A;\nMOV result.color, p[A.x - 300];"),
    ];
    expect![[r#"
        2:1: error: there are 16 texture units
        2:1: error: there is no input register for this
        2:1: error: there is no output register for this
        2:1: error: there is no input register for this
        2:1: error: there is no input register for this
        2:1: error: there is no input register for this
        2:1: error: matrix indices and attribute 6 would share i6
        3:1: error: there are 8 addresses
        4:1: error: offset -300 is outside the range of an instruction"#]]
    .assert_eq(&messages.join("\n"));
    let eight = "!!ARBvp1.0\nADDRESS A, B, C, D, E, F, G, H;\nPARAM p[] = { 1, 2, 3 };
ARL H.x, vertex.color.x;\nMOV result.color, p[H.x + 300];\nEND";
    let translation = arb::compile(eight, &profile).expect("there are eight addresses");
    let listing = translation.program.listing().to_string();
    assert!(listing.contains("mov o1, c300[a1.w]"), "{listing}");
}
