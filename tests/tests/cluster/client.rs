//! How an operator reaches the API server, and what it does when its credentials change.

mod flags;
mod rotation;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use operatorkit::{ClientConfig, anyhow::ensure, k8s_openapi::api::core::v1::ConfigMap, prelude::*, serde_json::json};
use operatorkit_testing::{
    Cluster, EmbeddedServer, PATIENCE,
    apiserver::{
        ApiServer,
        access::{Authenticator, User, user::MASTERS},
        serve::{Identity, Server, Serving},
    },
    eventually, wait_for,
};
use tempfile::TempDir;

use crate::{
    logs::Logs,
    scene::{Running, Scene, config_map},
};

#[operator(group = "client.test", version = "v1", kind = "Echo", namespaced, resources(Said))]
pub(crate) struct EchoSpec {
    says: String,
}

#[resource]
pub(crate) struct Said;

impl Manifest for Said {
    type Operator = Echo;
    type Object = ConfigMap;
    async fn desired(&self, echo: &Echo, cx: &Cx<Self>) -> Result<Desired<ConfigMap>> {
        Ok(config_map(cx.name(), json!({ "says": echo.spec.says }))?.into())
    }
}

/// Whose tokens are good just now.
type Tokens = Arc<Mutex<BTreeMap<String, User>>>;

/// A server of its own behind a port whose certificates and tokens change, and the files that an operator reads of them.
struct Place {
    scene: Scene,
    server: ApiServer,
    serving: Option<Serving>,
    port: u16,
    tokens: Tokens,
    files: TempDir,
}

impl Place {
    async fn new(name: &'static str) -> Self {
        let embedded = EmbeddedServer::start(ApiServer::builder().rbac(true).workloads(true)).expect("it starts");
        // It ends with the process; what is left is little.
        let embedded: &'static EmbeddedServer = Box::leak(Box::new(embedded));
        let cluster: &'static Cluster = embedded;
        let scene = Scene::on(cluster, name).await;
        scene.install::<Echo>().await;
        let mut place = Self {
            server: embedded.api_server().clone(),
            scene,
            serving: None,
            port: 0,
            tokens: Tokens::default(),
            files: TempDir::new().expect("a folder"),
        };
        place.serve().await;
        place
    }

    /// Serves with a new CA, on the same port as before, and writes its certificate.
    async fn serve(&mut self) {
        if let Some(before) = self.serving.take() {
            before.shutdown().await;
        }
        let tokens = self.tokens.clone();
        let known = Authenticator::new().lookup(move |token| tokens.lock().expect("no panic").get(token).cloned());
        let server = Server::new(self.server.open_service())
            .port(self.port)
            .identity(Identity::generate().expect("random numbers"))
            .authenticator(known);
        let serving = server.start().await.expect("the port");
        self.port = serving.address().port();
        self.serving = Some(serving);
        self.write("ca.crt", self.identity().certificate());
    }

    fn identity(&self) -> &Identity {
        self.serving
            .as_ref()
            .and_then(Serving::identity)
            .expect("it serves with TLS")
    }

    fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// Writes a file as a projected volume does: whole or not at all.
    fn write(&self, name: &str, text: &str) {
        let new = self.path(&format!(".{name}"));
        fs::write(&new, text).expect("written");
        fs::rename(&new, self.path(name)).expect("moved");
    }

    fn accept(&self, token: &str, user: &str) {
        let mut tokens = self.tokens.lock().expect("no panic");
        tokens.insert(token.to_owned(), admin(user));
    }

    fn revoke(&self, token: &str) {
        let _user = self.tokens.lock().expect("no panic").remove(token);
    }

    /// Writes the certificate and the key of a user.
    fn certify(&self, user: &str) {
        let pair = self.identity().client(&admin(user)).expect("a certificate");
        self.write("client.crt", &pair.certificate);
        self.write("client.key", &pair.key);
    }

    /// The address, and the CA in a file.
    fn config(&self) -> ClientConfig {
        ClientConfig::new()
            .server(self.url())
            .certificate_authority_file(self.path("ca.crt"))
    }

    async fn start(&self, config: &ClientConfig) -> Running {
        let client = config.connect().await.expect("a client");
        let app = App::new("echoes").operator(|_env| async { Ok(EchoResources { said: Said }) });
        self.scene.start_on(client, app)
    }

    async fn create(&self, name: &str) {
        let spec = EchoSpec {
            says: "first".to_owned(),
        };
        self.scene.create(&Echo::new(name, spec)).await;
        self.echoed(name, "first").await;
    }

    /// Has an object say something, and waits until the operator has done its part.
    async fn say(&self, name: &str, what: &str) {
        self.change(name, what).await;
        self.echoed(name, what).await;
    }

    async fn change(&self, name: &str, what: &str) {
        let _echo: Echo = self.scene.patch(name, json!({ "spec": { "says": what } })).await;
    }

    async fn echoed(&self, name: &str, what: &str) {
        let maps = self.scene.api::<ConfigMap>();
        eventually(&maps, name, &format!("says {what}"), PATIENCE, |map| {
            map.data
                .as_ref()
                .is_some_and(|data| data.get("says").is_some_and(|it| it == what))
        })
        .await;
    }
}

fn admin(name: &str) -> User {
    User::new(name, [MASTERS])
}
