//! Damage that files take.

use super::{COUNT, MAGIC, WORD};
use crate::dice::Dice;

/// Changes a file in up to three places; some stay as they are.
pub(super) fn apply(bytes: &mut Vec<u8>, dice: &mut Dice<'_>) {
    for _ in 0..dice.below(4) {
        match dice.below(20) {
            // One bit leaves most instructions legal, so that they run.
            0..=9 => flip(bytes, dice),
            10..=12 => set(bytes, dice),
            13..=16 => exchange(bytes, dice),
            17 => header(bytes, dice),
            18 => bytes.truncate(dice.below(bytes.len() + 1)),
            _ => insert(bytes, dice),
        }
    }
    if dice.percent(80) {
        recount(bytes);
    }
}

fn flip(bytes: &mut [u8], dice: &mut Dice<'_>) {
    if let Some(byte) = pick(bytes, dice) {
        *byte ^= 1 << dice.below(8);
    }
}

fn set(bytes: &mut [u8], dice: &mut Dice<'_>) {
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
fn exchange(bytes: &mut Vec<u8>, dice: &mut Dice<'_>) {
    let start = start(bytes);
    let count = (bytes.len() - start) / WORD;
    if count == 0 {
        return;
    }
    let [a, b] = [0; 2].map(|_| start + dice.below(count) * WORD);
    match dice.below(4) {
        0 => drop(bytes.drain(a..a + WORD)),
        1 => {
            let copy = bytes[a..a + WORD].to_vec();
            bytes.splice(b..b, copy);
        }
        2 => (0..WORD).for_each(|n| bytes.swap(a + n, b + n)),
        _ => {
            let at = dice.below(WORD);
            bytes.swap(a + at, b + at);
        }
    }
}

fn header(bytes: &mut [u8], dice: &mut Dice<'_>) {
    let end = bytes.len().min(WORD);
    set(&mut bytes[..end], dice);
}

/// Inserts random bytes, mostly as many as an instruction has.
fn insert(bytes: &mut Vec<u8>, dice: &mut Dice<'_>) {
    let count = match dice.percent(80) {
        true => WORD,
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
