//! Facts from a real server of Kubernetes 1.37.

use std::convert::Infallible;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::{Full, StreamBody};
use serde_json::json;

use super::{
    Accepted, Convert, Endpoint, Format, PatchType, Transform, accept,
    accept::is_pretty,
    accept_for_error,
    body::MAX_BODY,
    content_type,
    encode::{json as to_json, respond, yaml},
    patch_type, read_body,
};

const ONLY: &str = "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";

fn get(header: &str) -> Result<Accepted, String> {
    accept(Some(header), Endpoint::BuiltIn, false).map_err(|it| it.message)
}

fn format(header: &str) -> Format {
    let found = get(header).unwrap();
    assert_eq!(found.convert, None);
    found.format
}

#[test]
fn plain_media_types() {
    for header in [
        "",
        "*/*",
        "application/json",
        "application/json;q=0",
        "text/plain, application/json",
        "application/json;as=",
    ] {
        assert_eq!(format(header), Format::Json, "{header}");
    }
    for header in [
        "application/json;stream=watch",
        "application/json;profile=nested",
        "application/json;charset=utf-8",
    ] {
        assert_eq!(format(header), Format::Json, "{header}");
    }
    assert_eq!(format("application/yaml;q=0.5,application/json;q=0.1"), Format::Yaml);
    assert_eq!(
        format("application/json;q=0.1,*/*;q=0.1,application/yaml"),
        Format::Yaml
    );
    assert_eq!(
        format("application/vnd.kubernetes.protobuf,application/json"),
        Format::Protobuf
    );
    assert_eq!(accept(None, Endpoint::BuiltIn, false).unwrap(), Accepted::default());
}

#[test]
fn transformations() {
    let to = |to, version| Some(Convert { to, version });
    let header = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
    assert_eq!(get(header).unwrap().convert, to(Transform::Table, "v1"));
    let header = "application/json;as=Table;v=v1beta1;g=meta.k8s.io";
    assert_eq!(get(header).unwrap().convert, to(Transform::Table, "v1beta1"));
    let yaml = get("application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io").unwrap();
    assert_eq!(
        (yaml.format, yaml.convert),
        (Format::Yaml, to(Transform::PartialObjectMetadata, "v1"))
    );
    for bad in [
        "application/json;as=Foo;v=v1;g=meta.k8s.io",
        "application/json;as=Table;v=v2;g=meta.k8s.io",
        "application/json;v=v1;g=meta.k8s.io",
        "application/json;stream=foo",
        "application/yaml;stream=watch",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
    ] {
        assert_eq!(get(bad).unwrap_err(), ONLY, "{bad}");
    }
}

#[test]
fn unknown_media_types_are_refused_by_go_restful() {
    for bad in [
        "application/vnd.foo",
        "text/html",
        "application/*",
        "application/cbor",
        "garbage",
    ] {
        let failure = accept(Some(bad), Endpoint::BuiltIn, false).unwrap_err();
        assert_eq!(
            failure.status(),
            json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 406,
                "message": "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
                "reason": "NotAcceptable", "details": {},
            })
        );
    }
    let message = |endpoint| accept(Some("text/html"), endpoint, false).unwrap_err().message;
    assert!(
        message(Endpoint::BuiltInCollection)
            .ends_with("protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch")
    );
    assert_eq!(
        message(Endpoint::Version),
        "406: Not Acceptable\n\nAvailable representations: application/json"
    );
    assert_eq!(message(Endpoint::Groups), ONLY);
    assert_eq!(message(Endpoint::Custom), ONLY);
}

#[test]
fn custom_resources_are_not_protobuf() {
    let ask = |header| accept(Some(header), Endpoint::Custom, false).map_err(|it| it.message);
    assert_eq!(ask("application/vnd.kubernetes.protobuf").unwrap_err(), ONLY);
    assert_eq!(
        ask("application/vnd.kubernetes.protobuf, application/json")
            .unwrap()
            .format,
        Format::Json
    );
    assert_eq!(ask("application/*").unwrap().format, Format::Json);
    let partial = ask("application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io").unwrap();
    assert_eq!(partial.format, Format::Protobuf);
}

#[test]
fn watches_are_not_yaml() {
    let watch = |header| accept(Some(header), Endpoint::BuiltInCollection, true);
    assert_eq!(
        watch("application/yaml").unwrap_err().message,
        "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"
    );
    assert_eq!(
        watch("application/json;stream=watch").unwrap().watch_content_type(),
        "application/json"
    );
    assert_eq!(
        watch("application/vnd.kubernetes.protobuf;stream=watch")
            .unwrap()
            .watch_content_type(),
        "application/vnd.kubernetes.protobuf;stream=watch"
    );
}

#[test]
fn aggregated_discovery() {
    let ask = |endpoint, header| accept(Some(header), endpoint, false);
    let header = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    for endpoint in [Endpoint::Resources, Endpoint::Groups] {
        assert_eq!(
            ask(endpoint, header).unwrap().content_type(),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
        );
        let beta = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
        assert_eq!(ask(endpoint, beta).unwrap_err().message, ONLY);
        assert!(ask(endpoint, "application/json;as=Table;v=v1;g=meta.k8s.io").is_err());
    }
}

#[test]
fn a_status_comes_in_the_form_asked_for_or_as_json() {
    assert_eq!(accept_for_error(Some("application/yaml")).format, Format::Yaml);
    let table = accept_for_error(Some("application/json;as=Table;v=v1;g=meta.k8s.io"));
    assert_eq!((table.format, table.convert, table.pretty), (Format::Json, None, true));
    assert!(!accept_for_error(Some("application/json;as=Table;v=v1;g=meta.k8s.io,application/json")).pretty);
}

#[test]
fn forms_of_bodies() {
    for (header, expected) in [
        ("", Format::Json),
        ("APPLICATION/JSON", Format::Json),
        ("application/json; charset=utf-8", Format::Json),
        ("application/yaml", Format::Yaml),
        ("application/vnd.kubernetes.protobuf", Format::Protobuf),
    ] {
        assert_eq!(content_type(Some(header)).unwrap(), expected, "{header}");
    }
    for bad in [
        "application/foo",
        "garbage;;",
        "*/*",
        "application/json-patch+json",
        "application/cbor",
    ] {
        assert_eq!(
            content_type(Some(bad)).unwrap_err().message,
            "the body of the request was in an unknown format - accepted media types include: application/json, \
             application/yaml, application/vnd.kubernetes.protobuf"
        );
    }
}

#[test]
fn forms_of_patches() {
    let merge = "application/merge-patch+json; charset=utf-8";
    assert_eq!(patch_type(Some(merge), Endpoint::BuiltIn).unwrap(), PatchType::Merge);
    let strategic = "application/strategic-merge-patch+json";
    assert_eq!(
        patch_type(Some(strategic), Endpoint::BuiltIn).unwrap(),
        PatchType::StrategicMerge
    );
    for bad in [None, Some("application/json"), Some("application/apply-patch+cbor")] {
        let failure = patch_type(bad, Endpoint::BuiltIn).unwrap_err();
        assert_eq!(failure.message, "415: Unsupported Media Type");
        assert_eq!(failure.status()["details"], json!({}));
        let failure = patch_type(bad, Endpoint::Custom).unwrap_err();
        assert_eq!(
            failure.message,
            "the body of the request was in an unknown format - accepted media types include: \
             application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
        );
    }
    assert!(patch_type(Some(strategic), Endpoint::Custom).is_err());
}

#[test]
fn answers_for_people() {
    assert!(is_pretty(None, Some("curl/8.5")) && is_pretty(Some("true"), None) && is_pretty(Some(""), Some("Wget")));
    assert!(!is_pretty(Some("0"), Some("curl/8.5")) && !is_pretty(None, Some("kubectl")));
    let value = json!({"kind": "A", "items": []});
    assert_eq!(to_json(&value, false), b"{\"items\":[],\"kind\":\"A\"}\n");
    assert_eq!(to_json(&value, true), b"{\n  \"items\": [],\n  \"kind\": \"A\"\n}");
}

#[test]
fn yaml_reads_back() {
    let value = json!({
        "apiVersion": "v1", "items": [], "empty": {}, "list": [{"a": 1, "b": [true, null]}, "x"],
        "strings": ["yes", "null", "1", "1.5", "", " a", "a: b", "# c", "2026-12-02T09:12:25Z", "line\nbreak\n", "0x1f", "~", "ü"],
    });
    let text = String::from_utf8(yaml(&value).unwrap()).unwrap();
    let back: serde_json::Value = serde_saphyr::from_str(&text).unwrap();
    assert_eq!(back, value, "{text}");
}

#[test]
fn long_answers_are_compressed_for_those_who_take_it() {
    let long = json!({"text": "a".repeat(200 * 1024)});
    let mut headers = HeaderMap::new();
    let plain = respond(StatusCode::OK, &long, &Accepted::default(), &headers).unwrap();
    assert!(!plain.headers().contains_key("content-encoding"));
    headers.insert("accept-encoding", HeaderValue::from_static("deflate, gzip;q=0.5"));
    let packed = respond(StatusCode::OK, &long, &Accepted::default(), &headers).unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert_eq!(packed.headers()["vary"], "Accept-Encoding");
    let mut back = String::new();
    let mut reader = flate2::read::GzDecoder::new(&packed.body()[..]);
    std::io::Read::read_to_string(&mut reader, &mut back).unwrap();
    assert_eq!(back.into_bytes(), to_json(&long, false));
    let short = respond(StatusCode::OK, &json!({}), &Accepted::default(), &headers).unwrap();
    assert!(!short.headers().contains_key("content-encoding"));
}

#[test]
fn protobuf_is_written_where_the_kind_has_it() {
    let accepted = accept(Some("application/vnd.kubernetes.protobuf"), Endpoint::BuiltIn, false).unwrap();
    let answer = |value: &serde_json::Value| respond(StatusCode::OK, value, &accepted, &HeaderMap::new()).unwrap();
    let known = answer(&json!({"apiVersion": "v1", "kind": "ConfigMap"}));
    assert_eq!(known.headers()["content-type"], "application/vnd.kubernetes.protobuf");
    assert!(known.body().starts_with(b"k8s\0"));
    let unknown = answer(&json!({"apiVersion": "serve.dev/v1", "kind": "Widget"}));
    assert_eq!(unknown.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn bodies_end_at_three_mebibytes() {
    let full = Bytes::from(vec![b'a'; MAX_BODY]);
    assert_eq!(read_body(Full::new(full.clone())).await.unwrap().len(), MAX_BODY);
    let failure = read_body(Full::new(Bytes::from(vec![b'a'; MAX_BODY + 1])))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.code, failure.message.as_str()),
        (413, "Request entity too large: limit is 3145728")
    );
    let frames = |list: Vec<Bytes>| {
        let frames = list
            .into_iter()
            .map(|it| Ok::<_, Infallible>(http_body::Frame::data(it)));
        StreamBody::new(futures::stream::iter(frames))
    };
    let parts = read_body(frames(vec!["a".into(), "b".into(), Bytes::new(), "c".into()]))
        .await
        .unwrap();
    assert_eq!(parts, "abc");
    assert_eq!(read_body(frames(vec![full, "x".into()])).await.unwrap_err().code, 413);
}

proptest::proptest! {
    #[test]
    fn any_text_survives_yaml(text in "[ -~\\n\\t:#'\"é\u{85}\u{feff}]{0,120}") {
        let value = json!({"text": text, text.clone(): [text]});
        let written = String::from_utf8(yaml(&value).unwrap()).unwrap();
        let back: Result<serde_json::Value, _> = serde_saphyr::from_str(&written);
        proptest::prop_assert_eq!(back.unwrap(), value, "{}", written);
    }
}
