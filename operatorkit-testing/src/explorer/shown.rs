//! When lines of a timeline are alike.

/// A line of a timeline with a `#` for each number, except in the answer to a request: so lines are alike that differ in a number only.
pub(super) fn form(line: &str) -> String {
    let (what, answer) = line.split_once(" -> ").unwrap_or((line, ""));
    let mut form = String::with_capacity(line.len());
    for letter in what.chars() {
        match letter {
            '0'..='9' if form.ends_with('#') => {}
            '0'..='9' => form.push('#'),
            _ => form.push(letter),
        }
    }
    form + answer
}
