//! The variables of a lowering and their values.

use attila_isa::{Pred, ValidProgram};

use super::Domain;
use crate::abi::Slot;
use crate::ir::{Builder, Op, Type, Value, Variable};

const TEMPS: u16 = attila_isa::TEMPS as u16 * 4;
const OUTPUTS: u16 = attila_isa::OUTPUTS as u16 * 4;
const ADDRESSES: u16 = attila_isa::ADDRESSES as u16 * 4;

const FIRST_OUTPUT: u16 = TEMPS;
const FIRST_ADDRESS: u16 = FIRST_OUTPUT + OUTPUTS;
const FIRST_PREDICATE: u16 = FIRST_ADDRESS + ADDRESSES;
const FIRST_OTHER: u16 = FIRST_PREDICATE + attila_isa::PREDICATES as u16;

/// Something that changes while a quad runs and has one value in each lane.
///
/// ```text
/// temporaries · outputs · addresses · predicates · kill · sample · jumps · waiting lanes per block
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Var(u16);

impl Var {
    /// The killed samples.
    pub(super) const KILL: Var = Var(FIRST_OTHER);
    /// The current sample.
    pub(super) const SAMPLE: Var = Var(FIRST_OTHER + 1);
    /// Backward jumps taken so far.
    pub(super) const JUMPS: Var = Var(FIRST_OTHER + 2);

    pub(super) fn temp(reg: usize, component: usize) -> Var {
        Var(reg as u16 * 4 + component as u16)
    }

    pub(super) fn output(reg: usize, component: usize) -> Var {
        Var(FIRST_OUTPUT + reg as u16 * 4 + component as u16)
    }

    pub(super) fn address(reg: usize, component: usize) -> Var {
        Var(FIRST_ADDRESS + reg as u16 * 4 + component as u16)
    }

    pub(super) fn predicate(pred: Pred) -> Var {
        Var(FIRST_PREDICATE + pred.index() as u16)
    }

    /// The lanes that wait to execute a basic block.
    pub(super) fn waiting(block: usize) -> Var {
        Var(Var::JUMPS.0 + 1 + block as u16)
    }

    /// The type of the variable.
    pub(super) fn ty(self) -> Type {
        match self.slot() {
            Some(slot) => slot.ty(),
            None if self == Var::JUMPS => Type::I32,
            None => Type::Mask,
        }
    }

    /// Where a quad's memory has the variable; `None` if it only matters during a run.
    pub(super) fn slot(self) -> Option<Slot> {
        let split = |first: u16| ((self.0 - first) as u8 / 4, (self.0 - first) as u8 % 4);
        match self.0 {
            ..FIRST_OUTPUT => {
                let (reg, component) = split(0);
                Some(Slot::Temp { reg, component })
            }
            FIRST_OUTPUT..FIRST_ADDRESS => {
                let (reg, component) = split(FIRST_OUTPUT);
                Some(Slot::Output { reg, component })
            }
            FIRST_ADDRESS..FIRST_PREDICATE => {
                let (reg, component) = split(FIRST_ADDRESS);
                Some(Slot::Address { reg, component })
            }
            FIRST_PREDICATE..FIRST_OTHER => Some(Slot::Predicate {
                reg: (self.0 - FIRST_PREDICATE) as u8,
            }),
            _ if self == Var::KILL => Some(Slot::Kill),
            _ if self == Var::SAMPLE => Some(Slot::Sample),
            _ => None,
        }
    }
}

/// The value of every variable.
pub(super) struct State {
    /// Without a value, a variable holds what it held when the basic block began.
    values: Vec<Option<Value>>,
    before: Before,
}

/// The values of variables when the basic block began.
enum Before {
    /// The values are known: blocks pass them on.
    Known(Vec<Option<Value>>),
    /// They are in lane IR's variables.
    Kept {
        /// The names there, of those that may change at all.
        names: Vec<Option<Variable>>,
        /// The variables that have a value in the current basic block.
        valued: Vec<Var>,
    },
}

impl State {
    /// The values that a quad starts with: zeros, or the content of its memory in a stateful run.
    pub(super) fn initial(b: &mut Builder, program: &ValidProgram, domain: Domain<'_>) -> State {
        let count = Var::waiting(program.cfg().blocks().len()).0;
        let initial = |var: Var| match (domain, var.slot()) {
            (Domain::State, Some(slot)) => b.load(slot),
            (Domain::State, None) | (Domain::Io | Domain::Draw(_), _) => b.bits(0, var.ty()),
        };
        let values: Vec<_> = (0..count).map(Var).map(initial).map(Some).collect();
        let before = Before::Known(values.clone());
        State { values, before }
    }

    /// From here on blocks leave `vars` in lane IR's variables. All others keep their values.
    pub(super) fn keep(&mut self, vars: &[Var]) {
        let mut names = vec![None; self.values.len()];
        for (name, var) in (0..).map(Variable).zip(vars) {
            names[usize::from(var.0)] = Some(name);
        }
        let valued = vars.to_vec();
        self.before = Before::Kept { names, valued };
    }

    /// Another block begins: values in lane IR's variables are there.
    pub(super) fn leave_block(&mut self) {
        if let Before::Kept { valued, .. } = &mut self.before {
            for var in valued.drain(..) {
                self.values[usize::from(var.0)] = None;
            }
        }
    }

    /// A basic block begins with the values that there are.
    pub(super) fn begin_block(&mut self) {
        if let Before::Known(before) = &mut self.before {
            before.clone_from(&self.values);
        }
    }

    /// The variable's value.
    pub(super) fn get(&mut self, b: &mut Builder, var: Var) -> Value {
        if let Some(value) = self.values[usize::from(var.0)] {
            return value;
        }
        let value = self.before(b, var);
        self.set(var, value);
        value
    }

    /// Its value when the basic block began.
    pub(super) fn before(&self, b: &mut Builder, var: Var) -> Value {
        let known = match &self.before {
            Before::Known(before) => before,
            Before::Kept { names, .. } => match names[usize::from(var.0)] {
                Some(name) => return b.push_as(Op::Recall(name), [], var.ty()),
                None => &self.values,
            },
        };
        known[usize::from(var.0)].expect("what is not in memory has a value")
    }

    /// Gives the variable a value.
    pub(super) fn set(&mut self, var: Var, value: Value) {
        let before = self.values[usize::from(var.0)].replace(value);
        if let (None, Before::Kept { valued, .. }) = (before, &mut self.before) {
            valued.push(var);
        }
    }

    /// The variables that the current block has to leave in memory.
    pub(super) fn changed(&self, b: &Builder) -> Vec<(Var, Variable, Value)> {
        let Before::Kept { names, valued } = &self.before else {
            return Vec::new();
        };
        let changed = valued.iter().filter_map(|&var| {
            let (name, value) = (names[usize::from(var.0)]?, self.values[usize::from(var.0)]?);
            (b.recalled(value) != Some(name)).then_some((var, name, value))
        });
        changed.collect()
    }
}
