//! Kubeconfigs, good and bad, and what a client sends.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::PathBuf,
    sync::mpsc,
    thread,
};

use super::*;

/// A file that is gone at the end of the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = env::temp_dir().join(format!("operatorkit-{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn args(&self, context: Option<&str>) -> ClientArgs {
        ClientArgs {
            kubeconfig: Some(self.0.clone()),
            context: context.map(str::to_owned),
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

fn two_contexts(first: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: one\n\
         clusters: [{{name: one, cluster: {{server: '{first}'}}}}, {{name: two, cluster: {{server: 'http://two.example:1'}}}}]\n\
         users: [{{name: me, user: {{token: s3cret}}}}]\n\
         contexts: [{{name: one, context: {{cluster: one, user: me}}}}, {{name: two, context: {{cluster: two, user: me}}}}]\n"
    )
}

#[tokio::test]
async fn the_context_chooses_the_cluster() {
    let file = File::new("contexts", &two_contexts("http://one.example:1"));
    let host = async |context| {
        config(&file.args(context))
            .await
            .unwrap()
            .cluster_url
            .host()
            .unwrap()
            .to_owned()
    };
    assert_eq!(host(None).await, "one.example");
    assert_eq!(host(Some("two")).await, "two.example");
    let err = config(&file.args(Some("three"))).await.unwrap_err();
    assert!(format!("{err:#}").contains("three"), "{err:#}");
}

#[tokio::test]
async fn a_missing_file_is_named() {
    let args = ClientArgs {
        kubeconfig: Some("/nowhere/at/all".into()),
        context: None,
    };
    let err = format!("{:#}", config(&args).await.unwrap_err());
    assert!(err.contains("/nowhere/at/all"), "{err}");
}

#[tokio::test]
async fn a_file_that_does_not_parse_shows_no_secret() {
    for (name, wrong) in [
        ("syntax", "users: [{name: me, user: {token: s3cret}\n"),
        ("type", "users: s3cret\n"),
    ] {
        let file = File::new(name, &format!("apiVersion: v1\nkind: Config\n{wrong}"));
        let err = format!("{:#}", config(&file.args(None)).await.unwrap_err());
        assert!(
            err.contains(&*file.0.to_string_lossy()) && err.contains("line "),
            "{err}"
        );
        assert!(!err.contains("s3cret"), "{err}");
    }
}

#[test]
fn the_user_agent_names_app_and_framework() {
    let agent = |app, version| user_agent(app, version).map(|agent| agent.to_str().unwrap().to_owned());
    let ours = concat!("operatorkit/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        agent("webapp-operator", Some("1.2.3")).unwrap(),
        format!("webapp-operator/1.2.3 {ours}")
    );
    assert_eq!(
        agent("webapp-operator", None).unwrap(),
        format!("webapp-operator {ours}")
    );
    assert!(agent("web app", None).unwrap_err().to_string().contains("`web app`"));
}

/// Answers every request with 503, and hands over their heads. It ends with the test's process.
fn unavailable() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (heads, sent) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = vec![0; 8192];
            let read = stream.read(&mut head).unwrap();
            heads
                .send(String::from_utf8_lossy(&head[..read]).to_lowercase())
                .unwrap();
            stream
                .write_all(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .unwrap();
        }
    });
    (url, sent)
}

#[tokio::test]
async fn a_request_is_sent_once_under_our_name_and_uncompressed() {
    let (url, sent) = unavailable();
    let file = File::new("request", &two_contexts(&url));
    let client = connect(&file.args(None), "webapp-operator", None).await.unwrap();
    assert!(client.apiserver_version().await.is_err());
    let head = sent.recv().unwrap();
    assert!(head.contains("user-agent: webapp-operator operatorkit/"), "{head}");
    assert!(!head.contains("accept-encoding: gzip"), "{head}");
    assert!(sent.try_recv().is_err(), "kube's own retry is on");
}

#[tokio::test]
async fn a_server_that_is_away_is_no_error_yet() {
    let file = File::new("away", &two_contexts("http://127.0.0.1:1"));
    let client = connect(&file.args(None), "webapp-operator", None).await.unwrap();
    let err = client.apiserver_version().await.unwrap_err();
    assert!(format!("{:#}", anyhow::Error::new(err)).contains("connect"));
}
