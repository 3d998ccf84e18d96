//! The textures of tests.

use std::sync::Arc;

use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::{
    Coordinates, DepthMode, Dimension, Format, Image, ImageError, MipMode, Sampler, Size, Texture,
    Wrap,
};

use super::command::{ImageKind, TexParameter};
use attila_shader::front::arb::Target;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];

/// A texture of a unit, as commands change it.
///
/// Engines prepare its texels once, and not for every draw.
#[derive(Clone, Debug)]
pub(super) struct UnitTexture(Arc<Texture>);

impl UnitTexture {
    /// The texture that a command makes.
    pub(super) fn new(target: Target, kind: ImageKind) -> Result<UnitTexture, ImageError> {
        let mut sampler = Sampler {
            wrap: [Wrap::ClampToEdge; 3],
            coordinates: match target {
                Target::Rectangle => Coordinates::Texels,
                Target::OneD | Target::TwoD | Target::ThreeD | Target::Cube => {
                    Coordinates::Normalised
                }
            },
            ..Sampler::RESET
        };
        let image = match kind {
            ImageKind::Quarters(width, height) => quarters(width, height),
            ImageKind::Levels => {
                sampler.mip = MipMode::Nearest;
                levels()
            }
            ImageKind::Depths(width, height) => {
                sampler.compare = Some(texel_on_the_left(Compare::Greater));
                sampler.depth_mode = DepthMode::Luminance;
                depths(dimension(target), width, height)
            }
        };
        Ok(UnitTexture::of(Arc::new(image?), sampler))
    }

    fn of(image: Arc<Image>, sampler: Sampler) -> UnitTexture {
        let texture = Texture::new(image, sampler).expect("the sampler is in order");
        UnitTexture(Arc::new(texture))
    }

    /// Sets something of it. Only of depths it makes a difference.
    pub(super) fn set(&mut self, parameter: TexParameter) {
        let mut sampler = *self.0.sampler();
        match parameter {
            TexParameter::DepthMode(mode) => sampler.depth_mode = mode,
            TexParameter::Compare(compare) => {
                let compared = sampler.compare.as_mut();
                compared
                    .into_iter()
                    .for_each(|place| *place = texel_on_the_left(compare));
            }
        }
        *self = UnitTexture::of(Arc::clone(self.0.image()), sampler);
    }

    /// As a unit is bound to it.
    pub(super) fn texture(self) -> Arc<Texture> {
        self.0
    }
}

fn dimension(target: Target) -> Dimension {
    match target {
        Target::OneD => Dimension::D1,
        Target::TwoD | Target::Rectangle => Dimension::D2,
        Target::ThreeD => Dimension::D3,
        Target::Cube => Dimension::Cube,
    }
}

/// OpenGL has the reference on the left.
fn texel_on_the_left(compare: Compare) -> Compare {
    match compare {
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
        Compare::Never | Compare::Equal | Compare::NotEqual | Compare::Always => compare,
    }
}

fn quarters(width: u32, height: u32) -> Result<Image, ImageError> {
    let texel = |column: u32, row: u32| match (column < width / 2, row < height / 2) {
        (true, true) => RED,
        (false, true) => GREEN,
        (true, false) => BLUE,
        (false, false) => WHITE,
    };
    let texels = (0..height).flat_map(|row| (0..width).map(move |column| texel(column, row)));
    let texels: Vec<[u8; 4]> = texels.collect();
    Image::from_rgba8(width, height, texels.as_flattened())
}

fn levels() -> Result<Image, ImageError> {
    let colours = [RED, GREEN, BLUE, WHITE];
    let levels = [64, 16, 4, 1].iter().zip(colours);
    let levels: Vec<_> = levels
        .map(|(&texels, colour)| colour.repeat(texels))
        .collect();
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    Image::from_levels(Dimension::D2, Format::Rgba8, Size::d2(8, 8), &levels)
}

fn depths(dimension: Dimension, width: u32, height: u32) -> Result<Image, ImageError> {
    // A single column has depth 0.
    let last = (width - 1).max(1) as f32;
    let row = (0..width).flat_map(|column| (column as f32 / last).to_le_bytes());
    let row: Vec<u8> = row.collect();
    let size = Size::d3(width, height, 1);
    Image::from_levels(
        dimension,
        Format::R32F,
        size,
        &[&row.repeat(height as usize)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_draws_share_a_texture_until_something_of_it_is_set() {
        let kind = ImageKind::Depths(4, 4);
        let mut unit = UnitTexture::new(Target::TwoD, kind).expect("it is small");
        let [first, second] = [(); 2].map(|()| unit.clone().texture());
        assert!(Arc::ptr_eq(&first, &second));
        unit.set(TexParameter::Compare(Compare::Always));
        let third = unit.texture();
        assert_eq!(third.sampler().compare, Some(Compare::Always));
        assert!(Arc::ptr_eq(first.image(), third.image()));
    }
}
