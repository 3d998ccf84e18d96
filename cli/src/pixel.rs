//! A pixel of a picture that is looked at.

use std::str::FromStr;

use attila_scene::Scene;
use attila_scene::mesh::MeshScene;
use attila_shader::draw::{History, Watch};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Engine};
use clap::error::ErrorKind;
use thiserror::Error;

use crate::engines;
use crate::error::CliError;
use crate::mesh;
use crate::render::Size;
use crate::samples::Samples;

/// The pixels before the draw.
const BACKGROUND: [u8; 4] = [0, 0, 0, 255];

/// A pixel, by its column and row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pixel(pub(crate) [u32; 2]);

/// Why a text is no pixel.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 320,240: a column and a row")]
pub(crate) struct PixelError;

impl FromStr for Pixel {
    type Err = PixelError;

    fn from_str(text: &str) -> Result<Pixel, PixelError> {
        let (x, y) = text.split_once(',').ok_or(PixelError)?;
        let number = |text: &str| text.trim().parse().map_err(|_| PixelError);
        Ok(Pixel([number(x)?, number(y)?]))
    }
}

impl Pixel {
    /// The one in the middle of a picture.
    #[cfg(feature = "debug")]
    pub(crate) fn middle(size: Size) -> Pixel {
        Pixel(size.sides().map(|side| side / 2))
    }

    /// Refuses one that is not in a picture.
    pub(crate) fn check(self, size: Size) -> Result<Pixel, CliError> {
        let Pixel([x, y]) = self;
        if x < size.width && y < size.height {
            return Ok(self);
        }
        let message = format!("pixel {x},{y} is not in the picture of {size} pixels");
        Err(CliError::usage(ErrorKind::ValueValidation, message))
    }

    /// Its history in a scene, with at least one fragment.
    pub(crate) fn history(
        self,
        (scene, mesh): (&Scene, Option<&MeshScene>),
        samples: Samples,
        bindings: &Bindings<'_>,
        size: Size,
    ) -> Result<History, CliError> {
        let Pixel([x, y]) = self;
        let shader = engines::prepare(&Engine::interp(), &scene.loaded.program)?;
        // A tile of the picture is enough: the quad.
        let quad = Size {
            width: 2,
            height: 2,
        };
        let mut image = samples.image(ColourFormat::Rgba8, quad)?;
        image.fill(BACKGROUND);
        let watch = Watch::new([x, y]);
        let draw = samples.draw(scene, &shader, size).bindings(bindings);
        let draw = draw.target(0, &mut image).watch(&watch);
        let corner = [x & !1, y & !1].map(u32::cast_signed);
        let draw = draw.origin(corner, size.sides());
        let drawn = mesh::draw(draw, mesh, &Engine::interp(), (samples, quad, size))?;
        drawn.map_err(|source| CliError::Render {
            name: scene.loaded.name.clone(),
            source,
        })?;
        let history = watch.history();
        match history.fragments.is_empty() {
            false => Ok(history),
            true => Err(CliError::Uncovered { pixel: [x, y] }),
        }
    }
}
