//! Citations in comments and documentation: each names a section or a decision that exists.
//!
//! A citation is a page and numbers of its sections, as in "machine.md 3.2", "machine.md 5.3, 5.4 and 5.5" or
//! "[numerics.md](numerics.md#6-nan) 6", or the id of a row of `docs/differences.md`, as in "D16" or "T05".

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A section that does not exist, outside of a comment.
const UNKNOWN_SECTION: &str = "machine.md 9.9";
/// A decision that does not exist.
const UNKNOWN_DECISION: &str = "D99";

#[test]
fn every_citation_names_a_section_or_a_decision_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let book = Book::read(root);
    let (mut found, mut wrong) = (0, Vec::new());
    for path in sources(root) {
        let text = fs::read_to_string(&path).expect("sources are text");
        for citation in citations(&text, is_rust(&path)) {
            found += 1;
            if !book.has(&citation.to) {
                let name = path.strip_prefix(root).expect("it is below").display();
                wrong.push(format!("{name}:{}: {:?}", citation.line, citation.to));
            }
        }
    }
    assert!(wrong.is_empty(), "cited but missing:\n{}", wrong.join("\n"));
    // The rows of differences.md alone are more.
    assert!(found > 50, "only {found} citations found");
}

#[test]
fn citations_of_missing_sections_decisions_and_pages_are_found() {
    let book = Book::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    let missing = |text: &str| -> Vec<usize> {
        let wrong = citations(text, true).filter(|citation| !book.has(&citation.to));
        wrong.map(|citation| citation.line).collect()
    };
    let slashes = "//";
    let comment = |text: &str| format!("code();\ncode(); {slashes} {text}\ncode();");
    let none: [usize; 0] = [];
    assert_eq!(missing(&comment("machine.md 1.1, D16 and T05")), none);
    assert_eq!(missing(&comment(UNKNOWN_SECTION)), [2]);
    assert_eq!(missing(&comment(UNKNOWN_DECISION)), [2]);
    assert_eq!(missing(&comment(&format!("`docs/{UNKNOWN_SECTION}`"))), [2]);
    let split = UNKNOWN_SECTION.replace(' ', &format!("\n{slashes}/ "));
    assert_eq!(missing(&comment(&split)), [2], "over the end of a line");
    let listed = UNKNOWN_SECTION.replace("9.9", "1.1, 1.2 and 9.9");
    assert_eq!(missing(&comment(&listed)), [2], "the last of several");
    let section = UNKNOWN_SECTION.replace("9.9", "section 9");
    assert_eq!(missing(&comment(&section)), [2], "a section in words");
    let other = UNKNOWN_SECTION.replace("machine", "isa");
    assert_eq!(missing(&comment(&other)), [2], "a page without numbers");
    let anchor = UNKNOWN_SECTION.replace(" 9.9", "#99-nothing");
    assert_eq!(missing(&comment(&anchor)), [2], "an anchor");
    assert_eq!(missing(UNKNOWN_SECTION), none, "not in a comment");
}

#[test]
fn links_between_pages_lead_to_the_same_sections_in_the_documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("it is part of the source");
    let (modules, links) = (read("src/docs.rs"), read("src/docs/links.md"));
    let (_, list) = modules.split_once("pages! {").expect("it lists the pages");
    let pages = list.lines().filter_map(|line| line.strip_suffix(';'));
    for page in pages.map(str::trim) {
        let text = read(&format!("docs/{page}.md"));
        // Only definitions can be replaced by those in front of the page.
        assert!(!text.contains("]("), "{page}.md has a link with its target");
        for (label, file) in text.lines().filter_map(|line| line.split_once("]: ")) {
            let module = file.replacen(".md", "", 1);
            let expected = match file.starts_with("../") {
                true => format!("{label}]: crate::"),
                false => format!("{label}]: crate::docs::{module}\n"),
            };
            assert!(links.contains(&expected), "{page}.md: {expected}");
        }
    }
}

/// The section, heading or row that a citation names.
#[derive(Debug)]
enum Cited {
    /// A numbered section of a page.
    Section { page: String, number: String },
    /// A heading of a page, as in a link.
    Anchor { page: String, anchor: String },
    /// A row of `docs/differences.md`.
    Decision(String),
}

struct Citation {
    /// From 1.
    line: usize,
    to: Cited,
}

/// Everything that can be cited.
struct Book {
    root: PathBuf,
    decisions: BTreeSet<String>,
}

impl Book {
    fn read(root: &Path) -> Book {
        let differences = root.join("docs/differences.md");
        let text = fs::read_to_string(differences).expect("the page is part of the source");
        let cells = text.lines().filter_map(|line| line.split('|').nth(1));
        let ids = cells.map(str::trim).filter(|cell| is_decision(cell));
        Book {
            root: root.to_owned(),
            decisions: ids.map(str::to_owned).collect(),
        }
    }

    fn has(&self, target: &Cited) -> bool {
        match target {
            Cited::Decision(id) => self.decisions.contains(id),
            Cited::Section { page, number } => {
                let is_it = |title: &str| title.split(' ').next() == Some(number);
                self.headings(page).iter().any(|title| is_it(title))
            }
            Cited::Anchor { page, anchor } => {
                let headings = self.headings(page);
                headings.iter().any(|title| slug(title) == *anchor)
            }
        }
    }

    /// The headings of a page; empty if there is no page of that name.
    fn headings(&self, page: &str) -> Vec<String> {
        let places = [self.root.join("docs"), self.root.clone()];
        let texts = places.map(|place| fs::read_to_string(place.join(page)));
        let text = texts.into_iter().flatten().next().unwrap_or_default();
        let headings = text.lines().filter(|line| line.starts_with('#'));
        let titles = headings.map(|line| line.trim_start_matches('#').trim());
        titles.map(str::to_owned).collect()
    }
}

/// A heading as links name it.
fn slug(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// All files below `folder` that may cite.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.');
        if entry.file_type().expect("it has a type").is_dir() {
            if !hidden && name != "target" && name != "node_modules" {
                files.extend(sources(&path));
            }
        } else if is_rust(&path) || path.extension().is_some_and(|ext| ext == "md") {
            files.push(path);
        }
    }
    files
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ext| ext == "rs")
}

/// A word, with its line from 1 and the text between it and the word before.
struct Word<'a> {
    line: usize,
    gap: String,
    text: &'a str,
}

/// The words of a text, of its comments only if it is Rust. A line without a comment is a long gap.
fn words(text: &str, rust: bool) -> Vec<Word<'_>> {
    let in_word = |c: char| c.is_alphanumeric() || "_.#-".contains(c);
    let mut words = Vec::new();
    let mut gap = String::new();
    for (index, line) in text.lines().enumerate() {
        let comment = match line.split_once("//") {
            Some((_, comment)) if rust => comment.trim_start_matches(['/', '!']),
            None if rust => "\n",
            Some(_) | None => line,
        };
        let mut rest = comment;
        while let Some(start) = rest.find(in_word) {
            gap += &rest[..start];
            rest = &rest[start..];
            let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            let text = rest[..end].trim_end_matches(['.', '-']);
            let gap_before = std::mem::take(&mut gap);
            words.push(Word {
                line: index + 1,
                gap: gap_before,
                text,
            });
            gap += &rest[text.len()..end];
            rest = &rest[end..];
        }
        gap += rest;
        gap.push(' ');
    }
    words
}

/// The citations of a text.
fn citations(text: &str, rust: bool) -> impl Iterator<Item = Citation> {
    let words = words(text, rust);
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let mut cite = |line, to| found.push(Citation { line, to });
        if is_decision(word.text) {
            cite(word.line, Cited::Decision(word.text.to_owned()));
        }
        let (name, anchor) = match word.text.split_once('#') {
            Some((name, anchor)) => (name, Some(anchor)),
            None => (word.text, None),
        };
        if !name.ends_with(".md") {
            continue;
        }
        let page = name.to_owned();
        if let Some(anchor) = anchor {
            let (page, anchor) = (page.clone(), anchor.to_owned());
            cite(word.line, Cited::Anchor { page, anchor });
        }
        for number in section_numbers(&words[index + 1..]) {
            let (page, number) = (page.clone(), number.to_owned());
            cite(word.line, Cited::Section { page, number });
        }
    }
    found.into_iter()
}

/// The numbers that follow a page: one, and more of them with a dot after commas, "and" or "to".
fn section_numbers<'a>(words: &[Word<'a>]) -> Vec<&'a str> {
    let mut numbers = Vec::new();
    for word in words {
        // After a page, its name may end a link or a piece of code.
        let joined = word.gap.chars().all(|c| " ,)]`".contains(c));
        let more = numbers.is_empty() && !word.gap.contains(',') || word.text.contains('.');
        match word.text {
            "section" | "sections" | "and" | "to" if joined => {}
            number if joined && more && is_section(number) => numbers.push(number),
            _ => break,
        }
    }
    numbers
}

/// `3` or `3.2`.
fn is_section(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    word.split('.').count() <= 2 && word.split('.').all(is_number)
}

/// The dialects of TGSI, whose names look like those of decisions.
const DIALECTS: [&str; 2] = ["T10", "T23"];

/// `D16` or `T05`.
fn is_decision(word: &str) -> bool {
    if DIALECTS.contains(&word) {
        return false;
    }
    let number = word.strip_prefix(['D', 'T']).unwrap_or_default();
    number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit())
}
