//! Doc comments as descriptions: what is meant for the users of the cluster.

/// A comment without what is meant for those who write the operator: all after a line `---`, and lines that begin with `TODO` or `FIXME`; in a block
/// of code neither means anything. Line breaks and indentation stay.
pub(super) fn public(comment: &str) -> String {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in comment.lines() {
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            in_code = !in_code;
        }
        if !in_code && line.trim() == "---" {
            break;
        }
        if in_code || !(text.starts_with("TODO") || text.starts_with("FIXME")) {
            lines.push(line);
        }
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_and_blocks_of_code_stay_and_notes_go() {
        let comment = "First.\nSecond.\n\n```yaml\nspec:\n  size: 3\n---\nTODO: a value\n```\n\n- one\n- two\nTODO: rename\n---\nOnly for us.";
        let public = public(comment);
        assert_eq!(
            public,
            "First.\nSecond.\n\n```yaml\nspec:\n  size: 3\n---\nTODO: a value\n```\n\n- one\n- two"
        );
    }
}
