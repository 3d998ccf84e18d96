//! Registers, bindings and constants.

use super::Generator;
use attila_shader::front::arb::tables;

const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "3.",
    ".25",
    "0.5",
    "1e2",
    "1E-3",
    "2.5e+1",
    "255",
    "0.0",
    "1.0",
    "4294967296",
    "1e-40",
    "3e38",
    "00.50",
    "6.2831853",
    "100000000000000000000",
];

/// Vectors of `program.env` that each relatively addressed array has for itself.
const OWN: usize = 40;

impl Generator<'_, '_> {
    /// A binding of this stage whose pattern begins with `root`.
    fn binding(&mut self, accepts: impl Fn(&str) -> bool) -> String {
        let rows = tables::patterns(self.stage, &self.profile);
        let rows: Vec<(&'static str, u32)> = rows.filter(|row| accepts(row.0)).collect();
        let (pattern, limit) = self.dice.pick(&rows);
        let has_one_colour = pattern == "result.color[]" && !self.options.draw_buffers;
        let pattern = if has_one_colour {
            "result.color"
        } else {
            pattern
        };
        let text = self.filled(pattern, limit);
        match self.dice.percent(4) && !text.contains("..") {
            true => text.replace('.', " . ").replace('[', " [ "),
            false => text,
        }
    }

    /// A pattern with its variable parts chosen, as one vector.
    fn filled(&mut self, pattern: &str, limit: u32) -> String {
        // Only the first four weights and matrix indices have a register.
        let first_only = pattern.contains("weight") || pattern.contains("matrixindex");
        let few = match self.dice.percent(70) {
            true => limit.min(4),
            false => limit,
        };
        let index = match first_only {
            true => 0,
            false => self.dice.below(few as usize),
        };
        let optional = match index == 0 && self.dice.percent(50) {
            true => String::new(),
            false => format!("[{index}]"),
        };
        let face = self.dice.pick(&["", ".front", ".back"]);
        let transform = self.dice.pick(&["", ".inverse", ".transpose", ".invtrans"]);
        let row = format!(".row[{}]", self.dice.below(4));
        pattern
            .replace("[]", &optional)
            .replace("[n]", &format!("[{index}]"))
            .replace("[..]", &format!("[{index}]"))
            .replace(".<face>", face)
            .replace(".<transform>", transform)
            .replace(".<row>", &row)
            .replace("<coordinate>", self.dice.pick(&["s", "t", "r", "q"]))
    }

    /// A binding to something that comes in.
    pub(super) fn input(&mut self) -> String {
        let generic = self.generic;
        self.binding(|pattern| match pattern.split('.').next() {
            Some("vertex") => pattern.contains("attrib") == generic,
            Some("fragment") => true,
            _ => false,
        })
    }

    /// A binding to a result.
    pub(super) fn output(&mut self) -> String {
        let invariant = self.options.position_invariant;
        let position = "result.position";
        self.binding(|it| it.starts_with("result.") && !(invariant && it == position))
    }

    /// A binding to state or to a parameter of the program.
    fn state(&mut self) -> String {
        match self.dice.percent(50) {
            true => self.binding(|it| it.starts_with("program.")),
            false => self.binding(|it| it.starts_with("state.")),
        }
    }

    /// A constant between braces.
    fn braces(&mut self) -> String {
        let numbers: Vec<String> = (0..1 + self.dice.below(4))
            .map(|_| self.signed_number())
            .collect();
        format!("{{{}}}", numbers.join(", "))
    }

    fn signed_number(&mut self) -> String {
        let sign = self.dice.pick(&["", "", "-", "+"]);
        format!("{sign}{}", self.dice.pick(&NUMBERS))
    }

    /// The value that a single parameter is declared with.
    pub(super) fn declared_value(&mut self) -> String {
        match self.dice.below(4) {
            0 => self.signed_number(),
            1 => self.braces(),
            _ => self.state(),
        }
    }

    /// An item of a parameter array, and how many vectors it is.
    pub(super) fn item(&mut self) -> (String, usize) {
        let first = self.dice.below(20);
        let last = first + self.dice.below(4);
        match self.dice.below(4) {
            0 => (format!("program.local[{first}..{last}]"), last - first + 1),
            1 => {
                let matrix = self
                    .dice
                    .pick(&["mvp", "projection", "modelview", "texture[1]"]);
                let first = self.dice.below(4);
                let last = first + self.dice.below(4 - first);
                let text = format!("state.matrix.{matrix}.row[{first}..{last}]");
                (text, last - first + 1)
            }
            _ => (self.declared_value(), 1),
        }
    }

    /// The same, with parameters that only the item `place` of the array `number` has.
    pub(super) fn own_item(&mut self, number: usize, place: usize) -> (String, usize) {
        let first = number * OWN + place * OWN / 4;
        let last = first + self.dice.below(OWN / 4);
        match self.dice.below(4) {
            0 => (self.signed_number(), 1),
            1 => (self.braces(), 1),
            2 if number < 8 && place == 0 => (format!("state.matrix.program[{number}]"), 4),
            _ => (format!("program.env[{first}..{last}]"), last - first + 1),
        }
    }

    /// Where a result goes.
    pub(super) fn result(&mut self) -> String {
        let register = match self.dice.below(10) {
            0..=5 => self.one_of(|it| &it.temps),
            6..=7 if !self.outputs.is_empty() => self.one_of(|it| &it.outputs),
            _ => self.output(),
        };
        if self.dice.percent(45) {
            return register;
        }
        let letters = self.letters.chars();
        let mask: String = letters.filter(|_| self.dice.percent(50)).collect();
        match mask.is_empty() {
            true => register,
            false => format!("{register}.{mask}"),
        }
    }

    /// Something that can be read, without sign and swizzle.
    pub(super) fn register(&mut self) -> String {
        match self.dice.below(12) {
            0..=3 => self.one_of(|it| &it.temps),
            4 if !self.inputs.is_empty() => self.one_of(|it| &it.inputs),
            5 if !self.params.is_empty() => self.one_of(|it| &it.params),
            6..=8 if !self.arrays.is_empty() => self.element(),
            9 => self.state(),
            10 => self.braces(),
            _ => self.input(),
        }
    }

    /// An element of an array.
    fn element(&mut self) -> String {
        let array = self.dice.below(self.arrays.len());
        let relative = self.arrays[array].relative && !self.addresses.is_empty();
        let length = self.arrays[array].length;
        let index = match relative && self.dice.percent(70) {
            false => self.dice.below(length).to_string(),
            true => {
                let address = self.one_of(|it| &it.addresses);
                let offset = self.dice.weighted(&[
                    (8, ""),
                    (3, "+1"),
                    (2, "-1"),
                    (1, " + 0"),
                    (1, "+63"),
                    (1, " - 64"),
                ]);
                format!("{address}.x{offset}")
            }
        };
        format!("{}[{index}]", self.arrays[array].name)
    }

    /// A source of which all components count.
    pub(super) fn vector(&mut self) -> String {
        let sign = self.sign();
        if self.dice.percent(4) {
            return format!("{sign}{}", self.dice.pick(&NUMBERS));
        }
        let register = self.register();
        let swizzle = match self.dice.below(4) {
            0..=1 => String::new(),
            2 => format!(".{}", self.letter()),
            _ => format!(
                ".{}{}{}{}",
                self.letter(),
                self.letter(),
                self.letter(),
                self.letter()
            ),
        };
        format!("{sign}{register}{swizzle}")
    }

    /// A source of which one component counts.
    pub(super) fn scalar(&mut self) -> String {
        format!("{}{}.{}", self.sign(), self.register(), self.letter())
    }

    /// The number that an address is loaded with: mostly a place near the start of arrays, as other values are
    /// beyond their ends.
    pub(super) fn place(&mut self) -> String {
        match self.dice.percent(75) {
            true => format!("{{{}}}.x", self.dice.below(4)),
            false => self.scalar(),
        }
    }

    fn sign(&mut self) -> &'static str {
        self.dice.pick(&["", "", "", "-", "+"])
    }

    fn letter(&mut self) -> char {
        let place = self.dice.below(4);
        char::from(self.letters.as_bytes()[place])
    }

    /// The choice of SWZ for a component.
    pub(super) fn selector(&mut self) -> String {
        let sign = self.sign();
        match self.dice.below(6) {
            0 => format!("{sign}0"),
            1 => format!("{sign}1"),
            _ => format!("{sign}{}", self.letter()),
        }
    }
}
