//! Random regions, computed over virtual registers and over the ones that they are given.

mod machine;
mod regions;
mod slots;
mod values;

use iced_x86::Register;

use super::slots::Slots;
use super::{Tables, allocate};
use crate::emit::wide::forms::{Form, Width};
use crate::emit::wide::mir::{
    Arg, Block, Class, Edge, End, Holds, Home, Inst, Label, Region, Under, Vreg, Vregs,
};
use machine::Machine;
use regions::{Made, Random, Sizes, made};
use values::computed;

/// Bytes of the frame that are not for values.
const TAKEN: usize = 128;

const WIDTHS: [Width; 2] = [Width::V256, Width::V512];

/// Asserts that a region computes the same after allocation, with tables of any other. How many instructions more it has.
fn check(width: Width, made: &Made, seed: u64, tables: &mut Tables) -> usize {
    let mut slots = Slots::new(TAKEN);
    let allocated = allocate(width, &made.region, &made.vregs, &mut slots, tables);
    let expected = computed(made, seed);
    let mut machine = Machine::new(width, made, TAKEN..slots.size(), seed);
    machine.run(&made.region, &allocated);
    let place = expected
        .iter()
        .zip(&machine.trace)
        .position(|(a, b)| a != b);
    assert_eq!(place, None, "{width:?}, seed {seed}: {:#?}", made.region);
    assert_eq!(
        expected.len(),
        machine.trace.len(),
        "{width:?}, seed {seed}"
    );
    machine.moves
}

/// Checks random regions, some of which have to need moves.
fn check_random(sizes: Sizes, count: u64) {
    for width in WIDTHS {
        let mut with_moves = 0;
        let mut tables = Tables::default();
        for seed in 0..count {
            let made = made(width, sizes, &mut Random::new(seed));
            with_moves += usize::from(check(width, &made, seed, &mut tables) > 0);
        }
        assert!(with_moves > count as usize / 4, "{width:?}: {with_moves}");
    }
}

#[test]
fn straight_code_computes_the_same_in_registers() {
    let sizes = Sizes {
        blocks: 1,
        insts: 150,
    };
    check_random(sizes, 200);
}

#[test]
fn code_with_jumps_computes_the_same_in_registers() {
    let sizes = Sizes {
        blocks: 6,
        insts: 25,
    };
    check_random(sizes, 400);
}

#[test]
fn long_blocks_with_jumps_compute_the_same_in_registers() {
    let sizes = Sizes {
        blocks: 3,
        insts: 90,
    };
    check_random(sizes, 100);
}

/// Values of one class that change places each time that a loop goes round: value n becomes value
/// `order[n]`.
fn circle(width: Width, class: Class, order: &[usize]) -> Made {
    let mut vregs = Vregs::default();
    let (mut first, mut homes) = (Vec::new(), Vec::new());
    for _ in order {
        first.push(regions::start(width, class, &mut vregs, &mut homes));
    }
    let params: Vec<Vreg> = order.iter().map(|_| vregs.add(class)).collect();
    let wants = vregs.add(regions::mask_class(width));
    let (operands, test) = regions::turn(width, class, &params, wants, &mut vregs, &homes);
    let begin = Block {
        params: Vec::new(),
        insts: first.iter().map(|(_, inst)| inst.clone()).collect(),
        origins: Vec::new(),
        end: End::Jump(Edge {
            block: 1,
            args: first.iter().map(|(vreg, _)| *vreg).collect(),
        }),
    };
    let turned = order.iter().map(|&from| params[from]).collect();
    let body = Block {
        params: params.clone(),
        insts: operands.into_iter().chain(test).collect(),
        origins: Vec::new(),
        end: End::Any {
            mask: wants,
            then: Edge {
                block: 1,
                args: turned,
            },
            other: Edge {
                block: 2,
                args: Vec::new(),
            },
        },
    };
    let end = Block {
        params: Vec::new(),
        insts: Vec::new(),
        origins: Vec::new(),
        end: End::Leave(Label(0)),
    };
    Made {
        region: Region {
            blocks: vec![begin, body, end],
        },
        vregs,
        homes,
    }
}

#[test]
fn values_that_change_places_in_circles_lose_nothing() {
    let orders: [&[usize]; 6] = [
        &[1, 0],
        &[1, 2, 0],
        &[2, 3, 0, 1],
        &[1, 0, 0, 2],
        &[4, 0, 1, 2, 3],
        &[0, 2, 1, 4, 3],
    ];
    for width in WIDTHS {
        let classes = [Class::Vector, regions::mask_class(width)];
        for (class, order) in classes
            .into_iter()
            .flat_map(|class| orders.map(|order| (class, order)))
        {
            for seed in 0..8 {
                check(
                    width,
                    &circle(width, class, order),
                    seed,
                    &mut Tables::default(),
                );
            }
        }
    }
}

#[test]
fn more_values_change_places_than_there_are_registers() {
    let order: Vec<usize> = (0..40).map(|n| (n + 1) % 40).collect();
    for width in WIDTHS {
        for class in [Class::Vector, regions::mask_class(width)] {
            for seed in 0..8 {
                check(
                    width,
                    &circle(width, class, &order),
                    seed,
                    &mut Tables::default(),
                );
            }
        }
    }
}

#[test]
fn results_take_registers_of_operands_that_nothing_uses_again() {
    for width in WIDTHS {
        let (mut vregs, mut insts) = (Vregs::default(), Vec::new());
        let home = Home {
            base: Register::R15,
            displacement: 0,
            holds: Holds::Vector,
        };
        let mut put = |form: Form, args: &[Arg]| {
            insts.push(Inst::Op {
                code: form.code(width),
                args: args.into(),
                under: Under::All,
            });
        };
        // Every register has a value, and another has that of its root.
        let mut values: Vec<Vreg> = (0..width.vectors())
            .map(|_| {
                let (home, value) = (vregs.at_home(Class::Vector, home), vregs.add(Class::Vector));
                put(Form::Sqrtps, &[Arg::Def(value), Arg::UseMem(home)]);
                value
            })
            .collect();
        for value in &mut values {
            let root = vregs.add(Class::Vector);
            put(Form::Sqrtps, &[Arg::Def(root), Arg::UseMem(*value)]);
            *value = root;
        }
        for pair in values.windows(2) {
            let sum = vregs.add(Class::Vector);
            let args = [Arg::Def(sum), Arg::Use(pair[0]), Arg::UseMem(pair[1])];
            put(Form::Paddd, &args);
        }
        let count = insts.len();
        let region = Region {
            blocks: vec![Block {
                params: Vec::new(),
                insts,
                origins: Vec::new(),
                end: End::Leave(Label(0)),
            }],
        };
        let allocated = allocate(
            width,
            &region,
            &vregs,
            &mut Slots::new(TAKEN),
            &mut Tables::default(),
        );
        assert_eq!(allocated.block(0).count(), count, "{width:?}: no moves");
    }
}

/// The virtual registers that operands read.
fn read(args: &[Arg]) -> impl Iterator<Item = Vreg> {
    args.iter().filter_map(|arg| match *arg {
        Arg::Use(vreg)
        | Arg::UseMem(vreg)
        | Arg::UseWhole(vreg)
        | Arg::Tied(_, vreg)
        | Arg::Lanes(_, vreg, ..) => Some(vreg),
        Arg::Def(_) | Arg::DefEarly(_) | Arg::Fixed(_) | Arg::Mem(_) | Arg::Imm(_) => None,
    })
}
