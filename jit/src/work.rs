//! The work of making code for a function, known before it is done.
//!
//! Most of the time goes to Cranelift's register allocator, which takes longer in proportion the
//! further apart values are used. In long functions it is left with short ways only: blocks leave
//! values in variables ([`Passing::Variables`](crate::lower::Passing)), and within a block it is
//! decided beforehand which values are in registers (`emit/registers.rs`). Then time grows with the
//! number of operations.

use attila_isa::ValidProgram;

use crate::ir::{Function, Op, Value};

/// The most work of a function that is left to Cranelift as it is. Measured where blocks pass on
/// values as parameters: a tenth of a second for as much, a third of a second for twice as much.
const SHORT: usize = 16_000;

/// The longest programs whose blocks may pass on parameters, in instructions. Most others come to
/// more work than [`SHORT`], and it takes time to see that.
const LONGEST_WITH_PARAMS: usize = 2000;

/// Whether it is worth a try to let the program's blocks pass on values as parameters.
pub(crate) fn may_pass_params(program: &ValidProgram) -> bool {
    program.program().insts().len() <= LONGEST_WITH_PARAMS
}

/// Whether a simplified function takes Cranelift too long as it is.
pub(crate) fn is_long(function: &Function) -> bool {
    work(function) > SHORT
}

/// The work for one quad.
fn work(function: &Function) -> usize {
    let units = |values: &[Value]| -> usize {
        let ops = values.iter().map(|&value| &function.node(value).op);
        ops.map(units).sum()
    };
    let blocks = function.blocks.iter();
    let of_quad: usize = blocks.map(|block| BLOCK + units(&block.body)).sum();
    let shared = units(&function.uniform) + units(&function.row);
    shared + of_quad + function.passed_values()
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
        | Op::LoopBudget => 1,
        Op::Unary(_) | Op::Binary(_) | Op::Shift(..) | Op::Fma | Op::Shuffle(_) => 2,
        Op::Select | Op::Narrow | Op::NarrowPixels | Op::PackPixels => 4,
        Op::Export | Op::Pack | Op::LoadPixels(_) | Op::StorePixels(_) => 8,
        Op::FixedMul(_) | Op::FixedMulAdd(_) | Op::FixedResult(_) => 10,
        Op::Indexed(_) | Op::LevelField(..) | Op::Transpose => 20,
        Op::SlowPath(_) | Op::Sample(..) | Op::Attribute(_) => 24,
        Op::Texel(..) => 50,
        Op::Blend(..) => 250,
    }
}
