//! What a test starts with: a namespace, a user whose requests the audit log tells apart, and operators in process.

use std::{collections::BTreeMap, path::Path, process::Command, time::Duration};

use operatorkit::{
    App, RunSettings,
    k8s_openapi::{
        NamespaceResourceScope, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    },
    kube::{
        Api, Client, CustomResourceExt, Error, Resource, ResourceExt as _,
        api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    },
    serde::{Serialize, de::DeserializeOwned},
    serde_json::{self, Value, json},
};
use operatorkit_testing::{
    Cluster, PATIENCE,
    apiserver::fault::{Effect, Fault, Matching},
    audit::{Mark, Requests},
    eventually,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::servers::{alone, embedded};

/// A namespaced kind.
pub(crate) trait Object:
    Resource<Scope = NamespaceResourceScope, DynamicType = ()> + Clone + std::fmt::Debug + Serialize + DeserializeOwned
{
}

impl<K> Object for K where
    K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>
        + Clone
        + std::fmt::Debug
        + Serialize
        + DeserializeOwned
{
}

/// A namespace of a server that tests share, and a user for the operator under test.
pub(crate) struct Scene {
    pub(crate) cluster: &'static Cluster,
    pub(crate) namespace: String,
    /// The operator's user, for the audit log.
    pub(crate) user: String,
    /// The test's own client.
    pub(crate) client: Client,
}

impl Scene {
    /// On the embedded server.
    pub(crate) async fn new(name: &'static str) -> Self {
        Self::on(embedded(), name).await
    }

    /// On an embedded server of its own, by the clock of the test.
    pub(crate) async fn alone(name: &'static str) -> Self {
        Self::on(alone(), name).await
    }

    pub(crate) async fn on(cluster: &'static Cluster, name: &'static str) -> Self {
        Self {
            cluster,
            namespace: cluster.namespace(name).await,
            user: cluster.new_admin(),
            client: cluster.client("driver"),
        }
    }

    /// Installs the CRD of a kind, and waits until it is served.
    pub(crate) async fn install<K: CustomResourceExt>(&self) {
        self.install_crd(K::crd()).await;
    }

    /// Installs the CRDs that a program prints: `<program> crd | kubectl apply --server-side -f -`.
    pub(crate) async fn install_printed(&self, program: &Path) {
        let printed = Command::new(program).arg("crd").output().expect("it runs");
        assert!(printed.status.success() && printed.stderr.is_empty(), "{printed:?}");
        let crds = std::str::from_utf8(&printed.stdout).expect("UTF-8");
        for crd in serde_saphyr::from_multiple(crds).expect("CRDs in YAML") {
            self.install_crd(crd).await;
        }
    }

    async fn install_crd(&self, crd: CustomResourceDefinition) {
        let crds: Api<CustomResourceDefinition> = Api::all(self.client.clone());
        let name = &crd.name_any();
        let params = PatchParams::apply("test").force();
        crds.patch(name, &params, &Patch::Apply(&crd))
            .await
            .expect("the CRD is accepted");
        let _crd = eventually(&crds, name, "is established", PATIENCE, |crd| {
            let crd = serde_json::to_value(crd).expect("JSON");
            crd["status"]["conditions"].as_array().is_some_and(|conditions| {
                conditions
                    .iter()
                    .any(|it| it["type"] == "Established" && it["status"] == "True")
            })
        })
        .await;
    }

    /// The objects of a kind in the test's namespace.
    pub(crate) fn api<K>(&self) -> Api<K>
    where
        K: Object,
    {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    pub(crate) async fn create<K>(&self, object: &K) -> K
    where
        K: Object,
    {
        loop {
            match self.api::<K>().create(&PostParams::default(), object).await {
                Ok(created) => return created,
                // What serves a kind is torn down and made anew when its CRD changes, and a busy server is late with it after it has said
                // that the CRD is established: it answers of the path, then, and not of an object.
                Err(Error::Api(status))
                    if status.code == 503 || (status.code == 404 && status.message.contains("404 page not found")) =>
                {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(err) => panic!("created: {err}"),
            }
        }
    }

    /// A merge patch on an object.
    pub(crate) async fn patch<K>(&self, name: &str, patch: Value) -> K
    where
        K: Object,
    {
        self.api::<K>()
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .expect("patched")
    }

    pub(crate) async fn delete<K>(&self, name: &str)
    where
        K: Object,
    {
        let _answer = self
            .api::<K>()
            .delete(name, &DeleteParams::default())
            .await
            .expect("deleted");
    }

    /// Deletes an object as a request does that has read it as it is here, without finalizers: the API server removes it then, whatever it
    /// has got meanwhile (kubernetes#77988). On an embedded server.
    pub(crate) async fn delete_as_read<K>(&self, read: &K)
    where
        K: Object,
    {
        let version = read.resource_version().and_then(|version| version.parse().ok());
        let (resource, group) = (K::plural(&()), K::group(&()));
        let deletes = Matching::verbs(["delete"])
            .resource(format!("{resource}.{group}"))
            .user("driver");
        let seen = Effect::SeeOnly(version.expect("a version"));
        let faults = self.cluster.faults().expect("the embedded server");
        faults.add(Fault::new(deletes, seen).once());
        self.delete::<K>(&read.name_any()).await;
    }

    /// A kind's objects in the test's namespace by name, with these labels (a selector; empty: all).
    pub(crate) async fn children<K>(&self, selector: &str) -> BTreeMap<String, K>
    where
        K: Object,
    {
        let params = ListParams::default().labels(selector);
        let list = self.api::<K>().list(&params).await.expect("a list");
        list.into_iter().map(|object| (object.name_any(), object)).collect()
    }

    /// Deletes a namespace, and does not wait.
    pub(crate) async fn delete_namespace(&self, name: &str) {
        let namespaces: Api<operatorkit::k8s_openapi::api::core::v1::Namespace> = Api::all(self.client.clone());
        let _answer = namespaces
            .delete(name, &DeleteParams::default())
            .await
            .expect("deleted");
    }

    /// Waits until `Ready` is `True` for the object's present generation.
    pub(crate) async fn ready<K>(&self, name: &str) -> K
    where
        K: Object,
    {
        eventually(&self.api::<K>(), name, "is ready", PATIENCE, |object| {
            let object = serde_json::to_value(object).expect("JSON");
            let ready = condition(&object, "Ready");
            ready["status"] == "True" && ready["observedGeneration"] == object["metadata"]["generation"]
        })
        .await
    }

    /// Waits until a condition has this status and reason.
    pub(crate) async fn condition<K>(&self, name: &str, type_: &str, status: &str, reason: &str) -> K
    where
        K: Object,
    {
        let what = format!("has {type_}={status} {reason}");
        eventually(&self.api::<K>(), name, &what, PATIENCE, |object| {
            let object = serde_json::to_value(object).expect("JSON");
            let found = condition(&object, type_);
            found["status"] == status && found["reason"] == reason
        })
        .await
    }

    /// Runs an app in process, limited to the test's namespace, as the scene's user.
    pub(crate) fn start(&self, app: App) -> Running {
        self.start_on(self.cluster.client(&self.user), app)
    }

    /// Runs an app in process on this client, limited to the test's namespace.
    pub(crate) fn start_on(&self, client: Client, app: App) -> Running {
        let namespaces = vec![self.namespace.clone()];
        let settings = RunSettings {
            namespaces,
            ..RunSettings::default()
        };
        Running::start(app, client, settings)
    }

    /// Runs an app in process, as the scene's user.
    pub(crate) fn start_with(&self, app: App, settings: RunSettings) -> Running {
        Running::start(app, self.cluster.client(&self.user), settings)
    }

    /// Runs an app in process, as this user.
    pub(crate) fn start_as(&self, user: &str, app: App, settings: RunSettings) -> Running {
        Running::start(app, self.cluster.client(user), settings)
    }

    /// A point in the audit log.
    pub(crate) async fn mark(&self) -> Mark {
        self.cluster.audit().mark().await
    }

    /// What the operator has asked since a mark, watches apart.
    pub(crate) async fn requests(&self, since: Mark) -> Requests {
        let requests = self.cluster.audit().since(since).await;
        requests.by_user(&self.user).filter(|request| request.verb != "watch")
    }

    /// What the operator has deleted since a mark, in order: `configmaps/x`.
    pub(crate) async fn deletions(&self, since: Mark) -> Vec<String> {
        let deletions = self.requests(since).await.verb("delete");
        let deletions = deletions
            .iter()
            .map(|request| format!("{}/{}", request.resource(), request.object.name));
        deletions.collect()
    }

    /// The Events about an object, as JSON.
    pub(crate) async fn events(&self, name: &str) -> Vec<Value> {
        use operatorkit::k8s_openapi::api::events::v1::Event;
        let events = self.api::<Event>().list(&ListParams::default()).await.expect("a list");
        let events = events
            .items
            .iter()
            .map(|event| serde_json::to_value(event).expect("JSON"));
        events.filter(|event| event["regarding"]["name"] == name).collect()
    }
}

/// Until another second begins: what is shown in whole seconds has another time then. It is by the clock of the system, which no test can
/// pause.
pub(crate) fn next_second() {
    std::thread::sleep(Duration::from_secs(1));
}

/// A condition in an object's status; `null` if it is not there.
pub(crate) fn condition(object: &Value, type_: &str) -> Value {
    let conditions = object["status"]["conditions"].as_array();
    let found = conditions.and_then(|conditions| conditions.iter().find(|condition| condition["type"] == type_));
    found.cloned().unwrap_or(Value::Null)
}

/// The line of a resource in an object's status; `null` if it is not there.
pub(crate) fn line(object: &Value, resource: &str) -> Value {
    let lines = object["status"]["resources"].as_array();
    lines
        .and_then(|lines| lines.iter().find(|line| line["name"] == resource))
        .cloned()
        .unwrap_or(Value::Null)
}

/// An app that runs in process. Dropping it ends it at once, in the middle of whatever it does, as a crash would.
pub(crate) struct Running {
    shutdown: CancellationToken,
    task: JoinHandle<operatorkit::Result<()>>,
}

impl Running {
    fn start(app: App, client: Client, settings: RunSettings) -> Self {
        let shutdown = CancellationToken::new();
        let task = tokio::spawn(app.run_in(client, settings, shutdown.clone()));
        Self { shutdown, task }
    }

    /// How it ends by itself.
    pub(crate) async fn ended(mut self) -> operatorkit::Result<()> {
        let ended = tokio::time::timeout(Duration::from_mins(1), &mut self.task).await;
        ended.expect("it ends in time").expect("it does not panic")
    }

    /// Ends it as SIGTERM would.
    pub(crate) async fn stop(mut self) {
        self.shutdown.cancel();
        let ended = tokio::time::timeout(Duration::from_secs(30), &mut self.task).await;
        ended
            .expect("it ends in time")
            .expect("it does not panic")
            .expect("it ends without an error");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A ConfigMap's metadata and data, as a short form for children in tests.
pub(crate) fn config_map(
    name: &str,
    data: Value,
) -> operatorkit::Result<operatorkit::k8s_openapi::api::core::v1::ConfigMap> {
    let mut map = json!({ "metadata": { "name": name } });
    map["data"] = data;
    Ok(serde_json::from_value(map)?)
}

/// A resource whose children are empty ConfigMaps named `<object>-<suffix>`.
macro_rules! config_maps {
    ($resource:ident of $operator:ident: $($suffix:literal),+) => {
        impl Manifest for $resource {
            type Operator = $operator;
            type Object = ConfigMap;
            async fn desired(
                &self,
                _object: &<$operator as operatorkit::Operator>::Object,
                cx: &Cx<Self>,
            ) -> Result<Desired<ConfigMap>> {
                let children = [$($suffix),+].map(|suffix| $crate::scene::config_map(&cx.child_name(suffix), json!({})));
                Ok(children.into_iter().collect::<Result<Vec<_>>>()?.into())
            }
        }
    };
}
pub(crate) use config_maps;

/// Gives the operator's user these rules in a namespace, and no others there.
pub(crate) async fn grant_in(scene: &Scene, namespace: &str, rules: &Value) {
    use operatorkit::k8s_openapi::api::rbac::v1::{Role, RoleBinding};
    let params = PatchParams::apply("test").force();
    let name = &scene.user;
    let group = "rbac.authorization.k8s.io";
    let role = json!({
        "apiVersion": format!("{group}/v1"), "kind": "Role", "metadata": { "name": name }, "rules": rules,
    });
    let roles: Api<Role> = Api::namespaced(scene.client.clone(), namespace);
    roles.patch(name, &params, &Patch::Apply(role)).await.expect("granted");
    let binding = json!({
        "apiVersion": format!("{group}/v1"), "kind": "RoleBinding", "metadata": { "name": name },
        "roleRef": { "apiGroup": group, "kind": "Role", "name": name },
        "subjects": [{ "apiGroup": group, "kind": "User", "name": name }],
    });
    let bindings: Api<RoleBinding> = Api::namespaced(scene.client.clone(), namespace);
    bindings
        .patch(name, &params, &Patch::Apply(binding))
        .await
        .expect("bound");
}
