//! The width of vectors in the JIT's code: `--vectors`.

use attila_shader::Vectors;

use crate::attila;

/// The widths that this machine has, as the option takes them, with what a register of each is called.
fn widths() -> Vec<(&'static str, &'static str)> {
    let name = |vectors| match vectors {
        Vectors::V512 => ("512", "zmm"),
        Vectors::V256 => ("256", "ymm"),
        Vectors::V128 | Vectors::Auto => ("128", "xmm"),
    };
    Vectors::here().into_iter().map(name).collect()
}

#[test]
fn emit_shows_code_with_the_vectors_that_are_asked_for() {
    for (bits, register) in widths() {
        let outcome = attila(
            &format!("emit - --stage asm --vectors {bits}"),
            "mul o1, i6, i7",
        );
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        if cfg!(target_arch = "x86_64") {
            assert!(outcome.stdout.contains(register), "{}", outcome.stdout);
        }
    }
}

#[test]
fn code_that_does_not_go_through_cranelift_has_no_stage_of_its() {
    for (bits, _) in widths() {
        let arguments = format!("emit - --stage clif --vectors {bits}");
        let outcome = attila(&arguments, "mov o1, i6");
        if bits == "128" {
            assert_eq!(outcome.code, 0, "{}", outcome.stderr);
            assert!(outcome.stdout.contains("block0"), "{}", outcome.stdout);
        } else {
            assert_eq!(outcome.code, 1, "{}", outcome.stdout);
            let what_to_do = "`--stage clif` takes `--vectors 128`: ";
            let why = format!("code with vectors of {bits} bits does not go through Cranelift");
            assert!(outcome.stderr.contains(what_to_do), "{}", outcome.stderr);
            assert!(outcome.stderr.contains(&why), "{}", outcome.stderr);
        }
    }
}

#[test]
fn vectors_that_a_machine_does_not_have_are_an_error() {
    for (bits, needs) in [("256", "AVX2"), ("512", "AVX-512")] {
        let arguments = format!("emit - --target aarch64-unknown-linux-gnu --vectors {bits}");
        let outcome = attila(&arguments, "mov o1, i6");
        assert_eq!(outcome.code, 1, "{}", outcome.stdout);
        let reason = format!("vectors of {bits} bits need {needs}");
        assert!(outcome.stderr.contains(&reason), "{}", outcome.stderr);
    }
    let outcome = attila("run - --vectors 64", "mov o1, i0");
    assert_eq!(outcome.code, 2);
    let outcome = attila("run - --trace --vectors 128", "mov o1, i0");
    assert_eq!(outcome.code, 2);
}

#[test]
fn every_command_with_a_jit_takes_a_width() {
    for (bits, _) in widths() {
        let engine = format!("jit{bits}");
        let outcome = attila(
            &format!("run - --engine both --vectors {bits}"),
            "mov o1, i0",
        );
        let text = outcome.transcript();
        assert!(text.contains(&engine), "{text}");
        let outcome = attila(
            &format!("run - --engine all --vectors {bits}"),
            "mov o1, i0",
        );
        let engines = format!("interp, ir and {engine}");
        let text = outcome.transcript();
        assert!(text.contains(&engines), "{text}");
        let file = std::env::temp_dir().join(format!("attila-{}-{bits}.png", std::process::id()));
        let options = format!("--size 6x4 --vectors {bits} -o {}", file.display());
        let outcome = attila(&format!("render - {options}"), "mov o1, i6");
        assert!(outcome.stdout.contains(&engine), "{}", outcome.stdout);
        std::fs::remove_file(file).expect("the picture is there");
        let outcome = attila(&format!("fuzz --cases 3 --vectors {bits}"), "");
        let text = outcome.transcript();
        assert!(text.contains(&engines), "{text}");
    }
}

/// The line of a bench about vectors.
fn facts(options: &str, text: &str) -> String {
    let outcome = attila(&format!("bench - --size 6x4 --time 0 {options}"), text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let mut lines = outcome.stdout.lines();
    let line = lines.find_map(|line| line.strip_prefix("jit vectors: "));
    line.expect("it has a line about them").to_owned()
}

#[test]
fn bench_says_which_vectors_the_code_has_and_why_no_wider_ones() {
    for (bits, _) in widths() {
        let why = if bits == "512" {
            ""
        } else {
            ": no more are wanted"
        };
        let expected = format!("{bits} bits{why}");
        assert_eq!(facts(&format!("--vectors {bits}"), "mov o1, i6"), expected);
    }
    let (widest, _) = *widths().last().expect("there is one");
    let why = if widest == "512" {
        ""
    } else {
        ": the machine has no wider ones"
    };
    assert_eq!(facts("", "mov o1, i6"), format!("{widest} bits{why}"));
}

#[test]
fn emit_shows_lane_ir_after_each_pass() {
    let text = ";! const c0 = 1\nmul r0, i6, c0\nmov o1, r0\nmov o2, r0 <- end\n";
    for code in ["draw", "quads"] {
        let emit =
            |stage: &str| attila(&format!("emit - --code {code} --stage {stage}"), text).stdout;
        let (passes, ir) = (emit("passes"), emit("ir"));
        assert!(passes.starts_with("; after lower\n"), "{passes}");
        assert!(passes.matches("; after ").count() > 2, "{passes}");
        // The last is what code is made of.
        let last = passes
            .rsplit("; after ")
            .next()
            .and_then(|it| it.split_once('\n'));
        assert_eq!(last.map(|(_, text)| text), Some(&*ir), "{code}");
    }
}
