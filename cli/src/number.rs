//! Whole numbers in options: their errors name the bounds.

use attila_shader::isa::text::is_whole;

/// Reads whole numbers from `least` to `most`.
pub(crate) fn within<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        if !is_whole(magnitude) {
            return Err(format!("write a whole number, {}", bounds(least, most)));
        }
        // No bound is below 0, and a number that is too large for 64 bits is above all.
        let is_negative = magnitude != text;
        let number: Option<u64> = magnitude.parse().ok();
        if is_negative || number.is_some_and(|number| number < least) {
            return Err(format!("it has to be at least {}", grouped(least)));
        }
        let number = number.filter(|number| *number <= most);
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("it has to be at most {}", grouped(most)))
    }
}

/// The bounds of a number, in words.
pub(crate) fn bounds(least: u64, most: u64) -> String {
    format!("at least {} and at most {}", grouped(least), grouped(most))
}

/// A number with commas between groups of digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_bound_that_a_number_is_beyond() {
        let read = |text| within::<u32>(1, 1 << 16)(text);
        let text = |text: &str| Err(text.to_owned());
        assert_eq!(read("1"), Ok(1));
        assert_eq!(read("65536"), Ok(65536));
        assert_eq!(read("0"), text("it has to be at least 1"));
        assert_eq!(read("-5"), text("it has to be at least 1"));
        for large in ["65537", "4294967297", "99999999999999999999"] {
            assert_eq!(read(large), text("it has to be at most 65,536"), "{large}");
        }
        for other in ["", "-", "x", "1.5", "0x10", "-5x5", "+1"] {
            let message = "write a whole number, at least 1 and at most 65,536";
            assert_eq!(read(other), text(message), "{other}");
        }
        assert_eq!(
            within::<u64>(0, u64::MAX)("18446744073709551615"),
            Ok(u64::MAX)
        );
        assert_eq!(
            within::<u64>(0, u64::MAX)("18446744073709551616"),
            Err("it has to be at most 18,446,744,073,709,551,615".to_owned())
        );
    }
}
