//! Texture targets: the kinds of images that instructions read texture units as.

use std::fmt;

/// The kind of image that an instruction reads a texture unit as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextureTarget {
    /// The kind that is bound. Instructions of the base profile do not name another.
    Bound,
    /// A kind that the instruction names.
    Named {
        /// The kind.
        shape: TextureShape,
        /// Whether texels are compared with a reference, if the sampler compares.
        shadow: bool,
    },
}

/// A kind of image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextureShape {
    /// A row of texels.
    D1,
    /// A rectangle of texels.
    D2,
    /// A box of texels.
    D3,
    /// Six squares around a point.
    Cube,
    /// A rectangle of texels whose coordinates are texels.
    Rect,
    /// A row of texels in memory, which is fetched and never filtered.
    Buffer,
    /// Layers of rows.
    D1Array,
    /// Layers of rectangles.
    D2Array,
    /// Several cubes.
    CubeArray,
    /// A rectangle of texels that have several samples each.
    D2Ms,
    /// Layers of rectangles of texels that have several samples each.
    D2MsArray,
}

use TextureShape::{Buffer, Cube, CubeArray, D1, D1Array, D2, D2Array, D2Ms, D2MsArray, D3, Rect};

impl TextureTarget {
    /// Whether texels are compared where the sampler compares.
    pub const fn is_compared(self) -> bool {
        match self {
            TextureTarget::Bound => true,
            TextureTarget::Named { shadow, .. } => shadow,
        }
    }

    /// Whether an instruction with this target can read an image of the kind `bound`. Base
    /// instructions sample all kinds that can be sampled.
    pub fn reads(self, bound: TextureShape) -> bool {
        match self {
            TextureTarget::Bound => bound.is_sampled(),
            TextureTarget::Named { shape, .. } => shape == bound,
        }
    }
}

impl TextureShape {
    /// All kinds, in the order of their codes.
    pub const ALL: [TextureShape; 11] = [
        D1, D2, D3, Cube, Rect, Buffer, D1Array, D2Array, CubeArray, D2Ms, D2MsArray,
    ];

    /// The code of the kind, 0 to 10.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code.
    pub fn from_code(code: u8) -> Option<TextureShape> {
        TextureShape::ALL.get(usize::from(code)).copied()
    }

    /// The name in assembly and messages.
    pub const fn name(self) -> &'static str {
        match self {
            D1 => "1d",
            D2 => "2d",
            D3 => "3d",
            Cube => "cube",
            Rect => "rect",
            Buffer => "buffer",
            D1Array => "1d_array",
            D2Array => "2d_array",
            CubeArray => "cube_array",
            D2Ms => "2dms",
            D2MsArray => "2dms_array",
        }
    }

    /// An image of the kind in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            D1 => "a 1D image",
            D2 => "a 2D image",
            D3 => "a 3D image",
            Cube => "a cube",
            Rect => "a 2D image in texels",
            Buffer => "a buffer",
            D1Array => "an array of 1D images",
            D2Array => "an array of 2D images",
            CubeArray => "an array of cubes",
            D2Ms => "a multisampled image",
            D2MsArray => "an array of multisampled images",
        }
    }

    /// Whether a unit that is to hold an image of this kind may hold one of the kind `bound`. The sampler of a plain
    /// image may count texels, too.
    pub fn takes(self, bound: TextureShape) -> bool {
        self == bound || (self, bound) == (Rect, D2)
    }

    /// The number of coordinates, without the layer.
    pub const fn coordinates(self) -> usize {
        match self {
            D1 | Buffer | D1Array => 1,
            D2 | Rect | D2Array | D2Ms | D2MsArray => 2,
            D3 | Cube | CubeArray => 3,
        }
    }

    /// Whether the coordinates are directions, which meet one of the six faces of a cube.
    pub const fn has_faces(self) -> bool {
        match self {
            Cube | CubeArray => true,
            D1 | D2 | D3 | Rect | Buffer | D1Array | D2Array | D2Ms | D2MsArray => false,
        }
    }

    /// Whether the image can be sampled. The others are only fetched, and their sizes queried.
    pub const fn is_sampled(self) -> bool {
        match self {
            D1 | D2 | D3 | Cube | Rect | D1Array | D2Array | CubeArray => true,
            Buffer | D2Ms | D2MsArray => false,
        }
    }

    /// Whether the image has layers. The layer is the component after the coordinates.
    pub const fn layers(self) -> bool {
        match self {
            D1Array | D2Array | CubeArray | D2MsArray => true,
            D1 | D2 | D3 | Cube | Rect | Buffer | D2Ms => false,
        }
    }
}

impl fmt::Display for TextureShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for TextureTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextureTarget::Bound => f.pad("bound"),
            TextureTarget::Named { shape, shadow } => {
                f.write_str(if *shadow { "shadow_" } else { "" })?;
                f.write_str(shape.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_image_stands_for_one_in_texels_but_not_the_other_way_round() {
        for declared in TextureShape::ALL {
            let taken = TextureShape::ALL
                .into_iter()
                .filter(|it| declared.takes(*it));
            let expected = if declared == Rect {
                vec![D2, Rect]
            } else {
                vec![declared]
            };
            assert_eq!(taken.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn codes_name_their_kinds() {
        for (code, shape) in (0..).zip(TextureShape::ALL) {
            assert_eq!(shape.code(), code);
            assert_eq!(TextureShape::from_code(code), Some(shape));
        }
        assert_eq!(TextureShape::from_code(11), None);
    }

    #[test]
    fn layers_follow_the_coordinates_and_fit_into_a_register() {
        for shape in TextureShape::ALL {
            let components = shape.coordinates() + usize::from(shape.layers());
            assert!((1..=4).contains(&components), "{shape}");
            assert_eq!(shape.layers(), shape.name().ends_with("_array"), "{shape}");
        }
    }

    #[test]
    fn directions_take_three_coordinates() {
        let directions: Vec<_> = TextureShape::ALL
            .into_iter()
            .filter(|shape| shape.has_faces())
            .collect();
        assert_eq!(directions, [Cube, CubeArray]);
        assert!(directions.iter().all(|shape| shape.coordinates() == 3));
    }

    #[test]
    fn targets_are_named_by_their_kind_and_whether_they_compare() {
        let named = |shape, shadow| TextureTarget::Named { shape, shadow };
        assert_eq!(named(D2, false).to_string(), "2d");
        assert_eq!(named(CubeArray, true).to_string(), "shadow_cube_array");
    }

    #[test]
    fn named_targets_read_their_kind_and_the_bound_one_all_that_can_be_sampled() {
        for shape in TextureShape::ALL {
            for shadow in [false, true] {
                let target = TextureTarget::Named { shape, shadow };
                for bound in TextureShape::ALL {
                    assert_eq!(target.reads(bound), shape == bound, "{target} of {bound}");
                }
            }
        }
        let sampled = TextureShape::ALL.into_iter();
        let sampled: Vec<_> = sampled
            .filter(|&it| TextureTarget::Bound.reads(it))
            .collect();
        assert_eq!(
            sampled,
            [D1, D2, D3, Cube, Rect, D1Array, D2Array, CubeArray]
        );
    }
}
