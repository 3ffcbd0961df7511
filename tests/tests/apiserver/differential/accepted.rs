//! Where the embedded server may answer something else than the real one: the same list as in `operatorkit-apiserver/src/differences.md`.

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

/// Texts of the real server that stand for any other, by a pattern of each line; and why.
const ACCEPTED: [(&str, &str, &str); 1] = [(
    OTHER_TYPE,
    OTHER_TYPE,
    "the words of another reader about a field of another type",
)];

const OTHER_TYPE: &str = "to proper version: unable to convert unstructured object to ";
/// After this the fields follow that differ: as a dump of a Go struct there, as JSON here.
const POD_CHANGES: &str = "spec: Forbidden: pod updates may not change fields other than ";

static PATTERNS: LazyLock<Vec<(Regex, Regex)>> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a pattern");
    ACCEPTED
        .iter()
        .map(|(real, embedded, _why)| (pattern(real), pattern(embedded)))
        .collect()
});

/// Versions that a client has said, and ports that were drawn: texts repeat them.
static SAID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"precondition \(\d+\)|resourceVersion:\d+|nodePort: Duplicate value: \d+").expect("a pattern")
});

/// Are the answers the same, but for what may differ?
pub(super) fn same(real: &[String], embedded: &[String]) -> bool {
    let (real, embedded) = (without_dump(real), without_dump(embedded));
    let accepted = |real: &str, embedded: &str| {
        PATTERNS
            .iter()
            .any(|(of_real, of_embedded)| of_real.is_match(real) && of_embedded.is_match(embedded))
    };
    real == embedded
        || (real.len() == embedded.len()
            && real
                .iter()
                .zip(&embedded)
                .all(|(real, embedded)| real == embedded || accepted(real, embedded)))
}

/// An answer without the dump of a Pod's changes, and what the same message says after it: the causes say it, too.
fn without_dump(lines: &[String]) -> Vec<Cow<'_, str>> {
    let mut dump = false;
    let mut kept = Vec::new();
    for line in lines.iter().flat_map(|text| text.lines()) {
        dump &= !line.trim_start().starts_with("{kind:");
        if !dump {
            kept.push(SAID.replace_all(line, "<version>"));
        }
        dump |= line.contains(POD_CHANGES);
    }
    kept
}
