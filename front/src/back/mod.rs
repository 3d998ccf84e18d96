//! The back half of every front end: from instructions on any number of registers to an ATTILA
//! program.
//!
//! ```text
//! Code ──cleanup──► Code ──allocate, constants──► emit ──► Translation
//! ```
//!
//! A front end adds instructions to a [`Code`]: ATTILA's own, in straight lines, with labels and
//! jumps, or between [`Code::begin_if`] and its like. They work on any number of temporaries and
//! predicates, and name inputs, outputs and parameters in the words of their [`Language`].
//! [`finish`] removes what nobody needs, gives out registers and constants, and writes the program
//! down.
//!
//! A text that reads what it has not written reads 0: temporaries and outputs start as 0 in ATTILA,
//! predicates as false, and such a temporary gets a register that nobody has had before.

mod addresses;
mod allocate;
mod cleanup;
mod code;
mod constants;
mod emit;
mod flow;
mod guards;
mod liveness;
mod neighbours;
mod step;
mod translation;

#[cfg(test)]
mod tests;

use std::fmt::Debug;

use attila_isa::{Bank, Profile, Reg, Remark, Slots, Stage, TextureShape, TextureTarget};

pub use code::{Code, Label};
pub use constants::{CONSTANTS, Layout};
pub use flow::{MAX_ADDED, MAX_INLINED, MAX_NESTED, too_deep};
pub use step::{Condition, Lookup, Operand, Operands, Place, Register, Step};
pub use translation::{Translation, UnitError, check_unit};

/// The number of components that all address registers have together.
pub const ADDRESSES: usize = 4 * Bank::Address.size(Profile::Base) as usize;

/// The names that a language has for what goes into programs and comes out of them.
pub trait Language: Copy + Eq + Debug + 'static {
    /// A vector that comes in.
    type Input: Copy + Ord + Debug;
    /// A vector that goes out.
    type Output: Copy + Ord + Debug;
    /// A vector in a constant register: a parameter, or a constant of the text.
    type Param: Copy + Ord + Debug;
    /// A texture unit, and the way it is sampled.
    type Texture: Copy + Eq + Debug;
    /// Facts about a text that are of use to those who run it.
    type Details: Clone + PartialEq + Debug;

    /// The register of an input; `None` if there are fewer.
    fn input(input: Self::Input, stage: Stage) -> Option<Reg>;

    /// The register of an output; `None` if there are fewer.
    fn output(output: Self::Output, stage: Stage) -> Option<Reg>;

    /// A constant of the text, as the bits of its components.
    fn constant(bits: [u32; 4]) -> Self::Param;

    /// The bits of a constant of the text; `None` for parameters.
    fn bits(param: Self::Param) -> Option<[u32; 4]>;

    /// The texture unit.
    fn unit(texture: Self::Texture) -> u8;

    /// The kind of image that operations which name a target read. Languages without such operations
    /// need not say it.
    fn target(_texture: Self::Texture) -> TextureTarget {
        TextureTarget::Bound
    }

    /// The kind of image that the unit has to hold.
    fn image(texture: Self::Texture) -> TextureShape;

    /// The components of coordinates that matter.
    fn coordinates(texture: Self::Texture) -> Slots;
}

/// Facts about a text that its code does not hold.
#[derive(Clone, Debug)]
pub struct Frame<L: Language> {
    /// The stage that it shades.
    pub stage: Stage,
    /// The opcodes and registers that it may use. A program that uses only those of the base profile
    /// is one of the base profile.
    pub profile: Profile,
    /// The constant registers of its arrays.
    pub layout: Layout<L>,
    /// The textures that it names, in the order of its [`Translation`]. The sampled ones are kept.
    pub textures: Vec<L::Texture>,
    /// Facts that [`Translation`] carries on.
    pub details: L::Details,
    /// The length of the text in bytes. Remarks on the program as a whole are there.
    pub end: usize,
}

/// The program that `code` is.
///
/// # Errors
///
/// A statement has no end, statements are nested too deep, or ATTILA has fewer instructions, registers or constants.
pub fn finish<L: Language>(mut code: Code<L>, frame: Frame<L>) -> Result<Translation<L>, Remark> {
    code.check_limits()?;
    if let Some(open) = code.open.last() {
        return Err(open.remark());
    }
    let end = frame.end;
    cleanup::straighten(&mut code);
    code.note_neighbours();
    cleanup::remove_dead(&mut code)?;
    code.note_neighbours();
    let count = code.length() + usize::from(!code.ends_with_step());
    let limit = frame.profile.instructions();
    if count > limit {
        let message = format!("this needs {count} instructions; the limit is {limit}");
        return Err(Remark::new(end..end, message).code(&attila_isa::code::text::LIMIT));
    }
    cleanup::clean(&mut code)?;
    let values = allocate::allocate(&code, frame.profile)?;
    for block in &mut code.blocks {
        block.steps.retain(|step| !allocate::is_idle(step, &values));
    }
    cleanup::straighten(&mut code);
    let pool = constants::pool(frame.layout, &code, end)?;
    let emitted = emit::emit(&code, frame.stage, frame.profile, &values, &pool)?;
    let mut textures = frame.textures;
    // An address may be that of any unit.
    let looks_at = |step: &Step<L>, texture| {
        let lookup = step.texture;
        lookup.is_some_and(|it| it.texture == texture || it.address.is_some())
    };
    textures.retain(|texture| code.steps().any(|step| looks_at(step, *texture)));
    Ok(Translation {
        stage: frame.stage,
        program: emitted.program,
        params: pool.rows().collect(),
        inputs: emitted.inputs,
        outputs: emitted.outputs,
        textures,
        details: frame.details,
    })
}
