//! Texts that are programs, and texts that are not.

use attila_isa::Program;

use super::*;

/// The words of all instructions but the last, which ends the program.
fn words(text: &str) -> Vec<String> {
    let program = compiled(text);
    let insts = program.insts();
    let words = insts[..insts.len() - 1].iter().map(|inst| {
        let (lo, hi) = inst.encode().expect("it fits its opcode").halves();
        format!("{lo:016x} {hi:016x}")
    });
    words.collect()
}

fn compiled(text: &str) -> Program {
    let translation = compile(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let program = translation.program;
    let valid = program.clone().validate();
    valid.unwrap_or_else(|error| panic!("{text}\n{error}"));
    program
}

/// The instructions without the first line and the end.
fn listing(text: &str) -> String {
    let listing = compiled(text).to_string();
    let listing = listing.strip_prefix(".extended fragment\n");
    let listing = listing.and_then(|it| it.strip_suffix("end\n"));
    listing.expect("it has both lines").to_owned()
}

fn refused(text: &str) -> String {
    let error = compile(text).expect_err(text);
    error.to_string()
}

#[test]
fn halves_have_the_words_of_the_reference() {
    let cases: [(&str, &[&str]); 6] = [
        (
            "rgb mad.x2.sat t0 = i1, c0, c1 ; alpha rcp t0 = abs(i1.r)",
            &[
                "024000eb10800013 001b011b00001b01",
                "0200001339e00019 001b001b00000001",
            ],
        ),
        (
            "rgb sop.d2 t1 ; alpha rcp _ = i2",
            &["030000e339c00019 001b001b0001ff02"],
        ),
        (
            "rgb min.raw t2 = i0, i0 ; alpha min.raw t2 = i0, i0",
            &[
                "03c000e338000015 001b001b00021b00",
                "03c0001338000015 001b00ff0002ff00",
            ],
        ),
        (
            "rgb dp3.sat t3 = bias(i3), i4 ; alpha dp t3",
            &[
                "000000e329500013 005500aa001c1b03",
                "020000eb38060008 001b001b04031b1c",
                "0200001338060008 001b001b04031b1c",
            ],
        ),
        (
            "rgb mdh t4.r = -i5, 1, i5",
            &["0200008301500046 001b055500041b05"],
        ),
        (
            "rgb cmp o1 = t1, t2, -t4.rrr ; alpha cmp o1 = 1, 0, t4.r",
            &[
                "020000e158c60041 0000041b02011b01",
                "02000011194a0041 0000040000015500",
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn halves_read_what_was_there_before_the_line() {
    // The alpha half reads what the other one writes.
    assert_eq!(
        listing("rgb frc t0 = i0 ; alpha frc t1 = t0.g"),
        "frc_canon r1.w, r0.y\nfrc_canon r0.xyz, i0\n"
    );
    // Only the other way round: the rgb half stays first.
    assert_eq!(
        listing("alpha frc t1 = i0 ; rgb frc t0 = t1.rga"),
        "frc_canon r0.xyz, r1.xyww\nfrc_canon r1.w, i0.w\n"
    );
    // Both ways: a copy.
    assert_eq!(
        listing("rgb frc t0.rg = t1.aaa ; alpha mad t1 = t0.g, t0.a, t2.b"),
        "mov r29.yw, r0\nfrc_canon r0.xy, r1.w\nmad_canon r1.w, r29.y, r29.w, r2.z\n"
    );
    // Components that are not written are no hindrance.
    assert_eq!(
        listing("rgb frc t0.r = t1.aaa ; alpha mad t1 = t0.g, t0.a, t2.b"),
        "frc_canon r0.x, r1.w\nmad_canon r1.w, r0.y, r0.w, r2.z\n"
    );
}

#[test]
fn values_of_the_other_half_are_computed_from_its_operands() {
    assert_eq!(
        listing("rgb sop.x2 t0.g ; alpha rsq.sat t0 = -c3"),
        "rsqt_x2 r0.y, -c3.w\nrsqt_canon_sat r0.w, -c3.w\n"
    );
    assert_eq!(
        listing("rgb dp4.d2 _ = i0, c0 ; alpha dp.x4 t0 = i0, c0.1"),
        "mov r29.xyz, c0\nmov r29.w, c256.y\ndp4_x4 r0.w, i0, r29\n"
    );
    // The signs of the fourth operand are its own.
    assert_eq!(
        listing("rgb dp4 t0 = -i0, abs(i1) ; alpha dp o1 = i0, abs(i1)"),
        "mov r29.xyz, -i0\nmov r29.w, i0.w\ndp4_canon r0.xyz, r29, |i1|\ndp4_canon o1.w, r29, |i1|\n"
    );
    // Each half reads its copy of what the other one writes.
    assert_eq!(
        listing("rgb dp3 t0 = t0, i1 ; alpha dp t0"),
        "dp3_canon r0.w, r0, i1\ndp3_canon r0.xyz, r0, i1\n"
    );
}

#[test]
fn sums_of_both_classes_share_a_temporary() {
    assert_eq!(
        listing("rgb frc t0 = inv(i0) ; alpha frc t0 = sub(i1, i0)"),
        "add r28.xyz, c256.y, -i0\nadd r28.w, i1, -i0\nfrc_canon r0.xyz, r28\nfrc_canon r0.w, r28.w\n"
    );
    assert_eq!(
        listing("rgb frc t0.rg = add(i0, i1).agr"),
        "add r28.yw, i0, i1\nfrc_canon r0.xy, r28.wyxw\n"
    );
    // One that nobody needs is not computed.
    assert_eq!(
        listing("rgb frc t0 = add(i0, i1).0h1 ; alpha nop"),
        "frc_canon r0.xyz, c256.xwyw\n"
    );
}

#[test]
fn numbers_among_components_are_moved_together() {
    assert_eq!(
        listing("rgb mad t0 = -i0.r0b, i1.h1h, t0.gg1"),
        "mov r29.xz, i0\nmov r29.y, c256.x\nmov r30.xy, r0.y\nmov r30.z, c256.y\n\
         mad_canon r0.xyz, -r29, c256.wyww, r30\n"
    );
    // Slots that are not read need no move.
    assert_eq!(
        listing("rgb mad t0.r = i0.r0b, 1, 0"),
        "mad_canon r0.x, i0, c256.y, c256.x\n"
    );
}

#[test]
fn the_option_and_constants_hold_for_the_whole_program() {
    let text = "rgb dp3 o1 = c7, c2\noption mulz\nconst c7 = 1 -.5 2e3 -0\nrgb max o2 = i0, i0";
    assert_eq!(
        listing(text),
        "dp3_canon_z o1.xyz, c7, c2\nmaxge_canon o2.xyz, i0, i0\n"
    );
    let translation = compile(text).expect("it is a program");
    let bits = [1.0f32, -0.5, 2e3, -0.0].map(f32::to_bits);
    let params = [(2, Param::Constant(2)), (7, Param::Words(bits))];
    assert_eq!(translation.params, params);
    assert_eq!(translation.inputs, [(Input(0), 0)]);
    assert_eq!(translation.outputs, [(Output(1), 1), (Output(2), 2)]);
}

#[test]
fn texts_are_recognised_by_their_first_line() {
    for text in [
        "# a\n\n rgb nop",
        "alpha rcp t0 = i0",
        "option mulz",
        "const c1 = 0 0 0 0",
    ] {
        assert!(is_program(text), "{text}");
    }
    for text in [
        "",
        "rgb.x = 1",
        "const float a = 1;",
        "option",
        "mov o1, i1",
        "rgba nop",
    ] {
        assert!(!is_program(text), "{text}");
    }
}

#[test]
fn mistakes_are_reported_together_with_their_places() {
    let text = "rgb mad t0 = i0, i1 ; alpha rpc t0 = i0\n\nrgb frc i0 = o1\n# rgb\nrgb frc t0.br = i0 ; alpha frc t28 = i0";
    assert_eq!(
        refused(text),
        "1:1: error: `mad` has 3 operands; here are 2\n\
         1:29: error: unknown operation `rpc` (did you mean `rcp`?)\n\
         3:14: error: `o1` is an output, which cannot be read\n\
         5:12: error: expected a mask of an `rgb` half, found `br` (some of r, g and b, in this order)\n\
         5:32: error: there is no `t28`; the last one is `t27`"
    );
}

#[test]
#[rustfmt::skip]
fn rules_of_the_hardware_are_kept() {
    let cases = [
        ("alpha rcp.raw t0 = i0.r", "1:7: error: `rcp` cannot be raw (`raw` keeps the bits of min, max, cnd and cmp)"),
        ("rgb min.raw.x2 t0 = i0, i0", "1:13: error: `raw` and `x2` exclude each other"),
        ("rgb mad.x2.x2 t0 = i0, 1, 0", "1:12: error: `x2` stands twice"),
        ("rgb mad.sat.sat t0 = i0, 1, 0", "1:13: error: `sat` stands twice"),
        ("rgb mad.x3 t0 = i0, 1, 0", "1:9: error: expected a suffix, found `x3` (x2, x4, x8, d2, d4, d8, raw and sat are suffixes)"),
        ("rgb rcp t0 = i0", "1:5: error: an `rgb` half has no `rcp` (an `alpha` half has it)"),
        ("alpha sop t0", "1:7: error: an `alpha` half has no `sop` (an `rgb` half has it)"),
        ("rgb sop t0", "1:5: error: `sop` needs an `alpha` half with ex2, ln2, rcp, rsq, sin or cos (its result is that half's; the half may write to `_`)"),
        ("rgb sop t0 ; alpha mad t0 = i0, i1, i2", "1:5: error: `sop` needs an `alpha` half with ex2, ln2, rcp, rsq, sin or cos (its result is that half's; the half may write to `_`)"),
        ("rgb sop t0 = i0 ; alpha rcp t0 = i0", "1:14: error: `sop` has 0 operands; here are 1"),
        ("rgb mad t0 = i0, i1, i2 ; alpha dp t0", "1:33: error: `dp` needs an `rgb` half with dp3, dp4 or d2a"),
        ("rgb dp3 t0 = i0, i1 ; alpha dp t0 = i0, i1", "1:37: error: `dp` has 0 operands beside `dp3` and `d2a`; here are 2"),
        ("rgb dp4 t0 = i0, i1 ; alpha dp t0", "1:23: error: `dp` has 2 operands beside `dp4`; here are 0"),
        ("rgb dp4 t0 = i0, i1 ; alpha frc t0 = i0", "1:5: error: `dp4` needs an `alpha` half with `dp` and the operands of the fourth product (that half may write to `_`)"),
        ("rgb frc t0 = i0 ; rgb frc t1 = i0", "1:19: error: the line has an `rgb` half already"),
        ("rgb frc t0 = i0 ; alpha frc t0 = i0 ; rgb nop", "1:39: error: a line has two halves at most"),
        ("rgb mad t0 = i0, i1, i2 ; alpha mad t0 = i3.r, 1, 0", "1:42: error: a line reads r, g or b of 3 registers at most; `i3` is one more"),
        ("rgb mad t0 = i0.aaa, i1.aaa, i2.raa ; alpha frc t0 = add(i2, i3)", "1:54: error: a line reads a of 3 registers at most; `i3` is one more"),
        ("rgb mad t0 = bias(i0), inv(i0), 0", "1:24: error: a line has one presubtract with r, g or b at most"),
        ("rgb frc t0 = bias(i0).aaa ; alpha frc t0 = inv(i0)", "1:44: error: a line has one presubtract with a at most"),
        ("rgb frc t0 = sub(i0)", "1:14: error: `sub` has 2 registers; here are 1"),
        ("rgb frc t0 = inv(i0, i1)", "1:14: error: `inv` has 1 register; here are 2"),
        ("rgb frc t0 = i0.xyz", "1:17: error: expected the components of an `rgb` operand, found `xyz` (three of r, g, b, a, 0, h and 1)"),
        ("alpha frc t0 = i0.rgb", "1:19: error: expected the component of an `alpha` operand, found `rgb` (one of r, g, b, a, 0, h and 1)"),
        ("alpha frc t0.r = i0", "1:14: error: expected `a`, the mask of `alpha` halves, found `r`"),
        ("rgb frc c0 = i1", "1:9: error: `c0` is a constant, which cannot be written"),
        ("rgb frc t0 = i0, i1", "1:18: error: `frc` has 1 operand; here are 2"),
        ("rgb frc t0 = r0", "1:14: error: `r0` is not a register (registers are t0 to t27, c0 to c255, i0 to i15 and o0 to o15)"),
        ("rgb frc t0 = c256", "1:14: error: there is no `c256`; the last one is `c255`"),
        ("rgb mdv t0 = t1.gbr, 1, t1", "1:14: error: the first and the last operand of `mdv` are registers as they are (a minus and `abs` may stand before the register)"),
        ("alpha mdh t0 = t1, 1, t2", "1:23: error: the first and the last operand of `mdh` are one register, here `t1`"),
        ("option fast", "1:8: error: expected the name of an option, found `fast` (`mulz` is the only option)"),
        ("option mulz fast", "1:13: error: expected the end of the line, found `fast`"),
        ("const t0 = 1 2 3 4", "1:7: error: `t0` is a temporary, not a constant"),
        ("const c0 = 1 2 3", "1:17: error: expected a number, found the end (a constant has four numbers, with blanks between them)"),
        ("const c0 = 1 2 3 4 5", "1:20: error: expected the end of the line, found `5` (a constant has four numbers, with blanks between them)"),
        ("const c0 = 1 2 1e39 4", "1:16: error: expected a number that a float can hold, found `1e39`"),
        ("const c0 = 1 2 3 4\nconst c0 = 1 2 3 4", "2:7: error: `c0` has numbers already"),
        ("rgb frc t0 = abs(i0", "1:20: error: expected `)`, found the end"),
        ("rgb frc t0 = i0 i1", "1:17: error: expected the end of the half, found `i1`"),
        ("rgb nop t0 = i0", "1:9: error: expected the end of the half, found `t0`"),
        ("rgb nop ;", "1:10: error: expected `rgb` or `alpha`, found the end"),
        ("rbg nop", "1:1: error: expected `rgb` or `alpha`, found `rbg` (did you mean `rgb`?)"),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn presubtracts_of_two_classes_and_halves_in_any_order_are_taken() {
    for text in [
        "rgb frc t0 = bias(i0) ; alpha frc t0 = inv(i1)",
        "alpha rcp t0 = i0.r ; rgb sop t0",
        "rgb mad t0 = bias(i0), bias(i0), i1 ; alpha mad t0 = bias(i0).r, i2, i3.0",
        "rgb mdh t0 = -abs(t1.rgb), i0.bgr, abs(t1) ; alpha mdv _ = t1.a, sub(i0, i1).g, t1",
        "rgb nop ; alpha nop",
    ] {
        compiled(text);
    }
    assert_eq!(listing("rgb mad _ = i0, i1, i2\nrgb nop"), "");
}

#[test]
fn texts_without_a_half_are_the_end_alone() {
    for text in [
        "",
        "\r\n\n",
        "# nothing",
        "option mulz",
        "const c0 = 1 2 3 4 # a\nconst c1 = 0 0 0 0",
    ] {
        assert_eq!(listing(text), "", "{text}");
        let (_, warnings) = read_text(text).expect("it is a program");
        assert_eq!(warnings, [], "{text}");
    }
}

#[test]
fn suffixes_without_effect_are_remarked_on() {
    let warnings = |text| {
        let (_, warnings) = read_text(text).expect("it is a program");
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        warnings.join("\n")
    };
    assert_eq!(
        warnings("rgb min.raw.sat o1 = i0, i0"),
        "1:5: warning: nothing clamps a raw result: `sat` has no effect"
    );
    assert_eq!(
        warnings("alpha nop.x2"),
        "1:7: warning: `nop` has no result: its suffixes have no effect"
    );
}

#[test]
fn texts_of_nothing_but_mistakes_are_refused_in_time() {
    let error = compile(&"rgb x\n".repeat(100_000)).expect_err("it is wrong");
    assert_eq!(error.diagnostics.len(), 101);
    assert_eq!(error.position(), 4);
}

#[test]
fn programs_that_are_too_long_are_refused() {
    let limit = attila_isa::Profile::Extended.instructions();
    let line = "rgb frc t0 = i0\n";
    compiled(&line.repeat(limit - 1));
    let error = refused(&line.repeat(limit));
    assert!(error.ends_with(&format!(
        "this needs {} instructions; the limit is {limit}",
        limit + 1
    )));
}
