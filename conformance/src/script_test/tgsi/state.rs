//! The state that commands change.

use std::collections::{BTreeMap, BTreeSet};

use attila_shader::Bindings;
use attila_shader::front::tgsi::{Param, Tgsi};
use attila_shader::isa::Stage;
use attila_shader::texture::Textures;

use super::commands::Target;
use super::compute::Dispatches;
use super::draw::{Drawn, Draws};
use crate::script_test::error::Fault;
use crate::script_test::picture::Picture;
use crate::script_test::program::Program;
use crate::script_test::script::complaint;

/// The programs of a test.
pub(super) enum Stages {
    Draw(Box<Draws>),
    Compute(Box<Dispatches>),
}

/// The state.
pub(super) struct State {
    pub(super) stages: Stages,
    pub(super) values: Values,
    /// How far floats may be off, in parts of themselves, or of 1 if they are smaller.
    pub(super) tolerance: f32,
    /// At least one; the first is not moved.
    pub(super) drawings: Vec<Drawing>,
}

/// Targets that are drawn on, moved by pixels.
pub(super) struct Drawing {
    moved: [f32; 2],
    pub(super) targets: Vec<Picture>,
}

impl Stages {
    fn draws(&self) -> Result<&Draws, Fault> {
        match self {
            Stages::Draw(draws) => Ok(draws),
            Stages::Compute(_) => Err("compute programs do not draw".into()),
        }
    }

    /// The compute program with its buffers.
    pub(super) fn dispatches(&self) -> Result<&Dispatches, Fault> {
        match self {
            Stages::Compute(dispatches) => Ok(dispatches),
            Stages::Draw(_) => Err("there is no compute program".into()),
        }
    }
}

impl State {
    pub(super) fn new(stages: Stages, textures: Textures, moves: &[[f32; 2]]) -> State {
        let drawing = |moved: &[f32; 2]| Drawing {
            moved: *moved,
            targets: Vec::new(),
        };
        State {
            stages,
            values: Values {
                textures,
                constants: BTreeMap::new(),
            },
            tolerance: 0.0,
            drawings: moves.iter().map(drawing).collect(),
        }
    }

    /// Makes new targets.
    pub(super) fn make_targets(&mut self, (size, has_words, count): Target) -> Result<(), Fault> {
        self.stages.draws()?;
        let target = match has_words {
            true => Picture::words(size),
            false => Picture::floats(size, false),
        };
        let targets = vec![target; count as usize];
        for drawing in &mut self.drawings {
            drawing.targets.clone_from(&targets);
        }
        Ok(())
    }

    pub(super) fn draw(&mut self, drawn: &Drawn) -> Result<(), Fault> {
        let draws = self.stages.draws()?;
        for Drawing { moved, targets } in &mut self.drawings {
            draws.draw(drawn, &self.values, *moved, targets)?;
        }
        Ok(())
    }
}

/// The values that programs read beside their inputs.
pub(super) struct Values {
    pub(super) textures: Textures,
    /// The words of constants, by stage, buffer and register; 0 where nothing is set.
    pub(super) constants: BTreeMap<(Stage, u32, u32), [u32; 4]>,
}

/// The number of a constant buffer, and its vectors.
pub(super) type ConstantBuffer = (usize, Vec<[u32; 4]>);

impl Values {
    /// The buffers that a program reads beside constant registers.
    pub(super) fn buffers(&self, program: &Program<Tgsi>) -> Vec<ConstantBuffer> {
        let translation = &program.translation;
        let insts = translation.program.insts().iter();
        let read: BTreeSet<u32> = insts.filter_map(|it| it.buffer()).map(u32::from).collect();
        let buffers = translation.details.constants.iter();
        let buffers = buffers.filter(|constants| read.contains(&constants.buffer));
        let words = |buffer, size| -> Vec<[u32; 4]> {
            let registers = 0..size;
            let words = registers.map(|it| self.constant((translation.stage, buffer, it)));
            words.collect()
        };
        buffers
            .map(|it| (it.buffer as usize, words(it.buffer, it.size)))
            .collect()
    }

    /// A program's constants and textures, in a window of a size.
    pub(super) fn bindings<'b>(
        &'b self,
        program: &Program<Tgsi>,
        window: [u32; 2],
        buffers: &'b [ConstantBuffer],
    ) -> Bindings<'b> {
        let stage = program.translation.stage;
        let [width, height] = window.map(|side| side as f32);
        let bindings = program.bindings(|param| match param {
            Param::Constant(words) => words.map(f32::from_bits),
            Param::Window => [width, height, 0.0, 1.0],
            Param::Buffer { buffer, register } => {
                self.constant((stage, buffer, register)).map(f32::from_bits)
            }
        });
        let bindings = bindings.with_textures(&self.textures);
        buffers.iter().fold(bindings, |bindings, (number, words)| {
            bindings.with_buffer(*number, words)
        })
    }

    fn constant(&self, place: (Stage, u32, u32)) -> [u32; 4] {
        self.constants.get(&place).copied().unwrap_or_default()
    }
}

/// The complaint about words, or the bits of floats, unless they are as expected: those of one of the pictures, or floats
/// between those of several. Floats may be off by the tolerance.
pub(super) fn compare(
    expected: [u32; 4],
    seen: &[[u32; 4]],
    has_words: bool,
    tolerance: f32,
) -> Option<String> {
    let floats = |words: [u32; 4]| words.map(f32::from_bits);
    if has_words {
        let hexadecimal = |words: [u32; 4]| words.map(|word| format!("0x{word:08x}"));
        let differs = !seen.contains(&expected);
        return differs.then(|| complaint(&hexadecimal(expected), &hexadecimal(seen[0])));
    }
    let fits = (0..4).all(|channel| {
        let seen: Vec<f32> = seen.iter().map(|it| floats(*it)[channel]).collect();
        is_within(floats(expected)[channel], &seen, tolerance)
    });
    (!fits).then(|| complaint(&floats(expected), &floats(seen[0])))
}

/// Whether a number lies between what is seen, or is near some of it.
fn is_within(expected: f32, seen: &[f32], tolerance: f32) -> bool {
    let is_below = seen.iter().any(|it| *it <= expected);
    let is_above = seen.iter().any(|it| *it >= expected);
    let mut seen = seen.iter();
    is_below && is_above || seen.any(|it| is_near(expected, *it, tolerance))
}

/// Whether a number is as near as the tolerance says: in parts of the expected one, or of 1.
fn is_near(expected: f32, seen: f32, tolerance: f32) -> bool {
    if !expected.is_finite() {
        return expected == seen || expected.is_nan() && seen.is_nan();
    }
    let [expected, seen] = [expected, seen].map(f64::from);
    expected == seen || (seen - expected).abs() <= f64::from(tolerance) * expected.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_near_in_parts_of_themselves_or_of_1() {
        let inf = f32::INFINITY;
        for (expected, seen, near) in [
            (1000.0, 1000.9, true),
            (1000.0, 1001.1, false),
            (0.0, 0.0009, true),
            (0.0, -0.0011, false),
            (inf, inf, true),
            (inf, -inf, false),
            (1.0, f32::NAN, false),
            (f32::NAN, f32::NAN, true),
            (f32::NAN, 1.0, false),
        ] {
            assert_eq!(is_near(expected, seen, 0.001), near, "{expected} {seen}");
        }
    }

    #[test]
    fn a_probe_passes_between_what_moved_pictures_show() {
        let seen = |values: &[f32]| -> Vec<[u32; 4]> {
            values.iter().map(|value| [value.to_bits(); 4]).collect()
        };
        let passes = |expected: f32, values: &[f32]| {
            compare([expected.to_bits(); 4], &seen(values), false, 0.001).is_none()
        };
        assert!(passes(0.5, &[0.4, 0.6]));
        assert!(passes(0.5, &[0.4, f32::NAN, 0.4995]));
        assert!(!passes(0.5, &[0.4]));
        assert!(!passes(0.5, &[0.3, 0.4]));
        assert!(!passes(0.5, &[f32::NAN, 0.6]));
        assert_eq!(compare([7; 4], &[[1; 4], [7; 4]], true, 0.0), None);
        assert_ne!(compare([5; 4], &[[1; 4], [7; 4]], true, 0.0), None);
    }
}
