//! Whether an apply would change anything: what would be sent against what is observed.
//!
//! An apply of a child is skipped if the child carries the [`hash`] of what would be sent, and
//!
//! - it [`matches`]: what is observed at the sent paths equals what would be sent, after normalising quantities, empty
//!   values and the order of lists that are maps; or
//! - the [`digest`] of what is observed at the sent paths is that of what the server answered to this hash. This makes
//!   quiet what the server writes differently (a `false` that it drops, an empty list that it fills, a list into which others merge).
//!
//! So `matches` may say no where nothing has changed (that costs one request per child, hash and process), but it must not
//! say yes where a sent path was changed. What counts as the same at which path is said in [`place`]; which items of two
//! lists belong together, in [`pairs`]. Objects are compared as the API server writes them, with `apiVersion` and `kind`.
//!
//! What was never sent is not looked at: a field that others, or the server's defaults, added beside ours is theirs.
//! One inside a list that the server replaces as a whole is missed here for that reason.

mod digest;
mod hash;
mod matches;
mod pairs;
mod place;
mod prepare;
mod quantity;
#[cfg(test)]
mod tests;

pub(crate) use digest::digest;
pub(crate) use hash::{fingerprint, hash};
pub(crate) use matches::matches;
pub(crate) use prepare::{drop_nulls, prepare};
