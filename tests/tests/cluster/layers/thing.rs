//! An `External` whose operations fail as often as a test says, and whose calls are recorded.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use operatorkit::{
    anyhow::{bail, ensure},
    layer::{Retry, Trace},
    prelude::*,
};
use operatorkit_testing::{PATIENCE, wait_for};

use crate::scene::Scene;

/// What is retried by the operator's list.
#[operator(
    group = "layers.test",
    version = "v1",
    kind = "Thing",
    namespaced,
    resources(Net),
    layers(Trace, Retry::new(3).wait(Duration::from_millis(10)))
)]
pub(crate) struct ThingSpec {
    pub(crate) size: u32,
    #[serde(default)]
    pub(crate) unwanted: bool,
}

/// The thing outside.
#[resource]
pub(crate) struct Net(pub(crate) Arc<Provider>);

/// What identifies it.
#[data]
#[derive(PartialEq)]
pub(crate) struct NetId {
    id: usize,
}

/// Things by their number, with the tag and the size.
#[derive(Debug, Default)]
pub(crate) struct Provider(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    things: BTreeMap<usize, (String, u32)>,
    made: usize,
    calls: Vec<&'static str>,
    /// How often a call still fails, and whether it does what it is asked before.
    failures: HashMap<&'static str, (u32, bool)>,
}

impl Provider {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next so many calls fail.
    pub(crate) fn fail(&self, call: &'static str, times: u32) {
        self.inner().failures.insert(call, (times, false));
    }

    /// The next call does what it is asked, and fails.
    pub(crate) fn fail_after(&self, call: &'static str) {
        self.inner().failures.insert(call, (1, true));
    }

    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.inner().calls.clone()
    }

    pub(crate) fn forget_calls(&self) {
        self.inner().calls.clear();
    }

    pub(crate) fn count(&self, call: &str) -> usize {
        self.inner().calls.iter().filter(|known| **known == call).count()
    }

    /// The sizes of what there is.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        self.inner().things.values().map(|(_, size)| *size).collect()
    }

    /// Waits until these are the calls, or the first of them.
    pub(crate) async fn called(&self, calls: &[&str]) {
        wait_for(&format!("the calls begin with {calls:?}"), PATIENCE, async || {
            let so_far = self.calls();
            ensure!(so_far.starts_with(calls), "{so_far:?}");
            Ok(())
        })
        .await;
    }

    fn call<T>(&self, call: &'static str, does: impl FnOnce(&mut Inner) -> T) -> Result<T> {
        let mut inner = self.inner();
        inner.calls.push(call);
        match inner.failures.get_mut(call) {
            Some((times, after)) if *times > 0 => {
                *times -= 1;
                if *after {
                    let _lost = does(&mut inner);
                }
                bail!("the provider is out of order")
            }
            _ => Ok(does(&mut inner)),
        }
    }

    pub(crate) fn find(&self, token: &str) -> Result<Option<usize>> {
        self.call("find", |inner| {
            let mut things = inner.things.iter();
            things.find(|(_, (tag, _))| tag == token).map(|(id, _)| *id)
        })
    }

    pub(crate) fn create(&self, token: &str, size: u32) -> Result<usize> {
        self.call("create", |inner| {
            inner.made += 1;
            inner.things.insert(inner.made, (token.to_owned(), size));
            inner.made
        })
    }
}

impl External for Net {
    type Operator = Thing;
    type State = NetId;
    async fn wanted(&self, thing: &Thing, _cx: &Cx<Self>) -> Result<bool> {
        self.0.call("wanted", |_| !thing.spec.unwanted)
    }
    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<NetId>> {
        Ok(self.0.find(token.as_str())?.map(|id| NetId { id }))
    }
    async fn observe(&self, thing: &Thing, state: &NetId, _cx: &Cx<Self>) -> Result<Flow<Observed<NetId>>> {
        let observed = self.0.call("observe", |inner| match inner.things.get(&state.id) {
            None => Observed::Absent,
            Some((_, size)) if *size == thing.spec.size => Observed::Matches(state.clone()),
            Some(_) => Observed::Differs(state.clone()),
        })?;
        Ok(observed.into())
    }
    async fn create(&self, thing: &Thing, token: &Token, _cx: &Cx<Self>) -> Result<Flow<NetId>> {
        let id = self.0.create(token.as_str(), thing.spec.size)?;
        Ok(NetId { id }.into())
    }
    async fn update(&self, thing: &Thing, state: &NetId, _cx: &Cx<Self>) -> Result<Flow<NetId>> {
        self.0.call("update", |inner| {
            if let Some((_, size)) = inner.things.get_mut(&state.id) {
                *size = thing.spec.size;
            }
        })?;
        Ok(state.clone().into())
    }
    async fn delete(&self, state: &NetId, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0.call("delete", |inner| drop(inner.things.remove(&state.id)))?;
        Ok(Flow::Ready(()))
    }
}

pub(crate) fn app(provider: &Arc<Provider>) -> App {
    let provider = provider.clone();
    App::new("things").operator(|_env| async { Ok(ThingResources { net: Net(provider) }) })
}

impl Scene {
    pub(crate) async fn thing(&self, name: &str) {
        let spec = ThingSpec {
            size: 1,
            unwanted: false,
        };
        self.create(&Thing::new(name, spec)).await;
    }
}
