//! Texture units that draw.

use std::sync::Mutex;

use attila_shader::draw::{ColourImage, Draw, DrawError, Varying};
use attila_shader::machine::pipeline::{ColourFormat, SpanError};
use attila_shader::machine::{MAX_NESTED_RUNS, QuadReg, TextureQuery, from_floats};
use attila_shader::{Bindings, RunError, Shader, TextureUnit};

use super::common::shaders;

/// Draws a picture for every sample, and samples that picture, as deep as runs may be nested. A sample
/// is the number of draws below it.
struct Drawing<'s> {
    shader: &'s Shader,
    error: Mutex<Option<String>>,
}

impl Drawing<'_> {
    fn draw(&self) -> Result<f32, DrawError> {
        let bindings = Bindings::new().with_textures(self);
        let mut image = ColourImage::new(ColourFormat::R32F, 2, 2);
        Draw::new(self.shader)
            .varying(6, Varying::flat([0.5; 4]))
            .bindings(&bindings)
            .target(0, &mut image)
            .rect(0..2, 0..2)?;
        Ok(image.pixel::<f32>(1, 1).unwrap())
    }
}

impl TextureUnit for Drawing<'_> {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        let deeper = self.draw().map(|deeper| deeper + 1.0);
        let deeper = deeper.unwrap_or_else(|error| {
            let expected = SpanError::Run(RunError::Nested {
                limit: MAX_NESTED_RUNS,
            });
            assert!(matches!(&error, DrawError::Span(span) if *span == expected));
            *self.error.lock().unwrap() = Some(error.to_string());
            0.0
        });
        from_floats([[deeper; 4]; 4])
    }
}

#[test]
fn draws_within_draws_have_a_limit() {
    for shader in shaders("tex o1, i6, t0") {
        let unit = Drawing {
            shader: &shader,
            error: Mutex::default(),
        };
        for _ in 0..2 {
            let levels = unit.draw().unwrap();
            assert_eq!(levels, (MAX_NESTED_RUNS - 1) as f32, "{shader:?}");
            let error = unit.error.lock().unwrap().take();
            let expected = format!(
                "the run is nested in {MAX_NESTED_RUNS} others; the limit is {MAX_NESTED_RUNS}"
            );
            assert_eq!(error, Some(expected));
        }
    }
}
