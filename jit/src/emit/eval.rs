//! The plainest emitter: it keeps the function, and evaluates it quad by quad.
//!
//! It shares no code with the others from lane IR on, so it is the engine between the interpreter and
//! theirs: if it differs from the interpreter, lowering or a pass is wrong; if it agrees, emission is.

mod columns;
mod draw;
mod record;
mod run;

use attila_machine::pipeline::{Batch, Pipeline, SpanError, Surfaces};
use attila_machine::{CodeKind, Columns, Fixed, LANES, RunError};

use super::{Code, CodeSize, CompileError, Emitter, Records, Run, Source};
use crate::abi::{ColumnShape, RecordLayout};
use crate::ir::{Evaluation, Function, Spent};
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};
use columns::ColumnQuad;
use draw::{DrawnQuad, Scene};
pub(crate) use record::RecordQuad;

#[cfg(test)]
pub(crate) use record::slot;

/// The emitter.
pub(crate) struct Evaluator {
    /// Vectors to have functions lowered and arranged for: the vectors of the emitter that it is
    /// compared with. The evaluator itself has no vectors.
    pub(crate) vectors: VectorTarget,
}

impl Emitter for Evaluator {
    fn vectors(&self) -> VectorTarget {
        self.vectors
    }

    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError> {
        Ok(Box::new(Evaluated {
            function: source.function.clone(),
            layout: source.layout,
        }))
    }

    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        match stage {
            EmitStage::Ir => Ok(source.function.listing()),
            EmitStage::Clif | EmitStage::Asm => Err(CompileError::NoText { stage }),
        }
    }

    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError> {
        Ok(CodeSize {
            bytes: 0,
            memory: source.function.memory(),
        })
    }
}

/// A function that is evaluated.
#[derive(Debug)]
struct Evaluated {
    function: Function,
    layout: RecordLayout,
}

impl Evaluated {
    /// Evaluates the function for each record.
    fn run_each<R>(&self, run: &Run<'_>, records: &mut [R]) -> Result<(), RunError>
    where
        for<'q> RecordQuad<'q>: From<&'q mut R>,
    {
        let mut evaluation = Evaluation::new(&self.function, run);
        for (index, record) in records.iter_mut().enumerate() {
            let mut quad = RecordQuad::from(record);
            if index == 0 {
                evaluation.begin_run(&mut quad);
            }
            let done = evaluation.quad(&mut quad);
            done.map_err(|spent| spent.in_quad(index, run))?;
        }
        Ok(())
    }
}

impl Spent {
    fn in_quad(self, quad: usize, run: &Run<'_>) -> RunError {
        RunError::LoopBudget {
            pc: self.pc as usize,
            quad,
            budget: run.bindings.loop_budget(),
        }
    }
}

impl Code for Evaluated {
    fn kind(&self) -> CodeKind {
        CodeKind::Evaluated
    }

    fn memory(&self) -> usize {
        self.function.memory()
    }

    fn run(&self, run: &Run<'_>, records: Records<'_>) -> Result<(), RunError> {
        assert_eq!(
            records.layout(),
            self.layout,
            "the code is for other records"
        );
        match records {
            Records::Io(quads) => self.run_each(run, quads),
            Records::ExtendedIo(quads) => self.run_each(run, quads),
            Records::State(quads) => self.run_each(run, quads),
        }
    }

    fn elements(&self) -> usize {
        LANES
    }

    fn map(
        &self,
        run: &Run<'_>,
        shape: &ColumnShape,
        columns: &mut Columns<'_>,
    ) -> Result<(), RunError> {
        let mut evaluation = Evaluation::new(&self.function, run);
        for index in 0..columns.elements / LANES {
            let mut quad = ColumnQuad {
                shape,
                columns,
                first: index * LANES,
                accumulator: [[Fixed::default(); LANES]; 4],
            };
            if index == 0 {
                evaluation.begin_run(&mut quad);
            }
            let done = evaluation.quad(&mut quad);
            done.map_err(|spent| spent.in_quad(index, run))?;
        }
        Ok(())
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
        let scene = Scene::new(pipeline, batch, own);
        let mut evaluation = Evaluation::new(&self.function, run);
        for (number, span) in batch.spans.iter().enumerate() {
            for index in 0..span.quads {
                let mut quad = DrawnQuad::new(&scene, surfaces, *span, index);
                if (number, index) == (0, 0) {
                    evaluation.begin_run(&mut quad);
                }
                if index == 0 {
                    evaluation.begin_span(&mut quad);
                }
                let done = evaluation.quad(&mut quad);
                done.map_err(|spent| SpanError::LoopBudget {
                    pc: spent.pc as usize,
                    budget: run.bindings.loop_budget(),
                    x: span.x + 2 * index,
                    y: span.y,
                })?;
                quad.finish();
            }
        }
        Ok(())
    }
}
