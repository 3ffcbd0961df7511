//! A patch of any kind, and the object that comes out, decoded and checked.

use serde_json::{Map, Value};

use super::{json, malformed, merge, operation, strategic};
use crate::{
    decode::{
        Content, Decoded, FieldValidation, Kind,
        json::{Json, from_value, parse},
        strict::StrictErrors,
        typed::convert,
    },
    failure::{Failure, FieldError, FieldPath, Target},
};

/// How a patch is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchKind {
    /// `application/json-patch+json`.
    Json,
    /// `application/merge-patch+json`.
    Merge,
    /// `application/strategic-merge-patch+json`. Custom resources do not take it: 415 is the caller's answer.
    Strategic,
}

/// A patch that is JSON. What it says is looked at when it is applied, since the object's absence is told first.
#[derive(Clone, Debug)]
pub struct Patch<'p> {
    kind: PatchKind,
    document: Json<'p>,
}

impl<'p> Patch<'p> {
    /// Reads a patch.
    ///
    /// # Errors
    ///
    /// 400 for what is no JSON.
    pub fn parse(kind: PatchKind, bytes: &'p [u8]) -> Result<Self, Failure> {
        let document = parse(bytes).map_err(|_| malformed())?;
        Ok(Self { kind, document })
    }

    /// Applies the patch to an object, and reads what comes out as an object of its kind.
    ///
    /// # Errors
    ///
    /// Those of [`json`](super::json()), [`merge`](super::merge()) and [`strategic`](super::strategic()), and 422 with the
    /// field `patch` for what is no object of the kind afterwards.
    pub fn apply(&self, object: &Value, kind: &Kind<'_>, validation: FieldValidation) -> Result<Decoded, Failure> {
        let (errors, shown, document) = self.patched(object, kind, validation)?;
        let mut strict = StrictErrors::default();
        let object = kind
            .decode_patched(&document, &mut strict)
            .map_err(|error| invalid(&shown, error.message))?;
        let mut found = strict.into_errors();
        if self.kind == PatchKind::Strategic {
            // What is unknown is told by name here, and not in the order of the document.
            found.sort();
        }
        let errors = [errors, found].concat();
        let warnings = match validation {
            FieldValidation::Ignore => Vec::new(),
            FieldValidation::Strict if !errors.is_empty() => {
                return Err(invalid(&shown, format!("strict decoding error: {}", errors.join(", "))));
            }
            _ => errors,
        };
        Ok(Decoded { object, warnings })
    }

    /// What a strict reader has against the patch, what errors show, and the patched document.
    fn patched(
        &self,
        object: &Value,
        kind: &Kind<'_>,
        validation: FieldValidation,
    ) -> Result<(Vec<String>, String, String), Failure> {
        let patch = &self.document;
        let (errors, document) = match self.kind {
            PatchKind::Json => {
                let errors = operation::strict_errors(patch, validation)?;
                (errors, json::patched(object, patch)?)
            }
            PatchKind::Merge => {
                let errors = merge::strict_errors(patch, validation)?;
                (errors, merge::patched(object, patch)?)
            }
            PatchKind::Strategic => {
                let mut fields: Map<String, Value> = strategic::fields(patch)?;
                let errors = merge::strict_errors(patch, validation)?;
                let Content::Typed { schema, .. } = kind.content else {
                    return Err(Failure::bad_request("strategic merge patch format is not supported"));
                };
                let patched = Value::Object(strategic::patched(object, &mut fields, schema)?);
                let shown = strategic::print::value(&Value::Object(fields));
                convert::check(&patched, schema).map_err(|error| invalid(&shown, error))?;
                return Ok((errors, shown, text(&from_value(&patched))));
            }
        };
        let document = text(&document);
        Ok((errors, document.clone(), document))
    }
}

fn text(document: &Json<'_>) -> String {
    let mut bytes = Vec::new();
    document.write(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// 422 of what is no object of the kind.
fn invalid(shown: &str, message: String) -> Failure {
    let error = FieldError::invalid(&FieldPath::new("patch"), &shown.into(), message);
    Failure::invalid(Target::default(), &[error])
}
