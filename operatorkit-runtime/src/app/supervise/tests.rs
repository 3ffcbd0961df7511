//! How operators end together, with operators that only wait.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use tokio::time::Instant;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// What a fake operator does.
#[derive(Clone, Copy)]
enum Does {
    /// Stops so long after it is told to.
    Stops(Duration),
    Fails(Duration),
    Panics,
    NeverStops,
}

struct Fake {
    name: &'static str,
    does: Does,
    ended: Arc<Mutex<Vec<&'static str>>>,
}

impl Runnable for Fake {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn kind(&self) -> String {
        "Fake (v1)".to_owned()
    }

    fn formerly(&self) -> &'static [&'static str] {
        &[]
    }

    fn legacy_finalizers(&self) -> &'static [&'static str] {
        &[]
    }

    fn crd(&self) -> Option<CustomResourceDefinition> {
        None
    }

    fn needs(&self) -> anyhow::Result<crate::app::rights::Needs> {
        Ok(crate::app::rights::Needs::default())
    }

    fn release<'a>(
        &self,
        _: kube::Client,
        _: &'a crate::release::Asked,
        _: crate::release::Tell<'a>,
    ) -> futures::future::LocalBoxFuture<'a, anyhow::Result<()>> {
        Box::pin(async { Ok(()) })
    }

    #[cfg(feature = "dev")]
    fn object_kind(&self) -> crate::cluster::Kind {
        crate::cluster::Kind::of::<CustomResourceDefinition>()
    }

    #[cfg(feature = "dev")]
    fn graph(&self) -> Vec<(&'static str, [usize; 2])> {
        Vec::new()
    }

    fn run(
        self: Box<Self>,
        _: Env,
        _: RunSettings,
        shutdown: CancellationToken,
    ) -> BoxFuture<'static, anyhow::Result<()>> {
        Box::pin(async move {
            match self.does {
                Does::Stops(after) => {
                    shutdown.cancelled().await;
                    sleep(after).await;
                }
                Does::Fails(after) => {
                    sleep(after).await;
                    self.ended.lock().unwrap().push(self.name);
                    anyhow::bail!("the reason of {}", self.name);
                }
                Does::Panics => panic!("oh no"),
                Does::NeverStops => std::future::pending().await,
            }
            self.ended.lock().unwrap().push(self.name);
            Ok(())
        })
    }
}

struct Ended {
    result: anyhow::Result<()>,
    order: Vec<&'static str>,
    took: Duration,
}

impl Ended {
    fn error(&self) -> String {
        format!("{:#}", self.result.as_ref().unwrap_err())
    }
}

async fn run(operators: &[(&'static str, Does)], stop_after: Duration) -> Ended {
    let ended = Arc::new(Mutex::new(Vec::new()));
    let operators = operators.iter().map(|(name, does)| {
        Box::new(Fake {
            name,
            does: *does,
            ended: ended.clone(),
        }) as Box<dyn Runnable>
    });
    let service =
        tower::service_fn(async |_| Err::<http::Response<kube::client::Body>, _>(tower::BoxError::from("nobody asks")));
    let env = Env::new(kube::Client::new(service, "default"), "test", &[]);
    let shutdown = CancellationToken::new();
    let stop = async {
        sleep(stop_after).await;
        shutdown.cancel();
        std::future::pending::<()>().await;
    };
    let start = Instant::now();
    let settings = RunSettings {
        shutdown_timeout: 10 * SECOND,
        ..RunSettings::default()
    };
    let result = tokio::select! {
        result = run_all(operators.collect(), &env, &settings, &shutdown) => result,
        () = stop => unreachable!(),
    };
    let order = ended.lock().unwrap().clone();
    Ended {
        result,
        order,
        took: start.elapsed(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_all() {
    let ended = run(
        &[("a", Does::Stops(3 * SECOND)), ("b", Does::Stops(SECOND))],
        5 * SECOND,
    )
    .await;
    ended.result.unwrap();
    assert_eq!(ended.order, ["b", "a"]);
    assert!(ended.took >= 8 * SECOND && ended.took < 9 * SECOND, "{:?}", ended.took);
}

#[tokio::test(start_paused = true)]
async fn a_failure_stops_the_others_first() {
    let ended = run(
        &[("a", Does::Stops(SECOND)), ("b", Does::Fails(2 * SECOND))],
        1000 * SECOND,
    )
    .await;
    assert_eq!(ended.error(), "operator `b`: the reason of b");
    assert_eq!(ended.order, ["b", "a"]);
    assert!(ended.took < 4 * SECOND, "{:?}", ended.took);
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_counts() {
    let ended = run(
        &[("a", Does::Fails(2 * SECOND)), ("b", Does::Fails(SECOND))],
        1000 * SECOND,
    )
    .await;
    assert_eq!(ended.error(), "operator `b`: the reason of b");
    assert_eq!(ended.order, ["b", "a"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failure() {
    let ended = run(
        &[("a", Does::Panics), ("b", Does::Stops(Duration::ZERO))],
        1000 * SECOND,
    )
    .await;
    assert_eq!(ended.error(), "operator `a`: panicked: oh no");
    assert_eq!(ended.order, ["b"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_never_stops_is_named_and_dropped() {
    let ended = run(&[("a", Does::NeverStops), ("b", Does::Stops(SECOND))], SECOND).await;
    assert_eq!(ended.error(), "operator `a` did not stop within 10s: dropped as it was");
    assert!(ended.took < 20 * SECOND, "{:?}", ended.took);
}
