//! Who asks.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Everybody who has proved who they are.
pub const AUTHENTICATED: &str = "system:authenticated";
/// Everybody who has not.
pub const UNAUTHENTICATED: &str = "system:unauthenticated";
/// Those who may do everything, whatever the roles say.
pub const MASTERS: &str = "system:masters";
/// The name of those who have not said who they are.
pub const ANONYMOUS: &str = "system:anonymous";
/// The group of kubelets.
pub const NODES: &str = "system:nodes";

/// Who asks. As an extension of a request it is the caller; a request without one is anonymous.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct User {
    /// The name, `system:serviceaccount:<namespace>:<name>` for ServiceAccounts.
    pub name: String,
    /// Tells two users of the same name apart; may be empty.
    pub uid: String,
    /// The groups, in order.
    pub groups: Vec<String>,
    /// Whatever else the authenticator knows.
    pub extra: BTreeMap<String, Vec<String>>,
}

impl User {
    /// A user of these groups, and of `system:authenticated`.
    pub fn new<G: Into<String>>(name: impl Into<String>, groups: impl IntoIterator<Item = G>) -> Self {
        Self {
            name: name.into(),
            groups: groups.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
        .authenticated()
    }

    /// A member of `system:masters`: RBAC refuses it nothing.
    pub fn admin() -> Self {
        Self::new("kubernetes-admin", [MASTERS])
    }

    /// Nobody in particular.
    pub fn anonymous() -> Self {
        Self {
            name: ANONYMOUS.into(),
            groups: vec![UNAUTHENTICATED.into()],
            ..Self::default()
        }
    }

    /// A ServiceAccount.
    pub fn service_account(namespace: &str, name: &str, uid: &str) -> Self {
        Self {
            uid: uid.into(),
            ..Self::new(service_account_name(namespace, name), service_account_groups(namespace))
        }
    }

    /// In this group?
    pub fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|it| it == group)
    }

    /// With `system:authenticated`, unless it is anonymous or says otherwise (`authentication/group` of `k8s.io/apiserver`).
    #[must_use]
    pub fn authenticated(mut self) -> Self {
        if self.name != ANONYMOUS && !self.is_in(AUTHENTICATED) && !self.is_in(UNAUTHENTICATED) {
            self.groups.push(AUTHENTICATED.into());
        }
        self
    }

    /// As `status.userInfo` of a `SelfSubjectReview` and `status.user` of a `TokenReview`.
    pub fn info(&self) -> Value {
        let mut info = Map::new();
        for (key, text) in [("username", &self.name), ("uid", &self.uid)] {
            if !text.is_empty() {
                info.insert(key.into(), text.as_str().into());
            }
        }
        if !self.groups.is_empty() {
            info.insert("groups".into(), json!(self.groups));
        }
        if !self.extra.is_empty() {
            info.insert("extra".into(), json!(self.extra));
        }
        info.into()
    }
}

/// `system:serviceaccount:<namespace>:<name>`.
pub fn service_account_name(namespace: &str, name: &str) -> String {
    format!("system:serviceaccount:{namespace}:{name}")
}

/// The groups that every ServiceAccount of a namespace is in, besides `system:authenticated`.
pub fn service_account_groups(namespace: &str) -> [String; 2] {
    [
        "system:serviceaccounts".into(),
        format!("system:serviceaccounts:{namespace}"),
    ]
}

/// The namespace and name in the name of a ServiceAccount user; `None` if it is not one.
pub fn split_service_account(user: &str) -> Option<(&str, &str)> {
    let (namespace, name) = user.strip_prefix("system:serviceaccount:")?.split_once(':')?;
    (is_label(namespace, 63) && name.len() <= 253 && name.split('.').all(|part| is_label(part, 253)))
        .then_some((namespace, name))
}

fn is_label(text: &str, max: usize) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= max
        && text.bytes().all(|byte| inner(byte) || byte == b'-')
        && text.bytes().next().is_some_and(inner)
        && text.bytes().last().is_some_and(inner)
}
