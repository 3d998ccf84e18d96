//! Scenes: the constants and textures that a picture is drawn with, and inputs that vary over it.

use std::ops::Range;
use std::path::Path;
pub(crate) mod picture;
pub(crate) mod samples;
pub(crate) mod textures;

use std::str::FromStr;

use crate::scene::picture::{LinearInput, VaryingError, Varyings};
use attila_scene::directives::{self, Extension};
use attila_scene::images::LineError;
use attila_shader::isa::{Bank, TEXTURE_UNITS};
use attila_shader::machine::{ErrorChain, LaneMask, StateName};
use attila_shader::texture::Textures;
use clap::CommandFactory;
use clap::error::ErrorKind;
use thiserror::Error;

use crate::Cli;
use crate::error::CliError;
use crate::input::{Draft, Loaded, warn_unread};
use crate::parameters::ParameterArgs;
use crate::report::Reporter;
use crate::scene::textures::{Fault, SettingError, TextureArgs, Unfilled, Units};
use crate::setup::{self, RegisterSetting};

/// The scene for the program of the argument `program`, as options.
#[derive(clap::Args)]
pub(crate) struct SceneArgs {
    /// Preset a constant, or an input that is the same in every pixel; may be repeated
    #[arg(
        short,
        long,
        value_name = "REG=VALUES",
        visible_aliases = ["input", "const"],
        allow_hyphen_values = true,
        requires = "program"
    )]
    set: Vec<ValueSetting>,
    /// Set an input that varies over the picture; may be repeated
    #[arg(
        long,
        value_name = "iN=SUMS",
        allow_hyphen_values = true,
        requires = "program"
    )]
    varying: Vec<VaryingSetting>,
    #[command(flatten)]
    textures: TextureArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl SceneArgs {
    /// The scene of a program's directives, and of these options.
    pub(crate) fn scene(&self, reporter: &Reporter, draft: Draft) -> Result<Scene, CliError> {
        let inputs = self.inputs()?;
        let mut scene = Scene::load(reporter, draft, &self.textures)?;
        for setting in &self.set {
            if let ValueSetting::Constant(setting) = setting {
                setting.warn_unread(&scene.loaded, reporter);
            }
        }
        let usage = scene.loaded.program.usage();
        let unread = inputs.iter().map(|setting| setting.input);
        let unread = unread.filter(|input| usage.inputs[*input].is_empty());
        warn_unread(
            &scene.loaded.name,
            reporter,
            unread.map(|input| format!("i{input}")),
        );
        for VaryingSetting { input, varying } in inputs {
            scene.varyings.set(input, varying);
        }
        Ok(scene)
    }

    /// The constants.
    pub(crate) fn constants(&self) -> Vec<RegisterSetting> {
        let constants = self.set.iter().filter_map(|setting| match setting {
            ValueSetting::Constant(setting) => Some(setting.clone()),
            ValueSetting::Input(_) => None,
        });
        constants.collect()
    }

    /// The inputs, however they are given.
    fn inputs(&self) -> Result<Vec<VaryingSetting>, CliError> {
        let mut inputs = self.varying.clone();
        for setting in &self.set {
            let ValueSetting::Input(setting) = setting else {
                continue;
            };
            let input = setting.input;
            if self.varying.iter().any(|other| other.input == input) {
                let message = format!("--set and --varying both give i{input}");
                let error = Cli::command().error(ErrorKind::ArgumentConflict, message);
                return Err(CliError::Usage(error));
            }
            inputs.push(*setting);
        }
        Ok(inputs)
    }
}

/// A constant, or an input that is the same everywhere: `c0=0.5` or `i1=1,0,0,1`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ValueSetting {
    /// `c0=0.5`.
    Constant(RegisterSetting),
    /// `i1=1,0,0,1`.
    Input(VaryingSetting),
}

impl FromStr for ValueSetting {
    type Err = SceneError;

    fn from_str(text: &str) -> Result<ValueSetting, SceneError> {
        let setting: RegisterSetting = text.parse().map_err(SceneError::Register)?;
        let all = LaneMask::all();
        match setting.directives().starts[..] {
            [] => Ok(ValueSetting::Constant(setting)),
            [
                directives::Setting {
                    quad: None,
                    lanes,
                    name: StateName::Register(reg),
                    ref words,
                    ..
                },
            ] if reg.bank() == Bank::Input && lanes == all => {
                let words = std::array::from_fn(|c| f32::from_bits(words[c][0]));
                Ok(ValueSetting::Input(VaryingSetting {
                    input: reg.index(),
                    varying: LinearInput::constant(words),
                }))
            }
            [..] => {
                let name = text.split('=').next().unwrap_or_default().trim().to_owned();
                Err(SceneError::NotDrawn { name })
            }
        }
    }
}

/// An input that varies: `i6 = 2*s, 2*t, 0, 1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct VaryingSetting {
    input: usize,
    varying: LinearInput,
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
    /// The register or its value is not right.
    #[error("{0}")]
    Register(setup::SettingError),
    /// Pixels have nothing of the kind to set.
    #[error("`{name}` varies from pixel to pixel; set a constant like `c0` or an input like `i1`")]
    NotDrawn {
        /// The register, with its lane.
        name: String,
    },
    /// The unit or input does not exist.
    #[error("`{name}` is not {letter}0 to {letter}{}", TEXTURE_UNITS - 1)]
    Name {
        /// The name as it was written.
        name: String,
        /// The first letter of names of the kind.
        letter: char,
    },
    /// The texture is not right.
    #[error(transparent)]
    Texture(#[from] SettingError),
    /// The components are not right.
    #[error(transparent)]
    Varying(#[from] VaryingError),
    /// The directive takes no value.
    #[error("`sample-shading` stands alone, without `{0}`")]
    Surplus(String),
    /// The line of an image or its sampler is not right.
    #[error("{}", .0.message)]
    Image(LineError),
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
            varying: value.parse::<LinearInput>()?,
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

/// A program, and what it is drawn with beside its constants.
pub(crate) struct Scene {
    /// The program.
    pub(crate) loaded: Loaded,
    /// The textures of the units.
    pub(crate) textures: Textures,
    /// The inputs.
    pub(crate) varyings: Varyings,
    /// Whether the program runs for each sample of a pixel.
    pub(crate) sample_shading: bool,
}

impl Scene {
    /// The scene that the directives of a program describe, but for the units that options say
    /// something else of. All that is wrong with the directives and the textures is reported.
    pub(crate) fn load(
        reporter: &Reporter,
        draft: Draft,
        options: &TextureArgs,
    ) -> Result<Scene, CliError> {
        let declared = Declared::new(reporter, &draft, options);
        let unfilled = declared.units.unfilled(draft.used_textures());
        for one in &unfilled {
            let Unfilled { unit, wanted, .. } = *one;
            let error = CliError::NoTexture { unit, wanted }.to_string();
            draft.refuse(reporter, &error, one.place.clone());
        }
        let scene = declared.load(reporter, draft)?;
        let usage = scene.loaded.program.usage();
        let unread = options.units().filter(|unit| !usage.reads_unit(*unit));
        let names = unread.map(|unit| format!("t{unit}"));
        warn_unread(&scene.loaded.name, reporter, names);
        match unfilled[..] {
            [] => Ok(scene),
            [..] => Err(CliError::Reported),
        }
    }

    /// The same for a program that is not run: units that wait for an option are no error, and are
    /// not bound.
    pub(crate) fn check(
        reporter: &Reporter,
        draft: Draft,
    ) -> Result<(Scene, Vec<Unfilled>), CliError> {
        let declared = Declared::new(reporter, &draft, &TextureArgs::default());
        let unfilled = declared.units.unfilled(draft.used_textures());
        Ok((declared.load(reporter, draft)?, unfilled))
    }
}

/// A scene as the directives of a program and options describe it.
struct Declared {
    units: Units,
    varyings: Varyings,
    sample_shading: bool,
    /// Whether all directives are right.
    all_right: bool,
}

impl Declared {
    /// All that is wrong with the directives is reported.
    fn new(reporter: &Reporter, draft: &Draft, options: &TextureArgs) -> Declared {
        let mut declared = Declared {
            units: Units::default(),
            varyings: Varyings::default(),
            sample_shading: false,
            all_right: true,
        };
        let mut errors = Vec::new();
        for directive in &draft.directives.extensions {
            let place = draft.is_assembly.then(|| directive.span.clone());
            if let Err(error) = declared.add(directive, &draft.folder, place.clone()) {
                errors.push((ErrorChain(&error).to_string(), place));
            }
        }
        declared.units.expect_images(&draft.textures);
        declared.all_right = errors.is_empty();
        draft.refuse_all(reporter, errors);
        declared.units.set(options);
        if let Ok(program) = &draft.program {
            declared.units.want(program.usage());
        }
        declared
    }

    fn add(
        &mut self,
        directive: &Extension,
        folder: &Path,
        place: Option<Range<usize>>,
    ) -> Result<(), SceneError> {
        match directive.name.as_str() {
            "texture" => self.units.declare(directive.rest.parse()?, folder, place),
            "varying" => {
                let VaryingSetting { input, varying } = directive.rest.parse()?;
                self.varyings.set(input, varying);
            }
            "sample-shading" if directive.rest.is_empty() => self.sample_shading = true,
            "sample-shading" => return Err(SceneError::Surplus(directive.rest.clone())),
            _ => {
                let read = self.units.read_image(directive, place);
                read.map_err(SceneError::Image)?;
            }
        }
        Ok(())
    }

    /// Reads the textures, and reports those that cannot be had.
    fn load(self, reporter: &Reporter, draft: Draft) -> Result<Scene, CliError> {
        let textures = self.units.load(draft.used_textures());
        for Fault { error, place } in textures.as_ref().err().into_iter().flatten() {
            draft.refuse(reporter, &ErrorChain(error).to_string(), place.clone());
        }
        match (draft.finish()?, textures, self.all_right) {
            (loaded, Ok(textures), true) => Ok(Scene {
                loaded,
                textures,
                varyings: self.varyings,
                sample_shading: self.sample_shading,
            }),
            (_, Ok(_), false) | (_, Err(_), _) => Err(CliError::Reported),
        }
    }
}
