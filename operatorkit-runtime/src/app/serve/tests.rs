//! The endpoints over a socket, as Prometheus and the kubelet use them.

use std::{net::Ipv4Addr, sync::Arc};

use prometheus_client::{collector::Collector, encoding::DescriptorEncoder, registry::Registry};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::*;
use crate::metrics::Meter;

/// A port of its own that serves these metrics, and its address.
async fn served(metrics: &Metrics) -> (SocketAddr, AbortOnDropHandle<()>) {
    let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(listen::accept(
        listener,
        Served {
            metrics: true,
            health: true,
        },
        metrics.clone(),
    ));
    (address, AbortOnDropHandle::new(serving))
}

/// An answer: its first line, its headers, its body.
struct Answer {
    status: String,
    headers: String,
    body: String,
}

async fn ask(address: SocketAddr, line: &str, headers: &str) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let (status, headers) = head.split_once("\r\n").unwrap();
    Answer {
        status: status.to_owned(),
        headers: headers.to_lowercase(),
        body: body.to_owned(),
    }
}

fn meter(name: &str) -> Arc<Meter> {
    Arc::new(Meter::new(name, "Thing"))
}

#[tokio::test]
async fn the_format_is_the_one_that_is_accepted() {
    let metrics = Metrics::new("app");
    metrics.add(meter("one"));
    let (address, _serving) = served(&metrics).await;
    // As Prometheus 2.42 asks.
    let accept = "Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1\r\n";
    let open = ask(address, "GET /metrics", accept).await;
    assert_eq!(open.status, "HTTP/1.1 200 OK");
    assert!(
        open.headers
            .contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"),
        "{}",
        open.headers
    );
    assert!(open.body.ends_with("# EOF\n"));
    assert!(open.body.contains(
        "# TYPE operatorkit_controller_errors counter\noperatorkit_controller_errors_total{controller=\"one\"} 0\n"
    ));
    let plain = ask(address, "GET /metrics", "").await;
    assert!(
        plain
            .headers
            .contains("content-type: text/plain; version=0.0.4; charset=utf-8"),
        "{}",
        plain.headers
    );
    assert!(plain.body.contains("# TYPE operatorkit_controller_errors_total counter\noperatorkit_controller_errors_total{controller=\"one\"} 0\n"));
    assert!(!plain.body.contains("# EOF"));
}

#[tokio::test]
async fn head_has_no_body_and_other_methods_and_paths_are_refused() {
    let (address, _serving) = served(&Metrics::new("app")).await;
    let head = ask(address, "HEAD /healthz", "").await;
    assert_eq!((&*head.status, &*head.body), ("HTTP/1.1 200 OK", ""));
    assert!(head.headers.contains("content-length: 3"), "{}", head.headers);
    let post = ask(address, "POST /metrics", "").await;
    assert_eq!(post.status, "HTTP/1.1 405 Method Not Allowed");
    assert!(post.headers.contains("allow: get, head"), "{}", post.headers);
    assert_eq!(ask(address, "GET /metric", "").await.status, "HTTP/1.1 404 Not Found");
    assert_eq!(ask(address, "GET /", "").await.status, "HTTP/1.1 404 Not Found");
}

#[tokio::test]
async fn it_is_ready_once_the_stores_of_all_operators_are_filled_and_until_it_stops() {
    let metrics = Metrics::new("app");
    metrics.expect(vec!["one".to_owned(), "two".to_owned()]);
    let (address, _serving) = served(&metrics).await;
    let (one, two) = (meter("one"), meter("two"));
    metrics.add(one.clone());
    one.is_filled();
    let answer = ask(address, "GET /readyz", "").await;
    assert_eq!(
        (&*answer.status, &*answer.body),
        ("HTTP/1.1 503 Service Unavailable", "two: is being set up\n")
    );
    metrics.add(two.clone());
    let answer = ask(address, "GET /readyz?verbose", "").await;
    assert_eq!(answer.body, "two: its stores are not filled, or it stops\n");
    two.is_filled();
    let answer = ask(address, "GET /readyz", "").await;
    assert_eq!((&*answer.status, &*answer.body), ("HTTP/1.1 200 OK", "ok\n"));
    one.stops();
    assert_eq!(
        ask(address, "GET /readyz", "").await.status,
        "HTTP/1.1 503 Service Unavailable"
    );
    assert_eq!(ask(address, "GET /healthz", "").await.status, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn a_port_serves_only_what_it_is_for() {
    let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = Served {
        metrics: false,
        health: true,
    };
    let _serving = AbortOnDropHandle::new(tokio::spawn(listen::accept(listener, served, Metrics::new("app"))));
    assert_eq!(ask(address, "GET /metrics", "").await.status, "HTTP/1.1 404 Not Found");
    assert_eq!(ask(address, "GET /readyz", "").await.status, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn one_address_for_both_is_one_port() {
    let free = bind((Ipv4Addr::LOCALHOST, 0).into())
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let settings = RunSettings {
        metrics_address: Some(free),
        health_address: Some(free),
        ..RunSettings::default()
    };
    let serving = start(&Metrics::new("app"), &settings).await.unwrap();
    assert_eq!(serving.len(), 1);
    for path in ["/metrics", "/healthz", "/readyz"] {
        assert_eq!(ask(free, &format!("GET {path}"), "").await.status, "HTTP/1.1 200 OK");
    }
}

#[tokio::test]
async fn an_occupied_address_is_an_error_that_names_the_flag() {
    let occupied = bind((Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
    let settings = RunSettings {
        health_address: Some(occupied.local_addr().unwrap()),
        ..RunSettings::default()
    };
    let err = format!("{:#}", start(&Metrics::new("app"), &settings).await.unwrap_err());
    for part in ["127.0.0.1", "--health-address", "in use"] {
        assert!(err.contains(part), "no {part} in {err}");
    }
}

#[derive(Debug)]
struct Panics;

impl Collector for Panics {
    fn encode(&self, _: DescriptorEncoder<'_>) -> std::fmt::Result {
        panic!("oh no")
    }
}

#[tokio::test]
async fn a_collector_that_panics_takes_nothing_else_with_it() {
    let metrics = Metrics::new("app");
    metrics.add(meter("one"));
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Panics));
    metrics.register(registry);
    let (address, _serving) = served(&metrics).await;
    for scrapes in 1..=2 {
        let answer = ask(address, "GET /metrics", "").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK");
        assert!(
            answer
                .body
                .contains("operatorkit_controller_errors_total{controller=\"one\"} 0\n")
        );
        let counted = format!("operatorkit_metrics_collector_failures_total {scrapes}\n");
        assert!(answer.body.contains(&counted), "{}", answer.body);
    }
}
