//! What is no resource: versions, discovery, OpenAPI, health.

use http::header::ACCEPT;
use serde_json::{Value, json};

use super::{answer::Answer, handle::Asked, open_api_v2};
use crate::{
    access::Authorize as _,
    failure::Failure,
    negotiate::{self, Accepted, Endpoint, Transform},
    open_api,
    registry::{Catalog, discovery},
};

/// The health checks that are named one by one.
const CHECKS: [&str; 3] = ["ping", "log", "etcd"];

pub(super) fn answer(asked: &Asked, path: &[String]) -> Result<Answer, Failure> {
    asked
        .core
        .authorizer()
        .check(&asked.info.user, &asked.info.attributes)?;
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    if let ["healthz" | "readyz" | "livez", rest @ ..] = path.as_slice() {
        // A check is a check, whatever the method.
        return Ok(health(asked, path[0], rest));
    }
    if !matches!(asked.method.as_str(), "GET" | "HEAD") {
        return Err(Failure::method_not_allowed());
    }
    let catalog = asked.core.registry.catalog();
    match path.as_slice() {
        [] => Ok(Answer::json(200, &paths(&catalog))),
        ["version"] => Ok(Answer::json(200, &version())),
        ["api"] => everything(asked, &catalog, Endpoint::Resources),
        ["apis"] => everything(asked, &catalog, Endpoint::Groups),
        ["api", version] => version_of_group(asked, &catalog, "", version),
        ["apis", group] => found(asked, discovery::group(&catalog, group)),
        ["apis", group, version] => version_of_group(asked, &catalog, group, version),
        // Go's file server sees that it is text, and nobody says that it is JSON.
        ["openapi", "v3"] => Ok(Answer::text(200, open_api::index(&catalog).to_string())),
        ["openapi", "v3", "api", version] => open_api_document(asked, &catalog, "", version),
        ["openapi", "v3", "apis", group, version] => open_api_document(asked, &catalog, group, version),
        ["openapi", "v2"] => Ok(open_api_v2::answer(asked.header(&ACCEPT))),
        ["openapi", "v3", ..] => Ok(Answer::bytes_of(404, "", "")),
        [".well-known", "openid-configuration"] | ["openid", "v1", "jwks"] => {
            Ok(Answer::json(200, &keys(asked, &path)))
        }
        _ => Ok(nowhere()),
    }
}

/// `/api` and `/apis`: which groups there are, or everything about them at once (KEP-3352).
fn everything(asked: &Asked, catalog: &Catalog, endpoint: Endpoint) -> Result<Answer, Failure> {
    let core = endpoint == Endpoint::Resources;
    // Who wants another version of the discovery only, and nothing else, gets none.
    let accepted = accepted(asked, Endpoint::Groups)?;
    let body = match accepted.convert {
        Some(convert) if convert.to == Transform::Discovery => discovery::aggregated(catalog, convert.version, core),
        _ if core => discovery::core_versions("127.0.0.1"),
        _ => discovery::groups(catalog),
    };
    Answer::encoded(200, body.to_string().into_bytes(), &accepted, &asked.headers)
}

fn accepted(asked: &Asked, endpoint: Endpoint) -> Result<Accepted, Failure> {
    let accept = asked.headers.get(ACCEPT).and_then(|header| header.to_str().ok());
    negotiate::accept(accept, endpoint, false)
}

fn open_api_document(asked: &Asked, catalog: &Catalog, group: &str, version: &str) -> Result<Answer, Failure> {
    let Some(document) = open_api::of_version(catalog, group, version) else {
        return Ok(Answer::bytes_of(404, "", ""));
    };
    Answer::encoded(200, document.to_vec(), &Accepted::default(), &asked.headers)
}

fn version_of_group(asked: &Asked, catalog: &Catalog, group: &str, version: &str) -> Result<Answer, Failure> {
    let known = group.is_empty() || catalog.groups().iter().any(|(it, _)| **it == *group);
    match discovery::resources(catalog, group, version) {
        None if known => Err(Failure::no_such_resource()),
        body => found(asked, body),
    }
}

/// A document about a group, in the media type that is asked for.
fn found(asked: &Asked, body: Option<Value>) -> Result<Answer, Failure> {
    let Some(body) = body else { return Ok(nowhere()) };
    let accepted = Accepted {
        convert: None,
        ..accepted(asked, Endpoint::Groups)?
    };
    Answer::encoded(200, body.to_string().into_bytes(), &accepted, &asked.headers)
}

/// What is not there is answered by the plain handler of the real server's aggregator.
fn nowhere() -> Answer {
    Answer::text(404, "404 page not found\n")
}

fn health(asked: &Asked, what: &str, check: &[&str]) -> Answer {
    match check {
        [] if asked.query.has("verbose") => {
            let lines = CHECKS.map(|check| format!("[+]{check} ok\n")).concat();
            Answer::text(200, format!("{lines}{what} check passed\n"))
        }
        [] => Answer::text(200, "ok"),
        [check] if CHECKS.contains(check) => Answer::text(200, "ok"),
        _ => nowhere(),
    }
}

fn keys(asked: &Asked, path: &[&str]) -> Value {
    if path == ["openid", "v1", "jwks"] {
        return asked.core.access.key.jwks();
    }
    crate::access::token::key::openid_configuration(crate::core::ISSUER, crate::core::ISSUER)
}

/// The version of Kubernetes whose behaviour is served.
fn version() -> Value {
    json!({
        "major": "1", "minor": "37", "emulationMajor": "1", "emulationMinor": "37",
        "minCompatibilityMajor": "1", "minCompatibilityMinor": "36",
        "gitVersion": concat!("v1.37.2+operatorkit.", env!("CARGO_PKG_VERSION")),
        "gitCommit": "", "gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "none", "compiler": "rustc", "platform": "linux/amd64",
    })
}

fn paths(catalog: &Catalog) -> Value {
    let mut paths = vec!["/api".to_owned(), "/apis".to_owned()];
    for (group, versions) in catalog.groups() {
        if group.is_empty() {
            paths.extend(versions.iter().map(|version| format!("/api/{version}")));
            continue;
        }
        paths.push(format!("/apis/{group}"));
        paths.extend(versions.iter().map(|version| format!("/apis/{group}/{version}")));
    }
    let others = [
        "/healthz",
        "/livez",
        "/openapi/v2",
        "/openapi/v3",
        "/readyz",
        "/version",
    ];
    paths.extend(others.map(str::to_owned));
    json!({ "paths": paths })
}
