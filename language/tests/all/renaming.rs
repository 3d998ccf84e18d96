//! Every symbol of random programs, renamed. `ATTILA_RENAMED` says how many programs.

use attila_conformance::Dice;
use attila_conformance::generate::{Options, generate};
use attila_conformance::texts::LANGUAGES;
use attila_language::{Dialect, Document, RenameError, SymbolKind, apply};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::words;

/// The programs without another number.
const PROGRAMS: usize = 1000;

#[test]
fn every_symbol_of_random_programs_can_be_renamed() {
    let count = std::env::var("ATTILA_RENAMED").ok();
    let count = count.map_or(PROGRAMS, |it| {
        it.parse().expect("ATTILA_RENAMED is a number")
    });
    let mut rng = ChaCha8Rng::seed_from_u64(54);
    let mut renamed = 0;
    for number in 0..count {
        let dice = &mut Dice::new(&mut rng);
        let (word, text) = match LANGUAGES.get(number % (LANGUAGES.len() + 1)) {
            Some(language) => (language.word, (language.generate)(dice)),
            None => {
                let case = generate(dice, &Options::default());
                ("attila", case.program.program().to_string())
            }
        };
        let document = Document::new(&format!("{number}.{word}"), text);
        let program = words(&document);
        assert!(program.iter().flatten().count() > 0, "{}", document.text());
        for symbol in 0..document.symbols().len() {
            renamed += usize::from(rename(&document, symbol));
        }
    }
    assert!(renamed > count, "{renamed} symbols of {count} programs");
}

/// Renames a symbol, and back; `false` if it is one of those that cannot be renamed.
fn rename(document: &Document, number: usize) -> bool {
    let symbol = &document.symbols()[number];
    let part = &document.parts()[symbol.part];
    let is_name = part.dialect == Dialect::Arb || symbol.kind == SymbolKind::Label;
    let numbers = 0..100;
    let letters = symbol.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut names = match is_name {
        true => vec!["other_name".to_owned()],
        false => numbers.map(|number| format!("{letters}{number}")).collect(),
    };
    names.retain(|name| *name != symbol.name);
    let mut refusals = Vec::new();
    for name in names {
        match document.rename(symbol.span.start, &name) {
            Ok(edits) => {
                check(document, number, &name, &apply(document.text(), &edits));
                return true;
            }
            Err(RenameError::Interface(_)) => return false,
            Err(error) => refusals.push(error),
        }
    }
    // A program may have all the temporaries that there are.
    let are_taken =
        |error: &RenameError| matches!(error, RenameError::InUse(_) | RenameError::Changes(_));
    assert!(
        !is_name && refusals.iter().all(are_taken),
        "{}: {refusals:?}\n{}",
        symbol.name,
        document.text()
    );
    false
}

/// The text with another name is the same program, in which a register has that number; with the old name it is the
/// same text.
fn check(document: &Document, number: usize, name: &str, changed: &str) {
    let symbol = &document.symbols()[number];
    let old = document.text();
    let part = &document.parts()[symbol.part];
    let suffix = match part.dialect {
        Dialect::Assembly => ".attila",
        Dialect::Arb => ".arb",
        Dialect::Tgsi => ".tgsi",
        Dialect::Agal => ".agal",
        Dialect::Ctm => ".ctm",
    };
    let changed = Document::new(suffix, changed.to_owned());
    let is_name = part.dialect == Dialect::Arb || symbol.kind == SymbolKind::Label;
    if is_name {
        assert_eq!(words(&changed), words(document), "{}: {old}", symbol.name);
    } else if part.dialect == Dialect::Assembly {
        let [before, after] = [document, &changed].map(|it| {
            let program = it.parts()[symbol.part].program.as_ref();
            program.expect("it is a program").program().to_string()
        });
        assert_eq!(after, replaced(&before, &symbol.name, name), "{old}");
    }
    let back = changed.rename(changed.symbols()[number].span.start, &symbol.name);
    let back = back.unwrap_or_else(|error| panic!("{name} of {}: {error}\n{old}", symbol.name));
    assert_eq!(apply(changed.text(), &back), old);
}

/// A text with another word in place of one.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let pieces = text.split_inclusive(|c: char| !c.is_alphanumeric());
    let pieces = pieces.map(|piece| match piece.strip_prefix(old) {
        Some(rest) if !rest.starts_with(char::is_alphanumeric) => format!("{new}{rest}"),
        Some(_) | None => piece.to_owned(),
    });
    pieces.collect()
}
