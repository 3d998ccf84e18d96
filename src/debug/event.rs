//! [`Event`]: what a step asks of what is bound, and hands out. [`Listener`] stands between the interpreter and the
//! bindings.

use std::sync::Mutex;

use attila_isa::TextureShape;
use attila_machine::{
    AttributeSource, DEFAULT_ATTRIBUTE, Gradients, InputSource, LANES, LaneMask, Lanes,
    LevelOfDetail, Lookup, QuadReg, TextureQuery, TextureUnit, VertexSink, from_floats,
};

use crate::threads::lock;

/// Something that a step asked or did besides changing words.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// It asked a texture unit.
    Texture(Box<TextureRequest>),
    /// It fetched a vertex attribute.
    Attribute {
        /// The attribute.
        attribute: u8,
        /// The vertices.
        index: Lanes<u32>,
        /// The lanes that count.
        lanes: LaneMask,
        /// The answer.
        value: QuadReg,
    },
    /// It asked for an input at another place than the pixels' centres.
    Input {
        /// The input.
        register: u8,
        /// The offsets from the centres, in 1/16 pixel.
        offset: Lanes<[i16; 2]>,
        /// The answer.
        value: QuadReg,
    },
    /// It emitted a vertex.
    Vertex {
        /// The stream.
        stream: u8,
        /// The lanes that emit.
        lanes: LaneMask,
        /// The outputs with their numbers.
        outputs: Vec<(u8, QuadReg)>,
    },
    /// It ended a primitive of emitted vertices.
    EndPrimitive {
        /// The stream.
        stream: u8,
        /// The lanes that end one.
        lanes: LaneMask,
    },
    /// It read a vector of a constant buffer, in the lanes in which it took effect.
    Buffer {
        /// The buffer.
        buffer: u8,
        /// The vectors.
        index: Lanes<u32>,
        /// What they are: 0 outside.
        value: QuadReg,
    },
    /// It went to words of a storage buffer, in the lanes in which it took effect.
    Storage {
        /// The buffer.
        buffer: u8,
        /// The bytes where the words begin.
        address: Lanes<u32>,
    },
    /// It changed a word of a storage buffer.
    Stored {
        /// The buffer.
        buffer: u8,
        /// The word's number.
        word: u32,
        /// What it was.
        old: u32,
        /// What it is.
        new: u32,
    },
}

/// A question to a texture unit, and the answer.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TextureRequest {
    /// The question.
    pub query: TextureQuery,
    /// The answer, in raw words: `[component][lane]`.
    pub answer: QuadReg,
}

impl TextureRequest {
    /// The numbers of the question, by their names, as raw words.
    pub fn operands(&self) -> Vec<(&'static str, Lanes<u32>)> {
        operands(&self.query)
    }
}

/// The numbers of a question, by their names.
pub(super) fn operands(query: &TextureQuery) -> Vec<(&'static str, Lanes<u32>)> {
    const COORDINATES: [&str; 4] = ["s", "t", "r", "q"];
    let mut list: Vec<(&'static str, Lanes<u32>)> = Vec::new();
    let mut floats = |names: &[&'static str], values: &[Lanes<f32>]| {
        let words = values.iter().map(|lanes| lanes.map(f32::to_bits));
        list.extend(names.iter().copied().zip(words));
    };
    match &query.lookup {
        Lookup::Sample { coords, level, .. } => {
            floats(&COORDINATES, coords);
            floats(&["level"], level.given().as_slice());
            if let LevelOfDetail::Gradients(Gradients { dx, dy }) = level {
                floats(&["ds/dx", "dt/dx", "dr/dx"], dx);
                floats(&["ds/dy", "dt/dy", "dr/dy"], dy);
            }
        }
        Lookup::Gather { coords, .. } | Lookup::LevelOfDetail { coords } => {
            floats(&COORDINATES, coords);
        }
        Lookup::Fetch { at, .. } => {
            let words = at.map(|axis| axis.map(i32::cast_unsigned));
            list.extend(["x", "y", "z", "level"].into_iter().zip(words));
        }
        Lookup::Size { level } => list.push(("level", level.map(i32::cast_unsigned))),
        Lookup::Samples => {}
    }
    let reference = query.lookup.reference();
    list.extend(reference.map(|it| ("reference", it.map(f32::to_bits))));
    if let Some(offset) = query.lookup.offset() {
        let words = offset.map(|axis| axis.map(i32::cast_unsigned));
        list.extend(["offset s", "offset t", "offset r"].into_iter().zip(words));
    }
    list
}

impl Event {
    /// The answer to a question that was asked for a lane.
    pub(super) fn answer(&self, lane: usize) -> Option<&QuadReg> {
        match self {
            Event::Texture(it) => it.query.active.has(lane).then_some(&it.answer),
            Event::Attribute { value, .. }
            | Event::Input { value, .. }
            | Event::Buffer { value, .. } => Some(value),
            Event::Vertex { .. }
            | Event::EndPrimitive { .. }
            | Event::Storage { .. }
            | Event::Stored { .. } => None,
        }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let boxed = match self {
            Event::Texture(request) => size_of_val(&**request),
            Event::Vertex { outputs, .. } => size_of_val(&outputs[..]),
            Event::Attribute { .. }
            | Event::Input { .. }
            | Event::EndPrimitive { .. }
            | Event::Buffer { .. }
            | Event::Storage { .. }
            | Event::Stored { .. } => 0,
        };
        size_of::<Event>() + boxed
    }
}

/// Hands questions on, and remembers them with their answers.
pub(super) struct Listener<'a> {
    pub(super) textures: Option<&'a dyn TextureUnit>,
    pub(super) attributes: Option<&'a dyn AttributeSource>,
    pub(super) inputs: Option<&'a dyn InputSource>,
    events: Mutex<Heard>,
}

#[derive(Default)]
struct Heard {
    events: Vec<Event>,
    /// The outputs of the next vertex.
    outputs: Vec<(u8, QuadReg)>,
}

impl<'a> Listener<'a> {
    pub(super) fn new(bindings: &attila_machine::Bindings<'a>) -> Listener<'a> {
        Listener {
            textures: bindings.textures(),
            attributes: bindings.attributes(),
            inputs: bindings.inputs(),
            events: Mutex::default(),
        }
    }

    /// Moves what has been heard to a list.
    pub(super) fn take(&self, to: &mut Vec<Event>) {
        to.append(&mut lock(&self.events).events);
    }

    fn hear(&self, event: Event) {
        lock(&self.events).events.push(event);
    }
}

impl TextureUnit for Listener<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.textures
            .is_some_and(|textures| textures.has_unit(unit))
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.textures?.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let answer = self.textures.map(|textures| textures.answer(query));
        let answer = answer.unwrap_or_default();
        let query = *query;
        self.hear(Event::Texture(Box::new(TextureRequest { query, answer })));
        answer
    }
}

impl AttributeSource for Listener<'_> {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, lanes: LaneMask) -> [Lanes<f32>; 4] {
        let answer = match self.attributes {
            Some(attributes) => attributes.fetch(attribute, index, lanes),
            None => DEFAULT_ATTRIBUTE.map(|component| [component; LANES]),
        };
        self.hear(Event::Attribute {
            attribute,
            index,
            lanes,
            value: from_floats(answer),
        });
        answer
    }
}

impl InputSource for Listener<'_> {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let inputs = self.inputs.map(|it| it.evaluate(quad, register, offset));
        let value = inputs.unwrap_or_default();
        self.hear(Event::Input {
            register,
            offset,
            value,
        });
        value
    }
}

/// Vertices are kept, and go no further.
impl VertexSink for Listener<'_> {
    fn output(&self, register: u8, value: &QuadReg) {
        lock(&self.events).outputs.push((register, *value));
    }

    fn emit(&self, stream: u8, lanes: LaneMask) {
        let mut heard = lock(&self.events);
        let outputs = std::mem::take(&mut heard.outputs);
        heard.events.push(Event::Vertex {
            stream,
            lanes,
            outputs,
        });
    }

    fn end_primitive(&self, stream: u8, lanes: LaneMask) {
        self.hear(Event::EndPrimitive { stream, lanes });
    }
}
