//! A texture of noise at unit 0, for programs whose time does not depend on what it shows.

use std::sync::Arc;

use attila_shader::texture::{Dimension, Format, Image, Sampler, Size, Texture, Textures};

/// Texels along each side.
const TEXELS: u32 = 256;

/// Noise, repeated and filtered.
pub(crate) fn textures() -> Textures {
    let bytes = (0..4 * TEXELS * TEXELS).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    let bytes: Vec<u8> = bytes.collect();
    let size = Size::d2(TEXELS, TEXELS);
    let image = Image::from_levels(Dimension::D2, Format::Rgba8, size, &[&bytes]);
    let sampler = Sampler::default();
    let texture = Texture::new(Arc::new(image.expect("the bytes fit")), sampler);
    let mut textures = Textures::new();
    let bound = textures.bind(0, texture.expect("the sampler fits"));
    bound.expect("there is unit 0");
    textures
}
