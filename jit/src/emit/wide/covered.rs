//! Pixels that are stored where a mask has the fragment, and stay elsewhere.
//!
//! ```text
//! old = load_pixels p           nothing
//! w = select m, word, old       nothing
//! store_pixels p, w             vmovups p{m}, word
//! ```
//!
//! With masks no pixel has to be read for it. That matters more than the instructions: the pixels may be in no cache, or
//! have been written just before, a part by a part, which the processor waits for.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::Width;
use crate::abi::Pixels;
use crate::ir::{Function, Op, Value};

/// What a store stores where.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Covered {
    pub(super) mask: Value,
    pub(super) word: Value,
}

/// The stores of this kind, by what they would store without masks, and what they make needless.
#[derive(Default)]
pub(super) struct CoveredStores {
    stores: FxHashMap<Value, Covered>,
    needless: FxHashSet<Value>,
}

impl CoveredStores {
    pub(super) fn new(function: &Function, width: Width, uses: &[u32]) -> CoveredStores {
        let mut found = CoveredStores::default();
        if !width.has_masks() {
            return found;
        }
        for block in &function.blocks {
            for &value in &block.body {
                let node = function.node(value);
                if let (Op::StorePixels(pixels), [word]) = (node.op, &*node.operands)
                    && pixels.bytes == 4
                {
                    found.add(function, uses, pixels, *word);
                }
            }
        }
        found
    }

    /// Adds a store of a word, if it is a choice between another and what is there.
    fn add(&mut self, function: &Function, uses: &[u32], pixels: Pixels, chosen: Value) {
        let once = |value: Value| uses[value.0 as usize] == 1;
        let node = function.node(chosen);
        let [mask, word, old] = match (node.op, &*node.operands) {
            (Op::Select, &[mask, word, old]) if once(chosen) => [mask, word, old],
            _ => return,
        };
        let part = function.node(old);
        let (Op::Extract(_), &[whole]) = (part.op, &*part.operands) else {
            return;
        };
        if function.node(whole).op != Op::LoadPixels(pixels) {
            return;
        }
        self.stores.insert(chosen, Covered { mask, word });
        self.needless.insert(chosen);
        if once(old) && once(whole) {
            self.needless.insert(whole);
        }
    }

    /// What is stored in place of a choice.
    pub(super) fn get(&self, chosen: Value) -> Option<Covered> {
        self.stores.get(&chosen).copied()
    }

    /// Whether nobody needs a value.
    pub(super) fn makes_needless(&self, value: Value) -> bool {
        self.needless.contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::merge::uses;
    use super::*;
    use crate::ir::parse;

    /// The values that nobody needs.
    fn needless_at(width: Width, lines: &str) -> usize {
        let text = format!(
            "uniform:\n  z: f32 = const 0.0\nblock0:\n  x: f32 = fragment i0.x\n  w: i32 = tobits x\n  \
             m: mask = fragment coverage\n  p = load_pixels target0:1\n  q: i32 = extract 0, p\n  {lines}\n  done\n"
        );
        let function = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        CoveredStores::new(&function, width, &uses(&function))
            .needless
            .len()
    }

    #[test]
    fn pixels_that_stay_are_not_read_if_nothing_else_needs_them() {
        let stored = "b: i32 = select m, w, q\n  store_pixels target0:1, b";
        assert_eq!(needless_at(Width::V512, stored), 2);
        assert_eq!(needless_at(Width::V256, stored), 0, "no masks");
        let read = "a: i32 = iadd w, q\n  b: i32 = select m, a, q\n  store_pixels target0:1, b";
        assert_eq!(needless_at(Width::V512, read), 1, "the choice alone");
        let turned = "b: i32 = select m, q, w\n  store_pixels target0:1, b";
        assert_eq!(needless_at(Width::V512, turned), 0);
        let others = "b: i32 = select m, w, q\n  store_pixels target1:1, b";
        assert_eq!(
            needless_at(Width::V512, others),
            0,
            "pixels of another surface"
        );
        let twice =
            "b: i32 = select m, w, q\n  store_pixels target0:1, b\n  store_pixels target1:1, b";
        assert_eq!(needless_at(Width::V512, twice), 0);
    }
}
