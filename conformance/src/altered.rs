//! Engines with planted faults, for tests of the comparison: it has to find them.

use std::sync::Arc;

use attila_shader::isa::Inst;
use attila_shader::machine::pipeline::{Batch, Pipeline, SpanError, SpanShader, Surfaces};
use attila_shader::machine::{
    Backend, Bindings, CodeKind, Executable, ExtendedQuadIo, PrepareError, QuadIo, QuadState, Ran,
    RunError, StatefulExecutable, TextureUnit,
};
use attila_shader::texture::{Sampler, Texture, Textures};
use attila_shader::{Engine, ValidProgram};

/// A planted fault.
#[derive(Clone, Copy)]
pub enum Fault {
    /// Instructions are taken for others.
    Insts(fn(&mut Inst)),
    /// Instructions are taken for others in runs for shading.
    Shading(fn(&mut Inst)),
    /// Programs with such an instruction are refused with this message.
    Refuse(fn(&Inst) -> bool, &'static str),
    /// The compiler panics with this message at such an instruction.
    Panic(fn(&Inst) -> bool, &'static str),
    /// Lanes may take one more backward jump than they may.
    Budget,
    /// Samplers are taken for others in runs for shading.
    Samplers(fn(&mut Sampler)),
    /// The work around programs is taken for other work, where the engine does it by itself.
    Pipeline(fn(&mut Pipeline)),
    /// All fragments of a quad are kept, where the engine does the work around programs by itself.
    Coverage,
}

/// The engine `backend` with a fault; its name is `altered`.
pub fn altered(backend: impl Backend + 'static, fault: Fault) -> Engine {
    altered_as("altered", backend, fault)
}

/// The engine `backend` with a fault and this name.
pub fn altered_as(name: &'static str, backend: impl Backend + 'static, fault: Fault) -> Engine {
    Engine::custom(Arc::new(Altered(backend, fault, name)))
}

struct Altered<B>(B, Fault, &'static str);

/// A program prepared by the engine, with the fault.
struct AlteredProgram<P>(Fault, P);

impl<B> Altered<B> {
    /// The program that is prepared in place of another.
    fn program(&self, program: &ValidProgram, shading: bool) -> Result<ValidProgram, PrepareError> {
        let insts = program.program().insts();
        let change = match self.1 {
            Fault::Insts(change) => change,
            Fault::Shading(change) if shading => change,
            Fault::Refuse(is_hard, why) if insts.iter().any(is_hard) => {
                return Err(PrepareError::new(why));
            }
            Fault::Panic(is_hard, why) if insts.iter().any(is_hard) => panic!("{why}"),
            Fault::Shading(_)
            | Fault::Refuse(..)
            | Fault::Panic(..)
            | Fault::Budget
            | Fault::Samplers(_)
            | Fault::Pipeline(_)
            | Fault::Coverage => |_: &mut Inst| (),
        };
        let mut insts = insts.to_vec();
        insts.iter_mut().for_each(change);
        let altered = program.program().with_insts(insts);
        altered
            .map_err(|(_, error)| PrepareError::new(error))?
            .validate()
            .map_err(PrepareError::new)
    }
}

impl<B: Backend> Backend for Altered<B> {
    fn name(&self) -> &'static str {
        self.2
    }

    fn code_kind(&self) -> Option<CodeKind> {
        self.0.code_kind()
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        let prepared = self.0.prepare(&self.program(program, true)?)?;
        Ok(Arc::new(AlteredProgram(self.1, prepared)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        let prepared = self.0.prepare_stateful(&self.program(program, false)?)?;
        Ok(Box::new(AlteredProgram(self.1, prepared)))
    }
}

impl<P> AlteredProgram<P> {
    fn bindings<'a>(&self, bindings: &Bindings<'a>) -> Bindings<'a> {
        let one_more = u32::from(matches!(self.0, Fault::Budget));
        let budget = bindings.loop_budget() + one_more;
        bindings.clone().with_loop_budget(budget)
    }

    /// The textures with other samplers.
    fn textures(&self, bindings: &Bindings<'_>) -> Option<Textures> {
        let Fault::Samplers(change) = self.0 else {
            return None;
        };
        let units = bindings.textures().and_then(TextureUnit::as_any)?;
        let mut textures = units.downcast_ref::<Textures>()?.clone();
        for unit in 0.. {
            let Some(texture) = textures.get(unit) else {
                return Some(textures);
            };
            let mut sampler = *texture.sampler();
            change(&mut sampler);
            let texture = Texture::new(texture.image().clone(), sampler).ok()?;
            textures.bind(unit, texture).ok()?;
        }
        Some(textures)
    }
}

impl StatefulExecutable for AlteredProgram<Box<dyn StatefulExecutable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        self.1.run(&self.bindings(bindings), quads)
    }

    fn ran(&self) -> Ran {
        self.1.ran()
    }
}

impl Executable for AlteredProgram<Arc<dyn Executable>> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        match self.textures(bindings) {
            Some(textures) => self
                .1
                .run(&bindings.clone().with_textures(&textures), quads),
            None => self.1.run(bindings, quads),
        }
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        match self.textures(bindings) {
            Some(textures) => self
                .1
                .run_extended(&bindings.clone().with_textures(&textures), quads),
            None => self.1.run_extended(bindings, quads),
        }
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        let mut pipeline = pipeline.clone();
        if let Fault::Pipeline(change) = self.0 {
            change(&mut pipeline);
        }
        let shader = Arc::clone(&self.1).within(&pipeline, bindings)?;
        Ok(shader.map(|shader| Arc::new(AlteredShader(self.0, shader)) as Arc<dyn SpanShader>))
    }

    fn ran(&self) -> Ran {
        self.1.ran()
    }
}

struct AlteredShader(Fault, Arc<dyn SpanShader>);

impl SpanShader for AlteredShader {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let all = vec![15; batch.coverage.len()];
        let mut batch = *batch;
        if matches!(self.0, Fault::Coverage) {
            batch.coverage = &all;
        }
        self.1.shade(bindings, &batch, surfaces)
    }
}
