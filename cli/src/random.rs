//! Numbers and values that follow from a seed, for tests.

use serde_json::{Value, json};

/// Numbers that follow from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A value of any shape, of these texts and keys.
    pub(crate) fn value(&mut self, (texts, keys): (&[&str], &[&str]), depth: usize) -> Value {
        match self.below(if depth < 3 { 8 } else { 5 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(9)),
            3 => json!(i64::MAX.wrapping_add(self.below(2) as i64)),
            4 => json!(self.of(texts)),
            5 => (0..self.below(3))
                .map(|_| self.value((texts, keys), depth + 1))
                .collect(),
            _ => self.object((texts, keys), depth + 1),
        }
    }

    /// An object with members of any shape.
    pub(crate) fn object(&mut self, (texts, keys): (&[&str], &[&str]), depth: usize) -> Value {
        let members = (0..self.below(6)).map(|_| {
            let key = self.of(keys).to_owned();
            (key, self.value((texts, keys), depth))
        });
        Value::Object(members.collect())
    }
}
