//! `attila debug` without a terminal: scripts, JSON, errors.

use std::fs;

use expect_test::expect;

use crate::{Outcome, attila, scratch};

/// A program with a loop that lanes leave at different times, and a NaN.
const LOOP: &str = "\
; counts to i0.x
again: add r0.x, r0.x, 1.0
setplt p0, r0.x, i0.x
jmp p0, again
rcp r1.x, r2.x          ; infinite
mul r1.y, r1.x, r2.x    ; not a number
mov o1, r1
kil -i0.x
end
";

/// Runs a script, in a file of that name, on lanes that count to 1, 2, 3 and 4.
fn script(name: &str, commands: &str) -> Outcome {
    let steps = scratch(name);
    fs::write(&steps, commands).unwrap();
    let sets = (0..4).map(|lane| format!(" -s i0[{lane}]={}", lane + 1));
    let sets: String = sets.collect();
    attila(
        &format!("debug - --quad 0{sets} --script {}", steps.display()),
        LOOP,
    )
}

#[test]
fn a_script_steps_forwards_and_backwards_and_prints() {
    let outcome = script(
        "debug-steps.txt",
        "break 2\ncontinue\ncontinue\nprint r0.x\nback 2\nlane 3\nend\nwhy o1.y\nwrite r0.x\nprint p0",
    );
    expect![[r#"
        > break 2
        breakpoint 0: line 2, hit 1 of 4
        > continue
        breakpoint 0, hit 2 of 4
        step 3 of 17, line 2, lanes -123: add r0.x, r0.x, 1
        > continue
        breakpoint 0, hit 3 of 4
        step 6 of 17, line 2, lanes --23: add r0.x, r0.x, 1
        > print r0.x
         r0.x                 1             2             2             2
        > back 2
        step 4 of 17, line 3, lanes -123: setplt p0, r0.x, i0.x
        > lane 3
        > end
        step 17 of 17: the end
        > why o1.y
        o1.y[3] = nan  step 14: mov o1, r1
          r1.y[3] = nan  step 13: mul r1.y, r1.x, r2.x
            r1.x[3] = inf  step 12: rcp r1.x, r2.x
              r2.x[3] = 0
            r2.x[3] = 0
        > write r0.x
        step 9 of 17, line 2, lanes ---3: add r0.x, r0.x, 1
        > print p0
         p0               false         false         false          true
        --- stderr
        warning: r2.x is read but never written; it is 0
          ┌─ <stdin>:5:1
          │
        5 │ rcp r1.x, r2.x          ; infinite
          │ ^^^^^^^^^^^^^^

        warning: r1.zw is read but never written; it is 0
          ┌─ <stdin>:7:1
          │
        7 │ mov o1, r1
          │ ^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn a_script_finds_numbers_partings_and_conditions() {
    let outcome = script(
        "debug-finds.txt",
        "part\npart\nnan\nnan\nback-part\nfind lane 2 r0.x >= 2\nfind o1.y is nan\nbreak if killed\ncontinue\nbreaks",
    );
    expect![[r#"
        > part
        step 3 of 17, line 2, lanes -123: add r0.x, r0.x, 1
        > part
        step 6 of 17, line 2, lanes --23: add r0.x, r0.x, 1
        > nan
        step 13 of 17, line 6, lanes 0123: mul r1.y, r1.x, r2.x
        > nan
        step 14 of 17, line 7, lanes 0123: mov o1, r1
        > back-part
        step 12 of 17, line 5, lanes 0123: rcp r1.x, r2.x
        > find lane 2 r0.x >= 2
        step 13 of 17, line 6, lanes 0123: mul r1.y, r1.x, r2.x
        > find o1.y is nan
        step 15 of 17, line 8, lanes 0123: kil -i0.x
        > break if killed
        breakpoint 0: when killed, hit 0 of 1
        > continue
        breakpoint 0, hit 1 of 1
        step 16 of 17, line 9, lanes 0123: end
        > breaks
        breakpoint 0: when killed, hit 1 of 1
        --- stderr
        warning: r2.x is read but never written; it is 0
          ┌─ <stdin>:5:1
          │
        5 │ rcp r1.x, r2.x          ; infinite
          │ ^^^^^^^^^^^^^^

        warning: r1.zw is read but never written; it is 0
          ┌─ <stdin>:7:1
          │
        7 │ mov o1, r1
          │ ^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn a_line_of_a_script_that_cannot_be_done_is_shown() {
    let outcome = script("debug-lines.txt", "step\nto 1\n");
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stderr
            .contains("line 1 has no instruction; line 2 has"),
        "{}",
        outcome.stderr
    );
    for (line, message) in [
        ("jump", "`jump` is not a command"),
        ("goto 1000", "there is no step 1000"),
        ("print q7", "`q7` is not a word of a quad"),
        (
            "watch r0 as roman",
            "`roman` is not own, float, int, bits or colour",
        ),
        ("find r0.x", "`r0.x` is not a condition"),
        ("break pc 99", "there is no instruction 99"),
        ("lane 4", "there is no lane 4"),
        ("delete 0", "there is no breakpoint 0"),
        ("step one", "`one` is not a number of steps"),
        ("end 3", "`3` is too much"),
    ] {
        let outcome = script("debug-lines.txt", line);
        assert_eq!(outcome.code, 1, "{line}");
        assert!(
            outcome.stderr.contains(message),
            "{line}: {}",
            outcome.stderr
        );
    }
}

/// The numbers of the lines that begin with a name, of lane 0.
fn lane_0(outcome: &Outcome, name: &str) -> Vec<f64> {
    let lines = outcome.stdout.lines().filter_map(|line| {
        let mut words = line.trim_start_matches(['*', ' ']).split_whitespace();
        words.next().filter(|word| word.starts_with(name))?;
        words.next()?.parse().ok()
    });
    lines.collect()
}

#[test]
fn a_pixel_of_a_picture_has_the_values_that_it_must_have() {
    let steps = scratch("debug-pixel.txt");
    fs::write(&steps, "print i6\nto 8\nprint r0.x\nend\nprint o1\nhistory").unwrap();
    let sphere = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/sphere.attila");
    let arguments = format!(
        "debug {sphere} --pixel 320,240 --script {}",
        steps.display()
    );
    let outcome = attila(&arguments, "");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // s and t of the pixel's centre, as the varying of the program has them.
    let [s, t] = [1.0 / 480.0, -1.0 / 480.0];
    let close = |a: f64, b: f64| (a - b).abs() < 1e-6 * b.abs().max(1.0);
    let i6 = lane_0(&outcome, "i6.");
    for (value, expected) in i6.iter().zip([1.1 * s, 1.1 * t, -1.0, 0.0]) {
        assert!(close(*value, expected), "{value} is not {expected}");
    }
    let z_squared = 1.0 - 1.21 * (s * s + t * t);
    assert!(close(lane_0(&outcome, "r0.x")[0], z_squared));
    // What another engine draws, as floats.
    let picture = scratch("debug-pixel.pfm");
    let arguments = format!(
        "render {sphere} --region 320,240,1,1 -o {}",
        picture.display()
    );
    assert_eq!(attila(&arguments, "").code, 0);
    let bytes = fs::read(&picture).unwrap();
    let pixel = bytes[bytes.len() - 12..].chunks_exact(4);
    let drawn = pixel.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    let o1: Vec<f32> = lane_0(&outcome, "o1.")
        .into_iter()
        .map(|it| it as f32)
        .collect();
    assert_eq!(drawn.collect::<Vec<_>>(), o1[..3]);
    assert!(
        outcome.stdout.contains("primitive 0: kept"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn json_has_a_line_for_each_step() {
    let outcome = attila(
        "debug - --quad 0 -s i0=2 --json",
        "mul r0.x, i0, i0\nmov o1, r0.x",
    );
    expect![[r#"
        {"lane":0,"program":"<stdin>","start":{"coverage":[1,1,1,1],"i0.w":[1073741824,1073741824,1073741824,1073741824],"i0.x":[1073741824,1073741824,1073741824,1073741824],"i0.y":[1073741824,1073741824,1073741824,1073741824],"i0.z":[1073741824,1073741824,1073741824,1073741824],"own-sample":[4294967295,4294967295,4294967295,4294967295],"samples":[1,1,1,1]},"type":"recording"}
        {"active":[0,1,2,3],"bytes":[0,16],"changes":{"r0.x":[1082130432,1082130432,1082130432,1082130432]},"column":1,"effective":[0,1,2,3],"instruction":"mul r0.x, i0, i0","line":1,"pc":0,"step":0,"type":"step"}
        {"active":[0,1,2,3],"bytes":[17,29],"changes":{"o1.w":[1082130432,1082130432,1082130432,1082130432],"o1.x":[1082130432,1082130432,1082130432,1082130432],"o1.y":[1082130432,1082130432,1082130432,1082130432],"o1.z":[1082130432,1082130432,1082130432,1082130432]},"column":1,"effective":[0,1,2,3],"instruction":"mov o1, r0.x <- end","line":2,"pc":1,"step":1,"type":"step"}
        {"how":"the end","steps":2,"type":"end"}
    "#]].assert_eq(&outcome.transcript());
}

#[test]
fn what_cannot_be_debugged_is_refused() {
    let text = "mov o1, i1";
    let outcome = attila("debug - --pixel 640,0 --json", text);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .contains("pixel 640,0 is not in the picture of 640x480"),
        "{}",
        outcome.stderr
    );
    let outcome = attila("debug -", text);
    assert!(
        outcome.stderr.contains("there is no terminal"),
        "{}",
        outcome.stderr
    );
    let outcome = attila("debug - --pixel 5,5 --json", "tex o1, i6, t9");
    assert!(
        outcome
            .stderr
            .contains("texture unit 9, which is not bound")
    );
    let outcome = attila("debug - --pixel 5 --json", text);
    assert!(
        outcome.stderr.contains("write it like 320,240"),
        "{}",
        outcome.stderr
    );
    let outcome = attila("debug - --quad 0 --json --set q1=2", text);
    assert!(outcome.stderr.contains("`q1`"), "{}", outcome.stderr);
    let outcome = attila(
        "debug - --quad 0 --json --steps 1",
        "add r0, r0, 1.0\nmov o1, r0",
    );
    assert!(
        outcome.stdout.contains("at the limit of steps"),
        "{}",
        outcome.stdout
    );
}

/// The blocks of a page that begin so, without the line that begins them.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let fences = page.split("```").skip(1).step_by(2);
    fences
        .filter_map(|block| block.strip_prefix(kind))
        .collect()
}

/// `docs/debug.md` shows what the command prints. `UPDATE_EXPECT=1` writes it anew.
#[test]
fn the_way_to_a_black_pixel_is_as_the_documentation_has_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/debug.md");
    let page = fs::read_to_string(path).unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/debug/black.attila");
    let text = fs::read_to_string(program).unwrap();
    assert_eq!(blocks(&page, "text\n"), [text]);
    let shown = blocks(&page, "console\n");
    let commands = shown.concat();
    let commands: Vec<&str> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .collect();
    let steps = scratch("debug-documentation.txt");
    fs::write(&steps, commands.join("\n")).unwrap();
    let options = format!("--size 64x64 --pixel 40,20 --script {}", steps.display());
    let outcome = attila(&format!("debug {program} {options}"), "");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // The answer to each command, to be put below it.
    let mut answers = outcome.stdout.split("> ").skip(1);
    let mut fresh = page.clone();
    for block in &shown {
        let count = block.lines().filter(|line| line.starts_with("> ")).count();
        let answers: String = answers
            .by_ref()
            .take(count)
            .map(|it| format!("> {it}"))
            .collect();
        fresh = fresh.replacen(
            &format!("```console\n{block}```"),
            &format!("```console\n{answers}```"),
            1,
        );
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, &fresh).unwrap();
    }
    assert!(
        fresh == page || std::env::var_os("UPDATE_EXPECT").is_some(),
        "{fresh}"
    );
}

#[test]
fn a_pixel_of_a_case_of_the_fuzzer_is_debugged() {
    let case = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/regressions/0012-draw-image.attila"
    );
    let steps = scratch("debug-case.txt");
    fs::write(&steps, "end\nrequests\nhistory").unwrap();
    let arguments = format!(
        "debug {case} --case --pixel 1,0 --script {}",
        steps.display()
    );
    expect![[r#"
        > end
        step 1 of 1: the end
        > requests
        tex t0 lane 1: s 0.5, t 0, r 0, q 0
          level of detail 0
          0.25 of the border: 0, 0, 0, 0
          0.25 of the border: 0, 0, 0, 0
          0.25 of level 0 (0, 0, 0): 1, 0, 0, 1
          0.25 of level 0 (1, 0, 0): 0, 1, 0, 1
          answer 0.25, 0.25, 0, 0.5
        > history
        pixel 1,0, lane 1
        before: colour target 0, sample 0: 0, 0, 0, 0
        primitive 0: kept
          o1 = 0.25, 0.25, 0, 0.5 over 0, 0, 0, 0, stored 0.24705884, 0.24705884, 0, 0.49803925
        after: colour target 0, sample 0: 0.24705884, 0.24705884, 0, 0.49803925
    "#]]
    .assert_eq(&attila(&arguments, "").transcript());
    let outcome = attila(&format!("debug {case} --case --frame 1 --json"), "");
    assert!(
        outcome
            .stderr
            .contains("there is no frame 1; the last is 0"),
        "{}",
        outcome.stderr
    );
    let outcome = attila(&format!("debug {case} --case --pixel 3,0 --json"), "");
    assert!(
        outcome
            .stderr
            .contains("pixel (3, 0) is outside of the targets"),
        "{}",
        outcome.stderr
    );
}
