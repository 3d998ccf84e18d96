//! [`Control`]: a constant that a page lets its readers change, or changes itself.

use std::str::FromStr;

use crate::directives::float_bits;
use attila_shader::isa::CONSTANTS;
use thiserror::Error;

/// The directives, with how each is written.
pub(crate) const DIRECTIVES: [(&str, &str); 4] = [
    ("range", "c0.x = 0 1"),
    ("colour", "c1"),
    ("time", "c2.x"),
    ("mouse", "c3.xy"),
];

/// The source of components of a constant.
///
/// ```text
/// ;! range c0.x = 0 1      a slider, from 0 to 1
/// ;! colour c1             a field for a colour
/// ;! time c2.x             seconds since the beginning
/// ;! mouse c3.xy           the pointer: 0 to 1 to the right, and down
/// ```
///
/// A picture that nobody looks at has the constant's own value, as `;! const` says it.
#[derive(Clone, PartialEq, Debug)]
pub struct Control {
    /// The constant's number.
    pub constant: usize,
    /// The numbers of its components, 0 to 3.
    pub components: Vec<usize>,
    /// The source.
    pub kind: ControlKind,
}

/// The source of a [`Control`]'s value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ControlKind {
    /// A reader chooses between two numbers.
    Range([f32; 2]),
    /// A reader chooses a colour.
    Colour,
    /// Seconds.
    Time,
    /// The place of the pointer in the picture.
    Mouse,
}

/// Why a directive is none about a control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{directive} {found}` is not like `{directive} {example}`")]
pub struct ControlError {
    directive: String,
    found: String,
    example: &'static str,
}

impl Control {
    /// Reads what follows the name of a directive. `None`: it is not one about controls.
    pub(crate) fn read(directive: &str, rest: &str) -> Option<Result<Control, ControlError>> {
        let (_, example) = DIRECTIVES.iter().find(|(name, _)| *name == directive)?;
        let control = Control::parse(directive, rest);
        Some(control.ok_or_else(|| ControlError {
            directive: directive.to_owned(),
            found: rest.to_owned(),
            example,
        }))
    }

    fn parse(directive: &str, rest: &str) -> Option<Control> {
        let (place, range) = match rest.split_once('=') {
            Some((place, range)) => (place.trim(), Some(range)),
            None => (rest.trim(), None),
        };
        let (register, letters) = place.split_once('.').unwrap_or((place, "xyzw"));
        let number = register.to_ascii_lowercase();
        let constant = usize::from_str(number.strip_prefix('c')?).ok()?;
        let components = letters.chars().map(component).collect::<Option<Vec<_>>>()?;
        let (kind, most) = match (directive, range) {
            ("range", Some(range)) => (ControlKind::Range(numbers(range)?), 4),
            ("colour", None) => (ControlKind::Colour, 4),
            ("time", None) => (ControlKind::Time, 4),
            ("mouse", None) => (ControlKind::Mouse, 2),
            (_, Some(_) | None) => return None,
        };
        let fits = constant < CONSTANTS && (1..=most).contains(&components.len());
        fits.then_some(Control {
            constant,
            components,
            kind,
        })
    }
}

fn component(letter: char) -> Option<usize> {
    let letter = letter.to_ascii_lowercase();
    "xyzw".find(letter).or_else(|| "rgba".find(letter))
}

/// Two different finite numbers.
fn numbers(text: &str) -> Option<[f32; 2]> {
    let mut words = text
        .split_whitespace()
        .map(|word| float_bits(word).map(f32::from_bits));
    let [Some(Ok(from)), Some(Ok(to)), None] = [words.next(), words.next(), words.next()] else {
        return None;
    };
    (from < to && from.is_finite() && to.is_finite()).then_some([from, to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(directive: &str, rest: &str) -> Result<Control, String> {
        let control = Control::read(directive, rest).expect("a directive about controls");
        control.map_err(|error| error.to_string())
    }

    #[test]
    fn controls_name_components_of_constants() {
        for (directive, rest, constant, components, kind) in [
            (
                "range",
                "c0.x = -1 1.5",
                0,
                &[0][..],
                ControlKind::Range([-1.0, 1.5]),
            ),
            (
                "range",
                "C511=0 1",
                511,
                &[0, 1, 2, 3],
                ControlKind::Range([0.0, 1.0]),
            ),
            ("colour", "c1.rgb", 1, &[0, 1, 2], ControlKind::Colour),
            ("time", "c2.w", 2, &[3], ControlKind::Time),
            ("mouse", "c3.zw", 3, &[2, 3], ControlKind::Mouse),
        ] {
            let components = components.to_vec();
            let control = Control {
                constant,
                components,
                kind,
            };
            assert_eq!(read(directive, rest), Ok(control), "{directive} {rest}");
        }
        assert_eq!(Control::read("varying", "i1 = u"), None);
    }

    #[test]
    fn what_is_no_control_is_refused_with_an_example() {
        for (directive, rest) in [
            ("range", "c0.x"),
            ("range", "c0.x = 1 0"),
            ("range", "c0.x = 0 inf"),
            ("range", "c0.x = 0 1 2"),
            ("range", "c512 = 0 1"),
            ("range", "c0. = 0 1"),
            ("time", "i2.x"),
            ("time", "c2.x = 1"),
            ("mouse", "c3"),
            ("mouse", "c3.xq"),
        ] {
            assert!(read(directive, rest).is_err(), "{directive} {rest}");
        }
        let error = "`mouse c3` is not like `mouse c3.xy`";
        assert_eq!(read("mouse", "c3"), Err(error.to_owned()));
    }
}
