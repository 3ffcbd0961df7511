//! The server on a port.
//!
//! | module | what |
//! |---|---|
//! | [`signal`] | how an answer says that the connection is to go |
//! | [`server`] | [`Server`]: what is served, where, and for whom |
//! | [`handle`] | [`Serving`]: a server that runs |
//! | `connection`, `request`, `body` | one connection, one request on it, the body of its answer |
//! | [`identity`] | the CA, and the certificates that it signs |
//! | [`kubeconfig`] | the file that clients read |
//! | [`file`](mod@file) | files that hold secrets |
//! | [`state`] | objects in a file between runs |
//! | `program` | what the program asks of the core |

#[cfg(feature = "server")]
mod body;
#[cfg(feature = "server")]
mod connection;
pub mod file;
#[cfg(feature = "server")]
pub mod handle;
#[cfg(feature = "server")]
pub mod identity;
#[cfg(feature = "server")]
pub mod kubeconfig;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "server")]
mod request;
#[cfg(feature = "server")]
pub mod server;
pub mod signal;
pub mod state;
#[cfg(test)]
#[cfg(feature = "server")]
mod tests;

pub use signal::Disconnect;
#[cfg(feature = "server")]
pub use {handle::Serving, identity::Identity, server::Server};
