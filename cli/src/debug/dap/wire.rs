//! Messages on a stream: headers with the length in bytes, an empty line, JSON.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// The longest line of a header, in bytes.
const HEADER: u64 = 1 << 10;

/// The longest message, in bytes: more than any editor sends.
const LONGEST: u64 = 16 << 20;

/// Why no more messages can be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WireError {
    /// The stream failed.
    #[error("cannot read standard input")]
    Read(#[from] io::Error),
    /// It ends inside of a message.
    #[error("the input ends in the middle of a message")]
    Half,
    /// A line is not a header.
    #[error(
        "`{0}` is not a header of a message; a message begins with `Content-Length: ` and its bytes"
    )]
    Header(String),
    /// A header without a length.
    #[error("a message has no `Content-Length`")]
    NoLength,
    /// A message is too long.
    #[error("a message of {0} bytes is longer than {LONGEST}")]
    TooLong(u64),
}

/// Reads a message: its JSON, or what is wrong with that. `None` at the end of the stream.
pub(super) fn read(
    input: &mut impl BufRead,
) -> Result<Option<Result<Value, serde_json::Error>>, WireError> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(HEADER).read_until(b'\n', &mut line)?;
        let line = match line.strip_suffix(b"\n") {
            Some(line) => String::from_utf8_lossy(line),
            None if line.is_empty() && is_first => return Ok(None),
            None if (line.len() as u64) < HEADER => return Err(WireError::Half),
            None => return Err(WireError::Header(shortened(&line))),
        };
        is_first = false;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let fault = || WireError::Header(shortened(line.as_bytes()));
        let (name, value) = line.split_once(':').ok_or_else(fault)?;
        if !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return Err(fault());
        }
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse::<u64>().map_err(|_| fault())?);
        }
    }
    let length = length.ok_or(WireError::NoLength)?;
    if length > LONGEST {
        return Err(WireError::TooLong(length));
    }
    let mut content = Vec::new();
    input.by_ref().take(length).read_to_end(&mut content)?;
    match content.len() as u64 == length {
        true => Ok(Some(serde_json::from_slice(&content))),
        false => Err(WireError::Half),
    }
}

/// Writes a message.
pub(super) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let content = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{content}", content.len())?;
    output.flush()
}

/// The beginning of a line.
fn shortened(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(mut input: &[u8]) -> String {
        let mut lines = Vec::new();
        loop {
            lines.push(match read(&mut input) {
                Ok(None) => break,
                Ok(Some(Ok(value))) => value.to_string(),
                Ok(Some(Err(error))) => error.to_string(),
                Err(error) => {
                    lines.push(error.to_string());
                    break;
                }
            });
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
                "key must be a string at line 1 column 2; {}",
            ),
            (
                "Content-Length: 9\r\n\r\n{}",
                "the input ends in the middle of a message",
            ),
            ("Content-Le", "the input ends in the middle of a message"),
            ("\r\n", "a message has no `Content-Length`"),
            (
                "{\"seq\": 1}\n",
                "`{\"seq\": 1}` is not a header of a message; a message begins with `Content-Length: ` and its bytes",
            ),
            (
                "Content-Length: -1\r\n\r\n",
                "`Content-Length: -1` is not a header of a message; a message begins with `Content-Length: ` and its bytes",
            ),
            (
                "Content-Length: 100000000\r\n\r\n",
                "a message of 100000000 bytes is longer than 16777216",
            ),
        ] {
            assert_eq!(read_all(input.as_bytes()), message);
        }
        let long = vec![b'x'; 100 << 20];
        assert!(read_all(&long).starts_with("`xxxxxxxx"));
    }
}
