//! [`MapError`]: what can be wrong with a map.

use std::ops::Range;

use attila_isa::{INPUTS, OUTPUTS, Opcode, Stage};
use attila_machine::{PrepareError, RunError};
use thiserror::Error;

/// Why a map was not made, or could not be finished.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MapError {
    /// The program is not for elements.
    #[error("the program is a {0} program")]
    Stage(Stage),
    /// An instruction asks for what elements do not have.
    #[error("instruction {pc} is `{op}`: {reason}")]
    Refused {
        /// The instruction.
        pc: usize,
        /// Its operation.
        op: Opcode,
        /// The property that they lack.
        reason: &'static str,
    },
    /// The program writes storage buffers and reads every input, of which one has to be free for the guard that it
    /// runs with.
    #[error("the program writes storage buffers and reads all inputs; one has to be free")]
    NoFreeInput,
    /// The program writes storage buffers and has as many instructions as there may be.
    #[error(
        "the program has {0} instructions; it takes 3 more to keep what is past the end out of storage buffers"
    )]
    TooLong(usize),
    /// There are fewer inputs.
    #[error("input i{0} does not exist; the last is i{last}", last = INPUTS - 1)]
    InputIndex(usize),
    /// There are fewer outputs.
    #[error("output o{0} does not exist; the last is o{last}", last = OUTPUTS - 1)]
    OutputIndex(usize),
    /// An output was given twice.
    #[error("output o{0} has two columns")]
    OutputTwice(usize),
    /// The program reads an input that has no column.
    #[error("the program reads i{0}, which has no column")]
    MissingInput(usize),
    /// The program does not write an output that has a column.
    #[error("the program does not write o{0}, which has a column")]
    UnwrittenOutput(usize),
    /// There is a column for elements that are killed, and the program kills none.
    #[error("the program kills no element")]
    NoKills,
    /// No column says how many elements there are.
    #[error("no column says how many elements there are")]
    NoElements,
    /// The map has neither outputs nor any other effect.
    #[error("the map has no output")]
    NoOutput,
    /// A column has vectors of no component or of more than four, or they overlap.
    #[error(
        "{column} has {components} components and a stride of {stride}; 1 to 4 components fit a stride of as many"
    )]
    Stride {
        /// The column's register.
        column: ColumnName,
        /// Its components.
        components: usize,
        /// Numbers from one element to the next.
        stride: usize,
    },
    /// Columns are not equally long.
    #[error("{column} has {elements} elements, but {other} has {expected}")]
    Elements {
        /// A column.
        column: ColumnName,
        /// Its elements.
        elements: usize,
        /// Another column.
        other: ColumnName,
        /// The elements of that.
        expected: usize,
    },
    /// A lane took more backward jumps than it may. What the columns hold of elements from these on is unspecified.
    #[error("the jump at instruction {pc} took more than {budget} backward jumps in {}", of(.elements))]
    LoopBudget {
        /// Index of the jump that was one too many.
        pc: usize,
        /// The budget.
        budget: u32,
        /// The element, or the elements of its quad.
        elements: Range<usize>,
    },
    /// The [progress](super::Map::progress) was answered with a break. That many elements are whole, in the order in
    /// which they were finished.
    #[error("the map was stopped after {done} of {all} elements")]
    Stopped {
        /// Elements that are finished.
        done: usize,
        /// All of them.
        all: usize,
    },
    /// The engine's compiler failed.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The program cannot run with what is bound.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A column of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ColumnName {
    /// The column of an input register.
    #[error("the column of i{0}")]
    Input(usize),
    /// The column of an output register.
    #[error("the column of o{0}")]
    Output(usize),
    /// The column of elements that are killed.
    #[error("the column of killed elements")]
    Killed,
}

fn of(elements: &Range<usize>) -> String {
    match elements.len() {
        1 => format!("element {}", elements.start),
        _ => format!(
            "one of the elements {} to {}",
            elements.start,
            elements.end - 1
        ),
    }
}
