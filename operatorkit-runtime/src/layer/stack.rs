//! A stack of layers: a list that reads top-down.

use std::{fmt, sync::Arc};

use super::{Layer, Metrics, Operation, Trace, call};
use crate::{error::Result, flow::Flow};

/// Layers in their order: the first is the outermost, so that the list reads top-down.
///
/// `Layers::default()` is the stack of an operator that says nothing: [`Metrics`], then [`Trace`]. There is no retry in it, since an object
/// that failed is tried again with backoff anyway.
///
/// ```
/// use std::time::Duration;
/// use operatorkit_runtime::layer::{Layers, Metrics, Retry, Timeout, Trace};
///
/// // One measurement and one span for all attempts; each attempt has ten seconds of its own.
/// let layers = Layers::new().with(Metrics).with(Trace).with(Retry::new(3)).with(Timeout::after(Duration::from_secs(10)));
/// # let _ = layers;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Layers(Arc<[Arc<dyn Layer>]>);

impl Layers {
    /// No layers at all.
    pub fn new() -> Self {
        Self(Arc::new([]))
    }

    /// With one more layer, inside those that there are.
    pub fn with(self, layer: impl Layer) -> Self {
        self.around(&Self(Arc::new([Arc::new(layer)])))
    }

    /// With other layers inside of these.
    pub fn around(self, inner: &Self) -> Self {
        Self(self.0.iter().chain(inner.0.iter()).cloned().collect())
    }

    /// Runs an operation through the layers, as a pass does: for tests of a layer.
    ///
    /// # Errors
    /// What the outermost layer answers; a panic, in a layer or in `run`, is an error with the reason `Panicked`.
    pub async fn call<T, F>(&self, operation: &Operation<'_>, run: impl Fn() -> F + Send + Sync) -> Result<Flow<T>>
    where
        T: Send,
        F: Future<Output = Result<Flow<T>>> + Send,
    {
        call(&self.0, operation, run).await
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::new().with(Metrics).with(Trace)
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Layers").field(&self.0.len()).finish()
    }
}
