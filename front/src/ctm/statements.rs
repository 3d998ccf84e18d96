//! Reads `option` and `const`.

use std::collections::BTreeMap;

use attila_isa::text::{Cursor, Word, digits, is_whole};
use attila_isa::{Remark, code};

use super::lexer::TokenKind;
use super::parser::{OPTIONS, Parsed, Parser, quote};
use super::program::File;

/// The option that makes a zero win in products.
pub(super) const ZERO_WINS: &str = "mulz";

/// Reads `option mulz`.
pub(super) fn option(line: &str, start: usize) -> Parsed<()> {
    let mut parser = Parser::new(line, start);
    parser.lexer.advance();
    let token = parser.lexer.token;
    if !OPTIONS.contains(&token.text) {
        let remark = parser.unexpected("the name of an option");
        return Err(remark.help("`mulz` is the only option"));
    }
    parser.lexer.advance();
    match parser.lexer.token.kind {
        TokenKind::End => Ok(()),
        TokenKind::Word | TokenKind::Mark(_) | TokenKind::Unknown => {
            Err(parser.unexpected("the end of the line"))
        }
    }
}

/// Reads `const c0 = 1 2 3 4`.
pub(super) fn constant(
    line: &str,
    start: usize,
    constants: &mut BTreeMap<u16, [u32; 4]>,
) -> Parsed<()> {
    let mut parser = Parser::new(line, start);
    parser.lexer.advance();
    let name = parser.lexer.token;
    let register = parser.register()?;
    if register.file != File::Constant {
        let message = format!("`{register}` is {}, not a constant", register.file.noun());
        return Err(Remark::new(name.span(), message));
    }
    parser.expect('=')?;
    let at = parser.lexer.token.start;
    let mut cursor = Cursor::new(&line[at - start..], at);
    let mut bits = [0; 4];
    for bits in &mut bits {
        *bits = number(cursor.word(""))?.to_bits();
    }
    let rest = cursor.word("");
    if !rest.text.is_empty() {
        let message = format!("expected the end of the line, found {}", quote(rest.text));
        let remark = Remark::new(rest.span(), message);
        return Err(remark.help("a constant has four numbers, with blanks between them"));
    }
    if constants.insert(register.number, bits).is_some() {
        let message = format!("`{register}` has numbers already");
        return Err(Remark::new(name.span(), message).code(&code::text::TWICE));
    }
    Ok(())
}

/// A decimal number with a sign, a point and an exponent, if need be.
fn number(word: Word<'_>) -> Parsed<f32> {
    let wrong = |what: &str| {
        let found = match word.text {
            "" => "the end".to_owned(),
            text => quote(text),
        };
        Remark::new(word.span(), format!("expected {what}, found {found}"))
            .code(&code::text::EXPECTED)
    };
    let Some(number) = is_number(word.text)
        .then(|| word.text.parse::<f32>().ok())
        .flatten()
    else {
        let remark = wrong("a number");
        return Err(remark.help("a constant has four numbers, with blanks between them"));
    };
    match number.is_finite() {
        true => Ok(number),
        false => Err(wrong("a number that a float can hold")),
    }
}

/// Whether a word is digits with a point, a sign before them and an exponent after them, if need be.
fn is_number(text: &str) -> bool {
    let without_sign = |text| str::strip_prefix(text, ['-', '+']).unwrap_or(text);
    let rest = without_sign(text);
    let whole = digits(rest);
    let (fraction, rest) = match rest[whole..].strip_prefix('.') {
        Some(after) => (digits(after), &after[digits(after)..]),
        None => (0, &rest[whole..]),
    };
    let ends = match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => is_whole(without_sign(exponent)),
        None => rest.is_empty(),
    };
    whole + fraction > 0 && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        for text in ["0", "-2", "+3.25", "1e-3", ".5", "5.", "-.5E+2"] {
            assert!(is_number(text), "{text}");
            assert!(text.parse::<f32>().is_ok(), "{text}");
        }
        for text in [
            "", "-", ".", "e3", "1e", "1e+", "--1", "0x1", "nan", "inf", "1f", "1.2.3",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }
}
