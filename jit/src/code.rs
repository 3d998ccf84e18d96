//! Executable memory: owning it, calling into it, giving it back.
//!
//! This and `pages.rs` are the only places of the crate that do what the compiler cannot check.
#![allow(
    unsafe_code,
    reason = "calling generated code is what this file is for"
)]

use std::fmt;
#[cfg(not(target_arch = "wasm32"))]
use std::mem::ManuallyDrop;
use std::ops::Range;
#[cfg(not(target_arch = "wasm32"))]
use std::ops::{Deref, DerefMut};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Mutex;

use attila_machine::pipeline::{Batch, Pipeline, Span, SpanError, Surfaces};
use attila_machine::{CodeKind, Columns, KILL_ALL, LANES, Part, RunError};
#[cfg(not(target_arch = "wasm32"))]
use cranelift_jit::{JITBuilder, JITModule};
#[cfg(not(target_arch = "wasm32"))]
use cranelift_module::FuncId;
use smallvec::SmallVec;

use crate::abi::{
    Address, BufferRecord, ColumnShape, Drawing, RecordLayout, Scratch, StorageRecord,
};
use crate::compiled::Record;
use crate::convention::Shader;
use crate::emit::padding::in_long_spans;
use crate::emit::plan::Shape;
use crate::emit::several::{Rest, Several};
#[cfg(target_arch = "wasm32")]
use crate::emit::wasm::linked::Place;
use crate::emit::{Code, Records, Run};
#[cfg(target_arch = "x86_64")]
use crate::pages::Pages;
use crate::runtime::{Context, Stop, Vector};

#[cfg(not(target_arch = "wasm32"))]
/// A Cranelift module whose memory is freed with it, which Cranelift leaves to its user.
pub(crate) struct Module(ManuallyDrop<JITModule>);

#[cfg(not(target_arch = "wasm32"))]
impl Module {
    /// An empty module.
    pub(crate) fn new(builder: JITBuilder) -> Module {
        Module(ManuallyDrop::new(JITModule::new(builder)))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Deref for Module {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        &self.0
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl DerefMut for Module {
    fn deref_mut(&mut self) -> &mut JITModule {
        &mut self.0
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nothing uses the field again, this being its owner's end.
        let module = unsafe { ManuallyDrop::take(&mut self.0) };
        // SAFETY: no code of the module is running and none will. Addresses of its code are only
        // ever kept in a `MachineCode`, beside the module itself: they go at the same time, and a
        // call borrows the `MachineCode`.
        unsafe { module.free_memory() };
    }
}

/// The return value of a compiled shader when a lane has used up its loop budget: one more than
///
/// ```text
/// bits 63..16   place of the quad: of a record, its offset in bytes from the first; in a draw
///                   bits 63..40   offset of the span, in bytes from the first
///                   bits 39..16   the quad's number in the span
/// bits 15..0    index of the jump
/// ```
pub(crate) struct Failure {
    /// Place of the quad.
    pub(crate) place: u64,
    /// The jump.
    pub(crate) pc: usize,
}

impl Failure {
    /// Bits of the jump's index: enough for the longest program of any profile.
    pub(crate) const PC_BITS: i64 = 16;

    /// Bits of a quad's number in its span.
    pub(crate) const QUAD_BITS: i64 = Span::MOST_QUADS.count_ones() as i64;

    /// The most spans whose offsets fit.
    const MOST_SPANS: usize = (1 << 24) / size_of::<Span>();

    /// The failure that a status tells of; `None` of success.
    pub(crate) fn from_status(status: u64) -> Option<Failure> {
        let packed = status.checked_sub(1)?;
        Some(Failure {
            place: packed >> Failure::PC_BITS,
            pc: (packed & 0xffff) as usize,
        })
    }

    /// The number of the span, and that of the quad in it.
    pub(crate) fn span(&self) -> (usize, u32) {
        let span = (self.place >> Failure::QUAD_BITS) as usize / size_of::<Span>();
        (span, self.place as u32 & ((1 << Failure::QUAD_BITS) - 1))
    }

    pub(crate) fn in_records(&self, layout: RecordLayout, run: &Run<'_>) -> RunError {
        RunError::LoopBudget {
            pc: self.pc,
            quad: self.place as usize / layout.size(),
            budget: run.bindings.loop_budget(),
        }
    }

    pub(crate) fn in_spans(&self, spans: &[Span], budget: u32) -> SpanError {
        let (span, quad) = self.span();
        let span = &spans[span];
        SpanError::LoopBudget {
            pc: self.pc,
            budget,
            x: span.x + 2 * quad,
            y: span.y,
        }
    }
}

/// Code for this machine.
pub(crate) struct MachineCode {
    shader: Shader,
    kind: CodeKind,
    layout: RecordLayout,
    literals: Box<[Vector]>,
    uniforms: usize,
    /// Textures that it samples inline.
    textures: usize,
    /// Scratch vectors of each lane.
    scratch: usize,
    /// Constant buffers that it reads.
    buffers: usize,
    /// Storage buffers that it accesses.
    storage: usize,
    /// The fewest quads of a span that it may be called for.
    shortest: u32,
    /// The code works on several quads at once.
    several: Option<Several>,
    /// Bytes of instructions.
    bytes: usize,
    /// Bytes of memory for the code and its literals.
    memory: usize,
    _memory: Memory,
}

/// The memory of a shader.
enum Memory {
    #[cfg(not(target_arch = "wasm32"))]
    /// Locked by nobody: the mutex only says that threads which share the code do not share the
    /// module.
    Module { _module: Box<Mutex<Module>> },
    /// Pages that can be executed.
    #[cfg(target_arch = "x86_64")]
    Pages { _pages: Pages },
    /// A place in the table of functions of this program.
    #[cfg(target_arch = "wasm32")]
    Table { _place: Place },
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineCode")
            .field("layout", &self.layout)
            .finish_non_exhaustive()
    }
}

#[cfg_attr(
    target_arch = "wasm32",
    allow(dead_code, reason = "modules have no pages")
)]
/// Bytes of memory for so many bytes of code and so many literals. Each module has pages of its own: of 4 KiB, or
/// on some systems of more.
pub(crate) fn memory(bytes: usize, literals: usize) -> usize {
    const PAGE: usize = 4096;
    bytes.next_multiple_of(PAGE) + literals * size_of::<Vector>()
}

/// Tables of up to this many vectors need no allocation.
const SMALL_TABLE: usize = 1024;

impl MachineCode {
    /// The function at a place of the table, which emission has made to be called as [`Shader`], in the way that `shape`
    /// says. Its module has so many bytes.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn linked(place: Place, shape: Shape, bytes: usize) -> MachineCode {
        // SAFETY: pointers to functions are places in the table. The one at this place was emitted with this signature,
        // and stays there as long as `_memory`.
        let shader = unsafe { std::mem::transmute::<usize, Shader>(place.number()) };
        MachineCode::of(
            shader,
            shape,
            [bytes, bytes],
            Memory::Table { _place: place },
        )
    }

    /// The function `shader` of `module`, which emission has made to be called as [`Shader`], in
    /// the way that `shape` says, with vectors of 128 bits.
    /// Its code has so many bytes.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(module: Module, shader: FuncId, shape: Shape, bytes: usize) -> MachineCode {
        let address = module.get_finalized_function(shader);
        // SAFETY: the address is that of a finished function for this machine, emitted with this
        // signature and convention. It stays valid as long as `_module`.
        let shader = unsafe { std::mem::transmute::<*const u8, Shader>(address) };
        let memory = memory(bytes, shape.literals.len());
        let module = Memory::Module {
            _module: Box::new(Mutex::new(module)),
        };
        MachineCode::of(shader, shape, [bytes, memory], module)
    }

    /// A function with vectors of 128 bits, the bytes of its code and of all its memory, and what keeps it there.
    fn of(shader: Shader, shape: Shape, [bytes, memory]: [usize; 2], kept: Memory) -> MachineCode {
        MachineCode {
            shader,
            kind: CodeKind::V128,
            bytes,
            memory,
            layout: shape.layout,
            literals: shape.literals.into_iter().map(Vector::splat).collect(),
            uniforms: shape.uniforms,
            textures: shape.textures,
            scratch: shape.scratch,
            buffers: shape.buffers,
            storage: shape.storage,
            shortest: shape.shortest,
            several: None,
            _memory: kept,
        }
    }

    /// The function at the beginning of `pages`, which emission has made to be called as [`Shader`],
    /// in the way that `shape` says.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn paged(
        pages: Pages,
        kind: CodeKind,
        shape: Shape,
        several: Several,
    ) -> MachineCode {
        let repeats = several.one_by_one.as_ref();
        let bytes = pages.bytes() + repeats.map_or(0, |code| code.memory());
        let address = pages.as_ptr();
        // SAFETY: the pages begin with a function for this machine, emitted with this signature and
        // convention. It stays valid as long as `_memory`.
        let shader = unsafe { std::mem::transmute::<*const u8, Shader>(address) };
        MachineCode {
            shader,
            kind,
            layout: shape.layout,
            literals: Box::default(),
            uniforms: 0,
            textures: shape.textures,
            scratch: shape.scratch,
            buffers: shape.buffers,
            storage: shape.storage,
            shortest: shape.shortest,
            several: Some(several),
            bytes: pages.bytes(),
            memory: bytes,
            _memory: Memory::Pages { _pages: pages },
        }
    }

    /// Calls the code for `count` records, quads of columns or spans, the first of which is at `first`.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source did, which the code called.
    ///
    /// # Safety
    ///
    /// `first` points to `count` records of the code's layout, at least one, that nothing else uses
    /// during the call. If the layout is [`RecordLayout::Draw`], it points to spans, which the code only
    /// reads, and `drawing` to the draw of a batch that [was checked](Batch::check) with these spans,
    /// for the pipeline that the code was made for, and with surfaces that nothing else uses. If it is
    /// [`RecordLayout::Columns`], `first` is null, and `columns` are the addresses of all places of a shape that the code
    /// was made for, with as many elements, in memory that nothing else writes.
    unsafe fn call(
        &self,
        run: &Run<'_>,
        (drawing, columns): (*const Drawing, &[Address<u8>]),
        (first, count): (*mut u8, usize),
    ) -> u64 {
        let Run { bindings, textures } = run;
        let descriptors = textures.descriptors();
        assert!(self.textures <= descriptors.len(), "textures are missing");
        // Grown in place: a table that is returned from a function is copied, with all its room.
        let mut uniforms: SmallVec<[Vector; SMALL_TABLE]> = SmallVec::new();
        uniforms.resize(self.uniforms, Vector::default());
        let side_by_side = self.several.as_ref().map_or(1, |several| several.quads);
        let vectors = side_by_side * Scratch::vectors(self.scratch);
        let mut scratch = vec![Vector::default(); vectors];
        let buffers = bindings.buffers()[..self.buffers].iter();
        let buffers: SmallVec<[BufferRecord; 4]> =
            buffers.map(|vectors| BufferRecord::new(vectors)).collect();
        let storage = (0..self.storage).map(|buffer| StorageRecord::new(bindings.storage(buffer)));
        let storage: SmallVec<[StorageRecord; 4]> = storage.collect();
        let context = Context {
            literals: Address::of(self.literals.as_ptr()),
            uniforms: Address::of(uniforms.as_mut_ptr()),
            constants: Address::of(bindings.constants().as_ptr()),
            textures: Address::of(descriptors.as_ptr()),
            scratch: Address::of(scratch.as_mut_ptr()),
            buffers: Address::of(buffers.as_ptr()),
            storage: Address::of(storage.as_ptr()),
            loop_budget: bindings.loop_budget(),
            drawing: Address::of(drawing),
            columns: Address::of(columns.as_ptr()),
            stop: Stop::default(),
            bindings,
        };
        // SAFETY: the code is valid, as its module is there as long as `self`. It reads and writes
        // only
        // * records, or spans and what belongs to them: the caller's promise. Every offset is a
        //   constant of the layout, and loops end with the last record or quad;
        // * the context and its tables: literals and uniforms are as long as emission counted them,
        //   and indices into the constants are masked to their number;
        // * descriptors, as many as `textures`, which was compared above; numbers of levels are masked
        //   to those of a descriptor;
        // * texels: indices are limited to the last of the descriptor, whose words `run` borrows, and
        //   which are of the kind that the code was made for: `compiled.rs` chooses code by kinds;
        // * scratch memory, as long as emission counted it for each quad; indices are limited to arrays within it;
        // * constant buffers, as many as emission counted; indices are limited to the last vector;
        // * storage buffers, as many as emission counted, which `bindings` owns; addresses past the words
        //   of a buffer are replaced. Other threads may share the words, each of which is atomic;
        // * its own stack frame, and what the runtime's entries do, which are safe code. They catch
        //   panics, so nothing unwinds through it.
        let status = unsafe { (self.shader)(&context, first, count) };
        context.stop.resume();
        status
    }

    /// Shades spans of a batch.
    ///
    /// # Safety
    ///
    /// The batch [was checked](Batch::check) for the pipeline that the code was made for, and for these
    /// surfaces, and none of its spans is shorter than the code's `shortest`.
    unsafe fn draw_spans(
        &self,
        run: &Run<'_>,
        (pipeline, own): (&Pipeline, Option<usize>),
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        for spans in batch.spans.chunks(Failure::MOST_SPANS) {
            let mut rest = Rest::new(spans);
            while let Some(spans) = rest.spans() {
                let part = Batch { spans, ..*batch };
                let drawing = Drawing::new(pipeline, &part, surfaces, own);
                let first = spans.as_ptr().cast_mut().cast();
                let data = (&raw const drawing, &[][..]);
                // SAFETY: the spans are those of a slice, which is never empty; code of this layout
                // only reads them. The rest is the caller's promise, and surfaces are borrowed.
                let status = unsafe { self.call(run, data, (first, spans.len())) };
                let Some(failure) = Failure::from_status(status) else {
                    rest.skip_spans(spans.len());
                    continue;
                };
                let Some(several) = &self.several else {
                    return Err(failure.in_spans(spans, run.bindings.loop_budget()));
                };
                several.draw_one_by_one(run, (pipeline, own), &part, surfaces, &failure)?;
                let (span, quad) = failure.span();
                rest.skip_spans(span);
                rest.skip_quads(quad + several.quads as u32);
            }
        }
        Ok(())
    }

    /// Runs the records from `first` on.
    ///
    /// # Panics
    ///
    /// If the code is for other records.
    ///
    /// # Safety
    ///
    /// As [`MachineCode::call`], of records of `layout`.
    unsafe fn run_records(
        &self,
        run: &Run<'_>,
        layout: RecordLayout,
        (first, count): (*mut u8, usize),
    ) -> Result<(), RunError> {
        assert_eq!(layout, self.layout, "the code is for other records");
        if count == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise; the layout is the code's.
        let status = unsafe { self.call(run, (std::ptr::null(), &[]), (first, count)) };
        match Failure::from_status(status) {
            None => Ok(()),
            Some(failure) => Err(failure.in_records(layout, run)),
        }
    }
}

impl Code for MachineCode {
    fn kind(&self) -> CodeKind {
        self.kind
    }

    fn memory(&self) -> usize {
        self.memory
    }

    fn machine_code(&self) -> Option<Range<usize>> {
        let start = self.shader as usize;
        Some(start..start + self.bytes)
    }

    fn run(&self, run: &Run<'_>, records: Records<'_>) -> Result<(), RunError> {
        match records {
            Records::Io(quads) => self.run_all(run, quads),
            Records::ExtendedIo(quads) => self.run_all(run, quads),
            Records::State(quads) => self.run_all(run, quads),
        }
    }

    fn elements(&self) -> usize {
        LANES * self.several.as_ref().map_or(1, |several| several.quads)
    }

    fn map(
        &self,
        run: &Run<'_>,
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        let layout = RecordLayout::Columns;
        assert_eq!(self.layout, layout, "the code is for other quads");
        let elements = columns.elements;
        assert_eq!(elements % self.elements(), 0, "an iteration is not whole");
        if elements == 0 {
            return Ok(());
        }
        let mut killed = vec![0u32; if shape.tells_killed { elements } else { 0 }];
        let places = addresses(columns, &mut killed);
        let quads = (std::ptr::null_mut(), elements / LANES);
        // SAFETY: the places are those of columns of the shape, borrowed for the call, each with as many elements:
        // `addresses` has looked. `compiled.rs` keeps code together with its shape.
        let status = unsafe { self.call(run, (std::ptr::null(), &places), quads) };
        for (killed, word) in columns
            .killed
            .iter_mut()
            .flat_map(|it| it.iter_mut())
            .zip(killed)
        {
            *killed = (word == KILL_ALL).into();
        }
        match Failure::from_status(status) {
            None => Ok(()),
            Some(failure) => Err(failure.in_records(layout, run)),
        }
    }

    fn pass(
        &self,
        run: &Run<'_>,
        (pipeline, own): (&Pipeline, Option<usize>),
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        assert_eq!(self.layout, RecordLayout::Draw, "the code is for records");
        batch.check(pipeline, surfaces)?;
        in_long_spans(
            self.shortest,
            pipeline,
            batch,
            surfaces,
            |batch, surfaces| {
                // SAFETY: the batch was checked above, its spans are long enough, and copies of spans and all that they
                // read and write were made for them. `compiled.rs` keeps code together with its pipeline.
                unsafe { self.draw_spans(run, (pipeline, own), batch, surfaces) }
            },
        )
    }
}

/// The addresses of columns, in the order of their places.
///
/// # Panics
///
/// If a part has fewer elements.
fn addresses(columns: &mut Columns<'_>, killed: &mut [u32]) -> SmallVec<[Address<u8>; 16]> {
    let elements = columns.elements;
    let inputs = columns.inputs.iter().map(Part::elements);
    let outputs = columns.outputs.iter().map(Part::elements);
    let mut counts = inputs.chain(outputs);
    assert!(
        counts.all(|count| count >= elements),
        "a column is too short"
    );
    let values = columns.values.iter();
    let values = values.map(|(_, value)| value.as_ptr().cast());
    let inputs = columns.inputs.iter();
    let inputs = inputs.map(|part| part.values.as_ptr().cast());
    // Code writes these.
    let outputs = columns.outputs.iter_mut();
    let outputs = outputs.map(|part| part.values.as_mut_ptr().cast_const().cast());
    let killed = std::iter::once(killed.as_mut_ptr().cast_const().cast());
    let places = values.chain(inputs).chain(outputs).chain(killed);
    places.map(Address::of).collect()
}

impl MachineCode {
    /// Runs records. The last ones, if they are less than an iteration takes, run again with some of those before
    /// them, or beside copies where that is not possible.
    fn run_all<R: Record>(&self, run: &Run<'_>, quads: &mut [R]) -> Result<(), RunError> {
        let Some(several) = &self.several else {
            return self.run_slice(run, quads);
        };
        let whole = quads.len() - quads.len() % several.quads;
        let (most, rest) = quads.split_at_mut(whole);
        let result = self.run_slice(run, most);
        several.or_one_by_one(run, most, (0, result))?;
        if rest.is_empty() {
            return Ok(());
        }
        if whole > 0 && self.layout.keeps_what_it_reads() {
            let from = quads.len() - several.quads;
            let last = &mut quads[from..];
            let result = self.run_slice(run, last);
            return several.or_one_by_one(run, last, (from, result));
        }
        let mut padded = several.padded(rest);
        let result = self.run_slice(run, &mut padded);
        if result.is_ok() {
            several.copy_results(&padded, rest);
        }
        several.keep(padded);
        several.or_one_by_one(run, rest, (whole, result))
    }

    fn run_slice<R: Record>(&self, run: &Run<'_>, quads: &mut [R]) -> Result<(), RunError> {
        let layout = R::records(quads).layout();
        let (first, count) = (quads.as_mut_ptr().cast(), quads.len());
        // SAFETY: the pointer is that of a slice of so many records of this layout, borrowed for the
        // call. Code that works on several at once is called for whole iterations.
        unsafe { self.run_records(run, layout, (first, count)) }
    }
}
