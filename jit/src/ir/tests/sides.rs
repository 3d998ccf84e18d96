//! Which side of lane IR is wrong, where the JIT differs from the interpreter.
//!
//! ```text
//! program ─ interpreter ──────────────────────────► expected
//!    └──── lower ─► function ─ evaluator ─────────► differs: lowering
//!                      └─ pass ─► … ─ evaluator ──► differs: that pass
//!                                  └─ emitter ────► differs: emission
//! ```

use attila_isa::{Program, ValidProgram};

use super::super::pass::PASSES;
use super::super::{Binary, Function, Node, Op, Value};
use super::world::World;
use super::{Outcome, QUADS, difference, evaluated, outcome};
use crate::emit::tests::{Machine, machines};
use crate::lower::{Domain, Passing, lower};
use crate::target::VectorTarget;

/// Where the JIT goes wrong first.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Side {
    Lowering,
    Pass(&'static str),
    Emission,
}

/// The passes as [`optimise`](super::super::pass::optimise) runs them.
const ORDER: [&str; 7] = [
    "unify",
    "rebuild",
    "unify",
    "dead",
    "sink",
    "dead",
    "schedule 1",
];

/// A fault that a test plants in a function.
type Fault = fn(&mut Function);

/// Where the faults are planted.
#[derive(Clone, Copy, Default)]
struct Planted {
    lowering: Option<Fault>,
    pass: Option<(&'static str, Fault)>,
    emission: Option<Fault>,
}

/// The side that is wrong for a program, if one is.
fn wrong_side(program: &ValidProgram, passing: Passing, planted: Planted) -> Option<Side> {
    let worlds: Vec<World> = (0..QUADS).map(World::new).collect();
    let expected = World::interpret(worlds.clone(), program);
    let differs = |actual: &Outcome| difference(&expected, actual).is_some();
    // A function that is not well formed is wrong, even if its values are right.
    let is_wrong = |function: &Function| {
        function.check().is_err() || differs(&evaluated(function, worlds.clone()))
    };
    let lowered = lower(program, Domain::State, &[], true, passing);
    let mut function = lowered.expect("the program has few jumps");
    if let Some(fault) = planted.lowering {
        fault(&mut function);
    }
    if is_wrong(&function) {
        return Some(Side::Lowering);
    }
    for name in ORDER {
        let (_, pass) = PASSES.into_iter().find(|(known, _)| *known == name)?;
        pass(&mut function);
        if let Some((_, fault)) = planted.pass.filter(|(of, _)| *of == name) {
            fault(&mut function);
        }
        if is_wrong(&function) {
            return Some(Side::Pass(name));
        }
    }
    if let Some(fault) = planted.emission {
        fault(&mut function);
    }
    let is_wrong = |machine: Machine| {
        let actual = outcome(&function, machine, machine.quads(), worlds.clone());
        differs(&actual)
    };
    machines(&function)
        .into_iter()
        .any(is_wrong)
        .then_some(Side::Emission)
}

/// Programs that have most of the machine between them.
const PROGRAMS: [&str; 14] = [
    "add r0, i0, c0\nmul r1, r0, i1\nmad_sat r2, r0, r1, c1\nmov o1, r2\nend",
    "max r0, i0, i1\nmin r1, i0, c0\nsge r2, r0, r1\nslt r3, i1, c0\ncmp o0, r2, r0, -r3\nend",
    "dp3 r0, i0, i1\ndp4 r1, i0, c0\ndph r2, i1, c1\ndst r3, i0, i1\nlit o2, i0\nend",
    "rcp r0, i0.x\nrsq r1, i0.y\nex2 r2, i1.x\nlg2 r3, i1.y\nsin r4, i0.z\ncos r5, i0.w\nend",
    "exp r0, i0.x\nlog r1, i0.y\nflr r2, i0\nfrc r3, i1\nddx r4, i0\nddy r5, i1\nend",
    "addi r0, r1, r2\nmuli r3, r1, r2\narl a0.x, i0.x\nmov r4, c5[a0.x + 3]\nend",
    "setpgt p0, i0.x, i1.x\nsetpeq p1, i0.y, i0.y\nandp p2, p0, p1\n(p2) mov r0, i0\n(!p2) mov r0, i1\nend",
    "stplti p0, r0.x, r1.x\nstpgti p1, r0.y, r1.y\nstpeqi p3, r0.z, r0.z\n(p3) add r5, r4, i0\nend",
    "tex r0, i0, t1\ntxb r1, i1, t2\ntxl r2, i0, t3\ntxp r3, i1, t4\nlda r4, i0.x, t5\nend",
    "fxmul r0, i0, i1\nfxmad r1, i0, i1\nfxmad2 r2, i0, i1, c0\nfxmad r3, i1, i1\nend",
    "kls i1.x, s2\nzxp i0.y\nchs\nzxs i1, s0\nkls i0.z, s3\nend",
    "cmpkil r0, i0, i1, -i1\nmov o0, r0\nend",
    "kil i0.x\nend",
    "slt r0, i0, i0\nagain: add r0.x, r0.x, 1\nadd r1, r1, i0\nsetplt p0, r0.x, |i0.z|\nsetplt p1, r0.x, 5\n\
     andp p0, p0, p1\njmp p0, again\nmov o0, r1\nend",
];

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    program.validate().expect("the program is valid")
}

fn programs() -> impl Iterator<Item = ValidProgram> {
    PROGRAMS.into_iter().map(program)
}

/// The programs as the emitter for vectors like these gets them, with their texts.
pub(crate) fn lowered(vectors: &VectorTarget) -> Vec<(&'static str, Function)> {
    let lowered = PROGRAMS.into_iter().zip(programs()).map(|(text, program)| {
        let function = lower(&program, Domain::State, &[], vectors.fma, Passing::Params);
        let mut function = function.expect("the program has few jumps");
        for name in ORDER {
            let pass = PASSES.into_iter().find(|(known, _)| *known == name);
            pass.expect("there is the pass").1(&mut function);
        }
        (text, function)
    });
    lowered.collect()
}

#[test]
fn no_side_is_wrong_for_any_program() {
    for (text, program) in PROGRAMS.into_iter().zip(programs()) {
        for passing in [Passing::Params, Passing::Variables] {
            let side = wrong_side(&program, passing, Planted::default());
            assert_eq!(side, None, "{passing:?}: {text}");
        }
    }
}

/// Applies `f` to the first node of the blocks that it changes.
fn change(function: &mut Function, f: impl Fn(&mut Node) -> bool) {
    let bodies = function.blocks.iter().flat_map(|block| &block.body);
    let values: Vec<_> = bodies.copied().collect();
    for value in values {
        if f(&mut function.nodes[value.0 as usize]) {
            return;
        }
    }
}

/// Subtracts instead of adding.
fn other_operation(function: &mut Function) {
    change(function, |node| {
        let adds = node.op == Op::Binary(Binary::Fadd);
        if adds {
            node.op = Op::Binary(Binary::Fsub);
        }
        adds
    });
}

/// Takes the first operand twice.
fn wrong_operand(function: &mut Function) {
    change(function, |node| {
        let multiplies = node.op == Op::Binary(Binary::Fmul);
        if multiplies {
            let [a, _] = node.operands.array();
            node.operands = [a, a].into();
        }
        multiplies
    });
}

/// Chooses the other way round.
fn swapped_choice(function: &mut Function) {
    change(function, |node| {
        if node.op == Op::Select {
            let [mask, a, b] = node.operands.array();
            node.operands = [mask, b, a].into();
        }
        node.op == Op::Select
    });
}

/// Does not write a result.
fn missing_store(function: &mut Function) {
    for block in &mut function.blocks {
        let nodes = &function.nodes;
        let stores = |value: &Value| matches!(nodes[value.0 as usize].op, Op::Store(_));
        if let Some(place) = block.body.iter().position(stores) {
            block.body.remove(place);
            return;
        }
    }
}

/// Takes other lanes.
fn wrong_lanes(function: &mut Function) {
    change(function, |node| {
        if let Op::Shuffle(lanes) = &mut node.op {
            lanes.rotate_left(1);
            return true;
        }
        false
    });
}

const FAULTS: [Fault; 5] = [
    other_operation,
    wrong_operand,
    swapped_choice,
    missing_store,
    wrong_lanes,
];

/// The sides that are reported for programs, none twice.
fn reported(planted: Planted) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::new();
    for side in programs().filter_map(|program| wrong_side(&program, Passing::Params, planted)) {
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    sides
}

#[test]
fn faults_before_lane_ir_are_reported_as_lowering() {
    for fault in FAULTS {
        let planted = Planted {
            lowering: Some(fault),
            ..Planted::default()
        };
        assert_eq!(reported(planted), [Side::Lowering]);
    }
}

#[test]
fn faults_of_a_pass_are_reported_as_that_pass() {
    for (fault, pass) in FAULTS
        .into_iter()
        .zip(["rebuild", "dead", "sink", "schedule 1", "dead"])
    {
        let planted = Planted {
            pass: Some((pass, fault)),
            ..Planted::default()
        };
        assert_eq!(reported(planted), [Side::Pass(pass)]);
    }
}

#[test]
fn faults_behind_lane_ir_are_reported_as_emission() {
    for fault in FAULTS {
        let planted = Planted {
            emission: Some(fault),
            ..Planted::default()
        };
        assert_eq!(reported(planted), [Side::Emission]);
    }
}
