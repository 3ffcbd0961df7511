//! How an answer says that the connection is to go.

/// As an extension of a response: no byte of it is sent, and the TCP connection goes, with all that is on it.
///
/// To send a part of an answer first, end its body with an error: what was yielded before goes out, then the connection goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disconnect;
