//! What is found, what is refused, and what is never shown.

mod sent;

use std::{fs, path::PathBuf};

use http::HeaderValue;
use kube::{Config, config::Kubeconfig};

use super::{
    files::Files,
    service_account::ServiceAccount,
    source::{Loaded, Source, of_found_account},
    *,
};

const AGENT: HeaderValue = HeaderValue::from_static("test/1");
const SECRET: &str = "s3cret";

/// A file that is gone at the end of the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("operatorkit-client-{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn kubeconfig(&self) -> ClientConfig {
        ClientConfig::new().kubeconfig(&self.0)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

async fn config(said: ClientConfig) -> anyhow::Result<Config> {
    Ok(Source::new(said, AGENT)?.load().await?.config)
}

async fn refused(said: ClientConfig) -> String {
    format!("{:#}", config(said).await.unwrap_err())
}

fn two_contexts(first: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: one\n\
         clusters: [{{name: one, cluster: {{server: '{first}'}}}}, {{name: two, cluster: {{server: 'http://two.example:1'}}}}]\n\
         users: [{{name: me, user: {{token: {SECRET}}}}}]\n\
         contexts: [{{name: one, context: {{cluster: one, user: me}}}}, {{name: two, context: {{cluster: two, user: me, namespace: there}}}}]\n"
    )
}

#[tokio::test]
async fn the_context_chooses_the_cluster_and_the_namespace() {
    let file = File::new("contexts", &two_contexts("http://one.example:1"));
    let one = config(file.kubeconfig()).await.unwrap();
    assert_eq!(
        (one.cluster_url.host(), &*one.default_namespace),
        (Some("one.example"), "default")
    );
    let two = config(file.kubeconfig().context("two")).await.unwrap();
    assert_eq!(
        (two.cluster_url.host(), &*two.default_namespace),
        (Some("two.example"), "there")
    );
    let err = refused(file.kubeconfig().context("three")).await;
    assert!(err.contains("three"), "{err}");
}

#[tokio::test]
async fn a_missing_file_is_named() {
    let server = || ClientConfig::new().server("https://x");
    let nowhere = "/nowhere/at/all";
    for said in [
        ClientConfig::new().kubeconfig(nowhere),
        server().token_file(nowhere),
        server().certificate_authority_file(nowhere),
    ] {
        let err = refused(said).await;
        assert!(err.contains(nowhere), "{err}");
    }
    let said = server().client_certificate_file(nowhere).client_key_file(nowhere);
    let err = format!("{:#}", connect(&said, AGENT, None).await.err().unwrap());
    assert!(err.contains(nowhere), "{err}");
}

#[tokio::test]
async fn a_file_that_does_not_parse_shows_no_secret() {
    for (name, wrong) in [
        ("syntax", "users: [{name: me, user: {token: s3cret}\n"),
        ("type", "users: s3cret\n"),
    ] {
        let file = File::new(name, &format!("apiVersion: v1\nkind: Config\n{wrong}"));
        let err = refused(file.kubeconfig()).await;
        assert!(
            err.contains(&*file.0.to_string_lossy()) && err.contains("line "),
            "{err}"
        );
        assert!(!err.contains(SECRET), "{err}");
    }
}

#[tokio::test]
async fn what_could_be_meant_in_two_ways_is_refused_in_words() {
    let new = ClientConfig::new;
    let server = || new().server("https://x");
    let cases = [
        (
            new().kubeconfig("/k").server("https://x"),
            "a kubeconfig or its context and an API server's address",
        ),
        (
            new().context("c").server("https://x"),
            "a kubeconfig or its context and an API server's address",
        ),
        (
            new().kubeconfig("/k").in_cluster(),
            "a kubeconfig or its context and the Pod's service account",
        ),
        (
            new().in_cluster().server("https://x"),
            "the Pod's service account (`in_cluster`, --in-cluster) and an API server's address",
        ),
        (
            server().certificate_authority("a").certificate_authority_file("/f"),
            "`certificate_authority` and `certificate_authority_file`",
        ),
        (
            server()
                .client_certificate("a")
                .client_certificate_file("/f")
                .client_key("k"),
            "`client_certificate` and `client_certificate_file`",
        ),
        (
            server().client_certificate("a").client_key("k").client_key_file("/f"),
            "`client_key` and `client_key_file`",
        ),
        (
            server().token(SECRET).token_file("/f"),
            "`token` and `token_file` (--token-file)",
        ),
        (server().client_certificate("a"), "needs its key"),
        (server().client_key_file("/f"), "needs its certificate"),
        (
            server().token(SECRET).client_certificate("a").client_key("k"),
            "a token and a client certificate",
        ),
        (new().token_file("/f"), "a token is given without the address"),
        (
            new().kubeconfig("/k").token(SECRET),
            "a token is given without the address",
        ),
        (
            new().in_cluster().certificate_authority("a"),
            "a certificate authority is given without the address",
        ),
        (
            new().client_certificate_file("/c").client_key_file("/k"),
            "a client certificate is given without the address",
        ),
        (
            new().tls_server_name("x"),
            "a TLS server name is given without the address",
        ),
        (
            new().kubeconfig("/k").namespace("x"),
            "a namespace is given without the address",
        ),
        (
            new().server("http://x").token(SECRET),
            "anybody could read the credentials",
        ),
        (
            new().server("http://x").certificate_authority("a"),
            "nothing proves who answers",
        ),
        (new().server("x:6443"), "neither `https` nor `http`"),
        (new().server("/x"), "has no host"),
        (new().server("https://x y"), "no URL"),
        (new().server(format!("https://me:{SECRET}@x")), "a user or password"),
        (new().server("https://x/?a=b"), "has a query"),
    ];
    for (said, hint) in cases {
        let shown = format!("{said:?}");
        let err = refused(said).await;
        assert!(err.contains(hint), "{shown}: {err}");
        assert!(!err.contains(SECRET), "{err}");
    }
}

#[tokio::test]
async fn an_address_with_its_parts_is_a_configuration() {
    let file = File::new("token", &format!("\n {SECRET}\n"));
    let said = ClientConfig::new()
        .server("https://api.example:6443/path")
        .tls_server_name("kubernetes")
        .namespace("there")
        .token_file(&file.0);
    let config = config(said).await.unwrap();
    assert_eq!(config.cluster_url.to_string(), "https://api.example:6443/path");
    assert_eq!(
        (&*config.default_namespace, config.tls_server_name.as_deref()),
        ("there", Some("kubernetes"))
    );
    assert_eq!(
        secrecy::ExposeSecret::expose_secret(&config.auth_info.token.unwrap()),
        SECRET
    );
    fs::write(&file.0, "\n").unwrap();
    let err = refused(ClientConfig::new().server("https://x").token_file(&file.0)).await;
    assert!(err.contains("is empty"), "{err}");
}

const CA: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

#[tokio::test]
async fn a_pods_service_account_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("token", "one\n"), ("ca.crt", CA), ("namespace", "there\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let account = |host: &str| ServiceAccount {
        folder: folder.path().to_owned(),
        host: host.to_owned(),
        port: "6443".to_owned(),
    };
    let load = async |host: &str| of_found_account(account(host)).await;
    let loaded = load("10.0.0.1").await.unwrap();
    let token = |loaded: &Loaded| {
        secrecy::ExposeSecret::expose_secret(loaded.config.auth_info.token.as_ref().unwrap()).to_owned()
    };
    assert_eq!(loaded.config.cluster_url.to_string(), "https://10.0.0.1:6443/");
    assert_eq!((&*loaded.config.default_namespace, &*token(&loaded)), ("there", "one"));
    assert_eq!(loaded.config.root_cert.as_ref().map(Vec::len), Some(1));
    let other = load("fd00::1").await.unwrap();
    assert_eq!(other.config.cluster_url.to_string(), "https://[fd00::1]:6443/");

    // The kubelet replaces the token while the Pod runs: that is seen, and the new one is used.
    fs::write(folder.path().join("token"), "two").unwrap();
    assert_ne!(loaded.files.contents(), loaded.contents);
    assert_eq!(token(&load("10.0.0.1").await.unwrap()), "two");
    fs::remove_file(folder.path().join("ca.crt")).unwrap();
    assert!(load("10.0.0.1").await.is_err());
}

#[tokio::test]
async fn raw_bytes_are_what_the_files_would_be() {
    let (ca, certificate, key) = (File::new("ca", CA), File::new("crt", CA), File::new("key", SECRET));
    let base = || ClientConfig::new().server("https://x");
    let of_files = base()
        .certificate_authority_file(&ca.0)
        .client_certificate_file(&certificate.0)
        .client_key_file(&key.0);
    let of_bytes = base()
        .certificate_authority(CA)
        .client_certificate(CA)
        .client_key(SECRET);
    let (of_files, of_bytes) = (config(of_files).await.unwrap(), config(of_bytes).await.unwrap());
    assert_eq!(of_bytes.root_cert, of_files.root_cert);
    assert_eq!(of_bytes.root_cert.map(|certificates| certificates.len()), Some(1));
    let user = of_bytes.auth_info;
    let decoded = |text: &str| {
        String::from_utf8(base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap()).unwrap()
    };
    assert_eq!(decoded(&user.client_certificate_data.unwrap()), CA);
    assert_eq!(
        decoded(secrecy::ExposeSecret::expose_secret(&user.client_key_data.unwrap())),
        SECRET
    );
    let token = config(base().token(SECRET)).await.unwrap().auth_info.token.unwrap();
    assert_eq!(secrecy::ExposeSecret::expose_secret(&token), SECRET);
}

#[tokio::test]
async fn outside_of_a_pod_there_is_no_service_account() {
    let err = refused(ClientConfig::new().in_cluster()).await;
    assert!(err.contains("not a Pod with a service account"), "{err}");
}

#[tokio::test]
async fn no_secret_is_in_a_debug_or_an_error() {
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n");
    let said = ClientConfig::new()
        .server("https://x")
        .client_certificate(&pem)
        .client_key(&pem);
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &pem);
    let token = ClientConfig::new()
        .server("https://x")
        .token(format!("{SECRET}\n{SECRET}"));
    let mut texts = vec![
        format!("{said:?} {said:#?} {token:?}"),
        format!("{:?}", Source::new(said.clone(), AGENT).unwrap()),
    ];
    // Neither is what it should be.
    for wrong in [said, token] {
        let err = connect(&wrong, AGENT, None).await.err().unwrap();
        texts.push(format!("{err:?} {err:#}"));
    }
    for text in texts {
        assert!(!text.contains(SECRET) && !text.contains(&encoded[30..50]), "{text}");
    }
}

/// What a plugin writes, and what is in its environment, is a secret.
#[cfg(unix)]
#[tokio::test]
async fn a_credential_plugin_that_fails_shows_nothing() {
    for (name, script) in [
        ("fails", format!("echo {SECRET}; echo {SECRET} >&2; exit 3")),
        ("writes", format!("echo '{{\"status\": {SECRET}'")),
    ] {
        let kubeconfig: Kubeconfig = serde_json::from_value(serde_json::json!({
            "current-context": "c",
            "clusters": [{ "name": "c", "cluster": { "server": "https://x" } }],
            "users": [{ "name": "u", "user": { "exec": {
                "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never",
                "command": "sh", "args": ["-c", script], "env": [{ "name": "A", "value": SECRET }],
            } } }],
            "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "u" } }],
        }))
        .unwrap();
        let file = File::new(name, &serde_json::to_string(&kubeconfig).unwrap());
        let err = connect(&file.kubeconfig(), AGENT, None).await.err().unwrap();
        let err = format!("{err:#} {err:?}");
        assert!(err.contains("credential plugin"), "{err}");
        assert!(!err.contains(SECRET), "{err}");
    }
}

#[test]
fn files_are_compared_by_what_is_in_them() {
    let (one, two) = (File::new("one", "1"), File::new("two", "2"));
    let mut files = Files::default();
    assert!(files.is_empty());
    for path in [
        &*one.0,
        &*two.0,
        std::path::Path::new("/dev/null"),
        std::path::Path::new("/nowhere"),
    ] {
        files.add(path);
    }
    assert_eq!(files.names().matches(", ").count(), 1, "{}", files.names());
    let before = files.contents();
    fs::write(&one.0, "1").unwrap();
    assert_eq!(files.contents(), before);
    fs::write(&one.0, "12").unwrap();
    fs::write(&two.0, "").unwrap();
    assert_ne!(files.contents(), before);
    let emptied = files.contents();
    let moved = one.0.with_extension("moved");
    fs::rename(&two.0, &moved).unwrap();
    assert_ne!(files.contents(), emptied, "a file that is gone is not an empty one");
    fs::rename(&moved, &two.0).unwrap();
    assert_eq!(files.contents(), emptied);
}
