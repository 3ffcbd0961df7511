//! Hashes of what is sent: one that is stored on the child, one that lives in memory.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

/// The hash of a prepared object, as 32 hexadecimal digits: the first half of the SHA-256 of its JSON, keys sorted.
///
/// It is stored on the child, so it must come out the same in every process and release. Keys are sorted here, since a
/// user's crate may turn on the feature of `serde_json` that keeps their order.
pub(crate) fn hash(object: &Value) -> String {
    let mut json = Vec::with_capacity(1024);
    write_canonical(&mut json, object);
    let half = Sha256::digest(&json).first_chunk().copied().unwrap_or_default();
    format!("{:032x}", u128::from_be_bytes(half))
}

/// A fingerprint of a value as it serialises, for comparisons within a process; no text is built.
///
/// Of a value that cannot be serialised, what came before the error counts.
pub(crate) fn fingerprint<T: Serialize + ?Sized>(value: &T) -> u64 {
    let mut sink = Sink {
        hasher: Xxh3::new(),
        buffer: [0; BUFFER],
        used: 0,
    };
    // The caller serialises the value itself and reports the error from there.
    _ = serde_json::to_writer(&mut sink, value);
    sink.spill();
    sink.hasher.digest()
}

/// Visits the members in the order of their keys, whatever the map's own order is.
pub(super) fn in_key_order<'a>(map: &'a Map<String, Value>, mut visit: impl FnMut(&'a str, &'a Value)) {
    if map.keys().is_sorted() {
        map.iter().for_each(|(key, value)| visit(key, value));
    } else {
        let mut members: Vec<_> = map.iter().collect();
        members.sort_unstable_by_key(|(key, _)| *key);
        for (key, value) in members {
            visit(key, value);
        }
    }
}

/// JSON with sorted keys and a comma after each member, also the last: it is only hashed.
fn write_canonical(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Object(map) => {
            out.push(b'{');
            in_key_order(map, |key, member| {
                write_scalar(out, &key);
                out.push(b':');
                write_canonical(out, member);
                out.push(b',');
            });
            out.push(b'}');
        }
        Value::Array(items) => {
            out.push(b'[');
            for item in items {
                write_canonical(out, item);
                out.push(b',');
            }
            out.push(b']');
        }
        scalar => write_scalar(out, scalar),
    }
}

fn write_scalar<T: Serialize>(out: &mut Vec<u8>, scalar: &T) {
    // Writing a scalar into memory cannot fail.
    _ = serde_json::to_writer(out, scalar);
}

/// Gathers the few bytes that `serde_json` writes at a time: the hasher is slow with small pieces.
struct Sink {
    hasher: Xxh3,
    buffer: [u8; BUFFER],
    used: usize,
}

const BUFFER: usize = 1024;

impl Sink {
    fn spill(&mut self) {
        self.hasher.update(&self.buffer[..self.used]);
        self.used = 0;
    }
}

impl Write for Sink {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > BUFFER - self.used {
            self.spill();
        }
        if let Some(free) = self.buffer[self.used..].get_mut(..bytes.len()) {
            free.copy_from_slice(bytes);
            self.used += bytes.len();
        } else {
            self.hasher.update(bytes);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
