//! Reading texts: a cursor that cuts words and tokens from a line or a text, with their places.
//!
//! Every reader of this project goes through a text with a [`Cursor`]: the assembler and the front
//! ends token by token, readers of lines word by word. Each reader decides what a token is and
//! which texts are wrong.

mod blank;
mod cursor;
mod number;

pub use blank::{beginning, is_blank};
pub use cursor::{Cursor, Token, Word};
pub use number::{digits, hexadecimal, is_whole};
