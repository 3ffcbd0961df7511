//! What does not go together: it could be meant in two ways, or would send a secret in the clear.

use anyhow::{Context as _, bail, ensure};
use http::Uri;

use super::config::{ClientConfig, Given};

/// # Errors
/// In words, with the names of methods and flags.
pub(super) fn check(config: &ClientConfig) -> anyhow::Result<()> {
    one_place(config)?;
    once("certificate_authority", "--certificate-authority", &config.ca)?;
    once("client_certificate", "--client-certificate", &config.certificate)?;
    once("client_key", "--client-key", &config.key)?;
    once("token", "--token-file", &config.token)?;
    match (config.certificate.is_given(), config.key.is_given()) {
        (true, false) => {
            bail!("a client certificate needs its key: add `client_key` or `client_key_file` (--client-key)")
        }
        (false, true) => {
            bail!(
                "a client key needs its certificate: add `client_certificate` or `client_certificate_file` (--client-certificate)"
            )
        }
        _ => {}
    }
    ensure!(
        !(config.certificate.is_given() && config.token.is_given()),
        "a token and a client certificate are given, and the API server would take the certificate: give one of them, or both in a kubeconfig"
    );
    match &config.server {
        Some(server) => address(server, config),
        None => no_parts(config),
    }
}

/// A kubeconfig, the service account, or an address.
fn one_place(config: &ClientConfig) -> anyhow::Result<()> {
    let kubeconfig = config.kubeconfig.is_some() || config.context.is_some();
    let named = match (kubeconfig, config.in_cluster, config.server.is_some()) {
        (true, true, _) => "a kubeconfig or its context and the Pod's service account (`in_cluster`, --in-cluster)",
        (true, _, true) => "a kubeconfig or its context and an API server's address (`server`, --server)",
        (_, true, true) => {
            "the Pod's service account (`in_cluster`, --in-cluster) and an API server's address (`server`, --server)"
        }
        _ => return Ok(()),
    };
    bail!("{named} are given, and may be about different clusters: give one of them")
}

fn once<T>(method: &str, flag: &str, given: &Given<T>) -> anyhow::Result<()> {
    ensure!(
        given.data.is_none() || given.file.is_none(),
        "`{method}` and `{method}_file` ({flag}) are given: give one of them"
    );
    Ok(())
}

/// The parts are for an address.
fn no_parts(config: &ClientConfig) -> anyhow::Result<()> {
    let parts = [
        (config.ca.is_given(), "a certificate authority"),
        (config.certificate.is_given(), "a client certificate"),
        (config.token.is_given(), "a token"),
        (config.tls_server_name.is_some(), "a TLS server name"),
        (config.namespace.is_some(), "a namespace"),
    ];
    match parts.iter().find(|(given, _)| *given) {
        Some((_, part)) => bail!(
            "{part} is given without the address of the API server that it is for: add `server` (--server), or put it into a kubeconfig"
        ),
        None => Ok(()),
    }
}

fn address(server: &str, config: &ClientConfig) -> anyhow::Result<()> {
    let wanted = "write `https://<host>[:<port>][/<path>]`";
    // Not quoted: it may hold a password.
    let url: Uri = server
        .parse()
        .ok()
        .with_context(|| format!("the API server's address is no URL: {wanted}"))?;
    let authority = url
        .authority()
        .with_context(|| format!("the API server's address has no host: {wanted}"))?;
    ensure!(
        !authority.as_str().contains('@'),
        "the API server's address has a user or password in it: give credentials by a token or a client certificate"
    );
    ensure!(url.query().is_none(), "the API server's address has a query: {wanted}");
    match url.scheme_str() {
        Some("https") => Ok(()),
        Some("http") => {
            let secrets = config.token.is_given() || config.certificate.is_given();
            ensure!(
                !secrets && !config.ca.is_given() && config.tls_server_name.is_none(),
                "the API server's address is `http`, where anybody could read the credentials and nothing proves who answers: \
                 use `https`, or give no credentials"
            );
            Ok(())
        }
        _ => bail!("the API server's address is neither `https` nor `http`: {wanted}"),
    }
}
