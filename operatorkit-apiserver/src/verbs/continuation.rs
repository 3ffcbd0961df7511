//! Where the next page of a list begins, as clients carry it (`k8s.io/apiserver/pkg/storage/continue.go`).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

use crate::{
    decode::{
        base64::decode_raw_url,
        json::{Json, parse as parse_json},
    },
    failure::Failure,
    store::Key,
};

const FORM: &str = "meta.k8s.io/v1";

/// A token for what begins at this key, at this version; without a version for what is there when it is used. In a list of
/// one namespace it stands for the name alone.
pub(crate) fn token(version: Option<u64>, from: &Key, within: Option<&str>) -> String {
    let start = match within {
        None => from.to_string(),
        Some(_) => from.name.to_string(),
    };
    let version = version.map_or(-1, |version| i64::try_from(version).unwrap_or(i64::MAX));
    // In the order of the real server's fields.
    let token = format!(r#"{{"v":"{FORM}","rv":{version},"start":{}}}"#, json!(start));
    URL_SAFE_NO_PAD.encode(token)
}

/// The key behind this one: where the next page begins.
pub(crate) fn behind(key: &Key) -> Key {
    Key::new(&key.namespace, &format!("{}\0", key.name))
}

/// The version and the first key of a token, for a list of this namespace or of all.
///
/// # Errors
///
/// 400 for what is none of ours.
pub(crate) fn parse(token: &str, within: Option<&str>) -> Result<(Option<u64>, Key), Failure> {
    let (version, start) = read(token)
        .map_err(|why| Failure::bad_request(format!("invalid continue token: continue key is not valid: {why}")))?;
    let start = start.trim_start_matches('/');
    let key = match (within, start.split_once('/')) {
        (Some(namespace), _) => Key::new(namespace, start),
        (None, Some((namespace, name))) => Key::new(namespace, name),
        (None, None) => Key::new("", start),
    };
    Ok((u64::try_from(version).ok(), key))
}

fn read(token: &str) -> Result<(i64, String), String> {
    let bytes = decode_raw_url(token.as_bytes())?;
    let document = parse_json(&bytes)?;
    let wrong = |found: &Json<'_>, what: &str| format!("json: cannot unmarshal {} into Go {what}", found.kind());
    if !matches!(document, Json::Object(_) | Json::Null) {
        return Err(wrong(&document, "value of type storage.continueToken"));
    }
    let text = |name: &str| match document.get(name) {
        None | Some(Json::Null) => Ok(String::new()),
        Some(Json::String(text)) => Ok(text.text.to_string()),
        Some(other) => Err(wrong(
            other,
            &format!("struct field continueToken.{name} of type string"),
        )),
    };
    let (form, start) = (text("v")?, text("start")?);
    let version = match document.get("rv") {
        None | Some(Json::Null) => 0,
        Some(Json::Number(number)) => number.parse().map_err(|_| {
            format!("json: cannot unmarshal number {number} into Go struct field continueToken.rv of type int64")
        })?,
        Some(other) => return Err(wrong(other, "struct field continueToken.rv of type int64")),
    };
    if form != FORM {
        return Err(format!("server does not recognize this encoded version {form}"));
    }
    if version == 0 {
        return Err("incorrect encoded start resourceVersion (version meta.k8s.io/v1)".into());
    }
    if start.is_empty() {
        return Err("encoded start key empty (version meta.k8s.io/v1)".into());
    }
    if is_clean(start.strip_prefix('/').unwrap_or(&start)) {
        Ok((version, start))
    } else {
        Err(start)
    }
}

/// Whether a path leads nowhere else (`path.Clean`).
fn is_clean(path: &str) -> bool {
    path.is_empty() || path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}
