//! What a pass over a ten-resource graph costs that changes nothing, beside serialising its ten desired objects once.
//!
//! The goal: a pass, less the user's own `desired`, at most three times the serialising.
//! `cargo bench -p operatorkit-tests --bench noop_pass`

use std::{
    convert::Infallible,
    hint::black_box,
    sync::{Arc, Mutex},
};

use criterion::{Criterion, criterion_group, criterion_main};
use http::{Method, Request, Response};
use operatorkit::{
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Service},
    },
    kube::{Client, client::Body},
    prelude::*,
    serde_json::{self, Value, json},
};
use operatorkit_runtime::SinglePasses;

/// A kind with ten children.
#[operator(
    group = "bench.operatorkit.dev",
    version = "v1",
    kind = "Ten",
    namespaced,
    resources(C1, S1, D1, C2, S2, D2, C3, S3, D3, C4)
)]
pub struct TenSpec {
    /// What is in the children.
    pub message: String,
}

macro_rules! resource {
    ($name:ident, $object:ident, $make:path, $order:literal) => {
        /// One of the ten.
        #[resource(order = $order)]
        #[derive(Debug)]
        pub struct $name($object);

        impl Manifest for $name {
            type Operator = Ten;
            type Object = $object;
            async fn desired(&self, _ten: &Ten, _cx: &Cx<Self>) -> Result<Desired<$object>> {
                Ok(self.0.clone().into())
            }
        }

        impl $name {
            fn new() -> Self {
                Self(serde_json::from_value($make(stringify!($name))).expect("a fixture"))
            }
        }
    };
}

resource!(C1, ConfigMap, config_map, 1);
resource!(S1, Service, service, 1);
resource!(D1, Deployment, deployment, 2);
resource!(C2, ConfigMap, config_map, 2);
resource!(S2, Service, service, 2);
resource!(D2, Deployment, deployment, 3);
resource!(C3, ConfigMap, config_map, 3);
resource!(S3, Service, service, 3);
resource!(D3, Deployment, deployment, 4);
resource!(C4, ConfigMap, config_map, 4);

fn config_map(name: &str) -> Value {
    json!({ "metadata": { "name": name.to_lowercase() }, "data": { "a": "one", "b": "two", "message": "hello" } })
}

fn service(name: &str) -> Value {
    let ports = json!([{ "name": "http", "port": 80, "targetPort": 8080 }]);
    json!({ "metadata": { "name": name.to_lowercase() }, "spec": { "clusterIP": "None", "selector": { "app": name }, "ports": ports } })
}

fn deployment(name: &str) -> Value {
    let container = json!({
        "name": "web", "image": "nginx:1", "env": [{ "name": "A", "value": "1" }, { "name": "B", "value": "2" }],
        "resources": { "requests": { "cpu": "100m", "memory": "64Mi" } },
        "envFrom": [{ "configMapRef": { "name": "c1" } }],
    });
    let template = json!({ "metadata": { "labels": { "app": name } }, "spec": { "containers": [container] } });
    let spec = json!({ "replicas": 0, "selector": { "matchLabels": { "app": name } }, "template": template });
    json!({ "metadata": { "name": name.to_lowercase() }, "spec": spec })
}

/// An API server that says yes: lists are empty, watches silent, what is applied comes back, and the object keeps what is
/// patched into it.
fn client() -> Client {
    let object = Arc::new(Mutex::new(serde_json::to_value(ten()).expect("JSON")));
    let service = tower::service_fn(move |request: Request<Body>| {
        let object = object.clone();
        async move {
            if request.method() == Method::GET && request.uri().query().unwrap_or_default().contains("watch=true") {
                std::future::pending::<()>().await;
            }
            let path = request.uri().path().to_owned();
            let answer = match *request.method() {
                Method::PATCH => {
                    let body = request.into_body().collect_bytes().await.expect("a body");
                    let body = serde_json::from_slice(&body).expect("JSON");
                    if path.contains("/tens/") {
                        patched(&object, &body)
                    } else {
                        applied(&path, body)
                    }
                }
                _ => json!({ "kind": "List", "apiVersion": "v1", "metadata": { "resourceVersion": "1" }, "items": [] }),
            };
            Ok::<_, Infallible>(Response::new(Body::from(answer.to_string().into_bytes())))
        }
    });
    Client::new(service, "default")
}

/// The object after a patch of ours: finalizer and inventory by JSON patch, the status by apply.
fn patched(object: &Mutex<Value>, body: &Value) -> Value {
    let mut object = object.lock().expect("whole");
    if let Value::Array(ops) = body {
        for op in ops.iter().filter(|op| op["op"] == "add") {
            let member = op["path"]
                .as_str()
                .and_then(|path| path.strip_prefix("/metadata/"))
                .expect("metadata");
            object["metadata"][member] = op["value"].clone();
        }
    } else {
        object["status"] = body["status"].clone();
    }
    let version: u64 = object["metadata"]["resourceVersion"]
        .as_str()
        .and_then(|it| it.parse().ok())
        .expect("a version");
    object["metadata"]["resourceVersion"] = json!((version + 1).to_string());
    object.clone()
}

fn applied(path: &str, mut body: Value) -> Value {
    body["metadata"]["uid"] = json!(format!("uid-{path}"));
    body["metadata"]["resourceVersion"] = json!("10");
    body["metadata"]["generation"] = json!(1);
    body["status"] = json!({ "observedGeneration": 1 });
    body
}

/// The object as a user has made it.
fn ten() -> Ten {
    let mut ten = Ten::new(
        "ten",
        TenSpec {
            message: "hello".into(),
        },
    );
    ten.metadata.namespace = Some("default".into());
    ten.metadata.uid = Some("11111111-2222-3333-4444-555555555555".into());
    ten.metadata.resource_version = Some("5".into());
    ten.metadata.generation = Some(1);
    ten
}

fn resources() -> TenResources {
    TenResources {
        c1: C1::new(),
        s1: S1::new(),
        d1: D1::new(),
        c2: C2::new(),
        s2: S2::new(),
        d2: D2::new(),
        c3: C3::new(),
        s3: S3::new(),
        d3: D3::new(),
        c4: C4::new(),
    }
}

fn noop_pass(criterion: &mut Criterion) {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let passes = tokio.block_on(async {
        let passes = SinglePasses::<Ten>::new(resources(), client(), &ten())
            .await
            .expect("an operator");
        passes.run().await;
        passes.run().await;
        passes
    });
    let ten = resources();
    let mut group = criterion.benchmark_group("ten resources");
    group.bench_function("a pass that changes nothing", |bencher| {
        bencher.iter(|| tokio.block_on(passes.run()));
    });
    group.bench_function("the user's desired alone", |bencher| {
        bencher.iter(|| {
            black_box((ten.c1.0.clone(), ten.c2.0.clone(), ten.c3.0.clone(), ten.c4.0.clone()));
            black_box((ten.s1.0.clone(), ten.s2.0.clone(), ten.s3.0.clone()));
            black_box((ten.d1.0.clone(), ten.d2.0.clone(), ten.d3.0.clone()))
        });
    });
    group.bench_function("serialising its ten desired objects once", |bencher| {
        bencher.iter(|| {
            for object in [&ten.c1.0, &ten.c2.0, &ten.c3.0, &ten.c4.0] {
                black_box(serde_json::to_vec(object).expect("JSON"));
            }
            for object in [&ten.s1.0, &ten.s2.0, &ten.s3.0] {
                black_box(serde_json::to_vec(object).expect("JSON"));
            }
            for object in [&ten.d1.0, &ten.d2.0, &ten.d3.0] {
                black_box(serde_json::to_vec(object).expect("JSON"));
            }
        });
    });
    group.finish();
    let _inside = tokio.enter();
    drop(passes);
}

criterion_group!(benches, noop_pass);
criterion_main!(benches);
