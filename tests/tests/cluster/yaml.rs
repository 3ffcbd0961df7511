//! Children from YAML files: made, changed, pruned and deleted in order; values that cannot break out; errors; least rights.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use operatorkit::{
    FromYaml as _,
    anyhow::ensure,
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Secret, Service},
    },
    kube::{
        self, ResourceExt as _,
        core::{DynamicObject, TypeMeta},
    },
    prelude::*,
    serde_json::{Value, json, to_value},
};
use operatorkit_testing::{Cluster, PATIENCE, assert_valid, audit::Entry, eventually, eventually_gone, wait_for};

use crate::scene::{Running, Scene, condition, grant_in, line};

#[operator(
    group = "yaml.test",
    version = "v1",
    kind = "Site",
    namespaced,
    resources(Base, Web, Note, Passes)
)]
pub(crate) struct SiteSpec {
    message: String,
    replicas: i32,
    version: i32,
    tier: String,
    lines: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "anything")]
    extra: Option<Value>,
}

fn anything(_: &mut operatorkit::schemars::SchemaGenerator) -> operatorkit::schemars::Schema {
    operatorkit::schemars::json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

#[resource(order = 1, delete_order = 2, yaml = "yaml/base.yaml")]
pub(crate) struct Base;

#[resource(order = 2, delete_order = 1, yaml("yaml/web.yaml", "yaml/extra.yaml"))]
pub(crate) struct Web;

/// In code: with what an earlier resource hands on.
#[resource(order = 3, delete_order = 1, after(Web))]
pub(crate) struct Note;

static NOTE: Yaml = yaml!("yaml/note.yaml");

impl Manifest for Note {
    type Operator = Site;
    type Object = DynamicObject;

    async fn desired(&self, site: &Site, cx: &Cx<Self>) -> Result<Desired<DynamicObject>> {
        let web = cx.after::<Web>().output()?;
        let first = web.iter().next().map(kube::ResourceExt::name_any);
        Ok(NOTE.fill_with(site, &json!({ "web": first }))?.into())
    }

    fn kinds() -> Vec<TypeMeta> {
        NOTE.kinds()
    }
}

/// Counts the passes.
#[resource(order = 4, delete_order = 1)]
pub(crate) struct Passes(Arc<AtomicUsize>);

impl Step for Passes {
    type Operator = Site;
    type Output = ();

    async fn ensure_created(&self, _site: &Site, _cx: &Cx<Self>) -> Result<Flow<()>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Flow::Ready(()))
    }
}

fn spec() -> SiteSpec {
    SiteSpec {
        message: "hello".into(),
        replicas: 0,
        version: 1,
        tier: "front".into(),
        lines: vec!["one".into(), "two".into()],
        extra: None,
    }
}

fn start(scene: &Scene, passes: &Arc<AtomicUsize>) -> Running {
    let passes = passes.clone();
    scene.start(App::new("sites").operator(move |_env| async move {
        Ok(SiteResources {
            base: Base,
            web: Web,
            note: Note,
            passes: Passes(passes),
        })
    }))
}

/// Runs the operator with an object `x`.
async fn run(scene: &Scene, spec: SiteSpec) -> (Running, Arc<AtomicUsize>) {
    scene.install::<Site>().await;
    let passes = Arc::default();
    let running = start(scene, &passes);
    let _created = scene.create(&Site::new("x", spec)).await;
    (running, passes)
}

async fn change(scene: &Scene, spec: Value) {
    let _site: Site = scene.patch("x", json!({ "spec": spec })).await;
}

fn data(map: &ConfigMap) -> Value {
    to_value(&map.data).expect("JSON")
}

async fn documents_are_made_changed_pruned_and_deleted_in_order(cluster: &'static Cluster) {
    let scene = Scene::on(cluster, "yaml-life").await;
    let begin = scene.mark().await;
    let (running, passes) = run(&scene, spec()).await;
    let _ready: Site = scene.ready("x").await;

    let settings = scene.api::<ConfigMap>().get("x-settings").await.expect("it is there");
    assert_eq!(
        data(&settings),
        json!({ "message": "hello", "page.html": "<p>one</p>\n<p>two</p>\n" })
    );
    assert_eq!(settings.labels()["operatorkit.dev/resource"], "base");
    assert_eq!(settings.labels()["tier"], "front");
    let token = scene.api::<Secret>().get("x-token").await.expect("it is there");
    assert_eq!(to_value(&token.data).expect("JSON"), json!({ "token": "dG9rZW4teA==" }));
    let web = scene.api::<Deployment>().get("x-web").await.expect("it is there");
    let web = to_value(web).expect("JSON");
    assert_eq!(web["spec"]["replicas"], 0, "a number");
    let pod = &web["spec"]["template"]["spec"];
    assert_eq!(pod["nodeName"], Value::Null, "left out");
    assert_eq!(pod["containers"][0]["image"], "web:1");
    assert_eq!(pod["containers"][0]["args"], json!(["one", "two"]));
    let _service = scene.api::<Service>().get("x-web").await.expect("it is there");
    let note = scene.api::<ConfigMap>().get("x-note").await.expect("it is there");
    assert_eq!(data(&note), json!({ "web": "x-web", "replicas": "0" }));

    // The kinds of a resource are in the inventory by one write, before its first child.
    let writes = scene.requests(begin).await.writes();
    let writes = writes.filter(|request| request.object.subresource.is_empty() && request.object.resource != "events");
    let writes: Vec<_> = writes.iter().map(Entry::resource).collect();
    assert_eq!(writes[..2], ["sites", "sites"], "finalizer, then kinds: {writes:?}");
    assert_eq!(writes.iter().filter(|&kind| kind == "sites").count(), 3, "{writes:?}");

    // A pass that changes nothing sends nothing.
    let quiet = scene.mark().await;
    for n in 0..2 {
        let before = passes.load(Ordering::Relaxed);
        let _touched: Site = scene
            .patch("x", json!({ "metadata": { "annotations": { "n": n.to_string() } } }))
            .await;
        wait_for("a pass", PATIENCE, async || {
            ensure!(passes.load(Ordering::Relaxed) > before);
            Ok(())
        })
        .await;
    }
    let requests = scene.requests(quiet).await;
    assert!(requests.is_empty(), "{requests}");

    let extra = |names: &[&str]| {
        let object =
            |name: &&str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": {} });
        json!({ "version": 2, "extra": names.iter().map(object).collect::<Vec<_>>() })
    };
    change(&scene, extra(&["x-one", "x-two"])).await;
    eventually(&scene.api::<ConfigMap>(), "x-two", "is made", PATIENCE, |_| true).await;
    let _ready: Site = scene.ready("x").await;
    let web = to_value(scene.api::<Deployment>().get("x-web").await.expect("it is there")).expect("JSON");
    assert_eq!(web["spec"]["template"]["spec"]["containers"][0]["image"], "web:2");
    let since = scene.mark().await;
    change(&scene, extra(&["x-two"])).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-one", PATIENCE).await;
    change(&scene, json!({ "extra": null })).await;
    eventually_gone(&scene.api::<ConfigMap>(), "x-two", PATIENCE).await;
    assert_eq!(scene.deletions(since).await, ["configmaps/x-one", "configmaps/x-two"]);

    let since = scene.mark().await;
    scene.delete::<Site>("x").await;
    eventually_gone(&scene.api::<Site>(), "x", PATIENCE).await;
    let mut deletions = scene.deletions(since).await;
    deletions[..3].sort();
    deletions[3..].sort();
    assert_eq!(
        deletions,
        [
            "configmaps/x-note",
            "deployments/x-web",
            "services/x-web",
            "configmaps/x-settings",
            "secrets/x-token"
        ]
    );
    assert!(scene.children::<ConfigMap>("operatorkit.dev/resource").await.is_empty());
    running.stop().await;
}

async fn a_file_needs_the_rights_for_its_kinds_and_no_others(cluster: &'static Cluster) {
    let mut scene = Scene::on(cluster, "yaml-rights").await;
    scene.user = cluster.new_stranger();
    // What `rbac` derives: `rights_by_name` of the runtime has the same rules.
    let child = json!(["get", "list", "watch", "create", "patch", "delete"]);
    let rule = |group: &str, kinds: &[&str], verbs: &Value| json!({ "apiGroups": [group], "resources": kinds, "verbs": verbs });
    let rules = json!([
        rule("", &["configmaps", "secrets", "services"], &child),
        rule("apps", &["deployments"], &child),
        rule("events.k8s.io", &["events"], &json!(["create", "patch"])),
        rule("yaml.test", &["sites"], &json!(["get", "list", "watch", "patch"])),
        rule("yaml.test", &["sites/status"], &json!(["patch"])),
    ]);
    grant_in(&scene, &scene.namespace, &rules).await;
    let since = scene.mark().await;
    let (running, _) = run(&scene, spec()).await;
    let _ready: Site = scene.ready("x").await;
    scene.delete::<Site>("x").await;
    eventually_gone(&scene.api::<Site>(), "x", PATIENCE).await;
    let refused = scene.requests(since).await.filter(|request| request.code == 403);
    assert!(refused.is_empty(), "{refused}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_value_stays_one_value_whatever_it_holds() {
    let scene = Scene::alone("yaml-evil").await;
    let evil = "x\"\n  other: field\ndata:\n  stolen: \"yes\"\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: stolen }\n# {{ spec.version }} {% raw %}";
    let message = SiteSpec {
        message: evil.into(),
        lines: vec![evil.into()],
        ..spec()
    };
    let (running, _) = run(&scene, message).await;
    let _ready: Site = scene.ready("x").await;
    let settings = scene.api::<ConfigMap>().get("x-settings").await.expect("it is there");
    assert_eq!(
        data(&settings),
        json!({ "message": evil, "page.html": format!("<p>{evil}</p>\n") })
    );
    let web = to_value(scene.api::<Deployment>().get("x-web").await.expect("it is there")).expect("JSON");
    assert_eq!(web["spec"]["template"]["spec"]["containers"][0]["args"], json!([evil]));
    let ours = "operatorkit.dev/resource";
    assert_eq!(
        scene.children::<Secret>(ours).await.into_keys().collect::<Vec<_>>(),
        ["x-token"]
    );
    assert_eq!(
        scene.children::<ConfigMap>(ours).await.into_keys().collect::<Vec<_>>(),
        ["x-note", "x-settings"]
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_fails_that_object_and_says_where() {
    let scene = Scene::alone("yaml-fails").await;
    let odd = SiteSpec {
        extra: Some(json!({ "kind": "hunter2" })),
        ..spec()
    };
    let (running, _) = run(&scene, odd).await;
    let failed: Site = scene.condition("x", "Ready", "False", "TemplateFailed").await;
    let failed = to_value(failed).expect("JSON");
    let message = condition(&failed, "Ready")["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        message.contains("yaml/extra.yaml:2: what fills a whole document is an object with `apiVersion` and `kind`"),
        "{message}"
    );
    assert!(!message.contains("hunter2"), "{message}");
    assert_eq!(line(&failed, "web")["phase"], "Failed");
    assert_eq!(line(&failed, "base")["phase"], "Ready", "{failed}");
    assert!(
        scene
            .api::<Deployment>()
            .get_opt("x-web")
            .await
            .expect("an answer")
            .is_none()
    );

    // Neither another object nor its own deletion is held up.
    let _created = scene.create(&Site::new("y", spec())).await;
    let _ready: Site = scene.ready("y").await;
    scene.delete::<Site>("x").await;
    eventually_gone(&scene.api::<Site>(), "x", PATIENCE).await;
    assert!(
        scene
            .api::<Secret>()
            .get_opt("x-token")
            .await
            .expect("an answer")
            .is_none()
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_is_not_the_objects_is_refused() {
    let scene = Scene::alone("yaml-elsewhere").await;
    let extra =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x", "namespace": "kube-system" } });
    let elsewhere = SiteSpec {
        extra: Some(extra),
        ..spec()
    };
    let (running, _) = run(&scene, elsewhere).await;
    let _failed: Site = scene.condition("x", "Ready", "False", "InvalidDesired").await;
    running.stop().await;
}

/// The test that is shipped, on the files above, and on one that only a test can find to be wrong.
#[test]
fn the_files_are_valid_and_one_line_finds_a_field_that_there_is_not() {
    let site = Site::new("x", spec());
    assert_valid(Base::yaml().fill(&site).expect("all is there"));
    assert_valid(Web::yaml().fill(&site).expect("all is there"));
    let wrong = Yaml::parse(
        "wrong.yaml",
        "apiVersion: v1\nkind: Service\nmetadata: { name: x }\nspec: { port: 80 }\n",
    );
    let wrong = wrong.and_then(|wrong| wrong.fill(&site)).expect("it can be filled");
    let refused = std::panic::catch_unwind(|| assert_valid(wrong)).expect_err("it is refused");
    let refused = refused.downcast::<String>().expect("a text");
    assert!(refused.contains("Service x: ") && refused.contains("port"), "{refused}");
}

crate::servers::on_both! {
    documents_are_made_changed_pruned_and_deleted_in_order,
    a_file_needs_the_rights_for_its_kinds_and_no_others,
}
