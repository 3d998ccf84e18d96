//! Textures and attributes whose answers are a pure function of the question, and which remember
//! what they were asked.

use std::sync::{Mutex, PoisonError};

use attila_scene::directives::Order;
use attila_shader::isa::{TextureShape, TextureTarget};
use attila_shader::machine::{
    AttributeSource, Gradients, InputSource, LANES, LaneMask, Lanes, LevelOfDetail, Lookup,
    QuadReg, TextureQuery, TextureUnit, VertexSink, from_floats, packed_offset,
};

use super::dice::Dice;
use super::values;

/// A question to the texture units or the attributes, with NaNs made alike, so that two engines
/// that differ only in unspecified bits ask the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Request {
    /// A texture instruction.
    Texture {
        /// Which one.
        op: &'static str,
        /// The unit.
        unit: u8,
        /// The kind of image that it reads.
        target: TextureTarget,
        /// Its operands with their names, as words.
        operands: Vec<(&'static str, Lanes<u32>)>,
        /// The lanes that execute it.
        active: u8,
    },
    /// LDA.
    Attribute {
        /// The attribute.
        attribute: u8,
        /// The indices; 0 in the lanes that do not count.
        index: Lanes<u32>,
        /// The lanes that count.
        wanted: u8,
    },
    /// EVALO, EVALC and EVALS.
    Input {
        /// The number of the quad in its run.
        quad: usize,
        /// The register.
        register: u8,
        /// Offsets from the pixels' centres.
        offset: Lanes<[i16; 2]>,
    },
    /// EMIT.
    Vertex {
        /// The stream.
        stream: u8,
        /// The lanes that emit.
        lanes: u8,
        /// The outputs with their numbers; 0 in the lanes that do not emit.
        outputs: Vec<(u8, QuadReg)>,
    },
    /// ENDPRIM.
    EndPrimitive {
        /// The stream.
        stream: u8,
        /// The lanes that end one.
        lanes: u8,
    },
}

/// The textures and attributes of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    requests: Mutex<Vec<Request>>,
    /// The outputs of the next vertex.
    outputs: Mutex<Vec<(u8, QuadReg)>>,
    order: Order,
}

impl Recorder {
    /// Textures and attributes that are asked in an order.
    pub(crate) fn new(order: Order) -> Recorder {
        Recorder {
            order,
            ..Recorder::default()
        }
    }

    /// Whether a question counts: where any order will do, code may ask for quads none of whose lanes does.
    fn counts(&self, lanes: LaneMask) -> bool {
        self.order == Order::Kept || !lanes.is_empty()
    }

    /// The requests since the last call, in order.
    pub(crate) fn take(&self) -> Vec<Request> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TextureUnit for Recorder {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        if self.counts(query.active) {
            self.lock().push(Request::Texture {
                op: query.mnemonic(),
                unit: query.unit,
                target: query.target,
                operands: operands(query),
                active: query.active.bits(),
            });
        }
        Answers(self.order).answer(query)
    }

    fn in_any_order(&self) -> bool {
        self.order == Order::Any
    }
}

/// Whether a fetch from a target reads a component: others may have any bits. The last is the level or
/// the sample.
fn is_place(target: TextureTarget, component: usize) -> bool {
    let TextureTarget::Named { shape, .. } = target else {
        return true;
    };
    match component {
        3 => has_levels(target) || is_multisampled(shape),
        _ => component < shape.coordinates() + usize::from(shape.layers()),
    }
}

/// Whether images of a target have levels, so that the level of a question counts.
fn has_levels(target: TextureTarget) -> bool {
    match target {
        TextureTarget::Bound => true,
        TextureTarget::Named { shape, .. } => {
            !matches!(shape, TextureShape::Rect | TextureShape::Buffer) && !is_multisampled(shape)
        }
    }
}

fn is_multisampled(shape: TextureShape) -> bool {
    matches!(shape, TextureShape::D2Ms | TextureShape::D2MsArray)
}

/// The operands of a query, as far as bits are specified. Those of base instructions are s, t, r and the
/// level of detail's operand. Coordinates of lanes that do not ask count, as derivatives are made of them;
/// integers of theirs decide nothing.
fn operands(query: &TextureQuery) -> Vec<(&'static str, Lanes<u32>)> {
    let coordinates = ["s", "t", "r", "q"];
    let mut list = Vec::new();
    let floats = |names: &[&'static str], values: &[Lanes<f32>]| -> Vec<_> {
        let words = values.iter().map(|lanes| canonical(*lanes));
        names.iter().copied().zip(words).collect()
    };
    let integers = |names: &[&'static str], values: &[Lanes<i32>]| -> Vec<_> {
        let words = values.iter().map(|lanes| of_lanes(query.active, lanes));
        names.iter().copied().zip(words).collect()
    };
    match &query.lookup {
        Lookup::Sample { coords, level, .. } => {
            let given = match query.target {
                TextureTarget::Bound => &coords[..3],
                TextureTarget::Named { .. } => &coords[..],
            };
            list.extend(floats(&coordinates, given));
            list.extend(floats(&["parameter"], &[level.given().unwrap_or_default()]));
            if let LevelOfDetail::Gradients(Gradients { dx, dy }) = level {
                list.extend(floats(&["ds/dx", "dt/dx", "dr/dx"], dx));
                list.extend(floats(&["ds/dy", "dt/dy", "dr/dy"], dy));
            }
        }
        Lookup::Gather {
            coords, component, ..
        } => {
            list.extend(floats(&coordinates, coords));
            list.push(("component", [component.index() as u32; LANES]));
        }
        Lookup::LevelOfDetail { coords } => list.extend(floats(&coordinates, coords)),
        Lookup::Fetch { at, .. } => {
            let at: [Lanes<i32>; 4] = std::array::from_fn(|n| match is_place(query.target, n) {
                true => at[n],
                false => Lanes::default(),
            });
            list.extend(integers(&["x", "y", "z", "w"], &at));
        }
        Lookup::Size { level } if has_levels(query.target) => {
            list.extend(integers(&["level"], &[*level]));
        }
        Lookup::Size { .. } => {}
        Lookup::Samples => {}
    }
    if let Some(reference) = query.lookup.reference() {
        list.extend(floats(&["reference"], &[reference]));
    }
    if let Some(offset) = query.lookup.offset() {
        let names = ["offset s", "offset t", "offset r"];
        let axes = match query.target {
            TextureTarget::Named { shape, .. } => shape.coordinates(),
            TextureTarget::Bound => names.len(),
        };
        list.extend(integers(&names[..axes], &offset));
    }
    list
}

/// The integers of the lanes that ask, and 0 of the others.
fn of_lanes(active: LaneMask, lanes: &Lanes<i32>) -> Lanes<u32> {
    let word = |lane: usize| active.has(lane).then(|| lanes[lane].cast_unsigned());
    std::array::from_fn(|lane| word(lane).unwrap_or_default())
}

/// The answers of [`Recorder`], without its memory.
pub(super) struct Answers(pub(super) Order);

impl TextureUnit for Answers {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let op = OPS.iter().position(|op| *op == query.mnemonic());
        let kind = op.unwrap_or_default() as u64 * 16 + u64::from(query.unit);
        let operands = operands(query);
        from_floats(answer(|lane| {
            let seen = operands.iter().map(|(_, word)| u64::from(word[lane]));
            seen.fold(mix(kind), |hash, word| mix(hash ^ word))
        }))
    }

    fn in_any_order(&self) -> bool {
        self.0 == Order::Any
    }
}

impl AttributeSource for Answers {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, _wanted: LaneMask) -> [Lanes<f32>; 4] {
        answer(|lane| mix(mix(u64::from(attribute) + 1000) ^ u64::from(index[lane])))
    }

    fn in_any_order(&self) -> bool {
        self.0 == Order::Any
    }
}

impl InputSource for Answers {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let kind = mix(2000 + u64::from(register)) ^ quad as u64;
        from_floats(answer(|lane| {
            mix(mix(kind) ^ u64::from(packed_offset(offset[lane])))
        }))
    }
}

impl InputSource for Recorder {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        self.lock().push(Request::Input {
            quad,
            register,
            offset,
        });
        Answers(self.order).evaluate(quad, register, offset)
    }
}

impl AttributeSource for Recorder {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let counted = |lane: usize| if wanted.has(lane) { index[lane] } else { 0 };
        if self.counts(wanted) {
            self.lock().push(Request::Attribute {
                attribute,
                index: std::array::from_fn(counted),
                wanted: wanted.bits(),
            });
        }
        Answers(self.order).fetch(attribute, index, wanted)
    }

    fn in_any_order(&self) -> bool {
        self.order == Order::Any
    }
}

impl VertexSink for Recorder {
    fn output(&self, register: u8, value: &QuadReg) {
        let words = value.map(|lanes| canonical(lanes.map(f32::from_bits)));
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.push((register, words));
    }

    fn emit(&self, stream: u8, lanes: LaneMask) {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outputs = std::mem::take(&mut *outputs);
        let words = outputs.iter_mut().flat_map(|(_, value)| value);
        for word in words {
            for lane in (0..LANES).filter(|&lane| !lanes.has(lane)) {
                word[lane] = 0;
            }
        }
        self.lock().push(Request::Vertex {
            stream,
            lanes: lanes.bits(),
            outputs,
        });
    }

    fn end_primitive(&self, stream: u8, lanes: LaneMask) {
        let lanes = lanes.bits();
        self.lock().push(Request::EndPrimitive { stream, lanes });
    }
}

/// The texture instructions. Answers depend on their order.
const OPS: [&str; 13] = [
    "tex", "txb", "txl", "txp", "xtex", "xtxb", "xtxl", "xtxd", "tg4", "lodq", "txf", "txq", "txqs",
];

fn canonical(lanes: Lanes<f32>) -> Lanes<u32> {
    lanes.map(|f| if f.is_nan() { f32::NAN } else { f }.to_bits())
}

/// Biased values that follow from the question of each lane.
fn answer(question: impl Fn(usize) -> u64) -> [Lanes<f32>; 4] {
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let mut rng = SplitMix(question(lane));
        let mut dice = Dice::new(&mut rng);
        for component in &mut out {
            component[lane] = f32::from_bits(values::float(&mut dice));
        }
    }
    out
}

/// Spreads the bits of a word over all of it (the finalizer of splitmix64).
pub(super) fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The smallest generator that will do.
pub(super) struct SplitMix(pub(super) u64);

impl SplitMix {
    /// Numbers that follow from a seed and a name.
    pub(super) fn named(seed: u32, name: &str) -> SplitMix {
        let key = name
            .bytes()
            .fold(u64::from(seed), |word, byte| mix(word ^ u64::from(byte)));
        SplitMix(key)
    }
}

impl rand::TryRng for SplitMix {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = mix(self.0);
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out {
            *byte = self.try_next_u64()? as u8;
        }
        Ok(())
    }
}
