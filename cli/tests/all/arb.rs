//! ARB programs in every command that takes a program.

use std::fs;

use expect_test::expect;

use crate::{attila, scratch};

const WALL: &str = "!!ARBfp1.0
OPTION ARB_fog_linear;
PARAM tint = program.local[0];
TEMP wall, wave;
MUL wave.x, fragment.texcoord[0].y, 20;
SIN wave.x, wave.x;
MAD wave.xy, wave.x, {0.02, 0.01}, fragment.texcoord[0];
TEX wall, wave, texture[4], 2D;
LRP result.color, 0.5, wall, tint;
END
";

const BONES: &str = "!!ARBvp1.0
PARAM bones[] = { program.env[0..2], {1, 2, 3, 4} };
ADDRESS A;
ARL A.x, vertex.attrib[7].x;
MUL result.texcoord[1], bones[A.x], state.lightmodel.ambient;
DP4 result.position.x, state.matrix.mvp.row[0], vertex.position;
END
";

#[test]
fn translations_say_what_their_registers_are_for() {
    let outcome = attila("translate - --local 0=1,0.5,0,1", WALL);
    expect![[r#"
        ; the text: arithmetic 4, texture 1, indirections 2, temporaries 2, parameters 4, attributes 1; ATTILA instructions 12
        ;! stage fragment
        ; i5 = fragment.fogcoord
        ; i6 = fragment.texcoord[0]
        ; o1 = result.color
        ; t4 = 2D
        ;! const c0 = 1 0.5 0 1 ; program.local[0]
        ;! const c1 = 1 0 1 1 ; state.fog.params
        ;! const c2 = 0 ; state.fog.color
        ;! const c3 = 0.01 0.02 0.5 0
        mul r0.x, i6.y, 20
        sin r0.x, r0.x
        mad r0.xy, r0.x, c3.yxxx, i6
        tex r0, r0, t4
        mul r1, c0, 0.5
        mad_sat r0, c3.z, r0, r1
        add r1.x, c1.z, -i5.x
        mul_sat r1.x, r1.x, c1.w
        mov o1.w, r0.w
        add r2.x, -r1.x, 1
        mul r2.xyz, r2.x, c2
        mad o1.xyz, r1.x, r0, r2 <- end
    "#]].assert_eq(&outcome.transcript());
    let outcome = attila("translate - --env 1=5,6,7,8", BONES);
    expect![[r#"
        ; the text: instructions 3, parameters 6, attributes 2, addresses 1; ATTILA instructions 4
        ;! stage vertex
        ; i0 = vertex.position
        ; i7 = vertex.attrib[7]
        ; o0 = result.position
        ; o7 = result.texcoord[1]
        ;! const c0 = 0 ; program.env[0]
        ;! const c1 = 5 6 7 8 ; program.env[1]
        ;! const c2 = 0 ; program.env[2]
        ;! const c3 = 1 2 3 4
        ;! const c4 = 0.2 0.2 0.2 1 ; state.lightmodel.ambient
        ;! const c5 = 1 0 0 0 ; state.matrix.mvp.row[0]
        arl a0.x, i7.x
        mov r0, c0[a0.x]
        mul o7, r0, c4
        dp4 o0.x, c5, i0 <- end
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn translations_say_what_textures_have_to_be() {
    let text = "!!ARBfp1.0\nTEMP a;\nTEX a, fragment.texcoord[1], texture[2], CUBE;\n\
                TXP a, a, texture[1], RECT;\nTXB result.color, a, texture[0], 1D;\nEND";
    let outcome = attila("translate -", text);
    expect![[r#"
        ; the text: texture 3, indirections 3, temporaries 1, attributes 1; ATTILA instructions 3
        ;! stage fragment
        ; i7 = fragment.texcoord[1]
        ; o1 = result.color
        ;! texture t2 = cube ; CUBE
        ;! texture t1 = checker, coords=texels ; RECT
        ;! texture t0 = 1d ; 1D
        tex r0.xyw, i7, t2
        txp r0.xw, r0.xyyw, t1
        txb o1, r0.xxxw, t0 <- end
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("run -", text);
    expect![[r#"
        --- stderr
        error: t0: the program samples a 1D image here; say which: `1d:FILE` is a picture of one row, or a DDS file of a 1D texture
        error: t2: the program samples a cube here; say which: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn programs_run_as_they_are_and_translated() {
    let options = "--engine both -s i7=1.5 -s i7[2]=3 -s i0=2,0,0,1";
    let outcome = attila(&format!("run - --env 1=5,6,7,8 {options}"), BONES);
    expect![[r#"
        o0     all  2.0           0.0           0.0           0.0
        o7       0  1.0           1.2           1.4           8.0
                 1  1.0           1.2           1.4           8.0
                 2  0.2           0.4           0.6           4.0
                 3  1.0           1.2           1.4           8.0
        --- stderr
        interp and jit agree in every register
    "#]]
    .assert_eq(&outcome.transcript());
    let translated = attila("translate - --env 1=5,6,7,8", BONES);
    let again = attila(&format!("run - {options}"), &translated.stdout);
    assert_eq!(again.transcript(), outcome.transcript());
}

#[test]
fn pictures_are_the_same_as_of_the_translation() {
    let [direct, translated] = ["arb.png", "arb-translated.png"].map(scratch);
    let text = attila("translate - --local 0=1,0.5,0,1 --size 64x48", WALL).stdout;
    for (source, parameters, file) in [
        (WALL, "--local 0=1,0.5,0,1", &direct),
        (&text, "", &translated),
    ] {
        let file = file.display();
        let arguments = format!("render - --size 64x48 --engine both {parameters} -o {file}");
        let outcome = attila(&arguments, source);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let [direct, translated] = [direct, translated].map(|file| fs::read(file).expect("drawn"));
    assert!(direct == translated, "the pictures differ");
}

#[test]
fn mistakes_are_shown_with_their_lines() {
    let text = "!!ARBfp1.0\nTEMP a\nMOV a.yx, fragment.colour;\nTEX a, a, texture[0], CUBES;\nEND";
    let checked = attila("check -", text);
    expect![[r#"
        --- stderr
        error[T02]: expected `;`, found `MOV`
          ┌─ <stdin>:3:1
          │
        3 │ MOV a.yx, fragment.colour;
          │ ^^^
          │
          = help: every statement ends with `;`

        error[T06]: `yx` is not a write mask: its components are out of order
          ┌─ <stdin>:3:7
          │
        3 │ MOV a.yx, fragment.colour;
          │       ^^
          │
          = help: write `.xy`

        error[T04]: fragment programs have no binding with `colour` here
          ┌─ <stdin>:3:20
          │
        3 │ MOV a.yx, fragment.colour;
          │                    ^^^^^^
          │
          = help: did you mean `color`?

        error[T12]: `CUBES` is not a texture target
          ┌─ <stdin>:4:23
          │
        4 │ TEX a, a, texture[0], CUBES;
          │                       ^^^^^
          │
          = help: did you mean `CUBE`?

        --- exit code 1
    "#]]
    .assert_eq(&checked.transcript());
    for command in ["run", "render", "bench", "emit", "translate", "asm --hex"] {
        let outcome = attila(&format!("{command} -"), text);
        let said = crate::without_codes(&checked.transcript());
        assert_eq!(outcome.transcript(), said, "{command}");
    }
}

#[test]
fn stages_are_what_the_text_says() {
    let outcome = attila("check -", BONES);
    assert!(
        outcome.stdout.contains("a valid vertex program"),
        "{}",
        outcome.stdout
    );
    let outcome = attila("check - --stage fragment", BONES);
    expect![[r#"
        --- stderr
        error[F06]: this is a vertex program, which cannot be one for another stage
          ┌─ <stdin>:1:1
          │
        1 │ !!ARBvp1.0
          │ ^^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn parameters_that_are_none_are_wrong_usage() {
    for arguments in [
        "run - --local 0",
        "run - --local x=1",
        "bench - --env 1=1,2",
        "render - --env -1=0",
        "render --local 0=1",
    ] {
        let outcome = attila(arguments, WALL);
        assert_eq!(outcome.code, 2, "{arguments}: {}", outcome.stderr);
    }
}

#[test]
fn temporaries_that_nothing_writes_are_pointed_out() {
    let text = "!!ARBfp1.0\nTEMP a;\nMOV a.w, 1;\nADD result.color, a, 1;\nEND";
    let outcome = attila("run -", text);
    expect![[r#"
        o1     all  1.0           1.0           1.0           2.0
        --- stderr
        warning: `.xyz` of a temporary is read but never written; it is 0
          ┌─ <stdin>:4:1
          │
        4 │ ADD result.color, a, 1;
          │ ^^^^^^^^^^^^^^^^^^^^^^

    "#]]
    .assert_eq(&outcome.transcript());
}
