//! [`Texture`]: an image with a sampler.

use std::array::from_fn;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use crate::colour::Conversion;
use crate::decoded::{Decoded, Decoding, Plan, has_two_forms};
use crate::dimension::AxisCount;
use crate::image::Image;
use crate::sampler::{Coordinates, LodOrigin, Sampler, SamplerError};
use crate::shape::{ImageError, Shape, Size};
use crate::wrap::Axis;

/// An image with a sampler.
#[derive(Clone, Debug)]
pub struct Texture {
    image: Arc<Image>,
    sampler: Sampler,
    /// The axes of each level.
    axes: Vec<[Axis; 3]>,
    /// How many of them levels are filtered along.
    axis_count: AxisCount,
    conversion: Conversion,
    /// Coordinates times this are texels for the level of detail.
    to_texels: [f32; 3],
    /// Whether it makes a difference how large the image is where it is sampled.
    scale_matters: bool,
    /// Whether the two below differ; if not, there is only the first.
    has_two_forms: bool,
    /// Decoded views, with texels as floats and as bytes.
    decoded: [OnceLock<Option<Arc<Decoded>>>; 2],
}

impl Texture {
    /// A texture that samples `image` as `sampler` says.
    ///
    /// # Errors
    ///
    /// A sampler that contradicts itself, or that begins at a level which the image does not have.
    pub fn new(image: impl Into<Arc<Image>>, sampler: Sampler) -> Result<Texture, SamplerError> {
        let image = image.into();
        sampler.check(&image)?;
        let sampler = sampler.applied(image.dimension(), image.format());
        let axes = axes(image.size(), image.levels().len(), &sampler);
        let conversion = Conversion::new(image.format(), &sampler);
        let to_texels = to_texels(&image, &sampler);
        Ok(Texture {
            axis_count: image.dimension().axis_count(),
            has_two_forms: has_two_forms(&image, &conversion, &axes),
            image,
            sampler,
            axes,
            conversion,
            to_texels,
            scale_matters: sampler.scale_matters(),
            decoded: Default::default(),
        })
    }

    /// The bytes that a texture of an image of this shape takes: the image, and once more its texels as
    /// [`Texture::decoded`] has them in the larger form, where it does. It takes the latter only if an engine asks
    /// for them.
    ///
    /// # Errors
    ///
    /// A shape that no image has.
    pub fn bytes(shape: &Shape, sampler: &Sampler) -> Result<usize, ImageError> {
        let image = shape.image_bytes()?;
        let stored = shape.format.stored();
        let sampler = &sampler.applied(shape.dimension, stored);
        let texels = image / usize::from(stored.layout().bytes);
        let axes = axes(shape.size, shape.levels, sampler);
        let conversion = Conversion::new(stored, sampler);
        let decoded = Plan::new(
            shape.dimension,
            texels,
            &conversion,
            &axes,
            Decoding::Floats,
        );
        Ok(image + decoded.map_or(0, |plan| plan.bytes()))
    }

    /// The image.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The sampler, as far as it applies to the image: the coordinates of
    /// [`Dimension::Rect`](crate::Dimension::Rect) images are texels, and images of integers are
    /// neither filtered nor compared.
    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// The texels in a form for engines that sample inline, made when it is first asked for. `None`
    /// if only [`Texture::answer`] can read the texture: buffers, multisampled images, and images that would be
    /// too large in this form.
    pub fn decoded(&self, decoding: Decoding) -> Option<&Decoded> {
        let decoding = match self.has_two_forms {
            true => decoding,
            false => Decoding::Floats,
        };
        let decoded = self.decoded[decoding as usize].get_or_init(|| {
            let image = &self.image;
            let decoded =
                Decoded::new(image, &self.sampler, &self.conversion, &self.axes, decoding);
            decoded.map(Arc::new)
        });
        decoded.as_deref()
    }

    /// The factors that turn coordinates along s, t and r into texels, for the level of detail.
    pub fn to_texels(&self) -> [f32; 3] {
        self.to_texels
    }

    pub(crate) fn axes(&self, level: usize) -> &[Axis; 3] {
        &self.axes[level]
    }

    pub(crate) fn axis_count(&self) -> AxisCount {
        self.axis_count
    }

    pub(crate) fn conversion(&self) -> &Conversion {
        &self.conversion
    }

    /// Whether samples depend on the level of detail or on the footprint.
    pub(crate) fn scale_matters(&self) -> bool {
        self.scale_matters
    }

    /// The first level that is sampled, and the last.
    pub(crate) fn level_range(&self) -> RangeInclusive<usize> {
        let last = self.image.levels().len() - 1;
        self.sampler.base_level..=self.sampler.max_level.min(last)
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
