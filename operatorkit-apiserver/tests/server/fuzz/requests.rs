//! Paths, queries and headers: of everything that is served, and of what is not.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use operatorkit_apiserver::builtin::{self, BuiltInResource};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    bodies::{self, Body, Kind},
    choices::Choices,
};

const METHODS: &[Method] = &[
    Method::POST,
    Method::GET,
    Method::PATCH,
    Method::PUT,
    Method::DELETE,
    Method::PATCH,
    Method::POST,
];

const OTHERS: &[&str] = &[
    "/",
    "/api",
    "/apis",
    "/api/",
    "/apis/apps",
    "/apis/apps/v1",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/apis/apps/v1",
    "/version",
    "/healthz",
    "/readyz",
    "/livez/ping",
    "/metrics",
    "/logs/",
    "/api/v1/watch/pods",
    "/api/v1/watch/namespaces/default/configmaps/a",
    "/api/v1/namespaces/default/pods/a/log",
    "/api/v1/namespaces/default/pods/a/exec",
    "/api/v1/nodes/a/proxy/x/y",
    "//",
    "/apis//v1/x",
    "/api/v1/namespaces//configmaps",
    "/api/v1/%ff",
    "/apis/%00/v1/x",
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
];

/// A request; `None` if HTTP has no such.
pub(super) fn request(choices: &mut Choices<'_>) -> Option<Request<Full<Bytes>>> {
    let mut method = choices.pick(METHODS).clone();
    if choices.one_in(30) {
        method = choices.pick(&[Method::HEAD, Method::OPTIONS, Method::TRACE]).clone();
    }
    let (path, kind) = path(choices, &method);
    let body = match method {
        Method::GET if !choices.one_in(20) => None,
        Method::DELETE if !choices.one_in(3) => None,
        Method::DELETE => Some(bodies::object(choices, &delete_options())),
        Method::PATCH => Some(bodies::patch(choices, &kind)),
        _ => Some(bodies::object(choices, &kind)),
    };
    let mut uri = path;
    for index in 0..choices.below(4) {
        uri.push(if index == 0 { '?' } else { '&' });
        uri += &parameter(choices, method == Method::PATCH);
    }
    let mut request = Request::builder().method(method).uri(uri);
    if let Some(body) = &body {
        request = request.header("content-type", &body.form);
        if body.gzip {
            request = request.header("content-encoding", *choices.pick(&["gzip", "GZIP", "br", "gzip, gzip"]));
        }
    }
    if choices.one_in(4) {
        request = request.header("accept", *choices.pick(ACCEPTS));
    }
    if choices.one_in(30) {
        let (name, value) = header(choices);
        request = request.header(name, HeaderValue::from_bytes(value.as_bytes()).ok()?);
    }
    let bytes = body.map(|Body { bytes, .. }| bytes).unwrap_or_default();
    request.body(Full::new(bytes.into())).ok()
}

/// A path, and the kind of the objects that are sent there.
fn path<'a>(choices: &mut Choices<'_>, method: &Method) -> (String, Kind<'a>) {
    let resources = builtin::kinds().resources();
    let resource = &resources[choices.below(resources.len())];
    let name = (*choices.pick(&["a", "a", "b", "default", "things.example.com", "a.b", "A%20", "%2e%2e"])).to_owned();
    let namespace = *choices.pick(&["default", "default", "default", "kube-system", "nowhere", "%20"]);
    if choices.one_in(15) {
        let kind = kind(resource, None, name, namespace);
        return ((*choices.pick(OTHERS)).to_owned(), kind);
    }
    if choices.one_in(15) {
        let one = if *method == Method::POST {
            String::new()
        } else {
            format!("/{name}")
        };
        let path = format!("/apis/example.com/v1/namespaces/{namespace}/things{one}");
        let (api_version, kind) = ("example.com/v1".to_owned(), "Thing".to_owned());
        let namespace = Some(namespace.to_owned());
        return (
            path,
            Kind {
                api_version,
                kind,
                schema: None,
                namespace,
                name,
            },
        );
    }
    let mut path = match &*resource.group {
        "" => format!("/api/{}", resource.version),
        group => format!("/apis/{group}/{}", resource.version),
    };
    if resource.namespaced && !choices.one_in(20) {
        path = format!("{path}/namespaces/{namespace}");
    }
    path = format!("{path}/{}", resource.plural);
    let subresource =
        (choices.one_in(4) && !resource.subresources.is_empty()).then(|| choices.pick(&resource.subresources));
    let collection = match *method {
        Method::POST => subresource.is_none(),
        Method::GET => choices.one_in(2),
        _ => choices.one_in(20),
    };
    if !collection {
        path = format!("{path}/{name}");
        if let Some(subresource) = subresource {
            path = format!("{path}/{}", subresource.name);
        }
    }
    let sent = subresource.map(|it| (&*it.group, &*it.version, &*it.kind));
    (path, kind(resource, sent, name, namespace))
}

fn kind<'a>(
    resource: &'a BuiltInResource,
    sent: Option<(&str, &str, &str)>,
    name: String,
    namespace: &str,
) -> Kind<'a> {
    let (group, version, kind) = sent.unwrap_or((&resource.group, &resource.version, &resource.kind));
    Kind {
        api_version: if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        },
        kind: kind.to_owned(),
        schema: builtin::kinds().schema_of(group, version, kind),
        namespace: resource.namespaced.then(|| namespace.to_owned()),
        name,
    }
}

fn delete_options() -> Kind<'static> {
    Kind {
        api_version: "v1".into(),
        kind: "DeleteOptions".into(),
        schema: builtin::kinds().schema_of("", "v1", "DeleteOptions"),
        namespace: None,
        name: String::new(),
    }
}

const PARAMETERS: &[(&str, &[&str])] = &[
    ("limit", &["1", "0", "-1", "9223372036854775807", "x"]),
    ("continue", &[]),
    (
        "labelSelector",
        &[
            "a=b",
            "a in (b,c),!d",
            "a notin ()",
            "a>1",
            "(",
            "a==",
            ",",
            "a in (",
            "é=1",
            "a!=b,a",
        ],
    ),
    (
        "fieldSelector",
        &[
            "metadata.name=a",
            "spec.nodeName!=x",
            "a",
            "status.phase=Running,metadata.namespace=default",
            "a=\\",
            "=",
            "metadata.name==a\\,b",
        ],
    ),
    (
        "resourceVersion",
        &["0", "1", "5", "18446744073709551615", "-1", "x", ""],
    ),
    ("resourceVersionMatch", &["Exact", "NotOlderThan", "x"]),
    ("watch", &["1", "true", "0", "x"]),
    ("timeoutSeconds", &["1", "0", "-1", "9223372036854775807", "x"]),
    ("sendInitialEvents", &["true", "false", "x"]),
    ("allowWatchBookmarks", &["true", "x"]),
    ("fieldManager", &["m", "", "\u{0}", "é"]),
    ("force", &["true", "false", "x"]),
    ("dryRun", &["All", "", "x"]),
    ("fieldValidation", &["Strict", "Warn", "Ignore", "x"]),
    ("pretty", &["true", "x"]),
    ("propagationPolicy", &["Orphan", "Foreground", "Background", "x"]),
    (
        "gracePeriodSeconds",
        &["0", "5", "-1", "9223372036854775807", "-9223372036854775808", "x"],
    ),
    ("orphanDependents", &["true", "false", "x"]),
    ("includeObject", &["None", "Object", "Metadata", "x"]),
    ("ignoreStoreReadErrorWithClusterBreakingPotential", &["true", "x"]),
];

fn parameter(choices: &mut Choices<'_>, manager: bool) -> String {
    if manager && !choices.one_in(4) {
        return format!("fieldManager={}", choices.pick(&["m", "n", "x%00"]));
    }
    let (name, values) = choices.pick(PARAMETERS);
    let value = match values {
        [] => continuation(choices),
        values if !choices.one_in(6) => (*choices.pick(values)).to_owned(),
        _ => choices.text(),
    };
    if choices.one_in(12) {
        return format!("{name}=%{}", choices.pick(&["", "4", "zz", "ff", "00"]));
    }
    format!("{name}={}", utf8_percent_encode(&value, NON_ALPHANUMERIC))
}

fn continuation(choices: &mut Choices<'_>) -> String {
    let version = *choices.pick(&["5", "-1", "0", "1", "9223372036854775807", "null", "1.5", "\"1\""]);
    let start = serde_json::json!(*choices.pick(&["a", "a\0", "default/a", "/", "../a", "", "é", "/default/a\0/b"]));
    let form = *choices.pick(&["meta.k8s.io/v1", "meta.k8s.io/v2"]);
    let mut token = format!(r#"{{"v":"{form}","rv":{version},"start":{start}}}"#);
    if choices.one_in(4) {
        token.pop();
    }
    URL_SAFE_NO_PAD.encode(token)
}

const ACCEPTS: &[&str] = &[
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf, application/json",
    "application/json;as=Table;g=meta.k8s.io;v=v1",
    "application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json",
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1",
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    "application/json;stream=watch",
    "application/json;as=x",
    "*/*;q=0",
    ";;,",
    "text/html",
];

fn header(choices: &mut Choices<'_>) -> (&'static str, String) {
    let name = choices.pick(&[
        "authorization",
        "impersonate-user",
        "impersonate-group",
        "impersonate-uid",
        "impersonate-extra-a",
        "accept-encoding",
        "user-agent",
        "accept",
        "if-match",
    ]);
    let value = match choices.below(4) {
        0 => "Bearer a.b.c".to_owned(),
        1 => "system:serviceaccount:default:a".to_owned(),
        2 => "gzip".to_owned(),
        _ => choices.text(),
    };
    (name, value)
}
