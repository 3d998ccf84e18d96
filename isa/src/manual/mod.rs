//! The instruction set as text for people, made from the opcode table and the field list.

use std::fmt::Write;

use crate::bank::Bank;
use crate::idioms::{IDIOMS, Idiom};
use crate::opcode::{MNEMONIC_ALIASES, OpFlags, Opcode, OperandKind, ResultKind, Results};
use crate::profile::Profile;
use crate::reads::Reads;
use crate::registers::PREDICATES;
use crate::word::{FIELDS, Field, IMMEDIATE, SCRATCH_BASE, SCRATCH_SIZE};

const TITLE: &str = "\
# The instruction set

Made from the opcode table `isa/src/table.rs` by a test of the crate `attila-isa`, which fails when this page is out of
date; with `UPDATE_EXPECT=1` it writes the page anew. The interpreter, written to be read, says what each instruction
does in every corner.

";

const WORD: &str = "
Bits are counted from the least significant one of the first of two little-endian 64-bit halves. Codes of banks: 0 input,
1 output, 2 constants 0-255, 3 temporary, 4 address, 5 constants 256-511, 6 immediate, 7 none. A swizzle has two bits per
slot, x in the highest; a write mask one bit per component, x in the highest. Fields that an instruction does not use may
hold anything.

";

const INSTRUCTIONS: &str = "
## Instructions

Of an operand the slots are read that are named beside its type; if none are, those that the write mask names.

";

const FOREIGN: &str = "
## Instructions of other languages

The assembler says this about names that are not among the above, or not in the base profile. Results are in `r0`, `p0` or `a0`, which are not among
the operands; `r9` stands for a temporary that is free.

| names | result | lines |
|---|---|---|
";

/// How the instruction is written, as `add[_sat] dst, a, b|imm`.
pub fn syntax(op: Opcode) -> String {
    let results = op.info().results;
    let suffix = match (results.is_float(), op.info().profile) {
        (false, _) => "",
        (true, Profile::Base) => "[_sat]",
        (true, Profile::Extended) => "[_sat|_satn]",
    };
    let second = results.also_predicate.then_some("[, p]");
    let register = results.register.map(|_| "dst");
    let predicate = results.predicate.then_some("[!]p");
    let scratch = results.scratch.then_some("sN[M]");
    let storage = results.storage.then_some("uN");
    let has = |kind| op.operands().contains(&kind);
    let level = if op == Opcode::Xtex { "[_lz]" } else { "" };
    let offset = if has(OperandKind::Texels) { "[_o]" } else { "" };
    let gather = if op == Opcode::Tg4 {
        "[.component]"
    } else {
        ""
    };
    let mut text = format!("{op}{level}{offset}{suffix}{gather}");
    let mut separator = " ";
    let named = [register, second, predicate, scratch, storage];
    let named = named.into_iter().flatten();
    let named = named.map(str::to_owned);
    let texture = op.names_target().then(|| "tN.target".to_owned());
    for part in named.chain(operands(op)).chain(texture) {
        // An operand that may be left out brings its comma along.
        if !part.starts_with("[,") {
            text.push_str(separator);
        }
        text.push_str(&part);
        separator = ", ";
    }
    text
}

/// How each operand is written; those that may be left out in brackets, with their comma.
fn operands(op: Opcode) -> impl Iterator<Item = String> {
    let kinds = op.operands().iter().zip(NAMES).enumerate();
    let is_index = move |index: usize| op.operands().get(index + 1) == Some(&OperandKind::Scratch);
    let stores = op.info().results.storage;
    let kinds = kinds.filter(move |(_, (kind, _))| {
        let elsewhere = stores && matches!(kind, OperandKind::Storage);
        let silent = matches!(
            kind,
            OperandKind::Absent | OperandKind::Scratch | OperandKind::Number
        );
        !elsewhere && !silent
    });
    let written = move |index, kind, name: &str| match kind {
        OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Raw(_) => {
            let immediate = index == 1 && op.has(OpFlags::IMM);
            format!("{name}{}", if immediate { "|imm" } else { "" })
        }
        OperandKind::OptionalFloat(_) => format!("[, {name}]"),
        OperandKind::Double(_) => name.to_owned(),
        OperandKind::Texels => "[, offset]".to_owned(),
        OperandKind::Gradients => name.to_owned(),
        OperandKind::Absent | OperandKind::Scratch | OperandKind::Number => String::new(),
        OperandKind::Input => "iN".to_owned(),
        OperandKind::Index => format!("[, [N|{name}|{name} + N|{name} - N]]"),
        OperandKind::Bool => format!("{name}?"),
        OperandKind::Unit | OperandKind::Attribute => "tN".to_owned(),
        OperandKind::Sample if op == Opcode::Zxs => "[, sN]".to_owned(),
        OperandKind::Stream | OperandKind::Sample => "sN".to_owned(),
        OperandKind::Buffer => "bN".to_owned(),
        OperandKind::Storage => "uN".to_owned(),
        OperandKind::Offset => "label|distance".to_owned(),
        OperandKind::Ignored => format!("[, {name}]"),
    };
    kinds.map(move |(index, (&kind, name))| match is_index(index) {
        true => format!("sN[M][{}]", written(index, kind, name)),
        false => written(index, kind, name),
    })
}

/// Names of the operands in the semantics.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// Everything that the table says about the instruction, in several lines.
pub fn help(op: Opcode) -> String {
    let mut text = format!("{}\n\n{}\n\n", syntax(op), op.info().doc);
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            writeln!(text, "{name:9} {value}").expect("strings take everything");
        }
    };
    line("code", &format!("{:02x}h", op.code()));
    for (kind, name) in op.operands().iter().zip(NAMES) {
        line(name, &operand(*kind));
    }
    line("result", &result(op.info().results));
    line("notes", &notes(op).join(", "));
    line("alias", &aliases(op).join(", "));
    text
}

/// The whole page `docs/isa.md`.
pub fn reference() -> String {
    let mut page = TITLE.to_owned();
    page += "## Instruction word\n\n| bits | field |\n|---|---|\n";
    for field in FIELDS {
        page += &format!("| {} | {} |\n", bits(*field), field.name);
    }
    let immediate = bits(IMMEDIATE);
    page += &format!(
        "| {immediate} | {}, instead of operands 2 and 3 |\n",
        IMMEDIATE.name
    );
    for field in [SCRATCH_BASE, SCRATCH_SIZE] {
        let (bits, name) = (bits(field), field.name);
        page += &format!("| {bits} | {name}, of instructions that name scratch memory |\n");
    }
    page += WORD;
    page += "## Registers\n\n| names | extended profile | bank | access |\n|---|---|---|---|\n";
    for bank in Bank::ALL {
        page += &register_row(bank);
    }
    let last = PREDICATES - 1;
    page += &format!("| `p0`-`p{last}` | `p0`-`p{last}` | predicates | ");
    page += "as guards, truth values and results of comparisons |\n\n";
    page += include_str!("assembly.md");
    page += INSTRUCTIONS;
    page +=
        "| code | syntax | what it does | operands | result | notes |\n|---|---|---|---|---|---|\n";
    for op in Opcode::ALL {
        page += &row(*op);
    }
    page += FOREIGN;
    for idiom in IDIOMS {
        page += &idiom_row(idiom);
    }
    page
}

fn idiom_row(idiom: &Idiom) -> String {
    let code = |texts: &[&str], separator| {
        let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
        quoted.join(separator)
    };
    table_row([
        code(idiom.names, " "),
        idiom.result.trim_end_matches(',').to_owned(),
        code(idiom.lines, "<br>"),
    ])
}

/// A row of a table. A bar would end the cell, in code as well.
fn table_row<const N: usize>(cells: [String; N]) -> String {
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

fn bits(field: Field) -> String {
    match field.width {
        1 => field.low.to_string(),
        width => format!("{}-{}", field.low, field.low + width - 1),
    }
}

fn register_row(bank: Bank) -> String {
    let (name, access) = match bank {
        Bank::Input => ("inputs", "read"),
        Bank::Output => ("outputs", "written"),
        Bank::Constant => (
            "constants",
            "read, relative to an address register if need be",
        ),
        Bank::Temp => ("temporaries", "read and written"),
        Bank::Address => ("address registers, integers", "read and written"),
    };
    let letter = bank.letter();
    let names = |profile| format!("`{letter}0`-`{letter}{}`", bank.size(profile) - 1);
    let (base, extended) = (names(Profile::Base), names(Profile::Extended));
    format!("| {base} | {extended} | {name} | {access} |\n")
}

fn row(op: Opcode) -> String {
    let kinds = op.operands().iter().zip(NAMES);
    let kinds =
        kinds.filter(|(kind, _)| !matches!(kind, OperandKind::Absent | OperandKind::Number));
    let kinds = kinds.map(|(kind, name)| format!("{name}: {}", operand(*kind)));
    let notes = notes(op).into_iter().map(str::to_owned);
    let aliases = aliases(op)
        .into_iter()
        .map(|alias| format!("alias `{alias}`"));
    table_row([
        format!("{:02X}", op.code()),
        format!("`{}`", syntax(op)),
        op.info().doc.to_owned(),
        kinds.collect::<Vec<_>>().join("; "),
        result(op.info().results),
        notes.chain(aliases).collect::<Vec<_>>().join(", "),
    ])
}

fn operand(kind: OperandKind) -> String {
    match kind {
        OperandKind::Float(reads) => format!("float{}", slots(reads)),
        OperandKind::Int(reads) => format!("integer{}", slots(reads)),
        OperandKind::Double(reads) => format!("double{}", slots(reads)),
        OperandKind::Raw(reads) => format!("bits{}", slots(reads)),
        OperandKind::Bool => "truth value".to_owned(),
        OperandKind::Unit => "texture unit".to_owned(),
        OperandKind::Attribute => "vertex attribute".to_owned(),
        OperandKind::Stream => "stream".to_owned(),
        OperandKind::Sample => "sample".to_owned(),
        OperandKind::Scratch => "scratch memory".to_owned(),
        OperandKind::Buffer => "constant buffer".to_owned(),
        OperandKind::Storage => "storage buffer".to_owned(),
        OperandKind::Input => "input".to_owned(),
        OperandKind::Index => "integer w, or absent, and a number".to_owned(),
        OperandKind::Number => "number".to_owned(),
        OperandKind::Offset => "distance".to_owned(),
        OperandKind::Ignored => "not read".to_owned(),
        OperandKind::OptionalFloat(reads) => format!("float{}, or absent", slots(reads)),
        OperandKind::Texels => "integer xyz, with `_o`".to_owned(),
        OperandKind::Gradients => "float xyz of this temporary and the next".to_owned(),
        OperandKind::Absent => String::new(),
    }
}

/// The slots that are read; nothing for those that are written, which are the rule.
fn slots(reads: Reads) -> &'static str {
    match reads {
        Reads::Written => "",
        Reads::X => " x",
        Reads::Z => " z",
        Reads::W => " w",
        Reads::YZ => " yz",
        Reads::YW => " yw",
        Reads::XY => " xy",
        Reads::XYZ => " xyz",
        Reads::XYW => " xyw",
        Reads::XYZW => " xyzw",
        Reads::Halves => " x, y for zw",
        Reads::Lows => " x, z for zw",
        Reads::Pairs => " xy, and zw for the second component",
    }
}

fn result(results: Results) -> String {
    let register = results.register.map(|kind| match kind {
        ResultKind::Float => "float",
        ResultKind::Int => "integer",
        ResultKind::Double => "double",
        ResultKind::Accumulator => "accumulator, masked like `dst`",
    });
    let predicate = results.predicate.then_some("predicate");
    let scratch = results.scratch.then_some("scratch memory, masked");
    let storage = results.storage.then_some("storage buffer, masked");
    let second = results.also_predicate.then_some("predicate if named");
    let parts = [register, second, predicate, scratch, storage];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    parts.join(", ")
}

fn notes(op: Opcode) -> Vec<&'static str> {
    let notes = [
        (OpFlags::APPROX, "approximate, at most 2 ulp off"),
        (OpFlags::TEXTURE, "asks the texture unit"),
        (OpFlags::EMIT, "geometry programs only"),
        (OpFlags::QUAD, "reads all four lanes"),
        (OpFlags::KILL, "may kill"),
        (OpFlags::DEPTH, "exports depth"),
        (OpFlags::PRODUCT, "`_z` in the extended profile"),
        (OpFlags::CHOICE, "`_raw` in the extended profile"),
        (OpFlags::EVALUATE, "fragment programs only"),
    ];
    let set = notes.into_iter().filter(|(flag, _)| op.has(*flag));
    let profile = match op.info().profile {
        Profile::Base => None,
        Profile::Extended => Some("extended profile"),
    };
    set.map(|(_, note)| note).chain(profile).collect()
}

fn aliases(op: Opcode) -> Vec<&'static str> {
    let aliases = MNEMONIC_ALIASES.iter().filter(|(_, of)| *of == op);
    aliases.map(|(alias, _)| *alias).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, expect_file};

    #[test]
    fn the_page_in_the_documentation_is_up_to_date() {
        expect_file!["../../../docs/isa.md"].assert_eq(&reference());
    }

    #[test]
    fn help_says_what_the_table_says() {
        expect![[r#"
            stpgti [!]p, a, b|imm

            Predicate `a > b` on signed integers.

            code      23h
            a         integer w
            b         integer w
            result    predicate
            alias     setpgti
        "#]]
        .assert_eq(&help(Opcode::Stpgti));
        expect![[r#"
            txp[_sat] dst, a, tN

            Samples a texture unit at xyz / w.

            code      28h
            a         float xyzw
            b         texture unit
            result    float
            notes     asks the texture unit, reads all four lanes
        "#]]
        .assert_eq(&help(Opcode::Txp));
        expect![[r#"
            nop

            Does nothing.

            code      00h
        "#]]
        .assert_eq(&help(Opcode::Nop));
    }

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
