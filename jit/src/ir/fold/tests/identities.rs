//! Identities as data. Each is tried on all floats of six bits, on words and on masks, with an arithmetic apart from that
//! of the folds.

use std::fmt::Write as _;

use expect_test::expect;

use crate::abi::{Constant, Slot};
use crate::emit::tests::Maker;
use crate::float::FloatFormat;
use crate::ir::immediate::Words;
use crate::ir::pass::PASSES;
use crate::ir::table::NAMES;
use crate::ir::tests::plain::{E4M3, Plain, SIX_BITS, is_same, stored};
use crate::ir::types::{Kind, Results};
use crate::ir::{Function, Op, Type, Value, eval};

/// Patterns and their replacements: x, y and z are floats, u and v floats of the run, i and j words, m and n masks.
const IDENTITIES: &[[&str; 2]] = &[
    ["(fneg (fneg x))", "x"],
    ["(fabs (fneg x))", "(fabs x)"],
    ["(fabs (fabs x))", "(fabs x)"],
    ["(not (not m))", "m"],
    ["(tobits (frombits i))", "i"],
    ["(tobits (frombits m))", "(tobits m)"],
    ["(frombits (tobits x))", "x"],
    ["(fadd x y)", "(fadd y x)"],
    ["(iadd i j)", "(iadd j i)"],
    // Sums and differences.
    ["(fadd x (fneg y))", "(fsub x y)"],
    ["(fadd (fneg x) y)", "(fsub y x)"],
    ["(fadd (fneg x) (fneg y))", "(fsub (fneg x) y)"],
    ["(fsub x (fneg y))", "(fadd x y)"],
    ["(fadd x (fmul (fneg y) z))", "(fsub x (fmul y z))"],
    ["(fadd (fmul x (fneg y)) z)", "(fsub z (fmul x y))"],
    ["(fsub x (fmul y (fneg z)))", "(fadd x (fmul y z))"],
    ["(flt (fsub x y) 0)", "(flt x y)"],
    ["(flt (fsub x y) -0)", "(flt x y)"],
    ["(flt 0 (fsub x y))", "(flt y x)"],
    ["(flt (fadd x u) 0)", "(flt x (fneg u))"],
    ["(flt -0 (fadd x u))", "(flt (fneg u) x)"],
    // Choices.
    ["(select m x x)", "x"],
    ["(select true x y)", "x"],
    ["(select false x y)", "y"],
    ["(select (not m) x y)", "(select m y x)"],
    ["(select m (select m x y) z)", "(select m x z)"],
    ["(select m x (select m y z))", "(select m x z)"],
    ["(select m false n)", "(and (not m) n)"],
    ["(select m true n)", "(or m n)"],
    ["(select m n false)", "(and m n)"],
    ["(select m n true)", "(or (not m) n)"],
    ["(flush (select m u v))", "(select m (flush u) (flush v))"],
    [
        "(fmul (select m u v) 3)",
        "(select m (fmul u 3) (fmul v 3))",
    ],
    [
        "(fadd (select m u v) (select m u v))",
        "(select m (fadd u u) (fadd v v))",
    ],
    // Masks as words.
    ["(ieq (tobits m) #0)", "(not m)"],
    ["(ieq (tobits m) #-1)", "m"],
    ["(and (tobits m) #5)", "(select m #5 #0)"],
    ["(ieq (tobits (frombits m)) #0)", "(not m)"],
    ["(ieq (tobits (frombits m)) #-1)", "m"],
    ["(xor m true)", "(not m)"],
    ["(frombits (select m #0 #1065353216))", "(select m 0 1)"],
    ["(tobits (select m 1 0))", "(select m #1065353216 #0)"],
    ["(iadd (select m #5 #12) #3)", "(select m #8 #15)"],
    ["(ieq (select m #5 #12) #5)", "m"],
    ["(ieq (select m #5 #12) #12)", "(not m)"],
    ["(ieq (select m #5 #12) #9)", "false"],
    [
        "(or (select m #5 #0) (select n #5 #0))",
        "(select (or m n) #5 #0)",
    ],
    // Denormals that there are not, further back.
    [
        "(flush (fadd (fadd (flush (fmul x x)) (fabs (flush y))) (flush (fmul y y))))",
        "(fadd (fadd (flush (fmul x x)) (fabs (flush y))) (flush (fmul y y)))",
    ],
    // Shifts, and what only some lanes need.
    ["(shl:0 i)", "i"],
    ["(shr_u:0 i)", "i"],
    ["(shr_s:0 i)", "i"],
    ["(shl_by i #0)", "i"],
    ["(shl_by i #31)", "(shl:31 i)"],
    ["(shl_by i #37)", "(shl:5 i)"],
    ["(shr_u_by i #-1)", "(shr_u:31 i)"],
    ["(shr_s_by i #36)", "(shr_s:4 i)"],
    ["(shl:3 #-5)", "#-40"],
    ["(shr_u:28 #-1)", "#15"],
    ["(shr_s:3 #-40)", "#-5"],
    ["(fma 2 3 -2)", "4"],
    ["(slow:sin false x y)", "y"],
];

/// Patterns that look as if they could be replaced, and may not.
const NO_IDENTITIES: &[[&str; 2]] = &[
    ["(fsub x x)", "0"],
    ["(fdiv x x)", "1"],
    ["(fmul x 0)", "0"],
    ["(feq x x)", "true"],
    ["(flt (fsub x y) 1)", "(flt x y)"],
    ["(fle (fsub x y) 0)", "(fle x y)"],
    ["(flt (flush (fsub x y)) 0)", "(flt x y)"],
    ["(fsub (fneg x) y)", "(fneg (fadd x y))"],
    ["(fmul (fadd x x) 0.5)", "x"],
    [
        "(or (select m #5 #2) (select n #5 #2))",
        "(select (or m n) #5 #2)",
    ],
    ["(tobits (fneg (frombits i)))", "i"],
    [
        "(flush (fadd (flush (fmul x y)) (fabs (flush x))))",
        "(fadd (flush (fmul x y)) (fabs (flush x)))",
    ],
];

/// Identities that are not used: what changes from quad to quad is not computed more than once.
const UNUSED: &[[&str; 2]] = &[
    ["(flush (select m u x))", "(select m (flush u) (flush x))"],
    [
        "(fmul (select m x u) 3)",
        "(select m (fmul x 3) (fmul u 3))",
    ],
    ["(flt (fadd x y) 0)", "(flt x (fneg y))"],
];

/// An identity of constants `c` and `d`.
struct Conditional {
    pattern: &'static str,
    /// Whether it is used; `None` where that is not asked.
    when: fn(FloatFormat, f32, f32) -> Option<bool>,
    replacement: &'static str,
}

fn is_power(factor: f32) -> bool {
    factor > 0.0 && crate::size::is_power_of_two(factor.to_bits())
}

fn enlarges(format: FloatFormat, factor: f32) -> bool {
    is_power(factor) && (1.0..=2f32.powi(format.above / 8)).contains(&factor)
}

const CONDITIONAL: &[Conditional] = &[
    Conditional {
        pattern: "(fadd x c)",
        when: |_, c, _| Some(c == 0.0 && c.is_sign_negative()),
        replacement: "x",
    },
    Conditional {
        pattern: "(fsub x c)",
        when: |_, c, _| Some(c == 0.0 && c.is_sign_positive()),
        replacement: "x",
    },
    Conditional {
        pattern: "(fmul x c)",
        when: |_, c, _| Some(c == 1.0),
        replacement: "x",
    },
    Conditional {
        pattern: "(fdiv x c)",
        when: |_, c, _| Some(c == 1.0),
        replacement: "x",
    },
    // A product that does not shrink. Those with zero, NaN and the numbers below 1 are no denormals either.
    Conditional {
        pattern: "(flush (fmul (flush x) c))",
        when: |_, c, _| Some(c.abs() >= 1.0),
        replacement: "(fmul (flush x) c)",
    },
    // Factors that enlarge are joined up to a limit that is far below what would be right.
    Conditional {
        pattern: "(fmul (fmul x c) d)",
        when: |format, c, d| {
            Some(c == 1.0 || d == 1.0 || enlarges(format, c) && enlarges(format, d))
        },
        replacement: "(fmul x (fmul c d))",
    },
    Conditional {
        pattern: "(fadd (fmul x c) (fmul x c))",
        when: |format, c, _| Some(c > 1.0 && enlarges(format, c) && enlarges(format, 2.0)),
        replacement: "(fmul x (fmul c 2))",
    },
    // Doubling what is at most half of another number.
    Conditional {
        pattern: "(fmul (fadd (fmul x c) (fmul x c)) d)",
        when: |_, c, d| (!is_power(c) && d.abs() < 1.0).then_some(c.abs() <= 0.5 && is_power(d)),
        replacement: "(fmul (fmul x c) (fmul 2 d))",
    },
];

/// The variables of texts, with the types of their values.
const VARIABLES: [(&str, Type); 9] = [
    ("x", Type::F32),
    ("y", Type::F32),
    ("z", Type::F32),
    ("u", Type::F32),
    ("v", Type::F32),
    ("i", Type::I32),
    ("j", Type::I32),
    ("m", Type::Mask),
    ("n", Type::Mask),
];

/// Words that tell integers.
const WORDS: [u32; 14] = [
    0,
    1,
    2,
    3,
    4,
    5,
    12,
    31,
    0x7fff_ffff,
    1 << 31,
    0x8000_0001,
    0xffff_fffb,
    0xffff_fffe,
    u32::MAX,
];

/// The number of a variable that a node reads.
fn variable(op: Op) -> Option<usize> {
    if let Op::Uniform(Constant { index, .. }) = op {
        return Some(usize::from(index));
    }
    let Op::Load(Slot::Input { reg, .. } | Slot::Address { reg, .. } | Slot::Predicate { reg }) =
        op
    else {
        return None;
    };
    Some(usize::from(reg))
}

/// Reads a text into a function that is not folded.
struct Reader<'a> {
    maker: Maker,
    tokens: std::vec::IntoIter<&'a str>,
    /// The constants `c` and `d`.
    constants: [u32; 2],
}

impl Reader<'_> {
    fn value(&mut self) -> Value {
        let token = self.tokens.next().expect("the text goes on");
        if token != "(" {
            return self.leaf(token);
        }
        let name = self.tokens.next().expect("an operation has a name");
        let (name, immediate) = name.split_once(':').unwrap_or((name, ""));
        let words = immediate.split(':').filter(|word| !word.is_empty());
        let mut words = Words {
            words: words.collect::<Vec<&str>>().into_iter(),
            ty: Type::F32,
        };
        let op = Op::read(name, &mut words).expect("it is an operation");
        let mut operands = Vec::new();
        while self.tokens.as_slice()[0] != ")" {
            operands.push(self.value());
        }
        self.tokens.next();
        self.maker.push(op, operands.as_slice())
    }

    fn leaf(&mut self, token: &str) -> Value {
        if let Some(number) = VARIABLES.iter().position(|(name, _)| *name == token) {
            let (reg, component) = (number as u8, 0);
            let (op, ty) = match VARIABLES[number] {
                ("u" | "v", ty) => {
                    let index = number as u16;
                    return self
                        .maker
                        .uniform(Op::Uniform(Constant { index, component }), ty);
                }
                (_, Type::I32) => (Op::Load(Slot::Address { reg, component }), Type::I32),
                (_, Type::Mask) => (Op::Load(Slot::Predicate { reg }), Type::Mask),
                (_, ty) => (Op::Load(Slot::Input { reg, component }), ty),
            };
            return self.maker.push_as(op, [], ty);
        }
        let (word, ty) = match (token, token.strip_prefix('#')) {
            ("c", _) => (self.constants[0], Type::F32),
            ("d", _) => (self.constants[1], Type::F32),
            ("true", _) => (u32::MAX, Type::Mask),
            ("false", _) => (0, Type::Mask),
            (_, Some(integer)) => {
                let integer: i64 = integer.parse().expect("it is an integer");
                (integer as u32, Type::I32)
            }
            (_, None) => {
                let number: f32 = token.parse().expect("it is a number");
                (number.to_bits(), Type::F32)
            }
        };
        self.maker.bits(word, ty)
    }
}

/// A function that stores the values of texts.
fn function(format: FloatFormat, texts: &[&str], constants: [u32; 2]) -> Function {
    let mut maker = Maker::new();
    maker.function.format = format;
    for (reg, text) in (0..).zip(texts) {
        let text = text.replace('(', " ( ").replace(')', " ) ");
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let mut reader = Reader {
            maker,
            tokens: tokens.into_iter(),
            constants,
        };
        let value = reader.value();
        maker = reader.maker;
        maker.output(reg, value);
    }
    maker.function
}

/// The function as the builder makes it.
fn folded(function: &Function) -> Function {
    let mut folded = function.clone();
    let (_, rebuild) = PASSES
        .iter()
        .find(|(name, _)| *name == "rebuild")
        .expect("it is a pass");
    rebuild(&mut folded);
    folded
}

/// Whether the two values that a function stores become one.
fn become_one(function: &Function) -> bool {
    let stored = stored(&folded(function));
    stored[0] == stored[1]
}

/// Calls `f` with the words that functions store for each choice of their variables' values, until it returns false. Returns
/// whether it never did.
fn always(
    plain: &Plain,
    functions: &[&Function],
    mut f: impl FnMut(&[u32; 9], &[u32]) -> bool,
) -> bool {
    let floats = plain.floats();
    let used = |number: usize| {
        let mut nodes = functions.iter().flat_map(|function| &function.nodes);
        nodes.any(|node| variable(node.op) == Some(number))
    };
    let domain = |number: usize| match (used(number), VARIABLES[number].1) {
        (false, _) => &[0][..],
        (true, Type::F32) => &floats,
        (true, Type::Mask) => &[0, u32::MAX],
        (true, _) => &WORDS,
    };
    let domains: Vec<&[u32]> = (0..VARIABLES.len()).map(domain).collect();
    let outputs: Vec<Vec<Value>> = functions.iter().map(|function| stored(function)).collect();
    let count: usize = domains.iter().map(|domain| domain.len()).product();
    let (mut words, mut results) = (Vec::new(), Vec::new());
    (0..count).all(|mut choice| {
        let values: [u32; 9] = std::array::from_fn(|number| {
            let domain = domains[number];
            let word = domain[choice % domain.len()];
            choice /= domain.len();
            word
        });
        results.clear();
        for (function, outputs) in functions.iter().zip(&outputs) {
            plain.evaluate(function, &mut words, |op| Some(values[variable(op)?]));
            results.extend(outputs.iter().map(|value| words[value.0 as usize]));
        }
        f(&values, &results)
    })
}

/// Whether a word is the expected one, of the first value that a function stores.
fn is_right(function: &Function, expected: u32, actual: u32) -> bool {
    let is_float = function.node(stored(function)[0]).ty == Type::F32;
    expected == actual || is_float && is_same(expected, actual)
}

/// Whether the two values that a function stores are always the same.
fn are_same(plain: &Plain, function: &Function) -> bool {
    always(plain, &[function], |_, results| {
        is_right(function, results[0], results[1])
    })
}

#[test]
fn identities_hold_and_are_used() {
    for plain in SIX_BITS.map(Plain::new) {
        for texts in IDENTITIES {
            let function = function(plain.format, texts, [0; 2]);
            assert!(are_same(&plain, &function), "{texts:?}");
            assert!(become_one(&function), "{texts:?}\n{}", folded(&function));
        }
        for texts in NO_IDENTITIES.iter().chain(UNUSED) {
            let function = function(plain.format, texts, [0; 2]);
            let holds = UNUSED.contains(texts);
            assert_eq!(are_same(&plain, &function), holds, "{texts:?}");
            assert!(!become_one(&function), "{texts:?}");
        }
    }
}

/// For how many constants an identity would be right, too. It is used where it says, and right there.
fn unused(plain: &Plain, identity: &Conditional) -> usize {
    let texts = [identity.pattern, identity.replacement];
    let words = plain.floats();
    let has_d = identity.pattern.contains(" d)");
    let second = if has_d { &words[..] } else { &[0] };
    let pairs = words
        .iter()
        .flat_map(|&c| second.iter().map(move |&d| [c, d]));
    let is_unused = |&constants: &[u32; 2]| {
        let [c, d] = constants.map(f32::from_bits);
        let Some(is_used) = (identity.when)(plain.format, c, d) else {
            return false;
        };
        let function = function(plain.format, &texts, constants);
        assert_eq!(become_one(&function), is_used, "{texts:?}: {c}, {d}");
        let is_right = are_same(plain, &function);
        assert!(is_right || !is_used, "{texts:?}: {c}, {d}");
        is_right && !is_used
    };
    pairs.filter(is_unused).count()
}

#[test]
fn identities_of_constants_are_used_where_they_are_right() {
    let formats = SIX_BITS.map(Plain::new);
    let mut text = String::new();
    for identity in CONDITIONAL {
        let [first, second] = formats.each_ref().map(|plain| unused(plain, identity));
        if first + second > 0 {
            let _ = writeln!(text, "{}: {first}, {second}", identity.pattern);
        }
    }
    expect![[r#"
        (flush (fmul (flush x) c)): 6, 6
        (fmul (fmul x c) d): 801, 1216
        (fadd (fmul x c) (fmul x c)): 20, 31
        (fmul (fadd (fmul x c) (fmul x c)) d): 376, 511
    "#]]
    .assert_eq(&text);
}

/// All operations on one operand, and on two, by their names.
fn names(operands: usize) -> impl Iterator<Item = (&'static str, Op)> {
    let read = |name: &&'static str| {
        let mut words = Words {
            words: Vec::new().into_iter(),
            ty: Type::F32,
        };
        let op = Op::read(name, &mut words).ok()?;
        matches!(op, Op::Unary(_) | Op::Binary(_)).then_some((*name, op))
    };
    let all = NAMES.iter().filter_map(read);
    all.filter(move |(_, op)| op.row().operands.len() == operands)
}

/// Whether the first operand of an operation may have a type.
fn takes(op: Op, ty: Type) -> bool {
    match op.row().operands[0] {
        Kind::Is(only) => only == ty,
        Kind::Word => [Type::F32, Type::I32, Type::Mask].contains(&ty),
        Kind::Bits => [Type::I32, Type::Mask].contains(&ty),
        Kind::Pixels | Kind::Same => false,
    }
}

/// Variables of the types that an operation takes, with constants of these types.
fn operands(op: Op, floats: &[u32]) -> Vec<(&'static str, Vec<String>)> {
    let numbers = floats
        .iter()
        .map(|&word| f32::from_bits(word))
        .filter(|value| !value.is_nan());
    let numbers = numbers.map(|value| format!("{value:e}"));
    let words = WORDS.map(|word| format!("#{word}"));
    let of = |ty: Type, name, constants: Vec<String>| takes(op, ty).then_some((name, constants));
    let kinds = [
        of(Type::F32, "x", numbers.collect()),
        of(Type::I32, "i", words.into()),
        of(
            Type::Mask,
            "m",
            ["false".to_owned(), "true".to_owned()].into(),
        ),
    ];
    kinds.into_iter().flatten().collect()
}

/// Whether what a text is folded to has the same value as the text. If that is always the value of a variable or a constant
/// and the builder does not know that, the text is a line of `unknown`.
fn check(plain: &Plain, text: &str, unknown: &mut String) {
    let before = function(plain.format, &[text], [0; 2]);
    let after = folded(&before);
    let is_kept = always(plain, &[&before, &after], |_, results| {
        is_right(&before, results[0], results[1])
    });
    assert!(is_kept, "{text}\n{after}");
    let result = after.node(stored(&after)[0]).op;
    if matches!(result, Op::Const(_)) || variable(result).is_some() {
        return;
    }
    let used: Vec<usize> = before
        .nodes
        .iter()
        .filter_map(|node| variable(node.op))
        .collect();
    let is_variable = used.iter().any(|&number| {
        always(plain, &[&before], |values, results| {
            is_right(&before, results[0], values[number])
        })
    });
    let mut first = None;
    let is_constant = always(plain, &[&before], |_, results| {
        is_right(&before, *first.get_or_insert(results[0]), results[0])
    });
    if is_variable || is_constant {
        let _ = writeln!(unknown, "{text}");
    }
}

#[test]
fn operations_on_equal_operands_and_constants_are_folded_where_that_is_known() {
    let [format, _] = SIX_BITS;
    let plain = Plain::new(format);
    let mut unknown = String::new();
    for (name, op) in names(2) {
        for (variable, constants) in operands(op, &plain.floats()) {
            check(
                &plain,
                &format!("({name} {variable} {variable})"),
                &mut unknown,
            );
            for constant in constants {
                check(
                    &plain,
                    &format!("({name} {variable} {constant})"),
                    &mut unknown,
                );
            }
        }
    }
    expect![[r#"
        (fmin x -inf)
        (fmax x inf)
        (flt x -inf)
        (umul_high i #0)
        (umul_high i #1)
        (idiv i #0)
        (idiv i #1)
        (udiv i #0)
        (udiv i #1)
        (irem i #0)
        (irem i #1)
        (irem i #4294967295)
        (urem i #0)
        (urem i #1)
        (imin i #2147483647)
        (imin i #2147483648)
        (imax i #2147483647)
        (imax i #2147483648)
        (umin i #0)
        (umin i #4294967295)
        (umax i #0)
        (umax i #4294967295)
        (ilt i #2147483648)
        (ult i #0)
    "#]]
    .assert_eq(&unknown);
}

/// The patterns that an operation does not change, of all operations on x and on y, though the builder does not know it. It
/// knows none that is changed.
fn unknown(plain: &Plain, op: &str, operands: &[&str]) -> String {
    let is_float =
        |(_, op): &(&str, Op)| takes(*op, Type::F32) && op.row().results == Results::One(Type::F32);
    let pairs = || {
        let others = operands.iter().map(|y| y.replace('x', "y"));
        let others: Vec<String> = others.collect();
        operands.iter().flat_map(move |&x| {
            let seconds = others.clone().into_iter().chain([x.to_owned()]);
            seconds.map(move |y| format!("{x} {y}"))
        })
    };
    let unary = names(1).filter(is_float);
    let unary = unary.flat_map(|(name, _)| operands.iter().map(move |x| format!("({name} {x})")));
    let binary = names(2).filter(is_float).map(|(name, _)| name);
    let binary = binary.chain(["select m"]);
    let binary = binary.flat_map(|name| pairs().map(move |of| format!("({name} {of})")));
    let mut unknown = String::new();
    for pattern in unary.chain(binary).chain(["(tof32 i)".to_owned()]) {
        let texts = [&format!("({op} {pattern})"), &pattern[..]];
        let function = function(plain.format, &texts, [0; 2]);
        let (is_known, is_true) = (become_one(&function), are_same(plain, &function));
        assert!(is_true || !is_known, "{op} {pattern}");
        if is_true && !is_known {
            let _ = writeln!(unknown, "{pattern}");
        }
    }
    unknown
}

#[test]
fn what_is_no_denormal_is_known() {
    let [format, _] = SIX_BITS;
    let operands = ["x", "(flush x)", "(fabs (flush x))", "(flush (fmul x x))"];
    expect![[r#"
        (fsub x x)
        (fsub (flush x) (flush x))
        (fsub (fabs (flush x)) (fabs (flush x)))
        (fsub (flush (fmul x x)) (flush (fmul x x)))
        (fdiv x x)
        (fdiv (flush x) (flush x))
        (fdiv (fabs (flush x)) (fabs (flush x)))
        (fdiv (flush (fmul x x)) (flush (fmul x x)))
    "#]]
    .assert_eq(&unknown(&Plain::new(format), "flush", &operands));
}

#[test]
fn what_has_one_nan_is_known() {
    let [format, _] = SIX_BITS;
    let operands = ["x", "(one_nan x)", "(fneg (one_nan x))"];
    expect![[r#"
        (fmin x (one_nan y))
        (fmin (fneg (one_nan x)) (one_nan y))
        (fmax x (one_nan y))
        (fmax (fneg (one_nan x)) (one_nan y))
    "#]]
    .assert_eq(&unknown(&Plain::new(format), "one_nan", &operands));
}

#[test]
fn constants_are_folded_as_operations_compute() {
    let plain = Plain::new(E4M3);
    let floats = plain.floats();
    for (name, op) in names(1).chain(names(2)) {
        let takes_floats = takes(op, Type::F32);
        let words: &[u32] = if takes_floats { &floats } else { &WORDS };
        for &x in words {
            for &y in words {
                let actual = match (op, x, y) {
                    (Op::Unary(op), x, _) => eval::unary(E4M3, op, x),
                    (Op::Binary(op), x, y) => eval::binary(E4M3, op, x, y),
                    (op, _, _) => unreachable!("{op:?} has other operands"),
                };
                let expected = plain.result(op, &[x, y]);
                let is_float = op.row().results == Results::One(Type::F32);
                let is_right = expected == actual || is_float && is_same(expected, actual);
                assert!(is_right, "{name} {x:x}, {y:x}");
            }
        }
    }
}
