//! Moves on the edges between blocks: everything at once, in an order that loses nothing.

use rustc_hash::FxHashMap;

use super::{Allocator, Out};
use crate::emit::wide::instructions as make;
use crate::emit::wide::mir::{Class, Edge, Home, Vreg};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum At {
    /// In a register.
    Register(u8),
    /// In memory.
    Memory(Home),
}

/// A value that has to be somewhere else.
#[derive(Clone, Copy, Debug)]
struct Move {
    class: Class,
    from: At,
    to: At,
}

impl Allocator<'_> {
    /// The instructions of every edge that needs some.
    pub(super) fn edges(&mut self) -> FxHashMap<(usize, usize), Vec<Out>> {
        let mut edges = FxHashMap::default();
        for from in 0..self.region.blocks.len() {
            let region = self.region;
            for (number, edge) in region.blocks[from].end.edges().enumerate() {
                let moves = self.moves(from, edge);
                let out = self.ordered(moves);
                if !out.is_empty() {
                    edges.insert((from, number), out);
                }
            }
        }
        edges
    }

    fn moves(&mut self, from: usize, edge: &Edge) -> Vec<Move> {
        let params = &self.region.blocks[edge.block].params;
        let entry = self.entries[edge.block].clone().unwrap_or_default();
        let mut moves = Vec::new();
        for (&param, &arg) in params.iter().zip(&edge.args) {
            let class = self.vregs.class(param);
            let held = entry.iter().find(|(it, _)| *it == param);
            let to = match held {
                Some(&(_, number)) => At::Register(number),
                None => match self.slots.get(param) {
                    Some(home) => At::Memory(home),
                    // Nobody reads it.
                    None => continue,
                },
            };
            let from = self.at_end(from, arg);
            moves.push(Move { class, from, to });
        }
        for &(vreg, number) in entry.iter().filter(|(it, _)| !params.contains(it)) {
            let class = self.vregs.class(vreg);
            let (from, to) = (self.at_end(from, vreg), At::Register(number));
            moves.push(Move { class, from, to });
        }
        moves.retain(|it| it.from != it.to);
        moves
    }

    /// Where a value is when a block ends.
    fn at_end(&self, block: usize, vreg: Vreg) -> At {
        let held = self.exits[block].iter().find(|(it, _)| *it == vreg);
        held.map_or_else(
            || At::Memory(self.places().home(vreg)),
            |(_, n)| At::Register(*n),
        )
    }

    fn ordered(&mut self, mut moves: Vec<Move>) -> Vec<Out> {
        let mut out = Vec::new();
        while !moves.is_empty() {
            let is_free = |one: &Move| {
                let mut others = moves.iter();
                !others.any(|other| other.class == one.class && other.from == one.to)
            };
            if let Some(place) = moves.iter().position(is_free) {
                let one = moves.swap_remove(place);
                self.one(one, &mut out);
                continue;
            }
            // A circle: its first value waits in memory.
            let class = moves[0].class;
            let aside = At::Memory(self.slots.add(class, self.width));
            let from = std::mem::replace(&mut moves[0].from, aside);
            let to = aside;
            self.one(Move { class, from, to }, &mut out);
        }
        out
    }

    fn one(&self, Move { class, from, to }: Move, out: &mut Vec<Out>) {
        let width = self.width;
        // No value is ever in this register.
        let spare = match class {
            Class::Vector => width.vectors() - 1,
            Class::Mask => 7,
        };
        let mut put = |inst| out.push(Out::Inst(inst));
        match (from, to) {
            (At::Register(from), At::Register(to)) => put(make::copy(width, class, to, from)),
            (At::Register(from), At::Memory(to)) => put(make::store(width, class, to, from)),
            (At::Memory(from), At::Register(to)) => put(make::load(width, class, to, from)),
            (At::Memory(from), At::Memory(to)) => {
                put(make::load(width, class, spare, from));
                put(make::store(width, class, to, spare));
            }
        }
    }
}
