//! Messages of tests that fail, of tests that are skipped, and about texts that are not tests.

use attila_conformance::script_test::arb::{ArbTest, MAX_COMMANDS};
use attila_conformance::script_test::{Outcome, RunError, ScriptTest};
use attila_shader::Engine;
use expect_test::{Expect, expect};

use super::{complaints, run};

const VERTEX: &str = "[vertex program]
!!ARBvp1.0
MOV result.position, vertex.position;
MOV result.color, vertex.color;
END
";

/// Checks the failed probes of a script, whose first line is 7.
fn fails(script: &str, expected: Expect) {
    let report = run("it", &format!("{VERTEX}[test]\n{script}")).expect("nothing is asked for");
    assert_eq!(report.passed(), complaints("it", &report).is_empty());
    expected.assert_eq(&complaints("it", &report).join("\n"));
}

/// Checks the errors in a text.
fn refuses(text: &str, expected: Expect) {
    let error = ArbTest::parse(text).expect_err("it has mistakes");
    expected.assert_eq(&error.to_string());
}

/// Checks the errors in a script, whose first line is 7.
fn refuses_script(script: &str, expected: Expect) {
    refuses(&format!("{VERTEX}[test]\n{script}"), expected);
}

#[test]
fn a_failed_probe_says_what_it_saw_and_does_not_stop_the_script() {
    fails(
        "clear color 0 0 0 1
clear
clear depth 0.25
clear
color 1 0.5 0 1
draw rect -1 -1 1 2
probe all rgba 0 0 0 1
probe rgba 10 10 1 0.5 1 1
probe rgba 10 10 1 0.5 0 1
probe rgb 200 10 1 0.5 0
relative probe rgb (0.0, 1.0) (1, 0, 0)
relative probe rgba (1.0, 1.0) (0, 0, 0, 0)
probe depth 3 4 0.26
probe depth 3 4 0.259",
        expect![[r#"
            it:13: probe all rgba 0 0 0 1: at (0, 0) and 31249 more pixels: expected 0 0 0 1, seen 1 0.502 0 1
            it:14: probe rgba 10 10 1 0.5 1 1: at (10, 10): expected 1 0.5 1 1, seen 1 0.502 0 1
            it:16: probe rgb 200 10 1 0.5 0: at (200, 10): expected 1 0.5 0, seen 0 0 0
            it:17: relative probe rgb (0.0, 1.0) (1, 0, 0): at (0, 249): expected 1 0 0, seen 1 0.502 0
            it:18: relative probe rgba (1.0, 1.0) (0, 0, 0, 0): at (249, 249): expected 0 0 0 0, seen 0 0 0 1"#]],
    );
}

/// Bytes are rounded to the nearest; the expected values of all pixels are truncated.
#[test]
fn probes_are_as_tolerant_as_piglit() {
    fails(
        "color 0.5 0.5 0.5 0.5
draw rect -1 -1 2 2
# 128 is stored. 0.4922 and 0.5137 are 125 and 130, 0.4901 and 0.5138 are 124 and 131.
probe all rgba 0.4922 0.5137 0.5 0.5
probe all rgba 0.4901 0.5 0.5 0.5
probe all rgba 0.5 0.5 0.5 0.5177
# 128 / 255 is 0.50196.
probe rgba 0 0 0.4921 0.5118 0.5 0.5
probe rgba 0 0 0.4918 0.5 0.5 0.5
probe rgba 0 0 0.5 0.5 0.5121 0.5",
        expect![[r#"
            it:11: probe all rgba 0.4901 0.5 0.5 0.5: at (0, 0) and 62499 more pixels: expected 0.49 0.5 0.5 0.5, seen 0.502 0.502 0.502 0.502
            it:12: probe all rgba 0.5 0.5 0.5 0.5177: at (0, 0) and 62499 more pixels: expected 0.5 0.5 0.5 0.518, seen 0.502 0.502 0.502 0.502
            it:15: probe rgba 0 0 0.4918 0.5 0.5 0.5: at (0, 0): expected 0.492 0.5 0.5 0.5, seen 0.502 0.502 0.502 0.502
            it:16: probe rgba 0 0 0.5 0.5 0.5121 0.5: at (0, 0): expected 0.5 0.5 0.512 0.5, seen 0.502 0.502 0.502 0.502"#]],
    );
}

#[test]
fn what_there_is_not_is_a_reason_to_skip() {
    for (requirement, expected) in [
        ("GL >= 1.5", None),
        ("GL_ARB_fragment_program\ndepthbuffer\n\n# GL >= 9.9", None),
        ("GL >= 2.1", Some("it requires GL >= 2.1; this is 1.5")),
        (
            "GL >= 1.3\nGL_NV_fragment_program_option",
            Some("it requires GL_NV_fragment_program_option, which is not supported"),
        ),
        (
            "GLSL >= 1.10",
            Some("it requires GLSL >= 1.10, which is not supported"),
        ),
    ] {
        // The test is skipped before its program is read, so mistakes in it do not show.
        let program = if expected.is_some() {
            "!!ARBfp1.0 LOOP"
        } else {
            "!!ARBfp1.0\nEND"
        };
        let text =
            format!("[require]\n{requirement}\n{VERTEX}[fragment program]\n{program}\n[test]\n");
        let test = ArbTest::parse(&text).expect("it is a test");
        match (
            test.run(&Engine::interp()).expect("nothing is wrong"),
            expected,
        ) {
            (Outcome::Skipped(reason), Some(expected)) => assert_eq!(reason, expected),
            (Outcome::Ran(report), None) => assert!(report.passed()),
            (outcome, _) => panic!("{requirement}: {outcome:?}"),
        }
    }
}

#[test]
fn mistakes_in_programs_are_at_lines_of_the_test() {
    let load = |text: &str| {
        let test = ArbTest::parse(text).expect("its script is in order");
        match test.run(&Engine::interp()) {
            Err(RunError::Program(error)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let wrong = format!(
        "{VERTEX}[fragment program]\n!!ARBfp1.0\nMOV result.colour, 1;\nMVO x, y;\nEND\n[test]\n"
    );
    expect![[r#"
        8:12: error: fragment programs have no binding with `colour` here (did you mean `color`?)
        9:1: error: unknown instruction `MVO` (did you mean `MOV`?)"#]]
    .assert_eq(&load(&wrong));
    let exchanged = format!("{VERTEX}[fragment program]\n!!ARBvp1.0\nEND\n[test]\n");
    expect!["7:1: error: expected a fragment program; this is a vertex program"]
        .assert_eq(&load(&exchanged));
    let empty = "\n[vertex program]\n\n!!ARBvp1.0\nEND\n[test]\n";
    expect!["3:1: error: a program begins with `!!ARBvp1.0` or `!!ARBfp1.0` (nothing may stand before it, not even a blank)"].assert_eq(&load(empty));
}

#[test]
fn sections_are_known_and_there_once() {
    refuses(
        "nothing but a comment\n",
        expect![[r#"
            2:1: error: the section `[vertex program]` is missing
            2:1: error: the section `[test]` is missing"#]],
    );
    refuses(
        "[vertex program]\n!!ARBvp1.0\nEND\n",
        expect!["4:1: error: the section `[test]` is missing"],
    );
    refuses(
        "[vertex progam]\nEND\n[test]\n",
        expect![
            "1:1: error: there is no section `[vertex progam]` (did you mean `[vertex program]`?)"
        ],
    );
    refuses(
        &format!("{VERTEX}{VERTEX}[test]\n"),
        expect!["6:1: error: the section `[vertex program]` appears twice"],
    );
    refuses(
        &format!("{VERTEX}[vertex shader]\nvoid main() {{}}\n[test]"),
        expect!["6:1: error: there is no section `[vertex shader]`"],
    );
    // A script has no sections after it.
    refuses_script(
        "clear\n[require]\nGL >= 1.3",
        expect![[r#"
        8:1: error: there is no command `[require]`
        9:1: error: there is no command `GL`"#]],
    );
    refuses(
        "[require]\nGL 1.3\nGL >= 1\n[test]\n[vertex program]",
        expect![[r#"
            2:1: error: a version is required as in `GL >= 1.3`
            3:1: error: a version is required as in `GL >= 1.3`
            5:1: error: there is no command `[vertex`
            5:17: error: the section `[vertex program]` is missing"#]],
    );
}

#[test]
fn commands_are_known() {
    refuses_script(
        "clear colour 1 1 1 1
clera
draw rct 0 0 1 1
probe all rgb 1 1 1
relative probe rgba 0.5 0.5 1 1 1 1
blend on
enable GL_BLEND
texture rgb 0 (1, 1)
texparameter 3D depth_mode alpha
parameter local 0 (1, 1, 1, 1)",
        expect![[r#"
            7:7: error: expected the end of the line, found `colour`
            8:1: error: there is no command `clera` (did you mean `clear`?)
            9:1: error: expected another word after `draw` (the commands are `draw rect tex`, `draw rect`)
            10:1: error: expected another word after `probe` (the commands are `probe all rgba`, `probe rgba`, `probe rgb`, `probe depth`)
            11:21: error: expected `(`, found `0.5`
            12:1: error: there is no command `blend`
            13:8: error: expected one of `GL_DEPTH_TEST`, `GL_VERTEX_PROGRAM_TWO_SIDE_ARB`, `GL_VERTEX_PROGRAM_TWO_SIDE`, found `GL_BLEND`
            14:9: error: expected one of `rgbw`, `miptree`, `shadow1D`, `shadow2D`, `shadowRect`, found `rgb` (did you mean `rgbw`?)
            15:14: error: expected one of `1D`, `2D`, `Rect`, found `3D` (did you mean `1D`?)
            16:11: error: expected one of `local_vp`, `env_vp`, `local_fp`, `env_fp`, found `local`"#]],
    );
}

#[test]
fn numbers_are_numbers_and_as_many_as_there_have_to_be() {
    refuses_script(
        "clear color 1 1 1
clear color 1 1 1 1 1
color 1 red 1 1
clear depth 1.0.0
texcoord 0 1 2 3 4
texcoord 0 (1, 2, 3)
texcoord 0 (1, 2, 3, 4
texcoord 0 (1, 2, 3, 4) 5
ortho 0 1 0
ortho 0 1 0 INF
probe rgba 1 1 1 1 1 NAN
probe rgba 1.5 1 1 1 1 1
probe rgba -1 1 1 1 1 1
color infinity 1 1 1",
        expect![[r#"
            7:18: error: expected a number, found the end of the line
            8:21: error: expected the end of the line, found `1`
            9:9: error: expected a number, found `red`
            10:13: error: expected a number, found `1.0.0`
            11:12: error: expected `(`, found `1`
            12:20: error: expected `,`, found `)`
            13:23: error: expected `)`, found the end of the line
            14:25: error: expected the end of the line, found `5`
            15:12: error: expected a number, found the end of the line
            16:13: error: expected a finite number, found `INF`
            17:22: error: expected a finite number, found `NAN`
            18:12: error: expected an integer, found `1.5`
            19:12: error: expected an integer, found `-1`
            20:7: error: expected a number, found `infinity`"#]],
    );
}

#[test]
fn numbers_are_within_their_limits() {
    refuses_script(
        "texcoord 8 (0, 0, 0, 1)
parameter local_vp 1024 (0, 0, 0, 0)
parameter env_fp 99999999999999 (0, 0, 0, 0)
texture rgbw 16 (1, 1)
texture rgbw 0 (0, 1)
texture shadow1D 0 (2049)
probe rgba 250 0 1 1 1 1
probe depth 0 250 1
relative probe rgb (1.01, 0) (1, 1, 1)
relative probe rgb (0, -0.1) (1, 1, 1)",
        expect![[r#"
            7:10: error: unit 8 is not from 0 to 7
            8:20: error: parameter 1024 is not from 0 to 1023
            9:18: error: parameter 99999999999999 is not from 0 to 1023
            10:14: error: unit 16 is not from 0 to 15
            11:17: error: size 0 is not from 1 to 2048
            12:21: error: size 2049 is not from 1 to 2048
            13:12: error: column 250 is not from 0 to 249
            14:15: error: row 250 is not from 0 to 249
            15:21: error: 1.01 is not a fraction of the window, from 0 to 1
            16:24: error: -0.1 is not a fraction of the window, from 0 to 1"#]],
    );
}

#[test]
fn a_script_has_a_limit_of_commands() {
    let full = "# a comment\nprobe depth 0 0 0\n\n".repeat(MAX_COMMANDS);
    let report = run("it", &format!("{VERTEX}[test]\n{full}")).expect("it is full");
    assert_eq!(report.probes.len(), MAX_COMMANDS);
    refuses_script(
        &format!("{full} clear color 1\nnothing that is read\n"),
        expect!["30007:2: error: a script has at most 10000 commands"],
    );
    // Lines with mistakes are lines.
    let wrong = "x\n".repeat(MAX_COMMANDS + 5);
    let error = ArbTest::parse(&format!("{VERTEX}[test]\n{wrong}")).expect_err("it is wrong");
    let last = error.diagnostics.last().expect("there is one");
    assert_eq!(
        last.message,
        format!("{} more errors are not shown", MAX_COMMANDS - 99)
    );
}

#[test]
fn programs_that_do_not_fit_each_other_or_the_textures_are_errors_of_draws() {
    let sample = "TEX result.color, fragment.color, texture[0], 2D;";
    for (vertex, fragment, script, expected) in [
        (
            "",
            sample,
            "draw rect -1 -1 2 2",
            "the program samples texture unit 0, which is not bound",
        ),
        (
            "",
            sample,
            "texture shadow1D 0 (4)\ndraw rect -1 -1 2 2",
            "the program samples a 2D image in texture unit 0, which is bound to a 1D image",
        ),
        (
            "",
            "MOV result.color, fragment.texcoord[1];",
            "draw rect -1 -1 2 2",
            "the fragment program reads fragment.texcoord[1], to which nothing is written before",
        ),
        (
            "MOV result.texcoord[1].xz, vertex.color;\n",
            "MOV result.color, fragment.texcoord[1].xyyx;",
            "draw rect -1 -1 2 2",
            "the fragment program reads fragment.texcoord[1], of which .y is not written before",
        ),
    ] {
        let vertex = VERTEX.replace("END\n", &format!("{vertex}END\n"));
        let fragment = format!("[fragment program]\n!!ARBfp1.0\n{fragment}\nEND\n");
        let text = format!("{vertex}{fragment}[test]\n{script}");
        let test = ArbTest::parse(&text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
        let error = test.run(&Engine::interp()).expect_err("it stops");
        let chain = attila_shader::machine::ErrorChain(&error).to_string();
        assert_eq!(chain, format!("line {}: {expected}", text.lines().count()));
    }
}

#[test]
fn textures_of_a_script_have_a_limit_together() {
    refuses_script(
        "texture rgbw 0 (2048, 2048)
texture shadowRect 1 (2048, 2048)
texture rgbw 0 (2048, 2047)
texture miptree 0
texture shadow1D 3 (2048)
texture shadow2D 2 (2048, 2048)
texture rgbw 2 (2048, 2048)
texture rgbw 2 (1, 1)
texparameter 2D depth_mode alpha",
        expect![[r#"
            13:16: error: the textures of a script have at most 16777216 texels together
            14:16: error: the textures of a script have at most 16777216 texels together"#]],
    );
}

/// Expected colours may be any finite numbers.
#[test]
fn colours_far_from_all_others_are_not_seen() {
    fails(
        "probe all rgba -3e38 0 0 0\nprobe all rgba 0 0 0 3e38",
        expect![[r#"
            it:7: probe all rgba -3e38 0 0 0: at (0, 0) and 62499 more pixels: expected -inf 0 0 0, seen 0 0 0 0
            it:8: probe all rgba 0 0 0 3e38: at (0, 0) and 62499 more pixels: expected 0 0 0 inf, seen 0 0 0 0"#]],
    );
}

#[test]
fn texture_parameters_are_those_of_the_last_texture() {
    refuses_script(
        "texparameter 2D depth_mode alpha
texture shadow1D 3 (4)
texparameter 1D depth_mode alpha
texparameter 2D depth_mode alpha
texparameter 1D depth_mode red
texparameter 1D compare_func ggreater
texture rgbw 1 (4, 4)
texparameter 1D depth_mode alpha",
        expect![[r#"
            7:14: error: unit 0 has no 2D texture
            10:14: error: unit 3 has no 2D texture
            11:28: error: expected one of `luminance`, `intensity`, `alpha`, found `red`
            12:30: error: expected one of `greater`, `gequal`, `less`, `lequal`, `equal`, `notequal`, `never`, `always`, found `ggreater` (did you mean `greater`?)
            14:14: error: unit 1 has no 1D texture"#]],
    );
}

/// A rectangle with an infinite or NaN corner covers no pixel.
#[test]
fn rectangles_without_a_size_or_without_an_end_draw_nothing() {
    let script = "clear color 0 0 0 1
clear
draw rect 0 0 0 0
draw rect 0 0 1 0
draw rect NAN 0 1 1
draw rect 0 0 INF 1
draw rect 1e38 1e38 1e38 1e38
draw rect tex -3 -3 1 1 NAN INF -INF 1
probe all rgba 0 0 0 1
";
    fails(script, expect![""]);
    // The same with a projection that has no extent.
    let invariant =
        "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, vertex.color;\nEND";
    let projection = "ortho 1 1 1 1\ndraw rect 0 0 1 1\n";
    let text = format!("[vertex program]\n{invariant}\n[test]\n{projection}{script}");
    let report = run("it", &text).expect("nothing is asked for");
    assert!(report.passed(), "{:?}", report.probes);
}

/// Every text is a test, or is refused with positions inside it.
#[test]
fn damaged_texts_are_refused_inside_them() {
    const PIECES: [&str; 8] = [
        "(",
        ",",
        "\n[test]\n",
        " 1e99 ",
        "probe",
        "é",
        "\r",
        "[require]\n",
    ];
    let sources = [
        include_str!("../../shader_tests/shadows.shader_test"),
        include_str!("../../shader_tests/parameters.shader_test"),
        include_str!("../../shader_tests/quarters.shader_test"),
    ];
    let mut seed = 1_u32;
    let mut dice = |sides: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % sides
    };
    let mut refused = 0;
    for _ in 0..3000 {
        let mut text: Vec<char> = sources[dice(sources.len())].chars().collect();
        for _ in 0..=dice(4) {
            let at = dice(text.len());
            let end = (at + dice(6)).min(text.len());
            let piece = if dice(2) == 0 {
                ""
            } else {
                PIECES[dice(PIECES.len())]
            };
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = ArbTest::parse(&text) {
            refused += 1;
            for diagnostic in &error.diagnostics {
                assert!(
                    text.get(diagnostic.span.clone()).is_some(),
                    "{diagnostic}\n{text}"
                );
            }
        }
    }
    assert!(refused > 300, "{refused}");
}
