//! `demo`: a control plane of its own, the CRD, one `WebApp` up and down, shown as it goes.

use std::{process::ExitCode, time::Duration};

use operatorkit::{
    App, RunSettings,
    anyhow::{Context as _, ensure},
    k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    kube::{
        Api, Client, CustomResourceExt as _, ResourceExt as _,
        api::{DeleteParams, Patch, PatchParams, PostParams},
    },
    prelude::*,
    serde_json::{self, Value},
};
use operatorkit_testing::{ControlPlane, Options};
use tokio::{runtime::Runtime, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{WebApp, WebAppSpec};

/// The longest that any step of the demo may take.
const PATIENCE: Duration = Duration::from_mins(1);
const NAMESPACE: &str = "default";
const NAME: &str = "hello";

pub(crate) fn main(app: App) -> ExitCode {
    match run(app) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("demo: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(app: App) -> Result<()> {
    println!("starting a control plane: etcd, kube-apiserver and its controllers");
    let cluster = ControlPlane::start(&Options::default())?;
    println!(
        "look at it with: KUBECONFIG={} {}/kubectl get webapps -w",
        cluster.kubeconfig("admin").display(),
        cluster.bin().display()
    );
    Runtime::new()?.block_on(async {
        let client = cluster.client("driver");
        install(&client).await?;
        let shutdown = CancellationToken::new();
        let running = tokio::spawn(app.run_in(cluster.client("operator"), RunSettings::default(), shutdown.clone()));
        let shown = tokio::time::timeout(PATIENCE, up_and_down(&client)).await;
        shutdown.cancel();
        running.await??;
        shown.context("it took too long")?
    })
}

async fn install(client: &Client) -> Result<()> {
    println!("installing the CRD {}", WebApp::crd_name());
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let params = PatchParams::apply("webapp-demo").force();
    crds.patch(WebApp::crd_name(), &params, &Patch::Apply(WebApp::crd()))
        .await?;
    Ok(())
}

async fn up_and_down(client: &Client) -> Result<()> {
    let apps: Api<WebApp> = Api::namespaced(client.clone(), NAMESPACE);
    let app = WebApp::new(
        NAME,
        WebAppSpec {
            image: "nginx".into(),
            replicas: 2,
            message: "hi".into(),
        },
    );
    while let Err(err) = apps.create(&PostParams::default(), &app).await {
        // The CRD is there, but not served yet.
        ensure!(err.to_string().contains("not found"), "cannot create the WebApp: {err}");
        sleep(Duration::from_millis(50)).await;
    }
    println!("\ncreated WebApp {NAME}: the operator makes ConfigMap, Service, Deployment, in this order");
    show(&apps, |app| {
        condition(app, "Ready").is_some_and(|status| status == "True")
    })
    .await?;
    println!("\ndeleting WebApp {NAME}: Service, Deployment with its pods, ConfigMap, in this order");
    let _answer = apps.delete(NAME, &DeleteParams::default()).await?;
    show_children(client, &apps).await
}

/// Prints the object's resource lines as they change, until `is_done`.
async fn show(apps: &Api<WebApp>, is_done: impl Fn(&Value) -> bool) -> Result<()> {
    let mut shown = String::new();
    loop {
        let app = serde_json::to_value(apps.get(NAME).await?)?;
        let lines = app["status"]["resources"].as_array().into_iter().flatten();
        let lines: Vec<_> = lines
            .map(|line| format!("{} {}", text(&line["name"]), text(&line["phase"])))
            .collect();
        let now = format!(
            "  Ready={}  {}",
            condition(&app, "Ready").unwrap_or_default(),
            lines.join(", ")
        );
        if now != shown && !lines.is_empty() {
            println!("{now}");
            shown = now;
        }
        if is_done(&app) {
            return Ok(());
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Prints which children are left as they go, until the object is gone.
async fn show_children(client: &Client, apps: &Api<WebApp>) -> Result<()> {
    use operatorkit::k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Pod, Service},
    };
    let mut shown = String::new();
    loop {
        let mut left = Vec::new();
        left.extend(names(&Api::<Service>::namespaced(client.clone(), NAMESPACE), "Service").await?);
        left.extend(names(&Api::<Deployment>::namespaced(client.clone(), NAMESPACE), "Deployment").await?);
        left.extend(names(&Api::<Pod>::namespaced(client.clone(), NAMESPACE), "Pod").await?);
        left.extend(names(&Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE), "ConfigMap").await?);
        let gone = apps.get_opt(NAME).await?.is_none();
        let now = match left.as_slice() {
            _ if gone => "  all gone".to_owned(),
            [] => "  left: the WebApp itself".to_owned(),
            left => format!("  left: {}", left.join(", ")),
        };
        if now != shown {
            println!("{now}");
            shown = now;
        }
        if gone {
            return Ok(());
        }
        sleep(Duration::from_millis(5)).await;
    }
}

async fn names<K>(api: &Api<K>, kind: &str) -> Result<Vec<String>>
where
    K: operatorkit::kube::Resource + Clone + std::fmt::Debug + operatorkit::serde::de::DeserializeOwned,
{
    let listed = api
        .list(&operatorkit::kube::api::ListParams::default().labels("app.kubernetes.io/name"))
        .await?;
    Ok(listed
        .items
        .iter()
        .map(|object| format!("{kind} {}", object.name_any()))
        .collect())
}

fn condition(app: &Value, type_: &str) -> Option<String> {
    let conditions = app["status"]["conditions"].as_array()?;
    let condition = conditions.iter().find(|condition| condition["type"] == type_)?;
    Some(text(&condition["status"]))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
