//! Random statements.

use attila_shader::front::tgsi::{Dialect, Operand, Saturation, TgsiOpcodeInfo, Type};

use super::doubles::has_doubles;
use super::operands::Kind;
use super::{Focus, Generator};

/// Statements within each other.
const DEPTH: usize = 3;

pub(super) fn kind_of(kind: Type, untyped: Kind) -> Kind {
    match kind {
        Type::Float => Kind::Floats,
        Type::Double => Kind::Doubles,
        Type::Int | Type::Uint => Kind::Words,
        Type::Untyped => untyped,
    }
}

impl Generator<'_, '_> {
    fn is_early(&self) -> bool {
        self.dialect != Dialect::T23
    }

    pub(super) fn push(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds a statement.
    pub(super) fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.focus == Focus::Textures && self.dice.percent(60) {
            return self.look_up();
        }
        let may_nest = self.deep && self.depth < DEPTH;
        match self.dice.below(100) {
            0..=5 => self.set_address(),
            6..=8 if self.is_fragment => self.kill(),
            9..=13 if self.depth == 0 && self.routine == 0 && !self.has_returned => {
                self.derivative();
            }
            14..=17 if self.routine < self.routines => self.call(),
            18..=24 if may_nest => self.choice(),
            25..=29 if may_nest && self.loops < 2 => self.repeat(),
            30..=33 if may_nest => self.switch(),
            34..=35 if self.depth > 0 && self.dice.percent(40) => self.leave_all(),
            36 if self.is_early() => self.stack(),
            37..=52 if !self.units.is_empty() => self.look_up(),
            _ => self.plain(),
        }
    }

    /// Some statements within another one.
    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.dice.below(4) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn plain(&mut self) {
        let row = self.dice.pick(&self.rows.clone());
        let line = self.instruction(row);
        self.push(line);
    }

    fn instruction(&mut self, row: &TgsiOpcodeInfo) -> String {
        let untyped = self.dice.pick(&[Kind::Floats, Kind::Words]);
        let Some(result) = row.form.results.first().copied() else {
            return row.name.to_owned();
        };
        let clamp = self.saturation(result);
        let parts = match has_doubles(row) {
            true => self.double_operands(row),
            false => self.operands(row, result, untyped),
        };
        let guard = match self.dialect == Dialect::T7 && self.dice.percent(12) {
            true => {
                let not = self.dice.pick(&["", "!"]);
                format!("({not}PRED[{}].{}) ", self.dice.below(2), self.swizzle())
            }
            false => String::new(),
        };
        let name = match (row.name, self.is_early() && self.dice.percent(50)) {
            ("ISHR", true) => "SHR",
            (name, _) => name,
        };
        let precise = match self.dialect == Dialect::T23 && self.dice.percent(8) {
            true => "_PRECISE",
            false => "",
        };
        let suffix = match clamp {
            Saturation::None => "",
            Saturation::Unsigned => "_SAT",
            Saturation::Signed => "_SATNV",
        };
        format!("{guard}{name}{suffix}{precise} {}", parts.join(", "))
    }

    /// The result and the sources of an instruction.
    fn operands(&mut self, row: &TgsiOpcodeInfo, result: Type, untyped: Kind) -> Vec<String> {
        let mut parts = vec![self.written(kind_of(result, untyped))];
        for source in row.form.sources {
            if let Operand::Value(kind, _) = *source {
                parts.push(self.source(kind_of(kind, untyped)));
            }
        }
        parts
    }

    fn saturation(&mut self, result: Type) -> Saturation {
        let is_float = matches!(result, Type::Float | Type::Untyped);
        if !is_float || self.dice.percent(85) {
            return Saturation::None;
        }
        match self.dialect == Dialect::T7 && self.dice.percent(40) {
            true => Saturation::Signed,
            false => Saturation::Unsigned,
        }
    }

    /// Writes ADDR\[0].
    fn set_address(&mut self) {
        let mask = self.mask();
        let is_new = self.dialect != Dialect::T7;
        let line = match self.dice.below(5) {
            0 if is_new => format!("UARL ADDR[0]{mask}, {}", self.source(Kind::Words)),
            1 if self.is_early() => format!("ARA ADDR[0]{mask}, ADDR[{}]", self.dice.below(2)),
            2 => format!("ARR ADDR[0]{mask}, {}", self.source(Kind::Floats)),
            3 => format!("FLR ADDR[0]{mask}, {}", self.source(Kind::Floats)),
            _ => format!("ARL ADDR[0]{mask}, {}", self.source(Kind::Floats)),
        };
        self.push(line);
    }

    fn kill(&mut self) {
        let [conditional, always] = match self.dialect == Dialect::T7 {
            true => ["KIL", "KILP"],
            false => ["KILL_IF", "KILL"],
        };
        let line = match self.depth > 0 && self.dice.percent(40) {
            true => always.to_owned(),
            false => format!("{conditional} {}", self.source(Kind::Floats)),
        };
        self.push(line);
    }

    fn derivative(&mut self) {
        let mut names = vec!["DDX", "DDY"];
        if self.dialect == Dialect::T23 {
            names.extend(["DDX_FINE", "DDY_FINE"]);
        }
        let is_new = self.dialect == Dialect::T23 && self.is_fragment;
        let name = self.dice.pick(&names);
        let written = self.written(Kind::Floats);
        let input = format!("IN[{}].{}", self.dice.below(self.inputs), self.swizzle());
        let line = match self.dice.below(8) {
            0 if is_new => format!("INTERP_CENTROID {written}, {input}"),
            1 if is_new => format!("INTERP_SAMPLE {written}, {input}, IMM[0]"),
            3 if is_new => format!("READ_HELPER {}", self.written(Kind::Words)),
            2 | 4 | 5 if is_new => {
                let offset = self.source(Kind::Floats);
                format!("INTERP_OFFSET {written}, {input}, {offset}")
            }
            _ => format!("{name} {written}, {}", self.source(Kind::Floats)),
        };
        self.push(line);
    }

    /// A call of a later subroutine.
    fn call(&mut self) {
        let routine = self.routine + 1 + self.dice.below(self.routines - self.routine);
        let line = match self.is_early() && self.dice.percent(30) {
            true => format!("CALLNZ {} :@{routine}", self.scalar(Kind::Words)),
            false => format!("CAL :@{routine}"),
        };
        self.push(line);
    }

    /// The beginning of a conditional statement.
    fn condition(&mut self) -> String {
        let new = if self.dialect == Dialect::T7 {
            "IFC"
        } else {
            "UIF"
        };
        match self.dice.below(3) {
            0 => format!("IF {}", self.scalar(Kind::Floats)),
            _ => format!("{new} {}", self.scalar(Kind::Words)),
        }
    }

    fn choice(&mut self) {
        let line = self.condition();
        self.push(line);
        self.block();
        if self.dice.percent(50) {
            self.push("ELSE");
            self.block();
        }
        self.push("ENDIF");
    }

    /// A loop of at most three turns, as many as a word says in its lowest bits.
    fn repeat(&mut self) {
        let counter = self.word(self.words + self.counters);
        self.counters += 1;
        let limit = self.scalar(Kind::Words);
        self.push(format!("AND {counter}.y, {limit}, IMM[0].zzzz"));
        self.push(format!("MOV {counter}.x, IMM[0].xxxx"));
        self.push("BGNLOOP");
        self.push(format!("USGE {counter}.z, {counter}.xxxx, {counter}.yyyy"));
        match self.is_early() && self.dice.percent(50) {
            true => self.push(format!("BREAKC {counter}.zzzz")),
            false => {
                let test = if self.dialect == Dialect::T7 {
                    "IF"
                } else {
                    "UIF"
                };
                self.push(format!("{test} {counter}.zzzz"));
                self.push("BRK");
                self.push("ENDIF");
            }
        }
        self.push(format!("UADD {counter}.x, {counter}.xxxx, IMM[0].yyyy"));
        self.loops += 1;
        self.block();
        if self.dice.percent(60) {
            let line = self.condition();
            self.push(line);
            self.block();
            let leave = self.dice.pick(&["BRK", "CONT"]);
            self.push(leave);
            self.push("ENDIF");
            self.block();
        }
        self.loops -= 1;
        self.push("ENDLOOP");
    }

    fn switch(&mut self) {
        let value = self.scalar(Kind::Words);
        let masked = self.written_word();
        self.push(format!("AND {masked}, {value}, IMM[0].zzzz"));
        self.push(format!("SWITCH {masked}.xxxx"));
        let default = self.dice.below(6);
        let count = self.dice.below(4);
        for case in 0..=count {
            if case == default {
                self.push("DEFAULT");
                self.end_case();
            }
            if case < count {
                let label = match self.dice.percent(80) {
                    true => format!(
                        "IMM[0].{}",
                        self.dice.pick(&["xxxx", "yyyy", "zzzz", "wwww"])
                    ),
                    false => self.scalar(Kind::Words),
                };
                self.push(format!("CASE {label}"));
                self.end_case();
            }
        }
        self.push("ENDSWITCH");
    }

    /// The body of a CASE, which leads on to the next or leaves.
    fn end_case(&mut self) {
        self.block();
        match self.dice.below(10) {
            0..=5 => self.push("BRK"),
            6 if self.loops > 0 => self.push("CONT"),
            _ => {}
        }
    }

    pub(super) fn written_word(&mut self) -> String {
        let number = self.dice.below(self.words);
        self.word(number)
    }

    /// A return under a condition.
    fn leave_all(&mut self) {
        let line = self.condition();
        self.push(line);
        self.push("RET");
        self.push("ENDIF");
        self.has_returned |= self.routine == 0;
    }

    /// Puts addresses away around a statement.
    fn stack(&mut self) {
        self.push("PUSHA ADDR[0]");
        self.set_address();
        self.plain();
        self.push("POPA ADDR[0]");
    }
}
