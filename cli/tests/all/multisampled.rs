//! Pictures with several samples for each pixel: `render` and `bench`.

use expect_test::expect;
use serde_json::Value;

use crate::render::pixels;
use crate::{attila, scratch};

/// The picture that a program draws on both engines.
fn render(name: &str, options: &str, text: &str) -> String {
    let path = scratch(name);
    let options = format!("--engine both {options}");
    let outcome = attila(&format!("render - -o {} {options}", path.display()), text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    pixels(&path)
}

/// The message of `render` about options that are wrong.
fn refused(options: &str) -> String {
    let outcome = attila(&format!("render - -o never.png {options}"), "mov o1, i6");
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    let (message, _) = outcome.stderr.split_once("\n\n").unwrap();
    message.to_owned()
}

#[test]
fn programs_run_for_each_sample_where_they_are_told_to() {
    let positions = "--size 1x1 --samples 2 --positions=-8,0:0,7";
    let once = render("once.png", positions, "mov o1, i6");
    assert_eq!(once, "7f7f00\n");
    // u is 0 and 1/2, v 1/2 and 15/16: bytes 0 and 127, 127 and 239.
    let shading = format!("{positions} --sample-shading");
    let each = render("each.png", &shading, "mov o1, i6");
    assert_eq!(each, "40b700\n");
    let told = render("told.png", positions, ";! sample-shading\nmov o1, i6");
    assert_eq!(told, each);
}

#[test]
fn texts_that_ask_for_the_number_of_their_sample_run_for_each() {
    let number = "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nU2F OUT[0], SV[0].xxxx\nEND";
    let options = "--size 1x1 --samples 2";
    assert_eq!(render("number.png", options, number), "808080\n");
    let assembly = attila("translate -", number).stdout;
    assert!(assembly.contains(";! sample-shading\n"), "{assembly}");
    assert_eq!(render("assembly.png", options, &assembly), "808080\n");
}

#[test]
fn the_directive_about_samples_stands_alone() {
    let text = ";! sample-shading 4\nmov o1, i6";
    let outcome = attila("render - -o never.png", text);
    assert_eq!(outcome.code, 1);
    let message = "`sample-shading` stands alone, without `4`";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
}

#[test]
fn samples_stand_at_the_standard_positions_unless_they_are_placed() {
    let text = "mov o1, i6";
    let standard = "--positions=-2,-6:6,-2:-6,2:2,6";
    let drawn = |name: &str, positions: &str| {
        let options = format!("--size 3x2 --samples 4 --sample-shading {positions}");
        render(name, &options, text)
    };
    let placed = drawn("placed.png", standard);
    assert_eq!(drawn("standard.png", ""), placed);
    assert_ne!(
        drawn("corner.png", "--positions=-8,-8:-8,-8:7,7:-8,-8"),
        placed
    );
}

#[test]
fn killed_samples_keep_the_background() {
    // s is below 0 in the left half of the pixel: samples 2 and 3.
    let text = ";! varying i0 = s, 0, 0, 0\nkil i0.x\nmov o1, c0";
    let options = "--size 1x1 --samples 4 --positions=1,0:7,0:-1,0:-8,0 --background 0000ff";
    let set = "--set c0=1,0,0,1";
    let each = format!("{options} --sample-shading {set}");
    assert_eq!(render("half.png", &each, text), "800080\n");
    let once = format!("{options} {set}");
    assert_eq!(render("all.png", &once, text), "ff0000\n");
}

#[test]
fn one_sample_is_what_a_picture_has_without_options() {
    let text = "mov o1, i1";
    let plain = render("plain.png", "--size 5x3", text);
    let one = render("one.png", "--size 5x3 --samples 1 --sample-shading", text);
    assert_eq!(one, plain);
    let moved = render(
        "moved.png",
        "--size 5x3 --sample-shading --positions=7,7",
        text,
    );
    assert_ne!(moved, plain);
}

#[test]
fn the_demo_is_smoother_with_samples_and_the_same_on_all_engines() {
    let drawn = |name: &str, options: &str| {
        let path = scratch(name);
        let options = format!("render --size 60x45 -o {} {options}", path.display());
        let outcome = attila(&options, "");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(!outcome.stdout.contains("DIFFERENT"), "{}", outcome.stdout);
        pixels(&path)
    };
    let plain = drawn("demo-1.png", "");
    assert_ne!(drawn("demo-4.png", "--samples 4"), plain);
}

#[test]
fn samples_that_no_picture_has_are_refused_with_the_limits() {
    expect![[r#"
        error: invalid value '5' for '--samples <N>': a pixel has 1, 2, 4, 8 or 16 samples
    "#]]
    .assert_eq(&format!("{}\n", refused("--samples 5")));
    expect![[r#"
        error: invalid value '0,0:0,8' for '--positions <X,Y:...>': `0,8` is outside of the pixel; both numbers are from -8 to 7
    "#]]
    .assert_eq(&format!("{}\n", refused("--samples 2 --positions=0,0:0,8")));
    expect![[r#"
        error: invalid value '0,0:-900,0' for '--positions <X,Y:...>': `-900,0` is outside of the pixel; both numbers are from -8 to 7
    "#]]
    .assert_eq(&format!(
        "{}\n",
        refused("--samples 2 --positions=0,0:-900,0")
    ));
    expect![[r#"
        error: invalid value '0,0:0.5,0' for '--positions <X,Y:...>': `0.5,0` is not a position; write two whole numbers, like -2,6
    "#]]
    .assert_eq(&format!(
        "{}\n",
        refused("--samples 2 --positions=0,0:0.5,0")
    ));
    expect![[r#"
        error: --positions has 3, --samples 4; write one position for each sample
    "#]]
    .assert_eq(&format!(
        "{}\n",
        refused("--samples 4 --positions=0,0:1,1:2,2")
    ));
    expect![[r#"
        error: --positions has 2, --samples 1; write one position for each sample
    "#]]
    .assert_eq(&format!("{}\n", refused("--positions=0,0:1,1")));
}

#[test]
fn a_bench_says_which_samples_it_draws() {
    let bench = |options: &str| {
        let options = format!("bench - --size 6x4 --time 0 --threads 1 {options}");
        let outcome = attila(&options, "mov o1, i6");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let title = |options: &str| bench(options).lines().next().unwrap().to_owned();
    let beginning = "<stdin>: 1 instruction, 6x4 pixels";
    assert_eq!(title("--sample-shading"), beginning);
    assert_eq!(
        title("--samples 8"),
        format!("{beginning} with 8 samples, shaded together")
    );
    assert_eq!(
        title("--samples 2 --sample-shading"),
        format!("{beginning} with 2 samples, shaded one by one")
    );
    let json: Value = serde_json::from_str(&bench("--samples 4 --json")).unwrap();
    assert_eq!(json["samples"], 4);
    assert_eq!(json["sample_shading"], false);
    assert_eq!(json["identical"], true);
    let wrong = attila("bench - --samples 3", "mov o1, i6");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("1, 2, 4, 8 or 16"),
        "{}",
        wrong.stderr
    );
}
