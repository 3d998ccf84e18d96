//! The samples of a picture's pixels, as options.

use attila_scene::Scene;
use attila_shader::Shader;
use attila_shader::draw::{ColourImage, DepthImage, Draw};
use attila_shader::machine::pipeline::{ColourFormat, DepthFormat};
use attila_shader::machine::{SAMPLE_RANGE, SampleCount, SamplePositions};
use clap::error::ErrorKind;

use crate::error::CliError;
use crate::render::Size;

/// The samples of pixels, as options.
#[derive(clap::Args)]
pub(crate) struct SampleArgs {
    /// Samples of a pixel: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_negative_numbers = true)]
    samples: SampleCount,
    /// Run the program for each sample, with inputs at its position, instead of once for the pixel
    #[arg(long)]
    sample_shading: bool,
    /// Place the samples: one X,Y for each, in sixteenths of a pixel from its centre, -8 to 7, x to the
    /// right and y down, with colons between, as in --positions=-4,-4:4,4 [default: standard positions]
    #[arg(
        long,
        value_name = "X,Y:...",
        allow_hyphen_values = true,
        value_parser = positions
    )]
    positions: Option<Positions>,
}

impl SampleArgs {
    /// The samples of a picture.
    ///
    /// # Errors
    ///
    /// There are other numbers of positions and samples.
    pub(crate) fn samples(&self) -> Result<Samples, CliError> {
        let count = self.samples.count();
        if let Some(Positions(positions)) = &self.positions
            && positions.len() != count
        {
            let message = format!(
                "--positions has {}, --samples {count}; write one position for each sample",
                positions.len()
            );
            return Err(CliError::usage(ErrorKind::ValueValidation, message));
        }
        let positions = self.positions.as_ref();
        Ok(Samples {
            positions: positions
                .and_then(|Positions(positions)| SamplePositions::new(positions))
                .unwrap_or(SamplePositions::standard(self.samples)),
            shading: self.sample_shading,
        })
    }
}

/// The samples of a picture's pixels.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Samples {
    positions: SamplePositions,
    /// The program runs for each.
    shading: bool,
}

impl Samples {
    /// Their number.
    pub(crate) fn count(&self) -> SampleCount {
        self.positions.count()
    }

    /// True if the program runs for each sample.
    pub(crate) fn shading(&self) -> bool {
        self.shading
    }

    /// The same, each shaded by a run of its own if a program asks for that.
    pub(crate) fn with_shading(self, asked: bool) -> Samples {
        Samples {
            shading: self.shading || asked,
            ..self
        }
    }

    /// The draw of a scene into an image that has as many.
    pub(crate) fn draw<'a>(&self, scene: &Scene, shader: &Shader, picture: Size) -> Draw<'a> {
        let draw = Draw::new(shader).sample_positions(self.positions.positions());
        let draw = scene.draw_on(draw, picture.sides());
        draw.sample_shading(self.shading)
    }

    /// Depths as far away as can be, for the pixels of a picture.
    pub(crate) fn depths(&self, size: Size) -> DepthImage {
        let Size { width, height } = size;
        let mut depth = DepthImage::multisampled(DepthFormat::D32F, width, height, self.count());
        depth.fill(1.0_f32);
        depth
    }

    /// An image that has as many.
    ///
    /// # Errors
    ///
    /// There is no memory for it and the file that is made of it.
    pub(crate) fn image(&self, format: ColourFormat, size: Size) -> Result<ColourImage, CliError> {
        let Size { width, height } = size;
        let image = ColourImage::multisampled(format, width, height, self.count());
        let mut file: Vec<u8> = Vec::new();
        if !image.bytes().is_empty() && file.try_reserve(image.bytes().len()).is_ok() {
            return Ok(image);
        }
        let samples = match self.count().count() {
            1 => String::new(),
            count => format!(" with {count} samples each"),
        };
        Err(CliError::Memory {
            width,
            height,
            samples,
        })
    }
}

/// Positions as they are written.
#[derive(Clone, Debug)]
struct Positions(Vec<[i8; 2]>);

/// The number of samples that a text says.
fn count(text: &str) -> Result<SampleCount, String> {
    let count = text.parse().ok().and_then(SampleCount::of);
    count.ok_or_else(|| "a pixel has 1, 2, 4, 8 or 16 samples".to_owned())
}

fn positions(text: &str) -> Result<Positions, String> {
    let positions = text.split(':').map(position);
    positions.collect::<Result<_, String>>().map(Positions)
}

fn position(text: &str) -> Result<[i8; 2], String> {
    let [least, greatest] = SAMPLE_RANGE;
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let numbers = text.split_once(',').map(|(x, y)| [number(x), number(y)]);
    let Some([Some(x), Some(y)]) = numbers else {
        return Err(format!(
            "`{text}` is not a position; write two whole numbers, like -2,6"
        ));
    };
    let sixteenths = |number: i64| {
        let number = i8::try_from(number).ok();
        number.filter(|number| (least..=greatest).contains(number))
    };
    match [x, y].map(sixteenths) {
        [Some(x), Some(y)] => Ok([x, y]),
        [_, None] | [None, _] => Err(format!(
            "`{text}` is outside of the pixel; both numbers are from {least} to {greatest}"
        )),
    }
}
