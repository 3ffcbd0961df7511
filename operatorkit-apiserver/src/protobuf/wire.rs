//! Numbers, lengths and tags (protobuf's encoding).

use super::DecodeError;

/// A value as it stands in a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Raw<'a> {
    Number(u64),
    Double(f64),
    Bytes(&'a [u8]),
    /// 32 bits: no field has such a type.
    Other,
}

/// The fields of a message, as they come.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

fn malformed(why: &str) -> DecodeError {
    DecodeError::Malformed(why.to_owned())
}

impl<'a> Fields<'a> {
    /// The next field and its number.
    pub(super) fn next(&mut self) -> Result<Option<(u32, Raw<'a>)>, DecodeError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).map_err(|_| malformed("proto: illegal tag"))?;
        let raw = match tag & 7 {
            0 => Raw::Number(self.varint()?),
            1 => {
                let (bytes, rest) = self.0.split_first_chunk().ok_or_else(|| malformed("unexpected EOF"))?;
                self.0 = rest;
                Raw::Double(f64::from_le_bytes(*bytes))
            }
            2 => {
                let length = self.varint()?;
                Raw::Bytes(self.take(length)?)
            }
            5 => {
                self.take(4)?;
                Raw::Other
            }
            other => return Err(malformed(&format!("proto: illegal wireType {other}"))),
        };
        match number {
            0 => Err(malformed(&format!(
                "proto: illegal tag {number} (wire type {})",
                tag & 7
            ))),
            _ => Ok(Some((number, raw))),
        }
    }

    fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or_else(|| malformed("unexpected EOF"))?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(malformed("proto: integer overflow"))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], DecodeError> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (bytes, rest) = self
            .0
            .split_at_checked(length)
            .ok_or_else(|| malformed("unexpected EOF"))?;
        self.0 = rest;
        Ok(bytes)
    }
}

fn varint(into: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        into.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    into.push(value.to_le_bytes()[0]);
}

/// Writes a number.
pub(super) fn number(into: &mut Vec<u8>, field: u32, value: u64) {
    varint(into, u64::from(field) << 3);
    varint(into, value);
}

/// Writes a floating point number.
pub(super) fn double(into: &mut Vec<u8>, field: u32, value: f64) {
    varint(into, u64::from(field) << 3 | 1);
    into.extend_from_slice(&value.to_le_bytes());
}

/// Writes bytes, a string or a message.
pub(super) fn bytes(into: &mut Vec<u8>, field: u32, value: &[u8]) {
    varint(into, u64::from(field) << 3 | 2);
    varint(into, value.len() as u64);
    into.extend_from_slice(value);
}
