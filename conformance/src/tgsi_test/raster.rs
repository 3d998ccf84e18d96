//! A plain rasteriser: the plane of each edge in homogeneous coordinates, in f64, so that triangles need
//! no clipping.

use attila_shader::machine::{LANES, LaneMask, Lanes};

use super::assembly::Triangle;

/// A triangle on a target of a size.
pub(super) struct Raster<'a> {
    corners: &'a Triangle,
    size: [u32; 2],
    /// The plane of each edge, opposite to the corner of its number, positive inside.
    edges: [[f64; 3]; 3],
    /// Twice the area in homogeneous coordinates, positive.
    area: f64,
    /// Whether corners follow each other counter-clockwise, columns to the right and rows up.
    pub(super) is_front: bool,
}

/// The place of a pixel's centre on a triangle.
#[derive(Clone, Copy, Default)]
pub(super) struct Spot {
    /// Weights of the corners, with perspective.
    weights: [f64; 3],
    /// Weights of the corners in the window.
    flat_weights: [f64; 3],
    /// Depth from 0 to 1.
    depth: f64,
    /// 1/w.
    reciprocal: f64,
}

impl Spot {
    /// A component between its values at the corners.
    pub(super) fn mix(&self, values: [f64; 3], has_perspective: bool) -> f32 {
        let weights = match has_perspective {
            true => self.weights,
            false => self.flat_weights,
        };
        let products = weights.iter().zip(values);
        products.map(|(weight, value)| weight * value).sum::<f64>() as f32
    }

    /// z and w of the position in the window.
    pub(super) fn depth(&self) -> [f32; 2] {
        [self.depth as f32, self.reciprocal as f32]
    }
}

/// Two by two pixels.
pub(super) struct Pixels {
    /// Column and row of lane 0, both even.
    pub(super) corner: [u32; 2],
    pub(super) spots: Lanes<Spot>,
    /// The lanes on the triangle and on the target.
    pub(super) covered: LaneMask,
}

impl Pixels {
    /// The centre of a lane's pixel, in pixels.
    pub(super) fn centre(&self, lane: usize) -> [f64; 2] {
        let [column, row] = self.corner.map(|at| f64::from(at) + 0.5);
        [column + (lane % 2) as f64, row + (lane / 2) as f64]
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

impl<'a> Raster<'a> {
    /// `None` if the triangle is seen edge-on or has a corner that is no place.
    pub(super) fn new(corners: &'a Triangle, size: [u32; 2]) -> Option<Raster<'a>> {
        let places = corners.each_ref().map(|corner| {
            let [x, y, _, w] = corner.position().map(f64::from);
            [x, y, w]
        });
        let edges = [1, 2, 0].map(|next| cross(places[next], places[(next + 1) % 3]));
        let area: f64 = (0..3).map(|axis| places[0][axis] * edges[0][axis]).sum();
        let is_front = area > 0.0;
        if !area.is_finite() || area == 0.0 {
            return None;
        }
        let sign = if is_front { 1.0 } else { -1.0 };
        Some(Raster {
            corners,
            size,
            edges: edges.map(|edge| edge.map(|part| part * sign)),
            area: area.abs(),
            is_front,
        })
    }

    /// The rows of quads that the triangle may cover: numbers of their upper row.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.size[1]).step_by(2)
    }

    /// The quads of two rows that the triangle covers in part.
    pub(super) fn quads(&self, row: u32) -> Vec<Pixels> {
        let quads = (0..self.size[0])
            .step_by(2)
            .map(|column| self.pixels([column, row]));
        quads.filter(|quad| !quad.covered.is_empty()).collect()
    }

    fn pixels(&self, corner: [u32; 2]) -> Pixels {
        let mut spots = [Spot::default(); LANES];
        let mut covered = LaneMask::empty();
        for (lane, spot) in spots.iter_mut().enumerate() {
            let pixel = [corner[0] + lane as u32 % 2, corner[1] + lane as u32 / 2];
            let is_inside;
            (*spot, is_inside) = self.spot(pixel.map(|at| f64::from(at) + 0.5));
            let is_on_target = pixel.iter().zip(self.size).all(|(at, size)| *at < size);
            if is_inside && is_on_target {
                covered |= LaneMask::only(lane);
            }
        }
        Pixels {
            corner,
            spots,
            covered,
        }
    }

    /// A point in pixels, and whether the triangle covers it.
    pub(super) fn spot(&self, point: [f64; 2]) -> (Spot, bool) {
        let place = |axis: usize| 2.0 * point[axis] / f64::from(self.size[axis]) - 1.0;
        let (x, y) = (place(0), place(1));
        let distances = self.edges.map(|[a, b, c]| a * x + b * y + c);
        let sum: f64 = distances.iter().sum();
        let weights = distances.map(|distance| distance / sum);
        let positions = self
            .corners
            .each_ref()
            .map(|corner| corner.position().map(f64::from));
        let mix = |axis: usize| -> f64 { (0..3).map(|n| weights[n] * positions[n][axis]).sum() };
        let reciprocal = sum / self.area;
        let depth = mix(2) * reciprocal;
        let is_inside = self.edges.iter().zip(distances).all(|(edge, distance)| {
            // A centre on an edge belongs to the triangle on one side of it: to the one on the left,
            // or with the rows after it, as softpipe has it, which drew the expected values.
            let is_first = edge[0] < 0.0 || edge[0] == 0.0 && edge[1] > 0.0;
            distance > 0.0 || distance == 0.0 && is_first
        });
        let spot = Spot {
            weights,
            flat_weights: std::array::from_fn(|n| weights[n] * positions[n][3] * reciprocal),
            depth: 0.5 * depth + 0.5,
            reciprocal,
        };
        (
            spot,
            is_inside && sum > 0.0 && (-1.0..=1.0).contains(&depth),
        )
    }
}
