//! [`TextureCase`]: a program, two textures, and the quads that look at them.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use attila_shader::isa::{Program, Stage, ValidProgram};
use attila_shader::machine::{Bindings, ErrorChain, Lanes, QuadIo, TextureQuery, TextureUnit};
use attila_shader::texture::{Dimension, Format, Image, Sampler, Size, Texture, Textures};

use super::TextureStatistics;
use attila_shader::Engine;

/// What an image is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct ImageBytes {
    /// What its coordinates are.
    pub dimension: Dimension,
    /// The format of the bytes.
    pub format: Format,
    /// The size of level 0.
    pub size: Size,
    /// Each level's bytes, the largest first, as [`Image::from_levels`] takes them.
    pub levels: Vec<Vec<u8>>,
}

impl ImageBytes {
    /// The bytes of a level of an image of these kinds.
    pub(super) fn level_bytes(dimension: Dimension, format: Format, size: Size) -> usize {
        let slices = match dimension {
            Dimension::D1 | Dimension::D2 | Dimension::D3 => size.depth as usize,
            Dimension::Cube => attila_shader::texture::CUBE_FACES,
        };
        slices * format.slice_bytes(size.width, size.height)
    }

    /// The texture; `None` if the sampler cannot sample the image.
    pub(crate) fn texture(&self, sampler: Sampler) -> Option<Texture> {
        let levels: Vec<&[u8]> = self.levels.iter().map(Vec::as_slice).collect();
        let image = Image::from_levels(self.dimension, self.format, self.size, &levels).ok()?;
        Texture::new(Arc::new(image), sampler).ok()
    }
}

/// A program, what it samples and where. c0 is 0.25 and c1 is 3 in all components.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureCase {
    /// The program's text.
    pub text: &'static str,
    /// The stage that it is for.
    pub stage: Stage,
    /// The images and samplers of units 0 and 1.
    pub textures: [(ImageBytes, Sampler); 2],
    /// i0 and i1 of each quad.
    pub inputs: Vec<[Lanes<[f32; 4]>; 2]>,
}

/// The first quad for which two engines do not agree.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureDifference {
    /// The engines.
    pub engines: [&'static str; 2],
    /// The quad.
    pub quad: usize,
    /// The quad after each run, or why there is none.
    pub results: [Result<QuadIo, String>; 2],
}

/// Textures, and how often they were asked for a sample rather than sampled by an engine's own code.
struct Counted {
    textures: Textures,
    asked: AtomicU64,
}

impl TextureUnit for Counted {
    fn has_unit(&self, unit: u8) -> bool {
        self.textures.has_unit(unit)
    }

    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.textures.sample(query)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.textures.as_any()
    }
}

impl Counted {
    /// How often since it was last asked.
    fn take(&self) -> u64 {
        self.asked.swap(0, Ordering::Relaxed)
    }
}

/// The bits of the outputs, with all NaNs alike: their payloads are not specified.
fn outputs(quad: &QuadIo) -> impl Iterator<Item = u32> {
    let words = quad.outputs.iter().flatten().flatten();
    words.map(|&word| unify_nan(word))
}

/// The word, or the one NaN that stands for all.
pub(super) fn unify_nan(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() {
        f32::NAN.to_bits()
    } else {
        word
    }
}

impl TextureCase {
    /// The first difference between `engines[0]` and one of the others. None too if the case cannot
    /// be run because a sampler does not fit its image.
    pub fn compare(&self, engines: &[Engine]) -> Option<TextureDifference> {
        self.compare_counting(engines, &mut TextureStatistics::default())
    }

    /// The same, counting what the engines do.
    pub(super) fn compare_counting(
        &self,
        engines: &[Engine],
        statistics: &mut TextureStatistics,
    ) -> Option<TextureDifference> {
        let (first, others) = engines.split_first()?;
        let program = self.program()?;
        let textures = Counted {
            textures: self.bound()?,
            asked: AtomicU64::new(0),
        };
        let expected = self.shade(first, &program, &textures);
        statistics.cases += 1;
        statistics.quads += self.inputs.len() as u64;
        statistics.samples += textures.take();
        let mut called = 0;
        let difference = others.iter().find_map(|other| {
            let got = self.shade(other, &program, &textures);
            called = textures.take().max(called);
            let (quad, results) = first_difference([&expected, &got])?;
            Some(TextureDifference {
                engines: [first.name(), other.name()],
                quad,
                results,
            })
        });
        statistics.called += called;
        difference
    }

    /// The textures at their units; `None` if one of the samplers does not fit its image.
    fn bound(&self) -> Option<Textures> {
        let mut textures = Textures::new();
        for (unit, (image, sampler)) in self.textures.iter().enumerate() {
            textures.bind(unit, image.texture(*sampler)?).ok()?;
        }
        Some(textures)
    }

    fn program(&self) -> Option<ValidProgram> {
        let program = Program::assemble(self.text).ok()?;
        program.with_stage(self.stage).validate().ok()
    }

    fn shade(
        &self,
        engine: &Engine,
        program: &ValidProgram,
        textures: &dyn TextureUnit,
    ) -> Result<Vec<QuadIo>, String> {
        let shader = engine
            .prepare(program)
            .map_err(|error| ErrorChain(&error).to_string())?;
        let bindings = Bindings::new()
            .with_constant(0, [0.25; 4])
            .with_constant(1, [3.0; 4])
            .with_textures(textures);
        let mut quads = vec![QuadIo::default(); self.inputs.len()];
        for (quad, inputs) in quads.iter_mut().zip(&self.inputs) {
            for (index, lanes) in inputs.iter().enumerate() {
                quad.set_input(index, *lanes);
            }
        }
        let ran = shader.run(&bindings, &mut quads);
        ran.map(|()| quads)
            .map_err(|error| ErrorChain(&error).to_string())
    }
}

type Shaded = Result<Vec<QuadIo>, String>;

fn first_difference([expected, got]: [&Shaded; 2]) -> Option<(usize, [Result<QuadIo, String>; 2])> {
    let quad = match (expected, got) {
        (Ok(expected), Ok(got)) => {
            let mut pairs = expected.iter().zip(got);
            pairs.position(|(a, b)| !outputs(a).eq(outputs(b)))?
        }
        (Err(a), Err(b)) if a == b => return None,
        (Ok(_) | Err(_), Err(_)) | (Err(_), Ok(_)) => 0,
    };
    let results = [expected, got].map(|shaded| match shaded {
        Ok(quads) => Ok(quads[quad].clone()),
        Err(message) => Err(message.clone()),
    });
    Some((quad, results))
}

#[cfg(test)]
mod tests {
    use super::super::{Scope, case};

    #[test]
    fn every_generated_case_can_be_run() {
        for scope in [Scope::All, Scope::Inlinable] {
            for index in 0..200 {
                let case = case(1, index, scope);
                assert!(case.program().is_some(), "{}", case.text);
                assert!(case.bound().is_some(), "{:?}", case.textures);
            }
        }
    }
}
