//! The grammar of names, labels, keys and ports (`k8s.io/apimachinery/pkg/util/validation`, `…/api/validate/content`).
//!
//! Each rule answers with what is wrong with a text, in the real server's words; nothing if it is well.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

/// What is wrong with a text.
pub type Messages = Vec<Cow<'static, str>>;

/// A rule for the name of an object; with `true`, for the beginning of one (`generateName`).
pub type NameRule = fn(&str, bool) -> Messages;

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_UNDERSCORE: &str = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// A regular expression that a whole text must match, and what is said if it does not.
struct Form {
    regex: Regex,
    message: String,
}

impl Form {
    fn new(says: &str, form: &str, examples: &[&str]) -> Self {
        let examples: Vec<_> = examples.iter().map(|it| format!("'{it}'")).collect();
        let message = if examples.is_empty() {
            format!("{says} (regex used for validation is '{form}')")
        } else {
            format!(
                "{says} (e.g. {}, regex used for validation is '{form}')",
                examples.join(",  or ")
            )
        };
        let regex = Regex::new(&format!("^(?:{form})$")).expect("a constant expression");
        Self { regex, message }
    }

    fn check(&self, text: &str) -> Option<Cow<'static, str>> {
        (!self.regex.is_match(text)).then(|| self.message.clone().into())
    }
}

macro_rules! form {
    ($name:ident, $says:expr, $form:expr, $examples:expr) => {
        static $name: LazyLock<Form> = LazyLock::new(|| Form::new($says, $form, &$examples));
    };
}

form!(
    DNS_LABEL,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    LABEL,
    ["my-name", "123-abc"]
);
form!(
    DNS_SUBDOMAIN,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    &format!("{LABEL}(\\.{LABEL})*"),
    ["example.com"]
);
form!(
    DNS_SUBDOMAIN_UNDERSCORE,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    &format!("{LABEL_UNDERSCORE}(\\.{LABEL_UNDERSCORE})*"),
    ["example.com"]
);
form!(
    DNS_1035,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    "[a-z]([-a-z0-9]*[a-z0-9])?",
    ["my-name", "abc-123"]
);
form!(
    WILDCARD,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    &format!("\\*\\.{LABEL}(\\.{LABEL})*"),
    ["*.example.com"]
);
form!(
    KEY_NAME,
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    KEY,
    ["MyName", "my.name", "123-abc"]
);
form!(
    LABEL_VALUE,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    &format!("({KEY})?"),
    ["MyValue", "my_value", "12345"]
);
form!(
    C_IDENTIFIER,
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    "[A-Za-z_][A-Za-z0-9_]*",
    ["my_name", "MY_NAME", "MyName"]
);
form!(
    CONFIG_KEY,
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    "[-._a-zA-Z0-9]+",
    ["key.name", "KEY_NAME", "key-name"]
);
form!(
    HTTP_HEADER,
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    "[-A-Za-z0-9]+",
    ["X-Header-Name"]
);
form!(
    PERCENT,
    "a valid percent string must be a numeric string followed by an ending '%'",
    "[0-9]+%",
    ["1%", "93%"]
);
form!(
    HTTP_PATH,
    "Invalid path",
    r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+",
    [] as [&str; 0]
);

fn too_long(text: &str, max: usize, unit: &str) -> Option<Cow<'static, str>> {
    (text.len() > max).then(|| format!("must be no more than {max} {unit}").into())
}

fn all<const N: usize>(messages: [Option<Cow<'static, str>>; N]) -> Messages {
    messages.into_iter().flatten().collect()
}

/// A label of DNS (RFC 1123): at most 63 bytes.
pub fn dns_label(text: &str) -> Messages {
    let mut messages = all([too_long(text, 63, "characters")]);
    if let Some(message) = DNS_LABEL.check(text) {
        let dots = DNS_SUBDOMAIN.check(text).is_none();
        messages.push(if dots { "must not contain dots".into() } else { message });
    }
    messages
}

/// A subdomain of DNS (RFC 1123): labels with dots, at most 253 bytes.
pub fn dns_subdomain(text: &str) -> Messages {
    all([too_long(text, 253, "characters"), DNS_SUBDOMAIN.check(text)])
}

/// A subdomain of DNS that may have underscores.
pub fn dns_subdomain_with_underscore(text: &str) -> Messages {
    all([too_long(text, 253, "characters"), DNS_SUBDOMAIN_UNDERSCORE.check(text)])
}

/// A label of DNS (RFC 1035), which begins with a letter.
pub fn dns_1035_label(text: &str) -> Messages {
    all([too_long(text, 63, "characters"), DNS_1035.check(text)])
}

/// `*.` and a subdomain.
pub fn wildcard_subdomain(text: &str) -> Messages {
    all([too_long(text, 253, "characters"), WILDCARD.check(text)])
}

/// A label key, or any "qualified name": a name, with a DNS subdomain and `/` before it if wanted.
pub fn qualified_name(text: &str) -> Messages {
    let mut messages = Messages::new();
    let mut parts = text.split('/');
    let (first, second, third) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    if third.is_some() {
        let message = &KEY_NAME.message;
        let what = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
        return vec![format!("a valid label key {message} {what}").into()];
    }
    let name = match second {
        None => first,
        Some(name) => {
            if first.is_empty() {
                messages.push("prefix part must be non-empty".into());
            } else {
                let wrong = [too_long(first, 253, "bytes"), DNS_SUBDOMAIN.check(first)];
                messages.extend(wrong.iter().flatten().map(|it| format!("prefix part {it}").into()));
            }
            name
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".into());
    } else if name.len() > 63 {
        messages.push("name part must be no more than 63 bytes".into());
    }
    messages.extend(KEY_NAME.check(name).map(|it| format!("name part {it}").into()));
    messages
}

/// The value of a label: at most 63 bytes, or empty.
pub fn label_value(text: &str) -> Messages {
    all([too_long(text, 63, "bytes"), LABEL_VALUE.check(text)])
}

/// An identifier of C.
pub fn c_identifier(text: &str) -> Messages {
    all([C_IDENTIFIER.check(text)])
}

/// A key of a `ConfigMap` or `Secret`.
pub fn config_key(text: &str) -> Messages {
    let parent = match text {
        "." => Some("must not be '.'".into()),
        ".." => Some("must not be '..'".into()),
        _ if text.starts_with("..") => Some("must not start with '..'".into()),
        _ => None,
    };
    all([too_long(text, 253, "characters"), CONFIG_KEY.check(text), parent])
}

/// The name of an environment variable: printable ASCII without `=`.
pub fn environment_name(text: &str) -> Messages {
    if text.is_empty() {
        return vec!["environment variable name must be non-empty".into()];
    }
    if text.bytes().all(|it| (b' '..=b'~').contains(&it) && it != b'=') {
        return Vec::new();
    }
    vec!["a valid environment variable name must consist only of printable ASCII characters other than '='".into()]
}

/// The name of an HTTP header.
pub fn http_header(text: &str) -> Messages {
    all([HTTP_HEADER.check(text)])
}

/// `93%`.
pub fn percent(text: &str) -> Messages {
    all([PERCENT.check(text)])
}

/// The name of a port (an IANA service name, RFC 6335): at most 15 characters, one letter at least.
pub fn port_name(text: &str) -> Messages {
    let known = |it: u8| it == b'-' || it.is_ascii_lowercase() || it.is_ascii_digit();
    let says = |wrong: bool, message: &'static str| wrong.then_some(Cow::Borrowed(message));
    all([
        too_long(text, 15, "characters"),
        says(
            text.is_empty() || !text.bytes().all(known),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        says(
            !text.bytes().any(|it| it.is_ascii_lowercase()),
            "must contain at least one letter (a-z)",
        ),
        says(text.contains("--"), "must not contain consecutive hyphens"),
        says(
            text.starts_with('-') || text.ends_with('-'),
            "must not begin or end with a hyphen",
        ),
    ])
}

/// The path of a URL after the host.
pub fn http_path(text: &str) -> Messages {
    all([HTTP_PATH.check(text)])
}

/// The last part of a path in the API: no `/`, no `%`.
pub fn path_segment(text: &str, prefix: bool) -> Messages {
    if !prefix && (text == "." || text == "..") {
        return vec![format!("may not be '{text}'").into()];
    }
    let contains = |it: char| text.contains(it).then(|| format!("may not contain '{it}'").into());
    all([contains('/'), contains('%')])
}

/// A name that is a DNS subdomain.
pub fn subdomain_name(text: &str, prefix: bool) -> Messages {
    dns_subdomain(&mask_dash(text, prefix))
}

/// A name that is a DNS label (RFC 1123).
pub fn label_name(text: &str, prefix: bool) -> Messages {
    dns_label(&mask_dash(text, prefix))
}

/// A name that is a DNS label (RFC 1035).
pub fn label_1035_name(text: &str, prefix: bool) -> Messages {
    dns_1035_label(&mask_dash(text, prefix))
}

/// A prefix may end with a dash, since more follows.
fn mask_dash(text: &str, prefix: bool) -> Cow<'_, str> {
    match text.strip_suffix('-') {
        Some(rest) if prefix && !rest.is_empty() => {
            let keep = rest.char_indices().next_back().map_or(0, |(at, _)| at);
            format!("{}a", &rest[..keep]).into()
        }
        _ => text.into(),
    }
}
