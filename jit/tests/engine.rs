//! The JIT as an engine: programs that it refuses, and the forms of its work that it shows.

use attila_isa::{Outputs, Program, ValidProgram};
use attila_jit::{Cpu, EmitStage, EmitterKind, Jit, JitOptions, Listing, Vectors};
use attila_machine::{
    Backend, Bindings, ErrorChain, QuadIo, QuadReg, QuadState, RunError, TextureQuery, TextureUnit,
    from_floats,
};

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("the text is right");
    program.validate().expect("the program is valid")
}

fn jit() -> Jit {
    Jit::new().expect("this machine is known")
}

/// Has only unit 1, which is grey.
struct OnlyOne;

impl TextureUnit for OnlyOne {
    fn has_unit(&self, unit: u8) -> bool {
        unit == 1
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        from_floats([[0.5; 4]; 4])
    }
}

#[test]
fn a_run_that_samples_what_is_not_bound_touches_no_quad() {
    let program = program("tex o0, i0, t1\ntex o1, i0, t7\ntex o2, i0, t4\nend");
    let mut quads = vec![QuadIo::default(); 3];
    for quad in &mut quads {
        quad.outputs = Outputs::all([[9; 4]; 4]);
    }
    let untouched = quads.clone();
    let shader = jit().prepare(&program).expect("the program compiles");
    for (bindings, unit) in [
        (Bindings::new(), 1),
        (Bindings::new().with_textures(&OnlyOne), 4),
    ] {
        assert_eq!(
            shader.run(&bindings, &mut quads),
            Err(RunError::UnboundTexture { unit })
        );
        assert_eq!(quads, untouched);
    }
    let shader = jit()
        .prepare_stateful(&program)
        .expect("the program compiles");
    assert_eq!(
        shader.run(&Bindings::new(), &mut [QuadState::default()]),
        Err(RunError::UnboundTexture { unit: 1 })
    );
}

#[test]
fn a_run_of_no_quads_is_no_run() {
    let shader = jit().prepare(&program("mov o0, c0\nend"));
    let shader = shader.expect("the program compiles");
    assert_eq!(shader.run(&Bindings::new(), &mut []), Ok(()));
}

#[test]
fn a_run_away_loop_ends_and_says_where() {
    let program = program("setpgt p0, i0.x, 0\nmov o0, i0\njmp p0, -1\nend");
    let shader = jit().prepare(&program).expect("the program compiles");
    let mut quads = vec![QuadIo::default(); 5];
    quads[3].set_input(0, [[0.0; 4], [1.0; 4], [0.0; 4], [0.0; 4]]);
    let bindings = Bindings::new().with_loop_budget(100);
    let (pc, quad, budget) = (2, 3, 100);
    assert_eq!(
        shader.run(&bindings, &mut quads),
        Err(RunError::LoopBudget { pc, quad, budget })
    );
}

#[test]
fn code_for_another_machine_can_be_read_but_not_run() {
    let target = if cfg!(target_arch = "aarch64") {
        "x86_64-unknown-linux-gnu"
    } else {
        "aarch64-unknown-linux-gnu"
    };
    let options = JitOptions {
        target: Some(target.to_owned()),
        ..JitOptions::default()
    };
    let jit = Jit::with_options(&options).expect("the target is supported");
    let program = program("mad o0, i0, c0, c1\nend");
    assert!(jit.emit_text(&program, EmitStage::Asm).is_ok());
    let error = jit.prepare(&program).err().expect("it cannot run here");
    assert_eq!(
        ErrorChain(&error).to_string(),
        format!("the program cannot be compiled: code for {target} cannot run on this machine")
    );
}

#[test]
fn lane_ir_for_another_machine_can_be_evaluated() {
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
        let options = JitOptions {
            emitter: EmitterKind::Evaluator,
            target: Some(target.to_owned()),
            cpu: Cpu::Baseline,
            ..JitOptions::default()
        };
        let jit = Jit::with_options(&options).expect("the target is supported");
        assert_eq!(jit.name(), "ir");
        let shader = jit.prepare(&program("mad o0, i0, c0, c1\nend"));
        let shader = shader.expect("nothing is compiled");
        let bindings = Bindings::new().with_constant(0, [3.0; 4]);
        let mut quads = vec![QuadIo::default(); 3];
        quads[2].set_input(0, [[2.0; 4]; 4]);
        assert_eq!(shader.run(&bindings, &mut quads), Ok(()));
        assert_eq!(quads[2].output(0), [[6.0; 4]; 4]);
    }
}

#[test]
fn lane_ir_that_is_evaluated_has_no_later_stage() {
    let options = JitOptions {
        emitter: EmitterKind::Evaluator,
        ..JitOptions::default()
    };
    let jit = Jit::with_options(&options).expect("this machine is known");
    let program = program("max o0.x, i0.x, c0.x\nend");
    assert!(jit.emit_text(&program, EmitStage::Ir).is_ok());
    let error = jit.emit_text(&program, EmitStage::Asm);
    assert_eq!(
        ErrorChain(&error.expect_err("it has no instructions")).to_string(),
        "the program cannot be compiled: lane IR is evaluated as it is; it has no stage `asm`"
    );
}

#[test]
fn every_stage_can_be_read() {
    let options = JitOptions {
        target: Some("x86_64-unknown-linux-gnu".to_owned()),
        cpu: Cpu::Full,
        quads: Some(1),
        ..JitOptions::default()
    };
    let jit = Jit::with_options(&options).expect("the target is supported");
    let program = program("max o0.x, i0.x, c0.x\nend");
    let text = |stage| {
        let listing = jit.emit_text(&program, stage);
        listing.expect("the program compiles").text
    };
    assert!(text(EmitStage::Ir).contains("c0.x"));
    assert!(text(EmitStage::Clif).contains("bitselect"));
    assert!(text(EmitStage::Asm).contains("vmaxps"));
}

/// The stages of a program for machines whose code can be read here.
fn listings(program: &ValidProgram) -> Vec<(String, Listing)> {
    let with = |target: Option<&str>, vectors| JitOptions {
        target: target.map(str::to_owned),
        cpu: if target.is_some() {
            Cpu::Full
        } else {
            Cpu::Host
        },
        vectors,
        ..JitOptions::default()
    };
    let x86 = with(Some("x86_64-unknown-linux-gnu"), Vectors::Auto);
    let aarch64 = with(Some("aarch64-unknown-linux-gnu"), Vectors::Auto);
    let here = Vectors::here().into_iter();
    let wide = here.filter(|it| *it != Vectors::V128);
    let mut cases = vec![(x86.clone(), EmitStage::Ir), (x86.clone(), EmitStage::Clif)];
    cases.extend(wide.map(|vectors| (with(None, vectors), EmitStage::Asm)));
    if cfg!(any(target_arch = "x86_64", feature = "cross")) {
        cases.push((x86, EmitStage::Asm));
    }
    if cfg!(feature = "cross") {
        cases.push((aarch64, EmitStage::Asm));
    }
    let listings = cases.into_iter().map(|(options, stage)| {
        let jit = Jit::with_options(&options).expect("the target is supported");
        let listing = jit.emit_text(program, stage).expect("it compiles");
        (format!("{stage}, {options:?}\n{listing}"), listing)
    });
    listings.collect()
}

#[test]
fn lines_of_listings_know_their_instructions() {
    let program = program(
        "rcp r0, i0.x
        again: add r1.x, r1.x, i1.x
        setplt p0, r1.x, c0.x
        jmp p0, again
        mul o1, r1.x, r0",
    );
    for (about, listing) in listings(&program) {
        let lines = listing.text.lines().count();
        assert_eq!(lines, listing.instructions.len(), "{about}");
        for (pc, operation) in [(0, "div"), (1, "add"), (2, "cm"), (4, "mul")] {
            let mut lines = listing.text.lines().zip(&listing.instructions);
            let is = |line: &str| line.contains(operation) || pc == 2 && line.contains("flt");
            let has = lines.any(|(line, at)| *at == Some(pc) && is(line));
            assert!(has, "{pc} {operation}: {about}");
        }
    }
}

#[test]
fn calls_of_machine_code_have_names() {
    let program = program("tex o1, i0, t0");
    for (about, listing) in listings(&program) {
        let named = listing.text.contains("; attila_texture");
        assert_eq!(named, about.starts_with("asm"), "{about}");
    }
}

#[test]
fn every_stage_of_a_program_with_many_registers_can_be_read() {
    let program = program(".extended fragment\nmov o20, i24 <- end");
    for vectors in [Vectors::V128, Vectors::Auto] {
        let options = JitOptions {
            vectors,
            ..JitOptions::default()
        };
        let jit = Jit::with_options(&options).expect("this machine is known");
        for stage in [EmitStage::Ir, EmitStage::Asm] {
            let text = jit.emit_text(&program, stage);
            assert!(text.is_ok(), "{vectors:?}, {stage:?}: {text:?}");
        }
    }
}

/// `count` loops, each in the one before.
fn nested_loops(count: usize) -> ValidProgram {
    let mut text = String::new();
    for n in 0..count {
        text += &format!("l{n}: add r{0}, r{0}, i0\n", n % 32);
    }
    for n in (0..count).rev() {
        text += &format!("setpgt p{0}, r{0}.x, i0.w\njmp !p{0}, l{n}\n", n % 32);
    }
    program(&(text + "mov o1, r0\nend"))
}

/// r0.x after the loops, run with i0.x = 1 and i0.w = 0: no loop goes round.
fn through(loops: usize) -> f32 {
    let shader = jit().prepare(&nested_loops(loops));
    let shader = shader.expect("the program compiles");
    let mut quads = [QuadIo::default()];
    quads[0].set_input(0, [[1.0, 0.0, 0.0, 0.0]; 4]);
    shader.run(&Bindings::new(), &mut quads).expect("it ends");
    quads[0].output(1)[3][0]
}

#[test]
fn programs_may_jump_as_often_as_they_like() {
    assert_eq!(through(10), 1.0);
    assert_eq!(through(300), 10.0);
    assert_eq!(through(2000), 63.0);
}

/// The limit of sines that the JIT compiles, to within one hundred.
const WITHIN: usize = 4950;

/// `count` sines, each of the one 32 before.
fn sines(count: usize) -> ValidProgram {
    let sine = |n| format!("sin r{n}.x, r{n}.x\n", n = n % 32);
    let mut text: String = (0..32)
        .map(|n| format!("add r{n}.x, i{}.x, c{n}.x\n", n % 16))
        .collect();
    text.extend((0..count).map(sine));
    text.extend((0..32).map(|n| format!("add r0.x, r0.x, r{n}.x\n")));
    program(&(text + "mov o1, r0.x\nend"))
}

#[test]
fn programs_that_would_take_too_long_to_compile_are_refused() {
    let within = sines(WITHIN);
    assert!(jit().prepare(&within).is_ok());
    assert!(jit().emit_text(&within, EmitStage::Ir).is_ok());
    let beyond = sines(WITHIN + 100);
    let error = jit().prepare(&beyond).err().expect("it is too long");
    let text = ErrorChain(&error).to_string();
    let (start, work) = text.split_once(": ").expect("the message has parts");
    assert_eq!(start, "the program cannot be compiled");
    let work = work.strip_prefix("it is too long for the JIT: ");
    let work = work.and_then(|work| work.strip_suffix(" units of work, the limit is 300000"));
    let work: usize = work
        .expect("the message says why")
        .parse()
        .expect("a number");
    assert!((300_001..350_000).contains(&work), "{text}");
    for stage in [EmitStage::Ir, EmitStage::Asm] {
        let refused = jit().emit_text(&beyond, stage).err();
        assert_eq!(
            ErrorChain(&refused.expect("it is too long")).to_string(),
            text
        );
    }
}

#[test]
fn programs_just_within_the_limit_compile_and_run() {
    let shader = jit().prepare(&sines(WITHIN)).expect("it is not too long");
    let mut quads = [QuadIo::default()];
    assert_eq!(shader.run(&Bindings::new(), &mut quads), Ok(()));
    assert!(quads[0].output(1)[0][0].is_finite());
}
