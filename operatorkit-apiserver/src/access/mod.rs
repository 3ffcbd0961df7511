//! Who asks, and whether they may.
//!
//! | module | what |
//! |---|---|
//! | [`user`] | [`User`] |
//! | [`authenticate`] | from headers and certificate to a user |
//! | [`certificate`] | the user of a client certificate |
//! | [`token`] | tokens of ServiceAccounts |
//! | [`impersonate`] | asking as somebody else |
//! | [`attributes`] | what a request wants to do, and the 403 |
//! | [`rbac`] | roles and bindings |
//! | [`review`] | asking what one may do |

pub mod attributes;
pub mod authenticate;
#[cfg(feature = "server")]
pub mod certificate;
pub mod impersonate;
pub mod rbac;
pub mod review;
#[cfg(test)]
mod tests;
pub mod token;
pub mod user;

pub use attributes::{AlwaysAllow, Attributes, Authorize, Decision};
pub use authenticate::Authenticator;
pub use rbac::Policy;
pub use user::User;
