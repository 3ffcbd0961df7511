//! What holds for any schema and any value.

use proptest::{collection, option, prelude::*};
use serde_json::{Map, Value, json};

use super::version;
use crate::crd::{apply_defaults, check, defaulting::prune_nulls, prune, validation::pattern};

const KINDS: [&str; 3] = ["atomic", "set", "map"];
const NAMES: [&str; 4] = ["a", "b", "c", "metadata"];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(&NAMES[..]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_i64..9).prop_map(Value::from),
        (-2.5_f64..2.5).prop_map(Value::from),
        "[a-c:/0-9.-]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            collection::btree_map(name(), inner, 0..4).prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

/// A schema; sometimes one that a CRD may not have.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = (
        prop::sample::select(&["string", "integer", "number", "boolean", ""][..]),
        option::of(prop::sample::select(
            &["date-time", "ipv4", "int32", "byte", "duration"][..],
        )),
        option::weighted(0.3, value()),
        any::<bool>(),
        option::weighted(0.2, 0_u64..4),
    )
        .prop_map(|(type_, format, default, nullable, size)| {
            let mut schema = match type_ {
                "" => json!({ "x-kubernetes-int-or-string": true }),
                type_ => json!({ "type": type_ }),
            };
            schema["nullable"] = nullable.into();
            for (key, value) in [
                ("format", format.map(Value::from)),
                ("default", default),
                ("maxLength", size.map(Value::from)),
                ("minimum", size.map(Value::from)),
            ] {
                if let Some(value) = value {
                    schema[key] = value;
                }
            }
            schema
        });
    leaf.prop_recursive(4, 24, 3, |inner| {
        let object = (
            collection::btree_map(name(), inner.clone(), 0..4),
            option::weighted(0.2, value()),
            any::<bool>(),
            collection::vec(name(), 0..2),
        )
            .prop_map(|(properties, default, preserve, required)| {
                let properties: Map<_, _> = properties.into_iter().collect();
                let mut schema = json!({ "type": "object", "properties": properties, "required": required });
                if let Some(default) = default {
                    schema["default"] = default;
                }
                if preserve {
                    schema["x-kubernetes-preserve-unknown-fields"] = true.into();
                }
                schema
            });
        let list = (inner.clone(), prop::sample::select(&KINDS[..])).prop_map(|(items, kind)| {
            json!({
                "type": "array", "items": items, "x-kubernetes-list-type": kind, "x-kubernetes-list-map-keys": ["a"],
            })
        });
        let map = inner
            .clone()
            .prop_map(|it| json!({ "type": "object", "additionalProperties": it }));
        let junctor = (inner.clone(), inner).prop_map(|(one, other)| json!({ "anyOf": [one, other], "not": one }));
        prop_oneof![object, list, map, junctor]
    })
}

fn root() -> impl Strategy<Value = Value> {
    schema().prop_map(|spec| json!({ "type": "object", "properties": { "spec": spec } }))
}

/// A value that may stand where a schema is: what is made of it is much the same either way.
fn object() -> impl Strategy<Value = Value> {
    value().prop_map(|spec| {
        json!({
            "apiVersion": "crd.helpers.example.com/v1", "kind": "Any", "metadata": { "name": "o" }, "spec": spec,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        ..ProptestConfig::default()
    })]

    #[test]
    fn pruning_twice_is_pruning_once(schema in root(), mut object in object()) {
        let schema = version("Any", &schema).structural();
        prune(schema.get(), &mut object);
        let once = object.clone();
        prop_assert_eq!(prune(schema.get(), &mut object), Vec::<String>::new());
        prop_assert_eq!(object, once);
    }

    #[test]
    fn nulls_that_are_gone_do_not_come_back(schema in root(), mut object in object()) {
        let schema = version("Any", &schema).structural();
        prune_nulls(schema.get(), &mut object);
        let once = object.clone();
        prune_nulls(schema.get(), &mut object);
        prop_assert_eq!(object, once);
    }

    /// Only where the defaults are ones that a CRD may have: others need not fit their own schema.
    #[test]
    fn what_is_pruned_and_defaulted_stays_so(schema in root(), mut object in object()) {
        let wrong = check(&super::crd("Any", &schema), None);
        let version = version("Any", &schema);
        if wrong.iter().any(|it| it.field.as_str().starts_with("spec.")) || version.decode(&mut object).is_err() {
            return Ok(());
        }
        version.default(&mut object);
        let once = object.clone();
        let schema = version.structural();
        apply_defaults(schema.get(), &mut object);
        prop_assert_eq!(&object, &once);
        prop_assert_eq!(prune(schema.get(), &mut object), Vec::<String>::new());
        prop_assert_eq!(object, once);
    }

    #[test]
    fn no_schema_and_no_value_is_the_end(schema in root(), mut new in object(), old in object()) {
        let _ = check(&super::crd("Any", &schema), None);
        let version = version("Any", &schema);
        let _ = version.decode(&mut new);
        version.default(&mut new);
        version.validate_create(&new, Vec::new());
        version.validate_update(&new, &old, Vec::new());
        version.validate_status_update(&new, &old, Vec::new());
        prop_assert!(version.validate_update(&new, &new, Vec::new()).len() <= version.validate_create(&new, Vec::new()).len());
    }

    #[test]
    fn no_crd_is_the_end(spec in value(), versions in collection::vec(value(), 0..3)) {
        let mut crd = super::crd("Any", &spec);
        let _ = check(&crd, None);
        crd["spec"]["versions"] = versions.into();
        let _ = check(&crd, Some(&super::crd("Any", &spec)));
        crd["spec"] = spec;
        crate::crd::defaults(&mut crd);
        let _ = check(&crd, None);
    }

    #[test]
    fn no_pattern_is_the_end(pattern in "[\\[\\](){}*+?|^$.\\\\a-cQEdw0-9,:<>&~-]{0,12}") {
        let _ = pattern::compile(&pattern);
    }

    #[test]
    fn no_rule_is_the_end(rule in "(self|a|\\.|\\(|\\)|\\[|\\]|1| |'|\"|\\?|:|&&|==|size|all|has|,|x|\\{|\\}|-|!){0,14}") {
        let rules = json!([{ "rule": rule, "messageExpression": rule }]);
        let spec = json!({ "type": "object", "x-kubernetes-validations": rules });
        let schema = json!({ "type": "object", "properties": { "spec": spec } });
        let _ = check(&super::crd("Any", &schema), None);
        version("Any", &schema).validate_create(&json!({ "spec": {} }), Vec::new());
    }
}
