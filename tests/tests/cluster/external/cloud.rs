//! A provider in memory that records its calls and fails, panics or hangs on demand.

use std::{
    collections::{BTreeMap, HashMap},
    future::pending,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use operatorkit::{
    anyhow::bail,
    kube::{Api, Client},
    prelude::*,
    serde_json::{self, Value},
};
use operatorkit_testing::{PATIENCE, wait_for};

use crate::scene::Object;

/// What identifies a thing: all that deletion gets.
#[data]
#[derive(Default, PartialEq)]
pub(crate) struct ThingId {
    pub(crate) id: String,
    /// Makes the State as large as a test wants it.
    pub(crate) padding: Option<String>,
}

/// What the provider keeps of a thing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thing {
    pub(crate) tag: String,
    pub(crate) size: u32,
}

/// What an operation does instead of what it is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    Fails,
    /// Does it, and then fails.
    FailsAfter,
    /// Never answers.
    Hangs,
    /// Does it, and never answers.
    HangsAfter,
    Panics,
    Waits,
    Skips,
}

/// The provider. A call is `<operation> <kind>`, such as `create net`.
#[derive(Debug, Default)]
pub(crate) struct Cloud(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    things: BTreeMap<String, Thing>,
    made: usize,
    padding: usize,
    calls: Vec<String>,
    tokens: Vec<String>,
    faults: HashMap<String, Fault>,
    seen: Vec<Value>,
}

impl Cloud {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// From now on a call does something else.
    pub(crate) fn fault(&self, call: &str, fault: Fault) {
        self.inner().faults.insert(call.into(), fault);
    }

    /// All calls do what they are asked again.
    pub(crate) fn heal(&self) {
        self.inner().faults.clear();
    }

    /// How many bytes of padding the State of a new thing has.
    pub(crate) fn pad(&self, padding: usize) {
        self.inner().padding = padding;
    }

    pub(crate) fn things(&self) -> BTreeMap<String, Thing> {
        self.inner().things.clone()
    }

    /// Makes or changes a thing by hand.
    pub(crate) fn put(&self, id: &str, tag: &str) {
        let thing = Thing {
            tag: tag.into(),
            size: 1,
        };
        self.inner().things.insert(id.into(), thing);
    }

    /// Removes a thing by hand.
    pub(crate) fn lose(&self, id: &str) {
        self.inner().things.remove(id).expect("it is there");
    }

    /// All calls so far, but for `observe` and `wanted`, which come at every pass.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.inner()
            .calls
            .iter()
            .filter(|call| !call.starts_with("observe"))
            .cloned()
            .collect()
    }

    pub(crate) fn count(&self, call: &str) -> usize {
        self.inner().calls.iter().filter(|known| *known == call).count()
    }

    /// The tokens of all `create` and `find` so far.
    pub(crate) fn tokens(&self) -> Vec<String> {
        self.inner().tokens.clone()
    }

    /// The object as it was, live, inside each `create`.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.inner().seen.clone()
    }

    /// Waits until a call was made so often.
    pub(crate) async fn called(&self, call: &str, times: usize) {
        wait_for(&format!("{call} is called {times} times"), PATIENCE, async || {
            if self.count(call) < times {
                bail!("{:?}", self.inner().calls);
            }
            Ok(())
        })
        .await;
    }

    /// Keeps what the API server has of an object at this moment.
    pub(crate) async fn look<K: Object>(&self, client: Client, namespace: Option<&str>, name: &str) -> Result<()> {
        let live = Api::<K>::namespaced(client, namespace.unwrap_or_default())
            .get(name)
            .await?;
        self.inner().seen.push(serde_json::to_value(live)?);
        Ok(())
    }

    async fn call<T>(&self, call: &str, does: impl FnOnce(&mut Inner) -> T) -> Result<Flow<T>> {
        let fault = {
            let mut inner = self.inner();
            inner.calls.push(call.into());
            inner.faults.get(call).copied()
        };
        let Some(fault) = fault else {
            return Ok(does(&mut self.inner()).into());
        };
        if matches!(fault, Fault::FailsAfter | Fault::HangsAfter) {
            let _lost = does(&mut self.inner());
        }
        match fault {
            Fault::Fails | Fault::FailsAfter => bail!("the provider is out of order"),
            Fault::Hangs | Fault::HangsAfter => pending().await,
            Fault::Panics => panic!("the provider's client is broken"),
            Fault::Waits => Ok(Flow::wait_for(
                Duration::from_millis(200),
                "the provider takes its time",
            )),
            Fault::Skips => Ok(Flow::skip("the provider keeps it")),
        }
    }

    pub(crate) async fn find(&self, kind: &str, token: &Token) -> Result<Option<ThingId>> {
        self.inner().tokens.push(token.to_string());
        let find = |inner: &mut Inner| {
            let mut found = inner
                .things
                .iter()
                .filter(|(id, thing)| id.starts_with(kind) && thing.tag == token.as_str());
            found.next().map(|(id, _)| id.clone()).map(|id| inner.state(id))
        };
        match self.call(&format!("find {kind}"), find).await? {
            Flow::Ready(found) => Ok(found),
            _ => bail!("`find` answers or fails"),
        }
    }

    pub(crate) async fn observe(&self, kind: &str, state: &ThingId, size: u32) -> Result<Flow<Observed<ThingId>>> {
        let observe = |inner: &mut Inner| match inner.things.get(&state.id) {
            None => Observed::Absent,
            Some(thing) if thing.size == size => Observed::Matches(state.clone()),
            Some(_) => Observed::Differs(state.clone()),
        };
        self.call(&format!("observe {kind}"), observe).await
    }

    pub(crate) async fn create(&self, kind: &str, token: &Token, size: u32) -> Result<Flow<ThingId>> {
        self.inner().tokens.push(token.to_string());
        let create = |inner: &mut Inner| {
            let id = format!("{kind}-{}", inner.made);
            inner.made += 1;
            inner.things.insert(
                id.clone(),
                Thing {
                    tag: token.to_string(),
                    size,
                },
            );
            inner.state(id)
        };
        self.call(&format!("create {kind}"), create).await
    }

    pub(crate) async fn update(&self, kind: &str, state: &ThingId, size: u32) -> Result<Flow<ThingId>> {
        let update = |inner: &mut Inner| {
            inner.things.get_mut(&state.id).expect("it exists").size = size;
            state.clone()
        };
        self.call(&format!("update {kind}"), update).await
    }

    pub(crate) async fn delete(&self, kind: &str, state: &ThingId) -> Result<Flow<()>> {
        let delete = |inner: &mut Inner| drop(inner.things.remove(&state.id));
        self.call(&format!("delete {kind}"), delete).await
    }
}

impl Inner {
    fn state(&self, id: String) -> ThingId {
        let padding = (self.padding > 0).then(|| "x".repeat(self.padding));
        ThingId { id, padding }
    }
}
