//! The recording of a pixel, and where somebody is in it.

use attila_debugger::{Debugger, Kind, Subject, execute, fragment, history, lanes};
use attila_shader::ColourFormat;
use attila_shader::debug::{Limits, Recording};
use attila_shader::draw::{ColourImage, Draw, Watch};
use attila_shader::machine::LANES;
use serde_json::{Value, json};

use crate::drawing::{self, BACKGROUND};
use crate::message::{EngineName, Picture};
use crate::session::Session;

/// How much is recorded: a page has less memory than a command.
const LIMITS: Limits = Limits {
    steps: 100_000,
    bytes: 64 << 20,
};

/// Records the quad of a pixel.
pub(crate) fn record(
    session: &mut Session,
    picture: &Picture,
    pixel: [u32; 2],
) -> Result<Value, String> {
    let picture = &Picture {
        engine: EngineName::Interp,
        ..picture.clone()
    };
    let ready = session.ready(picture)?;
    let [x, y] = pixel;
    let [width, height] = picture.size;
    if x >= width || y >= height {
        return Err(format!(
            "pixel {x},{y} is not in the picture of {width}x{height} pixels"
        ));
    }
    let bindings = drawing::bindings(ready.scene, picture);
    let mut image = ColourImage::new(ColourFormat::Rgba8, 2, 2);
    image.fill(BACKGROUND);
    let watch = Watch::new(pixel);
    let draw = Draw::new(ready.shader).bindings(&bindings);
    let draw = draw.target(0, &mut image).watch(&watch);
    // A tile of the picture is enough: the quad.
    ready.paint(draw, [x & !1, y & !1], [2, 2])?;
    let history = watch.history();
    let fragment = fragment(&history, |_| true).ok_or("nothing covers the pixel")?;
    let own = bindings.clone().with_inputs(fragment);
    let program = &ready.scene.loaded.program;
    let recording = Recording::of(program, &own, &fragment.start, LIMITS);
    let recording = recording.map_err(drawing::message)?;
    let subject = Subject::new(
        &ready.scene.loaded.name,
        recording,
        ready.scene.loaded.debug_source(),
    );
    let subject = Subject {
        lane: fragment.lane,
        history: Some(history.clone()),
        ..subject
    };
    session.debugger = Some(Debugger::new(subject));
    state(session, Vec::new())
}

/// Does what a command of `attila debug` says.
pub(crate) fn command(session: &mut Session, line: &str) -> Result<Value, String> {
    let debugger = session.debugger.as_mut().ok_or(NOTHING)?;
    let answer = execute(debugger, line)?;
    state(session, answer)
}

const NOTHING: &str = "no pixel has been recorded";

/// Where it stands, and what is there.
fn state(session: &Session, answer: Vec<String>) -> Result<Value, String> {
    let debugger = session.debugger.as_ref().ok_or(NOTHING)?;
    let recording = debugger.recording();
    let step = recording.step(debugger.step);
    let pc = step.as_ref().map(|step| step.pc);
    let span = pc.and_then(|pc| recording.program().program().span(pc));
    let loaded = session.loaded.as_ref().ok_or(NOTHING)?;
    let made: Vec<_> = match debugger.step.checked_sub(1) {
        Some(before) => debugger.made(before),
        None => Vec::new(),
    };
    let registers = debugger.registers().into_iter().map(|(name, places)| {
        let words = places.iter().map(|place| {
            let all = (0..LANES).map(|lane| debugger.word(*place, Kind::Own, lane).to_string());
            json!({
                "name": debugger.name(*place),
                "place": place.to_string(),
                "lanes": all.collect::<Vec<_>>(),
                "changed": debugger.is_changed(*place),
                "special": made.iter().any(|(it, _)| it == place),
            })
        });
        json!({ "name": name, "words": words.collect::<Vec<_>>() })
    });
    Ok(json!({
        "answer": answer,
        "step": debugger.step,
        "steps": debugger.last(),
        "pc": pc,
        "span": span.map(|it| loaded.span(&it)),
        "instruction": pc.map(|pc| debugger.source().instruction(pc)),
        "lanes": step.map(|step| lanes(step.effective)),
        "lane": debugger.subject.lane,
        "end": attila_debugger::end(debugger),
        "registers": registers.collect::<Vec<_>>(),
        "history": history(debugger),
    }))
}
