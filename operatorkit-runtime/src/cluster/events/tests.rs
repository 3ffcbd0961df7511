//! What comes of many Events.

use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::*;
use crate::cluster::mock::{Asked, Reply, cluster};

fn about(name: &str) -> ObjectReference {
    ObjectReference {
        kind: Some("ConfigMap".into()),
        namespace: Some("ns".into()),
        name: Some(name.into()),
        uid: Some(name.into()),
        ..ObjectReference::default()
    }
}

struct Started {
    events: Events,
    asked: Asked,
    bodies: Arc<Mutex<Vec<Value>>>,
    shutdown: CancellationToken,
}

fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Started {
    let bodies = Arc::<Mutex<Vec<Value>>>::default();
    let written = bodies.clone();
    let (cluster, asked) = cluster(move |asked, body| {
        written.lock().unwrap().push(serde_json::from_str(body).unwrap());
        answer(asked)
    });
    let shutdown = CancellationToken::new();
    let events = Events::new(cluster, "operatorkit.dev/test", shutdown.clone());
    Started {
        events,
        asked,
        bodies,
        shutdown,
    }
}

fn ok(_: &str) -> Reply {
    Reply::json(201, json!({}))
}

impl Started {
    fn warn(&self, name: &str, note: &str) {
        self.events
            .publish(about(name), EventType::Warning, "Failed", note, "Reconcile");
    }

    async fn end(&self) {
        self.shutdown.cancel();
        self.events.flushed().await;
    }
}

#[tokio::test(start_paused = true)]
async fn repeats_are_one_event_with_a_count() {
    let started = start(ok);
    for _ in 0..200 {
        started.warn("x", "the same");
        sleep(Duration::from_millis(500)).await;
    }
    started.end().await;
    assert_eq!(
        started.asked.count("POST /apis/events.k8s.io/v1/namespaces/ns/events?"),
        1
    );
    let patches = started
        .asked
        .count("PATCH /apis/events.k8s.io/v1/namespaces/ns/events/x.");
    assert!((5..=7).contains(&patches), "{patches} in 100 s");
    let bodies = started.bodies.lock().unwrap();
    assert_eq!(bodies[0]["note"], "the same");
    assert_eq!(bodies[0]["regarding"]["uid"], "x");
    assert_eq!(bodies[0]["type"], "Warning");
    assert_eq!(bodies.last().unwrap()["series"]["count"], 200, "{bodies:?}");
}

#[tokio::test(start_paused = true)]
async fn repeats_that_were_only_counted_are_told_at_the_end() {
    let started = start(ok);
    for name in ["x", "x", "y", "x", "z", "z"] {
        started.warn(name, "the same");
    }
    started.end().await;
    let counts = |name: &str| {
        let bodies = started.bodies.lock().unwrap();
        let asked = started.asked.all();
        let of_event = asked.iter().zip(&*bodies).filter(|(asked, _)| {
            asked.starts_with(&format!("PATCH /apis/events.k8s.io/v1/namespaces/ns/events/{name}."))
        });
        of_event
            .map(|(_, body)| body["series"]["count"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (counts("x"), counts("y"), counts("z")),
        (vec![json!(3)], vec![], vec![json!(2)])
    );
}

/// The end is not held up by them either.
#[tokio::test(start_paused = true)]
async fn counts_that_cannot_be_told_do_not_hold_up_the_end() {
    let started = start(|asked| {
        if asked.starts_with("PATCH") {
            Reply::Hang
        } else {
            ok(asked)
        }
    });
    started.warn("x", "the same");
    started.warn("x", "the same");
    let began = tokio::time::Instant::now();
    started.end().await;
    assert_eq!(began.elapsed(), FLUSH);
    assert_eq!(started.asked.count("PATCH "), 1);
}

#[tokio::test(start_paused = true)]
async fn another_note_is_another_event() {
    let started = start(ok);
    started.warn("x", "one");
    started.warn("x", "two");
    started.warn("y", "one");
    started.end().await;
    assert_eq!(started.asked.count("POST "), 3);
}

#[tokio::test(start_paused = true)]
async fn an_object_cannot_flood() {
    let started = start(ok);
    for number in 0..600 {
        started.warn("x", &format!("try {number}"));
        sleep(Duration::from_millis(400)).await;
    }
    started.warn("y", "still heard");
    started.end().await;
    assert_eq!(started.asked.all().len(), 26);
    let again = start(ok);
    for number in 0..60 {
        again.warn("x", &format!("try {number}"));
        sleep(Duration::from_secs(10)).await;
    }
    again.end().await;
    assert_eq!(again.asked.all().len(), 50);
}

#[tokio::test(start_paused = true)]
async fn an_event_that_was_deleted_is_made_again() {
    let absent = json!({"kind": "Status", "code": 404, "details": {"name": "x.1", "kind": "events"}});
    let started = start(move |asked| {
        if asked.starts_with("PATCH") {
            Reply::json(404, &absent)
        } else {
            ok(asked)
        }
    });
    started.warn("x", "one");
    sleep(Duration::from_mins(1)).await;
    started.warn("x", "one");
    started.end().await;
    assert_eq!((started.asked.count("POST "), started.asked.count("PATCH ")), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_of_no_consequence() {
    let started = start(|_| Reply::json(403, include_str!("../failure/answers/ns_term_create.json")));
    started.warn("x", "one");
    started.warn("y", "one");
    started.end().await;
    assert_eq!(started.asked.all().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn missing_rights_are_told_once() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .finish();
    let _capture = tracing::subscriber::set_default(subscriber);
    let started = start(|_| {
        Reply::json(
            403,
            json!({"kind": "Status", "code": 403, "reason": "Forbidden", "message": "events is forbidden: User \"x\" cannot create resource"}),
        )
    });
    started.warn("x", "one");
    started.warn("y", "one");
    started.warn("z", "one");
    started.end().await;
    assert_eq!(started.asked.all().len(), 3);
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let warnings: Vec<_> = text.lines().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 1, "{text}");
    assert!(
        warnings[0].contains("Events are not written") && warnings[0].contains("controller=\"operatorkit.dev/test\""),
        "{text}"
    );
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_holds_up_nobody() {
    let started = start(|_| Reply::Hang);
    for number in 0..3000 {
        started.warn(&number.to_string(), "one");
    }
    assert_eq!(started.events.dropped.load(Ordering::Relaxed), 3000 - 1024);
    let began = tokio::time::Instant::now();
    started.end().await;
    assert!(began.elapsed() <= Duration::from_secs(3), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn events_about_the_cluster_are_in_default() {
    let started = start(ok);
    let about = ObjectReference {
        namespace: None,
        ..about("node")
    };
    started.events.publish(about, EventType::Normal, "made it", "note", "");
    started.end().await;
    assert_eq!(started.asked.count("/namespaces/default/events"), 1);
    let bodies = started.bodies.lock().unwrap();
    assert_eq!(
        (&bodies[0]["reason"], &bodies[0]["action"]),
        (&json!("MadeIt"), &json!("Unknown"))
    );
}
