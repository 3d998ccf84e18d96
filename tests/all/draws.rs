//! Random draws on the interpreter with the portable code around it, on the JIT, which compiles a draw to
//! one function, on the lane IR of that function, and on the JIT with the portable code. Targets are the
//! same, byte for byte.
#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;

use attila_conformance::altered::{Fault, altered};
use attila_conformance::draws::{self, DrawCase};
use attila_conformance::{Sequence, Subject, Tally, case as case_of, fuzz};
use attila_shader::machine::pipeline::{Blend, BlendFactor, Pipeline};
use attila_shader::{Cpu, Engine, Jit, JitOptions};

fn jit(options: JitOptions) -> Arc<Jit> {
    Arc::new(Jit::with_options(&options).expect("the JIT knows this machine"))
}

/// Runs cases on all engines.
fn agree(seed: u64, cases: u64, others: Vec<Engine>) -> Tally {
    let engines: Vec<Engine> = [Engine::interp()].into_iter().chain(others).collect();
    let result = fuzz::<DrawCase>(&Sequence::new(seed, cases), &(), &engines, &|_| ());
    if let Some(failure) = &result.failure {
        panic!("case {} of {seed}:\n{}", failure.index, failure.report());
    }
    let refused = result.tally.count("frames refused");
    assert_eq!(refused, 0, "every case can be drawn");
    result.tally
}

#[test]
fn the_jit_draws_as_the_interpreter_does_byte_for_byte() {
    let ir = Engine::ir().expect("this machine is known");
    let jit = jit(JitOptions::default());
    let engines = vec![ir, Engine::custom(jit.clone()), draws::portable(jit)];
    let tally = agree(1, 300, engines);
    let budgets = tally.count("frames with a loop budget used up");
    assert!(tally.count("frames") > 600 && budgets > 3, "{tally}");
    let (pixels, covered) = (tally.count("pixels changed"), tally.count("fragments"));
    assert!(pixels > covered / 4, "most draws show: {tally}");
}

#[test]
fn any_number_of_quads_side_by_side_draws_the_same() {
    let engines = [1, 2, 3, 4].map(|quads| {
        Engine::custom(jit(JitOptions {
            quads: Some(quads),
            ..JitOptions::default()
        }))
    });
    agree(2, 150, engines.to_vec());
}

#[test]
fn code_for_the_least_processor_draws_the_same() {
    let jit = jit(JitOptions {
        cpu: Cpu::Baseline,
        ..JitOptions::default()
    });
    agree(3, 60, vec![Engine::custom(jit)]);
}

#[test]
fn code_made_as_for_long_programs_draws_the_same() {
    let jit = jit(JitOptions {
        long: true,
        ..JitOptions::default()
    });
    agree(4, 100, vec![Engine::custom(jit)]);
}

#[test]
fn pictures_in_tiles_are_those_of_the_whole() {
    let engines = [Engine::interp(), Engine::custom(jit(JitOptions::default()))];
    for index in 0..300 {
        let mut case: DrawCase = case_of(7, index, &());
        // Up to four next to each other, of every parity.
        let tile = case.size.map(|side| {
            let least = side.div_ceil(4);
            least + index as u32 % (side - least + 1)
        });
        case.tile = Some(tile);
        if let Err(fault) = case.check(&engines, &mut Tally::default()) {
            panic!("case {index} in tiles of {tile:?}:\n{fault:?}");
        }
    }
}

/// The JIT, but for a fault around programs.
fn faulty(fault: Fault) -> Engine {
    altered(Jit::new().expect("the JIT knows this machine"), fault)
}

/// A factor of 1 - As in blending becomes As.
fn other_factor(pipeline: &mut Pipeline) {
    let targets = pipeline.targets.iter_mut().flatten();
    for Blend { colour, alpha } in targets.filter_map(|target| target.blend.as_mut()) {
        for equation in [colour, alpha] {
            if equation.dst == BlendFactor::OneMinusSrcAlpha {
                equation.dst = BlendFactor::SrcAlpha;
            }
        }
    }
}

#[test]
fn a_wrong_blend_factor_is_found_and_made_plain() {
    let engines = [Engine::interp(), faulty(Fault::Pipeline(other_factor))];
    let result = fuzz::<DrawCase>(&Sequence::new(5, 500), &(), &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    let (case, text) = (&failure.case, failure.report());
    assert_eq!(failure.fault.engine, Some("altered"), "{text}");
    assert_eq!(case.frames.len(), 1, "{text}");
    assert_eq!(case.size, [1, 1], "{text}");
    assert!(case.shaded.insts().len() <= 2, "{text}");
    assert_eq!(case.targets.iter().flatten().count(), 1, "{text}");
    assert!(text.contains("oneminussrcalpha"), "{text}");
    assert!(
        text.starts_with("interp and altered differ after frame 0: colour target"),
        "{text}"
    );
    let again: DrawCase = case_of(failure.seed, failure.index, &());
    assert!(
        again.check(&engines, &mut Tally::default()).is_err(),
        "the case repeats"
    );
}

#[test]
fn a_pixel_that_nothing_covers_must_not_be_touched() {
    let engines = [faulty(Fault::Coverage)];
    let result = fuzz::<DrawCase>(&Sequence::new(6, 100), &(), &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    let fault = &failure.fault;
    assert_eq!((fault.kind, fault.engine), ("touched", None));
    let text = failure.report();
    assert!(
        text.starts_with("altered touches what frame 0 does not cover"),
        "{text}"
    );
}

#[test]
fn the_history_of_a_pixel_is_that_of_the_drawn_pixel() {
    const DRAWS: u64 = 2000;
    let (interp, others) = (Engine::interp(), Engine::all().split_off(1));
    let mut tally = Tally::default();
    let (draws, three) = (
        "draws with a history",
        "pixels under three triangles or more",
    );
    let mut index = 0;
    let is_enough = |tally: &Tally| 3 * tally.count(three) >= tally.count(draws);
    while tally.count(draws) < DRAWS || !is_enough(&tally) {
        index += 1;
        let case: DrawCase = case_of(8, index, &());
        // Draws without so many triangles are left out once they are two thirds.
        let others_drawn = tally.count(draws) - tally.count(three);
        if others_drawn >= DRAWS - DRAWS.div_ceil(3) && !case.overlaps() {
            continue;
        }
        // Each engine takes its turn.
        let other = others[index as usize % others.len()].clone();
        if let Err(fault) = case.check(&[interp.clone(), other], &mut tally) {
            panic!(
                "case {index} of 8:\n{}\n{}",
                fault.report(),
                case.to_text("")
            );
        }
    }
    println!("{index} cases: {tally}");
    assert!(is_enough(&tally), "{tally}");
    for (name, least) in [
        ("blended pixels", 400),
        ("killed fragments", 100),
        ("late depth tests", 300),
        ("early depth tests that failed", 50),
        ("quads with helper lanes", 500),
        ("pixels of several samples", 300),
    ] {
        assert!(tally.count(name) >= least, "{name}: {tally}");
    }
}
