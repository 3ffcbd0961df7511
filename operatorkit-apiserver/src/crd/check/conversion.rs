//! How objects are converted between versions.

use base64::Engine as _;
use serde_json::Value;

use super::{spec::one_of, text};
use crate::{
    crd::{content, structure::array},
    failure::{FieldError, FieldPath},
};

const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// Checks `conversion`.
pub(super) fn check(
    conversion: &Value,
    preserve: bool,
    established: bool,
    at: &FieldPath,
    errors: &mut Vec<FieldError>,
) {
    if conversion.is_null() {
        return;
    }
    let strategy = &conversion["strategy"];
    if preserve && strategy != "None" {
        let detail = "must be None if spec.preserveUnknownFields is true";
        errors.push(FieldError::invalid(&at.child("strategy"), strategy, detail));
    }
    one_of(strategy, &["None", "Webhook"], &at.child("strategy"), errors);
    let client = &conversion["webhook"]["clientConfig"];
    let reviews = &conversion["webhook"]["conversionReviewVersions"];
    let (client_at, reviews_at) = (at.child("webhookClientConfig"), at.child("conversionReviewVersions"));
    if strategy == "Webhook" {
        if client.is_null() {
            errors.push(FieldError::required(
                &client_at,
                "required when strategy is set to Webhook",
            ));
        } else {
            webhook(client, established, &client_at, errors);
        }
        review_versions(reviews, &reviews_at, errors);
        return;
    }
    let detail = "should not be set when strategy is not set to Webhook";
    if !client.is_null() {
        errors.push(FieldError::forbidden(&client_at, detail));
    }
    if !array(reviews).is_empty() {
        errors.push(FieldError::forbidden(&reviews_at, detail));
    }
}

fn webhook(client: &Value, established: bool, at: &FieldPath, errors: &mut Vec<FieldError>) {
    match (client["url"].as_str(), client["service"].is_null()) {
        (Some(_), false) | (None, true) => {
            errors.push(FieldError::required(at, "exactly one of url or service is required"));
        }
        (Some(url), true) => address(url, &at.child("url"), errors),
        (None, false) => service(&client["service"], &at.child("service"), errors),
    }
    if let Some(bundle) = text(&client["caBundle"]).filter(|_| established && !is_bundle(&client["caBundle"])) {
        let detail = "unable to load root certificates: unable to parse bytes as PEM block";
        errors.push(FieldError::invalid(&at.child("caBundle"), &bundle.into(), detail));
    }
}

/// Whether a value is certificates in PEM, in base64.
pub(in crate::crd) fn is_bundle(bundle: &Value) -> bool {
    let bytes = base64::engine::general_purpose::STANDARD.decode(bundle.as_str().unwrap_or_default());
    let text = bytes.ok().and_then(|it| String::from_utf8(it).ok());
    text.is_some_and(|it| it.contains("-----BEGIN CERTIFICATE-----") && it.contains("-----END CERTIFICATE-----"))
}

fn address(url: &str, at: &FieldPath, errors: &mut Vec<FieldError>) {
    const FORM: &str = "; desired format: https://host[/path]";
    let mut refuse = |value: &str, detail: String| errors.push(FieldError::invalid(at, &value.into(), detail));
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, rest) = rest.split_once(':').unwrap_or(("", rest));
    let scheme = scheme.to_lowercase();
    let authority = rest
        .strip_prefix("//")
        .map_or("", |it| it.split('/').next().unwrap_or_default());
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if scheme != "https" {
        refuse(&scheme, format!("'https' is the only allowed URL scheme{FORM}"));
    }
    if host.is_empty() {
        refuse(host, format!("host must be specified{FORM}"));
    }
    if let Some(user) = user {
        refuse(user, "user information is not permitted in the URL".into());
    }
    if !fragment.is_empty() {
        refuse(fragment, "fragments are not permitted in the URL".into());
    }
    if !query.is_empty() {
        refuse(query, "query parameters are not permitted in the URL".into());
    }
}

fn service(service: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    for name in ["name", "namespace"] {
        // The real server confuses the two: it reports the one that is there as missing.
        let other = if name == "name" { "namespace" } else { "name" };
        if text(&service[other]).is_none() {
            errors.push(FieldError::required(&at.child(name), ""));
        }
    }
    let port = service["port"].as_i64().unwrap_or(443);
    if !(1..=65535).contains(&port) {
        let detail = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(FieldError::invalid(&at.child("port"), &port.into(), detail));
    }
    let value = &service["path"];
    let Some(path) = text(value).filter(|it| *it != "/") else {
        return;
    };
    let at = at.child("path");
    let mut refuse = |detail: String| errors.push(FieldError::invalid(&at, value, detail));
    if !path.starts_with('/') {
        refuse("must start with a '/'".into());
    }
    let mut letters = path.chars();
    letters.next();
    let inside = letters.as_str();
    for (index, step) in inside.strip_suffix('/').unwrap_or(inside).split('/').enumerate() {
        if step.is_empty() {
            refuse(format!("segment[{index}] may not be empty"));
            continue;
        }
        for wrong in content::dns_subdomain(step) {
            refuse(format!("segment[{index}]: {wrong}"));
        }
    }
}

fn review_versions(versions: &Value, at: &FieldPath, errors: &mut Vec<FieldError>) {
    let list = array(versions);
    if list.is_empty() {
        errors.push(FieldError::required(at, ""));
        return;
    }
    for (index, version) in list.iter().enumerate() {
        if list[..index].contains(version) {
            errors.push(FieldError::invalid(&at.index(index), version, "duplicate version"));
            continue;
        }
        for wrong in content::dns_1035_label(version.as_str().unwrap_or_default()) {
            errors.push(FieldError::invalid(&at.index(index), version, wrong));
        }
    }
    if !list.iter().any(|it| REVIEWS.iter().any(|known| it == known)) {
        let detail = format!("must include at least one of {}", REVIEWS.join(", "));
        errors.push(FieldError::invalid(at, versions, detail));
    }
}
