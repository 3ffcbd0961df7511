//! Whether somebody leads, for who does not take part in the election.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{
    LeaderElection,
    record::{Seen, Verdict},
};
use crate::cluster::{Cluster, Failure};

/// How often a Lease is looked at until it is renewed, or its time is over.
const EVERY: Duration = Duration::from_millis(500);

/// What a Lease says of who leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// There is no such Lease.
    Absent,
    /// Nobody holds it, or its holder has not renewed it for as long as it says.
    Free,
    /// Its holder renews it.
    By(String),
}

/// Looks at a Lease until it is sure: at once where nobody holds it, at its next renewal where somebody does, and after the duration that it says
/// where its holder is gone. Only the clock of this process counts, as in an election. `waits` is told once for whom it is waited.
pub(crate) async fn held(
    cluster: &Cluster,
    namespace: &str,
    name: &str,
    waits: impl Fn(&str),
) -> Result<Held, Failure> {
    let own = LeaderElection::new().lease_duration;
    let mut seen: Option<Seen> = None;
    loop {
        let is_first = seen.is_none();
        let Some(lease) = cluster.lease(namespace, name).await? else {
            return Ok(Held::Absent);
        };
        let renewed = seen.as_ref().is_some_and(|seen| seen.lease.spec != lease.spec);
        let now = Instant::now();
        let latest = Seen::update(seen.take(), lease, now);
        // Nobody who looks on has an identity.
        let (Verdict::Held(until), Some(holder)) = (latest.verdict("", own, now), latest.holder()) else {
            return Ok(Held::Free);
        };
        if renewed {
            return Ok(Held::By(holder.to_owned()));
        }
        if is_first {
            waits(holder);
        }
        seen = Some(latest);
        sleep(EVERY.min(until - now)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use http::{Request, Response};
    use kube::{Client, client::Body};
    use serde_json::{Value, json};

    use super::*;

    /// What is said of a Lease whose spec is this at each look, the last one for ever (`null`: there is none); how long that took, and how often a
    /// wait was told.
    async fn look(answers: Vec<Value>) -> (Held, Duration, usize) {
        let looks = std::sync::Arc::new(std::sync::Mutex::new(answers.into_iter().rev().collect::<Vec<_>>()));
        let service = tower::service_fn(move |_: Request<Body>| {
            let mut looks = looks.lock().unwrap();
            let spec = if looks.len() > 1 {
                looks.pop().unwrap()
            } else {
                looks[0].clone()
            };
            let (code, body) = match spec {
                spec @ Value::Object(_) => (200, json!({ "metadata": { "name": "n" }, "spec": spec })),
                _ => (
                    404,
                    json!({
                        "kind": "Status", "status": "Failure", "reason": "NotFound", "message": "not found", "code": 404,
                        "details": { "name": "n", "group": "coordination.k8s.io", "kind": "leases" },
                    }),
                ),
            };
            let answer = Response::builder()
                .status(code)
                .body(Body::from(body.to_string().into_bytes()));
            async move { answer.map_err(tower::BoxError::from) }
        });
        let cluster = Cluster::new(Client::new(service, "default"), "test");
        let (start, waits) = (Instant::now(), Cell::new(0));
        let held = held(&cluster, "ns", "n", |_| waits.set(waits.get() + 1)).await.unwrap();
        (held, start.elapsed(), waits.get())
    }

    fn spec(holder: &str, second: u32) -> Value {
        let time = format!("2026-01-01T00:00:{second:02}.000000Z");
        json!({ "holderIdentity": holder, "leaseDurationSeconds": 15, "renewTime": time })
    }

    #[tokio::test(start_paused = true)]
    async fn who_renews_it_leads() {
        let (held, took, waits) = look(vec![spec("a", 0), spec("a", 0), spec("a", 2)]).await;
        assert_eq!((held, waits), (Held::By("a".into()), 1));
        assert_eq!(took, 2 * EVERY);
        // Another one has taken it over meanwhile.
        let (held, ..) = look(vec![spec("a", 0), spec("b", 2)]).await;
        assert_eq!(held, Held::By("b".into()));
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_renew_it_is_gone_after_its_time() {
        // However old it is by its own words.
        let (held, took, waits) = look(vec![spec("a", 0)]).await;
        assert_eq!((held, waits), (Held::Free, 1));
        assert_eq!(took, Duration::from_secs(15));
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_holds_needs_no_wait() {
        assert_eq!(look(vec![Value::Null]).await, (Held::Absent, Duration::ZERO, 0));
        assert_eq!(look(vec![spec("", 0)]).await, (Held::Free, Duration::ZERO, 0));
        let (held, took, _) = look(vec![spec("a", 0), spec("", 1)]).await;
        assert_eq!((held, took), (Held::Free, EVERY), "given up meanwhile");
    }
}
