//! The ways to be somebody else.

use crate::access::{User, user::split_service_account};

/// The ways to be somebody else, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    AssociatedNode,
    ArbitraryNode,
    ServiceAccount,
    UserInfo,
    Legacy,
}

impl Mode {
    pub(super) const ALL: [Self; 5] = [
        Self::AssociatedNode,
        Self::ArbitraryNode,
        Self::ServiceAccount,
        Self::UserInfo,
        Self::Legacy,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AssociatedNode => "associated-node",
            Self::ArbitraryNode => "arbitrary-node",
            Self::ServiceAccount => "serviceaccount",
            Self::UserInfo => "user-info",
            Self::Legacy => "",
        }
    }

    pub(super) fn verb(self) -> String {
        match self {
            Self::Legacy => "impersonate".into(),
            _ => format!("impersonate:{}", self.name()),
        }
    }

    /// Users and groups are of this API group.
    pub(super) fn group(self) -> &'static str {
        if self == Self::Legacy {
            ""
        } else {
            "authentication.k8s.io"
        }
    }

    pub(super) fn applies(self, wanted: &User, requestor: &User) -> bool {
        let only_name = wanted.uid.is_empty() && wanted.groups.is_empty() && wanted.extra.is_empty();
        let node = node_name(&wanted.name);
        let account = split_service_account(&wanted.name);
        match self {
            Self::AssociatedNode => only_name && node.is_some() && node == own_node(requestor),
            Self::ArbitraryNode => only_name && node.is_some(),
            Self::ServiceAccount => only_name && account.is_some(),
            Self::UserInfo => node.is_none() && account.is_none(),
            Self::Legacy => true,
        }
    }
}

pub(super) fn node_name(user: &str) -> Option<&str> {
    user.strip_prefix("system:node:").filter(|name| !name.is_empty())
}

/// The node of a ServiceAccount's pod.
fn own_node(requestor: &User) -> Option<&str> {
    split_service_account(&requestor.name)?;
    match requestor
        .extra
        .get("authentication.kubernetes.io/node-name")?
        .as_slice()
    {
        [node] => Some(node),
        _ => None,
    }
}
