//! AGAL programs in commands that take programs.

use std::fs;

use expect_test::expect;

use crate::{attila, scratch};

const LIT: &str = "// a texture, lit
tex ft0, v0, fs0 <2d,linear,repeat,miplinear>
nrm ft1.xyz, v1
dp3 ft1.x, ft1, fc0
sat ft1.x, ft1.x
mul oc, ft0, ft1.x
";

/// A file with a content.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = scratch(name);
    fs::write(&path, content).expect("the folder can be written to");
    path.display().to_string()
}

/// `LIT` as bytes.
fn bytes() -> Vec<u8> {
    use attila_shader::front::agal::{Options, assemble, encode};
    encode(&assemble(LIT, &Options::default()).expect("it is a program"))
}

#[test]
fn translations_say_what_their_registers_are_for() {
    let outcome = attila("translate - --local 0=0,0,1,0", LIT);
    expect![[r#"
        ; the text: AGAL 1, tokens 5, extended profile; ATTILA instructions 6
        ;! stage fragment
        ; i1 = v0
        ; i2 = v1
        ; o1 = oc0
        ;! texture t0 = bumps, mip=linear, wraps=repeat, wrapt=repeat ; 2d,repeat,miplinear,linear
        ;! const c0 = 0 0 1 0 ; fc0
        .extended fragment
        tex r0, i1, t0
        dp3 r1.x, i2, i2
        rsqt r1.x, r1.x
        mul r1.xyz, i2, r1.x
        dp3_sat r1.x, r1, c0
        mul o1, r0, r1.x <- end
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn bytes_are_known_by_their_first_one() {
    let path = file("lit.agal", bytes());
    let translated = attila(&format!("translate {path} --local 0=0,0,1,0"), "");
    assert_eq!(
        translated.transcript(),
        attila("translate - --local 0=0,0,1,0", LIT).transcript()
    );
    expect![[r#"
        tex ft0, v0, fs0 <2d,repeat,miplinear,linear>
        nrm ft1.xyz, v1
        dp3 ft1.x, ft1, fc0
        sat ft1.x, ft1.x
        mul oc, ft0, ft1.x
    "#]]
    .assert_eq(&attila(&format!("dis {path}"), "").transcript());
}

#[test]
fn a_file_named_agal_may_begin_with_a_mistake() {
    let path = file("typo.agal", "mvo op, va0\nmov v0, va1\n");
    let outcome = attila(&format!("check {path}"), "").transcript();
    assert!(outcome.contains("unknown opcode `mvo`"), "{outcome}");
    assert!(outcome.contains("did you mean `mov`?"), "{outcome}");
}

#[test]
fn mistakes_in_bytes_name_tokens_and_numbers() {
    let mut bytes = bytes();
    bytes[7 + 24] = 0x22;
    let path = file("wrong.agal", bytes);
    let outcome = attila(&format!("check {path}"), "").transcript();
    let outcome = outcome.replace(&path, "wrong.agal");
    expect![[r#"
        --- stderr
        error[T01]: wrong.agal: 1 finding
         = token 2, byte 31: error: there is no opcode 22 (error 3620 of Flash)

        --- exit code 1
    "#]]
    .assert_eq(&outcome);
}

#[test]
fn bytes_with_another_first_one_are_known_by_the_name_of_their_file() {
    let mut bytes = bytes();
    bytes[0] = 0xb0;
    let path = file("glsl.agal", bytes);
    let outcome = attila(&format!("check {path}"), "").transcript();
    let outcome = outcome.replace(&path, "glsl.agal");
    expect![[r#"
        --- stderr
        error[T01]: glsl.agal: 1 finding
         = byte 0: error: this is a shader in GLSL, as OpenFL packs it (error 3616 of Flash)

        --- exit code 1
    "#]]
    .assert_eq(&outcome);
}

#[test]
fn limits_of_flash_hold_with_strict_only() {
    let text = "mov ft8, v0\nmov oc, ft8\n";
    assert_eq!(attila("check -", text).code, 0);
    expect![[r#"
        --- stderr
        error[T01]: there is no `ft8`: the limit is 8 (error 3661 of Flash)
          ┌─ <stdin>:1:5
          │
        1 │ mov ft8, v0
          │     ^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("check - --strict", text).transcript());
    expect![[r#"
        --- stderr
        error: invalid value '4' for '--agal <1|2|3>': the versions are 1, 2 and 3

        For more information, try '--help'.
        --- exit code 2
    "#]]
    .assert_eq(&attila("check - --agal 4", text).transcript());
}

#[test]
fn attributes_are_set_by_their_names() {
    let set = attila(
        "run - --set va0=1,2,3,4 --set vc1=1",
        "add op, va0.xyzz, vc1",
    );
    let register = attila("run - --set i0=1,2,3,4 --set c1=1", "add op, va0.xyzz, vc1");
    assert_eq!(set.code, 0, "{}", set.stderr);
    assert_eq!(set.transcript(), register.transcript());
}
