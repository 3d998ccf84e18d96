//! From a coordinate to texels along one axis of one level (machine.md 5.6).
//!
//! Two steps: the wrap mode first brings the coordinate into or near the image, in f32; then it
//! decides about the texels that a filter asks for, in integers. For every coordinate, each texel
//! comes out as an index within the level or as outside.

use attila_machine::arith::trunc_to_i32;

use crate::decoded::DecodedAxis;
use crate::sampler::{Coordinates, Wrap};
use crate::scalar::clamp;

/// An axis of a level, and how it is wrapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    wrap: Wrap,
    /// Texels.
    size: i32,
    /// A coordinate times this is in units of this level: 1 if normalised.
    to_level: f32,
    /// The image's end in these units: 1 or the number of texels.
    end: f32,
    /// Half a texel in these units.
    half: f32,
    /// A wrapped coordinate times this is in texels.
    to_texels: f32,
}

/// The two texels that a linear filter mixes, and the weight of the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pair {
    pub(crate) texels: [Option<u32>; 2],
    pub(crate) weight: f32,
}

impl Axis {
    /// An axis of `size` texels, of a level of an image with `size0` texels at level 0.
    pub(crate) fn new(wrap: Wrap, coordinates: Coordinates, size: u32, size0: u32) -> Axis {
        let texels = size as f32;
        let (to_level, end, half, to_texels) = match coordinates {
            Coordinates::Normalised => (1.0, 1.0, 1.0 / (2.0 * texels), texels),
            Coordinates::Texels => (texels / size0 as f32, texels, 0.5, 1.0),
        };
        Axis {
            wrap,
            size: size as i32,
            to_level,
            end,
            half,
            to_texels,
        }
    }

    /// The axis as generated code sees it; the rest follows from the kind of coordinates.
    pub(crate) fn decoded(&self) -> DecodedAxis {
        DecodedAxis {
            size: self.size as u32,
            to_level: self.to_level,
            half: self.half,
        }
    }

    /// So many texels in units of coordinates.
    pub(crate) fn texels(&self, count: i32) -> f32 {
        count as f32 / (self.to_level * self.to_texels)
    }

    /// Where `coordinate` is, in texels from the image's start. NaN counts as 0 once it is wrapped, and
    /// so do infinities where they would repeat.
    fn place(&self, coordinate: f32) -> f32 {
        let (c, end, half) = (coordinate * self.to_level, self.end, self.half);
        let wrapped = match self.wrap {
            Wrap::Repeat => c - end * (c / end).floor(),
            Wrap::Clamp => clamp(c, 0.0, end),
            Wrap::ClampToEdge => clamp(c, half, end - half),
            Wrap::ClampToBorder => clamp(c, -half, end + half),
            Wrap::MirroredRepeat => {
                let period = (c / end).floor();
                let rest = c - end * period;
                let halved = period * 0.5;
                let reversed = halved.floor() != halved;
                clamp(if reversed { end - rest } else { rest }, half, end - half)
            }
        };
        if wrapped.is_nan() {
            0.0
        } else {
            wrapped * self.to_texels
        }
    }

    /// The texel in which `coordinate` lies.
    pub(crate) fn nearest(&self, coordinate: f32) -> Option<u32> {
        let i = trunc_to_i32(self.place(coordinate).floor());
        match self.wrap {
            Wrap::Repeat => self.around(i),
            Wrap::ClampToBorder => self.inside(i),
            Wrap::Clamp | Wrap::ClampToEdge | Wrap::MirroredRepeat => self.clamped(i),
        }
    }

    /// Whether a linear filter may ask for texels that are outside.
    pub(crate) fn has_border(&self) -> bool {
        match self.wrap {
            Wrap::Clamp | Wrap::ClampToBorder => true,
            Wrap::Repeat | Wrap::ClampToEdge | Wrap::MirroredRepeat => false,
        }
    }

    /// The texel that a linear filter takes for `i`.
    pub(crate) fn filtered(&self, i: i32) -> Option<u32> {
        match self.wrap {
            Wrap::Repeat => self.around(i),
            Wrap::Clamp | Wrap::ClampToBorder => self.inside(i),
            Wrap::ClampToEdge | Wrap::MirroredRepeat => self.clamped(i),
        }
    }

    /// The texels on either side of `coordinate`.
    pub(crate) fn linear(&self, coordinate: f32) -> Pair {
        let u = self.place(coordinate) - 0.5;
        let whole = u.floor();
        let i = trunc_to_i32(whole);
        Pair {
            texels: [i, i + 1].map(|i| self.filtered(i)),
            weight: u - whole,
        }
    }

    /// The texel `i`, unless it is outside.
    fn inside(&self, i: i32) -> Option<u32> {
        (0..self.size).contains(&i).then_some(i as u32)
    }

    /// The texel nearest to `i`.
    fn clamped(&self, i: i32) -> Option<u32> {
        Some(i.clamp(0, self.size - 1) as u32)
    }

    /// The texel `i`, once around from either end.
    fn around(&self, i: i32) -> Option<u32> {
        let i = if i < 0 { i + self.size } else { i };
        self.clamped(if i >= self.size { i - self.size } else { i })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(wrap: Wrap, size: u32) -> Axis {
        Axis::new(wrap, Coordinates::Normalised, size, size)
    }

    /// Texels of an axis of four, from two texels before it to two after it, `-` outside.
    fn row(wrap: Wrap) -> String {
        let texel = |step: i32| match axis(wrap, 4).nearest((step as f32 + 0.5) / 4.0) {
            Some(texel) => texel.to_string(),
            None => "-".to_owned(),
        };
        (-6..10).map(texel).collect()
    }

    #[test]
    fn nearest_texels_beyond_the_ends_follow_the_wrap_mode() {
        assert_eq!(
            Wrap::ALL.map(row),
            [
                "2301230123012301",
                "0000000123333333",
                "0000000123333333",
                "------0123------",
                "2332100123321001",
            ]
        );
    }

    #[test]
    fn linear_pairs_beyond_the_ends_follow_the_wrap_mode() {
        let pair = |wrap, s| {
            let pair = axis(wrap, 4).linear(s);
            (pair.texels[0], pair.texels[1], pair.weight)
        };
        assert_eq!(pair(Wrap::Repeat, 0.0), (Some(3), Some(0), 0.5));
        assert_eq!(pair(Wrap::Repeat, 2.0), (Some(3), Some(0), 0.5));
        assert_eq!(pair(Wrap::Clamp, -7.0), (None, Some(0), 0.5));
        assert_eq!(pair(Wrap::Clamp, 7.0), (Some(3), None, 0.5));
        assert_eq!(pair(Wrap::ClampToEdge, -7.0), (Some(0), Some(1), 0.0));
        assert_eq!(pair(Wrap::ClampToEdge, 7.0), (Some(3), Some(3), 0.0));
        assert_eq!(pair(Wrap::ClampToBorder, -7.0), (None, Some(0), 0.0));
        assert_eq!(pair(Wrap::ClampToBorder, 7.0), (None, None, 0.0));
        assert_eq!(pair(Wrap::ClampToBorder, 1.0), (Some(3), None, 0.5));
        assert_eq!(pair(Wrap::MirroredRepeat, 1.0), (Some(3), Some(3), 0.0));
        assert_eq!(pair(Wrap::MirroredRepeat, 1.25), (Some(2), Some(3), 0.5));
    }

    #[test]
    fn texel_coordinates_wrap_at_the_size_of_the_level() {
        let places = |wrap| {
            let axis = Axis::new(wrap, Coordinates::Texels, 5, 5);
            [-0.5, 4.5, 5.5, 11.0].map(|c| axis.nearest(c))
        };
        assert_eq!(places(Wrap::Repeat), [4, 4, 0, 1].map(Some));
        assert_eq!(places(Wrap::ClampToEdge), [0, 4, 4, 4].map(Some));
        assert_eq!(places(Wrap::ClampToBorder), [None, Some(4), None, None]);
        assert_eq!(places(Wrap::MirroredRepeat), [0, 4, 4, 1].map(Some));
        // On a smaller level, coordinates still count texels of level 0.
        let smaller = Axis::new(Wrap::ClampToEdge, Coordinates::Texels, 2, 5);
        assert_eq!(
            [0.0, 2.4, 2.6, 4.9].map(|c| smaller.nearest(c)),
            [0, 0, 1, 1].map(Some)
        );
    }

    #[test]
    fn every_coordinate_gives_texels_within_the_level() {
        let wild = [
            f32::NAN,
            f32::INFINITY,
            1e30,
            3e9,
            1e7,
            0.3,
            f32::MIN_POSITIVE,
            1e-45,
            0.0,
        ];
        for wrap in Wrap::ALL {
            for coordinates in [Coordinates::Normalised, Coordinates::Texels] {
                for size in [1, 2, 3, 49, 16_384] {
                    let axis = Axis::new(wrap, coordinates, size, 2 * size + 1);
                    for c in wild.into_iter().flat_map(|c| [c, -c]) {
                        let pair = axis.linear(c);
                        assert!(
                            (0.0..=1.0).contains(&pair.weight),
                            "{axis:?} at {c}: {pair:?}"
                        );
                        let texels = [axis.nearest(c), pair.texels[0], pair.texels[1]];
                        assert!(
                            texels.iter().flatten().all(|&i| i < size),
                            "{axis:?} at {c}"
                        );
                    }
                }
            }
        }
    }
}
