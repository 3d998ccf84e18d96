//! [`Server`]: the order of messages, and what is open.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types as lsp;
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use serde_json::{Value, json};

use super::answers::{Asked, fault};
use super::convert;
use super::cost::OfJit;
use super::files::Files;
use crate::FAULT;
use crate::wire::{self, WireError};

/// How far an editor has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not asked what the server can do.
    New,
    /// It works.
    Open,
    /// It is about to go.
    Closing,
}

/// The server of one editor.
pub(crate) struct Server {
    state: State,
    files: Files,
    costs: OfJit,
}

impl Server {
    pub(crate) fn new() -> Server {
        Server {
            state: State::New,
            files: Files::default(),
            costs: OfJit::new(),
        }
    }

    /// Answers messages until the editor goes. The exit code says whether it said so before.
    ///
    /// # Errors
    ///
    /// No further message can be read, or no answer be written.
    pub(crate) fn run(
        &mut self,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> Result<ExitCode, WireError> {
        loop {
            let answers = match wire::read(input) {
                Ok(None) if self.state == State::Closing => return Ok(ExitCode::SUCCESS),
                Ok(None) => return Err(WireError::Closed),
                Ok(Some(body)) => match message(&body) {
                    Ok(Message::Notification(it)) if it.method == notification::Exit::METHOD => {
                        return Ok(match self.state {
                            State::Closing => ExitCode::SUCCESS,
                            State::New | State::Open => ExitCode::from(FAULT),
                        });
                    }
                    Ok(message) => self.answers(message),
                    Err(error) => vec![shown(&format!("the message is not JSON-RPC: {error}"))],
                },
                Err(error @ WireError::TooLong(_)) => vec![shown(&error.to_string())],
                Err(error) => return Err(error),
            };
            for answer in answers {
                answer.write(&mut *output).map_err(WireError::Write)?;
            }
        }
    }

    /// The messages that a message causes.
    fn answers(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => vec![self.request(request).into()],
            Message::Notification(notification) => self.notified(notification),
            // Nothing is asked of the editor.
            Message::Response(_) => Vec::new(),
        }
    }

    fn request(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match (self.state, &*method) {
            (State::New, request::Initialize::METHOD) => {
                self.state = State::Open;
                Ok(abilities())
            }
            (State::New, _) => Err(fault(
                ErrorCode::ServerNotInitialized,
                format!("`{method}` before `initialize`"),
            )),
            (State::Open, request::Shutdown::METHOD) => {
                self.state = State::Closing;
                Ok(Value::Null)
            }
            (State::Open, _) => {
                let (files, costs) = (&self.files, &self.costs);
                Asked { files, costs }.answer(&method, params)
            }
            (State::Closing, _) => Err(fault(
                ErrorCode::InvalidRequest,
                format!("`{method}` after `shutdown`"),
            )),
        };
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Response { id, result, error }
    }

    /// Notes what an editor tells, and answers with the problems that there are now.
    fn notified(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        if self.state != State::Open {
            return Vec::new();
        }
        let told = match &*method {
            notification::DidOpenTextDocument::METHOD => {
                serde_json::from_value(params).map(|opened: lsp::DidOpenTextDocumentParams| {
                    let it = opened.text_document;
                    self.files.open(&it.uri, it.text);
                    self.problems(&it.uri, Some(it.version))
                })
            }
            notification::DidChangeTextDocument::METHOD => {
                serde_json::from_value(params).map(|changed: lsp::DidChangeTextDocumentParams| {
                    let it = changed.text_document;
                    self.files.change(&it.uri, changed.content_changes);
                    self.problems(&it.uri, Some(it.version))
                })
            }
            notification::DidCloseTextDocument::METHOD => {
                serde_json::from_value(params).map(|closed: lsp::DidCloseTextDocumentParams| {
                    let uri = closed.text_document.uri;
                    self.files.close(&uri);
                    self.problems(&uri, None)
                })
            }
            // Others are about what the server does not do.
            _ => return Vec::new(),
        };
        let told = told.unwrap_or_else(|_| shown(&format!("`{method}` has wrong parameters")));
        vec![told]
    }

    /// What is wrong with a text; nothing if it is closed.
    fn problems(&self, uri: &lsp::Uri, version: Option<i32>) -> Message {
        let problems = self.files.get(uri).map(|document| {
            let problems = document.problems().iter();
            problems
                .map(|it| convert::diagnostic(document, it))
                .collect()
        });
        let params =
            lsp::PublishDiagnosticsParams::new(uri.clone(), problems.unwrap_or_default(), version);
        let method = notification::PublishDiagnostics::METHOD.to_owned();
        Notification::new(method, params).into()
    }
}

/// The message of a text.
fn message(body: &[u8]) -> Result<Message, serde_json::Error> {
    match body.trim_ascii_start().first() {
        // It would be taken for the members of a response.
        Some(b'[') => Err(serde::de::Error::custom("an array is no message")),
        _ => serde_json::from_slice(body),
    }
}

/// A message that the editor shows.
fn shown(message: &str) -> Message {
    let params = lsp::ShowMessageParams {
        typ: lsp::MessageType::ERROR,
        message: message.to_owned(),
    };
    let method = notification::ShowMessage::METHOD.to_owned();
    Notification::new(method, params).into()
}

/// The requests that are answered.
fn abilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2 },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": [" ", ".", ","] },
            "signatureHelpProvider": { "triggerCharacters": [" ", ","] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "inlayHintProvider": true,
            "documentFormattingProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        },
        "serverInfo": { "name": "attila", "version": env!("CARGO_PKG_VERSION") },
    })
}
