//! Which methods the path of a resource has: 404 where it has none, 405 for the others (the routes of
//! `k8s.io/apiserver/pkg/endpoints/installer.go`; for custom resources `customresource_handler.go`).

use http::Method;

use crate::{failure::Failure, registry::Served, request::Place};

/// Whether the path of a request has its method.
///
/// # Errors
///
/// 404 and 405. What subresources have they say themselves.
pub(super) fn check(served: &Served, place: &Place, method: &Method, verb: &str) -> Result<(), Failure> {
    let of_namespace = served.is("", "namespaces");
    if !served.namespaced && place.namespace.is_some() && !of_namespace {
        return Err(Failure::no_such_resource());
    }
    let everywhere = served.namespaced && place.namespace.is_none();
    if everywhere && place.name.is_some() {
        return Err(Failure::no_such_resource());
    }
    if method == Method::HEAD && served.custom().is_none() {
        return Err(Failure::method_not_allowed());
    }
    if place.subresource.is_some() {
        return Ok(());
    }
    let of_path: &[&str] = match (place.watch, place.name.is_some(), everywhere) {
        (true, ..) => &["watch"],
        (false, true, _) => &["get", "update", "patch", "delete"],
        (false, false, true) => &["list", "watch"],
        (false, false, false) => &["list", "watch", "create", "deletecollection"],
    };
    let has = |verb: &&&str| served.has_verb(verb);
    if of_path.iter().any(|it| *it == verb && has(&it)) {
        return Ok(());
    }
    // A CRD's kind in all namespaces is a path of its own only for lists and watches.
    if of_path.iter().filter(has).count() == 0 || everywhere && served.custom().is_some() {
        return Err(Failure::no_such_resource());
    }
    Err(Failure::method_not_allowed())
}
