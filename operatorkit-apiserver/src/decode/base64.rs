//! Base64 as Go's `encoding/base64` reads it: line breaks are skipped, and an error names the byte.

/// The bytes.
///
/// # Errors
///
/// `illegal base64 data at input byte 3`.
pub(super) fn decode(text: &[u8]) -> Result<Vec<u8>, String> {
    let illegal = |at: usize| Err(format!("illegal base64 data at input byte {at}"));
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = Group::default();
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\n' | b'\r' => {}
            b'=' if group.length < 2 => return illegal(at),
            b'=' => {
                if let Some(at) = after_padding(text, at, group.length) {
                    return illegal(at);
                }
                group.finish(&mut bytes);
                return Ok(bytes);
            }
            _ => match sextet(*byte) {
                Some(bits) => group.push(bits, &mut bytes),
                None => return illegal(at),
            },
        }
    }
    if group.length > 0 {
        return illegal(text.len() - group.length);
    }
    Ok(bytes)
}

/// The bytes of what is written without padding, with `-` and `_` (`base64.RawURLEncoding`).
///
/// # Errors
///
/// As for [`decode`].
pub(crate) fn decode_raw_url(text: &[u8]) -> Result<Vec<u8>, String> {
    let illegal = |at: usize| format!("illegal base64 data at input byte {at}");
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let mut group = Group::default();
    for (at, byte) in text.iter().enumerate() {
        let byte = match byte {
            b'\n' | b'\r' => continue,
            b'-' => b'+',
            b'_' => b'/',
            b'+' | b'/' => b'=',
            byte => *byte,
        };
        group.push(sextet(byte).ok_or_else(|| illegal(at))?, &mut bytes);
    }
    match group.length {
        0 => {}
        1 => return Err(illegal(text.len() - 1)),
        _ => group.finish(&mut bytes),
    }
    Ok(bytes)
}

/// Where the end of the text is wrong, if it is. The first `=` is at `at`.
fn after_padding(text: &[u8], at: usize, length: usize) -> Option<usize> {
    let breaks = |mut at: usize| {
        while matches!(text.get(at), Some(b'\n' | b'\r')) {
            at += 1;
        }
        at
    };
    let mut end = breaks(at + 1);
    if length == 2 {
        match text.get(end) {
            Some(b'=') => end = breaks(end + 1),
            Some(_) => return Some(end - 1),
            None => return Some(end),
        }
    }
    (end < text.len()).then_some(end)
}

#[derive(Default)]
struct Group {
    bits: u32,
    length: usize,
}

impl Group {
    fn push(&mut self, bits: u8, bytes: &mut Vec<u8>) {
        self.bits = self.bits << 6 | u32::from(bits);
        self.length += 1;
        if self.length == 4 {
            bytes.extend_from_slice(&self.bits.to_be_bytes()[1..]);
            *self = Self::default();
        }
    }

    /// The bytes of a group that is not full.
    fn finish(&self, bytes: &mut Vec<u8>) {
        let filled = self.bits << (6 * (4 - self.length));
        bytes.extend_from_slice(&filled.to_be_bytes()[1..self.length]);
    }
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
