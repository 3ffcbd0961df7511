//! Do one user's rules cover those of a role (`component-helpers/auth/rbac/validation`)?

use std::collections::BTreeSet;

use super::{
    PolicyRule,
    rule::{has, url_covers},
};

/// The rules of `wanted` that `owned` does not cover, as escalation errors list them: sorted, one a line.
pub(super) fn missing(owned: &[&PolicyRule], wanted: &[PolicyRule]) -> Option<String> {
    let mut uncovered = wanted.iter().flat_map(breakdown).collect::<Vec<_>>();
    uncovered.retain(|rule| !owned.iter().any(|owner| covers(owner, rule)));
    if uncovered.is_empty() {
        return None;
    }
    let lines: BTreeSet<_> = compact(uncovered).iter().map(PolicyRule::compact).collect();
    Some(lines.into_iter().collect::<Vec<_>>().join("\n"))
}

/// Rules of one verb and one resource, name or path each.
fn breakdown(rule: &PolicyRule) -> Vec<PolicyRule> {
    let mut rules = Vec::new();
    for (group, resource, verb) in rule.api_groups.iter().flat_map(|group| {
        let verbs = move |resource| rule.verbs.iter().map(move |verb| (group, resource, verb));
        rule.resources.iter().flat_map(verbs)
    }) {
        let single = PolicyRule {
            verbs: vec![verb.clone()],
            api_groups: vec![group.clone()],
            resources: vec![resource.clone()],
            ..PolicyRule::default()
        };
        if rule.resource_names.is_empty() {
            rules.push(single);
            continue;
        }
        rules.extend(rule.resource_names.iter().map(|name| PolicyRule {
            resource_names: vec![name.clone()],
            ..single.clone()
        }));
    }
    for url in &rule.non_resource_urls {
        rules.extend(rule.verbs.iter().map(|verb| PolicyRule {
            verbs: vec![verb.clone()],
            non_resource_urls: vec![url.clone()],
            ..PolicyRule::default()
        }));
    }
    rules
}

fn covers(owner: &PolicyRule, wanted: &PolicyRule) -> bool {
    wanted.verbs.iter().all(|it| has(&owner.verbs, it))
        && wanted.api_groups.iter().all(|it| has(&owner.api_groups, it))
        && wanted.resources.iter().all(|it| resource_covered(owner, it))
        && names_covered(owner, wanted)
        && wanted
            .non_resource_urls
            .iter()
            .all(|it| owner.non_resource_urls.iter().any(|own| url_covers(own, it)))
}

fn resource_covered(owner: &PolicyRule, resource: &str) -> bool {
    has(&owner.resources, resource)
        || resource
            .split_once('/')
            .is_some_and(|(_, sub)| owner.resources.iter().any(|it| it.strip_prefix("*/") == Some(sub)))
}

fn names_covered(owner: &PolicyRule, wanted: &PolicyRule) -> bool {
    owner.resource_names.is_empty()
        || (!wanted.resource_names.is_empty()
            && wanted.resource_names.iter().all(|it| owner.resource_names.contains(it)))
}

/// Rules that differ only in the verb become one (`policy_compact.go`); those with paths stay.
fn compact(rules: Vec<PolicyRule>) -> Vec<PolicyRule> {
    let mut compacted: Vec<PolicyRule> = Vec::new();
    for rule in rules {
        let same = |it: &&mut PolicyRule| {
            rule.non_resource_urls.is_empty()
                && it.api_groups == rule.api_groups
                && it.resources == rule.resources
                && it.resource_names == rule.resource_names
                && it.non_resource_urls.is_empty()
        };
        match compacted.iter_mut().find(same) {
            Some(known) => known.verbs.extend(rule.verbs),
            None => compacted.push(rule),
        }
    }
    compacted
}
