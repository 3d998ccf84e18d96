//! Compute programs: a grid of threads over storage buffers.
//!
//! ```text
//! blocks of the grid ─► threads of each block ─► four at a time ─► LDB, STB, atomics
//! ```
//!
//! A lane is a thread. Threads run in the order of blocks, then of threads, x first; nothing may depend
//! on it, as there is no barrier. These inputs hold unsigned integers, in x, y, z, and 0 in w:
//!
//! | input | value |
//! |---|---|
//! | `i0` | the thread within its block |
//! | `i1` | the block within the grid |
//! | `i2` | threads of a block |
//! | `i3` | blocks of the grid |
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU32, Ordering};
//!
//! use attila_shader::compute::{Compute, Grid};
//! use attila_shader::{Bindings, Engine, Program};
//!
//! let text = "
//!     .extended compute
//!     muli r0.x, i1.x, i2.x
//!     addi r0.x, r0.x, i0.x   ; the number of the thread
//!     muli r0.y, r0.x, 4      ; and the address of its word
//!     stb u0.x, r0.y, r0.x";
//! let program = Program::assemble(text)?.validate()?;
//! let compute = Compute::new(&Engine::auto(), &program)?;
//! let words: Arc<[AtomicU32]> = (0..6).map(|_| AtomicU32::new(0)).collect();
//! let bindings = Bindings::new().with_storage(0, Arc::clone(&words));
//! compute.run(&bindings, &Grid { blocks: [3, 1, 1], threads: [2, 1, 1] })?;
//! let words: Vec<u32> = words.iter().map(|word| word.load(Ordering::Relaxed)).collect();
//! assert_eq!(words, [0, 1, 2, 3, 4, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use attila_isa::{Stage, ValidProgram};
use attila_machine::{Bindings, LANES, Lanes, PrepareError, RunError};
use thiserror::Error;

use crate::draw::QuadBuffer;
use crate::guard::{guarded, without_guard};
use crate::{Engine, Shader};

/// The most threads of a block: GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS of today's systems.
pub const MAX_THREADS: u64 = 1024;

/// The most blocks along a side of the grid.
pub const MAX_BLOCKS: u32 = 65_535;

/// Threads run together between calls of an engine: enough to make these cheap.
const BATCH: u64 = 16 * LANES as u64;

/// Why a grid could not be run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ComputeError {
    /// The program is not for threads.
    #[error("the compute program is a {0} program")]
    Stage(Stage),
    /// The program has as many instructions as there may be, and three more are needed.
    #[error("the program has {0} instructions; it takes 3 more to run it over a grid")]
    TooLong(usize),
    /// The engine's compiler failed.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// No threads in a block, or more than there may be.
    #[error("a block has {0} threads; there may be 1 to {MAX_THREADS}")]
    Threads(u64),
    /// More blocks along a side than there may be.
    #[error("the grid has {0} blocks along a side; the limit is {MAX_BLOCKS}")]
    Blocks(u32),
    /// The program stopped. The threads before are complete, and others may be.
    #[error("the compute program stopped in one of the threads from number {thread} on")]
    Run {
        /// The first thread of those that were shaded together, counted over the whole grid.
        thread: u64,
        /// The reason.
        #[source]
        source: RunError,
    },
}

/// Blocks of threads, in three dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// Blocks along x, y and z, up to [`MAX_BLOCKS`] each. None along a side are none at all.
    pub blocks: [u32; 3],
    /// Threads of a block along x, y and z, up to [`MAX_THREADS`] in all.
    pub threads: [u32; 3],
}

impl Grid {
    /// The number of threads of a block, and of blocks.
    fn counts(&self) -> Result<(u64, u64), ComputeError> {
        let [x, y, z] = self.threads.map(u64::from);
        let threads = x.saturating_mul(y).saturating_mul(z);
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(ComputeError::Threads(threads));
        }
        if let Some(&side) = self.blocks.iter().find(|&&side| side > MAX_BLOCKS) {
            return Err(ComputeError::Blocks(side));
        }
        Ok((threads, self.blocks.into_iter().map(u64::from).product()))
    }
}

/// The place with a number in a box of this size, x first.
fn place(number: u64, [width, height, _]: [u32; 3]) -> [u32; 3] {
    let [width, height] = [width, height].map(u64::from);
    let (row, x) = (number / width, number % width);
    [x, row % height, row / height].map(|place| place as u32)
}

/// A compute program that is ready to run. Threads may share it.
#[derive(Clone, Debug)]
pub struct Compute(Shader);

impl Compute {
    /// Makes a program ready.
    ///
    /// # Errors
    ///
    /// The program is for another stage or too long, or the engine cannot compile it.
    pub fn new(engine: &Engine, program: &ValidProgram) -> Result<Compute, ComputeError> {
        let stage = program.program().stage();
        if stage != Stage::Compute {
            return Err(ComputeError::Stage(stage));
        }
        let guarded = guarded(program.program(), (stage, 0)).map_err(ComputeError::TooLong)?;
        Ok(Compute(engine.prepare(&guarded)?))
    }

    /// Runs the program for every thread of a grid.
    ///
    /// # Errors
    ///
    /// [`ComputeError`].
    ///
    /// # Panics
    ///
    /// If a texture unit that is bound does.
    pub fn run(&self, bindings: &Bindings<'_>, grid: &Grid) -> Result<(), ComputeError> {
        let (threads, blocks) = grid.counts()?;
        let count = threads * blocks;
        let mut quads = QuadBuffer::default();
        let mut first = 0;
        while first < count {
            let lanes = (count - first).min(BATCH);
            self.batch(bindings, (grid, threads), first..first + lanes, &mut quads)?;
            first += lanes;
        }
        Ok(())
    }

    /// Runs consecutive threads. Those of a quad may be of different blocks.
    fn batch(
        &self,
        bindings: &Bindings<'_>,
        (grid, threads): (&Grid, u64),
        batch: Range<u64>,
        quads: &mut QuadBuffer,
    ) -> Result<(), ComputeError> {
        let count = (batch.end - batch.start).div_ceil(LANES as u64) as usize;
        quads.resize(self.0.program().usage(), count);
        for quad in 0..count {
            let start = batch.start + (quad * LANES) as u64;
            let numbers: Lanes<u64> = std::array::from_fn(|lane| start + lane as u64);
            let registers = quads.registers(quad);
            let [x, y, z] = lanes(numbers.map(|number| place(number % threads, grid.threads)));
            let beyond = numbers.map(|number| u32::from(number >= batch.end));
            registers.inputs[0] = [x, y, z, beyond];
            let [x, y, z] = lanes(numbers.map(|number| place(number / threads, grid.blocks)));
            registers.inputs[1] = [x, y, z, [0; LANES]];
            for (register, [x, y, z]) in [(2, grid.threads), (3, grid.blocks)] {
                registers.inputs[register] = [x, y, z, 0].map(|side| [side; LANES]);
            }
        }
        let run = quads.run(&**self.0.executable(), bindings, count);
        run.map_err(|source| ComputeError::Run {
            thread: batch.start,
            source: without_guard(source),
        })
    }
}

/// The places of lanes, axis by axis.
fn lanes(places: Lanes<[u32; 3]>) -> [Lanes<u32>; 3] {
    std::array::from_fn(|axis| places.map(|place| place[axis]))
}
