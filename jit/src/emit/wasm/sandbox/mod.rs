//! Modules that run in a process: everything that code reads is copied into its memory, and what it writes is copied back.
//! That is slow. It is there to compare the code with that of other engines.

mod columns;
mod draw;
mod image;
mod node;
mod records;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use attila_machine::pipeline::{Batch, Pipeline, SpanError, Surfaces};
use attila_machine::{CodeKind, Columns, LANES, RunError};

use super::{Wasm, probe};
use crate::abi::{
    Arguments, BufferRecord, ColumnShape, ContextField, Descriptor, LEVELS, LevelField,
    LevelRecord, RecordLayout, Scratch, StorageRecord,
};
use crate::code::Failure;
use crate::emit::padding::in_long_spans;
use crate::emit::plan::{Plan, Shape};
use crate::emit::{Code, CodeSize, CompileError, Emitter, Made, Records, Run, Source};
use crate::ir::{Function, Op};
use crate::runtime::{Context, Entry, Vector};
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};
use image::Image;
#[cfg(feature = "wasm")]
pub use node::time_in_node;

/// Numbers of modules.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// The emitter, with a process that runs its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sandbox {
    /// The choices of emission.
    pub(crate) wasm: Wasm,
}

impl Sandbox {
    /// The emitter with the best instructions that processes have.
    ///
    /// # Errors
    ///
    /// There is no process that runs WebAssembly.
    pub(crate) fn best() -> Result<Sandbox, CompileError> {
        static FUSED: OnceLock<Result<bool, String>> = OnceLock::new();
        let with = |fused| Sandbox {
            wasm: Wasm { fused },
        };
        let fused = FUSED.get_or_init(|| {
            node::with(|_| Ok(()))
                .map(|()| probe::is_fused(&with(true)))
                .map_err(|error| error.to_string())
        });
        match fused {
            Ok(fused) => Ok(with(*fused)),
            Err(reason) => Err(CompileError::Target {
                target: "WebAssembly".to_owned(),
                reason: format!("`node` does not start: {reason}"),
            }),
        }
    }

    /// The same, or else with those that WebAssembly has everywhere.
    pub(crate) fn best_or_plain() -> Sandbox {
        let plain = Sandbox {
            wasm: Wasm { fused: false },
        };
        Sandbox::best().unwrap_or(plain)
    }

    fn code(self, source: &Source<'_>) -> WasmCode {
        let (Made { bytes: module, .. }, plan) = self.wasm.module(source);
        WasmCode {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            module,
            function: source.function.clone(),
            shape: Wasm::shape(source, &plan),
            plan,
            layout: source.layout,
            quads: source.quads,
        }
    }
}

impl Emitter for Sandbox {
    fn vectors(&self) -> VectorTarget {
        self.wasm.vectors()
    }

    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError> {
        let code = self.code(source);
        let loaded = node::with(|node| node.load(code.number, &code.module));
        loaded.map_err(|error| CompileError::Codegen(Box::new(error)))?;
        Ok(Box::new(code))
    }

    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        Wasm::text(source, stage)
    }

    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError> {
        Ok(self.wasm.size(source))
    }
}

/// A module, and what its runs need.
#[derive(Debug)]
struct WasmCode {
    number: u32,
    module: Vec<u8>,
    function: Function,
    plan: Plan,
    shape: Shape,
    layout: RecordLayout,
    quads: usize,
}

/// The parts of a run that are in its memory already: their addresses, or 0.
#[derive(Clone, Copy, Default)]
struct Parts {
    drawing: usize,
    columns: usize,
    first: usize,
    count: usize,
}

impl WasmCode {
    /// Runs the module in a memory with all its records.
    ///
    /// # Panics
    ///
    /// If the process ends, or something did that users bind.
    fn call(&self, run: &Run<'_>, image: &mut Image, parts: Parts) -> Option<Failure> {
        let context = image.room(size_of::<Context<'_>>());
        let uniforms = image.room(self.shape.uniforms * Vector::SIZE);
        let constants = image.words(run.bindings.constants().iter().flatten().copied());
        let textures = self.textures(run, image);
        let scratch = image.room(Scratch::vectors(self.plan.scratch) * Vector::SIZE);
        let buffers = self.buffers(run, image);
        let (storage, words) = self.storage(run, image);
        for (field, address) in [
            (ContextField::Uniforms, uniforms),
            (ContextField::Constants, constants),
            (ContextField::Textures, textures),
            (ContextField::Scratch, scratch),
            (ContextField::Buffers, buffers),
            (ContextField::Storage, storage),
            (ContextField::Drawing, parts.drawing),
            (ContextField::Columns, parts.columns),
        ] {
            image.put_address(context + field.offset(), address);
        }
        let budget = context + ContextField::LoopBudget.offset();
        image.put(budget, [run.bindings.loop_budget()]);
        let entries = Context::of_entries(run.bindings);
        let status = self.status(image, (context, parts), &entries);
        entries.stop.resume();
        self.take_storage(run, image, &words);
        Failure::from_status(status)
    }

    fn status(
        &self,
        image: &mut Image,
        (context, parts): (usize, Parts),
        entries: &Context<'_>,
    ) -> u64 {
        // Operands of an entry are read as many as the most that an entry has.
        let memory = image.all(size_of::<Arguments>());
        let call = node::Call {
            context: context as u32,
            first: parts.first as u32,
            count: parts.count as u32,
            memory,
        };
        let mut answer = |entry: Entry, memory: &mut _, site, vectors: &mut _| {
            entry.call(entries, memory, site, vectors);
            entries.stop.is_set()
        };
        let status = node::with(|node| {
            node.load(self.number, &self.module)?;
            node.run(self.number, call, &mut answer)
        });
        status.unwrap_or_else(|error| panic!("WebAssembly in Node.js: {error}"))
    }

    /// Descriptors, with the numbers that the function reads.
    fn textures(&self, run: &Run<'_>, image: &mut Image) -> usize {
        let descriptors = run.textures.descriptors();
        assert!(
            self.plan.textures <= descriptors.len(),
            "textures are missing"
        );
        let first = image.room(self.plan.textures * size_of::<Descriptor>());
        for texture in 0..self.plan.textures as u8 {
            let descriptor = &descriptors[usize::from(texture)];
            let texels = image.words(run.textures.words(texture).iter().copied());
            image.put_address(first + Descriptor::texels_of(texture), texels);
            let last = first + Descriptor::last_texel_of(texture);
            image.put(last, descriptor.last_texel.0);
            let last = first + Descriptor::last_blend_of(texture);
            image.put(last, descriptor.last_blend.0);
        }
        for node in &self.function.nodes {
            if let Op::TextureField(texture, field) = node.op {
                let number = descriptors[usize::from(texture)].number(field);
                image.put(first + field.offset_of(texture), [number]);
            }
            if let Op::LevelField(texture, field) = node.op {
                put_level(image, first, descriptors, (texture, field));
            }
            if let Op::LevelPart(texture, part) = node.op {
                for &field in part.fields() {
                    put_level(image, first, descriptors, (texture, field));
                }
            }
        }
        first
    }

    fn buffers(&self, run: &Run<'_>, image: &mut Image) -> usize {
        let records = image.room(self.plan.buffers * size_of::<BufferRecord>());
        for buffer in 0..self.plan.buffers as u8 {
            let vectors = run.bindings.buffers()[usize::from(buffer)];
            let first = image.words(vectors.iter().flatten().copied().chain([0; 4]));
            image.put_address(records + BufferRecord::vectors_of(buffer), first);
            let last = vectors.len().saturating_sub(1) as u32;
            image.put(records + BufferRecord::last_of(buffer), [last]);
        }
        records
    }

    /// Storage buffers: the records, and where the words of each are.
    fn storage(&self, run: &Run<'_>, image: &mut Image) -> (usize, Vec<usize>) {
        let records = image.room(self.plan.storage * size_of::<StorageRecord>());
        let words = (0..self.plan.storage).map(|buffer| {
            let words = run.bindings.storage(buffer);
            let all = words.iter().map(|word| word.load(Ordering::Relaxed));
            let first = image.words(all.chain([0]));
            let buffer = buffer as u8;
            image.put_address(records + StorageRecord::words_of(buffer), first);
            image.put(
                records + StorageRecord::count_of(buffer),
                [words.len() as u32],
            );
            first
        });
        let words = words.collect();
        (records, words)
    }

    fn take_storage(&self, run: &Run<'_>, image: &Image, firsts: &[usize]) {
        for (buffer, &first) in firsts.iter().enumerate() {
            for (n, word) in run.bindings.storage(buffer).iter().enumerate() {
                word.store(image.word(first + 4 * n), Ordering::Relaxed);
            }
        }
    }
}

/// Writes a number of all levels.
fn put_level(
    image: &mut Image,
    first: usize,
    descriptors: &[Descriptor],
    (texture, field): (u8, LevelField),
) {
    let descriptor = &descriptors[usize::from(texture)];
    for level in 0..LEVELS {
        let at = first + field.offset_of(texture) + (level << LevelRecord::SHIFT);
        image.put(at, [descriptor.levels[level].number(field)]);
    }
}

impl Code for WasmCode {
    fn kind(&self) -> CodeKind {
        CodeKind::V128
    }

    fn memory(&self) -> usize {
        self.module.len() + self.function.memory()
    }

    fn run(&self, run: &Run<'_>, records: Records<'_>) -> Result<(), RunError> {
        assert_eq!(
            records.layout(),
            self.layout,
            "the code is for other records"
        );
        match records {
            Records::Io(quads) => self.run_records(run, quads),
            Records::ExtendedIo(quads) => self.run_records(run, quads),
            Records::State(quads) => self.run_records(run, quads),
        }
    }

    fn elements(&self) -> usize {
        LANES * self.quads
    }

    fn map(
        &self,
        run: &Run<'_>,
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        assert_eq!(
            self.layout,
            RecordLayout::Columns,
            "the code is for other quads"
        );
        self.map_columns(run, shape, columns)
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
        let shortest = self.shape.shortest;
        in_long_spans(shortest, pipeline, batch, surfaces, |batch, surfaces| {
            self.draw_spans(run, (pipeline, own), batch, surfaces)
        })
    }
}
