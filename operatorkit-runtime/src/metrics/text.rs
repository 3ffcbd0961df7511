//! One exposition out of several: a family that two of them have is written once.

use std::collections::HashMap;

/// A family as it was written.
struct Block<'a> {
    /// `# HELP`, `# TYPE` and `# UNIT`.
    head: String,
    type_: &'a str,
    samples: String,
}

/// Joins expositions without their ends. A family goes where it was first; samples of another type under its name would make
/// the whole exposition unreadable, so they are left out, and named.
pub(super) fn join(parts: &[String]) -> (String, Vec<String>) {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut clashes = Vec::new();
    for part in parts {
        for (name, head, samples) in families(part) {
            let type_ = type_of(head);
            let place = match places.get(name) {
                Some(&place) if blocks[place].type_ == type_ => Some(place),
                Some(_) => {
                    clashes.push(name.to_owned());
                    None
                }
                None => {
                    places.insert(name, blocks.len());
                    blocks.push(Block {
                        head: head.to_owned(),
                        type_,
                        samples: String::new(),
                    });
                    Some(blocks.len() - 1)
                }
            };
            if let Some(place) = place {
                blocks[place].samples.push_str(samples);
            }
        }
    }
    let text = blocks.into_iter().map(|block| block.head + &block.samples).collect();
    (text, clashes)
}

/// Each family of an exposition: its name, the lines about it, and its samples.
fn families(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let name = described(rest.lines().next()?)?;
        let head = length(rest, |line| described(line) == Some(name));
        let samples = length(&rest[head..], |line| described(line).is_none());
        let (block, after) = rest.split_at(head + samples);
        rest = after;
        Some((name, &block[..head], &block[head..]))
    })
}

/// The bytes of the lines at the beginning that are so.
fn length(text: &str, is_so: impl Fn(&str) -> bool) -> usize {
    text.split_inclusive('\n')
        .take_while(|line| is_so(line))
        .map(str::len)
        .sum()
}

/// The family that a line describes; `None` for a sample.
fn described(line: &str) -> Option<&str> {
    line.strip_prefix("# ")?.split_whitespace().nth(1)
}

fn type_of(head: &str) -> &str {
    let line = head.lines().find(|line| line.starts_with("# TYPE "));
    line.and_then(|line| line.split_whitespace().nth(3)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn a_family_of_two_parts_is_written_once() {
        let one = part("# HELP a A.\n# TYPE a counter\na_total{x=\"1\"} 1\n# HELP b B.\n# TYPE b gauge\nb 2\n");
        let two = part(
            "# HELP a A.\n# TYPE a counter\na_total{x=\"2\"} 3\n# HELP c C.\n# TYPE c gauge\n# UNIT c seconds\nc 4\n",
        );
        let (text, clashes) = join(&[one, two]);
        assert_eq!(
            text,
            "# HELP a A.\n# TYPE a counter\na_total{x=\"1\"} 1\na_total{x=\"2\"} 3\n# HELP b B.\n# TYPE b gauge\nb 2\n\
             # HELP c C.\n# TYPE c gauge\n# UNIT c seconds\nc 4\n"
        );
        assert!(clashes.is_empty());
    }

    #[test]
    fn another_type_under_the_same_name_is_left_out() {
        let one = part("# HELP a A.\n# TYPE a counter\na_total 1\n");
        let two = part("# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 2\n");
        let (text, clashes) = join(&[one.clone(), two]);
        assert_eq!(text, format!("{one}# HELP b B.\n# TYPE b gauge\nb 2\n"));
        assert_eq!(clashes, ["a"]);
    }
}
