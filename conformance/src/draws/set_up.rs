//! The set-up of a draw's triangles: colours of both sides, distances that cut, and components that wrap.

use attila_scene::fields;
use attila_scene::line::{Field, Line, Read, Words};
use attila_shader::draw::Draw;
use attila_shader::isa::{INPUTS, Inputs, Slots};
use attila_shader::machine::pipeline::InputKind;

use super::case::{DrawCase, ShapeCase};
use crate::dice::Dice;

/// The limit of distances of a kind.
const DISTANCES: u32 = 8;

/// Everything that a draw is told about triangles alone.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SetUpCase {
    /// Whether triangles have colours of their back.
    pub two_sided: bool,
    /// The components of attributes by which triangles are cut.
    pub clip: Inputs<Slots>,
    /// The components by which they are left out.
    pub cull: Inputs<Slots>,
    /// The components of inputs that go round a cylinder.
    pub wraps: Inputs<Slots>,
}

pub(super) const STATE: &[Field<SetUpCase>] = fields! {
    twosided: two_sided,
};

/// The components of a register, by the word of their lines.
type Registers = (&'static str, fn(&mut SetUpCase) -> &mut Inputs<Slots>);

const REGISTERS: [Registers; 3] = [
    ("clip", |case| &mut case.clip),
    ("cull", |case| &mut case.cull),
    ("wrap", |case| &mut case.wraps),
];

impl SetUpCase {
    /// The lines of a register.
    pub(super) fn lines(&self, register: usize) -> impl Iterator<Item = String> {
        let mut case = self.clone();
        REGISTERS.into_iter().filter_map(move |(word, slots)| {
            let slots = slots(&mut case)[register];
            (!slots.is_empty()).then(|| format!("draw {word} i{register} {}", slots.words()))
        })
    }

    /// Reads the rest of a line that begins with `word`, if that is one of them.
    pub(super) fn read(&mut self, word: &str, line: &mut Line<'_>) -> Read<bool> {
        let Some((_, slots)) = REGISTERS.iter().find(|(name, _)| *name == word) else {
            return Ok(false);
        };
        let register = line.input()?;
        slots(self)[register] = Words::read(line)?;
        Ok(true)
    }

    /// The same without the lines of a register.
    pub(super) fn without(mut self, register: usize) -> SetUpCase {
        for (_, slots) in REGISTERS {
            slots(&mut self)[register] = Slots::empty();
        }
        self
    }

    /// Whether a draw with these is made: they are about attributes that its vertices have.
    pub(super) fn is_drawn(&self, case: &DrawCase) -> bool {
        let mut own = self.clone();
        let few = |slots: &Inputs<Slots>| {
            slots.iter().map(|it| it.bits().count_ones()).sum::<u32>() <= DISTANCES
        };
        let triangular = || {
            let mut frames = case.frames.iter();
            frames.all(|frame| matches!(frame.shape, ShapeCase::Triangles(..)))
        };
        few(&self.clip)
            && few(&self.cull)
            && REGISTERS.into_iter().all(|(_, slots)| {
                let slots = slots(&mut own);
                (0..INPUTS).all(|it| slots[it].is_empty() || case.vertices[it] && triangular())
            })
    }

    /// Tells a draw.
    pub(super) fn set<'a>(&self, draw: Draw<'a>) -> Draw<'a> {
        let draw = draw.two_sided(self.two_sided);
        (0..INPUTS).fold(draw, |draw, register| {
            draw.clip_distances(register, self.clip[register])
                .cull_distances(register, self.cull[register])
        })
    }
}

/// Set-up for triangles whose inputs have been chosen. Most draws have nothing of it.
pub(super) fn set_up(dice: &mut Dice<'_>, case: &DrawCase) -> SetUpCase {
    let mut set_up = SetUpCase {
        two_sided: dice.percent(40),
        ..SetUpCase::default()
    };
    let (clips, culls, wraps) = (dice.percent(30), dice.percent(30), dice.percent(30));
    for register in (0..INPUTS).filter(|register| case.vertices[*register]) {
        let mut some = |wanted: bool| match wanted {
            true => Slots::from_bits_truncate((dice.below(16) & dice.below(16)) as u8),
            false => Slots::empty(),
        };
        // The first registers alone, so that there are never too many.
        let few = register <= 2;
        set_up.clip[register] = some(clips && few);
        // Few triangles are outside at all vertices.
        set_up.cull[register] = some(culls && few) | some(culls && few);
        let is_flat = case.kinds[register] == [InputKind::Flat; 4];
        set_up.wraps[register] = some(wraps && !is_flat);
    }
    set_up
}
