//! Functions in files: `*.ir` beside this one. Each file has
//!
//! ```text
//! ; comments
//! passes: dead, sink              the passes to run, by the names that `pass` gives them
//! i0.x = 1.0 2.0 3.0 4.0          what the first quad starts with, where that matters
//! == function
//! == expected                     the function after all passes
//! == values                       the slots that the first quad has written, in records
//! ```
//!
//! The function is evaluated before and after every pass. Every emitter compiles it as it was and as it
//! has become. The results for all quads have to be the same. `UPDATE_EXPECT=1` writes the
//! last two parts.

mod elements;
mod language;
pub(crate) mod plain;
mod scene;
pub(crate) mod sides;
mod world;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use super::Function;
use super::parse::parse;
use super::pass::{PASSES, Pass};
use super::table::NAMES;
use crate::EmitterKind;
use crate::abi::{RecordLayout, Slot};
use crate::emit::Source;
use crate::emit::tests::{Machine, machines};
use crate::target::Cpu;
use world::World;

/// Quads that every function is run for: more than two iterations of one vector.
const QUADS: usize = 11;

/// A file.
struct Case {
    name: String,
    /// Everything before the expected parts.
    given: String,
    passes: Vec<(String, Pass)>,
    starts: Vec<(Slot, [u32; 4])>,
    function: Function,
}

impl Case {
    fn read(path: &Path) -> Case {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let given = text.split("== expected").next().unwrap_or_default();
        let parts = given.split_once("== function");
        let (header, function) = parts.unwrap_or_else(|| panic!("{name} has no function"));
        let function = parse(function).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut case = Case {
            name,
            given: given.trim_end().to_owned(),
            passes: Vec::new(),
            starts: Vec::new(),
            function,
        };
        header.lines().for_each(|line| case.header(line));
        case
    }

    fn header(&mut self, line: &str) {
        let line = line.split(';').next().unwrap_or_default().trim();
        if let Some(passes) = line.strip_prefix("passes:") {
            for name in passes.split(',').map(str::trim) {
                let pass = PASSES.into_iter().find(|(known, _)| *known == name);
                let (_, pass) = pass.unwrap_or_else(|| panic!("{}: pass `{name}`", self.name));
                self.passes.push((name.to_owned(), pass));
            }
        } else if let Some((slot, words)) = line.split_once('=') {
            let start = world::start(slot.trim(), words);
            let start = start.unwrap_or_else(|| panic!("{}: `{line}`", self.name));
            self.starts.push(start);
        } else {
            assert_eq!(line, "", "{}", self.name);
        }
    }

    /// The worlds of all quads, before they are run.
    fn worlds(&self) -> Vec<World> {
        let mut worlds: Vec<World> = (0..QUADS).map(World::new).collect();
        for &(slot, words) in &self.starts {
            worlds[0].put(slot, words);
        }
        worlds
    }

    fn assert_same(&self, expected: &Outcome, actual: &Outcome, by: &str) {
        if let Some(difference) = difference(expected, actual) {
            panic!("{}, {by}, {difference}", self.name);
        }
    }

    fn check_emitters(&self, function: &Function, expected: &Outcome, stage: &str) {
        let straight = function.is_straight_line();
        let guarded = function.guarded().is_some();
        for quads in 1..=4 {
            for machine in machines(function) {
                // Side by side, quads with nothing to do are with others.
                if quads > 1 && !straight && !(guarded && machine.quads() > 1) {
                    continue;
                }
                let quads = quads * machine.quads();
                let actual = outcome(function, machine, quads, self.worlds());
                let by = format!("{stage}, {machine:?}, {quads} quads");
                self.assert_same(expected, &actual, &by);
            }
        }
    }

    /// Runs the whole case, and returns the file as it should be.
    fn run(&self) -> String {
        let before = evaluated(&self.function, self.worlds());
        self.check_emitters(&self.function, &before, "as it is");
        let mut function = self.function.clone();
        for (name, pass) in &self.passes {
            pass(&mut function);
            function.verify();
            let after = evaluated(&function, self.worlds());
            self.assert_same(&before, &after, name);
        }
        self.check_emitters(&function, &before, "after all passes");
        let mut text = format!("{}\n== expected\n{function}== values\n", self.given);
        for (name, words) in self.values(before) {
            let _ = writeln!(text, "{name} = {}", words.join(" "));
        }
        text
    }

    /// The words that the first quad has written, by name.
    fn values(&self, outcome: Outcome) -> Vec<(String, [String; 4])> {
        match outcome {
            Outcome::Records(worlds) => {
                let changes = self.worlds()[0].changes(&worlds[0]).into_iter();
                let text = |(slot, words): (Slot, [u32; 4])| {
                    let words = words.map(|word| world::word(word, slot.ty()));
                    (slot.to_string(), words)
                };
                changes.map(text).collect()
            }
            Outcome::Drawn(memory) => {
                let words = scene::values(&self.function, &memory).into_iter();
                let text = |word: u32| format!("{word:08x}");
                words
                    .map(|(pixels, words)| (pixels.to_string(), words.map(text)))
                    .collect()
            }
            Outcome::Mapped(written) => {
                let words = elements::values(&self.function, &written).into_iter();
                let text = |word: u32| format!("{word:08x}");
                words
                    .map(|(column, words)| (column.to_string(), words.map(text)))
                    .collect()
            }
            Outcome::SpentBudget => panic!("{} does not end", self.name),
        }
    }
}

/// All quads after a run.
enum Outcome {
    Records(Vec<World>),
    /// The surfaces of a draw.
    Drawn(scene::Memory),
    /// The columns of a map.
    Mapped(elements::Written),
    /// A lane used up its loop budget.
    SpentBudget,
}

/// The outcome of the evaluator.
fn evaluated(function: &Function, worlds: Vec<World>) -> Outcome {
    let evaluator = Machine::Of(EmitterKind::Evaluator, Cpu::Host);
    outcome(function, evaluator, 1, worlds)
}

/// The outcome of code that an emitter has made of the function.
fn outcome(function: &Function, machine: Machine, quads: usize, worlds: Vec<World>) -> Outcome {
    let emit = |layout| {
        machine.emit(&Source {
            function,
            layout,
            quads,
        })
    };
    if elements::is_map(function) {
        let mapped = elements::mapped(&*emit(RecordLayout::Columns));
        return mapped.map_or(Outcome::SpentBudget, Outcome::Mapped);
    }
    if scene::is_draw(function) {
        let drawn = scene::drawn(function, &*emit(RecordLayout::Draw));
        return drawn.map_or(Outcome::SpentBudget, Outcome::Drawn);
    }
    World::run(worlds, &*emit(RecordLayout::State))
}

/// The first difference between two outcomes.
fn difference(expected: &Outcome, actual: &Outcome) -> Option<String> {
    match (expected, actual) {
        (Outcome::SpentBudget, Outcome::SpentBudget) => None,
        (Outcome::Records(expected), Outcome::Records(actual)) => {
            let mut pairs = expected.iter().zip(actual).enumerate();
            pairs.find_map(|(n, (expected, actual))| {
                let difference = expected.difference(actual)?;
                Some(format!("quad {n}: {difference}"))
            })
        }
        (Outcome::Mapped(expected), Outcome::Mapped(actual)) => {
            (expected != actual).then(|| format!("{actual:?}, not {expected:?}"))
        }
        (Outcome::Drawn(expected), Outcome::Drawn(actual)) => {
            let mut surfaces = expected.iter().zip(actual).enumerate();
            surfaces.find_map(|(surface, (expected, actual))| {
                let place = expected.iter().zip(actual).position(|(a, b)| a != b)?;
                let [expected, actual] = [expected[place], actual[place]];
                Some(format!(
                    "byte {place} of surface {surface}: {actual}, not {expected}"
                ))
            })
        }
        (_, _) => Some("one of them used up its loop budget".to_owned()),
    }
}

#[test]
fn every_operation_is_in_a_file() {
    let functions: Vec<Function> = files()
        .iter()
        .map(|path| Case::read(path).function)
        .collect();
    let is_used = |name: &str| {
        let mut nodes = functions.iter().flat_map(|function| &function.nodes);
        nodes.any(|node| node.op.row().name == name)
    };
    assert_eq!(NAMES.iter().find(|name| !is_used(name)), None);
    let mut names = NAMES.iter().enumerate();
    let twice = names.find(|&(n, name)| NAMES[..n].contains(name));
    assert_eq!(twice, None, "names are different");
}

/// The functions of all files, as they are and after their passes.
pub(crate) fn functions() -> Vec<(String, Function)> {
    let mut functions = Vec::new();
    for path in files() {
        let case = Case::read(&path);
        let mut after = case.function.clone();
        case.passes.iter().for_each(|(_, pass)| pass(&mut after));
        functions.push((case.name.clone(), case.function));
        functions.push((case.name, after));
    }
    functions
}

/// The records that a function of a file works on.
pub(crate) fn layout(function: &Function) -> RecordLayout {
    if scene::is_draw(function) {
        RecordLayout::Draw
    } else if elements::is_map(function) {
        RecordLayout::Columns
    } else {
        RecordLayout::State
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ir/tests");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "ir"))
        .collect();
    files.sort();
    files
}

#[test]
fn passes_and_emitters_keep_the_results_of_every_file() {
    for path in files() {
        expect_file![&path].assert_eq(&Case::read(&path).run());
    }
}
