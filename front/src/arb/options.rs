//! The features that `OPTION` turns on.

use thiserror::Error;

use super::opcode::Stages;
use crate::arb::ArbStage;

/// How fog is mixed into the colour at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fog {
    /// Exponential.
    Exp,
    /// Exponential in the square.
    Exp2,
    /// Linear between two distances.
    Linear,
}

/// The goal that matters more where results are approximate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrecisionHint {
    /// Speed.
    Fastest,
    /// Precision.
    Nicest,
}

/// The options of a program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// `ARB_position_invariant`: position is computed as if there were no program.
    pub position_invariant: bool,
    /// `ARB_fog_exp`, `ARB_fog_exp2` or `ARB_fog_linear`.
    pub fog: Option<Fog>,
    /// `ARB_precision_hint_fastest` or `ARB_precision_hint_nicest`.
    pub precision: Option<PrecisionHint>,
    /// `ARB_fragment_program_shadow`: textures may be compared.
    pub shadow: bool,
    /// `ARB_fragment_coord_origin_upper_left`: window rows are counted from the top.
    pub origin_upper_left: bool,
    /// `ARB_fragment_coord_pixel_center_integer`: pixel centres are whole numbers.
    pub pixel_center_integer: bool,
    /// `ARB_draw_buffers` or `ATI_draw_buffers`: there are several colours, `result.color[n]`.
    pub draw_buffers: bool,
}

/// The name of an option, the programs that have it, and what it sets; it says no where another
/// option has been set that excludes it.
type Row = (&'static str, Stages, fn(&mut Options) -> bool);

const OPTIONS: &[Row] = &[
    ("ARB_position_invariant", Stages::Vertex, |options| {
        set(&mut options.position_invariant)
    }),
    ("ARB_fog_exp", Stages::Fragment, |options| {
        choose(&mut options.fog, Fog::Exp)
    }),
    ("ARB_fog_exp2", Stages::Fragment, |options| {
        choose(&mut options.fog, Fog::Exp2)
    }),
    ("ARB_fog_linear", Stages::Fragment, |options| {
        choose(&mut options.fog, Fog::Linear)
    }),
    ("ARB_precision_hint_fastest", Stages::Fragment, |options| {
        choose(&mut options.precision, PrecisionHint::Fastest)
    }),
    ("ARB_precision_hint_nicest", Stages::Fragment, |options| {
        choose(&mut options.precision, PrecisionHint::Nicest)
    }),
    ("ARB_fragment_program_shadow", Stages::Fragment, |options| {
        set(&mut options.shadow)
    }),
    (
        "ARB_fragment_coord_origin_upper_left",
        Stages::Fragment,
        |options| set(&mut options.origin_upper_left),
    ),
    (
        "ARB_fragment_coord_pixel_center_integer",
        Stages::Fragment,
        |options| set(&mut options.pixel_center_integer),
    ),
    ("ARB_draw_buffers", Stages::Fragment, |options| {
        set(&mut options.draw_buffers)
    }),
    ("ATI_draw_buffers", Stages::Fragment, |options| {
        set(&mut options.draw_buffers)
    }),
];

fn set(flag: &mut bool) -> bool {
    *flag = true;
    true
}

fn choose<T: Copy + PartialEq>(choice: &mut Option<T>, wanted: T) -> bool {
    *choice.get_or_insert(wanted) == wanted
}

/// Why an option cannot be turned on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// Programs of the stage have no option of that name.
    #[error("unknown option")]
    Unknown,
    /// An option that excludes it is turned on.
    #[error("another option conflicts with it")]
    Conflict,
}

impl Options {
    /// Turns on the option `name`. Doing so twice changes nothing.
    ///
    /// # Errors
    ///
    /// The stage has no such option, or another one excludes it.
    pub fn turn_on(&mut self, name: &str, stage: ArbStage) -> Result<(), OptionError> {
        let mut rows = OPTIONS.iter().filter(|(_, stages, _)| stages.has(stage));
        let row = rows.find(|(option, ..)| *option == name);
        let (.., turn_on) = row.ok_or(OptionError::Unknown)?;
        match turn_on(self) {
            true => Ok(()),
            false => Err(OptionError::Conflict),
        }
    }

    /// The names of the options of programs of `stage`.
    pub(super) fn names(stage: ArbStage) -> impl Iterator<Item = &'static str> {
        let rows = OPTIONS.iter().filter(move |row| row.1.has(stage));
        rows.map(|row| row.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_option_twice_is_once() {
        let mut options = Options::default();
        for _ in 0..2 {
            let done = options.turn_on("ARB_fog_exp2", ArbStage::Fragment);
            assert_eq!(done, Ok(()));
        }
        assert_eq!(options.fog, Some(Fog::Exp2));
        let other = options.turn_on("ARB_fog_linear", ArbStage::Fragment);
        assert_eq!(other, Err(OptionError::Conflict));
    }

    #[test]
    fn each_kind_of_program_has_its_own_options() {
        let mut options = Options::default();
        let name = "ARB_position_invariant";
        let fragment = options.turn_on(name, ArbStage::Fragment);
        assert_eq!(fragment, Err(OptionError::Unknown));
        assert_eq!(options.turn_on(name, ArbStage::Vertex), Ok(()));
    }
}
