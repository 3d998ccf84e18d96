//! [`Engine`] and [`Shader`]: one way to run a program, whichever engine does it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use attila_interp::Interp;
use attila_isa::{Stage, Usage, ValidProgram};
#[cfg(feature = "jit")]
use attila_jit::{EmitterKind, Jit, JitOptions, Vectors};
use attila_machine::pipeline::{Pipeline, SpanShader};
use attila_machine::{
    Backend, Bindings, CodeKind, Columns, Executable, ExtendedQuadIo, PrepareError, QuadIo,
    QuadState, Ran, RunError, StatefulExecutable,
};

use crate::guard::guarded;
use crate::map::MapError;

/// A way to run programs. Clones share the engine.
#[derive(Clone)]
pub struct Engine {
    backend: Arc<dyn Backend>,
    /// Takes over where `backend` cannot compile a program.
    fallback: Option<Arc<dyn Backend>>,
}

impl Engine {
    /// The interpreter.
    pub fn interp() -> Engine {
        Engine {
            backend: Arc::new(Interp),
            fallback: None,
        }
    }

    /// The JIT.
    ///
    /// # Errors
    ///
    /// The JIT has no code generator for this machine.
    #[cfg(feature = "jit")]
    pub fn jit() -> Result<Engine, PrepareError> {
        Engine::with_jit_options(&JitOptions::default())
    }

    /// The JIT's intermediate form, lane IR, evaluated in the plainest way. It is slow, and there to
    /// be compared: if it differs from the interpreter, the JIT lowers or optimises a program wrongly;
    /// if only the JIT differs, its code generation is wrong.
    ///
    /// # Errors
    ///
    /// The JIT does not know this machine.
    #[cfg(feature = "jit")]
    pub fn ir() -> Result<Engine, PrepareError> {
        Engine::with_jit_options(&JitOptions {
            emitter: EmitterKind::Evaluator,
            ..JitOptions::default()
        })
    }

    /// The JIT with choices made.
    ///
    /// # Errors
    ///
    /// The JIT has no code generator for the target, or the target is not one.
    #[cfg(feature = "jit")]
    pub fn with_jit_options(options: &JitOptions) -> Result<Engine, PrepareError> {
        Ok(Engine::custom(Arc::new(Jit::with_options(options)?)))
    }

    /// The JIT where it can compile a program, the interpreter where it cannot.
    pub fn auto() -> Engine {
        #[cfg(feature = "jit")]
        if let Ok(jit) = Jit::new() {
            return Engine {
                backend: Arc::new(jit),
                fallback: Some(Arc::new(Interp)),
            };
        }
        Engine::interp()
    }

    /// The same with choices made for the JIT.
    ///
    /// # Errors
    ///
    /// As [`Engine::with_jit_options`].
    #[cfg(feature = "jit")]
    pub fn auto_with(options: &JitOptions) -> Result<Engine, PrepareError> {
        Ok(Engine {
            backend: Arc::new(Jit::with_options(options)?),
            fallback: Some(Arc::new(Interp)),
        })
    }

    /// Every engine that works on this machine, for comparisons: the interpreter, then
    /// lane IR, then the JIT with each width of vectors, the widest last.
    pub fn all() -> Vec<Engine> {
        #[cfg(feature = "jit")]
        let others = {
            let mut widths = Vectors::here();
            widths.pop();
            let below_widest = widths.into_iter().map(|vectors| {
                Engine::with_jit_options(&JitOptions {
                    vectors,
                    ..JitOptions::default()
                })
            });
            let below_widest: Vec<_> = below_widest.collect();
            let first = std::iter::once(Engine::ir());
            first.chain(below_widest).chain([Engine::jit()])
        };
        #[cfg(not(feature = "jit"))]
        let others: [Result<Engine, PrepareError>; 0] = [];
        let others = others.into_iter().flatten();
        std::iter::once(Engine::interp()).chain(others).collect()
    }

    /// An engine of the caller. [`Backend`] has the smallest one.
    pub fn custom(backend: Arc<dyn Backend>) -> Engine {
        Engine {
            backend,
            fallback: None,
        }
    }

    /// The engine's name in reports.
    pub fn name(&self) -> &'static str {
        self.backend.name()
    }

    /// The kind of code that the engine makes of programs where it can. `None`: it makes no code.
    pub fn code_kind(&self) -> Option<CodeKind> {
        self.backend.code_kind()
    }

    /// Makes a program ready for shading.
    ///
    /// # Errors
    ///
    /// The engine's compiler failed, and there is no other engine to fall back on.
    pub fn prepare(&self, program: &ValidProgram) -> Result<Shader, PrepareError> {
        let (backend, executable, refusal) =
            self.with_fallback(|backend| backend.prepare(program))?;
        let executable = match &self.fallback {
            Some(fallback) => Arc::new(Fallback {
                first: executable,
                second: fallback.prepare(program)?,
            }),
            None => executable,
        };
        Ok(Shader(Arc::new(Prepared {
            program: program.clone(),
            engine: backend.name(),
            refusal,
            executable,
            maker: self.clone(),
            alone: OnceLock::new(),
            guarded: OnceLock::new(),
        })))
    }

    /// Makes a program ready for runs with all registers visible.
    ///
    /// # Errors
    ///
    /// As [`Engine::prepare`].
    pub fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        let (_, executable, _) = self.with_fallback(|backend| backend.prepare_stateful(program))?;
        Ok(match &self.fallback {
            Some(fallback) => Box::new(Fallback {
                first: executable,
                second: fallback.prepare_stateful(program)?,
            }),
            None => executable,
        })
    }

    /// The engine that prepares a program, the program as it has prepared it, and why the first engine has not.
    fn with_fallback<T>(
        &self,
        prepare: impl Fn(&dyn Backend) -> Result<T, PrepareError>,
    ) -> Result<(&dyn Backend, T, Option<PrepareError>), PrepareError> {
        match (prepare(&*self.backend), &self.fallback) {
            (Ok(executable), _) => Ok((&*self.backend, executable, None)),
            (Err(error), Some(fallback)) => Ok((&**fallback, prepare(&**fallback)?, Some(error))),
            (Err(error), None) => Err(error),
        }
    }
}

/// An engine that others are made of, which do something besides.
impl Backend for Engine {
    fn name(&self) -> &'static str {
        Engine::name(self)
    }

    fn code_kind(&self) -> Option<CodeKind> {
        Engine::code_kind(self)
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        let shader = Engine::prepare(self, program)?;
        Ok(Arc::clone(shader.executable()))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        Engine::prepare_stateful(self, program)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.name()).finish()
    }
}

/// A program made ready by two engines, the second of which does what the first cannot compile.
struct Fallback<P> {
    first: P,
    second: P,
}

impl StatefulExecutable for Fallback<Box<dyn StatefulExecutable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        match self.first.run(bindings, quads) {
            Err(RunError::Compile(_)) => self.second.run(bindings, quads),
            result => result,
        }
    }

    fn ran(&self) -> Ran {
        let mut ran = self.first.ran();
        ran += self.second.ran();
        ran
    }
}

impl Executable for Fallback<Arc<dyn Executable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        match self.first.run(bindings, quads) {
            Err(RunError::Compile(_)) => self.second.run(bindings, quads),
            result => result,
        }
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        match self.first.run_extended(bindings, quads) {
            Err(RunError::Compile(_)) => self.second.run_extended(bindings, quads),
            result => result,
        }
    }

    fn map(
        &self,
        usage: &Usage,
        bindings: &Bindings<'_>,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        match self.first.map(usage, bindings, columns) {
            Err(RunError::Compile(_)) => self.second.map(usage, bindings, columns),
            result => result,
        }
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        match Arc::clone(&self.first).within(pipeline, bindings) {
            Err(_) => Arc::clone(&self.second).within(pipeline, bindings),
            result => result,
        }
    }

    fn ran(&self) -> Ran {
        let mut ran = self.first.ran();
        ran += self.second.ran();
        ran
    }
}

/// A program made ready for shading. Threads may share it; clones are the same shader.
#[derive(Clone)]
pub struct Shader(Arc<Prepared>);

struct Prepared {
    program: ValidProgram,
    engine: &'static str,
    refusal: Option<PrepareError>,
    executable: Arc<dyn Executable>,
    maker: Engine,
    /// The program for lanes without neighbours, made when something needs it.
    alone: OnceLock<Result<Shader, PrepareError>>,
    /// The program with a guard, likewise.
    guarded: OnceLock<Result<Shader, MapError>>,
}

impl Shader {
    /// The program.
    pub fn program(&self) -> &ValidProgram {
        &self.0.program
    }

    /// The name of the engine that runs it.
    pub fn engine(&self) -> &'static str {
        self.0.engine
    }

    /// The reason for which [`Engine::auto`] prepared the program with another engine than the JIT.
    pub fn refusal(&self) -> Option<&PrepareError> {
        self.0.refusal.as_ref()
    }

    /// Shades the quads.
    ///
    /// ```
    /// use attila_shader::{Bindings, Engine, Program, QuadIo};
    ///
    /// let program = Program::assemble("mul o1, i1, c0")?.validate()?;
    /// let shader = Engine::auto().prepare(&program)?;
    /// let bindings = Bindings::new().with_constant(0, [0.5, 0.5, 0.5, 1.0]);
    /// let mut quads = vec![QuadIo::default(); 1024];
    /// for quad in &mut quads {
    ///     quad.set_input(1, [[1.0, 0.5, 4.0, 1.0]; 4]); // (x, y, z, w) for each of the four lanes
    /// }
    /// shader.run(&bindings, &mut quads)?;
    /// assert_eq!(quads[0].output(1)[3], [0.5, 0.25, 2.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A texture unit that is not bound, a register that these quads do not have (then
    /// [`Shader::run_extended`] takes larger ones), a lane that used up its loop budget, [too many
    /// runs](attila_machine::MAX_NESTED_RUNS) inside each other, or an engine that could not compile the
    /// program and has no fallback.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source that is bound does.
    pub fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.0.executable.run(bindings, quads)
    }

    /// The same for quads that have all registers of the extended profile.
    ///
    /// # Errors
    ///
    /// As [`Shader::run`].
    ///
    /// # Panics
    ///
    /// As [`Shader::run`].
    pub fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        self.0.executable.run_extended(bindings, quads)
    }

    /// The code that has run so far, in draws and maps, too, as it says of itself.
    pub fn ran(&self) -> Ran {
        let mut ran = self.0.executable.ran();
        let alone = self.0.alone.get().and_then(|twin| twin.as_ref().ok());
        let guarded = self.0.guarded.get().and_then(|twin| twin.as_ref().ok());
        for twin in alone.into_iter().chain(guarded) {
            ran += twin.ran();
        }
        ran
    }

    /// The program for lanes without neighbours: its derivatives are 0. It takes none explicitly.
    pub(crate) fn alone(&self) -> Result<Shader, PrepareError> {
        let program = self.program();
        if !program.has_neighbours() {
            return Ok(self.clone());
        }
        let make = || {
            let twin = program.program().clone().with_stage(Stage::Compute);
            let twin = twin.validate().expect("it has no explicit derivatives");
            self.0.maker.prepare(&twin)
        };
        self.0.alone.get_or_init(make).clone()
    }

    /// The program in lanes where w of an input that it does not read is 0.
    pub(crate) fn guarded(&self, input: usize) -> Result<Shader, MapError> {
        let program = self.program().program();
        let make = || {
            let guarded = guarded(program, (program.stage(), input)).map_err(MapError::TooLong)?;
            Ok(self.0.maker.prepare(&guarded)?)
        };
        self.0.guarded.get_or_init(make).clone()
    }

    /// The program as its engine prepared it.
    pub(crate) fn executable(&self) -> &Arc<dyn Executable> {
        &self.0.executable
    }
}

impl fmt::Debug for Shader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shader")
            .field("engine", &self.engine())
            .field("program", self.program().program())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use attila_isa::Program;
    use attila_machine::pipeline::ColourFormat;

    use super::*;
    use crate::draw::{ColourImage, Draw, DrawError, Varying};

    /// An engine whose compiler fails when it is needed.
    struct Late;

    impl Executable for Late {
        fn run(&self, _: &Bindings<'_>, _: &mut [QuadIo]) -> Result<(), RunError> {
            Err(PrepareError::new("too late").into())
        }

        fn run_extended(&self, _: &Bindings<'_>, _: &mut [ExtendedQuadIo]) -> Result<(), RunError> {
            Err(PrepareError::new("too late").into())
        }

        fn within(
            self: Arc<Self>,
            _: &Pipeline,
            _: &Bindings<'_>,
        ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
            Err(PrepareError::new("too late"))
        }
    }

    impl Backend for Late {
        fn name(&self) -> &'static str {
            "late"
        }

        fn prepare(&self, _: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
            Ok(Arc::new(Late))
        }

        fn prepare_stateful(
            &self,
            _: &ValidProgram,
        ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
            Err(PrepareError::new("too late"))
        }
    }

    /// The result for 2 of a program that doubles.
    fn doubled(fallback: Option<Arc<dyn Backend>>) -> Result<f32, RunError> {
        let program = Program::assemble("add o1, i0, i0").unwrap();
        let backend = Arc::new(Late);
        let engine = Engine { backend, fallback };
        let shader = engine.prepare(&program.validate().unwrap()).unwrap();
        let mut quads = [QuadIo::default()];
        quads[0].set_input(0, [[2.0; 4]; 4]);
        shader.run(&Bindings::new(), &mut quads)?;
        Ok(quads[0].output(1)[0][0])
    }

    #[test]
    fn another_engine_takes_over_where_compiling_fails_in_the_first_run() {
        assert_eq!(doubled(Some(Arc::new(Interp))), Ok(4.0));
        assert!(matches!(doubled(None), Err(RunError::Compile(_))));
    }

    #[test]
    fn another_engine_draws_what_the_first_cannot_compile_to_draw() {
        let program = Program::assemble("add o1, i6, i6").unwrap();
        let program = program.validate().unwrap();
        let draw = |fallback| {
            let backend = Arc::new(Late);
            let shader = Engine { backend, fallback }.prepare(&program).unwrap();
            let mut image = ColourImage::new(ColourFormat::Rgba8, 2, 2);
            let grey = Varying::flat([0.25; 4]);
            let draw = Draw::new(&shader).varying(6, grey).target(0, &mut image);
            draw.rect(0..2, 0..2)?;
            Ok(image.pixel::<[u8; 4]>(1, 1).unwrap())
        };
        assert_eq!(draw(Some(Arc::new(Interp))).ok(), Some([127; 4]));
        let alone: Result<_, DrawError> = draw(None);
        assert!(matches!(alone, Err(DrawError::Prepare(_))), "{alone:?}");
    }
}
