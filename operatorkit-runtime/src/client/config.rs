//! What a user says of the API server and of the credentials for it.

use std::{fmt, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use secrecy::SecretString;

use super::connect::connect;

/// Where the API server is, and as whom it is spoken to.
///
/// A program needs none of this: by default a client is found as `kubectl` finds it, and otherwise as a Pod does: `$KUBECONFIG`, which may name
/// several files, else `~/.kube/config`, else the Pod's service account. What a program says by [`App::client`](crate::app::App::client)
/// replaces that, and what is said on the command line replaces what the program says, as a whole: parts are not mixed.
///
/// # Ways
///
/// A kubeconfig, with its current context or another one (on the command line `--kubeconfig FILE --context NAME`):
///
/// ```
/// # use operatorkit_runtime::{ClientConfig, app::App};
/// # let _ =
/// App::new("webapp-operator").client(ClientConfig::new().kubeconfig("/etc/webapp/kubeconfig").context("production"))
/// # ;
/// ```
///
/// The service account of the Pod, also where a kubeconfig lies about (`--in-cluster`):
///
/// ```
/// # use operatorkit_runtime::{ClientConfig, app::App};
/// # let _ =
/// App::new("webapp-operator").client(ClientConfig::new().in_cluster())
/// # ;
/// ```
///
/// An address, and a token that is in a file (`--server URL --certificate-authority FILE --token-file FILE`):
///
/// ```
/// # use operatorkit_runtime::{ClientConfig, app::App};
/// # let _ =
/// App::new("webapp-operator").client(
///     ClientConfig::new()
///         .server("https://10.0.0.1:6443")
///         .certificate_authority_file("/etc/webapp/ca.crt")
///         .token_file("/var/run/secrets/webapp/token"),
/// )
/// # ;
/// ```
///
/// An address, and a client certificate that is in files (`--server URL --certificate-authority FILE --client-certificate FILE --client-key FILE`):
///
/// ```
/// # use operatorkit_runtime::{ClientConfig, app::App};
/// # let _ =
/// App::new("webapp-operator").client(
///     ClientConfig::new()
///         .server("https://10.0.0.1:6443")
///         .certificate_authority_file("/etc/webapp/ca.crt")
///         .client_certificate_file("/etc/webapp/client.crt")
///         .client_key_file("/etc/webapp/client.key"),
/// )
/// # ;
/// ```
///
/// An address, and raw bytes, wherever they are from:
///
/// ```no_run
/// # use operatorkit_runtime::{ClientConfig, app::App};
/// # fn from_the_vault(_: &str) -> Vec<u8> { Vec::new() }
/// # let _ =
/// App::new("webapp-operator").client(
///     ClientConfig::new()
///         .server("https://10.0.0.1:6443")
///         .certificate_authority(from_the_vault("ca.crt"))
///         .client_certificate(from_the_vault("client.crt"))
///         .client_key(from_the_vault("client.key")),
/// )
/// # ;
/// ```
///
/// The same with a bearer token, for a program of one's own that is no [`App`](crate::app::App):
///
/// ```no_run
/// # use operatorkit_runtime::ClientConfig;
/// # async fn other(ca: &[u8], token: String) -> anyhow::Result<()> {
/// let config = ClientConfig::new().server("https://10.0.0.1:6443").certificate_authority(ca).token(token);
/// let client = config.connect().await?;
/// # Ok(()) }
/// ```
///
/// # What does not go together
///
/// What could be meant in two ways is refused in words, before anything is sent: a kubeconfig and an address, or either and the service account;
/// the bytes and the file of one thing; a token and a token file; a certificate without its key, and the reverse; a token and a client
/// certificate, of which the API server would take the certificate (a kubeconfig may have both, for a proxy in between);
/// credentials without an address that they are for, or for one that is not `https`.
///
/// # Rotation
///
/// Tokens, certificates, keys and CAs that are in files may change at any time: those of a service account, of a kubeconfig, and those named
/// here. Nothing has to be restarted. New requests use the new files; running watches go on until they end by themselves.
///
/// - The files are looked at when there is a request, at most every 5 seconds, and compared by their contents.
/// - An answer 401 has them looked at as well, and the request sent once more if they are new: it was not carried out. So has a connection
///   that fails, as when the server's certificate is of a new CA; that request fails, as others do, and what sent it tries again.
/// - Files that cannot be read or do not fit each other yet (a certificate is there before its key) change nothing: the last good ones stay in use,
///   which is logged once, and they are looked at again.
/// - A kubeconfig is read again when it changes, with the context that it had at the start. A change of the server's address is not
///   followed, since everything that is known is about the old one; it is logged, and a restart follows it.
/// - Bytes do not change.
///
/// # Credential plugins
///
/// A kubeconfig's `exec` plugins work as [kube](kube::config) has them: the plugin runs at the start (it may run up to three times then), gets
/// `KUBERNETES_EXEC_INFO`, and gives a token or a client certificate. A token with an `expirationTimestamp` is asked for again a minute before
/// that. A token without one, and a client certificate, are asked for again after an answer 401, and a certificate a minute before its
/// `expirationTimestamp`; each at most every ten seconds. `interactiveMode` is heeded; what a plugin says on its standard output or was given in its
/// environment is never shown, so run it by hand if it fails. Of the old `auth-provider`s, `gcp` works with its command and `oidc` with an
/// `id-token` that is valid; `azure` does not.
///
/// A proxy (`proxy-url` in a kubeconfig, `HTTPS_PROXY`) needs kube's features `http-proxy` or `socks5`, which a program turns on by a dependency on kube of
/// its own.
///
/// # Secrets
///
/// Tokens and keys are in no `Debug`, no error and no log. There is no flag for a token: every process of the machine could read it.
#[derive(Clone, Default)]
#[must_use = "a configuration does nothing before it is given to `App::client` or connected"]
pub struct ClientConfig {
    pub(super) kubeconfig: Option<PathBuf>,
    pub(super) context: Option<String>,
    pub(super) in_cluster: bool,
    pub(super) server: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) tls_server_name: Option<String>,
    pub(super) ca: Given<String>,
    pub(super) certificate: Given<String>,
    pub(super) key: Given<SecretString>,
    pub(super) token: Given<SecretString>,
}

/// Something by itself, in Base64 if it is bytes, or by a file; both are refused later.
#[derive(Clone, Debug)]
pub(super) struct Given<T> {
    pub(super) data: Option<T>,
    pub(super) file: Option<PathBuf>,
}

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self { data: None, file: None }
    }
}

impl<T> Given<T> {
    pub(super) fn is_given(&self) -> bool {
        self.data.is_some() || self.file.is_some()
    }
}

impl ClientConfig {
    /// What is found: a kubeconfig, else the Pod's service account.
    pub fn new() -> Self {
        Self::default()
    }

    /// This kubeconfig, and no other.
    pub fn kubeconfig(mut self, file: impl Into<PathBuf>) -> Self {
        self.kubeconfig = Some(file.into());
        self
    }

    /// This context of the kubeconfig, instead of its current one.
    pub fn context(mut self, name: impl Into<String>) -> Self {
        self.context = Some(name.into());
        self
    }

    /// The service account of the Pod, whether or not there is a kubeconfig.
    pub fn in_cluster(mut self) -> Self {
        self.in_cluster = true;
        self
    }

    /// The address of the API server: `https://<host>[:<port>][/<path>]`. `http` is for a proxy such as `kubectl proxy`, which has
    /// credentials of its own.
    pub fn server(mut self, url: impl Into<String>) -> Self {
        self.server = Some(url.into());
        self
    }

    /// The namespace of what names none, such as the Lease of a leader election; with a [`server`](Self::server). Default `default`.
    pub fn namespace(mut self, name: impl Into<String>) -> Self {
        self.namespace = Some(name.into());
        self
    }

    /// The name that the server's certificate is for, if it is not the host of its address.
    pub fn tls_server_name(mut self, name: impl Into<String>) -> Self {
        self.tls_server_name = Some(name.into());
        self
    }

    /// The certificates that the server's is signed by, in PEM. Without them, and without a [file](Self::certificate_authority_file), the
    /// system's count.
    pub fn certificate_authority(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.ca.data = Some(BASE64.encode(pem));
        self
    }

    /// The file with the certificates that the server's is signed by, in PEM. It may change.
    pub fn certificate_authority_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.ca.file = Some(file.into());
        self
    }

    /// The client's certificate, and those between it and the CA, in PEM. It needs its [key](Self::client_key).
    pub fn client_certificate(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.certificate.data = Some(BASE64.encode(pem));
        self
    }

    /// The file with the client's certificate in PEM. It may change.
    pub fn client_certificate_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.certificate.file = Some(file.into());
        self
    }

    /// The private key of the client's certificate, in PEM (PKCS #8, PKCS #1 or SEC 1).
    pub fn client_key(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.key.data = Some(BASE64.encode(pem).into());
        self
    }

    /// The file with the private key of the client's certificate, in PEM. It may change, and may be the file of the certificate.
    pub fn client_key_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.key.file = Some(file.into());
        self
    }

    /// The bearer token.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token.data = Some(token.into().into());
        self
    }

    /// The file with the bearer token; white space around it does not count. It may change.
    pub fn token_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.token.file = Some(file.into());
        self
    }

    /// Whether nothing was said.
    pub(crate) fn is_empty(&self) -> bool {
        let Self {
            kubeconfig,
            context,
            in_cluster,
            server,
            namespace,
            tls_server_name,
            ca,
            certificate,
            key,
            token,
        } = self;
        kubeconfig.is_none()
            && [context, server, namespace, tls_server_name]
                .into_iter()
                .all(Option::is_none)
            && !(*in_cluster || ca.is_given() || certificate.is_given() || key.is_given() || token.is_given())
    }

    /// A client, for a program that is no [`App`](crate::app::App). It sends nothing yet, must be made on a tokio runtime, and lives as long as
    /// that. Requests that fail are not sent again by it; each has its limits of time.
    ///
    /// # Errors
    /// What does not go together, a file that cannot be read or used, or that there is nothing to be found.
    pub async fn connect(&self) -> anyhow::Result<kube::Client> {
        let agent = concat!("operatorkit/", env!("CARGO_PKG_VERSION"));
        connect(self, http::HeaderValue::from_static(agent), None).await
    }
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ClientConfig");
        shown
            .field("kubeconfig", &self.kubeconfig)
            .field("context", &self.context)
            .field("in_cluster", &self.in_cluster)
            .field("server", &self.server)
            .field("namespace", &self.namespace)
            .field("tls_server_name", &self.tls_server_name);
        // Certificates are no secrets, but nobody reads them.
        for (name, given, file) in [
            ("certificate_authority", self.ca.data.is_some(), &self.ca.file),
            (
                "client_certificate",
                self.certificate.data.is_some(),
                &self.certificate.file,
            ),
            ("client_key", self.key.data.is_some(), &self.key.file),
            ("token", self.token.data.is_some(), &self.token.file),
        ] {
            match file {
                Some(file) => shown.field(name, file),
                None if given => shown.field(name, &"…"),
                None => shown.field(name, &None::<()>),
            };
        }
        shown.finish()
    }
}
