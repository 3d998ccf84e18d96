//! The locals of a function: which value is in which, and when one is free for another value.
//!
//! A value that only its own block uses gives its local back after its last use: functions may have more values than
//! engines take locals, which is 50,000. Any other value keeps its local. Blocks stand behind those that dominate them, so
//! that the blocks which had the local before do not come between the value and its uses.

use wasm_encoder::ValType;

use crate::ir::{Function, Op, Rate, Value};

/// A local by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Local(pub(super) u32);

/// The list of nodes that computes a value: values of the run, values of a span, then blocks.
type Section = usize;

/// Where a value is computed and used.
#[derive(Clone, Copy, Default)]
struct Life {
    home: Section,
    /// The place of its last use in its own section.
    last: usize,
    /// Whether another section uses it, or it is a parameter.
    escapes: bool,
    /// Whether all quads of an iteration share it.
    shared: bool,
}

/// The locals behind the parameters.
pub(super) struct Locals {
    parameters: u32,
    types: Vec<ValType>,
    vectors: Vec<Local>,
    numbers: Vec<Local>,
    /// Locals of the current node.
    scratch: Vec<Local>,
    lives: Vec<Life>,
    /// A value's number times the quads, plus the quad.
    of_values: Vec<Option<Local>>,
    quads: usize,
}

impl Locals {
    /// The locals of a function with so many parameters, for quads side by side.
    pub(super) fn new(function: &Function, parameters: u32, quads: usize) -> Locals {
        Locals {
            parameters,
            types: Vec::new(),
            vectors: Vec::new(),
            numbers: Vec::new(),
            scratch: Vec::new(),
            lives: lives(function),
            of_values: vec![None; function.nodes.len() * quads],
            quads,
        }
    }

    /// Their types, in the order of their numbers.
    pub(super) fn types(&self) -> &[ValType] {
        &self.types
    }

    /// A local that nothing else ever uses.
    pub(super) fn kept(&mut self, ty: ValType) -> Local {
        self.types.push(ty);
        Local(self.parameters + self.types.len() as u32 - 1)
    }

    /// A local for the current node.
    pub(super) fn scratch(&mut self, ty: ValType) -> Local {
        let local = self.borrowed(ty);
        self.scratch.push(local);
        local
    }

    /// A local until it is released.
    fn borrowed(&mut self, ty: ValType) -> Local {
        let free = self.free(ty).pop();
        free.unwrap_or_else(|| self.kept(ty))
    }

    /// Ends a node.
    pub(super) fn end_node(&mut self) {
        while let Some(local) = self.scratch.pop() {
            self.release(local);
        }
    }

    /// The local of a value for a quad, if the value has been computed.
    pub(super) fn of(&self, value: Value, quad: usize) -> Option<Local> {
        self.of_values[self.place(value, quad)]
    }

    /// The local of a value for a quad; a new one before the value is computed.
    pub(super) fn define(&mut self, value: Value, quad: usize) -> Local {
        let place = self.place(value, quad);
        if let Some(known) = self.of_values[place] {
            return known;
        }
        let local = self.borrowed(ValType::V128);
        self.of_values[place] = Some(local);
        local
    }

    /// Takes back the locals of those values that the node or end at `place` of a section is the last to use.
    pub(super) fn retire(&mut self, values: &[Value], section: Section, place: usize) {
        for &value in values {
            let life = self.lives[value.0 as usize];
            if life.escapes || life.home != section || life.last > place {
                continue;
            }
            for quad in 0..self.quads {
                let place = self.place(value, quad);
                if let Some(local) = self.of_values[place].take() {
                    self.release(local);
                }
            }
        }
    }

    fn place(&self, value: Value, quad: usize) -> usize {
        let quad = if self.lives[value.0 as usize].shared {
            0
        } else {
            quad
        };
        value.0 as usize * self.quads + quad
    }

    fn free(&mut self, ty: ValType) -> &mut Vec<Local> {
        if ty == ValType::V128 {
            &mut self.vectors
        } else {
            &mut self.numbers
        }
    }

    fn release(&mut self, local: Local) {
        let ty = self.types[(local.0 - self.parameters) as usize];
        self.free(ty).push(local);
    }
}

/// Where each value is computed and used.
fn lives(function: &Function) -> Vec<Life> {
    let mut lives = vec![Life::default(); function.nodes.len()];
    let blocks = function.blocks.iter().map(|block| &block.body);
    let sections = || {
        [&function.uniform, &function.row]
            .into_iter()
            .chain(blocks.clone())
    };
    for (section, nodes) in sections().enumerate() {
        for &value in nodes {
            let node = function.node(value);
            lives[value.0 as usize].shared = node.rate != Rate::Quad;
            // A part is there as soon as its whole is.
            lives[value.0 as usize].home = match (node.op, &*node.operands) {
                (Op::Extract(_), &[whole]) => lives[whole.0 as usize].home,
                (_, _) => section,
            };
        }
    }
    for (section, nodes) in sections().enumerate() {
        for (place, &value) in nodes.iter().enumerate() {
            let operands = function.node(value).operands;
            operands
                .iter()
                .for_each(|&of| note(&mut lives, of, section, place));
            // Not before its own node, of a part.
            note(&mut lives, value, section, place);
        }
    }
    for (block, section) in function.blocks.iter().zip(2..) {
        let place = block.body.len();
        block
            .end
            .values()
            .for_each(|of| note(&mut lives, of, section, place));
        for &param in &block.params {
            lives[param.0 as usize].escapes = true;
        }
    }
    lives
}

/// Notes a use.
fn note(lives: &mut [Life], value: Value, section: Section, place: usize) {
    let life = &mut lives[value.0 as usize];
    life.escapes |= life.home != section;
    life.last = life.last.max(place);
}
