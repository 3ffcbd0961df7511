//! What the children of a `WebApp` look like.

use operatorkit::{
    k8s_openapi::api::{
        apps::v1::Deployment,
        core::v1::{ConfigMap, Service},
    },
    kube::ResourceExt as _,
    prelude::*,
    serde_json::{Value, from_value, json},
};

use super::WebApp;

pub(crate) fn settings(app: &WebApp) -> Result<ConfigMap> {
    Ok(from_value(json!({
        "metadata": { "name": settings_name(app), "labels": labels(app) },
        "data": { "message": app.spec.message },
    }))?)
}

pub(crate) fn service(app: &WebApp) -> Result<Service> {
    Ok(from_value(json!({
        "metadata": { "name": app.name_any(), "labels": labels(app) },
        "spec": { "selector": labels(app), "ports": [{ "port": 80, "targetPort": 8080 }] },
    }))?)
}

pub(crate) fn deployment(app: &WebApp) -> Result<Deployment> {
    Ok(from_value(json!({
        "metadata": { "name": app.name_any(), "labels": labels(app) },
        "spec": {
            "replicas": app.spec.replicas,
            "selector": { "matchLabels": labels(app) },
            "template": {
                // A changed message rolls the pods, which read it when they start.
                "metadata": { "labels": labels(app), "annotations": { "demo.operatorkit.dev/message": app.spec.message } },
                "spec": { "containers": [{
                    "name": "web",
                    "image": app.spec.image,
                    // Unsaid, it would be for ever what the API server makes of the first image's tag.
                    "imagePullPolicy": "IfNotPresent",
                    "envFrom": [{ "configMapRef": { "name": settings_name(app) } }],
                }]},
            },
        },
    }))?)
}

fn settings_name(app: &WebApp) -> String {
    format!("{}-settings", app.name_any())
}

fn labels(app: &WebApp) -> Value {
    json!({ "app.kubernetes.io/name": app.name_any() })
}
