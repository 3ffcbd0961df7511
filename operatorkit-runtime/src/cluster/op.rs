//! The operations of a JSON patch (RFC 6902) that the runtime uses.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;
use serde_json::{Value, json};

/// One operation; `path` is a JSON pointer (RFC 6901).
///
/// The API server applies all operations of a patch or none. It answers a failed `test` and a path that is not there
/// alike, see [`Failure::is_test_failed`](super::Failure::is_test_failed).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Op {
    Test { path: String, value: Value },
    Add { path: String, value: Value },
    Remove { path: String },
}

impl Op {
    /// Goes on only if this is what is there; `null` also stands for a member that is not there.
    pub(crate) fn test(path: &str, value: Value) -> Self {
        Self::Test {
            path: path.to_owned(),
            value,
        }
    }

    /// Goes on only if the object is the one that was read, and has not changed since: the version stands for all that was read of it.
    pub(crate) fn as_read(meta: &ObjectMeta) -> [Self; 2] {
        [
            Self::test("/metadata/uid", json!(meta.uid)),
            Self::test("/metadata/resourceVersion", json!(meta.resource_version)),
        ]
    }

    pub(crate) fn is_test(&self) -> bool {
        matches!(self, Self::Test { .. })
    }

    /// Sets a member of an object, or inserts into an array.
    pub(crate) fn add(path: &str, value: Value) -> Self {
        Self::Add {
            path: path.to_owned(),
            value,
        }
    }

    pub(crate) fn remove(path: &str) -> Self {
        Self::Remove { path: path.to_owned() }
    }
}

/// A key as a part of a JSON pointer (RFC 6901).
pub(crate) fn pointer(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_written_as_the_rfc_says() {
        let ops = [Op::test("/a", Value::Null), Op::add("/a", json!([1])), Op::remove("/b")];
        let wanted = json!([
            {"op": "test", "path": "/a", "value": null},
            {"op": "add", "path": "/a", "value": [1]},
            {"op": "remove", "path": "/b"},
        ]);
        assert_eq!(json!(ops), wanted);
    }
}
