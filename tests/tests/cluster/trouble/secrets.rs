//! The values of a Secret are nowhere to be read, also not where the API server quotes them.

use operatorkit::{
    k8s_openapi::api::core::v1::Secret,
    kube::core::DynamicObject,
    prelude::*,
    serde_json::{Value, from_value, json, to_value},
};
use operatorkit_testing::PATIENCE;

use crate::{logs::Logs, scene::Scene};

/// Makes the Secret that its name says.
#[operator(group = "trouble.test", version = "v1", kind = "Keeper", namespaced, resources(Kept))]
pub(crate) struct KeeperSpec {}

#[resource]
pub(crate) struct Kept;

/// What must not be seen. In base64 it is `aHVudGVyMi1ub2JvZHk=`.
const VALUE: &str = "hunter2-nobody";
const ENCODED: &str = "aHVudGVyMi1ub2JvZHk";

impl Manifest for Kept {
    type Operator = Keeper;
    type Object = DynamicObject;
    async fn desired(&self, _object: &Keeper, cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let name = cx.name();
        let mut secret = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": name } });
        match name {
            "well" => secret["stringData"] = json!({ "password": VALUE }),
            // An error whose text has the whole map.
            "schema" => secret["data"] = json!({ "password": { "inner": VALUE } }),
            "map" => secret["data"] = json!([VALUE]),
            "base64" => secret["data"] = json!({ "password": VALUE }),
            "label" => secret["metadata"]["labels"] = json!({ "password": format!("{VALUE} {VALUE}") }),
            "key" => secret["stringData"] = json!({ (format!("{VALUE}/{VALUE}")): VALUE }),
            "typo" => secret["datas"] = json!({ "password": VALUE }),
            "type" => {
                secret["type"] = "kubernetes.io/dockerconfigjson".into();
                secret["stringData"] = json!({ ".dockerconfigjson": VALUE });
            }
            other => operatorkit::anyhow::bail!("no Secret {other}"),
        }
        Ok(from_value::<DynamicObject>(secret)?.into())
    }
}

const REFUSED: [&str; 7] = ["schema", "map", "base64", "label", "key", "typo", "type"];

fn assert_hidden(what: &str, text: &str) {
    let found = text.lines().find(|line| line.contains(VALUE) || line.contains(ENCODED));
    assert!(found.is_none(), "{what} shows the value: {}", found.unwrap_or_default());
}

#[tokio::test(start_paused = true)]
async fn the_values_of_a_secret_are_not_shown() {
    let scene = Scene::alone("secrets").await;
    scene.install::<Keeper>().await;
    let logs = Logs::capture();
    let running = scene.start(App::new("keeper").operator(|_env| async { Ok(KeeperResources { kept: Kept }) }));
    for name in REFUSED.iter().chain(&["well"]) {
        scene.create(&Keeper::new(name, KeeperSpec {})).await;
    }
    let _ready: Keeper = scene.ready("well").await;
    let made: Secret = scene.api().get("well").await.expect("it is made");
    assert_eq!(
        to_value(&made).expect("JSON")["data"]["password"],
        format!("{ENCODED}=")
    );
    for name in REFUSED {
        let object = operatorkit_testing::eventually(&scene.api::<Keeper>(), name, "is refused", PATIENCE, |object| {
            let ready = crate::scene::condition(&to_value(object).expect("JSON"), "Ready");
            ready["status"] == "False" && ready["reason"] != "WatchNotReady"
        })
        .await;
        let object = to_value(object).expect("JSON");
        let ready = crate::scene::condition(&object, "Ready");
        assert!(
            ["Invalid", "NotInSchema", "BadRequest"]
                .iter()
                .any(|reason| ready["reason"] == *reason),
            "{name}: {ready:#}"
        );
        assert!(ready["message"].to_string().contains("Secret"), "{ready:#}");
        assert_hidden("the status", &object["status"].to_string());
    }
    // An own write, a change by another, and a removal pass through the log, too.
    let _changed: Secret = scene
        .patch("well", json!({ "stringData": { "password": "other" } }))
        .await;
    let _put_right =
        operatorkit_testing::eventually(&scene.api::<Secret>(), "well", "is put right", PATIENCE, |secret| {
            to_value(secret).expect("JSON")["data"]["password"] == format!("{ENCODED}=")
        })
        .await;
    scene.delete::<Keeper>("well").await;
    operatorkit_testing::eventually_gone(&scene.api::<Keeper>(), "well", PATIENCE).await;
    running.stop().await;

    let mut events = Vec::new();
    for name in REFUSED {
        let of_object: Vec<Value> = scene.events(name).await;
        assert!(!of_object.is_empty(), "an Event about {name}");
        events.extend(of_object);
    }
    assert_hidden("an Event", &json!(events).to_string());
    let log = logs.text();
    assert!(log.contains("withheld") && log.contains("TRACE"), "{log}");
    assert_hidden("the log", &log);
}
