//! Doc comments and rules: where they stand.

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::schema;
use crate::schema::{Reason, Rule, rules};

/// A level.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Level {
    Low,
    High,
}

/// A part.
#[derive(JsonSchema)]
#[schemars(transform = rules([Rule::new("self.size > 0")]))]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Part {
    size: i32,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Documented {
    /// The first line,
    /// the second,
    /// and the third.
    ///
    /// ```yaml
    /// spec:
    ///   paragraphs: 3
    /// ```
    ///
    /// - one
    /// - two
    ///
    /// TODO: rename it
    /// ---
    /// Only for those who write the operator.
    paragraphs: i32,
    /// How loud.
    level: Option<Level>,
    /// The one part.
    #[schemars(transform = rules([Rule::new("self.size < 10").message("too large").reason(Reason::Forbidden)]))]
    part: Option<Part>,
    /// All parts.
    parts: Vec<Part>,
    own: Option<Part>,
}

fn field(name: &str) -> Value {
    schema::<Documented>()["properties"][name].clone()
}

#[test]
fn lines_and_blocks_of_a_comment_stay_and_notes_for_authors_go() {
    assert_eq!(
        field("paragraphs")["description"],
        "The first line,\nthe second,\nand the third.\n\n```yaml\nspec:\n  paragraphs: 3\n```\n\n- one\n- two"
    );
}

#[test]
fn the_comment_on_a_field_beats_the_one_on_its_type() {
    assert_eq!(field("level")["description"], "How loud.");
    assert_eq!(field("part")["description"], "The one part.");
    assert_eq!(field("parts")["description"], "All parts.");
    assert_eq!(field("parts")["items"]["description"], "A part.");
    assert_eq!(field("own")["description"], "A part.");
}

#[test]
fn rules_of_a_field_stand_behind_those_of_its_type() {
    let of_type = json!({ "rule": "self.size > 0" });
    let of_field = json!({ "rule": "self.size < 10", "message": "too large", "reason": "FieldValueForbidden" });
    let rules = &field("part")["x-kubernetes-validations"];
    assert!(
        rules
            .as_array()
            .is_some_and(|rules| rules.contains(&of_type) && rules.contains(&of_field)),
        "{rules}"
    );
    assert_eq!(field("own")["x-kubernetes-validations"], json!([of_type]));
    assert_eq!(field("parts")["items"]["x-kubernetes-validations"], json!([of_type]));
}
