//! What a process calls itself in the Lease.

use std::{
    hash::{BuildHasher as _, RandomState},
    process,
};

/// `<host>_<random>`: the host is the Pod's name in a cluster, for people; the rest is another one at each start, so that nobody takes the Lease
/// of an earlier process for its own.
pub(super) fn identity() -> String {
    let host = hostname::get().ok().and_then(|name| name.into_string().ok());
    let host = host
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "unknown".to_owned());
    // Each state has keys from the system's random numbers, and a hash does not tell them.
    let random = || RandomState::new().hash_one(process::id());
    format!("{host}_{:016x}{:016x}", random(), random())
}
