//! What is said on the command line, and what it means.

use std::{path::PathBuf, time::Duration};

use clap::error::ErrorKind;

use super::app;
use crate::{
    LeaderElection,
    app::{
        RunSettings,
        cli::{self, Command, LogFormat, RunArgs},
    },
};

fn run_args(args: &[&str]) -> Result<RunArgs, clap::Error> {
    let Command::Run(args) = cli::parse(&app(), [&["run"], args].concat())?.command else {
        panic!("another command");
    };
    Ok(*args)
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
