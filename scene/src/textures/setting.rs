//! `t0 = wall.png, mips, wrap=mirror`: a texture for a unit, as options and directives say it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use attila_shader::front;
use attila_shader::isa::TextureShape;
use attila_shader::texture::{CUBE_FACES, Dimension, MAX_SIZE};
use attila_shader::texture::{Pattern, UnknownPattern};
use thiserror::Error;

use super::arrangement::Arrangement;
use super::file::TextureError;
use super::options::{Options, OptionsError};
use crate::error::Error;
use crate::scene::{SettingError, numbered};

/// A texture for a unit.
#[derive(Clone, PartialEq, Debug)]
pub struct TextureSetting {
    /// The unit.
    pub unit: usize,
    pub(super) source: Source,
    pub(super) options: Options,
}

/// Where the texels come from.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Source {
    /// They are computed.
    Pattern(Pattern),
    /// A picture, or a DDS file, and the image that it is to be.
    File(PathBuf, Arrangement),
    /// Six pictures: +X, -X, +Y, -Y, +Z, -Z.
    Cube(Vec<PathBuf>),
    /// An option is to say; the program only tells what it needs.
    Wanted(Dimension),
}

/// Why a text is no texture for a unit.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TextureSettingError {
    /// Nothing follows the equals sign.
    #[error("a file or a pattern is missing; write it like `t0 = wall.png, mips`")]
    NoSource,
    /// The pattern does not exist.
    #[error(
        "{0}; there are {patterns}; a file has a dot or a slash in its name",
        patterns = patterns()
    )]
    Pattern(UnknownPattern),
    /// Too few pictures, or too many.
    #[error(
        "a cube has {CUBE_FACES} faces, +x, -x, +y, -y, +z and -z, in as many files or in one, not {0}"
    )]
    Faces(usize),
    /// A number of slices that no image has.
    #[error("`{0}` is not a number of slices; it has to be at least 1 and at most {MAX_SIZE}")]
    Slices(String),
    /// An option is not right.
    #[error(transparent)]
    Option(#[from] OptionsError),
}

fn patterns() -> String {
    Pattern::ALL.map(Pattern::name).join(", ")
}

impl TextureSetting {
    /// What a translated text says of a unit, unless every 2D image would do.
    pub(crate) fn of(texture: &front::Texture) -> Option<TextureSetting> {
        let unit = texture.unit as usize;
        let pattern = *Pattern::ALL.get(unit).unwrap_or(&Pattern::White);
        let mut setting = TextureSetting::pattern(unit, pattern);
        match texture.shape {
            TextureShape::D2 => setting.options = texture.sampler?.into(),
            TextureShape::D1 => setting.source = Source::Wanted(Dimension::D1),
            TextureShape::D3 => setting.source = Source::Wanted(Dimension::D3),
            TextureShape::Cube => setting.source = Source::Wanted(Dimension::Cube),
            TextureShape::Rect => setting.options.texels = true,
            TextureShape::Buffer
            | TextureShape::D1Array
            | TextureShape::D2Array
            | TextureShape::CubeArray
            | TextureShape::D2Ms
            | TextureShape::D2MsArray => return None,
        }
        Some(setting)
    }

    /// The content of a unit without a setting.
    pub(super) fn pattern(unit: usize, pattern: Pattern) -> TextureSetting {
        TextureSetting {
            unit,
            source: Source::Pattern(pattern),
            options: Options::default(),
        }
    }

    /// The content of a unit that only an option can give.
    pub(super) fn wanted(unit: usize, dimension: Dimension) -> TextureSetting {
        TextureSetting {
            unit,
            source: Source::Wanted(dimension),
            options: Options::default(),
        }
    }

    /// An error about the texture.
    pub(super) fn failed(&self, name: &str, source: TextureError) -> Error {
        Error::Texture {
            unit: self.unit,
            name: name.to_owned(),
            source,
        }
    }

    /// An error about one of its files.
    pub(super) fn failed_file(&self, path: &Path, source: TextureError) -> Error {
        self.failed(&path.display().to_string(), source)
    }

    /// The same with files that are sought in `folder`.
    pub(super) fn within(mut self, folder: &Path) -> TextureSetting {
        match &mut self.source {
            Source::File(path, _) => *path = folder.join(&*path),
            Source::Cube(paths) => paths
                .iter_mut()
                .for_each(|path| *path = folder.join(&*path)),
            Source::Pattern(_) | Source::Wanted(_) => {}
        }
        self
    }
}

impl Source {
    /// The image's dimension, where it is known without reading a file.
    pub(super) fn dimension(&self) -> Option<Dimension> {
        match self {
            Source::Pattern(_) => Some(Dimension::D2),
            Source::File(_, Arrangement::Plain) => None,
            Source::File(_, Arrangement::Row) => Some(Dimension::D1),
            Source::File(_, Arrangement::Slices(_)) => Some(Dimension::D3),
            Source::File(_, Arrangement::Faces) | Source::Cube(_) => Some(Dimension::Cube),
            Source::Wanted(dimension) => Some(*dimension),
        }
    }

    fn new(first: &str) -> Result<Source, TextureSettingError> {
        if let Some(name) = first.strip_prefix("builtin:") {
            return pattern(name);
        }
        if let Some(row) = first.strip_prefix("1d:") {
            return arranged(row, Arrangement::Row);
        }
        if let Some(file) = first.strip_prefix("3d:") {
            return slices(file);
        }
        match first {
            "" => Err(TextureSettingError::NoSource),
            "1d" => Ok(Source::Wanted(Dimension::D1)),
            "2d" => Ok(Source::Wanted(Dimension::D2)),
            "3d" => Ok(Source::Wanted(Dimension::D3)),
            "cube" => Ok(Source::Wanted(Dimension::Cube)),
            file if is_file(file) => arranged(file, Arrangement::Plain),
            name => pattern(name),
        }
    }
}

/// The unit with a name: `t0`, or what texts call it in ARB, TGSI and AGAL.
fn unit(name: &str) -> Result<usize, SettingError> {
    let name = name.trim();
    let mut lists = ["texture[", "SAMP[", "SVIEW["].into_iter();
    let listed = lists.find_map(|list| name.strip_prefix(list)?.strip_suffix(']'));
    let mut letters = ["fs", "vs"].into_iter();
    let lettered = letters.find_map(|letters| name.strip_prefix(letters));
    numbered(listed.or(lettered).unwrap_or(name), 't')
}

/// Patterns have neither dots nor slashes in their names.
fn is_file(text: &str) -> bool {
    text.contains(['.', '/', '\\'])
}

fn arranged(file: &str, arrangement: Arrangement) -> Result<Source, TextureSettingError> {
    match file.trim() {
        "" => Err(TextureSettingError::NoSource),
        file => Ok(Source::File(PathBuf::from(file), arrangement)),
    }
}

/// `FILE*N`, or a file that says itself how many slices it has.
fn slices(text: &str) -> Result<Source, TextureSettingError> {
    let numbered = text.rsplit_once('*');
    let Some((file, number)) = numbered else {
        return arranged(text, Arrangement::Slices(None));
    };
    let slices = number.trim().parse().ok();
    let slices = slices.filter(|slices| (1..=MAX_SIZE).contains(slices));
    let slices = slices.ok_or_else(|| TextureSettingError::Slices(number.trim().to_owned()))?;
    arranged(file, Arrangement::Slices(Some(slices)))
}

fn pattern(name: &str) -> Result<Source, TextureSettingError> {
    let known = name.trim().parse();
    known
        .map(Source::Pattern)
        .map_err(TextureSettingError::Pattern)
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Pattern(pattern) => write!(f, "{pattern}"),
            Source::File(path, _) => write!(f, "{}", path.display()),
            Source::Cube(paths) => write!(f, "the cube from {}", paths[0].display()),
            Source::Wanted(dimension) => write!(f, "{dimension:?}"),
        }
    }
}

/// As it is read.
impl fmt::Display for TextureSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{} = ", self.unit)?;
        match &self.source {
            Source::Pattern(pattern) => write!(f, "{pattern}")?,
            Source::File(path, arrangement) => {
                let path = path.display();
                match arrangement {
                    Arrangement::Plain => write!(f, "{path}")?,
                    Arrangement::Row => write!(f, "1d:{path}")?,
                    Arrangement::Slices(None) => write!(f, "3d:{path}")?,
                    Arrangement::Slices(Some(slices)) => write!(f, "3d:{path}*{slices}")?,
                    Arrangement::Faces => write!(f, "cube:{path}")?,
                }
            }
            Source::Cube(paths) => {
                let paths = paths.iter().map(|path| path.display().to_string());
                write!(f, "cube:{}", paths.collect::<Vec<_>>().join(","))?;
            }
            Source::Wanted(dimension) => {
                f.write_str(
                    &format!("{dimension:?}")
                        .trim_start_matches('D')
                        .to_lowercase(),
                )?;
                f.write_str(if *dimension == Dimension::Cube {
                    ""
                } else {
                    "d"
                })?;
            }
        }
        write!(f, "{}", self.options)
    }
}

impl FromStr for TextureSetting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<TextureSetting, SettingError> {
        let example = "t0 = checker";
        let (name, value) = text
            .split_once('=')
            .ok_or(SettingError::NoValue { example })?;
        let unit = unit(name)?;
        let (source, options) = parse(value)?;
        Ok(TextureSetting {
            unit,
            source,
            options,
        })
    }
}

fn parse(value: &str) -> Result<(Source, Options), TextureSettingError> {
    let (value, is_cube) = match value.trim().strip_prefix("cube:") {
        Some(rest) => (rest, true),
        None => (value.trim(), false),
    };
    let mut parts: Vec<&str> = value.split(',').map(str::trim).collect();
    let mut options = Options::default();
    if is_cube {
        let first = parts.iter().position(|part| Options::is_option(part));
        let rest = parts.split_off(first.unwrap_or(parts.len()));
        rest.iter().try_for_each(|part| options.set(part))?;
        if let [file] = parts[..] {
            return Ok((arranged(file, Arrangement::Faces)?, options));
        }
        if parts.len() != CUBE_FACES || parts.contains(&"") {
            let given = parts.iter().filter(|part| !part.is_empty()).count();
            return Err(TextureSettingError::Faces(given));
        }
        return Ok((
            Source::Cube(parts.into_iter().map(PathBuf::from).collect()),
            options,
        ));
    }
    // `checker nearest` is `checker, filter=nearest, mip=none`.
    let (first, words) = match parts[0].split_once(char::is_whitespace) {
        Some((first, words)) if !is_file(parts[0]) => (first, words),
        Some(_) | None => (parts[0], ""),
    };
    let source = Source::new(first)?;
    words
        .split_whitespace()
        .try_for_each(|word| options.set(word))?;
    parts[1..].iter().try_for_each(|part| options.set(part))?;
    Ok((source, options))
}

#[cfg(test)]
mod tests {
    use attila_shader::texture::{Filter, MipMode};

    use super::*;

    fn parsed(text: &str) -> TextureSetting {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_source_is_a_pattern_or_a_file_or_six() {
        let arranged = |name: &str, arrangement| Source::File(PathBuf::from(name), arrangement);
        let file = |name: &str| arranged(name, Arrangement::Plain);
        let cases = [
            ("t0=checker", Source::Pattern(Pattern::Checker)),
            ("0 = builtin:bricks", Source::Pattern(Pattern::Bricks)),
            ("t15 = ./checker", file("./checker")),
            ("t3=my wall.png,mips", file("my wall.png")),
            ("t3=cube", Source::Wanted(Dimension::Cube)),
            ("texture[3] = cube", Source::Wanted(Dimension::Cube)),
            ("SAMP[3]=cube", Source::Wanted(Dimension::Cube)),
            ("fs3=cube", Source::Wanted(Dimension::Cube)),
            ("t3=1d:row,mips", arranged("row", Arrangement::Row)),
            (
                "t3 = 3d: a*b.png * 16",
                arranged("a*b.png", Arrangement::Slices(Some(16))),
            ),
            (
                "t3=3d:fog.dds",
                arranged("fog.dds", Arrangement::Slices(None)),
            ),
            (
                "t3=cube:sky.png, mips",
                arranged("sky.png", Arrangement::Faces),
            ),
        ];
        for (text, source) in cases {
            assert_eq!(parsed(text).source, source, "{text}");
        }
        let Source::Cube(faces) = parsed("t1=cube:a.png,b,c,d,e,f.jpg,wrap=edge,mips").source
        else {
            panic!("it is a cube");
        };
        assert_eq!(faces.len(), 6);
        assert_eq!(faces[5], Path::new("f.jpg"));
    }

    #[test]
    fn a_word_after_a_pattern_is_its_filter() {
        let options = parsed("t0 = checker nearest").options;
        assert_eq!(
            (options.min, options.mag),
            (Filter::Nearest, Filter::Nearest)
        );
        assert_eq!(options.mip, Some(MipMode::None));
    }

    #[test]
    fn settings_are_printed_as_they_are_read() {
        for text in [
            "t0 = checker",
            "t31 = my wall.png, mips",
            "t1 = 1d:row.png, wraps=edge",
            "t2 = 3d:a*b.png*16, wrapr=mirror, srgb=power",
            "t3 = 3d:fog.dds, min=nearest, mip=linear, lod=0.5:2",
            "t4 = cube:sky.png, mag=nearest, aniso=8, bias=-0.5",
            "t5 = cube:a,b,c,d,e,f, wraps=border, border=1:0.5:0:1, mips",
            "t6 = bricks, coords=texels",
            "t7 = 1d",
            "t7 = 2d",
            "t7 = 3d",
            "t7 = cube",
        ] {
            let setting = parsed(text);
            assert_eq!(setting.to_string(), text);
        }
    }

    #[test]
    fn a_wrong_setting_says_what_is_wrong() {
        let cases = [
            ("t0", "`=` is missing; write it like `t0 = checker`"),
            ("t32=checker", "`t32` is not t0 to t31"),
            (
                "t0=",
                "a file or a pattern is missing; write it like `t0 = wall.png, mips`",
            ),
            (
                "t0=cube:a.png,b.png,mips",
                "a cube has 6 faces, +x, -x, +y, -y, +z and -z, in as many files or in one, not 2",
            ),
            (
                "t0=3d:a.png*0",
                "`0` is not a number of slices; it has to be at least 1 and at most 16384",
            ),
            (
                "t0=3d:a.png*16385",
                "`16385` is not a number of slices; it has to be at least 1 and at most 16384",
            ),
            (
                "t0=cube:,mips",
                "a file or a pattern is missing; write it like `t0 = wall.png, mips`",
            ),
            (
                "t0=1d:",
                "a file or a pattern is missing; write it like `t0 = wall.png, mips`",
            ),
            (
                "t0=a.png,fliter=linear",
                "there is no option `fliter`; did you mean `filter`?",
            ),
            (
                "t0=a.png,wrap=repaet",
                "`repaet` is not a value of `wrap`: repeat, clamp, edge, border, mirror",
            ),
            ("t0=a.png,aniso", "the option `aniso` needs a value"),
            ("t0=a.png,mips=3", "the option `mips` takes no value"),
            (
                "t0=a.png,bias=nan",
                "`nan` is not a value of `bias`: a number",
            ),
        ];
        for (text, message) in cases {
            let error = text.parse::<TextureSetting>().unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
