//! What `rbac` and `manifests` are told: where the app is installed, and how it will run.

use anyhow::{bail, ensure};

use super::{
    App,
    rights::{Installation, Needs, Place},
};
use crate::leader::LeaderElection;

/// Where the app is installed, and how it will run.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct InstallArgs {
    /// The app runs with `--namespace NAMESPACE`, so that a Role in it is enough; may be repeated [default: all namespaces]
    #[arg(long = "namespace", value_name = "NAMESPACE", value_parser = label)]
    namespaces: Vec<String>,

    /// The namespace of the app itself: of its ServiceAccount and of its Lease [default: the app's name]
    #[arg(long, value_name = "NAMESPACE", value_parser = label)]
    install_namespace: Option<String>,

    /// The app runs with `--leader-elect`
    #[arg(long)]
    pub(super) leader_elect: bool,

    /// The app runs with `--leader-elect-name NAME`
    #[arg(long, value_name = "NAME", requires = "leader_elect")]
    leader_elect_name: Option<String>,
}

impl InstallArgs {
    pub(super) fn installation(&self, app: &App) -> anyhow::Result<Installation> {
        let name = name(&app.name)?;
        let mut operated = self.namespaces.clone();
        operated.sort_unstable();
        operated.dedup();
        Ok(Installation {
            namespace: self.install_namespace.clone().unwrap_or_else(|| name.clone()),
            name,
            operated,
        })
    }

    /// The rights of all operators of the app, and of its election.
    pub(super) fn needs(&self, app: &App) -> anyhow::Result<Needs> {
        let mut needs = Needs::default();
        for operator in &app.operators {
            needs.merge(operator.needs()?);
        }
        needs.say(&app.rules);
        if self.leader_elect {
            let lease = self.lease().name_for(&app.name)?;
            let at = Place::Namespace(self.installation(app)?.namespace);
            let (group, leases) = ("coordination.k8s.io", "leases");
            needs.add_named(at.clone(), group, leases, Some(&lease), &["get", "update"]);
            // Of what does not exist yet, no rule can know the name.
            needs.add(at, group, leases, &["create"]);
        }
        Ok(needs)
    }

    /// The same on the command line of `run`.
    pub(super) fn run_args(&self) -> Vec<String> {
        let mut args = vec!["run".to_owned()];
        args.extend(
            self.namespaces
                .iter()
                .map(|namespace| format!("--namespace={namespace}")),
        );
        if self.leader_elect {
            args.push("--leader-elect".to_owned());
            args.extend(
                self.leader_elect_name
                    .iter()
                    .map(|name| format!("--leader-elect-name={name}")),
            );
        }
        args
    }

    fn lease(&self) -> LeaderElection {
        LeaderElection {
            name: self.leader_elect_name.clone(),
            ..LeaderElection::new()
        }
    }
}

/// The app's name as a DNS label: small letters, and `-` for what is neither letter nor digit.
pub(super) fn name(app: &str) -> anyhow::Result<String> {
    let name: String = app
        .to_ascii_lowercase()
        .replace(|char: char| !char.is_ascii_alphanumeric(), "-");
    let name = name.trim_matches('-');
    ensure!(
        !name.is_empty() && name.len() <= 63,
        "the app's name `{app}` gives no name for its ServiceAccount: 1 to 63 letters, digits and `-`"
    );
    Ok(name.to_owned())
}

/// A namespace's name, as the API server checks it (RFC 1123).
fn label(text: &str) -> anyhow::Result<String> {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let ends = !text.starts_with('-') && !text.ends_with('-');
    if text.is_empty() || text.len() > 63 || !text.bytes().all(inner) || !ends {
        bail!("a namespace has small letters, digits and `-`, at most 63, first and last a letter or digit");
    }
    Ok(text.to_owned())
}
