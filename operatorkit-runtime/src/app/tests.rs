//! The app as its user sees it: the command line, its settings and its errors.

use std::{path::PathBuf, time::Duration};

use clap::error::ErrorKind;
use k8s_openapi::{
    api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{
    App, RunSettings,
    cli::{self, Command, LogFormat, RunArgs},
};
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

fn run_args(args: &[&str]) -> Result<RunArgs, clap::Error> {
    let Command::Run(args) = cli::parse(&app(), [&["run"], args].concat())?.command else {
        panic!("another command");
    };
    Ok(*args)
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

#[test]
fn nothing_said_means_the_defaults() {
    let args = run_args(&[]).unwrap();
    let served = RunSettings {
        metrics_address: Some("[::]:8080".parse().unwrap()),
        health_address: Some("[::]:8081".parse().unwrap()),
        ..RunSettings::default()
    };
    assert_eq!(args.settings(RunSettings::default().resync), served);
    assert_eq!((args.log_format, &*args.log_level), (LogFormat::Text, "info"));
    assert!(args.client.config().is_none());
}

#[test]
fn all_that_can_be_said_is_heard() {
    let args = run_args(&[
        "--kubeconfig=/k",
        "--context=c",
        "--namespace=b",
        "--namespace",
        "a",
        "--namespace=b",
        "--concurrency=3",
        "--resync=1h 30m",
        "--shutdown-timeout=0s",
        "--metrics-address=127.0.0.1:9",
        "--health-address=0",
        "--log-format=json",
        "--log-level=warn,operatorkit_runtime=debug",
    ])
    .unwrap();
    let wanted = RunSettings {
        namespaces: vec!["a".to_owned(), "b".to_owned()],
        concurrency: 3,
        resync: Duration::from_mins(90),
        shutdown_timeout: Duration::ZERO,
        leader_election: None,
        metrics_address: Some("127.0.0.1:9".parse().unwrap()),
        health_address: None,
    };
    assert_eq!(args.settings(Duration::from_secs(1)), wanted);
    assert_eq!(
        (args.log_format, &*args.log_level),
        (LogFormat::Json, "warn,operatorkit_runtime=debug")
    );
    assert_eq!(
        (args.client.kubeconfig, args.client.context),
        (Some(PathBuf::from("/k")), Some("c".to_owned()))
    );
}

#[test]
fn what_is_said_of_the_api_server_is_heard() {
    let args = run_args(&[
        "--server=https://x",
        "--certificate-authority=/ca",
        "--tls-server-name=n",
        "--client-certificate=/c",
        "--client-key=/k",
        "--token-file=/t",
        "--in-cluster",
    ]);
    let wanted = crate::ClientConfig::new()
        .server("https://x")
        .certificate_authority_file("/ca")
        .tls_server_name("n")
        .client_certificate_file("/c")
        .client_key_file("/k")
        .token_file("/t")
        .in_cluster();
    let said = args.unwrap().client.config().unwrap();
    assert_eq!(format!("{said:?}"), format!("{wanted:?}"));
    for one in [
        "--kubeconfig=/k",
        "--context=c",
        "--in-cluster",
        "--token-file=/t",
        "--client-key=/k",
    ] {
        assert!(run_args(&[one]).unwrap().client.config().is_some(), "{one}");
    }
}

#[test]
fn a_leader_election_is_off_unless_it_is_asked_for() {
    let election = |args: &[&str]| run_args(args).unwrap().settings(Duration::from_secs(1)).leader_election;
    assert_eq!(election(&["--leader-elect-name=x"]), None);
    assert_eq!(election(&["--leader-elect=false"]), None);
    assert_eq!(election(&["--leader-elect"]), Some(LeaderElection::new()));
    let all = election(&[
        "--leader-elect=true",
        "--leader-elect-name=x",
        "--leader-elect-namespace=y",
        "--leader-elect-lease-duration=1m",
        "--leader-elect-renew-deadline=40s",
        "--leader-elect-retry-period=500ms",
    ]);
    let wanted = LeaderElection {
        lease_duration: Duration::from_mins(1),
        renew_deadline: Duration::from_secs(40),
        retry_period: Duration::from_millis(500),
        ..LeaderElection::new().name("x").namespace("y")
    };
    assert_eq!(all, Some(wanted.clone()));
    let kubernetes = [
        "--leader-elect",
        "--leader-elect-resource-name=x",
        "--leader-elect-resource-namespace=y",
    ];
    let short = LeaderElection::new().name("x").namespace("y");
    assert_eq!(election(&kubernetes), Some(short));
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
fn the_programs_resync_holds_unless_the_command_line_says_otherwise() {
    let resync = |args: &[&str]| {
        run_args(args)
            .unwrap()
            .settings(app().resync(Duration::from_secs(7)).resync)
            .resync
    };
    assert_eq!(resync(&[]), Duration::from_secs(7));
    assert_eq!(resync(&["--resync=90s"]), Duration::from_secs(90));
}

#[test]
fn wrong_values_are_refused_with_their_names() {
    for (wrong, hint) in [
        ("--concurrency=0", "--concurrency"),
        ("--resync=0s", "never let an object rest"),
        ("--resync=5", "`90s`"),
        ("--shutdown-timeout=-1s", "negative"),
        ("--log-format=xml", "[possible values: text, json]"),
        ("--log-level=app=loud", "--log-level"),
        ("--namespace=", "--namespace"),
        ("--metrics-address=8080", "`:8080`"),
        ("--health-address=:port", "`:8080`"),
        ("--health-address=localhost:1", "`127.0.0.1:8080`"),
    ] {
        let err = run_args(&[wrong]).unwrap_err().to_string();
        assert!(err.contains(hint), "{wrong}: {err}");
    }
}

#[test]
fn the_help_names_the_app_and_its_kinds() {
    for args in [vec!["--help"], vec!["run", "--help"]] {
        let help = cli::parse(&app(), args).unwrap_err();
        assert_eq!(help.kind(), ErrorKind::DisplayHelp);
        let help = help.to_string();
        for wanted in [
            "thing-operator",
            "things.demo.example.com",
            "Thing (demo.example.com/v1)",
            "ConfigMap (v1)",
        ] {
            assert!(help.contains(wanted), "no {wanted} in {help}");
        }
    }
    let version = cli::parse(&app().version("1.2.3"), ["--version"])
        .unwrap_err()
        .to_string();
    assert_eq!(version.trim(), "thing-operator 1.2.3");
    assert_eq!(
        cli::parse(&app(), ["--version"]).unwrap_err().kind(),
        ErrorKind::UnknownArgument
    );
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

#[test]
fn release_is_told_what_and_where() {
    let parsed = cli::parse(
        &app(),
        ["release", "x", "--namespace=a", "--operator=existing", "--dry-run"],
    )
    .unwrap();
    assert!(matches!(parsed.command, Command::Release(_)));
    let refused = cli::parse(&app(), ["release", "--namespace="]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidValue);
    let help = cli::parse(&app(), ["release", "--help"]).unwrap_err().to_string();
    for part in [
        "delete nothing",
        "after it was stopped",
        "  existing  for ConfigMap (v1)",
        "--leader-elect-namespace",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}
