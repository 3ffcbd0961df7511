//! The command `manifests`: all that installs the app, as YAML.

use serde_json::{Value, json};

use super::{
    App, crds,
    descriptions::Descriptions,
    install_args::InstallArgs,
    rbac,
    rights::{self, Installation},
    yaml,
};

/// What `manifests` is told.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ManifestsArgs {
    #[command(flatten)]
    install: InstallArgs,

    /// The image of the app, whose entry point is the app itself; it must run as a numeric user other than 0
    #[arg(long, value_name = "IMAGE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    image: String,

    /// How much the CRDs tell of each field
    #[arg(long, value_name = "HOW MUCH", value_enum, default_value_t)]
    descriptions: Descriptions,

    /// How many Pods; more than one of them agree by `--leader-elect`
    #[arg(long, value_name = "N", default_value_t = 1)]
    replicas: u16,
}

/// Prints the namespace, the CRDs, the rights and the Deployment, in the order in which they are applied.
pub(super) fn print(app: &App, args: &ManifestsArgs) -> anyhow::Result<()> {
    app.check()?;
    yaml::print(&yaml::documents(&objects(app, args)?)?)
}

fn objects(app: &App, args: &ManifestsArgs) -> anyhow::Result<Vec<Value>> {
    let mut install = args.install.clone();
    install.leader_elect |= args.replicas > 1;
    let at = install.installation(app)?;
    let needs = install.needs(app)?;
    rbac::tell(app, &needs);
    let mut objects = vec![namespace(&at)];
    for crd in crds::printable(app, args.descriptions)? {
        objects.push(serde_json::to_value(crd)?);
    }
    objects.extend(rights::objects(&needs, &at)?);
    objects.push(deployment(&at, args, &install.run_args()));
    Ok(objects)
}

/// Its Pods keep to the strictest of the Pod Security Standards, and no other Pod in it may do otherwise.
fn namespace(at: &Installation) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": at.namespace,
            "labels": { "app.kubernetes.io/name": at.name, "pod-security.kubernetes.io/enforce": "restricted" },
        },
    })
}

fn deployment(at: &Installation, args: &ManifestsArgs, run: &[String]) -> Value {
    // Without an election the old Pod has to be gone before a new one works.
    let strategy = if args.replicas > 1 || args.install.leader_elect {
        "RollingUpdate"
    } else {
        "Recreate"
    };
    let labels = json!({ "app.kubernetes.io/name": at.name });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": at.metadata(Some(&at.namespace)),
        "spec": {
            "replicas": args.replicas,
            "strategy": { "type": strategy },
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "serviceAccountName": at.name,
                    "securityContext": { "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } },
                    "containers": [container(args, run)],
                },
            },
        },
    })
}

fn container(args: &ManifestsArgs, run: &[String]) -> Value {
    json!({
        "name": "operator",
        "image": args.image,
        "args": run,
        // The defaults of `run`.
        "ports": [{ "name": "metrics", "containerPort": 8080 }, { "name": "health", "containerPort": 8081 }],
        "livenessProbe": probe("/healthz"),
        "readinessProbe": probe("/readyz"),
        "resources": { "requests": { "cpu": "10m", "memory": "64Mi" } },
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": { "drop": ["ALL"] },
            "readOnlyRootFilesystem": true,
        },
    })
}

fn probe(path: &str) -> Value {
    json!({ "httpGet": { "path": path, "port": "health" } })
}
