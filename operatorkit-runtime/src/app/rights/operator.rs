//! What one operator asks of the API server, as rights.

use anyhow::ensure;
use k8s_openapi::api::events::v1::Event;
use kube::core::{ApiResource, GroupVersionKind, TypeMeta};

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
    resources
        .iter()
        .for_each(|resource| of_resource(&mut needs, resource, kind.namespaced));
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

pub(super) fn of_resource(needs: &mut Needs, resource: &Outlined, objects_namespaced: bool) {
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
    let Outlined { meta, named_kinds, .. } = resource;
    let any_namespace = meta.settings.any_namespace;
    if named_kinds.others {
        let verbs = CHILD.join(", ");
        needs.note(format!(
            "the kinds of `{}` are known only while it runs: add each with `App::rule` ({verbs})",
            meta.name
        ));
    }
    for named in &named_kinds.known {
        let kind = guessed(named, objects_namespaced);
        // Those of Kubernetes are called as they should be.
        if kind.group.contains('.') && !kind.group.ends_with(".k8s.io") {
            needs.note(format!(
                "`{}` makes objects of the kind {kind}, which is taken to be called `{}` in paths: if it is not, add the right name with `App::rule`",
                meta.name, kind.plural
            ));
        }
        of_child(needs, meta.name, &kind, any_namespace);
    }
    if let Some(kind) = &resource.child_kind {
        of_child(needs, meta.name, kind, any_namespace);
    }
}

/// A kind of which only the name is known. It is as its objects are: without `namespaces = any` children are where their object is.
fn guessed(named: &TypeMeta, namespaced: bool) -> Kind {
    let (group, version) = named.api_version.split_once('/').unwrap_or(("", &named.api_version));
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &named.kind));
    Kind {
        group: kind.group,
        version: kind.version,
        kind: kind.kind,
        plural: kind.plural,
        namespaced,
    }
}

fn of_child(needs: &mut Needs, name: &str, kind: &Kind, any_namespace: bool) {
    needs.add(place(kind, any_namespace), &kind.group, &kind.plural, &CHILD);
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
