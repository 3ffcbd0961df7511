//! The app as its user sees it: what its commands do, and its errors.

mod said;

use std::time::Duration;

use k8s_openapi::{
    api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{App, RunSettings};
use crate::{
    LeaderElection,
    graph::{Graph, Meta},
    operator::{Operator, Resources},
    status::NoStatus,
};

/// A thing, true: "y".
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "demo.example.com", version = "v1", kind = "Thing", namespaced)]
struct ThingSpec {
    size: i32,
}

struct ThingResources;

impl Resources for ThingResources {
    type Operator = Thing;
}

impl Operator for Thing {
    type Object = Self;
    type Status = NoStatus;
    type Resources = ThingResources;
    const NODES: &'static [Meta] = &[];

    fn crd() -> Option<CustomResourceDefinition> {
        Some(<Self as kube::CustomResourceExt>::crd())
    }

    fn graph(_: ThingResources) -> Graph<Self> {
        Graph::new()
    }
}

struct Existing;

struct ExistingResources;

impl Resources for ExistingResources {
    type Operator = Existing;
}

impl Operator for Existing {
    type Object = ConfigMap;
    type Status = NoStatus;
    type Resources = ExistingResources;
    const NAME: Option<&'static str> = Some("existing");
    const NODES: &'static [Meta] = &[];

    fn graph(_: ExistingResources) -> Graph<Self> {
        Graph::new()
    }
}

/// A kind whose spec contains itself.
#[derive(JsonSchema)]
struct Endless {
    #[expect(dead_code, reason = "only the schema is looked at")]
    inner: Vec<Endless>,
}

struct EndlessResources;

impl Resources for EndlessResources {
    type Operator = Endless;
}

impl Operator for Endless {
    type Object = Thing;
    type Status = NoStatus;
    type Resources = EndlessResources;
    const NODES: &'static [Meta] = &[];

    fn crd() -> Option<CustomResourceDefinition> {
        let _schema =
            crate::schema::object::<Self, NoStatus>(&mut schemars::SchemaGenerator::default(), "Endless", None, []);
        None
    }

    fn graph(_: EndlessResources) -> Graph<Self> {
        Graph::new()
    }
}

/// Its set-ups must not run.
fn app() -> App {
    App::new("thing-operator")
        .operator(|_| async { anyhow::bail!("set up") as anyhow::Result<ThingResources> })
        .operator(|_| async { anyhow::bail!("set up") as anyhow::Result<ExistingResources> })
}

fn client() -> kube::Client {
    let service =
        tower::service_fn(async |_| Err::<http::Response<kube::client::Body>, _>(tower::BoxError::from("away")));
    kube::Client::new(service, "default")
}

async fn run_in(app: App) -> String {
    format!(
        "{:#}",
        app.run_in(client(), RunSettings::default(), CancellationToken::new())
            .await
            .unwrap_err()
    )
}

#[tokio::test]
async fn an_election_that_makes_no_sense_ends_the_app_at_once() {
    let election = LeaderElection {
        lease_duration: Duration::from_secs(10),
        ..LeaderElection::new()
    };
    let settings = RunSettings {
        leader_election: Some(election),
        ..RunSettings::default()
    };
    let err = app()
        .run_in(client(), settings, CancellationToken::new())
        .await
        .unwrap_err();
    assert!(err.to_string().contains("renew deadline"), "{err}");
}

#[test]
fn crd_prints_own_kinds_without_setting_anything_up() {
    let yaml =
        super::yaml::documents(&super::crds::of(&app(), super::descriptions::Descriptions::Full).unwrap()).unwrap();
    let read: Vec<CustomResourceDefinition> = serde_saphyr::from_multiple(&yaml).unwrap();
    assert_eq!(read, [<Thing as kube::CustomResourceExt>::crd()]);
    assert!(
        yaml.starts_with("---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"),
        "{yaml}"
    );
}

#[test]
fn a_kind_of_which_no_definition_can_be_made_is_an_error() {
    let app = || App::new("endless").operator(|_| async { Ok(EndlessResources) });
    let err = super::crds::of(&app(), super::descriptions::Descriptions::Full).unwrap_err();
    assert!(
        err.to_string().starts_with(
            "no CustomResourceDefinition can be made of `Endless`: `.spec.inner[]` is of a type that contains itself"
        ),
        "{err}"
    );
    assert_eq!(app().run_with(["crd"]), std::process::ExitCode::FAILURE);
}

#[test]
fn exit_codes_tell_success_failure_and_wrong_usage() {
    let code = |app: App, args: &[&'static str]| format!("{:?}", app.run_with(args.to_vec()));
    let known = |code: u8| format!("{:?}", std::process::ExitCode::from(code));
    assert_eq!(code(app(), &["crd"]), known(0));
    assert_eq!(code(app(), &["--help"]), known(0));
    assert_eq!(code(App::new("empty"), &["crd"]), known(1));
    assert_eq!(code(app(), &["walk"]), known(2));
    assert_eq!(code(app(), &[]), known(2));
}

#[tokio::test]
async fn a_name_that_two_operators_share_is_an_error() {
    let app = app().operator(|_| async { Ok(ExistingResources) });
    assert!(run_in(app).await.contains("two operators are named `existing`"));
    assert!(run_in(App::new("empty")).await.contains("no operator"));
}

#[tokio::test]
async fn an_error_and_a_panic_in_the_set_up_end_the_app() {
    let failing = App::new("x").operator(|_| async { anyhow::bail!("no cloud") as anyhow::Result<ThingResources> });
    assert_eq!(
        run_in(failing).await,
        "operator `things.demo.example.com`: the set-up of its resources failed: no cloud"
    );
    let panicking =
        App::new("x").operator(|_| -> std::future::Ready<anyhow::Result<ThingResources>> { panic!("oh no") });
    assert_eq!(
        run_in(panicking).await,
        "operator `things.demo.example.com`: the set-up of its resources failed: panicked: oh no"
    );
}

#[tokio::test]
async fn a_set_up_that_waits_does_not_hold_up_the_end() {
    let shutdown = CancellationToken::new();
    let cancel = shutdown.clone();
    let app = App::new("x").operator(|env| async move {
        assert_eq!((env.app_name(), env.namespaces()), ("x", &["a".to_owned()][..]));
        cancel.cancel();
        std::future::pending::<anyhow::Result<ThingResources>>().await
    });
    let settings = RunSettings {
        namespaces: vec!["a".to_owned()],
        ..RunSettings::default()
    };
    app.run_in(client(), settings, shutdown).await.unwrap();
}
