//! The work on fragments around their program: where inputs come from, which fragments are kept,
//! and how results are stored.
//!
//! ```text
//! Span ─► inputs ─► program ─► alive? ─► alpha test ─► depth test ─► blend ─► convert ─► store
//!         planes,              covered,  o1.w          o0.z or       per      per        of the
//!         arrays               not killed              plane         target   format     components
//!                                                                                        to be written
//! ```
//!
//! [`Pipeline`] is all of it that code is specialised by; the numbers that may change with every
//! draw are in [`Batch`] and [`Surfaces`].
//!
//! Where the program neither kills nor computes a depth, and there is no alpha test, depth is
//! tested before the program, and a quad of which no fragment is left is not shaded: a loop that
//! would not end is no error there.

mod blend;
mod check;
mod format;
mod multisampling;
mod spans;

pub use blend::{Blend, BlendEquation, BlendFactor, BlendOp};
pub use check::{SpanFault, TargetName};
pub use format::{ColourField, ColourFormat, D24_ONE, DepthFormat, Encoding};
pub use multisampling::{Location, Multisampling};
pub use spans::{Batch, Plane, SamplePlanes, Span, SpanError, SpanShader, Surface, Surfaces};

use std::fmt;

use attila_isa::{Component, Inputs, Slots, Usage};

/// The colour targets of a draw, and of a program: `o1` to `o8`.
pub const TARGETS: usize = 8;

/// How two numbers have to compare. With a NaN, only [`NotEqual`](Compare::NotEqual) and
/// [`Always`](Compare::Always) hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Compare {
    /// All of them.
    pub const ALL: [Compare; 8] = [
        Compare::Never,
        Compare::Less,
        Compare::Equal,
        Compare::LessEqual,
        Compare::Greater,
        Compare::NotEqual,
        Compare::GreaterEqual,
        Compare::Always,
    ];

    /// Whether it holds of `left` and `right`.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => left < right,
            Compare::Equal => left == right,
            Compare::LessEqual => left <= right,
            Compare::Greater => left > right,
            Compare::NotEqual => left != right,
            Compare::GreaterEqual => left >= right,
            Compare::Always => true,
        }
    }
}

/// Where a component of an input comes from.
///
/// A plane is evaluated at the centre (x, y) of the pixel, or at another [`Location`] in it, both steps
/// rounded once: `fma(x - x0, dx, fma(y - y0, dy, at))`, see [`Plane`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum InputKind {
    /// The program does not read it; it is 0.
    #[default]
    Unused,
    /// The window position of the pixel's centre, or of the location: x of `i0.x`, y of `i0.y`. No
    /// other component is a position.
    Position,
    /// `at` of the plane, the same over the whole primitive.
    Flat,
    /// The plane.
    Linear,
    /// The plane, of the attribute divided by w, times the reciprocal of `i0.w`'s plane of 1/w.
    Perspective,
    /// One vector per quad, from an array.
    Array,
}

impl InputKind {
    /// Whether a primitive has a [`Plane`] for it.
    pub const fn has_plane(self) -> bool {
        match self {
            InputKind::Flat | InputKind::Linear | InputKind::Perspective => true,
            InputKind::Unused | InputKind::Position | InputKind::Array => false,
        }
    }
}

/// A colour target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ColourTarget {
    /// How pixels are stored.
    pub format: ColourFormat,
    /// The components that are stored: x is red. Others stay as they are.
    pub mask: Slots,
    /// How they are mixed with what is there. `None` replaces it.
    pub blend: Option<Blend>,
}

/// The depth test and the depths that it stores.
///
/// The depth of a sample is `o0.z` of a program that writes it, else the depth of that sample that it
/// exports (ZXS), else the depth that it exports for all (ZXP), else the plane of `i0.z` at the
/// sample; clamped to [0, 1], a NaN to 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DepthTarget {
    /// How depths are stored, and compared.
    pub format: DepthFormat,
    /// A fragment is kept if its depth, on the left, compares like this with what is stored.
    pub compare: Compare,
    /// Whether the depths of fragments that are kept are stored.
    pub write: bool,
}

/// The properties that code for a draw is specialised by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pipeline {
    /// Where the components of each input come from. `i0.z` and `i0.w` have planes whenever the
    /// depth test or perspective needs them, read by the program or not.
    pub inputs: Inputs<[InputKind; 4]>,
    /// Where each input is evaluated, if there are several samples and the program runs once for all.
    pub locations: Inputs<Location>,
    /// The samples of pixels. `None` is one, at the centre, which is the whole pixel.
    pub multisampling: Option<Multisampling>,
    /// Whether spans say which fragments of a quad are covered. If not, all are.
    pub coverage: bool,
    /// How `o1.w`, on the left, has to compare with [`Batch::alpha_reference`] to be kept.
    pub alpha_test: Compare,
    /// Depth test and store.
    pub depth: Option<DepthTarget>,
    /// The target of output `o1 + n`.
    pub targets: [Option<ColourTarget>; TARGETS],
}

impl Default for Pipeline {
    fn default() -> Self {
        Pipeline {
            inputs: Default::default(),
            locations: Default::default(),
            multisampling: None,
            coverage: false,
            alpha_test: Compare::Always,
            depth: None,
            targets: [None; TARGETS],
        }
    }
}

impl Pipeline {
    /// The components that have planes, register and component, in the order of a primitive's
    /// planes.
    pub fn planes(&self) -> impl Iterator<Item = (usize, Component)> + '_ {
        self.used().flat_map(|(register, kinds)| {
            let components = Slots::all().components();
            let with_plane = components.filter(|component| kinds[component.index()].has_plane());
            with_plane.map(move |component| (register, component))
        })
    }

    /// The number of [planes](Pipeline::planes).
    pub fn plane_count(&self) -> usize {
        let kinds = self.used().flat_map(|(_, kinds)| kinds);
        kinds.filter(|kind| kind.has_plane()).count()
    }

    /// The inputs that are read.
    pub fn used(&self) -> impl Iterator<Item = (usize, &[InputKind; 4])> {
        let registers = self.inputs.iter().enumerate();
        // Each frame looks a few times, and as bytes the four kinds are one word.
        let unused = [InputKind::Unused as u8; 4];
        registers.filter(move |(_, kinds)| kinds.map(|kind| kind as u8) != unused)
    }

    /// The inputs with components that come from arrays.
    pub fn arrays(&self) -> impl Iterator<Item = usize> + '_ {
        let arrays = self.used();
        arrays.filter_map(|(register, kinds)| kinds.contains(&InputKind::Array).then_some(register))
    }

    /// Whether an input is multiplied by the reciprocal of `i0.w`.
    pub fn has_perspective(&self) -> bool {
        self.used()
            .any(|(_, kinds)| kinds.contains(&InputKind::Perspective))
    }

    /// Whether depth is tested before the program runs.
    pub fn tests_early(&self, usage: &Usage) -> bool {
        self.depth.is_some() && self.late_depth(usage).is_none()
    }

    /// Why a depth test has to come after the program (drawing.md 3), if it has to.
    pub fn late_depth(&self, usage: &Usage) -> Option<LateDepth> {
        if usage.kills {
            Some(LateDepth::Kills)
        } else if DepthSource::of(usage) != DepthSource::Plane {
            Some(LateDepth::Depth)
        } else if self.alpha_test != Compare::Always {
            Some(LateDepth::AlphaTest)
        } else if self.multisampling.is_some_and(|it| it.alpha_to_coverage) {
            Some(LateDepth::AlphaToCoverage)
        } else {
            None
        }
    }
}

/// Why a depth test comes after the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LateDepth {
    /// The program kills fragments.
    Kills,
    /// The program makes the depth.
    Depth,
    /// The alpha test looks at what the program makes.
    AlphaTest,
    /// The program's alpha decides which samples are covered.
    AlphaToCoverage,
}

impl fmt::Display for LateDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LateDepth::Kills => "it kills fragments",
            LateDepth::Depth => "it makes the depth",
            LateDepth::AlphaTest => "the alpha test needs its alpha",
            LateDepth::AlphaToCoverage => "its alpha is coverage",
        })
    }
}

/// Where the depth of a fragment comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DepthSource {
    /// The plane of `i0.z`.
    Plane,
    /// `o0.z`.
    Output,
    /// The exported depth of sample 0, which is 0 where none is, for all samples.
    Export,
    /// The exported depth of each sample, which is 0 where none is.
    SampleExports,
}

impl DepthSource {
    /// The source of a program's depths.
    pub fn of(usage: &Usage) -> DepthSource {
        if usage.outputs[0].contains(Slots::Z) {
            DepthSource::Output
        } else if usage.exports_samples {
            DepthSource::SampleExports
        } else if usage.exports_depth {
            DepthSource::Export
        } else {
            DepthSource::Plane
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attila_isa::Program;

    fn usage(text: &str) -> Usage {
        let program = Program::assemble(text).unwrap().validate().unwrap();
        program.usage().clone()
    }

    #[test]
    fn only_two_comparisons_hold_with_a_nan() {
        let held = Compare::ALL.map(|compare| compare.holds(f32::NAN, 1.0));
        assert_eq!(held, [false, false, false, false, false, true, false, true]);
    }

    #[test]
    fn depth_is_tested_early_if_nothing_else_decides() {
        let depth = Some(DepthTarget {
            format: DepthFormat::D24,
            compare: Compare::Less,
            write: true,
        });
        let tested = Pipeline {
            depth,
            ..Pipeline::default()
        };
        let alpha_tested = Pipeline {
            alpha_test: Compare::Greater,
            ..tested.clone()
        };
        let plain = usage("mov o1, i0");
        assert!(tested.tests_early(&plain));
        assert!(!alpha_tested.tests_early(&plain));
        assert!(!Pipeline::default().tests_early(&plain));
        let why = |text| tested.late_depth(&usage(text));
        for (text, late) in [
            ("mov o0.z, i1.x", LateDepth::Depth),
            ("kil -i1", LateDepth::Kills),
            ("zxp i1.x", LateDepth::Depth),
        ] {
            assert!(!tested.tests_early(&usage(text)), "{text}");
            assert_eq!(why(text), Some(late), "{text}");
        }
        assert!(tested.tests_early(&usage("mov o0.x, i1.x")));
        assert_eq!(why("mov o0.x, i1.x"), None);
        assert_eq!(alpha_tested.late_depth(&plain), Some(LateDepth::AlphaTest));
    }

    #[test]
    fn planes_are_those_of_components_that_vary() {
        let mut pipeline = Pipeline::default();
        pipeline.inputs[0] = [
            InputKind::Position,
            InputKind::Position,
            InputKind::Linear,
            InputKind::Unused,
        ];
        pipeline.inputs[6] = [
            InputKind::Flat,
            InputKind::Unused,
            InputKind::Array,
            InputKind::Perspective,
        ];
        let planes: Vec<_> = pipeline.planes().collect();
        assert_eq!(
            planes,
            [(0, Component::Z), (6, Component::X), (6, Component::W)]
        );
    }
}
