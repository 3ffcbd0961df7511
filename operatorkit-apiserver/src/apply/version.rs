//! The other versions of an object: managers may own fields at each of them.

use serde_json::Value;

use crate::schema::Schema;

/// Why an object cannot be had at another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inconvertible {
    /// There is no such version. Its managers are forgotten.
    Unknown,
    /// The conversion failed, in words.
    Failed(String),
}

/// How an object looks at the other versions of its kind.
pub trait Versions {
    /// The object at this `apiVersion`, and the schema there. Only called for versions other than the object's own.
    ///
    /// # Errors
    ///
    /// There is no such version, or the conversion fails.
    fn convert(&self, object: &Value, api_version: &str) -> Result<(Value, Schema<'_>), Inconvertible>;
}

/// A built-in kind with one version.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneVersion;

impl Versions for OneVersion {
    fn convert(&self, _: &Value, _: &str) -> Result<(Value, Schema<'_>), Inconvertible> {
        Err(Inconvertible::Unknown)
    }
}

/// The versions of a CRD with the conversion `None`: nothing differs but `apiVersion`.
#[derive(Clone, Debug)]
pub struct SameShape<'a>(pub Vec<(Box<str>, Schema<'a>)>);

impl Versions for SameShape<'_> {
    fn convert(&self, object: &Value, api_version: &str) -> Result<(Value, Schema<'_>), Inconvertible> {
        let Some((_, schema)) = self.0.iter().find(|(version, _)| version.as_ref() == api_version) else {
            let message = format!("request to convert CR to an invalid group/version: {api_version}");
            return Err(Inconvertible::Failed(message));
        };
        let mut object = object.clone();
        if let Value::Object(fields) = &mut object {
            fields.insert("apiVersion".into(), api_version.into());
        }
        Ok((object, *schema))
    }
}
