//! Whether `relaxed_madd` is there and rounds once: engines may round it twice.

use attila_machine::{Bindings, QuadIo, arith};

use crate::abi::{RecordLayout, Slot};
use crate::emit::{Emitter, Records, Run, Source};
use crate::ir::{BlockData, Function, Op, Rate, Terminator, Type};
use crate::sampling::Inlined;

/// Operands whose product and sum have bits below the last that a rounded product has, with the sum in the middle
/// between two numbers or next to it, denormal, or of opposite operands.
const CASES: [[u32; 3]; 12] = [
    [0x3f80_0001, 0x3f80_0001, 0xbf80_0002],
    [0x3f80_0001, 0x3f80_0001, 0x3380_0000],
    [0x3fff_ffff, 0x3fff_ffff, 0xc07f_fffe],
    [0x3f80_0001, 0x3f7f_ffff, 0xbf80_0000],
    [0x3f80_0001, 0x3f80_0003, 0x4b80_0000],
    [0x4b80_0001, 0x3f80_0000, 0x3f80_0001],
    [0x0080_0001, 0x3f00_0001, 0x0000_0001],
    [0x0080_0001, 0x3f00_0001, 0x8000_0001],
    [0x1f80_0001, 0x1f80_0001, 0x0000_0003],
    [0x7f7f_ffff, 0x4000_0000, 0xff7f_ffff],
    [0x3eaa_aaab, 0x4040_0000, 0xbf80_0000],
    [0x4b00_0001, 0x4b00_0001, 0xd680_0001],
];

/// Whether code of `emitter`, which makes use of it, can be had and rounds once.
pub(super) fn is_fused(emitter: &dyn Emitter) -> bool {
    let function = function();
    let code = emitter.emit(&Source {
        function: &function,
        layout: RecordLayout::Io,
        quads: 1,
    });
    let Ok(code) = code else {
        return false;
    };
    let mut quads: Vec<QuadIo> = CASES.chunks(4).map(quad).collect();
    let run = Run {
        bindings: &Bindings::new(),
        textures: &Inlined::default(),
    };
    if code.run(&run, Records::Io(&mut quads)).is_err() {
        return false;
    }
    let results = quads.iter().flat_map(|quad| quad.outputs[0][0]);
    let rounded = CASES.map(|case| {
        let [a, b, c] = case.map(f32::from_bits);
        arith::fma(a, b, c).to_bits()
    });
    results.eq(rounded)
}

/// Input registers 0 to 2, multiplied and added.
fn function() -> Function {
    let mut function = Function::empty();
    let input = |reg| Op::Load(Slot::Input { reg, component: 0 });
    let mut add = |op, operands, ty| function.append(op, operands, ty, Rate::Quad);
    let operands = [0, 1, 2].map(|reg| add(input(reg), [].into(), Type::F32));
    let sum = add(Op::Fma, operands.into(), Type::F32);
    let output = Slot::Output {
        reg: 0,
        component: 0,
    };
    let stored = add(Op::Store(output), [sum].into(), Type::None);
    let [a, b, c] = operands;
    function.blocks.push(BlockData {
        params: Vec::new(),
        body: vec![a, b, c, sum, stored],
        end: Terminator::Done,
    });
    function
}

fn quad(cases: &[[u32; 3]]) -> QuadIo {
    let mut quad = QuadIo::default();
    for (lane, case) in cases.iter().enumerate() {
        for (reg, word) in case.iter().enumerate() {
            quad.inputs[reg][0][lane] = *word;
        }
    }
    quad
}
