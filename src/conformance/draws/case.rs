//! [`DrawCase`]: a program, and all that is around it in a draw.

use std::ops::Range;

use attila_isa::pipeline::{
    Blend, ColourFormat, Compare, DepthFormat, DepthState, InputKind, Plane, SpanError, TARGETS,
};
use attila_isa::{Bindings, QuadReg, Slots, TextureUnit};
use attila_texture::{Sampler, Textures};

use super::DrawStatistics;
use crate::conformance::case::Case;
use crate::conformance::textures::ImageBytes;
use crate::conformance::units::Recorder;
use crate::draw::{
    ColourBuffer, DepthBuffer, Draw, DrawError, Interpolation, Quad, TargetName, Varying, Vertices,
};
use crate::engine::Engine;

/// Where an input comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawInput {
    /// Where each component comes from, unless it is an attribute.
    pub kinds: [InputKind; 4],
    /// The planes of those that have one.
    pub planes: [Plane; 4],
    /// The registers of a list of quads.
    pub registers: Vec<QuadReg>,
    /// The attribute of the vertices of triangles, and how it is interpolated.
    pub attribute: Option<(Interpolation, Vec<[f32; 4]>)>,
}

/// A colour target.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawTarget {
    /// How pixels are stored.
    pub format: ColourFormat,
    /// The components that are stored.
    pub mask: Slots,
    /// How they are mixed.
    pub blend: Option<Blend>,
    /// The pixels before the draw.
    pub bytes: Vec<u8>,
}

/// What is drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum DrawShape {
    /// A rectangle: columns and rows.
    Rectangle(Range<i64>, Range<i64>),
    /// A list of quads.
    Quads(Vec<Quad>),
    /// Positions, and indices of them.
    Triangles(Vec<[f32; 4]>, Vec<[u32; 3]>),
}

/// A program and all that is around it in a draw.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawCase {
    /// The program, its constants and limits. The quads are not used.
    pub program: Case,
    /// The images and samplers of units with even numbers and of those with odd ones; if there are none,
    /// textures are answered by a formula.
    pub textures: Option<[(ImageBytes, Sampler); 2]>,
    /// The inputs. `None` is what nobody sets.
    pub inputs: [Option<DrawInput>; 16],
    /// Where planes start.
    pub anchor: [f32; 2],
    /// Columns and rows of the targets.
    pub size: [u32; 2],
    /// The colour targets.
    pub targets: [Option<DrawTarget>; TARGETS],
    /// The depth test, and depths before the draw.
    pub depth: Option<(DepthState, Vec<u8>)>,
    /// The alpha test and its reference.
    pub alpha_test: (Compare, f32),
    /// The constant colour of blending.
    pub blend_constant: [f32; 4],
    /// The columns and rows that may be drawn to.
    pub scissor: Option<(Range<i64>, Range<i64>)>,
    /// What is drawn.
    pub shape: DrawShape,
}

/// The first thing about which two engines do not agree.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawDifference {
    /// The engines.
    pub engines: [&'static str; 2],
    /// How each draw ended.
    pub ends: [String; 2],
    /// The first pixel that differs: its target, column, row, and bytes on each engine.
    pub pixel: Option<(TargetName, [usize; 2], [Vec<u8>; 2])>,
}

/// What a draw leaves behind.
struct Drawn {
    end: Result<(), String>,
    spent_budget: bool,
    /// Bytes per pixel, and all bytes.
    targets: Vec<(TargetName, usize, Vec<u8>)>,
}

impl DrawCase {
    /// The first difference between `engines[0]` and one of the others.
    pub fn compare(&self, engines: &[Engine]) -> Option<DrawDifference> {
        self.compare_counting(engines, &mut DrawStatistics::default())
    }

    /// The same, counting what the first engine does.
    pub(super) fn compare_counting(
        &self,
        engines: &[Engine],
        statistics: &mut DrawStatistics,
    ) -> Option<DrawDifference> {
        let (first, others) = engines.split_first()?;
        let expected = self.draw(first);
        self.count(&expected, statistics);
        others.iter().find_map(|other| {
            let got = self.draw(other);
            let pixel = self.different_pixel(&expected, &got);
            if pixel.is_none() && expected.end == got.end {
                return None;
            }
            let end = |drawn: Drawn| drawn.end.err().unwrap_or_else(|| "drawn".to_owned());
            Some(DrawDifference {
                engines: [first.name(), other.name()],
                ends: [end(self.draw(first)), end(got)],
                pixel,
            })
        })
    }

    fn count(&self, drawn: &Drawn, statistics: &mut DrawStatistics) {
        statistics.cases += 1;
        statistics.loop_budgets += u64::from(drawn.spent_budget);
        let before = self.targets.iter().flatten().map(|target| &target.bytes);
        let before = before.chain(self.depth.iter().map(|(_, bytes)| bytes));
        for ((_, size, after), before) in drawn.targets.iter().zip(before) {
            let pixels = after.chunks(*size).zip(before.chunks(*size));
            statistics.pixels += pixels.len() as u64;
            statistics.changed += pixels.filter(|(after, before)| after != before).count() as u64;
        }
    }

    fn different_pixel(
        &self,
        expected: &Drawn,
        got: &Drawn,
    ) -> Option<(TargetName, [usize; 2], [Vec<u8>; 2])> {
        let mut pairs = expected.targets.iter().zip(&got.targets);
        pairs.find_map(|((name, size, a), (_, _, b))| {
            let mut pixels = a.chunks(*size).zip(b.chunks(*size));
            let place = pixels.position(|(a, b)| a != b)?;
            let bytes = [a, b].map(|bytes| bytes[place * size..][..*size].to_vec());
            let width = self.size[0] as usize;
            Some((*name, [place % width, place / width], bytes))
        })
    }

    fn draw(&self, engine: &Engine) -> Drawn {
        let (recorder, textures) = (Recorder::default(), self.bound());
        let units: &dyn TextureUnit = match &textures {
            Some(textures) => textures,
            None => &recorder,
        };
        let bindings = self.program.bindings();
        let bindings = bindings.with_textures(units).with_attributes(&recorder);
        let mut colours = self.targets.clone();
        let mut depth = self.depth.clone();
        let result = self.draw_to(engine, &bindings, &mut colours, &mut depth);
        let spent_budget = matches!(result, Err(DrawError::Span(SpanError::LoopBudget { .. })));
        let colours = colours.into_iter().enumerate().filter_map(|(index, it)| {
            let DrawTarget { format, bytes, .. } = it?;
            Some((TargetName::Colour(index), format.size(), bytes))
        });
        let depth = depth.map(|(state, bytes)| (TargetName::Depth, state.format.size(), bytes));
        Drawn {
            end: result.map_err(|error| error.to_string()),
            spent_budget,
            targets: colours.chain(depth).collect(),
        }
    }

    /// The images at all units.
    fn bound(&self) -> Option<Textures> {
        let pair = self.textures.as_ref()?;
        let mut textures = Textures::new();
        for unit in 0..16 {
            let (image, sampler) = &pair[unit % 2];
            textures.bind(unit, image.texture(*sampler)?).ok()?;
        }
        Some(textures)
    }

    fn draw_to(
        &self,
        engine: &Engine,
        bindings: &Bindings<'_>,
        colours: &mut [Option<DrawTarget>; TARGETS],
        depth: &mut Option<(DepthState, Vec<u8>)>,
    ) -> Result<(), DrawError> {
        let shader = engine.prepare(&self.program.program)?;
        let [width, height] = self.size;
        let (compare, reference) = self.alpha_test;
        let mut draw = Draw::new(&shader)
            .bindings(bindings)
            .anchor(self.anchor)
            .alpha_test(compare, reference)
            .blend_constant(self.blend_constant);
        for (index, target) in colours.iter_mut().enumerate() {
            let Some(target) = target else { continue };
            let buffer = ColourBuffer::new(target.format, width, height, &mut target.bytes);
            draw = draw.target(index, buffer).write_mask(index, target.mask);
            if let Some(blend) = target.blend {
                draw = draw.blend(index, blend);
            }
        }
        if let Some((state, bytes)) = depth {
            let buffer = DepthBuffer::new(state.format, width, height, bytes);
            draw = draw.depth(buffer, state.compare, state.write);
        }
        if let Some((columns, rows)) = &self.scissor {
            draw = draw.scissor(columns.clone(), rows.clone());
        }
        self.draw_shape(self.with_inputs(draw))
    }

    fn with_inputs<'s, 'a>(&'a self, mut draw: Draw<'s, 'a>) -> Draw<'s, 'a> {
        for (register, input) in self.inputs.iter().enumerate() {
            let Some(input) = input else { continue };
            draw = draw.varying(register, input.varying());
        }
        draw
    }

    fn draw_shape(&self, draw: Draw<'_, '_>) -> Result<(), DrawError> {
        match &self.shape {
            DrawShape::Rectangle(columns, rows) => draw.rect(columns.clone(), rows.clone()),
            DrawShape::Quads(quads) => draw.quads(quads),
            DrawShape::Triangles(positions, triangles) => {
                let mut vertices = Vertices::new(positions);
                for (register, input) in self.inputs.iter().enumerate() {
                    if let Some((_, values)) = input.as_ref().and_then(|it| it.attribute.as_ref()) {
                        vertices = vertices.with(register, values);
                    }
                }
                draw.triangles(&vertices, triangles)
            }
        }
    }
}

impl DrawInput {
    fn varying(&self) -> Varying<'_> {
        if let Some((interpolation, _)) = self.attribute {
            return Varying::vertices(interpolation);
        }
        Varying {
            kinds: self.kinds,
            planes: self.planes,
            array: &self.registers,
            from_vertices: false,
        }
    }
}

/// Bytes of a depth.
pub(super) const DEPTH_BYTES: usize = DepthFormat::D24.size();

#[cfg(test)]
mod tests {
    use super::super::case;
    use crate::Engine;

    #[test]
    fn nothing_is_wrong_with_a_case_but_that_it_may_run_for_too_long() {
        for index in 0..300 {
            let drawn = case(1, index).draw(&Engine::interp());
            let end = drawn.end;
            assert!(end.is_ok() || drawn.spent_budget, "case {index}: {end:?}");
        }
    }
}
