//! Draws that are made again and again.

use std::sync::Arc;

use attila_shader::Bindings;
use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, DrawError, Quad, Varying};
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, Compare, DepthFormat, TargetName,
};
use attila_shader::machine::{LaneMask, QuadReg};
use attila_shader::texture::{Dimension, Format, Image, Sampler, Size, Texture, Textures};

use super::common::{plane, shaders};

#[test]
fn frames_differ_in_targets_constants_and_values() {
    for shader in shaders("add o1, i6, c0") {
        let mut first = ColourImage::new(ColourFormat::R32F, 4, 4);
        let mut second = ColourImage::new(ColourFormat::R32F, 9, 40);
        let linear = |at| Varying::linear([plane(at, 0.0, 0.0); 4]);
        let mut prepared = Draw::new(&shader)
            .varying(6, linear(1.0))
            .target(0, ColourFormat::R32F)
            .prepare()
            .unwrap();
        let bindings = [10.0, 20.0].map(|value| Bindings::new().with_constant(0, [value; 4]));
        let mut frame = prepared.frame(&bindings[0]).target(0, &mut first);
        frame.rect(0..4, 0..4).unwrap();
        let mut frame = prepared.frame(&bindings[1]).target(0, &mut second);
        frame.rect(0..9, 0..40).unwrap();
        assert_eq!(first.pixel::<f32>(3, 3).unwrap(), 11.0);
        assert_eq!(second.pixel::<f32>(8, 39).unwrap(), 21.0);

        let frame = prepared.frame(&bindings[0]).varying(6, linear(2.0));
        let mut frame = frame.target(0, &mut first);
        // Twice in a frame.
        frame.rect(0..1, 0..4).unwrap();
        frame.rect(3..4, 0..4).unwrap();
        let row = [0, 1, 2, 3].map(|x| first.pixel::<f32>(x, 2).unwrap());
        assert_eq!(row, [12.0, 11.0, 11.0, 12.0]);
        // The value has stayed.
        let mut frame = prepared.frame(&bindings[0]).target(0, &mut first);
        frame.rect(1..2, 2..3).unwrap();
        assert_eq!(first.pixel::<f32>(1, 2).unwrap(), 12.0);
    }
}

#[test]
fn references_and_constants_of_the_state_may_change() {
    let by_constant = Blend::all(BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::ConstantColour,
        dst: BlendFactor::Zero,
    });
    for shader in shaders("mov o1, i15.w") {
        let mut image = ColourImage::new(ColourFormat::R32F, 2, 2);
        let mut depths = DepthImage::new(DepthFormat::D32F, 2, 2);
        let mut prepared = Draw::new(&shader)
            .target(0, &mut image)
            .depth(
                &mut depths,
                DepthState {
                    compare: Compare::Greater,
                    write: false,
                },
            )
            .blend(0, by_constant)
            .blend_constant([3.0; 4])
            .alpha_test(Compare::Less, 2.0)
            .prepare()
            .unwrap();
        let bindings = Bindings::new();
        let mut frame = prepared
            .frame(&bindings)
            .target(0, &mut image)
            .depth(&mut depths);
        frame.rect(0..2, 0..2).unwrap();
        assert_eq!(image.pixel::<f32>(0, 1).unwrap(), 3.0);
        let frame = prepared
            .frame(&bindings)
            .target(0, &mut image)
            .depth(&mut depths);
        let mut frame = frame.blend_constant([4.0; 4]);
        frame.rect(0..2, 0..1).unwrap();
        let mut frame = frame.alpha_reference(1.0).blend_constant([5.0; 4]);
        frame.rect(0..2, 1..2).unwrap();
        assert_eq!(
            [0, 1].map(|y| image.pixel::<f32>(0, y).unwrap()),
            [4.0, 3.0]
        );
    }
}

#[test]
fn arrays_are_given_with_every_frame() {
    let quads = [Quad {
        x: 0,
        y: 0,
        coverage: LaneMask::all(),
    }];
    let register = |value: f32| -> [QuadReg; 1] { [[[value.to_bits(); 4]; 4]] };
    for shader in shaders("mov o1, i4") {
        let mut image = ColourImage::new(ColourFormat::R32F, 2, 2);
        let mut prepared = Draw::new(&shader)
            .varying(4, Varying::quads(&[]))
            .target(0, &mut image)
            .prepare()
            .unwrap();
        let bindings = Bindings::new();
        for value in [1.0, 2.0] {
            let registers = register(value);
            let frame = prepared.frame(&bindings).target(0, &mut image);
            let mut frame = frame.varying(4, Varying::quads(&registers));
            frame.quads(&quads).unwrap();
            assert_eq!(image.pixel::<f32>(1, 0).unwrap(), value);
        }
        let mut frame = prepared.frame(&bindings).target(0, &mut image);
        let error = frame.quads(&quads).unwrap_err();
        assert_eq!(error.to_string(), "input i4 has 0 registers for 1 quads");
    }
}

#[test]
fn textures_of_another_kind_may_be_bound_to_later_frames() {
    let one_texel = |format: Format, bytes: &[u8]| {
        let image = Image::from_levels(Dimension::D2, format, Size::d2(1, 1), &[bytes]).unwrap();
        let mut textures = Textures::new();
        let texture = Texture::new(Arc::new(image), Sampler::RESET).unwrap();
        textures.bind(0, texture).unwrap();
        textures
    };
    let bytes = one_texel(Format::Rgba8, &[255, 0, 255, 0]);
    let floats = one_texel(
        Format::Rgba32F,
        &bytemuck::cast::<_, [u8; 16]>([2.0_f32; 4]),
    );
    for shader in shaders("tex o1, i0, t0") {
        let mut image = ColourImage::new(ColourFormat::R32F, 9, 2);
        let draw = Draw::new(&shader).target(0, &mut image);
        let mut prepared = draw.prepare().unwrap();
        for (textures, red) in [(&bytes, 1.0), (&floats, 2.0), (&bytes, 1.0)] {
            let bindings = Bindings::new().with_textures(textures);
            let mut frame = prepared.frame(&bindings).target(0, &mut image);
            frame.rect(0..9, 0..2).unwrap();
            assert_eq!(image.pixel::<f32>(8, 1).unwrap(), red);
        }
    }
}

#[test]
fn a_format_is_a_target_to_prepare_for_but_not_to_draw_on() {
    for shader in shaders("mov o1, c0") {
        let draw = || Draw::new(&shader).target(0, ColourFormat::R32F);
        let mut prepared = draw().prepare().unwrap();
        let bindings = Bindings::new();
        let mut frame = prepared.frame(&bindings).target(0, ColourFormat::R32F);
        for drawn in [frame.rect(0..4, 0..4), draw().rect(0..4, 0..4)] {
            let missing = DrawError::MissingTarget(TargetName::Colour(0));
            assert_eq!(drawn.unwrap_err().to_string(), missing.to_string());
        }
    }
}

#[test]
fn clones_draw_at_the_same_time_with_memory_of_their_own() {
    for shader in shaders("mov o1, c0") {
        let new_image = || ColourImage::new(ColourFormat::R32F, 33, 70);
        let prepared = Draw::new(&shader).target(0, &mut new_image()).prepare();
        let prepared = prepared.expect("it is complete");
        let threads = [1.0, 2.0, 3.0].map(|value| {
            let mut own = prepared.clone();
            std::thread::spawn(move || {
                let bindings = Bindings::new().with_constant(0, [value; 4]);
                let mut image = new_image();
                let frame = own
                    .frame(&bindings)
                    .target(0, &mut image)
                    .rect(0..33, 0..70);
                frame.expect("it is drawn");
                image
            })
        });
        for (thread, value) in threads.into_iter().zip([1.0, 2.0, 3.0]) {
            let image = thread.join().expect("no panic");
            let mut places = (0..70).flat_map(|y| (0..33).map(move |x| (x, y)));
            assert!(places.all(|(x, y)| image.pixel::<f32>(x, y) == Some(value)));
        }
    }
}
