//! Shading a rectangle into a picture: the plainest way from a fragment program to an image.
//!
//! Rows run from the top, and so do the y of pixels and the rows of a quad. Each quad's inputs are
//! filled in from what the program reads, a batch of quads is shaded at once, and output `o1`
//! becomes the pixels' colour.

mod varying;

use attila_isa::{Bindings, LANES, QuadIo, QuadReg, RunError, Slots, Usage};
use thiserror::Error;

use crate::Shader;
use varying::Plane;
pub use varying::{Varying, VaryingError};

/// Quads that are shaded together: enough to make calls cheap, few enough to stay in the cache.
const BATCH: usize = 64;

/// The output that holds a fragment's colour.
const COLOUR: usize = 1;

/// A picture: RGBA8, row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// A picture with every pixel of the given colour.
    pub fn new(width: usize, height: usize, colour: [u8; 4]) -> Picture {
        Picture {
            width,
            height,
            pixels: vec![colour; width * height],
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The pixels, row by row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// Copies `other` to where its upper left corner comes to `(x, y)`. What lies outside is
    /// left out.
    pub fn paste(&mut self, other: &Picture, x: usize, y: usize) {
        let width = other.width.min(self.width.saturating_sub(x));
        let height = other.height.min(self.height.saturating_sub(y));
        for row in 0..height {
            let from = &other.pixels[row * other.width..][..width];
            self.pixels[(y + row) * self.width + x..][..width].copy_from_slice(from);
        }
    }
}

/// What each input is over the rectangle.
///
/// The default shows something with simple programs: `i0` is the position in pixels
/// `(x + 0.5, y + 0.5, 0.5, 1)`, `i1` a colour gradient, and `i6` to `i15` are the texture
/// coordinates `(u, v, 0, 1)` of [`Varying`]. The others are 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Varyings {
    /// `None`: the position.
    inputs: [Option<Varying>; 16],
}

impl Default for Varyings {
    fn default() -> Self {
        let parse = |text: &str| text.parse().expect("the text is a varying");
        let gradient = parse("0.1+0.9*u, 0.2+0.7*v, 0.9-0.5*u-0.3*v, 1");
        let coordinates = parse("u, v, 0, 1");
        Varyings {
            inputs: std::array::from_fn(|index| match index {
                0 => None,
                1 => Some(gradient),
                6.. => Some(coordinates),
                _ => Some(Varying::default()),
            }),
        }
    }
}

impl Varyings {
    /// Sets input `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not below 16.
    pub fn set(&mut self, index: usize, varying: Varying) {
        self.inputs[index] = Some(varying);
    }

    /// The inputs that a program reads, over a certain picture.
    fn planes(&self, usage: &Usage, picture: &Picture) -> Vec<Interpolated> {
        let read = usage
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_empty());
        let plane = |index: usize| match &self.inputs[index] {
            Some(varying) => varying.plane(picture.width, picture.height),
            None => Plane::POSITION,
        };
        read.map(|(input, components)| Interpolated {
            input,
            components: *components,
            plane: plane(input),
        })
        .collect()
    }
}

/// An input as it is filled in.
struct Interpolated {
    input: usize,
    components: Slots,
    plane: Plane,
}

impl Interpolated {
    /// Fills in the input of the quad whose upper left pixel is `(x, y)`, at the pixels' centres.
    fn fill(&self, quad: &mut QuadIo, x: usize, y: usize) {
        let (left, top) = (x as f32 + 0.5, y as f32 + 0.5);
        for c in self.components.components().map(|slot| slot.index()) {
            quad.inputs[self.input][c] = std::array::from_fn(|lane| {
                let (right, down) = ((lane & 1) as f32, (lane >> 1) as f32);
                self.plane.value(c, left + right, top + down).to_bits()
            });
        }
    }
}

/// Why a picture could not be finished.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A pixel took more backward jumps than it may.
    #[error(
        "the jump at instruction {pc} took more than {budget} backward jumps \
         in the 2x2 pixels at ({x}, {y})"
    )]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// The budget.
        budget: u32,
        /// The left column of the quad.
        x: usize,
        /// The upper row of the quad.
        y: usize,
    },
    /// The run stopped for a reason that has nothing to do with a pixel.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RenderError {
    /// What stopped a batch whose first quad has its upper left pixel at `(x, y)`.
    fn in_batch(error: RunError, x: usize, y: usize) -> RenderError {
        if let RunError::LoopBudget { pc, quad, budget } = error {
            let x = x + 2 * quad;
            RenderError::LoopBudget { pc, budget, x, y }
        } else {
            RenderError::Run(error)
        }
    }
}

/// Shades every pixel of `picture`: `o1` becomes the colour, and killed fragments leave what was
/// there.
///
/// # Errors
///
/// The first quad that the shader could not finish. The batches before it are drawn.
pub fn render(
    shader: &Shader,
    bindings: &Bindings<'_>,
    varyings: &Varyings,
    picture: &mut Picture,
) -> Result<(), RenderError> {
    let mut quads = vec![QuadIo::default(); BATCH.min(picture.width.div_ceil(2))];
    let inputs = varyings.planes(shader.program().usage(), picture);
    for y in (0..picture.height).step_by(2) {
        for x in (0..picture.width).step_by(2 * BATCH) {
            let count = BATCH.min((picture.width - x).div_ceil(2));
            let quads = &mut quads[..count];
            for (index, quad) in quads.iter_mut().enumerate() {
                for input in &inputs {
                    input.fill(quad, x + 2 * index, y);
                }
                // A colour that nobody writes is 0, whichever quad was here before.
                quad.outputs[COLOUR] = QuadReg::default();
            }
            shader
                .run(bindings, quads)
                .map_err(|error| RenderError::in_batch(error, x, y))?;
            for (index, quad) in quads.iter().enumerate() {
                store(picture, quad, x + 2 * index, y);
            }
        }
    }
    Ok(())
}

fn store(picture: &mut Picture, quad: &QuadIo, x: usize, y: usize) {
    let killed = quad.killed();
    let components = quad.outputs[COLOUR].map(|lanes| lanes.map(to_unorm8));
    for lane in 0..LANES {
        let (x, y) = (x + (lane & 1), y + (lane >> 1));
        if x < picture.width && y < picture.height && !killed.has(lane) {
            let colour = components.map(|lanes| lanes[lane]);
            picture.pixels[y * picture.width + x] = colour;
        }
    }
}

/// A colour component as a byte: clamped to [0, 1], NaN to 1, and then 255 times it *truncated*,
/// as the original's raster operations do (isa.md 2.4).
fn to_unorm8(component: u32) -> u8 {
    let component = f32::from_bits(component);
    // Written so that a NaN fails the first comparison, and four lanes become vectors.
    let component = if component < 1.0 { component } else { 1.0 };
    let component = if component > 0.0 { component } else { 0.0 };
    (component * 255.0) as i32 as u8
}

#[cfg(test)]
mod tests {
    use attila_isa::Program;

    use super::*;
    use crate::Engine;

    const BACKGROUND: [u8; 4] = [9, 8, 7, 6];

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
    fn components_become_bytes_as_raster_operations_make_them() {
        let cases = [
            (0.0, 0),
            (-1.0, 0),
            (f32::NEG_INFINITY, 0),
            (0.999, 254),
            (1.0, 255),
            (7.0, 255),
            (f32::NAN, 255),
        ];
        for (component, byte) in cases {
            assert_eq!(to_unorm8(f32::to_bits(component)), byte, "{component}");
        }
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
        let unbound = RunError::UnboundTexture { unit: 7 };
        assert_eq!(error, Err(RenderError::Run(unbound)));
        assert_eq!(picture, Picture::new(3, 3, BACKGROUND));
    }

    #[test]
    fn a_run_away_loop_names_its_pixels() {
        let text = "again: setpgt p0, i0.x, 200\njmp p0, again\nmov o1, i0";
        let program = Program::assemble(text).unwrap().validate().unwrap();
        let shader = Engine::interp().prepare(&program).unwrap();
        let bindings = Bindings::new().with_loop_budget(3);
        let mut picture = Picture::new(256, 4, BACKGROUND);
        let error = render(&shader, &bindings, &Varyings::default(), &mut picture);
        let expected = RenderError::LoopBudget {
            pc: 1,
            budget: 3,
            x: 200,
            y: 0,
        };
        assert_eq!(error, Err(expected));
    }
}
