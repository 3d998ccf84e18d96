//! Cases with images in their texts: `run` and its relatives take them.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;

use crate::attila;

/// A red texel at units 0, 2, 4 and so on, and a green one at the others.
const TEXELS: &str = "\
;! image 0 d2 rgba8 1 1 1 1
;! texels 0 0 #ff0000ff
;! image 1 d2 rgba8 1 1 1 1
;! texels 1 0 #00ff00ff
tex o1, i6, t0
tex o2, i6, t1
tex o3, i6, t2
tex o4, i6, t15
";

/// The files below a folder of the repository's tests that are programs with images.
fn files_with_images(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests")
        .join(folder);
    let entries = fs::read_dir(folder).expect("the folder is part of the source");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let with_images = paths.filter(|path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        text.contains(";! image ") && !text.contains(";! draw ")
    });
    with_images.collect()
}

#[test]
fn cases_run_with_their_images() {
    for folder in ["cases/texture", "regressions"] {
        let files = files_with_images(folder);
        assert!(!files.is_empty(), "{folder}");
        for path in files {
            let outcome = attila(&format!("run {} --engine all", path.display()), "");
            let agree = "interp, ir and jit agree in every register\n";
            assert_eq!(
                (outcome.code, outcome.stderr.as_str()),
                (0, agree),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn units_after_the_last_image_sample_the_same_images_again() {
    expect![[r#"
        o1     all  1.0           0.0           0.0           1.0
        o2     all  0.0           1.0           0.0           1.0
        o3     all  1.0           0.0           0.0           1.0
        o4     all  0.0           1.0           0.0           1.0
    "#]]
    .assert_eq(&attila("run -", TEXELS).transcript());
}

#[test]
fn an_option_and_a_texture_line_replace_the_image_of_a_unit() {
    let replaced = expect![[r#"
        o1     all  1.0           1.0           1.0           1.0
        o2     all  0.0           1.0           0.0           1.0
        o3     all  1.0           0.0           0.0           1.0
        o4     all  0.0           1.0           0.0           1.0
    "#]];
    replaced.assert_eq(&attila("run - --texture t0=white", TEXELS).transcript());
    let text = format!(";! texture t0 = white\n{TEXELS}");
    replaced.assert_eq(&attila("run -", &text).transcript());
}

#[test]
fn wrong_lines_of_images_are_pointed_out() {
    let text = "\
;! image 0 d2 rgba9 1 1 1 1
;! image 0 d2 rgba8 1 1 1
;! image 1 d2 rgba8 1 1 1 1
;! image 0 d2 rgba8 1 1 1 1 1
tex o1, i6, t0
";
    expect![[r#"
        --- stderr
        error: `rgba9` is not one of a8, a12, a16, l8, l8snorm, l12, l16, l4a4, a4l4, l6a2, l8a8, l8a8snorm, l12a4, l12a12, l16a16, i8, i12, i16, rgb332, rgb444, rgb555, rgb565, rgb888, bgr888, rgb101010, rgb121212, rgba2222, rgba4444, argb4444, argb1555, rgba5551, rgba1010102, rgba8, bgra8, r8, rg8, r16, rg16, rgba16, r16f, rg16f, rgba16f, r32f, rg32f, rgba32f, depth24, depth16, depth32f, r8uint, rg8uint, rgba8uint, r8sint, rg8sint, rgba8sint, r16uint, rg16uint, rgba16uint, r16sint, rg16sint, rgba16sint, r32uint, rg32uint, rgba32uint, r32sint, rg32sint, rgba32sint, dxt1rgb, dxt1rgba, dxt3, dxt5, latc1, latc1snorm, latc2, latc2snorm
          ┌─ <stdin>:1:10
          │
        1 │ ;! image 0 d2 rgba9 1 1 1 1
          │          ^^^^^^^^^^^^^^^^^^

        error: a word is missing
          ┌─ <stdin>:2:10
          │
        2 │ ;! image 0 d2 rgba8 1 1 1
          │          ^^^^^^^^^^^^^^^^

        error: the next image is 0
          ┌─ <stdin>:3:10
          │
        3 │ ;! image 1 d2 rgba8 1 1 1 1
          │          ^^^^^^^^^^^^^^^^^^

        error: `1` is one word too many
          ┌─ <stdin>:4:10
          │
        4 │ ;! image 0 d2 rgba8 1 1 1 1 1
          │          ^^^^^^^^^^^^^^^^^^^^

        --- exit code 1
    "#]].assert_eq(&attila("run -", text).transcript());
}

#[test]
fn wrong_lines_of_texels_and_samplers_are_pointed_out() {
    let text = "\
;! texels 0 0 #00
;! image 0 d2 rgba8 1 1 1 1
;! sampler 0 mag cubic
;! sampler 0 size 3
;! texels 0 0 ff
tex o1, i6, t0
";
    expect![[r#"
        --- stderr
        error: the image has to come before
          ┌─ <stdin>:1:11
          │
        1 │ ;! texels 0 0 #00
          │           ^^^^^^^

        error: `cubic` is not one of nearest, linear
          ┌─ <stdin>:3:12
          │
        3 │ ;! sampler 0 mag cubic
          │            ^^^^^^^^^^^

        error: `size` is not part of a sampler
          ┌─ <stdin>:4:12
          │
        4 │ ;! sampler 0 size 3
          │            ^^^^^^^^

        error: texels are `#` and two digits for each byte
          ┌─ <stdin>:5:11
          │
        5 │ ;! texels 0 0 ff
          │           ^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("run -", text).transcript());
}

#[test]
fn an_image_that_its_sampler_cannot_sample_is_an_error_at_its_line() {
    let text = "\
;! image 0 d2 rgba8 1 1 1 1
;! sampler 0 max_anisotropy 17
tex o1, i6, t0
";
    let said = attila("run -", text).transcript();
    expect![[r#"
        --- stderr
        error: t0: image 0: an anisotropy of 17; it has to be from 1 to 16
          ┌─ <stdin>:1:10
          │
        1 │ ;! image 0 d2 rgba8 1 1 1 1
          │          ^^^^^^^^^^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&said);
    let checked = attila("check -", text).transcript();
    assert_eq!(crate::without_codes(&checked), said);
}

#[test]
fn images_of_a_case_count_towards_the_limit_of_memory() {
    let text = ";! image 0 d2 rgba8 1024 1024 1 1\ntex o1, i6, t0\n";
    assert_eq!(attila("run - --texture-memory 40", text).code, 0);
    expect![[r#"
        --- stderr
        error: t0: image 0: the textures take 21 MiB with this one, and the limit is 4 MiB
          ┌─ <stdin>:1:10
          │
        1 │ ;! image 0 d2 rgba8 1024 1024 1 1
          │          ^^^^^^^^^^^^^^^^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("run - --texture-memory 4", text).transcript());
}
