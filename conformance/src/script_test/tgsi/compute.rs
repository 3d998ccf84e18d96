//! Compute programs: grids over buffers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use attila_shader::Engine;
use attila_shader::compute::{Compute, Grid};
use attila_shader::front::tgsi::Tgsi;
use attila_shader::isa::Diagnostics;

use super::commands::BUFFERS;
use super::state::{Values, compare};
use crate::script_test::error::Fault;
use crate::script_test::program::Program;
use crate::script_test::script::Seen;
use crate::script_test::sections::Sections;
use crate::script_test::words::Words;

/// The compute program of a test, and its buffers by their numbers.
pub(super) struct Dispatches {
    program: Program<Tgsi>,
    engine: Engine,
    buffers: BTreeMap<u32, Arc<[AtomicU32]>>,
}

impl Dispatches {
    /// `buffers` has the words of buffers at the beginning.
    pub(super) fn new(
        program: Program<Tgsi>,
        buffers: &BTreeMap<u32, Vec<u32>>,
        engine: &Engine,
    ) -> Dispatches {
        let words = |list: &Vec<u32>| list.iter().copied().map(AtomicU32::new).collect();
        Dispatches {
            program,
            engine: engine.clone(),
            buffers: buffers.iter().map(|(n, it)| (*n, words(it))).collect(),
        }
    }

    /// Runs so many groups of threads.
    pub(super) fn run(&self, blocks: [u32; 3], values: &Values) -> Result<(), Fault> {
        let grid = Grid {
            blocks,
            threads: self.program.translation.details.properties.block,
        };
        let constants = values.buffers(&self.program);
        let bindings = values.bindings(&self.program, [0; 2], &constants);
        let bindings = self
            .buffers
            .iter()
            .fold(bindings, |bindings, (number, it)| {
                bindings.with_storage(*number as usize, Arc::clone(it))
            });
        let compute = Compute::new(&self.engine, self.program.shader.program())?;
        Ok(compute.run(&bindings, &grid)?)
    }

    /// Compares the words of a buffer, four at a time: the complaint about the first that differ.
    pub(super) fn expect(
        &self,
        buffer: u32,
        words: &[u32],
        is_float: bool,
        tolerance: f32,
    ) -> Seen {
        let buffer = self.buffers.get(&buffer).ok_or("there is no such buffer")?;
        let mut found = buffer.iter().map(|word| word.load(Ordering::Relaxed));
        Ok(words.chunks(4).find_map(|words| {
            let (mut wanted, mut seen) = ([0; 4], [0; 4]);
            for (at, word) in words.iter().enumerate() {
                wanted[at] = *word;
                // A word that the buffer does not have is not what was expected.
                seen[at] = found.next().unwrap_or(!word);
            }
            compare(wanted, &[seen], !is_float, tolerance)
        }))
    }
}

/// Reads `[buffers]`: the words of buffers, by number.
pub(super) fn buffers(
    sections: &Sections<'_>,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<u32, Vec<u32>> {
    let mut buffers = BTreeMap::new();
    for (start, line) in sections.lines("[buffers]") {
        let mut words = Words::new(start, line);
        let mut read = || {
            let number = words.indexed("BUFFER", BUFFERS)?;
            let mut content = Vec::new();
            while !words.at_end() {
                content.push(words.integer_bits()?);
            }
            words.end().map(|()| (number, content))
        };
        match read() {
            Ok((number, content)) => {
                buffers.insert(number, content);
            }
            Err(remark) => diagnostics.error(remark),
        }
    }
    buffers
}
