//! The file that clients read to find the server and to say who they are.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde_json::{Value, json};

use super::identity::Pair;

/// How a client says who it is.
#[derive(Clone, Debug)]
pub enum Credential {
    /// With a bearer token.
    Token(String),
    /// With a certificate.
    Certificate(Pair),
}

/// A kubeconfig with one cluster, user and context. `certificate` is that of the CA, in PEM; `None` without TLS.
///
/// # Panics
///
/// Never: strings, maps and lists can be written.
pub fn kubeconfig(url: &str, certificate: Option<&str>, user: &str, credential: &Credential) -> String {
    const NAME: &str = "operatorkit-apiserver";
    let mut cluster = json!({"server": url});
    if let Some(certificate) = certificate {
        cluster["certificate-authority-data"] = encoded(certificate);
    }
    let proof = match credential {
        Credential::Token(token) => json!({"token": token}),
        Credential::Certificate(pair) => json!({
            "client-certificate-data": encoded(&pair.certificate), "client-key-data": encoded(&pair.key),
        }),
    };
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": NAME,
        "clusters": [{"name": NAME, "cluster": cluster}],
        "users": [{"name": user, "user": proof}],
        "contexts": [{"name": NAME, "context": {"cluster": NAME, "user": user, "namespace": "default"}}],
    });
    serde_saphyr::to_string(&config).expect("strings, maps and lists can be written")
}

fn encoded(pem: &str) -> Value {
    BASE64.encode(pem).into()
}
