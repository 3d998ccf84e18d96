//! What a picture is drawn with: constants, textures, and inputs that vary over it.

use std::str::FromStr;

use attila_shader::TEXTURE_UNITS;
use attila_shader::picture::{Varying, VaryingError, Varyings};
use thiserror::Error;

use crate::error::CliError;
use crate::input::Loaded;
use crate::parameters::ParameterArgs;
use crate::report::Reporter;
use crate::setup::Setting;
use crate::textures::{SettingError, TextureSetting, Units};

/// What the program of the argument `program` is drawn with, as options.
#[derive(clap::Args)]
pub(crate) struct SceneArgs {
    /// Preset a constant; may be given many times
    #[arg(
        short,
        long,
        value_name = "cN=VALUES",
        visible_alias = "const",
        allow_hyphen_values = true,
        requires = "program"
    )]
    pub(crate) set: Vec<Setting>,
    /// Set an input that varies over the picture; may be given many times
    #[arg(
        long,
        value_name = "iN=SUMS",
        allow_hyphen_values = true,
        requires = "program"
    )]
    varying: Vec<VaryingSetting>,
    /// Put an image or a pattern to a texture unit; may be given many times
    #[arg(long, value_name = "tN=FILE[,OPTIONS]", requires = "program")]
    texture: Vec<TextureSetting>,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl SceneArgs {
    /// The scene of a program's directives, and of these options.
    pub(crate) fn scene(&self, reporter: &Reporter, loaded: &Loaded) -> Result<Scene, CliError> {
        let mut scene = Scene::new(reporter, loaded, &self.texture)?;
        self.varying
            .iter()
            .for_each(|varying| scene.set_varying(*varying));
        Ok(scene)
    }
}

/// An input that varies: `i6 = 2*s, 2*t, 0, 1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct VaryingSetting {
    input: usize,
    varying: Varying,
}

/// Why a text is no texture or varying.
#[derive(Clone, PartialEq, Debug, Error)]
pub(crate) enum SceneError {
    /// There is no equals sign.
    #[error("`=` is missing; write it like `{example}`")]
    NoValue {
        /// How it is done.
        example: &'static str,
    },
    /// There is no such unit or input.
    #[error("`{name}` is not {letter}0 to {letter}15")]
    Name {
        /// What was written.
        name: String,
        /// How such names start.
        letter: char,
    },
    /// The texture is not right.
    #[error("{0}")]
    Texture(#[from] SettingError),
    /// The components are not right.
    #[error("{0}")]
    Varying(#[from] VaryingError),
}

impl FromStr for VaryingSetting {
    type Err = SceneError;

    fn from_str(text: &str) -> Result<VaryingSetting, SceneError> {
        let example = "i6 = 2*s, 2*t, 0, 1";
        let (name, value) = text
            .split_once('=')
            .ok_or(SceneError::NoValue { example })?;
        Ok(VaryingSetting {
            input: numbered(name, 'i')?,
            varying: value.parse::<Varying>()?,
        })
    }
}

/// The number of `name`, which must be a number below 16, with `letter` before it or not.
pub(crate) fn numbered(name: &str, letter: char) -> Result<usize, SceneError> {
    let name = name.trim();
    let digits = name.strip_prefix(letter).unwrap_or(name);
    let number = digits
        .parse()
        .ok()
        .filter(|n| *n < usize::from(TEXTURE_UNITS));
    number.ok_or_else(|| SceneError::Name {
        name: name.to_owned(),
        letter,
    })
}

/// What a picture is drawn with, beside its constants.
#[derive(Default)]
pub(crate) struct Scene {
    /// What the texture units hold.
    pub(crate) units: Units,
    /// The inputs.
    pub(crate) varyings: Varyings,
}

impl Scene {
    /// The scene that the directives of a program describe, but for the units that options say
    /// something else of. All that is wrong with the directives is reported.
    pub(crate) fn new(
        reporter: &Reporter,
        loaded: &Loaded,
        options: &[TextureSetting],
    ) -> Result<Scene, CliError> {
        let mut scene = Scene::default();
        let mut result = Ok(());
        for directive in &loaded.directives.extensions {
            let added = match directive.name.as_str() {
                "texture" => directive
                    .rest
                    .parse()
                    .map(|setting| scene.units.declare(setting, &loaded.folder)),
                _ => directive
                    .rest
                    .parse()
                    .map(|setting| scene.set_varying(setting)),
            };
            if let Err(error) = added {
                let (name, text) = (&loaded.name, &loaded.text);
                let span = directive.span.clone();
                result = Err(reporter.text_error(name, text, &error.to_string(), span));
            }
        }
        result?;
        options
            .iter()
            .for_each(|texture| scene.units.set(texture.clone()));
        Ok(scene)
    }

    /// Sets an input.
    fn set_varying(&mut self, setting: VaryingSetting) {
        self.varyings.set(setting.input, setting.varying);
    }
}
