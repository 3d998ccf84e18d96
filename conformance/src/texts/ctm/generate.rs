//! Random programs that keep all rules of the language.
//!
//! A line has its registers and sums before its operands, so that it stays within the hardware's limits. Operations
//! come from the front end's table.

use attila_shader::front::ctm::{CtmOpcode, CtmOpcodeInfo, File, OPCODES, Unit};

use crate::dice::Dice;

/// A program that has to be taken.
pub fn program(dice: &mut Dice<'_>) -> String {
    let mut statements = Vec::new();
    for _ in 0..1 + dice.below(12) {
        let mut generator = Generator {
            pools: pools(dice),
            dice: &mut *dice,
        };
        match generator.dice.below(7) {
            0 => statements.extend(generator.product()),
            _ => statements.push(generator.line()),
        }
    }
    for number in 0..4 {
        if dice.percent(70) {
            let op = dice.pick(&["min", "max"]);
            let raw = dice.pick(&[".raw", ".raw", ".raw", ""]);
            let moved = format!("{op}{raw} o{} = t{number}, t{number}", 5 + number);
            statements.push(format!("rgb {moved} ; alpha {moved}"));
        }
    }
    for number in 0..4 {
        let word = dice.pick(&["2", "4", "8", "0.5", ".25", "125e-3", "-2", "1"]);
        if dice.percent(30) {
            let words = match dice.percent(80) {
                true => [word; 4],
                false => ["-1e-38", word, "1e-40", "3.4e38"],
            };
            let at = dice.below(statements.len() + 1);
            statements.insert(at, format!("const c{number} = {}", words.join(" ")));
        }
    }
    if dice.percent(25) {
        let at = dice.below(statements.len() + 1);
        statements.insert(at, "option mulz".to_owned());
    }
    let mut text = String::new();
    for statement in statements {
        text.push_str(&statement);
        text.push_str(dice.pick(&["\n", "\n", "\n", " # and so on\n", "\r\n", "\n\n"]));
    }
    text
}

/// The registers and the sum of which a line reads components of a class.
#[derive(Clone)]
struct Pool {
    registers: [String; 3],
    sum: String,
}

fn register(dice: &mut Dice<'_>) -> String {
    let file = dice.weighted(&[(5, File::Temporary), (3, File::Input), (3, File::Constant)]);
    let number = match dice.percent(95) {
        true => dice.below(4),
        false => usize::from(file.size()) - 1,
    };
    format!("{}{number}", file.letter())
}

fn sum(registers: &[String; 3], dice: &mut Dice<'_>) -> String {
    let [p, q] = [0, 1].map(|_| &registers[dice.below(3)]);
    match dice.below(4) {
        0 => format!("bias({p})"),
        1 => format!("inv({p})"),
        2 => format!("add({p}, {q})"),
        _ => format!("sub({p}, {q})"),
    }
}

/// The pools of both classes: often the same.
fn pools(dice: &mut Dice<'_>) -> [Pool; 2] {
    let pool = |dice: &mut Dice<'_>| {
        let registers = [0, 1, 2].map(|_| register(dice));
        let sum = sum(&registers, dice);
        Pool { registers, sum }
    };
    let first = pool(dice);
    let second = match dice.below(3) {
        0 => pool(dice),
        1 => Pool {
            sum: sum(&first.registers, dice),
            ..first.clone()
        },
        _ => first.clone(),
    };
    [first, second]
}

struct Generator<'d, 'a> {
    /// Of r, g and b, and of a.
    pools: [Pool; 2],
    dice: &'d mut Dice<'a>,
}

impl Generator<'_, '_> {
    fn line(&mut self) -> String {
        let rgb = self.operation(Unit::Rgb);
        let mut alpha = self.operation(Unit::Alpha);
        while rgb == CtmOpcode::Sop && !alpha.is_scalar() {
            alpha = self.operation(Unit::Alpha);
        }
        if rgb == CtmOpcode::Dp4 {
            alpha = CtmOpcode::Dp;
        } else if alpha == CtmOpcode::Dp && !rgb.is_dot_product() {
            alpha = CtmOpcode::Nop;
        }
        let operands = |opcode: CtmOpcode| match (opcode, rgb) {
            (CtmOpcode::Dp, CtmOpcode::Dp4) => 2,
            _ => opcode.info().operands,
        };
        let halves = [(Unit::Rgb, rgb), (Unit::Alpha, alpha)];
        let [rgb_half, alpha_half] =
            halves.map(|(unit, opcode)| self.half(unit, opcode, operands(opcode)));
        let is_bound = matches!(alpha, CtmOpcode::Dp) || matches!(rgb, CtmOpcode::Sop);
        match self.dice.below(5) {
            0 if !is_bound => rgb_half,
            1 if !is_bound => alpha_half,
            2 => format!("{alpha_half} ; {rgb_half}"),
            _ => format!("{rgb_half};{alpha_half}"),
        }
    }

    /// A result, and a multiplication of it, perhaps with a line in between.
    fn product(&mut self) -> Vec<String> {
        let unit = self.dice.pick(&Unit::ALL);
        // Extreme numbers often come from outside as they are.
        let mut opcode = match self.dice.percent(40) {
            true => self.dice.pick(&[CtmOpcode::Min, CtmOpcode::Max]),
            false => self.operation(unit),
        };
        while opcode.info().inst.is_none() || opcode == CtmOpcode::Dp4 {
            opcode = self.operation(unit);
        }
        let suffixes = self.suffixes(opcode);
        let sources = self.sources(unit, opcode, opcode.info().operands);
        let first = format!("{} {}{suffixes} t3{sources}", unit.word(), opcode);
        let factor = self.dice.pick(&["c0", "c1", "half", "1", "c3"]);
        let [a, b] = self.dice.pick(&[["t3", factor], [factor, "t3"]]);
        let zero = self.dice.pick(&["0", "-0", "-0", "-0", "-half"]);
        let suffixes = self.suffixes(CtmOpcode::Mad);
        let to = self.dice.pick(&["t3", "t3", "t2", "o4"]);
        let second = format!("{} mad{suffixes} {to} = {a}, {b}, {zero}", unit.word());
        let mut lines = vec![first];
        if self.dice.percent(30) {
            lines.push(self.line());
        }
        lines.push(second);
        lines
    }

    fn operation(&mut self, unit: Unit) -> CtmOpcode {
        let rows = OPCODES.iter().filter(|row| row.units.has(unit));
        let rows: Vec<&CtmOpcodeInfo> = rows.collect();
        rows[self.dice.below(rows.len())].opcode
    }

    fn suffixes(&mut self, opcode: CtmOpcode) -> String {
        let mut suffixes = String::new();
        if opcode.is_choice() && self.dice.percent(30) {
            suffixes.push_str(".raw");
        } else if self.dice.percent(50) {
            suffixes.push_str(self.dice.pick(&[".x2", ".x4", ".x8", ".d2", ".d4", ".d8"]));
        }
        if self.dice.percent(25) {
            match self.dice.percent(80) {
                true => suffixes.push_str(".sat"),
                false => suffixes.insert_str(0, ".sat"),
            }
        }
        suffixes
    }

    fn half(&mut self, unit: Unit, opcode: CtmOpcode, operands: usize) -> String {
        let suffixes = self.suffixes(opcode);
        let start = format!("{} {opcode}{suffixes}", unit.word());
        if opcode == CtmOpcode::Nop {
            return start;
        }
        let register = match self.dice.below(8) {
            0 => "_".to_owned(),
            1..=2 => format!("o{}", self.dice.below(4)),
            _ => format!("t{}", self.dice.below(5)),
        };
        let mask = match unit {
            _ if register == "_" => "",
            Unit::Rgb => {
                let masks = ["", "", ".r", ".g", ".b", ".rg", ".rb", ".gb", ".rgb"];
                self.dice.pick(&masks)
            }
            Unit::Alpha => self.dice.pick(&["", ".a"]),
        };
        let sources = self.sources(unit, opcode, operands);
        format!("{start} {register}{mask}{sources}")
    }

    fn sources(&mut self, unit: Unit, opcode: CtmOpcode, count: usize) -> String {
        let mut sources: Vec<String> = (0..count).map(|_| self.source(unit)).collect();
        if opcode.is_derivative() {
            let pool = match unit {
                Unit::Rgb => 0,
                Unit::Alpha => 1,
            };
            let number = self.dice.below(3);
            let register = self.pools[pool].registers[number].clone();
            sources[0] = self.signed(register.clone());
            sources[2] = self.signed(register);
        }
        match sources.is_empty() {
            true => String::new(),
            false => format!(" = {}", sources.join(", ")),
        }
    }

    /// A value with a sign, perhaps.
    fn signed(&mut self, value: String) -> String {
        let value = match self.dice.percent(25) {
            true => format!("abs({value})"),
            false => value,
        };
        match self.dice.percent(35) {
            true => format!("-{value}"),
            false => value,
        }
    }

    fn source(&mut self, unit: Unit) -> String {
        if self.dice.percent(15) {
            let number = self.dice.pick(&["0", "half", "1"]).to_owned();
            return self.signed(number);
        }
        let own = match unit {
            Unit::Rgb => 0,
            Unit::Alpha => 1,
        };
        let pool = match self.dice.percent(70) {
            true => own,
            false => 1 - own,
        };
        let value = match self.dice.percent(20) {
            true => self.pools[pool].sum.clone(),
            false => {
                let number = self.dice.below(3);
                self.pools[pool].registers[number].clone()
            }
        };
        let has = |pool: &Pool| pool.sum == value || pool.registers.contains(&value);
        let [rgb, alpha] = [has(&self.pools[0]), has(&self.pools[1])];
        let is_default = [rgb, alpha][own] && self.dice.percent(40);
        if is_default {
            return self.signed(value);
        }
        let letters = match (rgb, alpha) {
            (true, true) => "rrggbbaa0h1",
            (true, false) => "rrggbb0h1",
            (false, _) => "aaa0h1",
        };
        let count = match unit {
            Unit::Rgb => 3,
            Unit::Alpha => 1,
        };
        let mut select = String::new();
        for _ in 0..count {
            let letter = self.dice.below(letters.len());
            select.push_str(&letters[letter..=letter]);
        }
        if self.dice.percent(20) {
            select = select[..1].repeat(count);
        }
        self.signed(format!("{value}.{select}"))
    }
}
