//! What a picture is drawn with: constants, textures, and inputs that vary over it.

use std::collections::BTreeMap;
use std::str::FromStr;

use attila_shader::directives::Directives;
use attila_shader::texture::Filter;
use attila_shader::{
    BuiltinTextures, Pattern, TEXTURE_UNITS, UnknownPattern, Varying, VaryingError, Varyings,
};
use thiserror::Error;

use crate::error::CliError;
use crate::report::Reporter;

/// A built-in texture for a unit: `t0 = checker` or `t0 = checker nearest`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextureSetting {
    unit: usize,
    pattern: Pattern,
    filter: Filter,
}

/// An input that varies: `i6 = 2*s, 2*t, 0, 1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct VaryingSetting {
    input: usize,
    varying: Varying,
}

/// Why a text is no texture or varying.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
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
    /// There is no such pattern.
    #[error("{source}; there are {}", patterns())]
    Pattern {
        /// What was asked for.
        source: UnknownPattern,
    },
    /// There is no such filter.
    #[error("`{0}` is not a filter: nearest or linear")]
    Filter(String),
    /// The components are not right.
    #[error("{0}")]
    Varying(#[from] VaryingError),
}

fn patterns() -> String {
    Pattern::ALL.map(Pattern::name).join(", ")
}

impl FromStr for TextureSetting {
    type Err = SceneError;

    fn from_str(text: &str) -> Result<TextureSetting, SceneError> {
        let example = "t0 = checker";
        let (name, value) = text
            .split_once('=')
            .ok_or(SceneError::NoValue { example })?;
        let mut words = value.split_whitespace();
        let pattern = words.next().unwrap_or_default().parse();
        let filter = match words.collect::<Vec<_>>().join(" ").as_str() {
            "" | "linear" => Filter::Linear,
            "nearest" => Filter::Nearest,
            other => return Err(SceneError::Filter(other.to_owned())),
        };
        Ok(TextureSetting {
            unit: numbered(name, 't')?,
            pattern: pattern.map_err(|source| SceneError::Pattern { source })?,
            filter,
        })
    }
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

/// The number of `name`, which must be `letter` and a number below 16.
fn numbered(name: &str, letter: char) -> Result<usize, SceneError> {
    let name = name.trim();
    let digits = name.strip_prefix(letter).unwrap_or_default();
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
    /// What replaces the textures that units hold by default.
    textures: BTreeMap<usize, (Pattern, Filter)>,
    /// The inputs.
    pub(crate) varyings: Varyings,
}

impl Scene {
    /// The scene that the directives of `text` describe. All that is wrong with it is reported.
    pub(crate) fn new(
        reporter: &Reporter,
        name: &str,
        text: &str,
        directives: &Directives,
    ) -> Result<Scene, CliError> {
        let mut scene = Scene::default();
        let mut result = Ok(());
        for directive in &directives.extensions {
            let added = match directive.name.as_str() {
                "texture" => directive
                    .rest
                    .parse()
                    .map(|setting| scene.set_texture(setting)),
                _ => directive
                    .rest
                    .parse()
                    .map(|setting| scene.set_varying(setting)),
            };
            if let Err(error) = added {
                let span = directive.span.clone();
                result = Err(reporter.text_error(name, text, &error.to_string(), span));
            }
        }
        result.map(|()| scene)
    }

    /// Puts a texture to a unit.
    pub(crate) fn set_texture(&mut self, setting: TextureSetting) {
        let TextureSetting {
            unit,
            pattern,
            filter,
        } = setting;
        self.textures.insert(unit, (pattern, filter));
    }

    /// Sets an input.
    pub(crate) fn set_varying(&mut self, setting: VaryingSetting) {
        self.varyings.set(setting.input, setting.varying);
    }

    /// The textures at all units.
    pub(crate) fn textures(&self) -> BuiltinTextures {
        let set = self.textures.iter();
        set.fold(
            BuiltinTextures::default(),
            |textures, (unit, (pattern, filter))| textures.with(*unit, *pattern, *filter),
        )
    }
}
