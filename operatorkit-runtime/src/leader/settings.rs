//! Which Lease is used, and its times.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

use super::elector::JITTER;

/// How several replicas of a program agree on the one that works.
///
/// All replicas fill their caches; only the leader runs passes. The leader is whoever holds a Lease (`coordination.k8s.io/v1`), and renews it
/// every [`retry_period`](Self::retry_period). The others take over when they have not seen a renewal for
/// [`lease_duration`](Self::lease_duration), by their own monotonic clocks: the times in the Lease are for people, and how far the clocks of two
/// nodes are apart does not matter. (How fast they run does, if one runs more than by a third faster than the other.)
///
/// # What is promised
///
/// - **The client is fenced.** The client of every operator, and [`Env::client`](crate::app::Env::client), refuses to send anything that changes
///   something from [`renew_deadline`](Self::renew_deadline) after the last renewal on, counted from before that was sent. What is under way
///   then is cut off: its connection is closed. The API server itself is told to give up by that time (the parameter `timeout` of each such
///   request, which kube-apiserver heeds), and what was sent and not acknowledged is dropped by the system when the time up to the
///   lease duration has passed, 5 seconds by default (`TCP_USER_TIMEOUT`, for the client that [`App::main`](crate::app::App::main) makes, on Linux; not
///   through a proxy, nor with a credential plugin): otherwise a network that comes back would deliver it much later.
/// - **Losing the leadership ends the program** with an error, as in controller-runtime: passes stop where they are, and what they did is
///   found again by whoever leads next, as after a crash. The kubelet starts the program anew, as a candidate.
/// - **A graceful end hands over.** The Lease is renewed until the running passes have ended, and is then given up (its `holderIdentity` is
///   emptied), so that another replica takes over at its next look. If something had to be cut off, so that it could still arrive, the
///   Lease is left to expire instead.
/// - **Without an election nothing is asked about Leases.**
///
/// A candidate that waits is alive and ready: its stores are filled, and a rollout goes on. It reads (lists, watches, gets), and may ask for reviews
/// (`authorization.k8s.io`, `authentication.k8s.io`); what its [set-up](crate::app::App::operator) would write is refused. A set-up that
/// has to write waits for [`Env::leading`](crate::app::Env::leading) first, or leaves it to a task of its own.
///
/// # What cannot be promised
///
/// Kubernetes has no fencing tokens. A process that is stopped (by a debugger, or a machine that is frozen) exactly between the check of the fence
/// and the system call sends that one request when it is woken, whoever leads then. What this framework writes survives that: every write is
/// idempotent and names the UID that it is about, and creates never update. What user code does outside of Kubernetes is not fenced: its
/// futures are dropped at the deadline.
///
/// Whoever deletes the Lease, or empties its holder, by hand can have two leaders for up to one
/// retry period, until the old one notices. A candidate that saw a holder waits for its lease duration also if the Lease is deleted.
///
/// # Rights
///
/// The service account needs, on `leases` of the group `coordination.k8s.io` in the Lease's namespace, `get`, `create` and `update`:
///
/// ```yaml
/// apiVersion: rbac.authorization.k8s.io/v1
/// kind: Role
/// metadata: { name: webapp-operator-leader, namespace: webapp-system }
/// rules:
/// - { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }
/// - { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [webapp-operator], verbs: [get, update] }
/// ```
///
/// # Where it is turned on
///
/// On the command line: `run --leader-elect`, with `--leader-elect-name`, `--leader-elect-namespace`,
/// `--leader-elect-lease-duration`, `--leader-elect-renew-deadline` and `--leader-elect-retry-period`. In a test or a program of one's own:
///
/// ```
/// # use operatorkit_runtime::{LeaderElection, app::RunSettings};
/// let settings = RunSettings { leader_election: Some(LeaderElection::new()), ..RunSettings::default() };
/// ```
///
/// Two deployments of one program that are to work side by side, each in its own namespaces, need Leases of different names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderElection {
    /// The name of the Lease; default the app's name, in small letters and with `-` for `_`.
    pub name: Option<String>,
    /// The namespace of the Lease; default that of the client: the Pod's own, or that of the kubeconfig's context.
    pub namespace: Option<String>,
    /// How long a candidate waits, since it last saw a renewal, before it takes over: whole seconds, longer than the renew deadline;
    /// default 15 seconds. Of a Lease that somebody else holds, what that one wrote into it counts.
    pub lease_duration: Duration,
    /// How long the leader goes on without a renewal; longer than 1.2 times the retry period; default 10 seconds.
    pub renew_deadline: Duration,
    /// How often the leader renews and a candidate looks, the latter with up to 1.2 times more of jitter; default 2 seconds.
    pub retry_period: Duration,
}

impl LeaderElection {
    /// With the defaults, which are those of the components of Kubernetes.
    pub fn new() -> Self {
        Self {
            name: None,
            namespace: None,
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
        }
    }

    /// Names the Lease.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Names the namespace of the Lease.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// How long after the renew deadline, at least, nobody else leads.
    pub(crate) fn margin(&self) -> Duration {
        self.lease_duration.saturating_sub(self.renew_deadline)
    }

    /// The Lease's name, for an app of this name.
    pub(crate) fn name_for(&self, app: &str) -> anyhow::Result<String> {
        if let Some(name) = &self.name {
            ensure!(
                is_subdomain(name),
                "`{name}` cannot be the name of the leader election's Lease: small letters, digits, `-` and `.`, at most 253, \
                 first and last a letter or digit"
            );
            return Ok(name.clone());
        }
        let name = app.to_ascii_lowercase().replace(['_', '+'], "-");
        let name = name.trim_matches(['-', '.']);
        if !is_subdomain(name) {
            bail!(
                "the app's name `{app}` gives no name for the leader election's Lease: give one by --leader-elect-name"
            );
        }
        Ok(name.to_owned())
    }

    /// The rules of client-go, which come from what would make two leaders, and those of the Lease.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Self {
            lease_duration,
            renew_deadline,
            retry_period,
            ..
        } = *self;
        ensure!(!retry_period.is_zero(), "the leader election's retry period is zero");
        ensure!(
            renew_deadline > retry_period.mul_f64(JITTER),
            "the leader election's renew deadline, {renew_deadline:?}, has to be longer than {JITTER} times its retry period, {retry_period:?}: \
             otherwise the first try that fails would lose the leadership"
        );
        ensure!(
            lease_duration > renew_deadline,
            "the leader election's lease duration, {lease_duration:?}, has to be longer than its renew deadline, {renew_deadline:?}: \
             otherwise another replica would lead before this one stops"
        );
        ensure!(
            lease_duration.subsec_nanos() == 0,
            "the leader election's lease duration, {lease_duration:?}, has to be in whole seconds: a Lease holds no others"
        );
        i32::try_from(lease_duration.as_secs())
            .context("the leader election's lease duration does not fit into a Lease")?;
        if let Some(namespace) = &self.namespace {
            ensure!(
                is_label(namespace),
                "`{namespace}` cannot be the namespace of the leader election's Lease: small letters, digits and `-`, at most 63, \
                 first and last a letter or digit"
            );
        }
        Ok(())
    }
}

impl Default for LeaderElection {
    fn default() -> Self {
        Self::new()
    }
}

/// RFC 1123, as the API server checks it.
fn is_subdomain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_part)
}

fn is_label(name: &str) -> bool {
    name.len() <= 63 && is_part(name)
}

fn is_part(part: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !part.is_empty() && part.bytes().all(inner) && !part.starts_with('-') && !part.ends_with('-')
}
