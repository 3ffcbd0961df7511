//! A cluster-scoped kind with children in several namespaces.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use operatorkit::{
    RunSettings,
    anyhow::ensure,
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api,
        api::{DeleteParams, Patch, PatchParams, PostParams},
    },
    prelude::*,
    serde_json::{json, to_value},
};
use operatorkit_testing::{PATIENCE, eventually, eventually_gone, wait_for};

use crate::scene::{Scene, condition, config_map};

#[operator(group = "scopes.test", version = "v1", kind = "Tenant", resources(Rooms, Concierge))]
pub(crate) struct TenantSpec {
    namespaces: Vec<String>,
}

#[resource(namespaces = any)]
pub(crate) struct Rooms;

impl Manifest for Rooms {
    type Operator = Tenant;
    type Object = ConfigMap;
    async fn desired(&self, tenant: &Tenant, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        let room = |namespace: &String| {
            let mut room = config_map(cx.name(), json!({ "key": "1" }))?;
            room.metadata.namespace = Some(namespace.clone());
            Ok(room)
        };
        Ok(tenant
            .spec
            .namespaces
            .iter()
            .map(room)
            .collect::<Result<Vec<_>>>()?
            .into())
    }
}

/// How many passes there were, and the most at once.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

/// Takes its time in each pass, so that another one would meet it.
#[resource]
pub(crate) struct Concierge(Arc<Passes>);

impl Step for Concierge {
    type Operator = Tenant;
    type Output = ();
    async fn ensure_created(&self, _tenant: &Tenant, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.most.fetch_max(self.0.now.fetch_add(1, SeqCst) + 1, SeqCst);
        tokio::time::sleep(Duration::from_millis(30)).await;
        self.0.now.fetch_sub(1, SeqCst);
        self.0.all.fetch_add(1, SeqCst);
        Ok(().into())
    }
}

#[tokio::test(start_paused = true)]
async fn its_passes_never_meet_whichever_child_brings_them() {
    let scene = Scene::alone("scopes-tenant").await;
    scene.install::<Tenant>().await;
    let other = scene.cluster.namespace("scopes-tenant").await;
    let namespaces = [scene.namespace.clone(), other];
    let passes = Arc::<Passes>::default();
    let counted = passes.clone();
    let app = App::new("tenants").operator(|_env| async {
        Ok(TenantResources {
            rooms: Rooms,
            concierge: Concierge(counted),
        })
    });
    let settings = RunSettings {
        namespaces: namespaces.to_vec(),
        ..RunSettings::default()
    };
    let running = scene.start_with(app, settings);

    let tenants: Api<Tenant> = Api::all(scene.client.clone());
    let tenant = Tenant::new(
        "scopes-tenant",
        TenantSpec {
            namespaces: namespaces.to_vec(),
        },
    );
    tenants.create(&PostParams::default(), &tenant).await.expect("created");
    let name = tenant.name_any();
    let is_ready = |object: &Tenant| condition(&to_value(object).expect("JSON"), "Ready")["status"] == "True";
    eventually(&tenants, &name, "is ready", PATIENCE, is_ready).await;

    for value in 0..10 {
        for namespace in &namespaces {
            let rooms: Api<ConfigMap> = Api::namespaced(scene.client.clone(), namespace);
            let drift = Patch::Merge(json!({ "data": { "key": format!("drift {value}") } }));
            rooms
                .patch(&name, &PatchParams::default(), &drift)
                .await
                .expect("patched");
        }
        let label = Patch::Merge(json!({ "metadata": { "labels": { "value": value.to_string() } } }));
        tenants
            .patch(&name, &PatchParams::default(), &label)
            .await
            .expect("patched");
        let before = passes.all.load(SeqCst);
        wait_for("there was a pass", PATIENCE, async || {
            ensure!(passes.all.load(SeqCst) > before);
            Ok(())
        })
        .await;
    }
    for namespace in &namespaces {
        let rooms: Api<ConfigMap> = Api::namespaced(scene.client.clone(), namespace);
        eventually(&rooms, &name, "is put right", PATIENCE, |room| {
            room.data.as_ref().is_some_and(|data| data["key"] == "1")
        })
        .await;
    }
    assert_eq!(passes.most.load(SeqCst), 1);

    tenants.delete(&name, &DeleteParams::default()).await.expect("deleted");
    eventually_gone(&tenants, &name, PATIENCE).await;
    for namespace in &namespaces {
        let rooms: Api<ConfigMap> = Api::namespaced(scene.client.clone(), namespace);
        assert_eq!(rooms.get_opt(&name).await.expect("an answer"), None);
    }
    running.stop().await;
}
