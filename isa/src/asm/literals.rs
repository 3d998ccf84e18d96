//! Reads numbers: the bits of immediates, and constants in their place.

use super::diagnostic::Remark;
use super::lexer::Token;
use super::parser::{Parsed, quote};
use crate::code;
use crate::opcode::{Opcode, OperandKind};
use crate::text::{hexadecimal, is_whole};

/// A number as a directive about constants has it, if it is one.
pub(super) fn constant_value(token: Token<'_>, kind: OperandKind) -> Option<String> {
    let text = token.text;
    if let Some(digits) = digits_behind_0x(text) {
        return raw_bits(token, digits).ok().map(|_| text.to_owned());
    }
    match kind {
        OperandKind::Float(_) | OperandKind::OptionalFloat(_) | OperandKind::Gradients => {
            float(token).ok().map(|_| text.to_owned())
        }
        OperandKind::Int(_) | OperandKind::Raw(_) | OperandKind::Texels => {
            let value: Result<u32, _> = text.parse();
            value.ok().map(|value| format!("{value}i"))
        }
        OperandKind::Bool
        | OperandKind::Double(_)
        | OperandKind::Unit
        | OperandKind::Attribute
        | OperandKind::Stream
        | OperandKind::Sample
        | OperandKind::Scratch
        | OperandKind::Buffer
        | OperandKind::Storage
        | OperandKind::Input
        | OperandKind::Index
        | OperandKind::Number
        | OperandKind::Offset
        | OperandKind::Ignored
        | OperandKind::Absent => None,
    }
}

/// The digits after `0x`.
pub(super) fn digits_behind_0x(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or(text.strip_prefix("0X"))
}

/// Hexadecimal digits after `0x`.
pub(super) fn raw_bits(token: Token<'_>, digits: &str) -> Parsed<u32> {
    hexadecimal(digits).ok_or_else(|| {
        let message = format!("{} is not 32 bits in hexadecimal", quote(token.text));
        Remark::new(token.span(), message).code(&code::text::NUMBER)
    })
}

/// The magnitude of an integer; -2147483648 is its own.
pub(super) fn integer(op: Opcode, token: Token<'_>, negate: bool) -> Parsed<u32> {
    if !is_whole(token.text) {
        let message = format!("`{op}` takes integers; {} is not one", quote(token.text));
        return Err(Remark::new(token.span(), message).code(&code::text::OPERANDS));
    }
    let most = i32::MAX.cast_unsigned() + u32::from(negate);
    let value = token.text.parse().ok().filter(|&value: &u32| value <= most);
    value.ok_or_else(|| {
        let message = format!("{} does not fit a signed 32-bit integer", quote(token.text));
        Remark::new(token.span(), message)
            .code(&code::text::NUMBER)
            .help("raw bits are written `0x…`")
    })
}

/// The bits of the float nearest to a decimal number.
pub(super) fn float(token: Token<'_>) -> Parsed<u32> {
    let value: f32 = token.text.parse().map_err(|_| {
        let message = format!("{} is not a number", quote(token.text));
        Remark::new(token.span(), message).code(&code::text::NUMBER)
    })?;
    if value.is_infinite() {
        let message = format!("{} is too large for a float", quote(token.text));
        return Err(Remark::new(token.span(), message)
            .code(&code::text::NUMBER)
            .help("infinity is written `0x7f800000`"));
    }
    Ok(value.to_bits())
}
