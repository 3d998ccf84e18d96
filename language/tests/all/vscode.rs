//! The grammars and snippets of `editors/vscode`, made from the tables of instructions.

use attila_language::{Dialect, operations};
use expect_test::expect_file;
use serde_json::{Map, Value, json};

/// The name of a dialect's files.
fn file(dialect: Dialect) -> String {
    dialect.name().to_ascii_lowercase()
}

/// One of some words, the longest first, as one may begin another.
fn one_of<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    format!("(?:{})", words.join("|"))
}

fn grammar(dialect: Dialect) -> Value {
    let scope = file(dialect);
    let all = operations(dialect);
    let names = one_of(all.iter().map(|it| it.name));
    let (case, registers, words) = match dialect {
        Dialect::Assembly => (
            "(?i)",
            "[iorcaptsbu][0-9]+",
            "true|false|end|wait|noend|extended",
        ),
        Dialect::Arb => (
            "",
            "(?:fragment|vertex|result|program|state|texture)(?=[.\\[])",
            "TEMP|PARAM|ATTRIB|OUTPUT|ADDRESS|ALIAS|OPTION|END",
        ),
        Dialect::Tgsi => (
            "",
            "(?:IN|OUT|TEMP|CONST|IMM|ADDR|SAMP|SVIEW|SV|BUFFER)(?=\\[)",
            "DCL|IMM|PROPERTY|VERT|FRAG|GEOM|COMP",
        ),
        Dialect::Agal => (
            "",
            "(?:v[actio]?|f[cstoid]|o[pcd]|i)[0-9]+|o[pcd]|iid",
            "2d|3d|cube",
        ),
        Dialect::Ctm => (
            "",
            "[iotc][0-9]+",
            "rgb|alpha|option|const|mulz|abs|bias|inv|add|sub|half",
        ),
    };
    let comments = dialect.comments().iter().copied();
    let rule = |name: &str, pattern: String| json!({ "name": format!("{name}.{scope}"), "match": pattern });
    let mut patterns = vec![];
    if dialect == Dialect::Assembly {
        patterns.push(rule("meta.preprocessor", "^\\s*;!.*$".to_owned()));
    }
    patterns.extend([
        rule("comment.line", format!("{}.*$", one_of(comments))),
        rule(
            "keyword.operator.instruction",
            format!("{case}\\b{names}(?:_[A-Za-z0-9]+)*\\b"),
        ),
        rule("keyword.other", format!("{case}\\b(?:{words})\\b")),
        rule("variable.language", format!("{case}\\b(?:{registers})")),
        rule(
            "constant.numeric",
            "\\b(?:0x[0-9a-fA-F]+|[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)".to_owned(),
        ),
        rule(
            "entity.name.label",
            "^\\s*[A-Za-z_][A-Za-z0-9_]*(?=:)".to_owned(),
        ),
    ]);
    json!({ "scopeName": format!("source.{scope}"), "patterns": patterns })
}

/// A line with a place to fill in for each operand.
fn snippets(dialect: Dialect) -> Value {
    let all = operations(dialect).into_iter();
    let rows = all.map(|it| {
        let operands = it.syntax.split_once(it.name).map_or("", |(_, after)| after);
        let operands = operands
            .split_once(' ')
            .map_or("", |(_, operands)| operands);
        let mut body = match dialect {
            Dialect::Ctm => format!("rgb {}", it.name),
            Dialect::Assembly | Dialect::Arb | Dialect::Tgsi | Dialect::Agal => it.name.to_owned(),
        };
        let operands = operands.replace("[, ", ", ").replace(" = ", ", ");
        let operands = operands.split(", ").filter(|operand| !operand.is_empty());
        for (number, operand) in operands.enumerate() {
            let separator = match (number, dialect) {
                (0, _) => " ",
                (1, Dialect::Ctm) => " = ",
                (_, _) => ", ",
            };
            let name = operand.split('|').next().unwrap_or(operand);
            let name: String = name
                .chars()
                .filter(|c| c.is_alphanumeric() || *c == '.')
                .collect();
            body += &format!("{separator}${{{}:{name}}}", number + 1);
        }
        if dialect == Dialect::Arb {
            body.push(';');
        }
        let snippet = json!({ "prefix": it.name, "body": body, "description": it.doc });
        (it.name.to_owned(), snippet)
    });
    Value::Object(rows.collect::<Map<_, _>>())
}

#[test]
fn the_files_for_vscode_are_those_of_the_tables() {
    for dialect in Dialect::ALL {
        for (folder, value) in [
            ("syntaxes", grammar(dialect)),
            ("snippets", snippets(dialect)),
        ] {
            let name = format!("../../../editors/vscode/{folder}/{}.json", file(dialect));
            let text = serde_json::to_string_pretty(&value).expect("it is JSON");
            expect_file![name].assert_eq(&(text + "\n"));
        }
    }
}
