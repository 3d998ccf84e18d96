//! `fuzz`, `vectors`, `sweep` and `emit`.

use crate::attila;

/// A vector: `mov o1, i1` in lane 0.
pub(crate) const VECTOR: &str = r#"{"id":"one","group":"op_MOV","source":"chosen","rules":[],"stage":"fragment","ulp":0,"program":"1601c039f1000000011b01001b001b00","inputs":{"0":{"1":["3f800000","40000000","40400000","40800000"]}},"expect":{"outputs":{"0":{"1":["3f800000","40000000","40400000","40800000"]}}}}"#;

#[test]
fn vectors_are_counted_by_group() {
    let outcome = attila("vectors --engine interp -", VECTOR);
    assert_eq!(outcome.code, 0, "{}", outcome.transcript());
    let mut lines = outcome.stdout.lines();
    let heads = lines
        .next()
        .unwrap()
        .split("  ")
        .filter(|head| !head.is_empty());
    let heads: Vec<&str> = heads.map(str::trim).collect();
    assert_eq!(heads, ["interp", "pass", "fail", "sensitive: pass/fail"]);
    let mut words = || {
        lines
            .next()
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(words(), "op_MOV 1 0");
    assert_eq!(words(), "total 1 0");
}

#[test]
fn a_vector_that_fails_is_shown_in_full() {
    let planted = VECTOR.replace("\"40800000\"]}}}}", "\"40800001\"]}}}}");
    let outcome = attila("vectors --engine interp -", &planted);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stdout.contains("mov o1, i1"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("40800001"), "{}", outcome.stdout);
}

#[test]
fn a_line_that_is_no_vector_is_named() {
    let outcome = attila("vectors --engine interp -", &format!("{VECTOR}\n{{}}\n"));
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.starts_with("error: <stdin>: line 2: "),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_coarse_sweep_stays_within_2_ulp_and_keeps_what_is_moved() {
    let outcome = attila(
        "sweep ex2 lg2 sin cos sint cost power pow raw-moves --stride 65537 --pairs 20000",
        "",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.transcript());
    // Five moves on two engines.
    assert_eq!(outcome.stdout.lines().count(), 8 + 10);
    assert!(
        outcome.stdout.lines().all(|line| line.ends_with(" ok")),
        "{}",
        outcome.stdout
    );
}

#[test]
fn emit_shows_every_stage() {
    let emit = |options: &str| attila(&format!("emit - {options}"), "add o1, i0, c0");
    let ir = emit("").stdout;
    assert!(ir.contains("= uniform c0.x") && ir.contains("fadd"), "{ir}");
    let clif = emit("--stage clif --vectors 128").stdout;
    assert!(
        clif.contains("function ") && clif.contains("fadd"),
        "{clif}"
    );
    let asm = emit("--stage asm --target aarch64-unknown-linux-gnu").stdout;
    assert!(asm.contains("fadd v"), "{asm}");
    assert!(
        ir.contains("fragment x") && ir.contains("store_pixels target0:1"),
        "{ir}"
    );
    let quads = emit("--code quads").stdout;
    assert!(
        quads.contains("load i0.x") && quads.contains("store o1.x"),
        "{quads}"
    );
    let unknown = emit("--target abacus");
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("abacus"), "{}", unknown.stderr);
}

#[test]
fn emit_shows_the_code_for_the_textures() {
    let emit = |texture: &str| attila(&format!("emit - {texture}"), "tex o1, i6, t0").stdout;
    let count = |ir: &str| {
        ["= texel 0,", "= blend 0,", "= sample tex, 0,"].map(|op| ir.matches(op).count())
    };
    assert_eq!(count(&emit("--texture t0=bricks,nearest")), [1, 0, 0]);
    // A pattern with levels, two of which are mixed, as `render` has it.
    assert_eq!(count(&emit("")), [0, 2, 0]);
    let looped = emit("--texture t0=bricks,aniso=2");
    assert_eq!(count(&looped), [0, 2, 0], "{looped}");
    let text = ";! texture t0 = bricks, aniso=2\ntex o1, i6, t0";
    assert_eq!(attila("emit -", text).stdout, looped);
    let outcome = attila("emit - --texture t3=absent.png", "tex o1, i6, t3");
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.starts_with("error: t3: absent.png: "));
}

#[test]
fn emit_lists_the_lookups_that_call_with_the_reason() {
    let text = ".extended\ntex r0, i6, t0\ntg4 o1, i6, t0.2d\ntxqs o2, t0.2dms\n\
                xtex o3, i6, t0.3d\nxtex o4, i6, t0[a0.x].2d";
    let listed = |options: &str| {
        let emitted = attila(&format!("emit - {options}"), text).stdout;
        let lines = emitted.lines().take_while(|line| line.starts_with("; "));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let reasons = "; 2: txqs calls the texture unit: the number of samples is not known\n\
                   ; 3: xtex calls the texture unit: an image of another kind is bound\n\
                   ; 4: xtex calls the texture unit: the unit is computed\n";
    for options in ["", "--code quads", "--texture t0=bricks,aniso=2"] {
        assert_eq!(listed(options), reasons);
    }
}

#[test]
fn fuzz_finds_no_difference_between_the_engines() {
    let outcome = attila("fuzz --cases 30 --seed 5 --threads 1", "");
    assert_eq!(outcome.code, 0, "{}", outcome.transcript());
    assert!(
        outcome
            .stdout
            .starts_with("30 cases of programs on interp, ir and jit in "),
        "{}",
        outcome.stdout
    );
}

#[test]
fn fuzz_finds_no_difference_in_how_the_engines_sample() {
    let fuzz = |which: &str| -> [u64; 3] {
        let options = "--cases 30 --seed 5 --threads 1";
        let outcome = attila(&format!("fuzz textures {which} {options}"), "");
        assert_eq!(outcome.code, 0, "{}", outcome.transcript());
        let (start, counts) = outcome.stdout.split_once(" s: ").expect("a summary");
        assert!(
            start.starts_with("30 cases of textures on interp, ir and jit in "),
            "{start}"
        );
        ["quads", "samples", "samples inlined"].map(|what| {
            let count = counts
                .split(", ")
                .find_map(|count| count.strip_suffix(what));
            count
                .and_then(|count| count.trim().parse().ok())
                .unwrap_or_else(|| panic!("{counts}"))
        })
    };
    let [quads, samples, inlined] = fuzz("");
    assert!(quads < samples && inlined == samples);
    let [quads, samples, inlined] = fuzz("inlinable");
    assert!(quads < samples && inlined == samples);
}

#[test]
fn both_engines_run_the_same_vectors() {
    let outcome = attila("vectors -", VECTOR);
    assert_eq!(outcome.code, 0, "{}", outcome.transcript());
    assert_eq!(outcome.stdout.matches("op_MOV").count(), 2);
}
