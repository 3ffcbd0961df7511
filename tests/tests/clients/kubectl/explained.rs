//! What `explain` says, without its prose: the embedded server's schemas have no descriptions.

/// Keeps the kind and the fields with their types.
pub(super) fn fields(text: &str) -> String {
    let mut kept = String::new();
    let mut prose = false;
    for line in text.lines() {
        // Headings stand at the margin; the fields are indented by two for each level, and have their type in angle brackets.
        let heading = line.starts_with(|first: char| first.is_ascii_uppercase());
        if heading {
            prose = line.starts_with("DESCRIPTION");
        }
        let field = line.contains('<') && line.split_whitespace().nth(1).is_some_and(|word| word.starts_with('<'));
        if !prose && (heading || field) {
            kept.push_str(line.trim_end());
            kept.push('\n');
        }
    }
    kept
}
