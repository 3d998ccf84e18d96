//! [`Session`]: the state of a debugging session, and the answers to requests.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::launch;
use super::protocol::{Client, Launch, PixelArgs, Request, SourceArgs};
use super::stops::{self, Stops};
use super::variables::Handle;
use attila_debugger::Kind;
use attila_debugger::{Debugger, Way};

/// The limit of what a request may ask for at once.
pub(super) const MOST: usize = 1 << 16;

/// Why requests before `launch` fail.
const NOTHING: &str = "nothing has been launched";

/// The state of a session: the recording, its breakpoints, and what the editor may refer to.
#[derive(Default)]
pub(super) struct Session {
    client: Client,
    debugger: Option<Debugger>,
    /// The launched program and its options, for the recordings of other pixels.
    launch: Option<Launch>,
    pub(super) stops: Stops,
    pub(super) handles: Vec<Handle>,
    /// How registers are shown that somebody has chosen a type for.
    pub(super) kinds: HashMap<String, Kind>,
    /// Why lanes stopped last, if an exception breakpoint was reached.
    exception: Option<(&'static str, String)>,
    sent: i64,
    is_over: bool,
}

/// The answer to a request: its body, and events after it.
#[derive(Default)]
pub(super) struct Reply {
    body: Value,
    events: Vec<(&'static str, Value)>,
}

pub(super) type Answer = Result<Reply, String>;

impl From<Value> for Reply {
    fn from(body: Value) -> Reply {
        Reply {
            body,
            events: Vec::new(),
        }
    }
}

impl Reply {
    fn with(mut self, event: &'static str, body: Value) -> Reply {
        self.events.push((event, body));
        self
    }
}

impl Session {
    /// Whether the editor is done.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// The messages that a message is answered with.
    pub(super) fn answer(&mut self, message: Value) -> Vec<Value> {
        let kind = message.get("type").and_then(Value::as_str);
        if kind.is_some_and(|kind| kind != "request") {
            return vec![self.complaint("only requests are answered")];
        }
        match serde_json::from_value::<Request>(message) {
            Err(error) => vec![self.complaint(&format!("this is not a request: {error}"))],
            Ok(request) => {
                let reply = self.reply(&request);
                self.messages(&request, reply)
            }
        }
    }

    /// An event that says what is wrong with a message that nothing can be answered to.
    pub(super) fn complaint(&mut self, text: &str) -> Value {
        let body = json!({"category": "stderr", "output": format!("{text}\n")});
        self.event("output", &body)
    }

    fn messages(&mut self, request: &Request, reply: Answer) -> Vec<Value> {
        let (reply, success) = match reply {
            Ok(reply) => (reply, json!({"success": true})),
            Err(mut text) => {
                // It may quote what was asked.
                text.truncate(text.floor_char_boundary(MOST));
                let error = json!({"id": 1, "format": "{text}", "variables": {"text": text}, "showUser": true});
                let body = Reply::from(json!({ "error": error }));
                (body, json!({"success": false, "message": text}))
            }
        };
        self.sent += 1;
        let mut response = json!({
            "seq": self.sent, "type": "response", "request_seq": request.seq, "command": request.command,
        });
        merge(&mut response, success);
        if !reply.body.is_null() {
            response["body"] = reply.body;
        }
        let mut messages = vec![response];
        for (name, body) in reply.events {
            messages.push(self.event(name, &body));
        }
        messages
    }

    fn event(&mut self, name: &str, body: &Value) -> Value {
        self.sent += 1;
        json!({"seq": self.sent, "type": "event", "event": name, "body": body})
    }

    fn reply(&mut self, request: &Request) -> Answer {
        match request.command.as_str() {
            "initialize" => {
                self.client = arguments(request)?;
                Ok(capabilities().into())
            }
            "launch" => self.launch(arguments(request)?),
            "configurationDone" => self.begin(),
            "setBreakpoints" => self.set_lines(&arguments(request)?),
            "setInstructionBreakpoints" => self.set_instructions(&arguments(request)?),
            "setDataBreakpoints" => self.set_data(&arguments(request)?),
            "setExceptionBreakpoints" => self.set_exceptions(&arguments(request)?),
            "dataBreakpointInfo" => self.data_info(&arguments(request)?),
            "breakpointLocations" => self.lines(&arguments(request)?),
            "exceptionInfo" => self.exception_info(),
            "threads" => Ok(threads().into()),
            "stackTrace" => self.stack(&arguments(request)?),
            "scopes" => self.scopes(&arguments(request)?),
            "variables" => self.variables(&arguments(request)?),
            "evaluate" => self.evaluate(&arguments(request)?),
            "source" => self.source(),
            "disassemble" => self.disassemble(&arguments(request)?),
            "continue" => self.run(Way::Forwards),
            "reverseContinue" => self.run(Way::Backwards),
            "next" => self.step_line(&arguments(request)?, Way::Forwards),
            "stepBack" => self.step_line(&arguments(request)?, Way::Backwards),
            "stepIn" => self.step_in(&arguments(request)?),
            "stepOut" => self.step_out(&arguments(request)?),
            "gotoTargets" => self.targets(&arguments(request)?),
            "goto" => self.go_to(&arguments(request)?),
            "pause" => self.stopped("pause", None),
            "disconnect" | "terminate" => {
                self.is_over = true;
                Ok(Reply::default())
            }
            "attila/cone" => self.cone(&arguments(request)?),
            "attila/kind" => self.set_kind(&arguments(request)?),
            "attila/over" => self.over(),
            "attila/picture" => self.picture(),
            "attila/pixel" => self.pixel(&arguments(request)?),
            "attila/history" => {
                Ok(json!({"lines": attila_debugger::history(self.debugger()?)}).into())
            }
            "attach" => Err("there is nothing to attach to: a program is launched".to_owned()),
            command => Err(format!(
                "`{command}` is not a request that is answered here"
            )),
        }
    }

    fn launch(&mut self, launch: Launch) -> Answer {
        self.debugger = Some(launch::debugger(&launch, None)?);
        self.launch = Some(launch);
        self.moved();
        Ok(Reply::default().with("initialized", Value::Null))
    }

    /// Records another pixel, with the breakpoints that there are, and begins anew.
    fn pixel(&mut self, args: &PixelArgs) -> Answer {
        let before = self.debugger()?;
        let launch = self.launch.as_ref().ok_or(NOTHING)?;
        let mut debugger = launch::debugger(launch, Some(args.pixel))?;
        if debugger.source().text() != before.source().text() {
            return Err("the program is another than the launched one; launch it again".to_owned());
        }
        debugger.breakpoints.clone_from(&before.breakpoints);
        debugger.watches.clone_from(&before.watches);
        self.debugger = Some(debugger);
        self.moved();
        self.begin()
    }

    /// All breakpoints are known: stops at the entry, or runs on to the first.
    fn begin(&mut self) -> Answer {
        let launch = self.launch.as_ref().ok_or(NOTHING)?;
        match launch.stop_on_entry {
            true => self.stopped("entry", None),
            false => self.run_from_here(Way::Forwards),
        }
    }

    /// The debugger of the launched program.
    pub(super) fn debugger(&self) -> Result<&Debugger, String> {
        let debugger = self.debugger.as_ref();
        debugger.ok_or_else(|| NOTHING.to_owned())
    }

    pub(super) fn debugger_mut(&mut self) -> Result<&mut Debugger, String> {
        let debugger = self.debugger.as_mut();
        debugger.ok_or_else(|| NOTHING.to_owned())
    }

    /// A line as the editor counts.
    pub(super) fn to_line(&self, line: usize) -> usize {
        line - usize::from(!self.client.lines_start_at1)
    }

    /// A line that the editor has counted, from 1.
    pub(super) fn of_line(&self, line: usize) -> usize {
        line.saturating_add(usize::from(!self.client.lines_start_at1))
    }

    /// A column as the editor counts.
    pub(super) fn to_column(&self, column: usize) -> usize {
        column - usize::from(!self.client.columns_start_at1)
    }

    /// Whether a source is the program's.
    pub(super) fn is_program(&self, source: Option<&SourceArgs>) -> bool {
        let file = self
            .debugger
            .as_ref()
            .and_then(|it| it.subject.file.as_ref());
        let path = source.and_then(|it| it.path.as_ref());
        match (file, path) {
            (Some(file), Some(path)) => {
                let [a, b] = [
                    file.canonicalize(),
                    std::path::Path::new(path).canonicalize(),
                ];
                a.is_ok_and(|a| b.is_ok_and(|b| a == b))
            }
            _ => source.is_some_and(|it| it.source_reference.is_some_and(|it| it > 0)),
        }
    }

    /// Forgets what belongs to the step before.
    fn moved(&mut self) {
        self.handles.clear();
        self.exception = None;
    }

    /// Runs on to a breakpoint or to the end; from the end, the session is over.
    fn run(&mut self, way: Way) -> Answer {
        let debugger = self.debugger()?;
        if way == Way::Forwards && debugger.step == debugger.last() {
            return Ok(Reply::from(json!({"allThreadsContinued": true}))
                .with("exited", json!({"exitCode": 0}))
                .with("terminated", Value::Null));
        }
        let mut reply = self.run_from_here(way)?;
        reply.body = json!({"allThreadsContinued": true});
        Ok(reply)
    }

    fn run_from_here(&mut self, way: Way) -> Answer {
        let stops = std::mem::take(&mut self.stops);
        let debugger = self.debugger_mut()?;
        let own = debugger.breakpoints.len();
        debugger.breakpoints.extend(stops.breakpoints().cloned());
        let reached = debugger.run(way);
        debugger.breakpoints.truncate(own);
        let end = attila_debugger::end(debugger);
        let is_end = debugger.step == debugger.last();
        self.stops = stops;
        self.moved();
        let stop = reached.and_then(|number| number.checked_sub(own));
        match (reached, stop.and_then(|number| self.stops.get(number))) {
            (None, _) if is_end => self.stopped("end", Some(end)),
            (None, _) => self.stopped("entry", None),
            (Some(_), None) => self.stopped("breakpoint", None),
            (Some(_), Some(stop)) => {
                let (reason, id) = (stop.reason(), stop.id);
                let what = stops::text(stop, self.debugger()?);
                self.exception = stop.filter().map(|filter| (filter, what.clone()));
                let mut reply = self.stopped(reason, Some(what))?;
                if let (Some((_, body)), Some(id)) = (reply.events.last_mut(), id) {
                    body["hitBreakpointIds"] = json!([id]);
                }
                Ok(reply)
            }
        }
    }

    /// The lanes stand at a step.
    pub(super) fn stopped(&mut self, reason: &str, text: Option<String>) -> Answer {
        let debugger = self.debugger()?;
        let active = debugger.recording().step(debugger.step).map(|it| it.active);
        let lane = debugger.subject.lane;
        // The pixel's own lane, unless only others are there.
        let others = active.and_then(|active| (0..4).find(|lane| active.has(*lane)));
        let lane = match active.is_some_and(|active| active.has(lane)) {
            true => lane,
            false => others.unwrap_or(lane),
        };
        let mut body = json!({
            "reason": reason, "threadId": lane + 1, "allThreadsStopped": true,
        });
        if let Some(text) = text {
            body["description"] = text.clone().into();
            body["text"] = text.into();
        }
        Ok(Reply::default().with("stopped", body))
    }

    /// The lane stands at a step that a request has gone to.
    pub(super) fn stepped(&mut self, step: usize, lane: usize) -> Answer {
        self.moved();
        let debugger = self.debugger_mut()?;
        debugger.go(step);
        let is_end = debugger.step == debugger.last();
        let end = is_end.then(|| attila_debugger::end(debugger));
        let mut reply = self.stopped("step", end)?;
        if let Some((_, body)) = reply.events.last_mut() {
            body["threadId"] = json!(lane + 1);
        }
        Ok(reply)
    }

    /// What the editor shows of variables is out of date.
    pub(super) fn invalidated(&self) -> Reply {
        match self.client.supports_invalidated_event {
            true => Reply::default().with("invalidated", json!({"areas": ["variables"]})),
            false => Reply::default(),
        }
    }

    /// What somebody types into the console, when it is a command.
    pub(super) fn command(&mut self, line: &str) -> Answer {
        let debugger = self.debugger_mut()?;
        let before = debugger.step;
        let lines = attila_debugger::execute(debugger, line)?;
        let has_moved = debugger.step != before;
        let body = json!({"result": lines.join("\n"), "variablesReference": 0});
        if !has_moved {
            return Ok(body.into());
        }
        self.moved();
        let mut reply = self.stopped("goto", None)?;
        reply.body = body;
        Ok(reply)
    }

    fn exception_info(&self) -> Answer {
        let exception = self.exception.as_ref();
        let (filter, text) = exception.ok_or("no exception breakpoint was reached")?;
        Ok(json!({"exceptionId": filter, "description": text, "breakMode": "always"}).into())
    }
}

/// The arguments of a request.
fn arguments<T: DeserializeOwned>(request: &Request) -> Result<T, String> {
    let arguments = Some(&request.arguments).filter(|it| !it.is_null());
    let arguments = arguments.map_or_else(|| json!({}), Value::clone);
    serde_json::from_value(arguments)
        .map_err(|error| format!("the arguments of `{}`: {error}", request.command))
}

/// Adds the members of an object to another.
fn merge(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(members)) = (object, members) {
        object.extend(members);
    }
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsGotoTargetsRequest": true,
        "supportsSteppingGranularity": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsExceptionInfoRequest": true,
        "supportsDisassembleRequest": true,
        "supportsValueFormattingOptions": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": stops::filters(),
    })
}

fn threads() -> Value {
    let threads = (0..4).map(|lane| json!({"id": lane + 1, "name": format!("lane {lane}")}));
    json!({"threads": threads.collect::<Vec<_>>()})
}
