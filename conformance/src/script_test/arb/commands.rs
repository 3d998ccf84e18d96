//! The commands of scripts.

use std::collections::BTreeSet;
use std::ops::Range;

use attila_shader::front::arb::{ArbStage, Target};
use attila_shader::isa::Remark;
use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::DepthMode;

use super::probe as look;
use super::state::State;
use super::textures::{ImageKind, texture};
use super::{MAX_TEXELS, MAX_TEXTURE, PROFILE, WINDOW};
use crate::script_test::script::{Action, Commands, attempt, probe, set};
use crate::script_test::words::Words;

pub(super) const COMMANDS: &Commands<Made, State> = &[
    ("clear color", |_, words| {
        let colour = words.list(Words::number)?;
        Ok(set(move |state: &mut State| {
            state.clear_color = Some(colour)
        }))
    }),
    ("clear depth", |_, words| {
        let depth = words.number()?;
        Ok(set(move |state: &mut State| {
            state.clear_depth = Some(depth)
        }))
    }),
    ("clear", |_, _| Ok(set(State::clear))),
    ("color", |_, words| {
        let colour = words.list(Words::number)?;
        Ok(set(move |state: &mut State| state.color = colour))
    }),
    ("texcoord", |_, words| {
        let unit = words.index("unit", 0..PROFILE.texture_coordinates)?;
        let coordinates = words.tuple(Words::number)?;
        Ok(set(move |state: &mut State| {
            state.texture_coordinates.insert(unit, coordinates);
        }))
    }),
    ("ortho", |_, words| {
        let window = WINDOW as f32;
        let sides = match words.at_end() {
            true => [0.0, window, 0.0, window],
            false => words.list(Words::finite)?,
        };
        Ok(set(move |state: &mut State| state.ortho(sides)))
    }),
    ("parameter", |_, words| parameter(words)),
    ("enable", |_, words| {
        let switch: Switch = words.choice(&SWITCHES)?;
        Ok(set(switch))
    }),
    ("texture", Made::texture),
    ("texparameter", Made::tex_parameter),
    ("draw rect tex", |_, words| {
        let rectangle = words.list(Words::number)?;
        let coordinates = words.list(Words::number)?;
        Ok(attempt(move |state: &mut State| {
            state.draw(rectangle, Some(coordinates))
        }))
    }),
    ("draw rect", |_, words| {
        let rectangle = words.list(Words::number)?;
        Ok(attempt(move |state: &mut State| {
            state.draw(rectangle, None)
        }))
    }),
    ("probe all rgba", |_, words| {
        let expected = words.list(Words::finite)?;
        Ok(probe(move |state: &State| {
            look::all(&state.colour, expected)
        }))
    }),
    ("relative probe rgba", |_, words| {
        let place = relative(words)?;
        let expected: [f32; 4] = words.tuple(Words::finite)?;
        Ok(probe_pixel(place, expected))
    }),
    ("relative probe rgb", |_, words| {
        let place = relative(words)?;
        let expected: [f32; 3] = words.tuple(Words::finite)?;
        Ok(probe_pixel(place, expected))
    }),
    ("probe rgba", |_, words| {
        let place = absolute(words)?;
        let expected: [f32; 4] = words.list(Words::finite)?;
        Ok(probe_pixel(place, expected))
    }),
    ("probe rgb", |_, words| {
        let place = absolute(words)?;
        let expected: [f32; 3] = words.list(Words::finite)?;
        Ok(probe_pixel(place, expected))
    }),
    ("probe depth", |_, words| {
        let (place, expected) = (absolute(words)?, words.finite()?);
        Ok(probe(move |state: &State| {
            look::depth(&state.depth, place, expected)
        }))
    }),
];

/// Turns something on.
type Switch = fn(&mut State);

const SWITCHES: [(&str, Switch); 3] = [
    ("GL_DEPTH_TEST", |state| state.depth_test = true),
    ("GL_VERTEX_PROGRAM_TWO_SIDE_ARB", |state| {
        state.two_sided = true
    }),
    ("GL_VERTEX_PROGRAM_TWO_SIDE", |state| state.two_sided = true),
];

/// The comparisons of `reference FUNC texel`, with the texel on the left.
const COMPARES: [(&str, Compare); 8] = [
    ("greater", Compare::Less),
    ("gequal", Compare::LessEqual),
    ("less", Compare::Greater),
    ("lequal", Compare::GreaterEqual),
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

/// The textures that the commands before have made.
#[derive(Default)]
pub(super) struct Made {
    textures: BTreeSet<(u32, Target)>,
    /// The unit of the last one.
    unit: u32,
    /// The texels of all that were made.
    texels: u32,
}

impl Made {
    fn texture(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
        let (target, kind, sides) = words.choice(&[
            ("rgbw", (Target::TwoD, ImageKind::Quarters, 2)),
            ("miptree", (Target::TwoD, ImageKind::Levels, 0)),
            ("shadow1D", (Target::OneD, ImageKind::Depths, 1)),
            ("shadow2D", (Target::TwoD, ImageKind::Depths, 2)),
            ("shadowRect", (Target::Rectangle, ImageKind::Depths, 2)),
        ])?;
        let unit = words.index("unit", 0..PROFILE.texture_units)?;
        let (_, place) = words.ahead();
        let side = |words: &mut Words<'_>| words.index("size", 1..MAX_TEXTURE + 1);
        let size = match sides {
            0 => [0, 0],
            1 => words.tuple(side).map(|[width]| [width, 1])?,
            _ => words.tuple(side)?,
        };
        self.add_texels(size, place)?;
        self.unit = unit;
        self.textures.insert((unit, target));
        Ok(attempt(move |state: &mut State| {
            let texture = texture(target, kind, size)?;
            state.textures.insert((unit, target), texture);
            Ok(())
        }))
    }

    /// Counts the texels of a texture whose size is at `place`.
    fn add_texels(&mut self, [width, height]: [u32; 2], place: Range<usize>) -> Result<(), Remark> {
        // Neither is above the limit.
        if self.texels + width * height > MAX_TEXELS {
            let message =
                format!("the textures of a script have at most {MAX_TEXELS} texels together");
            return Err(Remark::new(place, message));
        }
        self.texels += width * height;
        Ok(())
    }

    fn tex_parameter(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
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
        if words.choice(&[("depth_mode", false), ("compare_func", true)])? {
            let compare = words.choice(&COMPARES)?;
            return Ok(set(move |state: &mut State| {
                state.change_sampler((unit, target), |sampler| {
                    let compared = sampler.compare.as_mut();
                    compared.into_iter().for_each(|it| *it = compare);
                });
            }));
        }
        let mode = words.choice(&DEPTH_MODES)?;
        Ok(set(move |state: &mut State| {
            state.change_sampler((unit, target), |sampler| sampler.depth_mode = mode);
        }))
    }
}

fn parameter(words: &mut Words<'_>) -> Result<Action<State>, Remark> {
    let (stage, is_local) = words.choice(&[
        ("local_vp", (ArbStage::Vertex, true)),
        ("env_vp", (ArbStage::Vertex, false)),
        ("local_fp", (ArbStage::Fragment, true)),
        ("env_fp", (ArbStage::Fragment, false)),
    ])?;
    let limits = PROFILE.limits(stage);
    let count = if is_local { limits.local } else { limits.env };
    let index = words.index("parameter", 0..count)?;
    let value = words.tuple(Words::number)?;
    Ok(set(move |state: &mut State| {
        let parameters = state.parameters(stage);
        match is_local {
            true => parameters.local.insert(index, value),
            false => parameters.env.insert(index, value),
        };
    }))
}

fn probe_pixel<const N: usize>(place: [u32; 2], expected: [f32; N]) -> Action<State> {
    probe(move |state: &State| look::pixel(&state.colour, place, &expected))
}

/// A pixel by its fractions of the window; 1 is the last one.
fn relative(words: &mut Words<'_>) -> Result<[u32; 2], Remark> {
    words.tuple(|words: &mut Words<'_>| {
        let (_, span) = words.ahead();
        let fraction = words.finite()?;
        if !(0.0..=1.0).contains(&fraction) {
            let message = format!("{fraction} is not a fraction of the window, from 0 to 1");
            return Err(Remark::new(span, message));
        }
        let pixel = (fraction * WINDOW as f32) as u32;
        Ok(pixel.min(WINDOW - 1))
    })
}

/// A pixel by its column and row.
fn absolute(words: &mut Words<'_>) -> Result<[u32; 2], Remark> {
    let column = words.index("column", 0..WINDOW)?;
    Ok([column, words.index("row", 0..WINDOW)?])
}
