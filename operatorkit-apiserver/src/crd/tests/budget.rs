//! Rules that would take the server down, or long.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::crd;
use crate::crd::{check, compile};

/// What creating an object gives under a rule on `spec`, which has the lists `l` and the text `s`.
fn run(rule: &str, spec: &Value) -> Vec<String> {
    let rules = json!([{ "rule": rule, "message": "m" }]);
    let text = json!({ "type": "string" });
    let list = json!({ "type": "array", "items": { "type": "integer" } });
    let spec_schema = json!({
        "type": "object", "properties": { "l": list, "s": text }, "x-kubernetes-validations": rules,
    });
    let crd = crd(
        "Heavy",
        &json!({ "type": "object", "properties": { "spec": spec_schema } }),
    );
    let refused: Vec<_> = check(&crd, None).iter().map(ToString::to_string).collect();
    let refused: Vec<_> = refused
        .into_iter()
        .filter(|it| it.contains("compilation failed"))
        .collect();
    if !refused.is_empty() {
        return refused;
    }
    let version = compile(&crd, "v1").expect("it has the version");
    let object = json!({
        "apiVersion": "crd.helpers.example.com/v1", "kind": "Heavy", "metadata": { "name": "o" }, "spec": spec,
    });
    version
        .validate_create(&object, Vec::new())
        .iter()
        .map(ToString::to_string)
        .collect()
}

const SPENT: &str = "running out of cost budget";

#[test]
fn what_goes_through_too_much_is_ended() {
    let list: Vec<i64> = (0..2000).collect();
    let text = "a".repeat(100_000);
    let spec = json!({ "l": list, "s": text });
    let begun = Instant::now();
    for rule in [
        "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))",
        "self.l.map(a, self.l.map(b, self.l)).size() > 0",
        "self.l.map(x, self.s).join('').size() > 0",
        "[self.s + self.s].map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).size() > 0",
        "self.s.replace('', self.s).size() > 0",
        "self.l.map(x, 'a').join(self.s).size() > 0",
        "lists.range(1000000).all(x, lists.range(1000000).size() > 0)",
        "self.l.all(i, a, self.l.all(j, b, a + b + i + j >= 0))",
    ] {
        let found = run(rule, &spec);
        assert!(found.iter().any(|it| it.contains(SPENT)), "{rule}: {found:?}");
    }
    assert!(
        begun.elapsed() < Duration::from_mins(1),
        "it took {:?}",
        begun.elapsed()
    );
}

#[test]
fn what_goes_through_little_is_not() {
    let list: Vec<i64> = (0..300).collect();
    let spec = json!({ "l": list, "s": "a" });
    assert_eq!(
        run("self.l.all(a, self.l.exists(b, a == b))", &spec),
        Vec::<String>::new()
    );
    assert_eq!(run("'%.2f'.format([1.5]) == '1.50'", &spec), Vec::<String>::new());
}

#[test]
fn what_is_nested_too_deep_or_too_long_is_refused() {
    let deep = format!("{}true{}", "(".repeat(5000), ")".repeat(5000));
    let chain = format!("1{} > 0", " + 1".repeat(5000));
    let dots = format!("self{}", ".s".repeat(5000));
    let lists = format!("{}1{} == 1", "[".repeat(5000), "]".repeat(5000));
    let not = format!("{}true", "!".repeat(5000));
    let ternary = format!("{}true", "true ? true : ".repeat(5000));
    let long = format!("'{}' == ''", "a".repeat(200_000));
    for rule in [deep, chain, dots, lists, not, ternary, long] {
        let found = run(&rule, &json!({}));
        assert!(
            found
                .iter()
                .any(|it| it.contains("exceeds limit") || it.contains("limit exceeded")),
            "{found:?}"
        );
    }
}

#[test]
fn what_is_nested_as_deep_as_may_be_is_read_and_run() {
    let conjunction = vec!["1 == 1"; 2000].join(" && ");
    assert_eq!(run(&conjunction, &json!({})), Vec::<String>::new());
    let chain = format!("1{} > 0", " + 1".repeat(80));
    assert_eq!(run(&chain, &json!({})), Vec::<String>::new());
    let deep = format!("{}true{}", "(".repeat(40), ")".repeat(40));
    assert_eq!(run(&deep, &json!({})), Vec::<String>::new());
}

#[test]
fn a_precision_beyond_reason_is_refused() {
    let found = run("'%.999999999f'.format([1.5]) == ''", &json!({}));
    assert!(found[0].contains("precision is too large"), "{found:?}");
}
