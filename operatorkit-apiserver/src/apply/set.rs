//! Sets of fields: what a manager owns, as a trie of path elements.

use std::collections::BTreeMap;

use super::{atom::Place, element::PathElement};

/// A set of fields (`structured-merge-diff`, `fieldpath.Set`). A parent may be a member with or without its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    pub(super) branches: BTreeMap<PathElement, Branch>,
}

/// What a set says of one element: whether it is a member, and its members below. Never empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) member: bool,
    pub(super) children: FieldSet,
}

impl FieldSet {
    /// A set without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// The set of these fields, each given by its names from the top: `[["status"], ["metadata", "labels"]]`.
    pub fn of_fields<P: AsRef<[N]>, N: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut set = Self::new();
        for path in paths {
            let path: Vec<_> = path
                .as_ref()
                .iter()
                .map(|it| PathElement::Field(it.as_ref().into()))
                .collect();
            set.insert(&path);
        }
        set
    }

    /// Adds a field. Its parents are not added; the empty path, the object itself, is nobody's.
    pub fn insert(&mut self, path: &[PathElement]) {
        let Some((last, parents)) = path.split_last() else {
            return;
        };
        let mut set = self;
        for parent in parents {
            set = &mut set.branches.entry(parent.clone()).or_default().children;
        }
        set.branches.entry(last.clone()).or_default().member = true;
    }

    /// Whether the field is a member.
    pub fn has(&self, path: &[PathElement]) -> bool {
        let Some((last, parents)) = path.split_last() else {
            return false;
        };
        let mut set = self;
        for parent in parents {
            let Some(branch) = set.branches.get(parent) else {
                return false;
            };
            set = &branch.children;
        }
        set.branches.get(last).is_some_and(|it| it.member)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Every member, parents before their children.
    pub fn paths(&self) -> Vec<Vec<PathElement>> {
        let mut paths = Vec::new();
        self.collect(&mut Vec::new(), &mut paths);
        paths
    }

    /// The members of one level stand before everything below it, as the real server lists conflicts.
    fn collect(&self, prefix: &mut Vec<PathElement>, paths: &mut Vec<Vec<PathElement>>) {
        for (element, _) in self.branches.iter().filter(|(_, branch)| branch.member) {
            prefix.push(element.clone());
            paths.push(prefix.clone());
            prefix.pop();
        }
        for (element, branch) in &self.branches {
            prefix.push(element.clone());
            branch.children.collect(prefix, paths);
            prefix.pop();
        }
    }

    /// What is in either.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        for (element, branch) in &other.branches {
            let mine = self.branches.entry(element.clone()).or_default();
            mine.member |= branch.member;
            mine.children = std::mem::take(&mut mine.children).union(&branch.children);
        }
        self
    }

    /// What is in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.filter(|element, branch| {
            let other = other.branches.get(element)?;
            Some(Branch {
                member: branch.member && other.member,
                children: branch.children.intersection(&other.children),
            })
        })
    }

    /// What is in this one and not in the other. A member of the other does not take its children along.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.filter(|element, branch| {
            let Some(other) = other.branches.get(element) else {
                return Some(branch.clone());
            };
            Some(Branch {
                member: branch.member && !other.member,
                children: branch.children.difference(&other.children),
            })
        })
    }

    /// What is in this one and not in the other, nor below a member of the other.
    #[must_use]
    pub fn recursive_difference(&self, other: &Self) -> Self {
        self.filter(|element, branch| match other.branches.get(element) {
            None => Some(branch.clone()),
            Some(other) if other.member => None,
            Some(other) => Some(Branch {
                member: branch.member,
                children: branch.children.recursive_difference(&other.children),
            }),
        })
    }

    /// The members that have no members below them.
    #[must_use]
    pub fn leaves(&self) -> Self {
        self.filter(|_, branch| {
            Some(Branch {
                member: branch.member && branch.children.is_empty(),
                children: branch.children.leaves(),
            })
        })
    }

    fn filter(&self, keep: impl Fn(&PathElement, &Branch) -> Option<Branch>) -> Self {
        let branches = self.branches.iter().filter_map(|(element, branch)| {
            let branch = keep(element, branch)?;
            (branch.member || !branch.children.is_empty()).then(|| (element.clone(), branch))
        });
        Self {
            branches: branches.collect(),
        }
    }

    /// The set with every known field that has members below it (`EnsureNamedFieldsAreMembers`): a set of `a.b` has `a`
    /// too if `a` is a field of the schema, and not if it is a key of a map.
    #[must_use]
    pub(super) fn with_named_parents(&self, place: Place<'_>) -> Self {
        let atom = place.atom();
        self.filter(|element, branch| {
            let (known, below) = match element {
                PathElement::Field(name) => match atom.map {
                    Some(map) => (map.known(name).is_some(), map.field(name)),
                    None => (false, Place::Nothing),
                },
                PathElement::Key(_) => (false, atom.list.map_or(Place::Nothing, |it| it.items)),
                _ => (false, Place::Nothing),
            };
            Some(Branch {
                member: branch.member || (known && !branch.children.is_empty()),
                children: branch.children.with_named_parents(below),
            })
        })
    }
}
