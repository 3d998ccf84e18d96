//! The commands of scripts.

use std::collections::BTreeSet;
use std::ops::Range;

use attila_shader::draw::Cull;
use attila_shader::front::agal::Sampler;
use attila_shader::isa::{Remark, Slots, Stage};
use attila_shader::machine::pipeline::BlendFactor;

use super::data::constant;
use super::state::State;
use super::{DEFAULT, MAX_SIDE, Name};
use crate::script_test::picture::Picture;
use crate::script_test::script::{Action, Commands, attempt, complaint, probe, set};
use crate::script_test::words::Words;

pub(super) const COMMANDS: &Commands<Before, State> = &[
    ("size", Before::size),
    ("clear", |_, words| {
        let colour: [f32; 4] = words.list(Words::finite)?;
        Ok(set(move |state: &mut State| {
            let picture = state.picture.iter_mut();
            picture.for_each(|it| it.fill(colour.map(f32::to_bits)));
        }))
    }),
    ("program", Before::program),
    ("constant", |_, words| {
        let values = constant(words)?;
        Ok(set(move |state: &mut State| {
            state.constants.extend(&values)
        }))
    }),
    ("sampler", |_, words| {
        let sampler = sampler(words)?;
        Ok(set(move |state: &mut State| {
            state.samplers.insert(sampler.unit, sampler);
        }))
    }),
    ("blend", |_, words| {
        let factors = [words.choice(&FACTORS)?, words.choice(&FACTORS)?];
        Ok(set(move |state: &mut State| state.blend = factors))
    }),
    ("cull", |_, words| {
        let cull = words.choice(&[
            ("none", Cull::None),
            ("front", Cull::Front),
            ("back", Cull::Back),
        ])?;
        Ok(set(move |state: &mut State| state.cull = cull))
    }),
    ("scissor", |_, words| {
        let scissor = scissor(words)?;
        Ok(set(move |state: &mut State| {
            state.scissor.clone_from(&scissor)
        }))
    }),
    ("color", |_, words| {
        let mask = mask(words)?;
        Ok(set(move |state: &mut State| state.mask = mask))
    }),
    ("draw", Before::draw),
    ("probe", Before::probe),
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
pub(super) struct Before {
    programs: BTreeSet<Name>,
    triangles: u32,
    /// The size of the picture.
    size: Option<[u32; 2]>,
    has_program: bool,
}

impl Before {
    /// At the beginning of a test with these programs and so many triangles.
    pub(super) fn new(programs: BTreeSet<Name>, triangles: usize) -> Before {
        let mut before = Before {
            programs,
            triangles: triangles as u32,
            size: None,
            has_program: false,
        };
        before.has_program = before.pair(DEFAULT).is_some();
        before
    }

    /// The vertex and the fragment program of a name: one of the two may be the one without a name.
    fn pair(&self, name: &str) -> Option<[Name; 2]> {
        let named = [Stage::Vertex, Stage::Fragment].map(|stage| (stage, name.to_owned()));
        if !named.iter().any(|it| self.programs.contains(it)) {
            return None;
        }
        let pair = named.map(|it| match self.programs.contains(&it) {
            true => it,
            false => (it.0, DEFAULT.to_owned()),
        });
        pair.iter()
            .all(|it| self.programs.contains(it))
            .then_some(pair)
    }

    fn size(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
        let width = words.index("width", 1..MAX_SIDE + 1)?;
        let height = words.index("height", 1..MAX_SIDE + 1)?;
        self.size = Some([width, height]);
        Ok(set(move |state: &mut State| {
            state.picture = Some(Picture::bytes([width, height]));
        }))
    }

    /// The size of the picture, which has to be there.
    fn sides(&self, words: &Words<'_>) -> Result<[u32; 2], Remark> {
        let message = "there is no `size` before this";
        self.size
            .ok_or_else(|| Remark::new(words.ahead().1, message))
    }

    fn program(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
        let (name, span) = words.ahead();
        words.take(name);
        let Some(pair) = self.pair(name) else {
            return Err(Remark::new(span, format!("there is no program `{name}`")));
        };
        self.has_program = true;
        Ok(set(move |state: &mut State| state.use_programs(&pair)))
    }

    /// The number of the first index, and how many triangles.
    fn draw(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
        self.sides(words)?;
        let (_, span) = words.ahead();
        if !self.has_program {
            return Err(Remark::new(span, "there is no `program` before this"));
        }
        let first = words.index("index", 0..3 * self.triangles + 1)?;
        if !first.is_multiple_of(3) {
            let message = format!("no triangle begins at index {first}");
            return Err(Remark::new(span, message));
        }
        let first = first / 3;
        let count = words.index("triangle count", 0..self.triangles - first + 1)?;
        let triangles = first as usize..(first + count) as usize;
        Ok(attempt(move |state: &mut State| {
            state.draw(triangles.clone())
        }))
    }

    fn probe(&mut self, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
        let [width, height] = self.sides(words)?;
        let place = [
            words.index("column", 0..width)?,
            words.index("row", 0..height)?,
        ];
        let expected: [u32; 3] = words.list(|words| words.index("colour", 0..256))?;
        words.choice(&[("tolerance", ())])?;
        let tolerance = words.index("tolerance", 0..256)?;
        Ok(probe(move |state: &State| {
            let seen = state.picture.as_ref().map(|it| it.rgba(place));
            let [red, green, blue, _] = seen.unwrap_or_default().map(u32::from);
            let seen = [red, green, blue];
            let mut pairs = expected.iter().zip(seen);
            let is_near = pairs.all(|(expected, seen)| expected.abs_diff(seen) <= tolerance);
            (!is_near).then(|| complaint(&expected, &seen))
        }))
    }
}

/// A field of samplers: its name in messages, and a plain sampler with the field of another.
type Field = (&'static str, fn(&Sampler) -> Sampler);

/// `sampler 0 repeat linear mipnone`.
fn sampler(words: &mut Words<'_>) -> Result<Sampler, Remark> {
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
    Ok(Sampler { unit, ..sampler })
}

/// `scissor X Y W H`, or `scissor off`.
fn scissor(words: &mut Words<'_>) -> Result<Option<[Range<u32>; 2]>, Remark> {
    if words.take("off") {
        return Ok(None);
    }
    let sides = 0..MAX_SIDE + 1;
    let x = words.index("column", sides.clone())?;
    let y = words.index("row", sides.clone())?;
    let width = words.index("width", sides.clone())?;
    let height = words.index("height", sides)?;
    Ok(Some([x..x + width, y..y + height]))
}

/// `color mask R G B A`.
fn mask(words: &mut Words<'_>) -> Result<Slots, Remark> {
    words.choice(&[("mask", ())])?;
    let mut mask = Slots::empty();
    for slot in [Slots::X, Slots::Y, Slots::Z, Slots::W] {
        if words.index("mask", 0..2)? == 1 {
            mask |= slot;
        }
    }
    Ok(mask)
}
