//! Memory besides registers: scratch vectors, constant buffers, storage buffers.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use attila_shader::Bindings;
use attila_shader::draw::{ColourImage, Draw, DrawError, Varying};
use attila_shader::machine::pipeline::ColourFormat;

use super::common::shaders;

/// The bytes of a picture of 8 by 6 pixels that are drawn in two draws, with words in buffer 2.
fn drawn(program: &str) -> Vec<Result<Vec<u8>, DrawError>> {
    let vectors = [0.25_f32, 0.5, 1.0].map(|value| [value.to_bits(); 4]);
    let words = [0.0_f32, 0.0, 0.5, 1.0].map(|value| AtomicU32::new(value.to_bits()));
    let bindings = Bindings::new()
        .with_buffer(2, &vectors)
        .with_storage(3, Arc::new(words));
    let draw = |shader| {
        let mut image = ColourImage::new(ColourFormat::Rgba8, 8, 6);
        for rows in [0..3, 3..6] {
            Draw::new(&shader)
                .bindings(&bindings)
                .varying(6, Varying::flat([1.0; 4]))
                .target(0, &mut image)
                .rect(0..8, rows)?;
        }
        Ok(image.bytes().to_vec())
    };
    shaders(program).into_iter().map(draw).collect()
}

#[test]
fn draws_read_buffers_and_every_quad_finds_scratch_vectors_of_0() {
    let program = ".extended scratch 3
        f2i a0.x, i6
        ldt r1, s1[2][a0.x]
        ldc r0.xy, a0.x, b2
        stt s1[2].xy, a0.x, r0
        ldt r2, s1[2][a0.x]
        add o1, r1, r2
        ldb o1.zw, c0.x, u3";
    let pictures = drawn(program);
    for picture in &pictures {
        let picture = picture.as_ref().expect("the draw is good");
        assert!(
            picture.chunks(4).all(|pixel| pixel == [127, 127, 127, 255]),
            "{picture:?}"
        );
    }
}

#[test]
fn programs_that_write_storage_buffers_are_not_drawn() {
    for program in ["stb u3.x, i6.x, i6", "atomadd r0, i6.x, u3, i6.x"] {
        for picture in drawn(&format!(".extended\n{program}\nmov o1, i6")) {
            let error = picture.expect_err("it writes").to_string();
            assert_eq!(
                error,
                "the program writes storage buffers, which only runs do"
            );
        }
    }
}
