//! The JSON of a vector.

use std::collections::BTreeMap;

use attila_shader::isa::{ADDRESSES, INPUTS, OUTPUTS, PREDICATES, Stage, TEMPS};
use attila_shader::machine::{
    Bindings, CONSTANTS, LANES, LaneMask, Lanes, QuadState, SAMPLES, StateKind, StateName,
};
use serde::Deserialize;

/// A 32-bit pattern: eight hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Word(pub(super) u32);

impl TryFrom<String> for Word {
    type Error = String;

    fn try_from(text: String) -> Result<Word, String> {
        match u32::from_str_radix(&text, 16) {
            Ok(word) if text.len() == 8 => Ok(Word(word)),
            _ => Err(format!(
                "`{text}` is not a word of eight hexadecimal digits"
            )),
        }
    }
}

/// Bytes: two hexadecimal digits each.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl TryFrom<String> for Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Bytes, String> {
        if !text.len().is_multiple_of(2) {
            return Err("the program has an odd number of digits".to_owned());
        }
        let bytes = attila_scene::line::bytes(&text);
        let bytes = bytes.ok_or("the program has characters that are not hexadecimal digits")?;
        Ok(Bytes(bytes))
    }
}

/// A samples mask: four hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct KillMask(pub(super) u32);

impl TryFrom<String> for KillMask {
    type Error = String;

    fn try_from(text: String) -> Result<KillMask, String> {
        u16::from_str_radix(&text, 16)
            .map(|mask| KillMask(mask.into()))
            .map_err(|_| format!("`{text}` is not a mask of four hexadecimal digits"))
    }
}

/// A number below `N`, as a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(try_from = "usize")]
pub(super) struct Index<const N: usize>(pub(super) usize);

impl<const N: usize> TryFrom<usize> for Index<N> {
    type Error = String;

    fn try_from(index: usize) -> Result<Index<N>, String> {
        if index < N {
            Ok(Index(index))
        } else {
            Err(format!("{index} is not below {N}"))
        }
    }
}

pub(super) type ByLane<T> = BTreeMap<Index<LANES>, T>;
pub(super) type Registers<const N: usize> = ByLane<BTreeMap<Index<N>, [Word; 4]>>;

/// One vector.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Vector {
    /// Its name.
    pub id: String,
    /// The subject that it tests.
    pub group: String,
    /// Whether small errors grow in it.
    #[serde(default)]
    pub sensitive: bool,
    pub(super) stage: StageName,
    pub(super) ulp: u32,
    #[serde(default)]
    pub(super) exact: bool,
    pub(super) fx_bits: Option<u32>,
    pub(super) program: Bytes,
    #[serde(default)]
    inputs: Registers<INPUTS>,
    #[serde(default)]
    temps: Registers<TEMPS>,
    #[serde(default)]
    addresses: Registers<ADDRESSES>,
    #[serde(default)]
    predicates: ByLane<Word>,
    #[serde(default)]
    constants: BTreeMap<Index<CONSTANTS>, [Word; 4]>,
    #[serde(default)]
    pub(super) samples: Vec<ByLane<[Word; 4]>>,
    pub(super) expect: Expect,
}

/// The state after the run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Expect {
    #[serde(default)]
    pub(super) outputs: Registers<OUTPUTS>,
    #[serde(default)]
    pub(super) temps: Registers<TEMPS>,
    #[serde(default)]
    pub(super) addresses: Registers<ADDRESSES>,
    #[serde(default)]
    pub(super) predicates: ByLane<Word>,
    #[serde(default)]
    pub(super) killed: Lanes<KillMask>,
    #[serde(default)]
    pub(super) z: ByLane<BTreeMap<Index<SAMPLES>, Word>>,
    #[serde(default)]
    pub(super) texture_requests: Vec<ExpectedRequest>,
}

/// A question to textures or attributes.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct ExpectedRequest {
    pub(super) op: String,
    pub(super) unit: u8,
    #[serde(default)]
    pub(super) coords: ByLane<[Word; 3]>,
    #[serde(default)]
    pub(super) param: ByLane<Word>,
    #[serde(default)]
    pub(super) index: ByLane<Word>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StageName {
    Vertex,
    Fragment,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        }
    }
}

/// Puts the registers of all lanes where they belong.
pub(super) fn set<const N: usize>(quad: &mut QuadState, kind: StateKind, registers: &Registers<N>) {
    for (lane, registers) in registers {
        for (index, values) in registers {
            let name = kind.names().nth(index.0);
            let words = name.into_iter().flat_map(StateName::words);
            for (word, value) in words.zip(values) {
                word.set_lane(quad, lane.0, value.0);
            }
        }
    }
}

/// Puts the predicates of all lanes where they belong: bit n of a word is register n.
pub(super) fn set_predicates(quad: &mut QuadState, predicates: &ByLane<Word>) {
    for index in 0..usize::from(PREDICATES) {
        let mut lanes = quad.regs.predicate(index);
        for (lane, word) in predicates {
            lanes.set(LaneMask::only(lane.0), word.0 >> index & 1 != 0);
        }
        quad.regs.set_predicate(index, lanes);
    }
}

impl Vector {
    /// The quad before the run.
    pub(super) fn start(&self) -> QuadState {
        let mut quad = QuadState::default();
        set(&mut quad, StateKind::Input, &self.inputs);
        set(&mut quad, StateKind::Temp, &self.temps);
        set(&mut quad, StateKind::Address, &self.addresses);
        set_predicates(&mut quad, &self.predicates);
        quad
    }

    /// Whether all registers but the inputs start at 0.
    pub(super) fn starts_clear(&self) -> bool {
        self.temps.is_empty() && self.addresses.is_empty() && self.predicates.is_empty()
    }

    /// The constants.
    pub(super) fn bindings(&self) -> Bindings<'static> {
        let mut bindings = Bindings::new();
        for (index, words) in &self.constants {
            bindings.set_constant_bits(index.0, words.map(|word| word.0));
        }
        bindings
    }
}
