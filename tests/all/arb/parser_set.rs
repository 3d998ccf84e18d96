//! Verdicts on programs: which texts a loader accepts, and which it rejects.

use attila_conformance::corpus::{Corpus, Refusal};

use super::corpora::{Corpora, others, own};

/// Compares every file's verdict, with both kinds of line ends. Counts the files that are accepted and those that are
/// rejected.
fn check(corpora: &Corpora) -> [usize; 2] {
    let mut counts = [0; 2];
    for corpus in corpora.open() {
        let counted = corpus.entries.iter().filter(|it| it.class.skip.is_none());
        for entry in counted {
            counts[usize::from(entry.class.must_fail)] += 1;
        }
        let wrong = wrong(&corpus);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
    counts
}

/// The verdicts that are not those of the index.
fn wrong(corpus: &Corpus) -> Vec<String> {
    let mut wrong = Vec::new();
    let counted = corpus.entries.iter().filter(|it| it.class.skip.is_none());
    for entry in counted {
        let length = corpus.text(entry).expect("a listed file is there").len();
        let verdicts = corpus.check(entry).expect("a listed file is there");
        for (_, refusal) in &verdicts.refusals {
            if let Some(Refusal::Program(error)) = refusal {
                // CR LF at most doubles the length.
                assert!(error.position() <= 2 * length);
            }
        }
        let said = verdicts.wrong();
        wrong.extend(said.map(|verdict| format!("{}: {verdict:?}", entry.file)));
    }
    wrong
}

#[test]
fn our_programs_are_accepted_and_rejected_as_the_index_says() {
    assert_eq!(check(&own()), [8, 9]);
}

#[test]
fn a_verdict_that_is_not_that_of_the_index_is_noticed() {
    for mut corpus in own().open() {
        for entry in &mut corpus.entries {
            entry.class.must_fail ^= true;
        }
        // Each file twice, by its line ends.
        assert_eq!(wrong(&corpus).len(), 2 * (8 + 9));
    }
}

#[test]
#[ignore = "needs ../shared/corpora"]
fn programs_of_other_people_are_accepted_and_rejected_as_the_index_says() {
    let [accepted, rejected] = check(&others());
    println!("{accepted} programs accepted, {rejected} rejected");
    assert!(accepted > 0 && rejected > 0);
}
