//! What placeholders become.

use serde_json::{Value, json};

use crate::{Template, Values};

/// An object's fields, as a user's object has them.
fn values() -> Values {
    let values = Values::of(&json!({
        "metadata": { "name": "x" },
        "spec": {
            "replicas": 3, "public": true, "ratio": 0.5, "image": "web:1", "big": u64::MAX, "none": null,
            "labels": { "a": "b" }, "args": ["--one", "--two"],
            "evil": "x\ndata:\n  stolen: \"yes\"\n---\nkind: Secret {{ spec.image }}",
        },
    }));
    values.with_function("child_name", |suffix| format!("x-{suffix}"))
}

fn fill(text: &str) -> Vec<Value> {
    let template = Template::parse("web.yaml", text).unwrap_or_else(|problems| panic!("{problems:?}"));
    template.fill(&values()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// What becomes of one scalar.
fn scalar(scalar: &str) -> Value {
    let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: it }}\nit: {scalar}\n");
    fill(&text)[0]["it"].take()
}

fn refusal(scalar: &str) -> String {
    let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: it }}\nit: {scalar}\n");
    let template = Template::parse("web.yaml", &text).unwrap_or_else(|problems| panic!("{problems:?}"));
    template.fill(&values()).expect_err("it is refused").to_string()
}

#[test]
fn one_placeholder_keeps_its_type() {
    for (written, value) in [
        (r#""{{ spec.replicas }}""#, json!(3)),
        (r#""{{spec.public}}""#, json!(true)),
        (r#""{{- spec.ratio -}}""#, json!(0.5)),
        ("'{{ spec.image }}'", json!("web:1")),
        (r#""{{ spec.big }}""#, json!(u64::MAX)),
        (r#""{{ spec.labels }}""#, json!({ "a": "b" })),
        (r#""{{ spec.args }}""#, json!(["--one", "--two"])),
        (r#""{{ spec.replicas + 1 }}""#, json!(4)),
        (r#""{{ spec.replicas | string }}""#, json!("3")),
        (r#""{{ spec.absent | default('d') }}""#, json!("d")),
        (r#""{{ child_name('web') }}""#, json!("x-web")),
        (r#"'{{ "}}" }}'"#, json!("}}")),
    ] {
        assert_eq!(scalar(written), value, "{written}");
    }
}

#[test]
fn text_with_placeholders_is_a_text() {
    for (written, value) in [
        ("app-{{ metadata.name }}", "app-x"),
        (r#""{{ spec.replicas }}{{ spec.replicas }}""#, "33"),
        (r#""{{ spec.image }}-{{ spec.replicas }}""#, "web:1-3"),
        (r#""{% if spec.public %}on{% else %}off{% endif %}""#, "on"),
        (
            "|\n  {% for arg in spec.args %}\n  {{ arg }}\n  {% endfor %}\n  end\n",
            "--one\n--two\nend\n",
        ),
        (
            r#""{% raw %}{{ $labels.pod | own }}{% endraw %}""#,
            "{{ $labels.pod | own }}",
        ),
        (r#""a | b {{ spec.image }} | c""#, "a | b web:1 | c"),
        (r#""{{ spec.labels | tojson }}""#, r#"{"a": "b"}"#),
    ] {
        assert_eq!(scalar(written), json!(value), "{written}");
    }
}

#[test]
fn scalars_without_placeholders_are_what_they_are_to_kubectl() {
    for (written, value) in [
        ("yes", json!(true)),
        ("\"yes\"", json!("yes")),
        ("0644", json!(420)),
        ("8080", json!(8080)),
        ("1.5", json!(1.5)),
        ("~", json!(null)),
        ("'${#list}'", json!("${#list}")),
        ("'{# no comment #}'", json!("{# no comment #}")),
        ("<b>", json!("<b>")),
    ] {
        assert_eq!(scalar(written), value, "{written}");
    }
}

#[test]
fn a_value_never_becomes_structure_and_is_never_filled_itself() {
    let evil = "x\ndata:\n  stolen: \"yes\"\n---\nkind: Secret {{ spec.image }}";
    assert_eq!(scalar(r#""{{ spec.evil }}""#), json!(evil));
    assert_eq!(scalar("a {{ spec.evil }}"), json!(format!("a {evil}")));
    let objects = fill(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: it\ndata:\n  one: \"{{ spec.evil }}\"\n  two: |\n    {{ spec.evil }}\n",
    );
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["data"], json!({ "one": evil, "two": format!("{evil}\n") }));
}

#[test]
fn null_leaves_a_field_or_an_item_out() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: { name: it }\nnode: \"{{ spec.none }}\"\nargs: [a, \"{{ spec.none }}\"]\nkept: null\n";
    assert_eq!(
        fill(text)[0],
        json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "it" }, "args": ["a"], "kept": null })
    );
}

#[test]
fn several_documents_in_their_order_and_whole_ones() {
    let text = "# a comment\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\n# nothing\n---\n\"{{ spec.extra }}\"\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: b }\n";
    let template = Template::parse("web.yaml", text).unwrap();
    let kinds: Vec<_> = template.kinds().into_iter().map(|named| named.kind).collect();
    assert_eq!(kinds, ["Secret", "Deployment"]);
    assert!(!template.names_all_kinds());
    let filled = |extra: Value| template.fill(&Values::of(&json!({ "spec": { "extra": extra } })));
    let names = |extra: Value| {
        let objects = filled(extra).unwrap();
        let names = objects
            .iter()
            .map(|object| object["metadata"]["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let object = |name: &str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
    assert_eq!(names(json!(null)), ["a", "b"]);
    assert_eq!(names(json!([])), ["a", "b"]);
    assert_eq!(names(object("c")), ["a", "c", "b"]);
    assert_eq!(names(json!([object("c"), object("d")])), ["a", "c", "d", "b"]);
    for odd in [json!("text"), json!({ "kind": "ConfigMap" }), json!([1])] {
        let problem = filled(odd).unwrap_err();
        assert_eq!(problem.line, 9, "{problem}");
        assert!(
            problem.message.starts_with("what fills a whole document is an object"),
            "{problem}"
        );
    }
}

#[test]
fn what_is_not_there_is_an_error_with_file_line_and_placeholder() {
    for written in [
        r#""{{ spec.absent }}""#,
        r#""{{ spec.absent.more }}""#,
        r#""{{ nothing }}""#,
        r#""a {{ spec.absent }}""#,
    ] {
        let said = refusal(written);
        let placeholder = &written[written.find("{{").unwrap()..written.len() - 1];
        assert!(
            said.starts_with(&format!("web.yaml:4: `{placeholder}`: there is no such value")),
            "{said}"
        );
    }
    let said = refusal("|\n  one {{ spec.replicas }}\n  two {{ spec.image }} {{ spec.absent }} three\n");
    assert!(
        said.contains("`{{ spec.image }}`, `{{ spec.absent }}`: there is no such value"),
        "{said}"
    );
    assert!(said.starts_with("web.yaml:6:"), "{said}");
}

#[test]
fn no_error_tells_a_value() {
    let template = |written: &str| {
        let text = format!("apiVersion: v1\nkind: Secret\nmetadata: {{ name: it }}\nit: {written}\n");
        Template::parse("web.yaml", &text).unwrap()
    };
    let secret = Values::of(&json!({ "data": { "password": "hunter2", "map": { "hunter2": "hunter2" } } }));
    for written in [
        r#""literal-hunter2 {{ data.password | int }}""#,
        r#""{{ data.password + 1 }}""#,
        r#""{{ data.password.hidden }}""#,
        r#""{{ nonsense(data.password) }}""#,
        r#""{{ data.map() }}""#,
        r#""{{ data.password | round }}""#,
        r#""{% for x in data.password.y %}{% endfor %}""#,
    ] {
        let said = template(written).fill(&secret).expect_err(written).to_string();
        assert!(!said.contains("hunter2"), "{said}");
        assert!(said.starts_with("web.yaml:4: `{"), "{said}");
    }
    let said = template(r#""{{ nonsense(data.password) }}""#)
        .fill(&secret)
        .unwrap_err();
    assert!(said.message.contains("unknown function: nonsense is unknown"), "{said}");
}
