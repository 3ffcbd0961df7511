//! The difference of two texts.

/// All lines: those of both with two spaces, those of one with `-` or `+` before them.
pub(crate) fn lines(left: &[String], right: &[String]) -> String {
    // lengths[i][j]: how many lines the rests of both have in common.
    let mut lengths = vec![vec![0_usize; right.len() + 1]; left.len() + 1];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            lengths[i][j] = if left[i] == right[j] {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut text = Vec::new();
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && left[i] == right[j] {
            text.push(format!("  {}", left[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == right.len() || (i < left.len() && lengths[i + 1][j] >= lengths[i][j + 1]) {
            text.push(format!("- {}", left[i]));
            i += 1;
        } else {
            text.push(format!("+ {}", right[j]));
            j += 1;
        }
    }
    text.join("\n")
}
