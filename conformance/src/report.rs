//! A divergence in words and tables.

use std::fmt::{self, Write};

use super::oracle::{Difference, Divergence, Request, same};
use crate::columns::Columns;
use attila_scene::directives::show;
use attila_shader::isa::{Inputs, TextureTarget};
use attila_shader::machine::{LANES, QuadState, StateWord};

/// The difference, and the final states of the quad side by side, with a `*` at every word that is not the same.
pub fn report(divergence: &Divergence) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut text, divergence);
    text
}

fn write_report(out: &mut String, divergence: &Divergence) -> fmt::Result {
    let [first, second] = divergence.engines;
    writeln!(out, "{first} and {second} differ ({}):", divergence.form)?;
    writeln!(out, "  {}", summary(divergence))?;
    if let Some(quad) = quad_at_fault(&divergence.difference)
        && let (Some(a), Some(b)) = (
            divergence.finals[0].get(quad),
            divergence.finals[1].get(quad),
        )
    {
        writeln!(out, "\nend of quad {quad}:")?;
        let start = &divergence.case.quads[quad];
        finals(out, divergence, start, [a, b])?;
    }
    Ok(())
}

/// Describes the first difference in one line.
pub fn summary(divergence: &Divergence) -> String {
    let [first, second] = divergence.engines;
    match &divergence.difference {
        Difference::Failed { messages } => {
            let said = |message: &Option<String>| message.clone().unwrap_or("no error".to_owned());
            let [a, b] = messages.each_ref().map(said);
            format!("{first}: {a}; {second}: {b}")
        }
        Difference::End { quad, results } => {
            let [a, b] = results.each_ref().map(|result| match result {
                Ok(()) => "ran to the end".to_owned(),
                Err(error) => error.to_string(),
            });
            format!("run from quad {quad}: {first}: {a}; {second}: {b}")
        }
        Difference::Word {
            quad,
            lane,
            word,
            words,
        } => {
            let [a, b] = words.map(both_ways);
            format!("quad {quad} lane {lane} {word}: {first} {a}, {second} {b}")
        }
        Difference::Storage {
            buffer,
            index,
            words: [a, b],
        } => {
            let (a, b) = (show(*a), show(*b));
            format!("word {index} of u{buffer}: {first} {a}, {second} {b}")
        }
        Difference::Request { number, requests } => {
            let [a, b] = requests
                .each_ref()
                .map(|request| request.as_ref().map_or("none".to_owned(), ask));
            format!("texture or attribute request {number}: {first} {a}, {second} {b}")
        }
    }
}

/// Bits and what they are as a float.
pub(super) fn both_ways(word: u32) -> String {
    let float = f32::from_bits(word);
    if float == 0.0 || (1e-4..1e7).contains(&float.abs()) {
        format!("{word:#010x} ({float})")
    } else {
        format!("{word:#010x} ({float:e})")
    }
}

fn ask(request: &Request) -> String {
    match request {
        Request::Texture {
            op,
            unit,
            target,
            operands,
            active,
        } => {
            let target = match target {
                TextureTarget::Bound => String::new(),
                TextureTarget::Named { .. } => format!(".{target}"),
            };
            let operands = operands
                .iter()
                .map(|(name, lanes)| format!("{name} {}", lanes.map(show).join(" ")));
            let operands: Vec<String> = operands.collect();
            let operands = operands.join(", ");
            format!("{op} t{unit}{target} lanes {active:04b} {operands}")
        }
        Request::Attribute {
            attribute,
            index,
            wanted,
        } => format!("lda t{attribute} lanes {wanted:04b} index {index:?}"),
        Request::Input {
            quad,
            register,
            offset,
        } => format!("i{register} of quad {quad} at {offset:?}"),
        Request::Vertex {
            stream,
            lanes,
            outputs,
        } => {
            let shown = outputs.iter().map(|(register, value)| {
                let components = value.map(|lanes| lanes.map(show).join(" "));
                format!(", o{register} {}", components.join(" | "))
            });
            let shown: String = shown.collect();
            format!("emit s{stream} lanes {lanes:04b}{shown}")
        }
        Request::EndPrimitive { stream, lanes } => {
            format!("endprim s{stream} lanes {lanes:04b}")
        }
    }
}

fn quad_at_fault(difference: &Difference) -> Option<usize> {
    match difference {
        Difference::Word { quad, .. } => Some(*quad),
        Difference::Request { .. } | Difference::Storage { .. } => Some(0),
        // The content of a quad that did not run to its end is unspecified.
        Difference::End { .. } | Difference::Failed { .. } => None,
    }
}

/// Every word that either engine changed.
fn finals(
    out: &mut String,
    divergence: &Divergence,
    start: &QuadState,
    ends: [&QuadState; 2],
) -> fmt::Result {
    let flow = divergence.case.nan_flow(Inputs::default());
    let [first, second] = divergence.engines;
    let head = ["  word", first, second, "start"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for word in StateWord::changed() {
        let [a, b, before] = [ends[0], ends[1], start].map(|state| word.get(state));
        for lane in 0..LANES {
            let differs = !same(&flow, word, a[lane], b[lane]);
            if !differs && a[lane] == before[lane] && b[lane] == before[lane] {
                continue;
            }
            let mark = if differs { '*' } else { ' ' };
            let words = [a[lane], b[lane], before[lane]].map(both_ways);
            let name = format!("{mark} {word} lane {lane}");
            rows.push([name].into_iter().chain(words).collect());
        }
    }
    let columns = Columns::default().left(24).left(27).left(27).left(0);
    let table = columns.table(&rows);
    table.lines().try_for_each(|line| writeln!(out, "  {line}"))
}
