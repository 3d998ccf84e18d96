//! [`Columns`]: inputs and outputs of many elements, each of which is a lane.
//!
//! ```text
//! one part, stride 4     x0 y0 z0 w0 x1 y1 z1 w1 …      an element after the other
//! four parts, stride 1   x0 x1 …   y0 y1 …   z0 z1 …    a slice for each component
//! ```

use std::mem::take;
use std::ops::Range;

use crate::bindings::Bindings;
use crate::engine::{Executable, RunError};
use crate::quad::LANES;
use crate::state::{ExtendedQuadIo, KILL_ALL, QuadIo, QuadRecord, QuadReg};
use attila_isa::Usage;
use smallvec::SmallVec;

/// Components of a register for all elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<V> {
    /// The register.
    pub register: usize,
    /// The first component.
    pub component: usize,
    /// How many components, one behind the other: 1 to 4.
    pub components: usize,
    /// Numbers from one element to the next, at least as many as components.
    pub stride: usize,
    /// The numbers, those of element n from `n * stride` on. The last may end with them.
    pub values: V,
}

impl<V> Part<V> {
    /// The same with other numbers.
    pub fn with<W>(&self, values: W) -> Part<W> {
        let &Part {
            register,
            component,
            components,
            stride,
            ..
        } = self;
        Part {
            register,
            component,
            components,
            stride,
            values,
        }
    }
}

impl<V: AsRef<[f32]>> Part<V> {
    /// How many elements it has.
    pub fn elements(&self) -> usize {
        let before = self.values.as_ref().len().checked_sub(self.components);
        before.map_or(0, |before| before / self.stride + 1)
    }

    /// Where the numbers of elements are.
    fn numbers(&self, elements: Range<usize>) -> Range<usize> {
        let most = self.values.as_ref().len();
        let number = |element: usize| most.min(self.stride.saturating_mul(element));
        number(elements.start)..number(elements.end)
    }
}

/// A list of parts. Few are in place.
pub type Parts<V> = SmallVec<[Part<V>; 8]>;

/// Inputs and outputs of elements. All parts have as many of them.
#[derive(Default, Debug)]
pub struct Columns<'a> {
    /// How many elements there are.
    pub elements: usize,
    /// Inputs that are the same for every element. Parts take precedence.
    pub values: &'a [(usize, [f32; 4])],
    /// Inputs.
    pub inputs: Parts<&'a [f32]>,
    /// Outputs.
    pub outputs: Parts<&'a mut [f32]>,
    /// For each element 1 if it was killed, or 0.
    pub killed: Option<&'a mut [u8]>,
    /// The input whose w is 0 in lanes that have an element, and 1 in others, for programs that leave the others alone.
    pub guard: Option<usize>,
    /// Elements of a quad: 4, or 1 if one has to end before the next begins.
    pub of_quad: usize,
}

impl<'a> Columns<'a> {
    /// Some of the elements.
    pub fn range(&mut self, elements: Range<usize>) -> Columns<'_> {
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|part| part.with(&part.values[part.numbers(elements.clone())]));
        let outputs = self.outputs.iter_mut().map(|part| {
            let numbers = part.numbers(elements.clone());
            part.with(()).with(&mut part.values[numbers])
        });
        let killed = self
            .killed
            .as_mut()
            .map(|killed| &mut killed[elements.clone()]);
        Columns {
            elements: elements.len(),
            inputs: inputs.collect(),
            outputs: outputs.collect(),
            killed,
            ..*self
        }
    }

    /// Takes the first elements off.
    pub fn split_off(&mut self, elements: usize) -> Columns<'a> {
        let inputs = self.inputs.iter_mut().map(|part| {
            let (first, rest) = part.values.split_at(part.numbers(0..elements).end);
            part.values = rest;
            part.with(first)
        });
        let outputs = self.outputs.iter_mut().map(|part| {
            let numbers = part.numbers(0..elements).end;
            let (first, rest) = take(&mut part.values).split_at_mut(numbers);
            part.values = rest;
            part.with(first)
        });
        let killed = self.killed.take().map(|killed| {
            let (first, rest) = killed.split_at_mut(elements);
            self.killed = Some(rest);
            first
        });
        self.elements -= elements;
        Columns {
            elements,
            inputs: inputs.collect(),
            outputs: outputs.collect(),
            killed,
            ..*self
        }
    }
}

/// Quads that run together, of elements that are copied to records: enough to make calls cheap, few enough to stay in
/// the first cache, and on the stack.
const BATCH: usize = 8;

impl Columns<'_> {
    /// Runs the elements of a program that uses `usage` by way of records. Errors are those of
    /// [`Executable::map`].
    ///
    /// # Errors
    ///
    /// As [`Executable::map`].
    pub fn run_as_records<E: Executable + ?Sized>(
        &mut self,
        executable: &E,
        usage: &Usage,
        bindings: &Bindings<'_>,
    ) -> Result<(), RunError> {
        match QuadIo::check(usage) {
            Ok(()) => self.batches(|quads: &mut [QuadIo]| executable.run(bindings, quads)),
            Err(_) => self
                .batches(|quads: &mut [ExtendedQuadIo]| executable.run_extended(bindings, quads)),
        }
    }

    fn batches<const I: usize, const O: usize>(
        &mut self,
        run: impl Fn(&mut [QuadRecord<I, O>]) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let quads = self.elements.div_ceil(self.of_quad);
        let mut records: SmallVec<[QuadRecord<I, O>; BATCH]> = SmallVec::new();
        records.resize_with(quads.min(BATCH), QuadRecord::default);
        for record in &mut records {
            for &(register, value) in self.values {
                record.set_input(register, [value; LANES]);
            }
        }
        for first in (0..quads).step_by(BATCH) {
            let records = &mut records[..BATCH.min(quads - first)];
            for (quad, record) in (first..).zip(&mut *records) {
                self.load(quad, &mut record.inputs);
            }
            run(records).map_err(|error| error.in_quads_from(first))?;
            for (quad, record) in (first..).zip(&*records) {
                self.store(quad, record);
            }
        }
        Ok(())
    }

    /// The element in a lane of a quad, and whether there is one. Where there is none, it is the last of the quad: what
    /// it computes ends when that does.
    fn element(&self, quad: usize, lane: usize) -> (usize, bool) {
        let element = quad * self.of_quad + lane.min(self.of_quad - 1);
        let last = self.elements - 1;
        (element.min(last), lane < self.of_quad && element <= last)
    }

    /// Copies a quad's elements to its record.
    fn load(&self, quad: usize, inputs: &mut [QuadReg]) {
        let elements: [_; LANES] = std::array::from_fn(|lane| self.element(quad, lane));
        for part in &self.inputs {
            let input = &mut inputs[part.register][part.component..][..part.components];
            for (lane, (element, _)) in elements.into_iter().enumerate() {
                let vector = &part.values[element * part.stride..][..part.components];
                for (component, number) in input.iter_mut().zip(vector) {
                    component[lane] = number.to_bits();
                }
            }
        }
        if let Some(guard) = self.guard {
            inputs[guard][3] = elements.map(|(_, is_there)| u32::from(!is_there));
        }
    }

    /// Copies the results of a quad to its elements. Those that were killed stay as they are.
    fn store<const I: usize, const O: usize>(&mut self, quad: usize, record: &QuadRecord<I, O>) {
        for lane in 0..LANES {
            let (element, is_there) = self.element(quad, lane);
            if !is_there {
                continue;
            }
            let is_killed = record.kill[lane] == KILL_ALL;
            if let Some(killed) = &mut self.killed {
                killed[element] = is_killed.into();
            }
            if is_killed {
                continue;
            }
            for part in &mut self.outputs {
                let output = &record.outputs[part.register][part.component..];
                let vector = &mut part.values[element * part.stride..][..part.components];
                for (number, component) in vector.iter_mut().zip(output) {
                    *number = f32::from_bits(component[lane]);
                }
            }
        }
    }
}
