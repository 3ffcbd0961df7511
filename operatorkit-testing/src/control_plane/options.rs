//! What a control plane of one's own is made of.

/// The controllers of kube-controller-manager that run unless a test says otherwise.
const CONTROLLERS: [&str; 10] = [
    // Without it the roles view, edit and admin are empty.
    "clusterrole-aggregation-controller",
    "daemonset-controller",
    "deployment-controller",
    "endpoints-controller",
    "endpointslice-controller",
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "replicaset-controller",
    "statefulset-controller",
];

/// What [`ControlPlane::start`](super::ControlPlane::start) starts. The default is what [`ControlPlane::shared`](super::ControlPlane::shared)
/// has: the audit log, the stand-in kubelet, and the controllers for namespaces, garbage, workloads and endpoints; not those for
/// service accounts and root certificates, which would put objects of their own into every namespace.
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) controllers: Vec<String>,
    pub(super) audit: bool,
    pub(super) kubelet: bool,
    pub(super) api_server_flags: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            controllers: CONTROLLERS.map(str::to_owned).to_vec(),
            audit: true,
            kubelet: true,
            api_server_flags: Vec::new(),
        }
    }
}

impl Options {
    /// Runs exactly these controllers, named as kube-controller-manager's `--controllers` names them.
    #[must_use]
    pub fn with_controllers<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.controllers = names.into_iter().map(Into::into).collect();
        self
    }

    /// Does not start kube-controller-manager.
    #[must_use]
    pub fn without_controllers(mut self) -> Self {
        self.controllers.clear();
        self
    }

    /// Runs one more controller, for example `root-ca-certificate-publisher-controller`.
    #[must_use]
    pub fn with_controller(mut self, name: impl Into<String>) -> Self {
        self.controllers.push(name.into());
        self
    }

    /// Adds a flag of kube-apiserver, for example `--feature-gates=…`. It comes last, so it wins.
    #[must_use]
    pub fn with_api_server_flag(mut self, flag: impl Into<String>) -> Self {
        self.api_server_flags.push(flag.into());
        self
    }

    /// Writes no audit log: for measurements. [`Cluster::audit`](crate::Cluster::audit) panics then.
    #[must_use]
    pub fn without_audit(mut self) -> Self {
        self.audit = false;
        self
    }

    /// Leaves Pods Pending: without the [stand-in kubelet](crate::kubelet).
    #[must_use]
    pub fn without_kubelet(mut self) -> Self {
        self.kubelet = false;
        self
    }

    pub(super) fn runs(&self, controller: &str) -> bool {
        self.controllers.iter().any(|name| name == controller)
    }
}
