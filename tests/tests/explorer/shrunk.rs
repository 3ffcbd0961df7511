//! Operators that do not survive it when writes fail: of two things that go wrong, the report tells what suffices, and no more.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        self, Api, CustomResourceExt as _, ResourceExt as _,
        api::{Patch, PatchParams},
    },
    prelude::*,
    serde_json::json,
};
use operatorkit_testing::explorer::{Disturbance, Explorer, Failure, Report, Scenario, Subject};
use tokio::time::timeout;

#[operator(group = "shrunk.test", version = "v1", kind = "Nest", namespaced, resources(Eggs))]
pub(crate) struct NestSpec {}

/// ConfigMaps that are no longer made once the writes of so many of them have failed, be it in an earlier life.
#[resource]
pub(crate) struct Eggs {
    patience: usize,
    failed: Arc<Mutex<BTreeSet<String>>>,
}

impl Step for Eggs {
    type Operator = Nest;
    type Output = ();

    async fn ensure_created(&self, nest: &Nest, cx: &Cx<Self>) -> Result<Flow<()>> {
        let maps: Api<ConfigMap> = Api::default_namespaced(cx.client());
        for egg in 1..=6 {
            let name = format!("{}-{egg}", nest.name_any());
            let gives_up = || self.failed.lock().expect("not poisoned").len() >= self.patience;
            if answered(maps.get_opt(&name)).await?.is_some() || gives_up() {
                continue;
            }
            let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
            let params = PatchParams::apply("nests");
            if let Err(error) = answered(maps.patch(&name, &params, &Patch::Apply(map))).await {
                self.failed.lock().expect("not poisoned").insert(name);
                return Err(error);
            }
        }
        Ok(().into())
    }
}

/// The answer to a request, if there is one.
async fn answered<T>(request: impl Future<Output = kube::Result<T>>) -> Result<T> {
    Ok(timeout(Duration::from_secs(30), request).await??)
}

/// Explores pairs only; one by one all that can go wrong goes wrong in a long run.
fn explored(patience: usize, pairs: usize) -> Report {
    let subject = move || {
        let failed = Arc::<Mutex<BTreeSet<String>>>::default();
        Subject::app(move || {
            let failed = failed.clone();
            App::new("nests").operator(move |_env| async move {
                Ok(NestResources {
                    eggs: Eggs { patience, failed },
                })
            })
        })
    };
    let life = Scenario::new("nests", subject)
        .crd(Nest::crd())
        .create(&Nest::new("x", NestSpec {}));
    Explorer::new(life).at_most(0).pairs(pairs).run()
}

/// At which ConfigMaps it went wrong.
fn eggs(failure: &Failure) -> BTreeSet<&str> {
    let points = failure.plan.0.iter().filter_map(|disturbance| match disturbance {
        Disturbance::At(point, _) => point.what.strip_prefix("patch configmaps default/"),
        _ => None,
    });
    points.collect()
}

#[test]
fn where_one_of_a_pair_suffices_only_that_one_is_told() {
    let report = explored(1, 60);
    assert!(!report.failures.is_empty(), "{report}");
    for failure in &report.failures {
        assert_eq!((failure.plan.0.len(), eggs(failure).len()), (1, 1), "{failure}");
        assert!(failure.seed.contains(eggs(failure).first().expect("one")), "{failure}");
    }
}

#[test]
fn where_only_both_of_a_pair_suffice_both_are_told() {
    let report = explored(2, 200);
    assert!(!report.failures.is_empty(), "{report}");
    for failure in &report.failures {
        assert_eq!((failure.plan.0.len(), eggs(failure).len()), (2, 2), "{failure}");
        assert!(eggs(failure).iter().all(|egg| failure.seed.contains(egg)), "{failure}");
    }
}
