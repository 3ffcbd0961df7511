//! What is shown, and what is read.

use std::io::Write as _;

use kube::Client;
use operatorkit_apiserver::{ApiServer, access::User};
use serde_json::{Value, json};

use super::{
    samples,
    view::{Operator, View},
};
use crate::{
    cluster::{Cluster, Kind},
    progress::{Progress, Step},
    status::{ResourceStatus, Verdict},
};

fn view() -> View {
    let kind = Kind {
        group: "demo".into(),
        version: "v1".into(),
        kind: "App".into(),
        plural: "apps".into(),
        namespaced: true,
    };
    View::new(vec![Operator::new("op", kind, vec![("map", [1, 2]), ("web", [2, 1])])])
}

fn progress(backwards: bool, step: Step) -> Progress {
    Progress {
        operator: "op".into(),
        namespace: Some("ns".into()),
        name: "x".into(),
        backwards,
        step,
    }
}

fn is(name: &str, phase: &str, reason: &str) -> Step {
    Step::Is(ResourceStatus {
        name: name.into(),
        phase: phase.into(),
        reason: reason.into(),
        ..ResourceStatus::default()
    })
}

#[test]
fn a_life_is_told_in_lines_and_nothing_is_told_twice() {
    let mut view = view();
    let mut told = Vec::new();
    for (backwards, step) in [
        (false, Step::Begins("map".into())),
        (false, is("map", "Ready", "")),
        (false, is("web", "Waiting", "RollingOut")),
        (false, is("web", "Waiting", "RollingOut")),
        (false, Step::Ended(Some(Verdict::new(false, "RollingOut", "soon")))),
        (false, is("map", "Ready", "")),
        (false, is("web", "Ready", "")),
        (false, Step::Ended(None)),
        (false, Step::Ended(None)),
        (true, is("web", "Deleted", "")),
        (true, is("map", "Deleted", "")),
        (true, Step::Ended(None)),
    ] {
        told.extend(view.take(&progress(backwards, step)));
    }
    let wanted = [
        "up    1  map  Ready  (App ns/x)",
        "up    2  web  Waiting   RollingOut  (App ns/x)",
        "up    2  web  Ready  (App ns/x)",
        "App ns/x is ready",
        "down  1  web  Deleted  (App ns/x)",
        "down  2  map  Deleted  (App ns/x)",
        "App ns/x is gone",
    ];
    assert_eq!(told, wanted);
    assert!(view.left().is_empty());
}

#[test]
fn the_table_is_in_the_order_of_the_direction_and_begins_anew_with_a_new_object() {
    let mut view = view();
    let names = |view: &View| -> Vec<String> {
        let rows = view.table().into_iter().skip(2);
        rows.map(|row| row.split_whitespace().skip(2).collect::<Vec<_>>().join(" "))
            .collect()
    };
    view.take(&progress(false, is("map", "Ready", "")));
    assert_eq!(names(&view), ["map Ready\u{1b}[0m", "web Pending\u{1b}[0m"]);
    view.take(&progress(true, Step::Begins("web".into())));
    assert_eq!(names(&view), ["web Deleting\u{1b}[0m", "map Ready\u{1b}[0m"]);
    view.take(&progress(true, Step::Ended(None)));
    view.take(&progress(false, Step::Begins("map".into())));
    assert_eq!(names(&view), ["map Working\u{1b}[0m", "web Pending\u{1b}[0m"]);
}

#[test]
fn what_holds_an_object_up_is_told_and_cannot_draw_on_the_terminal() {
    let mut view = view();
    let [line] = &view.take(&progress(false, is("web", "Failed", "No\u{1b}[2J\nway")))[..] else {
        panic!("one line")
    };
    assert!(!line.contains(char::is_control), "{line:?}");
    view.take(&progress(
        false,
        Step::Ended(Some(Verdict::new(false, "No", "web: no way"))),
    ));
    assert_eq!(view.trouble(), "App ns/x: No: web: no way");
    assert_eq!(view.left().len(), 1);
}

#[test]
fn files_replace_the_samples_of_the_program() {
    let of_app = [json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "a" } })];
    assert_eq!(samples::read(&of_app, &[]).unwrap().len(), 1);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let document = |name: &str| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: {name} }}\n");
    file.write_all((document("b") + &document("c")).as_bytes()).unwrap();
    assert_eq!(samples::read(&of_app, &[file.path().into()]).unwrap().len(), 2);
    file.write_all(b"---\nkind: ConfigMap\n").unwrap();
    let why = format!("{:#}", samples::read(&[], &[file.path().into()]).unwrap_err());
    assert!(why.contains(file.path().to_str().unwrap()), "{why}");
    let nameless = [json!({ "apiVersion": "v1", "kind": "Secret" })];
    let why = format!("{:#}", samples::read(&nameless, &[]).unwrap_err());
    assert_eq!(why, "a sample of the program: it has no name");
}

/// What is said of a sample that is made after another one.
async fn refused(cluster: &Cluster, sample: Value) -> String {
    let samples = samples::read(&[sample], &[]).unwrap();
    format!("{:#}", samples[0].make(cluster).await.unwrap_err())
}

#[tokio::test]
async fn what_the_server_refuses_is_told_in_the_words_of_an_operator() {
    let server = ApiServer::builder().start();
    let cluster = Cluster::new(Client::new(server.service_as(User::admin()), "default"), "dev");
    let map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x" } });
    let made = samples::read(std::slice::from_ref(&map), &[]).unwrap()[0]
        .make(&cluster)
        .await
        .unwrap();
    assert_eq!(
        refused(&cluster, map).await,
        r#"cannot create ConfigMap default/x: configmaps "x" already exists"#
    );
    let secret =
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "x" }, "data": { "k": "hunter2!" } });
    let said = refused(&cluster, secret).await;
    assert!(
        said.starts_with("cannot create Secret default/x: ") && !said.contains("hunter"),
        "{said}"
    );
    let unknown = json!({ "apiVersion": "demo/v1", "kind": "App", "metadata": { "name": "x" } });
    let said = refused(&cluster, unknown).await;
    assert!(
        said.starts_with("cannot create the App x: the API server does not serve"),
        "{said}"
    );

    made.delete(&cluster).await.unwrap();
    assert!(made.live(&cluster).await.unwrap().is_none());
    // Gone is gone.
    made.delete(&cluster).await.unwrap();
}
