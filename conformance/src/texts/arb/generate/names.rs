//! Names of variables, many of which mean something elsewhere.

use std::collections::BTreeSet;

use attila_shader::front::arb::ArbStage;

use crate::dice::Dice;

/// Words that no language reserves.
const WORDS: [&str; 22] = [
    "a", "color", "position", "x", "xyzw", "rgba", "env", "local", "row", "matrix", "front", "_",
    "$", "_SAT", "e2", "E", "temp", "mov", "MOVE", "Temp", "D2", "inverse",
];
/// Words that only fragment programs reserve.
const FREE_IN_VERTEX: [&str; 5] = ["fragment", "texture", "KIL", "LRP_SAT", "MOV_SAT"];
/// Words that only vertex programs reserve.
const FREE_IN_FRAGMENT: [&str; 5] = ["vertex", "ADDRESS", "ARL", "EXP", "LOG"];

/// Names that have not been taken yet.
pub(super) struct Names {
    words: Vec<&'static str>,
    taken: BTreeSet<String>,
}

impl Names {
    pub(super) fn new(stage: ArbStage) -> Names {
        let others = match stage {
            ArbStage::Vertex => FREE_IN_VERTEX,
            ArbStage::Fragment => FREE_IN_FRAGMENT,
        };
        Names {
            words: WORDS.into_iter().chain(others).collect(),
            taken: BTreeSet::new(),
        }
    }

    /// Another name.
    pub(super) fn next(&mut self, dice: &mut Dice<'_>) -> String {
        let word = dice.pick(&self.words);
        let numbered = format!("{word}{}", self.taken.len());
        let plain = word.to_owned();
        let name = if self.taken.contains(&plain) {
            numbered
        } else {
            plain
        };
        self.taken.insert(name.clone());
        name
    }
}
