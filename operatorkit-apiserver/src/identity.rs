//! UIDs and the ends of generated names, from one seed.

use std::{
    fmt::Write as _,
    sync::{Mutex, PoisonError},
};

/// The letters of generated names: no vowels and nothing that looks like another (`k8s.io/apimachinery/pkg/util/rand`).
const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// The longest base of a generated name: 63 characters less the five that are added.
const MAX_BASE: usize = 58;

/// Where names and UIDs come from. The same seed gives the same ones in the same order.
#[derive(Debug)]
pub struct Identities(Mutex<fastrand::Rng>);

impl Identities {
    /// A source with this seed.
    pub fn seeded(seed: u64) -> Self {
        Self(Mutex::new(fastrand::Rng::with_seed(seed)))
    }

    /// A random UUID (version 4).
    pub fn uid(&self) -> String {
        let mut bytes = [0_u8; 16];
        self.random(|rng| rng.fill(&mut bytes));
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let mut uid = String::with_capacity(36);
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                uid.push('-');
            }
            let _infallible = write!(uid, "{byte:02x}");
        }
        uid
    }

    /// `generateName` with five letters.
    pub fn name(&self, base: &str) -> String {
        let end = base.char_indices().nth(MAX_BASE).map_or(base.len(), |(end, _)| end);
        let mut name = base[..end].to_owned();
        self.random(|rng| (0..5).for_each(|_| name.push(char::from(LETTERS[rng.usize(..LETTERS.len())]))));
        name
    }

    /// A number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        self.random(|rng| rng.u64(..end.max(1)))
    }

    fn random<T>(&self, draw: impl FnOnce(&mut fastrand::Rng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
