//! Patch: JSON patch, merge patch, strategic merge patch, and server-side apply.

use serde_json::Value;

use super::{
    call::{Call, Outcome},
    create, ingest, ownership,
    strategy::{self, Part},
    update::{self, Changed},
};
use crate::{
    apply,
    failure::{Failure, FieldError, FieldPath, Target},
    negotiate::{self, Endpoint, PatchType},
    object,
    patch::{Patch, PatchKind},
    request::WriteOptions,
};

/// Changes the object that the path names as a patch says.
pub(crate) fn patch(call: &Call, part: Part, content_type: &str, body: &[u8]) -> Result<Outcome, Failure> {
    let type_ = type_of(call, content_type)?;
    let options = WriteOptions::parse(&call.query, "PatchOptions")?;
    if type_ == PatchType::Apply {
        return apply(call, part, body, &options);
    }
    if options.force.is_some() {
        let error = FieldError::forbidden(&FieldPath::new("force"), "may not be specified for non-apply patch");
        return Err(Failure::invalid(
            Target::new("meta.k8s.io", "PatchOptions", ""),
            &[error],
        ));
    }
    let kind = kind_of(type_);
    // That a JSON patch is malformed is told before the object's absence; of the other kinds after it.
    let early = (kind == PatchKind::Json)
        .then(|| Patch::parse(kind, body))
        .transpose()?;
    let shown = update::change(call, part, &options, |old| {
        let mut object = match &early {
            Some(patch) => ingest::patched(call, patch, old, &options)?,
            None => ingest::patched(call, &Patch::parse(kind, body)?, old, &options)?,
        };
        update::check_place(call, &mut object)?;
        Ok(Changed { object, owned: false })
    })?;
    Ok(Outcome::Object {
        code: 200,
        object: shown,
    })
}

/// Of what form a patch is.
///
/// # Errors
///
/// 415 for a form that nobody knows, or that this kind cannot take.
pub(crate) fn type_of(call: &Call, content_type: &str) -> Result<PatchType, Failure> {
    let endpoint = match call.served.custom() {
        Some(_) => Endpoint::Custom,
        None => Endpoint::BuiltIn,
    };
    negotiate::patch_type(Some(content_type), endpoint)
}

/// How a patch that is no apply is read.
pub(crate) fn kind_of(type_: PatchType) -> PatchKind {
    match type_ {
        PatchType::Json => PatchKind::Json,
        PatchType::Merge => PatchKind::Merge,
        _ => PatchKind::Strategic,
    }
}

fn apply(call: &Call, part: Part, body: &[u8], options: &WriteOptions) -> Result<Outcome, Failure> {
    if options.field_manager.is_empty() {
        let error = FieldError::required(&FieldPath::new("fieldManager"), "is required for apply patch");
        return Err(Failure::invalid(
            Target::new("meta.k8s.io", "PatchOptions", ""),
            &[error],
        ));
    }
    let force = options.force.unwrap_or(false);
    let lay = |live: Option<&Value>| {
        let applied = ingest::applied(body, &call.served.api_version, &call.served.kind)?;
        let laid = ownership::with_request(call, part, &options.field_manager, |request| {
            apply::apply(live, &applied.object, force, request)
        })?;
        applied.check(call, options.field_validation)?;
        ingest::laid(call, &applied.object, laid)
    };
    let exists = call.core.store.get(&call.served.table, &call.key()).is_some();
    // What a PUT creates, an apply of its status creates, too.
    if !exists && (part == Part::Main || strategy::creates_on_update(&call.served)) {
        return create_applied(call, part, &lay, options);
    }
    let shown = update::change(call, part, options, |old| {
        let mut object = lay(Some(old))?;
        update::check_place(call, &mut object)?;
        Ok(Changed { object, owned: true })
    })?;
    Ok(Outcome::Object {
        code: 200,
        object: shown,
    })
}

/// An apply of what is not there creates it, unless it says of which object it is.
fn create_applied(
    call: &Call,
    part: Part,
    lay: &dyn Fn(Option<&Value>) -> Result<Value, Failure>,
    options: &WriteOptions,
) -> Result<Outcome, Failure> {
    let mut new = lay(None)?;
    let uid = object::uid(&new);
    if !uid.is_empty() {
        let why = format!("uid mismatch: the provided object specified uid {uid}, and no existing object was found");
        return Err(Failure::conflict(call.served.target(&call.key().name), why));
    }
    update::check_place(call, &mut new)?;
    update::version_of(&new)?;
    object::metadata_mut(&mut new).remove("resourceVersion");
    match create::create(call, &new, part, true, options) {
        // Somebody else was faster: it is there now.
        Err(failure) if failure.reason == "AlreadyExists" => {
            let shown = update::change(call, Part::Main, options, |old| {
                Ok(Changed {
                    object: lay(Some(old))?,
                    owned: true,
                })
            })?;
            Ok(Outcome::Object {
                code: 200,
                object: shown,
            })
        }
        outcome => outcome,
    }
}
