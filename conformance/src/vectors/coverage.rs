//! Vectors of triangles that are drawn: the samples that each covers, and the nearest triangle at each
//! sample.
//!
//! Each is drawn in several ways, which change nothing: on one thread and on three, with positions given
//! and by default, and into smaller targets.

use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, Varying, Vertices};
use attila_shader::isa::Program;
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{SampleCount, SamplePositions};
use attila_shader::{Engine, Shader};
use serde::Deserialize;

use super::VectorError;

/// A vector of triangles.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct CoverageVector {
    /// Its name.
    pub id: String,
    width: u32,
    height: u32,
    samples: usize,
    /// Where samples are, in 1/16 pixel; at the standard positions if nothing is said.
    #[serde(default)]
    positions: Option<Vec<[i8; 2]>>,
    #[serde(flatten)]
    drawn: Drawn,
}

/// What is drawn, and the result.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "group", rename_all = "snake_case")]
enum Drawn {
    /// x and y of three corners in 1/256 pixel, and a mask for each pixel: a hexadecimal digit, or numbers
    /// with dots between.
    Coverage { triangle: [i32; 6], masks: String },
    /// Corners with z in 1/65536, and for each sample of each pixel a digit: one more than the number of the
    /// triangle that is seen there. Those in `unsure` do not matter.
    Depth {
        triangles: Vec<[[i32; 3]; 3]>,
        compare: CompareName,
        clear: f32,
        ids: String,
        #[serde(default)]
        unsure: Vec<usize>,
    },
}

/// How depths are compared.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CompareName {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl From<CompareName> for Compare {
    fn from(name: CompareName) -> Compare {
        match name {
            CompareName::Never => Compare::Never,
            CompareName::Less => Compare::Less,
            CompareName::Equal => Compare::Equal,
            CompareName::LessEqual => Compare::LessEqual,
            CompareName::Greater => Compare::Greater,
            CompareName::NotEqual => Compare::NotEqual,
            CompareName::GreaterEqual => Compare::GreaterEqual,
            CompareName::Always => Compare::Always,
        }
    }
}

/// One more than the number of the triangle.
const PROGRAM: &str = ".extended fragment\nu2f r0, i55.x\nadd o1, r0, 1.0\nend";

/// The ways in which a vector is drawn: threads, whether positions are given, and columns and rows that
/// targets lack.
const WAYS: [(usize, bool, [u32; 2]); 4] = [
    (1, false, [0, 0]),
    (3, true, [0, 0]),
    (1, true, [1, 3]),
    (3, false, [5, 1]),
];

/// The number of the triangle at each sample, pixel by pixel.
type Seen = Vec<u32>;

impl CoverageVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &'static str {
        match self.drawn {
            Drawn::Coverage { .. } => "coverage",
            Drawn::Depth { .. } => "depth",
        }
    }

    /// The program that draws it, and the corners.
    pub(super) fn listing(&self) -> String {
        let corners = self.corners().0;
        let lines = corners
            .iter()
            .map(|[x, y, z, _]| format!("; {x} {y} {z}\n"));
        lines.collect::<String>() + PROGRAM
    }

    /// Draws it in all ways, and says where a sample is not as expected.
    pub(super) fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let program = Program::assemble(PROGRAM)?.validate()?;
        let shader = engine.prepare(&program)?;
        let count = SampleCount::of(self.samples).ok_or(VectorError::Samples)?;
        let expected = self.expected().ok_or(VectorError::Pixel)?;
        let mut differences = Vec::new();
        for way in WAYS {
            let (threads, given, lacks) = way;
            let size =
                [0, 1].map(|axis| [self.width, self.height][axis].saturating_sub(lacks[axis]));
            let seen = self.draw(&shader, count, (threads, given, size))?;
            let Some(at) = self.first_difference(size, &expected, &seen) else {
                continue;
            };
            let (sample, pixel) = (at % self.samples, at / self.samples);
            let [x, y] = [pixel % size[0] as usize, pixel / size[0] as usize];
            differences.push(format!(
                "sample {sample} at ({x}, {y}) of {}x{} pixels, {threads} threads: {}, not {}",
                size[0],
                size[1],
                seen[at],
                expected[self.place(size, at)]
            ));
        }
        Ok(differences)
    }

    /// The place among those of the whole target.
    fn place(&self, size: [u32; 2], at: usize) -> usize {
        let (sample, pixel) = (at % self.samples, at / self.samples);
        let [x, y] = [pixel % size[0] as usize, pixel / size[0] as usize];
        (y * self.width as usize + x) * self.samples + sample
    }

    fn first_difference(&self, size: [u32; 2], expected: &Seen, seen: &Seen) -> Option<usize> {
        let unsure = match &self.drawn {
            Drawn::Coverage { .. } => &[][..],
            Drawn::Depth { unsure, .. } => unsure,
        };
        (0..seen.len()).find(|&at| {
            let place = self.place(size, at);
            seen[at] != expected[place] && !unsure.contains(&place)
        })
    }

    /// The samples that are expected; `None` if there are too few.
    fn expected(&self) -> Option<Seen> {
        let pixels = self.width as usize * self.height as usize;
        let seen: Seen = match &self.drawn {
            Drawn::Coverage { masks, .. } => {
                let masks: Vec<&str> = match masks.contains('.') {
                    true => masks.split('.').collect(),
                    false => masks.split("").filter(|digit| !digit.is_empty()).collect(),
                };
                let masks = masks.into_iter().map(|mask| u32::from_str_radix(mask, 16));
                let masks: Vec<u32> = masks.collect::<Result<_, _>>().ok()?;
                let samples = |mask: u32| (0..self.samples).map(move |sample| mask >> sample & 1);
                masks.into_iter().flat_map(samples).collect()
            }
            Drawn::Depth { ids, .. } => ids
                .chars()
                .map(|digit| digit.to_digit(36))
                .collect::<Option<_>>()?,
        };
        (seen.len() == pixels * self.samples).then_some(seen)
    }

    /// Positions of the corners, and the triangles between them.
    fn corners(&self) -> (Vec<[f32; 4]>, Vec<[u32; 3]>) {
        let corner =
            |[x, y, z]: [i32; 3]| [x as f32 / 256.0, y as f32 / 256.0, z as f32 / 65536.0, 1.0];
        let corners: Vec<[f32; 4]> = match &self.drawn {
            Drawn::Coverage { triangle, .. } => {
                let (corners, _) = triangle.as_chunks();
                corners.iter().map(|[x, y]| corner([*x, *y, 0])).collect()
            }
            Drawn::Depth { triangles, .. } => triangles
                .as_flattened()
                .iter()
                .copied()
                .map(corner)
                .collect(),
        };
        let triangles = (0..corners.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]);
        let triangles = triangles.collect();
        (corners, triangles)
    }

    fn draw(
        &self,
        shader: &Shader,
        count: SampleCount,
        (threads, given, [width, height]): (usize, bool, [u32; 2]),
    ) -> Result<Seen, VectorError> {
        let mut image = ColourImage::multisampled(ColourFormat::R32F, width, height, count);
        let mut depths = DepthImage::multisampled(DepthFormat::D32F, width, height, count);
        let mut draw = Draw::new(shader)
            .varying(0, Varying::position(Default::default(), Default::default()))
            .threads(threads)
            .target(0, &mut image);
        if let Drawn::Depth { compare, clear, .. } = self.drawn {
            depths.fill(clear);
            let state = DepthState {
                compare: compare.into(),
                write: true,
            };
            draw = draw.depth(&mut depths, state);
        }
        let standard = SamplePositions::standard(count);
        match &self.positions {
            Some(positions) => draw = draw.sample_positions(positions),
            None if given => draw = draw.sample_positions(standard.positions()),
            None => {}
        }
        let (corners, triangles) = self.corners();
        draw.triangles(&Vertices::new(&corners), &triangles)?;
        let mut seen = Seen::new();
        for y in 0..height {
            for x in 0..width {
                let at = |sample| image.sample(sample).pixel::<f32>(x, y);
                seen.extend((0..self.samples).map(|sample| at(sample).unwrap_or(0.0) as u32));
            }
        }
        Ok(seen)
    }
}
