//! What a pass holds while it runs.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::anyhow;

use super::Running;
use crate::{
    context::Scope,
    error::{ErrorExt as _, Result, find},
    flow::{Flow, Wait},
    layer::{Operation, Surroundings, Verb},
    operator::Operator,
    record::Identity,
    store::{ChildEntry, ChildKey, ObjectEntry},
};

/// A pass over one object, in either direction.
pub(crate) struct Pass<O: Operator> {
    pub(crate) running: Arc<Running<O>>,
    pub(crate) uid: Arc<str>,
    /// The object as its children's marks name it.
    pub(crate) owner: Identity,
    pub(crate) scope: Arc<Scope>,
    /// The object as the pass knows it, newer with each answer.
    entry: Mutex<Arc<ObjectEntry<O>>>,
    /// The operation that each resource failed at last.
    failed: Mutex<HashMap<String, Verb>>,
    /// The object is patched by one resource at a time: each patch tests what the one before it left.
    pub(crate) patching: tokio::sync::Mutex<()>,
}

impl<O: Operator> Pass<O> {
    pub(crate) fn new(running: Arc<Running<O>>, entry: Arc<ObjectEntry<O>>, scope: Scope) -> Self {
        Self {
            uid: entry.uid.clone(),
            owner: Identity::new(&running.kind, entry.namespace(), entry.name()),
            scope: Arc::new(scope),
            entry: Mutex::new(entry),
            failed: Mutex::default(),
            patching: tokio::sync::Mutex::default(),
            running,
        }
    }

    pub(crate) fn entry(&self) -> Arc<ObjectEntry<O>> {
        self.lock().clone()
    }

    pub(crate) fn learn(&self, entry: Arc<ObjectEntry<O>>) {
        *self.lock() = entry;
    }

    fn lock(&self) -> MutexGuard<'_, Arc<ObjectEntry<O>>> {
        self.entry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation of a resource through the layers. A wait that comes as an error is one before a layer sees it.
    pub(crate) async fn call<T, F>(
        &self,
        resource: &str,
        verb: Verb,
        run: impl Fn() -> F + Send + Sync,
    ) -> Result<Flow<T>>
    where
        T: Send,
        F: Future<Output = Result<Flow<T>>> + Send,
    {
        let running = &self.running;
        let meta = &self.scope.meta;
        let manual = || {
            running
                .node(resource)
                .is_some_and(|node| node.meta().settings.manual_recovery)
        };
        let surroundings = Surroundings {
            stopping: Some(&running.stopping),
            meter: Some(&running.meter),
            reports: Some(&running.reports),
        };
        let mut operation = Operation::new(resource, verb)
            .in_surroundings(surroundings)
            .only_once(verb == Verb::Create && manual());
        operation.controller = &running.names.operator;
        operation.kind = &running.kind.kind;
        operation.backwards = meta.deletion_timestamp.is_some();
        operation.namespace = meta.namespace.as_deref();
        operation.name = meta.name.as_deref().unwrap_or_default();
        operation.uid = &self.uid;
        let run = || {
            let answer = run();
            async move {
                let answer = answer.await;
                match answer.as_ref().err().and_then(find::<Wait>) {
                    Some(wait) => Ok(Flow::Wait(wait.clone())),
                    None => answer,
                }
            }
        };
        let answer = running.layers_of(resource).call(&operation, run).await;
        if answer.is_err() {
            self.failed().insert(resource.to_owned(), verb);
        }
        answer
    }

    /// The operation that a resource failed at, if it did.
    pub(super) fn failed_operation(&self, resource: &str) -> Option<Verb> {
        self.failed().get(resource).copied()
    }

    fn failed(&self) -> MutexGuard<'_, HashMap<String, Verb>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pass forwards.
pub struct Forward<O: Operator> {
    pub(crate) pass: Pass<O>,
    pub(crate) object: Arc<O::Object>,
    wanted: Mutex<Wanted>,
}

/// What the resources of a pass have said that they want.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Each child and the resource that wants it.
    pub(crate) children: HashMap<ChildKey, &'static str>,
    /// `External`s that are not wanted, and what is retired.
    pub(crate) unwanted: BTreeSet<&'static str>,
    /// `Manifest`s that have said which children they want.
    pub(crate) resolved: BTreeSet<&'static str>,
    /// Children of an `optional` resource were left out, since their kind is not known to anybody yet.
    pub(crate) unserved: bool,
}

impl<O: Operator> Forward<O> {
    pub(crate) fn new(pass: Pass<O>, object: Arc<O::Object>) -> Self {
        Self {
            pass,
            object,
            wanted: Mutex::default(),
        }
    }

    /// Notes that a resource wants a child.
    pub(crate) fn want(&self, key: ChildKey, resource: &'static str) -> Result<()> {
        let mut wanted = self.wanted();
        match wanted.children.get(&key) {
            Some(other) => Err(anyhow!(
                "{key} is wanted twice, by `{other}` and by `{resource}`: give each child a name of its own"
            )
            .reason("InvalidDesired")
            .permanent()),
            None => {
                wanted.children.insert(key, resource);
                Ok(())
            }
        }
    }

    /// Notes that a `Manifest` has said all that it wants.
    pub(crate) fn resolve(&self, resource: &'static str) {
        self.wanted().resolved.insert(resource);
    }

    pub(crate) fn do_not_want(&self, resource: &'static str) {
        self.wanted().unwanted.insert(resource);
    }

    /// Notes that a resource only stands in the code to be deleted: it wants nothing.
    pub(crate) fn retire(&self, resource: &'static str) {
        self.resolve(resource);
        self.do_not_want(resource);
    }

    /// Notes that children were left out, since their kind is not known to anybody yet.
    pub(crate) fn leave_out(&self) {
        self.wanted().unserved = true;
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_parts(self) -> (Pass<O>, Wanted) {
        (
            self.pass,
            self.wanted.into_inner().unwrap_or_else(PoisonError::into_inner),
        )
    }
}

/// A pass backwards: over everything, or, at the end of a pass forwards, over what is no longer wanted.
pub struct Backward<O: Operator> {
    pub(crate) pass: Pass<O>,
    pub(crate) removal: Removal,
}

/// What a pass backwards removes.
#[derive(Debug)]
pub(crate) enum Removal {
    /// Everything that is ours.
    All,
    /// Children that are not wanted, and `External`s that are not wanted.
    Unwanted(Wanted),
}

impl Removal {
    /// `left_code`: the child's resource is not in the code any more, so nobody can want the child.
    pub(crate) fn takes_child(&self, child: &ChildEntry, left_code: bool) -> bool {
        match self {
            Self::All => true,
            Self::Unwanted(wanted) => {
                !wanted.children.contains_key(&child.key) && (left_code || wanted.resolved.contains(&*child.resource))
            }
        }
    }

    pub(crate) fn takes_external(&self, resource: &str) -> bool {
        match self {
            Self::All => true,
            Self::Unwanted(wanted) => wanted.unwanted.contains(resource),
        }
    }

    pub(crate) fn takes_step(&self, resource: &str) -> bool {
        match self {
            Self::All => true,
            Self::Unwanted(wanted) => wanted.unwanted.contains(resource),
        }
    }
}

impl<O: Operator> fmt::Debug for Forward<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Forward").field(&self.pass.owner).finish()
    }
}

impl<O: Operator> fmt::Debug for Backward<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Backward")
            .field(&self.pass.owner)
            .field(&self.removal)
            .finish()
    }
}
