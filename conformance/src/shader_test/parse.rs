//! Reading scripts.

use std::collections::BTreeSet;
use std::ops::Range;

use attila_shader::front::arb::ArbStage;
use attila_shader::isa::{Diagnostics, Remark, nearest};
use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::DepthMode;

use super::command::{Command, ImageKind, Parameter, ParameterBank, Place, Probe, TexParameter};
use super::{Line, MAX_COMMANDS, MAX_TEXELS, MAX_TEXTURE, WINDOW};
use crate::script;
use crate::words::Words;
use attila_shader::front::arb::{Profile, Target};

/// How the words after the name of a command are read.
type Rest = fn(&mut Script, &mut Words<'_>) -> Result<Command, Remark>;

/// The commands. Names that others begin with come after those.
const COMMANDS: &[(&str, Rest)] = &[
    ("clear color", |_, words| {
        words.numbers(Words::number).map(Command::ClearColor)
    }),
    ("clear depth", |_, words| {
        words.number().map(Command::ClearDepth)
    }),
    ("clear", |_, _| Ok(Command::Clear)),
    ("color", |_, words| {
        words.numbers(Words::number).map(Command::Color)
    }),
    ("texcoord", |_, words| {
        let unit = words.index("unit", 0..PROFILE.texture_coordinates)?;
        Ok(Command::TexCoord(unit, words.tuple(Words::number)?))
    }),
    ("ortho", |_, words| ortho(words)),
    ("parameter", |_, words| parameter(words)),
    ("enable", |_, words| {
        words.choice(&[
            ("GL_DEPTH_TEST", Command::DepthTest),
            ("GL_VERTEX_PROGRAM_TWO_SIDE_ARB", Command::TwoSided),
            ("GL_VERTEX_PROGRAM_TWO_SIDE", Command::TwoSided),
        ])
    }),
    ("texture", Script::texture),
    ("texparameter", Script::tex_parameter),
    ("draw rect tex", |_, words| {
        let rectangle = words.numbers(Words::number)?;
        let coordinates = words.numbers(Words::number)?;
        Ok(Command::Draw(rectangle, Some(coordinates)))
    }),
    ("draw rect", |_, words| {
        let rectangle = words.numbers(Words::number)?;
        Ok(Command::Draw(rectangle, None))
    }),
    ("probe all rgba", |_, words| {
        words
            .numbers(Words::finite)
            .map(|colour| Command::Probe(Probe::All(colour)))
    }),
    ("relative probe rgba", |_, words| {
        let (place, colour) = (relative(words)?, words.tuple(Words::finite)?);
        Ok(Command::Probe(Probe::Rgba(place, colour)))
    }),
    ("relative probe rgb", |_, words| {
        let (place, colour) = (relative(words)?, words.tuple(Words::finite)?);
        Ok(Command::Probe(Probe::Rgb(place, colour)))
    }),
    ("probe rgba", |_, words| {
        let (place, colour) = (absolute(words)?, words.numbers(Words::finite)?);
        Ok(Command::Probe(Probe::Rgba(place, colour)))
    }),
    ("probe rgb", |_, words| {
        let (place, colour) = (absolute(words)?, words.numbers(Words::finite)?);
        Ok(Command::Probe(Probe::Rgb(place, colour)))
    }),
    ("probe depth", |_, words| {
        let (place, depth) = (absolute(words)?, words.finite()?);
        Ok(Command::Probe(Probe::Depth(place, depth)))
    }),
];

/// The limits of the programs of tests.
pub(super) const PROFILE: Profile = Profile::ROOMY;

const COMPARES: [(&str, Compare); 8] = [
    ("greater", Compare::Greater),
    ("gequal", Compare::GreaterEqual),
    ("less", Compare::Less),
    ("lequal", Compare::LessEqual),
    ("equal", Compare::Equal),
    ("notequal", Compare::NotEqual),
    ("never", Compare::Never),
    ("always", Compare::Always),
];

const DEPTH_MODES: [(&str, DepthMode); 3] = [
    ("luminance", DepthMode::Luminance),
    ("intensity", DepthMode::Intensity),
    ("alpha", DepthMode::Alpha),
];

/// The part of a script that has been read, as far as the rest depends on it.
#[derive(Default)]
struct Script {
    /// The textures that there are.
    textures: BTreeSet<(u32, Target)>,
    /// The unit of the last one.
    unit: u32,
    /// The texels of all that were made.
    texels: u32,
}

/// Reads the section.
pub(super) fn script(
    text: &str,
    section: Option<Range<usize>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Line> {
    let mut script = Script::default();
    script::commands(text, section, MAX_COMMANDS, diagnostics, |start, line| {
        script.command(&mut Words::new(start, line))
    })
}

impl Script {
    fn command(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let (first, span) = words.ahead();
        let Some((_, rest)) = COMMANDS.iter().find(|(name, _)| words.take(name)) else {
            return Err(unknown(first, span));
        };
        let command = rest(self, words)?;
        words.end()?;
        Ok(command)
    }

    fn texture(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        #[derive(Clone, Copy)]
        enum Kind {
            Quarters,
            Levels,
            Row,
            Depths,
        }
        let (kind, target) = words.choice(&[
            ("rgbw", (Kind::Quarters, Target::TwoD)),
            ("miptree", (Kind::Levels, Target::TwoD)),
            ("shadow1D", (Kind::Row, Target::OneD)),
            ("shadow2D", (Kind::Depths, Target::TwoD)),
            ("shadowRect", (Kind::Depths, Target::Rectangle)),
        ])?;
        let unit = words.index("unit", 0..PROFILE.texture_units)?;
        let (_, place) = words.ahead();
        let size = |words: &mut Words<'_>| words.index("size", 1..MAX_TEXTURE + 1);
        let image = match kind {
            Kind::Quarters => {
                let [width, height] = words.tuple(size)?;
                ImageKind::Quarters(width, height)
            }
            Kind::Levels => ImageKind::Levels,
            Kind::Row => {
                let [width] = words.tuple(size)?;
                ImageKind::Depths(width, 1)
            }
            Kind::Depths => {
                let [width, height] = words.tuple(size)?;
                ImageKind::Depths(width, height)
            }
        };
        self.add_texels(image, place)?;
        self.unit = unit;
        self.textures.insert((unit, target));
        Ok(Command::Texture(unit, target, image))
    }

    /// Counts the texels of a texture whose size is at `place`.
    fn add_texels(&mut self, image: ImageKind, place: Range<usize>) -> Result<(), Remark> {
        let texels = match image {
            ImageKind::Quarters(width, height) | ImageKind::Depths(width, height) => width * height,
            ImageKind::Levels => return Ok(()),
        };
        // Neither is above the limit.
        if self.texels + texels > MAX_TEXELS {
            let message =
                format!("the textures of a script have at most {MAX_TEXELS} texels together");
            return Err(Remark::new(place, message));
        }
        self.texels += texels;
        Ok(())
    }

    fn tex_parameter(&mut self, words: &mut Words<'_>) -> Result<Command, Remark> {
        let (name, span) = words.ahead();
        let target = words.choice(&[
            ("1D", Target::OneD),
            ("2D", Target::TwoD),
            ("Rect", Target::Rectangle),
        ])?;
        let unit = self.unit;
        if !self.textures.contains(&(unit, target)) {
            let message = format!("unit {unit} has no {name} texture");
            return Err(Remark::new(span, message));
        }
        let compare = words.choice(&[("depth_mode", false), ("compare_func", true)])?;
        let parameter = if compare {
            TexParameter::Compare(words.choice(&COMPARES)?)
        } else {
            TexParameter::DepthMode(words.choice(&DEPTH_MODES)?)
        };
        Ok(Command::TexParameter(unit, target, parameter))
    }
}

fn unknown(first: &str, span: Range<usize>) -> Remark {
    let names = || COMMANDS.iter().map(|(name, _)| *name);
    let longer = names().filter(|name| name.split(' ').next() == Some(first));
    let longer: Vec<&str> = longer.collect();
    if !longer.is_empty() {
        let message = format!("expected another word after `{first}`");
        let help = format!("the commands are `{}`", longer.join("`, `"));
        return Remark::new(span, message).help(help);
    }
    let remark = Remark::new(span, format!("there is no command `{first}`"));
    match nearest(first, names().filter_map(|name| name.split(' ').next())) {
        Some(near) => remark.help(format!("did you mean `{near}`?")),
        None => remark,
    }
}

fn ortho(words: &mut Words<'_>) -> Result<Command, Remark> {
    let window = WINDOW as f32;
    let sides = if words.at_end() {
        [0.0, window, 0.0, window]
    } else {
        words.numbers(Words::finite)?
    };
    Ok(Command::Ortho(sides))
}

fn parameter(words: &mut Words<'_>) -> Result<Command, Remark> {
    let (stage, bank) = words.choice(&[
        ("local_vp", (ArbStage::Vertex, ParameterBank::Local)),
        ("env_vp", (ArbStage::Vertex, ParameterBank::Env)),
        ("local_fp", (ArbStage::Fragment, ParameterBank::Local)),
        ("env_fp", (ArbStage::Fragment, ParameterBank::Env)),
    ])?;
    let limits = PROFILE.limits(stage);
    let count = match bank {
        ParameterBank::Env => limits.env,
        ParameterBank::Local => limits.local,
    };
    let index = words.index("parameter", 0..count)?;
    let parameter = Parameter { stage, bank, index };
    Ok(Command::Parameter(parameter, words.tuple(Words::number)?))
}

/// A pixel by its fractions of the window; 1 is the last one.
fn relative(words: &mut Words<'_>) -> Result<Place, Remark> {
    let [x, y] = words.tuple(|words: &mut Words<'_>| {
        let (_, span) = words.ahead();
        let fraction = words.finite()?;
        if !(0.0..=1.0).contains(&fraction) {
            let message = format!("{fraction} is not a fraction of the window, from 0 to 1");
            return Err(Remark::new(span, message));
        }
        let pixel = (fraction * WINDOW as f32) as u32;
        Ok(pixel.min(WINDOW - 1))
    })?;
    Ok(Place { x, y })
}

/// A pixel by its column and row.
fn absolute(words: &mut Words<'_>) -> Result<Place, Remark> {
    let x = words.index("column", 0..WINDOW)?;
    let y = words.index("row", 0..WINDOW)?;
    Ok(Place { x, y })
}
