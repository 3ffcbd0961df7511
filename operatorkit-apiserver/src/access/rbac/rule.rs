//! One rule of a role, and what it allows (`pkg/apis/rbac/v1/evaluation_helpers.go`).

use serde::{Deserialize, Deserializer, Serialize};

use crate::access::Attributes;

/// A rule of a role.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PolicyRule {
    /// What may be done; `*` is everything.
    #[serde(deserialize_with = "null_is_empty")]
    pub verbs: Vec<String>,
    /// API groups; `*` is all.
    #[serde(
        rename = "apiGroups",
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub api_groups: Vec<String>,
    /// Resources, `resource/subresource` and `*/subresource`; `*` is all.
    #[serde(deserialize_with = "null_is_empty", skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// Objects; empty is all.
    #[serde(deserialize_with = "null_is_empty", skip_serializing_if = "Vec::is_empty")]
    pub resource_names: Vec<String>,
    /// Paths, maybe with `*` at the end.
    #[serde(
        rename = "nonResourceURLs",
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub non_resource_urls: Vec<String>,
}

fn null_is_empty<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Is `name` or `*` in the list?
pub(super) fn has(list: &[String], name: &str) -> bool {
    list.iter().any(|it| it == "*" || it == name)
}

impl PolicyRule {
    /// Does this rule allow it?
    pub fn allows(&self, wanted: &Attributes) -> bool {
        if !has(&self.verbs, &wanted.verb) {
            return false;
        }
        match &wanted.path {
            Some(path) => self
                .non_resource_urls
                .iter()
                .any(|url| url == "*" || url_covers(url, path)),
            None => {
                has(&self.api_groups, &wanted.group)
                    && self.resource_matches(wanted)
                    && (self.resource_names.is_empty() || self.resource_names.contains(&wanted.name))
            }
        }
    }

    fn resource_matches(&self, wanted: &Attributes) -> bool {
        let sub = &wanted.subresource;
        has(&self.resources, &wanted.combined_resource())
            || (!sub.is_empty() && self.resources.iter().any(|it| it.strip_prefix("*/") == Some(sub)))
    }

    /// As escalation errors write a rule.
    pub(super) fn compact(&self) -> String {
        let parts = [
            ("APIGroups", &self.api_groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.non_resource_urls),
            ("ResourceNames", &self.resource_names),
            ("Verbs", &self.verbs),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| format!("{name}:{}", quoted(list)))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }
}

/// As Go prints a list of strings with `%q`.
pub(super) fn quoted(list: &[String]) -> String {
    let list: Vec<_> = list.iter().map(|it| format!("{it:?}")).collect();
    format!("[{}]", list.join(" "))
}

/// Does a path of a rule, maybe with `*` at its end, cover `path`?
pub(super) fn url_covers(rule: &str, path: &str) -> bool {
    rule == path || (rule.ends_with('*') && path.starts_with(rule.trim_end_matches('*')))
}
