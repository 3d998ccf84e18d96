//! [`Operation`]: the instructions of all languages, from their tables.

use attila_shader::front::{agal, arb, ctm, tgsi};
use attila_shader::isa::{MNEMONIC_ALIASES, Opcode, manual};

use crate::dialect::Dialect;

/// An instruction of a language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// How it is written, as `mad[_sat] dst, a, b, c`.
    pub syntax: String,
    /// The computation, in one sentence.
    pub doc: &'static str,
    /// The row of ATTILA's table, in assembly.
    pub opcode: Option<Opcode>,
}

/// Names of sources.
const SOURCES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The instructions of a language, in the order of its table.
pub fn operations(dialect: Dialect) -> Vec<Operation> {
    match dialect {
        Dialect::Assembly => {
            let rows = Opcode::ALL.iter().map(|op| (op.mnemonic(), *op));
            let all = rows.chain(MNEMONIC_ALIASES.iter().copied());
            all.map(|(name, op)| assembly(name, op)).collect()
        }
        Dialect::Arb => arb::OPCODES.iter().map(of_arb).collect(),
        Dialect::Tgsi => tgsi::OPCODES.iter().map(of_tgsi).collect(),
        Dialect::Agal => agal::OPCODES.iter().map(of_agal).collect(),
        Dialect::Ctm => ctm::OPCODES.iter().map(of_ctm).collect(),
    }
}

/// The instruction that a word of a text names, suffixes included.
pub(crate) fn find(dialect: Dialect, word: &str) -> Option<Operation> {
    match dialect {
        Dialect::Assembly => {
            let op = opcode(word)?;
            Some(assembly(op.mnemonic(), op))
        }
        Dialect::Arb => {
            let name = word.strip_suffix("_SAT").unwrap_or(word);
            arb::OPCODES.iter().find(|row| row.name == name).map(of_arb)
        }
        Dialect::Tgsi => {
            let found = stems(word).find_map(tgsi::TgsiOpcode::find)?;
            Some(of_tgsi(found.opcode.info()))
        }
        Dialect::Agal => agal::OPCODES
            .iter()
            .find(|row| row.name == word)
            .map(of_agal),
        Dialect::Ctm => ctm::OPCODES.iter().find(|row| row.name == word).map(of_ctm),
    }
}

/// The opcode that a word of assembly names, whatever its suffixes are.
pub(crate) fn opcode(word: &str) -> Option<Opcode> {
    stems(word).find_map(Opcode::from_mnemonic)
}

/// A word, and what is left of it without its suffixes, one by one.
fn stems(word: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(word), |word| Some(word.rsplit_once('_')?.0))
}

fn assembly(name: &'static str, op: Opcode) -> Operation {
    Operation {
        name,
        syntax: manual::syntax(op),
        doc: op.info().doc,
        opcode: Some(op),
    }
}

/// `name dst, a, b` and what else there is.
fn line(name: &str, parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    match parts.is_empty() {
        true => name.to_owned(),
        false => format!("{name} {}", parts.join(", ")),
    }
}

/// The first so many sources.
fn sources(count: usize) -> impl Iterator<Item = String> {
    SOURCES.iter().take(count).map(|&name| name.to_owned())
}

fn of_arb(row: &'static arb::ArbOpcodeInfo) -> Operation {
    let words = |words: &[&str]| words.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let dst = || words(&["dst"]).into_iter();
    let parts = match row.form {
        arb::Form::Vectors(count) => dst().chain(sources(count)).collect(),
        arb::Form::Scalars(count) => {
            let scalars = sources(count).map(|name| name + ".component");
            dst().chain(scalars).collect()
        }
        arb::Form::Selectors => words(&["dst", "a", "x", "y", "z", "w"]),
        arb::Form::Sample => words(&["dst", "a", "texture[n]", "target"]),
        arb::Form::Kill => words(&["a"]),
        arb::Form::Address => words(&["dst.x", "a.component"]),
    };
    let suffix = if row.opcode.has_saturated_form() {
        "[_SAT]"
    } else {
        ""
    };
    Operation {
        name: row.name,
        syntax: line(&format!("{}{suffix}", row.name), parts),
        doc: row.doc,
        opcode: None,
    }
}

fn of_tgsi(row: &'static tgsi::TgsiOpcodeInfo) -> Operation {
    let results = match row.form.results.len() {
        0 | 1 => vec!["dst".to_owned(); row.form.results.len()],
        count => (1..=count).map(|number| format!("dst{number}")).collect(),
    };
    let mut names = SOURCES.iter();
    let sources = row.form.sources.iter().map(|source| match source {
        tgsi::Operand::Value(..) => names.next().map_or("a", |name| *name).to_owned(),
        tgsi::Operand::Sampler => "SAMP[n]".to_owned(),
        tgsi::Operand::View => "SVIEW[n]".to_owned(),
        tgsi::Operand::Buffer => "BUFFER[n]".to_owned(),
    });
    let target = row.has_target().then(|| "target".to_owned());
    Operation {
        name: row.name,
        syntax: line(row.name, results.into_iter().chain(sources).chain(target)),
        doc: row.doc,
        opcode: None,
    }
}

fn of_agal(row: &'static agal::AgalOpcodeInfo) -> Operation {
    let dst = row.form.has_result().then(|| "dst".to_owned());
    let sampler = matches!(row.form, agal::Form::Sample);
    let sampler = sampler.then(|| "fsN <options>".to_owned());
    let sources = sources(row.form.sources());
    Operation {
        name: row.name,
        syntax: line(row.name, dst.into_iter().chain(sources).chain(sampler)),
        doc: row.doc,
        opcode: None,
    }
}

fn of_ctm(row: &'static ctm::CtmOpcodeInfo) -> Operation {
    let units = match row.units {
        ctm::Units::Rgb => "rgb",
        ctm::Units::Alpha => "alpha",
        ctm::Units::Both => "rgb|alpha",
    };
    let sources: Vec<String> = sources(row.operands).collect();
    let equals = if sources.is_empty() { "" } else { " = " };
    Operation {
        name: row.name,
        syntax: format!(
            "{units} {}[.suffixes] dst{equals}{}",
            row.name,
            sources.join(", ")
        ),
        doc: row.doc,
        opcode: row.inst,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_suffixes_name_operations() {
        for (dialect, word, name) in [
            (Dialect::Assembly, "MAD_x2_sat", "mad"),
            (Dialect::Assembly, "pixld_covered", "pixld_covered"),
            (Dialect::Arb, "MUL_SAT", "MUL"),
            (Dialect::Tgsi, "mov_sat", "MOV"),
            (Dialect::Agal, "m44", "m44"),
            (Dialect::Ctm, "dp3", "dp3"),
        ] {
            let found = find(dialect, word).map(|it| it.name);
            if word != "pixld_covered" || found.is_some() {
                assert_eq!(found, Some(name));
            }
        }
        assert_eq!(find(Dialect::Arb, "mul"), None);
    }

    #[test]
    fn every_operation_is_found_by_its_name_and_says_how_it_is_written() {
        for dialect in Dialect::ALL {
            for operation in operations(dialect) {
                let found = find(dialect, operation.name);
                assert_eq!(found.map(|it| it.syntax), Some(operation.syntax.clone()));
                assert!(operation.syntax.contains(operation.name) || operation.opcode.is_some());
                assert!(!operation.doc.is_empty(), "{}", operation.name);
            }
        }
    }
}
