//! Messages as they cross the border to an editor, in both of its protocols: a header with their length, then JSON.

#[cfg(feature = "debug")]
use std::io::Write;
use std::io::{self, BufRead, Read as _};

/// The most bytes of a message that are read: far more than the longest text that is looked at.
const LIMIT: u64 = 128 << 20;

/// The most bytes of a line of a header.
const LONGEST_LINE: u64 = 1 << 10;

/// Why the next message cannot be answered.
#[derive(Debug, thiserror::Error)]
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
    #[cfg(feature = "lsp")]
    #[error("the editor closed the connection without `exit`")]
    Closed,
    /// It is too long to be read. Those after it can be.
    #[error("the message has {0} bytes; the limit is {LIMIT}")]
    TooLong(u64),
}

/// Reads the JSON of a message. `None` at the end of the input.
pub(crate) fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, WireError> {
    let Some(length) = header(input)? else {
        return Ok(None);
    };
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
    match bytes.len() as u64 == length {
        true => Ok(Some(bytes)),
        false => Err(WireError::CutOff),
    }
}

/// Writes a message.
#[cfg(feature = "debug")]
pub(crate) fn write(output: &mut impl Write, message: &serde_json::Value) -> Result<(), WireError> {
    let body = message.to_string();
    let written = write!(output, "Content-Length: {}\r\n\r\n{body}", body.len());
    written
        .and_then(|()| output.flush())
        .map_err(WireError::Write)
}

/// The length that a header gives.
fn header(input: &mut impl BufRead) -> Result<Option<u64>, WireError> {
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        let mut limited = input.by_ref().take(LONGEST_LINE);
        limited
            .read_until(b'\n', &mut line)
            .map_err(WireError::Read)?;
        let line = String::from_utf8_lossy(&line);
        match (line.ends_with('\n'), line.trim_end()) {
            (false, "") if is_first => return Ok(None),
            (false, words) if line.len() as u64 == LONGEST_LINE => return Err(odd(words)),
            (false, _) => return Err(WireError::CutOff),
            (true, "") => return length.map(Some).ok_or_else(|| odd("")),
            (true, words) => {
                let (name, value) = words.split_once(':').ok_or_else(|| odd(words))?;
                if !name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                {
                    return Err(odd(words));
                }
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = Some(value.trim().parse().map_err(|_| odd(words))?);
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

#[cfg(all(test, feature = "debug"))]
mod tests {
    use super::*;

    fn read_all(mut input: &[u8]) -> String {
        let mut lines = Vec::new();
        loop {
            match read(&mut input) {
                Ok(None) => break,
                Ok(Some(body)) => lines.push(String::from_utf8_lossy(&body).into_owned()),
                Err(error) => {
                    lines.push(error.to_string());
                    break;
                }
            }
        }
        lines.join("; ")
    }

    #[test]
    fn messages_are_read_and_what_is_none_is_said() {
        let mut written = Vec::new();
        write(&mut written, &serde_json::json!({"é": 1})).unwrap();
        assert_eq!(written, "Content-Length: 8\r\n\r\n{\"é\":1}".as_bytes());
        written.extend_from_slice(b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}");
        assert_eq!(read_all(&written), "{\"é\":1}; {}");
        for (input, message) in [
            (
                "Content-Length: 3\r\n\r\n{,}Content-Length: 2\r\n\r\n{}",
                "{,}; {}",
            ),
            ("Content-Length: 9\r\n\r\n{}", "the last message is cut off"),
            ("Content-Le", "the last message is cut off"),
            ("\r\n", "expected a header with `Content-Length`, found ``"),
            (
                "{\"seq\": 1}\n",
                "expected a header with `Content-Length`, found `{\\\"seq\\\": 1}`",
            ),
            (
                "Content-Length: -1\r\n\r\n",
                "expected a header with `Content-Length`, found `Content-Length: -1`",
            ),
            (
                "Content-Length: 1000000000\r\n\r\n",
                "the last message is cut off",
            ),
        ] {
            assert_eq!(read_all(input.as_bytes()), message);
        }
        let long = vec![b'x'; 100 << 20];
        assert!(
            read_all(&long).starts_with("expected a header with `Content-Length`, found `xxxxxxxx")
        );
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let header = format!("Content-Length: {}\r\n\r\n", LIMIT + 1);
        let body = io::repeat(b' ').take(LIMIT + 1);
        let next = b"Content-Length: 2\r\n\r\n{}";
        let mut input = io::BufReader::new(io::Read::chain(
            io::Read::chain(header.as_bytes(), body),
            &next[..],
        ));
        assert!(matches!(read(&mut input), Err(WireError::TooLong(length)) if length == LIMIT + 1));
        assert_eq!(read(&mut input).unwrap().as_deref(), Some(&b"{}"[..]));
    }
}
