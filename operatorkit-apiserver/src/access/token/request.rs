//! `TokenRequest`: a token of a ServiceAccount for the asking (`pkg/registry/core/serviceaccount/storage/token.go`).

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{Claims, Reference, TokenKey, claims::Kubernetes};
use crate::failure::{Failure, FieldError, FieldPath, Target};

const GROUP: &str = "authentication.k8s.io";
const KIND: &str = "TokenRequest";
/// A token is good for so long if nothing else is asked for.
const HOUR: i64 = 3600;
const MIN_SECONDS: i64 = 600;
const MAX_SECONDS: i64 = 1 << 32;

/// Makes tokens.
#[derive(Debug)]
pub struct Issuer<'a> {
    /// Signs them.
    pub key: &'a TokenKey,
    /// `iss`.
    pub issuer: &'a str,
    /// `aud`, if the request has none.
    pub audiences: &'a [String],
    /// The time.
    pub now: Timestamp,
    /// A fresh UUID.
    pub id: &'a str,
}

impl Issuer<'_> {
    /// The answer to a `TokenRequest` for this ServiceAccount, without `managedFields`. `bound` finds the objects that a
    /// token can be bound to: it gets kind (`Pod`, `Secret`, `Node`) and name, and answers the object or the 404.
    ///
    /// # Errors
    ///
    /// 422 for a bad `expirationSeconds` or another name than the account's; 400 for an object that tokens cannot be bound
    /// to; 409 if a UID differs; 404 if the object is not there.
    pub fn answer(
        &self,
        mut request: Value,
        account: &Value,
        bound: impl Fn(&str, &str) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        let (name, namespace) = (text(account, "/metadata/name"), text(account, "/metadata/namespace"));
        let uid = text(account, "/metadata/uid");
        check_metadata(&request, name, namespace, uid)?;
        self.fill(&mut request, account);
        let seconds = request["spec"]["expirationSeconds"].as_i64().unwrap_or(HOUR);
        check_seconds(seconds)?;
        let audiences = serde_json::from_value(request["spec"]["audiences"].clone())
            .map_err(|error| Failure::bad_request(format!("spec.audiences: {error}")))?;
        let reference = Reference::new(name, uid);
        let mut claims = Claims::new(self.issuer, namespace, reference, audiences, self.id, self.now, seconds);
        bind(&request["spec"]["boundObjectRef"], name, &mut claims.kubernetes, bound)?;
        let token = self
            .key
            .sign(&claims)
            .map_err(|_| Failure::internal("failed to generate token"))?;
        let until = self
            .now
            .saturating_add(SignedDuration::from_secs(seconds))
            .unwrap_or(Timestamp::MAX);
        request["status"] = json!({"token": token, "expirationTimestamp": seconds_only(until)});
        Ok(request)
    }

    fn fill(&self, request: &mut Value, account: &Value) {
        let metadata = &account["metadata"];
        if !request["metadata"].is_object() {
            request["metadata"] = json!({});
        }
        for field in ["name", "namespace", "uid"] {
            if text(request, &format!("/metadata/{field}")).is_empty() {
                request["metadata"][field] = metadata[field].clone();
            }
        }
        request["metadata"]["creationTimestamp"] = seconds_only(self.now).into();
        if !request["spec"].is_object() {
            request["spec"] = json!({});
        }
        let spec = &mut request["spec"];
        if spec["audiences"].as_array().is_none_or(Vec::is_empty) {
            spec["audiences"] = json!(self.audiences);
        }
        if spec["expirationSeconds"].is_null() {
            spec["expirationSeconds"] = HOUR.into();
        }
        if spec.get("boundObjectRef").is_none() {
            spec["boundObjectRef"] = Value::Null;
        }
    }
}

fn check_metadata(request: &Value, name: &str, namespace: &str, uid: &str) -> Result<(), Failure> {
    for (field, own, what) in [("name", name, "name"), ("namespace", namespace, "namespace")] {
        let asked = text(request, &format!("/metadata/{field}"));
        if !asked.is_empty() && asked != own {
            let path = FieldPath::new("metadata").child(field);
            let detail = format!("must match the service account {what} if specified");
            let error = FieldError::invalid(&path, &asked.into(), detail);
            return Err(Failure::invalid(Target::new(GROUP, KIND, name), &[error]));
        }
    }
    let asked = text(request, "/metadata/uid");
    if !asked.is_empty() && asked != uid {
        let why =
            format!("the UID in the token request ({asked}) does not match the UID of the service account ({uid})");
        return Err(Failure::conflict(Target::new(GROUP, KIND, name), why));
    }
    Ok(())
}

fn check_seconds(seconds: i64) -> Result<(), Failure> {
    let detail = if seconds < MIN_SECONDS {
        "may not specify a duration less than 10 minutes"
    } else if seconds > MAX_SECONDS {
        "may not specify a duration larger than 2^32 seconds"
    } else {
        return Ok(());
    };
    let field = FieldPath::new("spec").child("expirationSeconds");
    let error = FieldError::invalid(&field, &seconds.into(), detail);
    Err(Failure::invalid(Target::new(GROUP, KIND, ""), &[error]))
}

fn bind(
    reference: &Value,
    account: &str,
    claims: &mut Kubernetes,
    find: impl Fn(&str, &str) -> Result<Value, Failure>,
) -> Result<(), Failure> {
    if reference.is_null() {
        return Ok(());
    }
    let (kind, name, version) = (
        text(reference, "/kind"),
        text(reference, "/name"),
        text(reference, "/apiVersion"),
    );
    if !matches!(kind, "Pod" | "Secret" | "Node") || version.contains('/') {
        let (group, version) = version.rsplit_once('/').unwrap_or(("", version));
        let what = format!("{group}/{version}, Kind={kind}");
        return Err(Failure::bad_request(format!(
            "cannot bind token to object of type {what}"
        )));
    }
    let object = find(kind, name)?;
    let uid = text(&object, "/metadata/uid");
    let bound = Some(Reference::new(name, uid));
    match kind {
        "Pod" => {
            if text(&object, "/spec/serviceAccountName") != account {
                return Err(Failure::bad_request(format!(
                    "cannot bind token for serviceaccount {account:?} to pod running with different serviceaccount name."
                )));
            }
            claims.pod = bound;
            claims.node = node_of(&object, &find);
        }
        "Secret" => claims.secret = bound,
        _ => claims.node = bound,
    }
    let asked = text(reference, "/uid");
    if !asked.is_empty() && asked != uid {
        let why = format!(
            "the UID in the bound object reference ({asked}) does not match the UID in record. The object might have been \
             deleted and then recreated"
        );
        return Err(Failure::conflict(Target::new("", kind, name), why));
    }
    Ok(())
}

/// A Node that is not there any more is named without its UID.
fn node_of(pod: &Value, find: &impl Fn(&str, &str) -> Result<Value, Failure>) -> Option<Reference> {
    let name = text(pod, "/spec/nodeName");
    if name.is_empty() {
        return None;
    }
    let node = find("Node", name).unwrap_or_default();
    Some(Reference::new(name, text(&node, "/metadata/uid")))
}

fn text<'a>(of: &'a Value, pointer: &str) -> &'a str {
    of.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// RFC 3339, as `metav1.Time` is written.
fn seconds_only(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
