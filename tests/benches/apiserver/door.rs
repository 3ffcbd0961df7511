//! A way to a server: in process, or over loopback.

use std::error::Error;

use http::{Method, Request, Response};
use http_body_util::{BodyExt as _, combinators::UnsyncBoxBody};
use operatorkit::kube::{Client, client::Body};
use operatorkit_apiserver::ApiService;
use tokio_util::bytes::Bytes;
use tower::ServiceExt as _;

/// A way to a server.
#[derive(Clone)]
pub(crate) enum Door {
    /// The `tower::Service`.
    Service(ApiService),
    /// TLS over loopback, with the server's name.
    Client(&'static str, Client),
}

pub(crate) type AnyBody = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

impl Door {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Service(_) => "at the service",
            Self::Client(name, _) => name,
        }
    }

    /// Sends a request; the answer before its body is read.
    pub(crate) async fn send(&self, method: Method, path: &str, form: &str, body: Vec<u8>) -> Response<AnyBody> {
        let request = Request::builder().method(method).uri(path).header("content-type", form);
        let request = request.body(Body::from(body)).expect("a request");
        match self {
            Self::Service(service) => {
                let response = service.clone().oneshot(request).await.expect("an answer");
                response.map(|body| body.map_err(Into::into).boxed_unsync())
            }
            Self::Client(_, client) => {
                let response = client.send(request).await.expect("an answer");
                response.map(|body| body.map_err(Into::into).boxed_unsync())
            }
        }
    }

    /// Sends a request and reads the answer, which must be a good one.
    pub(crate) async fn ask(&self, method: Method, path: &str, form: &str, body: Vec<u8>) -> Bytes {
        let response = self.send(method, path, form, body).await;
        let status = response.status();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        assert!(
            status.is_success(),
            "{path}: {status} {}",
            String::from_utf8_lossy(&body)
        );
        body
    }
}
