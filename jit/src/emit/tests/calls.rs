//! Values that emitted code hands to the runtime and takes back from it.

use std::sync::Mutex;

use attila_isa::{Component, Stage};
use attila_machine::arith::SlowPath;
use attila_machine::{
    AttributeSource, Bindings, Fixed, LaneMask, Lanes, QuadIo, QuadReg, QuadState, TextureQuery,
    TextureUnit, from_floats,
};

use super::{Maker, compile, compile_as, machines, machines_for, run};
use crate::abi::{RecordLayout, SampleKind, Slot};
use crate::ir::{Binary, Op, Type, Value};

/// Remembers its queries, and answers with numbers that tell component and lane.
#[derive(Default)]
struct Recorder {
    requests: Mutex<Vec<TextureQuery>>,
    fetches: Mutex<Vec<(u8, Lanes<u32>, LaneMask)>>,
}

impl Recorder {
    fn numbers(n: usize) -> [Lanes<f32>; 4] {
        let number = |component, lane| (100 * n + 10 * component + lane) as f32;
        std::array::from_fn(|c| std::array::from_fn(|lane| number(c, lane)))
    }
}

impl TextureUnit for Recorder {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let mut requests = self.requests.lock().expect("nobody panicked");
        requests.push(*query);
        from_floats(Recorder::numbers(requests.len()))
    }
}

impl AttributeSource for Recorder {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let mut fetches = self.fetches.lock().expect("nobody panicked");
        fetches.push((attribute, index, wanted));
        Recorder::numbers(fetches.len())
    }
}

/// The mask of the lanes whose input `reg` is not 0.
fn mask_of(maker: &mut Maker, reg: u8) -> Value {
    let zero = maker.bits(0, Type::I32);
    let word = maker.input(reg, Type::I32);
    maker.push(Op::Binary(Binary::Ilt), [zero, word])
}

fn store(maker: &mut Maker, reg: u8, component: u8, value: Value) {
    let slot = Slot::Output { reg, component };
    maker.push(Op::Store(slot), [value]);
}

#[test]
fn texture_requests_arrive_in_order_and_their_parts_outlive_them() {
    let mut maker = Maker::new();
    let [s, t, r, param] = [0, 1, 2, 3].map(|reg| maker.input(reg, Type::F32));
    let active = mask_of(&mut maker, 4);
    let ops = [
        (SampleKind::Txb, 15, Stage::Fragment),
        (SampleKind::Txl, 3, Stage::Vertex),
    ];
    let samples = ops
        .map(|(op, unit, stage)| maker.push(Op::Sample(op, unit, stage), [s, t, r, param, active]));
    // Component z of neither is used.
    for (reg, sample) in samples.into_iter().enumerate() {
        for component in [3, 0, 1] {
            let part = maker.push(Op::Extract(component), [sample]);
            store(&mut maker, reg as u8, component, part);
        }
    }
    for machine in machines(&maker.function) {
        let mut quad = QuadIo::default();
        let floats = |base: f32| std::array::from_fn(|lane| (base + lane as f32).to_bits());
        for reg in 0..4u8 {
            quad.inputs[usize::from(reg)][0] = floats(f32::from(reg) * 10.0);
        }
        quad.inputs[4][0] = [1, 0, 0, 1];
        let textures = Recorder::default();
        let bindings = Bindings::new().with_textures(&textures);
        let code = compile(&maker.function, machine, 1);
        assert_eq!(
            run(&*code, &bindings, std::slice::from_mut(&mut quad)),
            Ok(())
        );

        let lanes = |base: f32| std::array::from_fn(|lane| base + lane as f32);
        let active = LaneMask::LANE0 | LaneMask::LANE3;
        let expected = ops.map(|(kind, unit, stage)| {
            let operands = [0.0, 10.0, 20.0, 30.0].map(lanes);
            kind.query((unit, stage), operands, active)
        });
        // The other quads of a vector ask the same, each question after that of the quads before.
        let quads = machine.quads();
        let expected = expected.map(|query| vec![query; quads]);
        assert_eq!(
            *textures.requests.lock().expect("nobody panicked"),
            expected.concat()
        );
        for (reg, n) in [(0, 1), (1, 1 + quads)] {
            let mut expected = Recorder::numbers(n).map(|lanes| lanes.map(f32::to_bits));
            expected[2] = [0; 4];
            assert_eq!(quad.outputs[reg], expected);
        }
    }
}

#[test]
fn attributes_are_fetched_for_the_lanes_wanted_and_have_a_default() {
    let mut maker = Maker::new();
    let index = maker.input(0, Type::I32);
    let wanted = mask_of(&mut maker, 1);
    let fetched = maker.push(Op::Attribute(9), [index, wanted]);
    for component in 0..4 {
        let part = maker.push(Op::Extract(component), [fetched]);
        store(&mut maker, 0, component, part);
    }
    for machine in machines(&maker.function) {
        let code = compile(&maker.function, machine, 1);
        let mut quad = QuadIo::default();
        quad.inputs[0][0] = [5, u32::MAX, 7, 8];
        quad.inputs[1][0] = [0, 1, 1, 0];
        let source = Recorder::default();
        let bindings = Bindings::new().with_attributes(&source);
        assert_eq!(
            run(&*code, &bindings, std::slice::from_mut(&mut quad)),
            Ok(())
        );
        let wanted = LaneMask::LANE1 | LaneMask::LANE2;
        assert_eq!(
            *source.fetches.lock().expect("nobody panicked"),
            vec![(9, [5, u32::MAX, 7, 8], wanted); machine.quads()]
        );
        assert_eq!(
            quad.outputs[0],
            Recorder::numbers(1).map(|lanes| lanes.map(f32::to_bits))
        );

        assert_eq!(
            run(&*code, &Bindings::new(), std::slice::from_mut(&mut quad)),
            Ok(())
        );
        assert_eq!(quad.output(0), [[0.0, 0.0, 0.0, 1.0]; 4]);
    }
}

#[test]
fn slow_paths_replace_the_lanes_that_need_them() {
    let mut maker = Maker::new();
    let x = maker.input(0, Type::F32);
    let fast = maker.input(1, Type::F32);
    let limit = maker.bits(1000.0f32.to_bits(), Type::F32);
    let mask = maker.push(Op::Binary(Binary::Flt), [limit, x]);
    for (reg, path) in [(0, SlowPath::Sin), (1, SlowPath::Cos)] {
        let result = maker.push(Op::SlowPath(path), [mask, x, fast]);
        store(&mut maker, reg, 0, result);
    }
    let xs = [
        [1.0, 2.0, 3.0, 4.0],
        [1e10, 2.0, 1e20, 4.0],
        [1e5, 1e6, 1e7, 1e8f32],
    ];
    for (machine, count) in machines_for(&maker.function, [1, 2, 4]) {
        let code = compile(&maker.function, machine, count);
        let mut quads = xs.map(|x| {
            let mut quad = QuadIo::default();
            quad.inputs[0][0] = x.map(f32::to_bits);
            quad.inputs[1][0] = [50, 51, 52, 53];
            quad
        });
        assert_eq!(run(&*code, &Bindings::new(), &mut quads), Ok(()));
        for (quad, x) in quads.iter().zip(xs) {
            for (reg, path) in [(0, SlowPath::Sin), (1, SlowPath::Cos)] {
                let expected: Lanes<u32> = std::array::from_fn(|lane| match x[lane] {
                    x if x > 1000.0 => path.apply(x).to_bits(),
                    _ => 50 + lane as u32,
                });
                assert_eq!(quad.outputs[reg][0], expected);
            }
        }
    }
}

/// acc.y = a * b in some lanes, then acc.y = a * b + c in others, then output = a * b + acc.y.
fn fixed_point() -> Maker {
    let mut maker = Maker::new();
    let [a, b, c] = [0, 1, 2].map(|reg| maker.input(reg, Type::F32));
    let (first, second) = (mask_of(&mut maker, 3), mask_of(&mut maker, 4));
    let component = Component::Y;
    let mask = first;
    maker.push(Op::FixedMul(component), [a, b, mask]);
    let mask = second;
    maker.push(Op::FixedMulAdd(component), [a, b, c, mask]);
    let result = maker.push(Op::FixedResult(component), [a, b]);
    maker.output(0, result);
    maker
}

#[test]
fn the_accumulator_starts_at_0_in_every_quad() {
    let mut quads = [QuadIo::default(), QuadIo::default()];
    for (n, quad) in quads.iter_mut().enumerate() {
        quad.inputs[0][0] = [1.5f32; 4].map(f32::to_bits);
        quad.inputs[1][0] = [2.0f32; 4].map(f32::to_bits);
        quad.inputs[2][0] = [100.0f32; 4].map(f32::to_bits);
        quad.inputs[3][0] = [1, 1, 0, 0].map(|word| word * (1 - n as u32));
        quad.inputs[4][0] = [0, 1, 1, 0].map(|word| word * (1 - n as u32));
    }
    for machine in machines(&fixed_point().function) {
        let mut quads = quads.clone();
        let code = compile(&fixed_point().function, machine, 1);
        assert_eq!(run(&*code, &Bindings::new(), &mut quads), Ok(()));
        let outputs = quads.map(|quad| quad.outputs[0][0].map(f32::from_bits));
        assert_eq!(outputs, [[6.0, 106.0, 106.0, 3.0], [3.0; 4]]);
    }
}

#[test]
fn a_stateful_run_keeps_the_accumulator() {
    for machine in machines(&fixed_point().function) {
        let code = compile_as(&fixed_point().function, machine, (RecordLayout::State, 1));
        let mut quads = [QuadState::default()];
        let kept = Fixed {
            magnitude: 7 << 8,
            negative: 1,
        };
        quads[0].regs.accumulator = [[kept; 4]; 4];
        quads[0].io.inputs[0][0] = [2.0f32; 4].map(f32::to_bits);
        quads[0].io.inputs[1][0] = [3.0f32; 4].map(f32::to_bits);
        quads[0].io.inputs[3][0] = [1, 0, 0, 0];
        let bindings = Bindings::new().with_fixed_bits(4);
        assert_eq!(run(&*code, &bindings, &mut quads), Ok(()));
        let product = Fixed {
            magnitude: 6 << 8,
            negative: 0,
        };
        assert_eq!(quads[0].regs.accumulator[1], [product, kept, kept, kept]);
        assert_eq!(quads[0].regs.accumulator[0], [kept; 4]);
        let outputs = quads[0].io.outputs[0][0].map(f32::from_bits);
        assert_eq!(outputs, [12.0, -1.0, -1.0, -1.0]);
    }
}
