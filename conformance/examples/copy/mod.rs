//! The sources in another folder, to be changed there.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources in another folder, and a target folder for them.
pub(crate) struct Copy {
    pub(crate) sources: PathBuf,
    pub(crate) target: PathBuf,
}

impl Copy {
    /// Brings the copy in a folder of the target folder up to date. Files that have not changed stay as they are, so that
    /// little is compiled again.
    pub(crate) fn new(folder: &str) -> Result<Copy, Box<dyn Error>> {
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let target = std::path::absolute(target)?.join(folder);
        let sources = target.join("sources");
        let files = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(root())
            .output()?;
        for file in String::from_utf8(files.stdout)?.split_terminator('\0') {
            let (from, to) = (root().join(file), sources.join(file));
            let bytes = fs::read(from)?;
            if fs::read(&to).ok().as_ref() != Some(&bytes) {
                fs::create_dir_all(to.parent().unwrap_or(&sources))?;
                fs::write(&to, bytes)?;
            }
        }
        Ok(Copy { sources, target })
    }

    /// Cargo in the copy, with words, and with others in a text.
    pub(crate) fn cargo(&self, words: &[&str], args: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&self.sources)
            .env("CARGO_TARGET_DIR", &self.target);
        cargo.args(words).args(args.split_whitespace());
        cargo
    }
}
