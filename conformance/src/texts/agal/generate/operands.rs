//! Random operands.

use attila_shader::front::agal::Version;
use attila_shader::isa::Slots;

use super::Generator;

/// Inputs and outputs that have registers: varyings and colours take those from 1 on.
const REGISTERS: u16 = 16;
/// Constants that have registers.
const CONSTANTS: u16 = 256;
/// Constants of fragment programs: translations put those of biases after them.
const FRAGMENT_CONSTANTS: u16 = 200;

impl Generator<'_, '_> {
    /// The letter of the stage in the names of constants and temporaries.
    fn letter(&self) -> char {
        if self.is_vertex() { 'v' } else { 'f' }
    }

    /// A number below `count` that is mostly small.
    fn small(&mut self, count: u16) -> u16 {
        let most = match self.dice.percent(85) {
            true => count.min(4),
            false => count,
        };
        self.dice.below(most.into()) as u16
    }

    fn temporary(&mut self) -> u16 {
        self.dice.pick(&self.temporaries.clone())
    }

    /// The first of `rows` registers that are read, without components.
    fn register(&mut self, rows: u16) -> String {
        let letter = self.letter();
        let counts = REGISTERS - (rows - 1);
        if self.dice.percent(self.computed) {
            return self.computed();
        }
        match self.dice.below(100) {
            0..=39 => {
                let number = self.temporary();
                self.read.push(number);
                format!("{letter}t{number}")
            }
            40..=61 if self.is_vertex() => format!("va{}", self.small(counts)),
            40..=61 => self.varying(counts),
            62..=65 if self.reads_varyings => self.varying(counts),
            66..=67 if self.version == Version::V3 && self.is_vertex() && rows == 1 => {
                self.dice.pick(&["iid", "iid0"]).to_owned()
            }
            _ => format!("{letter}c{}", self.constant(rows)),
        }
    }

    /// A varying that is read.
    fn varying(&mut self, counts: u16) -> String {
        let name = self.dice.weighted(&[(8, "v"), (1, "vi"), (1, "i")]);
        format!("{name}{}", self.small(counts - 1))
    }

    /// The first of `rows` constants.
    fn constant(&mut self, rows: u16) -> u16 {
        if !self.is_vertex() {
            return self.small(FRAGMENT_CONSTANTS - rows);
        }
        match self.dice.percent(94) {
            true => self.small(120),
            // Ends of banks.
            false => {
                let end = self.dice.pick(&[128, 131, 250, 253, CONSTANTS]);
                end - rows - self.small(4)
            }
        }
    }

    /// A constant whose number is computed.
    fn computed(&mut self) -> String {
        let index = match self.dice.below(10) {
            0..=3 => format!("va{}", self.small(REGISTERS)),
            4..=6 => format!("vc{}", self.small(120)),
            _ => {
                let number = self.temporary();
                self.read.push(number);
                format!("vt{number}")
            }
        };
        let component = self.dice.pick(&['x', 'y', 'z', 'w']);
        let offset = match self.dice.below(10) {
            0..=1 => String::new(),
            2..=6 => format!("+{}", self.dice.below(8)),
            7..=8 => format!("+{}", self.dice.pick(&[119, 125, 127, 128, 249, 254, 255])),
            _ => format!(" + {}", self.dice.below(256)),
        };
        format!("vc[{index}.{component}{offset}]")
    }

    /// A source that is `rows` registers.
    pub(super) fn source(&mut self, rows: u16) -> String {
        let register = self.register(rows);
        register + &self.swizzle()
    }

    fn letters(&mut self, count: usize) -> String {
        let letters = (0..count).map(|_| self.dice.pick(&['x', 'y', 'z', 'w']));
        letters.collect()
    }

    /// Components of a source: the last letter stands for those that are missing.
    fn swizzle(&mut self) -> String {
        match self.dice.below(10) {
            0..=3 => String::new(),
            4..=5 => format!(".{}", self.letters(1)),
            6 => format!(".{}", self.letters(2)),
            7 => format!(".{}", self.letters(3)),
            // Letters after the fourth do not matter.
            _ => {
                let surplus = usize::from(self.dice.percent(5));
                format!(".{}", self.letters(4 + surplus))
            }
        }
    }

    /// One component of a source.
    pub(super) fn scalar(&mut self) -> String {
        let register = self.register(1);
        format!("{register}.{}", self.one())
    }

    /// A component of a constant, which is the same in all lanes.
    pub(super) fn uniform(&mut self) -> String {
        let (letter, number) = (self.letter(), self.small(20));
        format!("{letter}c{number}.{}", self.one())
    }

    fn one(&mut self) -> String {
        let letter = self.letters(1);
        // A component may be named four times.
        match self.dice.percent(90) {
            true => letter,
            false => letter.repeat(4),
        }
    }

    /// A result with some of the components that the opcode has.
    pub(super) fn result(&mut self, results: Slots) -> String {
        let is_read = !self.read.is_empty() && self.dice.percent(40);
        let letter = self.letter();
        let register = match self.dice.below(100) {
            _ if is_read => {
                let at = self.dice.below(self.read.len());
                format!("{letter}t{}", self.read[at])
            }
            0..=79 => format!("{letter}t{}", self.temporary()),
            80..=94 if self.is_vertex() => {
                let name = self.dice.weighted(&[(8, "v"), (1, "vi")]);
                format!("{name}{}", self.small(REGISTERS - 1))
            }
            80..=89 if self.version > Version::V1 => {
                let name = self.dice.weighted(&[(8, "oc"), (1, "fo")]);
                format!("{name}{}", self.small(REGISTERS - 1))
            }
            90..=92 if self.version > Version::V1 => {
                self.dice.pick(&["od", "fd", "od0"]).to_owned()
            }
            _ if self.is_vertex() => self.dice.pick(&["op", "vo0"]).to_owned(),
            _ => self.dice.pick(&["oc", "fo"]).to_owned(),
        };
        register + &self.mask(results)
    }

    /// A set of components: their order does not matter, and letters may come twice.
    fn mask(&mut self, results: Slots) -> String {
        let letters: &[char] = match results == Slots::all() {
            true => &['x', 'y', 'z', 'w'],
            false => &['x', 'y', 'z'],
        };
        let is_whole = results == Slots::all() && self.dice.percent(35);
        match self.dice.below(100) {
            0..=2 => "._".to_owned(),
            _ if is_whole => String::new(),
            roll => {
                let count = if roll < 40 {
                    1
                } else {
                    2 + self.dice.below(letters.len() - 1)
                };
                let mut chosen = Vec::new();
                for _ in 0..count {
                    chosen.push(self.dice.pick(letters));
                }
                if self.dice.percent(80) {
                    chosen
                        .sort_unstable_by_key(|letter| letters.iter().position(|it| it == letter));
                    chosen.dedup();
                }
                format!(".{}", chosen.into_iter().collect::<String>())
            }
        }
    }
}
