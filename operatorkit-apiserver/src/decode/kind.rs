//! The kind that a body is read as.

use std::fmt;

use serde_json::Value;

use crate::schema::Schema;

/// The form of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Media {
    /// `application/json`.
    #[default]
    Json,
    /// `application/yaml`.
    Yaml,
    /// `application/vnd.kubernetes.protobuf`.
    Protobuf,
}

/// The kind that a request is about.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    /// The API group; empty for the core.
    pub group: &'a str,
    /// The version.
    pub version: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// How its objects are read.
    pub content: Content<'a>,
}

/// How the objects of a kind are read.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// A built-in kind: as its Go type.
    Typed {
        /// The schema.
        schema: Schema<'a>,
        /// The schema of any built-in kind, by `apiVersion` and `kind`: a body of another kind is refused differently from one
        /// of no kind at all.
        registered: &'a dyn Fn(&str, &str) -> Option<Schema<'static>>,
    },
    /// A custom resource: as it is.
    Custom {
        /// The schema of `ObjectMeta`.
        metadata: Schema<'a>,
        /// Takes out the fields that the CRD does not know. Answers their places, such as `spec.foo[0].bar`, sorted.
        prune: &'a dyn Fn(&mut Value) -> Vec<String>,
    },
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Typed { .. } => "Typed",
            Self::Custom { .. } => "Custom",
        })
    }
}

/// An object, and what is to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The object, with `apiVersion` and `kind`.
    pub object: Value,
    /// The texts of `Warning` headers: `unknown field "spec.foo"`.
    pub warnings: Vec<String>,
}

impl Kind<'_> {
    /// `group/version`.
    pub fn api_version(&self) -> String {
        match self.group {
            "" => self.version.to_owned(),
            group => format!("{group}/{}", self.version),
        }
    }
}
