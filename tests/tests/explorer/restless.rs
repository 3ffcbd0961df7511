//! An operator that makes a child of another name in each pass.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use operatorkit::{k8s_openapi::api::core::v1::ConfigMap, kube::CustomResourceExt as _, prelude::*};
use operatorkit_testing::explorer::{Explorer, Scenario, Subject};

#[operator(group = "restless.test", version = "v1", kind = "Whim", namespaced, resources(Fancy))]
pub(crate) struct WhimSpec {}

#[resource]
pub(crate) struct Fancy(Arc<AtomicU32>);

impl Manifest for Fancy {
    type Operator = Whim;
    type Object = ConfigMap;

    async fn desired(&self, _whim: &Whim, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let mut fancy = ConfigMap::default();
        fancy.metadata.name = Some(cx.child_name(&number.to_string()));
        Ok(fancy.into())
    }
}

#[test]
fn what_never_comes_to_rest_is_told_though_the_clock_stands_still() {
    let subject = || {
        let number = Arc::<AtomicU32>::default();
        Subject::app(move || {
            let number = number.clone();
            App::new("whims").operator(|_env| async { Ok(WhimResources { fancy: Fancy(number) }) })
        })
    };
    let life = Scenario::new("whims", subject)
        .crd(Whim::crd())
        .create(&Whim::new("x", WhimSpec {}));
    let report = Explorer::new(life).run();
    assert_eq!(
        report.broken_rules().into_iter().collect::<Vec<_>>(),
        ["all is quiet after convergence"],
        "{report}"
    );
    let told = report.to_string();
    assert!(
        told.contains("The shortest run that fails: nothing goes wrong"),
        "{told}"
    );
    assert!(told.contains("times until") && told.lines().count() < 60, "{told}");
}
