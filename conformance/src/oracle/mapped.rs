//! Quads as elements of columns, each several times, so that code for columns has enough of them.

use attila_shader::machine::{Bindings, KILL_ALL, LANES, QuadRecord, RunError};
use attila_shader::map::{Column, ColumnMut};
use attila_shader::{MapError, Shader};

/// The fewest elements: more than an iteration of any code has.
const FEWEST: usize = 131;

/// The numbers of a register for all elements.
struct Numbers {
    register: usize,
    values: Vec<f32>,
}

/// Numbers from one element to the next, and how many of them are components. A stride of 1 is a slice for each component.
fn layout(register: usize) -> (usize, usize) {
    [(4, 4), (1, 4), (6, 4), (3, 3)][register % 4]
}

impl Numbers {
    fn new(register: usize, elements: usize) -> Numbers {
        let values = vec![0.0; elements * layout(register).0.max(4)];
        Numbers { register, values }
    }

    fn at(&self, elements: usize, element: usize, component: usize) -> usize {
        match layout(self.register) {
            (1, _) => component * elements + element,
            (stride, _) => element * stride + component,
        }
    }

    fn column(&self, elements: usize) -> Column<'_> {
        match layout(self.register) {
            (1, _) => {
                let mut parts = self.values.chunks(elements);
                Column::from([(); 4].map(|()| parts.next().unwrap_or_default()))
            }
            (stride, components) => {
                Column::strided(&self.values[..elements * stride], stride, components)
            }
        }
    }

    fn room(&mut self, elements: usize) -> ColumnMut<'_> {
        match layout(self.register) {
            (1, _) => {
                let mut parts = self.values.chunks_mut(elements);
                ColumnMut::from([(); 4].map(|()| parts.next().unwrap_or_default()))
            }
            (stride, components) => {
                ColumnMut::strided(&mut self.values[..elements * stride], stride, components)
            }
        }
    }
}

/// Runs the quads' lanes as elements, and gives the quads their results. A program that maps refuse changes nothing.
///
/// # Errors
///
/// As [`Shader::run`]; the quad of a loop over its budget is the number of an element.
pub(super) fn run<const I: usize, const O: usize>(
    shader: &Shader,
    bindings: &Bindings<'_>,
    quads: &mut [QuadRecord<I, O>],
) -> Result<(), RunError> {
    let lanes = quads.len() * LANES;
    if lanes == 0 {
        return Ok(());
    }
    // Without the last, so that something is left behind whole quads.
    let elements = FEWEST.next_multiple_of(lanes) - 1;
    let usage = shader.program().usage();
    let of = |register| Numbers::new(register, elements);
    let read = (0..I).filter(|&register| !usage.inputs[register].is_empty());
    let mut inputs: Vec<Numbers> = read.map(of).collect();
    for numbers in &mut inputs {
        for element in 0..elements {
            let quad = &quads[element % lanes / LANES];
            for component in 0..layout(numbers.register).1 {
                let word = quad.inputs[numbers.register][component][element % LANES];
                let at = numbers.at(elements, element, component);
                numbers.values[at] = f32::from_bits(word);
            }
        }
    }
    let written = (0..O).filter(|&register| usage.writes_output(register));
    let mut outputs: Vec<Numbers> = written.map(of).collect();
    let mut killed = vec![0; elements];
    let mut map = shader.map(bindings);
    for numbers in &inputs {
        map = map.input(numbers.register, numbers.column(elements));
    }
    for numbers in &mut outputs {
        map = map.output(numbers.register, numbers.room(elements));
    }
    if usage.kills {
        map = map.killed(&mut killed);
    }
    match map.run() {
        Ok(()) => {}
        Err(MapError::LoopBudget {
            pc,
            budget,
            elements,
        }) => {
            let quad = elements.start;
            return Err(RunError::LoopBudget { pc, quad, budget });
        }
        Err(MapError::Run(error)) => return Err(error),
        Err(MapError::Prepare(error)) => return Err(error.into()),
        Err(_) => return Ok(()),
    }
    let times = elements / lanes;
    for lane in 0..lanes {
        // Each from another time.
        let element = lane + lane * 5 % times.max(1) * lanes;
        let quad = &mut quads[lane / LANES];
        let lane = lane % LANES;
        let Some(&is_killed) = killed.get(element) else {
            continue;
        };
        quad.kill[lane] = u32::from(is_killed) * KILL_ALL;
        for numbers in &outputs {
            for component in 0..layout(numbers.register).1 {
                let number = numbers.values[numbers.at(elements, element, component)];
                quad.outputs[numbers.register][component][lane] = number.to_bits();
            }
        }
    }
    Ok(())
}
