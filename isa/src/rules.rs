//! The rules that every row of the opcode table keeps. A row that breaks one does not compile.

use crate::opcode::{MNEMONIC_ALIASES, OpFlags, OpInfo, Opcode, OperandKind, Section};
use crate::profile::Profile;
use crate::reads::Reads;

const _: () = {
    let mut index = 0;
    while index < Opcode::ALL.len() {
        let row = Opcode::ALL[index].info();
        check_code(row);
        check_spelling(row);
        check_operands(row);
        check_flags(row);
        check_section(Opcode::ALL[index].section(), row);
        if index > 0 {
            assert!(
                Opcode::ALL[index - 1].info().code < row.code,
                "two rows have the same code"
            );
        }
        let mut other = 0;
        while other < index {
            let name = Opcode::ALL[other].info().mnemonic;
            assert!(!same(name, row.mnemonic), "two rows have the same mnemonic");
            other += 1;
        }
        index += 1;
    }
};

const _: () = {
    let mut index = 0;
    while index < MNEMONIC_ALIASES.len() {
        let (alias, _) = MNEMONIC_ALIASES[index];
        let mut row = 0;
        while row < Opcode::ALL.len() {
            let mnemonic = Opcode::ALL[row].info().mnemonic;
            assert!(!same(mnemonic, alias), "an alias is a mnemonic");
            row += 1;
        }
        index += 1;
    }
};

/// The codes that base programs may have.
const fn check_code(row: &OpInfo) {
    match row.profile {
        Profile::Base => assert!(row.code < 0x38, "base opcodes have codes 00h to 37h"),
        Profile::Extended => assert!(row.code >= 0x38, "extended opcodes have codes from 38h"),
    }
}

/// Mnemonics are words in lower case, to which suffixes are added; sentences have an end.
const fn check_spelling(row: &OpInfo) {
    let name = row.mnemonic.as_bytes();
    let mut index = 0;
    while index < name.len() {
        let byte = name[index];
        let within = byte.is_ascii_digit() || byte == b'_';
        let fits = byte.is_ascii_lowercase() || (index > 0 && within);
        assert!(fits, "a mnemonic is not a word in lower case");
        index += 1;
    }
    assert!(!name.is_empty(), "a row has no mnemonic");
    assert!(
        matches!(row.doc.as_bytes(), [.., b'.']),
        "a row's sentence does not end in a full stop"
    );
}

/// The word has fields for three operands; a distance takes those of the second and the third.
const fn check_operands(row: &OpInfo) {
    assert!(row.operands.len() <= 3, "a row has too many operands");
    let mut index = 0;
    while index < row.operands.len() {
        match row.operands[index] {
            OperandKind::Float(_)
            | OperandKind::Int(_)
            | OperandKind::Double(_)
            | OperandKind::Raw(_) => {}
            OperandKind::OptionalFloat(_) | OperandKind::Gradients | OperandKind::Absent => {
                assert!(index == 1, "operand 2 is the parameter of a texture query");
            }
            OperandKind::Texels => assert!(index == 2, "operand 3 is the offset in texels"),
            OperandKind::Bool => assert!(index < 2, "operand 3 is never a truth value"),
            OperandKind::Unit
            | OperandKind::Attribute
            | OperandKind::Stream
            | OperandKind::Sample
            | OperandKind::Buffer
            | OperandKind::Storage => {}
            OperandKind::Scratch => assert!(index == 1, "operand 1 is the index"),
            OperandKind::Input | OperandKind::Index => {
                assert!(index == 0, "inputs and numbers of samples are operand 1");
            }
            OperandKind::Number => assert!(index == 1, "operand 2 is added to the index"),
            OperandKind::Offset => assert!(index == 1, "operand 2 is the distance"),
            OperandKind::Ignored => assert!(index == 2, "only operand 3 is ignored"),
        }
        index += 1;
    }
    if row.results.also_predicate {
        // The word has the predicate in place of operand 3.
        assert!(row.operands.len() <= 2, "a second result leaves no room");
        assert!(row.results.register.is_some(), "there is no first result");
    }
    if row.results.storage {
        let fits = matches!(row.operands, [_, OperandKind::Storage, ..]);
        assert!(fits, "operand 2 is the storage buffer that is written");
    }
    if row.results.scratch || names(row, OperandKind::Scratch) {
        // The word has the array in place of operand 3 and of the relative address.
        let fits = matches!(row.operands, [OperandKind::Int(Reads::X), _]);
        assert!(fits, "operand 1 is the index, and there is no operand 3");
        assert!(
            !row.flags.contains(OpFlags::IMM),
            "an array leaves no room for an immediate"
        );
    }
}

/// Immediates take the place of operands 2 and 3; textures are asked through units.
const fn check_flags(row: &OpInfo) {
    if row.flags.contains(OpFlags::IMM) {
        let fits = matches!(
            row.operands,
            [_, OperandKind::Float(_) | OperandKind::Int(_), ..]
        );
        assert!(fits, "operand 2 cannot be an immediate");
        assert!(
            matches!(row.operands, [_, _] | [_, _, OperandKind::Ignored]),
            "an immediate leaves no room for operand 3"
        );
    }
    assert!(
        names(row, OperandKind::Unit)
            == (row.flags.contains(OpFlags::TEXTURE) && matches!(row.profile, Profile::Base)),
        "a unit and the flag TEXTURE come together in base rows"
    );
    if row.flags.contains(OpFlags::PRODUCT) {
        assert!(row.results.is_float(), "a product is a float");
    }
    if row.flags.contains(OpFlags::APPROX) {
        assert!(row.results.is_float(), "an approximation is a float");
    }
}

/// Sections say by their names what a row writes or names.
const fn check_section(section: Section, row: &OpInfo) {
    let fits = match section {
        Section::Predicate(_) => row.results.predicate && row.results.register.is_none(),
        Section::Texture(_) => {
            row.flags.contains(OpFlags::TEXTURE) || names(row, OperandKind::Attribute)
        }
        Section::Geometry(_) => row.flags.contains(OpFlags::EMIT),
        Section::Memory(_) => {
            let names = names(row, OperandKind::Scratch) || names(row, OperandKind::Buffer);
            names || row.results.scratch
        }
        Section::Flow(_) => {
            let results = row.results;
            let memory = results.scratch || results.storage;
            results.register.is_none() && !results.predicate && !memory
        }
        Section::Vector(_) | Section::Scalar(_) => row.results.is_float(),
        Section::Integer(_) | Section::Mask(_) | Section::Bits(_) | Section::Convert(_) => {
            row.results.register.is_some()
        }
        Section::Samples(_) => {
            let asks = OpFlags::SAMPLES.union(OpFlags::EVALUATE);
            row.flags.intersects(asks) && row.results.register.is_some()
        }
        Section::Storage(_) => names(row, OperandKind::Storage),
        Section::Double(_) => {
            row.results.is_double() || names(row, OperandKind::Double(Reads::Pairs))
        }
        Section::Export(_) | Section::Fixed(_) => !row.results.predicate,
    };
    assert!(fits, "a row is not in its section");
}

/// Whether an operand is of a kind: a unit, an attribute, scratch memory, a buffer, f64 in pairs.
const fn names(row: &OpInfo, kind: OperandKind) -> bool {
    let mut index = 0;
    while index < row.operands.len() {
        if matches!(
            (row.operands[index], kind),
            (OperandKind::Unit, OperandKind::Unit)
                | (OperandKind::Attribute, OperandKind::Attribute)
                | (OperandKind::Scratch, OperandKind::Scratch)
                | (OperandKind::Buffer, OperandKind::Buffer)
                | (OperandKind::Storage, OperandKind::Storage)
                | (
                    OperandKind::Double(Reads::Pairs),
                    OperandKind::Double(Reads::Pairs)
                )
        ) {
            return true;
        }
        index += 1;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
