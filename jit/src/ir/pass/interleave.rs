//! How many quads an iteration computes: those of several vectors side by side.

use crate::ir::{Function, Node, Op, Unary};
use crate::target::VectorTarget;

/// The most vectors side by side that are ever worth it.
const MOST: usize = 4;

/// The instructions of an iteration, if more than two vectors make them so many.
///
/// Vectors are independent, so others fill the time that the first spends waiting for results, and
/// what is loaded from a table serves all. Measured gain of two: a quarter to a half; of four,
/// another tenth to a third on what is short. Compiling takes a quarter longer for each. A Julia set of 256
/// operations waits for about 20 cycles in each of its steps. Three vectors do not fill that time on an Intel Xeon
/// (family 6, model 207), where the fourth gains an eighth with 256 and with 512 bits.
///
/// At some 8 bytes each, this is half of a cache of 32 KiB, of which another thread of the same core may take as much.
/// Where one does, longer code is fetched from the next cache: on a virtual machine, whose neighbours come and go, four
/// vectors of 592 operations took 22 KiB with 256 bits and had 34 Mpixel/s or 142, and two 118 at any time; two of
/// nine blends, 18 KiB with 512 bits, had 46 to 91 or 168, and one 155 to 160. What a third and a fourth gain is not worth
/// that (AMD EPYC, family 26, model 2).
const ROOM: usize = 2048;

/// The longest functions of which two vectors are computed all the same: as long as code stays in the cache they gain
/// more than others.
const LONGEST_OF_TWO: usize = 2500;

/// The length of a blend of texels, with wide vectors and with one quad: so many times the instructions of other nodes.
const BLEND: usize = 110;
const BLEND_OF_QUAD: usize = 60;

/// The most wide vectors of which some pixels stay as they are, because fragments are killed. A fourth takes a fifth
/// more to compile. With 256 and 512 bits it gains 2 to 10 hundredths with one sample per pixel, and nothing with
/// four; with 128 bits it gains 10 to 13 with either (AMD EPYC, family 26, model 2).
const MOST_MASKED: usize = 3;

/// The most quads of an iteration that asks which pixels are covered: those are at the edges of
/// primitives, where few quads are next to each other.
const MOST_COVERED: usize = 4;

/// Quads per iteration of the generated loop: as many as `wanted`, or by length. One vector of
/// quads if the function is not straight-line code, which wide vectors may have behind a [guard](Function::guarded).
pub(crate) fn quads_per_iteration(
    function: &Function,
    vectors: &VectorTarget,
    wanted: Option<usize>,
) -> usize {
    let is_wide = vectors.quads() > 1;
    let has_copies = function.is_straight_line() || is_wide && function.guarded().is_some();
    if !has_copies {
        return vectors.quads();
    }
    let of_blend = if is_wide { BLEND } else { BLEND_OF_QUAD };
    let (mut blends, mut others) = (0, 0);
    let (mut is_masked, mut asks_for_coverage) = (false, false);
    for &value in function.blocks.iter().flat_map(|block| &block.body) {
        let node = function.node(value);
        if node.op.is_blend() {
            blends += of_blend;
        } else if !is_free(&node.op) {
            others += 1;
        }
        is_masked |= stores_under_mask(function, node);
        asks_for_coverage |= node.op.asks_for_coverage();
    }
    let length = blends + others;
    // Blends are independent as they are.
    let waits = length <= LONGEST_OF_TWO && blends < others;
    let least = if waits { 2 } else { 1 };
    let by_length = (ROOM / length.max(1)).clamp(least, MOST);
    let most = if is_wide && is_masked {
        MOST_MASKED
    } else {
        MOST
    };
    let most = if asks_for_coverage {
        most.min(MOST_COVERED / vectors.quads())
    } else {
        most
    };
    let wanted = wanted.map(|quads| quads.div_ceil(vectors.quads()));
    wanted.unwrap_or(by_length.min(most)).clamp(1, MOST) * vectors.quads()
}

/// Whether an operation takes no instruction, by and large.
fn is_free(op: &Op) -> bool {
    matches!(op, Op::Unary(Unary::ToBits | Unary::FromBits))
}

/// Whether some of the pixels that the node stores are the ones that were there.
fn stores_under_mask(function: &Function, node: &Node) -> bool {
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
    fn code_of_an_iteration_stays_in_half_of_a_cache() {
        let sums = |count: usize| {
            let mut text = "block0:\n  x0: f32 = load i0.x\n".to_owned();
            for n in 1..=count {
                text += &format!("  x{n}: f32 = fadd x{}, x{}\n", n - 1, n - 1);
            }
            text + &format!("  store o0.x, x{count}\n  done\n")
        };
        for (count, expected) in [(500, 4), (600, 3), (1000, 2), (2000, 2), (3000, 1)] {
            assert_eq!(quads(&sums(count), 4, None), expected, "{count} sums");
        }
        let blends = |count: usize| {
            let mut text = "block0:\n  x: f32 = load i0.x\n  n: i32 = trunc x\n".to_owned();
            for n in 0..count {
                text += &format!(
                    "  b{n} = blend 0, rgba8, each, n, n, x, x, x, x\n  p{n}: pixel = extract 0, b{n}\n"
                );
            }
            text + "  store o0.x, x\n  done\n"
        };
        for (count, lanes, expected) in [
            (4, 16, 4),
            (5, 16, 3),
            (9, 16, 2),
            (10, 16, 1),
            (17, 4, 1),
            (16, 4, 2),
        ] {
            let vectors = quads(&blends(count), lanes, None) / (lanes / 4);
            assert_eq!(vectors, expected, "{count} blends for {lanes} lanes");
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
