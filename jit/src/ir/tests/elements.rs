//! Columns for functions that name some.

use attila_machine::{Bindings, Columns, KILL_ALL, LANES, Part};

use crate::abi::{Column, ColumnShape};
use crate::emit::{Code, Run};
use crate::ir::{Function, Op};
use crate::sampling::Inlined;

/// The words of outputs, and of killed elements.
pub(super) type Written = Vec<Vec<u32>>;

/// Iterations of every emitter.
const ELEMENTS: usize = 768;

/// Components and stride of inputs, places 1 to 3. Place 0 is a value.
const INPUTS: [(usize, usize); 3] = [(4, 4), (1, 1), (2, 3)];

/// The same of outputs, places 4 to 6. Place 7 tells who was killed.
const OUTPUTS: [(usize, usize); 3] = [(4, 6), (1, 1), (3, 3)];

pub(super) fn is_map(function: &Function) -> bool {
    let mut nodes = function.nodes.iter();
    nodes.any(|node| matches!(node.op, Op::LoadColumn(_) | Op::StoreColumn(_)))
}

fn part<V>(register: usize, (components, stride): (usize, usize), values: V) -> Part<V> {
    Part {
        register,
        component: 0,
        components,
        stride,
        values,
    }
}

/// The words that code writes. `None`: a lane used up its budget.
pub(super) fn mapped(code: &dyn Code) -> Option<Written> {
    let number = |n: usize| (n % 97) as f32 / 8.0 - 5.0;
    let read = INPUTS.map(|(_, stride)| (0..ELEMENTS * stride).map(number).collect::<Vec<f32>>());
    let mut written = OUTPUTS.map(|(_, stride)| vec![-1.0; ELEMENTS * stride]);
    let mut killed = vec![9; ELEMENTS];
    let inputs = INPUTS.into_iter().zip(&read).zip(1..);
    let outputs = OUTPUTS.into_iter().zip(&mut written).zip(1..);
    let mut columns = Columns {
        elements: ELEMENTS,
        values: &[(0, [1.0, 2.0, 3.0, 4.0])],
        inputs: inputs
            .map(|((layout, values), n)| part(n, layout, &values[..]))
            .collect(),
        outputs: outputs
            .map(|((layout, values), n)| part(n, layout, &mut values[..]))
            .collect(),
        killed: Some(&mut killed),
        guard: None,
        of_quad: LANES,
    };
    let shape = ColumnShape::of(&columns).expect("code can have it");
    let run = Run {
        bindings: &Bindings::new(),
        textures: &Inlined::default(),
    };
    let result = code.map(&run, &shape, &mut columns);
    drop(columns);
    result.ok()?;
    let words = written.map(|numbers| numbers.iter().map(|number| number.to_bits()).collect());
    let killed = killed
        .into_iter()
        .map(|it| u32::from(it) * KILL_ALL)
        .collect();
    Some(words.into_iter().chain([killed]).collect())
}

/// The columns that a function writes, with the words of the first four elements.
pub(super) fn values(function: &Function, written: &Written) -> Vec<(Column, [u32; 4])> {
    let mut values = Vec::new();
    for node in &function.nodes {
        let Op::StoreColumn(column) = node.op else {
            continue;
        };
        let words = &written[usize::from(column.place) - 1 - INPUTS.len()];
        for word in 0..usize::from(column.words) {
            let of_lane = |lane| words[lane * column.stride as usize + word];
            values.push((column, std::array::from_fn(of_lane)));
        }
    }
    values
}
