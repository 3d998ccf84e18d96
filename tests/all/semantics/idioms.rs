//! The advice about other languages' instructions has the results that it names.

use attila_shader::isa::{IDIOMS, Idiom};
use attila_shader::machine::TextureQuery;

use super::bindings::Echo;
use crate::common::check_with;

/// The lines after an idiom: r8 is 1 where control gets there, and r7 has c0.
const TAIL: &str = "add r8, r8, 1\nmov r7, c0\nthere: end";

/// An idiom by its first name, its operands and its result. Directives are parted by commas.
const RESULTS: &[(&str, &str, &str)] = &[
    ("abs", "r1 = -1 2 -0 -inf", "r0 = 1 2 0 inf"),
    ("neg", "r1 = 1 -2 0 inf", "r0 = -1 2 -0 -inf"),
    ("sub", "r1 = 5 1 0 -3, r2 = 2 3 0 -4", "r0 = 3 -2 0 1"),
    ("sat", "r1 = -1 0.5 2 inf", "r0 = 0 0.5 1 1"),
    ("clamp", "r1 = -5 0 5 2, r2 = -1, r3 = 2", "r0 = -1 0 2 2"),
    ("div", "r1 = 6, r2 = -4", "r0 = -1.5 0 0 0"),
    ("mod", "r1 = -7, r2 = 4", "r0 = 1 0 0 0"),
    ("fma", "r1 = 2 3 4 5, r2 = 10, r3 = 1", "r0 = 21 31 41 51"),
    ("lrp", "r1 = 0 1 0.25 2, r2 = 8, r3 = 4", "r0 = 4 8 5 12"),
    ("lerp", "r1 = 4, r2 = 8, r3 = 0 1 0.25 2", "r0 = 4 8 5 12"),
    ("sqrt", "r1 = 16", "r0 = 4 0 0 0"),
    ("sqrt", "r1 = 0", "r0 = 0"),
    ("sqrt", "r1 = inf", "r0 = inf 0 0 0"),
    ("rsqrt", "r1 = 16", "r0 = 0.25 0 0 0"),
    ("ceil", "r1 = 1.25 -1.25 3 -0.5", "r0 = 2 -1 3 -0"),
    ("round", "r1 = 1.25 1.75 -1.25 -1.75", "r0 = 1 2 -1 -2"),
    ("trunc", "r1 = 1.75 -1.75 -0.5 3", "r0 = 1 -1 -0 3"),
    ("sgn", "r1 = 7 -7 -0 nan", "r0 = 1 -1 0 0"),
    ("pow", "r1 = 4, r2 = 3", "r0 = 64 0 0 0"),
    ("exp2", "r1 = -3", "r0 = 0.125 0 0 0"),
    ("log2", "r1 = 0.125", "r0 = -3 0 0 0"),
    ("ln", "r1 = 2", "r0 = 0.6931472 0 0 0"),
    ("log10", "r1 = 2", "r0 = 0.30103 0 0 0"),
    ("sincos", "r1 = -0", "r0 = 1 -0 0 0"),
    ("tan", "r1 = -0", "r0 = -0 -0 0 0"),
    ("iadd", "r1 = 5i -1i 7i 0i, r2 = 1i", "r0 = 6i 0i 8i 1i"),
    ("isub", "r1 = 5i -1i 7i 0i, r2 = 1i", "r0 = 4i -2i 6i -1i"),
    (
        "imul",
        "r1 = 5i -1i 7i 0i, r2 = -3i",
        "r0 = -15i 3i -21i 0i",
    ),
    (
        "imad",
        "r1 = 5i, r2 = -3i, r3 = 1i 2i 3i 15i",
        "r0 = -14i -13i -12i 0i",
    ),
    ("imax", "r1 = -5i, r2 = 3i", "r0 = 3i 0i 0i 0i"),
    ("imax", "r1 = 5i, r2 = -3i", "r0 = 5i 0i 0i 0i"),
    ("imin", "r1 = -5i, r2 = 3i", "r0 = -5i 0i 0i 0i"),
    ("imin", "r1 = 5i, r2 = -3i", "r0 = -3i 0i 0i 0i"),
    ("distance", "r1 = 5 -4 3 9, r2 = 1 0 1 0", "r0 = 6 -4 2 0"),
    ("ge", "r1 = 1 2 3 nan, r2 = 2", "r0 = 0 1 1 1"),
    ("lt", "r1 = 1 2 3 nan, r2 = 2", "r0 = 1 0 0 0"),
    (
        "ilt",
        "r1[0] = 3i, r1[1] = 4i, r1[2] = 5i, r1[3] = -9i, r2 = 4i",
        "p0 = 1001",
    ),
    (
        "ieq",
        "r1[0] = 3i, r1[1] = 4i, r1[2] = 5i, r1[3] = -9i, r2 = 4i",
        "p0 = 0100",
    ),
    ("dot", "r1 = 1 2 3 100, r2 = 4 5 6 100", "r0 = 32"),
    ("dp2", "r1 = 1 2 100 100, r2 = 4 5 100 100", "r0 = 14"),
    ("nrm", "r1 = 0 0 -4 6", "r0 = 0 0 -1 1.5"),
    ("length", "r1 = 4 -4 2 100", "r0 = 6 0 0 0"),
    ("xpd", "r1 = 1 2 3 9, r2 = 5 7 11 9", "r0 = 1 4 -3 0"),
    ("m3x3", "r1 = 1 2 3 100", "r0 = 14 38 62 0"),
    ("m4x4", "r1 = 1 2 3 4", "r0 = 30 70 110 150"),
    ("sgt", "r1 = 1 2 3 nan, r2 = 2", "r0 = 0 0 1 0"),
    ("sle", "r1 = 1 2 3 nan, r2 = 2", "r0 = 1 1 0 1"),
    ("seq", "r1 = 1 2 3 nan, r2 = 2", "r0 = 0 1 0 1"),
    ("sne", "r1 = 1 2 3 nan, r2 = 2", "r0 = 1 0 1 0"),
    ("step", "r1 = 2, r2 = 1 2 3 nan", "r0 = 0 1 1 1"),
    (
        "cnd",
        "r1 = 0.25 0.5 0.75 nan, r2 = 5, r3 = 6",
        "r0 = 6 6 5 6",
    ),
    ("movc", "r1 = 1 -1 -0 nan, r2 = 5, r3 = 6", "r0 = 5 5 6 6"),
    (
        "setpge",
        "r1[0] = 3, r1[1] = 4, r1[2] = 5, r1[3] = nan, r2 = 4",
        "p0 = 0111",
    ),
    (
        "setple",
        "r1[0] = 3, r1[1] = 4, r1[2] = 5, r1[3] = nan, r2 = 4",
        "p0 = 1101",
    ),
    (
        "setpne",
        "r1[0] = 3, r1[1] = 4, r1[2] = 5, r1[3] = nan, r2 = 4",
        "p0 = 1011",
    ),
    (
        "stpgei",
        "r1[0] = 3i, r1[1] = 4i, r1[2] = 5i, r1[3] = -9i, r2 = 4i",
        "p0 = 0110",
    ),
    (
        "stplei",
        "r1[0] = 3i, r1[1] = 4i, r1[2] = 5i, r1[3] = -9i, r2 = 4i",
        "p0 = 1101",
    ),
    (
        "stpnei",
        "r1[0] = 3i, r1[1] = 4i, r1[2] = 5i, r1[3] = -9i, r2 = 4i",
        "p0 = 1011",
    ),
    ("movp", "p1 = 0101", "p0 = 0101"),
    ("notp", "p1 = 0101", "p0 = 1010"),
    ("and", "p1 = 0101, p2 = 0011", "p0 = 0001"),
    ("orp", "p1 = 0101, p2 = 0011", "p0 = 0111"),
    ("xorp", "p1 = 0101, p2 = 0011", "p0 = 0110"),
    (
        "if",
        "r1[2] = -1",
        "r8[0] = 1, r8[1] = 1, r8[2] = 0, r8[3] = 1",
    ),
    ("ret", "r8 = 0", "r8 = 0"),
    (
        "texkill",
        "r1[0] = 0 0 0 -1, r1[1] = 0 0 -1 0, r1[2] = -1 0 0 0, r1[3] = nan",
        "kill = 0110",
    ),
    (
        "discard",
        "r1[0] = 3, r1[1] = 4, r1[2] = 5, r1[3] = nan, r2 = 4",
        "kill = 1000",
    ),
    ("sample", "r1 = 1 2 3 4", "r0 = 1 2 3 0"),
    ("texldp", "r1 = 1 2 3 4", "r0 = 0.25 0.5 0.75 0"),
    ("texldb", "r1 = 1 2 3 4", "r0 = 1 2 3 4"),
    ("texldl", "r1 = 1 2 3 4", "r0 = 1 2 3 4"),
    (
        "dsx",
        "r1[1] = 1, r1[2] = 2, r1[3] = 5",
        "r0[0] = 1, r0[1] = 1, r0[2] = 3, r0[3] = 3",
    ),
    (
        "dsy",
        "r1[1] = 1, r1[2] = 2, r1[3] = 5",
        "r0[0] = 2, r0[1] = 4, r0[2] = 2, r0[3] = 4",
    ),
    ("mova", "r1 = 2.75", "a0 = 3 0 0 0"),
    ("def", "r7 = 0", "r7 = 1 2 3 4"),
];

fn idiom(name: &str) -> &'static Idiom {
    let mut idioms = IDIOMS.iter();
    idioms
        .find(|idiom| idiom.names.contains(&name))
        .unwrap_or_else(|| panic!("there is no idiom `{name}`"))
}

/// The directives that begin with `word`, a register's kind in front of each.
fn directives(list: &str, word: &str) -> String {
    let line = |directive: &str| match (word, directive.starts_with('p')) {
        ("temp", true) => format!(";! pred {directive}\n"),
        (word, _) => format!(";! {word} {directive}\n"),
    };
    list.split(", ").map(line).collect()
}

/// Runs the idiom on every engine, and gives the texture instructions that came.
fn run(name: &str, start: &str, end: &str) -> Vec<&'static str> {
    let constants: String = (0..4)
        .map(|row| {
            let [a, b, c, d] = [1, 2, 3, 4].map(|column| 4 * row + column);
            format!(";! const c{row} = {a} {b} {c} {d}\n")
        })
        .collect();
    let constants = match name {
        "m3x3" | "m4x4" => constants.as_str(),
        _ => "",
    };
    let (start, end) = (directives(start, "temp"), directives(end, "expect"));
    let lines = idiom(name).lines.join("\n");
    let echo = Echo::default();
    check_with(
        &format!("{start}{end}{constants}{lines}\n{TAIL}"),
        |bindings| bindings.with_textures(&echo),
    );
    echo.requests().iter().map(TextureQuery::mnemonic).collect()
}

#[test]
fn idioms_have_the_results_that_they_name() {
    for (name, start, end) in RESULTS {
        run(name, start, end);
    }
}

#[test]
fn idioms_of_samples_ask_as_they_say() {
    for (name, op) in [
        ("texld", "tex"),
        ("texldp", "txp"),
        ("texldb", "txb"),
        ("texldl", "txl"),
    ] {
        let seen = run(name, "r1 = 1", "r8 = 1");
        assert!(
            !seen.is_empty() && seen.iter().all(|seen| *seen == op),
            "{name}"
        );
    }
}

#[test]
fn every_idiom_with_lines_has_a_result_here() {
    for idiom in IDIOMS.iter().filter(|idiom| !idiom.lines.is_empty()) {
        let name = idiom.names[0];
        assert!(RESULTS.iter().any(|row| row.0 == name), "{name}");
    }
}
