//! How many quads an iteration computes: those of several vectors side by side.

use crate::abi::FragmentField;
use crate::ir::{Function, Node, Op, Unary};
use crate::target::VectorTarget;

/// The most vectors side by side that are ever worth it.
const MOST: usize = 4;

/// The longest functions that are computed for so many vectors side by side.
///
/// Vectors are independent, so others fill the time that the first spends waiting for results, and
/// what is loaded from a table serves all. Measured gain of two quads: a quarter to a half; of four,
/// another tenth to a third on what is short. Compiling takes a quarter longer for each. Of 300 to 700 operations,
/// the fourth gains 2 to 12 hundredths with any width, a quarter where every result waits for the one before, and of
/// 700 to 1000 the third 2 to 10 (AMD EPYC, family 26, model 2). On longer functions code leaves the first cache: of
/// 1800 operations, a third vector gains nothing, and costs a quarter with 128 bits.
///
/// A Julia set of 256 operations waits for about 20 cycles in each of its steps. Three vectors do not
/// fill that time on an Intel Xeon (family 6, model 207), where the fourth gains an
/// eighth with 256 and with 512 bits.
const LONGEST: [(usize, usize); 3] = [(700, 4), (1000, 3), (2500, 2)];

/// The length of a blend of texels: so many times the instructions of other nodes.
const BLEND: usize = 110;

/// The most wide vectors of which some pixels stay as they are, because fragments are killed. A fourth takes a fifth
/// more to compile. With 256 and 512 bits it gains 2 to 10 hundredths with one sample per pixel, and nothing with
/// four; with 128 bits it gains 10 to 13 with either (AMD EPYC, family 26, model 2).
const MOST_MASKED: usize = 3;

/// The most quads of an iteration that asks which pixels are covered: those are at the edges of
/// primitives, where few quads are next to each other.
const MOST_COVERED: usize = 4;

/// Quads per iteration of the generated loop: as many as `wanted`, or by length. One vector of
/// quads if the function is not straight-line code.
pub(crate) fn quads_per_iteration(
    function: &Function,
    vectors: &VectorTarget,
    wanted: Option<usize>,
) -> usize {
    if !function.is_straight_line() {
        return vectors.quads();
    }
    let nodes = || {
        let body = function.blocks[0].body.iter();
        body.map(|&value| function.node(value))
    };
    let length: usize = nodes().map(|node| length(&node.op)).sum();
    let fits = LONGEST.iter().find(|(longest, _)| length <= *longest);
    let by_length = fits.map_or(1, |(_, vectors)| *vectors);
    let is_wide = vectors.quads() > 1;
    let most = if is_wide && nodes().any(|node| is_masked(function, node)) {
        MOST_MASKED
    } else {
        MOST
    };
    let most = if nodes().any(|node| asks_for_coverage(&node.op)) {
        most.min(MOST_COVERED / vectors.quads())
    } else {
        most
    };
    let wanted = wanted.map(|quads| quads.div_ceil(vectors.quads()));
    wanted.unwrap_or(by_length.min(most)).clamp(1, MOST) * vectors.quads()
}

/// A node's length: the instructions that it takes, by and large.
fn length(op: &Op) -> usize {
    if let Op::Blend(..) | Op::BlendOnto(..) = op {
        return BLEND;
    }
    let is_free = matches!(op, Op::Unary(Unary::ToBits | Unary::FromBits));
    usize::from(!is_free)
}

fn asks_for_coverage(op: &Op) -> bool {
    matches!(
        op,
        Op::Fragment(FragmentField::Coverage | FragmentField::Samples)
    )
}

/// Whether some of the pixels that the node stores are the ones that were there.
fn is_masked(function: &Function, node: &Node) -> bool {
    let (Op::StorePixels(_), Some(word)) = (node.op, node.operands.first()) else {
        return false;
    };
    function.node(*word).op == Op::Select
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn quads(text: &str, lanes: usize, wanted: Option<usize>) -> usize {
        let function = parse(text).expect("the text is right");
        let vectors = VectorTarget {
            lanes,
            ..VectorTarget::AVX2
        };
        quads_per_iteration(&function, &vectors, wanted)
    }

    #[test]
    fn wide_vectors_hold_several_quads() {
        let straight = "block0:\n  x: f32 = load i0.x\n  store o0.x, x\n  done\n";
        let jumps = "block0:\n  jump block1\nblock1:\n  done\n";
        for (lanes, of_vector) in [(4, 1), (8, 2), (16, 4)] {
            assert_eq!(quads(straight, lanes, None), 4 * of_vector);
            assert_eq!(quads(straight, lanes, Some(1)), of_vector);
            assert_eq!(quads(jumps, lanes, None), of_vector);
        }
    }

    #[test]
    fn wide_vectors_of_which_pixels_stay_are_fewer() {
        let killed = "block0:\n  x: f32 = load i0.x\n  y: f32 = load i0.y\n  m: mask = flt x, y\n  \
                      n: i32 = trunc x\n  p = load_pixels target0:1\n  s: i32 = extract 0, p\n  \
                      w: i32 = select m, s, n\n  store_pixels target0:1, w\n  done\n";
        for (lanes, expected) in [(4, 4), (8, 3 * 2), (16, 3 * 4)] {
            assert_eq!(quads(killed, lanes, None), expected, "{lanes} lanes");
        }
    }
}
