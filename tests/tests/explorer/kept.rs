//! An operator that deletes what it should leave behind.

use std::sync::Arc;

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{Api, CustomResourceExt as _, ResourceExt as _, api::DeleteParams},
    prelude::*,
};
use operatorkit_testing::explorer::{Cloud, Explorer, Scenario, Subject};

#[operator(
    group = "kept.test",
    version = "v1",
    kind = "Attic",
    namespaced,
    resources(Chest, Loft, Fire)
)]
pub(crate) struct AtticSpec {}

#[resource(order = 1, delete_order = 2, on_delete = "keep")]
pub(crate) struct Chest;

impl Manifest for Chest {
    type Operator = Attic;
    type Object = ConfigMap;

    async fn desired(&self, _attic: &Attic, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let mut chest = ConfigMap::default();
        chest.metadata.name = Some(cx.child_name("chest"));
        Ok(chest.into())
    }
}

#[resource(order = 1, delete_order = 2, on_delete = "keep")]
pub(crate) struct Loft(Arc<Cloud>);

impl External for Loft {
    type Operator = Attic;
    type State = String;

    async fn find(&self, token: &Token, _cx: &DeleteCx<Self>) -> Result<Option<String>> {
        Ok(self.0.find("loft", token.as_str()))
    }

    async fn observe(&self, _attic: &Attic, loft: &String, _cx: &Cx<Self>) -> Result<Flow<Observed<String>>> {
        let observed = match self.0.read(loft) {
            Some(_) => Observed::Matches(loft.clone()),
            None => Observed::Absent,
        };
        Ok(observed.into())
    }

    async fn create(&self, attic: &Attic, token: &Token, _cx: &Cx<Self>) -> Result<Flow<String>> {
        let name = attic.name_any().into();
        Ok(self.0.create("loft", token.as_str(), name).into())
    }

    async fn update(&self, _attic: &Attic, loft: &String, _cx: &Cx<Self>) -> Result<Flow<String>> {
        Ok(loft.clone().into())
    }

    async fn delete(&self, loft: &String, _cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        self.0.delete(loft);
        Ok(().into())
    }
}

/// Before anything can be left behind it deletes one of them, past the resource that has made it.
#[resource(order = 2, delete_order = 1)]
pub(crate) struct Fire(Arc<Cloud>, &'static str);

impl Step for Fire {
    type Operator = Attic;
    type Output = ();

    async fn ensure_created(&self, _attic: &Attic, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }

    async fn ensure_deleted(&self, cx: &DeleteCx<Self>) -> Result<Flow<()>> {
        if self.1 == "loft" {
            self.0.delete("loft-1");
        }
        if self.1 == "chest" {
            let chests: Api<ConfigMap> = Api::default_namespaced(cx.client());
            let _gone_already = chests.delete("x-chest", &DeleteParams::default()).await;
        }
        Ok(().into())
    }
}

/// The first rule that is broken where this burns, and what was seen.
fn broken(burns: &'static str) -> Option<String> {
    let subject = move || {
        let cloud = Arc::new(Cloud::default());
        let outside = cloud.clone();
        let app = move || {
            let cloud = cloud.clone();
            App::new("attics").operator(move |_env| async move {
                Ok(AtticResources {
                    chest: Chest,
                    loft: Loft(cloud.clone()),
                    fire: Fire(cloud, burns),
                })
            })
        };
        Subject::app(app).outside(outside)
    };
    let life = Scenario::new("attics", subject)
        .crd(Attic::crd())
        .create(&Attic::new("x", AtticSpec {}))
        .delete::<Attic>("x");
    let report = Explorer::new(life).at_most(0).run();
    let violations = report.failures.first().map(|failure| &failure.violations);
    violations.map(|all| all.first().expect("a rule").to_string())
}

#[test]
fn what_is_kept_is_not_deleted() {
    let seen = ["nothing", "chest", "loft"].map(broken);
    let rule = |seen: &str| Some(format!("what is kept is not deleted: {seen} is deleted"));
    assert_eq!(seen, [None, rule("configmaps default/x-chest"), rule("loft-1")]);
}
