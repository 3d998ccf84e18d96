//! How colours are mixed and stored.

use attila_shader::Shader;
use attila_shader::draw::{ColourImage, Draw, Varying};
use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, Compare,
};

use super::common::{plane, shaders};

fn copies() -> Vec<Shader> {
    shaders("mov o1, i6")
}

/// The value of a pixel that held `before`, after `colour` is drawn to it.
fn drawn<const N: usize>(
    shader: &Shader,
    format: ColourFormat,
    before: [u8; N],
    colour: [f32; 4],
    with: impl for<'a> Fn(Draw<'a>) -> Draw<'a>,
) -> [u8; N]
where
    [u8; N]: bytemuck::Pod,
{
    let mut image = ColourImage::new(format, 3, 3);
    image.fill(before);
    let draw = Draw::new(shader)
        .varying(6, Varying::flat(colour))
        .target(0, &mut image);
    with(draw).rect(0..3, 0..3).unwrap();
    let pixel = image.pixel::<[u8; N]>(0, 0).unwrap();
    for (x, y) in [(1, 0), (2, 1), (1, 2), (2, 2)] {
        assert_eq!(image.pixel::<[u8; N]>(x, y).unwrap(), pixel, "({x}, {y})");
    }
    pixel
}

/// A pixel of `Rgb10A2`.
fn packed([red, green, blue, alpha]: [u32; 4]) -> [u8; 4] {
    (red | green << 10 | blue << 20 | alpha << 30).to_le_bytes()
}

fn words(words: [f32; 4]) -> [u8; 16] {
    bytemuck::cast(words.map(|word| word.to_bits().to_le()))
}

#[test]
fn colours_are_stored_in_every_format() {
    use ColourFormat::{Bgra8, R8, R32F, Rgb10A2, Rgba8, Rgba8Srgb, Rgba16F, Rgba32F};
    let colour = [0.25, 0.999, -1.0, 7.0];
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0];
    let halves = |words: [u16; 4]| -> [u8; 8] { bytemuck::cast(words.map(u16::to_le)) };
    for shader in copies() {
        let four = |format, colour| drawn(&shader, format, [9; 4], colour, |draw| draw);
        assert_eq!(four(Rgba8, colour), [63, 254, 0, 255]);
        assert_eq!(four(Bgra8, colour), [0, 254, 63, 255]);
        assert_eq!(four(Rgba8Srgb, colour), [137, 255, 0, 255]);
        assert_eq!(four(Rgba8, odd), [255, 255, 0, 0]);
        assert_eq!(four(Bgra8, odd), [0, 255, 255, 0]);
        assert_eq!(four(Rgba8Srgb, odd), [255, 255, 0, 0]);
        assert_eq!(four(Rgba8Srgb, [0.001, 0.002, 0.5, 0.5]), [3, 7, 188, 127]);
        assert_eq!(four(R32F, colour), 0.25_f32.to_le_bytes());
        assert_eq!(four(R32F, odd), 0x7fc0_0000_u32.to_le_bytes());
        assert_eq!(four(Rgb10A2, colour), packed([256, 1022, 0, 3]));
        assert_eq!(four(Rgb10A2, odd), packed([1023, 1023, 0, 0]));
        // Halves go to the even number.
        let halves_of_steps = [0.5 / 1023.0, 1.5 / 1023.0, 2.5 / 1023.0, 0.5];
        assert_eq!(four(Rgb10A2, halves_of_steps), packed([0, 2, 2, 2]));

        let one = |colour| drawn(&shader, R8, [9], colour, |draw| draw);
        assert_eq!([one(colour), one(odd)], [[63], [255]]);
        assert_eq!(one([-1.0, 1.0, 1.0, 1.0]), [0]);

        let eight = |colour| drawn(&shader, Rgba16F, [9; 8], colour, |draw| draw);
        assert_eq!(eight(colour), halves([0x3400, 0x3bfe, 0xbc00, 0x4700]));
        assert_eq!(eight(odd), halves([0x7e00, 0x7c00, 0xfc00, 0x8000]));
        let tiny = [f32::MIN_POSITIVE, 6e-8, 65519.0, 65520.0];
        assert_eq!(eight(tiny), halves([0, 1, 0x7bff, 0x7c00]));

        let sixteen = |colour| drawn(&shader, Rgba32F, [9; 16], colour, |draw| draw);
        assert_eq!(sixteen(colour), words(colour));
        let stored = [f32::from_bits(0x7fc0_0000), odd[1], odd[2], odd[3]];
        assert_eq!(sixteen(odd), words(stored));
    }
}

/// Compilers make minima of comparisons, and those of some processors make NaN of a signalling NaN.
#[test]
fn a_signalling_nan_is_stored_and_blended_as_any_nan() {
    let [positive, negative] = [0x7f80_0001, 0xffbf_ffff].map(f32::from_bits);
    let colour = [positive, negative, 0.5, positive];
    for shader in copies() {
        for (format, expected) in [
            (ColourFormat::Rgba8, [255, 255, 127, 255]),
            (ColourFormat::Bgra8, [127, 255, 255, 255]),
            (ColourFormat::Rgba8Srgb, [255, 255, 188, 255]),
            (ColourFormat::Rgb10A2, packed([1023, 1023, 512, 3])),
        ] {
            for blended in [false, true] {
                let with = drawn(&shader, format, [0; 4], colour, |draw| match blended {
                    true => draw.blend(0, Blend::ADD),
                    false => draw,
                });
                assert_eq!(with, expected, "{format:?}, blended: {blended}");
            }
        }
    }
}

#[test]
fn only_components_of_the_write_mask_are_stored() {
    let colour = [1.0; 4];
    for shader in copies() {
        for bits in 0..16_u8 {
            let mask = Slots::from_bits_truncate(bits);
            let stored = [0, 1, 2, 3].map(|c| bits >> c & 1 != 0);
            let byte = |stored: bool| if stored { 255_u8 } else { 9 };
            let [r, g, b, a] = stored.map(byte);
            let fields = [0x3ff, 0x3ff << 10, 0x3ff << 20, 3 << 30];
            let written = (0..4)
                .filter(|c| stored[*c])
                .map(|c| fields[c])
                .sum::<u32>();
            for (format, expected) in [
                (ColourFormat::Rgba8, [r, g, b, a]),
                (ColourFormat::Bgra8, [b, g, r, a]),
                (ColourFormat::Rgba8Srgb, [r, g, b, a]),
                (ColourFormat::Rgb10A2, (0x0909_0909 | written).to_le_bytes()),
            ] {
                for blended in [false, true] {
                    let with = drawn(&shader, format, [9; 4], colour, |draw| match blended {
                        true => draw.write_mask(0, mask).blend(0, Blend::ADD),
                        false => draw.write_mask(0, mask),
                    });
                    assert_eq!(with, expected, "{mask:?} of {format:?}");
                }
            }
            let red = drawn(&shader, ColourFormat::R8, [9], colour, |draw| {
                draw.write_mask(0, mask)
            });
            assert_eq!(red, [r], "{mask:?} of red alone");
            let before = words([5.0; 4]);
            let with = drawn(&shader, ColourFormat::Rgba32F, before, colour, |draw| {
                draw.write_mask(0, mask)
            });
            let expected = stored.map(|stored| if stored { 1.0 } else { 5.0 });
            assert_eq!(with, words(expected), "{mask:?} of floats");
        }
    }
}

#[test]
fn blending_reads_what_is_there() {
    let colour = [0.5, 2.0, 0.25, 0.25];
    for shader in copies() {
        let over = |format, before: [u8; 4]| {
            drawn(&shader, format, before, colour, |draw| {
                draw.blend(0, Blend::OVER)
            })
        };
        // 255 (0.25 c + 0.75 b/255), c clamped to 1; alpha is mixed with itself.
        assert_eq!(
            over(ColourFormat::Rgba8, [100, 200, 0, 255]),
            [106, 213, 15, 207]
        );
        assert_eq!(
            over(ColourFormat::Bgra8, [0, 200, 100, 255]),
            [15, 213, 106, 207]
        );
        // Linear light: sRGB 188 is about 0.5028, and 0.25 * 0.5 + 0.75 * 0.5028 about 188 again.
        assert_eq!(
            over(ColourFormat::Rgba8Srgb, [188, 0, 255, 0])[..2],
            [188, 137]
        );
        assert_eq!(
            over(ColourFormat::Rgb10A2, packed([400, 800, 0, 3])),
            packed([428, 856, 64, 2])
        );
        let red = drawn(&shader, ColourFormat::R8, [100], colour, |draw| {
            draw.blend(0, Blend::OVER)
        });
        assert_eq!(red, [106]);

        let before = words([1.0, -2.0, 4.0, 8.0]);
        let float = drawn(&shader, ColourFormat::Rgba32F, before, colour, |draw| {
            draw.blend(0, Blend::OVER)
        });
        assert_eq!(float, words([0.875, -1.0, 3.0625, 6.0625]));
        // 2.0 and so on.
        let before = bytemuck::cast([0x4000_u16.to_le(); 4]);
        let half: [u8; 8] = drawn(&shader, ColourFormat::Rgba16F, before, colour, |draw| {
            draw.blend(0, Blend::ADD)
        });
        let halves = [0x4100_u16, 0x4400, 0x4080, 0x4080].map(u16::to_le);
        assert_eq!(half, bytemuck::cast::<[u16; 4], [u8; 8]>(halves));
    }
}

#[test]
fn a_target_without_alpha_has_alpha_1() {
    let by_alpha = Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::OneMinusDstAlpha,
        dst: BlendFactor::DstAlpha,
    });
    for shader in copies() {
        let before = 3.0_f32.to_le_bytes();
        let red = drawn(&shader, ColourFormat::R32F, before, [8.0; 4], |draw| {
            draw.blend(0, by_alpha)
        });
        assert_eq!(red, before);
        let red = drawn(&shader, ColourFormat::R8, [77], [1.0; 4], |draw| {
            draw.blend(0, by_alpha)
        });
        assert_eq!(red, [77]);
    }
}

#[test]
fn the_constant_colour_is_clamped_where_components_are_fractions() {
    let by_constant = Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::ConstantColour,
        dst: BlendFactor::Zero,
    });
    let constant = [0.5, 3.0, -1.0, f32::NAN];
    for shader in copies() {
        let bytes = drawn(&shader, ColourFormat::Rgba8, [9; 4], [1.0; 4], |draw| {
            draw.blend(0, by_constant).blend_constant(constant)
        });
        assert_eq!(bytes, [127, 255, 0, 255]);
        let floats: [u8; 16] = drawn(&shader, ColourFormat::Rgba32F, [9; 16], [1.0; 4], |draw| {
            draw.blend(0, by_constant).blend_constant(constant)
        });
        assert_eq!(floats[..12], words(constant)[..12]);
        assert_eq!(floats[12..], 0x7fc0_0000_u32.to_le_bytes());
    }
}

#[test]
fn red_and_alpha_have_equations_of_their_own() {
    let blend = Blend {
        colour: BlendEquation {
            op: BlendOp::Max,
            src: BlendFactor::Zero,
            dst: BlendFactor::Zero,
        },
        alpha: BlendEquation {
            op: BlendOp::ReverseSubtract,
            src: BlendFactor::One,
            dst: BlendFactor::One,
        },
    };
    for shader in copies() {
        let before = words([0.5; 4]);
        let colour = [0.25, 0.75, f32::NAN, 0.125];
        let after = drawn(&shader, ColourFormat::Rgba32F, before, colour, |draw| {
            draw.blend(0, blend)
        });
        assert_eq!(after, words([0.5, 0.75, 0.5, 0.375]));
    }
}

#[test]
fn every_output_goes_to_its_own_target() {
    let text: String = (1..=8)
        .map(|o| format!("mul o{o}, i15.w, {o}.0\n"))
        .collect();
    for shader in shaders(&text) {
        let mut images = [0; 8].map(|_| ColourImage::new(ColourFormat::R32F, 4, 2));
        let mut draw = Draw::new(&shader);
        for (index, image) in images.iter_mut().enumerate() {
            // One is left out.
            if index != 5 {
                draw = draw.target(index, image);
            }
        }
        draw.rect(0..4, 0..2).unwrap();
        for (index, image) in images.iter().enumerate() {
            let expected = if index == 5 { 0.0 } else { index as f32 + 1.0 };
            assert_eq!(image.pixel::<f32>(3, 1).unwrap(), expected);
        }
    }
}

#[test]
fn outputs_that_a_fragment_does_not_write_are_0() {
    let text = "setplt p0, i0.x, 1\n(p0) mov o1, i15.w\nmov o2.y, i15.w";
    for shader in shaders(text) {
        let mut images = [0; 3].map(|_| ColourImage::new(ColourFormat::Rgba8, 300, 1));
        let [first, second, third] = &mut images;
        Draw::new(&shader)
            .target(0, &mut *first)
            .target(1, &mut *second)
            .target(2, &mut *third)
            .rect(0..300, 0..1)
            .unwrap();
        for x in 0..300 {
            let pixels = images
                .each_ref()
                .map(|image| image.pixel::<[u8; 4]>(x, 0).unwrap());
            let expected = if x == 0 { [255; 4] } else { [0; 4] };
            assert_eq!(pixels, [expected, [0, 255, 0, 0], [0; 4]]);
        }
    }
}

#[test]
fn killed_fragments_and_those_that_fail_the_alpha_test_keep_what_is_there() {
    // Kills the column 1, and makes alpha the column's number.
    let text = "add r0.x, i0.x, -1.5\nmul r0.x, r0.x, r0.x\nadd r0.x, r0.x, -0.5\nkil r0.x\n\
                mov o1, i6.x";
    let across = Varying::linear([plane(-0.5, 1.0, 0.0); 4]);
    for shader in shaders(text) {
        for compare in Compare::ALL {
            let mut image = ColourImage::new(ColourFormat::R32F, 5, 1);
            image.fill(9.0_f32);
            Draw::new(&shader)
                .varying(6, across)
                .target(0, &mut image)
                .alpha_test(compare, 2.0)
                .rect(0..5, 0..1)
                .unwrap();
            for x in 0..5 {
                let number = x as f32;
                let kept = x != 1 && compare.holds(number, 2.0);
                let expected = if kept { number } else { 9.0 };
                assert_eq!(
                    image.pixel::<f32>(x, 0).unwrap(),
                    expected,
                    "{x} {compare:?}"
                );
            }
        }
    }
}
