//! Results of the original, from running its texture emulator: 8x8 texels.

use attila_machine::arith::fma;
use attila_texture::{Dimension, Filter, MipMode, Sampler, Size, Texture, Wrap};

use crate::common::{Colour, Random, at, at_lod, coded_image, moving, random_image, texture};

const SIZE: Size = Size::d2(8, 8);
/// A texel outside, in the default border colour.
const B: Option<[u32; 2]> = None;

fn wrapped(wrap: Wrap, mag: Filter) -> Sampler {
    Sampler {
        wrap: [wrap; 3],
        mag,
        ..Sampler::RESET
    }
}

/// The texel that a nearest filter takes at (s, 0.5).
fn nearest(wrap: Wrap, s: f32) -> Option<[u32; 2]> {
    let sampler = Sampler {
        border: [-1.0; 4],
        ..wrapped(wrap, Filter::Nearest)
    };
    let texture = texture(coded_image(Dimension::D2, SIZE), sampler);
    let [i, j, ..] = at(&texture, [s, 0.5, 0.0]);
    (i >= 0.0).then_some([i as u32, j as u32])
}

/// Whether a linear filter takes these texels at (s, 0.5), with these weights: bit for bit in the order
/// of T12, which is not that of the original.
fn assert_linear(wrap: Wrap, s: f32, texels: [Option<[u32; 2]>; 4], a: f32, b: f32) {
    let image = random_image(&mut Random(7), Dimension::D2, SIZE);
    let colour = |texel: Option<[u32; 2]>| match texel {
        Some([i, j]) => image.texel(0, [i, j, 0]).unwrap(),
        None => [0.0; 4],
    };
    let [t00, t10, t01, t11] = texels.map(colour);
    let rest = [1.0 - a, 1.0 - b];
    let want: Colour = std::array::from_fn(|c| {
        let sum = t00[c] * (rest[0] * rest[1]);
        let sum = fma(t10[c], a * rest[1], sum);
        let sum = fma(t01[c], rest[0] * b, sum);
        fma(t11[c], a * b, sum)
    });
    // The same as the original has it, but for roundings.
    let [s_weights, t_weights] = [a, b].map(|weight| [1.0 - f64::from(weight), f64::from(weight)]);
    for c in 0..4 {
        let texels = [t00, t10, t01, t11].map(|texel| f64::from(texel[c]));
        let products = (0..4).map(|n| texels[n] * s_weights[n % 2] * t_weights[n / 2]);
        let exact: f64 = products.sum();
        let ulp = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
        let distance = (f64::from(want[c]) - exact).abs();
        assert!(
            distance <= 2.0 * ulp,
            "{wrap:?} at {s}: {} is not {exact}",
            want[c]
        );
    }
    let texture = texture(image, wrapped(wrap, Filter::Linear));
    assert_eq!(at(&texture, [s, 0.5, 0.0]), want, "{wrap:?} at {s}");
}

#[test]
fn nearest_texels_are_those_of_the_original() {
    assert_eq!(nearest(Wrap::Repeat, -0.3), Some([5, 4]));
    assert_eq!(nearest(Wrap::Repeat, 1.0), Some([0, 4]));
    assert_eq!(nearest(Wrap::Repeat, 1.3), Some([2, 4]));
    assert_eq!(nearest(Wrap::Clamp, -0.3), Some([0, 4]));
    // The one decision against the original, which is outside there (T01).
    assert_eq!(nearest(Wrap::Clamp, 1.0), Some([7, 4]));
    assert_eq!(nearest(Wrap::ClampToBorder, -0.3), B);
    assert_eq!(nearest(Wrap::ClampToBorder, 1.0), B);
    assert_eq!(nearest(Wrap::MirroredRepeat, -0.3), Some([2, 4]));
    assert_eq!(nearest(Wrap::MirroredRepeat, 1.3), Some([5, 4]));
}

#[test]
fn linear_texels_and_weights_are_those_of_the_original() {
    let [t04, t03, t73, t74] = [[0, 4], [0, 3], [7, 3], [7, 4]].map(Some);
    assert_linear(Wrap::Repeat, 0.0, [t73, t03, t74, t04], 0.5, 0.5);
    let [t53, t63, t54, t64] = [[5, 3], [6, 3], [5, 4], [6, 4]].map(Some);
    // s is not exactly representable: 0.7 · 8 - 0.5 = 5.1.
    let a = (-0.3_f32 - (-0.3_f32).floor()) * 8.0 - 0.5 - 5.0;
    assert!((a - 0.1).abs() < 1e-6);
    assert_linear(Wrap::Repeat, -0.3, [t53, t63, t54, t64], a, 0.5);
    assert_linear(Wrap::Clamp, 0.0, [B, t03, B, t04], 0.5, 0.5);
    assert_linear(Wrap::Clamp, 1.0, [t73, B, t74, B], 0.5, 0.5);
    let [t13, t14] = [[1, 3], [1, 4]].map(Some);
    assert_linear(Wrap::ClampToEdge, 0.0, [t03, t13, t04, t14], 0.0, 0.5);
    assert_linear(Wrap::ClampToEdge, 1.0, [t73, t73, t74, t74], 0.0, 0.5);
    assert_linear(Wrap::ClampToBorder, 1.3, [B, B, B, B], 0.0, 0.5);
}

/// Nearest texels of the levels that the mip mode chooses.
fn mipmapped(mip: MipMode) -> Texture {
    let sampler = Sampler {
        mip,
        ..Sampler::RESET
    };
    texture(coded_image(Dimension::D2, SIZE), sampler)
}

#[test]
fn the_nearest_level_is_that_of_the_original() {
    let texture = mipmapped(MipMode::Nearest);
    let level = |lod| at_lod(&texture, [0.5, 0.5, 0.0], lod)[3];
    let levels = [0.3, 0.5, 0.51, 1.5, 1.51, 9.0].map(level);
    assert_eq!(levels, [0.0, 0.0, 1.0, 1.0, 2.0, 3.0]);
}

#[test]
fn the_two_levels_and_their_weights_are_those_of_the_original() {
    let texture = mipmapped(MipMode::Linear);
    let level = |lod| at_lod(&texture, [0.5, 0.5, 0.0], lod)[3];
    assert_eq!([1.25, 2.0, 3.5].map(level), [1.25, 2.0, 3.0]);
}

#[test]
fn no_derivative_gives_the_least_lod_and_nan_the_greatest() {
    let sampler = Sampler {
        mip: MipMode::Nearest,
        lod_min: 1.0,
        lod_max: 2.0,
        ..Sampler::RESET
    };
    let texture = texture(coded_image(Dimension::D2, SIZE), sampler);
    let still = moving(&texture, [0.5, 0.5, 0.0], [0.0; 3], [0.0; 3]);
    assert_eq!(still[3], 1.0);
    let nan = moving(&texture, [f32::NAN, 0.5, 0.0], [0.0; 3], [0.0; 3]);
    assert_eq!(nan[3], 2.0);
}

#[test]
fn directions_choose_the_faces_of_the_original() {
    let image = coded_image(Dimension::Cube, Size::cube(8));
    let texture = texture(image, Sampler::RESET);
    let [px, py, pz, nz] = [0.0, 2.0, 4.0, 5.0];
    for (direction, face) in [
        ([1.0, 1.0, 0.0], px),
        ([1.0, 0.0, 1.0], pz),
        ([0.0, 1.0, 1.0], py),
        ([1.0, 1.0, 1.0], pz),
        ([-1.0, -1.0, -1.0], nz),
    ] {
        assert_eq!(at(&texture, direction)[2], face, "{direction:?}");
    }
    assert_eq!(at(&texture, [0.9, 0.2, -0.4]), [5.0, 3.0, px, 0.0]);
}
