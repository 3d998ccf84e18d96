//! Pictures of samplers at work. They were checked by eye, and every engine draws them, to the last bit.
//!
//! Each is a program in `cli/tests/pictures/`, with a PNG beside it. After a change that is meant,
//! `UPDATE_EXPECT=1 cargo test -p attila-cli pictures` draws them anew: look at them.

use std::fs;
use std::path::Path;

use attila_shader::Engine;

use crate::render::pixels;
use crate::{attila, scratch};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures");

/// Draws a program with every engine, and compares.
fn check(name: &str) {
    let expected = Path::new(FOLDER).join(format!("{name}.png"));
    for engine in Engine::all() {
        let engine = engine.name();
        let drawn = scratch(&format!("{name}-{engine}.png"));
        let which = match engine.strip_prefix("jit") {
            Some(bits @ ("128" | "256")) => format!("jit --vectors {bits}"),
            Some(_) | None => engine.to_owned(),
        };
        let options = format!("--engine {which} --size 96x72 -o {}", drawn.display());
        let outcome = attila(&format!("render {FOLDER}/{name}.attila {options}"), "");
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(outcome.stderr, "");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::copy(&drawn, &expected).unwrap();
        }
        let same = pixels(&drawn) == pixels(&expected);
        assert!(
            same,
            "{engine}: {} is not {}",
            drawn.display(),
            expected.display()
        );
    }
}

#[test]
fn a_magnified_image_is_bilinear_or_has_sharp_texels() {
    check("magnified");
}

#[test]
fn a_minified_image_without_levels_loses_what_pixels_miss() {
    check("minified");
}

#[test]
fn a_minified_image_with_levels_is_smooth() {
    check("minified-mips");
}

#[test]
fn a_floor_stays_sharp_with_anisotropy() {
    check("floor");
}

#[test]
fn a_sphere_mirrors_a_cube() {
    check("sphere");
}
