//! Who may talk to the API server: their tokens, and a kubeconfig for each.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use operatorkit_apiserver::access::{Authenticator, User, user::MASTERS};
use serde_json::{Value, json};

/// Users with all rights, whom tests name. The last two are what the controllers and the stand-in kubelet act as.
const NAMED: [&str; 5] = ["admin", "driver", "operator", "kcm", "kubelet"];

/// How many users of either kind can be handed out: the API server reads its token file only once.
const POOL: usize = 200;

/// The users of one control plane.
#[derive(Debug)]
pub(crate) struct Users {
    names: BTreeSet<String>,
    admins: AtomicUsize,
    strangers: AtomicUsize,
}

impl Users {
    pub(crate) fn new() -> Self {
        let pools = (0..POOL).flat_map(|n| [format!("admin-{n}"), format!("stranger-{n}")]);
        let names = NAMED.map(str::to_owned).into_iter().chain(pools).collect();
        Self {
            names,
            admins: AtomicUsize::new(0),
            strangers: AtomicUsize::new(0),
        }
    }

    /// A user with all rights whom nobody else has.
    pub(crate) fn admin(&self) -> String {
        take(&self.admins, "admin")
    }

    /// A user without any rights whom nobody else has.
    pub(crate) fn stranger(&self) -> String {
        take(&self.strangers, "stranger")
    }

    /// Is there a user of this name? In words if not.
    pub(crate) fn check(&self, user: &str) -> Result<()> {
        ensure!(
            self.names.contains(user),
            "there is no user {user:?}: take one of {}, or what Cluster::new_admin or new_stranger give",
            NAMED.join(", "),
        );
        Ok(())
    }

    /// The text of `--token-auth-file`: token, name, uid and groups in each line.
    pub(crate) fn token_file(&self) -> String {
        let mut text = String::new();
        for user in &self.names {
            let group = group(user).map(|group| format!(",\"{group}\"")).unwrap_or_default();
            let _ = writeln!(text, "{},{user},{user}{group}", token(user));
        }
        text
    }

    /// The same for the embedded server.
    pub(crate) fn authenticator(&self) -> Authenticator {
        let all = self.names.iter();
        all.fold(Authenticator::new(), |known, user| {
            known.token(token(user), identity(user))
        })
    }
}

/// A user as the embedded server knows them.
pub(super) fn identity(user: &str) -> User {
    User {
        uid: user.into(),
        ..User::new(user, group(user))
    }
}

/// Those who have every right have it by their group.
fn group(user: &str) -> Option<&'static str> {
    (!user.starts_with("stranger-")).then_some(MASTERS)
}

fn take(next: &AtomicUsize, kind: &str) -> String {
    let n = next.fetch_add(1, Ordering::Relaxed);
    assert!(
        n < POOL,
        "the control plane has only {POOL} users of the kind `{kind}`: take one per test, not per step"
    );
    format!("{kind}-{n}")
}

fn token(user: &str) -> String {
    format!("{user}-token")
}

/// How to reach the API server.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    port: u16,
    /// The certificates that the API server's own is signed by, PEM.
    ca: String,
}

impl Endpoint {
    pub(crate) fn new(port: u16, ca: String) -> Self {
        Self { port, ca }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// A client configuration that acts as `user`, without retries: a test sees what the server says.
    pub(crate) fn config(&self, user: &str) -> Result<kube::Config> {
        let mut config = kube::Config::new(self.url().parse().context("the API server's address")?);
        config.root_cert = Some(certificates(&self.ca)?);
        config.auth_info.token = Some(token(user).into());
        config.default_retry = false;
        Ok(config)
    }

    /// Must be called on a tokio runtime, whose end is the client's end.
    pub(crate) fn client(&self, user: &str) -> Result<kube::Client> {
        kube::Client::try_from(self.config(user)?).context("make a client for the control plane")
    }

    /// Writes `<user>.kubeconfig` into `folder`, whole or not at all, and answers its path.
    pub(crate) fn write_kubeconfig(&self, folder: &Path, user: &str) -> Result<PathBuf> {
        let path = folder.join(format!("{user}.kubeconfig"));
        if !path.exists() {
            let what = || format!("write {}", path.display());
            let file = tempfile::NamedTempFile::new_in(folder).with_context(what)?;
            // JSON is YAML.
            serde_json::to_writer_pretty(&file, &self.kubeconfig(user)).with_context(what)?;
            file.persist(&path).with_context(what)?;
        }
        Ok(path)
    }

    fn kubeconfig(&self, user: &str) -> Value {
        json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "clusters": [{"name": "test", "cluster": {
                "server": self.url(),
                "certificate-authority-data": BASE64_STANDARD.encode(&self.ca),
            }}],
            "users": [{"name": user, "user": {"token": token(user)}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": user, "namespace": "default"}}],
        })
    }
}

/// The certificates of a PEM text, DER.
fn certificates(pem: &str) -> Result<Vec<Vec<u8>>> {
    pem.split("-----BEGIN CERTIFICATE-----")
        .skip(1)
        .map(|part| {
            let body = part.split("-----END").next().unwrap_or_default();
            let body: String = body.split_whitespace().collect();
            BASE64_STANDARD
                .decode(body)
                .context("the API server's certificate is not PEM")
        })
        .collect()
}
