//! The variables of a lowering and their values.

use attila_isa::{Bank, Inst, Pred, ValidProgram};
use attila_machine::SAMPLES;

use super::Domain;
use crate::abi::Slot;
use crate::ir::{Builder, Op, Type, Value, Variable};

const TEMPS: u32 = attila_isa::TEMPS as u32 * 4;
const OUTPUTS: u32 = attila_isa::OUTPUTS as u32 * 4;
const ADDRESSES: u32 = attila_isa::ADDRESSES as u32 * 4;

const FIRST_OUTPUT: u32 = TEMPS;
const FIRST_ADDRESS: u32 = FIRST_OUTPUT + OUTPUTS;
const FIRST_PREDICATE: u32 = FIRST_ADDRESS + ADDRESSES;
const FIRST_DEPTH: u32 = FIRST_PREDICATE + attila_isa::PREDICATES as u32;
const FIRST_OTHER: u32 = FIRST_DEPTH + SAMPLES as u32;

/// Something that changes while a quad runs and has one value in each lane.
///
/// ```text
/// temporaries · outputs · addresses · predicates · depths · kill · sample · jumps · waiting lanes per block
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Var(u32);

impl Var {
    /// The killed samples.
    pub(super) const KILL: Var = Var(FIRST_OTHER);
    /// The current sample.
    pub(super) const SAMPLE: Var = Var(FIRST_OTHER + 1);
    /// Backward jumps taken so far.
    pub(super) const JUMPS: Var = Var(FIRST_OTHER + 2);

    pub(super) fn temp(reg: usize, component: usize) -> Var {
        Var(reg as u32 * 4 + component as u32)
    }

    pub(super) fn output(reg: usize, component: usize) -> Var {
        Var(FIRST_OUTPUT + reg as u32 * 4 + component as u32)
    }

    pub(super) fn address(reg: usize, component: usize) -> Var {
        Var(FIRST_ADDRESS + reg as u32 * 4 + component as u32)
    }

    pub(super) fn predicate(pred: Pred) -> Var {
        Var(FIRST_PREDICATE + pred.index() as u32)
    }

    /// The exported depth of a sample.
    pub(super) fn depth(sample: usize) -> Var {
        Var(FIRST_DEPTH + sample as u32)
    }

    /// The first of those that depend on the program's blocks.
    const FIRST_WAITING: u32 = Var::JUMPS.0 + 1;

    /// The lanes that wait to execute a basic block.
    pub(super) fn waiting(block: usize) -> Var {
        Var(Var::FIRST_WAITING + block as u32)
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
        let split = |first: u32| (((self.0 - first) / 4) as u8, (self.0 - first) as u8 % 4);
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
            FIRST_PREDICATE..FIRST_DEPTH => Some(Slot::Predicate {
                reg: (self.0 - FIRST_PREDICATE) as u8,
            }),
            FIRST_DEPTH..FIRST_OTHER => Some(Slot::Depth {
                sample: (self.0 - FIRST_DEPTH) as u8,
            }),
            _ if self == Var::KILL => Some(Slot::Kill),
            _ if self == Var::SAMPLE => Some(Slot::Sample),
            _ => None,
        }
    }
}

/// The variables of a program, without the registers that it does not name.
#[derive(Clone, Copy)]
struct Numbering {
    /// Components of temporaries and of outputs.
    temps: u32,
    outputs: u32,
    blocks: u32,
}

impl Numbering {
    fn new(program: &ValidProgram) -> Numbering {
        // A draw reads outputs that its program may not name.
        let (mut temps, mut outputs) = (0, 4 * attila_isa::BASE_OUTPUTS as u32);
        let insts = program.program().insts();
        for reg in insts.iter().flat_map(Inst::registers) {
            let count = match reg.bank() {
                Bank::Temp => &mut temps,
                Bank::Output => &mut outputs,
                Bank::Input | Bank::Constant | Bank::Address => continue,
            };
            *count = (4 * (reg.index() as u32 + 1)).max(*count);
        }
        let blocks = program.cfg().blocks().len() as u32;
        Numbering {
            temps,
            outputs,
            blocks,
        }
    }

    /// All variables, in the order of their places.
    fn vars(self) -> impl Iterator<Item = Var> {
        let end = Var::FIRST_WAITING + self.blocks;
        let outputs = FIRST_OUTPUT..FIRST_OUTPUT + self.outputs;
        let all = (0..self.temps).chain(outputs).chain(FIRST_ADDRESS..end);
        all.map(Var)
    }

    /// The place of a variable among all.
    fn place(self, var: Var) -> usize {
        let place = match var.0 {
            ..FIRST_OUTPUT => var.0,
            FIRST_OUTPUT..FIRST_ADDRESS => var.0 - FIRST_OUTPUT + self.temps,
            FIRST_ADDRESS.. => var.0 - FIRST_ADDRESS + self.temps + self.outputs,
        };
        place as usize
    }
}

/// The value of every variable.
pub(super) struct State {
    numbering: Numbering,
    /// The values that a quad starts with.
    initial: Vec<Value>,
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
        // Variables of one type mostly come one after the other.
        let mut last: Option<(Type, Value)> = None;
        let mut zero = |b: &mut Builder, ty: Type| match last {
            Some((known, zero)) if known == ty => zero,
            Some(_) | None => last.insert((ty, b.bits(0, ty))).1,
        };
        let initial = |var: Var| match (domain, var.slot()) {
            (Domain::State, Some(slot)) => b.load(slot),
            (Domain::State, None)
            | (Domain::Io | Domain::ExtendedIo | Domain::Draw(_) | Domain::Columns(_), _) => {
                zero(b, var.ty())
            }
        };
        let numbering = Numbering::new(program);
        let initial: Vec<_> = numbering.vars().map(initial).collect();
        let values: Vec<_> = initial.iter().copied().map(Some).collect();
        let before = Before::Known(values.clone());
        State {
            numbering,
            initial,
            values,
            before,
        }
    }

    /// From here on blocks leave `vars` in lane IR's variables. All others keep their values.
    pub(super) fn keep(&mut self, vars: &[Var]) {
        let mut names = vec![None; self.values.len()];
        for (name, var) in (0..).map(Variable).zip(vars) {
            names[self.numbering.place(*var)] = Some(name);
        }
        let valued = vars.to_vec();
        self.before = Before::Kept { names, valued };
    }

    /// Another block begins: values in lane IR's variables are there.
    pub(super) fn leave_block(&mut self) {
        if let Before::Kept { valued, .. } = &mut self.before {
            for var in valued.drain(..) {
                self.values[self.numbering.place(var)] = None;
            }
        }
    }

    /// The variable has the value that it started with, or a value that nobody reads.
    pub(super) fn reset(&mut self, var: Var) {
        let place = self.numbering.place(var);
        self.values[place] = Some(self.initial[place]);
    }

    /// A basic block begins with the values that there are.
    pub(super) fn begin_block(&mut self) {
        if let Before::Known(before) = &mut self.before {
            before.clone_from(&self.values);
        }
    }

    /// The variable's value.
    pub(super) fn get(&mut self, b: &mut Builder, var: Var) -> Value {
        if let Some(value) = self.values[self.numbering.place(var)] {
            return value;
        }
        let value = self.before(b, var);
        self.set(var, value);
        value
    }

    /// Its value when the basic block began.
    pub(super) fn before(&self, b: &mut Builder, var: Var) -> Value {
        let place = self.numbering.place(var);
        let known = match &self.before {
            Before::Known(before) => before,
            Before::Kept { names, .. } => match names[place] {
                Some(name) => return b.push_as(Op::Recall(name), [], var.ty()),
                None => &self.values,
            },
        };
        known[place].expect("what is not in memory has a value")
    }

    /// Gives the variable a value.
    pub(super) fn set(&mut self, var: Var, value: Value) {
        let before = self.values[self.numbering.place(var)].replace(value);
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
            let place = self.numbering.place(var);
            let (name, value) = (names[place]?, self.values[place]?);
            (b.recalled(value) != Some(name)).then_some((var, name, value))
        });
        changed.collect()
    }
}
