//! Short names for what is in a template or a revision.

use serde_json::Value;

/// `pod-template-hash`. Stable, but not the number of the real controller, which hashes a text that Go makes of its own
/// types.
pub(super) fn of_template(template: &Value, collisions: Option<i64>) -> String {
    let mut hash = Fnv::default();
    hash.write_a(template.to_string().as_bytes());
    if let Some(collisions) = collisions {
        hash.write_a(&collisions.to_le_bytes());
    }
    hash.safe_encoded()
}

/// The hash of a revision's data as the real controllers make it: the name ends with it.
pub(super) fn of_revision(data: &str, collisions: i64) -> String {
    let mut hash = Fnv::default();
    hash.write(data.as_bytes());
    hash.write(collisions.to_string().as_bytes());
    hash.safe_encoded()
}

/// FNV of 32 bits, in both orders.
struct Fnv(u32);

impl Default for Fnv {
    fn default() -> Self {
        Self(2_166_136_261)
    }
}

impl Fnv {
    const PRIME: u32 = 16_777_619;

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(Self::PRIME) ^ u32::from(*byte);
        }
    }

    fn write_a(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u32::from(*byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// The decimal digits in letters that make no words (`rand.SafeEncodeString`).
    fn safe_encoded(&self) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        self.0
            .to_string()
            .bytes()
            .map(|digit| char::from(LETTERS[usize::from(digit) % LETTERS.len()]))
            .collect()
    }
}
