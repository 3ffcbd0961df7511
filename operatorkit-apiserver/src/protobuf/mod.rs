//! Objects of built-in kinds in protobuf, which client-go sends and asks for.
//!
//! What is in a message is data, [`descriptors.txt`](descriptor), which `extract` takes from the Go types of Kubernetes.
//!
//! | module | what |
//! |---|---|
//! | [`descriptor`] | the fields of all messages |
//! | `wire` | numbers, lengths and tags |
//! | `read`, `write` | messages from and to JSON |
//! | `special`, `duration` | types that JSON writes in a way of their own |

pub mod descriptor;
mod duration;
mod read;
mod special;
#[cfg(test)]
mod tests;
mod wire;
mod write;

use std::fmt;

use serde_json::Value;

use descriptor::Descriptors;

/// What every object in protobuf starts with.
pub const MAGIC: &[u8; 4] = b"k8s\0";

/// Why bytes are no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// They do not start as they should.
    NotProtobuf,
    /// No such kind is known: `apiVersion`, `kind`.
    UnknownKind(String, String),
    /// They are not whole, or say something else than the kind has.
    Malformed(String),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotProtobuf => {
                f.write_str("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
            }
            Self::UnknownKind(version, kind) => write!(f, "no kind {kind:?} is registered for version {version:?}"),
            Self::Malformed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DecodeError {}

/// An object from protobuf, as a client would have written it in JSON. `default` is the `apiVersion` and `kind` of objects
/// that do not say theirs.
///
/// # Errors
///
/// If the bytes are no object of a known kind.
pub fn decode(bytes: &[u8], default: Option<(&str, &str)>) -> Result<Value, DecodeError> {
    read::envelope(bytes, default, 0)
}

/// An object in protobuf.
///
/// # Errors
///
/// If the kind is not known, or a field has another type than the kind's.
pub fn encode(object: &Value) -> Result<Vec<u8>, DecodeError> {
    write::envelope(object)
}

/// Can objects of this kind be written in protobuf?
pub fn is_known(api_version: &str, kind: &str) -> bool {
    Descriptors::get().kind(api_version, kind).is_some()
}

/// An event of a watch: its length, and `WatchEvent` around an object that [`encode`] has written.
pub fn watch_event(event: &str, object: &[u8]) -> Vec<u8> {
    let mut raw = Vec::with_capacity(object.len() + 8);
    wire::bytes(&mut raw, 1, object);
    let mut message = Vec::with_capacity(raw.len() + 32);
    message.extend_from_slice(&[0; 4]);
    wire::bytes(&mut message, 1, event.as_bytes());
    wire::bytes(&mut message, 2, &raw);
    let length = u32::try_from(message.len() - 4).unwrap_or(u32::MAX);
    message[..4].copy_from_slice(&length.to_be_bytes());
    message
}
