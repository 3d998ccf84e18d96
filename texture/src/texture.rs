//! Textures: images with samplers, at the units of a program.

use std::any::Any;
use std::array::from_fn;
use std::sync::{Arc, OnceLock};

use attila_isa::{Stage, TEXTURE_UNITS};
use attila_machine::{LANES, Lanes, LevelOfDetail, Lookup, TextureQuery, TextureUnit};
use thiserror::Error;

use crate::colour::Conversion;
use crate::cube::{self, Face};
use crate::decoded::{Decoded, Plan};
use crate::filter::{self, Point};
use crate::image::Image;
use crate::lod::{Derivatives, Footprint, Selection, level_of_detail, select};
use crate::sampler::{Coordinates, CubeFaces, LodOrigin, Sampler, SamplerError};
use crate::shape::{Dimension, ImageError, Shape, Size};
use crate::wrap::Axis;

/// An image with a sampler.
#[derive(Clone, Debug)]
pub struct Texture {
    image: Arc<Image>,
    sampler: Sampler,
    /// The axes of each level.
    axes: Vec<[Axis; 3]>,
    conversion: Conversion,
    /// Coordinates times this are texels for the level of detail.
    to_texels: [f32; 3],
    /// Whether it makes a difference how large the image is where it is sampled.
    scale_matters: bool,
    decoded: OnceLock<Option<Arc<Decoded>>>,
}

impl Texture {
    /// A texture that samples `image` as `sampler` says.
    ///
    /// # Errors
    ///
    /// A sampler that contradicts itself, or that begins at a level which the image does not have.
    pub fn new(image: Arc<Image>, sampler: Sampler) -> Result<Texture, SamplerError> {
        sampler.check(&image)?;
        let axes = axes(image.size(), image.levels().len(), &sampler);
        let conversion = Conversion::new(image.format(), &sampler);
        let to_texels = to_texels(&image, &sampler);
        Ok(Texture {
            image,
            sampler,
            axes,
            conversion,
            to_texels,
            scale_matters: sampler.scale_matters(),
            decoded: OnceLock::new(),
        })
    }

    /// The bytes that a texture of an image of this shape takes: the image, and once more its texels as
    /// [`Texture::decoded`] has them, where it does. It takes the latter only if an engine asks for them.
    ///
    /// # Errors
    ///
    /// A shape that no image has.
    pub fn bytes(shape: &Shape, sampler: &Sampler) -> Result<usize, ImageError> {
        let image = shape.image_bytes()?;
        let stored = shape.format.stored();
        let texels = image / usize::from(stored.layout().bytes);
        let axes = axes(shape.size, shape.levels, sampler);
        let conversion = Conversion::new(stored, sampler);
        let decoded = Plan::new(shape.dimension, texels, sampler, &conversion, &axes);
        Ok(image + decoded.map_or(0, |plan| plan.bytes()))
    }

    /// The image.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The sampler.
    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The texels in a form for engines that sample inline, made when it is first asked for. `None`
    /// if only [`Texture::sample`] can sample the texture: 1D and 3D images, comparisons,
    /// anisotropic filters, and images that would be too large in this form.
    pub fn decoded(&self) -> Option<&Decoded> {
        let decoded = self.decoded.get_or_init(|| {
            let decoded = Decoded::new(&self.image, &self.sampler, &self.conversion, &self.axes);
            decoded.map(Arc::new)
        });
        decoded.as_deref()
    }

    /// The factors that turn coordinates along s, t and r into texels, for the level of detail.
    pub fn to_texels(&self) -> [f32; 3] {
        self.to_texels
    }

    /// Answers for the quad: `[component][lane]`. The query's unit does not matter.
    pub fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        let Lookup::Sample { coords, level, .. } = query.lookup;
        let (placed, slices) = self.place(&coords);
        let footprint = self.footprint(&level, query.stage, &placed);
        let operand = level.given().unwrap_or_default();
        let colours: Lanes<[f32; 4]> = from_fn(|lane| {
            let selection = self.selection(&footprint, operand[lane]);
            let point = Point {
                coords: placed.lanes[lane],
                slice: slices[lane],
                reference: coords[2][lane],
            };
            filter::footprint(self, &footprint, &selection, &point)
        });
        from_fn(|c| from_fn(|lane| colours[lane][c]))
    }

    /// The levels of the image that the lanes sample: 0 is the largest one, and what lies between two
    /// whole numbers mixes two levels in that ratio. The query's unit does not matter.
    pub fn levels(&self, query: &TextureQuery) -> Lanes<f32> {
        let Lookup::Sample { coords, level, .. } = query.lookup;
        let (placed, _) = self.place(&coords);
        let footprint = self.footprint(&level, query.stage, &placed);
        let position = |operand| self.selection(&footprint, operand).position();
        level.given().unwrap_or_default().map(position)
    }

    /// The filter and the levels of a lane.
    fn selection(&self, footprint: &Footprint, param: f32) -> Selection {
        let last = self.image.levels().len() - 1;
        let lod = level_of_detail(&self.sampler, footprint.log2_scale, param);
        select(&self.sampler, last, lod)
    }

    pub(crate) fn axes(&self, level: usize) -> &[Axis; 3] {
        &self.axes[level]
    }

    pub(crate) fn conversion(&self) -> &Conversion {
        &self.conversion
    }

    /// Coordinates on the image, and the slices where they begin.
    fn place(&self, coords: &[Lanes<f32>; 3]) -> (Placed, Lanes<u32>) {
        let lanes = cube::directions(coords);
        match self.image.dimension() {
            Dimension::D1 | Dimension::D2 | Dimension::D3 => {
                let derived = *coords;
                (Placed { lanes, derived }, [0; LANES])
            }
            Dimension::Cube => self.place_on_faces(&lanes),
        }
    }

    fn place_on_faces(&self, directions: &Lanes<[f32; 3]>) -> (Placed, Lanes<u32>) {
        let own = directions.map(Face::of);
        let most = Face::of_most(own);
        let faces = match self.sampler.cube_faces {
            CubeFaces::PerLane => own,
            CubeFaces::PerQuad => [most; LANES],
        };
        let on = |face: Face, lane: usize| {
            let [s, t] = face.project(directions[lane]);
            [s, t, 0.0]
        };
        let derived = from_fn(|axis| from_fn(|lane| on(most, lane)[axis]));
        let lanes = from_fn(|lane| on(faces[lane], lane));
        (Placed { lanes, derived }, faces.map(Face::slice))
    }

    fn footprint(&self, level: &LevelOfDetail, stage: Stage, placed: &Placed) -> Footprint {
        if !self.scale_matters {
            return Footprint::POINT;
        }
        let derivatives = match (level, stage) {
            (LevelOfDetail::Explicit(_), _) => return Footprint::POINT,
            (LevelOfDetail::Implicit | LevelOfDetail::Bias(_), Stage::Vertex) => Derivatives::ZERO,
            (LevelOfDetail::Implicit | LevelOfDetail::Bias(_), Stage::Fragment) => {
                Derivatives::of(&placed.derived, self.to_texels)
            }
        };
        Footprint::new(
            &self.sampler,
            self.image.dimension(),
            &derivatives,
            self.to_texels,
        )
    }
}

/// The axes of each level of an image.
fn axes(size: Size, levels: usize, sampler: &Sampler) -> Vec<[Axis; 3]> {
    let (wrap, coordinates, size0) = (sampler.wrap, sampler.coordinates, size.axes());
    let of_level = |level: usize| {
        let size = size.level(level).axes();
        from_fn(|axis| Axis::new(wrap[axis], coordinates, size[axis], size0[axis]))
    };
    (0..levels).map(of_level).collect()
}

/// Coordinates on the image.
struct Placed {
    /// Where each lane samples.
    lanes: Lanes<[f32; 3]>,
    /// Coordinates whose derivatives are taken, `[axis][lane]`: the same but for cubes, where all
    /// lanes are on one face.
    derived: [Lanes<f32>; 3],
}

fn to_texels(image: &Image, sampler: &Sampler) -> [f32; 3] {
    let level = match sampler.lod_origin {
        LodOrigin::Level0 => 0,
        LodOrigin::Base => sampler.base_level,
    };
    let size = image.levels()[level].size.axes();
    let size0 = image.size().axes();
    from_fn(|axis| match sampler.coordinates {
        Coordinates::Normalised => size[axis] as f32,
        Coordinates::Texels => size[axis] as f32 / size0[axis] as f32,
    })
}

/// There is no such texture unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("there is no texture unit {0}; there are {TEXTURE_UNITS}")]
pub struct NoSuchUnit(pub usize);

/// Textures at the 16 units of a program.
///
/// ```
/// use std::sync::Arc;
///
/// use attila_machine::{Bindings, TextureUnit};
/// use attila_texture::{Image, Sampler, Texture, Textures};
///
/// let image = Image::from_rgba8(1, 1, &[255, 128, 0, 255])?;
/// let mut textures = Textures::new();
/// textures.bind(3, Texture::new(Arc::new(image), Sampler::default())?)?;
/// assert!(textures.has_unit(3));
/// let bindings = Bindings::new().with_textures(&textures);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Textures {
    units: [Option<Arc<Texture>>; TEXTURE_UNITS as usize],
}

impl Textures {
    /// Nothing at any unit.
    pub fn new() -> Textures {
        Textures::default()
    }

    /// Puts a texture to a unit.
    ///
    /// # Errors
    ///
    /// There are 16 units.
    pub fn bind(
        &mut self,
        unit: usize,
        texture: impl Into<Arc<Texture>>,
    ) -> Result<(), NoSuchUnit> {
        let slot = self.units.get_mut(unit).ok_or(NoSuchUnit(unit))?;
        *slot = Some(texture.into());
        Ok(())
    }

    /// The texture at a unit.
    pub fn get(&self, unit: usize) -> Option<&Arc<Texture>> {
        self.units.get(unit)?.as_ref()
    }
}

impl TextureUnit for Textures {
    fn has_unit(&self, unit: u8) -> bool {
        self.get(usize::from(unit)).is_some()
    }

    /// Zeros if nothing is bound.
    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        match self.get(usize::from(query.unit)) {
            Some(texture) => texture.sample(query),
            None => [[0.0; LANES]; 4],
        }
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
