//! `attila ops`: the instruction set as help.

use std::io::{self, Write};
use std::process::ExitCode;

use attila_conformance::columns::Columns;
use attila_shader::isa::{OpInfo, Opcode, manual, mnemonic_advice};

use crate::error::CliError;

/// List the instructions, or explain one
///
/// dst is a result register with a write mask. a, b and c are sources with a swizzle and a sign. imm
/// is a number. a? is a truth value: true, false, a predicate, or a component of a constant.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila ops
  attila ops rsq")]
pub(crate) struct Args {
    /// The instruction's mnemonic
    #[arg(value_name = "NAME", value_parser = parse_opcode)]
    name: Option<Opcode>,
}

fn parse_opcode(name: &str) -> Result<Opcode, String> {
    Opcode::from_mnemonic(name).ok_or_else(|| match mnemonic_advice(name) {
        Some(advice) => format!("unknown instruction; {advice}"),
        None => "unknown instruction".to_owned(),
    })
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut out = io::stdout().lock();
    match args.name {
        Some(op) => out.write_all(manual::help(op).as_bytes())?,
        None => {
            let row = |&op: &Opcode| {
                let OpInfo { code, doc, .. } = op.info();
                vec![format!("{code:02x}"), manual::syntax(op), (*doc).to_owned()]
            };
            let rows: Vec<Vec<String>> = Opcode::ALL.iter().map(row).collect();
            let columns = Columns::default().left(2).left(0).left(0);
            out.write_all(columns.table(&rows).as_bytes())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
