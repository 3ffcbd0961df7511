//! What a token says, and until when it is good (`pkg/serviceaccount/claims.go`).

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::access::{User, user::service_account_name};

/// Clocks may differ by so much.
const LEEWAY: SignedDuration = SignedDuration::from_secs(60);

/// The claims of a token. Times are seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Whom it is for: `https://kubernetes.default.svc`, …
    #[serde(default)]
    pub aud: Vec<String>,
    /// Good until then.
    pub exp: i64,
    /// When it was made.
    pub iat: i64,
    /// Who made it.
    pub iss: String,
    /// One of its kind.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub jti: String,
    /// What it is bound to.
    #[serde(rename = "kubernetes.io")]
    pub kubernetes: Kubernetes,
    /// Good from then on.
    pub nbf: i64,
    /// `system:serviceaccount:<namespace>:<name>`.
    pub sub: String,
}

/// The objects that a token is bound to: it is good as long as they are there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kubernetes {
    /// The namespace of the ServiceAccount.
    pub namespace: String,
    /// The Node of the Pod, or the Node that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<Reference>,
    /// The Pod that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<Reference>,
    /// The Secret that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Reference>,
    /// The ServiceAccount.
    pub serviceaccount: Reference,
    /// From then on the use of the token is worth a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnafter: Option<i64>,
}

/// An object by name and UID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Its UID; empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
}

impl Reference {
    /// An object.
    pub fn new(name: &str, uid: &str) -> Self {
        Self {
            name: name.into(),
            uid: uid.into(),
        }
    }
}

impl Claims {
    /// A token for a ServiceAccount, bound to nothing else. `id` is a fresh UUID.
    pub fn new(
        issuer: &str,
        namespace: &str,
        account: Reference,
        audiences: Vec<String>,
        id: &str,
        now: Timestamp,
        seconds: i64,
    ) -> Self {
        let now = now.as_second();
        Self {
            aud: audiences,
            exp: now.saturating_add(seconds),
            iat: now,
            iss: issuer.into(),
            jti: id.into(),
            sub: service_account_name(namespace, &account.name),
            kubernetes: Kubernetes {
                namespace: namespace.into(),
                serviceaccount: account,
                ..Kubernetes::default()
            },
            nbf: now,
        }
    }

    /// Is it good at this time?
    ///
    /// # Errors
    ///
    /// Why not, in the words of the real server.
    pub fn check_time(&self, now: Timestamp) -> Result<(), &'static str> {
        let (now, leeway) = (now.as_second(), LEEWAY.as_secs());
        if now + leeway < self.nbf {
            return Err("service account token is not valid yet");
        }
        if now - leeway > self.exp {
            return Err("service account token has expired");
        }
        if now + leeway < self.iat {
            return Err("service account token is issued in the future");
        }
        Ok(())
    }

    /// The audiences that are both asked for and in the token.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn check_audiences(&self, wanted: &[String]) -> Result<Vec<String>, String> {
        let both: Vec<_> = self.aud.iter().filter(|it| wanted.contains(it)).cloned().collect();
        if both.is_empty() {
            return Err(format!(
                "token audiences {} is invalid for the target audiences {}",
                quoted(&self.aud),
                quoted(wanted)
            ));
        }
        Ok(both)
    }

    /// Who a request with this token is from.
    pub fn user(&self) -> User {
        const PREFIX: &str = "authentication.kubernetes.io";
        let bound = &self.kubernetes;
        let mut user = User::service_account(&bound.namespace, &bound.serviceaccount.name, &bound.serviceaccount.uid);
        let mut extra = |key: &str, value: &str| {
            if !value.is_empty() {
                user.extra.insert(format!("{PREFIX}/{key}"), vec![value.to_owned()]);
            }
        };
        if !self.jti.is_empty() {
            extra("credential-id", &format!("JTI={}", self.jti));
        }
        if let Some(pod) = &bound.pod {
            extra("pod-name", &pod.name);
            extra("pod-uid", &pod.uid);
        }
        if let Some(node) = &bound.node {
            extra("node-name", &node.name);
            extra("node-uid", &node.uid);
        }
        user
    }
}

/// As Go prints a list of strings with `%q`.
fn quoted(list: &[String]) -> String {
    let list: Vec<_> = list.iter().map(|it| format!("{it:?}")).collect();
    format!("[{}]", list.join(" "))
}
