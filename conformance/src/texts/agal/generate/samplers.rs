//! Random samplers.

use attila_shader::front::agal::Version;

use super::Generator;

/// A unit, and the options that all its uses have.
pub(super) struct Unit {
    number: usize,
    options: Vec<String>,
    /// Whether its state comes from outside, so that the options about it may differ.
    is_free: bool,
}

/// Words for one thing each; one at most of a group is chosen.
const GROUPS: [&[&str]; 3] = [
    &[
        "nearest",
        "linear",
        "anisotropic2x",
        "anisotropic4x",
        "anisotropic8x",
        "anisotropic16x",
    ],
    &["mipnone", "nomip", "mipnearest", "miplinear"],
    &[
        "clamp",
        "repeat",
        "wrap",
        "clamp_u_repeat_v",
        "repeat_u_clamp_v",
    ],
];

/// Words for the format, which is the same in all uses of a unit.
const FORMATS: [&str; 6] = [
    "rgba",
    "compressed",
    "compressedalpha",
    "dxt1",
    "dxt5",
    "video",
];

impl Generator<'_, '_> {
    pub(super) fn choose_units(&mut self) {
        if self.is_vertex() {
            return;
        }
        let all = if self.version == Version::V1 { 8 } else { 16 };
        for _ in 0..self.dice.below(4) {
            let number = self.dice.below(all);
            if self.units.iter().all(|unit| unit.number != number) {
                let unit = self.unit(number);
                self.units.push(unit);
            }
        }
    }

    fn unit(&mut self, number: usize) -> Unit {
        let mut options = Vec::new();
        let kind = self.dice.pick(&["", "2d", "cube", "3d"]);
        if !kind.is_empty() {
            options.push(kind.to_owned());
        }
        if self.dice.percent(60) {
            options.push(self.dice.pick(&FORMATS).to_owned());
        }
        let is_free = self.dice.percent(20);
        if is_free {
            options.push("ignoresampler".to_owned());
        }
        if self.dice.percent(15) {
            options.push(self.dice.pick(&["centroid", "single"]).to_owned());
        }
        if self.dice.percent(50) {
            let bias = match self.dice.percent(70) {
                true => self.dice.between(-40, 40) as f32 / 8.0,
                false => self.dice.pick(&[-16.0, 15.875, 0.3, -0.1, 1.99]),
            };
            options.push(bias.to_string());
        }
        if !is_free {
            let words = self.groups();
            options.extend(words);
        }
        Unit {
            number,
            options,
            is_free,
        }
    }

    fn groups(&mut self) -> Vec<String> {
        let mut words = Vec::new();
        for group in GROUPS {
            if self.dice.percent(60) {
                words.push(self.dice.pick(group).to_owned());
            }
        }
        words
    }

    /// A use of a sampler. The order of its options does not matter.
    pub(super) fn sampler(&mut self) -> String {
        let unit = &self.units[self.dice.below(self.units.len())];
        let (number, mut options) = (unit.number, unit.options.clone());
        if unit.is_free {
            let words = self.groups();
            options.extend(words);
        }
        for at in (1..options.len()).rev() {
            let other = self.dice.below(at + 1);
            options.swap(at, other);
        }
        match options.is_empty() && self.dice.percent(50) {
            true => format!("fs{number}"),
            false => {
                let between = self.dice.weighted(&[(8, ","), (1, ", "), (1, " ")]);
                format!("fs{number} <{}>", options.join(between))
            }
        }
    }
}
