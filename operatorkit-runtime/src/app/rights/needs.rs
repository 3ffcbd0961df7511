//! What is needed, and where: verbs by group and resource.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::rbac::v1::PolicyRule;

/// The verbs in the order in which rules name them.
const ORDER: [&str; 7] = ["get", "list", "watch", "create", "update", "patch", "delete"];

/// Where a right is needed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Where the objects are: in the namespaces that the operators are limited to, or everywhere.
    Objects,
    /// In the whole cluster, also where the operators are limited to some namespaces.
    Cluster,
    /// In this namespace.
    Namespace(String),
}

/// What a right is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    group: String,
    resource: String,
    /// Only the object of this name.
    name: Option<String>,
}

/// The rights that something needs; merged where they are about the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Needs {
    verbs: BTreeMap<Place, BTreeMap<Subject, BTreeSet<String>>>,
    /// What the program needs beside what is derived, as it says it itself.
    said: Vec<PolicyRule>,
    /// What a person has to know: where rights cannot be derived.
    notes: BTreeSet<String>,
}

impl Needs {
    /// Adds rights on a resource, `pods` or `pods/status`.
    pub(crate) fn add(&mut self, place: Place, group: &str, resource: &str, verbs: &[&str]) {
        self.add_named(place, group, resource, None, verbs);
    }

    /// Adds rights on the object of one name only, or on all. No name can limit `create`, `list` and `watch`.
    pub(crate) fn add_named(&mut self, place: Place, group: &str, resource: &str, name: Option<&str>, verbs: &[&str]) {
        let subject = Subject {
            group: group.to_owned(),
            resource: resource.to_owned(),
            name: name.map(str::to_owned),
        };
        let known = self.verbs.entry(place).or_default().entry(subject).or_default();
        known.extend(verbs.iter().map(|&verb| verb.to_owned()));
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(String::as_str)
    }

    /// Adds rules that the program says itself, needed where its objects are.
    pub(crate) fn say(&mut self, rules: &[PolicyRule]) {
        self.said.extend_from_slice(rules);
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (place, subjects) in other.verbs {
            let mine = self.verbs.entry(place).or_default();
            for (subject, verbs) in subjects {
                mine.entry(subject).or_default().extend(verbs);
            }
        }
        self.said.extend(other.said);
        self.notes.extend(other.notes);
    }

    /// The places that are named by a namespace.
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.verbs.keys().filter_map(|place| match place {
            Place::Namespace(namespace) => Some(namespace.as_str()),
            Place::Objects | Place::Cluster => None,
        })
    }

    /// The rules of some places together: in each, the resources of one group that have the same verbs. Always in the same order.
    pub(super) fn rules(&self, places: &[Place]) -> Vec<PolicyRule> {
        let mut merged: BTreeMap<&Subject, BTreeSet<&str>> = BTreeMap::new();
        for (subject, verbs) in places.iter().filter_map(|place| self.verbs.get(place)).flatten() {
            merged
                .entry(subject)
                .or_default()
                .extend(verbs.iter().map(String::as_str));
        }
        let mut rules: Vec<PolicyRule> = Vec::new();
        for (subject, verbs) in merged {
            let verbs: Vec<_> = ORDER
                .into_iter()
                .filter(|verb| verbs.contains(verb))
                .map(str::to_owned)
                .collect();
            let names = subject.name.as_ref().map(|name| vec![name.clone()]);
            let like = |rule: &&mut PolicyRule| {
                rule.verbs == verbs
                    && rule.resource_names == names
                    && rule.api_groups.as_deref() == Some(std::slice::from_ref(&subject.group))
            };
            match rules.iter_mut().find(like) {
                Some(rule) => rule.resources.get_or_insert_default().push(subject.resource.clone()),
                None => rules.push(PolicyRule {
                    api_groups: Some(vec![subject.group.clone()]),
                    resources: Some(vec![subject.resource.clone()]),
                    resource_names: names,
                    verbs,
                    non_resource_urls: None,
                }),
            }
        }
        if places.contains(&Place::Objects) {
            rules.extend(self.said.iter().cloned());
        }
        rules
    }
}
