//! Sets as the bits of a word.

/// The numbers of the bits that are set, ascending.
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let number = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (number < u64::BITS).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_in_order() {
        assert_eq!(ones(0).next(), None);
        let numbers: Vec<u32> = ones(1 << 63 | 0b1001).collect();
        assert_eq!(numbers, [0, 3, 63]);
    }
}
