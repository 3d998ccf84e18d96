//! Tests of AGAL programs: those of `tests/agal_tests/`, which cover the format, and those of the reference.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::script_test::agal::AgalTest;
use attila_conformance::script_test::{Outcome, Report, ScriptTest};
use attila_shader::Engine;
use expect_test::{Expect, expect};

const PROGRAMS: &str = "[agal vertex]
mov op, va0
[agal fragment]
mov oc, fc0
[vertex data]
va0 float2
-1 1
3 1
-1 -3
[indices]
0 1 2
";

/// Runs a test on every engine; all do the same. A message if it is not run.
fn run(name: &str, text: &str) -> Result<Report, String> {
    let test = AgalTest::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reports = Vec::new();
    for engine in Engine::all() {
        match test.run(&engine) {
            Ok(Outcome::Ran(report)) => reports.push(report),
            Ok(Outcome::Skipped(reason)) => return Err(reason),
            Err(error) => panic!("{name}: {engine:?}: {error}"),
        }
    }
    let same = reports.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(same, "{name}: the engines differ");
    Ok(reports.swap_remove(0))
}

/// The complaints of the probes of a report.
fn complaints(name: &str, report: &Report) -> Vec<String> {
    let probes = report.probes.iter();
    probes.filter_map(|probe| probe.complaint(name)).collect()
}

/// Runs all tests in a folder, all probes of which pass. The numbers of tests and of probes.
fn passes(folder: &str) -> [usize; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("it is a folder");
    let files = entries.map(|entry| entry.expect("it can be listed").path());
    let is_test = |path: &PathBuf| path.extension().is_some_and(|it| it == "agal_test");
    let mut counts = [0; 2];
    for file in files.filter(is_test) {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).expect("it is a text");
        let report = run(&name, &text).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert!(!report.probes.is_empty(), "{name}");
        assert_eq!(complaints(&name, &report), [""; 0]);
        counts = [counts[0] + 1, counts[1] + report.probes.len()];
    }
    counts
}

#[test]
fn the_format_is_covered_by_tests_that_pass() {
    assert_eq!(passes("tests/agal_tests"), [3, 47]);
}

#[test]
#[ignore = "needs ../shared/agal/cases"]
fn the_tests_of_the_reference_pass() {
    assert_eq!(passes("../shared/agal/cases"), [15, 869]);
}

#[test]
fn a_failed_probe_says_what_it_saw_and_does_not_stop_the_script() {
    let script = "[test]
size 2 2
constant fc0 = 1 .5 0 1
draw 0 1
probe 0 0  255 127 0 tolerance 0
probe 1 1  255 130 0 tolerance 2
probe 1 1  255 129 0 tolerance 2
";
    let report = run("it", &format!("{PROGRAMS}{script}")).expect("it is run");
    let picture = &report.targets[0];
    assert_eq!([picture.width(), picture.height()], [2, 2]);
    assert_eq!(picture.pixels(), [[255, 127, 0, 255]; 4]);
    expect!["it:17: probe 1 1  255 130 0 tolerance 2: expected 255 130 0, seen 255 127 0"]
        .assert_eq(&complaints("it", &report).join("\n"));
}

#[test]
fn tests_that_are_not_run_say_why() {
    let requires = format!("[require]\nagal 3\nstencil\n{PROGRAMS}[test]\n");
    assert_eq!(
        run("it", &requires),
        Err("it requires stencil, which is not supported".to_owned())
    );
}

#[test]
fn draws_that_cannot_be_made_are_errors_at_their_lines() {
    let text = PROGRAMS.replace("mov op, va0", "mov op, va1");
    let text = format!("{text}[test]\nsize 1 1\ndraw 0 1");
    let test = AgalTest::parse(&text).expect("it is a test");
    let error = test.run(&Engine::interp()).expect_err("it stops");
    let chain = attila_shader::machine::ErrorChain(&error).to_string();
    expect!["line 14: the vertex program reads i1, which has no buffer"].assert_eq(&chain);
}

#[test]
fn programs_and_textures_that_flash_does_not_draw_with_are_errors_with_its_numbers() {
    let images = [
        "2d bgra 1 1\nff204060\n".to_owned(),
        format!("cube bgra 1 1\n{}", "ff204060\n".repeat(6)),
    ];
    let [plane, cube] = &images;
    let two = "[require]\nagal 2\n";
    for (require, vertex, fragment, image, expected) in [
        (
            "",
            "mov v0, va0",
            "\ntex oc, v0, fs0 <cube>",
            plane,
            "the program samples a cube in texture unit 0, which is bound to a 2D image (error 3754 of Flash)",
        ),
        (
            "",
            "mov v0, va0",
            "\ntex oc, v0, fs0 <2d,ignoresampler>",
            cube,
            "the program samples a 2D image in texture unit 0, which is bound to a cube (error 3754 of Flash)",
        ),
        (
            "",
            "mov v0, va0",
            "\ntex oc, v0, fs1 <2d>",
            plane,
            "the program samples texture unit 1, which is not bound (error 3605 or 3663 of Flash)",
        ),
        (
            "",
            "mov v0, va0",
            "\nadd oc, v0, v3",
            plane,
            "the fragment program reads v3, to which nothing is written before (error 3632 of Flash)",
        ),
        (
            "",
            "mov v0.xy, va0",
            "\nmov oc, v0.x",
            plane,
            "the fragment program reads v0, of which .zw is not written before (error 3633 of Flash)",
        ),
        (
            two,
            "mov v0, va0",
            " hex\na001000000a101 00000000 00000f03 000000e404000000 0000000000000000",
            plane,
            "the vertex program is of version 2, the fragment program of version 1 (error 3757 of Flash)",
        ),
    ] {
        let fragment = format!("[agal fragment]{fragment}").replace("] hex", " hex]");
        let programs = PROGRAMS.replace("mov op, va0", &format!("mov op, va0\n{vertex}"));
        let programs = programs.replace("[agal fragment]\nmov oc, fc0", &fragment);
        let text = format!("{require}{programs}[texture 0]\n{image}[test]\nsize 1 1\ndraw 0 1");
        let test = AgalTest::parse(&text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
        let line = text.lines().count();
        for engine in Engine::all() {
            let error = test.run(&engine).expect_err("it stops");
            let chain = attila_shader::machine::ErrorChain(&error).to_string();
            assert_eq!(chain, format!("line {line}: {expected}"));
        }
    }
}

#[test]
fn byte_programs_of_another_stage_have_the_numbers_of_flash() {
    let hex = " hex]\na001000000a100 00000000 00000f03 000000e400000000 0000000000000000";
    let text = PROGRAMS.replace("fragment]\nmov oc, fc0", &format!("fragment{hex}"));
    refuses(
        &format!("{text}[test]\n"),
        expect![
            "3:1: error: expected a fragment program; this is a vertex program (error 3630 of Flash)"
        ],
    );
}

/// Checks the errors in a text.
fn refuses(text: &str, expected: Expect) {
    let error = AgalTest::parse(text).expect_err("it has mistakes");
    expected.assert_eq(&error.to_string());
}

#[test]
fn sections_are_known_and_there_once() {
    refuses(
        "[agal vertx]\n[test]\n",
        expect!["1:1: error: there is no section `[agal vertx]` (did you mean `[agal vertex]`?)"],
    );
    refuses(
        "[agal vertex]\nmov op, va0\n",
        expect![[r#"
            3:1: error: a test has the sections `[agal vertex]` and `[agal fragment]`
            3:1: error: the section `[test]` is missing"#]],
    );
    refuses(
        &format!("[require]\nagal 4\n{PROGRAMS}[indices]\n0 1\n[texture 16]\n[test]\n"),
        expect![[r#"
            2:1: error: there is no version 4 of AGAL (there are 1, 2 and 3)
            14:1: error: the section `[indices]` appears twice
            16:1: error: there is no texture unit `16` (the last is 15)
            16:1: error: every three indices are a triangle"#]],
    );
}

#[test]
fn mistakes_in_programs_are_at_their_places() {
    let text = PROGRAMS.replace("mov oc", "# A comment.\nddx oc");
    let text = text.replace("mov op", "mvo op");
    refuses(
        &format!("{text}[test]\n"),
        expect![[r#"
            2:1: error: unknown opcode `mvo` (did you mean `mov`?)
            5:1: error: version 1 has no `ddx` (error 3726 of Flash) (version 2 has it)"#]],
    );
    let bytes = "[agal fragment hex other]\na001000000a10100000000\n\
                 [agal vertex hex bytes]\na001000000a1010000000000000f03000000e4010000000000000000000000\n\
                 [agal vertex hex odd]\nabc\n";
    refuses(
        &format!("{PROGRAMS}{bytes}[test]\n"),
        expect![[r#"
            12:1: error: a program has 31 bytes at least; here are 11 (error 3615 of Flash)
            14:1: error: expected a vertex program; this is a fragment program (error 3631 of Flash)
            16:1: error: these are not bytes in hexadecimal"#]],
    );
}

#[test]
fn mistakes_in_data_are_at_their_words() {
    let text = PROGRAMS.replace("3 1", "3 .5x");
    let data = "[constants]\nfc0 = 1 2\nxc0 = 1\nvc1 1\n[texture 0]\n2d bgra 2 1\nff 123456789\n\
                [texture 1]\ncube bgra 1 1\n1 2 3\n[texture 2]\n3d bgra 1 1\n";
    refuses(
        &format!("{text}{data}[test]\n"),
        expect![[r#"
            8:3: error: expected a number, found `.5x`
            14:1: error: `xc0` is not a constant, such as `fc0`
            15:5: error: expected one of `=`, found `1`
            18:4: error: `123456789` is not a texel of eight hexadecimal digits
            20:1: error: the texture has 6 texels; here are 3
            23:1: error: expected one of `2d`, `cube`, found `3d` (did you mean `2d`?)"#]],
    );
    let twice = "[vertex data]\nva0 float2 va0 float1\n";
    let text = format!("[agal vertex]\nmov op, va0\n[agal fragment]\nmov oc, fc0\n{twice}[test]\n");
    refuses(&text, expect!["6:12: error: `va0` appears twice"]);
}

#[test]
fn mistakes_in_commands_are_at_their_words() {
    let script = "draw 0 1\nsize 2 2\ndraw 1 1\ndraw 0 2\nprobe 2 0  0 0 0 tolerance 0\nprogram other\n\
                  sampler 0 linear clamp mipnone\nblend one two\nculll none\nscissor 0 0 1\n\
                  color mask 1 1 1 2\nclear 0 0 0\nsize 0 2";
    refuses(
        &format!("{PROGRAMS}[test]\n{script}"),
        expect![[r#"
            13:6: error: there is no `size` before this
            15:6: error: no triangle begins at index 1
            16:8: error: triangle count 2 is not from 0 to 1
            17:7: error: column 2 is not from 0 to 1
            18:9: error: there is no program `other`
            19:11: error: `linear` is not a wrap mode
            20:11: error: expected one of `zero`, `one`, `source_color`, `one_minus_source_color`, `source_alpha`, `one_minus_source_alpha`, `destination_color`, `one_minus_destination_color`, `destination_alpha`, `one_minus_destination_alpha`, found `two`
            21:1: error: there is no command `culll` (did you mean `cull`?)
            22:14: error: expected an integer, found the end of the line
            23:18: error: mask 2 is not from 0 to 1
            24:12: error: expected a number, found the end of the line
            25:6: error: width 0 is not from 1 to 2048"#]],
    );
    let named = PROGRAMS.replace("[agal fragment]", "[agal fragment shade]");
    refuses(
        &format!("{named}[test]\nsize 1 1\ndraw 0 1"),
        expect!["14:6: error: there is no `program` before this"],
    );
}
