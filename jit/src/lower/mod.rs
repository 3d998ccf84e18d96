//! From a valid program to lane IR.
//!
//! Every register component that a program touches is a [`Var`] with one value at a time; reading
//! and writing registers moves values, and only arithmetic makes nodes. [`flow`] turns the basic
//! blocks into IR blocks under masks, [`ops`] the instructions into nodes.

mod access;
mod columns;
mod ctm;
mod draw;
mod flow;
mod live;
mod ops;
mod sample;
mod samples;
#[cfg(test)]
mod tests;
mod vars;

use attila_isa::{Bank, Reg, ValidProgram};
use attila_machine::pipeline::Pipeline;
use attila_machine::{QuadIo, SAMPLES};

use crate::abi::{ColumnShape, RecordLayout};
use crate::ir::{Builder, Function, Origin, Terminator, Value};
use crate::sampling::Sampling;
use crate::work::Tally;
use draw::Fragments;
use vars::{State, Var};

/// How a block hands over to the next what the program changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passing {
    /// As parameters: the code is faster. Every block that some lanes may skip passes on every
    /// register that is written and the waiting lanes of every other such block, so that work grows
    /// with their square.
    Params,
    /// In variables: work grows with the length of the program.
    Variables,
}

/// The records or pixels that a program is lowered to run on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domain<'a> {
    /// Records of quads, from inputs to outputs.
    Io,
    /// The same with the registers of the extended profile.
    ExtendedIo,
    /// Records of quads with all registers.
    State,
    /// The fragments of a draw.
    Draw(&'a Pipeline),
    /// Elements of columns.
    Columns(&'a ColumnShape),
}

impl Domain<'_> {
    /// Records from inputs to outputs that have room for a program's registers.
    pub(crate) fn in_memory(program: &ValidProgram) -> Domain<'static> {
        match QuadIo::check(program.usage()) {
            Ok(()) => Domain::Io,
            Err(_) => Domain::ExtendedIo,
        }
    }

    /// Where its quads' slots lie.
    pub(crate) fn layout(self) -> RecordLayout {
        match self {
            Domain::Io => RecordLayout::Io,
            Domain::ExtendedIo => RecordLayout::ExtendedIo,
            Domain::State => RecordLayout::State,
            Domain::Draw(_) => RecordLayout::Draw,
            Domain::Columns(_) => RecordLayout::Columns,
        }
    }
}

/// The reason for which a program has no lane IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unlowered {
    /// Blocks would have to pass on too many parameters.
    Params,
    /// It is more work than the JIT takes on, so much up to where lowering stopped.
    Work(usize),
}

/// The program as lane IR that runs in the given domain, and samples the textures `samplings`
/// inline. `fused`: the target multiplies and adds in one instruction.
///
/// # Errors
///
/// It has too many parameters of blocks, or is too much work.
pub(crate) fn lower(
    program: &ValidProgram,
    domain: Domain<'_>,
    samplings: &[Sampling],
    fused: bool,
    passing: Passing,
) -> Result<Function, Unlowered> {
    let mut lower = Lower::new(program, domain, samplings);
    lower.fused = fused;
    lower.passing = passing;
    if let Domain::Draw(pipeline) = domain {
        lower.begin_fragments(pipeline);
    }
    lower.flow()?;
    Ok(lower.b.finish())
}

/// Nodes that an instruction becomes, roughly: the programs of the benches become 2 to 10.
const NODES: usize = 8;

/// The state of a lowering.
struct Lower<'a> {
    b: Builder,
    program: &'a ValidProgram,
    domain: Domain<'a>,
    samplings: &'a [Sampling],
    /// Whether the target multiplies and adds in one instruction.
    fused: bool,
    passing: Passing,
    /// Facts about a draw's fragments.
    fragments: Fragments,
    /// The value of each variable now, and at the start of the basic block.
    state: State,
    /// The lanes that execute the basic block.
    active: Value,
    /// The lanes for which the instruction takes effect, as far as its guard says.
    guard: Value,
    /// Whether registers are read as they stand in all lanes, executing or not.
    all_lanes: bool,
    /// The components of registers that may hold denormals, ascending, for instructions that read none.
    unflushed: Vec<Var>,
    work: Tally,
}

impl<'a> Lower<'a> {
    fn new(program: &'a ValidProgram, domain: Domain<'a>, samplings: &'a [Sampling]) -> Lower<'a> {
        let mut b = Builder::with_room(NODES * program.program().insts().len());
        let all = b.mask(true);
        let state = State::initial(&mut b, program, domain);
        Lower {
            b,
            program,
            domain,
            samplings,
            fused: false,
            passing: Passing::Params,
            fragments: Fragments::default(),
            state,
            active: all,
            guard: all,
            all_lanes: false,
            unflushed: ctm::unflushed(program),
            work: Tally::default(),
        }
    }

    /// The current value of the variable.
    fn get(&mut self, var: Var) -> Value {
        self.state.get(&mut self.b, var)
    }

    /// Its value at the start of the basic block.
    fn before(&mut self, var: Var) -> Value {
        self.state.before(&mut self.b, var)
    }

    /// How many samples have exported depths that somebody looks at.
    fn exported_samples(&self) -> usize {
        match self.domain {
            Domain::Io | Domain::ExtendedIo | Domain::State => SAMPLES,
            Domain::Columns(_) => 0,
            Domain::Draw(pipeline) => match self.program.usage().exports_samples {
                true => pipeline.samples().count(),
                false => 1,
            },
        }
    }

    /// Stores the results and ends the quad.
    fn finish_quad(&mut self) {
        self.b.set_origin(Origin::default());
        let results = match self.domain {
            Domain::Draw(pipeline) => return self.finish_fragments(pipeline),
            Domain::State => self.written(),
            Domain::Io | Domain::ExtendedIo => self.results(),
            Domain::Columns(shape) => {
                self.finish_columns(shape);
                Vec::new()
            }
        };
        for var in results {
            if let Some(slot) = var.slot() {
                let value = self.get(var);
                self.b.store(slot, value);
            }
        }
        self.b.close(Terminator::Done);
    }

    /// The variables that a shading run hands back.
    fn results(&self) -> Vec<Var> {
        let named = self.program.usage().outputs.iter().enumerate();
        let named = named.filter(|(_, components)| !components.is_empty());
        let outputs = named.flat_map(|(reg, _)| (0..4).map(move |c| Var::output(reg, c)));
        let depths = match self.program.usage().exports_depth {
            true => 0..SAMPLES,
            false => 0..0,
        };
        let depths = depths.map(Var::depth);
        outputs.chain(depths).chain([Var::KILL]).collect()
    }

    /// The registers that the program writes anywhere, ascending.
    fn written(&self) -> Vec<Var> {
        let mut vars = Vec::new();
        for inst in self.program.program().insts() {
            live::written(inst, |var| vars.push(var));
            live::changed(inst, |var| vars.push(var));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}

impl Var {
    /// The variable of a register's component. Inputs and constants are not variables.
    fn register(reg: Reg, component: attila_isa::Component) -> Var {
        let (reg_index, component) = (reg.index(), component.index());
        match reg.bank() {
            Bank::Temp => Var::temp(reg_index, component),
            Bank::Output => Var::output(reg_index, component),
            Bank::Address => Var::address(reg_index, component),
            Bank::Input | Bank::Constant => unreachable!("a bank that cannot be written"),
        }
    }
}
