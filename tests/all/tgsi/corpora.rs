//! Folders of texts: which are accepted, and whether they survive every form and run the same on every engine.

use std::fs;
use std::path::{Path, PathBuf};

use attila_conformance::corpus::{Corpus, Trial};
use attila_conformance::round_trip;
use attila_conformance::script_test::tgsi::TgsiTest;
use attila_conformance::texts;
use attila_shader::Engine;
use attila_shader::front::tgsi::{self, Options, Processor};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Checks and runs a folder with an index. Counts the files that are accepted, those of them that are compared, and
/// those that are rejected.
fn check(folder: &Path) -> [usize; 3] {
    let corpus = Corpus::open(folder).unwrap_or_else(|error| panic!("{error}"));
    let engines = Engine::all();
    let mut counts = [0; 3];
    for entry in &corpus.entries {
        let file = &entry.file;
        let verdicts = corpus.check(entry).expect("a listed file is there");
        assert!(verdicts.agree(), "{file}: {verdicts:?}");
        if entry.class.must_fail {
            counts[2] += 1;
            continue;
        }
        counts[0] += 1;
        match corpus.run(entry, &engines).expect("it is there") {
            Trial::Passed => counts[1] += 1,
            Trial::Unspecified => {}
            Trial::Refused => panic!("{file}: refused"),
            Trial::Failed(fault) => panic!("{file}: {}", fault.report()),
        }
    }
    counts
}

#[test]
fn our_texts_are_accepted_and_rejected_as_the_index_says_and_run() {
    // Doubles depend on the payload of a NaN, as their halves are words.
    assert_eq!(check(&folder("tests/corpora/tgsi")), [12, 11, 8]);
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi"]
fn texts_of_the_first_drivers_are_accepted_and_run() {
    let [accepted, compared, rejected] = check(&folder("../shared/corpora/tgsi/graw"));
    assert_eq!([accepted, compared, rejected], [29, 29, 0]);
}

/// Checks all forms of a text's translation; false if it is refused.
fn survives(name: &str, text: &str, options: &Options) -> bool {
    match tgsi::compile(text, options) {
        Ok(translation) => {
            let survives = round_trip(&translation.program);
            survives.unwrap_or_else(|what| panic!("{name}: {what}"));
            true
        }
        Err(error) => {
            let message = &error.diagnostics[0].message;
            assert!(message.contains("not supported"), "{name}: {message}");
            false
        }
    }
}

#[test]
fn texts_that_are_built_in_survive_every_form() {
    for text in texts::tgsi::PROGRAMS {
        assert!(survives("built in", text, &Options::default()));
    }
}

/// Counts the texts in a folder of tests: those that are translated, and those that are refused.
fn count(folder: &Path) -> [usize; 2] {
    let mut counts = [0; 2];
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("it can be read").path();
        if path.extension().is_none_or(|it| it != "tgsi_test") {
            continue;
        }
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).expect("it is text");
        let test = TgsiTest::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let options = Options {
            dialect: Some(test.dialect),
            ..Options::default()
        };
        let texts = Processor::ALL.iter().filter_map(|it| test.program(*it));
        for text in texts {
            counts[usize::from(!survives(&name, text, &options))] += 1;
        }
    }
    counts
}

#[test]
fn texts_of_tests_survive_every_form() {
    assert_eq!(count(&folder("tests/tgsi_tests"))[1], 0);
}

#[test]
#[ignore = "needs ../shared/corpora/tgsi"]
#[expect(clippy::print_stdout, reason = "tests say what they counted")]
fn texts_of_the_reference_survive_every_form() {
    let [translated, refused] = count(&folder("../shared/corpora/tgsi/cases"));
    println!("{translated} texts are translated, {refused} refused");
    assert!(translated > 1000 && refused < 200);
}
