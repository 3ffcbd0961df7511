//! What one operator asks of the API server, as rights.

use anyhow::ensure;
use k8s_openapi::api::events::v1::Event;

use super::{Needs, Place};
use crate::{
    cluster::Kind,
    graph::{Outlined, Role},
    operator::{Operator, name_of},
};

/// Watched, read live before anything is deleted, and patched for the finalizer, the inventory and the slots.
const OBJECT: [&str; 4] = ["get", "list", "watch", "patch"];
/// An apply that may create needs `create` beside `patch`.
const CHILD: [&str; 6] = ["get", "list", "watch", "create", "patch", "delete"];
/// What a resource reads is watched, and its body is fetched.
const READ: [&str; 3] = ["get", "list", "watch"];
/// A repeat is a patch of the first one.
const EVENT: [&str; 2] = ["create", "patch"];

/// The rights of an operator: on its kind, on the kinds of its children and of what they read, and on Events.
pub(crate) fn of_operator<O: Operator>() -> anyhow::Result<Needs> {
    let outline = O::outline();
    let resources = outline.resources();
    ensure!(
        resources.iter().map(|it| it.meta).eq(O::NODES),
        "the operator `{}` does not say its resources before they are made: implement `Operator::outline`, in the order of `NODES`",
        name_of::<O>()
    );
    let mut needs = Needs::default();
    let kind = Kind::of::<O::Object>();
    let place = place(&kind, false);
    needs.add(place.clone(), &kind.group, &kind.plural, &OBJECT);
    if O::crd().is_some() {
        needs.add(
            place.clone(),
            &kind.group,
            &format!("{}/status", kind.plural),
            &["patch"],
        );
    }
    resources.iter().for_each(|resource| of_resource(&mut needs, resource));
    // Events about a cluster-scoped object are in `default`.
    let events = if kind.namespaced {
        place
    } else {
        Place::Namespace("default".to_owned())
    };
    let event = Kind::of::<Event>();
    needs.add(events, &event.group, &event.plural, &EVENT);
    Ok(needs)
}

fn of_resource(needs: &mut Needs, resource: &Outlined) {
    for read in &resource.reads {
        needs.add(
            place(&read.kind, read.any_namespace),
            &read.kind.group,
            &read.kind.plural,
            &READ,
        );
    }
    if resource.role != Role::Manifest {
        return;
    }
    let name = resource.meta.name;
    let Some(kind) = &resource.child_kind else {
        let verbs = CHILD.join(", ");
        return needs.note(format!(
            "the kinds of `{name}` are known only while it runs: add each with `App::rule` ({verbs})"
        ));
    };
    needs.add(
        place(kind, resource.meta.settings.any_namespace),
        &kind.group,
        &kind.plural,
        &CHILD,
    );
    if kind.group == "rbac.authorization.k8s.io" {
        needs.note(format!(
            "`{name}` makes {kind}s: the API server lets nobody grant what they do not have, so add with `App::rule` what these grant, or `bind` and `escalate`"
        ));
    }
}

/// Where the objects of a kind are.
fn place(kind: &Kind, any_namespace: bool) -> Place {
    if kind.namespaced && !any_namespace {
        Place::Objects
    } else {
        Place::Cluster
    }
}
