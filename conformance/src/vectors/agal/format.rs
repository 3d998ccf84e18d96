//! The JSON of a vector of an AGAL program.

use std::collections::BTreeMap;

use attila_shader::front::agal::{BIAS_STEPS, Output, Sampler};
use serde::Deserialize;

use super::super::format::{ByLane, Bytes, KillMask, StageName, Word};
use attila_shader::machine::Lanes;

/// A vector of an AGAL program.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct AgalVector {
    /// Its name.
    pub id: String,
    /// The subject that it tests.
    pub group: String,
    /// Whether small errors grow in it.
    #[serde(default)]
    pub sensitive: bool,
    pub(super) stage: StageName,
    pub(super) version: u32,
    pub(super) ulp: u32,
    #[serde(default)]
    pub(super) exact: bool,
    /// The lines of the text.
    pub(super) text: Vec<String>,
    /// The bytes that the text assembles to.
    pub(super) program: Bytes,
    #[serde(default)]
    pub(super) inputs: ByLane<BTreeMap<u16, [Word; 4]>>,
    #[serde(default)]
    pub(super) constants: BTreeMap<u16, [Word; 4]>,
    #[serde(default)]
    pub(super) samples: Vec<ByLane<[Word; 4]>>,
    pub(super) expect: Expect,
}

/// The state after the run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Expect {
    #[serde(default)]
    pub(super) outputs: ByLane<BTreeMap<Written, [Word; 4]>>,
    #[serde(default)]
    pub(super) killed: Lanes<KillMask>,
    #[serde(default)]
    pub(super) texture_requests: Vec<Request>,
}

/// A register that a program hands on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Written {
    Output(Output),
    Depth,
}

impl TryFrom<String> for Written {
    type Error = String;

    fn try_from(name: String) -> Result<Written, String> {
        let number = |rest: &str| match rest {
            "" => Some(0),
            digits => digits.parse().ok(),
        };
        let register = if let Some(rest) = name.strip_prefix("oc") {
            number(rest).map(|it| Written::Output(Output::Color(it)))
        } else if let Some(rest) = name.strip_prefix('v') {
            number(rest).map(|it| Written::Output(Output::Varying(it)))
        } else {
            match name.as_str() {
                "op" | "op0" => Some(Written::Output(Output::Position)),
                "od" | "od0" => Some(Written::Depth),
                _ => None,
            }
        };
        register.ok_or_else(|| format!("`{name}` is not a register that programs write"))
    }
}

/// A lookup in a texture.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Request {
    pub(super) unit: u16,
    #[serde(default)]
    pub(super) coords: ByLane<[Word; 3]>,
    sampler: Fields,
}

/// The fields of a sampler. The bias is in levels.
#[derive(Clone, Copy, PartialEq, Default, Debug, Deserialize)]
#[serde(default)]
struct Fields {
    dim: u8,
    format: u8,
    wrap: u8,
    mip: u8,
    filter: u8,
    special: u8,
    bias: f32,
}

impl Request {
    /// The sampler, as programs code it.
    pub(super) fn sampler(&self) -> Sampler {
        let Fields {
            dim,
            format,
            wrap,
            mip,
            filter,
            special,
            bias,
        } = self.sampler;
        Sampler {
            unit: self.unit,
            bias: (bias * BIAS_STEPS) as i8,
            format,
            dimension: dim,
            special,
            wrap,
            mip,
            filter,
        }
    }
}
