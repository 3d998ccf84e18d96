//! Computes with the colours of pixels as they are, and takes them apart afterwards.
//!
//! A blend's parts are pixels: one vector per lane, with its red, green, blue and alpha. A program
//! wants components: one vector for the red of all lanes, and so on. What it does alike with all
//! components, it may as well do with all pixels, and a sum of samples then takes one transposition
//! instead of one for each sample.
//!
//! ```text
//! t = transpose p0, p1, p2, p3            q0 = fadd p0, s0      and so on to q3
//! u = transpose s0, s1, s2, s3     ──►    v = transpose q0, q1, q2, q3
//! x = fadd t.x, u.x                       x = v.x
//! y = fadd t.y, u.y and so on             y = v.y               and so on
//! ```
//!
//! What is packed to bytes in the end goes to pixels anyway: that takes no transposition at all.
//!
//! Each of the sixteen numbers is computed from the same numbers by the same operation, so results
//! are the same, bit for bit.

use rustc_hash::FxHashMap;

use super::schedule::leaving;
use crate::ir::{Binary, Function, Node, Op, Rate, Type, Unary, Value};

/// Instructions of a transposition, roughly.
const TRANSPOSITION: usize = 8;

/// Components that have to be wanted: pixels always have four.
const FEWEST: usize = 3;

/// Moves transpositions behind the arithmetic that can do without them, wherever that leaves less of
/// them. Whether there were any to move; what has become useless is still there.
pub(super) fn sink(function: &mut Function) -> bool {
    let mut changed = false;
    let mut leaves = None;
    for index in 0..function.blocks.len() {
        let mut body = function.blocks[index].body.iter();
        if !body.any(|&value| matches!(function.node(value).op, Op::Transpose(_))) {
            continue;
        }
        let mut groups = Groups::find(function, index);
        let leaves = leaves.get_or_insert_with(|| leaving(function));
        groups.count_uses(function, index, leaves);
        groups.keep_ends();
        groups.keep_losses();
        if groups.list.iter().any(|group| group.sinks) {
            groups.rewrite(function, index);
            changed = true;
        }
    }
    changed
}

/// Whether a lane of the result depends on the same lane of the operands only, and the operation
/// costs next to nothing for a component that nobody wants.
fn is_pointwise(op: &Op) -> bool {
    use Binary::{Fadd, Fmax, Fmin, Fmul, Fsub};
    matches!(
        op,
        Op::Unary(Unary::Fneg | Unary::Fabs | Unary::Trunc, _)
            | Op::Binary(Fadd | Fsub | Fmul | Fmin | Fmax, ..)
            | Op::Fma(..)
    )
}

/// Components of one thing: of a transposition, or of the same operation on components of groups
/// and on numbers that are the same in all lanes. Or else four components packed, which is none.
struct Group {
    /// The transposition, the first component, or the packed pixels.
    name: Value,
    op: Op,
    /// Where that is in the block.
    place: usize,
    /// The groups among the operands, each once.
    operands: Vec<usize>,
    components: [Option<Value>; 4],
    /// Whether it is computed pixel by pixel. A transposition's operands are pixels already.
    sinks: bool,
    /// Groups that sink and use it.
    within: usize,
    /// Whether there are other uses of its components.
    beyond: bool,
}

impl Group {
    fn is_transposition(&self) -> bool {
        matches!(self.op, Op::Transpose(_))
    }

    fn is_packed(&self) -> bool {
        matches!(self.op, Op::Pack(..))
    }

    /// How many components there are, or are packed.
    fn width(&self) -> usize {
        if self.is_packed() {
            return 4;
        }
        self.components.iter().flatten().count()
    }
}

/// The groups of a block, each after those that it uses.
struct Groups {
    list: Vec<Group>,
    /// The group of a value, and which component it is.
    of: FxHashMap<Value, (usize, u8)>,
    /// The group of pixels that are packed and of each half of their components.
    packed: FxHashMap<Value, usize>,
}

impl Groups {
    fn find(function: &Function, block: usize) -> Groups {
        let mut groups = Groups {
            list: Vec::new(),
            of: FxHashMap::default(),
            packed: FxHashMap::default(),
        };
        let mut transpositions = FxHashMap::default();
        let mut known = FxHashMap::default();
        for (place, &value) in function.blocks[block].body.iter().enumerate() {
            let op = function.node(value).op;
            if let Op::Transpose(_) = op {
                transpositions.insert(value, groups.add(value, op, place, Vec::new()));
            } else if let Op::Part(whole, component) = op
                && let Some(&group) = transpositions.get(&whole)
            {
                groups.put(value, group, component);
            } else if is_pointwise(&op)
                && let Some((key, component)) = groups.key(function, op)
            {
                let group = *known.entry(key).or_insert_with(|| {
                    let operands = groups.operands(&op);
                    groups.add(value, op, place, operands)
                });
                groups.put(value, group, component);
            } else if let Op::Pack(even, odd) = op
                && let Some(group) = groups.whole(function, even, odd)
            {
                let group = groups.add(value, op, place, vec![group]);
                groups
                    .packed
                    .extend([value, even, odd].map(|value| (value, group)));
            }
        }
        for group in &mut groups.list {
            // Then those that it uses have as many components.
            group.sinks = !group.is_transposition() && group.width() >= FEWEST;
        }
        groups
    }

    /// The groups among an operation's operands, each once.
    fn operands(&self, op: &Op) -> Vec<usize> {
        let mut operands = Vec::new();
        op.operands(|operand| {
            if let Some(&(group, _)) = self.of.get(&operand)
                && !operands.contains(&group)
            {
                operands.push(group);
            }
        });
        operands
    }

    /// The group of which two halves are all components, in their order.
    fn whole(&self, function: &Function, even: Value, odd: Value) -> Option<usize> {
        let (Op::Narrow(x, z), Op::Narrow(y, w)) = (function.node(even).op, function.node(odd).op)
        else {
            return None;
        };
        let &(group, _) = self.of.get(&x)?;
        let components = self.list[group].components;
        (components == [x, y, z, w].map(Some)).then_some(group)
    }

    /// A new group, without components.
    fn add(&mut self, name: Value, op: Op, place: usize, operands: Vec<usize>) -> usize {
        self.list.push(Group {
            name,
            op,
            place,
            operands,
            components: [None; 4],
            sinks: false,
            within: 0,
            beyond: false,
        });
        self.list.len() - 1
    }

    fn put(&mut self, value: Value, group: usize, component: u8) {
        let place = &mut self.list[group].components[usize::from(component)];
        if place.is_none() {
            *place = Some(value);
            self.of.insert(value, (group, component));
        }
    }

    /// What an operation on components has in common with the same one on the other components:
    /// itself, with the names of groups in place of their components. And which component it is.
    fn key(&self, function: &Function, mut op: Op) -> Option<(Op, u8)> {
        let mut component = None;
        let mut fits = true;
        op.operands_mut(|operand| {
            if let Some(&(group, of_group)) = self.of.get(operand) {
                fits &= *component.get_or_insert(of_group) == of_group;
                *operand = self.list[group].name;
            } else {
                fits &= function.node(*operand).rate == Rate::Uniform;
            }
        });
        Some((op, component.filter(|_| fits)?))
    }

    /// Counts who uses each group if all sink that can. `leaves` says of each value whether it leaves
    /// the block.
    fn count_uses(&mut self, function: &Function, block: usize, leaves: &[bool]) {
        for index in 0..self.list.len() {
            if self.list[index].sinks {
                for operand in self.list[index].operands.clone() {
                    self.list[operand].within += 1;
                }
            }
        }
        for &value in &function.blocks[block].body {
            if leaves[value.0 as usize] {
                self.used_beyond(value);
            }
            let group = self.of.get(&value).map(|(group, _)| group);
            let group = group.or(self.packed.get(&value));
            if !group.is_some_and(|&group| self.list[group].sinks) {
                let op = function.node(value).op;
                op.operands(|operand| self.used_beyond(operand));
            }
        }
    }

    fn used_beyond(&mut self, value: Value) {
        if let Some(&(group, _)) = self.of.get(&value) {
            self.list[group].beyond = true;
        }
    }

    /// Keeps the ends from sinking that put no two groups together: for these, to transpose before is
    /// as good as behind. And what is packed, if its components are wanted anyway.
    fn keep_ends(&mut self) {
        for index in (0..self.list.len()).rev() {
            let group = &self.list[index];
            if !group.sinks || group.within > 0 {
                continue;
            }
            let operands = group.operands.clone();
            let saved = |operand: &&usize| !self.list[**operand].beyond;
            if operands.iter().filter(saved).count() <= usize::from(group.beyond) {
                self.list[index].sinks = false;
                for operand in operands {
                    self.list[operand].within -= 1;
                    self.list[operand].beyond = true;
                }
            }
        }
    }

    /// Keeps from sinking what hangs together without being any shorter for it.
    fn keep_losses(&mut self) {
        let webs = self.webs();
        let (mut before, mut after) = (vec![0; webs.len()], vec![0; webs.len()]);
        for (group, &web) in self.list.iter().zip(&webs) {
            if group.is_transposition() {
                before[web] += TRANSPOSITION;
            }
            if group.sinks {
                after[web] += 4 - group.width();
            }
            if group.beyond {
                after[web] += TRANSPOSITION;
            }
        }
        for (group, web) in self.list.iter_mut().zip(webs) {
            group.sinks &= after[web] < before[web];
        }
    }

    /// One group of all that each hangs together with, through those that sink.
    fn webs(&self) -> Vec<usize> {
        fn first(webs: &[usize], mut group: usize) -> usize {
            while webs[group] != group {
                group = webs[group];
            }
            group
        }
        let mut webs: Vec<usize> = (0..self.list.len()).collect();
        for (index, group) in self.list.iter().enumerate() {
            for &operand in group.operands.iter().filter(|_| group.sinks) {
                let (one, other) = (first(&webs, index), first(&webs, operand));
                webs[one] = other;
            }
        }
        (0..webs.len()).map(|group| first(&webs, group)).collect()
    }

    /// Computes what sinks by pixels, in front of its first component.
    fn rewrite(&self, function: &mut Function, block: usize) {
        let old = std::mem::take(&mut function.blocks[block].body);
        let mut new = Vec::with_capacity(old.len());
        let mut old = old.into_iter().enumerate().peekable();
        let mut pixels: Vec<[Value; 4]> = Vec::with_capacity(self.list.len());
        for group in &self.list {
            let before = |&(place, _): &(usize, Value)| place < group.place;
            new.extend(std::iter::from_fn(|| old.next_if(before)).map(|(_, value)| value));
            let rows = if let Op::Transpose(rows) = group.op {
                rows
            } else if group.sinks && group.is_packed() {
                let [a, b, c, d] = pixels[group.operands[0]];
                let [upper, lower] = [Op::Narrow(a, b), Op::Narrow(c, d)]
                    .map(|op| push(function, &mut new, op, Type::Halves));
                function.nodes[group.name.0 as usize].op = Op::PackPixels(upper, lower);
                [group.name; 4]
            } else if group.sinks {
                [0, 1, 2, 3].map(|pixel| {
                    let op = self.of_pixel(group.op, &pixels, pixel);
                    let ty = function.node(group.name).ty;
                    push(function, &mut new, op, ty)
                })
            } else {
                // No pixels are asked for.
                [group.name; 4]
            };
            pixels.push(rows);
            if group.sinks && group.beyond {
                let whole = push(function, &mut new, Op::Transpose(rows), Type::Vec4);
                for (component, value) in (0..).zip(group.components) {
                    if let Some(value) = value {
                        function.nodes[value.0 as usize].op = Op::Part(whole, component);
                    }
                }
            }
        }
        new.extend(old.map(|(_, value)| value));
        function.blocks[block].body = new;
    }

    /// The operation on a pixel.
    fn of_pixel(&self, mut op: Op, pixels: &[[Value; 4]], pixel: usize) -> Op {
        op.operands_mut(|operand| {
            if let Some(&(group, _)) = self.of.get(operand) {
                *operand = pixels[group][pixel];
            }
        });
        op
    }
}

fn push(function: &mut Function, body: &mut Vec<Value>, op: Op, ty: Type) -> Value {
    let value = Value(function.nodes.len() as u32);
    let rate = Rate::Quad;
    function.nodes.push(Node { op, ty, rate });
    body.push(value);
    value
}

#[cfg(test)]
mod tests;
