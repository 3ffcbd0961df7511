//! How operators are run, whoever decides it: the command line or a test.

use std::{net::SocketAddr, time::Duration};

use crate::leader::LeaderElection;

/// How operators are run; the same for all operators of an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSettings {
    /// The namespaces whose objects are reconciled; empty, the default, means all. Each is watched on its own and needs rights of its own: one
    /// that cannot be watched does not hold up the others, is told in the log, and is taken in as soon as it can be. It has to be one
    /// at least before there are passes.
    pub namespaces: Vec<String>,
    /// How many passes of one operator run at once, at least one; default 64.
    pub concurrency: usize,
    /// How long a quiet object waits for its next pass; default five minutes. Each wait is shortened by up to a fifth, by chance that the
    /// object's UID decides, so that objects that came together, at a start say, do not come back together.
    pub resync: Duration,
    /// How long running passes may take to end after a shutdown before they are dropped; default 25 seconds, which
    /// leaves a Pod five of the 30 seconds before it is killed.
    pub shutdown_timeout: Duration,
    /// How replicas agree on the one that works; `None`, the default: this is the only one.
    pub leader_election: Option<LeaderElection>,
    /// Where `/metrics` is served, over plain HTTP; `None`, the default of this type, means nowhere. `[::]` is every address, of IPv4 too.
    pub metrics_address: Option<SocketAddr>,
    /// Where `/healthz` and `/readyz` are served, over plain HTTP; `None`, the default of this type, means nowhere. May be the same as
    /// `metrics_address`.
    pub health_address: Option<SocketAddr>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            namespaces: Vec::new(),
            concurrency: 64,
            resync: Duration::from_mins(5),
            shutdown_timeout: Duration::from_secs(25),
            leader_election: None,
            metrics_address: None,
            health_address: None,
        }
    }
}
