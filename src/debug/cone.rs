//! [`Cone`]: everything that a value is made of.

use std::collections::HashMap;
use std::fmt;

use attila_isa::{Component, OpFlags, Opcode, Operand, Section, TextureOp};
use attila_machine::LANES;

use super::event::Event;
use super::place::Place;
use super::query::component_of;
use super::reads::{Read, reads};
use super::{Recording, Step};

/// The most values of a cone.
const MOST: usize = 1 << 16;

/// The values that a value is made of, back to inputs, constants, texels and memory: a tree in which a value that is
/// used more than once is there once. [`Cone::nodes`] begins with the value itself.
///
/// It is about values: which way lanes took is not part of it, but the predicates of guards are.
#[derive(Debug)]
pub struct Cone<'r> {
    pub(super) recording: &'r Recording,
    nodes: Vec<Node>,
    is_cut: bool,
}

/// A value of a cone.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Node {
    /// Where it comes from.
    pub origin: Origin,
    /// Its lane.
    pub lane: usize,
    /// Its bits.
    pub value: u32,
    /// What it is made of, by their places in [`Cone::nodes`].
    pub parts: Vec<usize>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A step wrote it.
    Step {
        /// Where to.
        place: Place,
        /// The step.
        step: usize,
    },
    /// The quad started with it.
    Start(Place),
    /// A constant.
    Constant {
        /// The register.
        register: usize,
        /// The component.
        component: Component,
    },
    /// The answer of a texture unit.
    Texture {
        /// The step that asked.
        step: usize,
        /// The component of the answer.
        component: Component,
    },
    /// A vertex attribute.
    Attribute {
        /// The step that fetched it.
        step: usize,
        /// Its component.
        component: Component,
    },
    /// An input at another place of the pixel.
    Input {
        /// The step that asked.
        step: usize,
        /// Its component.
        component: Component,
    },
    /// A word of a constant buffer.
    Buffer {
        /// The step that read it.
        step: usize,
        /// The component of the vector.
        component: Component,
    },
    /// A word of a storage buffer, or its size.
    Storage {
        /// The step that read it.
        step: usize,
        /// The component that it went to.
        component: Component,
    },
}

impl Recording {
    /// The cone of the value that a place has in a lane before a step.
    pub fn cone(&self, place: Place, lane: usize, step: usize) -> Cone<'_> {
        let mut builder = Builder {
            recording: self,
            nodes: Vec::new(),
            known: HashMap::new(),
        };
        let lane = lane.min(LANES - 1);
        builder.place(place, lane, step.min(self.len()));
        let is_cut = builder.grow();
        Cone {
            recording: self,
            nodes: builder.nodes,
            is_cut,
        }
    }
}

struct Builder<'r> {
    recording: &'r Recording,
    nodes: Vec<Node>,
    known: HashMap<(Origin, usize), usize>,
}

impl Builder<'_> {
    /// Adds the parts of all nodes. Returns whether there are too many.
    fn grow(&mut self) -> bool {
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > MOST {
                return true;
            }
            let node = &self.nodes[next];
            if let Origin::Step { place, step } = node.origin {
                let lane = node.lane;
                self.nodes[next].parts = self.parts(place, step, lane);
            }
            next += 1;
        }
        false
    }

    fn node(&mut self, origin: Origin, lane: usize, value: impl FnOnce() -> u32) -> usize {
        if let Some(known) = self.known.get(&(origin, lane)) {
            return *known;
        }
        self.nodes.push(Node {
            origin,
            lane,
            value: value(),
            parts: Vec::new(),
        });
        self.known.insert((origin, lane), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The node of a place in a lane before a step.
    fn place(&mut self, place: Place, lane: usize, before: usize) -> usize {
        let recording = self.recording;
        let (origin, at) = match recording.last_write(place, lane, before) {
            Some(step) => (Origin::Step { place, step }, step + 1),
            None => (Origin::Start(place), 0),
        };
        self.node(origin, lane, || recording.value_at(at, place)[lane])
    }

    fn parts(&mut self, place: Place, step: usize, lane: usize) -> Vec<usize> {
        let recording = self.recording;
        let Some(at) = recording.step(step) else {
            return Vec::new();
        };
        let reads = reads(recording, &at, place, lane);
        let mut parts: Vec<usize> = reads
            .into_iter()
            .map(|read| match read {
                Read::Place(place, lane) => self.place(place, lane, step),
                Read::Constant(register, component) => {
                    let origin = Origin::Constant {
                        register,
                        component,
                    };
                    let value = recording.constant(register)[component.index()];
                    self.node(origin, 0, || value)
                }
            })
            .collect();
        if let Some((origin, value)) = asked(recording, &at, place, lane) {
            parts.push(self.node(origin, lane, || value));
        }
        parts
    }
}

/// What a step got from what is bound for a word in a lane.
fn asked(recording: &Recording, at: &Step<'_>, place: Place, lane: usize) -> Option<(Origin, u32)> {
    let (step, op) = (at.number, at.inst.op);
    let mut component = component_of(place)?;
    if op.has(OpFlags::EVALUATE)
        && let Operand::Reg(src) = at.inst.operands[0]
    {
        component = src.swizzle.source(component);
    }
    let value = |event: &Event| event.answer(lane).map(|it| it[component.index()][lane]);
    let answer = recording.events(step).iter().find_map(value);
    let origin = match op.section() {
        Section::Texture(TextureOp::Lda) => Origin::Attribute { step, component },
        Section::Texture(_) => Origin::Texture { step, component },
        Section::Samples(_) => Origin::Input { step, component },
        Section::Memory(_) if op == Opcode::Ldc => Origin::Buffer { step, component },
        Section::Storage(_) => {
            let value = recording.value_at(step + 1, place)[lane];
            return Some((Origin::Storage { step, component }, value));
        }
        Section::Vector(_)
        | Section::Scalar(_)
        | Section::Integer(_)
        | Section::Mask(_)
        | Section::Bits(_)
        | Section::Convert(_)
        | Section::Predicate(_)
        | Section::Memory(_)
        | Section::Double(_)
        | Section::Export(_)
        | Section::Geometry(_)
        | Section::Flow(_)
        | Section::Fixed(_) => return None,
    };
    Some((origin, answer?))
}

impl Cone<'_> {
    /// The values: first the one that was asked for, parts after what they are parts of for the first time.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether there are more values: some nodes lack their parts.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Writes a node, without its parts: `r0.x = 0.5, step 3: add r0.x, i1, c0`.
    fn line(&self, f: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
        let lane = node.lane;
        let program = self.recording.program.program();
        let listing = program.listing();
        match node.origin {
            Origin::Step { place, .. } | Origin::Start(place) => write!(f, "{place}[{lane}]")?,
            Origin::Constant {
                register,
                component,
            } => write!(f, "c{register}.{}", component.letter())?,
            Origin::Texture { component, .. } => write!(f, "texel.{}[{lane}]", component.letter())?,
            Origin::Attribute { component, .. } => {
                write!(f, "attribute.{}[{lane}]", component.letter())?;
            }
            Origin::Input { component, .. } => write!(f, "input.{}[{lane}]", component.letter())?,
            Origin::Buffer { component, .. } => write!(f, "buffer.{}[{lane}]", component.letter())?,
            Origin::Storage { component, .. } => {
                write!(f, "storage.{}[{lane}]", component.letter())?
            }
        }
        write!(f, " = {}", Number(node.value))?;
        let Origin::Step { step, .. } = node.origin else {
            return Ok(());
        };
        let pc = self.recording.step(step).map_or(0, |it| it.pc);
        write!(f, "  step {step}")?;
        match listing.instruction(pc) {
            Some(instruction) => write!(f, ": {instruction}"),
            None => Ok(()),
        }
    }
}

/// A word as a float if it looks like one, else in hexadecimal.
pub(super) struct Number(pub(super) u32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = f32::from_bits(self.0);
        match value {
            _ if self.0 != 0 && value.is_subnormal() => write!(f, "{:#010x}", self.0),
            _ if value.is_nan() => f.write_str("nan"),
            _ if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) => write!(f, "{value:e}"),
            _ => write!(f, "{value}"),
        }
    }
}

/// The tree, a line for each value and those that it is made of indented below it. A value that comes again has its
/// parts only the first time.
impl fmt::Display for Cone<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = vec![false; self.nodes.len()];
        let mut stack = vec![(0, 0)];
        while let Some((index, depth)) = stack.pop() {
            let node = &self.nodes[index];
            write!(f, "{:indent$}", "", indent = 2 * depth)?;
            self.line(f, node)?;
            if std::mem::replace(&mut shown[index], true) {
                f.write_str(if node.parts.is_empty() {
                    "\n"
                } else {
                    ", as above\n"
                })?;
                continue;
            }
            f.write_str("\n")?;
            stack.extend(node.parts.iter().rev().map(|part| (*part, depth + 1)));
        }
        match self.is_cut {
            true => writeln!(f, "and more than {MOST} other values"),
            false => Ok(()),
        }
    }
}
