//! Names made from names: `kebab-case`, `snake_case`, and identifiers that cannot be keywords.

use proc_macro2::{Ident, Span};

/// `DnsRecord` and `DNSRecord` to `dns-record`.
pub(crate) fn kebab(name: &str) -> String {
    separated(name, '-')
}

/// `DnsRecord` to `dns_record`; raw where that is a keyword.
pub(crate) fn field(name: &str, span: Span) -> Ident {
    let name = separated(name, '_');
    match name.as_str() {
        // These cannot even be raw identifiers.
        "self" | "super" | "crate" | "_" => Ident::new(&format!("{name}_"), span),
        name if syn::parse_str::<Ident>(name).is_ok() => Ident::new(name, span),
        name => Ident::new_raw(name, span),
    }
}

/// `total_bytes` to `totalBytes`, as serde's `camelCase` does for fields.
pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split('_').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (head, tail) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        text + &head.to_uppercase() + tail
    })
}

/// Whether it is a DNS label (RFC 1123).
pub(crate) fn is_dns_label(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&name.len()) && name.bytes().all(inner) && !name.starts_with('-') && !name.ends_with('-')
}

/// Whether it is a label value of at most this length, or an annotation key's part after the slash, and not empty.
pub(crate) fn is_label_value(name: &str, max: usize) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    name.len() <= max && name.bytes().all(inner) && edge(name.bytes().next()) && edge(name.bytes().last())
}

/// The text of an identifier without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

fn separated(name: &str, separator: char) -> String {
    let chars: Vec<_> = name.chars().collect();
    let mut text = String::new();
    for (at, &char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let begins_word = char.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || chars.get(at + 1).is_some_and(|after| after.is_lowercase())
            });
        match char {
            '_' => text.push(separator),
            _ if begins_word && !text.ends_with(separator) => {
                text.push(separator);
                text.extend(char.to_lowercase());
            }
            _ => text.extend(char.to_lowercase()),
        }
    }
    text.trim_matches('-').to_owned()
}

/// The known name that is meant, if one is close.
pub(crate) fn suggestion<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let close = known.iter().map(|known| (distance(name, known), *known)).min()?;
    (close.0 <= 2 && close.0 < close.1.len()).then_some(close.1)
}

/// The edit distance (Levenshtein).
fn distance(one: &str, two: &str) -> usize {
    let mut row: Vec<_> = (0..=two.len()).collect();
    for (at, from) in one.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (column, to) in two.bytes().enumerate() {
            let replaced = corner + usize::from(from != to);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated() {
        for (name, kebab_name) in [
            ("Web", "web"),
            ("DnsRecord", "dns-record"),
            ("DNSRecord", "dns-record"),
            ("V1Thing", "v1-thing"),
            ("S3", "s3"),
            ("A_B", "a-b"),
        ] {
            assert_eq!(kebab(name), kebab_name);
        }
    }

    #[test]
    fn a_field_is_never_a_keyword() {
        let field = |name| field(name, Span::call_site()).to_string();
        assert_eq!(
            (field("Type"), field("Self"), field("WebApp")),
            ("r#type".into(), "self_".into(), "web_app".into())
        );
    }

    #[test]
    fn fields_are_named_as_serde_names_them() {
        for (name, camel_name) in [
            ("url", "url"),
            ("observed_generation", "observedGeneration"),
            ("_x", "x"),
        ] {
            assert_eq!(camel(name), camel_name);
        }
    }

    #[test]
    fn labels_are_told_from_others() {
        assert!(
            is_dns_label("web-1") && !is_dns_label("Web") && !is_dns_label("-web") && !is_dns_label(&"x".repeat(64))
        );
        assert!(is_label_value("webapps.demo_X", 53) && !is_label_value(".x", 53) && !is_label_value("", 53));
    }

    #[test]
    fn a_close_name_is_suggested() {
        assert_eq!(
            suggestion("delete_ordr", &["order", "delete_order"]),
            Some("delete_order")
        );
        assert_eq!(suggestion("xyz", &["order", "after"]), None);
    }
}
