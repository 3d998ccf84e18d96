//! Random programs that keep all rules of their language, in each of its dialects.
//!
//! Opcodes come from the table of the front end, as far as the evaluator has them. Temporaries hold floats or words,
//! never both, so that no word is a NaN that arithmetic made.

mod doubles;
mod operands;
mod statements;
mod textures;

use attila_shader::front::tgsi::{Dialect, OPCODES, Role, Target, TgsiOpcodeInfo, Type};

use super::evaluator::computes;
use crate::dice::Dice;

/// Constants of buffer 0, and of buffer 1 where there is one.
const CONSTANTS: usize = 12;
/// Registers of an array.
const ARRAY: usize = 4;
/// Vectors of IMMX.
const VECTORS: usize = 4;

/// A program that has to be taken.
pub fn program(dice: &mut Dice<'_>) -> String {
    // T23 has most instructions.
    let dialect = dice.weighted(&[(1, Dialect::T7), (1, Dialect::T10), (3, Dialect::T23)]);
    let focus = dice.weighted(&[(4, Focus::None), (1, Focus::Doubles), (1, Focus::Textures)]);
    let doubles = match focus {
        Focus::Doubles => 2,
        Focus::None | Focus::Textures => dice.weighted(&[(4, 0), (2, 1), (3, 3)]),
    };
    let mut generator = Generator {
        dialect,
        is_fragment: dice.percent(60),
        rows: rows(dialect, doubles > 0, focus),
        focus,
        doubles,
        units: Vec::new(),
        system_values: 0,
        masks: false,
        elsewhere: "",
        floats: 2 + dice.below(5),
        words: 1 + dice.below(4),
        inputs: 2 + dice.below(5),
        outputs: 2 + dice.below(5),
        buffers: 1 + dice.below(2),
        relative: dice.percent(50),
        deep: dice.percent(60),
        counters: 0,
        immediates: Vec::new(),
        routines: dice.below(3),
        routine: 0,
        lines: Vec::new(),
        left: dice.weighted(&[(8, 12), (4, 30), (1, 60)]),
        depth: 0,
        loops: 0,
        has_returned: false,
        dice,
    };
    generator.choose_units();
    generator.choose_system_values();
    if generator.is_fragment {
        // Floats that an address writes to outputs would be masks, too.
        generator.masks = generator.dice.percent(25) && !generator.relative;
        if dialect == Dialect::T23 {
            generator.elsewhere = generator.dice.pick(&["", "", "", ", CENTROID", ", SAMPLE"]);
        }
    }
    generator.first_immediates();
    generator.body();
    generator.text()
}

/// The opcodes that compute a result of their sources, and that the dialect has.
fn rows(dialect: Dialect, has_doubles: bool, focus: Focus) -> Vec<&'static TgsiOpcodeInfo> {
    let rows = OPCODES.iter().filter(|row| {
        let is_address = ["ARL", "ARR", "UARL", "ARA"].contains(&row.name);
        row.role == Role::Plain
            && row.dialects.contains(&dialect)
            && computes(row.opcode)
            && !is_address
            && (has_doubles || !doubles::has_doubles(row))
            && (focus != Focus::Doubles || doubles::has_doubles(row))
    });
    rows.collect()
}

/// The instructions that a text has more of: faults of a single one do not show among all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Focus {
    None,
    Doubles,
    Textures,
}

struct Generator<'d, 'a> {
    dice: &'d mut Dice<'a>,
    dialect: Dialect,
    is_fragment: bool,
    rows: Vec<&'static TgsiOpcodeInfo>,
    focus: Focus,
    /// Temporaries that hold floats: the first ones.
    floats: usize,
    /// Temporaries that hold words: the next ones, or those of TEMPX\[0].
    words: usize,
    /// Temporaries that hold doubles: those after the arrays, or those of TEMPX\[2].
    doubles: usize,
    /// The target of each texture unit.
    units: Vec<Target>,
    /// System values of dialects other than T7.
    system_values: usize,
    /// Whether a fragment program has a mask of samples after its other outputs.
    masks: bool,
    /// The place of inputs, as the end of a declaration.
    elsewhere: &'static str,
    inputs: usize,
    outputs: usize,
    buffers: usize,
    /// Whether registers are addressed relatively.
    relative: bool,
    /// Whether there are statements within statements.
    deep: bool,
    /// The words that count turns of loops, after the others.
    counters: usize,
    /// The immediates, with their types.
    immediates: Vec<String>,
    /// Subroutines; each calls later ones only.
    routines: usize,
    /// The number of the subroutine that is written, from 1 on; 0 for the main program.
    routine: usize,
    /// The instructions. `:@n` stands for the place of subroutine n.
    lines: Vec<String>,
    /// Statements that the main program or a subroutine still gets.
    left: usize,
    depth: usize,
    loops: usize,
    /// Whether lanes may have ended.
    has_returned: bool,
}

impl Generator<'_, '_> {
    /// The immediates that relative addresses choose from; the first has the words that loops count with.
    fn first_immediates(&mut self) {
        self.immediates.push("UINT32 { 0, 1, 3, 2 }".to_owned());
        for _ in 0..4 {
            let kind = self.dice.pick(&[Type::Float, Type::Int]);
            self.immediate(kind);
        }
    }

    fn body(&mut self) {
        self.begin();
        while self.left > 0 {
            self.statement();
        }
        self.finish();
        self.lines.push("END".to_owned());
        for routine in 1..=self.routines {
            self.routine = routine;
            self.left = 1 + self.dice.below(5);
            self.lines.push("BGNSUB".to_owned());
            while self.left > 0 {
                self.statement();
            }
            self.lines.push("ENDSUB".to_owned());
        }
    }

    /// Sets addresses: ADDR\[1] is between 0 and 3.
    fn begin(&mut self) {
        // An opcode that only early dialects have tells T10 from T23.
        if self.dialect == Dialect::T10 {
            self.lines.push("ABS TEMP[0], TEMP[0]".to_owned());
        }
        let (float, word) = (self.float(0), self.word(0));
        let input = self.word_input();
        self.lines.push(format!("AND {word}, {input}, IMM[0].zzzz"));
        self.lines.push(format!("I2F {float}, {word}"));
        self.lines.push(format!("ARL ADDR[1], {float}"));
        self.lines
            .push(format!("ARL ADDR[0], IN[{}]", self.dice.below(self.inputs)));
        for n in 0..self.floats {
            let (float, input) = (self.float(n), self.dice.below(self.inputs));
            self.lines.push(format!("MOV {float}, IN[{input}]"));
        }
        for n in 0..self.doubles {
            let (double, input) = (self.double_register(n), self.word_input());
            self.lines.push(format!("MOV {double}, {input}"));
        }
    }

    /// Makes outputs of all temporaries in most programs, so that little in them is in vain.
    fn finish(&mut self) {
        if self.dice.percent(20) {
            return;
        }
        let (float, word) = (self.float(0), self.word(0));
        for n in 1..self.floats {
            let other = self.float(n);
            self.lines.push(format!("ADD {float}, {float}, {other}"));
        }
        for n in 1..self.words {
            let other = self.word(n);
            self.lines.push(format!("XOR {word}, {word}, {other}"));
        }
        for n in 0..self.doubles {
            let other = self.double_register(n);
            self.lines.push(format!("XOR {word}, {word}, {other}"));
        }
        self.lines.push(format!("MOV OUT[0], {float}"));
        self.lines.push(format!("MOV OUT[1], {word}"));
        if self.masks {
            let mask = self.outputs;
            self.lines.push(format!("MOV OUT[{mask}].x, {word}"));
        }
    }

    fn text(mut self) -> String {
        let starts: Vec<usize> = (0..self.lines.len())
            .filter(|at| self.lines[*at] == "BGNSUB")
            .collect();
        let mut text = self.declarations();
        let is_numbered = self.dice.percent(30);
        for (at, line) in self.lines.iter().enumerate() {
            let mut line = line.clone();
            for (routine, start) in starts.iter().enumerate() {
                line = line.replace(&format!(":@{}", routine + 1), &format!(":{start}"));
            }
            match is_numbered {
                true => text += &format!("{at:>3}: {line}\n"),
                false => text += &format!("{line}\n"),
            }
        }
        text
    }

    fn declarations(&mut self) -> String {
        let mut text = match self.is_fragment {
            true => "FRAG\n".to_owned(),
            false => "VERT\n".to_owned(),
        };
        let mut add = |line: String| text += &format!("{line}\n");
        if self.dialect == Dialect::T23 && self.dice.percent(15) {
            add("PROPERTY LEGACY_MATH_RULES 1".to_owned());
        }
        if self.is_fragment {
            if self.dice.percent(20) {
                add("PROPERTY FS_COORD_ORIGIN LOWER_LEFT".to_owned());
            }
            if self.dice.percent(20) {
                add("PROPERTY FS_COORD_PIXEL_CENTER INTEGER".to_owned());
            }
        }
        for number in 0..self.inputs {
            add(self.input(number));
        }
        for number in 0..self.outputs {
            add(self.output(number));
        }
        if self.masks {
            add(format!("DCL OUT[{}], SAMPLEMASK", self.outputs));
        }
        add(format!("DCL CONST[0..{}]", CONSTANTS - 1));
        if self.buffers > 1 {
            add(format!("DCL CONST[1][0..{}]", CONSTANTS - 1));
        }
        add("DCL ADDR[0..1]".to_owned());
        self.temporaries().into_iter().for_each(&mut add);
        self.texture_declarations().into_iter().for_each(&mut add);
        self.system_values().into_iter().for_each(&mut add);
        if self.dialect == Dialect::T7 {
            add(self.vectors());
        }
        for (number, immediate) in self.immediates.iter().enumerate() {
            add(format!("IMM[{number}] {immediate}"));
        }
        text
    }

    fn input(&self, number: usize) -> String {
        let semantic = match (self.is_fragment, number) {
            (false, _) => return format!("DCL IN[{number}]"),
            (true, 1) => "POSITION, LINEAR".to_owned(),
            (true, 2) => "FACE, CONSTANT".to_owned(),
            (true, 3) => format!("FOG, PERSPECTIVE{}", self.elsewhere),
            (true, _) => format!("GENERIC[{number}], PERSPECTIVE{}", self.elsewhere),
        };
        format!("DCL IN[{number}], {semantic}")
    }

    fn choose_system_values(&mut self) {
        let most = if self.is_fragment { 4 } else { 2 };
        if self.dialect != Dialect::T7 {
            self.system_values = self.dice.below(most + 1);
        }
    }

    /// Values of the system that are words.
    fn system_values(&self) -> Vec<String> {
        let names: &[&str] = match self.is_fragment {
            true => &["FACE", "SAMPLEID", "SAMPLEMASK", "HELPER_INVOCATION"],
            false => &["VERTEXID", "INSTANCEID"],
        };
        let names = names.iter().enumerate().take(self.system_values);
        names
            .map(|(number, name)| format!("DCL SV[{number}], {name}"))
            .collect()
    }

    /// The vectors of the text that relative addresses choose from in T7.
    fn vectors(&mut self) -> String {
        let vectors: Vec<String> = (0..VECTORS)
            .map(|_| {
                let numbers = [0; 4].map(|_| format!("{:.3}", self.dice.within(-8.0, 8.0)));
                format!("{{ {} }}", numbers.join(", "))
            })
            .collect();
        format!("DCL IMMX[0..{}] {{{}}}", VECTORS - 1, vectors.join(", "))
    }

    /// An output, some with a part of its components. A depth is one component anyway.
    fn output(&mut self, number: usize) -> String {
        let semantic = match (self.is_fragment, number) {
            (true, 2) => return "DCL OUT[2], POSITION".to_owned(),
            (true, _) => format!("COLOR[{number}]"),
            (false, 0) => "POSITION".to_owned(),
            (false, 2) => "COLOR".to_owned(),
            (false, 3) => "BCOLOR[1]".to_owned(),
            (false, _) => format!("GENERIC[{number}]"),
        };
        let mask = match self.dice.percent(20) {
            true => self.mask(),
            false => String::new(),
        };
        format!("DCL OUT[{number}]{mask}, {semantic}")
    }

    fn temporaries(&self) -> Vec<String> {
        let (floats, words) = (self.floats, self.words + self.counters);
        if self.dialect == Dialect::T7 {
            let mut lines = vec![
                "DCL PRED[0..1]".to_owned(),
                format!("DCL TEMP[0..{}]", floats + ARRAY - 1),
                format!("DCL TEMPX[0][0..{}]", words - 1),
                format!("DCL TEMPX[1][0..{}]", ARRAY - 1),
            ];
            if self.doubles > 0 {
                lines.push(format!("DCL TEMPX[2][0..{}]", self.doubles - 1));
            }
            return lines;
        }
        let mut lines = vec![format!("DCL TEMP[0..{}]", floats - 1)];
        let first = self.first_word();
        let last = first + words - 1;
        lines.push(format!("DCL TEMP[{}..{last}]", first - self.doubles));
        for array in 1..=2 {
            let start = self.array_start(array);
            lines.push(format!(
                "DCL TEMP[{start}..{}], ARRAY({array})",
                start + ARRAY - 1
            ));
        }
        lines
    }

    /// The first register of an array of floats, 1, or words, 2.
    fn array_start(&self, array: usize) -> usize {
        self.floats + (array - 1) * ARRAY
    }

    /// The first temporary that holds words, where TEMP has them.
    fn first_word(&self) -> usize {
        self.floats + 2 * ARRAY + self.doubles
    }

    /// A temporary of doubles.
    fn double_register(&self, number: usize) -> String {
        match self.dialect == Dialect::T7 {
            true => format!("TEMPX[2][{number}]"),
            false => format!("TEMP[{}]", self.floats + 2 * ARRAY + number),
        }
    }

    /// A temporary of floats.
    fn float(&self, number: usize) -> String {
        format!("TEMP[{number}]")
    }

    /// A temporary of words.
    fn word(&self, number: usize) -> String {
        match self.dialect == Dialect::T7 {
            true => format!("TEMPX[0][{number}]"),
            false => format!("TEMP[{}]", self.first_word() + number),
        }
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::front::tgsi::{self, Options};

    use super::*;
    use crate::dice::case_rng;

    #[test]
    fn programs_are_taken_and_some_are_long() {
        let mut lengths = Vec::new();
        let mut dialects = std::collections::BTreeSet::new();
        for index in 0..2000 {
            let text = program(&mut Dice::new(&mut case_rng(8, index)));
            match tgsi::compile(&text, &Options::default()) {
                Ok(translation) => {
                    lengths.push(translation.program.insts().len());
                    dialects.insert(translation.details.dialect);
                }
                Err(error) => panic!("{error}\nin\n{text}"),
            }
        }
        let most = lengths.iter().max();
        assert!(most.is_some_and(|most| *most > 100), "{most:?}");
        assert_eq!(dialects.len(), Dialect::ALL.len());
    }
}
