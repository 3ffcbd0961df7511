//! A line as a shell would take it apart, as far as scenarios need it: words, and single quotes.

/// The words of a line.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                let _begun = word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    assert!(!quoted, "a quote is open: {line}");
    words.extend(word);
    words
}

#[test]
fn quotes_keep_spaces() {
    assert_eq!(
        words("patch  x -p '{\"a\": 1}' ''"),
        ["patch", "x", "-p", "{\"a\": 1}", ""]
    );
}
