//! The user's binary: one command line, one runtime and one client for all its operators.

mod cli;
mod client_args;
mod command;
mod crds;
mod descriptions;
#[cfg(feature = "dev")]
mod dev;
mod env;
mod install;
mod install_args;
mod json;
mod leader_args;
mod logging;
mod manifests;
mod panics;
mod rbac;
mod release;
mod rights;
mod runnable;
#[cfg(feature = "sentry")]
mod sentry;
mod serve;
mod settings;
mod signals;
mod supervise;
#[cfg(test)]
mod tests;
mod unique;
mod yaml;

pub use env::Env;
pub use settings::RunSettings;

use std::{ffi::OsString, fmt, process::ExitCode, time::Duration};

use anyhow::ensure;
use k8s_openapi::api::rbac::v1::PolicyRule;
use tokio_util::sync::CancellationToken;

use crate::{
    client::ClientConfig,
    layer::{Layer, Layers},
    leader,
    metrics::{Metrics, Scraper, prometheus_client::registry::Registry},
    operator::Resources,
    reporting::{ErrorReporter, Reports},
};
use runnable::{Registered, Runnable};

/// A program of operators.
///
/// ```ignore
/// fn main() -> std::process::ExitCode {
///     operatorkit::App::new("webapp-operator")
///         .operator(|env| async move { Ok(WebAppResources { settings: Settings, network: Network::connect(env).await?, web: Web }) })
///         .main()
/// }
/// ```
///
/// It gives every program the same commands:
///
/// - `run` runs all operators until SIGTERM or SIGINT, which end it gracefully; a second signal ends it at once. Logs go to stderr.
/// - `dev`, with the feature `dev`, runs them on a Kubernetes API server in this process, with the [samples](Self::sample), and shows what
///   they do. Nothing else is needed.
/// - `crd` writes the `CustomResourceDefinition`s of the operators' own kinds to stdout, as YAML for `kubectl apply -f -`. `crd --install`
///   installs them by server-side apply instead, and waits until they are served; nothing is written where nothing changes, and a version
///   that objects may be stored in is never dropped. One that is too large for `kubectl apply`, which keeps a copy of it in an annotation, is told
///   on stderr with its size; `--descriptions short` or `none` makes it smaller.
/// - `rbac` writes a ServiceAccount with the rights that `run` needs, and no others, to stdout: a ClusterRole, or with `--namespace` a Role in
///   each. They are derived from the operators; what cannot be derived is said by [`rule`](Self::rule), or told on stderr.
/// - `manifests` writes all that installs the program: its namespace, the CRDs, the same rights, and a Deployment that keeps to the Pod
///   Security Standard `restricted`.
/// - `release` is the way out, before the program is uninstalled and after it was stopped: it takes all that is the operators' own off their objects and
///   children, deletes nothing, and prints what was released and what is left outside of Kubernetes. `--dry-run` only prints it. It needs no
///   set-up and no other rights than `run`; it can be repeated, and goes on where it was stopped.
///
/// The exit code is 0 after a graceful end, 1 after an error, which is told in one line on stderr, and 2 after a wrong command line.
#[must_use = "an app does nothing before `main`, `run_with` or `run_in`"]
pub struct App {
    name: String,
    version: Option<&'static str>,
    resync: Duration,
    client: Option<ClientConfig>,
    operators: Vec<Box<dyn Runnable>>,
    layers: Layers,
    metrics: Metrics,
    reporters: Vec<Box<dyn ErrorReporter>>,
    rules: Vec<PolicyRule>,
    #[cfg(feature = "dev")]
    samples: Vec<serde_json::Value>,
}

impl App {
    /// An app without operators. Its name is what the help, the logs and the User-Agent call it: ASCII letters, digits, `-`, `_` and `.`.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            metrics: Metrics::new(&name),
            name,
            version: None,
            resync: RunSettings::default().resync,
            client: None,
            operators: Vec::new(),
            layers: Layers::new(),
            reporters: Vec::new(),
            rules: Vec::new(),
            #[cfg(feature = "dev")]
            samples: Vec::new(),
        }
    }

    /// The app's version, such as `env!("CARGO_PKG_VERSION")`, for `--version` and the User-Agent; default none.
    pub fn version(mut self, version: &'static str) -> Self {
        self.version = Some(version);
        self
    }

    /// How long a quiet object waits for its next pass, at most: each wait is shortened by up to a fifth, so that objects spread out. Default five
    /// minutes. `--resync` overrides it.
    pub fn resync(mut self, resync: Duration) -> Self {
        self.resync = resync;
        self
    }

    /// Which API server is used, and as whom; default what is found, as [`ClientConfig`] describes it. What the command line says of it replaces this.
    pub fn client(mut self, client: ClientConfig) -> Self {
        self.client = Some(client);
        self
    }

    /// Adds an operator, by what makes its resources.
    ///
    /// The set-up runs once, for `run` only: `crd` works without a cluster and without what the set-up needs. An error or a panic in
    /// it ends the program with exit code 1, after the other operators have ended.
    pub fn operator<R, F, Fut>(mut self, setup: F) -> Self
    where
        R: Resources,
        F: FnOnce(Env) -> Fut + Send + 'static,
        Fut: Future<Output = anyhow::Result<R>> + Send + 'static,
    {
        self.operators.push(Box::new(Registered::new(setup)));
        self
    }

    /// Adds a layer around the operations of all operators, outside of the `layers(..)` of each operator and resource, and inside of those
    /// added before it: for one that is made at run time, such as from the configuration, or a [`Recorder`](crate::layer::Recorder) in a test.
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers = self.layers.with(layer);
        self
    }

    /// Registers metrics of the program's own, which are shown with all others; see [`metrics`](crate::metrics#own-metrics). In a set-up,
    /// [`Env::metrics`] does it for one operator.
    ///
    /// ```ignore
    /// let calls = Counter::<u64>::default();
    /// App::new("webapp-operator").metrics(|registry| registry.register("cloud_calls", "Calls to the cloud", calls.clone()))
    /// ```
    ///
    /// A failure of a collector takes only what was registered in the same call with it.
    pub fn metrics(self, register: impl FnOnce(&mut Registry)) -> Self {
        let mut registry = Registry::default();
        register(&mut registry);
        self.metrics.register(registry);
        self
    }

    /// What reads the metrics of this app in the process.
    pub fn scraper(&self) -> Scraper {
        Scraper::new(self.metrics.clone())
    }

    /// Adds a reporter of errors: of what passes fail of, and of what ends the app, see [`reporting`](crate::reporting). The command `dev` reports
    /// nothing. With the feature `sentry`, `run` has one by itself where `--sentry-dsn` or `SENTRY_DSN` is said.
    ///
    /// When the app ends, also since it cannot start, reporters get two seconds to send what they still hold.
    pub fn report_errors(mut self, reporter: impl ErrorReporter) -> Self {
        self.reporters.push(Box::new(reporter));
        self
    }

    /// Adds a right that the program needs beside those that are derived from its operators: on kinds of children that only the running
    /// program knows ([`DynamicObject`](kube::core::DynamicObject)), and for what its resources ask by [`Cx::client`](crate::Cx::client).
    ///
    /// It is only for the commands `rbac` and `manifests`, which grant it where the objects are: everywhere, or in each `--namespace`.
    pub fn rule(mut self, rule: PolicyRule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds an object that the command `dev` makes, after those before it: one for an operator, or what such a one needs. It needs a name;
    /// without a namespace it is made in `default`. Without the feature `dev` this does nothing.
    #[cfg_attr(
        not(feature = "dev"),
        expect(unused_mut, unused_variables, reason = "only `dev` makes objects")
    )]
    pub fn sample<K: serde::Serialize>(mut self, object: K) -> Self {
        // What is no object is told when `dev` reads it.
        #[cfg(feature = "dev")]
        self.samples.push(serde_json::to_value(object).unwrap_or_default());
        self
    }

    /// Does what the command line of the process says, on a tokio runtime of its own; the last thing that `fn main` calls.
    pub fn main(self) -> ExitCode {
        self.run_with(std::env::args_os().skip(1))
    }

    /// Like [`main`](Self::main) with other arguments, which do not begin with the program's name.
    ///
    /// It takes over what belongs to the process: for `run` the signals, the global `tracing` subscriber and the panic hook.
    /// Call it outside of a tokio runtime; [`run_in`](Self::run_in) is for tests in process.
    pub fn run_with<A>(self, args: A) -> ExitCode
    where
        A: IntoIterator<Item: Into<OsString> + Clone>,
    {
        command::execute(self, args)
    }

    /// Runs all operators on this client until the token is cancelled: without command line, signals and logging.
    ///
    /// # Errors
    ///
    /// An app without an operator, a name that two operators share, now or by `formerly`, or the error of the first operator that failed, after the
    /// others have ended. With a [`LeaderElection`](crate::LeaderElection) also the loss of the leadership; with an address to serve on,
    /// one that cannot be listened on.
    pub async fn run_in(
        mut self,
        client: kube::Client,
        settings: RunSettings,
        shutdown: CancellationToken,
    ) -> anyhow::Result<()> {
        let reports = Reports::new(&self.name, std::mem::take(&mut self.reporters))?;
        let result = self.run_reporting(client, settings, shutdown, reports.clone()).await;
        reports.end(result.as_ref().err()).await;
        result
    }

    async fn run_reporting(
        self,
        client: kube::Client,
        settings: RunSettings,
        shutdown: CancellationToken,
        reports: Reports,
    ) -> anyhow::Result<()> {
        self.check()?;
        let metrics = &self.metrics;
        metrics.expect(self.operators.iter().map(|operator| operator.name()).collect());
        // Served until the last operator has stopped.
        let _serving = serve::start(metrics, &settings).await?;
        let env = |client| {
            Env::new(client, &self.name, &settings.namespaces)
                .in_layers(self.layers.clone())
                .measured_by(metrics.clone())
                .reporting_to(reports.clone())
        };
        let Some(election) = &settings.leader_election else {
            return supervise::run_all(self.operators, &env(client), &settings, &shutdown).await;
        };
        leader::lead(
            client,
            &self.name,
            election,
            metrics.election(),
            async |client, leadership| {
                let told = leadership.clone();
                metrics.led_by(move || told.leads());
                supervise::run_all(self.operators, &env(client).led_by(leadership), &settings, &shutdown).await
            },
        )
        .await
    }

    fn check(&self) -> anyhow::Result<()> {
        ensure!(
            !self.operators.is_empty(),
            "the app has no operator: add one with `.operator(..)`"
        );
        let claims: Vec<_> = self.operators.iter().map(|operator| (&**operator).into()).collect();
        unique::check(&claims)
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operators: Vec<_> = self.operators.iter().map(|operator| operator.name()).collect();
        f.debug_struct("App")
            .field("name", &self.name)
            .field("operators", &operators)
            .finish_non_exhaustive()
    }
}
