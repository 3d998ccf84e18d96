//! The programs of `docs/course/`: their pictures, and what its page shows of them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{attila, scratch};

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/course")
}

/// The programs of a folder, with their texts.
fn programs(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_program = |path: &PathBuf| {
        let suffix = path.extension().and_then(|it| it.to_str());
        matches!(suffix, Some("attila" | "arbfp" | "tgsi"))
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_program).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("it can be read");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

fn pixels(path: &Path) -> Vec<u8> {
    let picture = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    picture.to_rgb8().into_raw()
}

/// The picture of a program, which both engines draw.
fn drawn(path: &Path) -> Vec<u8> {
    let name = path.file_name().expect("a name").to_string_lossy();
    let parent = path.parent().and_then(Path::file_name).expect("a folder");
    let picture = scratch(&format!("course-{}-{name}.png", parent.to_string_lossy()));
    let outcome = attila(
        &format!(
            "render {} --engine both --size 240x180 -o {}",
            path.display(),
            picture.display()
        ),
        "",
    );
    assert_eq!((outcome.code, &*outcome.stderr), (0, ""), "{name}");
    let pixels = pixels(&picture);
    let stored = path.with_extension("png");
    if env::var_os("UPDATE_EXPECT").is_some() && path.extension().is_some_and(|it| it == "attila") {
        fs::copy(&picture, &stored).expect("it can be written");
    }
    pixels
}

#[test]
fn pictures_are_those_of_the_page() {
    for folder in [course(), course().join("answers")] {
        for (path, _) in programs(&folder) {
            let stored = path.with_extension("png");
            let drawn = drawn(&path);
            assert!(drawn == pixels(&stored), "{} is another", stored.display());
        }
    }
}

#[test]
fn every_step_is_on_the_page_and_its_answer_draws_something_else() {
    let page = fs::read_to_string(course().join("README.md")).expect("the page is there");
    for (path, text) in programs(&course()) {
        assert!(
            page.contains(&text),
            "{} is not on the page as it is",
            path.display()
        );
        if path.extension().is_some_and(|it| it == "attila") {
            let answer = course()
                .join("answers")
                .join(path.file_name().expect("a name"));
            assert!(drawn(&path) != drawn(&answer), "{}", answer.display());
        }
    }
}
