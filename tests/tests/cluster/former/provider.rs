//! A provider of things outside Kubernetes: what it has, by token, and what was ever done.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use operatorkit::prelude::*;

/// Things are known by the version of the operator that made them.
#[derive(Debug, Default)]
pub(crate) struct Provider(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    things: BTreeMap<String, String>,
    journal: Vec<String>,
    undone: usize,
}

impl Provider {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("no test fails while it holds this")
    }

    /// Each creation, and each deletion of what was there, in order.
    pub(super) fn journal(&self) -> Vec<String> {
        self.inner().journal.clone()
    }

    /// How often the `Step` was undone.
    pub(super) fn undone(&self) -> usize {
        self.inner().undone
    }

    pub(super) fn undo(&self) {
        self.inner().undone += 1;
    }

    pub(super) fn find(&self, token: &Token) -> Option<String> {
        self.inner().things.get(&token.to_string()).cloned()
    }

    pub(super) fn create(&self, token: &Token, version: &str) -> String {
        let mut inner = self.inner();
        inner.things.insert(token.to_string(), version.to_owned());
        inner.journal.push(format!("create {version}"));
        version.to_owned()
    }

    pub(super) fn delete(&self, state: &str) {
        let mut inner = self.inner();
        let before = inner.things.len();
        inner.things.retain(|_, version| version != state);
        if inner.things.len() < before {
            inner.journal.push(format!("delete {state}"));
        }
    }
}

/// An `External` at a provider, which is the resource's first field.
macro_rules! external {
    ($resource:ident of $operator:ident, $object:ty: $version:expr) => {
        impl External for $resource {
            type Operator = $operator;
            type State = String;
            async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
                Ok(self.0.find(token))
            }
            async fn observe(
                &self,
                _object: &$object,
                state: &String,
                _cx: &Cx<Self>,
            ) -> Result<Flow<Observed<String>>> {
                Ok(Observed::Matches(state.clone()).into())
            }
            async fn create(&self, _object: &$object, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
                Ok(self.0.create(token, $version).into())
            }
            async fn update(&self, _object: &$object, state: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
                Ok(state.clone().into())
            }
            async fn delete(&self, state: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
                self.0.delete(state);
                Ok(().into())
            }
        }
    };
}
pub(super) use external;
