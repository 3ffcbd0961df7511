//! Strings by pattern, format and length.

use proptest::{
    strategy::{BoxedStrategy, Strategy as _},
    string::string_regex,
};
use serde_json::Value;

/// So much longer than it must be.
const MORE: u64 = 8;

/// The strings of a schema. `at` is the pointer to it.
///
/// # Panics
/// If no strings can be drawn from its pattern.
pub(super) fn text(schema: &Value, at: &str) -> BoxedStrategy<Value> {
    let least = schema["minLength"].as_u64().unwrap_or_default();
    let most = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
    let format = schema["format"].as_str().and_then(shape);
    let regex = match (schema["pattern"].as_str(), format) {
        (Some(pattern), _) => ascii(unanchored(pattern)),
        (None, Some(shape)) => shape.to_owned(),
        (None, None) => word(least, most),
    };
    let texts = string_regex(&regex).unwrap_or_else(|error| {
        panic!("no strings can be drawn from the pattern of {at}, {regex}: {error}; say which, `.draw(\"{at}\", ..)`")
    });
    let fits = move |text: &String| (least..=most).contains(&(text.chars().count() as u64));
    texts
        .prop_filter("too short or too long", fits)
        .prop_map(Value::from)
        .boxed()
}

/// What may be a name as well.
fn word(least: u64, most: u64) -> String {
    let most = most.min(least.saturating_add(MORE));
    match most {
        0 => String::new(),
        most => format!("[a-z][a-z0-9]{{{},{}}}", least.saturating_sub(1), most - 1),
    }
}

/// How the formats that the API server knows are written.
fn shape(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" | "datetime" => "20[0-9]{2}-0[1-9]-[12][0-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z",
        "date" => "20[0-9]{2}-0[1-9]-[12][0-9]",
        "duration" => "[1-9][0-9]?(s|m|h)",
        "byte" => "([a-z0-9]{4}){0,3}",
        "uuid" | "uuid4" => "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}",
        "ipv4" | "ip" => "10\\.[1-9][0-9]?\\.[1-9][0-9]?\\.[1-9][0-9]?",
        "ipv6" => "fd00::[1-9a-f]{1,4}",
        "cidr" => "10\\.[1-9][0-9]?\\.0\\.0/16",
        "mac" => "02(:[0-9a-f]{2}){5}",
        "hostname" => "[a-z]{1,8}\\.example",
        "email" => "[a-z]{1,8}@[a-z]{1,8}\\.example",
        "uri" => "https://[a-z]{1,8}\\.example/[a-z]{0,8}",
        _ => return None,
    })
}

/// A pattern for the whole string. What may stand around one that is not anchored does not.
fn unanchored(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    match pattern.strip_suffix('$') {
        Some(inner) if !inner.ends_with('\\') => inner,
        _ => pattern,
    }
}

/// The classes of RE2, by which the API server goes, are those of ASCII.
fn ascii(pattern: &str) -> String {
    let mut written = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            written.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => written.push_str("[0-9]"),
            Some('w') => written.push_str("[0-9A-Za-z_]"),
            Some('s') => written.push_str("[\\t ]"),
            escaped => {
                written.push('\\');
                written.extend(escaped);
            }
        }
    }
    written
}
