//! All resources that are served, and how to find one.

use std::{collections::BTreeMap, sync::Arc};

use super::served::Served;
use crate::store::TableId;

/// Group, version and plural.
type Path = (Box<str>, Box<str>, Box<str>);

/// The resources, in the order of discovery.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    all: Vec<Arc<Served>>,
    by_path: BTreeMap<Path, usize>,
    by_kind: BTreeMap<(Box<str>, Box<str>), usize>,
    by_table: BTreeMap<TableId, usize>,
}

impl Catalog {
    /// A catalog of these resources, in this order; versions of a group in their order of preference.
    pub fn new(all: impl IntoIterator<Item = Arc<Served>>) -> Self {
        let all: Vec<_> = all.into_iter().collect();
        let mut by_path = BTreeMap::new();
        let mut by_kind = BTreeMap::new();
        let mut by_table = BTreeMap::new();
        for (index, served) in all.iter().enumerate() {
            by_path.insert(
                (served.group.clone(), served.version.clone(), served.plural.clone()),
                index,
            );
            by_kind
                .entry((served.api_version.clone(), served.kind.clone()))
                .or_insert(index);
            let entry = by_table.entry(served.table.clone()).or_insert(index);
            if served.stored && !all[*entry].stored {
                *entry = index;
            }
        }
        Self {
            all,
            by_path,
            by_kind,
            by_table,
        }
    }

    /// All resources in all versions.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Served>> {
        self.all.iter()
    }

    /// By the parts of a path.
    pub fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Served>> {
        let index = self.by_path.get(&(group.into(), version.into(), plural.into()))?;
        Some(&self.all[*index])
    }

    /// By `apiVersion` and `kind`.
    pub fn by_kind(&self, api_version: &str, kind: &str) -> Option<&Arc<Served>> {
        let index = self.by_kind.get(&(api_version.into(), kind.into()))?;
        Some(&self.all[*index])
    }

    /// All versions of a resource.
    pub fn versions<'a>(&'a self, group: &'a str, plural: &'a str) -> impl Iterator<Item = &'a Arc<Served>> {
        self.all.iter().filter(move |served| served.is(group, plural))
    }

    /// The preferred version of a resource.
    pub fn preferred(&self, group: &str, plural: &str) -> Option<&Arc<Served>> {
        self.all.iter().find(|served| served.is(group, plural))
    }

    /// Whether a group has this version.
    pub fn has_version(&self, group: &str, version: &str) -> bool {
        self.all
            .iter()
            .any(|served| *served.group == *group && *served.version == *version)
    }

    /// What a table holds: the resource in the version that is stored, or else in one that is served.
    pub fn of_table(&self, table: &TableId) -> Option<&Arc<Served>> {
        self.by_table.get(table).map(|index| &self.all[*index])
    }

    /// One entry for each table, as [`of_table`](Self::of_table) gives it.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Served>> {
        self.by_table.values().map(|index| &self.all[*index])
    }

    /// The groups with their versions, in the order of discovery; the core group is the empty one.
    pub fn groups(&self) -> Vec<(&str, Vec<&str>)> {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for served in &self.all {
            let index = groups
                .iter()
                .position(|(group, _)| *group == &*served.group)
                .unwrap_or_else(|| {
                    groups.push((&served.group, Vec::new()));
                    groups.len() - 1
                });
            let versions = &mut groups[index].1;
            if !versions.contains(&&*served.version) {
                versions.push(&served.version);
            }
        }
        groups
    }

    /// The resources of a group's version.
    pub fn of_version<'a>(&'a self, group: &'a str, version: &'a str) -> impl Iterator<Item = &'a Arc<Served>> {
        self.all
            .iter()
            .filter(move |served| *served.group == *group && *served.version == *version)
    }
}
