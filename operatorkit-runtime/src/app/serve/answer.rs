//! What each path answers.

use bytes::Bytes;
use http::{
    Method, Request, Response, StatusCode,
    header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue},
};
use http_body_util::Full;

use crate::metrics::{Format, Metrics};

const TEXT: &str = "text/plain; charset=utf-8";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What a port serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Served {
    pub(super) metrics: bool,
    pub(super) health: bool,
}

/// Answers GET, and HEAD, whose body hyper leaves out.
pub(super) async fn answer<B>(request: &Request<B>, served: Served, metrics: &Metrics) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    let known = match path {
        "/metrics" => served.metrics,
        "/healthz" | "/readyz" => served.health,
        _ => false,
    };
    if !known {
        return with(StatusCode::NOT_FOUND, TEXT, "404 page not found\n".to_owned());
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut refused = with(
            StatusCode::METHOD_NOT_ALLOWED,
            TEXT,
            "405 method not allowed\n".to_owned(),
        );
        refused
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    match path {
        "/metrics" => exposition(request, metrics).await,
        "/healthz" => verdict(&metrics.dead()),
        _ => verdict(&metrics.unready()),
    }
}

/// OpenMetrics to who accepts it, as Go's client does.
async fn exposition<B>(request: &Request<B>, metrics: &Metrics) -> Response<Full<Bytes>> {
    let accepted = request.headers().get_all(ACCEPT).iter();
    let open = accepted
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("application/openmetrics-text"));
    let (format, type_) = if open {
        (Format::OpenMetrics, OPEN_METRICS)
    } else {
        (Format::Prometheus, PROMETHEUS)
    };
    let metrics = metrics.clone();
    // A collector of the program's may block: not on a thread that passes need.
    match tokio::task::spawn_blocking(move || metrics.scrape(format)).await {
        Ok(text) => with(StatusCode::OK, type_, text),
        Err(err) => {
            tracing::error!("a scrape failed; please report this: {err}");
            with(
                StatusCode::INTERNAL_SERVER_ERROR,
                TEXT,
                "the scrape failed\n".to_owned(),
            )
        }
    }
}

/// `ok`, or what is wrong.
fn verdict(wrong: &[String]) -> Response<Full<Bytes>> {
    if wrong.is_empty() {
        return with(StatusCode::OK, TEXT, "ok\n".to_owned());
    }
    with(StatusCode::SERVICE_UNAVAILABLE, TEXT, wrong.join("\n") + "\n")
}

fn with(status: StatusCode, type_: &'static str, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    let header = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
    response
        .headers_mut()
        .extend([header(CONTENT_TYPE, type_), header(CACHE_CONTROL, "no-store")]);
    response
}
