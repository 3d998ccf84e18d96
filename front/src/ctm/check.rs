//! Rules that a line has to keep after it has been read.

use std::ops::Range;

use attila_isa::{CtmModifier, Diagnostics, Remark, code};

use super::opcode::CtmOpcode;
use super::program::{CtmProgram, File, Half, Line, Presubtract, Register, Source, Unit, Value};

/// Registers of which a line can read components of a class.
const REGISTERS: usize = 3;

/// Finds the mistakes in all lines. `complete` says of which lines all halves could be read.
pub(super) fn check(program: &CtmProgram, complete: &[bool], diagnostics: &mut Diagnostics) {
    for (line, is_complete) in program.lines.iter().zip(complete) {
        for half in line.halves() {
            check_half(half, diagnostics);
        }
        if *is_complete {
            check_line(line, diagnostics);
        }
    }
}

/// The rules of a half alone.
fn check_half(half: &Half, diagnostics: &mut Diagnostics) {
    let op = half.opcode;
    if half.modifier == CtmModifier::Raw {
        if !op.is_choice() {
            let message = format!("`{op}` cannot be raw");
            let remark = Remark::new(half.name.clone(), message).code(&code::text::MODIFIER);
            diagnostics.error(remark.help("`raw` keeps the bits of min, max, cnd and cmp"));
        } else if half.saturate {
            let message = "nothing clamps a raw result: `sat` has no effect";
            diagnostics.warn(Remark::new(half.name.clone(), message).code(&code::text::NO_EFFECT));
        }
    }
    if op == CtmOpcode::Nop && (half.modifier != CtmModifier::X1 || half.saturate) {
        let message = "`nop` has no result: its suffixes have no effect";
        diagnostics.warn(Remark::new(half.name.clone(), message).code(&code::text::NO_EFFECT));
    }
    if let Some(destination) = &half.destination {
        let register = destination.register;
        match register.file {
            File::Temporary | File::Output => {}
            File::Constant | File::Input => {
                let noun = register.file.noun();
                let message = format!("`{register}` is {noun}, which cannot be written");
                diagnostics.error(
                    Remark::new(destination.span.clone(), message).code(&code::text::OPERANDS),
                );
            }
        }
    }
    // The line's other half decides about those of `dp`.
    if op != CtmOpcode::Dp {
        check_count(half, op.info().operands, "", diagnostics);
    }
    if op.is_derivative() {
        check_derivative(half, diagnostics);
    }
}

/// The number of operands.
fn check_count(half: &Half, count: usize, beside: &str, diagnostics: &mut Diagnostics) {
    let found = half.sources.len();
    if found != count {
        let span = match half.sources.get(count) {
            Some(first) => first.span.start..half.span.end,
            None => half.span.clone(),
        };
        let s = if count == 1 { "" } else { "s" };
        let op = half.opcode;
        let message = format!("`{op}` has {count} operand{s}{beside}; here are {found}");
        diagnostics.error(Remark::new(span, message).code(&code::text::OPERANDS));
    }
}

/// The first and the last operand of `mdh` and `mdv` are the same register.
fn check_derivative(half: &Half, diagnostics: &mut Diagnostics) {
    let [first, _, last] = &half.sources[..] else {
        return;
    };
    let op = half.opcode;
    let mut registers = Vec::new();
    for source in [first, last] {
        if source.is_whole_register(half.unit) {
            registers.extend(source.value.registers());
            continue;
        }
        let message = format!("the first and the last operand of `{op}` are registers as they are");
        let remark = Remark::new(source.span.clone(), message);
        diagnostics.error(remark.help("a minus and `abs` may stand before the register"));
    }
    if let [first, second] = registers[..]
        && first != second
    {
        let message =
            format!("the first and the last operand of `{op}` are one register, here `{first}`");
        diagnostics.error(Remark::new(last.span.clone(), message));
    }
}

/// The rules of both halves together.
fn check_line(line: &Line, diagnostics: &mut Diagnostics) {
    let rgb = line.rgb.as_ref();
    let alpha = line.alpha.as_ref();
    let is =
        |half: Option<&Half>, rule: fn(CtmOpcode) -> bool| half.is_some_and(|it| rule(it.opcode));
    if let Some(sop) = rgb.filter(|it| it.opcode == CtmOpcode::Sop)
        && !is(alpha, CtmOpcode::is_scalar)
    {
        let message = "`sop` needs an `alpha` half with ex2, ln2, rcp, rsq, sin or cos";
        let remark = Remark::new(sop.name.clone(), message).code(&code::text::OPERANDS);
        diagnostics.error(remark.help("its result is that half's; the half may write to `_`"));
    }
    let is_four = |half: &&Half| half.opcode == CtmOpcode::Dp4;
    if let Some(dp) = alpha.filter(|it| it.opcode == CtmOpcode::Dp) {
        if !is(rgb, CtmOpcode::is_dot_product) {
            let message = "`dp` needs an `rgb` half with dp3, dp4 or d2a";
            diagnostics.error(Remark::new(dp.name.clone(), message).code(&code::text::OPERANDS));
        } else if rgb.is_some_and(|it| is_four(&it)) {
            check_count(dp, 2, " beside `dp4`", diagnostics);
        } else {
            check_count(dp, 0, " beside `dp3` and `d2a`", diagnostics);
        }
    } else if let Some(four) = rgb.filter(is_four) {
        let message =
            "`dp4` needs an `alpha` half with `dp` and the operands of the fourth product";
        let remark = Remark::new(four.name.clone(), message).code(&code::text::OPERANDS);
        diagnostics.error(remark.help("that half may write to `_`"));
    }
    check_limits(line, diagnostics);
}

/// The hardware's limits on the registers and presubtracts of a line.
fn check_limits(line: &Line, diagnostics: &mut Diagnostics) {
    for unit in Unit::ALL {
        let letters = match unit {
            Unit::Rgb => "r, g or b",
            Unit::Alpha => "a",
        };
        let mut registers: Vec<Register> = Vec::new();
        let mut presubtract: Option<Presubtract> = None;
        let mut refuse = |span: &Range<usize>, message: String| {
            diagnostics.error(Remark::new(span.clone(), message));
        };
        let sources = line.halves().flat_map(|half| &half.sources);
        for source in sources.filter(|source: &&Source| source.selects(unit)) {
            let known = registers.len();
            for register in source.value.registers() {
                if !registers.contains(&register) {
                    registers.push(register);
                }
            }
            if registers.len() > REGISTERS && known <= REGISTERS {
                let fourth = registers[REGISTERS];
                let message = format!(
                    "a line reads {letters} of {REGISTERS} registers at most; `{fourth}` is one more"
                );
                refuse(&source.span, message);
            }
            let Value::Presubtract(this) = source.value else {
                continue;
            };
            match presubtract {
                Some(first) if first != this => {
                    let message = format!("a line has one presubtract with {letters} at most");
                    refuse(&source.span, message);
                }
                Some(_) | None => presubtract = Some(this),
            }
        }
    }
}
