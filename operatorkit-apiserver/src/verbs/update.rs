//! Update, and what every other change of an object goes through.

use std::sync::Arc;

use serde_json::Value;

use super::{
    admission,
    call::{Call, Outcome, Shown},
    ownership,
    strategy::{self, Part},
};
use crate::{
    apply,
    failure::{Failure, FieldError, FieldPath},
    object,
    request::{WriteOptions, options::version},
    store::{Expect, Key, Stored},
};

const MODIFIED: &str = "the object has been modified; please apply your changes to the latest version and try again";

/// What a change makes of an object, and how its fields are owned.
pub(crate) struct Changed {
    pub(crate) object: Value,
    /// Whether `managedFields` are already right: an apply computes them itself.
    pub(crate) owned: bool,
}

/// Replaces an object by one that is already decoded, typed and defaulted.
pub(crate) fn update(call: &Call, body: &Value, part: Part, options: &WriteOptions) -> Result<Outcome, Failure> {
    let mut body = body.clone();
    check_place(call, &mut body)?;
    // A PUT of the status creates, too.
    if strategy::creates_on_update(&call.served) {
        let missing = call.core.store.get(&call.served.table, &call.key()).is_none();
        if missing {
            check_uid(call, &body, "")?;
            version_of(&body)?;
            ownership::own(call, part, &mut body, None, options);
            object::metadata_mut(&mut body).remove("resourceVersion");
            return super::create::create(call, &body, part, true, options);
        }
    }
    let shown = change(call, part, options, |old| {
        check_uid(call, &body, object::uid(old))?;
        Ok(Changed {
            object: body.clone(),
            owned: false,
        })
    })?;
    Ok(Outcome::Object {
        code: 200,
        object: shown,
    })
}

/// An object must be where the path says; the namespace may be left out.
pub(super) fn check_place(call: &Call, object: &mut Value) -> Result<(), Failure> {
    check_namespace(call, object)?;
    let name = call.place.name.as_deref().unwrap_or_default();
    let message = match object::name(object) {
        given if given == name => return Ok(()),
        "" => format!("the name of the object ({name} based on URL) was undeterminable: name must be provided"),
        given => format!("the name of the object ({given}) does not match the name on the URL ({name})"),
    };
    Err(Failure::bad_request(message))
}

/// The namespace is that of the path. Objects of the cluster lose theirs (`EnsureObjectNamespaceMatchesRequestNamespace`).
pub(super) fn check_namespace(call: &Call, object: &mut Value) -> Result<(), Failure> {
    let given = object::namespace(object).to_owned();
    let metadata = object::metadata_mut(object);
    if !call.served.namespaced {
        metadata.remove("namespace");
        return Ok(());
    }
    let expected = call.place.namespace.as_deref().unwrap_or_default();
    if !given.is_empty() && given != expected {
        let message = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Failure::bad_request(message));
    }
    metadata.insert("namespace".into(), expected.into());
    Ok(())
}

/// A PUT that names a UID means that object only.
fn check_uid(call: &Call, body: &Value, there: &str) -> Result<(), Failure> {
    let given = object::uid(body);
    if given.is_empty() || given == there {
        return Ok(());
    }
    let why = format!("Precondition failed: UID in precondition: {given}, UID in object meta: {there}");
    let key = call.key();
    Err(Failure::conflict(
        call.served.target(&key.name),
        storage_error(call, &key, &why),
    ))
}

/// What the real server's store says, with the key in etcd.
pub(super) fn storage_error(call: &Call, key: &Key, why: &str) -> String {
    let served = &call.served;
    let resource = match (&*served.group, &*served.plural) {
        ("", "endpoints") => "services/endpoints".to_owned(),
        ("", "nodes") => "minions".to_owned(),
        ("", "replicationcontrollers") => "controllers".to_owned(),
        ("", "services") => "services/specs".to_owned(),
        ("networking.k8s.io", "ingresses") => "ingress".to_owned(),
        (group @ ("apiextensions.k8s.io" | "apiregistration.k8s.io"), plural) => format!("{group}/{plural}"),
        (group, plural) if served.custom().is_some() => format!("{group}/{plural}"),
        (_, plural) => plural.to_owned(),
    };
    format!(
        "StorageError: invalid object, Code: 4, Key: /registry/{resource}/{key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"
    )
}

/// Changes the object that the path names. `make` is called again if somebody else was faster and nothing was said of the
/// version that is meant.
pub(crate) fn change(
    call: &Call,
    part: Part,
    options: &WriteOptions,
    mut make: impl FnMut(&Value) -> Result<Changed, Failure>,
) -> Result<Shown, Failure> {
    loop {
        let stored = call.stored()?;
        let old = strategy::show(&call.served, &stored);
        let changed = make(&old)?;
        if let Some(shown) = attempt(call, part, options, &stored, &old, changed)? {
            return Ok(shown);
        }
    }
}

fn attempt(
    call: &Call,
    part: Part,
    options: &WriteOptions,
    stored: &Arc<Stored>,
    old: &Value,
    changed: Changed,
) -> Result<Option<Shown>, Failure> {
    let served = &call.served;
    let Changed { object: mut new, owned } = changed;
    check_version(call, &new, old)?;
    if !owned {
        ownership::own(call, part, &mut new, Some(old), options);
    }
    // Nobody stores it any more.
    object::metadata_mut(&mut new).remove("selfLink");
    object::metadata_mut(&mut new).insert("resourceVersion".into(), object::text(old, "resourceVersion").into());
    let taken = admission::before_update(call, part, &mut new, old, options.dry_run)?;
    let errors = strategy::before_update(call, part, &mut new, old);
    if !errors.is_empty() {
        return Err(Failure::invalid(served.object_target(&new), &errors));
    }
    apply::keep_times(old, &mut new);
    if options.dry_run {
        return Ok(Some(Shown::Value(new)));
    }
    if is_finished(&new) {
        let removed = call
            .core
            .store
            .remove(&served.table, stored.version, strategy::draft(served, old));
        if removed.is_err() {
            return Ok(None);
        }
        taken.keep();
        admission::written(call, Some(old), None);
        return Ok(Some(Shown::Value(new)));
    }
    if new == *old {
        return Ok(Some(Shown::Stored(stored.clone())));
    }
    match call
        .core
        .store
        .put(&served.table, Expect::At(stored.version), strategy::draft(served, &new))
    {
        Ok(written) => {
            taken.keep();
            admission::written(call, Some(old), Some(&new));
            Ok(Some(Shown::Stored(written)))
        }
        Err(_faster) => Ok(None),
    }
}

/// The version that the sender has seen must be the newest, or none, where the kind allows that.
fn check_version(call: &Call, new: &Value, old: &Value) -> Result<(), Failure> {
    let target = call.served.target(object::name(old));
    let given = version_of(new)?;
    if given == 0 {
        if strategy::allows_unconditional_update(&call.served) {
            return Ok(());
        }
        let field = FieldPath::new("metadata.resourceVersion");
        let error = FieldError::invalid(&field, &0.into(), "must be specified for an update");
        return Err(Failure::invalid(target, &[error]));
    }
    if object::text(old, "resourceVersion") != given.to_string() {
        return Err(Failure::conflict(target, MODIFIED));
    }
    Ok(())
}

/// The resourceVersion that an object of a client has; 0 if it has none.
pub(super) fn version_of(object: &Value) -> Result<u64, Failure> {
    match object::text(object, "resourceVersion") {
        "" => Ok(0),
        // The real server gives no reason.
        text => version::parse(text).map_err(|why| Failure::new(500, "", why)),
    }
}

/// Whether nothing holds back the deletion any more.
pub(crate) fn is_finished(object: &Value) -> bool {
    object::is_deleting(object)
        && object::finalizers(object).next().is_none()
        && object["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0) == 0
        && object["spec"]["finalizers"]
            .as_array()
            .is_none_or(|finalizers| finalizers.is_empty() || object["kind"] != "Namespace")
}
