//! The programs of `docs/course/`: their pictures, and what its page shows of them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{attila, scratch};

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/course")
}

/// The pages, each with the suffix of the programs on it.
const PAGES: [(&str, &str); 5] = [
    ("attila", "README.md"),
    ("arbfp", "arb.md"),
    ("tgsi", "tgsi.md"),
    ("agal", "agal.md"),
    ("ctm", "ctm.md"),
];

/// The programs of a folder with a suffix, with their texts.
fn programs(folder: &Path, suffix: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == suffix))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no {suffix} in {}", folder.display());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("it can be read");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// The options that a program's comments name, since AGAL has no numbers.
fn options(text: &str) -> String {
    let lines = text.lines().filter_map(|it| it.strip_prefix("// --"));
    lines.map(|it| format!(" --{it}")).collect()
}

fn pixels(path: &Path) -> Vec<u8> {
    let picture = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    picture.to_rgb8().into_raw()
}

/// The picture of a program, which both engines draw.
fn drawn(path: &Path, text: &str) -> Vec<u8> {
    let name = path.file_name().expect("a name").to_string_lossy();
    let parent = path.parent().and_then(Path::file_name).expect("a folder");
    let picture = scratch(&format!("course-{}-{name}.png", parent.to_string_lossy()));
    let outcome = attila(
        &format!(
            "render {} --engine both --size 240x180 -o {}{}",
            path.display(),
            picture.display(),
            options(text)
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
        for (path, text) in programs(&folder, "attila") {
            let stored = path.with_extension("png");
            let drawn = drawn(&path, &text);
            assert!(drawn == pixels(&stored), "{} is another", stored.display());
        }
    }
}

/// Texts without directives compute in a program what the ATTILA program has as its varying, with roundings of their
/// own, and where a language has a root or a power they take it. Few components change by that, and by 1 of 255.
#[test]
fn other_languages_draw_the_same() {
    for (suffix, _) in &PAGES[1..] {
        for (path, text) in programs(&course(), suffix) {
            let drawn = drawn(&path, &text);
            let stored = pixels(&path.with_extension("png"));
            assert_eq!(drawn.len(), stored.len());
            let apart = drawn.iter().zip(&stored).map(|(a, b)| a.abs_diff(*b));
            let (most, others) = apart.fold((0, 0), |(most, others), it| {
                (it.max(most), others + usize::from(it != 0))
            });
            let name = path.display();
            assert!(most <= 1, "{name}: {most} of 255 apart");
            assert!(
                others * 500 < stored.len(),
                "{name}: {others} components are others"
            );
        }
    }
}

#[test]
fn every_step_is_on_its_page_with_a_link() {
    for (suffix, name) in PAGES {
        let page = fs::read_to_string(course().join(name)).expect("the page is there");
        let programs = programs(&course(), suffix);
        for (path, text) in &programs {
            let program = path.file_name().expect("a name").to_string_lossy();
            assert!(
                page.contains(&format!("\n{text}```\n")),
                "{program} is not on {name} as it is"
            );
            let link = format!("(../../web/dist/playground.html#program={program})");
            assert!(page.contains(&link), "{name} has no link to {program}");
        }
        let links = page.matches("#program=").count();
        assert_eq!(links, programs.len(), "{name} has other links");
    }
}

#[test]
fn answers_draw_something_else() {
    for (path, _) in programs(&course(), "attila") {
        let stored = path.with_extension("png");
        let name = stored.file_name().expect("a name");
        let answer = course().join("answers").join(name);
        assert!(pixels(&stored) != pixels(&answer), "{}", answer.display());
    }
}
