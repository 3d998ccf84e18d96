//! Code that works on several quads at once, in which a lane has used up its loop budget: which one is found
//! out by repeating the iteration quad by quad.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_machine::RunError;
use attila_machine::pipeline::{Batch, Pipeline, Span, SpanError, Surfaces};

use super::{Code, Run};
use crate::abi::Named;
use crate::code::Failure;
use crate::compiled::Record;

/// Code that works on several quads at once: their number is a multiple of `quads`, and if a lane uses up
/// its loop budget the code only says in which iteration.
pub(crate) struct Several {
    /// Quads of an iteration.
    pub(crate) quads: usize,
    /// Finds the lane, and does what comes before it, one quad after the other. There is one if a lane
    /// may use up its budget. Nothing is stored before an iteration's end, so that it can be repeated.
    pub(crate) one_by_one: Option<Box<dyn Code>>,
    /// Registers of a record that the code reads or writes.
    named: Named,
    /// Records for the end of a run, so that runs need no memory of their own: a vector of them, if no run
    /// has taken it.
    spare: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Several {
    /// Code that works on so many quads at once.
    pub(crate) fn new(quads: usize, one_by_one: Option<Box<dyn Code>>, named: Named) -> Several {
        Several {
            quads,
            one_by_one,
            named,
            spare: Mutex::default(),
        }
    }

    /// Copies of records as far as the code names them, and others behind them, as many as an iteration takes: those
    /// that were there in an earlier run, or copies of the last one. What an earlier run left there might loop for
    /// longer than these do.
    #[allow(
        clippy::box_collection,
        reason = "the box is kept, too: runs allocate nothing"
    )]
    pub(crate) fn padded<R: Record>(&self, records: &[R]) -> Box<Vec<R>> {
        let spare = self.lock().take();
        let spare = spare.and_then(|spare| spare.downcast::<Vec<R>>().ok());
        let mut padded = spare.unwrap_or_default();
        let Some(last) = records.last() else {
            return padded;
        };
        padded.resize_with(self.quads, || last.clone());
        for (copy, record) in padded.iter_mut().zip(records) {
            record.copy(self.named, copy);
        }
        if self.one_by_one.is_some() {
            for copy in &mut padded[records.len()..] {
                last.copy(self.named, copy);
            }
        }
        padded
    }

    /// Hands the results of [padded](Several::padded) records to those that were copied.
    pub(crate) fn copy_results<R: Record>(&self, padded: &[R], records: &mut [R]) {
        for (copy, record) in padded.iter().zip(records) {
            copy.copy(self.named, record);
        }
    }

    /// Keeps records for the next run.
    #[allow(clippy::box_collection, reason = "as above")]
    pub(crate) fn keep<R: Record>(&self, records: Box<Vec<R>>) {
        *self.lock() = Some(records);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result of a run; or, if a lane used up its budget, that of the iteration repeated one quad after
    /// the other. The records are those from number `from` of the run on.
    pub(crate) fn or_one_by_one<R: Record>(
        &self,
        run: &Run<'_>,
        quads: &mut [R],
        (from, result): (usize, Result<(), RunError>),
    ) -> Result<(), RunError> {
        let Err(RunError::LoopBudget { quad, .. }) = result else {
            return result;
        };
        let first = quad - quad % self.quads;
        let last = (first + self.quads).min(quads.len());
        let again = match &self.one_by_one {
            Some(code) => code.run(run, R::records(&mut quads[first..last])),
            None => result,
        };
        again.map_err(|mut error| {
            if let RunError::LoopBudget { quad, .. } = &mut error {
                *quad += from + first;
            }
            error
        })
    }

    /// The same for an iteration of a span. It may succeed: a quad whose samples have all failed their early
    /// depth test is not shaded on its own, but together with others that are, and may then loop on.
    pub(crate) fn draw_one_by_one(
        &self,
        run: &Run<'_>,
        pass: (&Pipeline, Option<usize>),
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
        failure: &Failure,
    ) -> Result<(), SpanError> {
        let (span, quad) = failure.span();
        let span = batch.spans[span];
        let rest = from_quad(span, quad);
        let rest = Span {
            quads: rest.quads.min(self.quads as u32),
            ..rest
        };
        let batch = Batch {
            spans: &[rest],
            ..*batch
        };
        match &self.one_by_one {
            Some(code) => code.pass(run, pass, &batch, surfaces),
            None => Err(failure.in_spans(&[span], run.bindings.loop_budget())),
        }
    }
}

/// A span from quad number `quad` on.
fn from_quad(span: Span, quad: u32) -> Span {
    Span {
        x: span.x + 2 * quad,
        quads: span.quads - quad,
        first: span.first + quad,
        ..span
    }
}

/// Spans that are left to shade.
pub(crate) struct Rest<'a> {
    /// What is left of a span that was shaded in part. It comes before the others.
    begun: Option<Span>,
    others: &'a [Span],
}

impl<'a> Rest<'a> {
    pub(crate) fn new(spans: &'a [Span]) -> Rest<'a> {
        Rest {
            begun: None,
            others: spans,
        }
    }

    /// The spans that come next, to be shaded together; `None` if none is left.
    pub(crate) fn spans(&self) -> Option<&[Span]> {
        let next = self.begun.as_slice();
        let next = if next.is_empty() { self.others } else { next };
        (!next.is_empty()).then_some(next)
    }

    /// Leaves out the first `count` of [`Rest::spans`].
    pub(crate) fn skip_spans(&mut self, count: usize) {
        match self.begun {
            Some(_) if count > 0 => self.begun = None,
            Some(_) => {}
            None => self.others = &self.others[count..],
        }
    }

    /// Leaves out the first `count` quads of the first of [`Rest::spans`], or all of it if it is shorter.
    pub(crate) fn skip_quads(&mut self, count: u32) {
        let first = match self.begun.take() {
            Some(begun) => begun,
            None => {
                let (first, others) = self.others.split_first().expect("a span is left");
                self.others = others;
                *first
            }
        };
        self.begun = (count < first.quads).then(|| from_quad(first, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_spans_is_what_was_not_left_out() {
        let span = |x, quads, first| Span {
            x,
            y: 4,
            quads,
            primitive: 0,
            first,
        };
        let spans = [span(10, 3, 0), span(30, 9, 3), span(50, 2, 12)];
        let mut rest = Rest::new(&spans);
        assert_eq!(rest.spans(), Some(&spans[..]));
        rest.skip_spans(1);
        rest.skip_quads(4);
        assert_eq!(rest.spans(), Some(&[span(38, 5, 7)][..]));
        rest.skip_spans(0);
        rest.skip_quads(4);
        assert_eq!(rest.spans(), Some(&[span(46, 1, 11)][..]));
        rest.skip_quads(4);
        assert_eq!(rest.spans(), Some(&spans[2..]));
        rest.skip_quads(2);
        assert_eq!(rest.spans(), None);
        let mut rest = Rest::new(&spans);
        rest.skip_quads(1);
        rest.skip_spans(1);
        assert_eq!(rest.spans(), Some(&spans[1..]));
        rest.skip_spans(2);
        assert_eq!(rest.spans(), None);
    }
}
