//! The commands of scripts, which keys in the terminal stand for, too.

use std::fmt::Write;

use attila_shader::debug::{Condition, Event, Place, Special, TextureRequest};
use attila_shader::draw::{Fate, Fragment};
use attila_shader::machine::LANES;

use crate::debugger::{At, Breakpoint, Debugger, Hits, Watched, Way, lanes};
use crate::number::{Kind, float};

/// The end of `attila debug --help`.
pub const HELP: &str = "\
A script has a command on each line; `#` begins a comment. Commands:
  step [N], back [N]           execute a step, or take one back
  next, previous               go on to another line, or back to the one before
  over                         go on to where control goes back: over an iteration of a loop
  to LINE, back-to LINE        go on to a line, or back
  start, end, goto N           go to the first step, behind the last, to step N
  continue, reverse            go on to a breakpoint, or back
  break LINE [if CONDITION]    stop at a line; `break pc N` at an instruction, `break if CONDITION` when it begins to hold
  delete N, breaks             drop a breakpoint; list all with their hits
  nan, back-nan                go to the next step that made a NaN or an infinity
  part, back-part              go to the next step before which lanes part or meet
  find CONDITION, back-find CONDITION
                               go to where a condition holds: `r0.x > 1`, `o1.w is nan`, `lane 2 killed`
  write PLACE                  go back to the step that last wrote it: `write r0.x`, `write r0.x[2]`
  why PLACE                    show what a value is made of, back to inputs, constants and texels
  print NAME [as KIND]         show a register or a word in all lanes, as float, int, bits or colour
  watch NAME [as KIND], unwatch NAME
                               show it at every stop, or no more
  lane N                       ask about another lane from now on
  where, list, registers       show the step, the lines around it, all registers
  requests, history            show what the last step asked of textures and memory, and what covers the pixel

Keys in a terminal:
  s b        step, step back                 n p      next line, previous line
  o          over an iteration               e a      end, start
  c r        continue, reverse               k        breakpoint on the line under the cursor
  i I        to the cursor's line, back      x X      next NaN or infinity, the one before
  d D        next parting, the one before    w        to the last write of the selected register
  y          why: the cone of its value      t        its type: own, float, int, bits, colour
  m          watch it                        /        search the text
  :          type a command                  v        text, or instructions
  0-3        the lane                        Tab      the next panel
  arrows     move the cursor                 ? q      help, quit

Examples:
  attila debug --pixel 320,240 shader.attila
  attila debug --quad 0 --set i1=1,2,3,4 shader.attila
  attila debug shader.attila --pixel 320,240 --script steps.txt
  attila debug shader.attila --pixel 320,240 --json";

/// The lines that a command prints, or why it could not be done.
pub type Answer = Result<Vec<String>, String>;

/// Does what a line says.
pub fn execute(debugger: &mut Debugger, line: &str) -> Answer {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let way = match word.starts_with("back") || matches!(word, "previous" | "reverse") {
        true => Way::Backwards,
        false => Way::Forwards,
    };
    match word {
        "" => Ok(Vec::new()),
        "step" | "back" => moved(debugger, |it| {
            it.step_by(count(rest)?, way);
            Ok(())
        }),
        "next" | "previous" => moved(debugger, |it| alone(rest, || it.next_line(way))),
        "over" => moved(debugger, |it| {
            alone(rest, || it.go(it.recording().after_iteration(it.step)))
        }),
        "to" | "back-to" => moved(debugger, |it| {
            let line = line_number(it, rest)?;
            found(it.go_to_line(line, way), || {
                format!("line {line} is not executed there")
            })
        }),
        "start" => moved(debugger, |it| alone(rest, || it.go(0))),
        "end" => moved(debugger, |it| alone(rest, || it.go(usize::MAX))),
        "goto" => moved(debugger, |it| {
            let step = number(rest, "a step")?;
            match step <= it.last() {
                true => {
                    it.go(step);
                    Ok(())
                }
                false => Err(format!(
                    "there is no step {step}; the last is {}",
                    it.last()
                )),
            }
        }),
        "continue" | "reverse" => run(debugger, rest, way),
        "break" => set_break(debugger, rest),
        "delete" => {
            let index = number(rest, "a breakpoint")?;
            match index < debugger.breakpoints.len() {
                true => {
                    debugger.breakpoints.remove(index);
                    Ok(Vec::new())
                }
                false => Err(format!("there is no breakpoint {index}")),
            }
        }
        "breaks" => silent(rest).map(|()| breaks(debugger)),
        "nan" | "back-nan" => moved(debugger, |it| {
            silent(rest)?;
            found(it.go_to_special(way), || {
                "no step there makes a NaN or an infinity".to_owned()
            })
        }),
        "part" | "back-part" => moved(debugger, |it| {
            silent(rest)?;
            found(it.go_to_parting(way), || {
                "lanes neither part nor meet there".to_owned()
            })
        }),
        "find" | "back-find" => moved(debugger, |it| {
            let condition = condition(it, rest)?;
            found(it.go_to_condition(&condition, way), || {
                format!("{condition} holds nowhere there")
            })
        }),
        "write" => moved(debugger, |it| {
            let (place, lane) = place(it, rest)?;
            found(it.go_to_write(place, lane), || {
                format!("no step before wrote {place}[{lane}]")
            })
        }),
        "why" => {
            let (place, lane) = place(debugger, rest)?;
            let cone = debugger.recording().cone(place, lane, debugger.step);
            Ok(cone.to_string().lines().map(str::to_owned).collect())
        }
        "print" => {
            let watched = named(debugger, rest)?;
            Ok(shown(debugger, &watched))
        }
        "watch" => {
            let watched = named(debugger, rest)?;
            debugger.watches.retain(|it| it.name != watched.name);
            let lines = shown(debugger, &watched);
            debugger.watches.push(watched);
            Ok(lines)
        }
        "unwatch" => {
            let before = debugger.watches.len();
            debugger.watches.retain(|it| it.name != rest);
            match debugger.watches.len() < before {
                true => Ok(Vec::new()),
                false => Err(format!("`{rest}` is not watched")),
            }
        }
        "lane" => {
            let lane = number(rest, "a lane")?;
            match lane < LANES {
                true => {
                    debugger.subject.lane = lane;
                    Ok(Vec::new())
                }
                false => Err(format!("there is no lane {lane}; the last is 3")),
            }
        }
        "where" => silent(rest).map(|()| vec![place_line(debugger)]),
        "list" => silent(rest).map(|()| list(debugger)),
        "registers" => silent(rest).map(|()| registers(debugger)),
        "requests" => silent(rest).map(|()| requests(debugger)),
        "history" => silent(rest).map(|()| history(debugger)),
        _ => Err(format!(
            "`{word}` is not a command; `attila debug --help` lists them"
        )),
    }
}

/// Goes somewhere, and says where that is and what is watched.
fn moved(debugger: &mut Debugger, go: impl FnOnce(&mut Debugger) -> Result<(), String>) -> Answer {
    go(debugger)?;
    Ok(stopped(debugger))
}

/// The lines that are printed at each stop.
fn stopped(debugger: &Debugger) -> Vec<String> {
    let watches = debugger.watches.iter();
    let watches = watches.flat_map(|watched| shown(debugger, watched));
    std::iter::once(place_line(debugger))
        .chain(watches)
        .collect()
}

fn run(debugger: &mut Debugger, rest: &str, way: Way) -> Answer {
    silent(rest)?;
    let reached = debugger.run(way);
    let mut lines = Vec::new();
    if let Some(number) = reached {
        let [hits, all] = debugger.hits(&debugger.breakpoints[number]);
        lines.push(format!("breakpoint {number}, hit {hits} of {all}"));
    }
    lines.extend(stopped(debugger));
    Ok(lines)
}

fn alone(rest: &str, go: impl FnOnce()) -> Result<(), String> {
    silent(rest)?;
    go();
    Ok(())
}

fn found(found: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    found.then_some(()).ok_or_else(message)
}

/// Refuses words behind a command that takes none.
fn silent(rest: &str) -> Result<(), String> {
    match rest {
        "" => Ok(()),
        _ => Err(format!("`{rest}` is too much")),
    }
}

fn count(text: &str) -> Result<usize, String> {
    match text {
        "" => Ok(1),
        _ => number(text, "a number of steps"),
    }
}

fn number(text: &str, what: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is not {what}"))
}

/// A line that instructions come from.
fn line_number(debugger: &Debugger, text: &str) -> Result<usize, String> {
    let line = number(text, "a line")?;
    match debugger.source().line_with_instructions(line) {
        Some(found) if found == line => Ok(line),
        Some(other) => Err(format!("line {line} has no instruction; line {other} has")),
        None => Err(format!("line {line} has no instruction")),
    }
}

fn condition(debugger: &Debugger, text: &str) -> Result<Condition, String> {
    let place = |name: &str| debugger.place(name);
    Condition::read(text, place).map_err(|error| error.to_string())
}

/// A word, in the lane that is named or asked about.
fn place(debugger: &Debugger, text: &str) -> Result<(Place, usize), String> {
    let (name, lane) = match text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['))
    {
        Some((name, lane)) if lane.parse::<usize>().is_ok_and(|lane| lane < LANES) => {
            (name, number(lane, "a lane")?)
        }
        Some(_) | None => (text, debugger.subject.lane),
    };
    let place = debugger.place(name);
    Ok((place.map_err(|error| error.to_string())?, lane))
}

/// A register or word, and how it is shown.
fn named(debugger: &Debugger, text: &str) -> Result<Watched, String> {
    let (name, kind) = match text.rsplit_once(" as ") {
        Some((name, kind)) => {
            let message = || format!("`{kind}` is not own, float, int, bits or colour");
            (name.trim(), kind.trim().parse().map_err(|()| message())?)
        }
        None => (text, Kind::Own),
    };
    let places = debugger.places(name).map_err(|error| error.to_string())?;
    Ok(Watched {
        name: name.to_owned(),
        places,
        kind,
    })
}

fn set_break(debugger: &mut Debugger, rest: &str) -> Answer {
    let (at, held) = match rest.split_once("if ") {
        Some((at, held)) => (at.trim(), Some(condition(debugger, held)?)),
        None => (rest, None),
    };
    let (at, condition) = match (at, held) {
        ("", Some(condition)) => (At::Value(condition), None),
        (at, condition) => match at.strip_prefix("pc ") {
            Some(pc) => {
                let pc = number(pc.trim(), "an instruction")?;
                let count = debugger.recording().program().program().insts().len();
                if pc >= count {
                    return Err(format!(
                        "there is no instruction {pc}; the last is {}",
                        count - 1
                    ));
                }
                (At::Instruction(pc), condition)
            }
            None => (At::Line(line_number(debugger, at)?), condition),
        },
    };
    debugger.breakpoints.push(Breakpoint {
        at,
        condition,
        hits: Hits::All,
    });
    Ok(breaks(debugger)
        .into_iter()
        .next_back()
        .into_iter()
        .collect())
}

/// The breakpoints with their hits.
pub fn breaks(debugger: &Debugger) -> Vec<String> {
    let lines = debugger.breakpoints.iter().enumerate();
    let lines = lines.map(|(number, breakpoint)| {
        let [hits, all] = debugger.hits(breakpoint);
        let at = match &breakpoint.at {
            At::Line(line) => format!("line {line}"),
            At::Instruction(pc) => format!("pc {pc}"),
            At::Value(condition) => format!("when {condition}"),
            At::Change(place) => format!("when {place} changes"),
            At::Special(Special::Nan) => "when a NaN is made".to_owned(),
            At::Special(Special::Infinity) => "when an infinity is made".to_owned(),
            At::Special(Special::Denormal) => "when a denormal number is made".to_owned(),
            At::Parting => "when lanes part".to_owned(),
            At::Kill => "when a lane is killed".to_owned(),
        };
        let held = breakpoint.condition.as_ref();
        let held = held.map_or(String::new(), |it| format!(" if {it}"));
        format!("breakpoint {number}: {at}{held}, hit {hits} of {all}")
    });
    lines.collect()
}

/// The step that comes next, in a line.
pub fn place_line(debugger: &Debugger) -> String {
    let count = debugger.last();
    let Some(step) = debugger.recording().step(debugger.step) else {
        return format!("step {count} of {count}: {}", end(debugger));
    };
    let position = debugger.source().position(step.pc);
    let line = position.map_or(String::new(), |it| format!(", line {}", it.line));
    let instruction = debugger.source().instruction(step.pc);
    format!(
        "step {} of {count}{line}, lanes {}: {instruction}",
        step.number,
        lanes(step.active)
    )
}

/// How the recording ends.
pub fn end(debugger: &Debugger) -> String {
    use attila_shader::debug::End;
    match debugger.recording().end() {
        End::Finished => "the end".to_owned(),
        End::Stopped(error) => error.to_string(),
        End::Steps => "the recording ends here, at the limit of steps".to_owned(),
        End::Bytes => "the recording ends here, at its limit of memory".to_owned(),
    }
}

/// The lines around the one that comes next.
fn list(debugger: &Debugger) -> Vec<String> {
    const AROUND: usize = 3;
    let here = debugger.line().unwrap_or(1);
    let last = debugger.source().line_count();
    let lines = here.saturating_sub(AROUND).max(1)..=(here + AROUND).min(last);
    let lines = lines.map(|line| {
        let mark = if debugger.line() == Some(line) {
            '>'
        } else {
            ' '
        };
        format!("{mark}{line:4}  {}", debugger.source().line(line))
            .trim_end()
            .to_owned()
    });
    lines.collect()
}

/// Words in all lanes, a line for each.
pub fn shown(debugger: &Debugger, watched: &Watched) -> Vec<String> {
    let line = |place: &Place| {
        let name = debugger.name(*place);
        let mark = if debugger.is_changed(*place) {
            '*'
        } else {
            ' '
        };
        let mut text = format!("{mark}{name:8}");
        for lane in 0..LANES {
            let _ = write!(text, " {:>13}", debugger.word(*place, watched.kind, lane));
        }
        text
    };
    // The text's registers move.
    let places = debugger.places(&watched.name);
    let places = places.as_ref().unwrap_or(&watched.places);
    places.iter().map(line).collect()
}

fn registers(debugger: &Debugger) -> Vec<String> {
    let registers = debugger.registers().into_iter();
    let lines = registers.flat_map(|(name, places)| {
        let kind = Kind::Own;
        let watched = Watched { name, places, kind };
        shown(debugger, &watched)
    });
    lines.collect()
}

/// Requests and other events of the step before, as lines.
pub fn requests(debugger: &Debugger) -> Vec<String> {
    let Some(step) = debugger.step.checked_sub(1) else {
        return Vec::new();
    };
    let events = debugger.recording().events(step).iter();
    events
        .flat_map(|event| event_lines(debugger, event))
        .collect()
}

fn event_lines(debugger: &Debugger, event: &Event) -> Vec<String> {
    let lane = debugger.subject.lane;
    let vector = |value: &attila_shader::machine::QuadReg| {
        let words = value.map(|component| float(component[lane]));
        words.join(", ")
    };
    match event {
        Event::Texture(request) => texture_lines(debugger, request),
        Event::Attribute {
            attribute,
            index,
            value,
            ..
        } => {
            vec![format!(
                "attribute {attribute} of vertex {}: {}",
                index[lane],
                vector(value)
            )]
        }
        Event::Input {
            register,
            offset,
            value,
        } => {
            let [x, y] = offset[lane];
            vec![format!(
                "i{register} at {x}/16, {y}/16 from the centre: {}",
                vector(value)
            )]
        }
        Event::Vertex {
            stream,
            lanes: mask,
            outputs,
        } => {
            let outputs = outputs
                .iter()
                .map(|(register, value)| format!("  o{register} = {}", vector(value)));
            let first = format!("vertex to stream {stream}, lanes {}", lanes(*mask));
            std::iter::once(first).chain(outputs).collect()
        }
        Event::EndPrimitive {
            stream,
            lanes: mask,
        } => {
            vec![format!(
                "end of a primitive of stream {stream}, lanes {}",
                lanes(*mask)
            )]
        }
        Event::Buffer {
            buffer,
            index,
            value,
        } => {
            vec![format!("b{buffer}[{}]: {}", index[lane], vector(value))]
        }
        Event::Storage { buffer, address } => {
            vec![format!("u{buffer} at byte {}", address[lane])]
        }
        Event::Stored {
            buffer,
            word,
            old,
            new,
        } => {
            vec![format!(
                "u{buffer} word {word}: {old:#010x} becomes {new:#010x}"
            )]
        }
        _ => Vec::new(),
    }
}

/// A request in the lane that is asked about, and the texels that it took.
fn texture_lines(debugger: &Debugger, request: &TextureRequest) -> Vec<String> {
    let lane = debugger.subject.lane;
    let query = &request.query;
    let operands = request.operands();
    let operands = operands.iter().map(|(name, lanes)| {
        let is_float = matches!(*name, "s" | "t" | "r" | "q" | "reference")
            || *name == "level" && query.mnemonic() != "txf"
            || name.contains("/d");
        match is_float {
            true => format!("{name} {}", float(lanes[lane])),
            false => format!("{name} {}", lanes[lane].cast_signed()),
        }
    });
    let operands: Vec<String> = operands.collect();
    let answer = request.answer.map(|component| float(component[lane]));
    let mut lines = vec![format!(
        "{} t{} lane {lane}: {}",
        query.mnemonic(),
        query.unit,
        operands.join(", ")
    )];
    let textures = debugger.recording().textures();
    if let Some(texture) = textures.and_then(|it| it.get(query.unit.into())) {
        if let Some(levels) = texture.levels(query) {
            lines.push(format!("  level of detail {}", levels[lane]));
        }
        for tap in &texture.taps(query)[lane] {
            let place = match tap.texel {
                Some([x, y, z]) => format!("level {} ({x}, {y}, {z})", tap.level),
                None => "the border".to_owned(),
            };
            let colour = tap.colour.map(|it| float(it.to_bits())).join(", ");
            lines.push(format!("  {} of {place}: {colour}", tap.weight));
        }
    }
    lines.push(format!("  answer {}", answer.join(", ")));
    lines
}

/// The primitives that cover the pixel, as lines.
pub fn history(debugger: &Debugger) -> Vec<String> {
    let Some(history) = &debugger.subject.history else {
        return vec!["there is no pixel".to_owned()];
    };
    let [x, y] = history.pixel;
    let mut lines = vec![format!("pixel {x},{y}, lane {}", debugger.subject.lane)];
    let colour = |value: &[f32; 4]| value.map(|it| float(it.to_bits())).join(", ");
    let stored = |when: &str, samples: &[attila_shader::draw::Stored]| {
        let lines = samples.iter().map(|it| {
            format!(
                "{when} {}, sample {}: {}",
                it.target,
                it.sample,
                colour(&it.value)
            )
        });
        lines.collect::<Vec<_>>()
    };
    lines.extend(stored("before:", &history.before));
    lines.extend(history.fragments.iter().flat_map(fragment_lines));
    lines.extend(stored("after:", &history.after));
    lines
}

fn fragment_lines(fragment: &Fragment) -> Vec<String> {
    let colour = |value: &[f32; 4]| value.map(|it| float(it.to_bits())).join(", ");
    let own = fragment
        .own
        .map_or(String::new(), |own| format!(", sample {own}"));
    let mut lines = vec![format!(
        "primitive {}{own}: {}",
        fragment.primitive,
        fate(fragment.fate())
    )];
    for depth in &fragment.depths {
        let verdict = if depth.passed { "passes" } else { "fails" };
        lines.push(format!(
            "  depth {} against {} {verdict}",
            depth.depth, depth.there
        ));
    }
    for step in &fragment.colours {
        let blended = step
            .blended
            .map_or(String::new(), |it| format!(", blended {}", colour(&it)));
        lines.push(format!(
            "  o{} = {} over {}{blended}, stored {}",
            1 + step.target,
            colour(&step.output),
            colour(&step.there),
            colour(&step.stored)
        ));
    }
    lines
}

/// The fate of a sample, in words.
pub fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Uncovered => "not covered",
        Fate::EarlyDepth => "fails the depth test before the program",
        Fate::Unfinished => "used up its loop budget",
        Fate::Killed => "killed",
        Fate::AlphaTest => "fails the alpha test",
        Fate::AlphaToCoverage => "left out by its alpha",
        Fate::Depth => "fails the depth test",
        Fate::Kept => "kept",
    }
}
