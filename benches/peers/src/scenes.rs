//! Whole frames: meshes with a vertex program, depth, samples, layers, formats, blending, many small draws.

mod geometry;
mod report;

use std::error::Error;

use attila_shader::machine::{ErrorChain, SampleCount};
use clap::ValueEnum;

pub(crate) use geometry::Geometry;
pub(crate) use report::Report;

use crate::compare::Agreement;
use crate::contract::Inputs;
use crate::llvmpipe::Llvmpipe;
use crate::options::{Options, TOLERANCE};
use crate::ours::{Ours, Source};
use crate::race;
use crate::report::{Failure, Identity};
use report::Row;

/// Kinds of scenes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kind {
    Meshes,
    Depth,
    Samples,
    Layers,
    Formats,
    Blends,
    Small,
}

/// A row of the table: geometry, program and state.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) kind: Kind,
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// The fragment program.
    pub(crate) program: &'static str,
    pub(crate) colour: Colour,
    /// Whether depths are cleared, tested and stored.
    pub(crate) depth: bool,
    /// Whether alpha mixes colours with what is there.
    pub(crate) blends: bool,
    pub(crate) samples: SampleCount,
}

#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A grid of triangles of an area in pixels.
    Grid { triangles: usize, area: f32 },
    /// Small triangles anywhere.
    Soup,
    /// Rectangles over all of the picture, at one depth: those after the first are hidden.
    Layers(usize),
    /// Square rectangles side by side, each with a constant of its own.
    Small { count: u32, side: u32 },
}

/// The colour target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Rgba8,
    Rgba16F,
    Absent,
}

/// Hands colour and texture coordinates on.
pub(crate) const VERTEX_PROGRAM: &str = include_str!("../shaders/scenes/mesh.arbvp");

const PLAIN: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND";
const TINTED: &str = "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND";
const BLINN: &str = include_str!("../shaders/scenes/blinn.arbfp");
const LONG: &str = include_str!("../shaders/scenes/long.arbfp");
const GAUSS: &str = include_str!("../shaders/scenes/gauss.arbfp");

/// All scenes, in the order of the table.
const SCENES: [Scene; 22] = [
    mesh("mesh of 1k triangles of 1 pixel", 1_000, 1.0),
    mesh("mesh of 10k of 1", 10_000, 1.0),
    mesh("mesh of 100k of 1", 100_000, 1.0),
    mesh("mesh of 10k of 10", 10_000, 10.0),
    mesh("mesh of 1k of 100", 1_000, 100.0),
    mesh("mesh of 100k of 100", 100_000, 100.0),
    scene(Kind::Meshes, "soup of 2k of 20", Shape::Soup, PLAIN),
    scene(Kind::Samples, "soup, 4 samples", Shape::Soup, PLAIN),
    depth("depth, 10k of 10", 10.0, PLAIN),
    depth("depth, 10k of 100, Blinn-Phong", 100.0, BLINN),
    into(
        Colour::Absent,
        depth("depth alone, 10k of 100", 100.0, PLAIN),
    ),
    layers(Kind::Layers, "4 layers, Blinn-Phong", 4, BLINN),
    layers(Kind::Layers, "4 layers, nine lookups", 4, GAUSS),
    layers(Kind::Layers, "1 layer, 55 instructions", 1, LONG),
    layers(Kind::Formats, "RGBA8 written", 1, PLAIN),
    into(
        Colour::Rgba16F,
        layers(Kind::Formats, "RGBA16F written", 1, PLAIN),
    ),
    layers(Kind::Blends, "RGBA8 blended", 1, PLAIN),
    into(
        Colour::Rgba16F,
        layers(Kind::Blends, "RGBA16F blended", 1, PLAIN),
    ),
    small("1k rectangles of 1x1", 1_000, 1),
    small("1k rectangles of 4x4", 1_000, 4),
    small("10k rectangles of 8x8", 10_000, 8),
    small("1k rectangles of 16x16", 1_000, 16),
];

const fn scene(kind: Kind, name: &'static str, shape: Shape, program: &'static str) -> Scene {
    Scene {
        kind,
        name,
        shape,
        program,
        colour: Colour::Rgba8,
        depth: matches!(kind, Kind::Depth | Kind::Layers),
        blends: matches!(kind, Kind::Blends),
        samples: match matches!(kind, Kind::Samples) {
            true => SampleCount::Four,
            false => SampleCount::One,
        },
    }
}

const fn mesh(name: &'static str, triangles: usize, area: f32) -> Scene {
    scene(Kind::Meshes, name, Shape::Grid { triangles, area }, PLAIN)
}

const fn depth(name: &'static str, area: f32, program: &'static str) -> Scene {
    let triangles = 10_000;
    scene(Kind::Depth, name, Shape::Grid { triangles, area }, program)
}

const fn layers(kind: Kind, name: &'static str, count: usize, program: &'static str) -> Scene {
    scene(kind, name, Shape::Layers(count), program)
}

const fn small(name: &'static str, count: u32, side: u32) -> Scene {
    scene(Kind::Small, name, Shape::Small { count, side }, TINTED)
}

const fn into(colour: Colour, scene: Scene) -> Scene {
    Scene { colour, ..scene }
}

impl Shape {
    /// The constant of a rectangle, if it has one of its own.
    pub(crate) fn tint(self, rectangle: usize) -> Option<[f32; 4]> {
        match self {
            Shape::Small { count, .. } => {
                Some([1.0 - rectangle as f32 / count as f32, 1.0, 0.5, 1.0])
            }
            Shape::Grid { .. } | Shape::Soup | Shape::Layers(_) => None,
        }
    }
}

/// The vertex program's parameters: the rows of a matrix from pixels to clip space. Nothing is rounded
/// where sides are powers of 2.
pub(crate) fn to_clip([width, height]: [u32; 2]) -> [[f32; 4]; 4] {
    [
        [2.0 / width as f32, 0.0, 0.0, -1.0],
        [0.0, 2.0 / height as f32, 0.0, -1.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// Compares and measures scenes of these kinds.
pub(crate) fn measure(kinds: &[Kind], peer: &Llvmpipe, ours: &Ours, options: &Options) -> Report {
    let mut report = Report {
        identity: Identity::new(&peer.identity, options.threads),
        rows: Vec::new(),
        failures: Vec::new(),
    };
    for scene in SCENES.iter().filter(|it| kinds.contains(&it.kind)) {
        match measure_scene(scene, peer, ours, options) {
            Ok(row) => report.rows.push(row),
            Err(error) => report.failures.push(Failure {
                shader: scene.name.to_owned(),
                reason: ErrorChain(&*error).to_string(),
            }),
        }
    }
    report
}

fn measure_scene(
    scene: &Scene,
    peer: &Llvmpipe,
    ours: &Ours,
    options: &Options,
) -> Result<Row, Box<dyn Error>> {
    let size = options.size.0;
    let geometry = Geometry::new(scene.shape, &Inputs::new(options.scale), size);
    let (_, loaded) = ours.compile(Source::Arb(scene.program))?;
    let mut ready = ours.stage(&loaded, scene, &geometry, size)?;
    let staged = peer.stage(scene, &geometry)?;
    // Twice, so that something is there to blend with.
    for _ in 0..2 {
        staged.frame();
        ready.frame()?;
    }
    let picture = match scene.colour {
        Colour::Absent => Agreement::of_depths(&staged.depths(), &ready.depths(), TOLERANCE),
        Colour::Rgba8 | Colour::Rgba16F => {
            let tolerance = options.tolerance(loaded.is_textured());
            Agreement::of(&staged.colours(), &ready.colours(), tolerance)
        }
    };
    staged.check()?;
    let mut frame = || ready.frame().expect("it was drawn before");
    let outcome = race::race([&mut || staged.frame(), &mut frame], options.pace());
    Ok(Row::new(scene, &geometry, outcome, picture))
}

#[cfg(test)]
mod tests {
    use attila_shader::front::arb::{self, Profile};

    use super::*;

    #[test]
    fn programs_of_scenes_are_right() {
        for text in SCENES.iter().map(|it| it.program).chain([VERTEX_PROGRAM]) {
            let translated = arb::compile(text, &Profile::default());
            assert!(translated.is_ok(), "{text}\n{}", translated.unwrap_err());
        }
    }
}
