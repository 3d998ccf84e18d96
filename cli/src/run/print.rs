//! Registers as tables, as JSON, and where two runs differ.

use std::io::{self, Write};

use attila_conformance::columns::Columns;
use attila_shader::isa::{Bank, Usage};
use attila_shader::machine::{LANES, Lanes, Meaning, QuadState, StateKind, StateName};
use serde_json::{Value, json};

/// A register, or something like one, of a quad.
struct Row {
    name: StateName,
    lanes: Lanes<Vec<u32>>,
}

impl Row {
    fn title(&self) -> String {
        match self.name {
            StateName::Depth(sample) => format!("depth{sample}"),
            StateName::Accumulator(c) => format!("acc.{}", c.letter()),
            StateName::Register(_)
            | StateName::Predicate(_)
            | StateName::Kill
            | StateName::Sample
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => self.name.to_string(),
        }
    }

    fn meaning(&self) -> Meaning {
        self.name.meaning()
    }

    fn is_zero(&self) -> bool {
        self.lanes.iter().flatten().all(|word| *word == 0)
    }
}

/// Every row that a quad has: results first.
fn rows(quad: &QuadState) -> Vec<Row> {
    let names = StateKind::CHANGED.into_iter().flat_map(StateKind::names);
    let row = |name: StateName| Row {
        name,
        lanes: std::array::from_fn(|lane| name.values(quad, lane)),
    };
    names.map(row).collect()
}

/// Which registers are shown, and how.
pub(super) struct Shown<'a> {
    /// The registers that the program writes.
    pub(super) usage: &'a Usage,
    /// Show every register that is not 0.
    pub(super) all: bool,
    /// Show raw words.
    pub(super) hex: bool,
}

impl Shown<'_> {
    fn rows(&self, quad: &QuadState) -> Vec<Row> {
        let mut rows = rows(quad);
        rows.retain(|row| self.is_result(row) || self.all && !row.is_zero());
        rows
    }

    fn is_result(&self, row: &Row) -> bool {
        match row.name {
            StateName::Kill => self.usage.kills,
            StateName::Depth(_) => self.usage.exports_depth && !row.is_zero(),
            StateName::Register(reg) if reg.bank() == Bank::Output => {
                !self.usage.outputs[reg.index()].is_empty()
            }
            StateName::Register(_)
            | StateName::Predicate(_)
            | StateName::Sample
            | StateName::Accumulator(_)
            | StateName::SampleCount
            | StateName::Coverage
            | StateName::OwnSample
            | StateName::Position(_) => false,
        }
    }

    /// Prints a table per quad. Lanes that are all equal share a line.
    pub(super) fn table(&self, out: &mut dyn Write, quads: &[QuadState]) -> io::Result<()> {
        for (index, quad) in quads.iter().enumerate() {
            if quads.len() > 1 {
                writeln!(out, "quad {index}")?;
            }
            let columns = Columns::default().left(5).right(3);
            let columns = columns.left(12).left(12).left(12).left(12);
            let rows: Vec<Vec<String>> = self
                .rows(quad)
                .iter()
                .flat_map(|row| self.lines(row))
                .collect();
            out.write_all(columns.table(&rows).as_bytes())?;
        }
        Ok(())
    }

    /// The lines of a register: its name, the lane, and the words.
    fn lines(&self, row: &Row) -> Vec<Vec<String>> {
        let alike = row.lanes.iter().all(|lane| *lane == row.lanes[0]);
        let count = if alike { 1 } else { LANES };
        let line = |lane: usize| {
            let name = if lane == 0 {
                row.title()
            } else {
                String::new()
            };
            let number = if alike {
                "all".to_owned()
            } else {
                lane.to_string()
            };
            let words = row.lanes[lane].iter();
            let words = words.map(|word| word_text(row.meaning(), *word, self.hex));
            [name, number].into_iter().chain(words).collect()
        };
        (0..count).map(line).collect()
    }

    /// Prints `{"engine": …, "quads": [{"o1": [[x, y, z, w], …], …}, …]}`: a value per lane.
    pub(super) fn json(
        &self,
        out: &mut dyn Write,
        engine: &str,
        quads: &[QuadState],
    ) -> io::Result<()> {
        let quads: Vec<Value> = quads.iter().map(|quad| self.quad_json(quad)).collect();
        writeln!(out, "{}", json!({ "engine": engine, "quads": quads }))
    }

    fn quad_json(&self, quad: &QuadState) -> Value {
        let value = |meaning, words: &Vec<u32>| match words[..] {
            [only] => word_json(meaning, only, self.hex),
            _ => words
                .iter()
                .map(|word| word_json(meaning, *word, self.hex))
                .collect(),
        };
        let lanes = |row: &Row| -> Value {
            let lanes = row.lanes.iter().map(|words| value(row.meaning(), words));
            lanes.collect()
        };
        let rows = self.rows(quad);
        rows.iter().map(|row| (row.title(), lanes(row))).collect()
    }
}

/// A word as people read it.
pub(super) fn float_text(word: u32, hex: bool) -> String {
    word_text(Meaning::Float, word, hex)
}

fn word_text(meaning: Meaning, word: u32, hex: bool) -> String {
    if hex {
        return format!("0x{word:08x}");
    }
    match meaning {
        Meaning::Float => format!("{:?}", f32::from_bits(word)),
        Meaning::Integer => word.cast_signed().to_string(),
        Meaning::Truth => (word != 0).to_string(),
        Meaning::Samples => format!("{word:04x}"),
        Meaning::Fixed | Meaning::Offset => format!("0x{word:08x}"),
    }
}

fn word_json(meaning: Meaning, word: u32, hex: bool) -> Value {
    let text = || Value::String(word_text(meaning, word, hex));
    match meaning {
        _ if hex => text(),
        // The shortest digits that mean this f32, not the longer ones of the same f64.
        Meaning::Float => match format!("{:?}", f32::from_bits(word)).parse::<f64>() {
            Ok(number) if number.is_finite() => json!(number),
            Ok(_) | Err(_) => Value::String(text().as_str().unwrap_or_default().to_lowercase()),
        },
        Meaning::Integer => json!(word.cast_signed()),
        Meaning::Truth => json!(word != 0),
        Meaning::Samples | Meaning::Fixed | Meaning::Offset => text(),
    }
}

/// The registers in which two runs differ, in words. All NaNs are equal, except where integers or
/// truth values are.
pub(super) fn differences(runs: [&[QuadState]; 2]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, (a, b)) in runs[0].iter().zip(runs[1]).enumerate() {
        for (a, b) in rows(a).iter().zip(&rows(b)) {
            let lanes =
                (0..LANES).filter(|&lane| !same(a.meaning(), &a.lanes[lane], &b.lanes[lane]));
            found.extend(lanes.map(|lane| {
                let text = |words: &[u32]| {
                    let words = words.iter().map(|word| {
                        format!("{} ({word:#010x})", word_text(a.meaning(), *word, false))
                    });
                    words.collect::<Vec<_>>().join(", ")
                };
                format!(
                    "quad {index} lane {lane} {}: {} / {}",
                    a.title(),
                    text(&a.lanes[lane]),
                    text(&b.lanes[lane])
                )
            }));
        }
    }
    found
}

fn same(meaning: Meaning, a: &[u32], b: &[u32]) -> bool {
    let is_nan = |word: &u32| meaning == Meaning::Float && f32::from_bits(*word).is_nan();
    a.iter()
        .zip(b)
        .all(|(a, b)| a == b || is_nan(a) && is_nan(b))
}
