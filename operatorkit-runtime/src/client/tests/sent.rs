//! What a client sends, and when it gives up.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::mpsc,
    thread,
    time::Duration,
};

use super::{
    super::{connect::connect, stack::connector},
    AGENT, File, SECRET, two_contexts,
};

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
    let client = connect(&file.kubeconfig(), AGENT, None).await.unwrap();
    assert!(client.apiserver_version().await.is_err());
    let head = sent.recv().unwrap();
    assert!(head.contains("user-agent: test/1"), "{head}");
    assert!(!head.contains("accept-encoding: gzip"), "{head}");
    assert!(sent.try_recv().is_err(), "kube's own retry is on");
}

/// What kube's stack does, the other one does, too.
#[tokio::test]
async fn the_stack_that_gives_up_sends_the_same() {
    let (url, sent) = unavailable();
    let file = File::new("gives-up", &two_contexts(&url));
    let heads = async |give_up| {
        let client = connect(&file.kubeconfig(), AGENT, give_up).await.unwrap();
        assert!(client.apiserver_version().await.is_err());
        let head = sent.recv().unwrap();
        assert!(sent.try_recv().is_err());
        let mut lines: Vec<_> = head.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let lines = heads(Some(Duration::from_secs(5))).await;
    assert_eq!(lines, heads(None).await);
    assert!(lines.contains(&format!("authorization: bearer {SECRET}")), "{lines:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_nobody_acknowledges_is_given_up_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let give_up = Duration::from_secs(5);
    let stream = tower::ServiceExt::oneshot(connector(give_up), url).await.unwrap();
    let stream = socket2::SockRef::from(stream.inner()).tcp_user_timeout().unwrap();
    assert_eq!(stream, Some(give_up));
}

#[tokio::test]
async fn a_server_that_is_away_is_no_error_yet() {
    let file = File::new("away", &two_contexts("http://127.0.0.1:1"));
    let client = connect(&file.kubeconfig(), AGENT, None).await.unwrap();
    let err = client.apiserver_version().await.unwrap_err();
    assert!(format!("{:#}", anyhow::Error::new(err)).contains("connect"));
}
