//! The requirements of a test.

use attila_shader::isa::{Diagnostics, Remark};

use crate::script_test::sections::Sections;
use crate::script_test::unsupported;

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

/// Reads the section. The reason why the first requirement that is not met is not.
pub(super) fn unmet(sections: &Sections<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let mut reasons = Vec::new();
    for (start, line) in sections.lines("[require]") {
        match reason(line) {
            Ok(reason) => reasons.extend(reason),
            Err(message) => diagnostics.error(Remark::new(start..start + line.len(), message)),
        }
    }
    reasons.into_iter().next()
}

fn reason(line: &str) -> Result<Option<String>, &'static str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        ["GL", ">=", version] => {
            let (major, minor) = version.split_once('.').ok_or(NO_VERSION)?;
            let number = |text: &str| text.parse().map_err(|_| NO_VERSION);
            let (major, minor): (u32, u32) = (number(major)?, number(minor)?);
            ((major, minor) > VERSION).then(|| {
                let here = format!("this is {}.{}", VERSION.0, VERSION.1);
                format!("it requires GL >= {major}.{minor}; {here}")
            })
        }
        ["GL", ..] => return Err(NO_VERSION),
        ["depthbuffer"] => None,
        [name] if name.contains('_') => {
            let name = name.strip_prefix("GL_").unwrap_or(name);
            (!EXTENSIONS.contains(&name)).then(|| unsupported(&format!("GL_{name}")))
        }
        _ => Some(unsupported(line)),
    })
}

const NO_VERSION: &str = "a version is required as in `GL >= 1.3`";
