//! The check that all targets with random cases share.

use attila_conformance::{ByteRng, Dice, Subject, Tally};
use attila_shader::Engine;

/// Makes a case of `bytes`, and compares all engines on it.
///
/// # Panics
///
/// The case has a fault.
pub fn check<S: Subject>(bytes: &[u8], options: &S::Options) {
    let case = S::make(&mut Dice::new(&mut ByteRng::new(bytes)), options);
    if let Err(fault) = case.check(&Engine::all(), &mut Tally::default()) {
        let (report, text) = (fault.report(), case.to_text(&fault.summary));
        panic!("{report}\n\nas a file:\n\n{text}");
    }
}
