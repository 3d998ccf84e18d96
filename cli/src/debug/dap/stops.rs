//! Breakpoints: of lines, instructions, words that change, and what programs should not do.

use std::num::NonZero;

use attila_shader::debug::{Condition, Special};
use serde_json::{Value, json};

use super::lanes::{address, instruction_at};
use super::protocol::{BreakpointArgs, EvaluateArgs, LinesArgs, SetBreakpoints, SetExceptions};
use super::session::{Answer, MOST, Session};
use attila_debugger::{At, Breakpoint, Debugger, Hits};

/// The filters of exceptions: their names, what people call them, and whether editors set them at first.
const FILTERS: [(&str, &str, bool, At); 5] = [
    ("nan", "A NaN is made", true, At::Special(Special::Nan)),
    (
        "infinity",
        "An infinity is made",
        false,
        At::Special(Special::Infinity),
    ),
    (
        "denormal",
        "A denormal number is made",
        false,
        At::Special(Special::Denormal),
    ),
    ("divergence", "Lanes part", false, At::Parting),
    ("kill", "A lane is killed", false, At::Kill),
];

/// A breakpoint that an editor has set.
pub(super) struct Stop {
    /// Its number, if the editor knows it by one.
    pub(super) id: Option<i64>,
    kind: Kind,
    breakpoint: Breakpoint,
}

#[derive(Clone, Copy)]
enum Kind {
    Line,
    Instruction,
    Data,
    /// With the filter's name.
    Exception(&'static str),
}

impl Stop {
    /// The reason that the protocol has for it.
    pub(super) fn reason(&self) -> &'static str {
        match self.kind {
            Kind::Line => "breakpoint",
            Kind::Instruction => "instruction breakpoint",
            Kind::Data => "data breakpoint",
            Kind::Exception(_) => "exception",
        }
    }

    /// The filter that it is of.
    pub(super) fn filter(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Exception(filter) => Some(filter),
            Kind::Line | Kind::Instruction | Kind::Data => None,
        }
    }
}

/// All that are set.
#[derive(Default)]
pub(super) struct Stops {
    lines: Vec<Stop>,
    instructions: Vec<Stop>,
    data: Vec<Stop>,
    exceptions: Vec<Stop>,
    /// The last number that was given.
    last: i64,
}

impl Stops {
    fn all(&self) -> impl Iterator<Item = &Stop> {
        let lists = [
            &self.lines,
            &self.instructions,
            &self.data,
            &self.exceptions,
        ];
        lists.into_iter().flatten()
    }

    pub(super) fn breakpoints(&self) -> impl Iterator<Item = &Breakpoint> {
        self.all().map(|stop| &stop.breakpoint)
    }

    /// One, by its place among [`Stops::breakpoints`].
    pub(super) fn get(&self, number: usize) -> Option<&Stop> {
        self.all().nth(number)
    }

    fn next(&mut self) -> i64 {
        self.last += 1;
        self.last
    }
}

/// What has happened at a stop that was just reached.
pub(super) fn text(stop: &Stop, debugger: &Debugger) -> String {
    let named = |(place, lane): &(_, usize)| format!("{}[{lane}]", debugger.name(*place));
    let before = debugger.step.saturating_sub(1);
    match &stop.breakpoint.at {
        At::Special(special) => {
            let specials = debugger.recording().specials(before).into_iter();
            let made = specials.filter(|(_, _, it)| it == special);
            let words: Vec<String> = made.map(|(place, lane, _)| named(&(place, lane))).collect();
            let what = match special {
                Special::Nan => "a NaN",
                Special::Infinity => "an infinity",
                Special::Denormal => "a denormal number",
            };
            format!("{what} in {}", words.join(", "))
        }
        At::Change(place) => format!("{} has changed", debugger.name(*place)),
        At::Parting => "lanes part".to_owned(),
        At::Kill => "a lane is killed".to_owned(),
        At::Value(condition) => condition.to_string(),
        At::Line(line) => format!("line {line}"),
        At::Instruction(pc) => format!("instruction {pc}"),
    }
}

/// The filters, as `initialize` tells them.
pub(super) fn filters() -> Value {
    let filter = |(name, label, is_default, _): &(&str, &str, bool, At)| json!({"filter": name, "label": label, "default": is_default});
    FILTERS.iter().map(filter).collect()
}

/// `5`, `>= 5`, `> 4`, `== 5`, `% 5`.
fn hits(text: &str) -> Result<Hits, String> {
    let text = text.trim();
    let fault =
        || format!("`{text}` is not a number of hits: write `5`, `>= 5`, `> 4`, `== 5` or `% 5`");
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let sign = text[..text.len() - digits.len()].trim_end();
    let number: usize = digits.parse().map_err(|_| fault())?;
    match sign {
        "" | "=" | "==" => Ok(Hits::Only(number)),
        ">=" => Ok(Hits::From(number)),
        ">" => Ok(Hits::From(number.saturating_add(1))),
        "%" => NonZero::new(number).map(Hits::Every).ok_or_else(fault),
        _ => Err(fault()),
    }
}

impl BreakpointArgs {
    /// The breakpoint at a place, with what the request wants there.
    fn breakpoint(&self, at: At, debugger: &Debugger) -> Result<Breakpoint, String> {
        if self.log_message.is_some() {
            return Err(
                "log messages are not written: the console shows any step's values".to_owned(),
            );
        }
        let place = |name: &str| debugger.place(name);
        let condition = self
            .condition
            .as_ref()
            .filter(|text| !text.trim().is_empty());
        let condition = condition.map(|text| Condition::read(text, place));
        let counts = self
            .hit_condition
            .as_ref()
            .filter(|text| !text.trim().is_empty());
        Ok(Breakpoint {
            at,
            condition: condition.transpose().map_err(|error| error.to_string())?,
            hits: counts.map_or(Ok(Hits::All), |text| hits(text))?,
        })
    }
}

impl Session {
    pub(super) fn set_lines(&mut self, set: &SetBreakpoints) -> Answer {
        let is_program = self.is_program(set.source.as_ref());
        self.set(set, Kind::Line, |session, asked| {
            if !is_program {
                return Err("this file is not the program that runs".to_owned());
            }
            let line = session.of_line(asked.line.ok_or("a breakpoint has no line")?);
            let found = session.debugger()?.source().line_with_instructions(line);
            let found = found
                .ok_or_else(|| format!("no instruction comes from line {line} or a later one"))?;
            Ok((
                vec![At::Line(found)],
                json!({"line": session.to_line(found)}),
            ))
        })
    }

    pub(super) fn set_instructions(&mut self, set: &SetBreakpoints) -> Answer {
        self.set(set, Kind::Instruction, |session, asked| {
            let reference = asked.instruction_reference.as_deref().unwrap_or_default();
            let pc = instruction_at(reference, asked.offset.unwrap_or(0))?;
            let count = session
                .debugger()?
                .recording()
                .program()
                .program()
                .insts()
                .len();
            match usize::try_from(pc).ok().filter(|pc| *pc < count) {
                Some(pc) => Ok((
                    vec![At::Instruction(pc)],
                    json!({"instructionReference": address(pc as i64)}),
                )),
                None => Err(format!("there is no instruction at {}", address(pc))),
            }
        })
    }

    pub(super) fn set_data(&mut self, set: &SetBreakpoints) -> Answer {
        self.set(set, Kind::Data, |session, asked| {
            if asked
                .access_type
                .as_ref()
                .is_some_and(|kind| kind != "write")
            {
                return Err("a recording knows what is written, and not what is read".to_owned());
            }
            let name = asked.data_id.as_deref().unwrap_or_default();
            let places = session
                .debugger()?
                .places(name)
                .map_err(|error| error.to_string())?;
            Ok((places.into_iter().map(At::Change).collect(), json!({})))
        })
    }

    /// Sets the breakpoints of a kind: each becomes one or more, at places that `at` finds, with more about it for the editor.
    fn set(
        &mut self,
        set: &SetBreakpoints,
        kind: Kind,
        at: impl Fn(&Session, &BreakpointArgs) -> Result<(Vec<At>, Value), String>,
    ) -> Answer {
        if set.breakpoints.len() > MOST {
            return Err(format!("more than {MOST} breakpoints"));
        }
        self.debugger()?;
        let mut stops = Vec::new();
        let mut told = Vec::new();
        for asked in &set.breakpoints {
            let id = self.stops.next();
            let placed = at(self, asked).and_then(|(places, more)| {
                let debugger = self.debugger()?;
                let breakpoints = places.into_iter().map(|at| asked.breakpoint(at, debugger));
                Ok((breakpoints.collect::<Result<Vec<_>, _>>()?, more))
            });
            told.push(match placed {
                Ok((breakpoints, mut more)) => {
                    stops.extend(breakpoints.into_iter().map(|breakpoint| Stop {
                        id: Some(id),
                        kind,
                        breakpoint,
                    }));
                    more["id"] = id.into();
                    more["verified"] = true.into();
                    more
                }
                Err(message) => json!({"id": id, "verified": false, "message": message}),
            });
        }
        match kind {
            Kind::Line => self.stops.lines = stops,
            Kind::Instruction => self.stops.instructions = stops,
            Kind::Data => self.stops.data = stops,
            Kind::Exception(_) => self.stops.exceptions = stops,
        }
        Ok(json!({ "breakpoints": told }).into())
    }

    pub(super) fn set_exceptions(&mut self, set: &SetExceptions) -> Answer {
        let find = |name: &String| {
            let found = FILTERS.iter().find(|(filter, ..)| filter == name);
            found.ok_or_else(|| format!("`{name}` is not a kind of exception"))
        };
        let filters: Vec<_> = set.filters.iter().map(find).collect::<Result<_, _>>()?;
        let stops = filters.into_iter().map(|(filter, _, _, at)| Stop {
            id: None,
            kind: Kind::Exception(filter),
            breakpoint: Breakpoint {
                at: at.clone(),
                condition: None,
                hits: Hits::All,
            },
        });
        self.stops.exceptions = stops.collect();
        Ok(super::session::Reply::default())
    }

    /// The word or register of a variable, to be stopped at when it changes.
    pub(super) fn data_info(&self, asked: &EvaluateArgs) -> Answer {
        let name = self.full_name(&asked.expression, asked.variables_reference);
        let body = match self.debugger()?.places(&name) {
            Ok(_) => json!({
                "dataId": name, "description": name, "accessTypes": ["write"], "canPersist": true,
            }),
            Err(error) => json!({"dataId": null, "description": error.to_string()}),
        };
        Ok(body.into())
    }

    /// The lines from which instructions come.
    pub(super) fn lines(&self, asked: &LinesArgs) -> Answer {
        let source = self.debugger()?.source();
        let first = self.of_line(asked.line);
        let last = asked.end_line.map_or(first, |line| self.of_line(line));
        let mut lines = Vec::new();
        let mut next = source.line_with_instructions(first);
        while let Some(line) =
            next.filter(|line| *line <= last && self.is_program(Some(&asked.source)))
        {
            lines.push(json!({"line": self.to_line(line)}));
            next = source.line_with_instructions(line + 1);
        }
        Ok(json!({ "breakpoints": lines }).into())
    }
}
