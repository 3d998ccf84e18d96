//! SHA-256 (FIPS 180-4), by which corpora name the content of files.

/// The first 32 bits of the fractional part of a root of a prime: the second one or the third one.
fn root(prime: u64, third: bool) -> u32 {
    // The largest x with x^n <= prime * 2^(32 n), bit by bit; its low 32 bits are the fraction.
    let fits = |x: u128| match third {
        false => x * x <= u128::from(prime) << 64,
        true => x * x * x <= u128::from(prime) << 96,
    };
    let mut x: u128 = 0;
    for bit in (0..38).rev() {
        let with = x | 1 << bit;
        if fits(with) {
            x = with;
        }
    }
    x as u32
}

/// The first primes.
fn primes() -> impl Iterator<Item = u64> {
    (2..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The digest of bytes, as 64 hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let constants: Vec<u32> = primes().take(64).map(|it| root(it, true)).collect();
    let mut state: Vec<u32> = primes().take(8).map(|it| root(it, false)).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    let (blocks, _) = message.as_chunks::<64>();
    for block in blocks {
        mix(&mut state, block, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// Mixes a block into the state.
fn mix(state: &mut [u32], block: &[u8; 64], constants: &[u32]) {
    let (words, _) = block.as_chunks();
    let mut schedule: Vec<u32> = words.iter().map(|it| u32::from_be_bytes(*it)).collect();
    for t in 16..64 {
        let (a, b) = (schedule[t - 15], schedule[t - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        let rest = schedule[t - 16].wrapping_add(schedule[t - 7]);
        schedule.push(rest.wrapping_add(low).wrapping_add(high));
    }
    let mut work = <[u32; 8]>::try_from(&*state).unwrap_or_default();
    for (word, constant) in schedule.iter().zip(constants) {
        let [a, b, c, d, e, f, g, h] = work;
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let terms = [h, sum, choice, *constant, *word];
        let first = terms.into_iter().fold(0, u32::wrapping_add);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = sum.wrapping_add(majority);
        let (top, middle) = (first.wrapping_add(second), d.wrapping_add(first));
        work = [top, a, b, c, middle, e, f, g];
    }
    for (word, mixed) in state.iter_mut().zip(work) {
        *word = word.wrapping_add(mixed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard.
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(
            hexadecimal(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            hexadecimal(long),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
