//! `/scale`: who owns the replicas there, and in the object (`managedfields`, `scalehandler.go`).

use serde_json::Value;

use super::{
    element::PathElement,
    managed::{Given, Managed, Owned},
    set::FieldSet,
};

/// The version of `Scale` objects.
const SCALE_VERSION: &str = "autoscaling/v1";

/// The entries of an object, and where its replicas are at each version.
///
/// A change of `/scale`: [`Self::to_scale`] on the live `Scale` made of the object; [`update`](super::update()) or
/// [`apply`](super::apply()) with the schema of `Scale`, `autoscaling/v1` and the subresource `scale`; and
/// [`Self::to_parent`] on the object with the new replicas. A `Scale` is answered without entries.
#[derive(Clone, Debug)]
pub struct Scale {
    managed: Managed,
    api_version: String,
    replicas: Vec<(String, Option<Vec<PathElement>>)>,
}

fn fields(names: &[&str]) -> Vec<PathElement> {
    names.iter().map(|it| PathElement::Field((*it).into())).collect()
}

fn set(path: &[PathElement]) -> FieldSet {
    let mut set = FieldSet::new();
    set.insert(path);
    set
}

fn decode(object: &Value) -> Managed {
    match Given::of(object) {
        Given::Entries(managed) => managed,
        _ => Managed::default(),
    }
}

impl Scale {
    /// For an object as it is stored, in a request of this version of its kind. `replicas`: for each version of the kind,
    /// the field of the replicas (`["spec", "replicas"]`), and `None` at versions without `/scale`.
    pub fn new(object: &Value, api_version: &str, replicas: &[(&str, Option<&[&str]>)]) -> Self {
        let replicas = replicas
            .iter()
            .map(|(version, path)| ((*version).to_owned(), path.map(fields)));
        Self {
            managed: decode(object),
            api_version: api_version.to_owned(),
            replicas: replicas.collect(),
        }
    }

    fn path(&self, version: &str) -> Option<&Option<Vec<PathElement>>> {
        self.replicas.iter().find(|(it, _)| it == version).map(|(_, path)| path)
    }

    /// Writes the entries of those who own the replicas into a `Scale` object.
    pub fn to_scale(&self, scale: &mut Value) {
        let mut managed = Managed {
            times: self.managed.times.clone(),
            ..Managed::default()
        };
        for (manager, owned) in &self.managed.owners {
            if let Some(Some(path)) = self.path(&owned.api_version)
                && owned.set.has(path)
            {
                let set = set(&fields(&["spec", "replicas"]));
                let api_version = SCALE_VERSION.to_owned();
                managed.owners.insert(manager.clone(), Owned { set, api_version });
            }
        }
        managed.encode(scale);
    }

    /// Writes the entries of a changed `Scale` back into the object. Who has none there loses the replicas here; who
    /// comes from there has no time, as in the real server.
    pub fn to_parent(&self, scale: &Value, object: &mut Value) {
        let mut there = decode(scale).owners;
        let mut managed = Managed {
            times: self.managed.times.clone(),
            ..Managed::default()
        };
        for (manager, owned) in &self.managed.owners {
            let Some(path) = self.path(&owned.api_version) else {
                continue;
            };
            let mut owned = owned.clone();
            if let Some(path) = path
                && owned.set.has(path)
                && there.remove(manager).is_none()
            {
                owned.set = owned.set.difference(&set(path));
            }
            if !owned.set.is_empty() {
                managed.owners.insert(manager.clone(), owned);
            }
        }
        let replicas = fields(&["spec", "replicas"]);
        if let Some(Some(path)) = self.path(&self.api_version) {
            for (manager, _) in there.into_iter().filter(|(_, owned)| owned.set.has(&replicas)) {
                let api_version = self.api_version.clone();
                managed.owners.insert(
                    manager,
                    Owned {
                        set: set(path),
                        api_version,
                    },
                );
            }
        }
        managed.encode(object);
    }
}
