//! Times as people write them: `90s`, `10m`, `1h 30m`.

/// The units, the largest first, in seconds.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// The seconds of a text; each unit once at most, the largest first, with or without spaces between.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut units = UNITS.iter();
    let mut sum = 0_u64;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|char: char| !char.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        let unit = rest[digits..].chars().next()?;
        let (_, seconds) = units.find(|(name, _)| *name == unit)?;
        sum = sum.checked_add(number.checked_mul(*seconds)?)?;
        rest = rest[digits + unit.len_utf8()..].trim_start();
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_are_taken() {
        for (text, sum) in [
            ("90s", 90),
            ("10m", 600),
            ("1h 30m", 5_400),
            ("1h30m", 5_400),
            ("1d 1s", 86_401),
            ("0s", 0),
        ] {
            assert_eq!(seconds(text), Some(sum), "{text}");
        }
    }

    #[test]
    fn times_that_are_not() {
        for text in [
            "",
            " ",
            "10",
            "m",
            "1.5h",
            "-1m",
            "10 m",
            "30m 1h",
            "1m 1m",
            "5x",
            "5é",
            "99999999999999999999s",
            "999999999999999999d",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
