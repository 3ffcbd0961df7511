//! What becomes of connections.

use std::time::Duration;

use http_body_util::BodyExt;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{
    client::{get, h2, raw, read, request},
    echo::Echo,
};
use crate::{
    access::{Authenticator, User},
    serve::{Server, Serving},
};

async fn plain() -> Serving {
    let known = Authenticator::new().token("t1", User::new("ann", ["devs"]));
    Server::new(Echo).plain().authenticator(known).start().await.unwrap()
}

#[tokio::test]
async fn the_service_learns_who_asks() {
    let serving = plain().await;
    assert!(serving.url().starts_with("http://127.0.0.1:"));
    assert!(raw(&serving, &get("/", "")).await.contains("nobody"));
    let known = raw(&serving, &get("/", "authorization: Bearer t1\r\n")).await;
    assert!(known.contains(r#"ann["devs", "system:authenticated"]"#), "{known}");
    let token = serving.token(&User::admin());
    let admin = raw(&serving, &get("/", &format!("authorization: Bearer {token}\r\n"))).await;
    assert!(admin.contains("kubernetes-admin"), "{admin}");
    let left = Server::new(Echo).plain().start().await.unwrap();
    assert!(
        raw(&left, &get("/token", "authorization: Bearer nope\r\n"))
            .await
            .contains("Bearer nope")
    );
    let unknown = raw(&serving, &get("/", "authorization: Bearer nope\r\n")).await;
    assert!(
        unknown.starts_with("HTTP/1.1 401") && unknown.contains(r#""reason":"Unauthorized""#),
        "{unknown}"
    );
}

#[tokio::test]
async fn a_watch_ends_in_order_when_the_server_stops() {
    let serving = plain().await;
    let mut stream = TcpStream::connect(serving.address()).await.unwrap();
    stream.write_all(&get("/watch", "")).await.unwrap();
    let mut start = [0; 17];
    stream.read_exact(&mut start).await.unwrap();
    let started = timeout(Duration::from_secs(1), serving.shutdown());
    let (answer, stopped) = tokio::join!(read(stream), started);
    stopped.unwrap();
    assert!(answer.ends_with("6\r\nevent\n\r\n0\r\n\r\n"), "{answer}");
}

#[tokio::test]
async fn dropping_ends_everything_and_frees_the_port() {
    let serving = plain().await;
    let address = serving.address();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&get("/watch", "")).await.unwrap();
    stream.read_exact(&mut [0; 17]).await.unwrap();
    drop(serving);
    let answer = timeout(Duration::from_secs(5), read(stream)).await.unwrap();
    assert!(!answer.ends_with("0\r\n\r\n"), "{answer}");
    let again = Server::new(Echo).plain().port(address.port()).start().await.unwrap();
    assert!(raw(&again, &get("/", "")).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_request_that_hangs_does_not_hold_up_the_end() {
    let serving = plain().await;
    let mut stream = TcpStream::connect(serving.address()).await.unwrap();
    stream.write_all(&get("/hang", "")).await.unwrap();
    tokio::task::yield_now().await;
    timeout(Duration::from_secs(10), serving.shutdown()).await.unwrap();
    assert_eq!(read(stream).await, "");
}

#[tokio::test]
async fn a_taken_port_is_an_error() {
    let serving = plain().await;
    let error = Server::new(Echo)
        .port(serving.address().port())
        .start()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn an_error_in_the_body_cuts_the_connection_after_what_was_sent() {
    let serving = plain().await;
    let answer = raw(&serving, &get("/cut", "")).await;
    assert!(answer.ends_with("4\r\nhalf\r\n"), "{answer}");
    let serving = Server::new(Echo).start().await.unwrap();
    let (mut sender, connection) = h2(&serving, None).await;
    let mut other = sender.send_request(request("/watch")).await.unwrap().into_body();
    assert_eq!(other.frame().await.unwrap().unwrap().into_data().unwrap(), "event\n");
    let mut cut = sender.send_request(request("/cut")).await.unwrap().into_body();
    assert_eq!(cut.frame().await.unwrap().unwrap().into_data().unwrap(), "half");
    assert!(cut.frame().await.unwrap().is_err());
    assert!(other.frame().await.unwrap().is_err());
    assert!(connection.await.unwrap().is_err());
}

#[tokio::test]
async fn a_disconnect_answers_nothing() {
    let serving = plain().await;
    assert_eq!(raw(&serving, &get("/disconnect", "")).await, "");
    assert_eq!(raw(&serving, &get("/error", "")).await, "");
    let serving = Server::new(Echo).start().await.unwrap();
    let (mut sender, _connection) = h2(&serving, None).await;
    assert!(sender.send_request(request("/disconnect")).await.is_err());
    assert!(sender.send_request(request("/")).await.is_err());
}

#[tokio::test]
async fn a_panic_is_an_answer() {
    let serving = plain().await;
    let answer = raw(&serving, &get("/panic", "")).await;
    assert!(
        answer.starts_with("HTTP/1.1 500") && answer.contains(r#""reason":"InternalError""#),
        "{answer}"
    );
    assert!(raw(&serving, &get("/", "")).await.contains("nobody"));
}

#[tokio::test]
async fn garbage_ends_only_its_connection() {
    let plain = plain().await;
    let tls = Server::new(Echo).start().await.unwrap();
    for serving in [&plain, &tls] {
        for seed in 0..50 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut bytes: Vec<u8> = (0..random.usize(1..2000)).map(|_| random.u8(..)).collect();
            if seed % 3 == 0 {
                bytes.splice(..0, *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            }
            let mut stream = TcpStream::connect(serving.address()).await.unwrap();
            _ = stream.write_all(&bytes).await;
            _ = stream.shutdown().await;
            _ = timeout(Duration::from_secs(5), read(stream)).await.unwrap();
        }
    }
    assert!(raw(&plain, &get("/", "")).await.contains("nobody"));
    let (mut sender, _connection) = h2(&tls, None).await;
    assert_eq!(sender.send_request(request("/")).await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_thousand_watches_wait_on_two_connections() {
    let serving = Server::new(Echo).start().await.unwrap();
    let mut watches = Vec::new();
    let mut connections = Vec::new();
    for _ in 0..2 {
        let (mut sender, connection) = h2(&serving, None).await;
        for _ in 0..500 {
            let mut body = sender.send_request(request("/watch")).await.unwrap().into_body();
            assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "event\n");
            watches.push(body);
        }
        connections.push((sender, connection));
    }
    timeout(Duration::from_secs(20), serving.shutdown()).await.unwrap();
    for body in watches {
        assert!(body.collect().await.unwrap().to_bytes().is_empty());
    }
}
