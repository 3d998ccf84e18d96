//! CTM programs in commands that take programs.

use std::fs;

use expect_test::expect;

use crate::{attila, scratch};

const LIT: &str = "# a light
const c1 = 4 4 4 4
rgb dp3.sat t0 = bias(i1), c0 ; alpha dp _
rgb nop ; alpha ex2 t1 = t0.r
rgb max o1 = t0, 0 ; alpha mad o1 = t1, c1, 0
";

#[test]
fn translations_say_what_their_registers_are_for() {
    let outcome = attila("translate - --local 0=0,0,1,0", LIT);
    expect![[r#"
        ; the text: CTM, lines 3, folded 1; ATTILA instructions 5
        ;! stage fragment
        ; i1 = i1
        ; o1 = o1
        ;! const c0 = 0 0 1 0 ; c0
        ;! const c256 = 0 1 2 0.5
        .extended fragment
        mad r28.xyz, -i1, c256.z, c256.y
        dp3_canon_sat r0.xyz, r28, c0
        ex2_x4 o1.w, r0.x
        maxge_canon o1.xyz, r0, c256.x
        end
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn every_command_takes_them() {
    let path = scratch("lit.ctm");
    fs::write(&path, LIT).expect("the folder can be written to");
    let path = path.display();
    let checked = attila("check -", LIT).transcript();
    expect![[r#"
        <stdin>: a valid fragment program
          instructions  5 (80 bytes)
          control flow  none
          inputs        i1.xyz
          outputs       o1
          temporaries   r0.xyz r28.xyz
          constants     c0 c256
    "#]]
    .assert_eq(&checked);
    let ran = attila(
        &format!("run {path} --local 0=0,0,1,0 -s i1=0,0,0.25,1"),
        "",
    )
    .transcript();
    assert!(ran.contains("o1"), "{ran}");
    for command in ["emit", "run --engine all"] {
        let outcome = attila(&format!("{command} {path}"), "").transcript();
        assert!(!outcome.contains("error"), "{command}: {outcome}");
    }
    let shown = attila(&format!("dis {path}"), "").transcript();
    assert!(shown.contains("a CTM program"), "{shown}");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let text = "rgb mad.raw t0 = i0, i1, 0
rgb mad t0 = i0, i1, i2 ; alpha mad t0 = i3.r, 1, 0
rgb mad t0 = bias(i0), inv(i0), 0
rgb sop t0
";
    expect![[r#"
        --- stderr
        error[T14]: `mad` cannot be raw
          ┌─ <stdin>:1:5
          │
        1 │ rgb mad.raw t0 = i0, i1, 0
          │     ^^^
          │
          = help: `raw` keeps the bits of min, max, cnd and cmp

        error[T01]: a line reads r, g or b of 3 registers at most; `i3` is one more
          ┌─ <stdin>:2:42
          │
        2 │ rgb mad t0 = i0, i1, i2 ; alpha mad t0 = i3.r, 1, 0
          │                                          ^^^^

        error[T01]: a line has one presubtract with r, g or b at most
          ┌─ <stdin>:3:24
          │
        3 │ rgb mad t0 = bias(i0), inv(i0), 0
          │                        ^^^^^^^

        error[T05]: `sop` needs an `alpha` half with ex2, ln2, rcp, rsq, sin or cos
          ┌─ <stdin>:4:5
          │
        4 │ rgb sop t0
          │     ^^^
          │
          = help: its result is that half's; the half may write to `_`

        --- exit code 1
    "#]]
    .assert_eq(&attila("check -", text).transcript());
}

#[test]
fn a_file_named_ctm_may_begin_with_a_mistake_and_is_no_agal() {
    let path = scratch("typo.ctm");
    fs::write(&path, "rbg nop\n").expect("the folder can be written to");
    let outcome = attila(&format!("check {}", path.display()), "").transcript();
    assert!(outcome.contains("did you mean `rgb`?"), "{outcome}");
    fs::write(&path, b"\x01\x02rgb").expect("the folder can be written to");
    let outcome = attila(&format!("check {}", path.display()), "").transcript();
    assert!(!outcome.contains("token"), "{outcome}");
}
