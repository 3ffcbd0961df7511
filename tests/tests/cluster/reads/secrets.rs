//! The bodies of Secrets that are read are nowhere to be seen.

use std::borrow::Cow;

use operatorkit::{
    k8s_openapi::{NamespaceResourceScope, api::core::v1::Secret, apimachinery::pkg::apis::meta::v1::ObjectMeta},
    kube::Resource,
    prelude::*,
    serde_json::{json, to_value},
};

use crate::{logs::Logs, scene::Scene};

/// Reads a Secret whole, and as something that it is not.
#[operator(
    group = "reads.test",
    version = "v1",
    kind = "Spy",
    namespaced,
    resources(Plain, Odd)
)]
pub(crate) struct SpySpec {}

#[resource(reads(Secret))]
pub(crate) struct Plain;

impl Step for Plain {
    type Operator = Spy;
    type Output = ();
    async fn ensure_created(&self, _spy: &Spy, cx: &Cx<Self>) -> Result<Flow<()>> {
        let one = cx.read_required::<Secret>("key").await?;
        let all = cx.list::<Secret>(operatorkit::kube::core::Selector::default()).await?;
        assert_eq!(one.data.as_ref().expect("data")["password"].0, VALUE.as_bytes());
        assert!(all.iter().any(|secret| secret.name_any() == "key"));
        Ok(().into())
    }
}

/// A Secret whose data are numbers, which they never are.
#[data]
pub(crate) struct Numbers {
    metadata: ObjectMeta,
    data: std::collections::BTreeMap<String, u32>,
}

impl Resource for Numbers {
    type DynamicType = ();
    type Scope = NamespaceResourceScope;
    fn kind((): &()) -> Cow<'_, str> {
        "Secret".into()
    }
    fn group((): &()) -> Cow<'_, str> {
        "".into()
    }
    fn version((): &()) -> Cow<'_, str> {
        "v1".into()
    }
    fn plural((): &()) -> Cow<'_, str> {
        "secrets".into()
    }
    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[resource(reads(Numbers))]
pub(crate) struct Odd;

impl Step for Odd {
    type Operator = Spy;
    type Output = ();
    async fn ensure_created(&self, _spy: &Spy, cx: &Cx<Self>) -> Result<Flow<()>> {
        let _never = cx.read::<Numbers>("key").await?;
        Ok(().into())
    }
}

/// What must not be seen. In base64 it is `aHVudGVyMi1ub2JvZHk=`.
const VALUE: &str = "hunter2-nobody";
const ENCODED: &str = "aHVudGVyMi1ub2JvZHk";

fn assert_hidden(what: &str, text: &str) {
    let found = text.lines().find(|line| line.contains(VALUE) || line.contains(ENCODED));
    assert!(found.is_none(), "{what} shows the value: {}", found.unwrap_or_default());
}

#[tokio::test(start_paused = true)]
async fn the_values_of_a_secret_that_is_read_are_not_shown() {
    let scene = Scene::alone("reads-hidden").await;
    scene.install::<Spy>().await;
    let logs = Logs::capture();
    let app = App::new("spy").operator(|_env| async { Ok(SpyResources { plain: Plain, odd: Odd }) });
    let running = scene.start(app);
    let secret = json!({ "metadata": { "name": "key" }, "stringData": { "password": VALUE } });
    scene
        .create(&operatorkit::serde_json::from_value::<Secret>(secret).expect("a Secret"))
        .await;
    scene.create(&Spy::new("x", SpySpec {})).await;
    let spy: Spy = scene.condition("x", "Ready", "False", "DecodeFailed").await;
    let spy = to_value(spy).expect("JSON");
    let message = crate::scene::condition(&spy, "Ready")["message"].to_string();
    assert!(
        message.contains("odd: cannot read Secret") && message.contains("does not decode"),
        "{message}"
    );
    assert_eq!(crate::scene::line(&spy, "plain")["phase"], "Ready", "{spy:#}");
    assert_hidden("the status", &spy.to_string());
    assert_hidden("an Event", &json!(scene.events("x").await).to_string());
    running.stop().await;
    let log = logs.text();
    assert!(log.contains("TRACE") && log.contains("does not decode"), "{log}");
    assert_hidden("the log", &log);
}
