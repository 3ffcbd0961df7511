//! A child with many parts is the same in each process.

use std::{collections::BTreeSet, env, process::Command, time::Duration};

use operatorkit::{
    RunSettings, SinglePasses,
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    kube::{Api, Client, api::PostParams},
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::{
    PATIENCE,
    apiserver::{ApiServer, access::User},
    eventually,
};

use crate::scene::Scene;

/// Makes a Deployment whose environment is what a ConfigMap holds.
#[operator(for = ConfigMap, name = "orders.failures.test", selector = "failures.test/orders=true", resources(Program))]
pub(crate) struct Orders;

#[resource]
pub(crate) struct Program;

impl Manifest for Program {
    type Operator = Orders;
    type Object = Deployment;
    async fn desired(&self, settings: &ConfigMap, cx: &Cx<Self>) -> Result<Desired<Deployment>> {
        let data = settings.data.iter().flatten();
        let variables: Vec<Value> = data
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        let labels = json!({ "app": cx.name() });
        let container = json!({ "name": "main", "image": "x:1", "env": variables });
        let program = json!({
            "metadata": { "name": cx.child_name("program") },
            "spec": {
                "replicas": 0, "selector": { "matchLabels": labels },
                "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
            },
        });
        Ok(from_value::<Deployment>(program)?.into())
    }
}

fn settings() -> ConfigMap {
    let data: std::collections::HashMap<_, _> = (0..20).map(|it| (format!("KEY_{it}"), it.to_string())).collect();
    let settings = json!({ "metadata": { "name": "x", "labels": { "failures.test/orders": "true" } }, "data": data });
    from_value(settings).expect("a ConfigMap")
}

/// Has the test print the child, in a process of its own.
const PRINT: &str = "OPERATORKIT_TEST_PRINTS_A_CHILD";
const PRINTED: &str = "the child: ";

/// The child that a pass makes, on a server of its own; without the times at which that was.
async fn made() -> Value {
    let server = ApiServer::builder().seed(1).start();
    let client = Client::new(server.service_as(User::admin()), "default");
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    maps.create(&PostParams::default(), &settings()).await.expect("created");
    let resources = OrdersResources { program: Program };
    let settings = RunSettings::default();
    let mut passes = SinglePasses::<Orders>::new(resources, client.clone(), &settings).expect("an operator");
    passes.run("default", "x").await.expect("a pass");
    passes.stop().await;
    let programs: Api<Deployment> = Api::default_namespaced(client);
    let mut program = programs.get("x-program").await.expect("it was made");
    program.metadata.managed_fields = None;
    program.metadata.creation_timestamp = None;
    to_value(program).expect("JSON")
}

#[tokio::test]
async fn fifty_processes_make_the_same_child() {
    if env::var_os(PRINT).is_some() {
        println!("\n{PRINTED}{}", made().await);
        return;
    }
    let this = env::current_exe().expect("a path");
    let print = || {
        let mut command = Command::new(&this);
        command.args([
            "--exact",
            "failures::orders::fifty_processes_make_the_same_child",
            "--nocapture",
        ]);
        let output = command.env(PRINT, "1").output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let child = text.lines().find_map(|line| line.strip_prefix(PRINTED));
        child.unwrap_or_else(|| panic!("no child: {text}")).to_owned()
    };
    let different: BTreeSet<String> = (0..50).map(|_| print()).collect();
    assert_eq!(different.len(), 1, "{different:#?}");
    assert!(different.iter().all(|child| child.contains("operatorkit.dev/hash")));
}

#[tokio::test(start_paused = true)]
async fn five_restarts_change_nothing() {
    let scene = Scene::alone("orders").await;
    scene.create(&settings()).await;
    let app = || App::new("orders").operator(|_env| async { Ok(OrdersResources { program: Program }) });
    let running = scene.start(app());
    let ready = |it: &Deployment| {
        it.status
            .as_ref()
            .is_some_and(|status| status.observed_generation.is_some())
    };
    eventually(&scene.api::<Deployment>(), "x-program", "is observed", PATIENCE, ready).await;
    // Whatever is still to come of it has come.
    tokio::time::sleep(Duration::from_mins(10)).await;
    running.stop().await;
    let mark = scene.mark().await;
    for _ in 0..5 {
        let running = scene.start(app());
        // Longer than a resync, by the paused clock.
        tokio::time::sleep(Duration::from_mins(10)).await;
        running.stop().await;
    }
    let written = scene
        .requests(mark)
        .await
        .filter(|it| !["get", "list"].contains(&&*it.verb));
    assert!(written.is_empty(), "{written}");
}
