//! From the state before a run to lines of directives.

use attila_shader::machine::{KILL_ALL, LANES, Lanes, Meaning, QuadState, StateKind, StateName};

use super::samples;
use super::words::show;

/// The lines, without line ends, that make `quads` out of nothing. What is 0 is not named.
pub fn start_lines(quads: &[QuadState]) -> Vec<String> {
    let mut lines = Vec::new();
    let named = quads
        .last()
        .is_none_or(|last| *last == QuadState::default());
    if quads.len() > 1 && named {
        lines.push(format!(";! quads {}", quads.len()));
    }
    for (index, quad) in quads.iter().enumerate() {
        let prefix = match quads.len() {
            1 => String::new(),
            _ => format!("q{index} "),
        };
        lines.extend(samples::lines(&quad.io.samples, &prefix));
        let kinds = StateKind::ALL
            .into_iter()
            .filter(|kind| !is_of_samples(*kind));
        for (kind, name) in kinds.flat_map(|kind| kind.names().map(move |name| (kind, name))) {
            let words: Vec<Lanes<u32>> = name.words().map(|word| word.get(quad)).collect();
            if words.iter().any(|lanes| *lanes != [0; LANES]) {
                let settings = values(kind, &words).into_iter();
                lines
                    .extend(settings.map(|(lane, value)| line(kind, &prefix, name, &lane, &value)));
            }
        }
    }
    lines
}

/// Whether names of this kind say something about samples, which has lines of its own.
fn is_of_samples(kind: StateKind) -> bool {
    match kind {
        StateKind::SampleCount
        | StateKind::Coverage
        | StateKind::OwnSample
        | StateKind::Position => true,
        StateKind::Input
        | StateKind::Output
        | StateKind::Temp
        | StateKind::Address
        | StateKind::Predicate
        | StateKind::Sample
        | StateKind::Depth
        | StateKind::Kill
        | StateKind::Accumulator => false,
    }
}

/// The line that sets the words of a name, perhaps in one lane, as `[2]`.
fn line(kind: StateKind, prefix: &str, name: StateName, lane: &str, value: &str) -> String {
    let full = name.to_string();
    let name = full.rsplit(' ').next().unwrap_or_default();
    match kind {
        // Kind and name at once.
        StateKind::Sample
        | StateKind::Kill
        | StateKind::SampleCount
        | StateKind::Coverage
        | StateKind::OwnSample => {
            let named = format!("{name} {prefix}");
            format!(";! {} = {value}", named.trim_end())
        }
        StateKind::Input
        | StateKind::Output
        | StateKind::Temp
        | StateKind::Address
        | StateKind::Predicate
        | StateKind::Depth
        | StateKind::Accumulator
        | StateKind::Position => {
            format!(";! {} {prefix}{name}{lane} = {value}", kind.word())
        }
    }
}

/// The values of words in all lanes: one for all, or one for each lane that is not 0.
fn values(kind: StateKind, words: &[Lanes<u32>]) -> Vec<(String, String)> {
    let digits = |lanes: Lanes<u32>| lanes.map(|word| if word == 0 { "0" } else { "1" }).concat();
    let value = match (kind.meaning(), words) {
        (Meaning::Truth, [lanes]) => digits(*lanes),
        (Meaning::Samples, [lanes]) if lanes.iter().all(|word| [0, KILL_ALL].contains(word)) => {
            digits(*lanes)
        }
        (Meaning::Samples, [lanes]) => lanes.map(|mask| format!("{mask:#06x}")).join(" "),
        (Meaning::Float, [lanes]) => lanes.map(show).join(" "),
        (Meaning::Integer, [lanes]) => lanes.map(|word| word.to_string()).join(" "),
        (Meaning::Fixed, [sign, high, low]) => {
            let lanes = (0..LANES).map(|lane| fixed([sign[lane], high[lane], low[lane]]));
            lanes.collect::<Vec<_>>().join(" ")
        }
        (meaning, _) => {
            let lanes = (0..LANES).map(|lane| words.iter().map(move |word| word[lane]));
            let lanes: Vec<String> = lanes.map(|words| vector(meaning, words)).collect();
            if lanes.iter().any(|lane| *lane != lanes[0]) {
                let own = lanes
                    .into_iter()
                    .enumerate()
                    .filter(|(_, value)| value != "0");
                return own
                    .map(|(lane, value)| (format!("[{lane}]"), value))
                    .collect();
            }
            lanes.into_iter().next().unwrap_or_default()
        }
    };
    vec![(String::new(), value)]
}

/// Four components, or one if they are the same.
fn vector(meaning: Meaning, words: impl Iterator<Item = u32>) -> String {
    let text = |word: u32| match meaning {
        Meaning::Integer => word.cast_signed().to_string(),
        Meaning::Float | Meaning::Truth | Meaning::Samples | Meaning::Fixed | Meaning::Offset => {
            show(word)
        }
    };
    let mut texts: Vec<String> = words.map(text).collect();
    if texts.iter().all(|text| *text == texts[0]) {
        texts.truncate(1);
    }
    texts.join(" ")
}

fn fixed([sign, high, low]: [u32; 3]) -> String {
    let sign = if sign == 0 { "" } else { "-" };
    format!("{sign}{:#x}", u64::from(high) << 32 | u64::from(low))
}

/// A line for a storage buffer that has words.
pub fn storage_line(index: usize, words: &[u32]) -> String {
    let words = words.iter().map(|&word| show(word));
    format!(
        ";! storage u{index} = {}",
        words.collect::<Vec<_>>().join(" ")
    )
}

/// A line for a constant buffer that has vectors.
pub fn buffer_line(index: usize, vectors: &[[u32; 4]]) -> String {
    let words = vectors.as_flattened().iter().map(|&word| show(word));
    format!(
        ";! buffer b{index} = {}",
        words.collect::<Vec<_>>().join(" ")
    )
}

/// A line for a constant.
pub fn constant_line(index: usize, value: [u32; 4]) -> String {
    let value = vector(Meaning::Float, value.into_iter());
    format!(";! const c{index} = {value}")
}
