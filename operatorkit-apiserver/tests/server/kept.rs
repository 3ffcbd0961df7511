//! What a server leaves to the next one.

use http::Method;
use operatorkit_apiserver::{
    ApiServer,
    serve::state::{Entry, State},
};
use serde_json::{Value, json};

use crate::{
    client::{Client, json},
    objects::{CRDS, MAPS, THINGS, map_of, names, owned, things, version},
};

const SERVICES: &str = "/api/v1/namespaces/default/services";
const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";

fn service(name: &str, address: &Value) -> Value {
    json!({ "metadata": { "name": name }, "spec": { "clusterIP": address, "ports": [{ "port": 80 }] } })
}

fn bearer(path: &str, token: &str) -> http::Request<http_body_util::Full<bytes::Bytes>> {
    let mut request = json(Method::GET, path, &json!(null));
    let token = format!("Bearer {token}").parse().expect("a header");
    request.headers_mut().insert("authorization", token);
    request
}

#[tokio::test]
async fn the_next_server_goes_on_from_here() {
    let first = ApiServer::builder().rbac(true).start();
    let client = Client::of(&first);
    let map = client.post(MAPS, &map_of("a", "1")).await.expect(201);
    client.post(CRDS, &things()).await.expect(201);
    let thing = json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "t" } });
    let thing = client.post(THINGS, &thing).await.expect(201);
    let address = client.post(SERVICES, &service("s", &Value::Null)).await.expect(201)["spec"]["clusterIP"].clone();
    client
        .post(ACCOUNTS, &json!({ "metadata": { "name": "robot" } }))
        .await
        .expect(201);
    let binding = json!({
        "metadata": { "name": "robot" },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin" },
        "subjects": [{ "kind": "ServiceAccount", "name": "robot", "namespace": "default" }],
    });
    let bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    client.post(bindings, &binding).await.expect(201);
    let token = client
        .post(&format!("{ACCOUNTS}/robot/token"), &json!({ "spec": {} }))
        .await
        .expect(201);
    let token = token["status"]["token"].as_str().expect("a token").to_owned();

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    let all = client.get("/api/v1/configmaps").await.expect(200);
    first.settled().await;
    first.state().write(&path).expect("it is written");
    let last = first.resource_version();
    drop(first);

    let state = State::read(&path).expect("it is whole").expect("it is there");
    let second = ApiServer::builder().rbac(true).resume(&state).expect("it is read");
    let client = Client::of(&second);
    assert_eq!(second.resource_version(), last);
    assert_eq!(client.get(&format!("{MAPS}/a")).await.expect(200), map);
    assert_eq!(client.get(&format!("{THINGS}/t")).await.expect(200), thing);
    assert_eq!(
        client.get("/api/v1/configmaps").await.expect(200)["items"],
        all["items"]
    );
    // Addresses that are taken stay taken; roles count; tokens are known.
    assert_eq!(client.post(SERVICES, &service("other", &address)).await.code, 422);
    let robot = Client::new(second.open_service());
    let answer = robot.send(bearer(MAPS, &token)).await.expect("an answer");
    assert_eq!(names(&answer.expect(200)), ["a"]);
    // Versions go on, and what was before is forgotten.
    let changed = client.put(&format!("{MAPS}/a"), &map_of("a", "2")).await.expect(200);
    assert!(version(&changed) > last);
    let mut events = client.watch(&format!("{MAPS}?watch=1&resourceVersion={last}")).await;
    assert_eq!(events.said().await, "MODIFIED a");
    let mut events = client
        .watch(&format!("{MAPS}?watch=1&resourceVersion={}", last - 1))
        .await;
    assert_eq!(events.said().await, "ERROR 410");
}

/// What was left undone is done by the next one.
#[tokio::test]
async fn the_next_server_collects_garbage() {
    let first = ApiServer::builder().controllers(false).start();
    let client = Client::of(&first);
    let owner = client.post(MAPS, &map_of("owner", "")).await.expect(201);
    client.post(MAPS, &owned("child", &owner)).await.expect(201);
    client.delete(&format!("{MAPS}/owner")).await.expect(200);
    let second = ApiServer::builder().resume(&first.state()).expect("it is read");
    second.settled().await;
    assert_eq!(
        names(&Client::of(&second).get(MAPS).await.expect(200)),
        Vec::<&str>::new()
    );
}

#[tokio::test]
async fn a_state_that_is_none_is_refused() {
    let entry = |object: &'static str| State {
        version: 7,
        objects: vec![Entry {
            table: "/configmaps".into(),
            version: 7,
            object: object.into(),
        }],
        ..State::default()
    };
    for object in ["", "{", "[1]", "null", r#"{"metadata":{}}"#] {
        assert!(ApiServer::builder().resume(&entry(object)).is_err(), "{object:?}");
    }
    let whole = entry(r#"{"metadata":{"name":"a","namespace":"default","uid":"u"}}"#);
    ApiServer::builder().resume(&whole).expect("it is read");
}

/// A state of nothing makes a server with nothing: no namespace, but one that works.
#[tokio::test]
async fn an_empty_state_is_an_empty_server() {
    let server = ApiServer::builder().resume(&State::default()).expect("it is read");
    let client = Client::of(&server);
    assert_eq!(
        names(&client.get("/api/v1/namespaces").await.expect(200)),
        Vec::<&str>::new()
    );
    client
        .post("/api/v1/namespaces", &json!({ "metadata": { "name": "default" } }))
        .await
        .expect(201);
    client.post(MAPS, &map_of("a", "1")).await.expect(201);
}
