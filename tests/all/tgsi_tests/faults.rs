//! Messages of tests that fail, of tests that are not run, and about texts that are not tests.

use attila_conformance::script_test::tgsi::{MAX_VERTICES, TgsiTest};
use attila_conformance::script_test::{RunError, ScriptTest};
use attila_shader::Engine;
use attila_shader::machine::ErrorChain;
use expect_test::{Expect, expect};

use super::{complaints, run};

const PROGRAMS: &str = "[tgsi vertex]
VERT
DCL IN[0]
DCL OUT[0], POSITION
MOV OUT[0], IN[0]
END
[tgsi fragment]
FRAG
DCL OUT[0], COLOR
DCL CONST[0]
MOV OUT[0], CONST[0]
END
[vertex data]
IN[0]
-1 -1 0 1
3 -1 0 1
-1 3 0 1
";

/// Checks the failed probes of a script, whose first line is 19.
fn fails(script: &str, expected: Expect) {
    let report = run("it", &format!("{PROGRAMS}[test]\n{script}")).expect("it is run");
    assert_eq!(report.passed(), complaints("it", &report).is_empty());
    expected.assert_eq(&complaints("it", &report).join("\n"));
}

/// Checks the errors in a text.
fn refuses(text: &str, expected: Expect) {
    let error = TgsiTest::parse(text).expect_err("it has mistakes");
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_failed_probe_says_what_it_saw_and_does_not_stop_the_script() {
    fails(
        "target 2 2 rgba32f
const FRAG 0 0 0x3f800000 0xc0000000 0x7fc00000 0
draw TRIANGLES 0 3
probe 0 0 1 -2 nan 0
tolerance 0.01
probe 0 1 1.0099 -2.0201 nan 0.00999
probe 0 1 1 -2 nan 0.0101
probe 0 1 1 -2 1 0
target 1 1 rgba32i
draw TRIANGLES 0 3
probe 0 0 1065353216 -1073741824 0x7fc00000 1",
        expect![[r#"
            it:25: probe 0 1 1 -2 nan 0.0101: expected 1 -2 NaN 0.0101, seen 1 -2 NaN 0
            it:26: probe 0 1 1 -2 1 0: expected 1 -2 1 0, seen 1 -2 NaN 0
            it:29: probe 0 0 1065353216 -1073741824 0x7fc00000 1: expected 0x3f800000 0xc0000000 0x7fc00000 0x00000001, seen 0x3f800000 0xc0000000 0x7fc00000 0x00000000"#]],
    );
}

#[test]
fn tests_that_are_not_run_say_why() {
    let requires = format!("[require]\nfp64\ntimers\n{PROGRAMS}[test]\n");
    assert_eq!(
        run("it", &requires),
        Err("it requires timers, which is not supported".to_owned())
    );
    let broken = PROGRAMS.replace("MOV OUT[0], CONST[0]", "MVO OUT[0], CONST[0]");
    let test = TgsiTest::parse(&format!("{broken}[test]\n")).expect("its script is in order");
    let Err(RunError::Program(error)) = test.run(&Engine::interp()) else {
        panic!("it has a mistake");
    };
    expect!["11:1: error: unknown opcode `MVO` (did you mean `MOV`?)"]
        .assert_eq(&error.diagnostics[0].to_string());
    let exchanged = PROGRAMS
        .replace("VERT", "FRAG")
        .replace("POSITION", "COLOR");
    let exchanged = run("it", &format!("{exchanged}[test]\n"));
    assert_eq!(
        exchanged,
        Err("expected a vertex program; this is a fragment program".to_owned())
    );
}

#[test]
fn draws_that_cannot_be_made_are_errors_at_their_lines() {
    for (script, expected) in [
        ("draw TRIANGLES 0 3", "line 19: there is no target"),
        (
            "target 1 1 rgba32f\ndraw LINES 0 2",
            "line 20: lines are not drawn",
        ),
        ("dispatch 1 1 1", "line 19: there is no compute program"),
    ] {
        let test = TgsiTest::parse(&format!("{PROGRAMS}[test]\n{script}")).expect("it is a test");
        let error = test.run(&Engine::interp()).expect_err("it stops");
        assert_eq!(ErrorChain(&error).to_string(), expected);
    }
}

#[test]
fn points_of_geometry_programs_are_not_drawn() {
    let geometry = "[tgsi geometry]
GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], POSITION
DCL OUT[0], POSITION
MOV OUT[0], IN[0][0]
EMIT
END
";
    let script = "[test]\ntarget 1 1 rgba32f\ndraw TRIANGLES 0 3";
    let test = TgsiTest::parse(&format!("{PROGRAMS}{geometry}{script}")).expect("it is a test");
    let error = test.run(&Engine::interp()).expect_err("it stops");
    let expected = "line 30: points of geometry programs are not drawn";
    assert_eq!(ErrorChain(&error).to_string(), expected);
}

#[test]
fn outputs_that_draws_would_have_to_act_on_are_errors_of_draws() {
    for (semantic, expected) in [
        ("LAYER", Some("targets of draws have one layer")),
        ("VIEWPORT_INDEX", Some("draws have one viewport")),
        (
            "CLIPVERTEX",
            Some("draws have no clip planes; CLIPDIST is a distance from one"),
        ),
        // Triangles need neither.
        ("PSIZE", None),
        ("EDGEFLAG", None),
    ] {
        let written = format!("DCL OUT[1], {semantic}\nMOV OUT[1], IN[0]\nMOV OUT[0], IN[0]");
        let programs = PROGRAMS.replace("MOV OUT[0], IN[0]", &written);
        let text = format!("{programs}[test]\ntarget 1 1 rgba32f\ndraw TRIANGLES 0 3");
        let test = TgsiTest::parse(&text).expect("it is a test");
        let error = test.run(&Engine::interp()).err();
        let expected = expected.map(|reason| {
            format!("line 22: the vertex program writes {semantic}, which has no effect: {reason}")
        });
        let error = error.map(|error| ErrorChain(&error).to_string());
        assert_eq!(error, expected);
    }
    let fragment = "DCL OUT[1], STENCIL\nMOV OUT[1].y, CONST[0]\nMOV OUT[0], CONST[0]";
    let programs = PROGRAMS.replace("MOV OUT[0], CONST[0]", fragment);
    let text = format!("{programs}[test]\ntarget 1 1 rgba32f\ndraw TRIANGLES 0 3");
    let test = TgsiTest::parse(&text).expect("it is a test");
    let error = test.run(&Engine::interp()).expect_err("it stops");
    let expected = "line 22: the fragment program writes STENCIL, which has no effect: draws have no stencil test";
    assert_eq!(ErrorChain(&error).to_string(), expected);
}

#[test]
fn programs_that_do_not_fit_each_other_or_the_textures_are_errors_of_draws() {
    let image = |target: &str| {
        format!(
            "SAMP[0] {target} rgba8 4x4x1 levels 1 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT"
        )
    };
    let sample = "DCL IN[0], GENERIC[2], PERSPECTIVE\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D";
    let output = "DCL OUT[1], GENERIC[2]\nMOV OUT[1]";
    let copy = "DCL IN[0], GENERIC[2], PERSPECTIVE\nMOV OUT[0], IN[0]";
    for (vertex, fragment, textures, expected) in [
        (
            format!("{output}, IN[0]"),
            sample,
            image("CUBE"),
            "the program samples a 2D image in texture unit 0, which is bound to a cube",
        ),
        (
            format!("{output}, IN[0]"),
            sample,
            String::new(),
            "the program samples texture unit 0, which is not bound",
        ),
        (
            String::new(),
            copy,
            String::new(),
            "the fragment program reads GENERIC[2], to which nothing is written before",
        ),
        (
            format!("{output}.xyw, IN[0]"),
            copy,
            String::new(),
            "the fragment program reads GENERIC[2], of which .z is not written before",
        ),
    ] {
        let text = format!(
            "[tgsi vertex]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n{vertex}\nMOV OUT[0], IN[0]\nEND\n\
             [tgsi fragment]\nFRAG\nDCL OUT[0], COLOR\n{fragment}\nEND\n\
             [vertex data]\nIN[0]\n-1 -1 0 1\n3 -1 0 1\n-1 3 0 1\n\
             [textures]\n{textures}\n[test]\ntarget 1 1 rgba32f\ndraw TRIANGLES 0 3"
        );
        let test = TgsiTest::parse(&text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
        let error = test.run(&Engine::interp()).expect_err("it stops");
        let chain = ErrorChain(&error).to_string();
        assert_eq!(chain, format!("line {}: {expected}", text.lines().count()));
    }
}

#[test]
fn sections_are_known_and_there_once() {
    refuses(
        "[tgsi vertx]\n[test]\n",
        expect!["1:1: error: there is no section `[tgsi vertx]` (did you mean `[tgsi vertex]`?)"],
    );
    refuses(
        "[tgsi vertex]\nVERT\nEND\n",
        expect![[r#"
            4:1: error: a test has the sections `[tgsi vertex]` and `[tgsi fragment]`, or `[tgsi compute]`
            4:1: error: the section `[test]` is missing"#]],
    );
    refuses(
        &format!("{PROGRAMS}[textures]\n[textures]\n[test]\n"),
        expect!["19:1: error: the section `[textures]` appears twice"],
    );
    refuses(
        &format!("# dialect T8\n{PROGRAMS}[test]\n"),
        expect!["1:1: error: there is no dialect `T8` (the dialects are T7, T10 and T23)"],
    );
}

#[test]
fn mistakes_in_commands_are_at_their_words() {
    let script = format!(
        "target 2 2 rgba32f 2\nprobe target 2 0 0 1 1 1 1\nprobe 0 2 1 1 1 1\nprobe 0 0 1 1 1\n\
         tolerence 0\ntarget 0 1 rgba32f\ntarget 1 1 rgba8\nconst VERT 0 0 1 2 3 4.5\n\
         draw TRIANGLE 0 3\ndraw POINTS 0 {} instances 2\ntolerance inf",
        MAX_VERTICES
    );
    refuses(
        &format!("{PROGRAMS}[test]\n{script}"),
        expect![[r#"
        20:14: error: target 2 is not from 0 to 1
        21:9: error: row 2 is not from 0 to 1
        22:16: error: expected a number, found the end of the line
        23:1: error: there is no command `tolerence` (did you mean `tolerance`?)
        24:8: error: width 0 is not from 1 to 2048
        25:12: error: expected one of `rgba32f`, `rgba32ui`, `rgba32i`, found `rgba8`
        26:22: error: expected an integer of 32 bits, found `4.5`
        27:6: error: expected one of `TRIANGLES`, `TRIANGLE_STRIP`, `TRIANGLE_FAN`, `QUADS`, `POINTS`, `LINES`, found `TRIANGLE` (did you mean `TRIANGLES`?)
        28:15: error: a draw has at most 1048576 vertices
        29:11: error: expected a finite number, found `inf`"#]],
    );
    refuses(
        &format!("{PROGRAMS}[test]\nclear 0 0 0 0"),
        expect!["19:7: error: there is no `target` before this"],
    );
}

#[test]
fn mistakes_in_data_are_at_their_words() {
    let text = PROGRAMS
        .replace("3 -1 0 1", "3 -1 0")
        .replace("IN[0]\n-1", "IN[0] IN[64]\n-1");
    refuses(
        &format!("{text}[test]\n"),
        expect!["14:7: error: IN 64 is not from 0 to 63"],
    );
    let textures = "[textures]
SAMP[32] 2D rgba8 1x1x1 levels 1 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT
SAMP[0] 2D rgba8 1x1 levels 1 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT
SAMP[0] 2D rgba8 4x4x1 levels 4 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT
SAMP[0] 2D rgba7 4x4x1 levels 4 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT
SAMP[0] RECT rgba8 4x4x1 levels 1 pattern hash min NEAREST mag NEAREST wrap REPEAT REPEAT REPEAT
SAMP[0] 3D rgba8 2048x2048x2048 levels 1 pattern hash min NEAREST mag LINEAR wrap CLAMP CLAMP CLAMP
[buffers]
BUFFER[0] 1 2 0.5
";
    refuses(
        &format!("{PROGRAMS}{textures}[test]\n"),
        expect![[r#"
        19:1: error: SAMP 32 is not from 0 to 31
        20:18: error: expected three sides from 1 to 2048, as in `8x8x1`, found `1x1`
        21:1: error: 4 levels, but an image of 4x4x1 has 1 to 3
        22:12: error: expected one of `rgba8`, `rgba32f`, `r32f`, `rg32f`, `rgba32i`, `rgba32ui`, `rgba8i`, `rgba16ui`, `d32f`, found `rgba7` (did you mean `rgba8`?)
        23:1: error: an image of the kind rect cannot be repeated, as it is along s
        24:1: error: the textures of a test have at most 16777216 texels
        26:15: error: expected an integer of 32 bits, found `0.5`"#]],
    );
}
