//! The calls from emitted code to the runtime, and the data that it is handed for them.
//!
//! Every entry has the same four arguments, so that emission has one way of calling:
//!
//! ```text
//! context   of the run
//! memory    the part of the quad's record that the entry works on, or null
//! site      what is known about the place of the call, as a number
//! vectors   operands; results come back in the first of them
//! ```
//!
//! No panic may leave an entry. One in what users bind is caught and kept in a [`Stop`]; the code looks
//! there before it stores a quad, and returns.

#[cfg(any(test, feature = "wasm"))]
mod apart;
mod inputs;
mod vertices;

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use attila_isa::Stage;
use attila_machine::arith::{Arith, HostLanes, SlowPath};
use attila_machine::{
    Bindings, DEFAULT_ATTRIBUTE, Fixed, LANES, LaneMask, Lanes, QuadReg, TextureQuery, from_floats,
};

use crate::abi::{
    Address, Arguments, BufferRecord, Descriptor, Drawing, Question, SampleKind, StorageRecord,
};
use crate::convention::entry;
use crate::fixed;
use crate::ir::{self, Compute};
pub(crate) use inputs::evaluated;

/// A 128-bit vector in memory: one word per lane.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(16))]
pub(crate) struct Vector(pub(crate) Lanes<u32>);

impl Vector {
    /// Bytes.
    pub(crate) const SIZE: usize = size_of::<Vector>();

    /// The same word in all lanes.
    pub(crate) const fn splat(word: u32) -> Vector {
        Vector([word; 4])
    }

    fn floats(self) -> Lanes<f32> {
        self.0.map(f32::from_bits)
    }

    fn from_floats(floats: Lanes<f32>) -> Vector {
        Vector(floats.map(f32::to_bits))
    }

    fn mask(self) -> LaneMask {
        LaneMask::from_lanes(self.0.map(|word| word != 0))
    }
}

/// Operands and results of a call. Three f64 are the most, and an input with its place and its quad.
pub(crate) type Vectors = [Vector; 6];

/// The data that a run gives to the code. Emitted code reads the fields through their offsets.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Context<'a> {
    /// The shader's literals.
    pub(crate) literals: Address<Vector>,
    /// Room for the values that are the same for the whole run.
    pub(crate) uniforms: Address<Vector>,
    /// c0-c511.
    pub(crate) constants: Address<[u32; 4]>,
    /// The textures that the code samples inline.
    pub(crate) textures: Address<Descriptor>,
    /// The scratch memory of a quad: `Scratch` says what is where.
    pub(crate) scratch: Address<Vector>,
    /// The constant buffers that the code reads.
    pub(crate) buffers: Address<BufferRecord>,
    /// The storage buffers that the code accesses.
    pub(crate) storage: Address<StorageRecord>,
    /// Backward jumps that a lane may take.
    pub(crate) loop_budget: u32,
    /// The data that a draw reads and writes; null in runs of records.
    pub(crate) drawing: Address<Drawing>,
    /// The addresses of columns, by their places.
    pub(crate) columns: Address<Address<u8>>,
    /// The reason for which entries stop the code.
    pub(crate) stop: Stop,
    /// For the entries below.
    pub(crate) bindings: &'a Bindings<'a>,
}

#[cfg(any(test, feature = "wasm"))]
impl<'a> Context<'a> {
    /// The context of a run without tables: entries ask for no more.
    pub(crate) fn of_entries(bindings: &'a Bindings<'a>) -> Context<'a> {
        Context {
            literals: Address::NULL,
            uniforms: Address::NULL,
            constants: Address::NULL,
            textures: Address::NULL,
            scratch: Address::NULL,
            buffers: Address::NULL,
            storage: Address::NULL,
            loop_budget: bindings.loop_budget(),
            drawing: Address::NULL,
            columns: Address::NULL,
            stop: Stop::default(),
            bindings,
        }
    }
}

/// A panic in what users bind, on its way past the code.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Stop {
    stopped: Cell<u32>,
    panic: Cell<Option<Box<dyn Any + Send>>>,
}

impl Stop {
    /// The place of the word that is not 0 when the code has to return, in bytes.
    pub(crate) const STOPPED: usize = offset_of!(Stop, stopped);

    /// Does `ask`, which may panic, unless something has panicked before: then nothing is asked any
    /// more until the code returns.
    fn catch(&self, ask: impl FnOnce()) {
        if self.stopped.get() != 0 {
            return;
        }
        // The panic goes on as soon as the code has returned. A caller that catches it there sees
        // the bound objects as they would be without the code in between.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(ask)) {
            self.panic.set(Some(panic));
            self.stopped.set(1);
        }
    }

    /// Whether the code has to return.
    #[cfg(any(test, feature = "wasm"))]
    pub(crate) fn is_set(&self) -> bool {
        self.stopped.get() != 0
    }

    /// Lets a panic go on that stopped the code.
    pub(crate) fn resume(self) {
        if let Some(panic) = self.panic.into_inner() {
            resume_unwind(panic);
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.stopped.get()).finish()
    }
}

/// The functions that emitted code may call. There are no others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Entry {
    /// f32: a * b + c, rounded once.
    Fma,
    /// f32: the largest integer not above.
    Floor,
    /// f32: the nearest integer, ties to even.
    Nearest,
    /// An operation on f64.
    Double,
    /// f32: an approximation's slow path.
    Slow,
    /// Samples a texture.
    Texture,
    /// Asks a texture unit that is named with its target.
    Ask,
    /// Fetches a vertex attribute.
    Attribute,
    /// Evaluates an input at other places than the pixels' centres.
    Evaluate,
    /// Hands over an output of a vertex.
    Output,
    /// Emits a vertex.
    EmitVertex,
    /// Ends a primitive.
    EndPrimitive,
    /// FXMUL.
    FixedMul,
    /// FXMAD2.
    FixedMulAdd,
    /// FXMAD.
    FixedResult,
}

impl Entry {
    /// All entries, in the order of their numbers.
    pub(crate) const ALL: [Entry; 15] = [
        Entry::Fma,
        Entry::Floor,
        Entry::Nearest,
        Entry::Double,
        Entry::Slow,
        Entry::Texture,
        Entry::Ask,
        Entry::Attribute,
        Entry::Evaluate,
        Entry::Output,
        Entry::EmitVertex,
        Entry::EndPrimitive,
        Entry::FixedMul,
        Entry::FixedMulAdd,
        Entry::FixedResult,
    ];

    /// The name under which emitted code imports it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Entry::Fma => "attila_fma",
            Entry::Floor => "attila_floor",
            Entry::Nearest => "attila_nearest",
            Entry::Double => "attila_double",
            Entry::Slow => "attila_slow_path",
            Entry::Texture => "attila_texture",
            Entry::Ask => "attila_ask",
            Entry::Attribute => "attila_attribute",
            Entry::Evaluate => "attila_evaluate",
            Entry::Output => "attila_output",
            Entry::EmitVertex => "attila_emit_vertex",
            Entry::EndPrimitive => "attila_end_primitive",
            Entry::FixedMul => "attila_fixed_mul",
            Entry::FixedMulAdd => "attila_fixed_mul_add",
            Entry::FixedResult => "attila_fixed_result",
        }
    }

    /// Where it is, for calls in [code's convention](crate::convention).
    pub(crate) fn address(self) -> *const u8 {
        match self {
            Entry::Fma => entry!(fma, Unused),
            Entry::Floor => entry!(floor, Unused),
            Entry::Nearest => entry!(nearest, Unused),
            Entry::Double => entry!(double, Unused),
            Entry::Slow => entry!(slow, Unused),
            Entry::Texture => entry!(texture, Unused),
            Entry::Ask => entry!(ask, &Arguments),
            Entry::Attribute => entry!(attribute, Unused),
            Entry::Evaluate => entry!(inputs::evaluate, Unused),
            Entry::Output => entry!(vertices::output, Unused),
            Entry::EmitVertex => entry!(vertices::emit_vertex, Unused),
            Entry::EndPrimitive => entry!(vertices::end_primitive, Unused),
            Entry::FixedMul => entry!(fixed_mul, &mut Accumulator),
            Entry::FixedMulAdd => entry!(fixed_mul_add, &mut Accumulator),
            Entry::FixedResult => entry!(fixed_result, &mut Accumulator),
        }
    }
}

/// The second argument of an entry that does not touch the record: null.
type Unused = *const u8;
/// One component of the fixed-point accumulator.
type Accumulator = Lanes<Fixed>;

fn fma(_: &Context<'_>, _: Unused, _: u64, vectors: &mut Vectors) {
    let [a, b, c] = [0, 1, 2].map(|n| vectors[n].floats());
    vectors[0] = Vector::from_floats(HostLanes.fma(a, b, c));
}

fn floor(_: &Context<'_>, _: Unused, _: u64, vectors: &mut Vectors) {
    vectors[0] = Vector::from_floats(vectors[0].floats().map(f32::floor));
}

fn nearest(_: &Context<'_>, _: Unused, _: u64, vectors: &mut Vectors) {
    vectors[0] = Vector::from_floats(vectors[0].floats().map(f32::round_ties_even));
}

/// The number of an operation on f64.
pub(crate) fn double_site(op: Compute) -> u64 {
    op as u64
}

/// Operands and result: those of the operation, for two lanes.
fn double(_: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let op = Compute::ALL[site as usize % Compute::ALL.len()];
    let of = vectors.map(|vector| vector.0);
    vectors[0] = Vector(ir::compute(op, &of));
}

/// The number of a slow path.
pub(crate) fn slow_site(path: SlowPath) -> u64 {
    match path {
        SlowPath::Sin => 0,
        SlowPath::Cos => 1,
    }
}

/// Operands: fast result, mask, x. Returns `mask ? path(x) : fast`.
fn slow(_: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let path = if site == slow_site(SlowPath::Sin) {
        SlowPath::Sin
    } else {
        SlowPath::Cos
    };
    for lane in 0..4 {
        if vectors[1].0[lane] != 0 {
            let x = f32::from_bits(vectors[2].0[lane]);
            vectors[0].0[lane] = path.apply(x).to_bits();
        }
    }
}

/// Unit, kind and stage of a sample in one number.
pub(crate) fn texture_site(kind: SampleKind, unit: u8, stage: Stage) -> u64 {
    u64::from(unit) | (kind as u64) << 8 | u64::from(stage.code()) << 10
}

fn texture_from_site(site: u64) -> (SampleKind, u8, Stage) {
    let stage = Stage::from_code((site >> 10) as u8).unwrap_or_default();
    (SampleKind::ALL[site as usize >> 8 & 3], site as u8, stage)
}

/// Operands: s, t, r, one more, active lanes. Returns the four components.
fn texture(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let (kind, unit, stage) = texture_from_site(site);
    let operands = [0, 1, 2, 3].map(|n| vectors[n].floats());
    let query = kind.query((unit, stage), operands, vectors[4].mask());
    // A run that samples begins with a check that its units are bound.
    match context.bindings.textures() {
        Some(textures) => {
            let answer = || put(vectors, textures.answer(&query));
            context.stop.catch(answer);
        }
        None => put(vectors, QuadReg::default()),
    }
}

/// Operand: active lanes; the others have been put down before. Returns the four components.
fn ask(context: &Context<'_>, arguments: &Arguments, site: u64, vectors: &mut Vectors) {
    let question = Question::from_site(site);
    let active = vectors[0].mask();
    let answer = || {
        let answer = |query: &TextureQuery| answer(context.bindings, query);
        put(vectors, question.ask(arguments, active, answer));
    };
    context.stop.catch(answer);
}

/// The answer of the unit that is asked, or 0 if it is not bound.
pub(crate) fn answer(bindings: &Bindings<'_>, query: &TextureQuery) -> QuadReg {
    let textures = bindings.textures();
    let bound = textures.filter(|textures| textures.has_unit(query.unit));
    bound.map_or(QuadReg::default(), |textures| textures.answer(query))
}

/// Operands: the lanes' indices, the lanes wanted. Returns the four components.
fn attribute(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let [index, wanted] = [vectors[0], vectors[1]];
    match context.bindings.attributes() {
        Some(source) => {
            let fetch = || {
                let value = source.fetch(site as u8, index.0, wanted.mask());
                put(vectors, from_floats(value));
            };
            context.stop.catch(fetch);
        }
        None => {
            let value = DEFAULT_ATTRIBUTE.map(|component| [component; LANES]);
            put(vectors, from_floats(value));
        }
    }
}

fn put(vectors: &mut Vectors, components: QuadReg) {
    for (vector, component) in vectors.iter_mut().zip(components) {
        *vector = Vector(component);
    }
}

/// Operands: a, b, mask.
fn fixed_mul(context: &Context<'_>, accumulator: &mut Accumulator, _: u64, vectors: &mut Vectors) {
    let (a, b, mask) = (vectors[0].floats(), vectors[1].floats(), vectors[2].0);
    for lane in (0..4).filter(|&lane| mask[lane] != 0) {
        accumulator[lane] = fixed::mul(a[lane], b[lane], context.bindings.fixed_bits());
    }
}

/// Operands: a, b, c, mask.
fn fixed_mul_add(
    context: &Context<'_>,
    accumulator: &mut Accumulator,
    _: u64,
    vectors: &mut Vectors,
) {
    let [a, b, c] = [0, 1, 2].map(|n| vectors[n].floats());
    let mask = vectors[3].0;
    let bits = context.bindings.fixed_bits();
    for lane in (0..4).filter(|&lane| mask[lane] != 0) {
        accumulator[lane] = fixed::mul_add(a[lane], b[lane], c[lane], bits);
    }
}

/// Operands: a, b. Returns the result.
fn fixed_result(
    context: &Context<'_>,
    accumulator: &mut Accumulator,
    _: u64,
    vectors: &mut Vectors,
) {
    let (a, b) = (vectors[0].floats(), vectors[1].floats());
    let bits = context.bindings.fixed_bits();
    vectors[0] = Vector::from_floats(std::array::from_fn(|lane| {
        fixed::result(a[lane], b[lane], accumulator[lane], bits)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_names_and_addresses_of_their_own() {
        for (n, entry) in Entry::ALL.into_iter().enumerate() {
            for other in &Entry::ALL[..n] {
                assert_ne!(entry.name(), other.name());
                assert_ne!(entry.address(), other.address());
            }
        }
    }

    #[test]
    fn a_texture_site_can_be_read_back() {
        for op in SampleKind::ALL {
            for stage in Stage::ALL {
                for unit in 0..16 {
                    assert_eq!(
                        texture_from_site(texture_site(op, unit, stage)),
                        (op, unit, stage)
                    );
                }
            }
        }
    }

    #[test]
    fn a_slow_path_touches_only_the_lanes_that_ask() {
        let bindings = Bindings::new();
        let context = Context::of_entries(&bindings);
        let mut vectors = Vectors::default();
        vectors[0] = Vector([1, 2, 3, 4]);
        vectors[1] = Vector([0, u32::MAX, 0, 0]);
        vectors[2] = Vector::from_floats([1e10; 4]);
        slow(
            &context,
            core::ptr::null(),
            slow_site(SlowPath::Cos),
            &mut vectors,
        );
        let expected = SlowPath::Cos.apply(1e10).to_bits();
        assert_eq!(vectors[0].0, [1, expected, 3, 4]);
    }
}
