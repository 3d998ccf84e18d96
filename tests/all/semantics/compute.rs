//! Grids of threads: each runs once, with its own place, on every engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use attila_shader::compute::{Compute, ComputeError, Grid};
use attila_shader::isa::Stage;
use attila_shader::{Bindings, Engine, Program, RunError};

fn program(text: &str) -> attila_shader::ValidProgram {
    let program = Program::assemble(text).expect("it assembles");
    program.validate().expect("it is valid")
}

/// The words of u0, so many, after a run on every engine, which all agree.
fn words(text: &str, grid: Grid, count: usize) -> Result<Vec<u32>, ComputeError> {
    let run = |engine: Engine| {
        let compute = Compute::new(&engine, &program(text))?;
        let words: Arc<[AtomicU32]> = (0..count).map(|_| AtomicU32::new(0)).collect();
        let bindings = Bindings::new().with_storage(0, Arc::clone(&words));
        compute.run(&bindings, &grid)?;
        Ok(words
            .iter()
            .map(|word| word.load(Ordering::Relaxed))
            .collect())
    };
    let mut results = Engine::all().into_iter().map(run);
    let first: Result<Vec<u32>, ComputeError> = results.next().expect("there is an engine");
    for other in results {
        assert_eq!(other, first);
    }
    first
}

#[test]
fn lanes_without_a_thread_do_nothing() {
    let text = ".extended compute\nmov r1.x, c1.x\natomadd r0.x, c0.x, u0, c1";
    for threads in 1..10 {
        for blocks in 0..4 {
            let grid = Grid {
                blocks: [blocks, 1, 1],
                threads: [threads, 1, 1],
            };
            for engine in Engine::all() {
                let compute = Compute::new(&engine, &program(text)).expect("it compiles");
                let words: Arc<[AtomicU32]> = [AtomicU32::new(0)].into();
                let mut bindings = Bindings::new().with_storage(0, Arc::clone(&words));
                bindings.set_constant_bits(1, [1; 4]);
                compute.run(&bindings, &grid).expect("it runs");
                assert_eq!(words[0].load(Ordering::Relaxed), threads * blocks);
            }
        }
    }
}

#[test]
fn every_thread_has_its_place_in_its_block_and_in_the_grid() {
    // The address is made of all places, so that each word belongs to one thread.
    let text = "
        .extended compute
        muli r0.x, i1.z, i3.y
        addi r0.x, r0.x, i1.y
        muli r0.x, r0.x, i3.x
        addi r0.x, r0.x, i1.x
        muli r0.x, r0.x, i2.z
        addi r0.x, r0.x, i0.z
        muli r0.x, r0.x, i2.y
        addi r0.x, r0.x, i0.y
        muli r0.x, r0.x, i2.x
        addi r0.x, r0.x, i0.x
        muli r1.x, r0.x, 4
        addi r2.x, r0.x, 1
        atomadd r3.x, r1.x, u0, r2";
    let grid = Grid {
        blocks: [3, 2, 2],
        threads: [5, 3, 1],
    };
    let count = 12 * 15;
    let words = words(text, grid, count).expect("it runs");
    assert!(words.into_iter().eq(1..=count as u32));
}

#[test]
fn wrong_programs_and_grids_are_refused() {
    let grid = |blocks, threads| Grid { blocks, threads };
    let one = [1; 3];
    let text = ".extended compute\natomadd r0.x, c0.x, u0, c1";
    for (grid, expected) in [
        (grid(one, [0, 1, 1]), ComputeError::Threads(0)),
        (grid(one, [1025, 1, 1]), ComputeError::Threads(1025)),
        (grid(one, [u32::MAX; 3]), ComputeError::Threads(u64::MAX)),
        (grid([1, 65_536, 1], one), ComputeError::Blocks(65_536)),
    ] {
        assert_eq!(words(text, grid, 1), Err(expected));
    }
    let error = Compute::new(&Engine::interp(), &program("mov o1, i0")).map(drop);
    assert_eq!(error, Err(ComputeError::Stage(Stage::Fragment)));
}

#[test]
fn a_thread_that_does_not_end_is_named_with_its_own_instruction() {
    let text = ".extended compute\nstpgti p1, i1.x, 1\nagain: jmp p1, again\nend";
    let grid = Grid {
        blocks: [40, 1, 1],
        threads: [4, 1, 1],
    };
    let error = words(text, grid, 1).expect_err("it does not end");
    let ComputeError::Run { thread, source } = error else {
        panic!("{error:?}")
    };
    assert_eq!(thread, 0);
    let RunError::LoopBudget { pc: 1, quad: 2, .. } = source else {
        panic!("{source:?}")
    };
}
