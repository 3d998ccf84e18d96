//! From clip space to the window.

use crate::draw::raster::Homogeneous;
use crate::processor::{Vectorised, vectorised};

/// Which z of clip space are in the view volume, between the near and the far plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum ClipDepth {
    /// From -w to w, as OpenGL has it.
    #[default]
    MinusOneToOne,
    /// From 0 to w, as Direct3D has it.
    ZeroToOne,
}

/// The part of the window that the view volume is mapped to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    /// Column of the left edge, in pixels.
    pub x: f32,
    /// Row of the upper edge.
    pub y: f32,
    /// Pixels across.
    pub width: f32,
    /// Rows.
    pub height: f32,
    /// The depths of the near and of the far plane.
    pub depth: [f32; 2],
    /// Whether y of clip space grows down the rows. If not, it grows upwards, and a mesh appears
    /// as it is meant to on a screen whose first row is at the top.
    pub y_down: bool,
}

impl Viewport {
    /// A rectangle of pixels, depths from 0 to 1, y upwards.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Viewport {
        Viewport {
            x,
            y,
            width,
            height,
            depth: [0.0, 1.0],
            y_down: false,
        }
    }

    /// All of a target of that size.
    pub(super) fn all([width, height]: [u32; 2]) -> Viewport {
        Viewport::new(0.0, 0.0, width as f32, height as f32)
    }
}

/// A position in clip space.
pub(super) type ClipPosition = Homogeneous;

/// Which of the planes of the view volume, and of the guard band around it, a vertex is outside of.
pub(super) type Outside = u16;

/// The outside of a position that has a component that is infinite or NaN.
pub(super) const NOWHERE: Outside = Outside::MAX;

/// How far positions may be beyond the view volume, to the sides and as a multiple of its size,
/// before triangles are cut. The rasteriser does not mind what lies outside of the window.
const GUARD: f64 = 32.0;

/// Cutting and mapping positions.
pub(crate) struct Transform {
    centre: [f64; 3],
    scale: [f64; 3],
    depth: ClipDepth,
}

impl Transform {
    pub(super) fn new(viewport: &Viewport, depth: ClipDepth) -> Transform {
        let half = |length: f32| f64::from(length) / 2.0;
        let [near, far] = viewport.depth.map(f64::from);
        let height = half(viewport.height);
        let (z_centre, z_scale) = match depth {
            ClipDepth::MinusOneToOne => ((near + far) / 2.0, (far - near) / 2.0),
            ClipDepth::ZeroToOne => (near, far - near),
        };
        Transform {
            centre: [
                f64::from(viewport.x) + half(viewport.width),
                f64::from(viewport.y) + height,
                z_centre,
            ],
            scale: [
                half(viewport.width),
                if viewport.y_down { height } else { -height },
                z_scale,
            ],
            depth,
        }
    }

    /// The position in the window, and 1/w.
    pub(super) fn window(&self, position: ClipPosition) -> [f32; 4] {
        let reciprocal = 1.0 / position[3];
        let axis = |axis: usize| {
            let normalised = position[axis] * reciprocal;
            (self.centre[axis] + self.scale[axis] * normalised) as f32
        };
        [axis(0), axis(1), axis(2), reciprocal as f32]
    }

    /// Where positions, given component by component, come to, and what they are outside of. What is outside has no
    /// certain place.
    pub(super) fn windows(
        &self,
        clip: [&[f32]; 4],
        windows: &mut [[f32; 4]],
        outside: &mut [Outside],
    ) {
        vectorised(Windows {
            transform: self,
            clip,
            windows,
            outside,
        });
    }

    /// The same for a few, in a form that becomes vector code.
    #[inline(always)]
    fn some<const N: usize>(
        &self,
        clip: [[f32; N]; 4],
        windows: &mut [[f32; 4]; N],
        outside: &mut [Outside; N],
    ) {
        let mut reciprocals = [0.0; N];
        for (reciprocal, &w) in reciprocals.iter_mut().zip(&clip[3]) {
            *reciprocal = 1.0 / f64::from(w);
        }
        for axis in 0..3 {
            for lane in 0..N {
                let normalised = f64::from(clip[axis][lane]) * reciprocals[lane];
                windows[lane][axis] = (self.centre[axis] + self.scale[axis] * normalised) as f32;
            }
        }
        for lane in 0..N {
            windows[lane][3] = reciprocals[lane] as f32;
        }
        let by_w = match self.depth {
            ClipDepth::MinusOneToOne => -1.0,
            ClipDepth::ZeroToOne => 0.0,
        };
        let mut is_inside = true;
        let [x, y, z, w] = &clip;
        for lane in 0..N {
            let (x, y, z, w) = (x[lane], y[lane], z[lane], w[lane]);
            is_inside &= (x.abs() <= w) & (y.abs() <= w) & (z <= w) & (by_w * w <= z);
            is_inside &= w < f32::INFINITY;
        }
        *outside = [0; N];
        if !is_inside {
            for (lane, outside) in outside.iter_mut().enumerate() {
                *outside = self.outside_of(clip.map(|component| f64::from(component[lane])));
            }
        }
    }

    fn outside_of(&self, position: ClipPosition) -> Outside {
        match position.iter().all(|component| component.is_finite()) {
            true => self.outside(position),
            false => NOWHERE,
        }
    }

    /// The planes that triangles are cut at: how far inside of plane `index` a position is.
    pub(super) fn inside(&self, index: usize, [x, y, z, w]: ClipPosition) -> f64 {
        match index {
            0 => match self.depth {
                ClipDepth::MinusOneToOne => w + z,
                ClipDepth::ZeroToOne => z,
            },
            1 => w - z,
            2 => GUARD * w + x,
            3 => GUARD * w - x,
            4 => GUARD * w + y,
            _ => GUARD * w - y,
        }
    }

    /// The planes that a position is outside of: bit n is plane n, and above them those of the view
    /// volume's four sides.
    pub(super) fn outside(&self, position: ClipPosition) -> Outside {
        let [x, y, _, w] = position;
        let cut = (0..PLANES).map(|index| self.inside(index, position));
        let sides = [w + x, w - x, w + y, w - y];
        let distances = cut.chain(sides).enumerate();
        distances.fold(0, |outside, (bit, distance)| {
            outside | u16::from(distance < 0.0) << bit
        })
    }
}

/// Positions on their way to the window.
struct Windows<'a> {
    transform: &'a Transform,
    clip: [&'a [f32]; 4],
    windows: &'a mut [[f32; 4]],
    outside: &'a mut [Outside],
}

impl Vectorised for Windows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        const AT_ONCE: usize = 8;
        let (chunks, rest) = self.windows.as_chunks_mut::<AT_ONCE>();
        let (outside, outside_rest) = self.outside.as_chunks_mut::<AT_ONCE>();
        let [x, y, z, w] = self.clip.each_ref().map(|it| it.as_chunks::<AT_ONCE>());
        for (index, (windows, outside)) in chunks.iter_mut().zip(outside).enumerate() {
            let clip = [x.0[index], y.0[index], z.0[index], w.0[index]];
            self.transform.some(clip, windows, outside);
        }
        for (index, (window, outside)) in rest.iter_mut().zip(outside_rest).enumerate() {
            let clip = [[x.1[index]], [y.1[index]], [z.1[index]], [w.1[index]]];
            let (window, outside) = (std::array::from_mut(window), std::array::from_mut(outside));
            self.transform.some(clip, window, outside);
        }
    }
}

/// The planes that triangles are cut at.
pub(super) const PLANES: usize = 6;

/// Their bits.
pub(super) const CUT: Outside = (1 << PLANES) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_the_volume_come_to_those_of_the_viewport() {
        let viewport = Viewport {
            depth: [0.25, 0.75],
            ..Viewport::new(10.0, 20.0, 100.0, 50.0)
        };
        let gl = Transform::new(&viewport, ClipDepth::MinusOneToOne);
        assert_eq!(gl.window([-2.0, 2.0, -2.0, 2.0]), [10.0, 20.0, 0.25, 0.5]);
        assert_eq!(gl.window([4.0, -4.0, 4.0, 4.0]), [110.0, 70.0, 0.75, 0.25]);
        let down = Viewport {
            y_down: true,
            ..viewport
        };
        let d3d = Transform::new(&down, ClipDepth::ZeroToOne);
        assert_eq!(d3d.window([-1.0, -1.0, 0.0, 1.0]), [10.0, 20.0, 0.25, 1.0]);
        assert_eq!(d3d.window([1.0, 1.0, 1.0, 1.0]), [110.0, 70.0, 0.75, 1.0]);
    }

    #[test]
    fn positions_are_outside_of_what_they_are_beyond() {
        let viewport = Viewport::all([64, 64]);
        let gl = Transform::new(&viewport, ClipDepth::MinusOneToOne);
        let d3d = Transform::new(&viewport, ClipDepth::ZeroToOne);
        assert_eq!(gl.outside([0.5, -1.0, 1.0, 1.0]), 0);
        assert_eq!(gl.outside([0.0, 0.0, -1.5, 1.0]), 1);
        assert_eq!(d3d.outside([0.0, 0.0, -0.5, 1.0]), 1);
        assert_eq!(gl.outside([0.0, 0.0, 1.5, 1.0]), 2);
        assert_eq!(gl.outside([-2.0, 0.0, 0.0, 1.0]), 1 << 6);
        assert_eq!(gl.outside([33.0, 0.0, 0.0, 1.0]), 1 << 3 | 1 << 7);
        assert_eq!(gl.outside([0.0, 33.0, 0.0, 1.0]), 1 << 5 | 1 << 9);
        assert_eq!(gl.outside([0.0, 0.0, 0.0, -1.0]) & CUT, CUT);
    }
}
