//! Registers as tables, as JSON, and where two runs differ.

use std::fmt::Display;
use std::io::{self, Write};

use attila_shader::isa::{Bank, Reg, Slots, Usage};
use attila_shader::machine::{LANES, Lanes, QuadReg, QuadState, to_lanes};
use serde_json::{Value, json};

/// How the words of a row are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// f32 bits.
    Float,
    /// i32 bits.
    Integer,
    /// All bits set for true.
    Truth,
    /// A set of samples.
    Mask,
    /// Bits without a meaning of their own.
    Bits,
}

/// A register, or something like one, of a quad.
struct Row {
    name: String,
    kind: Kind,
    lanes: Lanes<Vec<u32>>,
}

impl Row {
    fn register(name: impl Display, kind: Kind, register: &QuadReg) -> Row {
        Row {
            name: name.to_string(),
            kind,
            lanes: to_lanes(register).map(|words| words.to_vec()),
        }
    }

    fn scalar(name: impl Display, kind: Kind, lanes: &Lanes<u32>) -> Row {
        Row {
            name: name.to_string(),
            kind,
            lanes: lanes.map(|word| vec![word]),
        }
    }

    fn is_zero(&self) -> bool {
        self.lanes.iter().flatten().all(|word| *word == 0)
    }
}

/// Every row that a quad has: results first.
fn rows(quad: &QuadState) -> Vec<Row> {
    let (io, regs) = (&quad.io, &quad.regs);
    let mut rows = Vec::new();
    let bank = |bank: Bank, kind, registers: &[QuadReg], rows: &mut Vec<Row>| {
        for (index, register) in (0..).zip(registers) {
            rows.extend(Reg::new(bank, index).map(|reg| Row::register(reg, kind, register)));
        }
    };
    bank(Bank::Output, Kind::Float, &io.outputs, &mut rows);
    rows.push(Row::scalar("kill", Kind::Mask, &io.kill));
    for (sample, lanes) in io.depth.iter().enumerate() {
        rows.push(Row::scalar(format!("depth{sample}"), Kind::Float, lanes));
    }
    bank(Bank::Temp, Kind::Float, &regs.temps, &mut rows);
    bank(Bank::Address, Kind::Integer, &regs.addresses, &mut rows);
    for (index, lanes) in regs.predicates.iter().enumerate() {
        rows.push(Row::scalar(format!("p{index}"), Kind::Truth, lanes));
    }
    rows.push(Row::scalar("sample", Kind::Integer, &regs.sample));
    for (c, lanes) in ["x", "y", "z", "w"].iter().zip(&regs.accumulator) {
        rows.push(Row {
            name: format!("acc.{c}"),
            kind: Kind::Bits,
            lanes: lanes.map(|fixed| {
                let magnitude = fixed.magnitude;
                vec![
                    fixed.negative as u32,
                    (magnitude >> 32) as u32,
                    magnitude as u32,
                ]
            }),
        });
    }
    rows
}

/// Which registers are shown, and how.
pub(super) struct Shown<'a> {
    /// What the program writes.
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
        match row.name.as_str() {
            "kill" => self.usage.kills,
            name if name.starts_with("depth") => self.usage.exports_depth && !row.is_zero(),
            name => {
                let output = name.strip_prefix('o').and_then(|index| index.parse().ok());
                let written = output.and_then(|index: usize| self.usage.outputs.get(index));
                written.is_some_and(|components: &Slots| !components.is_empty())
            }
        }
    }

    /// Prints a table per quad. Lanes that are all alike share a line.
    pub(super) fn table(&self, out: &mut dyn Write, quads: &[QuadState]) -> io::Result<()> {
        for (index, quad) in quads.iter().enumerate() {
            if quads.len() > 1 {
                writeln!(out, "quad {index}")?;
            }
            for row in self.rows(quad) {
                let alike = row.lanes.iter().all(|lane| *lane == row.lanes[0]);
                for (lane, words) in row.lanes.iter().enumerate() {
                    let name = if lane == 0 { row.name.as_str() } else { "" };
                    let lane = if alike {
                        "all".to_owned()
                    } else {
                        lane.to_string()
                    };
                    writeln!(out, "{name:<7}{lane:>3}  {}", self.words(row.kind, words))?;
                    if alike {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn words(&self, kind: Kind, words: &[u32]) -> String {
        let cells = words
            .iter()
            .map(|word| format!("{:<14}", word_text(kind, *word, self.hex)));
        cells.collect::<String>().trim_end().to_owned()
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
        let value = |kind, words: &Vec<u32>| match words[..] {
            [only] => word_json(kind, only, self.hex),
            _ => words
                .iter()
                .map(|word| word_json(kind, *word, self.hex))
                .collect(),
        };
        let lanes = |row: &Row| -> Value {
            let lanes = row.lanes.iter().map(|words| value(row.kind, words));
            lanes.collect()
        };
        let rows = self.rows(quad);
        rows.iter()
            .map(|row| (row.name.clone(), lanes(row)))
            .collect()
    }
}

/// A word as people read it.
pub(super) fn float_text(word: u32, hex: bool) -> String {
    word_text(Kind::Float, word, hex)
}

fn word_text(kind: Kind, word: u32, hex: bool) -> String {
    if hex {
        return format!("0x{word:08x}");
    }
    match kind {
        Kind::Float => format!("{:?}", f32::from_bits(word)),
        Kind::Integer => word.cast_signed().to_string(),
        Kind::Truth => (word != 0).to_string(),
        Kind::Mask => format!("{word:04x}"),
        Kind::Bits => format!("0x{word:08x}"),
    }
}

fn word_json(kind: Kind, word: u32, hex: bool) -> Value {
    let text = || Value::String(word_text(kind, word, hex));
    match kind {
        _ if hex => text(),
        // The shortest digits that mean this f32, not the longer ones of the same f64.
        Kind::Float => match format!("{:?}", f32::from_bits(word)).parse::<f64>() {
            Ok(number) if number.is_finite() => json!(number),
            Ok(_) | Err(_) => Value::String(text().as_str().unwrap_or_default().to_lowercase()),
        },
        Kind::Integer => json!(word.cast_signed()),
        Kind::Truth => json!(word != 0),
        Kind::Mask | Kind::Bits => text(),
    }
}

/// The registers in which two runs differ, in words. All NaNs are alike, except where integers or
/// truth values are.
pub(super) fn differences(runs: [&[QuadState]; 2]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, (a, b)) in runs[0].iter().zip(runs[1]).enumerate() {
        for (a, b) in rows(a).iter().zip(&rows(b)) {
            let lanes = (0..LANES).filter(|&lane| !same(a.kind, &a.lanes[lane], &b.lanes[lane]));
            found.extend(lanes.map(|lane| {
                let text = |words: &[u32]| {
                    let words = words
                        .iter()
                        .map(|word| format!("{} ({word:#010x})", word_text(a.kind, *word, false)));
                    words.collect::<Vec<_>>().join(", ")
                };
                format!(
                    "quad {index} lane {lane} {}: {} / {}",
                    a.name,
                    text(&a.lanes[lane]),
                    text(&b.lanes[lane])
                )
            }));
        }
    }
    found
}

fn same(kind: Kind, a: &[u32], b: &[u32]) -> bool {
    let is_nan = |word: &u32| kind == Kind::Float && f32::from_bits(*word).is_nan();
    a.iter()
        .zip(b)
        .all(|(a, b)| a == b || is_nan(a) && is_nan(b))
}
