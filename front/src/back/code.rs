//! Programs between a language and ATTILA: instructions in blocks, with labels and jumps.

use std::ops::Range;

use attila_isa::{Opcode, Profile, Remark, ResultPath, ScratchArray, code};
use smallvec::{SmallVec, smallvec};

use super::Language;
use super::addresses::Loaded;
use super::constants::immediate;
use super::flow::{MAX_ADDED, Open};
use super::step::{Condition, Operand, Place, Register, Step};

/// A place in the program that jumps lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(pub(super) usize);

/// The way on from the end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// To the next block. From the last one the program ends.
    Next,
    /// To a label; where there is a condition, lanes for which it is false go to the next block.
    Jump {
        condition: Option<Condition>,
        to: Label,
        span: Range<usize>,
    },
}

/// Instructions that lanes run through together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Block<L: Language> {
    pub(super) steps: Vec<Step<L>>,
    pub(super) exit: Exit,
}

impl<L: Language> Block<L> {
    fn new() -> Block<L> {
        Block {
            steps: Vec::new(),
            exit: Exit::Next,
        }
    }

    /// The number of its instructions, with its jump.
    pub(super) fn length(&self) -> usize {
        self.steps.len() + usize::from(self.exit != Exit::Next)
    }

    /// The condition of its jump.
    pub(super) fn condition(&self) -> Option<Condition> {
        match self.exit {
            Exit::Jump { condition, .. } => condition,
            Exit::Next => None,
        }
    }
}

/// A remark on an instruction beyond the limit.
fn too_long<L: Language>(step: &Step<L>) -> Remark {
    let message = format!("the program is longer than {MAX_ADDED} instructions");
    Remark::new(step.span.clone(), message).code(&code::text::LIMIT)
}

/// A program that is being made.
#[derive(Debug)]
pub struct Code<L: Language> {
    /// At least one. Each begins where a label is placed, or after a jump.
    pub(super) blocks: Vec<Block<L>>,
    /// The number of temporaries and predicates, which are counted together.
    pub(super) values: usize,
    /// Whether there are predicates among them.
    pub(super) has_predicates: bool,
    /// The block that each label stands before.
    pub(super) labels: Vec<Option<usize>>,
    /// Whether a jump leads to each label so far.
    pub(super) used: Vec<bool>,
    /// The number of labels placed so far.
    pub(super) placed: usize,
    /// A count of the places where a block began, ended, or was joined to another.
    pub(super) borders: usize,
    /// The indices in the address registers.
    pub(super) loaded: Loaded<L>,
    /// Whether lanes may be elsewhere while others run through each block; see [`super::neighbours`].
    pub(super) parted: Vec<bool>,
    /// Values that lanes read of each other in parted blocks, in ascending order.
    pub(super) shared: Vec<usize>,
    /// The statements around the place where instructions are added.
    pub(super) open: Vec<Open>,
    /// The first instruction or statement that is beyond a limit.
    pub(super) refusal: Option<Remark>,
    /// The number of instructions and calls that have been added.
    pub(super) added: usize,
    /// The number of scratch vectors of each lane.
    pub(super) scratch: u32,
}

impl<L: Language> Code<L> {
    /// An empty program with temporaries 0 to `temps` - 1. There is room for `steps` instructions.
    pub fn new(temps: usize, steps: usize) -> Code<L> {
        let mut first = Block::new();
        first.steps.reserve(steps);
        Code {
            blocks: vec![first],
            values: temps,
            has_predicates: false,
            labels: Vec::new(),
            used: Vec::new(),
            placed: 0,
            borders: 0,
            loaded: Loaded::default(),
            parted: Vec::new(),
            shared: Vec::new(),
            open: Vec::new(),
            refusal: None,
            added: 0,
            scratch: 0,
        }
    }

    /// A new temporary.
    pub fn temp(&mut self) -> usize {
        self.values += 1;
        self.values - 1
    }

    /// A new predicate, false in all lanes.
    pub fn predicate(&mut self) -> usize {
        self.has_predicates = true;
        self.temp()
    }

    /// A new array of scratch memory, 0 in all lanes; `None` if a program has less.
    pub fn scratch(&mut self, size: u32) -> Option<ScratchArray> {
        let array = ScratchArray {
            base: u16::try_from(self.scratch).ok()?,
            size: u16::try_from(size).ok()?,
        };
        let end = array.end();
        let fits = end <= Profile::Extended.scratch() && array.size <= ScratchArray::MOST;
        fits.then(|| {
            self.scratch = end;
            array
        })
    }

    /// The instructions so far, without jumps.
    pub fn steps(&self) -> impl Iterator<Item = &Step<L>> {
        self.blocks.iter().flat_map(|block| &block.steps)
    }

    /// The last instruction, unless a jump or a label stands after it.
    pub fn last_mut(&mut self) -> Option<&mut Step<L>> {
        self.here().steps.last_mut()
    }

    /// The instructions so far, with jumps.
    pub(super) fn length(&self) -> usize {
        self.blocks.iter().map(Block::length).sum()
    }

    /// Whether the program ends with an instruction that is not a jump, and that no jump leads beyond.
    pub(super) fn ends_with_step(&self) -> bool {
        let mut full = self.blocks.iter().rposition(|block| block.length() > 0);
        if self.blocks.len() > 1 {
            full = full.filter(|full| {
                let mut exits = self.blocks.iter().map(|block| &block.exit);
                exits.all(|exit| match exit {
                    Exit::Next => true,
                    Exit::Jump { to, .. } => self.target(*to) <= *full,
                })
            });
        }
        full.is_some_and(|full| self.blocks[full].exit == Exit::Next)
    }

    /// The block that instructions are added to.
    fn here(&mut self) -> &mut Block<L> {
        if self.blocks.is_empty() {
            self.blocks.push(Block::new());
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Adds an instruction, with others before it where it cannot have its operands as they are.
    pub fn push(&mut self, mut step: Step<L>) {
        let commutes = matches!(step.op, Opcode::Add | Opcode::Mul);
        if commutes && immediate(&step, 1).is_none() {
            step.operands.swap(0, 1);
            if immediate(&step, 1).is_none() {
                step.operands.swap(0, 1);
            }
        }
        self.separate_addresses(&mut step);
        self.added += 1;
        if self.added > MAX_ADDED {
            self.refusal.get_or_insert_with(|| too_long(&step));
        }
        self.loaded.note(&step);
        self.here().steps.push(step);
    }

    /// Whether the program is within the limits so far. Front ends that ask after each instruction stop early.
    ///
    /// # Errors
    ///
    /// It is longer than [`MAX_ADDED`], or statements are nested deeper than [`MAX_NESTED`](super::MAX_NESTED).
    pub fn check_limits(&self) -> Result<(), Remark> {
        self.refusal.clone().map_or(Ok(()), Err)
    }

    /// Copies relative constants to temporaries where an instruction would have constants relative
    /// to different addresses, or others beside them.
    fn separate_addresses(&mut self, step: &mut Step<L>) {
        let mut addresses = step
            .operands
            .iter()
            .enumerate()
            .filter_map(|(index, operand)| match operand.register {
                Register::Element {
                    offset, address, ..
                } => Some(Some((offset, address))),
                Register::Param(_) => immediate(step, index).is_none().then_some(None),
                Register::Temp(_)
                | Register::Predicate(_)
                | Register::Input(_)
                | Register::Pair(..)
                | Register::AsIs(_) => None,
            });
        let first = addresses.next();
        // The address of an instruction that names a target belongs to its unit, and those that name scratch
        // memory have none.
        let takes_no_address =
            step.op.names_target() || matches!(step.op, Opcode::Ldt | Opcode::Stt);
        if !takes_no_address && addresses.all(|address| Some(address) == first) {
            return;
        }
        for index in 0..step.operands.len() {
            let operand = step.operands[index];
            if Step::is_relative(&operand) {
                let read = operand.swizzle.sources(step.slots(index));
                let temp = self.temp();
                self.here().steps.push(Step {
                    op: Opcode::Mov,
                    guard: None,
                    path: ResultPath::Plain,
                    zero_wins: false,
                    result: Some((Place::Temp(temp), read)),
                    operands: smallvec![Operand::new(operand.register)],
                    texture: None,
                    span: step.span.clone(),
                });
                step.operands[index].register = Register::Temp(temp);
            }
        }
    }

    /// A new label, which has to be placed.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        self.used.push(false);
        Label(self.labels.len() - 1)
    }

    /// Places a label before the next instruction.
    pub fn place(&mut self, label: Label) {
        let here = self.here();
        let is_new = here.steps.is_empty() && here.exit == Exit::Next;
        if !is_new {
            self.blocks.push(Block::new());
        }
        self.labels[label.0] = Some(self.blocks.len() - 1);
        self.placed += 1;
        self.borders += 1;
    }

    /// Places a label that no later jump leads to. Without an earlier one it has no effect.
    pub(super) fn meet(&mut self, label: Label) {
        if self.used[label.0] {
            self.place(label);
        }
    }

    /// Adds a jump to a label, which lanes take for which the condition holds.
    pub fn jump(&mut self, condition: Option<Condition>, to: Label, span: Range<usize>) {
        self.added += 1;
        self.borders += 1;
        self.used[to.0] = true;
        self.here().exit = Exit::Jump {
            condition,
            to,
            span,
        };
        self.blocks.push(Block::new());
    }

    /// Changes the numbers of temporaries and predicates wherever they stand. The shared ones have to
    /// be found anew.
    pub(super) fn for_each_value(&mut self, mut change: impl FnMut(&mut usize)) {
        for block in &mut self.blocks {
            for step in &mut block.steps {
                step.values_mut().for_each(&mut change);
                if let Some((Place::Temp(value) | Place::Predicate(value), _)) = &mut step.result {
                    change(value);
                }
            }
            if let Exit::Jump {
                condition: Some(condition),
                ..
            } = &mut block.exit
            {
                change(&mut condition.predicate);
            }
        }
    }

    /// The block that a jump leads to; the one after the last if the label was not placed.
    pub(super) fn target(&self, label: Label) -> usize {
        let placed = self.labels.get(label.0).copied().flatten();
        placed.unwrap_or(self.blocks.len())
    }

    /// The blocks that may be next. The one after the last is the end of the program.
    pub(super) fn successors(&self, block: usize) -> SmallVec<[usize; 2]> {
        match &self.blocks[block].exit {
            Exit::Next => smallvec![block + 1],
            Exit::Jump {
                condition: None,
                to,
                ..
            } => smallvec![self.target(*to)],
            Exit::Jump {
                condition: Some(_),
                to,
                ..
            } => smallvec![block + 1, self.target(*to)],
        }
    }
}
