//! Random programs that keep all rules of their language.
//!
//! Instructions, bindings, options and texture targets come from the tables of the front end, so that
//! a new row comes up at once.

mod names;
mod operands;

use attila_shader::front::arb::ArbStage;

use self::names::Names;
use crate::dice::Dice;
use attila_shader::front::arb::{ArbOpcodeInfo, Form, OPCODES, Options, Profile, tables};

/// With so many temporaries, no more are declared: there are 32 registers, and instructions and
/// options need some for themselves.
const TEMPORARIES: usize = 20;
/// Units that are sampled, so that some are sampled several times.
const UNITS: usize = 5;

/// A program that has to be taken.
pub fn program(dice: &mut Dice<'_>) -> String {
    let stage = dice.pick(&[ArbStage::Vertex, ArbStage::Fragment]);
    let mut generator = Generator {
        stage,
        profile: Profile::default(),
        options: Options::default(),
        generic: dice.percent(40),
        letters: match stage == ArbStage::Fragment && dice.percent(40) {
            true => "rgba",
            false => "xyzw",
        },
        names: Names::new(stage),
        temps: Vec::new(),
        addresses: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        params: Vec::new(),
        arrays: Vec::new(),
        targets: [None; UNITS],
        statements: Vec::new(),
        dice,
    };
    generator.options();
    generator.declarations();
    generator.instructions();
    generator.sum();
    generator.text()
}

/// A parameter array.
struct Array {
    name: String,
    length: usize,
    /// Whether it may be addressed relatively: no parameter of it is in another such array.
    relative: bool,
}

struct Generator<'d, 'a> {
    dice: &'d mut Dice<'a>,
    stage: ArbStage,
    profile: Profile,
    options: Options,
    /// Whether vertex attributes go by their numbers: the other names may be the same ones.
    generic: bool,
    /// The letters of components.
    letters: &'static str,
    names: Names,
    temps: Vec<String>,
    addresses: Vec<String>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// Names of single parameters.
    params: Vec<String>,
    arrays: Vec<Array>,
    /// The target that each unit is sampled as.
    targets: [Option<&'static str>; UNITS],
    statements: Vec<String>,
}

impl Generator<'_, '_> {
    fn options(&mut self) {
        let names: Vec<&'static str> = tables::options(self.stage).collect();
        for name in names {
            let wanted = self.dice.percent(15);
            if wanted && self.options.turn_on(name, self.stage).is_ok() {
                self.statements.push(format!("OPTION {name}"));
            }
        }
    }

    fn declarations(&mut self) {
        let most = self.dice.weighted(&[(4, 3), (1, 9)]);
        for _ in 0..1 + self.dice.below(most) {
            if self.temps.len() < TEMPORARIES {
                self.temporaries();
            }
        }
        if self.stage == ArbStage::Vertex && self.dice.percent(60) {
            let name = self.names.next(self.dice);
            self.address(name);
        }
        for _ in 0..self.dice.below(12) {
            self.declaration();
        }
    }

    fn temporaries(&mut self) {
        let count = 1 + self.dice.below(3);
        let names: Vec<String> = (0..count).map(|_| self.names.next(self.dice)).collect();
        self.statements.push(format!("TEMP {}", names.join(", ")));
        self.temps.extend(names);
    }

    fn declaration(&mut self) {
        let name = self.names.next(self.dice);
        match self.dice.below(9) {
            0..=1 => {
                let binding = self.input();
                self.statements.push(format!("ATTRIB {name} = {binding}"));
                self.inputs.push(name);
            }
            2 => {
                let binding = self.output();
                self.statements.push(format!("OUTPUT {name} = {binding}"));
                self.outputs.push(name);
            }
            3..=4 => {
                let value = self.declared_value();
                self.statements.push(format!("PARAM {name} = {value}"));
                self.params.push(name);
            }
            5..=6 => self.array(name),
            7 if self.stage == ArbStage::Vertex && self.addresses.len() < 2 => {
                self.address(name);
            }
            _ => {
                let temp = self.one_of(|it| &it.temps);
                self.statements.push(format!("ALIAS {name} = {temp}"));
                self.temps.push(name);
            }
        }
    }

    fn address(&mut self, name: String) {
        self.statements.push(format!("ADDRESS {name}"));
        if self.dice.percent(70) {
            let place = self.place();
            self.statements.push(format!("ARL {name}.x, {place}"));
        }
        self.addresses.push(name);
    }

    /// A parameter array. Those that may be addressed relatively have parameters that no other has.
    fn array(&mut self, name: String) {
        let (mut items, mut length) = (Vec::new(), 0);
        let relative = self.dice.percent(60);
        let number = self.arrays.len();
        for place in 0..1 + self.dice.below(4) {
            let (item, count) = match relative {
                true => self.own_item(number, place),
                false => self.item(),
            };
            items.push(item);
            length += count;
        }
        let size = match self.dice.percent(50) {
            true => length.to_string(),
            false => String::new(),
        };
        let items = items.join(", ");
        self.statements
            .push(format!("PARAM {name}[{size}] = {{ {items} }}"));
        self.arrays.push(Array {
            name,
            length,
            relative,
        });
    }

    fn instructions(&mut self) {
        let rows = OPCODES.iter().filter(|row| row.stages.has(self.stage));
        let rows: Vec<&ArbOpcodeInfo> = rows.collect();
        let most = self.dice.weighted(&[(8, 12), (4, 30), (1, 80)]);
        for _ in 0..1 + self.dice.below(most) {
            let row = self.dice.pick(&rows);
            if row.form == Form::Address && self.addresses.is_empty() {
                continue;
            }
            let statement = self.instruction(row);
            self.statements.push(statement);
            // Names may be declared anywhere before their first use.
            if self.dice.percent(4) {
                self.declaration();
            }
        }
    }

    /// Makes a result of all temporaries in most programs, so that little in them is in vain.
    fn sum(&mut self) {
        if self.dice.percent(25) {
            return;
        }
        let (first, others) = (self.temps[0].clone(), self.temps[1..].to_vec());
        for temp in others {
            self.statements
                .push(format!("ADD {first}, {first}, {temp}"));
        }
        let output = self.output();
        self.statements.push(format!("MOV {output}, {first}"));
    }

    fn instruction(&mut self, row: &ArbOpcodeInfo) -> String {
        let mut parts = Vec::new();
        match row.form {
            Form::Kill => {}
            Form::Address => parts.push(format!("{}.x", self.one_of(|it| &it.addresses))),
            Form::Vectors(_) | Form::Scalars(_) | Form::Selectors | Form::Sample => {
                parts.push(self.result());
            }
        }
        match row.form {
            Form::Vectors(count) => parts.extend((0..count).map(|_| self.vector())),
            Form::Scalars(count) => parts.extend((0..count).map(|_| self.scalar())),
            Form::Address => parts.push(self.place()),
            Form::Kill => parts.push(self.vector()),
            Form::Selectors => {
                parts.push(self.register());
                parts.extend((0..4).map(|_| self.selector()));
            }
            Form::Sample => {
                parts.push(self.vector());
                parts.extend(self.texture());
            }
        }
        let saturates = self.stage == ArbStage::Fragment && row.opcode.has_saturated_form();
        let suffix = match saturates && self.dice.percent(25) {
            true => "_SAT",
            false => "",
        };
        format!("{}{suffix} {}", row.name, parts.join(", "))
    }

    /// A unit and its target, which is the same whenever it is sampled.
    fn texture(&mut self) -> [String; 2] {
        let unit = self.dice.below(UNITS);
        let shadow = self.options.shadow;
        let words = tables::targets().filter(|word| shadow || !word.starts_with("SHADOW"));
        let words: Vec<&'static str> = words.collect();
        let chosen = self.dice.pick(&words);
        let target = *self.targets[unit].get_or_insert(chosen);
        let unit = match unit == 0 && self.dice.percent(50) {
            true => "texture".to_owned(),
            false => format!("texture[{unit}]"),
        };
        [unit, target.to_owned()]
    }

    /// One of a list that is not empty.
    fn one_of(&mut self, list: impl Fn(&Self) -> &Vec<String>) -> String {
        let place = self.dice.below(list(self).len());
        list(self)[place].clone()
    }

    /// The statements, laid out in one of several ways.
    fn text(self) -> String {
        let header = match self.stage {
            ArbStage::Vertex => "!!ARBvp1.0",
            ArbStage::Fragment => "!!ARBfp1.0",
        };
        let end = self.dice.pick(&["\n", "\n", "\n", "\r\n"]);
        let between = self.dice.pick(&[end, end, " ", "", " # ;\n"]);
        let mut text = format!("{header}{end}");
        for statement in &self.statements {
            text += &format!("{statement};{between}");
        }
        text + "END" + self.dice.pick(&["", end, " END", "\nMOV"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::case_rng;
    use attila_shader::front::arb;

    #[test]
    fn programs_are_taken_and_some_are_long() {
        let mut lengths = Vec::new();
        for index in 0..2000 {
            let text = program(&mut Dice::new(&mut case_rng(8, index)));
            match arb::compile(&text, &Profile::default()) {
                Ok(translation) => lengths.push(translation.program.insts().len()),
                Err(error) => panic!("{error}\nin\n{text}"),
            }
        }
        let most = lengths.iter().max();
        assert!(most.is_some_and(|most| *most > 50), "{most:?}");
    }
}
