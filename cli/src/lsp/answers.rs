//! The requests, each with its answer.

use attila_language::Document;
use lsp_server::{ErrorCode, ResponseError};
use lsp_types as lsp;
use lsp_types::request::{self, Request};
use serde_json::Value;

use super::convert;
use super::cost::OfJit;
use super::files::Files;

/// A request that cannot be answered.
pub(crate) fn fault(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: message.into(),
        data: None,
    }
}

type Answer<T> = Result<Option<T>, ResponseError>;

/// Answers questions about open texts.
pub(crate) struct Asked<'s> {
    pub(crate) files: &'s Files,
    pub(crate) costs: &'s OfJit,
}

impl Asked<'_> {
    /// The answer to a request.
    pub(crate) fn answer(&self, method: &str, params: Value) -> Result<Value, ResponseError> {
        match method {
            request::HoverRequest::METHOD => {
                ask::<request::HoverRequest>(params, |it| self.hover(it))
            }
            request::Completion::METHOD => {
                ask::<request::Completion>(params, |it| self.complete(&it))
            }
            request::SignatureHelpRequest::METHOD => {
                ask::<request::SignatureHelpRequest>(params, |it| self.signature(it))
            }
            request::GotoDefinition::METHOD => {
                ask::<request::GotoDefinition>(params, |it| self.definition(it))
            }
            request::References::METHOD => {
                ask::<request::References>(params, |it| self.references(&it))
            }
            request::DocumentHighlightRequest::METHOD => {
                ask::<request::DocumentHighlightRequest>(params, |it| self.highlights(it))
            }
            request::DocumentSymbolRequest::METHOD => {
                ask::<request::DocumentSymbolRequest>(params, |it| self.symbols(&it))
            }
            request::PrepareRenameRequest::METHOD => {
                ask::<request::PrepareRenameRequest>(params, |it| self.renamed(&it))
            }
            request::Rename::METHOD => ask::<request::Rename>(params, |it| self.rename(&it)),
            request::FoldingRangeRequest::METHOD => {
                ask::<request::FoldingRangeRequest>(params, |it| self.folds(&it))
            }
            request::InlayHintRequest::METHOD => {
                ask::<request::InlayHintRequest>(params, |it| self.hints(&it))
            }
            request::Formatting::METHOD => {
                ask::<request::Formatting>(params, |it| self.format(&it))
            }
            request::CodeActionRequest::METHOD => {
                ask::<request::CodeActionRequest>(params, |it| self.actions(&it))
            }
            other => Err(fault(
                ErrorCode::MethodNotFound,
                format!("there is no request `{other}`"),
            )),
        }
    }

    fn document(&self, uri: &lsp::Uri) -> Result<&Document, ResponseError> {
        self.files.get(uri).ok_or_else(|| {
            let message = format!("`{}` is not open", uri.as_str());
            fault(ErrorCode::InvalidParams, message)
        })
    }

    /// The text that a place is in, and its byte there.
    fn at(
        &self,
        place: &lsp::TextDocumentPositionParams,
    ) -> Result<(&Document, usize), ResponseError> {
        let document = self.document(&place.text_document.uri)?;
        Ok((document, convert::offset(document, place.position)))
    }

    fn hover(&self, params: lsp::HoverParams) -> Answer<lsp::Hover> {
        let (document, at) = self.at(&params.text_document_position_params)?;
        let hover = document.hover(at, self.costs);
        Ok(hover.map(|hover| lsp::Hover {
            contents: lsp::HoverContents::Markup(lsp::MarkupContent {
                kind: lsp::MarkupKind::Markdown,
                value: hover.text,
            }),
            range: Some(convert::range(document, &hover.span)),
        }))
    }

    fn complete(&self, params: &lsp::CompletionParams) -> Answer<lsp::CompletionResponse> {
        let (document, at) = self.at(&params.text_document_position)?;
        let words = document.complete(at).into_iter();
        let items = words.map(|word| convert::completion(document, word));
        Ok(Some(lsp::CompletionResponse::Array(items.collect())))
    }

    fn signature(&self, params: lsp::SignatureHelpParams) -> Answer<lsp::SignatureHelp> {
        let (document, at) = self.at(&params.text_document_position_params)?;
        Ok(document.signature(at).map(convert::signature))
    }

    fn definition(&self, params: lsp::GotoDefinitionParams) -> Answer<lsp::GotoDefinitionResponse> {
        let place = params.text_document_position_params;
        let (document, at) = self.at(&place)?;
        let occurrence = document.occurrence(at);
        Ok(occurrence.map(|it| {
            let span = &document.symbols()[it.symbol].span;
            let range = convert::range(document, span);
            lsp::Location::new(place.text_document.uri, range).into()
        }))
    }

    fn references(&self, params: &lsp::ReferenceParams) -> Answer<Vec<lsp::Location>> {
        let uri = &params.text_document_position.text_document.uri;
        let (document, at) = self.at(&params.text_document_position)?;
        let wanted = |it: &&attila_language::Occurrence| {
            params.context.include_declaration || it.role != attila_language::Role::Definition
        };
        Ok(document.occurrence(at).map(|it| {
            let places = document.places(it.symbol).filter(wanted);
            places
                .map(|it| lsp::Location::new(uri.clone(), convert::range(document, &it.span)))
                .collect()
        }))
    }

    fn highlights(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Answer<Vec<lsp::DocumentHighlight>> {
        let (document, at) = self.at(&params.text_document_position_params)?;
        Ok(document.occurrence(at).map(|it| {
            let places = document.places(it.symbol);
            places
                .map(|it| lsp::DocumentHighlight {
                    range: convert::range(document, &it.span),
                    kind: Some(convert::highlight(it.role)),
                })
                .collect()
        }))
    }

    fn symbols(&self, params: &lsp::DocumentSymbolParams) -> Answer<lsp::DocumentSymbolResponse> {
        let document = self.document(&params.text_document.uri)?;
        let symbols = document.symbols().iter();
        let symbols = symbols.map(|it| convert::symbol(document, it));
        Ok(Some(lsp::DocumentSymbolResponse::Nested(symbols.collect())))
    }

    fn renamed(
        &self,
        params: &lsp::TextDocumentPositionParams,
    ) -> Answer<lsp::PrepareRenameResponse> {
        let (document, at) = self.at(params)?;
        let span = document.renamed(at).map_err(refused)?;
        let range = convert::range(document, &span);
        Ok(Some(lsp::PrepareRenameResponse::Range(range)))
    }

    fn rename(&self, params: &lsp::RenameParams) -> Answer<lsp::WorkspaceEdit> {
        let uri = &params.text_document_position.text_document.uri;
        let (document, at) = self.at(&params.text_document_position)?;
        let edits = document.rename(at, &params.new_name).map_err(refused)?;
        Ok(Some(convert::workspace(document, uri, &edits)))
    }

    fn folds(&self, params: &lsp::FoldingRangeParams) -> Answer<Vec<lsp::FoldingRange>> {
        let document = self.document(&params.text_document.uri)?;
        let folds = document.folds();
        let folds = folds.iter().map(|it| convert::fold(document, it));
        Ok(Some(folds.collect()))
    }

    fn hints(&self, params: &lsp::InlayHintParams) -> Answer<Vec<lsp::InlayHint>> {
        let document = self.document(&params.text_document.uri)?;
        let hints = document.hints(convert::span(document, params.range));
        let hints = hints.iter().map(|it| convert::hint(document, it));
        Ok(Some(hints.collect()))
    }

    fn format(&self, params: &lsp::DocumentFormattingParams) -> Answer<Vec<lsp::TextEdit>> {
        let document = self.document(&params.text_document.uri)?;
        Ok(Some(convert::edits(document, &document.format())))
    }

    fn actions(&self, params: &lsp::CodeActionParams) -> Answer<lsp::CodeActionResponse> {
        let uri = &params.text_document.uri;
        let document = self.document(uri)?;
        let span = convert::span(document, params.range);
        let problems = document.problems().iter();
        let here = problems.filter(|it| it.span.start <= span.end && span.start <= it.span.end);
        let actions = here.filter_map(|it| convert::action(document, uri, it));
        Ok(Some(actions.collect()))
    }
}

fn refused(error: attila_language::RenameError) -> ResponseError {
    fault(ErrorCode::RequestFailed, error.to_string())
}

/// Answers a request of a kind.
fn ask<R: Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, ResponseError>,
) -> Result<Value, ResponseError> {
    let wrong = |error: serde_json::Error| fault(ErrorCode::InvalidParams, error.to_string());
    let answer = answer(serde_json::from_value(params).map_err(wrong)?)?;
    serde_json::to_value(answer).map_err(wrong)
}
