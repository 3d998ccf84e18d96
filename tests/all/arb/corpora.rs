//! Programs that other people wrote, where they are at hand.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::corpus::Corpus;
use attila_conformance::shader_test::ShaderTest;
use attila_shader::Stage;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpora")
        .join(name)
}

/// A folder of the corpora; `None` where there is no such folder.
pub(crate) fn open(folder: &str) -> Option<Corpus> {
    let folder = self::folder(folder);
    if !folder.exists() {
        println!("{} is not there: skipped", folder.display());
        return None;
    }
    Some(Corpus::open(&folder).expect("the index is in order"))
}

/// All programs that are at hand, with the names of their files.
pub(crate) fn programs() -> Vec<(String, String)> {
    let mut programs = Vec::new();
    let folders = ["arb/mesa-demos", "attila", "piglit/asmparser"];
    for corpus in folders.into_iter().filter_map(open) {
        for entry in &corpus.entries {
            if !entry.class.must_fail && entry.class.skip.is_none() {
                let text = corpus.text(entry).expect("a listed file is there");
                programs.push((entry.file.clone(), text));
            }
        }
    }
    for path in shader_tests(&folder("piglit/shader_tests")) {
        let text = fs::read_to_string(&path).expect("the file is text");
        let test = ShaderTest::parse(&text).expect("it is a test");
        let stages = [Stage::Vertex, Stage::Fragment].into_iter();
        let texts = stages.filter_map(|stage| test.program(stage));
        programs.extend(texts.map(|text| (path.display().to_string(), text.to_owned())));
    }
    programs
}

/// The shader tests in a folder and those in it.
fn shader_tests(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        println!("{} is not there: skipped", folder.display());
        return Vec::new();
    };
    let mut tests = Vec::new();
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            tests.extend(shader_tests(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "shader_test")
        {
            tests.push(path);
        }
    }
    tests.sort_unstable();
    tests
}
