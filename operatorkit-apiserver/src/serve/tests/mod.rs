//! The server over real sockets, with a tiny service behind it.

mod client;
mod connections;
mod echo;
#[cfg(feature = "cli")]
mod program;
mod state;
mod tls;
