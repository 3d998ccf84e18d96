//! [`DrawCase`]: a program, everything around it, and some frames that are drawn.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::draw::{Cull, FrontFace, SampleQuad};
use attila_shader::isa::{Bank, Inputs, Slots};
use attila_shader::machine::QuadReg;
use attila_shader::machine::pipeline::{
    ColourTarget, Compare, DepthTarget, InputKind, Pipeline, Plane, TARGETS,
};

use super::fill::Fill;
use super::samples::SampleCase;
use super::set_up::SetUpCase;
use super::view::ViewCase;
use crate::case::Case;

/// A draw that is prepared once and drawn in several frames, one over the other.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawCase {
    /// The fragment program and what it is bound to. Its quads are those of the draw.
    pub shaded: Case,
    /// Where inputs come from, read or not.
    pub kinds: Inputs<[InputKind; 4]>,
    /// The inputs that are attributes of vertices, if triangles are drawn.
    pub vertices: Inputs<bool>,
    /// The point that planes start from.
    pub anchor: [f32; 2],
    /// Columns and rows of the targets.
    pub size: [u32; 2],
    /// The colour targets.
    pub targets: [Option<TargetCase>; TARGETS],
    /// The depth target.
    pub depth: Option<DepthCase>,
    /// The samples of pixels.
    pub samples: SampleCase,
    /// The set-up of triangles.
    pub set_up: SetUpCase,
    /// The comparison of the alpha test.
    pub alpha_test: Compare,
    /// Columns and rows.
    pub scissor: Option<[Range<i64>; 2]>,
    /// Triangles that are left out.
    pub hidden: Cull,
    /// The side of triangles that is the front.
    pub front: FrontFace,
    /// The frames, in order.
    pub frames: Vec<FrameCase>,
    /// The threads of one of the two draws that are compared. The other has one.
    pub threads: usize,
    /// Columns and rows of the tiles in which one engine draws the picture, too.
    pub tile: Option<[u32; 2]>,
}

/// A colour target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetCase {
    /// Format, mask and blending.
    pub target: ColourTarget,
    /// The pixels before the draw.
    pub fill: Fill,
}

/// A depth target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DepthCase {
    /// Format and test.
    pub state: DepthTarget,
    /// The pixels before the draw.
    pub fill: Fill,
}

/// The values of a frame.
#[derive(Clone, PartialEq, Debug)]
pub struct FrameCase {
    /// The planes of inputs, used or not.
    pub planes: Inputs<[Plane; 4]>,
    /// The registers of inputs that come from arrays.
    pub arrays: BTreeMap<usize, Vec<QuadReg>>,
    /// The attributes of vertices that become inputs.
    pub attributes: BTreeMap<usize, Vec<[f32; 4]>>,
    /// The reference of the alpha test.
    pub alpha_reference: f32,
    /// The constant colour of blending.
    pub blend_constant: [f32; 4],
    /// The viewport, if vertices are positions in clip space, drawn as a mesh.
    pub view: Option<ViewCase>,
    /// The covered pixels.
    pub shape: ShapeCase,
}

/// The pixels that a frame covers.
#[derive(Clone, PartialEq, Debug)]
pub enum ShapeCase {
    /// Columns and rows.
    Rect([Range<i64>; 2]),
    /// Quads in their order.
    Quads(Vec<SampleQuad>),
    /// Positions of vertices, and the triangles between them.
    Triangles(Vec<[f32; 4]>, Vec<[u32; 3]>),
}

impl FrameCase {
    /// A frame in which everything but the shape is 0.
    pub(super) fn plain(shape: ShapeCase) -> FrameCase {
        FrameCase {
            planes: Default::default(),
            arrays: BTreeMap::new(),
            attributes: BTreeMap::new(),
            alpha_reference: 0.0,
            blend_constant: [0.0; 4],
            view: None,
            shape,
        }
    }
}

impl DrawCase {
    /// Number of input registers of the program's profile.
    pub(crate) fn input_registers(&self) -> usize {
        let profile = self.shaded.program.program().profile();
        Bank::Input.size(profile).into()
    }

    /// A draw in which nothing is set.
    pub(super) fn plain(shaded: Case) -> DrawCase {
        DrawCase {
            shaded,
            kinds: Default::default(),
            vertices: Inputs::default(),
            anchor: [0.0; 2],
            size: [1; 2],
            targets: Default::default(),
            depth: None,
            samples: SampleCase::default(),
            set_up: SetUpCase::default(),
            alpha_test: Compare::Always,
            scissor: None,
            hidden: Cull::None,
            front: FrontFace::CounterClockwise,
            frames: Vec::new(),
            threads: 1,
            tile: None,
        }
    }

    /// The inputs that the draw is told about: the others are what it gives.
    pub(super) fn given(&self) -> impl Iterator<Item = (usize, &[InputKind; 4])> {
        let told = |(register, kinds): &(usize, &[InputKind; 4])| {
            self.vertices[*register] || **kinds != [InputKind::Unused; 4]
        };
        self.kinds.iter().enumerate().filter(told)
    }

    /// The components of inputs that interpolation makes.
    pub(super) fn interpolated(&self) -> Inputs<Slots> {
        self.kinds.map(|kinds| {
            let computed = [InputKind::Linear, InputKind::Perspective];
            let all = Slots::all().components();
            let components = all.filter(|component| computed.contains(&kinds[component.index()]));
            components.map(Slots::only).collect()
        })
    }

    /// Whether depth is tested before the program runs.
    pub(super) fn tests_early(&self) -> bool {
        let pipeline = Pipeline {
            depth: self.depth.map(|depth| depth.state),
            alpha_test: self.alpha_test,
            ..Pipeline::default()
        };
        !self.samples.alpha_to_coverage && pipeline.tests_early(self.shaded.program.usage())
    }

    /// Whether results do not depend on the payload of a NaN that interpolation, a sampler or the
    /// program makes.
    pub(super) fn has_specified_results(&self) -> bool {
        let program = self.shaded.program.program();
        let flow = self.shaded.nan_flow(self.interpolated());
        flow.first_dependent(program).is_none()
    }

    /// Whether a frame may touch each pixel, row by row.
    pub(super) fn covered(&self, frame: &FrameCase) -> Vec<bool> {
        let [width, height] = self.size;
        let inside = |[columns, rows]: &[Range<i64>; 2], x: u32, y: u32| {
            columns.contains(&x.into()) && rows.contains(&y.into())
        };
        let all = |area: &[Range<i64>; 2]| {
            let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            let area = area.clone();
            all.filter(move |&(x, y)| inside(&area, x, y))
        };
        let mut covered = vec![false; width as usize * height as usize];
        let mut cover = |x: u32, y: u32| {
            let scissor = self.scissor.as_ref();
            let kept = scissor.is_none_or(|scissor| inside(scissor, x, y));
            if x < width && y < height && kept {
                covered[y as usize * width as usize + x as usize] = true;
            }
        };
        match &frame.shape {
            ShapeCase::Rect(area) => all(area).for_each(|(x, y)| cover(x, y)),
            // Exactly which of them, and where meshes are, is what `exact` looks at.
            ShapeCase::Triangles(positions, _) => {
                let area = match frame.view {
                    None => around(positions),
                    Some(_) => EVERYWHERE,
                };
                all(&area).for_each(|(x, y)| cover(x, y));
            }
            ShapeCase::Quads(quads) => {
                for quad in quads {
                    let lanes = (0..4).filter(|&lane| quad.coverage[lane as usize] != 0);
                    lanes.for_each(|lane| cover(quad.x + lane % 2, quad.y + lane / 2));
                }
            }
        }
        covered
    }
}

/// All pixels.
const EVERYWHERE: [Range<i64>; 2] = [i64::MIN..i64::MAX, i64::MIN..i64::MAX];

/// The pixels around triangles between such vertices.
fn around(positions: &[[f32; 4]]) -> [Range<i64>; 2] {
    let places = || positions.iter().flat_map(|[x, y, ..]| [x, y]);
    if !places().all(|place| place.abs() < 1e6) {
        return EVERYWHERE;
    }
    [0, 1].map(|axis| {
        let along = || positions.iter().map(|position| position[axis]);
        let least = along().fold(f32::INFINITY, f32::min);
        let most = along().fold(f32::NEG_INFINITY, f32::max);
        least as i64 - 1..most as i64 + 2
    })
}
