//! What names consist of, in the words of the real server (`k8s.io/apimachinery/pkg/api/validate/content`).

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// A lowercase RFC 1123 label, or what is wrong with it.
pub(super) fn dns_label(name: &str) -> Vec<String> {
    let shape = || {
        format!(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and \
             end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{LABEL}')"
        )
    };
    check(name, 63, is_label(name), shape)
}

/// A lowercase RFC 1123 subdomain, or what is wrong with it.
pub(super) fn dns_subdomain(name: &str) -> Vec<String> {
    let shape = || {
        format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '{LABEL}(\\.{LABEL})*')"
        )
    };
    check(name, 253, name.split('.').all(is_label), shape)
}

/// A DNS-1035 label, or what is wrong with it.
pub(super) fn dns_1035_label(name: &str) -> Vec<String> {
    let shape = || {
        format!(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
             character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
             validation is '{LABEL_1035}')"
        )
    };
    let letter = name.bytes().next().is_some_and(|it| it.is_ascii_lowercase());
    check(name, 63, letter && is_label(name), shape)
}

/// A name with an optional DNS prefix, as keys of labels and annotations are, or what is wrong with it.
pub(super) fn qualified_name(name: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let parts: Vec<&str> = name.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        ["", name] => {
            wrong.push("prefix part must be non-empty".to_owned());
            name
        }
        [prefix, name] => {
            wrong.extend(dns_subdomain(prefix).into_iter().map(|it| format!("prefix part {it}")));
            name
        }
        _ => {
            return vec![format!(
                "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
                 with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for \
                 validation is '{QUALIFIED}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        wrong.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        wrong.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_qualified(name) {
        wrong.push(format!(
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
             alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
             '{QUALIFIED}')"
        ));
    }
    wrong
}

/// The value of a label, or what is wrong with it.
pub(super) fn label_value(value: &str) -> Vec<String> {
    let shape = || {
        format!(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
             start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
             validation is '({QUALIFIED})?')"
        )
    };
    check(value, 63, value.is_empty() || is_qualified(value), shape)
}

/// A name that can stand in a path, or what is wrong with it.
pub(super) fn path_segment(name: &str) -> Vec<String> {
    if matches!(name, "." | "..") {
        return vec![format!("may not be '{name}'")];
    }
    let forbidden = ['/', '%'].into_iter().filter(|it| name.contains(*it));
    forbidden.map(|it| format!("may not contain '{it}'")).collect()
}

fn check(name: &str, max: usize, fits: bool, shape: impl FnOnce() -> String) -> Vec<String> {
    let mut wrong = Vec::new();
    if name.len() > max {
        wrong.push(format!("must be no more than {max} bytes"));
    }
    if !fits {
        wrong.push(shape());
    }
    wrong
}

fn is_label(name: &str) -> bool {
    let bytes = name.as_bytes();
    let alphanumeric = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
    let all = bytes.iter().all(|it| alphanumeric(Some(it)) || *it == b'-');
    all && alphanumeric(bytes.first()) && alphanumeric(bytes.last())
}

fn is_qualified(name: &str) -> bool {
    let bytes = name.as_bytes();
    let alphanumeric = |it: Option<&u8>| it.is_some_and(u8::is_ascii_alphanumeric);
    let all = bytes.iter().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(it));
    all && alphanumeric(bytes.first()) && alphanumeric(bytes.last())
}
