//! What a deletion makes of an object: whether it is gone at once, or marked and waits for finalizers or its grace period
//! (`k8s.io/apiserver/pkg/registry/generic/registry/store.go`, `registry/rest/delete.go`).

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{call::Call, strategy};
use crate::{
    clock, crd,
    kinds::pod,
    object,
    request::{DeleteOptions, options::Propagation},
};

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// What happens next to an object that is to be deleted.
pub(super) enum Step {
    /// Nothing: it waits already.
    Wait,
    /// It is marked, and waits.
    Mark(Value),
    /// It is marked, which watches see, and then gone.
    MarkAndRemove(Value),
    /// It is gone.
    Remove,
}

/// The next step.
pub(super) fn step(call: &Call, old: &Value, options: &DeleteOptions) -> Step {
    if call.served.is("", "namespaces") {
        return namespace(call, old, options);
    }
    if strategy::is_crd(&call.served) && !object::is_deleting(old) {
        return definition(call, old);
    }
    let grace = match grace(call, old, options) {
        Grace::None => None,
        Grace::Pending => return Step::Wait,
        Grace::Until(end, seconds) => Some((end, seconds)),
    };
    let mut new = old.clone();
    object::set_finalizers(&mut new, finalizers(call, old, options));
    let held = object::finalizers(&new).next().is_some();
    match grace {
        None if !held => Step::Remove,
        None => {
            let now = call.core.clock.now();
            mark(&mut new, now, 0);
            if let Ok(before) = object::text(old, "deletionTimestamp").parse::<Timestamp>()
                && before <= now
            {
                object::metadata_mut(&mut new).insert("deletionTimestamp".into(), clock::seconds(before).into());
            }
            Step::Mark(new)
        }
        Some((end, seconds)) => {
            mark(&mut new, end, seconds);
            if held || seconds > 0 {
                Step::Mark(new)
            } else {
                Step::MarkAndRemove(new)
            }
        }
    }
}

/// A namespace waits for its contents (`registry/core/namespace/storage`).
fn namespace(call: &Call, old: &Value, options: &DeleteOptions) -> Step {
    let mut new = old.clone();
    object::set_finalizers(&mut new, finalizers(call, old, options));
    if !object::is_deleting(old) {
        let now = call.core.clock.seconds();
        object::metadata_mut(&mut new).insert("deletionTimestamp".into(), now.into());
        new["status"]["phase"] = "Terminating".into();
        return Step::Mark(new);
    }
    let held = old["spec"]["finalizers"]
        .as_array()
        .is_some_and(|finalizers| !finalizers.is_empty());
    if held {
        return Step::Wait;
    }
    if object::finalizers(&new).next().is_some() {
        object::metadata_mut(&mut new).insert("deletionGracePeriodSeconds".into(), 0.into());
        return Step::Mark(new);
    }
    Step::Remove
}

/// A CRD waits for its objects (`apiextensions-apiserver/pkg/registry/customresourcedefinition`).
fn definition(call: &Call, old: &Value) -> Step {
    let now = call.core.clock.now();
    let mut new = old.clone();
    object::metadata_mut(&mut new).insert("deletionTimestamp".into(), clock::seconds(now).into());
    let mut finalizers: Vec<String> = object::finalizers(old).map(str::to_owned).collect();
    if !finalizers.iter().any(|finalizer| finalizer == crd::FINALIZER) {
        finalizers.push(crd::FINALIZER.into());
    }
    object::set_finalizers(&mut new, finalizers);
    new["status"] = crd::names::terminating(&new, false, now);
    Step::Mark(new)
}

/// How long a Pod may take to end.
enum Grace {
    /// It is none of those that may.
    None,
    /// The period runs, and is not made shorter.
    Pending,
    /// When it ends, and its length.
    Until(Timestamp, i64),
}

fn grace(call: &Call, old: &Value, options: &DeleteOptions) -> Grace {
    if !call.served.is("", "pods") {
        return Grace::None;
    }
    let period = pod::grace_period(old, options.grace_period_seconds);
    let now = call.core.clock.now();
    let after = |begin: Timestamp, seconds| {
        begin
            .saturating_add(SignedDuration::from_secs(seconds))
            .unwrap_or(begin)
    };
    let Ok(end) = object::text(old, "deletionTimestamp").parse::<Timestamp>() else {
        return Grace::Until(after(now, period), period);
    };
    let before = old["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
    match options
        .grace_period_seconds
        .map(|asked| if asked < 0 { 1 } else { asked })
    {
        _ if before == 0 => Grace::None,
        Some(asked) if asked < before => {
            let shorter = after(after(end, -before), asked);
            if shorter >= now {
                Grace::Until(shorter, asked)
            } else {
                // The shorter period is over already; somebody else still ends the Pod, unless nothing is to be waited for.
                Grace::Until(now, asked.min(1))
            }
        }
        _ => Grace::Pending,
    }
}

/// Marks an object as one that is being deleted. Its generation counts that, if it has one.
fn mark(new: &mut Value, end: Timestamp, grace: i64) {
    if !object::is_deleting(new) {
        object::bump_generation(new);
    }
    let metadata = object::metadata_mut(new);
    metadata.insert("deletionTimestamp".into(), clock::seconds(end).into());
    metadata.insert("deletionGracePeriodSeconds".into(), grace.into());
}

/// The finalizers with those by which the garbage collector knows what to do (`deletionFinalizersForGarbageCollection`).
fn finalizers(call: &Call, old: &Value, options: &DeleteOptions) -> Vec<String> {
    let has = |wanted: &str| object::finalizers(old).any(|finalizer| finalizer == wanted);
    let asked = match (options.orphan_dependents, options.propagation) {
        (Some(true), _) => Some(Propagation::Orphan),
        (Some(false), None) => Some(Propagation::Background),
        (_, asked) => asked,
    };
    let policy = match asked {
        Some(policy) => policy,
        None if has(ORPHAN) => Propagation::Orphan,
        None if has(FOREGROUND) => Propagation::Foreground,
        None if strategy::orphans_by_default(&call.served) => Propagation::Orphan,
        None => Propagation::Background,
    };
    let wanted = match policy {
        Propagation::Orphan => Some(ORPHAN),
        Propagation::Foreground => Some(FOREGROUND),
        Propagation::Background => None,
    };
    let set = |finalizer: &str| Some(finalizer) == wanted;
    if has(ORPHAN) == set(ORPHAN) && has(FOREGROUND) == set(FOREGROUND) {
        return object::finalizers(old).map(str::to_owned).collect();
    }
    let others = object::finalizers(old).filter(|finalizer| !matches!(*finalizer, ORPHAN | FOREGROUND));
    others.chain(wanted).map(str::to_owned).collect()
}
