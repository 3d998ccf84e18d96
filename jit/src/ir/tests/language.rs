//! Printing and reading.

use super::super::parse::parse;

fn error(text: &str) -> String {
    let error = parse(text).expect_err("the text is wrong");
    error.to_string()
}

/// A function with an operation in it.
fn with(line: &str) -> String {
    format!(
        "uniform:\n  c: f32 = const 1.0\nblock0:\n  f: f32 = load i0.x\n  i: i32 = load a0.x\n  \
         m: mask = load p0\n  p: pixel = load i1.x\n  {line}\n  done\n"
    )
}

#[test]
fn printing_numbers_values_as_they_stand() {
    let text = "block0:\n  x: f32 = load i0.x\n  store o0.x, x\n  jump block1(x)\n\
                block1(y: f32): ; a comment\n  z: f32 = fneg y\n  store o0.y, z\n  done\n";
    let printed = "block0:\n  v0: f32 = load i0.x\n  store o0.x, v0\n  jump block1(v0)\n\
                   block1(v1: f32):\n  v2: f32 = fneg v1\n  store o0.y, v2\n  done\n";
    let function = parse(text).expect("the text is right");
    assert_eq!(function.to_string(), printed);
    let again = parse(printed).expect("printed texts can be read");
    assert_eq!(again.to_string(), printed);
}

#[test]
fn constants_keep_their_bits() {
    for (ty, word) in [
        ("f32", "-0.0"),
        ("f32", "inf"),
        ("f32", "1e-45"),
        ("f32", "0.1"),
        ("f32", "0x7fc00001"),
        ("i32", "-65535"),
        ("i32", "0x80000000"),
        ("mask", "true"),
        ("mask", "false"),
    ] {
        let text = format!("uniform:\n  v0: {ty} = const {word}\nblock0:\n  done\n");
        let function = parse(&text).expect("the text is right");
        assert_eq!(function.to_string(), text);
    }
}

#[test]
fn lanes_and_channels_are_told_apart() {
    for (line, problem) in [
        ("v: f32 = fadd f, p", "`fadd` does not take (f32, pixel)"),
        ("v: f32 = fadd p, p", "`fadd` does not give f32"),
        ("v: pixel = fadd f, p", "`fadd` does not take (f32, pixel)"),
        ("v: pixel = sqrt p", "`sqrt` does not take (pixel)"),
        (
            "v = transpose p, p, f, p",
            "`transpose` does not take (pixel, pixel, f32, pixel)",
        ),
        (
            "v: halves = narrow p, p",
            "`narrow` does not take (pixel, pixel)",
        ),
        ("store o0.x, p", "`store` does not take (pixel)"),
    ] {
        assert_eq!(error(&with(line)), format!("line 8: {problem}"));
    }
    for line in [
        "v: pixel = fadd p, p",
        "v: pixel = fmul p, c",
        "v: pixel_i32 = trunc p",
        "v = transpose p, p, p, p",
    ] {
        assert!(parse(&with(line)).is_ok(), "{line}");
    }
}

#[test]
fn pixels_are_computed_with_what_all_lanes_of_a_quad_share() {
    let text = |shared: &str, line: &str| with(&format!("{shared}\n  v: {line}"));
    let add = "pixel = fadd p, s";
    for shared in [
        "s: f32 = shuffle 2222, f",
        "n: i32 = level 0, size.x, i\n  s: f32 = tof32 n",
        "l: f32 = shuffle 0000, f\n  h: f32 = fmul l, c\n  s: f32 = fma h, l, c",
    ] {
        let text = text(shared, add);
        assert!(parse(&text).is_ok(), "{:?}", parse(&text));
    }
    for (shared, line) in [
        ("s: f32 = shuffle 2223, f", 9),
        ("s: f32 = fmul f, c", 9),
        ("l: f32 = shuffle 0000, f\n  s: f32 = fadd l, f", 10),
    ] {
        let problem = format!("line {line}: `fadd` does not take (pixel, f32)");
        assert_eq!(error(&text(shared, add)), problem);
    }
    let all = "a: mask = shuffle 1111, m\n  s: f32 = shuffle 0000, f";
    for choice in ["a, p, p", "a, p, s", "a, s, p"] {
        let line = format!("pixel = select {choice}");
        assert!(parse(&text(all, &line)).is_ok(), "{choice}");
    }
    for (choice, types) in [
        ("m, p, p", "mask, pixel, pixel"),
        ("a, p, f", "mask, pixel, f32"),
        ("a, f, p", "mask, f32, pixel"),
        ("a, m, p", "mask, mask, pixel"),
    ] {
        let line = format!("pixel = select {choice}");
        let problem = format!("line 10: `select` does not take ({types})");
        assert_eq!(error(&text(all, &line)), problem);
    }
}

#[test]
fn an_extract_has_the_type_of_its_result() {
    let text = |ty, part| {
        with(&format!(
            "t = texel 0, rgba8, i\n  v: {ty} = extract {part}, t"
        ))
    };
    assert!(parse(&text("i32", 0)).is_ok());
    assert_eq!(
        error(&text("f32", 0)),
        "line 9: `extract` does not give f32"
    );
    assert_eq!(
        error(&text("i32", 1)),
        "line 9: `extract` does not give i32"
    );
}

#[test]
fn wrong_texts_are_errors_with_a_line() {
    for (line, problem) in [
        ("v: f32 = fade f", "`fade` is not an operation"),
        ("v: f32 = fadd f, q", "`q` is not a value"),
        ("v: f32 = fadd f", "`fadd` does not take (f32)"),
        ("f: f32 = fneg f", "`f` is there already"),
        ("v: f16 = fneg f", "`f16` is not a type"),
        ("v: f32 = load q0.x", "`q0.x` is not what belongs here"),
        ("v: i32 = shl 32, i", "`shl` takes up to 31 bits, not 32"),
        ("v: f32 = load", "an immediate is missing"),
        (
            "t = gather 0, red32f, y, each, i, i",
            "no texel of Red32F has a word Y",
        ),
        ("any m ? block1 block2", "`:` is missing"),
    ] {
        assert_eq!(error(&with(line)), format!("line 8: {problem}"), "{line}");
    }
    let rate = "changes from quad to quad, or along rows";
    for (part, line, name) in [
        ("uniform", "v: f32 = load i0.x", "load"),
        ("uniform", "v: f32 = span y", "span"),
        ("row", "v: f32 = fragment x", "fragment"),
    ] {
        let text = format!("{part}:\n  {line}\nblock0:\n  done\n");
        assert_eq!(error(&text), format!("line 2: `{name}` {rate}"));
    }
    assert_eq!(error(""), "line 0: there is no block");
    assert_eq!(error("block0:\n"), "line 1: the last block has no end");
    assert_eq!(
        error("block0:\n  jump block3\n"),
        "line 2: there is no block3"
    );
    assert_eq!(
        error("  v: f32 = load i0.x\n"),
        "line 1: `v: f32 = load i0.x` is in no block"
    );
    assert_eq!(
        error(
            "block0:\n  m: mask = load p0\n  any m ? block1 : block2\nblock1:\n  \
               x: f32 = load i0.x\n  jump block2\nblock2:\n  store o0.x, x\n  done\n"
        ),
        "line 9: `store` uses v1 before it is computed"
    );
}

/// A loop that keeps and recalls variables, with a line in the entry and a line in the body.
fn looping(entry: &str, body: &str) -> String {
    format!(
        "block0:\n  f: f32 = load i0.x\n  i: i32 = load a0.x\n  {entry}\n  jump block1\nblock1:\n  \
         m: mask = load p0\n  {body}\n  any m ? block1 : block2\nblock2:\n  done\n"
    )
}

#[test]
fn variables_hold_something_of_one_type_wherever_they_are_recalled() {
    for (entry, body) in [
        ("keep x0, f", "v: f32 = recall x0\n  keep x0, v"),
        ("keep x1, i", "keep x1, i"),
        ("", "keep x0, f"),
    ] {
        let text = looping(entry, body);
        assert!(parse(&text).is_ok(), "{text}");
    }
    let (empty, twice) = (
        "x0 may hold nothing in block1",
        "block1 has kept x0 already",
    );
    for (entry, body, problem) in [
        ("", "v: f32 = recall x0", empty),
        ("", "v: f32 = recall x0\n  keep x0, v", empty),
        (
            "v: f32 = recall x0",
            "keep x0, f",
            "x0 may hold nothing in block0",
        ),
        ("keep x0, f", "v: i32 = recall x0", "x0 is f32, not i32"),
        ("keep x0, f", "keep x0, i", "x0 is f32, not i32"),
        ("keep x0, f", "keep x0, f\n  keep x0, f", twice),
        ("keep x0, f", "keep x0, f\n  v: f32 = recall x0", twice),
    ] {
        let error = error(&looping(entry, body));
        let (_, message) = error.split_once(": ").expect("it has a line");
        assert_eq!(message, problem);
    }
}

#[test]
fn what_is_kept_on_one_way_to_a_block_is_not_there_for_it() {
    let text = |first: &str| {
        format!(
            "block0:\n  x: f32 = load i0.x\n  m: mask = load p0\n  {first}\n  any m ? block1 : block2\n\
             block1:\n  keep x0, x\n  jump block2\nblock2:\n  y: f32 = recall x0\n  done\n"
        )
    };
    assert!(parse(&text("keep x0, x")).is_ok());
    assert_eq!(error(&text("")), "line 11: x0 may hold nothing in block2");
}

#[test]
fn blocks_see_what_is_computed_on_every_way_to_them() {
    let text = |used| {
        format!(
            "block0:\n  x: f32 = load i0.x\n  m: mask = load p0\n  any m ? block1 : block2\n\
             block1:\n  y: f32 = load i1.x\n  jump block3\nblock2:\n  jump block3\n\
             block3:\n  z: f32 = fneg {used}\n  done\n"
        )
    };
    assert!(parse(&text("x")).is_ok());
    let problem = "line 12: v3 uses v2 before it is computed";
    assert_eq!(error(&text("y")), problem);
}
