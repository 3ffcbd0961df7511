//! The elector: takes the Lease when it may, renews it while it can, and gives it up at the end.

use std::time::Duration;

use anyhow::anyhow;
use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::Lease;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tracing::{debug, info, warn};

use super::{
    LeaderElection,
    fence::Fence,
    identity::identity,
    record::{self, Seen, Verdict},
};
use crate::cluster::{Cluster, Failure};

/// How much more than the retry period a candidate may wait, so that candidates do not come together; as client-go.
pub(super) const JITTER: f64 = 1.2;
/// How long the end may be held up by giving the Lease up; without it, it expires.
const RELEASE_WITHIN: Duration = Duration::from_secs(3);
/// How often a release is tried again because somebody else changed the Lease.
const RELEASES: usize = 3;

/// One candidate.
#[derive(Debug)]
pub(super) struct Elector {
    cluster: Cluster,
    namespace: String,
    name: String,
    identity: String,
    settings: LeaderElection,
    fence: Fence,
    seen: Option<Seen>,
    told: Option<String>,
}

/// What a try came to.
enum Try {
    Leads,
    /// Somebody else holds it, at least until then.
    Held(Instant),
    /// Somebody was faster.
    Outrun,
}

impl Elector {
    /// On a cluster whose requests are counted, if they are.
    pub(super) fn new(cluster: Cluster, app: &str, settings: LeaderElection, fence: Fence) -> anyhow::Result<Self> {
        settings.check()?;
        let client = cluster.client();
        let namespace = settings.namespace.as_deref().unwrap_or(client.default_namespace());
        Ok(Self {
            namespace: namespace.to_owned(),
            name: settings.name_for(app)?,
            identity: identity(),
            cluster,
            settings,
            fence,
            seen: None,
            told: None,
        })
    }

    /// The Lease, for people.
    fn lease(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// Leads as soon as it may and as long as it can; why it cannot any more.
    pub(super) async fn run(&mut self) -> anyhow::Error {
        self.acquire().await;
        info!(lease = self.lease(), identity = self.identity, "leads");
        let lost = self.hold().await;
        self.fence.end();
        lost.context(format!("the leadership was lost (Lease {})", self.lease()))
    }

    async fn acquire(&mut self) {
        info!(lease = self.lease(), identity = self.identity, "waits to lead");
        loop {
            let next = Instant::now() + self.settings.retry_period.mul_f64(1.0 + JITTER * fastrand::f64());
            let next = match timeout(self.patience(), self.attempt()).await {
                Ok(Ok(Try::Leads)) => return,
                // Not before the holder's time is over, and not much later either.
                Ok(Ok(Try::Held(until))) => next.min(until),
                Ok(Ok(Try::Outrun)) => next,
                Ok(Err(failure)) => {
                    self.complain(&failure);
                    next
                }
                Err(_) => {
                    debug!(lease = self.lease(), "no answer about the Lease");
                    next
                }
            };
            sleep_until(next).await;
        }
    }

    /// Renews until that fails for too long; why.
    async fn hold(&mut self) -> anyhow::Error {
        let mut last = None;
        loop {
            let until = self.fence.until().unwrap_or_else(Instant::now);
            let renewal = async {
                sleep(self.settings.retry_period).await;
                timeout(self.patience(), self.attempt()).await
            };
            let Ok(tried) = timeout_at(until, renewal).await else {
                let why = last.map_or_else(|| anyhow!("no answer from the API server"), anyhow::Error::new);
                return why.context(format!(
                    "it could not be renewed within {:?}",
                    self.settings.renew_deadline
                ));
            };
            match tried {
                Ok(Ok(Try::Leads)) => last = None,
                Ok(Ok(Try::Held(_))) => {
                    let holder = self.seen.as_ref().and_then(Seen::holder).unwrap_or_default();
                    return anyhow!("`{holder}` holds it");
                }
                Ok(Ok(Try::Outrun)) => {}
                Ok(Err(failure)) => {
                    warn!(lease = self.lease(), "cannot renew the Lease: {failure}");
                    last = Some(failure);
                }
                Err(_) => warn!(lease = self.lease(), "cannot renew the Lease: no answer"),
            }
        }
    }

    /// How long one try may take, so that another fits in before the deadline; as the clients of Kubernetes' components have it.
    fn patience(&self) -> Duration {
        self.settings.renew_deadline / 2
    }
}

impl Elector {
    /// Takes or renews the Lease, if it may.
    async fn attempt(&mut self) -> Result<Try, Failure> {
        // What the leader wrote last is the newest, unless somebody interfered.
        if self.fence.until().is_some()
            && let Some(seen) = self.seen.clone()
        {
            match self.take(Some(&seen)).await {
                Err(failure) if failure.is_conflict() || failure.is_not_found() => {}
                other => return other,
            }
        }
        let found = self.cluster.lease(&self.namespace, &self.name).await?;
        // After the answer: a renewal that it shows is not younger than that.
        let now = Instant::now();
        let there = found.is_some();
        if let Some(lease) = found {
            self.see(lease, now);
        }
        // Whoever held a Lease that was deleted may not know it yet.
        let verdict = self.seen.as_ref().map_or(Verdict::Free, |seen| {
            seen.verdict(&self.identity, self.settings.lease_duration, now)
        });
        if let Verdict::Held(until) = verdict {
            return Ok(Try::Held(until));
        }
        let seen = self.seen.clone().filter(|_| there);
        match self.take(seen.as_ref()).await {
            Err(failure) if failure.is_conflict() || failure.is_not_found() => Ok(Try::Outrun),
            other => other,
        }
    }

    /// Writes this process into the Lease as it was seen, or into a new one, and opens the fence.
    async fn take(&mut self, seen: Option<&Seen>) -> Result<Try, Failure> {
        let (identity, duration) = (&self.identity, self.settings.lease_duration);
        // Before it is sent: others count from when they see it.
        let (began, now) = (Instant::now(), Timestamp::now());
        let written = match seen {
            Some(seen) => {
                let lease = record::taken(seen, identity, duration, now);
                self.cluster.replace_lease(&self.namespace, &self.name, &lease).await?
            }
            None => {
                let lease = record::created(&self.namespace, &self.name, identity, duration, now);
                self.cluster.create_lease(&self.namespace, &self.name, &lease).await?
            }
        };
        self.see(written, Instant::now());
        self.fence.open(began + self.settings.renew_deadline);
        Ok(Try::Leads)
    }

    fn see(&mut self, lease: Lease, now: Instant) {
        let seen = Seen::update(self.seen.take(), lease, now);
        let holder = seen
            .holder()
            .filter(|holder| *holder != self.identity)
            .map(str::to_owned);
        if holder != self.told
            && let Some(holder) = &holder
        {
            info!(lease = self.lease(), holder, "another replica leads");
        }
        self.told = holder;
        self.seen = Some(seen);
    }

    fn complain(&self, failure: &Failure) {
        let remedy = failure.remedy().map(|remedy| format!(": {remedy}")).unwrap_or_default();
        warn!(lease = self.lease(), "cannot take the Lease: {failure}{remedy}");
    }

    /// Gives the Lease up, if this process holds it and nothing of it may still have an effect. Nothing is written any more from now on.
    pub(super) async fn release(&mut self) {
        let led = self.fence.until().is_some();
        self.fence.end();
        if !led {
            return;
        }
        if self.fence.is_loose(self.settings.lease_duration) {
            info!(
                lease = self.lease(),
                "something was cut off while it ran: the Lease is left to expire"
            );
            return;
        }
        match timeout(RELEASE_WITHIN, self.give_up()).await {
            Ok(Ok(())) => info!(lease = self.lease(), "the Lease is given up"),
            Ok(Err(failure)) => warn!(lease = self.lease(), "the Lease is left to expire: {failure}"),
            Err(_) => warn!(lease = self.lease(), "the Lease is left to expire: no answer"),
        }
    }

    async fn give_up(&mut self) -> Result<(), Failure> {
        for last in [false; RELEASES].into_iter().chain([true]) {
            // A renewal may have been cut off whose answer would have told the version.
            let Some(lease) = self.cluster.lease(&self.namespace, &self.name).await? else {
                return Ok(());
            };
            let seen = Seen::update(None, lease, Instant::now());
            if seen.holder() != Some(&self.identity) {
                return Ok(());
            }
            let released = record::released(&seen, Timestamp::now());
            match self.cluster.replace_lease(&self.namespace, &self.name, &released).await {
                Err(failure) if failure.is_conflict() && !last => {}
                other => return other.map(drop),
            }
        }
        Ok(())
    }
}
