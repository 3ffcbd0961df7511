//! Tokens of ServiceAccounts: JSON web tokens, signed by a key of the server.
//!
//! | module | what |
//! |---|---|
//! | [`key`] | [`TokenKey`]: signs, and checks signatures |
//! | [`claims`] | [`Claims`]: what a token says |
//! | [`request`] | `TokenRequest`: a token for the asking |

pub mod claims;
pub mod key;
pub mod request;
#[cfg(test)]
mod tests;

pub use claims::{Claims, Reference};
pub use key::TokenKey;
