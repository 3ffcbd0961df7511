//! A local server that takes the envelopes that a client of Sentry sends.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use operatorkit::{
    anyhow::{self, Context as _, ensure},
    serde_json::{self, Value},
};
use operatorkit_testing::{PATIENCE, wait_for};

/// What was received so far. It ends with the process.
pub(crate) struct Collector {
    port: u16,
    received: Arc<Mutex<Vec<Received>>>,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Collector {
    /// Answers each request after this time.
    pub(crate) fn start(pace: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let kept = received.clone();
        let _server = thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let kept = kept.clone();
                let _connection = thread::spawn(move || serve(connection, pace, &kept));
            }
        });
        Self { port, received }
    }

    pub(crate) fn dsn(&self) -> String {
        format!("http://public-key@127.0.0.1:{}/42", self.port)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The events in what was received.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.received()
            .iter()
            .flat_map(|request| events(&request.body))
            .collect()
    }

    /// Waits until there are so many events.
    pub(crate) async fn wait_for(&self, events: usize) -> Vec<Value> {
        wait_for(&format!("{events} events are received"), PATIENCE, async || {
            let so_far = self.events();
            ensure!(so_far.len() >= events, "{so_far:#?}");
            Ok(so_far)
        })
        .await
    }
}

/// Takes the requests of a connection.
fn serve(connection: TcpStream, pace: Duration, kept: &Mutex<Vec<Received>>) -> anyhow::Result<()> {
    let mut reader = BufReader::new(connection);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            ensure!(reader.read_line(&mut head)? > 0, "the end");
        }
        let lower = head.to_lowercase();
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.context("a length")?.trim().parse()?;
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        thread::sleep(pace);
        let body = String::from_utf8(body)?;
        kept.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Received { head, body });
        reader
            .get_mut()
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}")?;
    }
}

/// An envelope is a header, then for each item a header and a payload, a line of JSON each.
fn events(envelope: &str) -> Vec<Value> {
    let lines: Vec<Value> = envelope
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let items = lines.get(1..).unwrap_or_default().chunks_exact(2);
    items
        .filter(|item| item[0]["type"] == "event")
        .map(|item| item[1].clone())
        .collect()
}
