//! The requirements of a test.

use std::fmt;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark};

use crate::sections::lines;

/// The version of OpenGL whose state there is.
const VERSION: (u32, u32) = (1, 5);

/// The extensions that programs and scripts of tests can make use of.
const EXTENSIONS: [&str; 10] = [
    "ARB_depth_texture",
    "ARB_fragment_coord_conventions",
    "ARB_fragment_program",
    "ARB_fragment_program_shadow",
    "ARB_multitexture",
    "ARB_shadow",
    "ARB_shadow_ambient",
    "ARB_texture_rectangle",
    "ARB_vertex_program",
    "EXT_texture_rectangle",
];

/// Something that a test asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// At least this version of OpenGL.
    Version(u32, u32),
    /// An extension, without `GL_`.
    Extension(String),
    /// A depth buffer.
    DepthBuffer,
    /// Something else, as it is written.
    Other(String),
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Version(major, minor) => write!(f, "GL >= {major}.{minor}"),
            Requirement::Extension(name) => write!(f, "GL_{name}"),
            Requirement::DepthBuffer => f.write_str("depthbuffer"),
            Requirement::Other(text) => f.write_str(text),
        }
    }
}

impl Requirement {
    /// Why it is not met, in one sentence, if it is not.
    pub fn unmet(&self) -> Option<String> {
        let met = match self {
            Requirement::Version(major, minor) => (*major, *minor) <= VERSION,
            Requirement::Extension(name) => EXTENSIONS.contains(&name.as_str()),
            Requirement::DepthBuffer => true,
            Requirement::Other(_) => false,
        };
        (!met).then(|| match self {
            Requirement::Version(..) => {
                format!("it requires {self}; this is {}.{}", VERSION.0, VERSION.1)
            }
            Requirement::Extension(_) | Requirement::DepthBuffer | Requirement::Other(_) => {
                format!("it requires {self}, which is not supported")
            }
        })
    }
}

/// Reads the section.
pub(super) fn parse_all(
    text: &str,
    section: Option<Range<usize>>,
    diagnostics: &mut Diagnostics,
) -> Vec<Requirement> {
    let mut list = Vec::new();
    for (start, line) in lines(text, section) {
        match parse(line) {
            Ok(requirement) => list.push(requirement),
            Err(message) => diagnostics.error(Remark::new(start..start + line.len(), message)),
        }
    }
    list
}

fn parse(line: &str) -> Result<Requirement, &'static str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        ["GL", ">=", version] => {
            let (major, minor) = version.split_once('.').ok_or(NO_VERSION)?;
            let number = |text: &str| text.parse().map_err(|_| NO_VERSION);
            Requirement::Version(number(major)?, number(minor)?)
        }
        ["GL", ..] => return Err(NO_VERSION),
        ["depthbuffer"] => Requirement::DepthBuffer,
        [name] if name.contains('_') => {
            let name = name.strip_prefix("GL_").unwrap_or(name);
            Requirement::Extension(name.to_owned())
        }
        _ => Requirement::Other(line.to_owned()),
    })
}

const NO_VERSION: &str = "a version is required as in `GL >= 1.3`";
