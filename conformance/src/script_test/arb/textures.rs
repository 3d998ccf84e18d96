//! The textures of tests.

use std::sync::Arc;

use attila_shader::front::arb::Target;
use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::{
    Coordinates, DepthMode, Dimension, Format, Image, ImageError, MipMode, Sampler, Size, Texture,
    Wrap,
};

use crate::script_test::error::Fault;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];

/// A picture that a texture is made of.
#[derive(Clone, Copy)]
pub(super) enum ImageKind {
    /// Four quarters: red and green at low t, blue and white at high t.
    Quarters,
    /// 8 x 8 texels; the levels are red, green, blue and white.
    Levels,
    /// Depths that grow from 0 at the left to 1 at the right.
    Depths,
}

/// The texture that a command makes. Engines prepare its texels once, and not for every draw.
pub(super) fn texture(
    target: Target,
    kind: ImageKind,
    size: [u32; 2],
) -> Result<Arc<Texture>, Fault> {
    let mut sampler = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        coordinates: match target {
            Target::Rectangle => Coordinates::Texels,
            Target::OneD | Target::TwoD | Target::ThreeD | Target::Cube => Coordinates::Normalised,
        },
        ..Sampler::RESET
    };
    let image = match kind {
        ImageKind::Quarters => quarters(size)?,
        ImageKind::Levels => {
            sampler.mip = MipMode::Nearest;
            levels()?
        }
        ImageKind::Depths => {
            // The reference is greater than the texel, which is on the left here.
            sampler.compare = Some(Compare::Less);
            sampler.depth_mode = DepthMode::Luminance;
            depths(dimension(target), size)?
        }
    };
    Ok(Arc::new(Texture::new(Arc::new(image), sampler)?))
}

/// The same texels with something of the sampler changed.
pub(super) fn changed(texture: &Texture, change: impl FnOnce(&mut Sampler)) -> Arc<Texture> {
    let mut sampler = *texture.sampler();
    change(&mut sampler);
    let texture = Texture::new(Arc::clone(texture.image()), sampler);
    Arc::new(texture.expect("the sampler is in order"))
}

fn dimension(target: Target) -> Dimension {
    match target {
        Target::OneD => Dimension::D1,
        Target::TwoD | Target::Rectangle => Dimension::D2,
        Target::ThreeD => Dimension::D3,
        Target::Cube => Dimension::Cube,
    }
}

fn quarters([width, height]: [u32; 2]) -> Result<Image, ImageError> {
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

fn depths(dimension: Dimension, [width, height]: [u32; 2]) -> Result<Image, ImageError> {
    // A single column has depth 0.
    let last = (width - 1).max(1) as f32;
    let row = (0..width).flat_map(|column| (column as f32 / last).to_le_bytes());
    let row: Vec<u8> = row.collect();
    let size = Size::d3(width, height, 1);
    let texels = row.repeat(height as usize);
    Image::from_levels(dimension, Format::R32F, size, &[&texels])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_the_sampler_leaves_the_texels() {
        let texture = texture(Target::TwoD, ImageKind::Depths, [4, 4]).expect("it is small");
        let other = changed(&texture, |it| it.compare = Some(Compare::Always));
        assert_eq!(other.sampler().compare, Some(Compare::Always));
        assert!(Arc::ptr_eq(texture.image(), other.image()));
    }
}
