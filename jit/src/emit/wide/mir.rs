//! Instructions before they have registers.
//!
//! ```text
//! lane IR ─ select ─► Region: instructions over virtual registers ─ allocate ─► instructions ─ assemble ─► bytes
//! ```
//!
//! A [`Region`] is a graph of blocks like that of lane IR. Its instructions are the machine's, but name
//! virtual registers: each is written once, or is a parameter of a block. General registers are used
//! by hand and are in the instructions from the start.

use iced_x86::{Code, Instruction, Register};
use smallvec::SmallVec;

use super::forms::Width;
use crate::ir::Origin;

/// A virtual register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Vreg(pub(super) u32);

impl Vreg {
    /// Its number.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Registers that a virtual register may become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    /// ymm or zmm.
    Vector,
    /// k.
    Mask,
}

/// The place of a value that is in memory always, and never stored again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    /// The register that the place is counted from.
    pub(super) base: Register,
    /// Bytes from there.
    pub(super) displacement: i32,
    /// How much is there.
    pub(super) holds: Holds,
}

/// The contents of a [`Home`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// One word, for all lanes.
    Word,
    /// A vector.
    Vector,
    /// The bits of a mask register.
    Bits,
}

impl Home {
    /// Its address.
    pub(super) fn mem(self) -> Mem {
        Mem::at(self.base, self.displacement)
    }
}

impl Holds {
    /// The contents of a register of a class.
    pub(super) fn of(class: Class) -> Holds {
        match class {
            Class::Vector => Holds::Vector,
            Class::Mask => Holds::Bits,
        }
    }

    /// The class of a register with it.
    pub(super) fn class(self) -> Class {
        match self {
            Holds::Word | Holds::Vector => Class::Vector,
            Holds::Bits => Class::Mask,
        }
    }

    /// Bytes that it takes, which its address is a multiple of.
    pub(super) fn bytes(self, width: Width) -> usize {
        match self {
            Holds::Word => 4,
            Holds::Vector => width.bytes(),
            Holds::Bits => 8,
        }
    }
}

/// An address that general registers give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mem {
    /// The first register.
    pub(super) base: Register,
    /// The second, and 1, 2, 4 or 8 for it. [`Register::None`] if there is not one.
    pub(super) index: Register,
    /// The second register's factor.
    pub(super) scale: u8,
    /// Bytes from there.
    pub(super) displacement: i32,
    /// Whether it is one element, for all of them.
    pub(super) broadcast: bool,
}

impl Mem {
    /// So many bytes from a register.
    pub(super) fn at(base: Register, displacement: i32) -> Mem {
        Mem {
            base,
            index: Register::None,
            scale: 1,
            displacement,
            broadcast: false,
        }
    }

    /// The same, of one element for all.
    pub(super) fn word(base: Register, displacement: i32) -> Mem {
        Mem {
            broadcast: true,
            ..Mem::at(base, displacement)
        }
    }

    /// The same, so many bytes further.
    pub(super) fn after(self, bytes: i32) -> Mem {
        Mem {
            displacement: self.displacement + bytes,
            ..self
        }
    }

    /// The same plus another register's bytes.
    pub(super) fn plus(self, index: Register, scale: u8) -> Mem {
        Mem {
            index,
            scale,
            ..self
        }
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Arg {
    /// A register that is written.
    Def(Vreg),
    /// The same; it may not be one that the instruction reads.
    DefEarly(Vreg),
    /// A register that is read.
    Use(Vreg),
    /// A register that is read, or memory; of one word for all lanes, too.
    UseMem(Vreg),
    /// A register that is read, or a whole vector in memory.
    UseWhole(Vreg),
    /// One register that is read and written: the new value, then the old.
    Tied(Vreg, Vreg),
    /// A register that is known.
    Fixed(Register),
    /// Memory.
    Mem(Mem),
    /// Memory at an address for each lane: base, the lanes' numbers, their factor, bytes from there.
    Lanes(Register, Vreg, u8, i32),
    /// A constant.
    Imm(u8),
}

/// Operands, in the order of the instruction.
pub(super) type Args = SmallVec<[Arg; 4]>;

/// The mask under which an instruction writes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Under {
    /// All elements.
    All,
    /// The elements of a mask.
    Mask(Vreg),
    /// The same, and 0 for others.
    Zeroing(Vreg),
    /// The elements of a mask register that is known.
    Fixed(Register),
    /// A mask that the instruction clears, as gathers do: the new value, then the old.
    Consumed(Vreg, Vreg),
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Label(pub(super) u32);

/// An instruction, or several.
#[derive(Clone, Debug)]
pub(super) enum Inst {
    /// An instruction.
    Op {
        /// The form.
        code: Code,
        /// Its operands.
        args: Args,
        /// The elements that it writes.
        under: Under,
    },
    /// a * b + c, rounded once; negated as told. Which of the three forms depends on what dies.
    Fma(Fma),
    /// An instruction without virtual registers.
    Raw(Instruction),
    /// A jump within the same sequence.
    Jump {
        /// The form.
        code: Code,
        /// Where to.
        to: Label,
    },
    /// A place to jump to.
    Label(Label),
    /// Two ways of doing the same, by the flags. There are few, so that they are not to lengthen all others.
    Split(Box<Split>),
}

/// Two ways of doing the same.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The jump to the way that is seldom taken.
    pub(super) code: Code,
    /// All virtual registers of both ways.
    pub(super) pins: Args,
    /// The usual way.
    pub(super) hot: Vec<Inst>,
    /// The other, which is moved out of the way.
    pub(super) cold: Vec<Inst>,
}

/// A product and a sum in one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fma {
    /// The result.
    pub(super) result: Vreg,
    /// a, b, c.
    pub(super) of: [Vreg; 3],
    /// Whether the product is negated.
    pub(super) negates_product: bool,
    /// Whether c is.
    pub(super) negates_sum: bool,
    /// Of f64 instead of f32.
    pub(super) double: bool,
}

/// A block to go on to, with the values of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The block's number.
    pub(super) block: usize,
    /// Values.
    pub(super) args: Vec<Vreg>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// On to another block.
    Jump(Edge),
    /// On to `then` if any lane of the mask is set, else to `other`.
    Any {
        /// The mask.
        mask: Vreg,
        /// The first block.
        then: Edge,
        /// The second.
        other: Edge,
    },
    /// Out of the region, to a place.
    Leave(Label),
}

impl End {
    /// The blocks that may follow.
    pub(super) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, second) = match self {
            End::Jump(edge) => (Some(edge), None),
            End::Any { then, other, .. } => (Some(then), Some(other)),
            End::Leave(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its parameters.
    pub(super) params: Vec<Vreg>,
    /// Its instructions.
    pub(super) insts: Vec<Inst>,
    /// From which on they are there for which of the program.
    pub(super) origins: Vec<(usize, Origin)>,
    /// Its end.
    pub(super) end: End,
}

/// Blocks in the order of the code; the first is where the region begins.
#[derive(Clone, Default, Debug)]
pub(super) struct Region {
    /// The blocks.
    pub(super) blocks: Vec<Block>,
}

/// The virtual registers of a function.
#[derive(Clone, Default, Debug)]
pub(super) struct Vregs {
    classes: Vec<Class>,
    homes: Vec<Option<Home>>,
}

impl Vregs {
    /// None yet, with room for so many.
    pub(super) fn with_room(count: usize) -> Vregs {
        Vregs {
            classes: Vec::with_capacity(count),
            homes: Vec::with_capacity(count),
        }
    }

    /// A new one.
    pub(super) fn add(&mut self, class: Class) -> Vreg {
        self.push(class, None)
    }

    /// One that is in memory.
    pub(super) fn at_home(&mut self, class: Class, home: Home) -> Vreg {
        self.push(class, Some(home))
    }

    fn push(&mut self, class: Class, home: Option<Home>) -> Vreg {
        let vreg = Vreg(self.classes.len() as u32);
        self.classes.push(class);
        self.homes.push(home);
        vreg
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Its class.
    pub(super) fn class(&self, vreg: Vreg) -> Class {
        self.classes[vreg.index()]
    }

    /// Its place in memory.
    pub(super) fn home(&self, vreg: Vreg) -> Option<Home> {
        self.homes[vreg.index()]
    }
}

/// What an instruction does with a virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Reads it: it has to be in a register.
    Reads,
    /// Reads it in a register or in memory; of one word for all lanes, too.
    ReadsAnywhere,
    /// Reads it in a register or as a whole vector in memory.
    ReadsWhole,
    /// Writes it.
    Writes,
    /// Writes it before everything is read.
    WritesEarly,
    /// Writes it to the register of the operand before this one.
    Replaces,
}

impl Role {
    /// Whether it is read.
    pub(super) fn reads(self) -> bool {
        match self {
            Role::Reads | Role::ReadsAnywhere | Role::ReadsWhole => true,
            Role::Writes | Role::WritesEarly | Role::Replaces => false,
        }
    }
}

impl Arg {
    /// Calls `f` with every virtual register.
    pub(super) fn vregs(&self, f: &mut impl FnMut(Vreg, Role)) {
        if let Arg::Tied(_, old) = *self {
            f(old, Role::Reads);
        }
        // One call for all, so that no jump depends on the kind of operand.
        if let Some((vreg, role)) = self.vreg() {
            f(vreg, role);
        }
    }

    /// The virtual register. That of a value that is replaced is another.
    fn vreg(&self) -> Option<(Vreg, Role)> {
        match *self {
            Arg::Def(vreg) => Some((vreg, Role::Writes)),
            Arg::DefEarly(vreg) => Some((vreg, Role::WritesEarly)),
            Arg::Use(vreg) | Arg::Lanes(_, vreg, ..) => Some((vreg, Role::Reads)),
            Arg::UseMem(vreg) => Some((vreg, Role::ReadsAnywhere)),
            Arg::UseWhole(vreg) => Some((vreg, Role::ReadsWhole)),
            Arg::Tied(new, _) => Some((new, Role::Replaces)),
            Arg::Fixed(_) | Arg::Mem(_) | Arg::Imm(_) => None,
        }
    }
}

impl Under {
    /// Calls `f` with every virtual register.
    pub(super) fn vregs(&self, f: &mut impl FnMut(Vreg, Role)) {
        match *self {
            Under::All | Under::Fixed(_) => {}
            Under::Mask(mask) | Under::Zeroing(mask) => f(mask, Role::Reads),
            Under::Consumed(new, old) => {
                f(old, Role::Reads);
                f(new, Role::Replaces);
            }
        }
    }
}

impl Inst {
    /// An instruction that writes all elements.
    pub(super) fn op(code: Code, args: &[Arg]) -> Inst {
        Inst::Op {
            code,
            args: Args::from_slice(args),
            under: Under::All,
        }
    }

    /// Calls `f` with every virtual register.
    pub(super) fn vregs(&self, mut f: impl FnMut(Vreg, Role)) {
        match self {
            Inst::Op { args, under, .. } => {
                args.iter().for_each(|arg| arg.vregs(&mut f));
                under.vregs(&mut f);
            }
            Inst::Fma(fma) => {
                fma.of.iter().for_each(|&of| f(of, Role::Reads));
                f(fma.result, Role::Writes);
            }
            Inst::Split(split) => split.pins.iter().for_each(|pin| pin.vregs(&mut f)),
            Inst::Raw(_) | Inst::Jump { .. } | Inst::Label(_) => {}
        }
    }
}
