//! The ports of a program: from its start to the end of its shutdown.

use std::net::TcpListener;

use operatorkit_testing::Process;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::*;
use crate::webapps::WebApps;

/// A port that nobody has just now.
fn free() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// The whole answer to a GET.
async fn get(port: u16, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

async fn answers(port: u16, path: &str, parts: &[&str]) -> String {
    wait_for(&format!("{path} answers {parts:?}"), PATIENCE, async || {
        let answer = get(port, path).await?;
        ensure!(parts.iter().all(|part| answer.contains(part)), "{answer}");
        Ok(answer)
    })
    .await
}

fn run(webapps: &WebApps, metrics: u16, health: u16) -> Process {
    let (metrics, health) = (
        format!("--metrics-address=127.0.0.1:{metrics}"),
        format!("--health-address=127.0.0.1:{health}"),
    );
    webapps.run_serving(&[&metrics, &health])
}

#[tokio::test]
async fn a_program_serves_metrics_and_health_until_it_ends() {
    let webapps = WebApps::new("ports").await;
    let (metrics, health) = (free(), free());
    let mut running = run(&webapps, metrics, health);
    answers(health, "/readyz", &["200 OK", "ok"]).await;
    answers(health, "/healthz", &["200 OK", "ok"]).await;
    webapps.create("x").await;
    let _ready = webapps.ready("x").await;
    let name = format!("name=\"x\",namespace=\"{}\"", webapps.scene.namespace);
    answers(
        metrics,
        "/metrics",
        &["200 OK", "operatorkit_controller_creation_timestamp", &name],
    )
    .await;
    assert!(
        get(metrics, "/readyz")
            .await
            .expect("an answer")
            .contains("404 Not Found")
    );
    running.terminate();
    let status = running.wait(PATIENCE).await;
    assert_eq!(status.code(), Some(0), "{}", running.log());
    assert!(get(health, "/healthz").await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn it_is_not_ready_before_its_stores_are_filled() {
    let webapps = WebApps::new("unready").await;
    let health = free();
    let nobody = free();
    let kubeconfig = webapps.kubeconfig_for(nobody);
    let mut running = webapps.run_serving(&[
        "--kubeconfig",
        &kubeconfig,
        "--metrics-address=0",
        &format!("--health-address=127.0.0.1:{health}"),
    ]);
    answers(
        health,
        "/readyz",
        &["503 Service Unavailable", "its stores are not filled"],
    )
    .await;
    // No restart would help against an API server that is away.
    answers(health, "/healthz", &["200 OK"]).await;
    running.kill();
}

#[tokio::test]
async fn an_address_that_is_taken_ends_the_program_with_a_reason() {
    let webapps = WebApps::new("taken").await;
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let mut running = run(&webapps, port, free());
    let status = running.wait(PATIENCE).await;
    let log = running.log();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(
        log.contains("cannot serve metrics on") && log.contains("--metrics-address"),
        "{log}"
    );
}
