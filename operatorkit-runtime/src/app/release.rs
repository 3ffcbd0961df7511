//! The command `release`: the way out before an app is uninstalled.

use std::{
    io::{self, Write as _},
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::{bail, ensure};
use clap::builder::NonEmptyStringValueParser;
use futures::future::join_all;

use super::{
    App,
    client_args::{self, ClientArgs},
    install_args,
};
use crate::{
    cluster::Cluster,
    leader::{Held, LeaderElection, held},
    release::{Asked, Told},
};

/// What `release` is told.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ReleaseArgs {
    /// Only the objects of these names, and their children [default: all]
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    names: Vec<String>,

    /// Only the objects of this namespace, and their children; may be repeated [default: all namespaces]
    #[arg(long = "namespace", value_name = "NAMESPACE", value_parser = NonEmptyStringValueParser::new())]
    namespaces: Vec<String>,

    /// Only what belongs to this operator; may be repeated [default: all operators of the app]
    #[arg(long = "operator", value_name = "OPERATOR")]
    operators: Vec<String>,

    /// Print what would be released, and change nothing; the app may run
    #[arg(long)]
    dry_run: bool,

    /// The name of the Lease, where the app runs with `--leader-elect-name` [default: the app's name]
    #[arg(long, alias = "leader-elect-resource-name", value_name = "NAME")]
    leader_elect_name: Option<String>,

    /// The namespace of the Lease [default: the Pod's, or that of the kubeconfig's context, and the one that `manifests` installs the app in]
    #[arg(long, alias = "leader-elect-resource-namespace", value_name = "NAMESPACE")]
    leader_elect_namespace: Option<String>,

    #[command(flatten)]
    client: ClientArgs,
}

/// Releases what is asked for, and prints each thing as it is released.
pub(super) async fn release(app: &App, args: &ReleaseArgs) -> anyhow::Result<()> {
    let known: Vec<_> = app.operators.iter().map(|operator| operator.name()).collect();
    if let Some(unknown) = args.operators.iter().find(|name| !known.contains(name)) {
        bail!(
            "there is no operator `{unknown}`: this program has {}",
            known.join(", ")
        );
    }
    let client = client_args::connect(&args.client, app, None).await?;
    if !args.dry_run {
        check_stopped(app, args, &client).await?;
    }
    let mut namespaces = args.namespaces.clone();
    namespaces.sort_unstable();
    namespaces.dedup();
    let asked = Asked {
        namespaces,
        names: args.names.clone(),
        dry_run: args.dry_run,
    };
    let teller = Teller::new(&app.name);
    let tell = |told| teller.tell(told);
    let chosen = app
        .operators
        .iter()
        .filter(|operator| args.operators.is_empty() || args.operators.contains(&operator.name()));
    let ends = join_all(chosen.map(async |operator| {
        // One that cannot be released does not hold up the others.
        match operator.release(client.clone(), &asked, &tell).await {
            Err(err) if !err.is::<io::Error>() => Ok(tell(Told::Failed(format!("{err:#}")))?),
            end => end,
        }
    }))
    .await;
    ends.into_iter().collect::<anyhow::Result<Vec<()>>>()?;
    teller.end()
}

/// Where the app runs with an election, its Lease tells whether it still does: an operator that runs takes back what is released.
async fn check_stopped(app: &App, args: &ReleaseArgs, client: &kube::Client) -> anyhow::Result<()> {
    let election = LeaderElection {
        name: args.leader_elect_name.clone(),
        namespace: args.leader_elect_namespace.clone(),
        ..LeaderElection::new()
    };
    election.check()?;
    let name = election.name_for(&app.name)?;
    let namespaces = match election.namespace {
        Some(namespace) => vec![namespace],
        None => {
            let mut namespaces = vec![client.default_namespace().to_owned()];
            namespaces.extend(install_args::name(&app.name).ok().filter(|it| !namespaces.contains(it)));
            namespaces
        }
    };
    let cluster = Cluster::new(client.clone(), &app.name);
    let looks = join_all(namespaces.iter().map(async |namespace| {
        let waits = |holder: &str| {
            eprintln!(
                "{}: `{holder}` holds the Lease `{namespace}/{name}`: waiting to see whether it still renews it",
                app.name
            );
        };
        held(&cluster, namespace, &name, waits).await
    }))
    .await;
    let mut elects = false;
    for (namespace, look) in namespaces.iter().zip(looks) {
        match look {
            Ok(Held::By(holder)) => bail!(
                "the app still runs: `{holder}` holds the Lease `{namespace}/{name}` and renews it. Stop it first (scale its Deployment to zero), \
                 since it would take back what is released; nothing was changed"
            ),
            Ok(Held::Free) => elects = true,
            Ok(Held::Absent) => {}
            Err(failure) => eprintln!(
                "{}: cannot tell by a Lease whether the app still runs: {failure}",
                app.name
            ),
        }
    }
    if !elects {
        eprintln!(
            "{}: no Lease tells whether the app still runs: it has to be stopped first (scale its Deployment to zero)",
            app.name
        );
    }
    Ok(())
}

/// Prints what comes, and counts it.
struct Teller<'a> {
    app: &'a str,
    lines: AtomicUsize,
    failures: AtomicUsize,
}

impl<'a> Teller<'a> {
    fn new(app: &'a str) -> Self {
        Self {
            app,
            lines: AtomicUsize::new(0),
            failures: AtomicUsize::new(0),
        }
    }

    /// What was released goes to stdout, the rest to stderr.
    fn tell(&self, told: Told) -> io::Result<()> {
        match told {
            Told::Line(line) => {
                self.lines.fetch_add(1, Ordering::Relaxed);
                let mut out = io::stdout().lock();
                writeln!(out, "{line}")?;
                out.flush()
            }
            Told::Failed(line) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                writeln!(io::stderr(), "{}: {line}", self.app)
            }
            Told::Note(line) => writeln!(io::stderr(), "{}: {line}", self.app),
        }
    }

    fn end(&self) -> anyhow::Result<()> {
        let failures = self.failures.load(Ordering::Relaxed);
        ensure!(
            failures == 0,
            "not everything is released: see the {failures} messages above, and run it again when their causes are gone"
        );
        if self.lines.load(Ordering::Relaxed) == 0 {
            self.tell(Told::Line("nothing to release".to_owned()))?;
        }
        Ok(())
    }
}
