//! From bytes to an object of the resource: types, unknown fields, defaults.

use std::cell::RefCell;

use serde_json::Value;

use super::{call::Call, strategy};
use crate::{
    builtin, crd,
    decode::{self, Content, FieldValidation, Kind, Media},
    failure::Failure,
    negotiate::{self, Format},
    object,
    patch::Patch,
    registry::Served,
    request::{DeleteOptions, WriteOptions},
    schema::Schema,
};

/// The body of a create or an update, as an object with its defaults.
///
/// # Errors
///
/// 400 for what is no object of the kind, 415 for a form that is not read.
pub(crate) fn body(call: &Call, content_type: &str, bytes: &[u8], options: &WriteOptions) -> Result<Value, Failure> {
    let media = media(content_type)?;
    if media == Media::Protobuf && call.served.custom().is_some() {
        return Err(Failure::unsupported_media_type("application/json, application/yaml"));
    }
    let decoded = with_kind(&call.served, |kind| kind.decode(bytes, media, options.field_validation))?;
    decoded.warnings.into_iter().for_each(|warning| call.warn(warning));
    let mut object = decoded.object;
    warn_of_duplicates(call, &mut object, "");
    complete(&call.served, &mut object);
    Ok(object)
}

fn warn_of_duplicates(call: &Call, object: &mut Value, when: &str) {
    let duplicates = object::dedup_owners(object);
    if !duplicates.is_empty() {
        call.warn(format!(
            ".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in 1.20+, and may \
             reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
            duplicates.join(", ")
        ));
    }
}

/// What a patch makes of an object, as an object with its defaults.
pub(crate) fn patched(call: &Call, patch: &Patch<'_>, old: &Value, options: &WriteOptions) -> Result<Value, Failure> {
    let decoded = with_kind(&call.served, |kind| patch.apply(old, kind, options.field_validation))?;
    decoded.warnings.into_iter().for_each(|warning| call.warn(warning));
    let mut object = decoded.object;
    warn_of_duplicates(call, &mut object, " after mutating admission happens");
    complete(&call.served, &mut object);
    Ok(object)
}

/// The body of an apply: an object of which only the fields are meant that are there.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) object: Value,
    /// The keys that it says twice.
    duplicates: Option<String>,
}

/// Reads the body of an apply.
///
/// # Errors
///
/// 400 for what is no object, or one of another version or kind.
pub(crate) fn applied(bytes: &[u8], api_version: &str, kind: &str) -> Result<Applied, Failure> {
    let (object, duplicates) = decode::document(bytes).map_err(|error| wrong_patch(&error))?;
    let object = match object {
        Value::Null => Value::Object(serde_json::Map::new()),
        Value::Object(_) => object,
        other => {
            let what = match other {
                Value::Array(_) => "array",
                Value::String(_) => "string",
                Value::Bool(_) => "bool",
                _ => "number",
            };
            return Err(Failure::bad_request(format!(
                "error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {what} into Go value \
                 of type map[string]interface {{}}"
            )));
        }
    };
    let said = |field: &str| object[field].as_str().unwrap_or_default();
    let (given, named) = (said("apiVersion"), said("kind"));
    // A built-in type that is none, or another, is told before the version.
    let built_in = registered(api_version, kind).is_some();
    if built_in && (named != kind || registered(given, named).is_none()) {
        let version = if given.is_empty() || given.contains('/') {
            given.to_owned()
        } else {
            format!("/{given}")
        };
        let version = if given.is_empty() { "/".to_owned() } else { version };
        return Err(Failure::bad_request(format!(
            "invalid object type: {version}, Kind={named}"
        )));
    }
    if given != api_version || named != kind {
        let message = format!(
            "Incorrect version specified in apply patch. Specified patch version: {}, expected: {api_version}",
            said("apiVersion"),
        );
        return Err(Failure::bad_request(message));
    }
    Ok(Applied { object, duplicates })
}

fn wrong_patch(error: &str) -> Failure {
    Failure::bad_request(format!("error decoding patch: error converting YAML to JSON: {error}"))
}

impl Applied {
    /// What is told, once it is laid over the object, of what it says twice.
    ///
    /// # Errors
    ///
    /// 400 if it says something twice and that is not to be.
    pub(crate) fn check(&self, call: &Call, validation: FieldValidation) -> Result<(), Failure> {
        let Some(error) = &self.duplicates else { return Ok(()) };
        match validation {
            FieldValidation::Ignore => {}
            FieldValidation::Warn => decode::warnings(error)
                .into_iter()
                .for_each(|warning| call.warn(warning)),
            FieldValidation::Strict => {
                let message = format!("error strict decoding patch: error converting YAML to JSON: {error}");
                return Err(Failure::bad_request(message));
            }
        }
        Ok(())
    }
}

/// What an apply has made of an object: as the kind writes it, with its defaults.
pub(crate) fn laid(call: &Call, applied: &Value, laid: Value) -> Result<Value, Failure> {
    let served = &call.served;
    let mut object = match served.custom() {
        Some(custom) => {
            let mut object = laid;
            custom.settle_applied(&mut object)?;
            object
        }
        None => decode::canonical(&laid, served.schema.get()).map_err(|why| no_such_type(served, applied, &why))?,
    };
    object["apiVersion"] = served.api_version.as_ref().into();
    object["kind"] = served.kind.as_ref().into();
    complete(served, &mut object);
    Ok(object)
}

/// A field is of a type that the kind's Go type does not have: the real server did not expect that of an apply.
fn no_such_type(served: &Served, applied: &Value, why: &str) -> Failure {
    let (namespace, name) = (object::namespace(applied), object::name(applied));
    let kind = format!("{}/{}, Kind={}", served.group, served.version, served.kind);
    let message = format!(
        "failed to convert new object ({namespace}/{name}; {kind}) to proper version: unable to convert unstructured object \
         to {kind}: {why}"
    );
    Failure::new(500, "", message)
}

/// A document that is no object of a resource: a `Scale`, a review, `DeleteOptions`.
pub(crate) fn document(content_type: &str, bytes: &[u8], api_version: &str, kind: &str) -> Result<Value, Failure> {
    let media = media(content_type)?;
    let decoded = with_built_in(api_version, kind, |kind| {
        kind.decode(bytes, media, FieldValidation::Ignore)
    })?;
    Ok(decoded?.object)
}

/// Calls `with` with what must be known of a built-in kind that is no resource.
pub(crate) fn with_built_in<T>(api_version: &str, kind: &str, with: impl FnOnce(&Kind<'_>) -> T) -> Result<T, Failure> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let schema = builtin::kinds().schema(group, version, kind);
    let schema = schema.ok_or_else(|| Failure::internal(format!("no schema of {kind} in {api_version}")))?;
    Ok(with(&Kind {
        group,
        version,
        kind,
        content: Content::Typed {
            schema: schema.get(),
            registered: &registered,
        },
    }))
}

/// The options of a deletion: from the body, or from the query if there is no body.
pub(crate) fn delete_options(call: &Call, content_type: &str, bytes: &[u8]) -> Result<DeleteOptions, Failure> {
    if bytes.is_empty() {
        return DeleteOptions::from_query(&call.query);
    }
    let schema = builtin::kinds().schema("", "v1", "DeleteOptions");
    let schema = schema.ok_or_else(|| Failure::internal("no schema of DeleteOptions"))?;
    let options = decode::delete_options(bytes, media(content_type)?, schema.get()).map_err(Failure::bad_request)?;
    DeleteOptions::from_body(&options)
}

fn media(content_type: &str) -> Result<Media, Failure> {
    match negotiate::content_type(Some(content_type).filter(|it| !it.is_empty()))? {
        Format::Json => Ok(Media::Json),
        Format::Yaml => Ok(Media::Yaml),
        Format::Protobuf => Ok(Media::Protobuf),
    }
}

fn complete(served: &Served, object: &mut Value) {
    match served.custom() {
        Some(custom) => custom.default(object),
        None => {
            builtin::apply_defaults(served.schema.get(), object);
            let strategy = strategy::built_in(served);
            strategy::in_storage_form(served, object, |object| strategy.default_fields(object));
            if strategy::is_crd(served) {
                crd::definition::defaults(object);
            }
        }
    }
}

/// The schema of any built-in kind.
fn registered<'a>(api_version: &str, kind: &str) -> Option<Schema<'a>> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    builtin::kinds().schema_of(group, version, kind)
}

fn with_kind<T>(served: &Served, with: impl FnOnce(&Kind<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
    let metadata = builtin::kinds().object_meta();
    let refused = RefCell::new(None);
    let prune = |object: &mut Value| match served.custom().map(|custom| custom.decode(object)) {
        Some(Ok(unknown)) => unknown,
        Some(Err(failure)) => {
            refused.replace(Some(failure));
            Vec::new()
        }
        None => Vec::new(),
    };
    let content = match served.custom() {
        None => Content::Typed {
            schema: served.schema.get(),
            registered: &registered,
        },
        Some(_) => Content::Custom {
            metadata: metadata.get(),
            prune: &prune,
        },
    };
    let answered = with(&Kind {
        group: &served.group,
        version: &served.version,
        kind: &served.kind,
        content,
    });
    refused.take().map_or(answered, Err)
}
