//! Byte programs, texts, and mistakes in both.

mod flash;

use attila_isa::{Profile, Stage};

use super::*;
use crate::back::{MAX_ADDED, MAX_NESTED};

const OPTIONS: Options = Options {
    stage: None,
    version: None,
    strict: false,
};

const STRICT: Options = Options {
    strict: true,
    ..OPTIONS
};

fn program(text: &str) -> AgalProgram {
    assemble(text, &OPTIONS).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// The mistakes of a text, a line each.
fn mistakes(text: &str, options: &Options) -> String {
    match assemble(text, options) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// The instructions that a text becomes.
fn instructions(text: &str) -> String {
    let translation = compile(text, &OPTIONS);
    let translation = translation.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let listing = translation.program.to_string();
    listing.trim_end().replace('\n', "; ")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn tokens_are_coded_as_the_mini_assembler_codes_them() {
    let bytes = encode(&program("m44 op, va0, vc0    \nmov v0, va1"));
    assert_eq!(
        hex(&bytes),
        "a001000000a1001800000000000f03000000e400000000000000e4010000000000000000000f04010000e4000000000000000000000000"
    );
    let bytes = encode(&program(
        "tex ft7.z, v1.xz, fs0 <mipnone,linear,cube,wrap>\nmov oc, ft7",
    ));
    assert_eq!(
        hex(&bytes[7..31]),
        "2800000007000402010000a8040000000000000005101010"
    );
}

#[test]
fn options_have_the_codes_of_their_fields() {
    let word = |options: &str| {
        let bytes = encode(&program(&format!("tex oc, v0, fs2 <{options}>")));
        hex(&bytes[7 + 16..])
    };
    // Unit, bias, file, format and dimension, flags and wrap mode, levels and filter: two halves each.
    for (options, coded) in [
        ("", "0200000005000000"),
        ("clamp_u_repeat_v", "0200000005002000"),
        ("repeat_u_clamp_v", "0200000005003000"),
        ("wrap,mipnearest,linear", "0200000005001011"),
        ("cube,dxt5,centroid,single", "0200000005120300"),
        ("3d,-0.25,ignoresampler", "0200fe0005200400"),
        ("anisotropic16x,0.3,miplinear", "0200020005000052"),
    ] {
        assert_eq!(word(options), coded, "{options}");
    }
}

#[test]
fn texts_and_bytes_say_the_same() {
    for text in [
        "mov op, va0\nmov v1.xz, vc[va2.w+255].wzyx\nmov vt65535._, va1.xyy\nmov v0, vt3",
        "ife v0.x, fc2.y\nkil v0.w\nels\nddx ft0.x, v0\neif\nmov oc3, ft0\nmov oc, ft0.zyxw\nmov od, ft0",
        "tex ft0, v0, fs7 <3d,repeat_u_clamp_v,miplinear,anisotropic16x,dxt5,centroid,single,-1.5>\nmov oc, ft0",
        "tex ft0, v0, fs7 <ignoresampler,video>\nmov oc, ft0",
        "mov op, va0\nmov v0, iid.x",
    ] {
        let first = program(text);
        let bytes = encode(&first);
        let decoded = decode(&bytes, &OPTIONS).expect("it is a program");
        assert_eq!(encode(&decoded), bytes);
        let printed = disassemble(&decoded);
        let options = Options {
            stage: Some(first.stage),
            version: Some(first.version),
            strict: false,
        };
        let again =
            assemble(&printed, &options).unwrap_or_else(|error| panic!("{error}\nin\n{printed}"));
        assert_eq!(hex(&encode(&again)), hex(&bytes), "{printed}");
        assert_eq!(disassemble(&again), printed);
    }
}

#[test]
fn swizzles_repeat_their_last_letter() {
    assert_eq!(instructions("mov oc, v0.xy"), "mov o1, i1.xyyy <- end");
    assert_eq!(
        instructions("mov ft0.zw, v0.xy\nadd oc, ft0, v0"),
        "mov r0.zw, i1.y; add o1, r0, i1 <- end"
    );
    let text = "mov ft0.zyx, v0.x\nmov oc, ft0";
    assert_eq!(
        disassemble(&program(text)),
        "mov ft0.xyz, v0.x\nmov oc, ft0\n"
    );
}

#[test]
fn scalar_operations_are_one_instruction_for_each_component_read() {
    assert_eq!(
        instructions("rcp oc.xyz, v0.xyx"),
        "rcp o1.xz, i1.x; rcp o1.y, i1.y <- end"
    );
    assert_eq!(instructions("log oc, v0.z"), "lg2 o1, i1.z <- end");
    assert_eq!(
        instructions("pow oc.xy, v0.xy, fc1.xx"),
        ".extended fragment; pow o1.x, i1.x, c1.x; pow o1.y, i1.y, c1.x <- end"
    );
}

#[test]
fn results_that_are_still_read_are_written_last() {
    assert_eq!(
        instructions("mov ft0, v0\nrcp ft0.xy, ft0.yxzw\nmov oc, ft0"),
        "mov r0, i1; rcp r1.x, r0.y; rcp r1.y, r0.x; mov r0.xy, r1; mov o1, r0 <- end"
    );
    let text = instructions("mov vt0, va0\nm33 vt0.xyz, vt0, vc2\nmov op, vt0");
    assert!(
        text.contains("dp3 r1.y, r0, c3; dp3 r1.z, r0, c4; mov r0.xyz, r1;"),
        "{text}"
    );
}

#[test]
fn matrices_are_rows_and_computed_ones_count_up() {
    assert_eq!(
        instructions("m34 op.xyz, va0, vc3.wzyx"),
        "dp4 o0.x, i0, c3.wzyx; dp4 o0.y, i0, c4.wzyx; dp4 o0.z, i0, c5.wzyx <- end"
    );
    assert_eq!(
        instructions("m33 op.xz, va0, vc[va1.y+254]"),
        "arl a0.x, i1.y; dp3 o0.x, i0, c0[a0.x + 254]; dp3 o0.z, i0, c1[a0.x + 255] <- end"
    );
}

#[test]
fn programs_of_base_instructions_are_base_programs() {
    let profile = |text: &str| {
        compile(text, &OPTIONS)
            .expect("it is a program")
            .program
            .profile()
    };
    assert_eq!(profile("sub oc, v0, fc0"), Profile::Base);
    assert_eq!(profile("nrm oc.xyz, v0"), Profile::Extended);
    assert_eq!(profile("sge oc, v0, fc0"), Profile::Extended);
}

#[test]
fn biases_are_coordinates_and_come_from_outside_with_the_state() {
    let text = instructions("tex oc, v0, fs1 <linear,miplinear,2>");
    assert_eq!(
        text,
        "mov r0.xyz, i1; mov r0.w, c0.x; txb o1, r0, t1 <- end"
    );
    let text = instructions("tex oc, v0, fs1 <ignoresampler,2>");
    assert_eq!(text, "tex o1, i1, t1 <- end");
}

#[test]
fn a_vertex_program_may_read_what_it_hands_on() {
    let text = "mov v0.xy, va0\nadd op, v0, va1\nmov v0.z, va1";
    let words = instructions(text);
    assert!(words.contains("add o0, r0"), "{words}");
    assert!(words.ends_with("mov o1.xyz, r0 <- end"), "{words}");
    assert_eq!(
        mistakes(text, &STRICT),
        "2:9: error: a vertex program cannot read what it hands on (error 3644 of Flash)"
    );
}

#[test]
fn the_depth_is_the_first_component_of_its_register() {
    assert_eq!(
        instructions("mov oc, v0\nmov od, v0.zwxy"),
        "mov o1, i1; zxp i1.z <- end"
    );
    for text in ["mov oc, v0\nmov od.yz, v0", "mov oc, v0\nmov od._, v0"] {
        assert_eq!(instructions(text), "mov o1, i1 <- end");
    }
}

#[test]
fn mistakes_in_texts_have_places_and_advice() {
    let text = "mvo ft0, v0
mov ft0, va0
mov fc0, v0
add ft1, v0
tex ft0, v0, fs0 <2d,linaer>
tex ft0, v0, fs1 <2d,linear>
tex ft1, v0, fs1 <2d,nearest>
mov ft0, fc[ft0.x+1]
mov ft0.rgb, v0
ife ft0, v0.x
mov oc, ft0";
    assert_eq!(
        mistakes(text, &OPTIONS),
        "1:1: error: unknown opcode `mvo` (did you mean `mov`?)
2:10: error: a fragment program has no `va`
3:5: error: a fragment program cannot write `fc0` (error 3652 of Flash)
4:1: error: `add` has 3 operands; here are 2
5:22: warning: there is no option `linaer` (did you mean `linear`?)
7:14: error: the options of sampler 1 differ from earlier ones (error 3696 of Flash) (those are <2d,clamp,mipnone,linear>)
8:10: error: only vertex programs have computed registers (error 3639 of Flash)
9:9: error: `.rgb` does not name components (AGAL has xyzw only)
10:5: error: `ife` takes single components (error 3703 of Flash) (name one, such as `.x`)"
    );
}

#[test]
fn options_that_there_are_not_are_no_bias() {
    let text = "tex oc, v0, fs0 <2d,1.5,linaer,linear>";
    let sampler = program(text).tokens[0].sampler.as_ref().map(|it| it.0);
    let sampler = sampler.expect("it is a texture instruction");
    assert_eq!((sampler.bias, sampler.filter), (0, 1));
    let (_, warnings) = read_text(text, &OPTIONS).expect("it is a program");
    assert_eq!(
        warnings[0].to_string(),
        "1:25: warning: there is no option `linaer` (did you mean `linear`?)"
    );
}

#[test]
fn limits_of_flash_hold_on_demand_only() {
    let text = "mov ft8, v0\nadd oc, ft8, ft1.xy";
    assert_eq!(mistakes(text, &OPTIONS), "");
    assert_eq!(
        mistakes(text, &STRICT),
        "1:5: error: there is no `ft8`: the limit is 8 (error 3661 of Flash)
2:14: error: `ft1.xy` is read before it is written (error 3647 of Flash)"
    );
}

#[test]
fn versions_are_the_first_that_have_everything() {
    assert_eq!(program("mov oc, v0").version, Version::V1);
    assert_eq!(program("ddx oc, v0").version, Version::V2);
    assert_eq!(program("mov op, iid.x").version, Version::V3);
    let first = Options {
        version: Some(Version::V1),
        ..OPTIONS
    };
    assert_eq!(
        mistakes("ddx oc, v0", &first),
        "1:1: error: version 1 has no `ddx` (error 3726 of Flash) (version 2 has it)"
    );
    assert_eq!(stage_of("// nothing yet\nmov v0, vc1"), Some(Stage::Vertex));
    assert_eq!(stage_of("els"), None);
}

#[test]
fn mistakes_in_bytes_have_tokens() {
    let mut bytes = encode(&program("mov ft0, v0\nmov oc, ft0"));
    let message = |bytes: &[u8]| {
        decode(bytes, &OPTIONS)
            .expect_err("it is wrong")
            .to_string()
    };
    bytes[31] = 0x22;
    assert_eq!(
        message(&bytes),
        "token 2, byte 31: error: there is no opcode 22 (error 3620 of Flash)"
    );
    bytes[31] = 0;
    bytes[37] = 0x1f;
    bytes.push(1);
    assert_eq!(
        message(&bytes),
        "token 2, byte 35: error: bit 20 of this operand is reserved (error 3654 of Flash)
token 3, byte 55: error: a token has 24 bytes; these are 1"
    );
    assert_eq!(
        message(&[0xa0]),
        "byte 0: error: a program has 31 bytes at least; here are 1 (error 3615 of Flash) (the header has 7, and each token has 24)"
    );
}

#[test]
fn mistakes_at_the_end_of_bytes_are_in_no_token() {
    let bytes = encode(&program("ife v0.x, v0.y\nmov ft0, v0\neif"));
    let warnings = byte_warnings(&bytes, &OPTIONS);
    assert_eq!(
        warnings[0].to_string(),
        "byte 79: warning: nothing is written to `oc` (error 3634 of Flash)"
    );
    let error = decode(&bytes[..40], &OPTIONS).expect_err("a token is cut");
    let tokens: Vec<_> = error.findings.iter().map(|it| it.token).collect();
    assert_eq!(tokens, [Some(2)]);
}

#[test]
fn a_version_with_swapped_bytes_is_taken_with_a_warning() {
    let mut bytes = encode(&program("mov oc, v0"));
    bytes[1..5].reverse();
    let program = decode(&bytes, &OPTIONS).expect("it is taken");
    assert_eq!(program.version, Version::V1);
    assert_eq!(encode(&program), bytes);
    let warnings = byte_warnings(&bytes, &OPTIONS);
    assert_eq!(
        warnings[0].to_string(),
        "byte 1: warning: the bytes of the version are in the wrong order"
    );
}

#[test]
fn branches_are_nested_a_thousand_deep_and_no_deeper() {
    let nested = |depth: usize| {
        let begin = "ife v0.x, fc0.x\n".repeat(depth);
        format!("{begin}mov oc, v0\n{}", "eif\n".repeat(depth))
    };
    let remark = "branches are nested more than 4 deep";
    assert!(!mistakes(&nested(4), &STRICT).contains("nested"));
    assert!(mistakes(&nested(5), &STRICT).contains(remark));
    let text = nested(MAX_NESTED);
    let translation = compile(&text, &OPTIONS).expect("it is a program");
    assert_eq!(translation.program.insts().len(), 2 * MAX_NESTED + 1);
    assert!(mistakes(&text, &STRICT).contains(remark));
    let error = compile(&nested(MAX_NESTED + 1), &OPTIONS).expect_err("it is too deep");
    let message = "1001:1: error: statements and calls are nested more than 1000 deep";
    assert_eq!(error.to_string(), message);
}

#[test]
fn programs_of_which_nobody_needs_most_have_a_limit() {
    let text = |tokens: usize| "mov ft0, v0\n".repeat(tokens) + "mov oc, ft0\n";
    assert_eq!(instructions(&text(70_000)), "mov o1, i1 <- end");
    let error = compile(&text(MAX_ADDED), &OPTIONS).expect_err("it is too long");
    let message = "262145:1: error: the program is longer than 262144 instructions";
    assert_eq!(error.to_string(), message);
}

/// The remarks on a text that is a program, a line each, and its bytes.
fn remarks(text: &str) -> (Vec<String>, Vec<u8>) {
    let (program, warnings) =
        read_text(text, &OPTIONS).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    (
        warnings.iter().map(ToString::to_string).collect(),
        encode(&program),
    )
}

#[test]
fn texts_are_taken_with_what_the_mini_assembler_skips() {
    let semicolon = "lines do not end in `;` (the end of the line is enough)";
    for (text, plain, expected) in [
        (
            "mov ft0, v0;\n;\nmov oc, ft0 ;; // a copy",
            "mov ft0, v0\nmov oc, ft0",
            vec![
                format!("1:12: warning: {semicolon}"),
                format!("2:1: warning: {semicolon}"),
                format!("3:12: warning: {semicolon}"),
            ],
        ),
        (
            "tex oc, v0, fs0 <2d,linear>;",
            "tex oc, v0, fs0 <2d,linear>",
            vec![format!("1:28: warning: {semicolon}")],
        ),
        (
            "mov ft0.xxyyzz, v0.yxwzx\nmov oc, ft0.xyzwxyzw",
            "mov ft0.xy, v0.yxwz\nmov oc, ft0",
            vec![
                "1:13: warning: `zz` is beyond the fourth component (it is skipped)".to_owned(),
                "1:24: warning: `x` is beyond the fourth component (it is skipped)".to_owned(),
                "2:17: warning: `xyzw` is beyond the fourth component (it is skipped)".to_owned(),
            ],
        ),
        (
            "tex oc, v0, fs0 <1.5,nan>",
            "tex oc, v0, fs0",
            vec!["1:22: warning: there is no option `nan`".to_owned()],
        ),
        (
            "tex oc, v0, fs0 <infinity>",
            "tex oc, v0, fs0",
            vec!["1:18: warning: there is no option `infinity`".to_owned()],
        ),
        (
            "tex oc, v0, fs0 <-inf,linear>",
            "tex oc, v0, fs0 <linear>",
            vec!["1:18: warning: there is no option `-inf`".to_owned()],
        ),
    ] {
        let (found, bytes) = remarks(text);
        let of_flash = |it: &String| it.contains("of Flash");
        let found: Vec<String> = found.into_iter().filter(|it| !of_flash(it)).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(bytes, encode(&program(plain)), "{text}");
    }
    assert!(mistakes("mov ft0, v0; mov oc, ft0", &OPTIONS).contains("`v0;` is no operand"));
    assert!(mistakes("mov oc.rgba, v0", &OPTIONS).contains("AGAL has xyzw only"));
    assert!(mistakes("mov oc, v0.xyqww", &OPTIONS).contains("one to four of x, y, z and w"));
    assert!(mistakes("tex oc, v0, fs0 <17>", &OPTIONS).contains("too large"));
}

#[test]
fn a_byte_order_mark_before_a_text_is_skipped() {
    for text in ["mov oc, v0", "\n// a copy\nmov oc, v0"] {
        let marked = format!("\u{feff}{text}");
        assert!(is_program(&marked), "{text}");
        assert_eq!(encode(&program(&marked)), encode(&program(text)));
    }
    assert_eq!(
        mistakes("\u{feff}mvo oc, v0", &OPTIONS),
        "1:1: error: unknown opcode `mvo` (did you mean `mov`?)"
    );
}
