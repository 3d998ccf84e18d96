//! `run --trace`.

use expect_test::expect;

use crate::attila;

#[test]
fn a_trace_has_the_lines_of_the_text_and_its_labels() {
    let text = "\
; A comment.
setpgt p0, i0.x, 1      ; two lanes

    jmp p0, over
mov r0.x, c0
over: done:
    (p0) add o1.xy,  i0, 1 <- end
";
    let outcome = attila("run - --trace -s i0=1 -s i0[2]=2 -s c0=5", text);
    expect![[r#"
        quad  lanes    pc  line
           0   0123     0     2  setpgt p0, i0.x, 1 ; two lanes
                                     01-3: p0 = false
                                     --2-: p0 = true
           0   0123     1     4  jmp p0, over
           0   01-3     2     5  mov r0.x, c0
                                     01-3: r0.x = 5.0
                                 over:
                                 done:
           0   0123     3     7  (p0) add o1.xy, i0, 1 <- end
                                     --2-: o1.xy = 3.0, 3.0

        o1       0  0.0           0.0           0.0           0.0
                 1  0.0           0.0           0.0           0.0
                 2  3.0           3.0           0.0           0.0
                 3  0.0           0.0           0.0           0.0
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn lanes_with_the_same_results_share_a_line() {
    let text = "rcp r0, i0.x\nkil i1.x\narl a0.x, i0\nmul o1, r0, 2";
    let outcome = attila(
        "run - --trace -s i0=1 -s i0[1]=2 -s i0[3]=2 -s i1[2]=-1",
        text,
    );
    expect![[r#"
        quad  lanes    pc  line
           0   0123     0     1  rcp r0, i0.x
                                     0-2-: r0.xyzw = 1.0, 1.0, 1.0, 1.0
                                     -1-3: r0.xyzw = 0.5, 0.5, 0.5, 0.5
           0   0123     1     2  kil i1.x
                                     --2-: killed ffff
           0   0123     2     3  arl a0.x, i0
                                     0-2-: a0.x = 1
                                     -1-3: a0.x = 2
           0   0123     3     4  mul o1, r0, 2
                                     0-2-: o1.xyzw = 2.0, 2.0, 2.0, 2.0
                                     -1-3: o1.xyzw = 1.0, 1.0, 1.0, 1.0

        o1       0  2.0           2.0           2.0           2.0
                 1  1.0           1.0           1.0           1.0
                 2  2.0           2.0           2.0           2.0
                 3  1.0           1.0           1.0           1.0
        kill     0  0000
                 1  0000
                 2  ffff
                 3  0000
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn quads_follow_each_other() {
    let text = "again: add r0.x, r0.x, 1\nsetplt p0, r0.x, i0.x\njmp p0, again\nmov o1, r0";
    let outcome = attila("run - --trace -s i0=1 -s i0[4]=2", text);
    expect![[r#"
        quad  lanes    pc  line
                                 again:
           0   0123     0     1  add r0.x, r0.x, 1
                                     0123: r0.x = 1.0
           0   0123     1     2  setplt p0, r0.x, i0.x
                                     0123: p0 = false
           0   0123     2     3  jmp p0, again
           0   0123     3     4  mov o1, r0
                                     0123: o1.xyzw = 1.0, 0.0, 0.0, 0.0
                                 again:
           1   0123     0     1  add r0.x, r0.x, 1
                                     0123: r0.x = 1.0
           1   0123     1     2  setplt p0, r0.x, i0.x
                                     0---: p0 = true
                                     -123: p0 = false
           1   0123     2     3  jmp p0, again
                                 again:
           1   0---     0     1  add r0.x, r0.x, 1
                                     0---: r0.x = 2.0
           1   0---     1     2  setplt p0, r0.x, i0.x
                                     0---: p0 = false
           1   0---     2     3  jmp p0, again
           1   0123     3     4  mov o1, r0
                                     0---: o1.xyzw = 2.0, 0.0, 0.0, 0.0
                                     -123: o1.xyzw = 1.0, 0.0, 0.0, 0.0

        quad 0
        o1     all  1.0           0.0           0.0           0.0
        quad 1
        o1       0  2.0           0.0           0.0           0.0
                 1  1.0           0.0           0.0           0.0
                 2  1.0           0.0           0.0           0.0
                 3  1.0           0.0           0.0           0.0
        --- stderr
        warning: r0.yzw is read but never written; it is 0
          ┌─ <stdin>:4:1
          │
        4 │ mov o1, r0
          │ ^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn what_has_no_text_is_shown_as_listings_show_it() {
    let text = "again: add r0.x, r0.x, 1\nsetplt p0, r0.x, i0.x\njmp p0, again\nmov o1, r0";
    let words = attila("asm --hex -", text).stdout;
    let outcome = attila("run - --trace --hex", &words);
    expect![[r#"
        quad  lanes    pc  line
                                 L0:
           0   0123     0        add r0.x, r0.x, 1
                                     0123: r0.x = 0x3f800000
           0   0123     1        setplt p0, r0.x, i0.x
                                     0123: p0 = false
           0   0123     2        jmp p0, L0
           0   0123     3        mov o1, r0 <- end
                                     0123: o1.xyzw = 0x3f800000, 0x00000000, 0x00000000, 0x00000000

        o1     all  0x3f800000    0x00000000    0x00000000    0x00000000
        --- stderr
        warning: <stdin>: 1 finding
         = warning: instruction 3 at byte 0x30, `mov o1, r0 <- end`: r0.yzw is read but never written; it is 0

    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn samples_are_shown_with_their_coordinates_and_levels() {
    // A step of two texels of 256 to the right.
    let text = ";! texture t0 = checker\n;! texture t1 = checker, nearest\n\
                tex r0, i6, t0\ntxb r1, i6, t0\ntxl r2, i7.w, t1\ntxp o1, i7, t1";
    let inputs =
        "-s i6=0.25,0.5,0,0 -s i6[1]=0.2578125,0.5,0,0 -s i6[2]=0.25,0.5,0,1.5 -s i7=0.5,0.5,0,2";
    let outcome = attila(&format!("run - --trace {inputs}"), text);
    expect![[r#"
        quad  lanes    pc  line
           0   0123     0     3  tex r0, i6, t0
                                     0-23: t0 at (0.25, 0.5), level 1
                                     -1--: t0 at (0.2578125, 0.5), level 1
                                     0123: r0.xyzw = 0.525, 0.525, 0.525, 1.0
           0   0123     1     4  txb r1, i6, t0
                                     0--3: t0 at (0.25, 0.5), level 1
                                     -1--: t0 at (0.2578125, 0.5), level 1
                                     --2-: t0 at (0.25, 0.5), level 2.5
                                     0123: r1.xyzw = 0.525, 0.525, 0.525, 1.0
           0   0123     2     5  txl r2, i7.w, t1
                                     0123: t1 at (2.0, 2.0), level 0
                                     0123: r2.xyzw = 0.9, 0.9, 0.9, 1.0
           0   0123     3     6  txp o1, i7, t1
                                     0123: t1 at (0.25, 0.25), level 0
                                     0123: o1.xyzw = 0.9, 0.9, 0.9, 1.0

        o1     all  0.9           0.9           0.9           1.0
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn instructions_of_an_arb_program_stand_below_their_statements() {
    let text = "\
!!ARBfp1.0
TEMP a;
POW a.x, fragment.color.x,
    program.local[0].x;
MUL result.color, a.x, fragment.color; MOV result.depth.z, a.x;
END
";
    let outcome = attila("run - --trace --local 0=2 -s i1=0.5,1,2,1", text);
    expect![[r#"
        quad  lanes    pc  line
                              3  POW a.x, fragment.color.x, program.local[0].x
           0   0123     0          lg2 r0.x, i1.x
                                     0123: r0.x = -1.0
           0   0123     1          mul r0.x, r0.x, c0.x
                                     0123: r0.x = -2.0
           0   0123     2          ex2 r0.x, r0.x
                                     0123: r0.x = 0.25
                              5  MUL result.color, a.x, fragment.color
           0   0123     3          mul o1, r0.x, i1
                                     0123: o1.xyzw = 0.125, 0.25, 0.5, 0.25
                              5  MOV result.depth.z, a.x
           0   0123     4          mov_sat r0.z, r0.x
                                     0123: r0.z = 0.25
           0   0123     5          zxp r0.z <- end

        o1      all  0.125         0.25          0.5           0.25
        depth0  all  0.25
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn both_results_of_a_query_are_shown() {
    let text = "\
.extended
;! samples = 2
;! coverage = 1 2 3 0
pixld_covered r0.x, p1, [1]
mov o0, r0
";
    let outcome = attila("run - --trace --hex", text);
    expect![[r#"
        quad  lanes    pc  line
           0   0123     0     4  pixld_covered r0.x, p1, [1]
                                     0--3: r0.x = 0x00000000, p1 = false
                                     -12-: r0.x = 0xffffffff, p1 = true
           0   0123     1     5  mov o0, r0
                                     0--3: o0.xyzw = 0x00000000, 0x00000000, 0x00000000, 0x00000000
                                     -12-: o0.xyzw = 0xffffffff, 0x00000000, 0x00000000, 0x00000000

        o0       0  0x00000000    0x00000000    0x00000000    0x00000000
                 1  0xffffffff    0x00000000    0x00000000    0x00000000
                 2  0xffffffff    0x00000000    0x00000000    0x00000000
                 3  0x00000000    0x00000000    0x00000000    0x00000000
        --- stderr
        warning: r0.yzw is read but never written; it is 0
          ┌─ <stdin>:5:1
          │
        5 │ mov o0, r0
          │ ^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn the_quad_of_a_pixel_is_traced() {
    let text = "add r0.x, i0.x, i0.y\nmov o1, r0.x <- end";
    let outcome = attila("render - --size 8x8 --pixel 3,5 --trace", text);
    expect![[r#"
        quad  lanes    pc  line
           0   0123     0     1  add r0.x, i0.x, i0.y
                                     0---: r0.x = 7.0
                                     -12-: r0.x = 8.0
                                     ---3: r0.x = 9.0
           0   0123     1     2  mov o1, r0.x <- end
                                     0---: o1.xyzw = 7.0, 7.0, 7.0, 7.0
                                     -12-: o1.xyzw = 8.0, 8.0, 8.0, 8.0
                                     ---3: o1.xyzw = 9.0, 9.0, 9.0, 9.0

        o1       0  7.0           7.0           7.0           7.0
                 1  8.0           8.0           8.0           8.0
                 2  8.0           8.0           8.0           8.0
                 3  9.0           9.0           9.0           9.0
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("render - --pixel 640,5 --trace", text);
    assert_eq!(outcome.code, 2);
}
