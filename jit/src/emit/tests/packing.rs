//! From components to pixels, and from either to bytes.

use super::*;

/// Limited to the bytes 0 and 255.
const BEYOND: [u32; 2] = [i32::MIN as u32, 1000];

/// Four inputs in the lanes of four quads.
fn rows() -> Vec<[u32; 4]> {
    let mut rows: Vec<_> = (0..16)
        .map(|lane| [0, 1, 2, 3].map(|input| 40 * input + lane))
        .collect();
    (rows[2][1], rows[5][3]) = (BEYOND[0], BEYOND[1]);
    rows
}

fn byte(word: u32) -> u8 {
    word.cast_signed().clamp(0, 255) as u8
}

/// Compares a function of four inputs, for one to four quads at a time.
fn check(f: impl Fn(&mut Maker, [Value; 4]) -> Value, expected: &[u32]) {
    let mut maker = Maker::new();
    let inputs = [0, 1, 2, 3].map(|reg| maker.input(reg, Type::F32));
    let result = f(&mut maker, inputs);
    let result = maker.push(Op::Unary(ir::Unary::FromBits), [result]);
    maker.output(0, result);
    for (machine, quads) in machines_for(&maker.function, [1, 2, 3, 4]) {
        let code = compile(&maker.function, machine, quads);
        let got = results(&*code, &Bindings::new(), &rows());
        assert_eq!(got.as_deref(), Ok(expected), "{machine:?}, {quads} quads");
    }
}

/// The operands as i32, two and two together.
fn narrowed(maker: &mut Maker, pairs: [[Value; 2]; 2]) -> [Value; 2] {
    pairs.map(|pair| {
        let [a, b] = pair.map(|value| maker.push(Op::Unary(ir::Unary::ToBits), [value]));
        maker.push(Op::Narrow, [a, b])
    })
}

#[test]
fn rows_become_columns() {
    for component in 0..4 {
        let quads = rows();
        let quads = quads.chunks(4);
        let columns = |quad: &[[u32; 4]]| [0, 1, 2, 3].map(|n| quad[usize::from(component)][n]);
        let expected: Vec<u32> = quads.flat_map(columns).collect();
        let part = |maker: &mut Maker, inputs| {
            let whole = maker.push(Op::Transpose, inputs);
            maker.push(Op::Extract(component), [whole])
        };
        check(part, &expected);
    }
}

#[test]
fn components_are_packed_lane_by_lane() {
    let pack = |maker: &mut Maker, [x, y, z, w]: [Value; 4]| {
        let [even, odd] = narrowed(maker, [[x, z], [y, w]]);
        maker.push(Op::Pack, [even, odd])
    };
    let expected = rows()
        .into_iter()
        .map(|lane| u32::from_le_bytes(lane.map(byte)));
    check(pack, &expected.collect::<Vec<_>>());
}

#[test]
fn pixels_are_packed_one_by_one() {
    let pack = |maker: &mut Maker, [a, b, c, d]: [Value; 4]| {
        let [upper, lower] = narrowed(maker, [[a, b], [c, d]]);
        maker.push(Op::PackPixels, [upper, lower])
    };
    let rows = rows();
    let pixel = |quad: &[[u32; 4]], pixel: usize| {
        u32::from_le_bytes([0, 1, 2, 3].map(|component: usize| byte(quad[component][pixel])))
    };
    let expected = rows
        .chunks(4)
        .flat_map(|quad| [0, 1, 2, 3].map(|n| pixel(quad, n)));
    check(pack, &expected.collect::<Vec<_>>());
}
