//! What cannot be drawn, and memory that is not enough.

use attila_shader::draw::{
    ColourBuffer, ColourImage, DepthImage, DepthState, Draw, DrawError, Location, MAX_SIZE, Varying,
};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};

use super::{floats, numbers};
use crate::draw::common::shaders;

const STATE: DepthState = DepthState {
    compare: Compare::Always,
    write: true,
};

fn message(result: Result<(), DrawError>) -> String {
    result.expect_err("it is refused").to_string()
}

#[test]
fn targets_have_equally_many_samples() {
    for shader in shaders("add o1, r0, 1.0\nadd o2, r0, 1.0") {
        let mut four = floats([4, 4], SampleCount::Four);
        let mut two = floats([4, 4], SampleCount::Two);
        let draw = Draw::new(&shader).target(0, &mut four).target(1, &mut two);
        assert_eq!(
            message(draw.rect(0..4, 0..4)),
            "colour target 1 has 2 samples per pixel, but colour target 0 has 4"
        );
        let mut depths = DepthImage::new(DepthFormat::D32F, 4, 4);
        let draw = Draw::new(&shader)
            .target(0, &mut four)
            .depth(&mut depths, STATE);
        assert_eq!(
            message(draw.rect(0..4, 0..4)),
            "the depth target has 1 samples per pixel, but colour target 0 has 4"
        );
        let draw = Draw::new(&shader).target(0, &mut four);
        let mut prepared = draw.prepare().expect("it is right");
        let bindings = Default::default();
        let mut frame = prepared.frame(&bindings).target(0, &mut two);
        assert_eq!(
            message(frame.rect(0..4, 0..4)),
            "the number of samples of colour target 0 has changed since the draw was prepared"
        );
    }
}

#[test]
fn positions_are_as_many_as_samples_and_inside_of_the_pixel() {
    for shader in shaders("add o1, r0, 1.0") {
        let mut image = floats([4, 4], SampleCount::Two);
        let draw = Draw::new(&shader).target(0, &mut image);
        assert_eq!(
            message(draw.sample_positions(&[[0, 0]; 5]).rect(0..4, 0..4)),
            "the draw has 5 sample positions for 2 samples"
        );
        let draw = Draw::new(&shader).target(0, &mut image);
        assert_eq!(
            message(draw.sample_positions(&[[-8, 7], [3, 8]]).rect(0..4, 0..4)),
            "sample 1 is at (3, 8) sixteenths of a pixel from the centre; the limits are -8 and 7"
        );
        let draw = Draw::new(&shader).target(0, &mut image);
        assert_eq!(
            message(draw.sample_positions(&[[0, 0]; 40]).rect(0..4, 0..4)),
            "the draw has 40 sample positions for 2 samples"
        );
    }
}

#[test]
fn samples_of_the_raster_alone_have_limits() {
    for shader in shaders("mov o1, i6") {
        let mut image = floats([4, 4], SampleCount::One);
        let mut several = floats([4, 4], SampleCount::Two);
        let mut depths = DepthImage::new(DepthFormat::D32F, 4, 4);
        let draw = || {
            Draw::new(&shader)
                .varying(6, Varying::flat([1.0; 4]))
                .raster_samples(SampleCount::Eight)
        };
        let with_depth = draw().target(0, &mut image).depth(&mut depths, STATE);
        assert_eq!(
            message(with_depth.rect(0..4, 0..4)),
            "the raster has samples of its own, but there is a depth target"
        );
        assert_eq!(
            message(draw().target(0, &mut several).rect(0..4, 0..4)),
            "the raster has samples of its own, but the targets have several, too"
        );
        let shaded = draw().target(0, &mut image).sample_shading(true);
        assert_eq!(
            message(shaded.rect(0..4, 0..4)),
            "the raster has samples of its own, which the program cannot run for"
        );
        let linear = Varying::linear([Default::default(); 4]).at(Location::Sample);
        let of_sample = draw().varying(6, linear).target(0, &mut image);
        assert!(of_sample.rect(0..4, 0..4).is_err());
    }
}

#[test]
fn planes_may_be_lent_apart_or_with_gaps_between() {
    for shader in shaders("mov o1, i6") {
        // Each sample has a number of its own.
        let draw = |sample: u8| {
            let number = Varying::flat([f32::from(sample) + 0.5; 4]);
            Draw::new(&shader)
                .sample_mask(1 << sample)
                .varying(6, number)
        };
        let mut pieces = [[[0.0_f32; 3]; 2]; 4];
        for sample in 0..4 {
            let planes = pieces.iter_mut().map(|piece| &mut piece[..]);
            let buffer = ColourBuffer::from_planes(ColourFormat::R32F, 3, 2, planes);
            assert_eq!(buffer.samples(), SampleCount::Four);
            draw(sample)
                .target(0, buffer)
                .rect(0..3, 0..2)
                .expect("it is right");
        }
        assert_eq!(pieces, [0.5, 1.5, 2.5, 3.5].map(|number| [[number; 3]; 2]));

        // 4 floats a row, and 9 from one plane to the next.
        let mut memory = [9.0_f32; 9 + 7];
        for sample in 0..2 {
            let buffer = ColourBuffer::new(ColourFormat::R32F, 3, 2, &mut memory)
                .with_pitch(16)
                .with_samples(SampleCount::Two)
                .with_sample_pitch(36);
            draw(sample)
                .target(0, buffer)
                .rect(0..3, 0..2)
                .expect("it is right");
        }
        let plane = |number| [number, number, number, 9.0, number, number, number];
        let expected: Vec<f32> = [&plane(0.5)[..], &[9.0; 2], &plane(1.5)].concat();
        assert_eq!(memory[..], expected);
    }
}

#[test]
fn planes_that_overlap_or_are_too_short_or_too_many_are_errors() {
    for shader in shaders("add o1, r0, 1.0") {
        let mut memory = [0.0_f32; 64];
        let mut refused = |change: &dyn Fn(ColourBuffer<'_>) -> ColourBuffer<'_>| {
            let buffer = ColourBuffer::new(ColourFormat::R32F, 4, 4, &mut memory);
            let buffer = change(buffer.with_samples(SampleCount::Four));
            message(Draw::new(&shader).target(0, buffer).rect(0..4, 0..4))
        };
        assert_eq!(
            refused(&|it| it.with_sample_pitch(63)),
            "planes of colour target 0 have 64 bytes, but begin 63 bytes apart"
        );
        assert_eq!(
            refused(&|it| it.with_sample_pitch(65)),
            "colour target 0 needs 259 bytes, but has 256"
        );
        assert_eq!(
            refused(&|it| it.with_sample_pitch(usize::MAX)),
            format!("colour target 0 needs {} bytes, but has 256", usize::MAX)
        );
        let mut pieces = [[0.0_f32; 16]; 5];
        let planes = pieces.iter_mut().map(|piece| &mut piece[..]);
        let buffer = ColourBuffer::from_planes(ColourFormat::R32F, 4, 4, planes);
        assert_eq!(
            message(Draw::new(&shader).target(0, buffer).rect(0..4, 0..4)),
            "colour target 0 has 5 planes; a pixel has 1, 2, 4, 8 or 16 samples"
        );
        let [a, b, ..] = &mut pieces;
        let planes = [&mut a[..], &mut b[..15]];
        let buffer = ColourBuffer::from_planes(ColourFormat::R32F, 4, 4, planes);
        assert_eq!(
            message(Draw::new(&shader).target(0, buffer).rect(0..4, 0..4)),
            "colour target 0 needs 64 bytes, but has 60"
        );
    }
}

#[test]
fn sixteen_samples_of_the_largest_target_are_an_error_where_there_is_no_memory() {
    for shader in shaders("add o1, r0, 1.0") {
        let mut memory = [0_u8; 64];
        let buffer = ColourBuffer::new(ColourFormat::Rgba32F, MAX_SIZE, MAX_SIZE, &mut memory)
            .with_samples(SampleCount::Sixteen);
        assert_eq!(
            message(Draw::new(&shader).target(0, buffer).rect(0..4, 0..4)),
            "colour target 0 needs 274877906944 bytes, but has 64"
        );
    }
}

#[test]
fn images_are_resolved_to_images_of_the_same_kind() {
    let image = floats([4, 4], SampleCount::Four);
    let resolved = |target: &mut ColourImage| {
        let result = image.resolve_to(target);
        result.map_err(|error| error.to_string())
    };
    assert_eq!(resolved(&mut floats([4, 4], SampleCount::One)), Ok(()));
    assert_eq!(
        resolved(&mut floats([4, 3], SampleCount::One)),
        Err("4x4 pixels cannot be resolved to 4x3".to_owned())
    );
    assert_eq!(
        resolved(&mut floats([4, 4], SampleCount::Two)),
        Err("the image to resolve to has 2 samples per pixel".to_owned())
    );
    let mut bytes = ColourImage::new(ColourFormat::Rgba8, 4, 4);
    let refused = Err("the images have different formats".to_owned());
    assert_eq!(resolved(&mut bytes), refused);
}

#[test]
fn a_part_of_an_image_and_lent_planes_can_be_resolved() {
    let mut image = floats([4, 2], SampleCount::Two);
    image.fill(3.0_f32);
    let mut part = floats([4, 2], SampleCount::One);
    image.resolve_rect(&mut part, 1..9, 1..2).expect("it fits");
    assert_eq!(numbers(&part, 0), [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 3.0]);

    let mut pieces = [[1.0_f32, 2.0], [3.0, 5.0]];
    let planes = pieces.iter_mut().map(|piece| &mut piece[..]);
    let mut buffer = ColourBuffer::from_planes(ColourFormat::R32F, 2, 1, planes);
    let mut mean = floats([2, 1], SampleCount::One);
    buffer.resolve_to(&mut mean).expect("it fits");
    assert_eq!(numbers(&mean, 0), [2.0, 3.5]);
    let mut missing = [[0.0_f32; 1]; 2];
    let planes = missing.iter_mut().map(|piece| &mut piece[..]);
    let mut buffer = ColourBuffer::from_planes(ColourFormat::R32F, 2, 1, planes);
    let error = buffer
        .resolve_to(&mut mean)
        .expect_err("pixels are missing");
    assert_eq!(
        error.to_string(),
        "the memory of an image is no complete image"
    );

    let mut depths = DepthImage::multisampled(DepthFormat::D32F, 1, 1, SampleCount::Four);
    depths.fill(0.25_f32);
    let mut depth = DepthImage::new(DepthFormat::D32F, 1, 1);
    depths.resolve_to(&mut depth).expect("it fits");
    assert_eq!(depth.pixel::<f32>(0, 0), Some(0.25));
}
