//! The values that texts give constants.

use std::collections::HashMap;

use attila_scene::directives::show;

use crate::dialect::Dialect;
use crate::document::Part;
use crate::statement::Statement;

/// The values of the registers of a program that its text gives, as `1, 0.5, 0, 1`, by their names.
pub(crate) fn values(part: &Part, text: &str) -> HashMap<String, String> {
    match part.dialect {
        Dialect::Assembly => {
            let constants = part.directives.constants.iter();
            let constants = constants.map(|(number, words)| {
                let numbers = words.map(show).join(", ");
                (format!("c{number}"), numbers)
            });
            constants.collect()
        }
        Dialect::Tgsi => {
            let statements = Statement::all(part);
            let immediates = statements.filter_map(|it| immediate(&it, text));
            let numbered = immediates.enumerate();
            numbered
                .map(|(number, values)| (format!("IMM[{number}]"), values))
                .collect()
        }
        Dialect::Arb | Dialect::Agal | Dialect::Ctm => HashMap::new(),
    }
}

/// The values between the braces of an immediate.
fn immediate(statement: &Statement<'_>, text: &str) -> Option<String> {
    let tokens = statement.tokens;
    if tokens.first()?.text(text) != "IMM" {
        return None;
    }
    let open = tokens.iter().position(|it| it.is('{'));
    let values = tokens.iter().skip(open.map_or(tokens.len(), |at| at + 1));
    let values = values.take_while(|it| !it.is('}'));
    Some(
        values.fold(String::new(), |line, token| match token.is(',') {
            true => line + ", ",
            false => line + token.text(text),
        }),
    )
}
