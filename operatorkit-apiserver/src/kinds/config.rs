//! `ConfigMap`, `Secret`, `ServiceAccount`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{edit, strategy::Strategy};
use crate::{
    failure::{FieldError, FieldPath},
    validation::{At, Errors, at::same, names},
};

const MAX: usize = 1024 * 1024;
const IMMUTABLE: &str = "field is immutable when `immutable` is set";

/// `ConfigMap`.
pub static CONFIG_MAP: Strategy = Strategy {
    names_on_update: true,
    validate: config_map,
    validate_update: Some(|new, old| {
        let mut errors = immutable(new, old, &["data", "binaryData"]);
        errors.extend(config_map(new));
        errors
    }),
    ..Strategy::NAMESPACED
};

/// `Secret`.
pub static SECRET: Strategy = Strategy {
    names_on_update: true,
    defaults: string_data,
    prepare_update: |new, old| {
        if edit::text(new, &["type"]).is_empty() {
            edit::keep(new, old, &["type"]);
        }
    },
    validate: secret,
    validate_update: Some(|new, old| {
        let kind = At::root(new).get("type");
        let mut errors: Errors = kind.immutable(&At::root(old).get("type")).into_iter().collect();
        errors.extend(immutable(new, old, &["data"]));
        errors.extend(secret(new));
        errors
    }),
    warn: |new, _| key_pair(new).into_iter().collect(),
    ..Strategy::NAMESPACED
};

/// What Go's `tls.X509KeyPair` says of a certificate and a key that are not there: that what is there belongs together is not looked at.
fn key_pair(secret: &Value) -> Option<String> {
    let root = At::root(secret);
    if !root.get("type").is("kubernetes.io/tls") {
        return None;
    }
    let blocks = |name| pem_blocks(&STANDARD.decode(root.get("data").key(name).text()).unwrap_or_default());
    let (certificate, key) = (blocks("tls.crt"), blocks("tls.key"));
    let skipped = "PEM blocks of the following types:";
    if !certificate.iter().any(|it| it == "CERTIFICATE") {
        return Some(match certificate.as_slice() {
            [] => "tls: failed to find any PEM data in certificate input".into(),
            [one] if one.ends_with("PRIVATE KEY") => {
                "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may \
                 have been switched"
                    .into()
            }
            others => format!(
                "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping {skipped} [{}]",
                others.join(" ")
            ),
        });
    }
    let is_key = |it: &String| it == "PRIVATE KEY" || it.ends_with(" PRIVATE KEY");
    match key.as_slice() {
        [] => Some("tls: failed to find any PEM data in key input".into()),
        [one] if one == "CERTIFICATE" => {
            Some("tls: found a certificate rather than a key in the PEM for the private key".into())
        }
        blocks if !blocks.iter().any(is_key) => Some(format!(
            "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping {skipped} [{}]",
            blocks.join(" ")
        )),
        _ => None,
    }
}

/// The types of the PEM blocks in a text (RFC 7468).
fn pem_blocks(bytes: &[u8]) -> Vec<String> {
    let (text, mut types, mut open) = (String::from_utf8_lossy(bytes), Vec::new(), None);
    let label = |line: &str, edge: &str| {
        let label = line.trim_end().strip_prefix(edge)?.strip_suffix("-----")?;
        Some(label.to_owned())
    };
    for line in text.lines() {
        if let Some(begun) = label(line, "-----BEGIN ") {
            open = Some(begun);
        } else if let Some(ended) = label(line, "-----END ") {
            types.extend(open.take().filter(|begun| *begun == ended));
        }
    }
    types
}

/// `ServiceAccount`.
pub static SERVICE_ACCOUNT: Strategy = Strategy {
    names_on_update: true,
    ..Strategy::NAMESPACED
};

fn config_map(object: &Value) -> Errors {
    let root = At::root(object);
    let (mut errors, mut size) = (Errors::new(), 0);
    let binary = root.get("binaryData");
    for (key, at) in root.get("data").entries() {
        let name = Value::from(key);
        let at_key = At::new(&name, at.path.clone());
        errors.extend(at_key.all_invalid(names::config_key(key)));
        if binary.value.get(key).is_some() {
            errors.push(at_key.invalid("duplicate of key present in binaryData"));
        }
        size += at.text().len();
    }
    errors.extend(keys(&binary));
    size += binary.entries().map(|(_, it)| decoded_size(it.text())).sum::<usize>();
    if size > MAX {
        // The real server builds this path from an empty name.
        errors.push(FieldError::too_long(&FieldPath::new("[]"), MAX));
    }
    errors
}

fn keys(map: &At<'_>) -> Errors {
    let mut errors = Errors::new();
    for (key, at) in map.entries() {
        let name = Value::from(key);
        errors.extend(At::new(&name, at.path).all_invalid(names::config_key(key)));
    }
    errors
}

fn decoded_size(text: &str) -> usize {
    text.len() / 4 * 3
        - text
            .bytes()
            .rev()
            .take_while(|it| *it == b'=')
            .count()
            .min(text.len() / 4 * 3)
}

fn immutable(new: &Value, old: &Value, fields: &[&str]) -> Errors {
    let (new, old) = (At::root(new), At::root(old));
    let mut errors = Errors::new();
    if !old.get("immutable").is_true() {
        return errors;
    }
    if !new.get("immutable").is_true() {
        errors.push(new.get("immutable").forbidden(IMMUTABLE));
    }
    for name in fields {
        if !same(new.get(name).value, old.get(name).value) {
            errors.push(new.get(name).forbidden(IMMUTABLE));
        }
    }
    errors
}

/// `stringData` is written over `data`, before anybody looks who owns what.
fn string_data(object: &mut Value) {
    let Some(Value::Object(given)) = edit::remove(object, &["stringData"]) else {
        return;
    };
    for (key, value) in given {
        let encoded = STANDARD.encode(value.as_str().unwrap_or_default());
        edit::set(object, &["data", &key], encoded.into());
    }
}

fn secret(object: &Value) -> Errors {
    let root = At::root(object);
    let data = root.get("data");
    let mut errors = keys(&data);
    let size: usize = data.entries().map(|(_, it)| decoded_size(it.text())).sum();
    if size > MAX {
        errors.push(FieldError::too_long(&data.path, MAX));
    }
    let missing = |name: &str| {
        let at = data.key(name);
        (!at.is_set()).then(|| at.required(""))
    };
    match root.get("type").text() {
        "kubernetes.io/service-account-token" => {
            let name = root
                .get("metadata")
                .get("annotations")
                .key("kubernetes.io/service-account.name");
            if name.is_empty() {
                errors.push(name.required(""));
            }
        }
        "kubernetes.io/dockercfg" => errors.extend(json_object(&data.key(".dockercfg"))),
        "kubernetes.io/dockerconfigjson" => errors.extend(json_object(&data.key(".dockerconfigjson"))),
        "kubernetes.io/basic-auth" => {
            if let (Some(username), Some(password)) = (missing("username"), missing("password")) {
                errors.extend([username, password]);
            }
        }
        "kubernetes.io/ssh-auth" if data.key("ssh-privatekey").is_empty() => {
            errors.push(data.key("ssh-privatekey").required(""));
        }
        "kubernetes.io/tls" => {
            errors.extend(missing("tls.crt"));
            errors.extend(missing("tls.key"));
        }
        _ => {}
    }
    errors
}

fn json_object(at: &At<'_>) -> Option<FieldError> {
    if !at.is_set() {
        return Some(at.required(""));
    }
    let bytes = STANDARD.decode(at.text()).unwrap_or_default();
    let detail = match serde_json::from_slice::<Value>(&bytes) {
        Ok(Value::Object(_) | Value::Null) => return None,
        Ok(other) => {
            let kind = match other {
                Value::Array(_) => "array",
                Value::String(_) => "string",
                Value::Number(_) => "number",
                _ => "bool",
            };
            format!("json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}")
        }
        Err(error) if error.is_eof() => "unexpected end of JSON input".into(),
        Err(error) => {
            let wrong = bytes
                .get(error.column().saturating_sub(1))
                .map_or(' ', |it| char::from(*it));
            format!("invalid character {wrong:?} looking for beginning of value")
        }
    };
    let redacted = Value::from("<secret contents redacted>");
    Some(At::new(&redacted, at.path.clone()).invalid(detail))
}
