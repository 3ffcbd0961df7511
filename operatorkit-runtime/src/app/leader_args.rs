//! What the command line says of the leader election.

use std::time::Duration;

use super::cli::duration;
use crate::leader::LeaderElection;

/// Named as the components of Kubernetes name them; the long names of those are understood, too.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_field_names, reason = "they name the flags")]
pub(super) struct LeaderArgs {
    /// Let one of several replicas work at a time, agreed on by a Lease; needs `get`, `create` and `update` on leases.coordination.k8s.io
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true"
    )]
    leader_elect: bool,

    /// The name of the Lease [default: the app's name]
    #[arg(long, alias = "leader-elect-resource-name", value_name = "NAME")]
    leader_elect_name: Option<String>,

    /// The namespace of the Lease [default: the Pod's, or that of the kubeconfig's context]
    #[arg(long, alias = "leader-elect-resource-namespace", value_name = "NAMESPACE")]
    leader_elect_namespace: Option<String>,

    /// How long after the last renewal another replica takes over
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = duration)]
    leader_elect_lease_duration: Duration,

    /// How long after the last renewal the leader stops
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    leader_elect_renew_deadline: Duration,

    /// How long between two renewals, and between two tries
    #[arg(long, value_name = "DURATION", default_value = "2s", value_parser = duration)]
    leader_elect_retry_period: Duration,
}

impl LeaderArgs {
    pub(super) fn election(&self) -> Option<LeaderElection> {
        self.leader_elect.then(|| LeaderElection {
            name: self.leader_elect_name.clone(),
            namespace: self.leader_elect_namespace.clone(),
            lease_duration: self.leader_elect_lease_duration,
            renew_deadline: self.leader_elect_renew_deadline,
            retry_period: self.leader_elect_retry_period,
        })
    }
}
