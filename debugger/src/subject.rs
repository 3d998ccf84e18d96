//! [`Subject`]: a recorded quad, and what is known around it.

use std::path::PathBuf;

use attila_shader::debug::{Recording, Source};
use attila_shader::draw::{Fate, Fragment, History};

/// A recorded quad, and what is known around it.
#[derive(Debug)]
pub struct Subject {
    /// The program's name.
    pub name: String,
    /// The file whose text it is, unless it is a binary.
    pub file: Option<PathBuf>,
    /// The quad's way through the program.
    pub recording: Recording,
    /// The text.
    pub source: Source,
    /// The lane that is asked about unless another is named.
    pub lane: usize,
    /// The history of the pixel, if there is one.
    pub history: Option<History>,
    /// The picture that the pixel is in, if there is one.
    pub picture: Option<Small>,
}

/// The fragment of a pixel that explains it: the last that was kept, of those of some primitives, or else the last.
pub fn fragment(history: &History, is_meant: impl Fn(u32) -> bool) -> Option<&Fragment> {
    let fragments = history.fragments.iter().rev();
    let mut fragments = fragments.filter(|fragment| is_meant(fragment.primitive));
    let is_kept = |fragment: &&Fragment| fragment.fates.contains(&Fate::Kept);
    let kept = fragments.clone().find(is_kept);
    kept.or_else(|| fragments.next())
}

/// The whole picture in few pixels, with the pixel.
#[derive(Clone, Debug)]
pub struct Small {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Rows of sRGB pixels.
    pub pixels: Vec<[u8; 4]>,
    /// The pixel's place.
    pub marked: [u32; 2],
    /// The size of the whole picture.
    pub whole: [u32; 2],
    /// The pixel in the whole picture.
    pub pixel: [u32; 2],
}

impl Subject {
    /// A quad that belongs to no pixel; its lane 0.
    pub fn new(name: impl Into<String>, recording: Recording, source: Source) -> Subject {
        Subject {
            name: name.into(),
            file: None,
            recording,
            source,
            lane: 0,
            history: None,
            picture: None,
        }
    }
}
