//! Drawing a rectangle into a picture: the plainest way from a fragment program to an image.
//!
//! Rows run from the top, and so do the y of pixels and the rows of a quad. Everything else is that
//! of any [`Draw`]: inputs are planes, output `o1` becomes the pixels' colour, and killed fragments
//! leave what was there.

use attila_scene::varying::Varyings;
use attila_shader::machine::Bindings;
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::ColourFormat;

use attila_shader::Shader;
use attila_shader::draw::{ColourBuffer, Draw, ResolveError};

use crate::samples::Samples;

/// A picture: RGBA8, row by row from the top, one sample of all pixels after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Picture {
    width: usize,
    height: usize,
    samples: SampleCount,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// A picture with every pixel of the given colour. One with more bytes than any memory, which draws
    /// refuse, has no pixels.
    pub(crate) fn new(width: usize, height: usize, colour: [u8; 4]) -> Picture {
        Picture::multisampled(width, height, SampleCount::One, colour)
    }

    /// The same with several samples for each pixel.
    pub(crate) fn multisampled(
        width: usize,
        height: usize,
        samples: SampleCount,
        colour: [u8; 4],
    ) -> Picture {
        let most = isize::MAX.cast_unsigned() / size_of_val(&colour);
        let pixels = width.checked_mul(height);
        let pixels = pixels.and_then(|pixels| pixels.checked_mul(samples.count()));
        let pixels = pixels.filter(|pixels| *pixels <= most);
        Picture {
            width,
            height,
            samples,
            pixels: vec![colour; pixels.unwrap_or(0)],
        }
    }

    /// A picture from its rows, which are of that width.
    pub(crate) fn from_pixels(width: usize, pixels: Vec<[u8; 4]>) -> Picture {
        Picture {
            width,
            height: pixels.len() / width,
            samples: SampleCount::One,
            pixels,
        }
    }

    /// Pixels in a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// Samples of a pixel.
    pub(crate) fn samples(&self) -> SampleCount {
        self.samples
    }

    /// The mean of each pixel's samples. A picture with one sample is not copied.
    ///
    /// # Errors
    ///
    /// There are no pixels.
    pub(crate) fn resolved(self) -> Result<Picture, ResolveError> {
        if self.samples == SampleCount::One {
            return Ok(self);
        }
        let mut from = self;
        let mut to = Picture::new(from.width, from.height, [0; 4]);
        ColourBuffer::from(&mut from).resolve_to(&mut to)?;
        Ok(to)
    }

    /// The pixels, row by row; those of sample 0 first.
    pub(crate) fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The rows that have pixels.
    fn rows(&self) -> usize {
        self.pixels.len().checked_div(self.width).unwrap_or(0)
    }

    /// Copies `other` to where its upper left corner comes to `(x, y)`. Pixels outside are left
    /// out.
    pub(crate) fn paste(&mut self, other: &Picture, x: usize, y: usize) {
        let width = other.width.min(self.width.saturating_sub(x));
        let height = other.rows().min(self.rows().saturating_sub(y));
        if width == 0 {
            return;
        }
        for row in 0..height {
            let from = &other.pixels[row * other.width..][..width];
            self.pixels[(y + row) * self.width + x..][..width].copy_from_slice(from);
        }
    }
}

/// The draw of a shader over the whole of `picture`, which has as many samples: `o1` becomes the colour.
pub(crate) fn draw<'a>(
    shader: &Shader,
    bindings: &'a Bindings<'a>,
    varyings: &Varyings,
    samples: &Samples,
    picture: &'a mut Picture,
) -> Draw<'a> {
    let draw = varyings.set_on(Draw::new(shader), picture.width, picture.height);
    samples.set(draw).bindings(bindings).target(0, picture)
}

impl<'a> From<&'a mut Picture> for ColourBuffer<'a> {
    fn from(picture: &'a mut Picture) -> Self {
        let (width, height) = (side(picture.width), side(picture.height));
        let buffer = ColourBuffer::new(ColourFormat::Rgba8, width, height, &mut picture.pixels);
        buffer.with_samples(picture.samples)
    }
}

/// A side of a picture. Draws refuse what is as large as this.
fn side(pixels: usize) -> u32 {
    u32::try_from(pixels).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use attila_shader::isa::Program;
    use attila_shader::machine::pipeline::SpanError;

    use super::*;
    use attila_shader::Engine;
    use attila_shader::draw::DrawError;

    const BACKGROUND: [u8; 4] = [9, 8, 7, 6];

    /// Shades every pixel of `picture`: `o1` becomes the colour, and killed fragments leave what was
    /// there.
    fn render(
        shader: &Shader,
        bindings: &Bindings<'_>,
        varyings: &Varyings,
        picture: &mut Picture,
    ) -> Result<(), DrawError> {
        let (width, height) = (side(picture.width), side(picture.height));
        let samples = Samples::default();
        draw(shader, bindings, varyings, &samples, picture).rect(0..width, 0..height)
    }

    fn drawn(text: &str, width: usize, height: usize) -> Picture {
        let program = Program::assemble(text).unwrap().validate().unwrap();
        let shader = Engine::interp().prepare(&program).unwrap();
        let mut picture = Picture::new(width, height, BACKGROUND);
        let varyings = Varyings::default();
        render(&shader, &Bindings::new(), &varyings, &mut picture).unwrap();
        picture
    }

    #[test]
    fn every_pixel_is_drawn_whatever_the_size() {
        // (x + 0.5) / 512 and (y + 0.5) / 8 as bytes.
        let text = "mul o1.x, i0.x, 0.001953125\nmul o1.y, i0.y, 0.125\n";
        for (width, height) in [(1, 1), (3, 5), (127, 2), (128, 1), (129, 3), (300, 4)] {
            let picture = drawn(text, width, height);
            for (index, pixel) in picture.pixels().iter().enumerate() {
                let (x, y) = (index % width, index / width);
                let byte =
                    |coordinate: usize, size: f32| ((coordinate as f32 + 0.5) / size * 255.0) as u8;
                assert_eq!(*pixel, [byte(x, 512.0), byte(y, 8.0), 0, 0], "({x}, {y})");
            }
        }
    }

    #[test]
    fn colours_that_a_fragment_does_not_write_are_0() {
        let text = "setplt p0, i0.x, 1\n(p0) mov o1, i0.w\n";
        let picture = drawn(text, 260, 1);
        assert_eq!(picture.pixels()[0], [255; 4]);
        assert!(picture.pixels()[1..].iter().all(|pixel| *pixel == [0; 4]));
    }

    #[test]
    fn what_is_pasted_over_an_edge_is_cut_off() {
        let mut picture = Picture::new(3, 2, [0; 4]);
        picture.paste(&Picture::new(2, 2, [1; 4]), 2, 1);
        picture.paste(&Picture::new(2, 2, [2; 4]), 5, 5);
        let expected = [[0; 4], [0; 4], [0; 4], [0; 4], [0; 4], [1; 4]];
        assert_eq!(picture.pixels(), expected);
    }

    #[test]
    fn no_pixel_is_drawn_while_a_unit_is_not_bound() {
        let program = Program::assemble("tex o1, i0, t7").unwrap();
        let shader = Engine::interp().prepare(&program.validate().unwrap());
        let mut picture = Picture::new(3, 3, BACKGROUND);
        let (bindings, varyings) = (Bindings::new(), Varyings::default());
        let error = render(&shader.unwrap(), &bindings, &varyings, &mut picture);
        assert!(matches!(error, Err(DrawError::UnboundTexture(7))));
        assert_eq!(picture, Picture::new(3, 3, BACKGROUND));
    }

    #[test]
    fn a_run_away_loop_names_its_pixels() {
        let text = "again: setpgt p0, i0.x, 200\njmp p0, again\nmov o1, i0";
        let program = Program::assemble(text).unwrap().validate().unwrap();
        let shader = Engine::interp().prepare(&program).unwrap();
        let bindings = Bindings::new().with_loop_budget(3);
        let mut picture = Picture::new(256, 4, BACKGROUND);
        let error = render(&shader, &bindings, &Varyings::default(), &mut picture).unwrap_err();
        let expected = SpanError::LoopBudget {
            pc: 1,
            budget: 3,
            x: 200,
            y: 0,
        };
        assert!(matches!(&error, DrawError::Span(error) if *error == expected));
    }

    #[test]
    fn pictures_that_no_draw_takes_have_no_pixels() {
        for engine in Engine::all() {
            let program = Program::assemble("mov o1, i6").unwrap();
            let shader = engine.prepare(&program.validate().unwrap()).unwrap();
            for (width, height) in [(usize::MAX, 2), (2, usize::MAX), (1 << 40, 1 << 40)] {
                let mut picture = Picture::new(width, height, [9; 4]);
                assert_eq!([picture.width(), picture.height()], [width, height]);
                assert!(picture.pixels().is_empty());
                let (bindings, varyings) = (Bindings::new(), Varyings::default());
                let error = render(&shader, &bindings, &varyings, &mut picture).unwrap_err();
                let message = error.to_string();
                assert!(
                    message.ends_with("no side may be longer than 32768"),
                    "{message}"
                );
                let other = Picture::new(2, 2, [1; 4]);
                picture.paste(&other, 0, 0);
                let mut small = other.clone();
                small.paste(&picture, 1, 1);
                assert_eq!(small, other);
            }
        }
    }

    #[test]
    fn what_is_pasted_outside_of_a_picture_is_left_out() {
        for (x, y) in [
            (5, 0),
            (3, 1),
            (usize::MAX, 0),
            (0, usize::MAX),
            (usize::MAX, usize::MAX),
        ] {
            let mut picture = Picture::new(3, 2, [0; 4]);
            picture.paste(&Picture::new(2, 2, [1; 4]), x, y);
            assert_eq!(picture, Picture::new(3, 2, [0; 4]), "at ({x}, {y})");
        }
        let mut empty = Picture::new(0, 3, [0; 4]);
        empty.paste(&Picture::new(2, 2, [1; 4]), 1, 1);
        assert!(empty.pixels().is_empty());
    }
}
