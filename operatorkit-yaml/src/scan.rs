//! Looking for placeholders in a text, without understanding them.

/// The placeholders of one line of a text, without what stands between them.
pub(crate) fn placeholders(text: &str, lines: u64) -> String {
    let line = usize::try_from(lines).ok().and_then(|lines| text.lines().nth(lines));
    let all = Each(line.unwrap_or(text)).map(|placeholder| format!("`{placeholder}`"));
    all.collect::<Vec<_>>().join(", ")
}

/// The placeholders in a text, one after the other.
pub(crate) struct Each<'a>(pub(crate) &'a str);

impl<'a> Iterator for Each<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.0.find("{{").into_iter().chain(self.0.find("{%")).min()?;
        let rest = &self.0[start..];
        let close = if rest.starts_with("{{") { "}}" } else { "%}" };
        let end = rest.find(close).map_or(rest.len(), |end| end + close.len());
        self.0 = &rest[end..];
        Some(&rest[..end])
    }
}

/// The names after each `|` of a placeholder that stands in no quotes.
pub(crate) fn filters(placeholder: &str) -> Vec<&str> {
    let mut quote = None;
    let mut names = Vec::new();
    for (at, char) in placeholder.char_indices() {
        match (quote, char) {
            (Some(open), _) if open == char => quote = None,
            (None, '"' | '\'') => quote = Some(char),
            (None, '|') => {
                let rest = placeholder[at + 1..].trim_start();
                let end = rest.find(|char: char| !(char.is_alphanumeric() || char == '_'));
                names.push(&rest[..end.unwrap_or(rest.len())]);
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
