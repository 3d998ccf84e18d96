//! Files of programs that have been damaged: each is refused with positions inside it, or is a program on which the
//! engines agree.

#![expect(clippy::print_stdout, reason = "tests say what they counted")]

use attila_conformance::altered::{Fault, altered};
use attila_conformance::binaries::BinaryCase;
use attila_conformance::generate::Options;
use attila_conformance::{Sequence, check_text, fuzz};
use attila_shader::isa::Opcode;
use attila_shader::{Engine, Interp};

#[test]
fn damaged_files_are_refused_inside_them_or_run_the_same_on_all_engines() {
    for (options, cases) in [(Options::EXTENDED, 600), (Options::DEFAULT, 200)] {
        let sequence = Sequence::new(1, cases);
        let result = fuzz::<BinaryCase>(&sequence, &options, &Engine::all(), &|_| ());
        if let Some(failure) = &result.failure {
            panic!("file {} of 1:\n{}", failure.index, failure.report());
        }
        let tally = result.tally;
        println!("{tally}");
        let [programs, refused] = ["programs", "refused files"].map(|what| tally.count(what));
        assert!(programs > cases / 5 && refused > cases / 10, "{tally}");
    }
}

#[test]
fn a_fault_in_an_engine_shrinks_to_a_file() {
    let engines = [
        Engine::interp(),
        altered(
            Interp,
            Fault::Insts(|inst| {
                if inst.op == Opcode::Umax {
                    inst.op = Opcode::Imax;
                }
            }),
        ),
    ];
    let sequence = Sequence::new(2, 5000);
    let result = fuzz::<BinaryCase>(&sequence, &Options::EXTENDED, &engines, &|_| ());
    let failure = result.failure.expect("the fault is found");
    assert!(failure.case.bytes.len() <= 16 * 4, "{}", failure.report());
    let (file, name) = failure.file();
    // Engines differ on the program, not on how they read it.
    assert_eq!(name, "fuzz.attila");
    assert_eq!(check_text(&file, &Engine::all()), Ok(()));
    assert!(check_text(&file, &engines).is_err());
}
