//! Damage that byte programs take.

use std::ops::Range;

use attila_shader::front::agal::OPCODES;

use super::{HEADER, TOKEN};
use crate::binaries::damage::{Words, exchange, flip, insert, set};
use crate::dice::Dice;

const WORDS: Words = Words {
    start: HEADER,
    length: TOKEN,
};

/// Changes a byte program in up to three places; some stay as they are.
pub(super) fn apply(bytes: &mut Vec<u8>, dice: &mut Dice<'_>) {
    for _ in 0..dice.below(4) {
        match dice.below(20) {
            // Most leave tokens that mean something.
            0..=9 => field(bytes, dice),
            10..=11 => flip(bytes, dice),
            12 => set(bytes, dice),
            13..=16 => exchange(bytes, WORDS, dice),
            17 => {
                let end = bytes.len().min(HEADER);
                set(&mut bytes[..end], dice);
            }
            18 => bytes.truncate(dice.below(bytes.len() + 1)),
            _ => insert(bytes, WORDS, dice),
        }
    }
    // Some compilers write the version so.
    if bytes.len() >= HEADER && dice.percent(3) {
        bytes[1..5].reverse();
    }
}

/// The bits of tokens that mean something.
const FIELDS: [Range<usize>; 23] = [
    0..8,     // opcode
    32..48,   // number of the result
    48..52,   // its mask
    56..60,   // its file
    64..80,   // number of the first source, or of its index
    80..88,   // distance
    88..96,   // swizzle
    96..100,  // file
    104..108, // file of the index
    112..114, // component of the index
    127..128, // whether it is computed
    128..144, // number of the second source, or the unit
    144..152, // distance, or bias
    152..160, // swizzle
    160..164, // file
    168..172, // file of the index, or format
    172..176, // dimension
    176..178, // component of the index
    176..180, // flags
    180..184, // wrap
    184..188, // levels
    188..192, // filter
    191..192, // whether it is computed
];

/// Sets a field of a token.
fn field(bytes: &mut [u8], dice: &mut Dice<'_>) {
    let count = bytes.len().saturating_sub(HEADER) / TOKEN;
    if count == 0 {
        return;
    }
    let start = HEADER + dice.below(count) * TOKEN;
    let bits = FIELDS[dice.below(FIELDS.len())].clone();
    let (place, length) = (bits.start, bits.len());
    let value = match place {
        0 => dice.pick(OPCODES).code,
        _ if dice.percent(60) => dice.below(16) as u32,
        _ => dice.word(),
    };
    for bit in 0..length {
        let (byte, mask) = (start + (place + bit) / 8, 1 << ((place + bit) % 8));
        match value >> bit & 1 {
            0 => bytes[byte] &= !mask,
            _ => bytes[byte] |= mask,
        }
    }
}
