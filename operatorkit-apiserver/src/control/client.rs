//! Requests of the controllers to the server that they are in.

use std::sync::Arc;

use http::{Method, Request, header::CONTENT_TYPE};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::{access::User, core::Core, failure::Failure, http::ApiService, registry::Served, store::Key};

/// Asks as one of the controllers.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    service: ApiService,
    agent: String,
}

impl Client {
    /// As `system:serviceaccount:kube-system:<name>`.
    pub(crate) fn new(core: Arc<Core>, name: &str) -> Self {
        let mut user = User::service_account("kube-system", name, "");
        user.groups.push("system:masters".into());
        Self {
            service: ApiService::new(core, Some(user)),
            // The program of the real controllers owns the fields that they set.
            agent: format!("kube-controller-manager/operatorkit-apiserver {name}"),
        }
    }

    /// Sends a request; the body of the answer.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        form: &'static str,
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = Request::builder().method(method).uri(path).header(CONTENT_TYPE, form);
        let request = request
            .header(http::header::USER_AGENT, &self.agent)
            .body(Full::new(body.into()));
        let request = request.map_err(Failure::internal)?;
        let response = self.service.clone().oneshot(request).await.map_err(Failure::internal)?;
        let status = response.status().as_u16();
        let bytes = response
            .into_body()
            .collect()
            .await
            .map_err(Failure::internal)?
            .to_bytes();
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if status < 400 {
            return Ok(answer);
        }
        let text = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
        Err(Failure::new(status, text("reason"), text("message")))
    }

    /// Creates an object.
    pub(crate) async fn create(&self, served: &Served, namespace: &str, object: &Value) -> Result<Value, Failure> {
        self.send(
            Method::POST,
            &collection(served, namespace),
            "application/json",
            Some(object),
        )
        .await
    }

    /// As the kubelet of a node.
    pub(crate) fn kubelet(core: Arc<Core>, node: &str) -> Self {
        let user = User::new(format!("system:node:{node}"), ["system:nodes", "system:masters"]);
        Self {
            service: ApiService::new(core, Some(user)),
            agent: "kubelet/operatorkit-apiserver".into(),
        }
    }

    /// Changes an object by a merge patch; `part` is empty or `/status`.
    pub(crate) async fn patch(&self, served: &Served, key: &Key, part: &str, patch: &Value) -> Result<Value, Failure> {
        let path = format!("{}{part}", path(served, key));
        self.send(Method::PATCH, &path, "application/merge-patch+json", Some(patch))
            .await
    }

    /// Replaces a part of an object.
    pub(crate) async fn update(
        &self,
        served: &Served,
        key: &Key,
        part: &str,
        object: &Value,
    ) -> Result<Value, Failure> {
        let path = format!("{}{part}", path(served, key));
        self.send(Method::PUT, &path, "application/json", Some(object)).await
    }

    /// Deletes this incarnation of an object.
    pub(crate) async fn delete(&self, served: &Served, key: &Key, uid: &str, policy: &str) -> Result<Value, Failure> {
        let options = json!({
            "kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": policy, "preconditions": { "uid": uid },
        });
        self.send(Method::DELETE, &path(served, key), "application/json", Some(&options))
            .await
    }

    /// Deletes the objects of a resource in a namespace.
    pub(crate) async fn delete_all(&self, served: &Served, namespace: &str) -> Result<Value, Failure> {
        let options = json!({ "kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background" });
        self.send(
            Method::DELETE,
            &collection(served, namespace),
            "application/json",
            Some(&options),
        )
        .await
    }
}

/// Whether a request that failed is worth another look at the object rather than a wait.
pub(crate) fn is_stale(failure: &Failure) -> bool {
    matches!(failure.code, 404 | 409)
}

fn root(served: &Served) -> String {
    if served.group.is_empty() {
        return format!("/api/{}", served.version);
    }
    format!("/apis/{}/{}", served.group, served.version)
}

/// The path of a resource in a namespace.
pub(crate) fn collection(served: &Served, namespace: &str) -> String {
    let root = root(served);
    if namespace.is_empty() {
        return format!("{root}/{}", served.plural);
    }
    format!("{root}/namespaces/{namespace}/{}", served.plural)
}

/// The path of an object.
pub(crate) fn path(served: &Served, key: &Key) -> String {
    let name = percent_encoding::utf8_percent_encode(&key.name, percent_encoding::NON_ALPHANUMERIC);
    let namespace = if served.namespaced { &*key.namespace } else { "" };
    format!("{}/{name}", collection(served, namespace))
}
