//! Texts and names in `const fn`s.

use crate::graph::Meta;

/// As much as a compile error says; a longer text is cut.
const MAX: usize = 1024;

/// A text that is put together at compile time.
pub(super) struct Text {
    bytes: [u8; MAX],
    len: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; MAX],
            len: 0,
        }
    }

    pub(super) const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.len + text.len() > MAX {
            return self;
        }
        let mut at = 0;
        while at < text.len() {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    #[track_caller]
    pub(super) const fn raise(&self) -> ! {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the resources of this operator do not fit together"),
        }
    }
}

pub(super) const fn eq(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    if one.len() != two.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != two[at] {
            return false;
        }
        at += 1;
    }
    true
}

pub(super) const fn contains(names: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < names.len() {
        if eq(names[at], name) {
            return true;
        }
        at += 1;
    }
    false
}

/// The hashes of all names, for [`position`].
pub(super) const fn hashes<const N: usize>(nodes: &[Meta; N]) -> [u64; N] {
    let mut hashes = [0; N];
    let mut at = 0;
    while at < N {
        hashes[at] = hash(nodes[at].name);
        at += 1;
    }
    hashes
}

/// Where a resource stands; `N` if it does not.
pub(super) const fn position<const N: usize>(nodes: &[Meta; N], hashes: &[u64; N], name: &str) -> usize {
    let hash = hash(name);
    let mut at = 0;
    while at < N && !(hashes[at] == hash && eq(nodes[at].name, name)) {
        at += 1;
    }
    at
}

/// FNV-1a.
const fn hash(name: &str) -> u64 {
    let name = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}
