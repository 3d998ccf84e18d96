//! Folders of programs with an index: our own, and other people's.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::corpus::Corpus;
use attila_conformance::script_test::arb::ArbTest;
use attila_shader::front::arb::ArbStage;

/// Folders with an index, and a folder of shader tests.
pub(super) struct Corpora {
    folders: Vec<PathBuf>,
    shader_tests: PathBuf,
}

/// Our own, which are part of the source.
pub(super) fn own() -> Corpora {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    Corpora {
        folders: vec![tests.join("corpora/arb")],
        shader_tests: tests.join("shader_tests"),
    }
}

/// Other people's, which are not. Only tests that are ignored use them.
pub(super) fn others() -> Corpora {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let folders = ["arb/mesa-demos", "attila", "piglit/asmparser"];
    Corpora {
        folders: folders.map(|name| corpora.join(name)).into(),
        shader_tests: corpora.join("piglit/shader_tests"),
    }
}

impl Corpora {
    /// The folders with an index.
    pub(super) fn open(&self) -> impl Iterator<Item = Corpus> {
        let corpora = self.folders.iter().map(|folder| Corpus::open(folder));
        corpora.map(|corpus| corpus.unwrap_or_else(|error| panic!("{error}")))
    }

    /// All programs that are to be accepted, with the names of their files.
    pub(super) fn programs(&self) -> Vec<(String, String)> {
        let mut programs = Vec::new();
        for corpus in self.open() {
            for entry in &corpus.entries {
                if !entry.class.must_fail && entry.class.skip.is_none() {
                    let text = corpus.text(entry).expect("a listed file is there");
                    programs.push((entry.file.clone(), text));
                }
            }
        }
        for path in shader_tests(&self.shader_tests) {
            let text = fs::read_to_string(&path).expect("the file is text");
            let test = ArbTest::parse(&text).expect("it is a test");
            let stages = [ArbStage::Vertex, ArbStage::Fragment].into_iter();
            let texts = stages.filter_map(|stage| test.program(stage));
            programs.extend(texts.map(|text| (path.display().to_string(), text.to_owned())));
        }
        programs
    }
}

/// The shader tests in a folder and those in it.
fn shader_tests(folder: &Path) -> Vec<PathBuf> {
    let mut tests = Vec::new();
    for entry in fs::read_dir(folder).expect("it is a folder") {
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
