//! [`Dimension`]: the kinds of images.

use attila_isa::TextureShape;

use crate::shape::Size;

/// Faces of a cube: +X, -X, +Y, -Y, +Z, -Z.
pub const CUBE_FACES: usize = 6;

/// The most layers of an array, and the most cubes of an array of cubes.
pub const MAX_LAYERS: u32 = 2048;

/// The most texels of a buffer.
pub const MAX_BUFFER_TEXELS: u32 = 1 << 27;

/// The most samples of a texel.
pub const MAX_SAMPLES: u32 = 16;

/// The kind of an image's coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dimension {
    /// A row of texels, at s.
    D1,
    /// A rectangle of texels, at (s, t).
    D2,
    /// A box of texels, at (s, t, r).
    D3,
    /// Six squares around a point, in the direction (s, t, r).
    Cube,
    /// A rectangle of texels, at (s, t) in texels. It has one level.
    Rect,
    /// A row of up to [`MAX_BUFFER_TEXELS`] texels, which is fetched and never sampled. It has one
    /// level.
    Buffer,
    /// Rows of texels, at s and the layer.
    D1Array {
        /// Their number, at most [`MAX_LAYERS`].
        layers: u32,
    },
    /// Rectangles of texels, at (s, t) and the layer.
    D2Array {
        /// Their number, at most [`MAX_LAYERS`].
        layers: u32,
    },
    /// Cubes, at the direction (s, t, r) and the cube.
    CubeArray {
        /// Their number, at most [`MAX_LAYERS`].
        cubes: u32,
    },
    /// A rectangle of texels of several samples, which is fetched and never sampled. It has one level.
    D2Ms {
        /// Samples of a texel, at most [`MAX_SAMPLES`].
        samples: u32,
    },
    /// Rectangles as in [`Dimension::D2Ms`].
    D2MsArray {
        /// Samples of a texel, at most [`MAX_SAMPLES`].
        samples: u32,
        /// The number of rectangles, at most [`MAX_LAYERS`].
        layers: u32,
    },
}

/// How many axes a level is filtered along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AxisCount {
    /// s.
    One,
    /// s and t.
    Two,
    /// s, t and r.
    Three,
}

impl Dimension {
    /// The kind of image, without its numbers.
    pub const fn kind(self) -> TextureShape {
        match self {
            Dimension::D1 => TextureShape::D1,
            Dimension::D2 => TextureShape::D2,
            Dimension::D3 => TextureShape::D3,
            Dimension::Cube => TextureShape::Cube,
            Dimension::Rect => TextureShape::Rect,
            Dimension::Buffer => TextureShape::Buffer,
            Dimension::D1Array { .. } => TextureShape::D1Array,
            Dimension::D2Array { .. } => TextureShape::D2Array,
            Dimension::CubeArray { .. } => TextureShape::CubeArray,
            Dimension::D2Ms { .. } => TextureShape::D2Ms,
            Dimension::D2MsArray { .. } => TextureShape::D2MsArray,
        }
    }

    /// Layers, or cubes, of an array; 1 otherwise.
    pub const fn layers(self) -> u32 {
        match self {
            Dimension::D1Array { layers }
            | Dimension::D2Array { layers }
            | Dimension::D2MsArray { layers, .. } => layers,
            Dimension::CubeArray { cubes } => cubes,
            Dimension::D1
            | Dimension::D2
            | Dimension::D3
            | Dimension::Cube
            | Dimension::Rect
            | Dimension::Buffer
            | Dimension::D2Ms { .. } => 1,
        }
    }

    /// Samples of a texel.
    pub const fn samples(self) -> u32 {
        match self {
            Dimension::D2Ms { samples } | Dimension::D2MsArray { samples, .. } => samples,
            Dimension::D1
            | Dimension::D2
            | Dimension::D3
            | Dimension::Cube
            | Dimension::Rect
            | Dimension::Buffer
            | Dimension::D1Array { .. }
            | Dimension::D2Array { .. }
            | Dimension::CubeArray { .. } => 1,
        }
    }

    /// Slices of a level of this size: the layers of a box; the six faces of each cube; the samples of
    /// the first layer, then those of the second, and so on.
    pub const fn slices(self, size: Size) -> usize {
        match self {
            Dimension::D3 => size.depth as usize,
            Dimension::D1
            | Dimension::D2
            | Dimension::Rect
            | Dimension::Buffer
            | Dimension::Cube
            | Dimension::D1Array { .. }
            | Dimension::D2Array { .. }
            | Dimension::CubeArray { .. }
            | Dimension::D2Ms { .. }
            | Dimension::D2MsArray { .. } => {
                let per_layer = if self.kind().has_faces() {
                    CUBE_FACES
                } else {
                    self.samples() as usize
                };
                per_layer.saturating_mul(self.layers() as usize)
            }
        }
    }

    /// How many axes a level is filtered along.
    pub(crate) const fn axis_count(self) -> AxisCount {
        match self.kind() {
            TextureShape::D1 | TextureShape::Buffer | TextureShape::D1Array => AxisCount::One,
            TextureShape::D2
            | TextureShape::Cube
            | TextureShape::Rect
            | TextureShape::D2Array
            | TextureShape::CubeArray
            | TextureShape::D2Ms
            | TextureShape::D2MsArray => AxisCount::Two,
            TextureShape::D3 => AxisCount::Three,
        }
    }

    /// Whether an image can have more than one level.
    pub(crate) const fn has_levels(self) -> bool {
        match self.kind() {
            TextureShape::Rect
            | TextureShape::Buffer
            | TextureShape::D2Ms
            | TextureShape::D2MsArray => false,
            TextureShape::D1
            | TextureShape::D2
            | TextureShape::D3
            | TextureShape::Cube
            | TextureShape::D1Array
            | TextureShape::D2Array
            | TextureShape::CubeArray => true,
        }
    }

    /// The most levels of an image of this size.
    pub fn most_levels(self, size: Size) -> usize {
        if self.has_levels() { size.levels() } else { 1 }
    }
}
