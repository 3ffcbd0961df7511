//! `External`: a resource outside Kubernetes, with an identity that is stored.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    context::{Cx, DeleteCx},
    error::Result,
    flow::Flow,
    graph::Node,
    operator::Operator,
    record::Token,
};

/// A thing outside Kubernetes: a network, a database, a DNS record.
///
/// The protocol, so that a crash at any point neither leaks nor doubles:
///
/// 1. Before the first [`create`](Self::create) an *intent* is stored on the object.
/// 2. `create` tags the thing with the token, in the same call to the provider that makes it.
/// 3. The State that `create` returns is stored at once, before any dependent runs.
/// 4. An intent without a State, in either direction, calls [`find`](Self::find) with the token.
/// 5. [`delete`](Self::delete) gets the State and nothing else: no spec, no secret that may be gone.
///
/// A provider without tags says `recover = "manual"` on its `#[resource]`: then `find` is never asked, and an intent
/// without a State is shown as a condition and waits for a person's decision.
pub trait External: Node + Sized {
    /// The operator that this resource belongs to.
    type Operator: Operator;
    /// What identifies the thing: all that deletion gets. At most 4 KiB of JSON, no secrets: it is stored on the object.
    type State: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Whether the object wants the thing at all. `false` deletes it in delete order.
    ///
    /// # Errors
    /// Any error holds up what depends on this resource and is retried with backoff.
    fn wanted(
        &self,
        _object: &<Self::Operator as Operator>::Object,
        _cx: &Cx<Self>,
    ) -> impl Future<Output = Result<bool>> + Send {
        async { Ok(true) }
    }

    /// Whether what it made is left behind when it would be deleted: with its object, or when it is no longer wanted. By default
    /// what `on_delete = ".."` says for all objects.
    ///
    /// It is asked at every pass forwards, and the answer is stored beside the State, so that a deletion needs nothing but what is
    /// stored; a new answer is stored at the next pass. It should depend on the object only.
    fn keep_on_delete(&self, _object: &<Self::Operator as Operator>::Object) -> bool {
        Self::META.settings.keep
    }

    /// The thing that carries the token, if there is one. `None` must mean that it does not exist: a failed or partial
    /// look is an error, else the thing is made twice or leaked.
    ///
    /// # Errors
    /// Any error stops this resource before anything is made or given up.
    fn find(&self, token: &Token, cx: &DeleteCx<Self>) -> impl Future<Output = Result<Option<Self::State>>> + Send;

    /// How the thing is, compared with what the object wants. It runs at every pass.
    ///
    /// # Errors
    /// Any error holds up what depends on this resource and is retried with backoff.
    fn observe(
        &self,
        object: &<Self::Operator as Operator>::Object,
        state: &Self::State,
        cx: &Cx<Self>,
    ) -> impl Future<Output = Result<Flow<Observed<Self::State>>>> + Send;

    /// Makes the thing and tags it with the token.
    ///
    /// # Errors
    /// After an error the intent stays, and the next pass asks `find` first.
    fn create(
        &self,
        object: &<Self::Operator as Operator>::Object,
        token: &Token,
        cx: &Cx<Self>,
    ) -> impl Future<Output = Result<Flow<Self::State>>> + Send;

    /// Makes the thing as the object wants it, after `observe` said that it differs.
    ///
    /// # Errors
    /// Any error holds up what depends on this resource and is retried with backoff.
    fn update(
        &self,
        object: &<Self::Operator as Operator>::Object,
        state: &Self::State,
        cx: &Cx<Self>,
    ) -> impl Future<Output = Result<Flow<Self::State>>> + Send;

    /// Deletes the thing. Idempotent: it may be gone already. `Ready` means gone, not only asked to go.
    ///
    /// # Errors
    /// Any error keeps the State and the finalizer and is retried with backoff.
    fn delete(&self, state: &Self::State, cx: &DeleteCx<Self>) -> impl Future<Output = Result<Flow<()>>> + Send;
}

/// What [`External::observe`] saw.
///
/// The State it holds is stored if it is not the stored one: some parts of it are known only later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed<S> {
    /// The thing is as the object wants it.
    Matches(S),
    /// The thing exists and differs: `update` is called.
    Differs(S),
    /// The thing does not exist any more: it is made again.
    Absent,
}
