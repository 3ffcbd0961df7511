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
    RunSettings, SinglePasses,
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Service},
    },
    kube::{Client, client::Body},
    prelude::*,
    serde_json::{self, Value, json},
};

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
            fn new(size: Size) -> Self {
                Self(serde_json::from_value($make(stringify!($name), size)).expect("a fixture"))
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

/// How large the children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// As few fields as a kind needs: some 150 bytes of JSON each.
    Least,
    /// As they are in production: configuration files in ConfigMaps, Deployments with probes, limits and volumes, 2 KiB each.
    Usual,
}

fn config_map(name: &str, size: Size) -> Value {
    let mut data = json!({ "message": "hello" });
    if size == Size::Usual {
        data["app.yaml"] = format!("setting: a value of {name} in a line of its own\n")
            .repeat(40)
            .into();
    }
    json!({ "metadata": { "name": name.to_lowercase(), "labels": labels(name) }, "data": data })
}

fn service(name: &str, size: Size) -> Value {
    let mut spec =
        json!({ "clusterIP": "None", "selector": labels(name), "ports": [{ "port": 80, "targetPort": 8080 }] });
    if size == Size::Usual {
        let port = |(name, port): (&str, u16)| json!({ "name": name, "port": port, "targetPort": name, "protocol": "TCP", "appProtocol": "http" });
        spec["ports"] = [("http", 80), ("metrics", 9090), ("admin", 8081)]
            .into_iter()
            .map(port)
            .collect();
    }
    json!({ "metadata": { "name": name.to_lowercase(), "labels": labels(name) }, "spec": spec })
}

fn deployment(name: &str, size: Size) -> Value {
    let mut container = json!({ "name": "web", "image": "nginx:1" });
    let mut pod = json!({});
    if size == Size::Usual {
        let probe =
            json!({ "httpGet": { "path": "/healthz", "port": 8080 }, "periodSeconds": 10, "failureThreshold": 3 });
        container = json!({
            "name": "web", "image": "registry.example.com/team/web:1.27.3", "imagePullPolicy": "IfNotPresent",
            "args": ["--listen=:8080", "--config=/etc/web/app.yaml", "--log-format=json"],
            "ports": [{ "name": "http", "containerPort": 8080 }, { "name": "metrics", "containerPort": 9090 }],
            "env": (0..12).map(|index| json!({ "name": format!("SETTING_{index}"), "value": format!("value number {index}") })).collect::<Value>(),
            "envFrom": [{ "configMapRef": { "name": "settings" } }],
            "resources": { "requests": { "cpu": "100m", "memory": "64Mi" }, "limits": { "cpu": "1", "memory": "256Mi" } },
            "livenessProbe": probe, "readinessProbe": probe, "startupProbe": probe,
            "securityContext": { "runAsNonRoot": true, "readOnlyRootFilesystem": true, "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } },
            "volumeMounts": [{ "name": "config", "mountPath": "/etc/web", "readOnly": true }, { "name": "tmp", "mountPath": "/tmp" }],
        });
        pod = json!({
            "serviceAccountName": "web", "terminationGracePeriodSeconds": 30,
            "volumes": [{ "name": "config", "configMap": { "name": "settings" } }, { "name": "tmp", "emptyDir": { "sizeLimit": "64Mi" } }],
            "topologySpreadConstraints": [{
                "maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": { "matchLabels": labels(name) },
            }],
        });
    }
    pod["containers"] = json!([container]);
    let template = json!({ "metadata": { "labels": labels(name) }, "spec": pod });
    let spec = json!({ "replicas": 0, "selector": { "matchLabels": labels(name) }, "template": template });
    json!({ "metadata": { "name": name.to_lowercase(), "labels": labels(name) }, "spec": spec })
}

fn labels(name: &str) -> Value {
    json!({ "app.kubernetes.io/name": name })
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
                _ if path.ends_with("/tens/ten") => object.lock().expect("whole").clone(),
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

fn resources(size: Size) -> TenResources {
    TenResources {
        c1: C1::new(size),
        s1: S1::new(size),
        d1: D1::new(size),
        c2: C2::new(size),
        s2: S2::new(size),
        d2: D2::new(size),
        c3: C3::new(size),
        s3: S3::new(size),
        d3: D3::new(size),
        c4: C4::new(size),
    }
}

fn noop_pass(criterion: &mut Criterion) {
    for size in [Size::Least, Size::Usual] {
        measure(criterion, size);
    }
}

fn measure(criterion: &mut Criterion, size: Size) {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut passes = tokio.block_on(async {
        let mut passes =
            SinglePasses::<Ten>::new(resources(size), client(), &RunSettings::default()).expect("an operator");
        passes.run("default", "ten").await.expect("a pass");
        assert!(passes.again().await.done);
        passes
    });
    let ten = resources(size);
    let mut group = criterion.benchmark_group(format!("ten resources, {size:?}"));
    group.bench_function("a pass that changes nothing", |bencher| {
        bencher.iter(|| tokio.block_on(passes.again()));
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
