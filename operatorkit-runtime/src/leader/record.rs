//! What a Lease says, and what to write into it: data in, data out.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::{
    api::coordination::v1::{Lease, LeaseSpec},
    apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta},
};
use tokio::time::Instant;

/// A Lease as it was seen last, and since when it has been like that by the clock of this process.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) lease: Lease,
    since: Instant,
}

/// Whether the Lease can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nobody holds it, or its holder has not renewed it in time.
    Free,
    /// Its holder is this process itself.
    Ours,
    /// Somebody else holds it, at least until then.
    Held(Instant),
}

impl Seen {
    /// Takes in what was read at this time. What somebody writes beside the spec is no renewal.
    pub(super) fn update(before: Option<Self>, lease: Lease, now: Instant) -> Self {
        match before {
            Some(before) if before.lease.spec == lease.spec => Self { lease, ..before },
            _ => Self { lease, since: now },
        }
    }

    /// Whether this process may take it. `own` is the duration of a Lease that says none.
    pub(super) fn verdict(&self, identity: &str, own: Duration, now: Instant) -> Verdict {
        let until = self.since + self.duration().unwrap_or(own);
        match self.holder() {
            None => Verdict::Free,
            Some(holder) if holder == identity => Verdict::Ours,
            Some(_) if now >= until => Verdict::Free,
            Some(_) => Verdict::Held(until),
        }
    }

    pub(super) fn holder(&self) -> Option<&str> {
        let holder = self.lease.spec.as_ref()?.holder_identity.as_deref();
        holder.filter(|holder| !holder.is_empty())
    }

    fn duration(&self) -> Option<Duration> {
        let seconds = self.lease.spec.as_ref()?.lease_duration_seconds?;
        u64::try_from(seconds)
            .ok()
            .filter(|&seconds| seconds > 0)
            .map(Duration::from_secs)
    }
}

/// A Lease that does not exist yet, held.
pub(super) fn created(namespace: &str, name: &str, identity: &str, duration: Duration, now: Timestamp) -> Lease {
    Lease {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            namespace: Some(namespace.to_owned()),
            ..ObjectMeta::default()
        },
        spec: Some(LeaseSpec {
            lease_transitions: Some(0),
            ..held(identity, duration, now)
        }),
    }
}

/// The Lease, taken or renewed; its resourceVersion makes that fail if it was changed meanwhile. A new holder is a transition, also after a release.
pub(super) fn taken(seen: &Seen, identity: &str, duration: Duration, now: Timestamp) -> Lease {
    let before = seen.lease.spec.clone().unwrap_or_default();
    let transitions = before.lease_transitions.unwrap_or(0);
    let held = held(identity, duration, now);
    let spec = if before.holder_identity.as_deref() == Some(identity) {
        LeaseSpec {
            acquire_time: before.acquire_time.clone().or(held.acquire_time),
            lease_transitions: Some(transitions),
            ..held
        }
    } else {
        LeaseSpec {
            lease_transitions: Some(transitions.saturating_add(1)),
            ..held
        }
    };
    with_spec(seen, spec)
}

/// The Lease, given up: as client-go does it, so that its candidates understand it, too.
pub(super) fn released(seen: &Seen, now: Timestamp) -> Lease {
    let before = seen.lease.spec.clone().unwrap_or_default();
    let spec = LeaseSpec {
        lease_transitions: before.lease_transitions,
        ..held("", Duration::from_secs(1), now)
    };
    with_spec(seen, spec)
}

fn held(identity: &str, duration: Duration, now: Timestamp) -> LeaseSpec {
    LeaseSpec {
        holder_identity: Some(identity.to_owned()),
        // Settings that do not fit are refused.
        lease_duration_seconds: Some(i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)),
        acquire_time: Some(MicroTime(now)),
        renew_time: Some(MicroTime(now)),
        ..LeaseSpec::default()
    }
}

fn with_spec(seen: &Seen, spec: LeaseSpec) -> Lease {
    let mut metadata = seen.lease.metadata.clone();
    metadata.managed_fields = None;
    Lease {
        metadata,
        spec: Some(spec),
    }
}
