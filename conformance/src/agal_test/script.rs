//! Reading scripts.

use std::ops::Range;

use attila_shader::draw::Cull;
use attila_shader::front::agal::Sampler;
use attila_shader::isa::{Diagnostics, Remark, Slots};
use attila_shader::machine::pipeline::BlendFactor;

use super::command::{Command, Line};
use super::data::constant;
use super::sections::Sections;
use super::{DEFAULT, MAX_COMMANDS, MAX_SIDE};
use crate::script;
use crate::words::Words;

/// How the words after the name of a command are read.
type Rest = fn(&mut Script<'_>, &mut Words<'_>) -> Result<Command, Remark>;

const COMMANDS: &[(&str, Rest)] = &[
    ("size", |script, words| script.size(words)),
    ("clear", |_, words| {
        words.numbers(Words::finite).map(Command::Clear)
    }),
    ("program", |script, words| script.program(words)),
    ("constant", |_, words| {
        constant(words).map(Command::Constant)
    }),
    ("sampler", |_, words| sampler(words)),
    ("blend", |_, words| {
        let factors = [words.choice(&FACTORS)?, words.choice(&FACTORS)?];
        Ok(Command::Blend(factors))
    }),
    ("cull", |_, words| {
        let sides = [
            ("none", Cull::None),
            ("front", Cull::Front),
            ("back", Cull::Back),
        ];
        words.choice(&sides).map(Command::Cull)
    }),
    ("scissor", |_, words| scissor(words)),
    ("color", |_, words| mask(words)),
    ("draw", |script, words| script.draw(words)),
    ("probe", |script, words| script.probe(words)),
];

const FACTORS: [(&str, BlendFactor); 10] = [
    ("zero", BlendFactor::Zero),
    ("one", BlendFactor::One),
    ("source_color", BlendFactor::SrcColour),
    ("one_minus_source_color", BlendFactor::OneMinusSrcColour),
    ("source_alpha", BlendFactor::SrcAlpha),
    ("one_minus_source_alpha", BlendFactor::OneMinusSrcAlpha),
    ("destination_color", BlendFactor::DstColour),
    (
        "one_minus_destination_color",
        BlendFactor::OneMinusDstColour,
    ),
    ("destination_alpha", BlendFactor::DstAlpha),
    ("one_minus_destination_alpha", BlendFactor::OneMinusDstAlpha),
];

/// The facts about the commands before the current one that it depends on.
struct Script<'a> {
    sections: &'a Sections,
    triangles: usize,
    /// The size of the picture.
    size: Option<[u32; 2]>,
    has_program: bool,
}

/// Reads the script.
pub(super) fn read(
    text: &str,
    sections: &Sections,
    triangles: &[[u32; 3]],
    diagnostics: &mut Diagnostics,
) -> Vec<Line> {
    let mut script = Script {
        sections,
        triangles: triangles.len(),
        size: None,
        has_program: sections.pair(DEFAULT).is_some(),
    };
    let section = sections.script.clone();
    script::commands(text, section, MAX_COMMANDS, diagnostics, |start, line| {
        script.command(start, line)
    })
}

impl Script<'_> {
    fn command(&mut self, start: usize, line: &str) -> Result<Command, Remark> {
        let mut words = Words::new(start, line);
        let rest = words.command(COMMANDS)?;
        let command = rest(self, &mut words)?;
        words.end()?;
        Ok(command)
    }

    fn size(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let width = words.index("width", 1..MAX_SIDE + 1)?;
        let height = words.index("height", 1..MAX_SIDE + 1)?;
        self.size = Some([width, height]);
        Ok(Command::Size([width, height]))
    }

    /// The size of the picture, which has to be there.
    fn sides(&self, words: &Words<'_>) -> Result<[u32; 2], Remark> {
        let message = "there is no `size` before this";
        self.size
            .ok_or_else(|| Remark::new(words.ahead().1, message))
    }

    fn program(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let (name, span) = words.ahead();
        words.take(name);
        match self.sections.pair(name) {
            Some(pair) => {
                self.has_program = true;
                Ok(Command::Program(pair))
            }
            None => Err(Remark::new(span, format!("there is no program `{name}`"))),
        }
    }

    /// The number of the first index, and how many triangles.
    fn draw(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        self.sides(words)?;
        let (_, span) = words.ahead();
        if !self.has_program {
            return Err(Remark::new(span, "there is no `program` before this"));
        }
        let indices = 3 * self.triangles as u32;
        let first = words.index("index", 0..indices + 1)?;
        if !first.is_multiple_of(3) {
            let message = format!("no triangle begins at index {first}");
            return Err(Remark::new(span, message));
        }
        let first = first / 3;
        let rest = self.triangles as u32 - first;
        let count = words.index("triangle count", 0..rest + 1)?;
        Ok(Command::Draw(first as usize..(first + count) as usize))
    }

    fn probe(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let [width, height] = self.sides(words)?;
        let place = [
            words.index("column", 0..width)?,
            words.index("row", 0..height)?,
        ];
        let mut expected = [0; 3];
        for channel in &mut expected {
            *channel = words.index("colour", 0..256)?;
        }
        words.choice(&[("tolerance", ())])?;
        Ok(Command::Probe {
            place,
            expected,
            tolerance: words.index("tolerance", 0..256)?,
        })
    }
}

/// A field of samplers: its name in messages, and a plain sampler with the field of another.
type Field = (&'static str, fn(&Sampler) -> Sampler);

/// `sampler 0 repeat linear mipnone`.
fn sampler(words: &mut Words<'_>) -> Result<Command, Remark> {
    let unit = words.index("sampler", 0..16)? as u16;
    let mut sampler = Sampler::default();
    let fields: [Field; 3] = [
        ("a wrap mode", |it| Sampler {
            wrap: it.wrap,
            ..Sampler::default()
        }),
        ("a filter", |it| Sampler {
            filter: it.filter,
            ..Sampler::default()
        }),
        ("a mip filter", |it| Sampler {
            mip: it.mip,
            ..Sampler::default()
        }),
    ];
    for (what, only) in fields {
        let (word, span) = words.ahead();
        let with = Sampler::default().with_option(word);
        if with.is_none_or(|with| only(&with) != with) {
            return Err(Remark::new(span, format!("`{word}` is not {what}")));
        }
        words.take(word);
        sampler = sampler.with_option(word).unwrap_or(sampler);
    }
    Ok(Command::Sampler(Sampler { unit, ..sampler }))
}

/// `scissor X Y W H`, or `scissor off`.
fn scissor(words: &mut Words<'_>) -> Result<Command, Remark> {
    if words.take("off") {
        return Ok(Command::Scissor(None));
    }
    let sides = 0..MAX_SIDE + 1;
    let x = words.index("column", sides.clone())?;
    let y = words.index("row", sides.clone())?;
    let width = words.index("width", sides.clone())?;
    let height = words.index("height", sides)?;
    let ranges: [Range<u32>; 2] = [x..x + width, y..y + height];
    Ok(Command::Scissor(Some(ranges)))
}

/// `color mask R G B A`.
fn mask(words: &mut Words<'_>) -> Result<Command, Remark> {
    words.choice(&[("mask", ())])?;
    let mut mask = Slots::empty();
    for slot in [Slots::X, Slots::Y, Slots::Z, Slots::W] {
        if words.index("mask", 0..2)? == 1 {
            mask |= slot;
        }
    }
    Ok(Command::ColourMask(mask))
}
