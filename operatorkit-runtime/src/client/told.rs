//! Errors as they are told: without tokens, keys and what holds them.

use anyhow::anyhow;
use kube::{client::AuthError, config::KubeconfigError};
use tower::BoxError;

/// A kubeconfig holds keys and tokens: of a file that does not parse, the error's text would show lines.
pub(super) fn kubeconfig(err: KubeconfigError, origin: &str) -> anyhow::Error {
    match err {
        KubeconfigError::Parse(err) => {
            let place = err
                .location()
                .map(|at| format!(" at line {}, column {}", at.line(), at.column()))
                .unwrap_or_default();
            anyhow!("the kubeconfig ({origin}) cannot be parsed{place}")
        }
        err => anyhow::Error::new(err).context(format!("the kubeconfig ({origin}) cannot be used")),
    }
}

/// kube's error when a client is made.
pub(super) fn client(err: kube::Error) -> anyhow::Error {
    match err {
        kube::Error::Auth(err) => plugin(&err).map_or_else(|| err.into(), |told| anyhow!(told)),
        kube::Error::InferKubeconfig(err) => kubeconfig(err, "its files"),
        err => err.into(),
    }
}

/// An error of a request: a plugin may run for each.
pub(super) fn request(err: kube::Error) -> BoxError {
    match err {
        kube::Error::Service(err) => match err.downcast_ref().and_then(plugin) {
            Some(told) => told.into(),
            None => err,
        },
        kube::Error::Auth(err) => plugin(&err).map_or_else(|| err.into(), Into::into),
        err => err.into(),
    }
}

/// What a credential plugin writes is a credential, and what it is given may be one: kube's texts show both.
fn plugin(err: &AuthError) -> Option<String> {
    match err {
        AuthError::AuthExecRun { out, .. } => Some(format!(
            "the credential plugin of the kubeconfig failed ({}): run it by hand to see why",
            out.status
        )),
        AuthError::AuthExecParse(_) | AuthError::ParseTokenKey(_) => Some(
            "what the credential plugin of the kubeconfig wrote is no ExecCredential: run it by hand to see it"
                .to_owned(),
        ),
        _ => None,
    }
}
