//! Programs in files, with all that they are drawn with: what the command `attila` draws, for everybody.
//!
//! ```text
//!   file ─► Sources ─► Source ─► Draft ─► Scene ─► pixels
//!          forms, and  one       checked  textures,
//!          languages   program            varyings, constants
//! ```
//!
//! [`Loader`] does all of it. A [`Host`] opens the files that a scene names and hears what is wrong with them; a loader
//! has one of its own for callers who want one error with everything in it. [`directives`] describes the comments that
//! programs carry for this, which begin with `;!`.
#![forbid(unsafe_code)]

pub mod code;
mod control;
pub mod directives;
mod encoding;
mod error;
mod foreign;
pub mod hex;
mod host;
pub mod images;
pub mod line;
pub mod listing;
mod loader;
pub mod mesh;
mod names;
mod notice;
pub mod picture;
mod refuse;
mod report;
mod scene;
pub mod sections;
pub mod setting;
pub mod source;
pub mod textures;
pub mod varying;

pub use control::{Control, ControlError, ControlKind};
pub use error::Error;
pub use host::{Host, Message, Severity, Topic};
pub use loader::{LoadError, Loader};
pub use names::{ByName, NameError, Names};
pub use notice::{Files, Notice};
pub use scene::{DrawSceneError, Scene, SettingError, ValueSetting, VaryingSetting};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
