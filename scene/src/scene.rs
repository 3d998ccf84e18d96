//! [`Scene`]: a program with what it is drawn with: its textures, and inputs that vary over a picture.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use crate::control::{self, Control, ControlError};
use crate::directives::{self, Extension};
use crate::error::Error;
use crate::host::Host;
use crate::line::LineError;
use crate::names::ByName;
use crate::notice::Notice;
use crate::setting::{RegisterError, RegisterSetting, bind, merge};
use crate::source::{Draft, Loaded, warn_unread};
use crate::textures::{Fault, TextureOptions, TextureSettingError, Unfilled, Units};
use crate::varying::{LinearInput, VaryingError, Varyings};
use attila_shader::draw::{ColourImage, Draw};
use attila_shader::isa::{Bank, TEXTURE_UNITS};
use attila_shader::machine::{ErrorChain, LaneMask, StateName};
use attila_shader::texture::Textures;
use attila_shader::{Bindings, DrawError, Engine, PrepareError, Shader};

/// Directives about pictures.
pub(crate) const EXTENSIONS: [&str; 7] = [
    "texture",
    "varying",
    "sample-shading",
    control::DIRECTIVES[0].0,
    control::DIRECTIVES[1].0,
    control::DIRECTIVES[2].0,
    control::DIRECTIVES[3].0,
];

/// A constant, or an input that is the same everywhere: `c0=0.5` or `i1=1,0,0,1`.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueSetting {
    /// `c0=0.5`.
    Constant(RegisterSetting),
    /// `i1=1,0,0,1`.
    Input(VaryingSetting),
}

impl FromStr for ValueSetting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<ValueSetting, SettingError> {
        let setting: RegisterSetting = text.parse().map_err(SettingError::Register)?;
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
                Err(SettingError::NotDrawn { name })
            }
        }
    }
}

/// An input that varies: `i6 = 2*s, 2*t, 0, 1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VaryingSetting {
    /// The input's number.
    pub input: usize,
    /// Its values.
    pub varying: LinearInput,
}

/// Why a text is no texture or varying.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no equals sign.
    #[error("`=` is missing; write it like `{example}`")]
    NoValue {
        /// How it is done.
        example: &'static str,
    },
    /// The register or its value is not right.
    #[error("{0}")]
    Register(RegisterError),
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
    /// A model has no such part.
    #[error("`{0}` is not position, normal, color or texcoord")]
    Attribute(String),
    /// The texture is not right.
    #[error(transparent)]
    Texture(#[from] TextureSettingError),
    /// The components are not right.
    #[error(transparent)]
    Varying(#[from] VaryingError),
    /// The directive takes no value.
    #[error("`sample-shading` stands alone, without `{0}`")]
    Surplus(String),
    /// The control is not right.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The line of an image or its sampler is not right.
    #[error("{}", .0.message)]
    Image(LineError),
}

impl FromStr for VaryingSetting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<VaryingSetting, SettingError> {
        let example = "i6 = 2*s, 2*t, 0, 1";
        let (name, value) = text
            .split_once('=')
            .ok_or(SettingError::NoValue { example })?;
        Ok(VaryingSetting {
            input: numbered(name, 'i')?,
            varying: value.parse::<LinearInput>()?,
        })
    }
}

/// The number of `name`, which must be a number below 16, with `letter` before it or not.
pub(crate) fn numbered(name: &str, letter: char) -> Result<usize, SettingError> {
    let name = name.trim();
    let digits = name.strip_prefix(letter).unwrap_or(name);
    let number = digits
        .parse()
        .ok()
        .filter(|n| *n < usize::from(TEXTURE_UNITS));
    number.ok_or_else(|| SettingError::Name {
        name: name.to_owned(),
        letter,
    })
}

/// A program, and what it is drawn with beside its constants.
#[non_exhaustive]
pub struct Scene {
    /// The program.
    pub loaded: Loaded,
    /// The textures of the units.
    pub textures: Textures,
    /// The inputs.
    pub varyings: Varyings,
    /// Whether the program runs for each sample of a pixel.
    pub sample_shading: bool,
    /// Constants that a page lets its readers change, or changes itself.
    pub controls: Vec<Control>,
    /// Messages about it, unless a host has heard them.
    pub warnings: Vec<Notice>,
}

/// Why a scene is not drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawSceneError {
    /// The engine cannot run the program.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl Scene {
    /// The constants, buffers and textures.
    pub fn bindings(&self) -> Bindings<'_> {
        let bindings = Bindings::new().with_textures(&self.textures);
        bind(&self.loaded.directives, bindings)
    }

    /// Makes the program ready.
    ///
    /// # Errors
    ///
    /// The engine cannot run it.
    pub fn shader(&self, engine: &Engine) -> Result<Shader, PrepareError> {
        engine.prepare(&self.loaded.program)
    }

    /// Draws over the whole of an image: `o1` becomes the colour, and killed fragments leave what was there.
    ///
    /// # Errors
    ///
    /// The program cannot be run, or not drawn.
    pub fn draw(&self, engine: &Engine, image: &mut ColourImage) -> Result<(), DrawSceneError> {
        let shader = self.shader(engine)?;
        let size = [image.width(), image.height()];
        let bindings = self.bindings();
        let draw = self.draw_on(Draw::new(&shader), size);
        let draw = draw.bindings(&bindings).target(0, image);
        draw.rect(0..size[0], 0..size[1])?;
        Ok(())
    }

    /// Makes a draw with [the shader](Scene::shader) one of the scene, in a picture of so many columns and rows: it
    /// gets the inputs and runs for each sample if the program asks for that. The rest is the caller's, such as
    /// [bindings](Scene::bindings), targets, threads and [a tile of the picture](Draw::origin).
    #[must_use]
    pub fn draw_on<'a>(&self, draw: Draw<'a>, [width, height]: [u32; 2]) -> Draw<'a> {
        let draw = draw.sample_shading(self.sample_shading);
        self.varyings.set_on(draw, width as usize, height as usize)
    }

    /// Sets a constant or an input, in place of what the program says. The host hears of those that it does not read.
    pub fn set(&mut self, host: &dyn Host, value: &ValueSetting) {
        match value {
            ValueSetting::Constant(setting) => {
                setting.warn_unread(&self.loaded, host);
                let directives = std::mem::take(&mut self.loaded.directives);
                self.loaded.directives = merge(directives, setting.directives());
            }
            ValueSetting::Input(VaryingSetting { input, varying }) => {
                let is_read = !self.loaded.program.usage().inputs[*input].is_empty();
                let unread = (!is_read).then(|| format!("i{input}"));
                warn_unread(&self.loaded.name, host, unread.into_iter());
                self.varyings.set(*input, *varying);
            }
        }
    }

    /// A setting by the names that the program's text has for its registers.
    ///
    /// # Errors
    ///
    /// There is no such name.
    pub fn named<T>(&self, setting: &ByName<T>) -> Result<T, Error>
    where
        T: FromStr<Err: fmt::Display> + Clone,
    {
        let named = setting.of(&self.loaded.names);
        named.map_err(|source| Error::Name {
            name: self.loaded.name.clone(),
            source,
        })
    }

    /// The scene that the directives of a program describe, but for the units that options say
    /// something else of. All that is wrong with the directives and the textures is reported.
    pub fn load(host: &dyn Host, draft: Draft, options: &TextureOptions) -> Result<Scene, Error> {
        let declared = Declared::new(host, &draft, options);
        let unfilled = declared.units.unfilled(draft.used_textures());
        let errors = unfilled.iter().map(|one| {
            let Unfilled { unit, wanted, .. } = *one;
            let error = Error::NoTexture { unit, wanted }.to_string();
            (error, one.place.clone())
        });
        draft.refuse(host, errors.collect());
        let scene = declared.load(host, draft)?;
        let usage = scene.loaded.program.usage();
        let units = options.settings.iter().map(|setting| setting.unit);
        let units = units.chain(options.bound.keys().copied());
        let unread = units.filter(|unit| !usage.reads_unit(*unit));
        let names = unread.map(|unit| format!("t{unit}"));
        warn_unread(&scene.loaded.name, host, names);
        match unfilled[..] {
            [] => Ok(scene),
            [..] => Err(Error::Reported),
        }
    }

    /// The same for a program that is not run: units that wait for an option are no error, and are
    /// not bound.
    pub fn check(host: &dyn Host, draft: Draft) -> Result<(Scene, Vec<Unfilled>), Error> {
        let declared = Declared::new(host, &draft, &TextureOptions::default());
        let unfilled = declared.units.unfilled(draft.used_textures());
        Ok((declared.load(host, draft)?, unfilled))
    }
}

/// A scene as the directives of a program and options describe it.
struct Declared {
    units: Units,
    varyings: Varyings,
    sample_shading: bool,
    controls: Vec<Control>,
    /// Whether all directives are right.
    all_right: bool,
}

impl Declared {
    /// All that is wrong with the directives is reported.
    fn new(host: &dyn Host, draft: &Draft, options: &TextureOptions) -> Declared {
        let mut declared = Declared {
            units: Units::default(),
            varyings: Varyings::default(),
            sample_shading: draft.translated.runs_for_samples,
            controls: Vec::new(),
            all_right: true,
        };
        let mut errors = Vec::new();
        for directive in &draft.directives.extensions {
            let place = draft.is_assembly.then(|| directive.span.clone());
            if let Err(error) = declared.add(directive, &draft.folder, place.clone()) {
                errors.push((ErrorChain(&error).to_string(), place));
            }
        }
        declared.units.expect_images(&draft.translated.textures);
        declared.all_right = errors.is_empty();
        draft.refuse(host, errors);
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
    ) -> Result<(), SettingError> {
        match directive.name.as_str() {
            "texture" => self.units.declare(directive.rest.parse()?, folder, place),
            "varying" => {
                let VaryingSetting { input, varying } = directive.rest.parse()?;
                self.varyings.set(input, varying);
            }
            "sample-shading" if directive.rest.is_empty() => self.sample_shading = true,
            "sample-shading" => return Err(SettingError::Surplus(directive.rest.clone())),
            name => match Control::read(name, &directive.rest) {
                Some(control) => self.controls.push(control?),
                None => {
                    let read = self.units.read_image(directive, place);
                    read.map_err(SettingError::Image)?;
                }
            },
        }
        Ok(())
    }

    /// Reads the textures, and reports those that cannot be had.
    fn load(self, host: &dyn Host, draft: Draft) -> Result<Scene, Error> {
        let textures = self.units.load(draft.used_textures(), host);
        let faults = textures.as_ref().err().into_iter().flatten();
        let errors = faults.map(|Fault { error, place }| {
            let error = ErrorChain(error).to_string();
            (error, place.clone())
        });
        draft.refuse(host, errors.collect());
        match (draft.finish()?, textures, self.all_right) {
            (loaded, Ok(textures), true) => Ok(Scene {
                loaded,
                textures,
                varyings: self.varyings,
                sample_shading: self.sample_shading,
                controls: self.controls,
                warnings: Vec::new(),
            }),
            (_, Ok(_), false) | (_, Err(_), _) => Err(Error::Reported),
        }
    }
}
