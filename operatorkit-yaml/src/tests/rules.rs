//! What is refused, with its line and in words.

use crate::Template;

fn problems(text: &str) -> Vec<String> {
    let problems = Template::parse("web.yaml", text).expect_err("it is refused");
    problems.iter().map(ToString::to_string).collect()
}

/// The one problem of a text.
fn problem(text: &str) -> String {
    match &problems(text)[..] {
        [problem] => problem.clone(),
        several => panic!("{several:?}"),
    }
}

fn with(line: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: it }}\n{line}\n")
}

#[test]
fn bad_yaml_is_told_with_its_line() {
    for (text, said) in [
        ("a: [1, 2\n", "web.yaml:1: unclosed bracket '['"),
        ("a: 1\nb: 'x\n", "web.yaml:2: unclosed quote"),
        (
            "a: b: c\n",
            "web.yaml:1: mapping values are not allowed in this context",
        ),
        ("a: 1\na: 2\n", "web.yaml:2: duplicate mapping key: a"),
        ("a: &x\n  b: *y\n", "web.yaml:2: alias references unknown anchor"),
    ] {
        assert_eq!(problem(text), said, "{text:?}");
    }
    assert!(problem("a: !own x\n").starts_with("web.yaml:1: "));
    assert!(problem("a: .inf\n").starts_with("web.yaml:1: "));
}

#[test]
fn an_object_says_what_it_is() {
    let said = problems("metadata: { labels: {} }\n");
    assert_eq!(
        said,
        [
            "web.yaml:1: `apiVersion` is missing: write `apiVersion: apps/v1` or the like",
            "web.yaml:1: `kind` is missing: write `kind: Deployment` or the like",
            "web.yaml:1: `metadata.name` is missing: \"{{ child_name('web') }}\" is a good one",
        ]
    );
    assert!(
        problem("apiVersion: v1\nkind: Pod\nmetadata: { name: no }\n")
            .contains("`metadata.name` is a text: put it in quotes")
    );
    assert!(problem("apiVersion: v1\nkind: Pod\n").contains("`metadata.name` is missing"));
    assert!(
        problem("apiVersion: a/b/c\nkind: Pod\nmetadata: { name: it }\n")
            .contains("neither `version` nor `group/version`")
    );
    assert!(problem("apiVersion: v1\nkind: 3\nmetadata: { name: it }\n").starts_with("web.yaml:2: `kind` is a text"));
    assert!(problem("apiVersion: v1\nkind: List\nmetadata: { name: it }\n").contains("a `List` is no object"));
}

#[test]
fn a_placeholder_never_says_what_an_object_is() {
    let said = problem("apiVersion: v1\nkind: \"{{ spec.kind }}\"\nmetadata: { name: it }\n");
    assert!(said.starts_with("web.yaml:2: `kind` cannot be a placeholder"), "{said}");
    let said = problem("apiVersion: apps/{{ spec.version }}\nkind: Deployment\nmetadata: { name: it }\n");
    assert!(
        said.starts_with("web.yaml:1: `apiVersion` cannot be a placeholder"),
        "{said}"
    );
}

#[test]
fn a_placeholder_stands_in_no_key() {
    let said = problem(&with("data:\n  \"{{ spec.key }}\": value"));
    assert!(
        said.starts_with("web.yaml:5: `{{ spec.key }}` cannot stand in a key"),
        "{said}"
    );
    let said = problem(&with("data: { \"a-{% if x %}b{% endif %}\": value }"));
    assert!(
        said.starts_with("web.yaml:4: ") && said.contains("cannot stand in a key"),
        "{said}"
    );
    assert!(problem(&with("data:\n  8080: value")).contains("a key is a text: put `8080` in quotes"));
}

#[test]
fn a_placeholder_without_quotes_is_told_how_to_stand() {
    for line in [
        "it: {{ spec.replicas }}",
        "it: {{ spec.replicas }}-more",
        "list:\n  - {{ spec.replicas }}",
        "{{ spec.replicas }}",
        "it: {{ spec.replicas | default(3) }}",
    ] {
        let said = problems(&with(line)).join("\n");
        assert!(
            said.contains("a placeholder stands in quotes, and keeps its type"),
            "{line}: {said}"
        );
    }
    let said = problem("{{ spec.extra }}\n");
    assert!(said.contains("a placeholder stands in quotes"), "{said}");
}

#[test]
fn structure_cannot_be_made_by_placeholders() {
    let said = problems(&with("{% if spec.public %}\nit: 1\n{% endif %}"));
    assert!(
        said[0].starts_with("web.yaml:4:") || said[0].starts_with("web.yaml:5:"),
        "{said:?}"
    );
    let said = problem("a {{ spec.extra }}\n");
    assert!(
        said.contains("a document is an object with `apiVersion` and `kind`, or one placeholder"),
        "{said}"
    );
    assert!(problem("- a\n").contains("a document is an object"));
    assert_eq!(problem("# nothing\n"), "web.yaml: there is no object in it");
    assert_eq!(problem(""), "web.yaml: there is no object in it");
}

#[test]
fn the_syntax_of_placeholders_is_checked() {
    for (written, part) in [
        ("\"{{ spec. }}\"", "`{{ spec. }}`: "),
        ("\"{{ }}\"", "`{{ }}`: "),
        ("\"{{ a b }}\"", "`{{ a b }}`: "),
        ("\"a {{ b\"", "`{{ b`: "),
        ("\"{% if a %}b\"", "`{% if a %}`: "),
        ("\"{% nonsense %}\"", "`{% nonsense %}`: "),
        ("\"{% include 'x' %}\"", "`{% include 'x' %}`: "),
        (
            "\"{{ a | nonsense }}\"",
            "`{{ a | nonsense }}`: unknown filter `nonsense`",
        ),
        (
            "\"a {{ a | default('|x') | nonsense(3) }}\"",
            "`{{ a | default('|x') | nonsense(3) }}`: unknown filter `nonsense`",
        ),
        (
            "\"{% if a | nonsense %}{% endif %}\"",
            "`{% if a | nonsense %}`, `{% endif %}`: unknown filter `nonsense`",
        ),
    ] {
        let said = problem(&with(&format!("it: {written}")));
        let rest = said.strip_prefix("web.yaml:4: ").unwrap_or_else(|| panic!("{said}"));
        assert!(rest.starts_with(part) && rest.len() > written.len(), "{said}");
    }
    let said = problem(&with("it: |\n  one\n  {{ two three }}\n"));
    assert!(said.starts_with("web.yaml:6: "), "{said}");
}

#[test]
fn all_problems_are_told_at_once() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: { name: it }\nit: \"{{ a b }}\"\n---\nkind: \"{{ x }}\"\n";
    assert_eq!(problems(text).len(), 4, "{:?}", problems(text));
}
