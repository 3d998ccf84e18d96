//! The work of making code for a function, known before it is done.
//!
//! Most of the time goes to the code generator's register allocator, which takes longer in
//! proportion to the distance between the uses of values. In long functions only short distances
//! are left to it: blocks leave values in variables
//! ([`Passing::Variables`](crate::lower::Passing)), and within a block it is decided beforehand
//! which values are in registers (`emit/registers.rs`). Then time grows with the number of
//! operations, and a limit to these is a limit to the time.

use attila_isa::ValidProgram;

use crate::emit::CompileError;
use crate::ir::{Binary, Function, Node, Op, Value};

/// The limit of work. Measured on an AMD EPYC (family 26, model 2) with 1000 random programs of 8000
/// instructions: 1.5 to 4.2 microseconds of processor time for a unit, 3.1 for most. So it is nine
/// tenths of a second as a rule, which leaves room for what a busy processor adds to a second and a
/// half.
const MOST: usize = 300_000;

/// The limit of work before a function is simplified: lowering stops there, so that neither it nor a pass takes long or
/// much memory for a program that is refused in the end.
const MOST_RAW: usize = 2 * MOST;

/// The most work that an instruction can be in the code for quads in memory. The most that is known is 450,
/// ZXS where the current sample is not known, and 440, IBFE.
const MOST_OF_AN_INSTRUCTION: usize = 500;

/// The most work of a function that is left to the code generator as it is. Measured where blocks pass on
/// values as parameters: a tenth of a second for as much, a third of a second for twice as much.
const SHORT: usize = 16_000;

/// The longest programs whose blocks may pass on parameters, in instructions. Most others come to
/// more work than [`SHORT`], and it takes time to see that.
const LONGEST_WITH_PARAMS: usize = 2000;

/// The work of the nodes that a lowering has made so far.
#[derive(Default)]
pub(crate) struct Tally {
    nodes: usize,
    work: usize,
}

impl Tally {
    /// Counts the nodes that have been made since.
    ///
    /// # Errors
    ///
    /// The work so far, if it is too much.
    pub(crate) fn count(&mut self, made: &[Node]) -> Result<(), usize> {
        let new = &made[self.nodes..];
        self.work += new.iter().map(|node| units(&node.op)).sum::<usize>();
        self.nodes = made.len();
        if self.work > MOST_RAW {
            return Err(self.work);
        }
        Ok(())
    }
}

/// The refusal of a program that lowering stopped at so much work.
pub(crate) fn too_long(work: usize) -> CompileError {
    CompileError::TooLong {
        work,
        limit: MOST_RAW,
    }
}

/// Whether a program may be more work than is taken on, in the code for quads in memory.
pub(crate) fn may_be_too_much(program: &ValidProgram) -> bool {
    program.program().insts().len() > MOST / MOST_OF_AN_INSTRUCTION
}

/// Whether it is worth a try to let the program's blocks pass on values as parameters.
pub(crate) fn may_pass_params(program: &ValidProgram) -> bool {
    program.program().insts().len() <= LONGEST_WITH_PARAMS
}

/// Whether a simplified function takes the code generator too long as it is.
pub(crate) fn is_long(function: &Function) -> bool {
    work(function, 1) > SHORT
}

/// Refuses a simplified function that is too much work for so many vectors side by side.
///
/// # Errors
///
/// It is.
pub(crate) fn check(function: &Function, vectors: usize) -> Result<(), CompileError> {
    let work = work(function, vectors);
    if work > MOST {
        return Err(CompileError::TooLong { work, limit: MOST });
    }
    Ok(())
}

/// The work for so many vectors side by side.
fn work(function: &Function, vectors: usize) -> usize {
    let units = |values: &[Value]| -> usize {
        let ops = values.iter().map(|&value| &function.node(value).op);
        ops.map(units).sum()
    };
    let blocks = function.blocks.iter();
    let of_vector: usize = blocks.map(|block| BLOCK + units(&block.body)).sum();
    let shared = units(&function.uniform) + units(&function.row);
    shared + (of_vector + function.passed_values()) * vectors
}

/// The work of a block besides its operations.
const BLOCK: usize = 2;

/// The work of an operation. Found by fitting the times of long programs.
fn units(op: &Op) -> usize {
    match op {
        Op::Const(_) | Op::Param => 0,
        Op::Uniform(_)
        | Op::TextureField(..)
        | Op::Load(_)
        | Op::Store(_)
        | Op::Recall(_)
        | Op::Keep(_)
        | Op::Draw(_)
        | Op::Span(_)
        | Op::Fragment(_)
        | Op::Extract(_)
        | Op::Argument(_)
        | Op::LoopBudget => 1,
        Op::Binary(op) if is_done_lane_by_lane(*op) => 20,
        Op::Unary(_) | Op::Binary(_) | Op::Shift(..) | Op::Fma | Op::Shuffle(_) => 2,
        Op::Double(_) => 6,
        Op::Select | Op::Narrow | Op::NarrowPixels | Op::PackPixels => 4,
        Op::Output(_)
        | Op::Pack
        | Op::LoadPixels(_)
        | Op::StorePixels(_)
        | Op::LoadColumn(_)
        | Op::StoreColumn(_) => 8,
        Op::FixedMul(_) | Op::FixedMulAdd(_) | Op::FixedResult(_) => 10,
        Op::Indexed(_)
        | Op::Position
        | Op::Buffer(..)
        | Op::LoadScratch(..)
        | Op::LevelField(..)
        | Op::Transpose => 20,
        Op::LevelPart(..) | Op::StoreScratch(..) => 30,
        Op::EmitVertex(_)
        | Op::EndPrimitive(_)
        | Op::SlowPath(_)
        | Op::Sample(..)
        | Op::Ask(_)
        | Op::Attribute(_)
        | Op::Evaluate(_) => 24,
        Op::Texel(..) => 50,
        Op::Storage(_) => 200,
        Op::Gather(..) => 120,
        Op::Blend(..) | Op::BlendOnto(..) => 250,
    }
}

/// Whether emitters have many instructions for the operation, for lack of one on vectors.
fn is_done_lane_by_lane(op: Binary) -> bool {
    matches!(
        op,
        Binary::LeftBy
            | Binary::RightUnsignedBy
            | Binary::RightSignedBy
            | Binary::UmulHigh
            | Binary::Idiv
            | Binary::Udiv
            | Binary::Irem
            | Binary::Urem
    )
}
