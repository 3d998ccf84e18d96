//! Checks of a batch of spans, before engines shade it: emitted code does not look.

use std::fmt;

use thiserror::Error;

use super::{Batch, Pipeline, Span, SpanError, Surface, Surfaces};
use crate::samples::SampleCount;

/// The name of a target, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetName {
    /// The colour target that output `o1 + n` is stored to.
    Colour(usize),
    /// The depth target.
    Depth,
}

impl fmt::Display for TargetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetName::Colour(index) => write!(f, "colour target {index}"),
            TargetName::Depth => f.write_str("the depth target"),
        }
    }
}

/// A fault of a span.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SpanFault {
    /// It is empty.
    #[error("has no quads")]
    Empty,
    /// It is longer than [`Span::MOST_QUADS`].
    #[error("has {0} quads; the limit is {limit}", limit = Span::MOST_QUADS)]
    TooLong(u32),
    /// It has pixels whose column or row is not below 2^32 - 1.
    #[error("goes beyond column or row 4294967294")]
    TooFar,
    /// It belongs to a primitive that has no anchor.
    #[error("belongs to primitive {primitive}; there are {primitives} anchors")]
    Primitive {
        /// The primitive.
        primitive: u32,
        /// Anchors of the batch.
        primitives: usize,
    },
    /// The coverage of its quads is missing.
    #[error("needs {needed} quads in the coverage; there are {quads}")]
    Coverage {
        /// The place after that of its last quad.
        needed: usize,
        /// Quads that have a coverage.
        quads: usize,
    },
    /// Registers of its quads are missing.
    #[error("needs {needed} quads in the arrays; there are {quads}")]
    Registers {
        /// The place after that of its last quad.
        needed: usize,
        /// Quads that have a register in every array that is used.
        quads: usize,
    },
    /// Some of its pixels are not on the surface.
    #[error("has pixels outside of the surface of {0}")]
    Outside(TargetName),
}

impl Batch<'_> {
    /// Checks that everything is there that `pipeline` and the spans refer to.
    ///
    /// # Errors
    ///
    /// [`SpanError::MissingSurface`], [`SpanError::MissingPlanes`] or, of the first span that has a
    /// fault, [`SpanError::Span`].
    pub fn check(&self, pipeline: &Pipeline, surfaces: &Surfaces<'_>) -> Result<(), SpanError> {
        let (planes, primitives) = (pipeline.plane_count(), self.anchors.len());
        if planes.saturating_mul(primitives) > self.planes.len() {
            return Err(SpanError::MissingPlanes {
                primitives,
                needed: planes,
                planes: self.planes.len(),
            });
        }
        // There may be very many spans, so what all have in common is looked at once.
        let [coverage, arrays] = [self.covered(pipeline), self.registers(pipeline)];
        let quads = coverage.min(arrays);
        if self.fits(pipeline, surfaces, quads) {
            return Ok(());
        }
        self.check_spans(|span| {
            let fault = span.fault(primitives);
            let is_short = span.end() > quads;
            fault.or_else(|| is_short.then(|| self.missing(pipeline, span.end())))
        })?;
        for (index, target) in pipeline.targets.iter().enumerate() {
            if let Some(target) = target {
                let surface = surfaces.colours[index].as_ref();
                let name = TargetName::Colour(index);
                self.check_surface(name, surface, target.format.size(), pipeline.stored())?;
            }
        }
        match pipeline.depth {
            Some(depth) => {
                let surface = surfaces.depth.as_ref();
                let size = depth.format.size();
                self.check_surface(TargetName::Depth, surface, size, pipeline.stored())
            }
            None => Ok(()),
        }
    }

    /// Whether nothing is wrong, as far as that follows from what is around all spans.
    fn fits(&self, pipeline: &Pipeline, surfaces: &Surfaces<'_>, quads: usize) -> bool {
        let Some(first) = self.spans.first() else {
            return false;
        };
        let (mut least, mut most) = (*first, *first);
        let [mut right, mut end] = [0, 0];
        for span in self.spans {
            least.x = least.x.min(span.x);
            least.y = least.y.min(span.y);
            least.quads = least.quads.min(span.quads);
            most.y = most.y.max(span.y);
            most.quads = most.quads.max(span.quads);
            most.primitive = most.primitive.max(span.primitive);
            right = right.max(u64::from(span.x) + 2 * u64::from(span.quads));
            end = end.max(u64::from(span.first) + u64::from(span.quads));
        }
        let across = (right - u64::from(least.x)).div_ceil(2);
        let corner = |y: u32| Span {
            x: least.x,
            y,
            quads: across as u32,
            ..Span::default()
        };
        let on = |surface: Option<&Surface<'_>>, size: usize| {
            let held = |surface: &Surface<'_>| {
                [least.y, most.y]
                    .iter()
                    .all(|&y| surface.holds(&corner(y), size, pipeline.stored()))
            };
            surface.is_some_and(held)
        };
        let colours = pipeline.targets.iter().zip(&surfaces.colours);
        let mut colours = colours.filter_map(|(target, surface)| Some((target.as_ref()?, surface)));
        least.quads > 0
            && most.quads <= Span::MOST_QUADS
            && right <= u64::from(u32::MAX)
            && most.y < u32::MAX - 1
            && (most.primitive as usize) < self.anchors.len()
            && end <= quads as u64
            && colours.all(|(target, surface)| on(surface.as_ref(), target.format.size()))
            && pipeline
                .depth
                .is_none_or(|depth| on(surfaces.depth.as_ref(), depth.format.size()))
    }

    /// The quads that may have a coverage.
    fn covered(&self, pipeline: &Pipeline) -> usize {
        if pipeline.coverage {
            self.coverage.len() / pipeline.coverage_bytes()
        } else {
            usize::MAX
        }
    }

    /// The quads that have a register in every array that is used.
    fn registers(&self, pipeline: &Pipeline) -> usize {
        let quads = pipeline.arrays().map(|input| self.arrays[input].len());
        quads.min().unwrap_or(usize::MAX)
    }

    /// The fault of a span that needs more quads than there are.
    fn missing(&self, pipeline: &Pipeline, needed: usize) -> SpanFault {
        let quads = self.registers(pipeline);
        if needed > quads {
            SpanFault::Registers { needed, quads }
        } else {
            SpanFault::Coverage {
                needed,
                quads: self.covered(pipeline),
            }
        }
    }

    fn check_spans(&self, fault: impl Fn(&Span) -> Option<SpanFault>) -> Result<(), SpanError> {
        let mut faults = self.spans.iter().map(fault).enumerate();
        match faults.find_map(|(index, fault)| Some((index, fault?))) {
            Some((index, fault)) => Err(SpanError::Span { index, fault }),
            None => Ok(()),
        }
    }

    fn check_surface(
        &self,
        target: TargetName,
        surface: Option<&Surface<'_>>,
        size: usize,
        samples: SampleCount,
    ) -> Result<(), SpanError> {
        let surface = surface.ok_or(SpanError::MissingSurface(target))?;
        self.check_spans(|span| {
            let outside = !surface.holds(span, size, samples);
            outside.then_some(SpanFault::Outside(target))
        })
    }
}

impl Span {
    /// The place after that of its last quad in coverage and arrays.
    fn end(&self) -> usize {
        (self.first as usize).saturating_add(self.quads as usize)
    }

    /// A fault of the span alone, whether or not its quads have coverage and registers.
    fn fault(&self, primitives: usize) -> Option<SpanFault> {
        let quads = self.quads;
        if quads == 0 {
            return Some(SpanFault::Empty);
        }
        if quads > Span::MOST_QUADS {
            return Some(SpanFault::TooLong(quads));
        }
        let behind = (self.x.checked_add(2 * quads), self.y.checked_add(2));
        if matches!(behind, (None, _) | (_, None)) {
            return Some(SpanFault::TooFar);
        }
        let primitive = self.primitive;
        (primitive as usize >= primitives).then_some(SpanFault::Primitive {
            primitive,
            primitives,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        ColourFormat, ColourTarget, Compare, DepthFormat, DepthTarget, InputKind, Multisampling,
        Plane,
    };
    use super::*;
    use crate::samples::SamplePositions;
    use crate::state::QuadReg;
    use attila_isa::Inputs;
    use attila_isa::Slots;

    const ANCHORS: [[f32; 2]; 2] = [[0.0; 2]; 2];
    const PLANES: [Plane; 8] = [Plane {
        at: 0.0,
        dx: 0.0,
        dy: 0.0,
    }; 8];

    /// A pipeline with everything, and a span that it accepts: 5 quads of primitive 1.
    fn pipeline() -> (Pipeline, Span) {
        let mut pipeline = Pipeline {
            coverage: true,
            depth: Some(DepthTarget {
                format: DepthFormat::D24,
                compare: Compare::Less,
                write: true,
            }),
            ..Pipeline::default()
        };
        pipeline.inputs[0][2] = InputKind::Linear;
        pipeline.inputs[3] = [InputKind::Array; 4];
        pipeline.inputs[6] = [
            InputKind::Flat,
            InputKind::Perspective,
            InputKind::Linear,
            InputKind::Array,
        ];
        pipeline.targets[2] = Some(ColourTarget {
            format: ColourFormat::Rgba16F,
            mask: Slots::all(),
            blend: None,
        });
        let span = Span {
            x: 6,
            y: 2,
            quads: 5,
            primitive: 1,
            first: 4,
        };
        (pipeline, span)
    }

    /// Arrays of nine quads, or none.
    const ARRAYS: Inputs<&[QuadReg]> = Inputs::all(&[[[0; 4]; 4]; 9]);
    const NONE: Inputs<&[QuadReg]> = Inputs::all(&[]);

    /// The message about a batch after `change`, and about two surfaces of 16x4 pixels that lack as
    /// many bytes as it says.
    fn message(
        change: impl FnOnce(&mut Pipeline, &mut Span, &mut Batch<'_>, &mut [Option<usize>; 2]),
    ) -> String {
        let (mut pipeline, mut span) = pipeline();
        let good = span;
        let mut batch = Batch {
            spans: &[],
            coverage: &[15; 9],
            positions: SamplePositions::default(),
            anchors: &ANCHORS,
            planes: &PLANES,
            arrays: &ARRAYS,
            alpha_reference: 0.0,
            blend_constant: [0.0; 4],
        };
        let mut lacking = [Some(0); 2];
        change(&mut pipeline, &mut span, &mut batch, &mut lacking);
        let mut bytes = [vec![0; 16 * 4 * 8], vec![0; 16 * 4 * 4]];
        let [colours, depths] = &mut bytes;
        let lengths = [
            lacking[0].map(|lacks| colours.len() - lacks),
            lacking[1].map(|lacks| depths.len() - lacks),
        ];
        let mut surfaces = Surfaces::default();
        surfaces.colours[2] =
            lengths[0].map(|length| Surface::new(&mut colours[..length], 16 * 8, [0, 0]));
        surfaces.depth =
            lengths[1].map(|length| Surface::new(&mut depths[..length], 16 * 4, [0, 0]));
        let spans = [good, span];
        let batch = Batch {
            spans: &spans,
            ..batch
        };
        match batch.check(&pipeline, &surfaces) {
            Ok(()) => "fine".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_complete_is_fine() {
        assert_eq!(message(|_, _, _, _| {}), "fine");
        // Inputs that the pipeline does not use may be missing.
        let without = message(|pipeline, _, batch, lacking| {
            *pipeline = Pipeline::default();
            (batch.coverage, batch.planes) = (&[], &[]);
            batch.arrays = &NONE;
            *lacking = [None; 2];
        });
        assert_eq!(without, "fine");
    }

    #[test]
    fn spans_have_limits() {
        for (quads, expected) in [
            (0, "span 1 has no quads"),
            (1 << 24, "span 1 has 16777216 quads; the limit is 16777215"),
            (
                u32::MAX,
                "span 1 has 4294967295 quads; the limit is 16777215",
            ),
            (
                (1 << 24) - 1,
                "span 1 needs 16777219 quads in the arrays; there are 9",
            ),
        ] {
            assert_eq!(message(|_, span, _, _| span.quads = quads), expected);
        }
        let short = message(|pipeline, span, _, _| {
            pipeline.coverage = false;
            span.quads = 1;
        });
        assert_eq!(short, "fine");
    }

    #[test]
    fn places_have_limits() {
        let far = "span 1 goes beyond column or row 4294967294";
        for x in [u32::MAX, u32::MAX - 9] {
            assert_eq!(message(|_, span, _, _| span.x = x), far);
        }
        for y in [u32::MAX, u32::MAX - 1] {
            assert_eq!(message(|_, span, _, _| span.y = y), far);
        }
        let outside = "span 1 has pixels outside of the surface of colour target 2";
        assert_eq!(message(|_, span, _, _| span.x = u32::MAX - 10), outside);
        assert_eq!(message(|_, span, _, _| span.y = 3), outside);
        assert_eq!(message(|_, span, _, _| span.x = 7), outside);
        assert_eq!(
            message(|_, _, _, lacking| lacking[0] = Some(1)),
            outside.replace('1', "0")
        );
        assert_eq!(
            message(|_, _, _, lacking| lacking[1] = Some(1)),
            "span 0 has pixels outside of the surface of the depth target"
        );
    }

    #[test]
    fn what_spans_refer_to_has_to_be_there() {
        assert_eq!(
            message(|_, span, _, _| span.primitive = 2),
            "span 1 belongs to primitive 2; there are 2 anchors"
        );
        assert_eq!(
            message(|_, _, batch, _| batch.planes = &PLANES[1..]),
            "2 primitives have 4 planes each; there are 7"
        );
        assert_eq!(
            message(|_, span, _, _| span.first = 5),
            "span 1 needs 10 quads in the arrays; there are 9"
        );
        assert_eq!(
            message(|_, _, batch, _| batch.arrays = &NONE),
            "span 0 needs 9 quads in the arrays; there are 0"
        );
        assert_eq!(
            message(|_, span, _, _| span.first = u32::MAX),
            "span 1 needs 4294967300 quads in the arrays; there are 9"
        );
        assert_eq!(
            message(|_, _, batch, _| batch.coverage = &[15; 8]),
            "span 0 needs 9 quads in the coverage; there are 8"
        );
        assert_eq!(
            message(|pipeline, _, _, _| pipeline.multisampling = Some(Multisampling::default())),
            "span 0 needs 9 quads in the coverage; there are 1"
        );
        let four_planes = Multisampling {
            stored: SampleCount::Four,
            ..Multisampling::default()
        };
        assert_eq!(
            message(|pipeline, _, batch, _| {
                pipeline.multisampling = Some(four_planes);
                batch.coverage = &[0; 9 * 8];
            }),
            "span 0 has pixels outside of the surface of colour target 2"
        );
        assert_eq!(
            message(|_, _, _, lacking| lacking[0] = None),
            "colour target 2 has no surface"
        );
        assert_eq!(
            message(|_, _, _, lacking| lacking[1] = None),
            "the depth target has no surface"
        );
    }
}
