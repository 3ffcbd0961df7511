//! Delete and deletecollection (`k8s.io/apiserver/pkg/registry/generic/registry/store.go`, `registry/rest/delete.go`).

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    admission,
    call::{Call, Outcome, Shown},
    deletion::{self, Step},
    list, namespace, read, strategy,
    update::storage_error,
};
use crate::{
    failure::Failure,
    object,
    request::{DeleteOptions, ListOptions},
    store::{Expect, Key, Stored},
};

/// Deletes the object that the path names, or begins to.
pub(crate) fn delete(call: &Call, options: &DeleteOptions) -> Result<Outcome, Failure> {
    warn_of_orphans(call, options);
    let name = call.place.name.clone().unwrap_or_default();
    namespace::may_be_deleted(call, &name)?;
    let deleted = one(call, &name, options)?;
    let asked_for_cascade = options.orphan_dependents == Some(false);
    let code = if !deleted.gone && asked_for_cascade { 202 } else { 200 };
    if deleted.gone && !strategy::shows_deleted(&call.served) {
        let target = call.served.target(&name);
        let mut details = json!({ "name": name, "kind": target.kind, "uid": object::uid(&deleted.object) });
        if !target.group.is_empty() {
            details["group"] = target.group.as_ref().into();
        }
        let body = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details,
        });
        return Ok(Outcome::Document { code, body });
    }
    Ok(Outcome::Object {
        code,
        object: Shown::Value(deleted.object),
    })
}

/// Deletes what a list with the same options would show; the answer is that list.
pub(crate) fn delete_collection(
    call: &Call,
    options: &DeleteOptions,
    selection: &ListOptions,
) -> Result<Outcome, Failure> {
    warn_of_orphans(call, options);
    let listed = list::list(call, selection)?;
    for stored in &listed.objects {
        match one(call, &stored.key().name, options) {
            Err(failure) if failure.reason != "NotFound" => return Err(failure),
            _ => {}
        }
    }
    Ok(Outcome::List(listed))
}

/// Jobs leave their Pods unless told otherwise, which surprises people (`batch/job/strategy.go`).
fn warn_of_orphans(call: &Call, options: &DeleteOptions) {
    let asked = options.propagation.is_some() || options.orphan_dependents.is_some();
    if !asked && strategy::orphans_by_default(&call.served) && call.served.is("batch", "jobs") {
        call.warn(
            "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set \
             propagationPolicy=Orphan to suppress this warning",
        );
    }
}

struct Deleted {
    object: Value,
    gone: bool,
}

fn one(call: &Call, name: &str, options: &DeleteOptions) -> Result<Deleted, Failure> {
    let served = &call.served;
    let key = call.key_of(name);
    loop {
        let stored = call.core.store.get(&served.table, &key);
        let stored = stored.ok_or_else(|| Failure::not_found(served.target(name)))?;
        let old = strategy::show(served, &stored);
        preconditions(call, &stored, &old, options)?;
        let step = if removed_unseen(call, &key, options) {
            Step::Remove
        } else {
            deletion::step(call, &old, options)
        };
        if let Some(deleted) = take(call, &stored, &old, step, options.dry_run) {
            return Ok(deleted);
        }
    }
}

/// Whether a fault makes this request believe an earlier state, in which nothing held the object: the real server reads it once, and removes
/// it also if a finalizer was added meanwhile (kubernetes#77988).
fn removed_unseen(call: &Call, key: &Key, options: &DeleteOptions) -> bool {
    let Some(version) = call.frozen_at else {
        return false;
    };
    let seen = read::earlier(call, key, version);
    seen.is_ok_and(|seen| {
        let seen = strategy::show(&call.served, &seen);
        matches!(deletion::step(call, &seen, options), Step::Remove)
    })
}

/// What the sender thinks of the object must be true (`BeforeDelete` of `registry/rest/delete.go`).
fn preconditions(call: &Call, stored: &Stored, old: &Value, options: &DeleteOptions) -> Result<(), Failure> {
    let of_namespace = call.served.is("", "namespaces");
    let name = object::name(old);
    let target = if of_namespace {
        call.served.target(name)
    } else {
        call.served.kind_target(name)
    };
    let refuse = |kind: &str, given: &str, there: &str, hint: &str| {
        let short = if kind == "UID" { "UID" } else { "ResourceVersion" };
        Failure::conflict(
            target.clone(),
            if of_namespace {
                format!("Precondition failed: {short} in precondition: {given}, {short} in object meta: {there}")
            } else {
                format!(
                    "the {short} in the precondition ({given}) does not match the {short} in record ({there}). The object \
                     might have been {hint}"
                )
            },
        )
    };
    let there = object::uid(old);
    if let Some(uid) = options.uid.as_deref().filter(|uid| *uid != there) {
        return Err(refuse("UID", uid, there, "deleted and then recreated"));
    }
    let there = object::text(old, "resourceVersion");
    if let Some(version) = options.resource_version.as_deref().filter(|version| *version != there) {
        return Err(refuse("ResourceVersion", version, there, "modified"));
    }
    if options.unreadable {
        let why = storage_error(
            call,
            stored.key(),
            "unsafe deletion is not allowed because the object is decodable from storage",
        );
        return Err(Failure::conflict(call.served.target(name), why));
    }
    Ok(())
}

/// Takes a step; `None` if somebody else was faster.
fn take(call: &Call, stored: &Arc<Stored>, old: &Value, step: Step, dry_run: bool) -> Option<Deleted> {
    let marked = match step {
        Step::Wait => {
            return Some(Deleted {
                object: old.clone(),
                gone: false,
            });
        }
        Step::Mark(new) => {
            return mark(call, stored, old, new, dry_run).map(|(object, _)| Deleted { object, gone: false });
        }
        Step::MarkAndRemove(new) => mark(call, stored, old, new, dry_run)?,
        Step::Remove => (old.clone(), stored.version),
    };
    let (last, version) = marked;
    if dry_run {
        return Some(Deleted {
            object: last,
            gone: true,
        });
    }
    // The last state is shown as it was, with the version of the deletion.
    let draft = strategy::draft(&call.served, &last);
    let removed = call.core.store.remove(&call.served.table, version, draft).ok()?;
    admission::written(call, Some(&last), None);
    Some(Deleted {
        object: strategy::show(&call.served, &removed),
        gone: true,
    })
}

/// Writes a mark; the object, and its version.
fn mark(call: &Call, stored: &Arc<Stored>, old: &Value, new: Value, dry_run: bool) -> Option<(Value, u64)> {
    if dry_run || new == *old {
        return Some((new, stored.version));
    }
    let draft = strategy::draft(&call.served, &new);
    let written = call
        .core
        .store
        .put(&call.served.table, Expect::At(stored.version), draft)
        .ok()?;
    admission::written(call, Some(old), Some(&new));
    Some((strategy::show(&call.served, &written), written.version))
}
