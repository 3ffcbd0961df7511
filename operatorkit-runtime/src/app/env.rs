//! What the set-up of an operator gets.

use std::{fmt, sync::Arc};

use kube::Client;

use crate::{
    layer::Layers,
    leader::Leadership,
    metrics::{Metrics, prometheus_client::registry::Registry},
    progress::Onlooker,
    reporting::Reports,
};

/// What the set-up of an operator may need: the client, and what the command line says.
#[derive(Clone)]
pub struct Env {
    client: Client,
    app_name: Arc<str>,
    namespaces: Arc<[String]>,
    onlooker: Onlooker,
    leadership: Leadership,
    layers: Layers,
    metrics: Metrics,
    /// Whose set-up gets it.
    operator: Option<Arc<str>>,
    reports: Reports,
}

impl Env {
    pub(crate) fn new(client: Client, app_name: &str, namespaces: &[String]) -> Self {
        Self {
            client,
            app_name: app_name.into(),
            namespaces: namespaces.into(),
            onlooker: Onlooker::default(),
            leadership: Leadership::default(),
            layers: Layers::new(),
            metrics: Metrics::default(),
            operator: None,
            reports: Reports::default(),
        }
    }

    /// There is an election.
    pub(crate) fn led_by(self, leadership: Leadership) -> Self {
        Self { leadership, ..self }
    }

    pub(crate) fn leadership(&self) -> &Leadership {
        &self.leadership
    }

    /// With the app's layers, around those of each operator.
    pub(crate) fn in_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    pub(crate) fn layers(&self) -> &Layers {
        &self.layers
    }

    /// With the app's reporters of errors.
    pub(crate) fn reporting_to(self, reports: Reports) -> Self {
        Self { reports, ..self }
    }

    pub(crate) fn reports(&self) -> &Reports {
        &self.reports
    }

    /// Somebody looks on.
    pub(crate) fn watched_by(self, onlooker: Onlooker) -> Self {
        Self { onlooker, ..self }
    }

    pub(crate) fn onlooker(&self) -> &Onlooker {
        &self.onlooker
    }

    /// Measured with these.
    pub(crate) fn measured_by(self, metrics: Metrics) -> Self {
        Self { metrics, ..self }
    }

    pub(crate) fn all_metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// For this operator.
    pub(crate) fn of(self, operator: &str) -> Self {
        let operator = Some(operator.into());
        Self { operator, ..self }
    }

    /// Registers metrics of the program's own for this operator: each has the label `controller` with the operator's name. They are shown with
    /// all others; see [`metrics`](crate::metrics#own-metrics) for an example. `App::metrics` does it for the process.
    ///
    /// A failure of a collector takes only what was registered in the same call with it.
    pub fn metrics<T>(&self, register: impl FnOnce(&mut Registry) -> T) -> T {
        let label = self
            .operator
            .iter()
            .map(|name| ("controller".into(), name.to_string().into()));
        let mut registry = Registry::with_labels(label);
        let registered = register(&mut registry);
        self.metrics.register(registry);
        registered
    }

    /// A client for the API server, cheap to clone, shared with the runtime.
    ///
    /// With a [`LeaderElection`](crate::LeaderElection) it changes nothing before this process [leads](Self::leading), nor once it does not lead any
    /// more: such requests fail, and are not sent.
    ///
    /// The API server is not asked before the set-up, so it may be away.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Waits until this process leads; without a [`LeaderElection`](crate::LeaderElection) it does at once.
    ///
    /// A set-up that waits for it holds up only its own operator, whose caches are then filled after the election. A task of its own does not:
    ///
    /// ```
    /// # fn set_up(env: operatorkit_runtime::app::Env) {
    /// let leading = env.clone();
    /// tokio::spawn(async move {
    ///     leading.leading().await;
    ///     // … what only one replica may do …
    /// });
    /// # }
    /// ```
    pub async fn leading(&self) {
        self.leadership.begun().await;
    }

    /// Whether this process leads just now; without a [`LeaderElection`](crate::LeaderElection) it always does.
    pub fn is_leading(&self) -> bool {
        self.leadership.leads()
    }

    /// The name that the app was made with.
    pub fn app_name(&self) -> &str {
        &self.app_name
    }

    /// The namespaces that the operators are limited to; empty means all.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env")
            .field("app_name", &self.app_name)
            .field("namespaces", &self.namespaces)
            .finish_non_exhaustive()
    }
}
