//! The instruction set as text: what the table says, for people.

use crate::opcode::{OpFlags, Opcode, OperandKind, ResultKind};

/// How the instruction is written, as `add[_sat] dst, a, b|imm`.
pub fn syntax(op: Opcode) -> String {
    let (suffix, result) = match op.info().result {
        ResultKind::Nothing => ("", None),
        ResultKind::Float => ("[_sat]", Some("dst")),
        ResultKind::Int | ResultKind::Accumulator => ("", Some("dst")),
        ResultKind::Predicate => ("", Some("[!]p")),
    };
    let mut text = format!("{op}{suffix}");
    let mut separator = " ";
    for part in result.map(str::to_owned).into_iter().chain(operands(op)) {
        // An operand that may be left out brings its comma along.
        if !part.starts_with('[') || separator == " " {
            text.push_str(separator);
        }
        text.push_str(&part);
        separator = ", ";
    }
    text
}

/// How each operand is written; those that may be left out in brackets, with their comma.
fn operands(op: Opcode) -> impl Iterator<Item = String> {
    let kinds = op.operands().iter().zip(["a", "b", "c"]).enumerate();
    kinds.map(move |(index, (kind, name))| match kind {
        OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Raw(_) => {
            let immediate = index == 1 && op.has(OpFlags::IMM);
            format!("{name}{}", if immediate { "|imm" } else { "" })
        }
        OperandKind::Bool => format!("{name}?"),
        OperandKind::Unit | OperandKind::Attribute => "tN".to_owned(),
        OperandKind::Sample if op == Opcode::Zxs => "[, sN]".to_owned(),
        OperandKind::Sample => "sN".to_owned(),
        OperandKind::Offset => "label|distance".to_owned(),
        OperandKind::Ignored => format!("[, {name}]"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_lines_follow_the_table() {
        let cases = [
            (Opcode::Nop, "nop"),
            (Opcode::Add, "add[_sat] dst, a, b|imm"),
            (Opcode::Addi, "addi dst, a, b|imm"),
            (Opcode::Mad, "mad[_sat] dst, a, b, c"),
            (Opcode::Setpgt, "setpgt [!]p, a, b|imm"),
            (Opcode::Andp, "andp [!]p, a?, b?"),
            (Opcode::Tex, "tex[_sat] dst, a, tN"),
            (Opcode::Kls, "kls a, sN"),
            (Opcode::Zxs, "zxs a[, sN]"),
            (Opcode::Fxmad, "fxmad[_sat] dst, a, b|imm[, c]"),
            (Opcode::Jmp, "jmp a?, label|distance"),
        ];
        for (op, text) in cases {
            assert_eq!(syntax(op), text);
        }
    }
}
