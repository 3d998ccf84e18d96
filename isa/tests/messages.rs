//! Messages of the assembler about wrong or dubious texts.

use attila_isa::{Program, Severity, assemble};
use expect_test::{Expect, expect};

/// Assembles each line separately and shows the assembler's messages about it.
fn check_each(lines: &str, expected: Expect) {
    let mut report = String::new();
    for line in lines.trim().lines() {
        report += &format!("{}\n", line.escape_debug());
        for diagnostic in assemble(line).diagnostics {
            report += &format!("    {diagnostic}\n");
        }
    }
    expected.assert_eq(&report);
}

#[test]
fn unknown_instructions_are_pointed_out() {
    check_each(
        "
mvo r0, r1
MUK r0, r1, r2
sub r0, r1, r2
setpge p0, r1.x, r2.x
sqrt_sat r0.x, r1.x
DCL_2D s0
txe r0, r1, t0
",
        expect![[r#"
            mvo r0, r1
                1:1: error: unknown instruction `mvo` (did you mean `mov`?)
            MUK r0, r1, r2
                1:1: error: unknown instruction `MUK` (did you mean `mul`?)
            sub r0, r1, r2
                1:1: error: unknown instruction `sub` (r1 - r2 is written `add r0, r1, -r2`)
            setpge p0, r1.x, r2.x
                1:1: error: unknown instruction `setpge` (r1.x >= r2.x, true for NaN, is written `setplt !p0, r1.x, r2.x`)
            sqrt_sat r0.x, r1.x
                1:1: error: `sqrt` is an instruction of the extended profile (write `.extended` on the first line; in the base profile, sqrt(|r1.x|), rounded three times, and 0 up to 2^-128, is written `rsq r0.x, r1.x`, then `rcp r0.x, r0.x`)
            DCL_2D s0
                1:1: error: unknown instruction `DCL_2D` (registers need no declaration, and what unit 0 samples is written `;! texture t0 = wall.png`)
            txe r0, r1, t0
                1:1: error: unknown instruction `txe` (did you mean `tex`?)
        "#]],
    );
}

#[test]
fn unknown_registers_and_labels_are_pointed_out() {
    check_each(
        "
mov r32, r0
mov r99999999999999999999, r0
mov rO, r1
mov r0, x3
mov r0, p1
(p32) nop
(r0) nop
tex r0, i6, t16
tex r0, i6, r3
lda r0, i0.x, q
mov r0, r1 <- edn
jmp p0, nowhere
",
        expect![[r#"
            mov r32, r0
                1:5: error: `r32` does not exist; the last is `r31` (write `.extended` on the first line)
            mov r99999999999999999999, r0
                1:5: error: `r99999999999999999999` does not exist; the last is `r31`
            mov rO, r1
                1:5: error: unknown register `rO` (did you mean `r0`?)
            mov r0, x3
                1:9: error: unknown register `x3` (registers are i0-i15, r0-r31, c0-c511, a0 and a1, and o0-o15 as results)
            mov r0, p1
                1:9: error: expected a source, found `p1`
            (p32) nop
                1:2: error: `p32` does not exist; the last is `p31`
            (r0) nop
                1:2: error: expected a predicate, found `r0`
            tex r0, i6, t16
                1:13: error: texture unit `16` does not exist; the last is 15
            tex r0, i6, r3
                1:13: error: expected a texture unit, found `r3` (as in `t0`)
            lda r0, i0.x, q
                1:15: error: expected an attribute, found `q` (as in `t0`)
            mov r0, r1 <- edn
                1:15: error: unknown annotation `edn` (did you mean `end`?)
            jmp p0, nowhere
                1:9: error: label `nowhere` is not defined
        "#]],
    );
}

#[test]
fn operands_that_are_missing_or_too_many_are_pointed_out() {
    check_each(
        "
add r0, r1
add r0 r1, r2
mov r0, r1, r2
mov r0, r1 nop
mov r0,
",
        expect![[r#"
            add r0, r1
                1:11: error: operand 2 of `add` is missing (usage: add[_sat] dst, a, b|imm)
            add r0 r1, r2
                1:8: error: expected `,`, found `r1`
            mov r0, r1, r2
                1:11: error: `mov` takes no further operand (usage: mov[_sat] dst, a)
            mov r0, r1 nop
                1:12: error: expected the end of the line, found `nop`
            mov r0,
                1:8: error: expected a source, found the end of the line
        "#]],
    );
}

#[test]
fn registers_that_do_not_fit_are_pointed_out() {
    check_each(
        "
mov o0, o1
mov c0, r0
mov p0, r1
setpgt r0, r1.x, 1
setpgt_sat p0, r0.x, 1
kil_sat r0
",
        expect![[r#"
            mov o0, o1
                1:9: error: `o1` cannot be read (keep the value in a temporary)
            mov c0, r0
                1:5: error: `c0` cannot be written (results go to o, r or a registers)
            mov p0, r1
                1:5: error: `mov` writes a register, not a predicate (usage: mov[_sat] dst, a)
            setpgt r0, r1.x, 1
                1:8: error: expected a predicate, found `r0` (usage: setpgt [!]p, a, b|imm)
            setpgt_sat p0, r0.x, 1
                1:1: error: `setpgt` has a truth value as its result (to invert it write `setpgt !p…`)
            kil_sat r0
                1:1: error: `kil` has no result to saturate
        "#]],
    );
}

#[test]
fn truth_values_and_distances_that_do_not_fit_are_pointed_out() {
    check_each(
        "
jmp r0.x, 1
jmp -p0, 1
jmp !true, 1
jmp p0, 99999999999
jmp p0, 1.5
",
        expect![[r#"
            jmp r0.x, 1
                1:5: error: expected a predicate, a constant, `true` or `false`, found `r0` (compare values into a predicate first, as with `setpgt`)
            jmp -p0, 1
                1:5: error: expected a predicate, a constant, `true` or `false`, found `-` (the opposite of a truth value is written `!`)
            jmp !true, 1
                1:6: error: expected a predicate, found `true` (write `false`)
            jmp p0, 99999999999
                1:9: error: the distance does not fit 32 bits
            jmp p0, 1.5
                1:9: error: expected an integer, found `1.5`
        "#]],
    );
}

#[test]
fn numbers_that_do_not_fit_are_pointed_out() {
    check_each(
        "
addi r0, r1, 2.5
addi r0, r1, 4000000000
addi r0, r1, 0x123456789
add r0, r1, 1e99
add r0, r1, 1x
",
        expect![[r#"
            addi r0, r1, 2.5
                1:14: error: `addi` takes integers; `2.5` is not one
            addi r0, r1, 4000000000
                1:14: error: `4000000000` does not fit a signed 32-bit integer (raw bits are written `0x…`)
            addi r0, r1, 0x123456789
                1:14: error: `0x123456789` is not 32 bits in hexadecimal
            add r0, r1, 1e99
                1:13: error: `1e99` is too large for a float (infinity is written `0x7f800000`)
            add r0, r1, 1x
                1:13: error: `1x` is not a number
        "#]],
    );
}

#[test]
fn immediates_that_do_not_fit_are_pointed_out() {
    check_each(
        "
mad r0, r1, 2.5, r3
add r0, 1.0, r2
mov r0, 0.0
mad r0, -|2.5e-3|, c0, c1 ; c2 is for later
kil 0xffC00000
addi r0, 7, r1
lda r0, 5, t0
addi r0, 7.5, r1
mov r0, 1x
",
        expect![[r#"
            mad r0, r1, 2.5, r3
                1:13: error: `mad` takes no immediate (add the line `;! const c0 = 2.5`, and write `c0`)
            add r0, 1.0, r2
                1:9: error: only the second operand of `add` can be an immediate (add the line `;! const c0 = 1.0`, and write `c0`)
            mov r0, 0.0
                1:9: error: `mov` takes no immediate (add the line `;! const c0 = 0.0`, and write `c0`)
            mad r0, -|2.5e-3|, c0, c1 ; c2 is for later
                1:11: error: `mad` takes no immediate (add the line `;! const c3 = 2.5e-3`, and write `c3`)
            kil 0xffC00000
                1:5: error: `kil` takes no immediate (add the line `;! const c0 = 0xffC00000`, and write `c0`)
            addi r0, 7, r1
                1:10: error: only the second operand of `addi` can be an immediate (add the line `;! const c0 = 7i`, and write `c0`)
            lda r0, 5, t0
                1:9: error: `lda` takes no immediate (add the line `;! const c0 = 5i`, and write `c0`)
            addi r0, 7.5, r1
                1:10: error: only the second operand of `addi` can be an immediate (put the value into a constant)
            mov r0, 1x
                1:9: error: `mov` takes no immediate (put the value into a constant)
        "#]],
    );
}

#[test]
fn mistakes_in_selections_and_addresses_are_pointed_out() {
    check_each(
        "
mov r0.yx, r1
mov r0.xr, r1
mov r0, r1.xy
mov r0, r1.xyzwx
mov r0., r1
mov r0, |-r1|
mov r0, |r1|.x
mov r0, |r1
mov r0, c[5]
mov r0, c5[r0.x]
mov r0, c5[a0 + 3]
mov r0, c5[a2.x]
mov r0, c5[a0.x + 256]
mov r0, c5[a0.x - 257]
mov r0, c5[a0.x + 3
add r0, c1[a0.x], c2
add r0, c1[a0.x], c2[a0.y]
",
        expect![[r#"
            mov r0.yx, r1
                1:8: error: a write mask names components once, in the order x, y, z, w (did you mean `.xy`?)
            mov r0.xr, r1
                1:8: error: `xr` is not a write mask (components are x, y, z, w or r, g, b, a)
            mov r0, r1.xy
                1:12: error: a swizzle has one component or four, not 2 (did you mean `.xyyy`?)
            mov r0, r1.xyzwx
                1:12: error: `xyzwx` is not a swizzle (components are x, y, z, w or r, g, b, a)
            mov r0., r1
                1:8: error: expected a write mask, found `,`
            mov r0, |-r1|
                1:10: error: the sign stands in front of the bars (write `-|…|`)
            mov r0, |r1|.x
                1:13: error: expected `,`, found `.` (the swizzle stands inside the bars)
            mov r0, |r1
                1:12: error: expected `|`, found the end of the line
            mov r0, c[5]
                1:11: error: expected an address register, found `5` (write `c5` for a fixed constant)
            mov r0, c5[r0.x]
                1:12: error: `r0` is not an address register (load it with `arl a0.x, …`)
            mov r0, c5[a0 + 3]
                1:15: error: expected `.`, found `+` (as in `a0.x`)
            mov r0, c5[a2.x]
                1:12: error: `a2` does not exist; the last is `a1` (write `.extended` on the first line)
            mov r0, c5[a0.x + 256]
                1:17: error: the offset is not within -256 to 255 (put the rest into the constant's number)
            mov r0, c5[a0.x - 257]
                1:17: error: the offset is not within -256 to 255 (put the rest into the constant's number)
            mov r0, c5[a0.x + 3
                1:20: error: expected `]`, found the end of the line
            add r0, c1[a0.x], c2
                1:19: error: this constant would become relative like the other one (copy one of them to a temporary first)
            add r0, c1[a0.x], c2[a0.y]
                1:19: error: the constants of an instruction share one relative address (copy one of them to a temporary first)
        "#]],
    );
}

#[test]
fn stray_characters_are_pointed_out() {
    check_each(
        "
)
@
mov r0, é
\u{feff}é: nop
mov r0, r1 \u{202e}
r0 = r1
(p0)
: nop
",
        expect![[r#"
            )
                1:1: error: expected an instruction, found `)`
            @
                1:1: error: expected an instruction, found `@`
            mov r0, é
                1:9: error: expected a source, found `é`
            \u{feff}é: nop
                1:1: error: expected an instruction, found `é`
            mov r0, r1 \u{202e}
                1:12: error: expected the end of the line, found `\u{202e}`
            r0 = r1
                1:1: error: unknown instruction `r0`
            (p0)
                1:5: error: expected an instruction, found the end of the line
            : nop
                1:1: error: expected an instruction, found `:`
        "#]],
    );
}

#[test]
fn surprises_are_warned_of() {
    check_each(
        "
rcp r0, r1
rcp r0, -|r1.xyzz|
setpgt p0, r1, c0.y
jmp c3, 1 <- end
addi_sat r0, r1, r2
fxmul_sat r0, r1, r2
(p0) end
jmp p0, 0
",
        expect![[r#"
            rcp r0, r1
                1:9: warning: `rcp` reads one component, here w (write `r1.w` to say so)
            rcp r0, -|r1.xyzz|
                1:9: warning: `rcp` reads one component, here z (write `r1.z` to say so)
            setpgt p0, r1, c0.y
                1:12: warning: `setpgt` reads one component, here w (write `r1.w` to say so)
            jmp c3, 1 <- end
                1:5: warning: one component of the constant is tested, here w (write `c3.w` to say so)
            addi_sat r0, r1, r2
                1:1: warning: `_sat` has no effect on `addi`
            fxmul_sat r0, r1, r2
                1:1: warning: `_sat` has no effect on `fxmul`
            (p0) end
                1:1: warning: the guard has no effect: `end` ends every lane that comes to it
            jmp p0, 0
                1:1: warning: the program ends with this jump, which is never taken (write `end` where the program is to end)
        "#]],
    );
}

#[test]
fn one_run_reports_the_mistakes_of_all_lines_in_their_order() {
    let text =
        "start:\r\n  mvo r0, r1\r\n\tmov r0, r99 ; wrong\r\nstart: rcp r0, r1\r\n jmp p0, strat";
    let messages: Vec<String> = assemble(text)
        .diagnostics
        .iter()
        .map(ToString::to_string)
        .collect();
    expect![[r#"
        2:3: error: unknown instruction `mvo` (did you mean `mov`?)
        3:10: error: `r99` does not exist; the last is `r31` (write `.extended` on the first line)
        4:1: error: label `start` is defined twice (it is already on line 1)
        4:16: warning: `rcp` reads one component, here w (write `r1.w` to say so)
        5:10: error: label `strat` is not defined (did you mean `start`?)"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn numbers_of_one_text_are_given_different_constants() {
    let text = "mov r0, 0.5\nmov r1, c0\nmov r2, -2\nmad r3, r0, 0.5, r1";
    let helps: Vec<String> = assemble(text)
        .diagnostics
        .into_iter()
        .filter_map(|diagnostic| diagnostic.help)
        .collect();
    expect![[r#"
        add the line `;! const c1 = 0.5`, and write `c1`
        add the line `;! const c2 = 2`, and write `c2`
        add the line `;! const c1 = 0.5`, and write `c1`"#]]
    .assert_eq(&helps.join("\n"));
}

#[test]
fn at_most_a_hundred_errors_are_shown_and_the_rest_counted() {
    let assembly = assemble(&"oops\n".repeat(250));
    assert_eq!(assembly.diagnostics.len(), 101);
    assert_eq!(
        assembly.diagnostics[100].to_string(),
        "251:1: error: 150 more errors are not shown"
    );
}

#[test]
fn warnings_leave_a_program_and_errors_keep_them() {
    let assembly = assemble("rcp r0, r1");
    assert_eq!(assembly.diagnostics[0].severity, Severity::Warning);
    assert!(assembly.program.is_some());
    let error = Program::assemble("rcp r0, r1\noops").expect_err("one line is wrong");
    assert_eq!(error.diagnostics.len(), 2);
}

#[test]
fn a_fix_puts_right_what_it_is_for() {
    for (wrong, right) in [
        ("mvo_sat o1, i0", "mov_sat o1, i0"),
        (
            "loop: mov o1, i0\njmp p0, lopo",
            "loop: mov o1, i0\njmp p0, loop",
        ),
        ("mov o1.yx, i0", "mov o1.xy, i0"),
        ("mov o1, -|i0.xy|", "mov o1, -|i0.xyyy|"),
        ("mov o1, rO", "mov o1, r0"),
        ("rcp o1, -|i0|", "rcp o1, -|i0.w|"),
        ("rcp o1, i0.xyzy", "rcp o1, i0.y"),
        ("mov o1, i0 <- wat", "mov o1, i0 <- wait"),
        ("l: jmp c3, l\nend", "l: jmp c3.w, l\nend"),
        ("l: jmp !true, l\nend", "l: jmp false, l\nend"),
        ("sqrt o1, i0.x", ".extended\nsqrt o1, i0.x"),
        ("mov o1, i20", ".extended\nmov o1, i20"),
        (
            ".extended\nxtex o1, i0, t0.shadow_2e",
            ".extended\nxtex o1, i0, t0.shadow_2d",
        ),
        (
            ".extended\npixld.covred r1;",
            ".extended\npixld.COVERED r1;",
        ),
        ("fxmad r0, i0, i1, c2", "fxmad r0, i0, i1"),
    ] {
        let diagnostics = assemble(wrong).diagnostics;
        let fix = diagnostics.iter().find_map(|it| it.fix.clone());
        let fix = fix.unwrap_or_else(|| panic!("{wrong}: {diagnostics:?}"));
        let mut fixed = wrong.to_owned();
        fixed.replace_range(fix.span, &fix.replacement);
        assert_eq!(fixed, right);
        let messages = diagnostics.iter().map(|it| &it.message);
        let left = assemble(&fixed).diagnostics;
        let is_gone = |message: &String| left.iter().all(|it| it.message != *message);
        assert!(messages.into_iter().all(is_gone), "{fixed}: {left:?}");
    }
}
