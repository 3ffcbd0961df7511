//! What a label's key and value look like (`k8s.io/apimachinery/pkg/api/validate/content`).

/// The longest name, and the longest value.
const MAX_NAME: usize = 63;
/// The longest prefix.
const MAX_PREFIX: usize = 253;

const NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
                    character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                    '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
                     start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
                     for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and \
                         must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation \
                         is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// What is wrong with a key; nothing if it is one.
pub(super) fn key_errors(key: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let name = match key.split('/').collect::<Vec<_>>()[..] {
        [name] => name,
        [prefix, name] => {
            errors.extend(
                prefix_errors(prefix)
                    .into_iter()
                    .map(|error| format!("prefix part {error}")),
            );
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else if name.len() > MAX_NAME {
        errors.push(format!("name part must be no more than {MAX_NAME} bytes"));
    }
    if !is_name(name) {
        errors.push(format!("name part {NAME}"));
    }
    errors
}

/// What is wrong with a value; nothing if it is one.
pub(super) fn value_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > MAX_NAME {
        errors.push(format!("must be no more than {MAX_NAME} bytes"));
    }
    if !value.is_empty() && !is_name(value) {
        errors.push(VALUE.to_owned());
    }
    errors
}

fn prefix_errors(prefix: &str) -> Vec<String> {
    if prefix.is_empty() {
        return vec!["must be non-empty".to_owned()];
    }
    let mut errors = Vec::new();
    if prefix.len() > MAX_PREFIX {
        errors.push(format!("must be no more than {MAX_PREFIX} bytes"));
    }
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !prefix.split('.').all(|label| has_form(label, lower, b"-")) {
        errors.push(SUBDOMAIN.to_owned());
    }
    errors
}

fn is_name(name: &str) -> bool {
    has_form(name, |byte| byte.is_ascii_alphanumeric(), b"-_.")
}

/// Made of these bytes, with one of the first sort at both ends.
fn has_form(text: &str, is: impl Fn(u8) -> bool, between: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().all(|end| end.is_some_and(|byte| is(*byte)))
        && bytes.iter().all(|byte| is(*byte) || between.contains(byte))
}
