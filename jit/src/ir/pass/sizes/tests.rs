//! Bounds on all operands of formats of six bits: the bounds on results hold, and greater ones would not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect;

use super::*;
use crate::ir::tests::plain::{Plain, SIX_BITS};
use crate::ir::{Origin, Rate, Type};

/// The exponents that a format's floats have.
pub(in crate::ir::pass) fn exponents(format: FloatFormat) -> std::ops::RangeInclusive<i32> {
    format.least()..=format.above
}

/// Bounds that are tried on an operand: those that say one thing, named by it, and those that say two that sums depend on.
/// An operand that does not matter has none.
pub(in crate::ir::pass) fn known(
    format: FloatFormat,
    matters: bool,
) -> Vec<(Option<&'static str>, Size)> {
    let any = Size::any(format);
    let mut known = vec![(Some("nothing"), any)];
    if !matters {
        return known;
    }
    for grain in exponents(format) {
        known.push((Some("grain"), Size { grain, ..any }));
        known.push((
            Some("least"),
            Size {
                least: grain,
                ..any
            },
        ));
        known.push((Some("most"), Size { most: grain, ..any }));
        known.extend(exponents(format).map(|least| {
            (
                None,
                Size {
                    grain,
                    least,
                    ..any
                },
            )
        }));
    }
    known.push((Some("most"), Size { most: NONE, ..any }));
    known
}

/// The greatest bounds that hold of a float, by division. Where any bound does, it is the end of i32.
pub(in crate::ir::pass) fn exact(word: u32) -> Size {
    let magnitude = f64::from(f32::from_bits(word)).abs();
    let mut exponents = (-20..20).rev();
    let least = exponents.clone().find(|&n| 2f64.powi(n) <= magnitude);
    let grain = exponents.find(|&n| magnitude % 2f64.powi(n) == 0.0);
    match (grain, least) {
        (Some(grain), Some(least)) => Size {
            grain,
            least,
            most: least + 1,
        },
        (_, _) => Size {
            grain: i32::MAX,
            least: if magnitude == 0.0 { NONE } else { i32::MAX },
            most: if magnitude == f64::INFINITY {
                WHOLE
            } else {
                i32::MIN
            },
        },
    }
}

impl Size {
    /// Whether bounds that are no less close hold.
    pub(in crate::ir::pass) fn contains(self, other: Size) -> bool {
        self.grain <= other.grain && self.least <= other.least && self.most >= other.most
    }
}

/// An operation on the values of these numbers.
pub(in crate::ir::pass) fn node(op: Op, operands: &[u32]) -> Node {
    let operands: Vec<Value> = operands.iter().copied().map(Value).collect();
    Node {
        op,
        operands: operands.as_slice().into(),
        ty: Type::F32,
        rate: Rate::Quad,
        alike: false,
        origin: Origin::default(),
    }
}

/// Operations on floats 0 and 1 and mask 2, by their names and operands.
pub(in crate::ir::pass) fn operations() -> Vec<(String, Node)> {
    use Binary::{Fadd, Fdiv, Fmax, Fmin, Fmul, Fsub};
    use Unary::{Ceil, Fabs, Floor, Flush, FlushToPlus, Fneg, Nearest, OneNan, Sqrt, TowardZero};
    let unary = [
        Fneg,
        Fabs,
        Sqrt,
        Floor,
        Nearest,
        Ceil,
        TowardZero,
        Flush,
        FlushToPlus,
        OneNan,
    ];
    let unary = unary.map(|op| node(Op::Unary(op), &[0]));
    let binary = [Fadd, Fsub, Fmul, Fdiv, Fmin, Fmax].map(Op::Binary);
    let binary = binary
        .iter()
        .flat_map(|&op| [node(op, &[0, 1]), node(op, &[0, 0])]);
    let others = [
        node(Op::Shuffle([1, 2, 3, 0]), &[0]),
        node(Op::Select, &[2, 0, 1]),
    ];
    let nodes = unary.into_iter().chain(binary).chain(others);
    let named = |node: Node| {
        let operands = node
            .operands
            .iter()
            .map(|value| ["x", "y", "m"][value.0 as usize]);
        let operands: Vec<&str> = operands.collect();
        (
            format!("{} {}", node.op.row().name, operands.join(" ")),
            node,
        )
    };
    nodes.map(named).collect()
}

/// The bounds on the result of a node whose operands have these.
fn claimed(format: FloatFormat, node: &Node, operands: &[Size]) -> Size {
    let of = |value: Value| operands[value.0 as usize];
    size(format, node, of, Specialisation::default())
}

/// By how much bounds might be greater, the least and in all, by what they are of and what is known. Those that say nothing
/// are left out, and so are those that end where the format does.
#[derive(Default)]
pub(in crate::ir::pass) struct Spare(BTreeMap<String, [i32; 2]>);

impl Spare {
    pub(in crate::ir::pass) fn note(&mut self, what: String, by: i32) {
        let [least, all] = self.0.entry(what).or_insert([by, 0]);
        *least = by.min(*least);
        *all += by;
    }

    /// Notes each bound that says something.
    fn note_all(&mut self, format: FloatFormat, what: &str, claim: Size, truth: Size) {
        if claim.grain > format.least() && truth.grain < i32::MAX {
            self.note(format!("grain of {what}"), truth.grain - claim.grain);
        }
        if claim.least > NONE && truth.least < i32::MAX {
            self.note(format!("least of {what}"), truth.least - claim.least);
        }
        if claim.most < WHOLE && truth.most > NONE {
            self.note(format!("most of {what}"), claim.most - truth.most);
        }
    }

    /// The bounds that might be greater, a line each.
    pub(in crate::ir::pass) fn listed(&self) -> String {
        let mut text = String::new();
        for (what, [least, all]) in self.0.iter().filter(|&(_, [_, all])| *all > 0) {
            let _ = writeln!(text, "{what}: {least}, {all}");
        }
        text
    }
}

#[test]
fn bounds_on_floats_are_exact() {
    for format in SIX_BITS {
        for word in Plain::new(format).floats() {
            let (size, exact) = (Size::of_bits(word), exact(word));
            assert!(size.contains(exact), "{word:x}");
            assert!(exact.grain == i32::MAX || size == exact, "{word:x}");
        }
    }
}

/// The bounds on results, for each value of the first two operands.
fn results(plain: &Plain, node: &Node) -> Vec<Vec<Size>> {
    let result = |[x, y]: [u32; 2]| {
        let masked = [0, 1].map(|mask| {
            let of = node
                .operands
                .iter()
                .map(|value| [x, y, mask][value.0 as usize]);
            exact(plain.result(node.op, &of.collect::<Vec<u32>>()))
        });
        masked[0].of_either(masked[1])
    };
    let words = plain.floats();
    let row = |&x: &u32| words.iter().map(|&y| result([x, y])).collect();
    words.iter().map(row).collect()
}

/// The bounds on the sizes of all lists, place by place.
fn of_any<'a>(mut lists: impl Iterator<Item = &'a Vec<Size>>) -> Option<Vec<Size>> {
    let mut all = lists.next()?.clone();
    for list in lists {
        for (size, other) in all.iter_mut().zip(list) {
            *size = size.of_either(*other);
        }
    }
    Some(all)
}

#[test]
fn bounds_on_results_hold_and_greater_ones_would_not() {
    let mut spare = Spare::default();
    for format in SIX_BITS {
        let plain = Plain::new(format);
        let floats: Vec<Size> = plain.floats().into_iter().map(exact).collect();
        for (name, node) in operations() {
            let results = results(&plain, &node);
            for (x, first) in known(format, true) {
                let rows = results.iter().zip(&floats);
                let within = rows.filter(|(_, float)| first.contains(**float));
                let Some(row) = of_any(within.map(|(row, _)| row)) else {
                    continue;
                };
                for (y, second) in known(format, node.operands.contains(&Value(1))) {
                    let within = row.iter().zip(&floats);
                    let within = within.filter(|(_, float)| second.contains(**float));
                    let Some(truth) = within.map(|(&size, _)| size).reduce(Size::of_either) else {
                        continue;
                    };
                    let claim = claimed(format, &node, &[first, second]);
                    assert!(
                        claim.contains(truth),
                        "{name}, {first:?}, {second:?}: {claim:?}"
                    );
                    if let (Some(x), Some(y)) = (x, y) {
                        spare.note_all(format, &format!("{name} by {x}, {y}"), claim, truth);
                    }
                }
            }
        }
    }
    // Sums of any two numbers have these bounds: twice a number is known to be less than it is.
    expect![[r#"
        grain of ceil x by grain, nothing: 0, 34
        grain of ceil x by least, nothing: 0, 22
        grain of fadd x x by grain, nothing: 1, 19
        grain of fadd x x by least, nothing: 2, 28
        grain of fadd x y by grain, least: 0, 124
        grain of fadd x y by least, grain: 0, 124
        grain of fadd x y by least, least: 0, 16
        grain of fadd x y by least, most: 0, 106
        grain of fadd x y by most, least: 0, 106
        grain of floor x by grain, nothing: 0, 34
        grain of floor x by least, nothing: 0, 22
        grain of fmul x y by grain, least: 0, 348
        grain of fmul x y by least, grain: 0, 348
        grain of fsub x y by grain, least: 0, 124
        grain of fsub x y by least, grain: 0, 124
        grain of fsub x y by least, least: 0, 16
        grain of fsub x y by least, most: 0, 106
        grain of fsub x y by most, least: 0, 106
        grain of nearest x by grain, nothing: 0, 34
        grain of nearest x by least, nothing: 0, 22
        grain of sqrt x by grain, nothing: 0, 56
        grain of sqrt x by least, nothing: 0, 56
        grain of toward_zero x by grain, nothing: 0, 34
        grain of toward_zero x by least, nothing: 0, 22
    "#]]
    .assert_eq(&spare.listed());
}

#[test]
fn bounds_on_fused_products_hold_and_greater_ones_would_not() {
    let [format, _] = SIX_BITS;
    let plain = Plain::new(format);
    let words = plain.floats();
    let fma = node(Op::Fma, &[0, 1, 2]);
    // The least grain of results by the grains of operands.
    let mut results: BTreeMap<[i32; 3], i32> = BTreeMap::new();
    for &x in &words {
        for &y in &words {
            for &z in &words {
                let grains = [x, y, z].map(|word| exact(word).grain);
                let grain = exact(plain.result(Op::Fma, &[x, y, z])).grain;
                let least = results.entry(grains).or_insert(grain);
                *least = grain.min(*least);
            }
        }
    }
    let any = Size::any(format);
    let grains = || exponents(format);
    let mut spare = Spare::default();
    for bounds in
        grains().flat_map(|a| grains().flat_map(move |b| grains().map(move |c| [a, b, c])))
    {
        let within = results
            .iter()
            .filter(|(of, _)| (0..3).all(|n| bounds[n] <= of[n]));
        let truth = within.map(|(_, &grain)| grain).min();
        let Some(truth) = truth.filter(|&grain| grain < i32::MAX) else {
            continue;
        };
        let claim = claimed(format, &fma, &bounds.map(|grain| Size { grain, ..any })).grain;
        assert!(claim <= truth, "{bounds:?}: {claim}");
        if claim > format.least() {
            let what = if claim < bounds[2] {
                "product"
            } else {
                "addend"
            };
            spare.note(what.to_owned(), truth - claim);
        }
    }
    expect![[r#"
        product: 0, 20
    "#]]
    .assert_eq(&spare.listed());
}

#[test]
fn flushes_keep_what_is_known_of_normal_numbers() {
    for format in SIX_BITS {
        let normal = Size {
            least: format.normal(),
            ..Size::any(format)
        };
        let flush = node(Op::Unary(Unary::Flush), &[0]);
        assert_eq!(claimed(format, &flush, &[normal]), normal);
    }
}

#[test]
fn integers_are_whole_and_pixels_are_multiples_of_what_all_are() {
    let [format, _] = SIX_BITS;
    let sizes = [3, 1, 0, 2].map(|grain| Size {
        grain,
        ..Size::any(format)
    });
    let grain = |op, operands: &[u32]| claimed(format, &node(op, operands), &sizes).grain;
    assert_eq!(grain(Op::Unary(Unary::ToF32), &[0]), 0);
    assert_eq!(grain(Op::Transpose, &[0, 1, 3, 3]), 1);
    assert_eq!(grain(Op::Extract(2), &[3]), 2);
    assert_eq!(
        grain(
            Op::Blend(0, attila_texture::Storage::Rgba8, false),
            &[0, 0, 0, 0, 0, 0]
        ),
        format.least()
    );
}
