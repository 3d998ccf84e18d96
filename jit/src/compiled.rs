//! A program as it runs: its code, and the code made for the textures that it is bound to.

use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use attila_isa::{OpFlags, Usage, ValidProgram};
use attila_machine::pipeline::{Batch, Pipeline, SpanError, SpanShader, Surfaces};
use attila_machine::{
    Bindings, Columns, Executable, ExtendedQuadIo, LANES, PrepareError, QuadIo, QuadState, Ran,
    RanCounts, RunError, Running, StatefulExecutable,
};

use crate::abi::{ColumnShape, Named};
use crate::constants::{Sizes, Terms};
use crate::emit::{Code, CompileError, Records, Run};
use crate::lower::Domain;
use crate::sampling::{Asks, Inlined, Sampling, Samplings, bound};
use crate::specialisation::{Specialisation, asks};
use crate::variants::{Key, Purpose, Variant, Variants};
use crate::{Jit, guard, prepare_error, work};

/// The most texture instructions that code samples inline. More take too long to compile, and
/// the code would outgrow the processor's cache.
const MOST_INLINED: usize = 32;

/// The fewest elements that code for columns is made for. Fewer are copied to records.
const FEWEST: usize = 64;

/// The units that a program asks for what its code answers inline.
pub(crate) fn inlined_asks(program: &ValidProgram) -> Asks {
    let insts = program.program().insts().iter();
    let samples = insts.filter(|inst| inst.op.has(OpFlags::TEXTURE)).count();
    if samples <= MOST_INLINED {
        Asks::of(program)
    } else {
        Asks::default()
    }
}

/// A record that a shader can be compiled for.
pub(crate) trait Record: Clone + Send + 'static {
    /// The domain in which it runs.
    const DOMAIN: Domain<'static>;

    /// Quads that code may be called for.
    fn records(quads: &mut [Self]) -> Records<'_>;

    /// Whether the record has the registers that a program uses.
    ///
    /// # Errors
    ///
    /// The first register that it does not have.
    fn check(usage: &Usage) -> Result<(), RunError>;

    /// Copies what code reads and writes.
    fn copy(&self, named: Named, to: &mut Self);
}

impl Record for QuadIo {
    const DOMAIN: Domain<'static> = Domain::Io;

    fn records(quads: &mut [QuadIo]) -> Records<'_> {
        Records::Io(quads)
    }

    fn check(usage: &Usage) -> Result<(), RunError> {
        QuadIo::check(usage)
    }

    fn copy(&self, named: Named, to: &mut QuadIo) {
        named.copy(self, to);
    }
}

impl Record for ExtendedQuadIo {
    const DOMAIN: Domain<'static> = Domain::ExtendedIo;

    fn records(quads: &mut [ExtendedQuadIo]) -> Records<'_> {
        Records::ExtendedIo(quads)
    }

    fn check(usage: &Usage) -> Result<(), RunError> {
        ExtendedQuadIo::check(usage)
    }

    fn copy(&self, named: Named, to: &mut ExtendedQuadIo) {
        named.copy(self, to);
    }
}

impl Record for QuadState {
    const DOMAIN: Domain<'static> = Domain::State;

    fn records(quads: &mut [QuadState]) -> Records<'_> {
        Records::State(quads)
    }

    fn check(_: &Usage) -> Result<(), RunError> {
        Ok(())
    }

    fn copy(&self, _: Named, to: &mut QuadState) {
        to.clone_from(self);
    }
}

/// A program for records of type `R`.
pub(crate) struct Compiled<R> {
    jit: Jit,
    program: ValidProgram,
    /// Calls the texture unit for every sample. Draws have their own code, so it is made when
    /// something needs it.
    general: OnceLock<Variant>,
    /// The texture units that it asks for what code answers inline.
    asks: Asks,
    /// The constants of which sizes matter.
    terms: Arc<Terms>,
    /// All other code of the program, for records of other types, too.
    variants: Arc<Variants>,
    /// The code of the program that has run, for records of other types, too.
    ran: Arc<RanCounts>,
    records: PhantomData<fn(&mut [R])>,
}

impl<R: Record> Compiled<R> {
    /// Takes a program. Compiling it waits until something needs its code.
    ///
    /// # Errors
    ///
    /// The code could not run on this machine.
    pub(crate) fn new(jit: &Jit, program: &ValidProgram) -> Result<Compiled<R>, Arc<CompileError>> {
        jit.check_host()?;
        Ok(Compiled {
            jit: jit.clone(),
            general: OnceLock::new(),
            program: program.clone(),
            asks: inlined_asks(program),
            terms: Arc::new(Terms::of(program)),
            variants: Arc::new(Variants::new(jit.code_memory)),
            ran: Arc::default(),
            records: PhantomData,
        })
    }

    /// The same program for records of another type, within the same limit of memory.
    fn sharing<S: Record>(&self) -> Compiled<S> {
        Compiled {
            jit: self.jit.clone(),
            program: self.program.clone(),
            general: OnceLock::new(),
            asks: self.asks,
            terms: Arc::clone(&self.terms),
            variants: Arc::clone(&self.variants),
            ran: Arc::clone(&self.ran),
            records: PhantomData,
        }
    }

    /// Finds out, without compiling, whether the program is too long.
    ///
    /// # Errors
    ///
    /// It is.
    pub(crate) fn check_length(&self) -> Result<(), CompileError> {
        if !work::may_be_too_much(&self.program) {
            return Ok(());
        }
        let known = Specialisation::default();
        guard(|| self.jit.accepted(&self.program, R::DOMAIN, known)).map(drop)
    }

    pub(crate) fn general(&self) -> Variant {
        let known = Specialisation::default();
        let make = || Ok(self.jit.code(&self.program, R::DOMAIN, known)?);
        self.general.get_or_init(make).clone()
    }

    /// Does `act` as a run with these bindings, and with what code may rely on.
    fn begin<T, E: From<RunError>>(
        &self,
        bindings: &Bindings<'_>,
        act: impl FnOnce(&Run<'_>, Specialisation<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        bindings.check_units(self.program.usage())?;
        let _running = Running::begin(bindings)?;
        let mut textures = Inlined::default();
        let samplings = self.sampled(bindings, &mut textures);
        let run = Run {
            bindings,
            textures: &textures,
        };
        act(&run, self.known(&samplings, bindings))
    }

    fn run(&self, bindings: &Bindings<'_>, quads: &mut [R]) -> Result<(), RunError> {
        R::check(self.program.usage())?;
        self.begin(bindings, |run, known| {
            if quads.is_empty() {
                return Ok(());
            }
            if known.tells_something() {
                let key = Key::new(Purpose::Records(R::DOMAIN.layout()), known);
                let make = || self.compiled(R::DOMAIN, known);
                let code = self.variants.get(&key, make);
                // Code that could not be compiled to sample inline calls the texture unit.
                if let Ok(code) = code {
                    return self.run_code(&*code, run, quads);
                }
            }
            let code = self.general().map_err(prepare_error)?;
            self.run_code(&*code, run, quads)
        })
    }

    fn run_code(&self, code: &dyn Code, run: &Run<'_>, quads: &mut [R]) -> Result<(), RunError> {
        self.ran.add(code.kind(), quads.len());
        code.run(run, R::records(quads))
    }

    /// The units that code would sample inline.
    fn samplings(&self, bindings: &Bindings<'_>) -> Samplings {
        bound(bindings, self.asks, self.jit.decodings())
    }

    /// The same, with their textures.
    fn sampled<'b>(&self, bindings: &Bindings<'b>, textures: &mut Inlined<'b>) -> Samplings {
        textures.bind(bindings, self.asks, self.jit.decodings())
    }

    /// Facts that code may rely on.
    fn known<'k>(
        &'k self,
        samplings: &'k [Sampling],
        bindings: &Bindings<'_>,
    ) -> Specialisation<'k> {
        Specialisation::of(&self.program, bindings, samplings, &self.terms)
    }

    fn compiled(&self, domain: Domain<'_>, known: Specialisation<'_>) -> Variant {
        let code = self.jit.code(&self.program, domain, known)?;
        self.jit.count_specialisation();
        Ok(code)
    }

    /// Runs elements by code for columns, from the first on, as many as it can.
    fn map(&self, bindings: &Bindings<'_>, columns: &mut Columns<'_>) -> Result<usize, RunError> {
        let usage = self.program.usage();
        let asks_pixels = usage.samples || usage.evaluates() || usage.exports_depth || usage.emits;
        if asks_pixels || columns.guard.is_some() || columns.elements < FEWEST {
            return Ok(0);
        }
        let Some(shape) = ColumnShape::of(columns) else {
            return Ok(0);
        };
        self.begin(bindings, |run, known| {
            let key = Key::new(Purpose::Columns(shape.clone()), known);
            let make = || self.compiled(Domain::Columns(&shape), known);
            match self.variants.get(&key, make) {
                Ok(code) => self.map_code(&*code, (run, known), &shape, columns),
                Err(_) => Ok(0),
            }
        })
    }

    /// Elements behind the last whole iteration are run with those before them, again, if nobody can tell.
    fn map_code(
        &self,
        code: &dyn Code,
        (run, known): (&Run<'_>, Specialisation<'_>),
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<usize, RunError> {
        let (all, iteration) = (columns.elements, code.elements());
        let whole = all - all % iteration;
        self.ran.add(code.kind(), whole / LANES);
        let result = code.map(run, shape, &mut columns.range(0..whole));
        if let Err(RunError::LoopBudget { quad, .. }) = result {
            let element = quad * LANES;
            return Ok(element - element % iteration);
        }
        result?;
        let is_split = self.program.has_neighbours() && all % LANES != 0;
        let is_heard = asks(self.program.usage()).contains(&true) && !known.any_order;
        if whole == all || whole == 0 || is_split || is_heard {
            return Ok(whole);
        }
        let last = code.map(run, shape, &mut columns.range(all - iteration..all));
        Ok(if last.is_ok() { all } else { whole })
    }

    /// The code that draws within a pipeline and relies on what is known. Where inline samples could not
    /// be compiled, the code calls the texture unit.
    fn drawing(&self, pipeline: &Pipeline, known: Specialisation<'_>) -> Variant {
        let drawing = |known| {
            let key = Key::new(Purpose::Draw(Box::new(pipeline.clone())), known);
            let make = || self.compiled(Domain::Draw(pipeline), known);
            self.variants.get(&key, make)
        };
        match drawing(known) {
            Err(_) if !known.samplings.is_empty() => drawing(Specialisation {
                samplings: &[],
                ..known
            }),
            drawing => drawing,
        }
    }
}

/// The program within a pipeline.
struct DrawShader {
    compiled: Arc<Compiled<QuadIo>>,
    pipeline: Pipeline,
    /// For textures of these kinds.
    samplings: Samplings,
    /// For constants of these sizes.
    sizes: Sizes,
    /// Whether quads may ask in any order.
    any_order: bool,
    code: Arc<dyn Code>,
}

impl SpanShader for DrawShader {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        self.compiled.begin(bindings, |run, known| {
            let are_alike = known.samplings == &self.samplings[..]
                && known.constants.sizes() == self.sizes
                && known.any_order == self.any_order;
            let code = match are_alike {
                true => Arc::clone(&self.code),
                false => {
                    let code = self.compiled.drawing(&self.pipeline, known);
                    code.map_err(|error| SpanError::Compile(prepare_error(error)))?
                }
            };
            let quads = batch.spans.iter().map(|span| span.quads as usize);
            self.compiled.ran.add(code.kind(), quads.sum());
            code.draw(run, &self.pipeline, batch, surfaces)
        })
    }
}

/// A program for shading: in records of both sizes, and in draws.
pub(crate) struct Shading {
    base: Arc<Compiled<QuadIo>>,
    extended: OnceLock<Compiled<ExtendedQuadIo>>,
}

impl Shading {
    pub(crate) fn new(base: Compiled<QuadIo>) -> Shading {
        Shading {
            base: Arc::new(base),
            extended: OnceLock::new(),
        }
    }
}

impl Executable for Shading {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.base.run(bindings, quads)
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        let extended = self.extended.get_or_init(|| self.base.sharing());
        extended.run(bindings, quads)
    }

    fn map(
        &self,
        usage: &Usage,
        bindings: &Bindings<'_>,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        let done = self.base.map(bindings, columns)?;
        let of_quad = columns.of_quad;
        let mut rest = columns.range(done..columns.elements);
        rest.run_as_records(self, usage, bindings)
            .map_err(|error| error.in_quads_from(done / of_quad))
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        let samplings = self.base.samplings(bindings);
        let known = self.base.known(&samplings, bindings);
        let code = self.base.drawing(pipeline, known);
        let (sizes, any_order) = (known.constants.sizes(), known.any_order);
        Ok(Some(Arc::new(DrawShader {
            compiled: Arc::clone(&self.base),
            pipeline: pipeline.clone(),
            samplings,
            sizes,
            any_order,
            code: code.map_err(prepare_error)?,
        })))
    }

    fn ran(&self) -> Ran {
        self.base.ran.ran()
    }
}

impl StatefulExecutable for Compiled<QuadState> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        Compiled::run(self, bindings, quads)
    }

    fn ran(&self) -> Ran {
        self.ran.ran()
    }
}
