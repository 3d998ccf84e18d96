//! Engines with planted faults: the comparison must find each, and shrink the case to the fault.
//!
//! Each engine here is the interpreter running a program in which some instructions were exchanged,
//! as if one arm of a compiler were wrong.

use attila_conformance::altered::{Fault, altered};
use attila_conformance::generate::{Mode, Options};
use attila_conformance::oracle::{Difference, Divergence, Form};
use attila_conformance::report::report;
use attila_conformance::{Case, CaseOptions, Failure, Sequence, Subject, fuzz};
use attila_shader::isa::{BoolSrc, Component, Inst, Opcode, Operand, ResultPath, Slots, Swizzle};
use attila_shader::{Engine, Interp};

/// Plants the fault and finds it, among single instructions and among whole programs.
fn check(name: &str, fault: fn(&mut Inst)) {
    find(name, fault, Mode::Single);
    find(name, fault, Mode::Program);
}

/// The first case that shows a fault, shrunk.
fn smallest(name: &str, fault: Fault, seed: u64, options: Options) -> Failure<Case> {
    let engines = [Engine::interp(), altered(Interp, fault)];
    let options = CaseOptions::Programs(options);
    let result = fuzz::<Case>(&Sequence::new(seed, 20_000), &options, &engines, &|_| ());
    let failure = result.failure;
    let failure = failure.unwrap_or_else(|| panic!("{name}: not found: {}", result.tally));
    let length = failure.case.insts().len();
    assert!(length <= 3, "{name}: {}", failure.report());
    failure
}

/// Finds the fault, and checks the shrunk program that shows it.
fn find(name: &str, fault: fn(&mut Inst), mode: Mode) -> Case {
    let options = Options {
        mode: Some(mode),
        ..Options::DEFAULT
    };
    let minimal = smallest(name, Fault::Insts(fault), 1, options).case;
    let mut spoiled = minimal.insts().to_vec();
    spoiled.iter_mut().for_each(fault);
    assert_ne!(
        spoiled,
        minimal.insts(),
        "{name}: what is left does not show the fault"
    );
    minimal
}

fn swap(inst: &mut Inst, a: usize, b: usize) {
    inst.operands.swap(a, b);
}

#[test]
fn max_with_its_operands_exchanged() {
    check("max", |inst| {
        if inst.op == Opcode::Max && matches!(inst.operands[1], Operand::Reg(_)) {
            swap(inst, 0, 1);
        }
    });
}

#[test]
fn greater_or_equal_for_less() {
    check("sge", |inst| {
        if inst.op == Opcode::Sge {
            inst.op = Opcode::Slt;
        }
    });
}

#[test]
fn products_that_are_not_saturated() {
    check("mul", |inst| {
        if inst.op == Opcode::Mul {
            inst.path = ResultPath::Plain;
        }
    });
}

#[test]
fn kills_without_their_guard() {
    check("kil", |inst| {
        if inst.op == Opcode::Kil {
            inst.guard = None;
        }
    });
}

#[test]
fn sums_of_products_that_lose_a_sign() {
    check("mad", |inst| {
        if inst.op == Opcode::Mad
            && let Operand::Reg(src) = &mut inst.operands[2]
        {
            src.modifiers.negate = false;
        }
    });
}

#[test]
fn dot_products_without_their_last_term() {
    check("dp4", |inst| {
        if inst.op == Opcode::Dp4 {
            inst.op = Opcode::Dp3;
        }
    });
}

#[test]
fn integers_compared_as_floats() {
    check("stpgti", |inst| {
        if inst.op == Opcode::Stpgti {
            inst.op = Opcode::Setpgt;
        }
    });
}

#[test]
fn addresses_written_without_mask() {
    check("arl", |inst| {
        if inst.op == Opcode::Arl
            && let Some(dst) = &mut inst.dst.reg
        {
            dst.mask = Slots::all();
        }
    });
}

#[test]
fn derivatives_along_the_wrong_axis() {
    check("ddy", |inst| {
        if inst.op == Opcode::Ddy {
            inst.op = Opcode::Ddx;
        }
    });
}

#[test]
fn textures_sampled_without_bias() {
    check("txb", |inst| {
        if inst.op == Opcode::Txb {
            inst.op = Opcode::Tex;
        }
    });
}

#[test]
fn jumps_without_their_guard() {
    check("jmp", |inst| {
        // The end must stay within reach.
        let certain = matches!(inst.operands[0], Operand::Bool(BoolSrc::Literal(_)));
        if inst.op == Opcode::Jmp && !certain {
            inst.guard = None;
        }
    });
}

#[test]
fn relative_constants_one_off() {
    check("relative", |inst| {
        if let Some(relative) = &mut inst.relative {
            relative.offset = (relative.offset + 1).min(255);
        }
    });
}

#[test]
fn swizzles_with_a_wrong_slot() {
    check("swizzle", |inst| {
        if let (Opcode::Mov, Operand::Reg(src)) = (inst.op, &mut inst.operands[0]) {
            let [x, y, _, w] = Component::ALL.map(|slot| src.swizzle.source(slot));
            src.swizzle = Swizzle::new([x, y, y, w]);
        }
    });
}

#[test]
fn selections_the_wrong_way_round() {
    check("cmpkil", |inst| {
        if inst.op == Opcode::Cmpkil {
            swap(inst, 1, 2);
        }
    });
}

#[test]
fn accumulators_that_forget_an_addend() {
    check("fxmad2", |inst| {
        if inst.op == Opcode::Fxmad2 {
            inst.op = Opcode::Fxmul;
            inst.operands[2] = Operand::None;
            let unused = inst.relative.is_some() && !inst.has_constant();
            inst.relative = inst.relative.filter(|_| !unused);
        }
    });
}

#[test]
fn conditions_that_are_not_inverted() {
    check("setpeq", |inst| {
        if inst.dst.pred.is_some() {
            inst.path = ResultPath::Plain;
        }
    });
}

#[test]
fn kills_of_the_wrong_sample() {
    check("kls", |inst| {
        if let (Opcode::Kls, Operand::Sample(sample)) = (inst.op, &mut inst.operands[1]) {
            *sample ^= 1;
        }
    });
}

#[test]
fn a_minimal_case_survives_its_text() {
    let fault = |inst: &mut Inst| {
        if inst.op == Opcode::Rcp {
            inst.op = Opcode::Rsq;
        }
    };
    let case = find("rcp", fault, Mode::Program);
    let text = case.to_text("the reciprocal was a root");
    let (read, _) = Case::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, case, "{text}");
}

/// The divergence of the smallest case that shows a fault.
fn odd(fault: Fault) -> Box<Divergence> {
    let failure = smallest("odd", fault, 4, Options::DEFAULT);
    let text = failure.report();
    assert!(text.starts_with("interp and altered differ"), "{text}");
    assert_eq!(failure.fault.engine, Some("altered"));
    failure.fault.divergence.expect("engines differ")
}

fn is_frc(inst: &Inst) -> bool {
    inst.op == Opcode::Frc
}

#[test]
fn a_fault_in_shading_alone_is_found() {
    let divergence = odd(Fault::Shading(|inst| inst.path = ResultPath::Plain));
    assert_eq!(divergence.form, Form::Shading);
}

#[test]
fn a_panic_in_an_engine_is_a_difference() {
    let messages = [None, Some("panic: frc is too hard".to_owned())];
    let divergence = odd(Fault::Panic(is_frc, "frc is too hard"));
    assert_eq!(divergence.difference, Difference::Failed { messages });
}

#[test]
fn a_program_that_an_engine_refuses_is_a_difference() {
    let message = "the program cannot be compiled: frc is too hard".to_owned();
    let messages = [None, Some(message)];
    let divergence = odd(Fault::Refuse(is_frc, "frc is too hard"));
    assert_eq!(divergence.difference, Difference::Failed { messages });
}

#[test]
fn one_backward_jump_too_many_is_a_difference() {
    let divergence = odd(Fault::Budget);
    let is_end = matches!(divergence.difference, Difference::End { .. });
    assert!(is_end, "{}", report(&divergence));
}

#[test]
fn stores_to_scratch_memory_without_their_guard() {
    let unguarded = |inst: &mut Inst| {
        if inst.op == Opcode::Stt {
            inst.guard = None;
        }
    };
    let options = Options {
        mode: Some(Mode::Single),
        ..Options::EXTENDED
    };
    let found = smallest("stt", Fault::Insts(unguarded), 1, options);
    let ops: Vec<Opcode> = found.case.insts().iter().map(|inst| inst.op).collect();
    assert_eq!(ops, [Opcode::Stt, Opcode::Ldt]);
}
