//! What is measured of the operations of resources.

use std::time::Duration;

use prometheus_client::metrics::{counter::Counter, histogram::Histogram};

use super::meter::{Outcome, histogram};
use crate::{graph::Role, layer::Verb};

/// All operations of all resources in the code, found without a hash or an allocation.
#[derive(Debug, Default)]
pub(crate) struct Operations(Vec<Resource>);

#[derive(Debug)]
struct Resource {
    name: &'static str,
    operations: Vec<Operation>,
}

/// One operation of a resource.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) verb: Verb,
    pub(super) success: Measured,
    pub(super) error: Measured,
}

/// How often an operation ended so, and how long it took.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) total: Counter,
    pub(super) took: Histogram,
}

impl Operations {
    /// All that resources of these traits can be asked to do, at zero.
    pub(crate) fn new(resources: impl IntoIterator<Item = (&'static str, Role)>) -> Self {
        let resources = resources.into_iter().map(|(name, role)| Resource {
            name,
            operations: verbs(role).iter().map(|verb| Operation::new(*verb)).collect(),
        });
        Self(resources.collect())
    }

    /// An operation ended. What the code no longer has is not measured: its names are the store's.
    pub(crate) fn ended(&self, resource: &str, verb: Verb, outcome: Outcome, took: Duration) {
        let of = self.0.iter().find(|known| known.name == resource);
        let operation = of.and_then(|of| of.operations.iter().find(|known| known.verb == verb));
        if let Some(operation) = operation {
            let measured = operation.measured(outcome);
            measured.total.inc();
            measured.took.observe(took.as_secs_f64());
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Operation)> {
        let all = self.0.iter();
        all.flat_map(|resource| resource.operations.iter().map(|operation| (resource.name, operation)))
    }
}

impl Operation {
    fn new(verb: Verb) -> Self {
        let measured = || Measured {
            total: Counter::default(),
            took: histogram(),
        };
        Self {
            verb,
            success: measured(),
            error: measured(),
        }
    }

    pub(super) fn measured(&self, outcome: Outcome) -> &Measured {
        match outcome {
            Outcome::Success => &self.success,
            Outcome::Error => &self.error,
        }
    }
}

/// What a resource of a trait can be asked to do.
fn verbs(role: Role) -> &'static [Verb] {
    match role {
        Role::Manifest => &[Verb::Desired, Verb::Apply, Verb::Delete],
        Role::External => &[
            Verb::Wanted,
            Verb::Find,
            Verb::Observe,
            Verb::Create,
            Verb::Update,
            Verb::Delete,
        ],
        Role::Step => &[Verb::EnsureCreated, Verb::EnsureDeleted],
    }
}
