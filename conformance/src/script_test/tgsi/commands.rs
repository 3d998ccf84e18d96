//! The commands of scripts.

use std::ops::Range;

use attila_shader::isa::{Remark, Stage};
use attila_shader::machine::pipeline::TARGETS;

use super::draw::Drawn;
use super::primitive::Primitive;
use super::state::{Drawing, State, compare};
use super::{MAX_SIDE, MAX_VERTICES};
use crate::script_test::script::{Action, Commands, attempt, probe, probe_or_fail, set};
use crate::script_test::words::Words;

/// Numbers of buffers of constants, and of other buffers.
pub(super) const BUFFERS: Range<u32> = 0..32;

/// Numbers of registers of a buffer.
const REGISTERS: Range<u32> = 0..4096;

/// Numbers of groups along an axis of a grid.
const GROUPS: Range<u32> = 1..1 << 16;

/// The size of the targets, whether they have words, and their number, if there is a `target` before a command.
pub(super) type Target = ([u32; 2], bool, u32);

pub(super) const COMMANDS: &Commands<Option<Target>, State> = &[
    ("target", target),
    ("tolerance", |_, words| {
        let tolerance = words.finite()?;
        Ok(set(move |state: &mut State| state.tolerance = tolerance))
    }),
    ("clear", |target, words| {
        let bits = pixel(target, words)?;
        Ok(set(move |state: &mut State| {
            let targets = state.drawings.iter_mut().flat_map(|it| &mut it.targets);
            targets.for_each(|it| it.fill(bits));
        }))
    }),
    ("const", |_, words| constant(words)),
    ("draw", |_, words| {
        let drawn = draw(words)?;
        Ok(attempt(move |state: &mut State| state.draw(&drawn)))
    }),
    ("probe", probe_pixel),
    ("dispatch", |_, words| {
        let blocks: [u32; 3] = words.list(|words| words.index("group count", GROUPS))?;
        Ok(attempt(move |state: &mut State| {
            state.stages.dispatches()?.run(blocks, &state.values)
        }))
    }),
    ("expect", |_, words| expect(words)),
];

const FORMATS: [(&str, bool); 3] = [("rgba32f", false), ("rgba32ui", true), ("rgba32i", true)];

const PRIMITIVES: [(&str, Primitive); 6] = [
    ("TRIANGLES", Primitive::Triangles),
    ("TRIANGLE_STRIP", Primitive::TriangleStrip),
    ("TRIANGLE_FAN", Primitive::TriangleFan),
    ("QUADS", Primitive::Quads),
    ("POINTS", Primitive::Points),
    ("LINES", Primitive::Lines),
];

/// New targets, whose words are 0.
fn target(before: &mut Option<Target>, words: &mut Words<'_>) -> Result<Action<State>, Remark> {
    let width = words.index("width", 1..MAX_SIDE + 1)?;
    let height = words.index("height", 1..MAX_SIDE + 1)?;
    let has_words = words.choice(&FORMATS)?;
    let count = match words.at_end() {
        true => 1,
        false => words.index("target count", 1..TARGETS as u32 + 1)?,
    };
    let target = ([width, height], has_words, count);
    *before = Some(target);
    Ok(attempt(move |state: &mut State| state.make_targets(target)))
}

/// The target, which has to be there.
fn targets(before: &Option<Target>, words: &Words<'_>) -> Result<Target, Remark> {
    let message = "there is no `target` before this";
    before.ok_or_else(|| Remark::new(words.ahead().1, message))
}

/// The words of a pixel, or the bits of its floats.
fn pixel(before: &Option<Target>, words: &mut Words<'_>) -> Result<[u32; 4], Remark> {
    let (_, has_words, _) = targets(before, words)?;
    match has_words {
        true => words.list(Words::integer_bits),
        false => words.list(Words::float_bits),
    }
}

fn probe_pixel(
    before: &mut Option<Target>,
    words: &mut Words<'_>,
) -> Result<Action<State>, Remark> {
    let ([width, height], has_words, count) = targets(before, words)?;
    let target = match words.take("target") {
        true => words.index("target", 0..count)?,
        false => 0,
    };
    let place = [
        words.index("column", 0..width)?,
        words.index("row", 0..height)?,
    ];
    let expected = pixel(before, words)?;
    Ok(probe(move |state: &State| {
        let pixel = |it: &Drawing| it.targets[target as usize].pixel(place);
        let seen: Vec<[u32; 4]> = state.drawings.iter().map(pixel).collect();
        compare(expected, &seen, has_words, state.tolerance)
    }))
}

fn constant(words: &mut Words<'_>) -> Result<Action<State>, Remark> {
    let stage = words.choice(&[
        ("VERT", Stage::Vertex),
        ("GEOM", Stage::Geometry),
        ("FRAG", Stage::Fragment),
        ("COMP", Stage::Compute),
    ])?;
    let buffer = words.index("buffer", BUFFERS)?;
    let register = words.index("register", REGISTERS)?;
    let bits = words.list(Words::integer_bits)?;
    Ok(set(move |state: &mut State| {
        state
            .values
            .constants
            .insert((stage, buffer, register), bits);
    }))
}

fn draw(words: &mut Words<'_>) -> Result<Drawn, Remark> {
    let primitive = words.choice(&PRIMITIVES)?;
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
    Ok(Drawn {
        primitive,
        vertices: first..first + count,
        instances,
    })
}

/// Looks at the words of a buffer from its beginning on. Those that are not written in hexadecimal are floats, and
/// may be off.
fn expect(words: &mut Words<'_>) -> Result<Action<State>, Remark> {
    let buffer = words.indexed("BUFFER", BUFFERS)?;
    let (mut list, mut is_float) = (Vec::new(), false);
    while !words.at_end() {
        is_float |= !words.ahead().0.starts_with("0x");
        list.push(words.float_bits()?);
    }
    Ok(probe_or_fail(move |state: &State| {
        let dispatches = state.stages.dispatches()?;
        dispatches.expect(buffer, &list, is_float, state.tolerance)
    }))
}
