//! Numbers of books, cards and colours.

use super::matches;

pub(super) fn is_isbn10(text: &str) -> bool {
    let text = without_dashes(text);
    if !matches("^(?:[0-9]{9}X|[0-9]{10})$", &text) {
        return false;
    }
    let digit = |it: u8| if it == b'X' { 10 } else { u32::from(it - b'0') };
    (1..)
        .zip(text.bytes())
        .map(|(weight, it)| weight * digit(it))
        .sum::<u32>()
        % 11
        == 0
}

pub(super) fn is_isbn13(text: &str) -> bool {
    let text = without_dashes(text);
    if !matches("^(?:[0-9]{13})$", &text) {
        return false;
    }
    let weights = [1, 3].into_iter().cycle();
    weights
        .zip(text.bytes())
        .map(|(weight, it)| weight * u32::from(it - b'0'))
        .sum::<u32>()
        % 10
        == 0
}

pub(super) fn is_credit_card(text: &str) -> bool {
    const CARD: &str = r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$";
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, it)| match (index % 2, u32::from(it - b'0')) {
            (0, digit) => digit,
            (_, digit) => digit * 2 % 10 + digit * 2 / 10,
        })
        .sum();
    matches(CARD, &digits) && sum.is_multiple_of(10)
}

pub(super) fn is_rgb(text: &str) -> bool {
    const PART: &str = r"\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*";
    matches(&format!(r"^rgb\({PART},{PART},{PART}\)$"), text)
}

fn without_dashes(text: &str) -> String {
    text.chars()
        .filter(|it| *it != '-' && !" \t\n\x0c\r".contains(*it))
        .collect()
}
