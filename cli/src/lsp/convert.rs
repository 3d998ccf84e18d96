//! Answers in the protocol's types.

use std::collections::HashMap;
use std::ops::Range;

use attila_language::{
    Completion, CompletionKind, Document, Edit, Hint, Position, Problem, Role, Severity, Signature,
    Symbol, SymbolKind,
};
use lsp_types as lsp;

pub(crate) fn position(document: &Document, at: usize) -> lsp::Position {
    let Position { line, unit } = document.lines().position(document.text(), at);
    lsp::Position::new(line as u32, unit as u32)
}

pub(crate) fn range(document: &Document, span: &Range<usize>) -> lsp::Range {
    lsp::Range::new(position(document, span.start), position(document, span.end))
}

pub(crate) fn offset(document: &Document, position: lsp::Position) -> usize {
    let position = Position {
        line: position.line as usize,
        unit: position.character as usize,
    };
    document.lines().offset(document.text(), position)
}

pub(crate) fn span(document: &Document, range: lsp::Range) -> Range<usize> {
    let start = offset(document, range.start);
    start..offset(document, range.end).max(start)
}

pub(crate) fn edits(document: &Document, edits: &[Edit]) -> Vec<lsp::TextEdit> {
    let edits = edits.iter();
    edits
        .map(|it| lsp::TextEdit::new(range(document, &it.span), it.replacement.clone()))
        .collect()
}

/// Changes of one text.
#[expect(
    clippy::mutable_key_type,
    reason = "the protocol's addresses cache where their parts are, which does not count in comparisons"
)]
pub(crate) fn workspace(
    document: &Document,
    uri: &lsp::Uri,
    changes: &[Edit],
) -> lsp::WorkspaceEdit {
    let changes = HashMap::from([(uri.clone(), edits(document, changes))]);
    lsp::WorkspaceEdit {
        changes: Some(changes),
        ..lsp::WorkspaceEdit::default()
    }
}

pub(crate) fn diagnostic(document: &Document, problem: &Problem) -> lsp::Diagnostic {
    let notes = problem.notes.iter().map(|note| format!("\n{note}"));
    lsp::Diagnostic {
        range: range(document, &problem.span),
        severity: Some(match problem.severity {
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
        }),
        source: Some("attila".to_owned()),
        message: problem.message.clone() + &notes.collect::<String>(),
        ..lsp::Diagnostic::default()
    }
}

/// A fix for a problem, as an action that editors offer.
pub(crate) fn action(
    document: &Document,
    uri: &lsp::Uri,
    problem: &Problem,
) -> Option<lsp::CodeActionOrCommand> {
    let fix = problem.fix.as_ref()?;
    let replaced = &document.text()[fix.span.clone()];
    let title = match (replaced.trim(), fix.replacement.trim()) {
        ("", new) => format!("Insert `{new}`"),
        (old, "") => format!("Remove `{old}`"),
        (old, new) => format!("Replace `{old}` with `{new}`"),
    };
    let action = lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(document, problem)]),
        edit: Some(workspace(document, uri, std::slice::from_ref(fix))),
        is_preferred: Some(true),
        ..lsp::CodeAction::default()
    };
    Some(action.into())
}

pub(crate) fn completion(document: &Document, proposed: Completion) -> lsp::CompletionItem {
    let edit = lsp::TextEdit::new(range(document, &proposed.span), proposed.text.clone());
    lsp::CompletionItem {
        label: proposed.text,
        kind: Some(match proposed.kind {
            CompletionKind::Operation => lsp::CompletionItemKind::FUNCTION,
            CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
            CompletionKind::Symbol(kind) => match kind {
                SymbolKind::Label => lsp::CompletionItemKind::REFERENCE,
                SymbolKind::Constant => lsp::CompletionItemKind::CONSTANT,
                SymbolKind::Variable
                | SymbolKind::Temporary
                | SymbolKind::Input
                | SymbolKind::Output
                | SymbolKind::Register => lsp::CompletionItemKind::VARIABLE,
            },
        }),
        detail: (!proposed.detail.is_empty()).then_some(proposed.detail),
        text_edit: Some(edit.into()),
        ..lsp::CompletionItem::default()
    }
}

pub(crate) fn signature(signature: Signature) -> lsp::SignatureHelp {
    let units = |at: usize| signature.syntax[..at].encode_utf16().count() as u32;
    let parameters = signature
        .operands
        .iter()
        .map(|it| lsp::ParameterInformation {
            label: lsp::ParameterLabel::LabelOffsets([units(it.start), units(it.end)]),
            documentation: None,
        });
    let active = Some(signature.active as u32);
    lsp::SignatureHelp {
        signatures: vec![lsp::SignatureInformation {
            parameters: Some(parameters.collect()),
            label: signature.syntax,
            documentation: Some(lsp::Documentation::String(signature.doc)),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    }
}

#[expect(deprecated, reason = "the field has to be there")]
pub(crate) fn symbol(document: &Document, symbol: &Symbol) -> lsp::DocumentSymbol {
    let range = range(document, &symbol.span);
    lsp::DocumentSymbol {
        name: symbol.name.clone(),
        detail: None,
        kind: match symbol.kind {
            SymbolKind::Label => lsp::SymbolKind::KEY,
            SymbolKind::Constant => lsp::SymbolKind::CONSTANT,
            SymbolKind::Input | SymbolKind::Output => lsp::SymbolKind::FIELD,
            SymbolKind::Variable | SymbolKind::Temporary | SymbolKind::Register => {
                lsp::SymbolKind::VARIABLE
            }
        },
        tags: None,
        deprecated: None,
        range,
        selection_range: range,
        children: None,
    }
}

pub(crate) fn highlight(role: Role) -> lsp::DocumentHighlightKind {
    match role {
        Role::Definition | Role::Write => lsp::DocumentHighlightKind::WRITE,
        Role::Read => lsp::DocumentHighlightKind::READ,
    }
}

pub(crate) fn hint(document: &Document, hint: &Hint) -> lsp::InlayHint {
    lsp::InlayHint {
        position: position(document, hint.at),
        label: lsp::InlayHintLabel::String(hint.text.clone()),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(hint.text.starts_with('→')),
        padding_right: None,
        data: None,
    }
}

pub(crate) fn fold(document: &Document, fold: &Range<usize>) -> lsp::FoldingRange {
    let range = range(document, fold);
    lsp::FoldingRange {
        start_line: range.start.line,
        end_line: range.end.line,
        ..lsp::FoldingRange::default()
    }
}
