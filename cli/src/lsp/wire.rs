//! Messages as they cross the border: a header with their length, then JSON.

use std::io::{self, BufRead, Read as _};

use lsp_server::Message;
use thiserror::Error;

/// The most bytes of a message that are read: far more than the longest text that is looked at.
const LIMIT: u64 = 128 << 20;

/// The most bytes of a line of a header.
const LONGEST_LINE: u64 = 1 << 10;

/// Why the next message cannot be answered.
#[derive(Debug, Error)]
pub(crate) enum WireError {
    /// Nothing more can be read.
    #[error("cannot read the editor's messages: {0}")]
    Read(io::Error),
    /// Nothing more can be written.
    #[error("cannot write to the editor: {0}")]
    Write(io::Error),
    /// A message has no length, so that the next one cannot be found.
    #[error("expected a header with `Content-Length`, found `{0}`")]
    Header(String),
    /// The last message is not whole.
    #[error("the last message is cut off")]
    CutOff,
    /// The editor has gone without a farewell.
    #[error("the editor closed the connection without `exit`")]
    Closed,
    /// It is not JSON, or not a message.
    #[error("the message is not JSON-RPC: {0}")]
    NotMessage(serde_json::Error),
    /// It is too long to be read.
    #[error("the message has {0} bytes; the limit is {LIMIT}")]
    TooLong(u64),
}

impl WireError {
    /// Whether messages after this one can be read.
    pub(crate) fn is_skipped(&self) -> bool {
        match self {
            WireError::NotMessage(_) | WireError::TooLong(_) => true,
            WireError::Read(_)
            | WireError::Write(_)
            | WireError::Header(_)
            | WireError::CutOff
            | WireError::Closed => false,
        }
    }
}

/// Reads a message.
pub(crate) fn read(input: &mut impl BufRead) -> Result<Message, WireError> {
    let length = header(input)?;
    let body = &mut input.by_ref().take(length);
    if length > LIMIT {
        let skipped = io::copy(body, &mut io::sink()).map_err(WireError::Read)?;
        return Err(match skipped == length {
            true => WireError::TooLong(length),
            false => WireError::CutOff,
        });
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes).map_err(WireError::Read)?;
    if bytes.len() as u64 != length {
        return Err(WireError::CutOff);
    }
    serde_json::from_slice(&bytes).map_err(WireError::NotMessage)
}

/// The length that a header gives.
fn header(input: &mut impl BufRead) -> Result<u64, WireError> {
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        let mut limited = input.by_ref().take(LONGEST_LINE);
        limited
            .read_until(b'\n', &mut line)
            .map_err(WireError::Read)?;
        let line = String::from_utf8_lossy(&line);
        match (line.ends_with('\n'), line.trim_end()) {
            (false, "") if is_first => return Err(WireError::Closed),
            (false, words) if line.len() as u64 == LONGEST_LINE => return Err(odd(words)),
            (false, _) => return Err(WireError::CutOff),
            (true, "") => match length {
                Some(length) => return Ok(length),
                None => return Err(odd("")),
            },
            (true, words) => {
                let Some((name, value)) = words.split_once(": ") else {
                    return Err(odd(words));
                };
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = Some(value.parse().map_err(|_| odd(words))?);
                }
            }
        }
        is_first = false;
    }
}

/// A line that is no header, shortened.
fn odd(line: &str) -> WireError {
    let start: String = line.chars().take(40).collect();
    WireError::Header(start.escape_debug().to_string())
}
