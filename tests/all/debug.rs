//! Recordings: each state, each value and each end of a run.
#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;
use std::time::Instant;

use attila_conformance::generate::Options;
use attila_conformance::{Case, CaseOptions, Tally, case, recordings};
use attila_shader::debug::{
    Condition, Difference, End, Limits, Parting, Place, Recording, difference, engine_difference,
};
use attila_shader::isa::Opcode;
use attila_shader::machine::{
    Backend, Executable, LaneMask, PrepareError, QuadState, StatefulExecutable,
};
use attila_shader::{Bindings, Engine, Interp, Program, ValidProgram};

fn valid(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("it assembles");
    program.validate().expect("it is valid")
}

fn place(text: &str) -> Place {
    text.parse().expect("it is a place")
}

fn recorded(text: &str) -> Recording {
    let quad = QuadState::default();
    Recording::of(&valid(text), &Bindings::new(), &quad, Limits::default()).expect("it runs")
}

/// Checks the recordings of random programs.
fn check(options: Options, seed: u64, cases: u64) -> Tally {
    let options = CaseOptions::Programs(options);
    let mut tally = Tally::default();
    for index in 0..cases {
        let case: Case = case(seed, index, &options);
        if let Err(fault) = recordings::check(&case, &mut tally) {
            panic!(
                "case {index} of {seed}: {fault}\n{}",
                case.program.program()
            );
        }
    }
    println!("{} programs: {tally}", tally.cases);
    tally
}

#[test]
fn any_step_of_a_base_program_can_be_gone_to_and_values_are_made_of_their_cones() {
    let tally = check(Options::DEFAULT, 21, 300);
    assert!(tally.count("values computed again") > 1500, "{tally}");
}

#[test]
fn any_step_of_an_extended_program_can_be_gone_to_and_values_are_made_of_their_cones() {
    let tally = check(Options::EXTENDED, 22, 300);
    assert!(tally.count("values computed again") > 1500, "{tally}");
}

#[test]
fn a_long_loop_is_recorded_in_little_memory_and_any_step_is_near() {
    let text = "
        again: add r0, r0, 1.0
        mul r1, r0, 0.5
        add r2, r1, r0
        mad r3, r2, r1, r0
        addi r4.x, r4.x, -1
        min r5, r3, r0
        setpgt p0, r6.w, r0.w
        jmp p0, again
        mov o1, r0";
    let mut quad = QuadState::default();
    quad.regs.temps[6][3] = [65_536.0f32.to_bits(); 4];
    let start = Instant::now();
    let bindings = Bindings::new();
    let recording = Recording::of(&valid(text), &bindings, &quad, Limits::default());
    let recording = recording.expect("it runs");
    let took = start.elapsed();
    println!(
        "{} steps in {:.2} s, {:.1} MB",
        recording.len(),
        took.as_secs_f64(),
        recording.bytes() as f64 / 1e6
    );
    assert_eq!(recording.end(), &End::Finished);
    assert_eq!(recording.len(), 65_536 * 8 + 1);
    assert!(recording.bytes() < 400_000_000);
    for iteration in [0, 1, 31, 40_000, 65_535] {
        let r0 = recording.value_at(8 * iteration, place("r0.x"))[0];
        assert_eq!(f32::from_bits(r0), iteration as f32);
        let state = recording.state_at(8 * iteration);
        assert_eq!(state.regs.temps[0][0][0], r0);
    }
}

#[test]
fn a_loop_without_an_end_is_recorded_up_to_its_budget() {
    let program = valid("again: add r0, r0, 1.0 \n jmp p0, again \n nop");
    let bindings = Bindings::new().with_loop_budget(10);
    let mut quad = QuadState::default();
    quad.regs.set_predicate(0, LaneMask::all());
    let recording = Recording::of(&program, &bindings, &quad, Limits::default()).unwrap();
    assert_eq!(recording.len(), 22);
    assert!(matches!(recording.end(), End::Stopped(_)), "{recording:?}");
    let limits = Limits {
        steps: 5,
        ..Limits::default()
    };
    let cut = Recording::of(&program, &bindings, &quad, limits).unwrap();
    assert_eq!((cut.len(), cut.end()), (5, &End::Steps));
    let limits = Limits {
        bytes: 100,
        ..Limits::default()
    };
    let cut = Recording::of(&program, &bindings, &quad, limits).unwrap();
    assert_eq!(cut.end(), &End::Bytes);
    assert!(cut.len() < 22);
}

#[test]
fn queries_find_writes_numbers_and_partings() {
    let text = "
        setpgt p0, i1.x, 0.5
        jmp p0, 3
        rcp r0.x, r1.x
        mul r0.y, r0.x, r1.x
        mov o1, r0
        kil -i1.x";
    let mut quad = QuadState::default();
    quad.io
        .set_input(1, [[0.0; 4], [1.0; 4], [0.0; 4], [1.0; 4]]);
    let program = valid(text);
    let bindings = Bindings::new();
    let recording = Recording::of(&program, &bindings, &quad, Limits::default()).unwrap();
    assert_eq!(recording.first_special(0), Some(2));
    assert_eq!(recording.first_special(3), Some(3), "inf * 0");
    assert_eq!(recording.next_parting(0), Some((2, Parting::Part)));
    assert_eq!(recording.next_parting(2), Some((4, Parting::Meet)));
    assert_eq!(recording.previous_parting(4), Some((2, Parting::Part)));
    assert_eq!(recording.last_write(place("r0.x"), 0, 6), Some(2));
    assert_eq!(
        recording.last_write(place("r0.x"), 1, 6),
        None,
        "lane 1 jumps"
    );
    let killed: Condition = "lane 1 killed".parse().unwrap();
    assert_eq!(recording.next_where(&killed, 0), Some(6));
    let infinite: Condition = "o1.x is inf".parse().unwrap();
    assert_eq!(recording.next_where(&infinite, 0), Some(5));
    assert_eq!(recording.previous_where(&infinite, 6), Some(5));
    assert_eq!(recording.previous_where(&infinite, 5), None);
    assert_eq!(
        recording.step(2).unwrap().effective,
        LaneMask::LANE0 | LaneMask::LANE2
    );
    let cone = recording.cone(place("o1.y"), 0, 6).to_string();
    let expected = "\
o1.y[0] = nan  step 4: mov o1, r0
  r0.y[0] = nan  step 3: mul r0.y, r0.x, r1.x
    r0.x[0] = inf  step 2: rcp r0.x, r1.x
      r1.x[0] = 0
    r1.x[0] = 0
";
    assert_eq!(cone, expected);
}

#[test]
fn two_recordings_differ_where_their_values_do() {
    let a = recorded("add r0, r9, 1.0 \n add r1, r0, 1.0 \n mov o1, r1");
    let b = recorded("add r0, r9, 1.0 \n add r1, r0, 2.0 \n mov o1, r1");
    let found = difference(&a, &b).expect("they differ");
    assert_eq!(found.to_string(), "step 1: r1.x[0] is 2 and 3");
    assert_eq!(difference(&a, &a), None);
    let shorter = recorded("add r0, r9, 1.0");
    assert_eq!(difference(&shorter, &a), Some(Difference::End { step: 1 }));
}

#[test]
fn a_recording_and_every_engine_end_alike() {
    let recording = recorded("add r0, r9, 3.0 \n rsq r1, r0.x \n mul o1, r1, r0");
    for engine in Engine::all() {
        let found = engine_difference(&recording, &engine, &Bindings::new());
        assert_eq!(found.expect("it runs"), None, "{}", engine.name());
    }
}

/// The interpreter, but that it adds where it should multiply.
struct Adds;

impl Backend for Adds {
    fn name(&self) -> &'static str {
        "adds"
    }

    fn prepare(&self, _: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Err(PrepareError::new("it shows registers only"))
    }

    fn prepare_stateful(
        &self,
        program: &ValidProgram,
    ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
        let mut insts = program.program().insts().to_vec();
        for inst in insts.iter_mut().filter(|inst| inst.op == Opcode::Mul) {
            inst.op = Opcode::Add;
        }
        let wrong = program
            .program()
            .with_insts(insts)
            .expect("both take two operands");
        Interp.prepare_stateful(&wrong.validate().expect("it is as valid"))
    }
}

#[test]
fn the_first_step_that_an_engine_does_otherwise_is_found() {
    let engine = Engine::custom(Arc::new(Adds));
    let mut quad = QuadState::default();
    quad.io
        .set_input(0, [[0.0; 4], [3.0; 4], [3.0; 4], [0.0; 4]]);
    // All lanes together, and where lanes part.
    for (text, found) in [
        (
            "add r0, i0, 1.0 \n mul r1, r0, r0 \n add o1, r1, r0",
            "step 1: r1.x[0] is 1 and 2",
        ),
        (
            "setpgt p0, i0.x, 1 \n jmp p0, 2 \n add r0, i0, 1.0 \n mul r0.y, i0, i0 \n mov o1, r0",
            "step 3: r0.y[1] is 9 and 6",
        ),
    ] {
        let bindings = Bindings::new();
        let recording = Recording::of(&valid(text), &bindings, &quad, Limits::default()).unwrap();
        let difference = engine_difference(&recording, &engine, &bindings).expect("it runs");
        assert_eq!(difference.expect("they differ").to_string(), found);
    }
}

/// The registers of a text in a language before the end, with lane 0 of their values.
#[cfg(feature = "front")]
fn variables(text: &str) -> Vec<String> {
    use attila_shader::debug::Source;
    let program = attila_shader::front::compile(text).expect("it compiles");
    let source = Source::new(text, &program);
    let program = program.validate().expect("it is valid");
    let mut quad = QuadState::default();
    for input in 0..16 {
        quad.io.set_input(input, [[2.0, 3.0, 4.0, 5.0]; 4]);
    }
    let recording = Recording::of(&program, &Bindings::new(), &quad, Limits::default()).unwrap();
    let variables = source.variables(&recording, recording.len()).into_iter();
    let values = variables.map(|(name, place)| {
        let value = recording.value_at(recording.len(), place)[0];
        format!("{name} = {}", f32::from_bits(value))
    });
    values.collect()
}

#[cfg(feature = "front")]
#[test]
fn registers_have_the_names_of_the_text_in_every_language() {
    let arb = "!!ARBfp1.0\nTEMP sum, R0;\nADD sum.xy, fragment.texcoord[0], fragment.texcoord[0];\nMUL R0.x, sum.x, sum.y;\nADD result.color, R0.x, sum.y;\nEND";
    assert_eq!(variables(arb), ["R0.x = 24", "sum.y = 6"]);
    let tgsi = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n  0: ADD TEMP[1].xy, IN[0], IN[0]\n  1: MUL TEMP[0].x, TEMP[1].xxxx, TEMP[1].yyyy\n  2: ADD OUT[0], TEMP[0].xxxx, TEMP[1].yyyy\n  3: END\n";
    assert_eq!(variables(tgsi), ["TEMP[0].x = 24", "TEMP[1].y = 6"]);
    let agal = "add ft0.xy, v0.xy, v0.xy\nmul ft1.x, ft0.x, ft0.y\nadd oc, ft1.xxxx, ft0.yyyy\n";
    assert_eq!(variables(agal), ["ft0.y = 6", "ft1.x = 24"]);
    let ctm = "rgb mad t0 = i1, i1, i1 ; alpha mad t3 = i1.a, i1.a, i1.a\nrgb mad o1 = t0, t0, t0 ; alpha mad o1 = t3.a, t3.a, t3.a";
    let expected = ["t0.x = 6", "t0.y = 12", "t0.z = 20", "t3.w = 30"];
    assert_eq!(variables(ctm), expected);
}
