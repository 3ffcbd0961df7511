//! What there is: the objects that carry something of ours, and the children with our mark, by their object.

use std::{collections::BTreeMap, sync::Arc};

use kube::core::DynamicObject;

use super::{Run, Told, object, shown};
use crate::{
    cluster::{Failure, Kind, Part},
    graph::{Meta, Outlined, Role},
    record::{Inventory, Mark, OPERATOR_LABEL, StoredKind},
    store::ChildKey,
};

/// An object with its children. Without the object: it is gone, or carries nothing any more.
#[derive(Debug, Default)]
pub(super) struct Family {
    pub(super) object: Option<DynamicObject>,
    pub(super) children: Vec<Child>,
    /// A kind of which it may have children, and which could not be listed.
    pub(super) unseen: Option<Kind>,
}

/// A child that carries our mark.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) key: ChildKey,
    pub(super) uid: String,
}

/// The kinds that children may have.
struct Kinds {
    /// By the code: any object may have children of them.
    code: Inventory,
    /// The same, and what objects have stored.
    all: Inventory,
}

impl Run<'_> {
    /// Everything of ours that is asked for, by object. `resources` is the outline of the code's `nodes`.
    ///
    /// # Errors
    /// If the objects cannot be listed, or nobody can be told.
    pub(super) async fn find(&self, resources: &[Outlined], nodes: &[Meta]) -> anyhow::Result<Vec<Family>> {
        let objects = self.objects().await?;
        let kinds = self.kinds(resources, nodes, &objects)?;
        let (children, unseen) = self.children(&kinds.all).await?;
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        for object in objects {
            let stored = self.inventory(&object);
            let may_have = |kind: &&Kind| {
                let has = |inventory: &Inventory| inventory.kinds.iter().any(|it| it.kind.is_same(kind));
                has(&kinds.code) || stored.as_ref().is_none_or(has)
            };
            let family = families
                .entry(object.metadata.uid.clone().unwrap_or_default())
                .or_default();
            family.unseen = unseen.iter().find(may_have).cloned();
            family.object = Some(object);
        }
        for (owner, child) in children {
            families.entry(owner).or_default().children.push(child);
        }
        Ok(families.into_values().collect())
    }

    /// The operator's objects that are asked for and carry something of ours.
    pub(super) async fn objects(&self) -> Result<Vec<DynamicObject>, Failure> {
        // What is in no namespace is in none of those.
        if !self.kind.namespaced && !self.asked.namespaces.is_empty() {
            return Ok(Vec::new());
        }
        let listed = self.list(&self.kind, false, self.part(), |object| {
            let meta = &object.metadata;
            let (namespace, name) = (meta.namespace.as_deref(), meta.name.as_deref());
            self.asked
                .is_for(namespace.unwrap_or_default(), name.unwrap_or_default())
                // A child of the same kind is never an object.
                && Mark::put_on(meta, &self.kind, &self.names).is_none()
                && object::carries(self, object)
        });
        match listed.await {
            Err(failure) if failure.is_not_served() => Ok(Vec::new()),
            listed => listed,
        }
    }

    /// How much of an object is needed: the status of an own kind has what is stored.
    pub(super) fn part(&self) -> Part {
        if self.own { Part::Whole } else { Part::Metadata }
    }

    /// What an object has stored of where its children may be, under whichever name of the operator.
    fn inventory(&self, object: &DynamicObject) -> Option<Inventory> {
        let annotations = object.metadata.annotations.as_ref()?;
        let names = self.names.latest_first();
        let mut all = names.filter_map(|names| Inventory::parse(annotations.get(&names.inventory)?));
        let first = all.next()?;
        Some(all.fold(first, |all, other| all.with_stored(&other)))
    }

    fn kinds(&self, resources: &[Outlined], nodes: &[Meta], objects: &[DynamicObject]) -> anyhow::Result<Kinds> {
        // An operator that was written by hand may have no outline.
        let mut open = !resources.iter().map(|it| it.meta).eq(nodes);
        let mut code = Inventory::default();
        for resource in resources.iter().filter(|it| it.role == Role::Manifest) {
            let Some(kind) = resource.child_kind.clone() else {
                open = true;
                continue;
            };
            let any_namespace = resource.meta.settings.any_namespace;
            code.add_kind(StoredKind { kind, any_namespace });
        }
        let mut all = code.clone();
        for object in objects {
            match self.inventory(object) {
                Some(stored) => all = all.with_stored(&Inventory { nodes: Vec::new(), ..stored }),
                None if open => self.tell(Told::Note(format!(
                    "{} has lost its inventory: its children of kinds that the code does not say are not looked for; they have the label \
                     {OPERATOR_LABEL}={}",
                    shown(&self.kind, &object.metadata),
                    self.names.operator
                )))?,
                None => {}
            }
        }
        Ok(Kinds { code, all })
    }

    /// All children that are asked for, each with the UID of its object, and the kinds that could not be listed, which is told.
    async fn children(&self, kinds: &Inventory) -> anyhow::Result<(Vec<(String, Child)>, Vec<Kind>)> {
        let (mut children, mut unseen) = (Vec::new(), Vec::new());
        for stored in &kinds.kinds {
            match self.children_of_kind(stored).await {
                Ok(found) => children.extend(found),
                Err(failure) => {
                    self.failed(failure.to_string())?;
                    unseen.push(stored.kind.clone());
                }
            }
        }
        Ok((children, unseen))
    }

    async fn children_of_kind(&self, stored: &StoredKind) -> Result<Vec<(String, Child)>, Failure> {
        // A kind that is not served in any version has no children.
        let Some(kind) = self.served(&stored.kind).await? else {
            return Ok(Vec::new());
        };
        let kind = Arc::new(kind);
        let mark = |object: &DynamicObject| {
            Mark::put_on(&object.metadata, &kind, &self.names)
                .filter(|mark| self.asked.is_for(&mark.owner.namespace, &mark.owner.name))
        };
        let marked = |object: &DynamicObject| mark(object).is_some();
        let listed = self.list(&kind, stored.any_namespace, Part::Metadata, marked).await?;
        let child = |object: DynamicObject| {
            let owner = mark(&object)?.uid;
            let meta = object.metadata;
            let key = ChildKey::new(&kind, meta.namespace.as_deref(), meta.name.as_deref()?);
            Some((owner, Child { key, uid: meta.uid? }))
        };
        Ok(listed.into_iter().filter_map(child).collect())
    }

    /// A kind as it is served, perhaps in another version; `None` if it is served in none.
    pub(super) async fn served(&self, kind: &Kind) -> Result<Option<Kind>, Failure> {
        match self.cluster.resolve(&kind.api_version(), &kind.kind).await? {
            Some(kind) => Ok(Some(kind)),
            None => self.cluster.serving(&kind.group, &kind.kind).await,
        }
    }

    /// What is wanted of a kind.
    async fn list(
        &self,
        kind: &Kind,
        any_namespace: bool,
        part: Part,
        wanted: impl Fn(&DynamicObject) -> bool,
    ) -> Result<Vec<DynamicObject>, Failure> {
        if any_namespace || !kind.namespaced || self.asked.namespaces.is_empty() {
            return self.cluster.list_wanted(kind, None, part, wanted).await;
        }
        let mut all = Vec::new();
        for namespace in &self.asked.namespaces {
            all.extend(self.cluster.list_wanted(kind, Some(namespace), part, &wanted).await?);
        }
        Ok(all)
    }
}
