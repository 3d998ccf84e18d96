//! The recipe of each opcode, in tables by groups.

mod doubles;
mod floats;
mod integers;
mod others;
mod vectors;

use std::sync::LazyLock;

use attila_isa::{Opcode, OperandKind, Remark};
use smallvec::SmallVec;

use super::super::program::Instruction;
use super::super::table::{OPCODES, TgsiOpcode};
use super::{Lowering, Operand};

/// The instructions of ATTILA that an opcode becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recipe {
    /// None.
    Nothing,
    /// One with the same operands.
    Same(Opcode),
    /// One with the same operands, which are doubles.
    Doubles(Opcode),
    /// One with the two operands in the other order.
    Swapped(Opcode),
    /// One with slot x of the operands in all their slots.
    Scalar(Opcode),
    /// The instructions that a function adds.
    Without(fn(&mut Lowering<'_>, [Operand; 0])),
    /// The instructions that a function of one operand adds.
    One(fn(&mut Lowering<'_>, [Operand; 1])),
    /// The instructions that a function of two operands adds.
    Two(fn(&mut Lowering<'_>, [Operand; 2])),
    /// The instructions that a function of three operands adds.
    Three(fn(&mut Lowering<'_>, [Operand; 3])),
    /// The instructions that a function of four operands adds.
    Four(fn(&mut Lowering<'_>, [Operand; 4])),
    /// An access to a buffer in memory that no other thread sees half done.
    Atomic(Opcode),
    /// A comparison of doubles.
    Compared(Opcode),
    /// A number from a double.
    Narrowed(Opcode),
    /// The instructions that a function of the whole instruction adds.
    Whole(fn(&mut Lowering<'_>, &Instruction) -> Result<(), Remark>),
    /// None: checked programs do not have it.
    Refused,
}

type Row = (TgsiOpcode, Recipe);

const TABLES: [&[Row]; 5] = [
    floats::ROWS,
    vectors::ROWS,
    integers::ROWS,
    doubles::ROWS,
    others::ROWS,
];

/// By the number of the opcode.
static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    let mut recipes = vec![Recipe::Refused; OPCODES.len()];
    for (opcode, recipe) in TABLES.into_iter().flatten() {
        recipes[*opcode as usize] = *recipe;
    }
    recipes
});

/// The recipe of an opcode.
pub(super) fn of(opcode: TgsiOpcode) -> Recipe {
    RECIPES[opcode as usize]
}

impl Recipe {
    /// Adds the instructions of `instruction`.
    pub(super) fn apply(
        self,
        lowering: &mut Lowering<'_>,
        instruction: &Instruction,
    ) -> Result<(), Remark> {
        match self {
            Recipe::Nothing => {}
            Recipe::Same(op) => {
                let operands = operands(lowering, instruction)?;
                lowering.add(op, lowering.current.result, &operands);
            }
            Recipe::Doubles(op) => {
                let operands = doubles(lowering, op, instruction)?;
                lowering.add(op, lowering.current.result, &operands);
            }
            Recipe::Swapped(op) => {
                let [a, b] = fixed(lowering, instruction)?;
                lowering.finish(op, [b, a]);
            }
            Recipe::Scalar(op) => {
                let operands = operands(lowering, instruction)?;
                let operands = operands.iter().map(|it| it.only(attila_isa::Component::X));
                let operands: SmallVec<[Operand; 4]> = operands.collect();
                lowering.add(op, lowering.current.result, &operands);
            }
            Recipe::Without(add) => add(lowering, []),
            Recipe::One(add) => {
                let operands = fixed(lowering, instruction)?;
                add(lowering, operands);
            }
            Recipe::Two(add) => {
                let operands = fixed(lowering, instruction)?;
                add(lowering, operands);
            }
            Recipe::Three(add) => {
                let operands = fixed(lowering, instruction)?;
                add(lowering, operands);
            }
            Recipe::Four(add) => {
                let operands = fixed(lowering, instruction)?;
                add(lowering, operands);
            }
            Recipe::Atomic(op) => return lowering.atomic(op, instruction),
            Recipe::Compared(op) => {
                let operands = fixed(lowering, instruction)?;
                lowering.compare_doubles(op, operands);
            }
            Recipe::Narrowed(op) => {
                let operands = fixed(lowering, instruction)?;
                lowering.narrow(op, operands);
            }
            Recipe::Whole(add) => return add(lowering, instruction),
            Recipe::Refused => {
                return Err(lowering.remark(format!("{} is not supported", instruction.opcode)));
            }
        }
        Ok(())
    }
}

/// The sources of an instruction.
fn operands(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Result<SmallVec<[Operand; 4]>, Remark> {
    let sources = instruction.sources.iter();
    sources.map(|source| lowering.operand(source)).collect()
}

/// The sources of an instruction, those of them as doubles that `op` takes so.
fn doubles(
    lowering: &mut Lowering<'_>,
    op: Opcode,
    instruction: &Instruction,
) -> Result<SmallVec<[Operand; 4]>, Remark> {
    let mut operands = operands(lowering, instruction)?;
    for (operand, kind) in operands.iter_mut().zip(op.operands()) {
        if matches!(kind, OperandKind::Double(_)) {
            *operand = lowering.double(*operand);
        }
    }
    Ok(operands)
}

/// The sources of an instruction that has `N` of them, as checked ones do.
pub(super) fn fixed<const N: usize>(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Result<[Operand; N], Remark> {
    let found = operands(lowering, instruction)?;
    <[Operand; N]>::try_from(found.as_slice())
        .map_err(|_| lowering.remark(format!("{} has too few sources", instruction.opcode)))
}

#[cfg(test)]
mod tests {
    use super::super::super::table::Role;
    use super::*;

    #[test]
    fn every_opcode_that_is_not_refused_has_one_recipe() {
        for info in OPCODES {
            let rows = TABLES.into_iter().flatten();
            let count = rows.filter(|(opcode, _)| *opcode == info.opcode).count();
            let expected = !matches!(info.role, Role::Refused(_));
            assert_eq!(count, usize::from(expected), "{}", info.name);
        }
    }

    #[test]
    fn recipes_take_as_many_operands_as_their_opcodes() {
        use super::super::super::table::Operand::Value;
        for (opcode, recipe) in TABLES.into_iter().flatten() {
            let sources = opcode.info().form.sources.iter();
            let count = sources.filter(|source| matches!(source, Value(..))).count();
            let expected = match recipe {
                Recipe::Same(op)
                | Recipe::Doubles(op)
                | Recipe::Swapped(op)
                | Recipe::Scalar(op) => op.operands().len(),
                Recipe::Without(_) => 0,
                Recipe::One(_) | Recipe::Narrowed(_) => 1,
                Recipe::Two(_) | Recipe::Compared(_) => 2,
                Recipe::Three(_) => 3,
                Recipe::Four(_) => 4,
                Recipe::Nothing | Recipe::Atomic(_) | Recipe::Whole(_) | Recipe::Refused => count,
            };
            assert_eq!(count, expected, "{opcode}");
        }
    }
}
