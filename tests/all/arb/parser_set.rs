//! Programs that other people wrote to find out what a parser takes.

use attila_conformance::corpus::Refusal;

use super::corpora::open;

/// Compares every file's verdict, with both kinds of line ends.
fn check(folder: &str) {
    let Some(corpus) = open(folder) else {
        return;
    };
    let mut wrong = Vec::new();
    let counted = corpus.entries.iter().filter(|it| it.class.skip.is_none());
    for entry in counted.clone() {
        let length = corpus.text(entry).expect("a listed file is there").len();
        let verdicts = corpus.check(entry).expect("a listed file is there");
        for (_, refusal) in &verdicts.refusals {
            if let Some(Refusal::Program(error)) = refusal {
                // CR LF at most doubles the length.
                assert!(error.position() <= 2 * length);
            }
        }
        wrong.extend(
            verdicts
                .wrong()
                .map(|verdict| (&entry.file, verdict.clone())),
        );
    }
    println!("{folder}: {} of {}", counted.count(), corpus.entries.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_parser_set_agrees_where_no_vendor_option_is_needed() {
    check("piglit/asmparser");
}

#[test]
fn the_demos_are_programs() {
    check("arb/mesa-demos");
    check("attila");
}
