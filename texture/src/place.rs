//! From the components of a query to places on an image: faces (machine.md 5.2), layers and references
//! (textures.md 1).

use std::array::from_fn;

use attila_isa::{TextureShape, TextureTarget};
use attila_machine::{LANES, Lanes};

use crate::cube::{self, Face};
use crate::dimension::{CUBE_FACES, Dimension};
use crate::sampler::CubeFaces;
use crate::scalar::{max, min};

/// Coordinates on an image.
pub(crate) struct Placed {
    /// Where each lane samples: s, t and r, or s and t on a face.
    pub(crate) lanes: Lanes<[f32; 3]>,
    /// The slice where each lane begins: its layer, or its face.
    pub(crate) slices: Lanes<u32>,
    /// Coordinates whose derivatives are taken, `[axis][lane]`: the same but for cubes, where all
    /// lanes are on one face.
    pub(crate) derived: [Lanes<f32>; 3],
}

impl Placed {
    /// The places of the coordinates on an image of this kind.
    #[inline]
    pub(crate) fn new(
        dimension: Dimension,
        cube_faces: CubeFaces,
        coords: &[Lanes<f32>; 4],
    ) -> Placed {
        let &[s, t, r, _] = coords;
        let (derived, layers) = ([s, t, r], layers(dimension, coords));
        let lanes = cube::directions(&derived);
        if dimension.kind().has_faces() {
            return Placed::on_faces(cube_faces, &lanes, layers);
        }
        Placed {
            lanes,
            slices: layers,
            derived,
        }
    }

    fn on_faces(cube_faces: CubeFaces, directions: &Lanes<[f32; 3]>, cubes: Lanes<u32>) -> Placed {
        let own = directions.map(Face::of);
        let most = Face::of_most(own);
        let faces = match cube_faces {
            CubeFaces::PerLane => own,
            CubeFaces::PerQuad => [most; LANES],
        };
        let on = |face: Face, lane: usize| {
            let [s, t] = face.project(directions[lane]);
            [s, t, 0.0]
        };
        Placed {
            lanes: from_fn(|lane| on(faces[lane], lane)),
            slices: from_fn(|lane| cubes[lane] * CUBE_FACES as u32 + faces[lane].slice()),
            derived: from_fn(|axis| from_fn(|lane| on(most, lane)[axis])),
        }
    }

    /// The face of a lane, if the image has faces.
    pub(crate) fn face(&self, lane: usize) -> Face {
        Face::ALL[self.slices[lane] as usize % CUBE_FACES]
    }
}

/// The layers or cubes of the lanes: 0 on images without them.
fn layers(dimension: Dimension, coords: &[Lanes<f32>; 4]) -> Lanes<u32> {
    let kind = dimension.kind();
    if !kind.layers() {
        return [0; LANES];
    }
    let last = dimension.layers() - 1;
    coords[kind.coordinates()].map(|number| layer(number, last))
}

/// The layer nearest to `number`, from 0 to `last`; NaN counts as 0.
fn layer(number: f32, last: u32) -> u32 {
    min(max((number + 0.5).floor(), 0.0), last as f32) as u32
}

/// The values that texels are compared with where the sampler compares; `None` if the target says that
/// they are not. Base instructions compare with the third coordinate.
#[inline]
pub(crate) fn references(
    target: TextureTarget,
    coords: &[Lanes<f32>; 4],
    given: Option<Lanes<f32>>,
) -> Option<Lanes<f32>> {
    match target {
        TextureTarget::Bound => Some(coords[2]),
        TextureTarget::Named { shadow: false, .. } => None,
        TextureTarget::Named {
            shape,
            shadow: true,
        } => given.or_else(|| Some(reference_at(shape).map_or([0.0; LANES], |at| coords[at]))),
    }
}

/// The component that has the reference; `None` where all have something else.
fn reference_at(shape: TextureShape) -> Option<usize> {
    match shape {
        TextureShape::D1 | TextureShape::D2 | TextureShape::Rect | TextureShape::D1Array => Some(2),
        TextureShape::D2Array | TextureShape::Cube | TextureShape::D3 => Some(3),
        TextureShape::CubeArray
        | TextureShape::Buffer
        | TextureShape::D2Ms
        | TextureShape::D2MsArray => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_layer_is_chosen_and_halves_go_up() {
        for (number, want) in [
            (0.0, 0),
            (0.49, 0),
            (0.5, 1),
            (1.4, 1),
            (2.5, 3),
            (3.7, 3),
            (1e30, 3),
            (-1.0, 0),
            (-1e30, 0),
            (f32::INFINITY, 3),
            (f32::NEG_INFINITY, 0),
            (f32::NAN, 0),
        ] {
            assert_eq!(layer(number, 3), want, "{number}");
        }
    }

    #[test]
    fn references_stand_after_coordinates_and_layers_and_not_before_z() {
        for shape in TextureShape::ALL {
            let before = shape.coordinates() + usize::from(shape.layers());
            if let Some(at) = reference_at(shape) {
                assert_eq!(at, before.max(2), "{shape}");
            }
        }
    }
}
