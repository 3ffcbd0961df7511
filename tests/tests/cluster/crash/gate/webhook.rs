//! An admission webhook of the real server, which never answers.

use operatorkit::{
    k8s_openapi::api::{admissionregistration::v1::ValidatingWebhookConfiguration, core::v1::ConfigMap},
    kube::{Api, api::PostParams},
    serde_json::{from_value, json},
};
use operatorkit_testing::{PATIENCE, wait_for};
use tokio::net::{TcpListener, TcpStream};

use crate::scene::{Scene, config_map};

/// The API server waits for it, for as long as the operator lives; once the operator is gone the request fails.
pub(in crate::crash) struct Webhook {
    listener: TcpListener,
    /// Connections that wait for an answer.
    held: Vec<TcpStream>,
}

impl Webhook {
    /// Holds the writes of the scene's user in its namespace: for an object's name those that the CEL expression is about.
    /// A condition that cannot be evaluated refuses the write, and what is empty in a request is not there.
    pub(super) async fn new(scene: &Scene, held: &[(String, String)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let mut conditions = vec![format!("request.name == '{PROBE}'")];
        conditions.extend(
            held.iter()
                .map(|(name, write)| format!("request.name == '{name}' && ({write})")),
        );
        let user = format!("request.userInfo.username == '{}'", scene.user);
        let config: ValidatingWebhookConfiguration = from_value(json!({
            "metadata": { "name": format!("gate.{}.test", scene.namespace) },
            "webhooks": [{
                "name": format!("gate.{}.test", scene.namespace),
                "clientConfig": { "url": format!("https://127.0.0.1:{port}/") },
                "rules": [{
                    "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"],
                    "operations": ["CREATE", "UPDATE", "DELETE"],
                }],
                "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": scene.namespace } },
                "matchConditions": [
                    { "name": "user", "expression": user },
                    { "name": "named", "expression": "has(request.name)" },
                    { "name": "write", "expression": format!("({})", conditions.join(") || (")) },
                ],
                "failurePolicy": "Fail",
                "sideEffects": "None",
                "timeoutSeconds": 30,
                "admissionReviewVersions": ["v1"],
            }],
        }))
        .expect("JSON");
        let configs = Api::<ValidatingWebhookConfiguration>::all(scene.client.clone());
        configs.create(&PostParams::default(), &config).await.expect("accepted");
        let mut webhook = Self {
            listener,
            held: Vec::new(),
        };
        webhook.wait_until_it_works(scene).await;
        webhook
    }

    /// The API server learns of it a moment later.
    async fn wait_until_it_works(&mut self, scene: &Scene) {
        let probes = Api::<ConfigMap>::namespaced(scene.cluster.client(&scene.user), &scene.namespace);
        let dry_run = PostParams {
            dry_run: true,
            ..PostParams::default()
        };
        let probe = config_map(PROBE, json!({})).expect("JSON");
        wait_for("the gate holds what it is to hold", PATIENCE, async || {
            tokio::select! {
                accepted = self.listener.accept() => { accepted?; Ok(()) }
                answer = probes.create(&dry_run, &probe) => Err(answer.err().map_or_else(|| operatorkit::anyhow::anyhow!("it is open"), Into::into)),
            }
        })
        .await;
    }

    pub(super) async fn reached(&mut self) {
        // What was held before belongs to a process that is gone.
        self.held.clear();
        let (connection, _) = self.listener.accept().await.expect("a connection");
        self.held.push(connection);
    }
}

const PROBE: &str = "gate-probe";
