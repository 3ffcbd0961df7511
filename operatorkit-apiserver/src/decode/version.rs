//! The `apiVersion` and `kind` of a body (`k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go`).

use super::json::Json;

/// The Go type that the two fields are read into, as it stands in errors.
const GO_TYPE: &str =
    r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;

/// What a body says it is. Parts that it does not say are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
}

impl Said {
    /// From an `apiVersion` and a `kind`.
    pub(super) fn new(api_version: &str, kind: &str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
        }
    }

    /// `group/version`, or what there is of it.
    pub(super) fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }
}

/// Reads what a body says it is.
pub(super) fn said(document: &Json<'_>) -> Result<Said, String> {
    let wrong = |what: &str| {
        Err(format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {what}"
        ))
    };
    let fields = match document {
        Json::Object(fields) => fields.as_slice(),
        Json::Null => &[],
        other => return wrong(&format!("{} into Go value of type {GO_TYPE}", other.kind())),
    };
    let (mut api_version, mut kind) = ("", "");
    for (key, value) in fields {
        // This one reader does not mind upper and lower case.
        let (slot, name) = if key.eq_ignore_ascii_case("apiVersion") {
            (&mut api_version, "apiVersion")
        } else if key.eq_ignore_ascii_case("kind") {
            (&mut kind, "kind")
        } else {
            continue;
        };
        match value {
            Json::String(text) => *slot = &text.text,
            Json::Null => {}
            other => return wrong(&format!("{} into Go struct field .{name} of type string", other.kind())),
        }
    }
    let (group, version) = match api_version.split('/').collect::<Vec<_>>()[..] {
        [version] => ("", version),
        [group, version] => (group, version),
        _ => return Err(format!("unexpected GroupVersion string: {api_version}")),
    };
    Ok(Said {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
    })
}
