//! Maps
//!
//! A map runs a program for each element of columns of numbers.

use std::ffi::c_void;
use std::ops::ControlFlow;
use std::ptr::{null, null_mut};

use ::attila_shader::map::Progress;
use ::attila_shader::{Bindings, Column, ColumnMut};

use crate::bindings::attila_bindings;
use crate::draw::attila_progress;
use crate::error::attila_error;
use crate::failure::{Failure, Outcome};
use crate::handle;
use crate::memory::{Call, Regions, User, call};
use crate::shader::attila_shader;
use crate::status::*;

/// The numbers of an input. They are vectors of `components` numbers, or a slice for each component; if both are null, the
/// input is `value` for all elements.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_column {
    pub size: usize,
    /// The number of the input.
    pub number: usize,
    /// 1 to 4. Others are 0, and w is 1.
    pub components: usize,
    /// Number of elements.
    pub count: usize,
    /// The vectors.
    pub vectors: *const f32,
    /// Numbers from the beginning of one vector to that of the next; 0: no gap.
    pub stride: usize,
    /// The slices.
    pub slices: [*const f32; 4],
    pub value: [f32; 4],
}

impl Default for attila_column {
    fn default() -> attila_column {
        attila_column {
            size: size_of::<attila_column>(),
            number: 0,
            components: 4,
            count: 0,
            vectors: null(),
            stride: 0,
            slices: [null(); 4],
            value: [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// Room for the numbers of an output: vectors of `components` numbers, or a slice for each component. Numbers between
/// vectors stay as they are.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_output {
    pub size: usize,
    /// The number of the output.
    pub number: usize,
    /// 1 to 4. Others are dropped.
    pub components: usize,
    /// Number of elements.
    pub count: usize,
    /// The vectors.
    pub vectors: *mut f32,
    /// Numbers from the beginning of one vector to that of the next; 0: no gap.
    pub stride: usize,
    /// The slices.
    pub slices: [*mut f32; 4],
}

impl Default for attila_output {
    fn default() -> attila_output {
        attila_output {
            size: size_of::<attila_output>(),
            number: 0,
            components: 4,
            count: 0,
            vectors: null_mut(),
            stride: 0,
            slices: [null_mut(); 4],
        }
    }
}

/// What a map reads and writes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_map {
    pub size: usize,
    pub inputs: *const attila_column,
    pub input_count: usize,
    pub outputs: *const attila_output,
    pub output_count: usize,
    /// If it is not null, gets a 1 for each of `killed_count` elements that is killed, and a 0 for others.
    pub killed: *mut u8,
    pub killed_count: usize,
    /// Runs on up to so many threads; 0: as many as there are processors.
    pub threads: u32,
    /// 1: four successive elements are a quad, with derivatives.
    pub quads: u32,
    /// May be null.
    pub progress: attila_progress,
    pub user: *mut c_void,
}

impl Default for attila_map {
    fn default() -> attila_map {
        attila_map {
            size: size_of::<attila_map>(),
            inputs: null(),
            input_count: 0,
            outputs: null(),
            output_count: 0,
            killed: null_mut(),
            killed_count: 0,
            threads: 1,
            quads: 0,
            progress: None,
            user: null_mut(),
        }
    }
}

/// How the numbers of a column lie in memory.
#[derive(Clone, Copy)]
struct Layout {
    components: usize,
    count: usize,
    stride: usize,
}

impl Layout {
    fn new(components: usize, count: usize, stride: usize) -> Outcome<Layout> {
        if !(1..=4).contains(&components) {
            return Err(Failure::range(format!(
                "a column has {components} components; it has to be 1 to 4"
            )));
        }
        let stride = if stride == 0 { components } else { stride };
        Ok(Layout {
            components,
            count,
            stride,
        })
    }

    /// Numbers up to the end of the last vector.
    fn numbers(self) -> usize {
        let before = self
            .count
            .checked_sub(1)
            .map(|last| last.saturating_mul(self.stride));
        before.map_or(0, |before| before.saturating_add(self.components))
    }
}

fn input_layout(column: &attila_column) -> Outcome<Layout> {
    Layout::new(column.components, column.count, column.stride)
}

fn output_layout(column: &attila_output) -> Outcome<Layout> {
    Layout::new(column.components, column.count, column.stride)
}

/// The memory of all columns.
fn regions(
    map: &attila_map,
    inputs: &[attila_column],
    outputs: &[attila_output],
) -> Outcome<Regions> {
    let mut regions = Regions::default();
    for column in inputs {
        let layout = input_layout(column)?;
        regions.reads("input.vectors", column.vectors, layout.numbers());
        for slice in &column.slices[..layout.components] {
            regions.reads("input.slices", *slice, column.count);
        }
    }
    for column in outputs {
        let layout = output_layout(column)?;
        regions.writes(
            "output.vectors",
            column.vectors.cast_const(),
            layout.numbers(),
        );
        for slice in &column.slices[..layout.components] {
            regions.writes("output.slices", slice.cast_const(), column.count);
        }
    }
    regions.writes("map.killed", map.killed.cast_const(), map.killed_count);
    Ok(regions)
}

fn input<'a>(call: &'a Call, column: &attila_column) -> Outcome<Column<'a>> {
    let layout = input_layout(column)?;
    if !column.vectors.is_null() {
        let numbers = call.slice("input.vectors", column.vectors, layout.numbers())?;
        return Ok(Column::strided(numbers, layout.stride, layout.components));
    }
    if column.slices[0].is_null() {
        return Ok(column.value.into());
    }
    let slice = |at: usize| call.slice("input.slices", column.slices[at], column.count);
    Ok(match layout.components {
        1 => [slice(0)?].into(),
        2 => [slice(0)?, slice(1)?].into(),
        3 => [slice(0)?, slice(1)?, slice(2)?].into(),
        _ => [slice(0)?, slice(1)?, slice(2)?, slice(3)?].into(),
    })
}

fn output<'a>(call: &'a Call, column: &attila_output) -> Outcome<ColumnMut<'a>> {
    let layout = output_layout(column)?;
    if !column.vectors.is_null() {
        let numbers = call.slice_mut("output.vectors", column.vectors, layout.numbers())?;
        return Ok(ColumnMut::strided(
            numbers,
            layout.stride,
            layout.components,
        ));
    }
    let slice = |at: usize| call.slice_mut("output.slices", column.slices[at], column.count);
    Ok(match layout.components {
        1 => [slice(0)?].into(),
        2 => [slice(0)?, slice(1)?].into(),
        3 => [slice(0)?, slice(1)?, slice(2)?].into(),
        _ => [slice(0)?, slice(1)?, slice(2)?, slice(3)?].into(),
    })
}

/// Runs a program for each element. `bindings` may be null: then all constants are 0. `error` may be null. Callable from
/// any thread.
#[unsafe(no_mangle)]
pub extern "C" fn attila_shader_map(
    shader: *const attila_shader,
    bindings: *const attila_bindings,
    map: *const attila_map,
    error: *mut *mut attila_error,
) -> attila_status {
    call(error, |call| {
        let given = call.given("map", map)?;
        let shader = handle::read(shader)?;
        let unbound = Bindings::new();
        let read = match bindings.is_null() {
            true => None,
            false => Some(handle::read(bindings)?),
        };
        let bindings = read.as_ref().map_or(&unbound, |read| read.bindings());
        let inputs = call.each("map.inputs", given.inputs, given.input_count)?;
        let outputs = call.each("map.outputs", given.outputs, given.output_count)?;
        regions(&given, &inputs, &outputs)?.check()?;
        let mut map = shader.shader.map(bindings).threads(given.threads as usize);
        for column in &inputs {
            map = map.input(column.number, input(call, column)?);
        }
        for column in &outputs {
            map = map.output(column.number, output(call, column)?);
        }
        if !given.killed.is_null() {
            map = map.killed(call.slice_mut("map.killed", given.killed, given.killed_count)?);
        }
        if given.quads != 0 {
            map = map.quads();
        }
        let user = User::new(given.user);
        let tell = move |done: usize, all: usize| {
            let stops = given
                .progress
                .map_or(0, |it| it(user.get(), done as u64, all as u64));
            match stops {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let progress: &Progress<'_> = &tell;
        if given.progress.is_some() {
            map = map.progress(progress);
        }
        Ok(map.run()?)
    })
}
