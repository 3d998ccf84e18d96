//! The recording as lines of JSON, as docs/debug.md describes them.

use std::io::{self, Write};

use attila_shader::debug::{Event, Step};
use attila_shader::draw::{Fragment, History, Stored};
use attila_shader::machine::{LANES, LaneMask, QuadReg, StateWord};
use serde_json::{Value, json};

use attila_debugger::Debugger;

/// Prints a line about the recording, one for each fragment of the pixel, one for each step, and one about the end.
pub(super) fn print(debugger: &Debugger, out: &mut dyn Write) -> io::Result<()> {
    let recording = debugger.recording();
    writeln!(out, "{}", head(debugger))?;
    let history = debugger.subject.history.iter();
    for line in history.flat_map(history_lines) {
        writeln!(out, "{line}")?;
    }
    for step in recording.steps() {
        writeln!(out, "{}", step_line(debugger, &step))?;
    }
    let end =
        json!({ "type": "end", "steps": recording.len(), "how": attila_debugger::end(debugger) });
    writeln!(out, "{end}")
}

fn head(debugger: &Debugger) -> Value {
    let start = debugger.recording().state_at(0);
    let set = StateWord::all().filter_map(|word| {
        let value = word.get(&start);
        (value != [0; LANES]).then(|| (word.to_string(), json!(value)))
    });
    json!({
        "type": "recording",
        "program": debugger.subject.name,
        "lane": debugger.subject.lane,
        "start": set.collect::<serde_json::Map<_, _>>(),
    })
}

/// The lanes of a set, by their numbers.
fn lanes(mask: LaneMask) -> Vec<usize> {
    (0..LANES).filter(|&lane| mask.has(lane)).collect()
}

fn step_line(debugger: &Debugger, step: &Step<'_>) -> Value {
    let recording = debugger.recording();
    let changes = recording.changes(step.number);
    let changes = changes.map(|(place, value)| (place.to_string(), json!(value)));
    let mut line = json!({
        "type": "step",
        "step": step.number,
        "pc": step.pc,
        "instruction": debugger.source().instruction(step.pc),
        "active": lanes(step.active),
        "effective": lanes(step.effective),
        "changes": changes.collect::<serde_json::Map<_, _>>(),
    });
    if let Some(position) = debugger.source().position(step.pc) {
        line["line"] = json!(position.line);
        line["column"] = json!(position.column);
        line["bytes"] = json!([position.bytes.start, position.bytes.end]);
    }
    let events = recording.events(step.number);
    if !events.is_empty() {
        line["events"] = events
            .iter()
            .map(|event| event_line(debugger, event))
            .collect();
    }
    line
}

fn event_line(debugger: &Debugger, event: &Event) -> Value {
    let vector = |value: &QuadReg| json!(value);
    match event {
        Event::Texture(request) => {
            let operands = request.operands().into_iter();
            let operands = operands.map(|(name, lanes)| (name.to_owned(), json!(lanes)));
            let unit = usize::from(request.query.unit);
            let texture = debugger.recording().textures().and_then(|it| it.get(unit));
            let taps = texture.map(|texture| {
                let lanes = texture.taps(&request.query);
                let lanes = lanes.map(|taps| {
                    let taps = taps.iter().map(|tap| {
                        json!({
                            "level": tap.level,
                            "texel": tap.texel,
                            "weight": tap.weight.to_bits(),
                            "colour": tap.colour.map(f32::to_bits),
                        })
                    });
                    Value::from_iter(taps)
                });
                json!(lanes)
            });
            let levels = texture.and_then(|it| it.levels(&request.query));
            json!({
                "texture": unit,
                "query": request.query.mnemonic(),
                "lanes": lanes(request.query.active),
                "operands": operands.collect::<serde_json::Map<_, _>>(),
                "levels": levels.map(|lanes| lanes.map(f32::to_bits)),
                "texels": taps,
                "answer": vector(&request.answer),
            })
        }
        Event::Attribute {
            attribute,
            index,
            lanes: mask,
            value,
        } => {
            json!({ "attribute": attribute, "index": index, "lanes": lanes(*mask), "answer": vector(value) })
        }
        Event::Input {
            register,
            offset,
            value,
        } => {
            json!({ "input": register, "offset": offset, "answer": vector(value) })
        }
        Event::Vertex {
            stream,
            lanes: mask,
            outputs,
        } => {
            let outputs = outputs
                .iter()
                .map(|(register, value)| (format!("o{register}"), vector(value)));
            json!({ "vertex": stream, "lanes": lanes(*mask), "outputs": outputs.collect::<serde_json::Map<_, _>>() })
        }
        Event::EndPrimitive {
            stream,
            lanes: mask,
        } => {
            json!({ "end-primitive": stream, "lanes": lanes(*mask) })
        }
        Event::Buffer {
            buffer,
            index,
            value,
        } => {
            json!({ "buffer": buffer, "index": index, "answer": vector(value) })
        }
        Event::Storage { buffer, address } => json!({ "storage": buffer, "address": address }),
        Event::Stored {
            buffer,
            word,
            old,
            new,
        } => {
            json!({ "stored": buffer, "word": word, "old": old, "new": new })
        }
        _ => Value::Null,
    }
}

fn history_lines(history: &History) -> Vec<Value> {
    let stored = |it: &Stored| {
        let value = it.value.map(f32::to_bits);
        json!({ "target": it.target.to_string(), "sample": it.sample, "bytes": it.bytes, "value": value })
    };
    let fragments = history.fragments.iter().map(fragment_line);
    let pixel = json!({
        "type": "pixel",
        "pixel": history.pixel,
        "before": history.before.iter().map(stored).collect::<Value>(),
        "after": history.after.iter().map(stored).collect::<Value>(),
    });
    fragments.chain([pixel]).collect()
}

fn fragment_line(fragment: &Fragment) -> Value {
    let bits = |value: [f32; 4]| value.map(f32::to_bits);
    let depths = fragment.depths.iter().map(|it| {
        json!({ "sample": it.sample, "depth": it.depth.to_bits(), "there": it.there.to_bits(), "passed": it.passed })
    });
    let colours = fragment.colours.iter().map(|it| {
        json!({
            "output": format!("o{}", 1 + it.target),
            "sample": it.sample,
            "value": bits(it.output),
            "there": bits(it.there),
            "blended": it.blended.map(bits),
            "stored": bits(it.stored),
        })
    });
    json!({
        "type": "fragment",
        "primitive": fragment.primitive,
        "lane": fragment.lane,
        "sample": fragment.own,
        "coverage": fragment.coverage,
        "fates": fragment.fates.iter().map(|it| attila_debugger::fate(*it)).collect::<Vec<_>>(),
        "depths": Value::from_iter(depths),
        "colours": Value::from_iter(colours),
    })
}
