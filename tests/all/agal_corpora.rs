//! Corpora of AGAL programs: ours and those of the reference.

use std::path::Path;

use attila_conformance::agal_corpus;
use attila_shader::Engine;

/// Checks and runs all entries. How many there are, and how many were run.
fn check(path: &str) -> [usize; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let entries = agal_corpus::open(&path).unwrap_or_else(|error| panic!("{error}"));
    let entries = entries.expect("it is a corpus of AGAL programs");
    let mut ran = 0;
    for entry in &entries {
        assert_eq!(entry.check(), [""; 0], "{}", entry.name);
        if let Some(result) = entry.run(&Engine::all()) {
            result.unwrap_or_else(|fault| panic!("{}: {fault}", entry.name));
            ran += 1;
        }
    }
    [entries.len(), ran]
}

#[test]
fn our_programs_keep_their_bytes_and_engines_agree_on_them() {
    assert_eq!(check("tests/corpora/agal"), [3, 2]);
    assert_eq!(check("tests/corpora/agal/verdicts.jsonl"), [4, 0]);
}

#[test]
fn folders_of_other_languages_are_not_corpora_of_agal_programs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/arb");
    assert_eq!(agal_corpus::open(&path).expect("it is there"), None);
}

#[test]
#[ignore = "needs ../shared/agal and ../shared/corpora/agal"]
fn the_programs_of_the_reference_keep_their_bytes_and_engines_agree_on_them() {
    assert_eq!(check("../shared/agal/texts"), [39, 19]);
    assert_eq!(check("../shared/corpora/agal"), [24, 6]);
    assert_eq!(check("../shared/agal/errors.jsonl"), [46, 0]);
}
