//! Random lookups of textures.

use attila_shader::front::tgsi::{Dialect, Operand, Role, Target, TgsiOpcodeInfo, Type};

use super::operands::Kind;
use super::{Focus, Generator};

/// The last texture units that texts declare.
pub(super) const UNITS: usize = 4;

/// The number of components that coordinates, layer and comparison leave for other things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    /// w is free.
    One,
    /// w is taken.
    None,
    /// The comparison has no component.
    TooLittle,
    /// There is no filter: texels are fetched.
    Fetched,
}

fn room(target: Target) -> Room {
    match target {
        Target::Unknown
        | Target::OneD
        | Target::TwoD
        | Target::ThreeD
        | Target::Cube
        | Target::Rectangle
        | Target::ShadowOneD
        | Target::ShadowTwoD
        | Target::ShadowRectangle
        | Target::OneDArray
        | Target::TwoDArray
        | Target::ShadowOneDArray => Room::One,
        Target::ShadowTwoDArray | Target::ShadowCube | Target::CubeArray => Room::None,
        Target::ShadowCubeArray => Room::TooLittle,
        Target::Buffer | Target::TwoDMultisample | Target::TwoDArrayMultisample => Room::Fetched,
    }
}

/// The targets of texts.
const TARGETS: [Target; 18] = [
    Target::Buffer,
    Target::OneD,
    Target::TwoD,
    Target::ThreeD,
    Target::Cube,
    Target::Rectangle,
    Target::ShadowOneD,
    Target::ShadowTwoD,
    Target::ShadowRectangle,
    Target::OneDArray,
    Target::TwoDArray,
    Target::ShadowOneDArray,
    Target::ShadowTwoDArray,
    Target::ShadowCube,
    Target::TwoDMultisample,
    Target::TwoDArrayMultisample,
    Target::CubeArray,
    Target::ShadowCubeArray,
];

fn is_cube(target: Target) -> bool {
    target.word().contains("CUBE")
}

fn has_layers(target: Target) -> bool {
    target.word().contains("ARRAY")
}

fn is_line(target: Target) -> bool {
    target.word().contains("1D")
}

/// Whether a lookup, by its name, works with a target.
fn works(name: &str, target: Target) -> bool {
    let room = room(target);
    let is_filtered = room != Room::Fetched;
    let is_sampled = matches!(
        target,
        Target::TwoDMultisample | Target::TwoDArrayMultisample
    );
    match name {
        "TXQ" | "TXQ_LZ" | "SVIEWINFO" => true,
        "TXF" => !is_cube(target),
        "TXF_LZ" | "SAMPLE_I" => !is_cube(target) && !is_sampled,
        "TXQS" | "SAMPLE_I_MS" => is_sampled,
        "TG4" | "GATHER4" => is_filtered && !is_line(target) && target != Target::ThreeD,
        "TEX" | "TEX_LZ" => is_filtered && room != Room::TooLittle,
        "TXP" => room == Room::One && !has_layers(target),
        "TXB" | "TXL" => room == Room::One,
        "TXB2" | "TXL2" => room == Room::None,
        "TEX2" => room == Room::TooLittle,
        "SAMPLE_C" | "SAMPLE_C_LZ" => is_filtered && target != Target::ThreeD,
        _ => is_filtered,
    }
}

/// Whether a lookup has coordinates that are floats.
fn takes_coordinates(row: &TgsiOpcodeInfo) -> bool {
    matches!(
        row.form.sources.first(),
        Some(Operand::Value(Type::Float, _))
    )
}

/// The lookups of a dialect.
pub(super) fn rows(dialect: Dialect) -> Vec<&'static TgsiOpcodeInfo> {
    let rows = attila_shader::front::tgsi::OPCODES.iter();
    let rows = rows.filter(|row| matches!(row.role, Role::Sample | Role::Lookup));
    rows.filter(|row| row.dialects.contains(&dialect)).collect()
}

impl Generator<'_, '_> {
    /// The targets of the units of a text, of which half have some.
    pub(super) fn choose_units(&mut self) {
        if self.focus == Focus::Textures || self.dice.percent(50) {
            let count = 1 + self.dice.below(UNITS);
            self.units = (0..count).map(|_| self.dice.pick(&TARGETS)).collect();
            // Addresses of units are more likely where all are of a kind.
            if self.dice.percent(25) {
                self.units = vec![self.units[0]; UNITS];
            }
        }
    }

    pub(super) fn texture_declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (unit, target) in self.units.iter().enumerate() {
            lines.push(format!("DCL SAMP[{unit}]"));
            if self.dialect != Dialect::T7 {
                lines.push(format!("DCL SVIEW[{unit}], {target}, FLOAT"));
            }
        }
        lines
    }

    /// A lookup of one of the units.
    pub(super) fn look_up(&mut self) {
        let unit = self.dice.below(self.units.len());
        let target = self.units[unit];
        let is_together = self.depth == 0 && self.routine == 0 && !self.has_returned;
        let rows: Vec<_> = rows(self.dialect)
            .into_iter()
            .filter(|row| {
                let asks_level = row.name.starts_with("LOD");
                works(row.name, target)
                    && (is_together || !self.is_fragment || row.role == Role::Lookup)
                    && (self.is_fragment || !asks_level)
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        let row = self.dice.pick(&rows);
        // Places of texels are small.
        if row.name.starts_with("TXF") || row.name.starts_with("SAMPLE_I") {
            let (word, source) = (self.written_word(), self.scalar(Kind::Words));
            self.push(format!("AND {word}, {source}, IMM[0].zzzz"));
        }
        // Most numbers are far outside of images, where texels are alike.
        let is_inside = takes_coordinates(row) && self.dice.percent(50);
        let coordinates = is_inside.then(|| {
            let (number, source) = (self.dice.below(self.floats), self.source(Kind::Floats));
            let float = self.float(number);
            self.push(format!("FRC {float}, {source}"));
            float
        });
        let line = self.lookup_line(row, (unit, target), coordinates);
        self.push(line);
    }

    /// A lookup; of these coordinates if there are some.
    fn lookup_line(
        &mut self,
        row: &TgsiOpcodeInfo,
        (unit, target): (usize, Target),
        coordinates: Option<String>,
    ) -> String {
        // Sizes are integers, all others may be floats that are computed.
        let is_integer = row.form.results == [Type::Int];
        let clamp = match is_integer || self.dice.percent(85) {
            true => "",
            false => "_SAT",
        };
        let result = match is_integer {
            true => self.written(Kind::Words),
            false => self.written(Kind::Floats),
        };
        let mut parts = vec![result];
        let index = self.unit(unit);
        // Views are looked at with any sampler.
        let is_mixed = !row.has_target() && index == unit.to_string() && self.dice.percent(30);
        let sampler = match is_mixed {
            true => self.dice.below(self.units.len()).to_string(),
            false => index.clone(),
        };
        for (place, source) in row.form.sources.iter().enumerate() {
            if let Some(register) = coordinates.as_ref().filter(|_| place == 0) {
                parts.push(register.clone());
                continue;
            }
            parts.push(match source {
                Operand::Value(Type::Uint, _)
                    if row.name == "TG4" && !self.is_reference(target) =>
                {
                    let letter = self.dice.pick(&["x", "y", "z", "w"]);
                    format!("IMM[0].{letter}{letter}{letter}{letter}")
                }
                Operand::Value(Type::Uint, _) => self.source(Kind::Words),
                Operand::Value(Type::Int, _) if place == 0 && self.dice.percent(70) => {
                    let number = self.dice.below(self.words);
                    self.word(number)
                }
                Operand::Value(Type::Int, _) => self.source(Kind::Words),
                Operand::Value(..) => self.source(Kind::Floats),
                Operand::Sampler => format!("SAMP[{sampler}]"),
                Operand::View => format!("SVIEW[{index}]"),
                Operand::Buffer => String::new(),
            });
        }
        if row.has_target() {
            parts.push(target.to_string());
        }
        parts.extend(self.offsets(row, target));
        format!("{}{clamp} {}", row.name, parts.join(", "))
    }

    /// The offsets of a lookup: none, one, or one for each component of a gather.
    fn offsets(&mut self, row: &TgsiOpcodeInfo, target: Target) -> Vec<String> {
        let asks = row.name.starts_with("TXQ") || row.name == "LODQ";
        let has_offsets = row.has_target() && !asks;
        let is_flat = !is_cube(target) && room(target) != Room::Fetched;
        if !has_offsets || !is_flat || self.dice.percent(75) {
            return Vec::new();
        }
        let count = match row.name == "TG4" && self.dice.percent(60) {
            true => 4,
            false => 1,
        };
        (0..count).map(|_| self.offset()).collect()
    }

    /// Whether a gather takes a number to compare with in place of a component.
    fn is_reference(&self, target: Target) -> bool {
        target == Target::ShadowCubeArray
    }

    /// The number of a unit, or an address: units of other kinds answer 0. A view that is declared has to be of the
    /// target.
    fn unit(&mut self, unit: usize) -> String {
        let fits = self.dialect == Dialect::T7 || self.units[0] == self.units[unit];
        let is_all = self.units.len() == UNITS && self.relative;
        let is_relative = is_all && fits && self.dice.percent(25);
        match is_relative {
            true => self.address(true),
            false => unit.to_string(),
        }
    }

    fn offset(&mut self) -> String {
        let letters: String = (0..3)
            .map(|_| self.dice.pick(&['x', 'y', 'z', 'w']))
            .collect();
        match self.dice.percent(60) {
            true => format!("IMM[0].{letters}"),
            false => {
                let number = self.dice.below(self.words);
                format!("{}.{letters}", self.word(number))
            }
        }
    }
}
