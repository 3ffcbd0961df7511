//! An object's whole life under an example's operator: all that the operator may have to ask for.

use std::{path::PathBuf, time::Duration};

use operatorkit::{
    k8s_openapi::api::core::v1::ConfigMap,
    kube::{
        Api, ResourceExt as _,
        api::{DeleteParams, Patch, PatchParams, PostParams},
        core::{DynamicObject, GroupVersionKind},
        discovery::ApiResource,
    },
    serde_json::{self, Value, from_value, json},
};
use operatorkit_testing::{
    PATIENCE, Process,
    audit::{Entry, Mark, Requests},
    example_binary,
};
use tokio::time::{Instant, sleep};

use super::Right;
use crate::{scene::Scene, webapps::webapp};

/// How often it is looked at what has happened.
const EVERY: Duration = Duration::from_millis(100);

/// An example, and what its operator makes of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) example: &'static str,
    group: &'static str,
    kind: &'static str,
    /// The ConfigMap that it makes is `<object>-<suffix>`, and what this key holds is the operator's.
    suffix: &'static str,
    key: &'static str,
    object: fn(&str) -> Value,
    change: fn() -> Value,
}

impl Case {
    pub(super) const ALL: [Self; 3] = [
        Self {
            example: "webapp",
            group: "demo.operatorkit.dev",
            kind: "WebApp",
            suffix: "settings",
            key: "message",
            object: webapp,
            change: || json!({ "spec": { "message": "changed" } }),
        },
        Self {
            example: "buckets",
            group: "demo.operatorkit.dev",
            kind: "Bucket",
            suffix: "bucket",
            key: "id",
            object: |name| {
                json!({
                    "apiVersion": "demo.operatorkit.dev/v1", "kind": "Bucket", "metadata": { "name": name }, "spec": { "quota": 1 },
                })
            },
            change: || json!({ "spec": { "quota": 2 } }),
        },
        Self {
            example: "mirror",
            group: "",
            kind: "ConfigMap",
            suffix: "mirror",
            key: "message",
            object: |name| {
                let labels = json!({ "demo.operatorkit.dev/mirror": "true" });
                json!({
                    "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "labels": labels },
                    "data": { "message": "hello" },
                })
            },
            change: || json!({ "data": { "message": "changed" } }),
        },
    ];

    fn child(&self, object: &str) -> String {
        format!("{object}-{}", self.suffix)
    }
}

/// How a life went.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lived {
    /// To its end, and nothing was refused.
    Wholly,
    /// The operator asked for the right that it does not have.
    Refused,
}

/// A life that has begun: the operator runs.
pub(super) struct Life<'a> {
    scene: &'a Scene,
    case: Case,
    objects: Api<DynamicObject>,
    maps: Api<ConfigMap>,
    since: Mark,
    operator: Process,
    /// What the provider of `buckets` is.
    folder: PathBuf,
}

impl<'a> Life<'a> {
    pub(super) async fn begin(scene: &'a Scene, case: &Case, args: &[&str]) -> Self {
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(case.group, "v1", case.kind));
        let folder = scene.cluster.folder().join(format!("provider-{}", scene.namespace));
        std::fs::create_dir_all(&folder).expect("a folder");
        let since = scene.mark().await;
        let mut command = scene
            .cluster
            .command(example_binary(case.example).expect("the example"), &scene.user);
        command
            .arg("run")
            .args(["--metrics-address=0", "--health-address=0"])
            .args(args)
            .env("BUCKETS_DIR", &folder);
        Self {
            scene,
            case: *case,
            objects: Api::namespaced_with(scene.client.clone(), &scene.namespace, &kind),
            maps: Api::namespaced(scene.client.clone(), &scene.namespace),
            since,
            operator: scene.cluster.spawn(&command).expect("it starts"),
            folder,
        }
    }

    /// Created, disturbed, changed, pruned, collided, deleted: until the end, or until the operator is refused what it lacks.
    pub(super) async fn lived(mut self, lacks: Option<&Right>) -> Lived {
        let lived = self.live(lacks).await;
        self.operator.kill();
        let _gone = std::fs::remove_dir_all(&self.folder);
        match lived {
            // It may have been refused what it lacks after its last want.
            Some(()) if self.was_refused(lacks).await => Lived::Refused,
            Some(()) => {
                let refused = self.refused().await;
                assert!(refused.is_empty(), "{}: refused:\n{refused}", self.case.example);
                Lived::Wholly
            }
            None => Lived::Refused,
        }
    }

    async fn live(&self, lacks: Option<&Right>) -> Option<()> {
        let child = &self.case.child("x");
        self.create("x").await;
        let made = self.child("it is made", lacks, child, |_| true).await?;

        // Drift, in what it holds and in that it is there.
        let value = made.data.clone().expect("data")[self.case.key].clone();
        let drift = json!({ "data": { self.case.key: "drift" } });
        self.patch_map(child, &drift).await;
        let restored = |map: &ConfigMap| map.data.as_ref().and_then(|data| data.get(self.case.key)) == Some(&value);
        self.child("its drift is undone", lacks, child, restored).await?;
        self.delete_map(child).await;
        let again = |map: &ConfigMap| map.uid() != made.uid();
        let made = self.child("it is made again", lacks, child, again).await?;

        let change = Patch::Merge((self.case.change)());
        self.objects
            .patch("x", &PatchParams::default(), &change)
            .await
            .expect("patched");

        self.pruned(lacks, &made).await?;
        // It takes its time, and nothing in it needs another right.
        if lacks.is_none_or(|right| right.resource == "events") {
            self.collided(lacks).await?;
        }

        self.objects
            .delete("x", &DeleteParams::default())
            .await
            .expect("deleted");
        self.wait("x is gone", lacks, async || {
            self.objects.get_opt("x").await.expect("an answer").is_none()
        })
        .await
    }

    /// A child that no pass wants: one that is there with our mark, as if the object had once wanted it.
    async fn pruned(&self, lacks: Option<&Right>, made: &ConfigMap) -> Option<()> {
        let mut old = made.clone();
        let name = format!("{}-old", made.name_any());
        let mark = "operatorkit.dev/mark";
        let mut said: Value = serde_json::from_str(&made.annotations()[mark]).expect("a mark");
        said["self"]["name"] = json!(name);
        old.metadata.name = Some(name.clone());
        old.metadata.annotations = Some([(mark.to_owned(), said.to_string())].into());
        old.metadata.uid = None;
        old.metadata.resource_version = None;
        old.metadata.managed_fields = None;
        self.maps.create(&PostParams::default(), &old).await.expect("created");
        self.wait("the old child is pruned", lacks, async || {
            self.maps.get_opt(&name).await.expect("an answer").is_none()
        })
        .await
    }

    /// Something foreign with the name of a child: said again and again, in one Event.
    async fn collided(&self, lacks: Option<&Right>) -> Option<()> {
        let foreign = json!({ "metadata": { "name": self.case.child("y") }, "data": { "whose": "not ours" } });
        let foreign: ConfigMap = from_value(foreign).expect("a ConfigMap");
        self.maps
            .create(&PostParams::default(), &foreign)
            .await
            .expect("created");
        self.create("y").await;
        self.wait("an Event about y is repeated", lacks, async || {
            let events = self.scene.events("y").await;
            events.iter().any(|event| event["series"]["count"].as_i64() >= Some(2))
        })
        .await?;
        self.objects
            .delete("y", &DeleteParams::default())
            .await
            .expect("deleted");
        self.wait("y is gone", lacks, async || {
            self.objects.get_opt("y").await.expect("an answer").is_none()
        })
        .await
    }

    async fn create(&self, name: &str) {
        let object: DynamicObject = from_value((self.case.object)(name)).expect("an object");
        self.objects
            .create(&PostParams::default(), &object)
            .await
            .expect("created");
    }

    async fn patch_map(&self, name: &str, patch: &Value) {
        let patch = Patch::Merge(patch);
        self.maps
            .patch(name, &PatchParams::default(), &patch)
            .await
            .expect("patched");
    }

    async fn delete_map(&self, name: &str) {
        self.maps.delete(name, &DeleteParams::default()).await.expect("deleted");
    }

    async fn child(
        &self,
        what: &str,
        lacks: Option<&Right>,
        name: &str,
        is: impl Fn(&ConfigMap) -> bool,
    ) -> Option<ConfigMap> {
        let there = async || {
            self.maps
                .get_opt(name)
                .await
                .expect("an answer")
                .is_some_and(|map| is(&map))
        };
        self.wait(what, lacks, there).await?;
        self.maps.get_opt(name).await.expect("an answer")
    }

    /// Until this is so, or the operator was refused what it lacks.
    async fn wait(&self, what: &str, lacks: Option<&Right>, is: impl AsyncFn() -> bool) -> Option<()> {
        let start = Instant::now();
        loop {
            if is().await {
                return Some(());
            }
            if self.was_refused(lacks).await {
                return None;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{}, lacking {lacks:?}: not in time: {what}\n{}\n{}",
                self.case.example,
                self.refused().await,
                self.operator.log()
            );
            sleep(EVERY).await;
        }
    }

    async fn was_refused(&self, lacks: Option<&Right>) -> bool {
        let Some(right) = lacks else {
            return false;
        };
        self.refused().await.iter().any(|request| is_about(request, right))
    }

    async fn refused(&self) -> Requests {
        let requests = self
            .scene
            .cluster
            .audit()
            .since(self.since)
            .await
            .by_user(&self.scene.user);
        requests.filter(|request| request.code == 403)
    }
}

/// An apply that would create is refused for the `create` that it lacks, and is a `patch` in the log.
fn is_about(request: &Entry, right: &Right) -> bool {
    let verb = request.verb == right.verb || (right.verb == "create" && request.verb == "patch");
    verb && request.object.api_group == right.group && request.resource() == right.resource
}
