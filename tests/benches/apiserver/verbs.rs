//! One request after the other, of a small object.

use std::time::{Duration, Instant};

use http::Method;
use operatorkit::serde_json::{Value, json};

use crate::{door::Door, report::median};

/// How often each is asked for.
const TIMES: usize = 1_000;

/// As often before that, so that both are warm.
const BEFORE: usize = 100;

const JSON: &str = "application/json";
const APPLY: &str = "application/apply-patch+yaml";

/// A request that is measured.
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    method: Method,
    form: &'static str,
    /// Whether each request has another object.
    anew: bool,
    /// Whether each request has another content.
    changes: bool,
    body: Body,
}

#[derive(Clone, Copy)]
enum Body {
    None,
    ConfigMap,
    Deployment,
}

pub(crate) const ALL: &[Verb] = &[
    Verb {
        name: "get",
        method: Method::GET,
        form: "",
        anew: false,
        changes: false,
        body: Body::None,
    },
    Verb {
        name: "create",
        method: Method::POST,
        form: JSON,
        anew: true,
        changes: true,
        body: Body::ConfigMap,
    },
    Verb {
        name: "update",
        method: Method::PUT,
        form: JSON,
        anew: false,
        changes: true,
        body: Body::ConfigMap,
    },
    Verb {
        name: "apply that creates",
        method: Method::PATCH,
        form: APPLY,
        anew: true,
        changes: true,
        body: Body::ConfigMap,
    },
    Verb {
        name: "apply that changes",
        method: Method::PATCH,
        form: APPLY,
        anew: false,
        changes: true,
        body: Body::ConfigMap,
    },
    Verb {
        name: "apply that changes nothing",
        method: Method::PATCH,
        form: APPLY,
        anew: false,
        changes: false,
        body: Body::ConfigMap,
    },
    Verb {
        name: "apply that changes a Deployment",
        method: Method::PATCH,
        form: APPLY,
        anew: false,
        changes: true,
        body: Body::Deployment,
    },
];

/// The median of the times that it takes.
pub(crate) async fn measure(door: &Door, verb: &Verb) -> Duration {
    let base = match verb.body {
        Body::None | Body::ConfigMap => "/api/v1/namespaces/default/configmaps",
        Body::Deployment => "/apis/apps/v1/namespaces/default/deployments",
    };
    let prefix = verb.name.replace(' ', "-").to_lowercase();
    let name = |number: usize| {
        if verb.anew {
            format!("{prefix}-{number}")
        } else {
            prefix.clone()
        }
    };
    if !verb.anew {
        let body = object(verb.body, &name(0), "there before");
        let path = format!("{base}/{}?fieldManager=bench", name(0));
        door.ask(Method::PATCH, &path, APPLY, body).await;
    }
    let mut times = Vec::new();
    for number in 0..BEFORE + TIMES {
        let content = if verb.changes {
            format!("{number}")
        } else {
            "there before".to_owned()
        };
        let body = match verb.body {
            Body::None => Vec::new(),
            body => object(body, &name(number), &content),
        };
        let path = match verb.method {
            Method::POST => base.to_owned(),
            Method::PATCH => format!("{base}/{}?fieldManager=bench", name(number)),
            _ => format!("{base}/{}", name(number)),
        };
        let begin = Instant::now();
        door.ask(verb.method.clone(), &path, verb.form, body).await;
        times.push(begin.elapsed());
    }
    median(times.split_off(BEFORE))
}

fn object(body: Body, name: &str, content: &str) -> Vec<u8> {
    let labels = json!({ "app.kubernetes.io/name": "small" });
    let metadata = json!({ "name": name, "labels": labels });
    let object: Value = match body {
        Body::Deployment => json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
            "spec": {
                "replicas": 0, "selector": { "matchLabels": labels },
                "template": {
                    "metadata": { "labels": labels },
                    "spec": { "containers": [{ "name": "web", "image": "nginx:1", "env": [{ "name": "CONTENT", "value": content }] }] },
                },
            },
        }),
        _ => json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": { "content": content } }),
    };
    object.to_string().into_bytes()
}
