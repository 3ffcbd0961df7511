//! Clients: bytes over TCP, and hyper's HTTP/2 over TLS.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body_util::Empty;
use hyper::{
    body::Incoming,
    client::conn::{http1, http2},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::serve::{Serving, identity::Pair};

/// Sends bytes, and reads until the server closes.
pub(super) async fn raw(serving: &Serving, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(serving.address()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    read(stream).await
}

pub(super) async fn read(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset is an end, too.
    _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// A GET as bytes, for one answer.
pub(super) fn get(path: &str, header: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{header}\r\n").into_bytes()
}

pub(super) async fn tls(
    serving: &Serving,
    name: &str,
    alpn: &str,
    pair: Option<Pair>,
) -> std::io::Result<TlsStream<TcpStream>> {
    let authority = CertificateDer::from_pem_slice(serving.identity().unwrap().certificate().as_bytes()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(authority).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let mut config = match pair {
        Some(pair) => {
            let certificate = CertificateDer::from_pem_slice(pair.certificate.as_bytes()).unwrap();
            let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap();
            config.with_client_auth_cert(vec![certificate], key).unwrap()
        }
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![alpn.into()];
    let stream = TcpStream::connect(serving.address()).await.unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

pub(super) type Sender = http2::SendRequest<Empty<Bytes>>;

/// A connection with HTTP/2; the task ends with it.
pub(super) async fn h2(serving: &Serving, pair: Option<Pair>) -> (Sender, JoinHandle<hyper::Result<()>>) {
    let stream = tls(serving, "localhost", "h2", pair).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .unwrap();
    (sender, tokio::spawn(connection))
}

/// A GET with HTTP/1.1 over TLS to this name.
pub(super) async fn h1(serving: &Serving, name: &str) -> Response<Incoming> {
    let stream = tls(serving, name, "http/1.1", None).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender.send_request(request("/")).await.unwrap()
}

pub(super) fn request(path: &str) -> Request<Empty<Bytes>> {
    let uri = format!("https://localhost{path}");
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = uri.parse().unwrap();
    *request.version_mut() = Version::HTTP_11;
    request
}
