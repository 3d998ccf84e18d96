//! Reading texts: a cursor that cuts words and tokens from a line or a text, with their places.
//!
//! Every reader of this project goes through a text with a [`Cursor`]: the assembler and the front
//! ends token by token, readers of lines word by word. What a token is, and what is wrong with a
//! text, is the reader's own business.

mod cursor;
mod number;

pub use cursor::{Cursor, Token, Word};
pub use number::{digits, hexadecimal, is_whole};
