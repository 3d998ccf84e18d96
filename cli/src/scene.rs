//! The scene that a program is drawn in, as options.

use attila_scene::setting::RegisterSetting;
use attila_scene::source::{Draft, warn_unread};
use attila_scene::textures::{DEFAULT_LIMIT, TextureOptions, TextureSetting};
use attila_scene::{Scene, ValueSetting, VaryingSetting};
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::Cli;
use crate::error::CliError;
use crate::number;
use crate::parameters::ParameterArgs;
use crate::report::Reporter;

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
        let mut scene = Scene::load(reporter, draft, &self.textures.options())?;
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

/// Options for texture units, of a command with the argument `program`.
#[derive(clap::Args)]
pub(crate) struct TextureArgs {
    /// Bind an image or a pattern to a texture unit: FILE, 1d:FILE with one row, 3d:FILE*N with N slices, cube:FILE with six
    /// faces or cube: and six files; may be repeated
    #[arg(long, value_name = "tN=FILE[,OPTIONS]", requires = "program")]
    texture: Vec<TextureSetting>,
    /// The memory limit for all textures together, in MiB, including levels and decoded texels
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = DEFAULT_LIMIT,
        value_parser = number::within::<u64>(1, 1 << 20),
        allow_negative_numbers = true
    )]
    texture_memory: u64,
}

impl TextureArgs {
    /// The options of the scene.
    pub(crate) fn options(&self) -> TextureOptions {
        TextureOptions {
            settings: self.texture.clone(),
            memory: self.texture_memory,
        }
    }
}
