//! Reading scripts.

use std::ops::Range;

use attila_shader::front::tgsi::Processor;
use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::machine::pipeline::TARGETS;

use super::command::{Command, Constants, Line, Primitive, TargetFormat};
use super::{MAX_COMMANDS, MAX_SIDE, MAX_VERTICES};
use crate::script;
use crate::words::Words;

/// Numbers of buffers of constants, and of other buffers.
const BUFFERS: Range<u32> = 0..32;

/// Numbers of registers of a buffer.
const REGISTERS: Range<u32> = 0..4096;

/// Numbers of groups along an axis of a grid.
const GROUPS: Range<u32> = 1..1 << 16;

/// How the words after the name of a command are read.
type Rest = fn(&mut Script, &mut Words<'_>) -> Result<Command, Remark>;

const COMMANDS: &[(&str, Rest)] = &[
    ("target", Script::target),
    ("tolerance", |_, words| {
        words.finite().map(Command::Tolerance)
    }),
    ("clear", |script, words| {
        script.words(words).map(Command::Clear)
    }),
    ("const", |_, words| constant(words)),
    ("draw", |_, words| draw(words)),
    ("probe", Script::probe),
    ("dispatch", |_, words| {
        let mut groups = [0; 3];
        for count in &mut groups {
            *count = words.index("group count", GROUPS)?;
        }
        Ok(Command::Dispatch(groups))
    }),
    ("expect", |_, words| expect(words)),
];

/// The facts about the commands before the current one that it depends on.
#[derive(Default)]
struct Script {
    /// The size, the format and the number of the targets.
    target: Option<([u32; 2], TargetFormat, u32)>,
}

/// Reads the section.
pub(super) fn script(
    text: &str,
    section: Option<Range<usize>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Line> {
    let mut script = Script::default();
    script::commands(text, section, MAX_COMMANDS, diagnostics, |start, line| {
        script.command(start, line)
    })
}

impl Script {
    fn command(&mut self, start: usize, line: &str) -> Result<Command, Remark> {
        let mut words = Words::new(start, line);
        let rest = words.command(COMMANDS)?;
        let command = rest(self, &mut words)?;
        words.end()?;
        Ok(command)
    }

    fn target(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let width = words.index("width", 1..MAX_SIDE + 1)?;
        let height = words.index("height", 1..MAX_SIDE + 1)?;
        let format = words.choice(&TargetFormat::WORDS)?;
        let count = match words.at_end() {
            true => 1,
            false => words.index("target count", 1..TARGETS as u32 + 1)?,
        };
        self.target = Some(([width, height], format, count));
        Ok(Command::Target {
            width,
            height,
            format,
            count,
        })
    }

    /// The size, the format and the number of the targets, which have to be there.
    fn targets(&self, words: &Words<'_>) -> Result<([u32; 2], TargetFormat, u32), Remark> {
        let message = "there is no `target` before this";
        self.target
            .ok_or_else(|| Remark::new(words.ahead().1, message))
    }

    /// The words of a pixel.
    fn words(&self, words: &mut Words<'_>) -> Result<[u32; 4], Remark> {
        let (_, format, _) = self.targets(words)?;
        let mut bits = [0; 4];
        for place in &mut bits {
            *place = match format.is_integer() {
                true => words.integer_bits()?,
                false => words.float_bits()?,
            };
        }
        Ok(bits)
    }

    fn probe(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let ([width, height], _, count) = self.targets(words)?;
        let target = match words.take("target") {
            true => words.index("target", 0..count)?,
            false => 0,
        };
        let place = [
            words.index("column", 0..width)?,
            words.index("row", 0..height)?,
        ];
        Ok(Command::Probe {
            target,
            place,
            words: self.words(words)?,
        })
    }
}

fn constant(words: &mut Words<'_>) -> Result<Command, Remark> {
    let program = words.choice(&[
        ("VERT", Processor::Vertex),
        ("GEOM", Processor::Geometry),
        ("FRAG", Processor::Fragment),
        ("COMP", Processor::Compute),
    ])?;
    let place = Constants {
        program,
        buffer: words.index("buffer", BUFFERS)?,
        register: words.index("register", REGISTERS)?,
    };
    let mut bits = [0; 4];
    for word in &mut bits {
        *word = words.integer_bits()?;
    }
    Ok(Command::Constant(place, bits))
}

fn draw(words: &mut Words<'_>) -> Result<Command, Remark> {
    let primitive = words.choice(&Primitive::WORDS)?;
    let first = words.index("vertex", 0..MAX_VERTICES)?;
    let (_, span) = words.ahead();
    let count = words.index("vertex count", 0..MAX_VERTICES + 1)?;
    let instances = match words.take("instances") {
        true => words.index("instance count", 1..MAX_VERTICES + 1)?,
        false => 1,
    };
    if u64::from(count) * u64::from(instances) > u64::from(MAX_VERTICES) {
        let message = format!("a draw has at most {MAX_VERTICES} vertices");
        return Err(Remark::new(span, message));
    }
    Ok(Command::Draw {
        primitive,
        first,
        count,
        instances,
    })
}

fn expect(words: &mut Words<'_>) -> Result<Command, Remark> {
    let buffer = words.indexed("BUFFER", BUFFERS)?;
    let (mut list, mut is_float) = (Vec::new(), false);
    while !words.at_end() {
        is_float |= !words.ahead().0.starts_with("0x");
        list.push(words.float_bits()?);
    }
    Ok(Command::Expect {
        buffer,
        words: list,
        is_float,
    })
}
