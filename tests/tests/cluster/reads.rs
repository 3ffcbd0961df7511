//! Tracked reads: what a resource reads beside its children, who runs again for it, and what it costs.

mod costs;
mod lists;
mod places;
mod secrets;
mod trouble;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use operatorkit::{
    Trigger, Triggers,
    anyhow::ensure,
    k8s_openapi::api::core::v1::{Namespace, Secret},
    kube::core::Selector,
    prelude::*,
    serde_json::{from_value, json},
};
use operatorkit_testing::{PATIENCE, wait_for};

use crate::scene::{Running, Scene};

/// Reads what its spec says.
#[operator(
    group = "reads.test",
    version = "v1",
    kind = "Reader",
    namespaced,
    resources(Look, Wish)
)]
#[derive(Default)]
pub(crate) struct ReaderSpec {
    /// Secrets by name; `namespace/name` is one elsewhere.
    #[serde(default)]
    secrets: Vec<String>,
    /// Secrets by the value of the label `app`.
    #[serde(default)]
    app: Option<String>,
    /// A Secret that has to be there.
    #[serde(default)]
    required: Option<String>,
    /// A namespace, to read its labels.
    #[serde(default)]
    region: Option<String>,
    /// An object of a kind that may not be served.
    #[serde(default)]
    later: Option<String>,
    /// Nothing is read at all.
    #[serde(default)]
    blind: bool,
}

/// Of a kind that is installed late.
#[operator(group = "reads.test", version = "v1", kind = "Later", namespaced, resources(Nothing))]
pub(crate) struct LaterSpec {
    text: String,
}

#[resource]
pub(crate) struct Nothing;

impl Step for Nothing {
    type Operator = Later;
    type Output = ();
    async fn ensure_created(&self, _later: &Later, _cx: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

/// One pass: what was read, and why it ran.
#[derive(Clone, Debug)]
struct Pass {
    saw: String,
    triggers: Triggers,
}

/// The passes of each object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passes(Arc<Mutex<BTreeMap<String, Vec<Pass>>>>);

impl Passes {
    fn of(&self, object: &str) -> Vec<Pass> {
        let all = self.0.lock().expect("no panic");
        all.get(object).cloned().unwrap_or_default()
    }

    fn count(&self, object: &str) -> usize {
        self.of(object).len()
    }

    /// Waits until the last pass of an object has seen this.
    async fn sees(&self, object: &str, what: &str) {
        wait_for(&format!("{object} sees {what:?}"), PATIENCE, async || {
            let passes = self.of(object);
            ensure!(passes.last().is_some_and(|pass| pass.saw == what), "{passes:?}");
            Ok(())
        })
        .await;
    }
}

/// Reads, and says what it saw: `name=value` for a Secret, `name-` for one that is not there.
#[resource(reads(Secret, any_namespace), reads(Namespace, any_namespace), reads(Later))]
pub(crate) struct Look(Passes);

impl Step for Look {
    type Operator = Reader;
    type Output = ();
    async fn ensure_created(&self, reader: &Reader, cx: &Cx<Self>) -> Result<Flow<()>> {
        let mut saw = Vec::new();
        let spec = &reader.spec;
        for name in spec.secrets.iter().filter(|_| !spec.blind) {
            let secret = match name.split_once('/') {
                Some((namespace, name)) => cx.read_in::<Secret>(namespace, name).await?,
                None => cx.read::<Secret>(name).await?,
            };
            saw.push(secret.map_or(format!("{name}-"), |secret| shown(&secret)));
        }
        if let Some(app) = &spec.app {
            let app = Selector::from_iter([("app".to_owned(), app.clone())]);
            saw.extend(cx.list::<Secret>(app).await?.iter().map(|secret| shown(secret)));
        }
        if let Some(name) = &spec.region {
            let namespace = cx.read::<Namespace>(name).await?;
            let region = namespace.and_then(|namespace| namespace.labels().get("region").cloned());
            saw.push(format!("region {}", region.unwrap_or_default()));
        }
        if let Some(name) = &spec.later {
            let later = cx.read::<Later>(name).await?;
            saw.push(later.map_or(format!("{name}-"), |later| later.spec.text.clone()));
        }
        let pass = Pass {
            saw: saw.join(" "),
            triggers: cx.triggers(),
        };
        let mut passes = self.0.0.lock().expect("no panic");
        passes.entry(cx.name().to_owned()).or_default().push(pass);
        Ok(().into())
    }
}

fn shown(secret: &Secret) -> String {
    let value = secret.data.iter().flatten().map(|(_, value)| value.0.clone()).next();
    let value = String::from_utf8(value.unwrap_or_default()).expect("UTF-8");
    format!("{}={value}", secret.name_any())
}

/// Waits for a Secret that has to be there.
#[resource(reads(Secret))]
pub(crate) struct Wish;

impl Step for Wish {
    type Operator = Reader;
    type Output = ();
    async fn ensure_created(&self, reader: &Reader, cx: &Cx<Self>) -> Result<Flow<()>> {
        if let Some(name) = &reader.spec.required {
            let _secret = cx.read_required::<Secret>(name).await?;
        }
        Ok(().into())
    }
}

/// A virtual time in which everything that is due happens, and no resync.
const QUIET: Duration = Duration::from_mins(1);

async fn quiet() {
    tokio::time::sleep(QUIET).await;
}

fn app(passes: &Passes) -> App {
    let passes = passes.clone();
    App::new("reader").operator(|_env| async {
        Ok(ReaderResources {
            look: Look(passes),
            wish: Wish,
        })
    })
}

/// A server with the kind, and an operator that is limited to the scene's namespace.
async fn started(name: &'static str) -> (Scene, Passes, Running) {
    let scene = Scene::alone(name).await;
    scene.install::<Reader>().await;
    let passes = Passes::default();
    let running = scene.start(app(&passes));
    (scene, passes, running)
}

fn secret(name: &str, value: &str) -> Secret {
    let labels = json!({ "app": value });
    from_value(json!({ "metadata": { "name": name, "labels": labels }, "stringData": { "value": value } }))
        .expect("a Secret")
}

impl Scene {
    async fn reader(&self, name: &str, spec: ReaderSpec) {
        self.create(&Reader::new(name, spec)).await;
    }

    /// A reader of these Secrets.
    async fn reads(&self, name: &str, secrets: &[&str]) {
        let secrets = secrets.iter().map(|&secret| secret.to_owned()).collect();
        let spec = ReaderSpec {
            secrets,
            ..ReaderSpec::default()
        };
        self.reader(name, spec).await;
    }

    async fn change(&self, name: &str, value: &str) {
        let _changed: Secret = self.patch(name, json!({ "stringData": { "value": value } })).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_secret_that_three_of_five_read_runs_exactly_these_three() {
    let (scene, passes, running) = started("reads-three").await;
    scene.create(&secret("key", "1")).await;
    scene.create(&secret("other", "1")).await;
    for name in ["a", "b", "c"] {
        scene.reads(name, &["key"]).await;
    }
    scene.reads("d", &["other"]).await;
    scene.reads("e", &[]).await;
    for (name, saw) in [
        ("a", "key=1"),
        ("b", "key=1"),
        ("c", "key=1"),
        ("d", "other=1"),
        ("e", ""),
    ] {
        passes.sees(name, saw).await;
    }
    quiet().await;
    let names = ["a", "b", "c", "d", "e"];
    let before = names.map(|name| passes.count(name));
    let start = scene.mark().await;
    scene.change("key", "2").await;
    for name in ["a", "b", "c"] {
        passes.sees(name, "key=2").await;
        let pass = passes.of(name).pop().expect("a pass");
        assert_eq!(pass.triggers, Trigger::ReadChanged.into(), "{pass:?}");
    }
    quiet().await;
    let after = names.map(|name| passes.count(name));
    assert_eq!(
        after,
        [before[0] + 1, before[1] + 1, before[2] + 1, before[3], before[4]]
    );
    // Its new version was fetched once for all three.
    let requests = scene.requests(start).await;
    assert_eq!(requests.by_verb(), [("get", 1)].into(), "{requests}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_read_too_and_what_goes_is_noticed() {
    let (scene, passes, running) = started("reads-absent").await;
    scene.reads("x", &["key"]).await;
    passes.sees("x", "key-").await;
    scene.create(&secret("key", "1")).await;
    passes.sees("x", "key=1").await;
    scene.delete::<Secret>("key").await;
    passes.sees("x", "key-").await;
    scene.create(&secret("key", "2")).await;
    passes.sees("x", "key=2").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_has_to_be_there_is_waited_for() {
    let (scene, passes, running) = started("reads-required").await;
    let spec = ReaderSpec {
        required: Some("key".into()),
        ..ReaderSpec::default()
    };
    scene.reader("x", spec).await;
    let object: Reader = scene.condition("x", "Ready", "False", "ReadMissing").await;
    let message =
        crate::scene::condition(&operatorkit::serde_json::to_value(object).expect("JSON"), "Ready")["message"].clone();
    let wanted = format!("wish: waits for Secret {}/key, which does not exist", scene.namespace);
    assert_eq!(message, wanted);
    quiet().await;
    let before = passes.count("x");
    scene.create(&secret("key", "1")).await;
    let _ready: Reader = scene.ready("x").await;
    // By the Secret, and not by a backoff: a wait is no error.
    let passes = passes.of("x");
    assert_eq!(passes.len(), before + 1);
    assert_eq!(passes[before].triggers, Trigger::ReadChanged.into());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_pass_no_longer_reads_does_not_run_it() {
    let (scene, passes, running) = started("reads-replaced").await;
    scene.create(&secret("key", "1")).await;
    scene.reads("x", &["key"]).await;
    passes.sees("x", "key=1").await;
    let _blind: Reader = scene.patch("x", json!({ "spec": { "blind": true } })).await;
    passes.sees("x", "").await;
    quiet().await;
    let before = passes.count("x");
    scene.change("key", "2").await;
    quiet().await;
    assert_eq!(passes.count("x"), before);
    // It reads again, and sees what it has missed.
    let _sees: Reader = scene.patch("x", json!({ "spec": { "blind": false } })).await;
    passes.sees("x", "key=2").await;
    scene.change("key", "3").await;
    passes.sees("x", "key=3").await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_deletion_reads_nothing() {
    let (scene, passes, running) = started("reads-deletion").await;
    scene.create(&secret("key", "1")).await;
    scene.reads("x", &["key"]).await;
    passes.sees("x", "key=1").await;
    let _ready: Reader = scene.ready("x").await;
    // Somebody else holds the object.
    let object: Reader = scene.api().get("x").await.expect("it exists");
    let mut finalizers = object.metadata.finalizers.unwrap_or_default();
    finalizers.push("reads.test/hold".into());
    let _held: Reader = scene
        .patch("x", json!({ "metadata": { "finalizers": finalizers } }))
        .await;
    scene.delete::<Reader>("x").await;
    scene.delete::<Secret>("key").await;
    quiet().await;
    let before = passes.count("x");
    let start = scene.mark().await;
    scene.create(&secret("key", "2")).await;
    quiet().await;
    assert_eq!(passes.count("x"), before);
    let requests = scene.requests(start).await;
    assert!(requests.is_empty(), "{requests}");
    let _released: Reader = scene.patch("x", json!({ "metadata": { "finalizers": null } })).await;
    operatorkit_testing::eventually_gone(&scene.api::<Reader>(), "x", PATIENCE).await;
    running.stop().await;
}
