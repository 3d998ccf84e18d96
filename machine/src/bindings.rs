//! Bindings of a program while it runs: constants, textures, vertex attributes, limits.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::emission::VertexSink;
use crate::engine::RunError;
use crate::quad::{LaneMask, Lanes};
use crate::query::TextureQuery;
use crate::state::QuadReg;
use attila_isa::{BUFFERS, CONSTANTS, STORAGE_BUFFERS, TextureShape, TextureTarget, Usage};

/// Answers texture instructions. Both engines hand over the same queries in the same order, unless an engine
/// samples inline the textures that [`TextureUnit::as_any`] shows.
///
/// A panic stops the run and comes out of it, whichever engine runs. An implementation may run shaders
/// itself, which [has a limit](crate::MAX_NESTED_RUNS).
pub trait TextureUnit: Sync {
    /// Whether there is something to sample at `unit`. Asked before any quad is run.
    fn has_unit(&self, unit: u8) -> bool;

    /// The kind of image at `unit`, for the check that the program reads no other. Asked before any
    /// quad is run; `None` leaves it to [`TextureUnit::answer`] to do something with every query.
    fn kind(&self, _unit: u8) -> Option<TextureShape> {
        None
    }

    /// Answers for the quad, in raw words: `[component][lane]`. Samples of floats are their bits.
    fn answer(&self, query: &TextureQuery) -> QuadReg;

    /// The units themselves, for an engine that knows their type and can sample them by its own code
    /// with the same results. It then does so without asking [`TextureUnit::answer`]; `None` keeps
    /// it from that.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Whether answers follow from questions alone and nobody minds which are asked: engines may then ask for the quads
    /// of a run in any order among each other, and for copies of quads. That gives programs that ask wider vectors.
    fn in_any_order(&self) -> bool {
        false
    }
}

/// Fetches vertex attributes for LDA.
///
/// A panic stops the run and comes out of it, whichever engine runs. An implementation may run shaders
/// itself, which [has a limit](crate::MAX_NESTED_RUNS).
pub trait AttributeSource: Sync {
    /// The attribute of the vertices `index`, `[component][lane]`. Only the lanes `wanted` count.
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4];

    /// Whether answers follow from questions alone and nobody minds which are asked: engines may then ask for the quads
    /// of a run in any order among each other, and for copies of quads. That gives programs that fetch wider vectors.
    fn in_any_order(&self) -> bool {
        false
    }
}

/// Evaluates inputs at other places of a pixel than its centre, for EVALO, EVALC and EVALS.
///
/// A panic stops the run and comes out of it, whichever engine runs. An implementation may run shaders
/// itself, which [has a limit](crate::MAX_NESTED_RUNS).
pub trait InputSource: Sync {
    /// Input `register` of a quad in its pixels, each at an offset from its centre: x to the right and y
    /// in the raster's direction, in 1/16 pixel. The result is in raw words, `[component][lane]`. Quads
    /// have the numbers of their records in the run. Lanes that do not execute have the offset 0.
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg;
}

/// The value of an attribute without a source (machine.md 5.1).
pub const DEFAULT_ATTRIBUTE: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Backward jumps that a lane may take unless [`Bindings::loop_budget`] says otherwise.
pub const DEFAULT_LOOP_BUDGET: u32 = 65_536;

/// Fraction bits of fixed-point inputs unless [`Bindings::fixed_bits`] says otherwise.
pub const DEFAULT_FIXED_BITS: u32 = 8;

/// The most fraction bits that a product's 64 bits have room for.
pub const MAX_FIXED_BITS: u32 = 16;

/// The most vectors of a constant buffer: its last byte has an offset of 32 bits.
pub const MAX_BUFFER: usize = 1 << 28;

/// The most words of a storage buffer: its last byte has an address of 32 bits.
pub const MAX_STORAGE: usize = 1 << 30;

/// The bindings of a program. Both engines read all of them in the same way.
#[derive(Clone)]
pub struct Bindings<'a> {
    constants: Box<[[u32; 4]; CONSTANTS]>,
    textures: Option<&'a dyn TextureUnit>,
    attributes: Option<&'a dyn AttributeSource>,
    inputs: Option<&'a dyn InputSource>,
    vertices: Option<&'a dyn VertexSink>,
    buffers: [&'a [[u32; 4]]; BUFFERS as usize],
    storage: [Option<Arc<[AtomicU32]>>; STORAGE_BUFFERS as usize],
    loop_budget: u32,
    fixed_bits: u32,
    /// The first error: a constant or buffer that was set and does not exist.
    fault: Option<RunError>,
}

impl Default for Bindings<'_> {
    fn default() -> Self {
        Bindings {
            constants: zeros(),
            textures: None,
            attributes: None,
            inputs: None,
            vertices: None,
            buffers: [&[]; _],
            storage: [const { None }; _],
            loop_budget: DEFAULT_LOOP_BUDGET,
            fixed_bits: DEFAULT_FIXED_BITS,
            fault: None,
        }
    }
}

/// Constants without a value. They never are on the stack, from which a box would copy them.
fn zeros() -> Box<[[u32; 4]; CONSTANTS]> {
    let zeros = vec![[0; 4]; CONSTANTS].into_boxed_slice();
    zeros.try_into().expect("it has as many")
}

impl fmt::Debug for Bindings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bindings")
            .field("textures", &self.textures.is_some())
            .field("attributes", &self.attributes.is_some())
            .field("inputs", &self.inputs.is_some())
            .field("vertices", &self.vertices.is_some())
            .field("loop_budget", &self.loop_budget)
            .field("fixed_bits", &self.fixed_bits)
            .finish_non_exhaustive()
    }
}

impl<'a> Bindings<'a> {
    /// All constants 0, no textures, no attributes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets constant `index`. Runs and draws refuse bindings with a constant past the last, `c511`.
    pub fn set_constant(&mut self, index: usize, value: [f32; 4]) {
        self.set_constant_bits(index, value.map(f32::to_bits));
    }

    /// Sets constant `index` to raw words, as [`Bindings::set_constant`] does.
    pub fn set_constant_bits(&mut self, index: usize, value: [u32; 4]) {
        match self.constants.get_mut(index) {
            Some(constant) => *constant = value,
            None => {
                self.fault.get_or_insert(RunError::ConstantIndex { index });
            }
        }
    }

    /// Checks that all constants and buffers that were set exist. Engines do it before a run.
    ///
    /// # Errors
    ///
    /// [`RunError::ConstantIndex`], [`RunError::BufferIndex`], [`RunError::BufferSize`],
    /// [`RunError::StorageIndex`], [`RunError::StorageSize`].
    pub fn check(&self) -> Result<(), RunError> {
        match &self.fault {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// As [`Bindings::set_constant`], for chaining.
    #[must_use]
    pub fn with_constant(mut self, index: usize, value: [f32; 4]) -> Self {
        self.set_constant(index, value);
        self
    }

    /// Binds the texture units.
    #[must_use]
    pub fn with_textures(mut self, textures: &'a dyn TextureUnit) -> Self {
        self.textures = Some(textures);
        self
    }

    /// Binds the vertex attributes of LDA. Unbound, LDA gives [`DEFAULT_ATTRIBUTE`].
    #[must_use]
    pub fn with_attributes(mut self, attributes: &'a dyn AttributeSource) -> Self {
        self.attributes = Some(attributes);
        self
    }

    /// Binds what evaluates inputs at other places than the pixels' centres. Unbound, EVALO, EVALC and
    /// EVALS give the input as it stands.
    #[must_use]
    pub fn with_inputs(mut self, inputs: &'a dyn InputSource) -> Self {
        self.inputs = Some(inputs);
        self
    }

    /// Binds a sink for the vertices that EMIT makes. Unbound, they are dropped.
    #[must_use]
    pub fn with_vertices(mut self, vertices: &'a dyn VertexSink) -> Self {
        self.vertices = Some(vertices);
        self
    }

    /// Binds the constant buffer `index` of LDC to vectors of raw words. Outside of them, and unbound,
    /// LDC gives 0. Runs and draws refuse a buffer past the last, b31, and one of more than
    /// [`MAX_BUFFER`] vectors.
    #[must_use]
    pub fn with_buffer(mut self, index: usize, vectors: &'a [[u32; 4]]) -> Self {
        match self.buffers.get_mut(index) {
            Some(buffer) if vectors.len() <= MAX_BUFFER => *buffer = vectors,
            Some(_) => {
                let vectors = vectors.len();
                self.fault
                    .get_or_insert(RunError::BufferSize { index, vectors });
            }
            None => {
                self.fault.get_or_insert(RunError::BufferIndex { index });
            }
        }
        self
    }

    /// Binds the storage buffer `index`, u0 to u31, to words that programs read and write. Unbound, it
    /// has no words. Runs refuse a buffer past the last, and one of more than [`MAX_STORAGE`] words;
    /// draws refuse programs that write storage buffers.
    ///
    /// Runs on several threads may share a buffer: each word is atomic, and their order is not defined.
    #[must_use]
    pub fn with_storage(mut self, index: usize, words: Arc<[AtomicU32]>) -> Self {
        match self.storage.get_mut(index) {
            Some(buffer) if words.len() <= MAX_STORAGE => *buffer = Some(words),
            Some(_) => {
                let words = words.len();
                self.fault
                    .get_or_insert(RunError::StorageSize { index, words });
            }
            None => {
                self.fault.get_or_insert(RunError::StorageIndex { index });
            }
        }
        self
    }

    /// The words of a storage buffer; none if it is not bound.
    pub fn storage(&self, index: usize) -> &[AtomicU32] {
        let buffer = self.storage.get(index).and_then(Option::as_ref);
        buffer.map_or(&[], |words| words)
    }

    /// Lets each lane take this many backward jumps.
    #[must_use]
    pub fn with_loop_budget(mut self, budget: u32) -> Self {
        self.loop_budget = budget;
        self
    }

    /// Sets the fraction bits of fixed-point inputs; more than [`MAX_FIXED_BITS`] count as that.
    #[must_use]
    pub fn with_fixed_bits(mut self, bits: u32) -> Self {
        self.fixed_bits = bits.min(MAX_FIXED_BITS);
        self
    }

    /// Checks that every texture unit that a program with this usage names is bound, and to an image
    /// of a kind that the program can read. Engines do it before a run. Units whose addresses are
    /// relative are not checked: one that does not fit gives 0.
    ///
    /// # Errors
    ///
    /// [`RunError::UnboundTexture`], [`RunError::TextureKind`].
    pub fn check_units(&self, usage: &Usage) -> Result<(), RunError> {
        let mut targets = usage.texture_targets.iter();
        targets.try_for_each(|&(unit, target)| self.check_unit(unit, target))
    }

    /// Checks that a texture unit is bound, and that instructions with this target can read it.
    ///
    /// # Errors
    ///
    /// As [`Bindings::check_units`].
    pub fn check_unit(&self, unit: u8, target: TextureTarget) -> Result<(), RunError> {
        let units = self.textures.filter(|units| units.has_unit(unit));
        let units = units.ok_or(RunError::UnboundTexture { unit })?;
        match units.kind(unit) {
            Some(bound) if !target.reads(bound) => Err(RunError::TextureKind {
                unit,
                bound,
                target,
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// c0-c511 as raw words.
    pub fn constants(&self) -> &[[u32; 4]; CONSTANTS] {
        &self.constants
    }

    /// b0-b31 as raw words; those that are not bound are empty.
    pub fn buffers(&self) -> &[&'a [[u32; 4]]; BUFFERS as usize] {
        &self.buffers
    }

    /// The texture units, if bound.
    pub fn textures(&self) -> Option<&'a dyn TextureUnit> {
        self.textures
    }

    /// The vertex attributes, if bound.
    pub fn attributes(&self) -> Option<&'a dyn AttributeSource> {
        self.attributes
    }

    /// The evaluation of inputs, if bound.
    pub fn inputs(&self) -> Option<&'a dyn InputSource> {
        self.inputs
    }

    /// The sink for emitted vertices, if bound.
    pub fn vertices(&self) -> Option<&'a dyn VertexSink> {
        self.vertices
    }

    /// Backward jumps that each lane may take in a run.
    pub fn loop_budget(&self) -> u32 {
        self.loop_budget
    }

    /// Fraction bits of fixed-point inputs, at most [`MAX_FIXED_BITS`].
    pub fn fixed_bits(&self) -> u32 {
        self.fixed_bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_that_does_not_exist_is_an_error() {
        let vectors = [[1; 4]; 3];
        let bindings = Bindings::new().with_buffer(31, &vectors);
        assert_eq!(bindings.check(), Ok(()));
        assert_eq!(bindings.buffers()[31].len(), 3);
        let error = RunError::BufferIndex { index: 32 };
        assert_eq!(bindings.with_buffer(32, &vectors).check(), Err(error));
    }

    #[test]
    fn storage_buffers_that_do_not_exist_are_errors_and_unbound_ones_are_empty() {
        let words: Arc<[AtomicU32]> = [1, 2].map(AtomicU32::new).into();
        let bindings = Bindings::new().with_storage(31, Arc::clone(&words));
        assert_eq!(bindings.check(), Ok(()));
        assert_eq!(bindings.storage(31).len(), 2);
        assert!(bindings.storage(0).is_empty());
        let error = RunError::StorageIndex { index: 32 };
        assert_eq!(bindings.with_storage(32, words).check(), Err(error));
    }

    #[test]
    fn constants_that_do_not_exist_have_no_effect() {
        let bindings = Bindings::new().with_constant(CONSTANTS, [1.0; 4]);
        assert!(bindings.constants().iter().all(|value| *value == [0; 4]));
        let bindings = bindings.with_constant(CONSTANTS - 1, [1.0; 4]);
        assert_eq!(bindings.constants()[CONSTANTS - 1], [0x3f80_0000; 4]);
    }
}
