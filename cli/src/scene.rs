//! The scene that a program is drawn in, as options.

use attila_scene::source::Draft;
use attila_scene::textures::{DEFAULT_LIMIT, TextureOptions, TextureSetting};
use attila_scene::{ByName, Scene, ValueSetting, VaryingSetting};
use clap::error::ErrorKind;

use crate::error::CliError;
use crate::number;
use crate::parameters::ParameterArgs;
use crate::report::Reporter;

/// The scene for the program of the argument `program`, as options.
#[derive(clap::Args)]
pub(crate) struct SceneArgs {
    /// Preset a constant, or an input that is the same in every pixel: a register, or what the text calls so, such as
    /// `fc0`, `program.local[0]` or a name that it declares; may be repeated
    #[arg(
        short,
        long,
        value_name = "REG=VALUES",
        visible_aliases = ["input", "const"],
        allow_hyphen_values = true,
        requires = "program"
    )]
    pub(crate) set: Vec<ByName<ValueSetting>>,
    /// Set an input that varies over the picture, such as `i6` or `fragment.texcoord[0]`; may be repeated
    #[arg(
        long,
        value_name = "REG=SUMS",
        allow_hyphen_values = true,
        requires = "program"
    )]
    pub(crate) varying: Vec<ByName<VaryingSetting>>,
    #[command(flatten)]
    pub(crate) textures: TextureArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

impl SceneArgs {
    /// The scene of a program's directives, and of these options.
    pub(crate) fn scene(&self, reporter: &Reporter, draft: Draft) -> Result<Scene, CliError> {
        let mut scene = Scene::load(reporter, draft, &self.textures.options())?;
        let set = self.set.iter().map(|setting| scene.named(setting));
        let set = set.collect::<Result<Vec<ValueSetting>, _>>()?;
        let varying = self.varying.iter().map(|setting| scene.named(setting));
        let varying = varying.collect::<Result<Vec<VaryingSetting>, _>>()?;
        check(&set, &varying)?;
        let varying = varying.into_iter().map(ValueSetting::Input);
        for setting in set.into_iter().chain(varying) {
            scene.set(reporter, &setting);
        }
        Ok(scene)
    }
}

/// Refuses inputs that are given in two ways.
fn check(set: &[ValueSetting], varying: &[VaryingSetting]) -> Result<(), CliError> {
    for setting in set {
        if let ValueSetting::Input(VaryingSetting { input, .. }) = setting
            && varying.iter().any(|other| other.input == *input)
        {
            let message = format!("--set and --varying both give i{input}");
            return Err(CliError::usage(ErrorKind::ArgumentConflict, message));
        }
    }
    Ok(())
}

/// Options for texture units, of a command with the argument `program`.
#[derive(Clone, clap::Args)]
pub(crate) struct TextureArgs {
    /// Bind an image or a pattern to a texture unit, or to what the text calls so, such as `texture[0]`, `SAMP[0]` or `fs0`:
    /// FILE, 1d:FILE with one row, 3d:FILE*N with N slices, cube:FILE with six faces or cube: and six files; may be
    /// repeated
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
            ..TextureOptions::default()
        }
    }
}
