//! Several pictures, which a constant or an input tells apart.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use attila_scene::{ByName, Scene, SettingError, ValueSetting};
use clap::error::ErrorKind;
use thiserror::Error;

use crate::error::CliError;
use crate::report::Reporter;

/// A register, or what a text calls so, and the numbers that it runs between.
#[derive(Clone, Debug)]
pub(super) struct Time {
    name: String,
    from: f32,
    to: f32,
}

/// Why a text is no time.
#[derive(Clone, PartialEq, Debug, Error)]
pub(crate) enum TimeError {
    /// The two numbers are not there.
    #[error("write it like c0=0:1, a register and two numbers")]
    Form,
    /// The register is not right.
    #[error(transparent)]
    Register(#[from] SettingError),
}

impl FromStr for Time {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Time, TimeError> {
        let (name, range) = text.split_once('=').ok_or(TimeError::Form)?;
        let (from, to) = range.split_once(':').ok_or(TimeError::Form)?;
        let number = |text: &str| {
            let number = text.trim().parse().ok();
            number
                .filter(|it: &f32| it.is_finite())
                .ok_or(TimeError::Form)
        };
        let time = Time {
            name: name.to_owned(),
            from: number(from)?,
            to: number(to)?,
        };
        time.setting(time.from)?;
        Ok(time)
    }
}

impl Time {
    fn setting(&self, value: f32) -> Result<ByName<ValueSetting>, SettingError> {
        format!("{}={value:?}", self.name).parse()
    }

    /// Sets it for a frame of so many. Only the first one tells of what the program does not read.
    pub(super) fn set(
        &self,
        scene: &mut Scene,
        [frame, frames]: [u32; 2],
        reporter: &Reporter,
    ) -> Result<(), CliError> {
        let part = f64::from(frame) / f64::from(frames);
        let value = f64::from(self.from) + (f64::from(self.to) - f64::from(self.from)) * part;
        let setting = self.setting(value as f32);
        let setting =
            setting.map_err(|error| CliError::usage(ErrorKind::ValueValidation, error))?;
        let setting = scene.named(&setting)?;
        match frame {
            0 => scene.set(reporter, &setting),
            _ => scene.set(&Reporter::quiet(), &setting),
        }
        Ok(())
    }
}

/// The file of a frame: the name has its number, with as many digits as the last one has, and four at least.
pub(super) fn path(path: &Path, frame: u32, frames: u32) -> Result<PathBuf, CliError> {
    if path == Path::new("-") {
        let message = "--frames writes files; `-o -` is standard output";
        return Err(CliError::usage(ErrorKind::ArgumentConflict, message));
    }
    let digits = (frames - 1).to_string().len().max(4);
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(format!("-{frame:0digits$}"));
    if let Some(suffix) = path.extension() {
        name.push(".");
        name.push(suffix);
    }
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_frames_have_their_numbers_before_the_dot() {
        let name = |of: &str, frame, frames| {
            let path = path(Path::new(of), frame, frames).expect("it is a file");
            path.display().to_string()
        };
        assert_eq!(name("a/b.c.png", 0, 3), "a/b.c-0000.png");
        assert_eq!(name("out", 12, 20_000), "out-00012");
        assert!(path(Path::new("-"), 0, 1).is_err());
    }

    #[test]
    fn times_are_registers_with_two_numbers() {
        for right in ["c0=0:1", "i3=-1:1e-3", "program.local[0]=0.5:2"] {
            assert!(right.parse::<Time>().is_ok(), "{right}");
        }
        for wrong in ["c0", "c0=1", "c0=a:1", "c0=0:inf", "c600=0:1", "r0=0:1"] {
            assert!(wrong.parse::<Time>().is_err(), "{wrong}");
        }
    }
}
