//! Create.

use std::sync::Arc;

use serde_json::Value;

use super::{
    admission::{self, Taken},
    call::{Call, Outcome, Shown},
    namespace, ownership,
    strategy::{self, Part},
    update::check_namespace,
};
use crate::{
    access::{Attributes, Authorize as _},
    failure::Failure,
    object,
    request::WriteOptions,
    store::{Expect, Stored},
};

/// How often a generated name is drawn anew when it is taken (KEP-4420).
const DRAWS: usize = 8;

/// Creates an object that is already decoded, typed and defaulted, `part` by which; `owned`: its `managedFields` are right already.
pub(crate) fn create(
    call: &Call,
    body: &Value,
    part: Part,
    owned: bool,
    options: &WriteOptions,
) -> Result<Outcome, Failure> {
    let mut draws = 0;
    loop {
        draws += 1;
        match attempt(call, body.clone(), part, owned, options) {
            Err(failure) if failure.reason == "AlreadyExists" && generates(body) && draws < DRAWS => {}
            outcome => return outcome,
        }
    }
}

fn generates(body: &Value) -> bool {
    object::name(body).is_empty() && !object::text(body, "generateName").is_empty()
}

fn attempt(call: &Call, mut new: Value, part: Part, owned: bool, options: &WriteOptions) -> Result<Outcome, Failure> {
    let served = &call.served;
    if served.terminating {
        let why = "create not allowed while custom resource definition is terminating";
        return Err(Failure::forbidden(served.target(object::name(&new)), why));
    }
    check_namespace(call, &mut new)?;
    if !matches!(object::text(&new, "resourceVersion"), "" | "0") {
        // The real server has no better reason than its store's.
        return Err(Failure::new(
            500,
            "",
            "resourceVersion should not be set on objects to be created",
        ));
    }
    object::metadata_mut(&mut new).remove("resourceVersion");
    if !owned {
        wipe(&mut new);
        ownership::own(call, Part::Main, &mut new, None, options);
    }
    name(call, &mut new);
    namespace::accepts(call, &new)?;
    strategy::admit(call, &mut new)?;
    wipe(&mut new);
    let metadata = object::metadata_mut(&mut new);
    metadata.insert("creationTimestamp".into(), call.core.clock.seconds().into());
    metadata.insert("uid".into(), call.core.identities.uid().into());
    let taken = admission::before_create(call, part, &mut new, options.dry_run)?;
    let errors = strategy::before_create(call, &mut new);
    if !errors.is_empty() {
        return Err(Failure::invalid(served.object_target(&new), &errors));
    }
    check_right(call)?;
    strategy::accept(call, &new)?;
    let created = insert(call, &new, taken, options.dry_run)?;
    Ok(Outcome::Object {
        code: 201,
        object: created,
    })
}

/// A PUT or an apply that creates needs the right to create beside its own (`withAuthorization` of `k8s.io/apiserver`).
fn check_right(call: &Call) -> Result<(), Failure> {
    let Some(name) = &call.place.name else {
        return Ok(());
    };
    let place = &call.place;
    let attributes = Attributes::resource("create", &place.group, &place.resource)
        .on_subresource(place.subresource.as_deref().unwrap_or_default())
        .in_namespace(place.namespace.as_deref().unwrap_or_default())
        .named(name);
    call.core.authorizer().check(&call.user, &attributes)
}

/// Takes out what only the server says (`WipeObjectMetaSystemFields`).
fn wipe(new: &mut Value) {
    let metadata = object::metadata_mut(new);
    for field in [
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "selfLink",
        "uid",
    ] {
        metadata.remove(field);
    }
}

fn name(call: &Call, new: &mut Value) {
    if generates(new) {
        let name = call.core.identities.name(object::text(new, "generateName"));
        object::metadata_mut(new).insert("name".into(), name.into());
    }
}

fn insert(call: &Call, new: &Value, allocated: Taken, dry_run: bool) -> Result<Shown, Failure> {
    let draft = strategy::draft(&call.served, new);
    let taken = |there: Option<Arc<Stored>>| {
        let mut failure = Failure::already_exists(call.served.target(object::name(new)));
        if !object::text(new, "generateName").is_empty() {
            failure.message += ", the server was not able to generate a unique name for the object";
            failure.retry_after = Some(1);
        }
        if there.is_some_and(|there| object::is_deleting(&strategy::show(&call.served, &there))) {
            failure.message = format!("object is being deleted: {}", failure.message);
        }
        failure
    };
    if dry_run {
        return match call.core.store.get(&call.served.table, draft.key()) {
            None => Ok(Shown::Value(new.clone())),
            there => Err(taken(there)),
        };
    }
    let stored = call.core.store.put(&call.served.table, Expect::Absent, draft);
    let stored = stored.map_err(|mismatch| taken(mismatch.0))?;
    allocated.keep();
    admission::written(call, None, Some(new));
    Ok(Shown::Stored(stored))
}
