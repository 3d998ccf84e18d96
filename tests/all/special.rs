//! Values at which arithmetic changes its ways: the cases of `tests/cases/` have each of them as an operand of every
//! row of the extended profile that takes such values.

use std::collections::{BTreeMap, BTreeSet};
use std::num::FpCategory;

use attila_conformance::Case;
use attila_shader::isa::{
    Bank, Component, Inst, Opcode, Operand, OperandKind, Profile, Program, Section,
};
use attila_shader::machine::{LANES, QuadState, StateName};
use attila_shader::{Interp, TracePoint, Tracer};

use crate::cases;
use crate::common::case;

/// The values that a row has been seen with.
type Seen = BTreeMap<Opcode, BTreeSet<&'static str>>;

/// The class of a float.
fn float_class(bits: u32) -> Option<&'static str> {
    let number = f32::from_bits(bits);
    class(number.classify(), number.is_sign_negative())
}

/// The class of a double.
fn double_class([low, high]: [u32; 2]) -> Option<&'static str> {
    let number = f64::from_bits(u64::from(high) << 32 | u64::from(low));
    class(number.classify(), number.is_sign_negative())
}

fn class(category: FpCategory, is_negative: bool) -> Option<&'static str> {
    Some(match (category, is_negative) {
        (FpCategory::Nan, _) => "NaN",
        (FpCategory::Infinite, false) => "inf",
        (FpCategory::Infinite, true) => "-inf",
        (FpCategory::Zero, false) => "0",
        (FpCategory::Zero, true) => "-0",
        (FpCategory::Subnormal, _) => "denormal",
        (FpCategory::Normal, _) => return None,
    })
}

const NUMBERS: [&str; 6] = ["NaN", "inf", "-inf", "0", "-0", "denormal"];
const BY_ZERO: &str = "division by 0";
const SMALLEST: &str = "the smallest integer by -1";
const COUNT_32: &str = "a count of 32";
const COUNT_255: &str = "a count of 255";

/// Operands that are counts of bits.
fn counts(op: Opcode) -> &'static [usize] {
    if [Opcode::Shl, Opcode::Ishr, Opcode::Ushr].contains(&op) {
        &[1]
    } else if [Opcode::Ibfe, Opcode::Ubfe].contains(&op) {
        &[1, 2]
    } else if op == Opcode::Bfm {
        &[0, 1]
    } else {
        &[]
    }
}

fn divides(op: Opcode) -> bool {
    [Opcode::Idiv, Opcode::Udiv, Opcode::Imod, Opcode::Umod].contains(&op)
}

/// The values that cases have to have for a row.
fn wanted(op: Opcode) -> Vec<&'static str> {
    let mut wanted = Vec::new();
    let kinds = op.operands();
    let computes = matches!(
        op.section(),
        Section::Vector(_)
            | Section::Scalar(_)
            | Section::Mask(_)
            | Section::Convert(_)
            | Section::Double(_)
    );
    let has_numbers = kinds
        .iter()
        .any(|kind| matches!(kind, OperandKind::Float(_) | OperandKind::Double(_)));
    if computes && has_numbers {
        wanted.extend(NUMBERS);
    }
    if divides(op) {
        wanted.push(BY_ZERO);
    }
    if [Opcode::Idiv, Opcode::Imod].contains(&op) {
        wanted.push(SMALLEST);
    }
    if !counts(op).is_empty() {
        wanted.extend([COUNT_32, COUNT_255]);
    }
    wanted
}

/// Notes the operands of each instruction that runs.
struct Notes<'a> {
    case: &'a Case,
    seen: &'a mut Seen,
}

impl Notes<'_> {
    /// An operand's words by lane and slot, with its signs as a float or a double has them.
    fn words(&self, state: &QuadState, inst: &Inst, number: usize) -> [[u32; 4]; LANES] {
        if let Operand::Imm(immediate) = inst.operands[number] {
            return [[immediate.bits; 4]; LANES];
        }
        let Operand::Reg(source) = inst.operands[number] else {
            return [[0; 4]; LANES];
        };
        let constant = self.case.constants.get(&source.reg.index());
        let is_double = matches!(inst.op.operands()[number], OperandKind::Double(_));
        std::array::from_fn(|lane| {
            let register = match source.reg.bank() == Bank::Constant {
                true => constant.copied().unwrap_or_default().to_vec(),
                false => StateName::Register(source.reg).values(state, lane),
            };
            Component::ALL.map(|slot| {
                let word = register[source.swizzle.source(slot).index()];
                if is_double && slot.index() % 2 == 0 {
                    return word;
                }
                let magnitude = match source.modifiers.absolute {
                    true => word & !(1 << 31),
                    false => word,
                };
                magnitude ^ u32::from(source.modifiers.negate) << 31
            })
        })
    }

    fn note(&mut self, op: Opcode, what: Option<&'static str>) {
        self.seen.entry(op).or_default().extend(what);
    }

    fn numbers(&mut self, at: TracePoint<'_>) {
        let inst = at.inst;
        for (number, kind) in inst.op.operands().iter().enumerate() {
            let Some(slots) = kind.reads(inst.written()) else {
                continue;
            };
            for lane in self.words(at.state, inst, number) {
                if matches!(kind, OperandKind::Float(_)) {
                    let slots = slots.components();
                    slots.for_each(|slot| self.note(inst.op, float_class(lane[slot.index()])));
                } else if matches!(kind, OperandKind::Double(_)) {
                    for pair in [0, 2]
                        .into_iter()
                        .filter(|at| slots.has(Component::ALL[*at]))
                    {
                        self.note(inst.op, double_class([lane[pair], lane[pair + 1]]));
                    }
                }
            }
        }
    }

    fn integers(&mut self, at: TracePoint<'_>) {
        let (inst, op) = (at.inst, at.inst.op);
        let plain = |number| {
            let mut unsigned = *inst;
            if let Operand::Reg(source) = &mut unsigned.operands[number] {
                source.modifiers = Default::default();
            }
            unsigned
        };
        for component in inst.written().components().map(Component::index) {
            for &number in counts(op) {
                for lane in self.words(at.state, &plain(number), number) {
                    match lane[component] {
                        32 => self.note(op, Some(COUNT_32)),
                        255 => self.note(op, Some(COUNT_255)),
                        _ => {}
                    }
                }
            }
            if divides(op) {
                let [a, b] = [0, 1].map(|number| self.words(at.state, &plain(number), number));
                for lane in 0..LANES {
                    match (a[lane][component], b[lane][component]) {
                        (_, 0) => self.note(op, Some(BY_ZERO)),
                        (0x8000_0000, u32::MAX) => self.note(op, Some(SMALLEST)),
                        (..) => {}
                    }
                }
            }
        }
    }
}

impl Tracer for Notes<'_> {
    fn before(&mut self, at: TracePoint<'_>) {
        self.numbers(at);
        self.integers(at);
    }

    fn after(&mut self, _: TracePoint<'_>) {}
}

#[test]
fn every_extended_row_has_cases_with_all_values_that_are_special_to_it() {
    let mut seen = Seen::new();
    for text in cases::texts() {
        let (case, _) = case(&text);
        let mut quads = case.quads.clone();
        let mut notes = Notes {
            case: &case,
            seen: &mut seen,
        };
        // Cases with images have no arithmetic of interest, and do not run without.
        let _ = Interp.run_traced(&case.program, &case.bindings(), &mut quads, &mut notes);
    }
    let base: BTreeSet<Opcode> = Profile::Base.opcodes().collect();
    let rows = Opcode::ALL.iter().filter(|op| !base.contains(op));
    let none = BTreeSet::new();
    let missing: Vec<String> = rows
        .filter_map(|op| {
            let seen = seen.get(op).unwrap_or(&none);
            let missing: Vec<&str> = wanted(*op)
                .into_iter()
                .filter(|it| !seen.contains(it))
                .collect();
            (!missing.is_empty()).then(|| format!("{op}: {}", missing.join(", ")))
        })
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// The swizzles that keep both halves of doubles side by side.
const WHOLE: [&str; 4] = ["xyzw", "zwxy", "xyxy", "zwzw"];

/// Whether a text with this swizzle at an operand of a row is a program.
fn is_taken(op: Opcode, operand: usize, swizzle: &str) -> bool {
    let operands = (0..op.operands().len()).map(|number| match number == operand {
        true => format!("r{}.{swizzle}", number + 2),
        false => format!("r{}", number + 2),
    });
    let operands: Vec<String> = operands.collect();
    let text = format!(".extended\n{op} r1.xy, {}\nend", operands.join(", "));
    Program::assemble(&text).is_ok()
}

#[test]
fn swizzles_that_take_doubles_apart_are_refused() {
    let letters = ["x", "y", "z", "w"];
    let swizzles: Vec<String> = (0..256)
        .map(|n| [0, 2, 4, 6].map(|at| letters[n >> at & 3]).concat())
        .collect();
    let mut rows = 0;
    for op in Opcode::ALL {
        for (number, kind) in op.operands().iter().enumerate() {
            if !matches!(kind, OperandKind::Double(_)) {
                continue;
            }
            rows += 1;
            for swizzle in &swizzles {
                let is_whole = WHOLE.contains(&swizzle.as_str());
                let taken = is_taken(*op, number, swizzle);
                assert_eq!(taken, is_whole, "operand {number} of {op} with .{swizzle}");
            }
        }
    }
    assert!(rows > 30, "{rows}");
}
