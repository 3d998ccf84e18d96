//! [`Map`]: a program over columns, slices of numbers in and out.
//!
//! ```text
//! columns ─► steps of some thousand elements ─► threads ─► engine
//! ```
//!
//! Each element is a lane. Elements are alone: as in vertex programs, derivatives are 0
//! ([machine.md 5.3](crate::docs::machine#53-derivatives)), so that TEX takes level 0 and its bias.
//! [`Map::quads`] makes four of them a quad. Nothing is allocated that grows with their number.
//!
//! Where a program writes storage buffers with other operations than atomic ones, an element ends before the next begins,
//! on one thread.

mod column;
mod error;
mod steps;

use attila_isa::{Inputs, OpFlags, Opcode, Outputs, Stage};
use attila_machine::{Bindings, Columns, LANES, Part, Parts};

pub use column::{Column, ColumnMut};
pub use error::{ColumnName, MapError};
pub use steps::Progress;
use steps::Steps;

use crate::Shader;

/// A map that is being described: see [`Shader::map`].
#[must_use = "a map does nothing before it is run"]
pub struct Map<'a> {
    shader: &'a Shader,
    bindings: &'a Bindings<'a>,
    inputs: Inputs<Option<Column<'a>>>,
    outputs: Outputs<Option<ColumnMut<'a>>>,
    killed: Option<&'a mut [u8]>,
    quads: bool,
    threads: usize,
    progress: Option<&'a Progress<'a>>,
    fault: Option<MapError>,
}

impl Shader {
    /// Runs the program for each element of columns.
    ///
    /// ```
    /// use attila_shader::{Bindings, Engine, Program};
    ///
    /// let program = Program::assemble("mad o1, i1, c0, i2")?.validate()?;
    /// let shader = Engine::auto().prepare(&program)?;
    /// let bindings = Bindings::new().with_constant(0, [0.5, 0.5, 0.5, 1.0]);
    ///
    /// let colours = vec![[1.0, 0.5, 4.0, 1.0]; 1001];
    /// let mut shaded = vec![[0.0; 4]; 1001];
    /// let light = [0.25, 0.25, 0.25, 0.0];
    /// shader.map(&bindings).input(1, &colours).input(2, light).output(1, &mut shaded).run()?;
    /// assert_eq!(shaded[1000], [0.75, 0.5, 2.25, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<'a>(&'a self, bindings: &'a Bindings<'a>) -> Map<'a> {
        Map {
            shader: self,
            bindings,
            inputs: Inputs::default(),
            outputs: Outputs::default(),
            killed: None,
            quads: false,
            threads: 1,
            progress: None,
            fault: None,
        }
    }
}

impl<'a> Map<'a> {
    /// The values of an input register. The last that is given counts; one that the program does not read may be given.
    pub fn input(mut self, register: usize, column: impl Into<Column<'a>>) -> Self {
        match self.inputs.get_mut(register) {
            Some(input) => *input = Some(column.into()),
            None => self.refuse(MapError::InputIndex(register)),
        }
        self
    }

    /// Room for an output register. Components that the program does not write are 0. Elements that are killed keep
    /// the numbers that are there.
    pub fn output(mut self, register: usize, column: impl Into<ColumnMut<'a>>) -> Self {
        match self.outputs.get_mut(register) {
            Some(output @ None) => *output = Some(column.into()),
            Some(Some(_)) => self.refuse(MapError::OutputTwice(register)),
            None => self.refuse(MapError::OutputIndex(register)),
        }
        self
    }

    /// Tells which elements were killed: 1 for each, and 0 for the others.
    pub fn killed(mut self, killed: &'a mut [u8]) -> Self {
        self.killed = Some(killed);
        self
    }

    /// Makes four successive elements a quad, 0 and 1 above 2 and 3, with derivatives. Lanes of the last quad that have
    /// no element repeat the last one.
    pub fn quads(mut self) -> Self {
        self.quads = true;
        self
    }

    /// Runs on up to this many threads; 0 is as many as there are processors. The results are the same. Without the
    /// crate's feature `threads` it is always one, and so it is within a run, such as in the answer of a texture unit.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Has `progress` called with the number of elements that are finished, and of all, at most about 20 ms apart on
    /// each thread, where an element takes that long more. It is never called twice at the same time. A break stops the
    /// map.
    pub fn progress(mut self, progress: &'a Progress<'a>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The first fault is reported.
    fn refuse(&mut self, fault: MapError) {
        self.fault.get_or_insert(fault);
    }

    /// Runs the program for all elements.
    ///
    /// # Errors
    ///
    /// [`MapError`].
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source that is bound does.
    pub fn run(mut self) -> Result<(), MapError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.check_program()?;
        self.check_registers()?;
        let elements = self.elements()?;
        let guard = self.guard()?;
        let in_order = self.stores_in_order();
        let twin = match self.quads {
            true => self.shader.clone(),
            false => self.shader.alone()?,
        };
        let twin = match guard {
            Some(input) => twin.guarded(input)?,
            None => twin,
        };
        let values = self
            .read_columns()
            .map(|(register, column)| (register, column.value));
        let values: Vec<_> = values.collect();
        let steps = Steps {
            shader: &twin,
            bindings: self.bindings,
            guarded: guard.is_some(),
            repeats_one: guard.is_none() && !self.quads,
            progress: self.progress,
        };
        let columns = Columns {
            elements,
            values: &values,
            inputs: self.read_parts(),
            outputs: written_columns(&mut self.outputs),
            killed: self.killed,
            guard,
            of_quad: if in_order && !self.quads { 1 } else { LANES },
        };
        steps.run(columns, if in_order { 1 } else { self.threads })
    }

    /// Refuses a program that asks for what elements do not have.
    fn check_program(&self) -> Result<(), MapError> {
        let program = self.shader.program().program();
        if program.stage() == Stage::Geometry {
            return Err(MapError::Stage(Stage::Geometry));
        }
        let refusals = program.insts().iter().map(|inst| self.refusal(inst.op));
        for (pc, reason) in refusals.enumerate() {
            if let Some(reason) = reason {
                let op = program.insts()[pc].op;
                return Err(MapError::Refused { pc, op, reason });
            }
        }
        Ok(())
    }

    fn refusal(&self, op: Opcode) -> Option<&'static str> {
        let asks = |flags| op.info().flags.intersects(flags);
        if op.is_derivative() && !self.quads {
            Some("elements have no neighbours, unless four of them are a quad")
        } else if asks(OpFlags::SAMPLES.union(OpFlags::EVALUATE)) {
            Some("elements are no pixels with samples")
        } else if asks(OpFlags::DEPTH) {
            Some("elements have no depth")
        } else if op == Opcode::Kls {
            Some("elements have no samples that could be killed alone")
        } else {
            None
        }
    }

    /// The input that keeps lanes without an element from writing storage buffers, if the program does.
    fn guard(&self) -> Result<Option<usize>, MapError> {
        let usage = self.shader.program().usage();
        if !usage.writes_storage {
            return Ok(None);
        }
        let free = usage.inputs.iter().position(|read| read.is_empty());
        free.map(Some).ok_or(MapError::NoFreeInput)
    }

    /// Whether the order of elements matters.
    fn stores_in_order(&self) -> bool {
        let mut insts = self.shader.program().program().insts().iter();
        insts.any(|inst| inst.op == Opcode::Stb)
    }

    /// Refuses registers that the program reads and that are not given, and what it never writes.
    fn check_registers(&self) -> Result<(), MapError> {
        let usage = self.shader.program().usage();
        let is_missing = |register: &usize| {
            self.inputs[*register].is_none() && !usage.inputs[*register].is_empty()
        };
        if let Some(register) = (0..self.inputs.len()).find(is_missing) {
            return Err(MapError::MissingInput(register));
        }
        let has_column = |register: &usize| self.outputs[*register].is_some();
        let mut outputs = (0..self.outputs.len()).filter(has_column).peekable();
        if outputs.peek().is_none() && self.killed.is_none() && !usage.writes_storage {
            return Err(MapError::NoOutput);
        }
        if let Some(register) = outputs.find(|register| !usage.writes_output(*register)) {
            return Err(MapError::UnwrittenOutput(register));
        }
        match self.killed.is_some() && !usage.kills {
            true => Err(MapError::NoKills),
            false => Ok(()),
        }
    }

    /// The number of elements, if all columns have as many.
    fn elements(&self) -> Result<usize, MapError> {
        let mut counts = Vec::new();
        for (register, column) in self.inputs.iter().enumerate() {
            for part in column.iter().flat_map(|column| &column.parts) {
                counts.push(counted(ColumnName::Input(register), part)?);
            }
        }
        for (register, column) in self.outputs.iter().enumerate() {
            for part in column.iter().flat_map(|column| &column.parts) {
                counts.push(counted(ColumnName::Output(register), part)?);
            }
        }
        let killed = self.killed.as_ref();
        counts.extend(killed.map(|killed| (ColumnName::Killed, killed.len())));
        let &(other, expected) = counts.first().ok_or(MapError::NoElements)?;
        match counts
            .into_iter()
            .find(|(_, elements)| *elements != expected)
        {
            None => Ok(expected),
            Some((column, elements)) => Err(MapError::Elements {
                column,
                elements,
                other,
                expected,
            }),
        }
    }

    /// The columns of inputs that the program reads.
    fn read_columns(&self) -> impl Iterator<Item = (usize, &Column<'a>)> {
        let read = &self.shader.program().usage().inputs;
        let columns = self.inputs.iter().enumerate();
        let columns = columns.filter(|(register, _)| !read[*register].is_empty());
        columns.filter_map(|(register, column)| Some((register, column.as_ref()?)))
    }

    fn read_parts<'b>(&self) -> Parts<&'b [f32]>
    where
        'a: 'b,
    {
        let parts = self.read_columns().flat_map(|(register, column)| {
            let parts = column.parts.iter();
            parts.map(move |part| Part { register, ..*part })
        });
        parts.collect()
    }
}

fn written_columns<'b, 'a: 'b>(
    outputs: &mut Outputs<Option<ColumnMut<'a>>>,
) -> Parts<&'b mut [f32]> {
    let outputs = outputs.iter_mut().enumerate();
    let outputs = outputs.filter_map(|(register, column)| Some((register, column.take()?)));
    let parts = outputs.flat_map(|(register, column)| {
        let parts = column.parts.into_iter();
        parts.map(move |part| Part { register, ..part })
    });
    parts.collect()
}

/// A column with the elements of a part of it, whose vectors must not overlap.
fn counted<V: AsRef<[f32]>>(
    column: ColumnName,
    part: &Part<V>,
) -> Result<(ColumnName, usize), MapError> {
    let &Part {
        components, stride, ..
    } = part;
    if (1..=4).contains(&components) && components <= stride {
        return Ok((column, part.elements()));
    }
    Err(MapError::Stride {
        column,
        components,
        stride,
    })
}
