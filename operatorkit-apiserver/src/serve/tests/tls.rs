//! Certificates, and what a kubeconfig says.

use http_body_util::BodyExt;
use serde_json::Value;

use super::{
    client::{h1, h2, request, tls},
    echo::Echo,
};
use crate::{
    access::User,
    serve::{Identity, Server, file, kubeconfig::Credential},
};

#[tokio::test]
async fn the_certificate_is_for_the_names_of_the_server() {
    let serving = Server::new(Echo).start().await.unwrap();
    for name in [
        "localhost",
        "127.0.0.1",
        "::1",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "10.96.0.1",
    ] {
        assert_eq!(h1(&serving, name).await.status(), 200, "{name}");
    }
    assert!(tls(&serving, "example.com", "h2", None).await.is_err());
}

async fn who(serving: &crate::serve::Serving, user: &User) -> String {
    let pair = serving.identity().unwrap().client(user).unwrap();
    let (mut sender, _connection) = h2(serving, Some(pair)).await;
    let body = sender.send_request(request("/")).await.unwrap().into_body();
    String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn a_client_certificate_says_who_asks() {
    let serving = Server::new(Echo).start().await.unwrap();
    assert_eq!(
        who(&serving, &User::admin()).await,
        r#"kubernetes-admin["system:masters", "system:authenticated"]"#
    );
    assert_eq!(
        who(&serving, &User::new("ann", [""; 0])).await,
        r#"ann["system:authenticated"]"#
    );
    let many = serving.identity().unwrap().client(&User::new("ann", ["a", "b"]));
    assert!(many.is_err());
}

#[tokio::test]
async fn certificates_of_others_are_refused() {
    let serving = Server::new(Echo).start().await.unwrap();
    let foreign = Identity::generate().unwrap().client(&User::admin()).unwrap();
    let (mut sender, _connection) = h2(&serving, Some(foreign)).await;
    assert!(sender.send_request(request("/")).await.is_err());
}

#[tokio::test]
async fn an_identity_comes_back_from_its_files() {
    let identity = Identity::generate().unwrap();
    let back = Identity::from_pem(identity.certificate(), &identity.key()).unwrap();
    let serving = Server::new(Echo).identity(back).start().await.unwrap();
    assert_eq!(serving.identity().unwrap().certificate(), identity.certificate());
    let pair = identity.client(&User::admin()).unwrap();
    let (mut sender, _connection) = h2(&serving, Some(pair)).await;
    assert_eq!(sender.send_request(request("/")).await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_kubeconfig_has_all_that_a_client_needs() {
    let serving = Server::new(Echo).start().await.unwrap();
    let config: Value = serde_saphyr::from_str(&serving.kubeconfig(&User::admin())).unwrap();
    assert_eq!(config["clusters"][0]["cluster"]["server"], serving.url());
    assert!(config["clusters"][0]["cluster"]["certificate-authority-data"].is_string());
    assert_eq!(config["users"][0]["user"]["token"].as_str().unwrap().len(), 43);
    assert_eq!(config["current-context"], config["contexts"][0]["name"]);
    let pair = serving.identity().unwrap().client(&User::admin()).unwrap();
    let text = serving.kubeconfig_with(&User::admin(), &Credential::Certificate(pair));
    let config: Value = serde_saphyr::from_str(&text).unwrap();
    assert!(config["users"][0]["user"]["client-key-data"].is_string());
}

#[cfg(unix)]
#[test]
fn secrets_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    std::fs::write(&path, "old").unwrap();
    file::replace(&path, |to| to.write_all(b"new")).unwrap();
    assert!(file::replace(&path, |_| Err(std::io::ErrorKind::Other.into())).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
