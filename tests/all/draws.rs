//! Random draws on the interpreter with the crate's portable code around it, on the JIT, which does
//! all of it in one function, on the lane IR of that function, and on the JIT with the portable code:
//! targets are the same, byte for byte.

use std::sync::Arc;

use attila_conformance::Sequence;
use attila_conformance::draws::{self, DrawStatistics, DrawWhat};
use attila_shader::machine::pipeline::{
    Batch, Blend, BlendFactor, Pipeline, SpanError, SpanShader, Surfaces,
};
use attila_shader::machine::{Backend, Executable, StatefulExecutable};
use attila_shader::{
    Bindings, Cpu, Engine, Jit, JitOptions, PrepareError, QuadIo, RunError, ValidProgram,
};

fn jit(options: JitOptions) -> Arc<Jit> {
    Arc::new(Jit::with_options(&options).expect("the JIT knows this machine"))
}

/// Runs cases on all engines.
fn agree(seed: u64, cases: u64, others: Vec<Engine>) -> DrawStatistics {
    let engines: Vec<Engine> = [Engine::interp()].into_iter().chain(others).collect();
    let result = draws::fuzz(&Sequence::new(seed, cases), &engines, &|_| ());
    if let Some(failure) = &result.failure {
        let (index, seed) = (failure.index, failure.seed);
        panic!("case {index} of {seed}:\n{}", draws::report(failure));
    }
    assert_eq!(result.statistics.refused, 0, "every case can be drawn");
    result.statistics
}

#[test]
fn the_jit_draws_as_the_interpreter_does_byte_for_byte() {
    let ir = Engine::ir().expect("this machine is known");
    let jit = jit(JitOptions::default());
    let engines = vec![ir, Engine::custom(jit.clone()), draws::portable(jit)];
    let statistics = agree(1, 300, engines);
    assert_eq!(statistics.cases, 300);
    assert!(
        statistics.frames > 600 && statistics.loop_budgets > 3,
        "{statistics:?}"
    );
    let pixels = statistics.changed;
    assert!(
        pixels > statistics.covered / 4,
        "most draws show: {statistics:?}"
    );
}

#[test]
fn any_number_of_quads_side_by_side_draws_the_same() {
    let engines = [1, 2, 3, 4].map(|quads| {
        Engine::custom(jit(JitOptions {
            quads: Some(quads),
            ..JitOptions::default()
        }))
    });
    agree(2, 150, engines.to_vec());
}

#[test]
fn code_for_the_least_processor_draws_the_same() {
    let jit = jit(JitOptions {
        cpu: Cpu::Baseline,
        ..JitOptions::default()
    });
    agree(3, 60, vec![Engine::custom(jit)]);
}

#[test]
fn code_made_as_for_long_programs_draws_the_same() {
    let jit = jit(JitOptions {
        long: true,
        ..JitOptions::default()
    });
    agree(4, 100, vec![Engine::custom(jit)]);
}

/// What is wrong with an engine.
#[derive(Clone, Copy)]
enum Fault {
    /// 1 - As in blending is taken for As.
    Factor,
    /// All fragments of a quad are kept.
    Coverage,
}

/// The JIT, but for a fault around programs.
struct Faulty(Jit, Fault);

struct FaultyProgram(Arc<dyn Executable>, Fault);

struct FaultyShader(Arc<dyn SpanShader>, Fault);

fn faulty(fault: Fault) -> Engine {
    let jit = Jit::new().expect("the JIT knows this machine");
    Engine::custom(Arc::new(Faulty(jit, fault)))
}

impl Backend for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(FaultyProgram(self.0.prepare(program)?, self.1)))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        self.0.prepare_stateful(program)
    }
}

impl Executable for FaultyProgram {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.0.run(bindings, quads)
    }

    fn within(
        self: Arc<Self>,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Option<Arc<dyn SpanShader>>, PrepareError> {
        let mut pipeline = pipeline.clone();
        let targets = pipeline.targets.iter_mut().flatten();
        for Blend { colour, alpha } in targets.filter_map(|target| target.blend.as_mut()) {
            for equation in [colour, alpha] {
                let wrong = equation.dst == BlendFactor::OneMinusSrcAlpha;
                if wrong && matches!(self.1, Fault::Factor) {
                    equation.dst = BlendFactor::SrcAlpha;
                }
            }
        }
        let shader = Arc::clone(&self.0).within(&pipeline, bindings)?;
        Ok(shader.map(|shader| Arc::new(FaultyShader(shader, self.1)) as Arc<dyn SpanShader>))
    }
}

impl SpanShader for FaultyShader {
    fn shade(
        &self,
        bindings: &Bindings<'_>,
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        let all = vec![15; batch.coverage.len()];
        let mut batch = *batch;
        if matches!(self.1, Fault::Coverage) {
            batch.coverage = &all;
        }
        self.0.shade(bindings, &batch, surfaces)
    }
}

#[test]
fn a_wrong_blend_factor_is_found_and_made_plain() {
    let engines = [Engine::interp(), faulty(Fault::Factor)];
    let result = draws::fuzz(&Sequence::new(5, 500), &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    let (case, text) = (&failure.case, draws::report(&failure));
    assert_eq!(case.frames.len(), 1, "{text}");
    assert_eq!(case.size, [1, 1], "{text}");
    assert!(case.program.program().insts().len() <= 2, "{text}");
    assert_eq!(case.targets.iter().flatten().count(), 1, "{text}");
    assert!(text.contains("oneminussrcalpha"), "{text}");
    assert!(
        text.starts_with("interp and faulty differ after frame 0: colour target"),
        "{text}"
    );
    let again = draws::case(failure.seed, failure.index);
    assert!(again.compare(&engines).is_some(), "the case repeats");
}

#[test]
fn a_pixel_that_nothing_covers_must_not_be_touched() {
    let result = draws::fuzz(&Sequence::new(6, 100), &[faulty(Fault::Coverage)], &|_| ());
    let failure = result.failure.expect("the fault is found");
    let what = &failure.difference.what;
    assert!(matches!(what, DrawWhat::Touched { .. }), "{what:?}");
    let text = draws::report(&failure);
    assert!(
        text.starts_with("faulty touches what frame 0 does not cover"),
        "{text}"
    );
}
