//! Damage that files take.

use super::{COUNT, MAGIC, WORD};
use crate::dice::Dice;

/// The instructions of a file.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    /// The byte at which they begin.
    pub(crate) start: usize,
    /// The bytes of each.
    pub(crate) length: usize,
}

/// Changes a file in up to three places; some stay as they are.
pub(super) fn apply(bytes: &mut Vec<u8>, dice: &mut Dice<'_>) {
    for _ in 0..dice.below(4) {
        let words = Words {
            start: start(bytes),
            length: WORD,
        };
        match dice.below(20) {
            // One bit leaves most instructions legal, so that they run.
            0..=9 => flip(bytes, dice),
            10..=12 => set(bytes, dice),
            13..=16 => exchange(bytes, words, dice),
            17 => header(bytes, dice),
            18 => bytes.truncate(dice.below(bytes.len() + 1)),
            _ => insert(bytes, words, dice),
        }
    }
    if dice.percent(80) {
        recount(bytes);
    }
}

/// Changes a bit.
pub(crate) fn flip(bytes: &mut [u8], dice: &mut Dice<'_>) {
    if let Some(byte) = pick(bytes, dice) {
        *byte ^= 1 << dice.below(8);
    }
}

/// Changes a byte.
pub(crate) fn set(bytes: &mut [u8], dice: &mut Dice<'_>) {
    let value = match dice.below(3) {
        0 => 0,
        1 => u8::MAX,
        _ => dice.word() as u8,
    };
    if let Some(byte) = pick(bytes, dice) {
        *byte = value;
    }
}

fn pick<'b>(bytes: &'b mut [u8], dice: &mut Dice<'_>) -> Option<&'b mut u8> {
    let at = dice.below(bytes.len().max(1));
    bytes.get_mut(at)
}

/// Where instructions begin.
fn start(bytes: &[u8]) -> usize {
    match bytes.starts_with(MAGIC) {
        true => WORD.min(bytes.len()),
        false => 0,
    }
}

/// Removes, copies or exchanges instructions, or bytes at one place of two.
pub(crate) fn exchange(bytes: &mut Vec<u8>, words: Words, dice: &mut Dice<'_>) {
    let Words { start, length } = words;
    let count = bytes.len().saturating_sub(start) / length;
    if count == 0 {
        return;
    }
    let [a, b] = [0; 2].map(|_| start + dice.below(count) * length);
    match dice.below(4) {
        0 => drop(bytes.drain(a..a + length)),
        1 => {
            let copy = bytes[a..a + length].to_vec();
            bytes.splice(b..b, copy);
        }
        2 => (0..length).for_each(|n| bytes.swap(a + n, b + n)),
        _ => {
            let at = dice.below(length);
            bytes.swap(a + at, b + at);
        }
    }
}

fn header(bytes: &mut [u8], dice: &mut Dice<'_>) {
    let end = bytes.len().min(WORD);
    set(&mut bytes[..end], dice);
}

/// Inserts random bytes, mostly as many as an instruction has.
pub(crate) fn insert(bytes: &mut Vec<u8>, words: Words, dice: &mut Dice<'_>) {
    let count = match dice.percent(80) {
        true => words.length,
        false => dice.below(40),
    };
    let at = dice.below(bytes.len() + 1);
    let random: Vec<u8> = (0..count).map(|_| dice.word() as u8).collect();
    bytes.splice(at..at, random);
}

/// Lets the header announce the instructions that follow.
fn recount(bytes: &mut [u8]) {
    if bytes.starts_with(MAGIC) && bytes.len() >= WORD {
        let count = ((bytes.len() - WORD) / WORD) as u32;
        bytes[COUNT].copy_from_slice(&count.to_le_bytes());
    }
}
