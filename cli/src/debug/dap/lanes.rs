//! A lane's way: where it stands, its steps, its source and its instructions.

use attila_shader::debug::Step;
use serde_json::{Value, json};

use super::protocol::{DisassembleArgs, LinesArgs, ThreadArgs};
use super::session::{Answer, MOST, Session};
use attila_debugger::Way;

/// Bytes of an instruction: addresses of instructions are those of their words.
const BYTES: i64 = 16;

/// The address of an instruction.
pub(super) fn address(pc: i64) -> String {
    match pc.saturating_mul(BYTES) {
        at if at < 0 => format!("-{:#06x}", at.unsigned_abs()),
        at => format!("{at:#06x}"),
    }
}

/// The instruction at an address, and so many bytes after it.
pub(super) fn instruction_at(reference: &str, offset: i64) -> Result<i64, String> {
    let digits = reference.strip_prefix("0x");
    let at = digits.and_then(|digits| i64::from_str_radix(digits, 16).ok());
    let at = at.ok_or_else(|| format!("`{reference}` is not an address"))?;
    Ok(at.saturating_add(offset).div_euclid(BYTES))
}

impl ThreadArgs {
    /// The lane that a thread is.
    fn lane(&self) -> Result<usize, String> {
        let lane = self.thread_id.checked_sub(1).filter(|lane| *lane < 4);
        lane.ok_or_else(|| {
            format!(
                "there is no thread {}; they are lanes, 1 to 4",
                self.thread_id
            )
        })
    }
}

impl Session {
    /// Steps to the lane's next line, or instruction if it is so fine; backwards to where a line begins.
    pub(super) fn step_line(&mut self, args: &ThreadArgs, way: Way) -> Answer {
        let lane = args.lane()?;
        let is_fine = args.granularity.as_deref() == Some("instruction");
        let step = self.debugger()?.next_of_lane(lane, way, is_fine);
        self.stepped(step, lane)
    }

    /// Steps to the lane's next instruction: into what a line has become.
    pub(super) fn step_in(&mut self, args: &ThreadArgs) -> Answer {
        let lane = args.lane()?;
        let debugger = self.debugger()?;
        let next = debugger.steps_of_lane(lane, Way::Forwards).next();
        self.stepped(next.map_or(debugger.last(), |step| step.number), lane)
    }

    /// Steps out of the lane's loop, or to the end.
    pub(super) fn step_out(&mut self, args: &ThreadArgs) -> Answer {
        let lane = args.lane()?;
        let debugger = self.debugger()?;
        let here = debugger
            .standing(lane)
            .and_then(|step| debugger.innermost_loop(step.pc));
        let is_out =
            |step: &Step<'_>| here.is_some_and(|[first, last]| !(first..=last).contains(&step.pc));
        let found = debugger.steps_of_lane(lane, Way::Forwards).find(is_out);
        self.stepped(found.map_or(debugger.last(), |step| step.number), lane)
    }

    /// Steps over an iteration: to where control goes back.
    pub(super) fn over(&mut self) -> Answer {
        let debugger = self.debugger()?;
        let (step, lane) = (
            debugger.recording().after_iteration(debugger.step),
            debugger.subject.lane,
        );
        self.stepped(step, lane)
    }

    /// The line that can be gone to: the target's number is that of its line.
    pub(super) fn targets(&self, asked: &LinesArgs) -> Answer {
        let line = self.of_line(asked.line);
        let found = self.debugger()?.source().line_with_instructions(line);
        let found = found.filter(|_| self.is_program(Some(&asked.source)));
        let target =
            |line| json!({"id": line, "label": format!("line {line}"), "line": self.to_line(line)});
        let targets: Vec<Value> = found.map(target).into_iter().collect();
        Ok(json!({ "targets": targets }).into())
    }

    /// Goes on to a line, or back to it if it is not executed any more.
    pub(super) fn go_to(&mut self, args: &ThreadArgs) -> Answer {
        let lane = args.lane()?;
        let line = args.target_id.ok_or("`goto` has no `targetId`")?;
        let debugger = self.debugger_mut()?;
        let is_found =
            debugger.go_to_line(line, Way::Forwards) || debugger.go_to_line(line, Way::Backwards);
        match is_found {
            true => {
                let step = debugger.step;
                self.stepped(step, lane)
            }
            false => Err(format!("line {line} is not executed")),
        }
    }

    /// A lane has one frame.
    pub(super) fn stack(&self, args: &ThreadArgs) -> Answer {
        let lane = args.lane()?;
        if args.start_frame > 0 {
            return Ok(json!({"stackFrames": [], "totalFrames": 1}).into());
        }
        let debugger = self.debugger()?;
        let mut frame = json!({"id": lane + 1, "line": 0, "column": 0});
        let here = debugger.standing(lane);
        frame["name"] = match &here {
            None => format!("{}: the end", debugger.subject.name),
            Some(step) if step.number > debugger.step => {
                format!("{}: waits for step {}", debugger.subject.name, step.number)
            }
            Some(step) => format!("{}: step {}", debugger.subject.name, step.number),
        }
        .into();
        if let Some(step) = here {
            frame["instructionPointerReference"] = address(step.pc as i64).into();
            if let Some(position) = debugger.source().position(step.pc) {
                frame["line"] = self.to_line(position.line).into();
                frame["column"] = self.to_column(position.column).into();
                frame["source"] = self.file();
            }
        }
        Ok(json!({"stackFrames": [frame], "totalFrames": 1}).into())
    }

    /// The program's text: a file, or a disassembly that `source` answers with.
    fn file(&self) -> Value {
        let subject = self.debugger().map(|it| &it.subject);
        let file = subject.ok().and_then(|it| it.file.as_ref());
        match file.and_then(|file| std::path::absolute(file).ok()) {
            Some(path) => {
                json!({"path": path.to_string_lossy(), "name": path.file_name().map(|it| it.to_string_lossy())})
            }
            None => json!({"sourceReference": 1, "name": "disassembly"}),
        }
    }

    pub(super) fn source(&self) -> Answer {
        Ok(json!({"content": self.debugger()?.source().text()}).into())
    }

    pub(super) fn disassemble(&self, args: &DisassembleArgs) -> Answer {
        if args.instruction_count > MOST {
            return Err(format!("more than {MOST} instructions"));
        }
        let debugger = self.debugger()?;
        let first = instruction_at(&args.memory_reference, args.offset)?;
        let first = first.saturating_add(args.instruction_offset);
        let insts = debugger.recording().program().program().insts();
        let instruction = |next: usize| {
            let pc = first.saturating_add(next as i64);
            let inside = usize::try_from(pc).ok().filter(|pc| *pc < insts.len());
            let Some(inside) = inside else {
                return json!({"address": address(pc), "instruction": "", "presentationHint": "invalid"});
            };
            let mut told = json!({
                "address": address(pc), "instruction": debugger.source().instruction(inside),
            });
            if let Ok(word) = insts[inside].encode() {
                let (low, high) = word.halves();
                told["instructionBytes"] = format!("{high:016x}{low:016x}").into();
            }
            if let Some(position) = debugger.source().position(inside) {
                told["line"] = self.to_line(position.line).into();
                told["location"] = self.file();
            }
            told
        };
        let instructions: Vec<Value> = (0..args.instruction_count).map(instruction).collect();
        Ok(json!({ "instructions": instructions }).into())
    }
}
