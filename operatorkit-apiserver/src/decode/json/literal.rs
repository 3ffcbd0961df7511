//! The text of a string literal (`unquoteBytes` of Go's `encoding/json`).

use std::borrow::Cow;

/// The text of a literal without its quotes. What is not UTF-8, and half a surrogate pair, becomes U+FFFD.
pub(super) fn text(literal: &[u8]) -> Cow<'_, str> {
    if literal.contains(&b'\\') {
        return Cow::Owned(unescape(literal));
    }
    match str::from_utf8(literal) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(replace_invalid(literal)),
    }
}

fn unescape(literal: &[u8]) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        push(&mut text, &rest[..at]);
        let (character, length) = escaped(&rest[at..]);
        text.push(character);
        rest = &rest[at + length..];
    }
    push(&mut text, rest);
    text
}

/// The character that an escape stands for, and the length of the escape. The scanner has checked its form.
fn escaped(literal: &[u8]) -> (char, usize) {
    let character = match literal[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return escaped_unit(literal),
        other => char::from(other),
    };
    (character, 2)
}

fn escaped_unit(literal: &[u8]) -> (char, usize) {
    let first = unit(literal).unwrap_or_default();
    if let Some(character) = char::from_u32(first) {
        return (character, 6);
    }
    let second = unit(&literal[6..]).unwrap_or_default();
    if (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(&second) {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::REPLACEMENT_CHARACTER, 6)
}

fn unit(literal: &[u8]) -> Option<u32> {
    let digits = literal.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

fn push(text: &mut String, bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(valid) => text.push_str(valid),
        Err(_) => text.push_str(&replace_invalid(bytes)),
    }
}

/// Go replaces each byte that is not UTF-8, and not each broken sequence.
fn replace_invalid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}
