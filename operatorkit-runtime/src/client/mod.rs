//! The client: where the API server is, as whom it is spoken to, and what follows when that changes.
//!
//! | module | what |
//! |---|---|
//! | `config` | [`ClientConfig`]: what a user says |
//! | `check` | which of that does not go together |
//! | `source` | from there to a configuration of kube's, again and again |
//! | `kubeconfig` | kubeconfigs, and where they are |
//! | `service_account` | what a Pod is given |
//! | `files` | the files that a configuration was made of |
//! | `connect`, `stack` | a client with our limits |
//! | `rotate` | new credentials without a restart |
//! | `told` | errors without secrets |

mod check;
mod config;
mod connect;
mod files;
mod kubeconfig;
mod rotate;
mod service_account;
mod source;
mod stack;
#[cfg(test)]
mod tests;
mod told;

pub use config::ClientConfig;
pub(crate) use connect::connect;
