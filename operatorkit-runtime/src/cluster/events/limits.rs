//! Texts as events.k8s.io takes them (`pkg/apis/core/validation/events.go`; bytes, tried on 1.37).

const WORD: usize = 128;
const NOTE: usize = 1024;
/// A name may have 253 characters, and gets a dot and a number in hexadecimal.
const NAME: usize = 200;

/// A reason or an action: CamelCase, not empty.
pub(super) fn word(text: &str) -> String {
    let parts = text
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty());
    let mut word = String::new();
    for part in parts {
        word.push_str(&part[..1].to_ascii_uppercase());
        word.push_str(&part[1..]);
    }
    word.truncate(WORD);
    if word.is_empty() { "Unknown".to_owned() } else { word }
}

/// A note, cut at a character.
pub(super) fn note(mut note: String) -> String {
    if note.len() > NOTE {
        note.truncate(note.floor_char_boundary(NOTE - '…'.len_utf8()));
        note.push('…');
    }
    note
}

/// The name of an Event: the object's, as far as it can be one, and a number.
pub(super) fn name(object: &str, number: i128) -> String {
    let fits = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-' || char == '.';
    let base: String = object
        .chars()
        .take(NAME)
        .map(|char| if fits(char) { char } else { '-' })
        .collect();
    let base = base.trim_matches(['-', '.']);
    // Two dots in a row, or a dash beside a dot, are no DNS subdomain.
    let labels: Vec<_> = base
        .split('.')
        .map(|label| label.trim_matches('-'))
        .filter(|label| !label.is_empty())
        .collect();
    if labels.is_empty() {
        format!("event.{number:x}")
    } else {
        format!("{}.{number:x}", labels.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_camel_case() {
        assert_eq!(word("Created"), "Created");
        assert_eq!(word("quota exceeded"), "QuotaExceeded");
        assert_eq!(word("späte-Antwort!"), "SpTeAntwort");
        assert_eq!(word(" ✗ "), "Unknown");
        assert_eq!(word(&"a".repeat(500)).len(), 128);
    }

    #[test]
    fn notes_are_cut_by_bytes_at_a_character() {
        assert_eq!(note("short".into()), "short");
        let cut = note("é".repeat(600));
        assert!(
            cut.len() <= 1024 && cut.len() > 1018 && cut.ends_with("é…"),
            "{}",
            cut.len()
        );
    }

    #[test]
    fn names_are_dns_subdomains() {
        assert_eq!(name("x", 255), "x.ff");
        assert_eq!(name("system:Node.-a", 1), "system--ode.a.1");
        assert_eq!(name("::", 1), "event.1");
        assert!(name(&"a".repeat(253), i128::from(i64::MAX)).len() <= 253);
    }
}
