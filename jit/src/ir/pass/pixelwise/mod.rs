//! Computes with the colours of pixels as they are, and transposes them afterwards.
//!
//! A blend's parts are pixels: one vector per lane, with its red, green, blue and alpha. A program
//! wants components: one vector for the red of all lanes, and so on. Where it does the same with
//! all components, it may as well do it with all pixels. A sum of samples then takes one
//! transposition instead of one for each sample.
//!
//! ```text
//! t = transpose p0, p1, p2, p3            q0 = fadd p0, s0      and so on to q3
//! u = transpose s0, s1, s2, s3     ──►    v = transpose q0, q1, q2, q3
//! x = fadd t.x, u.x                       x = v.x
//! y = fadd t.y, u.y and so on             y = v.y               and so on
//! ```
//!
//! Results that are packed to bytes become pixels anyway: they take no transposition at all.
//!
//! Each of the sixteen numbers is computed from the same numbers by the same operation, so results
//! are the same, bit for bit.

use rustc_hash::FxHashMap;

use super::schedule::leaving;
use crate::ir::{Function, Node, Op, Operands, Rate, Value};
use crate::target::VectorTarget;

/// Instructions of a transposition, roughly.
const TRANSPOSITION: usize = 8;

/// Components that have to be wanted: pixels always have four.
const FEWEST: usize = 3;

/// Moves transpositions after the arithmetic that can do without them, wherever that leaves fewer
/// of them. Returns whether anything moved. Leaves dead nodes behind.
pub(super) fn sink(function: &mut Function, vectors: &VectorTarget) -> bool {
    let mut changed = false;
    let mut leaves = None;
    for index in 0..function.blocks.len() {
        let mut body = function.blocks[index].body.iter();
        if !body.any(|&value| function.node(value).op == Op::Transpose) {
            continue;
        }
        let mut groups = Groups::find(function, index);
        let leaves = leaves.get_or_insert_with(|| leaving(function));
        groups.count_uses(function, index, leaves);
        groups.keep_ends();
        groups.keep_losses(|pixel| vectors.blends_components && is_byte_blend(function, pixel));
        if groups.list.iter().any(|group| group.sinks) {
            groups.rewrite(function, index);
            changed = true;
        }
    }
    changed
}

/// Components of one thing: of a transposition, or of the same operation on components of groups
/// and on what is the same in all lanes of a quad. Or else one value that packs four components.
struct Group {
    /// The transposition, the first component, or the packed pixels.
    name: Value,
    op: Op,
    /// Its operands, components being those of the first component.
    given: Operands,
    /// Where that is in the block.
    place: usize,
    /// The groups among the operands, each once.
    operands: Vec<usize>,
    components: [Option<Value>; 4],
    /// Whether it is computed pixel by pixel. A transposition's operands are pixels already.
    sinks: bool,
    /// Groups that sink and use it.
    within: usize,
    /// Whether its components have other uses.
    beyond: bool,
}

impl Group {
    fn is_transposition(&self) -> bool {
        self.op == Op::Transpose
    }

    fn is_packed(&self) -> bool {
        self.op == Op::Pack
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
            let node = function.node(value);
            if node.op == Op::Transpose {
                transpositions.insert(value, groups.add(value, node, place, Vec::new()));
            } else if let (Op::Extract(component), [whole]) = (node.op, &*node.operands)
                && let Some(&group) = transpositions.get(whole)
            {
                groups.put(value, group, component);
            } else if node.op.row().channels
                && let Some((operands, component)) = groups.key(function, node.operands)
            {
                let group = *known.entry((node.op, operands)).or_insert_with(|| {
                    let operands = groups.operands(&node.operands);
                    groups.add(value, node, place, operands)
                });
                groups.put(value, group, component);
            } else if let (Op::Pack, &[even, odd]) = (node.op, &*node.operands)
                && let Some(group) = groups.whole(function, even, odd)
            {
                let group = groups.add(value, node, place, vec![group]);
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
    fn operands(&self, given: &[Value]) -> Vec<usize> {
        let mut operands = Vec::new();
        for operand in given {
            if let Some(&(group, _)) = self.of.get(operand)
                && !operands.contains(&group)
            {
                operands.push(group);
            }
        }
        operands
    }

    /// The group of which two halves are all components, in their order.
    fn whole(&self, function: &Function, even: Value, odd: Value) -> Option<usize> {
        let narrowed = |value: Value| {
            let node = function.node(value);
            (node.op == Op::Narrow).then(|| node.operands.array())
        };
        let ([x, z], [y, w]) = (narrowed(even)?, narrowed(odd)?);
        let &(group, _) = self.of.get(&x)?;
        let components = self.list[group].components;
        (components == [x, y, z, w].map(Some)).then_some(group)
    }

    /// A new group, without components.
    fn add(&mut self, name: Value, node: &Node, place: usize, operands: Vec<usize>) -> usize {
        self.list.push(Group {
            name,
            op: node.op,
            given: node.operands,
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

    /// Operands as those of the same operation on other components have them, too: with the names of
    /// groups in place of their components. And which component it is.
    fn key(&self, function: &Function, operands: Operands) -> Option<(Operands, u8)> {
        let mut component = None;
        let mut fits = true;
        let operands = operands.map(|operand| {
            if let Some(&(group, of_group)) = self.of.get(&operand) {
                fits &= *component.get_or_insert(of_group) == of_group;
                self.list[group].name
            } else {
                fits &= function.node(operand).alike;
                operand
            }
        });
        Some((operands, component.filter(|_| fits)?))
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
                let operands = function.node(value).operands;
                operands
                    .iter()
                    .for_each(|&operand| self.used_beyond(operand));
            }
        }
    }

    fn used_beyond(&mut self, value: Value) {
        if let Some(&(group, _)) = self.of.get(&value) {
            self.list[group].beyond = true;
        }
    }

    /// Keeps the ends from sinking that put no two groups together: for these, a transposition
    /// before is as good as one after. Packed components stay, too, if they are wanted anyway.
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

    /// Keeps connected groups from sinking where the code would not get shorter. Pixels of which
    /// `are_components` holds have been components: to compute with these pixels takes a transposition,
    /// and another one where components are wanted as well.
    fn keep_losses(&mut self, are_components: impl Fn(Value) -> bool) {
        let webs = self.webs();
        let (mut before, mut after) = (vec![0; webs.len()], vec![0; webs.len()]);
        for (group, &web) in self.list.iter().zip(&webs) {
            let beyond = usize::from(group.beyond);
            if !group.is_transposition() {
                after[web] += beyond * TRANSPOSITION;
            } else if !are_components(group.given[0]) {
                before[web] += TRANSPOSITION;
                after[web] += beyond * TRANSPOSITION;
            } else if group.within > 0 {
                after[web] += (1 + beyond) * TRANSPOSITION;
            }
            if group.sinks {
                after[web] += 4 - group.width();
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
            let rows = self.rows(function, &mut new, group, &pixels);
            pixels.push(rows);
            if group.sinks && group.beyond {
                let whole = push(function, &mut new, Op::Transpose, rows);
                for (component, value) in (0..).zip(group.components) {
                    if let Some(value) = value {
                        let part = &mut function.nodes[value.0 as usize];
                        (part.op, part.operands) = (Op::Extract(component), [whole].into());
                    }
                }
            }
        }
        new.extend(old.map(|(_, value)| value));
        function.blocks[block].body = new;
    }

    /// The pixels of a group, after those of the groups that it uses.
    fn rows(
        &self,
        function: &mut Function,
        body: &mut Vec<Value>,
        group: &Group,
        pixels: &[[Value; 4]],
    ) -> [Value; 4] {
        if group.is_transposition() {
            return group.given.array();
        }
        if !group.sinks {
            // No pixels are asked for.
            return [group.name; 4];
        }
        if group.is_packed() {
            let [a, b, c, d] = pixels[group.operands[0]];
            let halves = [[a, b], [c, d]].map(|pair| push(function, body, Op::NarrowPixels, pair));
            let packed = &mut function.nodes[group.name.0 as usize];
            (packed.op, packed.operands) = (Op::PackPixels, halves.into());
            return [group.name; 4];
        }
        [0, 1, 2, 3].map(|pixel| {
            let of_pixel = group.given.map(|operand| match self.of.get(&operand) {
                Some(&(group, _)) => pixels[group][pixel],
                None => operand,
            });
            push(function, body, group.op, of_pixel)
        })
    }
}

/// Whether a pixel is what a linear filter makes of bytes.
fn is_byte_blend(function: &Function, pixel: Value) -> bool {
    let node = function.node(pixel);
    let (Op::Extract(_), &[whole]) = (node.op, &*node.operands) else {
        return false;
    };
    function.node(whole).op.blends_bytes()
}

fn push(
    function: &mut Function,
    body: &mut Vec<Value>,
    op: Op,
    operands: impl Into<Operands>,
) -> Value {
    let operands = operands.into();
    let ty = function.result_type(&op, &operands);
    let ty = ty.expect("what sinks has a type");
    let value = function.append(op, operands, ty, Rate::Quad);
    body.push(value);
    value
}

#[cfg(test)]
mod tests;
